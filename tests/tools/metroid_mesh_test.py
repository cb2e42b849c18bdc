#!/usr/bin/env python3
"""Characters of Metroid Prime with their meshes: where models, skins and textures are found, and the messages about
them."""
import json, os, shutil, unittest

from pages import data_of
from support import Case, DATA, Scene, read, run, sample, write
import writers                                    # by the description of the formats

CASES = os.path.join(DATA, 'conformance', 'metroid-mesh', 'inputs')
TEXTURES = ('5EED0111', '5EED0112', '5EED0113')
BARE = ' note: materials: 2: drawn in a single color, because there is no base texture\n'


class Characters(Case):
    def convert(self, *args, status=0):
        p = self.check(run('convert', *args, '-o', self.path('x.glb'), '--force'), status)
        return (Scene(read(self.path('x.glb'))) if status == 0 else None), p.err

    def copy(self, *names, to='.'):
        for name in names:
            write(self.path(to, name), read(sample('metroid', name)))

    def images(self, scene):
        return sorted(i['name'] for i in scene.g.get('images', []))

    def clips(self, scene):
        return [a['name'] for a in scene.g.get('animations', [])]

    def character(self, scene):
        return scene.g['scenes'][0]['extras']['reanima']['character']


class Textures(Characters):
    def setUp(self):
        super().setUp()
        self.copy('hero.CMDL')
        self.copy(*['%s.TXTR' % t for t in TEXTURES], to='textures')
        self.model = self.path('hero.CMDL')

    def test_missing_ones_are_left_out(self):
        scene, errors = self.convert(self.model)
        self.assertEqual(self.images(scene), [])
        self.assertEqual(errors.count('.TXTR was not found and is left out (see --textures PATH)\n'), 3)

    def test_of_a_folder_a_file_and_an_archive(self):
        for place in (self.path('textures'), sample('archives', 'hero.pak')):
            scene, errors = self.convert(self.model, '--textures', place)
            self.assertEqual(self.images(scene), list(TEXTURES))
            self.assertNotIn('.TXTR', errors)
        scene, errors = self.convert(self.model, '--textures', self.path('textures', '5EED0112.TXTR'))
        self.assertEqual(self.images(scene), ['5EED0112'])
        self.check(run('convert', self.model, '--textures', self.path('nowhere'), '-o', self.path('y.glb')), 1,
                   "reanima: %s: can't be read: No such file or directory\n" % self.path('nowhere'))

    def test_the_first_place_takes_precedence(self):
        """takes precedence over later ones, and over files beside the model"""
        other = write(self.path('other', '5EED0111.TXTR'), read(sample('metroid', '5EED0113.TXTR')))
        shutil.copy(self.path('textures', '5EED0111.TXTR'), self.folder)
        sizes = []
        for places in ([], [other], [self.path('textures'), other], [other, self.path('textures')]):
            scene, _ = self.convert(self.model, *(word for place in places for word in ('--textures', place)))
            sizes.append({t['id']: t['width'] for t in self.character(scene)['textures']}[0x5EED0111])
        self.assertEqual(sizes, [64, 32, 64, 32])

    def test_a_folder_without_textures(self):
        os.mkdir(self.path('empty'))
        self.check(run('convert', self.model, '--textures', self.path('empty'), '-o', self.path('y.glb')), 1,
                   'reanima: %s: contains no textures\n' % self.path('empty'))

    def test_in_a_job_file(self):
        write(self.path('hero.CMDL.reanima.json'), json.dumps({'schema': 1, 'options': {
            'textures': ['textures'], 'skin': sample('metroid', 'hero.CSKR'), 'skeleton': sample('metroid', 'hero.CINF'), 'rows': 'top-down', 'set': 0}}))
        scene, _ = self.convert(self.path('hero.CMDL.reanima.json'))
        self.assertEqual((self.images(scene), len(scene.g['skins'])), (list(TEXTURES), 1))

    def test_rows(self):
        """Both rows and coordinates are turned, or neither"""
        def look(rows):
            scene, _ = self.convert(self.model, '--textures', self.path('textures'), '--rows', rows)
            first = scene.g['meshes'][0]['primitives'][0]['attributes']['TEXCOORD_0']
            return [v for _, v in scene.accessor(first)]
        self.assertTrue(all(abs(a + b - 1) < 1e-6 for a, b in zip(look('bottom-up'), look('top-down'))))
        self.check(run('convert', self.model, '--rows', 'left', '-o', self.path('y.glb')), 2)


class Parts(Characters):
    def test_the_sample_hero(self):
        """A character named by its animation, skeleton, model or character set"""
        for name in ('hero_walk.ANIM', 'hero.CINF', 'hero.CMDL'):
            scene, errors = self.convert(sample('metroid', name))
            self.assertEqual([m['name'] for m in scene.g['meshes']], ['hero_mesh'])
            self.assertEqual((len(scene.g['skins']), self.images(scene)), (1, list(TEXTURES)))
            self.assertEqual(errors.splitlines()[0] + '\n', sample('metroid', 'hero.CMDL') + ':' + BARE)
        scene, _ = self.convert(sample('archives', 'hero.pak:Hero.ANCS'))
        self.assertEqual([m['name'] for m in scene.g['meshes']], ['hero_mesh'])
        self.assertEqual(self.clips(scene), ['idle', 'walk', 'spin'])

    def test_a_skin_of_an_archive(self):
        self.copy('hero.CMDL')
        scene, errors = self.convert(self.path('hero.CMDL'), '-s', sample('metroid', 'hero.CINF'), '--skin', sample('archives', 'hero.pak:5EED00A2.CSKR'),
                                     '--textures', sample('archives', 'hero.pak'))
        self.assertEqual((len(scene.g['skins']), errors.splitlines()[0] + '\n'), (1, self.path('hero.CMDL') + ':' + BARE))
        self.check(run('convert', self.path('hero.CMDL'), '--skin', sample('metroid', 'hero.CINF'), '-o', self.path('y.glb')), 1,
                   'reanima: %s: is Metroid Prime 1 and 2 skeleton, not a skin\n' % sample('metroid', 'hero.CINF'))

    def test_a_model_with_animations(self):
        """Vertices follow the helper of a scaled joint, which an animation adds"""
        scene, _ = self.convert(sample('metroid', 'echo.CMDL'), '--animations', sample('metroid', 'echo_rise.ANIM'), '--animations', sample('metroid', 'echo_swell.ANIM'))
        self.assertEqual(self.clips(scene), ['echo_rise', 'echo_swell'])
        alone, _ = self.convert(sample('metroid', 'echo_swell.ANIM'))
        followed = []
        for each in (scene, alone):
            joints = [each.g['nodes'][j]['name'] for j in each.g['skins'][0]['joints']]
            used = set()
            for part in each.g['meshes'][0]['primitives']:
                for js, ws in zip(each.accessor(part['attributes']['JOINTS_0']), each.accessor(part['attributes']['WEIGHTS_0'])):
                    used |= {joints[int(j)] for j, w in zip(js, ws) if w}
            followed.append(used)
        self.assertEqual(followed[0], followed[1])
        scaled = [name[:-6] for name in followed[0] if name.endswith('_scale')]
        self.assertTrue(scaled)
        self.assertFalse(followed[0] & set(scaled))

    def test_without_a_mesh(self):
        """Joints of loose files keep a skin, by which programs recognize a skeleton; for a character set, a message
        states the missing mesh"""
        scene, _ = self.convert(sample('metroid', 'hero_walk.ANIM'), '--no-mesh')
        self.assertEqual((len(scene.g['skins']), self.clips(scene), 'meshes' in scene.g), (1, ['hero_walk'], False))
        scene, _ = self.convert(sample('archives', 'hero.pak:Hero.ANCS'), '--no-mesh')
        self.assertEqual(('skins' in scene.g, 'meshes' in scene.g), (False, False))
        self.assertEqual(self.character(scene)['skinned'], False)
        scene, _ = self.convert(sample('archives', 'hero.pak:Hero.ANCS'), '--no-mesh', '--proxy-mesh')
        self.assertEqual((len(scene.g['skins']), len(scene.g['meshes'])), (1, 1))

    def test_sets_of_materials(self):
        sets = os.path.join(CASES, 'sets.CMDL')
        _, errors = self.convert(sets)
        self.assertIn('sets.CMDL: note: material_sets: there are 2, but only number 0 is converted (see --set N)\n', errors)
        _, errors = self.convert(sets, '--set', 1)
        self.assertIn('there are 2, but only number 1 is converted', errors)
        _, errors = self.convert(sets, '--set', 2, status=1)
        self.assertIn('sets.CMDL: has no material set 2, only 2 (see --set N)\n', errors)

    def test_bound_to_a_rig_a_mesh_goes_along(self):
        rig = self.path('rig.glb')
        self.check(run('convert', sample('metroid', 'hero.CINF'), '--no-mesh', '-o', rig), 0)
        scene, _ = self.convert(sample('metroid', 'hero_walk.ANIM'), '-s', rig, '--with-mesh')
        self.assertIn('hero_mesh', [m['name'] for m in scene.g['meshes']])


class Archives(Characters):
    def pak(self, name, wanted, names=()):
        """an archive with those entries of the sample's"""
        rows = {r['name']: r for r in json.loads(run('list', sample('archives', 'hero.pak'), '--json').stdout)['entries']}
        resources = []
        for entry in wanted:
            self.check(run('extract', sample('archives', 'hero.pak'), entry, '-o', self.path('entries'), '--force'), 0)
            resources.append((rows[entry]['type'], rows[entry]['id'], read(self.path('entries', entry)), True))
        return write(self.path(name), writers.pak(list(names), resources)[0])

    def test_all_characters_of_one(self):
        p = self.check(run('convert', os.path.join(CASES, 'crew.pak'), '-o', self.path('out') + '/'), 0)
        self.assertEqual(sorted(os.listdir(self.path('out', 'crew'))), ['Crew_Armour.glb', 'Crew_Bird.glb', 'Crew_Hero.glb'])
        for name in os.listdir(self.path('out', 'crew')):
            scene = Scene(read(self.path('out', 'crew', name)))
            self.assertEqual((len(scene.g['meshes']), len(scene.g['skins'])), (1, 1))
        self.assertIn('3 converted, 0 failed', p.err)

    def test_others_of_the_command_line_come_last(self):
        """Ids apply across all archives: a character in one, its meshes and textures in another"""
        entries = [e['name'] for e in json.loads(run('list', sample('archives', 'hero.pak'), '--json').stdout)['entries']]
        worn = ('CMDL', 'CSKR', 'TXTR')
        first = self.pak('first.pak', [e for e in entries if not e.endswith(worn)], [('ANCS', 0x5EED0002, 'Hero')])
        second = self.pak('second.pak', [e for e in entries if e.endswith(worn)])
        self.tells('its model 5EED00A1.CMDL was not found, so there is no mesh\n', 'convert', first, '-o', self.path('alone') + '/')
        for inputs in ([first, second], [second, first], [first + ':Hero.ANCS', second]):
            shutil.rmtree(self.path('out'), ignore_errors=True)
            p = self.check(run('convert', *inputs, '-o', self.path('out') + '/', '-v'), 0)
            self.assertNotIn('was not found', p.err)
            made = [os.path.join(d, f) for d, _, fs in os.walk(self.path('out')) for f in fs]
            self.assertEqual([os.path.basename(f) for f in made if 'Hero' in f], ['Hero.glb'])
            scene = Scene(read(next(f for f in made if 'Hero' in f)))
            self.assertEqual((len(scene.g['meshes']), len(scene.g['skins']), self.images(scene)), (1, 1, list(TEXTURES)))
        p = self.check(run('info', first + ':Hero.ANCS', second), 0)
        self.assertIn('hero_mesh', p.stdout.decode())

    def test_what_can_not_be_read_of_others_is_left_to_them(self):
        hero = sample('archives', 'hero.pak')
        broken = write(self.path('broken.pak'), read(hero)[:60])
        p = run('convert', hero + ':Hero.ANCS', broken, '-o', self.path('out') + '/')
        self.check(p, 1)
        self.assertTrue(any(f.endswith('Hero.glb') for _, _, fs in os.walk(self.path('out')) for f in fs))


class Shown(Characters):
    def test_a_texture(self):
        p = self.check(run('info', sample('metroid', '5EED0111.TXTR')), 0)
        self.assertEqual(p.stdout.decode().splitlines()[-1].split(), ['5EED0111', '64', 'x', '64', 'CMPR,', '3', 'levels'])
        row, = json.loads(run('info', '--json', sample('metroid', '5EED0111.TXTR')).stdout)
        self.assertEqual(row['textures'], [dict(name='5EED0111', width=64, height=64, format='CMPR', levels=3)])

    def test_a_sheet_and_a_page(self):
        for output in ('sheet.png', 'page.html'):
            p = run('preview', sample('archives', 'hero.pak:Hero.ANCS'), '-o', self.path(output))
            if p.returncode == 2 and "can't draw sheets" in p.err:
                continue
            self.check(p, 0)
            self.assertIn('wrote %s: 1 character, 3 clips\n' % self.path(output), p.err)
        scene = Scene(data_of(read(self.path('page.html')).decode())['items'][0]['glb'])
        self.assertEqual(([m['name'] for m in scene.g['meshes']], self.images(scene)), (['hero_mesh'], list(TEXTURES)))


if __name__ == '__main__':
    unittest.main()
