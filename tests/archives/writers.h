/// Writes archives for tests as docs/formats describes them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "core/text.h"

namespace reanima::test {

using core::ByteVector;

struct FileInArchive {
    std::string name;
    ByteVector bytes;
    std::string folder{};  ///< in an LGP, for names that occur several times
};

inline ByteVector bytesOf(std::string_view text) { return {text.begin(), text.end()}; }

inline void putText(ByteVector& out, std::string_view text, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
        out.push_back(i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0});
}

inline void putLittle(ByteVector& out, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
        out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

inline void putBig(ByteVector& out, std::uint64_t value, std::size_t size) {
    for (std::size_t i = size; i-- > 0;)
        out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

inline void append(ByteVector& out, const ByteVector& more) { out.insert(out.end(), more.begin(), more.end()); }

/// The files must be in the order of their slots, which is alphabetical by the first two letters.
inline ByteVector lgpOf(const std::vector<FileInArchive>& files) {
    constexpr std::size_t kSlots = 900;
    const auto slotOf = [](const std::string& name) {
        return static_cast<std::size_t>((core::lowerCase(name[0]) - 'a') * 30 + (core::lowerCase(name[1]) - 'a') + 1);
    };
    std::map<std::string, std::vector<std::size_t>> byName;
    for (std::size_t i = 0; i < files.size(); ++i)
        byName[core::lowerCase(files[i].name)].push_back(i);
    ByteVector lists;
    std::vector<std::size_t> conflict(files.size(), 0);
    std::size_t listCount = 0;
    for (const auto& [name, indices] : byName) {
        if (indices.size() < 2)
            continue;
        ++listCount;
        putLittle(lists, indices.size(), 2);
        for (const std::size_t i : indices) {
            conflict[i] = listCount;
            putText(lists, files[i].folder, 128);
            putLittle(lists, i, 2);
        }
    }
    ByteVector out;
    putText(out, std::string_view("\0\0SQUARESOFT", 12), 12);
    putLittle(out, files.size(), 4);
    std::size_t offset = 16 + 27 * files.size() + 4 * kSlots + 2 + lists.size();
    for (std::size_t i = 0; i < files.size(); ++i) {
        putText(out, files[i].name, 20);
        putLittle(out, offset, 4);
        putLittle(out, 14, 1);
        putLittle(out, conflict[i], 2);
        offset += 24 + files[i].bytes.size();
    }
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
        std::size_t first = 0;
        std::size_t count = 0;
        for (std::size_t i = 0; i < files.size(); ++i)
            if (slotOf(files[i].name) == slot) {
                first = count == 0 ? i + 1 : first;
                ++count;
            }
        putLittle(out, first, 2);
        putLittle(out, count, 2);
    }
    putLittle(out, listCount, 2);
    append(out, lists);
    for (const FileInArchive& file : files) {
        putText(out, file.name, 20);
        putLittle(out, file.bytes.size(), 4);
        append(out, file.bytes);
    }
    putText(out, "FINAL FANTASY7", 14);
    return out;
}

/// For a directory of files with ids, followed by a directory of places. A missing file has no bytes.
struct FileWithId {
    std::uint16_t id;
    std::uint16_t link;
    ByteVector bytes;
};
inline ByteVector imgOf(const std::vector<FileWithId>& files, const std::vector<std::optional<ByteVector>>& places) {
    constexpr std::size_t kSector = 2048;
    const auto sectors = [](std::size_t bytes) { return (bytes + kSector - 1) / kSector; };
    ByteVector out;
    putText(out, "FF9 ", 4);
    putLittle(out, 0, 4);
    putLittle(out, 3, 4);
    putLittle(out, 0, 4);
    std::size_t middle = 3;
    for (const FileWithId& file : files)
        middle += sectors(file.bytes.size());
    const auto directory = [&](std::size_t kind, std::size_t count, std::size_t list, std::size_t first) {
        for (const std::size_t word : {kind, count, list, first})
            putLittle(out, word, 4);
    };
    directory(2, files.size(), 1, 3);
    directory(3, places.size() + 1, 2, middle);
    directory(4, 0, 3, 0);
    out.resize(kSector);
    std::size_t sector = 3;
    for (const FileWithId& file : files) {
        putLittle(out, file.id, 2);
        putLittle(out, file.link, 2);
        putLittle(out, sector, 4);
        sector += sectors(file.bytes.size());
    }
    putLittle(out, 0xFFFFFFFF, 4);
    putLittle(out, sector, 4);
    out.resize(2 * kSector);
    sector = 0;
    for (const auto& place : places) {
        putLittle(out, place ? sector : 0xFFFF, 2);
        sector += place ? sectors(place->size()) : 0;
    }
    putLittle(out, sector, 2);
    out.resize(3 * kSector);
    const auto put = [&](const ByteVector& bytes) {
        append(out, bytes);
        out.resize(sectors(out.size()) * kSector);
    };
    for (const FileWithId& file : files)
        put(file.bytes);
    for (const auto& place : places)
        if (place)
            put(*place);
    return out;
}

/// A chunk of objects whose sizes are multiples of 4.
inline ByteVector chunkOf(std::uint8_t type, const std::vector<std::pair<std::uint16_t, ByteVector>>& objects) {
    ByteVector out = {type, static_cast<std::uint8_t>(objects.size()), 0, 0};
    for (const auto& object : objects)
        putLittle(out, object.first, 2);
    out.resize((out.size() + 3) / 4 * 4);
    std::size_t distance = 4 * (objects.size() + 1);  // distance from each field to its object
    for (const auto& object : objects) {
        putLittle(out, distance, 4);
        distance += object.second.size() - 4;
    }
    putLittle(out, distance + 4 * objects.size(), 4);  // the end, from the first field
    for (const auto& object : objects)
        append(out, object.second);
    return out;
}

inline ByteVector dbOf(const std::vector<ByteVector>& chunks) {
    ByteVector out = {0xDB, static_cast<std::uint8_t>(chunks.size()), 0, 0};
    std::size_t distance = 4 * chunks.size();
    for (const ByteVector& chunk : chunks) {
        putLittle(out, std::size_t{chunk.front()} << 24U | distance, 4);
        distance += chunk.size() - 4;
    }
    for (const ByteVector& chunk : chunks)
        append(out, chunk);
    return out;
}

struct Resource {
    std::string type;
    std::uint32_t id;
    ByteVector stored;  ///< packed bytes include the length before them
    bool packed = false;
};
struct ResourceName {
    std::string type;
    std::uint32_t id;
    std::string name;
};
inline ByteVector pakOf(const std::vector<ResourceName>& names, const std::vector<Resource>& resources) {
    const auto padded = [](std::size_t size) { return (size + 31) / 32 * 32; };
    ByteVector out;
    putBig(out, 0x00030005, 4);
    putBig(out, 0, 4);
    putBig(out, names.size(), 4);
    for (const ResourceName& name : names) {
        putText(out, name.type, 4);
        putBig(out, name.id, 4);
        putBig(out, name.name.size(), 4);
        putText(out, name.name, name.name.size());
    }
    putBig(out, resources.size(), 4);
    std::size_t offset = padded(out.size() + 20 * resources.size());
    for (const Resource& resource : resources) {
        putBig(out, resource.packed ? 1 : 0, 4);
        putText(out, resource.type, 4);
        putBig(out, resource.id, 4);
        putBig(out, padded(resource.stored.size()), 4);
        putBig(out, offset, 4);
        offset += padded(resource.stored.size());
    }
    out.resize(padded(out.size()));
    for (const Resource& resource : resources) {
        append(out, resource.stored);
        out.resize(padded(out.size()), 0xFF);
    }
    return out;
}

/// Two files per block.
inline ByteVector zfsOf(const std::vector<FileInArchive>& files, std::uint32_t key) {
    constexpr std::size_t kPerBlock = 2;
    constexpr std::size_t kBlock = 4 + 36 * kPerBlock;
    const std::size_t blocks = (files.size() + kPerBlock - 1) / kPerBlock;
    ByteVector out;
    putText(out, "ZFSF", 4);
    for (const std::size_t word :
         {std::size_t{1}, std::size_t{16}, kPerBlock, files.size(), std::size_t{key}, std::size_t{28}})
        putLittle(out, word, 4);
    std::size_t offset = 28 + blocks * kBlock;
    for (std::size_t block = 0; block < blocks; ++block) {
        putLittle(out, block + 1 < blocks ? 28 + (block + 1) * kBlock : 0, 4);
        for (std::size_t i = block * kPerBlock; i < (block + 1) * kPerBlock; ++i) {
            const FileInArchive file = i < files.size() ? files[i] : FileInArchive{};
            putText(out, file.name, 16);
            for (const std::size_t word : {offset, i, file.bytes.size(), std::size_t{0}, std::size_t{0}})
                putLittle(out, word, 4);
            offset += file.bytes.size();
        }
    }
    for (const FileInArchive& file : files)
        for (std::size_t i = 0; i < file.bytes.size(); ++i)
            out.push_back(static_cast<std::uint8_t>(file.bytes[i] ^ key >> (8 * (i % 4))));
    return out;
}

}  // namespace reanima::test
