#!/usr/bin/env python3
"""Outputs of `convert` are shown and converted again: meshes, textures, clips and their descriptions stay."""
import json, os, sys, unittest

from gltf_files import glb_around, glb_of, parts
from pages import data_of, page_of
from pictures import from_png
from support import DATA, SANITIZED, Case, in_blender, read, run, sample, write

sys.path.append(os.path.join(DATA, 'rigs'))
import rig_set                                    # noqa: E402

GAMES = ('ff7', 'ff8', 'ff9', 'metroid')
CHARACTERS = [('ff7', 'hrda'), ('ff7', 'doll_walk.a'), ('ff9', 'hero.ff9db'), ('ff8', 'c0m900.dat'), ('metroid', 'hero_walk.ANIM')]


def without_marks(glb):
    """-> the JSON without members that differ between runs, and the data"""
    gltf, data = parts(glb)
    for mark in ('key', 'hash'):
        gltf['scenes'][0]['extras']['reanima'].pop(mark, None)
    return gltf, data


def facts(gltf):
    """-> the counts that a person sees"""
    triangles = sum(gltf['accessors'][p['indices']]['count'] // 3 for m in gltf.get('meshes', []) for p in m['primitives'])
    names = ('name', 'id', 'rate', 'frames', 'loop', 'named_by', 'events')
    clips = [[(a.get('extras') or {}).get(name) for name in names] for a in gltf.get('animations', [])]
    return triangles, len(gltf.get('images', [])), [m.get('name') for m in gltf.get('materials', [])], clips


class Converted(Case):
    def convert(self, *words):
        return self.check(run('convert', *words, '--force'), 0)

    def sheet(self, path, *words):
        """-> the PNG"""
        out = self.path('sheet.png')
        p = run('preview', path, *words, '-o', out, '--force')
        if "can't draw sheets" in p.err:
            self.skipTest('built without cairo')
        self.check(p, 0)
        return read(out)

    def pixels(self, path, *words):
        """-> rows of pixels of the sheet"""
        return from_png(self.sheet(path, *words))[1]


class Again(Converted):
    def heroes(self):
        for words in CHARACTERS:
            path = self.path(words[-1] + '.glb')
            self.convert(sample(*words), '-q', '-o', path)
            yield path

    def test_a_file_that_nothing_was_asked_of_stays(self):
        count = 0
        for hero in self.heroes():
            with self.subTest(hero):
                count += 1
                p = self.convert(hero, '-o', self.path('b.glb'))
                self.assertTrue(p.err.endswith(f'; the meshes come from {hero}\n'), p.err)
                self.assertEqual(without_marks(read(self.path('b.glb'))), without_marks(read(hero)))
                self.convert(hero, '-q', '-o', self.path('b.gltf'))
                self.assertEqual(facts(json.loads(read(self.path('b.gltf')))), facts(parts(read(hero))[0]))
                self.convert(self.path('b.gltf'), '-q', '-o', self.path('c.glb'))
                self.assertEqual(facts(parts(read(self.path('c.glb')))[0]), facts(parts(read(hero))[0]))
        self.assertEqual(count, len(CHARACTERS))

    def test_clips_that_options_change_take_the_place_of_the_old_ones(self):
        for hero in self.heroes():
            with self.subTest(hero):
                before = facts(parts(read(hero))[0])
                self.convert(hero, '-q', '--reduce', '0.01', '-o', self.path('b.glb'))
                self.assertEqual(facts(parts(read(self.path('b.glb')))[0]), before)
                self.assertLessEqual(os.path.getsize(self.path('b.glb')), os.path.getsize(hero) + 500)
                name = before[3][0][0]
                self.convert(hero, '-q', '--clip', name, '-o', self.path('c.glb'))
                gltf, _ = parts(read(self.path('c.glb')))
                self.assertEqual([a['name'] for a in gltf['animations']], [name])
                self.assertEqual(facts(gltf)[:3], before[:3])
                self.assertEqual([c['name'] for c in gltf['scenes'][0]['extras']['reanima']['clips']], [name])

    def test_meshes_that_can_not_follow_are_named(self):
        self.convert(sample('ff7', 'hrda'), '-q', '-o', self.path('a.glb'))
        p = self.convert(self.path('a.glb'), '--scale', '2', '-o', self.path('b.glb'))
        self.assertIn(f"{self.path('a.glb')}: warning: the meshes are left out, because options change the joints that they follow\n", p.err)
        self.assertNotIn('meshes', parts(read(self.path('b.glb')))[0])
        p = self.check(run('convert', self.path('a.glb'), '--proxy-mesh', '-o', self.path('c.glb')), 0)
        self.assertNotIn('the meshes come from', p.err)

    def test_an_avatar_stays_one(self):
        self.convert(sample('ff7', 'hrda'), '-q', '-o', self.path('a.glb'))
        os.rename(self.path('a.glb'), self.path('a.vrm'))
        self.convert(self.path('a.vrm'), '-q', '-o', self.path('b.vrm'))
        self.assertEqual(without_marks(read(self.path('b.vrm'))), without_marks(read(self.path('a.vrm'))))
        p = self.check(run('convert', self.path('a.vrm'), '--scale', '2', '-o', self.path('c.vrm')), 2)
        self.assertIn(f"reanima: -o {self.path('c.vrm')}: an avatar keeps its joints. Leave out the options that change joints\n", p.err)

    def test_what_the_game_says_of_clips_is_read_back(self):
        self.convert(sample('metroid', 'hero_walk.ANIM'), '-q', '-o', self.path('a.glb'))
        game, = json.loads(self.check(run('info', '--json', sample('metroid', 'hero_walk.ANIM')), 0).stdout)[0]['clips']
        again, = json.loads(self.check(run('info', '--json', self.path('a.glb')), 0).stdout)[0]['clips']
        self.assertEqual({k: game[k] for k in ('name', 'id', 'full_name', 'named_by', 'frames', 'rate', 'loop')},
                         {k: again[k] for k in ('name', 'id', 'full_name', 'named_by', 'frames', 'rate', 'loop')})
        table = self.check(run('info', self.path('a.glb')), 0).stdout.decode()
        self.assertRegex(table, r'index +clip +seconds +frames +rate +loop\n +0 +hero_walk +[0-9.]+ +%d +%g ' % (game['frames'], game['rate']))

    def test_keys_that_another_program_changed_are_told_by_themselves(self):
        """If a clip is now shorter, the rate of the game is no longer right"""
        self.convert(sample('ff7', 'hrda'), '-q', '-o', self.path('a.glb'))
        gltf, data = parts(read(self.path('a.glb')))
        gltf['animations'][0]['extras']['frames'] = 12
        write(self.path('b.glb'), glb_around(gltf, data))
        clips = json.loads(self.check(run('info', '--json', self.path('b.glb')), 0).stdout)[0]['clips']
        self.assertEqual([('rate' in clip) for clip in clips], [False, True, True, True])

    def test_they_are_checked(self):
        self.convert(sample('ff7', 'hrda'), '-q', '-o', self.path('a.glb'))
        p = self.check(run('check', self.path('a.glb')), 0)
        self.assertEqual(p.stdout.decode(), f"{self.path('a.glb')}: ok, glTF animations\n")
        gltf, data = parts(read(self.path('a.glb')))
        gltf['animations'][2]['samplers'][1]['output'] = 100000
        write(self.path('b.glb'), glb_around(gltf, data))
        p = self.check(run('check', self.path('b.glb')), 1)
        self.assertIn('animations[2].samplers[1].output: ', p.stdout.decode())

    def test_a_page_shows_the_file_itself(self):
        for hero in self.heroes():
            with self.subTest(hero):
                p = self.check(run('preview', hero, '-o', self.path('hero.html'), '--force'), 0)
                self.assertNotIn('shown as bones', p.err)
                item, = data_of(page_of(self.path('hero.html')))['items']
                self.assertEqual(facts(parts(item['glb'])[0])[:3], facts(parts(read(hero))[0])[:3])

    def test_a_sheet_shows_it_as_the_one_of_the_game_does(self):
        """Each pixel has nearly its colour in the game's sheet: here vertices of several joints follow one"""
        for words in (('ff7', 'hrda'), ('ff8', 'c0m900.dat'), ('ff9', 'hero.ff9db'), ('metroid', 'hero_walk.ANIM')):
            with self.subTest(words):
                self.convert(sample(*words), '-q', '-o', self.path('a.glb'))
                game, again = self.pixels(sample(*words)), self.pixels(self.path('a.glb'))
                self.assertEqual([len(row) for row in again], [len(row) for row in game])
                pairs = [pair for rows in zip(game, again) for pair in zip(*rows)]
                figure = [(a, b) for a, b in pairs if max(a[:3]) - min(a[:3]) > 30]
                same = sum(max(abs(p - q) for p, q in zip(a[:3], b[:3])) < 48 for a, b in figure)
                self.assertGreater(len(figure), 3000)
                self.assertGreater(same / len(figure), 0.9)

    def with_jpeg(self):
        """-> the path of a character whose textures are one picture, half red and half blue, made by ffmpeg"""
        self.convert(sample('ff7', 'hrda'), '-q', '-o', self.path('a.glb'))
        gltf, rest = parts(read(self.path('a.glb')))
        data, picture = rest[8:], read(os.path.join(DATA, 'pictures', 'halves.jpg'))
        gltf['bufferViews'].append({'buffer': 0, 'byteOffset': len(data), 'byteLength': len(picture)})
        for image in gltf['images']:
            image.update(mimeType='image/jpeg', bufferView=len(gltf['bufferViews']) - 1)
        for material in gltf['materials']:
            material.setdefault('pbrMetallicRoughness', {})['baseColorTexture'] = {'index': 0}
        for mesh in gltf['meshes']:
            for primitive in mesh['primitives']:
                primitive['attributes'].pop('COLOR_0', None)
        data += picture
        gltf['buffers'][0]['byteLength'] = len(data)
        return write(self.path('jpeg.glb'), glb_of(gltf, data))

    def red_or_blue(self, rows):
        return [c for row in rows for c in row if max(c[0], c[2]) > 2 * c[1] + 40]

    def test_pictures_of_the_jpeg_kind_are_drawn(self):
        rows = self.pixels(self.with_jpeg())
        shown = self.red_or_blue(rows)
        self.assertGreater(len(shown), 3000)
        self.assertGreater(sum(c[0] > c[2] for c in shown), 300)
        self.assertGreater(sum(c[2] > c[0] for c in shown), 300)

    def test_a_rig_is_drawn_in_its_colours(self):
        rig = self.path('rig.glb')
        rig_set.write(rig, rig_set.build('mixamo', 'adult', {'pose': 'T', 'mesh': 'yes'}))
        gltf, rest = parts(read(rig))
        gltf['materials'] = [{'pbrMetallicRoughness': {'baseColorFactor': [1, 0, 0, 1], 'metallicFactor': 0}}]
        for mesh in gltf['meshes']:
            for primitive in mesh['primitives']:
                primitive['material'] = 0
        write(rig, glb_around(gltf, rest))
        self.assertGreater(len(self.red_or_blue(self.pixels(sample('ff7', 'hrda'), '-s', rig))), 3000)


    def test_meshes_of_fbx_and_collada_are_drawn_and_kept(self):
        self.convert(sample('ff7', 'hrda'), '-q', '--clip', '0', '-o', self.path('a.glb'))
        in_blender(self, '''
bpy.ops.import_scene.gltf(filepath=arguments[0])
for shape in [o for o in bpy.data.objects if o.name.startswith('Icosphere')]:      # of bones, in Blender 5
    bpy.data.objects.remove(shape)
bpy.ops.export_scene.fbx(filepath=arguments[1], add_leaf_bones=False, path_mode='COPY', embed_textures=True)
if 'collada_export' in dir(bpy.ops.wm):      # gone in Blender 5
    bpy.ops.wm.collada_export(filepath=arguments[2])
print('RESULT {}')
''', self.path('a.glb'), self.path('a.fbx'), self.path('a.dae'))
        triangles = facts(parts(read(self.path('a.glb')))[0])[0]
        for name in ('a.fbx', 'a.dae')[:1 + os.path.exists(self.path('a.dae'))]:
            with self.subTest(name):
                p = self.convert(self.path(name), '-o', self.path('b.glb'))
                self.assertIn(f'; the meshes come from {self.path(name)}\n', p.err)
                self.assertEqual(facts(parts(read(self.path('b.glb')))[0])[0], triangles)
                p = self.check(run('preview', self.path(name), '-o', self.path('b.html'), '--force'), 0)
                self.assertNotIn('shown as bones', p.err)
                item, = data_of(page_of(self.path('b.html')))['items']
                self.assertEqual(facts(parts(item['glb'])[0])[0], triangles)
                figure = [c for row in self.pixels(self.path(name)) for c in row if max(c[:3]) - min(c[:3]) > 30]
                self.assertGreater(len(figure), 700)


class EverySample(Converted):
    """Every character of the samples, as a .glb, a .gltf and, where it is a humanoid, on an avatar."""

    def setUp(self):
        super().setUp()
        for game in GAMES:
            self.convert(sample(game), '-q', '-o', self.path(game) + '/')
        self.all = sorted(self.path(game, name) for game in GAMES for name in os.listdir(self.path(game)))
        self.assertEqual(len(self.all), 17)

    def stays(self, path, isPictured=True):
        """the file is converted again, checked and shown: pictures show its name"""
        ending = os.path.splitext(path)[1]
        again = self.path('again', os.path.basename(path))
        self.convert(path, '-q', '-o', again)
        first, second = (json.loads(read(p)) if ending == '.gltf' else parts(read(p))[0] for p in (path, again))
        self.assertEqual(facts(second), facts(first))
        self.check(run('check', path, '-q'), 0)
        shown = json.loads(self.check(run('info', '--json', path), 0).stdout)[0]['clips']
        for stated, clip in zip(shown, first['scenes'][0]['extras']['reanima']['clips'], strict=True):
            self.assertEqual(stated['name'], clip['name'])
        if isPictured:
            self.assertTrue(self.sheet(again) == self.sheet(path))
        return facts(first)

    def test_each_stays_what_it_is(self):
        for number, path in enumerate(self.all):
            with self.subTest(path):
                isPictured = number % (4 if SANITIZED else 1) == 0
                before = self.stays(path, isPictured)
                text = path[:-len('glb')] + 'gltf'
                self.convert(path, '-q', '-o', text)
                self.assertEqual(self.stays(text, isPictured), before)

    def test_a_page_shows_them_all(self):
        self.check(run('preview', *self.all, '-q', '-o', self.path('all.html')), 0)
        items = data_of(page_of(self.path('all.html')))['items']
        self.assertEqual(len(items), len(self.all))
        for item, path in zip(items, self.all, strict=True):
            self.assertEqual(facts(parts(item['glb'])[0])[:3], facts(parts(read(path))[0])[:3])

    def test_each_stays_on_an_avatar(self):
        avatar = self.path('avatar.vrm')
        rig_set.write(avatar, rig_set.build('vroid', 'adult', {'pose': 'T', 'armature': 'none', 'vrm': 1, 'mesh': 'yes'}))
        bound = 0
        for path in self.all:
            out = self.path('worn.vrm')
            p = run('convert', path, '-s', avatar, '-q', '--force', '-o', out)
            if p.returncode == 0:
                bound += 1
                with self.subTest(path):
                    self.assertEqual(self.stays(out, bound % (4 if SANITIZED else 1) == 0)[0], facts(parts(read(avatar))[0])[0])
            else:
                self.assertIn('humanoid', p.err)
        self.assertGreaterEqual(bound, 5)


if __name__ == '__main__':
    unittest.main()
