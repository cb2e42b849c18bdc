# What other builds find this project by: a CMake package and pkg-config files.
include(CMakePackageConfigHelpers)
get_property(REANIMA_COMPONENTS GLOBAL PROPERTY REANIMA_COMPONENTS)
configure_package_config_file(cmake/reanimaConfig.cmake.in ${PROJECT_BINARY_DIR}/reanimaConfig.cmake
    INSTALL_DESTINATION ${REANIMA_CONFIG_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/reanimaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/reanimaConfig.cmake ${PROJECT_BINARY_DIR}/reanimaConfigVersion.cmake
    cmake/ReanimaConvert.cmake DESTINATION ${REANIMA_CONFIG_DIR} COMPONENT development)
install(FILES LICENSE THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# reanima.pc is all but Assimp's part, which is reanima-assimp.pc. A static library asks for what it was built on.
# They lie in <prefix>/<libdir>/pkgconfig, wherever that is moved.
file(RELATIVE_PATH REANIMA_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" REANIMA_PC_PREFIX "${REANIMA_PC_PREFIX}")
set(REANIMA_PC_LIBS "")
foreach(component gltf pipeline archives formats binding pictures json core)
    if(component IN_LIST REANIMA_COMPONENTS)
        string(APPEND REANIMA_PC_LIBS " -lreanima_${component}")
    endif()
endforeach()
set(REANIMA_PC_REQUIRES "glm")
if(NOT BUILD_SHARED_LIBS)
    string(APPEND REANIMA_PC_REQUIRES ", fmt, libpng, zlib")
endif()
configure_file(cmake/reanima.pc.in ${PROJECT_BINARY_DIR}/reanima.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/reanima.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
if(REANIMA_ASSIMP)
    configure_file(cmake/reanima-assimp.pc.in ${PROJECT_BINARY_DIR}/reanima-assimp.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/reanima-assimp.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT development)
endif()
