/// The loaders for Assimp, all at once or one by one.
#pragma once

#include <string>
#include <string_view>

#include <assimp/Importer.hpp>

#include "format_importer.h"

namespace reanima {

/// Adds a loader for every format that can be converted. The importer owns them. Assimp asks its own loaders first, and
/// its OBJ loader claims about one in forty binary files without extension: see registerImportersFirst().
void registerImporters(Assimp::Importer& importer, Extensions extensions = Extensions::own);

/// Like registerImporters(), but Assimp asks these loaders before the existing ones.
void registerImportersFirst(Assimp::Importer& importer, Extensions extensions = Extensions::own);

/// Sets the property IMPORT_REANIMA_<KEY> for reading files. Assimp itself accepts misspelt properties.
/// @param key a setting, an option of a format, a limit, or `skeleton`, `source-skeleton`, `events`, `skeleton-bytes`,
/// `file-name`. Keys are spelt like the command's flags
/// @param value as on the command line; `1` for a flag
/// @throws core::DecodeError of the kind `option` for an unknown key or a wrong value
void setProperty(Assimp::Importer& importer, std::string_view key, const std::string& value);

/// The id of a format as a template argument.
struct FormatId {
    char text[40] = {};

    template <std::size_t size>
    consteval FormatId(const char (&id)[size]) {  // NOLINT: an id is written as a text
        static_assert(size <= sizeof text);
        for (std::size_t i = 0; i < size; ++i)
            text[i] = id[i];
    }
};

/// The loader of one format, for programs that register only some: `ImporterOf<"rlf">`.
template <FormatId id>
class ImporterOf final : public FormatImporter {
  public:
    ImporterOf() : FormatImporter(std::string_view(id.text)) {}
};

}  // namespace reanima
