#!/usr/bin/env python3
"""The command as WebAssembly: its page in browsers without a window, where what is shown and saved has the bytes of the
native command, and the conformance suites and corpora by Node.js.

Takes long, so it runs with REANIMA_LONG=1 only. Needs what `scripts/setup.sh --web` installs."""
import io, json, os, re, shlex, shutil, subprocess, sys, tempfile, time, unittest, zipfile

from browser import Chromium, Network, installed
from gltf_files import Glb
from support import Case, DATA, SOURCE, TOOL, read, sample, write
from windows_test import floats, without_key
import rig_set

HOLDER = tempfile.TemporaryDirectory(prefix='reanima_web_', ignore_cleanup_errors=True)
SITE = os.path.join(SOURCE, 'build', 'web')
NODE = os.path.join(SOURCE, 'tests', 'tools', 'web_command.js')
CONFORMANCE = os.path.join(DATA, 'conformance')
SUITES = [('run.py', '--motion'), ('run.py', '--motion', '--detect'), ('run_ff7_mesh.py',), ('run_ff9_mesh.py',), ('run_ff9_mesh.py', '--detect'),
          ('run_metroid_mesh.py',), ('archives/run.py',), ('discs/run_discs.py',)]
PACK = {name: read(sample('ff7', name)) for name in sorted(os.listdir(sample('ff7'))) if re.fullmatch('hr..', name)}
ONE = lambda *parts: {parts[-1]: read(sample(*parts))}     # noqa: E731
# What is dropped, the path of the row that is opened, and what it is saved as.
DROPPED = {
    'pack': (PACK, 'hrda', ['glb', 'vrma', 'bvh', 'anim']),
    'lgp': (ONE('archives', 'battle.lgp'), 'battle.lgp:hrda', ['glb']),
    'img': (ONE('archives', 'FF9.IMG'), 'FF9.IMG:10/301', ['glb', 'bvh']),
    'pak': (ONE('archives', 'hero.pak'), 'hero.pak:Hero.ANCS', ['glb']),
    'rlf': (ONE('rlf', 'wheel.rlf'), 'wheel.rlf', ['png', 'glb']),
    'disc': (ONE('discs', 'prime.rvz'), 'prime.rvz:Metroid1.pak:Hero.ANCS', ['glb']),
}


def native(words, files, folder):
    """-> the finished command in a folder with these files alone, and the files that it made"""
    for name, data in files.items():
        write(os.path.join(folder, name), data)
    p = subprocess.run([TOOL, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    made = {os.path.relpath(os.path.join(place, name), folder): read(os.path.join(place, name)) for place, _, names in os.walk(folder) for name in names}
    return p, {name: data for name, data in made.items() if name not in files}


class Page:
    """The page in a browser"""
    def __init__(self, kind, folder, address):
        self.folder, self.browser = folder, kind(folder)
        self.browser.network.folder = SITE
        self.browser.open(address)
        self.value = self.browser.value

    def close(self):
        self.browser.close()

    def choose(self, paths):
        """puts files of the disk into the page's own input"""
        browser = self.browser
        if isinstance(browser, Chromium):
            root = browser.ask('DOM.getDocument')['root']['nodeId']
            browser.ask('DOM.setFileInputFiles', files=paths, nodeId=browser.ask('DOM.querySelector', nodeId=root, selector='.picker')['nodeId'])
        else:
            node, = browser.ask('browsingContext.locateNodes', context=browser.context, locator={'type': 'css', 'value': '.picker'})['nodes']
            browser.ask('input.setFiles', context=browser.context, element={'sharedId': node['sharedId']}, files=paths)

    def drop(self, paths, onto='main'):
        self.choose(paths)
        self.value('''(() => { const files = new DataTransfer(), picker = document.querySelector('.picker');
            for (const file of picker.files) files.items.add(file);
            document.querySelector(%s).dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: files })); })()''' % json.dumps(onto))

    def settled(self, seconds=120):
        self.browser.until('document.querySelector(".stop").hidden && document.querySelector(".state").textContent !== ""', seconds)

    def give(self, files):
        """drops files, and waits until what is in them is known"""
        where = tempfile.mkdtemp(dir=self.folder)
        self.value('document.querySelector(".state").textContent = ""')
        self.drop([write(os.path.join(where, name), data) for name, data in files.items()])
        self.settled()

    def click(self, selector):
        self.value('void document.querySelector(%s).click()' % json.dumps(selector))

    def open(self, path):
        self.value('void reanima.list.choose(reanima.list.rows.find((row) => row.path === %s))' % json.dumps(path))
        self.idle()

    def idle(self, seconds=120):
        time.sleep(0.1)
        self.browser.until('document.querySelector(".stop").hidden', seconds)

    def saved(self, selector):
        """-> the name and bytes of the file that a button saves"""
        before = set(os.listdir(self.folder))
        self.click(selector)
        end = time.monotonic() + 120
        while time.monotonic() < end:
            new = [name for name in set(os.listdir(self.folder)) - before if not name.endswith(('.part', '.crdownload', '.tmp')) and not name.startswith('.')]
            if new and os.path.getsize(os.path.join(self.folder, new[0])) > 0:
                time.sleep(0.2)
                data = read(os.path.join(self.folder, new[0]))
                os.remove(os.path.join(self.folder, new[0]))
                return new[0], data
            time.sleep(0.05)
        raise AssertionError('nothing was saved: ' + self.said())

    def said(self):
        return self.value('document.querySelector(".said").textContent')

    def words(self):
        return shlex.split(self.value('document.querySelector(".words").textContent'))[1:]

    def shown(self, figure='.first'):
        """-> the data of the player's page"""
        return self.value('''(() => { const page = document.querySelector('%s iframe').contentDocument;
            return [page.getElementById('data').textContent, ...[...page.querySelectorAll('script[type="text/plain"]')].map((each) => each.textContent)]; })()''' % figure)


def data_of_page(html):
    """-> the same of a page that the native command wrote"""
    return [re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.S).group(1),
            *re.findall(r'<script type="text/plain">(.*?)</script>', html, re.S)]


class InBrowsers(Case):
    KINDS = {'http': Network.SITE + 'index.html', 'file': 'file://' + os.path.join(SITE, 'reanima.html')}

    def pages(self):
        """Each browser with the page of a server and the one in a file"""
        for kind in installed():
            for form, address in self.KINDS.items():
                with self.subTest(browser=kind.__name__, form=form):
                    page = Page(kind, tempfile.mkdtemp(dir=self.folder), address)
                    try:
                        yield page
                        self.assertEqual(page.browser.errors, [])
                        own = {Network.SITE + os.path.relpath(os.path.join(place, name), SITE) for place, _, names in os.walk(SITE) for name in names}
                        self.assertEqual(set(page.browser.network.asked) - own, set())
                        if form == 'file':
                            self.assertEqual(page.browser.network.asked, [])
                    finally:
                        page.close()

    def native(self, words, files):
        return native(words, files, tempfile.mkdtemp(dir=self.folder))

    def same_saved(self, page, selector, files):
        name, data = page.saved(selector)
        page.idle()
        p, made = self.native(page.words(), files)
        self.assertEqual(page.said(), p.stderr.decode())
        if name.endswith('.zip'):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                self.assertIsNone(archive.testzip())
                self.assertEqual(sorted(archive.namelist()), sorted(made))
                for each in made:
                    self.alike(each, archive.read(each), made[each])
        else:
            self.assertEqual([name], [os.path.basename(each) for each in made])
            self.alike(name, data, *made.values())

    def alike(self, name, data, expected):
        """The same bytes, but for numbers that functions of the C library have a part in: libm of musl and glibc round otherwise"""
        if data == expected or not name.endswith(('.bvh', '_on_mixamo.glb', '.vrma')):
            self.assertEqual(data, expected, name)
        elif name.endswith('.bvh'):
            lists = [text.split() for text in (data, expected)]
            self.assertEqual(len(lists[0]), len(lists[1]))
            self.assertLess(max(abs(float(a) - float(b)) for a, b in zip(*lists) if a != b), 1e-4, name)      # degrees, centimetres
        else:
            (a, text, rest), (b, other_text, other_rest) = floats(data), floats(expected)
            self.assertEqual((without_key(text), rest, list(a)), (without_key(other_text), other_rest, list(b)))
            self.assertLess(max(abs(x - y) for key in a for x, y in zip(a[key], b[key], strict=True)), 1e-6, name)

    def same_shown(self, page, files, words, figure='.first'):
        p, made = self.native(words, files)
        html, = [data.decode() for name, data in made.items() if name.endswith('.html')]
        self.assertEqual(page.shown(figure), data_of_page(html))
        return p

    def test_what_is_shown_and_saved_has_the_bytes_of_the_native_command(self):
        for page in self.pages():
            for what, (files, path, forms) in DROPPED.items():
                with self.subTest(what):
                    page.give(files)
                    page.open(path)
                    p = self.same_shown(page, files, page.words())
                    self.assertEqual(page.said(), p.stderr.decode())
                    for form in forms:
                        page.value('document.querySelector(".form").value = %s' % json.dumps(form))
                        self.same_saved(page, '.save', files)
            self.same_saved(page, '.save-all', files)

    def test_damaged_files_are_reported_as_by_the_native_command(self):
        for page in self.pages():
            for what, (files, path, _) in DROPPED.items():
                for part in (0.97, 0.5):
                    with self.subTest(what, part=part):
                        name = path.split(':')[0]
                        damaged = dict(files, **{name: files[name][:int(len(files[name]) * part)]})
                        page.give(damaged)
                        found, _ = self.native(['find', '*', *(damaged if len(damaged) <= 20 else '.'), '--json'], damaged)
                        rows = sorted(page.value('reanima.list.rows.filter((row) => !row.isRaw).map(({ path }) => path)'))
                        self.assertEqual(rows, sorted(each['file'] for each in json.loads(found.stdout or b'{"found": []}')['found'] if each['kind'] != 'clip'))
                        is_opened = rows and not re.search('^reanima: ', found.stderr.decode(), re.M)
                        self.assertEqual(page.said(), (self.native(page.words(), damaged)[0] if is_opened else found).stderr.decode())

    def test_a_rig_and_an_edited_file(self):
        rig_set.write_set(self.path('rigs'), {'mixamo': ('mixamo', 'adult', {})})
        rig = read(self.path('rigs', 'mixamo.glb'))
        self.convert(sample('ff7', 'hrda'), '-o', 'edited.glb')
        glb = Glb(self.path('edited.glb'))
        glb.turn('hrda_000', 'bone005', 15, (2, 3, 4), 20)
        glb.write(self.path('edited.glb'))
        edited = read(self.path('edited.glb'))
        for page in self.pages():
            page.give(PACK)
            page.open('hrda')
            page.drop([self.path('rigs', 'mixamo.glb')], '.zone.rig')
            page.browser.until('!document.querySelector(".rig .save-result").hidden', 120)
            files = dict(PACK, **{'mixamo.glb': rig})
            bound, _ = self.native(['bind', 'hrda', '-s', 'mixamo.glb'], files)
            self.assertEqual(page.said(), (bound.stdout + bound.stderr).decode())
            _, made = self.native(['preview', 'hrda', '-s', 'mixamo.glb', '-o', 'hrda.html'], files)
            self.assertEqual(page.shown('.second')[0], data_of_page(made['hrda.html'].decode())[0])
            self.same_saved(page, '.rig .save-result', files)
            page.drop([write(self.path('cut', 'mixamo.glb'), rig[:3000])], '.zone.rig')
            page.browser.until('document.querySelector(".said").classList.contains("is-bad")')
            self.assertEqual(page.said(), self.native(['bind', 'hrda', '-s', 'mixamo.glb'], dict(PACK, **{'mixamo.glb': rig[:3000]}))[0].stderr.decode())
            page.drop([write(self.path('rig.fbx'), b'Kaydara FBX Binary  \0\x1a\0')], '.zone.rig')
            page.browser.until('document.querySelector(".said").textContent.includes("fbx")')
            self.assertEqual(page.said(), 'reanima: rig.fbx: is not a glTF file, and the module that reads other formats (through Assimp) can\'t be loaded: there is none for browsers\n')
            page.idle()
            page.drop([self.path('edited.glb')], '.zone.edited')
            page.browser.until('!document.querySelector(".edited .save-result").hidden', 120)
            files = dict(PACK, **{'edited.glb': edited})
            changes, _ = self.native(['encode', 'edited.glb', '--into', 'hrda'], files)
            p, made = self.native(['encode', 'edited.glb', '--into', 'hrda', '-o', 'new/hrda'], files)
            self.assertEqual(page.said(), (changes.stdout + changes.stderr + p.stderr).decode())
            name, data = page.saved('.edited .save-result')
            self.assertTrue((name, data) == ('hrda', made['new/hrda']), name)
            self.same_shown(page, dict(PACK, hrda=data), ['preview', 'hrda', '-o', 'hrda.html'], '.second')
            page.drop([write(self.path('cut', 'edited.glb'), edited[:len(edited) // 2])], '.zone.edited')
            page.browser.until('document.querySelector(".said").classList.contains("is-bad")')
            self.assertEqual(page.said(), self.native(['encode', 'edited.glb', '--into', 'hrda'], dict(PACK, **{'edited.glb': edited[:len(edited) // 2]}))[0].stderr.decode())

    def test_escape_ends_the_work_and_the_next_one_begins(self):
        for page in self.pages():
            page.give(ONE('archives', 'battle.lgp'))
            page.value('void reanima.list.choose(reanima.list.rows.find((row) => row.path === "battle.lgp:hrda"))')
            page.browser.press('Escape')
            page.browser.until('document.querySelector(".state").textContent === "Stopped"')
            page.open('battle.lgp:hrda')
            self.assertTrue(page.value('reanima.stage.players.length === 1'))

    def test_keys_and_names_for_screen_readers(self):
        for page in self.pages():
            page.give(ONE('archives', 'FF9.IMG'))
            page.browser.press('/')
            self.assertEqual(page.value('document.activeElement.className'), 'search')
            page.browser.press('ArrowDown')
            page.browser.press('End')
            page.browser.press('Enter')
            page.idle()
            self.assertEqual(page.value('document.activeElement.getAttribute("aria-selected")'), 'true')
            self.assertEqual(page.value('''[...document.querySelectorAll('button, input:not([hidden]), select, iframe, [tabindex]')].filter((each) =>
                !(each.textContent.trim() || each.title || each.getAttribute('aria-label') || each.getAttribute('aria-hidden'))).map((each) => each.outerHTML)'''), [])

    def test_tables_of_names_are_loaded_when_they_are_needed(self):
        for kind in installed():
            page = Page(kind, tempfile.mkdtemp(dir=self.folder), self.KINDS['http'])
            self.addCleanup(page.close)
            page.give(ONE('rlf', 'wheel.rlf'))
            self.assertEqual([path for path in page.browser.network.asked if '/names/' in path], [])
            page.give(ONE('archives', 'FF9.IMG'))
            self.assertIn(Network.SITE + 'names/ff9/models.gz', page.browser.network.asked)


class ByNode(Case):
    def test_conformance(self):
        for script, *args in SUITES:
            with self.subTest(script, args=args):
                p = subprocess.run([sys.executable, os.path.join(CONFORMANCE, script), NODE, *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   env=dict(os.environ, REANIMA_SANITIZED='1'))     # Node.js, too, takes more addresses than the limit
                self.assertEqual(p.returncode, 0, p.stdout.decode()[-3000:])

    def each(self, lines):
        """-> the outcomes of command lines"""
        text = ''.join(json.dumps({'words': words, 'folder': folder}) + '\n' for words, folder in lines)
        p = subprocess.run([NODE, '--each'], input=text.encode(), stdout=subprocess.PIPE, check=True)
        return [json.loads(line) for line in p.stdout.splitlines()]

    def test_corpora(self):
        lines = [([verb, os.path.join(place, name)], self.folder) for place, _, names in sorted(os.walk(os.path.join(DATA, 'corpus')))
                 for name in sorted(names) for verb in ('info', 'dump')]
        for (words, folder), outcome in zip(lines, self.each(lines)):
            p = subprocess.run([TOOL, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            with self.subTest(words):
                self.assertEqual(outcome, {'status': p.returncode, 'output': p.stdout.decode(errors='replace'), 'errors': p.stderr.decode(errors='replace')})


def setUpModule():
    if not os.environ.get('REANIMA_LONG') or not shutil.which('emcc') or not installed():
        print('needs REANIMA_LONG=1, a browser and `scripts/setup.sh --web`')
        sys.exit(77)
    subprocess.run([os.path.join(SOURCE, 'scripts', 'build-web.sh')], check=True)


if __name__ == '__main__':
    unittest.main()
