#include "tools/reanima/front/rigs.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_motion.h"
#include "pipeline/scene_memory.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

const RigsModule& rigsModule() {
    void* function = nullptr;
    try {
        function = moduleFunction(kRigsModule, kRigsModuleFunction);
    } catch (const std::runtime_error& error) {
        throw core::DecodeError(fmt::format(
            "is not a glTF file, and the module that reads other formats (through Assimp) can't be loaded: {}",
            error.what()));
    }
    const RigsModule* module = reinterpret_cast<RigsModuleFunction>(function)();  // NOLINT: by the module's header
    requireVersion(*module, REANIMA_VERSION);
    return *module;
}

}  // namespace

void requireVersion(const RigsModule& module, std::string_view expected) {
    if (module.version != expected)
        throw core::DecodeError(
            fmt::format("is not a glTF file, and the module that reads other formats has the version {}, expected {}",
                        module.version, expected));
}

void tryToRead(const RigsModule& module, const std::string& path, std::uint64_t size, const core::Limits& limits) {
    constexpr unsigned kSecondsPerMebibyte = 2;       // undamaged files need 0.2 or less
    constexpr std::uint64_t kProcess = 64ULL << 20U;  // memory that a process needs in addition to its limit
    const auto mebibytes = static_cast<unsigned>(size >> 20U) + 1;
    const TrialLimits most = {kSecondsPerMebibyte * mebibytes,
                              limits.memory - std::min(limits.held, limits.memory) + kProcess};
    const TrialEnd end = tryInCopy(most, [&] {
        core::Diagnostics ignored;
        MemoriaReading unknown = MemoriaReading::unknown;
        (void)module.read(path, unknown, limits, nullptr, ignored);
    });
    if (end == TrialEnd::crash)
        throw core::DecodeError("can't be read: Assimp crashes" + throughBlender(path));
    if (end == TrialEnd::outOfTime)
        throw core::DecodeError(
            {}, fmt::format("can't be read: Assimp needs more than {} seconds{}", most.seconds, throughBlender(path)),
            core::DecodeError::Kind::limit);
    if (end == TrialEnd::outOfMemory)
        throw core::DecodeError(
            {}, fmt::format("can't be read: Assimp needs more memory than the limit of {} MiB", limits.memory >> 20U),
            core::DecodeError::Kind::limit)
            .withHint({"limit-memory", "MIB"});
}

namespace {

/// @param assumed the reading that was used for the rig
MemoriaReading toldReading(MemoriaReading assumed, const core::Rig& rig, const AskWhetherMirrored& isMirrored) {
    using enum MemoriaReading;
    const std::optional<bool> told = assumed == unknown ? std::nullopt : isMirrored(rig);
    if (!told)
        return unknown;
    return *told == (assumed == mirrored) ? raw : mirrored;
}

}  // namespace

core::Rig readOtherRig(const std::filesystem::path& path, core::ByteVector bytes, const core::Limits& limits,
                       core::SceneContent* content, core::Diagnostics& diagnostics,
                       const AskWhetherMirrored& isMirrored) {
    return core::inFile(toUtf8(path), [&] {
        core::requireMemory(memoryOfScene(bytes, toUtf8(path.filename())), limits, {});
        const std::uint64_t size = bytes.size();
        bytes = {};
        const RigsModule& module = rigsModule();
        tryToRead(module, toUtf8(path), size, limits);
        MemoriaReading reading = MemoriaReading::unknown;
        if (isMirrored) {
            core::Diagnostics unsaid;
            const core::Rig rig = module.read(toUtf8(path), reading, limits, nullptr, unsaid);
            reading = toldReading(reading, rig, isMirrored);
        }
        return module.read(toUtf8(path), reading, limits, content, diagnostics);
    });
}

core::MovingScene readOtherMotion(const core::File& file, const core::Siblings& beside, const core::Limits& limits,
                                  core::Diagnostics& diagnostics) {
    if (gltf::isGltf(file.bytes, file.name))
        return gltf::readMotionFile(file, beside, limits, diagnostics);
    if (file.path.empty())
        throw core::DecodeError("has a format that is read by Assimp, which needs a file on disk");
    core::requireMemory(memoryOfScene(file.bytes, file.name), limits, {});
    const RigsModule& module = rigsModule();
    tryToRead(module, file.path, file.bytes.size(), limits);
    return module.readMotion(file.path, limits, diagnostics);
}

}  // namespace reanima::tool
