#include "formats/metroid/model/cskr.h"

#include <cmath>

#include <fmt/format.h>

#include "core/decode_watch.h"
#include "formats/metroid/reading.h"

namespace reanima::metroid {

namespace {

using core::Code;
using core::DecodeError;

constexpr std::uint32_t kCorruption = 0x534B494E;  // SKIN
constexpr std::size_t kWeightBytes = 8;

SkinGroup readGroup(Reader& file) {
    SkinGroup group;
    const Field<std::uint32_t> count = readField<std::uint32_t>(file, "weight_count");
    if (count.value == 0)
        throw DecodeError(count.place, "is 0, expected at least one weight");
    if (count.value > file.remaining() / kWeightBytes)
        throw DecodeError(count.place, fmt::format("is {}, but the file has room for only {}", count.value,
                                                   file.remaining() / kWeightBytes));
    for (std::uint32_t i = 0; i < count.value; ++i) {
        const auto scope = file.enter("weights", i);
        SkinGroup::Weight& weight = group.weights.emplace_back();
        weight.bone = file.read<std::uint32_t>("bone");
        const core::Place place = file.place("weight");
        weight.weight = readNumber(file, "weight");
        if (weight.weight < 0)
            throw DecodeError(place, fmt::format("is {}, expected 0 or more", weight.weight));
    }
    group.vertices = file.read<std::uint32_t>("vertices");
    return group;
}

SkinList readList(Reader& file, std::string_view name) {
    const auto scope = file.enter(name);
    SkinList list;
    Field<std::int32_t> count = readField<std::int32_t>(file, "count");
    const bool isStored = count.value != -1;
    if (!isStored)
        count = readField<std::int32_t>(file, "count");
    if (count.value < 0)
        throw DecodeError(count.place, fmt::format("is {}, expected 0 or more", count.value));
    list.count = static_cast<std::uint32_t>(count.value);
    if (!isStored)
        return list;
    constexpr std::size_t kVector = 12;
    if (list.count > file.remaining() / kVector)
        throw DecodeError(count.place, fmt::format("is {}, but the file has room for only {}", list.count,
                                                   file.remaining() / kVector));
    list.values.emplace();
    for (std::uint32_t i = 0; i < list.count; ++i)
        for (float& part : list.values->emplace_back())
            part = readNumber(file, "values");
    return list;
}

void warnOfWeights(const Cskr& cskr, core::Diagnostics& diagnostics) {
    constexpr double kTolerance = 0.001;
    std::size_t many = 0;
    std::size_t uneven = 0;
    for (const SkinGroup& group : cskr.groups) {
        double sum = 0;
        for (const SkinGroup::Weight& weight : group.weights)
            sum += static_cast<double>(weight.weight);
        many += group.weights.size() > kMostSkinWeights ? 1 : 0;
        uneven += std::abs(sum - 1) > kTolerance ? 1 : 0;
    }
    if (many > 0)
        diagnostics.warn(Code::countMismatch, {"groups", std::nullopt},
                         fmt::format("{} of {} have more than {} weights; the first {} are used, as in the game", many,
                                     cskr.groups.size(), kMostSkinWeights, kMostSkinWeights));
    if (uneven > 0)
        diagnostics.warn(Code::countMismatch, {"groups", std::nullopt},
                         fmt::format("{} of {} have weights whose sum is not 1; the weights are normalized", uneven,
                                     cskr.groups.size()));
}

}  // namespace

std::uint64_t verticesOf(const Cskr& cskr) {
    std::uint64_t vertices = 0;
    for (const SkinGroup& group : cskr.groups)
        vertices += group.vertices;
    return vertices;
}

Cskr decodeCskr(core::Bytes bytes, core::Diagnostics& diagnostics) {
    core::tellDecoding("metroid skin", bytes);
    Reader file(bytes);
    Cskr cskr;
    Reader ahead = file;
    if (const Field<std::uint32_t> first = readField<std::uint32_t>(ahead, "group_count"); first.value == kCorruption)
        throw DecodeError(first.place, "is 'SKIN', a skin of Metroid Prime 3: Corruption, which is not supported");
    constexpr std::size_t kLeastGroup = 16;
    const std::uint32_t groups = readCount(file, "group_count", kLeastGroup);
    for (std::uint32_t i = 0; i < groups; ++i) {
        const auto scope = file.enter("groups", i);
        cskr.groups.push_back(readGroup(file));
    }
    const core::Place place = file.place("positions.count");
    cskr.positions = readList(file, "positions");
    if (const std::uint64_t covered = verticesOf(cskr); covered != cskr.positions.count)
        throw DecodeError(place, fmt::format("is {}, but the groups cover {}", cskr.positions.count, covered));
    cskr.normals = readList(file, "normals");
    const core::Place end = file.place("padding");
    const core::Bytes rest = file.rest();
    cskr.padding.assign(rest.begin(), rest.end());
    warnOfWeights(cskr, diagnostics);
    if (!isPadding(rest, bytes.size()))
        diagnostics.warn(Code::trailingBytes, end, fmt::format("{} bytes follow the content", rest.size()));
    return cskr;
}

core::ByteVector encodeCskr(const Cskr& cskr) {
    Writer out;
    out.write(static_cast<std::uint32_t>(cskr.groups.size()));
    for (const SkinGroup& group : cskr.groups) {
        out.write(static_cast<std::uint32_t>(group.weights.size()));
        for (const SkinGroup::Weight& weight : group.weights) {
            out.write(weight.bone);
            out.write(weight.weight);
        }
        out.write(group.vertices);
    }
    for (const SkinList* list : {&cskr.positions, &cskr.normals}) {
        if (!list->values)
            out.write(std::int32_t{-1});
        out.write(list->count);
        if (list->values)
            for (const std::array<float, 3>& value : *list->values)
                for (const float part : value)
                    out.write(part);
    }
    out.write(core::Bytes(cskr.padding));
    return out.take();
}

bool isCskr(core::Bytes file) {
    try {
        core::Diagnostics doubts;
        return !decodeCskr(file, doubts).groups.empty() && !doubts.hasWarnings();
    } catch (const DecodeError&) {
        return false;
    }
}

}  // namespace reanima::metroid
