#include "pipeline/bvh_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/clip.h"
#include "core/memory.h"
#include "core/pose.h"
#include "core/rotation.h"
#include "core/text.h"
#include "formats/foreign_files.h"

namespace reanima {

namespace {

using core::DecodeError;

constexpr std::string_view kBlanks = " \t\v\f";

/// Removes the next word from a text and returns it. Empty at the end. A brace is a separate word.
std::string_view takeWord(std::string_view& text) {
    constexpr std::string_view kEnds = " \t\v\f{}";
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    const bool isBrace = text.starts_with('{') || text.starts_with('}');
    const std::string_view word = text.substr(0, isBrace ? 1 : text.find_first_of(kEnds));
    text.remove_prefix(word.size());
    return word;
}

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

/// A word in quotes, for messages.
std::string quoted(std::string_view word) {
    constexpr std::size_t kMost = 40;
    return fmt::format("\"{}\"", core::printable(word.substr(0, kMost)));
}

/// The non-empty lines of a text, with their numbers. Lines end in LF, CR LF or CR.
class Lines {
  public:
    explicit Lines(std::string_view text) : text_(text) {}

    /// @return false at the end
    bool next() {
        while (!text_.empty()) {
            const std::size_t end = std::min(text_.find_first_of("\r\n"), text_.size());
            line_ = trimmed(text_.substr(0, end));
            ++number_;
            const bool isPair = text_.substr(end).starts_with("\r\n");
            text_.remove_prefix(std::min(text_.size(), end + (isPair ? 2 : 1)));
            if (!line_.empty())
                return true;
        }
        ++number_;
        line_ = {};
        return false;
    }

    /// The unread part of the line.
    std::string_view& line() { return line_; }
    [[nodiscard]] core::Place place() const { return {fmt::format("line {}", number_), std::nullopt}; }
    [[noreturn]] void refuse(const std::string& problem) const { throw DecodeError(place(), problem); }

    /// Goes to the next line if this line is read completely.
    void skipToWord(std::string_view expected) {
        line_ = trimmed(line_);
        if (line_.empty() && !next())
            refuse(fmt::format("the file ends, expected {}", expected));
    }

    /// The next word, possibly from the next line.
    std::string_view word(std::string_view expected) {
        skipToWord(expected);
        return takeWord(line_);
    }

    void expect(std::string_view keyword) {
        const std::string_view found = word(keyword);
        if (core::lowerCase(found) != core::lowerCase(keyword))
            refuse(fmt::format("is {}, expected {}", quoted(found), keyword));
    }

    /// Reads a keyword. A number may follow it without a blank.
    void expectLabel(std::string_view label) {
        skipToWord(label);
        if (core::lowerCase(line_.substr(0, label.size())) != core::lowerCase(label))
            refuse(fmt::format("is {}, expected {}", quoted(line_.substr(0, line_.find_first_of(kBlanks))), label));
        line_.remove_prefix(label.size());
    }

    double number(std::string_view expected) { return numberOf(word(expected)); }

    [[nodiscard]] double numberOf(std::string_view word) const {
        double value = 0;
        const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc() || end != digits.data() + digits.size() ||
            !(std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max())))
            refuse(fmt::format("is {}, expected a number", quoted(word)));
        return value;
    }

  private:
    std::string_view text_;
    std::string_view line_;
    std::size_t number_ = 0;
};

/// The property that a number of a frame sets.
struct BvhChannel {
    bool turns = false;
    int axis = 0;
};

struct BvhJoint {
    std::vector<BvhChannel> channels{};
    std::size_t first = 0;  ///< index of the first channel's number in a frame
    bool turns = false;     ///< a channel rotates the joint
    bool moves = false;
    bool isEnd = false;  ///< an End Site: it has no children
};

/// A rotation in degrees about an axis, without libm: all platforms compute equal bits.
glm::dquat turned(int axis, double degrees) {
    constexpr double kWhole = 1440;  // degrees: two turns of the half angle, so the quaternion repeats
    const double quarterTurns = std::fmod(degrees, kWhole) / 180;
    glm::dquat turn(core::sineOfQuarterTurns(quarterTurns + 1), 0, 0, 0);
    (axis == 0 ? turn.x : axis == 1 ? turn.y : turn.z) = core::sineOfQuarterTurns(quarterTurns);
    return turn;
}

class BvhReader {
  public:
    BvhReader(std::string_view text, const core::Limits& limits, core::Diagnostics& diagnostics)
        : lines_(text), diagnostics_(diagnostics), memory_(limits, "the motion") {}

    core::MovingScene read(const std::string& name) {
        moving_.scene.name = name;
        lines_.expect("HIERARCHY");
        lines_.skipToWord("ROOT");
        while (startsWith("ROOT"))
            readTree();
        if (joints_.empty())
            lines_.refuse(fmt::format("is {}, expected ROOT", quoted(takeWord(lines_.line()))));
        moving_.scene.fieldOf = [lines = std::move(lineOf_)](std::uint32_t node) {
            return fmt::format("line {}", lines[node]);
        };
        readMotion();
        return std::move(moving_);
    }

  private:
    bool startsWith(std::string_view keyword) {
        std::string_view rest = lines_.line();
        return core::lowerCase(takeWord(rest)) == core::lowerCase(keyword);
    }

    // -- HIERARCHY ----------------------------------------------------------------------------------------------------

    /// A root and its descendants. Not recursive, since a file may be nested to any depth.
    void readTree() {
        std::vector<int> open;
        do {
            const std::string_view keyword = lines_.word("JOINT, End Site or }");
            if (keyword == "}") {
                open.pop_back();
            } else {
                open.push_back(readNode(keyword, open.empty() ? core::kNoParent : open.back()));
            }
            lines_.skipToWord("JOINT, End Site, } or MOTION");
        } while (!open.empty());
    }

    /// Reads a node up to its first child.
    int readNode(std::string_view keyword, int parent) {
        const std::string kind = core::lowerCase(keyword);
        if (kind != "root" && kind != "joint" && kind != "end")
            lines_.refuse(fmt::format("is {}, expected JOINT, End Site or }}", quoted(keyword)));
        constexpr std::uint64_t kBytesANode = 3 * sizeof(core::SceneNode);  // for the scene and its skeleton
        memory_.add(kBytesANode);
        if (kind != "root" && joints_[static_cast<std::size_t>(parent)].isEnd)
            lines_.refuse(fmt::format("is {}, expected the }} of an End Site", quoted(keyword)));
        const int index = static_cast<int>(moving_.scene.nodes.size());
        core::SceneNode& node = moving_.scene.nodes.emplace_back();
        node.parent = parent;
        node.parts.emplace();
        lineOf_.push_back(lines_.place().field.substr(std::string_view("line ").size()));
        joints_.emplace_back().isEnd = kind == "end";
        std::string_view& line = lines_.line();
        const std::string_view name = trimmed(line.substr(0, line.find('{')));
        line.remove_prefix(std::min(line.find('{'), line.size()));
        node.name = kind == "end" ? "EndSite_" + moving_.scene.nodes[static_cast<std::size_t>(parent)].name
                                  : core::validUtf8(name);
        constexpr std::uint64_t kCopiesOfNames = 8;  // in the scene, the rig, the skeleton, the output and its text
        memory_.add(kCopiesOfNames * node.name.size());
        lines_.expect("{");
        lines_.expect("OFFSET");
        for (int axis = 0; axis < 3; ++axis)
            node.parts->translation[axis] = static_cast<float>(lines_.number("three numbers"));
        node.local = core::matrixOf(*node.parts);
        lines_.skipToWord("CHANNELS, JOINT, End Site or }");
        if (startsWith("CHANNELS"))
            readChannels();
        return index;
    }

    void readChannels() {
        (void)lines_.word("CHANNELS");
        const double count = lines_.number("a number of channels");
        constexpr double kMost = 1000;
        if (!(count >= 0 && count <= kMost && count == std::floor(count)))
            lines_.refuse(fmt::format("has {} channels, expected 0 to {}", count, kMost));
        BvhJoint& joint = joints_.back();
        joint.first = channels_;
        for (double i = 0; i < count; ++i) {
            const BvhChannel channel = channelNamed(lines_.word("a channel"));
            joint.channels.push_back(channel);
            (channel.turns ? joint.turns : joint.moves) = true;
        }
        channels_ += joint.channels.size();
        lines_.skipToWord("JOINT, End Site or }");
    }

    [[nodiscard]] BvhChannel channelNamed(std::string_view word) const {
        const std::string name = core::lowerCase(word);
        for (int axis = 0; axis < 3; ++axis) {
            const auto letter = static_cast<char>('x' + axis);
            if (name == letter + std::string("rotation"))
                return {true, axis};
            if (name == letter + std::string("position"))
                return {false, axis};
        }
        lines_.refuse(fmt::format("is {}, expected a channel such as Xrotation or Yposition", quoted(word)));
    }

    // -- MOTION -------------------------------------------------------------------------------------------------------

    void readMotion() {
        lines_.expect("MOTION");
        lines_.expectLabel("Frames:");
        const double frames = lines_.number("a number of frames");
        if (!(frames >= 0 && frames == std::floor(frames)))
            lines_.refuse(fmt::format("states {} frames, expected 0 or more", frames));
        lines_.expect("Frame");
        lines_.expectLabel("Time:");
        const double seconds = lines_.number("the seconds of a frame");
        if (frames > 0 && !(seconds > 0 && std::isfinite(1 / seconds)))
            lines_.refuse(fmt::format("a frame lasts {} seconds, expected more than 0", seconds));
        constexpr double kLongest = 1e9;  // 31 years
        if (seconds > kLongest)
            lines_.refuse(fmt::format("a frame lasts {} seconds, expected at most {}", seconds, kLongest));
        if (!trimmed(lines_.line()).empty())
            lines_.refuse(fmt::format("is {}, expected the first frame on a new line", quoted(trimmed(lines_.line()))));
        if (channels_ == 0 || frames == 0)
            return;
        beginTracks(rateOf(seconds));
        std::vector<double> numbers(channels_);
        std::size_t read = 0;
        while (static_cast<double>(read) < frames && lines_.next()) {
            readFrame(numbers);
            addKeys(numbers, core::frameTime(static_cast<double>(read), moving_.motions.front().rate));
            ++read;
        }
        endTracks(read, frames);
    }

    /// Frames per second. A whole number if the stored seconds are its frame time, rounded to a few digits: `.0083333`.
    static double rateOf(double seconds) {
        constexpr double kDigits = 1e-4;
        const double rate = 1 / seconds;
        return std::round(rate) > 0 && std::abs(rate - std::round(rate)) <= kDigits * rate ? std::round(rate) : rate;
    }

    void beginTracks(double rate) {
        core::SceneMotion& motion = moving_.motions.emplace_back();
        motion.rate = rate;
        motion.name = moving_.scene.name;
        for (std::uint32_t node = 0; node < joints_.size(); ++node)
            if (!joints_[node].channels.empty()) {
                motion.tracks.push_back({node, {}, {}, {}});
                moving_.scene.nodes[node].isAnimated = true;
            }
    }

    void readFrame(std::vector<double>& numbers) {
        std::size_t count = 0;
        std::string_view rest = lines_.line();
        for (std::string_view word = takeWord(rest); !word.empty(); word = takeWord(rest)) {
            if (count < numbers.size())
                numbers[count] = lines_.numberOf(word);
            ++count;
        }
        if (count != numbers.size())
            lines_.refuse(fmt::format("has {} numbers, expected {}, one for each channel", count, numbers.size()));
    }

    void addKeys(const std::vector<double>& numbers, float time) {
        for (core::NodeTrack& track : moving_.motions.front().tracks) {
            const BvhJoint& joint = joints_[track.node];
            glm::vec3 place = moving_.scene.nodes[track.node].parts->translation;
            glm::dquat rotation(1, 0, 0, 0);
            for (std::size_t i = 0; i < joint.channels.size(); ++i) {
                const BvhChannel& channel = joint.channels[i];
                const double number = numbers[joint.first + i];
                if (channel.turns)
                    rotation = rotation * turned(channel.axis, number);
                else
                    place[channel.axis] = static_cast<float>(number);
            }
            if (joint.moves)
                addKey(track.translation, time, place);
            if (joint.turns)
                addKey(track.rotation, time, glm::quat(glm::normalize(rotation)));
        }
    }

    template <typename T>
    void addKey(core::NodeChannel<T>& channel, float time, const T& value) {
        constexpr std::uint64_t kAsItGrows = 2;
        memory_.add(kAsItGrows * (sizeof(float) + sizeof(T)));
        if (!channel.times.empty() && !(time > channel.times.back()))
            return;  // in very long files, two frame times can round to one float
        channel.times.push_back(time);
        channel.values.push_back(value);
    }

    void endTracks(std::size_t read, double announced) {
        if (read == 0)
            lines_.refuse(fmt::format("the file ends, expected the first of {} frames", announced));
        if (static_cast<double>(read) < announced)
            diagnostics_.warn(core::Code::truncated, lines_.place(),
                              fmt::format("the file ends after {} of {} frames", read, announced));
        else if (lines_.next())
            diagnostics_.warn(core::Code::trailingBytes, lines_.place(),
                              fmt::format("is left out, because it follows the last of {} frames", announced));
        core::SceneMotion& motion = moving_.motions.front();
        moving_.scene.clips.push_back({motion.name, motion.end()});
    }

    Lines lines_;
    core::Diagnostics& diagnostics_;
    core::MemoryCount memory_;
    core::MovingScene moving_;
    std::vector<BvhJoint> joints_;     // per node
    std::vector<std::string> lineOf_;  // line numbers, per node
    std::size_t channels_ = 0;
};

}  // namespace

bool isBvh(core::Bytes bytes) {
    const std::optional<ForeignFile> foreign = foreignFile(bytes.first(std::min(bytes.size(), kForeignHead)));
    return foreign && foreign->scene == "bvh";
}

core::MovingScene readBvh(core::Bytes bytes, const std::string& name, const core::Limits& limits,
                          core::Diagnostics& diagnostics) {
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());  // NOLINT: text is bytes
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark))
        text.remove_prefix(kByteOrderMark.size());
    return BvhReader(text, limits, diagnostics).read(std::string(core::stemOf(name)));
}

}  // namespace reanima
