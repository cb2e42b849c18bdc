/// Animations of another program's scene: the keys of its nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include "rig.h"
#include "skeleton.h"

namespace reanima::core {

/// Interpolation of a scene's channel, as in glTF.
enum class KeyStyle {
    step,
    linear,  ///< rotations use the shortest path at constant speed
    cubic,   ///< three values per key: the tangent before it, the value, the tangent after it
};

/// The keys of one property of a node.
template <typename T>
struct NodeChannel {
    KeyStyle style = KeyStyle::linear;
    std::vector<float> times{};  ///< seconds, ascending
    std::vector<T> values{};     ///< one per time, or three

    [[nodiscard]] bool isPresent() const { return !times.empty(); }
};

struct NodeTrack {
    std::uint32_t node = 0;  ///< index into Scene::nodes
    NodeChannel<glm::vec3> translation{};
    NodeChannel<glm::quat> rotation{};
    NodeChannel<glm::vec3> scale{};
};

struct SceneMotion {
    std::string name;
    std::vector<NodeTrack> tracks;  ///< no more than one per node
    double rate = 0;                ///< frames per second; 0: not stated in the file
    std::optional<StatedClip> stated{};

    /// The times of the first and the last key in seconds; 0 without keys.
    [[nodiscard]] double begin() const;
    [[nodiscard]] double end() const;
    /// The times of all keys, ascending, each once.
    [[nodiscard]] std::vector<double> times() const;
};

/// The origin of a clip, as stated in a file that this program wrote.
struct ClipSource {
    std::string file;                    ///< name of the game's file
    std::optional<std::uint32_t> index;  ///< index of the clip in the file
    std::optional<double> rate;          ///< frames per second
    bool isNamed = false;  ///< the extras state the clip's present name, so the clip is not a renamed copy
};

/// A scene and its animations.
struct MovingScene {
    Scene scene;
    std::vector<SceneMotion> motions;
    std::vector<std::string> roles{};  ///< per node: the role that the file states, `leftUpperArm`; empty: none
    std::map<std::string, ClipSource> sources{};  ///< by clip name; empty without these extras, which programs may drop
};

/// The frame rate that fits a motion's keys: the stated rate if all keys lie on its frames, otherwise a usual rate.
[[nodiscard]] double keyRate(const SceneMotion& motion);

/// The memory of the keys in bytes, including reserved capacity.
[[nodiscard]] std::uint64_t memoryOf(const SceneMotion& motion);
[[nodiscard]] std::uint64_t memoryOf(const MovingScene& moving);  ///< the memory of the keys of all animations

/// The value at a time. Before the first key and after the last key, it is the value of that key.
/// @param channel must have a key
[[nodiscard]] glm::vec3 valueAt(const NodeChannel<glm::vec3>& channel, double seconds);

/// The rotation at a time, a unit quaternion. @param channel with at least one key
[[nodiscard]] glm::quat valueAt(const NodeChannel<glm::quat>& channel, double seconds);

}  // namespace reanima::core
