#!/usr/bin/env python3
"""Converts a .glb of `reanima convert` to .fbx with all its clips, for programs that can't read glTF.

    blender --background --factory-startup --python-exit-code 1 --python glb_to_fbx.py -- hero.glb hero.fbx

Tested with Blender 3.4.1 of Debian 12. Every clip becomes an animation (a "take") of the .fbx with the name
`ARMATURE|CLIP`, sampled at every frame of the clips' rate; if rates differ, at the highest rate. Joints become bones.
Meshes and materials are included, and textures are embedded.
"""
import os, sys

import numpy
if not hasattr(numpy, 'bool'):
    numpy.bool = bool                              # Blender 3.4.1 uses this name, which NumPy 1.24 dropped

import bpy                                         # noqa: E402


def arguments():
    words = sys.argv[sys.argv.index('--') + 1:] if '--' in sys.argv else []
    if len(words) != 2:
        sys.exit('glb_to_fbx.py: expected -- IN.glb OUT.fbx')
    return words


def set_rate():
    """Makes Blender's frames equal the clips' frames. The rate must be set before the import."""
    import json, struct
    with open(arguments()[0], 'rb') as f:
        head = f.read(20)
        file = json.loads(f.read(struct.unpack_from('<I', head, 12)[0]))
    scene = file['scenes'][file.get('scene', 0)]
    clips = scene.get('extras', {}).get('reanima', {}).get('clips') or []
    rate = max([c.get('rate') or 0 for c in clips] or [0]) or 30
    bpy.context.scene.render.fps = max(1, round(rate))
    bpy.context.scene.render.fps_base = max(1, round(rate)) / rate


def main():
    source, target = arguments()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    set_rate()
    # TEMPERANCE and FORTUNE point bones at their children; BLENDER keeps every joint's axes as in the .glb.
    bpy.ops.import_scene.gltf(filepath=os.path.abspath(source), bone_heuristic='BLENDER', guess_original_bind_pose=False)
    for action in bpy.data.actions:
        action.use_fake_user = True                # actions that no object plays are exported, too
        for rig in bpy.data.armatures:             # the importer calls it CLIP_ARMATURE
            action.name = action.name.removesuffix('_' + rig.name)
    last = max([a.frame_range[1] for a in bpy.data.actions] or [1])
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 0, int(numpy.ceil(last))
    bpy.ops.export_scene.fbx(
        filepath=os.path.abspath(target), object_types={'ARMATURE', 'MESH', 'EMPTY'}, add_leaf_bones=False, bake_anim=True,
        bake_anim_use_all_actions=True, bake_anim_use_nla_strips=False, bake_anim_force_startend_keying=True, bake_anim_simplify_factor=0,
        bake_anim_step=1, path_mode='COPY', embed_textures=True, apply_scale_options='FBX_SCALE_UNITS')
    print('glb_to_fbx.py: wrote %s with %d clips' % (target, len(bpy.data.actions)))


main()
