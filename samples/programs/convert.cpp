/// Converts a file of any known format: what `reanima convert INPUT -o OUTPUT.glb` does.
#include <fstream>

#include <reanima/gltf.h>
#include <reanima/pipeline.h>

int main(int, char** argv) {
    const reanima::core::ByteVector glb = reanima::gltf::writeGlb(reanima::loadFile(argv[1]).asset, {});
    std::ofstream(argv[2], std::ios::binary).write(reinterpret_cast<const char*>(glb.data()), std::ssize(glb));
}
