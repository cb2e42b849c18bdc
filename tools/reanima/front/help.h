/// What `-h`, `--help` and mistakes on a command line print.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace reanima::tool {

struct Verb;

/// How many columns text for a person takes: those of the terminal that standard output is, else 80.
[[nodiscard]] std::size_t helpColumns();

/// `text` in lines of at most `columns`, each but the first after `indent` spaces. Words that are longer stay whole.
/// @param used columns of the first line that are taken
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent, std::size_t used);

/// The verbs, one per line.
[[nodiscard]] std::string helpOfAll(std::span<const Verb> verbs, std::size_t columns);

/// Everything about a verb: what its command line `app` takes, with headings.
[[nodiscard]] std::string helpOf(const Verb& verb, const CLI::App& app, std::size_t columns);

/// The same on one screen: Verb::usual of its options, each in a line.
[[nodiscard]] std::string shortHelpOf(const Verb& verb, const CLI::App& app, std::size_t columns);

}  // namespace reanima::tool
