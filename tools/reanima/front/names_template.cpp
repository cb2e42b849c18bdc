#include "tools/reanima/front/names_template.h"

#include <fmt/format.h>

#include "json/csv.h"

namespace reanima::tool {

std::string namesTemplateOf(const core::Asset& asset, const roles::Anatomy& anatomy) {
    std::string text;
    for (const core::Clip& clip : asset.clips)
        text += fmt::format("clip,{},{}\n", clip.index, csvField(clip.name));
    if (!asset.skeleton)
        return text;
    const bool isCertain = anatomy.confidence >= roles::kCertain;
    for (std::size_t i = 0; i < asset.skeleton->joints.size(); ++i) {
        const core::Joint& joint = asset.skeleton->joints[i];
        const roles::Role role = i < anatomy.roles.size() ? anatomy.roles[i] : roles::Role{};
        text += fmt::format("joint,{},{}", joint.id ? fmt::format("{}", *joint.id) : csvField(joint.name),
                            csvField(joint.name));
        if (isCertain && role.part != roles::Part::none)
            text += "," + roles::nameOf(role);
        text += "\n";
    }
    return text;
}

}  // namespace reanima::tool
