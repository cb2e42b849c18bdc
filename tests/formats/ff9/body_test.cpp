#include "formats/ff9/body.h"

#include <gtest/gtest.h>

#include "core/validate.h"
#include "formats/ff9/clips.h"

namespace reanima::ff9 {
namespace {

/// One bone and one triangle with texture coordinates (0, 0), (0, 1) and (3, 0).
Model oneTriangle() {
    Model model;
    model.bones.resize(1);
    Group& group = model.groups.emplace_back();
    group.vertexCounts = {3};
    group.vertices = {{0, 0, 0, 0, 0}, {0, 256, 0, 0, 0}, {512, 0, 0, 0, 0}};
    group.uv = {{0, 0}, {0, 1}, {3, 0}};
    Face& face = group.faces.emplace_back();
    face.kind = FaceKind::ft3;
    face.vertices = {0, 1, 2, 0};
    face.uv = {0, 1, 2, 0};
    face.rgb = {128, 64, 255};
    return model;
}

/// 4 x 2 texels of 15 bits: the first is transparent, the last has STP.
Look onePicture() {
    Look look;
    look.placement = Placement::place;
    psx::Tim& tim = look.textures.emplace_back(Texture{77, psx::Tim()}).tim.value();
    tim.mode = 2;
    tim.image = {0, 0, 0, 4, 2, {0, 31, 31 << 5, 31 << 10, 1, 1, 1, 0x8000 | 31}};
    return look;
}

struct Body {
    Body(const Model& model, const Look& look, std::set<std::uint32_t> hidden = {}) {
        asset.skeleton.emplace(toSkeleton(model, 1.0 / 256));
        asset.skeleton->name = "skeleton";
        addBody(asset, model, look, {"model9", 1.0 / 256, std::move(hidden)}, {}, diagnostics);
        for (const core::Warning& warning : diagnostics.warnings())
            messages.push_back(warning.message());
    }
    core::Asset asset;
    core::Diagnostics diagnostics;
    std::vector<std::string> messages;
};

TEST(Body, HasAMeshWithAPicture) {
    const Body body(oneTriangle(), onePicture());
    EXPECT_EQ(core::validate(body.asset), std::vector<std::string>());
    EXPECT_EQ(body.messages, std::vector<std::string>());
    ASSERT_EQ(body.asset.meshes.size(), 1U);
    EXPECT_EQ(body.asset.meshes[0].name, "model9_group0");
    const core::Primitive& triangle = body.asset.meshes[0].primitives.at(0);
    // In reverse order, y and z inverted, in metres.
    EXPECT_EQ(triangle.positions, (std::vector<glm::vec3>{{0, 0, 0}, {2, 0, 0}, {0, -1, 0}}));
    EXPECT_EQ(triangle.textureCoordinates, (std::vector<glm::vec2>{{0, 0}, {0.75F, 0}, {0, 0.5F}}));
    EXPECT_EQ(triangle.joints, (std::vector<std::uint32_t>{0, 0, 0}));
    EXPECT_NEAR(triangle.colors.at(0).g, 0.21763764, 1e-6) << "0.5 to the power of 2.2";
    EXPECT_EQ(triangle.colors.at(0).r, 1);
    EXPECT_EQ(triangle.colors.at(0).b, 1) << "no brighter than white";
    const core::Material& material = body.asset.materials.at(triangle.material);
    EXPECT_EQ(material.name, "material0");
    EXPECT_EQ(material.alphaMode, core::AlphaMode::mask) << "the texel at 0, 0 is shown";
    const core::Image& image = body.asset.images.at(0);
    EXPECT_EQ(image.name, "model9_0");
    EXPECT_EQ(std::vector<std::uint8_t>(image.rgba.begin(), image.rgba.begin() + 16),
              (std::vector<std::uint8_t>{0, 0, 0, 0, 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255}));
    EXPECT_EQ(image.rgba.back(), 255) << "STP means nothing without the flag";
}

TEST(Body, MixesTexelsWithStp) {
    Model model = oneTriangle();
    model.groups[0].faces[0].flags = kSemiTransparent | kBlendModeBits | kTwoSided;
    const Body body(model, onePicture());
    EXPECT_EQ(body.asset.materials.at(0).name, "material0_quarter_double");
    EXPECT_EQ(body.asset.materials.at(0).alphaMode, core::AlphaMode::blend);
    EXPECT_TRUE(body.asset.materials.at(0).doubleSided);
    EXPECT_EQ(body.asset.images.at(0).rgba.back(), 64);
}

TEST(Body, WithoutATextureIsHalfAsBright) {
    Look look = onePicture();
    look.textures.clear();
    const Body body(oneTriangle(), look);
    EXPECT_EQ(body.messages, std::vector<std::string>{"warning: material 0: no texture was found, so its faces are "
                                                      "drawn without a texture (see option textures=FILE)"});
    const core::Primitive& triangle = body.asset.meshes.at(0).primitives.at(0);
    EXPECT_EQ(triangle.colors.at(0).r, 0.5F);
    EXPECT_TRUE(triangle.textureCoordinates.empty());
    EXPECT_TRUE(body.asset.images.empty());
}

TEST(Body, SaysWhyMaterialsHaveNoTexture) {
    Look look = onePicture();
    look.placement = Placement::memory;
    EXPECT_EQ(Body(oneTriangle(), look).messages,
              std::vector<std::string>{"warning: no materials (type 0x12) of the model were found, so it is drawn "
                                       "without textures (see option materials=FILE)"});
    look.materials.emplace();
    EXPECT_EQ(Body(oneTriangle(), look).messages,
              std::vector<std::string>{"warning: material 0: does not exist: the model has 0 materials. Faces with "
                                       "this material are drawn without a texture"});
    look.materials->push_back({0x10F, 0, {}, {}});  // a page of 15 bits that nothing was loaded into
    EXPECT_EQ(Body(oneTriangle(), look).messages,
              std::vector<std::string>{"warning: material 0: its texels are outside every texture, so its faces are "
                                       "drawn without a texture (see option textures=FILE)"});
    look.materials->front().page = 0x100;
    EXPECT_EQ(Body(oneTriangle(), look).messages, std::vector<std::string>());
    look.textures[0].tim->image.x = 1;
    EXPECT_EQ(Body(oneTriangle(), look).messages,
              std::vector<std::string>{
                  "warning: material 0: its faces use 1 texels that are in no texture; these become transparent"});
}

TEST(Body, LeavesOutHiddenGroupsAndFlatTriangles) {
    Model model = oneTriangle();
    EXPECT_TRUE(Body(model, onePicture(), {0}).asset.meshes.empty());
    model.groups[0].vertices[2] = model.groups[0].vertices[1];
    EXPECT_TRUE(Body(model, onePicture()).asset.meshes.empty());
}

}  // namespace
}  // namespace reanima::ff9
