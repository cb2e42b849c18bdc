#include "importers/scene_metadata.h"

#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "core/memory.h"
#include "core/text.h"

namespace reanima {

namespace {

/// True for members whose integers are unsigned, with 32 bits.
bool holdsWords(std::string_view key) { return key == "counters" || key == "events"; }

enum class Numbers {
    whole,
    words,  // words of the file: always uint64, whatever the value
};

/// Calls use(name, value) for every entry.
template <typename Use>
struct Entries {
    const Use& use;
    const std::string& name;
    Numbers numbers = Numbers::whole;

    void operator()(std::nullptr_t) const {}
    void operator()(bool value) const { use(name, value); }
    void operator()(std::int64_t value) const {
        const bool fits =
            value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
        if (fits && !(numbers == Numbers::words && value >= 0))
            use(name, static_cast<std::int32_t>(value));
        else
            use(name, static_cast<std::uint64_t>(value));
    }
    void operator()(double value) const { use(name, value); }
    void operator()(const std::string& value) const { use(name, aiString(core::validUtf8(value))); }
    void operator()(const std::vector<core::Value>& list) const {
        for (std::size_t i = 0; i < list.size(); ++i)
            visit(fmt::format("{}.{}", name, i), list[i], numbers);
    }
    void operator()(const core::Properties& properties) const {
        for (const auto& [key, value] : properties)
            visit(fmt::format("{}.{}", name, key), value, holdsWords(key) ? Numbers::words : numbers);
    }
    void visit(const std::string& inner, const core::Value& value, Numbers inside) const {
        std::visit(Entries{use, inner, inside}, value.data);
    }
};

template <typename Use>
void forEachEntry(const std::string& name, const core::Value& value, const Use& use) {
    std::visit(Entries<Use>{use, name}, value.data);
}

}  // namespace

void MetadataSize::add(const std::string& name, const core::Value& value) {
    forEachEntry(name, value, [this](const std::string&, const auto& entry) {
        ++entries;
        bytes += sizeof(aiString) + sizeof(aiMetadataEntry) + core::heapBytes(sizeof entry);
    });
}

void setMetadata(aiMetadata& metadata, unsigned& next, const std::string& name, const core::Value& value) {
    forEachEntry(name, value,
                 [&](const std::string& entryName, const auto& entry) { metadata.Set(next++, entryName, entry); });
}

}  // namespace reanima
