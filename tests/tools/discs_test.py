"""Discs in every image format, and archives of Final Fantasy VIII, in the command: their contents, and the messages
about damaged ones."""
import json, os, shutil, struct, subprocess, unittest

from gltf_files import parts
from support import PACKINGS, Case, read, run, sample, write
import discs
import hostile
import ff9_container as ff9
import writers                                    # by the description of the formats

LONG = os.environ.get('REANIMA_LONG') == '1'
IMG = read(sample('archives', 'FF9.IMG'))
PAK = read(sample('archives', 'hero.pak'))
MONSTER = read(sample('ff8', 'c0m900.dat'))
CD = {'SYSTEM.CNF': b'BOOT = cdrom:\\SLUS.001;1\r\n', 'FF9.IMG': IMG, 'DATA/SUB/NOTE.TXT': b'note' * 900}
GAMECUBE = {'Metroid1.pak': PAK, 'Audio/Sub/a.txt': b'sound', 'zeros.bin': bytes(70000)}


def scene_of(path):
    return parts(read(path))[0]


def packed_chd(lengths, bits='', rows=(), codec=b'cdzl', size_bits=16):
    """A CHD of 20 hunks that contains only the header and the packed map. lengths: of the codes, in nibbles; bits: the
    bits after them"""
    bits = ''.join('{:04b}'.format(n) for n in lengths) + bits
    packed = bytes(int(bits[i:i + 8].ljust(8, '0'), 2) for i in range(0, len(bits), 8))
    head = b'MComprHD' + struct.pack('>II', 124, 5) + codec + bytes(12) + struct.pack('>QQQII', 2448 * 20, 124, 0, 2448, 2448) + bytes(60)
    return head + struct.pack('>I', len(packed)) + bytes(6) + struct.pack('>HBBBB', discs.crc16(b''.join(rows)), size_bits, 8, 0, 0) + packed


# What unpacks it, and how messages call it.
LIBRARIES = {'bzip2': ('BZIP2', 'bzip2'), 'lzma': ('LZMA', 'LZMA'), 'lzma2': ('LZMA', 'LZMA2'), 'zstd': ('ZSTD', 'Zstandard'),
             'cdlz': ('LZMA', 'LZMA'), 'cdfl': ('FLAC', 'FLAC'), 'cdzs': ('ZSTD', 'Zstandard'), 'lz4': ('LZ4', 'LZ4')}


def has(packing):
    return packing not in LIBRARIES or LIBRARIES[packing][0] in PACKINGS


def needs(*packings):
    return unittest.skipUnless(all(map(has, packings)), 'a library for packings is not built in')


class DiscCase(Case):
    def made(self, name, content):
        return write(self.path(name), content)

    def holds(self, path, files, packing=None):
        """`list` and `extract` show the original content, or the image is refused for want of a library"""
        if not has(packing):
            p = self.check(run('list', path), 1)
            self.assertRegex(p.err, f'^reanima: {path}: [^:]* at 0x[0-9a-f]*: is packed with {LIBRARIES[packing][1]}, which this build of reanima '
                                    "can't unpack. Use a build with all libraries\n$")
            return
        listed = {e['name']: e['size'] for e in json.loads(self.check(run('list', path, '--json'), 0).stdout)['entries']}
        self.assertEqual(listed, {name: len(data) for name, data in files.items()})
        out = self.path('out')
        self.check(run('extract', path, '-o', out), 0)
        for name, data in files.items():
            self.assertEqual(read(os.path.join(out, name)), data, f'{path}: {name}')
        shutil.rmtree(out)

    def refused(self, path, problem, status=1):
        self.check(run('list', path), status, f'reanima: {path}: {problem}\n')


class CompactDiscs(DiscCase):
    def test_every_layout_of_sectors(self):
        image = discs.iso(CD)
        self.holds(self.made('disc.iso', image), CD)
        for size, data in ((2352, 24), (2352, 16), (2336, 8), (2448, 24), (2448, 16)):
            self.holds(self.made('disc.bin', discs.sectors(image, size, data)), CD)
        self.holds(self.made('disc.chd', discs.chd(image)), CD)
        self.holds(self.made('disc.chd', discs.chd(image, 16)), CD)
        for packing in discs.CHD_PACKINGS:
            for data in (16, 24):
                self.holds(self.made('disc.chd', discs.packed_chd(image, packing, data)), CD, packing)

    def test_a_description_stands_for_the_image_beside_it(self):
        self.made('Disc.BIN', discs.sectors(discs.iso(CD)))
        self.holds(self.made('disc.cue', 'REM ripped\r\nFILE "C:\\rips\\disc.bin" BINARY\r\n  TRACK 01 MODE2/2352\r\n'), CD)
        self.refused(self.made('other.cue', 'FILE "other.bin" BINARY\n'), "FILE: names the image 'other.bin', which is not beside it")
        for text in ('CATALOG 0000000000000\nFILE "disc.bin" BINARY\n', 'FILE DISC.BIN BINARY\n'):
            self.holds(self.made('disc.cue', text), CD)
        self.refused(self.made('none.cue', 'REM nothing\n'), 'is a description of a CD image (.cue); it names no image; use the .bin beside it')

    def test_names(self):
        image = discs.iso([('A/B', b'1'), ('a/b', b'2'), ('\u30af.TXT', b'3'), ('A/B', b'4'), ('\uff71', b'5'), ('\uff72/C', b'6')])
        listed = json.loads(self.check(run('list', self.made('x.iso', image), '--json'), 0).stdout)
        files = {'_N.TXT': b'3', '_': b'5', 'A/B': b'1', 'A/B_2': b'4', 'a/b_3': b'2', '__2/C': b'6'}
        self.assertEqual([e['name'] for e in listed['entries']], list(files))
        self.assertEqual(len(listed['warnings']), 5)
        self.assertIn("a/b_3: is stored as 'a/b'", str(listed['warnings']))
        self.check(run('extract', self.path('x.iso'), '-o', self.path('out')), 0)
        self.assertEqual({name: read(self.path('out/' + name)) for name in files}, files)

    def test_names_of_pcs(self):
        image = discs.iso({'FF9.IMG': b'archive', 'A_LONGNA.TXT': b'text', 'B.TXT': b'other'})
        long = discs.with_long_names(image, [('FF9.IMG', 'FF9.IMG'), ('a longer name.txt', 'A_LONGNA.TXT'), ('\u30afB.txt', 'B.TXT'), ('\u72ac', 'B.TXT')])
        self.holds(self.made('x.iso', long), {'FF9.IMG': b'archive', 'a longer name.txt': b'text', '_B.txt': b'other', '_': b'other'})
        for at, value in ((17 * 2048, 1), (17 * 2048 + 90, 0x44)):     # another kind of description, and other letters
            plain = bytearray(long)
            plain[at] = value
            self.holds(self.made('x.iso', plain), {'FF9.IMG': b'archive', 'A_LONGNA.TXT': b'text', 'B.TXT': b'other'})
        path = self.made('cut.iso', long[:len(image)])                 # only the tables of long names are missing
        self.holds(path, {'FF9.IMG': b'archive', 'A_LONGNA.TXT': b'text', 'B.TXT': b'other'})
        self.assertIn(f'warning: long_names: are at 0x{len(image):x} to 0x{len(long):x}, but the image has only 0x{len(image):x} bytes; '
                      'using short names\n', self.check(run('list', path), 0).err)

    def test_a_disc_stands_for_the_archives_in_it(self):
        path = self.made('disc.bin', discs.sectors(discs.iso(CD)))
        for place in (f'{path}:FF9.IMG:10/300', f'{path}:ff9.img:10/300', f'{path}:10/300'):
            self.check(run('convert', place, '--model', 2000, '-o', self.path('one.glb'), '-q', '--force'), 0)
        one = read(self.path('one.glb'))
        self.check(run('convert', path, '-o', self.path('all/'), '-q'), 0)
        self.check(run('convert', sample('archives', 'FF9.IMG'), '-o', self.path('img/'), '-q'), 0)
        below = {os.path.relpath(os.path.join(d, f), self.path('all/disc')) for d, _, fs in os.walk(self.path('all/disc')) for f in fs}
        self.assertEqual(below, {os.path.relpath(os.path.join(d, f), self.path('img')) for d, _, fs in os.walk(self.path('img')) for f in fs})
        self.assertGreater(len(one), 1000)
        self.check(run('convert', path + ':FF9.IMG', '-o', self.path('entry/'), '-q'), 0)
        self.assertEqual(sum(len(names) for _, _, names in os.walk(self.path('entry'))), len(below))
        found = run('find', '', path)
        self.assertIn('FF9.IMG:10/300', found.stdout.decode() + found.err)

    def test_a_disc_of_another_game(self):
        path = self.made('disc.iso', discs.iso({'SYSTEM.CNF': b'BOOT2', 'A.BIN': b'other' * 900}))
        p = self.check(run('convert', path, '-o', self.path('out/'), '-v'), 0)
        self.assertEqual(p.err, f'{path}: skipped: contains nothing to convert\n0 converted, 0 failed, 1 skipped (nothing to convert)\n')

    def test_a_folder_has_each_archive_once(self):
        os.makedirs(self.path('game'))
        write(self.path('game/disc.bin'), discs.sectors(discs.iso(CD)))
        write(self.path('game/disc.cue'), 'FILE "disc.bin" BINARY\n')
        for name, content in zip(('battle.fs', 'battle.fi', 'battle.fl'), discs.fs({'c0m900.dat': MONSTER}, 1)):
            write(self.path('game/' + name), content)
        self.check(run('convert', self.path('game'), '-o', self.path('out/'), '-q'), 0)
        made = sorted(os.path.relpath(os.path.join(d, f), self.path('out')) for d, _, fs in os.walk(self.path('out')) for f in fs)
        self.assertEqual(made, ['battle/c0m900.glb', 'disc/FF9/10/300_2000.glb', 'disc/FF9/10/300_2010.glb', 'disc/FF9/10/301.glb'])

    def test_a_split_image_is_refused(self):
        image = discs.iso(CD)
        path = self.made('disc.iso.001', image[:30000])
        self.made('disc.iso.002', image[30000:])
        self.made('disc.iso.001', image[:50000])
        self.refused(path, 'is a part of a disc image that was split; join all parts: `cat disc.iso.0* > disc.iso`')
        self.refused(self.path('disc.iso.002'), 'is a part of a disc image that was split; join all parts: `cat disc.iso.0* > disc.iso`')
        for verb in ('info', 'convert'):
            p = self.check(run(verb, self.path('disc.iso.002'), '-q'), 1)
            self.assertIn('disc.iso.002: is a part of a disc image that was split; join all parts: `cat disc.iso.0* > disc.iso`\n', p.err)
        os.remove(self.path('disc.iso.002'))
        first = self.made('prime.part0.iso', discs.gamecube(GAMECUBE))
        second = self.made('prime.part1.iso', bytes(range(1, 100)))
        for name in (first, second):
            self.refused(name, 'is a part of a disc image that was split; join all parts: `cat prime.part?.iso > prime.iso`')
        os.remove(second)
        self.check(run('list', first), 0)
        first, second = self.made('prime.wbfs', discs.wbfs(discs.gamecube(GAMECUBE))), self.made('prime.wbf1', bytes(range(1, 100)))
        for name in (first, second):
            self.refused(name, 'is a part of a disc image that was split; join all parts: `cat prime.wbfs prime.wbf[1-9] > prime.whole.wbfs`')
        self.check(run('list', self.made('disc.iso.001', image)), 0)

    def test_several_discs_have_each_character_once(self):
        def disc(name, *files):
            img = writers.img([(2, [])] * 10 + [(2, [(i, 0xFFFF, data) for i, data in files])])[0]
            return self.made(name, discs.sectors(discs.iso({'SYSTEM.CNF': name.encode(), 'FF9.IMG': img})))
        turns = {i: ff9.animation(3, 4, 10 * i) for i in (1, 2, 3, 4)}
        hero, other, same = ff9.model(3, quads=1), ff9.model(3, quads=2), (301, ff9.db([(2, [(70, ff9.model(2))]), (3, [(71, ff9.animation(2, 3, 5))])]))
        disc('disc1.bin', (300, ff9.db([(2, [(60, hero)]), (3, [(1, turns[1]), (2, turns[2])])])), same)
        disc('disc2.bin', (300, ff9.db([(2, [(60, hero)]), (3, [(2, turns[2]), (3, turns[3])])])), same)
        disc('disc3.bin', (302, ff9.db([(2, [(60, hero)]), (3, [(4, turns[4])])])), (303, ff9.db([(2, [(60, other)]), (3, [(1, turns[1])])])), same)

        def made(*words):
            shutil.rmtree(self.path('out'), ignore_errors=True)
            self.check(run('convert', *words, '-o', self.path('out/'), '-q', '--names-by', 'file'), 0)
            out = {}
            for name in self.files():
                if name.startswith('out/'):
                    out[name[4:]] = [a['name'] for a in scene_of(self.path(name))['animations']]
            return out
        one = made(self.path('disc1.bin'))
        self.assertEqual(one, {'disc1/FF9/10/300.glb': ['anim_00001', 'anim_00002'], 'disc1/FF9/10/301.glb': ['anim_00071']})
        whole = {'disc1/FF9/10/300.glb': ['anim_00001', 'anim_00002', 'anim_00003', 'anim_00004'], 'disc1/FF9/10/301.glb': ['anim_00071'],
                 'disc3/FF9/10/303.glb': ['anim_00001']}
        self.assertEqual(made(self.path('disc?.bin')), whole)
        self.assertEqual(made(*(self.path(f'disc{i}.bin') for i in (1, 2, 3))), whole)
        said = run('convert', self.path('disc?.bin'), '-o', self.path('out/'), '--force', '-v').err
        self.assertIn(f"{self.path('disc2.bin')}:FF9.IMG:10/301: skipped: contains the same characters as an earlier archive\n", said)
        moved = scene_of(self.path('out/disc1/FF9/10/300.glb'))
        self.assertEqual(len(moved['meshes']), 1)
        # what can't be read of a later disc does not cost the character
        image = bytearray(discs.iso({'FF9.IMG': read(sample('archives', 'FF9.IMG'))}))
        self.made('disc3.bin', discs.sectors(image, form2=[len(image) // 2048 - 1, len(image) // 2048 - 2]))
        p = self.check(run('convert', self.path('disc?.bin'), '-o', self.path('out/'), '--force', '-q', '--names-by', 'file'), 1)
        self.assertIn('is of form 2, which contains sound or video, but no files', p.err)
        self.assertEqual([a['name'] for a in scene_of(self.path('out/disc1/FF9/10/300.glb'))['animations']], whole['disc1/FF9/10/300.glb'][:3])

    def test_sectors_of_sound_damage_their_file_alone(self):
        image = discs.iso({'A.STR': b'clip' * 1000, 'B.TXT': b'text'})
        path = self.made('disc.bin', discs.sectors(image, form2=[20]))
        p = self.check(run('extract', path, 'A.STR', '-o', self.path('out')), 1)
        self.assertEqual(p.err.splitlines()[0], f'reanima: {path}: sector at 0x{20 * 2352:x}: sector 20 is of form 2, which contains sound or video, but no files')
        self.check(run('extract', path, 'B.TXT', '-o', self.path('out')), 0)

    def test_what_is_wrong(self):
        image = bytearray(discs.iso(CD))
        image[0x8000 + 128] = 1
        self.refused(self.made('x.iso', image), 'block_size at 0x8080: is 2049, expected 2048')
        image = bytearray(discs.iso(CD))
        struct.pack_into('<I', image, 0x8000 + 158, 0x00FFFFFF)
        self.refused(self.made('x.iso', image), f'root at 0x809c: is a folder at 0x7fffff800 to 0x800000000, but the image has only 0x{len(image):x} bytes')
        chd = bytearray(discs.chd(discs.iso(CD)))
        for at, value, problem in ((15, 4, 'version at 0xc: is 4, expected 5. Convert older CHDs with `chdman copy`'),
                                   (0x7B, 1, 'parent at 0x68: needs a parent CHD, which is not supported. Make a CHD without a parent with `chdman copy -ip PARENT`'),
                                   (0x3F, 1, 'unit_size at 0x3c: is 2305, expected 2448 as on a CD. Convert other discs to .iso with chdman'),
                                   (0x3B, 1, 'hunk_size at 0x38: is 2305, expected a multiple of 2448 up to 1048576'),
                                   (0x20, 1, 'size at 0x20: is 72057594038065168, expected at most 17179869184')):
            damaged = bytearray(chd)
            damaged[at] = value
            p = self.check(run('list', self.made('x.chd', damaged)), 1)
            self.assertIn(problem.split(' is 7205')[0], p.err)
            if at != 0x20:
                self.assertEqual(p.err, f"reanima: {self.path('x.chd')}: {problem}\n")

    @needs('cdfl')
    def test_what_is_wrong_with_the_map_of_a_chd(self):
        packed = [('{:016b}'.format(100) + 16 * '0') * 20, [discs.chd_row(0, 100, 100 * i) for i in range(20)]]
        for data, problem in (
                (packed_chd([]), 'map at 0x7c: ends after 0 bytes, before its last row'),
                (packed_chd([2] + 15 * [0]), 'map at 0x7c: has an incomplete Huffman code'),
                (packed_chd(16 * [0], 400 * '0'), 'map at 0x7c: has an unused code'),
                (packed_chd(discs.two_codes(6), 400 * '0'), 'map at 0x7c: has a hunk of kind 6, which needs a parent CHD'),
                (packed_chd(discs.two_codes(0), 400 * '0', size_bits=40), 'map at 0x7c: has numbers with 40 and 8 bits, expected at most 32'),
                (packed_chd(discs.two_codes(5), 20 * '0' + 20 * '00010100', 20 * [discs.chd_row(5, 0, 20)]),
                 'hunks[0]: is a copy of hunk 20, expected a copy of an earlier hunk with its own data'),
                (packed_chd(discs.two_codes(0), 20 * '0' + packed[0], packed[1], b'avhu'), "hunks[0] at 0x0: is packed with 'avhu', expected cdzl, cdlz, cdfl or cdzs"),
                (packed_chd(discs.two_codes(0), 20 * '0' + packed[0], packed[1], b'cdfl'), 'hunks[0] at 0x0: its FLAC stream ends after 0 of 2352 bytes')):
            self.refused(self.made('x.chd', data), problem)
        large = ['{:016b}'.format(5000) + 16 * '0'] * 20, [discs.chd_row(0, 5000, 5000 * i) for i in range(20)]
        self.refused(self.made('x.chd', packed_chd(discs.two_codes(0), 20 * '0' + ''.join(large[0]), large[1])),
                     "hunks[0] at 0x0: has 5000 packed bytes, expected at most twice the hunk's 2448 bytes")
        cut = bytearray(discs.packed_chd(discs.iso({'A': b'1'})[:17 * 2048], 'cdzl'))
        struct.pack_into('>Q', cut, 0x20, 2448 * 16 + 30)              # the disc ends within the sector that names it
        self.refused(self.made('x.chd', cut), 'is not an archive of a known format')
        plain = bytearray(discs.chd(discs.iso({'A': b'1'})))
        struct.pack_into('>Q', plain, 0x20, 2448 * 10 ** 6)
        self.refused(self.made('x.chd', plain), f'map at 0x7c: needs 1000000 rows, but the file has room for only {(len(plain) - 124) // 4}')

    def test_files_in_parts_and_folders_that_share_bytes(self):
        image = bytearray(discs.iso({name: b'1' for name in ('A.TXT', 'B.TXT', 'C.TXT')}))
        first, second = image.index(b'A.TXT') - 33, image.index(b'B.TXT') - 33
        image[first + 25] |= 0x80                                     # more parts follow
        image[second + 33] = ord('A')
        struct.pack_into('<I', image, second + 2, struct.unpack_from('<I', image, second + 2)[0] + 1)
        p = self.check(run('list', self.made('x.iso', image)), 0)
        self.assertIn('A.TXT: is stored in several separate parts of the disc, which is not supported', p.err)
        image = bytearray(discs.iso({'S/A.TXT': b'1', 'T/A.TXT': b'2'}))
        for sector, name in ((1, b'\x01S'), (2, b'\x01T')):           # in what no file uses
            at = image.index(name, 18 * 2048) - 32
            struct.pack_into('<I', image, at + 2, sector)
            struct.pack_into('<I', image, at + 10, len(image) - 2048 * sector)
        p = self.check(run('list', self.made('x.iso', image)), 0)
        self.assertIn(f'T: is a folder of {len(image) - 4096} bytes, but the image is too small for it', p.err)

    def test_many_entries_in_little_data(self):
        rows = hostile.disc_of_rows([(0, 0, 0, 8)] * 400000, b'x.pak\0')
        path = self.made('x.gcz', discs.gcz(rows, 1 << 20))            # the disc is packed
        size = os.path.getsize(path)
        problem = f'has 400001 entries, but the limit for {size} packed bytes is {0x10000 + size // 8}'
        self.refused(path, f'files[0] at 0x440: {problem}', 4)
        self.made('x.iso', rows)                                       # the disc is not packed, but the files are many
        for words in ([], ['--limit-output', 1024, '--limit-memory', 512]):
            p = self.check(run('extract', self.path('x.iso'), '-o', self.path('out'), *words), 4)
            self.assertIn('would need 782 MiB of memory' if words else 'would be extracted to 400000 files, but the limit for an archive of its size is ', p.err)

    def test_a_file_of_several_parts(self):
        together, parts = b'begin' * 410, b'begin' * 410 + b'end'
        image = bytearray(discs.iso([('A.TXT', together[:2048]), ('A.TXT', parts[2048:]), ('B.TXT', b'1')]))
        first = image.index(b'A.TXT') - 33
        image[first + 25] |= 0x80
        self.holds(self.made('x.iso', image), {'A.TXT': parts, 'B.TXT': b'1'})
        problem = 'is stored in several parts of the disc, but the last part is missing'
        second = image.index(b'A.TXT', first + 34) - 33
        image[second + 33] = ord('C')                                 # a file of another name follows the first part
        image[image.index(b'B.TXT') - 33 + 25] |= 0x80                # and none the last
        path = self.made('x.iso', image)
        self.assertEqual([e['name'] for e in json.loads(self.check(run('list', path, '--json'), 0).stdout)['entries']], ['A.TXT', 'C.TXT', 'B.TXT'])
        p = self.check(run('extract', path, '-o', self.path('out')), 1)
        for name in ('A.TXT', 'B.TXT'):
            self.assertIn(f'warning: {name}: is stored in several parts of the disc, but the last part is missing\n', p.err)
        self.assertEqual(read(self.path('out/C.TXT')), parts[2048:])

    def test_a_damaged_record(self):
        image = bytearray(discs.iso({'A.TXT': b'1', 'B.TXT': b'2', 'SUB/C.TXT': b'3'}))
        at = image.index(b'B.TXT') - 33
        image[at] = 20
        p = self.check(run('list', self.made('x.iso', image), '--json'), 0)
        listed = json.loads(p.stdout)
        self.assertEqual([e['name'] for e in listed['entries']], ['A.TXT', 'SUB/C.TXT'])
        self.assertEqual(listed['warnings'], ['record.date: needs 11 bytes, but only 6 are left'])

    def test_folders_that_hold_each_other(self):
        image = bytearray(discs.iso({'A/X.TXT': b'1', 'B.TXT': b'2'}))
        at = image.index(b'\x01A', 18 * 2048) - 32
        struct.pack_into('<I', image, at + 2, 18)                     # the root
        path = self.made('x.iso', image)
        p = self.check(run('list', path), 0)
        self.assertIn('is a folder that the image lists more than once', p.err)
        self.assertIn('B.TXT', p.stdout.decode())

    def test_a_disc_in_itself_ends(self):
        disc = bytearray(discs.gamecube({'a.pak': bytes(8), 'b.pak': bytes(8), 'c0m900.dat': bytes(8)}))
        for row in (1, 2, 3):
            struct.pack_into('>II', disc, 0x2440 + 12 * row + 4, 0, len(disc))
        path = self.made('x.iso', disc)
        for words in (['list', '-r', path], ['convert', path, '-o', self.path('out/'), '-q'], ['find', 'x', path], ['info', path + ':nobody']):
            run(*words)                                               # ends, however it does


class GameCube(DiscCase):
    def test_every_packing(self):
        disc = discs.gamecube(GAMECUBE)
        self.holds(self.made('disc.iso', disc), GAMECUBE)
        for packing in discs.PACKINGS:
            if packing != 'purge':
                self.holds(self.made('disc.rvz', discs.wia(disc, packing)), GAMECUBE, packing)
            if packing != 'zstd':
                self.holds(self.made('disc.wia', discs.wia(disc, packing, 0x200000, False)), GAMECUBE, packing)
        self.holds(self.made('disc.gcz', discs.gcz(disc)), GAMECUBE)
        self.holds(self.made('disc.ciso', discs.ciso(disc)), GAMECUBE)
        self.holds(self.made('disc.wbfs', discs.wbfs(disc)), GAMECUBE)
        self.holds(self.made('disc.nkit.iso', discs.gamecube(GAMECUBE, nkit=True)), GAMECUBE)

    def test_padding_is_filled_in(self):
        files = {'a.bin': b'begin' + discs.numbers(discs.SEED, 0x1005, 3000) + b'end'}
        disc = discs.gamecube(files, first=0x9000)
        for packing in ('none', 'zstd'):
            self.holds(self.made('disc.rvz', discs.wia(disc, packing, padding=(0x9005, 3000))), files, packing)

    def test_a_disc_of_full_size_takes_little(self):
        disc = discs.gamecube({'Metroid1.pak': PAK})
        whole = self.made('disc.iso', disc)
        os.truncate(whole, 1459978240)
        self.check(run('convert', f'{whole}:Metroid1.pak:Hero.ANCS', '-o', self.path('hero.glb'), '-q', '--limit-memory', 64), 0)
        self.check(run('convert', whole, '-o', self.path('all/'), '-q'), 0)
        self.assertEqual(os.listdir(self.path('all/disc/Metroid1')), ['Hero.glb'])
        packed = self.made('packed.rvz', discs.wia(disc, 'none', 0x20000, size=1459978240))
        before = os.times()
        self.check(run('list', packed, '--limit-memory', 64), 0)
        self.assertLess(os.times().children_user - before.children_user, 1)
        self.holds(packed, {'Metroid1.pak': PAK})

    def test_one_name_in_several_archives(self):
        path = self.made('disc.iso', discs.gamecube({'Metroid1.pak': PAK, 'Metroid2.pak': PAK}))
        p = self.check(run('info', path + ':Hero.ANCS'), 1)
        self.assertEqual(p.err, f"reanima: {path}: contains 'Hero.ANCS' in several archives: Metroid1.pak:Hero.ANCS, Metroid2.pak:Hero.ANCS\n")
        self.check(run('info', path + ':Metroid2.pak:Hero.ANCS'), 0)

    def test_archives_that_differ_in_the_extension(self):
        """Each has a folder with its whole name, so that the same characters are two outputs."""
        disc = discs.gamecube({'Metroid1.pak': PAK})
        for name, image in (('game/prime.iso', disc), ('game/Prime.gcz', discs.gcz(disc)), ('game/other.iso', disc)):
            os.makedirs(self.path('game'), exist_ok=True)
            write(self.path(name), image)
        self.check(run('convert', self.path('game'), '-o', self.path('out/'), '-q'), 0)
        self.assertEqual(sorted(os.listdir(self.path('out'))), ['Prime.gcz', 'other', 'prime.iso'])
        for name in os.listdir(self.path('out')):
            self.assertEqual(os.listdir(self.path('out', name, 'Metroid1')), ['Hero.glb'])

    def test_what_is_wrong_with_the_table(self):
        for at, value, problem in ((0x428, 4, 'file_table_size at 0x428: is 4, expected 12 to 16777216'),
                                   (0x2448, 0xFFFFFF, 'files[0] at 0x2440: has 16777215 rows, but the file table has room for only 4')):
            disc = bytearray(discs.gamecube({'a.txt': b'1', 'b.txt': b'2'}))
            struct.pack_into('>I', disc, at, value)
            self.refused(self.made('x.iso', disc), problem)
        disc = bytearray(discs.gamecube({'sub/a.txt': b'1'}))
        struct.pack_into('>I', disc, 0x2440 + 12 + 8, 1)
        self.refused(self.made('x.iso', disc), 'files[1] at 0x244c: is a folder that ends before row 1, expected 2 to 3')
        deep = discs.gamecube({'/'.join(['d'] * 40) + '/a.txt': b'1'})
        self.refused(self.made('x.iso', deep), 'files[33] at 0x25cc: is nested in more than 32 folders')

    @needs('lzma', 'zstd', 'bzip2')
    def test_what_is_wrong_with_chunks(self):
        disc = discs.gamecube(GAMECUBE)

        def damaged(problem, packing='none', **how):
            path = self.made('x.rvz', discs.wia(disc, packing, **how))
            p = self.check(run('extract', path, 'Metroid1.pak', '-o', self.path('out')), 1)
            self.assertTrue(p.err.startswith(f'reanima: {path}: {problem}'), p.err)
            self.check(run('list', path), 0)

        def row(index, value):
            return lambda rows: rows[1].__setitem__(index, value)
        damaged('chunk at 0xfffffffc: needs ', damage=row(0, 0x3FFFFFFF))
        damaged('groups[1] at 0x', 'zstd', damage=row(1, 0x80000000 | 0x7FFFFFF0))
        damaged('groups[1] at 0x', 'lzma', damage=row(1, 0x80000000 | 40))
        damaged('groups[1] at 0x', 'lzma2', damage=row(1, 0x80000000 | 40))
        damaged('groups[1] at 0x', 'bzip2', damage=row(1, 0x80000000 | 40))
        damaged('groups[1] at 0x', 'zstd', damage=row(2, 40))

    @needs('zstd')
    def test_unreadable_files_are_reported(self):
        """The place of an archive on a disc that can't be read is named by every verb"""
        disc = discs.gamecube(GAMECUBE)
        made = self.made('in/x.rvz', discs.wia(disc, 'zstd', damage=lambda rows: rows[1].__setitem__(1, 0x80000000 | 0x7FFFFFF0)))
        for words in (('convert', made, '-o', self.path('out/')), ('convert', self.path('in'), '-o', self.path('out/')), ('info', made), ('find', 'hero', made)):
            p = self.check(run(*words, '-q'), 1)
            self.assertIn(f'reanima: {made}: groups[1] at 0x', p.err)
        p = self.check(run('check', made), 1)
        self.assertIn(f'{made}: groups[1] at 0x', p.stdout.decode())
        self.assertNotIn(' 0 with problems', p.stdout.decode())

    def test_archives_that_lost_their_content(self):
        for name, image, lost, what in (('x.iso', discs.gamecube({**GAMECUBE, 'Metroid1.pak': bytes(len(PAK))}), 'Metroid1.pak', 'Metroid Prime 1 and 2 archive (PAK)'),
                                        ('y.iso', discs.iso({**CD, 'FF9.IMG': bytes(99999)}), 'FF9.IMG', 'Final Fantasy IX (PlayStation) image')):
            path = self.made(name, image)
            message = f'{path}:{lost}: begins with {min(65536, len(PAK)) if name == "x.iso" else 65536} zeros, expected {what}\n'
            self.check(run('convert', path, '-o', self.path('out/'), '-q'), 1, 'reanima: ' + message)
            self.assertEqual(self.check(run('check', path, '-q'), 1).stdout.decode(), message)
            entries = json.loads(self.check(run('list', '-r', '--json', path), 0).stdout)['entries']
            self.assertEqual([e['name'] for e in entries if e['damaged']], [f'{path}:{lost}'])

    def test_a_group_that_is_shorter_than_its_chunk(self):
        files = {'a.bin': bytes(range(1, 251)) * 200}
        image = discs.wia(discs.gamecube(files, first=0x4000), 'none', damage=lambda rows: rows[0].__setitem__(1, 0x7000))
        self.refused(self.made('x.rvz', image), f'groups[0] at 0x200: has {0x7000} bytes, expected {0x8000}')
        path = self.made('x.rvz', discs.wia(discs.gamecube(files, first=0x4000), 'none', damage=lambda rows: rows[1].__setitem__(1, 0x100)))
        p = self.check(run('extract', path, 'a.bin', '-o', self.path('out')), 1)
        self.assertIn(f'groups[1] at 0x{0x8200:x}: has 256 bytes, expected {0x8000}', p.err)

    @needs('lzma')
    def test_areas_that_share_a_group(self):
        disc = bytearray(discs.gamecube({'a.txt': b'A' * 64, 'b.txt': b'B' * 64}, first=0x4000, size=0x20000))
        disc[0x14000:0x14040] = b'C' * 64
        struct.pack_into('>I', disc, 0x2440 + 24 + 4, 0x8000 + 0x14000)
        image = bytearray(discs.wia(bytes(disc), 'lzma', 0x20000))
        areas = discs.lzma1(struct.pack('>QQIIQQII', 0x80, 0x8000 - 0x80, 0, 1, 0x8000, 0x20000, 0, 1))
        struct.pack_into('>Q', image, 0x24, 0x28000)
        struct.pack_into('>IQI', image, 0xFC, 2, len(image), len(areas))
        self.holds(self.made('x.rvz', image + areas), {'a.txt': b'A' * 64, 'b.txt': b'C' * 64})

    def test_long_paths(self):
        listed = json.loads(self.check(run('list', self.made('x.iso', hostile.disc_of_folders(31, 2)), '--json'), 0).stdout)['entries']
        self.assertEqual([e['name'] for e in listed], ['n' * 200 + '/' + 'n' * 200 + '/x' + number for number in ('', '_2')])
        p = self.check(run('list', self.made('y.iso', hostile.disc_of_folders(31, 20000)), '--limit-memory', 16), 4)
        self.assertRegex(p.err, r'would need 17 MiB of memory, but the limit is 16 \(see --limit-memory MIB\)\n$')

    @needs('lzma', 'zstd')
    def test_what_is_wrong_with_areas_and_groups(self):
        disc = discs.gamecube({'a.txt': b'1'})
        whole = discs.wia(disc, 'none')
        area = struct.pack('>QQII', 0x80, len(disc) - 0x80, 0, 2)
        at = whole.index(area)
        for other, problem in (((0x80, len(disc) - 0x80, 0, 0), 'byte 0x0 of the disc belongs to no group'),
                               ((0x80, len(disc), 0, 2), f'areas[0] at 0x{at:x}: lies at 0x80 to 0x{len(disc) + 0x80:x}, but the disc has only 0x{len(disc):x} bytes'),
                               ((0x80, len(disc) - 0x80, 1, 2), f'areas[0] at 0x{at:x}: has 2 groups, beginning with number 1, but the disc has 2')):
            self.refused(self.made('x.rvz', whole.replace(area, struct.pack('>QQII', *other))), problem)
        purged = bytearray(discs.wia(disc, 'purge', 0x200000, False))
        struct.pack_into('>I', purged, 0x204, 0x300000)
        self.refused(self.made('x.wia', purged), f'groups[0] at 0x200: has 3145728 bytes at 0, outside its chunk of {len(disc)} bytes')
        for packing, value, problem in (('lzma2', 41, 'its LZMA2 properties are not valid'), ('lzma', 255, 'its LZMA properties are not valid')):
            image = bytearray(discs.wia(disc, packing))
            image[0x48 + 0xD5] = value
            at, = struct.unpack_from('>Q', image, 0x48 + 0xB8)
            self.refused(self.made('x.rvz', image), f'areas at 0x{at:x}: {problem}')
        large = discs.gamecube({'a.txt': bytes(range(256)) * 400})
        self.refused(self.made('x.rvz', discs.wia(large, damage=lambda rows: rows[0].__setitem__(2, 0x7FFFFFF0))),
                     'groups[0] at 0x200: has 2147483632 packed bytes, too many for 32768 unpacked bytes')
        image = bytearray(discs.wia(large, 'none'))
        struct.pack_into('>I', image, 0x48 + 0xC4, 0x0FFFFFFF)
        self.refused(self.made('x.rvz', image), f'group_count at 0x10c: is 268435455, but a disc of {len(large)} bytes has at most {-(-len(large) // 0x8000) + 1}')
        small = discs.gamecube({'a.bin': discs.numbers(discs.SEED, 0x1000, 3000)}, first=0x1000)
        image = discs.wia(small, 'none', padding=(0x1000, 3000)).replace(struct.pack('>I', 3000 | 1 << 31), b'\xff' * 4, 1)
        self.refused(self.made('x.rvz', image), f'groups[0] at 0x200: unpacks to {0x1000 + 0x7FFFFFFF} bytes or more, expected {len(small)}')
        image = bytearray(discs.gcz(large))
        struct.pack_into('<Q', image, 0x28, 1 << 40)
        at = 0x20 + 12 * -(-len(large) // 0x4000)
        self.refused(self.made('x.gcz', image), f'blocks[0] at 0x{at:x}: begins at 0x0 and ends at 0x10000000000 of the packed data, expected 1 to 16384 bytes')
        struct.pack_into('<I', image, 0x1C, 1)
        self.refused(self.made('x.gcz', image), f'block_count at 0x1c: is 1, which is too few for a disc of {len(large)} bytes')

    def test_what_is_wrong_with_headers(self):
        disc = discs.gamecube(GAMECUBE)
        for at, value, problem in ((0x08, 0x02000000, 'oldest_reader at 0x8: is 0x2000000, a later version; expected at most 0x1000000'),
                                   (0x24, 0x10, 'disc_size at 0x24: is 68719'),
                                   (0x48, 3, 'console at 0x48: is 3, expected 1\n'),
                                   (0x4C, 9, 'packing at 0x4c: is 9, which is not a known method\n'),
                                   (0x54, 0, 'chunk_size at 0x54: is 0, expected a multiple of 2097152 up to 67108864 (in an RVZ also a smaller power of two, at least 32768)\n'),
                                   (0xFC, 0x10000, 'area_count at 0xfc: is 65536, expected at most 4096\n'),
                                   (0x10C, 99, 'group_count at 0x10c: is 99, but a disc of ')):
            image = bytearray(discs.wia(disc, 'none'))
            struct.pack_into('>I', image, at, value)
            path = self.made('x.rvz', image)
            p = self.check(run('list', path), 1)
            self.assertTrue(p.err.startswith(f'reanima: {path}: {problem}'), p.err)
        for at, value, problem in ((0x10, 1 << 40, f'disc_size at 0x10: is {1 << 40}, expected at most 17179869184'),
                                   (0x18, 3, 'block_size at 0x18: is 3, expected a power of two up to 67108864')):
            image = bytearray(discs.gcz(disc))
            struct.pack_into('<Q' if at == 0x10 else '<I', image, at, value)
            self.refused(self.made('x.gcz', image), problem)
        image = bytearray(discs.gcz(disc, sums=lambda data: 1))
        p = self.check(run('list', self.made('x.gcz', image)), 1)
        self.assertRegex(p.err, r': blocks\[0\] at 0x[0-9a-f]+: has the checksum 0x[0-9a-f]+, expected 0x1\n$')

    def test_other_consoles_are_named(self):
        wii = bytearray(discs.gamecube(GAMECUBE))
        wii[0x18:0x20] = bytes.fromhex('5d1c9ea300000000')
        said = 'its version of Metroid Prime is not supported; use the GameCube version'
        self.refused(self.made('x.iso', wii), f'is a disc image of the Wii; {said}')
        self.refused(self.made('x.rvz', discs.wia(bytes(wii), console=2)), f'is a disc image of the Wii (RVZ); {said}')
        self.refused(self.made('x.wia', discs.wia(bytes(wii), 'purge', 0x200000, False, console=2)), f'is a disc image of the Wii (WIA); {said}')
        self.refused(self.made('x.wbfs', discs.wbfs(bytes(wii))), 'is a disc image in the WBFS format; it is a Wii disc, and the Wii version of Metroid Prime is not supported; use the GameCube version')
        self.refused(self.made('x.ciso', discs.ciso(bytes(wii))), f'is a disc image of the Wii; {said}')
        wii = wii[:0x9000]
        for image in (discs.ciso(bytes(wii)), discs.gcz(bytes(wii))):
            self.refused(self.made('x.iso', image), f'is a disc image of the Wii; {said}')

    def test_a_disc_is_not_written(self):
        path = self.made('x.iso', discs.gamecube(GAMECUBE))
        p = self.check(run('pack', self.made('a.txt', 'other'), '--into', path, '-o', self.path('y.iso')), 1)
        self.assertIn('is an archive that reanima can\'t write (GameCube disc); `extract` the entry, edit the extracted file, and put it back with a tool for disc images', p.err)


class FinalFantasy8(DiscCase):
    FILES = {'c0m900.dat': MONSTER, 'sub\\Note.txt': b'note' * 50, 'empty': b''}

    def made_fs(self, files, packing=0, names=('battle.fs', 'battle.fi', 'battle.fl')):
        for name, content in zip(names, discs.fs(files, packing)):
            write(self.path(name), content)
        return self.path(names[0])

    def test_every_packing(self):
        expected = {name.replace('\\', '/'): data for name, data in self.FILES.items()}
        for packing in (0, 2, 1):
            path = self.made_fs(self.FILES, packing, ('battle.fs', 'BATTLE.FI', 'Battle.Fl'))
            if packing < 2 or has('lz4'):
                self.holds(path, expected)
                continue
            self.check(run('list', path), 0)
            p = self.check(run('extract', path, 'c0m900.dat', '-o', self.path('out')), 1)
            self.assertIn("c0m900.dat at 0x0: is packed with LZ4, which this build of reanima can't unpack. Use a build with all libraries\n", p.err)
        self.holds(self.path('BATTLE.FI'), expected)
        self.check(self.cli('convert', 'battle.fs:c0m900.dat', '-o', 'one.glb', '-q', '--depfile', 'one.d'), 0)
        self.assertEqual(read(self.path('one.d')).decode(), 'one.glb: \\\n  battle.fs \\\n  BATTLE.FI \\\n  Battle.Fl\n')
        self.check(run('convert', sample('ff8', 'c0m900.dat'), '-o', self.path('two.glb'), '-q'), 0)
        self.assertEqual(len(read(self.path('one.glb'))), len(read(self.path('two.glb'))))

    def test_archives_in_archives(self):
        inner = discs.fs({'c0m900.dat': MONSTER}, 1)
        outer = self.made_fs({'xx\\in.fs': inner[0], 'xx\\in.fi': inner[1], 'xx\\in.fl': inner[2], 'c0m901.dat': MONSTER})
        self.holds(outer + ':in.fs', {'c0m900.dat': MONSTER})
        self.check(run('convert', outer, '-o', self.path('out/'), '-q'), 0)
        made = sorted(os.path.relpath(os.path.join(d, f), self.path('out')) for d, _, fs in os.walk(self.path('out')) for f in fs)
        self.assertEqual(made, ['battle/c0m901.glb', 'battle/xx/in/c0m900.glb'])

    @needs('lz4')
    def test_the_release_of_2019(self):
        battle = discs.fs({'c0m900.dat': MONSTER}, 2)
        path = self.made('main.zzz', discs.zzz({f'data\\lang-en\\battle.{e}': b for e, b in zip(('fs', 'fi', 'fl'), battle)}))
        self.holds(path + ':data/lang-en/battle.fs', {'c0m900.dat': MONSTER})
        self.check(run('convert', path + ':c0m900.dat', '-o', self.path('one.glb'), '-q'), 0)
        image = bytearray(read(path))
        image[0:4] = struct.pack('<I', 99999)
        self.refused(self.made('main.zzz', image), f'entry_count at 0x0: is 99999, but the file has room for only {(len(image) - 4) // 16}')

    def test_what_is_wrong(self):
        path = self.made_fs(self.FILES)
        os.remove(self.path('battle.fl'))
        self.refused(path, 'needs its list of names battle.fl beside it')
        write(self.path('battle.fl'), b'one name\r\n')
        self.refused(path, 'has 1 names in battle.fl, but 36 bytes in battle.fi; expected 12 bytes for each name')
        for at, value, problem in ((0, 0x7FFFFFFF, 'states 2147483647 unpacked bytes for'), (8, 3, 'is packed with method 3, expected 0, 1 or 2'),
                                   (0, 60000, 'unpacks to')):
            path = self.made_fs({'a.dat': MONSTER, 'b.dat': b'sound'}, 1)
            table = bytearray(read(self.path('battle.fi')))
            struct.pack_into('<I', table, at, value)
            write(self.path('battle.fi'), table)
            p = self.check(run('extract', path, 'a.dat', '-o', self.path('out')), 1)
            self.assertIn(problem, p.err)
            self.check(run('extract', path, 'b.dat', '-o', self.path('out'), '--force'), 0)


    @needs('lz4')
    def test_many_files_in_little_data(self):
        def repeated(unit, count):
            size = len(unit) * count - len(unit) - 5 - 19
            packed = bytes([len(unit) << 4 | 15]) + unit + struct.pack('<H', len(unit)) + b'\xff' * (size // 255) + bytes([size % 255])
            return packed + b'\x50' + (unit * 5)[len(unit) * 5 - 5:]
        data, table, names = b'', b'', b''
        for ending, unit, size in (('fs', b'\0', 48), ('fi', b'\0', 12 * 100000), ('fl', b'a\n', 2 * 100000)):
            packed = repeated(unit, size // len(unit))
            table += struct.pack('<III', size, len(data), 2)
            data += struct.pack('<I', 8 + len(packed)) + b'4ZL_' + struct.pack('<I', size) + packed
            names += b'in.' + ending.encode() + b'\n'
            if ending == 'fi':
                stored = 12 + len(packed)
        for name, content in zip(('x.fs', 'x.fi', 'x.fl'), (data, table, names)):
            write(self.path(name), content)
        p = self.check(run('list', self.path('x.fs') + ':in.fs'), 4)
        self.assertEqual(p.err, f"reanima: {self.path('x.fs')}:in.fs: has 100000 entries, but the limit for {stored} packed bytes is {0x10000 + stored // 8}\n")

    @needs('lz4')
    def test_a_packed_entry_without_its_size(self):
        for packing in (1, 2):
            path = self.made_fs({'a.dat': MONSTER, 'b.dat': b''}, packing)
            size, table = len(read(path)), bytearray(read(self.path('battle.fi')))
            for at in (size - 2, size):
                struct.pack_into('<II', table, 12, 0, at)
                write(self.path('battle.fi'), table)
                p = self.check(run('extract', path, 'b.dat', '-o', self.path('out')), 1)
                self.assertIn(f'reanima: {path}: b.dat at 0x{at:x}: would be at 0x{at:x} to 0x{at + 4:x}, but the archive has only 0x{size:x} bytes\n', p.err)


@needs('lz4')
class DamagedLz4(DiscCase):
    def test_a_length_that_leads_out_of_it(self):
        path, *others = (self.path('x' + ending) for ending in ('.fs', '.fi', '.fl'))
        data, *tables = discs.fs({'c0m900.dat': b'abc' * 50}, 2)
        for name, table in zip(others, tables):
            write(name, table)
        write(path, data[:12] + b'\xf0\xff\xff' + data[15:])
        p = self.check(run('extract', path, 'c0m900.dat', '-o', self.path('out')), 1)
        self.assertIn('its LZ4 stream is damaged: a reference or length points outside the data', p.err)


class NotWritten(DiscCase):
    def test_archives_of_final_fantasy_viii_are_not(self):
        write(self.path('edit/c0m900.dat'), b'new')
        names = [self.made('x' + ending, data) for ending, data in zip(('.fs', '.fi', '.fl'), discs.fs({'c0m900.dat': MONSTER}))]
        for path, label in ((names[0], 'FS'), (self.made('x.zzz', discs.zzz({'data\\c0m900.dat': MONSTER})), 'ZZZ')):
            p = self.check(run('pack', self.path('edit'), '--into', path, '-o', self.path('new')), 1)
            self.assertIn('is an archive that reanima can\'t write', p.err)
            self.assertIn(f'({label})); `extract` the entry, edit the extracted file, and pack it with a tool for these archives', p.err)


class Samples(DiscCase):
    @needs(*LIBRARIES)
    def test_one_of_each_kind(self):
        discs.main(self.path('made'))
        models = {'plain': 3, 'mode2': 3, 'mode2-cdlz': 3}
        for name in sorted(os.listdir(self.path('made'))):
            with self.subTest(name):
                self.assertGreater(len(json.loads(self.check(run('list', self.path('made/' + name), '--json'), 0).stdout)['entries']), 0)
                self.check(run('convert', self.path('made/' + name), '-o', self.path('out/'), '-q'), 0)
                glbs = [n for _, _, names in os.walk(self.path('out')) for n in names]
                self.assertEqual(len(glbs), models.get(name.split('.')[0], 1), glbs)
                shutil.rmtree(self.path('out'))


class Witnesses(DiscCase):
    """Images made by other programs; only in the long mode."""

    def setUp(self):
        super().setUp()
        if not LONG:
            self.skipTest('REANIMA_LONG is not set')

    def program(self, name):
        path = shutil.which(name, path=os.environ['PATH'] + ':/usr/games')
        if path is None:
            self.skipTest(name + ' is not installed')
        return path

    def test_genisoimage_and_chdman(self):
        for name, data in CD.items():
            os.makedirs(os.path.dirname(self.path('root/' + name)), exist_ok=True)
            write(self.path('root/' + name), data)
        subprocess.run([self.program('genisoimage'), '-quiet', '-iso-level', '1', '-o', self.path('disc.iso'), self.path('root')], check=True)
        image = read(self.path('disc.iso'))
        self.holds(self.path('disc.iso'), CD)
        for mode, data in (('MODE1/2352', 16), ('MODE2/2352', 24)):
            write(self.path('disc.bin'), discs.sectors(image, 2352, data))
            write(self.path('disc.cue'), f'FILE "disc.bin" BINARY\n  TRACK 01 {mode}\n    INDEX 01 00:00:00\n')
            for codecs in ('none', 'cdzl', 'cdlz', 'cdfl', 'cdlz,cdzl,cdfl') if has('cdlz') and has('cdfl') else ('none', 'cdzl'):
                subprocess.run([self.program('chdman'), 'createcd', '-f', '-i', self.path('disc.cue'), '-o', self.path('disc.chd'), '-c', codecs],
                               check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                self.holds(self.path('disc.chd'), CD)

    def test_wit(self):
        write(self.path('disc.iso'), discs.gamecube(GAMECUBE, size=0x200000))
        for form, packing in (('ciso', None), ('wbfs', None), ('gcz', None), *(('wia', p) for p in discs.PACKINGS if p != 'zstd')):
            target = self.path('made.' + form)
            subprocess.run([self.program('wit'), 'copy', '--raw', '--overwrite', f'--{form}' + (f'={packing}' if packing else ''), self.path('disc.iso'), target],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.holds(target, GAMECUBE, packing)


    def test_dolphin_tool(self):
        write(self.path('disc.iso'), discs.gamecube(GAMECUBE, size=0x200000))
        for form, block, packings in (('rvz', 0x20000, ('none', 'zstd', 'lzma', 'lzma2')), ('rvz', 0x8000, ('zstd',)), ('wia', 0x200000, ('none', 'lzma', 'lzma2')),
                                      ('gcz', 0x8000, ('',))):
            for packing in packings:                                  # its bzip2 is broken
                target = self.path('made.' + form)
                packed = ['-c', packing, '-l', '5'] if packing and packing != 'none' else ['-c', 'none'] if packing else []
                subprocess.run([self.program('dolphin-tool'), 'convert', '-u', self.path('user'), '-i', self.path('disc.iso'), '-o', target, '-f', form,
                                '-b', str(block), *packed], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                self.holds(target, GAMECUBE, packing)


if __name__ == '__main__':
    unittest.main()
