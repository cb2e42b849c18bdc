#!/usr/bin/env python3
"""Lists the extensions of files that may be dropped on Blender's window: formats whose samples have motion or are videos.

    scripts/addon_extensions.py --tool COMMAND            compares blender/reanima/extensions.py with the command
    scripts/addon_extensions.py --tool COMMAND --write    writes it
"""
import argparse
import json
import os
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
LIST = SOURCE / 'blender' / 'reanima' / 'extensions.py'
HEAD = '''# SPDX-License-Identifier: GPL-3.0-or-later
"""Extensions of the formats that hold joints or videos. Written by scripts/addon_extensions.py."""

FORMATS = ('''


def listed(tool):
    """The text of extensions.py, from the registry and the samples"""
    os.environ['REANIMA'] = tool
    sys.path.insert(0, str(SOURCE / 'tests' / 'tools'))
    from support import formats, run, sample, samples
    shown = set()
    for path in samples():
        info, = json.loads(run('info', '--json', sample(path)).stdout)
        if info.get('joints') or info.get('images'):
            shown.add(info['format'])
    lines, line = [], []
    for extension in [f"'.{extension}'" for row in formats() if row['id'] in shown for extension in row['extensions']]:
        if len(', '.join([*line, extension])) > 100:
            lines, line = [*lines, ', '.join(line)], []
        line.append(extension)
    return HEAD + ',\n           '.join([*lines, ', '.join(line)]) + ')\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tool', required=True, help='path of the command')
    parser.add_argument('--write', action='store_true')
    arguments = parser.parse_args()
    text = listed(os.path.abspath(arguments.tool))
    if arguments.write:
        LIST.write_text(text)
    if LIST.exists() and LIST.read_text() == text:
        print('the extensions are those of the registry')
        return 0
    print(f'{LIST.relative_to(SOURCE)}: differs from the registry; to rewrite it: scripts/addon_extensions.py --tool {arguments.tool} --write')
    return 1


if __name__ == '__main__':
    sys.exit(main())
