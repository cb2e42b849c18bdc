/// Archives that follow the format pages can be read. Hostile archives are rejected, or lose only their damaged parts.
#include <algorithm>

#include <gmock/gmock.h>

#include "archives/archive.h"
#include "archives/open_archives.h"
#include "archives/writers.h"
#include "core/source.h"
#include "support/bytes.h"

namespace reanima::archives {
namespace {

using core::ByteVector;
using test::bytesOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::unique_ptr<Archive> opened(ByteVector bytes, const core::Limits& limits = {}) {
    bytes.shrink_to_fit();  // so AddressSanitizer sees a read past the end
    return Archive::open({core::inMemory(std::move(bytes))}, limits);
}

std::vector<std::string> namesIn(const Archive& archive) {
    std::vector<std::string> names;
    for (const Entry& entry : archive.entries())
        names.push_back(entry.name);
    return names;
}

std::vector<std::string> warningsOf(const Archive& archive) {
    std::vector<std::string> messages;
    for (const core::Warning& warning : archive.diagnostics().warnings())
        messages.push_back(core::DecodeError(warning.place, warning.text).what());
    return messages;
}

std::string textOf(const Archive& archive, std::string_view name) {
    const Entry* entry = archive.find(name);
    if (entry == nullptr)
        return "no such entry";
    const ByteVector bytes = archive.read(*entry, {});
    return {bytes.begin(), bytes.end()};
}

template <typename Work>
std::string errorOf(const Work& work) {
    try {
        work();
    } catch (const core::DecodeError& error) {
        return error.what();
    }
    return "none";
}

std::string openingErrorOf(const ByteVector& bytes) {
    return errorOf([&] { (void)opened(bytes); });
}

void put(ByteVector& bytes, std::size_t at, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
        bytes.at(at + i) = static_cast<std::uint8_t>(value >> (8 * i));
}

// ---------------------------------------------------------------------------------------------------------------------
// LGP

const std::vector<test::FileInArchive> kLgpFiles = {
    {"cloud", bytesOf("first"), "a"},
    {"cloud", bytesOf("second"), "b/c"},
    {"rtaa", bytesOf("skeleton")},
    {"RTDA", bytesOf("")},
};

TEST(Lgp, ListsAndReads) {
    const auto archive = opened(test::lgpOf(kLgpFiles));
    EXPECT_EQ(archive->format().id, "ff7-lgp");
    EXPECT_THAT(namesIn(*archive), ElementsAre("a/cloud", "b/c/cloud", "rtaa", "RTDA"));
    EXPECT_THAT(warningsOf(*archive), IsEmpty());
    // 16 bytes, 4 rows of 27, 900 slots of 4, a list of two folders, and the header of the data
    EXPECT_EQ(archive->entries()[0].offset, 16U + 4 * 27 + 3600 + 2 + 2 + 2 * 130 + 24);
    EXPECT_EQ(archive->entries()[1].size, 6U);
    EXPECT_EQ(archive->entries()[2].id, 2U);
    EXPECT_EQ(textOf(*archive, "B/C/Cloud"), "second");
    EXPECT_EQ(textOf(*archive, "rtda"), "");
    EXPECT_EQ(textOf(*archive, "#2"), "skeleton");
    EXPECT_EQ(textOf(*archive, "cloud"), "no such entry") << "two have that name";
    EXPECT_EQ(textOf(*archive, "#4"), "no such entry");
}

TEST(Lgp, KeepsNamesInside) {
    ByteVector bytes =
        test::lgpOf({{"aa", bytesOf("x"), ""}, {"ab", bytesOf("y"), ""}, {"ab", bytesOf("z"), "../../etc"}});
    const auto archive = opened(bytes);
    EXPECT_THAT(namesIn(*archive), ElementsAre("aa", "ab", "__/__/etc/ab"));
    EXPECT_THAT(warningsOf(*archive), ElementsAre("__/__/etc/ab at 0xfc3: is stored as '../../etc/ab'"));
}

TEST(Lgp, TellsFoldersFromFiles) {
    const auto archive = opened(test::lgpOf(
        {{"aa", bytesOf("1"), "ab"}, {"ab", bytesOf("2")}, {"ac", bytesOf("3")}, {"aa", bytesOf("4"), "AC"}}));
    EXPECT_THAT(namesIn(*archive), ElementsAre("ab/aa", "ab_2", "ac", "AC_2/aa"));
    EXPECT_EQ(textOf(*archive, "ab_2"), "2");
    EXPECT_EQ(textOf(*archive, "ac_2/aa"), "4");
}

TEST(Lgp, SaysWhatTheTableMisses) {
    ByteVector bytes = test::lgpOf(kLgpFiles);
    const std::size_t slots = 16 + 27 * 4;
    constexpr std::size_t kRow = 'r' - 'a';
    constexpr std::size_t kColumn = 't' - 'a' + 1;
    put(bytes, slots + 4 * (kRow * 30 + kColumn), 0, 4);
    put(bytes, 16 + 20, 0x7FFFFF00, 4);
    bytes.at(16 + 27 * 4 + 3600 + 2 + 2 + 2 * 130 + 24 + 5) = 'x';  // the name before the second file's data
    const auto archive = opened(bytes);
    EXPECT_THAT(
        warningsOf(*archive),
        ElementsAre("a/cloud at 0x7fffff00: its data would begin at 0x7fffff00: needs 24 bytes, but only 0 are left",
                    "b/c/cloud at 0xfb1: its data is called 'xloud'; the name in the table is used",
                    "rtaa: is missing from slot 530 of the look-up table, so the game can't find it",
                    "RTDA: is missing from slot 530 of the look-up table, so the game can't find it"));
    EXPECT_EQ(errorOf([&] { (void)textOf(*archive, "#0"); }),
              "a/cloud at 0x7fffff00: its data would begin at 0x7fffff00: needs 24 bytes, but only 0 are left");
    EXPECT_EQ(textOf(*archive, "b/c/cloud"), "second");
}

/// Zeros that are not read.
class ManyBytes : public core::Source {
  public:
    explicit ManyBytes(std::uint64_t size) : size_(size) {}
    [[nodiscard]] std::uint64_t size() const override { return size_; }

  protected:
    bool fill(std::uint64_t, std::span<std::uint8_t>) const override { return false; }

  private:
    std::uint64_t size_;
};

ByteVector writtenWith(const Archive& archive, std::uint32_t entry, std::string_view data) {
    const std::vector<Replacement> other = {{entry, core::inMemory(bytesOf(data))}};
    ByteVector bytes;
    const RewrittenArchive written = archive.withOther(other);
    written.write([&bytes](core::Bytes part) { bytes.insert(bytes.end(), part.begin(), part.end()); });
    EXPECT_EQ(bytes.size(), written.size);
    return bytes;
}

TEST(Lgp, IsWrittenAsByItsDescription) {
    const auto archive = opened(test::lgpOf(kLgpFiles));
    std::vector<test::FileInArchive> files = kLgpFiles;
    EXPECT_EQ(writtenWith(*archive, 1, "second"), test::lgpOf(files));
    for (const char* data : {"", "longer than it was"}) {
        files[1].bytes = bytesOf(data);
        EXPECT_EQ(writtenWith(*archive, 1, data), test::lgpOf(files));
    }
    EXPECT_EQ(archive->withOther({}).changed.size(), 0U);
}

TEST(Lgp, HoldsNoMoreThanItsNumbers) {
    const auto archive = opened(test::lgpOf(kLgpFiles));
    const auto errorWith = [&](std::uint64_t first, std::uint64_t second) {
        const std::vector<Replacement> others = {{0, std::make_shared<ManyBytes>(first)},
                                                 {1, std::make_shared<ManyBytes>(second)}};
        return errorOf([&] { (void)archive->withOther(others); });
    };
    EXPECT_EQ(errorWith(1, 0xFFFFFFFF),
              "rtaa: its offset would be 4294971332, but the format allows at most 4294967295");
    EXPECT_EQ(errorWith(0x100000000, 1),
              "a/cloud: its size would be 4294967296, but the format allows at most 4294967295");
}

TEST(Lgp, RefusesATableLargerThanTheFile) {
    ByteVector bytes = test::lgpOf(kLgpFiles);
    put(bytes, 12, 0xFFFFFFFF, 4);
    EXPECT_EQ(openingErrorOf(bytes), "file_count at 0xc: is 4294967295, but the file has room for only 151");
    bytes = test::lgpOf(kLgpFiles);
    bytes.resize(16 + 27 * 4 + 3599);
    EXPECT_EQ(openingErrorOf(bytes), "slots.count at 0xe8a: needs 2 bytes, but only 1 is left");
}

TEST(Lgp, SaysWhatItCannotName) {
    ByteVector bytes = test::lgpOf(kLgpFiles);
    put(bytes, 16 + 27 * 2 + 25, 9, 2);
    bytes.at(16 + 27 * 3) = '!';
    EXPECT_THAT(
        warningsOf(*opened(bytes)),
        ElementsAre("files[2].conflict: is 9, but this list does not contain the file, so its folder is not known",
                    "!TDA at 0xfef: its data is called 'RTDA'; the name in the table is used",
                    "!TDA: the look-up table has no slot for such a name, so the game can't find the file"));
}

// ---------------------------------------------------------------------------------------------------------------------
// FF9.IMG, DBs and chunks

TEST(Ff9Img, ListsAndReads) {
    const auto archive =
        opened(test::imgOf({{428, 0xFFFF, bytesOf("monster")}, {431, 7, {}}, {5, 0, ByteVector(2049, 1)}},
                           {bytesOf("effect"), std::nullopt, bytesOf("last")}));
    EXPECT_EQ(archive->format().id, "ff9-img");
    EXPECT_THAT(namesIn(*archive), ElementsAre("0/428", "0/431", "0/5", "1/0", "1/2"));
    EXPECT_THAT(warningsOf(*archive), IsEmpty());
    EXPECT_EQ(archive->entries()[0].offset, 3U * 2048);
    EXPECT_EQ(archive->entries()[1].size, 0U);
    EXPECT_EQ(archive->entries()[1].detail, 7U);
    EXPECT_EQ(archive->entries()[2].size, 2U * 2048);
    EXPECT_EQ(archive->entries()[3].detail, std::nullopt);
    EXPECT_EQ(archive->entries()[4].offset, 7U * 2048);
    EXPECT_EQ(textOf(*archive, "1/2").substr(0, 5), std::string("last\0", 5));
    EXPECT_EQ(textOf(*archive, "1/1"), "no such entry");
}

TEST(Ff9Img, KnowsRateAndTexturesByTheDirectory) {
    const auto archive = opened(test::imgOf({{1, 0, bytesOf("x")}}, {}));
    Entry entry = archive->entries()[0];
    const auto told = [&](const char* name) {
        entry.name = name;
        const OptionValues options = archive->optionsOf(entry);
        return std::pair(options.number("rate"), options.text("textures-by").value_or(""));
    };
    using Told = std::pair<std::optional<double>, std::string>;
    EXPECT_EQ(told("3/1"), Told(20, "vram"));
    EXPECT_EQ(told("4/100"), Told(30, "vram"));
    EXPECT_EQ(told("7/428"), Told(15, "place"));
    EXPECT_EQ(told("10/5414"), Told(15, "place"));
    EXPECT_EQ(told("8/3"), Told(std::nullopt, "place"));
    EXPECT_EQ(told("2/3"), Told(std::nullopt, ""));
}

TEST(Ff9Img, ADirectoryOfPlacesEndsWhereTheNextOnesFilesBegin) {
    ByteVector bytes = test::imgOf({}, {bytesOf("effect"), bytesOf("last")});
    bytes.resize(std::size_t{6} * 2048);
    put(bytes, 32 + 4, 2, 4);  // overwrites the mark of the end
    put(bytes, 48, 3, 4);
    put(bytes, 48 + 4, 1, 4);
    put(bytes, 48 + 8, 2, 4);
    const auto sizesWith = [&](std::uint32_t firstSector) {
        put(bytes, 48 + 12, firstSector, 4);
        std::vector<std::uint64_t> sizes;
        const auto archive = opened(bytes);
        for (const Entry& entry : archive->entries())
            sizes.push_back(entry.size / 2048);
        return sizes;
    };
    EXPECT_THAT(sizesWith(5), ElementsAre(1, 1, 1));
    EXPECT_THAT(sizesWith(3), ElementsAre(1, 2, 3));  // now the last file is after it, and ends with the image
}

TEST(Ff9Img, MarksFilesThatRunBackwards) {
    ByteVector bytes = test::imgOf({{1, 0, bytesOf("x")}, {2, 0, bytesOf("y")}, {3, 0, bytesOf("z")}}, {});
    put(bytes, 2048 + 8 + 4, 0xFFFFFF, 4);
    const auto archive = opened(bytes);
    EXPECT_THAT(warningsOf(*archive),
                ElementsAre("0/1 at 0x1800: would be at 0x1800 to 0x7fffff800, but the archive has only 0x3000 bytes",
                            "0/2 at 0x7fffff800: begins at 0x7fffff800, but ends at 0x2800"));
    EXPECT_EQ(textOf(*archive, "0/3").front(), 'z');
}

TEST(Ff9Img, RefusesListsThatShareBytes) {
    ByteVector bytes = test::imgOf({{1, 0, bytesOf("x")}}, {});
    put(bytes, 16 + 4, 1000, 4);
    EXPECT_EQ(openingErrorOf(bytes), "directories[0] at 0x800: its list needs 8008 bytes, but only 6144 are left");
    put(bytes, 16 + 4, 600, 4);  // 4808 bytes of an image of 8192
    put(bytes, 32, 2, 4);
    put(bytes, 32 + 4, 500, 4);
    put(bytes, 32 + 8, 1, 4);
    EXPECT_EQ(openingErrorOf(bytes), "directories[1] at 0x800: has 500 files, but the image is too small for them");
}

TEST(Ff9Img, LeavesOutDirectoriesOfOtherKinds) {
    ByteVector bytes = test::imgOf({{1, 0, bytesOf("x")}}, {});
    put(bytes, 16, 5, 4);
    EXPECT_THAT(warningsOf(*opened(bytes)),
                ElementsAre("directories[0] at 0x800: has the unknown kind 5 and is left out"));
}

TEST(Ff9Db, ListsObjectsOfInnerDbs) {
    const ByteVector inner = test::dbOf({test::chunkOf(3, {{7655, bytesOf("animation...")}, {7655, bytesOf("more")}})});
    const auto archive =
        opened(test::dbOf({test::chunkOf(0x1B, {{428, inner}}), test::chunkOf(4, {{7, bytesOf("tim!")}})}));
    EXPECT_EQ(archive->format().id, "ff9-db");
    EXPECT_THAT(namesIn(*archive), ElementsAre("1b/428/03/7655.ff9anim", "1b/428/03/7655_2.ff9anim", "04/7.tim"));
    EXPECT_EQ(textOf(*archive, "1b/428/03/7655"), "animation...");
    EXPECT_EQ(textOf(*archive, "1B/428/03/7655_2.FF9ANIM"), "more");
    EXPECT_EQ(textOf(*archive, "04/7"), "tim!");
    EXPECT_EQ(archive->entries()[2].type, 4U);
    EXPECT_EQ(opened(test::chunkOf(4, {{7, bytesOf("tim!")}}))->format().id, "ff9-chunk");
}

// ---------------------------------------------------------------------------------------------------------------------
// PAK

/// "seen" in zlib's form without compression.
const ByteVector kStoredByZlib = {0,    0,   0,   4,   0x78, 0x01, 0x01, 4,    0,   0xFB,
                                  0xFF, 's', 'e', 'e', 'n',  0x04, 0x37, 0x01, 0xAC};

TEST(MetroidPak, ListsAndReads) {
    const auto archive = opened(test::pakOf({{"ANCS", 0x12345678, "Samus"}}, {{"ANCS", 0x12345678, bytesOf("set")},
                                                                              {"ANIM", 0xABCD0001, kStoredByZlib, true},
                                                                              {"ANCS", 0x12345678, bytesOf("set")},
                                                                              {"STRG", 0xABCD0001, bytesOf("text")}}));
    EXPECT_THAT(namesIn(*archive), ElementsAre("Samus.ANCS", "ABCD0001.ANIM", "ABCD0001.STRG"));
    EXPECT_EQ(archive->entries()[0].detail, 2U) << "copies";
    EXPECT_TRUE(archive->entries()[0].padded);
    EXPECT_EQ(archive->entries()[1].size, 4U);
    EXPECT_FALSE(archive->entries()[1].padded);
    EXPECT_EQ(textOf(*archive, "samus.ancs"), "set" + std::string(29, '\xFF'));
    for (const char* name : {"abcd0001.anim", "0xABCD0001", "abcd0001", "0xabcd0001.ANIM"})
        EXPECT_EQ(textOf(*archive, name), "seen") << name;
    EXPECT_EQ(textOf(*archive, "12345678.ANCS").substr(0, 3), "set");
    for (const char* name : {"abcd0001.cinf", "0xABCD", "abcd000100", "0x"})
        EXPECT_EQ(textOf(*archive, name), "no such entry") << name;
}

std::string readingErrorOf(const ByteVector& stored) {
    const auto archive = opened(test::pakOf({}, {{"ANIM", 1, stored, true}}));
    return errorOf([&] { (void)textOf(*archive, "#0"); });
}

TEST(MetroidPak, RefusesWhatDoesNotUnpackToItsSize) {
    ByteVector stored = kStoredByZlib;
    stored[3] = 5;
    EXPECT_EQ(readingErrorOf(stored), "00000001.ANIM at 0x44: unpacks to 4 bytes, expected 5");
    stored[3] = 3;
    EXPECT_EQ(readingErrorOf(stored), "00000001.ANIM at 0x44: unpacks to more than the 3 bytes that it states");
    stored = kStoredByZlib;
    stored[15] = 0;
    EXPECT_THAT(readingErrorOf(stored), HasSubstr("00000001.ANIM at 0x44: its zlib stream is damaged: "));
    stored = kStoredByZlib;
    stored[0] = 0x7F;
    EXPECT_EQ(readingErrorOf(stored),
              "00000001.ANIM at 0x40: states 2130706436 unpacked bytes for 28 packed bytes, more than its method can "
              "produce");
    EXPECT_EQ(readingErrorOf({0, 0, 0, 4, 0x7F, 0xFF, 1}),
              "00000001.ANIM.segment at 0x46: needs 32767 bytes, but only 26 are left");
}

TEST(MetroidPak, RefusesWhatIsPackedOtherwise) {
    const ByteVector begin = {0, 0, 0, 40, 0x78, 0x01, 0x01, 40, 0, 0xD7, 0xFF};
    ByteVector cut(32, 'x');
    std::ranges::copy(begin, cut.begin());
    EXPECT_EQ(readingErrorOf(cut), "00000001.ANIM at 0x44: its zlib stream ends after 21 of 40 bytes");
    EXPECT_EQ(readingErrorOf({0, 0, 0, 4, 0xFF, 0xFE, 'a', 'b'}),
              "00000001.ANIM at 0x46: has a segment of 2 stored bytes, expected 4");
    EXPECT_EQ(readingErrorOf({}), "00000001.ANIM at 0x40: has only 0 packed bytes, which is too few");
    ByteVector large = {0x12, 0xC0, 0, 0};
    large.resize(310000);
    EXPECT_EQ(readingErrorOf(large),
              "00000001.ANIM at 0x40: has 314572800 bytes, but the limit for one entry is 268435456");
    ByteVector bytes = test::pakOf({}, {{"ANIM", 1, bytesOf("x")}});
    bytes.at(16 + 3) = 2;
    EXPECT_THAT(warningsOf(*opened(bytes)),
                ElementsAre("00000001.ANIM at 0x40: resources.packed is 2, expected 0 or 1"));
}

TEST(MetroidPak, NamesWhatItDoesNotRead) {
    ByteVector corruption;
    for (const std::uint32_t word : {2U, 0x40U, 0U, 0U})
        test::putBig(corruption, word, 4);
    EXPECT_EQ(openingErrorOf(corruption),
              "version at 0x0: is 2, an archive of Metroid Prime 3: Corruption; expected 0x00030005");
    ByteVector prototype = test::pakOf({{"ANCS", 0x12345678, "Samus"}}, {});
    prototype[20] = 0x12;
    EXPECT_EQ(openingErrorOf(prototype),
              "names.length at 0x14: is 301989893, expected at most 4096; ids of 64 bits, as in the prototype of "
              "Metroid Prime 3, are not supported");
    EXPECT_THAT(opened({0, 3, 0, 5, 0, 0, 0, 0})->entries(), IsEmpty()) << "one on a demo disc ends there";
}

// ---------------------------------------------------------------------------------------------------------------------
// ZFS

const std::vector<test::FileInArchive> kZfsFiles = {
    {"one.rlf", bytesOf("first")}, {"TWO.RLF", bytesOf("2")}, {"c:\\x", bytesOf("third")}};

TEST(Zfs, ListsAndReads) {
    for (const std::uint32_t key : {0U, 0x08F7135AU}) {
        const auto archive = opened(test::zfsOf(kZfsFiles, key));
        EXPECT_THAT(namesIn(*archive), ElementsAre("one.rlf", "TWO.RLF", "c__x"));
        EXPECT_EQ(textOf(*archive, "one.RLF"), "first");
        EXPECT_EQ(textOf(*archive, "c__x"), "third");
        EXPECT_THAT(warningsOf(*archive), ElementsAre("c__x at 0xba: is stored as 'c:\\x'"));
    }
}

TEST(Zfs, StopsAtARing) {
    ByteVector bytes = test::zfsOf(kZfsFiles, 0);
    put(bytes, 28 + 76, 28, 4);
    const auto archive = opened(bytes);
    EXPECT_EQ(archive->entries().size(), 3U);
    EXPECT_THAT(warningsOf(*archive),
                testing::Contains("blocks[2] at 0x1c: was already read: the chain of blocks is a ring"));
    put(bytes, 28 + 76, 0x7FFFFFFF, 4);
    EXPECT_THAT(warningsOf(*opened(bytes)),
                testing::Contains("blocks[2] at 0x7fffffff: needs 76 bytes, but the file has only 191 in all"));
    put(bytes, 28 + 4 + 32, 4, 4);
    EXPECT_THAT(warningsOf(*opened(bytes)),
                testing::Contains("one.rlf at 0xb4: is packed with method 4, which is not supported (only another "
                                  "game of this engine uses it)"));
    put(bytes, 12, 1000, 4);
    EXPECT_EQ(openingErrorOf(bytes), "files_per_block at 0xc: is 1000, but the file has room for only 4");
}

TEST(Zfs, ComparesTheNumberOfFiles) {
    ByteVector bytes = test::zfsOf({{"a", bytesOf("x")}}, 0);
    put(bytes, 16, 9, 4);
    EXPECT_THAT(warningsOf(*opened(bytes)), ElementsAre("file_count at 0x10: is 9, but the blocks have 1 files"));
}

// ---------------------------------------------------------------------------------------------------------------------
// All of them

TEST(Formats, AreNamed) {
    std::vector<std::string> labels;
    for (const ArchiveFormat& format : archiveFormats())
        labels.emplace_back(format.label);
    EXPECT_THAT(
        labels,
        ElementsAre("Final Fantasy VII (PC) archive (LGP)", "Final Fantasy IX (PlayStation) image",
                    "Metroid Prime 1 and 2 archive (PAK)", "ZVision archive (ZFS)",
                    "Final Fantasy VIII (PC) archive (FS)", "Final Fantasy VIII (PC) table of an archive (FI, FL)",
                    "Final Fantasy VIII (PC, 2019) archive (ZZZ)", "GameCube disc", "CD or DVD image (ISO 9660)",
                    "CD image with raw sectors", "CD image (CHD)", "CD image description (CUE)",
                    "GameCube disc image (RVZ or WIA)", "GameCube disc image (GCZ)", "GameCube disc image (CISO)",
                    "GameCube disc image (WBFS)", "Final Fantasy IX (PlayStation) DB",
                    "Final Fantasy IX (PlayStation) chunk"));
}

TEST(Names, AreSafeOnEveryFileSystem) {
    EXPECT_EQ(safePart(".."), "__");
    EXPECT_EQ(safePart(". "), "__");
    EXPECT_EQ(safePart("/etc/x"), "_etc_x");
    EXPECT_EQ(safePart("C:\\x"), "C__x");
    EXPECT_EQ(safePart("a*b?c\"d<e>f|g"), "a_b_c_d_e_f_g");
    EXPECT_EQ(safePart(std::string_view("a\0b\x1F\x7F\xFF", 6)), "a_b___");
    EXPECT_EQ(safePart(std::string(300, 'x')), std::string(200, 'x'));
    EXPECT_EQ(safePart("cloud.hrc"), "cloud.hrc");
    EXPECT_EQ(safePart("nul.hrc"), "nul_.hrc");
    EXPECT_EQ(safePart("cloud. "), "cloud__");
}

TEST(Names, AreUniqueWithoutCase) {
    const auto archive =
        opened(test::zfsOf({{"a", bytesOf("1")}, {"A", bytesOf("2")}, {"a_2", bytesOf("3")}, {"a", bytesOf("4")}}, 0));
    EXPECT_THAT(namesIn(*archive), ElementsAre("a", "A_2", "a_2_2", "a_3"));
    EXPECT_EQ(textOf(*archive, "a_2"), "2");
    EXPECT_EQ(textOf(*archive, "A_3"), "4");
}

std::vector<ByteVector> everyKind() {
    const ByteVector inner = test::dbOf({test::chunkOf(3, {{1, bytesOf("animation...")}})});
    return {test::lgpOf(kLgpFiles),
            test::imgOf({{428, 0xFFFF, inner}}, {bytesOf("effect"), std::nullopt}),
            test::dbOf({test::chunkOf(0x1B, {{428, inner}})}),
            test::chunkOf(4, {{7, bytesOf("tim!")}, {8, bytesOf("tim!")}}),
            test::pakOf({{"ANCS", 2, "Samus"}}, {{"ANIM", 1, kStoredByZlib, true}, {"ANCS", 2, bytesOf("x")}}),
            test::zfsOf(kZfsFiles, 0x01020304)};
}

/// Reads every undamaged entry; each has the listed size.
void readAll(const ByteVector& bytes) {
    try {
        const auto archive = opened(bytes);
        for (const Entry& entry : archive->entries()) {
            EXPECT_EQ(archive->find(entry.name), &entry);
            try {
                EXPECT_EQ(archive->read(entry, {}).size(), entry.size);
            } catch (const core::DecodeError& error) {
                EXPECT_FALSE(error.problem().empty());
            }
        }
    } catch (const core::DecodeError& error) {
        EXPECT_FALSE(error.problem().empty());
    }
}

TEST(EveryArchive, IsReadFromEveryPrefix) {
    for (const ByteVector& whole : everyKind())
        for (std::size_t size = 0; size < whole.size(); size += size < 1024 || size + 512 > whole.size() ? 1 : 61)
            readAll({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
}

TEST(EveryArchive, IsReadWithAnyWordOfAllOnes) {
    for (const ByteVector& whole : everyKind())
        for (std::size_t at = 0; at + 4 <= std::min<std::size_t>(whole.size(), 600); ++at) {
            ByteVector patched = whole;
            put(patched, at, 0xFFFFFFFF, 4);
            readAll(patched);
        }
}

TEST(EveryArchive, IsHeldInTheMemoryThatIsAllowed) {
    const std::vector<test::FileInArchive> many(5000, {"aa", {}, ""});
    core::Limits limits;
    limits.memory = 1U << 20U;
    EXPECT_EQ(errorOf([&] { (void)opened(test::zfsOf(many, 0), limits); }).substr(0, 8), "blocks[1");
    limits.memory = 16U << 20U;
    EXPECT_EQ(opened(test::zfsOf(many, 0), limits)->entries().size(), 5000U);
    const auto archive = opened(test::zfsOf({{"a", ByteVector(3U << 20U, 1)}}, 0));
    limits.memory = 1U << 20U;
    EXPECT_EQ(errorOf([&] { (void)archive->read(archive->entries()[0], limits); }),
              "a at 0x68: would need 3 MiB of memory, but the limit is 1 (see option limit-memory=MIB)");
}

TEST(Paths, NameAnEntryAfterAFileThatExists) {
    core::MemoryFiles files;
    for (const char* path : {"a.lgp", "d/b:c.img", "x:y"})
        files.add(path, {});
    const auto parsed = [&](const char* path) {
        const EntryPath entry = parseEntryPath(path, [&](const std::string& file) { return files.exists(file); });
        std::string text = entry.file;
        for (const std::string& name : entry.entries)
            text += "|" + name;
        return text;
    };
    EXPECT_EQ(parsed("a.lgp"), "a.lgp");
    EXPECT_EQ(parsed("a.lgp:rtda"), "a.lgp|rtda");
    EXPECT_EQ(parsed("d/b:c.img:7/428:1b/0/03/7655"), "d/b:c.img|7/428|1b/0/03/7655");
    EXPECT_EQ(parsed("x:y"), "x:y");
    EXPECT_EQ(parsed("C:\\x"), "C:\\x");
    EXPECT_EQ(parsed("b.lgp:rtda"), "b.lgp:rtda");
}

TEST(Paths, FindWhatLiesBeside) {
    const auto files = std::make_shared<core::MemoryFiles>();
    files->add("a.lgp", test::lgpOf(kLgpFiles));
    const auto archives = std::make_shared<OpenArchives>(files);
    const Input input = readInput(archives, "a.lgp:rtda", {});
    EXPECT_EQ(input.file.name, "RTDA");
    EXPECT_EQ(input.shownName(), "a.lgp:RTDA");
    EXPECT_EQ(input.folder(), "a.lgp:");
    EXPECT_EQ(input.siblings("rtaa")->bytes, bytesOf("skeleton"));
    EXPECT_FALSE(input.siblings("rtab").has_value());
    EXPECT_EQ(readInput(archives, "a.lgp:a/cloud", {}).siblings("cloud")->bytes, bytesOf("first"));
    EXPECT_EQ(errorOf([&] { (void)archives->read("a.lgp:rtab", {}); }),
              "a.lgp: contains no entry 'rtab'; did you mean 'rtaa'?");
    EXPECT_EQ(errorOf([&] { (void)OpenArchives().openArchive("no/such.lgp", {}); }),
              "no/such.lgp: can't be read: there is no such file");
    EXPECT_EQ(errorOf([&] { (void)archives->read("a.lgp:rtaa:x", {}); }),
              "a.lgp:rtaa: is not an archive of a known format");
}

/// Files that can be removed while they are open.
class RemovableFiles : public core::FilesThrough {
  public:
    using FilesThrough::FilesThrough;
    bool areRemoved = false;

    [[nodiscard]] bool exists(const std::string& path) const override {
        return !areRemoved && FilesThrough::exists(path);
    }
};

TEST(Paths, StayEntriesOfAnOpenArchiveThatIsRemoved) {
    const auto files = std::make_shared<core::MemoryFiles>();
    files->add("a.lgp", test::lgpOf(kLgpFiles));
    const auto host = std::make_shared<RemovableFiles>(files);
    const auto archives = std::make_shared<OpenArchives>(host);
    const Input input = readInput(archives, "a.lgp:rtda", {});
    host->areRemoved = true;
    EXPECT_EQ(input.siblings("rtaa")->bytes, bytesOf("skeleton"));
    EXPECT_EQ(archives->read("a.lgp:rtaa", {}).bytes, bytesOf("skeleton"));
    EXPECT_TRUE(archives->namesEntry("a.lgp:rtaa"));
    EXPECT_FALSE(archives->namesEntry("b.lgp:rtaa"));
}

}  // namespace
}  // namespace reanima::archives
