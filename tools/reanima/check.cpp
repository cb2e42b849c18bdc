#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "importers/load.h"
#include "tools/reanima/files.h"
#include "tools/reanima/options.h"
#include "tools/reanima/platform.h"
#include "tools/reanima/verbs.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

struct CheckOptions {
    InputOptions input;
    std::vector<std::string> files;
    std::string roundTripFolder;
};

std::string withOffset(const core::Warning& warning) {
    std::string field = warning.place.field;
    if (warning.place.offset)
        field += fmt::format("{}at 0x{:x}", field.empty() ? "" : " ", *warning.place.offset);
    return fmt::format("{}: {}{}{}", warning.file, field, field.empty() ? "" : ": ", warning.text);
}

/// Prints every problem of a file: warnings, unless the user wants to hear nothing of them, and notes that are errors
/// to the user.
/// @return true if there is none
bool checkFile(const std::string& path, const CheckOptions& options, const WarningPolicy& policy) {
    try {
        const Input input = options.input.read(path);
        core::Diagnostics diagnostics;
        Context context{options.input.values, options.input.limits, diagnostics};
        (void)dump(input, options.input.givenWithoutRig(), context);
        bool good = true;
        for (const core::Warning& warning : diagnostics.warnings()) {
            const WarningPolicy::Level level = policy.levelOf(warning);
            const bool isNote = warning.severity == core::Warning::Severity::note;
            if (level == WarningPolicy::Level::ignore || (isNote && level != WarningPolicy::Level::error))
                continue;
            printData(withOffset(warning) + "\n");
            good = false;
        }
        if (good)
            printData(fmt::format("{}: ok, {}\n", path, formatOf(input).label));
        return good;
    } catch (const core::DecodeError& error) {
        printData(fmt::format("{}\n", error.what()));
        return false;
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// --roundtrip

struct RoundTrip {
    std::string format;
    std::size_t size = 0;
    std::string result;
    bool good = false;
};

/// Every byte must be the same again.
void compareBytes(const Input& input, const core::ByteVector& again, RoundTrip& trip) {
    const auto [here, there] =
        std::mismatch(input.file.bytes.begin(), input.file.bytes.end(), again.begin(), again.end());
    trip.good = here == input.file.bytes.end() && there == again.end();
    trip.result = trip.good
                      ? "identical"
                      : fmt::format("differs at 0x{:x} ({} bytes)", here - input.file.bytes.begin(), again.size());
}

/// Runs of pixels have no canonical form: the pictures must be the same again.
void comparePictures(const core::ImageSequence& images, const Input& input, const Format& format, Context& context,
                     RoundTrip& trip) {
    Input written = input;
    written.format = &format;
    written.file.bytes = format.encodeImages(images, context);
    const core::Asset asset = load(written, {}, context);
    const core::ImageSequence& again = asset.images.front();
    std::uint32_t same = 0;
    if (again.count == images.count && again.width == images.width && again.height == images.height) {
        const auto a = images.open();
        const auto b = again.open();
        constexpr core::Pixel555 kColours = 0x7FFF;
        const auto equal = [](core::Pixel555 p, core::Pixel555 q) { return (p & kColours) == (q & kColours); };
        while (same < images.count) {
            const auto picture = a->picture(same);
            const auto other = b->picture(same);
            if (!std::equal(picture.begin(), picture.end(), other.begin(), other.end(), equal))
                break;
            ++same;
        }
    }
    trip.good = same == images.count;
    trip.result = fmt::format("{} of {} pictures identical, {} bytes", same, images.count, written.file.bytes.size());
}

RoundTrip roundTrip(const Input& input, const Format& format, const CheckOptions& options) {
    RoundTrip trip{std::string(format.id), input.file.bytes.size(), {}, false};
    core::Diagnostics diagnostics;
    Context context{options.input.values, options.input.limits, diagnostics};
    try {
        std::size_t doubts = 0;
        if (format.encode != nullptr) {
            const Json json = dump(input, options.input.givenWithoutRig(), context);
            doubts = diagnostics.warnings().size();
            compareBytes(input, format.encode(JsonReader(json), context), trip);
        } else {
            const core::Asset asset = load(input, {}, context);
            doubts = diagnostics.warnings().size();
            refuseEmpty(asset, input);
            comparePictures(asset.images.front(), input, format, context, trip);
        }
        if (doubts > 0)
            trip.result += fmt::format(", {} warning{}", doubts, doubts == 1 ? "" : "s");
    } catch (const core::DecodeError& error) {
        trip.result = error.problem();
    }
    return trip;
}

bool canBeWritten(const Format* format) {
    return format != nullptr && (format->encode != nullptr || format->encodeImages != nullptr);
}

int checkFolder(const CheckOptions& options) {
    const FolderContent content = contentOf(fromUtf8(options.roundTripFolder));
    if (content.files.empty() && !content.errors.empty())
        throw content.errors.front();
    std::size_t good = 0;
    std::size_t bad = 0;
    std::size_t unknown = 0;
    printData(fmt::format("{:<36} {:<22} {:>9}  {}\n", "file", "format", "bytes", "decoded and encoded again"));
    const auto print = [&](const std::string& file, const RoundTrip& trip) {
        ++(trip.good ? good : bad);
        printData(fmt::format("{:<36} {:<22} {:>9}  {}\n", file, trip.format, trip.size, trip.result));
    };
    for (const core::DecodeError& error : content.errors)
        print(error.file(), {"-", 0, error.problem(), false});
    for (const fs::path& path : content.files) {
        if (interrupted())
            return kInterrupted;
        const std::string name = toUtf8(path.lexically_relative(fromUtf8(options.roundTripFolder)));
        std::error_code unknownKind;
        if (!fs::is_regular_file(path, unknownKind))
            continue;
        try {
            const Input input = options.input.read(toUtf8(path));
            const Format* format = findFormat(input);
            if (canBeWritten(format))
                print(name, roundTrip(input, *format, options));
            else
                ++unknown;
        } catch (const core::DecodeError& error) {
            print(name, {"-", 0, error.problem(), false});
        }
    }
    printData(fmt::format("{} identical, {} not, {} of no format that can be written\n", good, bad, unknown));
    return bad > 0 ? kInputFailed : kDone;
}

int check(const CheckOptions& options, const Console& console) {
    if (!options.roundTripFolder.empty())
        return checkFolder(options);
    if (options.files.empty())
        throw UsageError("check: name files, or a folder with --roundtrip");
    bool good = true;
    for (const std::string& file : options.files)
        good &= checkFile(file, options, console.policy);
    return good ? kDone : kInputFailed;
}

}  // namespace

const Verb kCheck = {"check", "prints every problem of files, with field and offset",
                     "  reanima check rtda rtaa\n  reanima check --roundtrip battle/",
                     [](Arguments& arguments, Console& console) -> std::function<int()> {
                         const auto options = std::make_shared<CheckOptions>();
                         arguments.list("FILE", options->files, "", "the files");
                         arguments.text("--roundtrip", options->roundTripFolder, "DIR",
                                        "decodes, encodes and compares every file below DIR and prints a table");
                         addInputOptions(arguments, options->input);
                         addConsoleOptions(arguments, console);
                         return [options, &console] { return check(*options, console); };
                     }};

}  // namespace reanima::tool
