/// Containers of Final Fantasy IX (PlayStation): DBs contain chunks. The objects of a chunk share a type, and each
/// has an id. Objects of type 0x1B are nested DBs.
///
/// Layout and evidence: docs/formats/ff9_container.md
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../core/byte_reader.h"
#include "../../core/diagnostics.h"

namespace reanima::ff9 {

/// The types of objects that this program uses. There are others.
enum class ObjectType : std::uint8_t {
    model = 0x02,
    animation = 0x03,
    texture = 0x04,
    script = 0x05,
    text = 0x06,
    battle = 0x10,            ///< enemies of a formation
    battleAnimations = 0x11,  ///< animations of the enemies of a formation
    materials = 0x12,
    database = 0x1B,
};

/// An object of a container. Nested DBs are searched. They are listed themselves only if they are damaged.
struct Object {
    std::string name;  ///< unique: `03/7655.ff9anim`, in an inner DB `1b/428/03/7655.ff9anim`
    ObjectType type{};
    std::uint16_t id = 0;
    std::uint64_t offset = 0;    ///< offset in the file
    std::uint64_t size = 0;      ///< up to the next object, including padding
    std::uint64_t database = 0;  ///< offset of the DB that contains it
    bool damaged = false;        ///< extends beyond the file (size is then 0), or is a nested DB that can't be read
};

/// The objects of a DB or of a single chunk, in file order. Objects beyond the file are marked damaged, with a warning.
/// @throws core::DecodeError if the outermost table is truncated, if a DB contains itself or is nested deeper than 32,
/// or if there are more objects than a file of this size can have without sharing
[[nodiscard]] std::vector<Object> readContainer(core::Bytes file, core::Diagnostics& diagnostics);

/// The container with an object's bytes replaced. Data after it moves, and offsets are updated.
/// @param object an undamaged object of readContainer(file)
/// @throws core::DecodeError if the object shares bytes with others, or an offset would be larger than its field
[[nodiscard]] core::ByteVector withObject(core::Bytes file, const Object& object, core::ByteVector bytes);

/// A reader of an object's bytes. Its errors state the object's name and offsets in the file.
[[nodiscard]] core::LittleEndianReader readerOf(const Object& object, core::Bytes file);

/// True if the bytes are a valid DB or chunk.
[[nodiscard]] bool isContainer(core::Bytes file);
/// True if the bytes begin like a truncated or damaged DB or chunk.
[[nodiscard]] bool beginsLikeContainer(core::Bytes file);
/// The chunk types of a DB from its first bytes, as far as the table is complete. Empty if it is not a DB.
[[nodiscard]] std::vector<ObjectType> chunkTypes(core::Bytes head);

}  // namespace reanima::ff9
