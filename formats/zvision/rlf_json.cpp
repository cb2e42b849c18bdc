#include "formats/zvision/rlf_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace reanima::zvision {

namespace {

using core::Code;

const char* codecName(Codec codec) { return codec == Codec::key ? "key" : "delta"; }

Json toJson(const RlfFrame& frame) {
    return {{"offset", frame.offset},          {"size", frame.size},
            {"unknown_08", frame.unknown08},   {"unknown_0c", frame.unknown0C},
            {"codec", codecName(frame.codec)}, {"data_offset", frame.dataOffset},
            {"unknown_18", frame.unknown18},   {"data", toHex(frame.body)}};
}

/// @param bytes receives the content after the frame's header
RlfFrame frameFrom(const JsonReader& json, core::ByteVector& bytes) {
    RlfFrame frame;
    frame.unknown08 = json.integerOr<std::uint32_t>("unknown_08", 0);
    frame.unknown0C = json.integerOr<std::uint32_t>("unknown_0c", 0);
    const JsonReader codec = json.at("codec");
    if (codec.text() != codecName(Codec::key) && codec.text() != codecName(Codec::delta))
        codec.fail("key or delta");
    frame.codec = codec.text() == codecName(Codec::key) ? Codec::key : Codec::delta;
    frame.dataOffset = json.integerOr<std::uint32_t>("data_offset", kRlfFrameHeaderSize);
    frame.unknown18 = json.integerOr<std::uint32_t>("unknown_18", 0);
    bytes = json.at("data").hex();
    frame.size = static_cast<std::uint32_t>(kRlfFrameHeaderSize + bytes.size());
    frame.body = bytes;
    return frame;
}

/// The stored size of a chunk if it is right, or if readers ignore it because the content has the usual size. Otherwise
/// the actual size, with a warning.
std::uint32_t sizeFrom(const JsonReader& chunk, std::size_t content, std::size_t usual,
                       core::Diagnostics& diagnostics) {
    const auto size = static_cast<std::uint32_t>(content + kChunkHeadSize);
    const auto stored = chunk.integerOr<std::uint32_t>("size", size);
    if (stored == size || content == usual)
        return stored;
    diagnostics.warn(Code::recomputed, chunk.at("size").place(),
                     fmt::format("is {}; {} is written instead", stored, size));
    return size;
}

void readChunks(const JsonReader& json, Rlf& video, core::Diagnostics& diagnostics) {
    const std::size_t usual = usualCodecList().size();
    video.codecs = usualCodecList();
    if (json.has("codecs")) {
        const JsonReader codecs = json.at("codecs");
        video.codecs = codecs.at("list").hex();
        video.codecsSize = sizeFrom(codecs, video.codecs.size(), usual, diagnostics);
    }
    if (json.has("picture")) {
        const JsonReader picture = json.at("picture");
        const core::ByteVector unknown = picture.at("unknown_8c").hex();
        if (unknown.size() != video.unknown8C.size())
            picture.at("unknown_8c").fail(fmt::format("{} bytes", video.unknown8C.size()));
        std::ranges::copy(unknown, video.unknown8C.begin());
        video.pictureRest = picture.hexOrNone("rest");
        constexpr std::size_t kUsual = 24;
        video.pictureSize = sizeFrom(picture, kUsual + video.pictureRest.size(), kUsual, diagnostics);
    }
    if (json.has("time")) {
        const JsonReader time = json.at("time");
        video.unknownAC = time.integerOr<std::uint32_t>("unknown_ac", 0);
        video.timeRest = time.hexOrNone("rest");
        constexpr std::size_t kUsual = 8;
        video.timeSize = sizeFrom(time, kUsual + video.timeRest.size(), kUsual, diagnostics);
    }
}

/// A damaged file states more frames than it contains. The stated count is kept if the number of frames is unchanged.
std::uint32_t frameCountFrom(const JsonReader& json, std::size_t frames, core::Diagnostics& diagnostics) {
    const auto count = static_cast<std::uint32_t>(frames);
    const auto stored = json.integerOr<std::uint32_t>("frame_count", count);
    const bool isDamaged =
        count > 0 && stored > count && json.has("frames_decoded") && json.at("frames_decoded").equals(Json(frames));
    if (stored == count || isDamaged)
        return stored;
    diagnostics.warn(Code::recomputed, json.at("frame_count").place(),
                     fmt::format("is {}; {} is written instead", stored, count));
    return count;
}

}  // namespace

Json toJson(const Rlf& video, bool palindrome, const core::Limits& limits, const core::Diagnostics& diagnostics) {
    constexpr std::uint64_t kBytesPerByte = 6;  // two digits: in the JSON, in its text, and in a buffer for the text
    core::requireMemory(video.bytes.size() * kBytesPerByte, limits, {"frames", std::nullopt});
    Json types = Json::array();
    Json keys = Json::array();
    Json frames = Json::array();
    for (std::size_t i = 0; i < video.frames.size(); ++i) {
        types.push_back(codecName(video.frames[i].codec));
        if (video.frames[i].codec == Codec::key)
            keys.push_back(i);
        frames.push_back(toJson(video.frames[i]));
    }
    return {{"schema", 1},
            {"format", "rlf"},
            {"size", video.size},
            {"unknown_08", video.unknown08},
            {"unknown_0c", video.unknown0C},
            {"codecs", {{"size", video.codecsSize}, {"list", toHex(video.codecs)}}},
            {"picture",
             {{"size", video.pictureSize}, {"unknown_8c", toHex(video.unknown8C)}, {"rest", toHex(video.pictureRest)}}},
            {"time", {{"size", video.timeSize}, {"unknown_ac", video.unknownAC}, {"rest", toHex(video.timeRest)}}},
            {"width", video.width},
            {"height", video.height},
            {"frame_count", video.frameCount},
            {"frames_decoded", video.frames.size()},
            {"frame_time_raw", video.frameTime},
            {"frame_types", std::move(types)},
            {"key_frames", std::move(keys)},
            {"palindrome", palindrome},
            {"frames", std::move(frames)},
            {"trailing", toHex(video.trailing)},
            {"warnings", warningsToJson(diagnostics)}};
}

core::ByteVector rlfFromJson(const JsonReader& json, const core::Limits& limits, core::Diagnostics& diagnostics) {
    Rlf video;
    video.size = json.integerOr<std::uint32_t>("size", video.size);
    video.unknown08 = json.integerOr<std::uint32_t>("unknown_08", 0);
    video.unknown0C = json.integerOr<std::uint32_t>("unknown_0c", 0);
    readChunks(json, video, diagnostics);
    video.width = json.at("width").integer<std::uint32_t>();
    video.height = json.at("height").integer<std::uint32_t>();
    requirePictureSize(video.width, video.height, limits, json.at("width").place(), json.at("height").place());
    video.frameTime = json.at("frame_time_raw").integer<std::uint32_t>();
    const JsonReader frames = json.at("frames");
    std::vector<core::ByteVector> bodies(frames.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
        video.frames.push_back(frameFrom(frames.at(i), bodies[i]));
    video.frameCount = frameCountFrom(json, video.frames.size(), diagnostics);
    const core::ByteVector trailing = json.hexOrNone("trailing");
    video.trailing = trailing;
    return encodeRlf(video);
}

void reportDerived(const JsonReader& json, const Json& written, core::Diagnostics& diagnostics) {
    DerivedMembers derived;
    for (const char* member : {"frames_decoded", "frame_types", "key_frames", "palindrome"})
        derived.expect(json, member, written.at(member));
    const Json& frames = written.at("frames");
    for (std::size_t i = 0; i < frames.size(); ++i)
        for (const char* member : {"offset", "size"})
            derived.expect(json.at("frames").at(i), member, frames[i].at(member));
    derived.report(diagnostics);
}

}  // namespace reanima::zvision
