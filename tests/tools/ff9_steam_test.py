#!/usr/bin/env python3
"""Clips and models of Final Fantasy IX on Steam (Memoria): folders of clips as characters, on their own models, on others, and back. The game's poses are
calculated here from the files' own numbers."""
import json, math, os, shutil, unittest

from geometry import about_x, apart, degrees_between, multiplied, turned
from gltf_files import Glb
from support import DATA, Case, Scene, read, run, write

INPUTS = os.path.join(DATA, 'ff9_steam')
ANA, CYR = (os.path.join(INPUTS, 'Animations', name) for name in ('GEO_STD_F0_ANA', 'GEO_STD_F1_CYR'))
MIRRORED, RAW, CYRS = (os.path.join(INPUTS, 'Models', *name) for name in (('901', '901 (merge).fbx'), ('901', '901.fbx'), ('903', '903.fbx')))
# As in make.py of the bodies: the game's left is at -x in its coordinates.
ROLES = {'hips': 0, 'head': 19, 'rightUpperLeg': 5, 'rightLowerLeg': 6, 'rightFoot': 7, 'leftUpperLeg': 9, 'leftLowerLeg': 10, 'leftFoot': 11,
         'rightUpperArm': 14, 'rightLowerArm': 15, 'rightHand': 16, 'leftUpperArm': 21, 'leftLowerArm': 22, 'leftHand': 23}
CYR_ROLES = {'hips': 1, 'head': 4, 'rightUpperArm': 5, 'rightLowerArm': 6, 'rightHand': 7, 'leftUpperArm': 8, 'leftLowerArm': 9, 'leftHand': 10,
             'rightUpperLeg': 11, 'rightLowerLeg': 12, 'rightFoot': 13, 'leftUpperLeg': 14, 'leftLowerLeg': 15, 'leftFoot': 16}
LIMBS = [(side + a, side + b) for side in ('left', 'right') for a, b in (('UpperArm', 'LowerArm'), ('LowerArm', 'Hand'), ('UpperLeg', 'LowerLeg'), ('LowerLeg', 'Foot'))]
ASSUMED = 'models for Memoria do not state whether they are mirrored. Judging by the file name and the program that wrote it, this model is'
IS_NOT = 'models for Memoria do not state whether they are mirrored. Judging by the file name and the program that wrote it, this model is not mirrored. To be sure, convert the model\'s own clips with it'


def bone(number):
    return 'bone%03d' % number


class Clip:
    """A file of clips, and its poses at the keys"""

    def __init__(self, path):
        file = json.loads(read(path))
        self.bones = {row['bone']: row for row in file['transform']}

    def times(self):
        return sorted({key['time'] for row in self.bones.values() for key in row['localRotation']})

    def value(self, path, part, t, otherwise):
        keys = self.bones[path].get(part)
        if not keys:
            return otherwise
        key = max((k for k in keys if k['time'] <= t + 1e-6), key=lambda k: k['time'])
        return tuple(key[c] for c in 'xyzw'[:len(otherwise)])

    def places(self, t):
        """-> the joints' positions by name, in the game's coordinates"""
        world = {}
        for path in self.bones:                  # parents come first
            place, rotation, scale = (self.value(path, *rest) for rest in
                                      (('localPosition', t, (0, 0, 0)), ('localRotation', t, (0, 0, 0, 1)), ('localScale', t, (1, 1, 1))))
            if '/' in path:
                above, turn, size = world[path.rpartition('/')[0]]
                place = [a + b for a, b in zip(above, turned(turn, [s * c for s, c in zip(size, place)]))]
                rotation, scale = multiplied(turn, rotation), [a * b for a, b in zip(size, scale)]
            world[path] = place, rotation, scale
        return {path.rpartition('/')[2]: place for path, (place, _, _) in world.items()}


def clip(folder, name):
    return os.path.join(folder, 'ANH_%s_%s.anim' % (os.path.basename(folder)[4:], name))


class Steam(Case):
    def scene(self, *args):
        p = self.convert(*args, '--force', '-o', 'x.glb')
        return Scene(read(self.path('x.glb'))), p.err

    def places(self, scene, name, t):
        """-> the positions of a .glb's joints by name; without a clip, at rest"""
        names = [a['name'] for a in scene.g.get('animations', [])]
        at = scene.world(scene.animation(names.index(name)) if name else {}, t)
        return {n['name']: at(n['name']) for n in scene.nodes if n.get('name', '').startswith('bone')}

    def compare(self, scene, path):
        """Joints are at the game's numbers times -1/256: upright, on the floor, not mirrored"""
        name, anim = os.path.basename(path)[:-5], Clip(path)
        for t in anim.times():
            shown = self.places(scene, name, t)
            for joint, place in anim.places(t).items():
                self.assertLess(math.dist(shown[joint], [-c / 256 for c in place]), 2e-5, (name, joint, t))

    # -- a folder is a character --------------------------------------------------------------------------------------
    def test_a_folder_becomes_one_file(self):
        for folder in (ANA, ANA + os.sep, CYR):
            scene, _ = self.scene(folder)
            files = sorted(os.listdir(folder))
            self.assertEqual([a['name'] for a in scene.g['animations']], [f[:-5] for f in files])
            for f in files:
                self.compare(scene, os.path.join(folder, f))

    def test_the_skeleton_is_the_union_of_the_paths(self):
        folder = shutil.copytree(ANA, self.path('GEO_X'))
        walk = json.loads(read(clip(ANA, 'WALK')))
        walk['transform'] = [row for row in walk['transform'] if 'bone018' not in row['bone']]
        write(os.path.join(folder, 'ANH_STD_F0_ANA_WALK.anim'), json.dumps(walk))
        scene, _ = self.scene(folder)
        names = [n.get('name') for n in scene.nodes if 'index' in n.get('extras', {})]
        self.assertEqual(names, [path.rpartition('/')[2] for path in Clip(clip(ANA, 'IDLE')).bones])
        still = self.places(scene, 'ANH_STD_F0_ANA_WALK', 0)      # what the clip does not list rests as in the idle
        self.assertAlmostEqual(math.dist(still['bone018'], still['bone019']), 25 / 256, 4)

    def test_characters_of_a_tree(self):
        self.convert(INPUTS, '-o', 'out/')
        found = sorted(os.path.relpath(os.path.join(at, f), self.folder) for at, _, files in os.walk(self.path('out')) for f in files)
        self.assertEqual(found, ['out/Animations/GEO_STD_F0_ANA.glb', 'out/Animations/GEO_STD_F1_CYR.glb'])
        self.assertIn('3 clips, 25 joints', self.check(run('info', INPUTS), 0).stdout.decode())
        self.assertIn('ANH_STD_F0_ANA_WALK', self.check(run('info', ANA), 0).stdout.decode())
        self.assertIn('ANH_STD_F0_ANA_WALK', self.check(run('find', 'walk', INPUTS), 0).stdout.decode())
        listed = {e['name']: e['type'] for e in json.loads(self.check(run('list', INPUTS, '--json'), 0).stdout)['entries']}
        self.assertEqual((listed['Animations/GEO_STD_F0_ANA/ANH_STD_F0_ANA_WALK.anim'], listed['Models/901/901.fbx']), ('memoria', None))
        self.check(self.cli('preview', ANA, '-o', 'x.html'), 0)

    def test_damaged_clips_are_left_out(self):
        folder = shutil.copytree(ANA, self.path('GEO_X'))
        self.convert(folder, '-o', 'y.glb')
        write(self.path('GEO_X/ANH_A.anim'), b'')
        write(self.path('GEO_X/ANH_STD_F0_ANA_WALK.anim'), '{"transform": [')
        told = ['GEO_X/ANH_A.anim: warning: is empty',
                'GEO_X/ANH_STD_F0_ANA_WALK.anim: warning: transform[0]: invalid JSON at line 1, column 16']
        self.assertEqual(sorted(self.convert('GEO_X', '-o', 'x.glb').err.splitlines()[:2]), told)
        self.assertEqual([a['name'] for a in Scene(read(self.path('x.glb'))).g['animations']], ['ANH_STD_F0_ANA_IDLE', 'ANH_STD_F0_ANA_STANCE'])
        self.assertEqual(sorted(self.check(self.cli('check', 'GEO_X'), 1).stdout.decode().splitlines()), [line.replace(' warning:', '') for line in told])
        file = Glb(self.path('x.glb'))
        file.set('ANH_STD_F0_ANA_IDLE', 'bone014', 'rotation', [(0, 0, 0, 1)] * 2, 1, times=[0, 0.8])
        file.write(self.path('x.glb'))
        self.assertIn('wrote new/: 1 clip changed, 1 unchanged', self.check(self.cli('encode', 'x.glb', '--into', 'GEO_X', '-o', 'new/'), 0).err)
        self.assertEqual(os.listdir(self.path('new')), ['ANH_STD_F0_ANA_IDLE.anim'])
        said = self.check(self.cli('encode', 'y.glb', '--into', 'GEO_X', '--append', '-o', 'no/'), 0).err
        self.assertIn("y.glb: warning: ANH_STD_F0_ANA_WALK: is ignored, since the folder's clip with this name can't be read\n", said)
        self.assertIn('0 clips changed, 2 unchanged; nothing to write\n', said)
        for name in os.listdir(folder):
            write(os.path.join(folder, name), '{"transform": [')
        self.assertIn('reanima: GEO_X: none of its 4 clips can be read\n', self.convert('GEO_X', '-o', 'no.glb', status=1).err)

    def test_the_current_folder_has_a_name(self):
        folder = shutil.copytree(ANA, self.path('GEO_STD_F0_ANA'))
        os.makedirs(os.path.join(folder, '.hidden'))
        for name, below in (('.', ''), ('..', '.hidden'), ('../GEO_STD_F0_ANA/.', '')):
            out = self.path('out' + str(len(name)))
            self.check(run('convert', name, '-q', '-o', out + '/', cwd=os.path.join(folder, below)), 0)
            self.assertEqual(os.listdir(out), ['GEO_STD_F0_ANA.glb'])
        file = Glb(os.path.join(out, 'GEO_STD_F0_ANA.glb'))
        file.json['animations'].append(dict(file.clip('ANH_STD_F0_ANA_WALK'), name='50001_wave', extras={}))
        file.write(self.path('y.glb'))
        self.check(run('encode', self.path('y.glb'), '--into', '.', '--append', '-q', '-o', self.path('new/'), cwd=folder), 0)
        self.assertEqual(os.listdir(self.path('new')), ['ANH_STD_F0_ANA_WAVE.anim'])

    def test_a_depfile_lists_the_clips(self):
        folder = shutil.copytree(CYR, self.path('GEO_X'))
        clips = ['  GEO_X/' + f for f in sorted(os.listdir(folder))]
        args = ('GEO_X', '-o', 'x.glb', '--if-changed', '--depfile', 'x.d')
        self.convert(*args)
        self.assertEqual(read(self.path('x.d')).decode(), 'x.glb: \\\n' + ' \\\n'.join(['  GEO_X', *clips]) + '\n')
        self.assertIn('1 unchanged', self.convert(*args).err)
        os.rename(os.path.join(folder, os.listdir(folder)[0]), os.path.join(folder, 'ANH_X.anim'))    # the bytes are the same
        self.assertNotIn('unchanged', self.convert(*args, '--force').err)

    def test_numbered_clips_stay_in_numbered_folders(self):
        for folder in ('531', '532'):
            os.makedirs(self.path('A', folder))
            shutil.copy(clip(ANA, 'WALK'), self.path('A', folder, '10202.anim'))
        self.convert('A/531', 'A/532', '--as', 'anim', '-q', '-o', 'out/')
        self.assertEqual(sorted(f for f in self.files() if f.startswith('out')), ['out/Animations/531/10202.anim', 'out/Animations/532/10202.anim'])
        self.convert('A/531/10202.anim', '--as', 'anim', '-q', '-o', 'one/')
        self.assertIn('one/10202.anim', self.files())

    # -- on models ----------------------------------------------------------------------------------------------------
    def test_clips_on_their_own_model(self):
        for model in (MIRRORED, RAW):
            with self.subTest(model=model):
                scene, said = self.scene(ANA, '-s', model)
                self.assertNotIn(ASSUMED, said)                    # the clips tell
                self.assertNotIn('the unit is', said)              # lengths are the game's, whatever unit the file states
                for f in os.listdir(ANA):
                    self.compare(scene, os.path.join(ANA, f))
                self.assertEqual(len(scene.g['images']), 1)
                rest = self.places(scene, None, 0)
                self.assertLess(abs(rest['bone007'][1] - 44 / 256), 1e-3)      # ankles are 44 units above the floor
                self.assertGreater(rest['bone019'][1], 1.3)
                self.assertGreater(rest['bone009'][0], 0)                      # its left is at +x
        scene, _ = self.scene(CYR, '-s', CYRS)
        for f in os.listdir(CYR):
            self.compare(scene, os.path.join(CYR, f))

    def test_a_joint_that_the_model_lacks_moves_nothing(self):
        folder = shutil.copytree(ANA, self.path('GEO_X'))
        walk = json.loads(read(clip(ANA, 'WALK')))
        walk['transform'].append({'bone': 'bone000/bone077', 'localRotation': [{'time': 0, 'x': 0, 'y': 0, 'z': 0, 'w': 1}, {'time': 0.8, 'x': 1, 'y': 0, 'z': 0, 'w': 0}],
                                  'localPosition': [{'time': 0, 'x': 0, 'y': 0, 'z': 10}]})
        write(os.path.join(folder, 'ANH_STD_F0_ANA_WALK.anim'), json.dumps(walk))
        scene, said = self.scene(folder, '-s', MIRRORED, '-v')
        self.assertIn('unmapped source joints (1): bone077', said)
        self.compare(scene, clip(ANA, 'WALK'))

    def test_the_clips_tell_which_model_is_mirrored(self):
        for model, name in ((MIRRORED, 'a.fbx'), (RAW, 'a (merge).fbx')):       # names that say the opposite
            shutil.copy(model, self.path(name))
            scene, said = self.scene(ANA, '-s', name)
            self.assertNotIn(ASSUMED, said)
            self.assertGreater(self.places(scene, None, 0)['bone009'][0], 0)
            _, said = self.scene(clip(CYR, 'WALK'), '-s', name)                  # another body's clips tell nothing
            self.assertIn(IS_NOT if name == 'a.fbx' else IS_NOT.replace(' is not', ' is'), said)
        written = write(self.path('b.fbx'), read(RAW).replace(b'made up', b'FBX SDK'))         # as exporters of the game's bundles do
        self.assertIn(IS_NOT.replace(' is not', ' is'), self.check(run('info', written), 0).err)
        self.assertIn(IS_NOT, self.check(run('info', RAW), 0).err)

    def test_models_are_humanoids(self):
        for model, roles in ((MIRRORED, ROLES), (RAW, ROLES), (CYRS, CYR_ROLES)):
            shown = json.loads(self.check(run('info', model, '--json'), 0).stdout)
            shown = shown[0] if isinstance(shown, list) else shown
            self.assertTrue(shown['rig']['humanoid'])
            found = {j['role']: j['name'] for j in shown['joints'] if j.get('role')}
            self.assertEqual({role: found.get(role) for role in roles}, {role: bone(n) for role, n in roles.items()})

    def test_clips_of_one_character_on_another(self):
        for source, model, roles, others in ((ANA, CYRS, ROLES, CYR_ROLES), (CYR, RAW, CYR_ROLES, ROLES)):
            for name in ('IDLE', 'WALK'):
                self.convert(clip(source, name), '-s', model, '-o', 'x.anim', '--force')
                was, now = Clip(clip(source, name)), Clip(self.path('x.anim'))
                for t in was.times():
                    a, b = was.places(t), now.places(t)
                    for first, second in LIMBS:
                        direction = [[q - p for p, q in zip(at[bone(r[first])], at[bone(r[second])])] for at, r in ((a, roles), (b, others))]
                        self.assertLess(apart(*direction), 8, (source, name, first, t))

    def test_clips_on_another_model_are_called_after_it(self):
        for model, name in (('GEO_STD_F1_CYR (merge).fbx', 'STD_F1_CYR'), ('5464.fbx', 'SUB_F0_BAK'), ('cyr.fbx', 'STD_F0_ANA')):
            shutil.copy(CYRS, self.path(model))
            self.convert(ANA, '-s', model, '--as', 'anim', '-o', 'out/')
            self.assertEqual(sorted(os.listdir(self.path('out'))), ['ANH_%s_%s.anim' % (name, clip) for clip in ('IDLE', 'STANCE', 'WALK')])
            shutil.rmtree(self.path('out'))

    # -- and back -----------------------------------------------------------------------------------------------------
    def same(self, before, after, tolerance=0.01):
        for path, row in before.bones.items():
            for key in row['localRotation']:
                t = key['time']
                self.assertLess(degrees_between(before.value(path, 'localRotation', t, (0, 0, 0, 1)), after.value(path, 'localRotation', t, (0, 0, 0, 1))), tolerance)
                self.assertLess(math.dist(before.value(path, 'localPosition', t, (0, 0, 0)), after.value(path, 'localPosition', t, (0, 0, 0))), tolerance)

    def test_a_folder_there_and_back(self):
        for folder, model in ((ANA, MIRRORED), (CYR, CYRS)):
            self.convert(folder, '-s', model, '-o', 'x.glb', '--force')
            self.convert('x.glb', '--as', 'anim', '-o', 'back/', '--force')
            for f in os.listdir(folder):
                self.same(Clip(os.path.join(folder, f)), Clip(self.path('back', f)))
        self.assertEqual(Clip(self.path('back', 'ANH_STD_F1_CYR_IDLE.anim')).bones['bone000']['localScale'][0]['x'], -1)

    def test_only_changed_clips_are_written(self):
        self.convert(ANA, '-s', RAW, '-o', 'x.glb')
        p = self.check(self.cli('encode', 'x.glb', '--into', ANA, '-o', 'same/'), 0)
        self.assertEqual(p.err, '0 clips changed, 3 unchanged; nothing to write\n')
        self.assertNotIn('same', self.files())
        file = Glb(self.path('x.glb'))
        file.set('ANH_STD_F0_ANA_WALK', 'bone014', 'rotation', [(0, 0, 0, 1)] * 2, 1, times=[0, 0.8])
        file.json['animations'].append(dict(file.clip('ANH_STD_F0_ANA_WALK'), name='50001_wave', extras={}))
        file.write(self.path('y.glb'))
        p = self.check(self.cli('encode', 'y.glb', '--into', ANA, '-o', 'no/'), 1)
        self.assertIn('contains "50001_wave", which matches no clip of the original', p.err)
        p = self.check(self.cli('encode', 'y.glb', '--into', ANA, '-o', 'new/', '--append'), 0)
        self.assertRegex(p.err, r'ANH_STD_F0_ANA_WALK: 1 joint in \d+ frames; bone014 by [\d.]+ degrees in frame \d+\n')
        self.assertIn('wrote new/: 1 clip changed, 1 added, 2 unchanged', p.err)
        self.assertIn('50001_wave: new; DictionaryPatch.txt of the mod needs the line `3DModelAnimation 50001 ANH_STD_F0_ANA_WAVE`', p.err)
        self.assertEqual(sorted(os.listdir(self.path('new'))), ['ANH_STD_F0_ANA_WALK.anim', 'ANH_STD_F0_ANA_WAVE.anim'])
        before, after = (json.loads(read(os.path.join(at, 'ANH_STD_F0_ANA_WALK.anim')))['transform'] for at in (ANA, self.path('new')))
        for a, b in zip(before, after):           # keys stay as they are, but for the arm's
            self.assertEqual(a == b, not a['bone'].endswith('bone014'), a['bone'])

    def test_a_stored_scale_of_1_stays(self):
        """A joint without a scale keeps the one of the previous clip"""
        folder = shutil.copytree(ANA, self.path('GEO_X'))
        path = os.path.join(folder, 'ANH_STD_F0_ANA_WALK.anim')
        walk = json.loads(read(path))
        row = next(row for row in walk['transform'] if row['bone'].endswith('bone014'))
        row['localScale'] = [{'time': t, 'x': 1, 'y': 1, 'z': 1} for t in (0, 0.8)]
        write(path, json.dumps(walk))
        self.raised().write(self.path('y.glb'))
        self.check(self.cli('encode', 'y.glb', '--into', 'GEO_X', '-o', 'new/'), 0)
        self.assertEqual(next(r for r in json.loads(read(self.path('new/ANH_STD_F0_ANA_WALK.anim')))['transform'] if r['bone'] == row['bone'])['localScale'], row['localScale'])

    def raised(self, name='ANH_STD_F0_ANA_WALK'):
        """-> the folder's clips on its model, with one arm raised"""
        self.convert(ANA, '-s', RAW, '-o', 'x.glb', '--force')
        file = Glb(self.path('x.glb'))
        file.set('ANH_STD_F0_ANA_WALK', 'bone014', 'rotation', [(0, 0, 0, 1)] * 2, 1, times=[0, 0.8])
        clip = file.clip('ANH_STD_F0_ANA_WALK')
        clip['name'] = name
        return file

    def encoded(self, file, *more, status=0):
        file.write(self.path('y.glb'))
        return self.check(self.cli('encode', 'y.glb', '--into', ANA, *more), status).err

    def test_the_folder_is_never_overwritten(self):
        before = {f: read(os.path.join(ANA, f)) for f in os.listdir(ANA)}
        self.assertIn('ANH_STD_F0_ANA_WALK.anim: the output is an input\n', self.encoded(self.raised(), '-o', ANA + '/', '--force', status=2))
        self.assertEqual({f: read(os.path.join(ANA, f)) for f in os.listdir(ANA)}, before)

    def test_the_armature_may_be_moved(self):
        file = self.raised()
        for top in file.json['scenes'][0]['nodes']:
            file.json['nodes'][top].update(translation=[1, 2, 3], rotation=[0, 1, 0, 0], scale=[2, 2, 2])
        self.assertIn('1 clip changed, 2 unchanged', self.encoded(file, '-o', 'new/'))

    def test_joints_that_were_renamed_or_moved_below_others(self):
        for node, name in (('bone014', 'LeftArm'), ('bone001', None)):
            file = self.raised()
            index = next(i for i, n in enumerate(file.json['nodes']) if n['name'] == node)
            if name:
                file.json['nodes'][index]['name'] = name
            else:
                above = next(n for n in file.json['nodes'] if index in n.get('children', []))
                above['children'].remove(index)
                if not above['children']:
                    del above['children']
                file.json['scenes'][0]['nodes'].append(index)
            said = self.encoded(file, '-o', 'new/', status=1)
            self.assertRegex(said, r'y\.glb: nodes: \d+ of the \d+ joints of .* were renamed, deleted or given another parent: .*%s.*\. Restore them \(see --allow-loss\)' % node)
            self.assertNotIn('new', self.files())
            said = self.encoded(file, '-o', 'new/', '--allow-loss')
            self.assertRegex(said, r'y\.glb: warning: lacks \d+ of the \d+ joints of .*\. The missing joints keep their motion: .*%s' % node)
            shutil.rmtree(self.path('new'), ignore_errors=True)

    def test_a_new_clip_without_a_number(self):
        self.assertIn('wave: new; the game finds clips by number. Name the clip NUMBER_wave to see the line that DictionaryPatch.txt needs\n',
                      self.encoded(self.raised('wave'), '--append'))

    def test_new_clips_with_one_file_are_refused(self):
        """File names that differ only in case are one on Windows"""
        idle, walk = 'ANH_STD_F0_ANA_IDLE', 'ANH_STD_F0_ANA_WALK'
        for new, first, file in (({'50001_wave': walk, '50002_wave': idle}, '50001_wave', 'ANH_STD_F0_ANA_WAVE'),
                                 ({'50001_walk': idle}, walk, walk), ({'a/b': idle, 'a:b': walk}, 'a/b', 'a_b'), ({'Wave': idle, 'wave': walk}, 'Wave', 'wave'),
                                 ({walk.lower(): idle}, walk, walk.lower())):
            edited = self.raised()
            edited.json['animations'] += [dict(edited.clip(source), name=name, extras={}) for name, source in new.items()]
            self.assertEqual(self.encoded(edited, '--append', '-o', 'new/', status=1),
                             'reanima: y.glb: animations: %s and %s would both become the file %s.anim. Rename one of these clips\n' % (first, list(new)[-1], file))
            self.assertNotIn('new', self.files())

    def test_numbers_of_new_clips(self):
        """12599 is the game's, see animations.csv; 60000.anim is in the folder"""
        folder = shutil.copytree(ANA, self.path('GEO_STD_F0_ANA'))
        shutil.copy(clip(ANA, 'WALK'), os.path.join(folder, '60000.anim'))
        for names, problem in ((['50001_big wave'], None), (['50001_a', '50001_b'], '50001_a and 50001_b have the same number. Change one of them'),
                               (['050001_a', '50001_b'], '050001_a and 50001_b have the same number. Change one of them'),
                               (['60000_a'], '60000 and 60000_a have the same number. Change one of them'),
                               (['12599_wave'], "12599_wave: 12599 is the game's number for ANH_SUB_F0_BAK_GAHAHA. Choose a number from 15000 to 65535"),
                               (['99999999999_wave'], '99999999999_wave: the number is too large. Choose a number from 15000 to 65535')):
            edited = self.raised()
            edited.json['animations'] += [dict(edited.clip('ANH_STD_F0_ANA_WALK'), name=name, extras={}) for name in names]
            edited.write(self.path('y.glb'))
            p = self.check(self.cli('encode', 'y.glb', '--into', 'GEO_STD_F0_ANA', '--append', '-o', 'new/', '--force'), 1 if problem else 0)
            self.assertIn('reanima: y.glb: animations: %s\n' % problem if problem else '`3DModelAnimation 50001 ANH_STD_F0_ANA_BIG_WAVE`; ', p.err)
            self.assertEqual(sorted(os.listdir(self.path('new'))), ['ANH_STD_F0_ANA_BIG_WAVE.anim', 'ANH_STD_F0_ANA_WALK.anim'])

    def test_new_clips_in_folders_with_other_names(self):
        """By number, as `convert` writes them: model 98 is GEO_MAIN_F0_ZDN. In lower case. And without a model"""
        line = '50001_wave: new; DictionaryPatch.txt of the mod needs the line `3DModelAnimation 50001 ANH_%s_WAVE`'
        place = "; the engine looks for Animations/MODEL/50001.anim, where MODEL is the model's number\n"
        edited = self.raised()
        edited.json['animations'].append(dict(edited.clip('ANH_STD_F0_ANA_WALK'), name='50001_wave', extras={}))
        edited.write(self.path('y.glb'))
        for folder, file, said in (('98', '50001', line % 'MAIN_F0_ZDN' + '\n'), ('geo_std_f0_ana', 'ANH_STD_F0_ANA_WAVE', line % 'STD_F0_ANA' + place), ('clips', '50001_wave',
                                   "50001_wave: new; DictionaryPatch.txt of the mod needs a line with the model's name. To see this line, rename the folder to GEO_TYPE_VERSION_CODE or to the model's number\n")):
            shutil.copytree(ANA, self.path(folder))
            p = self.check(self.cli('encode', 'y.glb', '--into', folder, '--append', '--clip', '50001_wave', '-o', 'new_%s/' % folder), 0)
            self.assertIn(said, p.err)
            self.assertEqual(os.listdir(self.path('new_' + folder)), [file + '.anim'])

    def test_clips_are_told_by_their_motion(self):
        said = self.encoded(self.raised('arm up'), '-o', 'new/')
        self.assertIn('note: arm up: was matched to ANH_STD_F0_ANA_WALK by its motion', said)
        self.assertEqual(os.listdir(self.path('new')), ['ANH_STD_F0_ANA_WALK.anim'])
        self.assertIn('--clip none: there is no clip with that name', self.encoded(self.raised(), '--clip', 'none', status=2))
        said = self.encoded(self.raised(), '--clip', 'ANH_STD_F0_ANA_IDLE', '-o', 'no/', '--report', 'r.json')
        self.assertEqual(said, '2 clips of y.glb are not selected with --clip and stay unchanged\n0 clips changed, 3 unchanged; nothing to write\n')
        self.assertEqual([row['status'] for row in json.loads(read(self.path('r.json')))['clips']], ['kept'] * 3)

    def test_clips_at_another_speed(self):
        for factor, late, words in ((2, 0, 'but at 0.5 times the speed'), (1, 1 / 30, 'but')):
            self.convert(ANA, '-s', RAW, '-o', 'x.glb', '--force')
            file = Glb(self.path('x.glb'))
            for sampler in (s for a in file.json['animations'] for s in a['samplers']):
                sampler['input'] = file.add([t * factor + late for t in file.floats(sampler['input'])])
            said = self.encoded(file, '-o', 'new/', status=1)
            self.assertIn('animations: have the same motion as the original clips, ' + words, said)
            self.assertNotIn('new', self.files())

    def slow(self):
        """-> a folder with a clip of 15 frames per second, between which the engine eases"""
        folder = shutil.copytree(ANA, self.path('slow'))
        walk = json.loads(read(clip(ANA, 'WALK')))
        walk['frameRate'] = 15
        for row in walk['transform']:
            for part in ('localRotation', 'localPosition'):
                row[part] = row[part][::2]
        write(os.path.join(folder, 'ANH_STD_F0_ANA_BOW.anim'), json.dumps(walk))
        return folder

    def test_clips_at_another_frame_rate(self):
        """As Blender exports them: only what was edited is written"""
        folder = self.slow()
        self.assertIn("; set Blender's frame rate to 30 before importing\n", self.convert(folder, '-o', 'x.glb').err)
        for rate in (15, 24, 30, 60):
            with self.subTest(rate=rate):
                self.convert(folder, '--resample', str(rate), '-q', '--force', '-o', 'x.glb')
                self.assertEqual(self.check(self.cli('encode', 'x.glb', '--into', 'slow'), 0).err, '0 clips changed, 4 unchanged; nothing is written without -o\n')
                file = Glb(self.path('x.glb'))
                walk, arm = file.clip('ANH_STD_F0_ANA_WALK'), file.node('bone014')
                sampler = walk['samplers'][next(c['sampler'] for c in walk['channels'] if c['target'] == {'node': arm, 'path': 'rotation'})]
                times, rows = (file.floats(sampler[part]) for part in ('input', 'output'))
                rows[len(rows) // 2] = multiplied(rows[len(rows) // 2], about_x(30))
                file.set(walk['name'], 'bone014', 'rotation', rows, rate, times=times)
                file.write(self.path('y.glb'))
                said = self.check(self.cli('encode', 'y.glb', '--into', 'slow', '-o', 'new%d/' % rate), 0).err
                self.assertRegex(said, r'ANH_STD_F0_ANA_WALK: 1 joint in \d+ frames?; bone014 by 30\.0 degrees in frame \d+\n')
                self.assertIn('wrote new%d/: 1 clip changed, 3 unchanged' % rate, said)
                self.assertEqual('has keys at %d frames per second, but the original has 30, so changes are interpolated' % rate in said, rate < 30)

    def turn_axes(self, file, name, turn):
        """of a bone, but not its motion, like Blender's import"""
        back = (*(-c for c in turn[:3]), turn[3])
        own = file.node(name)
        below = file.json['nodes'][own].get('children', [])
        done = {'rotation': lambda v: multiplied(back, v), 'translation': lambda v: turned(back, v)}
        for index, change in ((own, {'rotation': lambda v: multiplied(v, turn)}), *((child, done) for child in below)):
            node = file.json['nodes'][index]
            for part, by in change.items():
                node[part] = list(by(node.get(part, (0, 0, 0, 1) if part == 'rotation' else (0, 0, 0))))
            for animation in file.json['animations']:
                for channel in list(animation['channels']):
                    part = channel['target']['path']
                    if channel['target']['node'] == index and part in change:
                        sampler = animation['samplers'][channel['sampler']]
                        file.set(animation['name'], node['name'], part, [change[part](v) for v in file.floats(sampler['output'])], 1, times=file.floats(sampler['input']))

    def test_axes_of_bones_may_be_turned(self):
        """With default options, Blender's import turns them so that bones point at their children"""
        for model in ((), ('-s', RAW)):
            self.convert(ANA, *model, '-q', '--force', '-o', 'x.glb')
            file = Glb(self.path('x.glb'))
            for name, turn in (('bone014', about_x(90)), ('bone015', about_x(-90)), ('bone010', (0, math.sqrt(0.5), 0, math.sqrt(0.5))), ('bone000', about_x(90)), ('bone006', about_x(180))):
                self.turn_axes(file, name, turn)
            self.assertEqual(self.encoded(file), '0 clips changed, 3 unchanged; nothing is written without -o\n')
            walk = file.clip('ANH_STD_F0_ANA_WALK')
            sampler = walk['samplers'][next(c['sampler'] for c in walk['channels'] if c['target'] == {'node': file.node('bone014'), 'path': 'rotation'})]
            rows = file.floats(sampler['output'])
            file.set(walk['name'], 'bone014', 'rotation', rows[:5] + [multiplied(rows[5], about_x(30))] + rows[6:], 1, times=file.floats(sampler['input']))
            self.assertRegex(self.encoded(file), r'ANH_STD_F0_ANA_WALK: 1 joint in 1 frame; bone014 by 30\.0 degrees in frame \d+\n')

    def test_a_quarter_turn_in_all_clips_is_an_edit(self):
        self.convert(ANA, '-q', '-o', 'x.glb')
        file = Glb(self.path('x.glb'))
        for animation in file.json['animations']:
            for joint in ('bone014', 'bone019'):
                sampler = animation['samplers'][next(c['sampler'] for c in animation['channels'] if c['target'] == {'node': file.node(joint), 'path': 'rotation'})]
                file.set(animation['name'], joint, 'rotation', [multiplied(v, about_x(90)) for v in file.floats(sampler['output'])], 1, times=file.floats(sampler['input']))
        said = self.encoded(file)
        self.assertIn('3 clips changed', said)
        self.assertIn('ANH_STD_F0_ANA_WALK: 2 joints in 25 frames', said)

    def test_other_motion_is_put_on_the_model(self):
        self.check(self.cli('encode', clip(ANA, 'WALK'), '--into', ANA, '-o', 'new/'), 1,
                   'reanima: %s: is not a .glb or .gltf. For other motion, use `reanima convert`, which binds it to a model and writes .anim files\n' % clip(ANA, 'WALK'))

    def test_command_lines_that_are_refused(self):
        write(self.path('x.glb'), b'')
        for args, problem in ((('--into', ANA, '--into', CYR), 'encode --into FOLDER/: expected one .glb and one folder of clips'),
                              (('--into', ANA, '--at', '0'), '--at: does not apply to a folder, where each clip is a separate file. Use --append to write new files, named after the clips'),
                              (('--into', ANA, '-o', 'x.anim'), '-o x.anim: each clip is a separate file, expected a folder. Use -o x.anim/')):
            self.check(self.cli('encode', 'x.glb', *args), 2, 'reanima: %s\n' % problem)


if __name__ == '__main__':
    unittest.main()
