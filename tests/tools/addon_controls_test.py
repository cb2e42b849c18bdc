#!/usr/bin/env python3
"""The Blender add-on on rigs with controls: rigs that Blender's Rigify generates, and made-up rigs that use the names
of other rigging tools.

The evaluated deform bones are compared with where the samples' generators put the joints.
"""
import json, math

from support import main_in_blender, read
from addon_test import PRELUDE, SEGMENTS, Hero, Installed, direction, rig_set, sample

SEEN = PRELUDE + r'''
def generated(kind):
    """A rig that Rigify generates; its metarig is at hand, too."""
    bpy.ops.preferences.addon_enable(module='rigify')
    getattr(bpy.ops.object, 'armature_%s_metarig_add' % kind)()
    metarig = bpy.context.object
    bpy.ops.pose.rigify_generate()
    return metarig, bpy.data.objects['rig']

def choose(owner):
    bpy.context.view_layer.objects.active = owner
    owner.hide_set(False)

def evaluated(owner, names, times):
    """Heads of the evaluated bones, in glTF's axes"""
    rows = []
    for time in times:
        scene.frame_set(round(time * fps()))
        bones = owner.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        rows.append([(p.x, p.z, -p.y) for p in (bones[n].head for n in names)])
    return rows
'''

RIGIFY = SEEN + r'''
kind, heroes, parts = arguments[0], json.loads(arguments[1]), json.loads(arguments[2])
metarig, rig = generated(kind)
import time
out = []
for path, only, times in heroes:
    choose(rig)
    counted = []
    bpy.app.handlers.frame_change_post.append(lambda *_: counted.append(0))
    start = time.perf_counter()
    error = take(path, target='ACTIVE', only=only, rate='CLIPS')
    spent = time.perf_counter() - start
    bpy.app.handlers.frame_change_post.clear()
    if error:
        out.append({'error': error})
        continue
    action = rig.animation_data.action
    seen = evaluated(rig, ['DEF-' + p for p in parts], times)
    lines = [[l.level, l.name] for l in scene.reanima.lines]
    keyed = sorted({c.data_path for c in curves_of(action)})
    choose(metarig)
    assert not take(path, target='ACTIVE', only=only, rate='CLIPS')
    out.append({'error': error, 'seen': seen, 'plain': evaluated(metarig, parts, times), 'lines': lines, 'keyed': keyed, 'seconds': spent, 'frames': len(counted)})
result(out)
'''

WEAPON = SEEN + r'''
def swords(owner):
    """Of the evaluated bone, frame by frame, seen from the object"""
    rows = []
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        bone = owner.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones['weapon000']
        rows.append([list(bone.head), list(bone.tail - bone.head)])
    return rows

metarig, rig = generated('basic_human')
out = {}
for name, owner in (('rig', rig), ('plain', metarig), ('again', rig)):
    choose(owner)
    error = take(arguments[0], target='ACTIVE', only='hrda_002', rate='CLIPS', weapon_bone=True)
    out[name] = {'error': error} if error else {'error': None, 'parent': owner.data.bones['weapon000'].parent.name, 'swords': swords(owner)}
out['actions'] = sorted(a.name for a in bpy.data.actions)
result(out)
'''

GROUND = SEEN + r'''
metarig, rig = generated('basic_human')
out = {}
for motion in ('keep', 'extract'):
    choose(rig)
    error = take(arguments[0], target='ACTIVE', only='hrda_001', rate='CLIPS', root_motion=motion, again='BOTH')
    out[motion] = error or evaluated(rig, ['root', 'DEF-spine', 'DEF-foot.L', 'DEF-hand.R'], [f / fps() for f in range(17)])
out['back'] = bpy.ops.export_scene.reanima(folder=arguments[1], only=rig.animation_data.action.name) == {'FINISHED'}
result(out)
'''

MADE_UP = SEEN + r'''
# Controls of these names above the deform bones of a rig, and a second chain (IK) that stands still: a switch leads from one to the other.
rig, family, names, renamed, hero, roles = arguments[0], arguments[1], json.loads(arguments[2]), json.loads(arguments[3]), json.loads(arguments[4]), json.loads(arguments[5])
bpy.ops.import_scene.gltf(filepath=rig)
body = next(o for o in bpy.data.objects if o.type == 'ARMATURE')
choose(body)
for old, new in renamed.items():
    body.data.bones[old].name = new
bpy.ops.object.mode_set(mode='EDIT')
edit = body.data.edit_bones
for deform, control in names.items():
    for name in (control, control + '_still'):
        bone = edit.new(name)
        bone.head, bone.tail, bone.roll, bone.use_deform = edit[deform].head, edit[deform].tail, edit[deform].roll, False
for deform, control in names.items():
    above = edit[deform].parent
    while above is not None and above.name not in names:
        above = above.parent if above.name not in renamed.values() else None
    edit[control].parent = edit[names[above.name]] if above is not None else edit[deform].parent
bpy.ops.object.mode_set(mode='POSE')
switch = {'arp': ('c_hand_ik.l', 'ik_fk_switch', 0.0), 'mhx': (None, 'MhaArmIk_L', 1.0)}.get(family)
holder = body
if switch and switch[0]:
    bpy.ops.object.mode_set(mode='EDIT')
    bone = body.data.edit_bones.new(switch[0])
    bone.tail, bone.use_deform = (0, 0, 1), False
    bpy.ops.object.mode_set(mode='POSE')
    holder = body.pose.bones[switch[0]]
if switch:
    holder[switch[1]] = switch[2]
for deform, control in names.items():
    for name in (control, control + '_still'):
        held = body.pose.bones[deform].constraints.new('COPY_TRANSFORMS')
        held.target, held.subtarget = body, name
    if switch:
        driver = held.driver_add('influence').driver
        variable = driver.variables.new()
        variable.targets[0].id = body
        variable.targets[0].data_path = ('pose.bones["%s"]' % switch[0] if switch[0] else '') + '["%s"]' % switch[1]
        driver.type, driver.expression = 'SCRIPTED', '1 - ' + variable.name if switch[2] == 0 else variable.name
bpy.ops.object.mode_set(mode='OBJECT')
bpy.context.view_layer.update()
places = lambda: [[list(v) for v in b.matrix_basis] for b in body.pose.bones] + [holder[switch[1]] if switch else 0]
before = state(), places()
path, only, times = hero
error = take(path, target='ACTIVE', only=only, rate='CLIPS')
if error:
    result({'error': error, 'kept': (state(), places()) == before})
else:
    keyed = sorted({c.data_path for c in curves_of(body.animation_data.action)})
    result({'error': error, 'seen': evaluated(body, roles, times), 'keyed': keyed, 'lines': [l.name for l in scene.reanima.lines]})
'''

PARTS = {'UpperArm': 'upper_arm', 'LowerArm': 'forearm', 'Hand': 'hand', 'UpperLeg': 'thigh', 'LowerLeg': 'shin', 'Foot': 'foot'}
ROLES = [side + part for side in ('left', 'right') for part in PARTS]
BONES = ['%s.%s' % (name, side) for side in 'LR' for name in PARTS.values()]


def degrees(a, b):
    return math.degrees(math.acos(max(-1.0, min(1.0, sum(x * y for x, y in zip(a, b))))))


class Controls(Installed):
    def generated(self, kind):
        heroes = [Hero('ff7/hrda', 'ff7_expected.json', ('ff7', 'hero.names.csv')), Hero('ff9/hero.ff9db', 'ff9_expected.json', ('ff9', 'hero.names.csv')),
                  Hero('metroid/hero_walk.ANIM', 'metroid_prime_expected.json')]
        cases = [(hero, name) for hero in heroes for name in hero.clips]
        got = self.inside(RIGIFY, kind, json.dumps([[h.source, n, h.clips[n][0]] for h, n in cases]), json.dumps(BONES))
        for (hero, name), have in zip(cases, got):
            with self.subTest(source=hero.source, clip=name):
                self.assertIsNone(have['error'])
                off, feet = {}, 0
                for was, now, plain in zip(hero.clips[name][1], have['seen'], have['plain']):
                    for a, b in SEGMENTS:
                        wanted = direction(was[hero.at[a]], was[hero.at[b]])
                        off.setdefault(a, []).append(degrees(wanted, direction(now[ROLES.index(a)], now[ROLES.index(b)])))
                    for foot in ('leftFoot', 'rightFoot'):
                        feet = max(feet, math.dist(now[ROLES.index(foot)], plain[ROLES.index(foot)]))
                mean = {role: sum(values) / len(values) for role, values in off.items()}
                print('%s %s: limbs off by %.3f degrees on average at most, feet %.4f m from the metarig\'s, %.2f s' %
                      (kind, name, max(mean.values()), feet, have['seconds']))
                self.assertLess(max(mean.values()), 1.0, mean)
                self.assertLess(feet, 0.01)
                self.assertLessEqual(have['frames'], 11)        # ten, and the first that is shown
                self.assertIn('pose.bones["upper_arm_fk.L"].rotation_quaternion', have['keyed'])
                self.assertIn('pose.bones["upper_arm_parent.L"]["IK_FK"]', have['keyed'])
                self.assertFalse([p for p in have['keyed'] if 'DEF-' in p or 'MCH-' in p or 'ORG-' in p])

    def test_a_generated_basic_human_follows_by_its_controls(self):
        self.generated('basic_human')

    def test_a_generated_human_with_fingers_and_face_follows_by_its_controls(self):
        self.generated('human')

    def test_the_weapon_comes_to_a_generated_rig_as_to_one_without_controls(self):
        got = self.inside(WEAPON, sample('ff7', 'hrda'))
        self.assertEqual([got[n]['error'] for n in ('rig', 'plain', 'again')], [None] * 3)
        self.assertEqual([got[n]['parent'] for n in ('rig', 'plain', 'again')], ['DEF-hand.R', 'hand.R', 'DEF-hand.R'])
        self.assertGreater(max(degrees(*(direction((0, 0, 0), row[1]) for row in (got['plain']['swords'][0], other))) for other in got['plain']['swords']), 30)      # it is swung
        for name in ('rig', 'again'):
            for (place, way), (plain, wanted) in zip(got[name]['swords'], got['plain']['swords'], strict=True):
                self.assertLess(math.dist(place, plain), 0.01)
                self.assertLess(degrees(direction((0, 0, 0), way), direction((0, 0, 0), wanted)), 1.0)
        self.assertEqual(got['actions'], ['hrda_002', 'hrda_002.001'])       # one of each rig

    def test_the_control_on_the_ground_takes_the_way(self):
        got = self.inside(GROUND, sample('ff7', 'hrda'), self.path('out'))
        for kept, extracted in zip(got['keep'], got['extract'], strict=True):
            self.assertEqual(kept[0], got['keep'][0][0])
            for a, b in zip(kept[1:], extracted[1:]):
                self.assertLess(math.dist(a, b), 1e-3)
        first, *_, last = got['extract']
        way, hips = ([b - a for a, b in zip(first[n], last[n])] for n in (0, 1))
        self.assertGreater(math.hypot(way[0], way[2]), 1)
        self.assertAlmostEqual(way[1], 0)
        for axis in (0, 2):
            self.assertAlmostEqual(way[axis], hips[axis], delta=0.1)
        self.assertTrue(got['back'])
        self.assertEqual(read(self.path('out', 'hrda')), read(sample('ff7', 'hrda')))

    def made_up(self, name, family, controls, renamed):
        """-> the result on a rig whose deform bones follow these controls, and the clip"""
        rig_set.write_set(self.path('rigs'), {'rig': (family, 'adult', {'pose': 'A'})})
        with open(self.path('rigs', 'rig.truth.json'), encoding='utf-8') as file:
            truth = json.load(file)
        hero = Hero('ff7/hrda', 'ff7_expected.json', ('ff7', 'hero.names.csv'))
        bones = [truth['accept'][r][0] for r in ROLES]
        chosen = ['hrda_002', hero.clips['hrda_002'][0]]
        got = self.inside(MADE_UP, self.path('rigs', 'rig.glb'), name, json.dumps(controls), json.dumps(renamed), json.dumps([hero.source] + chosen),
                          json.dumps([renamed.get(b, b) for b in bones]))
        return got, hero, hero.clips['hrda_002'][1]

    def follows(self, got, hero, rows):
        self.assertIsNone(got['error'])
        off = [degrees(direction(was[hero.at[a]], was[hero.at[b]]), direction(now[ROLES.index(a)], now[ROLES.index(b)]))
               for was, now in zip(rows, got['seen']) for a, b in SEGMENTS]
        print('limbs off by %.3f degrees at most' % max(off))
        self.assertLess(max(off), 1.0)

    def test_a_rig_with_the_names_of_auto_rig_pro_follows(self):
        controls = {'root.x': 'c_root_master.x', 'spine_01.x': 'c_spine_01.x', 'spine_02.x': 'c_spine_02.x', 'spine_03.x': 'c_spine_03.x', 'neck.x': 'c_neck.x', 'head.x': 'c_head.x'}
        for s in 'lr':
            controls.update({k + '.' + s: v + '.' + s for k, v in (
                ('shoulder', 'c_shoulder'), ('c_arm_twist_offset', 'c_arm_fk'), ('forearm_stretch', 'c_forearm_fk'), ('hand', 'c_hand_fk'),
                ('thigh_twist', 'c_thigh_fk'), ('leg_stretch', 'c_leg_fk'), ('foot', 'c_foot_fk'), ('toes_01', 'c_toes_fk'))})
        got, hero, rows = self.made_up('arp', 'arp', controls, {})
        self.follows(got, hero, rows)
        self.assertIn('pose.bones["c_arm_fk.l"].rotation_quaternion', got['keyed'])
        self.assertIn('pose.bones["c_hand_ik.l"]["ik_fk_switch"]', got['keyed'])

    def test_a_rig_with_the_names_of_mhx_follows(self):
        renamed = {'spine': 'hips', 'spine.001': 'spine', 'spine.002': 'spine-1', 'spine.003': 'chest', 'spine.004': 'neck', 'spine.006': 'head', 'shoulder.L': 'clavicle.L', 'shoulder.R': 'clavicle.R'}
        controls = {'%s.%s' % (part, s): '%s.fk.%s' % (part, s) for s in 'LR' for part in ('upper_arm', 'forearm', 'hand', 'thigh', 'shin', 'foot', 'toe')}
        got, hero, rows = self.made_up('mhx', 'metarig', controls, renamed)
        self.follows(got, hero, rows)
        self.assertIn('pose.bones["upper_arm.fk.L"].rotation_quaternion', got['keyed'])
        self.assertIn('["MhaArmIk_L"]', got['keyed'])
        self.assertIn('pose.bones["hips"].rotation_quaternion', got['keyed'])

    def test_a_rig_whose_deform_bones_do_not_follow_is_refused_and_left_as_it_was(self):
        controls = {'%s%s' % (s, part): 'mine %s %s' % (s, part) for s in ('Left', 'Right') for part in ('UpperArm', 'LowerArm', 'UpperLeg', 'LowerLeg')}
        got, _, _ = self.made_up('own', 'unity', controls, {})
        self.assertIn('do not follow the keys', got['error'] or '')
        self.assertIn('clear the constraints of its deform bones, and import onto the copy', got['error'])
        self.assertTrue(got['kept'])


if __name__ == '__main__':
    main_in_blender()
