#include "tools/reanima/front/arguments.h"

#include <algorithm>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "formats/options.h"
#include "tools/reanima/front/options.h"

namespace reanima::tool {

namespace {

CLI::Option* under(const std::string& heading, CLI::Option* option) {
    return heading.empty() ? option : option->group(heading);
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
    CLI::Option* option = under(heading_, verb_.add_option(names, value, help)->type_name(argument));
    if (names.front() == '-')
        option->allow_extra_args(false);
}

void Arguments::checked(const std::string& names, const Store& store, const std::string& argument,
                        const std::string& help) {
    (void)addChecked(verb_, heading_, names, store, argument, help);
}

void Arguments::repeated(const std::string& names, const Store& store, const std::string& argument,
                         const std::string& help) {
    addChecked(verb_, heading_, names, store, argument, help)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);  // all are checked before the last is taken
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

void parseWords(const std::function<void(Arguments&)>& declare, const std::vector<std::string>& words) {
    CLI::App app;
    app.allow_windows_style_options(false);
    Arguments arguments(app);
    declare(arguments);
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them from the end
    } catch (const CLI::ParseError& error) {
        throw UsageError(error.what());
    }
}

int dispatch(int argc, char** argv, std::span<const Verb> verbs, Console& console) {
    CLI::App app("Animations of classic games, for today's engines and Blender.", "reanima");
    app.set_version_flag("--version", "reanima " REANIMA_VERSION);
    app.require_subcommand(1);
    app.allow_windows_style_options(false);
    app.footer("`reanima VERB --help` tells more, with an example.");
    int status = kDone;
    const std::string_view first = argc > 1 ? argv[1] : "--help";
    if (!first.starts_with('-') && std::ranges::none_of(verbs, [&](const Verb& verb) { return verb.name == first; })) {
        console.error(fmt::format("{}: there is no such verb; `reanima --help` lists them", first));
        return kUsage;
    }
    const std::vector<std::string> words(argv + std::min(argc, 2), argv + argc);  // after the verb
    for (const Verb& verb : verbs) {
        CLI::App* command = app.add_subcommand(verb.name, verb.summary);
        command->footer(std::string("Example:\n") + verb.example + "\n");
        Arguments arguments(*command, words);
        command->callback([&status, &console, work = verb.declare(arguments, console)] {
            readWarnings(console);
            status = work();
        });
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {  // --help, --version
            std::ostringstream text;
            app.exit(error, text, text);
            printData(text.str());
            return kDone;
        }
        console.error(error.what());
        console.say("`reanima --help` and `reanima VERB --help` tell how it is used.");
        return kUsage;
    }
    return status;
}

}  // namespace reanima::tool
