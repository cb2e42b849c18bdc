#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/shortened.h"
#include "core/text.h"
#include "formats/dump.h"
#include "formats/format.h"
#include "formats/load.h"
#include "tools/reanima/front/options.h"
#include "tools/reanima/jobs/contents.h"
#include "tools/reanima/jobs/walk.h"
#include "tools/reanima/system/failure.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

struct CheckOptions {
    InputOptions input;
    std::vector<std::string> files;
    std::string roundTrip;  ///< a folder, an archive or a file
    bool json = false;
};

std::string withOffset(const core::Warning& warning) {
    std::string field = warning.place.field;
    if (warning.place.offset)
        field += fmt::format("{}at 0x{:x}", field.empty() ? "" : " ", *warning.place.offset);
    return fmt::format("{}: {}{}{}", warning.file, field, field.empty() ? "" : ": ", warning.text);
}

void printProblem(const std::string& line) {
    printDataLine(core::shortened(core::printable(line), core::kLongestMessage));
}

/// @throws core::DecodeError if all models of a file together exceed the limits
void requireWithinLimits(const Input& input, const Companions& given, const Context& context) {
    core::Diagnostics repeated;  // reported when the whole file is read
    Context survey{context.options, context.limits, repeated, context.cancelled};
    std::vector<ModelSummary> models;
    try {
        models = modelsOf(input, given, survey);
    } catch (const core::DecodeError&) {
        return;
    }
    reanima::requireWithinLimits(convertedModels(std::move(models)), input, context.limits);
}

Json asJson(std::string_view code, const std::string& file, const std::string& message, const std::string& field,
            const std::optional<std::uint64_t>& offset) {
    return {{"code", code},
            {"file", file},
            {"message", message},
            {"field", field},
            {"offset", offset ? Json(*offset) : Json(nullptr)}};
}

/// Prints the problems of files and counts the files.
class Checks {
  public:
    Checks(const CheckOptions& options, const Console& console) : options_(options), console_(console) {}

    /// Checks a file, or every file in a folder or archive that a format claims.
    void check(const std::string& path) {
        std::optional<Walk> walk;
        try {
            walk = walkOf(options_.input, path);
        } catch (const core::DecodeError& error) {
            count(path, [&]() -> bool { throw error; });
            return;
        }
        if (walk)
            checkAll(*walk);
        else
            count(path, [&] { return isSound(options_.input.readSource(path)); });
    }

    /// @return the exit status
    [[nodiscard]] int close() const {
        if (options_.json)
            printData(toText({{"schema", 1},
                              {"files", files_},
                              {"ok", sound_},
                              {"with_problems", unsound_},
                              {"skipped", skipped_}}));
        else if (isWalked_ && !console_.quiet)
            printData(fmt::format("{} ok, {} with problems, {} skipped{}\n", sound_, unsound_, skipped_,
                                  skipped_ > 0 ? " (nothing to check)" : ""));
        return interrupted() ? kInterrupted : unsound_ > 0 ? kInputFailed : kDone;
    }

  private:
    void checkAll(const Walk& walk) {
        isWalked_ = true;
        if (!walk.doubts.warnings().empty())
            count(walk.doubts.warnings().front().file, [&] { return !hasProblem(walk.doubts); });
        for (const core::DecodeError& error : walk.errors)
            count(error.file(), [&]() -> bool { throw error; });
        skipped_ += walk.skipped;
        for (const std::string& path : walk.files) {
            if (interrupted())
                return;
            if (!checkArchive(path))
                count(path, [&]() -> std::optional<bool> {
                    const std::optional<Input> input = options_.input.readFromFolder(path);
                    return input ? std::optional(isSound(*input)) : std::nullopt;
                });
        }
    }

    /// @return false for a file that is not an archive
    bool checkArchive(const std::string& path) {
        std::optional<Walk> inside;
        try {
            if (options_.input.folderFormatOf(path) == nullptr)
                return false;
            inside = walkOf(options_.input, path);
        } catch (const core::DecodeError& error) {
            count(path, [&]() -> bool { throw error; });
            return true;
        }
        if (inside)
            checkAll(*inside);
        return inside.has_value();
    }

    /// Prints warnings, unless disabled, and notes that are treated as errors.
    [[nodiscard]] bool hasProblem(const core::Diagnostics& diagnostics) {
        bool found = false;
        for (const core::Warning& warning : diagnostics.warnings()) {
            const WarningPolicy::Level level = console_.policy.levelOf(warning);
            const bool isNote = warning.severity == core::Warning::Severity::note;
            if (level == WarningPolicy::Level::ignore || (isNote && level != WarningPolicy::Level::error))
                continue;
            const std::string line = withOffset(warning);
            add(line, asJson(core::codeName(warning.code), warning.file, warning.text, warning.place.field,
                             warning.place.offset));
            said_.insert(line);
            found = true;
        }
        return found;
    }

    /// Prints every problem of a file.
    /// @return true without problems
    [[nodiscard]] bool isSound(const Input& input) {
        core::Diagnostics diagnostics;
        Context context{options_.input.values, options_.input.limits.holding(input.file.bytes.size()), diagnostics};
        const Companions given = options_.input.givenWithoutRig();
        if (input.readMotion) {
            (void)load(input, {}, context);
        } else {
            (void)dump(input, given, context);
            requireWithinLimits(input, given, context);
        }
        const bool good = !hasProblem(diagnostics);
        file_["format"] = formatOf(input).id;
        if (good && !options_.json && !console_.quiet)
            printDataLine(fmt::format("{}: ok, {}", input.shownName(), formatOf(input).label));
        return good;
    }

    /// @param line describes the problem for people
    void add(const std::string& line, Json problem) {
        if (options_.json)
            file_["problems"].push_back(std::move(problem));
        else
            printProblem(line);
    }

    /// @param isSoundFile true, false, or empty for a file of unknown format
    void count(const std::string& path, const std::function<std::optional<bool>()>& isSoundFile) {
        file_ = {{"file", path}, {"format", nullptr}, {"problems", Json::array()}};
        std::optional<bool> isSound = false;
        try {
            isSound = isSoundFile();
        } catch (const core::DecodeError& error) {
            const std::string line = error.message(flagWording);
            const Failure failure = currentFailure();
            if (!said_.contains(line))  // the archive's list and an entry may report the same problem
                add(line, asJson(failure.code(), error.file(), error.problem(), failure.field, failure.offset));
        }
        ++(!isSound ? skipped_ : *isSound ? sound_ : unsound_);
        if (isSound)
            files_.push_back(std::move(file_));
    }

    const CheckOptions& options_;
    const Console& console_;
    Json files_ = Json::array();
    Json file_;  ///< the file that is being checked
    std::size_t sound_ = 0;
    std::size_t unsound_ = 0;
    std::size_t skipped_ = 0;
    bool isWalked_ = false;
    std::set<std::string> said_;
};

// ---------------------------------------------------------------------------------------------------------------------
// --roundtrip

struct RoundTrip {
    std::string format;
    std::size_t size = 0;
    std::string result;
    bool good = false;
};

/// Compares all bytes with the original.
void compareBytes(const Input& input, const core::ByteVector& again, RoundTrip& trip) {
    const auto [here, there] =
        std::mismatch(input.file.bytes.begin(), input.file.bytes.end(), again.begin(), again.end());
    trip.good = here == input.file.bytes.end() && there == again.end();
    trip.result = trip.good
                      ? "identical"
                      : fmt::format("differs at 0x{:x} ({} bytes)", here - input.file.bytes.begin(), again.size());
}

/// Compares the pictures, since the same pixels can be stored as different runs.
void comparePictures(const core::ImageSequence& images, const Input& input, const Format& format, Context& context,
                     RoundTrip& trip) {
    Input written = input;
    written.format = &format;
    written.file.bytes = format.encodeImages(images, context);
    const core::Asset asset = load(written, {}, context);
    const core::ImageSequence& again = *asset.video;
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
    trip.result = fmt::format("{} of {} frames identical, {} bytes", same, images.count, written.file.bytes.size());
}

RoundTrip roundTrip(const Input& input, const Format& format, const CheckOptions& options) {
    RoundTrip trip{std::string(format.id), input.file.bytes.size(), {}, false};
    core::Diagnostics diagnostics;
    Context context{options.input.values, options.input.limits.holding(input.file.bytes.size()), diagnostics};
    try {
        std::size_t doubts = 0;
        if (format.encodeImages == nullptr) {
            const Json json = dump(input, options.input.givenWithoutRig(), context);
            doubts = diagnostics.warnings().size();
            compareBytes(input, format.encode(JsonReader(json), context), trip);
        } else {
            const core::Asset asset = load(input, {}, context);
            doubts = diagnostics.warnings().size();
            refuseEmpty(asset, input);
            comparePictures(*asset.video, input, format, context, trip);
        }
        if (isDamaged(diagnostics, input.shownName())) {  // a damaged file is not sound, even if its readable part is
                                                          // unchanged
            trip.result = "damaged; " + (trip.good ? "the readable part is written unchanged" : trip.result);
            trip.good = false;
        }
        if (doubts > 0)
            trip.result += fmt::format(", {} warning{}", doubts, doubts == 1 ? "" : "s");
    } catch (const core::DecodeError& error) {
        trip.result = error.problem();
    }
    return trip;
}

bool canBeWritten(const Format& format) { return format.encode != nullptr || format.encodeImages != nullptr; }

/// The table of `--roundtrip`.
class RoundTrips {
  public:
    explicit RoundTrips(const CheckOptions& options) : options_(options) {}

    /// @return the exit status
    int run() {
        std::vector<std::string> words = {options_.roundTrip};
        words.insert(words.end(), options_.files.begin(), options_.files.end());
        const std::vector<std::string> paths = namedBy(words, options_.input);
        std::vector<std::optional<Walk>> walks;
        walks.reserve(paths.size());
        for (const std::string& path : paths)
            walks.push_back(walkOfReadable(path));
        printDataLine(fmt::format("{:<36} {:<22} {:>9}  {}", "file", "format", "bytes", "decoded and encoded again"));
        for (std::size_t i = 0; i < paths.size(); ++i) {
            if (walks[i])
                compareAll(*walks[i], paths.size() > 1 ? "" : paths[i]);
            else
                compare(paths[i], paths.size() > 1 ? paths[i] : toUtf8(fromUtf8(paths[i]).filename()));
        }
        printDataLine(fmt::format("{} identical, {} not, {} that can't be written", good_, bad_, unknown_));
        return interrupted() ? kInterrupted : bad_ > 0 ? kInputFailed : kDone;
    }

  private:
    /// @throws core::DecodeError if no file can be compared
    [[nodiscard]] std::optional<Walk> walkOfReadable(const std::string& path) const {
        std::optional<Walk> walk = walkOf(options_.input, path);
        if (walk && walk->files.empty() && !walk->errors.empty())
            throw walk->errors.front();
        if (!walk)
            options_.input.requireKnownInput(path);
        return walk;
    }

    /// Compares an archive, also one in a folder.
    /// @return false for a file that is not an archive
    /// @param walked the archive or folder that the user named, or empty
    bool compareArchive(const std::string& path, const std::string& walked) {
        if (options_.input.folderFormatOf(path) == nullptr)
            return false;
        try {
            if (const std::optional<Walk> walk = walkOf(options_.input, path))
                compareAll(*walk, walked);
        } catch (const core::DecodeError& error) {
            print(walked.empty() ? path : nameBelow(walked, path), {"-", 0, error.problem(), false});
        }
        return true;
    }

    /// @param walked see compareArchive()
    void compareAll(const Walk& walk, const std::string& walked) {
        for (const core::DecodeError& error : walk.errors)
            print(error.file(), {"-", 0, error.problem(), false});
        for (const std::string& file : walk.files) {
            if (interrupted())
                return;
            if (!compareArchive(file, walked))
                compare(file, walked.empty() ? file : nameBelow(walked, file));
        }
    }

    void compare(const std::string& path, const std::string& shown) {
        try {
            const std::optional<Input> input = options_.input.readFromFolder(path);
            if (input && canBeWritten(*input->format))
                print(shown, roundTrip(*input, *input->format, options_));
            else
                ++unknown_;
        } catch (const core::DecodeError& error) {
            print(shown, {"-", 0, error.problem(), false});
        }
    }

    void print(const std::string& file, const RoundTrip& trip) {
        ++(trip.good ? good_ : bad_);
        printDataLine(fmt::format("{:<36} {:<22} {:>9}  {}", file, trip.format, trip.size, trip.result));
    }

    const CheckOptions& options_;
    std::size_t good_ = 0;
    std::size_t bad_ = 0;
    std::size_t unknown_ = 0;
};

int check(const CheckOptions& options, const Console& console) {
    if (!options.roundTrip.empty() && options.json)
        throw UsageError("--roundtrip: prints a table, not JSON. Leave out --json");
    if (!options.roundTrip.empty())
        return RoundTrips(options).run();
    if (options.files.empty())
        throw UsageError("check: name at least one file, folder or archive; `reanima check -h` shows how it is used");
    Checks checks(options, console);
    for (const std::string& file : namedBy(options.files, options.input))
        checks.check(file);
    return checks.close();
}

}  // namespace

const Verb kCheck = {
    "check",
    "FILE...",
    "reports every problem in files",
    "json roundtrip format skeleton strict warn",
    "  reanima check rtda rtaa\n"
    "  reanima check battle.lgp\n"
    "  reanima check --roundtrip battle/",
    [](Arguments& arguments, Console& console) -> std::function<int()> {
        const auto options = std::make_shared<CheckOptions>();
        arguments.list("FILE", options->files, "",
                       "files, folders and archives. In folders and archives, every file of a known format is checked");
        arguments.text("--roundtrip", options->roundTrip, "PATH",
                       "decode every file of PATH and FILE, encode it again, compare the result with the original, and "
                       "print a table");
        arguments.flag("--json", options->json, "print JSON");
        addInputOptions(arguments, options->input);
        addConsoleOptions(arguments, console);
        return [options, &console] { return check(*options, console); };
    }};

}  // namespace reanima::tool
