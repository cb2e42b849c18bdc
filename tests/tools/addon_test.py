#!/usr/bin/env python3
"""The Blender add-on, installed from its zip: every sample as a new armature and on foreign ones, and what goes wrong.

    REANIMA=build/release/reanima tests/tools/addon_test.py
    REANIMA_LONG=1 ...                                          25 families of rigs, and the time against Blender's own importer
"""
import json, math, os, shutil, subprocess, sys, unittest

from gltf_files import Glb
from pictures import png_of
from support import Case, DATA, SANITIZED, SOURCE, TOOL, Scene, in_blender, main_in_blender, read, run, sample, write
import rig_set
from run_ff7_mesh import Body, mul, point          # noqa: E402

LONG = os.environ.get('REANIMA_LONG') == '1'
FAMILIES = list(rig_set.FAMILIES) if LONG else ['mixamo', 'ue5', 'vroid', 'rigify', 'biped', 'mmd']
ROLES = {'LeftUpLeg': 'leftUpperLeg', 'LeftLeg': 'leftLowerLeg', 'LeftFoot': 'leftFoot', 'LeftArm': 'leftUpperArm', 'LeftForeArm': 'leftLowerArm',
         'LeftHand': 'leftHand'}
ROLES.update({k.replace('Left', 'Right'): v.replace('left', 'right') for k, v in ROLES.items()})
SEGMENTS = [(s + a, s + b) for s in ('left', 'right') for a, b in (('UpperArm', 'LowerArm'), ('LowerArm', 'Hand'), ('UpperLeg', 'LowerLeg'), ('LowerLeg', 'Foot'))]
SAMPLES = [('ff7', 'hrda', 'ff7_expected.json', 512), ('ff9', 'hero.ff9db', 'ff9_expected.json', 256),
           ('metroid', 'hero_idle.ANIM hero_walk.ANIM hero_spin.ANIM hero_attack.ANIM hero_pose.ANIM', 'metroid_prime_expected.json', 1),
           ('metroid', 'echo_swell.ANIM echo_rise.ANIM', 'metroid_echoes_expected.json', 1)]
# Other files that can be imported: file and entry, and the numbers of armatures, actions and planes that they give.
OTHERS = [('ff7/hraa', '', 1, 0, 0), ('ff7/doll.hrc', '', 1, 0, 0), ('ff7/doll_walk.a', '', 1, 1, 0), ('ff7/doll_idle.a', '', 1, 1, 0),
          ('ff9/hero_walk.ff9anim', '', 1, 1, 0), ('ff9/hero_idle.ff9anim', '', 1, 1, 0), ('ff9/hero.ff9model', '', 1, 0, 0), ('ff9/props.ff9db', '', 2, 3, 0),
          ('metroid/hero.CINF', '', 1, 0, 0), ('rlf/wheel.rlf', '', 0, 0, 1), ('rlf/gate.rlf', '', 0, 0, 1), ('rlf/hallw.rlf', '', 0, 0, 1),
          ('archives/battle.lgp', 'hrda', 1, 4, 0), ('archives/FF9.IMG', '10/300', 2, 3, 0), ('archives/FF9.IMG', '10/301', 1, 3, 0), ('archives/hero.pak', 'Hero.ANCS', 1, 3, 0),
          ('discs/disc.bin', 'FF9.IMG:1/300', 2, 3, 0),
          ('ff9', '', 4, 8, 0)]

PRELUDE = r'''
import os, math, mathutils
samples, zipped, *arguments = arguments
# "addon_install" would ask for a window; it is what the button in the preferences calls.
bpy.ops.preferences.addon_install(filepath=zipped, overwrite=True)
bpy.ops.preferences.addon_enable(module='reanima')
fps = lambda: scene.render.fps / scene.render.fps_base
KINDS = ('objects', 'armatures', 'actions', 'meshes', 'materials', 'images')
kept = {kind: set(getattr(bpy.data, kind)) for kind in KINDS}

def clear():
    for kind in KINDS:
        blocks = getattr(bpy.data, kind)
        for block in set(blocks) - kept[kind]:
            blocks.remove(block)
    scene.render.fps, scene.render.fps_base, scene.frame_start, scene.frame_end = 24, 1, 1, 250

def rig_of(path):
    """The armature of a file, which becomes the active object"""
    bpy.ops.import_scene.gltf(filepath=path)
    body = next(o for o in bpy.data.objects if o.type == 'ARMATURE')
    bpy.context.view_layer.objects.active = body
    return body

def state():
    return [{kind: sorted(b.name for b in getattr(bpy.data, kind)) for kind in KINDS}, fps(), scene.frame_start, scene.frame_end,
            [(o.name, o.animation_data is not None) for o in bpy.data.objects], sorted(o.name for o in bpy.context.selected_objects)]

def take(path, **options):
    """-> what the operator raised, or nothing"""
    try:
        assert bpy.ops.import_scene.reanima(filepath=os.path.join(samples, path), **options) == {'FINISHED'}
    except RuntimeError as error:
        return str(error)

def play(body, action):
    body.animation_data.action = action
    if hasattr(body.animation_data, 'action_slot'):
        body.animation_data.action_slot = action.slots[0]

def places(body, names, times, seen_from=None):
    """of bones' heads, in glTF's axes: frame by frame"""
    seen_from = seen_from or mathutils.Matrix.Identity(4)
    rows = []
    for time in times:
        frame = time * fps()
        scene.frame_set(int(math.floor(frame + 1e-4)), subframe=max(0, frame - math.floor(frame + 1e-4)))
        bpy.context.view_layer.update()
        heads = [seen_from @ body.matrix_world @ body.pose.bones[n].head for n in names]
        rows.append([(p.x, p.z, -p.y) for p in heads])
    return rows

def result(value):
    print('\nRESULT ' + json.dumps(value), flush=True)
'''

NEW = PRELUDE + r'''
cases, others, videos = json.loads(arguments[0]), json.loads(arguments[1]), arguments[2]
out = {'samples': [], 'others': []}
for folder, files, wanted, unit in cases:
    clear()
    wanted = json.load(open(wanted))
    error = take('', directory=os.path.join(samples, folder), files=[{'name': f} for f in files.split()])
    body = next(o for o in bpy.data.objects if o.type == 'ARMATURE')
    first = body.animation_data.action.name
    seen = {}
    for clip in wanted['clips']:
        play(body, bpy.data.actions[clip['name']])
        seen[clip['name']] = places(body, wanted['joints'], [f['time'] for f in clip['frames']])
    actions = {a.name: {'cyclic': a.use_cyclic, 'fake': a.use_fake_user, 'range': [a.use_frame_range, a.frame_start, a.frame_end],
                        'keys': sum(abs(k.co[0] - round(k.co[0])) > 1e-3 for c in curves_of(a) for k in c.keyframe_points),
                        'linear': all(k.interpolation == 'LINEAR' for c in curves_of(a) for k in c.keyframe_points),
                        'markers': [[m.name, m.frame] for m in a.pose_markers]} for a in bpy.data.actions}
    out['samples'].append({'error': error, 'places': seen, 'actions': actions, 'bodies': sum(o.type == 'ARMATURE' for o in bpy.data.objects), 'fps': fps(),
                           'first': first, 'range': [scene.frame_start, scene.frame_end], 'bones': [b.name for b in body.data.bones],
                           'modes': sorted({b.rotation_mode for b in body.pose.bones}),
                           'points': [b.name for b in body.data.bones if b.length < 1e-3]})
for path, entry, *_ in others:
    clear()
    error = take(path, entry=entry, video_folder=videos)
    out['others'].append([error, sum(o.type == 'ARMATURE' for o in bpy.data.objects), len(bpy.data.actions),
                          sum(o.type == 'MESH' and o.parent is None for o in bpy.data.objects)])
result(out)
'''

FOREIGN = PRELUDE + r'''
out = []
for case in json.load(open(arguments[0])):
    clear()
    body = rig_of(case['rig'])
    # Somebody moved the armature and let it look elsewhere: the motion goes along.
    moved = mathutils.Matrix.Translation((3, -2, 0)) @ mathutils.Matrix.Rotation(case['heading'], 4, 'Z')
    body.matrix_world = moved @ body.matrix_world
    bpy.context.view_layer.update()
    rest = places(body, case['ground'], [0], moved.inverted() if case['heading'] else None)[0]
    path, _, entry = case['source'].partition(':')
    error = take(path, entry=entry, target='ACTIVE', only=case['only'])
    seen = {}
    for clip, times in case['clips'].items():
        if not error:
            play(body, bpy.data.actions[clip])
            seen[clip] = places(body, case['bones'] + case['ground'], times, moved.inverted() if case['heading'] else None)
    lines = [l.name for l in scene.reanima.lines]
    out.append({'error': error, 'places': seen, 'rest': rest, 'lines': lines, 'bodies': sum(o.type == 'ARMATURE' for o in bpy.data.objects)})
result(out)
'''

OWN = PRELUDE + r'''
wanted = json.load(open(arguments[0]))
times = lambda clip: [f['time'] for f in clip['frames']]
out = {}
# Made from one clip's file at another scale; the others come onto it later, without binding.
assert not take('ff9/hero_idle.ff9anim', scale=2)
body = bpy.context.active_object
assert not take('ff9/hero.ff9db', target='ACTIVE', only='anim_01003')
out['again'] = [l.name for l in scene.reanima.lines]
play(body, bpy.data.actions['anim_01003'])
clip = next(c for c in wanted['clips'] if c['name'] == 'anim_01003')
out['places'] = places(body, wanted['joints'], times(clip))
out['bodies'] = sum(o.type == 'ARMATURE' for o in bpy.data.objects)
# The scene keeps its rate where something else is animated; the clip is resampled.
clear()
bpy.ops.object.empty_add()
bpy.context.object.keyframe_insert('location', frame=1)
assert not take('ff9/hero.ff9db', only='anim_01003')
out['kept'] = [fps(), scene.frame_start, scene.frame_end, [l.name for l in scene.reanima.lines if l.level == 'WARNING']]
body = bpy.context.active_object
out['resampled'] = places(body, wanted['joints'], times(clip))
out['fractions'] = max(abs(k.co[0] - round(k.co[0])) for c in curves_of(bpy.data.actions['anim_01003']) for k in c.keyframe_points)
out['end'] = bpy.data.actions['anim_01003'].frame_end
# Names, and a loop that is closed: 24 frames and the first one again
clear()
assert not take('ff7/hrda', names=os.path.join(samples, 'ff7/hero.names.csv'), loop_key=True, only='hrda_000,hrda_004')
body = bpy.context.active_object
out['named'] = [sorted(a.name for a in bpy.data.actions), 'upper_arm_l' in body.data.bones, bpy.data.actions['idle'].frame_end]
a, b = places(body, ['hand_r', 'head', 'foot_l'], [0, 24 / 15])
out['closed'] = max(math.dist(p, q) for p, q in zip(a, b))
# Root motion
out['motion'] = {}
for word in ('keep', 'in-place', 'drop', 'extract'):
    clear()
    assert not take('ff9/hero.ff9db', only='anim_01002', root_motion=word)
    body = bpy.context.active_object
    rows = places(body, ['bone000'], [0, 16 / 30])
    out['motion'][word] = [b - a for a, b in zip(*[r[0] for r in rows])] + [sum(c.data_path == 'location' for c in curves_of(bpy.data.actions[0]))]
result(out)
'''

ORIGIN = PRELUDE + r'''
rig, = arguments
plain = lambda block: {k: v for k, v in block['reanima'].items()} if 'reanima' in block else None
out = {}
assert not take('archives/battle.lgp', entry='hrda', only='hrda_001')
body = bpy.context.active_object
out['action'], out['armature'], out['bones'] = plain(bpy.data.actions['hrda_001']), plain(body.data), {b.name: plain(b) for b in body.data.bones}
clear()
body = rig_of(rig)
names = lambda: sorted(a.name for a in bpy.data.actions)
length = lambda name: bpy.data.actions[name].frame_end
def again(**options):
    assert not take('ff7/hrda', target='ACTIVE', only='hrda_001', **options)
    return [names(), body.animation_data.action.name, length(body.animation_data.action.name), [[t.name, t.mute, [s.action.name for s in t.strips]] for t in body.animation_data.nla_tracks],
            [l.name for l in scene.reanima.lines]]
out['first'] = again()
bpy.data.actions['hrda_001'].name = 'mine'
out['update'] = again(loop_key=True)
out['both'] = again(again='BOTH', prefix='raw_')
bpy.data.actions.remove(bpy.data.actions['raw_hrda_001'])
out['nla'] = again(again='NLA')
# The mesh of a rig stands for its armature.
shape = bpy.data.objects.new('shape', bpy.data.meshes.new('shape'))
scene.collection.objects.link(shape)
shape.modifiers.new('Armature', 'ARMATURE').object = body
bpy.context.view_layer.objects.active = shape
assert not take('ff7/hrda', target='ACTIVE', only='hrda_002')
out['planted'] = []
for more in ('', '--plant-feet'):
    assert not take('ff7/hrda', target='ACTIVE', only='hrda_002', more=more, again='BOTH', prefix='p_')
    keys = {}
    for curve in curves_of(body.animation_data.action):
        keys.setdefault(curve.data_path.split('"')[1], []).append([k.co[1] for k in curve.keyframe_points])
    out['planted'].append(keys)
    bpy.data.actions.remove(body.animation_data.action)
bpy.context.view_layer.objects.active = shape
assert not take('ff7/hrda', target='ACTIVE', only='hrda_002')
out['mesh'] = [body.animation_data.action.name, shape.animation_data is None, bpy.context.view_layer.objects.active.name]
# Textures that are in the file already are used again; what else has their names keeps them.
def textures():
    worn = [n.image.name for o in bpy.data.objects if o.type == 'MESH' for m in o.data.materials if m for n in m.node_tree.nodes if n.type == 'TEX_IMAGE']
    return [sorted(i.name for i in bpy.data.images), sorted(set(worn)), theirs.name]
out['images'] = []
theirs = bpy.data.images.new('hrad', 2, 2)
for options in ({'target': 'ACTIVE', 'mesh_on_active': True}, {'target': 'ACTIVE', 'mesh_on_active': True}, {'target': 'NEW'}):
    bpy.context.view_layer.objects.active = body
    assert not take('ff7/hrda', only='hrda_001', **options)
    out['images'].append(textures())
painted = bpy.data.images['hrac']
painted.pixels[0] = 0.5
assert not take('ff7/hrda', only='hrda_001', target='NEW')
out['images'].append(textures() + [painted.name])
result(out)
'''

MORE = PRELUDE + r'''
bare, turned = arguments
out = {'worn': [], 'options': {}}

def vertices(owner):
    graph = bpy.context.evaluated_depsgraph_get()
    found = {}
    for o in owner.children:
        shape = o.evaluated_get(graph).to_mesh()
        found[o.name] = [[p.x, p.z, -p.y] for p in (o.matrix_world @ v.co for v in shape.vertices)]
    return found

# The game's mesh on a foreign armature, as it stands and where somebody put it
for rig, moved in ((bare, mathutils.Matrix()), (turned, mathutils.Matrix.Translation((3, -2, 0)) @ mathutils.Matrix.Rotation(2.0, 4, 'Z'))):
    clear()
    body = rig_of(rig)
    body.matrix_world = moved @ body.matrix_world
    bpy.context.view_layer.update()
    assert not take('ff7/hrda', target='ACTIVE', mesh_on_active=True, only='hrda_002')
    poses = []
    for frame in (0, 5, 12):
        scene.frame_set(frame)
        bpy.context.view_layer.update()
        poses.append(vertices(body))
    out['worn'].append([poses, [l.name for l in scene.reanima.lines], [m.name for m in bpy.data.materials], len(body.data.bones)])
# Without it, and settings that are seldom needed
count = lambda: [len(bpy.data.meshes), len(bpy.data.actions), len(bpy.data.armatures[0].bones), fps(), bpy.data.actions[0].frame_end]
for name, path, options in (('mesh', 'ff7/hrda', {}), ('bare', 'ff7/hrda', {'mesh': False}), ('unarmed', 'ff7/hrda', {'weapon': 'none'}),
                            ('faster', 'ff7/hrda', {'play_rate': 20}), ('more', 'ff7/hrda', {'more': '--rate 12 --rest "hrda_004:3"'}),
                            ('model', 'ff9/props.ff9db', {'only': 'anim_02011'})):
    clear()
    error = take(path, **options)
    body = bpy.context.active_object
    out['options'][name] = error or count() + [[list(b.head_local) for b in body.data.bones]]
clear()
assert not take('ff7/hrda', only='hrda_000')
before = len(bpy.data.meshes)
assert not take('ff7/hrda', only='hrda_001', target='ACTIVE', mesh_on_active=True)
out['own'] = [len(bpy.data.meshes) - before, [l.name for l in scene.reanima.lines]]
clear()
bpy.ops.import_scene.gltf(filepath=bare)
bpy.context.view_layer.objects.active = next(o for o in bpy.data.objects if o.type == 'ARMATURE')
assert not take(os.path.join(os.path.dirname(bare), 'hero_walk.ANIM'), target='ACTIVE', mesh_on_active=True)
out['without'] = [l.name for l in scene.reanima.lines]
clear()
assert not take('rlf/wheel.rlf', play_rate=30, video_folder=os.path.dirname(bare))
out['video'] = fps()
result(out)
'''

RESULT = PRELUDE + r'''
rig, damaged = arguments
out = {}
# Characters of one import stand in a row.
assert not take('ff9')
bpy.context.view_layer.update()
out['row'] = [[o.location.x + min(b.head_local.x for b in o.data.bones), o.location.x + max(b.head_local.x for b in o.data.bones), o.location.y]
              for o in bpy.data.objects if o.type == 'ARMATURE']
# A second import onto a rig with the game's mesh and weapon
clear()
body = rig_of(rig)
bones = len(body.data.bones)
count = lambda: [len([o for o in body.children if o.type == 'MESH']), len(body.data.bones) - bones]
assert not take('ff7/hrda', target='ACTIVE', only='hrda_001')
out['bare'] = count()
before = state(), sorted(body.data.bones.keys())
import reanima.actions
write = reanima.actions.Writer.write
def failing(self, clip):
    raise MemoryError('no room')
reanima.actions.Writer.write = failing
take('ff7/hrda', target='ACTIVE', only='hrda_001', weapon_bone=True)
reanima.actions.Writer.write = write
out['failed'] = (state(), sorted(body.data.bones.keys())) == before
assert not take('ff7/hrda', target='ACTIVE', only='hrda_001', weapon_bone=True)
sword, hand = body.pose.bones['weapon000'], body.pose.bones['RightHand']
out['weapon'] = count() + [sword.parent.name, [c.data_path for c in curves_of(bpy.data.actions['hrda_001']) if 'weapon000' in c.data_path]]
reach = []
for frame in range(16):
    scene.frame_set(frame)
    reach.append((hand.matrix.inverted() @ sword.matrix).translation.length)
out['slides'] = [min(reach), max(reach)]
assert not take('ff7/hrda', target='ACTIVE', mesh_on_active=True, only='hrda_001')
out['dressed'] = count()
assert not take('ff7/hrda', target='ACTIVE', mesh_on_active=True, only='hrda_002')
out['again'] = count() + [[l.name for l in scene.reanima.lines if 'keeps the meshes' in l.name]]
# Warnings name file and field.
clear()
assert not take(damaged)
out['warnings'] = [l.name for l in scene.reanima.lines if l.level == 'WARNING']
result(out)
'''

WRONG = PRELUDE + r'''
folder, tentacle, wrong = arguments
preferences = bpy.context.preferences.addons['reanima'].preferences
out = {}

def attempt(name, path, **options):
    before = state()
    error = take(path, **options)
    out[name] = [error, state() == before, [l.name for l in scene.reanima.lines]]
    if state() != before:
        out[name].append([before, state()])

attempt('text', wrong)
attempt('absent', os.path.join(folder, 'absent'))
attempt('clip', 'ff7/hrda', only='idle')
attempt('no entry', 'archives/battle.lgp', entries=[{'name': 'hrda', 'use': False, 'who': '', 'type': '', 'size': 0}])     # as in the dialog
attempt('option', 'ff7/hrda', more='--output other.glb')
attempt('value', 'ff7/hrda', more='--filter "nearest')
attempt('no armature', 'ff7/hrda', target='ACTIVE')
bpy.ops.import_scene.gltf(filepath=tentacle)
body = next(o for o in bpy.data.objects if o.type == 'ARMATURE')
bpy.context.view_layer.objects.active = body
attempt('no match', 'ff7/hrda', target='ACTIVE')
attempt('no map', 'ff7/hrda', target='ACTIVE', map_from='FILE')
attempt('no links', 'ff7/hrda', target='ACTIVE', map_from='PANEL')
os.makedirs(os.path.join(folder, 'nothing', 'below'))
attempt('no file', os.path.join(folder, 'nothing'))
body.scale = (-1, 1, 1)
bpy.context.view_layer.update()
attempt('mirrored', 'ff7/hrda', target='ACTIVE')
body.scale = (1, 1, 1)
bpy.context.view_layer.update()
attempt('pictures', 'rlf/wheel.rlf', video_folder=folder)
preferences.command = os.path.join(folder, 'no command')
attempt('missing', 'ff7/hrda')
preferences.command = wrong
attempt('not executable', 'ff7/hrda')
preferences.command = '/bin/true'
attempt('another program', 'ff7/hrda')
try:
    bpy.ops.reanima.test()
except RuntimeError as error:
    out['test'] = str(error)
preferences.command = ''
bpy.ops.reanima.test()
out['found'] = preferences.found
# An error in the middle of an import takes back what was made before it.
import reanima.actions
write, calls = reanima.actions.Writer.write, []
def failing(self, clip):
    calls.append(clip.name)
    if len(calls) == 2:
        raise MemoryError('no room')
    return write(self, clip)
reanima.actions.Writer.write = failing
attempt('in the middle', 'ff7/hrda')
reanima.actions.Writer.write = write
bpy.ops.preferences.addon_disable(module='reanima')
out['gone'] = not hasattr(bpy.types.Scene, 'reanima')
bpy.ops.preferences.addon_enable(module='reanima')
result(out)
'''

CLOSED = PRELUDE + r'''
rig, folder = arguments
import shutil, tempfile
from reanima import command, contents, importing, preferences, progress
temporary = tempfile.tempdir = os.path.join(folder, 'temporary')
command.WAIT = 60      # the command's own time is another test's
running, converted = preferences.command(bpy.context), {}
convert = running.convert

def once(*arguments):
    # Every import converts the same files.
    yield 'Converting', 0.0
    if str(arguments) not in converted:
        converted[str(arguments)] = yield from convert(*arguments)
    return converted[str(arguments)]
running.convert = lambda inputs, options, rig=None: once(inputs, options, rig)

def whole():
    bones = [[b.name, b.rotation_mode, [list(r) for r in b.matrix_basis]] for o in bpy.data.objects if o.type == 'ARMATURE' for b in o.pose.bones]
    editor = scene.sequence_editor
    files = sorted((os.path.relpath(os.path.join(f, n), folder), os.path.getmtime(os.path.join(f, n))) for f, _, ns in os.walk(folder) for n in ns if n.endswith(('png', 'json', 'part')))
    folders = sorted(f for f, _, _ in os.walk(folder))
    return state() + [bones, editor and [s.name for s in (editor.strips if hasattr(editor, 'strips') else editor.sequences)], files, folders, scene.frame_current, bpy.context.mode]

def close_everywhere(name, path, **settings):
    # begins the import again and again, and closes it after each number of steps
    items = contents.items_of(progress.finished(running.info([os.path.join(samples, p) for p in path.split()])))
    out[name], steps, before = [], 0, whole()
    while True:
        work = importing.run(bpy.context, running, items, items, importing.Settings(**settings))
        steps, told = steps + 1, []
        try:
            while len(told) < steps:
                told.append(next(work))
        except StopIteration:
            break
        work.close()
        if whole() != before:
            out[name].append([told[-1], [[a, b] for a, b in zip(before, whole()) if a != b]])
    out[name] = [told, out[name], whole() != before]

out = {}
body = rig_of(rig)
bpy.ops.object.mode_set(mode='POSE')
body.pose.bones['Head'].rotation_mode = 'XYZ'
scene.frame_set(7)
close_everywhere('new', 'ff7/hrda ff9/hero.ff9db')
clear()
close_everywhere('assets', 'ff7/hrda', as_assets=True, mesh=False)
clear()
body = rig_of(rig)
held = next(b for b in body.pose.bones if b.name == 'Head').constraints.new('LIMIT_ROTATION')      # holds nothing, but is a constraint
held.influence = 0.01
close_everywhere('rig', 'ff7/hrda', target='ACTIVE', rate='SCENE')
close_everywhere('again', 'ff7/hrda', target='ACTIVE', rate='SCENE')
close_everywhere('video', 'rlf/wheel.rlf rlf/gate.rlf', video_folder=os.path.join(folder, 'made', 'here'))
open(os.path.join(folder, 'made', 'here', 'wheel_frames', 'mine.png'), 'w').close()
close_everywhere('video again', 'rlf/wheel.rlf rlf/gate.rlf', video_folder=os.path.join(folder, 'made', 'here'), video_as='STRIP')
close_everywhere('strips again', 'rlf/wheel.rlf rlf/gate.rlf', video_folder=os.path.join(folder, 'made', 'here'), video_as='STRIP')
at = os.path.join(folder, 'made', 'here')
out['files'] = [sorted(os.listdir(at)), sorted(n for n in os.listdir(os.path.join(at, 'wheel_frames')) if not n.startswith('frame')), os.listdir(temporary)]
result(out)
'''

PANEL = PRELUDE + r'''
rig, folder = arguments
body = rig_of(rig)
panel = scene.reanima
panel.source = os.path.join(samples, 'ff7/hrda')
bpy.ops.reanima.suggest()
links = {l.role: [l.source, l.target] for l in panel.links}
out = {'links': links, 'joints': [j.name for j in panel.joints]}
bpy.ops.reanima.save_map(filepath=os.path.join(folder, 'plain.json'))
# The left hand's joint shall move the right hand's bone as well.
right = next(l for l in panel.links if l.role == 'rightHand')
spine = next(l for l in panel.links if 'mixed_from' in l.stored)
left = next(l for l in panel.links if l.role == 'leftHand')
right.source, changed = left.source, spine.target
spine.source = 'root'
bpy.ops.reanima.save_map(filepath=os.path.join(folder, 'edited.json'))
out['changed'] = [right.target, spine.target]
panel.links.clear()
bpy.ops.reanima.load_map(filepath=os.path.join(folder, 'edited.json'))
assert not take('ff7/hrda', target='ACTIVE', map_from='PANEL', only='hrda_001')
out['lines'] = [l.name for l in panel.lines]
# The panel's result is that of the command with the file that was saved.
play(body, bpy.data.actions['hrda_001'])
out['places'] = places(body, [b.name for b in body.data.bones], [f / 15 for f in range(17)])
out['bones'] = [b.name for b in body.data.bones]
result(out)
'''

STAGED = PRELUDE + r'''
rig, = arguments
body = rig_of(rig)
stage = bpy.data.objects.new('stage', None)
scene.collection.objects.link(stage)
stage.location, stage.scale = (1, 2, 0), (2, 2, 2)
body.parent = stage
body.rotation_mode, body.rotation_euler = 'XYZ', (0, 0, math.pi / 2)
bpy.ops.object.mode_set(mode='POSE')
body.pose.bones['Head'].rotation_mode = 'XYZ'
body.pose.bones['Head'].keyframe_insert('rotation_euler', frame=1)
mine = body.animation_data.action
out = {}
for word in ('keep', 'extract'):
    assert not take('ff9/hero.ff9db', target='ACTIVE', only='anim_01002', root_motion=word, rate='CLIPS')
    a, b = places(body, ['Hips'], [0, 16 / 30])
    out[word] = [y - x for x, y in zip(a[0], b[0])]
    scene.frame_set(16)
    out[word + ' object'] = list(body.matrix_world.translation)
out['kept'] = [body.mode, mine.use_fake_user, body.animation_data.action.name, body.pose.bones['Head'].rotation_mode]
out['lines'] = [l.name for l in scene.reanima.lines]
result(out)
'''

VIDEO = PRELUDE + r'''
folder, = arguments
out = {}
assert not take('rlf/wheel.rlf', video_folder=folder)
plane = next(o for o in bpy.data.objects if o.type == 'MESH')
node = next(n for n in plane.data.materials[0].node_tree.nodes if n.type == 'TEX_IMAGE')
out['plane'] = [fps(), node.image.source, node.image_user.frame_duration, node.image_user.use_cyclic, list(plane.dimensions), list(node.image.size), [scene.frame_start, scene.frame_end]]
clear()
scene.render.fps = 30
bpy.ops.object.empty_add()
bpy.context.object.keyframe_insert('location', frame=1)
assert not take('rlf/wheel.rlf', video_folder=folder)
plane = next(o for o in bpy.data.objects if o.type == 'MESH')
tree = plane.data.materials[0].node_tree
shown = []
for frame in (0, 1, 2, 3, 30, 47, 48):
    scene.frame_set(frame)
    user = tree.evaluated_get(bpy.context.evaluated_depsgraph_get()).nodes['Video'].image_user
    shown.append(frame - user.frame_start + 1 + user.frame_offset)       # the number of the file, as the manual has it
out['shown'] = shown
assert not take('rlf/wheel.rlf', video_folder=folder, video_as='STRIP')
editor = scene.sequence_editor
strip = (editor.strips_all if hasattr(editor, 'strips_all') else editor.sequences_all)[0]
cut = os.path.join(folder, 'cut.rlf')
open(cut, 'wb').write(open(os.path.join(samples, 'rlf/wheel.rlf'), 'rb').read()[:3000])
assert not take(cut, video_folder=folder)
out['cut'] = [l.name for l in scene.reanima.lines if l.level == 'WARNING']
out['strip'] = [strip.frame_start, strip.frame_final_duration, [e.filename for e in strip.elements]]
result(out)
'''

MESH = PRELUDE + r'''
glb, = arguments
import mathutils
import reanima.glb, reanima.armature, reanima.meshes, reanima.progress, reanima.space
file = reanima.glb.Glb(open(glb, 'rb').read())
body = reanima.armature.build(bpy.context, 'body', file.joints, 2.0, ())
reanima.progress.finished(reanima.meshes.add(bpy.context, file, body, 2.0 * reanima.space.Z_UP))
shown = next(o for o in bpy.data.objects if o.type == 'MESH')
bone = body.pose.bones['arm']
bone.rotation_mode = 'QUATERNION'
rest = [list(v.co) for v in shown.data.vertices]
half = bone.bone.matrix_local.to_3x3().inverted() @ mathutils.Vector((0, 0, 1))         # a quarter turn about Blender's Z
bone.rotation_quaternion = mathutils.Quaternion(half, math.pi / 2)
bpy.context.view_layer.update()
posed = shown.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
material, image = shown.data.materials[0], next(i for i in bpy.data.images if i.name == 'checks')
result({'rest': rest, 'posed': [list(v.co) for v in posed.vertices], 'uv': [list(u.uv) for u in shown.data.uv_layers[0].data],
        'corners': [v for p in shown.data.polygons for v in p.vertices],
        'groups': [sorted(shown.vertex_groups[g.group].name for g in v.groups) for v in shown.data.vertices],
        'nodes': sorted(n.type for n in material.node_tree.nodes), 'image': [list(image.size), image.packed_file is not None, list(image.pixels)],
        'colors': [list(c.color) for c in shown.data.color_attributes[0].data], 'culled': material.use_backface_culling,
        'texture': next([n.interpolation, n.extension] for n in material.node_tree.nodes if n.type == 'TEX_IMAGE'), 'blend': material.surface_render_method if hasattr(material, 'surface_render_method') else material.blend_method,
        'places': [list(n.location) for n in material.node_tree.nodes], 'links': [[l.from_node.location.x, l.to_node.location.x] for l in material.node_tree.links],
        'labels': sorted(n.label for n in material.node_tree.nodes if n.label), 'solid': list(material.diffuse_color)})
'''

DRESSED = PRELUDE + r'''
out = []
for folder, files, entry, poses, rate in json.load(open(arguments[0])):
    clear()
    path = os.path.join(folder, files[0])
    error = take(path, entry=entry, directory=folder if len(files) > 1 else '', files=[{'name': f} for f in files] if len(files) > 1 else [])
    body = next((o for o in bpy.data.objects if o.type == 'ARMATURE'), None)
    worn = [o for o in bpy.data.objects if o.type == 'MESH']
    triangles = [{'mesh': o.data.name, 'places': [], 'uv': [list(o.data.uv_layers[0].data[l].uv) for l in p.loop_indices] if o.data.uv_layers else None,
                  'colors': [list(o.data.color_attributes[0].data[v].color) for v in p.vertices] if o.data.color_attributes else None} for o in worn for p in o.data.polygons]
    def look():
        bpy.context.view_layer.update()
        at = 0
        for o in worn:
            shape = o.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
            points = [o.matrix_world @ v.co for v in shape.vertices]
            for p in o.data.polygons:
                triangles[at]['places'].append([c for v in p.vertices for c in (points[v].x, points[v].z, -points[v].y)])
                at += 1
    if body:
        body.data.pose_position = 'REST'
    look()
    if body:
        body.data.pose_position = 'POSE'
    for clip, frame in poses:
        play(body, next(a for a in bpy.data.actions if a['reanima']['clip'] == clip))
        scene.frame_set(frame)
        look()
    out.append({'error': error, 'triangles': triangles, 'images': sorted([i.name, list(i.size), i.packed_file is not None] for i in bpy.data.images)})
result(out)
'''

TIME = PRELUDE + r'''
import time
pack, glb = arguments
theirs, ours = [], []
for _ in range(5):
    clear()
    start = time.perf_counter()
    bpy.ops.import_scene.gltf(filepath=glb)
    theirs.append(time.perf_counter() - start)
    actions = [len(bpy.data.actions)]
    clear()
    start = time.perf_counter()
    assert not take(pack)
    ours.append(time.perf_counter() - start)
    actions.append(len(bpy.data.actions))
result({'theirs': min(theirs), 'ours': min(ours), 'actions': actions, 'bones': len(bpy.data.armatures[0].bones)})
'''


def expected(name):
    with open(os.path.join(DATA, 'samples', name), encoding='utf-8') as file:
        return json.load(file)


class Capture:
    """The positions of a captured body's parts by role, and the names of its clips in the game's file, all from the
    capture's own list."""

    def __init__(self, capture, game, first):
        self.folder = os.path.join(DATA, 'motion', capture, game)
        with open(os.path.join(self.folder, 'expected.json'), encoding='utf-8') as file:
            told = json.load(file)
        self.source = os.path.join(self.folder, first)
        self.at = {}
        for i, (joint, part) in enumerate(zip(told['joints'], told.get('capture_joints', told['joints']))):
            role = ROLES.get(part.replace('FingerBase', 'Hand'))
            if role:
                self.at.setdefault(role, i)
        turn = {'ff7': lambda x, y, z: (x, -y, -z), 'ff9': lambda x, y, z: (x, -y, -z), 'metroid': lambda x, y, z: (-x, z, y)}[game]
        self.clips = {}
        for clip in told['clips']:
            if clip.get('kind', 'animation') == 'animation' and (game == 'ff7' or clip['name'] == os.path.splitext(first)[0]):
                rows = [[turn(*f['native'][i:i + 3]) for i in range(0, len(f['native']), 3)] for f in clip['frames']]
                self.clips[clip['name']] = ([f['time'] for f in clip['frames']], rows)


class Hero:
    """The same as Capture for a sample, with the joint positions from its generator."""
    PARTS = {'upper_arm': 'UpperArm', 'forearm': 'LowerArm', 'hand': 'Hand', 'thigh': 'UpperLeg', 'shin': 'LowerLeg', 'foot': 'Foot'}

    def __init__(self, source, wanted, names=None):
        """names: the CSV file with the names of numbered bones"""
        self.source, told, parts = source, expected(wanted), {}
        for line in read(sample(*names)).decode().splitlines() if names else ():
            kind, number, name = line.split(',')[:3]
            if kind == 'joint':
                parts['bone%03d' % int(number) if number.isdigit() else number] = name
        self.at = {}
        for i, joint in enumerate(told['joints']):
            part, _, side = parts.get(joint, joint).rpartition('_')
            if part in self.PARTS and side in 'lr':
                self.at[{'l': 'left', 'r': 'right'}[side] + self.PARTS[part]] = i
        stem = os.path.splitext(os.path.basename(source))[0]
        self.clips = {c['name']: ([f['time'] for f in c['frames']], [f['positions'] for f in c['frames']]) for c in told['clips']
                      if names or c['name'] == stem}


def direction(a, b):
    length = math.dist(a, b)
    return [(y - x) / length for x, y in zip(a, b)]


def dressed():
    """-> a .glb: joints `root` at the origin and `arm` 1 m above it; a square from x = 0 to 1 m at the arm's height, all on the arm but a corner"""
    file = Glb()
    attributes = {'POSITION': file.accessor('VEC3', [(0, 1, 0), (1, 1, 0), (1, 2, 0), (0, 2, 0)]),
                  'TEXCOORD_0': file.accessor('VEC2', [(0, 1), (1, 1), (1, 0), (0, 0)]),
                  'COLOR_0': file.accessor('VEC4', [(65535, 0, 0, 65535)] * 2 + [(0, 65535, 0, 65535)] * 2, 5123, 'H', normalized=True),
                  'JOINTS_0': file.accessor('VEC4', [(0, 0, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0)], 5121, 'B'),
                  'WEIGHTS_0': file.accessor('VEC4', [(1, 0, 0, 0)] * 4)}
    mesh = {'name': 'square', 'primitives': [{'attributes': attributes, 'indices': file.accessor('SCALAR', [(i,) for i in (0, 1, 2, 0, 2, 3)], 5123, 'H'), 'material': 0}]}
    image = file.view(png_of([[(255, 0, 0, 255), (0, 255, 0, 255)], [(0, 0, 255, 255), (0, 0, 0, 0)]]))
    del file.json['animations']
    file.json.update({
            'scenes': [{'name': 'dressed', 'nodes': [0, 3]}], 'meshes': [mesh],
            'nodes': [{'name': 'dressed', 'children': [1]}, {'name': 'root', 'children': [2]}, {'name': 'arm', 'translation': [0, 1, 0]}, {'mesh': 0, 'skin': 0}],
            'skins': [{'joints': [1, 2]}], 'images': [{'name': 'checks', 'mimeType': 'image/png', 'bufferView': image}],
            'samplers': [{'magFilter': 9728, 'minFilter': 9728, 'wrapS': 33071, 'wrapT': 33071}], 'textures': [{'source': 0, 'sampler': 0}],
            'materials': [{'name': 'cloth', 'alphaMode': 'MASK', 'doubleSided': True, 'extensions': {'KHR_materials_unlit': {}},
                           'pbrMetallicRoughness': {'baseColorTexture': {'index': 0}}}]})
    return file.bytes()


def skinned(body, clip, time):
    """-> the vertex positions of every skinned mesh, by the specification's formula; each vertex has one joint"""
    placed, found = body.matrices(clip, time), {}
    for node in (n for n in body.nodes if 'skin' in n):
        skin, mesh = body.g['skins'][node['skin']], body.g['meshes'][node['mesh']]
        inverse = [[[m[4 * c + r] for c in range(4)] for r in range(4)] for m in body.accessor(skin['inverseBindMatrices'])]
        moved, rows = [mul(placed[j], m) for j, m in zip(skin['joints'], inverse)], []
        for attributes in (part['attributes'] for part in mesh['primitives']):
            joints, weights, places = (body.accessor(attributes[n]) for n in ('JOINTS_0', 'WEIGHTS_0', 'POSITION'))
            rows += [point(moved[j[w.index(max(w))]], p) for j, w, p in zip(joints, weights, places)]
        found[mesh['name']] = rows
    return found


# What Edit > Preferences > Get Extensions > Install from Disk... calls
EXTENSION = r'''
import os, addon_utils
samples, zipped = arguments
if bpy.app.version >= (4, 2, 0):
    assert bpy.ops.extensions.package_install_files(repo='user_default', filepath=zipped, enable_on_install=True) == {'FINISHED'}
    assert addon_utils.check('bl_ext.user_default.reanima') == (True, True)
    assert bpy.ops.import_scene.reanima(filepath=os.path.join(samples, 'ff7/hrda')) == {'FINISHED'}
print('RESULT ' + json.dumps({'actions': sorted(a.name for a in bpy.data.actions), 'extensions': bpy.app.version >= (4, 2, 0)}))
'''


class Installed(Case):
    """A Blender in which the add-on is installed from its zip."""

    def setUp(self):
        super().setUp()
        for kind in ('SCRIPTS', 'EXTENSIONS', 'CONFIG'):        # the user's own stay as they are
            os.environ['BLENDER_USER_' + kind] = self.path(kind.lower())
            self.addCleanup(os.environ.pop, 'BLENDER_USER_' + kind)
        os.makedirs(self.path('scripts', 'addons'))
        # The zip holds a placeholder instead of the command, which may have many megabytes.
        self.command = write(self.path('command'), '#!/bin/sh\nexec "%s" "$@"\n' % TOOL)
        self.zip = self.path('addon.zip')
        subprocess.run([os.path.join(SOURCE, 'scripts', 'build-addon.sh'), '--linux', self.command, '--output', self.zip],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def inside(self, text, *args):
        return in_blender(self, text, os.path.join(SOURCE, 'samples') + os.sep, self.zip, *args)


class Addon(Installed):
    def test_it_is_an_extension_where_there_are_extensions(self):
        got = self.inside(EXTENSION)
        if not got['extensions']:
            self.skipTest('this Blender has no extensions')
        self.assertEqual(got['actions'], ['hrda_000', 'hrda_001', 'hrda_002', 'hrda_004'])

    def test_samples_become_armatures_with_every_joint_where_it_must_be(self):
        cases = [(folder, files, os.path.join(DATA, 'samples', wanted), unit) for folder, files, wanted, unit in SAMPLES]
        got = self.inside(NEW, json.dumps(cases), json.dumps(OTHERS), self.path('videos'))
        for (_, _, name, unit), have in zip(SAMPLES, got['samples']):
            wanted = expected(name)
            with self.subTest(name):
                self.assertIsNone(have['error'])
                self.assertEqual(have['bodies'], 1)
                self.assertEqual(sorted(have['actions']), sorted(c['name'] for c in wanted['clips']))
                self.assertEqual(have['modes'], ['QUATERNION'])
                self.assertEqual(have['points'], [], 'bones that cannot be seen')
                self.assertAlmostEqual(have['fps'], wanted['rate'] if 'rate' in wanted else 30, delta=1e-3)
                self.assertEqual(have['first'], wanted['clips'][0]['name'])
                worst = 0
                for clip in wanted['clips']:
                    action = have['actions'][clip['name']]
                    self.assertEqual([action['fake'], action['keys'], action['linear']], [True, 0, True], clip['name'])
                    end = max(1, round(clip['frames'][-1]['time'] * have['fps']))   # of Metroid's clips the last key, which may be before the end
                    self.assertEqual(action['range'][:2], [True, 0])
                    self.assertIn(action['range'][2], [end] if unit > 1 else range(end, end + 3))
                    extent = max(abs(v) for f in clip['frames'] for p in f['positions'] for v in p)
                    for frame, row in zip(clip['frames'], have['places'][clip['name']]):
                        for p, q in zip(frame['positions'], row):
                            worst = max(worst, max(abs(x - y * unit) for x, y in zip(p, q)) / extent)
                self.assertEqual(have['range'], [0, have['actions'][have['first']]['range'][2]])
                print('%s: %d clips, worst position off by %.2g of the largest coordinate' % (name, len(wanted['clips']), worst))
                self.assertLessEqual(worst, 1e-4)
        walk = got['samples'][2]['actions']['hero_walk']
        self.assertEqual(walk['cyclic'], True)
        self.assertEqual(got['samples'][2]['actions']['hero_idle']['cyclic'], False)
        # samples/metroid/generate.py puts the events at 0.1, 0.25, 0.25, 0.75 and 0.75 seconds
        self.assertEqual(walk['markers'], [['speed', 3], ['footstep_left', 8], ['step', 8], ['dust', 22], ['step', 22]])
        for (path, entry, *counts), have in zip(OTHERS, got['others']):
            self.assertEqual(have, [None] + counts, path + ':' + entry)

    def foreign(self, capture, families):
        """-> cases for rigs of these families, alternately in T and A pose"""
        cases = []
        for i, family in enumerate(families):
            name = '%s-%d' % (family, len(os.listdir(self.path('rigs'))) if os.path.isdir(self.path('rigs')) else 0)
            rig_set.write_set(self.path('rigs'), {name: (family, ('adult', 'child', 'giant')[i % 3], {'pose': 'TA'[i % 2], 'armature': ('plain', 'fbx', 'zup')[i % 3]})})
            with open(self.path('rigs', name + '.truth.json'), encoding='utf-8') as file:
                truth = json.load(file)
            clips = dict(list(capture.clips.items())[:4])
            self.assertTrue(clips)
            self.assertEqual(len(capture.at), 12)
            cases.append({'rig': self.path('rigs', name + '.glb'), 'source': capture.source, 'only': ','.join(clips), 'clips': {n: t for n, (t, _) in clips.items()},
                          'roles': list(capture.at), 'bones': [truth['accept'][r][0] for r in capture.at],
                          'ground': [j for j, role in truth['joints'].items() if role == 'ground' and j != 'Armature'], 'heading': (0, 2.0, -0.7)[i % 3]})
        return cases

    def test_bones_of_foreign_armatures_point_where_the_captured_limbs_do(self):
        heroes = [Hero('ff7/hrda', 'ff7_expected.json', ('ff7', 'hero.names.csv')), Hero('ff9/hero.ff9db', 'ff9_expected.json', ('ff9', 'hero.names.csv'))]
        heroes += [Hero('archives/battle.lgp:hrda', 'ff7_expected.json', ('ff7', 'hero.names.csv'))]
        heroes += [Hero('metroid/%s.ANIM' % n, 'metroid_prime_expected.json') for n in ('hero_walk', 'hero_spin', 'hero_attack')]
        heroes += [Hero('metroid/%s.ANIM' % n, 'metroid_echoes_expected.json') for n in ('echo_swell', 'echo_rise')]
        captures = [Capture('cmu_01_01', 'ff7', 'mada'), Capture('cmu_01_01', 'ff9', 'ma_0.ff9anim'), Capture('cmu_01_03', 'metroid', 'mb_0.ANIM')]
        worst, count = 0, 0
        chosen = [(c, FAMILIES if LONG else FAMILIES[i % 3::3]) for i, c in enumerate(captures + heroes)]
        cases = [(c, case) for c, families in chosen for case in self.foreign(c, families)]
        got = self.inside(FOREIGN, write(self.path('cases.json'), json.dumps([case for _, case in cases])))
        for (capture, case), have in zip(cases, got):
            with self.subTest(rig=os.path.basename(case['rig']), source=capture.source):
                self.assertIsNone(have['error'])
                self.assertEqual(have['bodies'], 1)
                for clip in case['clips']:
                    for was, now in zip(capture.clips[clip][1], have['places'][clip]):
                        for a, b in SEGMENTS:
                            wanted = direction(was[capture.at[a]], was[capture.at[b]])
                            seen = direction(now[case['roles'].index(a)], now[case['roles'].index(b)])
                            worst = max(worst, math.dist(wanted, seen))
                        for place, rest in zip(now[len(case['bones']):], have['rest']):
                            self.assertLess(math.dist(place, rest), 1e-4, 'the ground bone moved')
                        count += 1
        print('%d poses on %d armatures: a limb\'s direction is off by %.2g at most' % (count, len(cases), worst))
        self.assertGreater(count, 100)
        self.assertLess(worst, 1e-4)

    def test_rates_root_motion_and_an_armature_that_was_made_before(self):
        wanted = expected('ff9_expected.json')
        clip = next(c for c in wanted['clips'] if c['name'] == 'anim_01003')
        got = self.inside(OWN, os.path.join(DATA, 'samples', 'ff9_expected.json'))
        self.assertEqual(got['bodies'], 1)
        self.assertNotIn('follow', ' '.join(got['again']))              # it was not bound
        extent = max(abs(v) for f in clip['frames'] for p in f['positions'] for v in p)
        for rows, unit in ((got['places'], 128), (got['resampled'], 256)):
            for frame, row in zip(clip['frames'][::5] if unit == 256 else clip['frames'], rows[::5] if unit == 256 else rows):
                for p, q in zip(frame['positions'], row):
                    self.assertLess(max(abs(x - y * unit) for x, y in zip(p, q)) / extent, 1e-4)
        self.assertEqual(got['kept'], [24, 1, 250, ['The scene plays at 24 frames per second (it has other animations): clips at 30 frames per second were resampled.']])
        self.assertEqual(got['named'], [['idle', 'spin'], True, 24])
        self.assertLess(got['closed'], 1e-5)
        walk = [f['positions'][0] for c in wanted['clips'] if c['name'] == 'anim_01002' for f in c['frames']]
        moved = [(b - a) / 256 for a, b in zip(walk[0], walk[16])]
        self.assertGreater(moved[2], 0.5)
        for word, wanted_move, curves in (('keep', moved, 0), ('extract', moved, 3), ('in-place', [0, moved[1], 0], 0), ('drop', [0, 0, 0], 0)):
            *seen, count = got['motion'][word]
            self.assertLess(math.dist(seen, wanted_move), 1e-4, word)
            self.assertEqual(count, curves, word)
        self.assertLess(got['fractions'], 1e-3)                          # all keys are on frames, the end, too
        self.assertEqual(got['end'], round(got['end']))

    def test_what_goes_wrong_is_told_and_leaves_nothing(self):
        rig_set.write_set(self.path('rigs'), {'tentacle': ('tentacle', '-', {})})
        wrong = write(self.path('wrong.txt'), 'no animation')
        write(self.path('wheel_frames', 'mine.txt'), 'mine')
        got = self.inside(WRONG, self.folder, self.path('rigs', 'tentacle.glb'), wrong)
        told = {'text': 'wrong.txt', 'absent': 'absent', 'clip': 'There is no clip idle. Available clips: hrda_000, hrda_001, hrda_002, hrda_004.',
                'option': 'More options: --output cannot be given here. These can: --additive', 'value': 'More options: a quotation mark is not closed',
                'no entry': 'No entry of battle.lgp was chosen',
                'no armature': 'The active object is not an armature. Select one, or import as a new armature.',
                'no match': 'the rig is not recognised as a humanoid: no two legs. A mapping states which bone follows which joint: press Suggest in the sidebar',
                'no map': 'No mapping file was chosen.', 'no links': 'The mapping in the sidebar is empty', 'no file': 'There is no file in the folder',
                'mirrored': 'is mirrored (negative scale)', 'pictures': 'already holds other files', 'missing': 'There is no file',
                'not executable': 'cannot be run', 'another program': 'did not answer with JSON', 'in the middle': 'no room'}
        for name, text in told.items():
            with self.subTest(name):
                error, kept, lines, *states = got[name]
                self.assertIn(text, error or '')
                self.assertTrue(kept, states)
                if name != 'in the middle':
                    self.assertTrue(lines and lines[0] in error, lines)
        self.assertIn('is not reanima', got['test'])
        self.assertIn('reanima 0', got['found'])
        self.assertTrue(got['gone'])
        self.assertEqual(read(self.path('wheel_frames', 'mine.txt')), b'mine')
        self.assertEqual(os.listdir(self.path('wheel_frames')), ['mine.txt'])

    def test_an_import_that_is_closed_leaves_nothing_wherever_it_is(self):
        rig_set.write_set(self.path('rigs'), {'rig': ('unity', 'adult', {'pose': 'A'})})
        os.mkdir(self.path('temporary'))
        got = self.inside(CLOSED, self.path('rigs', 'rig.glb'), self.folder)
        self.assertEqual(got.pop('files'), [['gate_frames', 'wheel_frames'], ['mine.png'], []])
        steps = {'new': 14, 'assets': 9, 'rig': 18, 'again': 16, 'video': 4, 'video again': 4, 'strips again': 4}
        self.assertEqual({name: len(told) for name, (told, *_) in got.items()}, steps)
        for name, (told, left, changed) in got.items():
            self.assertEqual(left, [], name)
            self.assertEqual(changed, name != 'again', name)      # by the import that was not closed; a second one takes the places of the first
            parts = [part for _, part in told]
            self.assertTrue(0 <= parts[0] and parts[-1] < 1 and all(a <= b for a, b in zip(parts, parts[1:])), parts)
        self.assertEqual([text for text, _ in got['rig'][0]], ['Converting'] * 2 + ['rig: meshes'] * 2 + ['Armature: clip %d of 4' % n for n in (1, 2, 3, 4)] +
                         ['Armature: checking its pose'] * 10)

    def test_the_sidebar_shows_corrects_saves_and_uses_a_mapping(self):
        rig_set.write_set(self.path('rigs'), {'rig': ('unity', 'adult', {'pose': 'A'})})
        rig = self.path('rigs', 'rig.glb')
        with open(self.path('rigs', 'rig.truth.json'), encoding='utf-8') as file:
            truth = json.load(file)
        got = self.inside(PANEL, rig, self.folder)
        for role in ('hips', 'leftUpperArm', 'leftHand', 'rightFoot', 'head'):
            self.assertIn(got['links'][role][1], truth['accept'][role])
            self.assertIn(got['links'][role][0], got['joints'])
        self.check(run('bind', sample('ff7', 'hrda'), '-s', rig, '--suggest', '-q', '-o', self.path('own.json')), 0)
        own, plain, edited = (json.loads(read(self.path(n + '.json'))) for n in ('own', 'plain', 'edited'))
        self.assertEqual([(j['source'], j['target'], j.get('role')) for j in plain['joints']], [(j['source'], j['target'], j.get('role')) for j in own['joints']])
        by_target = {j['target']: j for j in edited['joints']}
        right, spine = got['changed']
        self.assertEqual(by_target[right], {'role': 'rightHand', 'source': got['links']['leftHand'][0], 'target': right})
        self.assertEqual(by_target[spine]['source'], 'root')
        self.assertNotIn('mixed_from', by_target[spine])
        out = self.path('out.glb')
        self.check(run('convert', sample('ff7', 'hrda'), '-s', rig, '--map', self.path('edited.json'), '--rig-mesh', 'omit', '-q', '-o', out), 0)
        scene, worst = Scene(read(out)), 0
        clip = scene.animation([a['name'] for a in scene.g['animations']].index('hrda_001'))
        for frame, row in enumerate(got['places']):
            at = scene.world(clip, frame / 15)
            worst = max([worst] + [math.dist(at(name), place) for name, place in zip(got['bones'], row)])
        print('by the corrected mapping: worst bone off by %.2g m' % worst)
        self.assertLess(worst, 1e-4)

    def test_actions_armatures_and_bones_know_what_they_were_made_from(self):
        rig_set.write_set(self.path('rigs'), {'rig': ('unity', 'adult', {'pose': 'A'})})
        got = self.inside(ORIGIN, self.path('rigs', 'rig.glb'))
        file, action = sample('archives', 'battle.lgp'), got['action']
        self.assertRegex(action.pop('key'), '^[0-9a-f]{32}$')
        self.assertRegex(action.pop('armature_id'), '^[0-9a-f]{32}$')
        self.assertIn('--end-joints', action.pop('options'))
        self.assertEqual(action, {'file': file, 'entry': 'hrda', 'format': 'ff7-battle-animation', 'clip': 'hrda_001', 'id': 1, 'index': 1, 'rate': 15, 'armature': got['action']['armature'],
                                  'fps': 15, 'frames': 17, 'end': 16})
        self.assertEqual([got['armature'][n] for n in ('file', 'entry', 'format')], [file, 'hrda', 'ff7-battle-animation'])
        self.assertEqual(got['bones']['bone007'], {'joint': 'bone007', 'index': 8, 'id': 7, 'bone': 'bone007', 'role': 'leftHand'})      # after the root, which the file lacks
        self.assertEqual(got['first'][:4], [['hrda_001'], 'hrda_001', 16, []])
        # The user renamed the action: it keeps that name, and plays the requested loop.
        self.assertEqual(got['update'][:4], [['mine'], 'mine', 17, []])
        self.assertIn('Actions of earlier imports that were updated: 1', got['update'][4])
        self.assertEqual(got['both'][:3], [['mine', 'raw_hrda_001'], 'raw_hrda_001', 16])
        self.assertEqual(got['nla'][:4], [['mine', 'mine_earlier'], 'mine', 16, [['mine', True, ['mine_earlier']]]])
        self.assertEqual(got['mesh'], ['hrda_002', True, 'shape'])
        free, planted = got['planted']
        self.assertEqual({b for b in free if free[b] != planted[b]}, {s + b for s in ('Left', 'Right') for b in ('UpperLeg', 'LowerLeg', 'Foot')})
        # `hrad` was the user's own image before the first import; `hrac` was painted on before the last one.
        self.assertEqual(got['images'], [[['hrac', 'hrad', 'hrad.001'], ['hrac', 'hrad.001'], 'hrad']] * 3 +
                         [[['hrac', 'hrac.001', 'hrad', 'hrad.001'], ['hrac', 'hrac.001', 'hrad.001'], 'hrad', 'hrac']])

    def more(self, *rigs):
        """The files of MORE; beside the rigs there are an animation and its skeleton without the model."""
        for name in ('hero_walk.ANIM', 'hero.CINF'):
            shutil.copy(sample('metroid', name), self.path('rigs'))
        return self.inside(MORE, *rigs)

    def test_the_games_mesh_is_put_on_a_foreign_armature(self):
        kinds = {'bare': {'pose': 'A'}, 'turned': {'pose': 'T', 'armature': 'fbx'}}
        rig_set.write_set(self.path('rigs'), {n: (('unity', 'mixamo')[i], 'adult', k) for i, (n, k) in enumerate(kinds.items())})
        rigs = [self.path('rigs', n + '.glb') for n in kinds]
        got = self.more(*rigs)
        for rig, (poses, lines, materials, bones) in zip(rigs, got['worn']):
            # The command writes the same meshes into a .glb; there the weapon has a joint of its own.
            out = self.path('worn.glb')
            self.check(run('convert', sample('ff7', 'hrda'), '-s', rig, '--with-mesh', '--rig-mesh', 'omit', '-q', '--force', '-o', out), 0)
            scene, worst = Body(read(out)), {}
            clip = scene.animation([a['name'] for a in scene.g['animations']].index('hrda_002'))
            turned = 'turned' in rig
            for frame, have in zip((0, 5, 12), poses):
                for name, wanted in skinned(scene, clip, frame / 15).items():
                    if turned:    # by 2 radians about the vertical, then 3 m to the right and 2 m to the front
                        c, s = math.cos(2.0), math.sin(2.0)
                        wanted = [(c * x + s * z + 3, y, -s * x + c * z + 2) for x, y, z in wanted]
                    self.assertEqual(len(have[name]), len(wanted))
                    worst[name] = max([worst.get(name, 0)] + [math.dist(p, q) for p, q in zip(have[name], wanted)])
            print('%s: vertices off by %s m at most' % (os.path.basename(rig), ', '.join('%.2g' % w for w in worst.values())))
            self.assertLess(worst['hraa_body'], 1e-4)
            self.assertLess(worst['hrck'], 1e-4)                         # the sword slides in the hand: it has a bone
            self.assertFalse([l for l in lines if 'weapon000' in l and 'without a bone' in l], lines)
            self.assertTrue(any('has a new bone for the weapon: weapon000, below ' in l for l in lines), lines)
            self.assertEqual(len(materials), 3)

    def test_rows_weapons_second_meshes_and_warnings(self):
        rig_set.write_set(self.path('rigs'), {'rig': ('unity', 'adult', {'pose': 'A'})})
        for name in ('hrda', 'hraa'):
            os.makedirs(self.path('damaged'), exist_ok=True)
            write(self.path('damaged', name), read(sample('ff7', name))[:1200 if name == 'hrda' else None])
        got = self.inside(RESULT, self.path('rigs', 'rig.glb'), self.path('damaged', 'hrda'))
        row = sorted(got['row'])
        self.assertEqual([len(row), {y for *_, y in row}], [4, {0.0}])
        for (_, a, _), (b, _, _) in zip(row, row[1:]):
            self.assertGreater(b, a)
        self.assertEqual([got['bare'], got['failed']], [[0, 0], True])
        meshes, bones, above, paths = got['weapon']
        self.assertEqual([meshes, bones, above, len(paths)], [0, 1, 'RightHand', 7])
        # samples/ff7/generate.py lets the sword slide in the hand
        self.assertLess(got['slides'][0] + 0.001, got['slides'][1])
        self.assertEqual(got['dressed'], [2, 1])
        self.assertEqual(got['again'], [2, 1, ['Armature keeps the meshes that it has from an earlier import: hraa_body, hrck']])
        self.assertIn('hrda, count: is 10, but the file contains only 3', got['warnings'])
        self.assertTrue(all(line.startswith('hrda, ') for line in got['warnings']), got['warnings'])

    def test_settings_that_are_seldom_needed(self):
        rig_set.write_set(self.path('rigs'), {'bare': ('unity', 'adult', {'pose': 'A'})})
        got = self.more(self.path('rigs', 'bare.glb'), self.path('rigs', 'bare.glb'))
        options, rests = {n: v[:5] for n, v in got['options'].items()}, {n: v[5] for n, v in got['options'].items()}
        # body and sword; 21 bones and the root; 24 frames, at 15, 20 or 12 per second
        self.assertEqual(options['mesh'], [2, 4, 22, 15, 23])
        self.assertEqual(options['bare'], [0, 4, 22, 15, 23])
        self.assertEqual(options['unarmed'][0], 1)
        self.assertEqual(options['faster'], [2, 4, 22, 20, 23])
        self.assertEqual(options['more'], [2, 4, 22, 12, 23])
        self.assertEqual(rests['mesh'], rests['faster'])
        self.assertNotEqual(rests['mesh'], rests['more'])
        self.assertEqual(options['model'][1:3], [1, 2])                  # of the two models the one that has this clip
        self.assertEqual(got['own'], [0, got['own'][1]])
        self.assertIn("hraa was made from the game's skeleton: it keeps its mesh.", got['own'][1])
        self.assertTrue(any(line.endswith('hero_walk.ANIM has no mesh.') for line in got['without']), got['without'])
        self.assertEqual(got['video'], 30)

    def test_an_armature_on_a_stage_goes_where_it_looks(self):
        rig_set.write_set(self.path('rigs'), {'rig': ('unity', 'adult', {'pose': 'A'})})
        got = self.inside(STAGED, self.path('rigs', 'rig.glb'))
        # Its front was Blender's -Y, glTF's +Z; a quarter turn about the vertical makes that +X of both.
        x, y, z = got['keep']
        self.assertGreater(x, 0.5)
        self.assertLess(max(abs(y) / 10, abs(z)), 1e-3)
        self.assertLess(math.dist(got['keep'], got['extract']), 1e-4)
        self.assertLess(math.dist(got['keep object'], (1, 2, 0)), 1e-6)
        self.assertLess(math.dist(got['extract object'], (1 + x, 2, 0)), 1e-4)
        self.assertEqual(got['kept'], ['POSE', True, 'anim_01002', 'QUATERNION'])

    def test_a_video_becomes_a_plane_or_a_strip_at_any_rate(self):
        got = self.inside(VIDEO, self.path('pictures'))
        rate, source, count, cyclic, size, pixels, played = got['plane']
        self.assertAlmostEqual(rate, 10000 / 666, places=5)
        self.assertEqual([source, count, cyclic, pixels], ['SEQUENCE', 24, True, [72, 48]])
        self.assertEqual(played, [0, 23])
        self.assertAlmostEqual(size[0] / size[2], 72 / 48, places=5)
        # 15.015 pictures per second at 30 frames per second: every picture is shown about twice
        self.assertEqual(got['shown'], [0, 0, 1, 1, 15, 23, 0])
        self.assertEqual(len(got['cut']), 1)
        self.assertIn('of 24 frames are read', got['cut'][0])
        start, length, names = got['strip']
        self.assertEqual([start, length], [0, 48])
        self.assertEqual(names, ['frame%04d.png' % (f * 10000 / 666 / 30) for f in range(48)])

    def test_meshes_are_skinned_and_have_their_materials(self):
        got = self.inside(MESH, write(self.path('dressed.glb'), dressed()))
        corners = [(0, 1, 0), (1, 1, 0), (1, 2, 0), (0, 2, 0)]

        def near(a, b):
            self.assertLess(max(math.dist(p, q) for p, q in zip(a, b)), 1e-5, (a, b))
        near(got['rest'], [(2 * x, -2 * z, 2 * y) for x, y, z in corners])
        # a quarter turn about Blender's Z: x becomes y; the first corner stays with the root
        near(got['posed'], [(0, 0, 2), (0, 2, 2), (0, 2, 4), (0, 0, 4)])
        self.assertEqual(got['groups'], [['root'], ['arm'], ['arm'], ['arm']])
        self.assertEqual(got['corners'], [0, 1, 2, 0, 2, 3])
        near(got['uv'], [(0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)])
        near(got['colors'], [(1, 0, 0, 1)] * 2 + [(0, 1, 0, 1)] * 2)
        size, packed, pixels = got['image']
        self.assertEqual([size, packed], [[2, 2], True])
        near([pixels[i:i + 4] for i in range(0, 16, 4)], [(0, 0, 1, 1), (0, 0, 0, 0), (1, 0, 0, 1), (0, 1, 0, 1)])   # rows from below
        self.assertEqual(got['texture'], ['Closest', 'EXTEND'])
        self.assertIn(got['blend'], ('CLIP', 'DITHERED'))                    # until Blender 4.1, and since
        self.assertFalse(got['culled'])
        self.assertEqual(len({tuple(p) for p in got['places']}), len(got['places']))        # no node lies on another
        self.assertTrue(all(a < b for a, b in got['links']), got['links'])
        self.assertEqual(got['labels'], ['Colours of the vertices', 'Seen through by alpha', 'Texture', 'Texture x colour'])
        # the three opaque pixels are red, green and blue; the vertices half red, half green
        near([got['solid']], [(1 / 6, 1 / 6, 0, 1)])
        self.assertEqual(got['nodes'], sorted(['TEX_IMAGE', 'VERTEX_COLOR', 'VECT_MATH', 'EMISSION', 'MIX_SHADER', 'BSDF_TRANSPARENT', 'OUTPUT_MATERIAL']))

    def dressed(self, game, names, native=1):
        """native: units per metre for cases at the game's own scale"""
        cases, folder = [], os.path.join(DATA, 'conformance', game + '-mesh')
        with open(os.path.join(folder, 'cases.json'), encoding='utf-8') as file:
            listed = json.load(file)
        listed = {c['name']: c for c in (listed if isinstance(listed, list) else listed['cases'])}
        for name in names:
            with open(os.path.join(folder, 'expected', name + '.json'), encoding='utf-8') as file:
                wanted = json.load(file)
            first, _, entry = listed[name]['inputs'][0].partition(':')
            files = [first] + listed[name]['inputs'][1:]
            cases.append((game + ' ' + name, wanted, native if '--scale' in listed[name]['args'] else 1,
                          [os.path.join(folder, 'inputs', listed[name].get('folder', '')), files, entry, wanted['posed'], wanted['rate']]))
        got = self.inside(DRESSED, write(self.path('cases.json'), json.dumps([c for *_, c in cases])))
        for (name, wanted, unit, _), have in zip(cases, got):
            with self.subTest(name):
                self.assertIsNone(have['error'])
                self.assertEqual(len(have['triangles']), len(wanted['triangles']))
                worst, left, height = [0, 0], list(have['triangles']), wanted['height'] / unit
                for material, overlay, places, uv, colors, *_ in wanted['triangles']:
                    found, off = min(((t, self.apart(t, places, uv, colors, unit)) for t in left), key=lambda pair: pair[1])
                    left.remove(found)
                    worst[bool(overlay)] = max(worst[bool(overlay)], off)
                self.assertTrue(all(min(size) > 0 and packed for _, size, packed in have['images']), have['images'])
                print('%s: %d triangles in %d poses, off by %.2g m at most' % (name, len(wanted['triangles']), len(wanted['posed']) + 1, worst[0]))
                self.assertLess(worst[0], 1e-4)
                self.assertLess(worst[1], 3e-3 * height)                # what lies on other faces is lifted off them

    @staticmethod
    def apart(triangle, places, uv, colors, unit):
        """The largest differences of positions (metres), texture coordinates and colours, whichever corner comes
        first."""
        def turned(values, by, width):
            return values[by * width:] + values[:by * width]

        best = math.inf
        for by in range(3):
            off = max(abs(x / unit - y) for a, b in zip(places, triangle['places']) for x, y in zip(turned(a, by, 3), b))
            if uv and triangle['uv']:
                off = max([off] + [abs(x - y) for x, y in zip(turned(uv, by, 2), [c for u, v in triangle['uv'] for c in (u, 1 - v)])])
            if colors and triangle['colors']:
                off = max([off] + [abs(x - y) for x, y in zip(turned(colors, by, 4), sum(triangle['colors'], []))])
            best = min(best, off)
        return best

    def test_characters_of_final_fantasy_vii_wear_what_another_encoder_put_on_them(self):
        self.dressed('ff7', ['player', 'player_archive', 'armed_first', 'location', 'doll', 'alone_rsd'])

    def test_characters_of_final_fantasy_ix_wear_what_another_encoder_put_on_them(self):
        self.dressed('ff9', ['field', 'all_kinds', 'blend', 'depths', 'beside', 'default_scale'], 256)

    @unittest.skipUnless(LONG and not SANITIZED, 'only with REANIMA_LONG=1, and without sanitizers')
    def test_sixty_clips_take_less_time_than_by_blenders_own_importer(self):
        # 60 clips of 120 frames for 29 bones and a root, by the encoder of the conformance cases
        pack, glb = self.path('bgda'), self.path('big.glb')
        sys.path.insert(0, os.path.join(DATA, 'conformance', 'ff7'))
        import generate
        made = generate.Pack()
        for clip in range(60):
            made.animation(generate.motion(clip, 30, 120, 4, 'small'), 4)
        write(pack, made.bytes())
        write(self.path('bgaa'), generate.skeleton_file([(i - 1, -90.0, 1) for i in range(29)]))
        self.check(run('convert', pack, '-q', '-o', glb), 0)
        got = self.inside(TIME, pack, glb)
        print('60 actions: %.2f s, Blender\'s own importer %.2f s: %.2f' % (got['ours'], got['theirs'], got['ours'] / got['theirs']))
        self.assertEqual([got['actions'], got['bones']], [[60, 60], 30])
        self.assertLess(got['ours'] / got['theirs'], 0.8)


if __name__ == '__main__':
    main_in_blender()
