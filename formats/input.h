/// Files to be read, their companions, and what they are read with.
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

/// Reads the nodes and the animations of a file that no format of this library claims: a host's own way.
/// @param beside where other files are that it refers to
/// @throws DecodeError if it can't be read
using MotionReader = std::function<core::MovingScene(const File& file, const Siblings& beside,
                                                     const core::Limits& limits, core::Diagnostics& diagnostics)>;

/// A file to be read, and where its companions may be found.
struct Input {
    Input() = default;
    /// Not an aggregate: where a member's value throws, GCC 12 destroys the ones before it twice.
    /// A file that a host gives without a name is called `unnamed`: pictures, clips and joints are named after files.
    Input(File what, Siblings beside = {}, const Format* known = nullptr, std::string shown = {})  // NOLINT: converts
        : file(std::move(what)), siblings(std::move(beside)), format(known), shownAs(std::move(shown)) {
        if (file.name.empty())
            file.name = "unnamed";
    }

    File file;
    Siblings siblings{};
    const Format* format = nullptr;  ///< null: found out by content and name
    std::string shownAs{};           ///< what messages call it; the file's name if empty
    MotionReader readMotion{};       ///< of another program's file, see asSource(); else empty
    /// Bytes that finding out its format may take.
    std::uint64_t memoryLeft = std::numeric_limits<std::uint64_t>::max();

    [[nodiscard]] const std::string& shownName() const { return shownAs.empty() ? file.name : shownAs; }
    /// What messages put in front of the names of files beside it: `battle/`, `battle.lgp:`.
    [[nodiscard]] std::string_view folder() const {
        const std::string_view shown = shownName();
        return shown.substr(
            0, shown.ends_with(file.name) ? shown.size() - file.name.size() : shown.find_last_of("/\\") + 1);
    }
};

/// A file to be read, with what lies beside it.
/// @param known its format; null: it is found out
/// @throws DecodeError that names the file if it can't be read
[[nodiscard]] Input readInput(const std::shared_ptr<const core::Files>& files, const std::string& path,
                              const core::Limits& limits, const Format* known = nullptr);

/// What a file may need besides itself.
enum class Role {
    skeleton,   ///< the skeleton of an animation
    animation,  ///< the animations of a skeleton: the first frame of the first one serves as its rest pose
    events,     ///< what happens at which time of an animation
    materials,  ///< of a model that does not hold them
    textures,   ///< likewise; they may be several, in this order
    mesh,       ///< what a skeleton carries
    skin,       ///< which joints the vertices of a mesh follow
    /// Where textures are that files name by their ids, in the order in which they are searched: one of them, or if it
    /// has no bytes, what lies beside it.
    texturePlace,
};

/// A companion that is there.
struct Companion {
    Input input;
    bool given = false;  ///< named by the user, not found beside the file
};
/// Several of one role are in the order in which they were added.
using Companions = std::multimap<Role, Companion>;

/// What a piece of work is done with.
struct Context {
    const OptionValues& options;
    const core::Limits& limits;
    core::Diagnostics& diagnostics;
    std::function<bool()> cancelled{};  ///< true if the work is not wanted any more; may be empty
    /// Beside the file that is read, for formats whose files name others that belong to them; null: none.
    const Siblings* siblings = nullptr;
    /// For the file that is read, if it is another program's; null: none.
    const MotionReader* readMotion = nullptr;

    /// The same work with other options.
    [[nodiscard]] Context with(const OptionValues& others) const {
        return {others, limits, diagnostics, cancelled, siblings, readMotion};
    }
    /// The same work, whose warnings go elsewhere.
    [[nodiscard]] Context reporting(core::Diagnostics& elsewhere) const {
        return {options, limits, elsewhere, cancelled, siblings, readMotion};
    }
    /// The same work with less memory.
    [[nodiscard]] Context within(const core::Limits& left) const {
        return {options, left, diagnostics, cancelled, siblings, readMotion};
    }
    /// The same work on another file: what lies beside that one.
    [[nodiscard]] Context on(const Input& input) const {
        return {options, limits, diagnostics, cancelled, &input.siblings};
    }
};

/// One of the models (characters) that a file may hold several of, as the file's tables tell: nothing is decoded.
struct ModelSummary {
    std::string id;  ///< what the option `model` names: unique in its file; letters, digits, `_` and `-`
    /// What else names it, unless that is the id of another one: its number. Empty: nothing.
    std::string alias{};
    std::size_t joints = 0;
    std::size_t groups = 0;  ///< parts of its mesh
    std::uint64_t triangles = 0;
    std::size_t clips = 0;                            ///< animations that belong to it
    std::uint64_t samples = 0;                        ///< decoded values of all of them, as core::Limits counts
    std::optional<std::uint32_t> defaultAnimation{};  ///< its number as stored; it may lie in another file
    core::Called called{};                            ///< who it is, where that is known

    /// True for a bare skeleton, which is not worth an output of its own beside others.
    [[nodiscard]] bool isBare() const { return clips == 0 && triangles == 0; }
};

/// An animation in a file of models that belongs to none of them but to one in another file.
struct ClipElsewhere {
    std::string name;      ///< as the owner's clips are called
    std::string fullName;  ///< what the game calls it
    std::uint32_t index = 0;
    std::uint32_t id = 0;
    std::uint32_t joints = 0;
    std::uint32_t frames = 0;
    double seconds = 0;
    core::Called owner;
};

}  // namespace reanima
