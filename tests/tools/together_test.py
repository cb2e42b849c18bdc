#!/usr/bin/env python3
"""Processes that write the same output at the same time, and what processes leave that are killed.

    REANIMA=build/release/reanima tests/tools/together_test.py
    REANIMA_LONG=1 ...                            200 pairs, not 20
"""
import os, random, re, shutil, subprocess, time, unittest

from support import Case, Shim, TOOL, read, run, sample, write
import writers                                    # by the description of the formats

TIMES = 200 if os.environ.get('REANIMA_LONG') else 20
PACK, SKELETON, VIDEO = sample('ff7', 'hrda'), sample('ff7', 'hraa'), sample('rlf', 'wheel.rlf')
LGP, PAK = sample('archives', 'battle.lgp'), sample('archives', 'hero.pak')

# Stands between the command and the C library: nothing that is finished gets its place before the file SHIM_UNTIL is
# there; the file SHIM_WAITS says that something waits for it. SHIM_NO_RENAMEAT2=1 is a file system that can't do that, SHIM_NO_LINK=1 one that has no hard links either.
SHIM = Shim(r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void await(void) {
    const char* until = getenv("SHIM_UNTIL");
    if (until)
        close(open(getenv("SHIM_WAITS"), O_CREAT | O_WRONLY, 0666));
    while (until && access(until, F_OK))
        usleep(1000);
}

int rename(const char* from, const char* to) {
    int (*next)(const char*, const char*) = dlsym(RTLD_NEXT, "rename");
    await();
    return next(from, to);
}

int renameat2(int at, const char* from, int to_at, const char* to, unsigned how) {
    int (*next)(int, const char*, int, const char*, unsigned) = dlsym(RTLD_NEXT, "renameat2");
    await();
    if (getenv("SHIM_NO_RENAMEAT2")) {
        errno = EINVAL;
        return -1;
    }
    return next(at, from, to_at, to, how);
}

int link(const char* from, const char* to) {
    int (*next)(const char*, const char*) = dlsym(RTLD_NEXT, "link");
    if (getenv("SHIM_NO_LINK")) {
        errno = EPERM;
        return -1;
    }
    return next(from, to);
}
""")


def content(folder):
    """-> {path below folder: bytes}, of all but temporary files"""
    return {os.path.relpath(os.path.join(d, f), folder): read(os.path.join(d, f)) for d, _, fs in os.walk(folder) for f in fs
            if '.reanima-tmp' not in os.path.join(d, f)}


def temporaries(folder):
    return sorted(os.path.relpath(os.path.join(d, n), folder) for d, ds, fs in os.walk(folder) for n in ds + fs if n.endswith('.reanima-tmp'))


class Together(Case):
    MEANWHILE = "reanima: %s: can't be written, because another process has made it in the meantime; --force replaces it\n"

    def setUp(self):
        super().setUp()
        os.mkdir(self.path('work'))
        self.work = self.path('work')

    def tool(self, status, *args):
        return self.check(run(*args, '-q', cwd=self.work), status)

    def held(self, *args, **shimmed):
        """-> a process whose output is complete, and that waits for self.release() before it puts the output in its
        place"""
        env = dict(os.environ, **SHIM.environment(SHIM_UNTIL=self.path('go'), SHIM_WAITS=self.path('waits'), **shimmed))
        before = temporaries(self.work)
        p = self.enterContext(subprocess.Popen([TOOL, *args, '-q'], cwd=self.work, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
        self.addCleanup(p.kill)
        end = time.time() + 60
        while not os.path.exists(self.path('waits')) and p.poll() is None and time.time() < end:
            time.sleep(0.01)
        self.assertIsNone(p.poll())
        os.remove(self.path('waits'))
        self.assertNotEqual(temporaries(self.work), before)
        return p

    def release(self, p):
        """-> its status and messages"""
        write(self.path('go'), '')
        err = p.communicate(timeout=60)[1].decode()
        for name in ('go', 'waits'):
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
        self.assertNotIn('Sanitizer', err)
        return p.returncode, err


class Pairs(Together):
    def second_comes_first(self, output, *args, **shimmed):
        """A process whose output was made by another one meanwhile leaves it unchanged, and ends with status 3."""
        first = self.held(*args, '-o', output, **shimmed)
        left = temporaries(self.work)
        self.tool(0, *args, '-o', output)
        self.assertEqual(temporaries(self.work), left, 'the other process lives')
        made = content(self.work)
        self.assertTrue(made)
        self.assertEqual(self.release(first), (3, self.MEANWHILE % output))
        self.assertEqual(content(self.work), made)
        self.assertEqual(temporaries(self.work), [])
        self.tool(2, *args, '-o', output)                     # it stands when this one begins
        return made

    def test_files(self):
        self.check(run('dump', PACK, '-o', self.path('pack.json')), 0)
        self.check(run('convert', PACK, '-s', SKELETON, '-q', '-o', self.path('edited.glb')), 0)
        for output, *args in (('x.glb', 'convert', PACK), ('x.html', 'preview', PACK), ('x.json', 'dump', PACK), ('x', 'encode', self.path('pack.json')), ('x.y4m', 'frames', VIDEO),
                              ('x.lgp', 'pack', PACK, '--into', LGP), ('y', 'encode', self.path('edited.glb'), '--into', PACK, '-s', SKELETON)):
            with self.subTest(args[0]):
                self.second_comes_first(output, *args)

    def test_files_of_one_clip(self):
        made = self.second_comes_first('x.bvh', 'convert', PACK, '-s', SKELETON, '--clip', '0')
        self.assertEqual(list(made), ['x.bvh'])

    def test_a_file_with_a_buffer_and_images(self):
        first = self.held('convert', PAK + ':Hero.ANCS', '-o', 'x.gltf', '--no-mesh')
        self.tool(0, 'convert', PAK + ':Hero.ANCS', '-o', 'x.gltf')
        made = content(self.work)
        self.assertTrue([name for name in made if name.endswith('.png')], list(made))
        self.assertEqual(self.release(first), (3, self.MEANWHILE % 'x.bin'))
        self.assertEqual(content(self.work), made)
        self.assertEqual(temporaries(self.work), [])

    def test_folders(self):
        made = self.second_comes_first('pictures', 'frames', VIDEO)
        self.assertEqual(len(made), 25)
        first = self.held('frames', VIDEO, '-o', 'more', '--frames', '0-2', '--force')
        self.tool(0, 'frames', VIDEO, '-o', 'more')
        self.assertEqual(self.release(first), (0, ''))
        self.assertEqual(len(content(self.work)), 50)
        self.assertEqual(temporaries(self.work), [])

    def test_with_force_the_last_one_stays(self):
        for force in ([], ['--force']):
            first = self.held('convert', PACK, '-o', 'x.glb', '--force')
            self.tool(0, 'convert', PACK, '-o', 'x.glb', '--rate', '30', *force)
            second = read(os.path.join(self.work, 'x.glb'))
            self.assertEqual(self.release(first), (0, ''))
            self.assertNotEqual(read(os.path.join(self.work, 'x.glb')), second)
            self.assertEqual(temporaries(self.work), [])

    def test_on_file_systems_that_can_do_less(self):
        """NFS supports hard links but not renameat2(), and others support neither."""
        for less in ({'SHIM_NO_RENAMEAT2': '1'}, {'SHIM_NO_RENAMEAT2': '1', 'SHIM_NO_LINK': '1'}):
            self.second_comes_first('x.glb', 'convert', PACK, **less)
            self.assertEqual(self.release(self.held('convert', PACK, '-o', 'y.glb', **less)), (0, ''))
            self.assertEqual(os.stat(os.path.join(self.work, 'y.glb')).st_nlink, 1)
            self.assertEqual(sorted(content(self.work)), ['x.glb', 'y.glb'])
            self.assertEqual(temporaries(self.work), [])
            for name in ('x.glb', 'y.glb'):
                os.remove(os.path.join(self.work, name))

    def test_reports(self):
        """The second process's report is not lost."""
        first = self.held('convert', PACK, '-o', 'a.glb', '--report', 'r.jsonl')
        self.tool(0, 'convert', PACK, '-o', 'b.glb', '--report', 'r.jsonl')
        self.assertEqual(self.release(first), (3, self.MEANWHILE % 'r.jsonl'))
        self.assertIn(b'b.glb', read(os.path.join(self.work, 'r.jsonl')))
        self.tool(0, 'convert', PACK, '-o', 'c.glb', '--report', 'r.jsonl')
        self.assertIn(b'c.glb', read(os.path.join(self.work, 'r.jsonl')))

    def test_at_random(self):
        """One process ends with 0, and the output is its own and whole; the other one with 3, or with 2 if it came too
        late."""
        made = []
        for more in ([], ['--rate', '30']):
            begin = time.monotonic()
            self.tool(0, 'convert', PACK, '-o', 'x.gltf', *more)
            duration = time.monotonic() - begin
            made.append(content(self.work))
            self.assertNotIn(made[-1], made[:-1])
            shutil.rmtree(self.work)
            os.mkdir(self.work)
        randomly, ends = random.Random(53), []
        for i in range(TIMES):
            force = ['--force'] if i % 4 == 3 else []
            both = []
            for more in ([], ['--rate', '30']):
                both.append(subprocess.Popen([TOOL, 'convert', PACK, '-o', 'x.gltf', '-q', *more, *force], cwd=self.work, stderr=subprocess.DEVNULL))
                time.sleep(randomly.uniform(0, duration / 10))
            statuses = [p.wait() for p in both]
            found = content(self.work)
            if force:
                self.assertEqual(statuses, [0, 0])
                for name, data in found.items():
                    self.assertIn(data, [files[name] for files in made])
            else:
                self.assertEqual(statuses.count(0), 1, statuses)
                self.assertIn(max(statuses), (2, 3))
                self.assertEqual(found, made[statuses.index(0)])
                ends.append(max(statuses))
            self.assertEqual(temporaries(self.work), [])
            for name in found:
                os.remove(os.path.join(self.work, name))
        print('%d pairs without --force: %d ended with 3, %d with 2' % (len(ends), ends.count(3), ends.count(2)))
        self.assertIn(3, ends)


class Left(Together):
    """Files of killed processes are removed by the next run that writes into the folder."""

    def leave(self, *args):
        p = self.held(*args)
        p.kill()
        p.wait()
        return temporaries(self.work)

    def test_files_and_folders(self):
        left = self.leave('convert', PACK, '-o', 'out/x.gltf')
        self.assertEqual(len(left), 4, 'the file, its buffer and two images')
        left = self.leave('frames', VIDEO, '-o', 'out/pictures')
        self.assertEqual(len(left), 1, 'the others are gone')
        self.assertGreater(len(os.listdir(os.path.join(self.work, left[0]))), 20)
        self.tool(0, 'dump', PACK, '-o', 'elsewhere.json')
        self.assertEqual(temporaries(self.work), left)
        self.tool(0, 'dump', PACK, '-o', 'out/x.json')
        self.assertEqual((temporaries(self.work), sorted(content(self.work))), ([], ['elsewhere.json', 'out/x.json']))

    def test_those_of_a_process_that_lives_stay(self):
        for args in (['convert', PACK, '-o', 'x.glb'], ['frames', VIDEO, '-o', 'pictures']):
            p = self.held(*args)
            here = temporaries(self.work)
            for name in ('a.glb', 'b.glb'):
                self.tool(0, 'convert', PACK, '-o', name, '--force')
            self.assertEqual(temporaries(self.work), here)
            self.assertEqual(self.release(p), (0, ''))
        self.assertEqual(temporaries(self.work), [])
        self.assertEqual(len(content(self.work)), 3 + 25)

    def test_files_of_others_stay(self):
        names = ['.notes.reanima-tmp', '.a.0123456789.reanima-tmp.txt', 'a.0123456789.reanima-tmp', '.a.012345678i.reanima-tmp', '.0123456789.reanima-tmp', '.a.1.reanima-tmp']
        for name in names:
            write(os.path.join(self.work, name), 'precious')
        victim = write(self.path('victim', 'file'), 'precious')
        for name, target in (('.l.0123456789.reanima-tmp', victim), ('.m.0123456789.reanima-tmp', os.path.dirname(victim))):
            os.symlink(target, os.path.join(self.work, name))
        write(os.path.join(self.work, '.f.0123456789.reanima-tmp', 'deep', 'er'), 'precious')
        os.mkfifo(os.path.join(self.work, '.p.0123456789.reanima-tmp'))
        write(os.path.join(self.work, '.ours.0123456789.reanima-tmp'), 'left')
        before = set(os.listdir(self.work))
        self.tool(0, 'convert', PACK, '-o', 'x.glb')
        self.assertEqual(set(os.listdir(self.work)), before - {'.ours.0123456789.reanima-tmp'} | {'x.glb'})
        self.assertEqual(read(victim), b'precious')
        self.assertEqual(read(os.path.join(self.work, '.f.0123456789.reanima-tmp', 'deep', 'er')), b'precious')

    def test_those_that_may_not_be_written_go(self):
        """They have the permissions of the file that they were to replace."""
        old = write(os.path.join(self.work, 'x.glb'), 'old')
        os.chmod(old, 0o444)
        left, = self.leave('convert', PACK, '-o', 'x.glb', '--force')
        self.assertEqual(os.stat(os.path.join(self.work, left)).st_mode & 0o777, 0o444)
        self.tool(0, 'convert', PACK, '-o', 'y.glb')
        self.assertEqual(temporaries(self.work), [])
        self.assertEqual(read(old), b'old')

    def test_a_folder_is_looked_through_once(self):
        if not shutil.which('strace'):
            self.skipTest('strace is not installed')
        for i in range(30):
            shutil.copy(PACK, os.path.join(self.work, '%c%cda' % (97 + i // 10, 97 + i % 10)))
        subprocess.run(['strace', '-f', '-e', 'trace=openat', '-o', self.path('trace'), TOOL, 'convert', '.', '-o', self.path('out/'), '-q'], cwd=self.work, check=True,
                       env=dict(os.environ, ASAN_OPTIONS='detect_leaks=0'))
        self.assertEqual(len(content(self.path('out'))), 30)
        self.assertLess(len(re.findall(r'"%s/?", [^)]*O_DIRECTORY' % re.escape(self.path('out')), read(self.path('trace')).decode())), 3)

    def test_system_calls_grow_as_the_number_of_characters(self):
        if not shutil.which('strace'):
            self.skipTest('strace is not installed')

        def calls(characters):
            stems = ['%c%c' % (97 + i // 26, 97 + i % 26) for i in range(characters)]
            files = [(stem + name[2:], '', read(sample('ff7', name))) for stem in stems for name in ('hraa', 'hrac', 'hrda')]
            write(os.path.join(self.work, 'battle.lgp'), writers.lgp(files)[0])
            subprocess.run(['strace', '-f', '-e', 'trace=%file', '-o', self.path('trace'), TOOL, 'find', '*', 'battle.lgp', '--json'], cwd=self.work,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, env=dict(os.environ, ASAN_OPTIONS='detect_leaks=0'))
            return read(self.path('trace')).count(b'battle.lgp')
        self.assertLess(calls(160), 3 * calls(80))     # four times as many if every character asks for all files


if __name__ == '__main__':
    unittest.main()
