#include "pipeline/linked_clips.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "core/memory.h"
#include "formats/character_links.h"
#include "formats/format.h"
#include "formats/load.h"
#include "formats/merge.h"

namespace reanima {

namespace {

/// The skeleton of a character's further animations.
std::optional<Input> skeletonOf(const Input& input, const Companions& companions, const std::string& model) {
    for (const CharacterLinks* links : characterLinks())
        if (&formatOf(input) == &links->characters)
            return links->skeletonIn(input.file, model);
    const auto skeleton = companions.find(Role::skeleton);
    const bool isOwn = formatOf(input).kind == Kind::skeleton;
    if (!isOwn && skeleton == companions.end())
        return std::nullopt;
    Input found = isOwn ? input : skeleton->second.input;
    found.format = &formatOf(found);
    return found;
}

/// Loads the animations of a character one after another.
class LinkedLoader {
  public:
    /// @param character the loaded character; its asset moves into this object
    LinkedLoader(const Input& input, const Companions& given, LinkedAsset& character, Context& context)
        : given_(given),
          skeleton_(skeletonOf(input, character.companions, character.asset.model)),
          context_(context),
          options_(context.options),
          held_(core::memoryOf(character.asset)) {
        options_.set(kNoMeshOption.key, 1.0);  // the mesh is already loaded
        assets_.push_back(std::move(character.asset));
    }

    void add(const FoundAnimation& found, const CharacterFiles& files) {
        core::Diagnostics diagnostics;
        const core::Limits limits = context_.limits.holding(held_);
        Context own{options_, limits, diagnostics, context_.cancelled};
        try {
            Input input = files.open(found.path, limits);
            input.format = &formatOf(input);
            core::Asset asset = load(input, companionsOf(input), own);
            refuseEmpty(asset, input);
            if (isThereAlready(asset, assets_))
                return;
            if (movesOthers(diagnostics)) {
                ++leftOut_;
                return;
            }
            tellLink(asset, found, namesByOf(context_.options));
            held_ += core::memoryOf(assets_.emplace_back(std::move(asset)));
        } catch (const core::DecodeError& error) {
            leaveOut(error);
        }
        for (const core::Warning& warning : diagnostics.warnings())
            context_.diagnostics.add(warning);
    }

    core::Asset merged(std::size_t found) {
        noteLeftOut(leftOut_, found, context_.diagnostics);
        return merge(std::move(assets_), context_.limits);
    }

  private:
    Companions companionsOf(const Input& animation) const {
        Companions companions = given_;
        companions.erase(Role::animation);
        if (skeleton_ && animation.format->needsSkeleton(*skeleton_->format) && !companions.contains(Role::skeleton))
            companions.emplace(Role::skeleton, Companion{*skeleton_, true});
        return companions;
    }

    void leaveOut(const core::DecodeError& error) {
        using enum core::DecodeError::Kind;
        if (error.kind() == skeletonMismatch)
            ++leftOut_;
        else if (error.kind() == limit || error.kind() == cancelled)
            throw core::DecodeError(error);
        else
            context_.diagnostics.warn(core::Code::damaged, {},
                                      fmt::format("{}; the animation is left out", error.what()));
    }

    const Companions& given_;
    std::optional<Input> skeleton_;
    Context& context_;
    OptionValues options_;
    std::uint64_t held_;
    std::size_t leftOut_ = 0;
    std::vector<core::Asset> assets_;
};

}  // namespace

void addPose(const Input& skeleton, const FoundAnimations& found, const CharacterFiles& files, Companions& companions,
             Context& context) {
    std::string pose;
    if (!found.clips.empty()) {
        pose = found.clips.front().path;
    } else if (!found.pose.empty() && files.isEntry(skeleton.file.path)) {
        pose = found.pose;
        notePose(skeleton.shownName(), pose, context.diagnostics);
    }
    if (pose.empty())
        return;
    companions.erase(Role::animation);
    companions.emplace(Role::animation, Companion{files.open(pose, context.limits), false});
}

LinkedAsset loadWithLinked(const Input& input, const Companions& given, Context& context, CharacterFiles& files) {
    LinkedAsset character{{}, withFoundCompanions(input, given), false, {}};
    std::vector<FoundAnimation> animations;
    if (input.siblings) {
        FoundAnimations found = files.animationsOf(input);
        character.mayBeLinked = found.mayBeLinked;
        addPose(input, found, files, character.companions, context);
        animations = std::move(found.clips);
    }
    character.asset = load(input, character.companions, context);
    if (input.siblings)
        std::ranges::move(files.furtherAnimationsOf(input.file.path, formatOf(input), character.asset.model),
                          std::back_inserter(animations));
    if (animations.empty())
        return character;
    LinkedLoader loader(input, given, character, context);
    for (const FoundAnimation& animation : animations) {
        loader.add(animation, files);
        character.linked.push_back(animation.path);
    }
    const auto about = context.diagnostics.about(input.shownName());
    character.asset = loader.merged(animations.size());
    return character;
}

void tellLink(core::Asset& asset, const FoundAnimation& found, NamesBy by) {
    for (core::Clip& clip : asset.clips) {
        clip.linkedBy = found.linkedBy;
        if (found.link.name.empty() || by == NamesBy::file || asset.clips.size() > 1)
            continue;
        clip.name = found.link.name;
        clip.namedBy = found.namedBy;
    }
}

bool isThereAlready(const core::Asset& animation, const std::vector<core::Asset>& earlier) {
    if (animation.clips.size() != 1)
        return false;
    const core::Clip& clip = animation.clips.front();
    return stemOf(clip.source) == std::to_string(clip.id) &&
           std::ranges::any_of(earlier, [&](const core::Asset& other) {
               return std::ranges::find(other.clips, clip.id, &core::Clip::id) != other.clips.end();
           });
}

bool movesOthers(const core::Diagnostics& diagnostics) {
    const std::vector<core::Warning>& warnings = diagnostics.warnings();
    return std::ranges::find(warnings, core::Code::skeletonMismatch, &core::Warning::code) != warnings.end();
}

void notePose(const std::string& skeleton, const std::string& animation, core::Diagnostics& diagnostics) {
    const auto about = diagnostics.about(skeleton);
    diagnostics.note(
        core::Code::assumed, {},
        fmt::format(
            "the rest pose comes from {}, which moves the same number of bones, but may belong to another character",
            animation));
}

void noteLeftOut(std::size_t count, std::size_t all, core::Diagnostics& diagnostics) {
    if (count > 0)
        diagnostics.note(
            core::Code::skeletonMismatch, {},
            fmt::format("{} of {} animations are left out, because they move a different number of bones", count, all));
}

}  // namespace reanima
