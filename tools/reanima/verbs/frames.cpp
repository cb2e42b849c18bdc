#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.h"
#include "formats/format.h"
#include "formats/load.h"
#include "tools/reanima/front/options.h"
#include "tools/reanima/jobs/video_output.h"
#include "tools/reanima/jobs/walk.h"
#include "tools/reanima/system/failure.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

struct FramesOptions {
    InputOptions input;
    std::vector<std::string> files;
    std::string output;
    std::string form;  ///< empty: by the output's name, otherwise png
    VideoOutput video;
    bool force = false;
    std::vector<std::string> commandLine{};  ///< the words that the options were read from
};

std::string videoFormOf(const FramesOptions& options) {
    if (!options.form.empty())
        return options.form;
    const std::string extension = core::extensionOf(toUtf8(fromUtf8(options.output).filename()));
    return extension == "y4m" || extension == "apng" ? extension : "png";
}

/// Reads a video.
core::Asset loaded(const Input& input, const FramesOptions& options, const Console& console) {
    core::Diagnostics diagnostics;
    Context context{options.input.values, options.input.limits, diagnostics};
    core::Asset asset = load(input, {}, context);
    if (!asset.video)
        throw core::DecodeError(fmt::format("is {}, not a video", formatOf(input).label)).inFile(input.shownName());
    console.print(diagnostics);
    refuseEmpty(asset, input);
    if (console.policy.fails(diagnostics))
        throw core::DecodeError("warnings count as errors").inFile(input.shownName());
    return asset;
}

/// @throws core::DecodeError of the kind `limit`
void refuseTooMany(const core::ImageSequence& images, std::size_t wanted, const FramesOptions& options,
                   const std::string& input) {
    if (wanted * std::uint64_t{images.width} * images.height > options.input.limits.videoPixels)
        throw core::DecodeError(
            {"frame_count", std::nullopt},
            fmt::format("{} frames of {} x {} pixels exceed the limit of {} pixels. Choose fewer with --frames", wanted,
                        images.width, images.height, options.input.limits.videoPixels),
            core::DecodeError::Kind::limit)
            .inFile(input);
}

/// @throws UsageError
void checkTarget(const VideoOutput& to, const FramesOptions& options) {
    const std::string shown = toUtf8(to.path);
    if (to.path == kStandardStream) {
        if (isFolderForm(to.form))
            throw UsageError(fmt::format("-o -: {} needs a folder", to.form));
        refuseTerminal(toUtf8(to.path), "pictures are");
        return;
    }
    if (!isFolderForm(to.form)) {
        if (to.path.filename().empty() || isFolder(to.path))
            throw UsageError(fmt::format("{}: {} needs a file", shown, to.form));
        refuseClashes({to.path}, {fileOf(fromUtf8(to.input))});
        if (!options.force)
            refuseExisting({to.path});
        return;
    }
    if (core::exists(to.path) && !isFolder(to.path))
        throw UsageError(fmt::format("{}: is not a folder", shown));
    if (!options.force)
        refuseExisting({to.path});
}

void write(const core::ImageSequence& images, const VideoOutput& to, const FramesOptions& options,
           const Console& console) {
    const std::vector<std::uint32_t> wanted = wantedPictures(images, to);
    refuseTooMany(images, wanted.size(), options, to.input);
    writeVideo(images, wanted, to, console);
    if (!interrupted())
        console.say(fmt::format("wrote {}: {} frame{} of {} x {} pixels, {:.6g} per second",
                                to.path == kStandardStream ? "standard output" : toUtf8(to.path), wanted.size(),
                                wanted.size() == 1 ? "" : "s", images.shownWidth(), images.shownHeight(),
                                images.rate()));
}

/// @return the problem with a word for --as
std::optional<std::string> setForm(const std::string& word, std::string& form) {
    if (isVideoForPlayers(fromUtf8("x." + word)))
        return fmt::format("is \"{0}\", which reanima can't write. Use ffmpeg: -o FILE.{0} prints the command", word);
    OptionValues value;
    auto problem = setOption(value, {"", OptionInfo::Type::text, "", "", 0, 0, kVideoForms}, word);
    if (!problem)
        form = word;
    return problem;
}

/// The words of a command line, without the output and its form.
std::vector<std::string> wordsForFrames(std::span<const std::string> words) {
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const std::string name = word.substr(0, word.find('='));
        if (word == "-o" || word == "--output" || word == "--as")
            ++i;  // skips its value
        else if (!word.starts_with("-o") && name != "--output" && name != "--as" && name != "--force")
            kept.push_back(word);
    }
    return kept;
}

/// @throws UsageError for the name of a file
void refuseFileForFolder(const VideoOutput& to, const FramesOptions& options) {
    if (!isFolderForm(to.form) || !isFileOfOtherKind(to.path) || isFolder(to.path))
        return;
    const std::string extension = core::extensionOf(toUtf8(to.path.filename()));
    const std::string_view next = extension == "glb" || extension == "gltf" ? "`reanima convert` makes such a file"
                                  : extension == "html"                     ? "`reanima preview` makes such a file"
                                                                            : "--as apng makes one animated file";
    throw UsageError(fmt::format("-o {}: frames are written into a folder, for example {}/; {}", options.output,
                                 toUtf8(fromUtf8(options.output).replace_extension()), next));
}

int writeOne(const FramesOptions& options, const Console& console) {
    VideoOutput to = options.video;
    to.input = options.files.front();
    const Input input = options.input.read(to.input);
    const core::Asset asset = loaded(input, options, console);
    to.path = fromUtf8(options.output.empty() ? stemOfOutput(to.input) + std::string(extensionOfForm(to.form))
                                              : options.output);
    if (isVideoForPlayers(to.path))
        throw UsageError(fmt::format("-o {}: reanima can't write such videos. Use ffmpeg: {}", options.output,
                                     ffmpegCommand(*asset.video, wordsForFrames(options.commandLine), options.output)));
    refuseFileForFolder(to, options);
    checkTarget(to, options);
    write(*asset.video, to, options, console);
    return interrupted() ? kInterrupted : kDone;
}

/// Reads videos from files, folders and archives.
class Videos {
  public:
    Videos(const FramesOptions& options, const Console& console) : options_(options), console_(console) {}

    int run() {
        for (const std::string& file : options_.files)
            tryTo([&] { collect(file, {}); });
        std::map<fs::path, std::string> inputs;  // by output
        for (const VideoOutput& video : videos_) {
            if (const auto [known, isNew] = inputs.emplace(video.path.lexically_normal(), video.input); !isNew)
                throw UsageError(twoOutputsAt(video.path, known->second, video.input));
            checkTarget(video, options_);
        }
        for (const VideoOutput& video : videos_) {
            if (interrupted())
                return kInterrupted;
            tryTo([&] {
                const core::Asset asset = loaded(options_.input.read(video.input), options_, console_);
                write(*asset.video, video, options_, console_);
                ++written_;
            });
        }
        console_.say(fmt::format("{} video{} written, {} failed, {} skipped{}", written_, written_ == 1 ? "" : "s",
                                 failed_, skipped_, skipped_ > 0 ? " (no video)" : ""));
        if (written_ + failed_ == 0 && !interrupted())
            console_.say("`reanima find video FOLDER` looks for videos elsewhere");
        return interrupted() ? kInterrupted : status_;
    }

  private:
    /// @param folder relative output folder, for videos of an archive in a folder
    void collect(const std::string& path, const fs::path& folder) {
        const std::optional<Walk> walk = walkOf(options_.input, path);
        if (!walk) {
            options_.input.requireKnownInput(path);
            add(path, fromUtf8(stemOfOutput(path)));
            return;
        }
        console_.print(walk->doubts);
        for (const core::DecodeError& error : walk->errors)
            tryTo([&] { throw error; });
        const fs::path below = isFolder(fromUtf8(path)) ? fs::path() : folder / fromUtf8(stemOfOutput(path));
        for (const std::string& file : walk->files)
            tryTo([&] {
                const fs::path name = fromUtf8(nameBelow(path, file));
                if (isFolder(fromUtf8(path)) && options_.input.folderFormatOf(file) != nullptr) {
                    collect(file, name.parent_path());
                    return;
                }
                const std::optional<Input> input = options_.input.readFromFolder(file);
                if (input && input->format->kind == Kind::images)
                    add(file, below / name.parent_path() / fromUtf8(core::stemOf(toUtf8(name.filename()))));
                else
                    ++skipped_;
            });
        skipped_ += walk->skipped;
    }

    void add(const std::string& input, const fs::path& name) {
        VideoOutput to = options_.video;
        to.input = input;
        to.path = fromUtf8(options_.output) / name;
        to.path += fromUtf8(extensionOfForm(to.form));
        videos_.push_back(std::move(to));
    }

    /// Does the work for a video. An error in one video does not stop the others.
    template <typename Work>
    void tryTo(const Work& work) {
        try {
            work();
        } catch (const core::DecodeError&) {
            fail();
        } catch (const OutputError&) {
            fail();
        }
    }

    void fail() {
        const Failure failure = currentFailure();
        console_.error(failure.message);
        status_ = std::max<int>(status_, failure.status == kOutputFailed ? kOutputFailed : kInputFailed);
        ++failed_;
    }

    const FramesOptions& options_;
    const Console& console_;
    std::vector<VideoOutput> videos_;
    std::size_t written_ = 0;
    std::size_t failed_ = 0;
    std::size_t skipped_ = 0;
    int status_ = kDone;
};

int frames(FramesOptions& options, const Console& console) {
    if (options.files.empty())
        throw UsageError("frames: name at least one video; `reanima frames -h` shows how it is used");
    options.files = namedBy(options.files, options.input);
    options.video.form = videoFormOf(options);
    if (options.files.size() == 1 && !walkOf(options.input, options.files.front()))
        return writeOne(options, console);
    const fs::path output = fromUtf8(options.output);
    if (output == kStandardStream ||
        (!isFolder(output) && (isVideoForPlayers(output) || isFileOfOtherKind(output) || isFile(output))))
        throw UsageError(fmt::format("-o {}: several videos need a folder", options.output));
    return Videos(options, console).run();
}

}  // namespace

const Verb kFrames = {
    "frames",
    "FILE... [-o OUT]",
    "writes the frames of videos",
    "output as frames unique force jobs rate transpose color-key",
    "  reanima frames intro.rlf                           # intro/frame0000.png, ...\n"
    "  reanima frames intro.zfs -o videos/ --as apng      # every video of an archive\n"
    "  reanima frames a.rlf --as y4m -o - | ffmpeg -i - -pix_fmt yuv420p a.mp4",
    [](Arguments& arguments, Console& console) -> std::function<int()> {
        const auto options = std::make_shared<FramesOptions>();
        arguments.list("FILE", options->files, "",
                       "videos, folders and archives. Every video in a folder or archive is written");
        arguments.text(
            "-o,--output", options->output, "OUT",
            "a folder if there are several videos, or if --as is png or sheet. Otherwise a file, or - (standard "
            "output). Default: the video's name, in the current folder");
        arguments.checked(
            "--as", [options](const std::string& word) { return setForm(word, options->form); },
            fmt::format("{}", fmt::join(kVideoForms, "|")),
            "what to write: a PNG per frame and frames.json (png), pages of many frames and sheet.json (sheet), an "
            "animated PNG (apng), a stream for ffmpeg and players (y4m), 24-bit RGB (raw), or 16-bit pixels (raw555). "
            "Default: from the name of OUT, otherwise png");
        arguments.text("--frames", options->video.range, "A-B", "only frames A to B, counted from 0");
        arguments.flag("--unique", options->video.unique,
                       "if a video plays forward and then back, write only the forward half");
        arguments.count(
            "-j,--jobs", 1, 256, [options](double n) { options->video.threads = static_cast<unsigned>(n); }, "N",
            "number of processors to use. Default: 1");
        arguments.flag("--force", options->force, "replace outputs that exist");
        addReadingOptions(arguments, options->input, Kind::images);
        addConsoleOptions(arguments, console);
        options->commandLine = arguments.words();
        return [options, &console] { return frames(*options, console); };
    }};

}  // namespace reanima::tool
