#include "formats/names_tables.h"

#include <algorithm>
#include <memory>

#include <libdeflate.h>

#include "core/byte_reader.h"

namespace reanima {

std::string namesTable(std::string_view name) {
    constexpr std::size_t kSizeAtEnd = 4;
    const core::ByteVector packed = packedTable(name);
    if (packed.size() < kSizeAtEnd)
        return {};
    struct Free {
        void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
    };
    const std::unique_ptr<libdeflate_decompressor, Free> decompressor(libdeflate_alloc_decompressor());
    core::LittleEndianReader end(core::Bytes(packed).last(kSizeAtEnd));
    std::string text(end.read<std::uint32_t>("size"), '\0');
    if (!decompressor || libdeflate_gzip_decompress(decompressor.get(), packed.data(), packed.size(), text.data(),
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
