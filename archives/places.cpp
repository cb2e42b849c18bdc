#include "archives/places.h"

#include "archives/ff9_container.h"
#include "archives/ff9_img.h"
#include "core/decode_error.h"
#include "formats/ff9/container.h"
#include "formats/ff9/script.h"

namespace reanima::archives {

namespace {

/// A field has one script, which names its place.
std::string placeOfField(core::Bytes field) {
    core::Diagnostics ignored;  // these warnings are reported when the entry is read
    for (const ff9::Object& object : ff9::readContainer(field, ignored))
        if (object.type == ff9::ObjectType::script && !object.damaged)
            return ff9::placeOfScript(
                field.subspan(static_cast<std::size_t>(object.offset), static_cast<std::size_t>(object.size)));
    return {};
}

}  // namespace

std::string placeOf(const Archive& archive, const Entry& entry, const core::Limits& limits) {
    const bool isField = archive.format().id == kFf9Img.id && entry.name.starts_with("4/");
    const bool isScript = archive.format().id == kFf9Db.id && entry.damaged == false &&
                          entry.type == static_cast<std::uint32_t>(ff9::ObjectType::script);
    if ((!isField && !isScript) || entry.damaged || entry.size == 0)
        return {};
    try {
        const core::ByteVector bytes = archive.read(entry, limits);
        return isField ? placeOfField(bytes) : ff9::placeOfScript(bytes);
    } catch (const core::DecodeError&) {
        return {};
    }
}

}  // namespace reanima::archives
