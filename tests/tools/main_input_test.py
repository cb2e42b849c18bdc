#!/usr/bin/env python3
"""Without its main input there is no output, even with companions, linked animations and other inputs."""
import json, os, struct, unittest

from support import Case, Scene, read, sample, write
import writers                                    # by the description of the formats

PACK, BONES = read(sample('ff7', 'hrda')), read(sample('ff7', 'hraa'))
DOLL, WALK, IDLE = (read(sample('ff7', name)) for name in ('doll.hrc', 'doll_walk.a', 'doll_idle.a'))
PLAYER = struct.pack('<I', 2) + BONES[4:]         # with a weapon's animations


class MainInput(Case):
    def lines(self):
        return [json.loads(line) for line in read(self.path('report')).splitlines()]

    def files_but(self, *names):
        return [name for name in self.files() if name not in names]


class Linked(MainInput):
    """A battle character has his limit breaks from magic.lgp"""

    def setUp(self):
        super().setUp()
        self.archive({'rtaa': PLAYER, 'rtda': PACK})
        write(self.path('magic.lgp'), writers.lgp([('limcl1.a00', '', PACK)])[0])

    def archive(self, entries):
        write(self.path('battle.lgp'), writers.lgp([(name, '', data) for name, data in entries.items()])[0])

    def test_a_weapon_that_is_not_there(self):
        for source in ('battle.lgp:rtda', 'rtda'):
            if source == 'rtda':
                write(self.path('rtda'), PACK)
                write(self.path('rtaa'), PLAYER)
            for output in ('x.glb', 'x.gltf', 'x.bvh'):
                for more in ((), ('--strict',), ('--if-changed',), ('--force',)):
                    with self.subTest(source=source, output=output, more=more):
                        clip = ('--clip', '0') if output == 'x.bvh' else ()
                        p = self.check(self.cli('convert', source, '--weapon', '7', '-o', output, '--report', 'report', *clip, *more), 1)
                        errors = [line for line in p.err.splitlines() if line.startswith('reanima: ')]
                        self.assertEqual(len(errors), 1, p.err)
                        self.assertIn('weapon 7', errors[0])
                        self.assertNotIn('wrote', p.err)
                        self.assertEqual([f for f in self.files() if f.startswith('x')], [])
                        line, = self.lines()
                        self.assertEqual((line['status'], line['input'], line['clips'], line['frames']), ('failed', source, 0, 0))
        self.check(self.cli('convert', 'battle.lgp:rtda', '-o', 'x.glb'), 0)            # with what is there, all of it
        self.assertIn('limcl1', [a['name'] for a in Scene(read(self.path('x.glb'))).g['animations']])

    def test_what_is_there_stays(self):
        self.check(self.cli('convert', 'battle.lgp:rtda', '-o', 'x.glb'), 0)
        before = read(self.path('x.glb'))
        for more in ('--force', '--if-changed'):
            self.check(self.cli('convert', 'battle.lgp:rtda', '--weapon', '7', '-o', 'x.glb', more), 1)
            self.assertTrue(read(self.path('x.glb')) == before)

    def test_a_damaged_pack(self):
        self.archive({'rtaa': PLAYER, 'rtda': bytes(1000)})
        for words in (['battle.lgp:rtda', '-o', 'x.glb'], ['battle.lgp', '-o', 'out/'], ['battle.lgp', '-o', 'out/', '--as', 'bvh']):
            self.tells('battle.lgp:rtda: ', 'convert', *words, status=1)
            self.assertEqual(self.files(), ['battle.lgp', 'magic.lgp'])
        p = self.check(self.cli('convert', 'battle.lgp:rtda', '-o', 'x.glb', '--outputs'), 0)
        self.assertEqual(p.stdout, b'x.glb\n')

    def test_batches_make_the_others(self):
        self.archive({'rtaa': PLAYER, 'rtda': bytes(1000), 'sbaa': PLAYER, 'sbda': PACK})
        self.tells('1 converted, 1 failed', 'convert', 'battle.lgp', '-o', 'out/', '--report', 'report', status=1)
        self.assertEqual(self.files_but('battle.lgp', 'magic.lgp', 'report'), ['out/battle/barret.glb'])

    def test_job_files(self):
        write(self.path('j.reanima.json'), json.dumps({'schema': 1, 'inputs': ['battle.lgp:rtda'], 'output': 'x.glb', 'options': {'weapon': '7'}}))
        self.check(self.cli('convert', 'j.reanima.json'), 1)
        self.assertEqual(self.files_but('battle.lgp', 'magic.lgp'), ['j.reanima.json'])

    def test_previews(self):
        self.tells('weapon 7', 'preview', 'battle.lgp:rtda', '--weapon', '7', '-o', 'x.html', status=1)
        self.assertFalse(os.path.exists(self.path('x.html')))


class Named(MainInput):
    """Several inputs that the user names for one output"""

    def setUp(self):
        super().setUp()
        for name, data in (('c.hrc', DOLL), ('walk.a', WALK), ('idle.a', IDLE), ('bad.a', WALK[:100]), ('bad.hrc', DOLL[:40])):
            write(self.path(name), data)

    def clips(self, *inputs, status):
        """-> the clips of these inputs' output, or nothing without output; the messages"""
        p = self.check(self.cli('convert', *inputs, '--no-mesh', '--report', 'report', '-o', 'x.glb'), status)
        found = None
        if os.path.exists(self.path('x.glb')):
            found = sorted(a['name'] for a in Scene(read(self.path('x.glb'))).g['animations'])
            os.remove(self.path('x.glb'))
        return found, [line for line in p.err.splitlines() if line.startswith('reanima: ')]

    def test_a_skeleton_is_the_main_input(self):
        self.assertEqual(self.clips('c.hrc', 'walk.a', 'idle.a', status=0)[0], ['idle', 'walk'])
        for inputs in (('c.hrc', 'walk.a', 'bad.a'), ('c.hrc', 'bad.a', 'walk.a'), ('bad.a', 'walk.a', 'c.hrc')):
            clips, errors = self.clips(*inputs, status=1)
            self.assertEqual(clips, ['walk'], inputs)
            self.assertEqual([line['status'] for line in self.lines()].count('failed'), 1)
            self.assertRegex('\n'.join(errors), '^reanima: bad.a: .*$')
        for skeleton in ('bad.hrc', 'missing.hrc'):
            for inputs in ((skeleton, 'walk.a', 'idle.a'), ('walk.a', 'idle.a', skeleton), ('walk.a', skeleton)):
                clips, errors = self.clips(*inputs, status=1)
                self.assertIsNone(clips, inputs)
                self.assertEqual(len(errors), 1, errors)
                self.assertIn(f'reanima: {skeleton}: ', errors[0])
                self.assertEqual({(line['status'], line['error']['message']) for line in self.lines()}, {('failed', errors[0][9:])})

    def test_else_the_first(self):
        for name, data in (('rtda', PACK), ('rsda', PACK), ('rtaa', BONES), ('rsaa', BONES), ('bada', bytes(1000)), ('baaa', BONES)):
            write(self.path(name), data)
        clips, errors = self.clips('bada', 'rtda', status=1)
        self.assertIsNone(clips)
        self.assertEqual([line['status'] for line in self.lines()], ['failed', 'failed'])
        self.assertEqual(len(errors), 1, errors)
        clips, errors = self.clips('rtda', 'bada', status=1)
        self.assertEqual(len(clips), 4)
        self.assertEqual([line['status'] for line in self.lines()], ['ok', 'failed'])

    def test_what_shares_a_skeleton_in_a_folder_has_equal_rank(self):
        for name, data in (('in/doll.hrc', DOLL), ('in/doll_bad.a', WALK[:100]), ('in/doll_walk.a', WALK)):
            write(self.path(name), data)
        self.check(self.cli('convert', 'in', '--group', '--no-mesh', '-o', 'out/'), 1)
        made = [f for f in self.files() if f.startswith('out/')]
        self.assertEqual(len(made), 1, made)


if __name__ == '__main__':
    unittest.main()
