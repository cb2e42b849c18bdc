#!/usr/bin/env python3
"""Every family of rigs bound without a mapping: limbs, the hips' path, the ground, directions, feet.

    REANIMA=build/release/reanima tests/tools/families_test.py           each family once
    REANIMA_LONG=1 ...                                                   T and A pose, adult, child and giant: 150 rigs, six inputs
"""
import json, math, os, unittest

from support import Case, DATA, Scene, read, run
import rig_set

LONG = os.environ.get('REANIMA_LONG') == '1'
ROLES = {'LeftUpLeg': 'leftUpperLeg', 'LeftLeg': 'leftLowerLeg', 'LeftFoot': 'leftFoot', 'LeftArm': 'leftUpperArm', 'LeftForeArm': 'leftLowerArm', 'LeftHand': 'leftHand'}
ROLES.update({k.replace('Left', 'Right'): v.replace('left', 'right') for k, v in ROLES.items()})
SEGMENTS = [(s + a, s + b) for s in ('left', 'right') for a, b in (('UpperArm', 'LowerArm'), ('LowerArm', 'Hand'), ('UpperLeg', 'LowerLeg'), ('LowerLeg', 'Foot'))]
INPUTS = [(capture, letters, game, letters + first, rate) for capture, letters in (('cmu_01_01', 'ma'), ('cmu_01_03', 'mb'))
          for game, first, rate in (('ff7', 'da', 15), ('ff9', '_0.ff9anim', 30), ('metroid', '_0.ANIM', 30))]


class Source:
    """Positions of the body's parts in every frame, as stored in the file, without a rig."""

    def __init__(self, test, capture, letters, game, name, rate):
        self.path = os.path.join(DATA, 'motion', capture, game, name)
        with open(os.path.join(DATA, 'motion', capture, game, 'expected.json'), encoding='utf-8') as f:
            expected = json.load(f)
        self.joint, self.rate = {}, rate
        for joint, capture_joint in zip(expected['joints'], expected.get('capture_joints', expected['joints'])):
            # the files of Final Fantasy VII have no bone that begins in the hand, but for the fingers
            role = ROLES.get(capture_joint.replace('FingerBase', 'Hand')) or {'Hips': 'hips', 'Head': 'head'}.get(capture_joint)
            if role:
                self.joint.setdefault(role, joint)
        out = test.path('%s.glb' % name)
        test.check(run('convert', self.path, '-q', '--force', '-o', out), 0)
        self.scene = Scene(read(out))
        self.frames = frames(self.scene, self.joint, rate)


def frames(scene, names, rate):
    animation = scene.animation(0)
    end = max(channel[0][-1] for channel in animation.values())
    rows = []
    for frame in range(0, int(end * rate + 1.001), 2):
        at = scene.world(animation, frame / rate)
        rows.append({role: at(name) for role, name in names.items()})
    return rows


def leg(row):
    return sum(math.dist(row[s + 'UpperLeg'], row[s + 'LowerLeg']) + math.dist(row[s + 'LowerLeg'], row[s + 'Foot']) for s in ('left', 'right'))


def degrees(a, b):
    lengths = math.hypot(*a) * math.hypot(*b)
    return math.degrees(math.acos(max(-1, min(1, sum(x * y for x, y in zip(a, b)) / lengths))))


class Families(Case):
    def check_rig(self, path, truth, source):
        out, report = self.path('out.glb'), self.path('report.json')
        self.check(run('convert', source.path, '-s', path, '--force', '--rig-mesh', 'omit', '-q', '--report', report, '-o', out), 0)
        binding = json.loads(read(report).decode().splitlines()[0])['binding']
        leader = {row['target']: row['source'] for row in binding['matched']}
        limbs = [role for role in source.joint if role not in ('hips', 'head')]
        self.assertEqual(len(limbs), 12)
        for role in limbs:
            self.assertIn(source.joint[role], [leader.get(joint) for joint in truth['accept'][role]], role)
        scene = Scene(read(out))
        rows = frames(scene, {role: truth['accept'][role][0] for role in source.joint}, source.rate)
        self.assertEqual(len(rows), len(source.frames))
        scale = leg(rows[0]) / leg(source.frames[0])
        path, apart = 0, []
        for was, now in zip(source.frames, rows):
            moved = [scale * (a - b) for a, b in zip(was['hips'], source.frames[0]['hips'])]
            path = max(path, math.dist(moved, [a - b for a, b in zip(now['hips'], rows[0]['hips'])]))
            for a, b in SEGMENTS:
                apart.append(degrees([y - x for x, y in zip(was[a], was[b])], [y - x for x, y in zip(now[a], now[b])]))
        self.assertLess(path, 0.001)                                   # metres
        self.assertLess(sum(apart) / len(apart), 1)
        grounds = {joint: joint for joint, role in truth['joints'].items() if role == 'ground'}
        for now in frames(scene, grounds, source.rate):
            for joint in grounds:
                self.assertLess(math.dist(now[joint], scene.world({}, 0)(joint)), 1e-6, joint)
        feet = binding['feet']
        ratio = feet['slide_mm_per_second'] / feet['source_slide_mm_per_second'] if feet else 1
        if 'cmu_01_01' in source.path:                                 # a climber has no steady stance
            self.assertLess(ratio, 1.5)
            self.slides.append(ratio)
        return path, sum(apart) / len(apart)

    def test_every_family_moves_as_its_source(self):
        sources = [Source(self, *each) for each in INPUTS]
        rigs = {}
        for i, family in enumerate(rig_set.FAMILIES):
            for j, (proportions, pose) in enumerate([(p, q) for p in ('adult', 'child', 'giant') for q in 'TA']):
                if LONG or j == i % 6:
                    rigs['%s-%s-%s' % (family, proportions, pose)] = (family, proportions, {'pose': pose})
        rig_set.write_set(self.path('rigs'), rigs)
        worst_path = worst_apart = count = 0
        self.slides = []
        for i, name in enumerate(rigs):
            with open(self.path('rigs', name + '.truth.json'), encoding='utf-8') as f:
                truth = json.load(f)
            for source in sources if LONG else [sources[i % len(sources)]]:
                with self.subTest(rig=name, source=os.path.basename(source.path)):
                    path, apart = self.check_rig(self.path('rigs', name + '.glb'), truth, source)
                    worst_path, worst_apart, count = max(worst_path, path), max(worst_apart, apart), count + 1
        print('%d bindings: 12 of 12 limbs, hips %.3f mm and limbs %.3f degrees off at most; feet slide %.2f times the source\'s at most' %
              (count, worst_path * 1000, worst_apart, max(self.slides)))


if __name__ == '__main__':
    unittest.main()
