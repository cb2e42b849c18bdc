#include "pipeline/encode_asset.h"

#include <gtest/gtest.h>

#include "formats/registry.h"

namespace reanima {
namespace {

TEST(EncodeNew, NeedsASkeleton) {
    const OptionValues options;
    core::Diagnostics diagnostics;
    Context context{options, {}, diagnostics, {}};
    core::MovingScene scene;
    scene.motions.emplace_back().name = "walk";
    EncodeSettings settings;
    settings.search.clips = {"walk"};
    for (const char* id : {"ff7-battle-animation", "ff7-field-animation", "ff9-animation", "metroid-anim"})
        try {
            (void)encodeNew(scene, "edited.glb", {formatNamed(id), "out", {0}, {}}, {}, settings, context);
            FAIL() << id;
        } catch (const core::DecodeError& error) {
            EXPECT_STREQ(error.what(), "out: needs the skeleton that it was made for (see option skeleton=FILE)");
        }
    EXPECT_THROW((void)clipsFor(scene, {}, context), core::DecodeError);
}

}  // namespace
}  // namespace reanima
