#include "pipeline/scene_memory.h"

#include <algorithm>
#include <array>

#include "core/text.h"

namespace reanima {

std::uint64_t memoryOfScene(core::Bytes bytes, std::string_view name) {
    // Upper bounds for Assimp 5.2: 27 bytes per word of BVH, 38 of X, 37 of OBJ and Collada, 146 of text FBX; 2000 per
    // XML element; 19 per byte of binary FBX. Other kinds of files are assumed to need as much as the worst of these.
    constexpr std::uint64_t kPerWord = 150;
    constexpr std::uint64_t kPerWordOfPlainKinds = 40;
    constexpr std::uint64_t kPerElement = 2000;
    constexpr std::uint64_t kPerBinaryByte = 20;
    constexpr std::array<std::string_view, 3> kPlainKinds = {"HIERARCHY", "xof 0303txt", "<"};

    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());  // NOLINT: may be text
    constexpr std::size_t kHead = 4096;
    if (text.substr(0, kHead).find('\0') != std::string_view::npos)
        return bytes.size() * kPerBinaryByte;
    const std::size_t first = std::min(text.find_first_not_of("\xEF\xBB\xBF \t\r\n"), text.size());
    const bool isPlain =
        core::extensionOf(name) == "obj" ||
        std::ranges::any_of(kPlainKinds, [&](std::string_view begin) { return text.substr(first).starts_with(begin); });
    std::uint64_t words = 0;
    std::uint64_t elements = 0;
    bool inWord = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool isPart = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' ||
                            c == '-' || c == '+' || c == '_' || c == '/';
        words += isPart && !inWord ? 1 : 0;
        inWord = isPart;
        elements += c == '<' && !text.substr(i + 1).starts_with('/') ? 1 : 0;
    }
    return bytes.size() + words * (isPlain ? kPerWordOfPlainKinds : kPerWord) + elements * kPerElement;
}

}  // namespace reanima
