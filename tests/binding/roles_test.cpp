// Roles of joints: by names with and without a family, by motion, and for objects that are not bodies. Names and trees
// come from the rigs' own documents. Positions are chosen by hand.

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>

#include "binding/roles/body_points.h"
#include "binding/roles/families.h"
#include "binding/roles/motion_anatomy.h"
#include "binding/roles/name_anatomy.h"
#include "binding/roles/role_links.h"
#include "binding/roles/role_matches.h"
#include "core/decode_error.h"
#include "core/pose.h"

namespace reanima::roles {
namespace {

using core::Skeleton;

/// A skeleton from rows of name, parent, and position in model space. Joints have no rotations.
struct Row {
    std::string name;
    std::string parent;
    glm::vec3 place;
};

Skeleton skeletonOf(const std::vector<Row>& rows) {
    Skeleton skeleton;
    skeleton.name = "rig";
    skeleton.hasRest = true;
    std::map<std::string, std::pair<int, glm::vec3>> known;
    for (const Row& row : rows) {
        core::Joint joint;
        joint.name = row.name;
        glm::vec3 from(0);
        if (!row.parent.empty()) {
            joint.parent = known.at(row.parent).first;
            from = known.at(row.parent).second;
        }
        joint.rest.translation = row.place - from;
        known[row.name] = {static_cast<int>(skeleton.joints.size()), row.place};
        skeleton.joints.push_back(joint);
    }
    return skeleton;
}

/// A person of 1.7 m in T pose, with part names from `name`.
std::vector<Row> person(const std::function<std::string(std::string, char)>& name) {
    const auto mid = [&](const char* part) { return name(part, 'm'); };
    std::vector<Row> rows = {{mid("ground"), "", {0, 0, 0}},
                             {mid("hips"), mid("ground"), {0, 0.95F, 0}},
                             {mid("spine"), mid("hips"), {0, 1.05F, 0}},
                             {mid("chest"), mid("spine"), {0, 1.25F, 0}},
                             {mid("neck"), mid("chest"), {0, 1.45F, 0}},
                             {mid("head"), mid("neck"), {0, 1.55F, 0}},
                             {mid("crown"), mid("head"), {0, 1.7F, 0}}};
    for (const char side : {'l', 'r'}) {
        const float s = side == 'l' ? 1.0F : -1.0F;
        const auto of = [&](const char* part) { return name(part, side); };
        rows.push_back({of("shoulder"), mid("chest"), {s * 0.03F, 1.4F, 0}});
        rows.push_back({of("upperArm"), of("shoulder"), {s * 0.18F, 1.4F, 0}});
        rows.push_back({of("lowerArm"), of("upperArm"), {s * 0.46F, 1.4F, 0}});
        rows.push_back({of("hand"), of("lowerArm"), {s * 0.71F, 1.4F, 0}});
        rows.push_back({of("upperLeg"), mid("hips"), {s * 0.1F, 0.9F, 0}});
        rows.push_back({of("lowerLeg"), of("upperLeg"), {s * 0.1F, 0.5F, 0.01F}});
        rows.push_back({of("foot"), of("lowerLeg"), {s * 0.1F, 0.08F, 0}});
        rows.push_back({of("toes"), of("foot"), {s * 0.1F, 0.02F, 0.12F}});
    }
    return rows;
}

std::vector<Row> unrealPerson() {
    const std::map<std::string, std::string> names = {
        {"ground", "root"},       {"hips", "pelvis"},       {"spine", "spine_01"}, {"chest", "spine_02"},
        {"neck", "neck_01"},      {"head", "head"},         {"crown", "head_end"}, {"shoulder", "clavicle"},
        {"upperArm", "upperarm"}, {"lowerArm", "lowerarm"}, {"hand", "hand"},      {"upperLeg", "thigh"},
        {"lowerLeg", "calf"},     {"foot", "foot"},         {"toes", "ball"}};
    return person([&](const std::string& part, char side) {
        return names.at(part) + (side == 'm' ? "" : std::string("_") + side);
    });
}

Skeleton unreal() { return skeletonOf(unrealPerson()); }

Skeleton numbered() {
    int next = 0;
    std::map<std::string, std::string> given;
    return skeletonOf(person([&](const std::string& part, char side) {
        std::string& name = given[part + side];
        if (name.empty())
            name = "bone" + std::to_string(next++);
        return name;
    }));
}

std::string roleIn(const Skeleton& skeleton, const Anatomy& anatomy, const std::string& joint) {
    return nameOf(anatomy.roles[*skeleton.find(joint)]);
}

core::JointTrack turning(std::uint32_t joint, const glm::vec3& axis) {
    core::JointTrack track;
    track.joint = joint;
    for (const float angle : {0.0F, 0.2F, -0.2F})
        track.rotation.values.push_back(glm::angleAxis(angle, axis));
    return track;
}

core::Clip clipTurning(const Skeleton& skeleton) {
    core::Clip clip;
    clip.frames = 3;
    clip.rate = 30;
    clip.timelines = {core::frameTimes(3, 30)};
    for (std::uint32_t joint = 1; joint < skeleton.joints.size(); ++joint)
        clip.tracks.push_back(turning(joint, {1, 0, 0}));
    return clip;
}

/// One frame with a rotation of one joint about X.
core::Clip clipOfOneTurn(std::uint32_t joint, float radians) {
    core::Clip clip;
    clip.frames = 1;
    clip.rate = 30;
    clip.timelines = {{0}};
    core::JointTrack track;
    track.joint = joint;
    track.rotation.values.push_back(glm::angleAxis(radians, glm::vec3(1, 0, 0)));
    clip.tracks.push_back(track);
    return clip;
}

TEST(Roles, HaveTheNamesOfVrm) {
    EXPECT_EQ(nameOf({Part::upperArm, Side::left, 0}), "leftUpperArm");
    EXPECT_EQ(nameOf({Part::thumb, Side::right, 0}), "rightThumbMetacarpal");
    EXPECT_EQ(nameOf({Part::little, Side::right, 2}), "rightLittleDistal");
    EXPECT_EQ(nameOf({Part::ground, Side::middle, 0}), "ground");
}

TEST(Roles, AreReadHoweverTheyAreWritten) {
    const Role arm{Part::upperArm, Side::left, 0};
    for (const char* text : {"leftUpperArm", "upper arm left", "UpperArm_L", "LEFT upper-arm"})
        EXPECT_EQ(roleNamed(text), arm) << text;
    EXPECT_EQ(roleNamed("upperChest"), (Role{Part::spine, Side::middle, 0}));
    EXPECT_EQ(roleNamed("rightRingIntermediate"), (Role{Part::ring, Side::right, 1}));
    EXPECT_EQ(roleNamed("weapon"), (Role{Part::weapon, Side::middle, 0}));
    EXPECT_EQ(roleNamed("upperArm"), std::nullopt);  // the side is missing
    EXPECT_EQ(roleNamed("door"), std::nullopt);
}

TEST(Families, EachHasAnUnmistakableSetOfNamesWithRoles) {
    for (const Family& family : families()) {
        EXPECT_FALSE(family.name.empty());
        EXPECT_FALSE(family.unmistakable.empty());
        const auto spaces = std::count(family.unmistakable.begin(), family.unmistakable.end(), ' ');
        EXPECT_EQ(plainName(family.unmistakable).size() + static_cast<std::size_t>(spaces), family.unmistakable.size())
            << family.name;  // the form of plainName()
    }
}

TEST(Names, OfUnrealTellTheGroundFromTheHips) {
    const Skeleton rig = unreal();
    const Anatomy anatomy = anatomyOfRig(rig);
    EXPECT_EQ(anatomy.family, "Unreal Engine");
    EXPECT_GE(anatomy.confidence, kCertain);
    EXPECT_EQ(roleIn(rig, anatomy, "root"), "ground");
    EXPECT_EQ(roleIn(rig, anatomy, "pelvis"), "hips");
    EXPECT_EQ(roleIn(rig, anatomy, "lowerarm_r"), "rightLowerArm");
    EXPECT_EQ(roleIn(rig, anatomy, "head_end"), "end");
}

TEST(Names, OfAFamilyMayHaveAnythingInFront) {
    for (const std::string front : {"mixamorig:", "mixamorig7:", "Hero_", "mixamorig_"}) {
        const std::map<std::string, std::string> names = {
            {"ground", "stand"}, {"hips", "Hips"},        {"spine", "Spine"},       {"chest", "Spine1"},
            {"neck", "Neck"},    {"head", "Head"},        {"crown", "HeadTop_End"}, {"shoulder", "Shoulder"},
            {"upperArm", "Arm"}, {"lowerArm", "ForeArm"}, {"hand", "Hand"},         {"upperLeg", "UpLeg"},
            {"lowerLeg", "Leg"}, {"foot", "Foot"},        {"toes", "ToeBase"}};
        const Skeleton rig = skeletonOf(person([&](const std::string& part, char side) {
            return front + (side == 'm' ? "" : side == 'l' ? "Left" : "Right") + names.at(part);
        }));
        const Anatomy anatomy = anatomyOfRig(rig);
        EXPECT_EQ(anatomy.family, "Mixamo") << front;
        EXPECT_EQ(roleIn(rig, anatomy, front + "LeftArm"), "leftUpperArm");
        EXPECT_EQ(roleIn(rig, anatomy, front + "LeftLeg"), "leftLowerLeg");
    }
}

TEST(Names, OfNoFamilyAreReadWordByWord) {
    const std::map<std::string, std::string> names = {
        {"ground", "base"},       {"hips", "pelvis"},    {"spine", "belly"}, {"chest", "ribcage"},
        {"neck", "neck"},         {"head", "skull"},     {"crown", "tip"},   {"shoulder", "collarbone"},
        {"upperArm", "shoulder"}, {"lowerArm", "elbow"}, {"hand", "wrist"},  {"upperLeg", "femur"},
        {"lowerLeg", "knee"},     {"foot", "ankle"},     {"toes", "toe"}};
    const Skeleton rig = skeletonOf(person([&](const std::string& part, char side) {
        return "jnt_" + names.at(part) + (side == 'm' ? "" : side == 'l' ? "_Lft" : "_Rgt");
    }));
    const Anatomy anatomy = anatomyOfRig(rig);
    EXPECT_EQ(anatomy.from, Anatomy::From::names);
    EXPECT_GE(anatomy.confidence, kCertain) << anatomy.seen;
    EXPECT_EQ(roleIn(rig, anatomy, "jnt_shoulder_Lft"), "leftUpperArm");  // below a collar bone
    EXPECT_EQ(roleIn(rig, anatomy, "jnt_base"), "ground");
}

TEST(Names, OfOptiTrackHaveOneLetterForUpperAndFore) {
    const std::map<std::string, std::string> names = {
        {"ground", "Skeleton"}, {"hips", "Hip"},      {"spine", "Ab"},      {"chest", "Chest"},
        {"neck", "Neck"},       {"head", "Head"},     {"crown", "HeadEnd"}, {"shoulder", "Shoulder"},
        {"upperArm", "UArm"},   {"lowerArm", "FArm"}, {"hand", "Hand"},     {"upperLeg", "Thigh"},
        {"lowerLeg", "Shin"},   {"foot", "Foot"},     {"toes", "Toe"}};
    const Skeleton rig = skeletonOf(person([&](const std::string& part, char side) {
        return (side == 'm' ? "" : side == 'l' ? "L" : "R") + names.at(part);
    }));
    const Anatomy anatomy = anatomyOfRig(rig);
    EXPECT_GE(anatomy.confidence, kCertain) << anatomy.seen;
    EXPECT_EQ(roleIn(rig, anatomy, "LUArm"), "leftUpperArm");
    EXPECT_EQ(roleIn(rig, anatomy, "RFArm"), "rightLowerArm");
}

TEST(Names, OfABodyOnFourLegsMakeNoHumanoid) {
    std::vector<Row> rows = unrealPerson();
    for (Row& row : rows) {  // a level back, the hands on the ground
        if (row.place.y > 0.95F)
            row.place = {row.place.x, 0.95F, row.place.y - 0.95F};
        const std::map<std::string, float> heights = {{"upperarm", 0.9F}, {"lowerarm", 0.5F}, {"hand", 0.05F}};
        if (const auto height = heights.find(row.name.substr(0, row.name.find('_'))); height != heights.end())
            row.place = {row.place.x > 0 ? 0.15F : -0.15F, height->second, 0.4F};
    }
    const Anatomy anatomy = anatomyOfRig(skeletonOf(rows));
    EXPECT_LT(anatomy.confidence, kCertain);
    EXPECT_EQ(anatomy.seen, "four legs");
}

/// `Anatomy::seen` of an Unreal person after `change` moved some parts.
std::string seenIn(const std::function<void(Row&)>& change) {
    std::vector<Row> rows = unrealPerson();
    for (Row& row : rows)
        change(row);
    const Anatomy anatomy = anatomyOfRig(skeletonOf(rows));
    EXPECT_LT(anatomy.confidence, kCertain);
    return anatomy.seen;
}

TEST(Names, OfPosturesThatNoPersonRestsInMakeNoHumanoid) {
    EXPECT_EQ(seenIn([](Row& row) {
                  if (row.name == "calf_l" || row.name == "foot_l")
                      row.place.y = 0.7F;
              }),
              "left and right limbs of different length");
    EXPECT_EQ(
        seenIn([](Row& row) {  // upright, with arms that reach down
            const std::map<std::string, float> heights = {{"upperarm", 1.4F}, {"lowerarm", 0.7F}, {"hand", 0.05F}};
            const auto height = heights.find(row.name.substr(0, row.name.find('_')));
            if (height != heights.end())
                row.place = {row.place.x > 0 ? 0.2F : -0.2F, height->second, 0};
        }),
        "hands on the ground");
    EXPECT_EQ(seenIn([](Row& row) {  // bent forward by a right angle
                  if (row.place.y > 0.95F)
                      row.place = {row.place.x, 0.95F, row.place.y - 0.95F};
              }),
              "a horizontal back");
    EXPECT_EQ(seenIn([](Row& row) { row.place.x = -row.place.x; }),
              "left and right are exchanged, according to the toes");
}

TEST(Names, OfSidesAreComparedWithTheMotion) {
    Skeleton source = unreal();
    const core::Clip standing = clipTurning(source);  // in its first frame, no joint is turned
    const glm::quat about = glm::angleAxis(glm::radians(180.0F), glm::vec3(0, 1, 0));
    for (const char* foot : {"foot_l", "foot_r"})
        source.joints[*source.find(foot)].rest.rotation = about;
    source.joints[*source.find("thigh_l")].rest.rotation =
        glm::angleAxis(1.0F, glm::vec3(1, 0, 0));  // a bundle of bones
    EXPECT_EQ(anatomyOfSource(source, {standing}).seen, "");
    EXPECT_EQ(anatomyOfSource(source, {}).seen, "left and right are exchanged, according to the toes");
}

TEST(Names, OfSidesAreNotExchangedByKneeling) {
    const Skeleton source = unreal();
    core::Clip kneeling = clipTurning(source);
    for (const auto& [joint, degrees] : {std::pair("calf_l", 90.0F), std::pair("calf_r", 90.0F),
                                         std::pair("foot_l", 60.0F), std::pair("foot_r", 60.0F)}) {
        core::JointTrack* track = kneeling.trackOf(*source.find(joint));
        track->rotation.values.assign(3, glm::angleAxis(glm::radians(degrees), glm::vec3(1, 0, 0)));
    }
    EXPECT_EQ(anatomyOfSource(source, {kneeling}).seen, "");
}

TEST(Names, OfSidesThatAreExchangedCountIfTheyAreStated) {
    std::vector<Row> rows = unrealPerson();
    StatedRoles stated;
    for (Row& row : rows)
        row.place.x = -row.place.x;
    const Skeleton rig = skeletonOf(rows);
    const Anatomy asNamed = anatomyOfRig(unreal());
    for (std::uint32_t joint = 0; joint < rig.joints.size(); ++joint)
        if (isBody(asNamed.roles[joint].part))
            stated[rig.joints[joint].name] = nameOf(asNamed.roles[joint]);
    const Anatomy anatomy = anatomyOfRig(rig, stated);
    EXPECT_EQ(anatomy.seen, "");
    EXPECT_GE(anatomy.confidence, kCertain);
}

TEST(Names, OfABodyInDisorderSayWhatIsMissing) {
    const Skeleton rig = unreal();
    const auto missingAfter = [&](const std::function<void(std::vector<Role>&)>& change) {
        Anatomy anatomy = anatomyOfRig(rig);
        change(anatomy.roles);
        return missingParts(rig, anatomy);
    };
    const auto joint = [&](const char* name) { return *rig.find(name); };
    EXPECT_EQ(missingAfter([&](std::vector<Role>&) {}), "");
    EXPECT_EQ(missingAfter([&](std::vector<Role>& roles) { roles[joint("head")] = {}; }), "no head");
    EXPECT_EQ(missingAfter([&](std::vector<Role>& roles) { roles[joint("pelvis")] = {}; }), "no hips");
    EXPECT_EQ(
        missingAfter([&](std::vector<Role>& roles) { std::swap(roles[joint("pelvis")], roles[joint("ball_l")]); }),
        "a head that is not connected to the hips");
    EXPECT_EQ(missingAfter(
                  [&](std::vector<Role>& roles) { std::swap(roles[joint("upperarm_r")], roles[joint("lowerarm_r")]); }),
              "upperarm_r is not below lowerarm_r");
}

TEST(StatedRoles, WinOverNames) {
    const Skeleton rig = numbered();
    EXPECT_EQ(roleIn(rig, anatomyOfRig(rig), "bone10"), "leftHand");
    EXPECT_EQ(anatomyByMotion(rig, {}).seen, "its shape is not conclusive");
    StatedRoles roles;
    int i = 0;
    for (const char* role : {"ground", "hips", "spine", "chest", "neck", "head", ""}) {
        if (*role != '\0')
            roles["bone" + std::to_string(i)] = role;
        ++i;
    }
    for (const std::string side : {"right", "left"})
        for (const char* part : {"Shoulder", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot", "Toes"})
            roles["bone" + std::to_string(i++)] = side + part;
    const Anatomy anatomy = anatomyOfRig(rig, roles);
    EXPECT_EQ(anatomy.confidence, 1);
    EXPECT_EQ(anatomy.from, Anatomy::From::stated);
    EXPECT_EQ(roleIn(rig, anatomy, "bone10"), "rightHand");
}

TEST(Motion, TellsTheJointsOfNumberedBones) {
    const Skeleton source = numbered();
    const Anatomy anatomy = anatomyByMotion(source, {clipTurning(source)});
    EXPECT_GE(anatomy.confidence, kCertain) << anatomy.seen;
    const std::vector<std::string> expected = {"",
                                               "hips",
                                               "spine",
                                               "spine",
                                               "neck",
                                               "head",
                                               "",
                                               "leftShoulder",
                                               "leftUpperArm",
                                               "leftLowerArm",
                                               "leftHand",
                                               "leftUpperLeg",
                                               "leftLowerLeg",
                                               "leftFoot",
                                               ""};
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(nameOf(anatomy.roles[i]), expected[i]) << i;
    EXPECT_EQ(nameOf(anatomy.roles[16]), "rightUpperArm");
}

/// The roles of a person with further joints.
/// @param without names of joints to leave out; their children become children of the chest
/// @param still names of joints that never rotate
std::map<std::string, std::string> rolesWith(const std::vector<Row>& further, const std::set<std::string>& without = {},
                                             const std::set<std::string>& still = {}) {
    std::vector<Row> rows = person([](const std::string& part, char side) { return part + side; });
    rows.insert(rows.end(), further.begin(), further.end());
    std::erase_if(rows, [&](const Row& row) { return without.contains(row.name); });
    for (Row& row : rows)
        if (without.contains(row.parent))
            row.parent = "chestm";
    const Skeleton source = skeletonOf(rows);
    core::Clip clip = clipTurning(source);
    std::erase_if(clip.tracks,
                  [&](const core::JointTrack& track) { return still.contains(source.joints[track.joint].name); });
    const Anatomy anatomy = anatomyByMotion(source, {clip});
    EXPECT_GE(anatomy.confidence, kCertain) << anatomy.seen;
    std::map<std::string, std::string> roles;
    for (std::size_t joint = 0; joint < source.joints.size(); ++joint)
        roles[source.joints[joint].name] = nameOf(anatomy.roles[joint]);
    return roles;
}

TEST(Motion, OfWhoHoldsThingsIsAPersons) {
    auto roles = rolesWith({{"shield", "handl", {0.77F, 1.34F, 0}},
                            {"sword", "handr", {-0.75F, 1.4F, 0.03F}},
                            {"point", "sword", {-0.75F, 1.5F, 0.8F}}});
    EXPECT_EQ(roles["handl"], "leftHand");
    EXPECT_EQ(roles["handr"], "rightHand");
    EXPECT_EQ(roles["lowerArmr"], "rightLowerArm");
}

TEST(Motion, AnEndOfNoLengthIsNoHead) {
    auto roles = rolesWith({{"end", "headm", {0, 1.55F, 0}}}, {"crownm"}, {"end"});
    EXPECT_EQ(roles["headm"], "head");
    EXPECT_EQ(roles["neckm"], "neck");
}

TEST(Motion, AHeadOnTheChestIsTheHead) {
    auto roles = rolesWith({{"head", "chestm", {0, 1.55F, 0}}}, {"neckm", "headm", "crownm"});
    EXPECT_EQ(roles["head"], "head");
    EXPECT_EQ(roles["chestm"], "spine");
}

TEST(Motion, AStillFaceIsNoHead) {
    auto roles = rolesWith({{"browl", "headm", {0.03F, 1.65F, 0.08F}},
                            {"hairl", "browl", {0.03F, 1.75F, 0.06F}},
                            {"browr", "headm", {-0.03F, 1.65F, 0.08F}}},
                           {}, {"browl", "browr", "hairl", "crownm"});
    EXPECT_EQ(roles["headm"], "head");
    EXPECT_EQ(roles["neckm"], "neck");
}

TEST(Motion, EarsAreNoHead) {
    auto roles = rolesWith({{"earl", "headm", {0.05F, 1.7F, 0}},
                            {"tipl", "earl", {0.08F, 1.85F, 0}},
                            {"earr", "headm", {-0.05F, 1.7F, 0}},
                            {"tipr", "earr", {-0.08F, 1.85F, 0}}},
                           {"crownm"});
    EXPECT_EQ(roles["headm"], "head");
    EXPECT_EQ(roles["neckm"], "neck");
    EXPECT_EQ(roles["earl"], "");
    roles = rolesWith({{"hood", "neckm", {0, 1.45F, -0.1F}}, {"crest", "hood", {0, 1.45F, -0.25F}}});
    EXPECT_EQ(roles["headm"], "head");
}

TEST(Motion, AWrongFrameHardlyChangesALength) {
    std::vector<Row> rows = person([](const std::string& part, char side) { return part + side; });
    const Skeleton source = skeletonOf(rows);
    core::Clip clip = clipTurning(source);
    const std::uint32_t foot = *source.find("footl");
    const glm::vec3 place = source.joints[foot].rest.translation;
    clip.trackOf(foot)->translation.values = {place, place * 2.5F, place};
    EXPECT_EQ(anatomyByMotion(source, {clip}).seen, "");
}

TEST(Motion, ChainsOnABoneAreNoLimbs) {
    std::vector<Row> rows = person([](const std::string& part, char side) { return part + side; });
    rows.push_back({"twist", "lowerArml", {0.6F, 1.4F, 0}});
    rows.push_back({"end", "twist", {0.65F, 1.4F, 0}});
    rows.push_back({"beside", "lowerArmr", {-0.6F, 1.5F, 0}});
    const Skeleton source = skeletonOf(rows);
    const BodyPoints points(source, {clipTurning(source)});
    const auto isLeaf = [&](const std::string& name) {
        return std::ranges::find(points.leaves(), *source.find(name)) != points.leaves().end();
    };
    EXPECT_FALSE(isLeaf("end"));
    EXPECT_TRUE(isLeaf("beside"));
    EXPECT_TRUE(isLeaf("handl"));
}

TEST(Motion, AContainerBelowABodyIsNeitherItsFloorNorItsHips) {
    std::vector<Row> rows = person([](const std::string& part, char side) { return part + side; });
    for (Row& row : rows)
        if (row.name != "groundm")
            row.place.y += 2;
    const Skeleton raised = skeletonOf(rows);
    EXPECT_EQ(anatomyByMotion(raised, {clipTurning(raised)}).seen, "");
    Skeleton begun = raised;  // the hips begin at the container and leave it
    const std::uint32_t hips = *begun.find("hipsm");
    begun.joints[hips].rest.translation = {0, 0, 0};
    core::Clip clip = clipTurning(begun);
    core::JointTrack* track = clip.trackOf(hips);
    track->translation.values = {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}};
    const Anatomy anatomy = anatomyByMotion(begun, {clip});
    EXPECT_EQ(anatomy.seen, "");
    EXPECT_EQ(roleIn(begun, anatomy, "hipsm"), "hips");
    EXPECT_EQ(roleIn(begun, anatomy, "groundm"), "");
}

TEST(Motion, AChestThatCarriesBothArmsIsNoCollarBone) {
    auto roles = rolesWith({}, {"shoulderl", "shoulderr"});
    EXPECT_EQ(roles["chestm"], "spine");
    EXPECT_EQ(roles["upperArml"], "leftUpperArm");
}

/// `Anatomy::seen` for the motion of a numbered person; `change` moves parts, or removes them by returning false.
/// Parts: `lowerLegl`.
std::string seenInMotion(const std::function<bool(const std::string& part, glm::vec3& place)>& change) {
    std::vector<Row> rows = person([](const std::string& part, char side) { return part + side; });
    std::erase_if(rows, [&](Row& row) { return !change(row.name, row.place); });
    const Skeleton source = skeletonOf(rows);
    return anatomyByMotion(source, {clipTurning(source)}).seen;
}

TEST(Motion, TellsWhatSpeaksAgainstAPerson) {
    using Place = glm::vec3;
    EXPECT_EQ(seenInMotion([](const std::string&, Place&) { return true; }), "");
    EXPECT_EQ(seenInMotion([](const std::string& part, Place& place) {
                  if (part.starts_with("lowerLeg"))
                      place.y = 0.8F;
                  return true;
              }),
              "limbs with bones of very different lengths");
    EXPECT_EQ(seenInMotion([](const std::string& part, Place& place) {
                  if (place.y > 0.95F && part != "groundm")
                      place = {place.x, 0.95F, place.y - 0.95F};
                  return true;
              }),
              "a horizontal back");
}

TEST(Shape, OfABodyThatFacesAheadEndsAtTheAnkles) {
    std::vector<Row> rows = person([](const std::string& part, char side) { return part + side; });
    std::erase_if(rows, [](const Row& row) { return row.name.starts_with("toes") || row.name == "crownm"; });
    for (Row& row : rows)
        if (row.name.starts_with("lowerLeg"))
            row.place.z = -0.05F;  // knees that bend backwards are evidence of the opposite
    const Skeleton rig = skeletonOf(rows);
    EXPECT_LT(anatomyByMotion(rig, {}).confidence, kCertain);
    const Anatomy anatomy = anatomyByMotion(rig, {}, {}, Facing::ahead);
    EXPECT_GE(anatomy.confidence, kCertain) << anatomy.seen;
    EXPECT_EQ(roleIn(rig, anatomy, "upperLegl"), "leftUpperLeg");
    EXPECT_EQ(roleIn(rig, anatomy, "footr"), "rightFoot");
    EXPECT_EQ(roleIn(rig, anatomy, "handl"), "leftHand");
    EXPECT_EQ(roleIn(rig, anatomy, "headm"), "head");
}

/// `Anatomy::seen` for the shape of that person.
std::string seenInShape(const std::function<bool(const std::string& part, glm::vec3& place)>& change) {
    std::vector<Row> rows = person([](const std::string& part, char side) { return part + side; });
    std::erase_if(rows, [&](Row& row) { return !change(row.name, row.place); });
    return anatomyByMotion(skeletonOf(rows), {}).seen;
}

TEST(Shape, TellsWhatSpeaksAgainstAPerson) {
    using Place = glm::vec3;
    EXPECT_EQ(seenInShape([](const std::string& part, Place&) { return !part.starts_with("toes"); }),
              "legs without feet");
    EXPECT_EQ(seenInShape([](const std::string& part, Place& place) {
                  if (part == "handr")  // 0.2 m beyond the elbow instead of 0.25
                      place.x = -0.66F;
                  return true;
              }),
              "left and right differ in length");
    EXPECT_EQ(seenInShape([](const std::string& part, Place& place) {
                  if (part.starts_with("toes"))
                      place = {place.x, 0.7F, 0.4F};  // drawn up
                  return true;
              }),
              "no two legs that reach the ground");
    EXPECT_EQ(seenInShape([](const std::string& part, Place& place) {
                  if (part.starts_with("lowerArm") || part.starts_with("hand"))  // arms of 1.6 m, straight up
                      place = {place.x > 0 ? 0.18F : -0.18F, part.starts_with("hand") ? 3.0F : 2.2F, 0};
                  return true;
              }),
              "a head that is not on top");
}

/// A person whose joint names state nothing: Russian and French words, none of which states a side.
const std::map<std::string, std::string> kForeign = {{"ground", "\u043f\u043e\u043b"},
                                                     {"hips", "bassin"},
                                                     {"spine", "colonne"},
                                                     {"chest", "torse"},
                                                     {"neck", "cou"},
                                                     {"head", "t\u00eate"},
                                                     {"crown", "sommet"},
                                                     {"shoulder", "clavicule"},
                                                     {"upperArm", "\u043f\u043b\u0435\u0447\u043e"},
                                                     {"lowerArm", "coude"},
                                                     {"hand", "\u043a\u0438\u0441\u0442\u044c"},
                                                     {"upperLeg", "cuisse"},
                                                     {"lowerLeg", "genou"},
                                                     {"foot", "\u0441\u0442\u043e\u043f\u0430"},
                                                     {"toes", "orteils"}};

/// @param change changes the position of a part; if it returns false, the part is left out
std::vector<Row> foreignPerson(const std::function<bool(const std::string& part, glm::vec3& place)>& change) {
    std::vector<Row> rows = person([](const std::string& part, char side) { return part + side; });
    std::erase_if(rows, [&](Row& row) { return !change(row.name, row.place); });
    const auto renamed = [](const std::string& name) {
        if (name.empty())
            return name;
        const std::string side = name.ends_with('l') ? " 1" : name.ends_with('r') ? " 2" : "";
        return kForeign.at(name.substr(0, name.size() - 1)) + side;
    };
    for (Row& row : rows) {
        row.name = renamed(row.name);
        row.parent = renamed(row.parent);
    }
    return rows;
}

const auto kAsItIs = [](const std::string&, glm::vec3&) { return true; };

void expectPerson(const Skeleton& rig, const Anatomy& anatomy) {
    EXPECT_EQ(anatomy.seen, "");
    EXPECT_DOUBLE_EQ(anatomy.confidence, 0.85);
    const std::map<std::string, std::string> parts = {
        {"shoulder", "Shoulder"}, {"upperArm", "UpperArm"}, {"lowerArm", "LowerArm"}, {"hand", "Hand"},
        {"upperLeg", "UpperLeg"}, {"lowerLeg", "LowerLeg"}, {"foot", "Foot"},         {"toes", "Toes"}};
    for (const auto& [part, role] : parts) {
        EXPECT_EQ(roleIn(rig, anatomy, kForeign.at(part) + " 1"), "left" + role);
        EXPECT_EQ(roleIn(rig, anatomy, kForeign.at(part) + " 2"), "right" + role);
    }
    for (const std::string part : {"ground", "hips", "spine", "neck", "head"})
        EXPECT_EQ(roleIn(rig, anatomy, kForeign.at(part)), part);
    EXPECT_EQ(roleIn(rig, anatomy, "torse"), "spine");
}

TEST(Rest, ShowsThePartsOfABodyWhoseNamesAreUnknown) {
    const Skeleton rig = skeletonOf(foreignPerson(kAsItIs));
    expectPerson(rig, anatomyOfRig(rig));
    const Skeleton turned = skeletonOf(foreignPerson([](const std::string&, glm::vec3& place) {
        place = {place.z, place.x, place.y};  // up is +Z, the front +X
        return true;
    }));
    expectPerson(turned, anatomyOfRig(turned));
    const Skeleton tall = skeletonOf(foreignPerson([](const std::string&, glm::vec3& place) {
        place *= 170.0F;
        return true;
    }));
    expectPerson(tall, anatomyOfRig(tall));
}

TEST(Rest, ShowsJointsBesideTheLimbs) {
    std::vector<Row> rows = foreignPerson(kAsItIs);
    for (const float s : {1.0F, -1.0F}) {
        const std::string side = s > 0 ? " 1" : " 2";
        const auto add = [&](const std::string& name, const std::string& parent, const glm::vec3& place) {
            rows.push_back({name + side, parent + side, place});
        };
        const auto into = [&](const std::string& name, const std::string& from, const std::string& to,
                              const glm::vec3& place) {
            const auto row = std::ranges::find(rows, to + side, &Row::name);
            row->parent = name + side;
            rows.insert(row, {name + side, from + side, place});
        };
        into("half", kForeign.at("upperArm"), "coude", {s * 0.32F, 1.4F, 0});
        into("quarter", "cuisse", "genou", {s * 0.1F, 0.7F, 0.005F});
        add("eye", "t\u00eate", {s * 0.03F, 1.6F, 0.08F});
        rows.back().parent = "t\u00eate";
        add("heel", kForeign.at("foot"), {s * 0.1F, 0, -0.05F});
        for (int finger = 0; finger < 4; ++finger) {
            const std::string f = "f" + std::to_string(finger);
            const float z = 0.03F - 0.02F * static_cast<float>(finger);
            add(f + "a", kForeign.at("hand"), {s * 0.73F, 1.4F, z / 2});  // a metacarpal bone
            for (int i = 0; i < 3; ++i)
                add(f + std::string(1, static_cast<char>('b' + i)), f + std::string(1, static_cast<char>('a' + i)),
                    {s * (0.8F + 0.03F * static_cast<float>(i)), 1.4F, z});
        }
        add("ta", kForeign.at("hand"), {s * 0.72F, 1.4F, 0.03F});
        add("tb", "ta", {s * 0.74F, 1.39F, 0.05F});
        add("tc", "tb", {s * 0.76F, 1.38F, 0.06F});
    }
    const Skeleton rig = skeletonOf(rows);
    const Anatomy anatomy = anatomyOfRig(rig);
    expectPerson(rig, anatomy);
    const std::map<std::string, std::string> others = {{"half 1", "twist"},
                                                       {"quarter 2", "twist"},
                                                       {"heel 1", "helper"},
                                                       {"ta 1", "leftThumbMetacarpal"},
                                                       {"tc 2", "rightThumbDistal"},
                                                       {"f0a 1", "helper"},
                                                       {"f0b 1", "leftIndexProximal"},
                                                       {"f1c 2", "rightMiddleIntermediate"},
                                                       {"f3d 1", "leftLittleDistal"}};
    for (const auto& [joint, role] : others)
        EXPECT_EQ(roleIn(rig, anatomy, joint), role) << joint;
}

TEST(Rest, ShowsLeftAndRightByTheFeetElseByNames) {
    const auto back = [](const std::string&, glm::vec3& place) {
        place = {-place.x, place.y, -place.z};
        return true;
    };
    const auto withoutToes = [](const std::string& part, glm::vec3&) { return !part.starts_with("toes"); };
    const Skeleton turned = skeletonOf(foreignPerson(back));
    expectPerson(turned, anatomyOfRig(turned));
    Skeleton silent = skeletonOf(foreignPerson(withoutToes));
    Anatomy anatomy = anatomyOfRig(silent);
    EXPECT_DOUBLE_EQ(anatomy.confidence, 0.6);
    EXPECT_EQ(anatomy.seen, "left and right can't be told apart");
    EXPECT_EQ(roleIn(silent, anatomy, "coude 1"), "leftLowerArm");  // a guess for a suggested mapping

    core::BodySurface shoes;  // of a body that faces back: 0.2 m from ankle to toes, 0.05 m to the heels
    shoes.points.resize(silent.joints.size());
    for (const std::string side : {" 1", " 2"})
        shoes.points[*silent.find(kForeign.at("foot") + side)] = {{0, -0.08F, -0.2F}, {0, -0.08F, 0.05F}};
    anatomy = anatomyOfRig(silent, {}, shoes);
    EXPECT_DOUBLE_EQ(anatomy.confidence, 0.85);
    EXPECT_EQ(roleIn(silent, anatomy, "coude 1"), "rightLowerArm");

    silent.joints[*silent.find("coude 1")].name = "coude_L";
    anatomy = anatomyOfRig(silent);
    EXPECT_DOUBLE_EQ(anatomy.confidence, 0.85) << anatomy.seen;
    EXPECT_EQ(roleIn(silent, anatomy, "genou 1"), "leftLowerLeg");
    Skeleton exchanged = turned;
    exchanged.joints[*exchanged.find("coude 1")].name = "coude_R";
    anatomy = anatomyOfRig(exchanged);
    EXPECT_LT(anatomy.confidence, kCertain);
    EXPECT_EQ(anatomy.seen, "left and right are exchanged, according to the toes");
}

/// `Anatomy::seen` of a rig with unknown names; its confidence is too low to be used.
std::string seenAtRest(const std::vector<Row>& rows) {
    const Anatomy anatomy = anatomyOfRig(skeletonOf(rows));
    EXPECT_LT(anatomy.confidence, kCertain);
    return anatomy.seen;
}

TEST(Rest, ShowsNoBodyIfThePartsAreNotClear) {
    using Place = glm::vec3;
    EXPECT_EQ(seenAtRest(foreignPerson([](const std::string& part, Place& place) {
                  if (part.ends_with('r'))
                      place.x -= 0.3F * place.y;
                  return true;
              })),
              "left and right do not mirror each other");
    EXPECT_EQ(seenAtRest(foreignPerson([](const std::string& part, Place&) {
                  return !part.starts_with("head") && !part.starts_with("crown") && !part.starts_with("neck");
              })),
              "no head");
    EXPECT_EQ(seenAtRest(foreignPerson([](const std::string& part, Place&) {
                  return !part.starts_with("foot") && !part.starts_with("toes");
              })),
              "no two legs");
    std::vector<Row> rows = foreignPerson(kAsItIs);
    for (const auto& [side, s] : {std::pair("a", 1.0F), std::pair("b", -1.0F)})
        for (int i = 0; i < 4; ++i)
            rows.push_back({std::string("wing") + side + std::to_string(i),
                            i == 0 ? "torse" : std::string("wing") + side + std::to_string(i - 1),
                            {s * (0.1F + 0.25F * static_cast<float>(i)), 1.5F, -0.1F}});
    EXPECT_EQ(seenAtRest(rows), "no two arms");
    EXPECT_EQ(seenAtRest({{"a", "", {0, 0, 0}}, {"b", "a", {1, 0, 0}}, {"c", "a", {-1, 0, 0}}}), "no pair of limbs");
    EXPECT_EQ(seenAtRest({{"a", "", {0, 0, 0}}}), "no two legs");
    rows = foreignPerson(kAsItIs);
    std::ranges::find(rows, "torse", &Row::name)->parent = kForeign.at("ground");
    EXPECT_EQ(seenAtRest(rows), "no hips that connect the limbs");
    rows = {{"0", "", {0, 0, 0}}};
    for (int i = 1; i <= 1000; ++i)
        rows.push_back({std::to_string(i), std::to_string(i - 1), {0, static_cast<float>(i), 0}});
    EXPECT_EQ(seenAtRest(rows), "more than 1000 joints, and no names of limbs");
}

TEST(Rest, ShowsTheHeadWithAndWithoutItsEnd) {
    const auto without = [](const std::string& name) {
        return [=](const std::string& part, glm::vec3&) { return !part.starts_with(name); };
    };
    const Skeleton endless = skeletonOf(foreignPerson(without("crown")));
    const Anatomy anatomy = anatomyOfRig(endless);
    EXPECT_EQ(roleIn(endless, anatomy, "t\u00eate"), "head");
    EXPECT_EQ(roleIn(endless, anatomy, "cou"), "neck");
    std::vector<Row> rows = foreignPerson(kAsItIs);
    std::erase_if(rows, [](const Row& row) { return row.name == "cou"; });
    std::ranges::find(rows, "t\u00eate", &Row::name)->parent = "torse";
    const Skeleton neckless = skeletonOf(rows);
    EXPECT_EQ(roleIn(neckless, anatomyOfRig(neckless), "t\u00eate"), "head");
}

/// A person whose joint names only state limb and side.
std::vector<Row> vaguelyNamed(const std::map<std::string, std::string>& names) {
    return person([&](const std::string& part, char side) {
        return names.at(part) + (side == 'm' ? "" : std::string("_") + side);
    });
}

const std::map<std::string, std::string> kVague = {
    {"ground", "body"}, {"hips", "torso_1"},   {"spine", "torso_2"},  {"chest", "torso_3"},  {"neck", "neck"},
    {"head", "head"},   {"crown", "top"},      {"shoulder", "arm_1"}, {"upperArm", "arm_2"}, {"lowerArm", "arm_3"},
    {"hand", "arm_4"},  {"upperLeg", "leg_1"}, {"lowerLeg", "leg_2"}, {"foot", "leg_3"},     {"toes", "leg_4"}};

TEST(Rest, AgreesWithVagueNames) {
    const Skeleton skeleton = skeletonOf(vaguelyNamed(kVague));
    const Anatomy anatomy = anatomyOfRig(skeleton, {});
    EXPECT_DOUBLE_EQ(anatomy.confidence, 0.85);
    EXPECT_EQ(anatomy.seen, "");
    EXPECT_EQ(roleIn(skeleton, anatomy, "arm_2_l"), "leftUpperArm");
    EXPECT_EQ(roleIn(skeleton, anatomy, "leg_3_r"), "rightFoot");
    EXPECT_EQ(roleIn(skeleton, anatomy, "neck"), "neck");
    EXPECT_EQ(roleIn(skeleton, anatomy, "head"), "head");
}

TEST(Rest, IsNotThatOfTipsThatAProgramAdded) {
    std::vector<Row> rows = vaguelyNamed(kVague);
    std::erase_if(rows, [](const Row& row) { return row.name == "top"; });
    Skeleton skeleton = skeletonOf(rows);
    const std::size_t count = skeleton.joints.size();
    for (std::size_t joint = 0; joint < count; ++joint) {
        if (std::ranges::any_of(skeleton.joints,
                                [&](const core::Joint& j) { return j.parent == static_cast<int>(joint); }))
            continue;
        core::Joint tip = skeleton.joints[joint];  // as far from the joint as the joint is from its parent
        tip.name += "_end";
        tip.parent = static_cast<int>(joint);
        skeleton.joints.push_back(tip);
    }
    ASSERT_GT(skeleton.joints.size(), count);
    const Anatomy anatomy = anatomyOfRig(skeleton, {});
    EXPECT_DOUBLE_EQ(anatomy.confidence, 0.85) << anatomy.seen;
    EXPECT_EQ(roleIn(skeleton, anatomy, "arm_2_l"), "leftUpperArm");
    EXPECT_EQ(roleIn(skeleton, anatomy, "arm_4_r"), "rightHand");
    EXPECT_EQ(roleIn(skeleton, anatomy, "head"), "head");
    EXPECT_EQ(roleIn(skeleton, anatomy, "head_end"), "end");
}

TEST(Rest, GivesTheHipsToTheJointOfThatName) {
    std::map<std::string, std::string> names = kVague;
    names["ground"] = "mass";
    names["hips"] = "pelvis";
    std::vector<Row> rows = vaguelyNamed(names);
    rows.front().place = rows[1].place;  // the parent of the hips is at their place
    const Skeleton skeleton = skeletonOf(rows);
    const Anatomy anatomy = anatomyOfRig(skeleton, {});
    EXPECT_GE(anatomy.confidence, kCertain);
    EXPECT_EQ(roleIn(skeleton, anatomy, "pelvis"), "hips");
}

TEST(Shape, OfABrushIsNoPerson) {
    std::vector<Row> rows = {{"handle", "", {0, 0, 0}}};
    for (int i = 0; i < 201; ++i)
        rows.push_back({"hair" + std::to_string(i), "handle", {static_cast<float>(i), 1, 0}});
    EXPECT_EQ(anatomyByMotion(skeletonOf(rows), {}).seen, "too many branches");
}

TEST(Motion, IsOfNoUseForAChain) {
    const Skeleton tail = skeletonOf({{"a", "", {0, 0, 0}}, {"b", "a", {0, 1, 0}}, {"c", "b", {0, 2, 0}}});
    EXPECT_EQ(anatomyByMotion(tail, {}).seen, "no two legs");
    EXPECT_EQ(anatomyByMotion(tail, {}).confidence, 0);
}

/// Anatomies with only a spine.
Anatomy spine(std::size_t joints) {
    Anatomy anatomy;
    anatomy.roles.assign(joints + 1, {Part::spine, Side::middle, 0});
    anatomy.roles[0] = {Part::hips, Side::middle, 0};
    return anatomy;
}

Skeleton chain(std::size_t joints) {
    Skeleton skeleton;
    for (std::size_t i = 0; i <= joints; ++i) {
        core::Joint joint;
        joint.name = "j" + std::to_string(i);
        joint.parent = static_cast<int>(i) - 1;
        joint.rest.translation = {0, 1, 0};
        skeleton.joints.push_back(joint);
    }
    return skeleton;
}

TEST(Links, SpreadASpineOverAnother) {
    const std::vector<RoleLink> links = linksByRoles(spine(3), chain(5), spine(5));
    ASSERT_EQ(links.size(), 6U);
    // The shares 1/5 .. 5/5 of three joints: 0.6, 1.2, 1.8, 2.4, 3.
    const std::vector<std::tuple<std::uint32_t, int, double>> expected = {
        {1, 0, 0.6}, {2, 1, 0.2}, {2, 1, 0.8}, {3, 2, 0.4}, {3, -1, 1}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto& [source, from, share] = expected[i];
        const motion::JointLink& link = links[i + 1].link;
        EXPECT_EQ(link.source, source) << i;
        EXPECT_EQ(link.mixedFrom ? static_cast<int>(*link.mixedFrom) : -1, from) << i;
        EXPECT_NEAR(link.share, share, 1e-12) << i;
    }
}

TEST(Links, SpreadTurnsBoundToALongerSpineAddUp) {
    const Skeleton source = chain(1);
    const Skeleton target = chain(3);
    const core::Clip clip = clipOfOneTurn(1, 0.9F);
    motion::Binding binding;
    binding.reference = core::restPose(source);
    for (const RoleLink& link : linksByRoles(spine(1), target, spine(3)))
        binding.links.push_back(link.link);
    const motion::BoundMotion bound = motion::bindClips(source, {clip}, target, binding);
    for (std::uint32_t joint = 1; joint <= 3; ++joint) {  // a third of the turn each
        const core::JointTrack* own = bound.clips[0].trackOf(joint);
        ASSERT_NE(own, nullptr);
        EXPECT_NEAR(2 * std::asin(static_cast<double>(own->rotation.values[0].x)), 0.3, 1e-6) << joint;
    }
}

TEST(Links, KeepWhatHangsOnTheRootBesideWhatCarriesIt) {
    // An export of only the deform joints. The arm is a child of the hips.
    const Skeleton rig =
        skeletonOf({{"hips", "", {0, 1, 0}}, {"spine", "hips", {0, 1.2F, 0}}, {"arm", "hips", {0.2F, 1.5F, 0}}});
    Anatomy anatomy;
    anatomy.roles = {{Part::hips, Side::middle, 0}, {Part::spine, Side::middle, 0}, {Part::shoulder, Side::left, 0}};
    const std::vector<RoleLink> links = linksByRoles(anatomy, rig, anatomy);
    ASSERT_EQ(links.size(), 3U);
    EXPECT_EQ(links[2].link.carrier, 1U);
    core::Clip clip;
    clip.frames = 1;
    clip.rate = 30;
    clip.timelines = {{0}};
    core::JointTrack track;
    track.joint = 1;
    track.rotation.values.push_back(glm::angleAxis(glm::radians(90.0F), glm::vec3(1, 0, 0)));
    clip.tracks.push_back(track);
    motion::Binding binding;
    binding.reference = core::restPose(rig);
    for (const RoleLink& link : links)
        binding.links.push_back(link.link);
    const motion::BoundMotion bound = motion::bindClips(rig, {clip}, rig, binding);
    // (0.2, 0.3, 0) above the spine's joint, turned by 90 degrees about X: (0.2, 0, 0.3).
    const glm::vec3 place = bound.clips[0].trackOf(2)->translation.values[0];
    EXPECT_NEAR(place.x, 0.2, 1e-6);
    EXPECT_NEAR(place.y, 0.2, 1e-6);
    EXPECT_NEAR(place.z, 0.3, 1e-6);
}

TEST(Links, ScaleByTheLegs) {
    const Skeleton small = unreal();
    Skeleton large = small;
    for (core::Joint& joint : large.joints)
        joint.rest.translation *= 3;
    const Anatomy anatomy = anatomyOfRig(small);
    EXPECT_NEAR(legRatio(small, anatomy, large, anatomy).value_or(0), 3, 1e-6);
}

TEST(Links, LeaveTheRolesOfJointsThatFollowNothing) {
    const Anatomy anatomy = anatomyOfRig(unreal());  // its toes show where a foot points
    const std::optional<LinkedRoles> linked = rolesAlong({}, {}, anatomy);
    ASSERT_TRUE(linked);
    EXPECT_EQ(linked->target.roles, anatomy.roles);
}

TEST(Links, LeaveTheRolesOfSourceJointsThatShowHowOthersRest) {
    std::vector<Row> rows = unrealPerson();
    rows.push_back({"index_01_l", "hand_l", {0.8F, 1.4F, 0}});
    const Skeleton source = skeletonOf(rows);
    const Anatomy own = anatomyOfRig(source);
    std::vector<motion::JointLink> links;
    for (const char* name : {"spine_02", "hand_l"})
        links.push_back({*source.find(name), *unreal().find(name), {1, 0, 0, 0}, {}, {}, 1, {}});
    const std::optional<LinkedRoles> linked = rolesAlong(links, own, anatomyOfRig(unreal()));
    ASSERT_TRUE(linked);
    const auto roleOf = [&](const char* name) { return roleIn(source, linked->source, name); };
    for (const char* shown : {"spine_01", "ball_l", "index_01_l"})
        EXPECT_EQ(roleOf(shown), roleIn(source, own, shown)) << shown;
    EXPECT_EQ(roleOf("lowerarm_l"), "");
}

TEST(Links, AreSummedUpInOneLine) {
    const Anatomy anatomy = anatomyOfRig(unreal());
    EXPECT_EQ(summaryOf(anatomy, linksByRoles(anatomy, unreal(), anatomy)),
              "Unreal Engine: 12 of 12 limbs, spine 2, neck 1, head; 2 joints keep the rest pose");
    std::vector<Row> rows = unrealPerson();
    rows.push_back({"index_01_l", "hand_l", {0.75F, 1.4F, 0}});
    const Skeleton pointing = skeletonOf(rows);
    const Anatomy withFinger = anatomyOfRig(pointing);
    EXPECT_EQ(summaryOf(withFinger, linksByRoles(withFinger, pointing, withFinger)),
              "Unreal Engine: 12 of 12 limbs, spine 2, neck 1, head, 1 of the fingers; 2 joints keep the rest pose");
}

TEST(TwistJoints, TakeTheirShareOfTheHandsRoll) {
    const Skeleton rig =
        skeletonOf({{"arm", "", {0, 1, 0}}, {"twist", "arm", {0.2F, 1, 0}}, {"hand", "arm", {0.4F, 1, 0}}});
    Anatomy anatomy;
    anatomy.roles = {{Part::lowerArm, Side::left, 0}, {Part::twist, Side::middle, 0}, {Part::hand, Side::left, 0}};
    const std::vector<motion::TwistShare> twists = twistsOf(rig, anatomy);
    ASSERT_EQ(twists.size(), 1U);
    EXPECT_NEAR(twists[0].share, 0.5, 1e-6);
    const core::Clip clip = clipOfOneTurn(2, 0.8F);
    motion::Binding binding;
    binding.reference = core::restPose(rig);
    binding.links = {{0, 0, {1, 0, 0, 0}, {}, {}, 1, {}}, {2, 2, {1, 0, 0, 0}, {}, {}, 1, {}}};
    binding.twists = twists;
    const motion::BoundMotion bound = motion::bindClips(rig, {clip}, rig, binding);
    ASSERT_NE(bound.clips[0].trackOf(1), nullptr);
    EXPECT_NEAR(2 * std::asin(static_cast<double>(bound.clips[0].trackOf(1)->rotation.values[0].x)), 0.4, 1e-6);
}

TEST(Matches, ARigWithTheSourcesOwnJointsIsItsOwn) {
    const Skeleton source = numbered();
    const std::vector<core::Clip> clips = {clipTurning(source)};
    EXPECT_TRUE(hasOwnJoints(source, clips, source));
    Skeleton other = source;
    other.joints[3].parent = 1;
    EXPECT_FALSE(hasOwnJoints(source, clips, other));
    other = source;
    other.joints[5].name = "other";
    EXPECT_FALSE(hasOwnJoints(source, clips, other));
    other = source;
    for (core::Joint& joint : other.joints)
        joint.rest.translation *= 100.0F;
    EXPECT_TRUE(hasOwnJoints(source, clips, other));
    other.joints[2].rest.translation *= 1.5F;  // another body with the same joint names
    EXPECT_FALSE(hasOwnJoints(source, clips, other));
    EXPECT_TRUE(hasJointsNamedAlike(source, clips, other));
}

TEST(Matches, SayWhichSideIsNotSurelyAHumanoid) {
    const Anatomy person = anatomyOfRig(unreal());
    Anatomy dog = person;
    dog.confidence = 0.1;
    dog.seen = "four legs";
    EXPECT_EQ(doubtOf(person, person), "");
    EXPECT_EQ(doubtOf(person, dog), "the rig is not recognised as a humanoid: four legs");
    EXPECT_EQ(doubtOf(dog, person), "the motion is not recognised as humanoid: four legs");
}

TEST(Matches, AFewNamesAreNoBinding) {
    const Skeleton source = numbered();
    const std::vector<core::Clip> clips = {clipTurning(source)};
    const std::vector<roles::JointMatch> matches = {{{1, 1, {1, 0, 0, 0}, {}, {}, 1, {}}, motion::MatchedBy::name}};
    try {
        requireMost(source, clips, matches, "the rig is not recognised as a humanoid: four legs");
        FAIL() << "one joint was enough";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(),
                     "names match only 1 of the 22 moving joints, and the rig is not recognised as a humanoid: four "
                     "legs. State in a mapping file which joint follows which (see option map=FILE)");
    }
}

TEST(Matches, OfAPersonMustHaveTheLimbs) {
    const Skeleton source = unreal();
    const Anatomy anatomy = anatomyOfRig(source);
    std::vector<roles::JointMatch> matches;
    for (std::uint32_t joint = 0; joint < source.joints.size(); ++joint)
        if (source.joints[joint].name != "calf_r")
            matches.push_back({{joint, joint, {1, 0, 0, 0}, {}, {}, 1, {}}, motion::MatchedBy::name});
    try {
        requireLimbs(anatomy, matches, "the rig is not recognised as a humanoid: no head");
        FAIL() << "taken";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(),
                     "names match no rightLowerLeg, and the rig is not recognised as a humanoid: no head. State in a "
                     "mapping file which joint follows which (see option map=FILE)");
    }
    matches.push_back({{*source.find("calf_r"), 0, {1, 0, 0, 0}, {}, {}, 1, {}}, motion::MatchedBy::name});
    EXPECT_NO_THROW(requireLimbs(anatomy, matches, "no matter"));
}

}  // namespace
}  // namespace reanima::roles
