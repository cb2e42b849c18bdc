#!/usr/bin/env python3
"""The pages of `preview` in browsers without a window: the picture on the screen, keys and links, and saved files."""
import base64, glob, json, math, os, re, shutil, tempfile, time, unittest

import rig_files_test
from browser import Chromium, Network, installed
from gltf_files import glb_around, parts
from pages import data_of, page_of, raw_data, url_of
from pictures import from_png, png_of
from support import Case, DATA, Scene, read, run, sample, samples, write

INPUTS = [sample('ff7', 'hrda'), sample('ff9', 'hero.ff9db'), sample('metroid', 'hero_walk.ANIM'), sample('rlf', 'wheel.rlf')]
PACK, DB, WALKER, VIDEO = 'hrda', 'hero.ff9db', 'hero_walk.ANIM', 'wheel.rlf'

# The positions of a clip's joints on the screen, at three times of every clip.
MOMENTS = r'''(async () => {
const player = reanima.page, items = [];
for (let i = 0; i < player.items.length; ++i) {
  const item = { name: player.items[i].name, clips: [] };
  for (const { name } of player.list.clipsOf(i)) {
    await player.show([{ item: i, clip: name }]);
    const { shown, clip } = player.stage.slots[0], moments = [];
    for (const share of [0, 0.37, 1]) {
      player.seek(clip.duration * share);
      player.stage.draw();
      const { paper, renderer, camera, slots } = player.stage, view = player.stage.viewOf(0);
      const world = shown.joints && shown.poseAt(clip, slots[0].time).world;
      const project = ([x, y, z]) => { const from = [x - view.target[0], y - view.target[1], z - view.target[2]];
        const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        return [view.left + view.width / 2 + view.scale * dot(from, view.right), view.height / 2 - view.scale * dot(from, view.up)]; };
      const canvas = player.stage.picture(), pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
      moments.push({ time: slots[0].time, clock: player.part('.clock').value, yaw: view.yaw, pitch: view.pitch, target: view.target, scale: view.scale,
        width: view.width, height: view.height, joints: world && Object.fromEntries(shown.joints.map((j) => [shown.nodes[j].name, project(world[j].slice(12, 15))])),
        colours: new Set(new Uint32Array(pixels.buffer)).size });
    }
    item.clips.push({ name, marks: player.part('.events').children.length, moments });
  }
  items.push(item);
}
return items; })()'''
ROWS = '[...document.querySelectorAll(".rows li")].map((row) => [reanima.page.items[row.item].name, row.clip ?? null])'


def projected(place, view):
    """The same view by hand: the camera turns by yaw about +Y, then by pitch; no perspective."""
    x, y, z = (p - t for p, t in zip(place, view['target']))
    yaw, pitch = view['yaw'], view['pitch']
    across = x * math.cos(yaw) - z * math.sin(yaw)
    away = x * math.sin(yaw) + z * math.cos(yaw)
    height = y * math.cos(pitch) - away * math.sin(pitch)
    return view['width'] / 2 + view['scale'] * across, view['height'] / 2 - view['scale'] * height


# The cells that a sheet has for the clips of an item, drawn by the page from its own camera, as it stands at first but for its height.
# drawing/contact_sheet.cpp: cells of 130 pixels, 8 of them free (14 where bones are drawn), with the ground at 124; all poses have
# one scale, in which all fit, or half of that in which nine of ten do.
CELLS = r"""(async () => {
const player = reanima.page, CELL = 130, { stage } = player, { renderer, paper } = stage;
await player.show([{ item: %d }]);
player.play(false);
stage.camera.reset();
stage.camera.pitch = 0;
const { shown } = stage.slots[0], view = stage.viewOf(0), { right, up } = view;
if (shown.frames) {
  const count = Math.min(32, shown.frames.length);
  Object.assign(paper.canvas, { width: CELL, height: CELL });
  const cells = Array.from({ length: count }, (_, i) => {
    paper.drawVideo(shown, Math.floor(i * shown.frames.length / count), { left: 0, width: shown.width, height: shown.height });
    return btoa(String.fromCharCode(...paper.context.getImageData(0, 0, shown.width, shown.height).data));
  });
  stage.resize();
  return { width: shown.width, height: shown.height, cells };
}
const isDressed = stage.drawsMeshOf(shown), spare = isDressed ? 0 : 6;
const posesOf = (clip, count = Math.min(8, clip.frames)) =>
  Array.from({ length: count }, (_, i) => shown.poseAt(clip, count === 1 ? 0 : clip.duration * i / (count - 1)));
const rows = player.list.clipsOf(%d).map(({ name }) => posesOf(player.clipOf(shown, %d, name)).map((pose) => ({ pose, ...around(pose) })));
function around(pose) {
  const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
  const include = (place) => [dot(place, right), -dot(place, up)].forEach((value, k) => { low[k] = Math.min(low[k], value); high[k] = Math.max(high[k], value); });
  if (!isDressed) for (const joint of shown.joints) include(pose.world[joint].slice(12, 15));
  for (const { positions, joints, weights, skin, node, count } of shown.surfaces)
    for (let v = 0; v < count; ++v) {
      const place = [0, 0, 0];
      for (let i = 4 * v; i < 4 * v + (joints ? 4 : 1); ++i) {
        const m = joints ? pose.skins[skin][joints[i]] : pose.world[node];
        for (let k = 0; k < 3; ++k)
          place[k] += (joints ? weights[i] : 1) * (m[k] * positions[3 * v] + m[4 + k] * positions[3 * v + 1] + m[8 + k] * positions[3 * v + 2] + m[12 + k]);
      }
      include(place);
    }
  return { low, high };
}
function dot(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
const ROOM = CELL - 8 - spare;
const scales = rows.flat().map(({ low, high }) => Math.min(ROOM / Math.max(1e-9, high[0] - low[0]), ROOM / Math.max(1e-9, high[1] - low[1]))).sort((a, b) => a - b);
const scale = Math.max(scales[Math.floor(scales.length / 10)] / 2, scales[0]);
for (const canvas of [renderer.canvas, paper.canvas]) Object.assign(canvas, { width: CELL, height: CELL });
const cells = rows.map((row) => row.map(({ pose, low, high }) => {
  const height = CELL - 6 - spare;
  const x = CELL / 2 - (low[0] + high[0]) / 2 * scale;
  const y = spare + Math.min(height - Math.max(0, high[1] * scale), height) + Math.max(0, -low[1] * scale - height);
  const [across, over] = [(CELL / 2 - x) / scale, (y - CELL / 2) / scale];
  const target = right.map((value, k) => value * across + up[k] * over);
  const cell = { ...view, target, scale, left: 0, width: CELL, height: CELL, depth: 1000 / scale };
  renderer.clear();
  paper.clear();
  if (isDressed) renderer.draw(shown, pose, cell);
  else paper.drawBones(shown, pose, cell, 1);
  const canvas = Object.assign(document.createElement('canvas'), { width: CELL, height: CELL }), context = canvas.getContext('2d', { willReadFrequently: true });
  context.fillStyle = 'rgb(250, 250, 248)';
  context.fillRect(0, 0, CELL, CELL);
  context.drawImage(isDressed ? renderer.canvas : paper.canvas, 0, 0);
  return { isDressed, ground: y, pixels: btoa(String.fromCharCode(...context.getImageData(0, 0, CELL, CELL).data)) };
}));
stage.resize();
return { cells }; })()"""


def search_for(text):
    return '(() => { const s = document.querySelector(".search"); s.value = %s; s.dispatchEvent(new Event("input")); return %s; })()' % (json.dumps(text), ROWS)


@unittest.skipUnless(Chromium in installed(), 'Chromium is not installed')
class Player(Case):
    def page(self, *args, name='page.html'):
        self.check(run('preview', *args, '-o', self.path(name), '-q', '--force'), 0)
        return url_of(self.path(name))

    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix='reanima_', ignore_cleanup_errors=True)
        cls.open_browsers = {}

    @classmethod
    def tearDownClass(cls):
        for browser in cls.open_browsers.values():
            browser.close()
        cls.holder.cleanup()

    def browser(self, kind):
        """-> the browser of this kind, which all tests share"""
        if kind not in self.open_browsers:
            folder = os.path.join(self.holder.name, kind.__name__)
            os.makedirs(folder)
            self.open_browsers[kind] = kind(folder)
            self.open_browsers[kind].folder = folder
        browser = self.open_browsers[kind]
        browser.errors, browser.requests, browser.network.asked[:], browser.network.folder = [], [], [], os.devnull
        return browser

    def browsers(self):
        """All that are installed"""
        for kind in installed():
            browser = self.browser(kind)
            yield browser
            self.expect_silence(browser)

    def chromium(self):
        browser = self.browser(Chromium)
        self.addCleanup(self.expect_silence, browser)
        return browser

    def expect_silence(self, browser):
        """The console is empty, and only the page's own files were requested."""
        # Firefox asks every server for the page's icon, and reports that the page's policy forbids it.
        self.assertEqual([text for text in browser.errors if not ('favicon.ico' in text and browser.network.folder is not os.devnull)], [])
        own = url_of(self.path()), Network.SITE, 'blob:', 'about:'
        self.assertEqual([url for url in [*browser.requests, *browser.network.asked] if not url.startswith(own)], [])

    def start(self, browser, url):
        browser.open('about:blank')
        browser.open(url)
        browser.until('Boolean(window.reanima && reanima.page && reanima.page.places.length > 0)')
        browser.value('reanima.page.ready.then(() => true)')

    def shown(self, browser):
        return browser.value('reanima.page.places.map(({ item, clip }) => [reanima.page.items[item].name, clip])')

    def test_what_a_dropped_file_makes_plays(self):
        """`reanima FILE`, like dropping a file, opens its page on the desktop; the browser plays the animation"""
        os.makedirs(self.path('tmp'))
        os.chmod(write(self.path('bin/xdg-open'), '#!/bin/sh\nprintf "%s" "$1" > "$SHOWN"\n'), 0o755)
        env = dict(PATH=self.path('bin') + ':' + os.environ['PATH'], TMPDIR=self.path('tmp'), SHOWN=self.path('shown'), DISPLAY=':7')
        self.check(run(INPUTS[0], cwd=self.folder, env=env), 0)
        browser = self.chromium()
        self.start(browser, url_of(read(self.path('shown')).decode()))
        clips = browser.value('reanima.page.items.map((item) => item.clips.map((clip) => clip.name))')
        self.assertEqual(clips, [['hrda_000', 'hrda_001', 'hrda_002', 'hrda_004']])

    # ------------------------------------------------------------------ what is on the screen
    def test_where_the_joints_are(self):
        url = self.page(*INPUTS)
        scenes = {}
        for path in INPUTS[:3]:
            self.check(run('convert', path, '-q', '--force', '-o', self.path('x.glb')), 0)
            scenes[os.path.basename(path)] = Scene(read(self.path('x.glb')))
        walk = next(c for c in json.loads(read(os.path.join(DATA, 'samples', 'metroid_prime_expected.json')))['clips'] if c['name'] == 'hero_walk')
        for browser in self.browsers():
            self.start(browser, url)
            items = browser.value(MOMENTS)
            self.assertEqual([len(item['clips']) for item in items], [4, 3, 1, 1])
            self.assertEqual([re.match(r'frame (\d+) of 24', m['clock'])[1] for m in items[3]['clips'][0]['moments']], ['0', '8', '23'])
            self.assertEqual(items[2]['clips'][0]['marks'], len(walk['events']))
            for item in items:
                self.assertTrue(all(m['colours'] > 8 for clip in item['clips'] for m in clip['moments']), item['name'])
            for item in items[:3]:
                for i, clip in enumerate(item['clips']):
                    self.compare_joints(scenes[item['name']], i, clip)

    def compare_joints(self, scene, number, clip):
        channels = scene.animation(number)
        for moment in clip['moments']:
            at = scene.world(channels, moment['time'])
            for node in scene.g['skins'][0]['joints']:
                name = scene.nodes[node]['name']
                self.assertLess(math.dist(projected(at(name), moment), moment['joints'][name]), 0.1, (clip['name'], moment['time'], name))

    def test_the_figure_is_the_sheets(self):
        """Every pose that the command draws, of every sample: the covered pixels, and their colours."""
        paths = [sample(path) for path in samples()]
        p = run('preview', *paths, '-o', self.path('sheet.png'), '-q')
        if "this build can't draw sheets" in p.err:
            self.skipTest('built without the library that draws')
        self.assertEqual([line for line in p.err.splitlines() if not re.search(r': is an image\. |, which can only be converted with |: warning: ', line)], [])
        self.assertEqual(run('preview', *paths, '-o', self.path('page.html'), '-q').returncode, p.returncode)
        _, rows = from_png(read(self.path('sheet.png')))
        browser, top, compared = self.chromium(), 12, 0
        self.start(browser, url_of(self.path('page.html')))
        for item, name in enumerate(browser.value('reanima.page.items.map(({ path }) => path)')):
            top += 34
            found = browser.value(CELLS % (item, item, item))
            if 'width' in found:
                compared += self.compare_frames(found, rows, top, name)
                top += 131 * ((len(found['cells']) + 7) // 8)
                continue
            for clip, row in enumerate(found['cells']):
                for pose, cell in enumerate(row):
                    self.compare_figures(cell, rows, 190 + 130 * pose, top, (os.path.relpath(name, sample()), clip, pose))
                compared += len(row)
                top += 131
        self.assertEqual(top, len(rows))                                # nothing of the sheet is left out
        self.assertGreater(compared, 250)

    def compare_frames(self, found, rows, top, path):
        for i, cell in enumerate(found['cells']):
            data = base64.b64decode(cell)
            left, above = 190 + 131 * (i % 8), top + 131 * (i // 8)
            step = max(1, -(-found['width'] // 130), -(-found['height'] // 130))
            for y in range(0, found['height'], step):
                for x in range(0, found['width'], step):
                    at = 4 * (y * found['width'] + x)
                    self.assertEqual(tuple(data[at:at + 3]), rows[above + y // step][left + x // step], (path, i, x, y))
        return len(found['cells'])

    def compare_figures(self, cell, rows, left, top, where):
        data, paper = base64.b64decode(cell['pixels']), (250, 250, 248)
        ours = [tuple(data[k:k + 3]) for k in range(0, len(data), 4)]
        theirs = [rows[top + y][left + x] for y in range(130) for x in range(130)]
        # The sheet has a line at the ground, (215, 215, 210) where it covers pixels wholly.
        ground = range(130 * max(0, math.floor(cell['ground'] - 0.5)), 130 * min(130, math.floor(cell['ground'] + 0.5) + 1))
        theirs = [paper if i in ground and colour[0] == colour[1] >= 215 and 2 <= colour[0] - colour[2] <= 5 else colour for i, colour in enumerate(theirs)]
        # For lines and discs, the covered share of a pixel counts: cairo and the browser disagree about pixels that are
        # barely touched.
        def shares(pixels):
            inks = [max(map(abs, map(int.__sub__, colour, paper))) for colour in pixels]
            return [float(ink > 0) for ink in inks] if cell['isDressed'] else [min(1, ink / 155) for ink in inks]
        drawn, covered = shares(ours), shares(theirs)
        both = sum(map(min, drawn, covered))
        means = [sum(colour[k] * share for colour, share in zip(pixels, mask)) / sum(mask) for pixels, mask in ((ours, drawn), (theirs, covered)) for k in range(3)]
        found = both / max(sum(covered), sum(drawn)), max(abs(a - b) for a, b in zip(means[:3], means[3:]))
        self.assertGreaterEqual(found[0], 0.97, where)
        self.assertLessEqual(found[1], 8, where)

    # ------------------------------------------------------------------ lists
    def test_search(self):
        url = self.page(*INPUTS)
        for browser in self.browsers():
            self.start(browser, url)
            found = [browser.value(search_for(text)) for text in ('', 'walk', 'ANIM hero', 'id:1002', 'prime no', 'no clip is called like this')]
            everything, walks, words, numbered, nothing, none = found
            self.assertEqual(everything, [[PACK, None], *([PACK, 'hrda_00%d' % i] for i in (0, 1, 2, 4)), [DB, None], [WALKER, None], [VIDEO, None]])
            self.assertEqual(walks, [[WALKER, None], [WALKER, 'hero_walk']])
            self.assertEqual(words, [[DB, None]] + [[DB, 'anim_0100%d' % i] for i in (1, 2, 3)] + [[WALKER, None], [WALKER, 'hero_walk']])
            self.assertEqual((numbered, nothing, none), ([[DB, None], [DB, 'anim_01002']], [], []))
            browser.value(search_for('anim_01002'))
            browser.value('document.querySelector(".rows").lastChild.click()')
            browser.until('reanima.page.places[0].clip === "anim_01002"')
            self.assertEqual(browser.value(ROWS), [[DB, None], [DB, 'anim_01002']])

    def test_names_with_markup_are_text(self):
        name = '</script><img src=x onerror="document.title=1">'
        write(self.path('names.csv'), 'clip,0,"%s"\n' % name.replace('"', '""'))
        url = self.page(INPUTS[0], '--names', self.path('names.csv'))
        for browser in self.browsers():
            self.start(browser, url)
            self.assertEqual(browser.value('document.querySelectorAll("img").length + " " + document.title'), '0 page')
            self.assertEqual(browser.value('document.querySelector(".clip span:nth-child(2)").textContent'), name)
            self.assertEqual(self.shown(browser), [[PACK, name]])

    def test_most_clips_first_with_pictures(self):
        url = self.page(*reversed(INPUTS))
        browser = self.chromium()
        self.start(browser, url)
        names = browser.value('[...document.querySelectorAll(".who b")].map((name) => name.textContent)')
        self.assertEqual(names, [PACK, DB, VIDEO, WALKER])
        browser.until('''[...document.querySelectorAll(".who canvas")].every((canvas) =>
            canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value !== 0))''')

    # ------------------------------------------------------------------ screen readers
    def seen_by_readers(self, browser):
        """-> role, name and states of everything that a screen reader announces"""
        browser.ask('Accessibility.enable')
        found = []
        for node in browser.ask('Accessibility.getFullAXTree')['nodes']:
            if not node.get('ignored'):
                states = {p['name']: p['value'].get('value') for p in node.get('properties', [])}
                found.append((node['role']['value'], node.get('name', {}).get('value', ''), dict(states, value=node.get('value', {}).get('value'))))
        return found

    def test_screen_readers(self):
        url = self.page(*INPUTS)
        browser = self.chromium()
        self.start(browser, url + '#hrda/hrda_001&t=0.2')
        of = lambda *roles: [(name, states) for role, name, states in self.seen_by_readers(browser) if role in roles]     # noqa: E731
        names = lambda *roles: [name for name, _ in of(*roles)]     # noqa: E731
        self.assertEqual(names('button'), ['Play', 'One frame back', 'One frame forward', 'Loop', 'Bones', 'Compare', 'Save this character as .glb', 'Save this picture as .png', 'Keys'])
        self.assertEqual(names('listbox'), ['Characters and clips'])
        self.assertEqual(names('searchbox'), ['Search characters and clips'])
        self.assertEqual(names('combobox'), ['Speed'])
        self.assertEqual(names('image'), ['hrda, hrda_001'])
        self.assertEqual(names('complementary', 'region'), ['Characters and clips', 'Player'])
        self.assertEqual(names('slider'), ['Time'])
        self.assertEqual(browser.value('document.querySelector(".scrub").getAttribute("aria-valuetext")'), 'frame 3 of 17, 0.20 seconds')
        rows = of('option')
        rows = [row for row in rows if not re.fullmatch(r'[0-9.]+ x', row[0])]          # those of the speeds
        clips = ['%(name)s, %(frames)d frames' % clip for clip in raw_data(page_of(self.path('page.html')))['items'][0]['clips']]
        self.assertEqual([name for name, _ in rows], ['hrda, 4 clips', *clips, 'hero.ff9db, 3 clips', 'hero_walk.ANIM, 1 clip', 'wheel.rlf, 1 clip'])
        self.assertEqual([name for name, states in rows if states.get('selected')], [clips[1]])
        # Announcements: the shown clip and the effect of a key, but not the running time.
        spoken = lambda: [node for node in of('status') if node[1].get('live') == 'polite']     # noqa: E731
        self.assertEqual(len(spoken()), 1)
        self.assertEqual([states.get('live') for _, states in of('status')].count('polite'), 1)
        said = 'document.querySelector(".said").textContent'
        self.assertEqual(browser.value(said), 'hrda, hrda_001')
        for key, text in ((' ', 'Plays'), (' ', 'Paused'), ('l', 'Loop off'), ('+', 'Speed 2'), ('b', 'Bones'), (']', 'hrda, hrda_002'), ('c', 'hrda, hrda_002 beside hrda, hrda_002')):
            browser.press(key)
            browser.until('%s === %s' % (said, json.dumps(text)))
        browser.value(search_for('walk'))
        self.assertEqual(browser.value(said), '1 character, 1 clip')
        browser.value(search_for(''))
        pressed = {name: states['pressed'] for name, states in of('button') if 'pressed' in states}
        self.assertEqual(pressed, {'Loop': 'false', 'Bones': 'true', 'Compare': 'true'})
        browser.press(' ')
        browser.until('reanima.page.isPlaying')
        self.assertEqual(names('button')[0], 'Pause')
        self.assertEqual(names('image'), ['hrda, hrda_002 beside hrda, hrda_002'])
        browser.press('?')
        self.assertEqual(names('dialog'), ['Keys'])
        self.assertIn('Close', names('button'))
        browser.press('Escape')
        self.addCleanup(browser.resize, 1144, 862)
        browser.resize(390, 844, 2, mobile=True)
        menu = lambda: next(states['expanded'] for name, states in of('button') if name == 'List')      # noqa: E731
        browser.until('getComputedStyle(document.querySelector(".drawer")).visibility === "hidden"')
        self.assertEqual((menu(), names('listbox')), (False, []))                       # a drawer that is shut is not met
        browser.value('document.querySelector(".menu").click()')
        browser.until('document.activeElement.getAttribute("role") === "option"')
        self.assertEqual((menu(), names('listbox')), (True, ['Characters and clips']))
        browser.press('Escape')
        browser.until('document.activeElement.className === "menu"')
        # All controls have a name.
        for role, name, _ in self.seen_by_readers(browser):
            if role in ('button', 'slider', 'option', 'searchbox', 'combobox', 'listbox', 'image', 'dialog', 'checkbox', 'textbox', 'canvas', 'Canvas'):
                self.assertTrue(name, role)

    # ------------------------------------------------------------------ keyboard
    def test_thirty_keys(self):
        url = self.page(*INPUTS)
        state = '''(() => { const p = reanima.page; return { clip: p.places.map(({ clip }) => clip).join(), frame: Number(p.part(".clock").value.match(/\\d+/)[0]),
            isPlaying: p.isPlaying, isLooping: p.isLooping, speed: p.speed, bones: p.stage.showsBones, help: p.part(".keys").open,
            focus: document.activeElement.clip || document.activeElement.className,
            tabs: document.querySelectorAll(".rows [tabindex='0']").length }; })()'''
        steps = [(' ', 'isPlaying', False), ('Home', 'frame', 0), ('ArrowRight', 'frame', 1), ('ArrowRight', 'frame', 2), ('ArrowLeft', 'frame', 1),
                 ('ArrowLeft', 'frame', 0), ('ArrowLeft', 'frame', 23), ('ArrowRight', 'frame', 0), ('End', 'frame', 23), ('Home', 'frame', 0),
                 ('l', 'isLooping', False), ('l', 'isLooping', True), ('+', 'speed', 2), ('-', 'speed', 1), ('-', 'speed', 0.5), ('+', 'speed', 1),
                 ('b', 'bones', True), ('b', 'bones', False), (']', 'clip', 'hrda_001'), ('[', 'clip', 'hrda_000'), ('[', 'clip', 'hrda_004'),
                 ('?', 'help', True), ('Escape', 'help', False), ('/', 'focus', 'search'), ('ArrowDown', 'focus', 'who'), ('ArrowDown', 'clip', 'hrda_000'),
                 ('ArrowDown', 'clip', 'hrda_001'), ('End', 'focus', 'who'), ('ArrowUp', 'focus', 'who'), ('Home', 'focus', 'who'), ('ArrowDown', 'focus', 'hrda_000'),
                 ('c', 'clip', 'hrda_000,hrda_000'), ('ArrowDown', 'clip', 'hrda_000,hrda_001'), ('c', 'clip', 'hrda_001'), (' ', 'isPlaying', True)]
        self.assertGreaterEqual(len(steps), 30)
        for browser in self.browsers():
            self.start(browser, url)
            for i, (key, what, expected) in enumerate(steps):
                browser.press(key)
                end = time.monotonic() + 10
                while browser.value(state)[what] != expected and time.monotonic() < end:
                    time.sleep(0.05)
                found = browser.value(state)
                self.assertEqual((i, key, what, found[what]), (i, key, what, expected))
                self.assertEqual(found['tabs'], 1)

    # ------------------------------------------------------------------ links
    def test_links(self):
        names = 'clip,0,a/b & c=d%20 #e,hrda\nclip,1,läuft,hrda\n'
        write(self.path('names.csv'), names)
        url = self.page(*INPUTS, '--names', self.path('names.csv'))
        for browser in self.browsers():
            for link, expected, seconds in (('#hrda/hrda_002&t=0.4', [[PACK, 'hrda_002']], 0.4), ('#hero.ff9db/anim_01003', [[DB, 'anim_01003']], None),
                                            ('#hrda/hrda_004&t=0.2&with=hero_walk.ANIM/hero_walk', [[PACK, 'hrda_004'], [WALKER, 'hero_walk']], 0.2),
                                            ('#nobody/runs', [[PACK, 'a/b & c=d%20 #e']], None)):
                self.start(browser, url + link)
                self.assertEqual(self.shown(browser), expected)
                self.assertEqual(browser.value('reanima.page.isPlaying'), seconds is None)
                if seconds is not None:
                    self.assertAlmostEqual(browser.value('reanima.page.time'), seconds)
                    browser.until('location.hash === %s' % json.dumps(link))
            # The address that a page writes leads to the same view again.
            for step in ('reanima.page.show([{ item: 0, clip: "a/b & c=d%20 #e" }], 0.5).then(() => reanima.page.seek(0.5))',
                         'reanima.page.show([{ item: 0, clip: "läuft" }]).then(() => reanima.page.seek(0.25))'):
                browser.value(step)
                before = self.shown(browser)
                seconds = browser.value('reanima.page.time')
                browser.until('/&t=%g$/.test(location.hash)' % seconds)
                self.start(browser, browser.value('location.href'))
                self.assertEqual((self.shown(browser), browser.value('reanima.page.time')), (before, seconds))

    # ------------------------------------------------------------------ side by side, saving
    def test_two_clips_in_step(self):
        url = self.page(*INPUTS)
        for browser in self.browsers():
            self.start(browser, url + '#hrda/hrda_001&with=hero.ff9db/anim_01002')
            for share in (0, 0.3, 1):
                first, second, lengths, views = browser.value('''(() => { const p = reanima.page, [a, b] = p.stage.slots; p.seek(a.clip.duration * %g);
                    return [a.time, b.time, [a.clip.duration, b.clip.duration], [p.stage.viewOf(0), p.stage.viewOf(1)]]; })()''' % share)
                self.assertAlmostEqual(first / lengths[0], share)
                self.assertAlmostEqual(second / lengths[1], share)
            self.assertEqual((views[0]['scale'], views[0]['width'] * 2), (views[1]['scale'], views[1]['left'] + views[1]['width']))
            painted = browser.value('''(() => { const c = reanima.page.stage.picture(), d = c.getContext("2d"), w = c.width / 2;
                return [0, w + 2].map((x) => new Set(new Uint32Array(d.getImageData(x, 0, w - 2, c.height).data.buffer)).size); })()''')
            self.assertGreater(min(painted), 30)

    def test_saving(self):
        url = self.page(*INPUTS)
        glbs = [item['glb'] for item in data_of(page_of(self.path('page.html')))['items'][:3]]
        for browser in self.browsers():
            folder = browser.folder
            self.start(browser, url + '#hrda/hrda_001&t=0.1')
            browser.press('s', 'p')
            for name in ('hrda.glb', 'hrda_hrda_001.png'):
                end = time.monotonic() + 30
                while not os.path.exists(os.path.join(folder, name)) or glob.glob(os.path.join(folder, '*.part')) or not os.path.getsize(os.path.join(folder, name)):
                    self.assertLess(time.monotonic(), end, os.listdir(folder))
                    time.sleep(0.1)
            self.assertEqual(read(os.path.join(folder, 'hrda.glb')), glbs[0])
            size = browser.value('[reanima.page.stage.paper.canvas.width, reanima.page.stage.paper.canvas.height]')
            width, rows = from_png(read(os.path.join(folder, 'hrda_hrda_001.png')))
            self.assertEqual([width, len(rows)], size)
            self.assertGreater(len({pixel for row in rows for pixel in row}), 30)
            # Every character is saved bit by bit as the command wrote it.
            sums = browser.value('''Promise.all([0, 1, 2].map(async (i) => { const { glb } = await reanima.page.open(i);
                return glb.length + " " + glb.reduce((sum, byte) => (sum * 31 + byte) % 1000000007, 7); }))''')
            self.assertEqual(sums, ['%d %d' % (len(glb), self.sum_of(glb)) for glb in glbs])

    @staticmethod
    def sum_of(data):
        total = 7
        for byte in data:
            total = (total * 31 + byte) % 1000000007
        return total

    # ------------------------------------------------------------------ parts, phones, themes
    def test_parts_are_loaded_when_they_are_needed(self):
        url = self.page(*INPUTS, '--page-size', '0')
        for browser in self.browsers():
            self.start(browser, url + '#hero.ff9db/anim_01002')
            self.assertEqual(self.shown(browser), [[DB, 'anim_01002']])
            browser.value('reanima.page.show([{ item: 3 }])')
            self.assertEqual(self.shown(browser), [[VIDEO, VIDEO]])
        browser = self.browser(Chromium)                                # without its folder
        shutil.rmtree(self.path('page.parts'))
        browser.open('about:blank')
        browser.open(url)
        browser.until('Boolean(window.reanima && reanima.page && document.querySelector(".trouble").textContent)')
        self.assertEqual(browser.value('document.querySelector(".trouble").textContent'), 'hrda: part0.js of the folder page.parts is missing')

    def test_no_request_but_its_own_files(self):
        """All requests of a browser are recorded: pages from a server request only themselves and their parts, if any,
        once."""
        for words, parts in (((), []), (('--page-size', '0'), ['page.parts/part0.js'])):
            self.page(*INPUTS, *words)
            for browser in self.browsers():
                browser.network.folder = self.path()
                self.start(browser, Network.SITE + 'page.html#hrda/hrda_001')
                for item in range(4):
                    browser.value('reanima.page.show([{ item: %d }])' % item)
                browser.press('c', 'b', '?', 'Escape', '/')
                self.assertEqual(browser.network.asked, [Network.SITE + name for name in ['page.html', *parts]])

    def test_requests_are_noticed(self):
        """A page without a policy can request anything."""
        write(self.path('other.html'), '<!doctype html><script>fetch("http://elsewhere.test/a").catch(() => 0); fetch("http://localhost:8099/b").catch(() => 0);</script>'
              '<img src="http://page.test/c.png" onerror="window.isDone = true"><img src="https://elsewhere.test/d.png">')
        for kind in installed():
            browser = self.browser(kind)
            browser.network.folder = self.path()
            browser.open(Network.SITE + 'other.html')
            browser.until('Boolean(window.isDone)')
            end = time.monotonic() + 20
            expected = {'http://page.test/other.html', 'http://elsewhere.test/a', 'http://localhost:8099/b', 'http://page.test/c.png', 'elsewhere.test:443'}
            while not expected <= set(browser.network.asked) and time.monotonic() < end:
                time.sleep(0.1)
            self.assertEqual(expected - set(browser.network.asked), set())
            browser.open('about:blank')

    def test_a_phone(self):
        url = self.page(*INPUTS)
        browser = self.chromium()
        self.addCleanup(browser.resize, 1144, 862)
        browser.resize(390, 844, 3, mobile=True)
        self.start(browser, url)
        places = browser.value('''Object.fromEntries(["drawer", "stage", "scrub", "menu", "play", "more"].map((name) => {
            const { left, right, top, bottom } = document.querySelector("." + name).getBoundingClientRect(); return [name, { left, right, top, bottom }]; }))''')
        self.assertLessEqual(places['drawer']['right'], 0)
        self.assertEqual((places['stage']['left'], places['stage']['right']), (0, 390))
        self.assertGreater(places['scrub']['right'] - places['scrub']['left'], 200)
        self.assertLessEqual(places['play']['bottom'], places['menu']['top'])           # two rows
        self.assertLess(places['more']['bottom'] - places['stage']['bottom'], 110)
        self.assertEqual(browser.value('document.documentElement.scrollWidth'), 390)
        self.assertEqual(browser.value('reanima.page.stage.paper.canvas.width'), 780)       # at most two pixels for one
        browser.value('document.querySelector(".menu").click()')
        browser.until('document.querySelector(".drawer").getBoundingClientRect().left === 0')
        browser.value('[...document.querySelectorAll("li.clip")].pop().click()')
        browser.until('document.querySelector(".drawer").getBoundingClientRect().right <= 0')
        self.assertEqual(self.shown(browser), [[PACK, 'hrda_004']])

        def fingers(kind, *points):
            browser.ask('Input.dispatchTouchEvent', type=kind, touchPoints=[{'x': x, 'y': y, 'id': i} for i, (x, y) in enumerate(points)])
        fingers('touchStart', (150, 300), (250, 300))
        fingers('touchMove', (100, 300), (300, 300))
        fingers('touchEnd')
        self.assertAlmostEqual(browser.value('reanima.page.stage.camera.zoom'), 2, delta=0.01)
        yaw = browser.value('reanima.page.stage.camera.yaw')
        fingers('touchStart', (150, 300))
        fingers('touchMove', (200, 300))
        fingers('touchEnd')
        self.assertAlmostEqual(browser.value('reanima.page.stage.camera.yaw'), yaw - 0.5, delta=0.01)

    def test_drawn_on_change_alone(self):
        url = self.page(INPUTS[0])
        browser = self.chromium()
        self.start(browser, url + '#hrda/hrda_001&t=0.1')
        browser.value('(() => { const { stage } = reanima.page; window.drawn = 0; const draw = stage.draw; stage.draw = () => { ++drawn; draw.call(stage); }; })()')
        time.sleep(1)
        self.assertLessEqual(browser.value('drawn'), 1)                   # the picture in the list
        before = browser.value('drawn')
        browser.press('ArrowRight')
        browser.until('drawn === %d' % (before + 1))

    def test_without_webgl(self):
        """Bones are drawn without it."""
        url = self.page(INPUTS[0])
        browser = Chromium(self.path(), words=['--disable-3d-apis'])
        self.addCleanup(browser.close)
        self.start(browser, url + '#hrda/hrda_001&t=0.1')
        self.assertFalse(browser.value('reanima.page.stage.renderer.isReady'))
        blue = '(() => { const c = reanima.page.stage.picture(); return [...new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer)].filter((v) => v === 0xffbe692d).length; })()'
        self.assertGreater(browser.value(blue), 500)
        self.assertEqual(browser.errors, [])

    def test_in_another_page(self):
        """The player is a component: here a separate page passes it two files."""
        self.page(*INPUTS[:2])
        page = page_of(self.path('page.html'))
        script, style = (re.findall(r'(?s)<%s>(.*?)</%s>' % (name, name), page)[0] for name in ('script', 'style'))
        files = [base64.b64encode(item['glb']).decode() for item in data_of(page)['items']]
        write(self.path('player.js'), script)
        write(self.path('player.css'), style)
        write(self.path('own.html'), """<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="player.css"><h1>Mine</h1><div id="here" style="height: 30rem"></div>
            <script src="player.js"></script><script>const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
            window.player = reanima.player(document.getElementById('here'), { items: [{ name: 'Hero', glb: () => Promise.resolve(bytes('%s').buffer) },
            { name: 'Other', glb: bytes('%s') }] });</script>""" % tuple(files))
        for browser in self.browsers():
            browser.open(url_of(self.path('own.html')))
            browser.value('player.ready.then(() => true)')
            self.assertEqual(browser.value('player.places'), [{'item': 0, 'clip': 'hrda_000'}])
            browser.value('player.show([{ item: 1, clip: "anim_01002" }], 0.1).then(() => player.play(false))')
            self.assertEqual(browser.value('[player.places[0].clip, player.time, location.hash]'), ['anim_01002', 0.1, ''])

    # ------------------------------------------------------------------ rigs
    def painted(self, browser, red, green, blue):
        """The number of pixels of the first clip with these shares of a colour, in any light"""
        browser.value('reanima.page.seek(0)')
        return browser.value('''(() => { const c = reanima.page.stage.picture(), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
            let count = 0;
            for (let i = 0; i < d.length; i += 4)
              if (Math.max(d[i], d[i + 1], d[i + 2]) > 60 && [%d, %d, %d].every((value, k, all) => Math.abs(d[i + k] / (d[i] + d[i + 1] + d[i + 2]) - value / (all[0] + all[1] + all[2])) < 0.03)) ++count;
            return count; })()''' % (red, green, blue))

    def test_the_rigs_own_mesh(self):
        """The page contains the output of convert: the rig's file with its meshes, materials and images, and the new
        clips before its own."""
        self.check(run('convert', sample('ff7', 'hrda'), '-o', self.path('rig.glb'), '-q'), 0)
        for name in ('hrda', 'hraa'):
            shutil.copy(sample('ff7', name), self.path(name.replace('hr', 'zz')))
        url = self.page(sample('ff7', 'hrda'), self.path('zzda'), '-s', self.path('rig.glb'))
        page = page_of(self.path('page.html'))
        item, other = data_of(page)['items']
        scene, rig = Scene(item['glb']), Scene(read(self.path('rig.glb')))
        for name in ('meshes', 'materials', 'textures', 'samplers'):
            self.assertEqual(scene.g[name], rig.g[name])
        self.check(run('convert', sample('ff7', 'hrda'), '-s', self.path('rig.glb'), '--end-joints', '-q', '-o', self.path('kept.glb')), 0)
        kept = Scene(read(self.path('kept.glb')))
        for mark in ('key', 'hash'):                                    # of the files that it is made from, and of itself
            kept.g['scenes'][0]['extras']['reanima'].pop(mark)
            scene.g['scenes'][0]['extras']['reanima'].pop(mark)
        self.assertEqual((scene.g, scene.blob), (kept.g, kept.blob))
        self.assertEqual([clip['name'] for clip in item['clips']], [animation['name'] for animation in kept.g['animations'][:4]])
        self.assertEqual(len(item['clips']), 4)
        numbers = [{number for number, _ in each['glb'][1:]} for each in raw_data(page)['items']]
        self.assertGreater(len(numbers[0] & numbers[1]), 2)             # mesh and images are there once
        for browser in self.browsers():
            self.start(browser, url)
            self.assertEqual(self.shown(browser), [['hrda', item['clips'][0]['name']]])
            self.assertGreater(self.painted(browser, 52, 92, 158), 1000)        # samples/ff7/body.py: the shirt's blue
            self.assertEqual(browser.value('document.querySelectorAll("li.clip").length'), 4)
            browser.value('reanima.page.show([{ item: 1 }])')
            self.assertEqual(self.shown(browser), [['zzda', other['clips'][0]['name']]])
            self.assertGreater(self.painted(browser, 52, 92, 158), 1000)
        for words in (('--rig-mesh', 'omit'), ('--rig-scale', '1')):        # another file than the rig's: its form alone
            self.page(sample('ff7', 'hrda'), '-s', self.path('rig.glb'), *words)
            self.assertEqual(Scene(data_of(page_of(self.path('page.html')))['items'][0]['glb']).g['materials'][0]['name'], 'clay')

    def test_a_rig_of_another_program(self):
        """MD5, with a picture beside it"""
        path = rig_files_test.OwnFiles.md5(self, 2)
        write(path, read(path).replace(b'shader "skin"', b'shader "coat.png"'))
        colour = (200, 40, 120)
        write(self.path('coat.png'), png_of([[colour] * 8] * 8))
        p = run('preview', sample('ff7', 'hrda'), '-s', path, '-o', self.path('page.html'), '-q')
        if 'the module that reads other formats' in p.err:
            self.skipTest('built without Assimp')
        self.check(p, 0)
        for browser in self.browsers():
            self.start(browser, url_of(self.path('page.html')))
            self.assertGreater(self.painted(browser, *colour), 20)

    @staticmethod
    def without_key(data):
        """a .glb whose input key (digits, and the names that were looked for) and hash are empty, as on a page"""
        rest = parts(data)[1]
        return glb_around(re.sub(rb'("(?:key|hash)": ?)"(?:xxh3-)?[0-9a-f]+(?: [^"]*)?"', rb'\1""', data[20:-len(rest)]).rstrip(b' '), rest)

    def test_what_a_rig_may_have(self):
        """Compressed and sparse meshes are left out, also images that are elsewhere or of unknown kinds; the rest is
        shown."""
        self.check(run('convert', sample('ff7', 'hrda'), '-o', self.path('rig.glb'), '-q'), 0)
        gltf, chunk = parts(read(self.path('rig.glb')))
        surfaces = sum(len(mesh['primitives']) for mesh in gltf['meshes'])
        first = gltf['meshes'][0]['primitives'][0]
        places = Scene(read(self.path('rig.glb'))).accessor(first['attributes']['POSITION'])
        first['targets'] = [{'POSITION': first['attributes']['POSITION']}]                              # half of it is shown
        gltf['meshes'][0]['weights'] = [0.5]
        gltf['accessors'].append({'componentType': 5126, 'type': 'VEC3', 'count': 3})                 # zeros
        gltf['meshes'][0]['primitives'] += [dict(first, extensions={'KHR_draco_mesh_compression': {'bufferView': 0, 'attributes': {}}}),
                                            dict(first, attributes=dict(first['attributes'], POSITION=len(gltf['accessors']) - 1)), dict(first, mode=5)]
        gltf['images'] += [{'uri': 'elsewhere.png'}, {'bufferView': 0, 'mimeType': 'image/png'}]
        gltf['textures'] += [{'source': len(gltf['images']) - 2}, {'source': len(gltf['images']) - 1}, {}]
        for i in range(3):
            gltf['materials'].append({'pbrMetallicRoughness': {'baseColorFactor': [0, 0.5, 0, 1], 'baseColorTexture': {'index': len(gltf['textures']) - 1 - i}}})
            gltf['meshes'][0]['primitives'].append(dict(first, material=len(gltf['materials']) - 1))
        whole = {'bufferView': 0, 'componentType': 5126, 'type': 'VEC3', 'count': 3}
        gltf['accessors'] += [dict(whole, **wrong) for wrong in ({'count': 10 ** 12}, {'count': 1.5}, {'type': 5}, {'bufferView': 999}, {'byteOffset': 2 ** 40}, {'count': None})]
        gltf['bufferViews'] += [{'buffer': 0, 'byteOffset': 2 ** 31, 'byteLength': 12}, {'buffer': 0, 'byteOffset': -1, 'byteLength': 12}]
        gltf['accessors'] += [dict(whole, bufferView=len(gltf['bufferViews']) - 2), dict(whole, bufferView=len(gltf['bufferViews']) - 1)]
        gltf['animations'] = [{'name': 'odd', 'channels': [], 'samplers': [{'input': len(gltf['accessors']) - 1, 'output': len(gltf['accessors']) - 1}]}]
        write(self.path('odd.glb'), glb_around(gltf, chunk))
        url = self.page(sample('ff7', 'hrda'), '-s', self.path('odd.glb'))
        self.check(run('convert', sample('ff7', 'hrda'), '-s', self.path('odd.glb'), '--end-joints', '-q', '-o', self.path('kept.glb')), 0)
        kept = self.without_key(read(self.path('kept.glb')))
        for browser in self.browsers():
            self.start(browser, url)
            self.assertEqual(self.shown(browser), [['hrda', 'hrda_000']])
            self.assertEqual(browser.value('[reanima.page.stage.slots[0].shown.surfaces.length, document.querySelector(".trouble").textContent]'),
                             [surfaces + 3, ''])
            self.assertGreater(self.painted(browser, 52, 92, 158), 1000)
            for shown, place in zip(browser.value('[...reanima.page.stage.slots[0].shown.surfaces[0].positions.slice(0, 3)]'), places[0], strict=True):
                self.assertAlmostEqual(shown, 1.5 * place, 5)
            # The same file comes out again.
            total = browser.value('reanima.page.open(0).then(({ glb }) => glb.length + " " + glb.reduce((sum, byte) => (sum * 31 + byte) % 1000000007, 7))')
            self.assertEqual(total, '%d %d' % (len(kept), self.sum_of(kept)))


if __name__ == '__main__':
    unittest.main()
