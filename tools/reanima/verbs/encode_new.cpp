#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.h"
#include "formats/format.h"
#include "formats/registry.h"
#include "tools/reanima/jobs/clip_sources.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/edits_in_words.h"
#include "tools/reanima/verbs/encode_into.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

/// A file that is to be made.
struct Output {
    fs::path path;
    std::vector<std::string> clips;
    std::vector<std::uint32_t> places{};  ///< of each
    std::optional<double> rate{};         ///< frames per second, where the scene says it
};

/// `ff7-battle-animation, ff7-field-animation, ...`: those that are made without an original.
std::string formatsToMake() {
    std::vector<std::string_view> ids;
    for (const Format* format : formats())
        if (format->still != nullptr)
            ids.push_back(format->id);
    return fmt::format("{}", fmt::join(ids, ", "));
}

const Format& formatToMake(const EncodeMotionOptions& options) {
    const std::string& edited = options.edited.front();
    if (options.input.format.empty())
        throw UsageError(
            fmt::format("encode {}: expected the game's file that it was made from, --into FILE, or what is to be "
                        "made of it, --format ID -s SKELETON: {}",
                        edited, formatsToMake()));
    const Format& format = *InputOptions::formatFor(options.input.format);
    if (format.still == nullptr)
        throw UsageError(fmt::format("--format {}: such a file is only changed, --into FILE; made are {}", format.id,
                                     formatsToMake()));
    if (options.input.skeleton.empty())
        throw UsageError(
            fmt::format("--format {}: the game's skeleton that the clips move is missing: -s FILE", format.id));
    return format;
}

/// The number that names like `hero_004` end with: three digits or more.
std::optional<std::uint32_t> numberAtEnd(std::string_view name) {
    const std::size_t line = name.rfind('_');
    const std::string_view digits = line == std::string_view::npos ? std::string_view() : name.substr(line + 1);
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    constexpr std::size_t kDigits = 3;
    const bool isNumber = digits.size() >= kDigits && error == std::errc() && end == digits.data() + digits.size();
    return isNumber ? std::optional(number) : std::nullopt;
}

bool isEachOnce(const std::vector<std::uint32_t>& places) {
    return std::set(places.begin(), places.end()).size() == places.size();
}

/// Where clips of a pack belong: where they came from, if the scene says so of all, else by the numbers in their names,
/// if all have one, else in their order.
std::vector<std::uint32_t> placesOf(const std::vector<std::string>& clips,
                                    const std::map<std::string, ClipSource>& sources) {
    constexpr std::uint32_t kMostPlaces = 4096;  // a pack of the game has up to 100
    std::vector<std::uint32_t> told;
    std::vector<std::uint32_t> named;
    std::vector<std::uint32_t> ordered;
    std::set<std::string> files;
    for (const std::string& clip : clips) {
        if (const auto source = sources.find(clip); source != sources.end() && source->second.index) {
            told.push_back(*source->second.index);
            files.insert(source->second.file);
        }
        if (const auto number = numberAtEnd(clip))
            named.push_back(*number);
        ordered.push_back(static_cast<std::uint32_t>(ordered.size()));
    }
    const auto isUsable = [&clips](const std::vector<std::uint32_t>& places) {
        return places.size() == clips.size() && isEachOnce(places) && std::ranges::max(places) < kMostPlaces;
    };
    if (files.size() == 1 && isUsable(told))
        return told;
    return isUsable(named) ? named : ordered;
}

/// One run: files of clips for a skeleton.
class EncodingNew {
  public:
    EncodingNew(const EncodeMotionOptions& options, const Console& console)
        : options_(options), console_(console), format_(formatToMake(options)) {}

    int run() {
        if (options_.isPlaced())
            throw UsageError("--at and --append: a file that is made has no other clips; they go with --into");
        if (options_.output == kStandardStream && isTerminal(StandardStream::output))
            throw UsageError("-o -: the game's formats are not text for a terminal");
        const std::string& path = options_.edited.front();
        const core::Limits& limits = options_.input.limits;
        core::Diagnostics diagnostics;
        const File file = options_.input.files->read(path, limits);
        const std::optional<core::MovingScene> scene = readEdited(file, path, options_.input, limits, diagnostics);
        if (!scene)
            throw core::DecodeError("is no .glb or .gltf; --into FILE --at N puts other motion into a file of the game")
                .inFile(path);
        const Companions given = options_.input.givenWithoutRig();
        EncodeSettings settings = options_.settings;
        settings.rest = restFrom(options_);
        Context context{options_.input.values, limits, diagnostics};
        const std::vector<Output> outputs = outputsFor(clipsToWrite(*scene, given, context), file);
        refuse(outputs, given);
        std::vector<core::ByteVector> made;
        std::vector<std::string> lines;
        Json report;
        for (const Output& output : outputs) {
            settings.search.clips = output.clips;
            const EncodedAsset encoded = encodeNew(
                *scene, path, {&format_, toUtf8(output.path), output.places, output.rate}, given, settings, context);
            say(encoded);
            addToReport(report, reportOf(encoded, FileWas::made));
            lines.push_back(fmt::format("wrote {}: {} bytes, {}", toUtf8(output.path), encoded.bytes.size(),
                                        counted(output.clips.size(), "clip")));
            made.push_back(encoded.bytes);
        }
        console_.print(diagnostics);
        if (console_.policy.fails(diagnostics))
            return kInputFailed;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            writeOutput(outputs[i].path, core::Bytes(made[i]));
            console_.say(lines[i]);
        }
        if (!options_.report.empty())
            writeOutput(fromUtf8(options_.report), toText(report));
        return kDone;
    }

  private:
    [[nodiscard]] std::vector<std::string> clipsToWrite(const core::MovingScene& scene, const Companions& given,
                                                        Context& context) const {
        const std::vector<std::string> all = clipsFor(scene, given, context);
        const std::vector<std::string>& wanted = options_.settings.search.clips;
        for (const std::string& name : wanted)
            if (std::ranges::find(all, name) == all.end())
                throw core::optionError({"clip", name}, "there is no clip of that name that moves the skeleton");
        std::vector<std::string> clips;
        std::ranges::copy_if(all, std::back_inserter(clips), [&wanted](const std::string& name) {
            return wanted.empty() || std::ranges::find(wanted, name) != wanted.end();
        });
        if (clips.empty())
            throw core::DecodeError({"animations", std::nullopt}, "are none that move the skeleton")
                .inFile(options_.edited.front());
        return clips;
    }

    [[nodiscard]] std::vector<Output> outputsFor(const std::vector<std::string>& clips, const File& file) const {
        const std::map<std::string, ClipSource> sources = clipSourcesOf(file.bytes);
        if (format_.addsClips) {
            if (namesFolder(options_.output))
                throw UsageError(fmt::format("-o {}: all clips become one file: name it", options_.output));
            return {{fromUtf8(options_.output), clips, placesOf(clips, sources), {}}};
        }
        const auto rateOf = [&sources](const std::string& clip) {
            const auto source = sources.find(clip);
            return source == sources.end() ? std::nullopt : source->second.rate;
        };
        if (!namesFolder(options_.output)) {
            if (clips.size() > 1)
                throw UsageError(fmt::format(
                    "-o {}: such a file holds one clip, and there are {}; --clip chooses one, -o FOLDER/ takes all",
                    options_.output, clips.size()));
            return {{fromUtf8(options_.output), clips, {0}, rateOf(clips.front())}};
        }
        std::vector<Output> outputs;
        std::set<std::string> taken;
        for (const std::string& clip : clips) {
            const std::string name = core::portableName(clip);
            std::string unique = name;
            for (int next = 2; !taken.insert(core::lowerCase(unique)).second; ++next)
                unique = fmt::format("{}_{}", name, next);
            outputs.push_back(
                {fromUtf8(options_.output) / fromUtf8(fmt::format("{}.{}", unique, format_.extensions.front())),
                 {clip},
                 {0}});
        }
        return outputs;
    }

    void refuse(const std::vector<Output>& outputs, const Companions& given) const {
        std::vector<fs::path> written;
        for (const Output& output : outputs)
            written.push_back(output.path);
        if (!options_.report.empty())
            written.push_back(fromUtf8(options_.report));
        std::vector<fs::path> read = {fileOf(fromUtf8(options_.edited.front()))};
        for (const auto& [role, companion] : given)
            if (!companion.input.file.path.empty())
                read.push_back(fromUtf8(companion.input.file.path));
        refuseClashes(written, read);
        if (!options_.force)
            refuseExisting(written);
    }

    void say(const EncodedAsset& encoded) const {
        for (const core::ClipEdit& edit : encoded.found.clips)
            console_.say(format_.addsClips
                             ? fmt::format("{}: {}, at place {}", edit.name, counted(edit.frames, "frame"),
                                           encoded.original.clips[edit.clip].index)
                             : fmt::format("{}: {}", edit.name, counted(edit.frames, "frame")));
        for (const std::string& loss : encoded.losses)
            console_.say("left out: " + loss);
    }

    const EncodeMotionOptions& options_;
    const Console& console_;
    const Format& format_;
};

}  // namespace

int encodeNew(const EncodeMotionOptions& options, const Console& console) {
    return EncodingNew(options, console).run();
}

}  // namespace reanima::tool
