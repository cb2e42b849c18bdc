#include "core/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace reanima::core {

std::string lowerCase(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return lowerCase(c); });
    return lower;
}

std::string_view folderOf(std::string_view path) {
    return path.substr(0, path.find_last_of("/\\") + 1);  // 0 if there is none
}

std::string_view fileNameOf(std::string_view path) { return path.substr(folderOf(path).size()); }

std::string_view stemOf(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

std::string extensionOf(std::string_view name) {
    std::string extension = lowerCase(name.substr(stemOf(name).size()));
    if (!extension.empty())
        extension.erase(0, 1);
    return extension;
}

std::string UniqueNames::unique(const std::string& wanted) {
    if (used_.insert(wanted).second)
        return wanted;
    int& next = next_.try_emplace(wanted, 2).first->second;
    std::string name;
    do
        name = wanted + "_" + std::to_string(next++);
    while (!used_.insert(name).second);
    return name;
}

std::string safeName(std::string_view name) {
    std::string safe(name);
    for (char& c : safe) {
        if (!isLetter(c) && !isDigit(c) && c != '_' && c != '-')
            c = '_';
    }
    return safe.empty() ? "_" : safe;
}

namespace {

/// @param stem the part of a name before its first dot
bool isDevice(std::string_view stem) {
    constexpr std::array<std::string_view, 6> kDevices = {"con", "prn", "aux", "nul", "conin$", "conout$"};
    constexpr std::array<std::string_view, 3> kSuperscripts = {"\u00B9", "\u00B2", "\u00B3"};
    const std::string lower = lowerCase(stem.substr(0, stem.find_last_not_of(' ') + 1));
    if (lower.starts_with("com") || lower.starts_with("lpt")) {
        const std::string_view port = std::string_view(lower).substr(3);
        return (port.size() == 1 && isDigit(port[0])) || std::ranges::find(kSuperscripts, port) != kSuperscripts.end();
    }
    return std::ranges::find(kDevices, lower) != kDevices.end();
}

}  // namespace

bool isPlainName(std::string_view name) {
    const std::string_view stem = name.substr(0, name.find('.'));
    return !name.empty() && name != "." && name != ".." && name.find_first_of("/\\:") == std::string_view::npos &&
           !isDevice(stem);
}

std::string portableName(std::string_view name) {
    constexpr std::string_view kForbidden = "<>:\"/\\|?*\x7F";
    constexpr char kFirstPrintable = ' ';
    std::string portable(name);
    for (char& c : portable)
        if ((c >= 0 && c < kFirstPrintable) || kForbidden.find(c) != std::string_view::npos)
            c = '_';
    for (std::size_t i = portable.size(); i > 0 && (portable[i - 1] == '.' || portable[i - 1] == ' '); --i)
        portable[i - 1] = '_';
    const std::size_t stem = std::min(portable.find('.'), portable.size());
    if (isDevice(std::string_view(portable).substr(0, stem)))
        portable.insert(stem, 1, '_');
    return portable.empty() ? "_" : portable;
}

namespace {

/// The size in bytes of the well-formed sequence at the start of `text`; 0 if there is none.
std::size_t sequenceLength(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t lead = byte(0);
    if (lead < 0x80)
        return 1;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length)
        return 0;
    std::uint32_t code = lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80)
            return 0;
        code = code << 6U | (byte(i) & 0x3FU);
    }
    constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < kSmallest[length] || code > 0x10FFFF || surrogate ? 0 : length;
}

}  // namespace

std::string validUtf8(std::string_view text) {
    std::string valid;
    valid.reserve(text.size());
    std::size_t begin = 0;  // start of the valid text that is not yet copied
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = sequenceLength(text.substr(at));
        if (length == 0) {
            valid.append(text, begin, at - begin) += '_';
            begin = at + 1;
        }
        at += std::max<std::size_t>(length, 1);
    }
    return valid.append(text, begin);
}

namespace {

/// True for characters that change the direction of the following text (U+061C, U+200E, U+200F, U+202A to U+202E,
/// U+2066 to U+2069) or begin another line (U+2028, U+2029).
/// @param character a well-formed sequence
bool isLayoutControl(std::string_view character) {
    const auto isFrom = [character](std::string_view first, std::string_view last) {
        return character.size() == first.size() && character >= first && character <= last;  // as unsigned bytes
    };
    return character == "\u061C" || isFrom("\u200E", "\u200F") || isFrom("\u2028", "\u202E") ||
           isFrom("\u2066", "\u2069");
}

/// @param character a well-formed sequence
bool isControl(std::string_view character) {
    const auto first = static_cast<std::uint8_t>(character.front());
    const bool isLatin1Control = first == 0xC2 && static_cast<std::uint8_t>(character[1]) < 0xA0;  // U+0080 to U+009F
    return first < 0x20 || first == 0x7F || isLatin1Control || isLayoutControl(character);
}

void appendEscaped(std::string& text, char byte) {
    constexpr std::string_view kWithLetter = "\n\r\t";
    const std::size_t letter = kWithLetter.find(byte);
    if (letter != std::string_view::npos)
        text += {'\\', "nrt"[letter]};
    else
        text += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(byte));
}

}  // namespace

std::string printable(std::string_view text) {
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
        if (length > 0 && !isControl(character))
            shown += character;
        else
            for (const char byte : character)
                appendEscaped(shown, byte);
        text.remove_prefix(character.size());
    }
    return shown;
}

}  // namespace reanima::core
