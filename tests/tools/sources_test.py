#!/usr/bin/env python3
"""Motion of other programs as a source: captures as BVH, the same captures as .glb, .vrma and FBX, and broken files."""
import base64, json, math, os, resource, shutil, struct, unittest

from geometry import about, apart, multiplied
from gltf_files import Glb
from support import Case, DATA, Scene, in_blender, read, read_json, run, sample, write
import rig_set

CAPTURES = '/usr/share/assimp/models/BVH'          # Debian: assimp-testmodels
HAVE_CAPTURES = os.path.exists(os.path.join(CAPTURES, '01_01.bvh'))
LONG = os.environ.get('REANIMA_LONG') == '1'
# The captures whose motion is also there as files of Metroid Prime of type 0, which store floats.
PAIRS = (('01_01.bvh', 'cmu_01_01', 'ma'), ('01_03.bvh', 'cmu_01_03', 'mb'))
LIMBS = [(s + a, s + b) for s in ('left', 'right') for a, b in (('UpperArm', 'LowerArm'), ('LowerArm', 'Hand'), ('UpperLeg', 'LowerLeg'), ('LowerLeg', 'Foot'))]
MIXAMO = {'LowerBack': 'Spine', 'Spine': 'Spine1', 'Spine1': 'Spine2', 'LeftUpLeg': 'LeftUpLeg', 'LeftLeg': 'LeftLeg', 'LeftFoot': 'LeftFoot',
          'LeftToeBase': 'LeftToeBase', 'LeftShoulder': 'LeftShoulder', 'LeftArm': 'LeftArm', 'LeftForeArm': 'LeftForeArm', 'LeftHand': 'LeftHand',
          'Hips': 'Hips', 'Neck1': 'Neck', 'Head': 'Head'}
MIXAMO.update({k.replace('Left', 'Right'): v.replace('Left', 'Right') for k, v in list(MIXAMO.items())})
VRM = {'Hips': 'hips', 'LowerBack': 'spine', 'Spine': 'chest', 'Spine1': 'upperChest', 'Neck1': 'neck', 'Head': 'head', 'LeftUpLeg': 'leftUpperLeg',
       'LeftLeg': 'leftLowerLeg', 'LeftFoot': 'leftFoot', 'LeftToeBase': 'leftToes', 'LeftShoulder': 'leftShoulder', 'LeftArm': 'leftUpperArm',
       'LeftForeArm': 'leftLowerArm', 'LeftHand': 'leftHand'}
VRM.update({k.replace('Left', 'Right'): v.replace('left', 'right') for k, v in list(VRM.items())})


class Bvh:
    """A capture, read in the simplest way: joints, and for all frames the local rotations and the root's places."""

    def __init__(self, path):
        with open(path, encoding='ascii') as f:
            words = f.read().split()
        self.names, self.parents, self.offsets, order, stack, i = [], [], [], [], [], 1
        while words[i] != 'MOTION':
            if words[i] in ('ROOT', 'JOINT', 'End'):
                self.parents.append(stack[-1] if stack else -1)
                self.names.append(words[i + 1] if words[i] != 'End' else 'End_' + self.names[stack[-1]])
                stack.append(len(self.names) - 1)
                i += 3
            elif words[i] == 'OFFSET':
                self.offsets.append([float(v) for v in words[i + 1:i + 4]])
                i += 4
            elif words[i] == 'CHANNELS':
                count = int(words[i + 1])
                order += [(stack[-1], word) for word in words[i + 2:i + 2 + count]]
                i += 2 + count
            else:
                stack.pop()
                i += 1
        count = int(words[i + 2])
        self.rate = round(1 / float(words[i + 5]))
        numbers = [float(v) for v in words[i + 6:]]
        self.frames = []
        for frame in range(count):
            turns, place = [(0, 0, 0, 1)] * len(self.names), list(self.offsets[0])
            for (joint, word), value in zip(order, numbers[frame * len(order):]):
                if word.endswith('position'):
                    place['XYZ'.index(word[0])] = value
                else:
                    turns[joint] = multiplied(turns[joint], about('XYZ'.index(word[0]), value))
            self.frames.append((place, turns))


def capture_as_glb(bvh, first, count, names, step=1, shorts=False, scale=0.056):
    """Frames of a capture as the animation of a .glb, with other names"""
    out = Glb()
    for name, parent, offset in zip(bvh.names, bvh.parents, bvh.offsets):
        out.new_node(names.get(name, name), parent if parent >= 0 else None, translation=[v * scale for v in offset])
    binds, at = [], []
    for joint, parent in enumerate(bvh.parents):
        at.append([v * scale + (at[parent][i] if parent >= 0 else 0) for i, v in enumerate(bvh.offsets[joint])])
        binds.append([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -at[-1][0], -at[-1][1], -at[-1][2], 1])
    out.json['skins'] = [{'joints': list(range(len(binds))), 'inverseBindMatrices': out.accessor('MAT4', binds)}]
    frames = range(first, first + count, step)
    times = out.accessor('SCALAR', [((f - first) / bvh.rate,) for f in frames], min=[0], max=[(frames[-1] - first) / bvh.rate])
    out.channel(0, 'translation', times, out.accessor('VEC3', [[v * scale for v in bvh.frames[f][0]] for f in frames]))
    for joint, name in enumerate(bvh.names):
        if name.startswith('End_'):
            continue
        turns = [bvh.frames[f][1][joint] for f in frames]
        if shorts:
            values = out.accessor('VEC4', [[round(v * 32767) for v in q] for q in turns], 5122, 'h', normalized=True)
        else:
            values = out.accessor('VEC4', turns)
        out.channel(joint, 'rotation', times, values)
    return out


# ------------------------------------------------------------------ small files
HIERARCHY = '''HIERARCHY
ROOT Hips
{
\tOFFSET 0 1 0
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
\tJOINT Leg
\t{
\t\tOFFSET 0 -0.5 0
\t\tCHANNELS 3 Zrotation Xrotation Yrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0 -0.5 0
\t\t}
\t}
}
'''
FRAME = '0 1 0 10 20 30 5 6 7'


def motion(frames, seconds, rows):
    return 'MOTION\nFrames: %s\nFrame Time: %s\n' % (frames, seconds) + ''.join(row + '\n' for row in rows)


def small_glb():
    """Two joints that move for a second"""
    out = Glb()
    out.new_node('root')
    out.new_node('arm', 0, translation=[0, 1, 0])
    times = out.accessor('SCALAR', [(0,), (0.5,), (1,)], min=[0], max=[1])
    out.channel(1, 'rotation', times, out.accessor('VEC4', [about(0, 0), about(0, 40), about(0, 90)]))
    return out


class Sources(Case):
    def convert(self, *args, status=0):
        return self.check(run('convert', *args, '--force', cwd=self.folder), status)

    def own(self, source, *options):
        self.convert(source, *options, '-q', '-o', self.path('own.glb'))
        return Scene(read(self.path('own.glb')))

    def limbs(self, path, names, times):
        """directions of all limbs at these times"""
        scene = Scene(read(path))
        rows = []
        for time in times:
            at = scene.world(scene.animation(0), time)
            rows.append([[y - x for x, y in zip(at(names[a]), at(names[b]))] for a, b in LIMBS])
        return rows

    def worst(self, one, other):
        return max(apart(a, b) for was, now in zip(one, other) for a, b in zip(was, now))

    def rigs(self, families):
        rigs = {'%s-%s' % (family, pose): (family, 'adult', {'pose': pose}) for family in families for pose in (('T', 'A') if LONG else ('T',))}
        rig_set.write_set(self.path('rigs'), rigs)
        for name in rigs:
            truth = read_json(self.path('rigs', name + '.truth.json'))
            yield self.path('rigs', name + '.glb'), {role: joints[0] for role, joints in truth['accept'].items()}

    def expected(self, capture, letters):
        """-> the file of type 0, its key times, and the time of its beginning in the capture"""
        folder = os.path.join(DATA, 'motion', capture, 'metroid')
        clip = next(clip for clip in read_json(folder, 'expected.json')['clips'] if clip['type'] == 0)
        return os.path.join(folder, clip['name'] + '.ANIM'), [row['time'] for row in clip['frames']], clip['capture_start']


@unittest.skipUnless(HAVE_CAPTURES, 'assimp-testmodels is not installed')
class Captures(Sources):
    def test_bvh_moves_rigs_as_the_same_motion_of_a_game(self):
        worst = 0
        for number, (path, names) in enumerate(self.rigs(rig_set.FAMILIES)):
            file, capture, letters = PAIRS[number % len(PAIRS)]
            game, times, start = self.expected(capture, letters)
            with self.subTest(rig=path, capture=capture):
                self.convert(game, '-s', path, '--rig-mesh', 'omit', '-q', '-o', self.path('game.glb'))
                self.convert(os.path.join(CAPTURES, file), '-s', path, '--rig-mesh', 'omit', '-q', '-o', self.path('bvh.glb'))
                off = self.worst(self.limbs(self.path('game.glb'), names, times), self.limbs(self.path('bvh.glb'), names, [start + t for t in times]))
                worst = max(worst, off)
                self.assertLess(off, 0.01)
        print('BVH: limbs %.5f degrees off at most' % worst)

    def check_as_game(self, source, begins, *options, skip=0):
        """the motion of the second capture, from a file that begins `begins` seconds into it"""
        game, times, start = self.expected('cmu_01_03', 'mb')
        times = times[skip:]
        path, names = next(self.rigs(['ue5']))
        self.convert(game, '-s', path, '--rig-mesh', 'omit', '-q', '-o', self.path('game.glb'))
        self.convert(source, '-s', path, '--rig-mesh', 'omit', '-q', *options, '-o', self.path('bound.glb'))
        return self.worst(self.limbs(self.path('game.glb'), names, times), self.limbs(self.path('bound.glb'), names, [start - begins + t for t in times]))

    def capture(self):
        """-> the second capture, and the first frame of the game's file"""
        bvh = Bvh(os.path.join(CAPTURES, '01_03.bvh'))
        return bvh, round(self.expected('cmu_01_03', 'mb')[2] * bvh.rate)

    def test_glb_with_names_of_mixamo(self):
        bvh, first = self.capture()
        names = {name: 'mixamorig:' + other for name, other in MIXAMO.items()}
        source = write(self.path('mixamo.glb'), capture_as_glb(bvh, first, 130, names).bytes())
        self.assertLess(self.check_as_game(source, first / bvh.rate), 0.01)
        # 16 bits: 0.0035 degrees for each joint of the way to a limb
        source = write(self.path('shorts.glb'), capture_as_glb(bvh, first, 130, names, shorts=True).bytes())
        self.assertLess(self.check_as_game(source, first / bvh.rate), 0.02)

    def test_vrma_with_names_that_say_nothing(self):
        bvh, first = self.capture()
        names = {name: 'j%d' % i for i, name in enumerate(bvh.names)}
        file = capture_as_glb(bvh, first, 130, names)
        bones = {VRM[name]: {'node': i} for i, name in enumerate(bvh.names) if name in VRM}
        file.json['extensionsUsed'] = ['VRMC_vrm_animation']
        file.json['extensions'] = {'VRMC_vrm_animation': {'specVersion': '1.0', 'humanoid': {'humanBones': bones}}}
        source = write(self.path('walk.vrma'), file.bytes())
        self.assertLess(self.check_as_game(source, first / bvh.rate), 0.01)

    @unittest.skipUnless(shutil.which('blender'), 'Blender is not installed')
    def test_fbx_and_collada_of_blender(self):
        bvh, first = self.capture()
        names = {name: 'mixamorig:' + other for name, other in MIXAMO.items()}
        glb_file = write(self.path('mixamo.glb'), capture_as_glb(bvh, first, 130, names, step=4).bytes())
        in_blender(self, '''
scene.render.fps = 30
bpy.ops.import_scene.gltf(filepath=arguments[0])
scene.frame_end = 33
bpy.ops.export_scene.fbx(filepath=arguments[1], bake_anim_simplify_factor=0, add_leaf_bones=False)
if 'collada_export' in dir(bpy.ops.wm):      # gone in Blender 5
    bpy.ops.wm.collada_export(filepath=arguments[2])
print('RESULT {}')
''', glb_file, self.path('walk.fbx'), self.path('walk.dae'))
        p = self.convert(self.path('walk.fbx'), '-o', self.path('own.glb'))
        self.assertIn('1 clip', p.err)
        begins = first / bvh.rate
        self.assertLess(self.check_as_game(self.path('walk.fbx'), begins), 0.01)
        # Blender's Collada files begin with the second frame, at its time
        if os.path.exists(self.path('walk.dae')):
            self.assertLess(self.check_as_game(self.path('walk.dae'), begins, skip=1), 0.01)

    def test_the_own_rig_is_the_identity(self):
        bvh, first = self.capture()
        names = {name: 'mixamorig:' + other for name, other in MIXAMO.items()}
        source = write(self.path('mixamo.glb'), capture_as_glb(bvh, first, 60, names).bytes())
        for path in (source, os.path.join(CAPTURES, 'Boxing_Toes.bvh')):
            own = self.own(path)
            self.convert(path, '-s', path, '--rig-mesh', 'omit', '-q', '-o', self.path('again.glb'))
            again = Scene(read(self.path('again.glb')))
            joints = [node['name'] for node in own.g['nodes'] if node['name'] in {n['name'] for n in again.g['nodes']}]
            self.assertGreater(len(joints), 25)
            for time in (0, 0.1, 0.2, 0.3, 0.4):
                was, now = own.world(own.animation(0), time), again.world(again.animation(0), time)
                height = max(math.dist(was(joints[1]), was(joint)) for joint in joints[1:])
                for joint in joints:
                    # at most a metre from what it hangs on: 1e-4 degrees are 1.7e-6 of that
                    self.assertLess(math.dist(was(joint), now(joint)), 4e-6 * height, (path, joint, time))

    def test_a_dog_is_refused(self):
        rig_set.write_set(self.path('rigs'), {'dog': ('dog', 'adult', {})})
        scene = Scene(read(self.path('rigs', 'dog.glb')))
        out = Glb()
        out.json['nodes'] = [{k: v for k, v in node.items() if k in ('name', 'children', 'translation', 'rotation', 'scale')} for node in scene.g['nodes']]
        out.json['scenes'] = [{'nodes': scene.g['scenes'][0]['nodes']}]
        times = out.accessor('SCALAR', [(0,), (0.5,), (1,)], min=[0], max=[1])
        for node in range(len(out.json['nodes'])):
            out.channel(node, 'rotation', times, out.accessor('VEC4', [about(0, 0), about(0, 15), about(0, -15)]))
        walk = write(self.path('dog_walk.glb'), out.bytes())
        rig, _ = next(self.rigs(['mixamo']))
        p = self.convert(walk, '-s', rig, '-o', self.path('x.glb'), status=1)
        self.assertIn('dog_walk.glb: ', p.err)
        self.assertIn('suggest', p.err)

    def test_verbs_take_such_files(self):
        walk = os.path.join(CAPTURES, '01_01.bvh')
        rig, _ = next(self.rigs(['mixamo']))
        self.assertIn('1 clip', self.check(run('info', walk), 0).stdout.decode())
        self.check(run('bind', walk, '-s', rig), 0)
        self.check(run('bind', walk, '-s', rig, '--suggest', '-o', self.path('map.json')), 0)
        lines = json.loads(read(self.path('map.json')))['joints']
        self.assertIn('mixamorig:LeftForeArm', [line['target'] for line in lines if line['source'] == 'LeftForeArm'])
        self.convert(walk, '-s', rig, '--map', self.path('map.json'), '--clip', '0', '--resample', '30', '--report', self.path('report'),
                     '-q', '-o', self.path('bound.glb'))
        report = json.loads(read(self.path('report')).splitlines()[0])
        self.assertEqual((report['format'], report['clips'], report['frames'], report['status']), ('bvh', 1, 2752, 'ok'))
        self.check(run('preview', walk, '-s', rig, '-o', self.path('page.html')), 0)
        self.assertIn(b'01_01', read(self.path('page.html')))
        self.convert(os.path.join(CAPTURES, '01_*.bvh'), '-s', rig, '-q', '-o', self.path('all') + '/')
        self.assertEqual(sorted(os.listdir(self.path('all'))), ['01_01.glb', '01_03.glb'])

    def test_folders_are_searched_for_games_alone(self):
        os.mkdir(self.path('in'))
        shutil.copy(os.path.join(CAPTURES, '01_01.bvh'), self.path('in'))
        p = run('convert', self.path('in'), '-o', self.path('out') + '/')
        self.assertNotIn('wrote', p.err)


class Bvhs(Sources):
    def made(self, text, name='walk.bvh'):
        return write(self.path(name), text.encode() if isinstance(text, str) else text)

    def refused(self, text, problem):
        path = self.made(text)
        self.check(run('convert', path, '-o', self.path('x.glb')), 1, 'reanima: %s: %s\n' % (path, problem))

    def test_standard_input(self):
        text = HIERARCHY + motion(2, 0.5, [FRAME, FRAME])
        self.own(self.made(text))       # writes x.glb
        self.check(run('convert', self.made(text, 'stdin.bvh'), '--force', '-q', '-o', self.path('file.glb')), 0)
        self.check(run('convert', '-', '--force', '-q', '-o', self.path('stream.glb'), stdin=text.encode()), 0)
        files, streams = (Scene(read(self.path(name))) for name in ('file.glb', 'stream.glb'))
        self.assertEqual(files.g['nodes'], streams.g['nodes'])
        p = self.check(run('convert', '-', '--force', '-q', '-o', self.path('x.glb'), stdin=b'; FBX 7.4.0 project file'), 1)
        self.assertIn('has a format that is read by Assimp, which needs a file on disk', p.err)

    def test_keywords_and_braces(self):
        plain = HIERARCHY + motion(2, 0.5, [FRAME, FRAME])
        for name, text in (('plain.glb', plain), ('odd.glb', plain.replace('HIERARCHY', 'Hierarchy').replace('{\n', '{ ').replace('}\n', '}'))):
            self.check(run('convert', self.made(text), '--force', '-q', '-o', self.path(name)), 0)
        self.assertEqual(read(self.path('plain.glb'))[-400:], read(self.path('odd.glb'))[-400:])

    def test_angles_are_what_they_say(self):
        scene = self.own(self.made(HIERARCHY + motion(2, 0.5, [FRAME, '1 2 3 0 0 0 90 0 0'])))
        at = scene.world(scene.animation(0), 0.5)
        for joint, place in (('Hips', (1, 2, 3)), ('Leg', (1, 1.5, 3)), ('EndSite_Leg', (1.5, 1.5, 3))):
            self.assertLess(math.dist(at(joint), place), 1e-6, joint)
        # Z, then Y, then X of what they made: the leg hangs along -Y of all three
        turned = multiplied(multiplied(about(2, 10), about(1, 20)), about(0, 30))
        x, y, z, w = turned
        down = (-0.5 * 2 * (x * y - w * z), -0.5 * (1 - 2 * (x * x + z * z)), -0.5 * 2 * (y * z + w * x))
        at = scene.world(scene.animation(0), 0)
        self.assertLess(math.dist(at('Leg'), [a + b for a, b in zip((0, 1, 0), down)]), 1e-6)

    def test_other_ways_to_write_the_same(self):
        plain = HIERARCHY + motion(2, 0.5, [FRAME, FRAME])
        expected = self.own(self.made(plain)).blob
        for other in (plain.replace('\n', '\r\n'), plain.replace('\n', '\r'), plain.replace(' ', '\t'), plain.replace('\n', '\n\n'), '\ufeff' + plain,
                      plain.replace('{', ' {').replace('\n {', '{'), plain.replace('rotation', 'ROTATION').replace('OFFSET', 'offset'),
                      plain.replace('Frames: ', 'Frames:'), plain.rstrip('\n')):
            self.assertEqual(self.own(self.made(other)).blob, expected, other)

    def test_the_axis_that_is_up_can_be_said(self):
        for up, offset in (('z', '0 0 1'), ('-x', '-1 0 0'), ('-y', '0 -1 0'), ('y', '0 1 0')):
            path = self.made('HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT top\n{\nOFFSET %s\n'
                             'CHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 0 0\n}\n}\n}\n' % offset + motion(1, '0.1', ['0 0 0 0 0 0']))
            at = self.own(path, '--up=' + up).world({}, 0)
            self.assertLess(math.dist(at('top'), (0, 1, 0)), 1e-6, up)
            self.assertEqual(self.own(path, '--up', up).world({}, 0)('top'), at('top'))
        self.check(run('convert', path, '--up', 'w', '-o', self.path('x.glb')), 2,
                   'reanima: convert: --up: is "w", expected x, -x, y, -y, z, -z\n`reanima convert -h` shows how it is used.\n')

    def test_rates(self):
        for seconds, rate, last in (('.0083333', 120, 1 / 120), ('0.033333', 30, 1 / 30), ('0.04', 25, 0.04), ('0.0333667', 29.97, 0.0333667), ('2', 0.5, 2)):
            p = self.convert(self.made(HIERARCHY + motion(2, seconds, [FRAME, FRAME.replace('30', '40')])), '-o', self.path('own.glb'))
            self.assertIn("frame rate to %.6g before" % rate if rate != 29.97 else 'frame rate to 29.97 before', p.err)
            scene = Scene(read(self.path('own.glb')))
            self.assertAlmostEqual(max(c[0][-1] for c in scene.animation(0).values()), last, 6)

    def test_what_is_wrong(self):
        rows = [FRAME, FRAME]
        rig = 'contains no animation, but it can be a rig that motion is bound to (see `reanima convert MOTION -s FILE`)'
        for text, problem in (
                (HIERARCHY + motion(0, 0.5, []), rig),
                (HIERARCHY + motion(2, 0, rows), 'line 18: a frame lasts 0 seconds, expected more than 0'),
                (HIERARCHY + motion(2, -1, rows), 'line 18: a frame lasts -1 seconds, expected more than 0'),
                (HIERARCHY + motion(2, 3e38, rows), 'line 18: a frame lasts 3e+38 seconds, expected at most 1000000000'),
                ('HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nEnd Site\n{\nOFFSET 0 1 0\nEnd Site\n', 'line 8: is "End", expected the } of an End Site'),
                (HIERARCHY + motion(2, 'nan', rows), 'line 18: is "nan", expected a number'),
                (HIERARCHY + motion(2, 0.5, [FRAME, FRAME + ' 8']), 'line 20: has 10 numbers, expected 9, one for each channel'),
                (HIERARCHY + motion(2, 0.5, [FRAME, '1 2']), 'line 20: has 2 numbers, expected 9, one for each channel'),
                (HIERARCHY + motion(2, '0,5', rows), 'line 18: is "0,5", expected a number'),
                (HIERARCHY + motion(2, 0.5, [FRAME.replace('10', '10,5')]), 'line 19: is "10,5", expected a number'),
                (HIERARCHY + motion(2, 0.5, [FRAME.replace('10', '1e39')]), 'line 19: is "1e39", expected a number'),
                (HIERARCHY + motion(-2, 0.5, rows), 'line 17: states -2 frames, expected 0 or more'),
                (HIERARCHY + motion(1.5, 0.5, rows), 'line 17: states 1.5 frames, expected 0 or more'),
                (HIERARCHY + motion(10**9, 0.5, []), 'line 19: the file ends, expected the first of 1000000000 frames'),
                (HIERARCHY + motion(2, '0.5 ' + FRAME, []), 'line 18: is "%s", expected the first frame on a new line' % FRAME),
                (HIERARCHY, 'line 16: the file ends, expected JOINT, End Site, } or MOTION'),
                (HIERARCHY + 'MOTION\nFrame Time: 1\n', 'line 17: is "Frame", expected Frames:'),
                (HIERARCHY.split(' 6 ')[0], 'line 6: the file ends, expected a number of channels'),
                (HIERARCHY.replace('JOINT', 'BONE'), 'line 6: is "BONE", expected JOINT, End Site or }'),
                (HIERARCHY.replace('OFFSET', 'PLACE', 1), 'line 4: is "PLACE", expected OFFSET'),
                (HIERARCHY.replace('-0.5', 'half', 1), 'line 8: is "half", expected a number'),
                (HIERARCHY.replace('Yposition', 'Wposition'), 'line 5: is "Wposition", expected a channel such as Xrotation or Yposition'),
                (HIERARCHY.replace('CHANNELS 3', 'CHANNELS 1e9'), 'line 9: has 1000000000 channels, expected 0 to 1000'),
                (HIERARCHY.split(' 1 0')[0], 'line 5: the file ends, expected three numbers'),
                (HIERARCHY.split('CHANNELS')[0], 'line 6: the file ends, expected CHANNELS, JOINT, End Site or }'),
                (HIERARCHY + 'MOTION\nFrames:', 'line 18: the file ends, expected a number of frames'),
                (HIERARCHY + 'MOTION\nFrames: 1\nFrame Time:', 'line 19: the file ends, expected the seconds of a frame'),
                ('HIERARCHY\nJOINT a\n', 'line 2: is "JOINT", expected ROOT')):
            with self.subTest(problem=problem):
                self.refused(text, problem)

    def test_what_is_doubtful(self):
        for text, warning in (
                (HIERARCHY + motion(10**9, 0.5, [FRAME, FRAME]), 'line 21: the file ends after 2 of 1000000000 frames'),
                (HIERARCHY + motion(1, 0.5, [FRAME, FRAME]), 'line 20: is left out, because it follows the last of 1 frames'),
                (HIERARCHY + HIERARCHY[10:].replace('Leg', 'Arm') + motion(2, 0.5, [FRAME + ' ' + FRAME] * 2),
                 'contains 2 skeletons; using "Hips" with 3 joints, not "Hips"')):
            p = self.convert(self.made(text), '-o', self.path('x.glb'))
            self.assertIn('walk.bvh: warning: ' + warning + '\n', p.err)

    def test_a_skeleton_of_several(self):
        two = HIERARCHY + HIERARCHY[10:].replace('Hips', 'Body').replace('Leg', 'Arm') + motion(1, 0.5, [FRAME + ' ' + FRAME])
        names = [node['name'] for node in self.own(self.made(two), '--joint-root', 'Arm').g['nodes']]
        self.assertIn('Body', names)
        self.assertNotIn('Leg', names)
        p = self.convert(self.made(two), '--joint-root', 'Tail', '-o', self.path('x.glb'), status=2)
        self.assertIn('there is no node with that name', p.err)

    def test_a_bvh_is_a_rig_too(self):
        path = self.made(HIERARCHY + motion(2, 0.5, [FRAME, '1 2 3 0 0 0 90 0 0']))
        value, = json.loads(self.check(run('info', '--json', path), 0).stdout)
        self.assertEqual([joint['name'] for joint in value['joints']], ['Hips', 'Leg', 'EndSite_Leg'])
        self.assertEqual([(clip['name'], clip['seconds']) for clip in value['clips']], [('walk', 0.5)])


class SeveralInOneOutput(Sources):
    """The sample's clips as files of another program: its joints are called bone000, ..."""
    def setUp(self):
        super().setUp()
        self.check(run('convert', sample('ff7', 'hrda'), '--as', 'bvh', '-q', '-o', self.path('clips') + '/'), 0)
        self.clips = sorted(os.path.join(self.path('clips'), name) for name in os.listdir(self.path('clips')))

    def test_motion_of_one_skeleton_goes_together_in_any_order(self):
        """In some of these clips an arm does not move: in any order of the clips, the same joints are found"""
        rig, _ = next(self.rigs(['mixamo']))
        for first in self.clips:
            for second in self.clips:
                if first != second:
                    p = self.convert(first, second, '-s', rig, '-o', self.path('x.glb'))
                    self.assertIn('12 of 12 limbs', p.err)
                    self.assertEqual(len(Scene(read(self.path('x.glb'))).g['animations']), 2)

    def test_a_converted_character_is_a_rig(self):
        """Its own clips identify its numbered joints and the joint with the sword: motion is bound to it like to the
        game's file"""
        self.check(run('convert', sample('ff7', 'hrda'), '-q', '-o', self.path('hero.glb')), 0)
        p = self.convert(sample('ff9', 'hero_walk.ff9anim'), '-s', self.path('hero.glb'), '-o', self.path('x.glb'))
        self.assertIn('12 of 12 limbs', p.err)
        self.assertIn(f"; the meshes and 4 more clips come from {self.path('hero.glb')}\n", p.err)
        scene = Scene(read(self.path('x.glb')))
        apart = []
        for frame in range(5):
            at = scene.world(scene.animation(0), frame / 30)
            apart.append(math.dist(at('weapon000'), at('bone011')))
        self.assertLess(max(apart) - min(apart), 0.01, 'the sword stays in the hand')
        p = self.convert(self.clips[0], '-s', self.path('hero.glb'), '--with-mesh', '-o', self.path('y.glb'))
        self.assertIn('warning: with-mesh: the source has no mesh\n', p.err)
        p = self.check(run('preview', self.clips[0], '-o', self.path('hero.html')), 0)
        self.assertIn('.bvh: files of other programs are shown as bones, without their meshes\n', p.err)

    def test_info_says_that_their_motion_tells_who_is_who(self):
        """For a rig with numbered joints, whose shape does not suffice"""
        self.check(run('convert', sample('ff7', 'hrda'), '-q', '-o', self.path('hero.glb')), 0)
        for path in (self.clips[0], self.path('hero.glb')):
            self.assertIn('\nhumanoid: 12 of 12 limbs', self.check(run('info', path), 0).stdout.decode())
        still = write(self.path('still.bvh'), (HIERARCHY + motion(2, 0.5, [FRAME, FRAME])).encode())
        self.assertIn('\nnot recognised as a humanoid: ', self.check(run('info', still), 0).stdout.decode())

    def test_other_skeletons_are_refused(self):
        other = write(self.path('other.bvh'), (HIERARCHY + motion(2, 0.5, [FRAME, FRAME])).encode())
        self.check(run('convert', sample('ff7', 'hrda'), '-q', '-o', self.path('hero.glb')), 0)
        rig, _ = next(self.rigs(['mixamo']))
        apart = 'move different skeletons ({} with {} joints, {} with {}). Write each to a separate output'
        hero, clip = self.path('hero.glb'), self.clips[0]
        name = os.path.basename(clip)[:-4]
        for words, message in (
                ([clip, other], f'{name}.bvh and other.bvh ' + apart.format(name, 26, 'other', 3)),
                ([other, clip, '-s', rig], f'other.bvh and {name}.bvh ' + apart.format('other', 3, name, 26)),
                ([hero, other], 'hero.glb and other.bvh ' + apart.format('hraa', 22, 'other', 3)),
                ([sample('ff7', 'hrda'), '--animations', other], 'hrda and other.bvh ' + apart.format('hraa', 22, 'other', 3) +
                 f'; to put the motion on your own skeleton RIG, use `reanima convert {other} -s RIG`')):
            p = run('convert', *words, '-o', self.path('x.glb'))
            self.assertEqual((p.returncode, p.err.splitlines()[-1]), (2, 'reanima: ' + message))
        self.assertFalse(os.path.exists(self.path('x.glb')))

    def test_a_size_that_no_person_has_is_noted(self):
        source = write(self.path('p.bvh'), (HIERARCHY + motion(1, 0.5, [FRAME])).encode())        # a metre
        for height, scale in (('1.8', None), ('25', '0.068'), ('0.2', '8.5')):
            p = self.convert(source, '--scale', height, '-o', self.path('x.glb'))
            note = f'p.bvh: note: the rest pose is {height} m high, so lengths may be in another unit (see --scale {scale})\n'
            self.assertEqual(note in p.err, scale is not None, p.err)
            self.assertEqual('note: the rest pose' in p.err, scale is not None, p.err)


class Gltfs(Sources):
    def made(self, file, name='walk.glb'):
        return write(self.path(name), file if isinstance(file, bytes) else file.bytes())

    def refused(self, file, problem):
        path = self.made(file)
        self.check(run('convert', path, '-o', self.path('x.glb')), 1, 'reanima: %s: %s\n' % (path, problem))

    def keys(self, file, *options):
        """time -> degrees about X, of all keys of the arm"""
        scene = self.own(self.made(file), *options)
        (times, values), = [channel[:2] for (node, path), channel in scene.animation(0).items() if path == 'rotation' and scene.g['nodes'][node]['name'] == 'arm']
        return {round(time, 6): math.degrees(2 * math.atan2(value[0], value[3])) for time, value in zip(times, values)}

    def changed(self, interpolation, rows, **more):
        file = small_glb()
        values = file.accessor('VEC4', rows, **more)
        file.json['animations'][0]['samplers'][0].update(output=values, interpolation=interpolation)
        return file

    def test_kinds_of_interpolation(self):
        self.assertEqual({t: round(v, 3) for t, v in self.keys(small_glb()).items()}, {0: 0, 0.5: 40, 1: 90})
        step = small_glb()
        step.json['animations'][0]['samplers'][0]['interpolation'] = 'STEP'
        self.keys(step)
        scene = Scene(read(self.path('own.glb')))
        (times, values, way), = scene.animation(0).values()
        self.assertEqual([round(time, 5) for time in times], [0, 0.5, 0.5, 1, 1])
        self.assertEqual([round(math.degrees(2 * math.atan2(q[0], q[3])), 3) for q in values], [0, 0, 40, 40, 90])
        zero = (0, 0, 0, 0)
        rows = [zero, about(0, 0), zero, zero, about(0, 40), zero, zero, about(0, 90), zero]
        keys = self.keys(self.changed('CUBICSPLINE', rows))
        self.assertEqual(len(keys), 61)                                # at most 1/60 s apart
        self.assertAlmostEqual(keys[0.5], 40, 3)
        # tangents of 0: half-way the mean of both neighbours, and slower at the ends than a line
        self.assertAlmostEqual(keys[0.25], 20, 3)
        self.assertLess(keys[0.05], 2)

    def test_kinds_of_storage(self):
        rows = [[round(v * 127) for v in about(0, d)] for d in (0, 40, 90)]
        keys = self.keys(self.changed('LINEAR', rows, component=5120, letter='b', normalized=True))
        for time, degrees in ((0, 0), (0.5, 40), (1, 90)):
            self.assertLess(abs(keys[time] - degrees), 0.5)
        sparse = self.changed('LINEAR', [about(0, 0)] * 3)
        accessor = sparse.json['accessors'][-1]
        accessor['sparse'] = {'count': 1, 'indices': {'bufferView': sparse.view(struct.pack('<H', 2)), 'componentType': 5123},
                              'values': {'bufferView': sparse.view(struct.pack('<4f', *about(0, 90)))}}
        self.assertAlmostEqual(self.keys(sparse)[1], 90, 3)

    def test_times(self):
        late = small_glb()
        late.json['animations'][0]['samplers'][0]['input'] = late.accessor('SCALAR', [(1,), (1.5,), (2,)], min=[1], max=[2])
        self.assertEqual(sorted(self.keys(late)), [1, 1.5, 2])
        early = small_glb()
        early.json['animations'][0]['samplers'][0]['input'] = early.accessor('SCALAR', [(-1,), (0,), (1,)], min=[-1], max=[1])
        self.assertEqual(sorted(self.keys(early)), [0, 1, 2])
        self.assertEqual(sorted(self.keys(small_glb(), '--rate', '48')), [0, 0.25, 0.5])

    def test_what_stands_otherwise_than_it_rests(self):
        file = small_glb()
        file.new_node('hand', 1, translation=[0, 1, 0], rotation=about(0, 90))
        file.json['skins'] = [{'joints': [0, 1, 2], 'inverseBindMatrices': file.accessor(
            'MAT4', [[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -y, 0, 1] for y in (0, 1, 2)])}]
        scene = self.own(self.made(file))
        hand = next(node for node in scene.g['nodes'] if node['name'] == 'hand')
        self.assertEqual(hand.get('rotation', [0, 0, 0, 1]), [0, 0, 0, 1])
        value = next(values[0] for (node, path), (_, values, *_) in scene.animation(0).items() if scene.g['nodes'][node] is hand and path == 'rotation')
        self.assertLess(max(abs(a - b) for a, b in zip(value, about(0, 90))), 1e-6)

    def test_what_is_wrong(self):
        def broken(rows=None, times=None, change=None):
            file = small_glb() if rows is None else self.changed('LINEAR', rows)
            if times is not None:
                file.json['animations'][0]['samplers'][0]['input'] = file.accessor('SCALAR', [(t,) for t in times])
            if change:
                change(file.json)
            return file
        nan, infinite = float('nan'), float('inf')
        good = about(0, 40)
        sampler = 'animations[0].samplers[0].'
        for file, problem in (
                (broken([good, (nan, 0, 0, 1), good]), sampler + 'output: element 1 is not finite'),
                (broken([good, good, (0, infinite, 0, 1)]), sampler + 'output: element 2 is not finite'),
                (broken([good, (0, 0, 0, 0), good]), sampler + 'output: element 1 has the length 0, expected 1'),
                (broken(times=(0, 1, 0.5)), sampler + 'input: key 2 is at 0.5 s, expected rising times'),
                (broken(times=(0, nan, 0.5)), sampler + 'input: key 1 is at nan s, expected rising times'),
                (broken(change=lambda j: j['accessors'][0].update(count=0)), sampler + 'input: has no keys'),
                (broken(change=lambda j: j['nodes'][1].update(scale=[-1, 1, 1])),
                 'nodes[1]: joint "arm" is mirrored in the rest pose (negative scale), expected rotations and positive scales'),
                (broken(change=lambda j: j['bufferViews'][1].update(extensions={'EXT_meshopt_compression': {}})),
                 sampler + 'output: is compressed (EXT_meshopt_compression), expected plain or sparse keys'),
                (broken(change=lambda j: j.pop('animations')), 'contains no animation, but it can be a rig that motion is bound to (see `reanima convert MOTION -s FILE`)')):
            with self.subTest(problem=problem):
                self.refused(file, problem)

    def test_what_is_doubtful(self):
        long = self.keys(self.changed('LINEAR', [(2, 0, 0, 2), about(0, 40), about(0, 90)]))
        self.assertAlmostEqual(long[0], 90, 3)                          # not of unit length
        shear = small_glb()
        shear.json['nodes'][0]['scale'] = [1, 2, 1]
        p = self.convert(self.made(shear), '-o', self.path('x.glb'))
        self.assertIn('warning: the rest pose scales 1 joints by different factors along their axes: "root"', p.err)
        twice = small_glb()
        twice.new_node('arm', 0)
        twice.new_node('arm.001', 0)
        p = self.convert(self.made(twice), '-o', self.path('x.glb'))
        self.assertIn('joints with duplicate names were renamed: "arm_2"', p.err)
        compressed = small_glb()
        compressed.json['extensionsRequired'] = ['KHR_draco_mesh_compression']
        compressed.json['meshes'] = [{'primitives': [{'attributes': {'POSITION': 0}, 'extensions': {'KHR_draco_mesh_compression': {'bufferView': 0, 'attributes': {}}}}]}]
        compressed.json['scenes'][0]['nodes'].append(compressed.new_node('mesh', mesh=0))
        self.assertEqual(len(self.keys(compressed)), 3)

    def test_two_armatures(self):
        file = small_glb()
        other = file.new_node('Other')
        file.new_node('leg', other, translation=[0, -1, 0])
        file.json['scenes'][0]['nodes'].append(other)
        p = self.convert(self.made(file), '-o', self.path('x.glb'))
        self.assertIn('contains 2 skeletons', p.err)
        names = [node['name'] for node in self.own(self.made(file), '--joint-root', 'root').g['nodes']]
        self.assertEqual([name in names for name in ('arm', 'leg')], [True, False])
        p = self.convert(self.made(file), '--joint-root', 'leg', '-o', self.path('x.glb'), status=1)   # nothing moves it
        self.assertIn('contains no animation that can be converted', p.err)

    def test_what_moves_no_joint(self):
        file = small_glb()
        camera = file.new_node('camera', camera=0)
        file.json['scenes'][0]['nodes'].append(camera)
        file.json['skins'] = [{'joints': [0, 1]}]
        file.json['animations'].append({'name': 'pan', 'samplers': [dict(file.json['animations'][0]['samplers'][0])],
                                        'channels': [{'sampler': 0, 'target': {'node': camera, 'path': 'rotation'}}]})
        p = self.convert(self.made(file), '-o', self.path('x.glb'))
        self.assertIn('animations: 1 of 2 are left out, because they move no joint of the skeleton', p.err)

    def test_many_keys(self):
        count = 100000
        file = small_glb()
        sampler = file.json['animations'][0]['samplers'][0]
        sampler['input'] = file.accessor('SCALAR', [(i / 60,) for i in range(count)], min=[0], max=[count / 60])
        sampler['output'] = file.accessor('VEC4', [about(0, i % 90) for i in range(count)])
        p = self.convert(self.made(file), '-o', self.path('x.glb'))
        self.assertIn('frame rate to 60', p.err)
        far = small_glb()
        sampler = far.json['animations'][0]['samplers'][0]
        sampler['input'] = far.accessor('SCALAR', [(0,), (1,), (1e12,)], min=[0], max=[1e12])
        sampler.update(output=far.accessor('VEC4', [about(0, 10)] * 9), interpolation='CUBICSPLINE')
        p = self.convert(self.made(far), '-o', self.path('x.glb'), status=4)
        self.assertIn('animations: ', p.err)

    def test_text_with_a_buffer_beside_it(self):
        file = small_glb()
        write(self.path('keys.bin'), bytes(file.data))
        file.json['buffers'] = [{'byteLength': len(file.data), 'uri': 'keys.bin'}]
        for before in (b'\xef\xbb\xbf', b' \n', b''):
            path = write(self.path('walk.gltf'), before + json.dumps(file.json).encode())
            self.convert(path, '-q', '--force', '--depfile', self.path('deps'), '-o', self.path('x.glb'))
            self.assertIn('keys.bin', read(self.path('deps')).decode(), before)
        os.remove(self.path('keys.bin'))
        p = self.convert(path, '-o', self.path('x.glb'), status=1)
        self.assertIn('buffers[0].uri: the file "keys.bin" can\'t be read', p.err)


class Limits(Sources):
    def used(self, path, *options):
        """-> status and seconds of a process"""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        p = run('convert', path, *options, '--force', '-q', '-o', self.path('x.glb'))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return p.returncode, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def test_a_megabyte_takes_five_seconds_at_most(self):
        most = 25 if os.environ.get('REANIMA_SANITIZED') else 5
        head = 'HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n'
        ends = 'End Site\n{\nOFFSET 0 1 0\n'
        frames = 490000
        many = head + ends + '}\n}\nMOTION\nFrames: %d\nFrame Time: 0.01\n' % frames + '9\n8\n' * (frames // 2)
        deep = head + 'JOINT a{OFFSET 0 0 1\n' * 45000 + '}' * 45001 + '\nMOTION\nFrames: 1\nFrame Time: 1\n5\n'
        long_names = 'HIERARCHY\nROOT %s\n{\nOFFSET 0 1 0\n' % ('n' * 130000) + (ends + '}\n') * 30000 + '}\n'
        for name, text, expected in (('a.bvh', many, 0), ('b.bvh', deep, 0), ('c.bvh', 'HIERARCHY\n' + '\n' * 1000000, 1),
                                     ('d.bvh', head + ends * 40000, 1), ('e.bvh', long_names, 4), ('f.gltf', self.library(150, 60), 0)):
            status, seconds = self.used(write(self.path(name), text.encode()))
            self.assertEqual(status, expected, name)
            self.assertLess(seconds, most, name)

    def library(self, clips, joints):
        """-> a .gltf whose animations turn every joint, all with the same two keys"""
        keys = struct.pack('<2f8f', 0, 1, 0, 0, 0, 1, 0, 0, 1, 0)
        g = {'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}],
             'nodes': [{'name': 'j%d' % i, 'translation': [0, 1, 0], **({'children': [i + 1]} if i + 1 < joints else {})} for i in range(joints)],
             'buffers': [{'byteLength': len(keys), 'uri': 'data:application/octet-stream;base64,' + base64.b64encode(keys).decode()}],
             'bufferViews': [{'buffer': 0, 'byteLength': len(keys)}], 'accessors': [],
             'animations': [{'name': 'c%d' % c, 'samplers': [{'input': 2 * (c * joints + i), 'output': 2 * (c * joints + i) + 1} for i in range(joints)],
                             'channels': [{'sampler': i, 'target': {'node': i, 'path': 'rotation'}} for i in range(joints)]} for c in range(clips)]}
        for _ in range(clips * joints):
            g['accessors'] += [{'bufferView': 0, 'componentType': 5126, 'count': 2, 'type': 'SCALAR', 'min': [0], 'max': [1]},
                               {'bufferView': 0, 'byteOffset': 8, 'componentType': 5126, 'count': 2, 'type': 'VEC4'}]
        return json.dumps(g, separators=(',', ':'))

    def test_clips_of_many_joints_that_stand_still_count(self):
        joints, clips = 1500, 1500
        g = json.loads(self.library(1, 1))
        g['nodes'] = [{'name': 'j%d' % i, 'rotation': [0, 0, 1, 0], **({'children': list(range(1, joints))} if i == 0 else {})} for i in range(joints)]
        g['skins'] = [{'joints': list(range(joints))}]      # the rest pose: without inverse bind matrices every joint is at the origin, not turned
        g['meshes'] = [{'primitives': [{'attributes': {}}]}]
        g['nodes'].append({'mesh': 0, 'skin': 0})
        g['animations'] = [{**g['animations'][0], 'name': 'c%d' % i} for i in range(clips)]
        path = write(self.path('a.gltf'), json.dumps(g).encode())
        self.assertEqual(self.used(path, '--limit-memory', '64', '--reduce', '0.01')[0], 4)

    def test_memory(self):
        rows = [FRAME] * 20000
        path = write(self.path('a.bvh'), (HIERARCHY + motion(len(rows), 0.01, rows)).encode())
        self.assertEqual(self.used(path)[0], 0)
        self.assertEqual(self.used(path, '--limit-memory', '1')[0], 4)


if __name__ == '__main__':
    unittest.main()
