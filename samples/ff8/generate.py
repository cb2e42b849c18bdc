#!/usr/bin/env python3
"""Makes the sample monsters in Final Fantasy VIII's format. Nothing of the game is in it.

    python3 generate.py [FOLDER]

writes beside this file
    c0m900.dat    the person with a sword (object 1): 0 idle, 1 walk (a foot stands still in every step), 2 attack, 3 spin
    c0m901.dat    a flag of five bones: 0 waves and grows, 1 has no frames
With a FOLDER it also writes the expected position of every joint in every frame there, computed from the stored integers, in
glTF's axes at scale 1. Python 3 standard library only; the bytes are the same every time.
"""
import os, struct, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(HERE, '..'), os.path.join(HERE, '..', 'ff7')]
from body import SHAPES, shape_of
from figure import BONES, attack, chained, gltf_axes, idle, posed_move, spin, walk
from picture import BOOTS, COLOURS, FACE, HAIR, SHIRT, SIDE, SKIN, TROUSERS, texel
from writing import LowBits, padded, write_files, write_numbered

MODEL_SCALE = 128                                       # of 4096
UNIT = 640 / 512 * 4096 / MODEL_SCALE                   # stored units of length per unit of the figure
STEP = 16                                               # stored units of length per unit of translation
# name, parent, length; a bone starts at its parent's end. Bone 0 turns the figure.
JOINTS = [('root', -1, 0)] + [(name, parent + 1, round(length * UNIT)) for name, parent, length in BONES]
FEET = [j for j, (name, _, _) in enumerate(JOINTS) if name in ('foot_l', 'foot_r')]
MOVES = [(idle, 24), (walk, 17), (attack, 15), (spin, 16)]
FLAG = [('pole', -1, -3000), ('cloth', 0, -2000), ('tip', 1, -1500), ('bell', 0, 0), ('tassel', 2, -500)]
RATE = 15


# ------------------------------------------------------------------ positions
def positions(frame, joints):
    """in stored units of length; every bone's scale multiplies its parent's"""
    translation, angles, scales = frame
    size = []
    for j, (_, parent, _) in enumerate(joints):
        own = [v / 1024 for v in scales[j]] if scales else [1, 1, 1]
        size.append([a * b for a, b in zip(own, size[parent])] if j else own)
    stretched = [(name, parent, length * s[2]) for (name, parent, length), s in zip(joints, size)]
    return chained(angles, stretched, [STEP * v for v in translation])[0]


def stored_animation(move, count):
    """-> per frame: (translation, angles of all joints, no scales)"""
    return [(*frame, None) for frame in posed_move(move, count, JOINTS, UNIT / STEP)]


def planted(frames):
    """the frames, moved so that the lower foot stays in place during every step"""
    moved = [frames[0]]
    for _, angles, _ in frames[1:]:
        was, now = positions(moved[-1], JOINTS), positions(((0, 0, 0), angles, None), JOINTS)
        foot = max(FEET, key=lambda j: now[j][1])
        moved.append(([round((a - b) / STEP) for a, b in zip(was[foot], now[foot])], angles, None))
    return moved


def waving():
    """the cloth has different scales along its axes, and its tip rotates"""
    frames = []
    for f in range(6):
        scales = [[1024, 1024, 1024], [1024 + 64 * f, 1024, 1024 - 32 * f], [1024, 1024, 1024], [512, 1024 + 100 * f, 1024], [1024, 1024, 900]] if f > 1 else None
        frames.append(([8 * f, -300, -9000 * (f % 2)], [[1024, 700 * f, 0], [40 * f, 0, 0], [-300 * f, 5, 0], [0, 4096 * f // 6, 2000], [500, 100 * f, 0]], scales))
    return frames


# ------------------------------------------------------------------ the encoder
def put_coded(bits, change, widths, least=0):
    """the narrowest width, or a wider one"""
    code = next(c for c, w in enumerate(widths) if c >= least and -(1 << w - 1) <= change < 1 << w - 1)
    bits.put(code, 2)
    bits.put(change, widths[code])


def stream(frames, tail=0, wide=()):
    """wide: numbers of the values that are stored one width above the narrowest, or as a change of 0"""
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


# ------------------------------------------------------------------ the mesh: shapes of the Final Fantasy VII sample
# The part of the picture that each group of a shape shows; the sword has a separate texture.
STEEL = (0, SIDE, SIDE, SIDE)
LOOKS = {'head': [SKIN, HAIR, FACE], 'chest': [SHIRT, SHIRT], 'hips': [TROUSERS], 'neck': [SKIN], 'upper_arm': [SHIRT], 'forearm': [SKIN],
         'hand': [SKIN], 'thigh': [TROUSERS], 'shin': [BOOTS], 'foot': [BOOTS], 'sword': [STEEL] * 3}
FRONT_OF_HEAD = next(shape[0][0] for shape, picture in SHAPES['head'] if picture is not None)


def faces_of(shape):
    """(corners counter-clockwise, a place on the page for each)"""
    for (faces, picture), (left, top, width, height) in zip(SHAPES[shape], LOOKS[shape]):
        for corners, _, _ in faces:
            if shape == 'head' and picture is None and corners == FRONT_OF_HEAD:
                continue                                # the picture is there
            texels = [(2 * left + (2 * width - 1) * u, 2 * top + (2 * height - 1) * v) for u, v in ((1, 0), (0, 0), (0, 1), (1, 1))]
            if len(corners) == 4:
                yield corners, texels
            else:
                for k in range(1, len(corners) - 1):
                    yield [corners[0], corners[k], corners[k + 1]], texels[:3]


def mesh_object(shapes):
    """shapes: [(bone, name)] -> bytes of an object"""
    groups, triangles, quads, count = b'', [], [], 0
    for bone, shape in shapes:
        faces = list(faces_of(shape))
        places = sorted({tuple(round(v * UNIT) for v in corner) for corners, _ in faces for corner in corners})
        index = {place: count + i for i, place in enumerate(places)}
        count += len(places)
        groups += struct.pack('<HH', bone, len(places)) + b''.join(struct.pack('<3h', *place) for place in places)
        for corners, texels in faces:
            at = [index[tuple(round(v * UNIT) for v in corner)] for corner in corners]
            clut, page = (225 if texels[0][1] >= 128 else 224) << 6, 10 | 1 << 5 | 1 << 7
            if len(at) == 4:                            # seen from the front, a Z whose corners 0 1 2 are clockwise
                a, b, c, d = 0, 3, 1, 2
                quads.append(struct.pack('<4H2BH2BH4B', at[a] | 0x8000, at[b], at[c], at[d], *texels[a], clut, *texels[b], page, *texels[c], *texels[d]))
            else:
                a, b, c = 0, 2, 1
                triangles.append(struct.pack('<3H2B2BH2BH', at[a] | 0x8000, at[b], at[c], *texels[c], *texels[a], clut, *texels[b], page))
    head = padded(struct.pack('<H', len(shapes)) + groups) + struct.pack('<4HI', len(triangles), len(quads), 0, 0, 0)
    return head + b''.join(triangles + quads), count


def mesh(objects):
    made = [mesh_object(shapes) for shapes in objects]
    offsets, _, data = table([part for part, _ in made], 4 + 4 * len(made))
    return struct.pack('<%dI' % (1 + len(made)), len(made), *offsets) + data + struct.pack('<I', max((count for _, count in made), default=0))


def body():
    """the person, and a sword in the right hand"""
    numbers = {name: j for j, (name, _, _) in enumerate(JOINTS)}
    return mesh([[(numbers[name], shape_of(name)) for name, _, _ in BONES if shape_of(name)], [(numbers['hand_r'], 'sword')]])


def tim(number, index, colours):
    """8 bits per texel, 128 x 128; index: returns the index of the colour at a texel"""
    clut = struct.pack('<I4H256H', 12 + 512, 0, 224 + number, 256, 1, *colours, *[0] * (256 - len(colours)))
    picture = bytes(index(x, y) for y in range(128) for x in range(128))
    return struct.pack('<II', 0x10, 9) + clut + struct.pack('<I4H', 12 + len(picture), 640, 128 * number, 64, 128) + picture


def textures(tims):
    start = 4 * (len(tims) + 2)
    offsets, end, data = table(tims, start)
    return struct.pack('<%dI' % (len(tims) + 2), len(tims), *offsets, end) + data


def pictures():
    stored = [r | g << 5 | b << 10 for r, g, b in COLOURS]
    grey = [0] + [v | v << 5 | v << 10 for v in range(16, 31)]
    return textures([tim(0, lambda x, y: texel(x // 2, y // 2), stored), tim(1, lambda x, y: 1 + (x // 4 + y // 16) % 15, grey)])


def motion(animations):
    offsets, _, data = table(animations, 4 + 4 * len(animations))
    return padded(struct.pack('<%dI' % (1 + len(animations)), len(animations), *offsets) + data)


def name_of(text):
    """section 7: the monster's name in 24 bytes, then values"""
    return bytes(ord(c) - 65 + 0x45 if c.isupper() else ord(c) - 97 + 0x5F for c in text).ljust(24, b'\0') + bytes(360)


def monster(joints, scale, animations, name, junk=0, objects=struct.pack('<II', 0, 0), shown=struct.pack('<II', 0, 8)):
    sections = [skeleton(joints, scale, junk), objects, motion(animations), b'', struct.pack('<II', 8, 8), bytes(4), name_of(name), bytes(16), b'', b'', shown]
    offsets, end, data = table(sections, 4 * (len(sections) + 2))
    return struct.pack('<%dI' % (len(sections) + 2), len(sections), *offsets, end) + data


def main():
    made = [(move.__name__, planted(stored_animation(move, count)) if move is walk else stored_animation(move, count)) for move, count in MOVES]
    write_files(HERE, {'c0m900.dat': monster(JOINTS, MODEL_SCALE, [stream(frames) for _, frames in made], 'Hero', 0, body(), pictures()),
                       'c0m901.dat': monster(FLAG, 606, [stream(waving(), 0x5A, (1, 3, 9, 40)) + b'\0', stream([]) + b'\0'], 'Flag', 12345)})
    for folder in sys.argv[1:]:
        expect(folder, 'ff8', 'ff8/c0m900.dat', JOINTS, MODEL_SCALE, [frames for _, frames in made])
        packed = ['discs/battle.%s:c0m901.dat' % ending for ending in ('fs', 'fi', 'fl')] + ['discs/main.zzz:data/lang-en/battle.fs:c0m901.dat']
        expect(folder, 'ff8_flag', 'ff8/c0m901.dat', FLAG, 606, [waving()], packed)


def expect(folder, name, sample, joints, scale, animations, also=()):
    """Writes the expected positions of joints, in the game's units"""
    places = lambda frames: [[gltf_axes([v * scale / 4096 for v in p]) for p in positions(frame, joints)] for frame in frames]
    write_numbered(os.path.join(folder, name + '_expected.json'), sample, RATE, len(joints), [places(frames) for frames in animations], also=also)


if __name__ == '__main__':
    main()
