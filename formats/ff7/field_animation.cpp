#include "formats/ff7/field_animation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/byte_reader.h"
#include "core/byte_writer.h"
#include "core/decode_watch.h"

namespace reanima::ff7 {

using core::Code;
using core::DecodeError;

namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::array<std::uint8_t, 3> kUsualOrder = {1, 0, 2};
constexpr std::uint64_t kTripleSize = 12;

bool isPermutation(std::array<std::uint8_t, 3> order) {
    std::ranges::sort(order);
    return order == std::array<std::uint8_t, 3>{0, 1, 2};
}

std::uint64_t frameSize(std::uint32_t bones) { return (std::uint64_t{bones} + 2) * kTripleSize; }

FieldAnimation readHeader(core::LittleEndianReader& file) {
    FieldAnimation animation;
    animation.version = file.read<std::uint32_t>("version");
    if (animation.version != kVersion)
        throw DecodeError(file.place("version", 4), fmt::format("is {}, expected {}", animation.version, kVersion));
    animation.frameCount = file.read<std::uint32_t>("frame_count");
    animation.boneCount = file.read<std::uint32_t>("bone_count");
    for (std::uint8_t& axis : animation.order)
        axis = file.read<std::uint8_t>("order");
    animation.unknown0F = file.read<std::uint8_t>("unknown_0f");
    for (std::uint32_t& word : animation.runtime)
        word = file.read<std::uint32_t>("runtime");
    return animation;
}

/// Three finite numbers, or nothing.
std::optional<Triple> readTriple(core::LittleEndianReader& file, std::string_view field) {
    Triple triple{};
    for (float& value : triple)
        value = file.read<float>(field);
    const bool isFinite = std::ranges::all_of(triple, [](float value) { return std::isfinite(value); });
    return isFinite ? std::optional(triple) : std::nullopt;
}

/// Adds a frame, unless one of its fields is not finite. @return that field, if there is one
std::optional<core::Place> readFrame(core::LittleEndianReader& file, FieldAnimation& animation) {
    const auto scope = file.enter("frames", animation.frames.size());
    const std::size_t before = animation.rotations.size();
    const core::Place rotationPlace = file.place("rotation");
    const std::optional<Triple> rotation = readTriple(file, "rotation");
    if (!rotation)
        return rotationPlace;
    const core::Place translationPlace = file.place("translation");
    const std::optional<Triple> translation = readTriple(file, "translation");
    if (!translation)
        return translationPlace;
    for (std::uint32_t bone = 0; bone < animation.boneCount; ++bone) {
        const core::Place place = file.place("rotations");
        if (const std::optional<Triple> triple = readTriple(file, "rotations")) {
            animation.rotations.push_back(*triple);
            continue;
        }
        animation.rotations.resize(before);
        return place;
    }
    animation.frames.push_back({*rotation, *translation});
    return std::nullopt;
}

}  // namespace

bool hasTooManyBones(std::uint32_t bones, std::uint64_t bytes) {
    return bytes >= frameSize(0) && bytes < frameSize(bones);
}

std::array<std::uint8_t, 3> factorsOf(const FieldAnimation& animation) {
    return isPermutation(animation.order) ? animation.order : kUsualOrder;
}

FieldAnimation decodeFieldAnimation(core::Bytes bytes, const core::Limits& limits, core::Diagnostics& diagnostics) {
    core::tellDecoding("ff7 field animation", bytes);
    core::LittleEndianReader file(bytes);
    FieldAnimation animation = readHeader(file);
    if (!isPermutation(animation.order))
        diagnostics.warn(Code::assumed, {"order", 12},
                         fmt::format("is {}, {}, {}, which is not an order of three axes; Y, X, Z is used",
                                     animation.order[0], animation.order[1], animation.order[2]));
    const std::uint64_t size = frameSize(animation.boneCount);
    const std::uint64_t whole = std::min<std::uint64_t>(animation.frameCount, file.remaining() / size);
    if (whole == 0 && animation.frameCount > 0) {
        if (!hasTooManyBones(animation.boneCount, file.remaining()))
            throw DecodeError(file.place("frames[0]"),
                              fmt::format("needs {} bytes, but only {} are left", size, file.remaining()));
        diagnostics.warn(
            Code::countMismatch, {"bone_count", 8},
            fmt::format(
                "is {}, but a frame with this number of bones needs {} bytes, and only {} are left; no frame is read",
                animation.boneCount, size, file.remaining()));
        animation.tail = core::copyOf(file.rest());
        return animation;
    }
    core::SampleBudget(limits).take(whole * (std::uint64_t{animation.boneCount} + 2), {"frame_count", 4});
    animation.frames.reserve(static_cast<std::size_t>(whole));
    animation.rotations.reserve(static_cast<std::size_t>(whole * animation.boneCount));
    std::optional<core::Place> notFinite;
    core::LittleEndianReader next = file;
    while (!notFinite && animation.frames.size() < whole) {
        notFinite = readFrame(next, animation);
        if (!notFinite)
            file = next;
    }
    if (notFinite && animation.frames.empty())
        throw DecodeError(*notFinite, "is not finite");
    if (notFinite)
        diagnostics.warn(Code::damaged, *notFinite,
                         fmt::format("is not finite; the {} frames before it are kept", animation.frames.size()));
    else if (animation.frames.size() < animation.frameCount)
        diagnostics.warn(Code::truncated, {"frame_count", 4},
                         fmt::format("is {}, but the file contains only {} whole frames", animation.frameCount, whole));
    else if (!file.atEnd())
        diagnostics.warn(Code::trailingBytes, file.place("tail"),
                         fmt::format("{} bytes follow the last frame", file.remaining()));
    animation.tail = core::copyOf(file.rest());
    return animation;
}

core::ByteVector encodeFieldAnimation(const FieldAnimation& animation) {
    core::LittleEndianWriter out;
    out.write(animation.version);
    out.write(animation.frameCount);
    out.write(animation.boneCount);
    for (const std::uint8_t axis : animation.order)
        out.write(axis);
    out.write(animation.unknown0F);
    for (const std::uint32_t word : animation.runtime)
        out.write(word);
    const auto write = [&out](const Triple& triple) {
        for (const float value : triple)
            out.write(value);
    };
    auto rotation = animation.rotations.begin();
    for (const FieldAnimation::Frame& frame : animation.frames) {
        write(frame.rotation);
        write(frame.translation);
        for (std::uint32_t bone = 0; bone < animation.boneCount; ++bone)
            write(*rotation++);
    }
    out.write(core::Bytes(animation.tail));
    return out.take();
}

bool isFieldAnimation(core::Bytes file) {
    try {
        core::LittleEndianReader reader(file);
        const FieldAnimation header = readHeader(reader);
        const std::uint64_t size = frameSize(header.boneCount);
        return header.order == kUsualOrder && reader.remaining() % size == 0 &&
               reader.remaining() / size == header.frameCount;
    } catch (const DecodeError&) {
        return false;
    }
}

bool beginsLikeFieldAnimation(core::Bytes file) {
    try {
        core::LittleEndianReader reader(file);
        const FieldAnimation header = readHeader(reader);
        return header.order == kUsualOrder && header.frameCount > 0 &&
               reader.remaining() >= frameSize(header.boneCount);
    } catch (const DecodeError&) {
        return false;
    }
}

}  // namespace reanima::ff7
