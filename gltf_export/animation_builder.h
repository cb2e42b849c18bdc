/// Clips as animations of a glTF model.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <glm/mat3x3.hpp>

#include "buffer_writer.h"
#include "compact_rotations.h"
#include "core/clip.h"
#include "core/skeleton.h"
#include "gltf_file.h"
#include "model.h"

namespace reanima::gltf {

/// The node of a joint, and which of its properties get a key in every animation. When players switch animations,
/// properties that the new animation does not set keep their values.
struct AnimatedNode {
    int node = -1;
    bool translation = false;
    bool rotation = true;
    bool scale = false;
};

/// The node above all joints and its transform; Clip::travel is relative to it.
struct WholeNode {
    int node = -1;
    glm::vec3 translation{0};
    glm::mat3 fromModel{1};  ///< rotates displacements from model space to the space of the node's parent
};

/// Adds animations to `model`. Their data is in one view of `buffer`.
class AnimationBuilder {
  public:
    /// @param nodes one for every joint of the skeleton
    /// @param whole the node that Clip::travel moves, in every animation
    /// @param options how values are stored; compact animations share equal values
    AnimationBuilder(Model& model, BufferWriter& buffer, const core::Skeleton& skeleton,
                     std::vector<AnimatedNode> nodes, const std::optional<WholeNode>& whole, const GltfOptions& options)
        : model_(model),
          buffer_(buffer),
          skeleton_(skeleton),
          nodes_(std::move(nodes)),
          whole_(whole),
          isCompact_(options.compact),
          view_(buffer.beginView()) {}

    /// Reserves about the size of these clips, so that the buffer need not be copied as it grows.
    /// @param others bytes of other data that follow the clips
    void reserveFor(std::span<const core::Clip> clips, std::size_t others = 0);
    /// A clip must have tracks: an animation without channels is invalid.
    /// @param extras the animation's extras as JSON; may be empty
    void add(const core::Clip& clip, const std::string& name, std::string extras);
    void finish() { buffer_.endView(view_); }

    [[nodiscard]] const CompactRotations& rotations() const { return rotations_; }

  private:
    template <typename T>
    void addChannel(Animation& animation, const core::Clip& clip, std::vector<int>& times, int node,
                    std::string_view path, const core::Channel<T>& channel, const T& rest);
    [[nodiscard]] int addSampler(Animation& animation, const AnimationSampler& sampler);
    [[nodiscard]] int addValues(std::span<const glm::vec3> values);
    [[nodiscard]] int addValues(std::span<const glm::quat> values);
    template <typename T>
    [[nodiscard]] int addElements(const ElementType& element, const T* values, std::size_t count);

    Model& model_;
    BufferWriter& buffer_;
    const core::Skeleton& skeleton_;
    std::vector<AnimatedNode> nodes_;
    std::optional<WholeNode> whole_;
    bool isCompact_;
    int view_;
    CompactRotations rotations_;
    std::map<std::tuple<int, int, bool>, int>
        samplers_;  ///< samplers of a compact animation, by input, output and whether values are stepped
};

}  // namespace reanima::gltf
