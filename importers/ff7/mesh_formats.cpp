#include <array>

#include <nlohmann/json.hpp>

#include "importers/ff7/field_json.h"
#include "importers/ff7/field_resource.h"
#include "importers/ff7/mesh_json.h"
#include "importers/ff7/piece.h"
#include "importers/ff7/texture.h"
#include "importers/format.h"

namespace reanima::ff7 {

namespace {

using namespace std::string_view_literals;

constexpr std::array kMeshExtensions = {"p"sv};
constexpr std::array kTextureExtensions = {"tex"sv};
constexpr std::array kResourceExtensions = {"rsd"sv};

/// `rtam` -> true for "am" to "cz": a battle model's files have four letters and no extension.
bool hasContentLetters(std::string_view name, std::string_view first, std::string_view last) {
    const std::string letters = name.size() == 4 ? lowerCase(name.substr(2)) : std::string();
    return letters.size() == 2 && std::all_of(letters.begin(), letters.end(), core::isLower) && first <= letters &&
           letters <= last;
}

/// `fire.p07` -> true for 'p'.
bool hasNumberedExtension(std::string_view name, char letter) {
    const std::string extension = extensionOf(name);
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    return extension.size() == 3 && extension[0] == letter && isDigit(extension[1]) && isDigit(extension[2]);
}

std::vector<Need> needsNothing(const File&) { return {}; }

}  // namespace

extern const Format kMesh = {
    .id = "ff7-mesh",
    .label = "Final Fantasy VII (PC) mesh",
    .kind = Kind::mesh,
    .extensions = kMeshExtensions,
    .isUsualName =
        [](std::string_view name) { return hasContentLetters(name, "am", "cz") || hasNumberedExtension(name, 'p'); },
    .options = {},
    .claim = [](core::Bytes bytes) { return claimIf(bytes, isPiece, beginsLikePiece); },
    .needs = needsNothing,
    .load = nullptr,
    .dump =
        [](const File& file, const Companions&, Context& context) {
            return toJson(decodePiece(file.bytes, context.limits, context.diagnostics), context.diagnostics);
        },
    .encode = [](const JsonReader& json,
                 Context& context) { return encodePiece(pieceFromJson(json, context.limits, context.diagnostics)); },
};

extern const Format kTexture = {
    .id = "ff7-texture",
    .label = "Final Fantasy VII (PC) texture",
    .kind = Kind::picture,
    .extensions = kTextureExtensions,
    .isUsualName =
        [](std::string_view name) { return hasContentLetters(name, "ac", "al") || hasNumberedExtension(name, 't'); },
    .options = {},
    .claim = [](core::Bytes bytes) { return claimIf(bytes, isTexture, beginsLikeTexture); },
    .needs = needsNothing,
    .load = nullptr,
    .dump =
        [](const File& file, const Companions&, Context& context) {
            return toJson(decodeTexture(file.bytes, context.limits, context.diagnostics), context.limits,
                          context.diagnostics);
        },
    .encode =
        [](const JsonReader& json, Context& context) {
            return encodeTexture(textureFromJson(json, context.limits, context.diagnostics));
        },
};

extern const Format kFieldResource = {
    .id = "ff7-field-resource",
    .label = "Final Fantasy VII (PC) field resource",
    .kind = Kind::mesh,
    .extensions = kResourceExtensions,
    .isUsualName = nullptr,
    .options = {},
    .claim = [](core::Bytes bytes) { return claimIf(bytes, isFieldResource, beginsLikeFieldResource); },
    .needs = needsNothing,
    .load = nullptr,
    .dump =
        [](const File& file, const Companions&, Context& context) {
            return toJson(decodeFieldResource(file.bytes, context.diagnostics), context.diagnostics);
        },
    .encode = [](const JsonReader& json,
                 Context& context) { return encodeFieldResource(fieldResourceFromJson(json, context.diagnostics)); },
};

}  // namespace reanima::ff7
