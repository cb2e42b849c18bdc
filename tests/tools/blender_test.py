#!/usr/bin/env python3
"""The sample files in Blender: one armature, one action per clip, and the right position of every joint at every
key."""
import os

from support import Case, DATA, Scene, in_blender, main_in_blender, read, read_json, run, sample

ACTIONS = r'''
source, rate, wanted = arguments
scene.render.fps = int(rate)
bpy.ops.import_scene.gltf(filepath=source)
armatures = [o for o in bpy.data.objects if o.type == 'ARMATURE']
out = {'armatures': len(armatures), 'objects': sorted(o.type for o in scene.objects if o.visible_get()), 'actions': sorted(a.name for a in bpy.data.actions),
       'bones': [b.name for b in armatures[0].data.bones], 'clips': {}, 'extras': [c['name'] for c in scene['reanima']['clips']], 'fractions': 0}
body = armatures[0]
for track in list(body.animation_data.nla_tracks):
    body.animation_data.nla_tracks.remove(track)
for clip in json.load(open(wanted))['clips']:
    action = action_of(clip['name'], body)
    body.animation_data.action = action
    frames = []
    for f in clip['frames']:
        scene.frame_set(round(f['time'] * int(rate)))
        bpy.context.view_layer.update()
        # Blender is Z up: (x, y, z) of glTF is (x, z, -y) there, seen from Blender (x, -z, y)
        frames.append({b.name: [(body.matrix_world @ b.matrix).translation[i] for i in range(3)] for b in body.pose.bones})
    out['clips'][clip['name']] = frames
    out['fractions'] += sum(abs(k.co[0] - round(k.co[0])) > 1e-3 for c in curves_of(action) for k in c.keyframe_points)
print('RESULT ' + json.dumps(out))
'''

# The difference between the poses of two files' actions in degrees: in each bone's own space, and in the armature's.
APART = r'''
import math
rate, *sources = arguments
scene.render.fps = int(rate)

def poses(source):
    before = set(bpy.data.actions)
    bpy.ops.import_scene.gltf(filepath=source)
    body = next(o for o in bpy.context.selected_objects if o.type == 'ARMATURE')
    for track in list(body.animation_data.nla_tracks):
        body.animation_data.nla_tracks.remove(track)
    seen = []
    for action in sorted(set(bpy.data.actions) - before, key=lambda a: a.name):
        body.animation_data.action = action
        for frame in range(int(action.frame_range[1]) + 1):
            scene.frame_set(frame)
            bpy.context.view_layer.update()
            seen.append([(b.matrix_basis.to_quaternion(), b.matrix.to_quaternion(), b.matrix.translation.copy()) for b in body.pose.bones])
    return seen

a, b = map(poses, sources)
apart = {'poses': [len(a), len(b)], 'own': 0, 'whole': 0, 'metres': 0}
for one, other in zip(a, b):
    for (own, whole, place), (own2, whole2, place2) in zip(one, other):
        for key, q, r in (('own', own, own2), ('whole', whole, whole2)):
            difference = q.conjugated() @ r
            apart[key] = max(apart[key], math.degrees(2 * math.asin(min(1, math.hypot(difference.x, difference.y, difference.z)))))
        apart['metres'] = max(apart['metres'], (place - place2).length)
print('RESULT ' + json.dumps(apart))
'''

# A weapon that was added to a rig's file, and the distance of the rig's mesh from its rest position.
ARMED = r'''
source, clip, frames = arguments
scene.render.fps = 15
bpy.ops.import_scene.gltf(filepath=source)
armature = next(o for o in bpy.data.objects if o.type == 'ARMATURE')
weapon = bpy.data.objects['weapon000']
mesh = next(o for o in bpy.data.objects if o.type == 'MESH' and o.modifiers)
for o in (armature, weapon):
    for track in list(o.animation_data.nla_tracks):
        o.animation_data.nla_tracks.remove(track)
    o.animation_data.action = action_of(clip, o)
out = {'kind': [weapon.type, weapon.parent_type, weapon.parent_bone], 'weapon': [], 'moved': [], 'apart': []}
for frame in range(int(frames)):
    scene.frame_set(frame)
    shown = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    points = [mesh.matrix_world @ v.co for v in shown.vertices]
    at = weapon.matrix_world.translation
    out['weapon'].append(list(at))
    out['moved'].append(max((p - mesh.matrix_world @ v.co).length for p, v in zip(points, mesh.data.vertices)))
    out['apart'].append(min((p - at).length for p in points))
print('RESULT ' + json.dumps(out))
'''


# What a mesh shows, and how it moves.
DRESSED = r'''
source, clip, frame = arguments
scene.render.fps = 30
bpy.ops.import_scene.gltf(filepath=source)
armature = next(o for o in bpy.data.objects if o.type == 'ARMATURE')
mesh = next(o for o in bpy.data.objects if o.type == 'MESH' and o.modifiers)
for track in list(armature.animation_data.nla_tracks):
    armature.animation_data.nla_tracks.remove(track)
armature.animation_data.action = next(a for a in bpy.data.actions if a.name.startswith(clip))
scene.frame_set(int(frame))
shown = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
points = [mesh.matrix_world @ v.co for v in shown.vertices]
print('RESULT ' + json.dumps({
    'images': sorted(i.name for i in bpy.data.images if i.type == 'IMAGE'),
    'materials': {m.name: sorted(n.image.name for n in m.node_tree.nodes if n.type == 'TEX_IMAGE') for m in mesh.data.materials},
    'modifiers': [m.type for m in mesh.modifiers],
    'most_joints': max(sum(g.weight > 0 for g in v.groups) for v in mesh.data.vertices),
    'moved': max((p - mesh.matrix_world @ v.co).length for p, v in zip(points, mesh.data.vertices)),
    'height': max(p.z for p in points) - min(p.z for p in points)}))
'''


class Blender(Case):
    def look(self, files, expected_file, rate, helpers=(), meshes=0):
        """helpers: joints that are not in the game's file; meshes: the expected meshes of the character"""
        expected = read_json(DATA, 'samples', expected_file)
        glb = self.path('sample.glb')
        self.check(run('convert', *files, '--scale', '1', '-q', '-o', glb, '--warn', 'implausible-size=ignore'), 0)
        got = in_blender(self, ACTIONS, glb, rate, os.path.join(DATA, 'samples', expected_file))
        self.assertEqual(got['armatures'], 1)
        self.assertEqual(got['objects'], ['ARMATURE'] + ['MESH'] * meshes)
        self.assertEqual(len(got['actions']), len(expected['clips']))
        self.assertEqual(got['extras'], [c['name'] for c in expected['clips']])
        self.assertEqual(sorted(got['bones']), sorted(expected['joints'] + list(helpers)))
        self.assertEqual(got['fractions'], 0, 'keys between frames')
        worst = 0
        for clip in expected['clips']:
            extent = max(abs(v) for f in clip['frames'] for p in f['positions'] for v in p)
            for f, have in zip(clip['frames'], got['clips'][clip['name']]):
                for name, (x, y, z) in zip(expected['joints'], f['positions']):
                    bx, by, bz = have[name]
                    worst = max(worst, max(abs(bx - x), abs(bz - y), abs(-by - z)) / extent)
        print('%s: %d clips, worst position off by %.2g of the largest coordinate' % (expected_file, len(expected['clips']), worst))
        self.assertLessEqual(worst, 1e-4)

    def test_final_fantasy_vii(self):
        self.look([sample('ff7', 'hrda')], 'ff7_expected.json', 15, meshes=2)

    def test_metroid_prime(self):
        clips = ('idle', 'walk', 'spin', 'attack', 'pose')
        self.look([sample('metroid', 'hero_%s.ANIM' % c) for c in clips], 'metroid_prime_expected.json', 30, meshes=1)

    def test_metroid_prime_2(self):
        self.look([sample('metroid', 'echo_%s.ANIM' % c) for c in ('swell', 'rise')], 'metroid_echoes_expected.json', 30, ['chest_scale', 'head_scale'], meshes=1)

    def test_a_dressed_character_of_metroid_prime(self):
        """Textured materials, up to three joints per vertex, and a mesh that moves with the clip"""
        glb = self.path('hero.glb')
        self.check(run('convert', sample('archives', 'hero.pak:Hero.ANCS'), '-q', '-o', glb), 0)
        got = in_blender(self, DRESSED, glb, 'walk', 16)
        self.assertEqual(got['images'], ['5EED0111', '5EED0112', '5EED0113'])
        self.assertEqual(got['materials'], {'material0': ['5EED0111', '5EED0113'], 'material1': ['5EED0112'], 'material2': []})
        self.assertEqual((got['modifiers'], got['most_joints']), (['ARMATURE'], 3))
        self.assertGreater(got['moved'], 0.2)                # a foot of a person who walks
        self.assertLess(got['height'], 1.75)
        self.assertGreater(got['height'], 1.55)

    def test_final_fantasy_ix(self):
        self.look([sample('ff9', 'hero.ff9db')], 'ff9_expected.json', 30, meshes=2)

    def test_compact_files_show_the_same_poses(self):
        plain, compact = self.path('plain.glb'), self.path('compact.glb')
        self.check(run('convert', sample('ff7', 'hrda'), '-q', '-o', plain), 0)
        self.check(run('convert', sample('ff7', 'hrda'), '-q', '-o', compact, '--compact'), 0)
        got = in_blender(self, APART, 15, plain, compact)
        print('compact: %(own).4f degrees apart at most in a bone\'s own space, %(whole).4f in the armature\'s, %(metres).2g m' % got)
        self.assertEqual(got['poses'], [72, 72])                          # 24 + 17 + 15 + 16 frames
        self.assertGreater(got['own'], 0)
        self.assertLess(got['own'], 0.01)
        self.assertLess(got['whole'], 0.02)
        self.assertLess(got['metres'], 1e-3)

    def test_a_weapon_that_was_added_to_a_rigs_file_swings_in_its_hand(self):
        rig, mapping, out = self.path('rig.glb'), self.path('map.json'), self.path('out.glb')
        attack = 'hrda_002'
        self.check(run('convert', os.path.join(DATA, 'motion', 'cmu_01_01', 'metroid', 'ma_0.ANIM'), '--proxy-mesh', '-q', '-o', rig), 0)
        self.check(run('bind', sample('ff7', 'hrda'), '-s', rig, '--suggest', '-q', '-o', mapping), 0)
        self.check(run('convert', sample('ff7', 'hrda'), '-s', rig, '--map', mapping, '--rig-mesh', 'keep', '-q', '-o', out), 0)
        scene = Scene(read(out))
        clip = scene.animation([a['name'] for a in scene.g['animations']].index(attack))
        weapon = scene.node('weapon000')
        got = in_blender(self, ARMED, out, attack, 15)
        # no joint of a skin: an empty that follows the bone
        self.assertEqual(got['kind'], ['EMPTY', 'BONE', scene.nodes[scene.parent[weapon]]['name']])
        worst = 0
        for frame, (bx, by, bz) in enumerate(got['weapon']):
            x, y, z = scene.world(clip, frame / 15)('weapon000')
            worst = max(worst, abs(bx - x), abs(bz - y), abs(-by - z))
        print('weapon: off by %.2g m at most; at most %.3f m from the mesh, which moves by up to %.2f m' % (worst, max(got['apart']), max(got['moved'])))
        self.assertLessEqual(worst, 1e-4)
        self.assertGreater(max(got['moved']), 0.5)
        self.assertLess(max(got['apart']), 0.1)


if __name__ == '__main__':
    main_in_blender()
