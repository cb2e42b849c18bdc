#!/usr/bin/env python3
"""The command as a user meets it: exit statuses, messages, files."""
import json, os, re, resource, shutil, signal, struct, subprocess, time, unittest

from support import Case, DATA, Scene, TOOL, conformance, formats, read, run, sample, samples, write
from pictures import rgba_of

PACK, SKELETON = sample('ff7', 'hrda'), sample('ff7', 'hraa')


class Outputs(Case):
    def test_the_name_is_the_inputs_in_the_current_folder(self):
        p = self.check(run('convert', PACK, cwd=self.folder), 0)
        self.assertEqual(self.files(), ['hrda.glb'])
        self.assertTrue(p.err.splitlines()[-1].startswith('wrote hrda.glb: 4 clips, 22 joints, 676 triangles, 1.'), p.err)
        self.assertTrue(p.err.splitlines()[-1].endswith("m high; set Blender's frame rate to 15 before importing"), p.err)

    def test_text_and_buffer_hold_what_the_binary_file_holds(self):
        # Images of materials are separate files beside a text output.
        self.check(run('convert', PACK, '--no-mesh', '-o', self.path('x.gltf')), 0)
        self.check(run('convert', PACK, '--no-mesh', '-o', self.path('x.glb')), 0)
        text = json.loads(read(self.path('x.gltf')))
        scene = Scene(read(self.path('x.glb')))
        self.assertRegex(text['buffers'][0].pop('name'), '^xxh3-[0-9a-f]{16}$')
        self.assertEqual(text['buffers'], [{'byteLength': len(read(self.path('x.bin'))), 'uri': 'x.bin'}])
        self.assertEqual(scene.blob[:len(read(self.path('x.bin')))], read(self.path('x.bin')))
        text['buffers'][0].pop('uri')
        own = [g['scenes'][0]['extras']['reanima'].pop('hash') for g in (text, scene.g)]
        self.assertNotEqual(*own)                                       # each is of its own file
        self.assertEqual(text, scene.g)

    def test_standard_output(self):
        p = self.check(run('convert', PACK, '-o', '-'), 0)
        self.assertEqual(p.stdout[:4], b'glTF')
        self.check(run('convert', PACK, '-o', self.path('x.glb')), 0)
        self.assertEqual(p.stdout, read(self.path('x.glb')))

    def test_a_folder_mirrors_the_tree(self):
        for name, data in (('in/a/rtda', read(PACK)), ('in/b/deep/rtda', read(PACK)), ('in/notes.txt', b'hello')):
            write(self.path(name), data)
        p = self.check(run('convert', 'in', '-o', 'out/', cwd=self.folder), 0)
        self.assertEqual([f for f in self.files() if f.startswith('out')], ['out/a/rtda.glb', 'out/b/deep/rtda.glb'])
        self.assertIn('2 converted, 0 failed, 1 skipped (nothing to convert)', p.err)

    def test_many_inputs_into_one(self):
        write(self.path('second'), read(PACK))
        self.check(run('convert', PACK, self.path('second'), '-s', SKELETON, '-o', self.path('x.glb')), 0)
        names = [a['name'] for a in Scene(read(self.path('x.glb'))).g['animations']]
        self.assertEqual(names, ['hrda_000', 'hrda_001', 'hrda_002', 'hrda_004', 'second_000', 'second_001', 'second_002', 'second_004'])

    def moved(self, *inputs):
        """the names of clips, and of the joints that move in them"""
        self.check(run('convert', *inputs, '-q', '--force', '-o', self.path('x.glb')), 0)
        g = Scene(read(self.path('x.glb'))).g
        return {a['name']: {g['nodes'][c['target']['node']]['name'] for c in a['channels']} for a in g['animations']}

    def test_a_skeleton_in_another_folder_is_that_of_the_clips(self):
        for game, skeleton, clips in (('ff9', 'hero.ff9model', ('hero_walk.ff9anim', 'hero_idle.ff9anim')), ('metroid', 'hero.CINF', ('hero_walk.ANIM',)), ('ff7', 'doll.hrc', ('doll_walk.a',))):
            apart = [write(self.path(folder + '/' + name), read(sample(game, name))) for folder, name in [('models', skeleton)] + [('clips', c) for c in clips]]
            expected = self.moved(*[sample(game, name) for name in (skeleton,) + clips])
            for order in (apart, apart[::-1]):
                self.assertEqual(self.moved(*order), expected)

    def test_inputs_of_different_skeletons_are_refused(self):
        p = self.check(run('convert', PACK, conformance('ff7', 'poda'), '-q', '-o', self.path('x.glb')), 2)
        self.assertEqual(p.err, 'reanima: hrda and poda move different skeletons (hraa with 22 joints, poaa with 9). Write each to a separate output\n')
        self.assertEqual(self.files(), [])

    def test_a_skeleton_alone_becomes_a_rig_in_its_own_packs_pose(self):
        self.check(run('convert', SKELETON, '-o', self.path('x.glb')), 0)
        self.check(run('convert', PACK, '-o', self.path('y.glb')), 0)
        rig, animated = Scene(read(self.path('x.glb'))), Scene(read(self.path('y.glb')))
        self.assertNotIn('animations', rig.g)
        self.assertEqual(len(rig.g['skins'][0]['joints']), 22)           # with that of the sword
        for name in ('root', 'bone003', 'bone019'):
            self.assertEqual(rig.nodes[rig.node(name)].get('rotation'), animated.nodes[animated.node(name)].get('rotation'))

    def test_the_same_input_gives_the_same_bytes(self):
        for name in ('x.glb', 'y.glb'):
            self.check(run('convert', PACK, '-o', self.path(name), env={'LC_ALL': 'C'} if name == 'x.glb' else {'TZ': 'Asia/Tokyo'}), 0)
        self.assertEqual(read(self.path('x.glb')), read(self.path('y.glb')))


class Overwriting(Case):
    def test_an_existing_output_needs_force(self):
        out = write(self.path('x.glb'), b'before')
        self.check(run('convert', PACK, '-o', out), 2, 'reanima: %s: exists; --force replaces it\n' % out)
        self.assertEqual(read(out), b'before')
        self.check(run('convert', PACK, '-o', out, '--force'), 0)
        self.assertEqual(read(out)[:4], b'glTF')

    def test_so_does_the_buffer_of_a_text_file(self):
        out = write(self.path('x.bin'), b'before')
        self.check(run('convert', PACK, '-o', self.path('x.gltf')), 2, 'reanima: %s: exists; --force replaces it\n' % out)

    def test_an_output_is_never_an_input(self):
        pack = write(self.path('pack.glb'), read(PACK))
        os.symlink(pack, self.path('link.glb'))
        for out in (pack, self.path('link.glb'), self.path('.', 'pack.glb')):
            self.check(run('convert', pack, '-o', out, '--force'), 2, 'reanima: %s: the output is an input\n' % out)
        skeleton = write(self.path('bones.glb'), read(SKELETON))
        self.check(run('convert', pack, '-s', skeleton, '-o', skeleton, '--force'), 2)
        self.assertEqual(read(pack), read(PACK))

    def test_neither_is_what_lies_beside_an_input(self):
        for name in ('hrda', 'hraa'):
            write(self.path(name), read(sample('ff7', name)))
        for name in ('hero_walk.ANIM', 'hero.CINF', 'hero_walk.EVNT'):
            write(self.path(name), read(sample('metroid', name)))
        self.check(run('convert', 'hraa', '--proxy-mesh', '-q', '-o', 'rig.gltf', cwd=self.folder), 0)
        before = {f: read(self.path(f)) for f in self.files()}
        for args, beside in ((('convert', 'hrda', '-o', 'x.glb', '--depfile', 'hraa'), 'hraa'),
                             (('convert', 'hero_walk.ANIM', '-o', 'x.glb', '--report', 'hero.CINF'), 'hero.CINF'),
                             (('convert', 'hero_walk.ANIM', '-o', 'x.glb', '--depfile', 'hero_walk.EVNT'), 'hero_walk.EVNT'),
                             (('convert', 'hrda', '-s', 'rig.gltf', '-o', 'rig.gltf'), 'rig.gltf'),
                             (('dump', 'hrda', '-o', 'hraa'), 'hraa'),
                             (('dump', 'hero_walk.ANIM', '--no-companion', '-s', 'hero.CINF', '-o', 'hero.CINF'), 'hero.CINF'),
                             (('dump', 'hero_walk.ANIM', '--no-companion', '--events', 'hero_walk.EVNT', '-o', 'hero_walk.EVNT'), 'hero_walk.EVNT'),
                             (('bind', 'hrda', '--no-companion', '--source-skeleton', 'hraa', '-s', 'rig.gltf', '--suggest', '-o', 'hraa'), 'hraa'),
                             (('bind', 'hrda', '-s', 'rig.gltf', '--suggest', '-o', 'hraa'), 'hraa'),
                             (('bind', 'hrda', '-s', 'rig.gltf', '--suggest', '-o', 'rig.bin'), 'rig.bin')):
            why = next(('exists and is not a %s. --%s can only replace an earlier %s' % (o, o, o) for o in ('report', 'depfile') if '--' + o in args), 'the output is an input')
            self.check(run(*args, '--force', '-q', cwd=self.folder), 2, 'reanima: %s: %s\n' % (beside, why))
            self.assertFalse(os.path.exists(self.path('x.glb')), args)
        os.rename(self.path('rig.gltf'), self.path('other.gltf'))
        self.check(run('convert', 'hrda', '-s', 'other.gltf', '-o', 'rig.gltf', '--force', '-q', cwd=self.folder), 2, 'reanima: rig.bin: the output is an input\n')
        os.rename(self.path('other.gltf'), self.path('rig.gltf'))
        for name, data in before.items():
            self.assertEqual(read(self.path(name)), data, name)

    def test_nor_what_lies_beside_one_of_several_inputs(self):
        names = ('hrda', 'hraa', 'hrac', 'hram', 'doll.hrc', 'dlab.rsd', 'dlab.p', 'dlta.tex')
        before = {name: read(sample('ff7', name)) for name in names}
        for name, data in before.items():
            write(self.path('in', name), data)
        for name in names[1:]:
            for option in ('--report', '--depfile'):
                for more in ((), ('--if-changed',), ('-j', '2')):
                    path = os.path.join('in', name)
                    p = run('convert', 'in', '-o', 'out/', option, path, '--force', '-q', *more, cwd=self.folder)
                    self.check(p, 2)
                    self.assertIn(p.err, ('reanima: {}: exists and is not a {what}. --{what} can only replace an earlier {what}\n'.format(path, what=option[2:]),
                                          'reanima: %s: the output is an input\n' % path))
                    self.assertFalse(os.path.exists(self.path('out')))
        for name, data in before.items():
            self.assertEqual(read(self.path('in', name)), data)
        for _ in range(2):                        # the next run replaces the outputs of this one
            self.check(run('convert', 'in', '-o', 'out/', '--report', 'r.jsonl', '--depfile', 'r.d', '--force', '-q', cwd=self.folder), 0)

    def test_two_inputs_with_one_output_are_refused_before_any_work(self):
        for name in ('a/rtda', 'b/rtda'):
            write(self.path(name), read(PACK))
        self.tells('two outputs would be written there, from %s and from %s' % (self.path('a/rtda'), self.path('b/rtda')), 'convert', self.path('a/rtda'), self.path('b/rtda'), '-o', self.path('out/'), status=2)
        self.assertFalse(os.path.exists(self.path('out')))

    def test_report_and_dependencies_need_files_of_their_own(self):
        shutil.copy(PACK, self.path('rtda'))
        for words, message in ((('--report', 'r', '--depfile', './r'), 'r: --report and --depfile both write this file'),
                               (('-o', '-', '--report', '-'), '-: -o and --report both write to standard output'),
                               (('--report', 'rtda.glb'), 'rtda.glb: two outputs would be written there'),
                               (('--depfile', 'rtda'), 'rtda: the output is an input')):
            self.check(run('convert', 'rtda', *words, cwd=self.folder), 2, 'reanima: %s\n' % message)
        self.assertEqual(self.files(), ['rtda'])

    def test_a_joint_whose_name_another_one_was_given_is_told(self):
        names = write(self.path('n.csv'), 'joint,0,bone001\n')
        self.check(run('convert', sample('ff7', 'hrda'), '--names', names, '-o', self.path('x.glb'), '--report', self.path('r')), 0)
        self.assertIn(('renamed', '"bone001" became "bone001_2"'), [(w['code'], w['message']) for w in json.loads(read(self.path('r')))['warnings']])

    def test_other_verbs_follow_the_same_rule(self):
        out = write(self.path('x'), b'before')
        self.check(run('dump', PACK, '-o', out), 2)
        self.check(run('dump', PACK, '-o', self.path('pack.json')), 0)
        self.check(run('encode', self.path('pack.json'), '-o', out), 2)
        self.assertEqual(read(out), b'before')

    def test_a_symbolic_link_stays_one(self):
        write(self.path('real.glb'), b'before')
        os.symlink('real.glb', self.path('link.glb'))
        self.check(run('convert', PACK, '-o', self.path('link.glb'), '--force'), 0)
        self.assertTrue(os.path.islink(self.path('link.glb')))
        self.assertEqual(read(self.path('real.glb'))[:4], b'glTF')


class FailedWrites(Case):
    def test_a_full_device(self):
        for more in ([], ['--force']):
            self.check(run('convert', PACK, '-o', '/dev/full', *more), 3, None)
        self.assertEqual(run('convert', PACK, '-q', '-o', '/dev/full').err, 'reanima: /dev/full: can\'t be written: No space left on device\n')

    def test_a_full_disk_leaves_nothing(self):
        out = write(self.path('x.glb'), b'before')

        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        p = run('convert', PACK, '-q', '-o', out, '--force', preexec=small_files)
        self.check(p, 3, 'reanima: %s: can\'t be written: File too large\n' % out)
        self.assertEqual(self.files(), ['x.glb'])
        self.assertEqual(read(out), b'before')

    @unittest.skipIf(os.geteuid() != 0, 'only root mounts')
    def test_a_tiny_file_system(self):
        disk = self.path('disk')
        os.mkdir(disk)
        if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=16k', 'none', disk], stderr=subprocess.DEVNULL).returncode:
            self.skipTest('no file system can be mounted here')
        try:
            p = run('convert', PACK, '-q', '-o', disk + '/x.glb')
            self.check(p, 3, 'reanima: %s/x.glb: can\'t be written: No space left on device\n' % disk)
            self.assertEqual(os.listdir(disk), [])
        finally:
            subprocess.run(['umount', disk])

    def test_the_animations_of_a_skeleton_share_an_output(self):
        p = self.check(run('convert', sample('metroid'), '--group', '-o', self.path('out/')), 0)
        self.assertEqual(p.stderr.decode().splitlines()[-1], '7 converted, 0 failed, 11 skipped (nothing to convert)')
        self.assertEqual(sorted(os.listdir(self.path('out'))), ['echo.glb', 'hero.glb'])
        clips = ['attack', 'idle', 'pose', 'spin', 'walk']
        self.check(run('convert', *(sample('metroid', 'hero_%s.ANIM' % clip) for clip in clips),
                       '-o', self.path('hero.glb'), '-q'), 0)
        for path in self.path('out', 'hero.glb'), self.path('hero.glb'):
            g = Scene(read(path)).g
            self.assertEqual([a['name'] for a in g['animations']], ['hero_' + clip for clip in clips])
        p = self.check(run('convert', sample('metroid'), '--group', '-o', self.path('out/'), '--outputs'), 0)
        self.assertEqual(p.stdout.decode().splitlines(), [self.path('out', 'echo.glb'), self.path('out', 'hero.glb')])
        # A container's own models and loose animations of the same name.
        self.tells('hero.glb: two outputs would be written there', 'convert', sample('ff9'), '--group', '-o', self.path('more/'), status=2)

    def test_an_unwritable_folder(self):
        p = run('convert', PACK, '-q', '-o', '/proc/x.glb')
        self.assertEqual(p.returncode, 3, p.err)
        self.assertTrue(p.err.startswith("reanima: /proc/x.glb: can't be written: "), p.err)

    def test_a_file_where_a_folder_should_be(self):
        write(self.path('file'), b'')
        p = run('convert', PACK, '-q', '-o', self.path('file', 'x.glb'))
        self.assertEqual(p.returncode, 3, p.err)

    def test_standard_output_that_is_closed_or_full(self):
        with open('/dev/full', 'wb') as full:
            p = subprocess.run([TOOL, 'dump', PACK], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(p.returncode, 3)
        self.assertEqual(p.stderr.decode().splitlines()[-1], "reanima: standard output can't be written: No space left on device")

    def test_messages_that_nobody_hears_stop_nothing(self):
        for i, output in enumerate(('/dev/full', None)):
            out = self.path('%d/' % i)
            with open(output or os.devnull, 'wb') as errors:
                close = (lambda: os.close(2)) if output is None else None
                p = subprocess.run([TOOL, 'convert', PACK, sample('ff9', 'hero.ff9db'), self.path('gone'), '-o', out, '--depfile', self.path('made.d')],
                                   stderr=errors, preexec_fn=close)
            self.assertEqual(p.returncode, 1)
            self.assertTrue(read(self.path('made.d')).startswith(out.encode()))       # no message got into it
            self.assertEqual(sorted(os.listdir(out)), ['hero.glb', 'hrda.glb'])

    def test_two_outputs_do_not_fit_standard_output(self):
        jobs = write(self.path('two.reanima.json'), json.dumps([{'schema': 1, 'inputs': [PACK]}, {'schema': 1, 'inputs': [sample('ff9', 'hero.ff9db')]}]))
        p = self.check(run('convert', jobs, '-o', '-'), 2)
        self.assertEqual((p.stdout, p.err), (b'', 'reanima: -: two outputs would be written there, from %s and from %s\n' % (PACK, sample('ff9', 'hero.ff9db'))))

    def test_a_mistyped_member_of_a_dump(self):
        pack = json.loads(self.check(run('dump', PACK, '-q'), 0).stdout)
        pack['animations'][0]['keybits'] = 4
        made = write(self.path('pack.json'), json.dumps(pack))
        p = self.check(run('encode', made, '-o', self.path('new')), 0)
        self.assertIn('pack.json: warning: animations[0].keybits: is not a member of this format and is ignored; did you mean key_bits?\n', p.err)
        self.check(run('encode', made, '-o', self.path('strict'), '--strict'), 1)
        self.assertNotIn('strict', self.files())

    def test_json_from_a_pipe_into_a_pipe(self):
        data = self.check(run('dump', PACK, '-q'), 0).stdout
        self.assertEqual(self.check(run('encode', '-', '-o', '-', '-q', stdin=data), 0).stdout, read(PACK))


class BadInput(Case):
    def refused(self, data, name='rtda', told=()):
        path = write(self.path(name), data)
        p = run('convert', path, '-o', self.path('x.glb'), *told)
        self.assertFalse(os.path.exists(self.path('x.glb')))
        self.assertEqual(p.returncode, 1, p.err)
        lines = p.err.splitlines()
        self.assertTrue(lines[-1].startswith('reanima: ' + path + ': '), p.err)
        return lines[-1][len('reanima: ' + path + ': '):]

    def test_an_empty_file(self):
        self.assertEqual(self.refused(b''), 'is empty')

    def test_a_folder(self):
        os.mkdir(self.path('rtda'))
        p = run('dump', self.path('rtda'))
        self.check(p, 1, "reanima: %s: can't be read: it is a folder\n" % self.path('rtda'))

    def test_a_file_that_is_not_there(self):
        p = run('dump', self.path('rtda'))
        self.check(p, 1, "reanima: %s: can't be read: No such file or directory\n" % self.path('rtda'))

    def test_zeros(self):
        self.assertEqual(self.refused(bytes(1000)), 'contains no animation that can be converted')
        self.assertEqual(self.refused(bytes(1000), 'something'), 'is not a file of a known format')

    def test_too_short(self):
        self.assertEqual(self.refused(b'\1\0'), 'count at 0x0: needs 4 bytes, but only 2 are left')

    def test_files_that_are_known_for_something_else_are_named(self):
        self.assertEqual(self.refused(b'\7' * 99, 'rtab'), 'is an action script of Final Fantasy VII; the animations are in rtda')

    def test_files_of_other_games_are_named(self):
        self.check(run('convert', write(self.path('7.tim'), struct.pack('<4I', 0x10, 8, 12, 0)), '-o', self.path('x.png')), 1,
                   'reanima: %s: clut.width at 0x10: needs 2 bytes, but only 0 are left\n' % self.path('7.tim'))
        self.assertEqual(self.refused(b'\7' * 64, 'x.CSKR'),
                         'is Metroid Prime 1 and 2 skin (CSKR), which can only be converted with a model')
        self.assertEqual(self.refused(b'RFRM' + bytes(60), 'x.CMDL'),
                         "magic at 0x0: is 'RFRM', a model of Metroid Prime Remastered or a later game, which is not supported")

    def test_a_limit_has_its_own_status(self):
        p = run('convert', PACK, '-q', '-o', self.path('x.glb'), '--limit-samples', '100')
        self.assertEqual(p.returncode, 4, p.err)
        self.assertIn('animations[0].stream at 0x10: the file decodes to more samples than the limit allows', p.err)

    def test_channels_of_all_joints_in_all_clips(self):
        """72 KB: an animation of 5,000 rotations, and 2,000 weapon animations of one frame each; the weapon is a joint,
        too."""
        def animation(rotations, padding):
            stream = bytes(6 + 3 * rotations)                           # key 4: three angles of 8 bits
            return struct.pack('<3I2HB', rotations, 1, 5 + len(stream) + padding, 1, len(stream), 4) + stream + bytes(padding)
        path = write(self.path('bomb'), struct.pack('<I', 2001) + animation(5000, 1) + 2000 * animation(1, 2))
        p = self.check(run('convert', path, '--format', 'ff7-battle-animation', '--warn', 'skeleton-made-up=ignore', '-o', self.path('no.glb')), 4)
        self.assertRegex(p.err, r'2001 clips of 5001 joints: would need 1\d{3} MiB of memory, but the limit is 1024 \(see --limit-memory MIB\)\n$')

    def test_a_damaged_pack_still_gives_what_is_sound(self):
        data = bytearray(read(PACK))
        data[4 + 12 + 4] = 7                                   # key_bits of the first animation
        pack = write(self.path('rtda'), data)
        write(self.path('rtaa'), read(SKELETON))
        self.tells('%s: warning: animations[0].key_bits: is 7, expected 0, 2 or 4\n' % pack, 'convert', pack, '-o', self.path('x.glb'))
        self.assertEqual([a['name'] for a in Scene(read(self.path('x.glb'))).g['animations']], ['idle_hurt', 'victory', 'step_back', 'block'])
        self.check(run('check', pack), 1)
        self.check(run('convert', pack, '-o', self.path('y.glb'), '--strict'), 1)
        self.assertFalse(os.path.exists(self.path('y.glb')))
        self.check(run('convert', pack, '-o', self.path('y.glb'), '--warn', 'damaged=error'), 1)
        p = self.check(run('convert', pack, '-o', self.path('y.glb'), '--warn', 'damaged=ignore'), 0)
        self.assertNotIn('key_bits', p.err)

    def test_a_skeleton_that_does_not_fit_is_refused_with_both_numbers(self):
        p = run('convert', PACK, '-s', conformance('ff7', 'pqaa'), '-o', self.path('x.glb'))
        self.assertEqual(p.returncode, 1, p.err)
        self.assertIn("the frames have 21 rotations, but the skeleton's 15 bones need 16", p.err)


class Usage(Case):
    def test_without_a_word_it_says_what_there_is(self):
        p = self.check(self.cli(), 2)
        self.assertTrue(p.err.startswith('Converts characters and animations of classic games'), p.err)
        self.assertEqual(self.files(), [])

    def test_the_number_of_bones_should_be_the_skeletons(self):
        p = self.check(run('info', PACK, '--joints', '21'), 0)
        self.assertIn('warning: 21 bones are requested, but the skeleton has 20 (see --joints)', p.err.replace('%s: ' % PACK, ''))

    def test_help_has_an_example(self):
        for verb in ('info', 'convert', 'dump', 'encode', 'check', 'formats'):
            p = self.check(run(verb, '--help'), 0)
            self.assertIn(b'  reanima ' + verb.encode(), p.stdout.split(b'Examples:\n')[1])

    def test_version(self):
        self.assertRegex(self.check(run('--version'), 0).stdout.decode(), r'^reanima \d+\.\d+\.\d+\n$')

    def test_quiet_prints_nothing_when_all_is_well(self):
        self.assertEqual(self.check(run('convert', PACK, '-q', '-o', self.path('x.glb')), 0).err, '')

    def test_no_colours_off_a_terminal(self):
        self.assertNotIn('\033', run('dump', self.path('nothing')).err)


class Clips(Case):
    def names(self, *args):
        out = self.path('x.glb')
        p = run('convert', PACK, '-o', out, '--force', *args)
        self.assertEqual(p.returncode, 0, p.err)
        return [a['name'] for a in Scene(read(out)).g['animations']]

    def test_selection(self):
        self.assertEqual(self.names('--clip', '2'), ['hrda_002'])
        self.assertEqual(self.names('--clip', '1-3', '--clip', 'hrda_004'), ['hrda_001', 'hrda_002', 'hrda_004'])
        p = run('convert', PACK, '--clip', '3', '-o', self.path('y.glb'))
        self.check(p, 1)
        self.assertIn('no clip matches; there are hrda_000, hrda_001, hrda_002, hrda_004 (see --clip 3)', p.err)

    def test_names(self):
        self.assertEqual(self.names('--names', sample('ff7', 'hero.names.csv')), ['idle', 'walk', 'attack', 'spin'])
        self.assertEqual(self.names('--names', sample('ff7', 'hero.names.csv'), '--clip', 'walk'), ['walk'])
        joints = [n['name'] for n in Scene(read(self.path('x.glb'))).nodes if 'mesh' not in n]
        self.assertEqual(joints[1:4] + joints[-1:], ['root', 'spine', 'chest', 'sword'])
        self.assertEqual(self.names('--names', sample('ff7', 'hero.names.csv'), '--clip', '*A*K'), ['walk', 'attack'])
        self.assertEqual(self.names('--names', sample('ff7', 'hero.names.csv'), '--clip', 'id:4', '--clip', 'id:0'), ['idle', 'spin'])
        self.assertEqual(self.names('--names', write(self.path('odd.csv'), 'clip,0,a[12]\nclip,1,a1\n'), '--clip', 'a[12]'), ['a[12]'])
        self.assertEqual(self.names('--name', '{stem}-{index:04}-{id}-{name}')[3], 'hrda-0004-4-hrda_004')
        csv = write(self.path('odd.csv'), b'\xef\xbb\xbfclip,0,walk\nclip,1,walk\njoint,root,a b\n')     # as a spreadsheet begins it
        p = self.check(run('convert', PACK, '--names', csv, '-o', self.path('y.glb')), 0)
        self.assertIn('warning: "walk" became "walk_2"\n', p.err.replace('%s: ' % PACK, ''))
        self.assertIn('warning: "a b" became "a_b"\n', p.err.replace('%s: ' % PACK, ''))
        csv = write(self.path('far.csv'), 'clip,77,run\njoint,root,hips\n')
        p = self.check(run('convert', PACK, '--names', csv, '--force', '-o', self.path('y.glb')), 0)
        self.assertIn('note: lines of the names file that match no clip or joint of this input: 1 (first: clip 77) (see --names)\n', p.err.replace('%s: ' % PACK, ''))
        csv = write(self.path('bad.csv'), 'clip,1,walk\nclop,2,run\n')
        self.check(run('convert', PACK, '--names', csv, '-o', self.path('y.glb')), 1, 'reanima: %s: line 2: begins with "clop", expected clip or joint\n' % csv)

    def test_rate(self):
        self.names('--rate', '30')
        times = Scene(read(self.path('x.glb'))).animation(0)
        self.assertAlmostEqual(max(t[-1] for t, _, _ in times.values()), 23 / 30, 6)

    def test_loop_key(self):
        self.names('--loop-key', 'hrda_000')
        scene = Scene(read(self.path('x.glb')))
        ends = [max(t[-1] for t, _, _ in scene.animation(i).values()) for i in range(2)]
        self.assertAlmostEqual(ends[0], 24 / 15, 6)
        self.assertAlmostEqual(ends[1], 16 / 15, 6)
        for node, path in scene.animation(0):
            t, v, _ = scene.animation(0)[node, path]
            self.assertLess(min(sum(abs(a - s * b) for a, b in zip(v[0], v[-1])) for s in (1, -1)), 1e-6)
        self.check(run('convert', '--loop-key', PACK, '-o', self.path('y.glb')), 0)      # the word after the flag is the input

    def test_interpolation(self):
        self.names('--interpolation', 'step')
        modes = {m for _, _, m in Scene(read(self.path('x.glb'))).animation(0).values()}
        self.assertEqual(modes, {'STEP'})

    def test_rest(self):
        def rest(*args):
            self.names(*args)
            scene = Scene(read(self.path('x.glb')))
            return scene.nodes[scene.node('bone005')].get('rotation')
        walk = Scene(read(self.path('x.glb'))) if self.names() else None
        self.assertIsNone(rest('--rest', 'zero'))
        at3 = dict(((walk.nodes[n]['name'], p), v[1][3]) for (n, p), v in walk.animation(1).items() if len(v[1]) > 3)
        for choice in ('hrda_001:3', '1:3', PACK + ':1:3'):
            for a, b in zip(rest('--rest', choice), at3['bone005', 'rotation']):
                self.assertAlmostEqual(a, b, 6)
        self.assertEqual(rest('--rest', PACK), rest())
        for choice in (':0', PACK + '::0', PACK + '::'):                        # no clip is called nothing
            self.tells('--rest %s: ' % choice, 'convert', PACK, '-s', SKELETON, '--rest', choice, '-o', self.path('no.glb'), status=2)
            self.assertFalse(os.path.exists(self.path('no.glb')))

    def test_subdivide(self):
        self.names('--subdivide', '60')
        scene = Scene(read(self.path('x.glb')))
        sword = scene.node('weapon000')
        self.assertGreaterEqual(len(scene.animation(3)[sword, 'rotation'][0]), 15 * 3 + 1)
        self.assertEqual(len(scene.animation(0)[scene.node('bone001'), 'rotation'][0]), 24)

    def test_a_mesh_and_end_joints(self):
        self.names('--proxy-mesh', '--no-mesh', '--end-joints')
        scene = Scene(read(self.path('x.glb')))
        self.assertEqual(len(scene.g['meshes']), 1)
        ends = [n['name'] for n in scene.nodes if n['name'].endswith('_end')]
        self.assertEqual(ends, ['bone003_end', 'bone007_end', 'bone011_end', 'bone015_end', 'bone019_end'])

    def test_extras(self):
        self.names()
        g = Scene(read(self.path('x.glb'))).g
        reanima = g['scenes'][0]['extras']['reanima']
        self.assertEqual(reanima['skeleton'], 'found')
        self.assertEqual(reanima['clips'], [a['extras'] for a in g['animations']])
        parts = [name for name in sorted(os.listdir(os.path.dirname(PACK))) if re.fullmatch('hr..', name) and name not in ('hraa', 'hrda')]
        self.assertRegex(reanima['key'], '^[0-9a-f]{32} hrab;%s$' % ','.join(parts))     # hrab would be its scripts
        walk = g['animations'][1]['extras']
        counters = walk.pop('counters')
        self.assertEqual(walk, {'name': 'hrda_001', 'id': 1, 'named_by': 'file', 'source': 'hrda', 'format': 'ff7-battle-animation', 'index': 1, 'rate': 15,
                                'frames': 17, 'loop': None, 'root_motion': 'keep', 'events': []})
        self.assertEqual((counters['bone_count'], counters['key_bits'], counters['stream_frame_count']), (21, 2, 17))
        bone = next(n for n in g['nodes'] if n['name'] == 'bone001')
        self.assertEqual(bone['extras'], {'index': 2, 'id': 1, 'length': -150, 'geometry': True})

    def test_messages_name_the_file_that_they_are_about(self):
        write(self.path('hrda'), read(PACK))
        write(self.path('hraa'), read(SKELETON) + bytes(5))
        p = self.check(run('convert', 'hrda', cwd=self.folder), 0)
        self.assertIn('hraa: warning: trailing: 5 bytes follow the last bone\n', p.err)
        self.assertNotIn('hrda: warning', p.err)
        value = json.loads(self.check(run('dump', 'hrda', cwd=self.folder), 0).stdout)
        self.assertEqual(value['warnings'], ['hraa: trailing: 5 bytes follow the last bone'])
        write(self.path('otda'), read(PACK))
        write(self.path('names.csv'), 'clip,77,run\n')
        p = self.check(run('convert', 'hrda', '-s', SKELETON, '--rest', 'otda', '--names', 'names.csv', '--force', cwd=self.folder), 0)
        self.assertIn('hrda: note: lines of the names file that match no clip or joint of this input: 1 (first: clip 77) (see --names)\n', p.err)

    def test_companions_are_found_in_either_case(self):
        for pack, skeleton in (('x.a00', 'x.d'), ('y.a00', 'y.D'), ('z_1.A00', 'z.d')):
            write(self.path(pack), read(PACK))
            write(self.path(skeleton), read(SKELETON))
            self.check(run('convert', pack, '-o', 'out.glb', '--force', cwd=self.folder), 0)
            self.assertEqual(Scene(read(self.path('out.glb'))).g['scenes'][0]['extras']['reanima']['skeleton'], 'found', pack)

    def test_report(self):
        report = self.path('report.jsonl')
        self.names('--report', report)
        line = json.loads(read(report))
        self.assertEqual({k: line[k] for k in ('schema', 'input', 'format', 'clips', 'frames', 'joints', 'status', 'error')},
                         {'schema': 1, 'input': PACK, 'format': 'ff7-battle-animation', 'clips': 4, 'frames': 72, 'joints': 22, 'status': 'ok', 'error': None})
        self.assertEqual(line['bytes'], os.path.getsize(self.path('x.glb')))

    def test_the_height_is_that_of_the_mesh(self):
        """Vertices of a .glb are in the skeleton's rest pose; weapons do not count"""
        for path, joints in ((PACK, '1.65'), (sample('ff9', 'hero.ff9db'), None)):
            p = self.check(run('convert', path, '-o', self.path('x.glb'), '--report', self.path('r'), '--force'), 0)
            g = Scene(read(self.path('x.glb'))).g
            body = [g['accessors'][q['attributes']['POSITION']] for m in g['meshes'] if 'weapon' not in m['name'] for q in m['primitives']]
            height = max(a['max'][1] for a in body) - min(a['min'][1] for a in body)
            self.assertAlmostEqual(json.loads(read(self.path('r')))['height'], height, 5)
            self.assertIn(', %.2f m high' % height, p.err)
            self.tells(', bones %s m high' % joints if joints else ' bones ', 'convert', path, '--no-mesh', '-o', self.path('x.glb'), '--force')

    def test_a_texture_of_the_console_becomes_a_picture(self):
        """samples/picture.py: red, green, blue of 5 bits; the first colour is transparent"""
        from picture import COLOURS, SIDE, texel
        tim = sample('ff9', 'hero.tim')
        self.tells('x.png: 64 x 64 pixels', 'convert', tim, '-o', self.path('x.png'))
        eight = lambda c: c << 3 | c >> 2
        expected = [[(*map(eight, COLOURS[texel(x, y)]), 255) if texel(x, y) else (0, 0, 0, 0) for x in range(SIDE)] for y in range(SIDE)]
        self.assertEqual(rgba_of(read(self.path('x.png'))), expected)
        self.check(run('convert', tim, '--palette', '1', '-o', self.path('y.png')), 1,
                    'reanima: %s: clut: palette 1 is requested, but there are only 1 (see --palette N)\n' % tim)
        self.check(run('convert', write(self.path('none.tim'), struct.pack('<2II4H', 0x10, 2, 12, 0, 0, 0, 5)), '-o', self.path('y.png')), 1,
                   'reanima: %s: image.width: contains no texels: 0 x 5 words\n' % self.path('none.tim'))
        grey = write(self.path('grey.tim'), struct.pack('<2II4HH', 0x10, 0, 14, 0, 0, 1, 1, 0x0F10))
        self.tells('grey.tim: warning: clut: is missing, so indices are shown as shades of grey\n', 'convert', grey, '-o', self.path('y.png'))
        self.assertEqual([q[0] for q in rgba_of(read(self.path('y.png')))[0]], [0, 17, 255, 0])

    def test_implausible_sizes_are_warned_of(self):
        p = run('convert', PACK, '--scale', '1', '-o', self.path('y.glb'))
        self.check(p, 0)
        self.assertIn('m high (see --scale)', p.err)


class DumpAndEncode(Case):
    def dump(self, path, *args):
        return json.loads(self.check(run('dump', path, *args), 0).stdout)

    CONTRACT = {'format', 'animations', 'index', 'offset', 'kind', 'bone_count', 'frame_count', 'block_size', 'stream_frame_count', 'stream_size',
                'key_bits', 'rotation_count', 'frames', 'translation', 'rotations', 'warnings', 'raw'}

    def stripped(self, value):
        if isinstance(value, dict):
            return {k: self.stripped(v) for k, v in value.items() if k in self.CONTRACT}
        return [self.stripped(v) for v in value] if isinstance(value, list) else value

    def test_a_canonical_pack_survives_without_the_fields_beyond_the_contract(self):
        for path in (PACK, conformance('ff7', 'plain_key4.da'), conformance('ff7', 'special_chunks.da'), conformance('ff7', 'no_stream_frames.da')):
            data, _ = self.encode(self.stripped(self.dump(path)))
            self.assertEqual(data, read(path), path)

    def test_every_file_that_can_be_dumped_comes_back_byte_for_byte(self):
        folder = os.path.join(DATA, 'conformance', 'ff7', 'inputs')
        for name in sorted(os.listdir(folder)):
            p = run('dump', os.path.join(folder, name))
            if p.returncode != 0:
                self.assertEqual(name, 'three_bytes.da')
                continue
            data, err = self.encode(json.loads(p.stdout))
            self.assertEqual(data, read(os.path.join(folder, name)), name)
            self.assertNotIn('warning', err, name)

    def test_an_edited_angle_comes_out(self):
        value = self.dump(PACK)
        value['animations'][1]['frames'][5]['rotations'][3][1] = 1000
        data, _ = self.encode(value)
        again = self.dump(write(self.path('edited'), data))
        self.assertEqual(again['animations'][1]['frames'], value['animations'][1]['frames'])
        self.assertEqual(again['animations'][2]['frames'], value['animations'][2]['frames'])

    def test_frames_may_be_added_and_taken_away(self):
        value = self.dump(PACK)
        value['animations'][0]['frames'] *= 2
        del value['animations'][1]['frames'][4:]
        data, err = self.encode(value)
        self.assertIn('animations[0].stream_frame_count: is 24, but there are 48 frames', err)
        again = self.dump(write(self.path('edited'), data))
        self.assertEqual([len(a.get('frames', [])) for a in again['animations'][:3]], [48, 4, 15])
        self.assertEqual(again['warnings'] + again['animations'][0]['warnings'], [])

    def test_animations_may_be_taken_away(self):
        value = self.dump(PACK)
        del value['animations'][5:]
        data, err = self.encode(value)
        self.assertIn('count: is 10, but there are 5 animations', err)
        self.check(run('check', write(self.path('edited'), data), '--format', 'ff7-battle-animation'), 0)

    def test_words_that_follow_from_the_values_may_be_left_out(self):
        value = self.dump(PACK)
        for animation in value['animations']:
            del animation['block_size']
        data, _ = self.encode(value)
        self.assertEqual(data, read(PACK))

    def test_values_that_do_not_fit_are_named(self):
        for edit, message in (
                (lambda v: v['animations'][1]['frames'][0]['rotations'][2].__setitem__(1, 4096),
                 'animations[1].frames[0].rotations[2][1]: is 4096, expected a whole number from 0 to 4095'),
                (lambda v: v['animations'][1]['frames'][0].__setitem__('translation', [1, 2]),
                 'animations[1].frames[0].translation: has 2 elements, expected 3'),
                (lambda v: v['animations'][1]['frames'][3]['rotations'].pop(),
                 'animations[1].frames[3].rotations: has 20 triples, expected 21 as in frame 0'),
                (lambda v: v['animations'][0].__setitem__('kind', 'dance'),
                 'animations[0].kind: is "dance", expected "animation", "special" or "damaged"'),
                (lambda v: v['animations'][3].__setitem__('raw', 'xyz0'), 'animations[3].raw: is "xyz0", expected bytes as hexadecimal digits'),
                (lambda v: v.__setitem__('format', 'nothing'), 'format: is "nothing": this format can\'t be written from JSON')):
            value = self.dump(PACK)
            edit(value)
            self.not_encoded(value, message)
        source = write(self.path('edited.json'), '{"format": "ff7-battle-animation", ')
        self.check(run('encode', source, '-o', self.path('no')), 1, 'reanima: %s: invalid JSON at line 1, column 36\n' % source)
        self.assertFalse(os.path.exists(self.path('no')))

    def test_check_looks_into_folders(self):
        for name, data in (('in/a/rtda', read(PACK)), ('in/a/notes.txt', b'hello'), ('in/wheel.rlf', read(sample('rlf', 'wheel.rlf'))[:-9])):
            write(self.path(name), data)
        p = self.check(run('check', 'in', cwd=self.folder), 1)
        rows = p.stdout.decode().splitlines()
        self.assertEqual(rows[0], 'in/a/rtda: ok, Final Fantasy VII (PC) battle animations')
        self.assertTrue(rows[1].startswith('in/wheel.rlf: frames[23]'), rows)
        self.assertEqual(rows[2:], ['1 ok, 1 with problems, 1 skipped (nothing to check)'])
        os.remove(self.path('in/wheel.rlf'))
        self.check(run('check', 'in', cwd=self.folder), 0)
        self.check(run('check', 'none', cwd=self.folder), 1)

    def test_a_quiet_check_prints_problems_only(self):
        write(self.path('in/rtda'), read(PACK))
        self.assertEqual(self.check(run('check', '-q', 'in', cwd=self.folder), 0).stdout, b'')
        write(self.path('in/wheel.rlf'), read(sample('rlf', 'wheel.rlf'))[:-9])
        loud = self.check(run('check', 'in', cwd=self.folder), 1).stdout.decode().splitlines()
        self.assertEqual(self.check(run('check', '-q', 'in', cwd=self.folder), 1).stdout.decode().splitlines(), loud[1:-1])

    def test_the_json_of_check_lists_files_and_problems(self):
        write(self.path('in/rtda'), read(PACK))
        write(self.path('in/notes.txt'), b'hello')
        write(self.path('in/wheel.rlf'), read(sample('rlf', 'wheel.rlf'))[:-9])
        line = self.check(run('check', 'in/wheel.rlf', cwd=self.folder), 1).stdout.decode().rstrip('\n')
        answer = json.loads(self.check(run('check', 'in', '--json', cwd=self.folder), 1).stdout.decode())
        self.assertEqual({k: v for k, v in answer.items() if k != 'files'}, {'schema': 1, 'ok': 1, 'with_problems': 1, 'skipped': 1})
        sound, cut = answer['files']
        self.assertEqual(sound, {'file': 'in/rtda', 'format': 'ff7-battle-animation', 'problems': []})
        self.assertEqual((cut['file'], cut['format'], len(cut['problems'])), ('in/wheel.rlf', 'rlf', 1))
        problem = cut['problems'][0]
        self.assertEqual(problem['code'], 'truncated')
        self.assertEqual('%s: %s at 0x%x: %s' % (problem['file'], problem['field'], problem['offset'], problem['message']), line)
        answer = json.loads(self.check(run('check', 'none', '--json', cwd=self.folder), 1).stdout.decode())
        self.assertEqual(answer['files'], [{'file': 'none', 'format': None, 'problems': [
            {'code': 'input', 'file': 'none', 'message': "can't be read: No such file or directory", 'field': '', 'offset': None}]}])
        self.check(run('check', '--roundtrip', 'in', '--json', cwd=self.folder), 2,
                   'reanima: --roundtrip: prints a table, not JSON. Leave out --json\n')

    def test_check_looks_into_archives_in_folders(self):
        archive = read(sample('archives', 'battle.lgp'))
        write(self.path('in/battle.lgp'), archive)
        self.assertEqual(self.check(run('check', 'in', cwd=self.folder), 0).stdout.decode().splitlines()[-1], '21 ok, 0 with problems, 0 skipped')
        write(self.path('in/battle.lgp'), archive[:len(archive) * 2 // 3])
        for words in (('check', 'in'), ('check', 'in/battle.lgp')):
            rows = self.check(run(*words, cwd=self.folder), 1).stdout.decode().splitlines()
            self.assertTrue(all(row.startswith('in/battle.lgp:') for row in rows[:-1]), rows)
            self.assertEqual(len(rows), len(set(rows)), 'each problem once')
        p = self.check(run('check', '--roundtrip', 'in', cwd=self.folder), 1)
        self.assertIn('\nbattle.lgp:hraa ', p.stdout.decode())
        write(self.path('in/battle.lgp'), archive[:20])
        self.check(run('check', 'in', cwd=self.folder), 1)

    def test_round_trip_table(self):
        p = self.check(run('check', '--roundtrip', sample()), 0)
        written = {row['id'] for row in formats() if row['writes']}
        binary = {name for name in samples() if ':' not in name and json.loads(run('info', '--json', sample(name)).stdout)[0]['format'] in written}
        names = [line.split()[0] for line in p.stdout.decode().splitlines()[1:-1]]
        self.assertEqual({name for name in names if ':' not in name}, binary)
        self.assertLess({'archives/battle.lgp:hrda', 'archives/hero.pak:5EED0012.ANIM'}, {name for name in names if ':' in name})
        self.assertRegex(p.stdout.decode(), r'rlf/wheel.rlf +rlf +\d+  24 of 24 frames identical, \d+ bytes\n')
        self.assertIn('\n%d identical, 0 not, ' % len(names), p.stdout.decode())

    def test_what_is_read_in_part_is_damaged(self):
        """A truncated file is damaged, even if the rest survives a round trip byte by byte."""
        sound = {'rtda': read(PACK), 'gate.rlf': read(sample('rlf', 'wheel.rlf')), 'walk.a': read(sample('ff7', 'doll_walk.a'))}
        for name, data in sound.items():
            write(self.path('sound', name), data)
            write(self.path('cut', name), data[:len(data) * 2 // 3])
        for folder, status, damaged in (('sound', 0, False), ('cut', 1, True)):
            rows = self.check(run('check', '--roundtrip', folder, cwd=self.folder), status).stdout.decode().splitlines()
            self.assertEqual(rows[-1], '%d identical, %d not, 0 that can\'t be written' % ((0, 3) if damaged else (3, 0)))
            for row in rows[1:-1]:
                self.assertRegex(row, r' damaged; the readable part is written unchanged, \d+ warnings?$' if damaged else ' identical')
            self.assertEqual(self.check(run('list', '-r', folder, cwd=self.folder), 0).stdout.decode().count('damaged'), 3 * damaged)
            entries = json.loads(self.check(run('list', '-r', '--json', folder, cwd=self.folder), 0).stdout)['entries']
            self.assertEqual([e['damaged'] for e in entries], [damaged] * 3)
            self.assertTrue(all(e['characters'] for e in entries), 'what can be read is listed')
            self.assertEqual([f['damaged'] for f in json.loads(self.check(run('info', '--json', folder, cwd=self.folder), 0).stdout)], [damaged] * 3)
            self.assertEqual([row.endswith(', damaged') for row in self.check(run('info', '-q', folder, cwd=self.folder), 0).stdout.decode().splitlines()], [damaged] * 3)
            for name in sound:
                row = self.check(run('info', '-q', os.path.join(folder, name), cwd=self.folder), 0).stdout.decode().splitlines()[0]
                self.assertEqual(row.endswith(', damaged'), damaged, row)

    def test_the_round_trip_table_goes_on(self):
        """After files that can't be read, are too large, or do not survive a round trip."""
        os.makedirs(self.path('in'))
        shutil.copy(PACK, self.path('in', 'zzda'))
        os.symlink('nowhere', self.path('in', 'link'))
        write(self.path('in', 'big.rlf'), read(sample('rlf', 'wheel.rlf')))
        write(self.path('in', 'cut.rlf'), read(sample('rlf', 'wheel.rlf'))[:0x90])
        p = self.check(run('check', '--roundtrip', self.path('in'), '--limit-samples', '3455'), 1)
        rows = p.stdout.decode().splitlines()[1:]
        self.assertEqual([row.split()[0] for row in rows], ['big.rlf', 'cut.rlf', 'link', 'zzda', '1'])
        self.assertIn('72 x 48 pixels are more than the limit of 3455', rows[0])
        self.assertEqual(rows[-1], '1 identical, 3 not, 0 that can\'t be written')
        self.check(run('check', '--roundtrip', self.path('none')), 1, "reanima: %s: can't be read: No such file or directory\n" % self.path('none'))


class Info(Case):
    def test_one_model_of_several(self):
        props = sample('ff9', 'props.ff9db')
        every = json.loads(self.check(run('info', props, '--json'), 0).stdout.decode())[0]
        one = json.loads(self.check(run('info', props, '--json', '--model', '2010'), 0).stdout.decode())[0]
        self.assertEqual(one['models'], [m for m in every['models'] if m['id'] == 2010])
        for what in ('clips', 'joints'):
            self.assertEqual(one[what], [row for row in every[what] if row['model'] == 2010])
            self.assertNotEqual(one[what], every[what])
        table = self.check(run('info', props, '--model', '2010'), 0).stdout.decode()
        self.assertEqual(table.count('skeleton: '), 1, table)
        p = self.check(run('info', props, '--model', '5'), 1)
        self.assertIn('no model 5', p.err)
        for words in ([sample('ff9')], [props, PACK]):
            self.check(run('info', *words, '--model', '2010'), 2, 'reanima: --model: takes one file, not a folder, an archive or several files\n')

    def test_table_and_list(self):
        text = self.check(run('info', PACK, '-v'), 0).stdout.decode()
        self.assertIn('hrda_001', text)
        self.assertIn('skeleton: hraa, 22 joints (found)', text)
        self.assertIn('\n    1  hrda_001      17    1.067  closed  1.316 m  12.5 deg      1.188 m  0.031 m  42 deg/s  right leg, left leg, weapon\n', text)
        value = json.loads(self.check(run('info', '--json', PACK, SKELETON), 0).stdout)
        self.assertEqual([len(v['clips']) for v in value], [4, 0])
        walk = value[0]['clips'][1]
        self.assertEqual((walk['index'], walk['name'], walk['frames']), (1, 'hrda_001', 17))
        self.assertAlmostEqual(walk['root_travel'], 38 * 16 / 512, 2)
        self.assertAlmostEqual(value[0]['joints'][2]['length'], 150 / 512, 5)
        animation = json.loads(self.check(run('dump', PACK), 0).stdout)['animations'][1]
        heights = [frame['translation'][1] for frame in animation['frames']]
        self.assertAlmostEqual(walk['height_change'], (max(heights) - min(heights)) / 512, 5)

    def test_what_moves_and_what_loops(self):
        value = json.loads(self.check(run('info', '--json', PACK, WALK, sample('metroid', 'hero_idle.ANIM')), 0).stdout)
        pack, walk, idle = (v['clips'] for v in value)
        self.assertEqual([c['loop'] for c in pack + walk + idle], [None] * 4 + [True, False])
        self.assertTrue(pack[0]['closed'])
        self.assertEqual(set(sorted(walk[0]['parts'], key=walk[0]['parts'].get)[-2:]), {'left leg', 'right leg'})
        self.assertEqual(max(pack[2]['parts'], key=pack[2]['parts'].get), 'weapon')
        self.assertEqual(set(pack[2]['parts']), {'left arm', 'right arm', 'left leg', 'right leg', 'torso', 'head', 'weapon'})
        spin = pack[3]  # in each frame the weapon turns by a quarter, the root by an eighth, and nothing else turns
        self.assertAlmostEqual(spin['parts']['weapon'], 90 * 15, 1)
        self.assertAlmostEqual(spin['turning'], (90 + 45) * 15 / 22, 1)
        roles = {j['name']: j['role'] for j in value[0]['joints']}
        self.assertEqual((roles['bone006'], roles['bone018'], roles['weapon000']), ('leftLowerArm', 'rightLowerLeg', 'weapon'))

    def test_a_template_names_everything_as_it_is(self):
        for path in PACK, WALK, sample('ff9', 'hero_walk.ff9anim'):
            csv = self.check(run('info', path, '--names-template'), 0).stdout
            scenes = []
            for more in [], ['--names', '-']:
                out = self.path('out.glb')
                self.check(run('convert', path, *more, '-o', out, '--force', '-q', stdin=csv), 0)
                scenes.append(Scene(read(out)).g)
            self.assertEqual([n.get('name') for n in scenes[0]['nodes']], [n.get('name') for n in scenes[1]['nodes']])
            self.assertEqual([a['name'] for a in scenes[0]['animations']], [a['name'] for a in scenes[1]['animations']])
            self.assertEqual(len(csv.splitlines()), len(scenes[0]['animations']) + len(scenes[0]['skins'][0]['joints']))
        self.check(run('info', PACK, WALK, '--names-template'), 2, "reanima: --names-template: takes one file, without --json\n")
        self.check(run('info', sample('ff7'), '--names-template'), 2)


WALK, HERO, ECHO = sample('metroid', 'hero_walk.ANIM'), sample('metroid', 'hero.CINF'), sample('metroid', 'echo.CINF')


class Metroid(Case):
    def extras(self, *arguments):
        out = self.path('out.glb')
        self.check(run('convert', *arguments, '-o', out, '--force', '-q'), 0)
        return Scene(read(out))

    def test_events_and_loop_flag_stand_in_both_extras(self):
        g = self.extras(WALK).g
        inside = g['animations'][0]['extras']
        self.assertEqual(inside, g['scenes'][0]['extras']['reanima']['clips'][0])
        self.assertIs(inside['loop'], True)
        self.assertEqual([e['name'] for e in inside['events']], ['speed', 'footstep_left', 'step', 'dust', 'step'])
        self.assertEqual(inside['counters']['root_bone'], 3)

    def test_events_may_be_given_or_left_out(self):
        given = self.extras(WALK, '--events', sample('metroid', '5EED0001.EVNT')).g['animations'][0]['extras']['events']
        self.assertEqual([(e['name'], e['time']) for e in given], [('whoosh', 0.375), ('hit', 0.5)])
        alone = self.extras(WALK, '--no-companion', '-s', HERO).g['animations'][0]['extras']['events']
        self.assertEqual(alone, [])
        self.check(run('convert', WALK, '--events', HERO, '-o', self.path('no.glb')), 1,
                   'reanima: %s: is Metroid Prime 1 and 2 skeleton, not a file of events\n' % HERO)

    def test_events_are_found_by_their_id_in_either_case(self):
        for name in ('5EED0001.EVNT', '5EED0001.evnt', '5eed0001.EVNT', '5eed0001.evnt'):
            attack = write(self.path(name, 'hero_attack.ANIM'), read(sample('metroid', 'hero_attack.ANIM')))   # names the id 5EED0001
            write(self.path(name, name), read(sample('metroid', '5EED0001.EVNT')))
            events = self.extras(attack, '-s', HERO).g['animations'][0]['extras']['events']
            self.assertEqual([e['name'] for e in events], ['whoosh', 'hit'], name)

    def test_the_game_may_be_told(self):
        self.assertEqual(json.loads(self.check(run('dump', WALK, '--game', 'mp1'), 0).stdout)['game'], 'mp1')
        self.check(run('dump', WALK, '--game', 'mp2'), 1)

    def test_a_skeleton_without_any_of_the_bones_is_refused(self):
        bones = json.loads(run('dump', HERO).stdout)
        del bones['names']                             # those of the joints are taken
        for joint in bones['joints']:
            joint['id'] += 100
            joint['parent'] = None
        other = self.path('other.CINF')
        self.check(run('encode', write(self.path('other.json'), json.dumps(bones)), '-o', other), 0)
        p = self.check(run('convert', WALK, '-s', other, '-o', self.path('no.glb')), 1)
        self.assertIn('channels: move 21 bones, but none of them is one of the 27 bones of the skeleton', p.err)

    def test_animations_of_both_games_need_outputs_of_their_own(self):
        self.tells('move different skeletons', 'convert', WALK, sample('metroid', 'echo_swell.ANIM'), '-o', self.path('no.glb'), status=2)

    def test_names_of_a_csv_reach_the_file(self):
        names = write(self.path('names.csv'), 'clip,0,stroll\njoint,4,pelvis\n')
        scene = self.extras(WALK, '--names', names)
        self.assertEqual(scene.g['animations'][0]['name'], 'stroll')
        scene.node('pelvis')

    def test_joints_of_one_name_are_numbered(self):
        scene = self.extras(conformance('metroid', 'pose_tail.ANIM'), '-s', conformance('metroid', 'pose_tail.CINF'))
        scene.node('twin')
        scene.node('twin_2')

    def test_small_files_that_ask_for_much_are_refused(self):
        def stream(frames, channels, count=None):
            head = struct.pack('>IIIIffIIIfIII', 2, 100, 0xFFFFFFFF, 1, 1e4, 1 / 30, 3, 0, 32767, 1.0, channels, 1, frames)
            channel = struct.pack('>H', 0) + struct.pack('>H', 1) + b'\0\1\0' * 3
            return (head + b'\xff' * ((frames + 31) // 32 * 4) + struct.pack('>II', channels, channels if count is None else count)
                    + b''.join(struct.pack('>I', c) + channel for c in range(channels)))
        many = struct.pack('>IfIfIIII', 0, 1e4, 0, 1 / 30, 0, 2000, 3, 4000) + bytes(4000) + struct.pack('>IBI', 1, 0, 2000)
        many += struct.pack('>4f', 1, 0, 0, 0) * 2000 + struct.pack('>I', 2000) + bytes(12 * 2000) + bytes(4)
        for data, status, field in ((stream(1 << 20, 4000), 4, 'channel_count_3'), (stream(9000, 4000), 4, 'frame_count'),
                                    (stream(31, 3, 4000), 1, 'channel_count_3'), (many, 4, 'key_count')):
            path = write(self.path('bomb.ANIM'), data)
            for verb in (('dump',), ('convert', '-o', self.path('no.glb'))):
                before = time.monotonic()
                self.tells(': %s at 0x' % field, verb[0], path, '--format', 'metroid-anim', *verb[1:], status=status)
                self.assertLess(time.monotonic() - before, 10)

    def test_keys_that_options_add_are_bounded_too(self):
        turn = [(2 ** -0.5, 0, 0, 2 ** -0.5), (2 ** -0.5, 0, 0, -2 ** -0.5)] * 20
        slow = struct.pack('>IfIfIIII', 0, 3.9e9, 0, 1e8, 0, 40, 3, 1) + bytes([0]) + struct.pack('>IBI', 1, 255, 40)
        slow += b''.join(struct.pack('>4f', *q) for q in turn) + struct.pack('>I', 0) + bytes(4)
        path = write(self.path('slow.ANIM'), slow)
        self.check(run('convert', path, '-o', self.path('slow.glb')), 0)
        p = self.check(run('convert', path, '--resample', '60', '-o', self.path('no.glb')), 4)
        self.assertRegex(p.err.splitlines()[-1], r'^reanima: .*slow\.ANIM: keys at 60 per second: would need \d+ MiB of memory, but the limit is 1024 \(see --limit-memory MIB\)$')
        turns = 40000
        much = struct.pack('>IfIfIIII', 0, (turns - 1) / 30, 0, 1 / 30, 0, turns, 3, 1) + bytes([0]) + struct.pack('>IBI', 1, 255, turns)
        much += b''.join(struct.pack('>4f', *q) for q in turn) * (turns // 40) + struct.pack('>I', 0) + bytes(4)
        path = write(self.path('much.ANIM'), much)
        limits = '--limit-memory', '128'
        self.check(run('convert', path, *limits, '-o', self.path('much.glb')), 0)
        p = self.check(run('convert', path, '--subdivide', '1', *limits, '-o', self.path('no.glb')), 4)
        self.assertIn('much.ANIM: rotations: need, with the inserted keys, more memory than the limit of 128 MiB (see --limit-memory MIB)\n', p.err)
        self.assertEqual(self.files(), ['much.ANIM', 'much.glb', 'slow.ANIM', 'slow.glb'])


class ImagesOfText(Case):
    """The files beside a .gltf other than its buffer"""

    def test_images_are_outputs(self):
        pack = sample('ff7', 'hrda')
        self.check(run('convert', pack, '-q', '-o', 'x.gltf', '--depfile', 'x.d', cwd=self.folder), 0)
        images = sorted(name for name in os.listdir(self.folder) if name.endswith('.png'))
        self.assertEqual(images, sorted(image['uri'] for image in json.loads(read(self.path('x.gltf'))).get('images', [])))
        if not images:
            self.skipTest('the sample has no textures')
        outputs = self.check(run('convert', pack, '-o', 'x.gltf', '--outputs', cwd=self.folder), 0).stdout.decode().split()
        self.assertEqual(outputs, ['x.gltf', 'x.bin', *json_uris(self.path('x.gltf'))])
        targets = read(self.path('x.d')).decode().split(':')[0]
        for name in outputs:
            self.assertIn(name, targets)
        again = ('convert', pack, '-q', '-o', 'x.gltf', '--if-changed', '--report', '-')
        status = lambda: json.loads(self.check(run(*again, cwd=self.folder), 0).stdout)['status']
        self.assertEqual(status(), 'skipped')
        whole = read(self.path(images[0]))
        os.remove(self.path(images[0]))
        self.assertEqual(status(), 'ok')
        self.assertEqual(read(self.path(images[0])), whole)
        for name in ('x.gltf', 'x.bin'):
            os.remove(self.path(name))
        self.tells('exists; --force replaces it', 'convert', pack, '-q', '-o', 'x.gltf', status=2)
        self.assertFalse(os.path.exists(self.path('x.gltf')))


def json_uris(path):
    return [image['uri'] for image in json.loads(read(path))['images']]


if __name__ == '__main__':
    unittest.main()
