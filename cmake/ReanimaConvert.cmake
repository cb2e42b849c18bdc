# Conversions as build steps: an output is only made again if a file that was read for it has changed. A file with
# several models has an output for each model; when the file changes, CMake runs again to list its outputs.
#
#   include(ReanimaConvert)
#   reanima_convert(characters
#       INPUTS battle/rtda battle/hero.reanima.json      relative to the current source folder
#       OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/glb  the default
#       OPTIONS --proxy-mesh
#       ALL)                                              part of the default build
#
# defines the target `characters`, whose property REANIMA_OUTPUTS lists its outputs. Needs Ninja or Makefiles (CMake
# 3.20) and the command reanima, in PATH or named by REANIMA_PROGRAM.
find_program(REANIMA_PROGRAM reanima DOC "The command that converts")

function(reanima_convert target)
    cmake_parse_arguments(PARSE_ARGV 1 ARG "ALL" "OUTPUT_DIRECTORY" "INPUTS;OPTIONS")
    if(ARG_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "reanima_convert: unknown arguments ${ARG_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT REANIMA_PROGRAM)
        message(FATAL_ERROR "reanima_convert: reanima was not found; set REANIMA_PROGRAM")
    endif()
    if(NOT ARG_OUTPUT_DIRECTORY)
        set(ARG_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/glb)
    endif()

    set(all_outputs)
    foreach(input IN LISTS ARG_INPUTS)
        cmake_path(ABSOLUTE_PATH input BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
        set(command "${REANIMA_PROGRAM}" convert "${input}" -o "${ARG_OUTPUT_DIRECTORY}/" ${ARG_OPTIONS})
        foreach(list IN ITEMS outputs outputs-from)
            execute_process(COMMAND ${command} --${list} OUTPUT_VARIABLE names OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
            string(REPLACE "\n" ";" ${list} "${names}")
        endforeach()
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${outputs-from})
        string(MD5 id "${input}")
        set(depfile ${CMAKE_CURRENT_BINARY_DIR}/${target}.${id}.d)
        add_custom_command(OUTPUT ${outputs}
            COMMAND ${command} --force --quiet --depfile ${depfile}
            DEPENDS "${input}" "${REANIMA_PROGRAM}"
            DEPFILE ${depfile}
            COMMENT "Converting ${input}"
            VERBATIM)
        list(APPEND all_outputs ${outputs})
    endforeach()

    set(all)
    if(ARG_ALL)
        set(all ALL)
    endif()
    add_custom_target(${target} ${all} DEPENDS ${all_outputs})
    set_property(TARGET ${target} PROPERTY REANIMA_OUTPUTS "${all_outputs}")
endfunction()
