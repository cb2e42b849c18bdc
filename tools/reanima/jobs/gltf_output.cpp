#include "tools/reanima/jobs/gltf_output.h"

#include <algorithm>
#include <array>
#include <deque>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/memory.h"
#include "core/text.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_patch.h"
#include "json/json.h"
#include "pictures/png.h"
#include "tools/reanima/front/content_key.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

bool isTextGltf(const fs::path& output) { return lowerCase(toUtf8(output.extension())) == ".gltf"; }

std::vector<fs::path> filesOf(const fs::path& output) {
    if (output.empty() || output == kStandardStream)
        return {};
    if (isTextGltf(output))
        return {output, fs::path(output).replace_extension(".bin")};
    return {output};
}

std::string bufferNameOf(const fs::path& output) {
    return isTextGltf(output) ? toUtf8(filesOf(output).back().filename()) : "";
}

gltf::GltfFile fileOnRig(const Target& target, const core::Asset& asset, const gltf::GltfOptions& options,
                         const core::Limits& limits, core::Diagnostics& diagnostics, const std::string& bufferName) {
    const core::Rig rig{*asset.skeleton, target.rig->nodes, target.rig->restFrom};
    return gltf::addAnimations(asGltfInput(target), rig, asset.clips, options, limits, diagnostics, bufferName);
}

namespace {

void append(OutputFile& file, gltf::ByteBlocks& bytes) {
    bytes.drain([&file](core::Bytes part) { file.append(part); });
}

}  // namespace

std::vector<fs::path> imagePathsOf(const fs::path& output, const gltf::GltfFile& file) {
    std::vector<fs::path> paths;
    for (const gltf::ImageFile& image : file.images)
        paths.push_back(output.parent_path() / fromUtf8(image.name));
    return paths;
}

std::size_t writeFile(const fs::path& output, gltf::GltfFile file) {
    std::size_t size = file.bytes.size() + file.buffer.size();
    OutputFile main(output);
    append(main, file.bytes);
    if (!isTextGltf(output)) {
        main.commit();
        return size;
    }
    OutputFile buffer(filesOf(output).back());
    append(buffer, file.buffer);
    const std::vector<fs::path> paths = imagePathsOf(output, file);
    std::deque<OutputFile> images;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        images.emplace_back(paths[i]).append(core::Bytes(file.images[i].bytes));
        size += file.images[i].bytes.size();
    }
    main.withdraw();  // a .gltf must never refer to the files of an older one
    buffer.commit();
    for (OutputFile& image : images)
        image.commit();
    main.commit();
    return size;
}

bool isPicture(const core::Asset& asset) {
    return !asset.skeleton && asset.meshes.empty() && !asset.video && !asset.images.empty();
}

gltf::GltfFile fileFor(const fs::path& output, const core::Asset& asset, const gltf::GltfOptions& options,
                       const core::Limits& limits) {
    if (isPicture(asset)) {
        const core::Image& image = asset.images.front();
        core::requireMemory(core::memoryOf(asset) + 3 * std::uint64_t{image.rgba.size()}, limits, {"the picture", {}});
        gltf::GltfFile file;
        file.bytes.append(pictures::encodePng(image, options.contentKey));
        return file;
    }
    return isTextGltf(output) ? gltf::makeGltfFile(asset, options, bufferNameOf(output), limits)
                              : gltf::makeGlbFile(asset, options, limits);
}

namespace {

std::string readText(std::ifstream& in, std::uintmax_t size) {
    std::string text(static_cast<std::size_t>(size), '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    return in ? text : std::string();
}

/// The JSON of a binary file; empty if it is none or is cut.
std::string jsonOfGlb(std::ifstream& in, std::uintmax_t fileSize) {
    core::ByteVector header(gltf::kGlbHeader + gltf::kChunkHeader);
    in.read(reinterpret_cast<char*>(header.data()), static_cast<std::streamsize>(header.size()));  // NOLINT: bytes
    const std::optional<std::uint32_t> size = in ? gltf::jsonSizeOf(header, fileSize) : std::nullopt;
    return size ? readText(in, *size) : std::string();
}

std::string hashOf(const fs::path& file, std::uintmax_t size) {
    std::ifstream in(core::systemPath(file), std::ios::binary);
    const std::string bytes = readText(in, size);
    return gltf::bufferHash({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});  // NOLINT: bytes
}

/// An image that a text file of ours refers to.
struct ImageOfText {
    fs::path path;
    std::string hash;
};

/// @param json of the output
std::vector<ImageOfText> imagesIn(const fs::path& output, const Json& json) {
    // Only the stem, which begins the names of all of them, has characters that are written in another way.
    const std::string stem = toUtf8(output.stem());
    const std::string written = gltf::percentEncoded(stem);
    std::vector<ImageOfText> images;
    const Json::json_pointer list("/images");
    if (!json.contains(list))
        return images;
    for (const Json& image : json.at(list)) {
        const std::string uri = image.value("uri", "");
        if (uri.starts_with(written))
            images.push_back({output.parent_path() / fromUtf8(stem + uri.substr(written.size())),
                              image.value(Json::json_pointer("/extras/hash"), "")});
    }
    return images;
}

bool hasItsBuffer(const fs::path& output, const std::string& text) {
    const fs::path buffer = filesOf(output).back();
    std::error_code error;
    const std::uintmax_t size = core::fileSize(buffer, error);
    const Json json = Json::parse(text, nullptr, false);
    const Json::json_pointer length("/buffers/0/byteLength");
    const Json::json_pointer name("/buffers/0/name");
    if (error || !json.contains(length) || json.at(length) != size || !json.contains(name))
        return false;
    return json.at(name) == hashOf(buffer, size) &&
           std::ranges::all_of(imagesIn(output, json), [](const ImageOfText& image) {
               std::error_code missing;
               const std::uintmax_t bytes = core::fileSize(image.path, missing);
               return !missing && image.hash == hashOf(image.path, bytes);
           });
}

/// The images that the text file there refers to; none if there is no such file.
std::vector<ImageOfText> imagesOfText(const fs::path& output) {
    std::error_code error;
    if (!isTextGltf(output) || !isFile(output))
        return {};
    std::ifstream in(core::systemPath(output), std::ios::binary);
    return imagesIn(output, Json::parse(readText(in, core::fileSize(output, error)), nullptr, false));
}

bool isWholePng(const std::string& bytes) {
    constexpr std::string_view kEnd{"\0\0\0\0IEND\xAE\x42\x60\x82", 12};  // the chunk of that name with its sum
    return bytes.starts_with("\x89PNG") && bytes.ends_with(kEnd);
}

/// @param note how it begins
bool hasNote(const std::string& png, const std::string& note) {
    constexpr std::size_t kHead = 200;
    const std::string wanted = std::string(pictures::kNoteName) + '\0' + note;
    return std::string_view(png).substr(0, kHead).find(wanted) != std::string_view::npos;
}

}  // namespace

std::vector<fs::path> filesWritten(const fs::path& output) {
    std::vector<fs::path> files = filesOf(output);
    for (const ImageOfText& image : imagesOfText(output))
        files.push_back(image.path);
    return files;
}

std::vector<fs::path> imagesWritten(const fs::path& output) {
    std::vector<fs::path> files;
    for (const ImageOfText& image : imagesOfText(output))
        if (!image.hash.empty() && isFile(image.path))
            files.push_back(image.path);
    return files;
}

namespace {

std::size_t countIn(const Json& json, const char* member) {
    const auto found = json.find(member);
    return found == json.end() ? 0 : found->size();
}

/// Of all meshes; a node may show one several times.
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

/// @throws Json::exception where something is not as this program writes it
void describe(const Json& json, OutputFacts& facts) {
    const Json& scene = json.at("scenes").at(0);
    const Json& ours = scene.at("extras").at("reanima");
    const auto clips = ours.find("clips");
    facts.clips = clips == ours.end() ? countIn(json, "animations") : clips->size();
    if (clips != ours.end() || facts.clips == 0)
        facts.frames = clips == ours.end() ? 0 : framesIn(*clips);
    const bool isVideo = clips != ours.end() && !clips->empty() && clips->at(0).contains("width");
    if (isVideo) {  // its meshes show its frames
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
    if (lowerCase(toUtf8(output.extension())) == ".png")
        return facts;
    std::error_code error;
    std::ifstream in(core::systemPath(output), std::ios::binary);
    const std::uintmax_t size = core::fileSize(output, error);
    const std::string text = isTextGltf(output) ? readText(in, size) : jsonOfGlb(in, size);
    try {
        describe(Json::parse(text, nullptr, false), facts);
    } catch (const Json::exception&) {
        const std::size_t bytes = facts.bytes;
        facts = {};
        facts.bytes = bytes;
    }
    return facts;
}

bool isOfOthers(const fs::path& output) {
    constexpr std::array<std::string_view, 5> kWithKeys = {"glb", "gltf", "vrm", "vrma", "png"};
    const std::string extension = core::extensionOf(toUtf8(output.filename()));
    if (std::ranges::find(kWithKeys, extension) == kWithKeys.end())
        return false;
    std::error_code error;
    std::ifstream in(core::systemPath(output), std::ios::binary);
    const std::uintmax_t size = core::fileSize(output, error);
    if (extension == "png") {
        const std::string png = readText(in, size);
        return isWholePng(png) && !hasNote(png, "");
    }
    const std::string json = isTextGltf(output) ? readText(in, size) : jsonOfGlb(in, size);
    const std::size_t end = json.find_last_not_of(" \t\r\n");
    const bool isWhole = json.starts_with('{') && json[end] == '}';
    return isWhole && json.find("\"reanima\"") == std::string::npos;
}

bool isMadeFrom(const fs::path& output, const std::string& key) {
    std::error_code error;
    if (!isFile(output))
        return false;
    const std::uintmax_t size = core::fileSize(output, error);
    std::ifstream in(core::systemPath(output), std::ios::binary);
    if (error || !in)
        return false;
    const std::string extension = core::extensionOf(toUtf8(output.filename()));
    if (extension == "png") {
        const std::string png = readText(in, size);
        return isWholePng(png) && hasNote(png, key);
    }
    if (extension == "bvh" || extension == "anim") {
        const std::string text = readText(in, size);
        return keyOfBytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}) == key;  // NOLINT: bytes
    }
    const std::string json = isTextGltf(output) ? readText(in, size) : jsonOfGlb(in, size);
    return json.find('"' + key + '"') != std::string::npos && (!isTextGltf(output) || hasItsBuffer(output, json));
}

}  // namespace reanima::tool
