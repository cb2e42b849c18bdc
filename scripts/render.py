"""Renders poses of animated .glb files side by side, in Blender without a window.

    blender --background --factory-startup --python scripts/render.py -- OUT.png FILE.glb:CLIP:SECONDS[:EXTRA.glb:MESH]...

All figures have the same height. They are seen from the front and slightly from their left, on a floor at y = 0 of
their file. EXTRA.glb provides a mesh whose name begins with MESH, in the same clip: the weapon, which a rig's file lacks.
The first figure is the game's and blue; the others are brown, weapons are grey.
"""
import math, os, sys

import numpy
if not hasattr(numpy, 'bool'):
    numpy.bool = bool          # Debian's Blender 3.4.1 uses a name that newer NumPys lack
import bpy
from mathutils import Matrix, Vector

out, *moments = sys.argv[sys.argv.index('--') + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
collection = scene.collection
HIGH, APART, TURN = 1.7, 1.35, 35     # metres, metres, degrees


def material(name, colour):
    m = bpy.data.materials.new(name)
    m.diffuse_color = (*colour, 1)
    return m


GAME, RIG, WEAPON = material('game', (0.16, 0.33, 0.55)), material('rig', (0.72, 0.42, 0.20)), material('weapon', (0.35, 0.38, 0.42))


NAMES = {}     # the name of each frozen mesh in its file


def corners(frozen):
    return [v.co for mesh in frozen for v in mesh.data.vertices]


def paint(mesh, colour):
    mesh.data.materials.clear()
    mesh.data.materials.append(colour)


def imported(path, clip, seconds, only=''):
    """the meshes of a file at a time of a clip, and the height of the figure in the rest pose"""
    before = set(bpy.data.objects)
    known = set(bpy.data.actions)
    bpy.ops.import_scene.gltf(filepath=path)
    new = [o for o in bpy.data.objects if o not in before]
    body = max((o for o in new if o.type == 'ARMATURE'), key=lambda o: len(o.pose.bones))
    for track in list(body.animation_data.nla_tracks):
        body.animation_data.nla_tracks.remove(track)
    body.animation_data.action = next(a for a in bpy.data.actions if a not in known and a.name.split('_' + body.name)[0] == clip)
    scene.frame_set(0, subframe=0)
    frame = seconds * scene.render.fps
    scene.frame_set(int(frame), subframe=frame - int(frame))
    shown = [o for o in new if o.type == 'MESH' and o.name.startswith(only) and not o.hide_get() and o.name != 'Icosphere']

    def taken():
        bpy.context.view_layer.update()
        graph = bpy.context.evaluated_depsgraph_get()
        frozen = []
        for mesh in shown:
            pose = bpy.data.objects.new('pose', bpy.data.meshes.new_from_object(mesh.evaluated_get(graph)))
            pose.data.transform(mesh.matrix_world)
            NAMES[pose.name] = mesh.name
            frozen.append(pose)
        return frozen
    posed = taken()
    body.data.pose_position = 'REST'
    heights = [co.z for co in corners(taken())]
    for o in new:
        bpy.data.objects.remove(o)
    for o in [o for o in bpy.data.objects if o.name.startswith('Icosphere')]:
        bpy.data.objects.remove(o)
    return posed, max(heights) - min(heights)


for place, moment in enumerate(moments):
    path, clip, seconds, *extra = moment.split(':')
    posed, high = imported(path, clip, float(seconds))
    for mesh in posed:
        paint(mesh, RIG if place > 0 else WEAPON if extra and NAMES[mesh.name].startswith(extra[1]) else GAME)
    if extra and place > 0:
        weapon, _ = imported(extra[0], clip, float(seconds), extra[1])
        for mesh in weapon:
            paint(mesh, WEAPON)
        posed += weapon
    low = [Vector(map(min, zip(*corners(posed)))), Vector(map(max, zip(*corners(posed))))]
    middle = (low[0] + low[1]) / 2
    for mesh in posed:
        mesh.data.transform(Matrix.Scale(HIGH / high, 4) @ Matrix.Rotation(math.radians(TURN), 4, 'Z') @ Matrix.Translation((-middle.x, -middle.y, 0)))
        mesh.location = (APART * (place - (len(moments) - 1) / 2), 0, 0)
        collection.objects.link(mesh)

bpy.ops.mesh.primitive_plane_add(size=60)
paint(bpy.context.object, material('floor', (0.80, 0.82, 0.85)))
wide = APART * len(moments)
camera = bpy.data.objects.new('camera', bpy.data.cameras.new('camera'))
camera.data.type, camera.data.ortho_scale = 'ORTHO', wide
camera.location, camera.rotation_euler = (0, -12, 2.32), (math.radians(84), 0, 0)
collection.objects.link(camera)
scene.camera = camera
scene.render.engine = 'BLENDER_WORKBENCH'
shading = scene.display.shading
shading.light, shading.color_type, shading.show_shadows, shading.show_cavity = 'STUDIO', 'MATERIAL', True, True
scene.world = bpy.data.worlds.new('sky')
scene.world.color, shading.background_type = (0.80, 0.83, 0.87), 'WORLD'
scene.display.render_aa, scene.display.light_direction = '16', (-0.35, 0.45, 0.82)
scene.view_settings.view_transform = 'Standard'
scene.render.image_settings.color_mode, scene.render.image_settings.compression = 'RGB', 100
scene.render.resolution_x, scene.render.resolution_y = 1200, int(1200 * 2.75 / wide)
scene.render.filepath = os.path.abspath(out)
bpy.ops.render.render(write_still=True)
