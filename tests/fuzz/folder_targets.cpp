/// Files with what belongs to them: skeletons with the files that they name, models with materials and textures,
/// characters in their archive. An input is a folder: the length of a name, the name, the size of the file (two bytes),
/// its bytes, and so on. The first file, or every entry of an archive, is converted with what lies beside it.

#include "archives/open_archives.h"
#include "core/byte_reader.h"
#include "core/validate.h"
#include "formats/format.h"
#include "formats/load.h"
#include "fuzz/targets.h"
#include "gltf_export/gltf_file.h"

namespace reanima::fuzz {

namespace {

/// @return the name of the first file; empty if there is none
std::string readFolder(core::Bytes bytes, core::MemoryFiles& folder) {
    std::string first;
    core::ByteReader<std::endian::little> reader(bytes);
    while (reader.remaining() > sizeof(std::uint16_t)) {
        const core::Bytes name = reader.bytesUpTo(reader.read<std::uint8_t>("name_length"));
        const std::string path(name.begin(), name.end());
        const std::size_t size = reader.remaining() < sizeof(std::uint16_t) ? 0 : reader.read<std::uint16_t>("size");
        folder.add(path, core::copyOf(reader.bytesUpTo(size)));
        if (first.empty())
            first = path;
    }
    return first;
}

void convert(const std::shared_ptr<const core::Files>& files, const std::string& path) {
    const core::Limits limits = smallLimits();
    const OptionValues options;
    core::Diagnostics diagnostics;
    try {
        const Input input = readInput(files, path, limits);
        Context context{options, limits, diagnostics, {}, &input.siblings};
        const core::Asset asset = loadWithRest(input, withFoundCompanions(input, {}), context);
        const std::vector<std::string> problems = core::validate(asset);
        require(problems.empty(), problems.empty() ? "" : problems.front().c_str());
        if (asset.skeleton)
            (void)gltf::writeGlb(asset, {});
    } catch (const core::DecodeError&) {  // refused
    }
}

void checkFolder(core::Bytes bytes) {
    constexpr std::size_t kMostEntries = 16;
    const auto folder = std::make_shared<core::MemoryFiles>();
    const std::string first = readFolder(bytes, *folder);
    const auto files = std::make_shared<archives::OpenArchives>(folder);
    std::vector<std::string> paths = {first};
    try {
        if (const auto archive = files->openIfArchive(first, smallLimits())) {
            paths.clear();
            for (const archives::Entry& entry : archive->entries())
                if (paths.size() < kMostEntries)
                    paths.push_back(first + ":" + entry.name);
        }
    } catch (const core::DecodeError&) {  // refused
    }
    for (const std::string& path : paths)
        convert(files, path);
}

}  // namespace

std::vector<Target> folderTargets() {
    std::vector<Target> all;
    for (const char* game : {"ff7", "ff9", "metroid"})
        all.push_back({std::string("folder-") + game, Mutation::fields, checkFolder});
    return all;
}

}  // namespace reanima::fuzz
