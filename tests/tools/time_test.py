#!/usr/bin/env python3
"""How long hostile input may keep a verb that only reads: SECURITY.md has the numbers. tests/tools/hostile.py makes the inputs.

    REANIMA=build/release/reanima tests/tools/time_test.py --show [NAME]     prints what each took
"""
import os, resource, subprocess, sys, unittest

from support import Case, RELEASE, TOOL, sample, write
import hostile

SHOW = '--show' in sys.argv
ONLY = sys.argv[sys.argv.index('--show') + 1:] if SHOW else []       # those whose names have that in them
SECONDS = 5 if RELEASE or SHOW else 25                    # of CPU time
VERBS = ('info', 'list', 'check', 'dump')


def time_of(*args):
    """-> exit status, errors, seconds of CPU time; a run that takes far too long is ended"""
    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (3 * SECONDS, 3 * SECONDS))
    with open(os.devnull, 'wb') as nowhere:
        p = subprocess.Popen([TOOL, *args], stdout=nowhere, stderr=subprocess.PIPE, preexec_fn=bound)
        errors = p.stderr.read().decode('utf-8', 'replace')
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        p.stderr.close()
    assert 'Sanitizer' not in errors, errors
    return p.returncode, errors, usage.ru_utime + usage.ru_stime


class Time(Case):
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
                    self.assertLess(seconds, SECONDS)
                    if verb == 'info':
                        self.assertIn(hostile.REFUSED.get(name, ''), errors)

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
                self.assertLess(seconds, SECONDS)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1] if SHOW else sys.argv)
