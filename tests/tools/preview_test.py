#!/usr/bin/env python3
"""Contact sheets, and the content of pages with a player; player_test.py opens them in browsers."""
import hashlib, base64, json, os, re, shutil, struct, subprocess, unittest

import hostile
from pages import bytes_of, data_of, page_of, raw_data
from pictures import colours, from_png, size_of
from support import Case, SOURCE, Scene, read, run, sample, write

INPUTS = [sample('ff7', 'hrda'), sample('ff9', 'hero.ff9db'), sample('metroid', 'hero_walk.ANIM'), sample('rlf', 'wheel.rlf')]


class Preview(Case):
    def preview(self, *args):
        return run('preview', *args, cwd=self.folder)

    # ------------------------------------------------------------------ sheets
    def test_a_row_per_clip(self):
        self.drawn(self.preview(INPUTS[0], '-o', 'all.png', '--quiet'))
        self.check(self.preview(INPUTS[0], '-o', 'one.png', '--clip', '2', '--quiet'), 0)
        (wide, all_high), (one_wide, one_high) = (size_of(read(self.path(n))) for n in ('all.png', 'one.png'))
        self.assertEqual(wide, one_wide)
        self.assertEqual(all_high - one_high, 3 * 131)                  # 4 clips, then 1
        self.check(self.preview(INPUTS[0], '-o', 'again.png', '--quiet'), 0)
        self.assertEqual(read(self.path('all.png')), read(self.path('again.png')))

    def test_meshes_are_shown(self):
        self.drawn(self.preview(INPUTS[0], '-o', 'dressed.png', '--clip', '2', '--quiet'))
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
        p = self.drawn(self.preview('xxda', '-o', 'x.png', '-q'), 4)
        self.assertEqual(p.err, 'reanima: xxda: 300 clips of 1 character are too many, because a sheet has room for 243 (see --clip SEL)\n')
        shutil.copy(self.path('xxda'), self.path('yyda'))
        self.assertIn('reanima: xxda, yyda: 600 clips of 2 characters are too many, because a sheet has room for 243 (', self.preview('xxda', 'yyda', '-o', 'x.png', '-q').err)
        os.remove(self.path('yyda'))
        self.assertEqual(self.files(), ['xxda'])

    def test_too_many_triangles(self):
        for file, data in hostile.WORST['ff7-hrc-meshes']().items():
            write(self.path(file), data)
        p = self.drawn(self.preview('x.hrc', '-o', 'x.png', '-q'), 4)
        self.assertEqual(p.err, 'reanima: x.hrc: the triangles of the meshes exceed the limit of 2000000000 drawn samples (see --no-mesh)\n')
        self.assertEqual(self.files(), ['m.p', 'm.rsd', 'x.hrc'])
        self.check(self.preview('x.hrc', '-o', 'x.png', '-q', '--no-mesh'), 0)

    # ------------------------------------------------------------------ pages
    def test_a_page_holds_what_convert_writes(self):
        p = self.check(self.preview(*INPUTS, '-o', 'page.html'), 0)
        self.assertTrue(p.err.endswith('wrote page.html: 3 characters, 8 clips, 1 video\n'), p.err)
        page = read(self.path('page.html')).decode()
        self.assertNotRegex(re.sub(r'(?s)<script type="text/plain">.*?</script>', '', page), r'https?://|<link|@import| src=')
        data = data_of(page)
        self.assertEqual([item['name'] for item in data['items']], ['hrda', 'hero.ff9db', 'hero_walk.ANIM', 'wheel.rlf'])
        for item, path in list(zip(data['items'], INPUTS))[:3]:
            self.check(run('convert', path, '--end-joints', '-q', '--force', '-o', self.path('x.glb')), 0)
            ours, theirs = Scene(item['glb']), Scene(read(self.path('x.glb')))
            for mark in ('key', 'hash'):                                # of the files that it is made from, and of itself
                theirs.g['scenes'][0]['extras']['reanima'].pop(mark)
                ours.g['scenes'][0]['extras']['reanima'].pop(mark, None)
            self.assertEqual(ours.g, theirs.g)
            self.assertEqual(ours.blob, theirs.blob)
        self.assertEqual(data['items'][0]['sides']['weapon000'], 'weapon')
        video = data['items'][3]
        self.assertEqual((video['width'], video['height'], len(video['frames']), video['rate']), (72, 48, 24, [10000, 666]))
        self.assertEqual([from_png(page)[0] for page in video['pages']], [max(x for _, x, _ in video['frames']) + 73])

    def test_the_page_allows_nothing_but_itself(self):
        """The policy states the hashes of the only script and the only style; the same input gives the same bytes."""
        self.check(self.preview(INPUTS[0], '-o', 'page.html', '-q'), 0)
        page = read(self.path('page.html')).decode()
        style, = re.findall(r'(?s)<style>(.*?)</style>', page)
        script, = re.findall(r'(?s)<script>(.*?)</script>', page)
        hashes = ["'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)]
        self.assertIn('<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; script-src %s; style-src %s; '
                      'base-uri \'none\'; form-action \'none\'">' % tuple(hashes), page)
        self.check(self.preview(INPUTS[0], '-o', 'page.html', '-q', '--force'), 0)
        self.assertEqual(read(self.path('page.html')).decode(), page)

    def test_what_characters_share_is_there_once(self):
        for name in os.listdir(sample('ff7')):
            if name.startswith('hr'):
                for prefix in ('aa', 'bb'):
                    shutil.copy(sample('ff7', name), self.path(prefix + name[2:]))
        self.check(self.preview('aada', '-o', 'one.html', '-q'), 0)
        self.check(self.preview('aada', 'bbda', '-o', 'two.html', '-q'), 0)
        one, two = (page_of(self.path(name)) for name in ('one.html', 'two.html'))
        first, second = ([number for number, _ in item['glb'][1:]] for item in raw_data(two)['items'])
        self.assertEqual(first, second)                                 # but not their JSON, which has their names
        self.assertLess(len(two) - len(one), 0.2 * len(raw_data(one)['items'][0]['glb']) * 1000 + 6000)
        whole = sum(len(item['glb']) for item in data_of(one)['items'])
        stored = sum(len(text) for text in re.findall(r'(?s)<script type="text/plain">(.*?)</script>', one))
        self.assertLess(stored, 0.5 * whole)

    def test_a_large_page_has_parts(self):
        p = self.check(self.preview(*INPUTS, '-o', 'page.html', '--page-size', '0'), 0)
        self.assertTrue(p.err.endswith('wrote page.html: 3 characters, 8 clips, 1 video\n'), p.err)
        self.assertEqual(self.files(), ['page.html', 'page.parts/part0.js'])
        self.assertIn("' 'self' file:; style-src 'sha256-", page_of(self.path('page.html')))
        page, part = page_of(self.path('page.html')), page_of(self.path('page.parts', 'part0.js'))
        self.assertFalse('<script type="text/plain">' in page)
        blocks = [bytes_of(text) for text in re.findall(r'reanima\.take\(\d+, `([^`]*)`\);\n', part)]
        self.check(self.preview(*INPUTS, '-o', 'whole.html', '-q'), 0)
        whole = page_of(self.path('whole.html'))
        self.assertEqual(blocks, [bytes_of(text) for text in re.findall(r'(?s)<script type="text/plain">(.*?)</script>', whole)])
        data = raw_data(page)
        self.assertEqual((data.pop('folder'), data.pop('parts')), ('page.parts', [0] * len(blocks)))
        self.assertEqual(dict(data, title='whole'), raw_data(whole))
        self.check(self.preview(*INPUTS, '-o', 'page.html', '--page-size', '0', '-q', '--force'), 0)
        os.remove(self.path('page.html'))
        p = self.check(self.preview(*INPUTS, '-o', 'page.html', '--page-size', '0', '-q'), 2)
        self.assertIn('page.parts: exists and is not empty; --force writes into it', p.err)

    def test_archives_and_folders_share_a_page(self):
        shown = lambda: [item['name'] for item in data_of(read(self.path('page.html')).decode())['items']]
        shutil.copytree(sample('archives'), self.path('in'))
        p = self.check(self.preview('in', '-o', 'page.html'), 0)
        self.assertTrue(p.err.endswith('wrote page.html: 5 characters, 13 clips\n'), p.err)
        self.assertEqual(shown(), ['300 2000', '300 2010', '301', 'battle.lgp:hrda', 'hero.pak:Hero.ANCS'])
        write(self.path('in', 'zzda'), bytes(4))                        # a pack without animations: the others are shown
        p = self.check(self.preview('in', '-o', 'page.html', '-q', '--force'), 1)
        self.assertIn('in/zzda: contains no animation that can be converted', p.err)
        self.assertEqual(len(shown()), 5)
        os.remove(self.path('in', 'zzda'))
        os.mkdir(self.path('empty'))
        p = self.check(self.preview('empty', '-o', 'y.html'), 1)
        self.assertIn('empty: contains no game files to show', p.err)

    def test_job_files_are_inputs(self):
        for name in ('hrda', 'hraa'):
            shutil.copy(sample('ff7', name), self.path('in', name) if os.path.isdir(self.path('in')) else os.makedirs(self.path('in')) or self.path('in', name))
        jobs = [{'schema': 1, 'inputs': ['hrda'], 'options': {'no-mesh': True, 'clip': '1'}, 'output': 'one.glb'},
                {'schema': 1, 'inputs': ['hrda'], 'options': {'no-mesh': True, 'clip': ['2', '4']}, 'output': 'two.glb'}]
        write(self.path('in', 'hero.reanima.json'), json.dumps(jobs))
        clips = lambda: [[clip['name'] for clip in item['clips']] for item in data_of(read(self.path('page.html')).decode())['items']]
        self.check(self.preview(os.path.join('in', 'hero.reanima.json'), '-o', 'page.html'), 0)
        self.assertEqual(clips(), [['hrda_001'], ['hrda_002', 'hrda_004']])
        self.check(self.preview('in', '-o', 'page.html', '--force'), 0)         # a folder, where the job stands for its inputs
        self.assertEqual(clips(), [['hrda_001'], ['hrda_002', 'hrda_004']])
        self.check(self.preview('in', '-o', 'page.html', '--force', '--clip', '0'), 0)      # the command line counts
        self.assertEqual(clips(), [['hrda_000'], ['hrda_000']])
        self.assertEqual(sorted(os.listdir(self.path('in'))), ['hero.reanima.json', 'hraa', 'hrda'])
        write(self.path('in', 'bad.reanima.json'), '{"schema": 1, "inputs": ["nope"]}')
        self.assertIn('in/nope: can\'t be read', self.check(self.preview('in', '-o', 'page.html', '--force'), 1).err)
        self.assertEqual(len(clips()), 2)

    def test_inputs_are_those_of_convert(self):
        """Patterns; a note appears once; unreadable files are reported, and the others are shown"""
        for name in ('rtda', 'rsda'):
            shutil.copy(INPUTS[0], self.path(name))
            shutil.copy(sample('ff7', 'hraa'), self.path(name[:2] + 'aa'))
        p = self.check(self.preview('r?da', '-o', 'page.html'), 0)
        self.assertEqual(p.err.count('no meshes were found beside it'), 1)
        items = data_of(read(self.path('page.html')).decode())['items']
        self.assertEqual([(i['name'], i['path'], len(i['clips'])) for i in items], [('frog', 'rsda', 4), ('cloud', 'rtda', 4)])
        self.assertEqual(items[0]['clips'][3], {'name': 'rsda_004', 'index': 4, 'id': 4, 'frames': 16})
        p = self.check(self.preview('rtda', 'nowhere', '-o', 'page.html', '--force'), 1)
        self.assertIn('reanima: nowhere: ', p.err)
        self.assertEqual([i['name'] for i in data_of(read(self.path('page.html')).decode())['items']], ['cloud'])

    def test_progress_is_shown_on_a_terminal(self):
        shown = self.shown_on_terminal('preview', *INPUTS[:2], '-o', 'x.html').decode()
        self.assertRegex(shown, r'\rmaking the preview \[=*\s*\] \d/')

    def test_names_cannot_end_the_script(self):
        write(self.path('names.csv'), 'clip,0,</script><script>alert(1)</script>\n')
        self.check(self.preview(INPUTS[0], '--names', 'names.csv', '-o', 'x.html', '-q'), 0)
        page = read(self.path('x.html')).decode()
        self.assertNotIn('alert(1)</script>', page)
        self.assertEqual(page.count('</script>'), page.count('<script'))
        self.assertEqual(Scene(data_of(page)['items'][0]['glb']).g['animations'][0]['name'], '</script><script>alert(1)</script>')

    @unittest.skipIf(shutil.which('node') is None, 'Node.js is not installed')
    def test_joints_of_any_names_and_number(self):
        """Names are not looked up as object members; a long chain does not exhaust the stack."""
        character = ''.join(read(os.path.join(SOURCE, 'drawing', 'player', name)).decode() for name in ('vectors.js', 'packed.js', 'camera.js', 'character.js'))
        script = self.path('ask.js')
        write(script, character + '''
const nodes = Array.from({ length: 100000 }, (_, i) => i < 99999 ? { name: 'constructor', children: [i + 1] } : { name: '__proto__' });
const json = Buffer.from(JSON.stringify({ nodes }));
const head = Buffer.alloc(20);
head.writeUInt32LE(json.length, 12);
const made = new Character('x', new Uint8Array(Buffer.concat([head, json])), { sides: JSON.parse('{"__proto__": "left"}') });
console.log(JSON.stringify([made.order.length, made.order.every((node, i) => node === i), made.sideOf(0), made.sideOf(99999)]));
''')
        done = subprocess.run(['node', script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        self.assertEqual(done.stdout.decode(), '[100000,true,"middle","left"]\n', done.stderr.decode()[-500:])

    # ------------------------------------------------------------------ refusals
    def test_refusals(self):
        for args, message in (((INPUTS[0], '-o', 'x.jpg'), 'preview: -o must name SHEET.png or PAGE.html'),
                              (('-o', 'x.html'), 'preview: name at least one input; `reanima preview -h` shows how it is used')):
            p = self.preview(*args)
            self.check(p, 2)
            self.assertIn(message, p.err)
        write(self.path('x.html'), 'mine')
        self.check(self.preview(INPUTS[0], '-o', 'x.html'), 2)
        self.assertEqual(read(self.path('x.html')), b'mine')
        self.check(self.preview(sample('ff7', 'generate.py'), '-o', 'y.html'), 1)
        p = self.check(self.preview(sample('ff7', 'hrac'), '-o', 'y.html'), 1)
        if 'nothing to convert' not in p.err:
            self.assertIn('hrac: is an image. Use `reanima convert` to make a .png from it', p.err)
        shutil.copy(INPUTS[0], self.path('loneda'))                     # without its skeleton
        p = self.preview('loneda', '-o', 'y.html', '--strict')
        self.check(p, 1)
        self.assertTrue(p.err.endswith('loneda: warnings count as errors\n'), p.err)
        os.remove(self.path('loneda'))
        self.assertEqual(self.files(), ['x.html'])


if __name__ == '__main__':
    unittest.main()
