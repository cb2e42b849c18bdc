#include "formats/ff7/field_resource.h"

#include <map>

#include <fmt/format.h>

#include "core/decode_watch.h"
#include "core/text.h"
#include "formats/ff7/text_lines.h"

namespace reanima::ff7 {

using core::Code;
using core::DecodeError;

namespace {

constexpr std::string_view kFirstLine = "@rsd";
constexpr std::uint32_t kMostTextures = 4096;

/// `D:\work\AAAC.PLY ` -> `AAAC`
std::string stemFrom(std::string_view value) { return std::string(core::stemOf(core::fileNameOf(value))); }

/// `tex[12]` -> 12
std::optional<std::uint32_t> textureNumber(std::string_view key) {
    constexpr std::string_view kBefore = "tex[";
    if (!key.starts_with(kBefore) || !key.ends_with(']'))
        return std::nullopt;
    key.remove_prefix(kBefore.size());
    key.remove_suffix(1);
    return numberFrom<std::uint32_t>(key);
}

class ResourceParser {
  public:
    ResourceParser(std::string_view text, core::Diagnostics& diagnostics) : lines_(text), diagnostics_(diagnostics) {
        resource_.text = text;
    }

    FieldResource parse() {
        if (!core::lowerCase(lines_.current()).starts_with(kFirstLine))
            throw DecodeError({"text", lines_.offset()}, "does not begin with @RSD");
        lines_.checkEnds(diagnostics_);
        lines_.next();
        while (!lines_.atEnd())
            readLine();
        if (resource_.mesh.empty())
            throw DecodeError({"mesh", std::nullopt}, "there is no PLY line");
        placeTextures();
        return std::move(resource_);
    }

  private:
    void readLine() {
        const std::uint64_t offset = lines_.offset();
        const std::string_view line = lines_.next();
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos)
            return;
        const std::string key = core::lowerCase(trimmed(line.substr(0, equals)));
        const std::string_view value = trimmed(line.substr(equals + 1));
        if (key == "ply") {
            resource_.mesh = stemFrom(value);
        } else if (key == "ntex") {
            const std::optional<std::uint32_t> count = numberFrom<std::uint32_t>(value);
            if (!count || *count > kMostTextures)
                throw DecodeError({"texture_count", offset},
                                  fmt::format("is \"{}\", expected a number up to {}", value, kMostTextures));
            resource_.textures.resize(*count);
        } else if (const std::optional<std::uint32_t> number = textureNumber(key)) {
            names_[*number] = {stemFrom(value), offset};
        }
    }

    void placeTextures() {
        std::vector<std::optional<std::string>>& textures = resource_.textures;
        for (auto& [number, name] : names_) {
            if (number < textures.size())
                textures[number] = std::move(name.stem);
            else
                diagnostics_.warn(Code::countMismatch, {fmt::format("textures[{}]", number), name.offset},
                                  fmt::format("exceeds the {} textures that NTEX states", textures.size()));
        }
        for (std::size_t i = 0; i < textures.size(); ++i)
            if (!textures[i])
                diagnostics_.warn(Code::countMismatch, {fmt::format("textures[{}]", i), std::nullopt},
                                  fmt::format("is not named, but NTEX states {} textures", textures.size()));
    }

    struct Name {
        std::string stem;
        std::uint64_t offset = 0;
    };

    Lines lines_;
    core::Diagnostics& diagnostics_;
    FieldResource resource_;
    std::map<std::uint32_t, Name> names_;  ///< by number of the texture
};

std::string newResourceText(const FieldResource& resource) {
    std::string text = fmt::format("@RSD940102\r\nPLY={0}.PLY\r\nMAT={0}.MAT\r\nGRP={0}.GRP\r\nNTEX={1}\r\n",
                                   resource.mesh, resource.textures.size());
    for (std::size_t i = 0; i < resource.textures.size(); ++i)
        if (resource.textures[i])
            text += fmt::format("TEX[{}]={}.TIM\r\n", i, *resource.textures[i]);
    return text;
}

}  // namespace

FieldResource decodeFieldResource(core::Bytes file, core::Diagnostics& diagnostics) {
    core::tellDecoding("ff7 field resource", file);
    return ResourceParser(asText(file), diagnostics).parse();
}

bool agreesWithText(const FieldResource& resource) { return saysTheSame(resource, decodeFieldResource); }

core::ByteVector encodeFieldResource(const FieldResource& resource) {
    std::optional<core::ByteVector> text = encodedText(resource, decodeFieldResource, newResourceText);
    if (!text)
        throw DecodeError({"textures", std::nullopt}, "a texture or the mesh has a name that this format can't store");
    return *std::move(text);
}

bool isFieldResource(core::Bytes file) {
    return beginsLikeFieldResource(file) && isBeyondDoubt(file, decodeFieldResource);
}

bool beginsLikeFieldResource(core::Bytes file) {
    return core::lowerCase(Lines(asText(file)).current().substr(0, kFirstLine.size())) == kFirstLine;
}

}  // namespace reanima::ff7
