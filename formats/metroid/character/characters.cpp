#include "formats/metroid/character/characters.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/memory.h"
#include "core/text.h"
#include "formats/load.h"
#include "formats/merge.h"
#include "formats/metroid/character/dressing.h"

namespace reanima::metroid {

namespace {

using core::Code;
using core::DecodeError;

bool isNone(std::uint32_t id) {
    constexpr std::uint32_t kNone = 0xFFFFFFFF;
    return id == 0 || id == kNone;
}

/// Collects the ANIMs of a character, each once.
class ClipCollector {
  public:
    explicit ClipCollector(const Ancs& ancs) {
        if (ancs.resources)
            for (const Ancs::Resource& resource : *ancs.resources)
                events_.try_emplace(resource.anim, resource.evnt);
    }

    void add(const Primitives& primitives, Additive additive = Additive::leftOut) {
        for (const Primitive& primitive : primitives) {
            if (!known_.insert(primitive.anim).second)
                continue;
            CharacterClip clip{primitive.anim, kNoEvents, core::safeName(primitive.name), additive == Additive::kept};
            if (primitive.name.empty())
                clip.name = fmt::format("{:08X}", primitive.anim);
            if (const auto events = events_.find(primitive.anim); events != events_.end() && events->second != 0)
                clip.evnt = events->second;
            found_.clips.push_back(std::move(clip));
        }
    }

    /// Leaves out additive animations, except those that another animation plays.
    void leaveOut(const Primitives& primitives) {
        for (const Primitive& primitive : primitives)
            if (known_.insert(primitive.anim).second)
                found_.leftOut.push_back(core::safeName(primitive.name));
    }

    CharacterClips take() { return std::move(found_); }

  private:
    std::map<std::uint32_t, std::uint32_t> events_;
    std::set<std::uint32_t> known_;
    CharacterClips found_;
};

/// Indices of the animations of a character, each once. If the character names none, all animations of the set.
std::vector<std::uint32_t> animationsOf(const Ancs& ancs, const AncsCharacter& character) {
    std::vector<std::uint32_t> indices;
    std::set<std::uint32_t> known;
    for (const AncsCharacter::Action& action : character.actions)
        if (action.index < ancs.animations.size() && known.insert(action.index).second)
            indices.push_back(action.index);
    for (std::uint32_t i = 0; character.actions.empty() && i < ancs.animations.size(); ++i)
        indices.push_back(i);
    return indices;
}

/// Call this before the clips of all characters are collected.
/// @throws DecodeError of the kind `limit`, so that a small file can't cause much work
void requireLittleWork(const Ancs& ancs) {
    constexpr std::uint64_t kMost = 1U << 21U;
    std::uint64_t leaves = ancs.additive.size() + ancs.defaultTransition.size();
    const auto add = [&leaves](const auto& list) {
        for (const auto& each : list)
            leaves += 1 + each.primitives.size();
    };
    add(ancs.animations);
    add(ancs.transitions);
    add(ancs.halfTransitions);
    if (const std::uint64_t work = ancs.characters.size() * leaves; work > kMost)
        throw DecodeError({"characters", std::nullopt},
                          fmt::format("are {} with {} animations and transitions; the product exceeds the limit of {}",
                                      ancs.characters.size(), leaves, kMost),
                          DecodeError::Kind::limit);
}

}  // namespace

CharacterClips clipsOf(const Ancs& ancs, const AncsCharacter& character, Additive additive) {
    const std::vector<std::uint32_t> indices = animationsOf(ancs, character);
    const std::set<std::uint32_t> own(indices.begin(), indices.end());
    std::set<std::uint32_t> changes;
    for (const Ancs::Additive& each : ancs.additive)
        changes.insert(each.index);
    ClipCollector collector(ancs);
    for (const std::uint32_t index : indices)
        if (!changes.contains(index))
            collector.add(ancs.animations[index].primitives);
    for (const Ancs::Transition& transition : ancs.transitions)
        if (own.contains(transition.from) && own.contains(transition.to))
            collector.add(transition.primitives);
    collector.add(ancs.defaultTransition);
    for (const Ancs::HalfTransition& half : ancs.halfTransitions)
        if (own.contains(half.index))
            collector.add(half.primitives);
    for (const std::uint32_t index : indices)
        if (changes.contains(index) && additive == Additive::kept)
            collector.add(ancs.animations[index].primitives, additive);
        else if (changes.contains(index))
            collector.leaveOut(ancs.animations[index].primitives);
    return collector.take();
}

std::vector<std::string> characterIds(const Ancs& ancs) {
    core::UniqueNames names;
    std::vector<std::string> ids;
    for (const AncsCharacter& character : ancs.characters)
        ids.push_back(
            names.unique(character.name.empty() ? fmt::format("{}", character.index) : core::safeName(character.name)));
    return ids;
}

std::vector<std::string> namesOfResource(std::uint32_t id, std::string_view extension) {
    const std::string upper = inCaseOf('A', extension);
    const std::string lower(extension);
    return {fmt::format("{:08X}.{}", id, upper), fmt::format("{:08x}.{}", id, lower),
            fmt::format("{:08X}.{}", id, lower), fmt::format("{:08x}.{}", id, upper)};
}

namespace {

std::optional<File> findResource(const Siblings* siblings, std::uint32_t id, std::string_view extension) {
    if (siblings == nullptr || !*siblings)
        return std::nullopt;
    for (const std::string& name : namesOfResource(id, extension))
        if (std::optional<File> file = (*siblings)(name))
            return file;
    return std::nullopt;
}

/// @throws core::DecodeError that names the file
Cinf readSkeleton(const File& file, core::Diagnostics& diagnostics) {
    const auto about = diagnostics.about(file.name);
    return core::inFile(file.name, [&] {
        Cinf cinf = decodeCinf(file.bytes, std::nullopt, diagnostics);
        if (cinf.bones.empty())
            throw DecodeError({"bone_count", 0}, "is 0");
        return cinf;
    });
}

std::size_t jointsOf(std::uint32_t skeleton, const Siblings* siblings) {
    core::Diagnostics ignored;  // loading gives the same warnings again
    try {
        const std::optional<File> file = findResource(siblings, skeleton, "cinf");
        return file ? readSkeleton(*file, ignored).bones.size() : 0;
    } catch (const DecodeError&) {
        return 0;
    }
}

}  // namespace

std::vector<ModelSummary> summariesOf(const Ancs& ancs, const Siblings* siblings, Additive additive) {
    // The cost of a mesh in decoded values. It is counted for every character that uses the mesh, since a small file
    // with a shared mesh can expand a lot.
    constexpr std::uint64_t kSamplesOfMesh = 1U << 18U;
    requireLittleWork(ancs);
    const std::vector<std::string> ids = characterIds(ancs);
    std::map<std::uint32_t, std::uint64_t> sharers;
    for (const AncsCharacter& character : ancs.characters)
        ++sharers[character.model];
    std::map<std::uint32_t, std::size_t> joints;  // most characters of a set share a skeleton
    std::vector<ModelSummary> summaries;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const AncsCharacter& character = ancs.characters[i];
        const auto [known, isNew] = joints.try_emplace(character.skeleton);
        if (isNew)
            known->second = jointsOf(character.skeleton, siblings);
        ModelSummary summary;
        summary.id = ids[i];
        summary.alias = fmt::format("{}", character.index);
        summary.joints = known->second;
        summary.clips = clipsOf(ancs, character, additive).clips.size();
        summary.samples = isNone(character.model) ? 0 : kSamplesOfMesh * sharers[character.model];
        summaries.push_back(std::move(summary));
    }
    return summaries;
}

namespace {

/// Limit for the animations of one character, since files in an archive may share bytes.
constexpr std::uint64_t kMostBytesOfAnimations = 512U << 20U;

class CharacterLoader {
  public:
    CharacterLoader(const Ancs& ancs, const Cinf& cinf, const ClipSettings& settings, Context& context)
        : ancs_(ancs), cinf_(cinf), settings_(settings), context_(context) {}

    core::Asset run(const CharacterClips& character) {
        for (std::uint32_t i = 0; i < character.clips.size(); ++i)
            tryLoad(character.clips[i], i);
        if (!missing_.empty())
            context_.diagnostics.warn(Code::damaged, {},
                                      fmt::format("{} of {} animations were not found beside it: {}", missing_.size(),
                                                  character.clips.size(), fmt::join(missing_, ", ")));
        if (!character.leftOut.empty())
            context_.diagnostics.note(
                Code::ignored, {},
                fmt::format("additive animations are left out: {}", fmt::join(character.leftOut, ", ")), {"additive"});
        if (assets_.empty())
            throw DecodeError(fmt::format("none of its {} animations can be read", character.clips.size()));
        return merge(std::move(assets_), context_.limits);
    }

  private:
    /// Counts the bytes of files that are read, since files of an archive may share bytes.
    /// @throws DecodeError of the kind `limit`
    void countRead(const File& file) {
        read_ += file.bytes.size();
        if (read_ > kMostBytesOfAnimations)
            throw DecodeError({"animations", std::nullopt},
                              fmt::format("have more than {} MiB together", kMostBytesOfAnimations >> 20U),
                              DecodeError::Kind::limit);
    }

    void tryLoad(const CharacterClip& clip, std::uint32_t index) {
        refuseIfCancelled(context_.cancelled);
        const std::optional<File> file = findBeside(clip.anim, "anim", held_);
        if (!file) {
            missing_.push_back(namesOfResource(clip.anim, "anim").front());
            return;
        }
        countRead(*file);
        const auto about = context_.diagnostics.about(file->name);
        try {
            load(clip, *file, index);
        } catch (const DecodeError& error) {
            if (error.kind() != DecodeError::Kind::malformed && error.kind() != DecodeError::Kind::skeletonMismatch)
                throw error.inFile(file->name);
            context_.diagnostics.warn(Code::damaged, error);
        }
    }

    void load(const CharacterClip& clip, const File& file, std::uint32_t index) {
        const core::Limits limits = context_.limits.holding(held_ + file.bytes.size());
        const Animation animation = decodeAnimation(file.bytes, ancs_.game, limits, context_.diagnostics);
        const std::optional<Evnt> evnt = eventsOf(clip, held_ + file.bytes.size());
        ClipSettings settings = settings_;
        settings.source = file.name;
        settings.name = clip.name;
        settings.additive = clip.isAdditive;
        core::Asset asset = toAsset(animation, &cinf_, evnt ? &*evnt : nullptr, settings, limits, context_.diagnostics);
        if (asset.clips.empty())
            return;  // nothing moves; the decoder has reported it
        asset.clips.front().index = index;
        held_ += core::memoryOf(asset);
        assets_.push_back(std::move(asset));
    }

    /// Reads a file by its id while `held` bytes of memory are in use. Empty if there is none.
    [[nodiscard]] std::optional<File> findBeside(std::uint32_t id, std::string_view extension,
                                                 std::uint64_t held) const {
        if (context_.siblings == nullptr)
            return std::nullopt;
        const Siblings within = context_.siblings->within(context_.limits.holding(held));
        return findResource(&within, id, extension);
    }

    /// The events of a clip. If their file is damaged, only a warning is given, since the motion does not need it.
    /// @param held bytes in use, without the file's
    std::optional<Evnt> eventsOf(const CharacterClip& clip, std::uint64_t held) {
        if (clip.evnt == kNoEvents)
            return std::nullopt;
        try {
            const std::optional<File> file = findBeside(clip.evnt, "evnt", held);
            return file ? std::optional(decodeEvnt(file->bytes, context_.diagnostics)) : std::nullopt;
        } catch (const DecodeError& error) {
            context_.diagnostics.warn(Code::damaged, {}, fmt::format("its events are left out: {}", error.what()));
            return std::nullopt;
        }
    }

    const Ancs& ancs_;
    const Cinf& cinf_;
    const ClipSettings& settings_;
    Context& context_;
    std::uint64_t held_ = 0;
    std::uint64_t read_ = 0;  ///< bytes of all files
    std::vector<core::Asset> assets_;
    std::vector<std::string> missing_;
};

}  // namespace

namespace {

/// @throws DecodeError if there is no such character
const AncsCharacter& characterNamed(const Ancs& ancs, const std::string& id) {
    const std::vector<std::string> ids = characterIds(ancs);
    const auto found = std::ranges::find(ids, id);
    if (found == ids.end())
        throw DecodeError(fmt::format("has no character {}, only {}", id, fmt::join(ids, ", ")));
    return ancs.characters[static_cast<std::size_t>(found - ids.begin())];
}

DressFile dressFile(const Siblings& siblings, std::uint32_t id, std::string_view extension) {
    if (isNone(id))
        return {};
    DressFile dress{findResource(&siblings, id, extension), namesOfResource(id, extension).front()};
    if (dress.file)
        dress.name = dress.file->name;
    return dress;
}

}  // namespace

void dressCharacter(core::Asset& asset, const Ancs& ancs, const std::string& id, BodySettings settings,
                    const Companions& companions, Context& context) {
    const AncsCharacter& character = characterNamed(ancs, id);
    if (isNone(character.model))
        return;
    const core::Limits limits = context.limits.holding(core::memoryOf(asset));
    Context beside = context.within(limits);
    const Siblings siblings = context.siblings != nullptr ? context.siblings->within(limits) : Siblings();
    settings.name = id + "_mesh";
    core::Value overlay = nullptr;
    if (character.overlay)
        overlay = core::Properties{{"model", character.overlay->model}, {"skin", character.overlay->skin}};
    settings.identity = {{"model", character.model}, {"skin", character.skin}, {"overlay", std::move(overlay)}};
    Dress dress{dressFile(siblings, character.model, "cmdl"), dressFile(siblings, character.skin, "cskr"),
                context.siblings};
    if (companions.contains(Role::skin))
        dress.skin = dressFileAmong(companions, Role::skin);
    putOn(asset, dress, settings, companions, beside);
    if (asset.meshes.empty()) {
        asset.character = settings.identity;
        leaveSkinOut(asset);
    }
}

core::Asset loadCharacter(const Ancs& ancs, const std::string& id, const Cinf* given, const ClipSettings& settings,
                          Context& context) {
    const AncsCharacter& character = characterNamed(ancs, id);
    std::optional<Cinf> cinf;
    if (given == nullptr) {
        const std::optional<File> file = findResource(context.siblings, character.skeleton, "cinf");
        if (!file)
            throw DecodeError(fmt::format("its skeleton {} was not found beside it",
                                          namesOfResource(character.skeleton, "cinf").front()));
        cinf = readSkeleton(*file, context.diagnostics);
        given = &*cinf;
    }
    core::Asset asset = CharacterLoader(ancs, *given, settings, context)
                            .run(clipsOf(ancs, character, settings.additive ? Additive::kept : Additive::leftOut));
    asset.skeleton->name = id;
    if (cinf)
        asset.skeleton->origin = core::Skeleton::Origin::found;
    return asset;
}

}  // namespace reanima::metroid
