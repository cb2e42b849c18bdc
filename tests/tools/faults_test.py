#!/usr/bin/env python3
"""Faults on the disk: full, read-only, calls that fail, inputs that change while they are read, kills at any moment.

    REANIMA=build/release/reanima tests/tools/faults_test.py
    REANIMA_LONG=1 ...       every number of free blocks up to 64, every call, and 200 kills of each kind
"""
import contextlib, functools, os, random, subprocess, time, unittest

from support import TOOL, read, write
from faults import MOMENTS, READS, WRITES, Disk, Verb, content, named, prepared

LONG = bool(os.environ.get('REANIMA_LONG'))
KILLS = 200 if LONG else 10


class Faults(unittest.TestCase):
    """The checks. `tool` is the command, or a program with a defect that a check must find."""
    tool = TOOL
    left = 0                                      # kills that left a temporary file

    @functools.cached_property
    def disk(self):
        return prepared()

    def ran(self, verb, *fault):
        self.disk.reset(verb)
        return self.disk.ran(verb, *fault, tool=self.tool)

    def expect_whole(self, verb, found, *others):
        """Every file is the old or the new one, and there are no further files"""
        for name in {*found, *verb.old}:
            self.assertIn(found.get(name), [files.get(name) for files in (verb.old, verb.new, *others)] + [None] * (name == verb.last), name)
        if verb.last in found:
            self.assertIn(found, (verb.old, verb.new))

    def expect_there(self, verb, found, *others):
        """No file is lost, and there are no further ones; after a message they may have been made without an input"""
        self.assertLessEqual({*verb.old} & {*verb.new}, {*found})
        self.assertLessEqual({*found}, {*verb.old, *verb.new}.union(*others))

    def expect(self, verb, p, reason, path='', there=expect_whole):
        """All is done, or a message names the file and the reason"""
        found = content(self.disk.out)
        self.assertEqual(content(self.disk.path('in')), self.disk.inputs)
        if p.returncode == 0:
            self.assertEqual(found, verb.new, p.err)
        else:
            self.assertRegex(p.err, r'(^|\n)reanima: [^\n]*(%s)' % reason)
            self.assertIn(named(path), p.err)
            there(self, verb, found)

    @contextlib.contextmanager
    def mounted(self):
        """out/ is on a file system of its own"""
        if os.geteuid() != 0:
            self.skipTest('only root mounts')
        if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=2M', 'none', self.disk.out], stderr=subprocess.DEVNULL).returncode:
            self.skipTest('no file system can be mounted here')
        try:
            yield
        finally:
            subprocess.run(['umount', self.disk.out], check=True)

    def full(self, verb, blocks):
        self.disk.reset(verb)
        space = os.statvfs(self.disk.out)
        filler = write(os.path.join(self.disk.out, 'filler'), bytes(space.f_bsize * (space.f_bavail - blocks)))
        p = self.disk.ran(verb, tool=self.tool)
        os.remove(filler)
        self.expect(verb, p, 'No space left on device|it has room for')

    def read_only(self, verb):
        self.disk.reset(verb)
        remount = lambda how: subprocess.run(['mount', '-o', 'remount,' + how, self.disk.out], check=True)
        remount('ro')
        p = self.disk.ran(verb, tool=self.tool)
        remount('rw')
        self.assertNotEqual(p.returncode, 0)
        self.expect(verb, p, 'Read-only file system')

    def fails(self, verb, calls, at, action='fail'):
        p = self.ran(verb, '', calls, at, action)
        self.expect(verb, p, 'Input/output error', self.disk.called()[at - 1][1], Faults.expect_there if calls == READS else Faults.expect_whole)

    def changes(self, verb, change, at):
        """The result is that of the input before or after the change, or an error is reported"""
        action, file, kept = Disk.CHANGES[change], self.disk.path(verb.file), read(self.disk.path(verb.file))
        with contextlib.ExitStack() as end:
            end.callback(write, file, kept)
            subprocess.run(action, shell=True, check=True, cwd=self.disk.path(), env=dict(os.environ, FILE=verb.file, OTHER=verb.other))
            later = [content(self.disk.out)] if self.ran(verb).returncode == 0 else []
            write(file, kept)
            p = self.ran(verb, verb.file, 'read', at, action)
        found = content(self.disk.out)
        if p.returncode == 0:
            self.assertIn(found, [verb.new, *later], p.err)
        else:
            self.assertRegex(p.err, '^reanima: ')
            self.expect_there(verb, found, *later)

    def killed(self, verb, moment):
        """At a call (its number) or a time (seconds); the next run removes what is left."""
        if isinstance(moment, int):
            self.ran(verb, '', MOMENTS, moment, 'kill')
        else:
            self.disk.reset(verb)
            with self.disk.start(verb, tool=self.tool) as p:
                time.sleep(moment)
                p.kill()
        found = content(self.disk.out)
        finished = {name: data for name, data in found.items() if '.reanima-tmp' not in name}
        self.expect_whole(verb, finished)
        if finished != found:
            verb.args.append('--force')
            p = self.disk.ran(verb)
            verb.args.pop()
            self.assertEqual((p.returncode, content(self.disk.out)), (0, verb.new), p.err)
            self.left += 1


def some(numbers, most, seed):
    return numbers if LONG or len(numbers) <= most else sorted(random.Random(seed).sample(numbers, most))


class Disks(Faults):
    def each(self, check, cases):
        for name, *args in cases:
            with self.subTest(name, args=args):
                check(self.disk.verbs[name], *args)
        print('%d times %s' % (len(cases), check.__name__))

    def test_full(self):
        with self.mounted():
            self.each(self.full, [(name, blocks) for name in self.disk.verbs for blocks in some(range(1, 65), 2, name)])

    def test_read_only(self):
        with self.mounted():
            self.each(self.read_only, [(name,) for name in self.disk.verbs])

    def numbers(self, name, below, calls, most):
        """-> numbers of calls of an undisturbed run"""
        self.ran(self.disk.verbs[name], below, calls)
        return some(range(1, len(self.disk.called()) + 1), most, name)

    def test_calls_that_fail(self):
        self.each(self.fails, [(name, calls, at) for name in self.disk.verbs for calls in (READS, WRITES) for at in self.numbers(name, '', calls, 2)])

    def test_a_folder_that_cannot_be_read_loses_no_outputs(self):
        verb = self.disk.verbs['prune']
        verb.args.remove('-q')
        p = self.ran(verb, 'in/some', 'opendir', 2, 'fail')
        verb.args.append('-q')
        self.assertEqual(content(self.disk.out), verb.old)
        self.assertEqual(p.err.splitlines()[:2], ["reanima: in/some: can't be read: Input/output error",
                                                  "in/some: can't be read: Input/output error, so nothing is pruned; 3 outputs of an earlier run stay"])

    def test_an_archive_that_changes(self):
        verb = self.disk.verbs['pack']
        kept = read(self.disk.path(verb.file))
        p = self.ran(verb, verb.file, 'read', 9, Disk.CHANGES['rewritten'])
        write(self.disk.path(verb.file), kept)
        self.assertEqual((p.returncode, p.err), (1, "reanima: in/one.lgp: can't be read: it was changed while it was read\n"))

    def test_inputs_that_change(self):
        cases = [(name, change, at) for name, verb in self.disk.verbs.items() if verb.file for change in Disk.CHANGES for at in self.numbers(name, verb.file, 'read', 1)]
        self.each(self.changes, some(cases, 15, 1))

    def test_kills(self):
        cases = []
        for name in ('glb', 'gltf', 'into', 'into archive', 'pack', 'retime', 'extract', 'prune', 'frames'):
            begin = time.monotonic()
            self.ran(self.disk.verbs[name])
            seconds, randomly = time.monotonic() - begin, random.Random(name)
            cases += [(name, randomly.uniform(0, 1.1 * seconds)) for _ in range(KILLS)] + [(name, at) for at in self.numbers(name, '', MOMENTS, 2)]
        self.each(self.killed, cases)
        print('%d left a temporary file' % self.left)
        self.assertGreater(self.left, 0)


class Planted(Faults):
    """Each check finds a defect: of a program that copies a file in place and ignores errors, and of the command if a
    call of the system does nothing."""

    def found(self, check, *args):
        with self.assertRaises(AssertionError):
            check(*args)

    def test_careless_copy(self):
        verb = Verb('in/one.lgp out/x', {'x': b'old'}, changing=('in/one.lgp', 'in/mod.lgp'))
        verb.new = {'x': self.disk.inputs['one.lgp']}
        self.tool = write(os.path.join(self.disk.folder, 'careless'), '#!/bin/sh\ndd if="$1" of="$2" bs=4096 2> /dev/null\nexit 0\n')
        os.chmod(self.tool, 0o755)
        self.found(self.fails, verb, 'read', 9)
        self.found(self.fails, verb, 'write', 9)
        self.found(self.changes, verb, 'rewritten', 9)
        self.found(self.killed, verb, 9)
        with self.mounted():
            self.found(self.full, verb, 1)
            self.found(self.read_only, verb)

    def test_calls_that_do_nothing(self):
        for name, call in (('glb', 'rename'), ('frames', 'rename'), ('pack', 'write'), ('prune', 'remove'), ('dump', 'renameat2')):
            with self.subTest(name, call=call):
                self.found(self.fails, self.disk.verbs[name], call, 1, 'drop')


if __name__ == '__main__':
    unittest.main()
