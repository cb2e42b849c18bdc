#!/usr/bin/env python3
"""Messages about other programs' files name the kind of file and the next step."""
import struct, unittest

from support import Case, run, sample, write

# Offset and bytes by the formats' documentation; the message; True for rigs.
FILES = (
    (0, '89504e470d0a1a0a', 'a PNG image', 'images are not converted'),
    (0, 'ffd8ff', 'a JPEG image', 'images are not converted'),
    (0, '47494638', 'a GIF image', 'images are not converted'),
    (0, '424d', 'a BMP image', 'images are not converted'),
    (0, '44445320', 'a DDS texture', 'images are not converted'),
    (0, '4b617964617261204642582042696e617279', 'an FBX file', 'motion can be bound to it as a rig', True),
    (0, '3b20464258', 'an FBX file', 'motion can be bound to it as a rig', True),
    (0, '676c5446', 'a glTF file (.glb or .vrm)', 'motion can be bound to it as a rig', True),
    (0, '484945524152434859', 'a BVH file', 'motion can be bound to its skeleton as a rig', True),
    (0, '424c454e444552', 'a Blender file', 'export a .glb from Blender, and bind motion to it as a rig', True),
    (0, '504b0304', 'a ZIP archive', 'unpack it first'),
    (0, '504b0506', 'an empty ZIP archive', 'it contains nothing'),
    (0, '377abcaf271c', 'a 7-Zip archive', 'unpack it first'),
    (0, '526172211a0700', 'a RAR archive', 'unpack it first'),
    (0, '526172211a070100', 'a RAR archive', 'unpack it first'),
    (0, '1f8b', 'a gzip file', 'unpack it first (gzip -d)'),
    (0, '28b52ffd', 'a Zstandard file', 'unpack it first (zstd -d); if it is a .blend of Blender 3.0 or later, export .glb from Blender'),
    (0, '52565a01' + '00' * 68 + '00000002', 'a disc image of the Wii (RVZ)', 'its version of Metroid Prime is not supported; use the GameCube version'),
    (0, '57494101' + '00' * 68 + '00000002', 'a disc image of the Wii (WIA)', 'its version of Metroid Prime is not supported; use the GameCube version'),
    (0, '57424653', 'a disc image in the WBFS format', 'it is a Wii disc, and the Wii version of Metroid Prime is not supported; use the GameCube version'),
    (0, 'ae0f38a2', 'a disc image in the TGC format', 'open it in Dolphin, and extract Metroid1.pak and the other .pak files (Properties > Filesystem)'),
    (24, '5d1c9ea3', 'a disc image of the Wii', 'its version of Metroid Prime is not supported; use the GameCube version'),
    (0, '45474753', 'a disc image of the Wii U (NFS)', 'its version of Metroid Prime is not supported; use the GameCube version'),
    (0, '00504250', 'a PlayStation disc in the PBP format', 'convert it to .bin with PSX2PSP'),
    (0, '00ffffffffffffffffffff00', 'a CD image with raw sectors', 'it contains no files (ISO 9660); use the first track of the disc'),
    (0, '45434d00', 'a CD image in the ECM format', 'convert it to .bin with unecm'),
    (0, '4d454449412044455343524950544f52', 'a description of a CD image (.mds)', 'use the image itself, which is the .mdf beside it'),
    (0, '5b436c6f6e6543445d', 'a description of a CD image (.ccd)', 'use the image itself, which is the .img beside it'),
    (0, '46494c452022', 'a description of a CD image (.cue)', 'it names no image; use the .bin beside it'),
    (0, '52454d20', 'a description of a CD image (.cue)', 'it names no image; use the .bin beside it'),
    (0, '50532d5820455845', 'a program of the PlayStation', 'use FF9.IMG, which is beside it on the disc'),
    (0, '556e697479526177', 'a bundle of Unity, as in Final Fantasy IX for PC', "that edition is not supported; use FF9.IMG of the PlayStation discs"),
    (0, '556e6974794653', 'a bundle of Unity', 'export models from it with a tool for Unity'),
    (0, '556e697479576562', 'a bundle of Unity', 'export models from it with a tool for Unity'),
    (0, '50465330', 'a package of the Switch', 'its version of Metroid Prime is not supported; use the GameCube version'),
    (256, '48454144', 'a cartridge of the Switch', 'its version of Metroid Prime is not supported; use the GameCube version'),
    (0, '5246524d', 'a file of Metroid Prime Remastered or of Donkey Kong', 'these games are not supported; use the GameCube version of Metroid Prime'),
    (4, '66747970', 'an MP4 or MOV video', 'this kind of video is not supported'),
    (0, '1a45dfa3', 'a Matroska or WebM video', 'this kind of video is not supported'),
    (0, '42494b', 'a Bink video', 'this kind of video is not supported'),
    (8, '41564920', 'an AVI video', 'this kind of video is not supported'),
    (8, '57415645', 'a WAV sound', 'sounds are not converted'),
    (0, '4f676753', 'an Ogg sound', 'sounds are not converted'),
    (0, '255044462d', 'a PDF document', 'documents are not converted'),
    (0, '7f454c46', 'a program', 'the data files of the game are elsewhere'),
    (0, '4d5a', 'a program', 'the data files of the game are elsewhere, such as data/battle/battle.lgp of Final Fantasy VII'),
    (0, '53514c69746520666f726d6174203300', 'an SQLite database', 'databases are not converted'),
)
RIG = ' (see `reanima convert MOTION -s FILE`)'


class ForeignFiles(Case):
    def made(self, offset, text, name='game.bin', size=0x9930):
        data = bytearray(size)
        data[offset:offset + len(text) // 2] = bytes.fromhex(text)
        return write(self.path(name), bytes(data))

    def test_each_is_named_with_its_next_step(self):
        for offset, text, label, following, *rig in FILES:
            path = self.made(offset, text)
            verb = ['dump'] if rig else ['convert', '-o', self.path('x.glb')]     # what is a rig may hold motion: see sources_test.py
            message = f'reanima: {path}: is {label}; {following}' + (RIG if rig else '') + '\n'
            self.check(run(*verb, path), 1, message)
        self.assertEqual(self.files(), ['game.bin'])

    def test_every_verb_says_the_same(self):
        path = self.made(0, '52565a01' + '00' * 68 + '00000002', 'Metroid Prime.rvz')
        message = f'reanima: {path}: is a disc image of the Wii (RVZ); its version of Metroid Prime is not supported; use the GameCube version\n'
        for words in (['info', path], ['dump', path], ['list', path], ['extract', path, '-o', self.path('out')], ['preview', path], ['frames', path],
                      ['check', '--roundtrip', path]):
            self.check(run(*words, cwd=self.folder), 1, message)
        self.assertEqual(run('check', path).stdout.decode(), message[len('reanima: '):])
        path = self.made(0, '676c5446', 'hero.glb')
        self.assertEqual(run('check', path).stdout.decode(), f'{path}: version at 0x4: is 0, expected 2\n')

    def test_what_is_no_archive_is_named_by_those_who_want_one(self):
        write(self.path('battle.fs'), b'packed')
        write(self.path('notes.txt'), b'hello')
        video = sample('rlf', 'wheel.rlf')
        for path, problem in (('battle.fs', 'is an archive of Final Fantasy VIII; put its .fs, .fi and .fl into one folder'),
                              (video, 'is ZVision run-length video, not an archive. `reanima info` shows what it contains'),
                              ('notes.txt', 'is not a file of a known format')):
            for words in (['list', path], ['list', '-r', path], ['extract', path, '-o', 'out'], ['extract', path, 'x', '-o', 'out']):
                self.check(run(*words, cwd=self.folder), 1, f'reanima: {path}: {problem}\n')
        self.assertEqual(self.files(), ['battle.fs', 'notes.txt'])

    def test_discs_are_not_read_to_find_out(self):
        path = self.made(24, '5d1c9ea3', 'game.iso')
        with open(path, 'r+b') as f:
            f.truncate(1459978240)                            # as large as a disc of the GameCube
        for verb in ('info', 'list'):
            self.tells('is a disc image of the Wii; ', verb, path, status=1)
        self.tells('is a disc image of the Wii; ', 'convert', path, '-o', self.path('x.glb'), status=1)

    def test_images_of_two_consoles_begin_alike(self):
        for block, message in ((0x200000, 'is a disc image in the CISO format; it ends within its header'),
                               (0x18, 'is a disc image of the PSP; games of the PSP are not supported')):
            path = write(self.path('game.ciso'), b'CISO' + struct.pack('<I', block) + bytes(100))
            self.check(run('info', path), 1, f'reanima: {path}: {message}\n')

    def test_texts_are_told_apart(self):
        for text, message in (('{ "scenes": [], "asset": {"version": "2.0"} }', 'is a glTF file; motion can be bound to it as a rig' + RIG),
                              ('<?xml version="1.0"?>\n<COLLADA version="1.4.1"/>', 'is a COLLADA file; motion can be bound to it as a rig' + RIG),
                              ('<?xml version="1.0"?>\n<svg/>', 'is an XML text; texts are not converted'),
                              ('hello', 'is not a file of a known format')):
            path = write(self.path('text'), text)
            self.check(run('dump', path), 1, f'reanima: {path}: {message}\n')

    def test_what_is_cut_is_not_taken_for_something(self):
        for size in (0, 1, 3):
            path = write(self.path('short'), bytes.fromhex('89504e470d0a1a0a')[:size])
            self.check(run('dump', path), 1, f"reanima: {path}: {'is empty' if size == 0 else 'is not a file of a known format'}\n")

    def test_a_file_of_ours_stays_one(self):
        self.check(run('info', sample('rlf', 'wheel.rlf')), 0)
        name = self.path('BMda')                              # a name and content that fit take precedence
        write(name, b'BM' + bytes(2))
        self.assertNotIn('BMP', run('info', name).err)


if __name__ == '__main__':
    unittest.main()
