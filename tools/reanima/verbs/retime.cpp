#include "formats/retime.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/pose.h"
#include "formats/common_options.h"
#include "formats/load.h"
#include "formats/naming.h"
#include "formats/open_file.h"
#include "formats/registry.h"
#include "measures/clip_facts.h"
#include "tools/reanima/front/options.h"
#include "tools/reanima/jobs/archive_output.h"
#include "tools/reanima/jobs/spool.h"
#include "tools/reanima/jobs/walk.h"
#include "tools/reanima/system/failure.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

struct RetimeOptions {
    InputOptions input;
    std::vector<std::string> inputs;
    std::string times;
    std::vector<std::string> loops;
    std::string output;
    bool force = false;
};

constexpr std::uint32_t kMostTimes = 64;

/// @throws UsageError for other forms than `4` and `1/4`
RetimeSettings settingsFrom(const std::string& times) {
    RetimeSettings settings;
    std::string_view number = times;
    if (number.starts_with("1/")) {
        settings.direction = RetimeSettings::Direction::fewer;
        number.remove_prefix(2);
    }
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), settings.times);
    if (error != std::errc() || end != number.data() + number.size() || settings.times < 2 ||
        settings.times > kMostTimes)
        throw UsageError(
            fmt::format("--times {}: expected N or 1/N, with a whole number N from 2 to {}", times, kMostTimes + 0));
    return settings;
}

/// True if a file with this name may contain frames to multiply. Archives contain many other files.
bool mayBeRetimed(std::string_view name) {
    return std::ranges::any_of(formats(), [name](const Format* format) {
        return format->traits.isRetimed &&
               (std::ranges::find(format->extensions, extensionOf(name)) != format->extensions.end() ||
                (format->isUsualName != nullptr && format->isUsualName(name)));
    });
}

double largestTurn(const core::Pose& before, const core::Pose& after) {
    double largest = 0;
    for (std::size_t joint = 0; joint < before.size(); ++joint)
        largest = std::max(largest,
                           core::degreesBetween(glm::dquat(before[joint].rotation), glm::dquat(after[joint].rotation)));
    return largest;
}

/// True if a clip loops: joints end close to their start, and no joint rotates farther from the last frame to the first
/// than between two other frames. Positions do not show the rotation of the last joint of a chain.
bool isLoop(const core::Skeleton& skeleton, const core::Clip& clip) {
    constexpr double kLittle = 5;       // degrees: a jump too small to see
    constexpr double kRounding = 1.01;  // factor for rounding of equal steps
    if (!measures::factsOf(skeleton, clip, {}).isClosed)
        return false;
    const core::Pose first = core::samplePose(skeleton, clip, 0);
    core::Pose before = first;
    double most = kLittle;
    for (std::uint32_t frame = 1; frame < clip.frames; ++frame) {
        core::Pose after = core::samplePose(skeleton, clip, std::min(frame / clip.rate, clip.duration));
        most = std::max(most, largestTurn(before, after));
        before = std::move(after);
    }
    return largestTurn(before, first) <= kRounding * most;
}

/// The typical rotation of a file's joints from frame to frame.
struct FileStep {
    std::string file;
    const Format* format = nullptr;
    double degrees = 0;
};

double medianOf(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Warns about files whose frames were probably multiplied already. Files do not state this, but their steps are then
/// several times smaller than in other files.
void warnOfMultiplied(const std::vector<FileStep>& steps, core::Diagnostics& diagnostics) {
    constexpr double kSeveral = 2.5;
    for (const FileStep& own : steps) {
        std::vector<double> others;
        for (const FileStep& other : steps)
            if (&other != &own && other.format == own.format)
                others.push_back(other.degrees);
        if (others.empty())
            continue;
        const double usual = medianOf(others);
        if (own.degrees * kSeveral > usual)
            continue;
        const auto about = diagnostics.about(own.file);
        diagnostics.warn(core::Code::assumed, {},
                         fmt::format("its angles change by {:.2f} degrees per frame, but angles in the other files "
                                     "change by {:.2f} (medians). The frames may already have been multiplied",
                                     own.degrees, usual));
    }
}

/// Refuses an archive's extension for an entry: the output is a single file, not an archive.
void refuseOtherName(const RetimeOptions& options) {
    const std::string& input = options.inputs.front();
    if (options.inputs.size() > 1 || namesFolder(options.output))
        return;
    refuseOthersName(options.output, input);
    const archives::EntryPath place = options.input.files->parse(input);
    const std::string extension = extensionOf(place.file);
    if (!place.entries.empty() && !extension.empty() && extensionOf(options.output) == extension)
        throw UsageError(
            fmt::format("-o {}: the entry {} becomes a single file, not an archive. To retime the whole archive, use "
                        "{} as INPUT; to put a file into it, use `reanima pack`",
                        options.output, input, place.file));
}

/// @param archive an archive in the folder `input`, or empty
[[noreturn]] void refuseNothing(const std::string& input, const std::string& archive) {
    throw core::DecodeError(
        fmt::format("contains no file that can be retimed{}",
                    archive.empty() ? "" : "; " + archive + " is an archive. Use it as the only input"))
        .inFile(input);
}

struct FileToRetime {
    std::string input;
    fs::path output;
    bool isNamed = false;  ///< named by the user, so it must be a file that can be retimed
};

/// Outputs that are written after the warnings about all files. If there are several, their bytes are on the disk until
/// then.
class HeldOutputs {
  public:
    explicit HeldOutputs(std::size_t most) : isSingle_(most == 1) {}

    void add(const fs::path& output, core::ByteVector bytes) {
        if (isSingle_) {
            single_.emplace(output, std::move(bytes));
            return;
        }
        if (!spool_)
            spool_.emplace(output);
        others_.emplace_back(output, spool_->add(bytes));
    }

    void write(const Console& console) {
        if (spool_)
            spool_->close();
        for (const auto& [output, source] : others_)
            writeOutput(output, source->read(0, source->size(), {}));
        if (!single_)
            return;
        writeOutput(single_->first, single_->second);
        if (single_->first != kStandardStream)
            console.say(fmt::format("wrote {}: {} bytes", toUtf8(single_->first), single_->second.size()));
    }

  private:
    bool isSingle_;
    std::optional<std::pair<fs::path, core::ByteVector>> single_;
    std::optional<Spool> spool_;
    std::vector<std::pair<fs::path, std::shared_ptr<const core::Source>>> others_;
};

/// Changes the number of frames of files.
class Retiming {
  public:
    Retiming(const RetimeOptions& options, const Console& console)
        : options_(options),
          console_(console),
          settings_(settingsFrom(options.times)),
          given_(options.input.givenWithoutRig()) {}

    int run() {
        refuseTerminal(options_.output, "the game's formats are");
        if (options_.inputs.size() == 1 && options_.input.folderFormatOf(options_.inputs.front()) != nullptr)
            return archive(options_.inputs.front());
        const std::vector<FileToRetime> jobs = jobsFor();
        refuseOtherName(options_);
        refuseOutputs(jobs);
        HeldOutputs outputs(jobs.size());
        ProgressLine progress(console_, "retiming", jobs.size());
        for (const FileToRetime& job : jobs) {
            if (interrupted())
                return kInterrupted;
            if (std::optional<core::ByteVector> bytes = bytesOf(job, progress))
                outputs.add(job.output, *std::move(bytes));
            progress.step();
        }
        progress.hide();
        requireSome();
        if (warn())
            outputs.write(console_);
        return close();
    }

  private:
    /// @throws core::DecodeError if no file was found and none failed
    void requireSome() const {
        if (files_ == 0 && status_ == kDone)
            refuseNothing(options_.inputs.front(), archive_);
    }

    [[nodiscard]] bool isIntoFolder() const {
        return options_.inputs.size() > 1 || namesFolder(options_.output) ||
               isFolder(fromUtf8(options_.inputs.front()));
    }

    [[nodiscard]] std::vector<FileToRetime> jobsFor() {
        const fs::path output = fromUtf8(options_.output);
        std::vector<FileToRetime> jobs;
        for (const std::string& path : options_.inputs) {
            if (options_.input.folderFormatOf(path) != nullptr)
                throw UsageError(fmt::format("{}: is an archive. Use it as the only input", path));
            if (!isFolder(fromUtf8(path))) {
                jobs.push_back({path, isIntoFolder() ? output / fromUtf8(tool::nameOf(fromUtf8(path))) : output, true});
                continue;
            }
            const std::optional<Walk> walk = walkOf(options_.input, path);
            for (const core::DecodeError& error : walk->errors)
                fail(error);
            for (const std::string& file : walk->files)
                if (mayBeRetimed(toUtf8(fromUtf8(file).filename())))
                    jobs.push_back({file, output / fromUtf8(nameBelow(path, file))});
                else if (++skipped_; archive_.empty() && options_.input.folderFormatOf(file) != nullptr)
                    archive_ = file;
        }
        return jobs;
    }

    void refuseOutputs(const std::vector<FileToRetime>& jobs) const {
        std::vector<fs::path> inputs;
        std::vector<fs::path> outputs;
        for (const FileToRetime& job : jobs) {
            inputs.push_back(fileOf(fromUtf8(job.input)));
            outputs.push_back(job.output);
        }
        if (!options_.input.skeleton.empty())
            inputs.push_back(fileOf(fromUtf8(options_.input.skeleton)));
        refuseClashes(outputs, inputs);
        if (!options_.force)
            refuseExisting(outputs);
    }

    /// @return empty for an unreadable file or one that can't be retimed
    std::optional<core::ByteVector> bytesOf(const FileToRetime& job, ProgressLine& progress) {
        core::Diagnostics diagnostics;
        try {
            const Input input = options_.input.read(job.input);
            const Format* format = job.isNamed ? &formatOf(input) : findFormat(input);
            if (format == nullptr || !format->traits.isRetimed) {
                if (job.isNamed)
                    throw core::DecodeError(
                        fmt::format("is {}, which can't be retimed. Use battle packs or field animations",
                                    format->label))
                        .inFile(job.input);
                ++skipped_;
                return std::nullopt;
            }
            RetimedFile result = retimed(input, diagnostics);
            if (result.animations == 0 && result.left.empty()) {
                if (job.isNamed || !diagnostics.warnings().empty())
                    throw core::DecodeError("contains no animation with frames").inFile(job.input);
                ++skipped_;
                return std::nullopt;
            }
            if (!say(input, result, diagnostics, progress))
                return std::nullopt;
            if (result.usualStep > 0)
                steps_.push_back({input.shownName(), format, result.usualStep});
            ++files_;
            animations_ += result.animations;
            return std::move(result.bytes);
        } catch (const core::DecodeError& error) {
            progress.hide();
            fail(error);
            return std::nullopt;
        }
    }

    [[nodiscard]] RetimedFile retimed(const Input& input, core::Diagnostics& diagnostics) {
        const core::Limits limits = options_.input.limits.holding(input.file.bytes.size());
        OptionValues values = options_.input.values;
        values.set(kNoMeshOption.key, 1.0);
        OpenFile file(input, given_, Context{values, limits, diagnostics});
        RetimeSettings settings = settings_;
        if (settings.direction == RetimeSettings::Direction::more)
            settings.loops = [loops = loopsOf(file, diagnostics)](std::uint32_t clip) { return loops.contains(clip); };
        return file.retimed(settings);
    }

    /// The indices of looping clips, detected or given by the user.
    [[nodiscard]] std::set<std::uint32_t> loopsOf(OpenFile& file, core::Diagnostics& diagnostics) {
        core::Diagnostics said;
        core::Asset asset = file.load(said);
        for (const core::Warning& warning : said.warnings())
            if (warning.code == core::Code::skeletonMadeUp)  // the other warnings are about clips in players
                diagnostics.add(warning);
        std::set<std::uint32_t> loops;
        for (const core::Clip& clip : asset.clips)
            if (isLoop(*asset.skeleton, clip))
                loops.insert(clip.index);
        if (options_.loops.empty())
            return loops;
        const std::vector<std::string> missing = keepClips(asset, options_.loops);
        for (const std::string& selection : options_.loops)
            if (std::ranges::find(missing, selection) == missing.end())
                found_.insert(selection);
        for (const core::Clip& clip : asset.clips)
            loops.insert(clip.index);
        return loops;
    }

    /// @return false if a warning is treated as an error
    bool say(const Input& input, const RetimedFile& result, core::Diagnostics& diagnostics, ProgressLine& progress) {
        const auto about = diagnostics.about(input.shownName());
        for (const core::DecodeError& cut : result.cut)
            diagnostics.warn(core::Code::countMismatch, cut);
        if (!diagnostics.warnings().empty() || !result.left.empty())
            progress.hide();
        console_.print(diagnostics);
        for (const core::DecodeError& left : result.left)
            fail(left.inFile(input.shownName()));
        if (!console_.policy.fails(diagnostics))
            return true;
        status_ = std::max<int>(status_, kInputFailed);
        return false;
    }

    void fail(const core::DecodeError& error) {
        console_.error(error.message(flagWording));
        status_ = std::max<int>(
            status_, error.kind() == core::DecodeError::Kind::limit && options_.inputs.size() == 1 && !isIntoFolder()
                         ? kLimitExceeded
                         : kInputFailed);
    }

    int archive(const std::string& path) {
        ArchiveOutput archive(options_.input, path);
        if (options_.output == kStandardStream)
            throw UsageError("-o -: an archive can't be written to standard output. Name a file");
        if (namesFolder(options_.output))
            throw UsageError(
                fmt::format("-o {}: is a folder, but the output of an archive is a file", options_.output));
        refuseOutputs({{path, fromUtf8(options_.output)}});
        core::inFile(path, [&archive] { (void)archive.archive().withOther({}); });  // fails early for archives that
                                                                                    // can't be written
        Spool spool(fromUtf8(options_.output));
        const auto entries = core::inFile(path, [&archive] { return archive.archive().entriesToRead(); });
        ProgressLine progress(console_, "retiming", entries.size());
        for (const archives::Entry& entry : entries) {
            if (interrupted())
                return kInterrupted;
            progress.step();
            if (!mayBeRetimed(entry.fileName())) {
                ++skipped_;
                continue;
            }
            const std::string name = fmt::format("{}:{}", path, entry.name);
            if (const std::optional<core::ByteVector> bytes = bytesOf({name, {}}, progress))
                archive.replace(entry, spool.add(*bytes), name);
        }
        progress.hide();
        spool.close();
        requireSome();
        if (warn())
            archive.write(options_.output, console_);
        return close();
    }

    /// Warns about all files. @return false if a warning is treated as an error
    bool warn() {
        core::Diagnostics diagnostics;
        if (settings_.direction == RetimeSettings::Direction::more)
            warnOfMultiplied(steps_, diagnostics);
        for (const std::string& selection : options_.loops)
            if (!found_.contains(selection) && settings_.direction == RetimeSettings::Direction::more)
                diagnostics.warn(core::Code::ignored, {}, fmt::format("no clip matches {}", selection),
                                 {"loop", selection});
        console_.print(diagnostics);
        if (!console_.policy.fails(diagnostics))
            return true;
        status_ = std::max<int>(status_, kInputFailed);
        return false;
    }

    /// @return the exit status
    [[nodiscard]] int close() const {
        console_.say(fmt::format("{} times the frames: {} animation{} in {} file{}{}", options_.times, animations_,
                                 animations_ == 1 ? "" : "s", files_, files_ == 1 ? "" : "s",
                                 skipped_ > 0 ? fmt::format("; {} skipped", skipped_) : ""));
        return files_ == 0 ? std::max<int>(status_, kInputFailed) : status_;
    }

    const RetimeOptions& options_;
    const Console& console_;
    RetimeSettings settings_;
    Companions given_;
    std::vector<FileStep> steps_;
    std::set<std::string> found_;  // selections of --loop that match a clip
    std::string archive_;          // an archive found in a folder
    std::size_t files_ = 0;
    std::size_t animations_ = 0;
    std::size_t skipped_ = 0;
    int status_ = kDone;
};

}  // namespace

const Verb kRetime = {
    "retime",
    "INPUT... --times N -o OUT",
    "changes the number of frames of Final Fantasy VII animations, for example for 60 frames per second",
    "times loop output force skeleton",
    "  reanima retime rtda --times 4 -o new/rtda        # from 15 fps to 60 fps\n"
    "  reanima retime battle.lgp --times 4 -o new/battle.lgp\n"
    "  reanima retime new/rtda --times 1/4 -o old/rtda  # and back",
    [](Arguments& arguments, Console& console) -> std::function<int()> {
        const auto options = std::make_shared<RetimeOptions>();
        arguments.requiredList("INPUT", options->inputs, "",
                               "battle packs and field animations, folders of them, or one archive");
        arguments.requiredText("--times", options->times, "N",
                               "frames to write per original frame, 2 to 64. 1/N keeps every N-th frame");
        arguments.list("--loop", options->loops, "SEL",
                       "also treat these clips as loops; repeatable. SEL has the same forms as for `convert --clip`. "
                       "Clips that end near their first pose are always treated as loops");
        arguments.requiredText(
            "-o,--output", options->output, "OUT",
            "the file to write, or a folder for several files. If the input is an archive, OUT is an archive too");
        arguments.flag("--force", options->force, "replace outputs that exist");
        arguments.text("-s,--skeleton", options->input.skeleton, "FILE", "the game's skeleton");
        addLimits(arguments, options->input.limits);
        addConsoleOptions(arguments, console);
        return [options, &console] {
            for (const std::string& path : options->inputs)
                if (options->inputs.size() == 1 && !isFolder(fromUtf8(path)))
                    options->input.requireInput(path);
            return Retiming(*options, console).run();
        };
    }};

}  // namespace reanima::tool
