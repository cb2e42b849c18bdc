/// The importers inside Assimp. Every scene is validated, post-processed, exported, and compared with positions from
/// other computations.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <assimp/Exporter.hpp>
#include <assimp/Importer.hpp>
#include <assimp/ProgressHandler.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats/dump.h"
#include "formats/format.h"
#include "formats/load.h"
#include "formats/registry.h"
#include "formats/zvision/rlf.h"
#include "gltf_export/gltf_file.h"
#include "importers/importers.h"
#include "importers/scene_keys.h"
#include "support/bytes.h"
#include "support/sanitizer.h"

namespace reanima {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = test::sourceFolder();
constexpr unsigned kQuality = aiProcessPreset_TargetRealtime_MaxQuality;  // validates, too

/// True for characters, whose meshes have separate tests.
bool isSound(const Input& input) {
    const Format* format = findFormat(input);
    return format != nullptr && format->traits.isConverted && format->kind != Kind::mesh &&
           format->kind != Kind::picture && format->isWhole(input.file.bytes);
}

/// Files that must load, of every format.
std::vector<std::string> soundFiles() {
    std::vector<std::string> files;
    for (const fs::path& folder : {fs::path("samples"), fs::path("tests/data/motion")})
        for (const auto& entry : fs::recursive_directory_iterator(kSource / folder)) {
            if (!entry.is_regular_file())
                continue;
            const Input input = test::inputFrom(entry.path());
            if (isSound(input))
                files.push_back(entry.path().lexically_relative(kSource).string());
        }
    std::sort(files.begin(), files.end());
    return files;
}

// ---------------------------------------------------------------------------------------------------------------------
// Positions, computed from an aiScene in the plain way

aiVector3D sample(const aiVectorKey* keys, unsigned count, double tick) {
    unsigned next = 0;
    while (next < count && keys[next].mTime <= tick)
        ++next;
    if (next == 0)
        return keys[0].mValue;
    if (next == count)
        return keys[count - 1].mValue;
    const auto share = static_cast<ai_real>((tick - keys[next - 1].mTime) / (keys[next].mTime - keys[next - 1].mTime));
    return keys[next - 1].mValue + (keys[next].mValue - keys[next - 1].mValue) * share;
}

aiQuaternion sample(const aiQuatKey* keys, unsigned count, double tick) {
    unsigned next = 0;
    while (next < count && keys[next].mTime <= tick)
        ++next;
    if (next == 0)
        return keys[0].mValue;
    if (next == count)
        return keys[count - 1].mValue;
    aiQuaternion result;
    aiQuaternion::Interpolate(
        result, keys[next - 1].mValue, keys[next].mValue,
        static_cast<ai_real>((tick - keys[next - 1].mTime) / (keys[next].mTime - keys[next - 1].mTime)));
    return result;
}

const aiNodeAnim* channelOf(const aiAnimation& animation, const aiString& node) {
    for (unsigned i = 0; i < animation.mNumChannels; ++i)
        if (animation.mChannels[i]->mNodeName == node)
            return animation.mChannels[i];
    return nullptr;
}

aiMatrix4x4 globalOf(const aiNode* node, const aiAnimation& animation, double tick) {
    aiMatrix4x4 local = node->mTransformation;
    if (const aiNodeAnim* channel = channelOf(animation, node->mName))
        local = aiMatrix4x4(sample(channel->mScalingKeys, channel->mNumScalingKeys, tick),
                            sample(channel->mRotationKeys, channel->mNumRotationKeys, tick),
                            sample(channel->mPositionKeys, channel->mNumPositionKeys, tick));
    return node->mParent != nullptr ? globalOf(node->mParent, animation, tick) * local : local;
}

// ---------------------------------------------------------------------------------------------------------------------
// The rules for scenes

void checkNodes(const aiNode* node, std::set<std::string>& names) {
    EXPECT_TRUE(names.insert(node->mName.C_Str()).second) << node->mName.C_Str() << " twice";
    for (unsigned i = 0; i < node->mNumChildren; ++i)
        checkNodes(node->mChildren[i], names);
}

void checkRules(const aiScene& scene) {
    std::set<std::string> nodes;
    checkNodes(scene.mRootNode, nodes);
    EXPECT_EQ(scene.mRootNode->mTransformation, aiMatrix4x4());
    std::set<std::string> animations;
    for (unsigned a = 0; a < scene.mNumAnimations; ++a) {
        const aiAnimation& animation = *scene.mAnimations[a];
        EXPECT_NE(animation.mName.length, 0U);
        EXPECT_TRUE(animations.insert(animation.mName.C_Str()).second);
        EXPECT_GT(animation.mTicksPerSecond, 0);
        EXPECT_EQ(animation.mTicksPerSecond, scene.mAnimations[0]->mTicksPerSecond);
        EXPECT_GE(animation.mDuration, 1);
        double last = 0;
        for (unsigned c = 0; c < animation.mNumChannels; ++c) {
            const aiNodeAnim& channel = *animation.mChannels[c];
            EXPECT_TRUE(nodes.count(channel.mNodeName.C_Str()));
            ASSERT_GE(channel.mNumPositionKeys, 1U);
            ASSERT_GE(channel.mNumRotationKeys, 1U);
            ASSERT_GE(channel.mNumScalingKeys, 1U);
            for (unsigned k = 0; k < channel.mNumRotationKeys; ++k) {
                const aiQuaternion& q = channel.mRotationKeys[k].mValue;
                EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-5F);
                if (k > 0) {
                    const aiQuaternion& p = channel.mRotationKeys[k - 1].mValue;
                    EXPECT_GE(q.w * p.w + q.x * p.x + q.y * p.y + q.z * p.z, 0);
                }
            }
            last = std::max({last, channel.mRotationKeys[channel.mNumRotationKeys - 1].mTime,
                             channel.mPositionKeys[channel.mNumPositionKeys - 1].mTime,
                             channel.mScalingKeys[channel.mNumScalingKeys - 1].mTime});
        }
        EXPECT_EQ(animation.mDuration, last);
    }
}

class SoundFiles : public testing::TestWithParam<std::string> {};

TEST_P(SoundFiles, LoadFromDiskAndObeyTheRules) {
    Assimp::Importer importer;
    registerImportersFirst(importer);
    const aiScene* scene = importer.ReadFile((kSource / GetParam()).string(), aiProcess_ValidateDataStructure);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    checkRules(*scene);
}

TEST_P(SoundFiles, SurviveTheQualityPresetAndExport) {
    Assimp::Importer importer;
    registerImportersFirst(importer);
    const aiScene* scene = importer.ReadFile((kSource / GetParam()).string(), kQuality);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    const fs::path folder =
        fs::path(testing::TempDir()) / ("reanima_assimp_" + std::to_string(std::hash<std::string>{}(GetParam())));
    fs::create_directories(folder);
    Assimp::Exporter exporter;
    const std::string glb = (folder / "out.glb").string();
    EXPECT_EQ(exporter.Export(scene, "glb2", glb), aiReturn_SUCCESS) << exporter.GetErrorString();
    Assimp::Importer again;
    const aiScene* read = again.ReadFile(glb, 0);
    ASSERT_NE(read, nullptr) << again.GetErrorString();
    EXPECT_EQ(read->mNumAnimations, scene->mNumAnimations);
    // Assimp 5.2.5 can't read back binary FBX files that it writes, not even one made from a BVH file.
    EXPECT_EQ(exporter.Export(scene, "fbx", (folder / "out.fbx").string()), aiReturn_SUCCESS)
        << exporter.GetErrorString();
    fs::remove_all(folder);
}

TEST_P(SoundFiles, LoadFromMemoryWithAndWithoutHint) {
    const core::ByteVector bytes = test::readBytes(kSource / GetParam());
    const Input input = test::inputFrom(kSource / GetParam());
    const std::string hint(findFormat(input)->extensions.front());
    for (const std::string& given : {hint, std::string()}) {
        Assimp::Importer importer;
        registerImportersFirst(importer);
        const aiScene* scene =
            importer.ReadFileFromMemory(bytes.data(), bytes.size(), aiProcess_ValidateDataStructure, given.c_str());
        ASSERT_NE(scene, nullptr) << "hint \"" << given << "\": " << importer.GetErrorString();
        checkRules(*scene);
    }
}

TEST_P(SoundFiles, AreNodesAloneWithoutSkeletonMeshes) {
    Assimp::Importer importer;
    registerImportersFirst(importer);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
    setProperty(importer, "no-mesh", "1");
    const aiScene* scene = importer.ReadFile((kSource / GetParam()).string(), aiProcess_ValidateDataStructure);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    if (scene->mNumTextures > 0)
        return;  // meshes of pictures are not stand-ins
    EXPECT_EQ(scene->mNumMeshes, 0U);
    EXPECT_EQ(scene->mNumMaterials, 0U);
    EXPECT_TRUE(scene->mFlags & AI_SCENE_FLAGS_INCOMPLETE);
}

INSTANTIATE_TEST_SUITE_P(All, SoundFiles, testing::ValuesIn(soundFiles()), [](const auto& test) {
    std::string name = test.param;
    for (char& c : name)
        c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
});

// ---------------------------------------------------------------------------------------------------------------------
// Real motion, against positions that were computed by another program

/// A folder of the motion data: files of one format with a skeleton.
class Motion : public testing::TestWithParam<std::string> {};

TEST_P(Motion, EveryJointIsInItsPlaceInEveryFrame) {
    const fs::path folder = kSource / "tests/data/motion" / GetParam();
    const Json expected = parseJson(test::readBytes(folder / "expected.json"));
    double worst = 0;
    std::size_t compared = 0;
    for (const Json& file : expected.at("inputs")) {
        Assimp::Importer importer;
        registerImportersFirst(importer);
        importer.SetPropertyFloat("IMPORT_REANIMA_SCALE", 1);
        importer.SetPropertyString("IMPORT_REANIMA_SKELETON",
                                   (folder / expected.at("skeleton").get<std::string>()).string());
        const aiScene* scene =
            importer.ReadFile((folder / file.get<std::string>()).string(), aiProcess_ValidateDataStructure);
        ASSERT_NE(scene, nullptr) << importer.GetErrorString();
        for (unsigned a = 0; a < scene->mNumAnimations; ++a) {
            const aiAnimation& animation = *scene->mAnimations[a];
            for (const Json& clip : expected.at("clips")) {
                if (clip.value("name", std::string()) != animation.mName.C_Str())
                    continue;
                double extent = 0;
                for (const Json& frame : clip.at("frames"))
                    for (const Json& value : frame.at("gltf"))
                        extent = std::max(extent, std::abs(value.get<double>()));
                for (const Json& frame : clip.at("frames")) {
                    const double tick = frame.at("time").get<double>() * animation.mTicksPerSecond;
                    for (std::size_t j = 0; j < expected.at("joints").size(); ++j) {
                        const aiNode* node =
                            scene->mRootNode->FindNode(expected.at("joints")[j].get<std::string>().c_str());
                        ASSERT_NE(node, nullptr);
                        const aiMatrix4x4 m = globalOf(
                            node, animation, std::abs(tick - std::round(tick)) < 1e-3 ? std::round(tick) : tick);
                        const Json& p = frame.at("gltf");
                        const aiVector3D at(p[3 * j].get<ai_real>(), p[3 * j + 1].get<ai_real>(),
                                            p[3 * j + 2].get<ai_real>());
                        worst =
                            std::max(worst, static_cast<double>((aiVector3D(m.a4, m.b4, m.c4) - at).Length()) / extent);
                        ++compared;
                    }
                }
            }
        }
    }
    EXPECT_GT(compared, 1000U);
    EXPECT_LE(worst, 1e-4);
    RecordProperty("worst", std::to_string(worst));
    std::cout << GetParam() << ": " << compared << " positions, worst " << worst << " of the largest coordinate\n";
}

std::vector<std::string> motionFolders() {
    std::vector<std::string> folders;
    for (const auto& capture : fs::directory_iterator(kSource / "tests/data/motion"))
        if (capture.is_directory())
            for (const auto& format : fs::directory_iterator(capture))
                for (const auto& file : fs::directory_iterator(format))
                    if (file.path().filename() != "expected.json" && isSound(test::inputFrom(file.path())) &&
                        parseJson(test::readBytes(format.path() / "expected.json")).contains("skeleton")) {
                        folders.push_back(format.path().lexically_relative(kSource / "tests/data/motion").string());
                        break;
                    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

INSTANTIATE_TEST_SUITE_P(All, Motion, testing::ValuesIn(motionFolders()), [](const auto& test) {
    std::string name = test.param;
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
});

// ---------------------------------------------------------------------------------------------------------------------
// Metroid Prime: scales, the long way round and events, against what the samples' generator computed

double worstPosition(const aiScene& scene, const aiAnimation& animation, const Json& frames, const Json& joints) {
    double worst = 0;
    for (const Json& frame : frames)
        for (std::size_t j = 0; j < joints.size(); ++j) {
            const aiNode* node = scene.mRootNode->FindNode(joints[j].get<std::string>().c_str());
            const aiMatrix4x4 m = globalOf(node, animation, frame.at("time").get<double>() * animation.mTicksPerSecond);
            const Json& p = frame.at("positions")[j];
            const aiVector3D at(p[0].get<ai_real>(), p[1].get<ai_real>(), p[2].get<ai_real>());
            worst = std::max(worst, static_cast<double>((aiVector3D(m.a4, m.b4, m.c4) - at).Length()));
        }
    return worst;
}

class MetroidSamples : public testing::TestWithParam<const char*> {};

TEST_P(MetroidSamples, EveryJointIsInItsPlaceAtKeysAndBetween) {
    const Json expected = parseJson(test::readBytes(kSource / "tests/data/samples" / GetParam()));
    for (const Json& clip : expected.at("clips")) {
        const auto name = clip.at("name").get<std::string>();
        SCOPED_TRACE(name);
        Assimp::Importer importer;
        registerImportersFirst(importer);
        const aiScene* scene = importer.ReadFile((kSource / "samples/metroid" / (name + ".ANIM")).string(),
                                                 aiProcess_ValidateDataStructure);
        ASSERT_NE(scene, nullptr) << importer.GetErrorString();
        const aiAnimation& animation = *scene->mAnimations[0];
        EXPECT_STREQ(animation.mName.C_Str(), name.c_str());
        EXPECT_LT(worstPosition(*scene, animation, clip.at("frames"), expected.at("joints")), 5e-6);
        EXPECT_LT(worstPosition(*scene, animation, clip.at("between"), expected.at("joints")),
                  1e-4);  // Assimp mixes in float
        bool loop = false;
        EXPECT_EQ(scene->mMetaData->Get("reanima.clip.0.loop", loop), !clip.at("loop").is_null());
        EXPECT_EQ(loop, clip.at("loop") == true);
        const Json events = clip.value("events", Json::array());
        for (std::size_t i = 0; i < events.size(); ++i) {
            const std::string event = "reanima.clip.0.events." + std::to_string(i);
            aiString text;
            double time = -1;
            ASSERT_TRUE(scene->mMetaData->Get(event + ".name", text));
            EXPECT_EQ(text.C_Str(), events[i].at("name").get<std::string>());
            ASSERT_TRUE(scene->mMetaData->Get(event + ".type", text));
            EXPECT_EQ(text.C_Str(), events[i].at("type").get<std::string>());
            ASSERT_TRUE(scene->mMetaData->Get(event + ".time", time));
            EXPECT_EQ(time, events[i].at("time").get<double>());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, MetroidSamples,
                         testing::Values("metroid_prime_expected.json", "metroid_echoes_expected.json"),
                         [](const auto& test) {
                             return std::string(test.param).substr(8, std::string(test.param).find('_', 8) - 8);
                         });

TEST(MetroidEvents, MayBeGiven) {
    Assimp::Importer importer;
    registerImportersFirst(importer);
    importer.SetPropertyString("IMPORT_REANIMA_EVENTS", (kSource / "samples/metroid/5EED0001.EVNT").string());
    const aiScene* scene = importer.ReadFile((kSource / "samples/metroid/hero_walk.ANIM").string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    aiString name;
    ASSERT_TRUE(scene->mMetaData->Get("reanima.clip.0.events.0.name", name));
    EXPECT_STREQ(name.C_Str(), "whoosh");
}

// ---------------------------------------------------------------------------------------------------------------------
// Rotations, against the stored angles multiplied out as matrices

/// Multiplies the angles of a Final Fantasy IX block, in doubles: R = Rz * Ry * Rx, in 1/4096 turn.
aiMatrix3x3t<double> matrixOf(const Json& angles) {
    std::array<aiMatrix3x3t<double>, 3> turns;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        aiVector3t<double> about;
        about[static_cast<unsigned>(axis)] = 1;
        aiMatrix3x3t<double>::Rotation(angles[axis].get<double>() * AI_MATH_TWO_PI / 4096, about, turns[axis]);
    }
    return turns[2] * turns[1] * turns[0];
}

TEST(Rotations, OfFinalFantasyIxAreRightInEveryFrame) {
    const aiMatrix3x3t<double> flip(1, 0, 0, 0, -1, 0, 0, 0, -1);  // Y down -> Y up
    const fs::path folder = kSource / "tests/data/motion/cmu_01_03/ff9";
    test::Surroundings surroundings;
    const Json joints = dump(test::inputFrom(folder / "mb.ff9model"), {}, surroundings.context).at("joints");
    double worst = 0;
    for (const char* name : {"mb_0.ff9anim", "mb_1.ff9anim", "mb_2.ff9anim", "mb_3.ff9anim"}) {
        Assimp::Importer importer;
        registerImportersFirst(importer);
        const aiScene* scene = importer.ReadFile((folder / name).string(), aiProcess_ValidateDataStructure);
        ASSERT_NE(scene, nullptr) << importer.GetErrorString();
        const Json angles = dump(test::inputFrom(folder / name), {}, surroundings.context).at("angles");
        for (std::size_t frame = 0; frame < angles.size(); ++frame) {
            std::vector<aiMatrix3x3t<double>> world;
            for (std::size_t bone = 0; bone < joints.size(); ++bone) {
                const aiMatrix3x3t<double> own = matrixOf(angles[frame][bone]);
                world.push_back(bone == 0 ? own : world[joints[bone].at("parent").get<std::size_t>()] * own);
                const aiMatrix3x3t<double> wanted = flip * world.back() * flip;
                const aiNode* node = scene->mRootNode->FindNode(joints[bone].at("name").get<std::string>().c_str());
                ASSERT_NE(node, nullptr);
                const aiMatrix4x4 got = globalOf(node, *scene->mAnimations[0], static_cast<double>(frame));
                for (unsigned row = 0; row < 3; ++row)
                    for (unsigned column = 0; column < 3; ++column)
                        worst = std::max(worst, std::abs(wanted[row][column] - static_cast<double>(got[row][column])));
            }
        }
    }
    EXPECT_LT(worst, 5e-6);
    std::cout << "worst matrix element off by " << worst << '\n';
}

// ---------------------------------------------------------------------------------------------------------------------
// Finding the skeleton, and errors

const fs::path kSample = kSource / "samples/ff7";

TEST(Skeleton, IsFoundBesideTheFileAndSaysSo) {
    Assimp::Importer importer;
    registerImportersFirst(importer);
    const aiScene* scene = importer.ReadFile((kSample / "hrda").string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    aiString origin;
    ASSERT_TRUE(scene->mMetaData->Get("reanima.skeleton", origin));
    EXPECT_STREQ(origin.C_Str(), "found");
    std::int32_t frames = 0;
    ASSERT_TRUE(scene->mMetaData->Get("reanima.clip.1.frames", frames));
    EXPECT_EQ(frames, 17);
    std::uint64_t word = 0;
    ASSERT_TRUE(scene->mMetaData->Get("reanima.clip.1.counters.key_bits", word));
    EXPECT_EQ(word, 2U);
}

TEST(Metadata, WordsOfAFileHaveOneTypeWhateverTheirValue) {
    for (const auto& [name, id] : {std::pair("hero_attack.ANIM", 0x5EED0001U), {"hero_walk.ANIM", 0xFFFFFFFFU}}) {
        Assimp::Importer importer;
        registerImportersFirst(importer);
        const aiScene* scene = importer.ReadFile((kSource / "samples/metroid" / name).string(), 0);
        ASSERT_NE(scene, nullptr) << importer.GetErrorString();
        std::uint64_t word = 0;
        ASSERT_TRUE(scene->mMetaData->Get("reanima.clip.0.counters.evnt", word)) << name;
        EXPECT_EQ(word, id);
    }
}

/// A text of the scene's metadata; `absent` if there is none.
std::string metadataOf(const aiScene& scene, const char* name) {
    aiString text;
    return scene.mMetaData->Get(name, text) ? text.C_Str() : "absent";
}

TEST(Models, OfAFileAreOnePerScene) {
    const std::string path = (kSource / "tests/data/conformance/ff9-mesh/inputs/models.ff9db").string();
    Assimp::Importer importer;
    registerImportersFirst(importer);
    const aiScene* scene = importer.ReadFile(path, kQuality);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    EXPECT_EQ(scene->mNumAnimations, 3U);
    EXPECT_STREQ(scene->mAnimations[0]->mName.C_Str(), "anim_00032");
    EXPECT_EQ(metadataOf(*scene, "reanima.model"), "300");
    EXPECT_EQ(metadataOf(*scene, "reanima.models.0"), "300");
    EXPECT_EQ(metadataOf(*scene, "reanima.models.2"), "302");
    EXPECT_EQ(metadataOf(*scene, "reanima.models.3"), "absent");
    EXPECT_EQ(metadataOf(*scene, "reanima.warnings"),
              path +
                  ": warning: contains the models 300, 301 and 302; only 300 is converted (see "
                  "IMPORT_REANIMA_MODEL=ID)");

    importer.SetPropertyInteger("IMPORT_REANIMA_MODEL", 301);
    scene = importer.ReadFile(path, kQuality);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    EXPECT_EQ(scene->mNumAnimations, 2U);
    EXPECT_NE(scene->mRootNode->FindNode("bone008"), nullptr);
    EXPECT_EQ(metadataOf(*scene, "reanima.model"), "301");
    EXPECT_EQ(metadataOf(*scene, "reanima.warnings"), "");
}

TEST(Models, OfAFileAreChosenByText) {
    const std::string path = (kSource / "tests/data/conformance/ff9-mesh/inputs/models.ff9db").string();
    Assimp::Importer importer;
    registerImportersFirst(importer);
    importer.SetPropertyString("IMPORT_REANIMA_MODEL", "302");
    const aiScene* scene = importer.ReadFile(path, 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    EXPECT_EQ(metadataOf(*scene, "reanima.model"), "302");
    importer.SetPropertyString("IMPORT_REANIMA_MODEL", "999");
    EXPECT_EQ(importer.ReadFile(path, 0), nullptr);
    EXPECT_EQ(importer.GetErrorString(), path + ": contains no model 999, only 300, 301 and 302");
}

TEST(Models, ThatAreAloneNeedNoChoice) {
    Assimp::Importer importer;
    registerImportersFirst(importer);
    const aiScene* scene = importer.ReadFile((kSource / "samples/ff9/hero.ff9db").string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    EXPECT_EQ(metadataOf(*scene, "reanima.model"), "1000");
    EXPECT_EQ(metadataOf(*scene, "reanima.models.0"), "absent");
    EXPECT_EQ(metadataOf(*scene, "reanima.warnings"), "");
}

TEST(Limits, CanBeSetAsProperties) {
    const std::string path = (kSample / "hrda").string();
    Assimp::Importer importer;
    registerImportersFirst(importer);
    importer.SetPropertyInteger("IMPORT_REANIMA_LIMIT_SAMPLES", 100);
    EXPECT_EQ(importer.ReadFile(path, 0), nullptr);
    EXPECT_EQ(importer.GetErrorString(), path +
                                             ": animations[0].stream at 0x10: the file decodes to more samples than "
                                             "the limit allows (see IMPORT_REANIMA_LIMIT_SAMPLES=N)");
    importer.SetPropertyInteger("IMPORT_REANIMA_LIMIT_SAMPLES", 1000000);
    EXPECT_NE(importer.ReadFile(path, 0), nullptr) << importer.GetErrorString();
}

/// Animations of one frame, with 22 bones and a root. All angles are 0.
fs::path packOf(std::uint32_t clips) {
    constexpr std::uint32_t kRotations = 23;
    std::vector<std::uint8_t> stream(6 + 3 * kRotations);  // key 4: three angles of 8 bits
    const auto size = static_cast<std::uint8_t>(stream.size());
    std::vector<std::uint8_t> one = {kRotations, 0, 0, 0, 1, 0,    0, 0, static_cast<std::uint8_t>(5 + size),
                                     0,          0, 0, 1, 0, size, 0, 4};
    one.insert(one.end(), stream.begin(), stream.end());
    fs::path path = fs::path(testing::TempDir()) / fmt::format("reanima_pack_{}", ::getpid());
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&clips), sizeof clips);  // NOLINT: tests run where bytes are little-endian
    for (std::uint32_t clip = 0; clip < clips; ++clip)
        file.write(reinterpret_cast<const char*>(one.data()), static_cast<std::streamsize>(one.size()));  // NOLINT
    return path;
}

struct Outcome {
    bool isRead = false;
    std::string error;
    long mebibytes = 0;
};

/// Reads in a separate process.
Outcome readWithin(int limit, const fs::path& path) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        Assimp::Importer importer;
        registerImportersFirst(importer);
        importer.SetPropertyInteger("IMPORT_REANIMA_LIMIT_MEMORY", limit);
        const bool isRead = importer.ReadFile(path.string(), 0) != nullptr;
        const std::string error = importer.GetErrorString();
        (void)!::write(ends[1], error.data(), std::min<std::size_t>(error.size(), 1000));
        ::_exit(isRead ? 0 : 1);
    }
    ::close(ends[1]);
    Outcome outcome;
    std::array<char, 1000> text{};
    outcome.error.assign(text.data(),
                         static_cast<std::size_t>(std::max<ssize_t>(0, ::read(ends[0], text.data(), 1000))));
    ::close(ends[0]);
    int status = 0;
    rusage usage{};
    EXPECT_EQ(::wait4(child, &status, 0, &usage), child);
    EXPECT_TRUE(WIFEXITED(status));
    outcome.isRead = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    outcome.mebibytes = usage.ru_maxrss / 1024;
    return outcome;
}

/// REANIMA_CLIPS=30000 measures a large pack.
TEST(Limits, HoldForScenes) {
    const char* clips = std::getenv("REANIMA_CLIPS");
    const bool isLarge = clips != nullptr;
    const fs::path path = packOf(isLarge ? static_cast<std::uint32_t>(std::atoi(clips)) : 300);
    bool wasRead = false;
    for (const int limit : isLarge ? std::array{64, 256, 1024, 4096} : std::array{1, 2, 4, 32}) {
        const Outcome outcome = readWithin(limit, path);
        if (isLarge)
            fmt::print("limit {}: {} MiB {}\n", limit, outcome.mebibytes, outcome.error);
        EXPECT_GE(outcome.isRead, wasRead) << limit;
        wasRead = outcome.isRead;
        if (!outcome.isRead) {
            EXPECT_TRUE(outcome.error.ends_with(
                fmt::format("MiB of memory, but the limit is {} (see IMPORT_REANIMA_LIMIT_MEMORY=MIB)", limit)))
                << outcome.error;
        }
        if (!test::kHasAddressSanitizer) {
            EXPECT_LE(outcome.mebibytes, limit + 64);
        }
    }
    EXPECT_FALSE(readWithin(1, path).isRead);
    EXPECT_TRUE(wasRead);
    fs::remove(path);
}

TEST(Skeleton, MayLieInTheSameFile) {
    Assimp::Importer importer;
    registerImportersFirst(importer);
    const aiScene* scene = importer.ReadFile((kSource / "samples/ff9/hero.ff9db").string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    ASSERT_EQ(scene->mNumAnimations, 3U);
    EXPECT_STREQ(scene->mAnimations[1]->mName.C_Str(), "anim_01002");
    EXPECT_EQ(scene->mAnimations[1]->mTicksPerSecond, 30);
    EXPECT_NE(scene->mRootNode->FindNode("bone025"), nullptr);
}

TEST(Skeleton, MayBeGivenAsBytesForReadsFromMemory) {
    const core::ByteVector pack = test::readBytes(kSample / "hrda");
    const core::ByteVector skeleton = test::readBytes(kSample / "hraa");
    Assimp::Importer importer;
    importer.SetPropertyString("IMPORT_REANIMA_SKELETON_BYTES", {skeleton.begin(), skeleton.end()});
    registerImporters(importer);
    const aiScene* scene = importer.ReadFileFromMemory(pack.data(), pack.size(), aiProcess_ValidateDataStructure, "da");
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    aiString origin;
    ASSERT_TRUE(scene->mMetaData->Get("reanima.skeleton", origin));
    EXPECT_STREQ(origin.C_Str(), "given");
    EXPECT_NE(scene->mRootNode->FindNode("weapon000"), nullptr);
}

TEST(Memory, IsDressedInWhatLiesBesideItsName) {
    const core::ByteVector pack = test::readBytes(kSample / "hrda");
    for (const bool hasFolder : {true, false}) {
        Assimp::Importer importer;
        setProperty(importer, "file-name", hasFolder ? (kSample / "hrda").string() : "hrda");
        registerImporters(importer);
        const aiScene* scene =
            importer.ReadFileFromMemory(pack.data(), pack.size(), aiProcess_ValidateDataStructure, "da");
        ASSERT_NE(scene, nullptr) << importer.GetErrorString();
        aiString origin;
        ASSERT_TRUE(scene->mMetaData->Get("reanima.skeleton", origin));
        EXPECT_STREQ(origin.C_Str(), hasFolder ? "found" : "made-up");
        EXPECT_EQ(scene->mNumTextures > 0, hasFolder);
        EXPECT_STREQ(scene->mAnimations[0]->mName.C_Str(), "hrda_000");
    }
}

TEST(Memory, OnlyReadsFromItUseTheFileName) {
    Assimp::Importer importer;
    setProperty(importer, "file-name", "./other");
    registerImportersFirst(importer);
    const aiScene* scene = importer.ReadFile((kSample / "hrda").string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    EXPECT_STREQ(scene->mAnimations[0]->mName.C_Str(), "hrda_000");
    EXPECT_EQ(metadataOf(*scene, "reanima.clip.0.source"), "hrda");
}

class JobFolder : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) / ("reanima_job_" + std::to_string(::getpid()));
        fs::create_directories(folder_ / "rigs");
        fs::copy_file(kSample / "hrda", folder_ / "pack", fs::copy_options::overwrite_existing);
        fs::copy_file(kSample / "hraa", folder_ / "rigs/person", fs::copy_options::overwrite_existing);
    }
    void TearDown() override { fs::remove_all(folder_); }

    void writeJob(const std::string& text) const { std::ofstream(folder_ / "pack.reanima.json") << text; }

    fs::path folder_;
};

TEST_F(JobFolder, AJobFileBesideTheFileNamesTheSkeletonAndOptions) {
    writeJob(R"({"schema": 1, "inputs": ["pack"], "skeleton": "rigs/person", "options": {"rate": 30}})");
    Assimp::Importer importer;
    registerImportersFirst(importer);
    const aiScene* scene = importer.ReadFile((folder_ / "pack").string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    EXPECT_EQ(scene->mAnimations[0]->mTicksPerSecond, 30);
    EXPECT_NE(scene->mRootNode->FindNode("bone019"), nullptr);
}

TEST_F(JobFolder, PropertiesWinOverTheJobFile) {
    writeJob(R"({"schema": 1, "skeleton": "rigs/person", "options": {"rate": 30}})");
    Assimp::Importer importer;
    importer.SetPropertyInteger("IMPORT_REANIMA_FPS", 60);
    registerImportersFirst(importer);
    const aiScene* scene = importer.ReadFile((folder_ / "pack").string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    EXPECT_EQ(scene->mAnimations[0]->mTicksPerSecond, 60);
}

TEST_F(JobFolder, SecondNamesOfOptionsAreProperties) {
    const auto isUnlit = [&](const char* property) {
        Assimp::Importer importer;
        if (property != nullptr)
            importer.SetPropertyInteger(property, 1);
        registerImportersFirst(importer);
        const aiScene* scene = importer.ReadFile((test::sourceFolder() / "samples/ff9/hero.ff9model").string(), 0);
        aiShadingMode shading = aiShadingMode_NoShading;
        EXPECT_NE(scene, nullptr) << importer.GetErrorString();
        if (scene == nullptr)
            return false;
        return scene->mMaterials[0]->Get(AI_MATKEY_SHADING_MODEL, shading) == aiReturn_SUCCESS &&
               shading == aiShadingMode_Unlit;
    };
    EXPECT_TRUE(isUnlit(nullptr));
    EXPECT_FALSE(isUnlit("IMPORT_REANIMA_LIT"));
}

TEST_F(JobFolder, WrongValuesInAJobFileAreNamed) {
    const std::pair<const char*, const char*> cases[] = {
        {R"("rate": 0)", "options.rate: is 0, expected a number from 0.001 to 1000"},
        {R"("joints": -1)", "options.joints: is -1, expected a whole number from 1 to 65535"},
        {R"("joints": "2.5")", "options.joints: is 2.5, expected a whole number from 1 to 65535"},
        {R"("rate": "1,5")", "options.rate: is 1,5, expected a number from 0.001 to 1000"}};
    for (const auto& [option, problem] : cases) {
        writeJob(std::string(R"({"schema": 1, "options": {)") + option + "}}");
        Assimp::Importer importer;
        registerImportersFirst(importer);
        EXPECT_EQ(importer.ReadFile((folder_ / "pack").string(), 0), nullptr);
        EXPECT_EQ(importer.GetErrorString(), (folder_ / "pack.reanima.json").string() + ": " + problem);
    }
}

TEST_F(JobFolder, MayChooseAModelAsTheEnvironmentMay) {
    fs::copy_file(kSource / "tests/data/conformance/ff9-mesh/inputs/models.ff9db", folder_ / "field.ff9db");
    const auto model = [this] {
        Assimp::Importer importer;
        registerImportersFirst(importer);
        const aiScene* scene = importer.ReadFile((folder_ / "field.ff9db").string(), 0);
        EXPECT_NE(scene, nullptr) << importer.GetErrorString();
        return scene != nullptr ? metadataOf(*scene, "reanima.model") : "none";
    };
    ::setenv("REANIMA_MODEL", "301", 1);  // NOLINT: no other thread runs
    EXPECT_EQ(model(), "301");
    std::ofstream(folder_ / "field.ff9db.reanima.json") << R"({"schema": 1, "options": {"model": 302}})";
    EXPECT_EQ(model(), "302");
    ::unsetenv("REANIMA_MODEL");  // NOLINT
}

TEST(Environment, WrongValuesAreNamed) {
    ::setenv("REANIMA_FPS", "often", 1);  // NOLINT: no other thread runs
    Assimp::Importer importer;
    registerImportersFirst(importer);
    EXPECT_EQ(importer.ReadFile((kSample / "hrda").string(), 0), nullptr);
    EXPECT_STREQ(importer.GetErrorString(), "REANIMA_RATE=often: is often, expected a number from 0.001 to 1000");
    ::unsetenv("REANIMA_FPS");  // NOLINT
}

TEST_F(JobFolder, TextsAreValuesToo) {
    writeJob(R"({"schema": 1, "skeleton": "rigs/person", "options": {"rate": "29.97"}})");
    Assimp::Importer importer;
    registerImportersFirst(importer);
    const aiScene* scene = importer.ReadFile((folder_ / "pack").string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    EXPECT_EQ(scene->mAnimations[0]->mTicksPerSecond, 29.97);
}

TEST(Properties, WrongValuesAreNamed) {
    const auto error = [](const auto& set, const fs::path& file) {
        Assimp::Importer importer;
        registerImportersFirst(importer);
        set(importer);
        EXPECT_EQ(importer.ReadFile(file.string(), 0), nullptr);
        return std::string(importer.GetErrorString());
    };
    const fs::path walk = kSource / "samples/metroid/hero_walk.ANIM";
    EXPECT_EQ(error([](auto& i) { i.SetPropertyFloat("IMPORT_REANIMA_RATE", -2.5F); }, walk),
              "IMPORT_REANIMA_RATE=-2.5: is -2.5, expected a number from 0.001 to 1000");
    EXPECT_EQ(error([](auto& i) { i.SetPropertyString("IMPORT_REANIMA_FPS", "fast"); }, walk),
              "IMPORT_REANIMA_RATE=fast: is fast, expected a number from 0.001 to 1000");
    EXPECT_EQ(error([](auto& i) { i.SetPropertyString("IMPORT_REANIMA_GAME", "mp3"); }, walk),
              "IMPORT_REANIMA_GAME=mp3: is \"mp3\", expected mp1, mp2");
    EXPECT_EQ(error([](auto& i) { i.SetPropertyInteger("IMPORT_REANIMA_ADDITIVE", 7); }, walk),
              "IMPORT_REANIMA_ADDITIVE=7: is 7, expected 1 or 0");
    EXPECT_EQ(error([](auto& i) { i.SetPropertyInteger("IMPORT_REANIMA_COLOR_KEY", 0x8000); },
                    kSource / "samples/rlf/gate.rlf"),
              "IMPORT_REANIMA_COLOR_KEY=8000: is 8000, expected hexadecimal digits up to 7FFF");
}

/// A scene of the sample, after `set` has changed the importer's properties.
template <typename Set, typename Use>
void withProperties(const Set& set, const Use& use) {
    Assimp::Importer importer;
    registerImportersFirst(importer);
    set(importer);
    const aiScene* scene = importer.ReadFile((kSample / "hrda").string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    use(*scene);
}

TEST(Properties, TheLastValueIsUsed) {
    const auto rate = [](const auto& set) {
        double found = 0;
        withProperties(set, [&](const aiScene& scene) { found = scene.mAnimations[0]->mTicksPerSecond; });
        return found;
    };
    EXPECT_EQ(rate([](auto& i) {
                  i.SetPropertyInteger("IMPORT_REANIMA_RATE", 30);
                  i.SetPropertyFloat("IMPORT_REANIMA_FPS", 40);
                  setProperty(i, "rate", "60");
              }),
              60);
    EXPECT_EQ(rate([](auto& i) {
                  setProperty(i, "rate", "60");
                  setProperty(i, "fps", "20");
              }),
              20);
    EXPECT_EQ(rate([](auto& i) {
                  setProperty(i, "fps", "20");
                  setProperty(i, "rate", "60");
              }),
              60);
}

TEST(Properties, ALoopKeyIsOffOrForAClip) {
    const auto loops = [](const auto& set) {
        std::string found;
        withProperties(set, [&](const aiScene& scene) {
            for (unsigned i = 0; i < scene.mNumAnimations; ++i) {
                std::int32_t frames = 0;
                scene.mMetaData->Get(fmt::format("reanima.clip.{}.frames", i), frames);
                found += scene.mAnimations[i]->mDuration == frames ? 'x' : '-';
            }
        });
        return found;
    };
    EXPECT_EQ(loops([](auto&) {}), "----");
    EXPECT_EQ(loops([](auto& i) { i.SetPropertyBool("IMPORT_REANIMA_LOOP_KEY", true); }), "xxxx");
    EXPECT_EQ(loops([](auto& i) { i.SetPropertyBool("IMPORT_REANIMA_LOOP_KEY", false); }), "----");
    EXPECT_EQ(loops([](auto& i) { setProperty(i, "loop-key", "0"); }), "x---");
    EXPECT_EQ(loops([](auto& i) { setProperty(i, "loop-key", "hrda_001"); }), "-x--");
}

TEST(Properties, AColorIsANumberOrATextInHexadecimal) {
    const auto firstPage = [](const auto& set) {
        Assimp::Importer importer;
        registerImportersFirst(importer);
        set(importer);
        const aiScene* scene = importer.ReadFile((kSource / "samples/rlf/gate.rlf").string(), 0);
        EXPECT_NE(scene, nullptr) << importer.GetErrorString();
        const aiTexture& png = *scene->mTextures[0];
        return std::string(reinterpret_cast<const char*>(png.pcData), png.mWidth);  // NOLINT: bytes are bytes
    };
    constexpr std::size_t kColourType = 25;  // offset in a PNG file; 2: without alpha, 6: with
    const std::string clear = firstPage([](auto& i) { i.SetPropertyInteger("IMPORT_REANIMA_COLOR_KEY", 0x252A); });
    EXPECT_EQ(clear.at(kColourType), 6);
    EXPECT_EQ(firstPage([](auto& i) { i.SetPropertyString("IMPORT_REANIMA_COLOR_KEY", "252a"); }), clear);
    EXPECT_EQ(firstPage([](auto&) {}).at(kColourType), 2);
}

TEST_F(JobFolder, ABrokenJobFileIsNamed) {
    writeJob(R"({"schema": 1, "skeletn": "rigs/person"})");
    Assimp::Importer importer;
    registerImportersFirst(importer);
    EXPECT_EQ(importer.ReadFile((folder_ / "pack").string(), 0), nullptr);
    EXPECT_EQ(importer.GetErrorString(),
              (folder_ / "pack.reanima.json").string() +
                  ": skeletn: is not part of a job; expected schema, inputs, skeleton, source_skeleton, map, names, "
                  "output or options");
}

TEST_F(JobFolder, OfSeveralJobsTheOneForTheFileCounts) {
    writeJob(R"([{"schema": 1, "inputs": ["other"], "options": {"rate": 77}},
                 {"schema": 1, "inputs": ["pack"], "skeleton": "rigs/person", "options": {"rate": 33}}])");
    Assimp::Importer importer;
    registerImportersFirst(importer);
    const aiScene* scene = importer.ReadFile((folder_ / "pack").string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    EXPECT_EQ(scene->mAnimations[0]->mTicksPerSecond, 33);
}

TEST(Errors, AMalformedPackGivesANullSceneAndTheWholeText) {
    const fs::path path = fs::path(testing::TempDir()) / "reanima_broken.da";
    std::ofstream(path, std::ios::binary) << "ab";
    Assimp::Importer importer;
    registerImporters(importer);
    EXPECT_EQ(importer.ReadFile(path.string(), 0), nullptr);
    EXPECT_EQ(importer.GetErrorString(), path.string() + ": count at 0x0: needs 4 bytes, but only 2 are left");
    fs::remove(path);
}

TEST(Errors, AnImporterThatFailedOnceWorksAgain) {
    const core::ByteVector broken = {1, 2};
    Assimp::Importer importer;
    registerImportersFirst(importer);
    EXPECT_EQ(importer.ReadFileFromMemory(broken.data(), broken.size(), 0, "da"), nullptr);
    EXPECT_NE(importer.ReadFile((kSample / "hrda").string(), 0), nullptr) << importer.GetErrorString();
    EXPECT_EQ(importer.ReadFileFromMemory(broken.data(), broken.size(), 0, "da"), nullptr);
}

/// How many importers of this project claim a file.
std::size_t readersOf(const fs::path& path, bool checkSignature) {
    Assimp::Importer importer;
    registerImportersFirst(importer);
    std::size_t readers = 0;
    std::size_t asked = 0;
    for (std::size_t i = 0; i < importer.GetImporterCount(); ++i)
        if (const auto* ours = dynamic_cast<const FormatImporter*>(importer.GetImporter(i))) {
            ++asked;
            readers += ours->CanRead(path.string(), importer.GetIOHandler(), checkSignature) ? 1U : 0U;
        }
    std::size_t convertible = 0;
    for (const Format* format : formats())
        convertible += format->traits.isConverted ? 1U : 0U;
    EXPECT_EQ(asked, convertible);
    return readers;
}

TEST(CanRead, IsFalseForAnythingElse) {
    for (const bool checkSignature : {false, true}) {
        for (const char* name : {"CMakeLists.txt", "LICENSE", "tests/data/conformance/run.py", "docs/images/sample.png",
                                 "samples/metroid/hero_walk.EVNT"})
            EXPECT_EQ(readersOf(kSource / name, checkSignature), 0U) << name;
        EXPECT_EQ(readersOf(kSource / "samples/metroid/hero_walk.ANIM", checkSignature), 1U);
    }
}

TEST(Importers, AreListedWithTheirExtensions) {
    Assimp::Importer importer;
    registerImporters(importer);
    aiString extensions;
    importer.GetExtensionList(extensions);
    const std::string list = extensions.C_Str();
    for (const Format* format : formats())
        for (const std::string_view extension : format->extensions) {
            if (!format->traits.isConverted)
                continue;
            EXPECT_NE(list.find("*." + std::string(extension)), std::string::npos) << extension;
        }
}

TEST(Importers, MayBeRegisteredOneByOne) {
    Assimp::Importer importer;
    importer.RegisterLoader(new ImporterOf<"ff7-battle-animation">);
    EXPECT_NE(importer.GetImporter("da"), nullptr);
    EXPECT_EQ(importer.GetImporter("ff7aa"), nullptr);
    importer.RegisterLoader(new ImporterOf<"ff9-animation">);
    importer.RegisterLoader(new ImporterOf<"ff9-model">);
    importer.RegisterLoader(new ImporterOf<"ff9-container">);
    for (const char* extension : {"ff9anim", "ff9model", "ff9db", "ff9chunk"})
        EXPECT_NE(importer.GetImporter(extension), nullptr) << extension;
}

TEST(Importers, AreThereForFormatsThatCanBeConverted) {
    for (const char* id : {"metroid-evnt", "ff8"}) {
        try {
            FormatImporter importer{std::string_view(id)};
            FAIL() << id;
        } catch (const core::DecodeError& error) {
            EXPECT_EQ(error.problem(), fmt::format("{} is not the id of a format that can be converted", id));
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Videos

void collectVisible(const aiNode* node, const aiAnimation& animation, double tick, std::vector<std::string>& names) {
    if (node->mNumMeshes > 0) {
        const aiMatrix4x4 global = globalOf(node, animation, tick);
        if (aiVector3D(global.a1, global.b1, global.c1).Length() > 0.5F)
            names.emplace_back(node->mName.C_Str());
    }
    for (unsigned i = 0; i < node->mNumChildren; ++i)
        collectVisible(node->mChildren[i], animation, tick, names);
}

/// At the middle of every picture's time, only its quad must be visible, if keys are mixed linearly.
void expectOnePictureAtATime(const aiScene& scene, unsigned pictures, double secondsPerPicture) {
    ASSERT_EQ(scene.mNumAnimations, 1U);
    const aiAnimation& animation = *scene.mAnimations[0];
    EXPECT_NEAR(animation.mDuration / animation.mTicksPerSecond, pictures * secondsPerPicture, 1e-3);
    for (unsigned i = 0; i < pictures; ++i) {
        std::vector<std::string> visible;
        collectVisible(scene.mRootNode, animation, (i + 0.5) * secondsPerPicture * animation.mTicksPerSecond, visible);
        EXPECT_EQ(visible, std::vector<std::string>{fmt::format("frame{:04}", i)});
    }
}

TEST(Videos, QuadsThatAreHiddenHaveSoundMatrices) {
    Assimp::Importer importer;
    registerImportersFirst(importer);
    const aiScene* scene = importer.ReadFile((kSource / "samples/rlf/wheel.rlf").string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    const aiNode& root = *scene->mRootNode;
    for (unsigned i = 1; i < root.mNumChildren; ++i) {
        aiVector3D scale;
        aiQuaternion rotation;
        aiVector3D position;
        root.mChildren[i]->mTransformation.Decompose(scale, rotation, position);
        EXPECT_EQ(rotation, aiQuaternion(1, 0, 0, 0));
        EXPECT_LT(scale.x, 1e-5F);
        aiMatrix4x4 inverse = root.mChildren[i]->mTransformation;
        EXPECT_TRUE(std::isfinite(inverse.Inverse().a1));
    }
}

TEST(Videos, APictureThatIsMissingIsNamedWithItsFile) {
    const std::string path = (kSource / "samples/rlf/wheel.rlf").string();
    Assimp::Importer importer;
    registerImportersFirst(importer);
    importer.SetPropertyInteger(AI_CONFIG_IMPORT_GLOBAL_KEYFRAME, 99);
    EXPECT_EQ(importer.ReadFile(path, 0), nullptr);
    EXPECT_EQ(importer.GetErrorString(), path + ": has no frame 99: the video has 24 frames");
}

struct Video {
    const char* name;
    unsigned pictures;
    double secondsPerPicture;
};

constexpr Video kVideos[] = {{"wheel.rlf", 24, 0.0666}, {"gate.rlf", 12, 0.1}, {"hallw.rlf", 8, 0.05}};

TEST(Videos, ShowOnePictureAtATime) {
    for (const Video& video : kVideos) {
        SCOPED_TRACE(video.name);
        Assimp::Importer importer;
        registerImporters(importer);
        const aiScene* scene = importer.ReadFile((kSource / "samples/rlf" / video.name).string(), kQuality);
        ASSERT_NE(scene, nullptr) << importer.GetErrorString();
        expectOnePictureAtATime(*scene, video.pictures, video.secondsPerPicture);
    }
}

TEST(Videos, PlayAtExactlyTheRateThatIsAskedFor) {
    for (const auto& [rate, ticksASecond, ticksAPicture] :
         {std::tuple{24.0F, 24.0 * 417, 417.0}, {29.97F, 2997.0 * 4, 100.0 * 4}, {12.5F, 25.0 * 400, 2.0 * 400}}) {
        SCOPED_TRACE(rate);
        Assimp::Importer importer;
        registerImporters(importer);
        importer.SetPropertyFloat("IMPORT_REANIMA_RATE", rate);
        const aiScene* scene = importer.ReadFile((kSource / "samples/rlf/gate.rlf").string(), kQuality);
        ASSERT_NE(scene, nullptr) << importer.GetErrorString();
        const aiAnimation& animation = *scene->mAnimations[0];
        EXPECT_EQ(animation.mTicksPerSecond, ticksASecond);
        EXPECT_EQ(animation.mDuration, 12 * ticksAPicture);
        const aiNodeAnim& second = *animation.mChannels[1];
        ASSERT_EQ(second.mNumScalingKeys, 6U);
        EXPECT_EQ(second.mScalingKeys[1].mTime, ticksAPicture - 1);
        EXPECT_EQ(second.mScalingKeys[2].mTime, ticksAPicture);
        expectOnePictureAtATime(*scene, 12, ticksAPicture / ticksASecond);
    }
}

TEST(Videos, AsGltfDoSoInAssimpsOwnReader) {
    for (const Video& video : kVideos) {
        SCOPED_TRACE(video.name);
        test::Surroundings s;
        const core::Asset asset = load(test::inputFrom(kSource / "samples/rlf" / video.name), {}, s.context);
        const core::ByteVector glb = gltf::writeGlb(asset, {});
        Assimp::Importer importer;
        const aiScene* scene = importer.ReadFileFromMemory(glb.data(), glb.size(), 0, "glb");
        ASSERT_NE(scene, nullptr) << importer.GetErrorString();
        expectOnePictureAtATime(*scene, video.pictures, video.secondsPerPicture);
    }
}

TEST(Videos, MetadataSayWhatTheExtrasOfGltfSay) {
    Assimp::Importer importer;
    registerImporters(importer);
    importer.SetPropertyFloat("IMPORT_REANIMA_RATE", 29.97F);
    importer.SetPropertyString("IMPORT_REANIMA_COLOR_KEY", "7C1F");
    const aiScene* scene = importer.ReadFile((kSource / "samples/rlf/gate.rlf").string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    std::int32_t number = 0;
    ASSERT_TRUE(scene->mMetaData->Get("reanima.clip.0.rate_exact.0", number));
    EXPECT_EQ(number, 2997);
    ASSERT_TRUE(scene->mMetaData->Get("reanima.clip.0.rate_exact.1", number));
    EXPECT_EQ(number, 100);
    aiString text;
    ASSERT_TRUE(scene->mMetaData->Get("reanima.clip.0.color_key", text));
    EXPECT_STREQ(text.C_Str(), "7C1F");
    ASSERT_TRUE(scene->mMetaData->Get("reanima.clip.0.root_motion", text));
    EXPECT_STREQ(text.C_Str(), "keep");
}

TEST(Videos, GiveOnePictureIfAskedTo) {
    Assimp::Importer importer;
    registerImporters(importer);
    importer.SetPropertyInteger(AI_CONFIG_IMPORT_GLOBAL_KEYFRAME, 3);
    const aiScene* scene = importer.ReadFile((kSource / "samples/rlf/wheel.rlf").string(), 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    EXPECT_EQ(scene->mNumMeshes, 1U);
    EXPECT_NE(scene->mRootNode->FindNode("frame0003"), nullptr);
    EXPECT_EQ(scene->mNumAnimations, 0U);
}

/// Continues or cancels, always with the same answer.
class Answer final : public Assimp::ProgressHandler {
  public:
    explicit Answer(bool goesOn) : goesOn_(goesOn) {}
    bool Update(float) override { return goesOn_; }

  private:
    bool goesOn_;
};

TEST(Cancelling, AProgressHandlerThatSaysNoEndsTheImport) {
    Assimp::Importer importer;
    registerImportersFirst(importer);
    importer.SetProgressHandler(new Answer(true));  // NOLINT: the importer deletes it
    EXPECT_NE(importer.ReadFile((kSample / "hrda").string(), 0), nullptr) << importer.GetErrorString();
    importer.SetProgressHandler(new Answer(false));  // NOLINT
    EXPECT_EQ(importer.ReadFile((kSample / "hrda").string(), 0), nullptr);
    EXPECT_TRUE(std::string(importer.GetErrorString()).ends_with("hrda: was cancelled")) << importer.GetErrorString();
}

/// Records the reported progress.
class Notes final : public Assimp::ProgressHandler {
  public:
    explicit Notes(std::vector<float>& shares) : shares_(shares) {}
    bool Update(float share) override {
        shares_.push_back(share);
        return true;
    }

  private:
    std::vector<float>& shares_;
};

/// The progress that a host receives while a file is read.
std::vector<float> progressOf(const core::ByteVector& file, const char* extension) {
    std::vector<float> shares;
    Assimp::Importer importer;
    registerImportersFirst(importer);
    importer.SetProgressHandler(new Notes(shares));  // NOLINT: the importer deletes it
    EXPECT_NE(importer.ReadFileFromMemory(file.data(), file.size(), 0, extension), nullptr)
        << importer.GetErrorString();
    return shares;
}

TEST(Progress, RisesToTheHalfThatReadingIs) {
    constexpr std::uint32_t kWidth = 512;
    constexpr std::uint32_t kHeight = 400;  // 20 of them fill a page
    std::vector<std::vector<zvision::Pixel555>> pictures;
    for (std::uint16_t color = 0; color < 21; ++color)
        pictures.emplace_back(kWidth * kHeight, color);
    for (const std::vector<float>& shares : {progressOf(test::readBytes(kSource / "samples/ff7/hrda"), ""),
                                             progressOf(zvision::encodeRlf(kWidth, kHeight, pictures, {}), "rlf")}) {
        EXPECT_TRUE(std::ranges::is_sorted(shares)) << testing::PrintToString(shares);
        EXPECT_THAT(shares, testing::Contains(testing::AllOf(testing::Gt(0.1F), testing::Lt(0.3F))));
        EXPECT_THAT(shares, testing::Contains(testing::AllOf(testing::Gt(0.3F), testing::Lt(0.5F))));
        EXPECT_THAT(shares, testing::Contains(0.5F));
    }
}

TEST(Keys, StayUntilTheNextOneWhereAssimpCanSaySo) {
    enum class Since6 { step, linear };
    struct {
        Since6 mInterpolation = Since6::linear;
    } key;
    setStep(key);
    EXPECT_EQ(key.mInterpolation, Since6::step);
    aiVectorKey today(3, aiVector3D(1, 2, 3));
    setStep(today);
    EXPECT_EQ(today.mTime, 3);
    EXPECT_EQ(today.mValue, aiVector3D(1, 2, 3));
}

TEST(Videos, AreUnlitAndBright) {
    Assimp::Importer importer;
    registerImportersFirst(importer);
    const aiScene* scene = importer.ReadFile((kSource / "samples/rlf/gate.rlf").string(), kQuality);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    ASSERT_GT(scene->mNumMaterials, 0U);
    for (unsigned m = 0; m < scene->mNumMaterials; ++m) {
        const aiMaterial& material = *scene->mMaterials[m];
        aiShadingMode shading = aiShadingMode_Flat;
        EXPECT_EQ(material.Get(AI_MATKEY_SHADING_MODEL, shading), aiReturn_SUCCESS);
        EXPECT_EQ(shading, aiShadingMode_Unlit);
        aiColor4D emissive;
        EXPECT_EQ(material.Get(AI_MATKEY_COLOR_EMISSIVE, emissive), aiReturn_SUCCESS);
        EXPECT_EQ(emissive, aiColor4D(1, 1, 1, 1));
        EXPECT_EQ(material.GetTextureCount(aiTextureType_EMISSIVE), 1U);
    }
    // Assimp's own exporter and reader understand it.
    Assimp::Exporter exporter;
    const aiExportDataBlob* blob = exporter.ExportToBlob(scene, "glb2");
    ASSERT_NE(blob, nullptr) << exporter.GetErrorString();
    const std::string_view glb(static_cast<const char*>(blob->data), blob->size);
    EXPECT_NE(glb.find("\"KHR_materials_unlit\""), std::string_view::npos);
    EXPECT_NE(glb.find("\"emissiveFactor\":[1.0,1.0,1.0]"), std::string_view::npos);
}

TEST(Threads, FourWithImportersOfTheirOwn) {
    std::vector<std::thread> threads;
    std::array<unsigned, 4> animations{};
    std::array<std::string, 4> errors;
    for (std::size_t t = 0; t < animations.size(); ++t)
        threads.emplace_back([&animations, &errors, t] {
            for (int round = 0; round < 5; ++round) {
                Assimp::Importer importer;
                registerImportersFirst(importer);
                const aiScene* scene = importer.ReadFile((kSample / "hrda").string(), aiProcess_ValidateDataStructure);
                animations[t] += scene != nullptr ? scene->mNumAnimations : 0;
                errors[t] += importer.GetErrorString();
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(animations, (std::array<unsigned, 4>{20, 20, 20, 20}));
    EXPECT_EQ(errors, (std::array<std::string, 4>{}));
}

}  // namespace
}  // namespace reanima
