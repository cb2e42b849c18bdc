#!/usr/bin/env python3
"""Checks the links between documents: every relative link leads to a file, and docs/README.md lists every page.

    scripts/check_links.py [SOURCE]      exit status 1 and a line per problem
    scripts/check_links.py --self-test   checks that planted problems are found
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LINK = re.compile(r'\]\(([^)#\s]+)[^)]*\)')
HOSTED = ('../../releases', '../../security/advisories/new')    # pages of the service that hosts the repository, not files


def pages_of(source):
    listed = subprocess.run(['git', '-C', str(source), 'ls-files', '-co', '--exclude-standard', '*.md'],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
    return [source / name for name in listed.splitlines()] or sorted(source.rglob('*.md'))


def problems_of(source):
    problems = []
    for page in (p for p in pages_of(source) if p.is_file()):
        for target in LINK.findall(re.sub(r'```.*?```|`[^`\n]*`', '', page.read_text(encoding='utf-8'), flags=re.DOTALL)):
            if not re.match(r'[a-z]+:', target) and target not in HOSTED and not (page.parent / target).exists():
                problems.append(f'{page.relative_to(source)}: leads to {target}, which is not there')
    index = (source / 'docs/README.md').read_text(encoding='utf-8')
    for page in sorted((source / 'docs').glob('*.md')):
        if page.name != 'README.md' and f'({page.name})' not in index:
            problems.append(f'docs/README.md: does not list {page.name}')
    return problems


def self_test():
    with tempfile.TemporaryDirectory() as name:
        source = Path(name)
        (source / 'docs').mkdir()
        (source / 'README.md').write_text('[docs](docs/README.md) `[no](link)` [out](https://example.org)')
        (source / 'docs/README.md').write_text('[a](a.md)')
        (source / 'docs/a.md').write_text('')
        if problems_of(source):
            return ['sound links are refused']
        (source / 'docs/b.md').write_text('[gone](gone.md)')
        found = problems_of(source)
    expected = ['docs/b.md: leads to gone.md, which is not there', 'docs/README.md: does not list b.md']
    return [] if found == expected else [f'expected {expected}, found {found}']


def main(arguments):
    source = Path(arguments[0]) if arguments and arguments[0] != '--self-test' else Path(__file__).resolve().parent.parent
    problems = self_test() if arguments == ['--self-test'] else problems_of(source)
    print('\n'.join(problems) or 'every link leads somewhere')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
