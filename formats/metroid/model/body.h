/// Converts models of Metroid Prime to meshes of the common model, with materials and images.
///
/// Rules and evidence: docs/formats/metroid_cmdl.md
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cmdl.h"
#include "core/asset.h"
#include "core/limits.h"
#include "cskr.h"
#include "formats/metroid/cinf.h"
#include "looks.h"
#include "txtr.h"

namespace reanima::metroid {

/// Finds a texture by its id. Returns null, after reporting it, if it is missing or damaged.
using FindTexture = std::function<std::shared_ptr<const Txtr>(std::uint32_t id)>;

/// How a model becomes a mesh.
struct BodySettings {
    std::string name;  ///< name of the mesh
    double scale = 1;  ///< metres per unit of the game
    std::uint32_t set = 0;
    Lighting lighting = Lighting::lit;
    core::Filter filter = core::Filter::mipmapped;
    Rows rows = Rows::bottomUp;
    core::Properties identity{};  ///< first entries of the character's properties
};

/// Sets the bind pose of the joints that a skin uses: their rest pose.
void setBind(core::Skeleton& skeleton);

/// @throws core::DecodeError for bones that the skeleton lacks, or a skin whose positions differ from the model's
void requireFit(const Cskr& skin, const Cmdl& model, const core::Skeleton& skeleton);

/// Adds the mesh of a model with its materials, images and properties.
/// @param asset has the skin's skeleton, whose joints have ids: see setBind()
/// @param skin null: the mesh stays in its bind pose
/// @throws core::DecodeError for a material set that the model lacks, and as requireFit() does; of the kind `limit` for
/// more memory than the limits allow
void addBody(core::Asset& asset, const Cmdl& model, const Cskr* skin, const FindTexture& textures,
             const BodySettings& settings, const core::Limits& limits, core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
