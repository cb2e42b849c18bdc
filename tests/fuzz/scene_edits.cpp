#include "fuzz/scene_edits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <glm/gtc/quaternion.hpp>
#include <nlohmann/json.hpp>

#include "gltf_export/glb_chunks.h"
#include "json/json.h"

namespace reanima::fuzz {

namespace {

constexpr std::array<const char*, 3> kPaths = {"translation", "rotation", "scale"};

class SceneEditor {
  public:
    SceneEditor(Json json, core::ByteVector keys, core::Bytes edits)
        : json_(std::move(json)), keys_(std::move(keys)), edits_(edits) {}

    core::ByteVector edited() {
        while (at_ < edits_.size() && !animations().empty())
            change();
        json_["buffers"][0] = {{"byteLength", keys_.size()}};  // in the .glb, without a file beside it
        return gltf::makeGlb(json_.dump(-1, ' ', false, Json::error_handler_t::replace), keys_);
    }

  private:
    std::uint8_t next() { return at_ < edits_.size() ? edits_[at_++] : std::uint8_t{0}; }
    Json& animations() { return json_["animations"]; }
    Json& anyClip() { return animations()[next() % animations().size()]; }
    std::size_t anyNode() { return next() % json_["nodes"].size(); }

    /// Usually realistic amounts, sometimes invalid ones.
    float amount() {
        constexpr float kHuge = 1e30F;
        constexpr std::array<float, 16> kAmounts = {0.001F, 0.01F, 0.05F, 0.2F, 0.35F, 0.7F, 1, 1.6F,
                                                    -0.02F, -0.1F, -0.5F, -1,   -3,    60,   0, 0};
        const std::uint8_t chosen = next();
        switch (chosen) {
            case 0xFF:
                return std::numeric_limits<float>::quiet_NaN();
            case 0xFE:
                return std::numeric_limits<float>::infinity();
            case 0xFD:
                return -kHuge;
            default:
                return kAmounts.at(chosen % kAmounts.size());
        }
    }

    void change() {
        switch (next() % 12) {
            case 0:
            case 1:
                return changeKeys();
            case 2:
                return retime();
            case 3:
                return standElsewhere();
            case 4:
                return rename();
            case 5:
                return changeStyle();
            case 6:
                return copyClip();
            case 7:
                return leaveOut();
            case 8:
                return addToFile();
            case 9:
                return setBits();
            case 10:
                return thinOut();
            default:
                return detach();
        }
    }

    // -- Keys ---------------------------------------------------------------------------------------------------------

    std::vector<float> floatsOf(const Json& index) {
        const Json& accessor = json_["accessors"][index.get<std::size_t>()];
        const Json& view = json_["bufferViews"][accessor["bufferView"].get<std::size_t>()];
        std::vector<float> values(accessor["count"].get<std::size_t>() * widthOf(accessor));
        std::memcpy(values.data(),
                    keys_.data() + view.value("byteOffset", std::size_t{0}) + accessor.value("byteOffset", 0U),
                    values.size() * sizeof(float));
        return values;
    }

    static std::size_t widthOf(const Json& accessor) {
        return accessor["type"] == "SCALAR" ? 1 : accessor["type"] == "VEC3" ? 3 : 4;
    }

    std::size_t add(const std::vector<float>& values, const char* type) {
        Json accessor = {{"bufferView", json_["bufferViews"].size()}, {"componentType", 5126}, {"type", type}};
        accessor["count"] = values.size() / widthOf(accessor);
        json_["bufferViews"].push_back(
            {{"buffer", 0}, {"byteOffset", keys_.size()}, {"byteLength", values.size() * sizeof(float)}});
        const std::size_t begin = keys_.size();
        keys_.resize(begin + values.size() * sizeof(float));
        std::memcpy(keys_.data() + begin, values.data(), values.size() * sizeof(float));
        json_["accessors"].push_back(std::move(accessor));
        return json_["accessors"].size() - 1;
    }

    /// An unshared copy of a property's sampler. If the property has none, one is made from the node's rest.
    Json& samplerOf(Json& clip, std::size_t node, const char* path) {
        Json& samplers = clip["samplers"];
        for (Json& channel : clip["channels"])
            if (channel["target"].value("node", json_["nodes"].size()) == node && channel["target"]["path"] == path) {
                samplers.push_back(Json(samplers[channel["sampler"].get<std::size_t>()]));
                channel["sampler"] = samplers.size() - 1;
                return samplers.back();
            }
        const std::size_t input = samplers.empty() ? add({0, 1}, "SCALAR") : samplers[0]["input"].get<std::size_t>();
        const std::string_view name(path);
        Json rest = name == "rotation" ? Json{0, 0, 0, 1} : name == "scale" ? Json{1, 1, 1} : Json{0, 0, 0};
        if (json_["nodes"][node].contains(path))
            rest = json_["nodes"][node][path];
        std::vector<float> values;
        for (std::size_t key = 0; key < json_["accessors"][input]["count"].get<std::size_t>(); ++key)
            for (const Json& value : rest)
                values.push_back(value.get<float>());
        clip["channels"].push_back({{"sampler", samplers.size()}, {"target", {{"node", node}, {"path", path}}}});
        samplers.push_back({{"input", input}, {"output", add(values, rest.size() == 4 ? "VEC4" : "VEC3")}});
        return samplers.back();
    }

    /// Rotates, moves or scales a node in some frames.
    void changeKeys() {
        Json& clip = anyClip();
        const std::size_t node = anyNode();
        const std::size_t path = next() % 8;  // scales are rare
        const char* name = kPaths.at(path < 2 ? 0 : path < 7 ? 1 : 2);
        Json& sampler = samplerOf(clip, node, name);
        std::vector<float> values = floatsOf(sampler["output"]);
        const std::size_t width = name == kPaths[1] ? 4 : 3;
        const std::size_t keys = values.size() / width;
        const std::size_t begin = keys == 0 ? 0 : next() % keys;
        const std::size_t end = std::min(keys, begin + 1 + next() % 8U);
        const std::size_t axis = next() % 3;
        const float by = amount();
        for (std::size_t key = begin; key < end; ++key) {
            float* value = &values[key * width];
            if (width == 4) {
                glm::vec3 about(0);
                about[static_cast<int>(axis)] = 1;
                const glm::quat turned = glm::quat(value[3], value[0], value[1], value[2]) * glm::angleAxis(by, about);
                value[0] = turned.x;
                value[1] = turned.y;
                value[2] = turned.z;
                value[3] = turned.w;
            } else
                value[axis] = name == kPaths[0] ? value[axis] + by : value[axis] * (1 + by);
        }
        sampler["output"] = add(values, width == 4 ? "VEC4" : "VEC3");
    }

    /// Seconds between two keys of a clip.
    float stepOf(const Json& clip) {
        for (const Json& sampler : clip["samplers"])
            if (const std::vector<float> times = floatsOf(sampler["input"]); times.size() > 1)
                return times[1] - times[0];
        return 0;
    }

    /// Changes the speed, delays, or adds a first frame: for one channel or the whole clip.
    void retime() {
        constexpr std::array<float, 8> kSpeeds = {1, 1, 1, 2, 0.5F, 1.25F, 0.8F, 3};
        Json& clip = anyClip();
        const float step = stepOf(clip);
        const float longer = 1 / kSpeeds.at(next() % kSpeeds.size());
        const float later = step * static_cast<float>(next() % 4U);
        const std::uint8_t how = next() % 4;
        for (Json& sampler : clip["samplers"]) {
            std::vector<float> times = floatsOf(sampler["input"]);
            std::vector<float> values = floatsOf(sampler["output"]);
            const std::size_t width = times.empty() ? 0 : values.size() / times.size();
            const bool rests = std::ranges::equal(values.begin(), values.end() - static_cast<std::ptrdiff_t>(width),
                                                  values.begin() + static_cast<std::ptrdiff_t>(width), values.end());
            if (how == 1 && rests)
                continue;
            for (float& time : times)
                time = time * longer + later;
            if (how == 2 && later > 0 && !times.empty()) {  // a still frame
                times.insert(times.begin(), 0);
                const std::vector<float> first(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(width));
                values.insert(values.begin(), first.begin(), first.end());
                sampler["output"] = add(values, typeOf(sampler["output"]).c_str());
            }
            sampler["input"] = add(times, "SCALAR");
        }
    }

    std::string typeOf(const Json& index) { return json_["accessors"][index.get<std::size_t>()]["type"]; }

    void changeStyle() {
        Json& clip = anyClip();
        if (clip["samplers"].empty())
            return;
        Json& sampler = clip["samplers"][next() % clip["samplers"].size()];
        constexpr std::array<const char*, 3> kStyles = {"STEP", "LINEAR", "CUBICSPLINE"};
        const char* style = kStyles.at(next() % kStyles.size());
        if (sampler.value("interpolation", "LINEAR") == "CUBICSPLINE")
            return;
        sampler["interpolation"] = style;
        if (style != kStyles[2])
            return;
        const std::string type = typeOf(sampler["output"]);
        const std::size_t width = type == "VEC4" ? 4 : 3;
        const std::vector<float> keys = floatsOf(sampler["output"]);
        std::vector<float> values;
        for (std::size_t key = 0; key < keys.size(); key += width) {
            values.resize(values.size() + width);
            values.insert(values.end(), &keys[key], &keys[key] + width);
            values.resize(values.size() + width);
        }
        sampler["output"] = add(values, type.c_str());
    }

    /// Removes every second key. Programs remove keys that are not needed.
    void thinOut() {
        Json& clip = anyClip();
        if (clip["samplers"].empty())
            return;
        Json& sampler = clip["samplers"][next() % clip["samplers"].size()];
        const std::vector<float> times = floatsOf(sampler["input"]);
        const std::vector<float> values = floatsOf(sampler["output"]);
        const std::size_t width = times.empty() ? 0 : values.size() / times.size();
        const std::size_t most = 2 + next() % 3U;
        std::vector<float> keptTimes;
        std::vector<float> keptValues;
        for (std::size_t key = 0; key < times.size(); key += most) {
            keptTimes.push_back(times[key]);
            keptValues.insert(keptValues.end(), &values[key * width], &values[key * width] + width);
        }
        sampler["input"] = add(keptTimes, "SCALAR");
        sampler["output"] = add(keptValues, typeOf(sampler["output"]).c_str());
    }

    /// Sets any number of the keys to any bits.
    void setBits() {
        std::array<std::uint8_t, sizeof(float)> bits{};
        const std::size_t at = (std::size_t{next()} << 8U | next()) % (keys_.size() / bits.size()) * bits.size();
        for (std::uint8_t& bit : bits)
            bit = next();
        std::ranges::copy(bits, keys_.begin() + static_cast<std::ptrdiff_t>(at));
    }

    // -- The scene ----------------------------------------------------------------------------------------------------

    /// Adds a node above the joints.
    void standElsewhere() {
        constexpr std::array<float, 8> kScales = {1, 1, 1, 1, 2.5F, 0.01F, -1, 0};
        const float turn = amount();
        Json& standing = json_["nodes"][0];
        if (!std::isfinite(turn))
            return;
        standing["translation"] = {turn, 0.5, -turn};
        standing["rotation"] = {0, std::sin(turn), 0, std::cos(turn)};
        const float scale = kScales.at(next() % kScales.size());
        standing["scale"] = {scale, std::abs(scale), std::abs(scale)};
    }

    void rename() {
        Json& named = next() % 2 == 0 ? anyClip() : json_["nodes"][anyNode()];
        switch (next() % 4) {
            case 0:
                named["name"] = named.value("name", "") + ".001";
                return;
            case 1:
                named["name"] = anyClip().value("name", "");
                return;
            case 2:
                named["name"] = "wave";
                return;
            default:
                named.erase("name");
        }
    }

    void copyClip() {
        constexpr std::size_t kMost = 6;
        if (animations().size() == kMost)
            return;
        Json copy = anyClip();
        const std::uint8_t how = next();
        if (how % 4 != 0)
            copy["name"] = how % 4 == 1 ? copy.value("name", "") + ".001" : "other";
        if (how / 4 % 2 == 0)
            copy.erase("extras");
        else if (how / 4 % 4 == 1 && copy.contains("extras"))
            copy["extras"]["source"] = "other";
        animations().push_back(std::move(copy));
    }

    void leaveOut() {
        const std::uint8_t what = next();
        Json& clip = anyClip();
        if (what % 4 == 0) {
            animations().erase(static_cast<std::size_t>(&clip - &animations()[0]));
            return;
        }
        if (!clip["channels"].empty())
            clip["channels"].erase(next() % clip["channels"].size());
    }

    void addToFile() {
        switch (next() % 4) {
            case 0:
                json_["extensionsRequired"].push_back(kUnknownExtension);
                return;
            case 1: {  // for extensions that readers skip
                Json& clip = anyClip();
                Json target = {{"path", "pointer"}};
                target["extensions"]["KHR_animation_pointer"]["pointer"] = "/nodes/1/rotation";
                if (!clip["samplers"].empty())
                    clip["channels"].push_back({{"sampler", 0}, {"target", std::move(target)}});
                return;
            }
            case 2:
                json_["nodes"].push_back({{"name", "own"}});
                json_["nodes"][anyNode()]["children"].push_back(json_["nodes"].size() - 1);
                return;
            default:
                for (Json& scene : json_["scenes"])
                    scene.erase("extras");
        }
    }

    /// Moves a node from its parent to the top of the scene.
    void detach() {
        const std::size_t node = anyNode();
        for (Json& parent : json_["nodes"])
            if (parent.contains("children"))
                for (std::size_t child = 0; child < parent["children"].size(); ++child)
                    if (parent["children"][child] == node) {
                        parent["children"].erase(child);
                        json_["scenes"][0]["nodes"].push_back(node);
                        return;
                    }
    }

    Json json_;
    core::ByteVector keys_;
    core::Bytes edits_;
    std::size_t at_ = 0;
};

}  // namespace

core::ByteVector editedGlb(const std::string& json, const core::ByteVector& keys, core::Bytes edits) {
    return SceneEditor(Json::parse(json), keys, edits).edited();
}

}  // namespace reanima::fuzz
