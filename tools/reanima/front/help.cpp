#include "tools/reanima/front/help.h"

#include <algorithm>
#include <array>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "formats/options.h"
#include "tools/reanima/front/arguments.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

constexpr std::size_t kNameColumns = 30;   // width of option names, before the explanations
constexpr std::size_t kShortColumns = 50;  // width of an explanation on a standard terminal

/// `-o,--output OUT`, `INPUT...`
std::string namesOf(const CLI::Option& option) {
    if (option.nonpositional()) {
        const std::string value = option.get_type_name();
        return option.get_name(false, true) + (value.empty() ? "" : " ") + value;
    }
    return option.get_name(true) + (option.get_expected_max() > 1 ? "..." : "");
}

/// The explanation of an option, with its second names: `.... You may also write --fps`
std::string explanationOf(const CLI::Option& option) {
    std::string names;
    for (const SecondName& second : kSecondNames)
        if (option.check_lname(std::string(second.key)))
            names += fmt::format("{}--{}{}{}", names.empty() ? ". You may also write " : ", ", second.name,
                                 second.value.empty() ? "" : " for ", second.value);
    return option.get_description() + names;
}

std::string lineFor(const std::string& names, std::string_view meaning, std::size_t columns) {
    std::string line = "  " + names;
    if (line.size() + 2 > kNameColumns)
        line += "\n" + std::string(kNameColumns, ' ');
    else
        line.resize(kNameColumns, ' ');
    return line + wrapped(meaning, columns, kNameColumns, kNameColumns) + "\n";
}

/// `reanima info FILE...`
std::string callOf(const Verb& verb) {
    const std::string_view usage = verb.usage;
    return fmt::format("reanima {}{}{}", verb.name, usage.empty() ? "" : " ", usage);
}

std::string headOf(const Verb& verb, const CLI::App& app, std::size_t columns) {
    std::string text = fmt::format("{}: {}\n", callOf(verb), verb.summary);
    text = wrapped(text, columns, 4, 0) + "\n";
    for (const CLI::Option* option : app.get_options())
        if (!option->nonpositional())
            text += lineFor(namesOf(*option), option->get_description(), columns);
    return text;
}

std::string examplesOf(const Verb& verb) { return fmt::format("\nExamples:\n{}\n", verb.example); }

/// Short help for options whose explanation is too long for a line of `-h`. Without a verb: for all verbs.
struct ShortMeaning {
    std::string_view verb;
    std::string_view option;  ///< its long name, or the name of a positional argument
    std::string_view meaning;
};
constexpr std::array kShortMeanings = {
    ShortMeaning{"bind", "output", "X.glb: the animations; MAP.json: a mapping"},
    ShortMeaning{"bind", "suggest", "write a mapping"},
    ShortMeaning{"check", "roundtrip", "decode a file or a folder, encode, compare"},
    ShortMeaning{"check", "warn", "ignore CODE, warn about it, or make it an error"},
    ShortMeaning{"convert", "as", "the format; default: from the output's name"},
    ShortMeaning{"convert", "INPUT", "files, folders, archives, patterns in quotes"},
    ShortMeaning{"convert", "output", "a file (X.glb, X.vrm, X.bvh, ...) or FOLDER/"},
    ShortMeaning{"encode", "skeleton", "the game's skeleton"},
    ShortMeaning{"", "skeleton", "the game's skeleton, or a rig to bind to"},
    ShortMeaning{"encode", "append", "with --into: add clips after those of the file"},
    ShortMeaning{"encode", "at", "with --into: replace clip N of the file"},
    ShortMeaning{"encode", "format", "the format to write; default: as the JSON states"},
    ShortMeaning{"extract", "ARCHIVE", "the archive"},
    ShortMeaning{"extract", "ENTRY", "names or patterns of entries; default: all"},
    ShortMeaning{"frames", "output", "FOLDER/, or FILE for apng, y4m and raw"},
    ShortMeaning{"frames", "as", "images, sheets of images, or a video"},
    ShortMeaning{"frames", "rate", "frames per second"},
    ShortMeaning{"frames", "unique", "only the forward half of forward-and-back videos"},
    ShortMeaning{"info", "names-template", "print a file for --names, to edit"},
    ShortMeaning{"list", "ARCHIVE", "an archive or a folder"},
    ShortMeaning{"list", "recursive", "also show characters and clips in the files"},
    ShortMeaning{"", "animations", "more animations: a file, archive or folder"},
    ShortMeaning{"", "clip", "only these clips, by index, range A-B or name"},
    ShortMeaning{"", "grip", "whether hands close around weapons"},
    ShortMeaning{"", "mode", "how rotations are transferred"},
    ShortMeaning{"", "reduce", "fewer keys; no joint is off by more than MM mm"},
    ShortMeaning{"", "root-motion", "keep, remove or extract the displacement"},
    ShortMeaning{"", "source-rest", "the source's pose that matches the rig's rest pose"},
};

/// A short explanation of an option: its first part if that fits, otherwise from kShortMeanings.
std::string_view shortMeaning(const Verb& verb, const CLI::Option& option, std::string_view explanation,
                              std::size_t columns) {
    const std::string_view first = firstPartOf(explanation);
    const auto own = std::ranges::find_if(kShortMeanings, [&](const ShortMeaning& row) {
        return (row.verb == verb.name || (row.verb.empty() && first.size() > columns)) &&
               (option.nonpositional() ? option.check_lname(std::string(row.option))
                                       : option.get_name(true) == row.option);
    });
    return own == kShortMeanings.end() ? first : own->meaning;
}

bool isUsual(const Verb& verb, const CLI::Option& option) {
    const std::string usual = fmt::format(" {} ", verb.usual);
    return std::ranges::any_of(option.get_lnames(), [&](const std::string& name) {
        return usual.find(fmt::format(" {} ", name)) != std::string::npos;
    });
}

}  // namespace

std::size_t helpColumns() {
    constexpr std::size_t kStandard = 80;
    constexpr std::size_t kFewest = 50;
    constexpr std::size_t kMost = 120;
    const std::size_t columns = terminalColumns(StandardStream::output);
    return columns == 0 ? kStandard : std::clamp(columns, kFewest, kMost);
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent, std::size_t used) {
    std::string lines;
    std::size_t at = used;
    bool isFirst = true;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!isFirst && at + 1 + word.size() > columns) {
            lines += "\n" + std::string(indent, ' ');
            at = indent;
            isFirst = true;
        }
        if (!isFirst) {
            lines += ' ';
            ++at;
        }
        lines += word;
        at += word.size();
        isFirst = false;
    }
    return lines;
}

std::string_view firstPartOf(std::string_view explanation) {
    return explanation.substr(0, std::min(explanation.find(';'), explanation.find(". ")));
}

std::string helpOfAll(std::span<const Verb> verbs, std::size_t columns) {
    constexpr std::string_view kFiles = "reanima FILE...     ";
    std::string text =
        wrapped(
            "Converts characters and animations of classic games to glTF and other formats, shows them, and writes "
            "edited clips back into the games' files.",
            columns, 0, 0) +
        "\n\nreanima VERB ...\n" + std::string(kFiles) +
        wrapped("previews files in the browser (or drop them on the program)", columns, kFiles.size(), kFiles.size()) +
        "\n\nVerbs:\n";
    constexpr std::size_t kVerbColumns = 12;
    for (const Verb& verb : verbs)
        text += fmt::format("  {:<{}}{}\n", verb.name, kVerbColumns - 2,
                            wrapped(verb.summary, columns, kVerbColumns, kVerbColumns));
    text += "\nOptions:\n" + lineFor("-h,--help", "print this help", columns) +
            lineFor("--version", "print the version", columns) +
            lineFor("--completion SHELL", "print a completion script for bash, zsh or fish", columns) +
            lineFor("--man-page", "print the manual page, for man -l", columns);
    return text + "\n" +
           wrapped("`reanima VERB -h` shows the most common options, `reanima VERB --help` all of them.", columns, 0,
                   0) +
           "\n";
}

std::string helpOf(const Verb& verb, const CLI::App& app, std::size_t columns) {
    std::string text = headOf(verb, app, columns);
    std::vector<std::string> headings;
    for (const CLI::Option* option : app.get_options())
        if (option->nonpositional() && std::ranges::find(headings, option->get_group()) == headings.end())
            headings.push_back(option->get_group());
    for (const std::string& heading : headings) {
        text += fmt::format("\n{}:\n", heading);
        for (const CLI::Option* option : app.get_options())
            if (option->nonpositional() && option->get_group() == heading)
                text += lineFor(namesOf(*option), explanationOf(*option), columns);
        if (heading == headings.front())
            text += lineFor("-h", "print the most common options, on one screen", columns) +
                    lineFor("--help", "print this help", columns);
    }
    return text + examplesOf(verb);
}

std::string shortHelpOf(const Verb& verb, const CLI::App& app, std::size_t columns) {
    std::string text = callOf(verb) + "\n\n";
    const auto add = [&](const CLI::Option& option) {
        const std::string& explanation = option.get_description();
        text += lineFor(namesOf(option), shortMeaning(verb, option, explanation, kShortColumns), columns);
    };
    for (const CLI::Option* option : app.get_options())
        if (!option->nonpositional() || isUsual(verb, *option))
            add(*option);
    return text + examplesOf(verb) + fmt::format("\n`reanima {} --help` lists every option.\n", verb.name);
}

}  // namespace reanima::tool
