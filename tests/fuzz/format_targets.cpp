/// The formats of the registry. A file that can be dumped must come back byte for byte and decode to the same. A file
/// that can be loaded must give a valid asset. Nothing may crash, hang, or allocate unchecked sizes.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <nlohmann/json.hpp>

#include "core/edit.h"
#include "core/validate.h"
#include "formats/dump.h"
#include "formats/format.h"
#include "formats/load.h"
#include "formats/registry.h"
#include "fuzz/targets.h"
#include "gltf_export/gltf_file.h"

namespace reanima::fuzz {

namespace {

namespace fs = std::filesystem;

/// The samples by name.
std::vector<File> samples() {
    std::vector<File> files;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(REANIMA_SOURCE_DIR) / "samples"))
        if (entry.is_regular_file()) {
            std::ifstream stream(entry.path(), std::ios::binary);
            files.push_back({entry.path().filename().string(), {std::istreambuf_iterator<char>(stream), {}}});
        }
    std::ranges::sort(files, {}, &File::name);
    return files;
}

std::optional<Role> roleOf(Kind kind) {
    switch (kind) {
        case Kind::skeleton:
            return Role::skeleton;
        case Kind::animation:
            return Role::animation;
        case Kind::events:
            return Role::events;
        case Kind::mesh:
            return Role::mesh;
        case Kind::skin:
            return Role::skin;
        case Kind::images:
        case Kind::picture:
        case Kind::materials:
            break;
    }
    return std::nullopt;
}

/// A sample of a format's game for every role.
Companions companionsFor(const Format& format) {
    Companions companions;
    for (const File& file : samples()) {
        const Input input{file, {}, nullptr, {}};
        const Format* other = findFormat(input);
        if (other == nullptr || other == &format || other->game() != format.game() || !other->isWhole(file.bytes))
            continue;
        if (const auto role = roleOf(other->kind))
            if (!companions.contains(*role))
                companions.emplace(*role, Companion{{file, {}, other, {}}, true});
    }
    return companions;
}

/// Shared data of all runs of one format.
class FormatChecks {
  public:
    explicit FormatChecks(const Format& format)
        : format_(format),
          name_("fuzz." + std::string(format.extensions.front())),
          companions_(companionsFor(format)) {}

    void run(core::Bytes bytes) const {
        const Input input = inputOf(core::copyOf(bytes));
        const std::uint32_t hash = hashOf(bytes);
        (void)format_.isWhole(bytes);
        if (format_.beginsLike != nullptr)
            (void)format_.beginsLike(bytes);
        checkRoundTrip(input, hash % 8 == 0);
        if (hash % 2 == 0 || format_.encodeImages != nullptr)
            checkLoad(input, hash % 3 == 0 ? companions_ : none_, hash % 16 == 0);
    }

  private:
    [[nodiscard]] Input inputOf(core::ByteVector bytes) const { return {{name_, std::move(bytes)}, {}, &format_, {}}; }
    void checkRoundTrip(const Input& input, bool twice) const;
    void checkLoad(const Input& input, const Companions& companions, bool write) const;
    void checkPictures(const core::ImageSequence& images, Context& context) const;

    const Format& format_;
    std::string name_;
    Companions companions_;
    Companions none_;
    OptionValues options_;
    core::Limits limits_ = smallLimits();
};

void FormatChecks::checkRoundTrip(const Input& input, bool twice) const {
    core::Diagnostics diagnostics;
    Context context{options_, limits_, diagnostics, {}};
    Json first;
    core::ByteVector again;
    bool isRewritten = false;
    try {
        first = dump(input, {}, context);
        isRewritten = std::ranges::find(diagnostics.warnings(), core::Code::recomputed, &core::Warning::code) !=
                      diagnostics.warnings().end();
        if (format_.encode == nullptr)
            return;
        again = format_.encode(JsonReader(first), context);
    } catch (const core::DecodeError&) {
        const bool isDamaged = std::ranges::any_of(
            diagnostics.warnings(), [](const core::Warning& warning) { return warning.code == core::Code::damaged; });
        require(first.is_null() || isDamaged, "what was dumped can't be encoded");
        return;
    }
    require(isRewritten || again == input.file.bytes, "the bytes differ after decoding and encoding");
    if (!twice)
        return;
    core::Diagnostics more;
    Context second{options_, limits_, more, {}};
    const Json values = dump(inputOf(again), {}, second);
    if (isRewritten)
        require(format_.encode(JsonReader(values), second) == again, "what was rewritten does not come back");
    else
        require(values == first, "the values differ after encoding and decoding");
}

/// Any order of decoding gives the same pictures, also for a file made from them.
void FormatChecks::checkPictures(const core::ImageSequence& images, Context& context) const {
    constexpr std::uint64_t kWorthTheTime = 1U << 14U;
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
        require(std::ranges::equal(jumping->picture(index), inOrder[index]), "a seek gives another picture");
    }
    core::Asset again = load(inputOf(format_.encodeImages(images, context)), {}, context);
    require(again.video->count == images.count, "encoding loses pictures");
    const auto cursor = again.video->open();
    for (std::uint32_t i = 0; i < images.count; ++i)
        require(std::ranges::equal(cursor->picture(i), inOrder[i]), "encoding changes a picture");
}

void FormatChecks::checkLoad(const Input& input, const Companions& companions, bool write) const {
    core::Diagnostics diagnostics;
    Context context{options_, limits_, diagnostics, {}};
    try {
        core::Asset asset = load(input, companions, context);
        refuseEmpty(asset, input);
        require(core::validate(asset).empty(), "the asset is not valid");
        setDefaultRest(asset, input, companions, context);
        if (asset.video)
            checkPictures(*asset.video, context);
        if (write && asset.skeleton)
            (void)gltf::writeGlb(asset, {});
    } catch (const core::DecodeError&) {  // rejected
    }
}

}  // namespace

std::vector<Target> formatTargets() {
    std::vector<Target> all;
    for (const Format* format : formats()) {
        const std::string id(format->id);
        const auto run = [format](core::Bytes bytes) {
            static std::map<const Format*, FormatChecks> known;
            known.try_emplace(format, *format).first->second.run(bytes);
        };
        all.push_back({id, Mutation::fields, run});
    }
    return all;
}

}  // namespace reanima::fuzz
