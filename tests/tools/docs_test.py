#!/usr/bin/env python3
"""README and the pages for people: every command on them runs, with sample files under the names used there."""
import json, os, re, shutil, struct, subprocess, sys, unittest

import ff9_script as ev
from ff9_links_test import BBA, BBA_IDLE, ZDN, ZDN_IDLE, ZDN_RUN, image, whole
from sources_test import CAPTURES, HAVE_CAPTURES, MIXAMO, VRM, Bvh, capture_as_glb
from support import Case, DATA, SOURCE, TOOL, Scene, in_blender, read, run, sample, write

sys.path.insert(0, os.path.join(DATA, 'conformance', 'archives'))
import discs                                      # noqa: E402
import writers                                    # noqa: E402

PAGES = ('README.md', 'docs/back.md', 'docs/looks-wrong.md', 'docs/attacks.md', 'docs/tables.md', 'docs/engines.md', 'docs/pipelines.md', 'docs/cpp.md')
FEWEST = {'README.md': 10, 'docs/cpp.md': 0}         # commands of a page; of others 4
# Commands that other tests run, or that need a person: packages, programs with Assimp.
ELSEWHERE = re.compile(r'reanima-run|scripts/|^sudo |^cmake ')


def commands_of(text):
    """The command lines of a page: in blocks that are indented or fenced as sh, and in code of tables"""
    fenced = re.findall(r'^```sh\n(.*?)^```', text, re.M | re.S)
    plain = re.sub(r'^```.*?^```', '', text, flags=re.M | re.S)
    lines = [line[4:] for line in plain.splitlines() if line.startswith('    ')] + [line for block in fenced for line in block.splitlines()]
    found = [re.split(r'\s{2,}', line)[0] for line in lines if re.match(r'((cat .*\| )?reanima|jq) ', line)]
    in_tables = [code for line in plain.splitlines() if line.startswith('|') for code in re.findall(r'`(reanima [^`]*)`', line)]
    return [command for command in found + in_tables if not ELSEWHERE.search(command) and 'VERB' not in command]


class Pages(Case):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path('bin'))
        os.symlink(os.path.abspath(TOOL), self.path('bin/reanima'))
        self.games = self.path('games')
        hero = [(name, read(sample('ff7', name))) for name in sorted(os.listdir(sample('ff7'))) if re.fullmatch('hr..', name)]
        renamed = [('rt' + name[2:], data) for name, data in hero]
        for name, data in renamed:
            write(os.path.join(self.games, name), data)
            write(os.path.join(self.games, 'battle', name), data)
        write(os.path.join(self.games, 'battle.lgp'), writers.lgp([(name, '', data) for name, data in renamed])[0])
        write(os.path.join(self.games, 'magic.lgp'), writers.lgp([('blaver.a00', '', read(sample('ff7', 'hrda')))])[0])
        dolls = [name for name in sorted(os.listdir(sample('ff7'))) if name.startswith('doll')]
        write(os.path.join(self.games, 'char.lgp'), writers.lgp([(name, '', read(sample('ff7', name))) for name in dolls])[0])
        for name, source in (('Metroid1.pak', ('archives', 'hero.pak')), ('intro.rlf', ('rlf', 'wheel.rlf'))):
            shutil.copy(sample(*source), os.path.join(self.games, name))
        field = whole([BBA], [BBA_IDLE, ZDN_RUN], ev.script(ev.entry(ev.model(BBA) + ev.stand(BBA_IDLE) + ev.leave)))     # as a disc's
        write(os.path.join(self.games, 'FF9.IMG'), image([(98, whole([ZDN], [ZDN_IDLE])), (102, field)]))
        steam = os.path.join(DATA, 'ff9_steam')
        write(os.path.join(self.games, 'disc1.bin'), discs.sectors(discs.iso({'FF9.IMG': read(os.path.join(self.games, 'FF9.IMG'))})))
        write(os.path.join(self.games, 'prime.rvz'), discs.wia(discs.gamecube({'Metroid1.pak': read(sample('archives', 'hero.pak'))})))
        shutil.copytree(os.path.join(steam, 'Animations', 'GEO_STD_F0_ANA'), os.path.join(self.games, 'Animations', 'GEO_MAIN_F0_ZDN'))
        for model, name in (('901/901.fbx', 'Models/2/98/98.fbx'), ('901/901_0.png', 'Models/2/98/901_0.png'), ('903/903.fbx', 'vivi.fbx')):
            write(os.path.join(self.games, name), read(os.path.join(steam, 'Models', model)))
        if HAVE_CAPTURES:
            shutil.copy(os.path.join(CAPTURES, '01_01.bvh'), os.path.join(self.games, 'walk.bvh'))
        monsters = [name for name in os.listdir(sample('ff8')) if name.endswith('.dat')]
        shutil.copy(sample('ff8', sorted(monsters)[0]), os.path.join(self.games, 'c0m000.dat'))
        for name, content in zip(('battle.fs', 'battle.fi', 'battle.fl'), discs.fs({'c0m000.dat': read(os.path.join(self.games, 'c0m000.dat'))}, 1)):
            write(os.path.join(self.games, name), content)
        for name in ('hrda', 'hraa', 'hero.names.csv'):
            shutil.copy(sample('ff7', name), os.path.join(self.games, name))
        self.check(run('convert', sample('ff7', 'hraa'), '-q', '-o', os.path.join(self.games, 'hero.glb')), 0)
        os.symlink(os.path.dirname(sample('ff7')), os.path.join(self.games, 'samples'))
        write(os.path.join(self.games, 'hero.reanima.json'),
              '{"schema": 1, "inputs": ["hrda"], "skeleton": "hraa", "names": "hero.names.csv", "output": "hero_job.glb", '
              '"options": {"proxy-mesh": true, "clip": ["walk", "idle"]}}')

    def page(self, name):
        return read(os.path.join(SOURCE, name)).decode()

    def run_here(self, command, place):
        p = subprocess.run(['bash', '-euo', 'pipefail', '-c', command], cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           env=dict(os.environ, PATH=self.path('bin') + ':' + os.environ['PATH']), timeout=300)
        self.assertEqual(p.returncode, 0, p.stderr.decode())

    @unittest.skipUnless(HAVE_CAPTURES, 'assimp-testmodels is not installed')
    def test_motion_of_other_programs(self):
        """docs/outputs.md"""
        capture = os.path.join(CAPTURES, '01_01.bvh')
        for name in ('mocap/a.bvh', 'mocap/b.bvh'):
            write(os.path.join(self.games, name), read(capture))
        avatar = self.avatar()
        for name in ('avatar.vrm', 'hero.glb'):                # the hero's bones have numbers for names
            write(os.path.join(self.games, name), avatar)
        bvh = Bvh(capture)
        file = capture_as_glb(bvh, 0, 30, {name: 'j%d' % i for i, name in enumerate(bvh.names)})
        bones = {VRM[name]: {'node': i} for i, name in enumerate(bvh.names) if name in VRM}
        file.json.update(extensionsUsed=['VRMC_vrm_animation'], extensions={'VRMC_vrm_animation': {'specVersion': '1.0', 'humanoid': {'humanBones': bones}}})
        write(os.path.join(self.games, 'walk.vrma'), file.bytes())
        if shutil.which('blender'):
            names = {name: 'mixamorig:' + other for name, other in MIXAMO.items()}
            in_blender(self, '''
bpy.ops.import_scene.gltf(filepath=arguments[0])
bpy.ops.export_scene.fbx(filepath=arguments[1], add_leaf_bones=False)
print('RESULT {}')
''', write(self.path('dance.glb'), capture_as_glb(bvh, 0, 30, names).bytes()), os.path.join(self.games, 'dance.fbx'))
        commands = commands_of(self.page('docs/outputs.md'))
        self.assertGreaterEqual(len(commands), 10)
        for command in commands:
            with self.subTest(command):
                if '.fbx' not in command or shutil.which('blender'):
                    self.run_here(command, self.games)
        made = {name: len(Scene(read(os.path.join(self.games, name))).g['animations'])
                for name in ('hero_walks.glb', 'all/a.glb', 'all/b.glb') + (('avatar_dances.vrm',) if shutil.which('blender') else ())}
        self.assertEqual(set(made.values()), {1}, made)
        self.assertTrue(read(os.path.join(self.games, 'walk.html')).startswith(b'<!'))

    def test_every_command_runs(self):
        for name in PAGES:
            place = self.path(name.replace('/', '_'))
            shutil.copytree(self.games, place, symlinks=True)
            commands = commands_of(self.page(name))
            self.assertGreaterEqual(len(commands), FEWEST.get(name, 4), name)
            for command in commands:
                if ('walk.bvh' in command and not HAVE_CAPTURES) or ('jq ' in command and not shutil.which('jq')):
                    continue
                with self.subTest(page=name, command=command):
                    # Outputs of an earlier line of the page block a later one.
                    for made in ('out', 'intro', 'out.jsonl', 'cloud.glb', 'cloud.html', 'hero_animated.glb', 'hero.map.json', 'hero.map.png'):
                        if made != 'hero.map.json' or '--suggest' in command:
                            path = os.path.join(place, made)
                            shutil.rmtree(path) if os.path.isdir(path) else os.path.exists(path) and os.remove(path)
                    self.run_here(command, place)

    # Files that each page names, which must exist at the end.
    WAYS = {'ff7_to_blender': ['cloud.glb', 'cloud.html', 'cloud_three.glb'],
            'ff9_to_a_clip': ['zidane.glb', 'zidane.html', 'zidane_loop.glb', 'zidane_run.glb'],
            'ff9_steam': ['zidane.glb', 'zidane.html', 'zidane_model.html', 'out/ANH_STD_F0_ANA_WALK.anim'],
            'motion_on_an_avatar': ['avatar.map.json', 'avatar.map.png', 'corrected.vrm', 'dancing.html', 'dancing.vrm', 'in_place.vrm', 'with_root.vrm'],
            'nightly_batch': ['out.jsonl', 'out/cloud.glb'],
            'pak_to_an_engine': ['hero.html', 'hero_engine.glb', 'out/Metroid1/Hero.glb'],
            'videos_to_pictures': ['intro.mp4', 'intro.png', 'intro/frames.json', 'moving/videos/a.png', 'moving/videos/b.png', 'once/frames.json',
                                   'part/frame0009.png', 'sheets/page0.png', 'videos/videos/a/frames.json', 'videos/videos/b/frames.json', 'again.rlf']}

    def avatar(self):
        """The hero as a VRM file, which states what his bones are"""
        hero, mapping = os.path.join(self.games, 'hero.glb'), self.path('hero.map.json')
        self.check(run('bind', sample('ff7', 'hrda'), '-s', hero, '-o', mapping, '-q'), 0)
        data = read(hero)
        size = struct.unpack_from('<I', data, 12)[0]
        scene = json.loads(data[20:20 + size])
        nodes = {node['name']: i for i, node in enumerate(scene['nodes']) if 'name' in node}
        bones = {}
        for line in json.loads(read(mapping))['joints']:
            if line['target'] in nodes:
                bones.setdefault(line['role'], {'node': nodes[line['target']]})
        self.assertGreater(len(bones), 12)
        scene['extensionsUsed'] = scene.get('extensionsUsed', []) + ['VRMC_vrm']
        scene['extensions'] = {'VRMC_vrm': {'specVersion': '1.0', 'humanoid': {'humanBones': bones}}}
        text = json.dumps(scene).encode()
        text += b' ' * (-len(text) % 4)
        rest = data[20 + size:]
        return struct.pack('<4sIIII', b'glTF', 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest

    def test_the_examples_of_find_find_something(self):
        examples = re.findall(r'^  (reanima find .*)$', run('find', '-h').stdout.decode(), re.M)
        self.assertEqual(len(examples), 2)
        for example in examples:
            self.run_here(example, self.games)

    def test_ways_lead_where_they_say(self):
        """The pages of docs/ways: their commands in order, in a folder with a user's files"""
        write(os.path.join(self.games, 'avatar.vrm'), self.avatar())
        videos = [(name, i, 0, read(sample('rlf', source))) for i, (name, source) in enumerate((('a.rlf', 'wheel.rlf'), ('b.rlf', 'gate.rlf')))]
        write(os.path.join(self.games, 'videos.zfs'), writers.zfs(videos)[0])
        pages = sorted(name[:-3] for name in os.listdir(os.path.join(SOURCE, 'docs', 'ways')) if name != 'README.md')
        self.assertEqual(pages, sorted(self.WAYS))
        for page in pages:
            text = self.page(f'docs/ways/{page}.md')
            self.assertLessEqual(len(text.splitlines()), 40, page)
            commands = re.findall(r'^ {8}(\S.*)$', text, re.M) + re.findall(r'`(reanima encode [^`]*)`', text)
            self.assertGreaterEqual(len(commands), 4, page)
            place = self.path(page)
            shutil.copytree(self.games, place, symlinks=True)
            for command in commands:
                with self.subTest(page=page, command=command):
                    if 'ffmpeg' in command and not shutil.which('ffmpeg'):
                        write(os.path.join(place, 'intro.mp4'), b'')
                        continue
                    self.run_here(command, place)
            made = [os.path.relpath(os.path.join(folder, name), place) for folder, _, names in os.walk(place) for name in names]
            for name in self.WAYS[page]:
                self.assertIn(name, made)
        for name, clips in (('ff7_to_blender/cloud.glb', 4 + 4), ('ff7_to_blender/cloud_three.glb', 3), ('ff9_to_a_clip/zidane_run.glb', 1), ('ff9_steam/zidane.glb', 3),
                            ('motion_on_an_avatar/dancing.vrm', 4 + 4), ('pak_to_an_engine/hero_engine.glb', 3)):
            self.assertEqual(len(Scene(read(self.path(name))).g['animations']), clips, name)
        self.assertEqual(json.loads(read(self.path('nightly_batch/out.jsonl')).splitlines()[-1])['sums']['failed'], 0)

    def test_readme_begins_with_a_moving_picture(self):
        """scripts/moving_picture.py makes it"""
        name = re.search(r'^!\[.*\]\((docs/images/.*)\)$', self.page('README.md'), re.M).group(1)
        data = read(os.path.join(SOURCE, name))
        self.assertLess(len(data), 1 << 20)
        self.assertEqual((data[:4], data[8:16]), (b'RIFF', b'WEBPVP8X'))
        pictures, at = 0, 12
        while at < len(data):
            kind, size = struct.unpack_from('<4sI', data, at)
            pictures += kind == b'ANMF'
            at += 8 + size + size % 2
        self.assertGreaterEqual(pictures, 20)

    def test_readme_stays_short(self):
        self.assertLess(len(self.page('README.md').splitlines()), 120)

    def test_pages_stay_short(self):
        pages = [os.path.join('docs', name) for name in os.listdir(os.path.join(SOURCE, 'docs')) if name.endswith('.md')]
        pages += [os.path.join('docs', 'ways', name) for name in os.listdir(os.path.join(SOURCE, 'docs', 'ways'))]
        words = {name: len(self.page(name).split()) for name in pages}
        self.assertLessEqual(sum(words.values()), 30000, words)
        for name in PAGES[1:]:
            self.assertLessEqual(words[name], 1800, name)

    def test_lines_are_readable(self):
        for name in (*PAGES, 'docs/outputs.md', 'docs/command.md'):
            plain = re.sub(r'^```.*?^```', '', self.page(name), flags=re.M | re.S)
            long = [line for line in plain.splitlines() if len(line) > 130 and not line.startswith(('|', '    ', '!['))]
            self.assertEqual(long, [], name)

    def test_the_program_of_the_page_is_the_sample(self):
        """which consumers_test.sh builds and runs"""
        program, = [block for block in re.findall(r'^```cpp\n(.*?)^```', self.page('docs/cpp.md'), re.M | re.S) if 'int main(' in block]
        self.assertEqual(program, read(sample('programs', 'convert.cpp')).decode().split('\n', 1)[1])

    def test_commands_are_found(self):
        text = ('    reanima list a.lgp      what\n    cat x | reanima convert - -o -\n    other\n```sh\nreanima info x\n```\n'
                '| a | `reanima check x` and `reanima VERB` |\n```cpp\n    reanima no\n```\n    jq . x\n')
        self.assertEqual(commands_of(text), ['reanima list a.lgp', 'cat x | reanima convert - -o -', 'jq . x', 'reanima info x', 'reanima check x'])


if __name__ == '__main__':
    unittest.main()
