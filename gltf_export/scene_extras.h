/// What a glTF file says about where it comes from: `animation.extras` and `scene.extras.reanima`.
#pragma once

#include <string>
#include <string_view>

#include "core/clip.h"
#include "core/image_sequence.h"
#include "gltf_file.h"

namespace reanima::gltf {

/// Collects the extras of a scene. Blender's importer shows the extras of scenes only, so those of the animations are
/// there once more. Of a compact file only the content key and the hash remain.
class SceneExtras {
  public:
    /// @param origin of the skeleton; empty: there is none
    SceneExtras(std::string_view origin, const GltfOptions& options) : origin_(origin), options_(options) {}

    /// @param name of the animation
    /// @return the animation's extras, as JSON; empty if it has none
    [[nodiscard]] std::string addClip(const core::Clip& clip, const std::string& name);
    [[nodiscard]] std::string addClip(const core::ImageSequence& images);

    /// Says what the files tell about the meshes as a whole.
    void setCharacter(const core::Properties& character);

    /// What was collected: the elements of a JSON list.
    [[nodiscard]] const std::string& clips() const { return clips_; }

    /// The bytes that it takes, with the copies while it becomes a part of the file's text.
    [[nodiscard]] std::uint64_t memory() const { return 4 * std::uint64_t{clips_.size() + character_.size()}; }

    /// `extras.reanima` as JSON, in which the clips are; empty if there is nothing to say. Ends the work.
    [[nodiscard]] std::string takeReanima();
    /// The extras as JSON; empty if there are none. Ends the work.
    [[nodiscard]] std::string take();

  private:
    [[nodiscard]] std::string add(const core::Properties& facts);

    std::string origin_;
    const GltfOptions& options_;
    std::string clips_;
    std::string character_;
};

}  // namespace reanima::gltf
