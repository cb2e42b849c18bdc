// A file is decoded once for any number of queries. Decoders are counted when they start.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/decode_watch.h"
#include "core/similarity.h"
#include "formats/common_options.h"
#include "formats/dump.h"
#include "formats/load.h"
#include "formats/open_file.h"
#include "formats/retime.h"
#include "pipeline/encode_asset.h"
#include "support/bytes.h"

namespace reanima {
namespace {

namespace fs = std::filesystem;

/// How often each file is decoded, by its kind and its bytes.
thread_local std::map<std::pair<std::string, core::ByteVector>, int> decodings;

class DecodedOnce : public testing::Test {
  protected:
    DecodedOnce() {
        decodings.clear();
        core::decodeWatch = [](std::string_view what, core::Bytes bytes) {
            ++decodings[{std::string(what), core::copyOf(bytes)}];
        };
    }
    ~DecodedOnce() override { core::decodeWatch = nullptr; }

    /// The number of files in the same folder of the samples with these bytes.
    static int copies(const core::ByteVector& bytes) {
        static const std::map<core::ByteVector, int> kFiles = [] {
            std::map<core::ByteVector, int> files;
            for (const auto& entry : fs::directory_iterator(test::sourceFolder() / "samples/ff7"))
                if (entry.is_regular_file())
                    ++files[test::readBytes(entry.path())];
            return files;
        }();
        const auto found = kFiles.find(bytes);
        return found == kFiles.end() ? 1 : found->second;
    }

    /// @return the kinds of files that were decoded more than once since the last call. Equal files, such as a left and
    /// a right arm, are decoded once each. Materials are not checked: their owners are read before their content.
    static std::set<std::string> again() {
        std::set<std::string> kinds;
        for (const auto& [file, times] : std::exchange(decodings, {}))
            if (times > std::max(1, copies(file.second)) && file.first != "ff9 materials")
                kinds.insert(fmt::format("{} of {} bytes, {} times", file.first, file.second.size(), times));
        return kinds;
    }
};

/// The samples that a format claims, in the form of the command's inputs.
std::vector<Input> samples() {
    std::vector<Input> inputs;
    for (const char* game : {"ff7", "ff8", "ff9", "metroid", "rlf"})
        for (const auto& entry : fs::directory_iterator(test::sourceFolder() / "samples" / game)) {
            Input input = entry.is_regular_file() ? test::inputFrom(entry.path()) : Input();
            input.format = input.file.bytes.empty() ? nullptr : findFormat(input);
            if (input.format != nullptr)
                inputs.push_back(std::move(input));
        }
    return inputs;
}

template <typename T>
core::NodeChannel<T> channelOf(const core::Clip& clip, const core::Channel<T>& channel) {
    core::NodeChannel<T> keys;
    keys.values = channel.values;
    if (channel.isAnimated())
        keys.times = clip.timelines[channel.timeline];
    else if (channel.isPresent()) {
        keys.values.push_back(keys.values.front());
        keys.times = {0, static_cast<float>(std::max(clip.duration, 1e-3))};
    }
    return keys;
}

/// An asset as edited by another program: one joint is rotated in the last frame of the first clip.
core::MovingScene editedSceneOf(const core::Asset& asset) {
    core::MovingScene moving;
    for (const core::Joint& joint : asset.skeleton->joints) {
        core::SceneNode& node = moving.scene.nodes.emplace_back();
        node.name = joint.name;
        node.parent = joint.parent;
        node.local = core::matrixOf(joint.rest);
        node.parts = joint.rest;
    }
    for (const core::Clip& clip : asset.clips) {
        core::SceneMotion& motion = moving.motions.emplace_back();
        motion.name = clip.name;
        motion.rate = clip.rate;
        for (const core::JointTrack& track : clip.tracks)
            motion.tracks.push_back({track.joint, channelOf(clip, track.translation), channelOf(clip, track.rotation),
                                     channelOf(clip, track.scale)});
    }
    for (core::NodeTrack& track : moving.motions.front().tracks)
        if (track.rotation.isPresent() && track.rotation.times.size() > 2) {
            track.rotation.values.back() *= glm::angleAxis(0.3F, glm::vec3(1, 0, 0));
            break;
        }
    return moving;
}

TEST_F(DecodedOnce, ByLoadingAndByDumping) {
    const std::vector<Input> inputs = samples();
    EXPECT_GT(inputs.size(), 50U);
    for (const Input& input : inputs) {
        SCOPED_TRACE(input.file.name);
        (void)again();
        test::Surroundings s;
        if (input.format->traits.isConverted) {
            (void)load(input, {}, s.context);
            EXPECT_FALSE(decodings.empty());
            EXPECT_EQ(again(), std::set<std::string>());
        }
        (void)dump(input, {}, s.context);
        EXPECT_FALSE(decodings.empty());
        EXPECT_EQ(again(), std::set<std::string>());
    }
}

TEST_F(DecodedOnce, ByAllThatIsAsked) {
    for (const Input& input : samples()) {
        if (!input.format->traits.isConverted)
            continue;
        SCOPED_TRACE(input.file.name);
        (void)again();
        test::Surroundings s;
        OpenFile file(input, {}, s.context);
        (void)file.models();
        (void)file.called();
        (void)file.load(s.diagnostics);
        if (input.format->traits.isWrittenFromPoses)
            (void)file.steps();
        if (input.format->traits.isRetimed) {
            EXPECT_GT(file.retimed({}).animations, 0U);
        }
        EXPECT_EQ(again(), std::set<std::string>());
    }
}

TEST_F(DecodedOnce, ByWritingEdits) {
    std::size_t written = 0;
    for (const Input& input : samples()) {
        if (!input.format->traits.isWrittenFromPoses)
            continue;
        SCOPED_TRACE(input.file.name);
        test::Surroundings s;
        core::Asset asset = loadWithRest(input, {}, s.context);
        if (!asset.models.empty())
            s.options.set(kModelOption.key, asset.model);
        const core::MovingScene scene = editedSceneOf(asset);
        (void)again();
        EncodeSettings settings;
        settings.allowLoss = true;
        settings.allChanged = true;
        OriginalFile original(input, {}, s.context);
        const EncodedAsset encoded = encodeAsset(scene, "edited.glb", original, settings, s.context);
        if (encoded.bytes == input.file.bytes)
            continue;
        ++written;
        // Of a container, only the layout of the edited animation is read.
        const bool holdsMany = input.format->traits.holdsModels;
        EXPECT_EQ(again().size(), holdsMany ? 1U : 0U);
    }
    EXPECT_GE(written, 6U);
}

TEST_F(DecodedOnce, IsCounted) {  // otherwise the other tests would prove nothing
    const Input input = test::inputFrom(test::sourceFolder() / "samples/ff7/hrda");
    test::Surroundings s;
    (void)load(input, {}, s.context);
    (void)load(input, {}, s.context);
    EXPECT_TRUE(std::ranges::any_of(again(), [](const std::string& file) { return file.starts_with("ff7 battle"); }));
}

TEST(Opened, RefusesWhatItsFormatCannot) {
    const Input input = test::inputFrom(test::sourceFolder() / "samples/ff7/hrda");
    const Companions none;
    test::Surroundings s;
    Opened opened(input, none, s.context);
    const auto problemOf = [](const auto& ask) {
        try {
            (void)ask();
            return std::string();
        } catch (const core::DecodeError& error) {
            return error.problem();
        }
    };
    constexpr std::string_view kRefusal = "has a format that does not support this operation";
    EXPECT_EQ(problemOf([&] { return opened.asset({}, s.diagnostics); }), kRefusal);
    EXPECT_EQ(problemOf([&] { return opened.dump(); }), kRefusal);
    EXPECT_EQ(problemOf([&] { return opened.steps(); }), kRefusal);
    EXPECT_EQ(problemOf([&] { return opened.written({}, {}, s.diagnostics); }), kRefusal);
    EXPECT_EQ(problemOf([&] { return opened.retimed({}); }), kRefusal);
}

}  // namespace
}  // namespace reanima
