#include <gtest/gtest.h>

#include "core/validate.h"
#include "formats/load.h"
#include "formats/metroid/animation/clips.h"
#include "formats/metroid/character/dressing.h"
#include "formats/metroid/model/body.h"
#include "support/broken.h"
#include "support/bytes.h"

namespace reanima::metroid {
namespace {

/// Light times texture.
TevStage plainStage(std::uint8_t texture = 0, std::uint8_t coordinate = 0) {
    TevStage stage;
    stage.colorIn = 15 | 10 << 5 | 8 << 10 | 15 << 15;
    stage.texture = texture;
    stage.coordinate = coordinate;
    return stage;
}

TevStage addingStage(std::uint8_t texture, std::uint8_t coordinate) {
    TevStage stage = plainStage(texture, coordinate);
    stage.colorIn = 15 | 8 << 5 | 12 << 10 | 0 << 15;
    return stage;
}

constexpr std::uint32_t passes(std::uint32_t source, std::uint32_t matrix = 30) {
    return 1 | source << 4 | matrix << 9 | 61 << 15;
}

/// Two textures on two sets of coordinates.
struct Looks : testing::Test {
    MaterialSet set{{0xA, 0xB}, {}};
    CmdlMaterial material;

    Looks() {
        material.textures = {0, 1};
        material.vertexWord = 0xF03;
        material.source = 1;
        material.stages = {plainStage()};
        material.generators = {passes(4), passes(5)};
    }
    [[nodiscard]] MaterialLook look(Lighting lighting = Lighting::lit) const { return lookOf(material, set, lighting); }
};

using Words = std::vector<std::string>;

TEST_F(Looks, TakeTheFirstTextureThatLightIsMultipliedWith) {
    material.stages = {addingStage(1, 1), plainStage()};
    EXPECT_EQ(look().base, (ShownTexture{0xA, 0}));
    EXPECT_EQ(look().emissive, (ShownTexture{0xB, 1}));
    EXPECT_EQ(look().notShown, Words());
    EXPECT_EQ(look(Lighting::unlit).emissive, (ShownTexture{0xB, 1}));
    EXPECT_EQ(look(Lighting::unlit).notShown, Words{"texture"});
    material.stages[0].colorIn = 8 | 15 << 5 | 15 << 10;  // a is the texture, c is zero
    EXPECT_EQ(look().emissive, (ShownTexture{0xB, 1}));
    material.stages[0].colorIn = 2 | 8 << 5 | 4 << 10 | 2 << 15;  // registers
    EXPECT_EQ(look().base, (ShownTexture{0xA, 0})) << "the first one that tints";
    EXPECT_EQ(look().notShown, Words{"texture"});
    material.stages.pop_back();
    EXPECT_EQ(look().base, (ShownTexture{0xB, 1})) << "the first one at all";
}

TEST_F(Looks, LeaveOutWhatDoesNotLieOnTheMesh) {
    material.generators = {passes(1)};
    EXPECT_EQ(look().base, std::nullopt);
    EXPECT_EQ(look().notShown, Words{"reflection"});
    material.generators = {passes(4, 0)};
    material.animations = {{6, {}}};
    EXPECT_EQ(look().base, std::nullopt) << "in view space";
    EXPECT_EQ(look().notShown, Words{"reflection"});
    material.animations = {{2, {0, 0, 0, 0}}};
    EXPECT_EQ(look().base, (ShownTexture{0xA, 0})) << "it moves";
    EXPECT_EQ(look().notShown, Words{"animation"});
    material.generators = {passes(6)};
    EXPECT_EQ(look().base, std::nullopt) << "the vertices have no third set";
    material.flags = kLightMap | kIndirect;
    material.animations.clear();
    EXPECT_EQ(look().notShown, (Words{"light-map", "indirect"}));
}

TEST_F(Looks, ShowAKonstColorWithoutATexture) {
    material.stages.clear();
    EXPECT_EQ(look().factor, glm::vec4(1));
    material.flags = kHasKonst;
    material.konst = {{255, 0, 188, 51}};
    const glm::vec4 factor = look().factor;
    EXPECT_EQ(factor.r, 1);
    EXPECT_NEAR(factor.b, 0.5028865, 1e-6) << "sRGB 188";
    EXPECT_FLOAT_EQ(factor.a, 0.2F);
}

TEST_F(Looks, CoverAsTheFactorsSayUnlessAlphaIsTested) {
    EXPECT_EQ(look().alphaMode, core::AlphaMode::opaque);
    material.source = 4;
    material.destination = 5;
    EXPECT_EQ(look().alphaMode, core::AlphaMode::blend);
    EXPECT_EQ(look().notShown, Words());
    material.destination = 1;
    EXPECT_EQ(look().alphaMode, core::AlphaMode::blend);
    EXPECT_EQ(look().notShown, Words{"blend"});
    material.flags = kAlphaTest;
    EXPECT_EQ(look().alphaMode, core::AlphaMode::mask);
    EXPECT_FLOAT_EQ(look().alphaCutoff, 64.0F / 255);
    EXPECT_EQ(look().notShown, Words());
}

// ---------------------------------------------------------------------------------------------------------------------
// Meshes

/// Bones 3 at the origin and 4 a unit above it.
core::Skeleton twoJoints() {
    Cinf cinf;
    cinf.bones = {{3, 2, {0, 0, 0}, {}, {}}, {4, 3, {0, 0, 1}, {}, {}}};
    core::Skeleton skeleton = toSkeleton(cinf, 1);
    skeleton.name = "two";
    return skeleton;
}

Cmdl oneTriangleWithTexture() {
    Cmdl model;
    model.flags = kSkinnedModel;
    MaterialSet& set = model.sets.emplace_back();
    set.textures = {0xA};
    CmdlMaterial& material = set.materials.emplace_back();
    material.textures = {0};
    material.vertexWord = 0x303;
    material.source = 1;
    material.stages = {plainStage()};
    material.generators = {passes(4)};
    model.positions = {{0, 0, 0}, {1, 0, 0}, {0, 2, 1}};
    model.uv = {{0, 0}, {1, 0}, {0, 0.25F}};
    CmdlSurface& surface = model.surfaces.emplace_back();
    surface.calls = {{0x98, 4, 0}, {0xA8, 2, 8}};
    surface.numbers = {0, 0, 1, 1, 2, 2, 2, 2, 0, 0, 1, 1};
    return model;
}

Cskr halves() {
    Cskr skin;
    skin.groups = {{{{3, 1}}, 1}, {{{4, 3}, {3, 1}, {4, 4}, {9, 100}}, 2}};
    skin.positions.count = 3;
    return skin;
}

std::shared_ptr<const Txtr> smallTexture(std::uint32_t) {
    auto txtr = std::make_shared<Txtr>();
    txtr->format = TexelFormat::rgb565;
    txtr->width = 3;
    txtr->height = 4;
    txtr->data.resize(32);
    return txtr;
}

struct Dressed {
    core::Asset asset;
    core::Diagnostics diagnostics;

    explicit Dressed(const Cmdl& model, const Cskr* skin, const BodySettings& settings = {"hero_mesh"}) {
        asset.skeleton = twoJoints();
        addBody(asset, model, skin, smallTexture, settings, {}, diagnostics);
        EXPECT_EQ(core::validate(asset), std::vector<std::string>());
    }
};

TEST(Dress, PutsVerticesIntoTheSpacesOfTheirJoints) {
    const Cskr skin = halves();
    const Dressed hero(oneTriangleWithTexture(), &skin);
    const core::Primitive& triangle = hero.asset.meshes.at(0).primitives.at(0);
    EXPECT_EQ(triangle.joints, (std::vector<std::uint32_t>{0, 1, 1, 1}));
    EXPECT_EQ(triangle.positions.at(1), glm::vec3(-1, -1, 0)) << "(-x, z, y), from a joint a metre above";
    EXPECT_EQ(triangle.positions.at(2), glm::vec3(0, 0, 2));
    // The first three of four weights: bone 4 has 3 + 4 of 8.
    EXPECT_FLOAT_EQ(core::firstWeight(triangle, 1), 0.875F);
    EXPECT_EQ(triangle.others.at(1)[0].joint, 0U);
    EXPECT_EQ(triangle.others.at(1)[0].weight, 0.125F);
    EXPECT_EQ(triangle.others.at(1)[0].position, glm::vec3(-1, 0, 0));
    EXPECT_EQ(core::firstWeight(triangle, 0), 1);
    EXPECT_EQ(triangle.indices, (std::vector<std::uint32_t>{0, 1, 2})) << "the second has two equal corners";
    EXPECT_EQ(triangle.textureCoordinates.at(2), glm::vec2(0, 0.75F)) << "rows and v are turned";
    const core::Material& material = hero.asset.materials.at(0);
    EXPECT_EQ(material.name, "material0");
    EXPECT_EQ(material.wrap, core::Wrap::clamp) << "3 is no power of two";
    EXPECT_EQ(material.filter, core::Filter::mipmapped);
    EXPECT_FALSE(material.unlit);
    EXPECT_EQ(hero.asset.images.at(0).name, "0000000A");
    ASSERT_TRUE(hero.asset.skeleton->joints[1].bind.has_value());
    EXPECT_EQ((*hero.asset.skeleton->joints[1].bind)[3], glm::dvec4(0, 1, 0, 1));
}

TEST(Dress, LeavesOutShadowsAndCountsWhatIsSkipped) {
    Cmdl model = oneTriangleWithTexture();
    const auto countOf = [&](const char* key) {
        const Dressed hero(model, nullptr);
        for (const auto& [name, value] : hero.asset.character)
            if (name == key)
                return std::get<std::int64_t>(value.data);
        return std::int64_t{-1};
    };
    EXPECT_EQ(countOf("triangles"), 1);
    EXPECT_EQ(countOf("skipped"), 2) << "a triangle of no area, and lines";
    model.sets[0].materials[0].flags = kShadowCaster;
    EXPECT_EQ(countOf("triangles"), 0);
    EXPECT_EQ(countOf("skipped"), 3);
    EXPECT_TRUE(Dressed(model, nullptr).asset.meshes.empty());
}

TEST(Dress, SaysWhatIsNotAsInTheGame) {
    Cmdl model = oneTriangleWithTexture();
    model.sets.push_back(model.sets[0]);
    model.sets[0].materials[0].stages[0].texture = kNoneOfStage;
    model.sets[0].materials[0].flags = kIndirect;
    const Dressed hero(model, nullptr);
    std::vector<std::string> messages;
    for (const core::Warning& warning : hero.diagnostics.warnings())
        messages.push_back(warning.message());
    EXPECT_EQ(messages, (std::vector<std::string>{
                            "note: materials: 0: drawn by the game, but not in the output: indirect",
                            "note: materials: 0: drawn in a single color, because there is no base texture",
                            "note: material_sets: there are 2, but only number 0 is converted (see option set=N)"}));
    core::Asset asset;
    EXPECT_EQ(test::messageOf([&](core::Diagnostics& diagnostics) {
                  addBody(asset, model, nullptr, smallTexture, {"hero_mesh", 1, 7}, {}, diagnostics);
              }),
              "has no material set 7, only 2 (see option set=N)");
}

TEST(Dress, RefusesSkinsOfOtherModels) {
    const Cmdl model = oneTriangleWithTexture();
    const auto messageOf = [&](const Cskr& skin) -> std::string {
        try {
            requireFit(skin, model, twoJoints());
        } catch (const core::DecodeError& error) {
            return error.what();
        }
        return {};
    };
    Cskr skin = halves();
    EXPECT_EQ(messageOf(skin), "");
    skin.groups[1].vertices = 3;
    EXPECT_EQ(messageOf(skin), "groups: cover 4 positions, but the model has 3");
    skin.groups[1].vertices = 1;
    EXPECT_EQ(messageOf(skin), "groups: cover 2 positions, but the model uses position 2");
    skin = halves();
    skin.groups[0].weights[0].bone = 77;
    EXPECT_EQ(messageOf(skin), "groups[0].weights[0].bone: is 77, but the skeleton has no such bone");
}

// ---------------------------------------------------------------------------------------------------------------------
// Files

struct Loaded {
    core::Asset asset;
    std::vector<std::string> messages;

    explicit Loaded(const std::string& sample, const OptionValues& options = {}) {
        core::Diagnostics diagnostics;
        Context context{options, {}, diagnostics, {}};
        asset = load(test::inputFrom(test::sourceFolder() / "samples" / sample), {}, context);
        for (const core::Warning& warning : diagnostics.warnings())
            messages.push_back(warning.message());
        EXPECT_EQ(core::validate(asset), std::vector<std::string>());
    }
};

TEST(Dress, IsFoundBesideAnAnimation) {
    const Loaded hero("metroid/hero_walk.ANIM");
    EXPECT_EQ(hero.asset.meshes.at(0).name, "hero_mesh");
    EXPECT_EQ(hero.asset.images.size(), 3U);
    EXPECT_EQ(hero.asset.materials.size(), 3U);
    EXPECT_EQ(hero.asset.materials.at(0).emissive, 1U);
    EXPECT_TRUE(hero.asset.materials.at(2).factor != glm::vec4(1));
    OptionValues bare;
    bare.set("no-mesh", 1.0);
    EXPECT_TRUE(Loaded("metroid/hero_walk.ANIM", bare).asset.meshes.empty());
}

TEST(Dress, FollowsTheHelpersOfScales) {
    const Loaded echo("metroid/echo_swell.ANIM");
    const std::optional<std::uint32_t> chest = echo.asset.skeleton->find("chest");
    const std::optional<std::uint32_t> helper = echo.asset.skeleton->find("chest_scale");
    ASSERT_TRUE(chest && helper);
    bool isUsed = false;
    for (const core::Primitive& primitive : echo.asset.meshes.at(0).primitives)
        for (const std::uint32_t joint : primitive.joints) {
            EXPECT_NE(joint, *chest);
            isUsed = isUsed || joint == *helper;
        }
    EXPECT_TRUE(isUsed);
}

/// The messages of loading a sample if only these of its files exist.
std::vector<std::string> messagesWith(const std::string& name, const std::vector<std::string>& beside) {
    auto files = std::make_shared<core::MemoryFiles>();
    const auto sample = [](const std::string& file) {
        return test::readBytes(test::sourceFolder() / "samples/metroid" / file);
    };
    for (const std::string& file : beside)
        files->add(file, sample(file));
    core::Diagnostics diagnostics;
    const OptionValues none;
    Context context{none, {}, diagnostics, {}};
    const Input input({name, sample(name)}, Siblings(files, name));
    EXPECT_EQ(core::validate(load(input, {}, context)), std::vector<std::string>());
    std::vector<std::string> messages;
    for (const core::Warning& warning : diagnostics.warnings())
        if (warning.severity == core::Warning::Severity::warning)
            messages.push_back(warning.message());
    return messages;
}

TEST(Dress, SaysWhatIsMissing) {
    const std::vector<std::string> textures = {"5EED0111.TXTR", "5EED0112.TXTR", "5EED0113.TXTR"};
    EXPECT_EQ(
        messagesWith("hero.CMDL", textures),
        std::vector<std::string>{"hero.CMDL: warning: its skin (CSKR) was not found, so the mesh follows no joints"});
    std::vector<std::string> more = {"5EED0111.TXTR", "5EED0112.TXTR", "hero.CSKR"};
    EXPECT_EQ(
        messagesWith("hero.CMDL", more),
        (std::vector<std::string>{
            "hero.CMDL: warning: its skeleton was not found, so the mesh follows no joints",
            "hero.CMDL: warning: its texture 5EED0113.TXTR was not found and is left out (see option textures=PATH)"}));
    core::Asset asset;
    core::Diagnostics diagnostics;
    const OptionValues none;
    Context context{none, {}, diagnostics, {}};
    BodySettings settings;
    settings.name = "hero_mesh";
    putOn(asset, Dress{{{}, "00000001.CMDL"}, {}, nullptr}, settings, Companions(), context);
    EXPECT_EQ(diagnostics.warnings().at(0).message(),
              "warning: its model 00000001.CMDL was not found, so there is no mesh");
    EXPECT_TRUE(asset.meshes.empty());
}

}  // namespace
}  // namespace reanima::metroid
