#include "formats/metroid/cinf_json.h"

#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/metroid/json_fields.h"
#include "formats/naming.h"

namespace reanima::metroid {

namespace {

template <std::size_t size>
Json floatsToJson(const std::array<float, size>& values) {
    Json list = Json::array();
    for (const float value : values)
        list.push_back(floatToJson(value));
    return list;
}

template <std::size_t size>
std::array<float, size> floatsFromJson(const JsonReader& json) {
    std::array<float, size> values{};
    json.requireSize(size);
    for (std::size_t i = 0; i < size; ++i)
        values[i] = numberFromJson(json.at(i));
    return values;
}

/// For each id of a joint, the first entry with that id.
using ShownNames = std::unordered_map<std::uint32_t, std::size_t>;  // id -> index of the entry

Json jointToJson(const Cinf& cinf, std::size_t index, const ShownNames& shown, const ShownNames& bones) {
    const CinfBone& bone = cinf.bones[index];
    const auto name = shown.find(bone.id);
    const auto parent = bones.find(bone.parentId);
    Json json = {{"index", index},
                 {"id", bone.id},
                 {"name", name != shown.end() ? textToJson(cinf.names[name->second].name) : Json(boneName(bone.id))},
                 {"parent", parent != bones.end() ? Json(parent->second) : Json(nullptr)},
                 {"parent_id", bone.parentId},
                 {"position", floatsToJson(bone.position)}};
    if (cinf.game == Game::echoes)
        json["rotations"] = {floatsToJson(bone.rotations[0]), floatsToJson(bone.rotations[1])};
    json["links"] = bone.links;
    return json;
}

/// The names in the order of the file. An entry omits its name if a joint has it, so each name occurs once.
Json namesToJson(const Cinf& cinf, const ShownNames& shown, const ShownNames& bones) {
    Json names = Json::array();
    for (std::size_t i = 0; i < cinf.names.size(); ++i) {
        const CinfName& name = cinf.names[i];
        Json entry = {{"id", name.id}};
        if (shown.at(name.id) != i || !bones.contains(name.id))
            entry["name"] = textToJson(name.name);
        names.push_back(std::move(entry));
    }
    return names;
}

CinfBone boneFromJson(const JsonReader& joint, Game game) {
    CinfBone bone;
    bone.id = joint.at("id").integer<std::uint32_t>();
    bone.position = floatsFromJson<3>(joint.at("position"));
    if (game == Game::echoes)
        joint.at("rotations").requireSize(bone.rotations.size());
    if (game == Game::echoes)
        for (std::size_t i = 0; i < bone.rotations.size(); ++i)
            bone.rotations[i] = floatsFromJson<4>(joint.at("rotations").at(i));
    return bone;
}

/// Reads the parent of a joint. Its index takes precedence over its id.
void readParent(const JsonReader& joint, Cinf& cinf, CinfBone& bone) {
    constexpr std::uint32_t kNoBone = 2;  // id of the missing parent of the root, in Prime
    bone.parentId = joint.integerOr("parent_id", kNoBone);
    if (!joint.has("parent"))
        return;
    const auto last = static_cast<std::int64_t>(cinf.bones.size()) - 1;
    bone.parentId = cinf.bones[static_cast<std::size_t>(joint.at("parent").integer(0, last))].id;
}

/// The joints' names: first the listed ones, in the order of the list, then the others in the order of the joints.
std::vector<CinfName> namesFromJson(const JsonReader& json, const Cinf& cinf) {
    const JsonReader joints = json.at("joints");
    std::unordered_map<std::uint32_t, std::string> unlisted;
    for (std::size_t i = 0; i < cinf.bones.size(); ++i)
        unlisted.try_emplace(cinf.bones[i].id, textFromJson(joints.at(i).at("name")));
    std::vector<CinfName> names;
    if (json.has("names")) {
        const JsonReader list = json.at("names");
        for (std::size_t i = 0; i < list.size(); ++i) {
            const auto id = list.at(i).at("id").integer<std::uint32_t>();
            const auto joint = unlisted.find(id);
            if (list.at(i).has("name") || joint == unlisted.end()) {
                names.push_back({textFromJson(list.at(i).at("name")), id});
            } else {
                names.push_back({joint->second, id});
                unlisted.erase(joint);
            }
        }
    }
    for (const CinfBone& bone : cinf.bones) {
        const auto joint = unlisted.find(bone.id);
        if (joint == unlisted.end())
            continue;
        if (joint->second != boneName(bone.id))  // joints without a name have this placeholder
            names.push_back({joint->second, bone.id});
        unlisted.erase(joint);
    }
    return names;
}

std::vector<std::uint32_t> idsOf(const Cinf& cinf) {
    std::vector<std::uint32_t> ids;
    ids.reserve(cinf.bones.size());
    for (const CinfBone& bone : cinf.bones)
        ids.push_back(bone.id);
    return ids;
}

/// True if joints were added, removed or swapped, or if one got another parent.
bool isRebuilt(const JsonReader& json, const Cinf& cinf) {
    const JsonReader joints = json.at("joints");
    if (json.has("joints_present") && json.at("joints_present").integers<std::uint32_t>() != idsOf(cinf))
        return true;
    for (std::size_t i = 0; i < cinf.bones.size(); ++i)
        if (joints.at(i).has("parent_id") &&
            joints.at(i).at("parent_id").integer<std::uint32_t>() != cinf.bones[i].parentId)
            return true;
    return false;
}

/// The ids of a bone's parent and children.
std::vector<std::uint32_t> linksOf(const CinfBone& bone, const Cinf& cinf) {
    std::vector<std::uint32_t> links = {bone.parentId};
    for (const CinfBone& other : cinf.bones)
        if (other.parentId == bone.id)
            links.push_back(other.id);
    return links;
}

}  // namespace

Json toJson(const Cinf& cinf, const core::Diagnostics& diagnostics) {
    ShownNames bones;
    for (std::size_t i = 0; i < cinf.bones.size(); ++i)
        bones.try_emplace(cinf.bones[i].id, i);
    ShownNames shown;
    for (std::size_t i = 0; i < cinf.names.size(); ++i)
        shown.try_emplace(cinf.names[i].id, i);
    Json joints = Json::array();
    for (std::size_t i = 0; i < cinf.bones.size(); ++i)
        joints.push_back(jointToJson(cinf, i, shown, bones));
    return {{"schema", 1},
            {"format", "metroid-cinf"},
            {"game", gameName(cinf.game)},
            {"joints", std::move(joints)},
            {"joints_present", idsOf(cinf)},
            {"build_order", cinf.buildOrder},
            {"names", namesToJson(cinf, shown, bones)},
            {"content_size", encodeCinf(cinf).size() - cinf.padding.size()},
            {"padding", toHex(cinf.padding)},
            {"warnings", warningsToJson(diagnostics)}};
}

Cinf cinfFromJson(const JsonReader& json, core::Diagnostics& diagnostics) {
    Cinf cinf;
    cinf.game = gameFromJson(json.at("game"));
    const JsonReader joints = json.at("joints");
    for (std::size_t i = 0; i < joints.size(); ++i)
        cinf.bones.push_back(boneFromJson(joints.at(i), cinf.game));
    for (std::size_t i = 0; i < joints.size(); ++i)
        readParent(joints.at(i), cinf, cinf.bones[i]);
    if (const std::optional<std::size_t> bone = findCircle(cinf)) {
        const JsonReader joint = joints.at(*bone);
        joint.at(joint.has("parent") ? "parent" : "parent_id").fail("a parent that is not below this joint");
    }
    DerivedMembers derived;
    derived.expect(json, "joints_present", idsOf(cinf));
    for (std::size_t i = 0; i < joints.size(); ++i)
        derived.expect(joints.at(i), "index", i);
    const bool rebuilt = isRebuilt(json, cinf);
    for (std::size_t i = 0; i < joints.size(); ++i)
        cinf.bones[i].links = !rebuilt && joints.at(i).has("links") ? joints.at(i).at("links").integers<std::uint32_t>()
                                                                    : linksOf(cinf.bones[i], cinf);
    if (rebuilt)
        diagnostics.warn(core::Code::recomputed, joints.place(),
                         "were changed, or have different parents; links and build_order are rewritten");
    if (json.has("build_order") && !rebuilt) {
        cinf.buildOrder = json.at("build_order").integers<std::uint32_t>();
    } else {
        for (const std::size_t bone : parentsFirst(cinf))
            cinf.buildOrder.push_back(cinf.bones[bone].id);
    }
    cinf.names = namesFromJson(json, cinf);
    if (json.has("names") && json.at("names").size() < cinf.names.size())
        diagnostics.note(core::Code::recomputed, json.at("names").place(),
                         fmt::format("does not contain {} of the named joints; they are added at the end",
                                     cinf.names.size() - json.at("names").size()));
    cinf.padding = paddingFromJson(json, encodeCinf(cinf).size(), derived, diagnostics);
    derived.report(diagnostics);
    if (gameShownBy(encodeCinf(cinf)) != cinf.game)
        noteHiddenGame(cinf.game, diagnostics);
    return cinf;
}

}  // namespace reanima::metroid
