#!/usr/bin/env python3
"""Foreign code can't run: no program or library of a build tree looks for libraries in the current folder, which may
hold anyone's files, and builds without sanitizers use the hardening of the compiler and the loader."""
import json, os, shlex, subprocess, unittest

from support import TOOL, Case, read, write

BUILD = os.path.dirname(os.path.abspath(TOOL))
SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))
FOREIGN = '__attribute__((constructor)) static void ran(void) { FILE *f = fopen("%s", "a"); fputs("ran\\n", f); fclose(f); }\n'


def elf_files(folder):
    """Programs and shared libraries below a folder, without objects"""
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != 'CMakeFiles']
        for name in sorted(names):
            path = os.path.join(where, name)
            with open(path, 'rb') as f:
                head = f.read(18)
            if head[:4] == b'\x7fELF' and head[16] in (2, 3):          # ET_EXEC, ET_DYN
                yield path


def dynamic(path):
    """-> the entries of the dynamic section, [(tag, text)]"""
    out = subprocess.run(['readelf', '-dW', path], stdout=subprocess.PIPE, text=True, check=True,
                         env=dict(os.environ, LC_ALL='C')).stdout
    entries = []
    for line in out.splitlines():
        if '(' in line and ')' in line:
            entries.append((line.split('(', 1)[1].split(')', 1)[0], line.split(')', 1)[1].strip()))
    return entries


def in_brackets(text):
    return text.split('[', 1)[1].rsplit(']', 1)[0]


def needed(path):
    """-> the names of all libraries that are loaded with a file"""
    out = subprocess.run(['ldd', path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd='/').stdout
    names = {line.split('=>')[0].strip() for line in out.splitlines() if '=>' in line}
    return names | {in_brackets(text) for tag, text in dynamic(path) if tag == 'NEEDED'}


class RunPaths(Case):
    def check_run_paths(self, folder):
        files = list(elf_files(folder))
        for path in files:
            for tag, text in dynamic(path):
                if tag in ('RUNPATH', 'RPATH'):
                    for element in in_brackets(text).split(':'):
                        self.assertTrue(element.startswith(('/', '$ORIGIN', '${ORIGIN}')), '%s: %s' % (path, text))
        return files

    def foreign_libraries(self, name, libraries):
        """-> a folder with foreign libraries of these names, which write a file when they are loaded, and that file"""
        folder, wrote = self.path(name), self.path(name + '.wrote')
        source = write(self.path(name + '.c'), '#include <stdio.h>\n' + FOREIGN % wrote)
        os.makedirs(folder)
        library = self.path(name + '.so')
        subprocess.run(['gcc', '-shared', '-fPIC', '-o', library, source], check=True)
        for library_name in libraries:
            os.link(library, os.path.join(folder, os.path.basename(library_name)))
        return folder, wrote

    def test_the_build_tree_loads_nothing_from_the_current_folder(self):
        files = self.check_run_paths(BUILD)
        self.assertIn(os.path.abspath(TOOL), files)
        # The test itself works: if a folder with a foreign library is named, that library is found. Whether it runs depends on the linker.
        named, _ = self.foreign_libraries('named', ['libdeflate.so.0'])
        self.assertIn(named, subprocess.run(['ldd', TOOL], stdout=subprocess.PIPE, text=True, env=dict(os.environ, LD_LIBRARY_PATH=named)).stdout)
        folder, wrote = self.foreign_libraries('foreign', sorted(set().union(*map(needed, files))))
        self.assertIn('libdeflate.so.0', os.listdir(folder))
        for path in files:
            resolved = subprocess.run(['ldd', path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder).stdout
            self.assertNotIn(folder, resolved, path)
            self.assertNotIn('=> ./', resolved, path)
            if os.access(path, os.X_OK) and not path.endswith('.so') and '.so.' not in path:
                try:
                    subprocess.run([path, '--help'], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, timeout=2)
                except subprocess.TimeoutExpired:
                    pass                                               # it was loaded long before
            self.assertFalse(os.path.exists(wrote), '%s ran a library of the current folder' % path)

    def configured(self, *arguments):
        build = self.path('build')
        subprocess.run(['cmake', '-S', SOURCE, '-B', build, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release', '-DREANIMA_TESTS=OFF',
                        '-DREANIMA_DRAWING=OFF', '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON', *arguments],
                       check=True, stdout=subprocess.DEVNULL)
        return build

    def test_shared_libraries_need_no_padding(self):
        build = self.configured('-DBUILD_SHARED_LIBS=ON')
        ninja = read(os.path.join(build, 'build.ninja')).decode()
        paths = [word[len('-Wl,-rpath,'):].replace('"', '').replace('\\$$', '$') for line in ninja.splitlines() for word in line.split()
                 if word.startswith('-Wl,-rpath,')]
        self.assertGreater(len(paths), 10)
        for path in paths:
            for element in path.split(':'):
                self.assertTrue(element.startswith(('/', '$ORIGIN')), path)

    def test_what_is_built_without_sanitizers_is_guarded(self):
        build = self.configured()
        with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as f:
            for command in json.load(f):
                words = shlex.split(command['command'])
                self.assertIn('-fstack-protector-strong', words, command['file'])
                self.assertIn('-D_FORTIFY_SOURCE=2', words, command['file'])
        subprocess.run(['cmake', '--build', build, '--target', 'reanima_preload'], check=True, stdout=subprocess.DEVNULL)
        for path in elf_files(build):
            tags = dynamic(path)
            self.assertTrue(any(tag == 'FLAGS' and 'BIND_NOW' in text or tag == 'BIND_NOW' for tag, text in tags), path)
            headers = subprocess.run(['readelf', '-lW', path], stdout=subprocess.PIPE, text=True, check=True).stdout
            self.assertIn('GNU_RELRO', headers, path)
        self.assertEqual(len(list(elf_files(build))), 1)
        ninja = read(os.path.join(build, 'build.ninja')).decode()
        blocks = [block for block in ninja.split('\n\n') if '_LINKER__' in block and ('EXECUTABLE' in block or 'MODULE_LIBRARY' in block or 'SHARED_LIBRARY' in block)]
        self.assertGreaterEqual(len(blocks), 4)
        for block in blocks:
            self.assertIn('-Wl,-z,relro', block)
            self.assertIn('-Wl,-z,now', block)


if __name__ == '__main__':
    unittest.main()
