/// The same settings give the same poses through a C++ call, the properties of Assimp's loaders and the command.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <assimp/Exporter.hpp>
#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/pose.h"
#include "gltf_export/gltf_file.h"
#include "gltf_export/gltf_skeleton.h"
#include "importers/add_animations.h"
#include "importers/importers.h"
#include "pictures/png.h"
#include "pipeline/pipeline.h"
#include "support/broken.h"
#include "support/bytes.h"

namespace reanima {
namespace {

namespace fs = std::filesystem;

struct Case {
    std::string name;
    std::vector<std::pair<std::string, std::string>> settings;
    std::string file = "ff7/hrda";
    std::string rig{};  ///< in the samples; empty: none
};

class Hosts : public testing::TestWithParam<Case> {
  protected:
    Hosts() { fs::create_directories(folder_); }
    ~Hosts() override { fs::remove_all(folder_); }
    Hosts(const Hosts&) = delete;
    Hosts& operator=(const Hosts&) = delete;

    [[nodiscard]] fs::path file() const { return samples_ / GetParam().file; }
    /// A rig of another program: a .glb.
    fs::path rig() {
        fs::path path = folder_ / "rig.glb";
        core::Asset asset = loadFile(samples_ / GetParam().rig).asset;
        asset.meshes.clear();  // the command would keep them
        asset.materials.clear();
        asset.images.clear();
        asset.character.clear();
        const core::ByteVector glb = gltf::writeGlb(asset, {});
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(glb.data()), static_cast<std::streamsize>(glb.size()));  // NOLINT
        return path;
    }
    [[nodiscard]] bool hasRig() const { return !GetParam().rig.empty(); }

    LoadedFile load() {
        Settings settings;
        for (const auto& [key, text] : GetParam().settings)
            setSetting(settings, key, text, folderAccess());
        if (hasRig())
            settings.rig = std::make_shared<core::Rig>(gltf::openRig(rig()));
        return loadFile(file(), settings);
    }

    fs::path samples_ = test::sourceFolder() / "samples";
    fs::path folder_ =
        fs::path(testing::TempDir()) /
        fmt::format("reanima_hosts_{}_{}", GetParam().name,
                    std::string_view(testing::UnitTest::GetInstance()->current_test_info()->name()).size());
};

void expectSameKeys(const core::Asset& asset, const core::Clip& clip, const aiAnimation& animation) {
    const core::Skeleton& skeleton = *asset.skeleton;
    // Ticks are rounded. At the key of a step, the new value is meant, not the old one.
    const bool steps = std::ranges::any_of(clip.tracks, [](const core::JointTrack& track) {
        return track.rotation.interpolation == core::Interpolation::step;
    });
    const auto timeOf = [&](double ticks) { return ticks / clip.rate + (steps ? 1e-6 : 0); };
    ASSERT_EQ(animation.mNumChannels, skeleton.joints.size() + (clip.travel.isPresent() ? 1U : 0U));
    for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint) {
        const aiNodeAnim& channel = *animation.mChannels[joint];
        SCOPED_TRACE(clip.name + " " + channel.mNodeName.C_Str());
        EXPECT_STREQ(channel.mNodeName.C_Str(), skeleton.joints[joint].name.c_str());
        for (unsigned k = 0; k < channel.mNumPositionKeys; ++k) {
            const core::Pose pose = core::samplePose(skeleton, clip, timeOf(channel.mPositionKeys[k].mTime));
            const aiVector3D& found = channel.mPositionKeys[k].mValue;
            EXPECT_LT(glm::distance(glm::vec3(pose[joint].translation), glm::vec3(found.x, found.y, found.z)), 1e-6F);
        }
        for (unsigned k = 0; k < channel.mNumRotationKeys; ++k) {
            const core::Pose pose = core::samplePose(skeleton, clip, timeOf(channel.mRotationKeys[k].mTime));
            const aiQuaternion& found = channel.mRotationKeys[k].mValue;
            const glm::quat rotation(pose[joint].rotation);
            EXPECT_GT(std::abs(glm::dot(rotation, glm::quat(found.w, found.x, found.y, found.z))), 1 - 1e-6F);
        }
    }
}

/// @param glb written by the command, so it contains a content key
void expectIsGlbOf(const core::ByteVector& glb, const core::Asset& asset, gltf::GltfOptions options) {
    const std::string text(glb.begin(), glb.end());
    constexpr std::string_view kKey = "\"key\":\"";
    const std::size_t key = text.find(kKey);
    ASSERT_NE(key, std::string::npos);
    options.contentKey = text.substr(key + kKey.size(), text.find('"', key + kKey.size()) - key - kKey.size());
    EXPECT_TRUE(glb == gltf::writeGlb(asset, options));
}

TEST_P(Hosts, AssimpsPropertiesGiveThePosesOfTheLibrary) {
    const LoadedFile expected = load();
    Assimp::Importer importer;
    registerImportersFirst(importer);
    for (const auto& [key, text] : GetParam().settings)
        setProperty(importer, key, text);
    if (hasRig())
        setProperty(importer, "skeleton", rig().string());
    const aiScene* scene = importer.ReadFile(file().string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    ASSERT_EQ(scene->mNumAnimations, expected.asset.clips.size());
    for (unsigned i = 0; i < scene->mNumAnimations; ++i) {
        EXPECT_STREQ(scene->mAnimations[i]->mName.C_Str(), expected.asset.clips[i].name.c_str());
        expectSameKeys(expected.asset, expected.asset.clips[i], *scene->mAnimations[i]);
    }
}

TEST_P(Hosts, TheCommandWritesWhatTheLibraryGives) {
    const LoadedFile expected = load();
    std::string line =
        fmt::format("{} convert {} --quiet -o {}", REANIMA_COMMAND, file().string(), (folder_ / "out.glb").string());
    gltf::GltfOptions options;
    for (const auto& [key, text] : GetParam().settings) {
        const SettingInfo* info = findSetting(key);
        const bool isFlag = info != nullptr && info->option.type == OptionInfo::Type::flag;
        line += isFlag || text.empty() ? fmt::format(" --{}", key) : fmt::format(" \"--{}={}\"", key, text);
        options.proxyMesh = options.proxyMesh || key == "proxy-mesh";
        options.compact = options.compact || key == "compact";
    }
    if (hasRig())
        line += " -s " + rig().string();
    ASSERT_EQ(std::system(line.c_str()), 0) << line;  // NOLINT: the command that is tested
    expectIsGlbOf(test::readBytes(folder_ / "out.glb"), expected.asset, options);
}

INSTANTIATE_TEST_SUITE_P(
    Settings, Hosts,
    testing::Values(Case{"none", {}}, Case{"clip", {{"clip", "2"}}}, Case{"name", {{"name", "{stem}_{index:03}"}}},
                    Case{"names", {{"names", std::string(REANIMA_SOURCE_DIR) + "/samples/ff7/hero.names.csv"}}},
                    Case{"rest", {{"rest", "zero"}}}, Case{"restOfClip", {{"rest", "0:3"}}},
                    Case{"step", {{"interpolation", "step"}}}, Case{"loopKey", {{"loop-key", ""}}},
                    Case{"loopKeyOf", {{"loop-key", "hrda_001"}}}, Case{"proxyMesh", {{"proxy-mesh", "1"}}},
                    Case{"endJoints", {{"end-joints", "1"}}}, Case{"compact", {{"compact", "1"}}},
                    Case{"inPlace", {{"root-motion", "in-place"}}}, Case{"drop", {{"root-motion", "drop"}}},
                    Case{"extract", {{"root-motion", "extract"}}}, Case{"resample", {{"resample", "40"}}},
                    Case{"reduce", {{"reduce", "2"}}}, Case{"rate", {{"rate", "24"}}},
                    Case{"scale", {{"scale", "0.01"}}}, Case{"subdivide", {{"subdivide", "30"}}},
                    Case{"bound", {}, "ff9/hero_walk.ff9anim", "ff9/hero.ff9model"},
                    Case{"mode", {{"mode", "local"}}, "ff9/hero_walk.ff9anim", "ff9/hero.ff9model"},
                    Case{"sourceRest", {{"source-rest", "zero"}}, "ff9/hero_walk.ff9anim", "ff9/hero.ff9model"},
                    Case{"rootScale", {{"root-scale", "1.5"}}, "ff9/hero_walk.ff9anim", "ff9/hero.ff9model"},
                    Case{"rigScale", {{"rig-scale", "1.5"}}, "ff9/hero_walk.ff9anim", "ff9/hero.ff9model"}),
    [](const auto& test) { return test.param.name; });

/// A model of Final Fantasy IX in a separate folder, so that its look can only come from named files.
class NamedLook : public testing::Test {
  protected:
    NamedLook() {
        fs::create_directories(folder_);
        fs::copy_file(samples_ / "hero.ff9model", model_, fs::copy_options::overwrite_existing);
    }
    ~NamedLook() override { fs::remove_all(folder_); }
    NamedLook(const NamedLook&) = delete;
    NamedLook& operator=(const NamedLook&) = delete;

    static void writeText(const fs::path& path, const std::string& text) {
        std::ofstream(path, std::ios::binary) << text;
    }
    /// Writes a job file, and the materials that it names beside it.
    void writeJob(const std::string& texture) const {
        fs::copy_file(samples_ / "hero.ff9mat", folder_ / "m.ff9mat", fs::copy_options::overwrite_existing);
        writeText(job_, R"({"schema": 1, "options": {"materials": "m.ff9mat", "textures": [")" + texture + R"("]}})");
    }

    /// The look of the sample, whose textures are beside it. A user who names them must get the same look.
    void expectLook(const std::vector<pictures::Picture>& images) const {
        const core::Asset expected = loadFile(samples_ / "hero.ff9model").asset;
        ASSERT_FALSE(expected.images.empty());
        ASSERT_EQ(images.size(), expected.images.size());
        for (std::size_t i = 0; i < images.size(); ++i)
            EXPECT_EQ(images[i].pixels, pictures::pictureOf(expected.images[i]).pixels) << i;
    }
    void expectLookInAssimp(const std::vector<std::pair<std::string, std::string>>& properties) const {
        Assimp::Importer importer;
        registerImportersFirst(importer);
        for (const auto& [key, text] : properties)
            setProperty(importer, key, text);
        const aiScene* scene = importer.ReadFile(model_.string(), 0);
        ASSERT_NE(scene, nullptr) << importer.GetErrorString();
        std::vector<pictures::Picture> images;
        for (unsigned i = 0; i < scene->mNumTextures; ++i) {
            const aiTexture& texture = *scene->mTextures[i];
            ASSERT_EQ(texture.mHeight, 0U);                                             // a file
            const auto* bytes = reinterpret_cast<const std::uint8_t*>(texture.pcData);  // NOLINT: of that file
            images.push_back(pictures::decodePng(core::Bytes(bytes, texture.mWidth), {}));
        }
        expectLook(images);
    }
    void expectCommandWritesWhatTheLibraryGives(const std::string& arguments, const Settings& settings) const {
        const std::string line = fmt::format("{} convert --quiet --force -o {} {}", REANIMA_COMMAND,
                                             (folder_ / "out.glb").string(), arguments);
        ASSERT_EQ(std::system(line.c_str()), 0) << line;  // NOLINT: the command that is tested
        const core::Asset found = loadFile(model_, settings).asset;
        std::vector<pictures::Picture> images;
        for (const core::Image& image : found.images)
            images.push_back(pictures::pictureOf(image));
        expectLook(images);
        expectIsGlbOf(test::readBytes(folder_ / "out.glb"), found, {});
    }

    fs::path samples_ = test::sourceFolder() / "samples/ff9";
    fs::path folder_ = fs::path(testing::TempDir()) /
                       fmt::format("reanima_look_{}", testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::path model_ = folder_ / "alone.ff9model";
    fs::path job_ = folder_ / "alone.ff9model.reanima.json";
    std::string materials_ = (samples_ / "hero.ff9mat").string();
};

TEST_F(NamedLook, IsTheSameInAllHosts) {
    const std::string texture = (samples_ / "hero.tim").string();
    Settings settings;
    settings.materials = materials_;
    settings.textures = {texture};
    expectCommandWritesWhatTheLibraryGives(
        fmt::format("{} --materials {} --textures {}", model_.string(), materials_, texture), settings);
    expectLookInAssimp({{"materials", materials_}, {"textures", texture}});
}

TEST_F(NamedLook, OfAnArchiveOrAFolder) {
    const std::string archive = (samples_ / "hero.ff9db").string();  // with the picture, and no others
    Settings settings;
    settings.materials = materials_;
    settings.textures = {archive};
    expectCommandWritesWhatTheLibraryGives(
        fmt::format("{} --materials {} --textures {}", model_.string(), materials_, archive), settings);
    expectLookInAssimp({{"materials", materials_}, {"textures", archive}});
    settings.textures = {samples_.string()};  // hero.tim is the only texture in this folder
    expectCommandWritesWhatTheLibraryGives(
        fmt::format("{} --materials {} --textures {}", model_.string(), materials_, samples_.string()), settings);
}

TEST_F(NamedLook, IsTheSameFromAJobFile) {
    fs::copy_file(samples_ / "hero.tim", folder_ / "picture.tim");
    writeJob("picture.tim");
    Settings settings;
    settings.materials = materials_;
    settings.textures = {(samples_ / "hero.tim").string()};
    expectCommandWritesWhatTheLibraryGives(job_.string(), settings);
    expectLookInAssimp({});
}

TEST_F(NamedLook, KeepsTheOrderOfSeveralTextures) {
    const std::string other = (folder_ / "other.tim").string();
    core::ByteVector bytes = test::readBytes(samples_ / "hero.tim");
    bytes.back() ^= 0x11U;  // a texel, which shows the picture that is used
    writeText(other, std::string(bytes.begin(), bytes.end()));
    const std::string texture = (samples_ / "hero.tim").string();
    Settings settings;
    settings.materials = materials_;
    settings.textures = {texture, other};
    const core::Asset first = loadFile(model_, settings).asset;
    settings.textures = {other, texture};
    const core::Asset second = loadFile(model_, settings).asset;
    ASSERT_NE(first.images.at(0).rgba, second.images.at(0).rgba);
    expectLookInAssimp({{"materials", materials_}, {"textures", texture + ";" + other}});
}

TEST_F(NamedLook, IsRefusedWhereTheFileIsSomethingElse) {
    Settings settings;
    settings.materials = (samples_ / "hero.tim").string();
    const std::string problem = test::messageOf([&](core::Diagnostics&) { (void)loadFile(model_, settings); });
    EXPECT_EQ(problem, fmt::format("{}: is PlayStation texture (TIM), not a file of materials", settings.materials));
    settings.materials = {};
    settings.textures = {folder_.string()};
    EXPECT_EQ(test::messageOf([&](core::Diagnostics&) { (void)loadFile(model_, settings); }),
              fmt::format("{}: contains no textures", folder_.string()));
}

/// A field character whose animations are only linked by the game's table: the first ones of `aaaa.hrc` there.
class LinkedClips : public testing::Test {
  protected:
    LinkedClips() {
        fs::create_directories(folder_);
        const fs::path samples = test::sourceFolder() / "samples/ff7";
        for (const auto& [from, to] :
             {std::pair("doll.hrc", "aaaa.hrc"), {"doll_idle.a", "acfe.a"}, {"doll_walk.a", "aaff.a"}})
            fs::copy_file(samples / from, folder_ / to, fs::copy_options::overwrite_existing);
    }
    ~LinkedClips() override { fs::remove_all(folder_); }
    LinkedClips(const LinkedClips&) = delete;
    LinkedClips& operator=(const LinkedClips&) = delete;

    fs::path folder_ = fs::path(testing::TempDir()) /
                       fmt::format("reanima_linked_{}", testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::path skeleton_ = folder_ / "aaaa.hrc";
};

TEST_F(LinkedClips, AreTheSameInAllHosts) {
    const core::Asset expected = loadFile(skeleton_).asset;
    ASSERT_EQ(expected.clips.size(), 2U);
    for (const core::Clip& clip : expected.clips)
        EXPECT_EQ(clip.linkedBy, core::LinkedBy::field);
    EXPECT_EQ(expected.clips[0].name, "stand");
    EXPECT_EQ(expected.clips[1].name, "walk");
    const core::Pose rest = core::restPose(*expected.skeleton);
    const core::Pose first = core::samplePose(*expected.skeleton, expected.clips[0], 0);
    for (std::size_t joint = 0; joint < rest.size(); ++joint)
        EXPECT_NEAR(std::abs(glm::dot(rest[joint].rotation, first[joint].rotation)), 1, 1e-6) << joint;

    Assimp::Importer importer;
    registerImportersFirst(importer);
    const aiScene* scene = importer.ReadFile(skeleton_.string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    ASSERT_EQ(scene->mNumAnimations, 2U);
    for (unsigned i = 0; i < 2; ++i) {
        EXPECT_STREQ(scene->mAnimations[i]->mName.C_Str(), expected.clips[i].name.c_str());
        expectSameKeys(expected, expected.clips[i], *scene->mAnimations[i]);
    }

    const fs::path output = folder_ / "out.glb";
    const std::string line =
        fmt::format("{} convert --quiet {} -o {}", REANIMA_COMMAND, skeleton_.string(), output.string());
    ASSERT_EQ(std::system(line.c_str()), 0) << line;  // NOLINT: the command that is tested
    expectIsGlbOf(test::readBytes(output), expected, {});
}

TEST_F(LinkedClips, ThatAreDamagedAreLeftOut) {
    fs::remove(folder_ / "aaff.a");
    std::ofstream(folder_ / "aaff.a", std::ios::binary) << "no animation";
    const LoadedFile loaded = loadFile(skeleton_);
    EXPECT_EQ(loaded.asset.clips.size(), 1U);
    ASSERT_FALSE(loaded.diagnostics.warnings().empty());
    EXPECT_EQ(loaded.diagnostics.warnings().back().message(),
              fmt::format("warning: {}: version at 0x0: is 1629515630, expected 1; the animation is left out",
                          (folder_ / "aaff.a").string()));
}

TEST_F(LinkedClips, AreNotLookedForInMemory) {
    EXPECT_TRUE(loadBytes(test::readBytes(skeleton_), "aaaa.hrc", {}).asset.clips.empty());
}

/// The role of a file that is named as a skeleton for an input.
enum class Is { own, rig, refused };

/// A rig of another program. Each test makes it.
const std::string kRig = "rig.glb";

struct WhoIsWho {
    std::string name;
    std::string input;  ///< in the samples, like the next two
    std::string skeleton;
    std::string sourceSkeleton;
    Is is;
};

/// Another game's motion can rarely be bound to a game's skeleton with certainty. The error shows how it was read.
class NamedSkeleton : public testing::TestWithParam<WhoIsWho> {
  protected:
    NamedSkeleton() {
        fs::create_directories(folder_);
        core::Asset doll = loadFile(path("ff7/doll.hrc")).asset;
        const core::ByteVector glb = gltf::writeGlb(doll, {});
        std::ofstream(path(kRig), std::ios::binary)
            .write(reinterpret_cast<const char*>(glb.data()), static_cast<std::streamsize>(glb.size()));  // NOLINT
    }
    ~NamedSkeleton() override { fs::remove_all(folder_); }
    NamedSkeleton(const NamedSkeleton&) = delete;
    NamedSkeleton& operator=(const NamedSkeleton&) = delete;

    [[nodiscard]] std::string path(const std::string& sample) const {
        return sample.empty()   ? ""
               : sample == kRig ? (folder_ / kRig).string()
                                : (test::sourceFolder() / "samples" / sample).string();
    }
    [[nodiscard]] std::size_t jointsOf(const std::string& sample) const {
        if (sample == kRig)
            return gltf::openRig(path(kRig)).skeleton.joints.size();
        const LoadedFile file = loadFile(path(sample));
        return file.asset.skeleton ? file.asset.skeleton->joints.size() : 0;
    }

    static void expectRefusal(const std::string& message) {
        switch (GetParam().is) {
            case Is::own:
                FAIL() << message;
            case Is::rig:
                EXPECT_NE(message.find(" is not recognised as "), message.npos) << message;
                break;
            case Is::refused:
                EXPECT_NE(message.find(", not a skeleton"), message.npos) << message;
                break;
        }
    }
    void expectJoints(std::size_t joints) const {
        ASSERT_NE(GetParam().is, Is::refused);
        EXPECT_EQ(joints, jointsOf(GetParam().is == Is::rig ? GetParam().skeleton : GetParam().input));
    }

    fs::path folder_ =
        fs::path(testing::TempDir()) / fmt::format("reanima_who_{}_{}", GetParam().name,
                                                   testing::UnitTest::GetInstance()->current_test_info()->line());
};

TEST_P(NamedSkeleton, OfTheLibrary) {
    Settings settings;
    settings.skeleton = path(GetParam().skeleton);
    settings.sourceSkeleton = path(GetParam().sourceSkeleton);
    try {
        const LoadedFile file = loadFile(path(GetParam().input), settings, gltf::readRigFile);
        EXPECT_EQ(file.report.binding.has_value(), GetParam().is == Is::rig);
        expectJoints(file.asset.skeleton ? file.asset.skeleton->joints.size() : 0);
    } catch (const core::DecodeError& error) {
        expectRefusal(error.what());
    }
}

TEST_P(NamedSkeleton, OfAssimp) {
    Assimp::Importer importer;
    registerImportersFirst(importer);
    setProperty(importer, "skeleton", path(GetParam().skeleton));
    if (!GetParam().sourceSkeleton.empty())
        setProperty(importer, "source-skeleton", path(GetParam().sourceSkeleton));
    const aiScene* scene = importer.ReadFile(path(GetParam().input), 0);
    if (scene == nullptr)
        expectRefusal(importer.GetErrorString());
    else if (jointsOf(GetParam().input) > 0 && scene->mNumAnimations > 0)
        expectJoints(scene->mAnimations[0]->mNumChannels);
}

TEST_P(NamedSkeleton, OfTheCommand) {
    const std::string glb = (folder_ / "out.glb").string();
    const std::string errors = (folder_ / "errors").string();
    std::string line = fmt::format("{} convert {} -s {} --rig-mesh omit --force -q -o {} 2>{}", REANIMA_COMMAND,
                                   path(GetParam().input), path(GetParam().skeleton), glb, errors);
    if (!GetParam().sourceSkeleton.empty())
        line += " --source-skeleton " + path(GetParam().sourceSkeleton);
    if (std::system(line.c_str()) == 0) {  // NOLINT: the command that is tested
        if (jointsOf(GetParam().input) > 0)
            expectJoints(gltf::openRig(glb).skeleton.joints.size());
    } else {
        const core::ByteVector bytes = test::readBytes(errors);
        expectRefusal(std::string(bytes.begin(), bytes.end()));
    }
}

INSTANTIATE_TEST_SUITE_P(Skeletons, NamedSkeleton,
                         testing::Values(WhoIsWho{"clips_own", "ff7/hrda", "ff7/hraa", "", Is::own},
                                         WhoIsWho{"clips_otherGame", "ff7/hrda", "ff9/hero.ff9model", "", Is::rig},
                                         WhoIsWho{"clips_rig", "ff7/hrda", kRig, "", Is::rig},
                                         WhoIsWho{"clips_noSkeleton", "ff7/hrda", "ff9/hero_walk.ff9anim", "",
                                                  Is::refused},
                                         WhoIsWho{"clips_rigAndOwn", "ff7/hrda", kRig, "ff7/hraa", Is::rig},
                                         WhoIsWho{"clips_ownTwice", "ff7/hrda", "ff7/hraa", "ff7/hraa", Is::rig},
                                         WhoIsWho{"model_own", "ff9/hero.ff9model", "ff9/hero.ff9model", "", Is::own},
                                         WhoIsWho{"model_otherGame", "ff9/hero.ff9model", "ff7/hraa", "", Is::rig},
                                         WhoIsWho{"video", "rlf/wheel.rlf", "ff7/hraa", "", Is::own}),
                         [](const auto& test) { return test.param.name; });

TEST(NamedRig, IsRefusedWhereNothingReadsIt) {
    Settings settings;
    settings.skeleton = (test::sourceFolder() / "README.md").string();
    const std::string message = test::messageOf(
        [&](core::Diagnostics&) { (void)loadFile(test::sourceFolder() / "samples/ff7/hrda", settings); });
    EXPECT_EQ(message, settings.skeleton + ": is not a game's skeleton, and this program can't read other skeletons");
}

/// Options that have no meaning without binding, each with a value.
class NeedsRig : public testing::TestWithParam<std::pair<std::string, std::string>> {
  protected:
    std::string file_ = (test::sourceFolder() / "samples/ff7/hrda").string();
};

TEST_P(NeedsRig, InTheLibrary) {
    Settings settings;
    setSetting(settings, GetParam().first, GetParam().second, folderAccess());
    const std::string message = test::messageOf([&](core::Diagnostics&) { (void)loadFile(file_, settings); });
    EXPECT_NE(message.find(GetParam().first), message.npos) << message;
    EXPECT_NE(message.find(": needs a skeleton to bind to, but none is named"), message.npos) << message;
}

TEST_P(NeedsRig, InAssimp) {
    Assimp::Importer importer;
    registerImportersFirst(importer);
    setProperty(importer, GetParam().first, GetParam().second);
    EXPECT_EQ(importer.ReadFile(file_, 0), nullptr);
    EXPECT_NE(std::string(importer.GetErrorString()).find(": needs a skeleton to bind to, but none is named"),
              std::string::npos)
        << importer.GetErrorString();
}

TEST_P(NeedsRig, InTheCommand) {
    const std::string line =
        fmt::format("{} convert {} --{}{} -o - 2>&1 >/dev/null | grep -q 'needs a rig. Add -s RIG'", REANIMA_COMMAND,
                    file_, GetParam().first, GetParam().first == "with-mesh" ? "" : "=" + GetParam().second);
    EXPECT_EQ(std::system(line.c_str()), 0) << line;  // NOLINT: the command that is tested
}

INSTANTIATE_TEST_SUITE_P(Settings, NeedsRig,
                         testing::Values(std::pair("mode", "local"), std::pair("source-rest", "zero"),
                                         std::pair("root-scale", "2"), std::pair("rig-scale", "2"),
                                         std::pair("with-mesh", "1"), std::pair("grip", "keep")));

/// A .glb that Assimp loads like an engine.
TEST(AddAnimations, ToASceneThatAssimpLoadedFromAnotherFile) {
    const fs::path samples = test::sourceFolder() / "samples";
    const fs::path path = fs::path(testing::TempDir()) / "reanima_add_animations.glb";
    gltf::GltfOptions options;
    options.proxyMesh = true;
    const LoadedFile own = loadFile(samples / "ff7/hrda");
    core::Asset hero = own.asset;
    hero.clips.erase(hero.clips.begin() + 1, hero.clips.end());
    const core::ByteVector glb = gltf::writeGlb(hero, options);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(glb.data()), static_cast<std::streamsize>(glb.size()));  // NOLINT
    Assimp::Importer importer;
    ASSERT_NE(importer.ReadFile(path.string(), 0), nullptr) << importer.GetErrorString();
    const std::unique_ptr<aiScene> scene(importer.GetOrphanedScene());
    ASSERT_EQ(scene->mNumAnimations, 1U);

    const LoadedFile added = addAnimationsTo(*scene, samples / "ff7/hrda");
    ASSERT_EQ(scene->mNumAnimations, 5U);
    EXPECT_TRUE(added.report.binding);
    const core::Skeleton& skeleton = *own.asset.skeleton;
    double worst = 0;
    for (std::size_t c = 0; c < own.asset.clips.size(); ++c) {  // the same rig: rotations as in the file
        const aiAnimation& animation = *scene->mAnimations[1 + c];
        const core::Clip& clip = own.asset.clips[c];
        ASSERT_GT(animation.mNumChannels, 10U);
        for (unsigned i = 0; i < animation.mNumChannels; ++i) {
            const aiNodeAnim& channel = *animation.mChannels[i];
            EXPECT_NE(scene->mRootNode->FindNode(channel.mNodeName), nullptr);
            const auto joint = skeleton.find(channel.mNodeName.C_Str());
            ASSERT_TRUE(joint) << channel.mNodeName.C_Str();
            for (unsigned k = 0; k < channel.mNumRotationKeys; ++k) {
                const core::Pose pose = core::samplePose(skeleton, clip, channel.mRotationKeys[k].mTime / clip.rate);
                const aiQuaternion& q = channel.mRotationKeys[k].mValue;
                worst = std::max(
                    worst, 1 - std::abs(glm::dot(glm::dquat(pose[*joint].rotation), glm::dquat(q.w, q.x, q.y, q.z))));
            }
        }
    }
    EXPECT_LT(worst, 1e-6);
    fs::remove(path);
}

std::string namesIn(const aiScene& scene) {
    std::string names;
    for (unsigned i = 0; i < scene.mNumAnimations; ++i)
        names += fmt::format("{}{}", i == 0 ? "" : " ", scene.mAnimations[i]->mName.C_Str());
    return names;
}

TEST(AddAnimations, GetNamesThatTheSceneDoesNotHave) {
    const fs::path samples = test::sourceFolder() / "samples";
    Assimp::Importer importer;
    registerImportersFirst(importer);
    ASSERT_NE(importer.ReadFile((samples / "ff7/hrda").string(), 0), nullptr) << importer.GetErrorString();
    const std::unique_ptr<aiScene> scene(importer.GetOrphanedScene());
    scene->mAnimations[2]->mName = "walk";
    scene->mRootNode->mName = "hrda_002";
    const LoadedFile added = addAnimationsTo(*scene, samples / "ff7/hrda");
    EXPECT_EQ(namesIn(*scene), "hrda_000 hrda_001 walk hrda_004 hrda_000.2 hrda_001.2 hrda_002.2 hrda_004.2");
    EXPECT_EQ(added.asset.clips[0].name, "hrda_000.2");
    const fs::path path = fs::path(testing::TempDir()) / "reanima_unique_names.glb";
    Assimp::Exporter exporter;
    EXPECT_EQ(exporter.Export(scene.get(), "glb2", path.string()), aiReturn_SUCCESS) << exporter.GetErrorString();
    fs::remove(path);
}

TEST(AddAnimations, RefusesAFileWithoutClips) {
    const fs::path samples = test::sourceFolder() / "samples";
    Assimp::Importer importer;
    registerImportersFirst(importer);
    ASSERT_NE(importer.ReadFile((samples / "ff7/hrda").string(), 0), nullptr) << importer.GetErrorString();
    const std::unique_ptr<aiScene> scene(importer.GetOrphanedScene());
    try {
        (void)addAnimationsTo(*scene, samples / "ff7/hraa");
        FAIL();
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.what(), (samples / "ff7/hraa").string() + ": contains no animation");
    }
    EXPECT_EQ(scene->mNumAnimations, 4U);
}

/// Joints whose roles are only certain from the motion in the rig's own file.
TEST(RigsWithMotion, AreRecognisedByEveryHost) {
    const fs::path samples = test::sourceFolder() / "samples";
    const fs::path walk = samples / "ff7/doll_walk.a";
    const fs::path path = fs::path(testing::TempDir()) / "reanima_rig_with_motion.glb";
    const core::ByteVector glb = gltf::writeGlb(loadFile(samples / "ff7/hrda").asset, {});
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(glb.data()), static_cast<std::streamsize>(glb.size()));  // NOLINT
    Settings byFile;
    byFile.skeleton = path.string();
    const LoadedFile expected = loadFile(walk, byFile, gltf::readRigFile);
    ASSERT_TRUE(expected.report.binding);
    Settings byRig;
    byRig.rig = std::make_shared<const core::Rig>(gltf::openRig(path));
    const LoadedFile opened = loadFile(walk, byRig);
    EXPECT_EQ(opened.report.binding->rows.size(), expected.report.binding->rows.size());

    Assimp::Importer loader;
    registerImportersFirst(loader);
    setProperty(loader, "skeleton", path.string());
    EXPECT_NE(loader.ReadFile(walk.string(), 0), nullptr) << loader.GetErrorString();
    Assimp::Importer importer;
    ASSERT_NE(importer.ReadFile(path.string(), 0), nullptr) << importer.GetErrorString();
    const std::unique_ptr<aiScene> scene(importer.GetOrphanedScene());
    const LoadedFile added = addAnimationsTo(*scene, walk);
    EXPECT_EQ(added.report.binding->rows.size(), expected.report.binding->rows.size());
    fs::remove(path);
}

TEST(AddAnimations, LeavesTheSceneAloneWhereNothingMatches) {
    aiScene scene;
    scene.mRootNode = new aiNode("alone");
    auto* child = new aiNode("stone");
    scene.mRootNode->addChildren(1, &child);
    EXPECT_THROW((void)addAnimationsTo(scene, test::sourceFolder() / "samples/ff7/hrda"), core::DecodeError);
    EXPECT_EQ(scene.mNumAnimations, 0U);
    EXPECT_EQ(scene.mRootNode->mNumChildren, 1U);
}

TEST(AddAnimations, RefusesASceneWithoutNodes) {
    aiScene scene;
    try {
        (void)addAnimationsTo(scene, test::sourceFolder() / "samples/ff7/hrda");
        FAIL();
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(), "the scene has no nodes");
    }
}

TEST(SetProperty, RefusesWhatIsNoOption) {
    Assimp::Importer importer;
    EXPECT_THROW(setProperty(importer, "restt", "zero"), core::DecodeError);
    EXPECT_THROW(setProperty(importer, "resample", "often"), core::DecodeError);
    EXPECT_NO_THROW(setProperty(importer, "skeleton", "hraa"));
}

}  // namespace
}  // namespace reanima
