#include "core/files.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "core/decode_error.h"
#include "core/read_once.h"
#include "core/source.h"
#include "support/files.h"

namespace reanima::core {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

std::shared_ptr<MemoryFiles> made() {
    auto files = std::make_shared<MemoryFiles>();
    for (const char* path : {"secret", "/secret", "game/hero", "game/skin", "game/parts/arm", "game/con", "C:skin"})
        files->add(path, {1, 2, 3});
    return files;
}

class ForeignNames : public testing::TestWithParam<const char*> {};

TEST_P(ForeignNames, LeadNowhere) {
    const Siblings beside(made(), "game/hero");
    EXPECT_FALSE(beside(GetParam()).has_value());
    EXPECT_FALSE(beside.below(GetParam()).has_value());
}

INSTANTIATE_TEST_SUITE_P(All, ForeignNames,
                         testing::Values("", ".", "..", "../secret", "/secret", "..\\secret", "C:skin", "con", "CON.a",
                                         "parts/../../secret", "parts/", "//host/share/x", "\\\\host\\share\\x"));

TEST(Siblings, AreFilesOfTheSameFolder) {
    const Siblings beside(made(), "game/hero");
    EXPECT_EQ(beside("skin")->path, "game/skin");
    EXPECT_FALSE(beside("Skin").has_value());
    EXPECT_FALSE(beside("parts/arm").has_value());
    EXPECT_EQ(beside.below("parts/arm")->path, "game/parts/arm");
    EXPECT_FALSE(static_cast<bool>(Siblings()));
    EXPECT_FALSE(Siblings()("skin").has_value());
}

TEST(Siblings, LinksLeadNoFurtherThanTheFolderOfARig) {
    const fs::path folder = fs::path(testing::TempDir()) / "reanima_siblings";
    fs::remove_all(folder);
    fs::create_directories(folder / "rig" / "parts");
    for (const char* name : {"secret", "rig/hero", "rig/parts/skin"})
        std::ofstream(folder / name) << name;
    std::error_code error;
    fs::create_symlink("../secret", folder / "rig" / "out", error);
    if (error)
        GTEST_SKIP() << "no links: " << error.message();
    fs::create_symlink("parts/skin", folder / "rig" / "in");
    fs::create_directory_symlink("..", folder / "rig" / "up");
    const std::vector<const char*> inside = {"in", "parts/skin"};
    const std::vector<const char*> outside = {"out", "up/secret", "none"};
    const Siblings beside(diskFiles(), (folder / "rig" / "hero").string());
    for (const char* name : inside)
        EXPECT_TRUE(beside.below(name).has_value()) << name;
    for (const char* name : outside)
        EXPECT_FALSE(beside.below(name).has_value()) << name;
    const auto through = std::make_shared<RecordedFiles>(diskFiles(), [](const File&) {});
    EXPECT_FALSE(Siblings(through, (folder / "rig" / "hero").string()).below("out").has_value());
    fs::remove_all(folder);
}

TEST(MemoryFiles, AreReadWithinTheLimits) {
    const std::shared_ptr<MemoryFiles> files = made();
    EXPECT_THAT(*files->below("game"), ElementsAre("game/con", "game/hero", "game/parts/arm", "game/skin"));
    EXPECT_FALSE(files->below("secret").has_value());
    EXPECT_EQ(files->open("secret")->size(), 3U);
    EXPECT_EQ(files->open("nothing"), nullptr);
    Limits limits;
    limits.fileSize = 2;
    const auto errorOf = [&](const char* path) {
        try {
            return (void)files->read(path, limits), std::string("none");
        } catch (const DecodeError& error) {
            return std::string(error.what());
        }
    };
    EXPECT_EQ(errorOf("secret"), "secret: has 3 bytes, but the limit is 2");
    EXPECT_EQ(errorOf("nothing"), "nothing: can't be read: there is no such file");
}

TEST(RecordedFiles, TellWhatWasRead) {
    std::vector<std::string> read;
    const auto files = std::make_shared<RecordedFiles>(made(), [&](const File& file) { read.push_back(file.path); });
    (void)files->read("secret", {});
    (void)Siblings(files, "game/hero")("skin");
    (void)Siblings(files, "game/hero")("none");
    EXPECT_THAT(read, ElementsAre("secret", "game/skin"));
}

/// Files that count how often they are read or opened.
class CountedFiles : public FilesThrough {
  public:
    using FilesThrough::FilesThrough;

    [[nodiscard]] File read(const std::string& path, const Limits& limits) const override {
        ++reads;
        return FilesThrough::read(path, limits);
    }
    [[nodiscard]] std::shared_ptr<const Source> open(const std::string& path) const override {
        ++reads;
        return FilesThrough::open(path);
    }
    mutable int reads = 0;

  protected:
    [[nodiscard]] std::optional<File> readBeside(const std::string& path, std::string_view name,
                                                 const Limits& limits) const override {
        ++reads;
        return FilesThrough::readBeside(path, name, limits);
    }
};

TEST(ReadOnceFiles, ReadSmallFilesOnce) {
    const std::shared_ptr<MemoryFiles> memory = made();
    constexpr std::size_t kLarge = 300U << 10U;
    memory->add("game/large", ByteVector(kLarge));
    const auto counted = std::make_shared<CountedFiles>(memory);
    const auto files = std::make_shared<ReadOnceFiles>(counted);
    const Siblings beside(files, "game/hero");
    EXPECT_EQ(files->open("game/skin")->size(), memory->read("game/skin", {}).bytes.size());
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(files->read("game/skin", {}).bytes, memory->read("game/skin", {}).bytes);
        EXPECT_EQ(beside("skin")->path, "game/skin");
        EXPECT_TRUE(files->exists("game/skin"));
    }
    EXPECT_EQ(counted->reads, 1);
    EXPECT_EQ(files->read("game/large", {}).bytes.size(), kLarge);
    EXPECT_EQ(files->open("game/large")->size(), kLarge);
    EXPECT_GT(counted->reads, 2) << "large ones are not kept";
    EXPECT_FALSE(beside("none").has_value());
    EXPECT_EQ(files->open("none"), nullptr);
    Limits limits;
    limits.fileSize = 1;
    EXPECT_THROW((void)files->read("game/skin", limits), DecodeError);
}

TEST(ReadOnceFiles, ForgetTheOldest) {
    const auto memory = std::make_shared<MemoryFiles>();
    constexpr std::size_t kSize = 256U << 10U;
    constexpr int kMore = 33;  // more than the 8 MiB that are kept
    for (int i = 0; i < kMore; ++i)
        memory->add(std::to_string(i), ByteVector(kSize));
    const auto counted = std::make_shared<CountedFiles>(memory);
    const ReadOnceFiles files(counted);
    for (int i = 0; i < kMore; ++i)
        (void)files.read(std::to_string(i), {});
    EXPECT_EQ(counted->reads, kMore);
    (void)files.read(std::to_string(kMore - 1), {});
    EXPECT_EQ(counted->reads, kMore);
    (void)files.read("0", {});
    EXPECT_EQ(counted->reads, kMore + 1);
}

TEST(ReadOnceFiles, CallFilesAsTheDiskDoes) {
    const fs::path folder = fs::temp_directory_path() / "reanima_read_once_test";
    fs::remove_all(folder);
    fs::create_directories(folder);
    const std::string odd = "a b:da";  // on Windows, no name contains a colon
    std::ofstream(folder / odd) << "pack";
    std::ofstream(folder / "a b:aa") << "skeleton";
    const std::string path = (folder / odd).string();
    const auto files = std::make_shared<ReadOnceFiles>(diskFiles());
    ASSERT_NE(files->open(path), nullptr);
    EXPECT_EQ(files->read(path, {}).name, odd);
    EXPECT_EQ(Siblings(files, path).companion("a b:aa", odd)->name, "a b:aa");
    fs::remove_all(folder);
}

TEST(SteadyDiskFiles, ListAFolderOnce) {
    const fs::path folder = fs::temp_directory_path() / "reanima_steady_files_test";
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::ofstream(folder / "HRAA") << "skeleton";
    const Siblings steady(steadyDiskFiles(), (folder / "hrda").string());
    const Siblings changing(diskFiles(), (folder / "hrda").string());
    EXPECT_EQ(steady("hraa")->name, "HRAA");
    EXPECT_FALSE(steady("hrac").has_value());
    std::ofstream(folder / "hrac") << "texture";
    EXPECT_FALSE(steady("hrac").has_value());
    EXPECT_EQ(changing("hrac")->name, "hrac");
    std::ofstream(folder / "hraa") << "another";
    EXPECT_EQ(steady("hraa")->name, "hraa") << "its exact name comes first";
    fs::remove_all(folder);
}

}  // namespace
}  // namespace reanima::core
