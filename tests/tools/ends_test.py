#!/usr/bin/env python3
"""How runs end: what is printed of odd names, standard output that fails, signals, memory that runs out, temporary files.

    REANIMA=build/release/reanima tests/tools/ends_test.py
"""
import json, os, random, re, resource, shutil, signal, stat, struct, subprocess, tempfile, time, unittest

from support import Case, Shim, SANITIZED, TOOL, read, run, sample, write

PACK, SKELETON, VIDEO = sample('ff7', 'hrda'), sample('ff7', 'hraa'), sample('rlf', 'wheel.rlf')

# Stands between the command and the C library: SHIM_THREADS=N lets N threads be made and no more; SHIM_SLOW=FUNCTION
# makes that function take ten seconds, during which nothing interrupts it.
SHIM = Shim(r"""
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int made;

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
    static int (*next)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    if (!next)
        next = dlsym(RTLD_NEXT, "pthread_create");
    const char* most = getenv("SHIM_THREADS");
    if (most && __atomic_fetch_add(&made, 1, __ATOMIC_SEQ_CST) >= atoi(most))
        return EAGAIN;
    return next(thread, attributes, start, argument);
}

static void take_long(const char* function) {
    const char* slow = getenv("SHIM_SLOW");
    struct timespec end, now;
    if (!slow || strcmp(slow, function))
        return;
    clock_gettime(CLOCK_MONOTONIC, &end);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while (now.tv_sec < end.tv_sec + 10);
}

struct dirent* readdir(DIR* folder) {
    static struct dirent* (*next)(DIR*);
    if (!next)
        next = dlsym(RTLD_NEXT, "readdir");
    take_long("readdir");
    return next(folder);
}

struct dirent64* readdir64(DIR* folder) {
    static struct dirent64* (*next)(DIR*);
    if (!next)
        next = dlsym(RTLD_NEXT, "readdir64");
    take_long("readdir");
    return next(folder);
}

int rename(const char* from, const char* to) {
    static int (*next)(const char*, const char*);
    if (!next)
        next = dlsym(RTLD_NEXT, "rename");
    take_long("rename");
    return next(from, to);
}

int renameat2(int at, const char* from, int to_at, const char* to, unsigned how) {
    static int (*next)(int, const char*, int, const char*, unsigned);
    if (!next)
        next = dlsym(RTLD_NEXT, "renameat2");
    take_long("rename");
    return next(at, from, to_at, to, how);
}

ssize_t write(int file, const void* bytes, size_t size) {
    static ssize_t (*next)(int, const void*, size_t);
    if (!next)
        next = dlsym(RTLD_NEXT, "write");
    if (file > 2)
        take_long("write");
    return next(file, bytes, size);
}
""")


def content(folder):
    """-> {path below folder: bytes}"""
    return {os.path.relpath(os.path.join(d, f), folder): read(os.path.join(d, f)) for d, _, fs in os.walk(folder) for f in fs}


def temporaries(folder):
    return [os.path.join(d, n) for d, ds, fs in os.walk(folder) for n in ds + fs if n.endswith('.reanima-tmp')]


class StandardOutput(Case):
    """Closed, full, or a pipe without a reader: status 3, whatever was to be printed."""

    PRINTING = (['--help'], ['--version'], ['convert', '--help'], ['formats'], ['formats', '--json'], ['formats', '--warnings'], ['info', PACK],
                ['info', '--json', PACK], ['info', VIDEO], ['dump', PACK], ['check', PACK], ['check', '--roundtrip', os.path.dirname(PACK)],
                ['convert', PACK, '-o', '-'], ['convert', PACK, '--as', 'bvh', '--clip', '0', '-o', '-'], ['convert', PACK, '--outputs'],
                ['frames', VIDEO, '--as', 'raw', '-o', '-'], ['retime', PACK, '--times', '2', '-o', '-'])

    def setUp(self):
        super().setUp()
        text, scene = self.path('pack.json'), self.path('edited.glb')
        self.check(run('dump', PACK, '-o', text), 0)
        self.check(run('convert', PACK, '-o', scene), 0)
        self.PRINTING += ['encode', text, '-o', '-'], ['encode', scene, '--into', PACK, '-o', '-']

    def outcome(self, args, **to):
        p = subprocess.run([TOOL, *args, *(['-q'] if args[0] not in ('check', 'formats', '--help', '--version') and '--help' not in args else [])],
                           stderr=subprocess.PIPE, **to)
        return p.returncode, p.stderr.decode()

    def test_closed(self):
        for args in self.PRINTING:
            self.assertEqual(self.outcome(args, preexec_fn=lambda: os.close(1)), (3, "reanima: standard output can't be written: Bad file descriptor\n"), args)

    def test_all_three_closed(self):
        def close():
            for descriptor in (0, 1, 2):
                os.close(descriptor)
        for args in self.PRINTING:
            self.assertEqual(subprocess.run([TOOL, *args], preexec_fn=close).returncode, 3, args)

    def test_full(self):
        with open('/dev/full', 'wb') as full:
            for args in self.PRINTING:
                self.assertEqual(self.outcome(args, stdout=full), (3, "reanima: standard output can't be written: No space left on device\n"), args)

    def test_a_pipe_that_nobody_reads(self):
        for args in self.PRINTING:
            reader, writer = os.pipe()
            os.close(reader)
            self.assertEqual(self.outcome(args, stdout=writer), (3, ''), args)      # whoever reads it has enough
            os.close(writer)

    def test_it_does_not_matter_where_nothing_is_printed(self):
        self.assertEqual(self.outcome(['convert', PACK, '-o', self.path('x.glb')], preexec_fn=lambda: os.close(1)), (0, ''))
        self.assertEqual(read(self.path('x.glb'))[:4], b'glTF')

    def test_standard_input_that_is_closed(self):
        self.assertEqual(self.outcome(['convert', '-', '-o', self.path('x.glb')], preexec_fn=lambda: os.close(0)),
                         (1, "reanima: standard input: can't be read: Bad file descriptor\n"))


ODD = 'a\x1b[31m\n\x7f\u009bb'                          # colours, a line end, DEL and CSI of Latin-1
SHOWN = 'a\\x1b[31m\\n\\x7f\\xc2\\x9bb'


class OddNames(Case):
    """Names are from files, and terminals obey control characters."""

    def expect_plain(self, p):
        for text in (p.err, p.stdout.decode('utf-8', 'surrogateescape')):
            for c in text:
                self.assertFalse((ord(c) < 32 and c != '\n') or 0x7F <= ord(c) < 0xA0 or 0xDC80 <= ord(c) <= 0xDCFF, repr(text))
        return p

    def tool(self, *args):
        return self.expect_plain(run(*args, cwd=self.folder))

    def test_of_files(self):
        write(self.path(ODD + 'da'), read(PACK))
        write(self.path(ODD + 'aa'), read(SKELETON))
        write(self.path('bad' + ODD), bytes(100))
        p = self.check(self.tool('convert', ODD + 'da', '-o', ODD + '.glb'), 0)
        self.assertTrue(p.err.startswith(SHOWN + 'da: note: '), p.err)
        self.assertTrue(p.err.splitlines()[-1].startswith('wrote ' + SHOWN + '.glb: 4 clips'), p.err)
        self.assertEqual(read(self.path(ODD + '.glb'))[:4], b'glTF')
        self.assertEqual(self.check(self.tool('convert', ODD + 'da', '-o', ODD + '.glb'), 2).err, 'reanima: %s.glb: exists; --force replaces it\n' % SHOWN)
        self.check(self.tool('convert', '.', '-o', 'out/'), 0)
        p = self.check(self.tool('convert', 'bad' + ODD, '-o', 'x.glb'), 1)
        self.assertEqual(p.err, 'reanima: bad%s: is not a file of a known format\n' % SHOWN)
        self.assertIn(SHOWN + 'da: Final Fantasy VII', self.check(self.tool('info', ODD + 'da'), 0).stdout.decode())
        checked = self.check(self.tool('check', ODD + 'da', ODD + 'aa', 'bad' + ODD), 1).stdout.decode().splitlines()
        self.assertEqual([line.split(':')[0] for line in checked[-2:]], [SHOWN + 'aa', 'bad' + SHOWN])
        self.assertIn(SHOWN + 'da', self.check(self.tool('check', '--roundtrip', '.'), 0).stdout.decode())
        for args in (['dump', 'no' + ODD], ['encode', 'no' + ODD, '-o', 'x'], ['frames', ODD + 'da', '-o', 'x'], [ODD], ['info', '--' + ODD],
                     ['convert', ODD + 'da', '--warn', ODD], ['convert', ODD + 'da', '--rest', ODD], ['convert', ODD + 'da', '--clip', ODD],
                     ['bind', ODD + 'da', '-s', ODD + 'aa', '--suggest', '-o', ODD + '/x']):
            self.assertTrue(self.tool(*args).err, args)

    def test_of_bytes_that_are_no_text(self):
        name = os.path.join(self.folder.encode(), b'\xff\xc3da')
        with open(name, 'wb') as f:
            f.write(read(PACK))
        p = subprocess.run([TOOL, 'convert', name, '-o', name + b'.glb', '--no-companion'], stderr=subprocess.PIPE)
        self.assertEqual(p.returncode, 0)
        self.assertIn('/\\xff\\xc3da.glb: 8 clips', p.stderr.decode())

    def test_of_joints_and_clips(self):
        write(self.path('hrda'), read(PACK))
        write(self.path('hraa'), read(SKELETON))
        write(self.path('names.csv'), 'clip,0,ru\x1b]0;n\njoint,3,ar\x1b[mm\n')
        self.check(self.tool('convert', 'hrda', '--names', 'names.csv', '-o', 'x.glb', '--reduce', '1'), 0)
        self.check(self.tool('convert', 'hrda', '--loop-key', 'ru\x1b', '-o', 'y.glb'), 2)
        rig = {'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}],
               'nodes': [{'name': 'ro\x1b[31mot\n', 'children': [1]}, {'name': 'bo\x1bne', 'translation': [0, 1, 0]}],
               'skins': [{'joints': [0, 1]}]}

        write(self.path('rig.gltf'), json.dumps(rig))
        write(self.path('map.csv'), 'bone000,no\x1bne\nroot,bo\x1bne\n')
        write(self.path('map.json'), json.dumps({'schema': 1, 'joints': [{'source': 'root', 'target': 'ro\x1b[31mot\n'}, {'source': 'x\x1b\n', 'target': 'y\x1b\n'}]}))
        for mapping in ('map.csv', 'map.json'):
            p = self.tool('convert', 'hrda', '-s', 'rig.gltf', '--map', mapping, '-o', 'bound.glb', '--force', '-v')
            self.assertIn('\\x1b', p.err)
        self.tool('bind', 'hrda', '-s', 'rig.gltf', '--suggest', '-o', 'm.json')

    def test_in_lists_of_outputs(self):
        write(self.path('rtda'), read(PACK))
        write(self.path('rs\nda'), read(PACK))
        p = self.check(self.tool('convert', 'rtda', '-o', 'x\n.glb', '--outputs'), 2, 'reanima: x\\n.glb: the name contains a line break. Use -0 to list it\n')
        self.assertEqual(p.stdout, b'')
        for flag in ('-0', '--null'):
            p = self.check(run('convert', 'rtda', '-o', 'x\n.glb', '--outputs', flag, cwd=self.folder), 0, '')
            self.assertEqual(p.stdout, b'x\n.glb\0')
        p = self.check(run('convert', '.', '-o', 'out/', '--outputs', cwd=self.folder), 0, '')      # names that the command makes have none
        self.assertEqual(p.stdout, b'out/rs_da.glb\nout/rtda.glb\n')
        self.check(run('convert', 'rtda', '-o', 'x.gltf', '--outputs', '-0', cwd=self.folder), 0)
        self.check(self.tool('convert', 'rtda', '-0'), 2, 'reanima: -0: needs --outputs or --outputs-from\n')
        self.assertEqual(self.files(), ['rs\nda', 'rtda'])

    def test_in_depfiles(self):
        write(self.path('rtda'), read(PACK))
        write(self.path('rs\nda'), read(PACK))
        for args, name in (('rs\nda -o x.glb', 'rs\\nda'), ('rtda -o x\n.glb', 'x\\n.glb'), ('. -o out/', './rs\\nda')):
            self.check(self.tool('convert', *args.split(' '), '--depfile', 'x.d'), 2, "reanima: %s: its name contains a line break, which --depfile can't write\n" % name)
        self.assertEqual(self.files(), ['rs\nda', 'rtda'])


class Threads(Case):
    """Fewer threads than requested do the same work."""

    def setUp(self):
        super().setUp()
        for i in range(60):
            write(self.path('in/%02d/%c%cda' % (i // 20, 97 + i // 10, 97 + i % 10)), read(PACK) if i % 20 != 7 else bytes(1000))

    def outcome(self, *args, threads=40, **more):
        p = run('convert', 'in', '-o', 'out/', '-j', threads, '--report', 'report', '--warn', 'skeleton-made-up=ignore', '--warn', 'large-step=ignore', *args,
                cwd=self.folder, **more)
        result = p.returncode, p.err, content(self.path('out'))
        shutil.rmtree(self.path('out'))
        return result

    def test_some_cannot_be_made(self):
        expected = self.outcome(threads=1)
        self.assertEqual(expected[0], 1)
        self.assertEqual(len(expected[2]), 57)
        for most in (0, 1, 2, 5, 39, 45):
            self.assertEqual(self.outcome(env=SHIM.environment(SHIM_THREADS=str(most))), expected, most)

    def test_of_frames(self):
        for form in ('png', 'sheet'):
            self.check(run('frames', VIDEO, '--as', form, '-o', self.path(form)), 0)
            for most in (0, 1, 3):
                out = self.path('%s%d' % (form, most))
                self.check(run('frames', VIDEO, '--as', form, '-o', out, '-j', 8, env=SHIM.environment(SHIM_THREADS=str(most))), 0)
                self.assertEqual(content(out), content(self.path(form)))

    @unittest.skipIf(os.geteuid() != 0, 'only root becomes a user without other processes')
    def test_the_system_gives_no_more(self):
        expected = self.outcome(threads=1)
        user = random.randrange(1 << 20, 1 << 21)
        folder = self.folder
        for d, _, fs in os.walk(folder):
            os.chmod(d, 0o777)
            for f in fs:
                os.chmod(os.path.join(d, f), 0o666)
        for most in (1, 2, 20):
            def become():
                resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)
            if subprocess.run([TOOL, '--version'], preexec_fn=become, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env=dict(os.environ, ASAN_OPTIONS='detect_leaks=0')).returncode:
                self.skipTest('another user cannot run the command here')
            self.assertEqual(self.outcome(preexec=become, env={'ASAN_OPTIONS': 'detect_leaks=0'}), expected, most)

    def test_a_failure_ends_all_of_it(self):
        with open('/dev/full', 'wb') as full:
            p = subprocess.run([TOOL, 'convert', 'in/00/aada', 'in/00/abda', '-s', SKELETON, '-j', '8', '-o', '-'], cwd=self.folder, stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(p.returncode, 3)


class Temporaries(Case):
    """Files and folders that are not finished yet."""

    NAME = re.compile(r'\.(.*)\.([0-9a-z]{10})\.reanima-tmp')

    def killed(self, *args, slow='rename'):
        """-> names of the files of a process that was killed just before it would rename its output"""
        p = subprocess.Popen([TOOL, *args], cwd=self.folder, env=dict(os.environ, **SHIM.environment(SHIM_SLOW=slow)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.time() + 9
        found = []
        while time.time() < end and p.poll() is None and not found:
            time.sleep(0.1)
            found = temporaries(self.folder)
        time.sleep(0.3)
        p.kill()
        p.wait()
        found = [os.path.relpath(t, self.folder) for t in temporaries(self.folder)]
        for name in found:
            path = self.path(name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        return found

    def test_names_tell_what_they_were_to_become(self):
        seen = set()
        for _ in range(3):
            name, = self.killed('convert', PACK, '-o', 'out/x.glb')
            match = self.NAME.fullmatch(os.path.basename(name))
            self.assertEqual((os.path.dirname(name), match[1]), ('out', 'x.glb'))
            seen.add(match[2])
        self.assertEqual(len(seen), 3)
        name, = self.killed('frames', VIDEO, '-o', 'pictures')
        self.assertEqual(self.NAME.fullmatch(name)[1], 'pictures')

    def test_they_are_no_inputs(self):
        write(self.path('in/rtda'), read(PACK))
        write(self.path('in/.rtda.0123456789.reanima-tmp'), read(PACK))
        write(self.path('in/.x.0123456789.reanima-tmp/rtda'), read(PACK))
        self.check(run('convert', 'in', '-o', 'out/', cwd=self.folder), 0)
        self.assertEqual(sorted(content(self.path('out'))), ['rtda.glb'])

    def test_they_are_as_short_as_the_name(self):
        for name in ('x' * 251 + '.glb', '\u00e4' * 125 + 'x.glb', '\u4e16' * 83 + 'xx.glb', '\U0001f600' * 62 + 'xxx.glb', 'x' * 139 + '.glb', 'y' * 60 + '.glb'):
            self.check(run('convert', PACK, '-q', '-o', name, cwd=self.folder), 0, '')
            self.check(run('convert', PACK, '-q', '-o', name, '--force', cwd=self.folder), 0, '')
            self.assertEqual(self.files(), [name])
            os.remove(self.path(name))
            left, = self.killed('convert', PACK, '-o', name)
            self.assertLessEqual(len(left.encode()), max(64, len(name.encode())))
            self.assertTrue(name.startswith(self.NAME.fullmatch(left)[1]), left)
            self.assertGreater(len(self.NAME.fullmatch(left)[1].encode()), min(len(name.encode()), 64) - 30)
        folder = 'f' * 255
        self.check(run('frames', VIDEO, '-o', folder, cwd=self.folder), 0)
        self.assertEqual(len(os.listdir(self.path(folder))), 25)

    def test_a_name_that_is_too_long_is_an_error(self):
        p = self.check(run('convert', PACK, '-q', '-o', 'x' * 252 + '.glb', cwd=self.folder), 3)
        self.assertTrue(p.err.endswith("can't be written: File name too long\n"), p.err)

    def test_permissions_are_those_of_any_new_file(self):
        for mask in (0o022, 0o077, 0o002):
            self.check(run('convert', PACK, '-q', '-o', 'x.glb', '--force', cwd=self.folder, preexec=lambda: os.umask(mask)), 0)
            self.check(run('frames', VIDEO, '-o', 'pictures', cwd=self.folder, preexec=lambda: os.umask(mask)), 0)
            for name, full in (('x.glb', 0o666), ('pictures', 0o777), ('pictures/frame0000.png', 0o666), ('pictures/frames.json', 0o666)):
                self.assertEqual(stat.S_IMODE(os.stat(self.path(name)).st_mode), full & ~mask, name)
            os.remove(self.path('x.glb'))
            shutil.rmtree(self.path('pictures'))

    def test_what_is_replaced_keeps_its_permissions(self):
        for mode in (0o600, 0o640, 0o666, 0o755):
            os.chmod(write(self.path('x.glb'), b'before'), mode)
            self.check(run('convert', PACK, '-q', '-o', 'x.glb', '--force', cwd=self.folder), 0)
            self.assertEqual(stat.S_IMODE(os.stat(self.path('x.glb')).st_mode), mode)
            self.assertEqual(read(self.path('x.glb'))[:4], b'glTF')

    def test_two_processes_at_once_do_not_mix(self):
        """Even with the same number, like in two containers with a shared folder: the names are random."""
        for _ in range(5):
            both = [subprocess.Popen([TOOL, 'convert', PACK, '-q', '--force', '-o', 'x.glb', *more], cwd=self.folder) for more in ([], ['--proxy-mesh'])]
            self.assertEqual([p.wait() for p in both], [0, 0])
            found = read(self.path('x.glb'))
            self.assertEqual(struct.unpack('<I', found[8:12])[0], len(found))
        self.assertEqual(self.files(), ['x.glb'])

    def test_a_planted_link_is_not_followed(self):
        """Even if its name is right: the library makes the random numbers predictable."""
        compiler = shutil.which('cc') or shutil.which('gcc')
        if not compiler:
            self.skipTest('no compiler')
        source = write(self.path('entropy.c'), '#include <string.h>\n#include <stddef.h>\nint getentropy(void* p, size_t n) { static int c; memset(p, c++ < 3 ? 7 : c, n); return 0; }\n')
        subprocess.run([compiler, '-shared', '-fPIC', '-o', self.path('entropy.so'), source], check=True)
        env = SHIM.environment(LD_PRELOAD=self.path('entropy.so'))
        os.mkdir(self.path('out'))
        p = subprocess.run(['strace', '-f', '-e', 'trace=openat', '-o', self.path('trace'), TOOL, 'convert', PACK, '-q', '-o', 'out/x.glb'], cwd=self.folder,
                           env=dict(os.environ, **env)) if shutil.which('strace') else None
        if p is None:
            self.skipTest('strace is not installed')
        self.assertEqual(p.returncode, 0)
        tried = re.findall(r'"out/(\.x\.glb\.[^"]*)", ([A-Z_|]*)', read(self.path('trace')).decode())
        self.assertEqual({frozenset(flags.split('|')) for _, flags in tried}, {frozenset(('O_WRONLY', 'O_CREAT', 'O_EXCL', 'O_NOFOLLOW', 'O_CLOEXEC'))})
        os.remove(self.path('out/x.glb'))
        victim = write(self.path('victim'), b'precious')
        os.symlink(victim, self.path('out', tried[0][0]))
        self.check(run('convert', PACK, '-q', '-o', 'out/x.glb', cwd=self.folder, env=env), 0)
        self.assertEqual(read(victim), b'precious')
        self.assertEqual(read(self.path('out/x.glb'))[:4], b'glTF')
        self.assertFalse(os.path.islink(self.path('out/x.glb')))
        self.assertTrue(os.path.islink(self.path('out', tried[0][0])))     # it is not ours

    def test_a_file_that_becomes_too_large_is_a_full_disk(self):
        """SIGXFSZ does not end the process."""
        pictures = self.path('in')
        self.check(run('frames', VIDEO, '-o', pictures), 0)
        for args, out in ((['convert', PACK], 'x.glb'), (['convert', PACK], 'x.gltf'), (['dump', PACK], 'x.json'), (['encode', pictures], 'x.rlf'),
                          (['frames', VIDEO], 'pictures'), (['frames', VIDEO, '--as', 'raw'], 'x.raw')):
            p = run(*args, '-q', '-o', out, cwd=self.folder, preexec=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600)))
            self.assertEqual((p.returncode, p.err[-33:]), (3, "can't be written: File too large\n"), args)
            self.assertEqual([f for f in self.files() if not f.startswith('in/')], [], args)
            self.assertFalse(os.path.exists(self.path(out)))

    def test_a_full_disk_leaves_no_folder(self):
        if os.geteuid() != 0:
            self.skipTest('only root mounts')
        disk = self.path('disk')
        os.mkdir(disk)
        if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=24k', 'none', disk], stderr=subprocess.DEVNULL).returncode:
            self.skipTest('no file system can be mounted here')
        try:
            for more in ([], ['-j', '3']):
                p = self.check(run('frames', VIDEO, '-q', '-o', disk + '/pictures', *more), 3)
                self.assertRegex(p.err, r"reanima: .*/pictures/frame\d{4}\.png: can't be written: No space left on device\n")
                self.assertEqual(os.listdir(disk), [])
        finally:
            subprocess.run(['umount', disk])


class Signals(Case):
    """SIGINT, SIGTERM and SIGHUP end any run within two seconds, also in the middle of one long input."""

    LONGEST = 2.0       # seconds
    REQUESTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix='reanima_')
        cls.addClassCleanup(holder.cleanup)
        cls.data = holder.name
        body = read(PACK)[4:]

        def pack(name, times):          # the sample's ten animations again and again
            return write(os.path.join(cls.data, name), struct.pack('<I', 10 * times) + body * times)
        cls.pack = pack('lgda', 600 if SANITIZED else 2000)
        cls.steps = pack('stda', 20 if SANITIZED else 60)
        cls.pictures = os.path.join(cls.data, 'pictures')
        assert run('frames', VIDEO, '-o', cls.pictures).returncode == 0
        index = json.loads(read(os.path.join(cls.pictures, 'frames.json')))
        index['frames'] *= 100 if SANITIZED else 800
        write(os.path.join(cls.pictures, 'frames.json'), json.dumps(index))
        cls.video = os.path.join(cls.data, 'long.rlf')
        assert run('encode', cls.pictures, '-o', cls.video).returncode == 0
        cls.json = os.path.join(cls.data, 'pack.json')
        assert run('dump', cls.pack, '-o', cls.json).returncode == 0

    def start(self, *args, **more):
        p = self.enterContext(subprocess.Popen([TOOL, *args], cwd=self.folder, **dict({'stdout': subprocess.DEVNULL, 'stderr': subprocess.PIPE}, **more)))
        self.addCleanup(p.kill)
        return p

    @staticmethod
    def handles(p, how):
        """Whether the program already has a handler for that signal."""
        status = read('/proc/%d/status' % p.pid).decode()
        return int(re.search(r'^SigCgt:\s*(\w+)', status, re.M)[1], 16) >> (how - 1) & 1

    def works(self, p, how, after):
        """Whether the program still works this many seconds after it began to listen to that signal."""
        while p.poll() is None and not self.handles(p, how):      # a busy machine takes its time to start it
            time.sleep(0.01)
        time.sleep(after)
        return p.poll() is None

    def ends_while_it_works(self, args, how, after):
        """Runs `ends` on a new process; if a process finished before the signal, the next one gets the signal in half
        the time."""
        before = set(self.files())
        for _ in range(8):
            p = self.start(*args)
            if self.works(p, how, after):
                return self.ends(p, how, after=0)
            self.assertEqual(p.returncode, 0)
            for name in set(self.files()) - before:
                os.remove(self.path(name))
            after /= 2
        self.fail('it always ended before')

    def ends(self, p, how, times=1, after=1.0 if SANITIZED else 0.3, longest=None):
        """-> its messages, if a signal ended it while it worked"""
        self.assertTrue(self.works(p, how, after), 'it had ended before')
        begin = time.monotonic()
        for _ in range(times):
            p.send_signal(how)
            time.sleep(0.02 if times > 1 else 0)
        err = p.communicate()[1] or b''
        seconds = time.monotonic() - begin
        self.assertEqual(p.returncode, 130, err)
        self.assertLess(seconds, longest or self.LONGEST)
        self.assertEqual(temporaries(self.folder), [])
        self.assertNotIn(b'Sanitizer', err or b'')
        return (err or b'').decode()

    def test_in_the_middle_of_one_long_input(self):
        several = (['check', self.pack], ['dump', self.pack, '-o', 'x.json'], ['info', self.pack], ['convert', self.pack, '-o', 'x.glb'],
                   ['convert', self.steps, '--resample', '480', '--reduce', '1', '-o', 'y.glb'], ['convert', self.steps, '--resample', '480', '--reduce', '1', '-o', 'x.gltf'],
                   ['encode', self.json, '-o', 'x'], ['encode', self.pictures, '-o', 'x.rlf'], ['check', '--roundtrip', self.data],
                   ['frames', self.video, '-o', 'png'], ['frames', self.video, '-j', '3', '-o', 'png'], ['frames', self.video, '--as', 'sheet', '-o', 'sheet'],
                   ['frames', self.video, '--as', 'raw', '-o', 'x.raw'])
        for i, args in enumerate(several):
            with self.subTest(args=args):
                before = self.files()
                self.ends_while_it_works(args, self.REQUESTS[i % 3], after=0.15 if args[-1] == 'x.raw' or args[0] == 'info' else 0.3)
                for name in set(self.files()) - set(before):      # either all of an output or nothing
                    self.assertIn(name.split('/')[0], args)

    def test_a_computation_is_not_waited_for(self):
        p = self.start('convert', self.steps, '--resample', '480', '--reduce', '1', '-o', 'x.glb', '-q')
        self.assertEqual(self.ends(p, signal.SIGTERM), 'reanima: interrupted\n')
        self.assertEqual(self.files(), [])

    def test_what_cannot_be_interrupted(self):
        """The system needs time to write, to rename, and to read a folder."""
        write(self.path('in/rtda'), read(PACK))
        self.check(run('frames', VIDEO, '-o', 'few', cwd=self.folder), 0)
        write(self.path('rig.glb'), self.check(run('convert', PACK, '-o', '-', '--proxy-mesh'), 0).stdout)
        for slow, args in (('write', ['convert', PACK, '-o', 'x.glb']), ('rename', ['convert', PACK, '-o', 'x.gltf']), ('write', ['dump', PACK, '-o', 'x.json']),
                           ('rename', ['encode', 'few', '-o', 'x.rlf']),
                           ('write', ['frames', VIDEO, '-j', '4', '-o', 'png']), ('rename', ['frames', VIDEO, '-o', 'png']),
                           ('write', ['bind', PACK, '-s', 'rig.glb', '--suggest', '-o', 'map.json']), ('rename', ['bind', PACK, '-s', 'rig.glb', '--suggest', '-o', 'map.json']),
                           ('readdir', ['convert', 'in', '-o', 'out/']), ('readdir', ['check', 'in']), ('readdir', ['check', '--roundtrip', 'in']),
                           ('readdir', ['convert', 'in/**/*da', '-o', 'out/'])):
            for how in self.REQUESTS:
                with self.subTest(slow=slow, args=args, how=how):
                    before = self.files()
                    p = self.start(*args, env=dict(os.environ, **SHIM.environment(SHIM_SLOW=slow)))
                    self.ends(p, how, after=1.0 if SANITIZED else 0.4)
                    self.assertEqual(self.files(), before)

    def test_waiting_for_input(self):
        for args in (['convert', '-', '-o', 'x.glb'], ['dump', '-'], ['encode', '-', '-o', 'x'], ['check', '-'], ['info', '-'], ['frames', '-', '-o', 'x']):
            reader, writer = os.pipe()
            try:
                self.ends(self.start(*args, stdin=reader), signal.SIGTERM)
            finally:
                os.close(reader)
                os.close(writer)
        reader, writer = os.pipe()
        try:
            self.ends(self.start('convert', '/dev/fd/%d' % reader, '-o', 'x.glb', pass_fds=[reader]), signal.SIGHUP)
        finally:
            os.close(reader)
            os.close(writer)
        self.assertEqual(self.files(), [])

    def test_waiting_for_a_reader(self):
        os.mkfifo(self.path('pipe'))
        self.ends(self.start('convert', PACK, '-q', '-o', 'pipe'), signal.SIGINT)         # nobody opens it
        for args in (['dump', self.pack], ['frames', self.video, '--as', 'raw', '-o', '-']):
            p = self.start(*args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            time.sleep(1)
            p.send_signal(signal.SIGTERM)
            begin = time.monotonic()
            p.wait()
            self.assertLess(time.monotonic() - begin, self.LONGEST)
            self.assertEqual(p.returncode, 130)
            p.stdout.close()

    def test_messages_that_nobody_takes(self):
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        try:
            while True:
                os.write(writer, bytes(4096))
        except BlockingIOError:
            os.set_blocking(writer, True)
        for i in range(20):
            write(self.path('in/a%cda' % (97 + i)), read(PACK))
        p = self.start('convert', 'in', '-o', 'out/', '-j', '2', stderr=writer)
        self.ends(p, signal.SIGTERM, after=0.6)
        os.close(reader)
        os.close(writer)

    def test_the_second_request_is_obeyed_at_once(self):
        p = self.start('convert', self.steps, '--resample', '480', '--reduce', '1', '-o', 'x.glb', '-q')
        self.ends(p, signal.SIGINT, times=2, longest=0.7)

    def test_nohup(self):
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        p = self.start('convert', self.steps, '--resample', '480', '--reduce', '1', '-o', 'x.glb', '-q', preexec_fn=ignore)
        time.sleep(0.3)
        p.send_signal(signal.SIGHUP)
        p.send_signal(signal.SIGHUP)
        time.sleep(1.3)
        self.ends(p, signal.SIGTERM, after=0)

    def test_a_parent_that_blocks_signals(self):
        def block():
            signal.pthread_sigmask(signal.SIG_BLOCK, [*self.REQUESTS, signal.SIGALRM])
        p = self.start('convert', self.steps, '--resample', '480', '--reduce', '1', '-o', 'x.glb', '-q', preexec_fn=block)
        self.ends(p, signal.SIGTERM)

    def test_a_batch_says_what_is_left(self):
        for i in range(600):
            write(self.path('in/%02d/%c%cda' % (i // 100, 97 + i // 10 % 10, 97 + i % 10)), read(PACK))
        for how in self.REQUESTS:
            shutil.rmtree(self.path('out'), ignore_errors=True)
            p = self.start('convert', 'in', '-o', 'out/', '-j', '2')
            while p.poll() is None and not any(files for _, _, files in os.walk(self.path('out'))):
                time.sleep(0.001)
            err = self.ends(p, how, after=0)
            done, left = map(int, re.search(r'interrupted: (\d+) converted, \d+ failed, 0 skipped, (\d+) left', err).groups())
            self.assertGreater(left, 0)
            self.assertEqual(len(content(self.path('out'))), done)

    def test_at_any_moment(self):
        """Two signals at once, while many files are written: no temporary file remains, and all other files are
        whole."""
        for i in range(40):
            write(self.path('in/a%c/%cada' % (97 + i // 20, 97 + i % 20)), read(PACK))
        self.check(run('convert', 'in', '-o', 'whole/', '-q', cwd=self.folder), 0)
        whole = content(self.path('whole'))
        randomly = random.Random(99)
        begin = time.monotonic()
        self.check(run('convert', 'in', '-o', 'out/', '-q', '-j', 8, cwd=self.folder), 0)
        duration = time.monotonic() - begin
        cut = 0
        for i in range(40):
            shutil.rmtree(self.path('out'), ignore_errors=True)
            args = ['convert', 'in', '-o', 'out/', '-j', '8'] if i % 2 else ['frames', self.video, '-o', 'out', '-j', '8']
            p = self.start(*args, '-q')
            time.sleep(randomly.uniform(0, duration))
            p.send_signal(signal.SIGTERM)
            p.send_signal(signal.SIGINT)
            p.communicate()
            self.assertIn(p.returncode, (0, 130, -signal.SIGTERM))
            found = content(self.path('out'))
            self.assertEqual(temporaries(self.folder), [])
            cut += p.returncode == 130
            if p.returncode == -signal.SIGTERM:     # before main()
                self.assertEqual(found, {})
            elif i % 2:
                self.assertEqual(found, {n: whole[n] for n in found})
            else:
                self.assertIn(len(found), (0, len(json.loads(read(os.path.join(self.pictures, 'frames.json')))['frames']) + 1))
        self.assertGreater(cut, 5)


if __name__ == '__main__':
    unittest.main()
