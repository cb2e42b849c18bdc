#include "core/file_system.h"

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

namespace reanima::core {
namespace {

namespace fs = std::filesystem;

/// A folder of the test's own.
class FileSystem : public testing::Test {
  protected:
    void SetUp() override {
        const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
        folder_ = fs::path(testing::TempDir()) / ("reanima_file_system_" + test);
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    [[nodiscard]] fs::path written(const char* name, std::string_view text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return folder_ / name;
    }

    fs::path folder_;
    std::error_code error_;
};

TEST_F(FileSystem, TextBecomesAPathAndBack) {
    const std::string text = "クラウド/a b.glb";
    EXPECT_EQ(toUtf8(fromUtf8(text)), text);
    EXPECT_EQ(fromUtf8(text).filename(), fromUtf8("a b.glb"));
}

TEST_F(FileSystem, TellsFilesFromFoldersAndLinks) {
    const fs::path file = written("戦い", "12345");
    const fs::path link = folder_ / "link";
    const fs::path lost = folder_ / "lost";
    fs::create_symlink(file, link);
    fs::create_symlink(folder_ / "nowhere", lost);
    for (const fs::path& path : {file, link}) {
        EXPECT_TRUE(core::exists(path) && isFile(path) && !isFolder(path)) << path;
        EXPECT_EQ(fileSize(path, error_), 5U);
    }
    EXPECT_TRUE(core::exists(folder_) && isFolder(folder_) && !isFile(folder_) && !isLink(folder_));
    EXPECT_TRUE(isLink(link) && isLink(lost) && !isLink(file));
    EXPECT_FALSE(core::exists(lost));
    EXPECT_EQ(linkTarget(link, error_), fs::canonical(file));
    EXPECT_EQ(fs::file_type::not_found, statusOf(lost, error_).type());
    EXPECT_EQ(error_, std::errc::no_such_file_or_directory);
    (void)fileSize(folder_, error_);
    EXPECT_EQ(error_, std::errc::is_a_directory);
}

TEST_F(FileSystem, NamesWhatIsInAFolder) {
    (void)written("b", "");
    (void)written(".a", "");
    fs::create_directory(folder_ / "c");
    std::vector<fs::path> names = namesIn(folder_, error_);
    std::ranges::sort(names);
    EXPECT_EQ(names, (std::vector<fs::path>{".a", "b", "c"}));
    EXPECT_FALSE(error_);
    EXPECT_TRUE(namesIn(folder_ / "nowhere", error_).empty());
    EXPECT_EQ(error_, std::errc::no_such_file_or_directory);
}

TEST_F(FileSystem, PathsToOnePlaceCompareEqual) {
    fs::create_directories(folder_ / "a" / "b");
    fs::create_directory_symlink(folder_ / "a", folder_ / "link");
    EXPECT_EQ(comparable(folder_ / "link" / "new.glb"), comparable(folder_ / "a" / "b" / ".." / "new.glb"));
    EXPECT_EQ(comparable(folder_ / "link"), comparable(folder_ / "a"));
    EXPECT_NE(comparable(folder_ / "a"), comparable(folder_ / "a" / "b"));
}

TEST_F(FileSystem, MakesAndRemoves) {
    makeFolders(folder_ / "x" / "y" / "z", error_);
    EXPECT_FALSE(error_);
    EXPECT_TRUE(isFolder(folder_ / "x" / "y" / "z"));
    makeFolders(folder_ / "x", error_);
    EXPECT_FALSE(error_);
    makeFolders(written("file", "") / "below", error_);
    EXPECT_TRUE(error_);
    removeFile(folder_ / "file", error_);
    EXPECT_FALSE(error_);
    EXPECT_FALSE(core::exists(folder_ / "file"));
    removeFile(folder_ / "file", error_);
    EXPECT_FALSE(error_);
    EXPECT_FALSE(removeEmptyFolder(folder_ / "x" / "y"));
    EXPECT_TRUE(removeEmptyFolder(folder_ / "x" / "y" / "z"));
    EXPECT_FALSE(core::exists(folder_ / "x" / "y" / "z"));
    EXPECT_FALSE(removeEmptyFolder(written("file", "")));
    EXPECT_TRUE(core::exists(folder_ / "file"));
}

}  // namespace
}  // namespace reanima::core
