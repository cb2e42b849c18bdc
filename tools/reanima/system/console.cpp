#include "tools/reanima/system/console.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>

#include "core/shortened.h"
#include "core/text.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

constexpr const char* kRed = "\033[31m";
constexpr const char* kYellow = "\033[33m";
constexpr const char* kPlain = "\033[0m";

/// Ignores failed writes to standard error: work continues even if messages can't be shown.
void write(const std::string& text) { (void)writeTo(StandardStream::error, text); }

void printLine(const std::string& line) { write(line + "\n"); }

/// A message as one line of limited length.
std::string asLine(const std::string& message) {
    return core::shortened(core::printable(message), core::kLongestMessage);
}

/// Lines for a terminal, with control characters escaped, except line ends and tabs.
std::string forTerminal(std::string_view text) {
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\n\t"), text.size());
        shown += core::printable(text.substr(0, end));
        if (end < text.size())
            shown += text[end];
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return shown;
}

/// True if the user wants terminals without colours. An empty variable counts as unset (no-color.org).
bool plainIsWanted() {
    const char* value = std::getenv("NO_COLOR");
    return value != nullptr && *value != '\0';
}

}  // namespace

std::string flagWording(const core::OptionHint& hint) {
    if (hint.key == "skeleton" && hint.value == "RIG")  // many verbs do not bind
        return "`reanima convert MOTION -s FILE`";
    return fmt::format("--{}{}{}", hint.key, hint.value.empty() ? "" : " ", hint.value);
}

WarningPolicy::Level WarningPolicy::levelOf(const core::Warning& warning) const {
    const auto chosen = levels.find(warning.code);
    if (chosen != levels.end())
        return chosen->second;
    return strict && warning.severity == core::Warning::Severity::warning ? Level::error : Level::warn;
}

bool WarningPolicy::mayFail() const {
    return strict || std::any_of(levels.begin(), levels.end(), [](const auto& l) { return l.second == Level::error; });
}

bool WarningPolicy::fails(const core::Diagnostics& diagnostics) const {
    return std::any_of(diagnostics.warnings().begin(), diagnostics.warnings().end(),
                       [this](const core::Warning& warning) { return levelOf(warning) == Level::error; });
}

bool WarningPolicy::isForPlayers(const core::Warning& warning) const {
    return warning.severity == core::Warning::Severity::note && warning.code == core::Code::largeStep &&
           !levels.contains(warning.code);
}

Console::Console() : colours_(hasColours(StandardStream::error) && !plainIsWanted()) {}

std::string Console::coloured(const std::string& text, const char* colour) const {
    return colours_ && !quiet ? colour + text + kPlain : text;
}

void Console::error(const std::string& message) const {
    printLine(coloured("reanima: ", kRed) + asLine(message));
    errors_.push_back(message);
}

bool Console::hasSaid(std::string_view text) const {
    return std::ranges::any_of(errors_, [text](const std::string& said) { return said.find(text) != said.npos; });
}

void Console::print(const core::Diagnostics& diagnostics, Audience audience) const {
    for (const core::Warning& warning : diagnostics.warnings()) {
        if (audience != Audience::players && policy.isForPlayers(warning))
            continue;
        const WarningPolicy::Level level = policy.levelOf(warning);
        const std::string message = asLine(warning.message(flagWording));
        if (level == WarningPolicy::Level::error)
            printLine(coloured(message, kRed));
        else if (level == WarningPolicy::Level::warn && !quiet)
            printLine(coloured(message, warning.severity == core::Warning::Severity::note ? kPlain : kYellow));
    }
}

void Console::say(const std::string& message) const {
    if (!quiet)
        printLine(asLine(message));
}

void Console::sayTable(const std::string& table) const {
    if (!quiet)
        printLine(forTerminal(table));
}

void printData(std::string_view text) {
    constexpr StandardStream kOutput = StandardStream::output;
    if (isTerminal(kOutput) ? writeTo(kOutput, forTerminal(text)) : writeTo(kOutput, text))
        return;
    const int error = errno;
    const std::string message = "standard output can't be written: " + std::generic_category().message(error);
    if (error == EPIPE)
        throw ClosedPipe(message);
    throw OutputError(message);
}

void printDataLine(std::string_view line) { printData(core::printable(line) + "\n"); }

ProgressLine::ProgressLine(const Console& console, std::string what, std::size_t total)
    : what_(std::move(what)),
      total_(total),
      shown_(!console.quiet && hasColours(StandardStream::error) && !plainIsWanted()) {}

ProgressLine::~ProgressLine() { hide(); }

void ProgressLine::hide() {
    const std::lock_guard lock(mutex_);
    if (drawn_)
        write("\r\033[K");
    drawn_ = false;
}

void ProgressLine::step() {
    if (!shown_)
        return;
    const std::lock_guard lock(mutex_);
    ++done_;
    const auto now = std::chrono::steady_clock::now();
    constexpr std::chrono::milliseconds kBetween(100);
    if (now - last_ < kBetween && done_ < total_)
        return;
    last_ = now;
    drawn_ = true;
    constexpr std::size_t kWidth = 30;
    const std::size_t filled = total_ > 0 ? done_ * kWidth / total_ : kWidth;
    write(fmt::format("\r{} [{:=<{}}{: <{}}] {}/{}", what_, "", filled, "", kWidth - filled, done_, total_));
}

}  // namespace reanima::tool
