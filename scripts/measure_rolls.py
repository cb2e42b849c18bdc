#!/usr/bin/env python3
"""Measures the roll of bound joints: motion of Final Fantasy VII and IX against the Metroid Prime clip of the same capture.

    scripts/measure_rolls.py TOOL RIG... [--motion FOLDER] [--captures NAME,...] [--options TEXT] [--each]

Files of Metroid Prime store a rest pose, files of Final Fantasy VII and IX do not, so the bound Metroid clip is the
reference. Every clip is bound without a mapping: an FF7 pack as a whole, other files one by one. For each part of the
body, the table lists by how many degrees its bone is rolled relative to the reference, over all frames that both files
have. The number is the mean absolute angle over all rigs and clips.

TOOL        the command `reanima`
RIG         a humanoid in a .glb or .gltf
--motion    captures in the formats of the three games, as in tests/data/motion (default)
--options   more options of `convert`
--each      a line per rig, too
"""
import argparse, glob, json, math, os, subprocess, sys, tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'data', 'conformance'))
sys.dont_write_bytecode = True
from run import Scene                             # noqa: E402  reads a .glb and computes world transforms

# part -> the captures' names of its joint, and of another joint in line with its bone
PARTS = {'head': (('Head',), ('Neck1', 'Neck')), 'hand': (('Hand', 'Wrist'), ('ForeArm', 'Elbow')),
         'foot': (('Foot', 'Ankle'), ('ToeBase', 'Toes')), 'upper arm': (('Arm', 'Shoulder'), ('ForeArm', 'Elbow')),
         'forearm': (('ForeArm', 'Elbow'), ('Hand', 'Wrist')), 'thigh': (('UpLeg', 'Hip'), ('Leg', 'Knee')),
         'shin': (('Leg', 'Knee'), ('Foot', 'Ankle'))}


def convert(tool, source, rig, out, options):
    report = out + '.json'
    p = subprocess.run([tool, 'convert', source, '-s', rig, '-o', out, '--report', report, '--force', '-q', *options],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode:
        sys.exit('measure_rolls: %s on %s: %s' % (source, rig, p.stderr.decode('utf-8', 'replace').strip()[-300:]))
    with open(out, 'rb') as f, open(report, encoding='utf-8') as r:
        return Scene(f.read()), json.loads(r.readline())['binding']


def turned(m):
    """a matrix -> its rotation as a quaternion w, x, y, z"""
    columns = [[m[r][c] for r in range(3)] for c in range(3)]
    r = [[columns[c][k] / math.hypot(*columns[c]) for c in range(3)] for k in range(3)]
    four = [1 + r[0][0] + r[1][1] + r[2][2], 1 + r[0][0] - r[1][1] - r[2][2], 1 - r[0][0] + r[1][1] - r[2][2], 1 - r[0][0] - r[1][1] + r[2][2]]
    i = four.index(max(four))
    s = 2 * math.sqrt(four[i])
    a, b, c = r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]
    d, e, f = r[0][1] + r[1][0], r[0][2] + r[2][0], r[1][2] + r[2][1]
    return [[s / 4, a / s, b / s, c / s], [a / s, s / 4, d / s, e / s], [b / s, d / s, s / 4, f / s], [c / s, e / s, f / s, s / 4]][i]


def world(scene, animation, time, names):
    done = {}

    def matrix(n):
        if n not in done:
            m = scene.local(n, animation, time)
            if n in scene.parent:
                p = matrix(scene.parent[n])
                m = [[sum(p[r][k] * m[k][c] for k in range(4)) for c in range(4)] for r in range(4)]
            done[n] = m
        return done[n]
    return {n: matrix(scene.node(n)) for n in names}


def roll_between(a, b, axis):
    """the angle from rotation a to rotation b about an axis, in degrees"""
    p, q = turned(a), turned(b)
    w = sum(x * y for x, y in zip(p, q))
    v = [-q[0] * p[1] + p[0] * q[1] - (q[2] * p[3] - q[3] * p[2]), -q[0] * p[2] + p[0] * q[2] - (q[3] * p[1] - q[1] * p[3]),
         -q[0] * p[3] + p[0] * q[3] - (q[1] * p[2] - q[2] * p[1])]
    return (math.degrees(2 * math.atan2(sum(x * y for x, y in zip(v, axis)), w)) + 180) % 360 - 180


def bones_of(binding):
    """[(part, joint of the rig, joint at the other end of its bone)]"""
    follower = {row['source']: row['target'] for row in binding['matched']}
    bones = []
    for part, (here, there) in PARTS.items():
        for side in ('Left', 'Right') if part != 'head' else ('',):
            a, b = ([follower[side + name] for name in names if side + name in follower] for names in (here, there))
            # in captures with separate arms, a shoulder is the collar bone
            if a and b and not (part == 'upper arm' and 'LeftArm' in follower and a[0] == follower.get(side + 'Shoulder')):
                bones.append((part, a[0], b[0]))
    return bones


def compare(right, bones, names, scene, clip, rate, into):
    reference, keys = right
    mine, theirs = scene.animation(clip), reference.animation(0)
    end = min(max(c[0][-1] for c in mine.values()), max(c[0][-1] for c in keys.values()))
    for frame in range(int(end * rate + 1.001)):
        a, b = world(reference, theirs, frame / rate, names), world(scene, mine, frame / rate, names)
        for part, joint, other in bones:
            axis = [a[other][r][3] - a[joint][r][3] for r in range(3)]
            axis = [x / math.hypot(*axis) for x in axis]
            into.setdefault(part, []).append(roll_between(a[joint], b[joint], axis))


def measure(tool, rig, capture, options, folder):
    """{game: {part: [degrees]}}"""
    def at(game, name=''):
        return os.path.join(capture, game, name)

    def starts(game):
        with open(at(game, 'expected.json'), encoding='utf-8') as f:
            return {c['capture_start']: i for i, c in enumerate(c for c in json.load(f)['clips'] if 'capture_start' in c)}
    metroid, seen = starts('metroid'), {'ff7': {}, 'ff9': {}}
    files = sorted(glob.glob(at('metroid', '*.ANIM')))
    right = {}
    for start, index in metroid.items():
        scene, binding = convert(tool, files[index], rig, os.path.join(folder, 'right%d.glb' % index), options)
        right[start] = (scene, scene.animation(0))
    bones = bones_of(binding)
    names = sorted({n for _, a, b in bones for n in (a, b)})
    pack, _ = convert(tool, glob.glob(at('ff7', '*da'))[0], rig, os.path.join(folder, 'ff7.glb'), options)
    for start, index in starts('ff7').items():
        if start in right:
            compare(right[start], bones, names, pack, index, 15, seen['ff7'])
    for start, index in starts('ff9').items():
        scene, _ = convert(tool, sorted(glob.glob(at('ff9', '*.ff9anim')))[index], rig, os.path.join(folder, 'ff9.glb'), options)
        if start in right:
            compare(right[start], bones, names, scene, 0, 30, seen['ff9'])
    return seen


def mean(values):
    return sum(abs(v) for v in values) / len(values)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('tool')
    parser.add_argument('rigs', nargs='+')
    parser.add_argument('--motion', default=os.path.join(ROOT, 'tests', 'data', 'motion'))
    parser.add_argument('--captures')
    parser.add_argument('--options', default='')
    parser.add_argument('--each', action='store_true')
    a = parser.parse_args()
    wanted = a.captures.split(',') if a.captures else None
    line = '%-14s %-5s ' + ' %14s' * len(PARTS)
    print(line % ('capture', 'game', *PARTS))
    for capture in sorted(d for d in glob.glob(os.path.join(a.motion, '*')) if os.path.isdir(d)):
        name = os.path.basename(capture)
        if wanted and name not in wanted:
            continue
        all_of_them = {}
        for rig in a.rigs:
            with tempfile.TemporaryDirectory() as folder:
                seen = measure(a.tool, rig, capture, a.options.split(), folder)
            for game, parts in seen.items():
                if a.each:
                    print(line % (os.path.basename(rig)[:14], game, *('%.1f' % mean(parts[p]) if p in parts else '-' for p in PARTS)))
                for part, values in parts.items():
                    all_of_them.setdefault(game, {}).setdefault(part, []).extend(values)
        for game, parts in all_of_them.items():
            print(line % (name, game, *('%.1f (%4.0f)' % (mean(parts[p]), max(map(abs, parts[p]))) if p in parts else '-' for p in PARTS)))


if __name__ == '__main__':
    main()
