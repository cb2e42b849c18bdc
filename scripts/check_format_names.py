#!/usr/bin/env python3
"""Checks that only a game's folder names the game's formats. Other code gets everything from the rows of the registry.

    scripts/check_format_names.py               checks the product's sources; exit status 1 and a line per name
    scripts/check_format_names.py --self-test   checks that planted names are found
"""
import re
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
FOLDERS = ('archives', 'binding', 'blender', 'cmake', 'core', 'drawing', 'formats', 'gltf_export', 'importers', 'include', 'json', 'measures', 'pictures',
           'pipeline', 'tools')
# Allowed names, with the reason.
EXCEPTIONS = {
    ('blender/reanima/operators.py', 'ff7-battle'): 'the dialog offers a weapon where one is held',
}
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/', re.DOTALL)
TEXT = re.compile(r'"([^"\\\n]*)"|\'([^\'\\\n]*)\'')
ID = re.compile(r'\.id = "([^"]+)"')


def names_in(text, ids, has_comments):
    """Line and text of everything in quotes that is the id of a format, or the game's part of an id"""
    if has_comments:
        text = COMMENT.sub(lambda m: '\n' * m.group().count('\n'), text)
    for quoted in TEXT.finditer(text):
        name = quoted.group(1) or quoted.group(2) or ''
        if name in ids or ('-' in name and any(i.startswith(name) for i in ids)):
            yield text.count('\n', 0, quoted.start()) + 1, name


def self_test():
    text = '/// "ff7-mesh"\nauto a = formatNamed("ff7-mesh");\nif (id.starts_with("ff7-")) b("ff7"), c("mesh"), d("ff7-lgp");\n'
    found = list(names_in(text, {'ff7-mesh', 'rlf'}, True))
    return [] if found == [(2, 'ff7-mesh'), (3, 'ff7-')] else [f'found {found}']


def check():
    games = [f for f in sorted((SOURCE / 'formats').glob('*/**/*')) if f.suffix in ('.h', '.cpp')]
    ids = {name for f in games for name in ID.findall(f.read_text(encoding='utf-8'))}
    problems = [] if len(ids) > 10 else [f'formats/*/: only {len(ids)} ids found']
    for folder in FOLDERS:
        for f in sorted((SOURCE / folder).rglob('*')):
            if f.suffix not in ('.h', '.cpp', '.py', '.cmake') and f.name != 'CMakeLists.txt' or f in games:
                continue
            where = f.relative_to(SOURCE).as_posix()
            for line, name in names_in(f.read_text(encoding='utf-8'), ids, f.suffix in ('.h', '.cpp')):
                if (where, name) not in EXCEPTIONS:
                    problems.append(f'{where}:{line}: names "{name}"; use a member of the row (formats/format.h) instead')
    return problems


if __name__ == '__main__':
    faults = self_test() if sys.argv[1:] == ['--self-test'] else check()
    print('\n'.join(faults) or 'no format is named outside of its game')
    sys.exit(1 if faults else 0)
