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

/// What one file says, or several together. A joint is called by its name, one of the source by the name that the game
/// gave it, too, and any by its number: see withCurrentNames().
struct JointMap {
    struct Line {
        std::string source;
        std::string target;
        std::optional<glm::quat> rotateOffset;  ///< [x, y, z, w]
        std::optional<bool> translate;
        std::string mixedFrom{};  ///< a further joint of the source whose turn is mixed in; empty: none
        double share = 1;         ///< of `source` in that mixture
        std::string carrier{};    ///< a joint of the rig that carries this one, though it hangs elsewhere; empty: none
        std::optional<double> roll{};  ///< degrees about the bone, in place of what the motion tells

        bool operator==(const Line&) const = default;
    };
    struct Carried {
        std::string source;  ///< a joint in model space
        std::string joint;   ///< what carries it: a joint of the source or of the rig

        bool operator==(const Carried&) const = default;
    };

    std::optional<motion::BindMode> mode;
    std::string sourceRest;  ///< zero, match, CLIP:FRAME or a file; empty: not said
    std::optional<double> scale;
    std::optional<core::RootMotion> rootMotion;
    std::vector<Line> joints;
    std::vector<Carried> attach;
    std::vector<std::string> ignore;
    bool byName = true;  ///< joints that no line mentions belong together where their names agree
    /// Joint -> role, of either skeleton: joints of one role belong together.
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
/// or lines `source,target`; empty lines and lines that begin with `#` are passed over. An element of `joints` whose
/// source or target is empty maps nothing: such are left for people to fill in.
/// @throws core::DecodeError that names the value or line
[[nodiscard]] JointMap parseJointMap(core::Bytes text);

/// The mapping with the names that joints have now in place of the game's own ones and of numbers: of a joint's id, or
/// its index where no joint has such an id. What is no joint stays as it is.
/// @param ownNames per joint of the source the name before users renamed it
[[nodiscard]] JointMap withCurrentNames(JointMap map, const core::Skeleton& source,
                                        const std::vector<std::string>& ownNames, const core::Skeleton& target);

/// Adds what another file says; it wins where both say something.
void mergeInto(JointMap& map, JointMap other);

}  // namespace reanima
