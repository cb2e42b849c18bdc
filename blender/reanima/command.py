# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds and runs the command `reanima`, and reads its output. Needs no Blender."""
import hashlib
import json
import os
import platform
import signal
import stat
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST = 600   # seconds that one call may take
WAIT = 0.05     # seconds that a call waits before it yields
GRACE = 3       # seconds in which the command may end by itself; it needs about one


class CommandError(Exception):
    """The command's error, or the reason why it could not run. For display."""


def bundled():
    """The executable for this system in the add-on's zip. None if there is none."""
    system = {'Linux': 'linux', 'Windows': 'windows', 'Darwin': 'macos'}.get(platform.system(), '')
    machine = {'x86_64': 'x64', 'amd64': 'x64', 'aarch64': 'arm64', 'arm64': 'arm64'}.get(platform.machine().lower(), '')
    path = os.path.join(HERE, 'bin', '%s-%s' % (system, machine), 'reanima.exe' if system == 'windows' else 'reanima')
    return path if os.path.isfile(path) else None


def in_path():
    """The command in a folder of PATH. None if there is none. shutil.which() is not used: on Windows it searches the
    current folder first, which may contain files of unknown origin beside a scene."""
    folders = [folder.strip('"') for folder in os.environ.get('PATH', os.defpath).split(os.pathsep)]
    for folder in filter(os.path.isabs, folders):
        path = os.path.join(folder, 'reanima.exe' if os.name == 'nt' else 'reanima')
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def find(preferred=''):
    """The path of the command: the user's choice, otherwise the one in the add-on's zip, otherwise the one in PATH."""
    path = preferred or bundled() or in_path()
    if not path:
        raise CommandError('The command reanima was not found. Set its path in the preferences of this add-on.%s'
                           % (' This add-on contains no command for macOS: build the command on your Mac.' if platform.system() == 'Darwin' else ''))
    if not os.path.isfile(path):
        raise CommandError('There is no file %s. Set the path of the command reanima in the preferences of this add-on.' % path)
    if os.name == 'posix' and not os.access(path, os.X_OK):
        try:   # Blender unpacks zips without execute permissions
            os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        except OSError as error:
            if path != bundled():
                raise CommandError('%s is not executable: %s' % (path, error)) from None
            return own_copy(path)
    return path


def own_copy(path):
    """An executable copy in a private folder of the user, since the add-on's own may be read-only."""
    with open(path, 'rb') as file:
        data = file.read()
    cache = os.environ.get('XDG_CACHE_HOME') or os.path.join(os.path.expanduser('~'), '.cache')
    folder = os.path.join(cache, 'reanima')
    copy = os.path.join(folder, 'reanima-' + hashlib.sha256(data).hexdigest()[:16])
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if os.path.isfile(copy):
            with open(copy, 'rb') as file:
                if file.read() == data and os.access(copy, os.X_OK):
                    return copy
        part, name = tempfile.mkstemp(dir=folder)
        with os.fdopen(part, 'wb') as file:
            file.write(data)
        os.chmod(name, 0o700)
        os.replace(name, copy)
    except OSError as error:
        raise CommandError('%s is not executable and cannot be copied to %s: %s' % (path, folder, error)) from None
    return copy


def named(paths):
    """Paths for display."""
    return os.path.basename(os.path.normpath(paths[0])) + (' and %d more' % (len(paths) - 1) if len(paths) > 1 else '')


def shortened(names, most=12):
    return ', '.join(names[:most]) + (' and %d more' % (len(names) - most) if len(names) > most else '')


def started(path, arguments):
    """Starts a process in a separate group, so that its children end with it."""
    own = {'creationflags': subprocess.CREATE_NO_WINDOW} if os.name == 'nt' else {'start_new_session': True}
    try:
        return subprocess.Popen([path, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=dict(os.environ, NO_COLOR='1'), **own)
    except (OSError, ValueError) as error:      # ValueError: a zero byte in an argument
        raise CommandError('%s cannot be run: %s' % (path, error)) from None


def end(process):
    """Asks a process to end, so that it can remove unfinished files. If it does not end, kills it."""
    for request in (signal.SIGTERM, getattr(signal, 'SIGKILL', signal.SIGTERM)):
        try:
            os.killpg(process.pid, request) if os.name == 'posix' else process.terminate()
            process.communicate(timeout=GRACE)
            return
        except (OSError, subprocess.TimeoutExpired):
            pass


class Command:
    """Calls of one executable. Each call is a generator. While it runs, it yields (description, 0.0). At the end it
    returns the result, or raises CommandError with the command's message. Closing the generator ends the process. File names
    follow `--`, so that a file of a .blend is never read as an option."""

    def __init__(self, preferred=''):
        self.path = find(preferred)

    def run(self, *arguments, doing='Waiting for reanima', accepted=(0,)):
        """Runs the command. accepted: exit statuses. -> standard output and the lines of standard error"""
        process, until = started(self.path, arguments), time.monotonic() + LONGEST
        try:
            while True:
                try:
                    out, told = process.communicate(timeout=WAIT)
                    break
                except subprocess.TimeoutExpired:
                    if time.monotonic() > until:
                        raise CommandError('reanima %s took more than %d seconds' % (arguments[0], LONGEST)) from None
                yield doing, 0.0
        finally:
            if process.poll() is None:
                end(process)
        lines = told.decode('utf-8', 'replace').splitlines()
        if process.returncode not in accepted:
            raise CommandError('\n'.join(lines) or '%s ended with status %d' % (self.path, process.returncode))
        return out, lines

    def version(self):
        text = (yield from self.run('--version'))[0].decode('utf-8', 'replace').strip()
        if 'reanima' not in text:
            raise CommandError('%s is not reanima: it answers "%s"' % (self.path, text[:80]))
        return text

    def info(self, paths, options=()):
        """The content of files: a list of objects from `info --json`."""
        for path in paths:
            if os.path.isdir(path) and not any(files for _, _, files in os.walk(path)):
                raise CommandError('There is no file in the folder %s.' % path)
        return (yield from self._json('info', '--json', '--quiet', *options, '--', *paths, doing='Reading ' + named(paths)))

    def archive(self, path):
        """The content of an archive: its `format` and `entries`. None if the file is not an archive."""
        if os.path.isdir(path):
            return None
        try:
            return (yield from self._json('list', '--json', '--quiet', '--', path, doing='Reading ' + named([path])))
        except CommandError:
            return None

    def characters(self, path):
        """The readable characters in an archive, from `find --json`."""
        try:
            return (yield from self._json('find', '--json', '--quiet', '--', 'kind:character', path, doing='Looking for characters in ' + named([path]), accepted=(0, 1)))['found']
        except CommandError:
            return []

    def convert(self, inputs, options, rig=None):
        """-> the .glb as bytes, and its line of the report, which includes the warnings"""
        with tempfile.TemporaryDirectory(prefix='reanima_') as folder:
            output, report = os.path.join(folder, 'out.glb'), os.path.join(folder, 'report.jsonl')
            bound = ['--skeleton', rig, '--rig-mesh', 'omit'] if rig else []
            yield from self.run('convert', '--quiet', '--output', output, '--report', report, *bound, *options, '--', *inputs,
                                doing='Converting ' + named(inputs))
            with open(output, 'rb') as file:
                data = file.read()
            with open(report, encoding='utf-8') as file:
                told = json.loads(file.readline())
        return data, told

    def encode(self, edited, into, output, options=()):
        """Writes a .glb into a game's file. Without an output, only compares them. -> the report, and the lines of
        standard error"""
        with tempfile.TemporaryDirectory(prefix='reanima_') as folder:
            report = os.path.join(folder, 'report.json')
            lines = (yield from self.run('encode', '--into=' + into, '--report', report, *(['--output', output] if output else []), *options, '--', edited,
                                         doing='%s %s' % ('Writing' if output else 'Comparing', named([into]))))[1]
            with open(report, encoding='utf-8') as file:
                return json.load(file), lines

    def suggest(self, inputs, rig, options=()):
        """The command's suggested mapping between a game's skeleton and a rig."""
        with tempfile.TemporaryDirectory(prefix='reanima_') as folder:
            output = os.path.join(folder, 'map.json')
            yield from self.run('bind', '--quiet', '--skeleton', rig, '--suggest', '--output', output, *options, '--', *inputs,
                                doing='Suggesting a mapping for ' + named(inputs))
            with open(output, encoding='utf-8') as file:
                return json.load(file)

    def frames(self, path, folder, options=()):
        """Writes the frames of a video as PNG files. -> their description (frames.json), and warnings"""
        lines = (yield from self.run('frames', '--output', folder + os.sep, '--force', *options, '--', path, doing='Decoding ' + named([path])))[1]
        with open(os.path.join(folder, 'frames.json'), encoding='utf-8') as file:
            return json.load(file), [line for line in lines if ': warning: ' in line]

    def _json(self, *arguments, doing, accepted=(0,)):
        text = (yield from self.run(*arguments, doing=doing, accepted=accepted))[0]
        try:
            return json.loads(text)
        except ValueError:
            raise CommandError('reanima %s did not answer with JSON' % arguments[0]) from None
