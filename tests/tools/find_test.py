#!/usr/bin/env python3
"""`find` and `list -r`: the contents of files, folders and archives, and the commands that they propose."""
import json, os, shlex, shutil, sys, unittest

from ff9_links_test import ANIMATIONS, MODELS, image, whole
from support import SOURCE, Case, Scene, read, run, sample, write

sys.path.append(os.path.join(SOURCE, 'tests', 'data', 'conformance', 'archives'))
import writers                                    # by the description of the formats  # noqa: E402

PACK, PROPS = sample('ff7', 'hrda'), sample('ff9', 'props.ff9db')
LGP, IMG, PAK = (sample('archives', name) for name in ('battle.lgp', 'FF9.IMG', 'hero.pak'))


class Find(Case):
    def found(self, text, *places, status=0):
        p = self.check(run('find', text, *places, '--json', cwd=self.folder), status)
        value = json.loads(p.stdout)
        self.assertEqual(value['schema'], 1)
        return value['found']

    def test_what_is_said_of_a_clip(self):
        clip, = self.found('hrda_002', PACK)
        self.assertEqual({k: clip[k] for k in ('kind', 'file', 'format', 'model', 'name', 'index', 'id', 'joints', 'clips')},
                         {'kind': 'clip', 'file': PACK, 'format': 'ff7-battle-animation', 'model': None, 'name': 'hrda_002', 'index': 2, 'id': 2,
                          'joints': 22, 'clips': 4})
        info = json.loads(run('info', PACK, '--json').stdout)[0]['clips'][2]
        self.assertEqual((clip['frames'], clip['seconds']), (info['frames'], info['seconds']))
        p = self.check(run('find', 'hrda_002', PACK), 0)
        self.assertEqual(p.stdout.decode(), '%s: clip 2, id 2, %d frames, %.2f s, of %s\n    reanima convert %s --clip 2\n'
                         % ('hrda_002', info['frames'], info['seconds'], PACK, PACK))
        self.assertEqual(p.err, '1 clip found\n')
        p = self.check(run('find', 'hrda', PACK), 0, '1 character, 4 clips found\n')

    def test_videos_are_counted_and_shown_as_what_they_are(self):
        p = self.check(run('find', 'wheel', sample('rlf')), 0, '1 video found\n')
        self.assertEqual(p.stdout.decode().splitlines()[1], '    reanima frames ' + sample('rlf', 'wheel.rlf'))

    def test_what_was_meant_is_asked_where_nothing_is_found(self):
        for text, meant in (('hrdda', 'hrda'), ('hrda hrda_0003', 'hrda_000'), ('zzzz', None)):
            self.check(run('find', text, LGP), 1, f'nothing found; did you mean {meant}?\n' if meant else
                       f'nothing found; clips are called hrda; `reanima list -r {LGP}` shows what is there\n')
        self.check(run('find', 'zzzz', cwd=self.folder), 1, 'nothing found; `reanima list -r .` shows what is there\n')

    def test_words_must_all_fit(self):
        kinds = lambda text, *places: [(f['kind'], f['name'], f['model']) for f in self.found(text, *places)]
        self.assertEqual(kinds('HRDA', PACK), [('character', None, None)] + [('clip', 'hrda_00%d' % i, None) for i in (0, 1, 2, 4)])
        self.assertEqual(kinds('kind:character', PROPS), [('character', None, 2000), ('character', None, 2010)])
        self.assertEqual(kinds('id:2011', PROPS), [('clip', 'anim_02011', 2010)])
        self.assertEqual(kinds('id:2010', PROPS), [('character', None, 2010)])
        self.assertEqual(kinds('2000 anim_*', PROPS), [('clip', 'anim_02002', 2000), ('clip', 'anim_02001', 2000)])
        self.assertEqual(kinds('joints:2', PROPS), [('character', None, 2010)])
        self.assertEqual(kinds('kind:clip joints:3-4', PROPS), [('clip', 'anim_02002', 2000), ('clip', 'anim_02001', 2000)])
        self.assertEqual(kinds('seconds:0.2-1', PROPS), [('clip', 'anim_02011', 2010)])       # 9 frames, 30 per second
        self.assertEqual(kinds('kind:video', sample('rlf')), [('video', None, None)] * len(kinds('kind:video', sample('rlf'))))
        for word, message in (('seconds:x', 'seconds:x: expected a number, or a range A-B'), ('kind:clop', 'kind:clop: expected kind:character, kind:clip or kind:video')):
            self.check(run('find', word, PROPS), 2, 'reanima: %s\n' % message)

    def test_a_pattern_is_for_the_last_part_of_a_path_too(self):
        for pattern in ('hrd?', '*/hrd?', '*hrd?'):
            self.assertEqual([f['kind'] for f in self.found(pattern, PACK)], ['character'], pattern)
        self.assertEqual([f['kind'] for f in self.found('hrd', PACK)], ['character'] + 4 * ['clip'])
        self.check(run('find', 'r?', PACK), 1)

    def test_places(self):
        files = lambda text, *places, **more: sorted({os.path.relpath(f['file'], sample()) for f in self.found(text, *places, **more)})
        self.assertEqual(files('kind:character', sample('archives')),
                         ['archives/FF9.IMG:10/300', 'archives/FF9.IMG:10/301', 'archives/battle.lgp:hrda', 'archives/hero.pak:Hero.ANCS'])
        self.assertEqual(files('kind:character', IMG + ':10/300', LGP), ['archives/FF9.IMG:10/300', 'archives/battle.lgp:hrda'])
        shutil.copy(PACK, self.path('rtda'))
        self.assertEqual([f['file'] for f in self.found('rtda_000')], ['rtda'])                  # the current folder
        self.assertEqual(self.found('nothing is called like this', status=1), [])
        write(self.path('zz.lgp'), read(LGP)[:1000])
        p = self.check(run('find', 'rtda_000', cwd=self.folder), 1)
        self.assertIn('reanima: zz.lgp: ', p.err)
        self.assertIn('rtda_000: clip 0', p.stdout.decode())

    def test_what_to_type_next(self):
        """Each command converts exactly the clip or character that was found"""
        shutil.copy(PROPS, self.path('a b.ff9db'))
        for text, places in (('kind:clip', [self.path('a b.ff9db'), PACK, IMG]), ('kind:character', [PAK, PROPS])):
            for found in self.found(text, *places):
                words = shlex.split(found['command'])
                self.assertEqual(words[:2], ['reanima', 'convert'])
                self.check(run(*words[1:], '-o', self.path('x.glb'), '--force', '-q'), 0)
                names = [a['name'] for a in Scene(read(self.path('x.glb'))).g['animations']]
                if found['kind'] == 'clip':
                    self.assertEqual(names, [found['name']])
                else:
                    self.assertEqual(len(names), found['clips'])

    def test_commands_for_names_like_options(self):
        for name, data in (('hrda', PACK), ('hraa', sample('ff7', 'hraa')), ('wheel.rlf', sample('rlf', 'wheel.rlf'))):
            write(self.path('-lead', name), read(data))
        commands = [f['command'] for f in json.loads(self.check(run('find', 'kind:character', '--json', cwd=self.folder), 0).stdout)['found']]
        self.assertEqual(commands, ['reanima convert ./-lead/hrda'])
        self.check(run(*commands[0].split()[1:], '-q', cwd=self.folder), 0)
        self.assertIn('    reanima frames ./-lead/wheel.rlf\n', self.check(run('find', 'kind:video', cwd=self.folder), 0).stdout.decode())
        self.assertIn('`reanima list -r ./-lead` also shows', self.check(run('list', '--', '-lead', cwd=self.folder), 0).err)

    def test_entries_are_extracted_by_pattern(self):
        self.check(run('extract', PAK, '*.anim', '0x5EED0003', '-o', self.path('out')), 0)
        self.assertEqual(len([n for n in self.files() if n.endswith('.ANIM')]), 4)
        self.assertEqual(len(self.files()), 5)
        p = self.check(run('extract', IMG, '10/*', '11/*', '-o', self.path('img')), 1)
        self.assertEqual(p.err, "reanima: %s: contains no entry '11/*'; it contains 10/300, 10/301\nwrote 2 of 2 files to %s\n" % (IMG, self.path('img')))

    # ------------------------------------------------------------------ list -r
    def inside(self, place):
        value = json.loads(self.check(run('list', '-r', '--json', place), 0).stdout)
        self.assertEqual(value['schema'], 1)
        return {e['name'][len(place) + 1:]: e for e in value['entries']}

    def test_the_inside_of_archives(self):
        entries = self.inside(IMG)
        props = entries['10/300']
        self.assertEqual((props['format'], props['archive']), ('ff9-container', 'ff9-db'))
        self.assertEqual([(c['model'], c['joints'], [k['id'] for k in c['clips']]) for c in props['characters']],
                         [(2000, 3, [2002, 2001]), (2010, 2, [2011])])
        self.assertEqual(entries['10/300:02/2000.ff9model']['format'], 'ff9-model')
        self.assertEqual(entries['10/300:03/2011.ff9anim']['characters'], [])
        self.assertEqual(self.inside(LGP)['hrda']['characters'][0]['joints'], 22)
        text = self.check(run('list', '-r', IMG, '-v'), 0).stdout.decode()
        self.assertIn('FF9.IMG:10/300  Final Fantasy IX ', text)
        self.assertIn('model 2000: 3 joints, 2 clips\n', text)

    def test_the_inside_of_folders_and_containers(self):
        entries = self.inside(sample('archives'))
        self.assertIn('FF9.IMG:10/300:02/2000.ff9model', entries)
        self.assertEqual(entries['hero.pak']['archive'], 'metroid-pak')
        value = json.loads(self.check(run('list', '-r', '--json', PROPS), 0).stdout)
        self.assertEqual((value['entries'][0]['name'], len(value['entries'][0]['characters'])), (PROPS, 2))
        self.assertIn(PROPS + ':02/2000.ff9model', [e['name'] for e in value['entries']])

    @unittest.skipIf(os.name == 'nt', 'names on Windows are Unicode')
    def test_names_that_are_not_utf_8(self):
        write(os.path.join(os.fsencode(self.folder), b'v\xe9.rlf'), read(sample('rlf', 'wheel.rlf')))
        for words in (('list', '-r'), ('list',)):
            value = json.loads(self.check(run(*words, '--json', '.', cwd=self.folder), 0).stdout)
            self.assertIn('v\ufffd.rlf', value['entries'][0]['name'])


class Agree(Case):
    """All commands agree about the characters of an archive and their numbers of clips."""
    def counts(self, archive, path_of=lambda found: found['file']):
        """-> {verb: {file and model: number of clips}}"""
        data = lambda *args: json.loads(self.check(run(*args, '--json'), 0).stdout)           # noqa: E731
        key = lambda file, model: (file[len(archive) + 1:], '' if model is None else str(model))                 # noqa: E731
        found = data('find', 'kind:character', archive)['found']
        listed = [(e, c) for e in data('list', '-r', archive)['entries'] for c in e['characters'] if c['joints']]
        shutil.rmtree(self.path('out'), ignore_errors=True)
        self.check(run('convert', archive, '-q', '-o', self.path('out/'), '--report', self.path('report.json')), 0)
        made = [line for line in map(json.loads, read(self.path('report.json')).decode().splitlines()) if line.get('output')]
        return {'find': {key(f['file'], f['model']): f['clips'] for f in found},
                'list': {key(e['name'], c['model']): len(c['clips']) for e, c in listed},
                'convert': made}

    def check_that_all_agree(self, archive, expected):
        """expected: the numbers of clips of its characters, in any order"""
        counts = self.counts(archive)
        self.assertEqual(sorted(counts['find'].values()), sorted(expected))
        self.assertEqual({k: v for k, v in counts['list'].items() if k in counts['find']}, counts['find'])
        outputs = sorted(os.path.join(root, name) for root, _, names in os.walk(self.path('out')) for name in names if name.endswith('.glb'))
        self.assertEqual(sorted(len(Scene(read(o)).g.get('animations', ())) for o in outputs), sorted(expected))
        page = self.path('page.html')
        p = self.check(run('preview', archive, '-o', page, '--force'), 0)
        self.assertIn('%d character%s, %d clip%s\n' % (len(expected), 's'[:len(expected) != 1], sum(expected), 's'[:sum(expected) != 1]), p.err)
        return counts

    def test_samples(self):
        self.check_that_all_agree(IMG, [2, 1, 3])
        self.check_that_all_agree(LGP, [4])

    def test_field_characters(self):
        """`aaaa.hrc` is Cloud's; by the table three of the animations are his, and one has no owner"""
        file = lambda name: read(sample('ff7', name))                                         # noqa: E731
        parts = {n: file(n) for n in os.listdir(sample('ff7')) if n.endswith(('.rsd', '.p', '.tex'))}
        files = {'aaaa.hrc': file('doll.hrc'), 'acfe.a': file('doll_idle.a'), 'aafe.a': file('doll_walk.a'), 'caed.a': file('doll_idle.a'),
                 'zzzz.a': file('doll_idle.a'), **parts}
        lgp = write(self.path('char.lgp'), writers.lgp([(n, '', data) for n, data in files.items()])[0])
        counts = self.check_that_all_agree(lgp, [3])
        self.assertEqual(counts['find'], {('aaaa.hrc', ''): 3})
        text = self.check(run('find', 'cloud', 'char.lgp', cwd=self.folder), 0, '1 character found\n').stdout.decode()
        self.assertEqual(text, 'char.lgp:aaaa.hrc (Cloud): Final Fantasy VII (PC) field skeleton, 21 joints, 3 clips\n'
                               '    reanima convert char.lgp:aaaa.hrc\n')
        self.check(run('find', 'zzqq', 'char.lgp', cwd=self.folder), 1,
                   'nothing found; characters are called Cloud; clips are called stand, aafe, caed, zzzz; `reanima list -r char.lgp` shows what is there\n')
        for found in json.loads(run('find', 'kind:clip', lgp, '--json').stdout)['found']:
            self.check(run(*shlex.split(found['command'])[1:], '-q', '--force', '-o', self.path('one.glb')), 0)
            self.assertEqual([a['name'] for a in Scene(read(self.path('one.glb'))).g['animations']], [found['name']])
        self.assertRegex(run('list', lgp).stdout.decode(), r'  aaaa\.hrc +cloud\n')
        self.check(run('convert', lgp + ':cloud', '-q', '-o', self.path('cloud.glb')), 0)
        self.assertEqual(len(Scene(read(self.path('cloud.glb'))).g['animations']), 3)
        self.assertIn("contains no entry 'clod'; did you mean 'cloud'?", self.check(run('info', lgp + ':clod'), 1).err)

    def test_an_image_of_many_models(self):
        """Every model of the tables is in one file, its first animations are in another, and the entries of animations
        are no characters."""
        models = {}
        for code, model in MODELS.items():
            own = [number for name, number in ANIMATIONS.items() if name.startswith(code + '_')]
            if own and model not in models:
                models[model] = own[:2]
        models = dict(sorted(models.items())[:900 if os.environ.get('REANIMA_LONG') else 60])
        files = []
        for first in range(0, len(models), 15):
            some = list(models)[first:first + 15]
            files.append((100 + first, whole(some, [])))
            files.append((2000 + first, whole([], sorted({a for m in some for a in models[m]}))))
        img = write(self.path('FF9.IMG'), image(files))
        counts = self.counts(img)
        self.assertEqual(len(counts['find']), len(models))
        self.assertEqual({k: v for k, v in counts['list'].items() if k in counts['find']}, counts['find'])
        wanted = {str(m): set(own) for m, own in models.items()}
        got = {}
        for root, _, names in os.walk(self.path('out')):
            for name in names:
                scene = Scene(read(os.path.join(root, name))).g
                extras = scene['scenes'][0]['extras']['reanima']
                got[str(extras['character']['model'])] = {a['extras']['id'] for a in scene.get('animations', ())}
        for model, own in wanted.items():
            self.assertLessEqual(own, got[model], model)
        self.assertEqual({model: len(ids) for model, ids in got.items() if model in wanted}, {k[1]: v for k, v in counts['find'].items()})


if __name__ == '__main__':
    unittest.main()
