#!/usr/bin/env python3
"""The largest sound file of every format, and of every archive, under valgrind's memcheck: no byte is used before it is
written, none is lost. Takes minutes; only with REANIMA_LONG=1 and a command without sanitizers:

    REANIMA_LONG=1 REANIMA=build/release/reanima tests/tools/valgrind_test.py
"""
import json, os, shutil, struct, subprocess, sys, unittest
from concurrent.futures import ThreadPoolExecutor
from support import DATA, SANITIZED, SOURCE, TOOL, Case, formats, run, sample, write

sys.path.insert(0, os.path.join(SOURCE, 'bench'))
sys.path.insert(0, sample('ff7'))
VALGRIND = ['valgrind', '-q', '--error-exitcode=9', '--leak-check=full', '--errors-for-leak-kinds=definite,indirect']
FOLDERS = [sample(), os.path.join(DATA, 'conformance'), os.path.join(DATA, 'motion')]
ARCHIVES = {'.lgp': 'ff7-lgp', '.img': 'ff9-img', '.pak': 'metroid-pak', '.zfs': 'zfs'}
CLIPS, ROTATIONS = 94, 21                         # of a pack as the game has it


def files():
    for top in FOLDERS:
        for folder, _, names in sorted(os.walk(top)):
            for name in sorted(names):
                if not name.endswith(('.py', '.json', '.csv', '.md', '.txt', '.cpp', '.pyc', '.png', '.glb', '.gltf', '.bvh')):
                    yield os.path.join(folder, name)


def largest_files():
    """-> {format or archive: path} of files that are read"""
    best = {}
    for path in files():
        kind = ARCHIVES.get(os.path.splitext(path)[1].lower())
        if kind is None:
            p = run('dump', path)
            if p.returncode != 0:
                continue
            kind = json.loads(p.stdout)['format']
        if os.path.getsize(path) > best.get(kind, (0, ''))[0]:
            best[kind] = os.path.getsize(path), path
    return {kind: path for kind, (_, path) in best.items()}


@unittest.skipUnless(os.environ.get('REANIMA_LONG') == '1', 'only with REANIMA_LONG=1')
@unittest.skipIf(SANITIZED, 'valgrind can not run sanitized code')
@unittest.skipUnless(shutil.which('valgrind'), 'needs valgrind')
class Memcheck(Case):
    def commands(self, kind, path):
        """The commands for a file, in their order"""
        name = '%s.' % kind
        if kind in ARCHIVES.values():
            yield 'list', '-r', path
            yield 'extract', path, '-o', self.path(name + 'extracted/')
            yield 'convert', path, '-o', self.path(name + 'all/')
            return
        row = self.rows[kind]
        yield 'info', path
        yield 'convert', path, '-o', self.path(name + 'converted/')
        yield 'check', '--roundtrip', path
        yield 'dump', path, '-o', self.path(name + 'json')
        if row['writes']:
            yield 'encode', self.path(name + 'json'), '-o', self.path(name + 'again')

    def runs(self, item):
        kind, path = item
        done = 0
        for words in self.commands(kind, path):
            p = subprocess.run([*VALGRIND, TOOL, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=3000)
            err = p.stderr.decode('utf-8', 'replace')
            # What has nothing to show is refused by `convert`, with a message; memcheck's findings end with 9.
            if p.returncode == 9 or '==' in err or p.returncode not in (0, 1):
                return kind, words, err
            done += p.returncode == 0
        return kind, done

    def test_largest_files(self):
        self.rows = {row['id']: row for row in formats()}
        largest = largest_files()
        from batches import made_clips
        largest['ff7-battle-animation'] = write(self.path('hrda'), struct.pack('<I', CLIPS) + b''.join(made_clips(CLIPS, 1, ROTATIONS)))
        for part in os.listdir(sample('ff7')):
            if part.startswith('hr') and len(part) == 4 and part != 'hrda':
                shutil.copy(sample('ff7', part), self.path(part))
        self.assertEqual(set(self.rows) - set(largest), set(), 'no sound file of these is at hand')
        self.assertEqual(set(ARCHIVES.values()) - set(largest), set())
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(self.runs, largest.items()))
        for kind, *rest in results:
            with self.subTest(kind):
                self.assertEqual(len(rest), 1, rest)
                self.assertGreater(rest[0], 0, 'nothing of it could be done')
                print('%s: %s, %d bytes, %d commands' % (kind, os.path.relpath(largest[kind], SOURCE), os.path.getsize(largest[kind]), rest[0]))


if __name__ == '__main__':
    unittest.main()
