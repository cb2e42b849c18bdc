#include "gltf_export/gltf_motion.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/memory.h"
#include "core/text.h"
#include "gltf_export/clip_extras.h"
#include "gltf_export/gltf_document.h"
#include "gltf_export/gltf_scene.h"
#include "gltf_export/vrm_roles.h"

namespace reanima::gltf {

using core::DecodeError;
using core::KeyStyle;
using core::NodeChannel;

namespace {

KeyStyle styleOf(const Field& sampler) {
    const std::string_view way = sampler.has("interpolation") ? sampler.at("interpolation").text() : "LINEAR";
    if (way == "LINEAR")
        return KeyStyle::linear;
    if (way == "STEP")
        return KeyStyle::step;
    if (way != "CUBICSPLINE")
        sampler.at("interpolation").fail("\"LINEAR\", \"STEP\" or \"CUBICSPLINE\"");
    return KeyStyle::cubic;
}

/// Reads the channels of one animation.
class MotionReader {
  public:
    MotionReader(Document& document, core::Scene& scene, core::MemoryCount& memory, core::Diagnostics& diagnostics)
        : document_(document), scene_(scene), memory_(memory), diagnostics_(diagnostics) {}

    core::SceneMotion read(const Field& animation) {
        motion_.name = animation.textOrNone("name");
        const Field samplers = animation.at("samplers");
        for (const Field& channel : animation.list("channels")) {
            const std::optional<ChannelTarget> target = targetOf(channel, scene_.nodes.size());
            if (target && (target->path == "translation" || target->path == "rotation" || target->path == "scale"))
                readTrack(samplers.at(channel.at("sampler").index(samplers.size())), channel, *target);
            else if (target && target->isPointer)
                diagnostics_.warn(
                    core::Code::ignored, channel.at("target").place(),
                    fmt::format("animates {} of \"{}\", which is not supported; the value of the node is used",
                                target->path, scene_.nodes[target->node].name));
            else if (target && target->path != "weights")
                channel.at("target").at("path").fail("\"translation\", \"rotation\", \"scale\" or \"weights\"");
            else
                ++others_;
        }
        motion_.stated = statedClipOf(animation, motion_.end());
        if (motion_.stated)
            motion_.rate = motion_.stated->rate;
        return std::move(motion_);
    }

    /// The number of channels that move no node and were left out.
    [[nodiscard]] std::size_t others() const { return others_; }

  private:
    void readTrack(const Field& sampler, const Field& channel, const ChannelTarget& target) {
        core::NodeTrack& track = trackOf(target.node);
        if (target.path == "translation")
            readChannel(sampler, channel, "VEC3", track.translation);
        else if (target.path == "rotation")
            readChannel(sampler, channel, "VEC4", track.rotation);
        else
            readChannel(sampler, channel, "VEC3", track.scale);
    }

    core::NodeTrack& trackOf(std::uint32_t node) {
        const auto [place, isNew] = places_.try_emplace(node, motion_.tracks.size());
        if (isNew)
            motion_.tracks.push_back({node, {}, {}, {}});
        return motion_.tracks[place->second];
    }

    template <typename T>
    void readChannel(const Field& sampler, const Field& channel, std::string_view type, NodeChannel<T>& keys) {
        if (keys.isPresent())
            channel.at("target").fail("a property that no earlier channel animates");
        keys.style = styleOf(sampler);
        keys.times = timesOf(sampler.at("input"));
        const std::vector<float> numbers = plainNumbers(sampler.at("output"), type);
        const std::size_t components = static_cast<std::size_t>(T::length());
        const std::size_t values = keys.times.size() * (keys.style == KeyStyle::cubic ? 3 : 1);
        if (numbers.size() != values * components)
            throw DecodeError(sampler.at("output").place(),
                              fmt::format("has {} elements, expected {}", numbers.size() / components, values));
        memory_.add((keys.times.size() + numbers.size()) * sizeof(float));
        if (const auto odd = std::ranges::find_if_not(numbers, [](float number) { return std::isfinite(number); });
            odd != numbers.end())
            throw DecodeError(
                sampler.at("output").place(),
                fmt::format("element {} is not finite", static_cast<std::size_t>(odd - numbers.begin()) / components));
        keys.values.resize(values);
        auto number = numbers.begin();
        for (T& value : keys.values)
            for (int component = 0; component < T::length(); ++component)
                value[component] = *number++;
        if constexpr (std::is_same_v<T, glm::quat>)
            makeUnit(keys, sampler.at("output"));
    }

    /// The numbers of an accessor that is not compressed.
    std::vector<float> plainNumbers(const Field& accessor, std::string_view type) {
        if (const std::string_view extension = document_.compressionOf(accessor); !extension.empty())
            throw DecodeError(accessor.place(),
                              fmt::format("is compressed ({}), expected plain or sparse keys", extension));
        return document_.numbers(accessor, type);
    }

    /// Most channels of an animation share key times, so the times of the previous channel are reused.
    const std::vector<float>& timesOf(const Field& input) {
        if (const std::uint64_t accessor = input.whole(); accessor != timesAccessor_) {
            times_ = readTimes(input);
            timesAccessor_ = accessor;
        }
        return times_;
    }

    std::vector<float> readTimes(const Field& input) {
        std::vector<float> times = plainNumbers(input, "SCALAR");
        if (times.empty())
            throw DecodeError(input.place(), "has no keys");
        for (std::size_t i = 0; i < times.size(); ++i)
            if (!std::isfinite(times[i]) || (i > 0 && !(times[i] > times[i - 1])))
                throw DecodeError(input.place(), fmt::format("key {} is at {} s, expected rising times", i, times[i]));
        return times;
    }

    static void makeUnit(NodeChannel<glm::quat>& keys, const Field& output) {
        const bool isCubic = keys.style == KeyStyle::cubic;
        for (std::size_t i = isCubic ? 1 : 0; i < keys.values.size(); i += isCubic ? 3 : 1) {
            const float length = glm::length(keys.values[i]);
            constexpr float kShortest = 1e-3F;
            if (!(length > kShortest) || !std::isfinite(length))
                throw DecodeError(output.place(), fmt::format("element {} has the length {}, expected 1", i, length));
            if (!isCubic)
                keys.values[i] /= length;
        }
    }

    Document& document_;
    core::Scene& scene_;
    core::MemoryCount& memory_;
    core::Diagnostics& diagnostics_;
    core::SceneMotion motion_;
    std::size_t others_ = 0;                       // channels that move no node
    std::map<std::uint32_t, std::size_t> places_;  // index of a node's track
    std::optional<std::uint64_t> timesAccessor_;
    std::vector<float> times_;  // key times of the last channel
};

}  // namespace

core::MovingScene readMotion(const GltfInput& input, const core::Limits& limits, core::Diagnostics& diagnostics) {
    const auto about = diagnostics.about(input.name);
    return core::inFile(input.name, [&] {
        Document document(input, limits);
        constexpr std::uint64_t kBytesANode = 3 * sizeof(core::SceneNode);  // including names and field paths
        if (const std::optional<Field> nodes = document.root().find("nodes"))
            core::requireMemory(document.memory() + nodes->size() * kBytesANode, limits, nodes->place());
        core::MovingScene moving;
        moving.scene = readScene(document, std::string(core::stemOf(core::fileNameOf(input.name))), diagnostics);
        std::vector<std::uint32_t> all(moving.scene.nodes.size());
        std::iota(all.begin(), all.end(), 0U);
        moving.roles = vrmRoles(document, all);
        moving.sources = clipSourcesOf(document.root());
        core::MemoryCount memory(limits, "the animations");
        memory.add(document.memory());
        std::size_t others = 0;
        for (const Field& animation : document.root().list("animations")) {
            MotionReader reader(document, moving.scene, memory, diagnostics);
            moving.motions.push_back(reader.read(animation));
            others += reader.others();
        }
        if (others > 0)
            diagnostics.note(
                core::Code::ignored, {"animations", std::nullopt},
                others == 1
                    ? std::string("1 channel is left out, because it animates morph weights or has no node")
                    : fmt::format("{} channels are left out, because they animate morph weights or have no node",
                                  others));
        return moving;
    });
}

core::MovingScene readMotionFile(const core::File& file, const core::Siblings& beside, const core::Limits& limits,
                                 core::Diagnostics& diagnostics) {
    return readMotion({file.bytes, file.path.empty() ? file.name : file.path, beside}, limits, diagnostics);
}

}  // namespace reanima::gltf
