#!/usr/bin/env python3
"""Makes the sample character in the formats of Metroid Prime and Metroid Prime 2: Echoes. Nothing of the games is in it.

    python3 generate.py [FOLDER]

writes beside this file, for Metroid Prime
    hero.CINF                          the skeleton
    hero_idle.ANIM                     type 2, few keys
    hero_walk.ANIM hero_walk.EVNT      type 2, a key in every frame, looping; steps as events
    hero_spin.ANIM                     type 2; the hips rotate by 270 degrees from key to key, which only the sign of W shows
    hero_attack.ANIM 5EED0001.EVNT     type 0; its events are found by their id
    hero_pose.ANIM                     type 0, one frame
    hero.CMDL hero.CSKR                the body (body.py) and which joints it follows
    5EED0111.TXTR ...12 ...13          its textures: a suit, a face, and the lights on the suit
and for Echoes
    echo.CINF echo.CMDL echo.CSKR
    echo_swell.ANIM                    type 2; chest and head change their scale
    echo_rise.ANIM                     type 0
With a FOLDER it also writes the expected position of every joint there, computed from the stored numbers, in glTF's axes at scale 1,
at the keys and, interpolated like the game, at half frames. Python 3 standard library only; the bytes are the same every time.
"""
import math, os, struct, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.join(HERE, '..')]
from body import body, cmdl, cskr, textures
from figure import BONES, HIP_HEIGHT, apply, attack, figure, idle, matmul, multiply, pointing, quaternion, slerp, total, transposed, turned, unit, walk
from writing import LowBits, f32, padded, write_expected, write_files

UNITS = 512.0                                           # of the figure per metre
DIVISOR = 32767


INTERVAL = f32(1 / 30)


# ------------------------------------------------------------------ axes: the figure has Y down and front -Z, the game Z up and front +Y
AXES = [[-1, 0, 0], [0, 0, -1], [0, -1, 0]]


def native(v):
    return [c / UNITS for c in apply(AXES, v)]


def native_rotation(m):
    return matmul(AXES, matmul(m, transposed(AXES)))


def gltf_axes(p):
    return [-p[0], p[2], p[1]]


# ------------------------------------------------------------------ the skeleton: joints where the figure's bones begin, and ends
def skeleton(root):
    """-> [(id, parent id, position, name, bone of the figure or None)]; ids are consecutive, beginning with the root's"""
    rest, starts = figure(), {}
    joints = [(root, 97 if root == 0 else 2, [0.0, 0.0, 0.0], 'Skeleton_Root', None), (root + 1, root, native([0, -HIP_HEIGHT, 0]), 'hips', None)]
    ids = {-1: root + 1}
    ends = {-1: [0, -HIP_HEIGHT, 0]}
    for b, (name, parent, length) in enumerate(BONES):
        n = math.sqrt(total(c * c for c in rest[name]))
        ends[b] = [p - c / n * length for p, c in zip(ends[parent], rest[name])]
        ids[b] = root + 2 + b
        joints.append((ids[b], ids[parent], native(ends[parent]), name, b))
    parents = {parent for _, parent, _ in BONES}
    for b, (name, _, _) in enumerate(BONES):
        if b not in parents:
            joints.append((root + 2 + len(joints) - 2, ids[b], native(ends[b]), name + '_end', None))
    return [(i, p, [f32(c) for c in at], name, b) for i, p, at, name, b in joints]


def cinf(joints, echoes):
    out = struct.pack('>I', len(joints))
    for i, parent, at, _, _ in joints:
        links = [parent] + [j[0] for j in joints if j[1] == i]
        out += struct.pack('>II3f', i, parent, *at)
        if echoes:
            out += struct.pack('>8f', 1, 0, 0, 0, 1, 0, 0, 0)
        out += struct.pack('>I%dI' % len(links), len(links), *links)
    out += struct.pack('>I%dI' % len(joints), len(joints), *[j[0] for j in joints])
    out += struct.pack('>I', len(joints))
    for i, _, _, name, _ in sorted(joints, key=lambda j: j[3]):
        out += name.encode('ascii') + b'\0' + struct.pack('>I', i)
    return padded(out, 32, b'\xFF')


# ------------------------------------------------------------------ motions, as numbers to be stored
def rotation_number(x):
    return round(math.asin(max(-1.0, min(1.0, x))) / (math.pi / 2) * DIVISOR)


def stored_rotations(quaternions):
    """-> [(x, y, z, W is negative)]; the first W is positive"""
    if quaternions[0][0] < 0:
        quaternions = [[-c for c in q] for q in quaternions]
    return [tuple(rotation_number(c) for c in q[1:]) + (q[0] < 0,) for q in quaternions]


def continuous(quaternions):
    out = [quaternions[0]]
    for q in quaternions[1:]:
        out.append([-c for c in q] if total(a * b for a, b in zip(q, out[-1])) < 0 else q)
    return out


def poses(joints, move, count, frames):
    """-> {joint id: {'rot': quaternions, 'trn': translations of the hips}} at the frames"""
    rest, out = figure(), {}
    local = {j[0]: [] for j in joints if j[4] is not None}
    hips = []
    for f in frames:
        directions, shift, _ = move(f / 2, count)
        hips.append(native([shift[0], -HIP_HEIGHT + shift[1], shift[2]]))
        world = {None: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}
        bone_of = {j[0]: j[4] for j in joints}
        for i, parent, _, name, b in joints:
            if b is None:
                continue
            world[b] = matmul(pointing(directions[name]), transposed(pointing(rest[name])))
            above = world[bone_of[parent]]
            local[i].append(quaternion(native_rotation(matmul(transposed(above), world[b]))))
    for i, qs in local.items():
        out[i] = dict(rot=continuous(qs))
    out[joints[1][0]] = dict(trn=hips)
    return out


def quantised(channels, multiplier, scale_multiplier=1 / 8192):
    """-> [(bone, {'rot': [(x, y, z, negative)], 'trn': [(x, y, z)], 'scl': ...})]"""
    whole = lambda keys, m: [tuple(round(c / m) for c in k) for k in keys]
    out = []
    for bone, c in sorted(channels.items()):
        kept = {}
        if 'rot' in c:
            kept['rot'] = stored_rotations(c['rot'])
        if 'trn' in c:
            kept['trn'] = whole(c['trn'], multiplier)
        if 'scl' in c:
            kept['scl'] = whole(c['scl'], scale_multiplier)
        out.append((bone, kept))
    return out


def values(stored, multiplier, scale_multiplier=1 / 8192):
    """the values that the stored numbers represent"""
    out = {}
    for bone, c in stored:
        v = {}
        if 'rot' in c:
            v['rot'] = []
            for x, y, z, negative in c['rot']:
                s = [math.sin(n * math.pi / 2 / DIVISOR) for n in (x, y, z)]
                w = math.sqrt(max(0.0, 1 - total(n * n for n in s)))
                v['rot'].append(unit([-w if negative else w] + s))
        for kind, m in (('trn', f32(multiplier)), ('scl', f32(scale_multiplier))):
            if kind in c:
                v[kind] = [[n * m for n in k] for k in c[kind]]
        out[bone] = v
    return out


# ------------------------------------------------------------------ type 2
def change(after, before):
    return (after - before + 0x8000 & 0xFFFF) - 0x8000


def width(numbers):
    return max([0] + [1 + (n if n >= 0 else ~n).bit_length() for n in numbers if n])


def stream(stored, keys, frames, multiplier, echoes=False, root=3, looping=0, events=0xFFFFFFFF, scale_multiplier=1 / 8192):
    bitmap = LowBits('>I')
    for f in range(frames):
        bitmap.put(1 if f in keys else 0, 1)
    kinds = ('rot', 'trn', 'scl') if echoes else ('rot', 'trn')
    descriptors, widths = b'', []
    for bone, c in stored:
        descriptors += struct.pack('>B' if echoes else '>I', bone)
        for kind in kinds:
            rows = c.get(kind)
            descriptors += struct.pack('>H', len(keys) - 1 if rows else 0)
            if not rows:
                continue
            widths.append([width([change(rows[k][i], rows[k - 1][i]) for k in range(1, len(keys))]) for i in range(3)])
            descriptors += b''.join(struct.pack('>hB', rows[0][i], widths[-1][i]) for i in range(3))
    bits = LowBits('>I')
    for k in range(1, len(keys)):
        w = iter(widths)
        for _, c in stored:
            for kind in kinds:
                rows = c.get(kind)
                if not rows:
                    continue
                if kind == 'rot':
                    bits.put(1 if rows[k][3] else 0, 1)
                for i, n in enumerate(next(w)):
                    bits.put(change(rows[k][i], rows[k - 1][i]), n)
    count = struct.pack('>I', len(stored))
    out = struct.pack('>BB', 1, 1) if echoes else struct.pack('>II', events, 1)
    out += struct.pack('>ffIIIf', (frames - 1) * INTERVAL, INTERVAL, root, looping, DIVISOR, multiplier)
    if echoes:
        out += struct.pack('>f', scale_multiplier)
    out += count + struct.pack('>II', 1, frames) + bitmap.bytes() + count * (1 if echoes else 2) + descriptors + bits.bytes()
    return padded(struct.pack('>II', 2, 4 * len(out)) + out, 32, b'\xFF')


# ------------------------------------------------------------------ type 0
def arrays(channels, frames, echoes=False, root=3, events=0xFFFFFFFF):
    """channels: {bone: {'rot': [[w, x, y, z]], 'trn': ...}}; channels are not numbered in the order of bones"""
    bones = sorted(channels, key=lambda b: (b * 7 % 11, b))
    slots = bytes(bones.index(i) if i in bones else 0xFF for i in range(100))
    flat = lambda kind: [v for b in bones if kind in channels[b] for k in channels[b][kind] for v in k]

    def table(kind):
        have = [b for b in bones if kind in channels[b]]
        return struct.pack('>I', len(bones)) + bytes(have.index(b) if b in have else 0xFF for b in bones)

    def block(kind, size):
        data = flat(kind)
        return struct.pack('>I%df' % len(data), len(data) // size, *data)
    out = struct.pack('>IfIfIII', 0, (frames - 1) * INTERVAL, 1, INTERVAL, 1, frames, root) + struct.pack('>I', len(slots)) + slots
    if echoes:
        out += table('rot') + table('trn') + table('scl') + block('scl', 3) + block('rot', 4) + block('trn', 3)
    else:
        for c in channels.values():
            assert 'rot' in c
        out += table('trn') + block('rot', 4) + block('trn', 3) + struct.pack('>I', events)
    return padded(out, 32, b'\xFF')


def as_floats(channels, identity=True):
    out = {}
    for bone, c in channels.items():
        out[bone] = {kind: [[f32(v) for v in k] for k in keys] for kind, keys in c.items()}
        if identity and 'rot' not in c:                 # in Prime every channel has a rotation
            out[bone]['rot'] = [[1.0, 0.0, 0.0, 0.0]] * len(c['trn'])
    return out


# ------------------------------------------------------------------ events
def event(name, kind, time, index, more):
    return struct.pack('>H', 1) + name.encode() + b'\0' + struct.pack('>HfIIBfiI', kind, time, 1, index, 0, 1.0, -1, 0) + more


def events(bools=(), ints=(), particles=(), sounds=()):
    """each: (name, time, ...); version 2"""
    text = lambda s: s.encode() + b'\0'
    lists = [[event(n, 0, t, i, struct.pack('>B', v)) for i, (n, t, v) in enumerate(bools)],
             [event(n, 5, t, i, struct.pack('>I', v) + text(where)) for i, (n, t, v, where) in enumerate(ints)],
             [event(n, 1, t, i, struct.pack('>I4sI', 60, b'PART', effect) + text(where) + struct.pack('>fI', 1.0, 0)) for i, (n, t, effect, where) in enumerate(particles)],
             [event(n, 8, t, i, struct.pack('>Iff', sound, 0.25, 30.0)) for i, (n, t, sound) in enumerate(sounds)]]
    return padded(struct.pack('>I', 2) + b''.join(struct.pack('>I', len(e)) + b''.join(e) for e in lists), 32, b'\xFF')


STEPS = dict(bools=[('footstep_left', f32(0.25), 1)], ints=[('speed', f32(0.1), 3, 'hips')], particles=[('dust', f32(0.75), 0xDEADBEEF, 'foot_r')],
             sounds=[('step', f32(0.25), 77), ('step', f32(0.75), 78)])
BLOW = dict(bools=[('hit', f32(0.5), 1)], sounds=[('whoosh', f32(0.375), 79)])


def marker_list(lists):
    types = (('bool', 'bools'), ('int', 'ints'), ('particle', 'particles'), ('sound', 'sounds'))
    return sorted([dict(time=e[1], name=e[0], type=kind) for kind, key in types for e in lists.get(key, ())], key=lambda e: e['time'])


# ------------------------------------------------------------------ positions
def between(rows, keys, frame, mix):
    """the value at a frame, which may be a half frame; the last key is held"""
    if frame >= keys[-1]:
        return rows[-1]
    k = max(i for i, f in enumerate(keys) if f <= frame)
    u = (frame - keys[k]) / (keys[k + 1] - keys[k])
    return rows[k] if u == 0 else mix(rows[k], rows[k + 1], u)


def linear(a, b, u):
    return [x + (y - x) * u for x, y in zip(a, b)]


def place(joints, channels, keys, frame):
    """-> positions, rotations of all joints; native axes. A scale moves the joint's children and is not inherited."""
    at = {j[0]: j[2] for j in joints}
    P, Q, S = {}, {}, {}
    for i, parent, position, _, _ in joints:
        c = channels.get(i, {})
        q = unit(between(c['rot'], keys, frame, slerp)) if 'rot' in c else [1.0, 0, 0, 0]
        S[i] = between(c['scl'], keys, frame, linear) if 'scl' in c else [1.0, 1, 1]
        root = parent not in at
        t = between(c['trn'], keys, frame, linear) if 'trn' in c else position if root else [a - b for a, b in zip(position, at[parent])]
        if root:
            P[i], Q[i] = t, q
        else:
            P[i] = [a + b for a, b in zip(P[parent], turned(Q[parent], [a * b for a, b in zip(S[parent], t)]))]
            Q[i] = multiply(Q[parent], q)
    return [P[j[0]] for j in joints], [Q[j[0]] for j in joints]


def expected_clip(name, joints, channels, keys, frames, lists=None, loop=None, halves=True):
    def at(frame):
        positions, rotations = place(joints, channels, keys, frame)
        return dict(time=frame * INTERVAL, positions=[[round(v, 6) for v in gltf_axes(p)] for p in positions],
                    rotations=[[round(v, 6) for v in (q[0], -q[1], q[3], q[2])] for q in rotations])
    clip = dict(name=name, loop=loop, duration=(frames - 1) * INTERVAL, frames=[at(f) for f in keys],
                between=[at(f / 2) for f in range(2 * frames - 1) if f / 2 not in keys] if halves else [])
    if lists:
        clip['events'] = marker_list(lists)
    return clip


def main():
    files, clips = {}, []
    hero, echo = skeleton(3), skeleton(0)
    files['hero.CINF'], files['echo.CINF'] = cinf(hero, False), cinf(echo, True)
    for name, joints in (('hero', hero), ('echo', echo)):
        surface = body(joints)
        files[name + '.CMDL'], files[name + '.CSKR'] = cmdl(surface, joints is echo), cskr(surface)
    files.update(textures())
    fine = 1 / 16384                                    # metres; 16 bits reach 2 m

    def add(name, joints, channels, keys, frames, into, lists=None, **how):
        stored = quantised(channels, fine)
        files[name + '.ANIM'] = stream(stored, keys, frames, fine, **how)
        into.append(expected_clip(name, joints, values(stored, fine), keys, frames, lists, bool(how.get('looping')), halves=True))

    keys = [0, 4, 8, 16, 24, 32, 40, 46]
    add('hero_idle', hero, poses(hero, idle, 24, keys), keys, 49, clips)
    keys = list(range(33))
    files['hero_walk.EVNT'] = events(**STEPS)
    add('hero_walk', hero, poses(hero, walk, 16, keys), keys, 33, clips, STEPS, looping=1)
    keys = [0, 8, 16, 24]
    spinning = poses(hero, lambda f, n: (figure(knees=(0.6, 0.6), arms=(1.2, 1.2)), (0, 40, 0), 0), 1, keys)
    half = [math.radians(270 * k) / 2 for k in range(len(keys))]
    spinning[hero[1][0]]['rot'] = [[math.cos(a), 0.0, 0.0, math.sin(a)] for a in half]
    add('hero_spin', hero, spinning, keys, 25, clips)
    keys = list(range(29))
    channels = as_floats(poses(hero, attack, 15, keys))
    files['hero_attack.ANIM'] = arrays(channels, 29, events=0x5EED0001)
    files['5EED0001.EVNT'] = events(**BLOW)
    clips.append(expected_clip('hero_attack', hero, {b: dict(c, rot=[unit(q) for q in c['rot']]) for b, c in channels.items()}, keys, 29, BLOW))
    channels = as_floats(poses(hero, idle, 24, [0]))
    files['hero_pose.ANIM'] = arrays(channels, 1)
    clips.append(expected_clip('hero_pose', hero, {b: dict(c, rot=[unit(q) for q in c['rot']]) for b, c in channels.items()}, [0], 1))

    other, keys = [], list(range(25))
    swelling = poses(echo, idle, 12, keys)
    by_name = {j[3]: j[0] for j in echo}
    wave = [math.sin(math.pi * f / 24) ** 2 for f in keys]
    swelling[by_name['chest']]['scl'] = [[1 + 0.5 * w, 1 - 0.25 * w, 1 + w] for w in wave]
    swelling[by_name['head']]['scl'] = [[1 + w, 1 + w, 1 + w] for w in wave]
    stored = quantised(swelling, fine)
    files['echo_swell.ANIM'] = stream(stored, keys, 25, fine, echoes=True, root=0, looping=1)
    other.append(expected_clip('echo_swell', echo, values(stored, fine), keys, 25, loop=True, halves=False))
    keys = list(range(9))
    rising = as_floats(poses(echo, attack, 15, keys), identity=False)
    rising[by_name['chest']]['scl'] = [[f32(1 + f / 16)] * 3 for f in keys]
    files['echo_rise.ANIM'] = arrays(rising, 9, echoes=True, root=0)
    other.append(expected_clip('echo_rise', echo, {b: dict(c, **({'rot': [unit(q) for q in c['rot']]} if 'rot' in c else {})) for b, c in rising.items()}, keys, 9,
                               halves=False))
    write_files(HERE, files)
    for folder in sys.argv[1:]:
        for file, skeleton_file, joints, made in (('metroid_prime_expected.json', 'hero.CINF', hero, clips), ('metroid_echoes_expected.json', 'echo.CINF', echo, other)):
            inputs = {'metroid/%s.ANIM' % c['name']: {c['name']: c['name']} for c in made}
            if joints is hero:
                inputs['archives/hero.pak:Hero.ANCS'] = {name: 'hero_' + name for name in ('idle', 'walk', 'spin')}     # the other animation is additive
                inputs.update(('discs/prime.%s:Metroid1.pak:Hero.ANCS' % ending, {name: 'hero_' + name for name in ('idle', 'spin')}) for ending in ('iso', 'rvz', 'wia', 'gcz', 'ciso'))
            write_expected(os.path.join(folder, file), {'metroid/' + skeleton_file: {}, 'metroid/' + skeleton_file.replace('CINF', 'CMDL'): {}, **inputs}, 30, [j[3] for j in joints], made, [gltf_axes(j[2]) for j in joints])


if __name__ == '__main__':
    main()
