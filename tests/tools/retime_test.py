#!/usr/bin/env python3
"""Motion in more or fewer frames (`retime`): packs, field animations, folders and archives of Final Fantasy VII."""
import json, os, re, struct, unittest

from support import Case, DATA, read, run, sample, write
from geometry import YXZ, composed, degrees_between, shortest
from into_archive_test import Lgp
import hostile
import writers                                    # by the description of the formats

PACK, SKELETON = sample('ff7', 'hrda'), sample('ff7', 'hraa')


def packs():
    """Battle packs and field animations that have whole frames"""
    for folder in (sample('ff7'), os.path.join(DATA, 'conformance', 'ff7', 'inputs'), os.path.join(DATA, 'motion')):
        for where, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                if name.endswith(('da', '.a', '.a00')):
                    yield os.path.join(where, name)


def pack_of(frames, key=0, bones=1):
    """A pack of one animation: frames of (place, triples); written by the page of the format, changes of angles in their wide form"""
    bits = ''
    for f, (place, triples) in enumerate(frames):
        for axis in range(3):
            if f == 0:
                bits += format(place[axis] & 0xFFFF, '016b')
            else:
                change = place[axis] - frames[f - 1][0][axis]
                bits += '0' + format(change & 127, '07b') if -64 <= change < 64 else '1' + format(change & 0xFFFF, '016b')
        for t, triple in enumerate(triples):
            for axis in range(3):
                if f == 0:
                    bits += format(triple[axis] >> key, '0%db' % (12 - key))
                elif triple[axis] == frames[f - 1][1][t][axis]:
                    bits += '0'
                else:
                    bits += '1111' + format((triple[axis] - frames[f - 1][1][t][axis] >> key) & (1 << 12 - key) - 1, '0%db' % (12 - key))
    bits += '0' * (-len(bits) % 8)
    stream = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))
    padding = bytes(-(5 + len(stream)) % 4)
    count = len(frames[0][1])
    return struct.pack('<4I2HB', 1, count, len(frames), 5 + len(stream) + len(padding), len(frames), len(stream), key) + stream + padding


class Retimed(Case):
    def cli(self, status, *args):
        return self.check(run(*args, cwd=self.folder), status)

    def dumped(self, path, *more):
        return json.loads(self.cli(0, 'dump', path, *more).stdout)

    def retime(self, path, times=4, *more, status=0, output='out'):
        return self.cli(status, 'retime', path, '--times', times, '-o', output, '--force', *more)

    def frames_of(self, path, *more):
        return [a.get('frames') for a in self.dumped(path, *more)['animations']]


class Samples(Retimed):
    def test_every_fourth_frame_is_as_before(self):
        seen = 0
        for path in packs():
            known = run('dump', path)
            if known.returncode != 0 or run('convert', path, '-q', '--force', '-o', self.path('x.glb')).returncode != 0:
                continue
            before = json.loads(known.stdout)
            with self.subTest(path=path):
                # with the file's skeleton beside it, under its own name
                name = os.path.basename(path)
                p = run('retime', path, '--times', '4', '-o', name, '--force', cwd=self.folder)
                self.assertIn(p.returncode, (0, 1), p.err)
                if p.returncode == 1:
                    self.assertRegex(p.err, 'the format allows 65535|its bytes are kept')
                skeleton = self.skeleton_of(path)
                after = json.loads(self.cli(0, 'dump', name, *skeleton).stdout)
                left = p.err.count('frames are kept')
                animations = before['animations'] if 'animations' in before else [before]
                for old, new in zip(animations, after.get('animations', [after]), strict=True):
                    if not old.get('frames'):
                        continue
                    if left and len(new['frames']) == len(old['frames']):
                        continue
                    self.assertEqual(len(new['frames']), 4 * len(old['frames']))
                    self.assertEqual([f for f in new['frames'][::4]], old['frames'])
                    if 'key_bits' in old:
                        step = 1 << min(old['key_bits'], new['key_bits'])
                        self.assertEqual({a % step for f in new['frames'] for t in f['rotations'] for a in t}, {0})
                    self.short_ways(old, new)
                seen += 1
                if not any(a.get('kind') == 'damaged' or a.get('warnings') for a in animations) and not before.get('warnings'):
                    check = run('check', '--strict', name, *skeleton, cwd=self.folder)
                    self.assertEqual(check.returncode, 0, check.stdout)
        self.assertGreater(seen, 20)

    def skeleton_of(self, path):
        for name in (path[:-2] + 'aa',):
            if path.endswith('da') and os.path.exists(name):
                return ['-s', name]
        return []

    def short_ways(self, old, new):
        """Between two frames rotations take the shorter way, within half a step about each axis"""
        if 'order' in old:
            order, unit, off = old['order'], 4096 / 360, 0.05
        else:
            order, unit, off = YXZ, 1, 0.16 * (1 << old['key_bits'])
        for f in range(len(old['frames']) - 1):
            a, b = old['frames'][f]['rotations'], old['frames'][f + 1]['rotations']
            for part in (1, 2, 3):
                between = new['frames'][4 * f + part]['rotations']
                for p, q, r in zip(a, b, between, strict=True):
                    if p == q:
                        self.assertEqual(r, p)
                        continue
                    p, q, r = (composed([c * unit for c in t], order) for t in (p, q, r))
                    if abs(sum(u * v for u, v in zip(p, q))) > 0.02:           # else either way is as short
                        self.assertLess(degrees_between(shortest(p, q, part / 4), r), off)

    def test_and_back(self):
        """The bytes are restored if the first stream is like an encoder's: short codes, no bits after the end."""
        same = 0
        for path in packs():
            name = os.path.basename(path)
            if run('retime', path, '--times', '4', '-o', name, '--force', cwd=self.folder).returncode != 0:
                continue
            with self.subTest(path=path):
                self.cli(0, 'retime', name, '--times', '1/4', '-o', 'back', '--force', *self.skeleton_of(path))
                if read(self.path('back')) == read(path):
                    same += 1
                    continue
                was, now = self.dumped(path), self.dumped(self.path('back'), '--format', 'ff7-battle-animation', *self.skeleton_of(path))
                for old, new in zip(was['animations'], now['animations'], strict=True):
                    self.assertEqual(old.get('frames'), new.get('frames'))
                recoded = [a for a in was['animations'] if a.get('tail_bits') or a.get('wide_runs') or set(a.get('padding', '')) - {'0'} or a.get('tail_bytes')
                           or a.get('key_bits') != b_key(a) or a.get('warnings') or a['bone_count'] not in (1, a.get('rotation_count'))]
                self.assertTrue(recoded, name)
        self.assertGreater(same, 5)

    def test_a_counter_that_is_off_by_one(self):
        """frame_count, which the third animation of the game's packs states as one more."""
        pack = bytearray(read(PACK))
        frames, = struct.unpack_from('<I', pack, 8)
        struct.pack_into('<I', pack, 8, frames + 1)
        write(self.path('pack'), pack)
        self.retime('pack')
        counters = self.dumped('out')['animations'][0]
        self.assertEqual((counters['frame_count'], counters['stream_frame_count']), (4 * frames + 1, 4 * frames))
        self.retime('out', '1/4', output='back')
        self.assertEqual(read(self.path('back')), pack)

    def test_weapons_stay_in_step(self):
        self.retime(PACK, output='hrda')
        before, after = self.dumped(PACK)['animations'], self.dumped('hrda', '-s', SKELETON)['animations']
        self.assertIn(1, [a.get('rotation_count') for a in before])
        self.assertEqual([4 * len(a.get('frames', [])) for a in before], [len(a.get('frames', [])) for a in after])


def b_key(animation):
    """The coarsest key that can store the angles"""
    angles = [a for f in animation.get('frames', []) for t in f['rotations'] for a in t]
    return next((k for k in (4, 2) if all(a % (1 << k) == 0 for a in angles)), 0)


def swing(angles, place=lambda f: (0, -466, 0)):
    return [(place(f), [(0, 0, 0), (a, 0, 0)]) for f, a in enumerate(angles)]


class Ends(Retimed):
    OPEN = [0, 100, 200, 300, 400, 500]
    LOOP = [0, 100, 200, 100]

    def angles(self, name='out'):
        return [f['rotations'][1][0] for f in self.frames_of(name)[0]]

    def test_the_last_frame_is_held_or_leads_to_the_first(self):
        write(self.path('xxda'), pack_of(swing(self.OPEN)))
        self.retime('xxda')
        self.assertEqual(self.angles(), [25 * i for i in range(20)] + [500, 500, 500, 500])
        self.retime('xxda', 4, '--loop', '0')
        self.assertEqual(self.angles()[20:], [500, 375, 250, 125])
        write(self.path('xxda'), pack_of(swing(self.LOOP)))
        self.retime('xxda')
        self.assertEqual(self.angles()[12:], [100, 75, 50, 25])
        self.retime('xxda', 3)
        self.assertEqual(self.angles(), [0, 33, 67, 100, 133, 167, 200, 167, 133, 100, 67, 33])

    def test_the_shorter_way_over_the_full_turn(self):
        write(self.path('xxda'), pack_of(swing([4000, 64, 128])))
        self.retime('xxda')
        self.assertEqual(self.angles()[:5], [4000, 4040, 4080, 24, 64])

    def test_at_the_pole(self):
        """With X at a quarter turn, Y and Z turn about the same axis: the frames between must not make both turn the
        long way."""
        frames = [((0, 0, 0), [(0, 0, 0), (1024, 0, 0)]), ((0, 0, 0), [(0, 0, 0), (1024, 900, 800)])]
        write(self.path('xxda'), pack_of(frames))
        self.retime('xxda')
        for part, frame in enumerate(self.frames_of('out')[0][:4]):
            wanted = shortest(composed((1024, 0, 0), YXZ), composed((1024, 900, 800), YXZ), part / 4)
            self.assertLess(degrees_between(composed(frame['rotations'][1], YXZ), wanted), 0.16)

    def test_places(self):
        write(self.path('xxda'), pack_of(swing([0, 0, 0], lambda f: (10 * f, -400 - f, -20 * f))))
        self.retime('xxda', 4, '--loop', '0')
        places = [f['translation'] for f in self.frames_of('out')[0]]
        self.assertEqual(places[:5], [[0, -400, 0], [3, -400, -5], [5, -401, -10], [8, -401, -15], [10, -401, -20]])
        self.assertEqual(places[8:], [[20, -402, -40], [20, -402, -40], [20, -401, -40], [20, -401, -40]])     # it goes ahead

    def test_on_the_grid_of_the_key(self):
        write(self.path('xxda'), pack_of(swing([0, 64, 160, 0]), key=4))
        self.retime('xxda')
        self.assertEqual(self.angles()[:9], [0, 16, 32, 48, 64, 96, 112, 144, 160] if self.angles()[5] == 96 else [0, 16, 32, 48, 64, 80, 112, 128, 160])
        self.assertEqual(self.dumped('out')['animations'][0]['key_bits'], 4)

    def test_fewer(self):
        write(self.path('xxda'), pack_of(swing(self.OPEN)))
        p = self.retime('xxda', '1/4')
        self.assertEqual(self.angles(), [0, 400])
        self.assertEqual(p.err, 'xxda: warning: animations[0]: has 6 frames, which is not a multiple of 4; 2 frames remain\n'
                                f"wrote out: {os.path.getsize(self.path('out'))} bytes\n1/4 times the frames: 1 animation in 1 file\n")
        self.retime('xxda', '1/4', '--strict', status=1)
        write(self.path('x.a'), hostile.field_animation(5, 3))
        p = self.retime('x.a', '1/4', output='y.a')
        self.assertEqual(p.err, 'x.a: warning: frames: there are 5, which is not a multiple of 4; 2 remain\n'
                                f"wrote y.a: {os.path.getsize(self.path('y.a'))} bytes\n1/4 times the frames: 1 animation in 1 file\n")
        self.assertEqual(self.dumped('y.a')['frames'], self.dumped('x.a')['frames'][::4])
        self.retime('xxda', '1/3')
        self.assertEqual(self.angles(), [0, 300])


class Refused(Retimed):
    def test_what_the_format_can_t_hold(self):
        long = pack_of(swing([0] * 17000))
        short = pack_of(swing([0, 100, 200]))
        write(self.path('xxda'), struct.pack('<I', 2) + long[4:] + short[4:])
        p = self.retime('xxda', status=1)
        self.assertEqual(p.err, 'xxda: warning: no skeleton was found beside it; using placeholder joints in a row (see --skeleton FILE)\n'
                         'reanima: xxda: animations[0] at 0x4: would have 68000 frames, but the format allows 65535; its 17000 frames are kept\n'
                         f"wrote out: {os.path.getsize(self.path('out'))} bytes\n4 times the frames: 1 animation in 1 file\n")
        self.assertEqual([len(f) for f in self.frames_of('out')], [17000, 12])
        many = pack_of([((0, 0, 0), [((90 * f) % 4096,) * 3] * 4) for f in range(1500)])
        write(self.path('xxda'), struct.pack('<I', 2) + many[4:] + short[4:])
        p = self.retime('xxda', 8, status=1)
        self.assertRegex(p.err, r'(?m)^reanima: xxda: animations\[0\] at 0x4: its frames would need \d+ bytes, but the format allows 65535; its 1500 frames are kept\n')
        p = self.retime('xxda', 43, status=1)
        self.assertRegex(p.err, r'(?m)^reanima: xxda: animations\[0\] at 0x4: its frames would need at least \d+ bytes, but the format allows 65535; its 1500 frames are kept\n')
        self.assertEqual([len(f) for f in self.frames_of('out')], [1500, 3 * 43])

    def test_numbers_and_files(self):
        for times in ('1', '0', '65', '1/1', '4x', '1/', '-4', '1/4/2', '4.5'):
            p = self.cli(2, 'retime', PACK, f'--times={times}', '-o', 'out')
            self.assertEqual(p.err, f'reanima: --times {times}: expected N or 1/N, with a whole number N from 2 to 64\n')
        p = self.cli(1, 'retime', SKELETON, '--times', '4', '-o', 'out')
        self.assertTrue(p.err.startswith(f'reanima: {SKELETON}: is Final Fantasy VII (PC) battle skeleton, which can\'t be retimed. Use battle packs or field animations\n'), p.err)
        write(self.path('xxda'), read(PACK))
        self.assertEqual(self.cli(2, 'retime', 'xxda', '--times', '4', '-o', 'xxda', '--force').err, 'reanima: xxda: the output is an input\n')
        write(self.path('a.lgp'), writers.lgp([('xxda', '', read(PACK))])[0])
        self.assertEqual(self.cli(2, 'retime', 'a.lgp', 'xxda', '--times', '4', '-o', 'x/').err, 'reanima: a.lgp: is an archive. Use it as the only input\n')
        self.assertEqual(self.cli(2, 'retime', 'a.lgp', '--times', '4', '-o', '-').err, "reanima: -o -: an archive can't be written to standard output. Name a file\n")
        p = self.cli(0, 'retime', 'xxda', '--times', '4', '--loop', 'nothing*', '-o', 'out')
        self.assertIn('warning: no clip matches nothing* (see --loop nothing*)\n', p.err)
        p = self.cli(1, 'retime', 'xxda', '--times', '4', '--loop', 'nothing*', '-o', 'strict', '--strict')
        self.assertNotIn('strict', self.files())
        self.assertEqual(sorted(self.files()), ['a.lgp', 'out', 'xxda'])
        write(self.path('yyda'), struct.pack('<4I', 1, 1, 1, 4) + bytes(4))           # a special one
        self.assertEqual(self.cli(1, 'retime', 'yyda', '--times', '4', '-o', 'y').err, 'reanima: yyda: contains no animation with frames\n4 times the frames: 0 animations in 0 files\n')

    def test_frames_beyond_the_limits(self):
        write(self.path('x.a'), hostile.field_animation(200, 60))
        p = self.cli(4, 'retime', 'x.a', '--times', '64', '-o', 'out', '--limit-samples', 100000)
        self.assertIn('x.a: frames', p.err)
        self.assertEqual(self.files(), ['x.a'])


    def test_damaged_packs_are_named(self):
        for name, data in (('hrda', read(PACK)), ('hraa', read(SKELETON)), ('zzda', read(PACK)[:100])):
            write(self.path('in', name), data)
        p = self.cli(1, 'retime', 'in', '--times', '4', '-o', 'out/')
        self.assertRegex(p.err, r'(?m)^reanima: .*zzda: contains no animation with frames$')
        self.assertTrue(os.path.exists(self.path('out/hrda')))
        self.assertFalse(os.path.exists(self.path('out/zzda')))

    def test_a_damaged_animation_is_not_retimed(self):
        good, bad = (pack_of(swing([0, 100, 200]))[4:] for _ in range(2))
        bad = bad[:16] + b'\3' + bad[17:]                # key_bits, after 12 bytes of header and two counters
        write(self.path('xxda'), struct.pack('<I', 2) + good + bad)
        p = self.retime('xxda', 2, '-q', status=1)
        self.assertEqual(p.err, 'reanima: xxda: animations[1] at 0x%x: can\'t be read; its bytes are kept, so its speed differs from the other animations\n'
                         % (4 + len(good)))
        self.assertEqual([len(f or ()) for f in self.frames_of('out')], [6, 0])
        self.assertEqual(read(self.path('out'))[-len(bad):], bad)

    def test_a_pack_without_its_skeleton_is_warned_of(self):
        write(self.path('hrda'), read(PACK))
        p = self.cli(0, 'retime', 'hrda', '--times', '4', '-o', 'out')
        self.assertIn('no skeleton was found beside it', p.err)
        p = self.cli(1, 'retime', 'hrda', '--times', '4', '-o', 'strict', '--strict')
        self.assertFalse(os.path.exists(self.path('strict')))

    def test_nothing_to_multiply(self):
        write(self.path('in', 'text'), b'no pack')
        p = self.cli(1, 'retime', 'in', '--times', '4', '-o', 'out/')
        self.assertEqual(p.err, 'reanima: in: contains no file that can be retimed\n')

    def test_the_skeleton_is_not_replaced(self):
        for name, data in (('hrda', read(PACK)), ('hraa', read(SKELETON))):
            write(self.path(name), data)
        p = self.cli(2, 'retime', 'hrda', '--times', '4', '-s', 'hraa', '-o', 'hraa', '--force')
        self.assertIn('hraa: the output is an input', p.err)


class Many(Retimed):
    def tree(self):
        for name in ('aa', 'bb', 'cc'):
            write(self.path('battle', name + 'da'), read(PACK))
            write(self.path('battle', name + 'aa'), read(SKELETON))
        write(self.path('battle/more/x.a'), hostile.field_animation(5, 3))
        write(self.path('battle/readme.txt'), b'words')

    def test_a_folder(self):
        self.tree()
        p = self.retime('battle', output='new')
        self.assertEqual(sorted(f for f in self.files() if f.startswith('new')), ['new/aada', 'new/bbda', 'new/ccda', 'new/more/x.a'])
        self.assertTrue(p.err.endswith('; 4 skipped\n'), p.err)
        self.retime(PACK, output='one')
        self.assertEqual(read(self.path('new/aada')), read(self.path('one')))
        self.assertEqual(len(self.dumped('new/more/x.a')['frames']), 20)

    def test_an_archive(self):
        self.tree()
        names = ['aada', 'aaaa', 'bbda', 'bbaa', 'other', 'xxda']
        files = [(n, '', read(self.path('battle', n)) if n[:2] in ('aa', 'bb') else b'no pack') for n in names]
        old = read(write(self.path('battle.lgp'), writers.lgp(files)[0]))
        p = self.retime('battle.lgp', output='new.lgp', status=1)
        self.assertIn('reanima: battle.lgp:xxda: contains no animation with frames\n', p.err)
        self.retime(PACK, output='one')
        one, old, new = read(self.path('one')), Lgp(old), Lgp(read(self.path('new.lgp')))
        for name, _, data in files:
            self.assertEqual(new.find(name), one if name in ('aada', 'bbda') else data)
        self.assertRegex(p.err, r'wrote new\.lgp: \d+ bytes, 2 of 6 entries changed\n4 times the frames: \d+ animations in 2 files; 3 skipped\n$')
        self.assertEqual([f for f in self.files() if 'tmp' in f], [])
        self.retime('new.lgp', '1/4', output='back.lgp', status=1)
        self.retime('one', '1/4', '-s', SKELETON, output='back')
        self.assertEqual(Lgp(read(self.path('back.lgp'))).find('aada'), read(self.path('back')))

    def test_what_was_multiplied_before(self):
        self.tree()
        self.retime('battle/aada', output='battle/ddda')
        write(self.path('battle/ddaa'), read(SKELETON))
        p = self.retime('battle', output='new')
        self.assertRegex(p.err, r'battle/ddda: warning: its angles change by \d+\.\d\d degrees per frame, but angles in the other files change by \d+\.\d\d \(medians\)\. The frames may already have been multiplied\n')
        own, others = map(float, re.search(r'by ([\d.]+) degrees.*other files change by ([\d.]+) ', p.err).groups())
        self.assertAlmostEqual(own, self.usual_step('battle/ddda'), delta=0.01)
        self.assertAlmostEqual(others, self.usual_step('battle/aada'), delta=0.01)
        self.assertAlmostEqual(others / own, 4, delta=0.5)
        self.assertEqual(p.err.count('already have been multiplied'), 1)
        self.retime('battle', 4, '--strict', output='strict', status=1)
        self.assertEqual(os.listdir(self.path('strict')), [])
        self.assertNotIn('multiplied', self.retime('battle', '1/4', output='less').err)

    def usual_step(self, path):
        """From the dump: the average step of all changing angles in each animation, and the median of these averages"""
        averages = []
        for frames in filter(None, self.frames_of(path)):
            for triple in range(len(frames[0]['rotations'])):
                for axis in range(3):
                    angles = [f['rotations'][triple][axis] for f in frames]
                    total = sum(abs((b - a + 2048) % 4096 - 2048) for a, b in zip(angles, angles[1:]))
                    if total:
                        averages.append(total * 360 / 4096 / (len(angles) - 1))
        return sorted(averages)[len(averages) // 2]

    def test_four_hundred_packs(self):
        skeleton, pack = read(SKELETON), read(PACK)
        files = []
        for i in range(400):
            name = chr(97 + i // 20) + chr(97 + i % 20)
            files += [(name + 'aa', '', skeleton), (name + 'da', '', pack)]
        write(self.path('battle.lgp'), writers.lgp(files)[0])
        p = self.retime('battle.lgp', 4, '--limit-memory', '64', output='new.lgp')
        self.assertIn('400 of 800 entries changed', p.err)


if __name__ == '__main__':
    unittest.main()
