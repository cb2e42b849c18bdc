#include "pipeline/memoria_folder.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "archives/open_archives.h"
#include "core/file_system.h"
#include "core/memory.h"
#include "core/scene_motion.h"
#include "core/source.h"
#include "core/text.h"
#include "formats/foreign_files.h"
#include "formats/load.h"
#include "pipeline/foreign_motion.h"
#include "pipeline/memoria_file.h"

namespace reanima {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kClipEnding = "anim";

/// Merges the scenes of several clips.
class MemoriaUnion {
  public:
    /// The number of nodes in the clip that were already added, divided by the size of the smaller of the two sets of
    /// nodes.
    [[nodiscard]] double shareOf(const core::Scene& other) const {
        std::size_t common = 0;
        std::vector<int> here(other.nodes.size(), kNowhere);
        for (const std::size_t i : parentsFirst(other)) {
            const auto known = nodes_.find({parentIn(here, other, i), other.nodes[i].name});
            if (known == nodes_.end())
                continue;
            here[i] = known->second;
            ++common;
        }
        return static_cast<double>(common) /
               static_cast<double>(std::max<std::size_t>(1, std::min(nodes_.size(), other.nodes.size())));
    }

    /// Adds a clip. Nodes that were already added keep their rest pose.
    void add(core::MovingScene other) {
        core::Scene& scene = whole_.scene;
        std::vector<int> here(other.scene.nodes.size(), kNowhere);
        for (const std::size_t i : parentsFirst(other.scene)) {
            core::SceneNode& node = other.scene.nodes[i];
            const int parent = parentIn(here, other.scene, i);
            const auto [known, isNew] = nodes_.try_emplace({parent, node.name}, static_cast<int>(scene.nodes.size()));
            here[i] = known->second;
            if (isNew) {
                paths_.push_back(
                    parent == core::kNoParent ? node.name : paths_[static_cast<std::size_t>(parent)] + "/" + node.name);
                node.parent = parent;
                scene.nodes.push_back(std::move(node));
            } else if (node.isAnimated) {
                scene.nodes[static_cast<std::size_t>(known->second)].isAnimated = true;
            }
        }
        for (core::SceneMotion& motion : other.motions) {
            for (core::NodeTrack& track : motion.tracks)
                track.node = static_cast<std::uint32_t>(here[track.node]);
            scene.clips.push_back({motion.name, motion.end()});
            whole_.motions.push_back(std::move(motion));
        }
    }

    /// @param order names of clips, in the wanted order
    core::MovingScene finish(const std::string& name, const std::vector<std::string>& order) {
        whole_.scene.name = name;
        sortDepthFirst();
        std::vector<std::pair<std::size_t, core::SceneMotion>> sorted;
        for (core::SceneMotion& motion : whole_.motions)
            sorted.emplace_back(std::ranges::find(order, motion.name) - order.begin(), std::move(motion));
        std::ranges::stable_sort(sorted, {}, [](const auto& each) { return each.first; });
        whole_.motions.clear();
        for (auto& [place, motion] : sorted)
            whole_.motions.push_back(std::move(motion));
        whole_.scene.fieldOf = [paths = std::move(paths_)](std::uint32_t node) { return paths[node]; };
        return std::move(whole_);
    }

  private:
    static constexpr int kNowhere = -2;

    /// The nodes of a clip, parents first, without the root object.
    static std::vector<std::size_t> parentsFirst(const core::Scene& scene) {
        std::vector<std::size_t> order(scene.nodes.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_partition(order.begin(), order.end(),
                              [&](std::size_t i) { return scene.nodes[i].parent == core::kNoParent; });
        return order;
    }

    static int parentIn(const std::vector<int>& here, const core::Scene& scene, std::size_t node) {
        const int parent = scene.nodes[node].parent;
        return parent == core::kNoParent ? core::kNoParent : here[static_cast<std::size_t>(parent)];
    }

    /// Sorts the nodes in the order of the files. Modding tools rely on this order.
    void sortDepthFirst() {
        core::Scene& scene = whole_.scene;
        std::vector<std::vector<std::size_t>> children(scene.nodes.size());
        std::vector<std::size_t> open;
        for (std::size_t i = scene.nodes.size(); i-- > 0;) {
            const int parent = scene.nodes[i].parent;
            (parent == core::kNoParent ? open : children[static_cast<std::size_t>(parent)]).push_back(i);
        }
        std::vector<int> now(scene.nodes.size());
        std::vector<core::SceneNode> nodes;
        std::vector<std::string> paths;
        while (!open.empty()) {
            const std::size_t next = open.back();
            open.pop_back();
            now[next] = static_cast<int>(nodes.size());
            core::SceneNode& node = nodes.emplace_back(std::move(scene.nodes[next]));
            if (node.parent != core::kNoParent)
                node.parent = now[static_cast<std::size_t>(node.parent)];
            paths.push_back(std::move(paths_[next]));
            open.insert(open.end(), children[next].begin(), children[next].end());
        }
        scene.nodes = std::move(nodes);
        paths_ = std::move(paths);
        for (core::SceneMotion& motion : whole_.motions)
            for (core::NodeTrack& track : motion.tracks)
                track.node = static_cast<std::uint32_t>(now[track.node]);
    }

    core::MovingScene whole_;
    std::map<std::pair<int, std::string>, int> nodes_;  // by parent and name
    std::vector<std::string> paths_;                    // per node
};

/// The clip whose name shows that it begins at rest: the rest pose or an idle.
std::optional<std::size_t> restingClip(const std::vector<std::string>& names) {
    for (const std::string_view word : {"tpose", "t_pose", "idle", "stand", "wait"})
        for (std::size_t i = 0; i < names.size(); ++i)
            if (core::lowerCase(names[i]).find(word) != std::string::npos)
                return i;
    return std::nullopt;
}

/// The position of a clip in the bytes of its folder.
struct ClipBytes {
    std::string name;
    std::size_t begin;
    std::size_t size;
};

/// @throws core::DecodeError if it can't be read
core::MovingScene readClip(const File& file, const ClipBytes& clip, const core::Limits& limits,
                           core::Diagnostics& diagnostics) {
    if (clip.size == 0)
        throw core::DecodeError("is empty");
    return readMemoriaAnimation(core::Bytes(file.bytes).subspan(clip.begin, clip.size), clip.name, limits, diagnostics);
}

/// Clips that can't be read are left out, with a warning.
/// @param folder path of the folder
/// @throws core::DecodeError if no clip can be read
core::MovingScene readCharacter(const File& file, const fs::path& folder, const std::vector<ClipBytes>& clips,
                                const core::Limits& limits, core::Diagnostics& diagnostics) {
    std::vector<std::string> names;
    names.reserve(clips.size());
    for (const ClipBytes& clip : clips)
        names.emplace_back(core::stemOf(clip.name));
    std::vector<std::size_t> turns(clips.size());
    std::iota(turns.begin(), turns.end(), std::size_t{0});
    std::rotate(turns.begin(), turns.begin() + static_cast<std::ptrdiff_t>(restingClip(names).value_or(0)),
                turns.end());
    MemoriaUnion whole;
    std::uint64_t held = 0;
    for (const std::size_t i : turns) {
        const std::string path = core::toUtf8(folder / core::fromUtf8(clips[i].name));
        const auto about = diagnostics.about(path);
        try {
            core::MovingScene moving = readClip(file, clips[i], limits.holding(held), diagnostics);
            held += core::memoryOf(moving);
            whole.add(std::move(moving));
        } catch (const core::DecodeError& error) {
            if (error.kind() != core::DecodeError::Kind::malformed)
                throw error.inFile(path);
            diagnostics.warn(core::Code::damaged, error);
        }
    }
    if (held == 0)
        throw core::DecodeError(fmt::format("none of its {} clips can be read", clips.size()));
    return whole.finish(file.name, names);
}

/// The names in a folder. Empty for other paths.
std::vector<std::string> entryNamesIn(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    if (core::isFolder(folder))
        std::ranges::transform(core::namesIn(folder, error), std::back_inserter(names), core::toUtf8);
    return names;
}

/// The first bytes of a file. Empty if it can't be read.
core::ByteVector headOf(const fs::path& path) {
    constexpr std::uint64_t kHead = 1U << 20U;  // usually the whole file
    try {
        const auto source = core::isFile(path) ? core::diskFiles()->open(core::toUtf8(path)) : nullptr;
        return source ? source->read(0, std::min(kHead, source->size()), {}) : core::ByteVector();
    } catch (const core::DecodeError&) {  // reported when it is read
        return {};
    }
}

/// The sorted names of Memoria's animations among the names in a folder. Opens files until one is an animation. Files
/// before it may be damaged, but must not be of another format.
std::vector<std::string> clipsAmong(std::vector<std::string> names, const fs::path& folder) {
    std::erase_if(names, [&](const std::string& name) {
        return core::extensionOf(name) != kClipEnding || name.starts_with('.') ||
               core::isFolder(folder / core::fromUtf8(name));
    });
    std::ranges::sort(names);
    for (const std::string& name : names) {
        const core::ByteVector head = headOf(folder / core::fromUtf8(name));
        if (isMemoriaAnimation(head, name))
            return names;
        if (beginsLikeAnyFormat(head))
            break;
    }
    return {};
}

}  // namespace

std::vector<std::string> memoriaClipsIn(const fs::path& folder) {
    const std::vector<std::string> names = entryNamesIn(folder);
    std::vector<std::string> clips = clipsAmong(names, folder);
    if (clips.empty())
        return clips;
    const archives::OpenArchives archives;
    const auto isOfGame = [&](const std::string& name) {
        if (core::extensionOf(name) == kClipEnding || name.starts_with('.'))
            return false;
        const fs::path path = folder / core::fromUtf8(name);
        return beginsLikeAnyFormat(headOf(path)) ||
               (core::isFile(path) && archives.formatOf(core::toUtf8(path)) != nullptr);
    };
    return std::ranges::any_of(names, isOfGame) ? std::vector<std::string>() : clips;
}

bool isMemoriaCharacter(const fs::path& path) {
    const auto isFolderIn = [&](const std::string& name) {
        return !name.starts_with('.') && core::isFolder(path / core::fromUtf8(name));
    };
    return !memoriaClipsIn(path).empty() && std::ranges::none_of(entryNamesIn(path), isFolderIn);
}

std::vector<fs::path> withCharacters(std::vector<fs::path> files) {
    std::map<fs::path, bool> isCharacter;
    std::vector<fs::path> found;
    for (fs::path& file : files) {
        if (core::extensionOf(core::toUtf8(file)) != kClipEnding) {
            found.push_back(std::move(file));
            continue;
        }
        const fs::path folder = file.parent_path();
        const auto [known, isNew] = isCharacter.try_emplace(folder, false);
        if (isNew)
            known->second = !memoriaClipsIn(folder).empty();
        if (!known->second)
            found.push_back(std::move(file));
        else if (isNew)
            found.push_back(folder);
    }
    return found;
}

fs::path withItsName(const fs::path& folder) {
    fs::path place = folder.has_filename() ? folder : folder.parent_path();
    if (place.filename() != "." && place.filename() != "..")
        return place;
    fs::path whole = fs::absolute(place).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();
}

Input memoriaCharacter(const fs::path& folder, const std::vector<std::string>& names, const core::Files& files,
                       const core::Limits& limits) {
    const fs::path place = withItsName(folder);
    Input input;
    input.file.name = core::toUtf8(place.filename());
    input.file.path = input.shownAs = core::toUtf8(place);
    std::vector<ClipBytes> clips;
    for (const std::string& name : names) {
        const File clip =
            files.read(core::toUtf8(place / core::fromUtf8(name)), limits.holding(input.file.bytes.size()));
        clips.push_back({name, input.file.bytes.size(), clip.bytes.size()});
        input.file.bytes.insert(input.file.bytes.end(), clip.bytes.begin(), clip.bytes.end());
    }
    input.format = &memoriaFormat();
    input.readMotion = [place, clips = std::move(clips)](const File& file, const Siblings&, const core::Limits& within,
                                                         core::Diagnostics& diagnostics) {
        return readCharacter(file, place, clips, within, diagnostics);
    };
    return input;
}

void addClipsBeside(Input& input, const std::shared_ptr<const core::Files>& files) {
    const fs::path folder = core::fromUtf8(input.file.path).parent_path();
    std::vector<std::string> names = clipsAmong(entryNamesIn(folder.empty() ? fs::path(".") : folder), folder);
    std::erase(names, input.file.name);
    input.readMotion = [files, folder, names = std::move(names)](const File& file, const Siblings&,
                                                                 const core::Limits& limits,
                                                                 core::Diagnostics& diagnostics) {
        constexpr std::size_t kEnough = 24;  // clips to determine the body
        constexpr double kSameBody = 0.8;
        core::MovingScene own = readMemoriaAnimation(file.bytes, file.name, limits, diagnostics);
        const std::string ownName = own.motions.front().name;
        const std::optional<std::size_t> resting = restingClip(names);
        const bool isItself = !resting || restingClip({file.name});
        MemoriaUnion itself;
        itself.add(own);
        std::vector<core::MovingScene> others;
        for (std::size_t i = 0; i < std::min(names.size(), kEnough); ++i) {
            const std::string& name = names[(resting.value_or(0) + i) % names.size()];
            core::Diagnostics unsaid;  // problems of another file
            try {
                const File beside = files->read(core::toUtf8(folder / core::fromUtf8(name)), limits);
                core::MovingScene other = readMemoriaAnimation(beside.bytes, beside.name, limits, unsaid);
                if (itself.shareOf(other.scene) >= kSameBody)
                    others.push_back(std::move(other));
            } catch (const core::DecodeError&) {  // NOLINT: unreadable files are skipped
            }
        }
        MemoriaUnion whole;
        std::vector<std::string> order = {ownName};
        if (isItself)
            whole.add(std::exchange(own, {}));
        for (core::MovingScene& other : others) {
            order.push_back(other.motions.front().name);
            whole.add(std::move(other));
        }
        if (!isItself)
            whole.add(std::move(own));
        return whole.finish(ownName, order);
    };
}

}  // namespace reanima
