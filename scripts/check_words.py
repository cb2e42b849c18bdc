#!/usr/bin/env python3
"""Finds wordings that this project avoids, in documents, code, comments, names and messages. docs/glossary.md lists the
words to use.

    scripts/check_words.py [SOURCE]      checks the tree; exit status 1 and a line per finding
    scripts/check_words.py --self-test   checks that planted findings are made
"""
import re
import subprocess
import sys
from pathlib import Path

# Unwanted wordings and their replacements. Names are split into words: `filmPixels` is `film pixels`.
WORDS = [
    (r'\bbehind\b', 'after'),
    (r'\banew\b', 'again, rewritten, regenerated'),
    (r'\b(frames|keys|pictures|images|times|ticks|\d+|\.\.\.) a second\b', 'per second'),
    (r'\bone a line\b', 'one per line'),
    (r'\b(films?|movies?)\b', 'video'),
    (r'\bnobody decodes\b', 'no decoder for it is known'),
    (r'\bmanieth\b', 'every n-th'),
    (r'\bnumbers that are none\b', 'not finite'),
    (r'\bwhich counts\b|\b(is used|says|tells) which one counts\b|\band counts"', 'takes precedence'),
    (r'\bcommand line wins\b|\blater (files|ones) win\b', 'takes precedence'),
    (r'(?<!there )\bis no (file|folder|format|glTF|JSON|PNG|template|part|multiple|skeleton|text)\b', 'is not a'),
    (r'\bdisagree about the way\b', 'may interpolate it either way'),
    (r'\bway over the ground\b', 'displacement, root motion'),
    (r'\bof another maker\b', 'your own rig'),
    (r'\bjoints that move and lead nothing\b', 'unmapped source joints'),
    (r'\brests? (apart|otherwise)\b', 'rest difference'),
    (r'\bpasses the tests\b', 'runs the tests'),
    (r'\bcomplain(s|ed)?\b', 'is reported'),
    (r'\bfinding (it|them) out\b', 'recognising it'),
    (r'\bsticks\b', 'a graph of bones'),
    (r'\bfreely\b', 'not shared'),
]
# Exceptions, where a word has another meaning or is quoted: the prefix of a path, and a part of the wording (if empty,
# all wordings).
EXCEPTIONS = [
    ('scripts/check_words.py', ''),
    ('docs/glossary.md', ''),
    ('CHANGELOG.md', ''),           # also quotes former wordings
    ('tests/data/', ''),
    ('docs/formats/metroid', 'which counts'),   # a field that states how many there are
]
FEWEST = 300  # files: with fewer, the search for them is broken


def as_words(text):
    """Splits names into words, so that `kFilmPixels` and `film_pixels` are found"""
    return re.sub(r'(?<=[a-z])(?=[A-Z])', ' ', re.sub(r'(?<=\w)_(?=\w)', ' ', text))


def findings(path, text):
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, better in WORDS:
            match = re.search(pattern, as_words(line), re.IGNORECASE)
            if match and not any(path.startswith(p) and (not w or w in match.group().lower()) for p, w in EXCEPTIONS):
                found.append(f'{path}:{number}: "{match.group()}": {better}')
    return found


def files_of(source):
    listed = subprocess.run(['git', '-C', str(source), 'ls-files', '-co', '--exclude-standard'], check=True, stdout=subprocess.PIPE).stdout.decode()
    suffixes = ('.md', '.cpp', '.h', '.py', '.sh', '.cmake', '.txt', '.in', '.json')
    return [f for f in listed.splitlines() if f.endswith(suffixes) and not f.startswith('tests/data/') and '/node_modules/' not in f and 'package' not in f]


def check(source):
    files = files_of(source)
    problems = [] if len(files) >= FEWEST else [f'only {len(files)} files were found, expected at least {FEWEST}']
    for name in files:
        path = Path(source) / name
        if path.is_file():
            problems += findings(name, path.read_text(encoding='utf-8', errors='replace'))
    return problems


def self_test():
    planted = {'bytes behind the content': 1, 'std::uint64_t filmPixels = 0;': 1, '15 frames a second': 1, 'half a second later': 0,
               'a pack that is read anew': 1, 'bytes after the content': 0, 'this is no folder': 1, 'class Sticks {': 1}
    wrong = [text for text, number in planted.items() if len(findings('core/a.cpp', text)) != number]
    if findings('CHANGELOG.md', 'bytes behind the content'):
        wrong.append('exceptions')
    return [f'"{text}": not judged as expected' for text in wrong]


def main(arguments):
    if arguments == ['--self-test']:
        problems = self_test()
    else:
        problems = check(arguments[0] if arguments else Path(__file__).resolve().parent.parent)
    print('\n'.join(problems) or 'no such wording')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
