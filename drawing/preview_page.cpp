#include "drawing/preview_page.h"

#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/sha256.h"
#include "core/text.h"
#include "drawing/packed_glb.h"
#include "drawing/player_sources.h"
#include "formats/format.h"
#include "gltf_export/base64.h"
#include "gltf_export/gltf_file.h"
#include "pictures/album.h"
#include "pictures/png.h"

namespace reanima::drawing {

namespace {

/// The sides of joints, by name. Joints in the middle are left out.
Json sidesOf(const Previewed& item) {
    Json sides = Json::object();
    const core::Skeleton& skeleton = *item.asset.skeleton;
    for (std::size_t joint = 0; joint < skeleton.joints.size(); ++joint) {
        const BodySide side = item.sides[joint];
        if (side != BodySide::middle)
            sides[skeleton.joints[joint].name] = side == BodySide::left    ? "left"
                                                 : side == BodySide::right ? "right"
                                                                           : "weapon";
    }
    return sides;
}

/// The directions right and up in a view of a character's front. Null for the usual view: from +Z, with +Y up.
Json frontOf(const View& front) {
    constexpr double kFiner = 1e6;  // steps finer than visible
    const auto rounded = [](const glm::dvec3& direction) {
        const glm::dvec3 shares = glm::round(direction * kFiner) / kFiner + 0.0;  // avoids -0
        return Json{shares.x, shares.y, shares.z};
    };
    Json made = {{"right", rounded(front.right)}, {"up", rounded(front.up)}};
    return made == Json{{"right", rounded(View().right)}, {"up", rounded(View().up)}} ? Json() : made;
}

/// Data about clips, which the page lists before it decodes the character.
Json clipsOf(const core::Asset& asset) {
    Json clips = Json::array();
    const std::vector<std::uint32_t> numbers = core::numbersOf(asset.clips);
    for (std::size_t i = 0; i < asset.clips.size(); ++i)
        if (const core::Clip& clip = asset.clips[i]; !clip.tracks.empty())  // a clip without tracks is not in the .glb
            clips.push_back({{"name", core::validUtf8(clip.name)},
                             {"index", numbers[i]},
                             {"id", clip.id},
                             {"frames", clip.frames}});
    return clips;
}

/// The packed parts of all items; shared parts are stored once.
class Blocks {
  public:
    /// Adds a part, or finds an equal one. @return its number
    std::size_t add(core::Bytes bytes) {
        const auto [known, isNew] = numbers_.try_emplace(core::sha256(bytes), blocks_.size());
        if (isNew)
            bytes_ += blocks_.emplace_back(packed(bytes)).size();
        return known->second;
    }

    [[nodiscard]] const std::vector<core::ByteVector>& all() const { return blocks_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  private:
    std::map<std::array<std::uint8_t, 32>, std::size_t> numbers_;
    std::vector<core::ByteVector> blocks_;
    std::uint64_t bytes_ = 0;
};

/// Replaces the names of clips by their names in the .glb. It may contain further animations after the clips.
void nameAsFirst(Json& clips, const core::ByteVector& text) {
    const Json gltf = Json::parse(text.begin(), text.end());
    for (std::size_t i = 0; i < clips.size(); ++i)
        clips[i]["name"] = gltf.at("animations").at(i).at("name");
}

Json characterOf(const Previewed& item, const core::Limits& limits, Blocks& blocks) {
    Json clips = clipsOf(item.asset);
    const core::ByteVector glb = item.file ? item.file(item.asset, limits) : gltf::writeGlb(item.asset, {}, limits);
    core::requireMemory(3 * std::uint64_t{glb.size()}, limits, {"the page", std::nullopt});  // the file and its parts
    const std::vector<GlbPart> parts = partsOfGlb(glb);
    if (item.file)
        nameAsFirst(clips, parts.front().bytes);
    Json places = Json::array();
    for (const GlbPart& part : parts)
        places.push_back({blocks.add(part.bytes), part.size});
    Json made = {{"name", item.name},
                 {"path", item.path},
                 {"sides", sidesOf(item)},
                 {"clips", std::move(clips)},
                 {"glb", std::move(places)}};
    if (Json front = frontOf(item.front); !front.is_null())
        made["front"] = std::move(front);
    return made;
}

Json videoOf(const Previewed& item, Blocks& blocks) {
    const core::ImageSequence& images = *item.asset.video;
    const pictures::Album album = pictures::Album::ofDistinct(images, pictures::allPictures(images));
    const auto cursor = images.open();
    Json pages = Json::array();
    for (std::uint32_t page = 0; page < album.layout().pages(); ++page)
        pages.push_back(blocks.add(pictures::encodePng(album.page(page, *cursor))));
    Json frames = Json::array();
    for (std::size_t i = 0; i < album.pictures().size(); ++i) {
        const pictures::Place place = album.layout().placeOf(album.cellOf(i));
        frames.push_back({place.page, place.x, place.y});
    }
    return {{"name", item.name},
            {"path", item.path},
            {"rate", {images.rateNumerator, images.rateDenominator}},
            {"width", images.shownWidth()},
            {"height", images.shownHeight()},
            {"pages", std::move(pages)},
            {"frames", std::move(frames)}};
}

/// JSON escaped so that it does not end a script element.
std::string forScript(const Json& json) {
    std::string text;
    for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace))
        text += c == '<' ? "\\u003c" : std::string(1, c);
    return text;
}

/// The value of a Content-Security-Policy that allows only this text.
std::string hashOf(std::string_view text) {
    const core::ByteVector bytes(text.begin(), text.end());
    return "'sha256-" + gltf::toBase64(core::sha256(bytes)) + "'";
}

/// Replaces each @NAME@ of the page by a text.
std::string filled(const std::map<std::string_view, std::string>& texts) {
    std::string html;
    std::string_view left = kPlayerPage;
    for (std::size_t mark = left.find('@'); mark != std::string_view::npos; mark = left.find('@')) {
        const std::size_t end = left.find('@', mark + 1);
        html += left.substr(0, mark);
        html += texts.at(left.substr(mark + 1, end - mark - 1));
        left.remove_prefix(end + 1);
    }
    html += left;
    return html;
}

/// The page with some of its blocks.
/// @param scripts further allowed scripts
std::string htmlOf(const Json& data, std::span<const core::ByteVector> blocks, const std::string& scripts) {
    std::string texts;
    for (const core::ByteVector& block : blocks)
        texts += "<script type=\"text/plain\">" + asText(block, TextPlace::html) + "</script>\n";
    const std::string policy = "default-src 'none'; script-src " + hashOf(kPlayerScript) + scripts + "; style-src " +
                               hashOf(kPlayerStyle) + "; base-uri 'none'; form-action 'none'";
    return filled({{"POLICY", policy},
                   {"STYLE", std::string(kPlayerStyle)},
                   {"SCRIPT", std::string(kPlayerScript)},
                   {"DATA", forScript(data)},
                   {"BLOCKS", texts}});
}

/// Makes parts of a few megabytes from the blocks, in order, and records the part of each block.
std::vector<PagePart> partsOf(std::span<const core::ByteVector> blocks, Json& data) {
    constexpr std::size_t kMost = 2'000'000;
    std::vector<PagePart> parts;
    Json places = Json::array();
    for (const core::ByteVector& block : blocks) {
        if (parts.empty() || parts.back().text.size() + block.size() > kMost)
            parts.push_back({fmt::format("part{}.js", parts.size()), ""});
        std::string& text = parts.back().text;
        text += fmt::format("reanima.take({}, `{}`);\n", places.size(), asText(block, TextPlace::script));
        places.push_back(parts.size() - 1);
    }
    data["parts"] = std::move(places);
    return parts;
}

}  // namespace

PreviewPage previewPage(const PageOptions& options, std::span<const Previewed> items, const core::Limits& limits,
                        const std::function<void()>& step) {
    Json list = Json::array();
    Blocks blocks;
    for (const Previewed& item : items) {
        list.push_back(!item.asset.video ? characterOf(item, limits, blocks) : videoOf(item, blocks));
        core::requireMemory(4 * blocks.bytes(), limits,
                            {"the page", std::nullopt});  // packed once, and three copies as text
        if (step)
            step();
    }
    Json data = {{"title", options.title}, {"items", std::move(list)}};
    PreviewPage page{htmlOf(data, blocks.all(), ""), {}};
    if (page.html.size() <= options.mostBytes)
        return page;
    data["folder"] = options.folder;
    page.parts = partsOf(blocks.all(), data);
    page.html = htmlOf(data, {}, " 'self' file:");
    return page;
}

}  // namespace reanima::drawing
