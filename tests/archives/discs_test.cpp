/// Discs in all forms contain the same files, and are read by ranges.
#include <algorithm>
#include <atomic>
#include <thread>

#include <gmock/gmock.h>

#include "archives/archive.h"
#include "archives/chunks.h"
#include "archives/open_archives.h"
#include "archives/writers.h"
#include "core/source.h"
#include "support/bytes.h"

namespace reanima::archives {
namespace {

using core::ByteVector;

ByteVector sampleFile(const std::string& name) {
    return test::readBytes(test::sourceFolder() / "samples/discs" / name);
}

std::string contentOf(const Archive& archive, std::string_view name) {
    const Entry* entry = archive.find(name);
    if (entry == nullptr)
        return "no such entry";
    const auto source = archive.sourceOf(*entry, {});
    const ByteVector bytes = source->read(0, source->size(), {});
    EXPECT_EQ(bytes, archive.read(*entry, {}));
    return {bytes.begin(), bytes.end()};
}

std::string everyByte() {
    std::string text;
    for (int i = 0; i < 256; ++i)
        text += static_cast<char>(i);
    return text;
}

TEST(Discs, OfTheGameCubeHoldTheSameInEveryForm) {
    for (const char* name : {"prime.iso", "prime.rvz", "prime.wia", "prime.gcz", "prime.ciso"}) {
        SCOPED_TRACE(name);
        const auto archive = Archive::open({core::inMemory(sampleFile(name))}, {});
        EXPECT_EQ(archive->format().id, "gamecube-disc");
        EXPECT_EQ(contentOf(*archive, "A.TXT"), "hello");
        EXPECT_EQ(contentOf(*archive, "sub/b.bin"), everyByte());
    }
}

TEST(Discs, OfSectorsHoldTheSameInEveryForm) {
    for (const char* name : {"disc.iso", "disc.bin", "disc.chd"}) {
        SCOPED_TRACE(name);
        const auto archive = Archive::open({core::inMemory(sampleFile(name))}, {});
        EXPECT_EQ(archive->format().id, "iso-9660");
        EXPECT_EQ(contentOf(*archive, "a.txt"), "hello");
        EXPECT_EQ(contentOf(*archive, "SUB/B.BIN"), everyByte());
    }
}

/// The start of a disc, and zeros up to its full size. Counts the bytes that are read.
class FullSize : public core::Source {
  public:
    explicit FullSize(ByteVector head) : head_(std::move(head)) {}
    [[nodiscard]] std::uint64_t size() const override { return 1459978240; }
    [[nodiscard]] std::uint64_t read() const { return read_; }

  protected:
    bool fill(std::uint64_t offset, std::span<std::uint8_t> into) const override {
        read_ += into.size();
        std::ranges::fill(into, std::uint8_t{0});
        if (offset < head_.size()) {
            const core::Bytes rest = core::Bytes(head_).subspan(static_cast<std::size_t>(offset));
            std::ranges::copy(rest.first(std::min(rest.size(), into.size())), into.begin());
        }
        return true;
    }

  private:
    ByteVector head_;
    mutable std::uint64_t read_ = 0;
};

TEST(Discs, OfFullSizeAreListedByTheirTables) {
    for (const char* name : {"prime.iso", "disc.iso"}) {
        const auto disc = std::make_shared<FullSize>(sampleFile(name));
        const auto archive = Archive::open({disc}, {});
        EXPECT_EQ(archive->entries().size(), 3U);
        EXPECT_LE(disc->read(), 4U << 20U) << name;
    }
}

TEST(Discs, AnEntryOfAnySizeIsARange) {
    constexpr std::uint64_t kHalf = 600U << 20U;
    const auto range = core::rangeOf(std::make_shared<FullSize>(sampleFile("disc.iso")), kHalf, kHalf);
    EXPECT_EQ(range->size(), kHalf);
    EXPECT_EQ(range->read(kHalf - 2, 2, {}), (ByteVector{0, 0}));
    EXPECT_THROW((void)range->read(kHalf - 1, 2, {}), core::DecodeError);
    EXPECT_THROW((void)core::rangeOf(range, 1, kHalf), core::DecodeError);
}

/// A disc of zeros.
class Counting : public ChunkedSource {
  public:
    Counting() : ChunkedSource(core::inMemory({}), 1U << 30U) {}
    using ChunkedSource::countMade;

  protected:
    [[nodiscard]] Chunk chunkAt(std::uint64_t) const override { return {Chunk::Kind::zeros, 0, size(), 0}; }
};

TEST(Chunks, AreNotMadeWithoutEnd) {
    const Counting source;
    constexpr std::uint64_t kMost = 512ULL << 20U;
    source.countMade(0, kMost - 20);
    EXPECT_EQ(source.read(4096, 20, {}), ByteVector(20));
    EXPECT_THROW((void)source.read(4096, 1, {}), core::DecodeError) << "zeros count, too";
    try {
        source.countMade(4096, 1);
        FAIL();
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_STREQ(error.what(),
                     "chunk at 0x1000: can't be unpacked, because 536870913 bytes were already unpacked, which is too "
                     "many for an image of 0 bytes");
    }
}

/// Chunks of 4 MiB; every byte of a chunk is the chunk's number. Counts how often a chunk is unpacked.
class Numbered : public ChunkedSource {
  public:
    static constexpr std::uint64_t kChunk = 4U << 20U;
    // A file of 2 MiB may be unpacked to up to 1 GiB.
    Numbered() : ChunkedSource(core::inMemory(ByteVector(2U << 20U)), 8 * kChunk) {}
    [[nodiscard]] int unpacked() const { return unpacked_; }

  protected:
    [[nodiscard]] Chunk chunkAt(std::uint64_t offset) const override {
        const std::uint64_t number = offset / kChunk;
        return {Chunk::Kind::packed, number * kChunk, kChunk, number};
    }
    void unpackChunk(const Chunk& chunk, std::span<std::uint8_t> into) const override {
        ++unpacked_;
        std::ranges::fill(into, static_cast<std::uint8_t>(chunk.place));
    }

  private:
    mutable std::atomic<int> unpacked_ = 0;
};

TEST(Chunks, TheLastOnesAreKept) {
    const Numbered disc;
    EXPECT_EQ(disc.read(Numbered::kChunk - 1, 2, {}), (ByteVector{0, 1}));
    EXPECT_EQ(disc.unpacked(), 2);
    EXPECT_EQ(disc.read(5, 1, {}), ByteVector{0});
    EXPECT_EQ(disc.unpacked(), 2) << "two of 4 MiB are kept";
    EXPECT_EQ(disc.read(2 * Numbered::kChunk + 5, 1, {}), ByteVector{2});
    EXPECT_EQ(disc.read(5, 1, {}), ByteVector{0});
    EXPECT_EQ(disc.unpacked(), 3) << "the one that was used last stayed";
    EXPECT_EQ(disc.read(Numbered::kChunk + 5, 1, {}), ByteVector{1});
    EXPECT_EQ(disc.unpacked(), 4);
}

TEST(Chunks, AnyThreadMayRead) {
    const Numbered disc;
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (unsigned thread = 0; thread < 4; ++thread)
        threads.emplace_back([&disc, &wrong, thread] {
            for (unsigned i = 0; i < 40; ++i) {
                const unsigned chunk = (i * 3 + thread) % 8;
                wrong += disc.read(chunk * Numbered::kChunk + i, 1, {}) == ByteVector{static_cast<std::uint8_t>(chunk)}
                             ? 0
                             : 1;
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(wrong, 0);
}

TEST(Chunks, BlocksThatAreLeftOutAreZeros) {
    const SparseSource disc(core::inMemory({9, 1, 2, 3, 4}), 12, 4, {0, 1});
    EXPECT_EQ(disc.size(), 12U);
    EXPECT_EQ(disc.read(2, 8, {}), (ByteVector{0, 0, 1, 2, 3, 4, 0, 0}));
    const SparseSource cut(core::inMemory({9, 1, 2}), 8, 4, {0, 1});
    EXPECT_EQ(cut.read(4, 2, {}), (ByteVector{1, 2}));
    EXPECT_THROW((void)cut.read(4, 4, {}), core::DecodeError);
}

TEST(Discs, WhatDiscsHoldIsFoundThroughThem) {
    const auto files = std::make_shared<core::MemoryFiles>();
    files->add("disc.bin", sampleFile("disc.bin"));
    files->add("disc.cue", test::bytesOf("FILE \"disc.bin\" BINARY\n"));
    const OpenArchives archives(files);
    EXPECT_EQ(archives.open("disc.bin:A.TXT")->size(), 5U);
    EXPECT_EQ(archives.read("disc.cue:sub/b.bin", {}).bytes.size(), 256U);
    ASSERT_EQ(archives.entriesIn("disc.bin", {}).size(), 1U) << "that of the game's archive in it";
    EXPECT_EQ(archives.entriesIn("disc.bin", {})[0].path, "disc.bin:FF9.IMG:1/300");
    EXPECT_EQ(archives.open("disc.bin:none"), nullptr);
}

}  // namespace
}  // namespace reanima::archives
