#include "core/text.h"

#include <gtest/gtest.h>

namespace reanima::core {
namespace {

TEST(UniqueNames, LaterOnesGetANumber) {
    UniqueNames names;
    EXPECT_EQ(names.unique("twin"), "twin");
    EXPECT_EQ(names.unique("twin"), "twin_2");
    EXPECT_EQ(names.unique("twin"), "twin_3");
    EXPECT_EQ(names.unique("twin_2"), "twin_2_2");
}

TEST(FileNames, ComeApartAtTheLastSeparatorAndTheLastDot) {
    struct Parts {
        std::string path, folder, stem, extension;
    };
    for (const Parts& parts : {Parts{"a/b.c/walk.run.ANIM", "a/b.c/", "walk.run", "anim"},
                               Parts{"C:\\rigs\\Hero.X", "C:\\rigs\\", "Hero", "x"},
                               Parts{"../rtda", "../", "rtda", ""}, Parts{"a/.x", "a/", ".x", ""},
                               Parts{"walk.", "", "walk", ""}, Parts{"a.b/", "a.b/", "", ""}, Parts{"", "", "", ""}}) {
        const std::string_view name = fileNameOf(parts.path);
        EXPECT_EQ(folderOf(parts.path), parts.folder) << parts.path;
        EXPECT_EQ(stemOf(name), parts.stem) << parts.path;
        EXPECT_EQ(extensionOf(name), parts.extension) << parts.path;
    }
}

TEST(LowerCase, IsThatOfAsciiWhateverTheLocale) {
    EXPECT_EQ(lowerCase("Az_09-\xC4\xD6[@"), "az_09-\xC4\xD6[@");
    for (const char c : {'\xC4', '@', '[', '`', '{', '/', ':'})
        EXPECT_FALSE(isLetter(c) || isDigit(c)) << c;
    for (const char c : {'A', 'Z', 'a', 'z'})
        EXPECT_TRUE(isLetter(c)) << c;
    EXPECT_TRUE(isDigit('0') && isDigit('9'));
}

TEST(SafeName, KeepsLettersDigitsUnderscoreAndMinus) {
    EXPECT_EQ(safeName("L_arm-2"), "L_arm-2");
    EXPECT_EQ(safeName("mixamorig:Hips.001"), "mixamorig_Hips_001");
    EXPECT_EQ(safeName(""), "_");
}

// The rules are Microsoft's ("Naming Files, Paths, and Namespaces").
TEST(PortableName, ReplacesWhatWindowsRefuses) {
    EXPECT_EQ(portableName("clip 7.glb"), "clip 7.glb");
    EXPECT_EQ(portableName("クラウド.glb"), "クラウド.glb");
    EXPECT_EQ(portableName("a<b>c:d\"e/f\\g|h?i*j\x7Fk\n"), "a_b_c_d_e_f_g_h_i_j_k_");
    EXPECT_EQ(portableName("walk. ."), "walk___");
    EXPECT_EQ(portableName(".."), "__");
    EXPECT_EQ(portableName(".hidden"), ".hidden");
    EXPECT_EQ(portableName(""), "_");
}

TEST(PortableName, GivesNamesOfDevicesAnotherEnd) {
    EXPECT_EQ(portableName("CON"), "CON_");
    EXPECT_EQ(portableName("nul.tar.glb"), "nul_.tar.glb");
    EXPECT_EQ(portableName("aux .glb"), "aux _.glb");
    EXPECT_EQ(portableName("Com1.glb"), "Com1_.glb");
    EXPECT_EQ(portableName("lpt\u00B9"), "lpt\u00B9_");
    EXPECT_EQ(portableName("conout$"), "conout$_");
    for (const char* harmless : {"console.glb", "com.glb", "com10.glb", "a.con", "null", "auxiliary", "lptx"})
        EXPECT_EQ(portableName(harmless), harmless);
}

TEST(ValidUtf8, ReplacesBytesThatBelongToNoCharacter) {
    EXPECT_EQ(validUtf8("gr\xC3\xBC\xC3\x9F"), "gr\xC3\xBC\xC3\x9F");
    EXPECT_EQ(validUtf8("\xF0\x9F\x98\x80"), "\xF0\x9F\x98\x80");
    EXPECT_EQ(validUtf8("a\xFF\xC3"), "a__");
    EXPECT_EQ(validUtf8("\xC0\x80"), "__");            // overlong
    EXPECT_EQ(validUtf8("\xED\xA0\x80"), "___");       // surrogate
    EXPECT_EQ(validUtf8("\xF4\x90\x80\x80"), "____");  // beyond the last code point
}

TEST(Printable, ShowsWhatATerminalWouldObey) {
    EXPECT_EQ(printable("gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80 a\\b~"), "gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80 a\\b~");
    EXPECT_EQ(printable("a\nb\rc\td"), "a\\nb\\rc\\td");
    EXPECT_EQ(printable(std::string_view("\x1B[2J\0\x1F\x7F", 7)), "\\x1b[2J\\x00\\x1f\\x7f");
    EXPECT_EQ(printable("\xC2\x9B\x31m\xC2\x80\xC2\xA0"), "\\xc2\\x9b1m\\xc2\\x80\xC2\xA0");  // U+009B is ESC [
    EXPECT_EQ(printable("\x9B\xFF\xC3"), "\\x9b\\xff\\xc3");
    EXPECT_EQ(printable(""), "");
    // Characters that change the order of letters, or begin a line.
    EXPECT_EQ(printable("a\xD8\x9C\xE2\x80\x8E\xE2\x80\x8F"), "a\\xd8\\x9c\\xe2\\x80\\x8e\\xe2\\x80\\x8f");
    EXPECT_EQ(printable("\xE2\x80\xA8\xE2\x80\xAA\xE2\x80\xAE"), "\\xe2\\x80\\xa8\\xe2\\x80\\xaa\\xe2\\x80\\xae");
    EXPECT_EQ(printable("\xE2\x81\xA6\xE2\x81\xA9"), "\\xe2\\x81\\xa6\\xe2\\x81\\xa9");
    for (const std::string beside :
         {"\xE2\x80\x8D", "\xE2\x80\x90", "\xE2\x80\xA7", "\xE2\x80\xAF", "\xE2\x81\xA5", "\xE2\x81\xAA", "\xD8\x9B"})
        EXPECT_EQ(printable(beside), beside);
}

}  // namespace
}  // namespace reanima::core
