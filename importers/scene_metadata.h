/// Values of the common model as Assimp metadata.
#pragma once

#include <cstdint>
#include <string>

#include <assimp/scene.h>  // metadata.h needs this header

#include "core/properties.h"

namespace reanima {

/// The size of metadata. aiMetadata::Add() copies all entries to add one, so metadata is made in two passes over the
/// same values.
///
/// A value has an entry with its name. Members and list elements become separate entries, `name.member` and `name.0`,
/// since Assimp's metadata has no lists. Nulls are left out. Integers are int32, except those in `counters` and
/// `events`: these contain stored words, so they are always uint64.
struct MetadataSize {
    unsigned entries = 0;
    std::uint64_t bytes = 0;  ///< heap memory in bytes

    /// Counts the entries of a value.
    void add(const std::string& name, const core::Value& value);
};

/// Sets entries, beginning at index `next`, and advances `next`.
void setMetadata(aiMetadata& metadata, unsigned& next, const std::string& name, const core::Value& value);

}  // namespace reanima
