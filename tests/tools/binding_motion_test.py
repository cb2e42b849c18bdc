#!/usr/bin/env python3
"""What bound motion does on rigs: the roll of bones, joints that no role of the body has, the ground, and feet."""
import json, math, os, sys, unittest

from support import Case, DATA, SOURCE, Scene, TOOL, read, run, write

sys.path.insert(0, os.path.join(SOURCE, 'scripts'))
import measure_rolls                                # noqa: E402

CAPTURES = (('cmu_01_01', 'ma'), ('cmu_01_03', 'mb'))


def motion(capture, game, name=''):
    return os.path.join(DATA, 'motion', capture, game, name)


def turned(q, v):
    """a vector by a quaternion x, y, z, w"""
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
        """@param turn, scale of all places; node: properties of a node above the joints"""
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
                for part, most in (('upper arm', 15), ('forearm', 16), ('thigh', 6), ('shin', 6), ('foot', 6)):
                    self.assertLess(measure_rolls.mean(parts[part]), most, (capture, game, part))

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
        for joint, by in (('upperarm_l', 'hinge'), ('upperarm_r', 'hinge'), ('thigh_l', 'hinge'), ('head', 'plane'), ('hand_r', 'plane'), ('foot_l', 'sole'), ('calf_r', 'mean')):
            self.assertEqual(told[joint], by, joint)
        p = self.check(run('convert', motion('cmu_01_01', 'ff7', 'mada'), '-s', self.rig(), '--force', '-v', '-o', self.path('out.glb')), 0)
        for roll in self.binding['rolls']:
            self.assertIn('roll of %s: %.1f deg, by %s\n' % (roll['joint'], roll['degrees'], roll['by']), p.err)
        self.assertNotIn('pelvis', told)             # both legs and the spine tell it
        self.bind(motion('cmu_01_01', 'metroid', 'ma_0.ANIM'), self.rig())
        self.assertEqual(self.binding['rolls'], [])  # its skeleton stores a rest pose

    def test_a_mapping_states_a_roll(self):
        rig, source = self.rig(), motion('cmu_01_01', 'ff7', 'mada')
        self.bind(source, rig)
        lines = [{'source': row['source'], 'target': row['target']} for row in self.binding['matched']]
        arm = next(line for line in lines if line['target'] == 'upperarm_l')

        def with_roll(degrees):
            arm['roll'] = degrees
            mapping = write(self.path('map.json'), json.dumps({'schema': 1, 'by_name': False, 'joints': lines}))
            scene = self.bind(source, rig, '--map', mapping)
            self.assertIn({'joint': arm['source'], 'degrees': degrees, 'by': 'map'}, self.binding['rolls'])
            return measure_rolls.world(scene, scene.animation(0), 0.4, ['upperarm_l', 'lowerarm_l'])
        none, quarter = with_roll(0), with_roll(90)
        bone = [none['lowerarm_l'][r][3] - none['upperarm_l'][r][3] for r in range(3)]
        axis = [c / math.hypot(*bone) for c in bone]
        self.assertAlmostEqual(measure_rolls.roll_between(none['upperarm_l'], quarter['upperarm_l'], axis), 90, 2)
        arm['roll'] = 400
        p = run('convert', source, '-s', rig, '--map', write(self.path('map.json'), json.dumps({'schema': 1, 'joints': lines})), '-o', self.path('never.glb'))
        self.check(p, 1)
        self.assertIn('joints[%d].roll: is 400, expected degrees from -360 to 360\n' % lines.index(arm), p.err)


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
