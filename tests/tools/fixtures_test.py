#!/usr/bin/env python3
"""Every generated file in samples/ and tests/data has the bytes that its generator makes."""
import os, shutil, subprocess, sys, unittest

from folder import SOURCE, InFolder

CAPTURES = '/usr/share/assimp/models/BVH'
# Those in samples/; those of archives and discs take files of the others.
GENERATED = sorted((f for f in os.listdir(os.path.join(SOURCE, 'samples')) if os.path.exists(os.path.join(SOURCE, 'samples', f, 'generate.py'))),
                   key=lambda f: (f in ('archives', 'discs'), f))


def files_below(folder):
    """Paths with their bytes, without Python's caches"""
    found = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [f for f in folders if f != '__pycache__']
        for name in names:
            path = os.path.join(place, name)
            with open(path, 'rb') as f:
                found[os.path.relpath(path, folder)] = f.read()
    return found


def is_generated(path):
    return not path.endswith(('.py', '.md', '.txt')) and os.path.basename(path) != 'hero.reanima.json'


class Fixtures(InFolder):
    def copy(self, *parts):
        place = os.path.join(self.folder, *parts)
        shutil.copytree(os.path.join(SOURCE, *parts), place)
        return place

    def make(self, script, *arguments):
        subprocess.run([sys.executable, script, *arguments], check=True, stdout=subprocess.DEVNULL)

    def compare(self, *parts):
        made, kept = files_below(os.path.join(self.folder, *parts)), files_below(os.path.join(SOURCE, *parts))
        self.assertEqual(sorted(made), sorted(kept))
        self.assertEqual([path for path in kept if made[path] != kept[path]], [])
        self.assertTrue(any(map(is_generated, kept)))

    def clear(self, folder):
        """Removes the files that are to be generated"""
        for place, _, names in os.walk(folder):
            for name in filter(is_generated, names):
                os.remove(os.path.join(place, name))

    def test_samples(self):
        place = self.copy('samples')
        expected = self.copy('tests', 'data', 'samples')
        self.assertGreater(len(GENERATED), 4)
        for format in GENERATED:
            self.clear(os.path.join(place, format))
        self.clear(expected)
        for format in GENERATED:
            self.make(os.path.join(place, format, 'generate.py'), expected)
        for format in GENERATED:
            self.compare('samples', format)
        self.compare('tests', 'data', 'samples')

    def test_conformance_cases(self):
        place = self.copy('tests', 'data', 'conformance')
        generators = [f for f in sorted(os.listdir(place)) if os.path.exists(os.path.join(place, f, 'generate.py'))]
        self.assertGreater(len(generators), 4)
        for format in generators:
            self.clear(os.path.join(place, format))
            self.make(os.path.join(place, format, 'generate.py'))
            self.compare('tests', 'data', 'conformance', format)

    @unittest.skipUnless(os.path.isdir(CAPTURES), 'the captures are in assimp-testmodels')
    def test_motion(self):
        self.copy('tests', 'data', 'conformance')
        place = self.copy('tests', 'data', 'motion')
        self.clear(place)
        self.make(os.path.join(place, 'make.py'), CAPTURES)
        self.compare('tests', 'data', 'motion')

    def test_a_byte_that_differs_is_noticed(self):
        place = self.copy('tests', 'data', 'samples')
        with open(os.path.join(place, 'ff7_expected.json'), 'ab') as f:
            f.write(b' ')
        with self.assertRaises(AssertionError):
            self.compare('tests', 'data', 'samples')


if __name__ == '__main__':
    unittest.main()
