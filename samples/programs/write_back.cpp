/// Writes the edited clips of a .glb into a copy of the game's file.
///
///     write_back edited.glb samples/ff7/hrda hrda.new
#include <fstream>
#include <iostream>
#include <stdexcept>

#include <reanima/gltf.h>
#include <reanima/pipeline.h>

int main(int argc, char** argv) try {
    if (argc != 4)
        throw std::invalid_argument("usage: write_back EDITED.glb ORIGINAL OUTPUT");
    const reanima::WrittenBack back = reanima::writeBack(argv[1], argv[2], reanima::gltf::readMotionFile);
    std::ofstream file(argv[3], std::ios::binary);
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file.write(reinterpret_cast<const char*>(back.bytes.data()), std::ssize(back.bytes));
    file.close();
    for (const std::string& clip : back.changed)
        std::cout << clip << " was changed\n";
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
