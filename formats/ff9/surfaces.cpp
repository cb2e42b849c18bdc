#include "formats/ff9/surfaces.h"

#include <algorithm>

#include <fmt/format.h>

#include "formats/psx/shown_texels.h"

namespace reanima::ff9 {

namespace {

using core::Code;

core::Place placeOf(std::uint8_t material) { return {fmt::format("material {}", material), std::nullopt}; }

}  // namespace

std::vector<std::array<std::size_t, 3>> trianglesOf(std::size_t corners) {
    if (corners == 3)
        return {{0, 2, 1}};
    return {{0, 2, 1}, {1, 2, 3}};
}

Surfaces::Surfaces(const Model& model, const Look& look, const core::Limits& limits, core::Diagnostics& diagnostics)
    : source_(look, model.loaded == kLoaded ? MaterialTexels::Origin::consoleMemory : MaterialTexels::Origin::file),
      materialCount_(look.materials ? look.materials->size() : 0),
      limits_(limits),
      diagnostics_(diagnostics) {
    std::map<std::uint8_t, Use> uses;
    for (const Group& group : model.groups)
        survey(group, uses);
    for (auto& [material, use] : uses)
        addSurfaces(material, use);
}

Surfaces::Key Surfaces::keyOf(const Face& face) const {
    const bool isDeep = (face.flags & kDeepPage) != 0 && source_.hasDeep(face.material);
    return {face.material, isDeep ? Depth::deep : Depth::stated};
}

const Surface* Surfaces::find(const Key& key) const {
    const auto found = surfaces_.find(key);
    return found != surfaces_.end() && found->second ? &*found->second : nullptr;
}

void Surfaces::survey(const Group& group, std::map<std::uint8_t, Use>& uses) const {
    for (const Face& face : group.faces) {
        const FaceLayout& layout = layoutOf(face.kind);
        if (!layout.uv)
            continue;
        Use& use = uses[face.material];
        std::array<std::array<std::uint8_t, 2>, kMostCorners> places{};
        for (std::size_t corner = 0; corner < layout.corners; ++corner) {
            places[corner] = source_.placeOf(face.material, group.uv[face.uv[corner]]);
            for (std::size_t axis = 0; axis < 2; ++axis) {
                use.least[axis] = std::min(use.least[axis], places[corner][axis]);
                use.most[axis] = std::max(use.most[axis], places[corner][axis]);
            }
        }
        std::vector<Triangle>& triangles = use.triangles[keyOf(face).second];
        for (const auto& corners : trianglesOf(layout.corners))
            triangles.push_back({places[corners[0]], places[corners[1]], places[corners[2]]});
    }
}

/// Reports why faces of a material are drawn without a texture.
bool Surfaces::warnIfAbsent(std::uint8_t material) {
    switch (source_.stateOf(material)) {
        case MaterialTexels::State::there:
            return false;
        case MaterialTexels::State::noRecord:
            if (!saidNoRecord_)
                diagnostics_.warn(Code::missingFile, {},
                                  "no materials (type 0x12) of the model were found, so it is drawn without textures",
                                  {"materials", "FILE"});
            saidNoRecord_ = true;
            return true;
        case MaterialTexels::State::noNumber:
            diagnostics_.warn(
                Code::textureNumber, placeOf(material),
                fmt::format(
                    "does not exist: the model has {} materials. Faces with this material are drawn without a texture",
                    materialCount_));
            return true;
        case MaterialTexels::State::noTexture:
            break;
    }
    diagnostics_.warn(Code::missingFile, placeOf(material),
                      "no texture was found, so its faces are drawn without a texture", {"textures", "FILE"});
    return true;
}

/// The rectangle of a material's surface, without texels yet.
Surface Surfaces::frameOf(std::uint8_t material, const Use& use) const {
    constexpr std::int32_t kStep = 16;
    Surface surface;
    if (source_.placement() == Placement::memory) {
        for (std::size_t axis = 0; axis < 2; ++axis)
            surface.origin[axis] = use.least[axis] / kStep * kStep;
        surface.width = static_cast<std::uint32_t>((use.most[0] / kStep + 1) * kStep - surface.origin[0]);
        surface.height = static_cast<std::uint32_t>((use.most[1] / kStep + 1) * kStep - surface.origin[1]);
        return surface;
    }
    // A picture is at the top of 128 rows or, if coordinates extend beyond the picture, at the bottom.
    constexpr std::int32_t kRows = 128;
    const auto [width, height] = source_.sizeOf(material);
    surface.width = width;
    surface.height = height;
    if (use.most[1] >= height)
        surface.origin[1] = kRows - static_cast<std::int32_t>(height);
    return surface;
}

void Surfaces::addSurfaces(std::uint8_t material, Use& use) {
    const bool isAbsent = warnIfAbsent(material);
    for (auto& [depth, triangles] : use.triangles) {
        const Key key{material, depth};
        surfaces_[key] = isAbsent ? std::nullopt : read(key, frameOf(material, use), triangles);
    }
}

void Surfaces::requireRoomFor(std::uint64_t bytes, const core::Place& place) {
    bytes_ += bytes;
    core::requireMemory(bytes_, limits_, place);
}

/// @return empty if no texel was loaded
std::optional<Surface> Surfaces::read(const Key& key, Surface surface, std::vector<Triangle>& triangles) {
    const core::Place place = placeOf(key.first);
    const std::uint64_t count = std::uint64_t{surface.width} * surface.height;
    requireRoomFor(count * sizeof(MaterialTexels::Texel), place);
    surface.texels.reserve(static_cast<std::size_t>(count));
    for (std::uint32_t y = 0; y < surface.height; ++y)
        for (std::uint32_t x = 0; x < surface.width; ++x) {
            const bool isOnPage = source_.placement() == Placement::memory;
            const auto offset = [&](std::size_t axis) {
                return isOnPage ? static_cast<std::uint32_t>(surface.origin[axis]) : 0;
            };
            surface.texels.push_back(source_.at(key.first, x + offset(0), y + offset(1), key.second));
        }
    const auto isLoaded = [](const MaterialTexels::Texel& texel) { return texel.owner != 0; };
    if (std::none_of(surface.texels.begin(), surface.texels.end(), isLoaded)) {
        diagnostics_.warn(Code::missingFile, place,
                          "its texels are outside every texture, so its faces are drawn without a texture",
                          {"textures", "FILE"});
        return std::nullopt;
    }
    std::sort(triangles.begin(), triangles.end());
    triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
    psx::ShownTexels shown;
    for (const Triangle& triangle : triangles)
        shown.add(triangle);
    std::size_t absent = 0;
    constexpr std::int32_t kSide = 256;
    for (std::size_t i = 0; i < surface.texels.size(); ++i) {
        const auto x = static_cast<std::int32_t>(i % surface.width) + surface.origin[0];
        const auto y = static_cast<std::int32_t>(i / surface.width) + surface.origin[1];
        if (x >= kSide || y < 0 || y >= kSide || !shown.has(static_cast<std::size_t>(x), static_cast<std::size_t>(y)))
            continue;
        absent += isLoaded(surface.texels[i]) ? 0U : 1U;
        surface.showsHoles = surface.showsHoles || !isLoaded(surface.texels[i]) || surface.texels[i].color == 0;
    }
    if (absent > 0)
        diagnostics_.warn(
            Code::textureOutside, place,
            fmt::format("its faces use {} texels that are in no texture; these become transparent", absent));
    return surface;
}

}  // namespace reanima::ff9
