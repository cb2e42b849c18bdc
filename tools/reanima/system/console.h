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

/// The name of an option in messages: `--joints N`.
[[nodiscard]] std::string flagWording(const core::OptionHint& hint);

/// A command line that can't be carried out (status 2).
class UsageError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// An output that could not be written (status 3).
class OutputError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The disk of an output is full or read-only, so further outputs would fail, too.
class UnwritableDisk : public OutputError {
    using OutputError::OutputError;
};

/// The reader has closed standard output, as in `reanima ... | head`. The run ends without a message.
class ClosedPipe : public OutputError {
    using OutputError::OutputError;
};

/// How warnings are treated.
struct WarningPolicy {
    enum class Level { ignore, warn, error };

    bool strict = false;  ///< every warning is an error
    std::map<core::Code, Level> levels;

    [[nodiscard]] Level levelOf(const core::Warning& warning) const;
    /// True if any warning could count as an error.
    [[nodiscard]] bool mayFail() const;
    /// True if one of the warnings counts as an error.
    [[nodiscard]] bool fails(const core::Diagnostics& diagnostics) const;
    /// True for a note about interpolation in players. False if the user chose a level for its code. Such notes only
    /// matter for files that a player will show.
    [[nodiscard]] bool isForPlayers(const core::Warning& warning) const;
};

/// Prints each message as a line of up to 4 KB, with control characters escaped. Colours and progress bars only appear
/// on terminals, and never with NO_COLOR or --quiet.
class Console {
  public:
    Console();

    bool quiet = false;    ///< errors only
    bool verbose = false;  ///< for batches, print as much as for a single input
    WarningPolicy policy;
    std::vector<std::string> warnSettings;  ///< CODE=LEVEL, as given

    void error(const std::string& message) const;
    /// True if an error contains this text.
    [[nodiscard]] bool hasSaid(std::string_view text) const;
    /// The messages that print() prints.
    enum class Audience { everybody, players };
    /// @param audience `everybody` leaves out notes for players (WarningPolicy::isForPlayers)
    void print(const core::Diagnostics& diagnostics, Audience audience = Audience::everybody) const;
    void say(const std::string& message) const;
    /// Prints lines with control characters escaped.
    void sayTable(const std::string& table) const;

  private:
    [[nodiscard]] std::string coloured(const std::string& text, const char* colour) const;
    bool colours_ = false;
    mutable std::vector<std::string> errors_;
};

/// Writes the whole text to standard output. On a terminal, control characters are escaped, except line ends and tabs.
/// @throws OutputError; ClosedPipe if its reader has closed it
void printData(std::string_view text);

/// Writes one line to standard output, with control characters escaped. @throws OutputError
void printDataLine(std::string_view line);

/// Shows the progress of long work, only on a terminal and never with --quiet. step() is thread-safe.
class ProgressLine {
  public:
    ProgressLine(const Console& console, std::string what, std::size_t total);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void step();
    /// Clears the line before a message. The next step shows it again.
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
