#!/usr/bin/env python3
"""Messages of the command, each provoked and compared whole. Those of decoders are compared in tests/importers."""
import json, unittest

from support import Case, read, run, sample, write

PACK, SKELETON, WALK = sample('ff7', 'hrda'), sample('ff7', 'hraa'), sample('metroid', 'hero_walk.ANIM')
CINF, VIDEO, PROPS = sample('metroid', 'hero.CINF'), sample('rlf', 'wheel.rlf'), sample('ff9', 'props.ff9db')
BLOCK, EVENTS = sample('ff9', 'hero_idle.ff9anim'), sample('metroid', 'hero_walk.EVNT')


class Messages(Case):
    def says(self, message, *words, status=2, cwd=None):
        """The whole of standard error, whose lines begin with the program's name"""
        p = run(*words, cwd=cwd or self.folder)
        self.assertEqual((p.returncode, p.err), (status, 'reanima: ' + message + '\n'), words)

    def test_usage(self):
        write(self.path('full/x'), 'x')
        write(self.path('file'), 'x')
        write(self.path('pictures/a.png'), 'x')
        for message, words in (
                ('convert: name at least one input', ['convert']),
                ('check: name at least one file or folder', ['check']),
                ('info: name at least one file', ['info']),
                ('--format ff8: there is no such format; `reanima formats` lists them', ['info', '--format', 'ff8', PACK]),
                ('--warn x=warn: expected CODE=ignore, warn or error with a code of `reanima formats --warnings`', ['info', '--warn', 'x=warn', PACK]),
                ('full: is a folder; -o FOLDER/ converts the files below it', ['convert', 'full']),
                ('-o x.txt: expected a name that ends in .glb or .gltf, a folder that ends in /, or -', ['convert', PACK, '-o', 'x.txt']),
                ('encode pictures: --format names the format to make of pictures', ['encode', 'pictures', '-o', 'x']),
                ('--format ff9-model: is not a format of pictures', ['encode', 'pictures', '--format', 'ff9-model', '-o', 'x']),
                ('-o -: png needs a folder', ['frames', VIDEO, '-o', '-']),
                ('file: is not a folder', ['frames', VIDEO, '-o', 'file']),
                ('full: exists and is not empty; --force writes into it', ['frames', VIDEO, '-o', 'full']),
                ('full: is a folder', ['dump', PACK, '-o', 'full']),
                ('%s: an output holds one model; --model chooses one of 2, -o FOLDER/ takes all: 2000 (3 joints, 2 clips, 0 triangles), '
                 '2010 (2 joints, 1 clip, 0 triangles)' % PROPS, ['convert', PROPS, '-o', 'x.glb']),
                ('--reduce: straight lines stand for the keys that it leaves out, which steps are not',
                 ['convert', PACK, '--interpolation', 'step', '--reduce', 1]),
                ('bind: -s names the rig', ['bind', PACK]),
                ('bind: -o names the mapping that --suggest writes', ['bind', PACK, '-s', CINF, '--suggest']),
                ('-o -: a picture goes beside the mapping; name a file', ['bind', PACK, '-s', CINF, '--suggest', '-o', '-']),
                ('%s: a mapping is for one model; --model chooses one of 2: 2000 (3 joints, 2 clips, 0 triangles), 2010 (2 joints, 1 clip, '
                 '0 triangles)' % PROPS, ['bind', PROPS, '-s', SKELETON, '--suggest', '-o', 'm.json']),
                ('--rest: the rig rests as its file says; --source-rest tells how the source stands then',
                 ['convert', PACK, '-s', CINF, '--rest', 'zero', '-o', 'x.glb']),
                ('wheel.rlf holds pictures: give it its own output', ['convert', VIDEO, PACK, '-q', '-o', 'x.glb'])):
            self.says(message, *words)

    def test_poses_and_names(self):
        for message, words in (
                ('--rest zero: pictures have no rest pose', ['convert', VIDEO, '--rest', 'zero']),
                ('--rest skeleton: this format stores no rest pose', ['convert', PACK, '--rest', 'skeleton']),
                ('--rest 0:99: hrda_000 has the frames 0 to 23', ['convert', PACK, '--rest', '0:99']),
                ('--rest 0:0: there is neither such a file nor a clip 0; there are no clips', ['convert', SKELETON, '--rest', '0:0']),
                ('--rest match: nothing is bound that could be matched', ['convert', PACK, '--rest', 'match']),
                ('--name {nothing}: is not a template (argument not found); it may hold {stem} {index} {index:03} {id} {name}',
                 ['convert', PACK, '--name', '{nothing}'])):
            self.says(message, *words, '-q', '-o', 'x.glb')

    def test_what_is_written_and_shown(self):
        self.assertEqual(run('convert', VIDEO, '-o', self.path('x.glb')).err,
                         'wrote %s: 24 pictures of 72 x 48 pixels, 15.015 per second; set Blender\'s frame rate to 15.015 before importing\n' % self.path('x.glb'))
        self.assertEqual(run('frames', VIDEO, '-o', self.path('x')).err, 'wrote %s: 24 pictures of 72 x 48 pixels, 15.015 per second\n' % self.path('x'))
        hall = sample('rlf', 'hallw.rlf')
        p = run('info', hall)
        self.assertEqual(p.stdout.decode(), '%s: ZVision run-length video\n8 pictures of 64 x 32 pixels (stored transposed), 20 per second (10000/500), 0.400 s\n' % hall)
        self.assertEqual(p.err, '%s: note: the fifth letter of its name is w, as panoramas have it: the pictures are transposed (see --transpose no)\n' % hall)
        p = run('convert', WALK, '--scale', 1000, '-o', self.path('big.glb'))
        self.assertEqual(p.err.splitlines()[0], '%s: warning: the rest pose is 1681 m high (see --scale)' % WALK)
        lines = run('info', PACK).stdout.decode().splitlines()
        self.assertRegex(lines[3], '^index  clip +frames  seconds +end to start  root travel$')
        self.check(run('dump', PACK, '-o', self.path('pack.json')), 0)
        p = run('encode', self.path('pack.json'), '-o', self.path('pack'))
        self.assertEqual(p.err, 'wrote %s: %d bytes, Final Fantasy VII (PC) battle animations\n' % (self.path('pack'), len(read(PACK))))

    def test_encoding_what_was_edited(self):
        def says(source, message, edit):
            value = json.loads(self.check(run('dump', source), 0).stdout)
            edit(value)
            write(self.path('edited.json'), json.dumps(value))
            p = run('encode', 'edited.json', '--force', '-o', 'x', cwd=self.folder)
            self.assertIn(message, [line.split('edited.json: ', 1)[-1] for line in p.err.splitlines()], p.err)
            return p
        def put(*path):
            *parents, last, value = path
            def edit(root):
                for key in parents:
                    root = root[key]
                root[last] = value
            return edit
        for source, message, edit in (
                (WALK, 'warning: looping: is left out: type 0 has no word for it', put('type', 0)),
                (EVENTS, 'events[0].name: is 7, expected an object', put('events', 0, 'name', 7)),
                (PACK, 'animations[0].missing: is 3, expected 0: only what ends the file can be cut', put('animations', 0, 'missing', 3)),
                (CINF, 'warning: joints: are others, or have other parents: links and build_order are rewritten', put('joints', 3, 'parent', 0)),
                (BLOCK, 'warning: bone_count: is 3, there are 26 bones', put('bone_count', 3))):
            with self.subTest(message):
                says(source, message, edit)

    def test_inputs(self):
        write(self.path('pictures/readme.txt'), 'x')
        write(self.path('names.csv'), 'clip,0\n')
        write(self.path('edited.json'), '{"schema": 1, "format": "ff9-container"}')
        for message, words, status in (
                ('%s: holds no pictures but Final Fantasy VII (PC) battle animations' % PACK, ['frames', PACK, '-o', 'x'], 1),
                ('pictures: holds no PNG', ['encode', 'pictures', '--format', 'rlf', '-o', 'x'], 1),
                ('%s: is Metroid Prime events of an animation: nothing to convert without an animation' % EVENTS, ['convert', EVENTS, '-o', 'x.glb'], 1),
                ('names.csv: line 1: is "clip,0", expected clip,INDEX,NAME or joint,INDEX,NAME[,ROLE]', ['convert', PACK, '--names', 'names.csv'], 1),
                ('%s: holds pictures: there are no joints' % VIDEO, ['bind', VIDEO, '-s', SKELETON, '--suggest', '-o', 'm.json'], 1),
                ('edited.json: format: is "ff9-container", which can\'t be written from JSON', ['encode', 'edited.json', '-o', 'x'], 1)):
            self.says(message, *words, status=status)


if __name__ == '__main__':
    unittest.main()
