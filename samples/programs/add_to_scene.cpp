/// Adds a game's clips to a character that Assimp loaded from another file.
///
///     add_to_scene hero.fbx samples/ff7/hrda hero.map.json
#include <iostream>
#include <stdexcept>

#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#include <reanima/assimp.h>

int main(int argc, char** argv) try {
    if (argc != 4)
        throw std::invalid_argument("usage: add_to_scene CHARACTER FILE MAPPING");
    Assimp::Importer importer;
    if (importer.ReadFile(argv[1], 0) == nullptr)
        throw std::runtime_error(importer.GetErrorString());
    const std::unique_ptr<aiScene> hero(importer.GetOrphanedScene());
    reanima::Settings settings;
    reanima::setSetting(settings, "map", argv[3], reanima::folderAccess());
    reanima::addAnimationsTo(*hero, argv[2], settings);
    for (unsigned i = 0; i < hero->mNumAnimations; ++i)
        std::cout << hero->mAnimations[i]->mName.C_Str() << '\n';
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
