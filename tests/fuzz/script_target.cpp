/// Event scripts of Final Fantasy IX, which are read beside converted files.

#include "core/decode_error.h"
#include "formats/ff9/script.h"
#include "fuzz/targets.h"

namespace reanima::fuzz {

namespace {

void readScript(core::Bytes bytes) {
    constexpr std::size_t kMostPairs = 1U << 14U;
    const std::string place = ff9::placeOfScript(bytes);
    try {
        const ff9::Script script = ff9::decodeScript(core::LittleEndianReader(bytes));
        require(script.place == place, "a script's place depends on who reads it");
        std::size_t pairs = 0;
        for (const ff9::Actor& actor : script.actors) {
            require(!actor.models.empty(), "an actor has no model");
            pairs += actor.models.size() * actor.animations.size();
        }
        require(pairs <= kMostPairs, "a script names more pairs than it may");
    } catch (const core::DecodeError&) {  // NOLINT: most inputs are damaged
    }
}

}  // namespace

Target scriptTarget() { return {"ff9-script", Mutation::fields, readScript}; }

}  // namespace reanima::fuzz
