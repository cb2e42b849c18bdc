"""A disk on which calls of the system fail, with command lines to run there. Python 3 standard library only."""
import atexit, functools, hashlib, os, random, re, shutil, signal, subprocess, tempfile

from support import Shim, TOOL, read, sample, write
import writers                                    # by the description of the formats

READS = 'read lseek64 fopen64 fopen opendir readdir'
WRITES = 'open lstat write close dup fchmod mkdir rename renameat2 link remove'
MOMENTS = WRITES + ' unlink rmdir'                # a temporary file that can't be removed is left for the next run

SHIM = Shim(read(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'faults.c')).decode())


def content(folder):
    """-> {path below folder: hash}, also of temporary files"""
    return {os.path.relpath(os.path.join(d, f), folder): hashed(read(os.path.join(d, f))) for d, _, fs in os.walk(folder) for f in fs}


def hashed(data):
    return hashlib.sha1(data).hexdigest()[:8]


def named(path):
    """The name of a file in messages: for a temporary one that of the output"""
    return re.sub(r'^\.(.*)\.\w{10}\.reanima-tmp$', r'\1', os.path.basename(path))


class Verb:
    """A command line that reads in/ and writes below out/"""

    def __init__(self, args, before={}, last=None, changing=(None, None)):
        self.args = args.split() + ['-q'] + ['--force'] * bool(before and '--prune' not in args)
        self.before = before                      # {path below out/: bytes}
        self.old = {name: hashed(data) for name, data in before.items()}
        self.last = last                          # a file that is not there while those change that it names
        self.file, self.other = changing          # an input, and another version of it
        self.new = None                           # the hashes afterwards


class Disk:
    """A folder with in/, which stays as it is, and out/"""
    CHANGES = {'rewritten': 'cat "$OTHER" > "$FILE"', 'replaced': 'cp "$OTHER" "$FILE.new" && mv "$FILE.new" "$FILE"', 'removed': 'rm "$FILE"',
               'cut': 'truncate -s 2000 "$FILE"', 'emptied': ': > "$FILE"', 'grown': 'cat "$OTHER" >> "$FILE"'}

    def __init__(self):
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix='reanima_'))
        atexit.register(shutil.rmtree, self.folder, True)
        self.out, self.log = self.path('out'), os.path.join(self.folder, 'log')
        os.makedirs(self.out)
        for name in ('hrda', 'hraa', 'hrac', 'hram'):
            write(self.path('in/one', name), read(sample('ff7', name)))
        for name in ('all/aada', 'all/bbda', 'all/ccda', 'some/aada', 'some/ddda'):
            write(self.path('in', name), read(sample('ff7', 'hrda')))
        for name in ('wheel.rlf', 'gate.rlf'):
            write(self.path('in', name), read(sample('rlf', name)))
        for args in ('retime in/one/hrda --times 2 -o in/mod/hrda', 'convert in/one/hrda -o in/edited.glb', 'dump in/one/hrda -o in/pack.json'):
            self.run(Verb(args))
        for seed, pack in enumerate(('one', 'mod')):              # larger than files that are kept in memory
            files = [(name, '', read(self.path('in', pack if name == 'hrda' else 'one', name))) for name in ('hraa', 'hrac', 'hram', 'hrda')]
            write(self.path('in/%s.lgp' % pack), writers.lgp(files + [('zzzz', '', random.Random(seed).randbytes(300000))])[0])
        self.run(Verb('convert in/one/hrda --rate 20 -o out/x.gltf'))
        text = {name: read(os.path.join(self.out, name)) for name in content(self.out)}
        self.run(Verb('convert in/all -o out/ --report in/report'))
        earlier = {name: read(os.path.join(self.out, name)) for name in content(self.out)}
        pack, archive = ('in/one/hrda', 'in/mod/hrda'), ('in/one.lgp', 'in/mod.lgp')
        self.verbs = {
            'glb': Verb('convert in/one/hrda -o out/x.glb', {'x.glb': b'old'}, changing=pack),
            'gltf': Verb('convert in/one/hrda -o out/x.gltf', text, last='x.gltf'),
            'bvh': Verb('convert in/one/hrda --clip 0 -o out/x.bvh', {'x.bvh': b'old'}),
            'entry': Verb('convert in/one.lgp:hrda -o out/x.glb', {'x.glb': b'old'}, changing=archive),
            'batch': Verb('convert in/some -o out/ -j 1', {'aada.glb': b'old'}),
            'prune': Verb('convert in/some -o out/ -j 1 --if-changed --prune in/report', earlier),
            'encode': Verb('encode in/pack.json -o out/hrda', {'hrda': b'old'}),
            'into': Verb('encode in/edited.glb --into in/one/hrda -o out/hrda', {'hrda': b'old'}, changing=pack),
            'into archive': Verb('encode in/edited.glb --into in/one.lgp -o out/x.lgp', {'x.lgp': b'old'}, changing=archive),
            'pack': Verb('pack in/mod --into in/one.lgp -o out/x.lgp', {'x.lgp': b'old'}, changing=archive),
            'retime': Verb('retime in/one/hrda --times 4 -o out/hrda', {'hrda': b'old'}, changing=pack),
            'retime archive': Verb('retime in/one.lgp --times 4 -o out/x.lgp', {'x.lgp': b'old'}, changing=archive),
            'extract': Verb('extract in/one.lgp -o out/entries', {'entries/hrda': b'old', 'entries/own': b'own'}, changing=archive),
            'preview': Verb('preview in/one/hrda -o out/x.html', {'x.html': b'old'}),
            'frames': Verb('frames in/wheel.rlf -o out/frames', changing=('in/wheel.rlf', 'in/gate.rlf')),
            'dump': Verb('dump in/one/hrda -o out/x.json')}
        self.inputs = content(self.path('in'))
        for verb in self.verbs.values():
            self.run(verb)
            verb.new = content(self.out)

    def path(self, *parts):
        return os.path.join(self.folder, 'disk', *parts)

    def run(self, verb):
        self.reset(verb)
        p = self.ran(verb)
        assert p.returncode == 0, p.err

    def reset(self, verb):
        for name in os.listdir(self.out):
            path = os.path.join(self.out, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        for name, data in verb.before.items():
            write(os.path.join(self.out, name), data)

    def start(self, verb, below='', calls='', at=0, action='', tool=TOOL):
        write(self.log, '')
        env = SHIM.environment(FAULT_BELOW=self.path(below), FAULT_CALLS=' %s ' % calls, FAULT_AT=str(at), FAULT_ACTION=action, FAULT_LOG=self.log,
                               FILE=verb.file or '', OTHER=verb.other or '')
        return subprocess.Popen([tool, *verb.args], cwd=self.path(), env=dict(os.environ, **env), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def ran(self, verb, *fault, **more):
        """-> finished process"""
        with self.start(verb, *fault, **more) as p:
            p.err = p.communicate(timeout=120)[1].decode()
        assert p.returncode in (0, 1, 2, 3, 4, -signal.SIGKILL) and 'Sanitizer' not in p.err, (verb.args, fault, p.returncode, p.err)
        return p

    def called(self):
        """-> the calls of the last process, [[function, path]]"""
        return [line.split(' ', 1) for line in read(self.log).decode().splitlines()]


prepared = functools.cache(Disk)
