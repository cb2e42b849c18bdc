#include "pipeline/settings.h"

#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/validate.h"
#include "formats/load.h"
#include "pipeline/job.h"
#include "pipeline/pipeline.h"
#include "support/bytes.h"

namespace reanima {
namespace {

using core::DecodeError;

const std::filesystem::path kPack = test::sourceFolder() / "samples/ff7/hrda";

/// The message and kind of an error.
template <typename Work>
std::pair<std::string, DecodeError::Kind> failureOf(const Work& work) {
    try {
        work();
    } catch (const DecodeError& error) {
        return {error.what(), error.kind()};
    }
    return {};
}

std::string refusalOf(std::string_view key, const std::string& text) {
    const auto [message, kind] = failureOf([&] {
        Settings settings;
        setSetting(settings, key, text, folderAccess());
    });
    if (!message.empty()) {
        EXPECT_EQ(kind, DecodeError::Kind::option) << message;
    }
    return message;
}

TEST(Settings, KeysAreUniqueAndNoneIsAFormatOptionToo) {
    std::set<std::string_view> keys;
    for (const SettingInfo& info : settingInfos()) {
        EXPECT_TRUE(keys.insert(info.option.key).second) << info.option.key;
        EXPECT_FALSE(info.option.help.empty()) << info.option.key;
        EXPECT_EQ(findSetting(info.option.key), &info);
    }
    EXPECT_EQ(findSetting("nothing"), nullptr);
}

TEST(Settings, WrongOnesAreErrorsThatNameThem) {
    EXPECT_EQ(refusalOf("clipp", "1"), "option clipp: there is no such option");
    EXPECT_EQ(refusalOf("resample", "fast"), "option resample=fast: is fast, expected a number from 0.001 to 1000");
    EXPECT_EQ(refusalOf("root-motion", "stay"),
              "option root-motion=stay: is \"stay\", expected keep, in-place, drop, extract");
    EXPECT_EQ(refusalOf("mode", "World"), "option mode=World: is \"World\", expected world, copy, local");
    EXPECT_EQ(refusalOf("rest", "foo"),
              "option rest=foo: is neither a file nor a frame of a clip; expected zero, skeleton, CLIP:FRAME or "
              "FILE[:CLIP:FRAME]");
    EXPECT_EQ(refusalOf("end-joints", "yes"), "option end-joints=yes: is yes, expected 1 or 0");
    EXPECT_EQ(refusalOf("name", "{index:21}"), "option name={index:21}: has a width of 21, expected at most 20");
    EXPECT_EQ(refusalOf("rate", "0"), "option rate=0: is 0, expected a number from 0.001 to 1000");
    EXPECT_EQ(refusalOf("rate", "15"), "");
}

TEST(Settings, WrongMembersAreErrorsLikeTheirTexts) {
    const auto refusal = [](std::optional<double> Settings::*member, double value) {
        Settings settings;
        settings.*member = value;
        const auto [message, kind] = failureOf([&] { (void)loadFile(kPack, settings); });
        EXPECT_EQ(kind, DecodeError::Kind::option) << message;
        return message;
    };
    EXPECT_EQ(refusal(&Settings::resample, 0), "option resample=0: is 0, expected a number from 0.001 to 1000");
    EXPECT_EQ(refusal(&Settings::reduce, NAN), "option reduce=nan: is nan, expected a number from 1e-06 to 1000000");
    EXPECT_EQ(refusal(&Settings::rootScale, INFINITY),
              "option root-scale=inf: is inf, expected a number from 1e-09 to 1000000000");
    EXPECT_EQ(refusal(&Settings::rigScale, -1),
              "option rig-scale=-1: is -1, expected a number from 1e-09 to 1000000000");
    EXPECT_EQ(refusal(&Settings::feetSlide, -0.5),
              "option feet-slide=-0.5: is -0.5, expected a number from 0 to 1000000000");
}

TEST(Settings, EachNamesItselfInTheTextOfAll) {
    const std::vector<std::pair<std::string, std::string>> texts = {
        {"clip", "3-9"},      {"name", "{index}"},     {"rest", "zero"},        {"interpolation", "step"},
        {"loop-key", "walk"}, {"proxy-mesh", "1"},     {"end-joints", "1"},     {"compact", "1"},
        {"mode", "local"},    {"source-rest", "zero"}, {"root-scale", "2"},     {"rig-mesh", "keep"},
        {"rig-mesh", "omit"}, {"rig-scale", "2"},      {"root-motion", "drop"}, {"resample", "60"},
        {"reduce", "0.5"},    {"rate", "10"},          {"with-mesh", "1"},      {"grip", "keep"},
        {"plant-feet", "1"},
    };
    EXPECT_EQ(textOf(Settings{}), "");
    std::set<std::string> seen;
    for (const auto& [key, text] : texts) {
        Settings settings;
        setSetting(settings, key, text);
        EXPECT_EQ(textOf(settings), fmt::format("{}={};", key, text));
        seen.insert(key);
    }
    for (const SettingInfo& info : settingInfos())  // the content of files is not part of the text
        if (info.option.key != "names" && info.option.key != "map") {
            EXPECT_TRUE(seen.contains(std::string(info.option.key))) << info.option.key;
        }
}

TEST(Settings, SecondNamesStandForOptions) {
    Settings settings;
    for (const auto& [name, text] : {std::pair("fps", "30"), std::pair("unlit", "1"), std::pair("no-keep-mesh", "1"),
                                     std::pair("lit", "0"), std::pair("keep-mesh", "0")})
        setSetting(settings, name, text);
    EXPECT_EQ(settings.options.number("rate"), 30);
    EXPECT_EQ(settings.options.text("lighting"), "unlit");
    EXPECT_EQ(settings.keepMesh, std::optional(false));
    EXPECT_EQ(refusalOf("lit", "yes"), "option lit=yes: is yes, expected 1 or 0");
    EXPECT_EQ(refusalOf("fps", "0"), "option rate=0: is 0, expected a number from 0.001 to 1000");
}

TEST(Settings, SecondNamesAreReadInJobFiles) {
    const std::string text =
        R"({"schema": 1, "options": {"lit": true, "unlit": false, "fps": 20, "keep-mesh": false}})";
    const std::vector<JobFile> jobs = parseJobFile(core::ByteVector(text.begin(), text.end()));
    std::vector<std::pair<std::string, std::optional<std::string>>> options;
    for (const JobFile::Argument& argument : jobs.front().options)
        options.emplace_back(argument.key, argument.value);
    EXPECT_THAT(options, testing::ElementsAre(testing::Pair("lighting", "lit"), testing::Pair("rate", "20"),
                                              testing::Pair("rig-mesh", "omit")));
}

TEST(Settings, OfFilesSayNothingAboutTheirFolder) {
    Settings settings;
    setSetting(settings, "rest", kPack.string() + ":0:2", folderAccess());
    EXPECT_EQ(textOf(settings), "rest=hrda:0:2;");
}

TEST(LoadFile, GivesAnAssetWithItsRestPoseAndReport) {
    const LoadedFile file = loadFile(kPack);
    ASSERT_EQ(file.asset.clips.size(), 4U);
    EXPECT_TRUE(file.asset.skeleton->hasRest);
    EXPECT_NEAR(file.report.height, 1.73, 0.01);  // joints to 1.65 m, hair above them: samples/ff7/body.py
    EXPECT_FALSE(file.report.binding);
}

TEST(LoadFile, RefusesWhatTheSettingsAskFor) {
    Settings settings;
    settings.options.set("rat", 30.0);
    EXPECT_EQ(failureOf([&] { (void)loadFile(kPack, settings); }),
              std::pair(std::string("option rat: no format has such an option"), DecodeError::Kind::option));
    settings = {};
    settings.clips = {"77"};
    EXPECT_THAT(failureOf([&] { (void)loadFile(kPack, settings); }).first,
                testing::EndsWith(
                    "hrda: no clip matches; there are hrda_000, hrda_001, hrda_002, hrda_004 (see option clip=77)"));
    settings = {};
    settings.loopKeyOn = {"nope"};
    EXPECT_EQ(failureOf([&] { (void)loadFile(kPack, settings); }).first, "option loop-key=nope: there is no such clip");
    settings = {};
    settings.reduce = 1;
    settings.interpolation = core::Interpolation::step;
    EXPECT_EQ(failureOf([&] { (void)loadFile(kPack, settings); }).second, DecodeError::Kind::option);
    EXPECT_THAT(failureOf([&] { (void)loadFile(kPack.parent_path() / "nothing"); }).first,
                testing::EndsWith("nothing: can't be read: No such file or directory"));
}

Settings withTyped(double rate, double scale, const std::string& weapon) {
    Settings settings;
    settings.rate = rate;
    settings.scale = scale;
    settings.weapon = weapon;
    return settings;
}

TEST(LoadFile, TypedMembersMeanWhatTheOptionsDo) {
    Settings typed = withTyped(30, 0.5, "none");
    Settings texts;
    for (const auto& [key, text] : {std::pair("rate", "30"), {"scale", "0.5"}, {"weapon", "none"}})
        setSetting(texts, key, text);
    EXPECT_EQ(textOf(typed), "rate=30;scale=0.5;weapon=none;");
    EXPECT_EQ(textOf(typed), textOf(texts));
    const LoadedFile one = loadFile(kPack, typed);
    const LoadedFile other = loadFile(kPack, texts);
    EXPECT_EQ(one.asset.clips.front().rate, 30);
    EXPECT_EQ(one.asset.meshes.size(), other.asset.meshes.size());
    EXPECT_LT(one.asset.meshes.size(), loadFile(kPack).asset.meshes.size());
    EXPECT_DOUBLE_EQ(one.report.height, other.report.height);
    texts.rate = 60;  // takes precedence
    EXPECT_EQ(loadFile(kPack, texts).asset.clips.front().rate, 60);
    typed.rate = 0;
    EXPECT_EQ(
        failureOf([&] { (void)loadFile(kPack, typed); }),
        std::pair(std::string("option rate=0: is 0, expected a number from 0.001 to 1000"), DecodeError::Kind::option));
    typed = {};
    typed.joints = 70000;
    EXPECT_EQ(failureOf([&] { (void)loadFile(kPack, typed); }).first,
              "option joints=70000: is 70000, expected a whole number from 1 to 65535");
    typed = {};
    typed.weapon = "two";
    EXPECT_THAT(failureOf([&] { (void)loadFile(kPack, typed); }).first,
                testing::MatchesRegex("option weapon=two: .*hrda: expected a number from 0 to 15, all or none"));
}

TEST(LoadFile, FromMemoryTakesCompanionsThatAreGiven) {
    const Companions given = {{Role::skeleton, {openInput(kPack.parent_path() / "hraa"), true}}};
    const LoadedFile file = loadBytes(test::readBytes(kPack), "hrda", {}, given);
    const LoadedFile beside = loadFile(kPack);
    ASSERT_EQ(file.asset.skeleton->joints.size(), beside.asset.skeleton->joints.size());
    const LoadedFile without = loadBytes(test::readBytes(kPack), "hrda");
    EXPECT_EQ(without.asset.skeleton->origin, core::Skeleton::Origin::madeUp);
    ASSERT_TRUE(without.diagnostics.hasWarnings());
}

TEST(ApplySettings, AsksWhetherToStop) {
    Settings settings;
    core::Rig rig;
    rig.skeleton = *loadFile(kPack).asset.skeleton;
    settings.rig = std::make_shared<core::Rig>(std::move(rig));
    const Input input = openInput(kPack);
    const Companions companions = withFoundCompanions(input, {});
    core::Diagnostics diagnostics;
    int asked = 0;
    int most = 1000;
    Context context{settings.options, settings.limits, diagnostics, [&] { return ++asked > most; }, &input.siblings};
    const core::Asset asset = load(input, companions, context);
    asked = 0;
    (void)applySettings(asset, settings, input, companions, context);
    const int whole = asked;
    EXPECT_GE(whole, 5);
    for (most = 0; most < whole; ++most) {
        asked = 0;
        const auto work = [&] { (void)applySettings(asset, settings, input, companions, context); };
        EXPECT_EQ(failureOf(work), std::pair(kPack.string() + ": was cancelled", DecodeError::Kind::cancelled));
    }
}

TEST(LoadFile, FilesWithoutANameGiveValidAssets) {
    for (const char* sample : {"ff7/hrda", "ff7/dlta.tex", "ff9/hero.tim", "ff9/hero_idle.ff9anim",
                               "metroid/5EED0111.TXTR", "metroid/hero_idle.ANIM"}) {
        const LoadedFile file = loadBytes(test::readBytes(test::sourceFolder() / "samples" / sample), "");
        EXPECT_THAT(core::validate(file.asset), testing::IsEmpty()) << sample;
    }
}

TEST(LoadFile, MappingsAndTheirRestPoses) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "reanima_settings_test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "map.json") << R"({"schema": 1, "mode": "local", "source_rest": "zero", "joints": []})";
    std::ofstream(folder / "wrong.json") << R"({"schema": 1, "source_rest": "foo"})";
    Settings settings;
    setSetting(settings, "map", (folder / "map.json").string(), folderAccess());
    EXPECT_EQ(settings.map.mode, motion::BindMode::local);
    EXPECT_EQ(settings.mapRest.source, RestPose::Source::zero);
    EXPECT_THAT(
        refusalOf("map", (folder / "wrong.json").string()),
        testing::StartsWith("option map=source_rest foo: is neither a file nor a frame of a clip; expected match, "));
    std::filesystem::remove_all(folder);
}

TEST(Settings, ARigRestsAsItsFileSays) {
    Settings settings;
    settings.rig = std::make_shared<const core::Rig>();
    setSetting(settings, "rest", "zero", folderAccess());
    const auto [message, kind] = failureOf([&] { (void)loadFile(kPack, settings); });
    EXPECT_EQ(kind, DecodeError::Kind::option);
    EXPECT_EQ(message, "option rest: can't change the rest pose of a rig");
}

}  // namespace
}  // namespace reanima
