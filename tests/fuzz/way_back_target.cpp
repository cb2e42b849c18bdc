/// Any glTF into every format that accepts changed clips. The written file must be readable and contain the requested
/// poses. If an input is the JSON of a .glb, it is completed by the data of the original's own conversion, so edits of
/// the JSON are edits of the original's clips. Some originals are cut off. Other inputs are edits of the whole scene
/// (scene_edits.h); the written file must show the scene's poses.

#include <algorithm>
#include <array>
#include <string>

#include <glm/geometric.hpp>

#include "core/files.h"
#include "core/pose.h"
#include "core/validate.h"
#include "formats/format.h"
#include "formats/load.h"
#include "fuzz/scene_edits.h"
#include "fuzz/scene_poses.h"
#include "fuzz/targets.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_file.h"
#include "gltf_export/gltf_motion.h"
#include "pipeline/encode_asset.h"
#include "pipeline/pipeline.h"
#include "support/files.h"

namespace reanima::fuzz {

namespace {

/// A file of a game, and its conversion to a .glb.
struct Original {
    Input input;
    std::string json;
    core::ByteVector keys;
};

Original originalOf(const std::string& name) {
    Original original;
    original.input.file = core::diskFiles()->read(REANIMA_SOURCE_DIR "/tests/data/way_back/" + name, {});
    original.input.format = findFormat(original.input);
    require(original.input.format != nullptr, "an original is of no format");
    const OptionValues options;
    core::Diagnostics diagnostics;
    Context context{options, {}, diagnostics, {}};
    gltf::GltfPair pair = gltf::writeGltf(loadBytes(original.input.file.bytes, name).asset, {}, "keys.bin");
    original.json = std::move(pair.json);
    original.keys = std::move(pair.buffer);
    return original;
}

using Originals = std::array<Original, 4>;

const Originals& originals() {
    static const Originals kOriginals = {originalOf("twda"), originalOf("twaa.a"), originalOf("tw.ff9anim"),
                                         originalOf("tw.ANIM")};
    return kOriginals;
}

const Original& originalFor(core::Bytes bytes) {
    // Chosen by a property that mutations of values do not change, so that mutated inputs are edits of the same file.
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());  // NOLINT: text
    constexpr std::array<std::string_view, 4> kIds = {"ff7-battle", "ff7-field", "ff9-", "metroid-"};
    for (std::size_t i = 0; i < kIds.size(); ++i)
        if (text.find(kIds.at(i)) != std::string_view::npos)
            return originals().at(i);
    return originals().at(hashOf(bytes) % originals().size());
}

std::optional<core::MovingScene> sceneOf(core::Bytes bytes, const core::ByteVector& keys, const core::Limits& limits) {
    static const core::Siblings kNothing = test::siblingsBy([](std::string_view) { return std::nullopt; });
    core::Diagnostics diagnostics;
    try {
        if (bytes.empty() || bytes.front() != '{')
            return gltf::readMotion({bytes, "fuzz.glb", kNothing}, limits, diagnostics);
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());  // NOLINT: text
        const core::ByteVector glb = gltf::makeGlb(text, keys);
        return gltf::readMotion({glb, "fuzz.glb", kNothing}, limits, diagnostics);
    } catch (const core::DecodeError&) {
        return std::nullopt;
    }
}

/// Requires that the clip has the values of an edit.
void requireEdited(const core::Clip& clip, const core::ClipEdit& edit, bool isWhole) {
    // The nearest angles of 1/4096 turn are within 0.09. Metroid Prime stores no W. Near half a turn, W is imprecise:
    // the difference of nearly equal numbers.
    const auto mostDegrees = [](const glm::dquat& wanted) { return std::abs(wanted.w) < 0.05 ? 0.5 : 0.2; };
    constexpr double kMetres = 0.01;  // half a unit of the games is up to 4 mm
    require(clip.frames == edit.frames, "a clip is as long as nobody asked for");
    const auto timeOf = [&clip](std::uint32_t frame) { return static_cast<double>(core::frameTime(frame, clip.rate)); };
    for (const core::JointEdit& joint : edit.joints) {
        const core::JointTrack* track = clip.trackOf(joint.joint);
        if (track == nullptr)
            continue;  // the format can't store it
        for (const core::RotationEdit& wanted : joint.rotations) {
            const glm::quat is =
                core::sampleChannel(clip, track->rotation, timeOf(wanted.frame), glm::quat(1, 0, 0, 0));
            require(core::degreesBetween(glm::dquat(is), wanted.rotation) < mostDegrees(wanted.rotation),
                    "another rotation was written");
        }
        for (const core::TranslationEdit& wanted : joint.translations) {
            const glm::vec3 is = core::sampleChannel(clip, track->translation, timeOf(wanted.frame), glm::vec3(0));
            require(!isWhole || glm::distance(glm::dvec3(is), wanted.translation) < kMetres,
                    "another place was written");
        }
    }
}

void writeGltfBack(core::Bytes bytes) {
    const Original& original = originalFor(bytes);
    const core::Limits limits = smallLimits();
    const std::optional<core::MovingScene> scene = sceneOf(bytes, original.keys, limits);
    if (!scene)
        return;
    const OptionValues options;
    core::Diagnostics diagnostics;
    Context context{options, limits, diagnostics, {}};
    EncodeSettings settings{.allChanged = true, .allowLoss = true};
    const std::uint32_t hash = hashOf(bytes);
    settings.search.append = hash % 8 == 1;
    if (hash % 8 == 2)
        settings.search.at = {hash / 8 % 3};
    Input into = original.input;
    if (hash % 8 == 3)
        into.file.bytes.resize(hash / 8 % into.file.bytes.size());
    EncodedAsset written;
    try {
        OriginalFile file(into, {}, context);
        written = encodeAsset(*scene, "fuzz.glb", file, settings, context);
    } catch (const core::DecodeError&) {
        return;
    }
    Input again = into;
    again.file.bytes = written.bytes;
    try {
        const core::Asset asset = load(again, {}, context);
        require(core::validate(*asset.skeleton, asset.clips).empty(), "what was written is not valid");
        for (const core::ClipEdit& edit : written.found.clips) {
            const std::uint32_t index = written.original.clips[edit.clip].index;
            const auto clip = std::ranges::find(asset.clips, index, &core::Clip::index);
            require(clip != asset.clips.end(), "a clip is lost");
            if (edit.use != core::EditUse::adds)
                requireEdited(*clip, edit, written.losses.empty());
        }
    } catch (const core::DecodeError& error) {
        require(error.kind() == core::DecodeError::Kind::limit, error.what());
    }
}

/// Every clip of the written file must equal the scene's, or the original's.
void requireScene(const core::MovingScene& scene, const EncodedAsset& written, const core::Asset& asset) {
    std::vector<bool> isKnown(asset.clips.size(), false);
    std::size_t added = written.original.clips.size();
    for (const core::ClipEdit& edit : written.found.clips) {
        const std::size_t clip = edit.use == core::EditUse::adds ? added++ : edit.clip;
        require(clip < asset.clips.size(), "a clip is lost");
        isKnown[clip] = true;
        const auto motion = std::ranges::find(scene.motions, edit.name, &core::SceneMotion::name);
        require(motion != scene.motions.end(), "a clip is written that the scene has not");
        const bool isOne = std::ranges::count(scene.motions, edit.name, &core::SceneMotion::name) == 1;
        require(!isOne || !written.losses.empty() || showsThat(*asset.skeleton, asset.clips[clip], scene, *motion),
                "what was written is not what the scene shows");
    }
    for (std::size_t clip = 0; clip < written.original.clips.size(); ++clip) {
        const core::Clip& before = written.original.clips[clip];
        const core::Clip& after = asset.clips[clip];
        const core::Comparison change = core::compareClips(*asset.skeleton, before, after);
        require(isKnown[clip] || (before.frames == after.frames && change.distance.value + change.angle.value == 0),
                "a clip that the scene has not was changed");
    }
}

/// A scene made from the original, with edits. One byte selects the original, one the request.
void writeEditsBack(core::Bytes bytes) {
    const Original& original = originals().at(bytes[0] % originals().size());
    const std::uint8_t wanted = bytes.size() > 1 ? bytes[1] : std::uint8_t{0};
    const core::ByteVector glb =
        editedGlb(original.json, original.keys, bytes.subspan(std::min<std::size_t>(2, bytes.size())));
    const core::Limits limits = smallLimits();
    const std::optional<core::MovingScene> scene = sceneOf(glb, original.keys, limits);
    if (!scene)
        return;
    const OptionValues options;
    core::Diagnostics diagnostics;
    Context context{options, limits, diagnostics, {}};
    EncodeSettings settings{.allChanged = wanted % 2 == 1, .allowLoss = wanted / 2 % 2 == 1};
    settings.search.append = wanted / 4 % 4 == 1;
    if (wanted / 4 % 4 == 2)
        settings.search.at = {wanted / 16 % 2U};
    EncodedAsset written;
    try {
        OriginalFile file(original.input, {}, context);
        written = encodeAsset(*scene, "fuzz.glb", file, settings, context);
    } catch (const core::DecodeError&) {
        return;
    }
    const std::string_view text(reinterpret_cast<const char*>(glb.data()), glb.size());  // NOLINT: text
    require(text.find(kUnknownExtension) == std::string_view::npos, "a scene that requires what nobody knows was read");
    Input again = original.input;
    again.file.bytes = written.bytes;
    // A file that can be written within the small limits may be too large to be read within them.
    const core::Limits usual;
    Context reading{options, usual, diagnostics, {}};
    requireScene(*scene, written, load(again, {}, reading));
}

void writeBack(core::Bytes bytes) {
    if (bytes.empty() || bytes.front() == '{' || gltf::isGlb(bytes))
        writeGltfBack(bytes);
    else
        writeEditsBack(bytes);
}

}  // namespace

std::vector<Target> wayBackTargets() { return {{"way-back", Mutation::json, writeBack}}; }

}  // namespace reanima::fuzz
