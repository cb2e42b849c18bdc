#!/usr/bin/env python3
"""Makes an .fbx of a .glb that `reanima convert` wrote, with all its clips, for programs that read no glTF.

    blender --background --factory-startup --python-exit-code 1 --python glb_to_fbx.py -- hero.glb hero.fbx

Made for Blender 3.4.1, as Debian 12 has it, and tested with that. Every clip becomes an animation of the .fbx (a "take") that is called
`ARMATURE|CLIP`, sampled at every frame of the clips' rate. Joints become bones. Meshes, materials and textures come along, textures inside the file.
Clips of several rates: the highest is taken for all.
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
    """One frame of Blender is one of the clips: the rate has to be known before they are imported."""
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
    # TEMPERANCE and FORTUNE move bones to where their children are; BLENDER leaves every joint's axes as they are in the .glb.
    bpy.ops.import_scene.gltf(filepath=os.path.abspath(source), bone_heuristic='BLENDER', guess_original_bind_pose=False)
    for action in bpy.data.actions:
        action.use_fake_user = True                # whatever no object plays is exported, too
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
