/// The loaders for Assimp, all at once or one by one.
#pragma once

#include <string>
#include <string_view>

#include <assimp/Importer.hpp>

#include "format_importer.h"

namespace reanima {

/// Adds a loader per format that can be converted; the importer owns them. Assimp asks its own loaders first, and its
/// OBJ loader claims about one in forty binary files without extension: see registerImportersFirst().
void registerImporters(Assimp::Importer& importer, Extensions extensions = Extensions::own);

/// Adds them in front of the loaders that are there.
void registerImportersFirst(Assimp::Importer& importer, Extensions extensions = Extensions::own);

/// Sets what a file is read with: the property IMPORT_REANIMA_<KEY>. Assimp takes any property, also a misspelt one.
/// @param key of a setting, an option of a format, a limit, or `skeleton`, `source-skeleton`, `events`,
/// `skeleton-bytes`, `file-name`; as the command's flags are called
/// @param value as the command line takes it; of a flag `1`
/// @throws core::DecodeError of the kind `option` for an unknown key or a value that is wrong
void setProperty(Assimp::Importer& importer, std::string_view key, const std::string& value);

/// The id of a format, as an argument of a template.
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
