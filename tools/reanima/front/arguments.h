/// The arguments of a verb: shown in its help and set by a command line.
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

/// Declares arguments. Each value is stored in the referenced variable. Mistakes are usage errors (status 2).
///
/// `names` is `-o,--output`, `--force`, or a word without dashes for a positional argument. `argument` is the
/// placeholder of the value in the help. If the argument is missing, the variable stays unchanged.
class Arguments {
  public:
    /// @param words the command line after the verb
    explicit Arguments(CLI::App& verb, std::vector<std::string> words = {}) : verb_(verb), words_(std::move(words)) {}

    [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

    void flag(const std::string& names, bool& value, const std::string& help);
    void flag(const std::string& names, const std::function<void()>& store, const std::string& help);
    void text(const std::string& names, std::string& value, const std::string& argument, const std::string& help);
    void requiredText(const std::string& names, std::string& value, const std::string& argument,
                      const std::string& help);
    /// May be repeated. A name without dashes collects all positional words.
    void list(const std::string& names, std::vector<std::string>& value, const std::string& argument,
              const std::string& help);
    /// Like list(), but required.
    void requiredList(const std::string& names, std::vector<std::string>& value, const std::string& argument,
                      const std::string& help);
    /// One of the words, which must outlive this object.
    void choice(const std::string& names, std::span<const std::string_view> words,
                const std::function<void(const std::string&)>& store, const std::string& help);
    /// A whole number.
    void count(const std::string& names, double minimum, double maximum, const std::function<void(double)>& store,
               const std::string& argument, const std::string& help);
    /// Stores a text, or returns what is wrong with it.
    using Store = std::function<std::optional<std::string>(const std::string&)>;
    void checked(const std::string& names, const Store& store, const std::string& argument, const std::string& help);
    /// Like checked(), but may be repeated. Calls `store` for each value.
    void repeated(const std::string& names, const Store& store, const std::string& argument, const std::string& help);
    /// A flag with an optional value: `--loop-key`, `--loop-key walk`. An empty text means no value.
    void optionalText(const std::string& names, std::vector<std::string>& values, const std::string& argument,
                      const std::string& help);
    /// Sets the heading of the next arguments in the help.
    void heading(const std::string& name) { heading_ = name; }

  private:
    CLI::App& verb_;
    std::vector<std::string> words_;
    std::string heading_;
};

/// Parses any number of command lines with one declaration, since declaring arguments takes longer than parsing.
class WordParser {
  public:
    /// @param declare declares arguments; their variables must outlive this object
    explicit WordParser(const std::function<void(Arguments&)>& declare);
    ~WordParser();
    WordParser(const WordParser&) = delete;
    WordParser& operator=(const WordParser&) = delete;

    /// Variables without a value on the command line stay unchanged. @throws UsageError
    void parse(const std::vector<std::string>& words);

  private:
    std::unique_ptr<CLI::App> app_;
};

/// One verb of the command.
struct Verb {
    const char* name;
    const char* usage;    ///< arguments after the name: `INPUT... [-o OUT]`
    const char* summary;  ///< its effect: `converts to ...`
    const char* usual;    ///< long names of the options in `-h`, ten or fewer
    const char* example;  ///< up to three commands, one per line
    /// Declares the arguments. @return the action, which returns the exit status
    std::function<int()> (*declare)(Arguments& arguments, Console& console);
};

/// Carries out the verb that a command line names.
/// @param words the command line, without the program's name
/// @return the exit status
int dispatch(std::span<const std::string> words, std::span<const Verb> verbs, Console& console);

}  // namespace reanima::tool
