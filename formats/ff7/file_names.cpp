#include "formats/ff7/file_names.h"

#include <algorithm>

#include <fmt/format.h>

#include "formats/format.h"

namespace reanima::ff7 {

namespace {

constexpr std::uint32_t kLetters = 26;

std::string upperCase(std::string_view text) { return inCaseOf('A', text); }

}  // namespace

bool hasContentLetters(std::string_view name, std::string_view letters) {
    return name.size() == 4 && lowerCase(name.substr(2)) == letters;
}

bool hasContentLetters(std::string_view name, std::uint32_t first, std::uint32_t last) {
    if (name.size() != 4 || !core::isLetter(name[2]) || !core::isLetter(name[3]))
        return false;
    const auto number = [&](std::size_t at) { return static_cast<std::uint32_t>(core::lowerCase(name[at]) - 'a'); };
    const std::uint32_t content = number(2) * kLetters + number(3);
    return first <= content && content <= last;
}

bool hasNumberedExtension(std::string_view name, char letter) {
    const std::string extension = extensionOf(name);
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    return extension.size() == 3 && extension[0] == letter && isDigit(extension[1]) && isDigit(extension[2]);
}

std::string withContentLetters(std::string_view name, std::string_view letters) {
    return std::string(name.substr(0, name.size() - 2)) + inCaseOf(name.back(), letters);
}

std::string withContentLetters(std::string_view name, std::uint32_t number) {
    const std::string letters = {static_cast<char>('a' + number / kLetters),
                                 static_cast<char>('a' + number % kLetters)};
    return withContentLetters(name, letters);
}

std::string withNumberedExtension(std::string_view name, char letter, std::uint32_t number) {
    const std::string_view stem = stemOf(name);
    const char sample = stem.size() + 1 < name.size() ? name[stem.size() + 1] : 'a';
    return fmt::format("{}.{}{:02}", stem, inCaseOf(sample, std::string_view(&letter, 1)), number);
}

std::string imageNameOf(std::string_view file) {
    const std::string stem = lowerCase(core::validUtf8(stemOf(file)));
    return hasNumberedExtension(file, 't') ? fmt::format("{}_{}", stem, extensionOf(file)) : stem;
}

std::vector<std::string> spellingsOf(std::string_view name) {
    const std::string_view stem = stemOf(name);
    const std::string_view extension = name.substr(stem.size());
    std::vector<std::string> spellings = {std::string(name)};
    const auto add = [&](const std::string& first, const std::string& last) {
        if (std::ranges::find(spellings, first + last) == spellings.end())
            spellings.push_back(first + last);
    };
    for (const std::string& first : {std::string(stem), lowerCase(stem), upperCase(stem)})
        for (const std::string& last : {lowerCase(extension), upperCase(extension)})
            add(first, last);
    return spellings;
}

}  // namespace reanima::ff7
