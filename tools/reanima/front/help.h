/// Help texts for `-h`, `--help` and usage errors.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace reanima::tool {

struct Verb;

/// The width of help texts in columns: the terminal's, or 80 if standard output is not a terminal.
[[nodiscard]] std::size_t helpColumns();

/// `text` in lines of at most `columns`, with `indent` spaces before all but the first. Longer words are not split.
/// @param used columns already used in the first line
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent, std::size_t used);

/// The beginning of an explanation, up to the end of its first sentence or up to the first `;`.
[[nodiscard]] std::string_view firstPartOf(std::string_view explanation);

/// The verbs, one per line.
[[nodiscard]] std::string helpOfAll(std::span<const Verb> verbs, std::size_t columns);

/// The full help of a verb: all arguments of its command line `app`, with headings.
[[nodiscard]] std::string helpOf(const Verb& verb, const CLI::App& app, std::size_t columns);

/// The help of a verb on one screen: the options in Verb::usual, one per line.
[[nodiscard]] std::string shortHelpOf(const Verb& verb, const CLI::App& app, std::size_t columns);

}  // namespace reanima::tool
