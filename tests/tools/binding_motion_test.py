#!/usr/bin/env python3
"""Bound motion on rigs: the roll of bones, joints without a role, the ground, and feet."""
import json, math, os, sys, unittest

from support import Case, DATA, SOURCE, Scene, TOOL, read, run, write

sys.path.insert(0, os.path.join(SOURCE, 'scripts'))
import measure_rolls                                # noqa: E402

CAPTURES = (('cmu_01_01', 'ma'), ('cmu_01_03', 'mb'))


def motion(capture, game, name=''):
    return os.path.join(DATA, 'motion', capture, game, name)


def turned(q, v):
    """a vector, turned by a quaternion x, y, z, w"""
    x, y, z, w = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]]


class Body(Case):
    """A rig under Unreal's names, laid out by hand, arms to the sides; all axes are those of the model."""
    BODY = [('root', None, (0, 0, 0)), ('pelvis', 'root', (0, .95, 0)), ('spine_01', 'pelvis', (0, 1.0, 0)), ('spine_02', 'spine_01', (0, 1.15, 0)),
            ('spine_03', 'spine_02', (0, 1.3, 0)), ('neck_01', 'spine_03', (0, 1.45, 0)), ('head', 'neck_01', (0, 1.55, 0)), ('head_end', 'head', (0, 1.75, 0)),
            ('ik_foot_root', 'root', (0, 0, 0)), ('ik_hand_root', 'root', (0, 0, 0)), ('ik_hand_gun', 'ik_hand_root', (-.71, 1.4, 0))]
    SIDE = [('clavicle', 'spine_03', (.03, 1.4, 0)), ('upperarm', 'clavicle', (.18, 1.4, 0)), ('upperarm_twist_01', 'upperarm', (.32, 1.4, 0)),
            ('lowerarm', 'upperarm', (.46, 1.4, 0)), ('lowerarm_twist_01', 'lowerarm', (.6, 1.4, 0)), ('hand', 'lowerarm', (.71, 1.4, 0)),
            ('middle_01', 'hand', (.8, 1.4, 0)), ('thigh', 'pelvis', (.1, .93, 0)), ('thigh_twist_01', 'thigh', (.1, .7, 0)), ('calf', 'thigh', (.1, .5, .01)),
            ('foot', 'calf', (.1, .08, 0)), ('ball', 'foot', (.1, .02, .12)), ('ik_foot', 'ik_foot_root', (.1, .08, 0)), ('ik_hand', 'ik_hand_gun', (.71, 1.4, 0))]

    def rows(self):
        rows = list(self.BODY)
        for side, sign in (('l', 1), ('r', -1)):
            here = {name: '%s_%s' % (name, side) for name, _, _ in self.SIDE}
            rows += [(here[name], here.get(parent, parent), (sign * x, y, z)) for name, parent, (x, y, z) in self.SIDE]
        return rows

    def rig(self, name='rig', turn=(0, 0, 0, 1), scale=1.0, node=None):
        """@param turn, scale applied to all positions; node: properties of a node above the joints"""
        rows = self.rows()
        places = {name: [scale * c for c in turned(turn, place)] for name, _, place in rows}
        nodes = [{'name': name, 'translation': [a - b for a, b in zip(places[name], places[parent] if parent else (0, 0, 0))],
                  'children': [i for i, row in enumerate(rows) if row[1] == name]} for name, parent, _ in rows]
        for each in nodes:
            if not each['children']:
                del each['children']
        top = 0
        if node:
            top = len(nodes)
            nodes.append(dict(node, name='Armature', children=[0]))
        return write(self.path(name + '.gltf'), json.dumps({'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [top]}], 'nodes': nodes}))

    def bind(self, source, rig, *options, out='out.glb'):
        report = self.path('report.json')
        p = self.check(run('convert', source, '-s', rig, '--force', '--report', report, '-o', self.path(out), *options), 0)
        self.binding = json.loads(read(report).decode().splitlines()[0])['binding']
        self.err = p.err
        return Scene(read(self.path(out)))


class Rolls(Body):
    def test_rolls_are_those_of_a_source_with_a_rest_pose(self):
        """against the Metroid Prime clips of the same captures, whose skeleton stores its rest pose"""
        rig = self.rig()
        for capture, _ in CAPTURES:
            for game, parts in measure_rolls.measure(TOOL, rig, motion(capture, '').rstrip('/'), [], self.folder).items():
                for part, most in (('thigh', 6), ('shin', 6), ('foot', 6)):
                    self.assertLess(measure_rolls.mean(parts[part]), most, (capture, game, part))

    def test_elbows_bend_to_the_front(self):
        """like those of a rig with its arms out to the sides, for any rest pose of the capture"""
        for capture, pack in (('cmu_01_01', 'mada'), ('cmu_01_03', 'mbda')):
            scene = self.bind(motion(capture, 'ff7', pack), self.rig())
            for side in 'lr':
                arm, elbow, wrist = ('%s_%s' % (name, side) for name in ('upperarm', 'lowerarm', 'hand'))
                up = ahead = 0
                for clip in range(len(scene.g['animations'])):
                    animation = scene.animation(clip)
                    for frame in range(0, 22, 3):
                        at = measure_rolls.world(scene, animation, frame / 15, [arm, elbow, wrist])
                        forearm = [at[wrist][r][3] - at[elbow][r][3] for r in range(3)]
                        y, z = (sum(at[arm][r][c] * forearm[r] for r in range(3)) for c in (1, 2))
                        up, ahead = up + y * math.hypot(y, z), ahead + z * math.hypot(y, z)
                self.assertLess(abs(math.degrees(math.atan2(up, ahead))), 10, (capture, side))

    def test_all_clips_tell_the_rolls_whichever_are_converted(self):
        rig, source = self.rig(), motion('cmu_01_01', 'ff7', 'mada')
        whole = self.bind(source, rig)
        rolls = self.binding['rolls']
        alone = self.bind(source, rig, '--clip', '4', out='alone.glb')
        self.assertEqual([roll['joint'] for roll in rolls], [roll['joint'] for roll in self.binding['rolls']])
        for a, b in zip(rolls, self.binding['rolls']):
            self.assertAlmostEqual(a['degrees'], b['degrees'], 4)
        names = [a['name'] for a in whole.g['animations']]
        before, after = whole.animation(names.index(alone.g['animations'][0]['name'])), alone.animation(0)
        for (node, path), (times, values, _) in after.items():
            self.assertEqual(len(times), len(before[node, path][0]))
            for u, v in zip(values, before[node, path][1]):
                self.assertLess(max(abs(x - y) for x, y in zip(u, v)), 1e-4)

    def test_the_report_tells_which_rolls_are_guesses(self):
        self.bind(motion('cmu_01_01', 'ff7', 'mada'), self.rig())
        target = {row['source']: row['target'] for row in self.binding['matched']}
        told = {target[roll['joint']]: roll['by'] for roll in self.binding['rolls']}
        for joint, by in (('upperarm_l', 'hinge'), ('upperarm_r', 'hinge'), ('thigh_l', 'hinge'), ('head', 'face'), ('pelvis', 'back'), ('hand_r', 'palm'), ('foot_l', 'sole'), ('calf_r', 'mean')):
            self.assertEqual(told[joint], by, joint)
        p = self.check(run('convert', motion('cmu_01_01', 'ff7', 'mada'), '-s', self.rig(), '--force', '-v', '-o', self.path('out.glb')), 0)
        for roll in self.binding['rolls']:
            self.assertIn('roll of %s: %.1f deg, by %s\n' % (roll['joint'], round(roll['degrees'], 1) + 0.0, roll['by']), p.err)
        self.bind(motion('cmu_01_01', 'metroid', 'ma_0.ANIM'), self.rig())
        # its skeleton stores a rest pose, which looks ahead: nothing is guessed from the motion
        self.assertLessEqual({roll['by'] for roll in self.binding['rolls']}, {'face', 'back', 'palm', 'sole', 'rest'})

    def test_a_mapping_states_a_roll(self):
        rig, source = self.rig(), motion('cmu_01_01', 'ff7', 'mada')
        self.bind(source, rig)
        lines = [{'source': row['source'], 'target': row['target']} for row in self.binding['matched']]
        arm = next(line for line in lines if line['target'] == 'upperarm_l')

        def with_roll(degrees):
            arm['roll'] = degrees
            mapping = write(self.path('map.json'), json.dumps({'schema': 1, 'by_name': False, 'joints': lines}))
            scene = self.bind(source, rig, '--map', mapping)
            self.assertIn({'joint': arm['source'], 'degrees': degrees, 'by': 'map', 'guess': False}, self.binding['rolls'])
            return measure_rolls.world(scene, scene.animation(0), 0.4, ['upperarm_l', 'lowerarm_l'])
        none, quarter = with_roll(0), with_roll(90)
        bone = [none['lowerarm_l'][r][3] - none['upperarm_l'][r][3] for r in range(3)]
        axis = [c / math.hypot(*bone) for c in bone]
        self.assertAlmostEqual(measure_rolls.roll_between(none['upperarm_l'], quarter['upperarm_l'], axis), 90, 2)
        arm['roll'] = 400
        p = run('convert', source, '-s', rig, '--map', write(self.path('map.json'), json.dumps({'schema': 1, 'joints': lines})), '-o', self.path('never.glb'))
        self.check(p, 1)
        self.assertIn('joints[%d].roll: is 400, expected degrees from -360 to 360\n' % lines.index(arm), p.err)


def places(scene, clip, names, rate, frames):
    """positions of joints, per frame"""
    animation = scene.animation(clip)
    rows = []
    for frame in range(frames):
        at = scene.world(animation, frame / rate)
        rows.append([at(name) for name in names])
    return rows


class Twins(Body):
    """A rig in any pose in space and with any unit moves like its upright twin."""
    HALF = math.sqrt(0.5)
    JOINTS = ['pelvis', 'spine_03', 'head', 'upperarm_l', 'lowerarm_l', 'hand_l', 'thigh_r', 'calf_r', 'foot_r', 'ball_r', 'ik_foot_r', 'hand_r', 'ik_hand_r']

    def check_twin(self, rig, unit=1.0):
        for source, rate, frames in ((motion('cmu_01_01', 'ff7', 'mada'), 15, 22), (motion('cmu_01_03', 'ff9', 'mb_0.ff9anim'), 30, 40), (motion('cmu_01_01', 'metroid', 'ma_0.ANIM'), 30, 40)):
            mine = places(self.bind(source, rig), 0, self.JOINTS, rate, frames)
            upright = places(self.bind(source, self.rig('upright'), out='upright.glb'), 0, self.JOINTS, rate, frames)
            worst = max(math.dist([c * unit for c in u], v) for a, b in zip(mine, upright) for u, v in zip(a, b))
            self.assertLess(worst, 0.002, source)    # metres, of a figure of 1.75

    def test_on_its_back(self):
        self.check_twin(self.rig(turn=(-self.HALF, 0, 0, self.HALF)))

    def test_looking_aside(self):
        self.check_twin(self.rig(turn=(0, self.HALF, 0, self.HALF)))

    def test_below_a_node_with_a_scale(self):
        self.check_twin(self.rig(scale=100, node={'scale': [.01, .01, .01]}))

    def test_below_a_node_that_turns_and_scales(self):
        self.check_twin(self.rig(turn=(self.HALF, 0, 0, self.HALF), scale=100, node={'scale': [.01, .01, .01], 'rotation': [-self.HALF, 0, 0, self.HALF]}))

    def test_in_centimetres(self):
        self.check_twin(self.rig(scale=100), 0.01)


class Ground(Body):
    SOURCE = motion('cmu_01_01', 'ff7', 'mada')      # its first clip moves over the ground, away from the origin
    ROOT = ['root', 'pelvis', 'ik_foot_l', 'foot_l', 'ik_hand_l', 'hand_l']

    def moved(self, *options):
        return places(self.bind(self.SOURCE, self.rig(), *options), 0, self.ROOT, 15, 22)

    def check_beside(self, rows):
        """IK joints are at the hands and feet"""
        for row in rows:
            self.assertLess(math.dist(row[2], row[3]), 1e-4)
            self.assertLess(math.dist(row[4], row[5]), 1e-4)

    def test_ik_joints_stay_at_what_they_aim_at(self):
        rows = self.moved()
        self.check_beside(rows)
        self.assertGreater(max(math.dist(rows[0][1], row[1]) for row in rows), 0.3)
        for row in rows:
            self.assertLess(math.hypot(*row[0]), 1e-6)           # the ground joint rests

    def test_what_is_kept_beside_an_ik_joint_does_not_lead_it(self):
        self.moved()
        lines = [{'source': row['source'], 'target': row['target']} for row in self.binding['matched']]
        next(line for line in lines if line['target'] == 'foot_l')['carrier'] = 'ik_foot_l'
        mapping = write(self.path('map.json'), json.dumps({'schema': 1, 'by_name': False, 'joints': lines}))
        rows = self.moved('--map', mapping)
        for row in rows:
            self.assertLess(math.dist(row[2], (.1, .08, 0)), 1e-6)    # as at rest

    def test_in_place_is_above_the_origin(self):
        kept, rows = self.moved(), self.moved('--root-motion', 'in-place')
        self.check_beside(rows)
        self.assertGreater(math.hypot(kept[0][1][0], kept[0][1][2]), 0.1)
        for before, row in zip(kept, rows):
            self.assertLess(math.hypot(row[1][0], row[1][2]), 1e-4)
            self.assertAlmostEqual(row[1][1], before[1][1], 4)
            self.assertLess(math.hypot(*row[0]), 1e-6)

    def test_extracted_motion_goes_to_the_ground_joint(self):
        kept, rows = self.moved(), self.moved('--root-motion', 'extract')
        for before, row in zip(kept, rows):
            for joint, (u, v) in enumerate(zip(before, row)):
                if joint:
                    self.assertLess(math.dist(u, v), 2e-4, self.ROOT[joint])     # nothing looks different
            self.assertAlmostEqual(row[0][0], row[1][0], 4)
            self.assertAlmostEqual(row[0][1], 0, 6)
            self.assertAlmostEqual(row[0][2], row[1][2], 4)


class Twists(Body):
    def test_twist_joints_take_their_share(self):
        scene = self.bind(motion('cmu_01_01', 'metroid', 'ma_0.ANIM'), self.rig())
        animation = scene.animation(0)
        seen = set()
        for frame in range(0, 40, 4):
            for limb, end, above, share in (('upperarm_l', 'lowerarm_l', 'clavicle_l', 0.5), ('thigh_r', 'calf_r', 'pelvis', 23 / 43)):
                twist = limb[:-2] + '_twist_01' + limb[-2:]
                world = measure_rolls.world(scene, animation, frame / 30, [limb, end, above, twist])
                bone = [world[end][r][3] - world[limb][r][3] for r in range(3)]
                bone = [c / math.hypot(*bone) for c in bone]
                # the smallest turn of the limb's parent that points it along the limb has no roll
                rest = (1, 0, 0) if limb.startswith('upperarm') else (0, -1, 0)
                carried = [sum(world[above][r][k] * rest[k] for k in range(3)) for r in range(3)]
                axis = [carried[1] * bone[2] - carried[2] * bone[1], carried[2] * bone[0] - carried[0] * bone[2], carried[0] * bone[1] - carried[1] * bone[0]]
                sine, cosine = math.hypot(*axis), sum(a * b for a, b in zip(carried, bone))
                swung = [[0.0] * 4 for _ in range(3)]
                for c in range(3):
                    v = [world[above][r][c] for r in range(3)]
                    a = [x / sine for x in axis]
                    cross = [a[1] * v[2] - a[2] * v[1], a[2] * v[0] - a[0] * v[2], a[0] * v[1] - a[1] * v[0]]
                    along = sum(x * y for x, y in zip(a, v))
                    for r in range(3):
                        swung[r][c] = v[r] * cosine + cross[r] * sine + a[r] * along * (1 - cosine)
                whole = measure_rolls.roll_between(swung, world[limb], bone)
                part = measure_rolls.roll_between(swung, world[twist], bone)
                if abs(whole) > 5:
                    seen.add(limb)
                    self.assertAlmostEqual(part / whole, share, 1, (limb, frame))
        self.assertEqual(seen, {'upperarm_l', 'thigh_r'})


class Feet(Body):
    def test_the_report_says_how_feet_slide_and_sink(self):
        for source in (motion('cmu_01_01', 'ff7', 'mada'), motion('cmu_01_03', 'metroid', 'mb_0.ANIM')):
            self.bind(source, self.rig())
            feet = self.binding['feet']
            self.assertGreater(feet['frames'], 10)
            self.assertGreater(feet['source_slide_mm_per_second'], 0)
            self.assertLess(feet['slide_mm_per_second'], 1.5 * feet['source_slide_mm_per_second'])
            self.assertLess(feet['sink_mm'], 60)
            self.assertIn('planted feet slide at %.0f mm/s (%.0f in the source)\n' %
                          (feet['slide_mm_per_second'], feet['source_slide_mm_per_second']), self.err)
            floor = self.binding['floor']
            self.assertIn('while standing, the feet are up to %.0f mm above and %.0f mm below the ground\n' % (floor['floats_mm'], floor['sinks_mm']), self.err)

    def test_a_figure_that_floats_is_warned_of(self):
        self.bind(motion('cmu_01_01', 'ff7', 'mada'), self.rig(), '--root-scale', '2')
        self.assertRegex(self.err, 'warning: while standing, the feet are up to [0-9]+ mm above and [0-9]+ mm below the ground')

    def test_feet_that_are_planted_stay(self):
        for source in (motion('cmu_01_01', 'ff7', 'mada'), motion('cmu_01_03', 'metroid', 'mb_0.ANIM')):
            self.bind(source, self.rig())
            before = self.binding['feet']
            self.assertNotIn('before', before)
            self.bind(source, self.rig(), '--plant-feet')
            feet = self.binding['feet']
            self.assertEqual(feet['before'], {key: before[key] for key in ('slide_mm_per_second', 'sink_mm')})
            self.assertEqual((feet['frames'], feet['source_slide_mm_per_second']), (before['frames'], before['source_slide_mm_per_second']))
            self.assertLess(feet['slide_mm_per_second'], 1.2 * feet['source_slide_mm_per_second'])
            self.assertLess(feet['sink_mm'], 5)
            self.assertIn('planted feet slide at %.0f mm/s (%.0f before planting, ' %
                          (feet['slide_mm_per_second'], before['slide_mm_per_second']), self.err)

    def test_planting_moves_no_figure_off_its_floor(self):
        for source in (motion('cmu_01_01', 'ff7', 'mada'), motion('cmu_01_03', 'ff7', 'mbda'), motion('cmu_01_03', 'ff9', 'mb_0.ff9anim')):
            self.bind(source, self.rig())
            before, sink = self.binding['floor'], self.binding['feet']['sink_mm']
            self.bind(source, self.rig(), '--plant-feet')
            self.assertLess(self.binding['feet']['slide_mm_per_second'], 0.9 * self.binding['feet']['before']['slide_mm_per_second'])
            self.assertLess(self.binding['feet']['sink_mm'], sink + 1)
            worst = lambda floor: max(floor['floats_mm'], floor['sinks_mm'])
            self.assertLess(worst(self.binding['floor']), max(worst(before), 5) + 1, source)

    def test_planting_says_when_it_does_not_help(self):
        # the hips are carried ten times as far, beyond the reach of the legs
        self.bind(motion('cmu_01_03', 'ff7', 'mbda'), self.rig(), '--plant-feet', '--root-scale', '10')
        slide = self.binding['feet']['slide_mm_per_second']
        self.assertIn('warning: plant-feet: has little effect: standing feet still slide at %.0f mm/s (%.0f before). A larger correction would move the character off the ground'
                      % (slide, self.binding['feet']['before']['slide_mm_per_second']), self.err)

    def test_feet_are_left_where_no_leg_is_known(self):
        self.bind(motion('cmu_01_01', 'metroid', 'ma_0.ANIM'), self.rig(), '--plant-feet', '--mode', 'local')
        self.assertIn('warning: plant-feet: feet are not planted, because no leg is known from hip to ankle on both skeletons', self.err)
        p = run('convert', motion('cmu_01_01', 'metroid', 'ma_0.ANIM'), '--plant-feet', '-o', self.path('own.glb'))
        self.assertIn('--plant-feet', self.check(p, 2).err)

    def test_the_figures_are_those_of_the_written_file(self):
        """checked on the positions in the written file; the rule for a standing foot is implemented here again"""
        source = motion('cmu_01_01', 'metroid', 'ma_0.ANIM')
        self.check(run('convert', source, '-q', '--force', '-o', self.path('own.glb')), 0)
        own = Scene(read(self.path('own.glb')))
        toes = ['LeftToeBase', 'RightToeBase']
        before = places(own, 0, toes + ['LeftUpLeg', 'LeftLeg', 'LeftFoot'], 30, 40)
        leg = math.dist(before[0][2], before[0][3]) + math.dist(before[0][3], before[0][4])
        for options in ((), ('--plant-feet',)):
            scene = self.bind(source, self.rig(), *options)
            feet = self.binding['feet']
            after = places(scene, 0, ['ball_l', 'ball_r'], 30, 40)
            slides, sink = [], 0
            for side in (0, 1):
                lowest = min(row[side][1] for row in before)
                for i in range(1, 40):
                    speed = 30 * math.dist(before[i][side], before[i - 1][side])
                    if speed < .24 * leg and before[i][side][1] < lowest + .05 * leg:
                        slides.append(30 * math.dist(after[i][side], after[i - 1][side]) * 1000)
                        sink = max(sink, (0.02 - after[i][side][1]) * 1000)
            self.assertEqual(feet['frames'], len(slides))
            self.assertAlmostEqual(feet['slide_mm_per_second'], sum(slides) / len(slides), 0)
            self.assertAlmostEqual(feet['sink_mm'], sink, 0)


class Scale(Body):
    def test_a_mapping_keeps_the_scale_of_the_legs(self):
        rig = self.rig()
        for capture, letters in CAPTURES:
            for source in (motion(capture, 'ff7', letters + 'da'), motion(capture, 'ff9', letters + '_0.ff9anim'), motion(capture, 'metroid', letters + '_0.ANIM')):
                self.bind(source, rig)
                scale = self.binding['scale']
                self.check(run('bind', source, '-s', rig, '--suggest', '--force', '-o', self.path('map.json')), 0)
                self.bind(source, rig, '--map', self.path('map.json'))
                self.assertAlmostEqual(self.binding['scale'], scale, 6)


if __name__ == '__main__':
    unittest.main()
