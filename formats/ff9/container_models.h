/// Which animations of a container belong to which of its models.
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
#include "enemies.h"
#include "formats/format.h"
#include "model.h"

namespace reanima::ff9 {

/// An animation whose tables can be read.
struct AnimationEntry {
    const Object* object = nullptr;
    std::uint32_t index = 0;  ///< among all animations of the container, damaged ones included
    BlockFacts facts;
};

/// An animation of a model, and how they are known to belong together.
struct LinkedAnimation {
    const AnimationEntry* animation = nullptr;
    core::LinkedBy by = core::LinkedBy::bones;
};

/// Animations in file order, and their total decoded size.
struct AnimationGroup {
    std::vector<LinkedAnimation> animations;
    std::uint64_t samples = 0;

    void add(const LinkedAnimation& linked) {
        animations.push_back(linked);
        samples += linked.animation->facts.samples;
    }
};

struct ModelEntry {
    ModelSummary summary;
    ModelHead head;
    const Object* object = nullptr;
    const AnimationGroup* linked =
        nullptr;  ///< animations assigned to the model by a name, or by a script in the container; may be null
    const AnimationGroup* byBones = nullptr;  ///< animations without a known owner; may be null
};

/// The models of a container, each with its animations: those that a script of the container plays on the model, those
/// named after it, and those without a known owner. The last come from the model's DB or, if that has none, from the
/// whole container. All animations have the model's number of bones.
class ContainerModels {
  public:
    /// @param objects the container's objects; they must outlive this object
    /// @param joints number of bones for animations whose own number can't be inferred
    /// @param enemies names for models that have none in the container
    /// @return warnings in `diagnostics` for models, animations and scripts that can't be read
    ContainerModels(core::Bytes file, std::span<const Object> objects, std::optional<std::uint32_t> joints,
                    EnemyNames enemies, core::Diagnostics& diagnostics);
    ContainerModels(const ContainerModels&) = delete;
    ContainerModels& operator=(const ContainerModels&) = delete;

    /// The models in file order.
    [[nodiscard]] const std::vector<ModelEntry>& models() const { return models_; }
    /// @throws core::DecodeError if there is no such model
    [[nodiscard]] const ModelEntry& modelNamed(std::string_view id) const;

    /// The animations of a model: its default animation first, the others in file order.
    [[nodiscard]] static std::vector<LinkedAnimation> animationsOf(const ModelEntry& model);
    /// The animations of all models, each once, in file order.
    [[nodiscard]] std::vector<LinkedAnimation> animationsOfAll() const;

    /// Animations that a script or a name assigns to a model in another file, with that model, in file order. Empty if
    /// neither a script nor a name confirms that the file uses the game's ids.
    [[nodiscard]] std::vector<std::pair<const AnimationEntry*, std::uint32_t>> animationsElsewhere() const;

    /// @throws core::DecodeError with the first problem of an animation, if such problems leave only bare skeletons
    void refuseDamaged() const;

  private:
    using DefaultAnimations = std::map<std::pair<std::uint64_t, std::uint16_t>, std::optional<std::uint16_t>>;

    /// Animations by number of bones: per DB (by its offset) and for the whole container.
    struct ByBones {
        std::map<std::pair<std::uint64_t, std::uint32_t>, AnimationGroup> near{};
        std::map<std::uint32_t, AnimationGroup> all{};

        void add(const AnimationEntry& animation);
        [[nodiscard]] const AnimationGroup* find(std::uint64_t database, std::uint32_t bones) const;
    };

    [[nodiscard]] DefaultAnimations readDefaultAnimations() const;
    void readModels();
    void readModel(const Object& object, core::UniqueNames& names);
    void readAnimations(std::optional<std::uint32_t> joints);
    void assignDefaults();
    void readScripts();
    void linkByScriptAndName();
    void linkByBones();
    void assignAnimations();
    void report() const;
    void reportLeftOut(std::span<const AnimationEntry* const> animations) const;
    void reportElsewhere(std::span<const AnimationEntry* const> animations) const;
    void say(std::size_t count, const std::string& text) const;
    [[nodiscard]] std::size_t placeOf(const AnimationEntry& animation) const {
        return static_cast<std::size_t>(&animation - animations_.data());
    }
    [[nodiscard]] std::optional<core::LinkedBy> linkOf(std::uint32_t model, const AnimationEntry& animation) const;
    [[nodiscard]] std::optional<std::uint32_t> ownerOf(const AnimationEntry& animation) const;
    [[nodiscard]] bool doNamesAgree() const;
    [[nodiscard]] bool isAssigned(const AnimationEntry& animation) const;

    core::Bytes file_;
    std::span<const Object> objects_;
    core::Diagnostics& diagnostics_;
    EnemyNames enemies_;
    std::vector<ModelEntry> models_;
    std::vector<AnimationEntry> animations_;
    bool hasScript_ = false;                                      ///< there is a readable script
    std::map<std::uint32_t, std::vector<std::uint16_t>> played_;  ///< per animation: the models that scripts play it on
    std::map<std::uint32_t, std::vector<const AnimationEntry*>> ofBones_;  ///< animations by number of bones
    /// Linked animations by the model's id and number of bones.
    std::map<std::pair<std::uint16_t, std::uint32_t>, AnimationGroup> linked_;
    std::vector<bool> isLinked_;  ///< per animation: a script or a name links it to a model
    /// Animations by number of bones, for named models and for others.
    ByBones ofKnown_;
    ByBones ofUnknown_;
    std::vector<bool> isByBones_;                    ///< per animation: its number of bones links it to a model
    std::optional<core::DecodeError> firstProblem_;  ///< problem of the first damaged animation
};

}  // namespace reanima::ff9
