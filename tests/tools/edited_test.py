#!/usr/bin/env python3
"""Files that a user edited are neither replaced by --if-changed nor removed by --prune; unedited files are."""
import json, os, shutil, unittest

from gltf_files import glb_around, parts
from support import Case, read, run, sample, write

PACK, SKELETON = sample('ff7', 'hrda'), sample('ff7', 'hraa')
EDITED = 'was edited after reanima wrote it; --force replaces it'
STAYS = 'stays, because it was edited after an earlier run made it'
GONE = 'removed, because this run did not make it again'


def renamed(glb):
    """Like the output of an editor that keeps the extras: one node has another name"""
    gltf, rest = parts(glb)
    gltf['nodes'][1]['name'] += '_mine'
    return glb_around(gltf, rest)


def moved(glb):
    """One byte of the buffer differs"""
    return glb[:-64] + bytes([glb[-64] ^ 1]) + glb[-63:]


def of_earlier_version(glb):
    gltf, rest = parts(glb)
    del gltf['scenes'][0]['extras']['reanima']['hash']
    return glb_around(gltf, rest)


class Edited(Case):
    """An input `in/hrda`, converted again with other options"""

    def setUp(self):
        super().setUp()
        write(self.path('in/hrda'), read(PACK))
        write(self.path('in/hraa'), read(SKELETON))

    def convert(self, *args, status=0):
        return super().convert(*args, '-q', status=status)

    def refused(self, message, *args, file=None, data=None):
        """The run is refused with this message, and the file stays; with --force it is replaced"""
        p = self.convert(*args, '--if-changed', status=2)
        self.assertEqual(p.err, 'reanima: %s\n' % message)
        if file:
            self.assertTrue(read(self.path(file)) == data, file)
            self.convert(*args, '--if-changed', '--force')
            self.assertFalse(read(self.path(file)) == data, file)


class IfChanged(Edited):
    def test_binary_files(self):
        for name, more in (('x.glb', ()), ('x.glb', ('--compact',)), ('x.glb', ('-s', SKELETON)), ('x.vrma', ('--clip', '0'))):
            args = ['in/hrda', '-o', name, *more]
            for change in (renamed, moved):
                with self.subTest(name=name, more=more, change=change.__name__):
                    self.convert(*args, '--force')
                    made = read(self.path(name))
                    self.assertRegex(parts(made)[0]['scenes'][0]['extras']['reanima']['hash'], '^xxh3-[0-9a-f]{16}$')
                    self.convert(*args, '--rate', '20', '--if-changed')       # as it was written: replaced
                    self.assertFalse(read(self.path(name)) == made)
                    edited = change(read(self.path(name)))
                    write(self.path(name), edited)
                    self.refused(f'{name}: {EDITED}', *args, file=name, data=edited)
                    edited = change(read(self.path(name)))                    # edited, from what would be made
                    write(self.path(name), edited)
                    self.refused(f'{name}: {EDITED}', *args, file=name, data=edited)

    def test_what_a_program_keeps_of_the_extras(self):
        """Blender keeps the key and the hash, another program only the key"""
        self.convert('in/hrda', '-o', 'x.glb')
        edited = of_earlier_version(read(self.path('x.glb')))
        write(self.path('x.glb'), edited)
        self.refused('x.glb: was edited after reanima wrote it, or was written by an earlier version of reanima; --force replaces it', 'in/hrda', '-o', 'x.glb', file='x.glb', data=edited)

    def test_other_files_under_the_name(self):
        for name in ('n.glb', 'n.gltf', 'n.vrma', 'n.png'):
            for data in (b'shopping list\n', b'', b'glTF'):
                with self.subTest(name=name, data=data):
                    write(self.path(name), data)
                    args = (sample('ff7', 'hrac') if name == 'n.png' else 'in/hrda', '-o', name, *(('--clip', '0') if name == 'n.vrma' else ()))
                    self.refused(f'{name}: was edited after reanima wrote it, or was not written by reanima; --force replaces it', *args, file=name, data=data)
        self.convert('in/hrda', '-o', 'cut.glb')
        cut = read(self.path('cut.glb'))[:-4]
        write(self.path('cut.glb'), cut)
        self.refused('cut.glb: was edited after reanima wrote it, or was not written by reanima; --force replaces it', 'in/hrda', '-o', 'cut.glb', file='cut.glb', data=cut)

    def test_rigs_of_their_own(self):
        """The clips are in a rig's file, which this program also made: the rig's marks are not those of the output"""
        self.convert('in/hraa', '--proxy-mesh', '-o', 'rig.glb')
        for name in ('x.glb', 'x.gltf'):
            args = ['in/hrda', '-s', 'rig.glb', '--source-skeleton', 'in/hraa', '-o', name]
            self.convert(*args)
            self.assertIn('1 unchanged', self.check(run('convert', *args, '--if-changed', cwd=self.folder), 0).err)
            self.convert(*args, '--clip', '0', '--if-changed')
            data = read(self.path(name))
            edited = renamed(data) if name == 'x.glb' else data.replace(b'"name"', b'"name" ', 1)
            write(self.path(name), edited)
            self.refused(f'{name}: {EDITED}', *args, file=name, data=edited)

    def test_text_with_its_files(self):
        args = ['in/hrda', '-o', 'x.gltf', '--if-changed']
        write(self.path('in/hrac'), read(sample('ff7', 'hrac')))
        shutil.copytree(sample('ff7'), self.path('ff7'))
        args[0] = 'ff7/hrda'
        self.convert(*args)
        image = sorted(n for n in os.listdir(self.folder) if n.startswith('x_') and n.endswith('.png'))[0]
        for name, change in (('x.gltf', lambda d: d.replace(b'"name"', b'"name" ', 1)), ('x.bin', moved), (image, lambda d: d + b'paint')):
            for more in ((), ('--clip', '0')):
                with self.subTest(name=name, more=more):
                    self.convert(*args, '--force')
                    files = {n: read(self.path(n)) for n in os.listdir(self.folder) if n.startswith('x')}
                    files[name] = change(files[name])
                    write(self.path(name), files[name])
                    self.assertEqual(self.convert(*args, *more, status=2).err, f'reanima: {name}: {EDITED}\n')
                    self.assertEqual({n: read(self.path(n)) == data for n, data in files.items()}, dict.fromkeys(files, True))
                    self.convert(*args, *more, '--force')
                    self.assertFalse(read(self.path(name)) == files[name])
        # without the text nobody knows whose the others are; what would be written there is no loss
        for name in ('x.bin', image):
            self.convert(*args, '--force')
            os.remove(self.path('x.gltf'))
            self.convert(*args)
            os.remove(self.path('x.gltf'))
            write(self.path(name), b'mine')
            self.assertEqual(self.convert(*args, status=2).err, f'reanima: {name}: exists, but no .gltf beside it lists it as written by reanima; --force replaces it\n')
            self.assertEqual(read(self.path(name)), b'mine')
            self.assertFalse(os.path.exists(self.path('x.gltf')))

    def test_pictures(self):
        args = [sample('ff7', 'hrac'), '-o', 'x.png']
        self.convert(*args)
        png = read(self.path('x.png'))
        self.assertRegex(png[:200], rb'tEXtreanima\0[0-9a-f]{32} xxh3-[0-9a-f]{16}')
        self.assertIn('1 unchanged', self.check(run('convert', *args, '--if-changed', cwd=self.folder), 0).err)
        edited = png[:-20] + bytes([png[-20] ^ 1]) + png[-19:]
        write(self.path('x.png'), edited)
        self.refused(f'x.png: {EDITED}', *args, file='x.png', data=edited)

    def test_files_of_clips(self):
        """The hashes of files with clips are in the report of the last run"""
        args = ['in/hrda', '--as', 'bvh', '-o', 'out/', '--clip', '0-2', '--report', 'report']
        self.convert(*args)
        made = sorted(os.listdir(self.path('out')))
        self.assertEqual(len(made), 3)
        before = {n: read(self.path('out', n)) for n in made}
        self.convert(*args, '--rate', '20', '--if-changed')
        after = {n: read(self.path('out', n)) for n in made}
        self.assertFalse(any(after[n] == before[n] for n in made))
        after[made[1]] = after[made[1]].replace(b'Frames', b'Frames ')
        write(self.path('out', made[1]), after[made[1]])
        for _ in range(2):                              # the report of a run that was refused knows as much
            p = self.convert(*args, '--if-changed', status=2)
            self.assertEqual(p.err, f'reanima: out/{made[1]}: {EDITED}\n')
            self.assertEqual({n: read(self.path('out', n)) for n in made}, after)
        os.remove(self.path('out', made[1]))            # the others are as they were written
        self.convert(*args, '--if-changed')
        self.assertEqual({n: read(self.path('out', n)) for n in made}, before)
        os.remove(self.path('report'))
        self.refused(f'out/{made[0]}: exists, but no report lists it as written by reanima; --force replaces it', *args, '--rate', '20', file='out/' + made[0], data=before[made[0]])

    def test_others_of_a_batch_are_made(self):
        for i in range(3):
            write(self.path('in/%cada' % (97 + i)), read(PACK))
            write(self.path('in/%caaa' % (97 + i)), read(SKELETON))
        args = ['in', '-o', 'out/', '--report', 'report']
        self.convert(*args)
        edited = renamed(read(self.path('out/bada.glb')))
        write(self.path('out/bada.glb'), edited)
        p = self.convert(*args, '--if-changed', status=1)
        self.assertEqual(p.err, f'reanima: out/bada.glb: {EDITED}\n')
        lines = [json.loads(line) for line in read(self.path('report')).splitlines()]
        failed, = [line for line in lines if line.get('status') == 'failed']
        self.assertEqual((failed['output'], failed['error']['code'], failed['error']['message']), ('out/bada.glb', 'usage', f'out/bada.glb: {EDITED}'))
        self.assertEqual([line['status'] for line in lines if 'status' in line].count('skipped'), 3)
        p = self.convert(*args, '--if-changed', '--no-mesh', '--prune', 'report', status=1)
        self.assertEqual(p.err, f'reanima: out/bada.glb: {EDITED}\n')
        self.assertTrue(read(self.path('out/bada.glb')) == edited)

    def test_reports_state_the_hash(self):
        for name, more in (('x.glb', ()), ('x.bvh', ('--clip', '0')), ('x.vrma', ('--clip', '0')), ('x.gltf', ())):
            args = ['in/hrda', '-o', name, *more, '--report', 'report']
            self.convert(*args)
            made, = [json.loads(line) for line in read(self.path('report')).splitlines() if b'"left"' not in line]
            self.assertRegex(made['hash'], '^xxh3-[0-9a-f]{16}$')
            if name != 'x.bvh':
                data = read(self.path(name))
                gltf = json.loads(data) if name == 'x.gltf' else parts(data)[0]
                self.assertEqual(made['hash'], gltf['scenes'][0]['extras']['reanima']['hash'])
            self.convert(*args, '--if-changed')
            kept, = [json.loads(line) for line in read(self.path('report')).splitlines() if b'"left"' not in line]
            self.assertEqual((kept['status'], kept['hash']), ('skipped', made['hash']))


class Prune(Edited):
    def made(self, *names, form='glb', more=()):
        """Outputs of two packs, one of which is removed"""
        for name in ('aada', 'bbda'):
            write(self.path('two', name), read(PACK))
            write(self.path('two', name[:2] + 'aa'), read(SKELETON))
        self.convert('two', '-o', 'out/', '--as', form, '--report', 'report', *more)
        for name in ('bbda', 'bbaa'):
            os.remove(self.path('two', name))
        return ['two', '-o', 'out/', '--as', form, '--if-changed', '--report', 'report', '--prune', 'report', *more]

    def said(self, args, status=0):
        p = self.check(run('convert', *args, cwd=self.folder), status)
        return [line for line in p.err.splitlines() if line.endswith((STAYS, GONE))]

    def test_an_edited_output_stays(self):
        for change in (renamed, moved):
            args = self.made(more=('--no-mesh',))
            data = change(read(self.path('out/bbda.glb')))
            write(self.path('out/bbda.glb'), data)
            for _ in range(2):                          # it is not forgotten
                self.assertEqual(self.said(args), ['out/bbda.glb: ' + STAYS])
                self.assertTrue(read(self.path('out/bbda.glb')) == data)
            self.assertEqual(self.said([*args, '--force']), ['out/bbda.glb: ' + GONE])
            self.assertEqual(os.listdir(self.path('out')), ['aada.glb'])
            shutil.rmtree(self.path('out'))
            os.remove(self.path('report'))

    def test_an_edited_part_of_a_text_stays(self):
        shutil.copytree(sample('ff7'), self.path('ff7'))
        write(self.path('other'), read(PACK))
        for change in ('x.bin', 'image', None):
            self.convert('ff7/hrda', '-o', 'x.gltf', '--report', 'report', '--force')
            files = sorted(n for n in os.listdir(self.folder) if n.startswith('x'))
            self.assertGreater(len(files), 2)
            name = next(n for n in files if n.endswith('.png')) if change == 'image' else change
            if name:
                write(self.path(name), read(self.path(name)) + b'mine')
            self.assertEqual(self.said(['in/hrda', '-o', 'y.glb', '--force', '--if-changed', '--prune', 'report'][:3] + ['--prune', 'report', '--if-changed']),
                             ['x.gltf: ' + (STAYS if name else GONE)])
            self.assertEqual(sorted(n for n in os.listdir(self.folder) if n.startswith('x')), files if name else [])

    def test_edited_files_of_clips_stay(self):
        args = self.made(form='bvh', more=('--clip', '0-1'))
        first, second = sorted(n for n in os.listdir(self.path('out')) if n.startswith('bbda'))
        data = read(self.path('out', first)).replace(b'Frames', b'Frames ')
        write(self.path('out', first), data)
        self.assertEqual(sorted(self.said(args)), [f'out/{first}: {STAYS}', f'out/{second}: {GONE}'])
        self.assertEqual(read(self.path('out', first)), data)
        self.assertFalse(os.path.exists(self.path('out', second)))

    def test_edited_files_without_a_content_key_stay(self):
        """The edit removed the extras, or the file is no longer a .glb: it stays listed, whether it is pruned or not"""
        args = self.made()
        glb = read(self.path('out/bbda.glb'))
        gltf, rest = parts(glb)
        del gltf['scenes'][0]['extras']
        for data in (glb_around(gltf, rest), glb + b'\0', b'mine'):
            write(self.path('out/bbda.glb'), data)
            for words in (args[:-2], args):
                self.assertEqual(self.said(words), [f'out/bbda.glb: {STAYS}'])
                self.assertTrue(read(self.path('out/bbda.glb')) == data)
                left = [line for line in map(json.loads, read(self.path('report')).splitlines()) if line.get('status') == 'left']
                self.assertEqual([line['output'] for line in left], ['out/bbda.glb'])

    def test_what_is_made_with_an_edited_file_stays(self):
        """If --if-changed refused an output, its other clips do not count as left over"""
        args = ['in/hrda', '--as', 'bvh', '-o', 'out/', '--clip', '0-1', '--report', 'report']
        self.convert(*args)
        first, second = sorted(os.listdir(self.path('out')))
        write(self.path('out', first), b'mine')
        p = self.convert(*args, '--rate', '20', '--if-changed', '--prune', 'report', status=2)
        self.assertEqual(p.err, f'reanima: out/{first}: {EDITED}\n')
        self.assertEqual(sorted(os.listdir(self.path('out'))), [first, second])


if __name__ == '__main__':
    unittest.main()
