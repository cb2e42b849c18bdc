#!/usr/bin/env python3
"""Makes the sample character in Final Fantasy IX's formats. Nothing of the game is in it.

    python3 generate.py [FOLDER]

writes beside this file
    hero.ff9model                     the skeleton, 26 bones, and a body in two groups of faces
    hero_idle.ff9anim hero_walk.ff9anim
    hero.ff9db                        the model (id 1000), the animations 1001 idle, 1002 walk, 1003 attack, the picture and its place in texture memory
    hero.tim hero.ff9mat              the picture on the body, and its place in the console's texture memory (type 12)
    props.ff9db                       two models: a chest (id 2000, animations 2001 shut, 2002 open: its default) and a lever
                                      (id 2010, animation 2011), and their default animations and materials (type 12)
    hero.names.csv
With a FOLDER it also writes the expected position of every joint in every frame there, computed from the stored integers, in
glTF's axes at scale 1. Python 3 standard library only; the bytes are the same every time.
"""
import math, os, struct, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(HERE, '..'), os.path.join(HERE, '..', 'ff7')]
from body import SHAPES, shape_of
from figure import BONES, HIP_HEIGHT, about, apply, attack, gltf_axes, idle, matmul, nearest, posed, walk
from picture import COLOURS, FACE, SHIRT, SIDE, texel
from writing import frames_of, padded, write_expected, write_files

# Bone 0 carries the translation and rotation of the whole figure, bone 1 + b rotates bone b of the figure, and the last
# bones are at the ends. A bone's length is the distance from its parent's joint to its own, along the parent's +Z.
HALF = 0.5                                              # the figure has 512 units per metre, this game 256


def skeleton():
    """-> [(name, parent, length)]"""
    length = lambda b: round(BONES[b][2] * HALF) if b >= 0 else 0
    joints = [('root', 0, 0)] + [(name, parent + 1, length(parent)) for name, parent, _ in BONES]
    parents = {parent for _, parent, _ in BONES}
    return joints + [(name + '_end', b + 1, length(b)) for b, (name, _, _) in enumerate(BONES) if b not in parents]


JOINTS = skeleton()


# ------------------------------------------------------------------ rotations: R = Rz * Ry * Rx, raw axes (Y down, front -Z)
def from_angles(x, y, z):
    """angles in 1/4096 turn -> matrix"""
    rx, ry, rz = about(x, y, z)
    return matmul(rz, matmul(ry, rx))


def to_angles(m, near):
    """matrix -> angles in 1/4096 turn: of both solutions, the one nearest to the previous angles"""
    y = math.asin(max(-1, min(1, -m[2][0])))
    if abs(m[2][0]) > 0.9999:
        x, z = math.atan2(-m[1][2], m[1][1]), 0.0
    else:
        x, z = math.atan2(m[2][1], m[2][2]), math.atan2(m[1][0], m[0][0])
    return nearest(((x, y, z), (x + math.pi, math.pi - y, z + math.pi)), near)


MOVES = [(1001, idle, 48), (1002, walk, 34), (1003, attack, 29)]         # id, motion, frames at 15 per second


def stored_animation(move, count):
    """-> per frame: (translation, angles of all joints)"""
    frames, angles = [], [[0, 0, 0]] * len(JOINTS)
    for f in range(count):
        directions, shift, turn = move(f / 2, (count + 1) // 2)
        translation = [round(shift[0] * HALF), round((shift[1] - HIP_HEIGHT) * HALF), round(shift[2] * HALF)]
        angles, _ = posed(directions, turn, JOINTS, angles, from_angles, to_angles)
        frames.append((translation, [[a % 4096 for a in triple] for triple in angles]))
    return frames


# ------------------------------------------------------------------ positions
def positions(translation, angles, joints=JOINTS):
    world, places = [from_angles(*angles[0])], [list(map(float, translation))]
    for j, (_, parent, length) in enumerate(joints[1:], 1):
        along = apply(world[parent], (0, 0, length))
        places.append([places[parent][k] + along[k] for k in range(3)])
        world.append(matmul(world[parent], from_angles(*angles[j])))
    return places


# ------------------------------------------------------------------ the encoders
def record(channels, constant, stream, start):
    """three channels -> the record's words and mask, and its streams, which begin at `start`"""
    words, mask, streams = [], 0, b''
    for k, values in enumerate(channels):
        if len(set(values)) == 1:
            words.append(constant(values[0]) & 0xFFFF)
            mask |= 1 << k
        else:
            words.append(start + len(streams))
            streams += stream(values)
    return struct.pack('<4H', *words, mask), streams


def table(block, triples, constant, stream):
    """appends a table with its streams to a block"""
    records, streams = b'', b''
    start = len(block) + 8 * len(triples)
    for channels in triples:
        r, s = record(channels, constant, stream, start + len(streams))
        records, streams = records + r, streams + s
    return padded(block + records + streams)


def animation_block(frames):
    signed_byte = lambda v: v - 256 if v > 127 else v
    nibbles = lambda v: bytes(a | b << 4 for a, b in zip(v[::2], v[1::2] + [0] * (len(v) % 2)))
    translation = [[t[k] for t, _ in frames] for k in range(3)]
    angles = [[[a[j][k] for _, a in frames] for k in range(3)] for j in range(len(frames[0][1]))]
    root, streams = record(translation, int, lambda v: struct.pack('<%dh' % len(v), *v), 20)
    block = padded(bytes(20) + streams)
    high = len(block)
    block = table(block, [[[v >> 4 for v in c] for c in joint] for joint in angles], signed_byte, bytes)
    low = len(block)
    block = table(block, [[[v & 15 for v in c] for c in joint] for joint in angles], int, nibbles)
    return struct.pack('<HH8sII', 0, len(frames), root, high, low) + block[20:]


def still_block(angles):
    """one frame, no LOW table: its number of bones can't be inferred"""
    return struct.pack('<HH4HII', 0, 1, 0, 0, 0, 7, 20, 0) + b''.join(struct.pack('<4H', *(v >> 4 for v in triple), 7) for triple in angles)


def model(joints=JOINTS, neck=[name for name, _, _ in JOINTS].index('neck'), height=458, radius=120, groups=()):
    """groups: lists of faces, see body()"""
    size = 20 + 4 * len(joints)
    table, data, packets = b'', b'', 0
    for faces in groups:
        head, content, bytes_ = group(faces, len(joints), size + 40 * len(groups) + len(data))
        table, data, packets = table + head, data + content, packets + bytes_
    head = struct.pack('<HBBHBBHHII', 0, len(joints), len(groups), packets or size, neck, 0, height, radius, 20, size)
    return head + b''.join(struct.pack('<hBB', length, 0, parent) for _, parent, length in joints) + table + data


def group(faces, bones, start):
    """-> row of the table, data at `start`, bytes of its packets; faces: (bone, corners counter-clockwise, colour or None, texels)"""
    places = sorted({(bone, *(round(v * HALF) for v in corner)) for bone, corners, _, _ in faces for corner in corners})
    index = {place: i for i, place in enumerate(places)}
    counts = padded(struct.pack('<%dH' % bones, *[sum(place[0] == bone for place in places) for bone in range(bones)]))
    vertices = b''.join(struct.pack('<3hBB', *place[1:], place[0], 0) for place in places)
    kinds, uv = {'ft4': b'', 'f4': b'', 'f3': b''}, []
    for bone, corners, color, texels in faces:
        corners = [index[(bone, *(round(v * HALF) for v in corner))] for corner in corners]
        if color is None:                               # corners a b c d become a d b c: triangles 0 1 2 and 1 2 3
            a, b, c, d = range(4)
            kinds['ft4'] += struct.pack('<8H3B5B', *(corners[k] for k in (a, d, b, c)), *range(len(uv), len(uv) + 4), 128, 128, 128, 0, 0, 0, 0, 0)
            uv += [texels[k] for k in (a, d, b, c)]
        elif len(corners) == 4:
            kinds['f4'] += struct.pack('<4H3B5B', *(corners[k] for k in (0, 3, 1, 2)), *color, 0, 0, 0, 0, 0)
        else:
            for k in range(1, len(corners) - 1):
                kinds['f3'] += struct.pack('<4H3BB', corners[0], corners[k + 1], corners[k], 0, *color, 0)
    sizes = [len(kinds['ft4']) // 24, 0, 0, 0, 0, 0, len(kinds['f4']) // 16, len(kinds['f3']) // 12]
    packets = 0x28 * sizes[0] + 0x18 * sizes[6] + 0x14 * sizes[7]
    at = [start]
    for part in (counts, vertices, b''.join(kinds.values()), padded(bytes(v for pair in uv for v in pair))):
        at.append(at[-1] + len(part))
    row = struct.pack('<9HBb5I', packets, *sizes, 0, 0, *at)
    return row, counts + vertices + b''.join(kinds.values()) + padded(bytes(v for pair in uv for v in pair)), packets


def body():
    """the Final Fantasy VII sample's shapes: torso and limbs, and the head, whose face is a picture"""
    groups = {'torso': [], 'head': []}
    texels = lambda region: [(region[0] + (region[2] - 1) * u, region[1] + (region[3] - 1) * v) for u, v in ((1, 0), (0, 0), (0, 1), (1, 1))]
    for b, (name, _, _) in enumerate(BONES):
        if shape_of(name) is None:
            continue
        faces = groups['head' if name == 'head' else 'torso']
        for shape, picture in SHAPES[shape_of(name)]:
            for corners, colors, _ in shape:
                color = None if picture is not None else colors[0]
                if name == 'head' and picture is None and corners == FRONT_OF_HEAD:
                    continue                            # the picture is there
                faces.append((b + 1, corners, color, texels(FACE if picture == 0 else SHIRT)))
    return list(groups.values())


# Corners of the head's front, whose faces show the picture.
FRONT_OF_HEAD = next(shape[0][0] for shape, picture in SHAPES['head'] if picture is not None)


def materials(rows, page=0, clut=0):
    """rows: [(model, default animation)]; every model has one material"""
    table = b''.join(struct.pack('<HHIHBB', m, a, 1 << 24 | 12 * (len(rows) - i) + 16 * i, 0xFFFF, 0, 0) for i, (m, a) in enumerate(rows))
    return struct.pack('<BBH', 0xDC, len(rows), 0) + table + struct.pack('<HH12x', page, clut) * len(rows)


# ------------------------------------------------------------------ the picture
def texture(x=640, y=256, clut=(256, 240)):
    """4 bits per texel, at (x, y) in words of texture memory"""
    colours = struct.pack('<I4H16H', 44, *clut, 16, 1, *[r | g << 5 | b << 10 | (0x8000 if i else 0) for i, (r, g, b) in enumerate(COLOURS)])
    picture = bytes(texel(u, v) | texel(u + 1, v) << 4 for v in range(SIDE) for u in range(0, SIDE, 2))
    return struct.pack('<II', 0x10, 8) + colours + struct.pack('<I4H', 12 + len(picture), x, y, SIDE // 4, SIDE) + picture


def look():
    """the materials of the hero: the page at (640, 256), 4 bits per texel"""
    return materials([(1000, 1001)], page=640 // 64 | 1 << 4, clut=256 // 16 | 240 << 6)


CHEST, LEVER = [('box', 0, 0), ('hinge', 0, 90), ('lid', 1, 40)], [('foot', 0, 0), ('handle', 0, 130)]
SHUT, OPENED = [[1024, 0, 0], [3072, 0, 0], [0, 0, 0]], [[1024, 0, 0], [512, 0, 0], [0, 0, 0]]
PULL = [[[1024, 0, 0], [3840 + 64 * f & 4095, 0, 0]] for f in range(9)]


def props():
    """The models of objects on a field: each has a chain of bones that points up."""
    return database([chunk(0x12, [(1, materials([(2000, 2002), (2010, 0xFFFF)]))]), chunk(2, [(2000, model(CHEST, 0, 130, 60)), (2010, model(LEVER, 0, 130, 20))]),
                     chunk(3, [(2001, still_block(SHUT)), (2002, still_block(OPENED)), (2011, animation_block([([0, 0, 0], angles) for angles in PULL]))])])


def chunk(kind, objects):
    """objects: [(id, data)]"""
    head = padded(struct.pack('<BBH%dH' % len(objects), kind, len(objects), 0, *[i for i, _ in objects]))
    start, pointers, data = len(head) + 4 * (len(objects) + 1), b'', b''
    for _, content in objects:
        pointers += struct.pack('<i', start + len(data) - len(head) - len(pointers))
        data += padded(content)
    return head + pointers + struct.pack('<i', start + len(data) - len(head)) + data


def database(chunks):
    table, data = b'', b''
    for c in chunks:
        offset = 4 * len(chunks) - len(table) + len(data)       # from the entry itself
        table += struct.pack('<I', c[0] << 24 | offset)
        data += c
    return struct.pack('<BBH', 0xDB, len(chunks), 0) + table + data


def main():
    made = [(i, move.__name__, stored_animation(move, count)) for i, move, count in MOVES]
    blocks = {name: animation_block(frames) for _, name, frames in made}
    names = ''.join('clip,anim_%05d,%s\n' % (i, name) for i, name, _ in made)
    names += ''.join('clip,hero_%s,%s\n' % (name, name) for name in ('idle', 'walk'))
    names += ''.join('joint,%d,%s\n' % (j, name) for j, (name, _, _) in enumerate(JOINTS))
    hero = database([chunk(2, [(1000, model(groups=body()))]), chunk(3, [(i, blocks[name]) for i, name, _ in made]),
                     chunk(0x12, [(1, look())]), chunk(4, [(1, texture())])])
    write_files(HERE, {'hero.ff9model': model(groups=body()), 'hero_idle.ff9anim': blocks['idle'], 'hero_walk.ff9anim': blocks['walk'], 'hero.ff9db': hero,
                       'hero.tim': texture(), 'hero.ff9mat': look(), 'props.ff9db': props(), 'hero.names.csv': names.encode()})
    for folder in sys.argv[1:]:
        expect(folder, made)


def expect(folder, made):
    """Writes the expected positions of joints"""
    numbered = lambda joints: ['bone%03d' % j for j in range(len(joints))]
    places = lambda frames, joints: [[gltf_axes(p) for p in positions(t, a, joints)] for t, a in frames]
    rest = lambda joints: places([((0, 0, 0), [(0, 0, 0)] * len(joints))], joints)[0]
    clips = [dict(name='anim_%05d' % i, file='hero_%s.ff9anim' % name, frames=frames_of(places(frames, JOINTS), 30)) for i, name, frames in made]
    whole = {c['name']: c['name'] for c in clips}
    inputs = {'ff9/hero.ff9db': whole, 'archives/FF9.IMG:10/301': whole, 'ff9/hero.ff9model': {}}
    inputs.update(('ff9/hero_%s.ff9anim' % name, {'hero_' + name: 'anim_%05d' % i}) for i, name, _ in made[:2])
    write_expected(os.path.join(folder, 'ff9_expected.json'), inputs, 30, numbered(JOINTS), clips, rest(JOINTS))
    on_discs = ['discs/disc.%s:FF9.IMG:1/300' % ending for ending in ('iso', 'bin', 'cue', 'chd')]
    for what, model_id, joints, moves in (('chest', 2000, CHEST, {2001: [SHUT], 2002: [OPENED]}), ('lever', 2010, LEVER, {2011: PULL})):
        clips = [dict(name='anim_%05d' % i, frames=frames_of(places([((0, 0, 0), angles) for angles in frames], joints), 30)) for i, frames in moves.items()]
        of_model = {c['name']: c['name'] for c in clips}
        write_expected(os.path.join(folder, 'ff9_%s_expected.json' % what), {'%s#%d' % (file, model_id): of_model for file in ('ff9/props.ff9db', 'archives/FF9.IMG:10/300', *on_discs)},
                       30, numbered(joints), clips)


if __name__ == '__main__':
    main()
