#include "pipeline/suggest_links.h"

#include <nlohmann/json.hpp>

#include "binding/roles/mapping.h"
#include "pipeline/joint_roles.h"

namespace reanima {

namespace {

roles::Anatomy sourceRoles(const core::Asset& source, const Settings& settings) {
    if (std::optional<roles::Anatomy> known = rolesOfSource(source, settings.names, settings.map))
        return *std::move(known);
    roles::Anatomy unknown;
    unknown.roles.resize(source.skeleton->joints.size());
    unknown.seen = "its skeleton is made up";
    return unknown;
}

}  // namespace

SuggestedLinks suggestLinks(const core::Asset& source, const core::Rig& rig, core::Diagnostics& diagnostics,
                            const Settings& settings) {
    if (!source.skeleton)
        throw core::DecodeError("holds pictures: there are no joints");
    SuggestedLinks suggested;
    suggested.roles = {sourceRoles(source, settings), rolesOfRig(rig, settings.names, settings.map, diagnostics)};
    suggested.links = roles::proposedLinks(*source.skeleton, rig.skeleton, suggested.roles, diagnostics);
    suggested.json = toText(roles::mappingOf(*source.skeleton, rig.skeleton, suggested.roles, suggested.links));
    suggested.map =
        parseJointMap({reinterpret_cast<const std::uint8_t*>(suggested.json.data()), suggested.json.size()});  // NOLINT
    return suggested;
}

}  // namespace reanima
