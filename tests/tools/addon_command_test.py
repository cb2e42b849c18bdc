#!/usr/bin/env python3
"""Where the add-on looks for the command. Needs no Blender."""
import os, sys, tempfile, unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'blender', 'reanima'))
import command                                     # noqa: E402


class Search(unittest.TestCase):
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


if __name__ == '__main__':
    unittest.main()
