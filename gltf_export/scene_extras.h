/// Information about the origin of a glTF file: `animation.extras` and `scene.extras.reanima`.
#pragma once

#include <string>
#include <string_view>

#include "core/clip.h"
#include "core/image_sequence.h"
#include "gltf_file.h"

namespace reanima::gltf {

/// Collects the extras of a scene. Blender's importer only shows the extras of scenes, so the scene repeats the
/// animations' extras. A compact file has only the content key and the hash.
class SceneExtras {
  public:
    /// @param origin where the skeleton comes from; empty if there is none
    SceneExtras(std::string_view origin, const GltfOptions& options) : origin_(origin), options_(options) {}

    /// @param name the animation's name
    /// @return the animation's extras, as JSON; empty if it has none
    [[nodiscard]] std::string addClip(const core::Clip& clip, const std::string& name);
    [[nodiscard]] std::string addClip(const core::ImageSequence& images);

    /// Sets the properties that apply to all meshes together.
    void setCharacter(const core::Properties& character);

    /// The collected clips: the elements of a JSON list.
    [[nodiscard]] const std::string& clips() const { return clips_; }

    /// The memory of the extras, including copies while they are added to the file's text.
    [[nodiscard]] std::uint64_t memory() const { return 4 * std::uint64_t{clips_.size() + character_.size()}; }

    /// `extras.reanima` as JSON, including the clips. Empty if there are no extras. To be called last.
    [[nodiscard]] std::string takeReanima();
    /// The extras as JSON; empty if there are none. To be called last.
    [[nodiscard]] std::string take();

  private:
    [[nodiscard]] std::string add(const core::Properties& facts);

    std::string origin_;
    const GltfOptions& options_;
    std::string clips_;
    std::string character_;
};

}  // namespace reanima::gltf
