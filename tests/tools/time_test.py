#!/usr/bin/env python3
"""How long a verb may work on hostile input: SECURITY.md has the numbers. tests/tools/hostile.py makes the inputs.

    REANIMA=build/release/reanima tests/tools/time_test.py --show [NAME]     prints what each took
"""
import json, os, resource, shutil, subprocess, sys, unittest

from support import Case, RELEASE, TOOL, read, sample, write
import hostile

SHOW = '--show' in sys.argv
ONLY = sys.argv[sys.argv.index('--show') + 1:] if SHOW else []       # those whose names have that in them
SECONDS = 5 if RELEASE or SHOW else 25                    # of CPU time
VERBS = ('info', 'list', 'check', 'dump') if RELEASE or SHOW else ('info', 'check')   # the others do less of the same
PICTURE = 0.05 if RELEASE or SHOW else 0.25               # of CPU time, on the machine of the numbers: see pace()


def time_of(*args):
    """-> exit status, errors, seconds of CPU time; a run that takes far too long is ended"""
    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (10 * SECONDS, 10 * SECONDS))
    with open(os.devnull, 'wb') as nowhere:
        p = subprocess.Popen([TOOL, *args], stdout=nowhere, stderr=subprocess.PIPE, preexec_fn=bound)
        errors = p.stderr.read().decode('utf-8', 'replace')
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        p.stderr.close()
    assert 'Sanitizer' not in errors, errors
    return p.returncode, errors, usage.ru_utime + usage.ru_stime


class Time(Case):
    def pace(self):
        """How many times slower this machine is now than that of the numbers, measured by a picture of a sample; 1 or
        more."""
        words = ('preview', sample('ff7', 'hrda'), '-q', '--force', '-o', self.path('pace.png'))
        return max(1, sum(time_of(*words)[2] for _ in range(3)) / 3 / PICTURE)

    def expect_less(self, seconds, limit):
        if seconds >= limit:
            self.assertLess(seconds, limit * self.pace())

    def test_verbs_that_read_end(self):
        for name, make in hostile.WORST.items():
            if ONLY and ONLY[0] not in name:
                continue
            files = make()
            for file, data in files.items():
                self.assertLessEqual(len(data), 1 << 20, file)
                write(self.path(name, file), data)
            for verb in VERBS:
                with self.subTest(name, verb=verb):
                    status, errors, seconds = time_of(verb, self.path(name, next(iter(files))))
                    if SHOW:
                        print('    %-28s %-5s status %2d, %5.2f s  %s' % (name, verb, status, seconds, errors.strip()[-100:]))
                    self.assertIn(status, (0, 1, 2, 4), errors[-500:])
                    self.expect_less(seconds, SECONDS)
                    if verb == 'info':
                        self.assertIn(hostile.REFUSED.get(name, ''), errors)

    def expect_in_time(self, output, *args, values=0):
        """A verb that writes: one more second per 100 MB, or per 10 million decoded values."""
        status, errors, seconds = time_of(*args, '-q', '-o', output)
        size = sum(os.path.getsize(os.path.join(d, f)) for d, _, names in os.walk(self.path('out')) for f in names)
        if SHOW:
            print('        %-40s status %2d, %5.2f s, %6.1f MB  %s' % (' '.join(args[0:1] + args[2:]), status, seconds, size / 1e6, errors.strip()[-80:]))
        self.assertIn(status, (0, 1, 2, 4), errors[-500:])
        self.expect_less(seconds, SECONDS * (1 + (size / 1e8 + values / 1e7) / 5))
        return status

    def test_verbs_that_write_end(self):
        for name, (make, commands, values) in hostile.written().items():
            if ONLY and ONLY[0] not in name:
                continue
            if SHOW:
                print('    ' + name)
            files = make()
            for file, data in files.items():
                write(self.path(name, file), data)
            first = self.path(name, next(iter(files)))
            for verb, output, *options in commands if RELEASE or SHOW else commands[::2]:
                with self.subTest(name, verb=verb, output=output, options=options):
                    shutil.rmtree(self.path('out'), ignore_errors=True)
                    os.makedirs(self.path('out'))
                    status = self.expect_in_time(self.path('out', output), verb, first, *options, values=values)
                    if verb == 'dump' and status == 0:
                        self.expect_in_time(self.path('out', 'encoded'), 'encode', self.path('out', output))

    def test_a_rig_of_many_nodes(self):
        rig = write(self.path('rig.gltf'), hostile.chained_rig(47000, ['root'] + ['bone%03d' % i for i in range(40)]))
        self.assertLessEqual(os.path.getsize(rig), 1 << 20)
        motion = sample('ff7', 'hrda')
        for args in (('convert', motion, '-s', rig, '-o', self.path('x.glb')), ('convert', motion, '-s', rig, '--mode', 'copy', '-o', self.path('y.glb')),
                     ('bind', motion, '-s', rig), ('bind', motion, '-s', rig, '--suggest', '-o', self.path('map.json'))):
            with self.subTest(args):
                status, errors, seconds = time_of(*args)
                if SHOW:
                    print('    rig: status %d, %.2f s  %s' % (status, seconds, errors.strip()[-100:]))
                self.assertIn(status, (0, 1, 2, 4), errors[-500:])
                self.expect_less(seconds, SECONDS)

    def test_jobs_of_a_job_file(self):
        """Messages need no more time than for the same characters in a folder, and each one no more than among few"""
        few, many = (3000, 12000) if RELEASE or SHOW else (150, 600)
        seconds = {}
        for count in (few, many):
            jobs = [{'schema': 1, 'inputs': ['in/%05d/hrda' % i], 'output': 'out/%05d.glb' % i, 'options': {'rate': 15 + i % 7}} for i in range(count)]
            for i in range(count):
                os.makedirs(self.path('in', '%05d' % i), exist_ok=True)
                for name in ('hrda', 'hraa'):
                    write(self.path('in', '%05d' % i, name), read(sample('ff7', name)))
            job = write(self.path('many.reanima.json'), json.dumps(jobs))
            for key, words in (('jobs', [job]), ('folder', [self.path('in'), '-o', 'out/'])):
                status, errors, seconds[key, count] = time_of('convert', *words, '--outputs')
                self.assertEqual((status, errors), (0, ''))
        if SHOW:
            print('    jobs:', seconds)
        if RELEASE or SHOW:
            self.expect_less(seconds['jobs', many], 2)
        self.assertLess(seconds['jobs', many], 1.5 * seconds['folder', many])
        self.assertLess(seconds['jobs', many], 5 * seconds['jobs', few])

    def test_rigs_that_assimp_reads_badly(self):
        if not os.path.exists(os.path.join(os.path.dirname(os.path.abspath(TOOL)), 'reanima_rigs.so')):
            self.skipTest('built without the module for rigs of other programs')
        for name, text in hostile.RIGS.items():
            with self.subTest(name):
                status, errors, seconds = time_of('info', '-q', write(self.path(name), text))
                if SHOW:
                    print('    %s: status %d, %.2f s  %s' % (name, status, seconds, errors.strip()[-100:]))
                self.assertIn(status, (1, 4), errors[-500:])
                self.assertRegex(errors, r'can\'t be read: Assimp crashes; if Blender reads it: |can\'t be read: Assimp needs more memory than the limit of 1024 MiB')
                self.expect_less(seconds, SECONDS)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1] if SHOW else sys.argv)
