#include "tools/reanima/jobs/gltf_output.h"

#include <deque>

#include "core/memory.h"
#include "gltf_export/gltf_patch.h"
#include "pictures/png.h"
#include "tools/reanima/front/output_form.h"
#include "tools/reanima/jobs/existing_output.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

bool isTextGltf(const fs::path& output) { return formOf(output).key == OutputForm::Key::inGltf; }

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

std::uint64_t writeFile(const fs::path& output, gltf::GltfFile file) {
    std::uint64_t size = file.bytes.size() + file.buffer.size();
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
    main.withdraw();  // a new .gltf must never refer to old parts, nor an old .gltf to new parts
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
        const core::ByteVector png = pictures::encodePng(image);
        file.hash = gltf::bufferHash(png);
        file.bytes.append(pictures::withNote(png, pngNote(options.contentKey, file.hash)));
        return file;
    }
    return isTextGltf(output) ? gltf::makeGltfFile(asset, options, bufferNameOf(output), limits)
                              : gltf::makeGlbFile(asset, options, limits);
}

}  // namespace reanima::tool
