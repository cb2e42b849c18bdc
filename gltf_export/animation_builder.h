/// Clips as animations of a tinygltf model.
#pragma once

#include <string>
#include <vector>

#include "../core/clip.h"
#include "../core/skeleton.h"
#include "buffer_writer.h"
#include "gltf_file.h"

namespace reanima::gltf {

/// What the extras of an animation say.
[[nodiscard]] core::Properties extrasOf(const core::Clip& clip, const std::string& name, const GltfOptions& options);

/// The node of a joint, and which of its properties get a key in every animation: a player that shows one animation
/// after the other leaves what the second does not state as the first left it.
struct AnimatedNode {
    int node = -1;
    bool translation = false;
    bool rotation = true;
    bool scale = false;
};

/// Adds animations to `model`; their data go to one view of `buffer`.
class AnimationBuilder {
  public:
    /// @param nodes one for every joint of the skeleton
    /// @param whole the node that Clip::travel moves, in every animation; -1: none
    AnimationBuilder(tinygltf::Model& model, BufferWriter& buffer, const core::Skeleton& skeleton,
                     std::vector<AnimatedNode> nodes, int whole = -1)
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
    int whole_;
    int view_;
};

}  // namespace reanima::gltf
