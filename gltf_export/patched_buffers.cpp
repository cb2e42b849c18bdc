#include "gltf_export/patched_buffers.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/memory.h"
#include "gltf_export/gltf_file.h"
#include "gltf_export/json_text.h"

namespace reanima::gltf {

namespace {

/// The type of an image by its URI: `data:image/jpeg;...` or a file name.
std::string_view imageType(std::string_view uri) {
    constexpr std::string_view kData = "data:";
    if (uri.starts_with(kData))
        return uri.substr(kData.size(), uri.find_first_of(";,") - kData.size());
    const std::string_view extension = uri.substr(std::min(uri.rfind('.') + 1, uri.size()));
    return extension == "jpg" || extension == "jpeg" ? "image/jpeg"
           : extension == "webp"                     ? "image/webp"
           : extension == "ktx2"                     ? "image/ktx2"
                                                     : "image/png";
}

}  // namespace

/// Appends to the BIN chunk.
/// @return the offset of the bytes
std::size_t PatchedBuffers::append(ByteBlocks bytes) {
    const std::size_t begin = beginData();
    data_.append(std::move(bytes));
    requireMemory(0);
    return begin;
}

std::size_t PatchedBuffers::beginData() {
    data_.pad('\0');
    return data_.size();
}

void PatchedBuffers::add(core::ByteVector data, const std::vector<tinygltf::BufferView>& views) {
    data_.append(std::move(data));
    const std::vector<TextRange> ranges = file_.elementsOf("bufferViews");
    const std::size_t reused = std::min(views.size(), free_.size());
    for (std::size_t i = 0; i < reused; ++i)
        file_.edits.replace(ranges[free_[i]], elementText(views[i]));
    free_.erase(free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(reused));
    for (std::size_t i = reused; i < views.size(); ++i)
        views_.add(views[i]);
    viewCount_ += views.size() - reused;
}

ByteBlocks PatchedBuffers::finish(const std::string& bufferName) {
    if (!free_.empty() && data_.size() == 0)
        data_.append(core::ByteVector(4));  // a view needs at least one byte
    const std::vector<TextRange> ranges = file_.elementsOf("bufferViews");
    for (const std::uint32_t view : free_)
        file_.edits.replace(ranges[view], R"({"buffer":0,"byteLength":1})");
    if (views_.count() > 0)
        file_.edits.appendToList(file_.whole, "bufferViews", views_.take());
    rewriteList(bufferName);
    return std::move(data_);
}

void PatchedBuffers::requireMemory(std::uint64_t more) const {
    core::requireMemory(heldBefore_ + data_.owned() + more, limits_, {"the glTF file", std::nullopt});
}

/// The object's text without some members, and with other members added.
std::string PatchedBuffers::changed(const TextRange& object, std::initializer_list<std::string_view> without,
                                    const std::string& added) const {
    std::string text = "{" + added;
    for (const JsonMember& member : membersOf(file_.text, object))
        if (std::find(without.begin(), without.end(), member.key) == without.end())
            text += "," + std::string(member.whole.in(file_.text));
    return text + "}";
}

void PatchedBuffers::gather() {
    const std::vector<Field> buffers = file_.root().list("buffers");
    const std::vector<Field> views = file_.root().list("bufferViews");
    isGathered_ = std::all_of(buffers.begin(), buffers.end(),
                              [&](const Field& b) { return &b == &buffers[0] || b.find("uri"); }) &&
                  std::none_of(views.begin(), views.end(), [](const Field& view) { return view.find("extensions"); });
    std::vector<std::size_t> begins;
    std::vector<std::vector<Cut>> cuts;
    for (std::uint32_t i = 0; i < (isGathered_ ? buffers.size() : std::min<std::size_t>(1, buffers.size())); ++i) {
        ByteBlocks bytes = file_.document.takeBuffer(i);
        cuts.push_back(cutsOf(i));
        for (auto cut = cuts.back().rbegin(); cut != cuts.back().rend(); ++cut)
            bytes.erase(cut->begin, cut->end);
        begins.push_back(append(std::move(bytes)));
    }
    if (begins.size() < 2 && free_.empty())
        return;
    const std::vector<TextRange> ranges = file_.elementsOf("bufferViews");
    for (std::size_t i = 0; i < views.size(); ++i) {
        const std::uint32_t buffer = views[i].at("buffer").index(begins.size());
        const std::uint64_t before = views[i].wholeOr("byteOffset", 0);
        std::uint64_t offset = begins[buffer] + before;
        for (const Cut& cut : cuts[buffer])
            offset -= cut.begin < before ? cut.end - cut.begin : 0;
        if (!isFree(i) && (buffer > 0 || offset != before))
            file_.edits.replace(ranges[i], changed(ranges[i], {"buffer", "byteOffset"},
                                                   fmt::format(R"("buffer":0,"byteOffset":{})", offset)));
    }
}

bool PatchedBuffers::isFree(std::size_t view) const { return std::ranges::binary_search(free_, view); }

/// The ranges of a buffer that only released views use. They are shortened, so that other data stays aligned.
std::vector<PatchedBuffers::Cut> PatchedBuffers::cutsOf(std::uint32_t buffer) const {
    constexpr std::uint64_t kAlignment = 8;
    std::vector<Cut> kept;
    std::vector<Cut> given;
    const std::vector<Field> views = file_.root().list("bufferViews");
    for (std::size_t i = 0; !free_.empty() && i < views.size(); ++i)
        if (views[i].wholeOr("buffer", 0) == buffer) {
            const std::uint64_t begin = views[i].wholeOr("byteOffset", 0);
            const std::uint64_t end = begin + views[i].at("byteLength").whole();
            if (isFree(i))
                given.push_back({(begin + kAlignment - 1) / kAlignment * kAlignment, end / kAlignment * kAlignment});
            else
                kept.push_back({begin, end});
        }
    std::ranges::sort(given, {}, &Cut::begin);
    std::vector<Cut> cuts;
    for (const Cut& each : given) {
        const Cut cut{std::max(each.begin, cuts.empty() ? 0 : cuts.back().end), each.end};
        const auto isUsed = [&](const Cut& other) { return other.begin < cut.end && cut.begin < other.end; };
        if (cut.begin < cut.end && std::ranges::none_of(kept, isUsed))
            cuts.push_back(cut);
    }
    return cuts;
}

void PatchedBuffers::rewriteList(const std::string& bufferName) {
    const JsonMember* buffers = memberNamed(file_.members, "buffers");
    std::string length = fmt::format(R"("byteLength":{})", data_.size());
    if (!bufferName.empty()) {
        core::ByteVector bytes = std::move(data_).joined();
        length += fmt::format(R"(,"name":{},"uri":{})", jsonString(bufferHash(bytes)),
                              jsonString(percentEncoded(bufferName)));
        data_ = {};
        data_.append(std::move(bytes));
    }
    const std::vector<TextRange> list = file_.elementsOf("buffers");
    if (list.empty()) {
        if (data_.size() > 0)
            file_.edits.appendToList(file_.whole, "buffers", "{" + length + "}");
        return;
    }
    const std::string first = changed(list.front(), {"byteLength", "uri", bufferName.empty() ? "" : "name"}, length);
    file_.edits.replace(isGathered_ ? buffers->value : list.front(), isGathered_ ? "[" + first + "]" : first);
}

void PatchedBuffers::embedImages() {
    const std::vector<TextRange> list = file_.elementsOf("images");
    for (std::size_t i = 0; i < list.size(); ++i)
        embed(file_.root().at("images").at(i), list[i]);
}

/// Moves an image into the BIN chunk, if it is found.
void PatchedBuffers::embed(const Field& image, const TextRange& object) {
    const std::optional<Field> uri = image.find("uri");
    if (!uri)
        return;
    std::optional<core::ByteVector> bytes = found(*uri);
    if (!bytes) {
        diagnostics_.warn(
            core::Code::ignored, uri->place(),
            fmt::format("the file \"{}\" can't be read; the output still refers to it", uri->text().substr(0, 200)));
        return;
    }
    const std::string stated = image.textOrNone("mimeType");
    tinygltf::BufferView view;
    view.buffer = 0;
    view.byteLength = bytes->size();
    ByteBlocks blocks;
    blocks.append(*std::move(bytes));
    view.byteOffset = append(std::move(blocks));
    views_.add(view);
    file_.edits.replace(
        object, changed(object, {"uri", "mimeType"},
                        fmt::format(R"("mimeType":{},"bufferView":{})",
                                    jsonString(stated.empty() ? imageType(uri->text()) : stated), viewCount_++)));
}

std::optional<core::ByteVector> PatchedBuffers::found(const Field& uri) const {
    try {
        return file_.document.resource(uri);
    } catch (const core::DecodeError&) {  // the image is outside the folder
        return std::nullopt;
    }
}

}  // namespace reanima::gltf
