/// Replays the fuzzers' corpora: every target on every file of its folder.

#include <algorithm>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "fuzz/targets.h"
#include "support/bytes.h"

namespace reanima::fuzz {

void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

namespace {

namespace fs = std::filesystem;

fs::path corpora() { return test::sourceFolder() / "tests/data/corpus"; }

std::vector<fs::path> filesIn(const fs::path& folder) {
    std::vector<fs::path> files;
    if (!fs::is_directory(folder))
        return files;
    for (const auto& entry : fs::directory_iterator(folder))
        files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, Holds) {
    const std::vector<fs::path> files = filesIn(corpora() / GetParam().name);
    EXPECT_FALSE(files.empty()) << "tests/data/corpus/" << GetParam().name << " holds nothing; scripts/fuzz.sh --keep "
                                << GetParam().name << " fills it, and a sample or its dump is enough to begin";
    for (const fs::path& file : files) {
        SCOPED_TRACE(file);
        const core::ByteVector bytes = test::readBytes(file);
        EXPECT_NO_THROW(GetParam().run(bytes));
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, Corpus, testing::ValuesIn(targets()), [](const auto& test) {
    std::string name = test.param.name;
    std::ranges::replace(name, '-', '_');
    return name;
});

TEST(Corpora, BelongToATarget) {
    std::set<std::string> known = {"assimp", "scene", "picture-file"};  // left out in a build without Assimp
    for (const Target& target : targets())
        known.insert(target.name);
    for (const fs::path& folder : filesIn(corpora()))
        EXPECT_TRUE(known.contains(folder.filename().string())) << folder;
}

}  // namespace
}  // namespace reanima::fuzz
