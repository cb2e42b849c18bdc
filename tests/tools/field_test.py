#!/usr/bin/env python3
"""Final Fantasy VII's field animations: the poses are those of the battle samples, which the generator computed."""
import json, math, shutil, struct, unittest

from support import Case, DATA, Scene, read, read_json, run, sample, write

WALK, SKELETON = sample('ff7', 'doll_walk.a'), sample('ff7', 'doll.hrc')
EXPECTED = read_json(DATA, 'samples', 'ff7_expected.json')


def field_names(hrc):
    """bones in file order"""
    lines = [l for l in read(hrc).decode().split('\r\n') if l and not l.startswith(':')]
    return lines[::4]


class Field(Case):
    def convert(self, *args):
        p = self.check(run('convert', *args, '-o', self.path('x.glb'), '--force'), 0)
        return Scene(read(self.path('x.glb'))), p.err

    def test_poses(self):
        scene, _ = self.convert(WALK)
        channels = scene.animation(0)
        frames = next(c for c in EXPECTED['clips'] if c['name'] == 'hrda_001')['frames']
        names = ['root'] + field_names(SKELETON)
        self.assertEqual(len(names), 21)
        for i, frame in enumerate(frames):
            at = scene.world(channels, i / 30)
            for name, place in zip(names, frame['positions']):
                # The expected ones are at scale 1; lengths of floats in a text have 9 digits.
                self.assertLess(math.dist(at(name), [v / 512 for v in place]), 2e-5, (i, name))

    def test_bones_that_the_animation_lacks_are_not_turned(self):
        data = bytearray(read(WALK))
        frames, bones = struct.unpack_from('<2I', data, 4)
        short = struct.pack('<3I', 1, 1, bones - 1) + bytes(data[12:36]) + bytes(data[36:36 + 24 + 12 * (bones - 1)])
        scene, errors = self.convert(write(self.path('a.a'), short), '-s', SKELETON)
        self.assertIn('warning: bone_count: is 19, but the skeleton has 20 bones; the skeleton\'s last bones are not animated', errors)
        last = scene.node(field_names(SKELETON)[-1])
        times, values, _ = scene.animation(0)[(last, 'rotation')]
        self.assertEqual([list(v) for v in values], [[0, 0, 0, 1]])
        more = struct.pack('<3I', 1, 1, bones + 1) + bytes(data[12:36]) + bytes(data[36:36 + 24 + 12 * bones]) + bytes(12)
        _, errors = self.convert(write(self.path('b.a'), more), '-s', SKELETON)
        self.assertIn("warning: bone_count: is 21, but the skeleton has 20 bones; the animation's last bones are left out", errors)

    def test_no_frames_of_any_number_of_bones(self):
        name = write(self.path('lone.a'), struct.pack('<3I4B5I', 1, 0, 0x7FFFFFFF, 1, 0, 2, 0, 0, 0, 0, 0, 0))
        self.tells('lone.a: contains no animation that can be converted', 'convert', name, '-o', self.path('x.glb'), status=1)

    def test_many_animations_of_one_skeleton(self):
        scene, _ = self.convert(sample('ff7', 'doll_idle.a'), WALK, '-s', SKELETON)
        self.assertEqual([a['name'] for a in scene.g['animations']], ['doll_idle', 'doll_walk'])

    def test_a_skeleton_of_the_other_kind_is_a_rig(self):
        """The walk on the battle doll, which is the same figure: its joints are those of the battle pack's own walk."""
        scene, errors = self.convert(WALK, '-s', sample('ff7', 'hraa'))
        self.assertIn('humanoid: 12 of 12 limbs', errors)
        channels = scene.animation(0)
        names = ['root'] + ['bone%03d' % i for i in range(20)] + ['weapon000']
        for i, frame in enumerate(next(c for c in EXPECTED['clips'] if c['name'] == 'hrda_001')['frames']):
            at = scene.world(channels, i / 30)
            for name, place in zip(names, frame['positions'], strict=True):
                # The binding's tolerance: 5 mm for a figure of 1.65 m.
                self.assertLess(math.dist(at(name), [v / 512 for v in place]), 5e-3, (i, name))

    def test_a_rig_that_nothing_moves_is_refused_with_a_way_on(self):
        p = self.check(run('convert', sample('ff7', 'hrda'), '-s', SKELETON, '-o', self.path('x.glb')), 1)
        self.assertIn('note: no animation moves doll, so all its angles are 0\n', p.err)
        self.assertIn('. State in a mapping file which joint follows which (see --map FILE); `reanima bind ', p.err)

    def test_without_a_skeleton(self):
        shutil.copy(WALK, self.path('lone.a'))
        scene, _ = self.convert(self.path('lone.a'), '--report', self.path('report.jsonl'))
        self.assertEqual([w['code'] for w in json.loads(read(self.path('report.jsonl')))['warnings']], ['skeleton-made-up'])
        self.assertEqual(len(scene.g['skins'][0]['joints']), 21)

    def test_any_order_of_axes(self):
        """A quarter turn about X, then one about Z, by hand: order X Z Y is Rx * Rz."""
        frame = struct.pack('<6f', 0, 0, 0, 0, 0, 0) + struct.pack('<3f', 90, 0, 90)
        scenes = {}
        for order in ((0, 2, 1), (2, 0, 1)):
            name = write(self.path('%d%d%d.a' % order), struct.pack('<3I4B5I', 1, 1, 1, *order, 0, 0, 0, 0, 0, 0) + frame)
            hrc = write(self.path('o.hrc'), ':HEADER_BLOCK 2\n:SKELETON o\n:BONES 1\n\nb\nroot\n1\n0 \n')
            scene, _ = self.convert(name, '-s', hrc)
            (_, values, _), = [v for (n, p), v in scene.animation(0).items() if n == scene.node('b') and p == 'rotation']
            scenes[order] = values[0]
        # Raw Rx(90) * Rz(90) = (x, y, z, w) (0.5, -0.5, 0.5, 0.5); Rz(90) * Rx(90) = (0.5, 0.5, 0.5, 0.5); then y and z turn over.
        for order, expected in (((0, 2, 1), (0.5, 0.5, -0.5, 0.5)), ((2, 0, 1), (0.5, -0.5, -0.5, 0.5))):
            sign = 1 if scenes[order][3] > 0 else -1
            for value, wanted in zip(scenes[order], expected):
                self.assertAlmostEqual(sign * value, wanted, 6)

    def test_lengths_beyond_all_reason(self):
        hrc = write(self.path('o.hrc'), ':HEADER_BLOCK 2\n:SKELETON o\n:BONES 1\n\nb\nroot\n1e30\n0 \n')
        self.tells('bones[0].length: is 1.0000000150474662e+30, expected at most 1e+18', 'convert', hrc, '-o', self.path('x.glb'), status=1)

    def test_names_with_blanks_come_back(self):
        text = ':HEADER_BLOCK 2\n:SKELETON o\n:BONES 1\n\nleft hip\nroot\n1\n1 AA\r\bAB\n'
        hrc = write(self.path('o.hrc'), text)
        self.check(run('dump', hrc, '-o', self.path('x.json')), 0)
        self.check(run('encode', self.path('x.json'), '-o', self.path('y.hrc')), 0)
        self.assertEqual(read(self.path('y.hrc')), read(hrc))

    def test_edited_skeletons_are_rewritten(self):
        dump = json.loads(run('dump', SKELETON).stdout)
        dump['joints'][0]['length'] = 7.5
        dump['joints'][1]['resources'] = ['AAAB', 'AAAD']
        p = self.check(run('encode', write(self.path('x.json'), json.dumps(dump)), '-o', self.path('x.hrc')), 0)
        self.assertIn('warning: text: disagrees with the other values and is recalculated from them', p.err)
        again = json.loads(run('dump', self.path('x.hrc')).stdout)
        for key in ('joints', 'name', 'bone_count', 'warnings'):
            self.assertEqual(again[key], dump[key])
        self.assertIn(b'\r\nroot\r\n7.5\r\n1 DLAB\r\n', read(self.path('x.hrc')))
        dump['joints'].append({'name': 'tail', 'parent': 1, 'length': 1, 'resources': []})
        p = self.check(run('encode', write(self.path('x.json'), json.dumps(dump)), '-o', self.path('x.hrc'), '--force'), 0)
        self.assertIn('warning: bone_count: is 20, but there are 21 joints', p.err)
        self.assertEqual(json.loads(run('dump', self.path('x.hrc')).stdout)['bone_count'], 21)
        dump['joints'][2]['name'] = 'two words'
        p = run('encode', write(self.path('x.json'), json.dumps(dump)), '-o', self.path('y.hrc'))
        self.check(p, 1)
        self.assertIn('joints[2].name: is "two words", expected a word without spaces', p.err)
        dump['joints'][2]['name'] = 'caf\u00e9\u2615'
        p = run('encode', write(self.path('x.json'), json.dumps(dump)), '-o', self.path('y.hrc'))
        self.check(p, 1)
        self.assertIn('expected characters of Latin-1', p.err)


if __name__ == '__main__':
    unittest.main()
