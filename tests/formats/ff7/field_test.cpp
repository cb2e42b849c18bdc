#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/ff7/field_animation.h"
#include "formats/ff7/field_json.h"
#include "formats/ff7/field_skeleton.h"

namespace reanima::ff7 {
namespace {

using core::ByteVector;
using core::DecodeError;

const std::string kDoll =
    ":HEADER_BLOCK 2\r\n:SKELETON doll\r\n:BONES 2\r\n\r\nhip\r\nroot\r\n2.5\r\n1 AAAB\r\n\r\nHead\r\nHIP\r\n1e-1\r\n0 "
    "\r\n";

ByteVector bytesOf(const std::string& text) { return {text.begin(), text.end()}; }

/// The text with one part replaced.
std::string with(const std::string& part, const std::string& other) {
    std::string text = kDoll;
    return text.replace(text.find(part), part.size(), other);
}

std::string errorOf(const std::string& text) {
    core::Diagnostics diagnostics;
    try {
        (void)decodeFieldSkeleton(bytesOf(text), diagnostics);
    } catch (const DecodeError& error) {
        return error.what();
    }
    return "none";
}

std::string warningOf(const std::string& text) {
    core::Diagnostics diagnostics;
    (void)decodeFieldSkeleton(bytesOf(text), diagnostics);
    return diagnostics.warnings().empty() ? "none" : diagnostics.warnings().front().message();
}

TEST(FieldSkeleton, IsReadLineByLine) {
    core::Diagnostics diagnostics;
    const FieldSkeleton skeleton = decodeFieldSkeleton(bytesOf(kDoll), diagnostics);
    EXPECT_EQ(skeleton.name, "doll");
    EXPECT_EQ(skeleton.boneCount, 2U);
    ASSERT_EQ(skeleton.bones.size(), 2U);
    EXPECT_EQ(skeleton.bones[0], (FieldBone{"hip", std::nullopt, 2.5F, {"AAAB"}}));
    EXPECT_EQ(skeleton.bones[1], (FieldBone{"Head", 0, 0.1F, {}}));
    EXPECT_TRUE(diagnostics.warnings().empty());
    EXPECT_EQ(encodeFieldSkeleton(skeleton), bytesOf(kDoll));
    EXPECT_TRUE(isFieldSkeleton(bytesOf(kDoll)));
}

TEST(FieldSkeleton, Errors) {
    EXPECT_EQ(errorOf(":HEADER_BLOCK 2\n"), "bone_count at 0x10: there is no :BONES line");
    EXPECT_EQ(errorOf(with("BONES 2", "BONES 5000")), "bone_count at 0x21: is \"5000\", expected a number up to 4096");
    EXPECT_EQ(errorOf(with("HIP", "neck")), "bones[1].parent at 0x4d: is \"neck\", expected root or an earlier bone");
    EXPECT_EQ(errorOf(with("2.5", "2,5")), "bones[0].length at 0x38: is \"2,5\", expected a finite number");
    EXPECT_EQ(errorOf(with("1e-1", "inf")), "bones[1].length at 0x52: is \"inf\", expected a finite number");
    EXPECT_EQ(errorOf(with("1 AAAB", "AAAB")),
              "bones[0].resources at 0x3d: begins with \"AAAB\", expected the number of resources");
    std::string many = ":BONES 4096\n";
    for (int i = 0; i <= 4096; ++i)
        many += "b" + std::to_string(i) + "\nroot\n1\n0\n";
    EXPECT_THAT(errorOf(many), testing::EndsWith("exceeds the limit of 4096 bones"));
}

TEST(FieldSkeleton, Warnings) {
    EXPECT_EQ(warningOf(with("BONES 2", "BONES 3")), "warning: bone_count: is 3, but there are 2 bones");
    EXPECT_EQ(warningOf(with("1 AAAB", "2 AAAB")), "warning: bones[0].resources: 2 are stated, but 1 are named");
    EXPECT_EQ(warningOf(with("Head", "Hip")), "warning: bones[1].name: \"Hip\" is also the name of another bone");
    EXPECT_EQ(warningOf(kDoll + "left\r\nover\r\n"), "warning: text: lines follow the last bone");
    EXPECT_EQ(warningOf(kDoll + "these\r\nfour\r\nfollow\r\nit\r\n"), "warning: text: lines follow the last bone");
}

TEST(FieldSkeleton, SignsBeforeNumbers) {
    EXPECT_EQ(warningOf(with("2.5", "+3.")), "warning: bones[0].length: is \"+3.\", expected a number without a sign");
    EXPECT_EQ(warningOf(with("BONES 2", "BONES +2")),
              "warning: bone_count: is \"+2\", expected a number without a sign");
    EXPECT_EQ(warningOf(with("1 AAAB", "+1 AAAB")),
              "warning: bones[0].resources: is \"+1\", expected a number without a sign");
    EXPECT_EQ(warningOf(with("2.5", "-3.")), "none");
    EXPECT_EQ(errorOf(with("2.5", "+-3")), "bones[0].length at 0x38: is \"+-3\", expected a finite number");
    EXPECT_EQ(errorOf(with("2.5", "++3")), "bones[0].length at 0x38: is \"++3\", expected a finite number");
    core::Diagnostics diagnostics;
    const ByteVector file = bytesOf(with("2.5", "+3."));
    const FieldSkeleton skeleton = decodeFieldSkeleton(file, diagnostics);
    EXPECT_EQ(skeleton.bones[0].length, 3.0F);
    EXPECT_EQ(encodeFieldSkeleton(skeleton), file);
}

TEST(FieldSkeleton, LinesThatEndInCarriageReturns) {
    std::string text = kDoll;
    std::erase(text, '\n');
    core::Diagnostics diagnostics;
    const FieldSkeleton skeleton = decodeFieldSkeleton(bytesOf(text), diagnostics);
    FieldSkeleton usual = decodeFieldSkeleton(bytesOf(kDoll), diagnostics);
    usual.text = text;
    EXPECT_EQ(skeleton, usual);
    EXPECT_EQ(encodeFieldSkeleton(skeleton), bytesOf(text));
    EXPECT_EQ(warningOf(text), "warning: text: its lines end with CR only");
    EXPECT_TRUE(beginsLikeFieldSkeleton(bytesOf(text)));
}

TEST(FieldSkeleton, NamesThatNoTextHolds) {
    core::Diagnostics diagnostics;
    FieldSkeleton skeleton = decodeFieldSkeleton(bytesOf(kDoll), diagnostics);
    skeleton.bones[1].name = "#1";
    EXPECT_THROW(
        try { (void)encodeFieldSkeleton(skeleton); } catch (const DecodeError& error) {
            EXPECT_STREQ(error.what(), "joints: have names or counts that this format can't store");
            throw;
        },
        DecodeError);
}

TEST(FieldSkeleton, AnyBytesSurviveJson) {
    core::Diagnostics diagnostics;
    const ByteVector file = bytesOf(with("Head", "K\xF6pf\xFF"));
    const Json json = toJson(decodeFieldSkeleton(file, diagnostics), diagnostics);
    EXPECT_EQ(json["joints"][1]["name"], "K\u00F6pf\u00FF");
    EXPECT_EQ(encodeFieldSkeleton(fieldSkeletonFromJson(JsonReader(json), diagnostics)), file);
}

// ---------------------------------------------------------------------------------------------------------------------

/// A frame of one bone; 80 40 is the upper half of 4.0F.
ByteVector oneFrame() {
    ByteVector file(36 + 36, 0);
    file[0] = file[4] = file[8] = 1;  // version, frames, bones
    file[12] = 1;                     // order 1, 0, 2
    file[14] = 2;
    file[36 + 14] = 0x80;  // translation x
    file[36 + 15] = 0x40;
    return file;
}

std::string animationError(const ByteVector& file) {
    core::Diagnostics diagnostics;
    try {
        (void)decodeFieldAnimation(file, {}, diagnostics);
    } catch (const DecodeError& error) {
        return error.what();
    }
    return diagnostics.warnings().empty() ? "none" : diagnostics.warnings().front().message();
}

TEST(FieldAnimation, IsReadWordForWord) {
    core::Diagnostics diagnostics;
    const FieldAnimation animation = decodeFieldAnimation(oneFrame(), {}, diagnostics);
    ASSERT_EQ(animation.frames.size(), 1U);
    EXPECT_EQ(animation.frames[0].translation, (Triple{4, 0, 0}));
    EXPECT_EQ(animation.rotations.size(), 1U);
    EXPECT_EQ(encodeFieldAnimation(animation), oneFrame());
    EXPECT_TRUE(isFieldAnimation(oneFrame()));
}

TEST(FieldAnimation, KeepsTheWordsOfTooManyBones) {
    ByteVector file = oneFrame();
    file[8] = file[9] = file[10] = file[11] = 0xFF;
    core::Diagnostics diagnostics;
    const FieldAnimation animation = decodeFieldAnimation(file, {}, diagnostics);
    EXPECT_EQ(animation.boneCount, 0xFFFFFFFFU);
    EXPECT_TRUE(animation.frames.empty());
    EXPECT_EQ(encodeFieldAnimation(animation), file);
    const Json json = toJson(animation, diagnostics);
    EXPECT_EQ(encodeFieldAnimation(fieldAnimationFromJson(JsonReader(json), diagnostics)), file);
}

TEST(FieldAnimation, Problems) {
    ByteVector file = oneFrame();
    file[0] = 2;
    EXPECT_EQ(animationError(file), "version at 0x0: is 2, expected 1");
    file = oneFrame();
    file[8] = 2;
    EXPECT_EQ(animationError(file),
              "warning: bone_count: is 2, but a frame with this number of bones needs 48 bytes, and only 36 are left; "
              "no frame is read");
    file.resize(36 + 23);
    EXPECT_EQ(animationError(file), "frames[0] at 0x24: needs 48 bytes, but only 23 are left");
    file = oneFrame();
    file[36 + 26] = 0xC0;  // a quiet NaN, x of the bone
    file[36 + 27] = 0x7F;
    EXPECT_EQ(animationError(file), "frames[0].rotations at 0x3c: is not finite");
    file = oneFrame();
    file[4] = 3;
    EXPECT_EQ(animationError(file), "warning: frame_count: is 3, but the file contains only 1 whole frames");
    file = oneFrame();
    file.push_back(7);
    EXPECT_EQ(animationError(file), "warning: tail: 1 bytes follow the last frame");
    file = oneFrame();
    file[12] = 2;
    EXPECT_EQ(animationError(file), "warning: order: is 2, 0, 2, which is not an order of three axes; Y, X, Z is used");
    file = oneFrame();
    file.insert(file.end(), file.begin() + 36, file.end());
    file[4] = 2;
    file[72 + 2] = 0x80;  // infinity, x of the root
    file[72 + 3] = 0x7F;
    EXPECT_EQ(animationError(file), "warning: frames[1].rotation: is not finite; the 1 frames before it are kept");
}

}  // namespace
}  // namespace reanima::ff7
