#include "drawing/preview_page.h"

#include <nlohmann/json.hpp>

#include "core/text.h"
#include "drawing/preview_template.h"
#include "formats/format.h"
#include "gltf_export/base64.h"
#include "gltf_export/gltf_file.h"
#include "pictures/album.h"
#include "pictures/png.h"

namespace reanima::drawing {

namespace {

/// By the names of joints: only those that are not of the middle.
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

Json characterOf(const Previewed& item, const core::Limits& limits) {
    const core::ByteVector glb = gltf::writeGlb(item.asset, {}, limits);
    return {{"name", item.name}, {"sides", sidesOf(item)}, {"glb", gltf::toBase64(glb)}};
}

Json videoOf(const Previewed& item) {
    const core::ImageSequence& images = *item.asset.video;
    const pictures::Album album = pictures::Album::ofDistinct(images, pictures::allPictures(images));
    const auto cursor = images.open();
    Json pages = Json::array();
    for (std::uint32_t page = 0; page < album.layout().pages(); ++page)
        pages.push_back("data:image/png;base64," + gltf::toBase64(pictures::encodePng(album.page(page, *cursor))));
    Json frames = Json::array();
    for (std::size_t i = 0; i < album.pictures().size(); ++i) {
        const pictures::Place place = album.layout().placeOf(album.cellOf(i));
        frames.push_back({{"page", place.page}, {"x", place.x}, {"y", place.y}});
    }
    return {{"name", item.name},
            {"rate", {images.rateNumerator, images.rateDenominator}},
            {"width", images.shownWidth()},
            {"height", images.shownHeight()},
            {"pages", std::move(pages)},
            {"frames", std::move(frames)}};
}

/// JSON that nothing in it can end a script element with.
std::string forScript(const Json& json) {
    std::string text;
    for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace))
        text += c == '<' ? "\\u003c" : std::string(1, c);
    return text;
}

}  // namespace

std::string previewPage(const std::string& title, std::span<const Previewed> items, const core::Limits& limits) {
    Json list = Json::array();
    std::uint64_t bytes = 0;
    for (const Previewed& item : items) {
        list.push_back(!item.asset.video ? characterOf(item, limits) : videoOf(item));
        for (const char* key : {"glb", "pages"})
            if (list.back().contains(key))
                bytes += 4 * list.back()[key].dump().size();  // in the list, as JSON, for the script, in the page
        core::requireMemory(bytes, limits, {"the page", std::nullopt});
    }
    const std::string_view page = kPreviewTemplate;
    constexpr std::string_view kPlace = "@DATA@";
    const std::size_t place = page.find(kPlace);
    std::string text(page.substr(0, place));
    text += forScript({{"title", title}, {"items", std::move(list)}});
    text += page.substr(place + kPlace.size());
    return text;
}

}  // namespace reanima::drawing
