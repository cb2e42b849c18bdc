#include "formats/names_tables.h"

#include <algorithm>
#include <memory>

#include <libdeflate.h>

namespace reanima {

std::string namesTable(std::string_view name) {
    const std::span<const PackedTable> tables = packedTables();
    const auto table = std::ranges::find(tables, name, &PackedTable::name);
    if (table == tables.end())
        return {};
    struct Free {
        void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
    };
    const std::unique_ptr<libdeflate_decompressor, Free> decompressor(libdeflate_alloc_decompressor());
    std::string text(table->unpackedSize, '\0');
    if (!decompressor || libdeflate_gzip_decompress(decompressor.get(), table->bytes, table->size, text.data(),
                                                    text.size(), nullptr) != LIBDEFLATE_SUCCESS)
        return {};
    text.erase(0, std::min(text.find('\n'), text.size() - 1) + 1);
    return text;
}

std::vector<std::string_view> plainFields(std::string_view line) {
    std::vector<std::string_view> fields;
    for (;;) {
        const std::size_t comma = line.find(',');
        fields.push_back(line.substr(0, comma));
        if (comma == std::string_view::npos)
            return fields;
        line.remove_prefix(comma + 1);
    }
}

}  // namespace reanima
