/// Suggests which joint of a rig follows which joint of a game's skeleton, and writes a mapping for editing.
///
///     suggest samples/ff7/hrda hero.glb hero.map.json
#include <fstream>
#include <iostream>
#include <stdexcept>

#include <reanima/gltf.h>
#include <reanima/pipeline.h>

int main(int argc, char** argv) try {
    if (argc != 4)
        throw std::invalid_argument("usage: suggest FILE RIG.glb MAPPING.json");
    const reanima::core::Rig rig = reanima::gltf::openRig(argv[2]);
    reanima::LoadedFile file = reanima::loadFile(argv[1]);
    const reanima::SuggestedLinks suggested = reanima::suggestLinks(file.asset, rig, file.diagnostics);
    for (const reanima::roles::ProposedLink& link : suggested.links)
        std::cout << nameOf(link.role) << ": " << link.source << " -> " << link.target << ' ' << link.confidence << " ("
                  << link.reason << ")\n";
    std::ofstream mapping(argv[3]);
    mapping.exceptions(std::ios::failbit | std::ios::badbit);
    mapping << suggested.json;  // suggested.map is the same mapping, for Settings::map
    mapping.close();
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
