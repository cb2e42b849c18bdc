#include <charconv>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/flipbook.h"
#include "formats/format.h"
#include "formats/load.h"
#include "pictures/album.h"
#include "pictures/png.h"
#include "tools/reanima/front/options.h"
#include "tools/reanima/jobs/video_folder.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/parallel.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 4> kForms = {"png", "sheet", "raw", "raw555"};

struct FramesOptions {
    InputOptions input;
    std::string file;
    std::string output;
    std::string form = "png";
    std::string range;
    bool unique = false;
    bool force = false;
    unsigned threads = 1;
};

/// The pictures that are wanted, as indices of the sequence.
/// @throws UsageError for a wrong range; core::DecodeError if no picture is left
std::vector<std::uint32_t> wantedPictures(const core::ImageSequence& images, const FramesOptions& options) {
    std::uint32_t first = 0;
    std::uint32_t last = images.count - 1;
    if (!options.range.empty()) {
        const std::string& text = options.range;
        const std::size_t dash = text.find('-');
        const auto number = [&](std::size_t from, std::size_t to, std::uint32_t& value) {
            const auto [end, error] = std::from_chars(text.data() + from, text.data() + to, value);
            return error == std::errc() && end == text.data() + to && to > from;
        };
        const bool single = dash == std::string::npos && number(0, text.size(), first);
        const bool both = dash != std::string::npos && number(0, dash, first) && number(dash + 1, text.size(), last);
        if (single)
            last = first;
        if (!(single || both) || first > last || last >= images.count)
            throw UsageError(fmt::format("--frames {}: expected A-B, from 0 to {}", text, images.count - 1));
    }
    if (options.unique && images.palindrome) {
        const std::uint32_t middle = (images.count - 1) / 2;
        if (first > middle)
            throw core::DecodeError(fmt::format("nothing to write: --unique leaves out pictures {} to {}, which mirror "
                                                "those before",
                                                middle + 1, images.count - 1))
                .inFile(options.file);
        last = std::min(last, middle);
    }
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t i = first; i <= last; ++i)
        wanted.push_back(i);
    return wanted;
}

void writePngs(const core::ImageSequence& images, const std::vector<std::uint32_t>& wanted,
               const FramesOptions& options, const Console& console) {
    OutputFolder output(fromUtf8(options.output));
    std::vector<std::string> files;
    files.reserve(wanted.size());
    for (const std::uint32_t i : wanted)
        files.push_back(core::frameName(i) + ".png");
    {
        ProgressLine progress(console, "pictures", wanted.size());
        inParts(wanted.size(), options.threads, [&](std::size_t first, std::size_t last) {
            const auto cursor = images.open();
            for (std::size_t i = first; i < last && !interrupted(); ++i) {
                const pictures::Picture picture = pictures::shown(images, cursor->picture(wanted[i]));
                output.write(files[i], pictures::encodePng(picture));
                progress.step();
            }
        });
    }
    if (interrupted())
        return;
    output.write("frames.json", framesJson(images, files));
    output.commit();
}

void writeSheet(const core::ImageSequence& images, const std::vector<std::uint32_t>& wanted,
                const FramesOptions& options, const Console& console) {
    OutputFolder output(fromUtf8(options.output));
    const pictures::Album album = pictures::Album::ofEach(images, wanted);
    const pictures::AtlasLayout& layout = album.layout();
    std::vector<std::string> pages;
    for (std::uint32_t page = 0; page < layout.pages(); ++page)
        pages.push_back(fmt::format("page{}.png", page));
    {
        ProgressLine progress(console, "pages", layout.pages());
        inParts(layout.pages(), options.threads, [&](std::size_t first, std::size_t last) {
            const auto cursor = images.open();
            for (auto page = static_cast<std::uint32_t>(first); page < last && !interrupted(); ++page) {
                output.write(pages[page], pictures::encodePng(album.page(page, *cursor)));
                progress.step();
            }
        });
    }
    if (interrupted())
        return;
    Json places = Json::array();
    for (std::uint32_t i = 0; i < wanted.size(); ++i) {
        const pictures::Place place = layout.placeOf(i);
        places.push_back({{"page", place.page},
                          {"x", place.x},
                          {"y", place.y},
                          {"w", images.shownWidth()},
                          {"h", images.shownHeight()}});
    }
    output.write("sheet.json", toText({{"schema", 1},
                                       {"rate", {images.rateNumerator, images.rateDenominator}},
                                       {"pages", pages},
                                       {"frames", std::move(places)}}));
    output.commit();
}

void appendRgb(core::ByteVector& bytes, const pictures::Picture& picture) {
    constexpr std::size_t kBytesPerPixel = 3;
    std::size_t at = bytes.size();
    bytes.resize(at + picture.pixels.size() * kBytesPerPixel);
    for (const pictures::Rgba& pixel : picture.pixels) {
        std::copy_n(pixel.begin(), kBytesPerPixel, bytes.begin() + static_cast<std::ptrdiff_t>(at));
        at += kBytesPerPixel;
    }
}

void append555(core::ByteVector& bytes, const pictures::Picture& picture) {
    bytes.reserve(bytes.size() + picture.pixels.size() * sizeof(core::Pixel555));
    for (const pictures::Rgba& pixel : picture.pixels) {
        const core::Pixel555 stored = pictures::toPixel555(pixel);
        bytes.push_back(static_cast<std::uint8_t>(stored));
        bytes.push_back(static_cast<std::uint8_t>(stored >> 8U));
    }
}

/// Rows from the top, pictures one after another, without any header.
void writeRaw(const core::ImageSequence& images, const std::vector<std::uint32_t>& wanted, const FramesOptions& options,
              const Console& console) {
    OutputFile output(fromUtf8(options.output));
    const auto cursor = images.open();
    ProgressLine progress(console, "pictures", wanted.size());
    const auto append = options.form == "raw" ? appendRgb : append555;
    core::ByteVector bytes;
    for (const std::uint32_t index : wanted) {
        if (interrupted())
            return;
        bytes.clear();
        append(bytes, pictures::shown(images, cursor->picture(index)));
        output.append(bytes);
        progress.step();
    }
    output.commit();
}

bool isFolderForm(const FramesOptions& options) { return options.form == "png" || options.form == "sheet"; }

/// @throws UsageError
void checkTarget(const FramesOptions& options) {
    const fs::path output = fromUtf8(options.output);
    if (options.output == "-") {
        if (isFolderForm(options))
            throw UsageError(fmt::format("-o -: {} needs a folder", options.form));
        if (isTerminal(StandardStream::output))
            throw UsageError("-o -: pictures are not text for a terminal");
        return;
    }
    if (!isFolderForm(options)) {
        if (output.filename().empty() || isFolder(output))
            throw UsageError(fmt::format("{}: {} needs a file", options.output, options.form));
        refuseClashes({output}, {fileOf(fromUtf8(options.file))});
        if (!options.force)
            refuseExisting({output});
        return;
    }
    if (core::exists(output) && !isFolder(output))
        throw UsageError(fmt::format("{}: is not a folder", options.output));
    if (!options.force && existsAsFile(output))
        throw UsageError(fmt::format("{}: exists and is not empty; --force writes into it", options.output));
}

int frames(const FramesOptions& options, const Console& console) {
    checkTarget(options);
    const Input input = options.input.read(options.file);
    core::Diagnostics diagnostics;
    Context context{options.input.values, options.input.limits, diagnostics};
    const core::Asset asset = load(input, {}, context);
    if (!asset.video)
        throw core::DecodeError(fmt::format("holds no pictures but {}", formatOf(input).label)).inFile(options.file);
    console.print(diagnostics);
    refuseEmpty(asset, input);
    if (console.policy.fails(diagnostics))
        throw core::DecodeError("warnings count as errors").inFile(options.file);
    const core::ImageSequence& images = *asset.video;
    const std::vector<std::uint32_t> wanted = wantedPictures(images, options);
    if (wanted.size() * std::uint64_t{images.width} * images.height > options.input.limits.videoPixels)
        throw core::DecodeError(
            {"frame_count", std::nullopt},
            fmt::format("{} pictures of {} x {} pixels are more than the limit of {} pixels; --frames "
                        "takes some of them",
                        wanted.size(), images.width, images.height, options.input.limits.videoPixels),
            core::DecodeError::Kind::limit)
            .inFile(options.file);
    if (options.form == "png")
        writePngs(images, wanted, options, console);
    else if (options.form == "sheet")
        writeSheet(images, wanted, options, console);
    else
        writeRaw(images, wanted, options, console);
    if (interrupted())
        return kInterrupted;
    console.say(fmt::format("wrote {}: {} pictures of {} x {} pixels, {:.6g} per second",
                            options.output == "-" ? "standard output" : options.output, wanted.size(),
                            images.shownWidth(), images.shownHeight(), images.rate()));
    return kDone;
}

}  // namespace

const Verb kFrames = {
    "frames", "write the pictures of a video",
    "  reanima frames intro.rlf -o intro/\n"
    "  reanima frames intro.rlf --as raw -o - | ffmpeg -f rawvideo -pix_fmt rgb24 -s 320x200 -r 10000/666 -i - "
    "intro.mp4",
    [](Arguments& arguments, Console& console) -> std::function<int()> {
        const auto options = std::make_shared<FramesOptions>();
        arguments.requiredText("FILE", options->file, "", "the video");
        arguments.requiredText("-o,--output", options->output, "OUT",
                               "a folder for png and sheet; a file or - (standard output) for raw and raw555");
        arguments.choice(
            "--as", kForms, [options](const std::string& form) { options->form = form; },
            "a PNG per picture and frames.json; pages of many pictures and sheet.json; 24-bit RGB; 16-bit 555");
        arguments.text("--frames", options->range, "A-B", "only these pictures, from 0, both included");
        arguments.flag("--unique", options->unique, "leave out the mirrored half of a palindrome");
        arguments.count(
            "-j,--jobs", 1, 256, [options](double n) { options->threads = static_cast<unsigned>(n); }, "N",
            "processors to use (1)");
        arguments.flag("--force", options->force, "replace outputs that exist");
        addReadingOptions(arguments, options->input, Kind::images);
        addConsoleOptions(arguments, console);
        return [options, &console] { return frames(*options, console); };
    }};

}  // namespace reanima::tool
