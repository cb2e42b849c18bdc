/// Converts a file of any known format to .glb: what `reanima convert` does, in a page of C++.
///
///     convert_to_gltf samples/ff7/hrda hero.glb

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <reanima/formats.h>
#include <reanima/gltf.h>

namespace {

reanima::File readFile(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw std::runtime_error(path.string() + " can't be opened");
    return {path.filename().string(), {std::istreambuf_iterator<char>(in), {}}};
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 3) {
        std::cerr << "usage: convert_to_gltf INPUT OUTPUT.glb\n";
        return 2;
    }
    const std::filesystem::path path = argv[1];

    // Companions (here: the skeleton) are asked for by name; the answer may come from a folder, an archive, a network.
    reanima::Input input{readFile(path)};
    input.siblings = [&](std::string_view name) -> std::optional<reanima::File> {
        const std::filesystem::path sibling = path.parent_path() / name;
        return std::filesystem::is_regular_file(sibling) ? std::optional(readFile(sibling)) : std::nullopt;
    };

    reanima::OptionValues options;  // options.set("rate", 30.0);
    reanima::core::Limits limits;
    reanima::core::Diagnostics diagnostics;
    reanima::Context context{options, limits, diagnostics};

    const reanima::core::Asset asset = reanima::loadWithRest(input, {}, context);
    for (const reanima::core::Warning& warning : diagnostics.warnings())
        std::cerr << warning.message() << '\n';

    const reanima::core::ByteVector glb = reanima::gltf::writeGlb(asset, {});
    std::ofstream out(argv[2], std::ios::binary);
    out.write(reinterpret_cast<const char*>(glb.data()), static_cast<std::streamsize>(glb.size()));
    out.close();
    std::cout << asset.clips.size() << " clips, " << glb.size() << " bytes\n";
    return out ? 0 : 1;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
