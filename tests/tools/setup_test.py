#!/usr/bin/env python3
"""A newcomer's first commands: CMake without a preset, and `scripts/reanima`, which builds the command if needed."""
import os, re, shutil, subprocess, unittest

from folder import SOURCE, InFolder, write


class Configuration(InFolder):
    def configured(self, *arguments):
        return subprocess.run(['cmake', '-S', SOURCE, '-B', self.folder, '-G', 'Ninja', *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=600)

    def cached(self):
        with open(os.path.join(self.folder, 'CMakeCache.txt'), encoding='utf-8') as f:
            return re.search(r'^REANIMA_TESTS:BOOL=(\w+)', f.read(), re.M).group(1)

    def test_without_what_the_tests_need_there_are_no_tests(self):
        p = self.configured('-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON')
        self.assertEqual(p.returncode, 0, p.stdout)
        self.assertIn('REANIMA_TESTS is OFF, since this is missing: GoogleTest', p.stdout)
        self.assertEqual(self.cached(), 'OFF')

    def test_tests_that_are_asked_for_need_it(self):
        p = self.configured('-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON', '-DREANIMA_TESTS=ON')
        self.assertNotEqual(p.returncode, 0)
        self.assertRegex(' '.join(p.stdout.split()), 'the tests need GoogleTest. scripts/setup.sh installs it on Debian 12. '
                         'REANIMA_TESTS=OFF builds without tests')

    def test_what_is_installed_is_built_first(self):
        """`scripts/reanima` builds only the command"""
        p = self.configured('-DREANIMA_TESTS=OFF')
        self.assertEqual(p.returncode, 0, p.stdout)
        ninja = self.path('ninja')
        write(ninja, '#!/bin/sh\necho "$@" >>%s\nexit 3\n' % self.path('called'))
        os.chmod(ninja, 0o755)
        subprocess.run(['sed', '-i', 's|^\\(CMAKE_MAKE_PROGRAM:.*=\\).*|\\1%s|' % ninja, self.path('CMakeCache.txt')], check=True)
        p = subprocess.run(['cmake', '--install', self.folder, '--prefix', self.path('usr')], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertNotEqual(p.returncode, 0, p.stdout)
        self.assertTrue(os.path.exists(self.path('called')), p.stdout)
        self.assertFalse(os.path.exists(self.path('usr')), p.stdout)


class Rebuilding(InFolder):
    """`scripts/reanima` in a tree with the folders of this one, where `cmake` and the command only print that they
    ran"""

    def setUp(self):
        super().setUp()
        for name in os.listdir(SOURCE):
            if os.path.isdir(os.path.join(SOURCE, name)) and name != 'build':
                self.file(name, 'nested', 'file')
        self.file('CMakeLists.txt')
        self.file('README.md')
        self.program('bin', 'cmake', text='mkdir -p build/tool; echo built >>built')
        self.program('scripts', 'setup.sh', text='')
        self.program('build', 'tool', 'reanima', text='echo ran "$@"')
        shutil.copy(os.path.join(SOURCE, 'scripts', 'reanima'), self.path('scripts', 'reanima'))
        self.settle()

    def file(self, *parts, text='x'):
        write(self.path(*parts), text)

    def program(self, *parts, text):
        self.file(*parts, text='#!/bin/sh\n' + text + '\n')
        os.chmod(self.path(*parts), 0o755)

    def settle(self):
        """Makes everything older than the command"""
        for where, folders, files in os.walk(self.folder):
            for name in folders + files:
                os.utime(os.path.join(where, name), (1000, 1000))
        os.utime(self.path('build', 'tool', 'reanima'), (2000, 2000))

    def builds(self, *words):
        """-> how many times `cmake` ran: twice per build"""
        words = words or ('info', 'x')
        p = subprocess.run([self.path('scripts', 'reanima'), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                           env=dict(os.environ, PATH=self.path('bin') + ':' + os.environ['PATH']))
        self.assertEqual((p.returncode, p.stdout), (0, 'ran %s\n' % ' '.join(words)), p.stderr)
        built = self.path('built')
        if not os.path.exists(built):
            return 0
        with open(built, encoding='utf-8') as f:
            times = len(f.readlines())
        os.remove(built)
        return times

    def test_nothing_changed(self):
        self.assertEqual(self.builds(), 0)

    def test_every_folder_of_sources(self):
        with open(os.path.join(SOURCE, 'CMakeLists.txt'), encoding='utf-8') as f:
            added = {place.split('/')[0] for place in re.findall(r'add_subdirectory\(([\w/]+)\)', f.read())} - {'tests', 'bench'}
        self.assertLessEqual({'core', 'archives', 'binding', 'json', 'pipeline', 'tools'}, added)
        for place in sorted(added | {'cmake', 'include'}):
            with self.subTest(place):
                os.utime(self.path(place, 'nested', 'file'))
                self.assertEqual(self.builds(), 2)
                self.settle()
                self.assertEqual(self.builds(), 0)

    def test_a_file_that_was_added_or_removed(self):
        self.file('core', 'new', 'file')
        self.assertEqual(self.builds(), 2)
        self.settle()
        os.remove(self.path('core', 'nested', 'file'))
        self.assertEqual(self.builds(), 2)

    def test_cmake_files(self):
        os.utime(self.path('CMakeLists.txt'))
        self.assertEqual(self.builds(), 2)

    def test_what_the_command_is_not_made_from(self):
        for place in ('docs', 'samples', 'tests', 'bench', 'blender', 'scripts', 'web', '.git'):
            self.file(place, 'nested', 'file')
        self.file('README.md')
        self.file('hero.glb')
        self.assertEqual(self.builds(), 0)

    def test_the_reader_of_rigs_is_built_for_inputs_and_rigs(self):
        self.assertEqual(self.builds('convert', 'x', '-o', 'y.fbx'), 0)
        self.assertEqual(self.builds('convert', 'x.fbx', '-o', 'y.bvh'), 2)
        self.settle()
        self.assertEqual(self.builds('convert', 'x', '-o', 'y.glb', '-s', 'rig.dae'), 2)


if __name__ == '__main__':
    unittest.main()
