#include "formats/metroid/model/looks.h"

#include <algorithm>
#include <array>

#include "core/linear_color.h"

namespace reanima::metroid {

namespace {

// Inputs of a stage's colour.
constexpr unsigned kPrevious = 0;
constexpr unsigned kTexture = 8;
constexpr unsigned kRaster = 10;
constexpr unsigned kOne = 12;
constexpr unsigned kZero = 15;

/// The inputs of a stage: d + (1 - c) a + c b.
struct ColorInputs {
    unsigned a, b, c, d;

    explicit ColorInputs(std::uint32_t word)
        : a(word & 31U), b(word >> 5U & 31U), c(word >> 10U & 31U), d(word >> 15U & 31U) {}

    [[nodiscard]] bool multiplies(unsigned input) const { return a == input || b == input || c == input; }

    /// True if the stage adds its texture to the previous result.
    [[nodiscard]] bool adds() const {
        const bool isWhole = a == kZero && ((b == kTexture && c == kOne) || (b == kOne && c == kTexture));
        return d == kPrevious && (isWhole || (a == kTexture && c == kZero));
    }
    /// True if the stage multiplies its texture with light, or with the previous result.
    [[nodiscard]] bool tints() const { return multiplies(kTexture) && (multiplies(kPrevious) || multiplies(kRaster)); }
};

/// A generator of texture coordinates.
struct Generator {
    unsigned source, matrix;

    explicit Generator(std::uint32_t word) : source(word >> 4U & 31U), matrix(word >> 9U & 31U) {}

    /// The set of texture coordinates in the vertices that the generator uses. Empty if it uses none.
    [[nodiscard]] std::optional<std::size_t> uvOf(const VertexLayout& layout) const {
        constexpr unsigned kFirstUv = 4;
        const unsigned field = VertexLayout::uv0 + source - kFirstUv;
        const bool isUv = source >= kFirstUv && field < VertexLayout::kFields && layout.has(field);
        return isUv ? std::optional<std::size_t>(source - kFirstUv) : std::nullopt;
    }
    /// The animation of the generator's coordinates. Null if they are static.
    [[nodiscard]] const UvAnimation* animationOf(const CmdlMaterial& material) const {
        constexpr unsigned kMatrices = 3;  // matrix numbers per animation
        const bool isOne = matrix % kMatrices == 0 && matrix / kMatrices < material.animations.size();
        return !stays() && isOne ? &material.animations[matrix / kMatrices] : nullptr;
    }
    [[nodiscard]] bool stays() const {
        constexpr unsigned kIdentity = 30;
        return matrix == kIdentity;
    }
};

/// True if an animation moves coordinates of the vertices.
bool movesUv(const UvAnimation& animation) {
    constexpr std::uint32_t kFirst = 2;  // types: scrolling, rotation, and two that step through a strip of pictures
    constexpr std::uint32_t kLast = 5;
    return animation.type >= kFirst && animation.type <= kLast;
}

class LookMaker {
  public:
    LookMaker(const CmdlMaterial& material, const MaterialSet& set, Lighting lighting)
        : material_(material), set_(set), lighting_(lighting), layout_(material.vertexWord) {}

    MaterialLook run() {
        chooseTextures();
        if (!look_.base && !material_.konst.empty())
            look_.factor = colorOf(material_.konst.front());
        chooseAlpha();
        listWhatIsNotShown();
        return std::move(look_);
    }

  private:
    /// The generator and texture of a stage that has both.
    [[nodiscard]] std::optional<Generator> generatorOf(const TevStage& stage) const {
        const bool isThere = stage.texture != kNoneOfStage && stage.texture < material_.textures.size() &&
                             stage.coordinate != kNoneOfStage && stage.coordinate < material_.generators.size();
        return isThere ? std::optional(Generator(material_.generators[stage.coordinate])) : std::nullopt;
    }

    [[nodiscard]] bool isLightMap(std::size_t stage) const { return stage == 0 && (material_.flags & kLightMap) != 0; }

    /// The texture of a stage, if a mesh can show it.
    [[nodiscard]] std::optional<ShownTexture> candidate(std::size_t index) const {
        const TevStage& stage = material_.stages[index];
        const std::optional<Generator> generator = generatorOf(stage);
        if (!generator || isLightMap(index))
            return std::nullopt;
        const std::optional<std::size_t> uv = generator->uvOf(layout_);
        const UvAnimation* animation = generator->animationOf(material_);
        if (!uv || (!generator->stays() && (animation == nullptr || !movesUv(*animation))))
            return std::nullopt;
        return ShownTexture{set_.textures[material_.textures[stage.texture]], *uv};
    }

    void chooseTextures() {
        std::optional<std::size_t> first;
        std::optional<std::size_t> tinting;
        std::optional<std::size_t> adding;
        for (std::size_t i = 0; i < material_.stages.size(); ++i) {
            if (!candidate(i))
                continue;
            const ColorInputs inputs(material_.stages[i].colorIn);
            if (inputs.adds()) {
                adding = adding.value_or(i);
                continue;
            }
            first = first.value_or(i);
            if (inputs.tints())
                tinting = tinting.value_or(i);
        }
        const std::optional<std::size_t> base = tinting ? tinting : first;
        if (base)
            look_.base = candidate(*base);
        if (adding)
            look_.emissive = candidate(*adding);
        for (std::size_t i = 0; i < material_.stages.size(); ++i)
            if (i != base && i != adding)
                noteLeftOut(i);
    }

    /// Records why the texture of a stage is not shown.
    void noteLeftOut(std::size_t index) {
        const std::optional<Generator> generator = generatorOf(material_.stages[index]);
        if (!generator || isLightMap(index))
            return;
        const UvAnimation* animation = generator->animationOf(material_);
        const bool isView = !generator->uvOf(layout_) || (animation != nullptr && !movesUv(*animation));
        (isView ? hasReflection_ : hasOther_) = true;
    }

    static glm::vec4 colorOf(const std::array<std::uint8_t, 4>& konst) {
        constexpr float kWhole = 255;
        return {core::linearFromSrgb(konst[0]), core::linearFromSrgb(konst[1]), core::linearFromSrgb(konst[2]),
                static_cast<float>(konst[3]) / kWhole};
    }

    void chooseAlpha() {
        constexpr float kKept = 64;  // of 255: as in the game, texels below this alpha are not drawn
        constexpr float kWhole = 255;
        if ((material_.flags & kAlphaTest) != 0) {
            look_.alphaMode = core::AlphaMode::mask;
            look_.alphaCutoff = kKept / kWhole;
        } else if (material_.source != 1 || material_.destination != 0) {
            look_.alphaMode = core::AlphaMode::blend;
        }
    }

    void listWhatIsNotShown() {
        constexpr std::uint16_t kSourceAlpha = 4;
        constexpr std::uint16_t kOneLessAlpha = 5;
        const auto add = [&](bool isLeftOut, const char* word) {
            if (isLeftOut)
                look_.notShown.emplace_back(word);
        };
        const bool isExact = material_.source == kSourceAlpha && material_.destination == kOneLessAlpha;
        add(hasReflection_ || (material_.flags & kReflections) != 0, "reflection");
        add((material_.flags & kLightMap) != 0, "light-map");
        add(hasOther_ || (look_.emissive && lighting_ == Lighting::unlit), "texture");
        add(std::ranges::any_of(material_.animations, movesUv), "animation");
        add((material_.flags & kIndirect) != 0, "indirect");
        add(look_.alphaMode == core::AlphaMode::blend && !isExact, "blend");
    }

    const CmdlMaterial& material_;
    const MaterialSet& set_;
    Lighting lighting_;
    VertexLayout layout_;
    MaterialLook look_;
    bool hasReflection_ = false;
    bool hasOther_ = false;
};

}  // namespace

MaterialLook lookOf(const CmdlMaterial& material, const MaterialSet& set, Lighting lighting) {
    return LookMaker(material, set, lighting).run();
}

}  // namespace reanima::metroid
