#include "pipeline/memoria_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <glm/vector_relational.hpp>
#include <nlohmann/json.hpp>

#include "core/byte_reader.h"
#include "core/memory.h"
#include "core/pose.h"
#include "core/text.h"
#include "formats/foreign_files.h"
#include "json/json.h"

namespace reanima {

namespace {

using core::DecodeError;

constexpr float kMetresAUnit = 1.0F / 256;
constexpr float kAssumedLength = 50;  // units, for a bone without a position
constexpr double kEngineRate = 30;    // for a file without a rate

// Within these limits all interpolated values are finite.
constexpr float kLargestValue = 1e9F;  // for values, and for finite tangents
constexpr float kLargestTime = 1e6F;   // seconds: 11 days

enum Property : std::size_t { kRotation, kTranslation, kScaling, kProperties };

struct PropertyName {
    const char* text;    ///< name in the JSON text
    const char* binary;  ///< name of the binary block, in messages
    std::size_t components;
};
constexpr std::array<PropertyName, kProperties> kNames = {
    {{"localRotation", "rotations", 4}, {"localPosition", "positions", 3}, {"localScale", "scales", 3}}};

struct CurveKey {
    float time = 0;
    float value = 0;
    float arriving = 0;  ///< tangent per second; infinite: the previous value is held
    float leaving = 0;
};
/// Keys of one component.
using Curve = std::vector<CurveKey>;
using Curves = std::array<Curve, 4>;

/// The values of all components at one time.
struct MergedKey {
    float time = 0;
    bool isStored = false;  ///< some component has a key at this time
    std::array<float, 4> value{};
};

bool isHeld(const CurveKey& from, const CurveKey& to) { return std::isinf(from.leaving) || std::isinf(to.arriving); }

/// Sorts keys. Of several keys at one time the last one remains.
void tidy(Curve& curve) {
    std::ranges::stable_sort(curve, {}, &CurveKey::time);
    std::size_t kept = 0;
    for (const CurveKey& key : curve) {
        if (kept > 0 && curve[kept - 1].time == key.time)
            --kept;
        curve[kept++] = key;
    }
    curve.resize(kept);
}

/// The value of a curve at a time.
/// @param next the first key after it
float valueAt(const Curve& curve, std::size_t next, float time) {
    if (next == 0 || next == curve.size())
        return next == 0 ? curve.front().value : curve.back().value;
    const CurveKey& from = curve[next - 1];
    const CurveKey& to = curve[next];
    if (from.time == time || isHeld(from, to))
        return from.value;
    const double length = static_cast<double>(to.time) - static_cast<double>(from.time);
    const double share = (static_cast<double>(time) - static_cast<double>(from.time)) / length;
    const double square = share * share;
    const double cube = square * share;
    return static_cast<float>(static_cast<double>(from.value) * (2 * cube - 3 * square + 1) +
                              static_cast<double>(from.leaving) * length * (cube - 2 * square + share) +
                              static_cast<double>(to.value) * (3 * square - 2 * cube) +
                              static_cast<double>(to.arriving) * length * (cube - square));
}

/// The times at which any component has a key, and the time just before the end of a held value.
std::vector<float> timesOf(const Curves& curves) {
    std::vector<float> times;
    for (const Curve& curve : curves)
        for (std::size_t i = 0; i < curve.size(); ++i) {
            times.push_back(curve[i].time);
            if (i > 0 && isHeld(curve[i - 1], curve[i]))
                times.push_back(std::nextafter(curve[i].time, curve[i - 1].time));
        }
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

/// True if all components ease in and out between the same keys.
bool areEased(const Curves& curves, std::size_t keys) {
    return std::ranges::all_of(curves, [keys](const Curve& curve) {
        return curve.empty() || (curve.size() == keys && std::ranges::all_of(curve, [](const CurveKey& key) {
                                     return key.arriving == 0 && key.leaving == 0;
                                 }));
    });
}

float dot(const std::array<float, 4>& a, const std::array<float, 4>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/// The values of all components at the times of keys, and between keys at most 1/60 s apart, so that linear
/// interpolation looks the same. Half-way, ease-in-out over 1/30 s is at its mean, like a straight line.
class MergedCurves {
  public:
    /// @param otherwise default values, for components without keys
    MergedCurves(const Curves& curves, std::size_t property, const std::array<float, 4>& otherwise,
                 core::SampleBudget& budget)
        : curves_(curves), otherwise_(otherwise) {
        constexpr double kMostApart = 1.0 / 60;
        constexpr float kEased = 2.0F / 60 + 1e-5F;
        const std::vector<float> times = timesOf(curves);
        const bool isEased = areEased(curves, times.size());
        for (const float time : times) {
            const MergedKey key{time, true, valuesAt(time)};
            if (!keys_.empty()) {
                const MergedKey before = keys_.back();
                const bool isStraight = isEased && time - before.time <= kEased &&
                                        (property != kRotation || dot(key.value, before.value) >= 0);
                const bool isStill = isEased && key.value == before.value;
                const double length = static_cast<double>(time) - static_cast<double>(before.time);
                const auto steps = static_cast<std::uint64_t>(
                    isStraight || isStill ? 1 : std::max(1.0, std::ceil(length / kMostApart - 1e-3)));
                budget.take(steps * curves.size(), {"transform", std::nullopt});
                addBetween(before.time, length, steps);
            }
            keys_.push_back(key);
        }
    }

    [[nodiscard]] const std::vector<MergedKey>& keys() const { return keys_; }

  private:
    void addBetween(float begin, double length, std::uint64_t steps) {
        for (std::uint64_t step = 1; step < steps; ++step) {
            const auto time = static_cast<float>(static_cast<double>(begin) +
                                                 length * static_cast<double>(step) / static_cast<double>(steps));
            if (time > keys_.back().time)
                keys_.push_back({time, false, valuesAt(time)});
        }
    }

    /// Call it with ascending times.
    std::array<float, 4> valuesAt(float time) {
        std::array<float, 4> values = otherwise_;
        for (std::size_t i = 0; i < curves_.size(); ++i) {
            const Curve& curve = curves_[i];
            std::size_t next = next_[i];
            while (next < curve.size() && curve[next].time <= time)
                ++next;
            if (!curve.empty())
                values[i] = valueAt(curve, next, time);
            if (next > 0)
                next_[i] = next - 1;
        }
        return values;
    }

    const Curves& curves_;
    std::array<float, 4> otherwise_;
    std::array<std::size_t, 4> next_{};
    std::vector<MergedKey> keys_;
};

template <typename T>
T valueFrom(const std::array<float, 4>& v) {
    if constexpr (std::is_same_v<T, glm::quat>)
        return {v[3], v[0], v[1], v[2]};
    else
        return {v[0], v[1], v[2]};
}

/// Collects the bones and their curves while a file is read.
class MemoriaBones {
  public:
    MemoriaBones(const std::string& name, const core::Limits& limits, core::Diagnostics& diagnostics)
        : diagnostics_(diagnostics), memory_(limits, "the motion"), budget_(limits) {
        moving_.scene.name = name;
        moving_.motions.emplace_back().name = name;
    }

    [[nodiscard]] const core::MemoryCount& memory() const { return memory_; }

    /// The rate only helps to place keys. An invalid one is ignored.
    void setRate(float rate) {
        constexpr float kLargest = 1e5F;
        moving_.motions.front().rate = rate > 0 && rate < kLargest ? static_cast<double>(rate) : 0;
    }

    void addKey(Curve& curve, const CurveKey& key) {
        constexpr std::uint64_t kAsItGrows = 2;
        memory_.add(kAsItGrows * sizeof(CurveKey));
        curve.push_back(key);
    }

    /// Adds the curves of a property. They replace earlier ones.
    void take(Curves curves, std::size_t node, std::size_t property, const std::string& field) {
        for (std::size_t i = 0; i < curves.size(); ++i)
            if (!curves[i].empty()) {
                tidy(curves[i]);
                bones_[node].curves[property][i] = std::move(curves[i]);
                bones_[node].fields[property] = field;
            }
    }

    /// The node of a path. The empty path is the object, the parent of all other nodes.
    std::size_t nodeOf(std::string_view path, const std::string& field) {
        if (path.empty()) {
            if (!object_)
                object_ = addNode(core::kNoParent, moving_.scene.name, field);
            return *object_;
        }
        int parent = core::kNoParent;
        while (true) {
            const std::size_t end = std::min(path.find('/'), path.size());
            const std::pair<int, std::string> key(parent, path.substr(0, end));
            auto found = known_.find(key);
            if (found == known_.end())
                found = known_.emplace(key, addNode(parent, key.second, field)).first;
            if (end == path.size())
                return found->second;
            parent = static_cast<int>(found->second);
            path.remove_prefix(end + 1);
        }
    }

    /// @throws DecodeError if there are no keys
    core::MovingScene finish() {
        core::SceneMotion& motion = moving_.motions.front();
        std::size_t assumed = 0;
        for (std::size_t i = 0; i < bones_.size(); ++i) {
            core::SceneNode& node = moving_.scene.nodes[i];
            core::NodeTrack track{static_cast<std::uint32_t>(i), {}, {}, {}};
            track.rotation = channelOf<glm::quat>(bones_[i], kRotation, {0, 0, 0, 1});
            track.translation = channelOf<glm::vec3>(bones_[i], kTranslation, {0, 0, 0, 0});
            track.scale = channelOf<glm::vec3>(bones_[i], kScaling, {1, 1, 1, 0});
            for (glm::vec3& place : track.translation.values)
                place *= -kMetresAUnit;
            if (track.translation.isPresent()) {
                node.parts->translation = track.translation.values.front();
            } else if (node.parent != core::kNoParent) {
                node.parts->translation.z = -kMetresAUnit * kAssumedLength;
                ++assumed;
            }
            if (track.rotation.isPresent())
                node.parts->rotation = track.rotation.values.front();
            // Modders make bodies with Y up. A scale of -1 converts them to the game's space.
            if (track.scale.isPresent() && glm::all(glm::lessThan(track.scale.values.front(), glm::vec3(0))))
                node.parts->scale = track.scale.values.front();
            node.local = core::matrixOf(*node.parts);
            node.isAnimated = track.rotation.isPresent() || track.translation.isPresent() || track.scale.isPresent();
            if (node.isAnimated)
                motion.tracks.push_back(std::move(track));
            if (object_ && i != *object_ && node.parent == core::kNoParent)
                node.parent = static_cast<int>(*object_);
            bones_[i].curves = {};
        }
        if (motion.tracks.empty())
            throw DecodeError({"transform", std::nullopt}, "contains no keys for any bone");
        if (assumed > 0)
            diagnostics_.warn(
                core::Code::assumed, {"transform", std::nullopt},
                fmt::format("{} bones have no localPosition, so each is placed {} units along its parent's Z axis",
                            assumed, kAssumedLength));
        moving_.scene.fieldOf = [bones = std::move(bones_)](std::uint32_t node) { return bones[node].field; };
        moving_.scene.clips.push_back({motion.name, motion.end()});
        return std::move(moving_);
    }

  private:
    struct Bone {
        std::array<Curves, kProperties> curves{};
        std::array<std::string, kProperties> fields{};  ///< places of the curves in the file
        std::string field;
    };

    std::size_t addNode(int parent, const std::string& name, const std::string& field) {
        constexpr std::uint64_t kCopiesOfNames = 10;  // in the scene, the rig, the skeleton, the output and its text
        memory_.add(3 * sizeof(core::SceneNode) + 2 * sizeof(Bone) + kCopiesOfNames * (name.size() + field.size()));
        core::SceneNode& node = moving_.scene.nodes.emplace_back();
        node.name = core::validUtf8(name);
        node.parent = parent;
        node.parts.emplace();
        bones_.emplace_back().field = field;
        return bones_.size() - 1;
    }

    template <typename T>
    core::NodeChannel<T> channelOf(const Bone& bone, std::size_t property, const std::array<float, 4>& otherwise) {
        const Curves& curves = bone.curves[property];
        const MergedCurves merged(curves, property, otherwise, budget_);
        memory_.add(merged.keys().size() * (sizeof(MergedKey) + sizeof(float) + sizeof(T)));
        core::NodeChannel<T> channel;
        for (const MergedKey& key : merged.keys()) {
            channel.times.push_back(onFrame(key.time));
            T value = valueFrom<T>(key.value);
            if constexpr (std::is_same_v<T, glm::quat>) {
                constexpr float kShortest = 1e-3F;
                const float length = glm::length(value);
                if (key.isStored && !(length > kShortest))
                    throw DecodeError(
                        {bone.fields[property], std::nullopt},
                        fmt::format("the rotation at {} s has the length {}, expected 1", key.time, length));
                // The midpoint of a rotation and its negative is zero.
                value = length > kShortest ? value / length : channel.values.back();
            }
            channel.values.push_back(value);
        }
        if (!std::ranges::is_sorted(channel.times, std::less_equal<>()))
            for (std::size_t i = 0; i < channel.times.size(); ++i)
                channel.times[i] = merged.keys()[i].time;
        return channel;
    }

    /// In texts, seconds are rounded to six digits: 0.033333 is the first frame at 30 per second.
    [[nodiscard]] float onFrame(float time) const {
        constexpr double kRounding = 1e-6;
        constexpr double kShareOfFrame = 0.01;
        const double rate = moving_.motions.front().rate;
        const double tolerance = kRounding * std::max(1.0, std::abs(static_cast<double>(time)));
        if (!(rate > 0 && tolerance * rate < kShareOfFrame))
            return time;
        const double frame = std::round(static_cast<double>(time) * rate);
        return std::abs(frame / rate - static_cast<double>(time)) <= tolerance ? core::frameTime(frame, rate) : time;
    }

    core::Diagnostics& diagnostics_;
    core::MemoryCount memory_;
    core::SampleBudget budget_;
    core::MovingScene moving_;
    std::vector<Bone> bones_;  // per node
    std::map<std::pair<int, std::string>, std::size_t> known_;
    std::optional<std::size_t> object_;
};

/// Reads the JSON text.
class MemoriaText {
  public:
    explicit MemoriaText(MemoriaBones& bones) : bones_(bones) {}

    void read(core::Bytes bytes) {
        constexpr std::uint64_t kMemoryAByte = 24;  // for the shortest possible values
        bones_.memory().require(kMemoryAByte * bytes.size());
        const Json json = parseJson(bytes);
        const JsonReader root(json);
        const auto rate = root.find("frameRate");
        bones_.setRate(rate ? single(*rate, kLargestValue) : static_cast<float>(kEngineRate));
        if (!root.contains("transform"))
            return;
        const JsonReader list = root.at("transform");
        for (std::size_t i = 0; i < list.size(); ++i) {
            const JsonReader bone = list.at(i);
            if (!bone.contains("bone"))
                continue;
            const std::size_t node = bones_.nodeOf(bone.at("bone").text(), bone.place().field);
            for (std::size_t property = 0; property < kProperties; ++property)
                if (const auto keys = bone.find(kNames[property].text))
                    readKeys(*keys, node, property);
        }
    }

  private:
    void readKeys(const JsonReader& keys, std::size_t node, std::size_t property) {
        constexpr std::array<std::string_view, 4> kLetters = {"x", "y", "z", "w"};
        Curves curves;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const JsonReader key = keys.at(i);
            const auto time = key.find("time");
            if (!time)
                continue;
            const float seconds = single(*time, kLargestTime);
            for (std::size_t component = 0; component < kNames[property].components; ++component)
                if (const auto value = key.find(kLetters[component]))
                    bones_.addKey(curves[component], {seconds, single(*value, kLargestValue), 0, 0});
        }
        bones_.take(std::move(curves), node, property, keys.place().field);
    }

    /// Like the engine, also accepts numbers in quotes.
    static float single(const JsonReader& json, float largest) {
        double value = 0;
        if (json.isText()) {
            const std::string_view text = json.text();
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            if (error != std::errc() || end != text.data() + text.size())
                json.fail("a number");
        } else {
            value = json.number();
        }
        if (!(std::abs(value) <= static_cast<double>(largest)))
            json.fail(fmt::format("a number from {} to {}", -largest, largest));
        return static_cast<float>(value);
    }

    MemoriaBones& bones_;
};

/// Reads the binary form.
class MemoriaBinary {
  public:
    explicit MemoriaBinary(MemoriaBones& bones) : bones_(bones) {}

    void read(core::Bytes bytes) {
        core::LittleEndianReader reader(bytes);
        (void)textFrom(reader, "name");
        (void)reader.read<std::uint16_t>("unknown_1");
        (void)reader.read<std::uint16_t>("unknown_2");
        readBlock(reader, kRotation);
        (void)reader.read<std::uint32_t>("unknown_3");
        readBlock(reader, kTranslation);
        readBlock(reader, kScaling);
        (void)reader.read<std::uint32_t>("unknown_4");
        (void)reader.read<std::uint32_t>("unknown_5");
        bones_.setRate(reader.read<float>("frame_rate"));
    }

  private:
    static std::string textFrom(core::LittleEndianReader& reader, const std::string& field) {
        constexpr std::uint32_t kStep = 4;
        const auto size = reader.read<std::uint32_t>(field + "_length");
        const core::Bytes text = reader.bytes(size, field);
        (void)reader.bytes((kStep - size % kStep) % kStep, field);
        return core::validUtf8({reinterpret_cast<const char*>(text.data()), text.size()});  // NOLINT: text is bytes
    }

    void readBlock(core::LittleEndianReader& reader, std::size_t property) {
        const std::string block = kNames[property].binary;
        const auto bones = reader.read<std::uint32_t>(block);
        for (std::uint32_t bone = 0; bone < bones; ++bone) {
            const std::string field = fmt::format("{}[{}]", block, bone);
            Curves curves = readStoredKeys(reader, property, field + ".keys");
            (void)reader.read<std::uint32_t>(field + ".unknown_1");
            (void)reader.read<std::uint32_t>(field + ".unknown_2");
            const std::string path = textFrom(reader, field + ".bone");
            bones_.take(std::move(curves), bones_.nodeOf(path, field), property, field);
        }
    }

    Curves readStoredKeys(core::LittleEndianReader& reader, std::size_t property, const std::string& field) {
        const std::size_t components = kNames[property].components;
        const auto count = reader.read<std::uint32_t>(field);
        const std::uint64_t offset = reader.offset();
        core::LittleEndianReader keys(reader.bytes(std::uint64_t{count} * (1 + 3 * components) * sizeof(float), field),
                                      field, offset);
        Curves curves;
        for (std::uint32_t i = 0; i < count; ++i) {
            const float time = number(keys, "time", kLargestTime);
            std::array<CurveKey, 4> row{};
            for (std::size_t component = 0; component < components; ++component)
                row[component] = {time, number(keys, "value", kLargestValue), 0, 0};
            for (std::size_t component = 0; component < components; ++component)
                row[component].arriving = tangent(keys);
            for (std::size_t component = 0; component < components; ++component)
                row[component].leaving = tangent(keys);
            for (std::size_t component = 0; component < components; ++component)
                bones_.addKey(curves[component], row[component]);
        }
        return curves;
    }

    static float number(core::LittleEndianReader& reader, std::string_view field, float largest) {
        const core::Place place = reader.place(field);
        const auto value = reader.read<float>(field);
        if (!(std::abs(value) <= largest))
            throw DecodeError(place, fmt::format("is {}, expected a number from {} to {}", value, -largest, largest));
        return value;
    }

    static float tangent(core::LittleEndianReader& reader) {
        const core::Place place = reader.place("tangent");
        const auto value = reader.read<float>("tangent");
        if (!(std::isinf(value) || std::abs(value) <= kLargestValue))
            throw DecodeError(place, fmt::format("is {}, expected a number from {} to {}, or an infinite one", value,
                                                 -kLargestValue, kLargestValue));
        return value;
    }

    MemoriaBones& bones_;
};

}  // namespace

core::MovingScene readMemoriaAnimation(core::Bytes bytes, const std::string& name, const core::Limits& limits,
                                       core::Diagnostics& diagnostics) {
    MemoriaBones bones(std::string(core::stemOf(name)), limits, diagnostics);
    if (beginsLikeJson(bytes))
        MemoriaText(bones).read(bytes);
    else
        MemoriaBinary(bones).read(bytes);
    return bones.finish();
}

}  // namespace reanima
