#!/usr/bin/env python3
"""Motion of other figures, written into the game's files (`encode MOTION --into FILE --at N`)."""
import json, math, os, re, shutil, unittest

from geometry import apart, product, rotation_in_world
from gltf_files import Glb
from support import Case, DATA, Scene, in_blender, read, read_json, run, sample, write
from sources_test import Bvh, CAPTURES, HAVE_CAPTURES, MIXAMO, capture_as_glb
import figure

PACK, SKELETON = sample('ff7', 'hrda'), sample('ff7', 'hraa')
PAIRS = (('UpperArm', 'LowerArm'), ('LowerArm', 'Hand'), ('UpperLeg', 'LowerLeg'), ('LowerLeg', 'Foot'))
LIMBS = [(side + a, side + b) for side in ('left', 'right') for a, b in PAIRS]
# The names of body parts in the samples' generator, the same for all three games.
PARTS = {'Shoulder': 'collar', 'UpperArm': 'upper_arm', 'LowerArm': 'forearm', 'Hand': 'hand', 'UpperLeg': 'thigh', 'LowerLeg': 'shin', 'Foot': 'foot'}
ROLES = {side + role: '%s_%s' % (part, side[0]) for side in ('left', 'right') for role, part in PARTS.items()}
# and the captures
GAMES = {'ff7': (PACK, '1'), 'ff9': (sample('ff9', 'hero_walk.ff9anim'), '0'), 'metroid': (sample('metroid', 'hero_walk.ANIM'), '0')}
NAMES = {'ff7': ['--names', sample('ff7', 'hero.names.csv')], 'ff9': ['--names', sample('ff9', 'hero.names.csv')], 'metroid': []}
SKELETONS = {'ff7': SKELETON, 'ff9': sample('ff9', 'hero.ff9model'), 'metroid': sample('metroid', 'hero.CINF')}
FPS = {'ff7': 15, 'ff9': 30, 'metroid': 30}


def capture(name):
    return os.path.join(CAPTURES, name)


class Motion(Case):
    def encode(self, source, game, *options, status=0, out='new', original=None):
        original, at = original or GAMES[game][0], GAMES[game][1]
        folder = os.path.join(self.path(out, game))
        os.makedirs(folder, exist_ok=True)
        self.out = os.path.join(folder, os.path.basename(original))
        place = () if {'--at', '--append'} & set(options) else ('--at', at)
        return self.check(run('encode', source, '--into', original, *place, '--force', '-o', self.out, *options), status)

    def bound(self, game):
        """-> the written file, converted again on the game's own skeleton"""
        self.check(run('check', '--strict', self.out), 0)
        self.check(run('convert', self.out, '-s', SKELETONS[game], *NAMES[game], '--force', '-o', self.path('bound.glb')), 0)
        return Scene(read(self.path('bound.glb')))

    def clip(self, scene, game):
        return int(GAMES[game][1]) if game == 'ff7' else 0


def directions(at, names):
    return [[y - x for x, y in zip(at(names[a]), at(names[b]))] for a, b in LIMBS]


@unittest.skipUnless(HAVE_CAPTURES, 'assimp-testmodels is not installed')
class Captures(Motion):
    CMU = (('01_01.bvh', 'cmu_01_01', 'ma'), ('01_03.bvh', 'cmu_01_03', 'mb'))

    def expected(self, folder):
        clip = next(clip for clip in read_json(DATA, 'motion', folder, 'metroid', 'expected.json')['clips'] if clip['type'] == 0)
        return os.path.join(DATA, 'motion', folder, 'metroid', clip['name'] + '.ANIM'), clip['capture_start'], clip['frames'][-1]['time']

    def reference(self, folder, game):
        """the game file of the same capture, bound to a skeleton with the joints of the samples' generator, without
        guessing"""
        metroid, start, seconds = self.expected(folder)
        truth = {part: role for role, part in ROLES.items()}
        truth.update({'root': 'none', 'Skeleton_Root': 'ground', 'hips': 'hips'} if game == 'metroid' else {'root': 'hips'})
        truth.update(spine='spine', chest='spine', neck='neck', head='head')
        own = {name: 'bone%03d' % i for i, (name, _, _) in enumerate(figure.BONES)} if game != 'metroid' else {}
        own = dict({name: name for name in truth}, **own)
        write(self.path('roles.json'), json.dumps({'schema': 1, 'joints': [], 'roles': {own[name]: role for name, role in truth.items()}}))
        self.check(run('convert', metroid, '-s', SKELETONS['metroid' if game == 'metroid' else 'ff7'], '--source-skeleton',
                       os.path.join(os.path.dirname(metroid), {'cmu_01_01': 'ma', 'cmu_01_03': 'mb'}[folder] + '.CINF'),
                       '--map', self.path('roles.json'), '--force', '-o', self.path('game.glb')), 0)
        return Scene(read(self.path('game.glb'))), {role: own[part] for role, part in ROLES.items()}, start, seconds

    def check_capture(self, source, folder, game, begins=0.0):
        """-> the largest angles between limbs and those of the same capture"""
        p = self.encode(source, game)
        self.assertIn('12 of 12 limbs', p.err)
        floor = re.search(r'floor: while standing, the feet are up to (\d+) mm above and (\d+) mm below', p.err)
        self.assertLess(max(map(int, floor.groups())), 100)      # without meshes, in a capture of somebody who climbs
        scene = self.bound(game)
        anim = scene.animation(self.clip(scene, game))
        other, names, start, seconds = self.reference(folder, game)
        motion = other.animation(0)
        off = []
        for frame in range(math.ceil((start - begins) * FPS[game]), math.floor((start - begins + seconds) * FPS[game])):
            time = frame / FPS[game]
            now = directions(scene.world(anim, time), ROLES)
            was = directions(other.world(motion, time + begins - start), names)
            off += [apart(a, b) for a, b in zip(now, was)]
        self.assertGreater(len(off), 100)
        return sum(off) / len(off)

    def cut(self, file, first, frames):
        """a part of a capture: an animation of Final Fantasy IX has 65,535 bytes"""
        with open(capture(file), encoding='ascii') as f:
            head, tail = f.read().split('Frame Time:')
        rows = tail.splitlines()
        return write(self.path(file), head[:head.index('Frames:')] + 'Frames: %d\nFrame Time:%s\n' % (frames, rows[0]) + '\n'.join(rows[1:][first:first + frames]) + '\n')

    def test_bvh_into_every_game(self):
        for file, folder, _ in self.CMU:
            for game in GAMES:
                with self.subTest(capture=file, game=game):
                    start = self.expected(folder)[1]
                    first = max(0, round(120 * start) - 240) if game == 'ff9' else 0
                    mean = self.check_capture(self.cut(file, first, 720) if game == 'ff9' else capture(file), folder, game, first / 120)
                    print('%s into %s: limbs %.3f degrees off on average' % (file, game, mean))
                    self.assertLess(mean, 1)


    def glb(self):
        """-> a .glb of the second capture under Mixamo's names, and the time of its beginning in the capture"""
        bvh = Bvh(capture('01_03.bvh'))
        first = round(self.expected('cmu_01_03')[1] * bvh.rate)
        names = {name: 'mixamorig:' + other for name, other in MIXAMO.items()}
        return write(self.path('mixamo.glb'), capture_as_glb(bvh, first, 130, names, step=4).bytes()), first / bvh.rate

    def test_glb_into_every_game(self):
        source, begins = self.glb()
        for game in GAMES:
            with self.subTest(game):
                self.assertLess(self.check_capture(source, 'cmu_01_03', game, begins), 1)

    def test_a_giant(self):
        bvh = Bvh(capture('01_03.bvh'))
        first = round(self.expected('cmu_01_03')[1] * bvh.rate)
        names = {name: 'mixamorig:' + other for name, other in MIXAMO.items()}
        source = write(self.path('giant.glb'), capture_as_glb(bvh, first, 130, names, step=4, scale=0.2).bytes())
        self.assertLess(self.check_capture(source, 'cmu_01_03', 'ff7', first / bvh.rate), 1)

    def test_without_feet(self):
        """feet without parents are refused with advice; legs that end at the knees are refused too, or bound"""
        bvh = Bvh(capture('01_03.bvh'))
        for hasFeet in (True, False):
            file = capture_as_glb(bvh, 0, 60, {name: 'mixamorig:' + other for name, other in MIXAMO.items() if hasFeet or not re.search('Foot|Toe', name)})
            nodes = file.json['nodes']
            for node in nodes:
                if node.get('name') in ('mixamorig:LeftLeg', 'mixamorig:RightLeg'):
                    feet = node.pop('children')
                    if not hasFeet:
                        for foot in feet:
                            nodes[foot].pop('children', None)
            if not hasFeet:
                legs = [i for i, node in enumerate(nodes) if re.search('(Hips|UpLeg|Leg|Spine.*|Neck|Head|Shoulder|Arm|Hand)$', node.get('name', ''))]
                for animation in file.json['animations']:
                    animation['channels'] = [c for c in animation['channels'] if c['target']['node'] in legs]
            p = self.encode(write(self.path('knees.glb'), file.bytes()), 'ff7', status=1)
            self.assertRegex(p.err, r'\(see --[a-z]+')

    def test_a_game_as_a_rig(self):
        """convert -s: the joints are found, and the output has the rest pose of the skeleton's file"""
        self.tells('12 of 12 limbs', 'convert', capture('01_01.bvh'), '-s', SKELETON, '-o', self.path('bound.glb'))
        self.check(run('convert', SKELETON, '--no-mesh', '-o', self.path('own.glb')), 0)
        bound, own = Scene(read(self.path('bound.glb'))), Scene(read(self.path('own.glb')))
        for name in ['bone%03d' % i for i in range(20)]:
            for a, b in zip(bound.nodes[bound.node(name)].get('rotation', (0, 0, 0, 1)), own.nodes[own.node(name)].get('rotation', (0, 0, 0, 1))):
                self.assertAlmostEqual(a, b, 6)

    def test_fbx_into_every_game(self):
        source, begins = self.glb()
        in_blender(self, '''
scene.render.fps = 30
bpy.ops.import_scene.gltf(filepath=arguments[0])
scene.frame_end = 33
bpy.ops.export_scene.fbx(filepath=arguments[1], bake_anim_simplify_factor=0, add_leaf_bones=False)
print('RESULT {}')
''', source, self.path('walk.fbx'))
        for game in GAMES:
            with self.subTest(game):
                self.assertLess(self.check_capture(self.path('walk.fbx'), 'cmu_01_03', game, begins), 1)

    def legs(self, file, parts):
        """-> the names of the joints of both legs of a capture"""
        return {(side, part): side.capitalize() + name for side in ('left', 'right') for part, name in zip(('hip', 'knee', 'foot'), parts)}

    def slides(self, game, scene, source, joints, seconds=7):
        """-> how fast feet slide that stand, in speeds of the source's by the lengths of the legs, at the game's own frames; source:
        scene of a capture; joints: of its legs. A foot stands while it is low and slow (docs/binding.md)"""
        own = {(side, part): ROLES[side + role] for side in ('left', 'right') for part, role in (('hip', 'UpperLeg'), ('knee', 'LowerLeg'), ('foot', 'Foot'))}
        rows = []
        for shown, clip, names in ((source, 0, joints), (scene, self.clip(scene, game), own)):
            motion = shown.animation(clip)
            at = [shown.world(motion, frame / FPS[game]) for frame in range(seconds * FPS[game])]
            leg = math.dist(at[0](names['left', 'hip']), at[0](names['left', 'knee'])) + math.dist(at[0](names['left', 'knee']), at[0](names['left', 'foot']))
            rows.append({side: [[x / leg for x in place(names[side, 'foot'])] for place in at] for side in ('left', 'right')})
        then, now = rows
        slid = of_source = 0
        for side in ('left', 'right'):
            lowest = min(place[1] for place in then[side])
            for i in range(2, len(then[side])):            # the first frames of a capture are no motion
                way = math.dist(then[side][i - 1], then[side][i])
                if way * FPS[game] < 0.24 and then[side][i][1] < lowest + 0.05:
                    of_source += way
                    slid += math.dist(now[side][i - 1], now[side][i])
        self.assertGreater(of_source, 0)
        return slid / of_source

    def test_feet_slide_as_those_of_the_capture(self):
        for file, parts in (('01_01.bvh', ('UpLeg', 'Leg', 'Foot')), ('01_03.bvh', ('UpLeg', 'Leg', 'Foot')), ('Boxing_Toes.bvh', ('Hip', 'Knee', 'Ankle'))):
            self.check(run('convert', capture(file), '--force', '-o', self.path('own.glb')), 0)
            source = Scene(read(self.path('own.glb')))
            for game in GAMES:
                if game == 'ff9' and file == 'Boxing_Toes.bvh':       # its first six seconds have no foot that stands
                    continue
                with self.subTest(capture=file, game=game):
                    p = self.encode(self.cut(file, 0, 720) if game == 'ff9' else capture(file), game)
                    slide = self.slides(game, self.bound(game), source, self.legs(file, parts), 6 if game == 'ff9' else 7)
                    print('%s into %s: feet slide %.2f times as fast' % (file, game, slide))
                    self.assertLess(slide, 1.5)
                    said, of_source = (int(word) for word in re.search(r'feet slide at (\d+) mm/s .*?(\d+) in the source\)', p.err).groups())
                    self.assertLess(said, 1.5 * of_source)

    def test_what_goes_on_at_its_beginning_still_does(self):
        with open(capture('01_01.bvh'), encoding='ascii') as f:
            head, tail = f.read().split('Frame Time:')
        rows = tail.splitlines()
        there = rows[1:][1350:1591]
        back = there + there[-2::-1]
        source = write(self.path('closed.bvh'), head[:head.index('Frames:')] + 'Frames: %d\nFrame Time:%s\n' % (len(back), rows[0]) + '\n'.join(back) + '\n')
        p = self.encode(source, 'metroid')
        self.assertIn(' before planting, ', p.err)                    # something was done for feet
        scene = self.bound('metroid')
        motion = scene.animation(0)
        first, last = scene.world(motion, 0), scene.world(motion, (len(back) - 1) / 120)
        for joint in ('foot_l', 'foot_r', 'hips', 'hand_r'):
            self.assertLess(math.dist(first(joint), last(joint)), 0.0005, joint)

    def test_planted_feet_slide_less_than_they_came(self):
        for file in ('01_01.bvh', '01_03.bvh'):
            for game in ('ff7', 'metroid'):
                with self.subTest(capture=file, game=game):
                    p = self.encode(capture(file), game, '--plant-feet')
                    slide, came, of_source = (int(word) for word in re.search(r'feet slide at (\d+) mm/s \((\d+) before planting, (\d+) in the source\)', p.err).groups())
                    self.assertLess(slide, 0.8 * came)
                    self.assertLess(slide, of_source)

    def test_hips(self):
        """the displacement is the capture's, by the lengths of the legs"""
        self.encode(capture('Boxing_Toes.bvh'), 'ff7')
        scene = self.bound('ff7')
        anim = scene.animation(1)
        self.check(run('convert', capture('Boxing_Toes.bvh'), '-o', self.path('own.glb')), 0)
        own = Scene(read(self.path('own.glb')))
        motion = own.animation(0)

        def leg(at, hip, knee, foot):
            return math.dist(at(hip), at(knee)) + math.dist(at(knee), at(foot))
        at, other = scene.world(anim, 0), own.world(motion, 0)
        ratio = leg(at, 'thigh_l', 'shin_l', 'foot_l') / leg(other, 'LeftHip', 'LeftKnee', 'LeftAnkle')
        begin, begun = at('root'), other('Hips')
        for frame in range(0, 460, 20):
            now, then = scene.world(anim, frame / 15)('root'), own.world(motion, frame / 15)('Hips')
            for axis in (0, 2):
                self.assertAlmostEqual(now[axis] - begin[axis], ratio * (then[axis] - begun[axis]), delta=0.004)    # two units of the game

    def test_ten_thousand_frames(self):
        """a result, or a message that names the limit that is exceeded"""
        bvh = Bvh(capture('01_01.bvh'))
        with open(capture('01_01.bvh'), encoding='ascii') as f:
            head, tail = f.read().split('Frame Time:')
        rows = [row for row in tail.splitlines()[1:] if row.strip()]
        self.assertEqual(len(rows), len(bvh.frames))
        source = write(self.path('long.bvh'), head[:head.index('Frames:')] + 'Frames: 10000\nFrame Time: .0083333\n' + '\n'.join((4 * rows)[:10000]) + '\n')
        p = self.encode(source, 'ff7', status=1)
        self.assertIn('the format allows 65535. Try fewer frames, or angles that are multiples of 16', p.err)
        p = self.encode(source, 'ff9', status=1)
        self.assertIn('but the format allows at most 0xffff. Try fewer frames or fewer changes', p.err)
        p = self.encode(source, 'metroid')
        self.assertIn('2501 frames instead of 33', p.err)


def turns(scene, anim, time, names):
    """world rotations of joints, as matrices"""
    return {name: rotation_in_world(scene, anim, time, scene.node(name)) for name in names}


def since(before, now):
    """the world rotation from one rotation to the other"""
    return product(now, list(zip(*before)))


def between(a, b):
    trace = sum(a[r][k] * b[r][k] for r in range(3) for k in range(3))
    return math.degrees(math.acos(max(-1, min(1, (trace - 1) / 2))))


class OnTheSample(Motion):
    """All games' samples show one body from one generator, with the same pose in the first frame of the idle animation:
    the rotations and sole positions of one game's walk are therefore known for the others."""
    WALK = sample('metroid', 'hero_walk.ANIM')
    PARTS = {'head': 8, 'foot_l': 5, 'foot_r': 5, 'chest': 8}

    def scene_of(self, file, *options):
        self.check(run('convert', file, *options, '--force', '-o', self.path('x.glb')), 0)
        return Scene(read(self.path('x.glb')))

    def lowest(self, scene, anim, time):
        """the lowest vertex of all meshes except the weapon's"""
        low = 1e9
        for node in scene.nodes:
            if 'mesh' not in node or 'skin' not in node:
                continue
            skin = scene.g['skins'][node['skin']]
            binds = scene.accessor(skin['inverseBindMatrices'])
            names = [scene.nodes[j]['name'] for j in skin['joints']]
            world = []
            for joint, name in zip(skin['joints'], names):
                m, n = [[float(r == c) for c in range(4)] for r in range(4)], joint
                while n is not None:
                    m = product(scene.local(n, anim, time), m)
                    n = scene.parent.get(n)
                b = binds[len(world)]
                world.append([sum(m[1][k] * b[4 * c + k] for k in range(4)) for c in range(4)])
            for primitive in scene.g['meshes'][node['mesh']]['primitives']:
                for at, joints in zip(scene.accessor(primitive['attributes']['POSITION']), scene.accessor(primitive['attributes']['JOINTS_0'])):
                    if 'weapon' in names[joints[0]] or 'sword' in names[joints[0]]:
                        continue
                    row = world[joints[0]]
                    low = min(low, row[0] * at[0] + row[1] * at[1] + row[2] * at[2] + row[3])
        return low

    def test_floor_face_and_soles(self):
        self.check_walk({game: GAMES[game][0] for game in ('ff7', 'ff9')})

    @unittest.skipUnless(HAVE_CAPTURES, 'assimp-testmodels is not installed')
    def test_whatever_the_first_frame_is(self):
        """a pack's rest pose is its first frame: here a figure that sits on the floor, turned aside"""
        with open(capture('Boxing_Toes.bvh'), encoding='ascii') as f:
            head, tail = f.read().split('Frame Time:')
        sits = write(self.path('sits.bvh'), head[:head.index('Frames:')] + 'Frames: 100\nFrame Time: .01\n' + '\n'.join(tail.splitlines()[1:][2500:2600]) + '\n')
        self.encode(sits, 'ff7', '--at', '0', out='sitting')
        for name in os.listdir(sample('ff7')):                                   # skeleton and mesh
            if name.startswith('hr') and name != 'hrda':
                shutil.copy(sample('ff7', name), self.path('sitting', 'ff7'))
        self.check_walk({'ff7': self.path('sitting', 'ff7', 'hrda')})

    def check_walk(self, originals):
        walk = self.scene_of(self.WALK)
        stands = self.scene_of(sample('metroid', 'hero_idle.ANIM'))
        frames = range(17)
        wanted = []
        before = turns(stands, stands.animation(0), 0, self.PARTS)
        for frame in frames:
            now = turns(walk, walk.animation(0), frame / 15, self.PARTS)
            wanted.append({name: since(before[name], now[name]) for name in self.PARTS})
        floor = [self.lowest(walk, walk.animation(0), frame / 15) for frame in frames]
        for game, original in originals.items():
            with self.subTest(game):
                idle = self.scene_of(*((PACK,) if game == 'ff7' else (sample('ff9', 'hero_idle.ff9anim'),)), *NAMES[game])
                before = turns(idle, idle.animation(0), 0, self.PARTS)
                self.encode(self.WALK, game, original=original)
                scene = self.bound(game)
                anim = scene.animation(self.clip(scene, game))
                for frame in frames:
                    now = turns(scene, anim, frame / 15, self.PARTS)
                    for name, most in self.PARTS.items():
                        self.assertLess(between(since(before[name], now[name]), wanted[frame][name]), most, (name, frame))
                    low = self.lowest(scene, anim, frame / 15)
                    self.assertLess(abs(low - floor[frame]), 0.017, frame)       # 1 % of the height


class Places(Motion):
    """The places of parts of the motion; it is the sample's walk for Metroid Prime, on the same body"""
    WALK = sample('metroid', 'hero_walk.ANIM')

    def test_all_else_keeps_its_place(self):
        self.encode(self.WALK, 'ff7')
        before = json.loads(self.check(run('dump', PACK), 0).stdout)
        after = json.loads(self.check(run('dump', self.out), 0).stdout)
        same = [a == b for a, b in zip((dict(x, offset=0) for x in before['animations']), (dict(x, offset=0) for x in after['animations']))]
        self.assertEqual([i for i, s in enumerate(same) if not s], [1, 6])       # the walk, and the weapon's animation of it

    @staticmethod
    def weapon(scene):
        return next(n['name'] for n in scene.nodes if 'weapon' in n['name'] or 'sword' in n['name'])

    def test_a_weapon_stays_in_the_hand(self):
        """the generator puts it at the end of the right hand, with the hand's rotation"""
        self.out = PACK
        own = self.bound('ff7')
        at = own.world(own.animation(0), 0)
        apart_before = math.dist(at('hand_r'), at(self.weapon(own)))
        self.assertGreater(apart_before, 0.05)
        self.encode(self.WALK, 'ff7')
        scene = self.bound('ff7')
        for frame in range(17):
            at = scene.world(scene.animation(1), frame / 15)
            hand, weapon = at('hand_r'), at(self.weapon(scene))
            self.assertAlmostEqual(math.dist(hand, weapon), apart_before, delta=0.003)

    def test_an_entry_of_an_archive(self):
        archive = self.path('battle.lgp')
        shutil.copy(sample('archives', 'battle.lgp'), archive)
        self.tells('1 of 21 entries changed', 'encode', self.WALK, '--into', archive + ':hrda', '--at', '1', '-o', self.path('new.lgp'))
        self.encode(self.WALK, 'ff7')
        self.check(run('extract', self.path('new.lgp'), 'hrda', '-o', self.path('out/')), 0)
        self.assertEqual(read(self.path('out', 'hrda')), read(self.out))

    def places(self):
        """the positions of the hero's hands and feet from the hips, in the first frames of the written clip"""
        scene = self.bound('ff7')
        worlds = [scene.world(scene.animation(1), frame / 15) for frame in range(5)]
        return [[a - b for a, b in zip(at(end), at('root'))] for at in worlds for end in ('hand_l', 'hand_r', 'foot_l', 'foot_r')]

    def test_figures_whose_joints_have_the_same_names(self):
        """The heroes of two games: most joints of one have names of joints of the other with a different parent"""
        other = self.path('zidane.glb')
        self.check(run('convert', GAMES['ff9'][0], '-q', '-o', other), 0)
        p = self.check(run('encode', other, '--into', PACK), 1)
        self.assertRegex(p.err, r"zidane.glb: nodes: does not contain \d of 22 joints: .*. The file belongs to another skeleton, or joints were renamed \(see --at N or --append\)\n$")
        self.encode(GAMES['ff9'][0], 'ff7')
        wanted = self.places()
        self.assertIn('12 of 12 limbs', self.encode(other, 'ff7').err)
        self.assertLess(max(math.dist(a, b) for a, b in zip(wanted, self.places(), strict=True)), 0.01)

    def test_a_joint_that_was_renamed_is_missed(self):
        edited = self.path('edited.glb')
        self.check(run('convert', PACK, '-q', '-o', edited), 0)
        glb = Glb(edited)
        glb.json['nodes'][glb.node('bone009')].pop('extras')
        glb.write(edited)
        write(edited, read(edited).replace(b'"bone009"', b'"Bone009"'))
        for more in ([], ['--at', '1'], ['--append']):
            p = self.check(run('encode', edited, '--into', PACK, *more), 1)
            self.assertTrue(p.err.endswith('edited.glb: nodes: does not contain 1 of 22 joints: "bone009". The file belongs to another skeleton, or joints were renamed\n'), p.err)

    def test_what_is_wrong(self):
        alone = shutil.copy(PACK, self.path('rtda'))
        for message, args in (
                ('hero_walk.ANIM: animations: are motion of another character. Choose the clip to replace (see --at N or --append)', ['--into', PACK]),
                ('no skeleton was found beside this file, but motion of another character can only be bound to a skeleton (see --skeleton FILE)', ['--into', alone, '--at', '1']),
                ('the original has no clip with that index; its clips are 0, 1, 2, 4\n', ['--into', PACK, '--at', '99']),
                ('a new clip would be read as a weapon animation (see --at N)', ['--into', PACK, '--append']),
                ('no clip matches; there is ', ['--into', PACK, '--at', '1', '--clip', 'nope']),
                ('--append: ', ['--into', GAMES['ff9'][0], '--append'])):
            with self.subTest(message):
                p = run('encode', self.WALK, *args, '-o', self.path('new'))
                self.assertIn(p.returncode, (1, 2))
                self.assertIn(message, p.err)
                self.assertFalse(os.path.exists(self.path('new')))

    def test_nothing_that_was_read_is_written_over(self):
        """found beside the pack, named by a setting, or in an archive; as the output and as the report"""
        folder = os.path.dirname(PACK)
        for name in os.listdir(folder):
            if re.fullmatch('hr..', name):
                shutil.copy(os.path.join(folder, name), self.path(name))
        archive = shutil.copy(sample('archives', 'battle.lgp'), self.path('battle.lgp'))
        write(self.path('hero.map'), '{"schema":1,"roles":{}}')
        self.check(run('convert', PACK, '--clip', '4', '-q', '-o', self.path('pose.glb')), 0)
        for kept, args in (('hraa', ['-o', 'hraa']), ('hram', ['-o', 'hram']), ('hram', ['-o', 'y', '--report', 'hram']), ('hraa', ['-o', 'y', '--report', 'hraa']),
                           ('hero.map', ['--map', 'hero.map', '-o', 'hero.map']), ('hero.map', ['--map', 'hero.map', '-o', 'y', '--report', 'hero.map'])):
            before = read(self.path(kept))
            p = self.check(run('encode', self.WALK, '--into', 'hrda', '--at', '1', '--force', *args, cwd=self.folder), 2)
            why = 'exists and is not a report. --report can only replace an earlier report' if '--report' in args else 'the output is an input'
            self.assertEqual(p.err.splitlines()[-1], 'reanima: %s: %s' % (kept, why))
            self.assertEqual(read(self.path(kept)), before)
            self.assertFalse(os.path.exists(self.path('y')))
        before = read(archive)
        p = self.check(run('encode', 'battle.lgp:hrda', '--into', 'hrda', '--at', '1', '--clip', 'hrda_002', '--force', '-o', 'battle.lgp', cwd=self.folder), 2)
        self.assertEqual((p.err, read(archive)), ('reanima: battle.lgp: the output is an input\n', before))

    def test_an_entry_is_motion_too(self):
        for source in (PACK, sample('archives', 'battle.lgp') + ':hrda'):
            self.encode(source, 'ff7', '--clip', 'hrda_002', out='of' + str(':' in source))
            with self.subTest(source):
                self.assertEqual(read(self.out), read(self.path('ofFalse', 'ff7', 'hrda')))

    def test_motion_of_memoria(self):
        """the file begins like a .gltf"""
        self.check(run('convert', self.WALK, '-q', '-o', self.path('walk.anim')), 0)
        self.encode(self.path('walk.anim'), 'ff7')
        self.check(run('check', '--strict', self.out), 0)
        frames = json.loads(self.check(run('info', '--json', self.out), 0).stdout)[0]['clips'][1]['frames']
        self.assertGreater(frames, 10)

    def test_standing_in_another_pose(self):
        """limbs point like the motion's in any pose of the skeleton: bent by a walk, or with zero angles"""
        self.encode(self.WALK, 'ff7')
        first = self.bound('ff7')
        for rest in ('hrda_001:4', 'hrda_000:9'):
            self.encode(self.WALK, 'ff7', '--rest', rest, out='other')
            other = self.bound('ff7')
            for frame in (0, 5, 11):
                a, b = (scene.world(scene.animation(1), frame / 15) for scene in (first, other))
                for limb, (x, y) in zip(LIMBS, zip(directions(a, ROLES), directions(b, ROLES))):
                    self.assertLess(apart(x, y), 1, (rest, frame, limb))

    def test_standard_input(self):
        edited = self.path('edited.glb')
        self.check(run('convert', PACK, '-q', '-o', edited), 0)
        archive = sample('archives', 'battle.lgp')
        self.check(run('encode', '-', '--into', archive, '-o', self.path('new.lgp'), stdin=read(edited)), 0)
        self.assertEqual(read(self.path('new.lgp')), read(archive))
        p = self.encode('-', 'ff7', status=1)
        self.assertIn('standard input', p.err)
        p = run('encode', '-', '--into', PACK, '--at', '1', '-o', self.path('none'), stdin=b'HIERARCHY')
        self.assertEqual((p.returncode, p.err), (1, 'reanima: standard input: is not a .glb or .gltf of this character. Other motion can\'t be read from standard input. Name a file\n'))

    def test_displacement_needs_a_joint(self):
        p = self.encode(self.WALK, 'ff7', '--root-motion', 'extract', status=2)
        self.assertIn("--root-motion extract: the game's skeleton has no ground joint, expected keep, in-place or drop", p.err)

    def test_what_is_no_humanoid(self):
        """a chain of joints: its motion, and as the game's skeleton"""
        rows = ''.join('JOINT j%d { OFFSET 0 1 0 CHANNELS 3 Zrotation Xrotation Yrotation\n' % i for i in range(1, 6))
        snake = write(self.path('snake.bvh'), 'HIERARCHY ROOT j0 { OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n' + rows +
                      'End Site { OFFSET 0 1 0 }' + '}' * 6 + '\nMOTION\nFrames: 3\nFrame Time: .1\n' + '\n'.join(' '.join(str(i * f) for i in range(21)) for f in range(3)) + '\n')
        p = self.encode(snake, 'ff7', status=1)
        self.assertIn('(see --map FILE)', p.err)


if __name__ == '__main__':
    unittest.main()
