#!/usr/bin/env python3
"""Checks and lists the messages of the command and the library.

    scripts/messages.py --tool build/dev/reanima               checks; exit status 1 and a line per problem
    scripts/messages.py --tool build/dev/reanima --page FILE   also writes FILE: help, codes of warnings, every message
    scripts/messages.py --self-test                            checks that planted problems are found

Every message must be quoted whole in a test, with any values in its placeholders. No message of the library may name a
flag of the command, since the library has other hosts. Tests compare the quoted message with the one they provoked.

A message is a text in the code with at least two words, unless help texts contain it.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from check_structure import ARROWS

SOURCE = Path(__file__).resolve().parent.parent
LIBRARY = tuple(folder for folder in ARROWS if '/' not in folder)  # all folders of the library
HOSTS = ('tools',)
VERBS = ('info', 'convert', 'bind', 'dump', 'encode', 'check', 'frames', 'preview', 'list', 'find', 'extract', 'pack', 'retime', 'formats')
# Texts of two or more words that are not messages, as regular expressions.
DATA = {
    'pipeline/scene_memory.cpp': r'xof 0303txt|\\xEF.*',        # the first bytes of files
    'importers/dropin/preload.cpp': r'.*%.*',            # for printf; dropin_test.py compares them whole
    'importers/dropin/run.cpp': r'usage: .*',            # a help text
    'binding/roles/families.cpp': r'.*',                              # joint names
    'tools/reanima/front/completions.cpp': r'.*',             # scripts of shells and a manual page; first_steps_test.py runs them
    'tools/reanima/front/arguments.cpp': r': At Most ',  # a text of the option parser that is never shown
    'importers/format_importer.cpp': r'the reanima authors|.*(Importer|Exporter).*',  # texts that Assimp lists
}
FEWEST = 300  # messages: with fewer, the search for them is broken

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^(\s]*)\((?P<raw>.*?)\)(?P=tag)"|"(?P<text>(?:\\.|[^"\\\n])*)"'
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.DOTALL | re.MULTILINE)
ESCAPES = {'\\"': '"', '\\n': '\n', '\\t': '\t', '\\\\': '\\', "\\'": "'"}
VALUE = '\0'  # placeholder for any value in a text


def cpp_texts(code):
    """The line, the text and the code before it of every literal. Adjacent literals are one."""
    found = []
    end = 0
    for token in TOKEN.finditer(code):
        text = token.group('raw')
        if text is None and token.group('text') is not None:
            text = re.sub(r'\\.', lambda m: ESCAPES.get(m.group(), m.group()), token.group('text'))
        if text is None:
            continue
        between = re.sub(r'//[^\n]*', '', code[end:token.start()])
        if found and not between.strip():
            found[-1][1] += text
        else:
            found.append([code.count('\n', 0, token.start()) + 1, text, code[max(0, token.start() - 120):token.start()]])
        end = token.end()
    return found


def python_texts(code):
    """The literals of a Python file. Adjacent literals, and literals joined by + and %, are one."""
    token = re.compile(r'#[^\n]*|[rRbBfFuU]{0,2}(?P<quote>"""|\'\'\'|"|\')(?P<text>(?:\\.|(?!(?P=quote)).)*)(?P=quote)', re.DOTALL)
    found = []
    end = 0
    for part in token.finditer(code):
        if part.group('text') is None:
            continue
        if found and not code[end:part.start()].strip():
            found[-1] += part.group('text')
        else:
            found.append(part.group('text'))
        end = part.end()
    return [re.sub(r'\\(.)', lambda m: {'n': '\n', 't': '\t'}.get(m.group(1), m.group(1)), text) for text in found]


class Message:
    def __init__(self, place, text, before):
        self.place = place
        # json.fail("a list") gives "is 7, expected a list"
        self.text = 'expected ' + text if re.search(r'\bfail\(\s*(fmt::format\(\s*)?$', before) else text

    def shown(self):
        return ' '.join(re.sub(r'\{\}|\{:[^}]*\}|\{[a-z]+\}', '...', self.text).split()).replace('{{', '{').replace('}}', '}')

    def stands_in(self, texts):
        """True if one of the texts quotes the whole message. A value may be empty, since `byte{}` is one byte"""
        plain = self.text.replace('{{', '\1').replace('}}', '\2')
        parts = [part.replace('\1', '{').replace('\2', '}') for part in re.split(r'\{[^{}]*\}', plain.strip())]
        longest = max(parts, key=len)
        return any(longest in text and follow_each_other(parts, text) for text in texts)


def follow_each_other(parts, text):
    """True if a text contains all parts in this order"""
    end = 0
    for part in parts:
        begin = text.find(part, end)
        if begin < 0:
            return False
        end = begin + len(part)
    return True


def messages_of(source, folders, helped):
    found = []
    for folder in folders:
        for path in sorted((source / folder).rglob('*')):
            if path.suffix not in ('.cpp', '.h'):
                continue
            place = path.relative_to(source).as_posix()
            for line, text, before in cpp_texts(path.read_text(encoding='utf-8')):
                words = re.findall(r'[A-Za-z]{2,}', re.sub(r'\{[^{}]*\}', ' ', text))
                is_data = place in DATA and re.fullmatch(DATA[place], text, re.DOTALL)
                message = Message(place, text, before)
                are_options = all('--' + word in helped for word in text.split())
                if len(words) < 2 or ' ' not in text.strip() or is_data or are_options or re.search(r'(static_assert|tellDecoding)\([^;]*$', before):
                    continue
                if not Message(place, squeezed(text), '').stands_in([helped]):
                    found.append(message)
    return found


def squeezed(text):
    return ' '.join(text.split())


def texts_of_tests(source):
    """Everything that tests quote, with their placeholders as values"""
    texts = []
    for path in sorted((source / 'tests').rglob('*')):
        if 'node_modules' in path.parts or not path.is_file():
            continue
        if path.suffix in ('.cpp', '.h'):
            texts += [text for _, text, _ in cpp_texts(path.read_text(encoding='utf-8'))]
        elif path.suffix == '.py':
            quoted_texts = python_texts(path.read_text(encoding='utf-8'))
            texts += quoted_texts + [re.sub(r'%[-.\d]*[sdgrfx]|\{[^{}\n]*\}', VALUE, text) for text in quoted_texts]
        elif path.suffix == '.sh' or path.name == 'cases.json':
            texts.append(path.read_text(encoding='utf-8'))
    return texts


def problems_of(messages, library, tests, fewest=FEWEST):
    problems = []
    if len(messages) < fewest:
        problems.append(f'only {len(messages)} messages were found, expected at least {fewest}')
    for message in messages:
        if not message.stands_in(tests):
            problems.append(f'{message.place}: no test quotes "{message.shown()}"')
        if message in library and re.search(r'(^|[\s(`])--[a-z]', message.text):
            problems.append(f'{message.place}: names a flag of the command: "{message.shown()}"')
    return problems


def output_of(tool, *words):
    return subprocess.run([tool, *words], check=True, stdout=subprocess.PIPE).stdout.decode()


def page_of(tool, messages):
    lines = ['# Messages', '', 'Written by `scripts/messages.py`: help, codes of warnings, every message. `...` stands for a value.', '', '## Help', '']
    for verb in ('', *VERBS):
        lines += [f'### reanima {verb}'.rstrip(), '', '```', output_of(tool, *filter(None, [verb]), '--help').rstrip(), '```', '']
    lines += ['## Formats', '', '```', *(line.rstrip() for line in output_of(tool, 'formats').rstrip().splitlines()), '```', '']
    lines += ['## Codes of warnings', '', '```', output_of(tool, 'formats', '--warnings').rstrip(), '```', '']
    lines += ['## Messages', '', 'Many are parts of a line: `FILE: FIELD at OFFSET: MESSAGE`, `FILE: warning: FIELD: MESSAGE`.', '']
    by_place = {}
    for message in messages:
        texts = by_place.setdefault(message.place, [])
        if message.shown() not in texts:
            texts.append(message.shown())
    for place, texts in by_place.items():
        lines += [f'### {place}', '', *(f'* {quoted(text)}' for text in texts), '']
    return '\n'.join(lines)


def quoted(text):
    return f'`` {text} ``' if '`' in text else f'`{text}`'


def check(tool, page):
    helps = ' '.join([output_of(tool, *words, '--help') for words in ([], *([v] for v in VERBS))] +
                     [output_of(tool, 'formats'), output_of(tool, 'formats', '--warnings'), output_of(tool, 'formats', '--json')])
    helped = squeezed(helps)
    library = messages_of(SOURCE, LIBRARY, helped)
    messages = library + messages_of(SOURCE, HOSTS, helped)
    problems = problems_of(messages, library, texts_of_tests(SOURCE))
    if page:
        Path(page).write_text(page_of(tool, messages), encoding='utf-8')
    return problems


def self_test():
    code = 'throw Error(fmt::format("is {}, expected {} planted " "words", a, b)); // "no message here"\n'
    (line, text, before), = cpp_texts(code)
    planted = [Message('a.cpp', text, before)]
    tests = [t for _, t, _ in cpp_texts('EXPECT_EQ(x, "y: is 7, expected 2 planted words");')]
    flag = [Message('a.cpp', 'give it --joints or nothing', '')]
    listed = [Message('a.cpp', 'a planted list', 'json.fail(')]
    expected = [
        (problems_of(planted, planted, tests, 1), []),
        (problems_of(planted, planted, [tests[0][:-1]], 1), ['a.cpp: no test quotes "is ..., expected ... planted words"']),
        (problems_of(planted, planted, tests, 2), ['only 1 messages were found, expected at least 2']),
        (problems_of(flag, flag, [flag[0].text], 1), ['a.cpp: names a flag of the command: "give it --joints or nothing"']),
        (problems_of(flag, [], [flag[0].text], 1), []),
        (problems_of(listed, [], ['a planted list'], 1), ['a.cpp: no test quotes "expected a planted list"']),
        (problems_of(listed, [], ['is 7, expected a planted list'], 1), []),
    ]
    return [f'expected {wanted}, found {found}' for found, wanted in expected if found != wanted]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tool', help='path of the command')
    parser.add_argument('--page', help='file to write the list to')
    parser.add_argument('--self-test', action='store_true')
    arguments = parser.parse_args()
    problems = self_test() if arguments.self_test else check(arguments.tool, arguments.page)
    print('\n'.join(problems) or 'every message is quoted by a test')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
