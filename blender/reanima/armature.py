# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes armatures from a game's skeleton, recognises them later, and writes them as rigs for binding."""
import json
import re

import bpy
import mathutils
import numpy

from . import controls, provenance, space
from .command import CommandError, shortened

REST = 'reanima_rest'     # of a bone: the joint's rest in model space, translation and rotation x, y, z, w
SIZE = 'reanima_size'     # of an armature: its units per metre
CONTAINER = 'reanima container'
STRAY = 1e-3              # largest distance of a joint from its bone, as a share of the largest coordinate


def of(active):
    """The armature of an object: the object itself, or the armature that moves its mesh. None if there is none."""
    if active is None or active.type == 'ARMATURE':
        return active
    owners = [m.object for m in active.modifiers if m.type == 'ARMATURE'] + [active.parent]
    return next((o for o in owners if o is not None and o.type == 'ARMATURE'), None)


def without_ends(joints):
    """-> the joints that become bones, and the ends of bones without a child: joint -> translation in its space"""
    ends, bones = {}, []
    parents = {j.parent for j in joints}
    for joint in joints:
        if joint.made_up_end and joint not in parents:
            ends[joint.parent] = joint.rest['translation']
        else:
            bones.append(joint)
    return bones, ends


def heaviest_children(joints):
    """The child that a joint's bone points to: of the children at another place, the one with the most joints below it."""
    weights = {joint: 1 for joint in joints}
    for joint in reversed(joints):
        if joint.parent is not None:
            weights[joint.parent] += weights[joint]
    chosen = {}
    for joint in joints:
        above = joint.parent
        if above is not None and numpy.linalg.norm(joint.rest['translation']) > space.NEAR:
            if above not in chosen or weights[joint] > weights[chosen[above]]:
                chosen[above] = joint
    return chosen


def tips(joints, ends):
    """The point to which every joint's bone points, in the joint's space."""
    chosen, found = heaviest_children(joints), {}
    reach = max((float(numpy.linalg.norm(j.rest['translation'])) for j in joints), default=0.0) or 1.0
    for joint in joints:
        if joint in ends and numpy.linalg.norm(ends[joint]) > space.NEAR:
            found[joint] = ends[joint]
        elif joint in chosen:
            found[joint] = chosen[joint].rest['translation']
        elif joint.parent is not None:
            onward = space.matrix_of(joint.rest['rotation']).T @ found[joint.parent]
            length = min(float(numpy.linalg.norm(onward)), reach) / 2
            found[joint] = onward / numpy.linalg.norm(onward) * max(length, reach * 0.02)
        else:
            found[joint] = numpy.array([0.0, reach * 0.2, 0.0])
    return found


def build(context, name, joints, size, scaled):
    """Makes an armature object. scaled: the joints whose scale is animated; their bones keep the joint's axes."""
    joints, ends = without_ends(joints)
    placed, tip = space.globals_of(joints), tips(joints, ends)
    data = bpy.data.armatures.new(name)
    owner = bpy.data.objects.new(name, data)
    context.collection.objects.link(owner)
    make_only_active(context, owner)
    bpy.ops.object.mode_set(mode='EDIT')
    made = {}
    for joint in joints:
        bone = made[joint] = data.edit_bones.new(joint.name)
        bone.parent = made.get(joint.parent)
        direction = space.along_axis(tip[joint]) if joint in scaled else tip[joint]
        bone.head, bone.tail = (0, 0, 0), (0, size * float(numpy.linalg.norm(tip[joint])), 0)
        matrix = numpy.identity(4)
        matrix[:3, :3] = space.Z_UP @ placed[joint][:3, :3] @ space.turned_to(direction)
        matrix[:3, 3] = size * space.Z_UP @ placed[joint][:3, 3]
        bone.matrix = mathutils.Matrix(matrix.tolist())
    names = {joint: bone.name for joint, bone in made.items()}
    bpy.ops.object.mode_set(mode='OBJECT')
    data[SIZE] = size
    for joint, bone in names.items():
        translation, rotation, _ = space.parts(placed[joint])
        data.bones[bone][REST] = [float(v) for v in (*translation, *rotation)]
    return owner


def name_by_roles(owner, roles):
    """Names bones after the roles of their joints, with the suffixes that Blender mirrors: upper_arm.L. roles: by
    current bone name"""
    for bone, role in [(owner.data.bones[name], role) for name, role in roles.items() if name in owner.data.bones]:
        side, part = re.fullmatch('(left|right)?(.+)', role).groups()
        name = re.sub('(?<=.)[A-Z]', lambda letter: '_' + letter.group(), part).lower()
        bone.name = name + {'left': '.L', 'right': '.R', None: ''}[side]
        bone[provenance.FROM]['bone'] = bone.name


def make_only_active(context, owner):
    for other in list(context.selected_objects):
        other.select_set(False)
    context.view_layer.objects.active = owner
    owner.select_set(True)


def bones_of_joints(bones):
    """The bone of every joint, even if renamed, by the joint's name. A duplicate of a bone has the same marks. Of the
    two, the bone that still has the name from the import is used, otherwise the one with the shorter name."""
    marked = [b for b in bones if hasattr(b.get(provenance.FROM), 'get') and 'joint' in b[provenance.FROM]]
    found = {}
    for bone in sorted(marked, key=lambda b: (b.name != name_at_import(b), len(b.name), b.name)):
        found.setdefault(bone[provenance.FROM]['joint'], bone)
    return found


def name_at_import(bone):
    origin = bone[provenance.FROM]
    return origin.get('bone', origin['joint'])


def renamed(bones):
    """The present name of every renamed bone of a joint, by its name at the import."""
    return {name_at_import(b): b.name for b in bones_of_joints(bones).values() if b.name != name_at_import(b)}


def followers(owner, joints):
    """Joint -> Follower for an armature that was made from this skeleton. None for others."""
    joints = without_ends(joints)[0]
    bones, size = owner.data.bones, owner.data.get(SIZE)
    placed, found, reach, of_joint = {}, {}, 1e-6, {}
    known = bones_of_joints(bones)
    if not joints or size is None:
        return None
    for joint in joints:
        bone = of_joint[joint] = known.get(joint.name) or bones.get(joint.name)
        if bone is None or REST not in bone or bone.parent != of_joint.get(joint.parent):
            return None
        stated = numpy.array(bone[REST][:], dtype=float)
        placed[joint] = space.transform(stated[:3], stated[3:])
        reach = max(reach, float(numpy.abs(stated[:3]).max()))
    for joint in joints:
        held = numpy.array(of_joint[joint].matrix_local, dtype=float)
        held[:3, 3] /= size
        held[:3] = space.Z_UP.T @ held[:3]
        turn = numpy.linalg.inv(placed[joint]) @ held
        local = placed[joint] if joint.parent is None else numpy.linalg.inv(placed[joint.parent]) @ placed[joint]
        translation, rotation, _ = space.parts(local)
        moved = abs(numpy.linalg.norm(translation) - numpy.linalg.norm(joint.rest['translation']))
        if numpy.abs(turn[:3, 3]).max() > STRAY * reach or (joint.parent is not None and moved > STRAY * reach):
            return None
        rest = {'translation': translation, 'rotation': rotation, 'scale': joint.rest['scale']}
        found[joint] = space.Follower(of_joint[joint].name, rest, turn[:3, :3], size)
    return found


def heading(world):
    """The heading of an armature: the rotation about the vertical axis in a transform of Blender, as 3 x 3."""
    x, y, z, w = space.parts(world)[1]
    return space.matrix_of(numpy.array([0.0, 0.0, z, w])) if abs(z) + abs(w) > space.NEAR else numpy.identity(3)


def ahead(owner):
    """From glTF's axes to those of the object's location, for a motion along the armature's heading: 3 x 3."""
    above = numpy.array(owner.matrix_world @ owner.matrix_basis.inverted_safe(), dtype=float)[:3, :3]
    return numpy.linalg.inv(above) @ heading(numpy.array(owner.matrix_world, dtype=float)) @ space.Z_UP


def as_container(owner):
    """The transform of the node above a rig's bones: the object's rotation and scale, for the up axis and the unit of
    length. Location and heading are left out, so that the motion follows the armature's heading."""
    world = numpy.array(owner.matrix_world, dtype=float)
    if numpy.linalg.det(world[:3, :3]) <= 0:
        raise CommandError('The armature %s is mirrored (negative scale). Apply its scale first.' % owner.name)
    world[:3, 3] = 0
    world[:3] = space.Z_UP.T @ heading(world).T @ world[:3]
    return world


def was_added(bone):
    """Whether an import added this bone to a rig, for a weapon."""
    origin = bone.get(provenance.FROM)
    return origin is not None and hasattr(origin, 'get') and bool(origin.get('added'))


def add_bones(context, owner, joints):
    """Adds bones for joints that a rig lacks, below their parents' bones. -> the new bones"""
    wanted = [j for j in joints if j.parent is not None and j.parent.name in owner.data.bones and j.name not in owner.data.bones]
    if not wanted:
        return []
    if owner.library is not None or owner.data.library is not None or owner.override_library is not None:
        raise CommandError('The armature %s is linked from another file, so no bone for %s can be added. Turn off the setting "Weapon\'s bone".' % (owner.name, wanted[0].name))
    active, selected = context.view_layer.objects.active, list(context.selected_objects)
    make_only_active(context, owner)
    bpy.ops.object.mode_set(mode='EDIT')
    for joint in wanted:
        above = owner.data.edit_bones[joint.parent.name]
        bone = owner.data.edit_bones.new(joint.name)
        bone.parent, bone.use_deform = above, True
        bone.head, bone.tail = (0, 0, 0), (0, 2 * above.length, 0)
        local = space.transform(joint.rest['translation'], joint.rest['rotation'])
        bone.matrix = above.matrix @ mathutils.Matrix(local.tolist())
    bpy.ops.object.mode_set(mode='OBJECT')
    make_only_active(context, active)
    for other in selected:
        other.select_set(True)
    for joint in wanted:
        provenance.mark(owner.data.bones[joint.name], {'joint': joint.name, 'added': True})
    return wanted


def remove_bones(context, owner, names):
    """Removes bones in object mode."""
    make_only_active(context, owner)
    bpy.ops.object.mode_set(mode='EDIT')
    for name in names:
        owner.data.edit_bones.remove(owner.data.edit_bones[name])
    bpy.ops.object.mode_set(mode='OBJECT')


def rig_of(owner):
    """The armature's rest pose as the text of a .gltf, for binding. glTF's joint axes are those of the bones. Also
    returns the name of the node above them."""
    above = {n: a for n, a in controls.skeleton(owner).items() if not was_added(owner.data.bones[n])}
    container = CONTAINER
    while container in owner.data.bones:
        container += '_'
    nodes, index = [node_of(container, as_container(owner))], {}
    rest = {b.name: numpy.array(b.matrix_local, dtype=float) for b in owner.data.bones if b.name in above}
    for name, parent in above.items():
        index[name] = len(nodes)
        nodes.append(node_of(name, rest[name] if parent is None else numpy.linalg.inv(rest[parent]) @ rest[name]))
        nodes[0 if parent is None else index[parent]].setdefault('children', []).append(index[name])
    rig = {'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}], 'nodes': nodes,
           'skins': [{'joints': sorted(index.values())}]}
    roles = {b[provenance.FROM]['role']: {'node': index[b.name]} for b in bones_of_joints(owner.data.bones).values() if b[provenance.FROM].get('role')}
    if roles:      # only a game's armature has them; its names show no roles
        rig['extensions'] = {'VRMC_vrm': {'specVersion': '1.0', 'humanoid': {'humanBones': roles}}}
    return json.dumps(rig), container


def write_rig(owner, path):
    """Writes rig_of() to a file. -> the text, and the name of the node above the bones"""
    text, container = rig_of(owner)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    return text, container


def changes_of(before, now):
    """What differs between two rigs of rig_of(), in words: missing bones, bones that rest elsewhere, and the tilt of
    the object. The object's size is ignored."""
    before, now = ({n['name']: n for n in rig['nodes']} for rig in (before, now))
    reach = max((abs(v) for n in before.values() for v in n['translation']), default=0.0) or 1.0
    away = lambda a, b, path: float(numpy.abs(numpy.subtract(a[path], b[path])).max())
    turned = lambda a, b: 1 - abs(float(numpy.dot(a['rotation'], b['rotation']))) > 1e-6
    holder = next(iter(before), None)
    common = [n for n in before if n in now and n != holder]
    moved = [n for n in common if turned(before[n], now[n]) or away(before[n], now[n], 'translation') > STRAY * reach]
    missing = [n for n in before if n not in now and n != holder]
    found = ['these bones are missing or renamed: %s' % shortened(missing)] if missing else []
    found += ['these bones have another rest pose: %s' % shortened(moved)] if moved else []
    return found + (['the object is tilted or turned over'] if holder in now and turned(before[holder], now[holder]) else [])


def node_of(name, matrix):
    translation, rotation, scale = space.parts(matrix)
    return {'name': name, 'translation': translation.tolist(), 'rotation': rotation.tolist(), 'scale': scale.tolist()}
