/// Files with their companions: skeletons with the files that they name, models with materials and textures, characters
/// in their archive. An input is a folder. Each file is stored as the length of its name, the name, its size (two
/// bytes), and its bytes. The first file, or every entry of an archive, is converted with its siblings.
///
/// A folder of Memoria's clips is a JSON object of clips by file name.

#include <nlohmann/json.hpp>

#include "archives/open_archives.h"
#include "core/byte_reader.h"
#include "core/validate.h"
#include "formats/format.h"
#include "formats/load.h"
#include "fuzz/targets.h"
#include "gltf_export/gltf_file.h"
#include "json/json.h"
#include "pipeline/memoria_body.h"
#include "pipeline/memoria_file.h"
#include "pipeline/memoria_folder.h"

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
    } catch (const core::DecodeError&) {  // rejected
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
    } catch (const core::DecodeError&) {  // rejected
    }
    for (const std::string& path : paths)
        convert(files, path);
}

core::ByteVector bytesOf(const std::string& text) { return {text.begin(), text.end()}; }

/// Reads written clips again. They must have the same joints.
void checkWritten(const core::Asset& asset, const core::Limits& limits) {
    const MemoriaWriter writer(*asset.skeleton, asset.clips);
    for (const core::Clip& clip : asset.clips) {
        const std::string text = writer.textOf(clip, limits);
        core::Diagnostics diagnostics;
        const core::MovingScene again = readMemoriaAnimation(bytesOf(text), "again.anim", {}, diagnostics);
        require(again.scene.nodes.size() == asset.skeleton->joints.size(), "a joint is lost on the way back");
    }
}

/// Converts the clips as one character, on a model with the first clip's rest pose, to a .glb, and back to clips.
void checkCharacter(core::Bytes bytes) {
    const core::Limits limits = smallLimits();
    const OptionValues options;
    core::Diagnostics diagnostics;
    try {
        core::MemoryFiles folder;
        std::vector<std::string> names;
        const Json clips = parseJson(bytes);
        for (const auto& [name, clip] : clips.items()) {
            names.push_back(name + ".anim");
            folder.add("GEO_X/" + names.back(), bytesOf(clip.dump()));
        }
        if (names.empty())
            return;
        const auto load = [&](const std::vector<std::string>& wanted) {
            const Input input = memoriaCharacter("GEO_X", wanted, folder, limits);
            Context context{options, limits, diagnostics, {}, &input.siblings};
            return reanima::load(input, {}, context);
        };
        core::Asset asset = load(names);
        const std::vector<std::string> problems = core::validate(asset);
        require(problems.empty(), problems.empty() ? "" : problems.front().c_str());
        (void)gltf::writeGlb(asset, {});
        checkWritten(asset, limits);
        const core::Asset model = load({names.front()});
        (void)isSeenInMirror(*model.skeleton, asset);
        restAsModel(*model.skeleton, asset);
        require(core::validate(asset).empty(), "a rest of the model is not valid");
    } catch (const core::DecodeError&) {  // rejected
    }
}

}  // namespace

std::vector<Target> folderTargets() {
    std::vector<Target> all;
    for (const char* game : {"ff7", "ff9", "metroid"})
        all.push_back({std::string("folder-") + game, Mutation::fields, checkFolder});
    all.push_back({"folder-ff9-steam", Mutation::json, checkCharacter});
    return all;
}

}  // namespace reanima::fuzz
