#!/usr/bin/env python3
"""Provokes each message of the command and compares its full text. Messages of decoders are tested in
tests/importers."""
import json, os, pty, re, shlex, shutil, struct, subprocess, tempfile, unittest

from ff9_links_test import ZDN, image, whole
from pictures import png_of
from support import Case, TOOL, conformance, read, run, sample, write
import writers                                    # by the description of the formats

PACK, SKELETON, WALK = sample('ff7', 'hrda'), sample('ff7', 'hraa'), sample('metroid', 'hero_walk.ANIM')
LGP = sample('archives', 'battle.lgp')
CINF, VIDEO, PROPS = sample('metroid', 'hero.CINF'), sample('rlf', 'wheel.rlf'), sample('ff9', 'props.ff9db')
MODEL = sample('ff9', 'hero.ff9model')
BLOCK, EVENTS = sample('ff9', 'hero_idle.ff9anim'), sample('metroid', 'hero_walk.EVNT')

# The names of samples in command lines and messages.
SAMPLES = {'PACK': PACK, 'SKELETON': SKELETON, 'WALK': WALK, 'LGP': LGP, 'DISC': sample('archives', 'FF9.IMG'), 'PAK': sample('archives', 'hero.pak'), 'CINF': CINF,
           'WHEEL': VIDEO, 'PROPS': PROPS, 'EVENTS': EVENTS}

# Verbs and options: an error about them is followed by a pointer to their help.
USES = (
    ('convert PACK --ouput x.glb', 'there is no option --ouput; did you mean --output?'),
    ('convert PACK --out x.glb', 'there is no option --out; did you mean --output?'),
    ('list --jsn', 'there is no option --jsn; did you mean --json?'),
    ('convert PACK --sklaton=x', 'there is no option --sklaton; did you mean --skeleton?'),
    ('frames WHEEL --As png', 'there is no option --As; did you mean --as?'),
    ('formats --nothing', 'there is no option --nothing'),
    ('convert PACK --no-such-option', 'there is no option --no-such-option'),
    ('list', 'ARCHIVE is missing: an archive, a folder, or ARCHIVE:ENTRY for an archive inside an archive'),
    ('dump', 'FILE is missing: the file'),
    ('list a b', 'b: unexpected argument'),
    ('convert PACK --rate', '--rate: needs a value, R'),
    ('convert PACK --rate -1', '--rate: is -1, expected a number from 0.001 to 1000'),
    ('convert PACK --rate fast', '--rate: is fast, expected a number from 0.001 to 1000'),
    ('convert PACK --joints 1.5', '--joints: is 1.5, expected a whole number from 1 to 65535'),
    ('convert PACK --interpolation cubic', '--interpolation: is "cubic", expected linear, step'),
    ('dump WALK --game mp3', '--game: is "mp3", expected mp1, mp2'),
    ('convert PACK --clip -o x.glb', '--clip: needs a value, SEL'),
    ('convert PACK -s --force', '--skeleton: needs a value, FILE'),
    ("convert PACK -o ''", '--output: needs a value, OUT'),
    ('frames WHEEL --as gif', '--as: is "gif", which reanima can\'t write. Use ffmpeg: -o FILE.gif prints the command'),
    ('frames WHEEL --as jpg', '--as: is "jpg", expected png, sheet, apng, y4m, raw, raw555'),
    ('convert PACK -o a.glb -o b.glb', '--output: is given twice'),
    ('convert PACK --force=perhaps', '--force: takes no value'),
    ('convert PACK --lit --unlit', '--lighting: is given twice'),
    ('convert PACK --lit=1', '--lit: takes no value'),
    ('convert PACK --fps fast', '--rate: is fast, expected a number from 0.001 to 1000'),
    ('convert PACK -o --no-keep-mesh', '--output: needs a value, OUT'),
    ('list --lit', 'there is no option --lit'))

# Command lines that are refused, in the folder that setUp() makes; nothing in the folder changes.
REFUSALS = (
    # verbs
    (2, 'convrt PACK', 'convrt: there is no such verb; did you mean convert?'),
    (2, 'Lst', 'Lst: there is no such verb; did you mean list?'),
    (2, 'lits', 'lits: there is no such verb; did you mean list?'),
    (2, 'ls PACK', 'ls: there is no such verb; did you mean list?'),
    (2, 'hlep convert', 'hlep: there is no such verb; did you mean --help?'),
    (2, 'verison', 'verison: there is no such verb; did you mean --version?'),
    (2, '--hlep', 'there is no option --hlep; did you mean --help?'),
    (2, 'unpack PACK', 'unpack: there is no such verb; did you mean extract?'),
    (2, 'decode', 'decode: there is no such verb; did you mean encode?'),
    (2, 'xyzzyx PACK', 'xyzzyx: there is no such verb; `reanima --help` lists them'),
    (2, '--force convert', '--force: expected a verb before this option; `reanima --help` lists the verbs'),
    # missing inputs
    (2, 'convert', 'convert: name at least one input; `reanima convert -h` shows how it is used'),
    (2, 'check', 'check: name at least one file, folder or archive; `reanima check -h` shows how it is used'),
    (2, 'info', 'info: name at least one file; `reanima info -h` shows how it is used'),
    (2, "convert ''", 'convert: the name of an input is empty'),
    (2, 'encode x.json', 'encode: name the output with -o OUT\n`reanima encode -h` shows how it is used.'),
    # values of options
    (2, 'info --format ff8 PACK', '--format ff8: there is no such format; `reanima formats` lists them'),
    (2, 'dump PACK --format nothing', '--format nothing: there is no such format; `reanima formats` lists them'),
    *((2, f'info --warn {value} PACK', f'--warn {value}: expected CODE=LEVEL. LEVEL is ignore, warn or error; `reanima formats --warnings` lists the codes')
      for value in ('x=warn', 'damaged', 'nothing=error')),
    (2, 'encode pictures --format ff9-model -o x', '--format ff9-model: is not a format of videos'),
    (2, 'encode pictures -o x', 'encode pictures: name the format of the video with --format'),
    (2, 'convert PACK --interpolation step --reduce 1', '--reduce: works with linear interpolation only'),
    (2, 'find seconds:5-1 battle.lgp', 'seconds:5-1: expected a number, or a range A-B'),
    # poses and names
    (2, 'convert WHEEL --rest zero -q -o x.glb', '--rest zero: there are no joints, so there is no rest pose'),
    (2, 'convert PACK --rest skeleton -q -o x.glb', '--rest skeleton: this format stores no rest pose'),
    (2, 'convert PACK --rest 0:99 -q -o x.glb', '--rest 0:99: hrda_000 only has the frames 0 to 23'),
    (2, 'convert SKELETON --rest 0:0 -q -o x.glb', '--rest 0:0: there is no such file, and no clip 0; there are no clips'),
    (2, 'convert PACK --rest match -q -o x.glb', '--rest match: the value match applies only to clips that are bound to a rig'),
    (2, 'convert PACK --rest SKELETON -q -o x.glb', '--rest SKELETON: this file contains no animation; expected zero, skeleton, CLIP:FRAME or FILE[:CLIP:FRAME]'),
    (2, 'convert PACK --name {name:.0} -q -o x.glb', '--name {name:.0}: makes an empty clip name'),
    (2, 'convert PACK --name {nothing} -q -o x.glb',
     '--name {nothing}: is not a template (argument not found); expected text with {stem} {index} {index:03} {id} {name}'),
    (1, 'convert PACK --names names.csv', 'names.csv: line 1: is "clip,0", expected clip,INDEX,NAME[,FILE] or joint,ID,NAME[,ROLE[,FILE]]'),
    # rigs
    (2, 'bind PACK', 'bind: name the rig with -s'),
    (2, 'bind PACK -s CINF --suggest', 'bind: --suggest needs -o MAP.json'),
    (2, 'bind PACK -s CINF --suggest -o -', '-o -: an image is written beside the mapping, so a file name is needed. Use -o MAP.json'),
    (2, 'bind PACK -s CINF -o map.csv', '-o map.csv: expected X.glb or another output of convert, or MAP.json for a mapping'),
    (2, 'bind PROPS -s SKELETON --suggest -o m.json',
     'PROPS: contains 2 models, but an output can contain only one. Choose one with --model, or use -o FOLDER/ for all: 2000 (3 joints, 2 clips, 0 triangles), 2010 (2 joints, 1 clip, 0 triangles)'),
    (1, 'bind WHEEL -s SKELETON --suggest -o m.json', 'WHEEL: is a video or an image, without joints'),
    (1, 'convert WHEEL -s rig.glb -q -o x.glb', "WHEEL: has no joints, so it can't be bound to a skeleton"),
    (2, 'convert PACK -s CINF --rest zero -o x.glb',
     "--rest: can't change the rest pose of a rig. Use --source-rest to choose the source's pose that matches it"),
    (1, 'convert PACK -s battle.lgp', 'battle.lgp: is an archive, expected a file. Use battle.lgp:NAME for a file in it (`reanima list` shows the names)'),
    (1, 'convert PACK -s battle.lgp:hrda', 'battle.lgp:hrda: is Final Fantasy VII (PC) battle animations, not a skeleton; its skeleton is battle.lgp:hraa'),
    (1, 'convert PACK -s blank', 'blank: is empty'),
    (1, 'convert PACK -s CINF --map walk.bvh', 'walk.bvh: is a BVH file, expected a mapping: JSON, or lines of the form SOURCE,TARGET'),
    (2, 'convert PACK -s rig.vrm -o x.vrm', '-o x.vrm: rig.vrm is not a VRM avatar, because it has no humanoid bone names. Use -o X.glb to write its meshes with the motion'),
    (2, 'convert PACK -o x.vrm', '-o x.vrm: a .vrm contains an avatar and clips. Name the avatar with -s AVATAR.vrm and leave out --with-mesh, --rig-scale and `--rig-mesh omit`. Or use -o X.vrma, which works with any avatar'),
    # outputs
    *((2, f'convert PACK -o {name}', f'-o {name}: expected FOLDER/, - (standard output), or a name that ends in .glb, .gltf, .bvh, .vrma or .anim') for name in ('x.txt', 'x.mp4')),
    *((2, f'convert WHEEL -o {name}', f'-o {name}: reanima can\'t write such videos. Use ffmpeg: `reanima frames WHEEL -o {name}` prints the command') for name in ('x.mp4', 'x.gif')),
    *((2, f'convert PACK -o x.{ending}', f'-o x.{ending}: reanima can\'t write this format. Convert to .glb, then export from Blender (for many files: samples/pipeline/glb_to_fbx.py)')
      for ending in ('fbx', 'FBX', 'dae', 'blend', 'obj')),
    (2, 'encode once -o once.mp4', '-o once.mp4: reanima can\'t write such videos. Use ffmpeg: `reanima frames VIDEO -o once.mp4` prints the command'),
    (2, 'frames WHEEL -o -', '-o -: png needs a folder'),
    (2, 'frames WHEEL -o file', 'file: is not a folder'),
    (2, 'frames WHEEL -o full', 'full: exists and is not empty; --force writes into it'),
    (2, 'dump PACK -o full', 'full: is a folder, expected a file'),
    (2, 'pack PACK --into LGP -o new/', 'new/: is a folder, expected a file'),
    (2, 'extract battle.lgp -o battle.lgp', '-o battle.lgp: is a file, expected a folder'),
    (2, 'convert PACK --as gltf -o -', '-o -: a .gltf consists of several files and can\'t be written to standard output. Use --as glb'),
    (2, 'convert PROPS -o x.glb', 'PROPS: contains 2 models, but an output can contain only one. Choose one with --model, or use -o FOLDER/ for all: 2000 (3 joints, 2 clips, 0 triangles), '
                                  '2010 (2 joints, 1 clip, 0 triangles)'),
    (2, 'convert WHEEL PACK -q -o x.glb', 'wheel.rlf is a video or an image. Write it to a separate output'),
    (2, 'convert battle.lgp:hrac -o x.glb', '-o x.glb: battle.lgp:hrac is an image, expected FOLDER/, - (standard output), or a name that ends in .png'),
    (2, 'convert PACK -o battle.lgp:new.glb', 'battle.lgp:new.glb: is an entry of battle.lgp, expected a file; `reanima pack` puts files into an archive'),
    (2, 'convert PACK cloud.glb', 'cloud.glb: there is no such file. If this is the output, add -o cloud.glb'),
    (2, 'convert PACK walk.glb', 'walk.glb: exists. To overwrite it, add -o walk.glb --force. To use it as an input, name another output with -o'),
    (2, 'retime battle.lgp --times 2 -o new/', '-o new/: is a folder, but the output of an archive is a file'),
    (2, 'retime LGP:hrda --times 4 -o new.lgp',
     '-o new.lgp: the entry LGP:hrda becomes a single file, not an archive. To retime the whole archive, use LGP as INPUT; to put a file into it, use `reanima pack`'),
    *((2, f'{words} -o y.{ending}', f'-o y.{ending}: the output is a game file, not a .{ending}; {next_step}')
      for words in ('retime PACK --times 4', 'pack PACK --into LGP', 'encode scene.glb --into PACK', 'encode pack.json', 'encode once --format rlf')
      for ending, next_step in (('glb', '`reanima convert` makes such a file'), ('zip', "use the name of the game's file"))),
    (2, 'battle.lgp -o x.html', '-o: this option needs a verb. To name the page, use `reanima preview battle.lgp -o PAGE.html`'),
    # folders
    *((2, f"convert in -o '{output}'", f'in: is a folder. Add -o {folder} to convert the files below it')
      for output, folder in (('out', 'out/'), ('my out', '"my out/"'), ('out.glb', 'FOLDER/'), ('-', 'FOLDER/'))),
    *((2, f"convert LGP -o '{output}'", f'LGP: is an archive. Add -o {folder} to convert everything, or use LGP:NAME for one entry (`reanima list` shows them)')
      for output, folder in (('out', 'out/'), ('my out', '"my out/"'), ('out.glb', 'FOLDER/'), ('-', 'FOLDER/'))),
    (2, 'convert full', 'full: is a folder. Add -o FOLDER/ to convert the files below it'),
    (1, 'info void', 'void: contains no file'),
    (1, 'preview void', 'void: contains no game files to show. Name files of other programs directly'),
    (2, 'extract in', 'in: is a folder, expected an archive'),
    (2, 'pack battle.lgp --into in -o new.lgp', 'in: is a folder, expected an archive'),
    (1, 'retime in --times 4 -o out/', 'in: contains no file that can be retimed; in/battle.lgp is an archive. Use it as the only input'),
    # files that are not there
    (1, 'convert Battle.lgp:hrda', "Battle.lgp:hrda: can't be read: there is no such file; did you mean 'battle.lgp:hrda'?"),
    (1, 'list batle.lgp', "batle.lgp: can't be read: there is no such file; did you mean 'battle.lgp'?"),
    (1, 'convert battle.lgp/hrda', "battle.lgp/hrda: can't be read: there is no such file; battle.lgp is a file. If it is an archive, name the entry with battle.lgp:hrda"),
    (1, 'info apart/rtda', "apart/rtda: can't be read: No such file or directory"),               # as usual as rtaa
    (1, 'info apart/RTAA', "apart/RTAA: can't be read: there is no such file; did you mean 'apart/rtaa'?"),
    (1, 'convert in:hrda', "in:hrda: can't be read: there is no such file; in is a folder, but a colon can only follow an archive"),
    (1, r"info 'void\battle.lgp'", r"void\battle.lgp: can't be read: No such file or directory"),
    (1, r"info 'in\battle.lgp:hrda'", r"in\battle.lgp:hrda: can't be read: there is no such file; did you mean 'in/battle.lgp:hrda'?"),
    (1, 'info in/battel.lgp:hrda', "in/battel.lgp:hrda: can't be read: there is no such file; did you mean 'in/battle.lgp:hrda'?"),
    (2, 'in/nothing.lgp', 'in/nothing.lgp: there is no such file'),
    # entries
    *((1, f'{verb} battle.lgp:hrda', 'battle.lgp:hrda: is not an archive. `reanima info battle.lgp:hrda` shows what it contains, `reanima extract battle.lgp hrda` extracts it')
      for verb in ('extract', 'list')),
    (1, 'convert LGP:hrdda -q', "LGP: contains no entry 'hrdda'; did you mean 'hrda'?"),
    (1, 'convert LGP:rhda -q', "LGP: contains no entry 'rhda'; did you mean 'hrda'?"),
    (1, 'extract LGP hrdda -o out', "LGP: contains no entry 'hrdda'; did you mean 'hrda'?\nwrote 0 of 0 files to out"),
    *((1, f'convert named/battle.lgp:{name}', f"named/battle.lgp: contains no entry '{name}'; did you mean 'cloud'?") for name in ('Clod', 'Cluod', 'clowd')),
    (1, 'convert named/battle.lgp:Tifa', "named/battle.lgp: contains no entry 'Tifa'; its characters are cloud; `reanima list named/battle.lgp` shows all"),
    (1, 'extract named/battle.lgp Cloud -o out', "named/battle.lgp: contains no entry 'Cloud'; cloud consists of the files rtda, rtaa. Convert them with `reanima convert named/battle.lgp:cloud`\nwrote 0 of 0 files to out"),
    *((1, f'convert {folder}/FF9.IMG:Zidaen', f"{folder}/FF9.IMG: contains no entry 'Zidaen'; did you mean 'zidane'?") for folder in ('one', 'two')),
    (1, 'convert one/FF9.IMG:Vivvi', "one/FF9.IMG: contains no entry 'Vivvi'; it contains 4/98; `reanima list one/FF9.IMG` shows all"),        # who is not in it
    (1, 'convert two/FF9.IMG:Vivvi', "two/FF9.IMG: contains no entry 'Vivvi'; it contains 4/98, 4/99; `reanima list two/FF9.IMG` shows all"),
    (1, 'info PAK:Heroo.ANCS', "PAK: contains no entry 'Heroo.ANCS'; did you mean 'Hero.ANCS'?"),
    (1, 'convert PAK:hero', "PAK: contains no entry 'hero'; did you mean 'Hero.ANCS'?"),
    (1, 'convert DISC:301', "DISC: contains no entry '301'; did you mean '10/301'?"),
    # files of another kind
    *((1, f'{verb} walk.bvh', 'walk.bvh: is a BVH file; motion can be bound to its skeleton as a rig (see `reanima convert MOTION -s FILE`)') for verb in ('frames', 'dump')),
    (2, 'encode walk.bvh -o x', "encode walk.bvh: is motion from another program. Add --into FILE --at N to replace clip N of the game file FILE"),
    (2, 'encode WHEEL -o x', 'encode WHEEL: is already ZVision run-length video. To edit it, make its JSON with `reanima dump`'),
    (2, 'encode battle.lgp:hrda -o x', 'encode battle.lgp:hrda: is an entry of an archive; expected the JSON of `reanima dump`, a folder of frames, its frames.json, or (with --into) motion'),
    (2, 'encode pic.png -o x', 'encode pic.png: is a PNG image; expected the JSON of `reanima dump`, a folder of frames or its frames.json'),
    (1, 'encode WALK --into battle.lgp -o new.lgp', "WALK: is motion of another character. Name the entry to write it into: --into battle.lgp:ENTRY --at N"),
    (1, 'encode edited.json -o x', 'edited.json: format: is "ff9-container": this format can\'t be written from JSON'),
    (1, 'encode notes --format rlf -o x', 'notes: contains no PNG'),
    (2, 'preview cloud.html', 'cloud.html: is already a page. Open it in a browser'),
    (2, 'find battle.lgp cloud', 'find: write TEXT before PLACE: `reanima find cloud battle.lgp`'),
    (2, 'find kind:clip hrda battle.lgp', 'find: hrda: there is no such file or folder. If it is a word of TEXT, use quotes: `reanima find "kind:clip hrda" battle.lgp`'),
    (1, 'frames PACK -o x', 'PACK: is Final Fantasy VII (PC) battle animations, not a video'),
    (1, 'convert still.rlf -q -o x.glb', 'still.rlf: contains no image'),
    (1, 'convert EVENTS -o x.glb', 'EVENTS: is Metroid Prime events of an animation, which can only be converted with an animation'),
    (2, 'list -', '-: an archive is read from a file, not from standard input'))

# Messages that are not errors but give a hint.
NEXT_STEPS = (
    ('info notes', 'notes: contains no file of a known format; `reanima list notes` shows its files\n'),
    ('frames LGP -o out', '0 videos written, 0 failed, 21 skipped (no video)\n`reanima find video FOLDER` looks for videos elsewhere\n'))


class Refusals(Case):
    def setUp(self):
        super().setUp()
        for name, data in (('pic.png', b'\x89PNG\r\n\x1a\n' + bytes(30)), ('cloud.html', '<html>'), ('walk.glb', 'before'), ('scene.glb', 'glTF'), ('blank', ''), ('full/x', 'x'),
                           ('file', 'x'), ('pictures/a.png', 'x'), ('apart/rtaa', ''), ('notes/readme.txt', 'hello'), ('names.csv', 'clip,0\n'),
                           ('edited.json', '{"schema": 1, "format": "ff9-container"}'), ('battle.lgp', read(LGP)), ('in/battle.lgp', read(LGP)),
                           ('named/battle.lgp', writers.lgp([('rtda', '', read(PACK)), ('rtaa', '', read(SKELETON))])[0]),
                           ('one/FF9.IMG', image([(98, whole([ZDN], []))])), ('two/FF9.IMG', image([(98, whole([ZDN], [])), (99, whole([ZDN], []))])),
                           ('still.rlf', read(VIDEO)[:0x10] + bytes(4) + read(VIDEO)[0x14:0xB4]),
                           ('walk.bvh', 'HIERARCHY\nROOT hips\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n'
                                        'MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n')):
            write(self.path(name), data)
        os.mkdir(self.path('void'))
        self.check(self.cli('frames', VIDEO, '-o', 'once'), 0)
        self.check(self.cli('convert', SKELETON, '--proxy-mesh', '-q', '-o', 'rig.glb'), 0)
        shutil.copy(self.path('rig.glb'), self.path('rig.vrm'))

    def test_each_says_what_is_wrong_and_what_to_do(self):
        def spelt(text):
            return re.sub(r'\b(%s)\b' % '|'.join(SAMPLES), lambda name: SAMPLES[name[0]], text)
        before = {name: read(self.path(name)) for name in self.files()}
        for status, line, message in (*((2, line, f'{line.split()[0]}: {problem}\n`reanima {line.split()[0]} -h` shows how it is used.') for line, problem in USES), *REFUSALS,
                                      *((0, *row) for row in NEXT_STEPS)):
            with self.subTest(line):
                p = run(*map(spelt, shlex.split(line)), cwd=self.folder, stdin=b'')
                self.assertEqual((p.returncode, p.err), (status, spelt(f'reanima: {message}\n' if status else message)))
                self.assertEqual(p.stdout, b'')
        self.assertTrue({name: read(self.path(name)) for name in self.files()} == before, self.files())


class Messages(Case):
    def says(self, message, *words, status=2, cwd=None):
        """The whole of standard error, whose lines begin with the program's name"""
        p = run(*words, cwd=cwd or self.folder)
        self.assertEqual((p.returncode, p.err), (status, 'reanima: ' + message + '\n'), words)

    def test_what_is_written_and_shown(self):
        self.assertEqual(run('convert', VIDEO, '-o', self.path('x.glb')).err,
                         'wrote %s: 24 frames of 72 x 48 pixels, 15.015 per second; set Blender\'s frame rate to 15.015 before importing\n' % self.path('x.glb'))
        self.assertEqual(run('frames', VIDEO, '-o', self.path('x')).err, 'wrote %s: 24 frames of 72 x 48 pixels, 15.015 per second\n' % self.path('x'))
        hall = sample('rlf', 'hallw.rlf')
        p = run('info', hall)
        self.assertEqual(p.stdout.decode(), '%s: ZVision run-length video\n8 frames of 64 x 32 pixels (stored transposed), 20 per second (10000/500), 0.400 s\n' % hall)
        self.assertEqual(p.err, '%s: note: frames are transposed, because the fifth letter of the file name is w, as in panoramas (see --transpose no)\n' % hall)
        p = run('convert', WALK, '--scale', 1000, '-o', self.path('big.glb'))
        self.assertIn('%s: warning: the rest pose is 1681 m high (see --scale)' % WALK, p.err.splitlines())
        lines = run('info', PACK).stdout.decode().splitlines()
        self.assertRegex(lines[3], '^index  clip +frames  seconds +loop  most$')
        self.check(run('dump', PACK, '-o', self.path('pack.json')), 0)
        p = run('encode', self.path('pack.json'), '-o', self.path('pack'))
        self.assertEqual(p.err, 'wrote %s: %d bytes, Final Fantasy VII (PC) battle animations\n`reanima preview %s -s SKELETON` shows the result\n'
                         % (self.path('pack'), len(read(PACK)), self.path('pack')))
        self.check(run('dump', sample('ff8', 'c0m900.dat'), '-o', self.path('c0m900.json')), 0)
        p = run('encode', self.path('c0m900.json'), '-o', self.path('c0m900.dat'))     # which contains its skeleton
        self.assertTrue(p.err.endswith('`reanima preview %s` shows the result\n' % self.path('c0m900.dat')), p.err)
        # Y X Z with one axis twice: such a file is told by its name alone, and the output has another one
        odd = conformance('ff7-mesh', 'a_order.a')
        self.check(run('dump', odd, '-o', self.path('odd.json')), 0)
        p = run('encode', self.path('odd.json'), '-o', self.path('odd.bin'))
        self.check(p, 0)
        self.assertTrue(p.err.endswith('`reanima preview %s -s SKELETON --format ff7-field-animation` shows the result\n' % self.path('odd.bin')), p.err)

    def test_terminals(self):
        for message, words in (('-o -: a .glb or .png is not printed on a terminal. Name a file, or redirect the output', ['convert', PACK, '-o', '-']),
                               ("-o -: the game's formats are not printed on a terminal. Name a file, or redirect the output", ['encode', 'x.json', '-o', '-']),
                               ("-o -: the game's formats are not printed on a terminal. Name a file, or redirect the output", ['encode', PACK, '--into', PACK, '-o', '-']),
                               ("-o -: the game's formats are not printed on a terminal. Name a file, or redirect the output", ['retime', PACK, '--times', '4', '-o', '-']),
                               ('-o -: an archive is not printed on a terminal. Name a file, or redirect the output', ['pack', PACK, '--into', LGP, '-o', '-']),
                               ('-o -: pictures are not printed on a terminal. Name a file, or redirect the output', ['frames', VIDEO, '--as', 'raw', '-o', '-']),
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
                         (1, 'reanima: rig.x: is not a glTF file, and the module that reads other formats (through Assimp) can\'t be loaded: '
                             'neither %s nor %s is there\n' % tuple(places)))

    def test_limits_of_pictures(self):
        for name in ('a1.png', 'a2.png', 'a3.png'):
            write(self.path('pictures', name), png_of([[(16, 32, 48)] * 400] * 450))                     # stored in 360,000 bytes each
        self.says('pictures/a3.png: together, the images up to this one exceed the limit of 1 MiB (see --limit-memory MIB)',
                  'encode', 'pictures', '--format', 'rlf', '--limit-memory', 1, '-o', 'x', status=4)
        # A key frame of four pixels, and frames without data that repeat it; the limit for all pictures is 64 times the
        # pixels of one.
        frame = lambda tag, data: struct.pack('<4s3I4s2I', b'MARF', 28 + len(data), 0, 0, tag, 28, 0) + data
        head = struct.pack('<4s4I4sI', b'FELR', 20, 1, 0, 65, b'FNIC', 112).ljust(0x84, b'\0')
        head += struct.pack('<4s7I4s3I', b'FNIM', 32, 0, 0, 0, 0, 2, 2, b'EMIT', 16, 0, 666)
        write(self.path('still.rlf'), head + frame(b'ELRH', b'\xfc' + bytes(8)) + frame(b'ELHD', b'') * 64)
        self.says('still.rlf: frame_count: 65 frames of 2 x 2 pixels exceed the limit of 256 pixels. Choose fewer with --frames',
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
                ('pictures/a2.png: has 2 x 2 pixels, but the first image has 3 x 2', ['encode', 'pictures', '--format', 'rlf', '-o', 'x']),
                ('damaged/a.png: is not a readable PNG: Not a PNG file', ['encode', 'damaged', '--format', 'rlf', '-o', 'x']),
                ("pipe: can't be read: it is a named pipe. To read from a pipe, use - (standard input)", ['convert', 'pipe', '-o', 'x.glb'])):
            self.says(message, *words, status=1)
        self.says('pictures/a1.png: has 3 x 2 pixels, but the limit is 5', 'encode', 'pictures', '--format', 'rlf', '--limit-samples', 5, '-o', 'x', status=4)
        self.assertEqual(run('convert', 'tree', '-o', 'out/', cwd=self.folder).err,
                         'tree/link: is a link to a folder, which is not followed\n0 converted, 0 failed, 1 skipped (nothing to convert)\n')
        turned = conformance('rlf', 'palindrome.rlf')
        self.assertEqual(run('info', turned).stdout.decode(),
                         '%s: ZVision run-length video\n10 frames of 41 x 23 pixels, 20 per second (10000/500), 0.500 s, plays forward and then back\n' % turned)
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
                (WALK, 'warning: looping: is left out, because type 0 has no field for it', put('type', 0)),
                (WALK, 'warning: translation_multiplier: is 1e-09, which is too small for the values; 3.6240766e-05 is written', without_stored),
                (WALK, 'note: values were quantised; rotations are off by up to 6.36e-15 degrees, translations by 1.75e-05, and scales by 0', without_stored),
                (WALK, 'note: content_size: is 949; 957 is written instead, calculated from the other values', without_stored),
                (WALK, 'words.tail_bits: is 4294967295, but the last word of the stream has room for only 0 bits', put('words', 'tail_bits', 0xFFFFFFFF)),
                (WALK, 'frame_count: is 4000000000, expected fewer frames for this number of keys', put('frame_count', 4000000000)),
                (echo, 'channels[0].bone: is 300, expected a whole number from 0 to 255', put('channels', 0, 'bone', 300)),
                (sample('metroid', 'hero_pose.ANIM'), 'channels: has the bone 70000, but type 0 stores only bones below 65536', put('channels', 0, 'bone', 70000)),
                (sample('metroid', 'hero_pose.ANIM'), 'note: channels: are written in the order of their bones', lambda root: root['channels'].reverse()),
                (EVENTS, 'events[0].name: is 7, expected an object', put('events', 0, 'name', 7)),
                (EVENTS, 'events[3].type: is "sound", expected "bool", "int" or "particle", because version 1 has no sounds', put('version', 1)),
                (CINF, 'warning: joints: were changed, or have different parents; links and build_order are rewritten', put('joints', 3, 'parent', 0)),
                (CINF, 'joints[1].parent: is 5, expected a parent that is not below this joint', put('joints', 1, 'parent', 5)),
                (CINF, 'joints[3].name: is an object, expected a text without zero bytes', put('joints', 3, 'name', {'hex': '610062'})),
                (PACK, 'animations[0].missing: is 3, expected 0, because only the last animation of the file can be cut off', put('animations', 0, 'missing', 3)),
                (PACK, 'warning: animations[0].block_size: is 492, but the chunk has 490 bytes', put('animations', 0, 'stream_frame_count', None)),
                (PACK, 'warning: animations[0].block_size: is 3, but the chunk has 492 bytes', put('animations', 0, 'block_size', 3)),
                (PACK, 'note: animations[0].bone_count: is 3, but the frames have 21 rotations; to read this file, the skeleton is needed', put('animations', 0, 'bone_count', 3)),
                (PACK, 'note: animations[1].offset: is 77, but 508 is written; all later offsets change too', put('animations', 1, 'offset', 77)),
                (PACK, 'animations[0].frames: has 0 frames, but the format allows 1 to 65535', put('animations', 0, 'frames', [])),
                (PACK, 'animations[0].stream_size: the frames need 386972 bytes with `key_bits` 0, but the format allows 65535. Try fewer frames, or angles that are multiples of 16', put('animations', 0, 'frames', long)),
                (PACK, 'warning: animations[0].wide_runs: are rewritten, because runs must be ascending and contain only changes that fit the short form',
                 put('animations', 0, 'wide_runs', [[5, 2], [3, 1]])),
                (MODEL, 'note: bone_table: is 999; 20 is written instead, calculated from the other values', put('bone_table', 999)),
                (BLOCK, 'warning: bone_count: is 3, but there are 26 bones', put('bone_count', 3))):
            with self.subTest(message):
                says(source, message, edit)


if __name__ == '__main__':
    unittest.main()
