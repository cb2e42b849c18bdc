/// Entries of archives through Assimp: as files of an IOSystem, and in properties.
#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#include <gtest/gtest.h>

#include "importers/archive_io.h"
#include "importers/importers.h"
#include "support/bytes.h"

namespace reanima {
namespace {

const std::string kSamples = test::sourceFolder() / "samples";
const std::string kLgp = kSamples + "/archives/battle.lgp";

/// Channels per clip, and the joints' names.
std::string summaryOf(const aiScene* scene, const Assimp::Importer& importer) {
    if (scene == nullptr)
        return importer.GetErrorString();
    std::string text;
    for (unsigned i = 0; i < scene->mNumAnimations; ++i)
        text += std::string(scene->mAnimations[i]->mName.C_Str()) + " " +
                std::to_string(scene->mAnimations[i]->mNumChannels) + ";";
    const aiNode* root = scene->mRootNode->FindNode("root");
    return text + (root == nullptr ? " no root" : " " + std::to_string(root->mNumChildren));
}

std::string loadedFrom(const std::string& path, bool withArchives, const std::string& skeleton = {}) {
    Assimp::Importer importer;
    registerImporters(importer);
    if (withArchives)
        importer.SetIOHandler(new ArchiveIOSystem);
    if (!skeleton.empty())
        setProperty(importer, "skeleton", skeleton);
    const aiScene* scene = importer.ReadFile(path, 0);
    return summaryOf(scene, importer);
}

TEST(AssimpArchives, AreReadThroughAnIOSystem) {
    const std::string loose = loadedFrom(kSamples + "/ff7/hrda", false);
    EXPECT_EQ(loadedFrom(kLgp + ":hrda", true), loose) << "with the skeleton from the same archive";
    EXPECT_EQ(loadedFrom(kSamples + "/ff7/hrda", true), loose) << "files stay files";
    EXPECT_EQ(loadedFrom(kSamples + "/archives/hero.pak:Hero.ANCS", true).substr(0, 4), "idle");
    EXPECT_EQ(loadedFrom(kSamples + "/discs/battle.fs:c0m901.dat", true).substr(0, 11), "c0m901_000 ")
        << "an archive of several files";
}

TEST(AssimpArchives, AreNamedInProperties) {
    const std::string loose = loadedFrom(kSamples + "/ff7/hrda", false);
    EXPECT_EQ(loadedFrom(kSamples + "/ff7/hrda", false, kLgp + ":hraa"), loose);
    EXPECT_EQ(loadedFrom(kLgp + ":hrda", true, kLgp + ":HRAA"), loose);
}

TEST(AssimpArchives, SayWhatIsNotThere) {
    EXPECT_NE(loadedFrom(kLgp + ":nope", true).find("Unable to open file"), std::string::npos);
    EXPECT_EQ(loadedFrom(kSamples + "/ff7/hrda", false, kLgp + ":nope"),
              kLgp + ": contains no entry 'nope'; it contains hraa, hrac, hrad and 18 more");
    ArchiveIOSystem io;
    EXPECT_TRUE(io.Exists((kLgp + ":hrda").c_str()));
    EXPECT_FALSE(io.Exists((kLgp + ":nope").c_str()));
    EXPECT_EQ(io.Open((kLgp + ":nope").c_str(), "rb"), nullptr);
}

}  // namespace
}  // namespace reanima
