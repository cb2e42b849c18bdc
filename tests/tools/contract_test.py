#!/usr/bin/env python3
"""docs/command.md and the command say the same: every example is run, and the tables are compared with what the command
prints and writes."""
import json, os, re, shutil, subprocess, unittest

from support import Case, SOURCE, TOOL, Scene, read, run, sample

with open(os.path.join(SOURCE, 'docs', 'command.md'), encoding='utf-8') as f:
    PAGE = f.read()
VERBS = ('info', 'convert', 'bind', 'dump', 'encode', 'check', 'frames', 'preview', 'list', 'extract', 'formats')


def section(title, page=PAGE):
    """The text below a heading, up to the next one of its level or above"""
    found = re.search(rf'^(#+) {re.escape(title)}\n(.*?)(?=^#{{1,2}} |\Z)' if not title.startswith('#') else title, page, re.M | re.S)
    assert found, title
    level, text = found.groups()
    return re.split(rf'^#{{1,{len(level)}}} ', text, flags=re.M)[0]


def rows(text, head):
    """The rows of the table that begins with these cells, as lists of cells"""
    lines = iter(text.splitlines())
    for line in lines:
        if cells_of(line)[:len(head)] == head:
            next(lines)
            found = []
            for row in lines:
                if not row.startswith('|'):
                    break
                found.append(cells_of(row))
            return found
    raise AssertionError(f'no table {head}')


def cells_of(line):
    return [cell.strip() for cell in re.split(r'(?<!\\)\|', line)[1:-1]]


def code(cell):
    """The texts in backticks that are outside of parentheses and brackets"""
    flat = re.sub(r'`([^`]*)`', lambda m: '`' + re.sub(r'[()\[\]]', '', m.group(1)) + '`', cell)
    while re.search(r'\([^()]*\)', flat):
        flat = re.sub(r'\([^()]*\)', '', flat)
    return re.findall(r'`([^`]+)`', flat)


def options_in(text):
    """The options that the tables of a text begin their rows with"""
    return {flag for line in text.splitlines() if line.startswith('| `-') for flag in re.findall(r'`(--?[\w-]+)', cells_of(line)[0])}


def options_of_help(verb):
    text = run(verb, '--help').stdout.decode()
    return set(re.findall(r'(?<![\w-])(--?[\w-]+)', '\n'.join(re.findall(r'^  (-[^ ].*?)(?:  |$)', text, re.M)))) - {'-h', '--help'}


def common_options(verb):
    """What the general tables say about a verb"""
    console = options_in(section('Options of every verb but `formats`')) if verb != 'formats' else set()
    reading = options_in(section('Options of the verbs that read files')) | options_in(section('Options of the formats'))
    of_videos = options_in('\n'.join(l for l in section('Options of the formats').splitlines() if '| RLF |' in l or '; RLF |' in l))
    limits = {o for o in reading if o.startswith('--limit')}
    if verb in ('convert', 'bind', 'preview'):
        return console | reading | options_in(section('Options that shape an output')), set()
    if verb in ('info', 'dump', 'check'):
        return console | reading, set()
    if verb == 'frames':
        return console | limits | {'--format'} | of_videos, set()
    if verb == 'encode':
        return console | limits | {'--format'}, set()
    if verb in ('list', 'extract'):
        return console | limits, set()
    return console, set()


class Examples(Case):
    def test_every_example_runs(self):
        blocks = re.findall(r'^```sh\n(.*?)^```', PAGE, re.M | re.S)
        self.assertGreater(sum(block.count('reanima ') for block in blocks), 30)
        os.symlink(os.path.abspath(TOOL), os.path.join(self.folder, 'reanima'))
        for number, block in enumerate(blocks):
            with self.subTest(block=block):
                place = self.path(f'block{number}')
                os.mkdir(place)
                shutil.copytree(sample(), os.path.join(place, 'samples'))
                p = subprocess.run(['bash', '-euo', 'pipefail', '-c', block], cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=dict(os.environ, PATH=self.folder + ':' + os.environ['PATH']), timeout=300)
                self.assertEqual(p.returncode, 0, p.stderr.decode())
                self.assertNotIn('Sanitizer', p.stderr.decode())

    def test_an_example_that_fails_is_noticed(self):
        p = subprocess.run(['bash', '-euo', 'pipefail', '-c', f'{TOOL} formats --nothing | cat'], stderr=subprocess.DEVNULL)
        self.assertEqual(p.returncode, 2)


class Options(Case):
    def difference(self, verb, page):
        own = options_in(section(verb, page))
        common, optional = common_options(verb)
        there = options_of_help(verb)
        return {'not documented': there - own - common - optional, 'not there': (own | common) - there}

    def test_every_verb_has_the_options_of_its_tables(self):
        for verb in VERBS:
            with self.subTest(verb):
                self.assertEqual(self.difference(verb, PAGE), {'not documented': set(), 'not there': set()})

    def test_a_row_too_few_or_too_many_is_noticed(self):
        without = PAGE.replace('| `--if-changed` |', '| if-changed |')
        self.assertEqual(self.difference('convert', without)['not documented'], {'--if-changed'})
        more = PAGE.replace('| `--roundtrip DIR` |', '| `--roundtrip DIR`, `--twice` |')
        self.assertEqual(self.difference('check', more)['not there'], {'--twice'})

    def test_the_verbs(self):
        listed = {re.search(r'reanima (\w+)', row[0]).group(1) for row in rows(PAGE, ['verb'])}
        helped = set(re.findall(r'^  (\w+) ', run('--help').stdout.decode().split('Subcommands:')[1], re.M))
        self.assertEqual(listed, helped)
        self.assertEqual(listed, set(VERBS))


class Tables(Case):
    def test_members_of_formats(self):
        said = code(re.search(r'`--json` \| (.*)\|', section('formats')).group(1))
        for row in json.loads(run('formats', '--json').stdout):
            self.assertEqual(list(row), said)

    def pages_of_dumps(self):
        """Texts that have the tables of members: this page, and those of formats"""
        pages = [section('dump')]
        folder = os.path.join(SOURCE, 'docs', 'formats')
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), encoding='utf-8') as f:
                pages.append(f.read())
        return pages

    def test_members_of_dumps(self):
        said, inside = {}, {}
        for page in self.pages_of_dumps():
            if '| format | members |' in page:
                said.update({code(r[0])[0]: r[1] for r in rows(page, ['format', 'members'])})
            if '| element of | members |' in page:
                inside.update({tuple(code(r[0])): set(code(r[1])) for r in rows(page, ['element of', 'members'])})
        seen = set()
        for folder in sorted(os.listdir(sample())):
            for name in sorted(os.listdir(sample(folder)) if os.path.isdir(sample(folder)) else ()):
                if folder == 'archives':
                    name = {'hero.pak': 'hero.pak:Hero.ANCS', 'battle.lgp': 'battle.lgp:hrda', 'FF9.IMG': 'FF9.IMG:10/300'}.get(name, name)
                p = run('dump', sample(folder, name))
                if name.endswith(('.py', '.csv', '.json', '.txt', '.cpp')) or not os.path.isfile(sample(folder, name.split(':')[0])) or folder == 'pipeline':
                    continue
                with self.subTest(name):
                    dumped = json.loads(self.check(p, 0).stdout)
                    self.compare_members(dumped, said[dumped['format']], inside)
                    seen.add(dumped['format'])
        self.assertEqual(seen, {f['id'] for f in json.loads(run('formats', '--json').stdout)})

    def compare_members(self, dumped, said, inside):
        required, _, more = said.partition('; type 2 also')
        expected = {'schema', 'format', 'warnings', *code(required)}
        self.assertLessEqual(expected, set(dumped))
        self.assertLessEqual(set(dumped), expected | set(code(more)))
        self.assertEqual(dumped['schema'], 1)
        for member, value in dumped.items():
            for row in value if isinstance(value, list) else ():
                if isinstance(row, dict):
                    self.assertLessEqual(set(row), inside[member, dumped['format']], member)

    def test_members_of_info(self):
        said = {name: code(r[1]) for r in rows(section('info'), ['member']) for name in code(r[0])}
        found = {}
        for path in (sample('ff7', 'hrda'), sample('ff9', 'props.ff9db'), sample('rlf', 'wheel.rlf')):
            answer, = json.loads(run('info', path, '--json').stdout)
            for member, value in answer.items():
                self.assertIn(member, said)
                found.setdefault(member, set()).update(value[0] if isinstance(value, list) and value and isinstance(value[0], dict) else [])
        self.assertEqual(set(found), set(said))
        of_clips = {name for r in rows(section('info'), ['member of `clips`']) for name in code(r[0])}
        self.assertEqual(found['clips'], of_clips)
        for member in ('joints', 'images', 'models'):
            self.assertEqual(found[member], set(said[member]), member)

    def test_members_of_the_report(self):
        said = {name for r in rows(section('The report'), ['member']) for name in code(r[0])}
        rig, mapping, walk = self.path('rig.glb'), self.path('map.json'), sample('metroid', 'hero_walk.ANIM')
        self.check(run('convert', sample('ff7', 'hraa'), '-o', rig), 0)
        self.check(run('bind', walk, '-s', rig, '--suggest', '-o', mapping), 0)
        found = set()
        for words in ([walk, '-s', rig, '--map', mapping, '--reduce', 1, '--compact', '-o', self.path('one.glb')],
                      [sample('ff9', 'props.ff9db'), '-o', self.path('all') + '/']):
            self.check(run('convert', *words, '--report', self.path('r.jsonl')), 0)
            for line in read(self.path('r.jsonl')).splitlines():
                found |= set(json.loads(line))
            os.remove(self.path('r.jsonl'))
        self.assertEqual(found, said)

    def test_extras(self):
        said = {name for r in rows(section('Extras'), ['member']) for name in code(r[0])}
        found = set()
        for path in (sample('ff7', 'hrda'), sample('rlf', 'wheel.rlf')):
            self.check(run('convert', path, '-o', self.path('x.glb'), '--force'), 0)
            scene = Scene(read(self.path('x.glb')))
            reanima = scene.g['scenes'][0]['extras']['reanima']
            self.assertLessEqual(set(reanima), {'version', 'skeleton', 'key', 'clips', 'character'})
            for animation, clip in zip(scene.g['animations'], reanima['clips']):
                self.assertEqual(animation['extras'], clip)
                found |= set(clip)
        self.assertEqual(found, said)

    def test_codes_of_warnings(self):
        codes = run('formats', '--warnings').stdout.decode()
        named = re.findall(r'warning \(`([a-z-]+)`\)', PAGE)
        self.assertGreater(len(named), 1)
        for name in named:
            self.assertRegex(codes, rf'(?m)^{name} ')

    def test_members_of_frames(self):
        forms = {code(r[0])[0]: r[1] for r in rows(section('frames'), ['`--as`'])}
        for form, name in (('png', 'frames.json'), ('sheet', 'sheet.json')):
            self.check(run('frames', sample('rlf', 'wheel.rlf'), '--as', form, '-o', self.path(form)), 0)
            said = code(forms[form].split(f'`{name}`:')[1])
            self.assertEqual(list(sorted(json.loads(read(self.path(form, name))))), sorted(said))


if __name__ == '__main__':
    unittest.main()
