#!/usr/bin/env python3
"""The command for Windows, cross-built, unpacked from its zip and run by wine: its outputs equal those on Linux.

Takes long, so it runs with REANIMA_LONG=1 only. Needs what `scripts/setup.sh --windows` installs."""
import os, shutil, stat, struct, subprocess, sys, tempfile, unittest, zipfile

from gltf_files import WIDTH, parts
from support import Case, DATA, SOURCE, TOOL, read, sample, write
import discs
import rig_set

WINE = os.path.join(SOURCE, 'scripts', 'wine.sh')
CONFORMANCE = os.path.join(DATA, 'conformance')
HOLDER = tempfile.TemporaryDirectory(prefix='reanima_windows_')
WINDOWS = os.path.join(HOLDER.name, 'reanima')      # a script that runs the executable
PLAIN = [                                            # conversions that use no transcendental function
    ['convert', sample('ff7', 'hrda'), '--names', sample('ff7', 'hero.names.csv'), '-o', 'hero.glb'],
    ['convert', sample('ff7', 'hrda'), '--proxy-mesh', '--no-mesh', '--compact', '-o', 'small.glb'],
    ['convert', sample('ff7', 'hrda'), '-o', 'text.gltf'],
    ['convert', sample('ff7', 'doll.hrc'), sample('ff7', 'doll_walk.a'), '-o', 'doll.glb'],
    ['convert', sample('ff9') + os.sep, '-o', 'ff9/'],
    ['convert', sample('metroid') + os.sep, '-o', 'metroid/'],
    ['convert', sample('rlf') + os.sep, '-o', 'rlf/'],
    ['convert', sample('archives') + os.sep, '-o', 'archives/'],
    ['convert', sample('archives', 'battle.lgp'), '-o', 'battle/', '--depfile', 'battle.d'],
    ['frames', sample('rlf', 'wheel.rlf'), '-o', 'wheel/'],
    ['frames', sample('rlf', 'gate.rlf'), '--as', 'sheet', '-o', 'gate/'],
    ['frames', sample('rlf', 'hallw.rlf'), '--as', 'raw', '-o', 'hallw.raw'],
    ['encode', 'wheel', '--format', 'rlf', '-o', 'wheel.rlf'],
    ['extract', sample('archives', 'hero.pak'), '-o', 'pak/'],
    ['convert', sample('ff7', 'hrda'), '-o', '-'],
    ['list', sample('archives', 'battle.lgp'), '--json'],
    ['info', sample('metroid', 'hero_walk.ANIM'), '--json'],
    ['formats', '--json'],
    ['--help'],
]


def windows(*args, cwd, stdin=None):
    return subprocess.run([WINDOWS, *args], cwd=cwd, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)


def linux(*args, cwd, stdin=None):
    return subprocess.run([TOOL, *args], cwd=cwd, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)


def tree(folder):
    """-> {path: bytes} of everything below"""
    return {os.path.relpath(os.path.join(place, name), folder): read(os.path.join(place, name))
            for place, _, names in os.walk(folder) for name in names}


def metres(text):
    """-> {accessor: one of its numbers in metres} for the translations of clips: rigs may be in centimetres"""
    nodes, sizes = text['nodes'], {}
    above = {child: i for i, node in enumerate(nodes) for child in node.get('children', [])}
    for clip in text.get('animations', []):
        for channel in clip['channels']:
            if channel['target']['path'] == 'translation':
                size, node = 1, channel['target']['node']
                while node in above:
                    node = above[node]
                    size *= max(nodes[node].get('scale', [1]))
                sizes[clip['samplers'][channel['sampler']]['output']] = size
    return sizes


def floats(glb):
    """-> the numbers of a .glb, translations of clips in metres: {accessor: floats}, and the rest of it, in which they are zeros"""
    text, rest = parts(glb)
    data = bytearray(rest[8:])
    numbers, sizes = {}, metres(text)
    for i, accessor in enumerate(text['accessors']):
        for bound in ('min', 'max'):
            numbers['%d %s' % (i, bound)] = [x * sizes.get(i, 1) for x in accessor.pop(bound, [])]
        if accessor['componentType'] == 5126:
            view = text['bufferViews'][accessor['bufferView']]
            begin = view.get('byteOffset', 0) + accessor.get('byteOffset', 0)
            count = accessor['count'] * WIDTH[accessor['type']]
            numbers[i] = [x * sizes.get(i, 1) for x in struct.unpack_from('<%df' % count, data, begin)]
            data[begin:begin + 4 * count] = bytes(4 * count)
    for node in text['nodes']:
        for part in ('translation', 'rotation', 'scale'):
            numbers['%s %s' % (node.get('name'), part)] = node.pop(part, [])
    return numbers, text, bytes(data)


def without_key(text):
    """the JSON of a .glb without the numbers that a report states"""
    for scene in text['scenes']:
        scene.get('extras', {}).pop('reanima', None)
    return text


class Windows(Case):
    def both(self, *args, stdin=None):
        """Runs a command line on both systems, each in a separate folder. -> its folders"""
        folders = []
        for name, tool in (('linux', linux), ('windows', windows)):
            os.makedirs(self.path(name), exist_ok=True)
            folders.append((self.path(name), tool(*args, cwd=self.path(name), stdin=stdin)))
        (_, a), (_, b) = folders
        self.assertEqual((b.returncode, b.stderr.decode(), b.stdout == a.stdout), (a.returncode, a.stderr.decode(), True), args)
        return [folder for folder, _ in folders]

    def same(self, *args, stdin=None):
        a, b = map(tree, self.both(*args, stdin=stdin))
        self.assertEqual(sorted(a), sorted(b))
        self.assertEqual([name for name in a if a[name] != b[name]], [])
        return a

    def test_plain_outputs_have_the_bytes_of_linux(self):
        for args in PLAIN:
            with self.subTest(args):
                self.same(*args)

    def test_every_sample_is_dumped_and_encoded_as_on_linux(self):
        for folder in ('ff7', 'ff9', 'metroid', 'rlf'):
            for name in sorted(os.listdir(sample(folder))):
                with self.subTest(name):
                    dumps = self.both('dump', sample(folder, name), '-o', name + '.json')
                    if os.path.exists(os.path.join(dumps[0], name + '.json')):
                        self.same('encode', name + '.json', '-o', name + '.again')

    def test_binding_and_resampling_differ_by_a_millionth_at_most(self):
        rig_set.write_set(self.path('rigs'), {'mixamo': ('mixamo', 'adult', {}), 'ue5': ('ue5', 'child', {'pose': 'A', 'armature': 'fbx'})})
        rigs = [self.path('rigs', name) for name in os.listdir(self.path('rigs')) if name.endswith('.glb')]
        self.assertEqual(len(rigs), 2)
        bound = [['convert', *what, '-s', rig, '-o', 'x.glb'] for rig in rigs
                 for what in ([sample('ff7', 'hrda')], [sample('metroid', 'hero_walk.ANIM'), '--root-motion', 'extract'])]
        for args in (['convert', sample('ff7', 'hrda'), '--resample', '24', '--no-mesh', '-o', 'x.glb'],
                     ['convert', sample('metroid', 'hero_walk.ANIM'), '--subdivide', '20', '-o', 'x.glb'], *bound):
            with self.subTest(args):
                outcomes = []
                for name, tool in (('linux', linux), ('windows', windows)):
                    os.makedirs(self.path(name), exist_ok=True)
                    outcomes.append(tool(*args, '--force', cwd=self.path(name)).returncode)
                self.assertEqual(outcomes, [0, 0])
                (a, texts, rest), (b, other_texts, other_rest) = (floats(read(self.path(name, 'x.glb'))) for name in ('linux', 'windows'))
                self.assertEqual(without_key(texts), without_key(other_texts))
                self.assertEqual(rest, other_rest)
                self.assertEqual(list(a), list(b))
                for accessor in a:
                    self.assertEqual(len(a[accessor]), len(b[accessor]))
                    self.assertLess(max((abs(x - y) for x, y in zip(a[accessor], b[accessor])), default=0), 1e-6, accessor)

    def test_names_in_any_script(self):
        for name in ('linux', 'windows'):
            os.makedirs(self.path(name, 'クラウド', '戦い'))
            for part in os.listdir(sample('ff7')):
                if part.startswith('hr'):
                    shutil.copy(sample('ff7', part), self.path(name, 'クラウド', '戦い', part))
            shutil.copy(sample('rlf', 'wheel.rlf'), self.path(name, 'クラウド', '車輪 ß.rlf'))
        made = self.same('convert', 'クラウド', '-o', '出力/')
        self.assertIn('出力/戦い/hrda.glb', made)
        self.assertIn('出力/車輪 ß.glb', made)
        self.same('dump', 'クラウド/車輪 ß.rlf', '-o', '車輪.json')
        self.same('convert', 'クラウド/*.rlf', '-o', '模様/')
        self.same('info', 'なし')

    def test_paths_of_any_length(self):
        deep = os.path.join(*['a folder whose name is rather long %d' % i for i in range(12)])
        for name in ('linux', 'windows'):
            os.makedirs(self.path(name))
            shutil.copy(sample('ff7', 'hrda'), self.path(name, 'hrda'))
            shutil.copy(sample('ff7', 'hraa'), self.path(name, 'hraa'))
        self.assertGreater(len(deep), 400)
        made = self.same('convert', 'hrda', '--no-mesh', '-o', os.path.join(deep, 'hero.glb'))
        self.assertIn(os.path.join(deep, 'hero.glb'), made)
        for name in ('linux', 'windows'):
            for part in ('hrda', 'hraa'):
                shutil.move(self.path(name, part), self.path(name, deep, part))
        made = self.same('convert', deep.split(os.sep)[0], '--no-mesh', '-o', 'out/')
        self.assertEqual(len([name for name in made if name.startswith('out') and name.endswith('hrda.glb')]), 1)
        self.same('convert', os.path.join(deep, 'hrda'), '--no-mesh', '-o', os.path.join(deep, 'hero.glb'), '--force')
        self.same('frames', sample('rlf', 'wheel.rlf'), '-o', os.path.join(deep, 'pictures'))

    def test_outputs_replace_others_at_once_and_leave_nothing_beside_them(self):
        for name in ('linux', 'windows'):
            write(self.path(name, 'old.glb'), 'old')
            os.chmod(self.path(name, 'old.glb'), stat.S_IRUSR)
            os.makedirs(self.path(name, 'pictures'))
        self.same('convert', sample('ff7', 'hrda'), '-o', 'old.glb')                      # refused
        made = self.same('convert', sample('ff7', 'hrda'), '-o', 'old.glb', '--force')
        self.assertEqual(list(made), ['old.glb'])
        self.assertNotEqual(made['old.glb'], b'old')
        self.same('convert', sample('ff7', 'hrda'), '-o', 'old.glb', '--if-changed')      # kept
        self.same('frames', sample('rlf', 'wheel.rlf'), '-o', 'pictures')                 # an empty folder is there

    def test_standard_streams_carry_bytes(self):
        self.same('dump', '-', '--format', 'rlf', '-o', '-', stdin=read(sample('rlf', 'wheel.rlf')))

    def test_names_that_windows_takes_for_one_are_one_output(self):
        for name in ('hrda', 'HRDA'):
            write(self.path(name), read(sample('ff7', 'hrda')))
        p = windows('convert', 'hrda', 'HRDA', '--no-mesh', '-o', 'out/', cwd=self.folder)
        self.assertEqual(p.returncode, 2, p.stderr)
        self.assertIn(b'two outputs would be written there', p.stderr)

    def test_only_a_window_of_its_own_waits(self):
        self.assertNotIn(b'Press Enter to close this window.\n', windows('formats', cwd=self.folder).stderr)

    def test_what_it_cannot_do_is_refused_in_words(self):
        rig = write(self.path('rig.x'), 'xof 0303txt 0032\n')
        p = windows('convert', sample('ff7', 'hrda'), '-s', rig, '-o', 'x.glb', cwd=self.folder)
        self.assertEqual(p.returncode, 1)
        self.assertEqual(p.stderr.decode(), 'reanima: %s: is not a glTF file, and the module that reads other formats (through Assimp) can\'t be loaded: there is none for Windows\n' % rig)
        p = windows('preview', sample('ff7', 'hrda'), '-o', 'x.png', cwd=self.folder)
        self.assertEqual((p.returncode, p.stderr.decode()), (2, 'reanima: preview: this build can\'t draw sheets. Use -o PAGE.html\n'))
        self.assertEqual(sorted(os.listdir(self.folder)), ['rig.x'])
        write(self.path('x.rvz'), discs.wia(discs.gamecube({'a.txt': b'1'})))
        p = windows('list', 'x.rvz', cwd=self.folder)
        self.assertEqual(p.returncode, 1)
        self.assertIn("is packed with Zstandard, which this build of reanima can't unpack. Use a build with all libraries", p.stderr.decode())

    def test_conformance(self):
        for script, args in (('run.py', ['--motion']), ('run_ff7_mesh.py', []), ('run_ff9_mesh.py', []), ('run_metroid_mesh.py', []), ('archives/run.py', [])):
            with self.subTest(script):
                p = subprocess.run([sys.executable, os.path.join(CONFORMANCE, script), WINDOWS, *args], stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT)
                self.assertEqual(p.returncode, 0, p.stdout.decode())

    def test_it_is_in_the_zip_of_the_blender_add_on(self):
        target = self.path('addon.zip')
        subprocess.run([os.path.join(SOURCE, 'scripts', 'build-addon.sh'), '--linux', TOOL, '--windows', 'build/windows/reanima.exe',
                        '--output', target], check=True, stderr=subprocess.DEVNULL)
        with zipfile.ZipFile(target) as archive:
            self.assertEqual(archive.read('reanima/bin/windows-x64/reanima.exe'), read(os.path.join(SOURCE, 'build', 'windows', 'reanima.exe')))


def setUpModule():
    if not os.environ.get('REANIMA_LONG') or not shutil.which('x86_64-w64-mingw32-g++-posix') or not shutil.which('wine'):
        print('needs REANIMA_LONG=1 and `scripts/setup.sh --windows`')
        sys.exit(77)
    made = os.path.join(HOLDER.name, 'reanima.zip')
    subprocess.run([os.path.join(SOURCE, 'scripts', 'build-windows.sh'), '--output', made], check=True)
    with zipfile.ZipFile(made) as archive:               # nothing else is there
        archive.extractall(HOLDER.name)
    executable, = [os.path.join(HOLDER.name, name) for name in zipfile.ZipFile(made).namelist() if name.endswith('reanima.exe')]
    write(WINDOWS, '#!/bin/sh\nexec "%s" "%s" "$@"\n' % (WINE, executable))
    os.chmod(WINDOWS, 0o755)
    subprocess.run([WINDOWS, '--version'], check=True, stdout=subprocess.DEVNULL, timeout=300)       # alone: two that start wine's services may wait for each other
    # One program runs all the time: wine's services end with the last one, and to start them takes ten times as long as a run.
    waiting = subprocess.Popen([WINDOWS, 'dump', '-', '--format', 'rlf'], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    unittest.addModuleCleanup(waiting.communicate)


if __name__ == '__main__':
    unittest.main()
