"""Shared code of the command's tests. Python 3 standard library only."""
import atexit, json, os, shutil, subprocess, sys, tempfile, unittest

from folder import SOURCE, InFolder, write       # noqa: F401

DATA = os.path.join(SOURCE, 'tests', 'data')
TOOL = os.environ['REANIMA']                      # path of the command; set by ctest
SANITIZED = os.environ.get('REANIMA_SANITIZED') == '1'
RELEASE = os.environ.get('REANIMA_RELEASE') == '1'
PACKINGS = os.environ.get('REANIMA_PACKINGS', 'BZIP2:LZMA:ZSTD:LZ4:FLAC').split(':')   # the libraries that it was built with

# What describes the formats and rigs (writers.py, rig_set.py, ...), and the modules of scripts and samples.
sys.path[:0] = [os.path.join(DATA, 'conformance'), os.path.join(DATA, 'rigs'), os.path.join(DATA, 'way_back')]
sys.path += [os.path.join(DATA, 'conformance', 'archives'), os.path.join(SOURCE, 'scripts'), os.path.join(SOURCE, 'samples')]
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
    """Every sample that has a format, below samples/: files, and entries of archives"""
    inside = {'hero.pak': 'hero.pak:Hero.ANCS', 'battle.lgp': 'battle.lgp:hrda', 'FF9.IMG': 'FF9.IMG:10/300', 'main.zzz': 'main.zzz:data/lang-en/battle.fs:c0m901.dat'}
    for form, entry in (('disc', 'FF9.IMG:1/300'), ('prime', 'Metroid1.pak:Hero.ANCS'), ('battle', 'c0m901.dat')):
        inside.update((name, '%s:%s' % (name, entry)) for name in os.listdir(sample('discs')) if name.startswith(form + '.'))
    for folder, _, names in sorted(os.walk(sample())):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, inside.get(name, name)), sample())
            if not name.endswith(('.py', '.csv', '.json', '.md', '.txt', '.cpp', '.pyc')) and not path.startswith('pipeline'):
                yield path


def conformance(game, name):
    return os.path.join(DATA, 'conformance', game, 'inputs', name)


def motion(capture, game, name=''):
    """-> the path of a capture's motion in a game's formats"""
    return os.path.join(DATA, 'motion', capture, game, name)


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def read_json(*parts):
    return json.loads(read(os.path.join(*parts)))


class Case(InFolder):
    """A test of the command in a folder of its own."""

    def cli(self, *args):
        return run(*args, cwd=self.folder)

    def convert(self, *args, status=0):
        return self.check(self.cli('convert', *args), status)

    def check(self, p, status, message=None):
        self.assertEqual(p.returncode, status, p.err)
        if message is not None:
            self.assertEqual(p.err, message)
        return p

    def encode(self, value):
        """-> the file that `encode` makes of JSON, and the messages"""
        p = self.check(run('encode', write(self.path('edited.json'), json.dumps(value)), '-o', self.path('again'), '--force'), 0)
        return read(self.path('again')), p.err

    def not_encoded(self, value, message):
        source = write(self.path('edited.json'), json.dumps(value))
        self.check(run('encode', source, '-o', self.path('no')), 1, 'reanima: %s: %s\n' % (source, message))

    def drawn(self, p, status=0):
        """Skips the test if the command was built without drawing"""
        if "this build can't draw sheets. Use -o PAGE.html" in p.err:
            self.skipTest('built without the library that draws')
        return self.check(p, status)

    def tells(self, text, *args, status=0, **more):
        """-> finished process, whose messages contain this text"""
        p = self.check(run(*args, cwd=self.folder, **more), status)
        self.assertIn(text, p.err)
        return p

    def shown_on_terminal(self, *args, stream='stderr'):
        """-> the text of the command while its errors, or its `stdout`, go to a terminal"""
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


class Shim:
    """A C library that replaces system functions in a command; it is built once"""

    def __init__(self, text):
        self.text, self.path = text, None

    def environment(self, **settings):
        """-> the environment of a command with this library; skips the test without a compiler"""
        if self.path is None:
            compiler = shutil.which('cc') or shutil.which('gcc')
            if not compiler:
                raise unittest.SkipTest('no compiler')
            folder = tempfile.mkdtemp(prefix='reanima_shim_')
            atexit.register(shutil.rmtree, folder, True)
            self.path = os.path.join(folder, 'shim.so')
            subprocess.run([compiler, '-shared', '-fPIC', '-O1', '-o', self.path, write(os.path.join(folder, 'shim.c'), self.text), '-ldl'], check=True)
        checks = os.environ.get('ASAN_OPTIONS', '') + ':verify_asan_link_order=0:detect_leaks=0'
        return {'LD_PRELOAD': self.path, 'ASAN_OPTIONS': checks, **settings}


def main_in_blender():
    """Runs the tests of a script if there is a Blender"""
    if shutil.which('blender') is None:
        print('Blender is not installed')
        sys.exit(77)
    unittest.main()


# Debian's Blender 3.4.1 uses numpy.bool, which newer NumPys lack.
BEFORE_BLENDER = """
import json, sys
import numpy
if not hasattr(numpy, 'bool'):
    numpy.bool = bool
import bpy
arguments = sys.argv[sys.argv.index('--') + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene

def curves_of(action):
    # Since Blender 5 they are in slots only: those of the first, which is made if there is none.
    if hasattr(action, 'fcurves'):
        return action.fcurves
    slot = action.slots[0] if action.slots else action.slots.new(id_type='OBJECT', name='any')
    layer = action.layers[0] if action.layers else action.layers.new('Layer')
    strip = layer.strips[0] if layer.strips else layer.strips.new(type='KEYFRAME')
    return strip.channelbag(slot, ensure=True).fcurves

def action_of(clip, owner):
    # Of Blender's own importer: CLIP_OBJECT, or in Blender 5 CLIP with a slot for each object.
    return bpy.data.actions.get(clip + '_' + owner.name) or bpy.data.actions[clip]
"""


def in_blender(case, text, *args):
    """-> the JSON that a script prints after RESULT in an empty Blender; the script can use `scene` and its
    `arguments`; without Blender, the test is skipped"""
    if shutil.which('blender') is None:
        case.skipTest('Blender is not installed')
    script = write(case.path('inside.py'), BEFORE_BLENDER + text)
    p = subprocess.run(['blender', '--background', '--factory-startup', '--python-exit-code', '1', '--python', script, '--', *map(str, args)],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600,
                       env=dict(os.environ, PATH='/usr/bin:/bin'))      # another Python earlier in PATH would provide its modules
    lines = [l for l in p.stdout.decode().splitlines() if l.startswith('RESULT ')]
    case.assertTrue(lines, p.stdout.decode()[-2000:])
    return json.loads(lines[0][7:])
