#include "tools/reanima/front/arguments.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/near_names.h"
#include "formats/options.h"
#include "tools/reanima/front/completions.h"
#include "tools/reanima/front/help.h"
#include "tools/reanima/front/options.h"

namespace reanima::tool {

namespace {

CLI::Option* under(const std::string& heading, CLI::Option* option) {
    return heading.empty() ? option : option->group(heading);
}

/// The help of an option, with a remark if it may be repeated.
std::string repeatable(const std::string& help) {
    return help.find("repeatable") == std::string::npos ? help + "; repeatable" : help;
}

CLI::Option* addChecked(CLI::App& verb, const std::string& heading, const std::string& names,
                        const Arguments::Store& store, const std::string& argument, const std::string& help) {
    CLI::Option* option = under(heading, verb.add_option_function<std::string>(
                                             names, [](const std::string&) {}, help));
    return option->type_name(argument)->check([store](const std::string& text) { return store(text).value_or(""); });
}

}  // namespace

void Arguments::flag(const std::string& names, bool& value, const std::string& help) {
    under(heading_, verb_.add_flag(names, value, help));
}

void Arguments::flag(const std::string& names, const std::function<void()>& store, const std::string& help) {
    under(heading_, verb_.add_flag_callback(names, store, help));
}

void Arguments::text(const std::string& names, std::string& value, const std::string& argument,
                     const std::string& help) {
    under(heading_, verb_.add_option(names, value, help)->type_name(argument));
}

void Arguments::requiredText(const std::string& names, std::string& value, const std::string& argument,
                             const std::string& help) {
    under(heading_, verb_.add_option(names, value, help)->type_name(argument)->required());
}

void Arguments::list(const std::string& names, std::vector<std::string>& value, const std::string& argument,
                     const std::string& help) {
    const bool isOption = names.front() == '-';
    CLI::Option* option = verb_.add_option(names, value, isOption ? repeatable(help) : help)->type_name(argument);
    under(heading_, option);
    if (isOption)
        option->allow_extra_args(false);
}

void Arguments::requiredList(const std::string& names, std::vector<std::string>& value, const std::string& argument,
                             const std::string& help) {
    under(heading_, verb_.add_option(names, value, help)->type_name(argument)->required());
}

void Arguments::checked(const std::string& names, const Store& store, const std::string& argument,
                        const std::string& help) {
    (void)addChecked(verb_, heading_, names, store, argument, help);
}

void Arguments::repeated(const std::string& names, const Store& store, const std::string& argument,
                         const std::string& help) {
    addChecked(verb_, heading_, names, store, argument, repeatable(help))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);  // keeps the last value, but checks all
}

void Arguments::choice(const std::string& names, std::span<const std::string_view> words,
                       const std::function<void(const std::string&)>& store, const std::string& help) {
    const auto read = [words, store](const std::string& text) {
        OptionValues value;
        auto problem = setOption(value, {"", OptionInfo::Type::text, "", "", 0, 0, words}, text);
        if (!problem)
            store(text);
        return problem;
    };
    checked(names, read, fmt::format("{}", fmt::join(words, "|")), help);
}

void Arguments::count(const std::string& names, double minimum, double maximum,
                      const std::function<void(double)>& store, const std::string& argument, const std::string& help) {
    const OptionInfo info{"", OptionInfo::Type::count, "", "", minimum, maximum};
    const auto read = [info, store](const std::string& text) {
        OptionValues value;
        auto problem = setOption(value, info, text);
        if (!problem)
            store(*value.number(info.key));
        return problem;
    };
    checked(names, read, argument, help);
}

void Arguments::optionalText(const std::string& names, std::vector<std::string>& values, const std::string& argument,
                             const std::string& help) {
    const auto store = [&values](const std::vector<std::string>& texts) {
        values = texts.empty() ? std::vector<std::string>(1) : texts;
    };
    under(heading_, verb_.add_option_function<std::vector<std::string>>(names, store, help))
        ->type_name("[" + argument + "]")
        ->expected(0, 1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

namespace {

bool isOption(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

/// `-o OUT`, `ARCHIVE`
std::string shownName(const CLI::Option& option) {
    if (!option.nonpositional())
        return option.get_name(true);
    const std::string name =
        option.get_snames().empty() ? "--" + option.get_lnames().front() : "-" + option.get_snames().front();
    return option.get_type_name().empty() ? name : fmt::format("{} {}", name, option.get_type_name());
}

/// The problem with unknown words. Names the first option among them, otherwise the first word.
std::string problemOfExtras(const CLI::App& app, const std::vector<std::string>& extras) {
    const auto option = std::ranges::find_if(extras, isOption);
    if (option == extras.end())
        return fmt::format("{}: unexpected argument", extras.front());
    const std::string word = option->substr(0, option->find('='));
    core::NearestName nearest(word.substr(std::min(word.find_first_not_of('-'), word.size())));
    std::string longer;
    for (const CLI::Option* known : app.get_options())
        for (const std::string& name : known->get_lnames()) {
            nearest.offer(name);
            if (word.size() > 4 && longer.empty() && ("--" + name).starts_with(word))
                longer = name;
        }
    std::string question = nearest.question("--");
    if (question.empty() && !longer.empty())
        question = fmt::format("; did you mean --{}?", longer);
    return fmt::format("there is no option {}{}", word, question);
}

/// Describes the problem with a command line in clearer words than the parser does.
std::string problemOf(const CLI::App& app, const CLI::ParseError& error) {
    const std::vector<std::string> extras = app.remaining(true);
    const bool isRequired = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
        (isRequired && std::ranges::any_of(extras, isOption)))
        return problemOfExtras(app, extras);
    std::string said = error.what();
    const bool isValueOfFlag = dynamic_cast<const CLI::ConversionError*>(&error) != nullptr;
    const bool isMismatch = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
    for (const CLI::Option* option : app.get_options()) {
        if (isValueOfFlag && said.find(' ' + option->get_name() + " = ") != std::string::npos)
            return fmt::format("{}: takes no value", option->get_name());
        if (isRequired && option->get_required() && option->count() == 0)
            return fmt::format("{} is missing: {}", shownName(*option), firstPartOf(option->get_description()));
        if (isRequired || !(said.starts_with(option->get_name() + ':') || said.starts_with(option->get_name() + ' ')))
            continue;
        if (said.ends_with(" missing"))
            return fmt::format("{}: needs a value, {}", option->get_name(), option->get_type_name());
        if (isMismatch && option->count() > static_cast<std::size_t>(option->get_items_expected_max()))
            return fmt::format("{}: is given twice", option->get_name());
    }
    return said;
}

/// The option with this name. Null if it does not exist.
const CLI::Option* optionNamed(const CLI::App& app, const std::string& word) {
    const auto isIt = [&word](const CLI::Option* option) {
        return option->nonpositional() && isOption(word) && option->check_name(word);
    };
    const std::vector<const CLI::Option*> options = app.get_options();
    const auto found = std::ranges::find_if(options, isIt);
    return found == options.end() ? nullptr : *found;
}

/// Replaces second names of options of this verb. @throws UsageError if a value follows a name that already stands for
/// one
std::vector<std::string> withFirstNames(const CLI::App& app, std::vector<std::string> words) {
    for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
        const std::size_t end = std::min(words[i].find('='), words[i].size());
        const SecondName* second =
            words[i].starts_with("--") ? findSecondName(std::string_view(words[i]).substr(2, end - 2)) : nullptr;
        const std::string first = second == nullptr ? std::string() : fmt::format("--{}", second->key);
        if (second == nullptr || optionNamed(app, first) == nullptr)
            continue;
        if (second->value.empty())
            words[i].replace(0, end, first);
        else if (end < words[i].size())
            throw UsageError(fmt::format("--{}: takes no value", second->name));
        else {
            words[i] = first;
            words.emplace(words.begin() + static_cast<std::ptrdiff_t>(++i), second->value);
        }
    }
    return words;
}

/// Parses words. Unlike CLI11 alone, never reads an option or `--` as the value of the preceding option.
/// @throws CLI::ParseError, UsageError
void parse(CLI::App& app, const std::vector<std::string>& given) {
    const std::vector<std::string> words = withFirstNames(app, given);
    for (std::size_t i = 0; i + 1 < words.size() && words[i] != "--"; ++i) {
        const CLI::Option* option = optionNamed(app, words[i]);
        const bool isEmptyOutput = option != nullptr && option->check_lname("output") && words[i + 1].empty();
        if (isEmptyOutput || (option != nullptr && option->get_items_expected_min() > 0 &&
                              (words[i + 1] == "--" || optionNamed(app, words[i + 1]) != nullptr)))
            throw UsageError(fmt::format("{}: needs a value, {}", option->get_name(), option->get_type_name()));
    }
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 reads them from the end
}

}  // namespace

WordParser::WordParser(const std::function<void(Arguments&)>& declare) : app_(std::make_unique<CLI::App>()) {
    app_->set_help_flag();
    app_->allow_windows_style_options(false);
    Arguments arguments(*app_);
    declare(arguments);
}

WordParser::~WordParser() = default;

void WordParser::parse(const std::vector<std::string>& words) {
    try {
        tool::parse(*app_, words);
    } catch (const CLI::ParseError& error) {
        throw UsageError(problemOf(*app_, error));
    }
}

namespace {

/// A suggestion for a word that stands in place of a verb: `help` means `--help`.
std::string questionForOption(std::string_view word) {
    core::NearestName nearest(word.substr(std::min(word.find_first_not_of('-'), word.size())));
    for (const char* name : {"help", "version", "completion", "man-page"})
        nearest.offer(name);
    return nearest.question("--");
}

std::string unknownVerb(std::string_view word, std::span<const Verb> verbs) {
    core::NearestName nearest(word == "unpack" ? "extract"  // `pack` would be the nearest name
                              : word == "ls"   ? "list"
                                               : word);
    for (const Verb& verb : verbs)
        nearest.offer(verb.name);
    const std::string question = nearest.found().empty() ? questionForOption(word) : nearest.question();
    if (question.empty() && word.find_first_of("./\\:") != std::string_view::npos)
        return fmt::format("{}: there is no such file", word);
    return fmt::format("{}: there is no such verb{}", word,
                       question.empty() ? "; `reanima --help` lists them" : question);
}

std::string unknownOption(std::string_view word) {
    const std::string question = questionForOption(word);
    return question.empty()
               ? fmt::format("{}: expected a verb before this option; `reanima --help` lists the verbs", word)
               : fmt::format("there is no option {}{}", word, question);
}

int carryOut(const Verb& verb, const std::vector<std::string>& words, Console& console) {
    CLI::App app;
    app.set_help_flag();
    app.allow_windows_style_options(false);
    Arguments arguments(app, words);
    const std::function<int()> work = verb.declare(arguments, console);
    const auto end = std::ranges::find(words, "--");  // only file names follow
    const auto has = [&](const char* word) { return std::find(words.begin(), end, word) != end; };
    if (has("--help") || has("-h")) {
        printData(has("--help") ? helpOf(verb, app, helpColumns()) : shortHelpOf(verb, app, helpColumns()));
        return kDone;
    }
    const auto refuse = [&](const std::string& problem) {
        console.error(fmt::format("{}: {}", verb.name, problem));
        console.say(fmt::format("`reanima {} -h` shows how it is used.", verb.name));
        return kUsage;
    };
    try {
        parse(app, words);
    } catch (const UsageError& error) {
        return refuse(error.what());
    } catch (const CLI::ParseError& error) {
        return refuse(problemOf(app, error));
    }
    readWarnings(console);
    return work();
}

}  // namespace

int dispatch(std::span<const std::string> words, std::span<const Verb> verbs, Console& console) {
    if (words.empty()) {
        console.sayTable(helpOfAll(verbs, helpColumns()));
        return kUsage;
    }
    const std::string& first = words.front();
    for (const Verb& verb : verbs)
        if (verb.name == first)
            return carryOut(verb, {words.begin() + 1, words.end()}, console);
    const bool isHelp = first == "--help" || first == "-h" || first == "help";
    if (const auto verb = isHelp && words.size() > 1 ? std::ranges::find(verbs, words[1], &Verb::name) : verbs.end();
        verb != verbs.end())
        return carryOut(*verb, {first == "-h" ? "-h" : "--help"}, console);
    if (isHelp) {
        printData(helpOfAll(verbs, helpColumns()));
        return kDone;
    }
    if (first == "--version") {
        printData("reanima " REANIMA_VERSION "\n");
        return kDone;
    }
    if (first == "--man-page" || first == "--completion") {
        printData(first == "--man-page" ? manPage(verbs) : completionFor(words.size() > 1 ? words[1] : "", verbs));
        return kDone;
    }
    console.error(isOption(first) ? unknownOption(first) : unknownVerb(first, verbs));
    return kUsage;
}

}  // namespace reanima::tool
