# Defines the target Libdeflate::Libdeflate. Not every package of libdeflate has its own CMake file.
find_path(Libdeflate_INCLUDE_DIR libdeflate.h)
find_library(Libdeflate_LIBRARY NAMES deflate libdeflate)
if(Libdeflate_INCLUDE_DIR)
    file(STRINGS ${Libdeflate_INCLUDE_DIR}/libdeflate.h Libdeflate_VERSION REGEX "define LIBDEFLATE_VERSION_STRING")
    string(REGEX REPLACE ".*\"(.*)\".*" "\\1" Libdeflate_VERSION "${Libdeflate_VERSION}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libdeflate REQUIRED_VARS Libdeflate_LIBRARY Libdeflate_INCLUDE_DIR
    VERSION_VAR Libdeflate_VERSION)
if(Libdeflate_FOUND AND NOT TARGET Libdeflate::Libdeflate)
    add_library(Libdeflate::Libdeflate UNKNOWN IMPORTED)
    set_target_properties(Libdeflate::Libdeflate PROPERTIES
        IMPORTED_LOCATION ${Libdeflate_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Libdeflate_INCLUDE_DIR})
endif()
mark_as_advanced(Libdeflate_INCLUDE_DIR Libdeflate_LIBRARY)
