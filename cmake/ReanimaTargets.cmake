# Settings that all targets of this project share.

option(REANIMA_WERROR "Warnings are errors" OFF)
set(REANIMA_SANITIZE "" CACHE STRING "Sanitizers for every target, for example address,undefined")

# Hardening against undiscovered defects that damaged input could exploit. Sanitizers have their own guards.
add_library(reanima_hardening INTERFACE)
if(UNIX AND NOT APPLE AND NOT EMSCRIPTEN AND NOT REANIMA_SANITIZE)
    # glibc warns about these checks if the compiler does not optimise. A distribution may have set another level.
    set(optimised $<OR:$<CONFIG:Release>,$<CONFIG:RelWithDebInfo>,$<CONFIG:MinSizeRel>>)
    target_compile_options(reanima_hardening INTERFACE -fstack-protector-strong
        $<${optimised}:-U_FORTIFY_SOURCE> $<${optimised}:-D_FORTIFY_SOURCE=2>)
    target_link_options(reanima_hardening INTERFACE LINKER:-z,relro LINKER:-z,now)
endif()

# xxHash is compiled into its users. At -Og, GCC can't inline all functions that xxHash forces to be inline.
set(REANIMA_XXHASH XXH_INLINE_ALL $<$<CONFIG:Debug>:XXH_NO_INLINE_HINTS=1>)

add_library(reanima_flags INTERFACE)
target_link_libraries(reanima_flags INTERFACE reanima_hardening)
if(MSVC)
    target_compile_options(reanima_flags INTERFACE /W4 /permissive- /utf-8 $<$<BOOL:${REANIMA_WERROR}>:/WX>)
else()
    # No contraction: a * b + c rounds twice everywhere, so that outputs have the same bits on every machine.
    target_compile_options(reanima_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -ffp-contract=off
        $<$<BOOL:${REANIMA_WERROR}>:-Werror>)
    if(EMSCRIPTEN)  # pointers have 32 bits, so clang warns that unsigned indices change their sign
        target_compile_options(reanima_flags INTERFACE -Wno-sign-conversion)
    endif()
    if(REANIMA_SANITIZE)
        target_compile_options(reanima_flags INTERFACE -fsanitize=${REANIMA_SANITIZE} -fno-sanitize-recover=all
            -fno-omit-frame-pointer)
        target_link_options(reanima_flags INTERFACE -fsanitize=${REANIMA_SANITIZE})
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND REANIMA_SANITIZE MATCHES "address")
            # AddressSanitizer reports null pointers and overruns, too. GCC would need a third of its time for these
            # checks. Clang keeps them, since it is used for fuzzing.
            target_compile_options(reanima_flags INTERFACE -fno-sanitize=null,object-size,vptr)
        endif()
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # GCC 12 reports a false overlap for "literal" + std::string.
        target_compile_options(reanima_flags INTERFACE -Wno-restrict)
        if(CMAKE_UNITY_BUILD)
            # A source that another one includes looks like a header to GCC. GCC's garbage collector takes a tenth of
            # the time unless GCC may use a quarter more memory.
            target_compile_options(reanima_flags INTERFACE -Wno-subobject-linkage
                --param=ggc-min-expand=200 --param=ggc-min-heapsize=400000)
        endif()
    endif()
endif()
if(REANIMA_FUZZ)
    target_compile_definitions(reanima_flags INTERFACE REANIMA_TRACE_FIELDS)
endif()
target_compile_features(reanima_flags INTERFACE cxx_std_20)

set(REANIMA_CONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/reanima)

# Shared libraries of this project are in one folder of the build tree, as after installation.
set(REANIMA_LIBRARY_DIR ${PROJECT_BINARY_DIR}/lib)

# Sets the run path of a program or library, for this project's shared libraries (in the build tree and installed) and
# for other libraries outside the system's folders.
#
# The run path is the same in both cases. If it differed, CMake would pad the one in the build tree with colons. The
# loader reads an empty element as the current folder, which may contain anyone's files.
function(reanima_run_path target)
    set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)
    if(BUILD_SHARED_LIBS)
        set_target_properties(${target} PROPERTIES INSTALL_RPATH "${ARGN}")
    endif()
endfunction()

# Adds a library that is installed as reanima::<name>. BUILD_SHARED_LIBS decides whether it is shared or static.
function(reanima_library target name)
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:reanima_flags>)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    set(is_position_independent ON)
    if(EMSCRIPTEN)  # shared code would be slower, and nothing is loaded at run time
        set(is_position_independent OFF)
    endif()
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ${is_position_independent}
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
        LIBRARY_OUTPUT_DIRECTORY ${REANIMA_LIBRARY_DIR})
    reanima_run_path(${target} $ORIGIN)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "SHARED_LIBRARY" AND UNIX AND NOT APPLE)
        # Hides names of other libraries. Our own are not annotated, since our libraries use many of each other's names.
        target_link_options(${target} PRIVATE LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map)
        set_target_properties(${target} PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exports.map)
    endif()
    if(WIN32)
        set_target_properties(${target} PROPERTIES WINDOWS_EXPORT_ALL_SYMBOLS ON)
    endif()
    add_library(reanima::${name} ALIAS ${target})
    set_property(GLOBAL APPEND PROPERTY REANIMA_COMPONENTS ${name})
    if(REANIMA_INSTALL)
        install(TARGETS ${target} EXPORT reanima-${name}
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
            RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT library)
        install(EXPORT reanima-${name} NAMESPACE reanima:: DESTINATION ${REANIMA_CONFIG_DIR} COMPONENT development)
    endif()
endfunction()

# Compresses a file as Debian packages do. The bytes are reproducible.
function(reanima_gzip file compressed)
    execute_process(COMMAND gzip -9nc ${file} OUTPUT_FILE ${compressed} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Adds a program of this project.
function(reanima_program target)
    target_link_libraries(${target} PRIVATE reanima_flags)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
    # Sanitizers relocate two million addresses at start. With fixed addresses a program starts in half the time (0.07
    # instead of 0.13 s), and the tests start thousands of programs.
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE" AND REANIMA_SANITIZE MATCHES "address" AND NOT BUILD_SHARED_LIBS AND NOT WIN32 AND NOT APPLE)
        target_link_options(${target} PRIVATE -no-pie)
    endif()
endfunction()
