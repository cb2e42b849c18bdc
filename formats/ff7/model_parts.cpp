#include "formats/ff7/model_parts.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/memory.h"
#include "core/text.h"
#include "formats/ff7/field_resource.h"
#include "formats/ff7/file_names.h"
#include "formats/format.h"

namespace reanima::ff7 {

using core::Code;
using core::DecodeError;

namespace {

constexpr std::uint32_t kMostNumbered = 100;  ///< `.p00` to `.p99`

/// Finds and reads parts, each once. Warnings are held back until it is known whether there are any parts.
class PartReader {
  public:
    PartReader(const Surroundings& surroundings, Context& context)
        : surroundings_(surroundings), context_(context), memory_(context.limits, "meshes") {}

    ModelParts& parts() { return parts_; }

    /// Reports the held warnings. @return the parts
    ModelParts finish() {
        if (!parts_.isNothing() || parts_.hasRefused)
            passOnWarnings();
        return std::move(parts_);
    }

    void passOnWarnings() const {
        for (const core::Warning& warning : doubts_.warnings())
            context_.diagnostics.add(warning);
    }

    [[nodiscard]] bool exists(std::string_view name) { return find(name) != nullptr; }

    /// The piece in a file. Empty, with a warning, if the file is missing or can't be read.
    std::optional<ModelPiece> piece(std::string_view name) {
        const File* file = findOrWarn(name);
        if (file == nullptr)
            return std::nullopt;
        ModelPiece piece;
        piece.file = file->name;
        piece.shownName = surroundings_.folder + file->name;
        const auto [known, isNew] = pieces_.try_emplace(file->name);
        if (isNew)
            known->second = readOrWarn(*file, [&] {
                memory_.require(file->bytes.size());
                return decodePiece(file->bytes, context_.limits, doubts_);
            });
        parts_.hasRefused = parts_.hasRefused || !known->second;
        if (!known->second)
            return std::nullopt;
        piece.piece = known->second;
        return piece;
    }

    /// The index of a texture in the model's list.
    std::size_t texture(std::string_view name) {
        const auto [known, isNew] = textures_.try_emplace(lowerCase(name), parts_.textures.size());
        if (!isNew)
            return known->second;
        ModelTexture& texture = parts_.textures.emplace_back();
        texture.file = name;
        texture.image = imageNames_.unique(imageNameOf(name));
        if (const File* file = findOrWarn(name)) {
            texture.file = file->name;
            texture.texture = readOrWarn(*file, [&] { return decodeTexture(file->bytes, context_.limits, doubts_); });
        }
        return known->second;
    }

    /// The resource in a file. Null, with a warning, if the file is missing or can't be read.
    std::shared_ptr<const FieldResource> resource(std::string_view name) {
        const File* file = findOrWarn(name);
        if (file == nullptr)
            return nullptr;
        const auto [known, isNew] = resources_.try_emplace(file->name);
        if (isNew)
            known->second = readOrWarn(*file, [&] { return decodeFieldResource(file->bytes, doubts_); });
        parts_.hasRefused = parts_.hasRefused || !known->second;
        return known->second;
    }

    void warn(Code code, std::string text) { doubts_.warn(code, {}, std::move(text)); }

    /// The indices of the textures that a resource names.
    std::vector<std::optional<std::size_t>> texturesOf(const FieldResource& resource) {
        const auto [known, isNew] = texturesOf_.try_emplace(&resource);
        if (isNew)
            for (const std::optional<std::string>& name : resource.textures)
                known->second.push_back(name ? std::optional(texture(*name + ".tex")) : std::nullopt);
        memory_.add(known->second.size() * sizeof(known->second.front()));
        return known->second;
    }

    /// Sets the file for warnings that are not about a part.
    void setMainFile(const std::string& name) { main_.emplace(doubts_, name); }

  private:
    const File* find(std::string_view name) {
        const auto [known, isNew] = files_.try_emplace(lowerCase(name));
        if (isNew && surroundings_.siblings != nullptr && *surroundings_.siblings)
            for (const std::string& spelling : spellingsOf(name))
                if (read(spelling, known->second))
                    break;
        return known->second ? &*known->second : nullptr;
    }

    /// @return false if there is no such file
    bool read(const std::string& name, std::optional<File>& file) {
        try {
            file = (*surroundings_.siblings)(name);
        } catch (const DecodeError& error) {
            if (error.kind() != DecodeError::Kind::malformed)
                throw;
            doubts_.warn(Code::damaged, error);
            parts_.hasRefused = true;
            unreadable_.insert(core::lowerCase(name));
            return true;
        }
        if (file)
            memory_.add(file->bytes.size());
        return file.has_value();
    }

    const File* findOrWarn(std::string_view name) {
        const File* file = find(name);
        if (file == nullptr && !unreadable_.contains(lowerCase(name)) && missing_.emplace(name).second) {
            parts_.missing.emplace_back(name);
            warn(Code::missingFile, fmt::format("{} is missing, so its content is left out", name));
        }
        return file;
    }

    template <typename Read>
    auto readOrWarn(const File& file, const Read& read) -> std::shared_ptr<const std::invoke_result_t<const Read&>> {
        refuseIfCancelled(context_.cancelled);
        const auto about = doubts_.about(surroundings_.folder + file.name);
        try {
            return std::make_shared<const std::invoke_result_t<const Read&>>(read());
        } catch (const DecodeError& error) {
            if (error.kind() != DecodeError::Kind::malformed && error.kind() != DecodeError::Kind::limit)
                throw;
            doubts_.warn(Code::damaged, error);
            return nullptr;
        }
    }

    const Surroundings& surroundings_;
    Context& context_;
    core::MemoryCount memory_;
    core::Diagnostics doubts_;
    std::optional<core::Diagnostics::About> main_;
    ModelParts parts_;
    std::map<std::string, std::optional<File>> files_;  ///< files by name in lower case
    std::map<std::string, std::shared_ptr<const Piece>> pieces_;
    std::map<std::string, std::shared_ptr<const FieldResource>> resources_;
    std::map<std::string, std::size_t> textures_;  ///< indices by name in lower case
    std::map<const FieldResource*, std::vector<std::optional<std::size_t>>> texturesOf_;
    std::set<std::string> unreadable_;  ///< names in lower case
    std::set<std::string> missing_;     ///< see ModelParts::missing
    core::UniqueNames imageNames_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Battle

/// The names of a battle model's files.
class BattleNames {
  public:
    /// @param skeleton the skeleton's file name
    explicit BattleNames(std::string_view skeleton)
        : skeleton_(skeleton),
          hasLetters_(hasContentLetters(skeleton, "aa")),
          isNumbered_(extensionOf(skeleton) == "d") {}

    /// Empty if the skeleton's name does not follow the scheme.
    [[nodiscard]] std::optional<std::string> texture(std::uint32_t index) const {
        if (isNumbered_ && index < kMostNumbered)
            return withNumberedExtension(skeleton_, 't', index);
        return hasLetters_ ? letters(kFirstTexture, kLastTexture, index) : std::nullopt;
    }
    [[nodiscard]] std::optional<std::string> piece(std::uint32_t index) const {
        if (isNumbered_ && index < kMostNumbered)
            return withNumberedExtension(skeleton_, 'p', index);
        return hasLetters_ ? letters(kFirstPiece, kLastPiece, index) : std::nullopt;
    }
    [[nodiscard]] std::optional<std::string> weapon(std::uint32_t index) const {
        return hasLetters_ ? letters(kFirstWeapon, kLastWeapon, index) : std::nullopt;
    }

  private:
    [[nodiscard]] std::optional<std::string> letters(std::uint32_t first, std::uint32_t last,
                                                     std::uint32_t index) const {
        return index <= last - first ? std::optional(withContentLetters(skeleton_, first + index)) : std::nullopt;
    }

    std::string_view skeleton_;
    bool hasLetters_;
    bool isNumbered_;
};

/// The numbers of the bones that have a piece. For a location, the numbers of its pieces.
std::vector<std::uint32_t> pieceNumbers(const BattleSkeleton& skeleton) {
    std::vector<std::uint32_t> numbers;
    if (skeleton.bones.empty())
        for (std::uint32_t i = 0; i < std::min(skeleton.jointCount, kMostNumbered + 1); ++i)
            numbers.push_back(i);
    for (std::uint32_t i = 0; i < skeleton.bones.size(); ++i)
        if (skeleton.bones[i].hasModel != 0)
            numbers.push_back(i);
    return numbers;
}

void addBody(PartReader& reader, const BattleNames& names, const BattleSkeleton& skeleton,
             const std::vector<std::optional<std::size_t>>& textures) {
    for (const std::uint32_t number : pieceNumbers(skeleton)) {
        const std::optional<std::string> name = names.piece(number);
        if (!name) {
            reader.warn(
                Code::pieceLetters,
                fmt::format("the mesh of bone {} has no file name, so this piece and all later ones are left out",
                            number));
            return;
        }
        if (std::optional<ModelPiece> piece = reader.piece(*name)) {
            piece->bone = number;
            piece->textures = textures;
            reader.parts().body.push_back(*std::move(piece));
        }
    }
}

DecodeError noWeapon(std::uint32_t number) {
    return DecodeError({"weapon_count", 0x24}, fmt::format("weapon {} is requested, but its file is missing", number))
        .withHint({"weapon", "N"});
}

void addWeapons(PartReader& reader, const BattleNames& names, const BattleSkeleton& skeleton,
                const WeaponChoice& choice, const std::vector<std::optional<std::size_t>>& textures) {
    using Kind = WeaponChoice::Kind;
    if (choice.kind == Kind::none)
        return;
    const bool isNumber = choice.kind == Kind::number;
    const std::uint32_t end = isNumber ? choice.number + 1 : std::min(skeleton.weaponCount, kLastWeapon);
    for (std::uint32_t i = isNumber ? choice.number : 0; i < end; ++i) {
        const std::optional<std::string> name = names.weapon(i);
        if (!name || !reader.exists(*name)) {
            if (isNumber)
                throw noWeapon(i);
            if (!name)
                return;
            continue;
        }
        if (std::optional<ModelPiece> piece = reader.piece(*name)) {
            piece->textures = textures;
            reader.parts().weapons.push_back(*std::move(piece));
        }
        if (choice.kind == Kind::first)
            return;
    }
}

}  // namespace

Surroundings surroundingsOf(const Input& input) { return {&input.siblings, std::string(input.folder())}; }

Surroundings surroundingsOf(const File& file, const Context& context) {
    const std::string& shown = context.diagnostics.file();
    const bool hasFolder = shown.ends_with(file.name);
    return {context.siblings, hasFolder ? shown.substr(0, shown.size() - file.name.size()) : std::string()};
}

void noteNoMeshes(const ModelParts& parts, const Surroundings& surroundings, Context& context) {
    if (!parts.hasRefused && surroundings.siblings != nullptr && *surroundings.siblings)
        context.diagnostics.note(Code::missingFile, {},
                                 "no meshes were found beside it, so only joints and clips are converted");
}

ModelParts battleParts(const BattleSkeleton& skeleton, std::string_view name, const WeaponChoice& weapon,
                       const Surroundings& surroundings, Context& context) {
    PartReader reader(surroundings, context);
    reader.setMainFile(surroundings.folder + std::string(name));
    const BattleNames names(name);
    if (!names.piece(0)) {
        if (weapon.kind == WeaponChoice::Kind::number)
            throw noWeapon(weapon.number);
        return {};
    }
    std::vector<std::optional<std::size_t>> textures;
    while (textures.size() < skeleton.textureCount) {
        const std::optional<std::string> texture = names.texture(static_cast<std::uint32_t>(textures.size()));
        if (!texture)
            break;
        textures.emplace_back(reader.texture(*texture));
    }
    addBody(reader, names, skeleton, textures);
    addWeapons(reader, names, skeleton, weapon, textures);
    return reader.finish();
}

ModelParts fieldParts(const FieldSkeleton& skeleton, const Surroundings& surroundings, Context& context) {
    PartReader reader(surroundings, context);
    reader.setMainFile(context.diagnostics.file());
    for (std::uint32_t bone = 0; bone < skeleton.bones.size(); ++bone)
        for (const std::string& name : skeleton.bones[bone].resources) {
            const std::string file = name + ".rsd";
            const std::shared_ptr<const FieldResource> resource = reader.resource(file);
            if (!resource)
                continue;
            if (std::optional<ModelPiece> piece = reader.piece(resource->mesh + ".p")) {
                piece->resource = file;
                piece->bone = bone;
                piece->textures = reader.texturesOf(*resource);
                reader.parts().body.push_back(*std::move(piece));
            }
        }
    return reader.finish();
}

ModelParts resourceParts(const FieldResource& resource, std::string_view name, const Surroundings& surroundings,
                         Context& context) {
    PartReader reader(surroundings, context);
    reader.setMainFile(context.diagnostics.file());
    const std::string mesh = resource.mesh + ".p";
    if (!reader.exists(mesh))
        throw DecodeError({"mesh", std::nullopt}, fmt::format("is {}, which is missing", mesh));
    std::optional<ModelPiece> piece = reader.piece(mesh);
    if (!piece) {
        reader.passOnWarnings();
        throw DecodeError({"mesh", std::nullopt}, fmt::format("is {}, which can't be read", mesh));
    }
    piece->resource = name;
    piece->textures = reader.texturesOf(resource);
    reader.parts().body.push_back(*std::move(piece));
    return reader.finish();
}

}  // namespace reanima::ff7
