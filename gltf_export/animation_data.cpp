#include "gltf_export/animation_data.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace reanima::gltf {

namespace {

/// True if all extensions of the file are known not to refer to accessors or buffer views.
bool knowsAllUsers(const Field& root) {
    constexpr std::array<std::string_view, 9> kHarmless = {
        "KHR_materials_",        "KHR_texture_",        "KHR_mesh_quantization", "KHR_lights_punctual",
        "KHR_animation_pointer", "KHR_node_visibility", "EXT_texture_webp",      "VRM",
        "MSFT_texture_dds"};
    const auto isHarmless = [&](const Field& name) {
        return std::ranges::any_of(kHarmless, [&](std::string_view known) { return name.text().starts_with(known); });
    };
    const std::vector<Field> used = root.list("extensionsUsed");
    const std::vector<Field> views = root.list("bufferViews");
    return std::ranges::all_of(used, isHarmless) &&
           std::ranges::none_of(views, [](const Field& view) { return view.contains("extensions"); });
}

/// Which elements of a list are used.
class Uses {
  public:
    explicit Uses(std::size_t count) : used_(count, false) {}

    void add(const Field& index) { used_[index.index(used_.size())] = true; }
    void addMember(const Field& object, std::string_view key) {
        if (const std::optional<Field> index = object.find(key))
            add(*index);
    }
    void addAll(const Field& object) {
        for (const std::string& key : object.keys())
            add(object.at(key));
    }
    [[nodiscard]] bool has(std::size_t index) const { return used_[index]; }

  private:
    std::vector<bool> used_;
};

/// The accessors used by anything except animations.
Uses usesBesides(const Field& root, std::size_t accessors) {
    Uses uses(accessors);
    for (const Field& mesh : root.list("meshes"))
        for (const Field& primitive : mesh.list("primitives")) {
            uses.addAll(primitive.at("attributes"));
            uses.addMember(primitive, "indices");
            for (const Field& target : primitive.list("targets"))
                uses.addAll(target);
        }
    for (const Field& skin : root.list("skins"))
        uses.addMember(skin, "inverseBindMatrices");
    return uses;
}

Uses usesByAnimations(const Field& root, std::size_t accessors) {
    Uses uses(accessors);
    for (const Field& animation : root.list("animations"))
        for (const Field& sampler : animation.list("samplers")) {
            uses.add(sampler.at("input"));
            uses.add(sampler.at("output"));
        }
    return uses;
}

void addViewsOf(const Field& accessor, Uses& views) {
    views.addMember(accessor, "bufferView");
    if (const std::optional<Field> sparse = accessor.find("sparse")) {
        views.add(sparse->at("indices").at("bufferView"));
        views.add(sparse->at("values").at("bufferView"));
    }
}

}  // namespace

AnimationData dataOfAnimations(const Field& root) {
    AnimationData data;
    if (!knowsAllUsers(root))
        return data;
    const std::vector<Field> accessors = root.list("accessors");
    const std::size_t viewCount = root.list("bufferViews").size();
    const Uses animated = usesByAnimations(root, accessors.size());
    const Uses others = usesBesides(root, accessors.size());
    Uses freed(viewCount);
    Uses kept(viewCount);
    for (std::uint32_t i = 0; i < accessors.size(); ++i) {
        const bool isFree = animated.has(i) && !others.has(i);
        if (isFree)
            data.accessors.push_back(i);
        addViewsOf(accessors[i], isFree ? freed : kept);
    }
    for (const Field& image : root.list("images"))
        kept.addMember(image, "bufferView");
    for (std::uint32_t i = 0; i < viewCount; ++i)
        if (freed.has(i) && !kept.has(i))
            data.views.push_back(i);
    return data;
}

}  // namespace reanima::gltf
