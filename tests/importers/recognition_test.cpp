/// How often the loaders read a file.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include <assimp/DefaultIOSystem.h>
#include <assimp/DefaultLogger.hpp>
#include <assimp/IOStream.hpp>
#include <assimp/Importer.hpp>
#include <assimp/LogStream.hpp>
#include <assimp/scene.h>
#include <gtest/gtest.h>

#include "importers/importers.h"
#include "support/bytes.h"

namespace reanima {
namespace {

using BytesRead = std::map<std::string, std::size_t>;

class CountingStream : public Assimp::IOStream {
  public:
    /// @param most elements that one call reads
    CountingStream(std::unique_ptr<Assimp::IOStream> stream, std::size_t& bytes, std::size_t most)
        : stream_(std::move(stream)), bytes_(bytes), most_(most) {}
    std::size_t Read(void* into, std::size_t size, std::size_t count) override {
        const std::size_t read = stream_->Read(into, size, std::min(count, most_));
        bytes_ += read * size;
        return read;
    }
    std::size_t Write(const void*, std::size_t, std::size_t) override { return 0; }
    aiReturn Seek(std::size_t offset, aiOrigin origin) override { return stream_->Seek(offset, origin); }
    [[nodiscard]] std::size_t Tell() const override { return stream_->Tell(); }
    [[nodiscard]] std::size_t FileSize() const override { return stream_->FileSize(); }
    void Flush() override {}

  private:
    std::unique_ptr<Assimp::IOStream> stream_;
    std::size_t& bytes_;
    std::size_t most_;
};

class CountingSystem : public Assimp::IOSystem {
  public:
    explicit CountingSystem(BytesRead& bytes, std::size_t most = SIZE_MAX) : bytes_(bytes), most_(most) {}
    bool Exists(const char* path) const override { return disk_.Exists(path); }
    [[nodiscard]] char getOsSeparator() const override { return disk_.getOsSeparator(); }
    Assimp::IOStream* Open(const char* path, const char* mode) override {
        std::unique_ptr<Assimp::IOStream> stream(disk_.Open(path, mode));
        if (!stream)
            return nullptr;
        return new CountingStream(std::move(stream), bytes_[path], most_);
    }
    void Close(Assimp::IOStream* stream) override { delete stream; }

  private:
    Assimp::DefaultIOSystem disk_;
    BytesRead& bytes_;
    std::size_t most_;
};

TEST(Recognition, ReadsStreamsThatReadInParts) {
    const std::filesystem::path path = test::sourceFolder() / "samples/rlf/wheel.rlf";
    BytesRead bytes;
    Assimp::Importer importer;
    registerImportersFirst(importer);
    importer.SetIOHandler(new CountingSystem(bytes, 1000));
    ASSERT_NE(importer.ReadFile(path.string(), 0), nullptr) << importer.GetErrorString();
    EXPECT_EQ(bytes.at(path.string()), std::filesystem::file_size(path));
}

TEST(Recognition, ReadsAFileOnceForAllLoaders) {
    const std::filesystem::path path = test::sourceFolder() / "samples/ff9/hero_walk.ff9anim";
    ASSERT_TRUE(std::filesystem::exists(path));
    BytesRead bytes;
    Assimp::Importer importer;
    registerImportersFirst(importer);
    importer.SetIOHandler(new CountingSystem(bytes));
    for (std::size_t round = 1; round <= 2; ++round) {
        ASSERT_NE(importer.ReadFile(path.string(), 0), nullptr) << importer.GetErrorString();
        EXPECT_EQ(bytes.at(path.string()), round * std::filesystem::file_size(path));
    }
}

/// Adds all lines of Assimp's log to a text.
class LogText : public Assimp::LogStream {
  public:
    explicit LogText(std::string& text) : text_(text) {}
    void write(const char* line) override { text_ += line; }

  private:
    std::string& text_;
};

TEST(Recognition, LogsWhyADamagedFileIsNotRead) {
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "rtda";
    std::ofstream(path, std::ios::binary) << "ab";
    std::string log;
    Assimp::DefaultLogger::create("", Assimp::Logger::NORMAL, 0);
    Assimp::DefaultLogger::get()->attachStream(new LogText(log), Assimp::Logger::Info);
    Assimp::Importer importer;
    registerImportersFirst(importer);
    EXPECT_EQ(importer.ReadFile(path.string(), 0), nullptr);
    Assimp::DefaultLogger::kill();
    EXPECT_NE(log.find("reanima can't read a file that looks like Final Fantasy VII (PC) battle animations: " +
                       path.string() + ": count at 0x0: needs 4 bytes, but only 2 are left"),
              std::string::npos)
        << log;
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace reanima
