#!/usr/bin/env python3
"""No two sources of a library define the same name locally, and the check finds such names."""
import os, subprocess, sys, unittest

from folder import SOURCE, listed

CHECK = os.path.join(SOURCE, 'scripts', 'check_twins.py')


def hidden(text, space='n'):
    return f'#include <a>\n\nnamespace {space} {{\n\nnamespace {{\n\n{text}\n\n}}  // namespace\n\n}}  // namespace {space}\n'


def sources(**files):
    """Status and lines of the check for sources of the folder core"""
    return listed(CHECK, {f'core/{name}.cpp': text for name, text in files.items()})


class Twins(unittest.TestCase):
    def test_none_in_this_tree(self):
        done = subprocess.run([sys.executable, CHECK, SOURCE], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, 'no name has a twin\n'))

    def test_every_kind_is_found(self):
        for name, text in (('kSize', 'constexpr std::size_t kSize = 3;'),
                           ('kRows', 'const std::array<Row, 2> kRows = {{1}, {2}};'),
                           ('Walk', 'class Walk : public Base {\n  public:\n    int a();\n};'),
                           ('Point', 'struct Point {\n    int x;\n};'),
                           ('Way', 'enum class Way { in, out };'),
                           ('Small', 'template <typename T>\nconcept Small = sizeof(T) < 4;'),
                           ('legOf', 'Leg legOf(const Body& body) {\n    return {};\n}'),
                           ('most', 'template <typename T, std::size_t n>\nT most(const std::array<T, n>& all) {\n    return {};\n}')):
            with self.subTest(name):
                self.assertEqual(sources(a=hidden(text), b=hidden('\n' + text))[0], 1)
                self.assertIn(f': {name} is also in core/a.cpp:', sources(a=hidden(text), b=hidden('\n' + text))[1][0])
        self.assertEqual(sources(a=hidden('constexpr int kSize = 3;'), b=hidden('constexpr unsigned kSize = 4;')),
                         (1, ['core/b.cpp:7: kSize is also in core/a.cpp:7']))
        self.assertEqual(sources(a=hidden('int legOf(int first) {\n}'), b=hidden('int legOf(int other = 2) {\n}'))[0], 1)

    def test_what_can_be_compiled_as_one_is_not_listed(self):
        for a, b in (('int legOf(int a) {\n}', 'int legOf(double a) {\n}'),
                     ('using core::Code;', 'using core::Code;'),
                     ('using Words = std::vector<int>;', 'using Words = std::vector<int>;'),
                     ('struct Point;', 'struct Point {\n    int kSize;\n};'),
                     ('int f() {\n    constexpr int kSize = 2;\n}', 'int g() {\n    constexpr int kSize = 2;\n}'),
                     ('// constexpr int kSize = 2;', 'constexpr int kSize = 2;')):
            with self.subTest(a):
                self.assertEqual(sources(a=hidden(a), b=hidden(b)), (0, ['no name has a twin']))
        both = 'constexpr int kSize = 3;'
        self.assertEqual(sources(a=hidden(both, 'n'), b=hidden(both, 'm'))[0], 0)
        self.assertEqual(sources(files_posix=hidden(both), files_windows=hidden(both))[0], 0)


if __name__ == '__main__':
    unittest.main(verbosity=2)
