# The headers that are installed, below include/reanima. They include each other by relative paths.
# Other includes are only the standard library, glm and, in importers, Assimp.
set(REANIMA_PUBLIC_HEADERS
    archives/archive.h
    archives/open_archives.h
    archives/own_names.h
    binding/motion/bind.h
    binding/bind_plan.h
    binding/ground.h
    binding/roles/grip.h
    binding/roles/joint_map.h
    binding/roles/proposed_links.h
    binding/roles/roles.h
    core/asset.h
    core/body_surface.h
    core/bytes.h
    core/called.h
    core/clip.h
    core/decode_error.h
    core/diagnostics.h
    core/files.h
    core/image_sequence.h
    core/limits.h
    core/mesh.h
    core/pose.h
    core/properties.h
    core/reduce.h
    core/rig.h
    core/root_motion.h
    core/scene_motion.h
    core/skeleton.h
    core/source.h
    formats/angle_frames.h
    formats/input.h
    formats/load.h
    formats/merge.h
    formats/naming.h
    formats/options.h
    formats/own_names.h
    formats/registry.h
    measures/clip_facts.h
    measures/mesh_facts.h
    pipeline/cast.h
    pipeline/pipeline.h
    pipeline/settings.h
    pipeline/suggest_links.h
    pipeline/write_back.h)
# Headers for programs that edit the games' files as they are stored. They change more often than the others, whenever
# more is learned about the files.
set(REANIMA_NATIVE_HEADERS
    core/byte_reader.h
    core/rotation.h
    formats/fields.h
    formats/ff7/battle_animation.h
    formats/ff7/battle_skeleton.h
    formats/ff9/animation.h
    formats/ff9/container.h
    formats/ff9/materials.h
    formats/ff9/mesh.h
    formats/ff9/model.h
    formats/metroid/animation/animation.h
    formats/metroid/animation/evnt.h
    formats/metroid/cinf.h
    formats/metroid/game.h
    formats/psx/tim.h
    formats/zvision/rlf.h
    formats/zvision/runs.h)
set(REANIMA_UMBRELLAS archives binding formats measures pipeline)
if(REANIMA_GLTF)
    list(APPEND REANIMA_UMBRELLAS drawing gltf)
    list(APPEND REANIMA_PUBLIC_HEADERS
        drawing/binding_picture.h
        drawing/contact_sheet.h
        drawing/preview_page.h
        drawing/previewed.h
        drawing/view.h
        gltf_export/byte_blocks.h
        gltf_export/gltf_file.h
        gltf_export/gltf_input.h
        gltf_export/gltf_motion.h
        gltf_export/gltf_patch.h
        gltf_export/gltf_skeleton.h
        pictures/picture.h
        pictures/png.h)
endif()
if(REANIMA_ASSIMP)
    list(APPEND REANIMA_UMBRELLAS assimp)
    list(APPEND REANIMA_PUBLIC_HEADERS
        importers/add_animations.h
        importers/archive_io.h
        importers/format_importer.h
        importers/importers.h)
endif()

# The same headers in the build tree, so that programs with this project as a subdirectory include the same paths.
set(REANIMA_BUILD_INCLUDE ${PROJECT_BINARY_DIR}/include)
function(reanima_public_header file place)
    get_filename_component(folder ${REANIMA_BUILD_INCLUDE}/reanima/${place} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${file} ${REANIMA_BUILD_INCLUDE}/reanima/${place} COPY_ON_ERROR SYMBOLIC)
    get_filename_component(folder ${CMAKE_INSTALL_INCLUDEDIR}/reanima/${place} DIRECTORY)
    if(REANIMA_INSTALL)
        install(FILES ${PROJECT_SOURCE_DIR}/${file} DESTINATION ${folder} COMPONENT development)
    endif()
endfunction()
foreach(header ${REANIMA_PUBLIC_HEADERS} ${REANIMA_NATIVE_HEADERS})
    reanima_public_header(${header} ${header})
endforeach()
foreach(name ${REANIMA_UMBRELLAS})
    reanima_public_header(include/reanima/${name}.h ${name}.h)
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/include/reanima/version.h.in ${REANIMA_BUILD_INCLUDE}/reanima/version.h @ONLY)
if(REANIMA_INSTALL)
    install(FILES ${REANIMA_BUILD_INCLUDE}/reanima/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/reanima
        COMPONENT development)
endif()
