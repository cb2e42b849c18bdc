/// A fuzz target per format, all in one program: REANIMA_FUZZ_FORMAT names the format (see scripts/fuzz.sh).
///
/// What can be dumped must come back byte for byte, and decode to the same again; what can be loaded must be a valid
/// asset; nothing may crash, hang, or allocate by a word of the file.

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "core/edit.h"
#include "core/validate.h"
#include "gltf_export/gltf_file.h"
#include "importers/load.h"
#include "importers/registry.h"

namespace {

using namespace reanima;  // NOLINT: a program may

const Format& formatUnderTest() {
    static const Format* format = [] {
        const char* id = std::getenv("REANIMA_FUZZ_FORMAT");
        const Format* found = id != nullptr ? formatNamed(id) : nullptr;
        if (found == nullptr) {
            std::fputs("REANIMA_FUZZ_FORMAT must name a format\n", stderr);
            std::exit(2);
        }
        return found;
    }();
    return *format;
}

void require(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "fuzz: %s\n", what);
        std::abort();
    }
}

core::Limits smallLimits() {
    core::Limits limits;
    limits.samples = 1U << 20U;
    limits.memory = 4U << 20U;
    limits.picturePixels = 1U << 20U;
    limits.filmPixels = 1U << 22U;
    return limits;
}

Input inputOf(core::ByteVector bytes) {
    return {
        {"fuzz." + std::string(formatUnderTest().extensions.front()), std::move(bytes)}, {}, &formatUnderTest(), {}};
}

void checkRoundTrip(const Input& input) {
    const OptionValues none;
    const core::Limits limits = smallLimits();
    core::Diagnostics diagnostics;
    Context context{none, limits, diagnostics};
    Json first;
    core::ByteVector again;
    try {
        first = dump(input, {}, context);
        if (input.format->encode == nullptr)
            return;
        again = input.format->encode(JsonReader(first), context);
    } catch (const core::DecodeError&) {
        require(first.is_null(), "what was dumped can't be encoded");
        return;
    }
    require(again == input.file.bytes, "the bytes differ after decoding and encoding");
    core::Diagnostics more;
    Context second{none, limits, more};
    require(dump(inputOf(again), {}, second) == first, "the values differ after encoding and decoding");
}

/// Any order gives the same pictures, and so does a file made of them.
void checkPictures(const core::ImageSequence& images, Context& context) {
    constexpr std::uint64_t kWorthTheTime = 1U << 18U;
    if (images.count == 0 || std::uint64_t{images.count} * images.width * images.height > kWorthTheTime)
        return;
    std::vector<std::vector<core::Pixel555>> inOrder;
    const auto forward = images.open();
    for (std::uint32_t i = 0; i < images.count; ++i) {
        const auto picture = forward->picture(i);
        inOrder.emplace_back(picture.begin(), picture.end());
    }
    const auto jumping = images.open();
    for (std::uint32_t i = 0; i < images.count; ++i) {
        const std::uint32_t index = (i * 7919U + 3) % images.count;
        const auto picture = jumping->picture(index);
        require(std::equal(picture.begin(), picture.end(), inOrder[index].begin()), "a seek gives another picture");
    }
    core::Asset again = load(inputOf(formatUnderTest().encodeImages(images, context)), {}, context);
    require(again.images.front().count == images.count, "encoding loses pictures");
    const auto cursor = again.images.front().open();
    for (std::uint32_t i = 0; i < images.count; ++i)
        require(std::ranges::equal(cursor->picture(i), inOrder[i]), "encoding changes a picture");
}

void checkLoad(const Input& input) {
    const OptionValues none;
    const core::Limits limits = smallLimits();
    core::Diagnostics diagnostics;
    Context context{none, limits, diagnostics};
    try {
        core::Asset asset = load(input, {}, context);
        refuseEmpty(asset, input);
        require(core::validate(asset).empty(), "the asset is not valid");
        setDefaultRest(asset, input, {}, context);
        for (const core::ImageSequence& images : asset.images)
            checkPictures(images, context);
        if (!asset.skeletons.empty())
            (void)gltf::writeGlb(asset, {});
    } catch (const core::DecodeError&) {  // refused
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Input input = inputOf({data, data + size});
    (void)formatUnderTest().claim(input.file.bytes);
    checkRoundTrip(input);
    checkLoad(input);
    return 0;
}
