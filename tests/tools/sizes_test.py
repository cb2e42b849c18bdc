#!/usr/bin/env python3
"""No function above 60 lines, no class above 250; and the check finds larger ones."""
import os, subprocess, sys, unittest

from folder import SOURCE, listed

CHECK = os.path.join(SOURCE, 'scripts', 'check_sizes.py')


def statements(count):
    return '    work();\n' * count


class Sizes(unittest.TestCase):
    def test_no_file_of_this_tree(self):
        done = subprocess.run([sys.executable, CHECK, SOURCE], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ''))

    def test_a_function_has_60_lines_at_most(self):
        signature = 'void f(int a,\n       int b) {\n'
        self.assertEqual(listed(CHECK, {'core/a.cpp': signature + statements(57) + '}\n'}), (0, []))
        self.assertEqual(listed(CHECK, {'core/a.cpp': '\n' + signature + statements(58) + '}\n'}),
                         (1, ['core/a.cpp:2: function f has 61 lines, the limit is 60']))

    def test_a_class_has_250_lines_at_most(self):
        members = '    int a() const { return 1; }\n'
        self.assertEqual(listed(CHECK, {'a.h': 'class A final : public B<int> {\n' + members * 248 + '};\n'}), (0, []))
        self.assertEqual(listed(CHECK, {'a.h': 'namespace n {\nclass A final : public B<int> {\n' + members * 249 + '};\n}\n'}),
                         (1, ['a.h:2: class A has 251 lines, the limit is 250']))

    def test_every_kind_of_function_is_found(self):
        for head, name in (('A::A(int a) : a_(a), b_{a, {1}} {', 'A::A'),
                           ('template <typename T = int>\nauto A::g(std::function<void()> f = {}) const -> T {', 'A::g'),
                           ('int main(int, char**) try {', 'main'),
                           ('const Verb kVerb = {"name", [](int a) {', '(lambda)'),
                           ('constexpr std::array<int, 3> kTable = [] {', '(lambda)')):
            with self.subTest(head):
                end = '}};\n' if 'kVerb' in head else '}();\n' if 'kTable' in head else '}\n'
                status, lines = listed(CHECK, {'a.cpp': f'int first = 1;\n\n{head}\n{statements(70)}{end}'})
                self.assertEqual((status, len(lines)), (1, 1))
                self.assertIn(f' function {name} has ', lines[0])
        inline = f'struct S {{\n    int a = 0;\n\n  public:\n    bool operator==(const S&) const {{\n{statements(70)}    }}\n}};\n'
        self.assertEqual(listed(CHECK, {'a.h': inline}), (1, ['a.h:5: function operator== has 72 lines, the limit is 60']))

    def test_what_is_no_function_is_not_listed(self):
        rows = '    {"row", [](int a) { return a; }},\n' * 300
        long = statements(70)
        texts = {
            'table.cpp': f'const std::array kRows = {{\n{rows}}};\n',
            'initializer.cpp': f'A::A(int a) : a_(a), b_{{a}} {{}}\n' + 'int after = 1;\n' * 300,
            'comment.cpp': 'void f() {\n    g("{");\n    g(\'{\');\n    g(R"({)");\n}\n' + 'int a;\n' * 300,
            'namespace.cpp': 'namespace {\n' + 'int a();\n' * 300 + '}\n',
            'enum.h': 'enum class E {\n' + '    a,\n' * 300 + '};\n',
            'preprocessor.h': '#define F() \\\n    void f() { \\\n    int a;\n' + 'int a;\n' * 300,
            'tests/a.cpp': f'void f() {{\n{long}}}\n',
            'build/quick/a.cpp': f'void f() {{\n{long}}}\n',
        }
        for name, text in texts.items():
            with self.subTest(name):
                self.assertEqual(listed(CHECK, {os.path.join('x', name) if '/' not in name else name: text}), (0, []))


if __name__ == '__main__':
    unittest.main()
