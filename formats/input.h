/// Input files, their companions, and the context for reading them.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../core/bytes.h"
#include "../core/called.h"
#include "../core/diagnostics.h"
#include "../core/files.h"
#include "../core/limits.h"
#include "options.h"

namespace reanima::core {
struct MovingScene;
}

namespace reanima {

using core::File;
using core::Siblings;

/// A format that the library reads: see registry.h.
struct Format;

/// A host's function that reads nodes and animations of a file in an unknown format.
/// @param beside finds the files that the file refers to
/// @throws DecodeError if the file can't be read
using MotionReader = std::function<core::MovingScene(const File& file, const Siblings& beside,
                                                     const core::Limits& limits, core::Diagnostics& diagnostics)>;

/// A file to be read, and where its companions may be found.
struct Input {
    Input() = default;
    /// Not an aggregate: if a member's initialiser throws, GCC 12 destroys the members before it twice. A file without
    /// a name is called `unnamed`, since pictures, clips and joints are named after files.
    Input(File what, Siblings beside = {}, const Format* known = nullptr, std::string shown = {})  // NOLINT: converts
        : file(std::move(what)), siblings(std::move(beside)), format(known), shownAs(std::move(shown)) {
        if (file.name.empty())
            file.name = "unnamed";
    }

    File file;
    Siblings siblings{};
    const Format* format = nullptr;  ///< null: recognised by content and name
    std::string shownAs{};           ///< the file's name in messages; empty: `file.name`
    MotionReader readMotion{};       ///< only for another program's file, see asSource()
    /// Memory in bytes that may be used to recognise the file's format.
    std::uint64_t memoryLeft = std::numeric_limits<std::uint64_t>::max();

    [[nodiscard]] const std::string& shownName() const { return shownAs.empty() ? file.name : shownAs; }
    /// Prefix in messages for the names of files beside this one: `battle/`, `battle.lgp:`.
    [[nodiscard]] std::string_view folder() const {
        const std::string_view shown = shownName();
        return shown.substr(
            0, shown.ends_with(file.name) ? shown.size() - file.name.size() : shown.find_last_of("/\\") + 1);
    }
};

/// A file to be read, with its siblings.
/// @param known the file's format; null: it is recognised
/// @throws DecodeError that names the file if it can't be read
[[nodiscard]] Input readInput(const std::shared_ptr<const core::Files>& files, const std::string& path,
                              const core::Limits& limits, const Format* known = nullptr);

/// Roles of further files that a file may need.
enum class Role {
    skeleton,   ///< the skeleton of an animation
    animation,  ///< the animations of a skeleton: the first frame of the first one serves as its rest pose
    events,     ///< events of an animation
    materials,  ///< materials of a model that lacks them
    textures,   ///< textures of a model that lacks them; if there are several, in this order
    mesh,       ///< the mesh of a skeleton
    skin,       ///< the joints that each vertex of a mesh follows
    /// Places to search for textures by id, in order: texture files or, for files without bytes, their siblings.
    texturePlace,
};

/// A companion that was found.
struct Companion {
    Input input;
    bool given = false;  ///< named by the user, not found beside the file
};
/// Companions by role. Companions of the same role are in the order of their insertion.
using Companions = std::multimap<Role, Companion>;

/// The context of a piece of work.
struct Context {
    const OptionValues& options;
    const core::Limits& limits;
    core::Diagnostics& diagnostics;
    std::function<bool()> cancelled{};  ///< true if the work should stop; may be empty
    /// Siblings of the file that is read. Null: there are none.
    const Siblings* siblings = nullptr;
    /// Reads the file if it is from another program. Null: such files can't be read.
    const MotionReader* readMotion = nullptr;

    /// The same work with other options.
    [[nodiscard]] Context with(const OptionValues& others) const {
        return {others, limits, diagnostics, cancelled, siblings, readMotion};
    }
    /// The same work with warnings sent elsewhere.
    [[nodiscard]] Context reporting(core::Diagnostics& elsewhere) const {
        return {options, limits, elsewhere, cancelled, siblings, readMotion};
    }
    /// The same work with other limits.
    [[nodiscard]] Context within(const core::Limits& left) const {
        return {options, left, diagnostics, cancelled, siblings, readMotion};
    }
    Context within(core::Limits&& left) const = delete;  // the context refers to them
    /// The same work on another file and its siblings.
    [[nodiscard]] Context on(const Input& input) const {
        return {options, limits, diagnostics, cancelled, &input.siblings};
    }
};

/// One of the models (characters) of a file, from its tables without decoding.
struct ModelSummary {
    std::string id;  ///< value of the option `model`: unique in its file; letters, digits, `_` and `-`
    /// Another name: the model's number, unless that is the id of a different model. Empty: there is none.
    std::string alias{};
    std::size_t joints = 0;
    std::size_t groups = 0;  ///< parts of its mesh
    std::uint64_t triangles = 0;
    std::size_t clips = 0;      ///< animations that belong to it
    std::uint64_t samples = 0;  ///< number of decoded values of its animations, see core::Limits
    std::optional<std::uint32_t>
        defaultAnimation{};  ///< number of its default animation, as stored; it may be in another file
    core::Called called{};   ///< the character, if known

    /// True for a bare skeleton. Beside other models it gets no output.
    [[nodiscard]] bool isBare() const { return clips == 0 && triangles == 0; }
};

/// An animation whose model is not in the same file, but in another one.
struct ClipElsewhere {
    std::string name;      ///< the name that the owner's clips have
    std::string fullName;  ///< the game's name
    std::uint32_t index = 0;
    std::uint32_t id = 0;
    std::uint32_t joints = 0;
    std::uint32_t frames = 0;
    double seconds = 0;
    core::Called owner;
};

}  // namespace reanima
