"""Renders poses of an animated .glb side by side, in Blender without a screen.

    blender --background --factory-startup --python scripts/render.py -- FILE.glb OUT.png CLIP:FRAME...

The file needs something to see: a game's own mesh, or `reanima convert --proxy-mesh`, which is painted here.
"""
import math, sys

import numpy
numpy.bool = bool          # Debian's Blender 3.4.1 uses a name that newer NumPys lack
import bpy
from mathutils import Matrix, Vector

source, out, *moments = sys.argv[sys.argv.index('--') + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 15
collection = scene.collection
apart = 1.15


def material(name, colour):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    m.node_tree.nodes['Principled BSDF'].inputs['Base Color'].default_value = (*colour, 1)
    return m


bone = material('bone', (0.75, 0.2, 0.04))
for place, moment in enumerate(moments):
    clip, frame = moment.rsplit(':', 1)
    before = set(bpy.data.objects)
    bpy.ops.import_scene.gltf(filepath=source)
    new = [o for o in bpy.data.objects if o not in before]
    body = next(o for o in new if o.type == 'ARMATURE')
    for track in list(body.animation_data.nla_tracks):
        body.animation_data.nla_tracks.remove(track)
    body.animation_data.action = next(a for a in reversed(bpy.data.actions) if a.name.split('_' + body.name)[0] == clip)
    scene.frame_set(int(frame))
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    for mesh in [o for o in new if o.type == 'MESH']:
        frozen = bpy.data.objects.new('pose', bpy.data.meshes.new_from_object(mesh.evaluated_get(graph)))
        frozen.data.transform(mesh.matrix_world)
        middle = sum((body.matrix_world @ b.head for b in body.pose.bones), Vector()) / len(body.pose.bones)
        frozen.data.transform(Matrix.Rotation(math.radians(50), 4, 'Z') @ Matrix.Translation((-middle.x, -middle.y, 0)))
        if not bpy.data.images:    # the proxy mesh
            frozen.data.materials.clear()
            frozen.data.materials.append(bone)
        frozen.location = (apart * (place - (len(moments) - 1) / 2), 0, 0)
        collection.objects.link(frozen)
    for o in new:
        bpy.data.objects.remove(o)

bpy.ops.mesh.primitive_plane_add(size=40)
bpy.context.object.data.materials.append(material('floor', (0.62, 0.65, 0.7)))
sun = bpy.data.objects.new('sun', bpy.data.lights.new('sun', 'SUN'))
sun.data.energy, sun.data.angle = 1.6, 0.2
sun.rotation_euler = (0.7, 0.2, 0.5)
collection.objects.link(sun)
scene.world = bpy.data.worlds.new('sky')
scene.world.use_nodes = True
scene.world.node_tree.nodes['Background'].inputs[0].default_value = (0.5, 0.55, 0.62, 1)
camera = bpy.data.objects.new('camera', bpy.data.cameras.new('camera'))
camera.data.type = 'ORTHO'
camera.data.ortho_scale = apart * len(moments) + 0.3
camera.location = (0, -8, 2.35)
camera.rotation_euler = (math.radians(80), 0, 0)
collection.objects.link(camera)
scene.camera = camera
render = scene.render
render.engine = 'CYCLES'
scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = 'CPU', 48, False
render.resolution_x, render.resolution_y = 220 * len(moments), 470
scene.view_settings.view_transform = 'Standard'
render.image_settings.file_format, render.image_settings.color_mode, render.image_settings.compression = 'PNG', 'RGB', 100
render.filepath = out
bpy.ops.render.render(write_still=True)
