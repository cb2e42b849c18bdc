#include "tools/reanima/jobs/existing_output.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gltf_export/glb_chunks.h"
#include "gltf_export/own_hash.h"
#include "json/json.h"
#include "pictures/png.h"
#include "tools/reanima/front/content_key.h"
#include "tools/reanima/front/output_form.h"
#include "tools/reanima/jobs/gltf_output.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

using Key = OutputForm::Key;

/// A file that is read from the beginning. If the disk fails, the file counts as edited, so that it is kept.
class FileText {
  public:
    explicit FileText(const fs::path& file) : path_(file) {
        errno = 0;
        in_.open(core::systemPath(file), std::ios::binary);
        noteFault();
        std::error_code error;
        size_ = core::fileSize(file, error);
        if (error)
            size_ = 0;
    }

    [[nodiscard]] std::uintmax_t size() const { return size_; }

    /// The next bytes. Empty if fewer are left.
    std::string take(std::uintmax_t size) {
        std::string text(static_cast<std::size_t>(size), '\0');
        errno = 0;
        in_.read(text.data(), static_cast<std::streamsize>(text.size()));
        noteFault();
        return in_ ? text : std::string();
    }

    std::string takeAll() { return take(size_); }

    /// Adds the rest of the file to a hash.
    void addTo(gltf::PartsHash& hash) {
        constexpr std::size_t kPart = 1U << 20U;
        std::string part(kPart, '\0');
        while (in_) {
            errno = 0;
            in_.read(part.data(), static_cast<std::streamsize>(part.size()));
            noteFault();
            hash.add(std::string_view(part).substr(0, static_cast<std::size_t>(in_.gcount())));
        }
    }

  private:
    void noteFault() const {
        if (!in_)
            noteUnread(path_, std::error_code(errno, std::generic_category()));
    }

    fs::path path_;
    std::ifstream in_;
    std::uintmax_t size_ = 0;
};

core::Bytes bytesOf(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};  // NOLINT: text is bytes
}

std::string hashOf(const fs::path& path) {
    gltf::PartsHash hash;
    FileText(path).addTo(hash);
    return hash.text();
}

/// The parts of a .glb before its binary data.
struct GlbHead {
    std::string headers{};
    std::string json{};  ///< empty for other files and truncated ones
};

GlbHead takeHead(FileText& file) {
    GlbHead head{file.take(gltf::kGlbHeader + gltf::kChunkHeader)};
    if (const auto size = gltf::jsonSizeOf(bytesOf(head.headers), file.size()))
        head.json = file.take(*size);
    return head;
}

std::string jsonOf(const fs::path& output) {
    FileText file(output);
    return isTextGltf(output) ? file.takeAll() : takeHead(file).json;
}

/// A file to which a .gltf of this program refers.
struct Part {
    fs::path path;
    std::string hash;
};

/// The text at a JSON pointer. Empty if there is no text.
std::string textAt(const Json& json, const char* pointer) {
    const Json::json_pointer place(pointer);
    return json.contains(place) && json.at(place).is_string() ? json.at(place).get<std::string>() : std::string();
}

/// The images written by this program.
/// @param json JSON of the output
std::vector<Part> imagesIn(const fs::path& output, const Json& json) {
    // Image names begin with the stem. Only the stem contains characters that need encoding.
    const std::string stem = toUtf8(output.stem());
    const std::string written = gltf::percentEncoded(stem);
    std::vector<Part> images;
    const Json::json_pointer list("/images");
    if (!json.contains(list))
        return images;
    for (const Json& image : json.at(list)) {
        const std::string uri = textAt(image, "/uri");
        const std::string hash = textAt(image, "/extras/hash");
        if (uri.starts_with(written) && !hash.empty())
            images.push_back({output.parent_path() / fromUtf8(stem + uri.substr(written.size())), hash});
    }
    return images;
}

/// The buffer and the images of a .gltf.
std::vector<Part> partsIn(const fs::path& output, const std::string& text) {
    const Json json = Json::parse(text, nullptr, false);
    std::vector<Part> parts = imagesIn(output, json);
    parts.push_back({filesOf(output).back(), textAt(json, "/buffers/0/name")});
    return parts;
}

/// The images of an existing .gltf. Empty for other files.
std::vector<Part> imagesOfText(const fs::path& output) {
    if (!isTextGltf(output) || !isFile(output))
        return {};
    return imagesIn(output, Json::parse(FileText(output).takeAll(), nullptr, false));
}

bool isWholePng(const std::string& bytes) {
    constexpr std::string_view kEnd{"\0\0\0\0IEND\xAE\x42\x60\x82", 12};  // the last chunk of a PNG, with its checksum
    return bytes.starts_with("\x89PNG") && bytes.ends_with(kEnd);
}

}  // namespace

std::vector<fs::path> filesWritten(const fs::path& output) {
    std::vector<fs::path> files = filesOf(output);
    for (const Part& image : imagesOfText(output))
        files.push_back(image.path);
    return files;
}

std::vector<fs::path> imagesWritten(const fs::path& output) {
    std::vector<fs::path> files;
    for (const Part& image : imagesOfText(output))
        if (isFile(image.path))
            files.push_back(image.path);
    return files;
}

namespace {

std::size_t countIn(const Json& json, const char* member) {
    const auto found = json.find(member);
    return found == json.end() ? 0 : found->size();
}

/// The number of triangles of all meshes. A mesh shown by several nodes is counted once.
std::size_t trianglesIn(const Json& json) {
    std::size_t indices = 0;
    const auto meshes = json.find("meshes");
    if (meshes == json.end())
        return 0;
    for (const Json& mesh : *meshes)
        for (const Json& primitive : mesh.at("primitives"))
            indices +=
                json.at("accessors").at(primitive.at("indices").get<std::size_t>()).at("count").get<std::size_t>();
    return indices / 3;
}

/// @param clips as `scene.extras.reanima` lists them
std::size_t framesIn(const Json& clips) {
    std::size_t frames = 0;
    for (const Json& clip : clips)
        frames += clip.at("frames").get<std::size_t>();
    return frames;
}

/// @throws Json::exception if this program can't have written the JSON
void describe(const Json& json, OutputFacts& facts) {
    const Json& scene = json.at("scenes").at(0);
    const Json& ours = scene.at("extras").at("reanima");
    const auto clips = ours.find("clips");
    facts.clips = clips == ours.end() ? countIn(json, "animations") : clips->size();
    if (clips != ours.end() || facts.clips == 0)
        facts.frames = clips == ours.end() ? 0 : framesIn(*clips);
    const bool isVideo = clips != ours.end() && !clips->empty() && clips->at(0).contains("width");
    if (isVideo) {  // meshes of a video only show its frames
        facts.joints = facts.triangles = facts.materials = facts.textures = 0;
        return;
    }
    facts.joints = countIn(json, "skins") == 0 ? 0 : json.at("skins").at(0).at("joints").size();
    facts.triangles = trianglesIn(json);
    facts.materials = countIn(json, "materials");
    facts.textures = countIn(json, "images");
}

}  // namespace

OutputFacts factsOfOutput(const fs::path& output) {
    OutputFacts facts;
    for (const fs::path& file : filesWritten(output)) {
        std::error_code error;
        const std::uintmax_t size = core::fileSize(file, error);
        facts.bytes += error ? 0 : static_cast<std::size_t>(size);
    }
    if (formOf(output).key == Key::inPng)
        return facts;
    try {
        describe(Json::parse(jsonOf(output), nullptr, false), facts);
    } catch (const Json::exception&) {
        const std::size_t bytes = facts.bytes;
        facts = {};
        facts.bytes = bytes;
    }
    return facts;
}

bool holdsMarks(const fs::path& output) { return formOf(output).key != Key::ofBytes; }

bool isOfOthers(const fs::path& output) {
    if (!holdsMarks(output))
        return false;
    if (formOf(output).key == Key::inPng) {
        const std::string png = FileText(output).takeAll();
        return isWholePng(png) && !pictures::noteIn(bytesOf(png));
    }
    const std::string json = jsonOf(output);
    const std::size_t end = json.find_last_not_of(" \t\r\n");
    const bool isWhole = json.starts_with('{') && json[end] == '}';
    return isWhole && json.find("\"reanima\"") == std::string::npos;
}

// ---------------------------------------------------------------------------------------------------------------------
// Whether an output is as it was written

namespace {

/// @param mark the stored key, and the names that follow it
ExistingOutput unhashed(std::string_view mark) {
    const std::size_t end = std::min(mark.find(' '), mark.size());
    ExistingOutput found{Condition::unhashed, std::string(mark.substr(0, end))};
    found.beside = mark.substr(std::min(end + 1, mark.size()));
    return found;
}

/// @param before the file's bytes before the JSON
/// @param after the file's bytes after the JSON
ExistingOutput lookAtJson(const fs::path& output, const std::string& before, const std::string& json, FileText& after) {
    const gltf::OwnMarks marks = gltf::ownMarksIn(json);
    if (!marks.key)
        return {Condition::unmarked};
    ExistingOutput found = unhashed(marks.key->in(json));
    if (!marks.hash)
        return found;
    found.hash = marks.hash->in(json);
    gltf::PartsHash hash;
    hash.add(before);
    hash.add(std::string_view(json).substr(0, marks.hash->begin));
    hash.add(gltf::kBlankHash);
    hash.add(std::string_view(json).substr(marks.hash->end));
    after.addTo(hash);
    found.condition = hash.text() == found.hash ? Condition::asWritten : Condition::edited;
    found.changed = output;
    return found;
}

ExistingOutput lookAtText(const fs::path& output) {
    FileText file(output);
    const std::string json = file.takeAll();
    ExistingOutput found = lookAtJson(output, {}, json, file);
    if (found.condition != Condition::asWritten)
        return found;
    for (const Part& part : partsIn(output, json)) {
        if (!isFile(part.path)) {
            found.condition = Condition::incomplete;
        } else if (hashOf(part.path) != part.hash) {
            found.condition = Condition::edited;
            found.changed = part.path;
            return found;
        }
    }
    return found;
}

ExistingOutput lookAtBinary(const fs::path& output) {
    FileText file(output);
    const GlbHead head = takeHead(file);
    return lookAtJson(output, head.headers, head.json, file);
}

ExistingOutput lookAtPng(const fs::path& output) {
    const std::string file = FileText(output).takeAll();
    const std::optional<pictures::NotedPng> noted = pictures::noteIn(bytesOf(file));
    if (!noted)
        return {Condition::unmarked};
    const std::size_t keyEnd = noted->note.rfind(' ');
    ExistingOutput found = unhashed(std::string_view(noted->note).substr(0, keyEnd));
    if (keyEnd == std::string::npos)
        return found;
    found.hash = noted->note.substr(keyEnd + 1);
    found.condition = gltf::bufferHash(noted->png) == found.hash ? Condition::asWritten : Condition::edited;
    found.changed = output;
    return found;
}

ExistingOutput lookAtBytes(const fs::path& output) {
    const std::string text = FileText(output).takeAll();
    return {Condition::unmarked, keyOfBytes(bytesOf(text)), gltf::bufferHash(bytesOf(text))};
}

[[noreturn]] void refuse(const fs::path& file, std::string_view because) {
    throw UsageError(fmt::format("{}: {}; --force replaces it", toUtf8(file), because));
}

}  // namespace

ExistingOutput lookAt(const fs::path& output) {
    if (output == kStandardStream || !isFile(output))
        return {};
    switch (formOf(output).key) {
        case Key::inGlb:
            return lookAtBinary(output);
        case Key::inGltf:
            return lookAtText(output);
        case Key::inPng:
            return lookAtPng(output);
        case Key::ofBytes:
            break;
    }
    return lookAtBytes(output);
}

void refuseEdited(const fs::path& output, const std::string& reported) {
    const ExistingOutput found = lookAt(output);
    switch (found.condition) {
        case Condition::missing:
        case Condition::asWritten:
        case Condition::incomplete:
            return;
        case Condition::edited:
            refuse(found.changed, "was edited after reanima wrote it");
        case Condition::unhashed:
            refuse(output, "was edited after reanima wrote it, or was written by an earlier version of reanima");
        case Condition::unmarked:
            break;
    }
    if (holdsMarks(output))
        refuse(output, "was edited after reanima wrote it, or was not written by reanima");
    if (reported.empty())
        refuse(output, "exists, but no report lists it as written by reanima");
    if (reported != found.hash)
        refuse(output, "was edited after reanima wrote it");
}

void refuseEditedParts(const fs::path& output, const gltf::GltfFile& file) {
    if (!isTextGltf(output))
        return;
    std::vector<fs::path> known;
    if (isFile(output))
        for (const Part& part : partsIn(output, FileText(output).takeAll()))
            known.push_back(part.path);
    const auto refuseUnless = [&known](const fs::path& path, const auto& hashToBe) {
        if (isFile(path) && std::ranges::find(known, path) == known.end() && hashOf(path) != hashToBe())
            refuse(path, "exists, but no .gltf beside it lists it as written by reanima");
    };
    refuseUnless(filesOf(output).back(), [&file] {
        gltf::PartsHash hash;
        file.buffer.visit([&hash](core::Bytes part) { hash.add(part); });
        return hash.text();
    });
    const std::vector<fs::path> images = imagePathsOf(output, file);
    for (std::size_t i = 0; i < images.size(); ++i)
        refuseUnless(images[i], [&] { return gltf::bufferHash(file.images[i].bytes); });
}

std::string pngNote(const std::string& key, const std::string& hash) {
    return key.empty() ? std::string() : key + ' ' + hash;
}

}  // namespace reanima::tool
