#!/usr/bin/env python3
"""Compiles sources one by one with the options of a configured build folder, only to show warnings: outputs are discarded.

    scripts/compile_sources.py BUILD_FOLDER SOURCE...

Exit status 1 if a source fails. Sources that are not part of the build are skipped.
"""
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent


def compile_one(entry):
    words = shlex.split(entry['command'])
    words[words.index('-o') + 1] = os.devnull
    return subprocess.run(words, cwd=entry['directory'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def main(arguments):
    if not arguments:
        sys.exit(__doc__)
    database = json.loads((Path(arguments[0]) / 'compile_commands.json').read_text())
    wanted = {str(SOURCE / source) for source in arguments[1:]}
    entries = list({entry['file']: entry for entry in database if entry['file'] in wanted}.values())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [p.stdout for p in pool.map(compile_one, entries) if p.returncode != 0]
    print(''.join(failed), end='')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
