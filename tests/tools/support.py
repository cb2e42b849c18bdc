"""What the tests of the command share. Python 3 standard library only."""
import os, subprocess, sys, tempfile, unittest

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))
DATA = os.path.join(SOURCE, 'tests', 'data')
TOOL = os.environ['REANIMA']                      # path of the command; set by ctest
SANITIZED = os.environ.get('REANIMA_SANITIZED') == '1'

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
        holder = tempfile.TemporaryDirectory(prefix='reanima_')
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def check(self, p, status, message=None):
        self.assertEqual(p.returncode, status, p.err)
        if message is not None:
            self.assertEqual(p.err, message)
        return p

    def files(self):
        return sorted(os.path.relpath(os.path.join(d, f), self.folder) for d, _, fs in os.walk(self.folder) for f in fs)
