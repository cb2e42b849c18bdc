#!/usr/bin/env python3
"""How long hostile input may keep a verb that only reads: SECURITY.md has the numbers. tests/tools/hostile.py makes the inputs.

    REANIMA=build/release/reanima tests/tools/time_test.py --show     prints what each took
"""
import os, resource, subprocess, sys, unittest

from support import Case, RELEASE, TOOL, write
import hostile

SHOW = '--show' in sys.argv
SECONDS = 5 if RELEASE or SHOW else 25                    # of CPU time
VERBS = ('info', 'list', 'check', 'dump')


def time_of(verb, path):
    """-> exit status, errors, seconds of CPU time; a run that takes far too long is ended"""
    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (3 * SECONDS, 3 * SECONDS))
    with open(os.devnull, 'wb') as nowhere:
        p = subprocess.Popen([TOOL, verb, path], stdout=nowhere, stderr=subprocess.PIPE, preexec_fn=bound)
        errors = p.stderr.read().decode('utf-8', 'replace')
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        p.stderr.close()
    assert 'Sanitizer' not in errors, errors
    return p.returncode, errors, usage.ru_utime + usage.ru_stime


class Time(Case):
    def test_verbs_that_read_end(self):
        for name, make in hostile.WORST.items():
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


if __name__ == '__main__':
    unittest.main(argv=[a for a in sys.argv if a != '--show'])
