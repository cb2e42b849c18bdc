/// Properties of every format of the registry, tested on every available file.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/validate.h"
#include "formats/common_options.h"
#include "formats/dump.h"
#include "formats/format.h"
#include "formats/load.h"
#include "formats/registry.h"
#include "support/broken.h"
#include "support/bytes.h"

namespace reanima {
namespace {

namespace fs = std::filesystem;
using core::ByteVector;

/// The files of the samples and of the conformance cases that a format claims to the last byte.
std::vector<fs::path> soundFiles() {
    std::vector<fs::path> files;
    for (const char* folder : {"samples", "tests/data/conformance"})
        for (const auto& entry : fs::recursive_directory_iterator(test::sourceFolder() / folder)) {
            if (!entry.is_regular_file() || test::isPartOfCharacter(entry.path()))
                continue;
            const Input input = test::inputFrom(entry.path());
            const Format* format = findFormat(input);
            // A mesh consists of many similar lists.
            const bool hasMesh = format != nullptr && (format->kind == Kind::mesh ||
                                                       entry.path().string().find("-mesh") != std::string::npos);
            const bool isLong = hasMesh && input.file.bytes.size() > 2000;
            if (format != nullptr && !isLong && format->isWhole(input.file.bytes))
                files.push_back(entry.path());
        }
    std::sort(files.begin(), files.end());
    return files;
}

struct Outcome {
    std::string error;  ///< empty: the file could be dumped
    /// True if encoding the dump gives the same bytes, or the same pictures. Containers can't be written.
    bool comesBack = false;
};

/// The pixels of all pictures.
std::vector<core::Pixel555> picturesOf(const core::Asset& asset) {
    std::vector<core::Pixel555> pixels;
    if (asset.video) {
        const auto cursor = asset.video->open();
        for (std::uint32_t i = 0; i < asset.video->count; ++i) {
            const auto picture = cursor->picture(i);
            pixels.insert(pixels.end(), picture.begin(), picture.end());
        }
    }
    return pixels;
}

/// In a file with several models, each one is a valid asset of the stated size, or is rejected.
void tryEveryModel(const Input& input) {
    std::vector<ModelSummary> models;
    try {
        test::Surroundings s;
        models = modelsOf(input, {}, s.context);
    } catch (const core::DecodeError&) {  // loading rejects it, too
    }
    for (const ModelSummary& model : models) {
        SCOPED_TRACE(model.id);
        test::Surroundings s;
        s.options.set(kModelOption.key, model.id);
        try {
            const core::Asset asset = load(input, {}, s.context);
            EXPECT_EQ(core::validate(asset), std::vector<std::string>());
            EXPECT_EQ(asset.model, model.id);
            EXPECT_EQ(asset.skeleton->joints.size(), model.joints);
            EXPECT_LE(asset.clips.size(), model.clips);
        } catch (const core::DecodeError& error) {
            EXPECT_LE(error.offset().value_or(0), input.file.bytes.size()) << error.what();
        }
    }
}

/// True if encoding rewrites a file, with a note or warning, and the result is stable.
bool isRewritten(const Input& input, const core::ByteVector& bytes, const core::Diagnostics& diagnostics) {
    if (std::ranges::none_of(diagnostics.warnings(),
                             [](const core::Warning& w) { return w.code == core::Code::recomputed; }))
        return false;
    Input written = input;
    written.file.bytes = bytes;
    test::Surroundings s;
    return input.format->encode(JsonReader(dump(written, {}, s.context)), s.context) == bytes;
}

/// Dumps, encodes, loads and validates arbitrary bytes; errors must name an offset inside them.
Outcome tryEverything(const Input& input) {
    Outcome outcome;
    const std::size_t size = input.file.bytes.size();
    test::Surroundings s;
    try {
        const Json json = dump(input, {}, s.context);
        outcome.comesBack = input.format->encode == nullptr;
        if (!outcome.comesBack) {
            const ByteVector bytes = input.format->encode(JsonReader(json), s.context);
            outcome.comesBack = bytes == input.file.bytes || isRewritten(input, bytes, s.diagnostics);
        }
    } catch (const core::DecodeError& error) {
        outcome.error = error.what();
        EXPECT_FALSE(error.problem().empty());
        if (error.offset()) {
            EXPECT_LE(*error.offset(), size) << error.what();
        }
    }
    for (const core::Warning& warning : s.diagnostics.warnings())
        if (warning.place.offset) {
            EXPECT_LE(*warning.place.offset, size) << warning.message();
        }
    try {
        test::Surroundings again;
        const core::Asset asset = load(input, {}, again.context);
        if (!asset.video || asset.video->count > 0) {
            EXPECT_EQ(core::validate(asset), std::vector<std::string>());
        }
        const std::vector<core::Pixel555> pictures = picturesOf(asset);
        if (input.format->encodeImages != nullptr && !pictures.empty()) {
            Input written = input;
            written.file.bytes = input.format->encodeImages(*asset.video, again.context);
            outcome.comesBack = picturesOf(load(written, {}, again.context)) == pictures;
        }
    } catch (const core::DecodeError&) {  // already tested above
    }
    tryEveryModel(input);
    return outcome;
}

/// Steps through the positions of a file: every one of a small file, fewer of a large one. Large files also take longer
/// per position. With REANIMA_LONG set, larger files count as small.
std::size_t strideFor(std::size_t size) {
    const std::size_t small = std::getenv("REANIMA_LONG") != nullptr ? 2048 : 256;
    return 1 + size / small * (1 + size / 4096);
}

/// The file with other bytes. Its format and its companions stay the same.
Input with(const Input& original, ByteVector bytes) {
    Input input = original;
    input.format = findFormat(original);
    bytes.shrink_to_fit();  // so AddressSanitizer sees a read past the end
    input.file.bytes = std::move(bytes);
    return input;
}

class EveryFormat : public testing::TestWithParam<fs::path> {};

TEST_P(EveryFormat, ComesBack) {
    const Input input = test::inputFrom(GetParam());
    const Outcome outcome = tryEverything(with(input, input.file.bytes));
    EXPECT_EQ(outcome.error, "");
    EXPECT_TRUE(outcome.comesBack);
}

TEST_P(EveryFormat, GivesTheSameTwice) {
    const Input input = test::inputFrom(GetParam());
    test::Surroundings a;
    test::Surroundings b;
    EXPECT_EQ(dump(input, {}, a.context), dump(input, {}, b.context));
}

TEST_P(EveryFormat, EveryShorterFileIsReadOrRefused) {
    const Input input = test::inputFrom(GetParam());
    const std::size_t size = input.file.bytes.size();
    for (std::size_t length = 0; length < size; length += strideFor(size)) {
        SCOPED_TRACE(length);
        const ByteVector cut(input.file.bytes.begin(), input.file.bytes.begin() + static_cast<std::ptrdiff_t>(length));
        const Outcome outcome = tryEverything(with(input, cut));
        EXPECT_TRUE(outcome.comesBack || !outcome.error.empty());
    }
}

TEST_P(EveryFormat, EveryPatchedByteOfTheBeginningIsReadOrRefused) {
    const Input input = test::inputFrom(GetParam());
    const std::size_t beginning = std::min<std::size_t>(input.file.bytes.size(), 160);
    for (std::size_t at = 0; at < beginning; at += strideFor(input.file.bytes.size()))
        for (const int change : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
            SCOPED_TRACE(testing::Message() << "byte " << at << " = " << change);
            ByteVector patched = input.file.bytes;
            patched[at] = static_cast<std::uint8_t>(change);
            const Outcome outcome = tryEverything(with(input, patched));
            EXPECT_TRUE(outcome.comesBack || !outcome.error.empty());
        }
}

TEST_P(EveryFormat, CountsOfAllOnesAllocateNothing) {
    const Input input = test::inputFrom(GetParam());
    const std::size_t size = input.file.bytes.size();
    for (std::size_t at = 0; at + 4 <= std::min<std::size_t>(size, 300); at += strideFor(size)) {
        SCOPED_TRACE(at);
        ByteVector patched = input.file.bytes;
        std::fill_n(patched.begin() + static_cast<std::ptrdiff_t>(at), 4, std::uint8_t{0xFF});
        (void)tryEverything(with(input, patched));  // the test's environment makes a large allocation end it
    }
}

INSTANTIATE_TEST_SUITE_P(Files, EveryFormat, testing::ValuesIn(soundFiles()), [](const auto& test) {
    std::string name =
        test.param.parent_path().parent_path().filename().string() + "_" + test.param.filename().string();
    for (char& c : name)
        c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
});

TEST(Registry, IdsAndOptionsAreInOrder) {
    for (const Format* format : formats()) {
        EXPECT_EQ(formatNamed(format->id), format);
        EXPECT_FALSE(format->label.empty());
        EXPECT_FALSE(format->extensions.empty());
        for (const OptionInfo& option : format->options)
            EXPECT_FALSE(option.help.empty()) << option.key;
    }
    EXPECT_EQ(formatNamed("nothing"), nullptr);
}

TEST(Registry, NoFormatClaimsNothingAtAll) {
    for (const Format* format : formats()) {
        EXPECT_FALSE(format->isWhole({})) << format->id;
        EXPECT_FALSE(format->beginsLike != nullptr && format->beginsLike({})) << format->id;
        EXPECT_FALSE(format->isWhole(ByteVector(1000))) << format->id;
    }
}

TEST(Registry, WhatIsTooLargeForEveryFormatIsNotCalledUnknown) {
    Input input({"big.bin", ByteVector(100)});
    input.memoryLeft = 100;
    EXPECT_EQ(test::messageOf([&](core::Diagnostics&) { (void)formatOf(input); }),
              "big.bin: is too large to be recognised by its content (see option limit-memory=MIB)");
}

TEST(Registry, EveryFormatHasSoundFilesToTry) {
    std::set<std::string_view> tried;
    for (const fs::path& path : soundFiles())
        tried.insert(findFormat(test::inputFrom(path))->id);
    for (const Format* format : formats())
        EXPECT_TRUE(tried.contains(format->id)) << format->id;
}

}  // namespace
}  // namespace reanima
