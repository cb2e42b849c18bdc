#!/usr/bin/env python3
"""Where the add-on looks for the command, and how it waits for it and ends it. Needs no Blender."""
import os, sys, tempfile, time, unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'blender', 'reanima'))
import command                                     # noqa: E402


class InFolder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='reanima_')
        self.addCleanup(holder.cleanup)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(holder.name)
        self.folder = os.getcwd()

    def place(self, *names):
        path = os.path.join(self.folder, *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as file:
            file.write('#!/bin/sh\n')
        os.chmod(path, 0o755)
        return path


class Search(InFolder):
    def found(self, system, *folders):
        with mock.patch.object(command.os, 'name', system), mock.patch.object(command, 'bundled', lambda: None), \
                mock.patch.dict(os.environ, {'PATH': os.pathsep.join(folders)}):
            try:
                return command.find()
            except command.CommandError:
                return None

    def test_not_in_the_current_folder(self):
        for system, name in (('nt', 'reanima.exe'), ('posix', 'reanima')):
            for extension in ('', '.exe', '.bat', '.cmd'):
                self.place('reanima' + extension)
            self.place('below', name)
            self.assertIsNone(self.found(system, '', '.', 'below'))
            wanted = self.place('chosen', name)
            self.assertEqual(self.found(system, '', '.', 'below', os.path.dirname(wanted)), wanted)
            self.assertEqual(self.found(system, '"%s"' % os.path.dirname(wanted)), wanted)

    def test_what_the_user_chose_comes_first(self):
        chosen = self.place('mine', 'other')
        self.place('chosen', 'reanima')
        with mock.patch.dict(os.environ, {'PATH': os.path.join(self.folder, 'chosen')}):
            self.assertEqual(command.find(chosen), chosen)


# It tells the process that it started and its own, then writes into the folder of its output, and never comes to an end.
ENDLESS = '''#!/bin/sh
%s
sleep 60 &
echo $$ $! > pids
for word; do test "$last" = --output && echo half > "$word.part"; last=$word; done
wait
sleep 60
'''


@unittest.skipUnless(os.name == 'posix', 'scripts of a shell')
class Waiting(InFolder):
    def setUp(self):
        super().setUp()
        temporary = os.path.join(self.folder, 'temporary')
        os.mkdir(temporary)
        replaced = mock.patch.object(tempfile, 'tempdir', temporary)
        replaced.start()
        self.addCleanup(replaced.stop)

    def script(self, text):
        path = self.place('reanima')
        with open(path, 'w') as file:
            file.write(text)
        return command.Command(path)

    def temporary(self):
        return [name for _, folders, files in os.walk('temporary') for name in folders + files]

    def pids(self):
        for _ in range(100):
            if os.path.isfile('pids') and os.path.getsize('pids'):
                with open('pids') as file:
                    return [int(pid) for pid in file.read().split()]
            time.sleep(0.05)

    def running(self, pids):
        """Those that neither ended nor wait for their parent to notice that they did"""
        found = []
        for pid in pids:
            try:
                with open('/proc/%d/stat' % pid) as file:
                    found += [pid] if file.read().rpartition(')')[2].split()[0] != 'Z' else []
            except FileNotFoundError:
                pass
        return found

    def closed(self, steps):
        """Closes a call when it has begun to write. -> its processes that still run, and how long closing took"""
        self.assertEqual(next(steps), ('Converting hero.da and 1 more', 0.0))
        pids = self.pids()
        self.assertEqual(len(self.running(pids)), 2)
        while not any(name.endswith('.part') for name in self.temporary()):
            next(steps)
        began = time.monotonic()
        steps.close()
        return self.running(pids), time.monotonic() - began

    def test_a_call_that_is_closed_ends_its_processes_and_leaves_no_file(self):
        running, took = self.closed(self.script(ENDLESS % '').convert(['/games/hero.da', '/games/hero.hrc'], []))
        self.assertEqual([running, self.temporary()], [[], []])
        self.assertLess(took, 2)

    def test_one_that_does_not_end_when_it_is_asked_to_is_made_to(self):
        with mock.patch.object(command, 'GRACE', 0.3):
            running, took = self.closed(self.script(ENDLESS % "trap '' TERM").convert(['/games/hero.da', '/games/hero.hrc'], []))
        self.assertEqual([running, self.temporary()], [[], []])
        self.assertTrue(0.3 <= took < 2, took)

    def test_one_that_takes_too_long_is_an_error(self):
        with mock.patch.object(command, 'LONGEST', 0.3), self.assertRaisesRegex(command.CommandError, '^reanima convert took more than 0 seconds$'):
            list(self.script(ENDLESS % '').convert(['hero.da'], []))
        self.assertEqual([self.running(self.pids()), self.temporary()], [[], []])

    def test_output_of_any_length_is_read_while_it_waits(self):
        steps, count = self.script('#!/bin/sh\nfor i in 1 2 3; do head -c 300000 /dev/zero; sleep 0.2; done; echo told >&2').run('info'), 0
        try:
            while True:
                next(steps)
                count += 1
        except StopIteration as end:
            out, lines = end.value
        self.assertEqual([len(out), lines], [900000, ['told']])
        self.assertGreater(count, 5)


if __name__ == '__main__':
    unittest.main()
