#!/usr/bin/env python3
"""What `convert` wrote is looked at and converted again: meshes, textures, clips and what is said of them stay."""
import json, os, unittest

from gltf_files import glb_around, parts
from pages import data_of, page_of
from pictures import from_png
from support import Case, read, run, sample, write

CHARACTERS = [('ff7', 'hrda'), ('ff7', 'doll_walk.a'), ('ff9', 'hero.ff9db'), ('ff8', 'c0m900.dat'), ('metroid', 'hero_walk.ANIM')]


def without_marks(glb):
    """-> the JSON but for what tells runs apart, and the data"""
    gltf, data = parts(glb)
    for mark in ('key', 'hash'):
        gltf['scenes'][0]['extras']['reanima'].pop(mark, None)
    return gltf, data


def facts(gltf):
    """-> what a person counts"""
    triangles = sum(gltf['accessors'][p['indices']]['count'] // 3 for m in gltf['meshes'] for p in m['primitives'])
    names = ('name', 'id', 'rate', 'frames', 'loop', 'named_by', 'events')
    clips = [[(a.get('extras') or {}).get(name) for name in names] for a in gltf.get('animations', [])]
    return triangles, len(gltf.get('images', [])), [m.get('name') for m in gltf.get('materials', [])], clips


class Again(Case):
    def convert(self, *words):
        return self.check(run('convert', *words, '--force'), 0)

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
                self.assertTrue(p.err.endswith(f'; the meshes are those of {hero}\n'), p.err)
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
        self.assertIn(f"{self.path('a.glb')}: warning: its meshes are left out: options change the joints that they follow\n", p.err)
        self.assertNotIn('meshes', parts(read(self.path('b.glb')))[0])
        p = self.check(run('convert', self.path('a.glb'), '--proxy-mesh', '-o', self.path('c.glb')), 0)
        self.assertNotIn('the meshes are those of', p.err)

    def test_an_avatar_stays_one(self):
        self.convert(sample('ff7', 'hrda'), '-q', '-o', self.path('a.glb'))
        os.rename(self.path('a.glb'), self.path('a.vrm'))
        self.convert(self.path('a.vrm'), '-q', '-o', self.path('b.vrm'))
        self.assertEqual(without_marks(read(self.path('b.vrm'))), without_marks(read(self.path('a.vrm'))))
        p = self.check(run('convert', self.path('a.vrm'), '--scale', '2', '-o', self.path('c.vrm')), 2)
        self.assertIn(f"reanima: -o {self.path('c.vrm')}: an avatar keeps its joints, which these options change\n", p.err)

    def test_what_the_game_says_of_clips_is_read_back(self):
        self.convert(sample('metroid', 'hero_walk.ANIM'), '-q', '-o', self.path('a.glb'))
        game, = json.loads(self.check(run('info', '--json', sample('metroid', 'hero_walk.ANIM')), 0).stdout)[0]['clips']
        again, = json.loads(self.check(run('info', '--json', self.path('a.glb')), 0).stdout)[0]['clips']
        self.assertEqual({k: game[k] for k in ('name', 'id', 'full_name', 'named_by', 'frames', 'rate', 'loop')},
                         {k: again[k] for k in ('name', 'id', 'full_name', 'named_by', 'frames', 'rate', 'loop')})
        table = self.check(run('info', self.path('a.glb')), 0).stdout.decode()
        self.assertRegex(table, r'index +clip +seconds +frames +rate +loop\n +0 +hero_walk +[0-9.]+ +%d +%g ' % (game['frames'], game['rate']))

    def test_keys_that_another_program_changed_are_told_by_themselves(self):
        """Of a clip that is shorter now, the rate of the game is no longer true"""
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
        """Each pixel is nearly the colour that it has there: vertices of several joints follow one here"""
        for words in (('ff7', 'hrda'), ('ff9', 'hero.ff9db')):
            with self.subTest(words):
                self.convert(sample(*words), '-q', '-o', self.path('a.glb'))
                for path, sheet in ((sample(*words), 'game.png'), (self.path('a.glb'), 'again.png')):
                    p = run('preview', path, '-o', self.path(sheet), '--force')
                    if 'draws no sheets' in p.err:
                        self.skipTest('built without cairo')
                    self.check(p, 0)
                game, again = (from_png(read(self.path(sheet)))[1] for sheet in ('game.png', 'again.png'))
                self.assertEqual([len(row) for row in again], [len(row) for row in game])
                pairs = [pair for rows in zip(game, again) for pair in zip(*rows)]
                figure = [(a, b) for a, b in pairs if max(a[:3]) - min(a[:3]) > 30]
                same = sum(max(abs(p - q) for p, q in zip(a[:3], b[:3])) < 48 for a, b in figure)
                self.assertGreater(len(figure), 3000)
                self.assertGreater(same / len(figure), 0.9)


if __name__ == '__main__':
    unittest.main()
