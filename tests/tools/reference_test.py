#!/usr/bin/env python3
"""The reference of the installed headers is made without a warning, and every function in it has a description."""
import os, shutil, subprocess, sys, tempfile, unittest

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))
BUILD = os.environ['REANIMA_BUILD']               # has include/reanima; set by ctest


@unittest.skipUnless(shutil.which('doxygen'), 'doxygen is not installed')
class Reference(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        shutil.copytree(os.path.join(BUILD, 'include'), os.path.join(self.folder, 'include'), ignore_dangling_symlinks=True)

    def make(self):
        return subprocess.run([os.path.join(SOURCE, 'scripts', 'reference.sh'), self.folder, os.path.join(self.folder, 'out')],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)

    def add(self, text):
        with open(os.path.join(self.folder, 'include', 'reanima', 'core', 'planted.h'), 'w') as file:
            file.write('#pragma once\n/// \\file\nnamespace reanima::core {\n' + text + '\n}\n')

    def test_it_is_made_without_a_warning(self):
        p = self.make()
        self.assertEqual((p.returncode, p.stdout), (0, f'wrote {self.folder}/out/html/index.html\n'))
        with open(os.path.join(self.folder, 'out', 'html', 'suggest__links_8h.html')) as file:
            self.assertIn('suggestLinks', file.read())

    def test_a_function_that_says_nothing_is_named(self):
        self.add('void planted(int number);')
        p = self.make()
        self.assertEqual(p.returncode, 1)
        self.assertIn('planted.h:4: ', p.stdout)
        self.assertIn('Member planted(int number) (function) of namespace reanima::core is not documented.', p.stdout)

    def test_a_warning_fails(self):
        self.add('/// Plants.\n/// @param nmber of plants\nvoid planted(int number);')
        p = self.make()
        self.assertNotEqual(p.returncode, 0)
        self.assertIn("argument 'nmber' of command @param is not found in the argument list", p.stdout)


if __name__ == '__main__':
    unittest.main(argv=sys.argv)
