#!/usr/bin/env python3
"""Motion for any humanoid as an output: BVH. The written files are read by other programs and by the test's own
reader."""
import json, math, os, re, shutil, struct, subprocess, unittest

from geometry import apart, multiplied, turned
from gltf_files import Glb, glb_of
from sources_test import Bvh
from support import Case, DATA, SOURCE, Scene, in_blender, read, run, sample, write
import rig_set

PACK = sample('ff7', 'hrda')
# Characters, with an option that leaves out what a BVH does not hold; whether a T-pose of theirs is known.
HUMANOIDS = (([PACK], True), ([sample('ff9', 'hero.ff9model'), '--animations', sample('ff9', 'hero_*.ff9anim')], True),
             ([sample('ff8', 'c0m900.dat')], True), ([sample('metroid', 'hero_walk.ANIM')], True), ([sample('ff7', 'doll.hrc'), sample('ff7', 'doll_walk.a')], True))
TENTH = 0.1                                        # millimetres
# Captures of people.
CAPTURED = [[os.path.join(DATA, 'motion', capture, game, letters + end)] for capture, letters in (('cmu_01_01', 'ma'), ('cmu_01_03', 'mb'))
            for game, end in (('ff7', 'da'), ('ff9', '_0.ff9anim'), ('metroid', '_0.ANIM'))]


MOVING = """HIERARCHY
ROOT hips
{
OFFSET 0 0 0
CHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation Zrotation
JOINT top
{
OFFSET 0 90 0
CHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation Zrotation
End Site
{
OFFSET 0 80 0
}
}
JOINT leg
{
OFFSET 0 -90 0
CHANNELS 0
End Site
{
OFFSET 0 0 10
}
}
}
MOTION
Frames: 2
Frame Time: 0.1
0 90 0 0 0 0 0 90 0 0 0 0
0 90 5 0 0 9 0 95 0 0 0 9
"""


def places_of(bvh):
    """-> per frame the places of all joints by name, in metres"""
    rows = []
    for root, turns in bvh.frames:
        at, world, row = [], [], {}
        for joint, parent in enumerate(bvh.parents):
            if parent < 0:
                at.append(list(root))
                world.append(turns[joint])
            else:
                at.append([a + b for a, b in zip(at[parent], turned(world[parent], bvh.offsets[joint]))])
                world.append(multiplied(world[parent], turns[joint]))
            row[bvh.names[joint]] = [v / 100 for v in at[joint]]
        rows.append(row)
    return rows


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


class Outputs(Case):
    def worst(self, rows, scene, clip, rate, without=()):
        """the largest distance in millimetres between joints that are in both"""
        animation, worst, count = scene.animation([a['name'] for a in scene.g['animations']].index(clip)), 0, 0
        for frame, row in enumerate(rows):
            at = scene.world(animation, frame / rate)
            for name, place in row.items():
                if not name.startswith('End_') and name not in without:
                    count += 1
                    worst = max(worst, math.dist(place, at(name)) * 1000)
        self.assertGreater(count, 10)
        return worst


class BvhFiles(Outputs):
    def both(self, inputs, *options):
        """-> the .glb, and the .bvh files by the names of clips"""
        self.convert(*inputs, *options, '-q', '--force', '-o', 'one.glb')
        shutil.rmtree(self.path('all'), ignore_errors=True)
        self.convert(*inputs, *options, '-q', '--force', '--as', 'bvh', '-o', 'all/')
        scene = Scene(read(self.path('one.glb')))
        files = sorted(f for f in self.files() if f.startswith('all/'))
        clips = sorted(a['name'] for a in scene.g['animations'])
        self.assertEqual(len(files), len(clips))
        return scene, {clip: self.path(next(f for f in files if f.endswith('_%s.bvh' % clip))) for clip in clips}

    def test_every_joint_is_where_it_is_in_the_glb(self):
        for inputs, _ in HUMANOIDS:
            with self.subTest(inputs=inputs):
                scene, files = self.both(inputs)
                clips = {c['name']: c for c in scene.g['scenes'][0]['extras']['reanima']['clips']}
                for clip, path in files.items():
                    bvh = Bvh(path)
                    self.assertEqual(bvh.rate, clips[clip]['rate'])
                    self.assertLessEqual(abs(len(bvh.frames) - clips[clip]['frames']), 1)
                    self.assertLess(self.worst(places_of(bvh), scene, clip, clips[clip]['rate']), TENTH)

    def test_with_all_angles_0_a_humanoid_stands_in_its_t_pose(self):
        for inputs, known in HUMANOIDS:
            if not known:
                continue
            with self.subTest(inputs=inputs):
                _, files = self.both(inputs)
                bvh = Bvh(next(iter(files.values())))
                bvh.frames = [(bvh.offsets[0], [(0, 0, 0, 1)] * len(bvh.names))]
                row = places_of(bvh)[0]
                lowest = min(p[1] for p in row.values())
                self.assertAlmostEqual(lowest, 0, places=5)
                # the two hands are what is farthest aside, as high as the shoulders and level with them
                left, right = max(row.values(), key=lambda p: p[0]), min(row.values(), key=lambda p: p[0])
                top = max(p[1] for p in row.values())
                self.assertGreater(left[0] - right[0], 0.7 * top)
                self.assertAlmostEqual(left[1], right[1], delta=0.03 * top)
                self.assertGreater(left[1], 0.6 * top)

    def test_angles_go_on_beyond_half_a_turn(self):
        self.convert(sample('metroid', 'hero_spin.ANIM'), '-q', '-o', 'spin.bvh')
        with open(self.path('spin.bvh'), encoding='ascii') as f:
            text = f.read()
        rows = [[float(v) for v in line.split()] for line in text.partition('Frame Time:')[2].splitlines()[1:]]
        steps = [abs(b - a) for one, other in zip(rows, rows[1:]) for a, b in zip(one[3:], other[3:])]
        self.assertLess(max(steps), 180)

    def test_what_a_bvh_does_not_hold_is_named(self):
        with open(write(self.path('in.bvh'), MOVING), encoding='ascii') as f:
            self.assertIn('CHANNELS 6', f.read().partition('JOINT')[2])
        p = self.convert('in.bvh', '--scale', '0.01', '-o', 'x.bvh')
        self.assertIn("in.bvh: warning: a BVH file can't move joints relative to their parents, so these joints stay in place: top (1 joint)\n", p.err)
        p = self.convert('in.bvh', '--scale', '0.01', '--strict', '-o', 'y.bvh', status=1)
        self.assertIn('reanima: in.bvh: warnings count as errors\n', p.err)
        self.assertEqual(self.files(), ['in.bvh', 'x.bvh'])
        self.convert('in.bvh', '--scale', '0.01', '--warn', 'ignored=ignore', '--strict', '-o', 'y.bvh')

    def test_blender_reads_every_place(self):
        scene, files = self.both([PACK])
        clip, path = sorted(files.items())[0]
        got = in_blender(self, """
import builtins, functools
builtins.open = (lambda opened: functools.wraps(opened)(lambda name, mode='r', *more, **by: opened(name, mode.replace('U', ''), *more, **by)))(builtins.open)  # Python 3.11
bpy.ops.import_anim.bvh(filepath=arguments[0], global_scale=0.01, use_fps_scale=False, update_scene_fps=True, update_scene_duration=True)
rig = next(o for o in bpy.data.objects if o.type == 'ARMATURE')
first, last = (round(v) for v in rig.animation_data.action.frame_range)
rows = []
for frame in range(first, last + 1):
    scene.frame_set(frame)
    rows.append({b.name: list(rig.matrix_world @ b.head) for b in rig.pose.bones})
print('RESULT ' + json.dumps({'rows': rows, 'rate': scene.render.fps / scene.render.fps_base}))
""", path)
        rows = [{name: (x, z, -y) for name, (x, y, z) in row.items()} for row in got['rows']]
        bvh = Bvh(path)
        self.assertEqual(len(rows), len(bvh.frames))
        self.assertEqual(set(rows[0]), {n for n in bvh.names if not n.startswith('End_')})
        self.assertAlmostEqual(got['rate'], bvh.rate, places=2)
        self.assertLess(self.worst(rows, scene, clip, bvh.rate), TENTH)

    @unittest.skipUnless(shutil.which('assimp'), 'the program assimp is not installed')
    def test_assimp_reads_every_place(self):
        scene, files = self.both([PACK])
        clip, path = sorted(files.items())[0]
        subprocess.run(['assimp', 'export', path, self.path('read.glb'), '-fglb2'], check=True, stdout=subprocess.DEVNULL)
        back = Scene(read(self.path('read.glb')))
        bvh = Bvh(path)
        animation = back.animation(0)
        for node, _ in animation:
            back.nodes[node].pop('matrix', None)   # Assimp writes a matrix beside what moves
        rows = []
        for frame in range(len(bvh.frames)):
            at = back.world(animation, frame / bvh.rate)
            rows.append({n: [v / 100 for v in at(n)] for n in bvh.names if not n.startswith('End_')})
        self.assertLess(self.worst(rows, scene, clip, bvh.rate), TENTH)


# Left arm and leg, trunk and head of a figure of 1.7 m in VRM's T-pose; the right side is their mirror image.
FIGURE = {'hips': ('', (0, .95, 0)), 'spine': ('hips', (0, 1.06, 0)), 'chest': ('spine', (0, 1.2, 0)), 'upperChest': ('chest', (0, 1.3, 0)),
          'neck': ('upperChest', (0, 1.46, 0)), 'head': ('neck', (0, 1.54, 0)), 'leftUpperLeg': ('hips', (.1, .9, 0)), 'leftLowerLeg': ('leftUpperLeg', (.1, .5, 0)),
          'leftFoot': ('leftLowerLeg', (.1, .09, 0)), 'leftToes': ('leftFoot', (.1, .02, .14)), 'leftShoulder': ('upperChest', (.03, 1.42, 0)),
          'leftUpperArm': ('leftShoulder', (.16, 1.42, 0)), 'leftLowerArm': ('leftUpperArm', (.44, 1.42, 0)), 'leftHand': ('leftLowerArm', (.69, 1.42, 0)),
          'leftThumbMetacarpal': ('leftHand', (.71, 1.41, .02)), 'leftThumbProximal': ('leftThumbMetacarpal', (.74, 1.41, .05)),
          'leftIndexProximal': ('leftHand', (.78, 1.42, .025)), 'leftMiddleProximal': ('leftHand', (.785, 1.42, 0)), 'leftRingProximal': ('leftHand', (.78, 1.42, -.02)),
          'leftLittleProximal': ('leftHand', (.77, 1.42, -.04))}
REQUIRED = {'hips', 'spine', 'head'} | {s + p for s in ('left', 'right') for p in ('UpperLeg', 'LowerLeg', 'Foot', 'UpperArm', 'LowerArm', 'Hand')}
LIMBS = [(s + a, s + b) for s in ('left', 'right') for a, b in (('UpperArm', 'LowerArm'), ('LowerArm', 'Hand'), ('Hand', 'MiddleProximal'),
                                                                ('UpperLeg', 'LowerLeg'), ('LowerLeg', 'Foot'), ('Foot', 'Toes'))]


def figure_like(rest, factor):
    """the figure with the hips, legs and feet of a skeleton, times a factor"""
    rows = {k: (p, list(v)) for k, (p, v) in FIGURE.items()}
    lift = rest['hips'][1] * factor - .95
    for name, (_, at) in rows.items():
        if name in rest and (name == 'hips' or name.endswith(('Leg', 'Foot', 'Toes'))):
            at[:] = [v * factor for v in rest[name]]
        elif name != 'leftToes':
            at[1] += lift
    foot = rows['leftFoot'][1]
    if 'leftToes' not in rest:
        rows['leftToes'][1][:] = [foot[0], .02, foot[2] + .14]
    for name, (parent, at) in list(rows.items()):
        if name.startswith('left'):
            rows[name.replace('left', 'right')] = (parent.replace('left', 'right'), [-at[0], at[1], at[2]])
    return rows


def avatar(rows, version):
    """a .vrm without a mesh; one of VRM 0 looks to -Z"""
    names, sign = list(rows), 1 if version == 1 else -1
    nodes = []
    for name, (parent, at) in rows.items():
        above = rows[parent][1] if parent else (0, 0, 0)
        nodes.append({'name': name, 'translation': [(a - b) * s for a, b, s in zip(at, above, (sign, 1, sign))]})
        if parent:
            nodes[names.index(parent)].setdefault('children', []).append(len(nodes) - 1)
    old = {'ThumbProximal': 'ThumbIntermediate', 'ThumbMetacarpal': 'ThumbProximal'}
    if version == 1:
        extension = {'VRMC_vrm': {'specVersion': '1.0', 'meta': {'name': 'x', 'authors': ['x'], 'licenseUrl': 'https://vrm.dev/licenses/1.0/'},
                                  'humanoid': {'humanBones': {n: {'node': i} for i, n in enumerate(names)}}}}
    else:
        extension = {'VRM': {'specVersion': '0.0', 'meta': {}, 'humanoid': {'humanBones': [
            {'bone': next((n[:-len(k)] + v for k, v in old.items() if n.endswith(k)), n), 'node': i} for i, n in enumerate(names)]}}}
    return glb_of({'asset': {'version': '2.0'}, 'extensionsUsed': list(extension), 'extensions': extension, 'scene': 0, 'scenes': [{'nodes': [0]}], 'nodes': nodes})


class VrmAnimations(Outputs):
    def node(self, *words):
        p = subprocess.run(['node', os.path.join(SOURCE, 'tests', 'vrma.mjs'), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((p.returncode, p.stderr.decode()), (0, ''))
        return json.loads(p.stdout)['result']

    def all_of(self, inputs):
        shutil.rmtree(self.path('all'), ignore_errors=True)
        self.convert(*inputs, '-q', '--as', 'vrma', '-o', 'all/')
        return [self.path(f) for f in self.files() if f.startswith('all/')]

    def test_three_vrm_loads_every_clip_of_every_humanoid(self):
        for inputs in [inputs for inputs, _ in HUMANOIDS] + CAPTURED:
            with self.subTest(inputs=inputs):
                files = self.all_of(inputs)
                self.assertTrue(files)
                for file, found in self.node('load', *files).items():
                    self.assertLessEqual(REQUIRED, set(found['rotations']))
                    self.assertFalse({'leftEye', 'rightEye'} & set(found['rotations']))
                    self.assertEqual(found['translations'], ['hips'])
                    self.assertGreater(found['hips'][1], 0.3)
                    scene = Scene(read(file))
                    for node in scene.g['nodes']:
                        self.assertNotIn('rotation', node)
                    self.assertEqual(scene.g['scenes'][0]['extras']['reanima']['clips'][0]['name'], scene.g['animations'][0]['extras']['name'])

    def test_the_validator_finds_nothing(self):
        for i, inputs in enumerate([inputs for inputs, _ in HUMANOIDS] + CAPTURED):
            for j, file in enumerate(self.all_of(inputs)):
                write(self.path('glbs', '%d_%d.glb' % (i, j)), read(file))
        p = subprocess.run(['node', os.path.join(SOURCE, 'tests', 'validate.js'), self.path('glbs')], stdout=subprocess.PIPE)
        self.assertEqual(p.returncode, 0, p.stdout.decode())

    def test_an_avatar_moves_as_it_does_with_the_clips_in_its_own_file(self):
        for inputs in ([PACK], [sample('metroid', 'hero_walk.ANIM')]):
            for version in (0, 1):
                with self.subTest(inputs=inputs, version=version):
                    file = self.all_of(inputs)[0]
                    own = Scene(read(file))
                    at = own.world({}, 0)
                    bones = own.g['extensions']['VRMC_vrm_animation']['humanoid']['humanBones']
                    rows = figure_like({n: at(n) for n in bones}, 1.25)
                    write(self.path('figure.vrm'), avatar(rows, version))
                    clip = own.g['animations'][0]['name']
                    self.convert(*inputs, '-s', 'figure.vrm', '--clip', clip, '--rig-mesh', 'omit', '-q', '--force', '-o', 'bound.glb')
                    bound = Scene(read(self.path('bound.glb')))
                    last = max(t[-1] for t, _, _ in bound.animation(0).values())
                    times = [last * i / 12 for i in range(13)]
                    worst = away = 0
                    for time, row in zip(times, self.node('play', self.path('figure.vrm'), file, *times)):
                        place = bound.world(bound.animation(0), time)
                        # an avatar of VRM 0 looks to -Z wherever it plays; -s turns it to where the motion goes
                        at = lambda name: [v * (1 if version == 1 or axis == 1 else -1) for axis, v in enumerate(place(name))]
                        for a, b in LIMBS:
                            worst = max(worst, apart([y - x for x, y in zip(row[a], row[b])], [y - x for x, y in zip(at(a), at(b))]))
                        away = max(away, math.dist(row['hips'], at('hips')))
                    print('VRM %d: limbs %.3f degrees apart, hips %.2f mm' % (version, worst, away * 1000))
                    self.assertLess(worst, 0.5)
                    self.assertLess(away, 0.001)

    def test_an_avatar_with_clips_is_still_one(self):
        """-s AVATAR.vrm -o OUT.vrm: three-vrm loads it and plays its clips"""
        for version in (0, 1):
            with self.subTest(version=version):
                write(self.path('hero.vrm'), avatar(figure_like({'hips': (0, .95, 0)}, 1), version))
                self.convert(PACK, '-s', 'hero.vrm', '--rig-mesh', 'keep', '-q', '--force', '-o', 'dance.vrm')
                scene = Scene(read(self.path('dance.vrm')))
                for number in range(len(scene.g['animations'])):
                    times = [0, 0.2, 0.4]
                    rows = self.node('own', self.path('dance.vrm'), scene.g['animations'][number]['name'], *times)
                    for time, row in zip(times, rows):
                        at = scene.world(scene.animation(number), time)
                        for bone, place in row.items():
                            self.assertLess(math.dist(place, at(bone)), 1e-4)

    def test_a_page_looks_at_the_face_that_a_clip_shows(self):
        """-s turns an avatar whose rest pose faces -Z to the direction of the motion"""
        for version in (0, 1):
            write(self.path('hero.vrm'), avatar(figure_like({'hips': (0, .95, 0)}, 1), version))
            self.convert(PACK, '-s', 'hero.vrm', '--rig-mesh', 'keep', '-q', '--force', '-o', 'dance.vrm')
            self.assertEqual(run('preview', 'dance.vrm', '-q', '--force', '-o', 'page.html', cwd=self.folder).returncode, 0)
            found = re.search(r'"front":\{"right":\[([-.\d]+),', read(self.path('page.html')).decode())
            self.assertEqual(float(found.group(1)) if found else 1.0, 1, version)

    def test_roles_that_are_not_known_are_named(self):
        write(self.path('in.bvh'), MOVING)
        p = self.convert('in.bvh', '--scale', '0.01', '-o', 'x.vrma', status=1)
        self.assertRegex(p.err, r'reanima: in.bvh: it is not known which joints are hips, spine, head, arms and legs')
        names = write(self.path('names.csv'), 'joint,0,bone000,helper\njoint,1,bone001,helper\n')
        p = self.convert(PACK, '--clip', '0', '--names', names, '-o', 'x.vrma', status=1)
        self.assertIn('hrda: it is not known which joint is spine (see --names CSV)\n', p.err)

    def test_what_is_no_joint_of_a_humanoid_is_named(self):
        p = self.convert(PACK, '--clip', '0', '-o', 'x.vrma')
        self.assertIn("hrda: note: a VRM animation can only contain humanoid joints, so these joints are left out: ", p.err)
        p = self.convert(sample('rlf', 'wheel.rlf'), '-o', 'y.vrma', status=1)
        self.assertIn("wheel.rlf: has no joints, but humanoid motion needs joints\n", p.err)

    def test_on_a_rig_proportions_are_the_rigs(self):
        rig_set.write_set(self.path('rigs'), {'r': ('mixamo', 'adult', {'pose': 'A'})})
        self.convert(PACK, '-s', self.path('rigs', 'r.glb'), '--clip', '0', '-q', '-o', 'x.vrma')
        found = self.node('load', self.path('x.vrma'))[self.path('x.vrma')]
        self.assertIn('upperChest', found['rotations'])
        self.assertIn('leftIndexProximal', found['rotations'])


class OneClipEach(Outputs):
    """Formats whose files contain one clip, and all that convert does with outputs."""

    def test_several_clips_need_a_folder(self):
        p = self.convert(PACK, '-o', 'x.bvh', status=2)
        self.assertRegex(p.err, r'(?m)^reanima: -o x.bvh: a file of this format contains one clip, but there are \d+. Choose one with --clip, or use -o FOLDER/ for all\n$')
        self.assertEqual(self.files(), [])
        self.convert(PACK, '-q', '--clip', '0', '-o', 'x.bvh')
        self.assertEqual(self.files(), ['x.bvh'])

    def test_the_name_and_the_option_agree(self):
        p = self.convert(PACK, '--clip', '0', '--as', 'bvh', '-o', 'x.glb', status=2)
        self.assertEqual(p.err, 'reanima: -o x.glb: expected FOLDER/, - (standard output), or a name that ends in .bvh\n')
        self.convert(PACK, '-q', '--as', 'gltf', '-o', 'two/')
        self.assertEqual([os.path.splitext(f)[1] for f in self.files()], ['.bin', '.gltf', '.png', '.png'])

    def test_inputs_and_reports_are_not_replaced(self):
        shutil.copy(PACK, self.path('hrda'))
        shutil.copy(sample('ff7', 'hraa'), self.path('hraa'))
        self.convert(PACK, '--clip', '1', '-q', '-o', 'hrda_hrda_000.bvh')
        before = read(self.path('hrda_hrda_000.bvh'))
        for option in ('--force', '--if-changed'):
            p = self.convert('hrda', 'hrda_hrda_000.bvh', '--as', 'bvh', option, status=1)
            self.assertIn('hrda_hrda_000.bvh: the output is an input\n', p.err)
            self.assertEqual(read(self.path('hrda_hrda_000.bvh')), before)
        p = self.convert('hrda', '--as', 'bvh', '-o', 'out/', '--report', 'out/hrda_hrda_002.bvh', status=2)
        self.assertIn('the output is an input', p.err)

    def test_clips_that_last_for_ages_are_refused(self):
        for seconds in (2.0 ** 59, 1e25):
            glb = Glb(self.source_of(PACK))
            times = glb.json['animations'][0]['samplers'][0]['input']
            struct.pack_into('<f', glb.data, glb.start(times) + 4 * (glb.json['accessors'][times]['count'] - 1), seconds)
            glb.write(self.path('ages.glb'))
            p = run('convert', self.path('ages.glb'), '-o', self.path('ages.bvh'), '--force')
            self.assertIn(p.returncode, (1, 4), p.err)

    def source_of(self, pack):
        self.check(run('convert', pack, '--clip', '0', '--no-mesh', '-q', '--force', '-o', self.path('source.glb')), 0)
        return self.path('source.glb')

    def test_standard_output(self):
        p = self.convert(PACK, '--clip', '0', '-q', '--as', 'bvh', '-o', '-')
        self.convert(PACK, '--clip', '0', '-q', '-o', 'x.bvh')
        self.assertEqual(p.stdout, read(self.path('x.bvh')))

    def test_outputs_are_listed_reported_kept_and_pruned(self):
        args = [PACK, '--as', 'bvh', '-o', 'out/', '--report', 'report.jsonl', '--depfile', 'deps']
        listed = self.convert(PACK, '--as', 'bvh', '-o', 'out/', '--outputs').stdout.decode().split()
        self.convert(*args, '-q')
        made = [f for f in self.files() if f.startswith('out/')]
        self.assertEqual(sorted(listed), made)
        with open(self.path('report.jsonl'), encoding='utf-8') as f:
            lines = [line for line in lines_of(f.read()) if 'output' in line]
        self.assertEqual(sorted(line['output'] for line in lines), made)
        for line in lines:
            self.assertEqual((line['status'], line['clips'], line['bytes']), ('ok', 1, os.path.getsize(self.path(line['output']))))
        with open(self.path('deps'), encoding='utf-8') as f:
            rule = f.read()
        for name in made:
            self.assertIn(name, rule.split(':')[0].split())
        # existing outputs are refused, whatever else is missing
        os.remove(self.path(made[0]))
        p = self.convert(PACK, '--as', 'bvh', '-o', 'out/', status=2)
        self.assertIn('%s: exists; --force replaces it\n' % made[1], p.err)
        self.assertFalse(os.path.exists(self.path(made[0])))
        # up-to-date outputs stay
        stamp = os.stat(self.path(made[1])).st_mtime_ns
        os.remove(self.path(made[2]))
        p = self.convert(*args, '--if-changed')
        self.assertEqual(os.stat(self.path(made[1])).st_mtime_ns, stamp)
        with open(self.path('report.jsonl'), encoding='utf-8') as f:
            status = {line['output']: line['status'] for line in lines_of(f.read()) if 'output' in line}
        self.assertEqual([status[made[i]] for i in range(3)], ['ok', 'skipped', 'ok'])
        p = self.convert(*args, '--if-changed')
        self.assertIn('1 unchanged', p.err)
        # outputs that an earlier run made and this one does not
        shutil.copy(self.path('report.jsonl'), self.path('before.jsonl'))
        write(self.path(made[3]), b'edited')
        self.convert(PACK, '--clip', '0', '--as', 'bvh', '-o', 'out/', '--force', '-q', '--prune', 'before.jsonl')
        self.assertEqual([f for f in self.files() if f.startswith('out/')], [made[0], made[3]])
        # a folder without files may be an unmounted disk
        os.mkdir(self.path('empty'))
        p = self.convert('empty', '--as', 'bvh', '-o', 'out/', '--prune', 'before.jsonl')
        self.assertIn('nothing to convert was found, so nothing is pruned; an output of an earlier run stays\n', p.err)
        self.assertEqual([f for f in self.files() if f.startswith('out/')], [made[0], made[3]])

    def test_a_job_file_says_it_too(self):
        job = {'schema': 1, 'inputs': [PACK], 'output': 'clips/', 'options': {'as': 'bvh', 'clip': '0-1', 'quiet': True}}
        del job['options']['quiet']
        write(self.path('x.reanima.json'), json.dumps(job))
        self.convert('x.reanima.json', '-q')
        self.assertEqual(len([f for f in self.files() if f.startswith('clips/') and f.endswith('.bvh')]), 2)

    def test_options_about_meshes_mean_nothing(self):
        for option, message in (('--proxy-mesh', 'reanima: --proxy-mesh: has no effect on a .bvh, which contains only motion\n'),
                                ('--compact', 'reanima: --compact: has no effect on a .bvh, which contains only motion\n')):
            self.assertEqual(self.convert(PACK, option, '--clip', '0', '-o', 'x.bvh', status=2).err, message)

    def test_what_has_no_clip_is_an_error(self):
        p = self.convert(sample('ff7', 'hraa'), '--no-companion', '-o', 'x.bvh', status=1)
        self.assertIn('contains no clip with joints, so there is nothing to write into a .bvh\n', p.err)

    def test_joints_at_ends_are_written_too(self):
        self.convert(PACK, '--clip', '0', '--end-joints', '-q', '-o', 'x.bvh')
        self.convert(PACK, '--clip', '0', '--end-joints', '-q', '-o', 'x.glb')
        bvh, scene = Bvh(self.path('x.bvh')), Scene(read(self.path('x.glb')))
        self.assertTrue([n for n in bvh.names if n.endswith('_end')])
        self.assertLess(self.worst(places_of(bvh), scene, scene.g['animations'][0]['name'], bvh.rate), TENTH)

    def test_two_jobs_never_write_one_file(self):
        for name, clip in (('a', 'b_c'), ('a_b', 'c')):
            write(self.path('in', name + '.bvh'), 'HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nJOINT top\n{\nOFFSET 0 90 0\n'
                  'CHANNELS 3 Xrotation Yrotation Zrotation\nEnd Site\n{\nOFFSET 0 80 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0\n0 0 9 0 0 9\n')
        p = self.convert(self.path('in', 'a.bvh'), self.path('in', 'a_b.bvh'), '--as', 'bvh', '-o', 'out/', '-j', '1', '--force', '--names',
                         write(self.path('names.csv'), 'clip,0,b_c,a.bvh\nclip,0,c,a_b.bvh\n'), status=1)
        self.assertIn('a_b_c.bvh: two outputs would be written there, from %s and from %s\n' % (self.path('in', 'a.bvh'), self.path('in', 'a_b.bvh')), p.err)

    def test_a_rig_moves_as_in_its_own_file(self):
        rig_set.write_set(self.path('rigs'), {'r': ('mixamo', 'adult', {'pose': 'A'})})
        rig = self.path('rigs', 'r.glb')
        self.convert(PACK, '-s', rig, '--clip', '0', '-q', '-o', 'r.glb')
        p = self.convert(PACK, '-s', rig, '--clip', '0', '-o', 'r.bvh')
        self.assertIn("hrda: warning: a BVH file can't move joints relative to their parents, so these joints stay in place: weapon000 (1 joint)\n", p.err)
        scene, bvh = Scene(read(self.path('r.glb'))), Bvh(self.path('r.bvh'))
        clip = scene.g['animations'][0]['name']
        names = {n.replace(':', ':') for n in bvh.names}
        self.assertIn('mixamorig:Hips', names)
        self.assertLess(self.worst(places_of(bvh), scene, clip, bvh.rate, ['weapon000']), TENTH)


if __name__ == '__main__':
    unittest.main()
