#!/usr/bin/env python3
"""Final Fantasy IX through the command: sources, names, dumps, edits and refusals."""
import json, os, struct, unittest

from ff9_container import db
from support import Case, DATA, Scene, conformance, read, read_json, run, sample, write

IDLE, WALK, MODEL, DB = (sample('ff9', n) for n in ('hero_idle.ff9anim', 'hero_walk.ff9anim', 'hero.ff9model', 'hero.ff9db'))


class Convert(Case):
    def scene(self, *args):
        self.last = self.check(run('convert', *args, '-o', self.path('x.glb'), '--force'), 0)
        return Scene(read(self.path('x.glb')))

    def names(self, *args):
        return [a['name'] for a in self.scene(*args).g['animations']]

    def test_many_blocks_with_one_model_give_one_file(self):
        scene = self.scene(IDLE, WALK)
        self.assertEqual([a['name'] for a in scene.g['animations']], ['hero_idle', 'hero_walk'])
        self.assertEqual(len(scene.g['skins'][0]['joints']), 26)
        self.assertEqual(scene.g['scenes'][0]['extras']['reanima']['skeleton'], 'found')
        self.assertIn("set Blender's frame rate to 30", self.last.err)
        self.assertEqual(self.last.err.count('\n'), 1, 'a sound file with its model gives no warning')

    def test_the_model_may_lie_elsewhere(self):
        block = write(self.path('a/block'), read(WALK))
        scene = self.scene(block, '-s', MODEL)
        self.assertEqual(scene.g['scenes'][0]['extras']['reanima']['skeleton'], 'given')
        self.assertIn('no skeleton was found beside it', run('convert', block, '-o', self.path('y.glb')).err)

    def test_a_container_brings_its_model_and_names_clips_by_id(self):
        self.assertEqual(self.names(DB), ['anim_01001', 'anim_01002', 'anim_01003'])
        self.assertEqual(self.names(DB, '--clip', 'anim_01002'), ['anim_01002'])
        self.assertEqual(self.names(DB, '--name', '{stem}-{id}'), ['hero-1001', 'hero-1002', 'hero-1003'])

    def test_names_from_a_list(self):
        csv = sample('ff9', 'hero.names.csv')
        self.assertEqual(self.names(DB, '--names', csv), ['idle', 'walk', 'attack'])
        self.assertEqual(self.names(IDLE, WALK, '--names', csv), ['idle', 'walk'])
        joints = [n['name'] for n in self.scene(DB, '--names', csv).nodes]
        self.assertIn('upper_arm_l', joints)
        self.assertNotIn('bone006', joints)

    def test_the_rate_is_a_property_of_use(self):
        for rate, args in ((30, ()), (15, ('--rate', '15')), (20, ('--rate', '20'))):
            scene = self.scene(WALK, *args)
            self.assertEqual(scene.g['animations'][0]['extras']['rate'], rate)
            times = [scene.g['accessors'][s['input']]['max'][0] for s in scene.g['animations'][0]['samplers']]
            self.assertEqual(max(times), struct.unpack('<f', struct.pack('<f', 33 / rate))[0])

    def test_extras(self):
        scene = self.scene(WALK)
        clip = scene.g['animations'][0]['extras']
        self.assertEqual((clip['format'], clip['source'], clip['frames'], clip['counters']),
                         ('ff9-animation', 'hero_walk.ff9anim', 34, {'frame_count': 34, 'low_table': True}))
        root = next(n for n in scene.nodes if n['name'] == 'hero')
        self.assertEqual(root['extras'], {'neck_bone': 3, 'height': 458, 'radius': 120})
        bone = next(n for n in scene.nodes if n['name'] == 'bone002')
        self.assertEqual((bone['extras']['index'], bone['extras']['id'], bone['extras']['length']), (2, 2, -45))

    def test_a_skeleton_that_does_not_fit_is_refused_with_both_numbers(self):
        block = write(self.path('block.ff9anim'), read(conformance('ff9', 'pose_chain.ff9anim')))
        bones = json.loads(run('dump', block).stdout)['bone_count']
        p = run('convert', block, '-s', MODEL, '-o', self.path('x.glb'))
        self.check(p, 1, 'reanima: %s: high_table at 0xc: ends after %d bones, but the skeleton has 26\n' % (block, bones))
        self.assertFalse(os.path.exists(self.path('x.glb')))

    def test_a_limit_has_its_own_status(self):
        p = run('convert', WALK, '-q', '-o', self.path('x.glb'), '--limit-samples', '100')
        self.check(p, 4, 'reanima: %s: frame_count at 0x2: the file decodes to more samples than the limit allows (see --limit-samples N)\n' % WALK)

    def test_an_animation_is_not_a_skeleton_of_its_own(self):
        walk = write(self.path('walk.ff9model'), read(WALK))
        self.check(run('convert', walk, '-q', '--warn', 'skeleton-made-up=ignore', '-o', self.path('x.glb')), 0)

    def test_companions_lie_under_names_of_either_case(self):
        walk = write(self.path('HERO_WALK.FF9ANIM'), read(WALK))
        for name in ('HERO.ff9model', 'HERO.FF9MODEL'):
            model = write(self.path(name), read(sample('ff9', 'hero.ff9model')))
            self.assertIn('(found)', self.check(run('info', walk), 0).stdout.decode())
            os.remove(model)
        rigs = []
        for model, pack in (('hero.ff9model', 'hero.ff9anim'), ('HERO.FF9MODEL', 'HERO.FF9ANIM')):      # the pack tells how the rig stands
            write(self.path(model), read(sample('ff9', 'hero.ff9model')))
            write(self.path(pack), read(WALK))
            self.check(run('convert', self.path(model), '-q', '-o', self.path('rig.glb'), '--force'), 0)
            rigs.append([n.get('rotation') for n in Scene(read(self.path('rig.glb'))).nodes])
            for name in (model, pack):
                os.remove(self.path(name))
        self.assertEqual(*rigs)
        self.assertTrue(any(rigs[0]))

    def test_a_small_file_cannot_ask_for_gigabytes(self):
        block = bytearray(0x10000)                        # 255 bones, 65,535 frames: every stream is the block itself
        block[:20] = struct.pack('<HH4HII', 0, 65535, 0, 0, 0, 7, 20, 20 + 8 * 255)
        path = write(self.path('bomb.ff9anim'), block)
        for verb in ('convert', 'dump'):
            p = run(verb, path, '--joints', '255', '-o', self.path('x.' + ('glb' if verb == 'convert' else 'json')))
            self.check(p, 4, 'reanima: %s: frame_count at 0x2: the file decodes to more samples than the limit allows (see --limit-samples N)\n' % path)
        self.check(run('check', path, '--joints', '255'), 1)
        block[20:] = struct.pack('<4H', 0, 0, 0, 7) * (len(block[20:]) // 8) + bytes(4)     # nothing moves: a key each, but JSON has every frame
        path = write(self.path('still.ff9anim'), block)
        self.check(run('convert', path, '--joints', '255', '-q', '-o', self.path('still.glb')), 0)
        p = run('dump', path, '--joints', '255')                               # 240 bytes for each of 16,777,216 triples, and the file
        self.check(p, 4, 'reanima: %s: angles: would need 3841 MiB of memory, but the limit is 1024 (see --limit-memory MIB)\n' % path)

    def test_a_model_alone_becomes_a_rig(self):
        scene = self.scene(MODEL)
        self.assertNotIn('animations', scene.g)
        self.assertEqual(len(scene.g['skins'][0]['joints']), 26)

    def test_info_and_check(self):
        for path in (IDLE, WALK, MODEL, DB):
            self.check(run('info', path), 0)
            self.check(run('check', path), 0)
        self.assertIn(b'anim_01002', run('info', DB).stdout)


class DumpAndEncode(Case):
    CONTRACT = {'schema', 'format', 'frame_count', 'bone_count', 'low_table', 'translations', 'angles', 'warnings'}

    def dump(self, path, *args):
        return json.loads(self.check(run('dump', path, *args), 0).stdout)

    def blocks(self):
        """-> path, case: the sound blocks of the conformance cases, with their arguments"""
        cases = read_json(DATA, 'conformance', 'ff9', 'cases.json')
        for case in cases['cases'] if isinstance(cases, dict) else cases:
            if case.get('kind') == 'dump' and 'ok' in case['accept']:
                yield conformance('ff9', case['file']), case

    def test_every_block_comes_back_byte_for_byte(self):
        count = 0
        for path, case in self.blocks():
            data, err = self.encode(self.dump(path, *case.get('args', [])))
            self.assertEqual(data, read(path), path)
            self.assertNotIn('warning', err, path)
            count += 1
        self.assertGreater(count, 10)

    def test_a_layout_larger_than_the_limit_is_refused(self):
        path, case = next((p, c) for p, c in self.blocks() if self.dump(p, *c.get('args', []))['layout'] is not None)
        value = self.dump(path, *case.get('args', []))
        value['layout']['size'] = 200 << 20
        source = write(self.path('edited.json'), json.dumps(value))
        self.check(run('encode', source, '--limit-memory', '64', '-o', self.path('no')), 4,
                   'reanima: %s: layout.size: would need 200 MiB of memory, but the limit is 64 (see --limit-memory MIB)\n' % source)

    def test_the_fields_of_the_contract_are_enough(self):
        """byte for byte in the game's own order, else with the same values and a note"""
        canonical = 0
        for path, case in [(p, {}) for p in (IDLE, WALK)] + list(self.blocks()):
            value = self.dump(path, *case.get('args', []))
            data, err = self.encode({k: v for k, v in value.items() if k in self.CONTRACT})
            self.assertIn('layout: is missing, so the order of the game\'s own tool is used', err)
            if value['layout'] is None:
                self.assertEqual(data, read(path), path)
                canonical += 1
            again = self.dump(write(self.path('again.ff9anim'), data), '--joints', str(value['bone_count']))
            self.assertEqual([again[k] for k in ('angles', 'translations', 'low_table')], [value[k] for k in ('angles', 'translations', 'low_table')], path)
        self.assertGreater(canonical, 5)

    def test_an_edited_angle_comes_out(self):
        for path, case in [(WALK, {})] + list(self.blocks()):
            value = self.dump(path, *case.get('args', []))
            value['angles'][-1][-1][0] ^= 0x130
            data, _ = self.encode(value)
            again = self.dump(write(self.path('edited'), data), '--format', 'ff9-animation', '--joints', str(value['bone_count']))
            self.assertEqual(again['angles'], value['angles'], path)
            self.assertEqual(again['translations'], value['translations'], path)

    def test_frames_may_be_added_and_taken_away(self):
        value = self.dump(WALK)
        value['angles'] = value['angles'][:5] * 2 + value['angles'][:1]
        value['translations'] = value['translations'][:11]
        data, err = self.encode(value)
        self.assertIn('frame_count: is 34, but there are 11 frames', err)
        again = self.dump(write(self.path('edited.ff9anim'), data))
        self.assertEqual((again['frame_count'], again['angles'], again['warnings']), (11, value['angles'], []))

    def test_values_that_do_not_fit_are_named(self):
        for edit, message in (
                (lambda v: v['angles'][3][7].__setitem__(1, 4096), 'angles[3][7][1]: is 4096, expected a whole number from 0 to 4095'),
                (lambda v: v['translations'][2].__setitem__(0, 40000), 'translations[2][0]: is 40000, expected a whole number from -32768 to 32767'),
                (lambda v: v['translations'][2].pop(), 'translations[2]: has 2 elements, expected 3'),
                (lambda v: v['angles'][4].pop(), 'angles[4]: has 25 bones, expected 26 as in frame 0'),
                (lambda v: v['angles'].pop(), 'translations: has 34 frames, but `angles` has 33'),
                (lambda v: v.__setitem__('angles', []), 'angles: has 0 frames, expected 1 to 65535'),
                (lambda v: v['angles'][0].clear(), 'angles[0]: has 0 bones, expected 1 to 255'),
                (lambda v: v.pop('low_table'), 'low_table: is missing'),
                (lambda v: v.__setitem__('low_table', 1), 'low_table: is 1, expected true or false'),
                (lambda v: v.pop('angles'), 'angles: is missing')):
            value = self.dump(WALK)
            edit(value)
            self.not_encoded(value, message)
        self.assertFalse(os.path.exists(self.path('no')))

    def test_an_angle_that_needs_low_bits_gets_a_low_table(self):
        value = self.dump(conformance('ff9', 'no_low_table.ff9anim'))
        value['angles'][0][0][0] |= 5
        data, err = self.encode(value)
        self.assertIn('low_table: is false, but at least one angle is not a multiple of 16; a LOW table is written', err)
        self.assertEqual(self.dump(write(self.path('edited.ff9anim'), data), '--joints', str(value['bone_count']))['angles'], value['angles'])

    def test_models_come_back_with_their_meshes(self):
        path = conformance('ff9-mesh', 'model_groups.ff9model')
        value = self.dump(path)
        data, err = self.encode(value)
        self.assertEqual((data, err.count('warning')), (read(path), 0))
        value['joints'][5]['length'] = -77
        value['groups'][1]['faces']['ft3'].pop()
        again = self.dump(write(self.path('edited.ff9model'), self.encode(value)[0]))
        self.assertEqual((again['joints'], again['groups'][1]['faces']), (value['joints'], value['groups'][1]['faces']))
        del value['groups'][1:]
        data, err = self.encode(value)
        self.assertIn('group_count: is 3, but there are 1 groups', err)
        again = self.dump(write(self.path('edited.ff9model'), data))
        self.assertEqual((again['group_count'], again['groups'][0]), (1, value['groups'][0]))

    def test_another_layout_is_rewritten(self):
        path = conformance('ff9-mesh', 'model_shared_blocks.ff9model')
        said = "has an unusual layout; encoding changes it to the layout of the game's own tool\n"
        self.assertIn('warning: ' + said, self.check(run('dump', path), 0).err)
        self.assertIn(said, self.check(run('check', path), 1).stdout.decode())
        value = self.dump(path)
        data = self.encode(value)[0]
        self.assertNotEqual(data, read(path))
        again = self.dump(write(self.path('again.ff9model'), data))
        self.assertEqual(again['groups'], value['groups'])
        self.assertEqual(self.encode(again)[0], data)

    def test_textures_and_materials_are_no_scenes(self):
        path = conformance('ff9-mesh', 'material_three.ff9mat')
        self.check(run('convert', path, '-o', self.path('x.glb')), 1,
                   'reanima: %s: is Final Fantasy IX (PlayStation) materials, which can only be converted with a model\n' % path)
        self.check(run('convert', conformance('ff9-mesh', 'tim_8bit.tim'), '-o', self.path('x.glb')), 2)
        self.check(run('convert', conformance('ff9-mesh', 'tim_8bit.tim'), '-o', self.path('x.png')), 0)

    def test_a_models_mistakes_are_named(self):
        for edit, message in (
                (lambda v: v['joints'][4].__setitem__('parent', 9), 'joints[4].parent: is 9, expected a whole number from 0 to 3'),
                (lambda v: v['joints'][4].__setitem__('length', 1.5), 'joints[4].length: is 1.5, expected a whole number from -32768 to 32767'),
                (lambda v: v.__setitem__('joints', []), 'joints: has 0 bones, expected 1 to 255'),
                (lambda v: v.__setitem__('groups', [{}]), 'groups[0].vertex_counts: is missing')):
            value = self.dump(MODEL)
            edit(value)
            self.not_encoded(value, message)

    def test_a_container_is_listed_but_not_encoded(self):
        value = self.dump(DB)
        self.assertEqual([e['name'] for e in value['entries']], ['02/1000.ff9model', '03/1001.ff9anim', '03/1002.ff9anim', '03/1003.ff9anim', '12/1', '04/1.tim'])
        walk = value['entries'][2]
        self.assertEqual(read(DB)[walk['offset']:walk['offset'] + walk['size']], read(WALK))
        source = write(self.path('db.json'), json.dumps(value))
        p = run('encode', source, '-o', self.path('no'))
        self.assertEqual(p.returncode, 1, p.err)
        self.assertIn("can't be written", p.err)


class Looks(Case):
    """Meshes, and where their materials and textures come from; the conformance cases compare their content."""

    def convert(self, *args, status=0, says=()):
        p = self.check(run('convert', *args, '-o', self.path('x.glb'), '--force'), status)
        for text in says:
            self.assertIn(text, p.err)
        return Scene(read(self.path('x.glb'))) if status == 0 else None

    def look(self, scene):
        """names of meshes and images, and the pictures"""
        g = scene.g
        return [m['name'] for m in g.get('meshes', [])], [i['name'] for i in g.get('images', [])], [i.get('uri', i.get('bufferView')) for i in g.get('images', [])]

    def test_textures_are_files_folders_or_archives(self):
        files = [conformance('ff9-mesh', n) for n in ('loose.ff9anim', 'other.ff9model', 'other.mat', 'p.tim', 'q.tim')]
        named = [files[0], '-s', files[1], '--materials', files[2]]
        first = self.look(self.convert(*named, '--textures', files[3], '--textures', files[4]))
        self.assertEqual(first[:2], (['other_group0'], ['other_0', 'other_1']))
        for k, path in enumerate(files[3:]):
            write(self.path('pictures', '%d.TIM' % k), read(path))
        self.assertEqual(self.look(self.convert(*named, '--textures', self.path('pictures'))), first)
        packed = write(self.path('pictures.ff9db'), db([(4, [(9, read(files[3])), (3, read(files[4]))])]))
        self.assertEqual(self.look(self.convert(*named, '--textures', packed)), first)
        self.assertEqual(self.look(self.convert(*named, '--textures', packed, '--no-mesh'))[0], [])
        self.assertEqual(self.look(self.convert(*named, '--textures', packed + ':04/9', '--textures', packed + ':#1')), first)
        data = bytearray(read(packed))
        struct.pack_into('<i', data, data.index(struct.pack('<BBHHH', 4, 2, 0, 9, 3)) + 8, 0x7000000)
        lost = write(self.path('lost.ff9db'), data)
        scene = self.convert(*named, '--textures', lost, says=['lost.ff9db:04/9.tim: warning: '])
        self.assertEqual(self.look(scene)[1], ['other_1'])              # the second one keeps its place
        os.makedirs(self.path('empty'))
        self.convert(*named, '--textures', self.path('empty'), status=1, says=['empty: contains no textures'])
        self.convert(files[0], '--materials', files[3], status=1, says=['p.tim: is PlayStation texture (TIM), not a file of materials'])

    def test_a_model_alone_has_what_lies_beside_it(self):
        for name, source in (('1.ff9model', 'other.ff9model'), ('1.ff9mat', 'other.mat'), ('1_0.tim', 'p.tim'), ('1_1.tim', 'q.tim')):
            write(self.path(name), read(conformance('ff9-mesh', source)))
        self.assertEqual(self.look(self.convert(self.path('1.ff9model')))[:2], (['1_group0'], ['1_0', '1_1']))
        os.remove(self.path('1_1.tim'))
        self.convert(self.path('1.ff9model'), says=['material 1: no texture was found, so its faces are drawn without a texture (see --textures FILE)'])

    def test_materials_may_be_lit(self):
        for files in ([conformance('ff9-mesh', 'model_groups.ff9model')], [sample('ff9', 'hero.ff9db')], [sample('ff9', 'hero_walk.ff9anim')],
                      [sample('ff8', 'c0m900.dat')]):
            for options, unlit in ((['--lighting', 'lit'], False), ([], True)):
                materials = self.convert(*files, *options).g['materials']
                self.assertEqual({'KHR_materials_unlit' in m.get('extensions', {}) for m in materials}, {unlit}, files)

    def test_groups_that_are_not_there_are_named(self):
        alone = conformance('ff9-mesh', 'model_groups.ff9model')
        self.assertEqual(self.look(self.convert(alone, '--hide-group', '0', '--hide-group', '2'))[0], ['model_groups_group1'])
        self.convert(alone, '--hide-group', '9', status=1, says=['contains no group 9: it has 3 groups, counted from 0'])
        self.convert(conformance('ff9-mesh', 'field.ff9db'), '--hide-group', '7', status=1, says=['no model has a group 7'])


class Damage(Case):
    def test_bad_input_is_refused_with_one_line(self):
        walk = bytearray(read(WALK))
        patched = lambda at, data: bytes(walk[:at]) + data + bytes(walk[at + len(data):])
        for data, message in (
                (b'', 'is empty'),
                (bytes(64), 'frame_count at 0x2: is 0, expected 1 or more'),
                (walk[:19], 'low_table at 0x10: needs 4 bytes, but only 3 are left'),
                (patched(2, b'\xff\xff'), 'translation.'),
                (patched(12, b'\xff\xff\xff\x7f'), 'high_table at 0xc: is 0x7fffffff, but the 1 record from there ends outside the block of %d bytes' % len(walk)),
                (patched(16, b'\xff\xff\xff\x7f'), 'low_table at 0x10: is 0x7fffffff, but the 1 record from there ends outside the block of %d bytes' % len(walk))):
            path = write(self.path('bad.ff9anim'), data)
            p = run('convert', path, '-o', self.path('x.glb'))
            self.assertEqual(p.returncode, 1, p.err)
            self.assertTrue(p.err.startswith('reanima: %s: %s' % (path, message)), p.err)
            self.assertEqual(p.err.count('\n'), 1, p.err)
            self.assertFalse(os.path.exists(self.path('x.glb')))

    def test_a_damaged_animation_of_a_container_loses_no_other(self):
        data = bytearray(read(DB))
        entries = json.loads(run('dump', DB).stdout)['entries']
        data[entries[2]['offset'] + 2] = 0                # frame_count
        path = write(self.path('hero.ff9db'), data)
        self.tells('%s: warning: 03/1002.ff9anim.frame_count: is 0, expected 1 or more\n' % path, 'convert', path, '-o', self.path('x.glb'))
        self.assertEqual([a['name'] for a in Scene(read(self.path('x.glb'))).g['animations']], ['anim_01001', 'anim_01003'])
        self.check(run('check', path), 1)
        self.check(run('convert', path, '-o', self.path('y.glb'), '--strict'), 1)


if __name__ == '__main__':
    unittest.main()
