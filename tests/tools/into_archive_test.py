#!/usr/bin/env python3
"""Archives that are written with other entries: `encode --into ARCHIVE`, `pack --into ARCHIVE`."""
import json, os, resource, struct, unittest

from support import Case, conformance, read, run, sample, write
from gltf_files import Glb
import hostile
import writers                                    # by the description of the formats


# ---------------------------------------------------------------------------------------------------------------------
# A reader by docs/formats/lgp.md, as the game looks for files: by the slot of a name, then by the table's name

def value(letter):
    if letter.isdigit():
        return int(letter)
    return {'_': 10, '-': 11, '.': -1}.get(letter, ord(letter.lower()) - ord('a'))


class Lgp:
    def __init__(self, data):
        self.data = data
        assert data[:12] in (b'\0\0SQUARESOFT', b'FICEDULA-LGP'), data[:12]
        self.count, = struct.unpack_from('<I', data, 12)
        self.rows = [struct.unpack_from('<20sIBH', data, 16 + 27 * i) for i in range(self.count)]
        self.names = [row[0].split(b'\0')[0].decode() for row in self.rows]
        at = 16 + 27 * self.count
        self.slots = struct.unpack_from('<1800H', data, at)
        at += 3600
        lists, = struct.unpack_from('<H', data, at)
        at += 2
        self.folders = {}
        for number in range(1, lists + 1):
            rows, = struct.unpack_from('<H', data, at)
            for i in range(rows):
                folder, row = struct.unpack_from('<128sH', data, at + 2 + 130 * i)
                self.folders[number, row] = folder.split(b'\0')[0].decode()
            at += 2 + 130 * rows
        self.table_end = at

    def stored(self, row):
        at = self.rows[row][1]
        name, size = struct.unpack_from('<20sI', self.data, at)
        assert at + 24 + size <= len(self.data)
        return name.split(b'\0')[0].decode(), self.data[at + 24:at + 24 + size]

    def find(self, name, folder=''):
        """-> the bytes that the game finds"""
        slot = 30 * value(name[0]) + value(name[1]) + 1
        first, count = self.slots[2 * slot:2 * slot + 2]
        for row in range(first - 1, first - 1 + count):
            number = self.rows[row][3]
            if self.names[row].lower() == name.lower() and (number == 0 or self.folders[number, row] == folder):
                return self.stored(row)[1]
        raise KeyError(name)


FILES = [('rtda', '', b'animations' * 9), ('rtaa', '', b'skeleton'), ('cloud.p', 'a', b'first'), ('cloud.p', 'b/c', b'second'), ('empty', '', b''), ('zz', '', b'last')]


class Archived(Case):
    def lgp(self, files=FILES, name='battle.lgp'):
        return read(write(self.path(name), writers.lgp(files)[0]))

    def cli(self, status, *args):
        return self.check(run(*args, cwd=self.folder), status)

    def refused(self, message, *args, status=1):
        before = self.files()
        p = self.cli(status, *args)
        self.assertEqual(p.err, message)
        self.assertEqual(self.files(), before)

    def same_but(self, old, new, changed):
        """All entries are found unchanged, except those with these (name, folder)"""
        old, new = Lgp(old), Lgp(new)
        self.assertEqual([(r[0], r[2], r[3]) for r in old.rows], [(r[0], r[2], r[3]) for r in new.rows])
        self.assertEqual(old.data[16 + 27 * old.count:old.table_end], new.data[16 + 27 * new.count:new.table_end])
        for row, name in enumerate(old.names):
            folder = old.folders.get((old.rows[row][3], row), '')
            wanted = changed.get((name, folder), old.find(name, folder))
            self.assertEqual(new.find(name, folder), wanted, name)
            self.assertEqual(new.stored(row), (old.stored(row)[0], wanted))


class Pack(Archived):
    def test_an_entry_that_grows_or_shrinks(self):
        old = self.lgp()
        for data in (b'', b'x', b'animations' * 9 + b'!', b'other' * 1000):
            write(self.path('rtda'), data)
            p = self.cli(0, 'pack', 'rtda', '--into', 'battle.lgp', '-o', 'new.lgp', '--force')
            new = read(self.path('new.lgp'))
            doubt = '' if data else ('rtda: warning: is empty, but rtda in the archive is Final Fantasy VII (PC) battle animations. The entry is replaced anyway\n')
            self.assertEqual(p.err, doubt + f'wrote new.lgp: {len(old) - 90 + len(data)} bytes, 1 of 6 entries changed\n')
            self.assertEqual(new, writers.lgp([(n, f, data if n == 'rtda' else d) for n, f, d in FILES])[0])
            self.same_but(old, new, {('rtda', ''): data})
            p = self.cli(0, 'list', 'new.lgp')
            self.assertEqual(p.err, '`reanima list -r new.lgp` also shows characters and clips\n')
            self.cli(0, 'extract', 'new.lgp', '-o', 'again', '--force', '-q')
            self.assertEqual(read(self.path('again/b/c/cloud.p')), b'second')

    def test_what_an_entry_surely_is_not_is_said(self):
        write(self.path('mod/rtda'), b'glTF\2\0\0\0' + bytes(100))
        self.lgp()
        p = self.cli(0, 'pack', 'mod', '--into', 'battle.lgp', '-o', 'new.lgp')
        self.assertEqual(p.err.splitlines()[0], 'mod/rtda: warning: is a glTF file (.glb or .vrm), but rtda in the archive is Final Fantasy VII (PC) battle animations. The entry is replaced anyway')
        self.cli(1, 'pack', 'mod', '--into', 'battle.lgp', '-o', 'strict.lgp', '--strict')
        self.assertFalse(os.path.exists(self.path('strict.lgp')))

    def test_unchanged_files_give_the_archive(self):
        old = self.lgp()
        self.cli(0, 'extract', 'battle.lgp', '-o', 'mod', '-q')
        p = self.cli(0, 'pack', 'mod', '--into', 'battle.lgp', '-o', 'new.lgp')
        self.assertEqual(p.err, f'wrote new.lgp: {len(old)} bytes, 0 of 6 entries changed\n')
        self.assertEqual(read(self.path('new.lgp')), old)
        self.cli(0, 'pack', sample('ff7', 'hrda'), '--into', sample('archives', 'battle.lgp'), '-o', 'real.lgp')
        self.assertEqual(read(self.path('real.lgp')), read(sample('archives', 'battle.lgp')))

    def test_a_folder_replaces_what_it_has(self):
        old = self.lgp()
        write(self.path('mod/RTAA'), b'new skeleton')
        write(self.path('mod/b/c/cloud.p'), b'')
        write(self.path('mod/deep/zz'), b'by its name alone')
        write(self.path('mod/readme.txt'), b'of the mod')
        p = self.cli(0, 'pack', 'mod', '--into', 'battle.lgp', '-o', 'new.lgp')
        self.assertIn('mod/readme.txt: warning: is left out: battle.lgp contains no entry of this name\n', p.err)
        self.assertTrue(p.err.endswith(', 3 of 6 entries changed\n'), p.err)
        self.same_but(old, read(self.path('new.lgp')), {('rtaa', ''): b'new skeleton', ('cloud.p', 'b/c'): b'', ('zz', ''): b'by its name alone'})
        self.cli(1, 'pack', 'mod', '--into', 'battle.lgp', '-o', 'strict.lgp', '--strict')
        self.assertNotIn('strict.lgp', self.files())

    def test_gaps_order_and_the_end_stay(self):
        """Data is in another order than the table; bytes between entries belong to nothing and have no name."""
        table = bytearray(writers.lgp([(n, '', b'') for n in ('aa', 'ab', 'ac')])[0][:16 + 27 * 3 + 3602])
        data, offsets = bytearray(b'gap one'), {}
        for name, content in (('ac', b'third'), ('aa', b'first one'), ('ab', b'2')):
            offsets[name] = len(table) + len(data)
            data += struct.pack('<20sI', b'' if name == 'aa' else name.encode(), len(content)) + content + b'gap ' + name.encode()
        for i, name in enumerate(('aa', 'ab', 'ac')):
            struct.pack_into('<I', table, 16 + 27 * i + 20, offsets[name])
        old = read(write(self.path('battle.lgp'), bytes(table + data) + b'LGP PATCH FILE and more'))
        write(self.path('aa'), b'1')
        self.cli(0, 'pack', 'aa', '--into', 'battle.lgp', '-o', 'new.lgp')
        new = read(self.path('new.lgp'))
        at = offsets['aa']
        wanted = bytearray(old[:at + 20] + struct.pack('<I', 1) + b'1' + old[at + 24 + 9:])
        struct.pack_into('<I', wanted, 16 + 27 + 20, offsets['ab'] - 8)
        self.assertEqual(new, bytes(wanted))

    def test_data_that_entries_share(self):
        old = write(self.path('battle.lgp'), hostile.lgp_of_one_place(3, 100))
        write(self.path('aaab'), b'own')
        self.cli(0, 'pack', 'aaab', '--into', 'battle.lgp', '-o', 'new.lgp')
        new = Lgp(read(self.path('new.lgp')))
        self.assertEqual([new.find(n) for n in ('aaaa', 'aaab', 'aaac')], [bytes(100), b'own', bytes(100)])
        self.assertEqual(len(new.data), len(read(old)) + 24 + 3)

    def test_what_has_no_place(self):
        self.lgp()
        write(self.path('nope'), b'x')
        write(self.path('rtab'), b'x')
        write(self.path('cloud.p'), b'x')
        write(self.path('#0'), b'x')
        write(self.path('mod/rtda'), b'x')
        write(self.path('rtda'), b'y')
        os.makedirs(self.path('none'))
        to = ('--into', 'battle.lgp', '-o', 'new.lgp')
        self.refused("reanima: battle.lgp: contains no entry 'nope'\n", 'pack', 'nope', *to)
        self.refused("reanima: battle.lgp: contains no entry 'rtab'; did you mean 'rtaa'?\n", 'pack', 'rtab', *to)
        self.refused("reanima: battle.lgp: contains no entry 'cloud.p'; did you mean 'a/cloud.p'?\n", 'pack', 'cloud.p', *to)
        self.refused("reanima: battle.lgp: contains no entry '#0'\n", 'pack', '#0', *to)
        self.refused('reanima: none: contains no file that is named like an entry of battle.lgp\n', 'pack', 'none', *to)
        self.refused('reanima: mod/rtda and rtda: both inputs would be written into the entry rtda\n', 'pack', 'mod', 'rtda', *to, status=2)
        self.refused("reanima: gone: can't be read: No such file or directory\n", 'pack', 'gone', *to)
        write(self.path('new.lgp'), b'old')
        self.assertEqual(self.cli(2, 'pack', 'rtda', *to).err, 'reanima: new.lgp: exists; --force replaces it\n')

    def test_links_that_lead_out_of_the_folder(self):
        old = self.lgp()
        secret = write(self.path('elsewhere/secret'), b'of the user')
        write(self.path('mod/shared'), b'within')
        os.symlink('shared', self.path('mod/zz'))
        pack = 'pack', 'mod', '--into', 'battle.lgp', '-o', 'new.lgp'
        for target in (secret, '../elsewhere/secret'):
            os.symlink(target, self.path('mod/rtaa'))
            self.refused('reanima: mod/rtaa: is a link to a file outside mod. Replace the link with the file, or name the file as INPUT\n', *pack)
            os.remove(self.path('mod/rtaa'))
        os.symlink('../elsewhere', self.path('mod/b'))
        os.symlink('mod', self.path('link'))
        for folder in ('mod', 'link'):
            p = self.cli(0, 'pack', folder, '--into', 'battle.lgp', '-o', 'new.lgp', '--force')
            self.assertEqual(p.err.splitlines()[:2], [folder + '/b: warning: is left out: it is a link to a folder',
                                                      folder + '/shared: warning: is left out: battle.lgp contains no entry of this name'])
            self.same_but(old, read(self.path('new.lgp')), {('zz', ''): b'within'})
        os.symlink(secret, self.path('rtaa'))
        self.cli(0, 'pack', 'rtaa', '--into', 'battle.lgp', '-o', 'new.lgp', '--force')          # the user names it
        self.same_but(old, read(self.path('new.lgp')), {('rtaa', ''): b'of the user'})

    def test_entries_of_one_name(self):
        """The game finds the first of them; a file does not state to which one it belongs."""
        old = self.lgp([('rtaa', '', b'skeleton'), ('rtda', '', b'first'), ('RTDA', '', b'second'), ('rtda', '', b'third'), ('zz', '', b'last')])
        self.cli(0, 'extract', 'battle.lgp', '-o', 'all', '-q')
        self.assertEqual([read(self.path('all', name)) for name in ('rtda', 'RTDA_2', 'rtda_3')], [b'first', b'second', b'third'])
        write(self.path('rtda'), b'new')
        write(self.path('mod/rtda'), b'new')
        write(self.path('mod/rtda_3'), b'last')
        for path in ('rtda', 'mod'):
            self.refused(f'reanima: {"rtda" if path == "rtda" else "mod/rtda"}: several entries of battle.lgp have this name: #1, #2, #3. Pack one file for each entry, named as `reanima extract` writes it (for #2: RTDA_2)\n',
                         'pack', path, '--into', 'battle.lgp', '-o', 'new.lgp')
        write(self.path('mod/rtda_2'), b'2nd')
        self.cli(0, 'pack', 'mod', '--into', 'battle.lgp', '-o', 'new.lgp', '-q')
        self.assertEqual([Lgp(read(self.path('new.lgp'))).stored(row)[1] for row in range(5)], [b'skeleton', b'new', b'2nd', b'last', b'last'])
        self.cli(0, 'pack', 'mod/rtda_2', '--into', 'battle.lgp', '-o', 'new.lgp', '-q', '--force')
        self.assertEqual([Lgp(read(self.path('new.lgp'))).stored(row)[1] for row in range(1, 4)], [b'first', b'2nd', b'third'])
        self.cli(0, 'pack', 'all', '--into', 'battle.lgp', '-o', 'same.lgp', '-q')
        self.assertEqual(read(self.path('same.lgp')), old)

    def test_never_in_place(self):
        old = self.lgp()
        write(self.path('rtda'), b'x')
        os.symlink('battle.lgp', self.path('link.lgp'))
        for output in ('battle.lgp', './battle.lgp', 'link.lgp'):
            p = self.cli(2, 'pack', 'rtda', '--into', 'battle.lgp', '-o', output, '--force')
            self.assertEqual(p.err, f'reanima: {output}: the output is an input\n')
        p = self.cli(2, 'pack', 'rtda', '--into', 'battle.lgp', '-o', 'rtda', '--force')
        self.assertEqual(p.err, 'reanima: rtda: the output is an input\n')
        self.assertEqual(read(self.path('battle.lgp')), old)

    def test_other_archives(self):
        write(self.path('x'), b'x')
        to = ('-o', 'new.lgp')
        for name, what in (('FF9.IMG', "Final Fantasy IX (PlayStation) image); `extract` the entry, edit the extracted file, and put it back with a tool for disc images"),
                           ('hero.pak', 'Metroid Prime 1 and 2 archive (PAK)); `extract` the entry, edit the extracted file, and pack it with a tool for PAKs')):
            archive = sample('archives', name)
            self.refused(f"reanima: {archive}: is an archive that reanima can't write ({what}\n", 'pack', 'x', '--into', archive, *to)
            self.refused(f"reanima: {archive}: is an archive that reanima can't write ({what}\n", 'encode', 'x', '--into', archive, *to)
        write(self.path('x.zfs'), writers.zfs([('a', 0, 0, b'')])[0])
        self.refused("reanima: x.zfs: is an archive that reanima can't write (ZVision archive (ZFS)); `extract` the entry and edit the extracted file\n",
                     'pack', 'x', '--into', 'x.zfs', *to)
        db = sample('ff9', 'props.ff9db')
        self.refused(f"reanima: {db}: is an archive that reanima can't write (Final Fantasy IX (PlayStation) DB); `encode` writes clips into it, one model at a time\n",
                     'pack', 'x', '--into', db, *to)
        self.refused('reanima: %s: is Final Fantasy VII (PC) battle animations, not an archive. `reanima info` shows what it contains\n' % sample('ff7', 'hrda'),
                     'pack', 'x', '--into', sample('ff7', 'hrda'), *to)


class Hostile(Archived):
    """An archive is not written if its parts can't be told apart."""

    def refuses(self, data, message):
        write(self.path('bad.lgp'), data)
        write(self.path('zz'), b'x')
        self.refused('reanima: bad.lgp: ' + message + '\n', 'pack', 'zz', '--into', 'bad.lgp', '-o', 'new.lgp')

    def test_damaged_tables(self):
        good, rows = writers.lgp(FILES)
        names = [row[0] for row in rows]
        slots, at = 16 + 27 * 6, rows[names.index('rtda')][3]

        def patched(where, form, *values):
            data = bytearray(good)
            struct.pack_into(form, data, where, *values)
            return bytes(data)

        def row(name):
            return 16 + 27 * names.index(name)
        self.refuses(patched(row('rtda') + 20, '<I', 0x7FFFFF00), 'rtda at 0x7fffff00: its data would begin at 0x7fffff00: needs 24 bytes, but only 0 are left')
        self.refuses(patched(at + 20, '<I', 0x7FFFFF00), f'rtda at {at + 24:#x}: would be at {at + 24:#x} to {at + 24 + 0x7FFFFF00:#x}, but the archive has only {len(good):#x} bytes')
        after = min(r[3] for r in rows if r[3] > at)
        over = next(r[0] if not r[1] else r[1] + '/' + r[0] for r in rows if r[3] == after)
        self.refuses(patched(at + 20, '<I', 91), f'{over} at {after:#x}: its data overlaps the data of rtda. An archive with such data can\'t be written')
        end = min(r[3] for r in rows)
        self.assertLess(names.index('rtda'), names.index('rtaa'))
        self.refuses(patched(row('rtda') + 20, '<I', slots + 4), f'rtda at {slots + 4:#x}: its data overlaps the table, which ends at {end:#x}. An archive with such data can\'t be written')
        slot = writers.lgp_slot('rtda')
        self.refuses(patched(slots + 4 * slot, '<HH', 0, 0), f'rtda: is missing from slot {slot} of the look-up table, so the game can\'t find it')
        self.refuses(patched(slots + 4 * 3, '<HH', 5, 3), f'slots[3] at {slots + 12:#x}: refers to 3 files, beginning with number 5, but the table has 6')
        self.refuses(patched(row('zz') + 25, '<H', 9), f'files[{names.index("zz")}].conflict: is 9, but this list does not contain the file, so its folder is not known')
        self.refuses(good[:slots + 3600 + 1], f'list_count at {slots + 3600:#x}: needs 2 bytes, but only 1 is left')

    def test_the_conformance_set(self):
        write(self.path('x'), b'x')
        for name in ('lgp_count_absurd', 'lgp_cut', 'lgp_lookup_wrong', 'lgp_offset_outside', 'lgp_names'):
            archive = conformance('archives', name + '.lgp')
            p = self.cli(1, 'pack', 'x', '--into', archive, '-o', 'new.lgp')
            self.assertNotIn('new.lgp', self.files(), p.err)
        for name in ('lgp_small', 'lgp_folders'):
            archive = conformance('archives', name + '.lgp')
            self.cli(0, 'extract', archive, '-o', name, '-q')
            self.cli(0, 'pack', name, '--into', archive, '-o', name + '.lgp', '-q')
            self.assertEqual(read(self.path(name + '.lgp')), read(archive))


class Large(Archived):
    def test_memory_does_not_grow_with_the_archive(self):
        size = 300 << 20
        head = bytearray(writers.lgp([('aa', '', b''), ('ab', '', b'')])[0][:16 + 54 + 3602])
        struct.pack_into('<I', head, 16 + 20, len(head))
        struct.pack_into('<I', head, 16 + 27 + 20, len(head) + 24 + size)
        with open(self.path('battle.lgp'), 'wb') as f:
            f.write(head + struct.pack('<20sI', b'aa', size))
            f.seek(len(head) + 24 + size)
            f.write(struct.pack('<20sI', b'ab', 3) + b'old' + b'FINAL FANTASY7')
        write(self.path('ab'), b'newer')
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        quarantine = {'ASAN_OPTIONS': 'quarantine_size_mb=8'}                        # else it keeps what was freed
        self.check(run('pack', 'ab', '--into', 'battle.lgp', '-o', 'new.lgp', cwd=self.folder, env=quarantine), 0)
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertTrue(most == before or most < 200 << 10, (before, most))         # in KiB
        with open(self.path('new.lgp'), 'rb') as f:
            f.seek(len(head) + 24 + size)
            self.assertEqual(f.read(), struct.pack('<20sI', b'ab', 5) + b'newer' + b'FINAL FANTASY7')


class Encode(Archived):
    """Clips that were changed elsewhere."""
    LGP = sample('archives', 'battle.lgp')

    def changed(self, archive, entry='hrda', name='edited.glb', clip=None, strip=False):
        self.cli(0, 'convert', f'{archive}:{entry}', '-q', '--force', '-o', name)
        glb = Glb(self.path(name))
        clip = clip or glb.json['animations'][0]['name']
        glb.turn(clip, 'bone005', 15, [3])
        if strip:
            glb.drop_extras()
        glb.write(self.path(name))
        return clip

    def wanted(self, clip_file='edited.glb', entry='hrda'):
        """-> the bytes that `encode --into` writes for this file without the archive"""
        for name in ('hraa', 'hrda'):
            write(self.path('alone', name), read(sample('ff7', name)))
        self.cli(0, 'encode', clip_file, '--into', f'alone/{entry}', '-o', 'alone.da', '--force', '-q')
        return read(self.path('alone.da'))

    def test_by_what_the_scene_says(self):
        clip = self.changed(self.LGP)
        p = self.cli(0, 'encode', 'edited.glb', '--into', self.LGP, '-o', 'new.lgp')
        wanted = self.wanted()
        self.assertRegex(p.err, rf'^{clip}: 1 joint in 1 frame; bone005 by 20\.0 degrees in frame 3\n.*battle\.lgp:hrda: 1 clip changed, \d+ unchanged\n'
                                rf'wrote new\.lgp: \d+ bytes, 1 of \d+ entries changed\n`reanima preview new\.lgp:hrda` shows the result\n$')
        self.same_but(read(self.LGP), read(self.path('new.lgp')), {('hrda', ''): wanted})

    def test_by_name_or_by_the_file_s_own(self):
        self.changed(self.LGP, strip=True)
        self.refused(f'reanima: edited.glb: does not state which entry of {self.LGP} it was made from (some programs drop these extras). Name the entry with --into {self.LGP}:ENTRY\n', 'encode', 'edited.glb', '--into', self.LGP, '-o', 'new.lgp')
        self.cli(0, 'encode', 'edited.glb', '--into', self.LGP + ':hrda', '-o', 'new.lgp')
        new = read(self.path('new.lgp'))
        self.same_but(read(self.LGP), new, {('hrda', ''): self.wanted()})
        os.rename(self.path('edited.glb'), self.path('hrda.glb'))
        self.cli(0, 'encode', 'hrda.glb', '--into', self.LGP, '-o', 'again.lgp')
        self.assertEqual(read(self.path('again.lgp')), new)

    def test_entries_of_one_name(self):
        pack, skeleton = read(sample('ff7', 'hrda')), read(sample('ff7', 'hraa'))
        old = self.lgp([('aaaa', '', skeleton), ('aada', '', pack), ('aada', '', pack), ('bbaa', '', skeleton)])
        self.changed('battle.lgp', 'aada')
        message = "reanima: battle.lgp: several entries are called 'aada': #1, #2. Choose one by number, for example with --into battle.lgp:#1\n"
        for into in ('battle.lgp', 'battle.lgp:aada'):
            self.refused(message, 'encode', 'edited.glb', '--into', into, '-o', 'new.lgp')
        for into, row in (('battle.lgp:#1', 1), ('battle.lgp:#2', 2), ('battle.lgp:aada_2', 2)):
            self.cli(0, 'encode', 'edited.glb', '--into', into, '-o', 'new.lgp', '-q', '--force')
            new = Lgp(read(self.path('new.lgp')))
            self.assertEqual([i for i in range(4) if new.stored(i) != Lgp(old).stored(i)], [row])

    def test_the_entry_alone_as_before(self):
        self.changed(self.LGP)
        self.cli(0, 'encode', 'edited.glb', '--into', self.LGP + ':hrda', '-o', 'hrda')
        self.assertEqual(read(self.path('hrda')), self.wanted())

    def test_unchanged(self):
        self.cli(0, 'convert', self.LGP + ':hrda', '-q', '-o', 'edited.glb')
        p = self.cli(0, 'encode', 'edited.glb', '--into', self.LGP, '-o', 'new.lgp')
        self.assertRegex(p.err, r'hrda: 0 clips changed, \d+ unchanged\nwrote new\.lgp: \d+ bytes, 0 of \d+ entries changed\n$')
        self.assertEqual(read(self.path('new.lgp')), read(self.LGP))
        p = self.cli(0, 'encode', 'edited.glb', '--into', self.LGP)
        self.assertTrue(p.err.endswith('unchanged\nnothing is written without -o\n'), p.err)

    def test_several(self):
        pack, skeleton = read(sample('ff7', 'hrda')), read(sample('ff7', 'hraa'))
        old = self.lgp([('aaaa', '', skeleton), ('aada', '', pack), ('bbaa', '', skeleton), ('bbda', '', pack), ('cc', '', b'other')])
        self.changed('battle.lgp', 'aada', 'a.glb')
        self.changed('battle.lgp', 'bbda', 'b.glb')
        self.cli(0, 'encode', 'a.glb', 'b.glb', '--into', 'battle.lgp', '-o', 'new.lgp', '--report', 'report.json')
        self.cli(0, 'encode', 'a.glb', '--into', 'battle.lgp:aada', '-o', 'one', '-q')
        wanted = read(self.path('one'))
        self.assertNotEqual(wanted, pack)
        self.same_but(old, read(self.path('new.lgp')), {('aada', ''): wanted, ('bbda', ''): wanted})
        self.assertEqual([c['status'] for c in json.loads(read(self.path('report.json')))['clips']].count('written'), 2)
        self.refused('reanima: a.glb and b.glb: both inputs would be written into the entry aada\n', 'encode', 'a.glb', 'b.glb', '--into', 'battle.lgp:aada', '-o', 'x.lgp', '--all-changed', '-q', status=2)
        self.refused('reanima: encode --into battle.lgp:aada: there are 2 inputs for one file. Only an archive can get several inputs\n',
                     'encode', 'a.glb', 'b.glb', '--into', 'battle.lgp:aada', '-o', 'x.da', status=2)
        self.refused('reanima: --at and --append: there are several inputs. Name only one INPUT, and choose its entry with --into ARCHIVE:ENTRY\n', 'encode', 'a.glb', 'b.glb', '--into', 'battle.lgp', '--append', status=2)
        self.cli(0, 'convert', 'battle.lgp:aada', 'battle.lgp:bbda', '-q', '-o', 'both.glb')
        self.refused('reanima: --at and --append: both.glb contains clips from 2 entries. Use --into battle.lgp:ENTRY to choose the entry to write\n',
                     'encode', 'both.glb', '--into', 'battle.lgp', '--at', '1', status=2)
        self.refused('reanima: encode: b.glb: unexpected argument. Several inputs can only be written into an archive, with --into\n', 'encode', 'a.glb', 'b.glb', '-o', 'x', status=2)
        self.lgp([('zz', '', b'')], 'other.lgp')
        self.refused('reanima: a.glb: was made from aada, which other.lgp does not contain. Use --into other.lgp:ENTRY for another entry\n',
                     'encode', 'a.glb', '--into', 'other.lgp', '-o', 'x.lgp')

    def test_an_archive_under_the_name_of_its_entry(self):
        """A game would read `direct/battle/hrda` as the entry."""
        self.changed(self.LGP)
        self.refused(f'reanima: -o direct/battle/hrda: hrda is an entry of {self.LGP}, but the whole archive would be written. Use --into {self.LGP}:hrda to write only this entry\n',
                     'encode', 'edited.glb', '--into', self.LGP, '-o', 'direct/battle/hrda', status=2)
        self.assertNotIn('direct/battle/hrda', self.files())

    def test_two_files_of_one_name(self):
        self.changed(self.LGP)
        pack = sample('ff7', 'hrda')
        self.refused(f'reanima: --into: edited.glb has clips from hrda, which is the name of both {pack} and {self.LGP}:hrda. Name only one of them\n',
                     'encode', 'edited.glb', '--into', self.LGP, '--into', pack, '-o', 'both/', status=2)

    def test_an_archive_in_another_one(self):
        self.changed(self.LGP)
        write(self.path('outer.lgp'), writers.lgp([('in.lgp', '', read(self.LGP))])[0])
        self.refused('reanima: outer.lgp:in.lgp:hrda: is in an archive inside another archive. Use -o to name the file to write\n',
                     'encode', 'edited.glb', '--into', 'outer.lgp:in.lgp:hrda', '-o', 'x.lgp')


if __name__ == '__main__':
    unittest.main()
