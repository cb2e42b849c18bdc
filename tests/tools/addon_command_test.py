#!/usr/bin/env python3
"""Where the add-on looks for the command, how it waits for the command, and how it ends it. Needs no Blender."""
import ast, os, subprocess, sys, tempfile, time, tomllib, unittest, zipfile
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'blender', 'reanima'))
import command, folder                             # noqa: E402


class InFolder(folder.InFolder):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def place(self, *names):
        path = folder.write(os.path.join(self.folder, *names), '#!/bin/sh\n')
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


class Bundled(InFolder):
    """The executable of the add-on's zip, which Blender unpacks without the permission to execute"""

    def setUp(self):
        super().setUp()
        self.path = self.place('addon', 'reanima')
        os.chmod(self.path, 0o644)
        self.cache = os.path.join(self.folder, 'cache')

    def found(self, chmod, cache=None):
        with mock.patch.object(command, 'bundled', lambda: self.path), mock.patch.object(command.os, 'chmod', chmod), \
                mock.patch.dict(os.environ, {'XDG_CACHE_HOME': cache or self.cache}):
            return command.find()

    def test_a_folder_that_can_be_written(self):
        self.assertEqual(self.found(os.chmod), self.path)
        self.assertTrue(os.access(self.path, os.X_OK))

    def read_only(self, path, mode):
        if path == self.path:
            raise PermissionError('read-only')
        return self.chmod(path, mode)

    def test_a_folder_that_is_read_only(self):
        self.chmod = os.chmod
        copy = self.found(self.read_only)
        self.assertEqual(os.path.dirname(copy), os.path.join(self.cache, 'reanima'))
        self.assertTrue(os.access(copy, os.X_OK))
        self.assertEqual(os.stat(os.path.dirname(copy)).st_mode & 0o777, 0o700)
        with open(copy, 'rb') as file:
            self.assertEqual(file.read(), b'#!/bin/sh\n')
        self.assertEqual(self.found(self.read_only), copy)
        with open(copy, 'w') as file:                       # changed by someone
            file.write('#!/bin/sh\nother\n')
        self.assertEqual(self.found(self.read_only), copy)
        with open(copy, 'rb') as file:
            self.assertEqual(file.read(), b'#!/bin/sh\n')
        self.assertEqual(os.listdir(os.path.dirname(copy)), [os.path.basename(copy)])
        blocked = self.place('file')
        with self.assertRaisesRegex(command.CommandError, 'is not executable and cannot be copied to '):
            self.found(self.read_only, blocked)

    def test_on_macos_it_says_that_there_is_none(self):
        with mock.patch.object(command, 'bundled', lambda: None), mock.patch.object(command.platform, 'system', lambda: 'Darwin'), \
                mock.patch.dict(os.environ, {'PATH': ''}), self.assertRaisesRegex(command.CommandError, 'contains no command for macOS: build the command on your Mac'):
            command.find()


class Zip(InFolder):
    def packed(self, *options):
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
        output = os.path.join(self.folder, 'addon.zip')
        subprocess.run([os.path.join(root, 'scripts', 'build-addon.sh'), *options, '--output', output], check=True, stderr=subprocess.DEVNULL)
        found = {}
        for name in sorted(os.listdir(self.folder)):
            if name.endswith('.zip'):
                with zipfile.ZipFile(name) as archive:
                    found[name] = {n: archive.read(n).decode() for n in archive.namelist()}
        return found

    def test_one_for_all_and_one_for_each_system(self):
        linux, windows = self.place('linux'), self.place('windows')
        urls = ('--website', 'https://reanima.example/', '--documentation', 'https://reanima.example/docs', '--tracker', 'https://reanima.example/issues')
        zips = self.packed('--linux', linux, '--windows', windows, '--each', *urls)
        self.assertEqual(list(zips), ['addon-linux-x64.zip', 'addon-windows-x64.zip', 'addon.zip'])
        commands = {n: sorted(f for f in files if f.startswith('reanima/bin/') and 'reanima' in os.path.basename(f)) for n, files in zips.items()}
        both = ['reanima/bin/linux-x64/reanima', 'reanima/bin/windows-x64/reanima.exe']
        self.assertEqual(commands, {'addon.zip': both, 'addon-linux-x64.zip': both[:1], 'addon-windows-x64.zip': both[1:]})
        for name, platforms in (('addon.zip', None), ('addon-linux-x64.zip', ['linux-x64']), ('addon-windows-x64.zip', ['windows-x64'])):
            manifest = tomllib.loads(zips[name]['reanima/blender_manifest.toml'])
            self.assertEqual([manifest.get('platforms'), manifest['website'], sorted(manifest['permissions'])], [platforms, 'https://reanima.example/', ['files']])
            self.assertIn("'doc_url': 'https://reanima.example/docs',", zips[name]['reanima/__init__.py'])
            self.assertIn("'tracker_url': 'https://reanima.example/issues',", zips[name]['reanima/__init__.py'])
            ast.parse(zips[name]['reanima/__init__.py'])

    def test_without_addresses_the_files_are_as_they_are(self):
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'blender', 'reanima')
        zips = self.packed('--without-command')
        self.assertEqual(list(zips), ['addon.zip'])
        for name in ('__init__.py', 'blender_manifest.toml'):
            with open(os.path.join(root, name), encoding='utf-8') as file:
                self.assertEqual(zips['addon.zip']['reanima/' + name], file.read())


# Prints the id of the process that it started and its own, then writes into its output's folder and never ends.
ENDLESS = '''#!/bin/sh
%s
sleep 60 &
echo $$ $! > pids
for word; do test "$last" = --output && echo half > "$word.part"; last=$word; done
wait
sleep 60
'''


@unittest.skipUnless(os.name == 'posix', 'scripts of a shell')
class Scripts(InFolder):
    """A script in place of the command"""

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


class Names(Scripts):
    """Files may have any name, so the options end before the file names."""

    def words(self, call):
        """The arguments of the command"""
        try:
            list(call)
        except (command.CommandError, OSError):      # the script answers nothing
            pass
        with open('words', encoding='utf-8') as file:
            return file.read().split('\n')[:-1]

    def test_no_name_is_an_option(self):
        called = self.script('#!/bin/sh\nprintf "%s\\n" "$@" > words\n')
        names = ['--force', '-oVICTIM']
        for words, verb in ((self.words(called.info(names, ['--rate', '15'])), 'info'), (self.words(called.convert(names, ['--lighting', 'unlit'], 'rig')), 'convert'),
                            (self.words(called.suggest(names, 'rig', ['--model=1'])), 'bind')):
            with self.subTest(verb):
                self.assertEqual([words[0], words[-3:]], [verb, ['--', *names]])
        self.assertEqual(self.words(called.archive('--force')), ['list', '--json', '--quiet', '--', '--force'])
        self.assertEqual(self.words(called.characters('--force'))[-3:], ['--', 'kind:character', '--force'])
        self.assertEqual(self.words(called.frames('--force', 'folder', ['--rate', '15']))[-2:], ['--', '--force'])
        words = self.words(called.encode('edited.glb', '--force', '-oVICTIM'))
        self.assertEqual([words[:2], words[-2:]], [['encode', '--into=--force'], ['--', 'edited.glb']])

    def test_a_zero_byte_is_an_error(self):
        with self.assertRaisesRegex(command.CommandError, 'cannot be run: embedded null byte'):
            list(self.script('#!/bin/sh\n').info(['x\0y']))


class Waiting(Scripts):
    def temporary(self):
        return [name for _, folders, files in os.walk('temporary') for name in folders + files]

    def pids(self):
        for _ in range(100):
            if os.path.isfile('pids') and os.path.getsize('pids'):
                with open('pids') as file:
                    return [int(pid) for pid in file.read().split()]
            time.sleep(0.05)

    def running(self, pids):
        """The processes that are still running, without zombies"""
        found = []
        for pid in pids:
            try:
                with open('/proc/%d/stat' % pid) as file:
                    found += [pid] if file.read().rpartition(')')[2].split()[0] != 'Z' else []
            except FileNotFoundError:
                pass
        return found

    def closed(self, steps):
        """Closes a call once it has begun to write. -> its processes that are still running, and the duration of
        closing"""
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
