#!/usr/bin/env python3
"""The sample characters in Godot 3 and 4: imported without a warning, one skeleton, every clip, the right position of
every joint."""
import json, os, shutil, subprocess, sys, time, unittest

from support import Case, DATA, read_json, run, sample, write

# What the headless Godot 3.2.3 of Debian says about files of Khronos as well (BoxTextured.glb), and without any file.
ENGINES_OWN = ('free_static: Condition "p_ptr == __null" is true.', "set_locale: Unsupported locale 'C', falling back to 'en'.",
               "get_language_code: Invalid locale 'C'.")
# By default Godot samples clips 15 (4: 30) times per second, and then leaves out keys whose loss moves a joint by 5 % or so.
SETTINGS_3 = """[remap]
importer="scene"
type="PackedScene"
[params]
animation/fps=%d
animation/optimizer/enabled=false
"""
SETTINGS_4 = """[remap]
importer="scene"
importer_version=1
type="PackedScene"
[deps]
source_file="res://hero.glb"
[params]
animation/fps=%d
_subresources={"nodes":{"PATH:AnimationPlayer":{"optimizer/enabled":false}}}
"""
LOOK_3 = r'''
extends SceneTree

func nodes(node, kind, found):
    if node.is_class(kind):
        found.append(node)
    for child in node.get_children():
        nodes(child, kind, found)
    return found

func _init():
    var scene = load("res://hero.glb").instance()
    root.add_child(scene)
    var skeletons = nodes(scene, "Skeleton", [])
    var players = nodes(scene, "AnimationPlayer", [])
    var file = File.new()
    file.open("res://times.json", File.READ)
    var times = JSON.parse(file.get_as_text()).result
    var out = {"skeletons": skeletons.size(), "players": players.size(), "meshes": nodes(scene, "MeshInstance", []).size(),
               "clips": players[0].get_animation_list(), "lengths": {}, "places": {}}
    for clip in times:
        out.lengths[clip] = players[0].get_animation(clip).length
        out.places[clip] = []
        players[0].play(clip)
        for time in times[clip]:
            players[0].seek(time, true)
            var places = {}
            for bone in range(skeletons[0].get_bone_count()):
                var at = (skeletons[0].global_transform * skeletons[0].get_bone_global_pose(bone)).origin
                places[skeletons[0].get_bone_name(bone)] = [at.x, at.y, at.z]
            out.places[clip].append(places)
    print("RESULT " + to_json(out))
    quit()
'''
LOOK_4 = r'''
extends SceneTree

var scene

func _initialize():
    scene = load("res://hero.glb").instantiate()
    root.add_child(scene)

func _process(_delta):       # only now are nodes in the tree
    var skeletons = scene.find_children("*", "Skeleton3D", true, false)
    var players = scene.find_children("*", "AnimationPlayer", true, false)
    var times = JSON.parse_string(FileAccess.get_file_as_string("res://times.json"))
    var out = {"skeletons": skeletons.size(), "players": players.size(), "meshes": scene.find_children("*", "MeshInstance3D", true, false).size(),
               "clips": Array(players[0].get_animation_list()), "lengths": {}, "places": {}}
    for clip in times:
        out.lengths[clip] = players[0].get_animation(clip).length
        out.places[clip] = []
        players[0].play(clip)
        for time in times[clip]:
            players[0].seek(time, true)
            var places = {}
            for bone in range(skeletons[0].get_bone_count()):
                var at = (skeletons[0].global_transform * skeletons[0].get_bone_global_pose(bone)).origin
                places[skeletons[0].get_bone_name(bone)] = [at.x, at.y, at.z]
            out.places[clip].append(places)
    print("RESULT " + JSON.stringify(out, "", true, true))
    return true
'''


class Engine:
    """with members of a version: program, settings, look, and the words and file of its import"""

    def godot(self, *words, until=None):
        """-> all its messages; with `until`, it is ended once that is true: with a mesh, the editor of Godot 3 does
        not end by itself"""
        log = self.path('log')
        with open(log, 'wb') as out:
            p = subprocess.Popen([self.program, '--path', self.path('project'), *words], stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=subprocess.STDOUT, env=dict(os.environ, HOME=self.folder, LD_PRELOAD=''))
            end = time.monotonic() + 120
            while p.poll() is None and time.monotonic() < end and not (until and until()):
                time.sleep(0.2)
            if p.poll() is None:
                p.kill()
            p.wait()
        with open(log, encoding='utf-8', errors='replace') as out:
            return out.read()

    def is_imported(self):
        folder = self.path('project', *self.imported)
        return os.path.isdir(folder) and any(name.endswith('.md5') for name in os.listdir(folder))

    def imports(self, rate):
        write(self.path('project', 'hero.glb.import'), self.settings % rate)
        said = self.godot(*self.importing, until=self.is_imported if self.program == 'godot3-server' else None)
        self.assertTrue(self.is_imported(), said)
        told = [line for line in said.splitlines() if line.startswith(('ERROR', 'WARNING', 'SCRIPT ERROR'))]
        self.assertEqual([line for line in told if line.split(': ', 1)[1] not in ENGINES_OWN], [])

    def look(self, files, expected_file, rate, scale, meshes, names=None):
        expected = read_json(DATA, 'samples', expected_file)
        renamed, options = {}, []
        if names:                                       # Godot 3 strips digits from the ends of names (bone000), and lower-cases them
            with open(names, encoding='utf-8') as f:
                rows = [line.strip().split(',') for line in f if line.startswith('joint,')]
            renamed = {'bone%03d' % int(row[1]) if row[1].isdigit() else row[1]: row[2] for row in rows}
            options = ['--names', write(self.path('names.csv'), ''.join(','.join(row) + '\n' for row in rows))]
        write(self.path('project', 'project.godot'), 'config_version=%d\n' % self.config)
        self.check(run('convert', *files, *options, '--scale', scale, '-q', '-o', self.path('project', 'hero.glb'),
                       '--warn', 'implausible-size=ignore'), 0)
        self.imports(rate)
        write(self.path('project', 'times.json'), json.dumps({clip['name']: [f['time'] for f in clip['frames']] for clip in expected['clips']}))
        write(self.path('project', 'look.gd'), self.script)
        said = self.godot(*self.running, '-s', 'look.gd')
        got = json.loads(next(line for line in said.splitlines() if line.startswith('RESULT '))[7:])
        self.assertEqual((got['skeletons'], got['players'], got['meshes']), (1, 1, meshes))
        self.assertEqual(sorted(got['clips']), sorted(clip['name'] for clip in expected['clips']))
        worst, seen = 0, 0
        for clip in expected['clips']:
            end = clip.get('duration', clip['frames'][-1]['time'])
            self.assertAlmostEqual(got['lengths'][clip['name']], end, delta=1.1e-3)        # Godot 4 makes no shorter ones than 0.001 s
            for wanted, have in zip(clip['frames'], got['places'][clip['name']], strict=True):
                for joint, place in zip(expected['joints'], wanted['positions'], strict=True):
                    worst = max([worst, *(abs(a * scale - b) for a, b in zip(place, have[self.called(renamed.get(joint, joint))], strict=True))])
                seen += 1
        print(f'{self.program}, {expected_file}: {seen} poses, worst coordinate off by {worst:.2g} m')
        self.assertGreater(seen, 20)
        self.assertLessEqual(worst, self.reach)

    def test_final_fantasy_vii(self):
        self.look([sample('ff7', 'hrda')], 'ff7_expected.json', 15, 0.002, 2, self.names('ff7'))

    def test_final_fantasy_ix(self):
        self.look([sample('ff9', 'hero.ff9db')], 'ff9_expected.json', 30, 0.002, 2, self.names('ff9'))

    def test_metroid_prime(self):
        clips = ('idle', 'walk', 'spin', 'attack', 'pose')
        self.look([sample('metroid', 'hero_%s.ANIM' % clip) for clip in clips], 'metroid_prime_expected.json', 30, 1, 1)


@unittest.skipUnless(shutil.which('godot3-server'), 'Godot 3 is not installed')
class Godot3(Engine, Case):
    program, settings, script, config, reach = 'godot3-server', SETTINGS_3, LOOK_3, 4, 1e-3
    importing, running, imported = ('--editor', '--quit'), (), ('.import',)

    def names(self, game):
        return sample(game, 'hero.names.csv')

    def called(self, joint):
        return joint.lower()


@unittest.skipUnless(shutil.which('godot'), 'Godot 4 is not installed')
class Godot4(Engine, Case):
    program, settings, script, config, reach = 'godot', SETTINGS_4, LOOK_4, 5, 1e-5
    importing, running, imported = ('--headless', '--import'), ('--headless',), ('.godot', 'imported')

    def names(self, game):
        return None

    def called(self, joint):
        return joint.replace(':', '_')


if __name__ == '__main__':
    if not any(map(shutil.which, ('godot3-server', 'godot'))):
        print('Godot is not installed')
        sys.exit(77)
    unittest.main()
