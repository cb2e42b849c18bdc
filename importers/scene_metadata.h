/// Values of the common model as Assimp metadata.
#pragma once

#include <cstdint>
#include <string>

#include <assimp/scene.h>  // metadata.h does not stand alone

#include "core/properties.h"

namespace reanima {

/// Metadata is made in two passes over the same values, since aiMetadata::Add() copies all entries to add one.
///
/// A value has an entry under its name; members and list elements become separate entries, `name.member`, `name.0`,
/// since Assimp's metadata has no lists. Nulls are left out. Whole numbers are int32; those below `counters` and
/// `events`, which are stored words, are always uint64.
struct MetadataSize {
    unsigned entries = 0;
    std::uint64_t bytes = 0;  ///< of heap memory

    /// Counts the entries of a value.
    void add(const std::string& name, const core::Value& value);
};

/// Sets entries from `next` on, which then stands after them.
void setMetadata(aiMetadata& metadata, unsigned& next, const std::string& name, const core::Value& value);

}  // namespace reanima
