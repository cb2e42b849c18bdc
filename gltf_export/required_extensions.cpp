#include "gltf_export/required_extensions.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace reanima::gltf {

namespace {

/// Extensions that are supported, or whose compressed data is detected where it is used.
constexpr std::array<std::string_view, 5> kRead = {"EXT_meshopt_compression", "KHR_animation_pointer",
                                                   "KHR_draco_mesh_compression", "KHR_mesh_quantization",
                                                   "KHR_meshopt_compression"};

/// Extensions that only affect looks, sounds, clicks or metadata.
constexpr std::array<std::string_view, 14> kElsewhere = {"EXT_instance_features",
                                                         "EXT_mesh_features",
                                                         "EXT_mesh_gpu_instancing",
                                                         "EXT_structural_metadata",
                                                         "KHR_audio_emitter",
                                                         "KHR_gaussian_splatting",
                                                         "KHR_node_hoverability",
                                                         "KHR_node_selectability",
                                                         "KHR_node_visibility",
                                                         "KHR_xmp",
                                                         "KHR_xmp_json_ld",
                                                         "MSFT_packing_normalRoughnessMetallic",
                                                         "MSFT_packing_occlusionRoughnessMetallic",
                                                         "VRM"};

/// Families of extensions that still grow. The part of the name after the vendor identifies a family.
constexpr std::array<std::string_view, 3> kElsewhereFamilies = {"lights_", "materials_", "texture_"};

bool isHarmless(std::string_view name) {
    if (std::ranges::find(kRead, name) != kRead.end() || std::ranges::find(kElsewhere, name) != kElsewhere.end() ||
        name.starts_with("VRMC_"))
        return true;
    const std::string_view family = name.substr(std::min(name.find('_'), name.size() - 1) + 1);
    return std::ranges::any_of(kElsewhereFamilies,
                               [family](std::string_view begin) { return family.starts_with(begin); });
}

}  // namespace

void requireKnownExtensions(const Document& document) {
    std::vector<std::string> unknown;
    for (const Field& name : document.root().list("extensionsRequired"))
        if (!isHarmless(name.text()))
            unknown.emplace_back(name.text());
    if (!unknown.empty())
        throw core::DecodeError(
            {"extensionsRequired", std::nullopt},
            fmt::format("requires \"{}\", which is not supported and may move joints. Export the file without it",
                        fmt::join(unknown, "\", \"")));
}

}  // namespace reanima::gltf
