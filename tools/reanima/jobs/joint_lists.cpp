#include "tools/reanima/jobs/joint_lists.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <nlohmann/json.hpp>

#include "binding/roles/role_links.h"
#include "core/pose.h"
#include "core/text.h"
#include "tools/reanima/front/text_table.h"
#include "tools/reanima/jobs/job_advice.h"

namespace reanima::tool {

namespace {

/// The role of a joint; empty if not certain.
std::string roleOf(const roles::Anatomy& anatomy, std::size_t joint) {
    const bool isKnown = anatomy.confidence >= roles::kCertain && joint < anatomy.roles.size() &&
                         anatomy.roles[joint].part != roles::Part::none;
    return isKnown ? roles::nameOf(anatomy.roles[joint]) : std::string();
}

/// The lengths of bones in metres, including scales of armatures. A joint's bone starts at the joint. If its end is
/// unknown, the bone that ends at the joint is used.
std::vector<double> lengthsOf(const core::Skeleton& skeleton) {
    std::vector<double> scales;
    std::vector<double> lengths;
    for (const core::Joint& joint : skeleton.joints) {
        const double above = joint.parent == core::kNoParent ? 1 : scales[static_cast<std::size_t>(joint.parent)];
        const glm::dvec3 own = glm::abs(glm::dvec3(joint.rest.scale));
        scales.push_back(above * std::cbrt(own.x * own.y * own.z));
        lengths.push_back(joint.end ? scales.back() * static_cast<double>(glm::length(*joint.end))
                                    : above * static_cast<double>(glm::length(joint.rest.translation)));
    }
    return lengths;
}

std::string parentName(const core::Skeleton& skeleton, const core::Joint& joint) {
    return joint.parent == core::kNoParent ? "-" : skeleton.joints[static_cast<std::size_t>(joint.parent)].name;
}

/// The height of the meshes at rest or, without meshes, of the joints.
double heightOf(const core::Rig& rig) {
    if (rig.surface.empty())
        return core::verticalExtent(rig.skeleton, core::restPose(rig.skeleton)).height();
    float low = std::numeric_limits<float>::infinity();
    float high = -low;
    for (const core::SurfacePoint& point : rig.surface) {
        low = std::min(low, point.at.y);
        high = std::max(high, point.at.y);
    }
    return static_cast<double>(high - low);
}

/// `Mixamo: 12 of 12 limbs, spine 3, head`, or the reason why motion can't be bound by roles.
std::string bodyOf(const roles::Anatomy& anatomy) {
    if (anatomy.confidence < roles::kCertain)
        return fmt::format(
            "not recognised as a humanoid: {}. To state which joint follows which, use a mapping (-s RIG --map FILE)",
            anatomy.seen);
    return roles::bodyOf(anatomy.family, anatomy.roles);
}

}  // namespace

std::string jointTable(const core::Skeleton& skeleton, const roles::Anatomy& anatomy, std::size_t width) {
    constexpr auto kLeft = TableColumn::Side::left;
    TextTable table({{"joint"},
                     {.head = "id", .leftOut = 3},
                     {.head = "name", .side = kLeft},
                     {.head = "parent", .side = kLeft, .leftOut = 1},
                     {.head = "length", .leftOut = 2},
                     {.head = "role", .side = kLeft}});
    const std::vector<double> lengths = lengthsOf(skeleton);
    for (std::size_t i = 0; i < skeleton.joints.size(); ++i) {
        const core::Joint& joint = skeleton.joints[i];
        table.addRow({fmt::format("{}", i), joint.id ? fmt::format("{}", *joint.id) : "", core::printable(joint.name),
                      core::printable(parentName(skeleton, joint)), fmt::format("{:.3f} m", lengths[i]),
                      roleOf(anatomy, i)});
    }
    return "\n" + table.text(width);
}

Json jointRows(const core::Skeleton& skeleton, const roles::Anatomy& anatomy) {
    Json rows = Json::array();
    const std::vector<double> lengths = lengthsOf(skeleton);
    for (std::size_t i = 0; i < skeleton.joints.size(); ++i) {
        const core::Joint& joint = skeleton.joints[i];
        const std::string role = roleOf(anatomy, i);
        rows.push_back({{"index", i},
                        {"id", joint.id ? Json(*joint.id) : Json(nullptr)},
                        {"name", joint.name},
                        {"parent", joint.parent == core::kNoParent ? Json(nullptr) : Json(joint.parent)},
                        {"length", lengths[i]},
                        {"role", role.empty() ? Json(nullptr) : Json(role)}});
    }
    return rows;
}

namespace {

std::string loopOf(const core::StatedClip& stated) { return !stated.loop ? "-" : *stated.loop ? "yes" : "no"; }

/// The table of a scene's clips, with the game's facts if this program wrote the scene.
std::string clipTable(const std::vector<core::SceneClip>& clips, std::size_t width) {
    const bool isStated =
        std::ranges::any_of(clips, [](const core::SceneClip& clip) { return clip.stated.has_value(); });
    std::vector<TableColumn> columns = {{"index"}, {.head = "clip", .side = TableColumn::Side::left}, {"seconds"}};
    if (isStated)
        for (TableColumn column : {TableColumn{.head = "frames", .leftOut = 2}, TableColumn{"rate"},
                                   TableColumn{.head = "loop", .leftOut = 1}})
            columns.push_back(std::move(column));
    TextTable table(std::move(columns));
    for (std::size_t i = 0; i < clips.size(); ++i) {
        const core::SceneClip& clip = clips[i];
        std::vector<std::string> row = {fmt::format("{}", i), core::printable(clip.name),
                                        fmt::format("{:.3f}", clip.seconds)};
        if (clip.stated)
            row.insert(row.end(), {fmt::format("{}", clip.stated->frames), fmt::format("{:.6g}", clip.stated->rate),
                                   loopOf(*clip.stated)});
        else if (isStated)
            row.insert(row.end(), 3, "-");
        table.addRow(std::move(row));
    }
    return table.text(width);
}

Json rowOf(const core::SceneClip& clip, std::size_t index) {
    Json row = {{"index", index}, {"name", clip.name}, {"seconds", clip.seconds}};
    if (!clip.stated)
        return row;
    const core::StatedClip& stated = *clip.stated;
    row["id"] = stated.id;
    row["full_name"] = stated.fullName.empty() ? Json(nullptr) : Json(stated.fullName);
    row["named_by"] = core::nameOf(stated.namedBy);
    row["frames"] = stated.frames;
    row["rate"] = stated.rate;
    row["loop"] = stated.loop ? Json(*stated.loop) : Json(nullptr);
    return row;
}

}  // namespace

std::string rigTable(const core::Rig& rig, const roles::Anatomy& anatomy, std::size_t width) {
    const auto count = [](std::size_t n, const char* what) {
        return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
    };
    const std::string surface = rig.surface.empty()
                                    ? "no mesh follows them"
                                    : fmt::format("meshes with {} vertices follow them", rig.surface.size());
    std::string text = bodyOf(anatomy) + "\nskeleton: " + core::printable(rig.skeleton.name) + ", " +
                       count(rig.skeleton.joints.size(), "joint") + ", " +
                       ShownHeight{heightOf(rig), !rig.surface.empty()}.inWords() + "; " + surface + "; " +
                       count(rig.clips.size(), "clip") + "\n";
    return text + (rig.clips.empty() ? "" : "\n" + clipTable(rig.clips, width)) +
           jointTable(rig.skeleton, anatomy, width);
}

Json rigMembers(const core::Rig& rig, const roles::Anatomy& anatomy) {
    const bool isCertain = anatomy.confidence >= roles::kCertain;
    Json clips = Json::array();
    for (std::size_t i = 0; i < rig.clips.size(); ++i)
        clips.push_back(rowOf(rig.clips[i], i));
    return {{"rig",
             {{"humanoid", isCertain},
              {"family", anatomy.family.empty() ? Json(nullptr) : Json(anatomy.family)},
              {"body", bodyOf(anatomy)},
              {"height", heightOf(rig)},
              {"vertices", rig.surface.size()}}},
            {"clips", std::move(clips)},
            {"joints", jointRows(rig.skeleton, anatomy)}};
}

}  // namespace reanima::tool
