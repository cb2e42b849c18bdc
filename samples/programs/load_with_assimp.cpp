/// Loads a game's animations through Assimp, as an engine does.
///
///     load_with_assimp samples/ff7/hrda

#include <iostream>

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <reanima/assimp.h>

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: load_with_assimp FILE\n";
        return 2;
    }
    Assimp::Importer importer;
    reanima::registerImportersFirst(importer);  // before Assimp's own loaders, which guess at files without extension
    // importer.SetPropertyString("IMPORT_REANIMA_SKELETON", "rtaa");  // else it is looked for beside the file
    const aiScene* scene = importer.ReadFile(argv[1], aiProcessPreset_TargetRealtime_Quality);
    if (scene == nullptr) {
        std::cerr << importer.GetErrorString() << '\n';
        return 1;
    }
    for (unsigned i = 0; i < scene->mNumAnimations; ++i) {
        const aiAnimation& animation = *scene->mAnimations[i];
        std::cout << animation.mName.C_Str() << ": " << animation.mNumChannels << " joints, "
                  << animation.mDuration / animation.mTicksPerSecond << " s\n";
    }
    return 0;
}
