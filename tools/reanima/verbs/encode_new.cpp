#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/text.h"
#include "formats/common_options.h"
#include "formats/format.h"
#include "formats/registry.h"
#include "tools/reanima/jobs/clip_sources.h"
#include "tools/reanima/jobs/report.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/edits_in_words.h"
#include "tools/reanima/verbs/encode_into.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

/// A file to make.
struct Output {
    fs::path path;
    std::vector<std::string> clips;
    std::vector<std::uint32_t> places{};  ///< the place of each clip
    std::optional<double> rate{};         ///< frames per second, if the scene states it
};

/// `ff7-battle-animation, ff7-field-animation, ...`: the formats that need no original.
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
            fmt::format("encode {}: to change the game file that INPUT was made from, add --into FILE; to make a new "
                        "file, add --format ID -s SKELETON. The ID is one of {}",
                        edited, formatsToMake()));
    const Format& format = *InputOptions::formatFor(options.input.format);
    if (format.still == nullptr)
        throw UsageError(fmt::format("--format {}: {}. New files can have the formats {}", format.id,
                                     format.traits.isWrittenFromPoses
                                         ? "files of this format can only be changed, with --into FILE"
                                         : "motion can't be written into files of this format yet",
                                     formatsToMake()));
    if (options.input.skeleton.empty())
        throw UsageError(fmt::format("--format {}: the clips need the game's skeleton. Add -s FILE", format.id));
    return format;
}

/// The prefix and number of a name like `hero_004`. The number has three or more digits.
struct NumberedName {
    std::string_view stem;
    std::uint32_t number = 0;
};
std::optional<NumberedName> numberedName(std::string_view name) {
    const std::size_t line = name.rfind('_');
    const std::string_view digits = line == std::string_view::npos ? std::string_view() : name.substr(line + 1);
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    constexpr std::size_t kDigits = 3;
    if (digits.size() < kDigits || error != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return NumberedName{name.substr(0, line), number};
}

/// Known places of clips in a pack: from the origins that the scene states, if these are all in one file. Otherwise
/// from the numbers in clip names, if all numbered names share a prefix.
std::vector<std::optional<std::uint32_t>> knownPlaces(const std::vector<std::string>& clips,
                                                      const std::map<std::string, core::ClipSource>& sources) {
    std::vector<std::optional<std::uint32_t>> told;
    std::vector<std::optional<std::uint32_t>> named;
    std::set<std::string> files;
    std::set<std::string_view> stems;
    for (const std::string& clip : clips) {
        const auto source = sources.find(clip);
        told.push_back(source == sources.end() ? std::nullopt : source->second.index);
        if (told.back())
            files.insert(source->second.file);
        const std::optional<NumberedName> numbered = numberedName(clip);
        named.push_back(numbered ? std::optional(numbered->number) : std::nullopt);
        if (numbered)
            stems.insert(numbered->stem);
    }
    if (files.size() == 1)
        return told;
    return stems.size() == 1 ? named : std::vector<std::optional<std::uint32_t>>(clips.size());
}

/// Assigns places in a pack. If several clips know the same place, the first of them gets it. Clips without a place
/// follow the last known place, in order.
std::vector<std::uint32_t> placesOf(const std::vector<std::string>& clips,
                                    const std::map<std::string, core::ClipSource>& sources) {
    constexpr std::uint32_t kMostPlaces = 4096;  // packs of the game contain up to 100
    std::vector<std::optional<std::uint32_t>> places = knownPlaces(clips, sources);
    std::set<std::uint32_t> taken;
    for (std::optional<std::uint32_t>& place : places)
        if (place && (*place >= kMostPlaces || !taken.insert(*place).second))
            place.reset();
    std::uint32_t next = taken.empty() ? 0 : *taken.rbegin() + 1;
    std::vector<std::uint32_t> all;
    all.reserve(places.size());
    for (const std::optional<std::uint32_t>& place : places)
        all.push_back(place ? *place : next++);
    return all;
}

/// One run: makes files from clips and a skeleton.
class EncodingNew {
  public:
    EncodingNew(const EncodeMotionOptions& options, const Console& console)
        : options_(recording(options, read_)), console_(console), format_(formatToMake(options_)) {}

    int run() {
        refuseOptions();
        const std::string& path = options_.edited.front();
        core::Limits limits = options_.input.limits;
        core::Diagnostics diagnostics;
        const File file = options_.input.files->read(path, limits);
        std::optional<core::MovingScene> scene = readEdited(file, path, options_.input, limits, diagnostics);
        if (!scene)
            throw core::DecodeError(
                "is not a .glb or .gltf. To write other motion into a game file, use --into FILE --at N")
                .inFile(path);
        const Companions given = options_.input.givenWithoutRig();
        EncodeSettings settings = options_.settings;
        settings.rest = restFrom(options_);
        if (settings.rest.source == RestPose::Source::clip && !settings.rest.file)
            throw UsageError(fmt::format(
                "--rest {}: names a clip, but a new file has no clips yet; expected zero or FILE[:CLIP:FRAME]",
                settings.rest.saidBy.value));
        Context reading{options_.input.values, limits, diagnostics};
        const std::vector<Output> outputs = outputsFor(clipsToWrite(*scene, given, reading), scene->sources);
        refuse(outputs);
        std::map<std::string, core::SceneMotion> motions;
        for (core::SceneMotion& motion : std::exchange(scene->motions, {}))
            motions.emplace(motion.name, std::move(motion));
        std::vector<core::ByteVector> made;
        std::vector<std::string> lines;
        Json report;
        std::uint64_t held = 0;
        for (const Output& output : outputs) {
            settings.search.clips = output.clips;
            scene->motions.clear();
            for (const std::string& clip : output.clips)
                scene->motions.push_back(std::move(motions.at(clip)));
            const core::Limits left = limits.holding(held);
            Context context{options_.input.values, left, diagnostics};
            EncodedAsset encoded = encodeNew(*scene, path, {&format_, toUtf8(output.path), output.places, output.rate},
                                             given, settings, context);
            say(encoded);
            addToReport(report, reportOf(encoded, FileWas::made, toUtf8(output.path)));
            lines.push_back(fmt::format("wrote {}: {} bytes, {}", toUtf8(output.path), encoded.bytes.size(),
                                        counted(output.clips.size(), "clip")));
            held += encoded.bytes.size();
            made.push_back(std::move(encoded.bytes));
        }
        console_.print(diagnostics);
        if (console_.policy.fails(diagnostics))
            return kInputFailed;
        refuse(outputs);  // includes files found beside the inputs
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            writeOutput(outputs[i].path, core::Bytes(made[i]));
            console_.say(lines[i]);
        }
        if (!outputs.empty())
            sayHowToLook(toUtf8(outputs.back().path), &format_, options_.input.skeleton, console_);
        if (!options_.report.empty())
            writeOutput(fromUtf8(options_.report), toText(report));
        return kDone;
    }

  private:
    void refuseOptions() const {
        if (options_.isPlaced())
            throw UsageError("--at and --append: apply only to a file that exists. Add --into FILE");
        for (const auto& [key, texts] : options_.binding)
            if (key != "rest" && !texts.empty())
                throw UsageError(
                    fmt::format("--{}: applies only with --into FILE, for motion of another character", key));
        for (const OptionInfo& option : formatOptions(std::nullopt))
            if (option.use == OptionInfo::Use::writing && options_.input.values.has(option.key) &&
                !format_.offers(option.key))
                throw UsageError(fmt::format("--{}: does not apply to {} files", option.key, format_.id));
        refuseTerminal(options_.output, "the game's formats are");
    }

    [[nodiscard]] std::vector<std::string> clipsToWrite(const core::MovingScene& scene, const Companions& given,
                                                        Context& context) const {
        const std::vector<std::string> all = clipsFor(scene, given, context);
        const std::set<std::string> names(all.begin(), all.end());
        const std::set<std::string> wanted(options_.settings.search.clips.begin(),
                                           options_.settings.search.clips.end());
        for (const std::string& name : wanted)
            if (!names.contains(name))
                throw core::optionError({"clip", name}, "no clip with that name moves the skeleton");
        std::vector<std::string> clips;
        std::ranges::copy_if(all, std::back_inserter(clips),
                             [&wanted](const std::string& name) { return wanted.empty() || wanted.contains(name); });
        if (clips.empty())
            throw core::DecodeError({"animations", std::nullopt},
                                    scene.motions.empty() ? "are missing. Export the file with its animations"
                                                          : "do not move the skeleton: they belong to another "
                                                            "skeleton, or joints were renamed")
                .inFile(options_.edited.front());
        std::set<std::string> once;
        for (const std::string& name : clips)
            if (!once.insert(name).second)
                throw core::DecodeError({"animations", std::nullopt},
                                        fmt::format("contain several clips with the name \"{}\". Rename them", name))
                    .inFile(options_.edited.front());
        return clips;
    }

    [[nodiscard]] std::vector<Output> outputsFor(const std::vector<std::string>& clips,
                                                 const std::map<std::string, core::ClipSource>& sources) const {
        if (format_.traits.addsClips) {
            if (namesFolder(options_.output))
                throw UsageError(fmt::format(
                    "-o {}: is a folder, but all clips are written into one file. Name this file", options_.output));
            return {{fromUtf8(options_.output), clips, placesOf(clips, sources), {}}};
        }
        const auto rateOf = [&sources](const std::string& clip) {
            const auto source = sources.find(clip);
            const std::optional<double> rate = source == sources.end() ? std::nullopt : source->second.rate;
            const bool isValid = rate >= kRateOption.minimum && rate <= kRateOption.maximum;
            return isValid ? rate : std::nullopt;
        };
        if (!namesFolder(options_.output)) {
            if (clips.size() > 1)
                throw UsageError(
                    fmt::format("-o {}: a file of this format contains one clip, but there are {}. Choose one with "
                                "--clip, or use -o FOLDER/ for all",
                                options_.output, clips.size()));
            return {{fromUtf8(options_.output), clips, {0}, rateOf(clips.front())}};
        }
        std::vector<Output> outputs;
        UniqueFileNames names;
        for (const std::string& clip : clips) {
            const std::string name = core::portableName(clip);
            constexpr std::size_t kLongest = 200;  // leaves room for additions: file names may have 255 bytes
            if (name.size() > kLongest)
                throw UsageError(fmt::format("{}: is too long for a file name. Rename the clip", name));
            outputs.push_back({fromUtf8(options_.output) /
                                   fromUtf8(fmt::format("{}.{}", names.unique(name), format_.extensions.front())),
                               {clip},
                               {0},
                               rateOf(clip)});
        }
        return outputs;
    }

    void refuse(const std::vector<Output>& outputs) const {
        std::vector<fs::path> written;
        written.reserve(outputs.size() + 1);
        for (const Output& output : outputs)
            written.push_back(output.path);
        if (!options_.report.empty())
            written.push_back(fromUtf8(options_.report));
        std::vector<fs::path> read = read_;
        for (const std::string& named : {options_.edited.front(), options_.input.skeleton})
            read.push_back(fileOf(fromUtf8(named)));
        refuseClashes(written, read);
        refuseOtherThanReport(fromUtf8(options_.report));
        if (!options_.force)
            refuseExisting(written);
    }

    void say(const EncodedAsset& encoded) const {
        for (const core::ClipEdit& edit : encoded.found.clips)
            console_.say(format_.traits.addsClips
                             ? fmt::format("{}: {}, as clip {}", edit.name, counted(edit.frames, "frame"),
                                           encoded.original.clips[edit.clip].index)
                             : fmt::format("{}: {}", edit.name, counted(edit.frames, "frame")));
        for (const std::string& loss : encoded.losses)
            console_.say("left out: " + loss);
    }

    std::vector<fs::path> read_;
    const EncodeMotionOptions options_;
    const Console& console_;
    const Format& format_;
};

}  // namespace

int encodeNew(const EncodeMotionOptions& options, const Console& console) {
    return EncodingNew(options, console).run();
}

}  // namespace reanima::tool
