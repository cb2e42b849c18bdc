"""Shared code of tests that do not need the command. Python 3 standard library only."""
import os, subprocess, sys, tempfile, unittest

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))


def write(path, data):
    os.makedirs(os.path.dirname(path) or '.', exist_ok=True)
    with open(path, 'wb') as f:
        f.write(data.encode() if isinstance(data, str) else data)
    return path


def listed(check, files):
    """-> status and lines of a check of scripts/ for a tree of files"""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            write(os.path.join(folder, name), text)
        done = subprocess.run([sys.executable, check, folder], capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines()


class InFolder(unittest.TestCase):
    """A test with a folder of its own."""
    maxDiff = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix='reanima_', ignore_cleanup_errors=True)   # a browser's helpers outlive it
        self.addCleanup(holder.cleanup)
        self.folder = os.path.realpath(holder.name)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)
