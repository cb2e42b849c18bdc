#!/usr/bin/env python3
"""What --limit-memory promises: a conversion's largest resident set is at most the limit and 64 MiB, or it ends with
status 4 and names what would need too much.

    REANIMA=build/release/reanima tests/tools/memory_test.py --long     the sizes of docs/quality.md, with figures
"""
import json, math, os, resource, struct, subprocess, sys, unittest

from support import Case, SANITIZED, TOOL, read, run, sample, write
import discs
import ff9_container as ff9
import hostile

LONG = '--long' in sys.argv
SLACK = 64                                            # MiB: the program, its libraries, and what the heap wastes


def peak_of(*args, env={}):
    """-> exit status, errors, MiB; this process must stay small, since a child begins with its parent's pages"""
    with open(os.devnull, 'wb') as nowhere:
        p = subprocess.Popen([TOOL, *map(str, args)], stdout=nowhere, stderr=subprocess.PIPE, env=os.environ | env)
        errors = p.stderr.read().decode()
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        p.stderr.close()
    assert p.returncode >= 0 and 'Sanitizer' not in errors, errors
    return p.returncode, errors, usage.ru_maxrss / 1024


class Memory(Case):
    def expect_within(self, limits, refusal, *args):
        """Every limit below the first successful one is refused with that message, and no run needs more than its
        limit."""
        statuses = []
        for limit in limits:
            status, errors, peak = peak_of(*args, '--force', '-q', '--limit-memory', limit)
            if LONG:
                print('    --limit-memory %4d: status %d, %4.0f MiB  %s' % (limit, status, peak, errors.strip()[-110:]))
            self.assertIn(status, (0, 4), errors)
            if status == 4:
                self.assertRegex(errors, r'^reanima: %s: would need \d+ MiB of memory, but the limit is %d \(see --limit-memory MIB\)\n$' % (refusal, limit))
            if not SANITIZED:
                self.assertLessEqual(peak, limit + SLACK, (args, limit, status))
            statuses.append(status)
        self.assertEqual(statuses, sorted(statuses, reverse=True))
        self.assertEqual((statuses[0], statuses[-1]), (4, 0))

    def pack(self, clips, rotations):
        """Animations of one frame (key 4: three angles of 8 bits)."""
        stream = bytes(6 + 3 * rotations)
        padding = -(5 + len(stream)) % 4
        one = struct.pack('<3I2HB', rotations, 1, 5 + len(stream) + padding, 1, len(stream), 4) + stream + bytes(padding)
        path = self.path('pack')
        with open(path, 'wb') as f:
            f.write(struct.pack('<I', clips))
            for _ in range(clips):
                f.write(one)
        return path

    def convert(self, pack, output, *more):
        return ('convert', pack, '--format', 'ff7-battle-animation', '--warn', 'skeleton-made-up=ignore', '-o', self.path(output), *more)

    def rig(self, name, joints, size=0):
        """A .glb with a chain of joints named like those of a pack without skeleton, and a buffer that nothing uses."""
        nodes = [{'name': 'root' if i == 0 else 'bone%03d' % (i - 1), 'translation': [0, 0.1, 0], 'children': [i + 1]} for i in range(joints)]
        del nodes[-1]['children']
        document = {'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}], 'nodes': nodes}
        if size:
            document['buffers'] = [{'byteLength': size}]
        text = json.dumps(document).encode()
        text += b' ' * (-len(text) % 4)
        chunks = struct.pack('<2I', len(text), 0x4E4F534A) + text
        path = write(self.path(name), struct.pack('<4s2I', b'glTF', 2, 12 + len(chunks) + (8 + size if size else 0)) + chunks)
        if size:
            with open(path, 'ab') as f:
                f.write(struct.pack('<2I', size, 0x004E4942))
                f.truncate(f.tell() + size)
        return path

    def test_many_clips(self):
        pack = self.pack(*((30000, 23) if LONG else (1500, 23)))
        limits = (16, 64, 256, 1024) if LONG else (2, 8, 64)
        refusal = r'(\S*pack(: (animations|\d+ animations|\d+ clips of 23 joints|the glTF file))?|\d+ clips of 23 joints|the glTF file)'
        for output, more in (('x.glb', ()), ('x.gltf', ()), ('compact.glb', ('--compact',)), ('mesh.glb', ('--proxy-mesh',))):
            with self.subTest(output):
                self.expect_within(limits, '(%s)' % refusal, *self.convert(pack, output, *more))

    def test_clips_on_another_skeleton(self):
        pack = self.pack(*((30000, 100) if LONG else (1000, 40)))
        limits = (64, 256, 1024, 4096) if LONG else (2, 8, 64)
        rig = self.rig('rig.glb', 100, 4 << 20 if LONG else 1 << 18)
        refusal = r'(\S*pack(: (animations|\d+ animations|bound clips|\d+ clips of \d+ joints))?|(\S*rig.glb: )?(\d+ clips of \d+ joints|the glTF file))'
        for more in ((), ('--rig-mesh', 'keep')):
            with self.subTest(more):
                self.expect_within(limits, refusal, *self.convert(pack, 'x.glb', '-s', rig, '--mode', 'copy', *more))

    def test_a_large_rig_is_held_once(self):
        rig = self.rig('rig.glb', 23, (315 << 20) if LONG else (20 << 20))
        limits = (64, 256, 512, 1024) if LONG else (8, 16, 64)
        for more in ((), ('--rig-mesh', 'keep')):
            with self.subTest(more):
                self.expect_within(limits, r'\S*rig.glb(: the glTF file)?', *self.convert(self.pack(10, 23), 'x.glb', '-s', rig, '--mode', 'copy', *more))
        self.assertGreater(os.path.getsize(self.path('x.glb')), os.path.getsize(rig))

    def expect_bounded(self, verb, *args):
        """Status 0 or 4, and within the limit."""
        more = ('-o', self.path('out.glb'), '--force') if verb == 'convert' else ()
        for limit in (64, 128):
            with self.subTest(verb, limit=limit):
                status, errors, peak = peak_of(verb, *args, *more, '-q', '--limit-memory', limit)
                if LONG:
                    print('    %-7s --limit-memory %4d: status %d, %4.0f MiB  %s' % (verb, limit, status, peak, errors.strip()[-110:]))
                self.assertIn(status, (0, 4), errors)
                if not SANITIZED:
                    self.assertLessEqual(peak, limit + SLACK, (verb, args))

    def test_textures_beside_a_model(self):
        model = write(self.path('m.ff9model'), ff9.model(2, quads=40))
        os.mkdir(self.path('textures'))
        for i in range(8):
            hostile.sparse_tim(self.path('m_%d.tim' % i), 5000, 3000)                # 30 MB
            hostile.sparse_tim(self.path('textures', '%d.tim' % i), 5000, 3000)
        for verb in ('info', 'dump', 'convert'):
            self.expect_bounded(verb, model)
        for verb in ('info', 'dump', 'convert'):
            self.expect_bounded(verb, model, '--textures', self.path('textures'))

        for jobs in (1, 4):
            status, errors, peak = peak_of('convert', self.path('textures'), self.folder, '-o', self.path('all', ''), '-j', jobs, '-q', '--force', '--limit-memory', 32)
            if LONG:
                print('    -j %d --limit-memory 32: status %d, %4.0f MiB' % (jobs, status, peak))
            self.assertIn(status, (0, 1, 4), errors)
            if not SANITIZED:
                self.assertLessEqual(peak, 32 * jobs + SLACK)

    def test_a_character_set_whose_animations_share_a_stream(self):
        pak = write(self.path('x.pak'), hostile.pak_of_one_stream(8, 24 << 20, read(sample('metroid', 'hero.CINF')), read(sample('metroid', 'hero_idle.ANIM'))))
        for verb in ('info', 'dump', 'convert'):
            self.expect_bounded(verb, pak + ':00000005.ANCS')
        pak = write(self.path('y.pak'), hostile.pak_of_one_stream(17, 32 << 20, read(sample('metroid', 'hero.CINF')), read(sample('metroid', 'hero_idle.ANIM'))))
        p = self.check(run('info', pak + ':00000005.ANCS', '-q'), 4)
        self.assertIn('animations: have more than 512 MiB together', p.err)

    def test_discs_of_full_size(self):
        img, end = read(sample('archives', 'FF9.IMG')), 712880                       # sectors
        image = bytearray(discs.iso({'SYSTEM.CNF': b'BOOT', 'FF9.IMG': img}))
        at, place = image.index(b'FF9.IMG') - 33, end - len(img) // 2048
        first = struct.unpack_from('<I', image, at + 2)[0]
        image[at + 2:at + 10] = discs.both(place, 4)
        paths = {}
        for name, size, data in (('disc.iso', 2048, 0), ('disc.bin', 2352, 24)):
            paths[name] = self.path(name)
            with open(paths[name], 'wb') as f:
                f.write(discs.sectors(image[:first * 2048], size, data))
                f.seek(place * size)
                f.write(discs.sectors(img, size, data))
                f.truncate(end * size)
        head = discs.padded(discs.gamecube({'Metroid1.pak': read(sample('archives', 'hero.pak'))}), 0x200000)

        class Disc:                                                                  # nothing but zeros follows
            def __len__(self):
                return end * 2048

            def __getitem__(self, part):
                return head[part]
        for packing, chunk in (('zstd', 0x8000), ('lzma', 0x200000)):
            paths[packing] = write(self.path(packing + '.rvz'), discs.wia(Disc(), packing, chunk))
        for path in paths.values():
            status, errors, peak = peak_of('list', path)
            self.assertEqual(status, 0, errors)
            if LONG:
                print('    list %-10s %4.0f MiB' % (os.path.basename(path), peak))
            if not SANITIZED:
                self.assertLessEqual(peak, 64, path)
        for entry in (paths['disc.iso'] + ':10/301', paths['disc.bin'] + ':10/301', paths['zstd'] + ':Hero.ANCS', paths['lzma'] + ':Hero.ANCS'):
            for verb in ('info', 'dump', 'convert'):
                self.expect_bounded(verb, entry)

    def test_a_chunk_of_a_disc_counts(self):
        disc = discs.gamecube({'Metroid1.pak': read(sample('archives', 'hero.pak')), 'zeros.bin': bytes(3 << 20)})
        for form, image in (('wia', discs.wia(disc, 'lzma', 4 << 20, False)), ('gcz', discs.gcz(disc, 4 << 20))):
            path = write(self.path('disc.' + form), image)
            place = {'wia': 'chunk_size at 0x54', 'gcz': 'block_size at 0x18'}[form]
            p = self.check(run('list', path, '--limit-memory', 6), 4)
            need = {'wia': math.ceil(6 * len(disc) / 2**20), 'gcz': 3 * 4}[form]       # the disc is smaller than a chunk of .wia
            self.assertEqual(p.err, f'reanima: {path}: {place}: would need {need} MiB of memory, but the limit is 6 (see --limit-memory MIB)\n')
            self.expect_bounded('info', path + ':Hero.ANCS')

    def test_json_takes_more_than_its_file(self):
        files = {'x.p': hostile.mesh(1, 20000), 'x.a': hostile.field_animation(700, 60), 'x.cinf': hostile.cinf(12000), 'x.evnt': hostile.events(16000),
                 'x.ancs': hostile.characters(3, 20000)}
        for name, data in files.items():
            for verb in ('dump', 'check'):
                with self.subTest(name, verb=verb):
                    path = write(self.path(name), data)
                    p = run(verb, path, '-q', '--limit-memory', 16)
                    self.assertRegex(p.err + p.stdout.decode(), r'x\.\w+: would need \d+ MiB of memory, but the limit is 16 \(see --limit-memory MIB\)\n')
                    self.assertIn(p.returncode, (1, 4))
                    status, errors, peak = peak_of(verb, path, '-q', '--limit-memory', 64)
                    self.assertIn(status, (0, 1), errors)
                    if not SANITIZED:
                        self.assertLess(peak, 64 + SLACK)

    def test_files_that_become_more_when_they_are_decoded(self):
        """Each file is nearly as large as the limit, so its result does not fit."""
        size = (56 << 20) if LONG else (7 << 20)
        limit = 64 if LONG else 8
        files = {
            'x.hrc': lambda: hostile.hrc([(b'%d' % i + b'b' * (size // 4000), b'root', []) for i in range(4000)]),
            'm.p': lambda: hostile.mesh(1, size // 30),
            'xxda': lambda: struct.pack('<I', size // 32) + (size // 32) * (struct.pack('<3I2HB', 1, 1, 16, 1, 9, 4) + bytes(11)),
            'x.dat': lambda: hostile.monster(4, b'\xff' + bytes(size)),
            'x.ff9mat': lambda: hostile.ff9_materials(255, 255) + bytes(size),
            'x.tim': lambda: hostile.tim(60000) + bytes(size),
            'x.cinf': lambda: hostile.cinf(size // 60),
            'x.evnt': lambda: hostile.events(size // 64),
            'x.ancs': lambda: hostile.characters(3, size // 40),
            'x.anim': lambda: read(sample('metroid', 'hero_idle.ANIM')) + bytes(size),
        }
        for name, make in files.items():
            path = self.path(name)
            pid = os.fork()                           # the data must not be held here, see peak_of
            if pid == 0:
                write(path, make())
                os._exit(0)
            os.waitpid(pid, 0)
            for verb in ('info', 'dump', 'convert'):
                more = ('-o', self.path('out', ''), '--force') if verb == 'convert' else ()
                for most in (limit, 4 * limit, 16 * limit):
                    with self.subTest(name, verb=verb, limit=most):
                        status, errors, peak = peak_of(verb, path, *more, '-q', '--limit-memory', most)
                        if LONG:
                            print('    %-8s %-7s --limit-memory %4d: status %d, %4.0f MiB  %s' % (name, verb, most, status, peak, errors.strip()[-90:]))
                        if most == limit:             # a file of events is nothing to convert
                            self.assertIn(status, (1, 4))
                            self.assertRegex(errors, r'would need \d+ MiB of memory, but the limit is %d \(see --limit-memory MIB\)\n$|which can only be converted with' % limit)
                        if not SANITIZED:
                            self.assertLessEqual(peak, most + SLACK)
            os.remove(path)

    def test_a_large_input(self):
        path = write(self.path('input'), read(sample('ff7', 'hrda')))
        os.truncate(path, (300 << 20) if LONG else (12 << 20))
        status, errors, peak = peak_of('convert', path, '--format', 'ff7-battle-animation', '-q', '-o', self.path('x.glb'), '--limit-memory', '10')
        self.assertEqual((status, errors), (4, 'reanima: %s: would need %d MiB of memory, but the limit is 10 (see --limit-memory MIB)\n' % (path, 300 if LONG else 12)))
        with open(path, 'rb') as f:
            p = subprocess.run([TOOL, 'convert', '-', '--format', 'ff7-battle-animation', '-q', '-o', self.path('x.glb'), '--limit-memory', '10'],
                               stdin=f, stderr=subprocess.PIPE)
        self.assertRegex(p.stderr.decode(), r'^reanima: standard input: would need \d+ MiB of memory, but the limit is 10 \(see --limit-memory MIB\)\n$')
        self.assertEqual(p.returncode, 4)

    def test_names_have_bounds(self):
        pack = self.pack(3, 23)
        for template, problem in (('{index:60000000}', 'has a width of 60000000, expected at most 20'), ('{name:*>21}', 'has a width of 21, expected at most 20'),
                                  ('{id:99999999999999999999}', 'has a width of 99999999999999999999, expected at most 20'),
                                  ('{name:{index}}', 'has a placeholder as a width')):
            status, errors, peak = peak_of(*self.convert(pack, 'x.glb', '--name', template, '--limit-memory', '64'))
            self.assertEqual(status, 2, errors)
            self.assertIn('--name: %s' % problem, errors)
            if not SANITIZED:
                self.assertLess(peak, 64)
        self.check(run(*self.convert(pack, 'x.glb', '-q', '--name', '{{1234}}{stem:.100}{index:020}')), 0)
        p = run(*self.convert(pack, 'y.glb', '--name', '{name}' + 1023 * 'x'))
        self.check(p, 2)
        self.assertIn('makes a name of 1031 bytes, expected at most 1023', p.err)
        names = write(self.path('names.csv'), 'joint,0,a\nclip,0,' + 1024 * 'x' + '\n')
        p = run(*self.convert(pack, 'y.glb', '--names', names))
        self.check(p, 1, 'reanima: %s: line 2: makes a name of 1024 bytes, expected at most 1023\n' % names)

    def fbx(self, words):
        path = self.path('rig.fbx')
        with open(path, 'w') as f:
            f.write('; FBX 7.3.0 project file\nFBXHeaderExtension: {\n FBXVersion: 7300\n}\nObjects: {\n Geometry: 1, "Geometry::", "Mesh" {\n Vertices: *%d {\n a: ' % words)
            f.write(','.join(['1'] * words))
            f.write('\n}\n}\n}\n')
        return path

    def obj(self, lines):
        path = self.path('rig.obj')
        with open(path, 'w') as f:
            for i in range(lines):
                f.write('v 1 2 3\n')
            for i in range(lines // 3):
                f.write('f %d %d %d\n' % (3 * i + 1, 3 * i + 2, 3 * i + 3))
        return path

    def collada(self, nodes):
        path = self.path('rig.dae')
        with open(path, 'w') as f:
            f.write('<?xml version="1.0"?>\n<COLLADA version="1.4.1"><library_visual_scenes><visual_scene id="s">')
            for i in range(nodes):
                f.write('<node id="n%d" name="n%d"><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix></node>' % (i, i))
            f.write('</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>')
        return path

    def test_rigs_that_assimp_reads(self):
        """Assimp's results do not matter here, only that it needs no more than the measured amount of memory."""
        if not os.path.exists(os.path.join(os.path.dirname(os.path.abspath(TOOL)), 'reanima_rigs.so')):
            self.skipTest('built without the module for rigs of other programs')
        scale = 20 if LONG else 1
        pack = self.pack(1, 23)
        for rig, limits in ((self.fbx(50000 * scale), (4, 16, 64)),
                            (self.obj(20000 * scale), (4, 8, 64)), (self.collada(1000 * scale), (4, 16, 64))):
            with self.subTest(rig):
                refused = 0
                for limit in limits:
                    status, errors, peak = peak_of(*self.convert(pack, 'x.glb', '-s', rig, '--mode', 'copy', '-q', '--force', '--limit-memory', limit * scale),
                                                   env={'ASAN_OPTIONS': 'detect_leaks=0'})        # Assimp's FBX reader leaks 80 bytes when it gives up
                    if LONG:
                        print('    %s --limit-memory %4d: status %d, %4.0f MiB  %s' % (os.path.basename(rig), limit * scale, status, peak, errors.strip()[-110:]))
                    if status == 4:
                        self.assertRegex(errors, r'^reanima: %s: would need \d+ MiB of memory, but the limit is %d \(see --limit-memory MIB\)\n$' % (rig, limit * scale))
                        refused += 1
                    if not SANITIZED:
                        self.assertLessEqual(peak, limit * scale + SLACK)
                self.assertNotIn(refused, (0, len(limits)), errors)

    def test_pictures_of_rigs(self):
        """a picture that needs more than the remaining memory is left out with a warning; small files may contain large
        ones"""
        if not os.path.exists(os.path.join(os.path.dirname(os.path.abspath(TOOL)), 'reanima_rigs.so')):
            self.skipTest('built without the module for rigs of other programs')
        side = 2048
        picture = struct.pack('<3B2HB4H2B', 0, 0, 11, 0, 0, 0, 0, 0, side, side, 8, 0x20) + b'\xff\x77' * (side * side // 128)
        rig = write(self.path('rig.obj'), 'mtllib rig.mtl\nusemtl skin\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n')
        write(self.path('rig.mtl'), 'newmtl skin\nmap_Kd skin.tga\n')
        write(self.path('skin.tga'), picture)
        for limit, said in ((16, 'the image skin.tga is left out, because it would need 64 MiB of memory, but the limit is 16'), (128, None)):
            status, errors, peak = peak_of(*self.convert(self.pack(1, 23), 'x.glb', '-s', rig, '--mode', 'copy', '--force', '--limit-memory', limit))
            self.assertIn(status, (0, 1), errors)
            self.assertIn(said or '', errors)
            self.assertEqual('left out' in errors, said is not None, errors)
            if not SANITIZED:
                self.assertLessEqual(peak, limit + SLACK)


class Inputs(Case):
    def test_of_one_output(self):
        """A job file may name the same small file any number of times; one error states that there are too many."""
        count, limit = (3000, 16) if SANITIZED else (25000, 128)
        for name in ('hrda', 'hraa'):
            write(self.path(name), read(sample('ff7', name)))
        for name, inputs in (('files', ['hrda'] * count), ('missing', ['none'] * count)):
            with self.subTest(name):
                job = write(self.path('many.reanima.json'), json.dumps({'schema': 1, 'inputs': inputs, 'output': 'x.glb'}))
                status, errors, peak = peak_of('convert', job, '-q', '--limit-memory', limit)
                self.assertEqual(status, 4, errors[-500:])
                self.assertRegex(errors, r'^reanima: %s: inputs: would need %d MiB of memory, but the limit is %d \(see --limit-memory MIB\)\n$' % (self.path('x.glb'), limit + 1, limit))
                if not SANITIZED:
                    self.assertLessEqual(peak, limit + SLACK)
        self.assertEqual(self.files(), ['hraa', 'hrda', 'many.reanima.json'])

    def test_jobs_that_name_one_rig(self):
        """They share one copy of the rig."""
        for name in ('hrda', 'hraa'):
            write(self.path(name), read(sample('ff7', name)))
        write(self.path('rig.gltf'), hostile.chained_rig(4000, ['bone%03d' % i for i in range(40)]))
        peaks = []
        for count in (1, 200):
            jobs = [{'schema': 1, 'inputs': ['hrda'], 'skeleton': 'rig.gltf', 'output': '%d.glb' % i, 'options': {'mode': 'copy'}} for i in range(count)]
            job = write(self.path('many.reanima.json'), json.dumps(jobs))
            status, errors, peak = peak_of('convert', job, '--outputs')
            self.assertEqual((status, errors), (0, ''))
            peaks.append(peak)
        self.assertLess(peaks[1] - peaks[0], SLACK, peaks)


@unittest.skipIf(SANITIZED, 'AddressSanitizer needs more addresses than these limits leave; OutOfMemory tests stand in')
class AddressSpace(Case):
    """`ulimit -v`: when memory is used up, a run ends with status 1 or 4 and a message, and leaves no temporary
    file."""
    LIMITS = sorted({*range(11000, 60000, 1000 if LONG else 7000), 25000, 30000, 100000, 300000})     # KiB

    def commands(self):
        out = self.path('out')
        yield 'convert', sample('ff7', 'hrda'), '-o', out + '/x.glb'
        yield 'convert', sample('ff9', 'hero.ff9db'), '-o', out + '/models/'
        yield 'convert', sample('rlf', 'gate.rlf'), '-o', out + '/x.gltf'
        yield 'frames', sample('rlf', 'gate.rlf'), '-o', out + '/frames/'
        for jobs in (2, 256):
            yield 'convert', sample(), '-o', out + '/all/', '-j', jobs

    def run_within(self, kib, *args):
        return run(*args, preexec=lambda: resource.setrlimit(resource.RLIMIT_AS, (kib << 10, kib << 10)))

    def test_it_runs_out_anywhere(self):
        ended = set()
        for kib in self.LIMITS:
            if self.run_within(kib, '--version').returncode != 0:                  # the program cannot even be loaded
                continue
            for command in self.commands():
                for _ in range(5 if LONG else 2):
                    p = self.run_within(kib, *command, '--force', '-q')
                    self.assertIn(p.returncode, (0, 1, 4), (kib, command, p.err))
                    self.assertEqual(p.returncode == 0, p.err == '', (kib, command, p.err))
                    ended.add(p.returncode)
                    left = [f for _, _, files in os.walk(self.folder) for f in files if f.endswith('.reanima-tmp')]
                    self.assertEqual(left, [])
        self.assertIn(0, ended)
        self.assertIn(1, ended)


if __name__ == '__main__':
    unittest.main(argv=[a for a in sys.argv if a != '--long'], verbosity=2 if LONG else 1)
