# What scripts/package.sh makes with CPack: a Debian package per component. A shared build has the library and what is
# needed to build with it; a static one the command and the drop-in, which then need no package of this project.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME reanima)
set(CPACK_PACKAGE_VENDOR "the reanima authors")
set(CPACK_PACKAGE_CONTACT "the reanima authors <authors@reanima.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY "=")

set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
if(BUILD_SHARED_LIBS)
    set(CPACK_COMPONENTS_ALL library development)
    foreach(target core json binding pictures formats archives pipeline gltf assimp canvas measures drawing)
        if(TARGET reanima_${target})
            get_target_property(folder reanima_${target} BINARY_DIR)
            list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${folder})
        endif()
    endforeach()
else()
    set(CPACK_COMPONENTS_ALL command dropin)
endif()

# The first line of every description is the project's.
function(reanima_debian_package component name section description)
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
    set(CPACK_DEBIAN_${upper}_DESCRIPTION "${description}" PARENT_SCOPE)
    # In packages alone.
    install(FILES LICENSE DESTINATION share/doc/${name} RENAME copyright COMPONENT ${component} EXCLUDE_FROM_ALL)
    install(FILES THIRD_PARTY.md DESTINATION share/doc/${name} COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()
reanima_debian_package(library libreanima${soversion} libs
    "The shared libraries: readers of the games' files, retargeting, glTF 2.0 and loaders for Assimp.")
reanima_debian_package(development libreanima-dev libdevel
    "Headers, a CMake package and pkg-config files, to build programs with libreanima.")
reanima_debian_package(command reanima graphics
    "The command reanima: shows, checks and converts animations, characters and videos of classic games.")
reanima_debian_package(dropin reanima-run graphics
    "Runs any program that uses the system's libassimp with the games' formats added to it.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libreanima${soversion} (= ${PROJECT_VERSION}), libglm-dev")
# Debian's libassimp-dev names zlib in its CMake package without depending on it.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "libassimp-dev, zlib1g-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DROPIN_PACKAGE_SUGGESTS "assimp-utils, f3d")

include(CPack)
