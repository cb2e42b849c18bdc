#!/usr/bin/env python3
"""docs/command.md agrees with the command: every example is run, and the tables are compared with the command's texts
and outputs."""
import json, os, re, shutil, subprocess, unittest

from support import Case, SOURCE, TOOL, Scene, formats, read, run, sample, samples

with open(os.path.join(SOURCE, 'docs', 'command.md'), encoding='utf-8') as f:
    PAGE = f.read()
VERBS = ('info', 'convert', 'bind', 'dump', 'encode', 'check', 'frames', 'preview', 'list', 'find', 'extract', 'pack', 'retime', 'formats')


def section(title, page=PAGE):
    """The text below a heading, up to the next one of its level or above"""
    found = re.search(rf'^(#+) {re.escape(title)}\n(.*?)(?=^#{{1,2}} |\Z)' if not title.startswith('#') else title, page, re.M | re.S)
    assert found, title
    level, text = found.groups()
    return re.split(rf'^#{{1,{len(level)}}} ', text, flags=re.M)[0]


def rows(text, head, where='docs/command.md'):
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
    raise AssertionError(f'{where}: has no table | {" | ".join(head)} |')


def cells_of(line):
    return [cell.strip() for cell in re.split(r'(?<!\\)\|', line)[1:-1]]


def code(cell):
    """The texts in backticks that are outside of parentheses and brackets"""
    flat = re.sub(r'`([^`]*)`', lambda m: '`' + re.sub(r'[()\[\]]', '', m.group(1)) + '`', cell)
    while re.search(r'\([^()]*\)', flat):
        flat = re.sub(r'\([^()]*\)', '', flat)
    return re.findall(r'`([^`]+)`', flat)


def options_in(text):
    """The options in the first cells of a text's table rows"""
    return {flag for line in text.splitlines() if line.startswith('| `-') for flag in re.findall(r'`(--?[\w-]+)', cells_of(line)[0])}


def options_of_help(verb):
    text = run(verb, '--help').stdout.decode()
    return set(re.findall(r'(?<![\w|-])(--?[\w-]+)', '\n'.join(re.findall(r'^  (-[^ ].*?)(?:  |$)', text, re.M)))) - {'-h', '--help'}


def common_options(verb):
    """The options that the general tables list for a verb"""
    console = options_in(section('Options of every verb but `formats`')) if verb != 'formats' else set()
    reading = options_in(section('Options of the verbs that read files')) | options_in(section('Options of the formats'))
    of_videos = options_in('\n'.join(l for l in section('Options of the formats').splitlines() if '| RLF |' in l or '; RLF |' in l))
    limits = {o for o in reading if o.startswith('--limit')}
    if verb in ('convert', 'bind', 'preview'):
        return console | reading | options_in(section('Options that shape an output')), set()
    if verb == 'info':
        return console | reading, set()
    if verb in ('dump', 'check'):
        return console | reading - {'--lighting', '--filter'}, set()
    if verb == 'find':
        return console | limits | {'--format', '-s', '--skeleton', '--skeleton-format', '--no-companion',
                                   '--rate', '--joints', '--names-by', '--fields', '--game'}, set()
    if verb == 'frames':
        return console | limits | {'--format'} | of_videos, set()
    if verb == 'encode':
        return console | limits | {'--format'}, set()
    if verb in ('list', 'extract', 'pack', 'retime'):
        return console | limits, set()
    return console, set()


HEAD_OF_LIST = '| page | id | what |\n|---|---|---|\n'


class FormatPages:
    """The pages of docs/formats, and the tables of members in them"""

    def __init__(self, texts=None):
        if texts is None:
            folder = os.path.join(SOURCE, 'docs', 'formats')
            texts = {name: read(os.path.join(folder, name)).decode() for name in sorted(os.listdir(folder))}
        self.texts, self.members, self.of_members, self.elements = texts, {}, {}, {}
        for where, text in {f'docs/formats/{name}': t for name, t in texts.items()}.items():
            if '| format | members |' in text:
                for row in rows(text, ['format', 'members'], where):
                    self.members[code(row[0])[0]], self.of_members[code(row[0])[0]] = row[1], where
            if '| element of | members |' in text:
                self.elements.update({tuple(code(r[0])): set(code(r[1])) for r in rows(text, ['element of', 'members'], where)})

    def page_of(self, id):
        """The page that the list in README.md names, or None"""
        if HEAD_OF_LIST not in self.texts['README.md']:
            return None
        for row in rows(self.texts['README.md'], ['page', 'id', 'what'], 'docs/formats/README.md'):
            if id in code(row[1]):
                return 'docs/formats/' + re.search(r'\((.*)\)', row[0]).group(1)
        return None

    def faults_of(self, id):
        """The missing parts of a format's page, as texts"""
        page = self.page_of(id)
        if page is None:
            return [f'docs/formats/README.md: the table | page | id | what | has no row for `{id}`']
        text = self.texts.get(os.path.basename(page))
        if text is None:
            return [f'{page}: is named by docs/formats/README.md, and is not there']
        found = []
        if not re.search(r'^\|.* (field|line) \|.* meaning \|', text, re.M):
            found.append(f'{page}: has no table of fields, such as | offset | type | field | meaning | evidence |, or | line | meaning | evidence | of a text')
        elif not re.search(r'\| evidence \||Evidence', text):
            found.append(f'{page}: says nothing of evidence: a column | evidence | or a sentence "Evidence: ..."')
        if id not in self.members:
            found.append(f'{page}: has no table | format | members | with a row for `{id}`')
        return found


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
        more = PAGE.replace('| `--roundtrip PATH` |', '| `--roundtrip PATH`, `--twice` |')
        self.assertEqual(self.difference('check', more)['not there'], {'--twice'})

    def test_the_verbs(self):
        listed = {re.search(r'reanima (\w+)', row[0]).group(1) for row in rows(PAGE, ['verb'])}
        helped = set(re.findall(r'^  (\w+) ', run('--help').stdout.decode().split('Verbs:')[1].split('Options:')[0], re.M))
        self.assertEqual(listed, helped)
        self.assertEqual(listed, set(VERBS))


class Tables(Case):
    def test_members_of_formats(self):
        said = code(re.search(r'`--json` \| (.*)\|', section('formats')).group(1))
        for row in formats():
            self.assertEqual(list(row), said)

    def test_every_format_has_its_tables(self):
        pages = FormatPages()
        self.assertEqual([fault for id in [row['id'] for row in formats()] for fault in pages.faults_of(id)], [])

    def test_a_missing_table_is_noticed(self):
        listed = '| [toy_animation.md](toy_animation.md) | `toy-animation` | Toys: animations |'
        fields = '| offset | type | field | meaning | evidence |\n|---|---|---|---|---|\n| 00 | u32 | `count` | | data |\n'
        members = '| format | members |\n|---|---|\n| `toy-animation` | `count` |\n'
        for texts, said in (
                ({}, ['docs/formats/README.md: the table | page | id | what | has no row for `toy-animation`']),
                ({'README.md': listed}, ['docs/formats/toy_animation.md: is named by docs/formats/README.md, and is not there']),
                ({'README.md': listed, 'toy_animation.md': members},
                 ['docs/formats/toy_animation.md: has no table of fields, such as | offset | type | field | meaning | evidence |, or | line | meaning | evidence | of a text']),
                ({'README.md': listed, 'toy_animation.md': fields.replace('evidence', 'why').replace('Evidence', '')},
                 ['docs/formats/toy_animation.md: says nothing of evidence: a column | evidence | or a sentence "Evidence: ..."',
                  'docs/formats/toy_animation.md: has no table | format | members | with a row for `toy-animation`']),
                ({'README.md': listed, 'toy_animation.md': fields + '\n' + members}, [])):
            with self.subTest(said=said):
                pages = FormatPages({'README.md': '', **{name: HEAD_OF_LIST + text + '\n' for name, text in texts.items()}})
                self.assertEqual(pages.faults_of('toy-animation'), said)

    def test_members_of_dumps(self):
        pages, seen = FormatPages(), set()
        for path in samples():
            with self.subTest(path):
                dumped = json.loads(self.check(run('dump', sample(path)), 0).stdout)
                seen.add(dumped['format'])
                self.assertEqual(self.faults(dumped, pages), [])
        self.assertEqual([f'{row["id"]}: no sample in samples/' for row in formats() if row['id'] not in seen], [])

    def faults(self, dumped, pages):
        """The differences between the members of a dump and those of the tables"""
        id = dumped['format']
        page = pages.of_members.get(id) or pages.page_of(id) or 'docs/formats'
        required, _, more = pages.members.get(id, '').partition('; type 2 also')
        expected = {'schema', 'format', 'warnings', *code(required)}
        found = [f'{page}: the table | format | members | names `{name}` of `{id}`, which a dump does not have' for name in sorted(expected - set(dumped))]
        found += [f'{page}: the table | format | members | does not name `{name}` of `{id}`' for name in sorted(set(dumped) - expected - set(code(more)))]
        self.assertEqual(dumped['schema'], 1)
        for member, value in dumped.items():
            names = {name for row in (value if isinstance(value, list) else ()) if isinstance(row, dict) for name in row}
            if names and (member, id) not in pages.elements:
                found.append(f'{page}: needs a table | element of | members | with a row | `{member}` of `{id}` | {", ".join(f"`{n}`" for n in sorted(names))} |')
            elif names:
                found += [f'{page}: the row `{member}` of `{id}` does not name `{name}`' for name in sorted(names - pages.elements[member, id])]
        return found

    def test_members_that_no_table_names_are_noticed(self):
        pages = FormatPages()
        dumped = json.loads(run('dump', sample('ff7', 'hraa')).stdout)
        dumped['joints'][0]['color'] = dumped['color'] = 1
        dumped['extra'] = [{'weight': 1}]
        del dumped['kind']
        self.assertEqual(self.faults(dumped, pages),
                         ['docs/formats/ff7_battle_skeleton.md: the table | format | members | names `kind` of `ff7-battle-skeleton`, which a dump does not have',
                          'docs/formats/ff7_battle_skeleton.md: the table | format | members | does not name `color` of `ff7-battle-skeleton`',
                          'docs/formats/ff7_battle_skeleton.md: the table | format | members | does not name `extra` of `ff7-battle-skeleton`',
                          'docs/formats/ff7_battle_skeleton.md: the row `joints` of `ff7-battle-skeleton` does not name `color`',
                          'docs/formats/ff7_battle_skeleton.md: needs a table | element of | members | with a row | `extra` of `ff7-battle-skeleton` | `weight` |'])

    def test_members_of_info(self):
        said = {name: code(r[1]) for r in rows(section('info'), ['member']) for name in code(r[0])}
        found = {}
        self.check(run('convert', sample('ff7', 'hrda'), '-q', '-o', self.path('rig.glb')), 0)
        for path in (sample('ff7', 'hrda'), sample('ff9', 'props.ff9db'), sample('rlf', 'wheel.rlf'), self.path('rig.glb')):
            answer, = json.loads(run('info', path, '--json').stdout)
            for member, value in answer.items():
                self.assertIn(member, said)
                first = value[0] if isinstance(value, list) and value else value
                found.setdefault(member, set()).update(first if isinstance(first, dict) else [])
        self.assertEqual(set(found), set(said))
        of_clips = {name for r in rows(section('info'), ['member of `clips`']) for name in code(r[0])}
        self.assertEqual(found['clips'], of_clips)
        self.assertEqual(found['rig'], {'humanoid', 'family', 'body', 'height', 'vertices'})
        for member in ('joints', 'images', 'models'):
            self.assertEqual(found[member], set(said[member]), member)

    def test_members_of_the_report(self):
        said = {name for r in rows(section('The report'), ['member']) for name in code(r[0])}
        rig, mapping, walk = self.path('rig.glb'), self.path('map.json'), sample('metroid', 'hero_walk.ANIM')
        self.check(run('convert', sample('ff7', 'hraa'), '-o', rig), 0)
        self.check(run('bind', walk, '-s', rig, '--suggest', '-o', mapping), 0)
        found, sums = set(), set()
        for words in ([walk, '-s', rig, '--map', mapping, '--reduce', 1, '--compact', '-o', self.path('one.glb')],
                      [sample('ff9', 'props.ff9db'), '-o', self.path('all') + '/']):
            self.check(run('convert', *words, '--report', self.path('r.jsonl')), 0)
            for line in map(json.loads, read(self.path('r.jsonl')).splitlines()):
                found |= set(line) - {'sums'}
                sums |= set(line.get('sums', []))
            os.remove(self.path('r.jsonl'))
        self.assertEqual(found, said)
        self.assertEqual(sums, {name for r in rows(section('The report'), ['member of `sums`']) for name in code(r[0])})
        self.check(run('convert', self.path('none'), '--report', self.path('r.jsonl')), 1)
        self.assertEqual(set(json.loads(read(self.path('r.jsonl')))['error']), {'code', 'message', 'field', 'offset'})

    def test_extras(self):
        said = {name for r in rows(section('Extras'), ['member']) for name in code(r[0])}
        found = set()
        for path in (sample('ff7', 'hrda'), sample('rlf', 'wheel.rlf')):
            self.check(run('convert', path, '-o', self.path('x.glb'), '--force'), 0)
            scene = Scene(read(self.path('x.glb')))
            reanima = scene.g['scenes'][0]['extras']['reanima']
            self.assertLessEqual(set(reanima), {'version', 'skeleton', 'key', 'hash', 'clips', 'character'})
            for animation, clip in zip(scene.g['animations'], reanima['clips']):
                self.assertEqual(animation['extras'], clip)
                found |= set(clip)
        self.assertEqual(found, said - {'full_name', 'linked_by'}, 'nobody names the hero, and his file is his alone')

    def test_codes_of_warnings(self):
        codes = run('formats', '--warnings').stdout.decode()
        named = re.findall(r'warning \(`([a-z-]+)`\)', PAGE)
        self.assertGreater(len(named), 1)
        for name in named:
            self.assertRegex(codes, rf'(?m)^{name} ')
        self.assertEqual([code(row[0])[0] for row in rows(section('Codes of warnings'), ['code', 'meaning'])], re.findall(r'(?m)^([a-z-]+) ', codes))

    def test_members_of_frames(self):
        forms = {code(r[0])[0]: r[1] for r in rows(section('frames'), ['`--as`'])}
        for form, name in (('png', 'frames.json'), ('sheet', 'sheet.json')):
            self.check(run('frames', sample('rlf', 'wheel.rlf'), '--as', form, '-o', self.path(form)), 0)
            said = code(forms[form].split(f'`{name}`:')[1])
            self.assertEqual(list(sorted(json.loads(read(self.path(form, name))))), sorted(said))


if __name__ == '__main__':
    unittest.main()
