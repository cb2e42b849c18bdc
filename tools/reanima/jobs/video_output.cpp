#include "tools/reanima/jobs/video_output.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/file_system.h"
#include "core/flipbook.h"
#include "core/text.h"
#include "json/json.h"
#include "pictures/album.h"
#include "pictures/png.h"
#include "tools/reanima/front/command_words.h"
#include "tools/reanima/jobs/video_folder.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/parallel.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

bool isFolderForm(std::string_view form) { return form == "png" || form == "sheet"; }

std::string_view extensionOfForm(std::string_view form) {
    if (isFolderForm(form))
        return "";
    return form == "apng" ? ".png" : form == "y4m" ? ".y4m" : ".raw";
}

std::vector<std::uint32_t> wantedPictures(const core::ImageSequence& images, const VideoOutput& output) {
    std::uint32_t first = 0;
    std::uint32_t last = images.count - 1;
    if (!output.range.empty()) {
        const std::string& text = output.range;
        const std::size_t dash = text.find('-');
        const auto number = [&](std::size_t from, std::size_t to, std::uint32_t& value) {
            const auto [end, error] = std::from_chars(text.data() + from, text.data() + to, value);
            return error == std::errc() && end == text.data() + to && to > from;
        };
        const bool single = dash == std::string::npos && number(0, text.size(), first);
        const bool both = dash != std::string::npos && number(0, dash, first) && number(dash + 1, text.size(), last);
        if (single)
            last = first;
        const std::string problem = fmt::format("--frames {}: expected A-B, from 0 to {}", text, images.count - 1);
        if (!(single || both) || first > last)
            throw UsageError(problem);
        if (last >= images.count)
            throw core::DecodeError({}, problem, core::DecodeError::Kind::option).inFile(output.input);
    }
    if (output.unique && images.palindrome) {
        const std::uint32_t middle = (images.count - 1) / 2;
        if (first > middle)
            throw core::DecodeError(fmt::format("nothing to write: --unique leaves out frames {} to {}, because they "
                                                "repeat earlier frames in reverse",
                                                middle + 1, images.count - 1))
                .inFile(output.input);
        last = std::min(last, middle);
    }
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t i = first; i <= last; ++i)
        wanted.push_back(i);
    return wanted;
}

namespace {

/// Reports pictures of an earlier, longer video in the folder, since `*.png` would include them.
/// @param list the file with the names of the pictures
/// @param files the written pictures; older ones are recognised by `stem` and a number
void noteLeftOver(const std::filesystem::path& folder, std::string_view list, const std::vector<std::string>& files,
                  std::string_view stem, const Console& console) {
    constexpr std::string_view kEnd = ".png";
    std::set<std::string> left;
    std::error_code error;
    for (const std::filesystem::path& path : core::namesIn(folder, error)) {
        const std::string name = toUtf8(path);
        if (name.size() <= stem.size() + kEnd.size() || !name.starts_with(stem) || !name.ends_with(kEnd))
            continue;
        const std::string number = name.substr(stem.size(), name.size() - stem.size() - kEnd.size());
        if (std::ranges::all_of(number, core::isDigit))
            left.insert(name);
    }
    for (const std::string& file : files)
        left.erase(file);
    if (left.empty())
        return;
    core::Diagnostics diagnostics;
    const auto about = diagnostics.about(toUtf8(folder));
    diagnostics.note(core::Code::ignored, {},
                     left.size() == 1
                         ? fmt::format("{} stays, although the new {} does not list it", *left.begin(), list)
                         : fmt::format("{} images stay, although the new {} does not list them: {} to {}", left.size(),
                                       list, *left.begin(), *left.rbegin()));
    console.print(diagnostics);
}

void writePngs(const core::ImageSequence& images, const std::vector<std::uint32_t>& wanted, const VideoOutput& to,
               const Console& console) {
    OutputFolder output(to.path);
    std::vector<std::string> files;
    files.reserve(wanted.size());
    for (const std::uint32_t i : wanted)
        files.push_back(core::frameName(i) + ".png");
    {
        ProgressLine progress(console, "pictures", wanted.size());
        inParts(wanted.size(), to.threads, [&](std::size_t first, std::size_t last) {
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
    noteLeftOver(to.path, "frames.json", files, "frame", console);
}

void writeSheet(const core::ImageSequence& images, const std::vector<std::uint32_t>& wanted, const VideoOutput& to,
                const Console& console) {
    OutputFolder output(to.path);
    const pictures::Album album = pictures::Album::ofEach(images, wanted);
    const pictures::AtlasLayout& layout = album.layout();
    std::vector<std::string> pages;
    for (std::uint32_t page = 0; page < layout.pages(); ++page)
        pages.push_back(fmt::format("page{}.png", page));
    {
        ProgressLine progress(console, "pages", layout.pages());
        inParts(layout.pages(), to.threads, [&](std::size_t first, std::size_t last) {
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
    noteLeftOver(to.path, "sheet.json", pages, "page", console);
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

/// Appends luma and two chroma values for each pixel, in video range (ITU-R BT.601): the form `C444`.
void appendYuv(core::ByteVector& bytes, const pictures::Picture& picture) {
    constexpr std::array<std::array<int, 3>, 3> kFactors = {{{66, 129, 25}, {-38, -74, 112}, {112, -94, -18}}};
    constexpr std::array<int, 3> kZeros = {16, 128, 128};
    constexpr int kHalf = 128;
    bytes.reserve(bytes.size() + 3 * picture.pixels.size());
    for (std::size_t plane = 0; plane < kFactors.size(); ++plane)
        for (const pictures::Rgba& pixel : picture.pixels) {
            const auto& factors = kFactors.at(plane);
            const int sum = factors[0] * pixel[0] + factors[1] * pixel[1] + factors[2] * pixel[2] + kHalf;
            bytes.push_back(static_cast<std::uint8_t>((sum >> 8) + kZeros.at(plane)));
        }
}

void appendFrame(core::ByteVector& bytes, const pictures::Picture& picture) {
    constexpr std::string_view kFrame = "FRAME\n";
    bytes.insert(bytes.end(), kFrame.begin(), kFrame.end());
    appendYuv(bytes, picture);
}

/// The header of a YUV4MPEG2 stream, with size and rate.
std::string y4mHead(const core::ImageSequence& images) {
    return fmt::format("YUV4MPEG2 W{} H{} F{}:{} Ip A1:1 C444 XCOLORRANGE=LIMITED\n", images.shownWidth(),
                       images.shownHeight(), images.rateNumerator, images.rateDenominator);
}

/// Writes pictures in sequence, with rows from the top.
void writeStream(const core::ImageSequence& images, const std::vector<std::uint32_t>& wanted, const VideoOutput& to,
                 const Console& console) {
    OutputFile output(to.path);
    const auto cursor = images.open();
    ProgressLine progress(console, "pictures", wanted.size());
    std::optional<pictures::AnimatedPng> png;
    if (to.form == "apng")
        output.append(png.emplace(images, static_cast<std::uint32_t>(wanted.size())).head());
    else if (to.form == "y4m")
        output.append(y4mHead(images));
    const auto append = to.form == "y4m" ? appendFrame : to.form == "raw" ? appendRgb : append555;
    core::ByteVector bytes;
    for (const std::uint32_t index : wanted) {
        if (interrupted())
            return;
        bytes.clear();
        const auto picture = pictures::shown(images, cursor->picture(index));
        if (png)
            bytes = png->frame(picture);
        else
            append(bytes, picture);
        output.append(bytes);
        progress.step();
    }
    if (png)
        output.append(pictures::AnimatedPng::end());
    output.commit();
}

}  // namespace

void writeVideo(const core::ImageSequence& images, const std::vector<std::uint32_t>& wanted, const VideoOutput& to,
                const Console& console) {
    if (to.form == "png")
        writePngs(images, wanted, to, console);
    else if (to.form == "sheet")
        writeSheet(images, wanted, to, console);
    else
        writeStream(images, wanted, to, console);
}

std::string ffmpegCommand(const core::ImageSequence& images, std::span<const std::string> words,
                          const std::string& target) {
    const bool isGif = core::extensionOf(target) == "gif";
    const bool isOdd = images.shownWidth() % 2 != 0 || images.shownHeight() % 2 != 0;
    // Most players only support mp4 with half-size chroma. This needs an even number of rows and columns.
    const std::string_view options = isGif   ? ""
                                     : isOdd ? "-vf \"pad=ceil(iw/2)*2:ceil(ih/2)*2\" -pix_fmt yuv420p "
                                             : "-pix_fmt yuv420p ";
    std::string command = "reanima frames";
    for (const std::string& word : words)
        command += ' ' + asWord(word);
    return fmt::format("{} --as y4m -o - | ffmpeg -i - {}{}", command, options, asWord(target));
}

namespace {

bool endsInOneOf(const std::filesystem::path& path, std::span<const std::string_view> endings) {
    return std::ranges::find(endings, core::extensionOf(toUtf8(path.filename()))) != endings.end();
}

}  // namespace

bool isVideoForPlayers(const std::filesystem::path& path) {
    constexpr std::array<std::string_view, 10> kEndings = {"mp4",  "gif", "avi", "mov", "mkv",
                                                           "webm", "m4v", "mpg", "wmv", "webp"};
    return endsInOneOf(path, kEndings);
}

bool isFileOfOtherKind(const std::filesystem::path& path) {
    using std::literals::operator""sv;
    constexpr std::array kEndings = {"png"sv,  "jpg"sv,  "jpeg"sv, "bmp"sv, "tga"sv,  "glb"sv,
                                     "gltf"sv, "vrm"sv,  "vrma"sv, "bvh"sv, "anim"sv, "html"sv,
                                     "zip"sv,  "json"sv, "csv"sv,  "y4m"sv, "apng"sv, "raw"sv};
    return endsInOneOf(path, kEndings);
}

}  // namespace reanima::tool
