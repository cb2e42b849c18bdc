#!/usr/bin/env python3
"""The Blender add-on's export: actions that were imported and changed are written into the game's file."""
import json, math, os, shutil

from support import main_in_blender, read, run, sample
import rig_set
from addon_test import Body, Installed, PRELUDE
from geometry import YXZ, composed, degrees_between

EXPORT = PRELUDE + r'''
def bring(**options):
    """-> what the operator raised, or nothing"""
    try:
        assert bpy.ops.export_scene.reanima(**options) == {'FINISHED'}
    except RuntimeError as error:
        return str(error)

lines = lambda: [l.name for l in scene.reanima.lines]

def turn(body, action, bone, frames, degrees):
    """Turns a bone of an action by so much about its own X at these frames, on all keys."""
    path = 'pose.bones["%s"].rotation_quaternion' % bone
    curves = [curves_of(action).find(path, index=i) for i in range(4)]
    for frame in frames:
        old = mathutils.Quaternion([c.evaluate(frame) for c in curves])
        new = old @ mathutils.Quaternion((1, 0, 0), math.radians(degrees))
        if new.dot(old) < 0:
            new.negate()
        for curve, value in zip(curves, new):
            key = next((k for k in curve.keyframe_points if abs(k.co[0] - frame) < 1e-3), None) or curve.keyframe_points.insert(frame, value)
            key.co[1] = value
            key.interpolation = 'LINEAR'
    for curve in curves:
        curve.update()
'''

UNEDITED = EXPORT + r'''
out = {}
for number, (paths, options) in enumerate(json.loads(arguments[0])):
    clear()
    if 'scene' in options:
        scene.render.fps = options.pop('scene')
        bpy.ops.object.empty_add()
        bpy.context.object.keyframe_insert('location', frame=1)
    before = set(bpy.data.objects)
    folder = os.path.dirname(paths[0])
    error = take('', directory=folder, files=[{'name': os.path.basename(p)} for p in paths], **options)
    if error:
        out[number] = error
        continue
    body = next(o for o in bpy.data.objects if o.type == 'ARMATURE' and o not in before)
    told = state()
    bpy.context.view_layer.objects.active = body
    error = bring(folder=os.path.join(arguments[1], str(number)))
    out[number] = error or [state() == told, len(bpy.data.actions)]
result(out)
'''

CHANGED = EXPORT + r'''
pack, = arguments
out = {}
assert not take(pack)
body = bpy.context.active_object
turn(body, bpy.data.actions['hrda_001'], 'bone005', (4, 5, 6), 20)
bpy.ops.object.mode_set(mode='POSE')
body.pose.bones['bone003'].rotation_quaternion = (0.6, 0.8, 0, 0)      # somebody has it like this, without a key
scene.frame_set(3)
pose = lambda: [list(b.matrix_basis.to_quaternion()) for b in body.pose.bones]
before = [state(), body.animation_data.action.name, scene.frame_current, body.mode, pose()]
out['error'] = bring()
out['left'] = [state(), body.animation_data.action.name, scene.frame_current, body.mode, pose()] == before
out['lines'] = lines()
out['again'] = [bring(), lines()]
turn(body, bpy.data.actions['hrda_002'], 'bone005', (4,), 20)
out['second'] = [bring(), lines()]
result(out)
'''

RIGS = EXPORT + r'''
import shutil
folder, cases = arguments
out = []
for case in json.loads(cases):
    clear()
    if case['rig'] == 'rigify':
        bpy.ops.preferences.addon_enable(module='rigify')
        bpy.ops.object.armature_basic_human_metarig_add()
        bpy.ops.pose.rigify_generate()
        body = bpy.data.objects['rig']
    else:
        body = rig_of(case['rig'])
    bpy.context.view_layer.objects.active = body
    moved = mathutils.Matrix.Translation((3, -2, 0)) @ mathutils.Matrix.Rotation(2.0, 4, 'Z')
    body.matrix_world = moved @ body.matrix_world
    bpy.context.view_layer.update()
    told = {'in': take(case['path'], target='ACTIVE', root_motion='keep', again='BOTH', **case.get('options', {}))}
    told['same'] = bring(folder=os.path.join(folder, 'same%d' % len(out)))
    action = bpy.data.actions[case['clip']]
    turn(body, action, case['bone'], (4, 5, 6), 20)
    place = curves_of(action).find('pose.bones["%s"].location' % case['hips'], index=1)
    if place is not None and case.get('lift'):
        for key in place.keyframe_points:
            key.co[1] += case['lift']
    play(body, action)
    scene.frame_set(5)
    axis = (moved.inverted() @ body.matrix_world).to_3x3() @ body.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones[case['bone']].matrix.col[0].xyz
    told['axis'] = [axis.normalized()[i] * s for i, s in ((0, 1), (2, 1), (1, -1))]      # glTF's
    told['edited'] = bring(folder=os.path.join(folder, 'edited%d' % len(out)))
    told['lines'] = lines()
    # What was written comes onto the same rig again.
    beside, name = os.path.join(folder, 'beside%d' % len(out)), os.path.basename(case['path'])
    shutil.copytree(os.path.dirname(case['path']), beside)
    shutil.copy(os.path.join(folder, 'edited%d' % len(out), name), beside)
    assert not take(os.path.join(beside, name), target='ACTIVE', again='BOTH', root_motion='keep', **case.get('options', {}))
    second = next(a for a in bpy.data.actions if a.name.startswith(case['clip'] + '.'))
    names, poses = case['deform'], []
    for one in (action, second):
        play(body, one)
        poses.append([])
        for frame in range(8):
            scene.frame_set(frame)
            bones = body.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
            poses[-1].append([(bones[n].matrix.to_quaternion(), bones[n].head.copy()) for n in names])
    told['degrees'] = max(math.degrees(4 * math.asin(min((p - q).magnitude, (p + q).magnitude) / 2)) for a, b in zip(*poses) for (p, _), (q, _) in zip(a, b))
    told['apart'] = max((p - q).length for a, b in zip(*poses) for (_, p), (_, q) in zip(a, b))
    out.append(told)
result(out)
'''

EVALUATED = EXPORT + r'''
pack, again = arguments
out = {}

def heads(body, names, frames):
    rows = []
    for frame in frames:
        scene.frame_set(frame)
        bones = body.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        rows.append([list(bones[n].head) for n in names])
    return rows

def written(name):
    "what came into the pack: heads in a new armature"
    assert not take(pack, only=name)
    body = bpy.context.active_object
    play(body, next(a for a in bpy.data.actions if 'reanima' in a and a['reanima']['armature'] == body.data.name))
    return heads(body, NAMES, range(16))

NAMES = ['bone005', 'bone006', 'bone007', 'bone007_end'][:3] + ['bone003', 'root', 'weapon000']
# An arm that reaches for something that moves, and a layer that bows the chest
assert not take(pack)
body = bpy.context.active_object
goal = bpy.data.objects.new('goal', None)
scene.collection.objects.link(goal)
for frame, place in ((0, (0.4, -0.5, 1.2)), (10, (0.6, -0.3, 1.6))):
    goal.location = place
    goal.keyframe_insert('location', frame=frame)
reach = body.pose.bones['bone006'].constraints.new('IK')
reach.target, reach.chain_count = goal, 2
out['ik'] = bring(only='hrda_002')
play(body, bpy.data.actions['hrda_002'])
out['ik places'] = [heads(body, NAMES, range(15)), written('hrda_002')[:15]]
out['ik lines'] = lines()

clear()
assert not take(again)
body = bpy.context.active_object
data = body.animation_data
for name in ('hrda_000', 'hrda_001'):
    track = data.nla_tracks.new()
    track.strips.new(name, 5 if name == 'hrda_001' else 0, bpy.data.actions[name])
layer = bpy.data.actions.new('bow')
for index, value in enumerate((math.cos(0.2), math.sin(0.2), 0, 0)):
    curve = curves_of(layer).new('pose.bones["bone001"].rotation_quaternion', index=index)
    curve.keyframe_points.insert(0, value)
track = data.nla_tracks.new()
strip = track.strips.new('bow', 0, layer)
strip.blend_type, strip.frame_end = 'COMBINE', 60
data.action = None
before = [[t.name, t.mute, t.is_solo, len(t.strips)] for t in data.nla_tracks]
out['layer'] = [bring(only='hrda_001'), lines(), [[t.name, t.mute, t.is_solo, len(t.strips)] for t in data.nla_tracks] == before, data.action]
for t in list(data.nla_tracks)[:1]:
    t.mute = True
seen = heads(body, NAMES, range(5, 20))
pack = again
out['layer places'] = [seen, written('hrda_001')[:15]]
result(out)
'''

LENGTHS = EXPORT + r'''
pack, = arguments
out = {}
assert not take(pack)
body = bpy.context.active_object
longer, shorter, beyond = (bpy.data.actions[n] for n in ('hrda_000', 'hrda_001', 'hrda_002'))
longer.frame_end += 10
turn(body, longer, 'bone005', (33,), 30)
shorter.frame_end = 9
turn(body, beyond, 'bone005', (30,), 30)
out['error'] = bring()
out['lines'] = lines()
result(out)
'''

RESAMPLED = EXPORT + r'''
pack, = arguments
bpy.ops.object.empty_add()
bpy.context.object.keyframe_insert('location', frame=1)      # the scene keeps its 24 frames per second
assert not take(pack)
body = bpy.context.active_object
action = bpy.data.actions['hrda_001']
keys = [k.co[0] for k in curves_of(action).find('pose.bones["bone005"].rotation_quaternion', index=0).keyframe_points]
turn(body, action, 'bone005', keys, 20)
result([fps(), len(keys), bring(), lines()])
'''

BETWEEN = EXPORT + r'''
pack, folder, elsewhere = arguments
import shutil
out = {}

def edited(name, **options):
    told = bring(folder=os.path.join(folder, name), **options)
    out[name] = [told, lines()]

def fresh(**options):
    clear()
    assert not take(pack, **options)
    return bpy.context.active_object

body = fresh()
body.data.bones['bone005'].name = 'upper_arm.L'
action = bpy.data.actions['hrda_001']      # its curves are renamed, too, if this Blender does that
has = lambda name: curves_of(action).find('pose.bones["%s"].rotation_quaternion' % name, index=0) is not None
turn(body, action, next(n for n in ('bone005', 'upper_arm.L') if has(n)), (4, 5, 6), 20)
paths = lambda: sorted(c.data_path for a in bpy.data.actions for c in curves_of(a))
before = paths()
edited('renamed')
out['paths'] = paths() == before

body = fresh()
body.pose.bones['bone006'].rotation_mode = 'XYZ'
edited('euler')
out['mode'] = body.pose.bones['bone006'].rotation_mode

body = fresh()
bpy.ops.object.mode_set(mode='EDIT')
old = body.data.edit_bones['bone007']
copy = body.data.edit_bones.new('bone007.001')
copy.head, copy.tail, copy.roll, copy.parent = old.head, old.tail, old.roll, old.parent
bpy.ops.object.mode_set(mode='OBJECT')
one, other = body.data.bones['bone007'], body.data.bones['bone007.001']
other['reanima'], other['reanima_rest'] = one['reanima'].to_dict(), one['reanima_rest'][:]      # as Blender duplicates a bone
turn(body, bpy.data.actions['hrda_001'], 'bone007', (4, 5, 6), 20)
edited('duplicate')

for name in ('muted', 'trimmed', 'neighbour'):
    body = fresh()
    track = body.animation_data.nla_tracks.new()
    for number, action in enumerate(sorted(bpy.data.actions, key=lambda a: a.name)):
        strip = track.strips.new(action.name, number * 40, action)
        if action.name == 'hrda_001' and name == 'muted':
            strip.mute = True
        elif action.name == 'hrda_001' and name == 'trimmed':
            strip.action_frame_start = 3
    if name == 'neighbour':      # the next one begins where it ends
        last = track.strips[1].frame_end
        track.strips[2].frame_start, track.strips[2].frame_end = last, last + 14
    body.animation_data.action = None
    edited(name)

body = fresh()
body.data.name = 'Held'
turn(body, bpy.data.actions['hrda_000'], 'bone005', (4, 5, 6), 20)
assert not take(pack)
out['two'] = len(bpy.data.actions)
bpy.context.view_layer.objects.active = body
edited('held')

body = fresh(root_motion='extract')
action = bpy.data.actions['hrda_001']
ways = [c for c in curves_of(action) if c.data_path == 'location']
out['way'] = [[c.keyframe_points[-1].co[1] - c.keyframe_points[0].co[1] for c in ways], max(abs(k.co[1] - c.keyframe_points[0].co[1]) for c in ways for k in c.keyframe_points)]
for curve in ways:
    for key in curve.keyframe_points:
        key.co[1] *= 2
    curve.update()
edited('object')

body = fresh(root_motion='extract')
body.rotation_mode = 'XYZ'
body.rotation_euler.z += 1.5
bpy.context.view_layer.update()
edited('turned')

body = fresh()
for old, new in (('bone005', 'zz'), ('bone006', 'bone005')):
    body.data.bones[old].name = new
edited('chain')

# A copy of the armature with its own data, and another import onto the first one.
body = fresh()
turn(body, bpy.data.actions['hrda_001'], 'bone005', (4, 5, 6), 20)
copy = body.copy()
copy.data = body.data.copy()
scene.collection.objects.link(copy)
bpy.context.view_layer.objects.active = body
assert not take(pack, target='ACTIVE', only='hrda_000')
out['updated'] = sorted(a.name for a in bpy.data.actions)
bpy.context.view_layer.objects.active = body
edited('copied', only='hrda_001')

# A layer over a strip that does not show the whole action
body = fresh()
layer = bpy.data.actions.new('bow')
curves_of(layer).new('pose.bones["bone001"].location', index=0).keyframe_points.insert(0, 0.0)
for name, action in (('clip', bpy.data.actions['hrda_001']), ('layer', layer)):
    body.animation_data.nla_tracks.new().strips.new(name, 0, action)
body.animation_data.nla_tracks[0].strips[0].action_frame_start = 3
body.animation_data.action = None
edited('layered', only='hrda_001')

body = fresh()
before = sorted(os.listdir(folder))
curves_of(bpy.data.actions['hrda_001']).new('pose.bones["bone005"].location', index=0).keyframe_points.insert(0, 0.3)
edited('refused')
out['folders'] = sorted(os.listdir(folder)) == before

body = fresh()
scene.render.fps = 60
for action in bpy.data.actions:
    for curve in curves_of(action):
        for key in curve.keyframe_points:
            key.co[0] *= 4
        curve.update()
    action.frame_end *= 4
edited('faster')

clear()
for number in range(4):
    assert not take(pack, only='hrda_000', again='BOTH', **({'target': 'ACTIVE'} if number else {}))
out['names'] = sorted(a.name for a in bpy.data.actions)

# An armature of one game takes the clips of another.
body = fresh()
out['other game'] = take('ff9/hero.ff9db', target='ACTIVE')
edited('both')

clear()
names = os.path.join(elsewhere, 'own.csv')
assert not take(pack, names=names)
os.makedirs(os.path.join(elsewhere, 'now'))
for path in (names, pack, os.path.join(os.path.dirname(pack), 'hraa')):
    shutil.move(path, os.path.join(elsewhere, 'now'))
edited('moved', originals=os.path.join(elsewhere, 'now'))
result(out)
'''

OF_ONES_OWN = EXPORT + r'''
pack, rig, folder = arguments
import shutil, reanima.provenance
out = {}

def fresh(**options):
    clear()
    body = rig_of(rig)
    assert not take(pack, target='ACTIVE', **options)
    bpy.context.view_layer.objects.active = body
    return body

def edited(name, **options):
    told = bring(folder=os.path.join(folder, name), **options)
    out[name] = [told, lines()]

def heads(body, frames):
    rows = []
    for frame in frames:
        scene.frame_set(frame)
        bones = body.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        rows.append([list(bones[n].head) for n in ('LeftUpperArm', 'LeftLowerArm', 'LeftHand', 'RightHand')])
    return rows

def reaching(body):
    goal = bpy.data.objects.new('goal', None)
    scene.collection.objects.link(goal)
    goal.location = (0.4, -0.4, 1.3)
    reach = body.pose.bones['LeftLowerArm'].constraints.new('IK')
    reach.target, reach.chain_count = goal, 2
    return reach

body = fresh()
reach = reaching(body)
edited('ik', only='hrda_001')
play(body, bpy.data.actions['hrda_001'])
reached = heads(body, range(16))
body.pose.bones['LeftLowerArm'].constraints.remove(reach)
plain = heads(body, range(16))
beside = os.path.join(folder, 'beside')
shutil.copytree(os.path.dirname(pack), beside)
shutil.copy(os.path.join(folder, 'ik', 'hrda'), beside)
assert not take(os.path.join(beside, 'hrda'), target='ACTIVE', only='hrda_001', again='BOTH')
play(body, next(a for a in bpy.data.actions if a.name.startswith('hrda_001.') or a.name == 'new_hrda_001'))
out['reached'] = [reached, plain, heads(body, range(16))]

# Of two actions, one lets it reach: the other keeps its pose, and the influence its value.
body = fresh()
reach = reaching(body)
reach.influence = 0
influence = 'pose.bones["LeftLowerArm"].constraints["%s"].influence' % reach.name
curves_of(bpy.data.actions['hrda_001']).new(influence, index=0).keyframe_points.insert(0, 1.0)
play(body, bpy.data.actions['hrda_004'])
scene.frame_set(2)
edited('influence')
out['influence left'] = reach.influence

body = fresh()
reach = reaching(body)
reach.mute = True
assert not take(pack, target='ACTIVE')
reach.mute = False
bpy.context.view_layer.objects.active = body
edited('unmuted', only='hrda_001')

body = fresh()
bpy.ops.object.mode_set(mode='EDIT')
body.data.edit_bones['LeftLowerArm'].roll += 0.3
bpy.ops.object.mode_set(mode='OBJECT')
assert not take(pack, target='ACTIVE', only='hrda_000')
bpy.context.view_layer.objects.active = body
edited('two rests')
action = bpy.data.actions['hrda_001']
for text in ('not json', '[]', '{"nodes": [[]]}'):
    key = reanima.provenance.key_of(reanima.provenance.RIG, text)
    body.data[key], action['reanima']['rig'] = text, key
    edited('damaged ' + text, only='hrda_001', other=True)

body = fresh()
body.data.bones['LeftUpperArm'].name = 'arm'
edited('renamed')
edited('renamed allowed', other=True)
body = fresh()
bpy.ops.object.mode_set(mode='EDIT')
body.data.edit_bones['LeftUpperArm'].tail.z -= 0.03
bpy.ops.object.mode_set(mode='OBJECT')
edited('rest')
body = fresh()
body.rotation_mode = 'XYZ'
body.rotation_euler.x += 0.5
bpy.context.view_layer.update()
edited('tilt')
body = fresh()
body.scale, body.location = (2, 2, 2), (1, 2, 3)
bpy.context.view_layer.update()
edited('larger')

body = fresh()
action = bpy.data.actions['hrda_001']
for path, value in (('location', 0.3), ('scale', 2)):
    for index in range(3):
        wanted = 'pose.bones["LeftUpperArm"].' + path
        curve = curves_of(action).find(wanted, index=index) or curves_of(action).new(wanted, index=index)
        curve.keyframe_points.insert(0, value)
curves_of(action).new('pose.bones["LeftToes"].rotation_quaternion', index=1).keyframe_points.insert(0, 0.3)
curves_of(action).new('location', index=0).keyframe_points.insert(0, 0)
curves_of(action).find('location', index=0).keyframe_points.insert(10, 1)
curves_of(action).new('rotation_euler', index=2).keyframe_points.insert(0, 0)
curves_of(action).find('rotation_euler', index=2).keyframe_points.insert(10, 1)
edited('moved')
result(out)
'''

WITHOUT_KEYS = EXPORT + r'''
pack, rig, folder = arguments
import shutil
import reanima.exporting, reanima.preferences
out = {}

def carried(body, name, by):
    """Adds a bone above another one."""
    bpy.context.view_layer.objects.active = body
    bpy.ops.object.mode_set(mode='EDIT')
    bone = body.data.edit_bones.new(by)
    bone.head, bone.tail = (0, 0, 0), (0, 0, 0.3)
    body.data.edit_bones[name].parent = bone
    bpy.ops.object.mode_set(mode='OBJECT')

def own():
    clear()
    assert not take(pack)
    body = next(o for o in bpy.data.objects if o.type == 'ARMATURE')
    bpy.context.view_layer.objects.active = body
    return body

def edited(name, **options):
    told = bring(folder=os.path.join(folder, name), **options)
    out[name] = [told, lines()]

# A bone above the root has keys in one action. The user looks at its beginning and at its end.
for frame in (0, 16):
    body = own()
    carried(body, 'root', 'COG')
    curve = curves_of(bpy.data.actions['hrda_001']).new('pose.bones["COG"].location', index=0)
    for at in (0, 16):
        curve.keyframe_points.insert(at, 0.5 * at / 16).interpolation = 'LINEAR'
    play(body, bpy.data.actions['hrda_001'])
    scene.frame_set(frame)
    edited('above at %d' % frame)

# A bone above the hips is posed without keys: before the import, and after it.
clear()
body = rig_of(rig)
carried(body, 'Hips', 'Carrier')
body.pose.bones['Carrier'].location = (0.2, 0, 0.1)
assert not take(pack, target='ACTIVE')
out['cleared'] = [list(body.pose.bones['Carrier'].location), lines()]
edited('before')
body.pose.bones['Carrier'].location = (0.2, 0, 0.1)
edited('after')

# What the user keyed is replaced by a later import, and said.
turn(body, bpy.data.actions['hrda_001'], 'LeftUpperArm', [4], 20)
assert not take(pack, target='ACTIVE')
out['replaced'] = lines()

# Euler keys of the user's own action
clear()
body = rig_of(rig)
mine = bpy.data.actions.new('mine')
body.pose.bones['LeftUpperArm'].rotation_mode = 'XYZ'
body.animation_data_create().action = mine
body.pose.bones['LeftUpperArm'].keyframe_insert('rotation_euler', frame=1)
assert not take(pack, target='ACTIVE')
out['euler'] = lines()
body.animation_data.action = mine
edited('mine')

# Keys between the frames of the game
clear()
scene.render.fps = 30
bpy.ops.object.empty_add()
bpy.context.object.keyframe_insert('location', frame=1)
assert not take(pack)
body = next(o for o in bpy.data.objects if o.type == 'ARMATURE')
bpy.context.view_layer.objects.active = body
edited('resampled')
turn(body, bpy.data.actions['hrda_001'], 'bone005', [5], 40)
edited('between')

# One file of two is gone: the other one is still compared.
body = own()
other = os.path.join(folder, 'other')
shutil.copytree(os.path.dirname(pack), other)
assert not take(os.path.join(other, 'hrda'), target='ACTIVE', only='hrda_000')
os.remove(os.path.join(other, 'hrda'))
rows = reanima.exporting.rows_of(body, bpy.data.actions, bpy.data.armatures, fps())
work = reanima.exporting.Exporter(bpy.context, reanima.preferences.command(bpy.context), body, rows, reanima.exporting.Settings()).look()
try:
    while True:
        next(work)
except StopIteration:
    pass
out['compared'] = [[r.action.name, r.status, r.told] for r in rows]

clear()
lonely = os.path.join(folder, 'lonely')
os.mkdir(lonely)
assert not take(shutil.copy(pack, lonely))
out['lonely'] = lines()
result(out)
'''

REFUSED = EXPORT + r'''
pack, archive, folder, elsewhere = arguments
import shutil, reanima.exporting
out = {}

def tree():
    found = {}
    for where, _, names in os.walk(folder):
        found[where] = ''
        for name in names:
            with open(os.path.join(where, name), 'rb') as file:
                found[os.path.join(where, name)] = file.read().hex()
    return found

def attempt(name, **options):
    before, was = tree(), state()
    out[name] = [bring(**options), tree() == before, state() == was]

attempt('nothing active')
assert not take(pack)
body = bpy.context.active_object
first = bpy.data.actions['hrda_000']
body.hide_viewport = True
attempt('hidden')
body.hide_viewport = False
attempt('no folder', folder=pack)
attempt('unknown', only='walk')
copy = first.copy()
attempt('twice', only='hrda_000,%s' % copy.name)
bpy.data.actions.remove(copy)
# What a .blend from elsewhere says reaches the command only as an option of imports, or not at all.
given = first['reanima']['options']
victim = os.path.join(folder, 'victim')
with open(victim, 'w') as file:
    file.write('keep')
for text in ('--depfile VICTIM --force', '--force', '-o VICTIM', '--report=VICTIM', '--scale 1 VICTIM', '--skeleton=--force'):
    first['reanima']['options'] = text.replace('VICTIM', victim)
    attempt(text)
first['reanima']['options'] = given
first['reanima']['bound'] = True
for text in ('../victim', victim):
    body.data[text] = '{}'
    first['reanima']['options'] = '--map ' + text
    attempt('map ' + text.replace(victim, 'VICTIM'))
    del body.data[text]
del first['reanima']['bound']
first['reanima']['options'] = given
os.remove(victim)
curve = curves_of(first).new('pose.bones["bone003"].location', index=1)
curve.keyframe_points.insert(0, 0.1)
attempt('loss')
out['lossy'] = [bring(lossy=True), lines()]
curves_of(first).remove(curve)
for curve in [c for c in curves_of(first) if c.data_path.endswith('rotation_quaternion')]:
    for key in curve.keyframe_points:
        key.co[1] = 1.0 if curve.array_index < 2 else 0.0
    curve.update()
for name in ('hrda_001', 'hrda_002', 'hrda_004'):
    action = bpy.data.actions[name]
    for curve in [c for c in curves_of(action) if c.data_path.endswith('rotation_quaternion')]:
        for key in curve.keyframe_points:
            key.co[1] = 1.0 if curve.array_index < 2 else 0.0
        curve.update()
attempt('other')
turned = bring(other=True)
out['other allowed'] = [turned, lines()]
# The last step fails: what was replaced comes back.
replace = os.replace
def failing(a, b):
    if b == pack and not a.endswith('.bak2'):
        raise OSError('no room')
    return replace(a, b)
turn(body, first, 'bone005', (4, 5, 6), 20)
reanima.exporting.os.replace = failing
attempt('no room', other=True)
reanima.exporting.os.replace = replace
# Work that is closed after any number of steps leaves nothing.
from reanima import exporting, preferences
rows = exporting.rows_of(body, bpy.data.actions, bpy.data.armatures, 15)
before, was, left, steps = tree(), state(), [], 0
scene.frame_set(7)
while True:
    work = exporting.Exporter(bpy.context, preferences.command(bpy.context), body, exporting.rows_of(body, bpy.data.actions, bpy.data.armatures, 15), exporting.Settings(other=True)).write()
    steps += 5
    try:
        for _ in range(steps):
            next(work)
    except StopIteration:
        break
    work.close()
    if tree() != before or state() != was or scene.frame_current != 7:
        left.append(steps)
out['closed'] = [steps, left]
os.rename(pack, os.path.join(elsewhere, 'hrda'))
attempt('moved')
shutil.copy(os.path.join(os.path.dirname(pack), 'hraa'), elsewhere)
out['found'] = [bring(originals=elsewhere, other=True), lines()]
body.data.bones['bone003'].name = 'Head'        # it knows what it was
out['renamed'] = [bring(originals=elsewhere, other=True), lines()]
bpy.ops.object.mode_set(mode='EDIT')
body.data.edit_bones.remove(body.data.edit_bones['bone007'])
bpy.ops.object.mode_set(mode='OBJECT')
attempt('bone gone', originals=elsewhere)
clear()
assert not take(archive, entry='hrda')
attempt('archive')
out['entry'] = bring(folder=os.path.join(elsewhere, 'new', 'folder'))
bpy.context.active_object.animation_data_clear()
for action in list(bpy.data.actions):
    bpy.data.actions.remove(action)
attempt('no actions')
result(out)
'''


class Back(Installed):
    def dumped(self, path, *more):
        return json.loads(self.check(run('dump', path, *more), 0).stdout)

    def pack(self):
        """A pack and its skeleton in a folder of their own"""
        for name in ('hrda', 'hraa'):
            os.makedirs(self.path('game'), exist_ok=True)
            shutil.copy(sample('ff7', name), self.path('game', name))
        return self.path('game', 'hrda')

    def test_what_was_not_changed_keeps_every_byte(self):
        cases = [(f, o) for f in ([sample('ff7', 'hrda')], [sample('ff7', 'doll_walk.a')], [sample('ff9', 'hero_walk.ff9anim')], [sample('ff9', 'hero.ff9db')],
                                  [sample('ff9', 'props.ff9db')],
                                  [sample('metroid', 'hero_%s.ANIM' % n) for n in ('walk', 'idle', 'spin', 'attack', 'pose')],
                                  [sample('metroid', 'echo_%s.ANIM' % n) for n in ('swell', 'rise')]) for o in ({}, {'scene': 24}, {'scene': 60})]
        pack = [sample('ff7', 'hrda')]
        cases += [(pack, {'names': sample('ff7', 'hero.names.csv')}), (pack, {'loop_key': True, 'scale': 2.5}), (pack, {'play_rate': 20}), (pack, {'more': '--rest hrda_004:3'})]
        cases += [([sample('ff9', 'hero.ff9db')], {'root_motion': w}) for w in ('in-place', 'drop', 'extract')]
        got = self.inside(UNEDITED, json.dumps(cases), self.path('out'))
        for number, (paths, options) in enumerate(cases):
            with self.subTest(paths=paths, options=options):
                self.assertEqual(got[str(number)][:1], [True], got[str(number)])
                for path in paths:
                    self.assertEqual(read(self.path('out', str(number), os.path.basename(path))), read(path))

    def frames(self, pack):
        """Angles and places of every clip, as the file stores them"""
        return [a.get('frames') for a in self.dumped(pack, '-s', sample('ff7', 'hraa'))['animations']]

    def turned(self, before, after, clip, bone, frames, degrees):
        """Only these triples of the two packs differ, by a turn of this many degrees about the bone's X"""
        for number, (a, b) in enumerate(zip(self.frames(before), self.frames(after))):
            if number != clip:
                self.assertEqual(a, b)
                continue
            self.assertEqual(len(a), len(b))
            for frame, (p, q) in enumerate(zip(a, b)):
                self.assertEqual(p['translation'], q['translation'])
                differ = [i for i, (x, y) in enumerate(zip(p['rotations'], q['rotations'])) if x != y]
                self.assertEqual(differ, [bone] if frame in frames else [], frame)
                if frame in frames:
                    self.assertAlmostEqual(degrees_between(composed(p['rotations'][bone], YXZ), composed(q['rotations'][bone], YXZ)), degrees, delta=0.1)

    def turn(self, before, after, clip, joint, frame):
        """The rotation of a joint in space: degrees and axis"""
        placed = []
        for path in (before, after):
            self.check(run('convert', path, '-q', '--force', '--no-mesh', '-o', self.path('one.glb')), 0)
            body = Body(read(self.path('one.glb')))
            number = [a['name'] for a in body.g['animations']].index(clip)
            node = [n.get('name') for n in body.nodes].index(joint)
            placed.append(body.matrices(body.animation(number), frame / body.g['animations'][number]['extras']['rate'])[node])
        a, b = placed
        m = [[sum(b[i][k] * a[j][k] for k in range(3)) for j in range(3)] for i in range(3)]
        axis = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]]
        length = math.hypot(*axis)
        return math.degrees(math.atan2(length, m[0][0] + m[1][1] + m[2][2] - 1)), [x / length for x in axis]

    def test_a_bone_that_was_turned(self):
        pack = self.pack()
        original = read(pack)
        os.mkdir(self.path('real'))
        os.rename(pack, self.path('real', 'hrda'))          # a link is kept
        os.symlink(self.path('real', 'hrda'), pack)
        got = self.inside(CHANGED, pack)
        self.assertEqual([got['error'], got['left']], [None, True])
        self.assertTrue(os.path.islink(pack))
        linked, pack = pack, self.path('real', 'hrda')
        self.assertEqual(got['lines'][1], 'Wrote %s; the original is kept as hrda.bak.' % pack)
        self.assertRegex(got['lines'][2], 'hrda_001: 1 joint; bone005 by 20.0 degrees in frame [456]$')
        self.assertEqual(len(got['lines']), 3)
        self.assertRegex(got['lines'][0], 'note: hrda_001: some angles are not multiples of 4, so angles need more bits: 788 bytes instead of 602$')
        self.assertEqual(got['again'], [None, ['%s: nothing differs, so it was not written.' % linked]])
        self.assertEqual([sorted(os.listdir(self.path(f))) for f in ('game', 'real')], [['hraa', 'hrda'], ['hrda', 'hrda.bak', 'hrda.bak2']])
        self.assertEqual(read(pack + '.bak'), original)
        self.turned(pack + '.bak', pack + '.bak2', 1, 6, (4, 5, 6), 20)      # after the root
        self.turned(pack + '.bak2', pack, 2, 6, (4,), 20)

    def test_on_armatures_of_ones_own_the_binding_is_turned_back(self):
        kinds = {'unity': {'pose': 'A'}, 'mixamo': {'pose': 'T', 'armature': 'fbx'}, 'biped': {'pose': 'A', 'armature': 'zup'}}
        rig_set.write_set(self.path('rigs'), {n: (n, 'child' if n == 'biped' else 'adult', k) for n, k in kinds.items()})
        rig = lambda name: self.path('rigs', name + '.glb')
        pack, walk, anim = sample('ff7', 'hrda'), sample('ff9', 'hero_walk.ff9anim'), sample('metroid', 'hero_walk.ANIM')
        case = lambda rig, path, clip, bone, hips, deform, joint, **more: dict(more, rig=rig, path=path, clip=clip, bone=bone, hips=hips, deform=deform, joint=joint)
        cases = [case(rig('unity'), pack, 'hrda_001', 'LeftUpperArm', 'Hips', ['LeftUpperArm', 'LeftHand', 'RightHand', 'Hips'], 'bone005', lift=0.1),
                 case(rig('mixamo'), walk, 'hero_walk', 'mixamorig:LeftArm', 'mixamorig:Hips', ['mixamorig:LeftArm', 'mixamorig:LeftHand', 'mixamorig:Hips'], 'bone006'),
                 case(rig('biped'), anim, 'hero_walk', 'Bip01 L UpperArm', 'Bip01', ['Bip01 L UpperArm', 'Bip01 L Hand', 'Bip01 R Hand'], 'upper_arm_l'),
                 case(rig('unity'), pack, 'walk', 'sword', 'Hips', ['sword', 'RightHand'], 'weapon000', game='hrda_001', options={'weapon_bone': True, 'names': sample('ff7', 'hero.names.csv')}),
                 case('rigify', pack, 'hrda_001', 'upper_arm_fk.L', 'torso', ['DEF-upper_arm.L', 'DEF-hand.L', 'DEF-spine'], 'bone005'),
                 case('rigify', pack, 'hrda_001', 'weapon000', 'torso', ['weapon000', 'DEF-hand.R'], 'weapon000', options={'weapon_bone': True})]
        got = self.inside(RIGS, self.path('out'), json.dumps(cases))
        for number, (have, case) in enumerate(zip(got, cases)):
            with self.subTest(rig=case['rig'], path=case['path']):
                self.assertEqual([have['in'], have['same'], have['edited']], [None] * 3)
                name = os.path.basename(case['path'])
                self.assertEqual(read(self.path('out', 'same%d' % number, name)), read(case['path']))
                self.assertRegex(have['lines'][-1], r"^%s: %d joints?; %s by 20\.\d degrees in frame [456]" % (case['clip'], 3 if case.get('lift') else 1, case['joint']))
                degrees, axis = self.turn(case['path'], self.path('out', 'beside%d' % number, name), case.get('game', case['clip']), case['joint'], 5)
                apart = math.degrees(math.acos(min(1, abs(sum(a * b for a, b in zip(axis, have['axis']))))))
                print('%s: %s turned by %.2f degrees about an axis %.2g degrees off; back on the rig off by %.2g degrees and %.2g units' %
                      (os.path.basename(case['rig']), case['joint'], degrees, apart, have['degrees'], have['apart']))
                self.assertAlmostEqual(degrees, 20, delta=0.15)
                self.assertLess(apart, 0.5)
                self.assertLess(have['degrees'], 0.3)        # the binding looks at the motion, too
                self.assertLess(have['apart'], 3e-3 * (100 if 'mixamo' in case['rig'] or 'biped' in case['rig'] else 1))
                if case['path'] == pack and case['joint'] == 'bone005' and not case.get('lift'):
                    self.turned(pack, self.path('out', 'edited%d' % number, name), 1, 6, (4, 5, 6), 20)

    def test_the_evaluated_pose_is_what_is_written(self):
        pack, again = self.pack(), self.path('again', 'hrda')
        shutil.copytree(self.path('game'), self.path('again'))
        got = self.inside(EVALUATED, pack, again)
        self.assertIsNone(got['ik'])
        for name in ('ik places', 'layer places'):
            worst = max(math.dist(p, q) for a, b in zip(*got[name]) for p, q in zip(a, b))
            print('%s: off by %.2g m at most' % (name, worst))
            self.assertEqual(len(got[name][0]), 15)
            self.assertLess(worst, 3e-3)                     # the pack's angles have 0.09 degrees, its places 2 mm
        error, lines, *left = got['layer']
        self.assertEqual([error, left], [None, [True, None]])
        self.assertRegex(lines[-1], r'^hrda_001: 1 joint; bone001 by 22\.9 degrees')     # twice 0.2 radians
        self.assertEqual(self.frames(again)[0], self.frames(sample('ff7', 'hrda'))[0])

    def test_a_clip_that_was_resampled_keeps_its_own_keys_with_the_change(self):
        pack = self.pack()
        shutil.copy(pack, self.path('before'))
        rate, keys, error, lines = self.inside(RESAMPLED, pack)
        self.assertEqual([rate, keys, error], [24, 27, None])       # 16 frames at 15 per second are 25.6 at 24: the end is on the 26th
        self.assertRegex(lines[-1], r'^hrda_001: 1 joint; bone005 by 20\.[01] degrees')
        self.turned(self.path('before'), pack, 1, 6, range(17), 20)

    def test_longer_and_shorter_clips(self):
        pack = self.pack()
        got = self.inside(LENGTHS, pack)
        self.assertIsNone(got['error'])
        self.assertEqual([len(f) for f in self.frames(pack) if f], [34, 10, 15, 16] * 2)      # body's and weapon's
        self.assertIn('hrda_002: keys after frame 14, the end of its range, are left out. The range is set in the sidebar of the Action Editor.', got['lines'])
        self.assertTrue(any(l.startswith('hrda_000: ') and '34 frames instead of 24' in l for l in got['lines']), got['lines'])

    def test_what_happens_to_an_armature_between_import_and_export(self):
        pack = self.pack()
        shutil.copy(sample('ff7', 'hero.names.csv'), self.path('own.csv'))
        original = read(pack)
        got = self.inside(BETWEEN, pack, self.path('out'), self.folder)
        written = lambda name: self.path('out', name, 'hrda')
        for name in ('renamed', 'duplicate', 'held', 'copied', 'object', 'euler', 'muted', 'trimmed', 'neighbour', 'faster', 'moved', 'turned', 'chain'):
            with self.subTest(name):
                self.assertIsNone(got[name][0])
                if name not in ('renamed', 'duplicate', 'held', 'copied', 'object'):
                    self.assertEqual(got[name][1], ['Wrote %s, which is identical to the original.' % written(name)])
                    self.assertEqual(read(written(name)), original)
        self.assertTrue(got['paths'])
        self.assertEqual(got['mode'], 'XYZ')
        pack = self.path('now', 'hrda')
        for name, clip, row in (('renamed', 1, 6), ('duplicate', 1, 8), ('held', 0, 6), ('copied', 1, 6)):      # after the root
            with self.subTest(name):
                self.turned(pack, written(name), clip, row, (4, 5, 6), 20)
        self.assertEqual(got['two'], 8)
        self.assertEqual(got['updated'], ['hrda_000', 'hrda_000.001', 'hrda_001', 'hrda_002', 'hrda_004'])      # the copy plays the first one
        self.assertIn('hrda_001: its strip is trimmed, faded, reversed or repeated, so the layers above it are ignored.', got['layered'][1])
        self.assertIn('bone005 is moved', got['refused'][0])
        self.assertTrue(got['folders'])
        self.assertEqual([got['other game'], got['both'][0]], [None, None])
        for file in (pack, sample('ff9', 'hero.ff9db')):
            self.assertEqual(read(self.path('out', 'both', os.path.basename(file))), read(file))
        # The object went this far; now it goes twice as far, and the root with it.
        self.assertRegex(got['object'][1][-1], r'^hrda_001: .*root by \d\.\d+ units \(\d+(\.\d+)? mm\)')
        millimetres = float(got['object'][1][-1].split('(')[1].split(' mm')[0])
        self.assertAlmostEqual(millimetres, 1000 * got['way'][1], delta=3)
        self.assertEqual(got['names'], ['hrda_000', 'new_hrda_000', 'new_hrda_000.001', 'new_hrda_000.002'])

    def test_what_happens_to_an_armature_of_ones_own(self):
        pack = self.pack()
        rig_set.write_set(self.path('rigs'), {'rig': ('unity', 'adult', {'pose': 'A'})})
        got = self.inside(OF_ONES_OWN, pack, self.path('rigs', 'rig.glb'), self.path('out'))
        self.assertEqual([got[n][0] for n in ('ik', 'renamed allowed', 'larger', 'moved')], [None] * 4)
        reached, plain, back = got['reached']
        way = max(math.dist(a[2], b[2]) for a, b in zip(reached, plain))
        off = max(math.dist(p, q) for a, b in zip(reached, back) for p, q in zip(a, b))
        print('the hand was moved by up to %.2f m; what was written is off by %.4f m at most' % (way, off))
        self.assertGreater(way, 0.2)
        self.assertLess(off, 5e-3)
        self.assertEqual([got[n][0] for n in ('influence', 'unmuted')], [None] * 2)
        self.assertEqual([l.split(':')[0] for l in got['influence'][1] if ' joint' in l], ['hrda_001'])
        self.assertEqual(got['influence left'], 0)
        self.assertTrue(any(' joint' in l for l in got['unmuted'][1]), got['unmuted'][1])
        self.assertIn('Armature was changed after the import of hrda_001: these bones have another rest pose: LeftLowerArm', got['two rests'][0])
        for text in ('not json', '[]', '{"nodes": [[]]}'):
            self.assertNotIn('Traceback', got['damaged ' + text][0] or '')
        self.assertIn('Armature: the stored data about the import of hrda_001 is damaged. Import it again.', got['damaged {"nodes": [[]]}'][0])
        changed = 'Armature was changed after the import of hrda_000: %s. This changes every clip.'
        advice = ' Undo it, or import again and copy your keys. The setting "All may differ" exports the changed clips.'
        for name, what in (('renamed', 'these bones are missing or renamed: LeftUpperArm'), ('rest', 'these bones have another rest pose: LeftUpperArm, LeftLowerArm'),
                           ('tilt', 'the object is tilted or turned over')):
            self.assertIn(changed % what + advice, got[name][0])
            self.assertFalse(os.path.exists(self.path('out', name)))
        self.assertIn(changed % 'these bones are missing or renamed: LeftUpperArm', got['renamed allowed'][1])
        for name in ('larger', 'moved'):
            self.assertEqual(read(self.path('out', name, 'hrda')), read(pack))
        self.assertEqual(got['moved'][1], [
            'hrda_001: it rotates or scales the object, which is not exported. Rotate the root bone instead.',
            'hrda_001: it moves the object, which is not exported from an armature of your own. Move the bone of the hips instead.',
            'hrda_001: bones are moved or scaled, but only rotations are exported from an armature of your own: LeftUpperArm',
            'hrda_001: bones that follow no joint of the game are ignored, except where they move other bones: LeftToes',
            'Wrote %s, which is identical to the original.' % self.path('out', 'moved', 'hrda')])

    def test_what_has_no_keys_is_at_rest(self):
        pack = self.pack()
        rig_set.write_set(self.path('rigs'), {'rig': ('unity', 'adult', {'pose': 'A'})})
        got = self.inside(WITHOUT_KEYS, pack, self.path('rigs', 'rig.glb'), self.path('out'))
        for frame in (0, 16):
            error, lines = got['above at %d' % frame]
            self.assertIsNone(error)
            self.assertEqual([l.split(' in frame')[0] for l in lines if ' joint' in l], ['hrda_001: 1 joint; root by 0.5 units (500 mm)'])
        self.assertEqual(read(self.path('out', 'above at 0', 'hrda')), read(self.path('out', 'above at 16', 'hrda')))
        self.assertEqual(got['cleared'][0], [0, 0, 0])
        self.assertIn('Armature: the pose of bones without keys was cleared, since the clips need their rest pose: Carrier', got['cleared'][1])
        for name in ('before', 'after', 'mine', 'resampled', 'between'):
            self.assertEqual((got[name][0], read(self.path('out', name, 'hrda')) == read(pack)), (None, True), (name, got[name][1]))
        said = {'after': ['Armature: bones that are posed without keys are exported at rest: Carrier. Insert keys for them, or clear their pose.'],
                'mine': ['mine, the active action, was not imported, so it is not exported. Copy its keys to the clip that they are for; when baking, choose "Overwrite Current Action".'],
                'between': ["hrda_001: keys between the game's frames are left out: frames 5. The game has one frame per 2 frames of the scene."]}
        for name in ('before', 'after', 'mine', 'resampled', 'between'):
            self.assertEqual(got[name][1][:-1], said.get(name, []))
        self.assertIn('Keys that differed from the file were replaced: hrda_001. Undo brings them back. To keep such keys, set "Earlier import" to "Keep both".', got['replaced'])
        self.assertIn("Armature: Euler keys no longer rotate these bones in mine. Use a copy of the armature for the game's clips, or set the bones' Rotation Mode back to play it.", got['euler'])
        self.assertEqual(sorted([name.split('.')[0], status] for name, status, _ in got['compared']),
                         [['hrda_000', 'failed'], ['hrda_000', 'kept'], ['hrda_001', 'kept'], ['hrda_002', 'kept'], ['hrda_004', 'kept']])
        self.assertIn("hrda: no skeleton was found beside it; using placeholder joints in a row. Import again, and choose the file under \"Game's skeleton\"", got['lonely'])
        self.assertIn('There is no file ' + self.path('out', 'other', 'hrda'), next(told for _, status, told in got['compared'] if status == 'failed'))

    def test_what_is_refused_leaves_everything_as_it_was(self):
        pack = self.pack()
        archive = shutil.copy(sample('archives', 'battle.lgp'), self.path('game', 'battle.lgp'))
        os.mkdir(self.path('elsewhere'))
        got = self.inside(REFUSED, pack, archive, self.path('game'), self.path('elsewhere'))
        texts = {'nothing active': 'The active object is not an armature. Select the armature whose actions to write.',
                 'hidden': 'hraa is not evaluated: it is hidden in viewports, or its collection is. Show it first.',
                 'no folder': '%s cannot be written: ' % os.path.join(pack, 'hrda'),
                 'unknown': 'No imported action of hraa is called walk. Available actions: hrda_000, hrda_001, hrda_002, hrda_004.',
                 'twice': 'Several actions belong to the clip hrda_000: hrda_000, hrda_000.001. Choose one of them.',
                 '--depfile VICTIM --force': 'The action hrda_000: --depfile cannot be given here. These can: --additive, ',
                 '--force': 'The action hrda_000: --force cannot be given here. ', '-o VICTIM': 'The action hrda_000: -o cannot be given here. ',
                 '--report=VICTIM': 'The action hrda_000: --report cannot be given here. ',
                 '--scale 1 VICTIM': 'The action hrda_000: --scale has the values 1, ', '--skeleton=--force': 'The action hrda_000: --skeleton has the values --force, expected one',
                 'map ../victim': 'The armature has no mapping ../victim, with which an action was imported. Import it again.',
                 'map VICTIM': 'The armature has no mapping ' + self.path('game', 'victim'),
                 'loss': "the armature hraa: animations: contain changes that ff7-battle-animation files can't store: hrda_000: bone003 is moved. Only the root and the weapon can move (see the setting \"Leave out losses\")",
                 'other': 'the armature hraa: animations: most joints of "hrda_000", "hrda_001", "hrda_002", "hrda_004" move differently than in %s. Possible reasons: bones were rolled in edit mode, the motion belongs to another character, or everything was changed on purpose (see the setting "All may differ")' % pack,
                 'no room': '%s cannot be written: no room' % pack,
                 'moved': 'There is no file %s, which hrda_000 is from. Choose its present folder under "Game\'s files".' % pack,
                 'bone gone': 'hraa lacks bones for 1 of 22 joints: bone007. Import the file as a new armature, and copy the actions to it.',
                 'archive': '%s:hrda is an entry of an archive, and archives are not written: choose a folder for the file.' % archive,
                 'no actions': 'hraa has no action that this add-on imported. Only imported actions know which file they are from.'}
        for name, text in texts.items():
            with self.subTest(name):
                error, *left = got[name]
                self.assertIn(text, error)
                self.assertEqual(left, [True, True])
        self.assertIsNone(got['lossy'][0])
        self.assertIn('Left out: hrda_000: bone003 is moved. Only the root and the weapon can move', got['lossy'][1])
        self.assertIsNone(got['other allowed'][0])
        self.assertGreater(got['closed'][0], 10)
        self.assertEqual(got['closed'][1], [])
        for name in ('found', 'renamed'):
            self.assertIsNone(got[name][0])
        self.assertIsNone(got['entry'])
        self.assertEqual(read(self.path('elsewhere', 'new', 'folder', 'hrda')), read(sample('ff7', 'hrda')))


if __name__ == '__main__':
    main_in_blender()
