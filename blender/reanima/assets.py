# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes assets from actions. Previews need no window: they show the character in the middle of the clip, from its front
left."""
import bpy
import numpy

from . import posing, provenance, space, versions

SIZE = 128                   # pixels of a preview
ROOM = 0.06                  # share of the preview on every side
ASIDE = numpy.radians(30)    # angle of the view
STEPS = (2, 4, 8, 16, 32, 64, 128)      # points along an edge of a triangle
BONES = numpy.array([0.8, 0.8, 0.8])


def mark(context, made):
    """Marks the actions of clips as assets. made: (object, action, slot) of the clips. Work (see progress). A clip of
    one frame becomes a pose for Blender's pose library."""
    for owner in dict.fromkeys(owner for owner, _, _ in made):
        own = [(action, slot) for one, action, slot in made if one == owner]
        with posing.Stage(context, owner):
            for done, (action, slot) in enumerate(own):
                yield '%s: previews' % owner.name, done / len(own)
                versions.play(owner, action, slot)
                context.scene.frame_set(round(action.frame_end / 2) if action.frame_end > 1 else 0)
                action.asset_mark()
                action.asset_data.description = provenance.told(action)
                preview = action.preview_ensure()
                preview.image_size = SIZE, SIZE
                preview.image_pixels_float.foreach_set(picture(context, owner).astype(numpy.float32).ravel())


def picture(context, owner):
    """The pixels of a preview, from the bottom up: the armature's meshes or, without meshes, its bones."""
    worn = [o for o in owner.children if o.type == 'MESH' and o.visible_get()]
    parts = [part for o in worn for part in triangles_of(context, o)] or bones_of(owner)
    corners, colors = (numpy.concatenate(columns) for columns in zip(*parts))
    c, s = numpy.cos(ASIDE), numpy.sin(ASIDE)
    corners = corners @ numpy.array([[c, s, 0], [s, -c, 0], [0, 0, 1]])[:, [0, 2, 1]]      # to the right, up, to the front
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    scale = SIZE * (1 - 2 * ROOM) / max(high[:2] - low[:2]).clip(space.NEAR)
    return drawn((corners - (low + high) / 2) * scale + [SIZE / 2, SIZE / 2, 0], colors)


def triangles_of(context, shown):
    """[(corners, colours)] of a mesh in its current pose: n x 3 x 3 and n x 3."""
    evaluated = shown.evaluated_get(context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    mesh.calc_loop_triangles()
    places, corners, slots = (numpy.empty(n, kind) for n, kind in ((3 * len(mesh.vertices), numpy.float32), (3 * len(mesh.loop_triangles), numpy.int32),
                                                                  (len(mesh.loop_triangles), numpy.int32)))
    mesh.vertices.foreach_get('co', places)
    mesh.loop_triangles.foreach_get('vertices', corners)
    mesh.loop_triangles.foreach_get('material_index', slots)
    evaluated.to_mesh_clear()
    if not len(slots):
        return []
    world = numpy.array(shown.matrix_world, dtype=float)
    places = places.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
    colors = numpy.array([m.diffuse_color[:3] if m else BONES for m in shown.data.materials] or [BONES])
    return [(places[corners.reshape(-1, 3)], colors[numpy.minimum(slots, len(colors) - 1)])]


def bones_of(owner):
    """[(corners, colours)] of bones, as triangles from their heads to their tails."""
    found = []
    for bone in owner.pose.bones:
        head, tail, side = (numpy.array(v) for v in (bone.head, bone.tail, bone.x_axis))
        wide = 0.06 * bone.length * side
        found.append([head - wide, head + wide, tail])
    world = numpy.array(owner.matrix_world, dtype=float)
    return [(numpy.array(found) @ world[:3, :3].T + world[:3, 3], numpy.tile(BONES, (len(found), 1)))]


def drawn(corners, colors):
    """Draws triangles in pixels as points. Nearer points hide farther ones. -> SIZE x SIZE x 4"""
    edges = corners - numpy.roll(corners, 1, axis=1)
    across = numpy.cross(edges[:, 0], edges[:, 1])
    light = 0.45 + 0.55 * numpy.abs(across[:, 2]) / numpy.linalg.norm(across, axis=1).clip(space.NEAR)
    colors = (colors.clip(0, 1) ** (1 / 2.2)) * light[:, None]
    reach = numpy.linalg.norm(edges[:, :, :2], axis=2).max(axis=1) * 1.5
    points, tones = [], []
    for least, most in zip((0, *STEPS), STEPS):
        some = (reach > least) & (reach <= most) if most < STEPS[-1] else reach > least
        a, b = numpy.meshgrid(numpy.linspace(0, 1, most + 1), numpy.linspace(0, 1, most + 1))
        weights = numpy.column_stack([a.ravel(), b.ravel(), 1 - a.ravel() - b.ravel()])
        weights = weights[weights[:, 2] >= -1e-9]
        points.append((weights @ corners[some]).reshape(-1, 3))
        tones.append(numpy.repeat(colors[some], len(weights), axis=0))
    points, tones = numpy.concatenate(points), numpy.concatenate(tones)
    order = numpy.argsort(points[:, 2], kind='stable')      # the nearest points come last
    columns, rows = points[order, :2].astype(int).clip(0, SIZE - 1).T
    pixels = numpy.zeros((SIZE, SIZE, 4))
    pixels[rows, columns] = numpy.column_stack([tones[order], numpy.ones(len(order))])
    return pixels
