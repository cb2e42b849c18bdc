#!/usr/bin/env python3
"""Makes the sample character in Final Fantasy VII's battle format. Nothing of the game is in it.

    python3 generate.py [EXPECTED.json]

writes `hrda` (animation pack), `hraa` (skeleton) and `hero.names.csv` beside this file. With an argument it also writes
where every joint must be in every frame, computed here from the stored integers, in glTF's axes at scale 1.

The pack has body animations 0 idle (key 0), 1 walk (key 2), 2 attack (key 4), 3 a dummy chunk, 4 a spin in which the
blade turns by 270 degrees a frame, then the weapon animations that belong to them.
Python 3 standard library only; the same bytes every time.
"""
import json, math, os, struct, sys

HERE = os.path.dirname(os.path.abspath(__file__))

# name, parent, length. A bone points along its own -Z, hence the negative lengths; a child starts at its parent's end.
BONES = [
    ('spine', -1, -90.0), ('chest', 0, -150.0), ('neck', 1, -45.0), ('head', 2, -110.0),
    ('collar_l', 1, -70.0), ('upper_arm_l', 4, -130.0), ('forearm_l', 5, -120.0), ('hand_l', 6, -50.0),
    ('collar_r', 1, -70.0), ('upper_arm_r', 8, -130.0), ('forearm_r', 9, -120.0), ('hand_r', 10, -50.0),
    ('hip_l', -1, -55.0), ('thigh_l', 12, -215.0), ('shin_l', 13, -215.0), ('foot_l', 14, -80.0),
    ('hip_r', -1, -55.0), ('thigh_r', 16, -215.0), ('shin_r', 17, -215.0), ('foot_r', 18, -80.0),
]
INDEX = {b[0]: i for i, b in enumerate(BONES)}
HIP_HEIGHT = 466


# ------------------------------------------------------------------ rotations: R = Ry * Rx * Rz, raw axes (Y down, front -Z)
def matmul(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def transposed(m):
    return [list(r) for r in zip(*m)]


def apply(m, v):
    return [sum(m[i][k] * v[k] for k in range(3)) for i in range(3)]


def from_angles(x, y, z):
    """angles in 1/4096 turn -> matrix"""
    cx, sx, cy, sy, cz, sz = (f(a * math.pi / 2048) for a in (x, y, z) for f in (math.cos, math.sin))
    ry = [[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]]
    rx = [[1, 0, 0], [0, cx, -sx], [0, sx, cx]]
    rz = [[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]]
    return matmul(ry, matmul(rx, rz))


def to_angles(m, near):
    """matrix -> angles in 1/4096 turn: of both solutions, the one nearest to the angles before"""
    x = math.asin(max(-1, min(1, -m[1][2])))
    if abs(m[1][2]) > 0.9999:
        y, z = math.atan2(-m[2][0], m[0][0]), 0.0
    else:
        y, z = math.atan2(m[0][2], m[2][2]), math.atan2(m[1][0], m[1][1])
    turn = lambda a: a * 2048 / math.pi
    best = None
    for a in ((x, y, z), (math.pi - x, y + math.pi, z + math.pi)):
        a = [turn(v) for v in a]
        a = [v + 4096 * round((n - v) / 4096) for v, n in zip(a, near)]
        cost = sum(abs(v - n) for v, n in zip(a, near))
        if best is None or cost < best[0]:
            best = cost, a
    return best[1]


def unit(v):
    n = math.sqrt(sum(c * c for c in v))
    return [c / n for c in v]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def pointing(direction):
    """rotation that turns -Z to a direction; X stays as near to the figure's X as it can (Y for bones along X)"""
    z = [-c for c in unit(direction)]
    if abs(z[0]) < 0.9:
        y = unit(cross(z, (1.0, 0.0, 0.0)))
        x = cross(y, z)
    else:
        x = unit(cross((0.0, 1.0, 0.0), z))
        y = cross(z, x)
    return transposed([x, y, z])


# ------------------------------------------------------------------ the motion, as directions of bones
def figure(stride=0.0, knees=(0.0, 0.0), arms=(0.1, -0.1), elbows=(0.3, 0.3), lean=0.0, raise_right=0.0, breath=0.0):
    """directions of all bones: up is -Y, forward is -Z, the figure's left is +X"""
    swing = lambda a, out=0.0: (out, math.cos(a), -math.sin(a))          # a from straight down to the front
    up = (0.0, -math.cos(lean), -math.sin(lean))
    d = {'spine': up, 'chest': (0.0, -math.cos(lean + breath), -math.sin(lean + breath)), 'neck': up, 'head': (0.0, -1.0, -0.1)}
    for side, s, a, e, hip, k in (('l', 1, arms[0], elbows[0], stride, knees[0]), ('r', -1, arms[1], elbows[1], -stride, knees[1])):
        a += raise_right if side == 'r' else 0.0
        d['collar_' + side] = (s * 1.0, -0.05, 0.0)
        d['upper_arm_' + side] = swing(a, s * 0.18)
        d['forearm_' + side] = swing(a + e, s * 0.08)
        d['hand_' + side] = swing(a + e + 0.1, s * 0.02)
        d['hip_' + side] = (s * 1.0, 0.05, 0.0)
        d['thigh_' + side] = swing(hip + k * 0.5, s * 0.04)
        d['shin_' + side] = swing(hip - k * 0.6, s * 0.02)
        d['foot_' + side] = (s * 0.1, 0.25, -1.0)
    return d


def idle(f, n):
    t = 2 * math.pi * f / n
    return figure(breath=0.03 * math.sin(t), arms=(0.08 + 0.03 * math.sin(t), 0.15)), (0, 3 * math.sin(t), 0), 0


def walk(f, n):
    t = 2 * math.pi * f / n
    return (figure(stride=0.5 * math.sin(t), knees=(0.5 - 0.5 * math.cos(t + 0.6), 0.5 + 0.5 * math.cos(t + 0.6)),
                   arms=(-0.45 * math.sin(t), 0.45 * math.sin(t)), elbows=(0.5, 0.5), lean=0.06),
            (0, 8 * math.cos(2 * t), -38 * f), 0)


def attack(f, n):
    u = f / (n - 1)
    lift = 2.6 * math.sin(math.pi * min(1, u * 1.6)) ** 2
    return (figure(stride=0.35 * math.sin(math.pi * u), knees=(0.5 * u, 0.3), lean=0.25 * math.sin(math.pi * u), raise_right=lift),
            (0, 20 * math.sin(math.pi * u), -60 * math.sin(math.pi * u)), 0)


def spin(f, n):
    return figure(knees=(0.6, 0.6), arms=(1.2, 1.2), elbows=(0.1, 0.1)), (0, 40, 0), 512 * f


ANIMATIONS = [(idle, 24, 0), (walk, 17, 2), (attack, 15, 4), None, (spin, 16, 4)]      # None: the dummy chunk


def stored_animation(move, count, key):
    """-> frames as stored: (translation, triples), and of the weapon"""
    step = 1 << key
    frames, weapon = [], []
    before = [[0.0, 0.0, 0.0] for _ in range(len(BONES) + 1)]
    for f in range(count):
        directions, shift, turn = move(f, count)
        translation = [round(shift[0]), round(-HIP_HEIGHT + shift[1]), round(shift[2])]
        triples = [[0, turn, 0]]
        world = {-1: from_angles(0, turn, 0)}
        whole_turn = world[-1]
        for b, (name, parent, _) in enumerate(BONES):
            wanted = matmul(whole_turn, pointing(directions[name]))
            angles = to_angles(matmul(transposed(world[parent]), wanted), before[b + 1])
            triples.append([round(a / step) * step for a in angles])
            world[b] = matmul(world[parent], from_angles(*triples[-1]))
        before = [[float(v) for v in t] for t in triples]
        frames.append((translation, triples))
        # The weapon lies at the end of the right hand; the game stores it in model space, not below the hand.
        _, ends = positions(translation, triples)
        hand = world[INDEX['hand_r']]
        if move is spin:
            angles = [1024, 1536 * f, -1536 * f]           # about one axis, together 270 degrees a frame
        else:
            angles = [round(a / step) * step for a in to_angles(hand, weapon[-1][1][0] if weapon else (0, 0, 0))]
        weapon.append(([round(v) for v in ends[INDEX['hand_r']]], [angles]))
    return frames, weapon


# ------------------------------------------------------------------ where everything is
def positions(translation, triples):
    """-> starts of root and bones, ends of the bones; raw axes"""
    world, starts, ends = {-1: from_angles(*triples[0])}, [list(map(float, translation))], []
    for b, (_, parent, length) in enumerate(BONES):
        start = ends[parent] if parent >= 0 else starts[0]
        world[b] = matmul(world[parent], from_angles(*triples[b + 1]))
        along = apply(world[b], (0, 0, length))
        starts.append(start)
        ends.append([start[k] + along[k] for k in range(3)])
    return starts, ends


def gltf_axes(p):
    return [p[0], -p[1], -p[2]]


# ------------------------------------------------------------------ the encoder: always the shortest code
class Bits:
    def __init__(self):
        self.value, self.count = 0, 0

    def put(self, value, width):
        self.value = self.value << width | (value & ((1 << width) - 1))
        self.count += width

    def bytes(self):
        fill = -self.count % 8
        return (self.value << fill).to_bytes((self.count + fill) // 8, 'big')


def signed(value, width):
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def encode(frames, key):
    bits, width = Bits(), 12 - key
    for f, (translation, triples) in enumerate(frames):
        for k in range(3):
            if f == 0:
                bits.put(translation[k], 16)
                continue
            change = signed(translation[k] - frames[f - 1][0][k], 16)
            short = -64 <= change <= 63
            bits.put(0 if short else 1, 1)
            bits.put(change, 7 if short else 16)
        for t, triple in enumerate(triples):
            for k in range(3):
                if f == 0:
                    bits.put(triple[k] >> key, width)
                    continue
                change = signed((triple[k] - frames[f - 1][1][t][k]) >> key, width)
                if change == 0:
                    bits.put(0, 1)
                elif change == -1:
                    bits.put(0b1000, 4)
                elif -64 <= change <= 63:
                    c = (change if change > 0 else -change - 1).bit_length()
                    bits.put(0b1000 | c, 4)
                    bits.put(change - (1 << (c - 1)) if change > 0 else change + (1 << (c - 1)), c)
                else:
                    bits.put(0b1111, 4)
                    bits.put(change, width)
    return bits.bytes()


def entry(frames, key):
    stream = encode(frames, key)
    chunk = struct.pack('<HHB', len(frames), len(stream), key) + stream
    chunk += bytes(-len(chunk) % 4)
    return struct.pack('<III', len(frames[0][1]), len(frames), len(chunk)) + chunk


def special(bones, chunk):
    return struct.pack('<III', bones, 0, len(chunk)) + chunk


def main():
    made = [None if a is None else (*stored_animation(*a), a[2]) for a in ANIMATIONS]
    pack = struct.pack('<I', 2 * len(made))
    pack += b''.join(special(len(BONES) + 1, b'\x0b\x2c\x00\x00') if m is None else entry(m[0], m[2]) for m in made)
    pack += b''.join(special(1, b'\x0b\x2c\x00\x00') if m is None else entry(m[1], m[2]) for m in made)
    skeleton = struct.pack('<13I', 2, 1, 1, len(BONES), 0, 0, 0, len(made), len(made), 1, len(made), 0, 0)
    skeleton += b''.join(struct.pack('<ifI', parent, length, 1) for _, parent, length in BONES)
    names = ''.join('clip,%d,%s\n' % (i, a[0].__name__) for i, a in enumerate(ANIMATIONS) if a)
    names += ''.join('joint,%d,%s\n' % (i, b[0]) for i, b in enumerate(BONES)) + 'joint,weapon000,sword\n'
    for name, data in (('hrda', pack), ('hraa', skeleton), ('hero.names.csv', names.encode())):
        with open(os.path.join(HERE, name), 'wb') as f:
            f.write(data)
    if len(sys.argv) > 1:
        joints = ['root'] + ['bone%03d' % i for i in range(len(BONES))] + ['weapon000']
        clips = []
        for i, m in enumerate(made):
            if m is None:
                continue
            frames = [[gltf_axes(p) for p in positions(t, r)[0]] + [gltf_axes(w[0])] for (t, r), w in zip(m[0], m[1])]
            clips.append(dict(name='hrda_%03d' % i, frames=[dict(time=f / 15, positions=[[round(v, 4) for v in p] for p in at])
                                                            for f, at in enumerate(frames)]))
        with open(sys.argv[1], 'w') as f:
            json.dump(dict(rate=15, joints=joints, clips=clips), f, separators=(',', ':'))
            f.write('\n')


if __name__ == '__main__':
    main()
