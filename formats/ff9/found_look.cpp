#include "formats/ff9/found_look.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "formats/ff9/clips.h"

namespace reanima::ff9 {

namespace {

using core::Code;
using core::DecodeError;

constexpr std::size_t kMostTexturesBeside = 255;  // material numbers are bytes

/// The result of `decode`. Empty, with a warning, if it fails.
template <typename Decode>
auto orWarn(core::Diagnostics& diagnostics, const Decode& decode) -> std::optional<decltype(decode())> {
    try {
        return decode();
    } catch (const DecodeError& error) {
        if (error.kind() == DecodeError::Kind::limit)
            throw;
        diagnostics.warn(Code::damaged, error);
        return std::nullopt;
    }
}

template <typename Decode>
auto orWarn(const File& file, const std::string& shownName, core::Diagnostics& diagnostics, const Decode& decode) {
    const auto about = diagnostics.about(shownName);
    return orWarn(diagnostics, [&] { return decode(core::LittleEndianReader(file.bytes)); });
}

/// Textures from files, within the memory limits.
class TextureList {
  public:
    explicit TextureList(const core::Limits& limits) : limits_(limits) {}

    /// The limits that remain while the textures are in memory.
    [[nodiscard]] const core::Limits& limits() const { return limits_; }

    /// @param file must not stay in memory after this call
    void add(const File& file, const std::string& shownName, core::Diagnostics& diagnostics) {
        const std::uint64_t size = file.bytes.size();  // the texels need as many bytes as the file
        core::requireMemory(2 * size, limits_, {"textures", std::nullopt});
        const auto decode = [&](const core::LittleEndianReader& reader) { return psx::decodeTim(reader, diagnostics); };
        textures_.push_back(
            {static_cast<std::uint16_t>(textures_.size()), orWarn(file, shownName, diagnostics, decode)});
        limits_ = limits_.holding(size);
    }

    std::vector<Texture> take() { return std::move(textures_); }

  private:
    core::Limits limits_;
    std::vector<Texture> textures_;
};

/// Copies textures within the limits. @throws DecodeError of the kind `limit`
std::vector<Texture> copyOf(const std::vector<Texture>& textures, const core::Limits& limits) {
    core::requireMemory(2 * memoryOf(textures), limits, {"textures", std::nullopt});
    return textures;
}

/// The materials of the only record or, if there are several, of the model's record.
std::optional<std::vector<MaterialPlace>> placesIn(const Materials& materials, std::optional<std::uint16_t> model) {
    const auto& records = materials.records;
    const auto record = records.size() == 1 ? records.begin()
                                            : std::find_if(records.begin(), records.end(),
                                                           [&](const MaterialRecord& r) { return r.model == model; });
    return record == records.end() ? std::nullopt : std::optional(record->materials);
}

/// The id in the name of an extracted model: `5414.ff9model`.
std::optional<std::uint16_t> idFrom(std::string_view stem) {
    std::uint16_t id = 0;
    const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), id);
    return error == std::errc() && end == stem.data() + stem.size() ? std::optional(id) : std::nullopt;
}

std::optional<std::vector<MaterialPlace>> placesInContainer(core::Bytes file, const std::vector<Object>& objects,
                                                            const Object& model) {
    std::optional<std::vector<MaterialPlace>> found;
    bool isOwn = false;
    for (const Object& object : objects) {
        if (object.type != ObjectType::materials || object.damaged || isOwn)
            continue;
        core::Diagnostics repeated;  // listing the models has reported the same
        const auto materials =
            orWarn(repeated, [&] { return decodeMaterials(readerOf(object, file)); }).value_or(Materials());
        for (const MaterialRecord& record : materials.records)
            if (record.model == model.id && !isOwn && (!found || object.database == model.database)) {
                found = record.materials;
                isOwn = object.database == model.database;
            }
    }
    return found;
}

/// A texture, and the DB that contains it.
struct Stored {
    Texture texture;
    std::uint64_t database = 0;
};

std::vector<Stored> texturesOf(core::Bytes file, const std::vector<Object>& objects, const core::Limits& limits,
                               core::Diagnostics& diagnostics) {
    core::SampleBudget budget(limits);
    std::vector<Stored> textures;
    for (const Object& object : objects) {
        if (object.type != ObjectType::texture)
            continue;
        Stored& stored = textures.emplace_back();
        stored.texture.id = object.id;
        stored.database = object.database;
        budget.take(object.size / 2, {object.name, object.offset});  // objects may share bytes
        budget.keep(object.size, {object.name, object.offset});
        if (!object.damaged)
            stored.texture.tim =
                orWarn(diagnostics, [&] { return psx::decodeTim(readerOf(object, file), diagnostics); });
    }
    return textures;
}

/// The DB with the textures of a model for Placement::place: the model's own, or the next one that has textures.
std::uint64_t databaseOfTextures(const std::vector<Stored>& textures, const std::vector<Object>& objects,
                                 const Object& model) {
    bool isAfter = false;
    std::optional<std::uint64_t> next;
    for (const Object& object : objects) {
        isAfter = isAfter || object.database == model.database;
        if (object.type != ObjectType::texture)
            continue;
        if (object.database == model.database)
            return object.database;
        if (isAfter && !next)
            next = object.database;
    }
    return next.value_or(textures.empty() ? 0 : textures.front().database);
}

}  // namespace

LookOptions lookOptionsFrom(const Companions& companions, Context& context) {
    LookOptions options;
    if (const std::optional<std::string> by = context.options.text("textures-by"))
        options.placement = *by == "place" ? Placement::place : Placement::memory;
    if (const auto materials = companions.find(Role::materials); materials != companions.end()) {
        const Input& input = materials->second.input;
        options.materials = orWarn(input.file, input.shownName(), context.diagnostics, decodeMaterials);
    }
    const auto [first, last] = companions.equal_range(Role::textures);
    if (first == last)
        return options;
    TextureList textures(context.limits);
    for (auto companion = first; companion != last; ++companion)
        textures.add(companion->second.input.file, companion->second.input.shownName(), context.diagnostics);
    options.textures = textures.take();
    return options;
}

Look lookInContainer(const LookOptions& options, core::Bytes file, const std::vector<Object>& objects,
                     const Object& model, const core::Limits& limits, core::Diagnostics& diagnostics) {
    Look look;
    look.materials =
        options.materials ? placesIn(*options.materials, model.id) : placesInContainer(file, objects, model);
    look.placement = options.placement;
    if (options.textures) {
        look.textures = copyOf(*options.textures, limits);
        return look;
    }
    std::vector<Stored> textures = texturesOf(file, objects, limits, diagnostics);
    if (!look.placement)
        look.placement = std::all_of(textures.begin(), textures.end(),
                                     [](const Stored& stored) {
                                         return !stored.texture.tim || stored.texture.tim->clut.has_value();
                                     })
                             ? Placement::place
                             : Placement::memory;
    const std::uint64_t database = databaseOfTextures(textures, objects, model);
    for (Stored& stored : textures)
        if (look.placement == Placement::memory || stored.database == database)
            look.textures.push_back(std::move(stored.texture));
    return look;
}

Look lookBeside(const LookOptions& options, std::string_view name, const Siblings& siblings, Context& context) {
    const std::string stem(stemOf(name));
    const auto sibling = [&](const std::string& file) { return siblings ? siblings(file) : std::nullopt; };
    Look look;
    look.placement = options.placement;
    std::optional<Materials> materials = options.materials;
    if (!materials)
        if (const std::optional<File> file = sibling(stem + ".ff9mat"))
            materials = orWarn(*file, file->name, context.diagnostics, decodeMaterials);
    if (materials)
        look.materials = placesIn(*materials, idFrom(stem));
    if (options.textures) {
        look.textures = copyOf(*options.textures, context.limits);
        return look;
    }
    TextureList textures(context.limits);
    const auto add = [&](const std::string& texture) {
        const std::optional<File> file = siblings ? siblings.within(textures.limits())(texture) : std::nullopt;
        if (file)
            textures.add(*file, file->name, context.diagnostics);
        return file.has_value();
    };
    if (!add(stem + ".tim"))
        for (std::size_t i = 0; i < kMostTexturesBeside && add(fmt::format("{}_{}.tim", stem, i)); ++i) {
        }
    look.textures = textures.take();
    return look;
}

}  // namespace reanima::ff9
