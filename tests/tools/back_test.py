#!/usr/bin/env python3
"""The way back: changes by other programs to a .glb are written into the game's file from which it was made (`encode
--into`)."""
import itertools, json, math, os, re, shutil, struct, unittest

import ff9_container
from geometry import YXZ, ZYX, about_x, composed, degrees_between, multiplied
from gltf_files import Glb
from support import Case, DATA, SANITIZED, conformance, in_blender, read, run, sample, write

PACK, SKELETON = sample('ff7', 'hrda'), sample('ff7', 'hraa')
WALK = sample('ff9', 'hero_walk.ff9anim')


def originals():
    """Files that `encode --into` can write from poses"""
    for folder in (sample(), os.path.join(DATA, 'conformance'), os.path.join(DATA, 'motion')):
        for where, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                if name.lower().endswith(('da', '.a', '.a00', '.ff9anim', '.anim')):
                    yield os.path.join(where, name)


class Back(Case):
    scene = None

    def dumped(self, path, *more):
        return json.loads(self.check(run('dump', path, *more), 0).stdout)

    def converted(self, original, name='edited.glb', *more):
        self.check(run('convert', original, '-q', '--force', '-o', self.path(name), *more), 0)
        glb = Glb(self.path(name))
        if name == 'edited.glb':
            self.scene = glb
        return glb

    def remade(self, dump, name):
        """-> the path of a file that is encoded from JSON"""
        self.check(run('encode', write(self.path('pack.json'), json.dumps(dump)), '-q', '-o', self.path(name)), 0)
        return self.path(name)

    def encoded(self, original, edited='edited.glb', *more, status=0):
        """The report on the scene that was converted"""
        if self.scene and edited == 'edited.glb':
            self.scene.write(self.path(edited))
        return self.check(run('encode', edited, '--into', original, '-o', 'out', '--force', *more, cwd=self.folder), status)

    def refused(self, message, original=PACK, *more, status=1):
        p = self.encoded(original, 'edited.glb', *more, status=status)
        self.assertEqual(p.err, message)
        self.assertNotIn('out', self.files())


class Unedited(Back):
    def test_every_byte_comes_back(self):
        seen = 0
        for original in originals():
            if run('convert', original, '-q', '--force', '-o', self.path('edited.glb')).returncode != 0:
                continue
            with self.subTest(original=original):
                self.encoded(original)
                self.assertEqual(read(self.path('out')), read(original))
                seen += 1
        self.assertGreater(seen, 100)

    def test_a_damaged_original(self):
        """What is missing stays missing; the encoder says so, as the decoder does."""
        shutil.copy(SKELETON, self.path('hraa'))
        write(self.path('hrda'), read(PACK)[:-600])
        missing = re.sub('(?m)^.* note: .*\n', '', self.check(run('convert', 'hrda', '-o', 'edited.glb', cwd=self.folder), 0).err.split('wrote')[0])
        self.assertRegex(missing, r'^hrda: warning: animations\[4\]\.block_size: only 148 of 256 bytes are present\n')
        p = self.check(run('encode', 'edited.glb', '--into', 'hrda', '-o', 'out', cwd=self.folder), 0)
        self.assertEqual(p.err, missing + 'wrote out: %d bytes, 0 clips changed, 4 unchanged\n' % (len(read(PACK)) - 600))

    def test_without_an_output_changes_are_listed(self):
        self.converted(PACK)
        p = self.check(run('encode', 'edited.glb', '--into', PACK, cwd=self.folder), 0,
                       '0 clips changed, 4 unchanged; nothing is written without -o\n')
        self.assertEqual(p.stdout, b'')
        self.assertEqual(self.files(), ['edited.glb'])


class Edited(Back):
    def turned(self, original, clip, joint, frames, rate, degrees=20, **more):
        return self.converted(original).turn(clip, joint, rate, frames, degrees, **more)

    def test_a_bone_of_a_battle_pack(self):
        keys = self.turned(PACK, 'hrda_000', 'bone005', (2, 3, 4), 15)
        p = self.encoded(PACK)
        self.assertRegex(p.err, r'^hrda_000: 1 joint in 3 frames; bone005 by 20\.0 degrees in frame [234]\n'
                                r'wrote out: %d bytes, 1 clip changed, 3 unchanged\n`reanima preview out -s %s` shows the result\n$' % (len(read(self.path('out'))), SKELETON))
        before, after = self.dumped(PACK), self.dumped(self.path('out'), '-s', SKELETON)
        for index, (old, new) in enumerate(zip(before['animations'], after['animations'], strict=True)):
            if index != 0:
                self.assertEqual({k: v for k, v in new.items() if k != 'offset'}, {k: v for k, v in old.items() if k != 'offset'})
                continue
            for frame, (a, b) in enumerate(zip(old['frames'], new['frames'], strict=True)):
                self.assertEqual(a['translation'], b['translation'])
                for triple, (u, v) in enumerate(zip(a['rotations'], b['rotations'], strict=True)):
                    if triple == 6 and frame in (2, 3, 4):
                        self.assertLess(degrees_between(composed(v, YXZ), keys[frame]), 0.1)
                    else:
                        self.assertEqual(u, v, (frame, triple))

    def test_a_bone_of_a_block(self):
        keys = self.turned(WALK, 'hero_walk', 'bone004', (1, 5), 30)
        self.encoded(WALK)
        before, after = self.dumped(WALK), self.dumped(self.path('out'), '-s', sample('ff9', 'hero.ff9model'))
        self.assertEqual(before['translations'], after['translations'])
        for frame, (a, b) in enumerate(zip(before['angles'], after['angles'], strict=True)):
            for bone, (u, v) in enumerate(zip(a, b, strict=True)):
                if bone == 4 and frame in (1, 5):
                    self.assertLess(degrees_between(composed(v, ZYX), keys[frame]), 0.1)
                else:
                    self.assertEqual(u, v, (frame, bone))

    def test_a_bone_of_a_field_animation(self):
        original = sample('ff7', 'hzaf.a') if os.path.exists(sample('ff7', 'hzaf.a')) else next(f for f in originals() if f.endswith('.a'))
        glb = self.converted(original)
        names = [n['name'] for n in glb.json['nodes']]
        clip = glb.json['animations'][0]['name']
        joint = names[names.index('root') + 2]
        keys = self.turned(original, clip, joint, (0,), 30)
        self.encoded(original)
        before, after = self.dumped(original), self.dumped(self.path('out'))
        changed = [(f, b, v) for f, (old, new) in enumerate(zip(before['frames'], after['frames'], strict=True))
                   for b, (u, v) in enumerate(zip(old['rotations'], new['rotations'], strict=True)) if u != v]
        self.assertEqual(len(changed), 1)
        (frame, _, degrees), = changed
        self.assertEqual(frame, 0)
        self.assertLess(degrees_between(composed([d * 4096 / 360 for d in degrees], after['order']), keys[0]), 0.001)

    def test_a_key_of_an_anim(self):
        original = sample('metroid', 'hero_walk.ANIM')
        glb = self.converted(original)
        times = sorted({t for s in glb.clip('hero_walk')['samplers'] for t in glb.floats(s['input'])})
        keys = None
        for c in glb.clip('hero_walk')['channels']:
            if c['target']['path'] == 'rotation' and len(glb.floats(glb.clip('hero_walk')['samplers'][c['sampler']]['input'])) == len(times):
                node, s = c['target']['node'], glb.clip('hero_walk')['samplers'][c['sampler']]
                keys = [tuple(q) for q in glb.floats(s['output'])]
                break
        keys[1] = multiplied(keys[1], about_x(20))
        glb.set('hero_walk', glb.json['nodes'][node]['name'], 'rotation', keys, 30, times=times)
        self.encoded(original)
        self.converted(self.path('out'), 'again.glb', '--format', 'metroid-anim', '-s', sample('metroid', 'hero.CINF'))
        again = Glb(self.path('again.glb'))
        clip = again.json['animations'][0]
        before, after = self.dumped(original), self.dumped(self.path('out'), '--format', 'metroid-anim')
        changed = [a['bone'] for a, b in zip(before['channels'], after['channels'], strict=True) if a != b]
        self.assertEqual(len(changed), 1)
        for a, b in zip(before['channels'], after['channels'], strict=True):
            if a == b:
                continue
            self.assertEqual([k for k, (p, q) in enumerate(zip(a['rotation'], b['rotation'], strict=True)) if p != q], [1])
            self.assertEqual(a['translation'], b['translation'])
        for c in clip['channels']:
            if c['target'] == {'node': again.node(glb.json['nodes'][node]['name']), 'path': 'rotation'}:
                s = clip['samplers'][c['sampler']]
                self.assertLess(degrees_between(again.floats(s['output'])[again.floats(s['input']).index(times[1])], keys[1]), 0.1)

    def test_other_ways_to_store_keys(self):
        """CUBICSPLINE with tangents of 0 shows its values at the keys, STEP holds the value of the key before, and
        sparse accessors read like dense ones."""
        glb = self.converted(PACK)
        keys = glb.keys('hrda_000', 'bone005', 'rotation', 15)
        keys[3] = multiplied(keys[3], about_x(20))
        for style in ('LINEAR', 'STEP', 'CUBICSPLINE', 'sparse'):
            with self.subTest(style=style):
                changed = self.converted(PACK)
                values = [v for k in keys for v in ((0, 0, 0, 0), k, (0, 0, 0, 0))] if style == 'CUBICSPLINE' else keys
                changed.set('hrda_000', 'bone005', 'rotation', values, 15, style='LINEAR' if style == 'sparse' else style, times=[f / 15 for f in range(24)])
                if style == 'sparse':
                    accessor, _ = changed.last('hrda_000', 'output')
                    flat = changed.floats(len(changed.json['accessors']) - 1)
                    accessor['sparse'] = {'count': len(flat), 'indices': {'bufferView': changed.json['accessors'][changed.add(flat)]['bufferView'], 'componentType': 5123},
                                          'values': {'bufferView': accessor.pop('bufferView')}}
                    at = changed.json['bufferViews'][accessor['sparse']['indices']['bufferView']]['byteOffset']
                    changed.data[at:at + 2 * len(flat)] = struct.pack('<%dH' % len(flat), *range(len(flat)))
                self.assertIn('hrda_000: 1 joint in 1 frame; bone005 by 20.0 degrees in frame 3\n', self.encoded(PACK).err)

    def test_a_longer_and_a_shorter_clip(self):
        for frames in (34, 14):
            glb = self.converted(PACK, 'edited.glb')
            keys = glb.keys('hrda_000', 'bone005', 'rotation', 15)
            keys = keys[:frames] if frames < len(keys) else keys + [keys[-1]] * (frames - len(keys))
            if frames < 24:
                for name, path in glb.paths('hrda_000'):
                    glb.set('hrda_000', name, path, glb.keys('hrda_000', name, path, 15)[:frames], 15)
                glb.drop_samplers(glb.clip('hrda_000'))
            else:
                glb.set('hrda_000', 'bone005', 'rotation', keys, 15)
            p = self.encoded(PACK)
            self.assertIn('%d frames instead of 24\n' % frames, p.err)
            before, after = self.dumped(PACK), self.dumped(self.path('out'), '-s', SKELETON)
            self.assertEqual([len(a.get('frames', [])) for a in after['animations']],
                             [frames if i in (0, 5) else len(a.get('frames', [])) for i, a in enumerate(before['animations'])])
            common = min(frames, 24)            # 5 is the weapon's
            self.assertEqual(after['animations'][0]['frames'][:common], before['animations'][0]['frames'][:common])
            self.assertEqual(after['animations'][0]['stream_frame_count'], frames)

    def test_a_loop_that_is_closed(self):
        """The first frame again, after all frames of the original."""
        for original in (WALK, sample('ff7', 'doll_walk.a'), sample('metroid', 'hero_walk.ANIM')):
            with self.subTest(original=original):
                self.converted(original, 'edited.glb', '--loop-key')
                self.encoded(original)
                self.assertEqual(read(self.path('out')), read(original))

    def test_one_frame_of_an_anim(self):
        """Type 2 has no key for frame 0, so one frame would have no keys at all."""
        anim = sample('metroid', 'hero_walk.ANIM')
        glb = self.converted(anim)
        for name, path in glb.paths('hero_walk'):
            glb.set('hero_walk', name, path, glb.keys('hero_walk', name, path, 30)[:1], 30)
        glb.drop_samplers(glb.clip('hero_walk'))
        self.encoded(anim)
        self.assertEqual(self.dumped(self.path('out'))['frame_count'], 2)
        self.check(run('check', self.path('out')), 0)

    def test_joints_that_were_renamed_by_a_table(self):
        """`--names`: their extras still say which joints they are."""
        self.converted(PACK, 'edited.glb', '--names', sample('ff7', 'hero.names.csv'))
        p = self.encoded(PACK)
        self.assertIn('edited.glb: note: nodes: 21 joints were renamed, but can be recognised by their extras\n', p.err)
        self.assertEqual(read(self.path('out')), read(PACK))
        os.remove(self.path('out'))
        for node in self.scene.json['nodes']:
            if node['name'] == 'chest':
                node['extras']['index'] = 5             # of another skeleton, or edited
        self.refused('reanima: edited.glb: nodes: does not contain 21 of 22 joints: "bone000", "bone001", "bone002", "bone003", "bone004" and 16 more. The file belongs to another skeleton, or joints were renamed (see --at N or --append)\n')

    def test_a_weapon_alone(self):
        self.turned(PACK, 'hrda_001', 'weapon000', (2,), 15)
        p = self.encoded(PACK)
        self.assertIn('hrda_001: 1 joint in 1 frame; weapon000 by 20.0 degrees in frame 2\n', p.err)
        before, after = self.dumped(PACK, '-s', SKELETON), self.dumped(self.path('out'), '-s', SKELETON)
        changed = [i for i, (a, b) in enumerate(zip(before['animations'], after['animations'], strict=True)) if a.get('frames') != b.get('frames')]
        self.assertEqual(changed, [6])

    def test_clips_under_other_names_and_clips_that_are_gone(self):
        glb = self.converted(PACK)
        glb.clip('hrda_000').pop('extras')
        glb.clip('hrda_000')['name'] = 'wave'
        glb.json['animations'] = [a for a in glb.json['animations'] if a['name'] != 'hrda_002']
        p = self.encoded(PACK, 'edited.glb', '--report', 'report.json')
        self.assertEqual(p.err, 'edited.glb: note: wave: was matched to hrda_000 by its motion\n'
                                '1 clip is not in edited.glb and stays unchanged\n'
                                'wrote out: 2316 bytes, 0 clips changed, 4 unchanged\n')
        self.assertEqual(read(self.path('out')), read(PACK))
        report = json.loads(read(self.path('report.json')))
        self.assertEqual([(c['name'], c['edited_name'], c['status']) for c in report['clips']],
                         [('hrda_000', 'wave', 'kept'), ('hrda_001', 'hrda_001', 'kept'), ('hrda_004', 'hrda_004', 'kept'), ('hrda_002', None, 'kept')])

    def test_a_pack_of_coarse_angles(self):
        dump = self.dumped(PACK)
        for frame in dump['animations'][0]['frames']:
            frame['rotations'] = [[round(a / 16) * 16 % 4096 for a in triple] for triple in frame['rotations']]
        dump['animations'][0]['key_bits'] = 4
        self.remade(dump, 'hrda')
        before = self.dumped(self.path('hrda'), '-s', SKELETON)['animations'][0]
        self.assertEqual(before['key_bits'], 4)
        keys = self.converted(self.path('hrda'), 'edited.glb', '-s', SKELETON).turn('hrda_000', 'bone005', 15, [3])
        p = self.encoded(self.path('hrda'), 'edited.glb', '-s', SKELETON)
        after = self.dumped(self.path('out'), '-s', SKELETON)['animations'][0]
        self.assertIn('hrda: note: hrda_000: some angles are not multiples of 16, so angles need more bits: %d bytes instead of %d\n' % (after['stream_size'], before['stream_size']), p.err)
        self.assertLess(degrees_between(composed(after['frames'][3]['rotations'][6], YXZ), keys[3]), 0.1)
        after['frames'][3]['rotations'][6] = before['frames'][3]['rotations'][6]
        self.assertEqual(after['frames'], before['frames'])

    def test_a_place_is_rounded_to_the_games_units(self):
        glb = self.converted(PACK)
        keys = glb.keys('hrda_000', 'root', 'translation', 15)
        keys[1] = (keys[1][0] + 10 / 512, keys[1][1], keys[1][2] - 7.4 / 512)
        glb.set('hrda_000', 'root', 'translation', keys, 15)
        p = self.encoded(PACK)
        self.assertIn('root by 24.3 mm in frame 1\n', p.err)
        before, after = self.dumped(PACK), self.dumped(self.path('out'), '-s', SKELETON)
        a, b = (d['animations'][0]['frames'][1]['translation'] for d in (before, after))
        self.assertEqual([v - u for u, v in zip(a, b)], [10, 0, 7])


class Refused(Back):
    def test_a_file_of_another_kind(self):
        write(self.path('edited.fbx'), b'no glTF')
        p = self.encoded(PACK, 'edited.fbx', status=1)
        self.assertEqual(p.err, 'reanima: edited.fbx: is not a .glb or .gltf. Export a .glb and use it as INPUT\n')

    def test_formats_that_are_not_written_from_poses(self):
        self.converted(PACK)
        original = sample('rlf', 'wheel.rlf')
        self.refused('reanima: %s: has the format rlf. Clips can\'t be encoded into this format. Instead, dump the file as JSON, edit the JSON, and encode that\n' % original, original)

    def test_a_skeleton_that_is_not_there_is_named_as_the_reason(self):
        self.converted(PACK).write(self.path('edited.glb'))
        shutil.copy(PACK, self.path('hrda'))
        why = "reanima: hrda: no skeleton was found beside this file, so the joints of edited.glb are not known. Name the skeleton with -s FILE\n"
        self.check(run('encode', 'edited.glb', '--into', 'hrda', '-o', 'new', cwd=self.folder), 1, why)
        self.check(run('encode', 'edited.glb', '--into', 'hrda', '-o', 'new', '-s', SKELETON, cwd=self.folder), 0)
        self.assertEqual(read(self.path('new')), read(PACK))

    def test_a_clip_that_lost_the_keys_of_most_joints(self):
        glb = self.converted(PACK)
        clip, kept = glb.clip('hrda_001'), {glb.node('bone005'), glb.node('root')}
        moving = {c['target']['node'] for c in clip['channels'] if len(glb.floats(clip['samplers'][c['sampler']]['input'])) > 1}
        clip['channels'] = [c for c in clip['channels'] if c['target']['node'] in kept]
        p = self.encoded(PACK)
        self.assertIn('edited.glb: warning: hrda_001: has no keys for %d joints that move in the original, so they stay at rest. If you did not delete '
                      'their keys, export the keys of all bones\n' % len(moving - kept), p.err)

    def test_clips_without_the_motion_of_the_root(self):
        for how, clips in (('drop', '"hrda_000", "hrda_001", "hrda_002", "hrda_004"'), ('in-place', '"hrda_001", "hrda_002", "hrda_004"')):
            self.converted(PACK, 'edited.glb', '--root-motion', how)
            self.refused('reanima: edited.glb: animations: were converted with the root motion "%s", so the root\'s own motion would be lost: %s. '
                         'Convert again, keep the root\'s motion, and copy your changes (see --all-changed)\n' % (how, clips))
        self.encoded(PACK, 'edited.glb', '--all-changed')

    def test_another_skeleton(self):
        glb = self.converted(PACK)
        for node in glb.json['nodes']:
            if node.get('name') in ('bone003', 'bone004'):
                node['name'] = node['name'].upper()
                node.pop('extras')
        self.refused("reanima: edited.glb: nodes: does not contain 2 of 22 joints: \"bone003\", \"bone004\". The file belongs to another skeleton, or joints were renamed\n")

    def test_a_joint_twice(self):
        glb = self.converted(PACK)
        glb.json['nodes'].append({'name': 'bone003'})
        glb.json['scenes'][0]['nodes'].append(len(glb.json['nodes']) - 1)
        self.refused('reanima: edited.glb: nodes: contains 2 nodes named "bone003", so the joint is ambiguous (see --joint-root NAME)\n')

    def test_bones_that_were_moved_at_rest(self):
        glb = self.converted(PACK, 'edited.glb', '--no-mesh')
        node = glb.json['nodes'][glb.node('bone003')]
        node['translation'] = [0.3, 0.3, 0.3]
        glb.json.pop('skins', None)         # the nodes alone tell how it rests
        for own in glb.json['nodes']:
            own.pop('skin', None)
        p = self.encoded(PACK, status=1)
        self.assertRegex(p.err, r'^reanima: edited.glb: nodes\[\d+\]: its rest position is \d+\.\d % of the skeleton\'s size away from "bone\d+" in the original: bones were moved in edit mode, or the file has another rest pose or skeleton \(see --rest FILE:CLIP:FRAME\)\n$')

    def turn_all(self, glb, clip):
        for joint in [n['name'] for n in glb.json['nodes'] if n.get('name', '').startswith('bone')]:
            glb.turn(clip, joint, 15, range(len(glb.keys(clip, joint, 'rotation', 15))), 33)

    def test_a_clip_that_is_none_of_the_originals(self):
        glb = self.converted(PACK)
        for clip in glb.json['animations']:
            clip['name'] = 'a ' + clip['name']
            self.turn_all(glb, clip['name'])
        self.refused('reanima: edited.glb: animations: contains "a hrda_000", "a hrda_001", "a hrda_002", "a hrda_004", which match no clip of the original by name or motion. Give each the name of an original clip: hrda_000, hrda_001, hrda_002, hrda_004 (see --at N or --append)\n')

    def test_clips_that_were_renamed_by_a_table(self):
        """`--names`: their extras still say which clips they are, however much was changed."""
        write(self.path('names.csv'), b'clip,1,walk\n')
        glb = self.converted(PACK, 'edited.glb', '--names', self.path('names.csv'))
        self.turn_all(glb, 'walk')
        p = self.encoded(PACK, 'edited.glb', '--all-changed')
        self.assertIn('edited.glb: note: walk: was matched to hrda_001 by its extras\n', p.err)
        self.assertIn(', 1 clip changed, 3 unchanged\n', p.err)
        os.remove(self.path('out'))
        glb.clip('walk')['name'] = 'run'                # a copy keeps the extras of its original
        self.refused('reanima: edited.glb: animations: contains "run", which matches no clip of the original by name or motion. '
                     'Give it the name of an original clip: hrda_001 (see --at N or --append)\n')

    def test_a_chosen_clip_beside_the_one_that_it_resembles(self):
        """hrda_000 is still in the scene, although it was not chosen."""
        scene = self.converted(PACK)
        scene.json['animations'].append(dict(scene.clip('hrda_000'), name='wave', extras={}))
        p = self.encoded(PACK, 'edited.glb', '--clip', 'wave', status=1)
        self.assertIn('contains "wave", which matches no clip of the original by name or motion', p.err)
        p = self.encoded(PACK, 'edited.glb', '--clip', 'hrda_001')
        self.assertNotIn('not in edited.glb', p.err)
        self.assertIn('3 clips of edited.glb are not selected with --clip and stay unchanged\n', p.err)
        p = self.encoded(PACK, 'edited.glb', '--clip', 'wave', '--at', '2', '--all-changed')
        self.assertIn('3 other clips stay unchanged\n', p.err)

    def test_motion_that_is_altogether_another(self):
        glb = self.converted(PACK)
        for clip in ('hrda_000', 'hrda_001', 'hrda_002', 'hrda_004'):
            self.turn_all(glb, clip)
        self.refused("reanima: edited.glb: animations: most joints of \"hrda_000\", \"hrda_001\", \"hrda_002\", \"hrda_004\" move differently than in %s. Possible reasons: bones were rolled in edit mode, the motion belongs to another character, or everything was changed on purpose (see --all-changed)\n" % PACK)
        self.encoded(PACK, 'edited.glb', '--all-changed')

    def test_what_the_format_can_not_hold(self):
        glb = self.converted(PACK)
        glb.set('hrda_000', 'bone003', 'translation', [(0.5, 0, 0)] * 24, 15)
        glb.set('hrda_000', 'bone004', 'scale', [(2, 2, 2)] * 24, 15)
        self.refused("reanima: edited.glb: animations: contain changes that ff7-battle-animation files can't store: hrda_000: bone003 is moved. Only the root and the weapon can move; hrda_000: bone004 is scaled, which the format can't store (see --allow-loss)\n")
        p = self.encoded(PACK, 'edited.glb', '--allow-loss')
        self.assertIn('left out: hrda_000: bone003 is moved. Only the root and the weapon can move\n', p.err)

    def test_bones_that_an_animation_does_not_hold(self):
        dump = self.dumped(sample('ff7', 'doll_idle.a'))
        dump['bone_count'] -= 1
        for frame in dump['frames']:
            frame['rotations'].pop()
        self.remade(dump, 'short.a')
        more = ('-s', sample('ff7', 'doll.hrc'))
        glb = self.converted(self.path('short.a'), 'edited.glb', *more)
        clip = glb.json['animations'][0]['name']
        glb.turn(clip, 'foot_r', 30, range(len(dump['frames'])))
        p = self.encoded(self.path('short.a'), 'edited.glb', *more, status=1)
        self.assertEqual(p.err, "reanima: edited.glb: animations: contain changes that ff7-field-animation files can't store: %s: foot_r is rotated, but the animation has only 19 bones (see --allow-loss)\n" % clip)

    def test_places_of_joints_that_have_none(self):
        for original, format, clip, joint, rate, message in (
                (WALK, 'ff9-animation', 'hero_walk', 'bone004', 30, 'hero_walk: bone004 is moved. Only the first bone can move'),
                (sample('ff7', 'doll_idle.a'), 'ff7-field-animation', 'doll_idle', 'foot_r', 30, 'doll_idle: foot_r is moved. Only the root can move')):
            glb = self.converted(original)
            glb.set(clip, joint, 'translation', [(0.5, 0, 0)], rate, times=[0])
            self.refused("reanima: edited.glb: animations: contain changes that %s files can't store: %s (see --allow-loss)\n" % (format, message), original)

    def test_a_clip_that_is_too_long(self):
        glb = self.converted(WALK)
        glb.set('hero_walk', 'bone004', 'rotation', [(0, 0, 0, 1), about_x(20)], 30, times=[0, 3000])
        self.refused('reanima: %s: hero_walk: has 90001 frames, expected at most 65535\n' % WALK, WALK)

    def test_a_weapon_without_an_animation(self):
        dump = self.dumped(PACK)
        dump['animations'][5] = {'kind': 'special', 'bone_count': 0, 'frame_count': 0, 'block_size': 8, 'raw': '00' * 8}
        self.remade(dump, 'hrda')
        glb = self.converted(self.path('hrda'), 'edited.glb', '-s', SKELETON)
        glb.set('hrda_000', 'weapon000', 'rotation', [about_x(70)], 15, times=[0])
        p = self.encoded(self.path('hrda'), 'edited.glb', '-s', SKELETON, status=1)
        self.assertIn("can't store: hrda_000: the file has no weapon animation for this clip (see --allow-loss)\n", p.err)

    def test_channels_that_an_anim_has_not(self):
        original = sample('metroid', 'hero_walk.ANIM')
        for joint, path, value, message in (
                ('Skeleton_Root', 'rotation', about_x(20), 'Skeleton_Root is rotated, but the animation has no rotations for it'),
                ('chest', 'translation', (0, 0.3, 0), 'chest is moved, but the animation has no positions for it'),
                ('chest', 'scale', (2, 2, 2), "chest is scaled, which can't be written")):
            glb = self.converted(original)
            glb.set('hero_walk', joint, path, [value], 30, times=[0])
            self.refused("reanima: edited.glb: animations: contain changes that metroid-anim files can't store: hero_walk: %s (see --allow-loss)\n" % message, original)
        glb = self.converted(original)
        glb.set('hero_walk', 'hips', 'translation', [(500, 0.91, 0)], 30, times=[0])
        p = self.encoded(original, status=1)
        self.assertRegex(p.err, r'^reanima: .*hero_walk.ANIM: hero_walk: frame 0: a position is -?\d+ times the multiplier, expected -32768 to 32767\n$')

    def test_keys_that_are_damaged(self):
        keys = [(0, 0, 0, 1)] * 24
        for what, change in {
                'animations[0].samplers[{}].output: element 3 is not finite': lambda g: g.set('hrda_000', 'bone003', 'rotation', keys[:3] + [(math.nan, 0, 0, 1)] + keys[4:], 15),
                'animations[0].samplers[{}].output: element 3 has the length 0, expected 1': lambda g: g.set('hrda_000', 'bone003', 'rotation', keys[:3] + [(0, 0, 0, 0)] + keys[4:], 15),
                'animations[0].samplers[{}].output: element 3 has the length inf, expected 1': lambda g: g.set('hrda_000', 'bone003', 'rotation', keys[:3] + [(0, 0, 3e35, 1)] + keys[4:], 15),
                'animations[0].samplers[{}].input: key 2 is at 0.5 s, expected rising times': lambda g: g.set('hrda_000', 'bone003', 'rotation', keys[:3], 15, times=[0, 0.5, 0.5]),
                'animations[0].samplers[{}].output: has 3 elements, expected 2': lambda g: g.set('hrda_000', 'bone003', 'rotation', keys[:3], 15, times=[0, 0.5]),
                'animations[0].samplers[{}].input: has no keys': lambda g: (g.set('hrda_000', 'bone003', 'rotation', keys[:3], 15), g.json['accessors'][g.clip('hrda_000')['samplers'][-1]['input']].update(count=0)),
        }.items():
            with self.subTest(what=what):
                glb = self.converted(PACK, 'edited.glb', '--force')
                change(glb)
                last = len(glb.clip('hrda_000')['samplers']) - 1
                self.refused('reanima: edited.glb: %s\n' % what.format(last))

    def test_channels_that_gltf_does_not_have(self):
        for message, change in (
                ('.samplers[{s}].interpolation: is "WAVE", expected "LINEAR", "STEP" or "CUBICSPLINE"', lambda a: a['samplers'][-1].update(interpolation='WAVE')),
                ('.channels[{c}].target.path: is "turn", expected "translation", "rotation", "scale" or "weights"', lambda a: a['channels'][-1]['target'].update(path='turn')),
                ('.channels[{d}].target: is an object, expected a property that no earlier channel animates',
                 lambda a: a['channels'].append(a['channels'][-1]))):
            glb = self.converted(PACK)
            glb.set('hrda_000', 'bone003', 'rotation', [(0, 0, 0, 1)] * 24, 15)
            clip = glb.clip('hrda_000')
            where = {'s': len(clip['samplers']) - 1, 'c': len(clip['channels']) - 1, 'd': len(clip['channels'])}
            change(clip)
            self.refused('reanima: edited.glb: animations[0]' + message.format(**where) + '\n')

    def test_a_sparse_accessor_that_leads_outside(self):
        glb = self.converted(PACK)
        glb.set('hrda_000', 'bone003', 'rotation', [(0, 0, 0, 1)] * 24, 15)
        accessor, index = glb.last('hrda_000', 'output')
        accessor['sparse'] = {'count': 1, 'indices': {'bufferView': glb.json['accessors'][glb.add([0.0])]['bufferView'], 'componentType': 5125},
                              'values': {'bufferView': accessor['bufferView']}}
        at = glb.json['bufferViews'][accessor['sparse']['indices']['bufferView']]['byteOffset']
        glb.data[at:at + 4] = struct.pack('<I', 24)
        self.refused('reanima: edited.glb: accessors[%d].sparse.indices: has the index 24, expected less than 24\n' % index)

    def test_a_place_that_the_field_does_not_read(self):
        walk = sample('ff7', 'doll_walk.a')
        glb = self.converted(walk)
        glb.set('doll_walk', 'root', 'translation', [(1e30, 0, 0)] * 3, 30, times=[0, 0.1, 0.2])
        glb.write(self.path('edited.glb'))
        p = self.check(run('encode', 'edited.glb', '--into', walk, '-o', 'out', '--all-changed', cwd=self.folder), 1)
        self.assertRegex(p.err, r'doll_walk: frame 0: the position is 1\.92\d*e\+31 units, expected at most 1e\+18\n$')
        self.assertFalse(os.path.exists(self.path('out')))

    def test_a_place_beyond_16_bits(self):
        glb = self.converted(PACK)
        glb.set('hrda_000', 'root', 'translation', [(100, 0, 0)] * 24, 15)
        self.refused('reanima: %s: hrda_000: frame 0: the position is 51200 units, expected -32768 to 32767\n' % PACK)


class BadInput(Back):
    """Files with errors: their sound parts are written back, and the others are named."""

    def unchanged(self, glb, original=PACK, *more):
        p = self.encoded(original, 'edited.glb', *more)
        self.assertEqual(read(self.path('out')), read(original))
        return p

    def child_of(self, glb, joint):
        return next(glb.json['nodes'][i]['name'] for i in glb.json['nodes'][glb.node(joint)]['children'])

    def copied_armature(self, glb, rename, name='Armature.001'):
        """A second skeleton beside the first: nodes with other names, below one that is called `name`"""
        nodes, shift = glb.json['nodes'], len(glb.json['nodes'])
        tops = glb.json['scenes'][0]['nodes']
        for node in list(nodes):
            copy = {k: v for k, v in node.items() if k in ('translation', 'rotation', 'scale', 'matrix')}
            nodes.append(dict(copy, name=rename(node.get('name', '')), **({'children': [c + shift for c in node['children']]} if 'children' in node else {})))
        nodes.append({'name': name, 'translation': [3, 0, 0], 'children': [t + shift for t in tops]})
        tops.append(len(nodes) - 1)
        return shift

    def test_numbers_that_are_not_finite(self):
        for joint, path, good in (('root', 'translation', (0, 1, 0)), ('bone003', 'rotation', (0, 0, 0, 1)), ('bone003', 'scale', (1, 1, 1))):
            for number in (math.nan, math.inf, -math.inf):
                with self.subTest(path=path, number=number):
                    glb = self.converted(PACK)
                    glb.set('hrda_000', joint, path, [good] * 3 + [(number, *good[1:])] + [good] * 20, 15)
                    self.refused('reanima: edited.glb: animations[0].samplers[%d].output: element 3 is not finite\n' % (len(glb.clip('hrda_000')['samplers']) - 1))
        for times, message in (([0, 1, 0.5], 'key 2 is at 0.5 s'), ([0, math.inf, math.inf], 'key 1 is at inf s'), ([math.nan, 0, 1], 'key 0 is at nan s'),
                               ([0, 1, -1], 'key 2 is at -1 s')):
            with self.subTest(times=times):
                glb = self.converted(PACK)
                glb.set('hrda_000', 'bone003', 'rotation', [(0, 0, 0, 1)] * 3, 15, times=times)
                for bound in ('min', 'max'):        # JSON can't state these numbers
                    glb.last('hrda_000', 'input')[0].pop(bound)
                self.refused('reanima: edited.glb: animations[0].samplers[%d].input: %s, expected rising times\n' % (len(glb.clip('hrda_000')['samplers']) - 1, message))

    def test_rotations_of_any_length(self):
        """A quaternion of twice the length is the same rotation, and so is one of the opposite sign."""
        glb = self.converted(PACK)
        for clip in glb.json['animations']:
            for joint in {glb.json['nodes'][c['target']['node']]['name'] for c in clip['channels'] if c['target']['path'] == 'rotation'}:
                keys = glb.keys(clip['name'], joint, 'rotation', 15)
                glb.set(clip['name'], joint, 'rotation', [[v * (2, 0.25, -1, -30)[i % 4] for v in key] for i, key in enumerate(keys)], 15)
        self.unchanged(glb)

    def test_shear(self):
        """Children of a joint that is scaled along one axis are skewed, but their rotation is still that of their
        keys."""
        glb = self.converted(PACK)
        parent = 'bone004'
        child = self.child_of(glb, parent)
        keys = glb.turn('hrda_000', child, 15, [3])
        for scale in ((1, 2, 1), (2, 0.5, 1)):
            glb.set('hrda_000', parent, 'scale', [scale], 15, times=[0])
            loss = "hrda_000: bone004 is scaled, which the format can't store"
            self.refused("reanima: edited.glb: animations: contain changes that ff7-battle-animation files can't store: %s (see --allow-loss)\n" % loss)
            p = self.encoded(PACK, 'edited.glb', '--allow-loss')
            self.assertEqual(p.err.split('\n')[1], 'left out: ' + loss)
            before, after = (self.dumped(f, '-s', SKELETON)['animations'][0]['frames'] for f in (PACK, self.path('out')))
            changed = [(f, i) for f, (a, b) in enumerate(zip(before, after, strict=True)) for i, (u, v) in enumerate(zip(a['rotations'], b['rotations'])) if u != v]
            triple = 1 + int(child[4:])
            self.assertEqual(changed, [(3, triple)])
            self.assertLess(degrees_between(composed(after[3]['rotations'][triple], YXZ), keys[3]), 0.1)
            os.remove(self.path('out'))

    def test_scales_that_are_negative_or_nothing(self):
        for scale in ((-1, 1, 1), (-1, -1, -1), (0, 0, 0), (1, 0, 1)):
            with self.subTest(scale=scale):
                glb = self.converted(PACK)
                glb.set('hrda_000', 'bone004', 'scale', [scale], 15, times=[0])
                self.refused("reanima: edited.glb: animations: contain changes that ff7-battle-animation files can't store: hrda_000: bone004 is scaled, which the format can't store (see --allow-loss)\n")
        for scale, what in (([-1, 1, 1], 'mirrored'), ([1, 0, 1], 'flat')):
            with self.subTest(armature=scale):
                glb = self.converted(PACK, 'edited.glb', '--no-mesh')
                glb.json.pop('skins', None)
                glb.lift(scale=scale)
                self.refused('reanima: edited.glb: nodes[%d]: at rest, "root" is %s by its own scale or by the scale of a node above it, expected scales above 0\n' % (glb.node('root'), what))

    def test_places_beyond_all_bounds(self):
        glb = self.converted(PACK, 'edited.glb', '--no-mesh')
        glb.json.pop('skins', None)
        glb.json['nodes'][glb.node('bone003')]['translation'] = [1e300, 0, 0]
        p = self.encoded(PACK, status=1)
        self.assertRegex(p.err, r'^reanima: edited.glb: nodes\[\d+\]: its rest position is .* away from "')
        glb = self.converted(PACK)
        glb.set('hrda_000', 'root', 'translation', [(3e38, 0, 0)], 15, times=[0])
        p = self.encoded(PACK, status=1)
        self.assertRegex(p.err, r'^reanima: .*hrda: hrda_000: frame 0: the position is \S+ units, expected -32768 to 32767\n$')

    def test_two_armatures(self):
        glb = self.converted(PACK)
        shift = self.copied_armature(glb, lambda name: 'other_' + name)
        glb.json['animations'].append({'name': 'dance', 'samplers': [{'input': glb.add([0.0, 1.0]), 'output': glb.add([about_x(0), about_x(90)])}],
                                       'channels': [{'sampler': 0, 'target': {'node': glb.node('bone003') + shift, 'path': 'rotation'}}]})
        p = self.unchanged(glb)
        self.assertIn('edited.glb: note: dance: is left out, because it moves no joint of the skeleton\n', p.err)

    def test_two_armatures_with_the_same_joints(self):
        """Like Blender's export of a character that was imported twice: the second one's clips have the first one's
        names."""
        glb = self.converted(PACK)
        glb.lift()
        shift = self.copied_armature(glb, lambda name: 'Copy' if name == 'Armature' else name)
        glb.json['animations'].append({'name': 'hrda_000.001', 'samplers': [{'input': glb.add([0.0, 1.0]), 'output': glb.add([about_x(0), about_x(90)])}],
                                       'channels': [{'sampler': 0, 'target': {'node': glb.node('bone003') + shift, 'path': 'rotation'}}]})
        self.refused('reanima: edited.glb: nodes: contains 2 nodes named "root", so the joint is ambiguous (see --joint-root NAME)\n')
        self.unchanged(glb, PACK, '--joint-root', 'Armature')
        os.remove(self.path('out'))
        # the copy stands elsewhere, and none of the original's clips moves it
        p = self.encoded(PACK, 'edited.glb', '--joint-root', 'Armature.001', '--allow-loss', '--all-changed', status=1)
        self.assertIn('contains "hrda_000.001", which matches no clip of the original', p.err)
        for name, message in (('Nobody', 'there is no node with that name'), ('root', 'there are 2 nodes with that name')):
            self.refused('reanima: --joint-root %s: edited.glb: %s\n' % (name, message), PACK, '--joint-root', name, status=2)

    def test_a_joint_that_blender_numbered(self):
        glb = self.converted(PACK)
        glb.json['nodes'].append({'name': 'bone003.001', 'translation': [0.1, 0, 0]})
        glb.json['nodes'][glb.node('bone002')].setdefault('children', []).append(len(glb.json['nodes']) - 1)
        self.unchanged(glb)                 # a bone of the user's own
        os.remove(self.path('out'))
        glb = self.converted(PACK)
        node = glb.json['nodes'][glb.node('bone003')]
        node['name'] = 'bone003.001'
        self.unchanged(glb)                 # its extras say which it is
        os.remove(self.path('out'))
        node.pop('extras')
        self.refused('reanima: edited.glb: nodes: does not contain 1 of 22 joints: "bone003". The file belongs to another skeleton, or joints were renamed\n')
        for other in glb.json['nodes']:
            other.pop('extras', None)
        self.refused('reanima: edited.glb: nodes: does not contain 1 of 22 joints: "bone003". The file belongs to another skeleton, or joints were renamed. '
                     'If it is exported with custom properties, these identify renamed joints\n')

    def test_compressed_meshes(self):
        """Only the mesh is compressed, not the animated nodes."""
        glb = self.converted(PACK)
        views = {glb.json['accessors'][a]['bufferView'] for m in glb.json['meshes'] for p in m['primitives'] for a in [*p['attributes'].values(), p.get('indices')] if a is not None}
        self.assertTrue(views)
        for extension in ('KHR_draco_mesh_compression', 'EXT_meshopt_compression', 'KHR_meshopt_compression'):
            with self.subTest(extension=extension):
                glb = self.converted(PACK)
                glb.json['extensionsUsed'] = [*glb.json.get('extensionsUsed', []), extension]
                glb.json['extensionsRequired'] = [extension]
                if 'draco' in extension:
                    for mesh in glb.json['meshes']:
                        for primitive in mesh['primitives']:
                            primitive['extensions'] = {extension: {'bufferView': 0, 'attributes': {k: i for i, k in enumerate(primitive['attributes'])}}}
                            for accessor in [*primitive['attributes'].values(), primitive.get('indices')]:
                                if accessor is not None:
                                    glb.json['accessors'][accessor].pop('bufferView', None)
                else:
                    glb.json['buffers'].append({'byteLength': 1 << 20, 'extensions': {extension: {'fallback': True}}})
                    for view in views:
                        own = glb.json['bufferViews'][view]
                        own['extensions'] = {extension: {'buffer': 0, 'byteOffset': 0, 'byteLength': 8, 'byteStride': 16, 'count': 4, 'mode': 'ATTRIBUTES'}}
                        own['buffer'] = 1
                self.unchanged(glb)

    def test_compressed_keys(self):
        for extension in ('EXT_meshopt_compression', 'KHR_meshopt_compression'):
            for part in ('input', 'output'):
                glb = self.converted(PACK)
                glb.set('hrda_000', 'bone003', 'rotation', [(0, 0, 0, 1)] * 24, 15)
                sampler = len(glb.clip('hrda_000')['samplers']) - 1
                view = glb.json['accessors'][glb.clip('hrda_000')['samplers'][sampler][part]]['bufferView']
                glb.json['bufferViews'][view]['extensions'] = {extension: {'buffer': 0, 'byteOffset': 0, 'byteLength': 8, 'byteStride': 4, 'count': 24, 'mode': 'ATTRIBUTES'}}
                glb.json['extensionsUsed'] = glb.json['extensionsRequired'] = [extension]
                self.refused('reanima: edited.glb: animations[0].samplers[%d].%s: is compressed (%s), expected plain or sparse keys\n' % (sampler, part, extension))

    def test_a_clip_without_keys(self):
        glb = self.converted(PACK)
        glb.clip('hrda_001').update(channels=[], samplers=[])
        p = self.unchanged(glb)
        self.assertIn('edited.glb: note: hrda_001: is left out, because it moves no joint of the skeleton\n', p.err)
        self.assertIn('1 clip is not in edited.glb and stays unchanged\n', p.err)

    def long(self, original, clip, joint, rate, frames):
        glb = self.converted(original)
        glb.set(clip, joint, 'rotation', [about_x(30 + (f % 60 if f < 60 else 0)) for f in range(frames)], rate)
        return glb

    def test_100000_frames(self):
        began = os.times().children_user
        self.long(PACK, 'hrda_000', 'bone003', 15, 100000)
        self.refused('reanima: %s: animations[0].frames: has 100000 frames, but the format allows 1 to 65535\n' % PACK)
        self.long(sample('metroid', 'hero_walk.ANIM'), 'hero_walk', 'chest', 30, 100000)
        self.refused('reanima: %s: hero_walk: has 100000 frames, expected at most 65536\n' % sample('metroid', 'hero_walk.ANIM'), sample('metroid', 'hero_walk.ANIM'))
        self.long(WALK, 'hero_walk', 'bone004', 30, 100000)
        self.refused('reanima: %s: hero_walk: has 100000 frames, expected at most 65535\n' % WALK, WALK)
        doll = sample('ff7', 'doll_idle.a')
        glb = self.long(doll, 'doll_idle', 'foot_r', 30, 100000)
        self.encoded(doll, 'edited.glb', '-s', sample('ff7', 'doll.hrc'))
        self.assertEqual(struct.unpack_from('<I', read(self.path('out')), 4), (100000,))
        self.assertLess(os.times().children_user - began, 240 if SANITIZED else 60)

    def test_two_keys_that_are_ages_apart(self):
        for seconds in (1e6, 1e9, 3e38):
            with self.subTest(seconds=seconds):
                glb = self.converted(PACK)
                began = os.times().children_user
                glb.set('hrda_000', 'bone003', 'rotation', [about_x(0), about_x(20)], 15, times=[0, seconds])
                p = self.encoded(PACK, status=4)
                self.assertRegex(p.err, r'^reanima: edited.glb: hrda_000: ')
                self.assertNotIn('out', self.files())
                self.assertLess(os.times().children_user - began, 10)

    def test_a_clip_that_is_not_there(self):
        self.converted(PACK)
        self.refused('reanima: --clip wave: edited.glb: there is no clip with that name\n', PACK, '--clip', 'wave', status=2)
        self.refused('reanima: --clip hrda_0O1: edited.glb: there is no clip with that name; did you mean hrda_001?\n', PACK, '--clip', 'hrda_0O1', status=2)


def chunks(pack):
    """The animations of a battle pack with their headers"""
    at, found = 4, []
    while at < len(pack):
        size = 12 + struct.unpack_from('<I', pack, at + 8)[0]
        found.append(pack[at:at + size])
        at += size
    return found


class AtAnotherRate(Back):
    """A scene of 24 frames per second, like Blender's: its poses at its own frames are compared, from key to key and
    component by component."""

    def resampled(self, rate):
        glb = self.converted(PACK)
        for clip in glb.json['animations']:
            keys = {channel: glb.keys(clip['name'], *channel, 15) for channel in glb.paths(clip['name'])}
            count = 1 + math.floor((len(next(iter(keys.values()))) - 1) * rate / 15 + 1e-9)
            for (joint, path), values in keys.items():
                glb.set(clip['name'], joint, path, [self.shown(values, f / rate) for f in range(count)], rate)
        return glb

    def shown(self, values, seconds):
        key = min(int(seconds * 15 + 1e-9), len(values) - 1)
        share = seconds * 15 - key
        after = values[min(key + 1, len(values) - 1)]
        mixed = [a + (b - a) * share for a, b in zip(values[key], after)]
        length = math.hypot(*mixed) if len(mixed) == 4 else 1
        return [v / length for v in mixed]

    def test_nothing_was_changed(self):
        for rate in (24, 30, 60):
            self.resampled(rate)
            self.assertEqual(self.encoded(PACK).err, 'wrote out: 2316 bytes, 0 clips changed, 4 unchanged\n')
            self.assertEqual(read(self.path('out')), read(PACK))

    def test_nothing_was_changed_at_constant_speed(self):
        """as glTF defines it, and players show it"""
        by_component = self.shown

        def steadily(values, seconds):
            key = min(int(seconds * 15 + 1e-9), len(values) - 1)
            a, b, share = values[key], values[min(key + 1, len(values) - 1)], seconds * 15 - key
            cosine = sum(u * v for u, v in zip(a, b))
            half = math.acos(min(abs(cosine), 1))
            if len(a) != 4 or half < 1e-6:
                return by_component(values, seconds)
            first, second = (math.sin((1 - share) * half) / math.sin(half), math.copysign(math.sin(share * half) / math.sin(half), cosine))
            return [first * u + second * v for u, v in zip(a, b)]
        self.shown = steadily
        for rate in (24, 25, 60):
            self.resampled(rate)
            self.assertEqual(self.encoded(PACK).err, 'wrote out: 2316 bytes, 0 clips changed, 4 unchanged\n')
            self.assertEqual(read(self.path('out')), read(PACK))

    def test_equal_values_may_jump(self):
        """as in files of Blender 5"""
        glb = self.resampled(24)
        for clip in glb.json['animations']:
            end = max(t for c in clip['channels'] for t in glb.floats(clip['samplers'][c['sampler']]['input']))
            place = glb.json['nodes'][glb.node('bone005')].get('translation', (0, 0, 0))
            glb.set(clip['name'], 'bone005', 'translation', [place, [v + 1e-7 for v in place]], 24, style='STEP', times=[0, end])
        self.assertEqual(self.encoded(PACK).err, 'wrote out: 2316 bytes, 0 clips changed, 4 unchanged\n')

    def test_keys_between_frames_although_the_stated_rate_is_the_originals(self):
        glb = self.resampled(24)
        keys = glb.keys('hrda_004', 'bone005', 'rotation', 24)     # one second, so that the rate in extras is believed
        keys[6] = multiplied(keys[6], about_x(20))
        glb.set('hrda_004', 'bone005', 'rotation', keys, 24)
        self.assertIn('edited.glb: warning: hrda_004: has keys between frames, so changes are interpolated\n', self.encoded(PACK).err)

    def test_a_bone_that_was_turned_in_three_frames(self):
        glb = self.resampled(24)
        native = self.converted(PACK, 'native.glb').keys('hrda_000', 'bone005', 'rotation', 15)
        keys = [self.shown(native, f / 24) for f in range(37)]
        for frame in (5, 6, 7):
            keys[frame] = multiplied(keys[frame], about_x(20))
        glb.set('hrda_000', 'bone005', 'rotation', keys, 24)
        p = self.encoded(PACK)
        self.assertIn('edited.glb: warning: hrda_000: has keys at 24 frames per second, but the original has 15, so changes are interpolated\n', p.err)
        before, after = self.dumped(PACK)['animations'][0]['frames'], self.dumped(self.path('out'), '-s', SKELETON)['animations'][0]['frames']
        changed = [(f, i) for f, (a, b) in enumerate(zip(before, after, strict=True)) for i, (u, v) in enumerate(zip(a['rotations'], b['rotations'])) if u != v]
        # frames 3 and 4 are at 4.8 and 6.4 of the scene
        self.assertEqual(changed, [(3, 6), (4, 6)])
        own = max(degrees_between(a, b) for a, b in zip(native[2:5], native[3:6])) * 15 / 24
        self.assertLess(own, 10)
        for frame, share in ((3, 0.8), (4, 1)):
            got = degrees_between(composed(before[frame]['rotations'][6], YXZ), composed(after[frame]['rotations'][6], YXZ))
            self.assertLess(abs(got - 20 * share), 0.1 + own)
        for frame in (3, 4):
            low = int(frame * 24 / 15)
            between = [a + (b - a) * (frame * 24 / 15 - low) for a, b in zip(keys[low], keys[low + 1])]
            self.assertLess(degrees_between(composed(after[frame]['rotations'][6], YXZ), [v / math.hypot(*between) for v in between]), 0.1)
        self.assertEqual(chunks(read(self.path('out')))[1:], chunks(read(PACK))[1:])

    def test_a_rate_that_has_keys_at_all_frames(self):
        glb = self.resampled(60)
        keys = [self.shown(self.converted(PACK, 'native.glb').keys('hrda_000', 'bone005', 'rotation', 15), f / 60) for f in range(93)]
        keys[12] = multiplied(keys[12], about_x(20))
        glb.set('hrda_000', 'bone005', 'rotation', keys, 60)
        p = self.encoded(PACK)
        self.assertRegex(p.err, r'^hrda_000: 1 joint in 1 frame; bone005 by 20.0 degrees in frame 3\nwrote out: ')


class AtAnotherTime(Back):
    """Clips with the original's motion, but faster, slower, later or earlier: they are named, and written only on
    request."""
    ANIM = sample('metroid', 'hero_walk.ANIM')

    def retimed(self, original, change, clips=None, edit=None):
        """`change` computes new times and values from those of a channel. @param edit turns that joint by 20 degrees in
        all keys"""
        glb = self.converted(original)
        for clip in glb.json['animations']:
            if clips is not None and clip['name'] not in clips:
                continue
            for channel in clip['channels']:
                sampler = clip['samplers'][channel['sampler']]
                times, values = change(glb.floats(sampler['input']), glb.floats(sampler['output']))
                if edit is not None and channel['target'] == {'node': glb.node(edit), 'path': 'rotation'}:
                    values = [multiplied(v, about_x(20)) for v in values]
                clip['samplers'].append(dict(sampler, input=glb.add(times), output=glb.add(values)))
                channel['sampler'] = len(clip['samplers']) - 1
            glb.drop_samplers(clip)

    def rate_refused(self, original, clip, speed, factor, now, before, more=''):
        self.refused('reanima: edited.glb: animations: have the same motion as the original clips, but at %s times the speed%s: "%s". If you did not intend this, multiply Blender\'s frame rate by %s (%s instead of %s) and export again (see --all-changed)\n' % (speed, more, clip, factor, now, before), original)

    def times(self, factor):
        return lambda times, values: ([t * factor for t in times], values)

    def late(self, rate):
        """The first pose, held for one more frame"""
        return lambda times, values: ([0.0] + [t + 1 / rate for t in times], values[:1] + values)

    def test_twice_as_fast_and_slower(self):
        for original, clip, joint, rate in ((self.ANIM, 'hero_walk', 'chest', 30), (WALK, 'hero_walk', 'bone004', 30), (PACK, 'hrda_000', 'bone005', 15)):
            for factor, speed, back in ((0.5, '2', '0.5'), (1.25, '0.8', '1.25')):
                for edit in (None, joint):
                    with self.subTest(original=original, factor=factor, edit=edit):
                        self.retimed(original, self.times(factor), [clip], edit)
                        self.rate_refused(original, clip, speed, back, rate, '%.4g' % (rate / factor))

    def test_the_rate_that_it_was_made_at(self):
        self.converted(WALK, 'edited.glb', '--rate', '15')
        self.refused('reanima: edited.glb: animations: were made at 15 frames per second, but the original is read at 30: "hero_walk" (see --rate 15)\n', WALK)
        self.encoded(WALK, 'edited.glb', '--rate', '15')
        self.assertEqual(read(self.path('out')), read(WALK))

    def test_all_clips_of_a_pack(self):
        self.retimed(PACK, self.times(0.5))
        self.rate_refused(PACK, 'hrda_000", "hrda_001", "hrda_002", "hrda_004', '2', '0.5', '15', '30')
        self.encoded(PACK, 'edited.glb', '--all-changed')
        before, after = (self.dumped(f, '-s', SKELETON)['animations'][0]['frames'] for f in (PACK, self.path('out')))
        self.assertEqual(after[:12], before[::2])       # 24 frames: the last one lies between two

    def test_a_frame_late(self):
        for original, clip, rate in ((self.ANIM, 'hero_walk', 30), (WALK, 'hero_walk', 30), (PACK, 'hrda_000', 15)):
            with self.subTest(original=original):
                self.retimed(original, self.late(rate), [clip])
                self.refused('reanima: edited.glb: animations: have the same motion as the original clips, but 1 frame late: "%s". If you did not intend this, move their keys back in Blender and export again (see --all-changed)\n' % clip, original)

    def test_without_its_first_frame(self):
        """Like Blender's export of a scene that begins at frame 1, without the time before it"""
        for original, clip, rate in ((self.ANIM, 'hero_walk', 30), (WALK, 'hero_walk', 30), (PACK, 'hrda_000', 15)):
            with self.subTest(original=original):
                self.retimed(original, lambda times, values: (times[1:], values[1:]) if len(times) > 2 else ([1 / rate] + times[1:], values), [clip])
                self.refused('reanima: edited.glb: animations: have the same motion as the original clips, but 1 frame early: "%s". If you did not intend this, move their keys back in Blender and export again (see --all-changed)\n' % clip, original)

    def test_a_frame_late_at_another_speed(self):
        self.retimed(WALK, lambda times, values: self.times(0.5)(*self.late(30)(times, values)))
        self.rate_refused(WALK, 'hero_walk', '2', '0.5', '30', '60', ' and 1 frame late')

    def test_a_scene_that_begins_later(self):
        """All keys are later, and nothing comes before them: the clip is unchanged."""
        for original, rate in ((self.ANIM, 30), (WALK, 30), (PACK, 15)):
            self.retimed(original, lambda times, values: ([t + 1 / rate for t in times], values))
            self.encoded(original)
            self.assertEqual(read(self.path('out')), read(original))

    def test_most_of_what_moves(self):
        """9 of 27 joints move; joints at rest do not count as equal."""
        glb = self.converted(self.ANIM)
        moving = sorted({glb.json['nodes'][c['target']['node']]['name'] for c in glb.clip('hero_walk')['channels'] if c['target']['path'] == 'rotation' and
                         len(set(glb.floats(glb.clip('hero_walk')['samplers'][c['sampler']]['output']))) > 1})
        self.assertLess(2 * len(moving), len([n for n in glb.json['nodes']]) - 2)
        for count, isRefused in ((2, False), (len(moving) // 2 + 2, True)):
            glb = self.converted(self.ANIM)
            for joint in moving[:count]:
                clip = glb.clip('hero_walk')
                sampler = next(clip['samplers'][c['sampler']] for c in clip['channels'] if c['target'] == {'node': glb.node(joint), 'path': 'rotation'})
                glb.set('hero_walk', joint, 'rotation', [multiplied(v, about_x(15)) for v in glb.floats(sampler['output'])], 30, times=glb.floats(sampler['input']))
            if isRefused:
                self.refused("reanima: edited.glb: animations: most joints of \"hero_walk\" move differently than in %s. Possible reasons: bones were rolled in edit mode, the motion belongs to another character, or everything was changed on purpose (see --all-changed)\n" % self.ANIM, self.ANIM)
            else:
                self.encoded(self.ANIM)
                os.remove(self.path('out'))

    def test_a_clip_of_another_name_is_none_that_only_rests_alike(self):
        """One joint moves, and all others rest as in a clip of the original: it is another clip."""
        glb = self.converted(self.ANIM)
        clip = glb.clip('hero_walk')
        for channel in list(clip['channels']):
            joint, path = glb.json['nodes'][channel['target']['node']]['name'], channel['target']['path']
            times, values = (glb.floats(clip['samplers'][channel['sampler']][k]) for k in ('input', 'output'))
            value = (0, 0, 0, 1) if path == 'rotation' else values[0]
            glb.set('hero_walk', joint, path, [multiplied(value, about_x(40 * t)) if joint == 'chest' and path == 'rotation' else value for t in times], 30, times=times)
        clip['name'] = 'wave'
        self.refused('reanima: edited.glb: animations: contains "wave", which matches no clip of the original by name or motion. Give it the name of an original clip: hero_walk (see --at N)\n', self.ANIM, '--clip', 'wave')

    def test_steps_of_a_scene_that_begins_at_1(self):
        """Key times and the start of the scene are rounded to single precision: each frame still shows its own key."""
        for original, clip, rate in ((self.ANIM, 'hero_walk', 30), (PACK, 'hrda_000', 15)):
            glb = self.converted(original)
            times = sorted({t for s in glb.clip(clip)['samplers'] for t in glb.floats(s['input'])})
            frames = 1 + round(times[-1] * rate)
            own = {}
            for channel in glb.clip(clip)['channels']:
                sampler = glb.clip(clip)['samplers'][channel['sampler']]
                own[glb.json['nodes'][channel['target']['node']]['name'], channel['target']['path']] = glb.floats(sampler['input']), glb.floats(sampler['output'])
            joint = next(node for (node, path), (keys, _) in own.items() if path == 'rotation' and len(keys) == frames)
            for (node, path), (keys, values) in own.items():
                if len(keys) == frames:
                    values = [multiplied(v, about_x(3 * f)) if (node, path) == (joint, 'rotation') else v for f, v in enumerate(values)]
                    glb.set(clip, node, path, values, rate, style='STEP', times=[(f + 1) / rate for f in range(frames)])
                    own[node, path] = keys, values
                else:
                    glb.set(clip, node, path, values, rate, style='STEP', times=[1 / rate + t for t in keys])
            self.encoded(original)
            more = ('-s', sample('metroid', 'hero.CINF'), '--format', 'metroid-anim') if original == self.ANIM else ('-s', SKELETON, '--format', 'ff7-battle-animation')
            written = self.converted(self.path('out'), 'again.glb', *more)
            name = next(a['name'] for a in written.json['animations'] if original == self.ANIM or a['name'].endswith('_000'))
            for got, key in zip(written.keys(name, joint, 'rotation', rate), own[joint, 'rotation'][1], strict=True):
                self.assertLess(degrees_between(got, key), 0.1)
            os.remove(self.path('out'))


    def test_steps_that_other_files_are_made_of(self):
        """The time of a frame is that of its key, so only the frame's own pose is constant."""
        frames = {}
        for how in ('linear', 'step'):
            scene = self.path(how + '.glb')
            self.check(run('convert', self.ANIM, '-q', '--interpolation', how, '-o', scene), 0)
            for source, more in ((self.ANIM, ('--interpolation', how)), (scene, ())):
                self.check(run('convert', source, '-q', '--force', *more, '-o', self.path('out.bvh')), 0)
                lines = read(self.path('out.bvh')).decode().split('Frame Time:')[1].split('\n')[1:]
                frames[how, source == scene] = [[float(v) for v in line.split()] for line in lines if line]
        for isScene in (False, True):
            self.assertEqual(len(frames['linear', isScene]), 33)
            for a, b in zip(frames['linear', isScene], frames['step', isScene], strict=True):
                for u, v in zip(a, b, strict=True):
                    self.assertAlmostEqual(u, v, delta=0.01)


class Beside(Back):
    """Motion that is not in channels of the joints."""

    def test_motion_of_the_armature(self):
        """The root gets it; if it can't, the joint is named and the motion refused."""
        for original, clip, rate, joint in ((WALK, 'hero_walk', 30, 'bone000'), (PACK, 'hrda_000', 15, 'root'), (AtAnotherTime.ANIM, 'hero_walk', 30, None)):
            with self.subTest(original=original):
                glb = self.converted(original)
                glb.lift()
                end = max(max(glb.floats(s['input'])) for s in glb.clip(clip)['samplers'])
                own = joint and glb.keys(clip, joint, 'translation', rate)
                glb.set(clip, 'Armature', 'translation', [(0, 0, 0), (0.25, 0, 0)], rate, times=[0, end])
                if joint is None:
                    self.refused("reanima: edited.glb: animations: contain changes that metroid-anim files can't store: hero_walk: Skeleton_Root is moved, but the animation has no positions for it (see --allow-loss)\n", original)
                    continue
                self.encoded(original)
                more = ('--format', 'ff7-battle-animation', '-s', SKELETON) if original == PACK else ('--format', 'ff9-animation', '-s', sample('ff9', 'hero.ff9model'))
                written = self.converted(self.path('out'), 'again.glb', *more)
                got = written.keys(written.json['animations'][0]['name'], joint, 'translation', rate)
                for frame, (a, b) in enumerate(zip(own, got, strict=True)):
                    self.assertAlmostEqual(b[0] - a[0], 0.25 * frame / (len(own) - 1), delta=0.003)
                os.remove(self.path('out'))

    def test_a_helper_that_no_file_holds(self):
        original = sample('metroid', 'echo_swell.ANIM')
        glb = self.converted(original)
        glb.set('echo_swell', 'chest_scale', 'translation', [(0, 0.2, 0)], 30, times=[0])
        self.refused("reanima: edited.glb: animations: contain changes that metroid-anim files can't store: echo_swell: chest_scale moves, but is not a bone of the game's skeleton (see --allow-loss)\n", original)

    def test_required_extensions(self):
        for names, isKnown in ((['ACME_bone_motion', 'KHR_materials_unlit', 'EXT_x'], False), (['KHR_texture_transform', 'EXT_lights_ies', 'VRMC_vrm', 'KHR_mesh_quantization'], True)):
            glb = self.converted(PACK)
            glb.json['extensionsUsed'] = glb.json['extensionsRequired'] = names
            if isKnown:
                self.encoded(PACK)
                self.assertEqual(read(self.path('out')), read(PACK))
                continue
            message = 'reanima: edited.glb: extensionsRequired: requires "ACME_bone_motion", "EXT_x", which is not supported and may move joints. Export the file without it\n'
            self.refused(message)
            self.check(run('convert', 'edited.glb', '-o', 'x.bvh', cwd=self.folder), 1, message)
            self.check(run('convert', PACK, '-s', 'edited.glb', '-o', 'x.glb', cwd=self.folder), 1, message)

    def pointed(self, pointer):
        """A rotation of bone005 in frame 3, by KHR_animation_pointer"""
        glb = self.converted(PACK)
        glb.turn('hrda_000', 'bone005', 15, [3])
        glb.clip('hrda_000')['channels'][-1]['target'] = {'path': 'pointer', 'extensions': {'KHR_animation_pointer': {'pointer': pointer.format(glb.node('bone005'))}}}
        glb.json['extensionsUsed'] = glb.json['extensionsRequired'] = ['KHR_animation_pointer']
        return glb

    def test_pointers_to_joints(self):
        self.pointed('/nodes/{}/rotation')
        p = self.encoded(PACK)
        self.assertIn('hrda_000: 1 joint in 1 frame; bone005 by 20.0 degrees in frame 3\n', p.err)
        self.pointed('/nodes/{}/extensions/ACME_bend/angle')
        p = self.encoded(PACK)
        self.assertRegex(p.err, r'^edited.glb: warning: animations\[0\].channels\[\d+\].target: animates extensions/ACME_bend/angle of "bone005", which is not supported; the value of the node is used\n')
        os.remove(self.path('out'))
        for pointer in ('/nodes/999/rotation', '/nodes/x/rotation'):
            glb = self.pointed(pointer)
            self.refused('reanima: edited.glb: animations[0].channels[%d].target.extensions.KHR_animation_pointer.pointer: is "%s", expected one of the %d nodes\n' %
                         (len(glb.clip('hrda_000')['channels']) - 1, pointer, len(glb.json['nodes'])))

    def test_channels_of_no_node(self):
        glb = self.pointed('/materials/0/alphaCutoff')
        self.assertRegex(self.encoded(PACK).err, '^edited.glb: note: animations: 1 channel is left out, because it animates morph weights or has no node\n')
        clip = glb.clip('hrda_000')
        clip['channels'] += [{'sampler': 0, 'target': {'node': 0, 'path': 'weights'}}, {'sampler': 0, 'target': {'path': 'weights'}}]
        p = self.encoded(PACK)
        self.assertRegex(p.err, '^edited.glb: note: animations: 3 channels are left out, because they animate morph weights or have no node\n')


class NewClips(Back):
    """Clips of the scene that the game's file does not have."""

    def with_wave(self, original=PACK, like='hrda_000', joint='bone005', rate=15, frames=6, name='wave', keep=True, options=()):
        """-> the scene with one more clip: one pose, in which a bone turns by 10 degrees per frame"""
        glb = self.converted(original, 'edited.glb', *options)
        keys = glb.keys(like, joint, 'rotation', rate)
        clip = json.loads(json.dumps(glb.clip(like)))
        clip['name'] = name
        glb.json['animations'].append(clip)
        for node, path in glb.paths(name):
            glb.set(name, node, path, [glb.keys(like, node, path, rate)[0]] * frames, rate)
        self.keys = [multiplied(keys[0], about_x(40 + 10 * f)) for f in range(frames)]
        glb.set(name, joint, 'rotation', self.keys, rate)
        glb.drop_samplers(clip)
        if not keep:
            glb.json['animations'] = [clip]
        return glb

    def test_one_replaces_another(self):
        self.with_wave()
        p = self.encoded(PACK, 'edited.glb', '--at', '1', '--report', 'report.json')
        self.assertRegex(p.err, r'hrda_001: replaced by wave; \d+ joints? in 6 frames; .*; 6 frames instead of \d+\n')
        self.assertRegex(p.err, r'wrote out: \d+ bytes, 1 clip changed, 3 unchanged\n')
        before, after = chunks(read(PACK)), chunks(read(self.path('out')))
        self.assertEqual([i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b], [1, 6])      # 6 is the weapon's
        own, wave = self.dumped(PACK)['animations'][0]['frames'][0], self.dumped(self.path('out'), '-s', SKELETON)['animations'][1]
        self.assertEqual((wave['frame_count'], wave['stream_frame_count']), (6, 6))
        for frame, key in zip(wave['frames'], self.keys, strict=True):
            self.assertEqual(frame['translation'], own['translation'])
            for triple, (u, v) in enumerate(zip(own['rotations'], frame['rotations'], strict=True)):
                self.assertLess(degrees_between(composed(v, YXZ), key if triple == 6 else composed(u, YXZ)), 0.1)
        report = json.loads(read(self.path('report.json')))
        self.assertIn(('hrda_001', 'wave', 'written', 6), [(c['name'], c['edited_name'], c['status'], c['frames']) for c in report['clips']])

    def test_clips_that_are_named_replace_whatever_they_are_called(self):
        glb = self.converted(PACK)
        self.encoded(PACK, 'edited.glb', '--clip', 'hrda_000', '--at', '2', '--all-changed')
        before, after = (self.dumped(f, '-s', SKELETON)['animations'] for f in (PACK, self.path('out')))
        for frame, (a, b) in enumerate(zip(before[0]['frames'], after[2]['frames'], strict=True)):
            self.assertEqual(a['translation'], b['translation'])
            for u, v in zip(a['rotations'], b['rotations'], strict=True):
                self.assertLess(degrees_between(composed(v, YXZ), composed(u, YXZ)), 0.1, frame)
        self.assertEqual(chunks(read(self.path('out')))[0], chunks(read(PACK))[0])

    def test_where_none_can_be(self):
        self.with_wave()
        self.refused('reanima: --at 3: edited.glb: the original has no clip with that index; its clips are 0, 1, 2, 4\n', PACK, '--at', '3', status=2)     # it is special
        self.refused('reanima: --at and --append: use only one of them\n', PACK, '--at', '1', '--append', status=2)
        self.refused('reanima: %s: contains weapon animations after the body\'s, so a new clip would be read as a weapon animation (see --at N)\n' % PACK, PACK, '--append')
        self.refused('reanima: edited.glb: animations: contains "wave", which matches no clip of the original by name or motion. Give it the name of an original clip (see --at N or --append)\n')
        self.converted(PACK)
        self.refused('reanima: --at 1: edited.glb: there is no new clip, because the original already contains all clips\n', PACK, '--at', '1', status=2)
        glb = self.with_wave()
        glb.json['animations'].append(dict(glb.clip('wave'), name='bow'))
        self.refused('reanima: --at 1: edited.glb: only one clip can be written in this place. Choose from "wave", "bow"\n', PACK, '--at', '1', status=2)
        self.encoded(PACK, 'edited.glb', '--at', '1', '--clip', 'bow')

    def unarmed(self, name):
        """A pack without the weapon's animations"""
        dump = self.dumped(PACK)
        self.remade(dict(dump, animations=dump['animations'][:5], count=5), name)

    def test_a_clip_more(self):
        self.unarmed('pack.da')
        options = ('--joints', '20')
        self.with_wave(self.path('pack.da'), 'pack_000', options=options)
        p = self.encoded(self.path('pack.da'), 'edited.glb', '--append', '--report', 'report.json', *options)
        self.assertRegex(p.err, r'wave: added, 6 frames\nwrote out: \d+ bytes, 0 clips changed, 1 added, 4 unchanged\n`reanima preview out( -s \S*hraa)?` shows the result\n$')
        before, after = read(self.path('pack.da')), read(self.path('out'))
        self.assertEqual((struct.unpack_from('<I', before), struct.unpack_from('<I', after)), ((5,), (6,)))
        self.assertEqual(chunks(after)[:5], chunks(before))
        own, wave = (self.dumped(self.path('out'), *options)['animations'][i] for i in (0, 5))
        self.assertEqual((wave['frame_count'], wave['stream_frame_count']), (6, 6))
        for frame, key in zip(wave['frames'], self.keys, strict=True):
            for triple, (u, v) in enumerate(zip(own['frames'][0]['rotations'], frame['rotations'], strict=True)):
                self.assertLess(degrees_between(composed(v, YXZ), key if triple == 6 else composed(u, YXZ)), 0.1)
        self.assertIn((None, 'wave', 'added', 0, 6), [(c['name'], c['edited_name'], c['status'], c['frames_before'], c['frames']) for c in json.loads(read(self.path('report.json')))['clips']])

    def test_a_clip_more_is_none_of_what_was_changed(self):
        """The added clip begins as a copy of the first clip, which is changed in the same scene."""
        self.unarmed('pack.da')
        options = ('--joints', '20')
        glb = self.converted(self.path('pack.da'), 'edited.glb', *options)
        glb.json['animations'].append(dict(json.loads(json.dumps(glb.clip('pack_000'))), name='wave'))
        glb.turn('pack_000', 'bone005', 15, range(24))
        self.encoded(self.path('pack.da'), 'edited.glb', '--append', *options)
        before, after = (self.dumped(f, *options)['animations'] for f in (self.path('pack.da'), self.path('out')))
        self.assertNotEqual(after[0]['frames'], before[0]['frames'])
        self.assertEqual(after[5]['frames'], before[0]['frames'])

    def test_more_than_the_skeleton_counts(self):
        self.unarmed('hrda')
        self.with_wave(self.path('hrda'), options=('-s', SKELETON))
        p = self.encoded(self.path('hrda'), 'edited.glb', '--append', '-s', SKELETON)
        self.assertIn('hrda: note: animations[5]: is added, but the skeleton states that there are only 5 animations\n', p.err)

    def test_formats_of_one_animation(self):
        self.with_wave(WALK, 'hero_walk', 'bone004', 30, keep=False)
        self.refused('reanima: --append: %s: no clip can be added to ff9-animation files\n' % WALK, WALK, '--append', status=2)
        self.encoded(WALK, 'edited.glb', '--at', '0')
        before, after = self.dumped(WALK), self.dumped(self.path('out'), '-s', sample('ff9', 'hero.ff9model'))
        self.assertEqual(len(after['angles']), 6)
        for angles, key in zip(after['angles'], self.keys, strict=True):
            for bone, (u, v) in enumerate(zip(before['angles'][0], angles, strict=True)):
                self.assertLess(degrees_between(composed(v, ZYX), key if bone == 4 else composed(u, ZYX)), 0.1)


class Containers(Back):
    """DBs and chunks of Final Fantasy IX: an animation in them is changed, and offsets follow its new length."""
    HERO, PROPS = sample('ff9', 'hero.ff9db'), sample('ff9', 'props.ff9db')

    def objects(self, path, folder):
        """name -> bytes, read by `extract`"""
        self.check(run('extract', path, '-q', '-o', self.path(folder)), 0)
        return {name[len(folder) + 1:]: read(self.path(name)) for name in self.files() if name.startswith(folder + os.sep)}

    def test_nothing_was_changed(self):
        for original, options in ((self.HERO, ()), (self.PROPS, ('--model', '2000')), (self.PROPS, ('--model', '2010')),
                                  (conformance('ff9', 'container_db.ff9db'), ()), (conformance('ff9', 'container_chunk.ff9chunk'), ())):
            self.converted(original, 'edited.glb', *options)
            self.encoded(original, 'edited.glb', *options)
            self.assertEqual(read(self.path('out')), read(original), original)

    def turn_second(self, glb, longer=0):
        """A bone of the second clip is turned in all frames, or rests at the end"""
        name = glb.json['animations'][1]['name']
        keys = glb.keys(name, 'bone004', 'rotation', 30)
        glb.set(name, 'bone004', 'rotation', keys + [keys[-1]] * longer if longer else [multiplied(k, about_x(20)) for k in keys], 30)

    def test_an_angle_that_fits(self):
        self.converted(self.HERO).turn('anim_01002', 'bone004', 30, [5])
        p = self.encoded(self.HERO)
        self.assertIn('anim_01002: 1 joint in 1 frame; bone004 by 20.0 degrees in frame 5\n', p.err)
        before, after = self.objects(self.HERO, 'before'), self.objects(self.path('out'), 'after')
        self.assertEqual([name for name in before if before[name] != after[name]], ['03/1002.ff9anim'.replace('/', os.sep)])

    def test_a_longer_and_a_shorter_animation(self):
        for frames in (60, 3):
            with self.subTest(frames=frames):
                glb = self.converted(self.HERO)
                clip = glb.clip('anim_01002')
                keys = {channel: glb.keys('anim_01002', *channel, 30) for channel in glb.paths('anim_01002')}
                for (node, path), values in keys.items():
                    glb.set('anim_01002', node, path, (values + [values[-1]] * 60)[:frames], 30)
                glb.drop_samplers(clip)
                p = self.encoded(self.HERO)
                self.assertIn('anim_01002: %d frames instead of ' % frames, p.err)
                shutil.rmtree(self.path('before'), ignore_errors=True)
                shutil.rmtree(self.path('after'), ignore_errors=True)
                before, after = self.objects(self.HERO, 'before'), self.objects(self.path('out'), 'after')
                walk = os.path.join('03', '1002.ff9anim')
                self.assertEqual([name for name in before if before[name] != after[name]], [walk])
                self.assertEqual(list(before), list(after))
                self.assertEqual(len(read(self.path('out'))) - len(read(self.HERO)), len(after[walk]) - len(before[walk]))
                self.assertEqual(struct.unpack_from('<H', after[walk], 2), (frames,))
                self.check(run('check', self.path('out'), '--format', 'ff9-container'), 0)

    def test_inner_databases_and_animations_of_other_models(self):
        """A DB in a DB, like in field files: the outer offsets change, too."""
        inner = read(self.HERO)
        original = write(self.path('outer.ff9db'), ff9_container.db([(0x1B, [(428, inner)]), (0x06, [(7, bytes(range(16)))])]))
        glb = self.converted(original)
        self.turn_second(glb, longer=20)
        p = self.encoded(original)
        self.assertRegex(p.err, 'wrote out: .* 1 clip changed, 2 unchanged')
        before, after = self.objects(original, 'before'), self.objects(self.path('out'), 'after')
        self.assertEqual(list(before), list(after))
        self.assertEqual(len([n for n in before if before[n] != after[n]]), 1)
        self.assertEqual(after[os.path.join('06', '7')], bytes(range(16)))

    def test_animations_that_share_bytes(self):
        data = bytearray(read(self.HERO))
        chunk = next(4 * i + (struct.unpack_from('<I', data, 4 * i)[0] & 0xFFFFFF) for i in range(1, 1 + data[1]) if data[4 * i + 3] == 3)
        count = data[chunk + 1]
        first = chunk + 4 + (count + 1) // 2 * 4
        second, = struct.unpack_from('<i', data, first + 4)
        struct.pack_into('<i', data, first + 8, second - 4)         # the third one is the second
        original = write(self.path('shared.ff9db'), bytes(data))
        glb = self.converted(original)
        self.turn_second(glb)
        p = self.encoded(original, status=1)
        self.assertRegex(p.err, r'^reanima: .*shared.ff9db: 03/1003.ff9anim at 0x[0-9a-f]+: can\'t be changed separately, because it shares bytes with 03/1002.ff9anim\n$')

    def test_offsets_into_an_animation(self):
        """A damaged object of another chunk starts inside an animation."""
        inner = read(self.HERO)
        walk = next(4 * i + (struct.unpack_from('<I', inner, 4 * i)[0] & 0xFFFFFF) for i in range(1, 1 + inner[1]) if inner[4 * i + 3] == 3)
        first = walk + 4 + (inner[walk + 1] + 1) // 2 * 4
        inside = first + 4 + struct.unpack_from('<i', inner, first + 4)[0] + 8      # of the second one
        chunk = ff9_container.chunk(0x1B, [(428, inner)])
        # counted from the pointer: it stands 8 bytes after the chunk, which follows the 12 bytes of the table
        start = 12 + len(chunk) + 8
        bad = struct.pack('<BBH', 0x06, 1, 0) + struct.pack('<HH', 7, 0) + struct.pack('<ii', 12 + 16 + inside - start, -start)
        original = write(self.path('bad.ff9db'), struct.pack('<BBH', 0xDB, 2, 0) + struct.pack('<II', 0x1B << 24 | 8, 0x06 << 24 | (4 + len(chunk))) + chunk + bad)
        glb = self.converted(original, 'edited.glb', '--format', 'ff9-container')
        self.turn_second(glb)
        p = self.encoded(original, 'edited.glb', '--format', 'ff9-container', status=1)
        self.assertRegex(p.err, r'reanima: .*bad.ff9db: 1b/428/03/1002.ff9anim at 0x[0-9a-f]+: can\'t be replaced, because it contains an offset of the container or the target of such an offset\n$')

    def test_a_chunk_that_would_be_too_far(self):
        inner = read(self.HERO)
        size = 0xFFFFFC - 4 - len(ff9_container.chunk(0x1B, [(428, inner)])) - 16      # so that the last chunk is 0xFFFFFC bytes from its word
        whole = ff9_container.db([(0x1B, [(428, inner)]), (0x1C, [(7, bytes(size))]), (0x06, [(7, bytes(16))])])
        self.assertEqual(whole[12:16], struct.pack('<I', 0x06 << 24 | 0xFFFFFC))
        original = write(self.path('far.ff9db'), whole)
        glb = self.converted(original)
        self.turn_second(glb, longer=200)
        p = self.encoded(original, status=1)
        self.assertRegex(p.err, r'reanima: .*far.ff9db: 1b/428/03/1002.ff9anim at 0x[0-9a-f]+: is too large: the DB\'s offset to a chunk would be 0x1[0-9a-f]{6}, expected at most 0xffffff\n$')

    def test_which_model(self):
        self.converted(self.PROPS, 'edited.glb', '--model', '2000')
        self.refused('reanima: --model: %s: the file contains several models. Choose one of 2000, 2010\n' % self.PROPS, self.PROPS, status=2)


# ---------------------------------------------------------------------------------------------------------------------
# Through Blender

THROUGH = r'''
import math
from mathutils import Quaternion
source, out, rate, turned, renamed, bone, edited = arguments
scene.render.fps = int(rate)
bpy.ops.import_scene.gltf(filepath=source)
armature = next(o for o in bpy.data.objects if o.type == 'ARMATURE')
if turned == 'yes':
    armature.scale = (2.5, 2.5, 2.5)
    armature.rotation_mode = 'XYZ'
    armature.rotation_euler[2] += math.radians(37)
if renamed == 'yes':
    for number, track in enumerate(armature.animation_data.nla_tracks):
        track.name = 'own %d' % number
if bone == 'yes':
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode='EDIT')
    own = armature.data.edit_bones.new('mine')
    own.tail = (0, 0, 0.1)
    bpy.ops.object.mode_set(mode='OBJECT')
if edited:
    name, joint, native = edited.split(',')
    action = next(a for a in bpy.data.actions if a.name.startswith(name))
    curves = [curves_of(action).find('pose.bones["%s"].rotation_quaternion' % joint, index=i) for i in range(4)]
    for frame in (2, 3, 4):
        at = frame * int(rate) / int(native)
        q = Quaternion([c.evaluate(at) for c in curves]) @ Quaternion((1, 0, 0), math.radians(20))
        for curve, value in zip(curves, q):
            curve.keyframe_points.insert(at, value).interpolation = 'LINEAR'
bpy.ops.export_scene.gltf(filepath=out)
print('RESULT ' + json.dumps(None))
'''

# Every pair of values of two columns is in some row.
ROWS = (('mesh', 15, 'no', 'no', 'no'), ('mesh', 24, 'yes', 'yes', 'yes'), ('mesh', 30, 'no', 'yes', 'no'), ('mesh', 60, 'yes', 'no', 'yes'),
        ('bones', 15, 'yes', 'yes', 'no'), ('bones', 24, 'no', 'no', 'yes'), ('bones', 30, 'yes', 'no', 'no'), ('bones', 60, 'no', 'yes', 'yes'),
        ('mesh', 15, 'yes', 'no', 'yes'), ('bones', 24, 'yes', 'no', 'no'), ('mesh', 30, 'no', 'yes', 'yes'), ('bones', 60, 'no', 'no', 'no'))
# REANIMA_LONG: all rows.
ALL_ROWS = itertools.product(('mesh', 'bones'), (15, 24, 30, 60), *[('no', 'yes')] * 3)
FILES = (PACK, WALK, sample('metroid', 'hero_walk.ANIM'), sample('metroid', 'echo_swell.ANIM'))


@unittest.skipUnless(shutil.which('blender'), 'Blender is not installed')
class ThroughBlender(Back):
    def through(self, original, mesh, rate, turned='no', renamed='no', bone='no', edited=''):
        self.converted(original, 'source.glb', '--force', *(['--no-mesh'] if mesh == 'bones' else []))
        in_blender(self, THROUGH, self.path('source.glb'), self.path('edited.glb'), rate, turned, renamed, bone, edited)

    def test_what_was_not_changed(self):
        rows = itertools.product(ALL_ROWS, FILES) if os.environ.get('REANIMA_LONG') else ((row, FILES[(i + i // 4) % len(FILES)]) for i, row in enumerate(ROWS))
        for row, original in rows:
            with self.subTest(row=row, original=original):
                self.through(original, *row)
                self.encoded(original)
                self.assertEqual(read(self.path('out')), read(original))

    def test_a_folder_of_memoria(self):
        """The import turns the axes of its bones. Frames 5 to 7 have no keys, and so follow frame 4"""
        folder = os.path.join(DATA, 'ff9_steam', 'Animations', 'GEO_STD_F0_ANA')
        model = ('-s', os.path.join(DATA, 'ff9_steam', 'Models', '901', '901.fbx'))
        for more, rate, turned, bone, edited, said in (((), 15, 'no', 'yes', '', '0 clips changed, 3 unchanged;'), (model, 24, 'no', 'no', '', '0 clips changed, 3 unchanged;'),
                                                       (model, 30, 'no', 'yes', '', '0 clips changed, 3 unchanged;'), ((), 60, 'yes', 'no', '', '0 clips changed, 3 unchanged;'),
                                                       (model, 24, 'no', 'no', 'ANH_STD_F0_ANA_WALK,bone014,30', 'ANH_STD_F0_ANA_WALK: 1 joint in '),
                                                       ((), 30, 'no', 'no', 'ANH_STD_F0_ANA_WALK,bone014,30', 'ANH_STD_F0_ANA_WALK: 1 joint in 6 frames; bone014 by 20.0 degrees')):
            with self.subTest(more=more, rate=rate, edited=edited):
                self.check(run('convert', folder, *more, '-q', '--force', '-o', self.path('source.glb')), 0)
                in_blender(self, THROUGH, self.path('source.glb'), self.path('edited.glb'), rate, turned, 'no', bone, edited)
                self.assertIn(said, self.check(run('encode', self.path('edited.glb'), '--into', folder), 0).err)

    def test_a_bone_that_was_turned(self):
        """At the clip's own rate only these frames change; at another rate the keys beside them show the change,
        too."""
        for rate, frames in ((15, [2, 3, 4]), (24, [1, 2, 3, 4])):
            with self.subTest(rate=rate):
                self.through(PACK, 'mesh', rate, edited='hrda_000,bone005,15')
                self.encoded(PACK)
                before, after = self.dumped(PACK), self.dumped(self.path('out'), '-s', SKELETON)
                changed = []
                for index, (old, new) in enumerate(zip(before['animations'], after['animations'], strict=True)):
                    for frame, (a, b) in enumerate(zip(old.get('frames', []), new.get('frames', []), strict=True)):
                        for triple, (u, v) in enumerate(zip(a['rotations'], b['rotations'], strict=True)):
                            if u != v:
                                changed.append((index, frame, triple))
                                turn = degrees_between(composed(u, YXZ), composed(v, YXZ))
                                if rate == 15:
                                    self.assertAlmostEqual(turn, 20, delta=0.1)
                self.assertEqual(changed, [(0, frame, 6) for frame in frames])


if __name__ == '__main__':
    unittest.main()
