#include "formats/ff7/field_models.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "core/byte_reader.h"
#include "core/memory.h"
#include "core/text.h"
#include "formats/lzs.h"

namespace reanima::ff7 {

namespace {

using core::LittleEndianReader;

constexpr std::uint32_t kSections = 9;
constexpr std::size_t kModelSection = 2;
constexpr std::size_t kHeaderSize = 2 + 4 + 4 * kSections;
constexpr std::size_t kMostModels = 64;
constexpr std::size_t kMostAnimations = 1000;
constexpr std::uint64_t kSkeletonNameSize = 8;
constexpr std::uint64_t kScaleSize = 4;
constexpr std::uint64_t kLights = 3 * (3 + 3 * 2) + 3;

/// The text up to the first zero byte.
std::string textOf(core::Bytes field) {
    return {field.begin(), std::find(field.begin(), field.end(), std::uint8_t{0})};
}

std::string readName(LittleEndianReader& reader) {
    const auto length = reader.read<std::uint16_t>("length");
    return textOf(reader.bytes(length, "name"));
}

/// `ACFE.yos`: the part after the dot names the author.
std::string animationFile(const std::string& name) { return core::lowerCase(name.substr(0, name.find('.'))) + ".a"; }

/// @return empty if there are more animations than any model can have
std::optional<FieldModel> readModel(LittleEndianReader& reader) {
    FieldModel model;
    model.name = readName(reader);
    (void)reader.read<std::uint16_t>("kind");
    model.skeleton = core::lowerCase(textOf(reader.bytes(kSkeletonNameSize, "skeleton")));
    (void)reader.bytes(kScaleSize, "scale");
    const auto count = reader.read<std::uint16_t>("animation_count");
    if (count > kMostAnimations)
        return std::nullopt;
    (void)reader.bytes(kLights, "lights");
    for (std::uint32_t i = 0; i < count; ++i) {
        model.animations.push_back(animationFile(readName(reader)));
        (void)reader.read<std::uint16_t>("animations.unknown");
    }
    return model;
}

std::optional<std::vector<FieldModel>> readModels(LittleEndianReader section) {
    (void)section.read<std::uint16_t>("unknown");
    const auto count = section.read<std::uint16_t>("model_count");
    (void)section.read<std::uint16_t>("scale");
    if (count > kMostModels)
        return std::nullopt;
    std::vector<FieldModel> models;
    for (std::uint32_t i = 0; i < count; ++i) {
        std::optional<FieldModel> model = readModel(section);
        if (!model)
            return std::nullopt;
        models.push_back(*std::move(model));
    }
    return models;
}

/// @param most the largest number of bytes to unpack
core::ByteVector unpackField(core::Bytes file, std::uint64_t most) {
    constexpr std::size_t kSizeWord = 4;
    LittleEndianReader reader(file);
    if (file.size() < kSizeWord || reader.read<std::uint32_t>("packed_size") != file.size() - kSizeWord)
        return {};
    return unpackLzs(reader.rest(), most);
}

/// The range of the models in an unpacked field. Only the part up to its end needs to be unpacked.
std::optional<std::pair<std::uint32_t, std::uint32_t>> placeOfModels(core::Bytes header) {
    LittleEndianReader reader(header);
    if (header.size() < kHeaderSize || reader.read<std::uint16_t>("unknown") != 0 ||
        reader.read<std::uint32_t>("section_count") != kSections)
        return std::nullopt;
    std::array<std::uint32_t, kSections> offsets{};
    for (std::uint32_t& offset : offsets)
        offset = reader.read<std::uint32_t>("offsets");
    const std::pair place(offsets[kModelSection], offsets[kModelSection + 1]);
    return place.first < kHeaderSize || place.second < place.first ? std::nullopt : std::optional(place);
}

}  // namespace

std::optional<std::vector<FieldModel>> fieldModels(core::Bytes file) {
    try {
        const auto place = placeOfModels(unpackField(file, kHeaderSize));
        if (!place)
            return std::nullopt;
        const core::ByteVector field = unpackField(file, place->second);
        LittleEndianReader reader = LittleEndianReader(field).at(place->first, "models");
        const auto length = reader.read<std::uint32_t>("length");
        return readModels(reader.slice(length, "models"));
    } catch (const core::DecodeError&) {
        return std::nullopt;
    }
}

std::string ownName(std::string_view model, std::string_view field) {
    std::string name(model);
    if (core::lowerCase(name).starts_with(core::lowerCase(field)) && name.size() > field.size())
        name.erase(0, field.size());
    return std::string(core::stemOf(name));
}

namespace {

constexpr std::array<std::string_view, 3> kRoles = {"stand", "walk", "run"};

/// How many models of a skeleton play an animation, as what, and in which fields.
struct Uses {
    std::array<std::uint32_t, kRoles.size()> as{};
    std::uint32_t all = 0;
    std::vector<std::string> fields;
};

struct UsedSkeleton {
    std::map<std::string, std::uint32_t> names;  ///< own names of its models, with the number of models
    std::map<std::string, Uses> animations;
};

using UsedSkeletons = std::map<std::string, UsedSkeleton, std::less<>>;

void addModel(UsedSkeletons& skeletons, const FieldModel& model, const std::string& field, core::MemoryCount& memory) {
    constexpr std::uint64_t kEntry = 256;  // bytes of an entry of a map, with its texts
    UsedSkeleton& skeleton = skeletons[model.skeleton];
    memory.add(kEntry);
    ++skeleton.names[ownName(model.name, field)];
    for (std::size_t i = 0; i < model.animations.size(); ++i) {
        Uses& uses = skeleton.animations[model.animations[i]];
        memory.add(kEntry);
        ++uses.all;
        if (i < kRoles.size())
            ++uses.as[i];
        if (uses.fields.empty() || uses.fields.back() != field)
            uses.fields.push_back(field);
    }
}

/// The animations sorted by descending `count`, then by name.
std::vector<std::string> byUses(const std::map<std::string, Uses>& animations,
                                const std::function<std::uint32_t(const Uses&)>& count) {
    std::vector<std::pair<std::string, std::uint32_t>> counted;
    for (const auto& [file, uses] : animations)
        if (count(uses) > 0)
            counted.emplace_back(file, count(uses));
    std::ranges::stable_sort(counted, std::greater(), &std::pair<std::string, std::uint32_t>::second);
    std::vector<std::string> files;
    for (auto& [file, uses] : counted)
        files.push_back(std::move(file));
    return files;
}

LinkedAnimations linksOf(const UsedSkeleton& skeleton) {
    std::array<std::vector<std::string>, kRoles.size()> byRole;
    for (std::size_t role = 0; role < kRoles.size(); ++role)
        byRole[role] = byUses(skeleton.animations, [role](const Uses& uses) { return uses.as[role]; });
    LinkedAnimations links = inOrder(byRole, byUses(skeleton.animations, [](const Uses& uses) { return uses.all; }));
    for (LinkedAnimation& animation : links.animations) {
        const Uses& uses = skeleton.animations.at(animation.file);
        animation.uses = uses.all;
        animation.places = uses.fields;
    }
    const auto usual =
        std::ranges::max_element(skeleton.names, {}, &std::pair<const std::string, std::uint32_t>::second);
    if (usual != skeleton.names.end())
        links.name = usual->first;
    return links;
}

}  // namespace

LinkedAnimations inOrder(const FilesByRole& byRole, const std::vector<std::string>& others) {
    LinkedAnimations links;
    std::set<std::string> known;
    const auto add = [&](const std::string& file, std::string_view name) {
        if (known.insert(file).second)
            links.animations.push_back({file, std::string(name)});
    };
    for (std::size_t role = 0; role < kRoles.size(); ++role)
        if (!byRole[role].empty())
            add(byRole[role].front(), kRoles[role]);
    for (const std::vector<std::string>& files : byRole)
        for (const std::string& file : files)
            add(file, "");
    for (const std::string& file : others)
        add(file, "");
    return links;
}

AnimationLinks readFieldLinks(const EachEntry& entries, const core::Limits& limits) {
    UsedSkeletons skeletons;
    core::MemoryCount memory(limits, "animations of fields");
    entries([&](const std::string& name, core::Bytes bytes) {
        if (const std::optional<std::vector<FieldModel>> models = fieldModels(bytes))
            for (const FieldModel& model : *models)
                addModel(skeletons, model, core::lowerCase(core::fileNameOf(name)), memory);
    });
    AnimationLinks links;
    for (const auto& [file, skeleton] : skeletons)
        links.emplace(file, linksOf(skeleton));
    return links;
}

}  // namespace reanima::ff7
