#!/usr/bin/env python3
"""The games' files, made only of a .glb and a skeleton (`encode EDITED --format ID -s SKELETON`)."""
import json, math, os, unittest

from support import Case, Scene, in_blender, motion, read, read_json, run, sample, write
from back_test import PACK, SKELETON, THROUGH, WALK
from gltf_files import Glb

MODEL = sample('ff9', 'hero.ff9model')
CINF, ECHO = sample('metroid', 'hero.CINF'), sample('metroid', 'echo.CINF')
QUANTUM = 360 / 4096
PACK_FORMAT = ('--format', 'ff7-battle-animation', '-s', SKELETON)
BLOCK = ('--format', 'ff9-animation', '-s', MODEL)
ANIM = ('--format', 'metroid-anim', '-s', CINF)


def apart(p, q):
    """-> degrees between two local matrices, and metres along an axis"""
    turn = [[sum(p[k][r] * q[k][c] for k in range(3)) for c in range(3)] for r in range(3)]
    sine = math.hypot(turn[2][1] - turn[1][2], turn[0][2] - turn[2][0], turn[1][0] - turn[0][1])
    return math.degrees(math.atan2(sine, turn[0][0] + turn[1][1] + turn[2][2] - 1)), max(abs(p[r][3] - q[r][3]) for r in range(3))


class Made(Case):
    def glb(self, original, *more, name='edited.glb'):
        self.check(run('convert', original, '--no-mesh', '-q', '--force', '-o', self.path(name), *more), 0)
        return self.path(name)

    def made(self, edited, out, *options, status=0):
        return self.check(run('encode', edited, '-o', out, '--force', *options, cwd=self.folder), status)

    def refused(self, edited, message, *options, out='out', status=2):
        """message: None for any message"""
        p = run('encode', edited, '-o', out, *options, cwd=self.folder)
        self.assertEqual((p.returncode, p.err if message is not None else None), (status, message))
        self.assertNotIn(out, self.files())

    def compare(self, before, after, most_degrees, most_metres):
        """every joint in every frame -> the largest differences"""
        before, after = Scene(read(before)), Scene(read(after))
        tops = {n for scene in (before, after) for n in scene.g['scenes'][0]['nodes']}
        names = [[n['name'] for i, n in enumerate(scene.nodes) if i in scene.parent] for scene in (before, after)]
        self.assertEqual(*names)
        self.assertEqual(len(tops), 1)
        worst = [0, 0]
        frames = 0
        for index, clip in enumerate(before.g['animations']):
            a, b = before.animation(index), after.animation(index)
            ends = [max(t[-1] for t, _, _ in channels.values()) for channels in (a, b)]
            self.assertAlmostEqual(*ends, delta=1e-4, msg=clip['name'])
            rate = clip['extras']['rate']
            self.assertEqual([after.g['animations'][index]['extras'][key] for key in ('rate', 'frames')], [rate, clip['extras']['frames']])
            for frame in range(2 * round(ends[0] * rate) + 1):      # and between them: which way keys go round
                frames += 1
                for node, joint in enumerate(before.nodes):
                    if node in before.parent:
                        differences = apart(before.local(node, a, frame / 2 / rate), after.local(after.node(joint['name']), b, frame / 2 / rate))
                        worst = [max(w, d) for w, d in zip(worst, differences)]
        self.assertGreater(frames, 0)
        self.assertLessEqual(worst[0], most_degrees)
        self.assertLessEqual(worst[1], most_metres)
        return worst


class BattlePacks(Made):
    def pack(self, skeleton, name='new'):
        """the file beside its skeleton"""
        os.makedirs(self.path(name), exist_ok=True)
        write(self.path(name, 'hraa'), read(skeleton))
        return os.path.join(name, 'hrda')

    def test_a_sample_with_a_weapon(self):
        p = self.made(self.glb(PACK), self.pack(SKELETON), *PACK_FORMAT)
        self.assertEqual(p.err, 'hrda_000: 24 frames, as clip 0\nhrda_001: 17 frames, as clip 1\nhrda_002: 15 frames, as clip 2\n'
                         'hrda_004: 16 frames, as clip 4\nwrote new/hrda: %d bytes, 4 clips\n`reanima preview new/hrda` shows the result\n' % os.path.getsize(self.path('new', 'hrda')))
        self.check(run('check', '--strict', self.path('new', 'hrda')), 0)
        before, after = (json.loads(run('dump', path).stdout) for path in (PACK, self.path('new', 'hrda')))
        self.assertEqual([len(a.get('frames', [])) for a in after['animations']], [len(a.get('frames', [])) for a in before['animations']])
        self.assertEqual([a['kind'] for a in after['animations']], [a['kind'] for a in before['animations']])
        for old, new in zip(before['animations'], after['animations'], strict=True):
            for a, b in zip(old.get('frames', []), new.get('frames', []), strict=True):
                self.assertEqual(a['translation'], b['translation'])
        self.compare(self.path('edited.glb'), self.glb(self.path('new', 'hrda'), name='again.glb'), QUANTUM, 0.5 / 512)

    def test_captures(self):
        for capture, stem in (('cmu_01_01', 'ma'), ('cmu_01_03', 'mb')):
            with self.subTest(capture=capture):
                original, skeleton = motion(capture, 'ff7', stem + 'da'), motion(capture, 'ff7', stem + 'aa')
                self.made(self.glb(original), self.pack(skeleton), '--format', 'ff7-battle-animation', '-s', skeleton)
                self.compare(self.path('edited.glb'), self.glb(self.path('new', 'hrda'), name='again.glb'), QUANTUM, 0.5 / 512)

    def test_coarse_angles_are_smaller(self):
        edited, sizes = self.glb(PACK), []
        for bits in (0, 2, 4):
            self.made(edited, self.pack(SKELETON), *PACK_FORMAT, '--key-bits', bits)
            self.check(run('check', '--strict', self.path('new', 'hrda')), 0)
            dump = json.loads(run('dump', self.path('new', 'hrda')).stdout)
            frames = [f for a in dump['animations'] for f in a.get('frames', [])]
            self.assertTrue(all(angle % (1 << bits) == 0 for f in frames for triple in f['rotations'] for angle in triple))
            self.assertEqual({a['key_bits'] for a in dump['animations'] if a['kind'] == 'animation'}, {bits})
            self.compare(edited, self.glb(self.path('new', 'hrda'), name='again.glb'), QUANTUM * (1 << bits), 0.5 / 512)
            sizes.append(os.path.getsize(self.path('new', 'hrda')))
        self.assertGreater(sizes[0], sizes[1])
        self.assertGreater(sizes[1], sizes[2])

    def places(self, *names, extras=True, options=()):
        glb = Glb(self.glb(PACK))
        for animation, name in zip(glb.json['animations'], names):
            animation['name'] = name
        for name in names[4:]:              # new ones
            glb.json['animations'].insert(1, {k: v for k, v in dict(glb.json['animations'][0], name=name).items() if k != 'extras'})
        if not extras:
            glb.drop_extras()
        p = self.made(glb.write(self.path('named.glb')), self.pack(SKELETON), *PACK_FORMAT, *options)
        return [line.split(', as clip ')[1] for line in p.err.splitlines() if ', as clip ' in line]

    def test_where_clips_go(self):
        self.assertEqual(self.places('a', 'b', 'c', 'd'), ['0', '1', '2', '4'])                     # where they came from
        self.assertEqual(self.places('a', 'b', 'c', 'd', extras=False), ['0', '1', '2', '3'])       # in their order
        self.assertEqual(self.places('x_003', 'x_000', 'x_002', 'x_001', extras=False), ['3', '0', '2', '1'])
        self.assertEqual(self.places('x_003', 'x_000', 'y_002', 'x_001', extras=False), ['0', '1', '2', '3'])   # numbers of different things
        self.assertEqual(self.places('x_000', 'x_002', 'x_0002', 'wave', extras=False), ['0', '2', '3', '4'])   # the second of a place, and one without
        self.assertEqual(self.places('a', 'b', 'c', 'd', 'jump', options=['--clip', 'a', '--clip', 'jump']), ['0', '1'])
        self.assertEqual(self.places('a', 'b', 'c', 'd', options=['--clip', 'd', '--clip', 'b']), ['1', '4'])

    def unarmed(self, glb):
        weapon = glb.node('weapon000')
        for animation in glb.json['animations']:
            animation['channels'] = [c for c in animation['channels'] if c['target']['node'] != weapon]
        glb.json['nodes'][weapon]['name'] = 'sword'
        return glb

    def test_a_clip_more_moves_no_other(self):
        glb = self.unarmed(Glb(self.glb(PACK)))
        glb.json['animations'].insert(0, {k: v for k, v in dict(glb.json['animations'][0], name='jump').items() if k != 'extras'})
        p = self.made(glb.write(self.path('more.glb')), 'out', *PACK_FORMAT)
        self.assertEqual([line.split(':')[0] + ' ' + line[-1] for line in p.err.splitlines() if ', as clip ' in line],
                         ['jump 5', 'hrda_000 0', 'hrda_001 1', 'hrda_002 2', 'hrda_004 4'])

    def test_skeletons_that_count_too_many_animations(self):
        self.glb(PACK)
        for count in (4097, 0x08000000, 0x80000000, 0xFFFFFFFF):
            skeleton = bytearray(read(SKELETON))
            skeleton[28:32] = count.to_bytes(4, 'little')
            path = write(self.path('many'), bytes(skeleton))
            self.refused('edited.glb', 'reanima: %s: body_animation_count: is %d, expected at most 4096\n' % (path, count),
                         '--format', 'ff7-battle-animation', '-s', path, '--rest', PACK, status=1)

    def test_a_weapon_has_no_place_after_the_last(self):
        bodies = json.loads(run('dump', SKELETON).stdout)['body_animation_count']
        glb = Glb(self.glb(PACK))
        glb.drop_extras()
        glb.json['animations'][3]['name'] = 'hrda_%03d' % bodies
        self.refused(glb.write(self.path('far.glb')),
                     "reanima: %s: body_animation_count: is %d. Weapon animations begin there, so no body clip can have the number %d. Choose other clips or rename them\n"
                     % (SKELETON, bodies, bodies), *PACK_FORMAT, status=1)

    def test_without_a_weapon(self):
        glb = self.unarmed(Glb(self.glb(PACK)))
        self.made(glb.write(self.path('bare.glb')), self.pack(SKELETON), *PACK_FORMAT)
        dump = json.loads(run('dump', self.path('new', 'hrda')).stdout)
        bodies = json.loads(run('dump', SKELETON).stdout)['body_animation_count']
        self.assertEqual(len(dump['animations']), bodies)

    def test_at_another_rate(self):
        """as a program samples it: said, and no warning"""
        self.check(run('convert', PACK, '--no-mesh', '--resample', '24', '-q', '-o', self.path('at24.glb')), 0)
        p = self.made('at24.glb', self.pack(SKELETON), *PACK_FORMAT, '--strict')
        self.assertIn('at24.glb: note: hrda_004: has keys at 24 frames per second, but is written at 15, so frames are interpolated\n', p.err)
        before, after = (json.loads(run('dump', path).stdout)['animations'] for path in (PACK, self.path('new', 'hrda')))
        self.assertEqual([len(a.get('frames', [])) for a in after], [len(a.get('frames', [])) for a in before])

    def test_what_does_not_fit_is_said_of_the_clip(self):
        glb = Glb(self.glb(PACK))
        glb.set('hrda_001', 'bone003', 'translation', [(0.5, 0, 0)] * 17, 15)
        self.refused(glb.write(self.path('moved.glb')), "reanima: %s: animations: contain changes that ff7-battle-animation files can't store: hrda_001: bone003 is moved. Only the root and the weapon can move (see --allow-loss)\n" % self.path('moved.glb'), *PACK_FORMAT, status=1)

    def test_the_same_bytes_each_time(self):
        edited = self.glb(PACK)
        for name in ('one', 'two'):
            self.made(edited, self.pack(SKELETON, name), *PACK_FORMAT, '-q')
        self.assertEqual(read(self.path('one', 'hrda')), read(self.path('two', 'hrda')))

    def test_the_report(self):
        self.made(self.glb(PACK), 'out', *PACK_FORMAT, '--report', 'report.json')
        report = read_json(self.path('report.json'))
        self.assertEqual([(c['name'], c['edited_name'], c['status'], c['frames_before'], c['frames'], c['turned']) for c in report['clips']],
                         [(None, 'hrda_000', 'added', 0, 24, None), (None, 'hrda_001', 'added', 0, 17, None), (None, 'hrda_002', 'added', 0, 15, None),
                          (None, 'hrda_004', 'added', 0, 16, None)])


class OneClipEach(Made):
    def test_a_field_animation(self):
        for name in ('doll_idle', 'doll_walk'):
            self.made(self.glb(sample('ff7', name + '.a'), '-s', sample('ff7', 'doll.hrc')), name + '.a',
                      '--format', 'ff7-field-animation', '-s', sample('ff7', 'doll.hrc'), '--rest', sample('ff7', name + '.a'))
            self.check(run('check', '--strict', self.path(name + '.a')), 0)
            self.compare(self.path('edited.glb'), self.glb(self.path(name + '.a'), '-s', sample('ff7', 'doll.hrc'), name='again.glb'), 0.05, 1e-4)

    def test_a_block(self):
        self.made(self.glb(WALK, '-s', MODEL), 'walk.ff9anim', *BLOCK, '--rest', WALK)
        self.check(run('check', '--strict', self.path('walk.ff9anim'), '-s', MODEL), 0)
        self.compare(self.path('edited.glb'), self.glb(self.path('walk.ff9anim'), '-s', MODEL, name='again.glb'), QUANTUM, 0.5 / 512)
        self.assertEqual(os.path.getsize(self.path('walk.ff9anim')), os.path.getsize(WALK))     # constants are constants, and it has a LOW table
        database = sample('ff9', 'hero.ff9db')                      # not the format of the output
        self.made(self.glb(database, '--clip', 'anim_01001'), 'first.ff9anim', *BLOCK, '--rest', database)
        self.compare(self.path('edited.glb'), self.glb(self.path('first.ff9anim'), '-s', MODEL, name='again.glb'), QUANTUM, 0.5 / 512)

    def test_animations_of_metroid(self):
        for name, skeleton, most in (('hero_walk', CINF, 0.03), ('hero_spin', CINF, 0.4), ('hero_attack', CINF, 0.03), ('echo_rise', ECHO, 0.03)):
            for kind, degrees in ((2, most), (0, 0.003)):
                with self.subTest(name=name, type=kind):
                    edited = self.glb(sample('metroid', name + '.ANIM'), '-s', skeleton)
                    if skeleton == ECHO:                            # scales have no place, and neither has what shows them
                        glb = Glb(edited)
                        helper = glb.node('chest_scale')
                        for clip in glb.json['animations']:
                            clip['channels'] = [c for c in clip['channels'] if c['target']['node'] != helper]
                        glb.json['nodes'][glb.node('chest')]['children'].remove(helper)
                        glb.json['skins'][0]['joints'].remove(helper)
                        glb.write(edited)
                    self.made(edited, 'new.ANIM', '--format', 'metroid-anim', '-s', skeleton, '--type', kind)
                    self.check(run('check', '--strict', self.path('new.ANIM')), 0)
                    dump = json.loads(run('dump', self.path('new.ANIM')).stdout)
                    self.assertEqual((dump['game'], dump['type']), ('mp2' if skeleton == ECHO else 'mp1', kind))
                    unit = dump.get('translation_multiplier') or 0
                    self.compare(edited, self.glb(self.path('new.ANIM'), '-s', skeleton, name='again.glb'), degrees, max(0.51 * unit, 2e-5))

    def test_scales_of_echoes(self):
        self.glb(sample('metroid', 'echo_rise.ANIM'), '-s', ECHO)
        options = ('--format', 'metroid-anim', '-s', ECHO)
        self.refused('edited.glb', 'reanima: edited.glb: animations: contain changes that metroid-anim files can\'t store: echo_rise: chest is scaled, '
                     'which can\'t be written (see --allow-loss)\n', *options, status=1)
        p = self.made('edited.glb', 'new.ANIM', *options, '--allow-loss')
        self.assertIn("left out: echo_rise: chest is scaled, which can't be written\n", p.err)

    def test_a_capture_in_metroid(self):
        original, skeleton = motion('cmu_01_01', 'metroid', 'ma_0.ANIM'), motion('cmu_01_01', 'metroid', 'ma.CINF')
        self.made(self.glb(original, '-s', skeleton), 'new.ANIM', '--format', 'metroid-anim', '-s', skeleton)
        unit = json.loads(run('dump', self.path('new.ANIM')).stdout)['translation_multiplier']
        self.compare(self.path('edited.glb'), self.glb(self.path('new.ANIM'), '-s', skeleton, name='again.glb'), 0.4, 0.51 * unit)

    def test_coarser_rotations_of_metroid(self):
        edited = self.glb(sample('metroid', 'hero_walk.ANIM'))
        sizes = []
        for degrees in (0.01, 0.2, 1.5):
            self.made(edited, 'new.ANIM', *ANIM, '--rotation-error', degrees)
            self.compare(edited, self.glb(self.path('new.ANIM'), '-s', CINF, name='again.glb'), degrees, 2e-4)
            sizes.append(os.path.getsize(self.path('new.ANIM')))
        self.assertGreater(sizes[0], sizes[1])
        self.assertGreater(sizes[1], sizes[2])

    def test_a_single_frame_of_metroid(self):
        self.made(self.glb(sample('metroid', 'hero_pose.ANIM')), 'new.ANIM', *ANIM)
        self.check(run('check', '--strict', self.path('new.ANIM')), 0)
        self.assertEqual(json.loads(run('dump', self.path('new.ANIM')).stdout)['type'], 0)

    def test_a_folder_gets_what_a_file_gets(self):
        edited = self.glb(sample('metroid', 'hero_spin.ANIM'))          # of 30 frames per second, with every second key
        self.made(edited, 'one.ANIM', *ANIM)
        self.made(edited, 'folder/', *ANIM)
        self.assertEqual(read(self.path('one.ANIM')), read(self.path('folder', 'hero_spin.anim')))
        self.assertEqual(json.loads(run('dump', self.path('one.ANIM')).stdout)['frame_count'], 25)

    def with_ids(self, source, change):
        """a skeleton with other ids"""
        cinf = json.loads(run('dump', source).stdout)
        known = {joint['id'] for joint in cinf['joints']}
        for joint in cinf['joints']:
            joint.update({key: change(joint[key]) for key in ('id', 'parent_id') if joint.get(key) in known})
            joint['links'] = [change(link) if link in known else link for link in joint.get('links', [])]
            joint.pop('parent', None)
        for key in ('joints_present', 'build_order', 'names'):
            cinf.pop(key, None)
        write(self.path('odd.json'), json.dumps(cinf))
        self.check(run('encode', self.path('odd.json'), '-o', self.path('odd.CINF'), '--force'), 0)
        return self.path('odd.CINF')

    def test_bones_that_no_channel_can_name(self):
        root = json.loads(run('dump', CINF).stdout)['joints'][0]['id']
        for new in (0xFFFFFFFF, 0x60000000, 300):
            with self.subTest(id=new):
                skeleton = self.with_ids(CINF, lambda own: new if own == root else own)
                edited = self.glb(sample('metroid', 'hero_walk.ANIM'), '-s', skeleton)
                self.made(edited, 'out', '--format', 'metroid-anim', '-s', skeleton, '--type', '0', '--allow-loss')
        for source, kind, most in ((CINF, 0, 254), (ECHO, 0, 254), (ECHO, 2, 255)):
            with self.subTest(source=source, type=kind):
                skeleton = self.with_ids(source, lambda own: own + 1000)
                first = json.loads(run('dump', skeleton).stdout)['joints'][0]['id']
                # Its own file moves none of these bones: the pose that all rest in is a clip, too.
                glb = Glb(self.glb(skeleton))
                node = glb.node(glb.json['nodes'][glb.json['skins'][0]['joints'][0]]['name'])
                glb.json['animations'] = [{'name': 'still', 'samplers': [{'input': glb.add([0, 1]), 'output': glb.add([(0, 0, 0, 1)] * 2)}],
                                           'channels': [{'sampler': 0, 'target': {'node': node, 'path': 'rotation'}}]}]
                p = run('encode', glb.write(self.path('still.glb')), '-o', self.path('none'), '--format', 'metroid-anim', '-s', skeleton, '--type', kind)
                self.assertEqual((p.returncode, p.err), (1, 'reanima: %s: bones: have ids such as %d, expected at least one up to %d\n' % (skeleton, first, most)))

    def test_places_beyond_all_bounds(self):
        glb = Glb(self.glb(sample('metroid', 'hero_walk.ANIM')))
        glb.set('hero_walk', 'hips', 'translation', [(1e30, 0, 0)] * 33, 30)
        for kind in ('0', '2'):
            p = run('encode', glb.write(self.path('far.glb')), '-o', self.path('out'), *ANIM, '--type', kind)
            self.assertEqual(p.returncode, 1)
            self.assertRegex(p.err, r'out: hero_walk: frame 0: a position is -?[\d.e+]+ units, expected at most 1e\+18\n$')

    def test_single_frames_of_type_2(self):
        self.refused(self.glb(sample('metroid', 'hero_pose.ANIM')), "reanima: --type 2: out: can't store a single frame, expected 0\n", *ANIM, '--type', '2')
        self.refused('edited.glb', 'reanima: --rotation-error: out: applies only to type 2, because type 0 stores floats\n', *ANIM, '--type', '0', '--rotation-error', '1')

    def test_rotations_that_type_2_can_not_hold_as_well(self):
        p = self.made(self.glb(sample('metroid', 'hero_spin.ANIM')), 'new.ANIM', *ANIM, '--rotation-error', '0.001')
        self.assertRegex(p.err, r'new.ANIM: warning: hero_spin: has rotations near half a turn, which are up to 0\.\d+ degrees off\n')

    def test_clips_that_are_called_alike(self):
        glb = Glb(self.glb(sample('metroid', 'hero_walk.ANIM')))
        glb.json['animations'].append(dict(glb.json['animations'][0]))
        self.refused(glb.write(self.path('two.glb')), 'reanima: %s: animations: contain several clips with the name "hero_walk". Rename them\n' % self.path('two.glb'),
                     *ANIM, out='folder/', status=1)
        glb.json['animations'][1]['name'] = 'x' * 201
        self.refused(glb.write(self.path('two.glb')), 'reanima: %s: is too long for a file name. Rename the clip\n' % ('x' * 201), *ANIM, out='folder/')

    def test_memory_of_all_outputs_counts(self):
        glb = Glb(self.glb(sample('metroid', 'hero_walk.ANIM')))
        long = glb.add([0, 600])
        clips = []
        for number in range(12):
            clip = dict(glb.json['animations'][0], name='long %d' % number, samplers=[], channels=[])
            for joint in ('hips', 'spine', 'chest', 'neck', 'head'):
                clip['samplers'].append({'input': long, 'output': glb.add([(0, 0, 0, 1), (0, 0.6, 0, 0.8)])})
                clip['channels'].append({'sampler': len(clip['samplers']) - 1, 'target': {'node': glb.node(joint), 'path': 'rotation'}})
            clips.append(clip)
        glb.json['animations'] = clips
        self.refused(glb.write(self.path('long.glb')), None, *ANIM, '--type', '0', '--rate', '30', '--limit-memory', '20', out='folder/', status=4)

    def test_several_clips_become_several_files(self):
        glb = Glb(self.glb(sample('metroid', 'hero_walk.ANIM')))
        for name in ('Walk', 'walk', 'a/b'):
            glb.json['animations'].append(dict(glb.json['animations'][0], name=name))
        edited = glb.write(self.path('four.glb'))
        self.refused(edited, 'reanima: -o out: a file of this format contains one clip, but there are 4. Choose one with --clip, or use -o FOLDER/ for all\n', *ANIM)
        self.made(edited, 'folder/', *ANIM)
        self.assertEqual(sorted(os.listdir(self.path('folder'))), ['Walk.anim', 'a_b.anim', 'hero_walk.anim', 'walk_2.anim'])
        self.assertEqual(len({read(self.path('folder', name)) for name in os.listdir(self.path('folder'))}), 1)
        self.made(edited, 'one.ANIM', *ANIM, '--clip', 'walk')
        self.assertEqual(read(self.path('one.ANIM')), read(self.path('folder', 'walk_2.anim')))


class Refused(Made):
    def test_what_is_missing(self):
        edited = self.glb(PACK)
        made = 'ff7-battle-animation, ff7-field-animation, ff9-animation, metroid-anim'
        self.refused('edited.glb', 'reanima: encode edited.glb: to change the game file that INPUT was made from, add --into FILE; to make a new file, add --format ID -s SKELETON. The ID is one of %s\n' % made)
        self.refused('edited.glb', "reanima: --format ff7-battle-animation: the clips need the game's skeleton. Add -s FILE\n", *PACK_FORMAT[:2])
        self.refused('edited.glb', 'reanima: --format ff9-container: files of this format can only be changed, with --into FILE. New files can have the formats %s\n' % made,
                     '--format', 'ff9-container', '-s', MODEL)
        self.refused('edited.glb', "reanima: --format ff8-monster: motion can't be written into files of this format yet. New files can have the formats %s\n" % made,
                     '--format', 'ff8-monster', '-s', sample('ff8', 'c0m900.dat'))
        still = Glb(self.path('edited.glb'))
        del still.json['animations']
        still.write(self.path('still.glb'))
        self.refused('still.glb', 'reanima: still.glb: animations: are missing. Export the file with its animations\n', *PACK_FORMAT, status=1)
        self.refused('edited.glb', 'reanima: --at and --append: apply only to a file that exists. Add --into FILE\n', *PACK_FORMAT, '--at', '1')
        self.refused('edited.glb', 'reanima: -o new/: is a folder, but all clips are written into one file. Name this file\n', *PACK_FORMAT, out='new/')
        self.refused('edited.glb', 'reanima: --clip none: no clip with that name moves the skeleton\n', *PACK_FORMAT, '--clip', 'none')
        self.refused('edited.glb', 'reanima: --rest hrda_001:3: names a clip, but a new file has no clips yet; expected zero or FILE[:CLIP:FRAME]\n',
                     *PACK_FORMAT, '--rest', 'hrda_001:3')
        self.refused('edited.glb', 'reanima: --mode: applies only with --into FILE, for motion of another character\n', *PACK_FORMAT, '--mode', 'world')
        for option, value in (('type', '0'), ('rotation-error', '1'), ('key-interval', '3')):
            self.refused('edited.glb', 'reanima: --%s: does not apply to ff7-battle-animation files\n' % option, *PACK_FORMAT, '--' + option, value)
        for option, value in (('key-bits', '4'), ('type', '0'), ('rotation-error', '1')):
            self.refused(edited, 'reanima: --%s: applies only to new animations (a .glb with --format ID and -s SKELETON)\n' % option,
                         '--into', PACK, '--' + option, value)

    def test_another_skeleton(self):
        self.glb(PACK)
        p = run('encode', 'edited.glb', '-o', 'out', *ANIM, cwd=self.folder)
        self.assertEqual((p.returncode, p.err), (1, 'reanima: edited.glb: animations: do not move the skeleton: they belong to another skeleton, or joints were renamed\n'))
        p = run('encode', 'edited.glb', '-o', 'out', '--clip', 'hrda_000', '--format', 'ff9-animation', '-s', motion('cmu_01_01', 'ff9', 'ma.ff9model'),
                cwd=self.folder)
        self.assertEqual(p.returncode, 1)
        self.assertIn("edited.glb: nodes: does not contain 18 of 38 joints", p.err)

    def test_another_rest_pose(self):
        self.glb(WALK, '-s', MODEL)
        p = run('encode', 'edited.glb', '-o', 'out', *BLOCK, cwd=self.folder)
        self.assertEqual(p.returncode, 1)
        self.assertRegex(p.err, r'^reanima: edited.glb: nodes\[\d+\]: its rest position is .* rest pose or skeleton \(see --rest FILE:CLIP:FRAME\)\n$')

    def test_other_files(self):
        bvh = write(self.path('walk.bvh'), 'HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n'
                    'MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n')
        self.refused('walk.bvh', 'reanima: walk.bvh: is not a .glb or .gltf. To write other motion into a game file, use --into FILE --at N\n', *PACK_FORMAT, status=1)
        self.assertTrue(os.path.exists(bvh))

    def test_nothing_that_was_read_is_written_over(self):
        archive = write(self.path('battle.lgp'), read(sample('archives', 'battle.lgp')))
        self.glb(PACK)
        for name, path in (('hraa', SKELETON), ('hrda', PACK), ('rest', PACK)):
            write(self.path(name), read(path))
        self.check(run('convert', PACK, '--no-mesh', '-q', '-o', self.path('edited.gltf')), 0)
        buffer = next(name for name in self.files() if name.endswith('.bin'))
        for edited, skeleton, out, more in (('edited.glb', archive + ':hraa', 'battle.lgp', ()), ('edited.glb', 'hraa', 'hrda', ()),
                                            ('edited.glb', 'hraa', 'rest', ('--rest', 'rest')), ('edited.gltf', 'hraa', buffer, ())):
            before = {name: read(self.path(name)) for name in self.files()}
            for where in (('-o', out), ('-o', 'out', '--report', out)):
                p = run('encode', edited, *where, '--force', '--format', 'ff7-battle-animation', '-s', skeleton, *more, cwd=self.folder)
                self.assertEqual(p.returncode, 2, (where, p.err))
                self.assertIn('the output is an input', p.err)
                self.assertEqual({name: read(self.path(name)) for name in self.files()}, before)

    def test_json_beside_a_skeleton(self):
        write(self.path('hrda.json'), run('dump', PACK).stdout)
        self.check(run('encode', 'hrda.json', '-s', SKELETON, '-o', 'out', cwd=self.folder), 0)
        self.assertEqual(read(self.path('out')), read(PACK))

    def test_inputs_are_not_written_over(self):
        self.glb(PACK)
        write(self.path('hraa'), read(SKELETON))
        for out in ('edited.glb', 'hraa'):
            before = read(self.path(out))
            p = run('encode', 'edited.glb', '-o', out, '--force', '--format', 'ff7-battle-animation', '-s', 'hraa', cwd=self.folder)
            self.assertEqual(p.returncode, 2, p.err)
            self.assertEqual(read(self.path(out)), before)
        write(self.path('out'), 'there')
        p = run('encode', 'edited.glb', '-o', 'out', *PACK_FORMAT, cwd=self.folder)
        self.assertEqual((p.returncode, read(self.path('out'))), (2, b'there'))


class ThroughBlender(Made):
    def test_a_pack(self):
        self.glb(PACK)
        in_blender(self, THROUGH, self.path('edited.glb'), self.path('blender.glb'), 15, 'yes', 'no', 'no', '')
        p = self.made('blender.glb', 'out', *PACK_FORMAT)
        self.assertEqual([line.split(', as clip ')[1] for line in p.err.splitlines() if ', as clip ' in line], ['0', '1', '2', '4'])
        os.makedirs(self.path('new'))
        os.rename(self.path('out'), self.path('new', 'hrda'))
        write(self.path('new', 'hraa'), read(SKELETON))
        self.compare(self.path('edited.glb'), self.glb(self.path('new', 'hrda'), name='again.glb'), QUANTUM, 0.5 / 512 + 1e-5)


if __name__ == '__main__':
    unittest.main()
