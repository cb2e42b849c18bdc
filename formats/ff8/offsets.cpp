#include "formats/ff8/offsets.h"

#include <algorithm>

#include <fmt/format.h>

namespace reanima::ff8 {

std::vector<std::uint32_t> readOffsets(core::LittleEndianReader& reader, std::string_view name, std::size_t count,
                                       std::uint64_t least) {
    const std::uint64_t size = least - 4 * count + reader.remaining();
    std::vector<std::uint32_t> offsets;
    while (offsets.size() < count) {
        const auto scope = reader.enter(name, offsets.size());
        offsets.push_back(reader.read<std::uint32_t>({}));
        if (offsets.back() < least || offsets.back() > size)
            throw core::DecodeError(reader.place({}, 4),
                                    fmt::format("is {}, expected {} to {}", offsets.back(), least, size));
    }
    return offsets;
}

std::uint32_t Parts::endOf(std::uint32_t start) const {
    const auto next = std::ranges::upper_bound(bounds, start);
    return next == bounds.end() ? start : *next;
}

void Parts::requireLittleSharing(const core::Place& place) const {
    constexpr std::uint64_t kMostSharing = 4;
    constexpr std::uint64_t kSharedAnyway = 1U << 18U;
    std::uint64_t together = 0;
    for (const std::uint32_t start : starts)
        together += endOf(start) - start;
    if (together > kMostSharing * bounds.back() + kSharedAnyway)
        throw core::DecodeError(
            place, fmt::format("share bytes: together they need {}, but the section has {}", together, bounds.back()),
            core::DecodeError::Kind::limit);
}

bool Parts::areInOrder() const { return std::ranges::is_sorted(starts, std::ranges::less_equal()); }

Parts readParts(core::LittleEndianReader section, std::string_view countName, std::string_view offsetsName,
                std::size_t wordsAfter) {
    const auto size = static_cast<std::uint32_t>(section.remaining());
    const std::size_t count = section.read<std::uint32_t>(countName);
    const core::Place place = section.place(countName, 4);
    const std::size_t room = section.remaining() / 4;
    if (count + wordsAfter > room)
        throw core::DecodeError(place, fmt::format("is {}, but there is room for only {}", count, room));
    Parts parts;
    parts.tableEnd = static_cast<std::uint32_t>(4 * (1 + count));
    parts.starts = readOffsets(section, offsetsName, count, parts.tableEnd);
    parts.bounds = parts.starts;
    parts.bounds.push_back(size);
    std::ranges::sort(parts.bounds);
    return parts;
}

}  // namespace reanima::ff8
