#include "formats/metroid/cinf.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/decode_watch.h"
#include "core/skeleton.h"
#include "formats/metroid/reading.h"

namespace reanima::metroid {

using core::DecodeError;

namespace {

constexpr std::size_t kIdSize = 4;
constexpr std::size_t kSmallestName = 1 + kIdSize;

constexpr std::size_t smallestBone(Game game) { return 24 + (game == Game::echoes ? 2 * 16 : 0); }

std::vector<std::uint32_t> readIds(Reader& file, std::string_view countName, std::string_view name) {
    std::vector<std::uint32_t> ids(readCount(file, countName, kIdSize));
    for (std::uint32_t& id : ids)
        id = file.read<std::uint32_t>(name);
    return ids;
}

CinfBone readBone(Reader& file, Game game) {
    CinfBone bone;
    bone.id = file.read<std::uint32_t>("id");
    bone.parentId = file.read<std::uint32_t>("parent_id");
    for (float& coordinate : bone.position)
        coordinate = readNumber(file, "position");
    if (game == Game::echoes)
        for (std::array<float, 4>& rotation : bone.rotations)
            for (float& component : rotation)
                component = readNumber(file, "rotations");
    bone.links = readIds(file, "link_count", "links");
    return bone;
}

Cinf readCinf(core::Bytes bytes, Game game) {
    Reader file(bytes);
    Cinf cinf;
    cinf.game = game;
    const std::uint32_t bones = readCount(file, "bone_count", smallestBone(game));
    while (cinf.bones.size() < bones) {
        const auto scope = file.enter("bones", cinf.bones.size());
        cinf.bones.push_back(readBone(file, game));
    }
    cinf.buildOrder = readIds(file, "build_order_count", "build_order");
    const std::uint32_t names = readCount(file, "name_count", kSmallestName);
    while (cinf.names.size() < names) {
        const auto scope = file.enter("names", cinf.names.size());
        CinfName& name = cinf.names.emplace_back();
        name.name = readText(file, "name");
        name.id = file.read<std::uint32_t>("id");
    }
    cinf.padding = core::copyOf(file.rest());
    return cinf;
}

/// The result of reading a file under one layout: a skeleton or an error.
struct CinfReading {
    std::optional<Cinf> cinf;
    std::optional<DecodeError> error;
    bool fits = false;  ///< the layout fits to the last byte
};

CinfReading readAs(Game game, core::Bytes bytes) {
    CinfReading reading;
    try {
        reading.cinf = readCinf(bytes, game);
        reading.fits = isPadding(reading.cinf->padding, bytes.size());
    } catch (const DecodeError& error) {
        reading.error = error;
    }
    return reading;
}

CinfReading bestReading(core::Bytes bytes, std::optional<Game> game) {
    if (game)
        return readAs(*game, bytes);
    CinfReading prime = readAs(Game::prime, bytes);
    CinfReading echoes = readAs(Game::echoes, bytes);
    if (echoes.fits != prime.fits)
        return echoes.fits ? echoes : prime;
    if (prime.error && echoes.error)  // reports the error of the layout in which more could be read
        return *echoes.error->offset() > *prime.error->offset() ? echoes : prime;
    return prime.error ? echoes : prime;
}

void warnOfSharedIds(const Cinf& cinf, core::Diagnostics& diagnostics) {
    std::unordered_set<std::uint32_t> ids;
    for (std::size_t i = 0; i < cinf.bones.size(); ++i)
        if (!ids.insert(cinf.bones[i].id).second)
            diagnostics.warn(
                core::Code::damaged, {fmt::format("bones[{}].id", i), std::nullopt},
                fmt::format("is {}, the same as that of an earlier bone; the earlier bone is used", cinf.bones[i].id));
}

core::ParentsFirst orderOf(const Cinf& cinf) {
    std::unordered_map<std::uint32_t, int> indices;
    for (std::size_t i = 0; i < cinf.bones.size(); ++i)
        indices.emplace(cinf.bones[i].id, static_cast<int>(i));
    std::vector<int> parents;
    parents.reserve(cinf.bones.size());
    for (const CinfBone& bone : cinf.bones) {
        const auto parent = indices.find(bone.parentId);
        parents.push_back(parent == indices.end() ? core::kNoParent : parent->second);
    }
    return core::parentsFirst(parents);
}

}  // namespace

std::optional<std::size_t> findCircle(const Cinf& cinf) {
    const core::ParentsFirst result = orderOf(cinf);
    return result.inCircle ? std::optional(static_cast<std::size_t>(*result.inCircle)) : std::nullopt;
}

std::vector<std::uint32_t> parentsFirst(const Cinf& cinf) {
    core::ParentsFirst result = orderOf(cinf);
    if (result.inCircle)
        throw DecodeError(
            {fmt::format("bones[{}].parent_id", *result.inCircle), std::nullopt},
            fmt::format("is {}, which makes this bone its own ancestor", cinf.bones[*result.inCircle].parentId));
    return std::move(result.order);
}

Cinf decodeCinf(core::Bytes bytes, std::optional<Game> game, core::Diagnostics& diagnostics) {
    core::tellDecoding("metroid skeleton", bytes);
    CinfReading reading = bestReading(bytes, game);
    if (reading.error)
        throw DecodeError(*reading.error);
    const Cinf& cinf = *reading.cinf;
    (void)parentsFirst(cinf);
    warnOfSharedIds(cinf, diagnostics);
    if (cinf.bones.empty())
        diagnostics.warn(core::Code::empty, {"bone_count", 0}, "is 0, so there are no bones");
    if (!reading.fits)
        diagnostics.warn(core::Code::trailingBytes, {"padding", bytes.size() - cinf.padding.size()},
                         fmt::format("{} bytes follow the content", cinf.padding.size()));
    return std::move(*reading.cinf);
}

core::ByteVector encodeCinf(const Cinf& cinf) {
    Writer out;
    const auto writeIds = [&out](const std::vector<std::uint32_t>& ids) {
        out.write(static_cast<std::uint32_t>(ids.size()));
        for (const std::uint32_t id : ids)
            out.write(id);
    };
    out.write(static_cast<std::uint32_t>(cinf.bones.size()));
    for (const CinfBone& bone : cinf.bones) {
        out.write(bone.id);
        out.write(bone.parentId);
        for (const float coordinate : bone.position)
            out.write(coordinate);
        if (cinf.game == Game::echoes)
            for (const std::array<float, 4>& rotation : bone.rotations)
                for (const float component : rotation)
                    out.write(component);
        writeIds(bone.links);
    }
    writeIds(cinf.buildOrder);
    out.write(static_cast<std::uint32_t>(cinf.names.size()));
    for (const CinfName& name : cinf.names) {
        writeText(out, name.name);
        out.write(name.id);
    }
    out.write(core::Bytes(cinf.padding));
    return out.take();
}

std::optional<Game> gameShownBy(core::Bytes file) {
    const CinfReading reading = bestReading(file, std::nullopt);
    return reading.error ? std::nullopt : std::optional(reading.cinf->game);
}

bool isCinf(core::Bytes file) {
    const CinfReading reading = bestReading(file, std::nullopt);
    return reading.fits && !reading.cinf->bones.empty();
}

}  // namespace reanima::metroid
