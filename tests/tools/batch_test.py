#!/usr/bin/env python3
"""Batches and pipelines: many inputs, job files, updates, dependencies, and runs that are stopped.

    REANIMA=build/release/reanima tests/tools/batch_test.py [--long]      --long: 10,000 packs, 50 kills, and the measurements
"""
import json, os, random, re, resource, shutil, signal, struct, subprocess, sys, time, unittest

from support import Case, SANITIZED, Scene, TOOL, conformance, read, run, sample, write

LONG = '--long' in sys.argv
PACKS = 10000 if LONG else 200 if SANITIZED else 400
KILLS = 200 if LONG else 6
PACK, SKELETON = sample('ff7', 'hrda'), sample('ff7', 'hraa')


def content(folder):
    """-> {path below folder: bytes}"""
    return {os.path.relpath(os.path.join(d, f), folder): read(os.path.join(d, f)) for d, _, fs in os.walk(folder) for f in fs}


def report(path):
    """-> (lines of outputs, sums)"""
    *outputs, last = [json.loads(line) for line in read(path).decode().splitlines()]
    return (outputs, last['sums']) if 'sums' in last else ([*outputs, last], None)


def lines(path):
    return report(path)[0]


def walk_pack(number):
    """The sample pack with the first frame's root moved: the two words after the animation header and the stream's 5 bytes."""
    data = bytearray(read(PACK))
    struct.pack_into('<h', data, 4 + 12 + 5, number % 30000)
    struct.pack_into('<h', data, 4 + 12 + 7, number // 30000)
    return bytes(data)


class Tree(Case):
    """A folder `in` with many packs, some of them damaged."""

    def tree(self, packs):
        """-> names of the packs that can be converted"""
        good = []
        for i in range(packs):
            name = 'in/%d/%03d/%c%cda' % (i // 100 % 10, i // 100, 97 + i // 10 % 10, 97 + i % 10)
            if i % 100 == 7:
                write(self.path(name), b'' if i % 200 == 7 else bytes(1000))    # nothing in it; nothing but zeros
            else:
                write(self.path(name), walk_pack(i))
                good.append(name)
        return good

    def convert(self, *args, **more):
        return run('convert', *args, cwd=self.folder, **more)


class Inputs(Tree):
    def outputs(self, *args):
        return self.check(self.convert(*args, '--outputs'), 0).stdout.decode().splitlines()

    def test_patterns_that_the_shell_left_alone(self):
        for name in ('a/rtda', 'a/rsda', 'b/rtda', 'b/.hidden', 'b/deep/rtda', 'x[1]da'):
            write(self.path(name), read(PACK))
        self.assertEqual(self.outputs('a/r?da'), ['rsda.glb', 'rtda.glb'])
        self.assertEqual(self.outputs('*/rtda', '-o', 'out/'), ['out/a/rtda.glb', 'out/b/rtda.glb'])
        self.assertEqual(self.outputs('**/rtda', '-o', 'out/'), ['out/a/rtda.glb', 'out/b/deep/rtda.glb', 'out/b/rtda.glb'])
        self.assertEqual(self.outputs('a/r[!s]da'), ['rtda.glb'])
        self.assertEqual(self.outputs('a/r[a-s]da'), ['rsda.glb'])
        self.assertEqual(self.outputs('x[1]da'), ['x[1]da.glb'])                # it exists
        self.assertEqual(self.outputs('a/*da', '-o', 'all.gltf'), ['all.gltf', 'all.bin'])
        self.check(self.convert('a/no*', '-o', 'out/'), 1, 'reanima: a/no*: there is no such file\n0 converted, 1 failed, 0 skipped\n')
        self.assertFalse(os.path.exists(self.path('out')))

    def test_patterns_take_either_case_and_entries_of_archives(self):
        for name in ('a/RTDA', 'a/rsda'):
            write(self.path(name), read(PACK))
        self.assertEqual(self.outputs('a/r?da'), ['RTDA.glb', 'rsda.glb'])
        lgp, img = sample('archives', 'battle.lgp'), sample('archives', 'FF9.IMG')
        self.assertEqual(self.outputs(lgp + ':H?da'), ['hrda.glb'])
        self.assertEqual(self.outputs(img + ':10/*', '-o', 'out/'), ['out/300_2000.glb', 'out/300_2010.glb', 'out/301.glb'])
        self.assertEqual(self.outputs(img + ':**/301', '-o', 'out/'), ['out/10/301.glb'])
        self.assertEqual(self.outputs(img + ':10/300:*.ff9model', '-o', 'out/'), ['out/02/2000.glb', 'out/02/2010.glb'])
        self.check(self.convert(lgp + ':no*', '-o', 'out/'), 1, 'reanima: %s:no*: there is no such entry\n0 converted, 1 failed, 0 skipped\n' % lgp)
        self.assertEqual(self.outputs(sample('ff9', 'props.ff9db'), '--model', '20?0', '-o', 'out/'), ['out/props_2000.glb', 'out/props_2010.glb'])
        self.assertEqual(self.outputs(sample('ff9', 'props.ff9db'), '--model', '*10'), ['props.glb'])
        self.check(self.convert(sample('ff9', 'props.ff9db'), '--model', '3*', '-o', 'out/'), 1)

    def test_one_table_of_names_for_several_characters(self):
        for name in ('rtda', 'rsda'):
            write(self.path('in', name), read(PACK))
        clips = lambda name: [a['name'] for a in Scene(read(self.path('out', name + '.glb'))).g['animations']]
        write(self.path('names.csv'), 'clip,0,rest\n')
        self.check(self.convert('in', '-o', 'out/', '-s', SKELETON, '--names', 'names.csv'), 2,
                   "reanima: --names: there are several outputs, so each line with a clip's number needs a column for the file: clip,INDEX,NAME,FILE\n")
        self.assertFalse(os.path.exists(self.path('out')))
        write(self.path('names.csv'), 'clip,0,stand,rtda\nclip,0,wait,in/rsda\nclip,1,walk,r?da\njoint,0,hips,,rtda\n')
        self.check(self.convert('in', '-o', 'out/', '-s', SKELETON, '--names', 'names.csv'), 0)
        self.assertEqual(clips('cloud'), ['stand', 'walk', 'victory', 'step_back'])
        self.assertEqual(clips('frog'), ['wait', 'walk', 'rsda_002', 'rsda_004'])
        joints = lambda name: {n['name'] for n in Scene(read(self.path('out', name + '.glb'))).nodes}
        self.assertEqual(('hips' in joints('cloud'), 'hips' in joints('frog')), (True, False))
        csv = self.check(run('info', sample('ff9', 'props.ff9db'), '--names-template'), 0).stdout.decode()
        self.assertIn('clip,0,anim_02001,2000\n', csv)
        write(self.path('names.csv'), csv.replace(',anim_02001,', ',shut,').replace(',anim_02011,', ',pull,'))
        self.check(self.convert(sample('ff9', 'props.ff9db'), '-o', 'out/', '--names', 'names.csv', '--force'), 0)
        self.assertEqual((clips('props_2000'), clips('props_2010')), (['anim_02002', 'shut'], ['pull']))

    def test_outputs_have_names_that_windows_takes(self):
        for name in ('in/nul/rtda', 'in/a:b. /aux.x', 'in/a:b. /c*d?'):
            write(self.path(name), read(PACK))
        self.assertEqual(self.outputs('in', '-o', 'out/'), ['out/a_b__/aux_.glb', 'out/a_b__/c_d_.glb', 'out/nul_/rtda.glb'])
        self.assertEqual(self.outputs('in/nul/rtda', '-o', 'nul.glb'), ['nul.glb'])       # as it is written

    def test_standard_input(self):
        p = self.check(run('convert', '-', '-s', SKELETON, '-o', self.path('x.glb'), '--format', 'ff7-battle-animation', stdin=read(PACK)), 0)
        shutil.copy(PACK, self.path('stdin'))
        self.check(self.convert('stdin', '-s', SKELETON, '-o', 'y.glb'), 0)
        self.assertEqual([a['name'] for a in Scene(read(self.path('x.glb'))).g['animations']], ['stdin_000', 'stdin_001', 'stdin_002', 'stdin_004'])
        self.assertEqual(Scene(read(self.path('x.glb'))).blob, Scene(read(self.path('y.glb'))).blob)
        self.check(run('convert', '-', '-q', stdin=b'', cwd=self.folder), 1, 'reanima: standard input: is empty\n')
        rlf = self.check(run('convert', '-', '-o', '-', stdin=read(sample('rlf', 'wheel.rlf'))), 0)      # found out by its content
        self.assertEqual(rlf.stdout[:4], b'glTF')

    def test_what_a_file_is_not(self):
        """A pipe, folders, links without a target: one message each, and the other inputs are converted."""
        os.makedirs(self.path('in/apda'))                                       # a folder that is called like a pack
        os.mkfifo(self.path('in/fida'))
        os.symlink('nowhere', self.path('in/loda'))
        os.symlink('roda', self.path('in/roda'))
        os.symlink('.', self.path('in/loop'))
        os.symlink('/proc/self/mem', self.path('in/meda'))                     # opens, but can't be read
        write(self.path('in/emda'), b'')
        write(self.path('in/notes.txt'), b'hello')
        write(self.path('in/.rtda.glb.99.reanima-tmp'), read(PACK))             # a killed process left it
        write(self.path('in/rtda'), read(PACK))
        p = self.convert('in', '-o', 'out/', '--report', 'report', '--warn', 'skeleton-made-up=ignore', '--warn', 'large-step=ignore')
        said = [re.sub(r', .*', '', l) for l in p.err.splitlines()]
        self.assertEqual(said, [
            'reanima: in/emda: is empty',
            'reanima: in/loda: can\'t be read: No such file or directory',
            'reanima: in/meda: can\'t be read: Input/output error',
            'reanima: in/roda: can\'t be read: Too many levels of symbolic links',
            'wrote out/rtda.glb: 8 clips',
            'in/loop: is a link to a folder',
            '1 converted'])
        self.assertEqual(p.err.splitlines()[-1], '1 converted, 4 failed, 3 skipped (nothing to convert)')
        self.assertEqual(p.returncode, 1)
        self.assertEqual(sorted(content(self.path('out'))), ['rtda.glb'])
        self.assertEqual([(l['input'], l['status']) for l in lines(self.path('report'))],
                         [('in/emda', 'failed'), ('in/loda', 'failed'), ('in/meda', 'failed'), ('in/roda', 'failed'), ('in/rtda', 'ok')])
        for name in ('fida', 'loda', 'roda', 'meda', 'emda'):          # and one by one
            one = self.check(self.convert('in/' + name, '-o', 'x.glb'), 1)
            self.assertEqual(len(one.err.splitlines()), 1)

    def test_foreign_files_of_any_size_are_skipped(self):
        """Foreign files in a folder may be videos, or links to endless devices."""
        write(self.path('in/rtda'), read(PACK))
        write(self.path('in/video.mp4'), b'\0\0\0\x20ftypisom' + bytes(range(256)))
        os.truncate(self.path('in/video.mp4'), 1100 << 20)                       # sparse: takes no room
        os.symlink('/dev/zero', self.path('in/endless'))
        options = ('--warn', 'skeleton-made-up=ignore', '--warn', 'large-step=ignore')
        self.check(self.convert('in', '-o', 'out/', *options, preexec=self.little_memory), 0)
        self.assertEqual(sorted(content(self.path('out'))), ['rtda.glb'])
        p = self.check(run('check', 'in', cwd=self.folder, preexec=self.little_memory), 0)
        self.assertEqual(p.stdout.decode().splitlines()[-1], '1 ok, 0 with problems, 2 skipped (nothing to check)')
        write(self.path('in/video.rlf'), read(sample('rlf', 'wheel.rlf')))
        os.truncate(self.path('in/video.rlf'), 1100 << 20)                       # this one begins like one of ours
        p = self.check(self.convert('in', '-o', 'out/', '--force', *options), 1)
        self.assertIn('reanima: in/video.rlf: has 1153433600 bytes, but the limit is 1073741824\n', p.err)
        self.assertIn('1 converted, 1 failed, 2 skipped', p.err)
        self.check(self.convert('in/video.rlf', '-o', 'x.glb'), 4)

    @staticmethod
    def little_memory():
        if not SANITIZED:                                                       # a sanitizer reserves much more
            resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))

    @unittest.skipIf(os.geteuid() == 0, 'root reads everything')
    def test_no_permission(self):
        write(self.path('in/rtda'), read(PACK))
        os.chmod(write(self.path('in/seda'), read(PACK)), 0)
        os.makedirs(self.path('in/locked'))
        os.chmod(self.path('in/locked'), 0)
        p = self.check(self.convert('in', '-o', 'out/'), 1)
        os.chmod(self.path('in/locked'), 0o700)
        self.assertIn('reanima: in/seda: can\'t be read: Permission denied\n', p.err)
        self.assertIn('reanima: in/locked: can\'t be read: Permission denied\n', p.err)
        self.assertIn('1 converted, 2 failed, 0 skipped', p.err)

    def test_a_pipe_of_the_shell(self):
        p = subprocess.run(['bash', '-c', '"$0" convert <(cat "$1") -s "$2" -q -o -', TOOL, PACK, SKELETON], stdout=subprocess.PIPE)
        self.assertEqual((p.returncode, p.stdout[:4]), (0, b'glTF'))


class JobFiles(Tree):
    def job(self, name, *jobs):
        jobs = [dict({'schema': 1}, **job) for job in jobs]
        return write(self.path(name), json.dumps(jobs if len(jobs) != 1 else jobs[0]))

    def test_it_says_what_a_command_line_says(self):
        for name, data in (('d/rtda', read(PACK)), ('d/bones', read(SKELETON)), ('d/n.csv', read(sample('ff7', 'hero.names.csv')))):
            write(self.path(name), data)
        self.job('d/hero.reanima.json', {'inputs': ['rtda'], 'skeleton': 'bones', 'names': 'n.csv', 'output': '../out/hero.glb',
                                         'options': {'rate': 30, 'proxy-mesh': True, 'end-joints': False, 'loop-key': True, 'clip': [0, 'walk'], 'rest': 'rtda:1:3'}})
        self.check(self.convert('d/hero.reanima.json'), 0)
        self.check(self.convert('d/rtda', '-s', 'd/bones', '--names', 'd/n.csv', '--rate', '30', '--proxy-mesh', '--clip', '0', '--clip', 'walk',
                                '--rest', 'd/rtda:1:3', '-o', 'same.glb', '--loop-key'), 0)
        self.assertEqual(read(self.path('out/hero.glb')), read(self.path('same.glb')))
        self.check(run('convert', 'hero.reanima.json', '--force', cwd=self.path('d')), 0)        # seen from elsewhere
        self.assertEqual(read(self.path('out/hero.glb')), read(self.path('same.glb')))

    def test_the_command_line_takes_precedence(self):
        write(self.path('rtda'), read(PACK))
        self.job('a.reanima.json', {'inputs': ['rtda'], 'output': 'a.glb', 'options': {'rate': 30, 'proxy-mesh': True}})
        self.check(self.convert('a.reanima.json', '--rate', '60', '-o', 'b.glb'), 0)
        self.check(self.convert('rtda', '--rate', '60', '--proxy-mesh', '-o', 'c.glb'), 0)
        self.assertEqual(read(self.path('b.glb')), read(self.path('c.glb')))
        self.assertFalse(os.path.exists(self.path('a.glb')))

    def test_a_list(self):
        for name in ('a/rtda', 'a/rsda', 'b/rtda'):
            write(self.path(name), read(PACK))
        self.job('all.reanima.json', {'inputs': ['a/r*da'], 'output': 'a.glb'}, {'inputs': ['b'], 'output': 'b/'}, {'inputs': ['gone'], 'output': 'gone.glb'})
        p = self.check(self.convert('all.reanima.json', '-j', '2'), 1)
        self.assertEqual([l for l in p.err.splitlines() if l.startswith('reanima')], ["reanima: gone: can't be read: No such file or directory"])
        self.assertEqual(p.err.splitlines()[-1], '3 converted, 1 failed, 0 skipped')
        self.assertEqual(len(Scene(read(self.path('a.glb'))).g['animations']), 16)
        self.assertTrue(os.path.exists(self.path('b/rtda.glb')))

    def test_in_a_folder_its_inputs_are_left_to_it(self):
        for name in ('in/a/rtda', 'in/a/rsda'):
            write(self.path(name), read(PACK))
        self.job('in/a/rtda.reanima.json', {'inputs': ['rtda'], 'output': 'hero.glb'})
        self.assertEqual(self.check(self.convert('in', '-o', 'out', '--outputs'), 2).stdout, b'')       # no folder, no known ending
        self.assertEqual(self.check(self.convert('in', '-o', 'out/', '--outputs'), 0).stdout, b'out/a/rsda.glb\nout/a/hero.glb\n')

    def test_it_does_not_find_itself_in_its_own_folder(self):
        write(self.path('d/rtda'), read(PACK))
        self.job('d/all.reanima.json', {'inputs': ['*'], 'output': 'out/'})
        self.job('d/e/all.reanima.json', {'inputs': ['..'], 'output': 'out/'})
        self.assertEqual(self.check(self.convert('d/e/all.reanima.json', '--outputs'), 0).stdout, b'd/e/out/rtda.glb\n')
        self.job('d/f/none.reanima.json', {'inputs': ['*.json'], 'output': 'x.glb'})
        self.assertIn('there is no such file', self.check(self.convert('d/f/none.reanima.json'), 1).err)
        self.assertIn(b'd/out/rtda.glb\n', self.check(self.convert('d/all.reanima.json', '--outputs'), 0).stdout)

    def test_without_inputs_it_is_for_the_file_of_its_name(self):
        write(self.path('a/rtda'), read(PACK))
        self.job('a/rtda.reanima.json', {'options': {'rate': 30}})
        self.check(self.convert('a', '-o', 'out/'), 0)
        self.check(self.convert('a/rtda', '-o', 'x.glb', '--rate', '30'), 0)
        self.assertEqual(content(self.path('out')), {'rtda.glb': read(self.path('x.glb'))})

    def test_mistakes(self):
        write(self.path('rtda'), read(PACK))
        for text, message in (
                ('{"schema":1,"inputs":[', 'inputs[0]: invalid JSON at line 1, column 23'),
                ('{"schema":2}', 'schema: is 2, expected 1'),
                ('{"schema":1,"input":["rtda"]}', 'input: is not part of a job; expected schema, inputs, skeleton, source_skeleton, map, names, output or options'),
                ('{"schema":1,"inputs":[]}', 'inputs: is empty, expected at least one path. If there are none, leave it out'),
                ('[{"schema":1,"inputs":["rtda"]},{"schema":1,"options":{"rate":-1}}]', '[1]: --rate: is -1, expected a number from 0.001 to 1000'),
                ('[{"schema":1,"skeletn":"x"}]', '[0].skeletn: is not part of a job; expected schema, inputs, skeleton, source_skeleton, map, names, output or options'),
                ('{"schema":1,"inputs":["rtda"],"options":{"rate":-1}}', '--rate: is -1, expected a number from 0.001 to 1000'),
                ('{"schema":1,"inputs":["rtda"],"options":{"force":true}}', 'there is no option --force'),
                ('{"schema":1,"inputs":["x.reanima.json"]}', 'a job file can\'t be an input of a job file'),
                ('{"schema":1,"inputs":["rtda"],"skeleton":"gone"}', 'gone: can\'t be read: No such file or directory')):
            path = write(self.path('x.reanima.json'), text)
            p = self.convert('x.reanima.json', 'rtda', '-o', 'out/', '--force', '--warn', 'large-step=ignore', '--warn', 'skeleton-made-up=ignore')
            first = p.err.splitlines()[0]
            self.assertEqual(first, 'reanima: x.reanima.json: ' + message)
            self.assertEqual(p.err.splitlines()[-1], '1 converted, 1 failed, 0 skipped')
            self.assertIn(p.returncode, (1, 2))

    def test_options_of_earlier_versions_are_passed_over(self):
        write(self.path('x.reanima.json'), json.dumps({'schema': 1, 'inputs': [sample('ff7', 'hrda')], 'options': {'overlay': 'keep'}}))
        self.check(self.convert('x.reanima.json', '-o', 'out/'), 0)


class AtTheSameTime(Tree):
    def setUp(self):
        super().setUp()
        for name in ('aada', 'bbda', 'ccda'):
            write(self.path('in', name), read(PACK))

    def test_as_many_as_there_are_processors_and_memory_for(self):
        memory = os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE')
        for place in ('/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes'):
            if os.path.exists(place) and read(place).strip().isdigit():
                memory = min(memory, int(read(place)))
        memory >>= 20
        processors = len(os.sched_getaffinity(0))
        for more, expected in (((), min(processors, memory // 1024)), (('-j', 'auto'), min(processors, memory // 1024)), (('-j', '2'), 2), (('-j', '200'), 3),
                               (('--limit-memory', memory // 2 + 1), 1), (('--limit-memory', memory // 2 - 1), min(processors, 2)), (('-j', '2', '--limit-memory', memory), 2)):
            p = self.check(self.convert('in', '-o', 'out/', '--force', '-v', *more), 0)
            self.assertIn('making %d outputs at the same time (-j)\n' % min(3, max(1, expected)), p.err, more)
            self.assertNotIn('at the same time', self.check(self.convert('in', '-o', 'out/', '--force', *more), 0).err)

    def test_on_one_processor_one(self):
        if not shutil.which('taskset'):
            self.skipTest('no taskset')
        p = subprocess.run(['taskset', '-c', str(min(os.sched_getaffinity(0))), TOOL, 'convert', 'in', '-o', 'out/', '-v'], cwd=self.folder, stderr=subprocess.PIPE, check=True)
        self.assertIn(b'making 1 outputs at the same time (-j)\n', p.stderr)

    def test_other_words_are_refused(self):
        for word in ('0', '257', 'many', '1.5'):
            self.check(self.convert('in', '-o', 'out/', '--jobs=' + word), 2,
                       'reanima: convert: --jobs: is %s, expected auto or a whole number from 1 to 256\n`reanima convert -h` shows how it is used.\n' % word)


class IfChanged(Tree):
    def test_what_is_there_stays_untouched(self):
        self.tree(20)
        args = ('in', '-o', 'out/', '--if-changed', '-j', '2', '--report', 'report')
        self.check(self.convert(*args), 1)
        before = {f: os.stat(self.path('out', f)).st_mtime_ns for f in content(self.path('out'))}
        p = self.convert(*args)
        self.assertEqual(p.err.splitlines()[-1], '19 unchanged, 0 converted, 1 failed, 0 skipped')
        self.assertEqual(before, {f: os.stat(self.path('out', f)).st_mtime_ns for f in content(self.path('out'))})
        self.assertEqual([line['status'] for line in lines(self.path('report'))].count('skipped'), 19)

    def test_unchanged_outputs_say_what_they_hold(self):
        """The output states the counts of its conversion; the earlier report states all."""
        counts = ('clips', 'frames', 'joints', 'triangles', 'materials', 'textures', 'bytes', 'key')
        for words, null in (([PACK, '-o', 'a.glb'], ()), ([PACK, '-o', 'b.gltf'], ()), ([SKELETON, '-o', 'd.glb'], ()),
                            ([SKELETON, '--no-mesh', '-o', 'd2.glb'], ()), ([PACK, '--weapon', 'all', '-o', 'a2.glb'], ()),
                            ([sample('rlf', 'wheel.rlf'), '-o', 'e.glb'], ()), ([sample('ff9', 'props.ff9db'), '-o', 'f/'], ()), ([sample('metroid', 'hero_walk.ANIM'), '-o', 'g.glb'], ()),
                            ([PACK, '--compact', '-o', 'h.glb'], ('frames',)), ([PACK, '--no-mesh', '--proxy-mesh', '-o', 'i.glb'], ('triangles', 'materials')),
                            ([sample('ff7', 'hrac'), '-o', 'j.png'], counts[:6]), ([sample('ff7', 'doll.hrc'), sample('ff7', 'doll_walk.a'), '-o', 'k.glb'], ('clips', 'frames')),
                            ([PACK, '-s', 'd.glb', '-o', 'l.glb'], counts[:6])):
            with self.subTest(words=words):
                args = (*words, '--if-changed', '-q', '--report', 'report')
                self.check(self.convert(*args), 0)
                made = lambda: [line for line in lines(self.path('report')) if line['status'] != 'left']      # by the commands before
                first = made()
                again = [json.loads(line) for line in self.check(self.convert(*args[:-1], '-'), 0).stdout.splitlines()]
                again = [line for line in again if 'sums' not in line]
                self.assertEqual({line['status'] for line in again}, {'skipped'})
                for one, two in zip(first, again, strict=True):
                    self.assertEqual({name: two[name] for name in counts}, {name: None if name in null else one[name] for name in counts})
                    self.assertIsNone(two['height'])
                self.check(self.convert(*args), 0)
                for one, two in zip(first, made(), strict=True):
                    self.assertEqual((two['status'], {name: two[name] for name in (*counts, 'height')}), ('skipped', {name: one[name] for name in (*counts, 'height')}))

    def test_counts_are_those_of_the_input(self):
        """Also of an unchanged output: from the earlier report, otherwise unknown"""
        for words, unknown in ((('--clip', 'hrda_001'), (None, None)), (('--resample', '10'), (4, None))):
            with self.subTest(words=words):
                args = (PACK, '--no-mesh', *words, '-o', 'c.glb', '--if-changed', '-q', '--report')
                found = []
                for path in ('report', 'report', 'new report'):
                    self.check(self.convert(*args, path), 0)
                    line = next(line for line in lines(self.path(path)) if line['output'] == 'c.glb')
                    found.append((line['status'], line['clips'], line['frames']))
                self.assertEqual(found, [('ok', 4, 72), ('skipped', 4, 72), ('skipped', *unknown)])
                for path in ('c.glb', 'report', 'new report'):
                    os.remove(self.path(path))

    def test_the_last_line_of_a_batch_has_the_sums(self):
        good = self.tree(20)
        write(self.path('in/notes.txt'), b'hello')
        self.check(self.convert('in', '-o', 'out/', '--report', 'report'), 1)
        outputs, sums = report(self.path('report'))
        self.assertEqual(json.loads(read(self.path('report')).splitlines()[-1])['warnings'], [])      # as every line has them
        size = sum(map(len, content(self.path('out')).values()))
        expected = {'converted': 19, 'unchanged': 0, 'failed': 1, 'skipped': 1, 'no_humanoid': 0, 'left': 0, 'removed': 0, 'warnings': 19, 'bytes': size}
        self.assertEqual(sums, expected)
        self.assertEqual(sum(line['bytes'] for line in outputs), size)
        write(self.path(good[0]), walk_pack(999))
        self.check(self.convert('in', '-o', 'out/', '--report', 'report', '--if-changed'), 1)
        outputs, sums = report(self.path('report'))
        changed = os.path.getsize(self.path('out', good[0][3:] + '.glb'))
        self.assertEqual(sums, {**expected, 'converted': 1, 'unchanged': 18, 'warnings': sums['warnings'], 'bytes': changed})
        self.check(self.convert(good[1], '-o', 'x.glb', '--report', 'report'), 0)
        self.assertIsNone(report(self.path('report'))[1], 'one output, one line')

    def test_errors_have_codes(self):
        write(self.path('rtda'), read(PACK))
        write(self.path('x.glb/y'), b'')
        write(self.path('bad'), bytes(100))
        for words, status, code in ((['bad'], 1, 'input'), (['nothing'], 1, 'input'), (['rtda', '--limit-samples', 9], 4, 'limit'), (['rtda', '--source-skeleton', sample('ff7', 'doll.hrc')], 1, 'skeleton-mismatch'),
                                    (['rtda', '--rest', '0:999'], 2, 'option'), (['rtda', '-o', 'x.glb/y/z.glb'], 3, 'output'),
                                    (['rtda', sample('metroid', 'hero_walk.ANIM'), '-o', 'z.glb'], 2, 'usage')):
            with self.subTest(words=words):
                p = self.convert(*words, '--report', 'report', '-q')
                self.assertEqual(p.returncode, status, p.err)
                for line in lines(self.path('report')):
                    self.assertEqual((line['status'], line['error']['code']), ('failed', code))
                    self.assertIn(line['error']['message'], p.err)

    def same(self, *args):
        """True if a second run does not change the output."""
        p = self.convert('rtda', '-o', 'x.glb', '--if-changed', '-q', *args, '--report', 'report')
        self.assertEqual(p.returncode, 0, p.err)
        return json.loads(read(self.path('report')))['status'] == 'skipped'

    def test_everything_that_counts_is_noticed(self):
        write(self.path('rtda'), read(PACK))
        names = write(self.path('n.csv'), 'clip,0,idle\n')
        rest = write(self.path('rest/rsda'), read(PACK))
        args = ('--names', 'n.csv', '--rest', 'rest/rsda:0:0')
        self.assertEqual([self.same(*args), self.same(*args)], [False, True])
        for change in (lambda: write(self.path('rtda'), walk_pack(5)),
                       lambda: write(self.path('rtaa'), read(SKELETON)),                # a companion appears
                       lambda: write(self.path('rtaa'), read(SKELETON)[:-1] + b'\1'),   # another one
                       lambda: write(names, 'clip,0,rest\n'),
                       lambda: write(rest, walk_pack(9)),
                       lambda: os.remove(self.path('x.glb'))):
            change()
            self.assertEqual([self.same(*args), self.same(*args)], [False, True])
        for more in (['--rate', '30'], ['--proxy-mesh'], ['--clip', '1'], ['--name', '{index}'], ['--no-companion']):
            self.assertEqual([self.same(*args, *more), self.same(*args, *more)], [False, True], more)
        os.utime(self.path('rtda'))                                             # a new time is no change
        self.assertTrue(self.same(*args, '--no-companion'))

    def test_the_pack_of_a_skeleton_counts_too(self):
        """The rest pose comes from the first frame of hrda, beside the skeleton that the user named."""
        write(self.path('s/hraa'), read(SKELETON))
        write(self.path('rtda'), read(PACK))
        args = ('-s', 's/hraa')
        self.assertEqual([self.same(*args), self.same(*args)], [False, True])
        write(self.path('s/hrda'), walk_pack(77))
        self.assertEqual([self.same(*args), self.same(*args)], [False, True])

    def test_meshes_and_textures_count_too(self):
        """Also those that are missing, as long as the names are looked for."""
        folder = os.path.dirname(PACK)
        for name in os.listdir(folder):
            if len(name) == 4 and name.startswith('hr'):
                write(self.path(name), read(os.path.join(folder, name)))
        args = ('hrda', '-o', 'x.glb', '--if-changed', '-q', '--report', 'report')
        status = lambda: (self.check(self.convert(*args), 0), json.loads(read(self.path('report')))['status'])[1]
        self.assertEqual([status(), status()], ['ok', 'skipped'])
        for name in ('hrac', 'hram', 'hrab'):                           # a texture, a mesh, the action scripts
            had = read(self.path(name)) if os.path.exists(self.path(name)) else None
            for change in ([had[:-1] + bytes([had[-1] ^ 1])] if had else []) + [None, had or b'no scripts', b'damaged']:
                if change is None and had:
                    os.remove(self.path(name))
                elif change is not None:
                    write(self.path(name), change)
                else:
                    continue
                self.assertEqual([status(), status()], ['ok', 'skipped'], (name, change and len(change)))
                made = read(self.path('x.glb'))
                self.check(self.convert('hrda', '-o', 'fresh.glb', '--force', '-q'), 0)
                self.assertEqual(read(self.path('fresh.glb')), made, name)
        write(self.path('hrzz'), b'nobody looks for it')
        self.assertEqual(status(), 'skipped')

    def test_text_and_buffer(self):
        args = ('convert', PACK, '-o', self.path('x.gltf'), '--if-changed', '--report', self.path('report'))
        for missing, status in ((None, 'ok'), (None, 'skipped'), ('x.bin', 'ok'), (None, 'skipped'), ('x.gltf', 'ok'), (None, 'skipped')):
            if missing:
                os.remove(self.path(missing))
            self.check(run(*args), 0)
            self.assertEqual(json.loads(read(self.path('report')))['status'], status)
        good = {name: read(self.path(name)) for name in ('x.gltf', 'x.bin')}
        for name, data in (('x.bin', good['x.bin'][:100]), ('x.bin', good['x.bin'][:500] + bytes([good['x.bin'][500] ^ 1]) + good['x.bin'][501:]),
                           ('x.gltf', good['x.gltf'][:100]), ('x.gltf', good['x.gltf'][:-2])):
            write(self.path(name), data)
            self.assertIn(self.path(name) + ': was edited after reanima wrote it', self.check(run(*args), 2).err)
            self.assertEqual((json.loads(read(self.path('report')).splitlines()[0])['status'], read(self.path(name))), ('failed', data))
            write(self.path(name), good[name])
        self.check(run(*args), 0)

    def test_pictures(self):
        args = ('convert', sample('ff7', 'hrac'), '-o', self.path('x.png'), '--if-changed', '--report', self.path('report'))
        for status in ('ok', 'skipped'):
            self.check(run(*args), 0)
            self.assertEqual(json.loads(read(self.path('report')))['status'], status)
        png = read(self.path('x.png'))
        for edited in (png[:-1], png.replace(b'tEXtreanima\0', b'tEXtreanima\0x'), png.replace(b'IDAT', b'IDAt')):
            write(self.path('x.png'), edited)
            self.check(run(*args), 2, 'reanima: %s: was edited after reanima wrote it; --force replaces it\n' % self.path('x.png'))
            self.assertEqual(read(self.path('x.png')), edited)
        write(self.path('x.png'), png)
        self.check(run(*args, '--palette', '0'), 0)                     # another option
        self.assertEqual(json.loads(read(self.path('report')))['status'], 'ok')
        others = read(self.path('x.png')).replace(b'tEXtreanima', b'tEXtanother')
        write(self.path('x.png'), others)
        self.check(run(*args), 2, 'reanima: %s: exists and was made by another program; --force replaces it\n' % self.path('x.png'))
        self.assertEqual(read(self.path('x.png')), others)

    def test_images_that_an_older_output_had(self):
        images = lambda: sorted(name for name in os.listdir(self.folder) if name.endswith('.png'))
        out = self.path('x.gltf')
        self.assertNotIn('no longer', self.check(run('convert', PACK, '-o', out), 0).err)
        had = images()
        self.assertEqual(len(had), 2)                                   # the hero's body has two textures
        self.assertNotIn('no longer', self.check(run('convert', PACK, '-o', out, '--clip', '0', '--force'), 0).err)
        p = self.check(run('convert', PACK, '-o', out, '--no-mesh', '--if-changed'), 0)
        for name in had:
            self.assertIn(f'note: {self.path(name)} stays, although the new x.gltf does not refer to it\n', p.err)
        self.assertEqual(images(), had)
        write(self.path('x_mine.png'), b'mine')                         # of somebody else's .gltf
        write(out, json.dumps({'asset': {'version': '2.0'}, 'images': [{'uri': 'x_mine.png'}]}))
        self.assertNotIn('no longer', self.check(run('convert', PACK, '-o', out, '--force'), 0).err)
        self.assertEqual(read(self.path('x_mine.png')), b'mine')

    def test_what_failed_fails_again(self):
        write(self.path('rtda'), read(PACK))
        write(self.path('bada'), bytes(1000))
        for _ in range(2):
            p = self.check(self.convert('rtda', 'bada', '--if-changed', '-o', 'x.glb'), 1)
            self.assertIn('bada: contains no animation', p.err)
        self.check(self.convert('rtda', '-o', 'y.glb'), 0)
        self.check(self.convert('rtda', '-o', 'y.glb', '--if-changed', '--warn', 'skeleton-made-up=error'), 1)     # though it is there

    def test_nothing_is_decoded(self):
        self.tree(40)
        slow = self.path('in/lgda')
        write(slow, read(conformance('ff7', 'large_stream.da')))
        args = ('in', '-o', 'out/', '--if-changed', '-q')
        used = []
        for _ in range(6):                                      # the first converts; other work slows some of the others
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            self.convert(*args)
            used.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        self.assertLess(min(used[1:]), used[0])


class Dependencies(Tree):
    def test_every_file_that_was_read(self):
        for name, data in (('d/rtda', read(PACK)), ('d/rtaa', read(SKELETON)), ('d/n.csv', b'clip,0,idle\n'), ('d/rest', read(PACK))):
            write(self.path(name), data)
        write(self.path('d/j.reanima.json'), json.dumps({'schema': 1, 'inputs': ['rtda'], 'names': 'n.csv', 'output': 'x.gltf', 'options': {'rest': 'rest'}}))
        self.check(self.convert('d/j.reanima.json', '--depfile', 'x.d'), 0)
        target, files = read(self.path('x.d')).decode().split(':')
        self.assertEqual(target, 'd/x.gltf d/x.bin')
        self.assertEqual(sorted(files.replace('\\\n', '').split()), ['d/j.reanima.json', 'd/n.csv', 'd/rest', 'd/rtaa', 'd/rtda'])

    def test_the_files_that_the_system_saw_opened(self):
        if not shutil.which('strace'):
            self.skipTest('strace is not installed')
        for name, data in (('s/hraa', read(SKELETON)), ('s/hrda', read(PACK)), ('rtda', walk_pack(3))):
            write(self.path(name), data)
        p = subprocess.run(['strace', '-f', '-e', 'trace=openat', '-o', 'trace', TOOL, 'convert', 'rtda', '-s', 's/hraa', '-q', '-o', 'x.glb', '--depfile', 'x.d'],
                           cwd=self.folder, env=dict(os.environ, ASAN_OPTIONS='detect_leaks=0'))
        self.assertEqual(p.returncode, 0)
        opened = set(re.findall(r'openat\(AT_FDCWD, "((?:s/|rtda)[^"]*)", O_RDONLY[^)]*\) = \d', read(self.path('trace')).decode()))
        self.assertEqual(opened, set(read(self.path('x.d')).decode().split(':')[1].replace('\\\n', '').split()))

    def test_make_and_ninja_understand_odd_names(self):
        name = 'a b#c$d%e\\f:gü'
        for data, target in ((read(PACK), name + 'da'), (read(SKELETON), name + 'aa')):
            write(self.path(target), data)
        for tool in ('make', 'ninja'):
            out = 'out.glb'
            command = [TOOL, 'convert', name + 'da', '-q', '--force', '-o', out, '--depfile', 'out.d']
            write(self.path('convert.py'), 'import subprocess, sys\nsys.exit(subprocess.call(%r))\n' % command)
            if tool == 'make':
                write(self.path('Makefile'), '%s:\n\t@echo RUN; %s convert.py\n-include out.d\n' % (out, sys.executable))
            else:
                write(self.path('build.ninja'), 'rule r\n  command = %s convert.py\n  description = RUN\n  depfile = out.d\n  deps = gcc\nbuild %s: r\n' % (sys.executable, out))
            if not shutil.which(tool):
                continue
            runs = []
            for step in ('first', 'again', 'touched'):
                if step == 'touched':
                    future = time.time() + 10
                    os.utime(self.path(name + 'aa'), (future, future))
                p = subprocess.run([tool], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                self.assertEqual(p.returncode, 0, p.stdout)
                runs.append(p.stdout.count('RUN'))
            self.assertEqual(runs, [1, 0, 1], tool)
            for f in (out, 'out.d'):
                os.path.exists(self.path(f)) and os.remove(self.path(f))
            os.utime(self.path(name + 'aa'))

    def test_outputs_are_listed_and_nothing_else_is_done(self):
        write(self.path('rtda'), read(PACK))
        before = self.files()
        for args, expected in ((['rtda'], b'rtda.glb\n'), (['rtda', '-o', 'x.gltf'], b'x.gltf\nx.bin\n'), (['rtda', '-o', '-'], b''), (['.', '-o', 'out/'], b'out/rtda.glb\n')):
            self.assertEqual(self.check(self.convert(*args, '--outputs', '--depfile', 'd', '--report', 'r'), 0).stdout, expected)
        self.assertEqual(self.files(), before)

    def test_a_report_is_no_input(self):
        write(self.path('rtda'), read(PACK))
        for flag in ('--report', '--depfile'):
            self.check(self.convert('rtda', '-o', 'x.glb', flag, 'rtda'), 2, 'reanima: rtda: the output is an input\n')
        self.assertEqual(read(self.path('rtda')), read(PACK))


class Batch(Tree):
    def test_many(self):
        good = self.tree(PACKS)
        bad = PACKS - len(good)
        os.mkfifo(self.path('in/fida'))
        os.makedirs(self.path('in/foda'))
        os.symlink('nowhere', self.path('in/loda'))
        os.symlink('roda', self.path('in/roda'))
        os.symlink('/proc/self/mem', self.path('in/meda'))
        bad += 3                                                                # the pipe is skipped
        shutil.copy(SKELETON, self.path('bones'))
        seconds, said, reports = [], [], []
        for threads in (1, 2, 8):
            before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
            p = self.convert('in', '-s', 'bones', '-o', 'out%d/' % threads, '-j', threads, '--report', 'report%d' % threads)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            seconds.append((time.time() - begin, used))
            self.assertEqual(p.returncode, 1)
            self.assertEqual(p.err.splitlines()[-1], '%d converted, %d failed, 1 skipped (nothing to convert)' % (len(good), bad))
            self.assertEqual(p.err.count('reanima: '), bad)
            said.append(p.err.replace('out%d/' % threads, 'out/'))
            reports.append([(l['input'], l['status'], l['clips'], l['bytes']) for l in lines(self.path('report%d' % threads))])
        peak = after.ru_maxrss / 1024                                           # the largest of all children so far
        self.assertEqual(said[1:], said[:1] * 2)
        self.assertEqual(reports[1:], reports[:1] * 2)
        self.assertEqual([r[0] for r in reports[0]], sorted((r[0] for r in reports[0]), key=lambda n: n.split('/')))
        one, two, eight = (content(self.path('out%d' % threads)) for threads in (1, 2, 8))
        self.assertEqual(sorted(one), sorted(n[3:] + '.glb' for n in good))
        self.assertTrue(one == two == eight)
        for name in random.Random(1).sample(good, 12):
            self.check(self.convert(name, '-s', 'bones', '-o', 'single.glb', '--force'), 0)
            self.assertEqual(read(self.path('single.glb')), one[name[3:] + '.glb'], name)
        for (wall, used), threads in zip(seconds, (1, 2)):
            print('%d packs, -j%d: %.2f s, processors busy %.2f of %d; peak memory %.0f MiB' % (PACKS, threads, wall, used / wall, threads, peak))
        print('-j2 is %.2f times as fast as -j1' % (seconds[0][0] / seconds[1][0]))
        if not SANITIZED:
            self.assertLess(peak, 200)

    def test_many_good_files_say_little(self):
        """Without -v: no more than 100 lines for 10,000 files with a warning each"""
        small = read(sample('ff9', 'hero_idle.ff9anim'))
        for i in range(PACKS):
            write(self.path('in', str(i // 500), f'{i:05}.ff9anim'), small)
        p = self.check(self.convert('in', '-o', 'out/', '--no-companion'), 0)
        lines = p.err.splitlines()
        self.assertLessEqual(len(lines), 100)
        self.assertEqual(lines[-2:], [f'{PACKS - 3} more warnings like these (skeleton-made-up). Use -v to see them', f'{PACKS} converted, 0 failed, 0 skipped'])

    def test_clashes_are_found_before_any_work(self):
        for name in ('in/rtda', 'in/rtda.x'):
            write(self.path(name), read(PACK))
        self.check(self.convert('in', '-o', 'out/'), 2, 'reanima: out/rtda.glb: two outputs would be written there, from in/rtda and from in/rtda.x\n')
        self.check(self.convert('in/rtda', './in/../in/rtda', '-o', 'out/'), 2, 'reanima: out/rtda.glb: two outputs would be written there, from in/rtda and from ./in/../in/rtda\n')
        for name in ('in/rsda', 'in/rsda.x', 'in/rsda.y'):
            write(self.path(name), read(PACK))
        self.check(self.convert('in', '-o', 'out/'), 2,
                   'reanima: out/rsda.glb: two outputs would be written there, from in/rsda and from in/rsda.x; further outputs with this problem: 2\n')
        self.assertFalse(os.path.exists(self.path('out')))

    def test_a_skeleton_gives_way_to_its_animations_alone(self):
        for name, source in (('in/x.CINF', sample('metroid', 'hero.CINF')), ('in/x.rlf', sample('rlf', 'wheel.rlf'))):
            write(self.path(name), read(source))
        for list_ in ((), ('--outputs',)):
            self.check(self.convert('in', '-o', 'out/', *list_), 2, 'reanima: out/x.glb: two outputs would be written there, from in/x.CINF and from in/x.rlf\n')
        os.remove(self.path('in/x.rlf'))
        write(self.path('in/x.ANIM'), read(sample('metroid', 'hero_walk.ANIM')))
        self.check(self.convert('in', '-o', 'out/'), 0)
        self.assertEqual(sorted(content(self.path('out'))), ['x.glb'])

    def test_one_failing_job_does_not_stop_the_others(self):
        write(self.path('in/aada'), read(PACK))
        write(self.path('in/bbda'), read(conformance('ff7', 'poda')))           # has no frame 20
        os.makedirs(self.path('out/ccda.glb'))
        write(self.path('in/ddda'), read(PACK))
        p = self.check(self.convert('in', '-o', 'out/', '--rest', '0:20', '-j', '2', '-q'), 1)
        self.assertEqual(len(p.err.splitlines()), 1, p.err)
        self.assertEqual(sorted(content(self.path('out'))), ['aada.glb', 'ddda.glb'])

    def test_the_progress_bar_is_for_terminals(self):
        write(self.path('in/aada'), read(PACK))
        write(self.path('in/bbda'), read(PACK))
        shown = self.shown_on_terminal('convert', 'in', '-o', 'out/')
        self.assertRegex(shown.decode(), r'\rconverting \[=*\s*\] \d/2')
        self.assertTrue(shown.endswith(b'2 converted, 0 failed, 0 skipped\r\n'), shown[-200:])


class LeftOvers(Tree):
    """Outputs of an earlier run that this run does not make."""
    GONE, STAYS, FAILED = 'removed, because this run did not make it again', 'is left over from an earlier run. --prune removes such files', 'stays unchanged, because it could not be made again'

    def setUp(self):
        super().setUp()
        for i, name in enumerate(('aada', 'bbda', 'ccda')):
            write(self.path('in', name), walk_pack(i))

    def run_again(self, *args, status=0, output='out/'):
        p = self.check(self.convert('in', '-o', output, '--if-changed', '--report', 'report', *args), status)
        said = [line for line in p.err.splitlines() if any(line.endswith(': ' + words) for words in (self.GONE, self.STAYS, self.FAILED))]
        self.sums = report(self.path('report'))[1]
        return said, p.err.splitlines()[-1]

    def test_are_named(self):
        self.assertEqual(self.run_again()[0], [])
        os.remove(self.path('in/bbda'))
        write(self.path('in/ccda'), b'')
        self.assertEqual(self.run_again(status=1), (['out/bbda.glb: ' + self.STAYS, 'out/ccda.glb: ' + self.FAILED], '1 unchanged, 0 converted, 1 failed, 0 skipped'))
        lines = [json.loads(line) for line in read(self.path('report')).splitlines()]
        self.assertEqual([(line['output'], line['schema']) for line in lines if line.get('status') == 'left'], [('out/bbda.glb', 1), ('out/ccda.glb', 1)])
        self.assertEqual(self.run_again(status=1)[0], ['out/bbda.glb: ' + self.STAYS, 'out/ccda.glb: ' + self.FAILED])      # they stay listed
        self.assertEqual(sorted(os.listdir(self.path('out'))), ['aada.glb', 'bbda.glb', 'ccda.glb'])
        self.assertEqual(self.run_again('--prune', 'report', status=1)[0], ['out/bbda.glb: ' + self.GONE, 'out/ccda.glb: ' + self.FAILED])
        self.assertEqual(self.run_again('--prune', 'report', status=1)[0], ['out/ccda.glb: ' + self.FAILED])    # damage loses nothing
        os.remove(self.path('in/ccda'))
        self.assertEqual(self.run_again('--prune', 'report')[0], ['out/ccda.glb: ' + self.GONE])

    def test_of_an_archive_that_lost_its_content_stay(self):
        """Empty or zeroed archives are failures. Other files with such an extension are another program's"""
        lost = {'battle.lgp': 'Final Fantasy VII (PC) archive (LGP)', 'hero.pak': 'Metroid Prime 1 and 2 archive (PAK)', 'FF9.IMG': 'Final Fantasy IX (PlayStation) image',
                'main.zzz': 'Final Fantasy VIII (PC, 2019) archive (ZZZ)', 'prime.iso': 'GameCube disc or CD or DVD image (ISO 9660)', 'prime.rvz': 'GameCube disc image (RVZ or WIA)',
                'battle.fs': 'Final Fantasy VIII (PC) archive (FS)', 'disc.cue': 'CD image description (CUE)', 'prime.gcz': 'GameCube disc image (GCZ)', 'prime.ciso': 'GameCube disc image (CISO)', 'disc.chd': 'CD image (CHD)'}
        for name in lost:
            shutil.copy(next(path for path in (sample(folder, name) for folder in ('archives', 'ff8', 'discs')) if os.path.exists(path)), self.path('in', name))
        for name in ('in/other.pak', 'in/other.bin', 'in/none.bin'):
            write(self.path(name), {'in/other.pak': b'PACK' + bytes(999), 'in/other.bin': bytes(999), 'in/none.bin': b''}[name])
        self.run_again()
        made = content(self.path('out'))
        self.assertGreater(len(made), 10)
        for data, problem in ((b'', 'is empty'), (bytes(9999), 'begins with 9999 zeros'), (bytes(70000), 'begins with 65536 zeros')):
            for name in lost:
                write(self.path('in', name), data)
            for words in (('convert', 'in', '-o', 'out/', '--if-changed', '--report', 'report', '--prune', 'report'), ('list', 'in'), ('info', 'in'), ('find', 'aada', 'in')):
                p = self.check(run(*words, '-q', cwd=self.folder), 1)
                self.assertEqual(sorted(p.err.splitlines()), sorted(f'reanima: in/{name}: {problem}, expected {what}' for name, what in lost.items()), words)
            self.assertEqual(content(self.path('out')), made)
            p = self.check(run('check', 'in', '-q', cwd=self.folder), 1)
            self.assertEqual(sorted(line for line in p.stdout.decode().splitlines() if '.' in line.split(':')[0]), sorted(f'in/{name}: {problem}, expected {what}' for name, what in lost.items()))
            entries = json.loads(self.check(run('list', '-r', '--json', 'in', cwd=self.folder), 0).stdout)['entries']
            self.assertEqual({e['name'] for e in entries if e['damaged']}, {'in/' + name for name in lost})

    def test_are_removed_on_request(self):
        self.run_again()
        write(self.path('out/mine.glb'), read(self.path('out/aada.glb')))
        for name in ('in/bbda', 'in/ccda'):
            os.remove(self.path(name))
        said, last = self.run_again('--prune', 'report')
        self.assertEqual(said, ['out/bbda.glb: ' + self.GONE, 'out/ccda.glb: ' + self.GONE])
        self.assertEqual(last, '1 unchanged, 0 converted, 0 failed, 0 skipped, 2 removed')
        self.assertEqual(self.sums['removed'], 2)
        self.assertEqual(sorted(os.listdir(self.path('out'))), ['aada.glb', 'mine.glb'])
        self.assertEqual(self.run_again('--prune', 'report')[0], [])

    def test_nothing_is_removed_where_an_input_of_the_command_line_is_missing(self):
        self.run_again()
        os.rename(self.path('in'), self.path('unmounted'))
        for inputs, said in ((['in/'], 'in/: is missing, so nothing is pruned; 3 outputs of an earlier run stay'),
                             (['in/*'], 'in/*: is missing, so nothing is pruned; 3 outputs of an earlier run stay'),
                             (['unmounted/bbda', 'in/aada'], 'in/aada: is missing, so nothing is pruned; an output of an earlier run stays'),
                             (['unmounted/bbda', 'unmounted/ccda', 'in/aada'], 'out/aada.glb: ' + self.FAILED)):
            p = self.check(self.convert(*inputs, '-o', 'out/', '--if-changed', '--report', 'report', '--prune', 'report'), 1)
            self.assertIn(said + '\n', p.err)
            self.assertEqual(sorted(os.listdir(self.path('out'))), ['aada.glb', 'bbda.glb', 'ccda.glb'])
        os.rename(self.path('unmounted'), self.path('in'))
        os.remove(self.path('in/ccda'))
        self.assertEqual(self.run_again('--prune', 'report')[0], ['out/ccda.glb: ' + self.GONE])       # none was forgotten meanwhile

    def test_folders_that_are_empty_then_are_removed(self):
        for name in ('in/a/b/ddda', 'in/a/eeda', 'in/c/ffda'):
            write(self.path(name), walk_pack(1))
        self.run_again()
        os.mkdir(self.path('out/mine'))
        write(self.path('out/c/mine'), b'')
        for name in ('in/a/b/ddda', 'in/c/ffda'):
            os.remove(self.path(name))
        self.run_again('--prune', 'report')
        self.assertEqual(sorted(os.listdir(self.path('out'))), ['a', 'aada.glb', 'bbda.glb', 'c', 'ccda.glb', 'mine'])
        self.assertEqual((os.listdir(self.path('out/a')), os.listdir(self.path('out/c'))), (['eeda.glb'], ['mine']))
        for name in ('in/a/eeda', 'in/aada', 'in/bbda'):
            os.remove(self.path(name))
        self.run_again('--prune', 'report')
        self.assertEqual(sorted(os.listdir(self.path('out'))), ['c', 'ccda.glb', 'mine'])

    def test_that_somebody_changed_stay(self):
        self.run_again()
        for name in ('in/aada', 'in/bbda'):
            os.remove(self.path(name))
        write(self.path('out/aada.glb'), b'mine')
        self.check(self.convert(sample('metroid', 'hero_walk.ANIM'), '-o', 'out/bbda.glb', '--force', '-q'), 0)
        self.assertEqual(self.run_again('--prune', 'report')[0], [])
        self.assertEqual(sorted(os.listdir(self.path('out'))), ['aada.glb', 'bbda.glb', 'ccda.glb'])

    def test_of_one_output_are_listed_too(self):
        for name in ('a', 'b'):
            p = self.check(self.convert(PACK, '-o', name + '.glb', '--report', 'report'), 0)
        self.assertIn('a.glb: ' + self.STAYS + '\n', p.err)
        self.assertEqual([(line['output'], line['status']) for line in lines(self.path('report'))], [('b.glb', 'ok'), ('a.glb', 'left')])
        p = self.check(self.convert(PACK, '-o', 'b.glb', '--if-changed', '--report', 'report', '--prune', 'report'), 0)
        self.assertIn('a.glb: ' + self.GONE + '\n', p.err)
        self.assertEqual([line['output'] for line in lines(self.path('report'))], ['b.glb'])

    def test_that_are_read_stay(self):
        shutil.copy(SKELETON, self.path('in/rraa'))
        self.run_again('--no-mesh')
        self.assertIn('rraa.glb', os.listdir(self.path('out')))
        os.remove(self.path('in/rraa'))
        said, _ = self.run_again('--prune', 'report', '-s', 'out/rraa.glb', '--source-skeleton', SKELETON, '--rig-mesh', 'omit', output='other/')
        self.assertEqual(said, ['out/%sda.glb: ' % n + self.GONE for n in ('aa', 'bb', 'cc')])
        self.assertEqual(os.listdir(self.path('out')), ['rraa.glb'])

    def test_with_buffer_and_images(self):
        self.check(self.convert(PACK, '-o', 'x.gltf', '--report', 'report', '-q'), 0)
        files = sorted(n for n in os.listdir(self.folder) if n.startswith('x'))
        self.assertGreater(len(files), 2)
        p = self.check(self.convert('in', '-o', 'out/', '--prune', 'report'), 0)
        self.assertIn('x.gltf: ' + self.GONE + '\n', p.err)
        self.assertEqual([n for n in os.listdir(self.folder) if n.startswith('x')], [])

    def test_many_are_counted(self):
        for i in range(25):
            write(self.path('in', chr(97 + i) + 'xda'), walk_pack(i))
        self.run_again()
        shutil.rmtree(self.path('in'))
        write(self.path('in/aada'), walk_pack(0))
        p = self.check(self.convert('in', '-o', 'out/', '--if-changed', '--prune', 'report'), 0)
        self.assertEqual(p.err.count(self.GONE), 20)
        self.assertIn('\n7 more messages like these. Use -v to see them\n', p.err)
        self.assertEqual(os.listdir(self.path('out')), ['aada.glb'])

    def test_a_report_that_is_none(self):
        p = self.check(self.convert('in', '-o', 'out/', '--prune', 'report', '-v'), 0)
        self.assertIn('report: does not exist yet, so nothing is pruned\n', p.err)
        write(self.path('report'), '{"schema": 1, "output": "x"}\nno JSON\n')
        self.check(self.convert('in', '-o', 'other/', '--prune', 'report'), 1, 'reanima: report: line 2 is not part of a report of `convert`\n')
        self.assertFalse(os.path.exists(self.path('other')))
        self.check(self.convert('in/aada', '-o', 'report', '--prune', 'report', '--force'), 2)
        self.check(self.convert('in/aada', '-o', 'report.glb', '--prune', 'report.glb', '--force'), 2, 'reanima: report.glb: the output is an input\n')

    def test_what_cannot_be_removed_is_said(self):
        if os.geteuid() == 0 and not shutil.which('chattr'):
            self.skipTest('root may remove everything')
        self.run_again()
        os.remove(self.path('in/bbda'))
        if os.geteuid() == 0:
            if subprocess.run(['chattr', '+i', self.path('out/bbda.glb')], stderr=subprocess.DEVNULL).returncode:
                self.skipTest('no file that root may not remove')
            self.addCleanup(subprocess.run, ['chattr', '-i', self.path('out/bbda.glb')])
        else:
            os.chmod(self.path('out'), 0o555)
            self.addCleanup(os.chmod, self.path('out'), 0o755)
        p = self.check(self.convert('in', '-o', 'out/', '--if-changed', '--prune', 'report'), 3)
        self.assertRegex(p.err, r"reanima: out/bbda\.glb: can't be removed: (Operation not permitted|Permission denied)\n")


class Stopping(Tree):
    def start(self, *args):
        p = self.enterContext(subprocess.Popen([TOOL, 'convert', 'in', '-o', 'out/', '-j', '2', *args], cwd=self.folder,
                                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
        self.addCleanup(p.kill)                                                 # it ends before its folder goes
        return p

    def expect_whole(self, expected):
        """Every output equals that of an undisturbed run; all other files there are temporary."""
        found = content(self.path('out')) if os.path.isdir(self.path('out')) else {}
        for name, data in found.items():
            if not re.search(r'(^|/)\.[^/]*\.[a-z0-9]+\.reanima-tmp$', name):
                self.assertTrue(data == expected[name], name)
        return found

    def test_killed_at_any_moment(self):
        self.tree(60 if not LONG else 1000)
        begin = time.time()
        self.assertEqual(run('convert', 'in', '-o', 'whole/', '-j', 2, '-q', cwd=self.folder).returncode, 1)
        duration = time.time() - begin
        expected = content(self.path('whole'))
        randomly = random.Random(4711)
        stopped = 0
        for _ in range(KILLS):
            p = self.start('-q', '--if-changed')
            time.sleep(randomly.uniform(0, duration))
            p.send_signal(signal.SIGKILL)
            p.communicate()
            found = self.expect_whole(expected)
            stopped += p.returncode == -signal.SIGKILL and 0 < len(found) < len(expected)
            if randomly.random() < 0.5:
                shutil.rmtree(self.path('out'), ignore_errors=True)
        print('%d kills, %d of them in the middle of the outputs' % (KILLS, stopped))
        p = self.start('-q', '--if-changed')
        p.communicate()
        found = self.expect_whole(expected)
        self.assertEqual({n for n in found if not n.endswith('.reanima-tmp')}, set(expected))

    def test_a_pair_is_never_half(self):
        shutil.copy(PACK, self.path('rtda'))
        for i in range(10):
            p = subprocess.Popen([TOOL, 'convert', 'rtda', '-q', '--force', '--rate', str(10 + i % 2 * 20), *(['--proxy-mesh'] if i % 2 else []), '-o', 'x.gltf'], cwd=self.folder)
            time.sleep(random.Random(i).uniform(0, 0.03))
            p.kill()
            p.wait()
            if os.path.exists(self.path('x.gltf')):
                self.assertEqual(json.loads(read(self.path('x.gltf')))['buffers'][0]['byteLength'], os.path.getsize(self.path('x.bin')))

    def interrupted(self, how):
        """Stops the command after its first output, and tries again if it had already ended. -> its messages and exit
        code"""
        for _ in range(10):
            shutil.rmtree(self.path('out'), ignore_errors=True)
            p = self.start()
            while p.poll() is None and not any(files for _, _, files in os.walk(self.path('out'))):
                time.sleep(0.001)
            p.send_signal(how)
            err = p.communicate()[1].decode()
            if 'interrupted' in err:
                break
        return err, p.returncode

    def test_interrupted(self):
        self.tree(300)
        for how in (signal.SIGINT, signal.SIGTERM):
            err, status = self.interrupted(how)
            self.assertEqual(status, 130, err)
            done, failed, left = map(int, re.search(r'interrupted: (\d+) converted, (\d+) failed, 0 skipped, (\d+) left', err).groups())
            self.assertEqual(done + failed + left, 300)
            outputs = content(self.path('out'))
            self.assertEqual(len(outputs), done)
            self.assertFalse([n for n in outputs if n.endswith('tmp')])


if __name__ == '__main__':
    sys.argv = [a for a in sys.argv if a != '--long']
    unittest.main()
