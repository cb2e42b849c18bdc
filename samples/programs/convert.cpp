/// Converts a file of any known format: like `reanima convert INPUT -o OUTPUT.glb`.
#include <exception>
#include <fstream>
#include <iostream>

#include <reanima/gltf.h>
#include <reanima/pipeline.h>

int main(int, char** argv) try {
    const reanima::core::ByteVector glb = reanima::gltf::writeGlb(reanima::loadFile(argv[1]).asset, {});
    std::ofstream file(argv[2], std::ios::binary);
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file.write(reinterpret_cast<const char*>(glb.data()), std::ssize(glb));
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
