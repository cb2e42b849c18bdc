"""Archives in the command: list, extract, ARCHIVE:ENTRY as any input, and whole archives as inputs."""
import json, os, stat, struct, subprocess, unittest

from gltf_files import parts
from support import Case, Scene, read, run, sample, write
import ff9_container as ff9
import hostile
import writers                                    # by the description of the formats

HERO = [(name, '', read(sample('ff7', name))) for name in ('hraa', 'hrda')]


def extras(path):
    data = read(path)
    return parts(data)[0]['scenes'][0]['extras']['reanima']


def clips(path):
    return [c['name'] for c in extras(path)['clips']]


class ArchiveCase(Case):
    def lgp(self, files, name='battle.lgp'):
        return write(self.path(name), writers.lgp(files)[0])


class Extract(ArchiveCase):
    def test_nothing_is_written_through_a_link(self):
        self.lgp([('aaaa', 'field', b'1'), ('aaaa', 'other', b'2'), ('bbbb', '', b'3'), ('cccc', '', b'4')])
        os.makedirs(self.path('outside'))
        os.makedirs(self.path('out'))
        write(self.path('outside/target'), 'kept')
        os.symlink(self.path('outside'), self.path('out/field'))
        os.symlink(self.path('outside/target'), self.path('out/cccc'))
        os.symlink(self.path('outside/new'), self.path('out/bbbb'))
        p = self.check(self.cli('extract', 'battle.lgp', '-o', 'out', '--force'), 3)
        for name in ('field', 'cccc', 'bbbb'):
            self.assertIn(f'reanima: out/{name}: can\'t be written: it is a link\n', p.err)
        self.assertIn('wrote 1 of 4 files to out\n', p.err)
        self.assertEqual(os.listdir(self.path('outside')), ['target'])
        self.assertEqual(read(self.path('outside/target')), b'kept')
        self.assertEqual(read(self.path('out/other/aaaa')), b'2')

    def test_nothing_is_written_into_a_pipe_or_a_device(self):
        self.lgp([('aaaa', '', b'1'), ('bbbb', '', b'2'), ('cccc', '', b'3')])
        os.makedirs(self.path('out'))
        os.mkfifo(self.path('out/aaaa'))
        bad = ['aaaa']
        if os.geteuid() == 0:
            os.mknod(self.path('out/cccc'), 0o600 | stat.S_IFCHR, os.makedev(1, 3))
            bad.append('cccc')
        p = self.check(self.cli('extract', 'battle.lgp', '-o', 'out', '--force'), 3)
        self.assertEqual(p.err, ''.join(f"reanima: out/{name}: can't be written: it is a device or a pipe\n" for name in bad)
                         + f'wrote {3 - len(bad)} of 3 files to out\n')

    def test_the_sum_has_a_bound(self):
        write(self.path('x.lgp'), hostile.lgp_of_one_place(600, 500000))
        p = self.check(self.cli('extract', 'x.lgp', '-o', 'out', '-q'), 4)
        self.assertEqual(p.err, 'reanima: x.lgp: would be extracted to 300000000 bytes, but the limit is 67108864 (see --limit-output MIB)\n')
        self.assertFalse(os.path.exists(self.path('out')))
        self.check(self.cli('extract', 'x.lgp', '-o', 'out', '-q', '--limit-output', 286), 4)
        self.check(self.cli('extract', 'x.lgp', 'aaaa', 'aaab', '-o', 'out', '-q', '--limit-output', 1), 0)
        self.check(self.cli('extract', 'x.lgp', *(f'#{i}' for i in range(100)), '-o', 'few', '-q'), 0)
        write(self.path('y.lgp'), hostile.lgp_of_one_place(21, 5000000))
        self.tells('would be extracted to 105000000 bytes, but the limit is 100', 'extract', 'y.lgp', '-o', 'more', '-q', status=4)

    def test_many_files_of_little_need_a_word(self):
        write(self.path('x.pak'), hostile.pak_rows(4300, b'ANIM'))
        self.check(self.cli('extract', 'x.pak', '-o', 'out', '-q'), 0)
        write(self.path('x.pak'), hostile.pak_rows(5000, b'ANIM'))
        p = self.check(self.cli('extract', 'x.pak', '-o', 'more', '-q'), 4)
        most = 4096 + os.path.getsize(self.path('x.pak')) // 256
        self.assertEqual(p.err, f'reanima: x.pak: would be extracted to 5000 files, but the limit for an archive of its size is {most} (see --limit-output MIB)\n')
        self.assertFalse(os.path.exists(self.path('more')))
        self.check(self.cli('extract', 'x.pak', '-o', 'more', '-q', '--limit-output', 1), 0)
        self.assertEqual(len(os.listdir(self.path('more'))), 5000)

    def test_the_disk_has_to_have_room(self):
        if os.geteuid() != 0:
            self.skipTest('only root mounts')
        write(self.path('x.lgp'), hostile.lgp_of_one_place(10, 10000))
        disk = self.path('disk')
        os.mkdir(disk)
        if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=48k', 'none', disk], stderr=subprocess.DEVNULL).returncode:
            self.skipTest('no file system can be mounted here')
        try:
            p = self.check(self.cli('extract', 'x.lgp', '-o', 'disk/a/b', '-q'), 4)
            self.assertRegex(p.err, r'would be extracted to 122880 bytes on the disk, but it has room for only \d+ \(see --limit-output MIB\)\n')
            self.assertEqual(os.listdir(disk), [])
            p = self.check(self.cli('extract', 'x.lgp', '-o', 'disk', '-q', '--limit-output', 1), 3)
            self.assertRegex(p.err, r"^reanima: disk/aaa\w: can't be written: No space left on device\n$")
            write(self.path('small.lgp'), hostile.lgp_of_one_place(20, 100))      # 2000 bytes, but 20 blocks
            p = self.check(self.cli('extract', 'small.lgp', '-o', 'disk/c', '-q'), 4)
            self.assertRegex(p.err, r'would be extracted to 81920 bytes on the disk, but it has room for only \d+ \(see --limit-output MIB\)\n')
            subprocess.run(['mount', '-o', 'remount,ro', disk], check=True)
            p = self.check(self.cli('extract', 'small.lgp', '-o', 'disk/c', '-q', '--limit-output', 1), 3)
            self.assertRegex(p.err, r"^reanima: disk/c/\w+: can't be written: Read-only file system\n$")
        finally:
            subprocess.run(['umount', disk])

    def test_files_are_not_replaced_unless_it_is_said(self):
        self.lgp([('aaaa', '', b'new'), ('bbbb', '', b'also')])
        write(self.path('out/aaaa'), 'old')
        self.check(self.cli('extract', 'battle.lgp', '-o', 'out'), 2, 'reanima: out/aaaa: exists; --force replaces it\n')
        self.assertEqual(os.listdir(self.path('out')), ['aaaa'])
        self.check(self.cli('extract', 'battle.lgp', '-o', 'out', '--force'), 0)
        self.assertEqual(read(self.path('out/aaaa')), b'new')
        self.check(self.cli('extract', 'battle.lgp', 'BBBB', '-o', '.', '--force'), 0)
        self.check(self.cli('extract', 'out/aaaa', '-o', 'x'), 1, 'reanima: out/aaaa: is Final Fantasy VII (PC) battle skeleton, not an archive. `reanima info` shows what it contains\n')

    def test_an_archive_does_not_replace_itself(self):
        self.lgp([('battle.lgp', '', b'x')])
        self.check(self.cli('extract', 'battle.lgp', '-o', '.', '--force'), 2, 'reanima: ./battle.lgp: the output is an input\n')

    def test_what_is_there_is_written(self):
        self.lgp([('aaaa', '', b'1')])
        p = self.check(self.cli('extract', 'battle.lgp', 'aaaa', 'nope', '#0', '-o', 'out'), 1)
        self.assertEqual(p.err, 'reanima: battle.lgp: contains no entry \'nope\'; it contains aaaa\nwrote 1 of 1 files to out\n')

    def test_names_without_case(self):
        self.lgp([('aaaa', '', b'1'), ('AAAA', '', b'2'), ('Aaaa', '', b'3')], 'x.lgp')
        self.check(self.cli('extract', 'x.lgp', '-o', 'out'), 0)
        self.assertEqual(sorted(os.listdir(self.path('out'))), ['AAAA_2', 'Aaaa_3', 'aaaa'])


class List(ArchiveCase):
    def test_as_a_table(self):
        p = self.check(run('list', 'battle.lgp', cwd=sample('archives')), 0, '`reanima list -r battle.lgp` also shows characters and clips\n')
        names = sorted(name for name in os.listdir(sample('ff7')) if len(name) == 4 and name.startswith('hr'))
        sizes = [os.path.getsize(sample('ff7', name)) for name in names]
        at = 16 + 27 * len(names) + 3600 + 2                            # the table, letters, no folders; then a head per file
        rows = [f'{at + sum(sizes[:i]) + 24 * (i + 1):10x} {size:10}        {name}\n' for i, (name, size) in enumerate(zip(names, sizes))]
        self.assertEqual(p.stdout.decode(), f'battle.lgp: Final Fantasy VII (PC) archive (LGP), {len(names)} entries, {sum(sizes)} bytes\n\n'
                         '    offset       size  type  name\n' + ''.join(rows))

    def test_sample_archives_hold_the_dressed_heroes(self):
        for entry, loose in (('battle.lgp:hrda', ('ff7', 'hrda')), ('FF9.IMG:10/301', ('ff9', 'hero.ff9db'))):
            self.check(run('convert', sample('archives', entry), *(['--rate', '30'] if loose[0] == 'ff9' else []), '-o', self.path('packed.glb'), '--force'), 0)
            self.check(run('convert', sample(*loose), *(['--rate', '30'] if loose[0] == 'ff9' else []), '-o', self.path('loose.glb'), '--force'), 0)
            packed, single = Scene(read(self.path('packed.glb'))), Scene(read(self.path('loose.glb')))
            self.assertGreater(len(packed.g['images']), 0)
            self.assertEqual(packed.blob, single.blob)                  # triangles, texels and clips
            self.assertEqual([m['name'] for m in packed.g['meshes']], [m['name'] for m in single.g['meshes']])

    def test_damaged_entries_are_marked(self):
        data = bytearray(writers.lgp([('aaaa', '', b'1'), ('bbbb', '', b'2')])[0])
        struct.pack_into('<I', data, 36, 0x7FFFFF00)
        write(self.path('x.lgp'), data)
        p = self.check(self.cli('list', 'x.lgp'), 0, "warning: aaaa: its data would begin at 0x7fffff00: needs 24 bytes, but only 0 are left\n"
                       '`reanima list -r x.lgp` also shows characters and clips\n')
        self.assertIn('  7fffff00          0        aaaa (damaged)  pyramid\n', p.stdout.decode())
        self.assertTrue(json.loads(self.cli('list', 'x.lgp', '--json').stdout)['entries'][0]['damaged'])
        self.check(self.cli('list', 'x.lgp', '--strict'), 1)


class Damaged(ArchiveCase):
    def test_a_damaged_pack_does_not_take_the_skeleton_with_it(self):
        data = bytearray(writers.lgp(HERO)[0])
        at = data.index(b'hrda')
        struct.pack_into('<I', data, at + 20, 0x7FFFFF00)
        write(self.path('battle.lgp'), data)
        self.tells('battle.lgp:hraa: note: no animation moves hraa, so all its angles are 0\n', 'convert', 'battle.lgp:hraa', '-o', 'x.glb')


class Info(ArchiveCase):
    def test_a_line_per_file(self):
        pieces = [name for name in sorted(os.listdir(sample('ff7'))) if 'hram' <= name < 'hrda' and len(name) == 4]
        triangles = {name: struct.unpack_from('<I', read(sample('ff7', name)), 36)[0] for name in pieces}       # the header's number
        alone = {**triangles, 'hrap': triangles['hrap'] - 2}            # without a picture two of the head's faces are the same
        look = f'{sum(triangles.values())} triangles, 2 textures'
        body = sum(triangles.values()) - triangles['hrck'] - 2          # the other hero has no sword, and nothing below his face
        p = self.check(run('info', 'archives', cwd=sample()), 0)
        self.assertEqual(p.stdout.decode().splitlines(), [
            'archives/FF9.IMG:10/300: Final Fantasy IX (PlayStation) DB or chunk, 3 clips, 5 joints',
            'archives/FF9.IMG:10/301: Final Fantasy IX (PlayStation) DB or chunk, 3 clips, 26 joints, ' f'{body} triangles, 1 texture',
            f'archives/battle.lgp:hraa: Final Fantasy VII (PC) battle skeleton, 22 joints, {look}',
            *(f'archives/battle.lgp:{name}: Final Fantasy VII (PC) texture, 1 texture' for name in ('hrac', 'hrad')),
            *(f'archives/battle.lgp:{name}: Final Fantasy VII (PC) mesh, {alone[name]} triangles' for name in pieces),
            f'archives/battle.lgp:hrda: Final Fantasy VII (PC) battle animations, 4 clips, 22 joints, {look}',
            'archives/hero.pak:Hero.ANCS: Metroid Prime 1 and 2 character set, 3 clips, 27 joints, 1176 triangles, 3 textures',
            'archives/hero.pak:5EED0003.CINF: Metroid Prime 1 and 2 skeleton, 27 joints',
            'archives/hero.pak:5EED0001.EVNT: Metroid Prime events of an animation',
            'archives/hero.pak:5EED00A1.CMDL: Metroid Prime 1 and 2 model, 1176 triangles, 3 textures',
            'archives/hero.pak:5EED00A2.CSKR: Metroid Prime 1 and 2 skin (CSKR)',
            *(f'archives/hero.pak:5EED011{i}.TXTR: Metroid Prime 1 and 2 texture, 1 texture' for i in (1, 2, 3)),
            *(f'archives/hero.pak:5EED001{i}.ANIM: Metroid Prime 1 and 2 animation, 1 clip, {n} joints' for i, n in enumerate((21, 21, 21, 21)))])
        answer = json.loads(self.check(run('info', 'archives/battle.lgp', '--json', cwd=sample()), 0).stdout)
        self.assertEqual([a['file'] for a in answer], [f'archives/battle.lgp:{name}' for name in ('hraa', 'hrac', 'hrad', *pieces, 'hrda')])

    def test_a_damaged_file_stops_no_other(self):
        self.lgp([*HERO, ('zzda', '', b'\1\0')])
        p = self.check(self.cli('info', 'battle.lgp'), 1)
        self.assertEqual(len(p.stdout.splitlines()), 2)
        self.assertIn('reanima: battle.lgp:zzda: count at 0x0: needs 4 bytes, but only 2 are left\n', p.err)


class Entries(ArchiveCase):
    """An entry of an archive is converted like a file."""

    def setUp(self):
        super().setUp()
        self.lgp(HERO)
        for name, _, data in HERO:
            write(self.path('loose', name), data)

    def test_companions_are_found_inside(self):
        self.check(self.cli('convert', 'battle.lgp:hrda'), 0)
        self.check(self.cli('convert', 'loose/hrda', '-o', 'loose.glb'), 0)
        self.assertEqual(read(self.path('hrda.glb')), read(self.path('loose.glb')))
        self.assertEqual(extras(self.path('hrda.glb'))['skeleton'], 'found')

    def test_wherever_an_input_is_named(self):
        want = self.check(self.cli('convert', 'loose/hrda', '-s', 'loose/hraa', '--rest', 'loose/hrda:1:2', '-o', 'want.glb'), 0) and read(self.path('want.glb'))
        self.check(self.cli('convert', 'loose/hrda', '-s', 'battle.lgp:HRAA', '--rest', 'battle.lgp:hrda:1:2', '-o', 'a.glb', '--depfile', 'a.d'), 0)
        self.assertEqual(extras(self.path('a.glb'))['clips'], extras(self.path('want.glb'))['clips'])
        self.assertEqual(read(self.path('a.glb'))[-4096:], want[-4096:])
        self.assertEqual(read(self.path('a.d')).decode().split(), ['a.glb:', '\\', 'battle.lgp', '\\', 'loose/hrda'])
        job = {'schema': 1, 'inputs': ['../battle.lgp:hrda'], 'skeleton': '../battle.lgp:hraa', 'output': '../b.glb', 'options': {'rest': '../battle.lgp:hrda:1:2'}}
        write(self.path('jobs/b.reanima.json'), json.dumps(job))
        self.check(self.cli('convert', 'jobs/b.reanima.json'), 0)
        self.assertEqual(read(self.path('b.glb'))[-4096:], want[-4096:])

    def test_dump_check_and_info(self):
        for verb in ('dump', 'check', 'info'):
            inside, loose = self.cli(verb, 'battle.lgp:hrda'), self.cli(verb, 'loose/hrda')
            self.assertEqual(inside.stdout, loose.stdout.replace(b'loose/hrda', b'battle.lgp:hrda'), verb)

    def test_an_archive_alone_is_named(self):
        self.check(self.cli('dump', 'battle.lgp'), 1, 'reanima: battle.lgp: is an archive, Final Fantasy VII (PC) archive (LGP), not an animation. Use battle.lgp:NAME for one of its entries (`reanima list` shows the names)\n')
        self.check(self.cli('convert', 'battle.lgp'), 2, 'reanima: battle.lgp: is an archive. Add -o FOLDER/ to convert everything, or use battle.lgp:NAME for one entry (`reanima list` shows them)\n')
        self.check(self.cli('convert', 'battle.lgp:nope'), 1, 'reanima: battle.lgp: contains no entry \'nope\'; it contains hraa, hrda; `reanima list battle.lgp` shows all\n')


class WholeArchives(ArchiveCase):
    def test_like_a_folder(self):
        odd = [('ttac', '', b'texture'), ('rtaa', '', HERO[0][2]), ('zzda', '', b'damaged pack')]
        self.lgp(HERO + odd)
        self.check(self.cli('convert', 'battle.lgp', '-o', 'out/', '-j2'), 1)
        self.assertEqual(self.files(), ['battle.lgp', 'out/battle/cloud.glb', 'out/battle/hrda.glb'])
        self.tells('2 unchanged, 0 converted, 1 failed', 'convert', '.', '-o', 'out/', '--if-changed', status=1)
        write(self.path('loose/hrda'), HERO[1][2])
        write(self.path('loose/hraa'), HERO[0][2])
        self.check(self.cli('convert', 'loose', '-o', 'folder/'), 0)
        self.assertEqual(read(self.path('folder/hrda.glb')), read(self.path('out/battle/hrda.glb')))

    def test_an_archive_inside_another_that_is_cut_off(self):
        write(self.path('main.zzz'), read(sample('discs', 'main.zzz'))[:319])
        for verb in (('convert', 'main.zzz', '-o', 'out/'), ('info', 'main.zzz'), ('preview', 'main.zzz', '-o', 'x.html'), ('check', 'main.zzz')):
            p = self.check(self.cli(*verb), 1)
            self.assertIn('main.zzz: data/lang-en/battle.fs at 0x76: would be at 0x76 to 0x3fb, but the archive has only 0x13f bytes\n', p.err + p.stdout.decode())
        p = self.check(self.cli('extract', 'main.zzz', '-o', 'out'), 1)
        self.assertIn('wrote 0 of 3 files to out\n', p.err)

    def test_a_damaged_archive_loses_no_other(self):
        write(self.path('in/bad.lgp'), writers.lgp(HERO)[0][:100])
        write(self.path('in/good.lgp'), writers.lgp(HERO)[0])
        p = self.check(self.cli('convert', 'in', '-o', 'out/'), 1)
        self.assertIn('reanima: in/bad.lgp: slots.count at 0x64: needs 2 bytes, but only 0 are left\n', p.err)
        self.assertIn('1 converted, 1 failed', p.err)

    def test_animations_that_do_not_fit_are_no_interruption(self):
        def animation(bones):
            return struct.pack('<3I4B5I', 1, 1, bones, 1, 0, 2, 0, 0, 0, 0, 0, 0) + bytes(24 + 12 * bones)
        skeleton = b':HEADER_BLOCK 2\n:SKELETON a\n:BONES 1\n\nb\nroot\n9\n0 \n'
        self.lgp([('aaaa.hrc', '', skeleton), ('aafe.a', '', animation(1)), ('aaff.a', '', animation(7))], 'char.lgp')
        p = self.check(self.cli('convert', 'char.lgp', '-o', 'out/', '--animations', 'char.lgp:aaf?.a'), 0)
        self.assertIn('1 of 2 animations are left out, because they move a different number of bones', p.err)
        self.assertNotIn('interrupted', p.err)

    def test_rates_by_directory(self):
        character = ff9.db([(2, [(300, ff9.model(2))]), (3, [(1, ff9.animation(2, 5, 0))])])
        directories = [(2, [(7, 0xFFFF, character)]) for _ in range(11)]
        write(self.path('FF9.IMG'), writers.img(directories)[0])
        self.check(self.cli('convert', 'FF9.IMG', '-o', 'out/', '-j2'), 0)
        rates = [extras(self.path('out/FF9', str(d), '7.glb'))['clips'][0]['rate'] for d in range(11)]
        self.assertEqual(rates, [30, 30, 30, 20, 30, 30, 30, 15, 30, 30, 15])
        self.check(self.cli('convert', 'FF9.IMG:10/7'), 0)
        self.assertEqual(read(self.path('7.glb')), read(self.path('out/FF9/10/7.glb')))
        self.check(self.cli('convert', 'FF9.IMG:10/7', '--rate', '24', '-o', 'a.glb'), 0)
        self.assertEqual(extras(self.path('a.glb'))['clips'][0]['rate'], 24)
        self.check(self.cli('convert', 'FF9.IMG:7/7:03/1', '-s', 'FF9.IMG:7/7:02/300', '-o', 'b.glb'), 0)
        self.assertEqual(extras(self.path('b.glb'))['clips'][0]['rate'], 15)


def character(name, skeleton, actions):
    return {'index': 0, 'version': 6, 'name': name, 'model': 1, 'skin': 2, 'skeleton': skeleton, 'animations': [(i, '', 'x') for i in actions]}


class CharacterSets(ArchiveCase):
    """hero: idle (0), walk (1) and attack (2, additive); spin is the transition from idle to walk."""
    ANIMS = ['hero_idle', 'hero_walk', 'hero_attack', 'hero_spin']

    def files(self, names=('hero',)):
        play = [('play', 0xA0 + i, i, name) for i, name in enumerate(('Idle', 'Walk', 'Attack', 'Spin'))]
        chars = [character(name, 0xC1, [0, 1, 2] if name == 'hero' else [1]) for name in names]
        ancs = writers.ancs(chars, [('idle', play[0]), ('walk', ('sequence', [play[1], play[0]])), ('attack', play[2]), ('spin', play[3])],
                            [(0, 0, 1, ('meta', play[3])), (0, 3, 1, ('snap',))], ('snap',), [(2, 0.1, 0.2)],
                            resources=[(0xA0 + i, 0xE1 if i == 1 else 0xFFFFFFFF) for i in range(4)])
        rows = [('ANCS', 0x5E7, ancs), ('CINF', 0xC1, read(sample('metroid', 'hero.CINF'))), ('EVNT', 0xE1, read(sample('metroid', 'hero_walk.EVNT')))]
        return rows + [('ANIM', 0xA0 + i, read(sample('metroid', name + '.ANIM'))) for i, name in enumerate(self.ANIMS)]

    def pak(self, rows):
        return write(self.path('m.pak'), writers.pak([('ANCS', 0x5E7, 'Hero')], [(*r, r[0] != 'CINF') for r in rows])[0])

    def test_a_character_is_one_file(self):
        self.pak(self.files())
        p = self.check(self.cli('convert', 'm.pak:hero.ancs', '-o', 'hero.glb'), 0)
        self.assertIn('additive animations are left out: Attack (see --additive)\n', p.err)
        self.assertEqual(clips(self.path('hero.glb')), ['Idle', 'Walk', 'Spin'])
        made = extras(self.path('hero.glb'))
        self.assertEqual(made['skeleton'], 'found')
        self.check(run('convert', sample('metroid', 'hero_walk.ANIM'), '-o', 'walk.glb', cwd=self.folder), 0)
        walk = extras(self.path('walk.glb'))['clips'][0]
        self.assertTrue(walk['events'])
        for key in ('events', 'frames', 'rate', 'loop'):
            self.assertEqual(made['clips'][1][key], walk[key], key)
        self.assertEqual([c['index'] for c in made['clips']], [0, 1, 2])
        p = self.check(self.cli('convert', 'm.pak:hero.ancs', '--additive', '-o', 'all.glb'), 0)
        self.assertNotIn('left out', p.err)
        everything = extras(self.path('all.glb'))['clips']
        self.assertEqual([(c['name'], c['index'], c['counters']['additive']) for c in everything],
                         [('Idle', 0, False), ('Walk', 1, False), ('Spin', 2, False), ('Attack', 3, True)])
        self.assertEqual(p.err.count('is additive: translations and rotations are written unchanged'), 1)

    def test_loose_files_are_found_by_their_ids(self):
        self.pak(self.files())
        for kind, i, data in self.files():
            write(self.path('loose', 'Hero.ANCS' if kind == 'ANCS' else f'{i:08x}.{kind}'), data)
        self.check(self.cli('convert', 'm.pak:Hero.ANCS', '-o', 'a.glb'), 0)
        self.check(self.cli('convert', 'loose/Hero.ANCS', '-o', 'b.glb', '--depfile', 'b.d'), 0)
        self.assertEqual(clips(self.path('b.glb')), clips(self.path('a.glb')))
        self.assertEqual(sorted(set(read(self.path('b.d')).decode().replace('\\\n', ' ').split()[1:])),
                         ['loose/000000a0.ANIM', 'loose/000000a1.ANIM', 'loose/000000a3.ANIM', 'loose/000000c1.CINF', 'loose/000000e1.EVNT', 'loose/Hero.ANCS'])
        # an output depends on its animations, so a changed one makes it again
        write(self.path('loose/000000a3.ANIM'), read(sample('metroid', 'hero_pose.ANIM')))
        self.tells('wrote b.glb', 'convert', 'loose/Hero.ANCS', '-o', 'b.glb', '--if-changed')
        self.tells('1 unchanged', 'convert', 'loose/Hero.ANCS', '-o', 'b.glb', '--if-changed')

    def test_several_characters(self):
        self.pak(self.files(('hero', 'Big One')))
        self.tells('contains 2 models, but an output can contain only one. Choose one with --model, or use -o FOLDER/ for all: hero (', 'convert', 'm.pak:Hero.ANCS', status=2)
        self.check(self.cli('convert', 'm.pak', '-o', 'out/', '-j2'), 0)
        self.assertEqual(sorted(os.listdir(self.path('out/m'))), ['Hero_Big_One.glb', 'Hero_hero.glb'])
        self.assertEqual(clips(self.path('out/m/Hero_Big_One.glb')), ['Walk', 'Idle'])
        self.check(self.cli('convert', 'm.pak:Hero.ANCS', '--model', 'Big_One', '-o', 'one.glb'), 0)
        self.assertEqual(read(self.path('one.glb')), read(self.path('out/m/Hero_Big_One.glb')))

    def test_what_is_missing_is_told(self):
        rows = self.files()
        self.pak([r for r in rows if r[1] != 0xA1])
        self.tells('1 of 3 animations were not found beside it: 000000A1.ANIM\n', 'convert', 'm.pak:Hero.ANCS', '-o', 'a.glb')
        self.assertEqual([c['index'] for c in extras(self.path('a.glb'))['clips']], [0, 2])
        self.pak([r for r in rows if r[0] != 'CINF'])
        self.check(self.cli('convert', 'm.pak:Hero.ANCS', '-o', 'b.glb'), 1, 'reanima: m.pak:Hero.ANCS: its skeleton 000000C1.CINF was not found beside it\n')


if __name__ == '__main__':
    unittest.main()
