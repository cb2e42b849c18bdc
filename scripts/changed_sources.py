#!/usr/bin/env python3
"""Prints the sources that clang should check: those that changed since the branch left main (on main: in the last commit),
those that are not committed yet, and one source that includes each changed header.

    scripts/changed_sources.py          run in the source folder, after `cmake --preset clang`
    scripts/changed_sources.py --all    all sources except those of tests
"""
import json
import re
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent


def git(*words):
    p = subprocess.run(['git', '-C', str(SOURCE), *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return p.stdout.decode().split() if p.returncode == 0 else []


def base():
    """The commit to compare with, or None if there is no earlier one"""
    head = git('rev-parse', 'HEAD')
    fork = git('merge-base', 'HEAD', 'main')
    return fork[0] if fork and fork != head else (git('rev-parse', '--verify', 'HEAD~') or [None])[0]


def compiled():
    database = json.loads((SOURCE / 'build/clang/compile_commands.json').read_text())
    files = (Path(entry['file']) for entry in database)
    return sorted({f.relative_to(SOURCE).as_posix() for f in files if f.is_relative_to(SOURCE) and 'build' not in f.relative_to(SOURCE).parts})


def includer(header, sources):
    """The source with the header's name, or else the first source that includes it"""
    own = header.rpartition('.')[0] + '.cpp'
    if own in sources:
        return own
    include = re.compile(rf'#\s*include\s*"(?:[^"]*/)?{re.escape(header.rpartition("/")[2])}"')
    return next((s for s in sources if include.search((SOURCE / s).read_text(encoding='utf-8'))), None)


def main(arguments):
    sources = compiled()
    if arguments == ['--all']:
        chosen = [s for s in sources if not s.startswith('tests/')]
    else:
        since = base()
        changed = git('diff', '--name-only', '--diff-filter=d', since) if since else []  # empty: a checkout without history
        changed += git('ls-files', '--others', '--exclude-standard')
        chosen = {s for s in sources if s in changed}
        chosen |= {includer(h, sources) for h in changed if h.endswith('.h')} - {None}
    print('\n'.join(sorted(chosen)))


if __name__ == '__main__':
    main(sys.argv[1:])
