#include "binding/roles/match_joints.h"

#include <gmock/gmock.h>

#include "binding/bind_plan.h"
#include "core/decode_error.h"

namespace reanima {
namespace {

using core::Skeleton;
using motion::MatchedBy;
using roles::JointMatch;

TEST(SimilarName, IsTheSameForWhatProgramsWriteDifferently) {
    for (const char* name :
         {"mixamorig:LeftUpLeg", "UpLeg.L", "l_up_leg", "LeftUpLeg", "Bip01 L UpLeg", "LUpLeg", "UP_LEG_left"})
        EXPECT_EQ(roles::similarName(name), "upleg left") << name;
    EXPECT_EQ(roles::similarName("Spine1"), "spine1");
    EXPECT_EQ(roles::similarName("spine.001"), "spine001");
    EXPECT_EQ(roles::similarName("Right"), "right");
    EXPECT_EQ(roles::similarName("Bip01"), "bip01");
    EXPECT_NE(roles::similarName("HandL"), roles::similarName("HandR"));
}

TEST(NumberedNames, OnlyCount) {
    for (const char* name : {"bone007", "Joint_3", "Bone.012", "17"})
        EXPECT_TRUE(roles::isNumberedName(name)) << name;
    for (const char* name : {"spine1", "bone_arm", "root", "bone"})
        EXPECT_FALSE(roles::isNumberedName(name)) << name;
}

Skeleton chain(const std::vector<std::pair<std::string, int>>& joints) {
    Skeleton skeleton;
    skeleton.name = "rig";
    for (const auto& [name, parent] : joints) {
        core::Joint& joint = skeleton.joints.emplace_back();
        joint.name = name;
        joint.parent = parent;
        joint.rest.translation = {0, 1, 0};
    }
    return skeleton;
}

std::vector<std::tuple<std::string, std::string, MatchedBy>> namesOf(const Skeleton& source, const Skeleton& target,
                                                                     const std::vector<JointMatch>& matches) {
    std::vector<std::tuple<std::string, std::string, MatchedBy>> names;
    names.reserve(matches.size());
    for (const JointMatch& m : matches)
        names.emplace_back(source.joints[m.link.source].name, target.joints[m.link.target].name, m.by);
    return names;
}

TEST(MatchByNames, PrefersExactNames) {
    const Skeleton source = chain({{"hips", -1}, {"arm_l", 0}, {"Arm.L", 0}});
    const Skeleton target = chain({{"Hips", -1}, {"Arm.L", 0}});
    EXPECT_THAT(namesOf(source, target, roles::matchByNames(source, target, {}, {})),
                testing::ElementsAre(std::tuple("hips", "Hips", MatchedBy::similarName),
                                     std::tuple("Arm.L", "Arm.L", MatchedBy::name)));
}

TEST(MatchByNames, CollisionsAreErrorsThatListTheCandidates) {
    const Skeleton source = chain({{"hips", -1}, {"arm_l", 0}, {"LArm", 0}});
    const Skeleton target = chain({{"Hips", -1}, {"Arm.L", 0}});
    try {
        (void)roles::matchByNames(source, target, {}, {});
        FAIL();
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(),
                     "joints can't be told apart by their names: arm_l, LArm and Arm.L. State in a mapping file which "
                     "joint follows which");
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::ambiguousNames);
    }
    EXPECT_EQ(roles::matchByNames(source, target, {}, {"arm_l"}).size(), 2U);
}

TEST(MatchByNames, NumbersCountOnlyWhereParentsAgree) {
    const Skeleton a = chain({{"bone000", -1}, {"bone001", 0}, {"bone002", 1}});
    const Skeleton more = chain({{"bone000", -1}, {"extra", 0}, {"bone001", 1}, {"bone002", 2}});
    const Skeleton other = chain({{"bone000", -1}, {"bone001", 0}, {"bone002", 0}, {"bone003", 0}});
    EXPECT_EQ(roles::matchByNames(a, more, {}, {}).size(), 3U);
    EXPECT_EQ(roles::matchByNames(a, other, {}, {}).size(), 0U);
}

TEST(MatchByNames, IndexIsTheLastResort) {
    const Skeleton a = chain({{"x", -1}, {"y", 0}, {"z", 1}});
    const Skeleton same = chain({{"p", -1}, {"q", 0}, {"r", 1}});
    const Skeleton other = chain({{"p", -1}, {"q", 0}, {"r", 0}});
    const std::vector<JointMatch> matches = roles::matchByNames(a, same, {}, {});
    ASSERT_EQ(matches.size(), 3U);
    EXPECT_EQ(matches[2].by, MatchedBy::index);
    EXPECT_TRUE(roles::matchByNames(a, other, {}, {}).empty());
}

// ---------------------------------------------------------------------------------------------------------------------
// Mapping files

JointMap parse(std::string_view text) {
    return parseJointMap({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});  // NOLINT
}

std::string errorOf(std::string_view text) {
    try {
        (void)parse(text);
    } catch (const core::DecodeError& error) {
        return error.what();
    }
    return {};
}

TEST(JointMapFile, IsJsonOrLines) {
    const JointMap json =
        parse(R"({"schema": 1, "mode": "local", "source_rest": "zero", "scale": 2, "root": {"mode": "drop"},
        "joints": [{"source": "a", "target": "b", "rotate_offset": [0, 0, 2, 0], "translate": true}],
        "attach": [{"source": "w", "joint": "a"}], "ignore": ["t"], "roles": {"a": "hips"}})");
    EXPECT_EQ(json.mode, motion::BindMode::local);
    EXPECT_EQ(json.sourceRest, "zero");
    EXPECT_EQ(json.scale, 2);
    EXPECT_EQ(json.rootMotion, core::RootMotion::drop);
    ASSERT_EQ(json.joints.size(), 1U);
    EXPECT_EQ(*json.joints[0].rotateOffset, glm::quat(0, 0, 0, 1));
    EXPECT_EQ(json.joints[0].translate, true);
    EXPECT_EQ(json.attach[0].source, "w");
    EXPECT_EQ(json.ignore, std::vector<std::string>{"t"});
    EXPECT_EQ(json.roles.at("a"), "hips");
    const JointMap lines = parse("source,target\n# by hand\n a , b \n\nc,d\r\n");
    ASSERT_EQ(lines.joints.size(), 2U);
    EXPECT_EQ(lines.joints[0].source, "a");
    EXPECT_EQ(lines.joints[1].target, "d");
}

TEST(JointMapFile, MistakesAreNamed) {
    EXPECT_EQ(errorOf("a,b,c"), "line 1: is \"a,b,c\", expected the form SOURCE,TARGET");
    EXPECT_EQ(errorOf("{\"schema\": 2}"), "schema: is 2, expected 1");
    EXPECT_EQ(
        errorOf("{\"schema\": 1, \"mod\": 1}"),
        "mod: is not a member of a mapping; expected schema, mode, source_rest, scale, root, joints, attach, ignore, "
        "by_name or roles");
    EXPECT_EQ(errorOf(R"({"schema": 1, "joints": [{"source": "a", "target": "b", "share": 1.5}]})"),
              "joints[0].share: is 1.5, expected a number from 0 to 1");
    EXPECT_EQ(
        errorOf(R"({"schema": 1, "joints": [{"source": "a", "target": "b", "blend": 1}]})"),
        "joints[0].blend: is not a member of a line; expected source, target, rotate_offset, translate, mixed_from, "
        "share, carrier or roll");
    EXPECT_EQ(errorOf("{\"schema\": 1, \"root\": {\"joint\": 3}}"), "root.joint: is 3, expected a text");
    EXPECT_EQ(errorOf("{\"schema\": 1, \"root\": {\"joints\": \"hips\"}}"),
              "root.joints: is not a member of a root; expected mode or joint");
    EXPECT_EQ(errorOf(R"({"schema": 1, "joints": [{"source": "a", "target": "b", "rotate_offset": [1, 0, 0]}]})"),
              "joints[0].rotate_offset: is a list, expected four numbers x, y, z, w");
    EXPECT_EQ(errorOf(R"({"schema": 1, "mode": "global"})"), "mode: is \"global\", expected copy, world or local");
    EXPECT_EQ(errorOf(R"({"schema": 1, "root": {"mode": "stay"}})"),
              "root.mode: is \"stay\", expected keep, in-place, drop or extract");
    EXPECT_EQ(errorOf("{\"schema\": 1, \"scale\": 0}"), "scale: is 0, expected a number from 1e-9 to 1e9");
    EXPECT_EQ(errorOf("{\"schema\": 1, \"scale\": 2e9}"), "scale: is 2000000000.0, expected a number from 1e-9 to 1e9");
    EXPECT_EQ(
        errorOf(R"({"schema": 1, "joints": [{"source": "a", "target": "b", "rotate_offset": [1e300, 0, 0, 0]}]})"),
        "joints[0].rotate_offset: is a list, expected a rotation");
    EXPECT_EQ(errorOf("{\"schema\": 1, \"joints\": [{\"source\": \"a\"}]}"), "joints[0].target: is missing");
}

TEST(JointMapFile, MayNameWhatALineMixesAndWhatCarriesIt) {
    const JointMap map = parse(
        R"({"schema": 1, "by_name": false, "joints": [{"source": "a", "target": "x", "mixed_from": "b", "share": 0.25, "carrier": "y"}]})");
    EXPECT_FALSE(map.byName);
    ASSERT_EQ(map.joints.size(), 1U);
    EXPECT_EQ(map.joints[0].mixedFrom, "b");
    EXPECT_EQ(map.joints[0].share, 0.25);
    EXPECT_EQ(map.joints[0].carrier, "y");
    EXPECT_TRUE(parse("a,x").byName);
}

TEST(JointMapFile, ALaterFileWins) {
    JointMap map = parse("a,x\nb,y");
    mergeInto(map, parse(R"({"schema": 1, "mode": "copy", "joints": [{"source": "c", "target": "y"}]})"));
    ASSERT_EQ(map.joints.size(), 2U);
    EXPECT_EQ(map.joints[1].source, "c");
    EXPECT_EQ(map.mode, motion::BindMode::copy);
}

// ---------------------------------------------------------------------------------------------------------------------
// Plans

core::Clip moving(std::initializer_list<std::uint32_t> joints) {
    core::Clip clip;
    clip.name = "c";
    clip.frames = 2;
    clip.duration = 1;
    clip.timelines = {{0, 1}};
    for (const std::uint32_t joint : joints) {
        core::JointTrack track{joint, {}, {}, {}};
        track.rotation.values = {{1, 0, 0, 0}, {1, 0, 0, 0}};
        track.translation.values = {{0, 1, 0}, {0, 1, 0}};
        clip.tracks.push_back(track);
    }
    return clip;
}

TEST(BindPlan, SaysWhatItLeftOut) {
    const Skeleton source = chain({{"root", -1}, {"arm", 0}, {"tail", 0}});
    const Skeleton target = chain({{"root", -1}, {"arm", 0}, {"cape", 0}});
    core::Diagnostics diagnostics;
    const BindPlan plan = planBinding(source, {moving({0, 1, 2})}, target, {}, diagnostics);
    EXPECT_EQ(plan.binding.links.size(), 2U);
    EXPECT_EQ(plan.report.unused, std::vector<std::string>{"tail"});
    EXPECT_EQ(plan.report.missing, std::vector<std::string>{"cape"});
    EXPECT_NE(plan.report.toTable().find("unmapped source joints (1): tail"), std::string::npos);
    EXPECT_NE(plan.report.toTable().find("joints of the rig that follow nothing (1): cape"), std::string::npos);
}

TEST(BindPlan, SimilarNamesAreShownAsSuch) {
    const Skeleton source = chain({{"hips", -1}, {"leftArm", 0}});
    const Skeleton target = chain({{"hips", -1}, {"Left_Arm", 0}});
    core::Diagnostics diagnostics;
    EXPECT_NE(planBinding(source, {moving({0, 1})}, target, {}, diagnostics)
                  .report.toTable()
                  .find("\nleftArm                  Left_Arm                 similar name\n"),
              std::string::npos);
}

TEST(BindPlan, AJointIsAddedForWhatIsCarried) {
    const Skeleton source = chain({{"hips", -1}, {"hand", 0}, {"sword", -1}});
    const Skeleton target = chain({{"hips", -1}, {"hand", 0}});
    core::Diagnostics diagnostics;
    const BindPlan plan = planBinding(source, {moving({0, 1, 2})}, target, {}, diagnostics);
    EXPECT_EQ(plan.report.added, std::vector<std::string>{"sword"});
    EXPECT_NE(plan.report.toTable().find("joints that are added to the rig (1): sword\n"), std::string::npos);
    ASSERT_EQ(diagnostics.warnings().size(), 1U);
    EXPECT_EQ(diagnostics.warnings()[0].message(), "note: sword is carried by hips; a joint is added for it");
}

TEST(BindPlan, OfJointsThatTurnAlikeTheNearestCarries) {
    const Skeleton source = chain({{"hips", -1}, {"forearm", 0}, {"hand", 1}, {"sword", -1}});
    const Skeleton target = chain({{"hips", -1}, {"forearm", 0}, {"hand", 1}});
    core::Clip clip = moving({0, 1, 2, 3});
    clip.tracks[3].translation.values = {{0.1F, 3, 0}, {0.1F, 3, 0}};  // each joint is a metre above its parent
    core::Diagnostics diagnostics;
    (void)planBinding(source, {clip}, target, {}, diagnostics);
    ASSERT_EQ(diagnostics.warnings().size(), 1U);
    EXPECT_EQ(diagnostics.warnings()[0].message(), "note: sword is carried by hand; a joint is added for it");
}

TEST(BindPlan, WhatNothingCarriesIsNamed) {
    const Skeleton source = chain({{"hips", -1}, {"hand", 0}, {"bird", -1}});
    core::Clip clip = moving({0, 1, 2});
    clip.tracks[2].translation.values = {{0, 1, 0}, {9, 1, 0}};
    core::Diagnostics diagnostics;
    const BindPlan plan = planBinding(source, {clip}, chain({{"hips", -1}, {"hand", 0}}), {}, diagnostics);
    EXPECT_TRUE(plan.binding.attachments.empty());
    ASSERT_EQ(diagnostics.warnings().size(), 1U);
    EXPECT_EQ(diagnostics.warnings()[0].message(),
              "warning: no joint carries bird, so it moves independently if it is mapped");
}

TEST(BindPlan, RolesJoinAGameAndARig) {
    const Skeleton source = chain({{"bone000", -1}, {"bone001", 0}});
    const Skeleton target = chain({{"Pelvis", -1}, {"Chest", 0}, {"Head", 1}});
    BindSettings settings;
    settings.map = parse(R"({"schema": 1, "roles": {"bone000": "hips", "bone001": "chest"}})");
    mergeInto(settings.map, parse(R"({"schema": 1, "roles": {"Pelvis": "hips", "Chest": "chest", "Head": "head"}})"));
    core::Diagnostics diagnostics;
    const BindPlan plan = planBinding(source, {moving({0, 1})}, target, settings, diagnostics);
    EXPECT_EQ(plan.binding.links.size(), 2U);
    EXPECT_EQ(plan.report.missing, std::vector<std::string>{"Head"});
}

TEST(BindPlan, WhatIsCarriedGoesAlongWhereTheSourceIsTurnedToTheRig) {
    // An arm that points up, with a weapon 0.2 m above the hand; the rig's arm points along X.
    Skeleton source = chain({{"hips", -1}, {"arm", 0}, {"hand", 1}, {"weapon", -1}});
    source.joints[3].rest.translation = {0, 3.2F, 0};
    Skeleton target = chain({{"hips", -1}, {"arm", 0}, {"hand", 1}});
    target.joints[2].rest.translation = {1, 0, 0};
    BindSettings settings;
    settings.map = parse(R"({"schema": 1, "attach": [{"source": "weapon", "joint": "hand"}]})");
    core::Diagnostics diagnostics;
    const motion::Binding binding = planBinding(source, {moving({0, 3})}, target, settings, diagnostics).binding;
    const core::Transform& weapon = binding.reference[3];  // the arm starts at 0, 2, 0 and is turned by -90 degrees
    EXPECT_NEAR(weapon.translation.x, 1.2, 1e-6);
    EXPECT_NEAR(weapon.translation.y, 2, 1e-6);
    EXPECT_NEAR(weapon.translation.z, 0, 1e-6);
    EXPECT_LT(glm::distance(weapon.rotation * glm::vec3(0, 1, 0), glm::vec3(1, 0, 0)), 1e-6F);
    EXPECT_LT(glm::distance(weapon.rotation * glm::vec3(1, 0, 0), glm::vec3(0, -1, 0)), 1e-6F);
    settings.matchRest = false;  // the source's own rest pose is used
    EXPECT_EQ(planBinding(source, {moving({0, 3})}, target, settings, diagnostics).binding.reference[3].translation,
              glm::vec3(0, 3.2F, 0));
}

TEST(BindPlan, NothingInCommonIsAnErrorThatTellsWhatToDo) {
    const Skeleton source = chain({{"bone000", -1}, {"bone001", 0}});
    const Skeleton target = chain({{"Pelvis", -1}, {"Chest", 0}, {"Head", 1}});
    core::Diagnostics diagnostics;
    try {
        (void)planBinding(source, {moving({0, 1})}, target, {}, diagnostics);
        FAIL();
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(),
                     "rig and rig have no joint names in common. State in a mapping file which joint follows which "
                     "(see option map=FILE)");
        EXPECT_EQ(error.hint().key, "map");
    }
    BindSettings settings;
    settings.targetFile = "rigs/rig.glb";
    try {
        (void)planBinding(source, {moving({0, 1})}, target, settings, diagnostics);
        FAIL();
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(),
                     "rig and rigs/rig.glb have no joint names in common. State in a mapping file which joint "
                     "follows which (see option map=FILE)");
    }
}

TEST(BindPlan, CarriersInACircleAreRefused) {
    const Skeleton rig = chain({{"hips", -1}, {"spine", 0}, {"head", 1}});
    BindSettings settings;
    settings.map = parse(R"({"schema": 1, "joints": [{"source": "hips", "target": "hips"},
                             {"source": "spine", "target": "spine", "carrier": "head"}]})");
    core::Diagnostics diagnostics;
    try {
        (void)planBinding(rig, {moving({0, 1})}, rig, settings, diagnostics);
        FAIL();
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(), "in the mapping, spine is carried by head, which is its descendant");
    }
    settings.map.joints[1].carrier = "hips";
    EXPECT_EQ(planBinding(rig, {moving({0, 1})}, rig, settings, diagnostics).binding.links[1].carrier, 0U);
}

TEST(BindPlan, AMappingMaySayThatNamesDoNotCount) {
    const Skeleton rig = chain({{"hips", -1}, {"spine", 0}, {"head", 1}});
    BindSettings settings;
    settings.map = parse(R"({"schema": 1, "joints": [{"source": "spine", "target": "spine"}]})");
    core::Diagnostics diagnostics;
    EXPECT_EQ(planBinding(rig, {moving({0, 1})}, rig, settings, diagnostics).binding.links.size(), 3U);
    settings.map.byName = false;
    EXPECT_EQ(planBinding(rig, {moving({0, 1})}, rig, settings, diagnostics).binding.links.size(), 1U);
}

TEST(BindPlan, AMisspelledJointOfAMappingGetsASuggestion) {
    const Skeleton source = chain({{"Hips", -1}, {"Spine", 0}, {"Head", 1}});
    const Skeleton target = chain({{"pelvis", -1}, {"torso", 0}, {"skull", 1}});
    BindSettings settings;
    settings.targetFile = "rig.glb";
    for (const auto& [text, warning] : {std::pair("Hips,pelvis\nSpine,torso\nHaed,skull\n",
                                                  "warning: 1 of 3 lines of the mapping match no joint of rig "
                                                  "(first: Haed -> skull); did you mean Head?"),
                                        std::pair("Hips,pelvis\nSpine,torzo\nHead,skull\n",
                                                  "warning: 1 of 3 lines of the mapping match no joint of rig.glb "
                                                  "(first: Spine -> torzo); did you mean torso?")}) {
        settings.map = parse(text);
        core::Diagnostics diagnostics;
        (void)planBinding(source, {moving({0, 1})}, target, settings, diagnostics);
        ASSERT_FALSE(diagnostics.warnings().empty());
        EXPECT_EQ(diagnostics.warnings()[0].message(), warning);
    }
}

TEST(BindPlan, LinesOfAMappingThatNameNoJointAreOneWarning) {
    const Skeleton source = chain({{"a", -1}, {"b", 0}, {"c", 1}});
    const Skeleton target = chain({{"x", -1}, {"y", 0}, {"z", 1}});
    BindSettings settings;
    settings.targetFile = "rig.glb";
    settings.map = parse("a,x\nb,y\nc,z\nd,y\ne,x\nb,w\n");
    core::Diagnostics diagnostics;
    (void)planBinding(source, {moving({0, 1})}, target, settings, diagnostics);
    ASSERT_EQ(diagnostics.warnings().size(), 2U);
    EXPECT_EQ(diagnostics.warnings()[0].message(),
              "warning: 2 of 6 lines of the mapping match no joint of rig (first: d -> y)");
    EXPECT_EQ(diagnostics.warnings()[1].message(),
              "warning: 1 of 6 lines of the mapping match no joint of rig.glb (first: b -> w)");
    settings.map = parse("a,x\nd,y\ne,x\n");
    try {
        (void)planBinding(source, {moving({0, 1})}, target, settings, diagnostics);
        FAIL() << "a mapping of another skeleton was taken";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.problem(),
                  "2 of 3 lines of the mapping contain an unknown joint (first: d -> y). The joints of rig "
                  "are a, b, c; the joints of rig.glb are x, y, z");
    }
}

TEST(JointMapFile, EmptyEntriesMapNothing) {
    const JointMap map = parse(R"({"schema": 1, "joints": [
        {"role": "leftToes", "source": "", "target": "ball_l", "confidence": 0},
        {"role": "hips", "source": "root", "target": "pelvis", "confidence": 0.9, "reason": "by name"},
        {"role": "neck", "source": "bone002", "target": ""}]})");
    ASSERT_EQ(map.joints.size(), 1U);
    EXPECT_EQ(map.joints.front().target, "pelvis");
    EXPECT_EQ(errorOf(R"({"schema": 1, "joints": [{"source": "a", "target": "b", "role": 1}]})"),
              "joints[0].role: is 1, expected a text");
}

TEST(JointMapFile, JointsGoByTheirOldNamesAndNumbersToo) {
    Skeleton source = chain({{"hips", -1}, {"thigh", 0}, {"knee", 1}, {"3", 2}});
    source.joints[1].id = 7;
    source.joints[2].id = 0;
    const Skeleton target = chain({{"x", -1}, {"y", 0}});
    const JointMap map = withCurrentNames(
        parse(R"({"schema": 1, "joints": [{"source": "bone001", "target": "1", "mixed_from": "bone000", "carrier": "0"},
            {"source": "7", "target": "y"}, {"source": "0", "target": "x"}, {"source": "3", "target": "x"},
            {"source": "1", "target": "tail"}, {"source": "hips", "target": "x"}],
            "attach": [{"source": "bone002", "joint": "0"}], "ignore": ["bone000", "y"],
            "roles": {"bone001": "leftUpperLeg", "y": "head"}})"),
        source, {"bone000", "bone001", "bone002", "bone003"}, target);
    std::vector<std::string> sources;
    std::vector<std::string> targets;
    for (const JointMap::Line& line : map.joints) {
        sources.push_back(line.source);
        targets.push_back(line.target);
    }
    // An id takes precedence over an index, and a name over both.
    EXPECT_EQ(sources, (std::vector<std::string>{"thigh", "thigh", "knee", "3", "thigh", "hips"}));
    EXPECT_EQ(targets, (std::vector<std::string>{"y", "y", "x", "x", "tail", "x"}));
    EXPECT_EQ(map.joints.front().mixedFrom, "hips");
    EXPECT_EQ(map.joints.front().carrier, "x");
    EXPECT_EQ(map.attach.front().source, "knee");
    EXPECT_EQ(map.attach.front().joint, "knee");
    EXPECT_EQ(map.ignore, (std::vector<std::string>{"hips", "y"}));
    EXPECT_EQ(map.roles.at("thigh"), "leftUpperLeg");
    EXPECT_EQ(map.roles.at("y"), "head");
}

/// A chain of two bones: from the origin to `first`, and on to `second`.
Skeleton bones(const glm::vec3& first, const glm::vec3& second) {
    Skeleton skeleton = chain({{"root", -1}, {"arm", 0}, {"hand", 1}});
    skeleton.joints[0].rest.translation = {0, 0, 0};
    skeleton.joints[1].rest.translation = first;
    skeleton.joints[2].rest.translation = second;
    return skeleton;
}

TEST(BindReport, TellsHowFarBonesPointApart) {
    const Skeleton source = bones({0, 1, 0}, {1, 0, 0});
    Skeleton target = bones({0, 2, 0}, {1, 1, 0});
    target.joints[0].rest.rotation = glm::quat(0, 0, 1, 0);  // other axes, but the same directions
    target.joints[1].rest.rotation = glm::quat(0, 0, 1, 0);
    BindSettings settings;
    settings.matchRest = false;
    settings.mode = motion::BindMode::world;
    settings.map = parse("root,root\narm,arm\nhand,hand\n");
    core::Diagnostics diagnostics;
    const BindPlan plan = planBinding(source, {moving({0, 1})}, target, settings, diagnostics);
    ASSERT_EQ(plan.report.rows.size(), 3U);
    EXPECT_NEAR(plan.report.rows[0].restDegrees, 180, 1e-3);
    EXPECT_NEAR(plan.report.rows[0].directionDegrees.value(), 0, 1e-3);
    EXPECT_NEAR(plan.report.rows[1].directionDegrees.value(), 45, 1e-3);
    EXPECT_FALSE(plan.report.rows[2].directionDegrees);
    const std::string table = plan.report.toTable(BindReport::Shown::apart);
    EXPECT_EQ(table.substr(0, table.find("scale")),
              "source                   target                   by             bones apart\n"
              "arm                      arm                      map               45.0 deg\n");
    EXPECT_NE(
        plan.report.toTable().find("\nroot                     root                     map                0.0 deg\n"),
        std::string::npos);
}

TEST(BindReport, BeginsWithWhatAPersonSees) {
    using motion::RollFrom;
    using roles::Part;
    BindReport report;
    EXPECT_EQ(report.inWords(), "");
    report.floor = binding::OffGround{};
    report.floor->floats = 0.012;
    report.floor->height = 1.7;
    report.feet = binding::PlantedFeet{};
    report.feet->slide = 0.02;
    report.feet->sourceSlide = 0.018;
    report.rolls = {{"head", 1, RollFrom::face, false, Part::head},
                    {"l_hand", 2, RollFrom::palm, false, Part::hand},
                    {"r_hand", 2, RollFrom::map, false, Part::hand},
                    {"l_foot", 3, RollFrom::sole, false, Part::foot},
                    {"l_arm", 4, RollFrom::mean, true, Part::upperArm}};
    EXPECT_EQ(report.inWords(),
              "fits\n"
              "floor: while standing, the feet are up to 12 mm above and 0 mm below the ground\n"
              "face: looks forward when the source does\n"
              "hands: palms face where the source's do\n"
              "feet: soles are level while they stand\n"
              "feet: planted feet slide at 20 mm/s (18 in the source)\n");
    EXPECT_EQ(report.toTable(BindReport::Shown::apart), report.inWords());
    EXPECT_EQ(report.toTable(), report.inWords() +
                                    "roll of head: 1.0 deg, by face\nroll of l_hand: 2.0 deg, by palm\n"
                                    "roll of r_hand: 2.0 deg, by map\nroll of l_foot: 3.0 deg, by sole\n"
                                    "roll of l_arm: 4.0 deg, by mean\nscale 1\n");
    report.feet->before = binding::PlantedFeet::Before{0.06, 0};
    EXPECT_TRUE(
        report.inWords().ends_with("feet: planted feet slide at 20 mm/s (60 before planting, 18 in the source)\n"));
    report.floor->sinks = 0.03;
    report.feet->slide = 0.05;
    EXPECT_TRUE(report.inWords().starts_with(
        "look at: the character sinks 30 mm into the ground, feet slide at 50 mm/s\nfloor: "));
    report.floor->floats = 0.04;
    EXPECT_TRUE(report.inWords().starts_with(
        "look at: the character floats 40 mm above the ground, the character sinks 30 mm into the ground, feet slide"));
    report.floor.reset();
    report.feet.reset();
    for (BindReport::Roll& roll : report.rolls)
        roll.isGuess = roll.from != RollFrom::map;
    EXPECT_EQ(report.inWords(),
              "fits\n"
              "face: assumed to look forward in most upright poses\n"
              "hands: palms are assumed from the elbows or hanging arms\n"
              "feet: soles are level while they stand\n");
    for (BindReport::Roll& roll : report.rolls)
        roll.from = RollFrom::mean;
    EXPECT_EQ(report.inWords(),
              "look at: the face, the palms, the soles\n"
              "face: follows the head bone, because its front is not known\n"
              "hands: rolled to fit the average of the motion, because no arm hangs\n"
              "feet: follow their bones, because the soles are not known\n");
    EXPECT_EQ(report.toTable().find(report.inWords()), 0U);
}

TEST(BindPlan, SaysHowManyLimbsFollow) {
    const Skeleton source = chain({{"root", -1}, {"arm", 0}});
    BindSettings settings;
    settings.sourceRoles.emplace().roles.resize(2);
    settings.targetRoles.emplace().roles.resize(2);
    core::Diagnostics diagnostics;
    EXPECT_EQ(planBinding(source, {moving({0, 1})}, source, settings, diagnostics).report.summary,
              "2 joints are matched by names; the limbs are not known");
}

TEST(BindPlan, AMappingThatIsMadeForAnotherTreeIsAWarning) {
    const Skeleton source = chain({{"0", -1}, {"1", 0}, {"2", 1}, {"3", 2}, {"4", 3}});
    const Skeleton target = chain({{"a", -1}, {"b", 0}, {"c", 0}, {"d", 0}, {"e", 0}});
    BindSettings settings;
    settings.map = parse("0,a\n1,b\n2,c\n3,d\n4,e\n");  // c, d and e are below a, but not below followers of 1, 2 and 3
    core::Diagnostics diagnostics;
    (void)planBinding(source, {moving({0, 1})}, target, settings, diagnostics);
    ASSERT_EQ(diagnostics.warnings().size(), 1U);
    EXPECT_EQ(diagnostics.warnings()[0].code, core::Code::restMismatch);
    EXPECT_EQ(diagnostics.warnings()[0].message(),
              "warning: the parents of 3 of 5 joints do not match those of their sources, so the mapping may be for "
              "another skeleton");
    diagnostics = {};
    settings.map = parse("0,a\n1,b\n2,c\n3,d\n");  // only c and d now: two may differ
    (void)planBinding(source, {moving({0, 1})}, target, settings, diagnostics);
    EXPECT_FALSE(diagnostics.hasWarnings());
}

TEST(BindPlan, LocalValuesOnOtherRestRotationsAreAWarning) {
    const Skeleton source = chain({{"root", -1}, {"arm", 0}});
    Skeleton target = source;
    const float half = std::sqrt(0.5F);
    target.joints[1].rest.rotation = glm::quat(half, 0, 0, half);  // a quarter turn about Z
    BindSettings settings;
    settings.mode = motion::BindMode::copy;
    core::Diagnostics diagnostics;
    (void)planBinding(source, {moving({0, 1})}, target, settings, diagnostics);
    ASSERT_EQ(diagnostics.warnings().size(), 1U);
    EXPECT_EQ(diagnostics.warnings()[0].message(),
              "warning: 1 of 2 joints differ from their sources in rest rotation (most: arm, by 90.0 degrees) "
              "(see option mode=world)");
}

/// The message of the error from planBinding().
std::string refusalOf(const Skeleton& source, const Skeleton& target, const char* map) {
    BindSettings settings;
    settings.targetFile = "rig.glb";
    settings.map = parse(map);
    core::Diagnostics diagnostics;
    try {
        (void)planBinding(source, {moving({0, 1})}, target, settings, diagnostics);
    } catch (const core::DecodeError& error) {
        return error.what();
    }
    return {};
}

TEST(BindPlan, AMappingThatContradictsItselfIsRefused) {
    const Skeleton rig = chain({{"hips", -1}, {"spine", 0}, {"head", 1}});
    EXPECT_EQ(refusalOf(rig, rig, "hips,hips\nspine,hips\n"),
              "the mapping names several sources for hips: hips and spine");
    EXPECT_EQ(refusalOf(rig, chain({{"a", -1}, {"b", 0}, {"c", 1}}),
                        R"({"schema": 1, "roles": {"hips": "spine", "spine": "spine", "a": "spine"}})"),
              "hips and spine both have the role spine");
    const Skeleton armed = chain({{"hips", -1}, {"sword", -1}});
    EXPECT_EQ(refusalOf(armed, rig, R"({"schema": 1, "attach": [{"source": "sword", "joint": "holster"}]})"),
              "the mapping attaches sword to holster, which is neither a joint of rig nor a joint of the rig that "
              "follows one");
}

TEST(BindPlan, AMadeUpSkeletonCanOnlyBeCopied) {
    Skeleton source = chain({{"a", -1}});
    source.origin = Skeleton::Origin::madeUp;
    core::Diagnostics diagnostics;
    BindSettings settings;
    EXPECT_THROW((void)planBinding(source, {moving({0})}, source, settings, diagnostics), core::DecodeError);
    settings.mode = motion::BindMode::copy;
    EXPECT_EQ(planBinding(source, {moving({0})}, source, settings, diagnostics).binding.links.size(), 1U);
}

}  // namespace
}  // namespace reanima
