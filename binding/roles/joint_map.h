/// Mapping files: which joint of a game's skeleton moves which joint of a rig.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../../core/bytes.h"
#include "../../core/root_motion.h"
#include "../motion/bind.h"

namespace reanima {

/// The content of one mapping file or of several together. Joints are identified by name or number; joints of the
/// source also by the game's original name: see withCurrentNames().
struct JointMap {
    struct Line {
        std::string source;
        std::string target;
        std::optional<glm::quat> rotateOffset;  ///< [x, y, z, w]
        std::optional<bool> translate;
        std::string mixedFrom{};       ///< a second source joint whose rotation is mixed in; empty: none
        double share = 1;              ///< weight of `source` in that mixture
        std::string carrier{};         ///< a joint of the rig, not the parent, that carries this one; empty: none
        std::optional<double> roll{};  ///< degrees about the bone; replaces the roll derived from the motion

        bool operator==(const Line&) const = default;
    };
    struct Carried {
        std::string source;  ///< a joint in model space
        std::string joint;   ///< what carries it: a joint of the source or of the rig

        bool operator==(const Carried&) const = default;
    };

    std::optional<motion::BindMode> mode;
    std::string sourceRest;  ///< zero, match, CLIP:FRAME or a file; empty: unset
    std::optional<double> scale;
    std::optional<core::RootMotion> rootMotion;
    std::vector<Line> joints;
    std::vector<Carried> attach;
    std::vector<std::string> ignore;
    bool byName = true;  ///< joints that are not listed are matched by equal names
    /// Joint -> role, of either skeleton: joints of the same role are linked.
    std::map<std::string, std::string, std::less<>> roles;

    bool operator==(const JointMap&) const = default;
};

/// JSON
///
///     {"schema": 1, "mode": "world", "source_rest": "match", "scale": 1.02, "root": {"mode": "keep"},
///      "joints": [{"source": "bone004", "target": "upper_arm.L", "rotate_offset": [0, 0, 0, 1], "translate": false}],
///      "attach": [{"source": "weapon000", "joint": "bone007"}], "ignore": ["tail"], "roles": {"bone004": "upper arm
///      left"}}
///
/// or lines of the form `source,target`; empty lines and lines that begin with `#` are ignored. An element of `joints`
/// with an empty source or target maps nothing; users can fill it in.
/// @throws core::DecodeError that names the value or line
[[nodiscard]] JointMap parseJointMap(core::Bytes text);

/// The mapping with original names and numbers replaced by the joints' current names. A number is a joint's id, or its
/// index if no joint has that id. Unknown names stay unchanged.
/// @param ownNames per joint of the source: its name in the file, which users may have replaced
[[nodiscard]] JointMap withCurrentNames(JointMap map, const core::Skeleton& source,
                                        const std::vector<std::string>& ownNames, const core::Skeleton& target);

/// Merges another file into `map`; the other file takes precedence.
void mergeInto(JointMap& map, JointMap other);

}  // namespace reanima
