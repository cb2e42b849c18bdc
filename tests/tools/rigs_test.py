#!/usr/bin/env python3
"""Rigs of other programs: the output of `info`, messages about bindings, and models in a batch that are not people."""
import json, os, unittest

from gltf_files import parts
from pictures import colours
from support import Case, DATA, read, run, sample, write
import rig_set

# Two captures of a person who walks, and who jumps.
WALK = os.path.join(DATA, 'motion', 'cmu_01_03', 'ff7', 'mbda')


class Rigs(Case):
    def rig(self, family='mixamo', proportions='adult', **options):
        path = self.path(family + '.glb')
        if not os.path.exists(path):
            options.setdefault('pose', 'T')
            rig_set.write(path, rig_set.build(family, proportions, options))
        return path

    def with_clips(self):
        """A rig with a mesh and the four clips of a sample, each bound to it."""
        path = self.path('moving.glb')
        self.check(run('convert', sample('ff7', 'hrda'), '-s', self.rig(mesh='yes'), '-q', '--force', '-o', path), 0)
        return path


class Info(Rigs):
    def info(self, *words):
        return self.check(run('info', *words), 0).stdout.decode()

    def test_a_rig_of_a_family(self):
        path = self.rig(mesh='yes')
        text = self.info(path, '-v')
        self.assertTrue(text.startswith(path + ': a rig; motion can be bound to it\nMixamo: 12 of 12 limbs, spine 3, neck 1, head'), text[:300])
        self.assertRegex(text, r' m high; meshes with \d+ vertices follow them; 0 clips\n')
        self.assertRegex(text, r'\n +\d+ +mixamorig:LeftArm +mixamorig:LeftShoulder +0\.\d{3} m  leftUpperArm\n')
        value, = json.loads(self.info('--json', path))
        truth = json.loads(read(path.replace('.glb', '.truth.json')))
        self.assertEqual((value['format'], value['rig']['family'], value['rig']['humanoid']), ('rig', 'Mixamo', True))
        roles = {joint['name']: joint['role'] for joint in value['joints']}
        for part in ('UpperArm', 'LowerArm', 'Hand', 'UpperLeg', 'LowerLeg', 'Foot'):
            for side in ('left', 'right'):
                self.assertIn(side + part, [roles[joint] for joint in truth['accept'][side + part]])
        gltf = parts(read(path))[0]
        vertices = sum(gltf['accessors'][p['attributes']['POSITION']]['count'] for m in gltf['meshes'] for p in m['primitives'])
        self.assertEqual(value['rig']['vertices'], vertices)
        bounds = [gltf['accessors'][p['attributes']['POSITION']] for m in gltf['meshes'] for p in m['primitives']]
        tall = max(b['max'][1] for b in bounds) - min(b['min'][1] for b in bounds)
        self.assertAlmostEqual(value['rig']['height'], tall, delta=.02 * tall)

    def test_the_clips_that_it_brings_along(self):
        own = json.loads(self.info('--json', sample('ff7', 'hrda')))[0]['clips']
        value, = json.loads(self.info('--json', self.with_clips()))
        self.assertEqual([clip['name'] for clip in value['clips']], [clip['name'] for clip in own])
        for clip, expected in zip(value['clips'], own):
            self.assertAlmostEqual(clip['seconds'], expected['seconds'], delta=1e-4)
        self.assertRegex(self.info(self.with_clips()), r'; 4 clips\n\nindex  clip +seconds  frames  rate  loop\n    0  hrda_000 +1\.533      24    15     -\n')

    def test_a_capture(self):
        rows = ['HIERARCHY', 'ROOT hip', '{', 'OFFSET 0 1 0', 'CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation', 'JOINT thigh', '{',
                'OFFSET 0 -0.5 0', 'CHANNELS 3 Zrotation Xrotation Yrotation', 'End Site', '{', 'OFFSET 0 -0.4 0', '}', '}', '}', 'MOTION', 'Frames: 4',
                'Frame Time: 0.05'] + ['0 1 0 0 0 0 0 0 0'] * 4
        value, = json.loads(self.info('--json', write(self.path('cut.bvh'), '\n'.join(rows) + '\n')))
        self.assertEqual(value['rig']['humanoid'], False)
        self.assertEqual(value['rig']['body'], 'not recognised as a humanoid: no two legs. To state which joint follows which, use a mapping (-s RIG --map FILE)')
        self.assertEqual([joint['name'] for joint in value['joints']][:2], ['hip', 'thigh'])
        self.assertTrue(all(joint['role'] is None for joint in value['joints']))
        self.assertIn('; no mesh follows them; 1 clip\n', self.info(self.path('cut.bvh')))
        self.assertEqual(len(value['clips']), 1)
        self.assertAlmostEqual(value['clips'][0]['seconds'], .15, delta=1e-4)

    def test_what_is_no_rig(self):
        p = self.check(run('info', write(self.path('hero.glb'), 'glTF')), 1)
        self.assertIn('hero.glb: ', p.err)
        p = self.check(run('info', write(self.path('notes.txt'), 'nothing')), 1)
        self.assertIn('notes.txt: is not a file of a known format', p.err)


class Words(Rigs):
    def bind(self, *words):
        return self.check(run('convert', *words, '--force', '-o', self.path('out.glb')), 0).err

    def test_what_a_person_sees_comes_first(self):
        said = self.bind(WALK, '-s', self.rig())
        order = [said.index(words) for words in ('12 of 12 limbs', 'floor: while standing, the feet are', 'face: ', 'hands: palms ',
                                                 'feet: soles are level', 'feet: planted feet slide', 'scale ')]
        self.assertEqual(order, sorted(order))
        self.assertNotIn('roll of', said)
        self.assertIn('roll of', self.bind(WALK, '-s', self.rig(), '-v'))

    def test_joints_are_not_listed_if_everything_fits(self):
        said = self.bind(sample('ff7', 'hrda'), '-s', self.rig())
        self.assertIn('\nfits\n', said)
        everything = self.bind(sample('ff7', 'hrda'), '-s', self.rig(), '-v')
        for words in ('bones apart', 'follow nothing', 'roll of', 'scale '):
            self.assertNotIn(words, said)
            self.assertIn(words, everything)

    def test_a_mapping_of_the_legs_alone(self):
        said = self.bind(sample('ff7', 'hrda'), '-s', self.rig(), '--map', self.partial())
        self.assertIn('joints are matched by the mapping; Mixamo: 4 of 12 limbs', said)

    def partial(self):
        lines = ['root,mixamorig:Hips', 'bone013,mixamorig:LeftUpLeg', 'bone014,mixamorig:LeftLeg', 'bone017,mixamorig:RightUpLeg', 'bone018,mixamorig:RightLeg']
        return write(self.path('map.json'), json.dumps({'schema': 1, 'by_name': False, 'joints': [
            dict(zip(('source', 'target'), line.split(','))) for line in lines]}))

    def test_limbs_are_counted_for_names_too(self):
        """the game's own skeleton as a rig: all its joints have equal names"""
        rig = self.path('own.glb')
        self.check(run('convert', WALK, '-q', '-o', rig), 0)
        self.assertRegex(self.bind(WALK, '-s', rig), r'note: \d+ joints are matched by names; humanoid: 12 of 12 limbs')


class NoHumanoids(Rigs):
    """props.ff9db contains a thing of three joints and one of two."""

    def convert(self, *words):
        return run('convert', *words, '-s', self.rig(), '--force', '--report', self.path('report.jsonl'))

    def rows(self):
        return [line for line in map(json.loads, read(self.path('report.jsonl')).splitlines()) if 'sums' not in line]

    def test_a_batch_leaves_them_out(self):
        p = self.check(self.convert(sample('ff9'), '-o', self.path('out') + '/'), 0)
        self.assertEqual(p.err.count('props.ff9db: warning: skipped, not recognised as a humanoid: '), 2)
        self.assertEqual(p.err.splitlines()[-1], '3 converted, 0 failed, 4 skipped (nothing to convert), 2 skipped (not a humanoid)')
        self.assertEqual([row['status'] for row in self.rows()].count('skipped'), 2)
        self.assertFalse([name for name in os.listdir(self.path('out')) if 'props' in name])
        codes = [w['code'] for row in self.rows() if row['status'] == 'skipped' for w in row['warnings']]
        self.assertEqual(codes.count('no-humanoid'), 2)

    def test_that_is_a_failure_if_it_is_wanted(self):
        for words in (['--strict'], ['--warn', 'no-humanoid=error']):
            p = self.check(self.convert(sample('ff9'), *words, '-o', self.path('out') + '/'), 1)
            self.assertEqual(p.err.count('props.ff9db: warnings count as errors'), 2)
            self.assertEqual(p.err.splitlines()[-1], '3 converted, 2 failed, 4 skipped (nothing to convert)')

    def test_one_that_is_named_is_an_error(self):
        p = self.check(self.convert(sample('ff9', 'props.ff9db'), '--model', '2000', '-o', self.path('prop.glb')), 1)
        self.assertIn('the motion is not recognised as humanoid: ', p.err)
        self.assertIn(' --model 2000 --suggest -o MAP.json` suggests a mapping', p.err)

    def test_a_rig_that_is_none_fails_them_all(self):
        dog = self.path('dog.glb')
        rig_set.write(dog, rig_set.build('dog', 'adult', {}))
        p = self.check(run('convert', sample('ff9'), '-s', dog, '-o', self.path('out') + '/'), 1)
        self.assertIn('the rig is not recognised as a humanoid: ', p.err)
        self.assertNotIn('no humanoid', p.err)


class Sheet(Rigs):
    LEFT = (45, 105, 190)

    def test_the_rigs_own_mesh_is_drawn(self):
        counts = {}
        for name, words in (('mesh', []), ('bones', ['--no-mesh'])):
            out = self.path(name + '.png')
            p = run('preview', sample('ff7', 'hrda'), '-s', self.rig(mesh='yes'), *words, '-q', '-o', out)
            self.drawn(p)
            counts[name] = colours(read(out))
        self.assertEqual(counts['mesh'][self.LEFT], 0)
        self.assertGreater(counts['bones'][self.LEFT], 100)
        clay = {name: sum(n for colour, n in count.items() if len(set(colour)) == 1 and 120 < colour[0] < 170) for name, count in counts.items()}
        self.assertGreater(clay['mesh'], 4 * 8 * 300)                           # in each of the poses
        self.assertGreater(clay['mesh'], 10 * clay['bones'])


if __name__ == '__main__':
    unittest.main()
