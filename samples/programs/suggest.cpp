/// Suggests which joint of a rig follows which joint of a game's skeleton, and writes a mapping for editing.
///
///     suggest samples/ff7/hrda hero.glb hero.map.json
#include <fstream>
#include <iostream>

#include <reanima/gltf.h>
#include <reanima/pipeline.h>

int main(int, char** argv) try {
    const reanima::core::Rig rig = reanima::gltf::openRig(argv[2]);
    reanima::LoadedFile file = reanima::loadFile(argv[1]);
    const reanima::SuggestedLinks suggested = reanima::suggestLinks(file.asset, rig, file.diagnostics);
    for (const reanima::roles::ProposedLink& link : suggested.links)
        std::cout << nameOf(link.role) << ": " << link.source << " -> " << link.target << ' ' << link.confidence << " ("
                  << link.reason << ")\n";
    std::ofstream(argv[3]) << suggested.json;  // suggested.map is the same for Settings::map
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
