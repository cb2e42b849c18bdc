#!/usr/bin/env python3
"""Messages of the command, each provoked and compared whole. Those of decoders are compared in tests/importers."""
import json, os, pty, struct, subprocess, tempfile, unittest

from pictures import png_of
from support import Case, TOOL, conformance, read, run, sample, write

PACK, SKELETON, WALK = sample('ff7', 'hrda'), sample('ff7', 'hraa'), sample('metroid', 'hero_walk.ANIM')
LGP = sample('archives', 'battle.lgp')
CINF, VIDEO, PROPS = sample('metroid', 'hero.CINF'), sample('rlf', 'wheel.rlf'), sample('ff9', 'props.ff9db')
MODEL = sample('ff9', 'hero.ff9model')
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
                ('convert: name at least one input; `reanima convert -h` shows how it is used', ['convert']),
                ('check: name at least one file, folder or archive; `reanima check -h` shows how it is used', ['check']),
                ('info: name at least one file; `reanima info -h` shows how it is used', ['info']),
                ('--format ff8: there is no such format; `reanima formats` lists them', ['info', '--format', 'ff8', PACK]),
                ('--warn x=warn: expected CODE=ignore, warn or error with a code of `reanima formats --warnings`', ['info', '--warn', 'x=warn', PACK]),
                ('full: is a folder; -o FOLDER/ converts the files below it', ['convert', 'full']),
                ('-o x.txt: expected a name that ends in .glb, .gltf, .bvh, .vrma or .anim, a folder that ends in /, or -', ['convert', PACK, '-o', 'x.txt']),
                ('encode pictures: name the format to make of the pictures with --format', ['encode', 'pictures', '-o', 'x']),
                ('--format ff9-model: is not a format of pictures', ['encode', 'pictures', '--format', 'ff9-model', '-o', 'x']),
                ('-o -: png needs a folder', ['frames', VIDEO, '-o', '-']),
                ('file: is not a folder', ['frames', VIDEO, '-o', 'file']),
                ('full: exists and is not empty; --force writes into it', ['frames', VIDEO, '-o', 'full']),
                ('full: is a folder, expected a file', ['dump', PACK, '-o', 'full']),
                ('new/: is a folder, expected a file', ['pack', PACK, '--into', LGP, '-o', 'new/']),
                ('-o -: a .gltf has further files; --as glb makes one', ['convert', PACK, '--as', 'gltf', '-o', '-']),
                ('%s: an output holds one model; --model chooses one of 2, -o FOLDER/ takes all: 2000 (3 joints, 2 clips, 0 triangles), '
                 '2010 (2 joints, 1 clip, 0 triangles)' % PROPS, ['convert', PROPS, '-o', 'x.glb']),
                ('--reduce: needs linear interpolation: the keys that it leaves out lie on straight lines',
                 ['convert', PACK, '--interpolation', 'step', '--reduce', 1]),
                ('bind: name the rig with -s', ['bind', PACK]),
                ('bind: --suggest needs -o MAP.json', ['bind', PACK, '-s', CINF, '--suggest']),
                ('-o -: a picture goes beside the mapping; name a file', ['bind', PACK, '-s', CINF, '--suggest', '-o', '-']),
                ('%s: a mapping is for one model; --model chooses one of 2: 2000 (3 joints, 2 clips, 0 triangles), 2010 (2 joints, 1 clip, '
                 '0 triangles)' % PROPS, ['bind', PROPS, '-s', SKELETON, '--suggest', '-o', 'm.json']),
                ("--rest: the rig's rest pose is the one in its file; --source-rest sets the source's pose that corresponds to it",
                 ['convert', PACK, '-s', CINF, '--rest', 'zero', '-o', 'x.glb']),
                ('wheel.rlf holds pictures: give it its own output', ['convert', VIDEO, PACK, '-q', '-o', 'x.glb'])):
            self.says(message, *words)
        self.check(run('convert', SKELETON, '--proxy-mesh', '-q', '-o', self.path('rig.glb')), 0)
        self.says("%s: has no joints: it can't be bound to a skeleton" % VIDEO, 'convert', VIDEO, '-s', 'rig.glb', '-q', '-o', 'x.glb', status=1)

    def test_poses_and_names(self):
        for message, words in (
                ('--rest zero: what has no joints has no rest pose', ['convert', VIDEO, '--rest', 'zero']),
                ('--rest skeleton: this format stores no rest pose', ['convert', PACK, '--rest', 'skeleton']),
                ('--rest 0:99: hrda_000 has the frames 0 to 23', ['convert', PACK, '--rest', '0:99']),
                ('--rest 0:0: there is neither such a file nor a clip 0; there are no clips', ['convert', SKELETON, '--rest', '0:0']),
                ('--rest match: nothing is bound that could be matched', ['convert', PACK, '--rest', 'match']),
                ('--rest %s: there is no animation in it; expected zero, skeleton, CLIP:FRAME or FILE[:CLIP:FRAME]' % SKELETON,
                 ['convert', PACK, '--rest', SKELETON]),
                ('--name {name:.0}: gives a clip an empty name', ['convert', PACK, '--name', '{name:.0}']),
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
        self.assertIn('%s: warning: the rest pose is 1681 m high (see --scale)' % WALK, p.err.splitlines())
        lines = run('info', PACK).stdout.decode().splitlines()
        self.assertRegex(lines[3], '^index  clip +frames  seconds +loop  most$')
        self.check(run('dump', PACK, '-o', self.path('pack.json')), 0)
        p = run('encode', self.path('pack.json'), '-o', self.path('pack'))
        self.assertEqual(p.err, 'wrote %s: %d bytes, Final Fantasy VII (PC) battle animations\n' % (self.path('pack'), len(read(PACK))))

    def test_terminals(self):
        for message, words in (('-o -: a .glb or .png is not text for a terminal', ['convert', PACK, '-o', '-']),
                               ("-o -: the game's formats are not text for a terminal", ['encode', 'x.json', '-o', '-']),
                               ("-o -: the game's formats are not text for a terminal", ['encode', PACK, '--into', PACK, '-o', '-']),
                               ("-o -: the game's formats are not text for a terminal", ['retime', PACK, '--times', '4', '-o', '-']),
                               ('-o -: an archive is not text for a terminal', ['pack', PACK, '--into', LGP, '-o', '-']),
                               ('-o -: pictures are not text for a terminal', ['frames', VIDEO, '--as', 'raw', '-o', '-']),
                               ('-: standard input is a terminal; pass a file or a pipe', ['convert', '-', '-o', 'x.glb'])):
            controller, terminal = pty.openpty()
            p = subprocess.run([TOOL, *words], cwd=self.folder, stdin=terminal, stdout=terminal, stderr=subprocess.PIPE, timeout=60)
            os.close(controller)
            os.close(terminal)
            self.assertEqual((p.returncode, p.stderr.decode()), (2, 'reanima: ' + message + '\n'))

    def test_rigs_need_their_module(self):
        write(self.path('rig.x'), 'xof 0303txt 0032')
        with tempfile.TemporaryDirectory(dir=os.path.dirname(TOOL)) as alone:     # the module lies beside the program
            program = os.path.join(alone, 'bin', 'reanima')
            os.mkdir(os.path.dirname(program))
            os.link(TOOL, program)
            p = subprocess.run([program, 'convert', PACK, '-s', 'rig.x', '-q', '-o', 'x.glb'], cwd=self.folder, stderr=subprocess.PIPE, timeout=60)
            places = [os.path.join(alone, *place, 'reanima_rigs.so') for place in (('bin',), ('lib', 'reanima'))]
        self.assertEqual((p.returncode, p.stderr.decode()),
                         (1, 'reanima: rig.x: is not a glTF file, and the module that reads others (through Assimp) can\'t be loaded: '
                             'neither %s nor %s is there\n' % tuple(places)))

    def test_limits_of_pictures(self):
        for name in ('a1.png', 'a2.png', 'a3.png'):
            write(self.path('pictures', name), png_of([[(16, 32, 48)] * 400] * 450))                     # stored in 360,000 bytes each
        self.says('pictures/a3.png: the pictures up to here need more than 1 MiB, which is the limit (see --limit-memory MIB)',
                  'encode', 'pictures', '--format', 'rlf', '--limit-memory', 1, '-o', 'x', status=4)
        # A key frame of four pixels, and frames without data that repeat it; all pictures may have 64 times as many pixels as one.
        frame = lambda tag, data: struct.pack('<4s3I4s2I', b'MARF', 28 + len(data), 0, 0, tag, 28, 0) + data
        head = struct.pack('<4s4I4sI', b'FELR', 20, 1, 0, 65, b'FNIC', 112).ljust(0x84, b'\0')
        head += struct.pack('<4s7I4s3I', b'FNIM', 32, 0, 0, 0, 0, 2, 2, b'EMIT', 16, 0, 666)
        write(self.path('still.rlf'), head + frame(b'ELRH', b'\xfc' + bytes(8)) + frame(b'ELHD', b'') * 64)
        self.says('still.rlf: frame_count: 65 pictures of 2 x 2 pixels are more than the limit of 256 pixels; --frames takes some of them',
                  'frames', 'still.rlf', '--limit-samples', 4, '-o', 'x', status=4)
        self.check(run('frames', 'still.rlf', '--limit-samples', 4, '--frames', '0-63', '-q', '-o', 'x', cwd=self.folder), 0)

    def test_files(self):
        write(self.path('pictures/a1.png'), png_of([[(16, 32, 48)] * 3] * 2))
        write(self.path('pictures/a2.png'), png_of([[(16, 32, 48)] * 2] * 2))
        write(self.path('damaged/a.png'), b'no png at all')
        os.mkfifo(self.path('pipe'))
        os.makedirs(self.path('tree/folder'))
        os.symlink('folder', self.path('tree/link'))
        for message, words in (
                ('pictures/a2.png: has 2 x 2 pixels, the first picture has 3 x 2', ['encode', 'pictures', '--format', 'rlf', '-o', 'x']),
                ('damaged/a.png: is not a readable PNG: Not a PNG file', ['encode', 'damaged', '--format', 'rlf', '-o', 'x']),
                ("pipe: can't be read: it is a named pipe; - reads standard input", ['convert', 'pipe', '-o', 'x.glb'])):
            self.says(message, *words, status=1)
        self.says('pictures/a1.png: has 3 x 2 pixels, the limit is 5', 'encode', 'pictures', '--format', 'rlf', '--limit-samples', 5, '-o', 'x', status=4)
        self.assertEqual(run('convert', 'tree', '-o', 'out/', cwd=self.folder).err,
                         'tree/link: is a link to a folder, which is not followed\n0 converted, 0 failed, 1 skipped (nothing to convert)\n')
        self.assertEqual(run('formats', '--nothing').err,
                         'reanima: formats: there is no option --nothing\n`reanima formats -h` shows how it is used.\n')
        turned = conformance('rlf', 'palindrome.rlf')
        self.assertEqual(run('info', turned).stdout.decode(),
                         '%s: ZVision run-length video\n10 pictures of 41 x 23 pixels, 20 per second (10000/500), 0.500 s, forward and back again\n' % turned)
        head = run('check', '--roundtrip', sample('ff9')).stdout.decode().splitlines()[0]
        self.assertEqual(' '.join(head.split()), 'file format bytes decoded and encoded again')

    def test_a_file_that_does_not_come_back(self):
        model = read(conformance('ff9-mesh', 'model_shared_blocks.ff9model'))          # its blocks are written one by one
        write(self.path('files/shared.ff9model'), model)
        self.check(run('dump', 'files/shared.ff9model', '-o', 'shared.json', cwd=self.folder), 0)
        self.check(run('encode', 'shared.json', '-o', 'again.ff9model', cwd=self.folder), 0)
        again = read(self.path('again.ff9model'))
        place = next(i for i, (was, now) in enumerate(zip(model, again)) if was != now)
        p = run('check', '--roundtrip', 'files', cwd=self.folder)
        self.assertEqual(p.returncode, 1)
        self.assertIn('differs at 0x%x (%d bytes), 1 warning\n' % (place, len(again)), p.stdout.decode())

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
        def without_stored(root):
            for channel in root['channels']:
                channel.pop('stored')
            root['translation_multiplier'] = 1e-9
        echo = sample('metroid', 'echo_swell.ANIM')
        long = [{'translation': [0, 0, 0], 'rotations': [[i * 577 % 4096, i * 931 % 4096, i * 77 % 4096]] * 21} for i in range(3000)]
        for source, message, edit in (
                (WALK, 'warning: looping: is left out: type 0 has no word for it', put('type', 0)),
                (WALK, 'warning: translation_multiplier: is 1e-09, too small for the values: 3.6240766e-05 is written', without_stored),
                (WALK, 'note: values were quantised: off by up to 6.36e-15 degrees, 1.75e-05 in translations, 0 in scales', without_stored),
                (WALK, 'note: content_size: is 949, 957 follows from the rest and is written', without_stored),
                (WALK, 'words.tail_bits: is 4294967295, the last word of the stream has room for 0 bits', put('words', 'tail_bits', 0xFFFFFFFF)),
                (WALK, 'frame_count: is 4000000000, expected fewer frames for so few keys', put('frame_count', 4000000000)),
                (echo, 'channels[0].bone: is 300, expected a whole number from 0 to 255', put('channels', 0, 'bone', 300)),
                (sample('metroid', 'hero_pose.ANIM'), 'channels: has the bone 70000, type 0 has room for 65536', put('channels', 0, 'bone', 70000)),
                (sample('metroid', 'hero_pose.ANIM'), 'note: channels: are written in the order of their bones', lambda root: root['channels'].reverse()),
                (EVENTS, 'events[0].name: is 7, expected an object', put('events', 0, 'name', 7)),
                (EVENTS, 'events[3].type: is "sound", expected "bool", "int" or "particle": version 1 has no sounds', put('version', 1)),
                (CINF, 'warning: joints: are others, or have other parents: links and build_order are rewritten', put('joints', 3, 'parent', 0)),
                (CINF, 'joints[1].parent: is 5, expected a joint that does not lead back to this one', put('joints', 1, 'parent', 5)),
                (CINF, 'joints[3].name: is an object, expected a text without zero bytes', put('joints', 3, 'name', {'hex': '610062'})),
                (PACK, 'animations[0].missing: is 3, expected 0: only what ends the file can be cut', put('animations', 0, 'missing', 3)),
                (PACK, 'warning: animations[0].block_size: is 492, the chunk has 490 bytes', put('animations', 0, 'stream_frame_count', None)),
                (PACK, 'warning: animations[0].block_size: is 3, the chunk has 492 bytes', put('animations', 0, 'block_size', 3)),
                (PACK, 'note: animations[0].bone_count: is 3, the frames have 21 rotations, which only the skeleton states', put('animations', 0, 'bone_count', 3)),
                (PACK, 'note: animations[1].offset: is 77, 508 is written, and those after it follow', put('animations', 1, 'offset', 77)),
                (PACK, 'animations[0].frames: has 0 frames, the format holds 1 to 65535', put('animations', 0, 'frames', [])),
                (PACK, 'animations[0].stream_size: the frames need 386972 bytes with key_bits 0, the format holds 65535: fewer frames, or angles that are '
                       'multiples of 16, may fit', put('animations', 0, 'frames', long)),
                (PACK, 'warning: animations[0].wide_runs: are not ascending runs of changes that fit the short form: they are rewritten',
                 put('animations', 0, 'wide_runs', [[5, 2], [3, 1]])),
                (MODEL, 'note: bone_table: is 999, 20 follows from the rest and is written', put('bone_table', 999)),
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
                ('names.csv: line 1: is "clip,0", expected clip,INDEX,NAME[,FILE] or joint,ID,NAME[,ROLE[,FILE]]', ['convert', PACK, '--names', 'names.csv'], 1),
                ('%s: holds pictures: there are no joints' % VIDEO, ['bind', VIDEO, '-s', SKELETON, '--suggest', '-o', 'm.json'], 1),
                ('edited.json: format: is "ff9-container", which can\'t be written from JSON', ['encode', 'edited.json', '-o', 'x'], 1)):
            self.says(message, *words, status=status)


if __name__ == '__main__':
    unittest.main()
