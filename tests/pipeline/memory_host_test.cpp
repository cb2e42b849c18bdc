/// A host with files in memory: an example for programs without a file system and Assimp.

#include <gmock/gmock.h>

#include "pipeline/pipeline.h"
#include "support/bytes.h"

namespace reanima {
namespace {

class Host {
  public:
    void add(const std::string& path, const std::string& sample) {
        files_->add(path, test::readBytes(test::sourceFolder() / "samples" / sample));
    }

    [[nodiscard]] core::Asset convert(const std::string& path) const {
        return loadFile(path, {}, {}, {}, files_).asset;
    }

  private:
    std::shared_ptr<core::MemoryFiles> files_ = std::make_shared<core::MemoryFiles>();
};

TEST(MemoryHost, FindsTheSkeletonBesideAPack) {
    Host host;
    host.add("game/hrda", "ff7/hrda");
    const auto lengths = [&] {  // of the bones; without a skeleton they are placeholders
        const core::Asset asset = host.convert("game/hrda");
        float sum = 0;
        for (const core::Joint& joint : asset.skeleton->joints)
            sum += glm::length(joint.rest.translation);
        return sum;
    };
    const float madeUp = lengths();
    host.add("game/hraa", "ff7/hraa");
    EXPECT_NE(lengths(), madeUp);
    EXPECT_EQ(host.convert("game/hrda").clips.size(), 4U);
}

TEST(MemoryHost, ConvertsAnEntryOfAnArchiveWithItsCompanions) {
    Host host;
    host.add("games/battle.lgp", "archives/battle.lgp");
    const core::Asset asset = host.convert("games/battle.lgp:hrda");
    EXPECT_FALSE(asset.clips.empty());
    EXPECT_FALSE(asset.meshes.empty());
}

}  // namespace
}  // namespace reanima
