/// Converts a file of any known format: like `reanima convert INPUT -o OUTPUT.glb`.
#include <fstream>
#include <iostream>
#include <stdexcept>

#include <reanima/gltf.h>
#include <reanima/pipeline.h>

int main(int argc, char** argv) try {
    if (argc != 3)
        throw std::invalid_argument("usage: convert INPUT OUTPUT.glb");
    const reanima::core::ByteVector glb = reanima::gltf::writeGlb(reanima::loadFile(argv[1]).asset, {});
    std::ofstream file(argv[2], std::ios::binary);
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file.write(reinterpret_cast<const char*>(glb.data()), std::ssize(glb));
    file.close();
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
