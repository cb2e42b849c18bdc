#!/usr/bin/env python3
"""World rotations and positions of the .glb against the stored angles, which are multiplied here as matrices."""
import json, math, os, unittest

from geometry import product, rotation_in_world
from support import Case, DATA, Scene, read, run, sample


def about(axis, angle):
    c, s = math.cos(angle * math.pi / 2048), math.sin(angle * math.pi / 2048)
    return {'x': [[1, 0, 0], [0, c, -s], [0, s, c]], 'y': [[c, 0, s], [0, 1, 0], [-s, 0, c]], 'z': [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[axis]


FLIP = [[1, 0, 0], [0, -1, 0], [0, 0, -1]]                    # half a turn about X: Y down -> Y up


class Ff7(Case):
    def test_every_rotation_in_every_frame(self):
        for capture in ('cmu_01_01', 'cmu_01_03'):
            folder = os.path.join(DATA, 'motion', capture, 'ff7')
            pack = next(os.path.join(folder, n) for n in sorted(os.listdir(folder)) if n.endswith('da'))
            skeleton = pack[:-2] + 'aa'
            out = self.path(capture + '.glb')
            self.assertEqual(run('convert', pack, '--scale', '1', '-o', out).returncode, 0)
            scene = Scene(read(out))
            parents = [j['parent'] for j in json.loads(run('dump', skeleton).stdout)['joints']]
            worst, compared = 0, 0
            animations = [a for a in json.loads(run('dump', pack).stdout)['animations'] if a['kind'] == 'animation']
            self.assertEqual(len(animations), len(scene.g['animations']))
            for number, stored in enumerate(animations):
                anim = scene.animation(number)
                for f, frame in enumerate(stored['frames']):
                    euler = lambda t: product(about('y', t[1]), product(about('x', t[0]), about('z', t[2])))
                    world = {None: euler(frame['rotations'][0])}
                    for b, parent in enumerate(parents):
                        world[b] = product(world[parent], euler(frame['rotations'][b + 1]))
                    for b in range(len(parents)):
                        want = product(FLIP, product(world[b], FLIP))
                        have = rotation_in_world(scene, anim, f / 15, scene.node('bone%03d' % b))
                        worst = max(worst, max(abs(want[i][j] - have[i][j]) for i in range(3) for j in range(3)))
                        compared += 1
            print('%s: %d rotations, worst matrix element off by %.2g' % (capture, compared, worst))
            self.assertLess(worst, 5e-6)


class Ff9(Case):
    def test_every_rotation_in_every_frame(self):
        for capture in ('cmu_01_01', 'cmu_01_03'):
            folder = os.path.join(DATA, 'motion', capture, 'ff9')
            worst, compared = 0, 0
            for block in sorted(n for n in os.listdir(folder) if n.endswith('.ff9anim')):
                out = self.path(block + '.glb')
                self.assertEqual(run('convert', os.path.join(folder, block), '--scale', '1', '-o', out).returncode, 0)
                scene = Scene(read(out))
                anim = scene.animation(0)
                model = os.path.join(folder, block.split('_')[0] + '.ff9model')
                parents = [j['parent'] for j in json.loads(run('dump', model).stdout)['joints']]
                for f, angles in enumerate(json.loads(run('dump', os.path.join(folder, block)).stdout)['angles']):
                    world = {None: about('x', 0)}
                    for b, parent in enumerate(parents):
                        x, y, z = angles[b]
                        world[b] = product(world[parent], product(about('z', z), product(about('y', y), about('x', x))))
                        want = product(FLIP, product(world[b], FLIP))
                        have = rotation_in_world(scene, anim, f / 30, scene.node('bone%03d' % b))
                        worst = max(worst, max(abs(want[i][j] - have[i][j]) for i in range(3) for j in range(3)))
                        compared += 1
            print('%s: %d rotations, worst matrix element off by %.2g' % (capture, compared, worst))
            self.assertGreater(compared, 1000)
            self.assertLess(worst, 5e-6)


class Metroid(Case):
    def test_every_rotation_at_every_key(self):
        """the quaternions of `dump`, multiplied here; the axes of the output are (-x, z, y)"""
        def rotation(q):
            w, x, y, z = (c / math.sqrt(sum(v * v for v in q)) for c in q)
            return [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
        axes = [[-1, 0, 0], [0, 0, 1], [0, 1, 0]]
        for capture in ('cmu_01_01', 'cmu_01_03'):
            folder = os.path.join(DATA, 'motion', capture, 'metroid')
            worst, compared = 0, 0
            for name in sorted(n for n in os.listdir(folder) if n.endswith('.ANIM')):
                path = os.path.join(folder, name)
                out = self.path(name + '.glb')
                self.check(run('convert', path, '--scale', '1', '-o', out), 0)
                scene = Scene(read(out))
                anim = scene.animation(0)
                dump = json.loads(run('dump', path).stdout)
                channels = {c['bone']: c for c in dump['channels']}
                joints = json.loads(run('dump', path[:-7] + '.CINF').stdout)['joints']
                for key, frame in enumerate(dump['key_frames']):
                    world = {}
                    for j in joints:
                        q = (channels.get(j['id']) or {}).get('rotation')
                        local = rotation(q[key] if q else (1, 0, 0, 0))
                        world[j['index']] = local if j['parent'] is None else product(world[j['parent']], local)
                        want = product(axes, product(world[j['index']], axes))            # the axes' matrix is its own inverse
                        have = rotation_in_world(scene, anim, frame * dump['interval'], scene.node(j['name']))
                        worst = max(worst, max(abs(want[r][c] - have[r][c]) for r in range(3) for c in range(3)))
                        compared += 1
            print('%s: %d rotations, worst matrix element off by %.2g' % (capture, compared, worst))
            self.assertLess(worst, 1e-5)

    def test_samples_between_the_keys_too(self):
        """positions and rotations that the generator computed, at keys and half frames, including turns the long way
        round"""
        for names, file in ((('idle', 'walk', 'spin', 'attack', 'pose'), 'metroid_prime_expected.json'), (('swell', 'rise'), 'metroid_echoes_expected.json')):
            who = 'hero' if len(names) > 2 else 'echo'
            out = self.path(who + '.glb')
            self.check(run('convert', *(sample('metroid', '%s_%s.ANIM' % (who, n)) for n in names), '--scale', '1', '-o', out), 0)
            scene = Scene(read(out))
            expected = json.loads(read(os.path.join(DATA, 'samples', file)))
            clips = {a['name']: i for i, a in enumerate(scene.g['animations'])}
            worst, turned, compared = 0, 0, 0
            for clip in expected['clips']:
                anim = scene.animation(clips[clip['name']])
                extras = scene.g['animations'][clips[clip['name']]]['extras']
                self.assertEqual(extras['loop'], clip['loop'])
                self.assertEqual([(e['name'], e['type'], round(e['time'], 6)) for e in extras['events']],
                                 [(e['name'], e['type'], round(e['time'], 6)) for e in clip.get('events', [])])
                for frame in clip['frames'] + clip['between']:
                    at = scene.world(anim, frame['time'])
                    for name, p, q in zip(expected['joints'], frame['positions'], frame['rotations']):
                        worst = max(worst, math.dist(at(name), p))
                        w, x, y, z = q
                        want = [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)]
                        have = rotation_in_world(scene, anim, frame['time'], scene.node(name))[0]
                        turned = max(turned, max(abs(a - b) for a, b in zip(want, have)))
                        compared += 1
            print('%s: %d joints, worst position off by %.2g m, worst matrix element by %.2g' % (file, compared, worst, turned))
            self.assertLess(worst, 5e-6)
            self.assertLess(turned, 5e-6)


if __name__ == '__main__':
    unittest.main()
