#include "tools/reanima/rigs.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "gltf_export/glb_chunks.h"
#include "importers/rigs_module.h"
#include "tools/reanima/files.h"
#include "tools/reanima/platform.h"

namespace reanima::tool {

namespace {

const RigsModule& rigsModule() {
    void* function = nullptr;
    try {
        function = moduleFunction(kRigsModule, kRigsModuleFunction);
    } catch (const std::runtime_error& error) {
        throw core::DecodeError(
            fmt::format("is no glTF file, and the module that reads others (through Assimp) can't "
                        "be loaded: {}",
                        error.what()));
    }
    const RigsModule* module = reinterpret_cast<RigsModuleFunction>(function)();  // NOLINT: its header says so
    if (std::string_view(module->version) != REANIMA_VERSION)
        throw core::DecodeError(
            fmt::format("is no glTF file, and the module that reads others is of version {}, "
                        "expected {}",
                        module->version, REANIMA_VERSION));
    return *module;
}

}  // namespace

bool isGltf(core::Bytes bytes, std::string_view name) {
    const auto first = std::find_if(bytes.begin(), bytes.end(),
                                    [](std::uint8_t c) { return c != ' ' && c != '\t' && c != '\r' && c != '\n'; });
    const std::string extension = extensionOf(name);
    return gltf::isGlb(bytes) || extension == "gltf" || extension == "glb" || (first != bytes.end() && *first == '{');
}

std::uint64_t memoryOfScene(core::Bytes bytes, std::string_view name) {
    // Assimp 5.2 takes, at most: for a word of BVH 27 bytes, of X 38, of OBJ and Collada 37, of FBX as text 146; for an
    // XML element 2000; for a byte of binary FBX 19. Other kinds are taken for the worst of these.
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
    const bool isPlain = extensionOf(name) == "obj" || std::ranges::any_of(kPlainKinds, [&](std::string_view begin) {
                             return text.substr(first).starts_with(begin);
                         });
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

core::Rig readOtherRig(const std::filesystem::path& path, core::ByteVector bytes, const core::Limits& limits,
                       core::Diagnostics& diagnostics) {
    try {
        core::requireMemory(memoryOfScene(bytes, toUtf8(path.filename())), limits, {});
        bytes = {};
        return rigsModule().read(toUtf8(path), diagnostics);
    } catch (const core::DecodeError& error) {
        throw error.inFile(toUtf8(path));
    }
}

}  // namespace reanima::tool
