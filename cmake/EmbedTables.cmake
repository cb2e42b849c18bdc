# Tables of the games as compressed bytes in a generated source: formats/<game>/names/NAME.csv becomes `<game>/NAME` of
# formats/names_tables.h. If REANIMA_TABLES is the path of a folder, the source reads `<game>/NAME.gz` there instead.
set(REANIMA_TABLES "" CACHE STRING "Folder that tables of names are read from when they are needed; empty: they are compiled in")

# Compresses a file by gzip and writes its bytes as C++ literals. The header's time is 0, so that output is reproducible.
function(reanima_packed_bytes file result)
    set(packed ${CMAKE_CURRENT_BINARY_DIR}/names_table.gz)
    file(ARCHIVE_CREATE OUTPUT ${packed} PATHS ${file} FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
    file(READ ${packed} hex HEX)
    file(REMOVE ${packed})
    string(SUBSTRING ${hex} 0 8 head)
    string(SUBSTRING ${hex} 16 -1 rest)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${head}00000000${rest}")
    set(${result} "${bytes}" PARENT_SCOPE)
endfunction()

# Writes `source` again if a table is newer.
function(reanima_embed_tables source)
    file(GLOB tables CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*/names/*.csv)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${tables})
    string(SHA256 known "${tables}")
    set(is_current OFF)
    if(EXISTS ${source})
        set(is_current ON)
        foreach(table ${tables} ${CMAKE_CURRENT_FUNCTION_LIST_FILE})
            if(${table} IS_NEWER_THAN ${source})
                set(is_current OFF)
            endif()
        endforeach()
        file(STRINGS ${source} marks LIMIT_COUNT 1)
        if(NOT marks STREQUAL "// ${known}")
            set(is_current OFF)
        endif()
    endif()
    if(is_current)
        return()
    endif()
    set(arrays "")
    set(rows "")
    set(index 0)
    foreach(table ${tables})
        reanima_packed_bytes(${table} bytes)
        file(RELATIVE_PATH name ${CMAKE_CURRENT_SOURCE_DIR} ${table})
        string(REGEX REPLACE "/names/(.*)\\.csv$" "/\\1" name ${name})
        string(APPEND arrays "constexpr std::uint8_t kTable${index}[] = {${bytes}};\n")
        string(APPEND rows "    if (name == \"${name}\")\n        return {std::begin(kTable${index}), std::end(kTable${index})};\n")
        math(EXPR index "${index} + 1")
    endforeach()
    file(WRITE ${source} "// ${known}\n#include <iterator>\n\n#include \"formats/names_tables.h\"\n\nnamespace reanima {\n\n"
        "namespace {\n\n${arrays}\n}  // namespace\n\n"
        "core::ByteVector packedTable(std::string_view name) {\n${rows}    return {};\n}\n\n}  // namespace reanima\n")
endfunction()

# Writes the source that reads tables from files.
function(reanima_read_tables source)
    file(CONFIGURE OUTPUT ${source} CONTENT [[
#include <string>

#include "core/files.h"
#include "core/source.h"
#include "formats/names_tables.h"

namespace reanima {

core::ByteVector packedTable(std::string_view name) {
    const auto file = core::diskFiles()->open("@REANIMA_TABLES@/" + std::string(name) + ".gz");
    return file ? file->read(0, file->size(), {}) : core::ByteVector{};
}

}  // namespace reanima
]] @ONLY)
endfunction()
