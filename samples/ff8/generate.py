#!/usr/bin/env python3
"""Makes the sample monsters in Final Fantasy VIII's format. Nothing of the game is in it.

    python3 generate.py [FOLDER]

writes beside this file
    c0m900.dat    the person: 0 idle, 1 walk (a foot stands still in every step), 2 attack, 3 spin
    c0m901.dat    a flag of four bones: 0 waves and grows, 1 has no frames
With an argument it also writes to that folder where every joint must be in every frame, computed here from the stored integers, in
glTF's axes at scale 1. Python 3 standard library only; the same bytes every time.
"""
import os, struct, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, '..'))
from figure import BONES, HIP_HEIGHT, apply, attack, from_yxz, gltf_axes, idle, matmul, pointing, spin, to_yxz, transposed, walk
from writing import LowBits, frames_of, padded, write_expected, write_files

MODEL_SCALE = 128                                       # of 4096
UNIT = 640 / 512 * 4096 / MODEL_SCALE                   # stored units of length in one of the figure
STEP = 16                                               # stored units of length in one of translation
# name, parent, length; a bone starts at its parent's end. Bone 0 turns the figure.
JOINTS = [('root', -1, 0)] + [(name, parent + 1, round(length * UNIT)) for name, parent, length in BONES]
FEET = [j for j, (name, _, _) in enumerate(JOINTS) if name in ('foot_l', 'foot_r')]
MOVES = [(idle, 24), (walk, 17), (attack, 15), (spin, 16)]
FLAG = [('pole', -1, -3000), ('cloth', 0, -2000), ('tip', 1, -1500), ('bell', 0, 0)]
RATE = 15


# ------------------------------------------------------------------ where everything is
def positions(frame, joints):
    """in stored units of length; every bone's scale multiplies its parent's"""
    translation, angles, scales = frame
    world, size, places, ends = [], [], [], []
    for j, (_, parent, length) in enumerate(joints):
        own = [v / 1024 for v in scales[j]] if scales else [1, 1, 1]
        size.append([a * b for a, b in zip(own, size[parent])] if j else own)
        world.append(matmul(world[parent], from_yxz(*angles[j])) if j else from_yxz(*angles[j]))
        places.append(ends[parent] if j else [STEP * v for v in translation])
        along = apply(world[j], (0, 0, length * size[j][2]))
        ends.append([p + a for p, a in zip(places[j], along)])
    return places


def stored_animation(move, count):
    """-> per frame: (translation, angles of all joints, no scales)"""
    frames, before = [], [[0.0, 0.0, 0.0]] * len(JOINTS)
    for f in range(count):
        directions, shift, turn = move(f, count)
        angles, world = [[0, turn, 0]], [from_yxz(0, turn, 0)]
        for j, (name, parent, _) in enumerate(JOINTS[1:], 1):
            wanted = matmul(world[0], pointing(directions[name]))
            angles.append([round(a) for a in to_yxz(matmul(transposed(world[parent]), wanted), before[j])])
            world.append(matmul(world[parent], from_yxz(*angles[j])))
        before = angles
        frames.append(([round(s * UNIT / STEP) for s in (shift[0], shift[1] - HIP_HEIGHT, shift[2])], angles, None))
    return frames


def planted(frames):
    """the same, moved so that in every step the lower foot stays where it was"""
    moved = [frames[0]]
    for _, angles, _ in frames[1:]:
        was, now = positions(moved[-1], JOINTS), positions(((0, 0, 0), angles, None), JOINTS)
        foot = max(FEET, key=lambda j: now[j][1])
        moved.append(([round((a - b) / STEP) for a, b in zip(was[foot], now[foot])], angles, None))
    return moved


def waving():
    """scales along all axes alike, and a bone without children that is stretched"""
    frames = []
    for f in range(6):
        scales = [[1024, 1024, 1024], [1024 + 64 * f] * 3, [1024, 1024, 1024], [512, 1024 + 100 * f, 1024]] if f > 1 else None
        frames.append(([8 * f, -300, -9000 * (f % 2)], [[1024, 700 * f, 0], [40 * f, 0, 0], [-300 * f, 5, 0], [0, 4096 * f // 6, 2000]], scales))
    return frames


# ------------------------------------------------------------------ the encoder
def put_coded(bits, change, widths, least=0):
    """the narrowest width, or a wider one"""
    code = next(c for c, w in enumerate(widths) if c >= least and -(1 << w - 1) <= change < 1 << w - 1)
    bits.put(code, 2)
    bits.put(change, widths[code])


def stream(frames, tail=0, wide=()):
    """wide: numbers of values that are stored one width above the narrowest, or as a change of 0"""
    bits, number = LowBits('B'), 0
    for f, (translation, angles, scales) in enumerate(frames):
        for k in range(3):
            put_coded(bits, translation[k] - (frames[f - 1][0][k] if f else 0), (3, 6, 9, 16), number in wide)
            number += 1
        bits.put(1 if scales else 0, 1)
        for j, triple in enumerate(angles):
            for k in range(3):
                change = (triple[k] - (frames[f - 1][1][j][k] if f else 0) + 2048) % 4096 - 2048
                bits.put(change != 0 or number in wide, 1)
                if change or number in wide:
                    put_coded(bits, change, (3, 6, 8, 12), number in wide)
                number += 1
            for v in scales[j] if scales else ():
                bits.put(v != 1024 or number in wide, 1)
                if v != 1024 or number in wide:
                    bits.put(v - 1024, 16)
                number += 1
    bits.put(tail, -bits.count % 8)
    return bytes([len(frames)]) + bits.bytes()


def table(parts, start):
    """the number of parts, their offsets, and the parts"""
    at, offsets = start, []
    for part in parts:
        offsets.append(at)
        at += len(part)
    return offsets, at, b''.join(parts)


def skeleton(joints, scale, junk=0):
    head = struct.pack('<BBhHH3hH', len(joints), junk % 2, scale, 300 + junk, 1100 + junk, -16272, 2055, junk, 0)
    bones = b''.join(struct.pack('<Hh3h', parent % 65536, length, 0, 0, 0) + bytes(38) for _, parent, length in joints[:-1])
    return head + bones + struct.pack('<Hh3h', joints[-1][1], joints[-1][2], junk, 0, junk) + bytes(30) + struct.pack('<Q', junk)


def motion(animations):
    offsets, _, data = table(animations, 4 + 4 * len(animations))
    return padded(struct.pack('<%dI' % (1 + len(animations)), len(animations), *offsets) + data)


def name_of(text):
    """section 7: the monster's name in 24 bytes, then values"""
    return bytes(ord(c) - 65 + 0x45 if c.isupper() else ord(c) - 97 + 0x5F for c in text).ljust(24, b'\0') + bytes(360)


def monster(joints, scale, animations, name, junk=0):
    sections = [skeleton(joints, scale, junk), struct.pack('<II', 0, 0), motion(animations), b'', struct.pack('<II', 8, 8), bytes(4), name_of(name), bytes(16), b'', b'', struct.pack('<II', 0, 8)]
    offsets, end, data = table(sections, 4 * (len(sections) + 2))
    return struct.pack('<%dI' % (len(sections) + 2), len(sections), *offsets, end) + data


def main():
    made = [(move.__name__, planted(stored_animation(move, count)) if move is walk else stored_animation(move, count)) for move, count in MOVES]
    write_files(HERE, {'c0m900.dat': monster(JOINTS, MODEL_SCALE, [stream(frames) for _, frames in made], 'Hero'),
                       'c0m901.dat': monster(FLAG, 606, [stream(waving(), 0x5A, (1, 3, 9, 40)) + b'\0', stream([]) + b'\0'], 'Flag', 12345)})
    for folder in sys.argv[1:]:
        expect(folder, 'ff8', 'ff8/c0m900.dat', JOINTS, MODEL_SCALE, [frames for _, frames in made])
        expect(folder, 'ff8_flag', 'ff8/c0m901.dat', FLAG, 606, [waving()])


def expect(folder, name, sample, joints, scale, animations):
    """where every joint must be, in the game's units"""
    places = lambda frames: [[gltf_axes([v * scale / 4096 for v in p]) for p in positions(frame, joints)] for frame in frames]
    clips = [dict(name='%s_%03d' % (os.path.basename(sample)[:-4], i), frames=frames_of(places(frames), RATE)) for i, frames in enumerate(animations)]
    write_expected(os.path.join(folder, name + '_expected.json'), {sample: {c['name']: c['name'] for c in clips}}, RATE, ['bone%03d' % j for j in range(len(joints))], clips)


if __name__ == '__main__':
    main()
