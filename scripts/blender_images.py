#!/usr/bin/env python3
"""Makes the images of docs/blender.md that show Blender's window: the dialog, the hero, the sidebar.

    REANIMA=build/release/reanima scripts/blender_images.py            writes into docs/images
    REANIMA=... scripts/blender_images.py FOLDER
"""
import os, subprocess, sys, tempfile

sys.dont_write_bytecode = True
import blender_window

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(SOURCE, 'tests', 'data', 'rigs'))
import rig_set                                     # noqa: E402

STEPS = r'''
import reanima.mapping
samples, command, rig, out = arguments


def look(target, distance):
    """From the front, the right and above."""
    sight = view.spaces.active.region_3d
    sight.view_rotation = (0.76, 0.45, 0.24, 0.4)
    sight.view_location, sight.view_distance = target, distance


def empty_scene():
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)


def empty_scene_but(owner):
    """Hides what looks different after every redraw."""
    view.spaces.active.shading.type = 'SOLID'
    for thing in bpy.data.objects:
        if thing != owner:
            thing.hide_set(True)
    view.spaces.active.show_object_viewport_armature = False


def steps():
    bpy.context.preferences.addons['reanima'].preferences.command = command
    empty_scene()
    look((0, 0, 0.9), 4.5)
    move(SIZE[0] // 2, SIZE[1] // 2 + 100)
    yield 0.5
    before = photograph()
    with here():
        bpy.ops.import_scene.reanima('INVOKE_DEFAULT', directory=samples, files=[{'name': n} for n in ('ff7/hrda', 'metroid/hero_walk.ANIM', 'rlf/wheel.rlf')])
    yield 0.8
    after = photograph()
    save(after[changed(before, after)], os.path.join(out, 'blender-dialog.png'))
    press('ESC')
    yield 0.5
    with here():
        bpy.ops.import_scene.reanima(filepath=os.path.join(samples, 'ff7', 'hrda'), only='hrda_000,hrda_001,hrda_002,hrda_004')
    bpy.context.object.animation_data.action = bpy.data.actions['hrda_002']
    bpy.context.scene.frame_set(5)
    bpy.context.object.show_in_front = True
    view.spaces.active.shading.type = 'MATERIAL'
    look((0, 0, 1.05), 3)
    for _ in range(30):       # while shaders are compiled
        yield 0.4
        view.tag_redraw()
    shown = region()
    middle = shown.x + shown.width // 2
    save(photograph()[shown.y:shown.y + shown.height, middle - 280:middle + 280], os.path.join(out, 'blender-hero.png'))
    move(SIZE[0] // 2, SIZE[1] // 2 + 100)
    turned = bpy.data.actions['hrda_002'].fcurves.find('pose.bones["bone005"].rotation_quaternion', index=1)
    for key in turned.keyframe_points[4:7]:
        key.co[1] += 0.15
    turned.update()
    empty_scene_but(bpy.context.object)
    yield 1
    before = photograph()
    with here():
        bpy.ops.export_scene.reanima('INVOKE_DEFAULT')
    yield 2
    after = photograph()
    save(after[changed(before, after)], os.path.join(out, 'blender-export.png'))
    press('ESC')
    yield 0.5
    view.spaces.active.show_object_viewport_armature = True
    empty_scene()
    bpy.ops.import_scene.gltf(filepath=rig)
    bpy.context.view_layer.objects.active = next(o for o in bpy.data.objects if o.type == 'ARMATURE')
    state = bpy.context.scene.reanima
    state.lines.clear()
    state.source = os.path.join(samples, 'ff7', 'hrda')
    bpy.ops.reanima.suggest()
    state.active_link = next(i for i, l in enumerate(state.links) if l.role == 'leftShoulder')
    state.source = '/home/me/reanima/samples/ff7/hrda'
    look((0.5, 0, 0.8), 3)
    yield from open_sidebar(reanima.mapping.REANIMA_PT_mapping)
    save(photograph()[view.y:view.y + view.height, view.x:view.x + view.width], os.path.join(out, 'blender-mapping.png'))
'''


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(SOURCE, 'docs', 'images')
    with tempfile.TemporaryDirectory(prefix='reanima_') as folder:
        rig_set.write_set(folder, {'rig': ('unity', 'adult', {'pose': 'A'})})
        zipped = os.path.join(folder, 'addon.zip')
        subprocess.run([os.path.join(SOURCE, 'scripts', 'build-addon.sh'), '--without-command', '--output', zipped], check=True)
        printed = blender_window.run(STEPS, zipped, os.path.join(SOURCE, 'samples') + os.sep, os.path.abspath(os.environ['REANIMA']),
                                     os.path.join(folder, 'rig.glb'), os.path.abspath(out))
    if 'Traceback' in printed:
        sys.exit(printed)


main()
