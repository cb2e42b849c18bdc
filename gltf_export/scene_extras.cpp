#include "gltf_export/scene_extras.h"

#include "core/facts.h"
#include "gltf_export/extras.h"
#include "gltf_export/own_hash.h"

namespace reanima::gltf {

std::string SceneExtras::addClip(const core::Clip& clip, const std::string& name) {
    return options_.compact ? std::string() : add(core::factsOf(clip, name));
}

std::string SceneExtras::addClip(const core::ImageSequence& images) {
    return options_.compact ? std::string() : add(core::factsOf(images));
}

std::string SceneExtras::add(const core::Properties& facts) {
    std::string extras = jsonOf(facts);
    if (!clips_.empty())
        clips_ += ',';
    clips_ += extras;
    return extras;
}

void SceneExtras::setCharacter(const core::Properties& character) {
    if (!options_.compact && !character.empty())
        character_ = jsonOf(character);
}

std::string SceneExtras::takeReanima() {
    core::Properties members;
    if (!options_.compact)
        members.emplace_back("version", REANIMA_VERSION);
    if (!options_.compact && !origin_.empty())
        members.emplace_back("skeleton", origin_);
    if (!options_.contentKey.empty()) {
        members.emplace_back("key", options_.contentKey);
        members.emplace_back("hash", hashToCome(options_.contentKey));
    }
    if (members.empty())
        return {};
    std::string reanima = jsonOf(members);
    if (!options_.compact) {
        reanima.back() = ',';
        if (!character_.empty())
            reanima.append(R"("character":)").append(std::exchange(character_, {})).append(",");
        reanima.append(R"("clips":[)").append(std::exchange(clips_, {})).append("]}");
    }
    return reanima;
}

std::string SceneExtras::take() {
    const std::string reanima = takeReanima();
    return reanima.empty() ? std::string() : R"({"reanima":)" + reanima + "}";
}

}  // namespace reanima::gltf
