# The Debian packages that scripts/package.sh makes with CPack, one per component. A shared build has the library and
# its development files; a static build has the command and the drop-in, which then need no other package.
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
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${REANIMA_LIBRARY_DIR})
else()
    set(CPACK_COMPONENTS_ALL command dropin)
endif()

# Maintainer and date of the packages: scripts/package.sh takes them from the commit.
set(REANIMA_MAINTAINER "the reanima authors <authors@reanima.invalid>" CACHE STRING "NAME <ADDRESS> in packages")
set(REANIMA_HOMEPAGE "" CACHE STRING "Address of the project's page, in packages")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${REANIMA_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "${REANIMA_HOMEPAGE}")
if(DEFINED ENV{SOURCE_DATE_EPOCH})
    set(seconds $ENV{SOURCE_DATE_EPOCH})
else()
    string(TIMESTAMP seconds "%s" UTC)
endif()
execute_process(COMMAND date -u -R -d @${seconds} OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(debian ${PROJECT_BINARY_DIR}/debian)
file(MAKE_DIRECTORY ${debian})
file(CONFIGURE OUTPUT ${debian}/changelog CONTENT [[
reanima (@PROJECT_VERSION@) unstable; urgency=medium

  * What is new: see CHANGELOG.md.gz beside this file.

 -- @REANIMA_MAINTAINER@  @date@
]] @ONLY)
reanima_gzip(${debian}/changelog ${debian}/changelog.gz)
reanima_gzip(${PROJECT_SOURCE_DIR}/CHANGELOG.md ${debian}/CHANGELOG.md.gz)

# CPack adds its own summary to every description unless that is empty.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${CMAKE_PROJECT_NAME} built using CMake")

# @param summary the first line of the description
function(reanima_debian_package component name section summary description)
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
    set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
# Only packages contain this.
    install(FILES LICENSE DESTINATION share/doc/${name} RENAME copyright COMPONENT ${component} EXCLUDE_FROM_ALL)
    # The programs name the version of libdeflate that they are linked with: `deflate 1.14`.
    file(WRITE ${debian}/${name} "${name}: embedded-library zlib *\n")
    install(FILES ${debian}/${name} DESTINATION share/lintian/overrides COMPONENT ${component} EXCLUDE_FROM_ALL)
    install(FILES THIRD_PARTY.md ${debian}/changelog.gz ${debian}/CHANGELOG.md.gz DESTINATION share/doc/${name}
        COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()
reanima_debian_package(library libreanima${soversion} libs
    "animations of classic games, shared libraries"
    "Readers of the games' files, retargeting, glTF 2.0 and loaders for Assimp.")
reanima_debian_package(development libreanima-dev libdevel
    "animations of classic games, development files"
    "Headers, a CMake package and pkg-config files, to build programs with libreanima;\nexamples of such programs.")
reanima_debian_package(command reanima graphics
    "converter of animations of classic games"
    "The command reanima shows, checks and converts animations, characters and\nvideos of Final Fantasy VII, VIII and IX, Metroid Prime and Zork Nemesis,\nto glTF 2.0, pictures and JSON, on the games' skeletons or on others.")
reanima_debian_package(dropin reanima-run graphics
    "formats of classic games for programs that use Assimp"
    "Runs any program that uses the system's libassimp\nwith the games' formats added to it.")
# Updates the loader's cache after the libraries were installed.
file(WRITE ${debian}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${debian}/triggers)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Documentation and sample programs.
install(FILES README.md DESTINATION share/doc/reanima COMPONENT command EXCLUDE_FROM_ALL)
install(DIRECTORY docs DESTINATION share/doc/reanima COMPONENT command EXCLUDE_FROM_ALL)
install(DIRECTORY samples/programs/ DESTINATION share/doc/libreanima-dev/examples COMPONENT development EXCLUDE_FROM_ALL)
install(FILES docs/cpp.md DESTINATION share/doc/libreanima-dev COMPONENT development EXCLUDE_FROM_ALL)
install(FILES docs/cpp.md DESTINATION share/doc/reanima-run COMPONENT dropin EXCLUDE_FROM_ALL)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libreanima${soversion} (= ${PROJECT_VERSION}), libglm-dev")
# The CMake package in Debian's libassimp-dev needs zlib, but the Debian package does not depend on it.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "libassimp-dev, zlib1g-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DROPIN_PACKAGE_SUGGESTS "assimp-utils, f3d")

include(CPack)
