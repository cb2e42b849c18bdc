#!/usr/bin/env python3
"""`encode --into` accounts for every clip of an edited scene: written, unchanged, or named with its file.

A character's limit breaks are in a different archive from his other animations; field animations have a file each.
"""
import json, os, shutil, struct, unittest

from support import Case, read, run, sample, write
from geometry import YXZ, about_x, composed, degrees_between, multiplied
from gltf_files import Glb
from into_archive_test import Lgp
import writers                                    # by the description of the formats

PACK, BONES = read(sample('ff7', 'hrda')), read(sample('ff7', 'hraa'))
PLAYER = struct.pack('<I', 2) + BONES[4:]         # of the kind of Cloud's


class Owners(Case):
    def cli(self, status, *args):
        return self.check(run(*args, cwd=self.folder), status)

    def lgp(self, name, files):
        return write(self.path(name), writers.lgp([(n, '', data) for n, data in files.items()])[0])

    def turn(self, clip, frame=3, joint='bone005', rate=15, name='c.glb', degrees=20):
        """-> the joint's keys after the change"""
        glb = Glb(self.path(name))
        keys = glb.turn(clip, joint, rate, [frame], degrees)
        glb.write(self.path(name))
        return keys

    def turn_some(self, clip, name='c.glb'):
        """The second key of the first rotating joint"""
        glb = Glb(self.path(name))
        for channel in glb.clip(clip)['channels']:
            sampler = glb.clip(clip)['samplers'][channel['sampler']]
            times, keys = glb.floats(sampler['input']), [tuple(k) for k in glb.floats(sampler['output'])]
            if channel['target']['path'] == 'rotation' and len(keys) > 2:
                break
        keys[1] = multiplied(keys[1], about_x(20))
        glb.set(clip, glb.json['nodes'][channel['target']['node']]['name'], 'rotation', keys, None, times=times)
        glb.write(self.path(name))

    def change(self, work, name='c.glb'):
        glb = Glb(self.path(name))
        work(glb)
        glb.write(self.path(name))

    def nothing_written(self, status, message, *args):
        before = self.files()
        self.assertEqual(self.cli(status, 'encode', *args).err, message)
        self.assertEqual(self.files(), before)


class LimitBreaks(Owners):
    def setUp(self):
        super().setUp()
        dump = json.loads(run('dump', sample('ff7', 'hrda')).stdout)
        packs = []
        for add in (300, 700):                    # other motion, by other numbers in every frame
            for animation in dump['animations']:
                for k, frame in enumerate(animation.get('frames', ())):
                    frame['rotations'] = [[(a + add * (1 + i % 3) + 40 * k) % 4096 for a in triple] for i, triple in enumerate(frame['rotations'])]
            write(self.path('dump.json'), json.dumps(dump))
            self.cli(0, 'encode', 'dump.json', '-o', 'made', '-q', '--force')
            packs.append(read(self.path('made')))
        os.remove(self.path('dump.json'))
        os.remove(self.path('made'))
        self.packs = {'rtda': PACK, 'blaver.a00': packs[0], 'limcl1.a00': packs[1]}
        self.battle = read(self.lgp('battle.lgp', {'rtaa': PLAYER, 'rtda': PACK, 'zz': b'other'}))
        self.magic = read(self.lgp('magic.lgp', {'blaver.a00': packs[0], 'limcl1.a00': packs[1], 'titan.a00': PACK}))
        self.cli(0, 'convert', 'battle.lgp:rtda', '-q', '-o', 'c.glb')
        self.assertEqual([a['name'] for a in Glb(self.path('c.glb')).json['animations']],
                         ['idle', 'idle_hurt', 'victory', 'step_back'] + [f'{stem}{n}' for stem in ('braver', 'limcl1') for n in ('', '_2', '_3', '_5')])

    def check_pack(self, new, name, keys, animation=0, frame=3):
        """In one frame of one animation, bone005 is turned like in the scene; the rest of the pack is unchanged."""
        write(self.path('check/rtaa'), PLAYER)
        dumps = []
        for data in (self.packs[name], new):
            write(self.path('check/rtda'), data)
            dumps.append(json.loads(self.cli(0, 'dump', 'check/rtda').stdout)['animations'])
        shutil.rmtree(self.path('check'))
        for index, (old, now) in enumerate(zip(*dumps, strict=True)):
            for k, (a, b) in enumerate(zip(old.get('frames', ()), now.get('frames', ()), strict=True)):
                self.assertEqual(a['translation'], b['translation'])
                changed = [i for i, (u, v) in enumerate(zip(a['rotations'], b['rotations'], strict=True)) if u != v]
                self.assertEqual(changed, [6] if (index, k) == (animation, frame) else [], (index, k))
                if changed:
                    self.assertLess(degrees_between(composed(b['rotations'][6], YXZ), keys[k]), 0.1)

    def check_archive(self, old, new, changed):
        """changed: entry -> keys; all other entries are unchanged."""
        old, new = Lgp(old), Lgp(new)
        self.assertEqual(old.names, new.names)
        for name in old.names:
            if name in changed:
                self.check_pack(new.find(name), name, changed[name])
            else:
                self.assertEqual(old.find(name), new.find(name), name)

    # -- nothing was changed

    def test_unedited(self):
        p = self.cli(0, 'encode', 'c.glb', '--into', 'battle.lgp', '-o', 'new.lgp')
        self.assertEqual(p.err, 'battle.lgp:rtda: 0 clips changed, 4 unchanged\n8 clips are from magic.lgp and unchanged\n'
                                f'wrote new.lgp: {len(self.battle)} bytes, 0 of 3 entries changed\n')
        self.assertEqual(read(self.path('new.lgp')), self.battle)

    def test_unedited_into_a_file(self):
        """In FFNx's layout: direct/battle/rtda, and the archive in the game's own folder"""
        for folder, magic in (('data', 'data/magic.lgp'), ('data/battle', 'data/magic.lgp'), ('data/battle', None)):
            with self.subTest(folder=folder, magic=magic):
                shutil.rmtree(self.path('data'), ignore_errors=True)
                write(self.path(folder, 'rtda'), PACK)
                write(self.path(folder, 'rtaa'), PLAYER)
                if magic:
                    write(self.path(magic), self.magic)
                p = self.cli(0, 'encode', 'c.glb', '--into', folder + '/rtda', '-o', 'rtda', '--force')
                self.assertEqual(read(self.path('rtda')), PACK)
                if magic:
                    self.assertRegex(p.err, r'^8 clips are from \S*magic\.lgp and unchanged\nwrote rtda: 2316 bytes, 0 clips changed, 4 unchanged\n$')
                    continue
                self.assertEqual(p.err, 'c.glb: warning: "braver", "braver_2", "braver_3" and 1 more are from blaver.a00, which is missing, so nothing was compared or written there. Name that file or its archive with --into\n'
                                        'c.glb: warning: "limcl1", "limcl1_2", "limcl1_3" and 1 more are from limcl1.a00, which is missing, so nothing was compared or written there. Name that file or its archive with --into\n'
                                        'wrote rtda: 2316 bytes, 0 clips changed, 4 unchanged\n')
                self.cli(1, 'encode', 'c.glb', '--into', folder + '/rtda', '-o', 'strict', '--strict')
                self.assertNotIn('strict', self.files())

    def test_a_file_that_can_not_be_read(self):
        write(self.path('rtda'), PACK)
        write(self.path('rtaa'), PLAYER)
        write(self.path('magic.lgp'), writers.lgp([('blaver.a00', '', b'none'), ('limcl1.a00', '', self.packs['limcl1.a00'])])[0])
        p = self.cli(0, 'encode', 'c.glb', '--into', 'rtda', '-o', 'new')
        self.assertRegex(p.err, r'^c\.glb: warning: "braver", "braver_2", "braver_3" and 1 more are from blaver\.a00, which can\'t be compared \(.*magic\.lgp:blaver\.a00: .*\), so nothing was compared or written there\. Name that file or its archive with --into\n4 clips are from \S*magic\.lgp and unchanged\n')

    # -- a limit break was changed

    def test_changed_and_not_written(self):
        self.turn('braver')
        keys = self.turn('idle')
        for into, output in (('battle.lgp', 'new.lgp'), ('battle.lgp:rtda', 'rtda')):
            with self.subTest(into=into):
                p = self.cli(1, 'encode', 'c.glb', '--into', into, '-o', output, '--report', 'report.json')
                self.assertTrue(p.err.startswith('idle: 1 joint in 1 frame; bone005 by 20.0 degrees in frame 3\n'), p.err)
                self.assertIn('7 clips are from magic.lgp and unchanged\n', p.err)
                self.assertTrue(p.err.endswith('reanima: c.glb: braver is from magic.lgp and was changed, but not written. To write it, add --into magic.lgp\n'), p.err)
                clips = {c['edited_name']: c for c in json.loads(read(self.path('report.json')))['clips']}
                os.remove(self.path('report.json'))
                self.assertEqual({n: c['status'] for n, c in clips.items() if c['status'] != 'kept'}, {'idle': 'written', 'braver': 'not_written'})
                self.assertEqual((len(clips), clips['idle']['file'], clips['limcl1_2']['file']), (12, 'battle.lgp:rtda', 'magic.lgp:limcl1.a00'))
                self.assertEqual((clips['braver']['file'], clips['braver']['turned']['joint']), ('magic.lgp:blaver.a00', 'bone005'))
        self.check_archive(self.battle, read(self.path('new.lgp')), {'rtda': keys})
        self.check_pack(read(self.path('rtda')), 'rtda', keys)
        p = self.cli(1, 'encode', 'c.glb', '--into', 'battle.lgp')
        self.assertTrue(p.err.endswith('nothing is written without -o\nreanima: c.glb: braver is from magic.lgp and was changed, but not written. To write it, add --into magic.lgp\n'), p.err)

    def test_a_file_with_the_archive_beside_it(self):
        write(self.path('rtda'), PACK)
        write(self.path('rtaa'), PLAYER)
        self.turn('braver_2', frame=2)
        p = self.cli(1, 'encode', 'c.glb', '--into', 'rtda', '-o', 'new')
        self.assertRegex(p.err, r'reanima: c\.glb: braver_2 is from (\S*magic\.lgp) and was changed, but not written\. To write it, add --into \1\n$')
        self.assertEqual(read(self.path('new')), PACK)
        self.cli(0, 'encode', 'c.glb', '--into', 'rtda', '--clip', 'idle', '-o', 'idle')      # the other files were not asked for

    def test_not_compared_in_the_report(self):
        os.remove(self.path('magic.lgp'))
        self.cli(0, 'encode', 'c.glb', '--into', 'battle.lgp', '-o', 'new.lgp', '--report', 'report.json')
        clips = json.loads(read(self.path('report.json')))['clips']
        self.assertEqual([(c['name'], c['edited_name'], c['file']) for c in clips if c['status'] == 'not_compared'],
                         [(None, f'{stem}{n}', file + '.a00') for stem, file in (('braver', 'blaver'), ('limcl1', 'limcl1')) for n in ('', '_2', '_3', '_5')])

    # -- two originals

    def test_each_into_its_own(self):
        idle, braver = self.turn('idle'), self.turn('braver')
        p = self.cli(0, 'encode', 'c.glb', '--into', 'battle.lgp', '--into', 'magic.lgp', '-o', 'new/', '--report', 'report.json')
        self.assertEqual(p.err, 'idle: 1 joint in 1 frame; bone005 by 20.0 degrees in frame 3\nbattle.lgp:rtda: 1 clip changed, 3 unchanged\n'
                                'braver: 1 joint in 1 frame; bone005 by 20.0 degrees in frame 3\nmagic.lgp:blaver.a00: 1 clip changed, 3 unchanged\n'
                                'magic.lgp:limcl1.a00: 0 clips changed, 4 unchanged\n'
                                f'wrote new/battle.lgp: {os.path.getsize(self.path("new/battle.lgp"))} bytes, 1 of 3 entries changed\n'
                                f'wrote new/magic.lgp: {os.path.getsize(self.path("new/magic.lgp"))} bytes, 1 of 3 entries changed\n'
                                '`reanima preview new/magic.lgp:blaver.a00 -s battle.lgp:rtaa` shows the result\n')
        self.check_archive(self.battle, read(self.path('new/battle.lgp')), {'rtda': idle})
        self.check_archive(self.magic, read(self.path('new/magic.lgp')), {'blaver.a00': braver})
        clips = json.loads(read(self.path('report.json')))['clips']
        self.assertEqual([(c['file'], c['edited_name']) for c in clips if c['status'] == 'written'], [('battle.lgp:rtda', 'idle'), ('magic.lgp:blaver.a00', 'braver')])
        self.assertEqual(len(clips), 12)
        self.cli(0, 'encode', 'c.glb', '--into', 'magic.lgp', '--into', 'battle.lgp', '-o', 'turned/', '-q')      # in any order
        for name in ('battle.lgp', 'magic.lgp'):
            self.assertEqual(read(self.path('turned', name)), read(self.path('new', name)))

    def test_a_file_and_an_archive(self):
        write(self.path('loose/rtda'), PACK)
        write(self.path('loose/rtaa'), PLAYER)
        idle, braver = self.turn('idle'), self.turn('braver')
        self.cli(0, 'encode', 'c.glb', '--into', 'loose/rtda', '--into', 'magic.lgp', '-o', 'new/')
        self.assertEqual([n for n in self.files() if n.startswith('new/')], ['new/magic.lgp', 'new/rtda'])
        self.check_pack(read(self.path('new/rtda')), 'rtda', idle)
        self.check_archive(self.magic, read(self.path('new/magic.lgp')), {'blaver.a00': braver})
        write(self.path('loose/blaver.a00'), self.packs['blaver.a00'])
        p = self.cli(0, 'encode', 'c.glb', '--into', 'loose/rtda', '--into', 'loose/blaver.a00', '-o', 'files/')
        self.assertIn('are from limcl1.a00, which is missing, so nothing was compared or written there. ', p.err)        # beside a file, the archive is not looked into
        self.check_pack(read(self.path('files/rtda')), 'rtda', idle)
        self.check_pack(read(self.path('files/blaver.a00')), 'blaver.a00', braver)

    def test_both_are_written_if_one_has_no_changes(self):
        self.turn('braver')
        p = self.cli(0, 'encode', 'c.glb', '--into', 'battle.lgp', '--into', 'magic.lgp', '-o', 'new/')
        self.assertIn(f'wrote new/battle.lgp: {len(self.battle)} bytes, 0 of 3 entries changed\n', p.err)
        self.assertEqual(read(self.path('new/battle.lgp')), self.battle)
        self.lgp('none.lgp', {'zz': b'of nobody here'})
        self.cli(0, 'encode', 'c.glb', '--into', 'battle.lgp', '--into', 'magic.lgp', '--into', 'none.lgp', '-o', 'three/')
        self.assertEqual(read(self.path('three/none.lgp')), read(self.path('none.lgp')))
        self.nothing_written(1, 'reanima: c.glb: was made from blaver.a00, limcl1.a00, rtda, which none.lgp does not contain. Use --into none.lgp:ENTRY for another entry\n',
                             'c.glb', '--into', 'none.lgp', '-o', 'x.lgp')

    def test_a_folder_for_one_file(self):
        idle = self.turn('idle')
        write(self.path('rtda'), self.packs['rtda'])
        write(self.path('rtaa'), PLAYER)
        for into, output in (('battle.lgp', 'one/battle.lgp'), ('battle.lgp:rtda', 'two/battle.lgp'), ('rtda', 'three/rtda')):
            self.cli(0, 'encode', 'c.glb', '--into', into, '-o', os.path.dirname(output) + '/')
            if into == 'rtda':
                self.check_pack(read(self.path(output)), 'rtda', idle)
            else:
                self.check_archive(self.battle, read(self.path(output)), {'rtda': idle})
        self.nothing_written(2, 'reanima: three/rtda: exists; --force replaces it\n', 'c.glb', '--into', 'rtda', '-o', 'three')

    def test_outputs_are_looked_at_first(self):
        both = ('c.glb', '--into', 'battle.lgp', '--into', 'magic.lgp')
        self.nothing_written(2, 'reanima: -o new: several files are written, expected a folder. Use -o new/\n', *both, '-o', 'new')
        write(self.path('new/magic.lgp'), b'old')
        self.nothing_written(2, 'reanima: new/magic.lgp: exists; --force replaces it\n', *both, '-o', 'new')
        self.nothing_written(2, 'reanima: ./battle.lgp: the output is an input\n', *both, '-o', '.', '--force')
        self.nothing_written(2, 'reanima: new/battle.lgp: two outputs would be written there\n', *both, '--into', 'battle.lgp:rtda', '-o', 'new/', '--force')
        self.nothing_written(2, 'reanima: --at and --append: several files are named with --into, expected one\n', *both, '--at', '1', '-o', 'new/', '--force')
        write(self.path('rtda'), PACK)
        shutil.copy(self.path('c.glb'), self.path('d.glb'))
        self.nothing_written(2, 'reanima: encode --into rtda: there are 2 inputs for one file. Only an archive can get several inputs\n', 'd.glb', *both, '--into', 'rtda', '-o', 'out/')
        p = self.cli(0, 'encode', *both, '-o', 'new', '--force')
        self.assertEqual((read(self.path('new/battle.lgp')), read(self.path('new/magic.lgp'))), (self.battle, self.magic))
        p = self.cli(0, 'encode', *both)
        self.assertTrue(p.err.endswith('nothing is written without -o\nnothing is written without -o\n'), p.err)

    def test_an_error_in_one_writes_none(self):
        self.turn('idle')
        self.change(lambda glb: glb.set('braver', 'bone005', 'scale', [(2, 2, 2)] * 24, 15))
        both = ('encode', 'c.glb', '--into', 'battle.lgp', '--into', 'magic.lgp', '-o', 'new/', '--report', 'report.json')
        p = self.cli(1, *both)
        self.assertIn("contain changes that ff7-battle-animation files can't store: ", p.err)
        self.assertFalse(os.path.exists(self.path('new')) or os.path.exists(self.path('report.json')))
        self.cli(0, *both, '--allow-loss')

    # -- programs drop extras and names

    def test_without_extras(self):
        self.change(Glb.drop_extras)
        p = self.cli(0, 'encode', 'c.glb', '--into', 'battle.lgp:rtda', '-o', 'rtda')
        self.assertEqual(p.err, f'8 clips are from magic.lgp and unchanged\nwrote rtda: {len(PACK)} bytes, 0 clips changed, 4 unchanged\n')
        self.turn('limcl1_2', frame=2)
        p = self.cli(1, 'encode', 'c.glb', '--into', 'battle.lgp:rtda', '-o', 'rtda', '--force')
        self.assertTrue(p.err.endswith('reanima: c.glb: limcl1_2 is from magic.lgp and was changed, but not written. To write it, add --into magic.lgp\n'), p.err)
        self.assertEqual(read(self.path('rtda')), PACK)
        self.turn('braver')
        self.cli(0, 'encode', 'c.glb', '--into', 'battle.lgp:rtda', '--into', 'magic.lgp', '-o', 'new/')
        self.assertEqual(read(self.path('new/battle.lgp')), self.battle)
        new = Lgp(read(self.path('new/magic.lgp')))
        self.assertEqual([n for n in new.names if new.find(n) != Lgp(self.magic).find(n)], ['blaver.a00', 'limcl1.a00'])
        os.remove(self.path('magic.lgp'))
        self.nothing_written(1, 'reanima: c.glb: animations: contains "braver", "braver_2", "braver_3", "braver_5", "limcl1", "limcl1_2", "limcl1_3", "limcl1_5", which match no clip of the original by name or motion. Give each the name of an original clip (see --at N or --append)\n',
                             'c.glb', '--into', 'battle.lgp:rtda', '-o', 'x')

    def test_numbered_and_renamed(self):
        keys = self.turn('braver')
        def number(glb):
            for clip in glb.json['animations']:
                clip['name'] += '.001'
                clip.pop('extras')
        self.change(number)                                      # what is known of the clips is in the scene's extras
        p = self.cli(1, 'encode', 'c.glb', '--into', 'battle.lgp', '-o', 'new.lgp')
        self.assertIn('c.glb: note: idle_hurt.001: was matched to idle_hurt by its extras\n', p.err)
        self.assertTrue(p.err.endswith('reanima: c.glb: braver.001 is from magic.lgp and was changed, but not written. To write it, add --into magic.lgp\n'), p.err)
        self.assertEqual(read(self.path('new.lgp')), self.battle)
        self.cli(0, 'encode', 'c.glb', '--into', 'battle.lgp', '--into', 'magic.lgp', '-o', 'new/')
        self.check_archive(self.magic, read(self.path('new/magic.lgp')), {'blaver.a00': keys})

    def test_a_new_name_beside_its_extras(self):
        """The whole motion changed, and the clip is still recognized."""
        def rename(glb):
            glb.clip('limcl1_3')['name'] = 'wave'
        self.change(rename)
        for joint in ('bone%03d' % i for i in range(1, 20)):
            try:
                for frame in range(3):
                    self.turn('wave', frame, joint, degrees=30)
            except (StopIteration, IndexError):
                break
        p = self.cli(1, 'encode', 'c.glb', '--into', 'battle.lgp', '-o', 'new.lgp')
        self.assertTrue(p.err.endswith('reanima: c.glb: wave is from magic.lgp and was changed, but not written. To write it, add --into magic.lgp\n'), p.err)

    def test_a_renamed_original(self):
        """The file that the scene calls rtda was renamed: clips are found by name and motion, the others stay."""
        write(self.path('mine/rtda.old'), PACK)
        keys = self.turn('idle')
        p = self.cli(0, 'encode', 'c.glb', '--into', 'mine/rtda.old', '-s', 'battle.lgp:rtaa', '--format', 'ff7-battle-animation', '-o', 'new')
        self.check_pack(read(self.path('new')), 'rtda', keys)
        self.assertNotIn('by its motion', ''.join(l for l in p.err.splitlines() if 'braver' in l))

    def test_new_clips_beside_limit_breaks(self):
        """--append adds clips that are in no file, which excludes the limit breaks; a named limit break goes into
        another place."""
        def add(glb):
            clip = json.loads(json.dumps(glb.clip('idle')))
            clip['name'] = 'dance'
            del clip['extras']
            glb.json['animations'].append(clip)
        self.change(add)
        self.turn('dance')
        before = len(json.loads(self.cli(0, 'dump', 'battle.lgp:rtda').stdout)['animations'])
        p = self.cli(1, 'encode', 'c.glb', '--into', 'battle.lgp', '--append', '-o', 'new.lgp')       # it has a weapon
        self.assertIn("a new clip would be read as a weapon animation", p.err)
        self.cli(0, 'encode', 'c.glb', '--into', 'battle.lgp', '--at', '1', '-o', 'new.lgp')
        self.assertEqual(before, len(json.loads(self.cli(0, 'dump', 'new.lgp:rtda').stdout)['animations']))
        p = self.cli(0, 'encode', 'c.glb', '--into', 'battle.lgp', '--clip', 'braver', '--at', '1', '--all-changed', '-o', 'named.lgp')
        self.assertIn('idle_hurt: replaced by braver; ', p.err)


class OneFileEach(Owners):
    """Formats whose clips have a file each: no clip prevents writing another clip's file."""

    def check_pair(self, *inputs, clips):
        """A scene of two files, written into each of them and then into both"""
        for path in inputs:
            shutil.copy(sample(*path.split('/')), self.path())
        names = [os.path.basename(i) for i in inputs]
        for extra in clips.get('beside', ()):
            shutil.copy(sample(*extra.split('/')), self.path())
        self.cli(0, 'convert', *[os.path.basename(i) for i in clips.get('beside', ())], *names, '--no-mesh', '-q', '-o', 'c.glb')
        own = clips['names']
        self.assertEqual([a['name'] for a in Glb(self.path('c.glb')).json['animations']], own)
        for name in names:
            p = self.cli(0, 'encode', 'c.glb', '--into', name, '-o', 'new', '--force')
            self.assertEqual(read(self.path('new')), read(self.path(name)))
            self.assertIn('1 clip is from %s and unchanged\n' % next(n for n in names if n != name), p.err)
        self.turn_some(own[1])
        p = self.cli(1, 'encode', 'c.glb', '--into', names[0], '-o', 'new', '--force')
        self.assertTrue(p.err.endswith('reanima: c.glb: {0} is from {1} and was changed, but not written. To write it, add --into {1}\n'.format(own[1], names[1])), p.err)
        self.assertEqual(read(self.path('new')), read(self.path(names[0])))
        self.cli(0, 'encode', 'c.glb', '--into', names[0], '--into', names[1], '-o', 'both/')
        self.assertEqual(read(self.path('both', names[0])), read(self.path(names[0])))
        self.assertNotEqual(read(self.path('both', names[1])), read(self.path(names[1])))
        self.cli(0, 'encode', 'c.glb', '--into', names[1], '-o', 'alone')
        self.assertEqual(read(self.path('both', names[1])), read(self.path('alone')))
        os.rename(self.path(names[1]), self.path('away'))
        p = self.cli(0, 'encode', 'c.glb', '--into', names[0], '-o', 'new', '--force')
        self.assertIn('c.glb: warning: "%s" is from %s, which is missing, so nothing was compared or written there. Name that file or its archive with --into\n' % (own[1], names[1]), p.err)

    def test_fields(self):
        self.check_pair('ff7/doll_idle.a', 'ff7/doll_walk.a', clips={'names': ['doll_idle', 'doll_walk'], 'beside': ['ff7/doll.hrc']})

    def test_blocks(self):
        self.check_pair('ff9/hero_idle.ff9anim', 'ff9/hero_walk.ff9anim', clips={'names': ['hero_idle', 'hero_walk'], 'beside': ['ff9/hero.ff9model']})

    def test_anims(self):
        self.check_pair('metroid/hero_attack.ANIM', 'metroid/hero_spin.ANIM', clips={'names': ['hero_attack', 'hero_spin'], 'beside': ['metroid/hero.CINF']})

    def test_fields_of_an_archive_under_the_game_s_names(self):
        """The clip that a table calls `walk` is in aaff.a: its index identifies it even if its whole motion changes."""
        doll = read(sample('ff7', 'doll.hrc'))
        files = {'aaaa.hrc': doll, 'acfe.a': read(sample('ff7', 'doll_idle.a')), 'aaff.a': read(sample('ff7', 'doll_walk.a'))}
        old = read(self.lgp('char.lgp', files))
        self.cli(0, 'convert', 'char.lgp:aaaa.hrc', '--no-mesh', '-q', '-o', 'c.glb')
        self.assertEqual([a['name'] for a in Glb(self.path('c.glb')).json['animations']], ['stand', 'walk'])
        self.cli(0, 'encode', 'c.glb', '--into', 'char.lgp', '-o', 'same.lgp')
        self.assertEqual(read(self.path('same.lgp')), old)
        self.turn_some('walk')
        p = self.cli(1, 'encode', 'c.glb', '--into', 'char.lgp:acfe.a', '-o', 'acfe.a')
        self.assertTrue(p.err.endswith('reanima: c.glb: walk is from char.lgp and was changed, but not written. To write it, add --into char.lgp\n'), p.err)
        self.cli(0, 'encode', 'c.glb', '--into', 'char.lgp', '-o', 'new.lgp')
        new = Lgp(read(self.path('new.lgp')))
        self.assertEqual([n for n in new.names if new.find(n) != files[n]], ['aaff.a'])


if __name__ == '__main__':
    unittest.main()
