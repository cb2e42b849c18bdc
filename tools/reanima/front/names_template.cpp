#include "tools/reanima/front/names_template.h"

#include <map>

#include <fmt/format.h>

#include "json/csv.h"

namespace reanima::tool {

std::string namesTemplateOf(const core::Asset& asset, const roles::Anatomy& anatomy) {
    // Models of a file share one table, so each line names its model.
    const std::string whose = asset.model.empty() ? "" : "," + csvField(asset.model);
    std::string text;
    std::map<std::uint32_t, std::size_t> count;  // counts clips per index: clips of different files may share one
    for (const core::Clip& clip : asset.clips)
        ++count[clip.index];
    for (const core::Clip& clip : asset.clips)
        text += fmt::format("clip,{},{}{}\n",
                            count.at(clip.index) == 1 ? fmt::format("{}", clip.index) : csvField(clip.name),
                            csvField(clip.name), whose);
    if (!asset.skeleton)
        return text;
    const bool isCertain = anatomy.confidence >= roles::kCertain;
    for (std::size_t i = 0; i < asset.skeleton->joints.size(); ++i) {
        const core::Joint& joint = asset.skeleton->joints[i];
        const roles::Role role = i < anatomy.roles.size() ? anatomy.roles[i] : roles::Role{};
        text += fmt::format("joint,{},{}", joint.id ? fmt::format("{}", *joint.id) : csvField(joint.name),
                            csvField(joint.name));
        const bool hasRole = isCertain && role.part != roles::Part::none;
        if (hasRole || !whose.empty())
            text += "," + (hasRole ? std::string(roles::nameOf(role)) : std::string());
        text += whose + "\n";
    }
    return text;
}

}  // namespace reanima::tool
