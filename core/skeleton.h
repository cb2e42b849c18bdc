/// Joints and their rest pose, in glTF's terms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include "properties.h"

// The library is compiled with glm's default types. Programs that define GLM_FORCE_DEFAULT_ALIGNED_GENTYPES or
// GLM_FORCE_QUAT_DATA_WXYZ would read other members.
static_assert(sizeof(glm::vec3) == 3 * sizeof(float) && sizeof(glm::quat) == 4 * sizeof(float) &&
              offsetof(glm::quat, x) == 0);

namespace reanima::core {

/// Translation in metres, unit rotation, scale: applied as T * R * S, relative to the parent.
struct Transform {
    glm::vec3 translation{0, 0, 0};
    glm::quat rotation{1, 0, 0, 0};
    glm::vec3 scale{1, 1, 1};
};

inline constexpr int kNoParent = -1;

struct Joint {
    std::string name;        ///< unique in its skeleton; in games' skeletons only letters, digits, `_` and `-`
    int parent = kNoParent;  ///< index of an earlier joint, or kNoParent
    Transform rest;          ///< relative to the parent
    std::optional<std::uint32_t> id{};  ///< the file's own number of the joint
    std::optional<glm::vec3> end{};     ///< the end of the bone that starts here, in the joint's own space, if known
    /// Joint space to model space in the bind pose, for vertices with several joints. Empty: as in the rest pose.
    std::optional<glm::dmat4> bind{};
    /// The parent's vertices follow this joint, which carries their scale. The parent's other children are not scaled.
    bool takesVertices = false;
    Properties extras{};  ///< further values of the file: "length", "geometry"
    std::string role{};   ///< the role that another program's file states, `leftUpperArm`; empty: none
};

/// Iterates over a joint and its ancestors, up to the root. The joints must outlive the range.
class JointsUpwards {
  public:
    class Iterator {
      public:
        using value_type = std::uint32_t;
        using difference_type = std::ptrdiff_t;

        Iterator() = default;
        Iterator(const std::vector<Joint>& joints, int joint) : joints_(&joints), joint_(joint) {}
        std::uint32_t operator*() const { return static_cast<std::uint32_t>(joint_); }
        Iterator& operator++() {
            joint_ = (*joints_)[static_cast<std::size_t>(joint_)].parent;
            return *this;
        }
        Iterator operator++(int) {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        bool operator==(std::default_sentinel_t) const { return joint_ == kNoParent; }
        bool operator==(const Iterator& other) const { return joint_ == other.joint_; }

      private:
        const std::vector<Joint>* joints_ = nullptr;
        int joint_ = kNoParent;
    };

    /// @param first kNoParent: the range is empty
    JointsUpwards(const std::vector<Joint>& joints, int first) : first_(joints, first) {}
    [[nodiscard]] Iterator begin() const { return first_; }
    [[nodiscard]] static std::default_sentinel_t end() { return {}; }

  private:
    Iterator first_;
};

struct Skeleton {
    /// The origin of the joints.
    enum class Origin {
        given,   ///< named by the user
        found,   ///< in a companion of the animation, or in the same file
        madeUp,  ///< placeholders, because there was no skeleton
    };

    std::string name;
    std::vector<Joint> joints;  ///< parents first
    Origin origin = Origin::given;
    /// False if the format stores no rest pose. Joint::rest then contains offsets with identity rotations, until
    /// setRest() sets a pose.
    bool hasRest = false;
    Properties extras{};  ///< values from the file about the skeleton: "height", "radius"

    /// The index of the joint of that name, if there is one.
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view jointName) const;

    /// Empty for a root.
    [[nodiscard]] std::optional<std::uint32_t> parentOf(std::uint32_t joint) const {
        const int parent = joints[joint].parent;
        return parent == kNoParent ? std::nullopt : std::optional(static_cast<std::uint32_t>(parent));
    }
    /// The joint, its parent, and so on.
    [[nodiscard]] JointsUpwards upFrom(std::uint32_t joint) const { return {joints, static_cast<int>(joint)}; }
    /// The joint's parent, the parent's parent, and so on.
    [[nodiscard]] JointsUpwards ancestors(std::uint32_t joint) const { return {joints, joints[joint].parent}; }
    /// True if `above` is one of the joint's ancestors.
    [[nodiscard]] bool isBelow(std::uint32_t joint, std::uint32_t above) const;
    /// The last of the joint's ancestors; for a root, the joint itself.
    [[nodiscard]] std::uint32_t rootOf(std::uint32_t joint) const;
};

/// An order in which every node comes after its parent, or the reason why it is impossible.
struct ParentsFirst {
    std::vector<std::uint32_t> order;       ///< nodes in their own order where possible; invalid if there is a cycle
    std::optional<std::uint32_t> inCircle;  ///< a node that is its own ancestor: the first one found
};
/// @param parents for every node the index of any node, or kNoParent
[[nodiscard]] ParentsFirst parentsFirst(std::span<const int> parents);

/// Placeholder joints for an animation without a skeleton. The first is the root; the others are its children, in a
/// row, so that each rotation is visible.
/// @param apart metres between neighbours; bones are half as long
[[nodiscard]] Skeleton madeUpSkeleton(const std::vector<std::string>& names, double apart);

/// `given`, `found` or `made-up`.
[[nodiscard]] std::string_view originName(Skeleton::Origin origin);

}  // namespace reanima::core
