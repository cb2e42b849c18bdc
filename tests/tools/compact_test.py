#!/usr/bin/env python3
"""Compact files against the usual ones: only rotations differ, by no more than the error in the report."""
import json, os, unittest

from geometry import degrees_between
from support import Case, Scene, read, run, sample

CLIPS = [('ff7', ['hrda']), ('ff9', ['hero.ff9db']), ('metroid', ['hero_%s.ANIM' % c for c in ('idle', 'walk', 'spin', 'attack')])]


class Compact(Case):
    def both(self, *files, name='x.glb', **more):
        """-> the usual file, the compact one, its line of the report"""
        plain, small, report = self.path('plain', name), self.path('small', name), self.path('report.jsonl')
        self.check(run('convert', *files, '-q', '--force', '-o', plain), 0)
        self.check(run('convert', *files, '-q', '--force', '-o', small, '--compact', '--report', report), 0)
        if not name.endswith('.glb'):
            return plain, small, None
        return Scene(read(plain)), Scene(read(small)), json.loads(read(report).splitlines()[0])

    def same(self, plain, small, reported):
        """-> the largest angle between two rotations in degrees"""
        self.assertEqual([a['name'] for a in plain.g['animations']], [a['name'] for a in small.g['animations']])
        worst = 0
        for i in range(len(plain.g['animations'])):
            usual, compact = plain.animation(i), small.animation(i)
            self.assertEqual(usual.keys(), compact.keys())
            for key, (times, values, interpolation) in usual.items():
                self.assertEqual(compact[key][0], times)
                self.assertEqual(compact[key][2], interpolation)
                if key[1] == 'rotation':
                    worst = max(worst, *map(degrees_between, values, compact[key][1]))
                else:
                    self.assertEqual(compact[key][1], values)
        self.assertLessEqual(worst, 0.01)
        self.assertAlmostEqual(worst, reported, delta=1e-5)       # the usual file has floats, which are rounded too
        return worst

    def test_every_game(self):
        for game, names in CLIPS:
            with self.subTest(game):
                plain, small, line = self.both(*(sample(game, n) for n in names), '--no-mesh')
                worst = self.same(plain, small, line['rotation_error_degrees'])
                self.assertGreater(worst, 0)
                for a, b in zip(plain.nodes, small.nodes):
                    self.assertEqual({k: v for k, v in a.items() if k != 'extras'}, b)
                self.assertEqual({k: list(v) for k, v in small.g['scenes'][0]['extras'].items()}, {'reanima': ['key', 'hash']})
                self.assertNotIn('extras', json.dumps([small.g['nodes'], small.g['animations']]))
                stored = [json.dumps([a['type'], small.accessor(i)]) for i, a in enumerate(small.g['accessors'])]
                self.assertEqual(len(set(stored)), len(stored), 'the same values twice')
                used = {s['output'] for a in small.g['animations'] for s in a['samplers']}
                for output in used:
                    if small.g['accessors'][output]['type'] == 'VEC4':
                        self.assertEqual(small.g['accessors'][output]['componentType'], 5122)
                self.assertLess(len(small.blob), 0.65 * len(plain.blob))

    def test_steps_and_a_mesh(self):
        plain, small, line = self.both(sample('ff7', 'hrda'), '--interpolation', 'step', '--proxy-mesh')
        self.same(plain, small, line['rotation_error_degrees'])
        self.assertEqual(plain.g['meshes'][0]['name'], small.g['meshes'][0]['name'])
        self.assertTrue(all(s['interpolation'] == 'STEP' for s in small.g['animations'][0]['samplers']))

    def test_a_video(self):
        plain, small, line = self.both(sample('rlf', 'gate.rlf'))
        self.assertEqual(plain.animation(0), small.animation(0))
        self.assertNotIn('rotation_error_degrees', line)
        self.assertLess(len(small.g['accessors']), len(plain.g['accessors']))
        self.assertEqual(list(small.g['scenes'][0]['extras']['reanima']), ['key', 'hash'])

    def test_into_a_rigs_own_file(self):
        rig = self.path('rig.glb')
        self.check(run('convert', sample('ff7', 'hraa'), '--no-mesh', '--proxy-mesh', '-q', '-o', rig), 0)
        options = ('-s', rig, '--rig-mesh', 'keep', '--source-skeleton', sample('ff7', 'hraa'))
        plain, small, line = self.both(sample('ff7', 'hrda'), *options)
        self.same(plain, small, line['rotation_error_degrees'])
        self.assertEqual(plain.g['meshes'], small.g['meshes'])
        self.assertEqual(plain.nodes[:22], small.nodes[:22])            # they are the rig's, extras and all
        self.assertEqual(small.node('weapon000'), len(small.nodes) - 1)
        self.assertNotIn('extras', small.nodes[-1])
        self.assertEqual(list(small.g['scenes'][0]['extras']['reanima']), ['key', 'hash'])

    def test_the_text_form(self):
        plain, small, _ = self.both(sample('ff7', 'hrda'), name='x.gltf')
        self.assertLess(os.path.getsize(small), os.path.getsize(plain))
        self.assertLess(os.path.getsize(small[:-4] + 'bin'), os.path.getsize(plain[:-4] + 'bin'))

    def test_the_summary_tells_the_error_and_updates_know_the_option(self):
        out = self.path('x.glb')
        p = self.check(run('convert', sample('ff7', 'hrda'), '-o', out, '--compact', '--if-changed'), 0)
        self.assertRegex(p.err, r'wrote .*: 4 clips, 22 joints, 676 triangles, 1\.73 m high, rotations within 0\.00\d+ degrees; ')
        before = read(out)
        self.assertIn('1 unchanged', self.check(run('convert', sample('ff7', 'hrda'), '-o', out, '--compact', '--if-changed'), 0).err)
        self.check(run('convert', sample('ff7', 'hrda'), '-o', out, '--if-changed'), 0)
        self.assertGreater(os.path.getsize(out), len(before))
        self.check(run('convert', sample('ff7', 'hrda'), '-o', out, '--compact', '--if-changed'), 0)
        self.assertEqual(read(out), before)


if __name__ == '__main__':
    unittest.main()
