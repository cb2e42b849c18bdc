#!/usr/bin/env python3
"""Characters of Final Fantasy VII with their meshes: the files that are found, the messages about missing ones, and the
dependencies of outputs."""
import json, os, shutil, struct, unittest

from support import Case, DATA, Scene, read, run, sample, write

CASES = os.path.join(DATA, 'conformance', 'ff7-mesh', 'inputs')


class Characters(Case):
    def copy(self, folder, *leave_out):
        """a character's files in the test's folder"""
        for name in os.listdir(os.path.join(CASES, folder)):
            if name not in leave_out:
                shutil.copy(os.path.join(CASES, folder, name), self.path(name))

    def convert(self, *args, status=0):
        p = self.check(run('convert', *args, '-o', self.path('x.glb'), '--force'), status)
        return (Scene(read(self.path('x.glb'))) if status == 0 else None), p.err

    def meshes(self, scene):
        return sorted(n['name'] for n in scene.g['nodes'] if 'mesh' in n)

    def test_the_sample_hero(self):
        scene, _ = self.convert(sample('ff7', 'hrda'))
        self.assertEqual(self.meshes(scene), ['hraa_body', 'hrck'])
        self.assertEqual(sorted(i['name'] for i in scene.g['images']), ['hrac', 'hrad'])
        self.assertEqual(sorted(m['name'] for m in scene.g['materials']), ['hraa_colors', 'hrac', 'hrad'])

    def test_the_sample_doll(self):
        scene, _ = self.convert(sample('ff7', 'doll.hrc'), sample('ff7', 'doll_idle.a'), sample('ff7', 'doll_walk.a'))
        self.assertEqual(self.meshes(scene), ['doll_body'])
        self.assertEqual([a['name'] for a in scene.g['animations']], ['doll_idle', 'doll_walk'])
        self.assertEqual(sorted(i['name'] for i in scene.g['images']), ['dlta', 'dltb'])

    def test_animations_by_pattern(self):
        """The fitting files of a pattern, in any case; entries of an archive in the same way"""
        self.copy('doll')
        scene, _ = self.convert(self.path('QAAA.HRC'), '--animations', self.path('qa??.a'))
        self.assertEqual([a['name'] for a in scene.g['animations']], ['QAFE', 'QAGA'])
        write(self.path('QAZZ.A'), struct.pack('<3I4B5I', 1, 1, 2, 1, 0, 2, 0, 0, 0, 0, 0, 0) + bytes(48))
        scene, errors = self.convert(self.path('QAAA.HRC'), '--animations', self.path('qa??.a'), '--report', self.path('r.jsonl'))
        self.assertEqual([a['name'] for a in scene.g['animations']], ['QAFE', 'QAGA'])
        self.assertIn('QAAA.HRC: note: 1 of 3 animations are left out, because they move a different number of bones\n', errors)
        self.assertEqual(len(json.loads(read(self.path('r.jsonl')).splitlines()[0])['warnings']), 0)
        _, errors = self.convert(self.path('QAAA.HRC'), '--animations', self.path('QAZZ.A'))
        self.assertIn('QAZZ.A: warning: bone_count: is 2, but the skeleton has 5 bones; the skeleton\'s last bones are not animated\n', errors)
        p = run('convert', self.path('QAAA.HRC'), '--animations', 'zz*.a', '-o', self.path('y.glb'))
        self.check(p, 2)
        self.assertIn('--animations zz*.a: there is no such file', p.err)

    def test_animations_of_a_folder(self):
        """The fitting files of a folder; other animations are counted, other files ignored"""
        self.copy('doll')
        os.mkdir(self.path('clips'))
        for name in ('QAFE.A', 'QAGA.A'):
            os.rename(self.path(name), self.path('clips', name))
        for path in (sample('ff7', 'hrda'), sample('metroid', 'hero_walk.ANIM'), sample('rlf', 'wheel.rlf'), sample('README.md')):
            shutil.copy(path, self.path('clips'))
        scene, errors = self.convert(self.path('QAAA.HRC'), '--animations', self.path('clips'))
        self.assertEqual([a['name'] for a in scene.g['animations']], ['QAFE', 'QAGA'])
        self.assertIn('QAAA.HRC: note: animations left out because they are made for skeletons of other kinds: 2\n', errors)
        scene, errors = self.convert(self.path('clips', 'QAFE.A'), '--animations', self.path('clips'))     # not itself again
        self.assertEqual(sorted(a['name'] for a in scene.g['animations']), ['QAFE', 'QAGA'])
        self.assertIn('QAFE.A: note: animations left out because they are made for skeletons of other kinds: 2\n', errors)
        os.mkdir(self.path('empty'))
        self.check(run('convert', self.path('QAAA.HRC'), '--animations', 'empty', '-o', self.path('y.glb'), cwd=self.folder), 2,
                   'reanima: --animations empty: contains no animation of a game\n')

    def test_help(self):
        help_ = ' '.join(run('convert', '--help').stdout.decode().split())
        self.assertIn('write only joints and clips, no meshes', help_)
        self.assertIn('none (none). Default: the first weapon', help_)

    def test_extras(self):
        scene, _ = self.convert(os.path.join(CASES, 'missing', 'zmda'))
        character = scene.g['scenes'][0]['extras']['reanima']['character']
        self.assertEqual(character['missing'], ['zmad', 'zman'])
        self.assertEqual([t['file'] for t in character['textures']], ['zmac'])
        self.assertEqual([p['file'] for p in character['pieces']], ['zmam', 'zmao', 'zmaq'])
        self.assertEqual(character['pieces'][0]['joint'], 'bone000')
        # Of the third piece, two overlays of a texture that is missing are left out.
        self.assertEqual([(g['index'], g['skipped'], g['texture']) for g in character['pieces'][1]['groups']], [(0, 0, None), (1, 0, 1), (2, 2, 1), (3, 0, 0)])

    def test_no_meshes_at_all(self):
        self.copy('player', *[n for n in os.listdir(os.path.join(CASES, 'player')) if n not in ('zcda', 'zcaa')])
        scene, errors = self.convert(self.path('zcda'), '-v')
        self.assertEqual(self.meshes(scene), [])
        self.assertIn('note: no meshes were found beside it, so only joints and clips are converted', errors)

    def test_nothing_but_what_cannot_be_read(self):
        shutil.copy(os.path.join(CASES, 'alone', 'saab.rsd'), self.path('saab.rsd'))
        write(self.path('saac.p'), read(os.path.join(CASES, 'alone', 'saac.p'))[:200])
        write(self.path('a.hrc'), ':HEADER_BLOCK 2\n:SKELETON a\n:BONES 1\n\nb\nroot\n9\n1 SAAB\n')
        _, errors = self.convert(self.path('a.hrc'))
        self.assertIn('saac.p: warning: vertices', errors)
        self.assertNotIn('no meshes were found beside it', errors)
        self.convert(self.path('a.hrc'), '--strict', status=1)

    def test_weapons_of_one_shape(self):
        """They do not overlap, though all are at the same place."""
        self.copy('armed')
        name = self.path('ZDDA')
        scene, _ = self.convert(name, '--weapon', 'all')
        weapons = [m for m in self.meshes(scene) if not m.endswith('_body')]
        first = self.path(next(f for f in os.listdir(self.folder) if f.upper() == weapons[0].upper()))
        for weapon in weapons[1:]:
            shutil.copy(first, self.path(next(f for f in os.listdir(self.folder) if f.upper() == weapon.upper())))
        scene, _ = self.convert(name, '--weapon', 'all')
        self.assertEqual([m for m in self.meshes(scene) if not m.endswith('_body')], weapons)
        places = [[scene.accessor(p['attributes']['POSITION']) for p in m['primitives']] for m in scene.g['meshes'] if not m['name'].endswith('_body')]
        self.assertGreater(len(places), 1)
        for other in places[1:]:
            self.assertEqual(other, places[0])

    def test_a_weapon_of_a_skeleton_without_letters(self):
        self.copy('armed')
        shutil.copy(self.path('ZDAA'), self.path('hero.aa'))
        _, errors = self.convert(self.path('hero.aa'), '--weapon', '0', status=1)
        self.assertIn('weapon 0 is requested, but its file is missing', errors)

    def test_textures_whose_names_differ_in_bytes_alone(self):
        self.copy('alone')
        if not os.path.exists(os.fsencode(self.folder) + b'/saab.rsd'):
            shutil.copy(os.path.join(CASES, 'alone', 'saab.rsd'), self.path('saab.rsd'))
        texture = read(os.path.join(CASES, 't_picture.tex'))
        for letter in (b'\xe9', b'\xe8'):
            with open(os.path.join(os.fsencode(self.folder), letter + b'.tex'), 'wb') as f:
                f.write(texture)
        write(self.path('two.rsd'), b'@RSD940102\r\nPLY=SAAC.PLY\r\nMAT=SAAC.MAT\r\nGRP=SAAC.GRP\r\nNTEX=2\r\nTEX[0]=\xe9.TIM\r\nTEX[1]=\xe8.TIM\r\n')
        scene, _ = self.convert(self.path('two.rsd'))
        names = [i['name'] for i in scene.g['images']]
        self.assertEqual(len(names), len(set(names)))

    def test_what_is_not_there(self):
        _, errors = self.convert(os.path.join(CASES, 'missing', 'zmda'))
        self.assertIn('zmaa: warning: zman is missing, so its content is left out\n', errors)
        self.assertIn('zmap: warning: vertices[0]: is not finite\n', errors)
        self.assertIn('zmaq: warning: groups[1].texture: is 7, but the model has 2 textures; the group is drawn without a texture\n', errors)
        self.assertIn('zmaa: warning: zmad is missing, so its content is left out\n', errors)

    def test_more_bones_than_letters(self):
        _, errors = self.convert(os.path.join(CASES, 'beyond', 'zoda'))
        self.assertIn('warning: the mesh of bone 50 has no file name, so this piece and all later ones are left out', errors)

    def test_weapons(self):
        _, errors = self.convert(os.path.join(CASES, 'armed', 'ZDDA'), '--weapon', '1', status=1)
        self.assertIn('weapon_count at 0x24: weapon 1 is requested, but its file is missing', errors)
        p = run('convert', os.path.join(CASES, 'armed', 'ZDDA'), '--weapon', 'sword', '-o', self.path('x.glb'))
        self.check(p, 2)
        self.assertIn('expected a number from 0 to 15, all or none', p.err)
        p = run('convert', os.path.join(CASES, 'armed', 'ZDDA'), '--lit', '--unlit', '-o', self.path('x.glb'))
        self.check(p, 2)
        self.assertIn('--lighting: is given twice', p.err)

    def test_blending_and_numbers_that_disagree(self):
        _, errors = self.convert(os.path.join(CASES, 'blend', 'zeda'))
        self.assertIn('zeam: warning: groups[7].render_state: has blend mode 1, but its blending bit is not set; the mode is used', errors)
        self.copy('player')
        data = bytearray(read(self.path('zcar')))
        at = data.index(struct.pack('<4I', 1, 1, 0x3820E, 0x20002)) + 16
        data[at] += 5
        write(self.path('zcar'), bytes(data))
        _, errors = self.convert(self.path('zcda'))
        self.assertIn('zcar: warning: groups[0].texture: is 1, but the render state names texture 6; the texture of the group is used', errors)

    def test_pieces_alone(self):
        scene, errors = self.convert(os.path.join(CASES, 'alone', 'saac.p'))
        self.assertIn('saac.p: warning: groups[1].texture: is 0, but only the model states the file of this texture; the group is drawn without a texture', errors)
        self.assertNotIn('skins', scene.g)
        self.assertIn(True, ['TEXCOORD_0' in p['attributes'] for p in scene.g['meshes'][0]['primitives']])
        shutil.copy(os.path.join(CASES, 'alone', 'saab.rsd'), self.path('saab.rsd'))
        _, errors = self.convert(self.path('saab.rsd'), status=1)
        self.assertIn('saab.rsd: mesh: is saac.p, which is missing', errors)
        write(self.path('saac.p'), read(os.path.join(CASES, 'alone', 'saac.p'))[:200])
        _, errors = self.convert(self.path('saab.rsd'), status=1)
        self.assertIn('saac.p: warning: vertices at 0x80: these and the lists after them need', errors.replace('vertices:', 'vertices at 0x80:'))
        self.assertIn('saab.rsd: mesh: is saac.p, which can\'t be read', errors)

    def test_palettes(self):
        p = run('convert', os.path.join(CASES, 't_picture.tex'), '--palette', '200', '-o', self.path('x.png'))
        self.check(p, 1)
        self.assertIn('palette_count at 0x30: palette 200 is requested, but there are only 3', p.err)

    def test_files_that_an_output_comes_from(self):
        """If a piece changes, the output is made again; a change of an unused file has no effect."""
        self.copy('player')
        args = ('convert', self.path('zcda'), '-o', self.path('x.glb'), '--if-changed', '--depfile', self.path('x.d'))
        self.check(run(*args), 0)
        named = read(self.path('x.d')).decode()
        for name in ('zcda', 'zcaa', 'zcam', 'zcan', 'zcap', 'zcac', 'zcad', 'zcck'):
            self.assertIn(self.path(name), named)
        self.assertNotIn(self.path('zcao'), named)                       # bone 2 has no mesh
        before = os.stat(self.path('x.glb')).st_mtime_ns
        self.check(run(*args), 0)
        write(self.path('zcao'), b'something else')
        self.check(run(*args), 0)
        self.assertEqual(os.stat(self.path('x.glb')).st_mtime_ns, before)
        data = bytearray(read(self.path('zcam')))
        data[128] ^= 1
        write(self.path('zcam'), bytes(data))
        self.check(run(*args), 0)
        self.assertNotEqual(os.stat(self.path('x.glb')).st_mtime_ns, before)

    def test_names_of_resources_lead_not_out_of_the_folder(self):
        for name in ('../SECRET', '..\\SECRET', self.path('SECRET')):
            write(self.path('in', 'a.hrc'), ':HEADER_BLOCK 2\n:SKELETON a\n:BONES 1\n\nb\nroot\n9\n1 %s\n' % name)
            outcomes = []
            for secret in (b'secret', read(sample('ff7', 'dlab.rsd'))):
                for path in ('SECRET.rsd', 'secret.rsd'):
                    write(self.path(path), secret)
                p = run('convert', self.path('in', 'a.hrc'), '--force', '--depfile', self.path('x.d'), '-o', self.path('x.glb'))
                outcomes.append((p.returncode, p.err, read(self.path('x.glb')), read(self.path('x.d'))))
            self.assertEqual(outcomes[0][0], 0, outcomes[0][1])
            self.assertEqual(outcomes[0], outcomes[1])
            self.assertNotIn(b'secret', outcomes[0][3].lower())

    def test_in_a_folder_parts_belong_to_characters(self):
        os.mkdir(self.path('in'))
        for name in os.listdir(os.path.join(CASES, 'player')):
            shutil.copy(os.path.join(CASES, 'player', name), self.path('in', name))
        self.check(run('convert', self.path('in'), '-o', self.path('out') + '/'), 0)
        self.assertEqual(os.listdir(self.path('out')), ['zcda.glb'], 'the skeleton is in it')


if __name__ == '__main__':
    unittest.main()
