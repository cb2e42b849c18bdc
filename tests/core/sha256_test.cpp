#include "core/sha256.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace reanima::core {
namespace {

std::string hashOf(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (const std::uint8_t byte : sha256(ByteVector(text.begin(), text.end())))
        hex.append({kDigits[byte >> 4U], kDigits[byte & 15U]});
    return hex;
}

/// The examples of FIPS 180-4, and lengths around the end of a block from Python's hashlib.
TEST(Sha256, hashesWhatTheStandardLists) {
    EXPECT_EQ(hashOf(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hashOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(hashOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, fillsUpTheLastBlock) {
    EXPECT_EQ(hashOf(std::string(55, 'a')), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    EXPECT_EQ(hashOf(std::string(64, 'a')), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    EXPECT_EQ(hashOf(std::string(119, 'a')), "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb");
}

}  // namespace
}  // namespace reanima::core
