#include "formats/ff9/container.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/ff9/container_clips.h"
#include "formats/ff9/native_json.h"
#include "formats/format.h"
#include "formats/load.h"
#include "support/bytes.h"

namespace reanima::ff9 {
namespace {

using core::ByteVector;

// Two objects of four bytes.
const ByteVector kChunk = {3,    2,    0,    0,                  // 00 type, object_count
                           7,    0,    9,    0,                  // 04 ids
                           12,   0,    0,    0,    12, 0, 0, 0,  // 08 pointers to 14 and 18
                           20,   0,    0,    0,                  // 10 end, from 08: 1c
                           0xAA, 0xAA, 0xAA, 0xAA,               // 14
                           0xBB, 0xBB, 0xBB, 0xBB};              // 18

/// The content as the only object, number 428, of a chunk of DBs, in a DB.
ByteVector nested(const ByteVector& content) {
    const auto end = static_cast<std::uint32_t>(8 + content.size());
    ByteVector file = {0xDB, 1,    0, 0, 4, 0, 0, 0x1B,  // 00 mark, chunk_count, chunks: 1b at 08
                       0x1B, 1,    0, 0,                 // 08 type, object_count
                       0xAC, 0x01, 0, 0,                 // 0c id 428, padding
                       8,    0,    0, 0};                // 10 pointer to 18
    for (unsigned shift = 0; shift < 32; shift += 8)     // 14 end, from 10
        file.push_back(static_cast<std::uint8_t>(end >> shift));
    file.insert(file.end(), content.begin(), content.end());
    return file;
}

/// The chunk in a DB, the DB in another: 3c bytes.
ByteVector nestedChunk() {
    ByteVector inner = {0xDB, 1, 0, 0, 4, 0, 0, 3};
    inner.insert(inner.end(), kChunk.begin(), kChunk.end());
    return nested(inner);
}

using Row = std::tuple<std::string, int, std::uint64_t, std::uint64_t, std::uint64_t>;

std::vector<Row> rowsOf(const std::vector<Object>& objects) {
    std::vector<Row> rows;
    for (const Object& object : objects)
        rows.emplace_back(object.name, object.id, object.offset, object.size, object.database);
    return rows;
}

TEST(Container, AChunkNamesItsObjectsByTypeAndId) {
    core::Diagnostics diagnostics;
    EXPECT_EQ(rowsOf(readContainer(kChunk, diagnostics)),
              (std::vector<Row>{{"03/7.ff9anim", 7, 0x14, 4, 0}, {"03/9.ff9anim", 9, 0x18, 4, 0}}));
    EXPECT_TRUE(diagnostics.warnings().empty());
    EXPECT_TRUE(isContainer(kChunk));
}

TEST(Container, InnerDatabasesAreWalked) {
    core::Diagnostics diagnostics;
    EXPECT_EQ(rowsOf(readContainer(nestedChunk(), diagnostics)),
              (std::vector<Row>{{"1b/428/03/7.ff9anim", 7, 0x34, 4, 0x18}, {"1b/428/03/9.ff9anim", 9, 0x38, 4, 0x18}}));
    EXPECT_TRUE(diagnostics.warnings().empty());
    EXPECT_TRUE(isContainer(nestedChunk()));
}

TEST(Container, TheSameIdTwiceGetsAnotherName) {
    ByteVector file = kChunk;
    file[6] = 7;
    core::Diagnostics diagnostics;
    const std::vector<Object> objects = readContainer(file, diagnostics);
    EXPECT_EQ(objects[0].name, "03/7.ff9anim");
    EXPECT_EQ(objects[1].name, "03/7_2.ff9anim");
}

TEST(Container, ObjectsMayStandInAnyOrderAndBeEmpty) {
    ByteVector file = kChunk;
    file[8] = 0x10;   // the pointer at 0x08 points to 0x18
    file[12] = 0x08;  // the pointer at 0x0C points to 0x14
    core::Diagnostics diagnostics;
    EXPECT_EQ(rowsOf(readContainer(file, diagnostics)),
              (std::vector<Row>{{"03/7.ff9anim", 7, 0x18, 4, 0}, {"03/9.ff9anim", 9, 0x14, 8, 0}}));
    file[8] = 0x0C;  // both point to 0x14
    EXPECT_EQ(rowsOf(readContainer(file, diagnostics)),
              (std::vector<Row>{{"03/7.ff9anim", 7, 0x14, 0, 0}, {"03/9.ff9anim", 9, 0x14, 8, 0}}));
    EXPECT_TRUE(diagnostics.warnings().empty());
}

TEST(Container, ADatabaseIsKnownThoughItsFirstObjectIsDamaged) {
    ByteVector file = nestedChunk();
    EXPECT_TRUE(beginsLikeContainer(file));
    file[0x10] = 0xFF;  // the pointer to the inner database
    EXPECT_TRUE(beginsLikeContainer(file));
    file[7] = 3;  // and the outer DB does not show the chunk's type
    EXPECT_FALSE(beginsLikeContainer(file));
}

struct Case {
    const char* name;
    std::vector<std::pair<std::size_t, std::uint8_t>> patches;
    bool nested;
    std::size_t size;
    std::vector<std::string> messages;  ///< an error, or warnings
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
class ContainerMessages : public testing::TestWithParam<Case> {};

TEST_P(ContainerMessages, AreWhole) {
    ByteVector file = GetParam().nested ? nestedChunk() : kChunk;
    for (const auto& [at, value] : GetParam().patches)
        file[at] = value;
    file.resize(GetParam().size);
    file.shrink_to_fit();
    test::Surroundings surroundings;
    try {
        (void)readContainer(file, surroundings.diagnostics);
        EXPECT_EQ(surroundings.warnings(), GetParam().messages);
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(std::vector<std::string>{error.what()}, GetParam().messages);
    }
    EXPECT_FALSE(isContainer(file));
}

INSTANTIATE_TEST_SUITE_P(
    All, ContainerMessages,
    testing::Values(
        Case{"Empty", {}, false, 0, {"type at 0x0: needs 1 byte, but only 0 are left"}},
        Case{"CountCut", {}, false, 1, {"object_count at 0x1: needs 1 byte, but only 0 are left"}},
        Case{"MoreObjectsThanRoom",
             {{1, 255}},
             false,
             0x1C,
             {"object_count at 0x1: is 255, but the file has room for only 4"}},
        Case{"EndCut", {}, false, 0x12, {"end at 0x10: needs 4 bytes, but only 2 are left"}},
        Case{"LastObjectOutside",
             {{0x10, 0xFF}},
             false,
             0x1C,
             {"warning: pointers[1]: 03/9 would be at 0x18 to 0x107, but the file has only 0x1c bytes"}},
        Case{"FirstObjectBeforeTheFile",
             {{0x08, 0x80}, {0x09, 0xFF}, {0x0A, 0xFF}, {0x0B, 0xFF}},
             false,
             0x1C,
             {"warning: pointers[0]: 03/7 would be at -0x78 to 0x18, but the file has only 0x1c bytes"}},
        Case{"MoreChunksThanRoom",
             {{1, 255}},
             true,
             0x3C,
             {"chunk_count at 0x1: is 255, but the file has room for only 14"}},
        Case{"ChunkOutside",
             {{4, 0xFF}, {5, 0xFF}},
             true,
             0x3C,
             {"warning: chunks[0]: points to 0x10003, but the file has only 0x3c bytes"}},
        Case{"TypesDiffer",
             {{7, 3}},
             true,
             0x3C,
             {"warning: chunks[0].type: is 0x1b, but the DB states 0x03; the chunk's type is used"}},
        Case{"InnerDatabaseWithoutMark", {{0x18, 0}}, true, 0x3C, {"warning: 1b/428.mark: is 0x00, expected 0xdb"}},
        Case{"InnerChunkTooLarge",
             {{0x21, 99}},
             true,
             0x3C,
             {"warning: 1b/428.chunks[0].object_count: is 99, but the file has room for only 4"}},
        Case{"InsideItself",
             {{0x10, 0xF0}, {0x11, 0xFF}, {0x12, 0xFF}, {0x13, 0xFF}},
             true,
             0x3C,
             {"1b/428 at 0x0: is a DB that contains itself"}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Container, HasBoundsForItsDepth) {
    ByteVector file = {0xDB, 1, 0, 0, 4, 0, 0, 3};
    file.insert(file.end(), kChunk.begin(), kChunk.end());
    for (int depth = 0; depth < 31; ++depth)
        file = nested(file);
    core::Diagnostics diagnostics;
    EXPECT_EQ(readContainer(file, diagnostics).size(), 2U);
    file = nested(file);
    try {
        (void)readContainer(file, diagnostics);
        FAIL() << "read";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.problem(), "is nested deeper than 32 DBs");
    }
}

TEST(Container, SharedDatabasesDoNotMultiply) {
    constexpr std::uint8_t kShares = 40;
    ByteVector inner = {0xDB, 1, 0, 0, 4, 0, 0, 3};
    inner.insert(inner.end(), kChunk.begin(), kChunk.end());
    ByteVector file = {0x1B, kShares, 0, 0};
    file.resize(4 + 2 * kShares);
    const auto pointersAt = file.size();
    for (std::size_t i = 0; i <= kShares; ++i) {  // each leads past all of them, the last to the file's end
        const std::size_t target = pointersAt + 4 * (kShares + 1) + (i == kShares ? inner.size() : 0);
        const std::size_t value = target - (i == kShares ? pointersAt : file.size());
        file.insert(file.end(), {static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8U), 0, 0});
    }
    file.insert(file.end(), inner.begin(), inner.end());
    core::Diagnostics diagnostics;
    try {
        (void)readContainer(file, diagnostics);
        FAIL() << "read";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_EQ(error.problem(), "has more objects than the file has room for, because DBs are used several times");
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The sample: a DB of a model and three animations

class Sample : public testing::Test {
  protected:
    core::Asset asset() {
        Contents contents{file, readContainer(file, surroundings.diagnostics), "hero.ff9db"};
        contents.joints = joints;
        contents.skeleton = skeleton;
        const auto own = ownModels(contents, surroundings.diagnostics);
        return toAsset(contents, own.get(), "1000", surroundings.diagnostics);
    }
    static std::vector<std::string> namesOf(const core::Asset& asset) {
        std::vector<std::string> names;
        for (const core::Clip& clip : asset.clips)
            names.push_back(clip.name);
        return names;
    }

    ByteVector file = test::readBytes(test::sourceFolder() / "samples/ff9/hero.ff9db");
    std::optional<std::uint32_t> joints;
    std::optional<Model> skeleton;
    test::Surroundings surroundings;
};

constexpr std::size_t kModelAt = 0x24;  // after a table of four chunks; the first one has a single object

TEST_F(Sample, GivesClipsNamedByIdOnItsModel) {
    const core::Asset result = asset();
    EXPECT_EQ(namesOf(result), (std::vector<std::string>{"anim_01001", "anim_01002", "anim_01003"}));
    EXPECT_EQ(result.clips[2].id, 1003U);
    EXPECT_EQ(result.clips[2].index, 2U);
    EXPECT_EQ(result.skeleton->joints.size(), 26U);
    EXPECT_EQ(result.skeleton->origin, core::Skeleton::Origin::found);
    EXPECT_TRUE(surroundings.warnings().empty());
}

TEST_F(Sample, ADamagedAnimationLosesNoOther) {
    core::Diagnostics ignored;
    const std::vector<Object> objects = readContainer(file, ignored);
    file[objects[2].offset + 2] = 0;  // frame_count of anim_01002: one byte is enough for its 34 frames
    const core::Asset result = asset();
    EXPECT_EQ(namesOf(result), (std::vector<std::string>{"anim_01001", "anim_01003"}));
    EXPECT_EQ(result.clips[1].index, 2U);
    EXPECT_EQ(surroundings.warnings(),
              std::vector<std::string>{"warning: 03/1002.ff9anim.frame_count: is 0, expected 1 or more"});
}

TEST_F(Sample, ASkeletonThatDoesNotFitIsNamedWithBothNumbers) {
    skeleton = Model{};
    skeleton->bones.resize(30);
    try {
        (void)asset();
        FAIL() << "converted";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.problem(), "ends after 26 bones, but the skeleton has 30");
        EXPECT_EQ(error.field(), "03/1001.ff9anim.high_table");
    }
}

TEST_F(Sample, WithoutAUsableModelTheSkeletonIsMadeUp) {
    file[kModelAt + 2] = 0;  // bone_count
    const core::Asset result = asset();
    EXPECT_EQ(result.clips.size(), 3U);
    EXPECT_EQ(result.skeleton->origin, core::Skeleton::Origin::madeUp);
    EXPECT_EQ(surroundings.warnings(),
              std::vector<std::string>{"warning: 02/1000.ff9model.bone_count: is 0, expected 1 or more"});
}

TEST_F(Sample, FewerJointsMayBeAskedFor) {
    joints = 10;
    const core::Asset result = asset();
    EXPECT_EQ(result.clips.at(0).tracks.size(), 10U);
    EXPECT_EQ(surroundings.warnings().size(), 3U);
}

TEST(ContainerClips, OfNothingAreRefused) {
    ByteVector file = kChunk;
    file[0] = 4;  // textures
    core::Diagnostics diagnostics;
    const Contents contents{file, readContainer(file, diagnostics), "textures"};
    try {
        (void)toAsset(contents, ownModels(contents, diagnostics).get(), {}, diagnostics);
        FAIL() << "converted";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(), "contains neither an animation nor a model");
    }
}

TEST(ContainerClips, AreNotNeededForARig) {
    Model model;
    model.boneTable = kModelHeaderSize;
    model.bones.resize(3);
    const ByteVector file = encodeModel(model);
    core::Diagnostics diagnostics;
    const Contents contents{file, {{"02/1", ObjectType::model, 1, 0, file.size(), 0, false}}, "model.ff9db"};
    const core::Asset asset = toAsset(contents, ownModels(contents, diagnostics).get(), "1", diagnostics);
    EXPECT_TRUE(asset.holdsSkeleton);
    EXPECT_EQ(asset.skeleton->joints.size(), 3U);
}

// ---------------------------------------------------------------------------------------------------------------------
// Several models

/// Consecutive objects, without tables.
class Objects {
  public:
    void add(ObjectType type, std::uint16_t id, const ByteVector& bytes, std::uint64_t database = 0) {
        const std::string name = std::to_string(static_cast<int>(type)) + "/" + std::to_string(id);
        objects.push_back({name, type, id, file.size(), bytes.size(), database, false});
        file.insert(file.end(), bytes.begin(), bytes.end());
    }
    void addModel(std::uint16_t id, std::uint8_t bones, std::uint64_t database = 0) {
        Model model;
        model.boneTable = kModelHeaderSize;
        model.bones.resize(bones);
        add(ObjectType::model, id, encodeModel(model), database);
    }
    /// A still animation with a LOW table.
    void addAnimation(std::uint16_t id, std::size_t bones, std::uint64_t database = 0) {
        Block block;
        block.animation.frameCount = 1;
        for (std::size_t axis = 0; axis < 3; ++axis)
            block.animation.translation.add(1);
        for (std::size_t channel = 0; channel < 3 * bones; ++channel)
            block.animation.angles.add(1);
        core::Diagnostics ignored;
        add(ObjectType::animation, id, encodeBlock(block, ignored), database);
    }

    /// The ids of a model's animations in the order of its clips.
    std::vector<int> idsOf(const std::string& model) {
        const ContainerModels models(file, objects, joints, {}, surroundings.diagnostics);
        std::vector<int> ids;
        for (const LinkedAnimation& linked : ContainerModels::animationsOf(models.modelNamed(model)))
            ids.push_back(linked.animation->object->id);
        return ids;
    }

    ByteVector file;
    std::vector<Object> objects;
    std::optional<std::uint32_t> joints;
    test::Surroundings surroundings;
};

// One record: model 2, default animation 6, no materials.
const ByteVector kDefaultOfTwo = {0xDC, 1, 0, 0, 2, 0, 6, 0, 12, 0, 0, 0, 0xFF, 0xFF, 7, 9};

TEST(ContainerModels, HaveTheAnimationsOfTheirNumberOfBones) {
    Objects some;
    some.addModel(1, 1);
    some.addModel(2, 2);
    some.addModel(3, 2);
    some.addAnimation(4, 2);
    some.addAnimation(5, 1);
    some.addAnimation(6, 2);
    some.add(ObjectType::materials, 9, kDefaultOfTwo);
    EXPECT_EQ(some.idsOf("1"), (std::vector<int>{5}));
    EXPECT_EQ(some.idsOf("2"), (std::vector<int>{6, 4}));
    EXPECT_EQ(some.idsOf("3"), (std::vector<int>{4, 6}));
    EXPECT_TRUE(some.surroundings.warnings().empty());
}

TEST(ContainerModels, PreferTheAnimationsOfTheirOwnDatabase) {
    Objects some;
    some.addModel(1, 2, 0x100);
    some.addModel(2, 2, 0x200);
    some.addModel(3, 2, 0x300);
    some.addAnimation(4, 2, 0x100);
    some.addAnimation(5, 2, 0x200);
    some.addAnimation(6, 3, 0x300);  // with another number of bones: that DB has none for model 3
    EXPECT_EQ(some.idsOf("1"), (std::vector<int>{4}));
    EXPECT_EQ(some.idsOf("2"), (std::vector<int>{5}));
    EXPECT_EQ(some.idsOf("3"), (std::vector<int>{4, 5}));
}

TEST(ContainerModels, PreferTheDefaultAnimationThatTheirOwnDatabaseStates) {
    ByteVector other = kDefaultOfTwo;
    other[6] = 4;
    Objects some;
    some.add(ObjectType::materials, 9, kDefaultOfTwo, 0x100);
    some.add(ObjectType::materials, 9, other, 0x200);
    some.addModel(2, 2, 0x200);
    some.addAnimation(6, 2, 0x200);
    some.addAnimation(4, 2, 0x200);
    EXPECT_EQ(some.idsOf("2"), (std::vector<int>{4, 6}));
    some.objects[2].database = 0x300;  // now neither record is in the model's own DB: the first is used
    EXPECT_EQ(some.idsOf("2"), (std::vector<int>{6, 4}));
}

TEST(ContainerModels, CountWhatTheTablesTell) {
    Objects some;
    ByteVector model(ByteVector{0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0, 0x18, 0, 0, 0, 0, 0, 0, 0});
    for (int group = 0; group < 2; ++group) {  // packet bytes, ft4 ft3 gt4 gt3 g4 g3 f4 f3
        model.insert(model.end(), {9, 9, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 1});
        model.resize(model.size() + 40 - 18);
    }
    some.add(ObjectType::model, 7, model);
    some.addAnimation(4, 1);
    const ContainerModels models(some.file, some.objects, {}, {}, some.surroundings.diagnostics);
    const ModelSummary& summary = models.modelNamed("7").summary;
    EXPECT_EQ(summary.joints, 1U);
    EXPECT_EQ(summary.groups, 2U);
    EXPECT_EQ(summary.triangles, 2U * (2 * (1 + 3 + 5 + 7) + 2 + 4 + 6 + 8 + 256));
    EXPECT_EQ(summary.clips, 1U);
    EXPECT_EQ(summary.samples, 0U);  // nothing moves
    EXPECT_EQ(summary.defaultAnimation, std::nullopt);
    EXPECT_TRUE(some.surroundings.warnings().empty());
}

TEST(ContainerModels, WithADamagedGroupTableKeepTheirSkeleton) {
    Objects some;
    some.add(ObjectType::model, 7,
             {0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0, 0x18, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3});
    some.addAnimation(4, 1);
    EXPECT_EQ(some.idsOf("7"), std::vector<int>{4});
    EXPECT_EQ(some.surroundings.warnings(),
              std::vector<std::string>{
                  "warning: 2/7.mesh_groups: is 0x18, but the 1 groups from there end outside the model of 27 bytes"});
}

TEST(ContainerModels, SayOnceWhichAnimationsFitNone) {
    Objects some;
    some.addModel(1, 2);
    for (const int bones : {27, 2, 28, 27})
        some.addAnimation(static_cast<std::uint16_t>(bones), static_cast<std::size_t>(bones));
    EXPECT_EQ(some.idsOf("1"), std::vector<int>{2});
    ASSERT_EQ(some.surroundings.diagnostics.warnings().size(), 2U);
    const core::Warning& note = some.surroundings.diagnostics.warnings().front();
    EXPECT_EQ(note.severity, core::Warning::Severity::note);
    EXPECT_EQ(note.code, core::Code::skeletonMismatch);
    EXPECT_EQ(note.text,
              "3 of 4 animations are left out, because they move 27, 28 bones, and no model beside them has this "
              "number of bones");
    const core::Warning& byBones = some.surroundings.diagnostics.warnings().back();
    EXPECT_EQ(byBones.code, core::Code::assumed);
    EXPECT_EQ(
        byBones.text,
        "1 of 4 animations were assigned to models only by their number of bones, because no file states their model");
}

TEST(ContainerModels, SayWhatIsDamagedAndGoOn) {
    Objects some;
    some.addModel(1, 2);
    some.add(ObjectType::model, 2, core::ByteVector(kModelHeaderSize));
    some.add(ObjectType::animation, 3, {0, 0, 0, 0});
    some.addAnimation(4, 2);
    some.add(ObjectType::materials, 5, {0xDB, 1, 0, 0});
    some.add(ObjectType::materials, 6, {0xDC, 1, 0, 0, 1, 0, 9, 0});
    EXPECT_EQ(some.idsOf("1"), std::vector<int>{4});
    EXPECT_EQ(some.surroundings.warnings(),
              (std::vector<std::string>{"warning: 2/2.bone_count: is 0, expected 1 or more",
                                        "warning: 3/3.frame_count: is 0, expected 1 or more",
                                        "warning: 18/5.mark: is 0xdb, expected 0xdc",
                                        "warning: 18/6.model_count: is 1, but the object has room for only 0"}));
    try {
        (void)some.idsOf("2");
        FAIL() << "found";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.problem(), "contains no model 2");
    }
}

TEST(ContainerModels, OfDamagedAnimationsAloneAreRefused) {
    Objects some;
    some.addModel(1, 2);
    some.add(ObjectType::animation, 3, {0, 0, 0, 0});
    const ContainerModels models(some.file, some.objects, {}, {}, some.surroundings.diagnostics);
    try {
        models.refuseDamaged();
        FAIL() << "accepted";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(), "3/3.frame_count at 0x1e: is 0, expected 1 or more");
    }
    some.addAnimation(4, 2);
    ContainerModels(some.file, some.objects, {}, {}, some.surroundings.diagnostics).refuseDamaged();
}

// One frame, nothing moves, no LOW table: 20 bytes and two records.
const ByteVector kSilent = {0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0, 20, 0, 0, 0, 0, 0,
                            0, 0, 1, 0, 0, 0, 0, 0, 7, 0, 2, 0, 0,  0, 0, 0, 7, 0};

TEST(ContainerModels, OfASilentAnimationAreToldByTheEndOfItsObject) {
    Objects some;
    some.addModel(1, 2);
    some.addModel(2, 1);
    some.add(ObjectType::animation, 3, kSilent);
    EXPECT_EQ(some.idsOf("1"), std::vector<int>{3});
    EXPECT_TRUE(some.idsOf("2").empty());
    some.joints = 1;  // the user's number is used
    EXPECT_EQ(some.idsOf("2"), std::vector<int>{3});
    some.joints.reset();
    some.objects[2].size -= 4;  // room for one and a half records
    EXPECT_TRUE(some.idsOf("1").empty());
    EXPECT_EQ(some.surroundings.warnings().back(),
              "warning: 3/3.high_table: does not state its number of bones, and no model states it (see "
              "option joints=N)");
}

TEST(ContainerModels, GiveTheirClipsToTheAsset) {
    Objects some;
    some.addModel(1, 1);
    some.addModel(2, 2);
    some.addAnimation(4, 2);
    some.addAnimation(5, 1);
    some.addAnimation(6, 2);
    some.add(ObjectType::animation, 7, kSilent);
    some.add(ObjectType::materials, 9, kDefaultOfTwo);
    const Contents contents{some.file, some.objects, "two.ff9db"};
    core::Diagnostics& diagnostics = some.surroundings.diagnostics;
    const core::Asset asset = toAsset(contents, ownModels(contents, diagnostics).get(), "2", diagnostics);
    std::vector<std::pair<std::string, std::uint32_t>> clips;
    for (const core::Clip& clip : asset.clips)
        clips.emplace_back(clip.name, clip.index);
    EXPECT_EQ(clips, (std::vector<std::pair<std::string, std::uint32_t>>{
                         {"anim_00006", 2}, {"anim_00004", 0}, {"anim_00007", 3}}));
    EXPECT_EQ(asset.skeleton->joints.size(), 2U);
    EXPECT_TRUE(some.surroundings.warnings().empty());
}

TEST(ContainerModels, AreLoadedByTheirIdOrTheFirstWithClips) {
    test::Surroundings first;
    const Input input = test::inputFrom(test::sourceFolder() / "tests/data/conformance/ff9-mesh/inputs/models.ff9db");
    const core::Asset asset = load(input, {}, first.context);
    EXPECT_EQ(asset.model, "300");
    EXPECT_EQ(asset.models, (std::vector<std::string>{"300", "301", "302"}));
    EXPECT_EQ(asset.skeleton->name, "models_300");
    EXPECT_EQ(first.warnings(), std::vector<std::string>{"models.ff9db: warning: contains the models 300, 301 and 302; "
                                                         "only 300 is converted (see option model=ID)"});

    test::Surroundings chosen;
    chosen.options.set("model", 301.0);  // as a number, too
    EXPECT_EQ(load(input, {}, chosen.context).model, "301");
    EXPECT_TRUE(chosen.warnings().empty());

    test::Surroundings unknown;
    unknown.options.set("model", std::string("999"));
    try {
        (void)load(input, {}, unknown.context);
        FAIL() << "loaded";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(), "models.ff9db: contains no model 999, only 300, 301 and 302");
    }
}

TEST(ContainerModels, AreBoundedTogether) {
    const Input input{{"x.ff9db", {}}, {}, formatNamed("ff9-container"), {}};
    const std::vector<ModelSummary> models(3, ModelSummary{"1", {}, 10, 0, 0, 20, 1000, {}});
    core::Limits limits;
    limits.samples = 3000;
    EXPECT_NO_THROW(requireWithinLimits(models, input, limits));
    const auto problem = [&] {
        try {
            requireWithinLimits(models, input, limits);
            return std::string("none");
        } catch (const core::DecodeError& error) {
            EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
            return std::string(error.what());
        }
    };
    limits.samples = 2999;
    EXPECT_EQ(problem(),
              "x.ff9db: 60 clips of 3 models: the file decodes to more samples than the limit allows (see option "
              "limit-samples=N)");
    limits.samples = 3000;
    limits.memory = 1U << 16U;  // 60 clips of 10 joints: 600 tracks of more than 128 bytes
    EXPECT_EQ(
        problem(),
        "x.ff9db: 60 clips of 3 models: would need 1 MiB of memory, but the limit is 0 (see option limit-memory=MIB)");
}

}  // namespace
}  // namespace reanima::ff9
