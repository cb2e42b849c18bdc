#!/usr/bin/env python3
"""Finds boolean parameters, since `true` says nothing at a call. Use an enum class, an options struct or a second function.

    scripts/check_flags.py               checks the product's sources; exit status 1 and a line per flag
    scripts/check_flags.py --self-test   checks that a planted flag is found

Allowed in lambdas, overrides, functions that set or write one value (`setX(bool)`, `bool value`), and functions that check
a condition (`expect(a == b, ...)`).
"""
import re
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
FOLDERS = ('archives', 'binding', 'core', 'gltf_export', 'importers', 'include', 'json', 'pictures', 'pipeline', 'tools')
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
CALL = re.compile(r'([\w>\])]+)\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)([^;{]*)')
FLAG = re.compile(r'(?:^|,)\s*(?:const\s+)?bool\s+(\w+)\s*(?:=[^,]*)?(?=,|$)')
CONDITIONS = ('expect', 'doubtIf')
ASSIMPS = ('CanRead',)


def flags_in(code):
    """Line, function and name of every flag"""
    code = NO_CODE.sub(lambda m: '\n' * m.group().count('\n') or '""', code)
    for call in CALL.finditer(code):
        name, parameters, after = call.groups()
        if name in ('if', 'for', 'while', 'switch') or name.endswith(']') or 'override' in after or name in CONDITIONS + ASSIMPS:
            continue
        for flag in FLAG.finditer(parameters):
            if ',' in parameters or not (flag.group(1) == 'value' or name.startswith('set')):
                yield code.count('\n', 0, call.start(2) + flag.start(1)) + 1, name, flag.group(1)


def main(arguments):
    if arguments == ['--self-test']:
        planted = 'int f(int a,\n  bool isPlanted = true); void setLoop(bool on); bool g(bool b) override; h([](bool c, int) {}); if (bool d = x)'
        found = list(flags_in(planted))
        return 0 if found == [(2, 'f', 'isPlanted')] else print('found', found) or 1
    files = sorted(f for folder in FOLDERS for f in (SOURCE / folder).rglob('*') if f.suffix in ('.h', '.cpp'))
    found = [(f, *flag) for f in files for flag in flags_in(f.read_text(encoding='utf-8'))]
    for path, line, function, name in found:
        print(f'{path.relative_to(SOURCE)}:{line}: {function}() takes the flag {name}')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
