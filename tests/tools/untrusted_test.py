#!/usr/bin/env python3
"""Foreign files can do no harm: job files that name options, names that look like options or control a terminal, texts
of any length in messages."""
import json, os, shutil, unittest

from support import Case, read, sample, write

LONG = 1 << 20
MOST = 4096                     # bytes of a message
TURNS = '\u061c\u200e\u200f\u2028\u2029' + ''.join(map(chr, range(0x202A, 0x202F))) + ''.join(map(chr, range(0x2066, 0x206A)))
CONTROLS = ''.join(map(chr, range(0x80, 0xA0)))


class Untrusted(Case):
    def setUp(self):
        super().setUp()
        for name in ('hrda', 'hraa'):
            shutil.copy(sample('ff7', name), self.path(name))


class Options(Untrusted):
    def job(self, **members):
        write(self.path('hrda.reanima.json'), json.dumps({'schema': 1, **members}))
        return self.cli('convert', 'hrda.reanima.json', '-q')

    def test_a_job_file_says_only_what_shapes_its_outputs(self):
        write(self.path('victim'), 'keep')
        for key in ('depfile', 'report', 'prune', 'output', 'o', 'into', 'jobs', 'j', 'outputs', 'outputs-from', 'force', 'if-changed', 'null', 'quiet', 'q', 'strict', 'help'):
            for value in ('victim', True):
                with self.subTest(key, value=value):
                    p = self.check(self.job(options={key: value}), 2)
                    self.assertRegex(p.err, r'^reanima: hrda\.reanima\.json: there is no option --%s(=victim)?(; did you mean --[a-z-]+\?)?\n$' % key)
        for key, value, message in (('as=glb --depfile', 'victim', '--as: is "glb --depfile=victim", expected glb, gltf, bvh, vrma, anim'),
                                    ('', True, 'options: contains an option without a name'), ('', 'victim', 'options: contains an option without a name'), ('-', 'victim', None), ('-depfile', 'victim', None), ('rate 5 --depfile', 'victim', None)):
            with self.subTest(key, value=value):
                p = self.check(self.job(options={key: value}), 2)
                self.assertTrue(p.err.startswith('reanima: hrda.reanima.json: ' + (message or '')), p.err)
        self.assertEqual(self.files(), ['hraa', 'hrda', 'hrda.reanima.json', 'victim'])
        self.assertEqual(read(self.path('victim')), b'keep')

    def test_values_of_a_job_are_no_options(self):
        for value in ('--depfile=victim', '-ovictim', '--force'):
            with self.subTest(value):
                p = self.check(self.job(names=value), 1)
                self.assertIn(value + ": can't be read: No such file or directory", p.err)
        self.assertEqual(self.files(), ['hraa', 'hrda', 'hrda.reanima.json'])

    def test_a_job_writes_no_bytes_to_a_terminal(self):
        write(self.path('hrda.reanima.json'), json.dumps({'schema': 1, 'output': '-'}))
        self.assertEqual(self.shown_on_terminal('convert', 'hrda.reanima.json', stream='stdout'), b'')

    def test_names_follow_two_dashes(self):
        for name in ('--force', '-o', '--help', '-h', '--', '--skeleton=x'):
            shutil.copy(self.path('hrda'), self.path(name))
            with self.subTest(name):
                self.assertIn(name + ': ok, ', self.check(self.cli('check', '--', name), 0).stdout.decode())
                self.assertEqual(json.loads(self.check(self.cli('info', '--json', '--', name), 0).stdout)[0]['file'], name)
                self.check(self.cli('convert', '-q', '--force', '-o', 'x.glb', '--skeleton', 'hraa', '--', name), 0)
                self.check(self.cli('encode', '-q', '--force', '--into=' + name, '-s', 'hraa', '-o', 'y', '--', 'x.glb'), 0)
                self.assertEqual(read(self.path('y')), read(self.path('hrda')))
                self.assertEqual(json.loads(self.check(self.cli('find', '--json', '--', 'kind:character', './' + name), 0).stdout)['schema'], 1)
        self.check(self.cli('info', '--skeleton', '--', 'hrda'), 2, 'reanima: info: --skeleton: needs a value, FILE\n`reanima info -h` shows how it is used.\n')


class Messages(Untrusted):
    def expect_short(self, p, begin, end):
        lines = p.stderr.split(b'\n')
        self.assertTrue(all(len(line) < MOST for line in lines), [len(line) for line in lines])
        self.assertTrue(p.err.startswith(begin), p.err[:200])
        self.assertIn('...', p.err)
        self.assertTrue(p.err.endswith(end), p.err[-200:])

    def test_paths_of_json_of_any_depth(self):
        for name, text, end in (('nested', '{"a":' * (LONG // 5) + '!', 'invalid JSON at line 1, column %d\n' % (LONG // 5 * 5 + 1)),
                                ('lists', '[' * LONG + '!', 'invalid JSON at line 1, column %d\n' % (LONG + 1)),
                                ('key', '{"%s": !' % ('k' * LONG), 'invalid JSON at line 1, column %d\n' % (LONG + 6))):
            with self.subTest(name):
                write(self.path('x.json'), text)
                self.expect_short(self.check(self.cli('encode', 'x.json', '-o', 'y'), 1), 'reanima: x.json: ', end)

    def test_members_and_options_of_job_files(self):
        for job, status, end in (({'schema': 1, 'k' * LONG: 1}, 1, 'is not part of a job; expected schema, inputs, skeleton, source_skeleton, map, names, output or options\n'),
                                 ({'schema': 1, 'options': {'k' * LONG: 1}}, 2, 'k\n'), ({'schema': 1, 'options': {'rate': 'k' * LONG}}, 2, '\n'),
                                 ({'schema': 1, 'inputs': ['k' * LONG]}, 1, '\n')):
            with self.subTest(str(job)[:40]):
                write(self.path('x.reanima.json'), json.dumps(job))
                self.expect_short(self.check(self.cli('convert', 'x.reanima.json', '-q', '-o', 'out/', '--report', 'r', '--force'), status), 'reanima: ', end)
                for line in read(self.path('r')).splitlines():
                    error = json.loads(line).get('error')
                    self.assertLess(len((error or {'message': ''})['message']), MOST)

    def test_words_of_the_command_line(self):
        self.expect_short(self.check(self.cli('info', 'k' * 100000), 1), 'reanima: kkk', 'File name too long\n')
        self.expect_short(self.check(self.cli('info', '--' + 'k' * 100000, 'hrda'), 2), 'reanima: info: there is no option --kkk', '`reanima info -h` shows how it is used.\n')

    def test_characters_are_not_cut(self):
        for length in range(3000, 3004):
            p = self.cli('info', '\u20ac' * length + 'x')
            self.assertEqual(p.stderr.decode('utf-8').count('\\x'), 0)


class Terminal(Untrusted):
    NAME = 'a%sb%sc' % (TURNS, CONTROLS[0x1B] + '31m')         # U+009B begins a sequence, as ESC [ does

    def shown(self, *args):
        """On either stream; ESC is for colours."""
        both = b''.join(self.shown_on_terminal(*args, stream=stream) for stream in ('stdout', 'stderr')).decode('utf-8')
        for sign in TURNS + CONTROLS:
            self.assertNotIn(sign, both, args)
        return both

    def test_names_turn_nothing(self):
        name = os.path.join('in', self.NAME)
        write(self.path(name), read(self.path('hrda')))
        for args in (['info', name], ['info', '--json', name], ['check', name], ['check', '--roundtrip', name], ['list', 'in'], ['list', '--json', 'in'], ['list', '-r', 'in'],
                     ['list', '-r', '--json', 'in'], ['convert', name, '-o', self.NAME + '.glb'], ['convert', name, '--outputs'],
                     ['find', self.NAME, 'in'], ['find', '--json', 'kind:character', 'in'], ['info', self.NAME], ['info', '--' + self.NAME], [self.NAME]):
            with self.subTest(args[0], args=args[1:]):
                self.assertIn('\\xe2\\x80\\xae', self.shown(*args))

    def test_joints_and_clips_turn_nothing(self):
        write(self.path('names.csv'), 'clip,0,%s\njoint,0,%s\n' % (self.NAME, self.NAME))
        self.check(self.cli('convert', 'hrda', '--names', 'names.csv', '-o', 'x.glb', '-q'), 0)
        for args in (['info', 'x.glb'], ['info', '--json', 'x.glb'], ['convert', 'hrda', '--names', 'names.csv', '--as', 'bvh', '--clip', '0', '-o', '-'],
                     ['convert', 'hrda', '--names', 'names.csv', '--clip', 'none', '-o', 'y.glb']):
            with self.subTest(args[0], args=args[1:]):
                self.assertIn('\\xe2\\x80\\xae', self.shown(*args))

    def test_pipes_get_names_as_they_are(self):
        os.rename(self.path('hrda'), self.path(self.NAME))
        self.assertEqual(json.loads(self.check(self.cli('info', '--json', self.NAME), 0).stdout)[0]['file'], self.NAME)


if __name__ == '__main__':
    unittest.main()
