#include "formats/ff7/field_skeleton.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/decode_watch.h"
#include "core/text.h"
#include "formats/ff7/text_lines.h"

namespace reanima::ff7 {

using core::Code;
using core::DecodeError;
using core::Place;

namespace {

constexpr std::size_t kMostBones = 4096;
constexpr std::size_t kMostResources = 4096;  // resources of all bones together; each causes a search for a file
constexpr std::string_view kFirstKey = ":header_block";

class SkeletonParser {
  public:
    SkeletonParser(std::string_view text, core::Diagnostics& diagnostics) : lines_(text), diagnostics_(diagnostics) {
        skeleton_.text = text;
    }

    FieldSkeleton parse() {
        lines_.checkEnds(diagnostics_);
        readHead();
        while (!lines_.atEnd() && readBone()) {
        }
        if (!lines_.atEnd())
            diagnostics_.warn(Code::trailingBytes, {"text", lines_.offset()}, "lines follow the last bone");
        if (skeleton_.bones.size() != stated())
            diagnostics_.warn(
                Code::countMismatch, {"bone_count", std::nullopt},
                fmt::format("is {}, but there are {} bones", skeleton_.boneCount, skeleton_.bones.size()));
        return std::move(skeleton_);
    }

  private:
    /// The number in a text. It may have a plus sign.
    template <typename T>
    std::optional<T> signedNumber(std::string_view text, const Place& place) {
        const bool hasSign = text.size() > 1 && text[0] == '+' && text[1] != '-';
        const std::optional<T> number = numberFrom<T>(text.substr(hasSign ? 1 : 0));
        if (hasSign && number)
            diagnostics_.warn(Code::rareLayout, place,
                              fmt::format("is \"{}\", expected a number without a sign", text));
        return number;
    }

    void readHead() {
        bool hasBones = false;
        while (!hasBones && !lines_.atEnd() && lines_.current().front() == ':') {
            const std::uint64_t offset = lines_.offset();
            const std::vector<std::string_view> words = wordsOf(lines_.next());
            const std::string key = core::lowerCase(words.front());
            const std::string_view value = words.size() > 1 ? words[1] : std::string_view{};
            if (key == ":skeleton")
                skeleton_.name = value;
            if (key != ":bones")
                continue;
            hasBones = true;
            const std::optional<std::uint32_t> count = signedNumber<std::uint32_t>(value, {"bone_count", offset});
            if (!count || *count > kMostBones)
                throw DecodeError({"bone_count", offset},
                                  fmt::format("is \"{}\", expected a number up to {}", value, kMostBones));
            skeleton_.boneCount = *count;
        }
        if (!hasBones)
            throw DecodeError({"bone_count", lines_.offset()}, "there is no :BONES line");
    }

    /// @return false if the remaining lines are not a bone
    bool readBone() {
        Lines ahead = lines_;
        FieldBone bone;
        const auto place = [&](std::string_view field) {
            return Place{fmt::format("bones[{}].{}", skeleton_.bones.size(), field), ahead.offset()};
        };
        const Place namePlace = place("name");
        bone.name = ahead.next();
        const Place parentPlace = place("parent");
        const std::string_view parent = ahead.next();
        const Place lengthPlace = place("length");
        const std::string_view length = ahead.next();
        const Place resourcesPlace = place("resources");
        const std::vector<std::string_view> resources = wordsOf(ahead.next());
        if (resources.empty())
            return false;
        const std::optional<float> number = signedNumber<float>(length, lengthPlace);
        if (skeleton_.bones.size() >= stated() && (!isParent(parent) || !number))
            return false;
        if (skeleton_.bones.size() == kMostBones)
            throw DecodeError(namePlace, fmt::format("exceeds the limit of {} bones", kMostBones));
        if (!isParent(parent))
            throw DecodeError(parentPlace, fmt::format("is \"{}\", expected root or an earlier bone", parent));
        bone.parent = find(parent);
        if (!number || !std::isfinite(*number))
            throw DecodeError(lengthPlace, fmt::format("is \"{}\", expected a finite number", length));
        bone.length = *number;
        readResources(resources, resourcesPlace, bone);
        if (find(bone.name))
            diagnostics_.warn(Code::renamed, namePlace,
                              fmt::format("\"{}\" is also the name of another bone", bone.name));
        byName_.emplace(core::lowerCase(bone.name), static_cast<std::uint32_t>(skeleton_.bones.size()));
        skeleton_.bones.push_back(std::move(bone));
        lines_ = ahead;
        return true;
    }

    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const {
        const auto bone = byName_.find(core::lowerCase(name));
        return bone == byName_.end() ? std::nullopt : std::optional(bone->second);
    }

    [[nodiscard]] bool isParent(std::string_view name) const { return find(name) || core::lowerCase(name) == "root"; }

    /// The expected number of bones. The game reads 0 as 1.
    [[nodiscard]] std::size_t stated() const { return std::max<std::size_t>(1, skeleton_.boneCount); }

    void readResources(const std::vector<std::string_view>& words, const Place& place, FieldBone& bone) {
        const std::optional<std::uint32_t> count = signedNumber<std::uint32_t>(words.front(), place);
        if (!count)
            throw DecodeError(place,
                              fmt::format("begins with \"{}\", expected the number of resources", words.front()));
        const std::size_t named = words.size() - 1;
        if (*count != named)
            diagnostics_.warn(Code::countMismatch, place,
                              fmt::format("{} are stated, but {} are named", *count, named));
        const std::size_t kept = std::min<std::size_t>(*count, named);
        if (kept > kMostResources - resources_)
            throw DecodeError(place, fmt::format("exceed the limit of {} for all bones", kMostResources));
        resources_ += kept;
        bone.resources.assign(words.begin() + 1, words.begin() + 1 + static_cast<std::ptrdiff_t>(kept));
    }

    Lines lines_;
    core::Diagnostics& diagnostics_;
    FieldSkeleton skeleton_;
    std::size_t resources_ = 0;                              ///< number of resources of all bones
    std::unordered_map<std::string, std::uint32_t> byName_;  ///< by name in lower case; the first of equal names
};

std::string newSkeletonText(const FieldSkeleton& skeleton) {
    std::string text =
        fmt::format(":HEADER_BLOCK 2\r\n:SKELETON {}\r\n:BONES {}\r\n", skeleton.name, skeleton.boneCount);
    for (const FieldBone& bone : skeleton.bones) {
        text += fmt::format("\r\n{}\r\n{}\r\n{:.9g}\r\n{} {}\r\n", bone.name,
                            bone.parent ? skeleton.bones[*bone.parent].name : "root", bone.length,
                            bone.resources.size(), fmt::join(bone.resources, " "));
    }
    return text;
}

}  // namespace

FieldSkeleton decodeFieldSkeleton(core::Bytes file, core::Diagnostics& diagnostics) {
    core::tellDecoding("ff7 field skeleton", file);
    return SkeletonParser(asText(file), diagnostics).parse();
}

bool agreesWithText(const FieldSkeleton& skeleton) { return saysTheSame(skeleton, decodeFieldSkeleton); }

core::ByteVector encodeFieldSkeleton(const FieldSkeleton& skeleton) {
    std::optional<core::ByteVector> text = encodedText(skeleton, decodeFieldSkeleton, newSkeletonText);
    if (!text)
        throw DecodeError({"joints", std::nullopt}, "have names or counts that this format can't store");
    return *std::move(text);
}

bool isFieldSkeleton(core::Bytes file) {
    return beginsLikeFieldSkeleton(file) && isBeyondDoubt(file, decodeFieldSkeleton);
}

bool beginsLikeFieldSkeleton(core::Bytes file) {
    const Lines lines(asText(file));
    return !lines.atEnd() && core::lowerCase(lines.current().substr(0, kFirstKey.size())) == kFirstKey;
}

}  // namespace reanima::ff7
