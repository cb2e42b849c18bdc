/// Clips as animations of a tinygltf model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <glm/mat3x3.hpp>

#include "../core/clip.h"
#include "../core/skeleton.h"
#include "buffer_writer.h"
#include "gltf_file.h"

namespace reanima::gltf {

/// The node of a joint, and which of its properties get a key in every animation: a player that shows one animation
/// after the other leaves what the second does not state as the first left it.
struct AnimatedNode {
    int node = -1;
    bool translation = false;
    bool rotation = true;
    bool scale = false;
};

/// The node above all joints, and where it stands: Clip::travel counts from there.
struct WholeNode {
    int node = -1;
    glm::vec3 translation{0};
    glm::mat3 fromModel{1};  ///< turns ways in model space to those in the space of the node's parent
};

/// Adds animations to `model`; their data go to one view of `buffer`.
class AnimationBuilder {
  public:
    /// @param nodes one for every joint of the skeleton
    /// @param whole what Clip::travel moves, in every animation
    AnimationBuilder(tinygltf::Model& model, BufferWriter& buffer, const core::Skeleton& skeleton,
                     std::vector<AnimatedNode> nodes, const std::optional<WholeNode>& whole)
        : model_(model),
          buffer_(buffer),
          skeleton_(skeleton),
          nodes_(std::move(nodes)),
          whole_(whole),
          view_(buffer.beginView()) {}

    /// A clip without tracks is left out: an animation without channels is invalid.
    void add(const core::Clip& clip, const std::string& name, const GltfOptions& options);
    void finish() { buffer_.endView(view_); }

  private:
    template <typename T>
    void addChannel(tinygltf::Animation& animation, const core::Clip& clip, std::vector<int>& times, int node,
                    const char* path, const core::Channel<T>& channel, const T& rest);

    tinygltf::Model& model_;
    BufferWriter& buffer_;
    const core::Skeleton& skeleton_;
    std::vector<AnimatedNode> nodes_;
    std::optional<WholeNode> whole_;
    int view_;
};

}  // namespace reanima::gltf
