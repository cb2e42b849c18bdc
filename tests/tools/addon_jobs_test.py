#!/usr/bin/env python3
"""Job files and names files as the Blender add-on takes them. Needs no Blender."""
import json, os, sys, tempfile, types, unittest

sys.dont_write_bytecode = True
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
# As a package, without its __init__.py, which needs Blender
package = types.ModuleType('reanima')
package.__path__ = [os.path.join(SOURCE, 'blender', 'reanima')]
sys.modules['reanima'] = package
from reanima import contents, jobs                 # noqa: E402
from reanima.command import CommandError           # noqa: E402


class InFolder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='reanima_')
        self.addCleanup(holder.cleanup)
        self.folder = os.path.realpath(holder.name)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        with open(self.path(name), 'w') as file:
            file.write(text)
        return self.path(name)


class Jobs(InFolder):
    def read(self, job, name='hero.reanima.json'):
        return jobs.read(self.write(name, job if isinstance(job, str) else json.dumps(job)))

    def test_the_members_become_settings(self):
        job = self.read({'schema': 1, 'inputs': ['../a/hrda', 'x.anim'], 'skeleton': 'hraa', 'names': 'n.csv', 'map': ['m.json'], 'output': 'o.glb',
                         'options': {'proxy-mesh': True, 'rate': 20, 'loop-key': True, 'root-motion': 'drop', 'palette': 1, 'hide-group': [1, 2], 'clip': ['a', 'b'], 'unlit': True}})
        parent = os.path.dirname(self.folder)
        self.assertEqual(job.paths, [os.path.join(parent, 'a', 'hrda'), self.path('x.anim')])
        self.assertEqual(job.settings, {'source_skeleton': self.path('hraa'), 'names': self.path('n.csv'), 'map_file': self.path('m.json'), 'map_from': 'FILE',
                                        'play_rate': 20.0, 'loop_key': True, 'root_motion': 'drop', 'only': 'a,b',
                                        'more': '--palette "1" --hide-group "1" --hide-group "2" --unlit'})
        self.assertEqual(job.aside, ['proxy-mesh'])

    def test_without_inputs_it_is_the_file_beside(self):
        self.assertEqual(self.read([{'schema': 1}], 'hero.anim.reanima.json').paths, [self.path('hero.anim')])
        self.assertTrue(jobs.is_job('/x/Hero.Reanima.json'))
        self.assertFalse(jobs.is_job('/x/hero.json'))

    def test_what_is_wrong_is_told_with_its_field(self):
        path = self.path('hero.reanima.json')
        for job, message in (('{', None), ([{'schema': 1}] * 2, '%s holds 2 jobs, expected one: open their inputs instead.'),
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


class Names(InFolder):
    def test_the_file_beside_is_found(self):
        self.assertIsNone(contents.names_beside([self.path('hero.anim')]))
        only = self.write('other.names.csv', '')
        self.assertEqual(contents.names_beside([self.path('hero.anim')]), only)
        self.write('another.names.csv', '')
        self.assertIsNone(contents.names_beside([self.path('hero.anim')]))
        own = self.write('hero.names.csv', '')
        for name in ('hero.anim', 'hero', 'hero.lgp:hrda'):
            self.assertEqual(contents.names_beside([self.path(name)]), own)

    def test_characters_of_an_archive_by_entry(self):
        found = lambda file, model, name, full, clips=1: {'file': file, 'model': model, 'name': name, 'full_name': full, 'clips': clips, 'joints': 3}
        told = contents.characters_of([found('/a.img:10/1', 5, 'zidane', 'Zidane'), found('/a.img:10/1', 6, None, None), found('/a.img:x', None, None, None),
                                       found('/a.img:y', None, 'cloud', None, 0)], '/a.img')
        self.assertEqual(told, {'10/1': 'Zidane, 6', 'x': 'x', 'y': 'cloud (no clips)'})


if __name__ == '__main__':
    unittest.main()
