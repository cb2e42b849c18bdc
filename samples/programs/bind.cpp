/// Binds a game's clips to the skeleton of a .glb, and saves this skeleton with the clips.
///
///     bind samples/ff7/hrda hero.glb hero.map.json moving.glb
#include <fstream>
#include <iostream>

#include <reanima/gltf.h>
#include <reanima/pipeline.h>

int main(int, char** argv) try {
    reanima::Settings settings;
    settings.rig = std::make_shared<reanima::core::Rig>(reanima::gltf::openRig(argv[2]));
    reanima::setSetting(settings, "map", argv[3], reanima::folderAccess());
    settings.rootMotion = reanima::core::RootMotion::inPlace;
    const reanima::LoadedFile moving = reanima::loadFile(argv[1], settings);
    std::cout << moving.report.binding->toTable();
    const reanima::core::ByteVector glb = reanima::gltf::writeGlb(moving.asset, {});
    std::ofstream(argv[4], std::ios::binary).write(reinterpret_cast<const char*>(glb.data()), std::ssize(glb));
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
