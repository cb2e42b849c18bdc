#!/usr/bin/env python3
"""The clang checks of scripts/check.sh find planted errors, and cover the sources that changed."""
import json, os, shutil, subprocess, sys, unittest

from folder import SOURCE, InFolder, write

PLANTED = {'clang-format-14': ('int  x;\n', ['--dry-run', '-Werror']),
           'clang-tidy-14': ('int* f() { return 0; }\n', ['--quiet', '--config-file=' + os.path.join(SOURCE, '.clang-tidy')])}


class Check(InFolder):
    def write(self, name, text):
        return write(self.path(name), text)

    def test_planted_violations_are_found(self):
        shutil.copy(os.path.join(SOURCE, '.clang-format'), self.folder)
        for tool, (text, options) in PLANTED.items():
            if not shutil.which(tool):
                self.skipTest(tool + ' is not installed')
            command = [tool, *options, self.write('a.cpp', text)] + (['--', '-std=c++20'] if 'tidy' in tool else [])
            self.assertNotEqual(subprocess.run(command, capture_output=True).returncode, 0, tool)
            self.write('a.cpp', 'int x;\n')
            self.assertEqual(subprocess.run(command, capture_output=True).returncode, 0, tool)

    def test_changed_sources(self):
        with open(os.path.join(SOURCE, 'scripts', 'changed_sources.py')) as f:
            script = self.write('scripts/changed_sources.py', f.read())
        sources = ['core/a.cpp', 'core/b.cpp', 'core/c.cpp', 'tests/d.cpp']
        for name in sources:
            self.write(name, '#include "core/x.h"\n' if name == 'core/b.cpp' else '')
        self.write('core/x.h', '')
        self.write('.gitignore', 'build\n')
        self.write('build/clang/compile_commands.json', json.dumps([{'file': os.path.join(self.folder, name)} for name in sources]))

        def git(*words):
            subprocess.run(['git', '-c', 'user.name=x', '-c', 'user.email=x', *words], cwd=self.folder, check=True, capture_output=True)

        def chosen(*words):
            return subprocess.run([sys.executable, script, *words], check=True, stdout=subprocess.PIPE).stdout.decode().split()

        git('init', '-q', '-b', 'main')
        git('add', '-A')
        git('commit', '-qm', 'one')
        self.write('core/a.cpp', 'int a;\n')
        git('commit', '-qam', 'two')
        self.assertEqual(chosen(), ['core/a.cpp'])             # the last commit of main
        git('checkout', '-qb', 'branch')
        self.write('core/x.h', 'int x;\n')
        git('commit', '-qam', 'three')
        self.assertEqual(chosen(), ['core/b.cpp'])             # includes it
        self.write('core/c.cpp', 'int c;\n')
        self.assertEqual(chosen(), ['core/b.cpp', 'core/c.cpp'])
        self.assertEqual(chosen('--all'), ['core/a.cpp', 'core/b.cpp', 'core/c.cpp'])


if __name__ == '__main__':
    unittest.main()
