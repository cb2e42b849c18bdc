/// Containers of Final Fantasy IX (PlayStation): chunks hold objects of one type under their ids, DBs hold chunks, and
/// objects of type 0x1B are DBs again.
///
/// Layout and evidence: docs/formats/ff9_container.md
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../core/byte_reader.h"
#include "../../core/diagnostics.h"

namespace reanima::ff9 {

/// Types that have a meaning here; there are others.
enum class ObjectType : std::uint8_t {
    model = 0x02,
    animation = 0x03,
    texture = 0x04,
    script = 0x05,
    text = 0x06,
    battle = 0x10,            ///< enemies of a formation
    battleAnimations = 0x11,  ///< of those enemies
    materials = 0x12,
    database = 0x1B,
};

/// Something in a container; inner DBs are walked, and no objects themselves unless they are damaged.
struct Object {
    std::string name;  ///< unique: `03/7655.ff9anim`, in an inner DB `1b/428/03/7655.ff9anim`
    ObjectType type{};
    std::uint16_t id = 0;
    std::uint64_t offset = 0;    ///< in the file
    std::uint64_t size = 0;      ///< up to the next object, padding included
    std::uint64_t database = 0;  ///< offset of the DB that it lies in
    bool damaged = false;        ///< it leaves the file, or is an inner DB that can't be read: size is 0
};

/// The objects of a DB or of a single chunk, in file order. What leaves the file is told of by a warning and does not
/// lose the others.
/// @throws core::DecodeError if the outermost table is cut, if a DB lies inside itself or deeper than 32 DBs, or if
/// there are more objects than a file of this size can have without DBs that share them
[[nodiscard]] std::vector<Object> readContainer(core::Bytes file, core::Diagnostics& diagnostics);

/// The container with other bytes in place of an object's. What stands after it moves, and the offsets follow.
/// @param object of readContainer(file), not damaged
/// @throws core::DecodeError if the object shares bytes with others, or an offset would be larger than its field
[[nodiscard]] core::ByteVector withObject(core::Bytes file, const Object& object, core::ByteVector bytes);

/// A reader of an object's bytes whose errors carry the object's name and offsets in the file.
[[nodiscard]] core::LittleEndianReader readerOf(const Object& object, core::Bytes file);

/// True if the bytes are a DB or chunk in which every object has its place.
[[nodiscard]] bool isContainer(core::Bytes file);
/// True if they begin like one that is cut or damaged.
[[nodiscard]] bool beginsLikeContainer(core::Bytes file);
/// The types of the chunks of a DB that begins so, as far as its table is there; none if it is no DB.
[[nodiscard]] std::vector<ObjectType> chunkTypes(core::Bytes head);

}  // namespace reanima::ff9
