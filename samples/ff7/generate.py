#!/usr/bin/env python3
"""Makes the sample character in Final Fantasy VII's battle and field formats. Nothing of the game is in it.

    python3 generate.py [FOLDER]

writes `hrda` (animation pack), `hraa` (skeleton), `hram`.. (pieces), `hrac`, `hrad` (textures), `hrck` (sword), `hero.names.csv` and the field files beside this script. With a FOLDER
it also writes the expected position of every joint in every frame there, computed from the stored integers, in glTF's axes at scale 1.

For the field it writes `doll.hrc`, `doll_idle.a` and `doll_walk.a`: the same bones and poses, at 30 frames per second, with the
same pieces (`dlab.rsd`, `dlab.p`, ..), which bones of one kind share.

The pack has body animations 0 idle (key 0), 1 walk (key 2), 2 attack (key 4), 3 a dummy chunk, 4 a spin in which the
blade turns by 270 degrees per frame. The weapon animations of all these follow.
Python 3 standard library only; the bytes are the same every time.
"""
import math, os, struct, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, '..'))
from body import SHAPES, piece, shape_of, textures
from figure import BONES, HIP_HEIGHT, INDEX, attack, chained, gltf_axes, idle, posed, spin, to_yxz as to_angles, walk
from writing import HighBits, frames_of, padded, signed, write_expected, write_files


JOINTS = [('root', -1)] + [(name, parent + 1) for name, parent, _ in BONES]
ANIMATIONS = [(idle, 24, 0), (walk, 17, 2), (attack, 15, 4), None, (spin, 16, 4)]      # None: the dummy chunk


def stored_animation(move, count, key):
    """-> stored frames of the body, as (translation, triples), and of the weapon"""
    step = 1 << key
    frames, weapon = [], []
    triples = [[0, 0, 0]] * len(JOINTS)
    for f in range(count):
        directions, shift, turn = move(f, count)
        translation = [round(shift[0]), round(-HIP_HEIGHT + shift[1]), round(shift[2])]
        triples, world = posed(directions, turn, JOINTS, triples, step=step)
        frames.append((translation, triples))
        # The weapon starts at the end of the right hand, but the game stores it in model space, not as the hand's child.
        _, ends = positions(translation, triples)
        hand = world[1 + INDEX['hand_r']]
        if move is spin:
            angles = [1024, 1536 * f, -1536 * f]           # about one axis, 270 degrees per frame in total
        else:
            angles = [round(a / step) * step for a in to_angles(hand, weapon[-1][1][0] if weapon else (0, 0, 0))]
        weapon.append(([round(v) for v in ends[INDEX['hand_r']]], [angles]))
    return frames, weapon


# ------------------------------------------------------------------ positions
def positions(translation, triples):
    """-> starts of root and bones, ends of the bones; raw axes"""
    joints = [('root', -1, 0)] + [(name, parent + 1, length) for name, parent, length in BONES]
    starts, ends = chained(triples, joints, translation)
    return starts, ends[1:]


# ------------------------------------------------------------------ the encoder: always the shortest code
def encode(frames, key):
    bits, width = HighBits(), 12 - key
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
    chunk = padded(struct.pack('<HHB', len(frames), len(stream), key) + stream)
    return struct.pack('<III', len(frames[0][1]), len(frames), len(chunk)) + chunk


def special(bones, chunk):
    return struct.pack('<III', bones, 0, len(chunk)) + chunk


# ------------------------------------------------------------------ the same on the field
FIELD_UNIT = 0.052 * 512                                 # units of battle in one of the field


def field_skeleton():
    """text, bones point along -Z with positive lengths"""
    resources = field_stems()
    lines = [':HEADER_BLOCK 2', ':SKELETON doll_sk', ':BONES %d' % len(BONES)]
    for name, parent, length in BONES:
        lines += ['', name, BONES[parent][0] if parent >= 0 else 'root', '%.9g' % (-length / FIELD_UNIT), '1 ' + resources[shape_of(name)].upper() if shape_of(name) else '0 ']
    return ('\r\n'.join(lines) + '\r\n').encode()


def field_stems():
    """shape -> stem of its resource and mesh"""
    return {shape: 'dla' + chr(ord('b') + i) for i, shape in enumerate(s for s in SHAPES if s != 'sword')}


def field_parts():
    files = []
    for shape, stem in field_stems().items():
        used = sorted(t for _, t in SHAPES[shape] if t is not None)
        numbers = {t: i for i, t in enumerate(used)}                     # texture numbers of the resource
        groups = [(faces, None if t is None else numbers[t]) for faces, t in SHAPES[shape]]
        files.append((stem + '.p', piece(groups, 1 / FIELD_UNIT, normals=True)))
        lines = ['@RSD940102', 'PLY=%s.PLY' % stem.upper(), 'MAT=%s.MAT' % stem.upper(), 'GRP=%s.GRP' % stem.upper(), 'NTEX=%d' % len(used)]
        lines += ['TEX[%d]=DLT%s.TIM' % (i, 'AB'[t]) for t, i in numbers.items()]
        files.append((stem + '.rsd', ('\r\n'.join(lines) + '\r\n').encode()))
    return files + [('dlt%s.tex' % letter, data) for letter, data in zip('ab', textures())]


def battle_parts():
    letters = lambda n: chr(ord('a') + n // 26) + chr(ord('a') + n % 26)
    files = [('hr' + letters(12 + i), piece(SHAPES[shape_of(bone[0])])) for i, bone in enumerate(BONES) if shape_of(bone[0])]
    return files + [('hr' + letters(2 + i), data) for i, data in enumerate(textures())] + [('hr' + letters(62), piece(SHAPES['sword']))]


def field_animation(frames):
    """degrees; the root's height is stored upwards"""
    out = struct.pack('<3I4B5I', 1, len(frames), len(BONES), 1, 0, 2, 0, 0, 0, 0, 0, 0)
    for (x, y, z), triples in frames:
        degrees = [[a % 4096 * 360 / 4096 for a in t] for t in triples]
        out += struct.pack('<6f', *degrees[0], x / FIELD_UNIT, -y / FIELD_UNIT, z / FIELD_UNIT)
        out += b''.join(struct.pack('<3f', *t) for t in degrees[1:])
    return out


def main():
    made = [None if a is None else (*stored_animation(*a), a[2]) for a in ANIMATIONS]
    pack = struct.pack('<I', 2 * len(made))
    pack += b''.join(special(len(BONES) + 1, b'\x0b\x2c\x00\x00') if m is None else entry(m[0], m[2]) for m in made)
    pack += b''.join(special(1, b'\x0b\x2c\x00\x00') if m is None else entry(m[1], m[2]) for m in made)
    skeleton = struct.pack('<13I', 2, 1, 1, len(BONES), 0, 0, len(textures()), len(made), len(made), 1, len(made), 0, 0)
    skeleton += b''.join(struct.pack('<ifI', parent, length, int(shape_of(name) is not None)) for name, parent, length in BONES)
    names = ''.join('clip,%d,%s\n' % (i, a[0].__name__) for i, a in enumerate(ANIMATIONS) if a)
    names += ''.join('joint,%d,%s\n' % (i, b[0]) for i, b in enumerate(BONES)) + 'joint,weapon000,sword\n'
    field = [('doll_%s.a' % a[0].__name__, field_animation(m[0])) for a, m in zip(ANIMATIONS[:2], made)]
    write_files(HERE, {'hrda': pack, 'hraa': skeleton, 'hero.names.csv': names.encode(), 'doll.hrc': field_skeleton(), **dict(field + field_parts() + battle_parts())})
    for folder in sys.argv[1:]:
        expect(folder, made)


def expect(folder, made):
    """Writes the expected positions of joints. Field bones have names, and other units"""
    bones = ['root'] + ['bone%03d' % i for i in range(len(BONES))]
    names = ['root'] + [name for name, _, _ in BONES]
    rest = [gltf_axes(p) for p in positions((0, 0, 0), [(0, 0, 0)] * (len(BONES) + 1))[0]]
    smaller = lambda places: [[v / FIELD_UNIT for v in p] for p in places]
    clips, walked = [], []
    for i, m in enumerate(made):
        if m is None:
            continue
        bodies = [[gltf_axes(p) for p in positions(t, r)[0]] for t, r in m[0]]
        clips.append(dict(name='hrda_%03d' % i, frames=frames_of([at + [gltf_axes(w[0])] for at, w in zip(bodies, m[1])], 15)))
        if i < 2:
            walked.append(dict(name='doll_%s' % ANIMATIONS[i][0].__name__, frames=frames_of(map(smaller, bodies), 30)))
    of_pack = {c['name']: c['name'] for c in clips}
    stands = clips[0]['frames'][0]['positions']             # the skeleton stores no rest pose
    write_expected(os.path.join(folder, 'ff7_expected.json'), {'ff7/hrda': of_pack, 'ff7/hraa': {}, 'archives/battle.lgp:hrda': of_pack}, 15, bones + ['weapon000'], clips, stands)
    write_expected(os.path.join(folder, 'ff7_field_expected.json'), {'ff7/doll.hrc': {}, **{'ff7/%s.a' % c['name']: {c['name']: c['name']} for c in walked}},
                   30, names, walked, smaller(rest))


if __name__ == '__main__':
    main()
