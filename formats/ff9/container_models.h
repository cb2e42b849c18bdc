/// Which animations of a container belong to which of its models, as the tables tell.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "animation.h"
#include "container.h"
#include "formats/format.h"

namespace reanima::ff9 {

/// An animation that can be read, as far as its tables tell.
struct AnimationEntry {
    const Object* object = nullptr;
    std::uint32_t index = 0;  ///< among all animations of the container, damaged ones included
    BlockFacts facts;
};

/// Animations of one number of bones.
struct AnimationGroup {
    std::vector<const AnimationEntry*> animations;  ///< in file order
    std::uint64_t samples = 0;                      ///< of all of them
    bool isTaken = false;                           ///< they belong to a model
};

struct ModelEntry {
    ModelSummary summary;
    const Object* object = nullptr;
    const AnimationGroup* group = nullptr;  ///< null: no animation belongs to it
};

/// The models of a container. Every model has the animations of its own number of bones: those of its own DB, or, if
/// there are none, those of the whole container. Models of equal number share them.
class ContainerModels {
  public:
    /// @param objects those of the container; they outlive this object
    /// @param joints bones of the animations that do not show how many they have
    /// @return warnings in `diagnostics` for models and animations that can't be read
    ContainerModels(core::Bytes file, std::span<const Object> objects, std::optional<std::uint32_t> joints,
                    core::Diagnostics& diagnostics);
    ContainerModels(const ContainerModels&) = delete;
    ContainerModels& operator=(const ContainerModels&) = delete;

    /// In file order.
    [[nodiscard]] const std::vector<ModelEntry>& models() const { return models_; }
    /// @throws core::DecodeError if there is no such model
    [[nodiscard]] const ModelEntry& modelNamed(std::string_view id) const;

    /// What belongs to a model: its default animation first, the others in file order.
    [[nodiscard]] static std::vector<const AnimationEntry*> animationsOf(const ModelEntry& model);
    /// What belongs to any model, each once, in file order.
    [[nodiscard]] std::vector<const AnimationEntry*> animationsOfAll() const;

    /// @throws core::DecodeError the first problem of an animation if there is nothing but bare skeletons because of it
    void refuseDamaged() const;

  private:
    using DefaultAnimations = std::map<std::pair<std::uint64_t, std::uint16_t>, std::optional<std::uint16_t>>;

    [[nodiscard]] DefaultAnimations readDefaultAnimations() const;
    void readModels();
    void readModel(const Object& object, core::UniqueNames& names);
    void readAnimations(std::optional<std::uint32_t> joints);
    void assignDefaults();
    void assignAnimations();
    void reportUnassigned() const;
    [[nodiscard]] bool isAssigned(const AnimationEntry& animation) const;

    core::Bytes file_;
    std::span<const Object> objects_;
    core::Diagnostics& diagnostics_;
    std::vector<ModelEntry> models_;
    std::vector<AnimationEntry> animations_;
    std::map<std::pair<std::uint64_t, std::uint32_t>, AnimationGroup> near_;  ///< by DB and number of bones
    std::map<std::uint32_t, AnimationGroup> all_;                             ///< by number of bones
    std::optional<core::DecodeError> firstProblem_;                           ///< of an animation
};

}  // namespace reanima::ff9
