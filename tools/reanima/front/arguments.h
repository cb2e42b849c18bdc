/// The arguments of one verb: what its help shows and what a command line sets.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/reanima/system/console.h"

namespace CLI {
class App;
}

namespace reanima::tool {

/// Declares arguments; each is stored where the reference points. Mistakes are usage errors (status 2).
///
/// `names` is `-o,--output`, `--force`, or a word without dash for what stands at its place. `argument` stands for the
/// value in the help. Values stay as they are when the argument is not given.
class Arguments {
  public:
    /// @param words what stands after the verb on the command line
    explicit Arguments(CLI::App& verb, std::vector<std::string> words = {}) : verb_(verb), words_(std::move(words)) {}

    [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

    void flag(const std::string& names, bool& value, const std::string& help);
    void flag(const std::string& names, const std::function<void()>& store, const std::string& help);
    void text(const std::string& names, std::string& value, const std::string& argument, const std::string& help);
    void requiredText(const std::string& names, std::string& value, const std::string& argument,
                      const std::string& help);
    /// May be repeated; a word without dash takes all that stand there.
    void list(const std::string& names, std::vector<std::string>& value, const std::string& argument,
              const std::string& help);
    /// The same for what has to stand there.
    void requiredList(const std::string& names, std::vector<std::string>& value, const std::string& argument,
                      const std::string& help);
    /// One of the words, which outlive this object.
    void choice(const std::string& names, std::span<const std::string_view> words,
                const std::function<void(const std::string&)>& store, const std::string& help);
    /// A whole number.
    void count(const std::string& names, double minimum, double maximum, const std::function<void(double)>& store,
               const std::string& argument, const std::string& help);
    /// Takes a text, and says what is wrong with it if anything is.
    using Store = std::function<std::optional<std::string>(const std::string&)>;
    void checked(const std::string& names, const Store& store, const std::string& argument, const std::string& help);
    /// The same, and may be repeated: `store` is called for each.
    void repeated(const std::string& names, const Store& store, const std::string& argument, const std::string& help);
    /// A flag that may have a value: `--loop-key`, `--loop-key walk`. An empty text stands for no value.
    void optionalText(const std::string& names, std::vector<std::string>& values, const std::string& argument,
                      const std::string& help);
    /// The next arguments stand under this heading in the help.
    void heading(const std::string& name) { heading_ = name; }

  private:
    CLI::App& verb_;
    std::vector<std::string> words_;
    std::string heading_;
};

/// Reads words as command lines, any number of them: declaring arguments takes longer than parsing.
class WordParser {
  public:
    /// @param declare declares arguments, which are stored where their references point
    explicit WordParser(const std::function<void(Arguments&)>& declare);
    ~WordParser();
    WordParser(const WordParser&) = delete;
    WordParser& operator=(const WordParser&) = delete;

    /// Values that no word names stay as they are. @throws UsageError
    void parse(const std::vector<std::string>& words);

  private:
    std::unique_ptr<CLI::App> app_;
};

/// One verb of the command.
struct Verb {
    const char* name;
    const char* usage;    ///< what stands after the name: `INPUT... [-o OUT]`
    const char* summary;  ///< what it does: `converts to ...`
    const char* usual;    ///< long names of options that `-h` shows, at most ten
    const char* example;  ///< at most three commands, a line each
    /// Declares the arguments. @return what to do with them; its result is the exit status
    std::function<int()> (*declare)(Arguments& arguments, Console& console);
};

/// Carries out the verb that a command line names.
/// @param words of the command line, without the program's name
/// @return the exit status
int dispatch(std::span<const std::string> words, std::span<const Verb> verbs, Console& console);

}  // namespace reanima::tool
