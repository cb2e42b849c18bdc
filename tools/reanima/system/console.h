/// Messages of the command, on standard error.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics.h"

namespace reanima::tool {

/// Exit statuses; scripts rely on them.
enum ExitStatus : int {
    kDone = 0,
    kInputFailed = 1,
    kUsage = 2,
    kOutputFailed = 3,
    kLimitExceeded = 4,
    kInterrupted = 130,
};

/// How messages name an option: `--joints N`.
[[nodiscard]] std::string flagWording(const core::OptionHint& hint);

/// A command line that can't be carried out (status 2).
class UsageError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// An output that could not be written (status 3).
class OutputError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// No space is left for an output, so further ones fail, too.
class FullDisk : public OutputError {
    using OutputError::OutputError;
};

/// The reader of standard output has closed it: `reanima ... | head`. The work ends without a message.
class ClosedPipe : public OutputError {
    using OutputError::OutputError;
};

/// How to treat warnings.
struct WarningPolicy {
    enum class Level { ignore, warn, error };

    bool strict = false;  ///< every warning is an error
    std::map<core::Code, Level> levels;

    [[nodiscard]] Level levelOf(const core::Warning& warning) const;
    /// True if any warning could count as an error.
    [[nodiscard]] bool mayFail() const;
    /// True if one of the warnings counts as an error.
    [[nodiscard]] bool fails(const core::Diagnostics& diagnostics) const;
    /// True for a note about how players interpolate, unless the user chose a level for its code: it matters only to
    /// those who make a file for a player.
    [[nodiscard]] bool isForPlayers(const core::Warning& warning) const;
};

/// Prints messages, each a line of at most 4 KB in which control characters are escaped. Colours and progress bars are
/// for terminals, and never with NO_COLOR or --quiet.
class Console {
  public:
    Console();

    bool quiet = false;    ///< errors only
    bool verbose = false;  ///< print for batches what is printed for a single input
    WarningPolicy policy;
    std::vector<std::string> warnSettings;  ///< CODE=LEVEL as given

    void error(const std::string& message) const;
    /// Which messages print() prints.
    enum class Audience { everybody, players };
    /// @param audience with `everybody`, notes for players are left out (WarningPolicy::isForPlayers)
    void print(const core::Diagnostics& diagnostics, Audience audience = Audience::everybody) const;
    void say(const std::string& message) const;
    /// Prints several lines with escaped control characters.
    void sayTable(const std::string& table) const;

  private:
    [[nodiscard]] std::string coloured(const std::string& text, const char* colour) const;
    bool colours_ = false;
};

/// Writes text to standard output completely; on a terminal control characters are escaped, except line ends and tabs.
/// @throws OutputError; ClosedPipe if its reader has closed it
void printData(std::string_view text);

/// Writes one readable line to standard output; control characters are escaped. @throws OutputError
void printDataLine(std::string_view line);

/// Shows the progress of long work: only on a terminal, and never with --quiet. step() is thread-safe.
class ProgressLine {
  public:
    ProgressLine(const Console& console, std::string what, std::size_t total);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void step();
    /// Clears the line, for messages; the next step shows it again.
    void hide();

  private:
    std::string what_;
    std::size_t total_;
    bool shown_;
    bool drawn_ = false;
    std::mutex mutex_;
    std::size_t done_ = 0;
    std::chrono::steady_clock::time_point last_;
};

}  // namespace reanima::tool
