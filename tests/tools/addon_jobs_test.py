#!/usr/bin/env python3
"""Job files, names files and options of actions as the Blender add-on takes them. Needs no Blender."""
import json, os, sys, types, unittest

sys.dont_write_bytecode = True
from folder import SOURCE, InFolder, write          # noqa: E402
# As a package, without its __init__.py, which needs Blender
package = types.ModuleType('reanima')
package.__path__ = [os.path.join(SOURCE, 'blender', 'reanima')]
sys.modules['reanima'] = package
from reanima import contents, jobs, options, provenance     # noqa: E402
from reanima.command import CommandError           # noqa: E402


class Jobs(InFolder):
    def read(self, job, name='hero.reanima.json'):
        return jobs.read(write(self.path(name), job if isinstance(job, str) else json.dumps(job)))

    def test_the_members_become_settings(self):
        job = self.read({'schema': 1, 'inputs': ['../a/hrda', 'x.anim'], 'skeleton': 'hraa', 'names': 'n.csv', 'map': ['m.json'], 'output': 'o.glb',
                         'options': {'proxy-mesh': True, 'rate': 20, 'loop-key': True, 'root-motion': 'drop', 'palette': 1, 'hide-group': [1, 2], 'clip': ['a', 'b'], 'unlit': True}})
        parent = os.path.dirname(self.folder)
        self.assertEqual(job.paths, [os.path.join(parent, 'a', 'hrda'), self.path('x.anim')])
        self.assertEqual(job.settings, {'source_skeleton': self.path('hraa'), 'names': self.path('n.csv'), 'map_file': self.path('m.json'), 'map_from': 'FILE',
                                        'play_rate': 20.0, 'loop_key': True, 'root_motion': 'drop', 'only': 'a,b',
                                        'more': '--palette 1 --hide-group 1 --hide-group 2 --unlit'})
        self.assertEqual(job.aside, ['proxy-mesh'])

    def test_without_inputs_it_is_the_file_beside(self):
        self.assertEqual(self.read([{'schema': 1}], 'hero.anim.reanima.json').paths, [self.path('hero.anim')])
        self.assertTrue(jobs.is_job('/x/Hero.Reanima.json'))
        self.assertFalse(jobs.is_job('/x/hero.json'))

    def test_what_is_wrong_is_told_with_its_field(self):
        path = self.path('hero.reanima.json')
        for job, message in (('{', None), ([{'schema': 1}] * 2, '%s contains 2 jobs, expected one: open their inputs instead.'),
                             ({'schema': 2}, '%s: schema: expected an object with "schema": 1'), ([3], '%s: schema: expected an object with "schema": 1'),
                             ({'schema': 1, 'input': 'x'}, '%s: input: is not a member of a job'),
                             ({'schema': 1, 'inputs': 'x'}, '%s: inputs: expected a list of paths'), ({'schema': 1, 'inputs': []}, '%s: inputs: expected a list of paths'),
                             ({'schema': 1, 'names': 3}, '%s: names: expected a path'), ({'schema': 1, 'options': []}, '%s: options: expected an object')):
            with self.subTest(job=job):
                with self.assertRaises(CommandError) as raised:
                    self.read(job)
                if message:
                    self.assertEqual(str(raised.exception), message % path)
                self.assertTrue(str(raised.exception).startswith(path))
        for name in ('rate', 'root-scale'):
            with self.assertRaises(CommandError) as raised:
                self.read({'schema': 1, 'options': {name: 'fast'}})
            self.assertEqual(str(raised.exception), '%s: options.%s: expected a number' % (path, name))


    def test_only_what_shapes_clips_is_taken_from_it(self):
        for name in ('depfile', 'output', 'o', 'prune', 'force --depfile', 'into'):
            with self.subTest(name), self.assertRaises(CommandError) as raised:
                self.read({'schema': 1, 'options': {name: 'VICTIM'}})
            self.assertTrue(str(raised.exception).startswith('%s: options: --%s cannot be given here. These can: --additive, ' % (self.path('hero.reanima.json'), name)))
        for value in ('--force', '-o', '-'):
            with self.subTest(value), self.assertRaises(CommandError) as raised:
                self.read({'schema': 1, 'options': {'textures': value}})
            self.assertEqual(str(raised.exception), '%s: options: --textures has the values %s, expected one, without a dash in front.' % (self.path('hero.reanima.json'), value))
        for value in ('a b', 'x" --depfile "y', "it's"):
            with self.subTest(value):
                given = self.read({'schema': 1, 'options': {'textures': value, 'unlit': False, 'scale': -2}}).settings['more']
                self.assertEqual(options.Options(given).reading, ['--textures', value, '--scale', '-2'])


class Hostile(InFolder):
    """A .blend states the options with which its actions were imported."""

    def test_an_import_is_repeated_with_its_options(self):
        given = ['--model=3', '--skeleton', '/games/hraa', '--root-motion', 'drop', '--loop-key', '--names', '/a b/it\'s.csv', '--weapon', '2', '--scale', '-1',
                 '--reduce', '0.1', '--end-joints', '--no-mesh', '--map', 'reanima_map_' + 32 * 'a', '--root-scale', '2', '--with-mesh']
        stored = provenance.of_item(types.SimpleNamespace(file='/games/hrda', model=3, format='x'), given, 'key')['options']
        self.assertEqual(options.imported(stored, 'walk'), ['--model', '3', *given[1:]])
        self.assertEqual(options.imported('--overlay keep --scale 2', 'walk'), ['--scale', '2'])     # of an earlier version

    def test_an_axis_is_a_value(self):
        for text in ('--up -z', '--up=-z'):
            self.assertEqual(options.Options(text).reading, ['--up', '-z'])
            self.assertEqual(options.imported(text, 'walk'), ['--up', '-z'])

    def test_no_other_option_is_let_through(self):
        for text, name in (('--depfile VICTIM --force', '--depfile'), ('--rate 15 --force', '--force'), ('--force', '--force'), ('-o VICTIM', '-o'), ('-oVICTIM', '-oVICTIM'),
                           ('--output=VICTIM', '--output'), ('--report VICTIM', '--report'), ('--into VICTIM', '--into'), ('--prune VICTIM', '--prune'), ('--lighting unlit -', '-'),
                           ('--', '--'), ('-- --rate', '--'), ('VICTIM', 'VICTIM'), ('VICTIM --rate 15', 'VICTIM'), ('--resample 30', '--resample'), ('--limit-output 9', '--limit-output')):
            with self.subTest(text), self.assertRaises(CommandError) as raised:
                options.imported(text, 'walk')
            self.assertTrue(str(raised.exception).startswith('The action walk: %s cannot be given here. These can: --additive, ' % name), str(raised.exception))

    def test_an_option_has_one_value_and_that_is_none(self):
        for text, values in (('--rate 15 VICTIM', '15, VICTIM'), ('--skeleton=--force', '--force'), ('--skeleton=-', '-'), ('--rate=15 VICTIM', '15, VICTIM'),
                             ('--names=-oVICTIM', '-oVICTIM')):
            with self.subTest(text), self.assertRaises(CommandError) as raised:
                options.imported(text, 'walk')
            self.assertEqual(str(raised.exception), 'The action walk: %s has the values %s, expected one, without a dash in front.' % (text.replace('=', ' ').split()[0], values))
        with self.assertRaises(CommandError) as raised:
            options.imported('--names "x', 'walk')
        self.assertEqual(str(raised.exception), 'The action walk: a quotation mark is not closed: --names "x')

    def test_a_mapping_is_written_beside_the_rig_only(self):
        key = provenance.MAP + provenance.content_key(b'{}')
        self.assertEqual(provenance.with_maps({key: '{}'}, ['--map', key, '--rate', '15'], self.folder), ['--map', self.path(key + '.json'), '--rate', '15'])
        os.remove(self.path(key + '.json'))
        below = self.path('below')
        os.mkdir(below)
        for name in ('../victim', self.path('victim'), provenance.MAP + '../../victim', key[:-1] + '/', key):
            with self.subTest(name), self.assertRaises(CommandError) as raised:
                provenance.with_maps({name: '{}' if name != key else 3}, ['--map', name], below)
            self.assertEqual(str(raised.exception), 'The armature has no mapping %s, with which an action was imported. Import it again.' % name)
        self.assertEqual([os.listdir(below), os.listdir(self.folder)], [[], ['below']])


class Names(InFolder):
    def test_the_file_beside_is_found(self):
        self.assertIsNone(contents.names_beside([self.path('hero.anim')]))
        only = write(self.path('other.names.csv'), '')
        self.assertEqual(contents.names_beside([self.path('hero.anim')]), only)
        write(self.path('another.names.csv'), '')
        self.assertIsNone(contents.names_beside([self.path('hero.anim')]))
        own = write(self.path('hero.names.csv'), '')
        for name in ('hero.anim', 'hero', 'hero.lgp:hrda'):
            self.assertEqual(contents.names_beside([self.path(name)]), own)

    def test_characters_of_an_archive_by_entry(self):
        found = lambda file, model, name, full, clips=1: {'file': file, 'model': model, 'name': name, 'full_name': full, 'clips': clips, 'joints': 3}
        told = contents.characters_of([found('/a.img:10/1', 5, 'zidane', 'Zidane'), found('/a.img:10/1', 6, None, None), found('/a.img:x', None, None, None),
                                       found('/a.img:y', None, 'cloud', None, 0)], '/a.img')
        self.assertEqual(told, {'10/1': 'Zidane, 6', 'x': 'x', 'y': 'cloud (no clips)'})


if __name__ == '__main__':
    unittest.main()
