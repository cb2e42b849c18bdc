#!/usr/bin/env python3
"""Contact sheets, and pages that play: what is on them, and where the joints are on the screen."""
import base64, collections, json, math, os, re, shutil, struct, subprocess, unittest, zlib

from support import Case, DATA, SOURCE, Scene, read, run, sample, write

INPUTS = [sample('ff7', 'hrda'), sample('ff9', 'hero.ff9db'), sample('metroid', 'hero_walk.ANIM'), sample('rlf', 'wheel.rlf')]

# Runs after the page's own script: what a clip's joints have for places on the screen, at three times.
ASK = r'''<script type="module">
const answer = { errors: window.errors, items: [] };
for (let i = 0; i < data.items.length; ++i) {
  show(i);
  state.isPlaying = false;
  await Promise.all((state.shown.images || []).map((image) => image.decode()));
  const item = { name: data.items[i].name, clips: [] };
  for (const clip of state.shown.clips) {
    showClip(clip);
    const moments = [];
    for (const share of [0, 0.37, 1]) {
      state.time = clip.duration * share;
      draw();
      const places = state.shown.joints ? state.shown.places(clip, state.time) : null;
      moments.push({ time: state.time, frame: frameNumber(),
                     joints: places && Object.fromEntries(state.shown.joints.map((j) => [state.shown.nodes[j].name, project(places[j])])),
                     painted: context.getImageData(0, 0, stage.width, stage.height).data.some((value) => value !== 0) });
    }
    item.clips.push({ name: clip.name, marks: element('events').children.length, moments,
                      camera: { ...camera, width: stage.width, height: stage.height } });
  }
  element('search').value = 'no clip is called like this';
  listClips();
  item.found = element('clips').children.length;
  answer.items.push(item);
}
document.body.dataset.answer = JSON.stringify(answer);
</script></body>'''
WATCH = '''<head><script>window.errors = []; addEventListener('error', (e) => errors.push(e.message)); console.error = console.warn = (...m) => errors.push(m.join(' '));</script>'''


def pixels_of(png):
    """-> width, height"""
    return struct.unpack_from('>2I', png, 16)


def colours(png):
    """-> how often which colour is in an RGB PNG of 8 bits, by the specification"""
    chunks, at = {}, 8
    while at < len(png):
        size, kind = struct.unpack_from('>I4s', png, at)
        chunks[kind] = chunks.get(kind, b'') + png[at + 8:at + 8 + size]
        at += 12 + size
    width, height, depth, kind = struct.unpack_from('>2I2B', chunks[b'IHDR'])
    assert (depth, kind) == (8, 2)
    step = 3
    data, above, counts = zlib.decompress(chunks[b'IDAT']), bytes(width * step), collections.Counter()
    for y in range(height):
        method, row = data[y * (1 + width * step)], bytearray(data[y * (1 + width * step) + 1:(y + 1) * (1 + width * step)])
        for i in range(len(row)):
            left = row[i - step] if i >= step else 0
            row[i] = row[i] + {0: 0, 1: left, 2: above[i]}[method] & 255
        above = row
        for x in range(width):
            counts[tuple(row[x * step:x * step + 3])] += 1
    return counts


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S).group(1))


def projected(place, camera):
    """The same view by hand: the camera turns by yaw about +Y, then by pitch; no perspective."""
    x, y, z = (p - t for p, t in zip(place, camera['target']))
    yaw, pitch = camera['yaw'], camera['pitch']
    across = x * math.cos(yaw) - z * math.sin(yaw)
    away = x * math.sin(yaw) + z * math.cos(yaw)
    height = y * math.cos(pitch) - away * math.sin(pitch)
    return camera['width'] / 2 + camera['scale'] * across, camera['height'] / 2 - camera['scale'] * height


class Preview(Case):
    def preview(self, *args):
        return run('preview', *args, cwd=self.folder)

    # ------------------------------------------------------------------ sheets
    def test_a_row_per_clip(self):
        p = self.preview(INPUTS[0], '-o', 'all.png', '--quiet')
        if 'preview: this build draws no sheets; -o PAGE.html works' in p.err:
            self.skipTest('built without the library that draws')
        self.check(p, 0)
        self.check(self.preview(INPUTS[0], '-o', 'one.png', '--clip', '2', '--quiet'), 0)
        (wide, all_high), (one_wide, one_high) = (pixels_of(read(self.path(n))) for n in ('all.png', 'one.png'))
        self.assertEqual(wide, one_wide)
        self.assertEqual(all_high - one_high, 3 * 131)                  # 4 clips, then 1
        self.check(self.preview(INPUTS[0], '-o', 'again.png', '--quiet'), 0)
        self.assertEqual(read(self.path('all.png')), read(self.path('again.png')))

    def test_meshes_are_shown(self):
        p = self.preview(INPUTS[0], '-o', 'dressed.png', '--clip', '2', '--quiet')
        if 'preview: this build draws no sheets; -o PAGE.html works' in p.err:
            self.skipTest('built without the library that draws')
        self.check(p, 0)
        self.check(self.preview(INPUTS[0], '-o', 'bones.png', '--clip', '2', '--no-mesh', '--quiet'), 0)
        # samples/ff7/body.py: how red and green, for blue, shirt and blade are painted, whatever the light
        def painted(name, red, green):
            return sum(count for (r, g, b), count in colours(read(self.path(name))).items()
                       if 60 < b < 210 and abs(r / b - red) < 0.05 and abs(g / b - green) < 0.05)
        shirt, steel = (52 / 158, 92 / 158), (176 / 200, 184 / 200)
        self.assertGreater(painted('dressed.png', *shirt), 8 * 100)     # in each of the poses
        self.assertGreater(painted('dressed.png', *steel), 8 * 20)
        self.assertGreater(painted('dressed.png', *steel), 4 * painted('bones.png', *steel))
        left = (45, 105, 190)                                           # the bones of that side
        self.assertGreater(colours(read(self.path('bones.png')))[left], 100)
        self.assertEqual(colours(read(self.path('dressed.png')))[left], 0)

    def test_too_many_rows(self):
        stream = bytes(6 + 3)
        one = struct.pack('<3I2HB', 1, 1, 16, 1, len(stream), 4) + stream + bytes(2)
        write(self.path('xxda'), struct.pack('<I', 300) + 300 * one)
        p = self.preview('xxda', '-o', 'x.png', '-q')
        if 'preview: this build draws no sheets; -o PAGE.html works' in p.err:
            self.skipTest('built without the library that draws')
        self.check(p, 4)
        self.assertIn('has 300 clips, a sheet has room for 243', p.err)
        self.assertEqual(self.files(), ['xxda'])

    # ------------------------------------------------------------------ pages
    def test_a_page_holds_what_convert_writes(self):
        p = self.check(self.preview(*INPUTS, '-o', 'page.html'), 0)
        self.assertTrue(p.err.endswith('wrote page.html: 3 characters, 8 clips, 1 video\n'), p.err)
        page = read(self.path('page.html')).decode()
        self.assertNotRegex(page.replace('http://www.w3.org', ''), r'https?://|<link|@import| src=')
        data = data_of(page)
        self.assertEqual([item['name'] for item in data['items']], ['hrda', 'hero.ff9db', 'hero_walk.ANIM', 'wheel.rlf'])
        for item, path in list(zip(data['items'], INPUTS))[:3]:
            self.check(run('convert', path, '--end-joints', '-q', '--force', '-o', self.path('x.glb')), 0)
            ours, theirs = Scene(base64.b64decode(item['glb'])), Scene(read(self.path('x.glb')))
            theirs.g['scenes'][0]['extras']['reanima'].pop('key')       # of the files that it is made from
            ours.g['scenes'][0]['extras']['reanima'].pop('key', None)
            self.assertEqual(ours.g, theirs.g)
            self.assertEqual(ours.blob, theirs.blob)
        self.assertEqual(data['items'][0]['sides']['weapon000'], 'weapon')
        video = data['items'][3]
        self.assertEqual((video['width'], video['height'], len(video['frames']), video['rate']), (72, 48, 24, [10000, 666]))

    def test_archives_and_folders_share_a_page(self):
        shown = lambda: [item['name'] for item in data_of(read(self.path('page.html')).decode())['items']]
        shutil.copytree(sample('archives'), self.path('in'))
        p = self.check(self.preview('in', '-o', 'page.html'), 0)
        self.assertTrue(p.err.endswith('wrote page.html: 5 characters, 13 clips\n'), p.err)
        self.assertEqual(shown(), ['300 2000', '300 2010', '301', 'battle.lgp:hrda', 'hero.pak:Hero.ANCS'])
        write(self.path('in', 'zzda'), bytes(4))                        # a pack without animations: the others are shown
        p = self.check(self.preview('in', '-o', 'page.html', '-q', '--force'), 1)
        self.assertIn('in/zzda: holds no animation that can be converted', p.err)
        self.assertEqual(len(shown()), 5)
        os.remove(self.path('in', 'zzda'))
        write(self.path('in', 'all.reanima.json'), json.dumps({'schema': 1, 'inputs': ['*']}))
        p = self.check(self.preview('in', '-o', 'page.html', '-q', '--force'), 1)
        self.assertIn('in/all.reanima.json: job files are for convert', p.err)
        os.mkdir(self.path('empty'))
        p = self.check(self.preview('empty', '-o', 'y.html'), 1)
        self.assertIn('empty: holds nothing to show', p.err)

    def test_names_cannot_end_the_script(self):
        write(self.path('names.csv'), 'clip,0,</script><script>alert(1)</script>\n')
        self.check(self.preview(INPUTS[0], '--names', 'names.csv', '-o', 'x.html', '-q'), 0)
        page = read(self.path('x.html')).decode()
        self.assertEqual(page.count('</script>'), 2)
        glb = base64.b64decode(data_of(page)['items'][0]['glb'])
        self.assertEqual(Scene(glb).g['animations'][0]['name'], '</script><script>alert(1)</script>')

    @unittest.skipIf(shutil.which('chromium') is None, 'Chromium is not installed')
    def test_joints_of_any_names_and_number(self):
        """Names are no members of objects; a chain needs no stack."""
        page = read(os.path.join(SOURCE, 'drawing', 'preview_page.html')).decode()
        character = page[page.index('class Character {'):page.index('function valueAt(')]
        script = self.path('ask.js')
        write(script, character + '''
const nodes = Array.from({ length: 100000 }, (_, i) => i < 99999 ? { name: 'constructor', children: [i + 1] } : { name: '__proto__' });
const json = Buffer.from(JSON.stringify({ nodes }));
const head = Buffer.alloc(20);
head.writeUInt32LE(json.length, 12);
const made = new Character({ name: 'x', sides: JSON.parse('{"__proto__": "left"}'), glb: Buffer.concat([head, json]).toString('base64') });
console.log(JSON.stringify([made.order.length, made.order.every((node, i) => node === i), made.sideOf(0), made.sideOf(99999)]));
''')
        done = subprocess.run(['node', script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        self.assertEqual(done.stdout.decode(), '[100000,true,"middle","left"]\n', done.stderr.decode()[-500:])

    def test_in_a_browser_without_network(self):
        self.check(self.preview(*INPUTS, '-o', 'page.html', '-q'), 0)
        page = read(self.path('page.html')).decode()
        write(self.path('asked.html'), page.replace('<head>', WATCH, 1).replace('</body>', ASK, 1))
        p = subprocess.run(['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--window-size=900,700', '--dump-dom',
                            '--user-data-dir=' + self.path('profile'), '--host-resolver-rules=MAP * ~NOTFOUND', '--virtual-time-budget=3000',
                            'file://' + self.path('asked.html')], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=240)
        found = re.search(r'data-answer="(.*?)"', p.stdout.decode(), re.S)
        self.assertTrue(found, p.stdout.decode()[-500:])
        answer = json.loads(found.group(1).replace('&quot;', '"').replace('&amp;', '&'))
        self.assertEqual(answer['errors'], [])
        self.assertEqual([len(item['clips']) for item in answer['items']], [4, 3, 1, 1])
        for item, path in zip(answer['items'], INPUTS):
            self.assertEqual(item['found'], 0)
            self.assertTrue(all(m['painted'] for clip in item['clips'] for m in clip['moments']), item['name'])
            if path.endswith('.rlf'):
                self.assertEqual([m['frame'] for m in item['clips'][0]['moments']], [0, 8, 23])
                continue
            self.check(run('convert', path, '-q', '--force', '-o', self.path('x.glb')), 0)
            scene = Scene(read(self.path('x.glb')))
            for i, clip in enumerate(item['clips']):
                channels = scene.animation(i)
                for moment in clip['moments']:
                    at = scene.world(channels, moment['time'])
                    for node in scene.g['skins'][0]['joints']:
                        name = scene.nodes[node]['name']
                        expected = projected(at(name), clip['camera'])
                        self.assertLess(math.dist(expected, moment['joints'][name]), 0.1, (item['name'], clip['name'], moment['time'], name))
        walk = next(c for c in json.loads(read(os.path.join(DATA, 'samples', 'metroid_prime_expected.json')))['clips'] if c['name'] == 'hero_walk')
        self.assertEqual(answer['items'][2]['clips'][0]['marks'], len(walk['events']))

    # ------------------------------------------------------------------ refusals
    def test_refusals(self):
        for args, message in (((INPUTS[0], '-o', 'x.jpg'), 'preview: -o must name SHEET.png or PAGE.html'),
                              (('-o', 'x.html'), 'preview: name at least one input')):
            p = self.preview(*args)
            self.check(p, 2)
            self.assertIn(message, p.err)
        write(self.path('x.html'), 'mine')
        self.check(self.preview(INPUTS[0], '-o', 'x.html'), 2)
        self.assertEqual(read(self.path('x.html')), b'mine')
        self.check(self.preview(sample('ff7', 'generate.py'), '-o', 'y.html'), 1)
        p = self.check(self.preview(sample('ff7', 'hrac'), '-o', 'y.html'), 1)
        if 'nothing to convert' not in p.err:
            self.assertIn('hrac: is a picture: `reanima convert` makes a .png of it', p.err)
        shutil.copy(INPUTS[0], self.path('loneda'))                     # without its skeleton
        p = self.preview('loneda', '-o', 'y.html', '--strict')
        self.check(p, 1)
        self.assertTrue(p.err.endswith('loneda: warnings count as errors\n'), p.err)
        os.remove(self.path('loneda'))
        self.assertEqual(self.files(), ['x.html'])


if __name__ == '__main__':
    unittest.main()
