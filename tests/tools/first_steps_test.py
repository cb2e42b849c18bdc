#!/usr/bin/env python3
"""A user's first steps: help, mistakes, a file instead of a verb."""
import fcntl, json, os, pty, re, shutil, stat, struct, subprocess, termios, unittest

from ff9_links_test import ZDN, image, whole
from support import Case, Scene, TOOL, read, run, sample, write
from contract_test import PAGE, VERBS, rows
import writers                                    # by the description of the formats

PACK, SKELETON = sample('ff7', 'hrda'), sample('ff7', 'hraa')
LGP, FF9_IMG, PAK = sample('archives', 'battle.lgp'), sample('archives', 'FF9.IMG'), sample('archives', 'hero.pak')
WHEEL = sample('rlf', 'wheel.rlf')


def on_terminal(columns, *words):
    """-> lines of standard output on a terminal of this width"""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 40, columns, 0, 0))
    p = subprocess.Popen([TOOL, *words], stdout=slave, stderr=subprocess.DEVNULL, close_fds=True)
    os.close(slave)
    text = b''
    try:
        while part := os.read(master, 4096):
            text += part
    except OSError:
        pass                                              # the other end is closed
    assert p.wait() == 0
    os.close(master)
    return text.decode().splitlines()


class Mistakes(Case):
    def says(self, status, message, *args, **more):
        p = run(*args, cwd=self.folder, **more)
        self.assertEqual((p.returncode, p.err), (status, message), args)

    def test_lists_say_whose_files_are(self):
        write(self.path('battle.lgp'), writers.lgp([('rtda', '', read(PACK)), ('rtaa', '', read(sample('ff7', 'hraa'))), ('hrda', '', read(PACK))])[0])
        listed = run('list', 'battle.lgp', cwd=self.folder).stdout.decode().splitlines()[-3:]
        self.assertEqual([line.split()[2:] for line in listed], [['hrda'], ['rtda', 'cloud'], ['rtaa', 'cloud']])
        entries = json.loads(run('list', '--json', 'battle.lgp', cwd=self.folder).stdout)['entries']
        self.assertEqual([entry.get('title') for entry in entries], [None, 'cloud', 'cloud'])

    def test_clips_are_guessed(self):
        names = ['--names', sample('ff7', 'hero.names.csv')]
        p = run('convert', PACK, *names, '--clip', 'wolk', cwd=self.folder)
        self.assertEqual(p.returncode, 1)
        self.assertNotIn('warning: no clip matches', p.err)                       # the error says it
        self.assertIn('no clip matches; did you mean walk? (see --clip wolk)\n', p.err)
        p = run('convert', sample('ff7', 'hraa'), '--no-companion', '--clip', 'walk', '-o', self.path('x.glb'))
        self.assertIn('no clip matches; it has no clips (see --clip walk)', p.err)

    def test_names_of_clips_are_the_same_in_upper_and_lower_case(self):
        names = write(self.path('names.csv'), b'clip,0,Walk\nclip,1,walk\nclip,2,Wave\n')
        for wanted, clips in (('WAVE', ['Wave']), ('walk', ['walk']), ('WALK', ['Walk', 'walk']), ('w*', ['Walk', 'walk', 'Wave'])):
            self.check(run('convert', PACK, '--names', names, '--clip', wanted, '-o', self.path('x.glb'), '--force'), 0)
            self.assertEqual([a['name'] for a in Scene(read(self.path('x.glb'))).g['animations']], clips, wanted)

    def test_characters_of_an_archive_are_listed_by_name(self):
        names = [('rtda', PACK), ('rtaa', sample('ff7', 'hraa'))] + [(name, sample('ff7', 'hraa')) for name in ('ruaa', 'rvaa', 'rwaa', 'rxaa', 'ryaa', 'rzaa', 'saaa', 'sbaa', 'scaa')]
        write(self.path('battle.lgp'), writers.lgp([(name, '', read(path)) for name, path in names])[0])
        p = run('convert', 'battle.lgp:nobody', cwd=self.folder)
        listed = {line.split()[3] for line in run('list', 'battle.lgp', cwd=self.folder).stdout.decode().splitlines()[3:] if len(line.split()) > 3}
        self.assertGreater(len(listed), 8)
        shown = re.match("reanima: battle.lgp: contains no entry 'nobody'; its characters are (.*) and (\\d+) more; `reanima list battle.lgp` shows all\n", p.err)
        self.assertEqual((len(shown[1].split(', ')), int(shown[2])), (8, len(listed) - 8))
        self.assertLess(set(shown[1].split(', ')), listed)

    def test_files_of_others_are_not_replaced(self):
        """Reports and depfiles replace only files of their own kind; --if-changed replaces others with --force"""
        def kept(name, data, message, *words):
            write(self.path(name), data)
            self.says(2, f'reanima: {message}\n', 'convert', PACK, *words)
            self.assertEqual(read(self.path(name)), data)
            self.assertFalse(os.path.exists(self.path('x.glb')))
        glb = ['-o', 'x.glb', '-q']
        video = read(WHEEL)
        self.check(run('convert', PACK, '-q', '-o', 'a b.glb', '--report', 'a report', '--depfile', 'a depfile', cwd=self.folder), 0)
        self.check(run('convert', PACK, '-q', '-o', 'edited.glb', cwd=self.folder), 0)
        self.check(run('encode', 'edited.glb', '--into', PACK, '-q', '--report', 'another report', cwd=self.folder), 0)
        of_its_kind = {'report': [read(self.path('a report')), read(self.path('another report'))],
                       'depfile': [read(self.path('a depfile')), b'v.glb w.glb: \\\n  in\nz.glb: \\\n  in \\\n  too\nz:\n']}
        others = [('wheel.rlf', video), ('walk.bvh', b'HIERARCHY\nROOT hips\n'), ('job.json', b'{"schema":1,"inputs":["hrda"]}\n'), ('pic.png', b'\x89PNG\r\n\x1a\n' + bytes(30)),
                  ('battle.lgp', read(sample('archives', 'battle.lgp'))), ('notes', b'Note: buy milk\n'), ('makefile', b'x: y\n\tcp y x\n'), ('line', b'no rule\n'),
                  ('info.json', b'{"schema": 1, "clips": []}\n'), ('status.json', b'{"status": "ok"}\n'), ('rules', b'x: \\\n  y\nz\n')]
        for option in ('report', 'depfile'):
            for name, data in others + [(f'other {i}', data) for other in of_its_kind if other != option for i, data in enumerate(of_its_kind[other])]:
                for force in ([], ['--force']) if name == 'battle.lgp' else (['--force'],):
                    kept(name, data, f'{name}: exists and is not a {option}. --{option} can only replace an earlier {option}', *glb, '--' + option, name, *force)
            for data in of_its_kind[option] + [b'']:
                write(self.path('old'), data)
                self.check(run('convert', PACK, *glb, '--force', '--' + option, 'old', cwd=self.folder), 0)
                self.assertIn(b'x.glb', read(self.path('old')))
            os.remove(self.path('x.glb'))
        for name, data in others:
            write(self.path(name), data)
            for args in (['encode', 'edited.glb', '--into', PACK, '-o', 'new'], ['encode', 'edited.glb', '--format', 'ff7-battle-animation', '-s', SKELETON, '-o', 'new']):
                self.says(2, f'reanima: {name}: exists and is not a report. --report can only replace an earlier report\n', *args, '-q', '--force', '--report', name)
            self.assertEqual(read(self.path(name)), data)
            self.assertFalse(os.path.exists(self.path('new')))
        write(self.path('old'), of_its_kind['report'][0])
        self.says(2, 'reanima: old: exists; --force replaces it\n', 'encode', 'edited.glb', '--into', PACK, '-q', '--report', 'old')
        self.check(run('encode', 'edited.glb', '--into', PACK, '-q', '--report', 'old', '--force', cwd=self.folder), 0)
        self.assertEqual(read(self.path('old')), of_its_kind['report'][1])
        write(self.path('x.glb'), b'')
        os.remove(self.path('x.glb'))
        self.check(run('convert', PACK, '-q', '-o', 'mine.glb', cwd=self.folder), 0)
        other = read(self.path('mine.glb')).replace(b'"reanima"', b'"another"')
        other = re.sub(rb'"key":"[0-9a-f]{32}"', b'"kay":"%s"' % (b'0' * 32), other)
        kept('mine.glb', other, 'mine.glb: exists and was made by another program; --force replaces it', '-o', 'mine.glb', '-q', '--if-changed')
        self.check(run('convert', PACK, '-o', 'mine.glb', '-q', '--if-changed', '--force', cwd=self.folder), 0)
        self.assertTrue(read(self.path('mine.glb')) != other)

    def test_what_this_program_writes_is_known(self):
        self.check(run('dump', PACK, '-o', self.path('pack.json')), 0)
        self.check(run('bind', sample('ff7', 'doll_walk.a'), '-s', SKELETON, '--suggest', '-o', self.path('map.json')), 0)
        self.check(run('frames', sample('rlf', 'gate.rlf'), '-o', self.path('gate')), 0)
        write(self.path('hrda.reanima.json'), '{"schema": 1, "inputs": ["hrda"]}')
        for name, what in (('pack.json', "the JSON of `reanima dump`; `reanima encode` makes the game file from it"),
                           ('map.json', 'a mapping of joints; it states which joint follows which (see --map FILE)'),
                           ('gate/frames.json', 'a list of frames; `reanima encode` makes a video from these frames'),
                           ('hrda.reanima.json', 'a job file; `reanima convert` runs it')):
            for words in ((['info', name]), ['convert', PACK, '-s', name, '-o', 'x.glb'], ['encode', name, '--into', PACK]):
                self.says(1, f'reanima: {name}: is {what}\n', *words)
        for name in self.files():
            os.remove(self.path(name))

    def test_a_game_file_as_a_rig_gives_its_joints(self):
        walk = sample('ff7', 'doll_walk.a')
        note = f'{SKELETON}: note: as a rig, this file provides only joints. To keep its meshes, convert it with `reanima convert` and use the .glb with -s'
        p = self.check(run('convert', walk, '-s', SKELETON, '-o', 'x.glb', cwd=self.folder), 0)
        self.assertEqual(p.err.count(note + '\n'), 1)
        self.check(run('convert', PACK, '-o', 'rig.glb', '-q', cwd=self.folder), 0)
        p = self.check(run('convert', walk, '-s', 'rig.glb', '-o', 'y.glb', cwd=self.folder), 0)
        self.assertNotIn('provides only joints', p.err)
        self.assertGreater(len(Scene(read(self.path('y.glb'))).g.get('meshes', [])), 0)
        for name in ('x.glb', 'rig.glb', 'y.glb'):
            os.remove(self.path(name))

    def test_files_that_are_no_rigs_are_named_for_what_they_are(self):
        self.tells('is Final Fantasy IX (PlayStation) DB or chunk, not a skeleton; a .glb made from it can be a rig\n',
                   'convert', PACK, '-s', FF9_IMG + ':10/301', status=1)
        write(self.path('cloud.png'), b'\x89PNG\r\n\x1a\n' + bytes(100))
        write(self.path('game.zip'), b'PK\x03\x04' + bytes(100))
        for name, what in (('cloud.png', 'is a PNG image'), ('game.zip', 'is a ZIP')):
            p = run('convert', PACK, '-s', name, '-o', 'x.glb', cwd=self.folder)
            self.assertEqual(p.returncode, 1)
            self.assertIn(f'reanima: {name}: {what}', p.err)

    def test_inputs_are_looked_at_before_outputs(self):
        for name in ('rtda.glb', 'rtda.html', 'x.json', 'x.png', 'x', 'notes.glb', 'notes.html'):
            write(self.path(name), b'before')
        write(self.path('notes.txt'), b'hello')
        missing = "reanima: rtda: can't be read: No such file or directory\n"
        self.says(1, missing, 'convert', 'rtda', '-q')
        for words in (['preview', 'rtda'], ['dump', 'rtda', '-o', 'x.json'], ['encode', 'rtda', '-o', 'x'], ['frames', 'rtda', '-o', 'x'],
                      ['bind', 'rtda', '-s', PACK, '-o', 'x.json']):
            self.says(1, missing, *words)
        for words in (['convert', PACK, 'rtda', '-o', 'rtda.glb', '-q'], ['convert', 'rtda', PACK, '-o', 'rtda.glb', '-q'],
                      ['preview', PACK, '-s', 'rtda', '-o', 'x.html'], ['preview', PACK, 'rtda', '-o', 'rtda.html']):
            write(self.path('x.html'), b'before')
            self.says(1, missing, *words)
        for words in (['convert', PACK, '--animations', 'rtda', '-o', 'rtda.glb'], ['preview', PACK, '--animations', 'rtda', '-o', 'x.html']):
            self.says(1, missing, *words)
        self.says(1, 'reanima: notes.txt: is not a file of a known format\n', 'convert', PACK, 'notes.txt', '-o', 'notes.glb', '-q')
        self.says(1, 'reanima: notes.txt: is not a file of a known format\n', 'convert', 'notes.txt', '-q')
        self.says(1, 'reanima: notes.txt: is not a file of a known format\n', 'preview', 'notes.txt', '-q')
        self.assertEqual({read(self.path(name)) for name in self.files() if name != 'notes.txt'}, {b'before'})

    def test_an_output_that_appears_meanwhile_needs_force_as_well(self):
        os.mkfifo(self.path('rtda'))                          # is not read while planning
        write(self.path('rtda.glb'), b'before')
        p = run('convert', 'rtda', cwd=self.folder)
        self.assertNotEqual(p.returncode, 0)
        self.assertEqual(read(self.path('rtda.glb')), b'before')

    def test_a_reader_that_has_enough_ends_it_quietly(self):
        for words in (['list', LGP], ['formats', '--json'], ['dump', PACK], ['convert', PACK, '-q', '-o', '-'], ['--help']):
            reader, writer = os.pipe()
            os.close(reader)
            p = subprocess.run([TOOL, *words], stdout=writer, stderr=subprocess.PIPE)
            os.close(writer)
            self.assertEqual((p.returncode, p.stderr), (3, b''), words)

    def test_a_skeleton_that_nobody_looked_for_is_not_said_to_be_missing(self):
        p = self.check(run('convert', PACK, '--no-companion', '-o', self.path('x.glb')), 0)
        self.assertIn('warning: no skeleton was looked for; using placeholder joints in a row\n', p.err)
        self.assertNotIn('no skeleton was found', p.err)


class WholeFoldersAndArchives(Case):
    def test_a_folder_is_listed(self):
        for name in ('deep/hrda', 'hraa'):
            write(self.path('in', name), read(sample('ff7', os.path.basename(name))))
        write(self.path('in/notes.txt'), b'hello')
        shutil.copy(LGP, self.path('in/battle.lgp'))
        sizes = {name: os.path.getsize(self.path('in', name)) for name in ('battle.lgp', 'deep/hrda', 'hraa', 'notes.txt')}
        p = self.check(run('list', 'in', cwd=self.folder), 0, '`reanima list -r in` also shows characters and clips\n')
        lines = p.stdout.decode().splitlines()
        self.assertEqual(lines[0], 'in: a folder, 4 files, %d bytes' % sum(sizes.values()))
        self.assertEqual([line.split() for line in lines[2:]],
                         [['size', 'name', 'format']] + [[str(sizes[n]), n, f] for n, f in (('battle.lgp', 'ff7-lgp'), ('deep/hrda', 'ff7-battle-animation'),
                                                                                            ('hraa', 'ff7-battle-skeleton'), ('notes.txt', '-'))])
        listed = json.loads(self.check(run('list', 'in', '--json', cwd=self.folder), 0).stdout)
        self.assertEqual((listed['schema'], listed['format'], listed['warnings']), (1, 'folder', []))
        self.assertEqual([(e['name'], e['type'], e['size']) for e in listed['entries']][0], ('battle.lgp', 'ff7-lgp', sizes['battle.lgp']))

    def test_an_archive_is_checked(self):
        p = self.check(run('check', LGP), 0)
        lines = p.stdout.decode().splitlines()
        self.assertIn(f'{LGP}:hrda: ok, Final Fantasy VII (PC) battle animations', lines)
        self.assertEqual(lines[-1], '21 ok, 0 with problems, 0 skipped')
        write(self.path('x.lgp'), writers.lgp([('hrda', '', read(PACK)[:-40]), ('hraa', '', read(sample('ff7', 'hraa'))), ('text', '', b'no format')])[0])
        p = self.check(run('check', 'x.lgp', cwd=self.folder), 1)
        self.assertIn('x.lgp:hrda: ', p.stdout.decode())
        self.assertEqual(p.stdout.decode().splitlines()[-1], '1 ok, 1 with problems, 1 skipped (nothing to check)')
        p = self.check(run('check', 'x.lgp:nothing', cwd=self.folder), 1)
        self.assertEqual(p.stdout.decode(), "x.lgp: contains no entry 'nothing'; it contains hrda, hraa, text\n")

    def test_a_file_and_an_archive_go_round(self):
        p = self.check(run('check', '--roundtrip', PACK), 0)
        self.assertEqual(p.stdout.decode().splitlines()[1].split(), ['hrda', 'ff7-battle-animation', str(os.path.getsize(PACK)), 'identical'])
        p = self.check(run('check', '--roundtrip', LGP), 0)
        self.assertEqual(p.stdout.decode().splitlines()[-1], '21 identical, 0 not, 0 that can\'t be written')
        self.assertIn('hrda ', p.stdout.decode())
        p = self.check(run('check', '--roundtrip', PACK, sample('ff7', 'hraa'), LGP), 0)     # no word is passed over
        self.assertEqual(p.stdout.decode().splitlines()[-1], '23 identical, 0 not, 0 that can\'t be written')
        for name in (PACK, sample('ff7', 'hraa'), LGP + ':hrda'):
            self.assertIn(name + ' ', p.stdout.decode())
        p = run('check', '--roundtrip', PACK, 'nothing', cwd=self.folder)
        self.assertEqual((p.returncode, p.stdout, p.err), (1, b'', "reanima: nothing: can't be read: No such file or directory\n"))
        p = run('check', '--roundtrip', 'nothing', cwd=self.folder)
        self.assertEqual((p.returncode, p.err), (1, "reanima: nothing: can't be read: No such file or directory\n"))
        write(self.path('notes.txt'), b'hello')
        p = run('check', '--roundtrip', 'notes.txt', cwd=self.folder)
        self.assertEqual((p.returncode, p.err), (1, 'reanima: notes.txt: is not a file of a known format\n'))

    def test_patterns_that_the_shell_leaves_are_files(self):
        """cmd.exe does not expand them"""
        for name in ('hrda', 'hraa', 'hrck'):
            write(self.path('in', name), read(sample('ff7', name)))
        shutil.copy(LGP, self.path('battle.lgp'))
        for pattern, names in (('in/*a', ['in/hraa', 'in/hrda']), ('**/hr?a', ['in/hraa', 'in/hrda']), ('battle.lgp:hr[ad]a', ['battle.lgp:hraa', 'battle.lgp:hrda'])):
            answer = json.loads(self.check(run('info', pattern, '--json', cwd=self.folder), 0).stdout)
            self.assertEqual([file['file'] for file in answer], names)
            lines = self.check(run('check', pattern, cwd=self.folder), 0).stdout.decode().splitlines()
            self.assertEqual([line.split(': ok')[0] for line in lines], names)
            lines = self.check(run('check', '--roundtrip', pattern, cwd=self.folder), 0).stdout.decode().splitlines()
            self.assertEqual([line.split()[0] for line in lines[1:-1]], names)
        found = json.loads(self.check(run('find', 'kind:character', 'in/*da', '--json', cwd=self.folder), 0).stdout)['found']
        self.assertEqual([each['file'] for each in found], ['in/hrda'])
        write(self.path('videos/a.rlf'), read(WHEEL))
        write(self.path('videos/b.rlf'), read(WHEEL))
        self.check(run('frames', 'videos/*.rlf', '--as', 'apng', '-o', 'out', cwd=self.folder), 0)
        self.assertEqual(sorted(os.listdir(self.path('out'))), ['a.png', 'b.png'])
        write(self.path('[x].rlf'), read(WHEEL))                # a file that is called like a pattern is meant alone
        self.assertIn('[x].rlf: ok', self.check(run('check', '[x].rlf', cwd=self.folder), 0).stdout.decode())
        for verb in ('info', 'frames'):
            self.check(run(verb, '*.none', cwd=self.folder), 1, "reanima: *.none: can't be read: No such file or directory\n")

    def test_what_is_skipped_and_used_is_listed_on_request(self):
        write(self.path('in/notes.txt'), b'hello')
        for name in ('hrda', 'hraa', 'hrck'):
            write(self.path('in', name), read(sample('ff7', name)))
        os.symlink('.', self.path('in/link'))
        os.mkfifo(self.path('in/pipe'))
        quiet = self.check(run('convert', 'in', '-o', 'out/', cwd=self.folder), 0).err
        self.assertNotIn('skipped: ', quiet)
        self.assertNotIn('uses in/hraa', quiet)
        p = self.check(run('convert', 'in', '-o', 'out/', '-v', '--force', cwd=self.folder), 0)
        for line in ('in/hrda: uses in/hraa as its skeleton, found beside it', 'in/notes.txt: skipped: is of no known format',
                     'in/hrck: skipped: belongs to a character and is converted with it', 'in/link: skipped: is a link to a folder',
                     'in/pipe: skipped: is a device or a pipe'):
            self.assertIn(line + '\n', p.err)
        self.tells(f'{LGP}:hrck: skipped: is not a character\n', 'convert', LGP, '-o', 'lgp/', '-v')

    def test_companions_of_every_kind_are_named(self):
        p = self.check(run('convert', sample('metroid', 'hero_walk.ANIM'), '-v', '-o', self.path('x.glb')), 0)
        self.assertIn('hero_walk.ANIM: uses %s as its events, found beside it\n' % sample('metroid', 'hero_walk.EVNT'), p.err)
        p = self.check(run('convert', sample('metroid', 'hero_walk.ANIM'), '-s', sample('metroid', 'hero.CINF'), '-v', '-o', self.path('y.glb')), 0)
        self.assertIn('hero_walk.ANIM: uses %s as its skeleton\n' % sample('metroid', 'hero.CINF'), p.err)

    def test_meshes_and_textures_are_named(self):
        part = lambda name: os.path.join(os.path.dirname(PACK), name)                       # noqa: E731
        for source, path in ((PACK, part), (LGP + ':hrda', lambda name: LGP + ':' + name)):
            p = self.check(run('convert', source, '-v', '--force', '-o', self.path('x.glb')), 0)
            line, = (line for line in p.err.splitlines() if ': meshes and textures are read from ' in line)
            before, parts = line.split(': meshes and textures are read from ')
            # Textures, meshes of the bones that have one, and the weapon, as samples/ff7/generate.py writes them.
            self.assertEqual((before, sorted(parts.split(', '))), (source, sorted(path('hr' + end) for end in
                             'ac ad am an ao ap ar as at av aw ax az ba bb bd be bf ck'.split())))
        p = self.check(run('convert', PACK, '-v', '--no-mesh', '--force', '-o', self.path('x.glb')), 0)
        self.assertNotIn('meshes and textures', p.err)

    def test_a_character_without_clips_says_where_to_find_some(self):
        for source in (sample('ff9', 'hero.ff9model'), sample('ff7', 'hraa'), sample('metroid', 'echo.CINF')):
            p = self.check(run('convert', source, '--force', '-o', self.path('x.glb')), 0)
            self.assertRegex(p.err, r'0 clips; add animations with --animations\n$')
        write(self.path('FF9.IMG'), image([(98, whole([ZDN], []))]))
        p = self.check(run('convert', 'FF9.IMG:Zidane', '-o', 'y.glb', cwd=self.folder), 0)
        self.assertRegex(p.err, r'0 clips; add animations with --animations\n$')
        p = self.check(run('convert', 'FF9.IMG:Zidane', '--clip', 'run', '-o', 'z.glb', cwd=self.folder), 1)
        self.assertEqual(p.err.splitlines(True)[-1], 'reanima: FF9.IMG:4/98: no clip matches; it has no clips (see --clip run)\n')

    def test_large_batches_say_little(self):
        data, skeleton = read(PACK), read(sample('ff7', 'hraa'))
        for i in range(30):
            write(self.path('in', '%da' % i, 'rtda'), data)
            write(self.path('in', '%da' % i, 'rtaa'), skeleton)
        p = self.check(run('convert', 'in', '-o', 'out/', '--no-mesh', cwd=self.folder), 0)
        lines = p.err.splitlines()
        self.assertEqual(len([line for line in lines if 'rotations exceed 120 degrees' in line]), 1)
        self.assertIn('29 more notes like these (large-step). Use -v to see them', lines)
        self.assertEqual([line for line in lines if line.startswith('wrote ')], [])
        self.assertLess(len(lines), 30)
        p = self.check(run('convert', 'in', '-o', 'out/', '--no-mesh', '-v', '--force', cwd=self.folder), 0)
        self.assertEqual(len([line for line in p.err.splitlines() if line.startswith('wrote ')]), 30)

    def test_only_files_for_players_tell_of_large_rotations(self):
        note = 'rotations exceed 120 degrees'
        self.assertIn(note, self.check(run('convert', PACK, '-o', self.path('x.glb')), 0).err)
        for words in (['info', PACK], ['preview', PACK, '-o', self.path('x.html')], ['convert', PACK, '--clip', '4', '-o', self.path('x.bvh')]):
            self.assertNotIn(note, self.check(run(*words), 0).err, words)
        self.assertIn(note, self.check(run('info', PACK, '--warn', 'large-step=warn'), 0).err)
        self.check(run('info', PACK, '--warn', 'large-step=error'), 1)
        two = run('convert', sample('ff7', 'hraa'), PACK, PACK, '-o', self.path('two.glb'))
        self.assertEqual(self.check(two, 0).err.count(note), 1)

    def test_the_preview_of_a_folder_sums_up(self):
        for i in range(6):
            write(self.path('in', '%d.rlf' % i), read(sample('rlf', 'wheel.rlf'))[:-9])
        p = self.check(run('preview', 'in', '-o', 'x.html', cwd=self.folder), 0)
        warned = [line for line in p.err.splitlines() if ' warning: ' in line]
        self.assertEqual(len(warned), 3, p.err)
        self.assertRegex(p.err, r'\n3 more warnings like these \(truncated\)\. Use -v to see them\n')
        p = run('preview', 'in', '-v', '--force', '-o', 'x.html', cwd=self.folder)
        self.assertEqual(len([line for line in p.err.splitlines() if ' warning: ' in line]), 6, p.err)


class Help(Case):
    def text(self, *words):
        return self.check(run(*words), 0, '').stdout.decode()

    def test_everything_fits_into_eighty_columns(self):
        for words in (['--help'], ['formats'], *([verb, flag] for verb in VERBS for flag in ('-h', '--help'))):
            for line in self.text(*words).splitlines():
                self.assertLessEqual(len(line), 80, (words, line))

    def test_short_help_is_one_screen(self):
        for verb in VERBS:
            lines = self.text(verb, '-h').splitlines()
            self.assertLessEqual(len(lines), 24, verb)
            self.assertEqual(lines[-1], f'`reanima {verb} --help` lists every option.')
            options = [line for line in lines if line.startswith('  -')]
            self.assertLessEqual(len(options), 10, verb)
            self.assertEqual(lines[lines.index('Examples:') + 1][:len(verb) + 11], '  reanima ' + verb + lines[lines.index('Examples:') + 1][len(verb) + 10:len(verb) + 11])
            self.assertLessEqual(lines.index('Examples:') + 1 + 3, len(lines) - 1)
            full = self.text(verb, '--help')
            for line in options:
                self.assertIn('\n  ' + line.split()[0] + ' ' if ' ' in line.strip() else line.strip(), full)

    # Where `-h` has its own words, because the first sentence in `--help` is longer.
    OWN = {
        '*': {'--animations': 'more animations: a file, archive or folder', '--clip': 'only these clips, by index, range A-B or name',
              '--grip': 'whether hands close around weapons', '--mode': 'how rotations are transferred',
              '--reduce': 'fewer keys; no joint is off by more than MM mm', '--root-motion': "keep, remove or extract the displacement",
              '--skeleton': "the game's skeleton, or a rig to bind to", '--source-rest': "the source's pose that matches the rig's rest pose"},
        'bind': {'--output': 'X.glb: the animations; MAP.json: a mapping', '--suggest': 'write a mapping'},
        'check': {'--roundtrip': 'decode a file or a folder, encode, compare',
                  '--warn': 'ignore CODE, warn about it, or make it an error'},
        'convert': {'--as': "the format; default: from the output's name", 'INPUT': 'files, folders, archives, patterns in quotes', '--output': 'a file (X.glb, X.vrm, X.bvh, ...) or FOLDER/'},
        'encode': {'--append': "with --into: add clips after those of the file", '--at': 'with --into: replace clip N of the file',
                   '--format': 'the format to write; default: as the JSON states'},
        'extract': {'ARCHIVE': 'the archive', 'ENTRY': 'names or patterns of entries; default: all'},
        'frames': {'--output': 'FOLDER/, or FILE for apng, y4m and raw',
                   '--as': 'images, sheets of images, or a video', '--rate': 'frames per second', '--unique': 'only the forward half of forward-and-back videos'},
        'info': {'--names-template': 'print a file for --names, to edit'},
        'list': {'ARCHIVE': 'an archive or a folder', '--recursive': 'also show characters and clips in the files'}}

    def meanings(self, verb, flag):
        """-> {long name or word: meaning, its lines joined}"""
        text = self.text(verb, flag).split('Examples:')[0]
        entries = re.findall(r'^  ([^ ].*?)(?: {2,}|\n {30})(\S.*(?:\n {30}\S.*)*)', text, re.M)
        return {re.match(r'(?:-\w,)?(--[\w-]+|-\w\b|\w+)', names).group(1): ' '.join(meaning.split()) for names, meaning in entries}

    def test_short_help_cuts_no_sentence(self):
        unused = {(verb, name) for verb, own in self.OWN.items() for name in own}
        for verb in VERBS:
            whole, shown = self.meanings(verb, '--help'), self.meanings(verb, '-h')
            self.assertGreaterEqual(len(shown), 2, verb)
            for name, meaning in shown.items():
                if whole[name] == meaning or whole[name].startswith((meaning + ';', meaning + '. ')):
                    continue
                place = verb if name in self.OWN.get(verb, {}) else '*'
                self.assertEqual(meaning, self.OWN[place].get(name), (verb, name))
                unused.discard((place, name))
        self.assertEqual(unused, set())

    def test_short_help_of_a_narrow_terminal_cuts_no_sentence(self):
        for verb in VERBS:
            narrow = ' '.join(' '.join(on_terminal(50, verb, '-h')).split())
            for meaning in self.meanings(verb, '-h').values():
                self.assertIn(meaning, narrow, verb)

    def test_usual_options_exist(self):
        self.assertEqual(len([l for l in self.text('convert', '-h').splitlines() if l.startswith('  -')]), 10)
        self.assertIn('  -s,--skeleton FILE', self.text('bind', '-h'))
        for verb, wanted in (('list', '-r,--recursive'), ('convert', '--model ID'), ('convert', '--as '), ('convert', '--root-motion '),
                             ('encode', 'a motion file (.bvh, .vrma, .fbx'), ('frames', 'ffmpeg -i - -pix_fmt yuv420p a.mp4')):
            self.assertIn(wanted, ' '.join(self.text(verb, '-h').split()), verb)

    def test_the_page_and_the_help_name_the_same_things(self):
        helped = dict(re.findall(r'^  (\w+) +(.*(?:\n {12}\S.*)*)', self.text('--help').split('Verbs:')[1].split('Options:')[0], re.M))
        said = {re.search(r'reanima (\w+)', row[0]).group(1): row for row in rows(PAGE, ['verb'])}
        self.assertEqual(list(helped), list(said))
        for verb, row in said.items():
            self.assertEqual(' '.join(helped[verb].split()), row[1])
            usage = re.sub(r'^`reanima |`$', '', row[0])
            self.assertEqual(self.text(verb, '-h').splitlines()[0].strip(), ('reanima ' + usage).strip())

    def test_the_help_and_the_manual_name_the_way_without_a_verb(self):
        lines = self.text('--help').splitlines()
        self.assertEqual(lines[lines.index('reanima VERB ...') + 1], 'reanima FILE...     previews files in the browser (or drop them on the program)')
        self.assertIn('\\fBreanima\\fR \\fIFILE\\fR...\n', self.text('--man-page'))

    def test_options_of_which_several_may_be_given_say_so(self):
        text = ' '.join(self.text('convert', '--help').split())
        for option in ('--clip SEL', '--warn CODE=LEVEL', '--model ID', '--hide-group N', '--map FILE'):
            self.assertRegex(text, re.escape(option) + r' (?:(?! --?\w).)*repeatable', option)
        self.assertNotIn('SEL ...', text)

    def test_archives_are_listed_with_the_formats(self):
        text = self.text('formats')
        for id in ('ff7-lgp', 'ff9-img', 'metroid-pak', 'zfs'):
            self.assertRegex(text, rf'(?m)^{id} ')

    def test_a_terminals_width_counts(self):
        options = '\n'.join(on_terminal(60, 'frames', '--help')).split('Examples:')[0].splitlines()
        self.assertLessEqual(max(map(len, options)), 60)
        self.assertGreater(len(options), len(self.text('frames', '--help').split('Examples:')[0].splitlines()))


class Tables(Case):
    def lines(self, *words):
        return run(*words, cwd=self.folder).stdout.decode().splitlines()

    def test_fit_into_eighty_columns(self):
        self.check(run('convert', sample('ff7', 'hraa'), '-q', '-o', self.path('rig.glb')), 0)
        for game in ('ff7', 'ff8', 'ff9', 'metroid', 'rlf', 'archives'):
            shutil.copytree(sample(game), self.path(game))
        files = ['rig.glb', *(n for n in self.files() if n.split('/')[0] not in ('archives', 'rlf'))]
        self.assertGreater(len(files), 40)
        for name in files:
            for line in self.lines('info', name)[1:]:
                if not line.startswith(('not recognised as a humanoid: ', 'skeleton: ')):     # sentences
                    self.assertLessEqual(len(line), 80, (name, line))
        archives = [n for n in self.files() if n.startswith('archives/')]
        for words in (['ff7'], ['metroid'], ['-r', 'ff7'], ['-r', 'metroid'], *([n] for n in archives), *(['-r', n] for n in archives)):
            for line in self.lines('list', *words)[1:]:
                self.assertLessEqual(len(line), 80, (words, line))

    def test_tell_less_where_they_are_narrow_and_all_on_request(self):
        heads = ['index', 'clip', 'frames', 'seconds', 'loop', 'end to start', 'root travel', 'height', 'turning', 'most']
        row = {'index': '1', 'clip': 'hrda_001', 'frames': '17', 'seconds': '1.067', 'loop': 'closed', 'end to start': '1.316 m  12.5 deg', 'root travel': '1.188 m',
               'height': '0.031 m', 'turning': '42 deg/s', 'most': 'right leg, left leg, weapon'}
        for width, shown in ((None, ['index', 'clip', 'frames', 'seconds', 'loop', 'most']), ('-v', heads), (40, ['index', 'clip', 'frames', 'seconds', 'loop']),
                             (20, ['index', 'clip', 'frames', 'seconds']), (200, heads)):
            lines = on_terminal(width, 'info', PACK) if isinstance(width, int) else self.lines('info', PACK, *([width] if width else []))
            at = next(i for i, line in enumerate(lines) if line.startswith('index  clip'))
            self.assertEqual(re.split(r' {2,}', lines[at]), shown, width)
            joined = '  '.join(row[name] for name in shown)
            self.assertEqual(re.sub(r' {2,}', '  ', lines[at + 2]).strip(), joined)

    def test_names_stay_whole(self):
        name = 'a_clip_with_a_name_that_is_longer_than_a_line_of_a_terminal_that_is_eighty_characters_wide'
        write(self.path('n.csv'), f'clip,0,{name}\n')
        self.check(run('convert', PACK, '-s', sample('ff7', 'hraa'), '--names', self.path('n.csv'), '-q', '-o', self.path('x.glb')), 0)
        lines = self.lines('info', 'x.glb')
        self.assertTrue(any(name in line for line in lines), lines)


class Completions(Case):
    def script(self, shell):
        return self.check(run('--completion', shell), 0, '').stdout.decode()

    def test_bash(self):
        path = write(self.path('reanima.bash'), self.script('bash'))

        def completed(*words):
            line = ' '.join(f"'{w}'" for w in words)
            text = f'. {path}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _reanima; printf "%s\\n" "${{COMPREPLY[@]}}"'
            return subprocess.run(['bash', '-c', text], stdout=subprocess.PIPE, check=True).stdout.decode().split()

        self.assertEqual(completed('reanima', 'con'), ['convert'])
        self.assertEqual(set(completed('reanima', '')), set(VERBS))
        self.assertEqual(completed('reanima', 'convert', 'rtda', '--ou'), ['--output', '--outputs', '--outputs-from'])
        self.assertEqual(completed('reanima', 'frames', 'x', '--as', ''), ['png', 'sheet', 'apng', 'y4m', 'raw', 'raw555'])
        self.assertEqual(completed('reanima', 'convert', 'rt'), [])           # bash completes names of files then

    def test_the_others_hold_every_option(self):
        for shell, begin in (('zsh', '#compdef reanima\n'), ('fish', '# Completion')):
            text = self.script(shell)
            self.assertTrue(text.startswith(begin), shell)
            for verb in VERBS:
                for option in re.findall(r'(?m)^  (?:-\w,)?--([\w-]+)', self.check(run(verb, '--help'), 0).stdout.decode()):
                    self.assertIn('--' + option + '[' if shell == 'zsh' else ' -l ' + option + ' ', text)
            if shutil.which(shell):
                write(self.path(shell), text)
                subprocess.run([shell, '-n', self.path(shell)], check=True)

    def test_another_shell_is_refused(self):
        self.check(run('--completion', 'csh'), 2, 'reanima: --completion csh: expected bash, zsh or fish\n')

    @unittest.skipUnless(shutil.which('man'), 'no man')
    def test_the_manual_page_renders(self):
        path = write(self.path('reanima.1'), self.check(run('--man-page'), 0, '').stdout)
        p = subprocess.run(['man', '--warnings', '-E', 'UTF-8', '-l', '-Tutf8', path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           env=dict(os.environ, MANWIDTH='80', MANROFFSEQ=''), check=True)
        self.assertEqual(p.stderr, b'')
        text = re.sub('.\b', '', re.sub('\033\\[[0-9;]*m', '', p.stdout.decode()))
        for verb in VERBS:
            self.assertIn('reanima ' + verb, text)
        self.assertIn('--if-changed', text.replace('\u2010', '-'))


class DefaultOutputs(Case):
    def test_preview_frames_and_extract_write_into_the_current_folder(self):
        self.check(run('preview', PACK, cwd=self.folder), 0)
        self.check(run('frames', WHEEL, cwd=self.folder), 0)
        self.check(run('extract', LGP, 'hrda', cwd=self.folder), 0)
        self.assertEqual(sorted(os.listdir(self.folder)), ['battle', 'hrda.html', 'wheel'])
        self.assertEqual(os.listdir(self.path('battle')), ['hrda'])
        for words, message in ((['preview', PACK], 'hrda.html: exists; --force replaces it'),
                               (['frames', WHEEL], 'wheel: exists and is not empty; --force writes into it'),
                               (['extract', LGP, 'hraa'], 'battle: exists and is not empty; --force writes into it')):
            self.check(run(*words, cwd=self.folder), 2, f'reanima: {message}\n')
        write(self.path('hero'), b'')
        self.check(run('extract', PAK, cwd=self.folder), 2, 'reanima: hero: is not a folder. Choose another folder with -o FOLDER/\n')

    def test_what_is_made_of_a_folder_has_its_name(self):
        shutil.copytree(sample('metroid'), self.path('set/metroid'))
        self.check(run('preview', 'set/metroid/', '-q', cwd=self.folder), 0)
        self.check(run('preview', '.', '-q', cwd=self.path('set')), 0)
        self.assertEqual([n for n in self.files() if n.endswith('.html')], ['metroid.html', 'set/set.html'])


class AFileInsteadOfAVerb(Case):
    def shown(self, *words, desktop=True, opener='#!/bin/sh\nprintf "%s" "$1" > "$SHOWN"\n'):
        opened = write(self.path('bin/xdg-open'), opener)
        os.chmod(opened, 0o755)
        os.makedirs(self.path('tmp'), exist_ok=True)
        env = dict(PATH=self.path('bin') + ':' + os.environ['PATH'], TMPDIR=self.path('tmp'), SHOWN=self.path('shown'),
                   DISPLAY=':7' if desktop else '', WAYLAND_DISPLAY='')
        return run(*words, cwd=self.folder, env=env)

    def test_it_is_previewed(self):
        self.check(self.shown(PACK), 0)
        page = read(self.path('shown')).decode()
        folder = self.path('tmp', 'reanima-%d' % os.geteuid())
        self.assertEqual(page, os.path.join(folder, 'hrda.html'))
        self.assertIn(b'hrda', read(page))
        self.assertEqual(stat.S_IMODE(os.stat(folder).st_mode), 0o700)
        self.check(self.shown(sample('metroid'), WHEEL), 0)       # the next one takes its place
        self.assertEqual(os.listdir(folder), ['metroid.html'])
        self.check(self.shown(LGP + ':hrda', '--no-mesh'), 0)
        self.assertEqual(os.listdir(folder), ['hrda.html'])

    def test_without_a_desktop_its_path_is_printed(self):
        page = self.path('tmp', 'reanima-%d' % os.geteuid(), 'hrda.html')
        for more in ({'desktop': False}, {'opener': '#!/bin/sh\nexit 3\n'}):
            p = self.check(self.shown(PACK, **more), 0)
            self.assertTrue(p.err.endswith(f'open it in a browser: {page}\n'), p.err)

    def test_what_cannot_be_shown_opens_nothing(self):
        write(self.path('notes.txt'), b'hello')
        self.check(self.shown('notes.txt'), 1, 'reanima: notes.txt: is not a file of a known format\n')
        self.assertFalse(os.path.exists(self.path('shown')))
        os.symlink('/', self.path('tmp2'))
        os.makedirs(self.path('tmp'), exist_ok=True)
        shutil.rmtree(self.path('tmp', 'reanima-%d' % os.geteuid()))
        os.symlink('..', self.path('tmp', 'reanima-%d' % os.geteuid()))
        self.check(self.shown(PACK), 3, f"reanima: {PACK}: can't be shown, because the page's folder can't be made: Operation not permitted\n")

    def test_a_verb_takes_precedence(self):
        write(self.path('formats'), read(PACK))
        self.assertIn(b'ff7-lgp', self.check(self.shown('formats'), 0).stdout)


class LetterCase(Case):

    def test_companions_are_found_in_any_case(self):
        for game, files in (('ff7', {'HRDA': 'hrda', 'hraa': 'hraa'}), ('ff7', {'hrda': 'hrda', 'HRAA': 'hraa'}), ('ff7', {'Hrda': 'hrda', 'hRaA': 'hraa'}),
                            ('metroid', {'hero_walk.anim': 'hero_walk.ANIM', 'HERO.Cinf': 'hero.CINF'})):
            for name, source in files.items():
                write(self.path(source, name), read(sample(game, source)))
            folder = self.path('case')
            shutil.rmtree(folder, ignore_errors=True)
            for name, source in files.items():
                write(os.path.join(folder, name), read(sample(game, source)))
            first = next(iter(files))
            p = self.check(run('info', first, '--json', cwd=folder), 0)
            answer, = json.loads(p.stdout)
            self.assertEqual(answer['skeleton'], 'found', files)

    def test_an_exact_name_comes_first(self):
        write(self.path('hrda'), read(PACK))
        write(self.path('HRAA'), b'nothing that could be read')
        write(self.path('hraa'), read(sample('ff7', 'hraa')))
        answer, = json.loads(self.check(run('info', 'hrda', '--json', cwd=self.folder), 0).stdout)
        self.assertEqual(answer['skeleton'], 'found')

    def test_the_name_that_is_there_is_protected(self):
        write(self.path('HRDA'), read(PACK))
        write(self.path('hraa'), read(sample('ff7', 'hraa')))
        self.check(run('dump', 'HRDA', '-o', 'hraa', '--force', cwd=self.folder), 2, 'reanima: hraa: the output is an input\n')


if __name__ == '__main__':
    unittest.main()
