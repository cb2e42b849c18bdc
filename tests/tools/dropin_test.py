#!/usr/bin/env python3
"""reanima-run: programs that are already built read the games' files, and all others run as before."""
import os, re, shutil, stat, subprocess, sys, unittest
from pictures import from_png
from support import SANITIZED, SOURCE, TOOL, Case, Scene, read, run, sample, write

RUN = os.path.join(os.path.dirname(TOOL), 'reanima-run')
# A file of each format that Assimp can be given: its animations, and a node that the file's generator names or numbers.
FILES = {
    'ff7/hrda': (4, 'bone001'),
    'ff7/hraa': (0, 'bone001'),
    'ff7/doll_idle.a': (1, 'hip_l'),
    'ff7/doll.hrc': (0, 'hip_l'),
    'ff7/dlab.p': (0, 'dlab'),
    'ff7/dlab.rsd': (0, 'dlab'),
    'ff8/c0m900.dat': (4, 'bone001'),
    'ff9/hero_walk.ff9anim': (1, 'bone001'),
    'ff9/hero.ff9model': (0, 'bone001'),
    'ff9/hero.ff9db': (3, 'bone001'),
    'metroid/hero_walk.ANIM': (1, 'hips'),
    'metroid/hero.CINF': (0, 'hips'),
    'metroid/hero.CMDL': (0, 'hips'),
    'rlf/gate.rlf': (1, 'frame0000'),
}
READER = r"""
#include <assimp/cimport.h>
#include <assimp/importerdesc.h>
#include <assimp/scene.h>
#include <stdio.h>
#include <stdlib.h>
static void show(const char* how, const struct aiScene* scene) {
    if (scene == NULL) printf("%s: none\n", how);
    else printf("%s: %u animations, first channel %s\n", how, scene->mNumAnimations,
                scene->mAnimations[0]->mChannels[0]->mNodeName.data);
    aiReleaseImport(scene);
}
int main(int argc, char** argv) {
    static char bytes[1 << 20];
    FILE* file = fopen(argv[1], "rb");
    unsigned size = (unsigned)fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    show("file", aiImportFile(argv[1], 0));
    show("memory", aiImportFileFromMemory(bytes, size, 0, argv[2]));
    const struct aiImporterDesc* known = aiGetImporterDesc("ff7da");
    printf("ff7da: %s\n", known == NULL ? "unknown" : known->mName);
    printf("bvh: %s\n", aiGetImporterDesc("bvh")->mName);
    printf("supported: %d %d\n", aiIsExtensionSupported(".ff7da"), aiIsExtensionSupported(".bvh"));
    return argc - 3;
}
"""
# Something that is called like Assimp, and a program that uses it.
OTHER_ASSIMP = r"""
unsigned aiGetVersionMajor(void) { return MAJOR; }
unsigned aiGetVersionMinor(void) { return MINOR; }
void _ZN6Assimp8ImporterC1Ev(int* importer) { *importer += 20; }
void _ZN6Assimp8ImporterC2Ev(int* importer) { *importer += 1; }
const char* aiGetImporterDesc(const char* extension) { return extension[0] == 'k' ? "known" : 0; }
"""
OTHER_PROGRAM = r"""
#include <stdio.h>
void _ZN6Assimp8ImporterC1Ev(int*);
void _ZN6Assimp8ImporterC2Ev(int*);
const char* aiGetImporterDesc(const char*);
int main(void) {
    int importer[64] = {0};
    _ZN6Assimp8ImporterC1Ev(importer);
    _ZN6Assimp8ImporterC1Ev(importer);
    _ZN6Assimp8ImporterC2Ev(importer);
    const char* da = aiGetImporterDesc("da");
    printf("%d %s %s\n", importer[0], aiGetImporterDesc("k"), da == NULL ? "none" : da);
    return 3;
}
"""


def needs(program):
    return unittest.skipUnless(shutil.which(program), f'{program} is not installed')


def environment(**more):
    """For programs that load a sanitized module: the sanitizer's library must be loaded first."""
    env = dict(os.environ, **more)
    if SANITIZED:
        libraries = [subprocess.run(['cc', '-print-file-name=' + name], stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
                     for name in ('libasan.so', 'libubsan.so')]
        env['LD_PRELOAD'] = ':'.join(map(os.path.realpath, libraries))
        env['ASAN_OPTIONS'] = 'detect_leaks=0'         # of programs that were not built for it
    return env


def start(*words, cwd=None, env=None):
    p = subprocess.run(list(map(str, words)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
                       env=environment(**(env or {})), timeout=600)
    p.out, p.err = p.stdout.decode('utf-8', 'replace'), p.stderr.decode('utf-8', 'replace')
    assert 'Sanitizer' not in p.err + p.out, p.err + p.out
    return p


def compiled(case, name, text, *flags):
    source = write(case.path(name + '.c'), text)
    subprocess.run(['cc', source, '-o', case.path(name), *flags], check=True)
    return case.path(name)


class Programs(Case):
    """Debian's own programs."""

    def told(self, out):
        """the output of `assimp info` for a scene, without the values that differ between paths: progress, times and
        memory"""
        return out[out.index('Nodes:'):]

    def counts(self, out):
        return {name.strip(): value.strip() for name, _, value in (line.partition(':') for line in out.splitlines())}

    @needs('assimp')
    def test_assimp_reads_a_file_of_each_format_and_does_not_without(self):
        self.check(run('extract', sample('archives', 'hero.pak'), '-o', self.path('pak')), 0)
        sets = [name for name in self.files() if name.lower().endswith('.ancs')]
        self.assertEqual(len(sets), 1)
        files = {sample(*name.split('/')): expected for name, expected in FILES.items()}
        files[self.path(sets[0])] = (None, 'hips')
        for path, (animations, node) in files.items():
            with self.subTest(os.path.basename(path)):
                self.assertNotEqual(start('assimp', 'info', path).returncode, 0)
                p = start(RUN, 'assimp', 'info', path)
                self.assertEqual((p.returncode, p.err), (0, ''), p.out)
                if animations is not None:
                    self.assertEqual(self.counts(p.out)['Animations'], str(animations))
                self.assertIn(node, p.out)
                glb = self.path('out.glb')
                start('assimp', 'export', path, glb)
                if os.path.exists(glb):                 # Assimp takes it for an .obj file and finds nothing in it
                    self.assertNotIn(node, Scene(read(glb)).byname)
                    os.remove(glb)
                p = start(RUN, 'assimp', 'export', path, glb)
                self.assertEqual((p.returncode, p.err), (0, ''), p.out)
                scene = Scene(read(glb))
                self.assertIn(node, scene.byname)
                if animations is not None:
                    self.assertEqual(len(scene.g.get('animations', [])), animations)
                os.remove(glb)

    @needs('assimp')
    def test_a_second_extension_changes_nothing(self):
        for name in os.listdir(sample('ff7')):
            shutil.copy(sample('ff7', name), self.folder)
        for alias in ('dae', 'fbx', 'glb', 'obj', 'DAE'):
            with self.subTest(alias):
                name = 'hrda.' + alias
                os.symlink('hrda', self.path(name))
                self.assertNotEqual(start('assimp', 'info', name, cwd=self.folder).returncode, 0)
                plain = start(RUN, 'assimp', 'info', 'hrda', cwd=self.folder)
                p = start(RUN, 'assimp', 'info', name, cwd=self.folder)
                self.assertEqual(p.returncode, 0, p.out)
                self.assertEqual(self.told(p.out), self.told(plain.out))
                self.assertIn('bone001', p.out)
        # The job file is the one of the file without it.
        write(self.path('hrda.reanima.json'), '{"schema": 1, "options": {"clip": ["0"]}}')
        p = start(RUN, 'assimp', 'info', 'hrda.dae', cwd=self.folder)
        self.assertEqual(self.counts(p.out)['Animations'], '1')

    @needs('assimp')
    def test_the_environment_sets_options(self):
        p = start(RUN, 'assimp', 'info', sample('ff7', 'hrda'), env={'REANIMA_CLIP': '1', 'REANIMA_NAMES': sample('ff7', 'hero.names.csv')})
        self.assertEqual(self.counts(p.out)['Animations'], '1')
        self.assertIn('upper_arm_l', p.out)

    @needs('assimp')
    def test_entries_of_archives_are_files(self):
        for name in ('battle.lgp', 'FF9.IMG', 'hero.pak'):
            shutil.copy(sample('archives', name), self.folder)
        plain = start(RUN, 'assimp', 'info', sample('ff7', 'hrda'))
        for name, animations in (('battle.lgp:hrda', '4'), ('FF9.IMG:10/300', None), ('hero.pak:Hero.ANCS', None)):
            with self.subTest(name):
                self.assertNotEqual(start('assimp', 'info', name, cwd=self.folder).returncode, 0)
                p = start(RUN, 'assimp', 'info', name, cwd=self.folder)
                self.assertEqual(p.returncode, 0, p.out)
                self.assertGreater(int(self.counts(p.out)['Animations']), 0)
                if animations:                                  # with skeleton and meshes, which are entries, too
                    self.assertEqual(self.told(p.out), self.told(plain.out))
        self.assertNotEqual(start(RUN, 'assimp', 'info', 'battle.lgp:nothing', cwd=self.folder).returncode, 0)

    @needs('assimp')
    def test_a_skeleton_of_the_environment_that_does_not_fit_is_left_out(self):
        plain = self.counts(start(RUN, 'assimp', 'info', sample('ff7', 'hrda')).out)
        for path, why in ((sample('ff7', 'hrda'), f"is Final Fantasy VII (PC) battle animations, not a skeleton; its skeleton is {sample('ff7', 'hraa')}"),
                          (self.path('nothing'), "can't be opened")):
            p = start(RUN, 'assimp', 'info', sample('ff7', 'hrda'), '-l', env={'REANIMA_SKELETON': path})
            self.assertEqual(p.returncode, 0, p.out)
            self.assertIn(f"{sample('ff7', 'hrda')}: warning: the skeleton named by the environment variable is not used: {path}: {why}\n", p.err)
            self.assertEqual({n: self.counts(p.out)[n] for n in ('Animations', 'Meshes', 'Bones')}, {n: plain[n] for n in ('Animations', 'Meshes', 'Bones')})
        write(self.path('rlf/x.rlf'), read(sample('rlf', 'gate.rlf')))
        p = start(RUN, 'assimp', 'info', self.path('rlf/x.rlf'), env={'REANIMA_SKELETON': sample('ff7', 'hraa')})
        self.assertEqual((p.returncode, self.counts(p.out)['Animations']), (0, '1'))

    @needs('assimp')
    def test_assimp_reads_its_own_formats_as_before(self):
        self.check(run('convert', sample('ff7', 'hrda'), '-o', self.path('hero.glb')), 0)
        for name in ('hero.obj', 'hero.stl', 'hero.x'):
            subprocess.run(['assimp', 'export', self.path('hero.glb'), self.path(name)], check=True, stdout=subprocess.DEVNULL)
        for name in ('hero.glb', 'hero.obj', 'hero.stl', 'hero.x'):
            outputs = []
            for words in ([], [RUN]):
                p = start(*words, 'assimp', 'info', self.path(name))
                self.assertEqual((p.returncode, p.err), (0, ''))
                outputs.append(self.told(p.out))
            self.assertEqual(*outputs)

    def test_a_c_program_reads_files_and_memory(self):
        reader = compiled(self, 'reader', READER, '-lassimp')
        hero = sample('ff7', 'hrda')
        p = start(reader, hero, 'ff7da')
        self.assertEqual((p.returncode, p.out), (0, 'file: none\nmemory: none\nff7da: unknown\nbvh: BVH Importer (MoCap)\nsupported: 0 1\n'))
        for hint in ('ff7da', '', 'dae'):
            p = start(RUN, reader, hero, hint, env={'REANIMA_SKELETON': sample('ff7', 'hraa')})
            self.assertEqual((p.returncode, p.err), (0, ''))
            self.assertEqual(p.out.splitlines(), [
                'file: 4 animations, first channel root', 'memory: 4 animations, first channel root',
                'ff7da: reanima: Final Fantasy VII (PC) battle animations', 'bvh: BVH Importer (MoCap)', 'supported: 1 1'])

    @needs('valgrind')
    @unittest.skipIf(SANITIZED, 'valgrind can not run sanitized code')
    @unittest.skipUnless(os.environ.get('REANIMA_LONG'), 'only with REANIMA_LONG=1')
    def test_valgrind_finds_nothing(self):
        reader = compiled(self, 'reader', READER, '-lassimp')
        valgrind = ['valgrind', '-q', '--error-exitcode=9', '--leak-check=full', '--errors-for-leak-kinds=definite,indirect']
        for name in ('ff7/hrda', 'rlf/gate.rlf'):
            p = start(RUN, *valgrind, reader, sample(*name.split('/')), '')
            self.assertEqual(p.returncode, 0, p.err)
            self.assertIn('animations', p.out)

    @needs('assimp')
    def test_the_commands_of_the_page_run(self):
        import writers
        pack = [('rt' + end, '', read(sample('ff7', 'hr' + end))) for end in ('aa', 'da')]
        for name, _, data in pack:
            write(self.path(name), data)
        write(self.path('battle.lgp'), writers.lgp(pack)[0])
        page = read(os.path.join(SOURCE, 'docs', 'cpp.md')).decode()
        commands = [re.split(r' {2,}', line)[0].split() for line in re.findall(r'^ {4}(reanima-run .*)$', page, re.M)]
        self.assertGreaterEqual(len(commands), 5)
        for command in commands:
            if 'f3d' in command:                     # test_f3d_shows_the_character
                continue
            p = start(RUN, *command[1:], cwd=self.folder)
            self.assertEqual(p.returncode, 0, (command, p.out + p.err))
            if 'export' in command:
                scene = Scene(read(self.path('cloud.glb')))
                self.assertEqual(len(scene.g['animations']), 4, command)
                os.remove(self.path('cloud.glb'))

    @needs('f3d')
    @needs('xvfb-run')
    @unittest.skipIf(SANITIZED, 'drivers of graphics cards do not get along with sanitizers')
    def test_f3d_shows_the_character(self):
        for name in os.listdir(sample('ff7')):
            shutil.copy(sample('ff7', name), self.folder)
        os.rename(self.path('hrda'), self.path('hrda.dae'))
        picture = self.path('hero.png')
        knows = lambda option: option in start('f3d', '--help').out     # noqa: E731
        white = ['--background-color=1,1,1' if knows('--background-color') else '--bg-color=1,1,1']
        white += ['--force-reader=COLLADA'] * knows('--force-reader')   # f3d 3.5 looks into a file before it opens it
        view = ['f3d', '--output=' + picture, '--resolution=300,300', *white, '--up=+Y', self.path('hrda.dae')]
        start('xvfb-run', '-a', *view)
        self.assertFalse(os.path.exists(picture) and len(set(sum(from_png(read(picture))[1], []))) > 1)
        for _ in range(10):         # Debian 13's f3d 3.1 crashes in every second run, also of a .glb and without reanima-run
            p, seen = start('xvfb-run', '-a', RUN, *view), []
            if os.path.exists(picture):
                rows = from_png(read(picture))[1]
                seen = [(x, y) for y, row in enumerate(rows) for x, colour in enumerate(row) if min(colour[:3]) < 128]
            if seen:
                break
        self.assertTrue(seen, p.err + p.out)
        colours = {tuple(c // 32 for c in rows[y][x][:3]) for x, y in seen}
        tall = max(y for _, y in seen) - min(y for _, y in seen)
        wide = max(x for x, _ in seen) - min(x for x, _ in seen)
        self.assertGreater(tall, len(rows) / 3)            # somebody who stands
        self.assertGreater(tall, wide)
        self.assertGreater(len(colours), 5)             # in clothes


class Others(Case):
    """Programs that do not use Assimp, or can't be helped."""

    def test_programs_without_assimp_run_unharmed(self):
        p = start(RUN, '/bin/true')
        self.assertEqual((p.returncode, p.out), (0, ''))
        self.assertEqual(p.err, 'reanima-run: /bin/true is not linked with libassimp, so it gets the formats only if it loads libassimp later\n')
        self.assertEqual(start(RUN, 'false').returncode, 1)
        p = start(RUN, 'sh', '-c', 'cat /proc/self/maps; exit 7')
        self.assertEqual(p.returncode, 7)
        self.assertIn('reanima_preload.so', p.out)
        for library in ('libassimp', 'reanima_dropin', 'libfmt') + (() if SANITIZED else ('libstdc++',)):
            self.assertNotIn(library, p.out)
        self.assertEqual(p.err.count('\n'), 1)

    def test_the_preloaded_library_needs_nothing(self):
        p = start('readelf', '-d', os.path.join(os.path.dirname(RUN), 'reanima_preload.so'))
        self.assertEqual([line.split('[')[1].rstrip(']') for line in p.out.splitlines() if 'NEEDED' in line], ['libc.so.6'])
        shown = {}
        for library in ('reanima_preload.so', 'reanima_dropin.so'):
            p = start('nm', '-D', '--defined-only', os.path.join(os.path.dirname(RUN), library))
            shown[library] = sorted(line.split()[2] for line in p.out.splitlines())
        self.assertEqual(shown, {'reanima_preload.so': ['_ZN6Assimp8ImporterC1Ev', '_ZN6Assimp8ImporterC2Ev', 'aiGetImporterDesc'],
                                 'reanima_dropin.so': ['reanimaDropinModule']})

    def test_scripts_and_their_children(self):
        script = write(self.path('script'), '#!/bin/sh\ngrep -c reanima_preload /proc/self/maps >/dev/null && echo "$1"\n')
        os.chmod(script, 0o755)
        p = start(RUN, script, 'loaded')
        self.assertEqual((p.returncode, p.out, p.err), (0, 'loaded\n', ''))

    def setUp(self):
        super().setUp()
        told = re.search(r'(libassimp\.so\.\d+) \(Assimp (\d+)\.(\d+)\)', start(RUN, '--version').out)
        self.library, self.version = told.group(1), (int(told.group(2)), int(told.group(3)))      # that reanima was built with

    def other(self, major, minor, library=None):
        library = library or self.library
        flags = ['-shared', '-fPIC', f'-DMAJOR={major}', f'-DMINOR={minor}', '-Wl,-soname,' + library]
        source = write(self.path('other.c'), OTHER_ASSIMP)
        subprocess.run(['cc', source, '-o', self.path(library), *flags], check=True)
        return compiled(self, 'program', OTHER_PROGRAM, '-Wno-builtin-declaration-mismatch', self.path(library), '-Wl,-rpath,' + self.folder)

    def test_another_version_of_assimp(self):
        unharmed = (3, '41 known none\n')
        major, minor = self.version
        expected = '%d.%d' % self.version
        program = self.other(major + 1, 0)
        p = start(program)
        self.assertEqual((p.returncode, p.out), unharmed)
        p = start(RUN, program)
        self.assertEqual((p.returncode, p.out), unharmed)
        self.assertEqual(p.err, f"reanima: this program's Assimp is version {major + 1}.0, expected {expected}; no format is added\n")
        program = self.other(major, minor + 1)
        p = start(RUN, program)
        self.assertEqual((p.returncode, p.out), unharmed)
        self.assertEqual(p.err, f"reanima: this program's Assimp is version {major}.{minor + 1}, expected {expected}; no format is added\n")
        newer = f'libassimp.so.{major + 1}'
        program = self.other(major + 1, 0, newer)
        p = start(RUN, program)
        self.assertEqual((p.returncode, p.out), unharmed)
        self.assertEqual(p.err, f'reanima-run: {program} uses {newer}, expected {self.library} ({expected}); it runs without the formats\n')

    def test_an_assimp_of_its_own(self):
        program = self.other(*self.version, 'libengine.so')
        p = start(RUN, program)
        self.assertEqual((p.returncode, p.out), (3, '41 known none\n'))
        note, line = p.err.splitlines()
        self.assertIn('is not linked with libassimp', note)
        self.assertEqual(line, 'reanima: this program contains its own Assimp; no format is added')

    def test_a_libassimp_that_lacks_what_the_module_needs(self):
        program = self.other(*self.version)
        p = start(RUN, program)
        self.assertEqual((p.returncode, p.out), (3, '41 known none\n'))
        self.assertRegex(p.err, r'^reanima: \S+reanima_dropin.so: undefined symbol: \S+; no format is added\n$')

    def test_the_module_is_missing(self):
        shutil.copy(os.path.join(os.path.dirname(RUN), 'reanima_preload.so'), self.folder)
        program = self.other(*self.version)
        p = start(program, env={'LD_PRELOAD': self.path('reanima_preload.so')} if not SANITIZED else {})
        if SANITIZED:
            self.skipTest('needs LD_PRELOAD for itself')
        self.assertEqual((p.returncode, p.out), (3, '41 known none\n'))
        self.assertEqual(p.err, f'reanima: {self.path("reanima_dropin.so")}: cannot open shared object file: No such file or directory; '
                                'no format is added\n')

    def test_static_and_foreign_programs(self):
        static = compiled(self, 'static', 'int main(void) { return 5; }\n', '-static')
        p = start(RUN, static)
        self.assertEqual((p.returncode, p.err), (5, f'reanima-run: {static} is linked statically, so it runs without the formats\n'))
        owned = compiled(self, 'owned', 'int main(void) { return 6; }\n')
        os.chmod(owned, 0o755 | stat.S_ISUID)
        if os.geteuid() != 0:
            p = start(RUN, owned)
            self.assertEqual((p.returncode, p.err), (6, f'reanima-run: {owned} runs with the rights of its owner (setuid), so the formats are not loaded into it\n'))
        foreign = self.path('foreign')
        write(foreign, read(owned).replace(b'ld-linux-', b'ld-other-'))
        os.chmod(foreign, 0o755)
        p = start(RUN, foreign)
        self.assertEqual(p.returncode, 126)
        self.assertIn(f'reanima-run: {foreign} uses another C library (/lib64/ld-other-x86-64.so.2), so it runs without the formats\n', p.err)
        odd = bytearray(read(static))
        odd[4] = 1                                      # ELFCLASS32
        os.chmod(write(self.path('odd'), bytes(odd)), 0o755)
        p = start(RUN, self.path('odd'))                # Linux may run it all the same
        self.assertIn(f'reanima-run: {self.path("odd")} is not a 64-bit program, so it runs without the formats\n', p.err)

    def test_what_can_not_be_run(self):
        p = start(RUN, 'no-such-program')
        self.assertEqual((p.returncode, p.err), (127, 'reanima-run: there is no program no-such-program\n'))
        p = start(RUN, write(self.path('letter'), 'dear reader'))
        self.assertEqual((p.returncode, p.err), (126, f'reanima-run: {self.path("letter")} can\'t be run: Permission denied\n'))
        p = start(RUN)
        self.assertEqual(p.returncode, 125)
        self.assertIn('usage: reanima-run PROGRAM', p.err)

    def test_installed_where_it_can_not_be_named(self):
        folder = self.path('a folder')
        os.mkdir(folder)
        for name in ('reanima-run', 'reanima_preload.so'):
            shutil.copy(os.path.join(os.path.dirname(RUN), name), folder)
        p = start(os.path.join(folder, 'reanima-run'), 'sh', '-c', 'exit 0')
        self.assertEqual(p.returncode, 125)
        self.assertTrue(p.err.endswith(f'reanima-run: {folder}/reanima_preload.so can\'t be preloaded, because its path contains a space or a colon\n'), p.err)
        os.remove(os.path.join(folder, 'reanima_preload.so'))
        p = start(os.path.join(folder, 'reanima-run'), 'sh', '-c', 'exit 0')
        self.assertEqual((p.returncode, p.err), (125, 'reanima-run: reanima_preload.so is missing, expected in ../lib/reanima\n'))

    def test_list_help_and_version(self):
        p = start(RUN, '--list')
        self.assertEqual((p.returncode, p.err), (0, ''))
        listed = {line.rsplit('  ', 1)[0].strip(): line.rsplit('  ', 1)[-1].split() for line in p.out.split('\n\n')[0].splitlines()}
        self.assertEqual(len(listed), len(FILES) + 1)   # and character sets
        self.assertIn('rlf', listed['ZVision run-length video'])
        self.assertIn('ff7da', listed['Final Fantasy VII (PC) battle animations'])
        self.assertIn('Files are recognised by their content, whatever their names. For programs that only open known extensions, append\n'
                      'one of these to a file\'s name: dae fbx glb obj\n', p.out)
        self.assertTrue(start(RUN, '--help').out.startswith('usage: reanima-run PROGRAM'))
        self.assertRegex(start(RUN, '--version').out, r'^reanima-run \d+\.\d+\.\d+, for programs with libassimp\.so\.\d+ \(Assimp \d+\.\d+\)\n$')
        with open('/dev/full', 'w') as full:
            self.assertEqual(subprocess.run([RUN, '--list'], stdout=full, env=environment()).returncode, 125)


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
