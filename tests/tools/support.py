"""What the tests of the command share. Python 3 standard library only."""
import json, os, subprocess, sys, tempfile, unittest

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))
DATA = os.path.join(SOURCE, 'tests', 'data')
TOOL = os.environ['REANIMA']                      # path of the command; set by ctest
SANITIZED = os.environ.get('REANIMA_SANITIZED') == '1'
RELEASE = os.environ.get('REANIMA_RELEASE') == '1'

sys.path.insert(0, os.path.join(DATA, 'conformance'))
sys.dont_write_bytecode = True
from run import Scene                             # noqa: E402  reads a .glb and computes world transforms


def run(*args, cwd=None, stdin=None, preexec=None, env=None):
    """-> finished process with text output; a signal is a failure of the test"""
    p = subprocess.run([TOOL, *map(str, args)], cwd=cwd, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       preexec_fn=preexec, env=dict(os.environ, **(env or {})), timeout=300)
    p.err = p.stderr.decode('utf-8', 'replace')
    assert p.returncode >= 0 and 'Sanitizer' not in p.err, p.err
    return p


def sample(*parts):
    return os.path.join(SOURCE, 'samples', *parts)


def formats():
    """The rows of the registry"""
    return json.loads(run('formats', '--json').stdout)


def samples():
    """Every sample that has a format, below samples/: files, and the entry of an archive for what lies in one"""
    inside = {'hero.pak': 'hero.pak:Hero.ANCS', 'battle.lgp': 'battle.lgp:hrda', 'FF9.IMG': 'FF9.IMG:10/300'}
    for folder, _, names in sorted(os.walk(sample())):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, inside.get(name, name)), sample())
            if not name.endswith(('.py', '.csv', '.json', '.md', '.txt', '.cpp', '.pyc')) and not path.startswith('pipeline'):
                yield path


def conformance(game, name):
    return os.path.join(DATA, 'conformance', game, 'inputs', name)


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def write(path, data):
    os.makedirs(os.path.dirname(path) or '.', exist_ok=True)
    with open(path, 'wb') as f:
        f.write(data.encode() if isinstance(data, str) else data)
    return path


class Case(unittest.TestCase):
    """A test with a folder of its own."""
    maxDiff = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='reanima_', ignore_cleanup_errors=True)   # a browser's helpers outlive it
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def check(self, p, status, message=None):
        self.assertEqual(p.returncode, status, p.err)
        if message is not None:
            self.assertEqual(p.err, message)
        return p

    def shown_on_terminal(self, *args, stream='stderr'):
        """-> what the command shows while its errors, or its `stdout`, go to a terminal"""
        try:
            master, slave = os.openpty()
        except OSError as error:
            self.skipTest('this system gives no terminal: %s' % error)
        p = subprocess.Popen([TOOL, *map(str, args)], cwd=self.folder, **{'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL, stream: slave},
                             env={k: v for k, v in os.environ.items() if k != 'NO_COLOR'})
        os.close(slave)
        shown = b''
        while True:
            try:
                more = os.read(master, 65536)
            except OSError:
                break
            if not more:
                break
            shown += more
        os.close(master)
        p.wait()
        return shown

    def files(self):
        return sorted(os.path.relpath(os.path.join(d, f), self.folder) for d, _, fs in os.walk(self.folder) for f in fs)


# Debian's Blender 3.4.1 uses numpy.bool, which newer NumPys lack.
BEFORE_BLENDER = """
import json, sys
import numpy
numpy.bool = bool
import bpy
arguments = sys.argv[sys.argv.index('--') + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
"""


def in_blender(case, text, *args):
    """-> what a script prints in an empty Blender after RESULT, as JSON; it finds `scene` and its `arguments`"""
    script = write(case.path('inside.py'), BEFORE_BLENDER + text)
    p = subprocess.run(['blender', '--background', '--factory-startup', '--python-exit-code', '1', '--python', script, '--', *map(str, args)],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600,
                       env=dict(os.environ, PATH='/usr/bin:/bin'))      # another Python first in PATH would lend its modules
    lines = [l for l in p.stdout.decode().splitlines() if l.startswith('RESULT ')]
    case.assertTrue(lines, p.stdout.decode()[-2000:])
    return json.loads(lines[0][7:])
