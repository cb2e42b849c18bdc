#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/near_names.h"
#include "core/text.h"
#include "core/text_pattern.h"
#include "formats/animation_links.h"
#include "formats/common_options.h"
#include "formats/format.h"
#include "formats/load.h"
#include "json/json.h"
#include "tools/reanima/front/command_words.h"
#include "tools/reanima/front/options.h"
#include "tools/reanima/jobs/contents.h"
#include "tools/reanima/jobs/walk.h"
#include "tools/reanima/system/failure.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace {

/// The formats' options that change names, numbers of joints or lengths of clips.
constexpr std::array<std::string_view, 5> kThatChangeAnswers = {kRateOption.key, kJointsOption.key, kNamesByOption.key,
                                                                kFieldsOption.key, "game"};

struct FindOptions {
    InputOptions input;
    std::string text;
    std::vector<std::string> places;
    bool json = false;
};

/// A character and its place.
struct Found {
    std::string path;
    const Format* format = nullptr;
    HeldCharacter held;
    bool isOneOfSeveral = false;  ///< its file contains several characters
    bool isElsewhere = false;     ///< the found file contains only a clip of the character
};

// ---------------------------------------------------------------------------------------------------------------------
// What is looked for

/// A range `1.5-2`, or a number `45`.
struct Range {
    double first = 0;
    double last = 0;

    [[nodiscard]] bool holds(double value) const { return first <= value && value <= last; }
};

std::optional<double> numberIn(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(number)
                                                                                     : std::nullopt;
}

/// @throws UsageError
Range rangeIn(std::string_view text, std::string_view word) {
    const std::size_t dash = text.find('-');
    const std::optional<double> first = numberIn(text.substr(0, dash));
    const std::optional<double> last = dash == std::string_view::npos ? first : numberIn(text.substr(dash + 1));
    if (!first || !last || *first > *last)
        throw UsageError(fmt::format("{}: expected a number, or a range A-B", word));
    return {*first, *last};
}

/// True if a text contains a word. A pattern must match the whole text, or the last part of a path.
bool holds(std::string_view text, std::string_view word) {
    if (!core::isPattern(word))
        return core::lowerCase(text).find(core::lowerCase(word)) != std::string::npos;
    return core::fits(text, word) || core::fits(text.substr(text.find_last_of("/:") + 1), word);
}

/// The words of a search. All of them must match.
class Query {
  public:
    /// @throws UsageError
    explicit Query(std::string_view text) {
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find(' ', begin), text.size());
            if (end > begin)
                add(std::string(text.substr(begin, end - begin)));
            begin = end + 1;
        }
    }

    /// The words to search for in names and paths.
    [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

    [[nodiscard]] bool fits(const Found& found) const {
        if (!seconds_.empty() || (!kind_.empty() && kind_ != (found.held.isVideo ? "video" : "character")))
            return false;
        return hasId(found.held.model) && hasJoints(found) &&
               std::ranges::all_of(words_, [&](const std::string& word) { return isSaidOf(found, word); });
    }

    /// True if a clip itself matches, by text, number or length. Texts of its character alone are not enough.
    [[nodiscard]] bool fits(const Found& found, const HeldClip& clip) const {
        if (found.held.isVideo || (!kind_.empty() && kind_ != "clip"))
            return false;
        const auto isOwn = [&](const std::string& word) {
            return holds(clip.name, word) || holds(clip.fullName, word);
        };
        const bool isAbout = std::ranges::any_of(words_, isOwn) || !ids_.empty() || !seconds_.empty() ||
                             (words_.empty() && !kind_.empty());
        return isAbout && hasId(std::to_string(clip.id)) && hasJoints(found) &&
               std::ranges::all_of(seconds_, [&](const Range& range) { return range.holds(clip.seconds); }) &&
               std::ranges::all_of(words_, [&](const std::string& w) { return isOwn(w) || isSaidOf(found, w); });
    }

  private:
    void add(const std::string& word) {
        const std::size_t colon = word.find(':');
        const std::string key = word.substr(0, colon);
        const std::string value = colon == std::string::npos ? "" : word.substr(colon + 1);
        if (value.empty() || (key != "id" && key != "joints" && key != "seconds" && key != "kind"))
            words_.push_back(word);
        else if (key == "id")
            ids_.push_back(value);
        else if (key == "joints")
            joints_.push_back(rangeIn(value, word));
        else if (key == "seconds")
            seconds_.push_back(rangeIn(value, word));
        else if (value == "character" || value == "clip" || value == "video")
            kind_ = value;
        else
            throw UsageError(fmt::format("{}: expected kind:character, kind:clip or kind:video", word));
    }

    static bool isSaidOf(const Found& found, const std::string& word) {
        const core::Called& called = found.held.called;
        return holds(found.path, word) || holds(found.held.model, word) || holds(found.format->label, word) ||
               holds(called.title, word) || holds(called.fullName, word);
    }

    [[nodiscard]] bool hasId(const std::string& id) const {
        return std::ranges::all_of(ids_, [&](const std::string& wanted) { return wanted == id; });
    }

    [[nodiscard]] bool hasJoints(const Found& found) const {
        return std::ranges::all_of(
            joints_, [&](const Range& range) { return range.holds(static_cast<double>(found.held.joints)); });
    }

    std::vector<std::string> words_;
    std::vector<std::string> ids_;
    std::vector<Range> joints_;
    std::vector<Range> seconds_;
    std::string kind_;
};

// ---------------------------------------------------------------------------------------------------------------------
// What is printed

const std::string& shortNameOf(const core::Called& called) {
    return called.title.empty() ? called.fullName : called.title;
}

std::string nameOf(const Found& found) {
    const core::Called& called = found.held.called;
    if (found.isElsewhere)
        return fmt::format("{}, in {}", core::printable(shortNameOf(called)), found.path);
    std::string name = found.path;
    if (found.isOneOfSeveral)
        name += " " + found.held.model;
    if (called.isKnown())
        name += fmt::format(" ({})", called.title.empty() || called.fullName.empty() || called.title == called.fullName
                                         ? called.title + called.fullName
                                         : called.title + ", " + called.fullName);
    return name;
}

/// The next command for a result.
std::string commandFor(const Found& found, const HeldClip* clip) {
    if (found.isElsewhere) {
        return fmt::format("reanima convert {} --animations {} --clip id:{}",
                           asWord("FILE_WITH_" + shortNameOf(found.held.called)), asPath(found.path + ":*"), clip->id);
    }
    std::string command = (found.held.isVideo ? "reanima frames " : "reanima convert ") + asPath(found.path);
    if (found.isOneOfSeveral)
        command += " --model " + asWord(found.held.model);
    if (clip == nullptr)
        return command;
    if (clip->id != clip->index && std::ranges::count(found.held.clips, clip->id, &HeldClip::id) == 1)
        return fmt::format("{} --clip id:{}", command, clip->id);
    if (std::ranges::count(found.held.clips, clip->index, &HeldClip::index) == 1)
        return fmt::format("{} --clip {}", command, clip->index);
    return fmt::format("{} --clip {}", command, asWord(clip->name));  // clips of several files share the index
}

std::string count(std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string lineOf(const Found& found) {
    const HeldCharacter& held = found.held;
    const std::string size = held.isVideo ? fmt::format("{}, {:.2f} s", count(held.clips.front().frames, "frame"),
                                                        held.clips.front().seconds)
                                          : count(held.joints, "joint") + ", " + count(held.clips.size(), "clip");
    return fmt::format("{}: {}, {}", nameOf(found), found.format->label, size);
}

std::string lineOf(const Found& found, const HeldClip& clip) {
    return fmt::format("{}: clip {}, id {}, {}, {:.2f} s, of {}", clip.name, clip.index, clip.id,
                       count(clip.frames, "frame"), clip.seconds, nameOf(found));
}

Json asJson(const Found& found, const HeldClip* clip) {
    Json json = {{"kind", clip != nullptr      ? "clip"
                          : found.held.isVideo ? "video"
                                               : "character"},
                 {"file", found.path},
                 {"format", found.format->id},
                 {"model", found.held.model.empty() ? Json(nullptr) : modelIdToJson(found.held.model)},
                 {"joints", found.held.joints},
                 {"clips", found.held.isVideo ? 0 : found.held.clips.size()},
                 {"command", commandFor(found, clip)}};
    const HeldClip* timed = clip != nullptr ? clip : found.held.isVideo ? &found.held.clips.front() : nullptr;
    const std::string& title = found.held.called.title;
    const std::string& fullName = clip != nullptr ? clip->fullName : found.held.called.fullName;
    json["name"] = clip != nullptr ? Json(clip->name) : title.empty() ? Json(nullptr) : Json(title);
    json["full_name"] = fullName.empty() ? Json(nullptr) : Json(fullName);
    json["index"] = clip != nullptr ? Json(clip->index) : Json(nullptr);
    json["id"] = clip != nullptr ? Json(clip->id) : Json(nullptr);
    json["frames"] = timed != nullptr ? Json(timed->frames) : Json(nullptr);
    json["seconds"] = timed != nullptr ? Json(timed->seconds) : Json(nullptr);
    return json;
}

/// Searches files and shows the matches.
class Search {
  public:
    Search(const FindOptions& options, const Console& console)
        : options_(options),
          console_(console),
          query_(options.text),
          given_(options.input.givenWithoutRig()),
          files_(options.input.files, options.input.limits, options.input.values.text(kFieldsOption.key).value_or("")) {
        for (const std::string& word : query_.words())
            nearest_.emplace_back(word);
    }

    void lookInto(const std::string& place) {
        const auto report = [this] { reportFailure(); };
        const std::vector<std::string> files = filesBelow(options_.input, place, report);
        const bool isNamed = files.size() == 1 && files.front() == place;
        for (const std::string& file : files) {
            if (interrupted())
                return;
            try {
                if (isNamed)
                    lookInto(options_.input.read(file));
                else if (const std::optional<Input> input = options_.input.readFromFolder(file))
                    lookIfApart(*input);
            } catch (const core::DecodeError&) {
                report();
            }
        }
        lookIntoStrays();
    }

    /// @return the exit status
    int close() {
        showElsewhere();
        if (options_.json)
            printData(toText({{"schema", 1}, {"found", std::move(list_)}}));
        console_.say(summary());
        return isNothingFound() ? std::max<int>(status_, kInputFailed) : status_;
    }

  private:
    [[nodiscard]] bool isNothingFound() const { return characters_ + clips_ + videos_ == 0; }

    /// The number of results. Without results, similar names or the command that lists all names.
    [[nodiscard]] std::string summary() const {
        std::string found;
        const auto add = [&found](std::size_t n, const char* what) {
            if (n > 0)
                found += (found.empty() ? "" : ", ") + count(n, what);
        };
        add(characters_, "character");
        add(clips_, "clip");
        add(videos_, "video");
        if (!isNothingFound())
            return found + " found";
        for (std::size_t i = 0; i < nearest_.size(); ++i)
            if (core::lowerCase(nearest_[i].found()) != core::lowerCase(query_.words()[i]) &&
                !nearest_[i].question().empty())
                return "nothing found" + nearest_[i].question();
        const std::string place = options_.places.empty() ? "." : options_.places.front();
        if (status_ != kDone || place == kStandardStream)
            return "nothing found";
        return fmt::format("nothing found{}{}; `reanima list -r {}` shows what is there",
                           someOf(characterNames_, "; characters are called "),
                           someOf(clipNames_, "; clips are called "), asPath(place));
    }

    static std::string someOf(const std::vector<std::string>& names, std::string_view before) {
        constexpr std::size_t kMost = 8;
        const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMost));
        return names.empty() ? ""
                             : fmt::format("{}{}{}", before, fmt::join(names.begin(), end, ", "),
                                           names.size() > kMost ? ", ..." : "");
    }

    static void addTo(std::vector<std::string>& names, std::string_view name) {
        if (!name.empty() && std::ranges::find(names, name) == names.end())
            names.emplace_back(name);
    }

    static std::string_view withoutNumber(std::string_view name) {
        while (!name.empty() && (core::isDigit(name.back()) || name.back() == '_'))
            name.remove_suffix(1);
        return name;
    }

    /// Offers a name, and the words in it, as suggestions for misspelled words.
    void offer(std::string_view name) {
        for (core::NearestName& nearest : nearest_) {
            nearest.offer(name);
            for (std::size_t begin = 0; begin < name.size();) {
                const std::size_t end = std::min(name.find_first_of(" _./:", begin), name.size());
                if (end > begin)
                    nearest.offer(name.substr(begin, end - begin));
                begin = end + 1;
            }
        }
    }

    void reportFailure() {
        console_.error(currentFailure().message);
        status_ = kInputFailed;
    }

    /// Searches a file, unless it is searched together with another file: a skeleton with the animations beside it, or
    /// an animation with its skeleton.
    void lookIfApart(const Input& input) {
        const Format& format = formatOf(input);
        if (isLinkable(format)) {  // its skeleton may be found later
            animations_.push_back(input.shownName());
            return;
        }
        if (linkRulesOf(format).links != nullptr)
            placesOfSkeletons_.insert(placeOf(input.shownName()));
        else if (format.kind == Kind::skeleton && packOfSkeleton(input, {}).has_value())
            return;
        lookInto(input);
    }

    /// Searches the animations that belong to no skeleton. If skeletons are beside them, only their clips are shown,
    /// not characters: `convert` does the same.
    void lookIntoStrays() {
        for (const std::string& path : std::exchange(animations_, {})) {
            if (linked_.contains(path) || interrupted())
                continue;
            try {
                if (const std::optional<Input> input = options_.input.readFromFolder(path))
                    lookInto(*input, placesOfSkeletons_.contains(placeOf(path)) ? Show::clips : Show::all);
            } catch (const core::DecodeError&) {
                reportFailure();
            }
        }
    }

    /// The folder or archive of a file.
    static std::string placeOf(const std::string& path) { return path.substr(0, path.find_last_of("/\\:") + 1); }

    enum class Show { all, clips };

    void lookInto(const Input& input, Show what = Show::all) {
        core::Diagnostics unsaid;  // about files that the user did not name
        Context context{options_.input.values, options_.input.limits, unsaid, interrupted};
        const std::vector<HeldCharacter> held = charactersIn(input, given_, context, files_);
        if (formatOf(input).traits.holdsModels && options_.input.files->namesEntry(input.shownName()) &&
            std::ranges::all_of(held, [](const HeldCharacter& character) { return character.model.empty(); }))
            what = Show::clips;  // they belong to models in other entries
        for (const HeldCharacter& character : held) {
            linked_.insert(character.linked.begin(), character.linked.end());
            show({.path = input.shownName(),
                  .format = &formatOf(input),
                  .held = character,
                  .isOneOfSeveral = held.size() > 1},
                 what);
        }
        for (const ClipElsewhere& clip : clipsElsewhere(input, given_, context)) {
            HeldCharacter owner{.called = clip.owner, .joints = clip.joints};
            owner.clips.push_back({clip.name, clip.fullName, clip.index, clip.id, clip.frames, clip.seconds});
            elsewhere_.push_back(
                {.path = input.shownName(), .format = &formatOf(input), .held = std::move(owner), .isElsewhere = true});
        }
    }

    /// Shows the clips of models whose files were not searched.
    void showElsewhere() {
        const auto shown = std::exchange(shown_, {});
        for (const Found& found : elsewhere_)
            if (!shown.contains({found.held.called.fullName, found.held.clips.front().id}))
                show(found, Show::clips);
    }

    void show(const Found& found, Show what) {
        offer(core::fileNameOf(found.path));
        offer(found.held.called.title);
        addTo(characterNames_, shortNameOf(found.held.called));
        if (what == Show::all && query_.fits(found)) {
            (found.held.isVideo ? videos_ : characters_) += 1;
            put(lineOf(found), found, nullptr);
        }
        for (const HeldClip& clip : found.held.clips) {
            offer(clip.name);
            addTo(clipNames_, withoutNumber(clip.name));
        }
        for (const HeldClip& clip : found.held.clips) {
            shown_.emplace(found.held.called.fullName, clip.id);
            if (query_.fits(found, clip)) {
                clips_ += 1;
                put(lineOf(found, clip), found, &clip);
            }
        }
    }

    void put(const std::string& line, const Found& found, const HeldClip* clip) {
        if (options_.json) {
            list_.push_back(asJson(found, clip));
            return;
        }
        printDataLine(line);
        printDataLine("    " + commandFor(found, clip));
    }

    const FindOptions& options_;
    const Console& console_;
    Query query_;
    Companions given_;
    CharacterFiles files_;
    std::vector<std::string> animations_;                    ///< paths of animations that may belong to skeletons
    std::set<std::string> placesOfSkeletons_;                ///< folders and archives with skeletons
    std::vector<std::string> characterNames_;                ///< each once
    std::vector<std::string> clipNames_;                     ///< each name once
    std::set<std::string> linked_;                           ///< paths of animations that belong to characters
    std::vector<Found> elsewhere_;                           ///< each with one clip
    std::set<std::pair<std::string, std::uint32_t>> shown_;  ///< clips of characters, by the characters' full names
    Json list_ = Json::array();
    std::vector<core::NearestName> nearest_;  ///< one per search word
    std::size_t characters_ = 0;
    std::size_t clips_ = 0;
    std::size_t videos_ = 0;
    int status_ = kDone;
};

bool isPlace(const std::string& word, const InputOptions& input) {
    return word == kStandardStream || core::isPattern(word) || core::exists(fromUtf8(word)) ||
           input.files->namesEntry(word);
}

/// @throws UsageError for search words in place of paths, as in `find zidane run FF9.IMG`, and for paths in place of
/// words
void refuseWordsInOtherPlaces(const FindOptions& options) {
    const auto isThere = [&](const std::string& word) { return isPlace(word, options.input); };
    const auto isLoose = [](const std::string& word) { return word.find_first_of("./\\:") == std::string::npos; };
    const std::vector<std::string>& places = options.places;
    if (places.empty())
        return;
    if (core::exists(fromUtf8(options.text)) && std::ranges::none_of(places, isThere))
        throw UsageError(fmt::format("find: write TEXT before PLACE: `reanima find {} {}`", asWord(places.front()),
                                     asWord(options.text)));
    const auto first = std::ranges::find_if(places, isThere);
    if (first == places.begin() || first == places.end() || !std::all_of(places.begin(), first, isLoose))
        return;
    throw UsageError(fmt::format(
        "find: {}: there is no such file or folder. If it is a word of TEXT, use quotes: `reanima find \"{} {}\" {}`",
        places.front(), options.text, fmt::join(places.begin(), first, " "), asWord(*first)));
}

int find(const FindOptions& options, const Console& console) {
    refuseWordsInOtherPlaces(options);
    Search search(options, console);
    if (options.places.empty())
        search.lookInto(".");
    for (const std::string& place : namedBy(options.places, options.input))
        search.lookInto(place);
    return interrupted() ? kInterrupted : search.close();
}

}  // namespace

const Verb kFind = {"find",
                    "TEXT [PLACE...]",
                    "finds characters and clips in files, folders and archives",
                    "json skeleton format",
                    "  reanima find \"zidane run\" FF9.IMG\n"
                    "  reanima find \"kind:clip seconds:1-2 joints:22\" battle.lgp",
                    [](Arguments& arguments, Console& console) -> std::function<int()> {
                        const auto options = std::make_shared<FindOptions>();
                        arguments.requiredText(
                            "TEXT", options->text, "",
                            "words that must all match a name, path or format. TEXT may also contain patterns and "
                            "these conditions: id:N, joints:A-B, seconds:A-B, kind:character, kind:clip, kind:video");
                        arguments.list("PLACE", options->places, "",
                                       "archives, folders and files. Default: the current folder");
                        arguments.flag("--json", options->json, "print JSON");
                        addSkeletonOptions(arguments, options->input);
                        arguments.text("--format", options->input.format, "ID",
                                       "format of the files in PLACE. Default: detected from the content");
                        addFormatOptions(arguments, kThatChangeAnswers, options->input.values);
                        addLimits(arguments, options->input.limits);
                        addConsoleOptions(arguments, console);
                        return [options, &console] { return find(*options, console); };
                    }};

}  // namespace reanima::tool
