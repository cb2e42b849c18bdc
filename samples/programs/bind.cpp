/// Binds a game's clips to the skeleton of a .glb, and adds them to a copy of this file. Its meshes and its own clips
/// stay.
///
///     bind samples/ff7/hrda hero.glb hero.map.json moving.glb
#include <fstream>
#include <iostream>
#include <stdexcept>

#include <reanima/gltf.h>
#include <reanima/pipeline.h>

int main(int argc, char** argv) try {
    if (argc != 5)
        throw std::invalid_argument("usage: bind FILE RIG.glb MAPPING OUTPUT.glb");
    namespace gltf = reanima::gltf;
    reanima::core::Rig rig = gltf::openRig(argv[2]);
    reanima::Settings settings;
    settings.rig = std::make_shared<reanima::core::Rig>(rig);
    reanima::setSetting(settings, "map", argv[3], reanima::folderAccess());
    settings.rootMotion = reanima::core::RootMotion::inPlace;
    reanima::LoadedFile moving = reanima::loadFile(argv[1], settings);
    std::cout << moving.report.binding->toTable();

    rig.skeleton = *moving.asset.skeleton;  // with added joints, such as weapons
    const reanima::core::File hero = reanima::core::diskFiles()->read(argv[2], {});
    const reanima::core::Siblings beside(reanima::core::diskFiles(), argv[2]);
    const gltf::GltfFile glb =
        gltf::addAnimations({hero.bytes, argv[2], beside}, rig, moving.asset.clips, {}, {}, moving.diagnostics);
    std::ofstream file(argv[4], std::ios::binary);
    file.exceptions(std::ios::failbit | std::ios::badbit);
    glb.bytes.visit([&file](reanima::core::Bytes part) {
        file.write(reinterpret_cast<const char*>(part.data()), std::ssize(part));
    });
    file.close();
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
