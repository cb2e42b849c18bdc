# SPDX-License-Identifier: GPL-3.0-or-later
"""The command `reanima`: where it is, how it is run, and what it answers. Needs no Blender."""
import json
import os
import platform
import stat
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST = 600   # seconds that one call may take


class CommandError(Exception):
    """What the command reported, or why it could not be run; meant to be shown."""


def bundled():
    """The executable that the add-on's zip brings for this system; None if it has none."""
    system = {'Linux': 'linux', 'Windows': 'windows', 'Darwin': 'macos'}.get(platform.system(), '')
    machine = {'x86_64': 'x64', 'amd64': 'x64', 'aarch64': 'arm64', 'arm64': 'arm64'}.get(platform.machine().lower(), '')
    path = os.path.join(HERE, 'bin', '%s-%s' % (system, machine), 'reanima.exe' if system == 'windows' else 'reanima')
    return path if os.path.isfile(path) else None


def in_path():
    """The command in a folder of PATH; None if there is none. On Windows shutil.which() looks into the current folder first,
    where a file of any origin may lie beside a scene."""
    folders = [folder.strip('"') for folder in os.environ.get('PATH', os.defpath).split(os.pathsep)]
    for folder in filter(os.path.isabs, folders):
        path = os.path.join(folder, 'reanima.exe' if os.name == 'nt' else 'reanima')
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def find(preferred=''):
    """The path of the command: what the user chose, what the add-on brings, what is in PATH."""
    path = preferred or bundled() or in_path()
    if not path:
        raise CommandError('The command reanima was not found. Set its path in the preferences of this add-on.')
    if not os.path.isfile(path):
        raise CommandError('There is no file %s. Set the path of the command reanima in the preferences of this add-on.' % path)
    if os.name == 'posix' and not os.access(path, os.X_OK):
        try:   # Blender unpacks a zip without the permission to execute
            os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        except OSError as error:
            raise CommandError('%s may not be executed: %s' % (path, error)) from None
    return path


class Command:
    """Calls of one executable. Each returns what was asked for or raises CommandError with the command's own words."""

    def __init__(self, preferred=''):
        self.path = find(preferred)

    def run(self, *arguments):
        """-> standard output and the lines of standard error"""
        quiet = {'creationflags': subprocess.CREATE_NO_WINDOW} if os.name == 'nt' else {}
        try:
            done = subprocess.run([self.path, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  timeout=LONGEST, env=dict(os.environ, NO_COLOR='1'), **quiet)
        except OSError as error:
            raise CommandError('%s cannot be run: %s' % (self.path, error)) from None
        except subprocess.TimeoutExpired:
            raise CommandError('reanima %s took more than %d seconds' % (arguments[0], LONGEST)) from None
        lines = done.stderr.decode('utf-8', 'replace').splitlines()
        if done.returncode != 0:
            raise CommandError('\n'.join(lines) or '%s ended with status %d' % (self.path, done.returncode))
        return done.stdout, lines

    def version(self):
        text = self.run('--version')[0].decode('utf-8', 'replace').strip()
        if 'reanima' not in text:
            raise CommandError('%s is not reanima: it answers "%s"' % (self.path, text[:80]))
        return text

    def info(self, paths, options=()):
        """What files hold: a list of objects, as `info --json` prints them."""
        for path in paths:
            if os.path.isdir(path) and not any(files for _, _, files in os.walk(path)):
                raise CommandError('There is no file in the folder %s.' % path)
        return self._json('info', '--json', '--quiet', *paths, *options)

    def archive(self, path):
        """What an archive holds: its `format` and `entries`; None if the file is not an archive."""
        if os.path.isdir(path):
            return None
        try:
            return self._json('list', '--json', '--quiet', path)
        except CommandError:
            return None

    def convert(self, inputs, options, rig=None):
        """-> the .glb as bytes, and the line of the report, which has the warnings"""
        with tempfile.TemporaryDirectory(prefix='reanima_') as folder:
            output, report = os.path.join(folder, 'out.glb'), os.path.join(folder, 'report.jsonl')
            bound = ['--skeleton', rig, '--no-keep-mesh'] if rig else []
            self.run('convert', *inputs, '--quiet', '--output', output, '--report', report, *bound, *options)
            with open(output, 'rb') as file:
                data = file.read()
            with open(report, encoding='utf-8') as file:
                told = json.loads(file.readline())
        return data, told

    def suggest(self, inputs, rig, options=()):
        """The mapping that the command proposes between a game's skeleton and a rig."""
        with tempfile.TemporaryDirectory(prefix='reanima_') as folder:
            output = os.path.join(folder, 'map.json')
            self.run('bind', *inputs, '--quiet', '--skeleton', rig, '--suggest', '--output', output, *options)
            with open(output, encoding='utf-8') as file:
                return json.load(file)

    def frames(self, path, folder, options=()):
        """Writes the frames of a video as PNG files. -> their description (frames.json), and warnings"""
        lines = self.run('frames', path, '--output', folder + os.sep, '--force', *options)[1]
        with open(os.path.join(folder, 'frames.json'), encoding='utf-8') as file:
            return json.load(file), [line for line in lines if ': warning: ' in line]

    def _json(self, *arguments):
        text = self.run(*arguments)[0]
        try:
            return json.loads(text)
        except ValueError:
            raise CommandError('reanima %s did not answer with JSON' % arguments[0]) from None
