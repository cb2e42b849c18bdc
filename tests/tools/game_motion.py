"""A second reader of the games' animations, written from the pages in docs/formats, to check what the command writes.

Every reader gives a Motion: joints are relative to their parents as in glTF, in metres, quaternions x y z w. Python 3
standard library only; what the samples are is enough (no type 0 of Metroid Prime, no Echoes).
"""
import math, struct
from collections import namedtuple

from geometry import YXZ, ZYX, between, composed, unit

# parents: {joint: the joint that it hangs on, or None}; frames: [{joint: (translation, rotation)}]; joints whose rotation and whose
# place the file stores, and by how much less than that nothing differs in it
Motion = namedtuple('Motion', 'rate parents frames turned moved metres')


def place_of(v, scale):
    return v[0] * scale, -v[1] * scale, -v[2] * scale


def signed(value, width):
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


# ---------------------------------------------------------------------------------------------------------------------
# Final Fantasy VII: battle (ff7_battle_animation.md, ff7_battle_skeleton.md)


def pack_blocks(data):
    """-> the blocks of a pack, headers left out"""
    at, blocks = 4, []
    for _ in range(struct.unpack_from('<I', data)[0]):
        size, = struct.unpack_from('<I', data, at + 8)
        blocks.append(data[at + 12:at + 12 + size])
        at += 12 + size
    return blocks


def pack_frames(block, triples):
    """-> [(translation, angles)] of a block's stream; empty for a special block"""
    if len(block) < 11:
        return []
    count, size, key = struct.unpack_from('<HHB', block)
    bits, at = int.from_bytes(block[5:5 + size], 'big'), 0

    def take(width):
        nonlocal at
        at += width
        assert at <= 8 * size, 'the stream ends early'
        return signed(bits >> (8 * size - at), width)

    def change():
        if take(1) == 0:
            return 0
        code = take(3) & 7
        if code in (0, 7):
            return take(12 - key) if code else -1
        v = take(code)
        return v + (1 << code - 1) if v >= 0 else v - (1 << code - 1)
    frames = [([take(16) for _ in range(3)], [[take(12 - key) << key & 4095 for _ in range(3)] for _ in range(triples)])]
    for _ in range(count - 1):
        place, angles = frames[-1]
        place = [signed(v + take(16 if take(1) else 7), 16) for v in place]
        frames.append((place, [[v + (change() << key) & 4095 for v in triple] for triple in angles]))
    return frames


def battle_pack(data, skeleton):
    """-> {index: Motion} of the body, together with the weapon"""
    count, bodies, weapons = (struct.unpack_from('<I', skeleton, at)[0] for at in (0x0C, 0x1C, 0x24))
    bones = [struct.unpack_from('<if', skeleton, 0x34 + 12 * b) for b in range(count)]
    blocks, motions, name = pack_blocks(data), {}, 'bone%03d'
    parents = {'root': None, **{name % b: 'root' if parent < 0 else name % parent for b, (parent, _) in enumerate(bones)}}
    for index, block in enumerate(blocks[:bodies]):
        body = pack_frames(block, count + 1)
        weapon = pack_frames(blocks[bodies + index], 1) if weapons and bodies + index < len(blocks) else []
        frames = []
        for f, (place, angles) in enumerate(body):
            pose = {'root': (place_of(place, 1 / 512), composed(angles[0], YXZ))}
            for b, (parent, _) in enumerate(bones):
                pose[name % b] = ((0, 0, 0 if parent < 0 else -bones[parent][1] / 512), composed(angles[b + 1], YXZ))
            if weapon:
                place, angles = weapon[min(f, len(weapon) - 1)]
                pose['weapon000'] = (place_of(place, 1 / 512), composed(angles[0], YXZ))
            frames.append(pose)
        if frames:
            own = dict(parents, weapon000=None) if weapon else parents
            motions[index] = Motion(15, own, frames, set(own), {'root', 'weapon000'}, 0.5 / 512)
    return motions


# ---------------------------------------------------------------------------------------------------------------------
# Final Fantasy VII: field (ff7_field_animation.md, ff7_field_skeleton.md)

def field_animation(data, hrc):
    rows = [line for line in hrc.decode('latin-1').replace('\r', '').split('\n') if line and line[0] not in ':#']
    bones = [(rows[i], rows[i + 1], float(rows[i + 2])) for i in range(0, len(rows), 4)]
    lengths = {name: length for name, _, length in bones}
    version, count, stored = struct.unpack_from('<3I', data)
    assert version == 1 and stored == len(bones), (version, stored)
    order, frames = tuple(data[12:15]), []
    for f in range(count):
        values = struct.unpack_from('<%df' % (6 + 3 * stored), data, 36 + f * (24 + 12 * stored))
        x, y, z = values[3:6]
        pose = {'root': ((x * 0.052, y * 0.052, -z * 0.052), composed(values[:3], order, 360))}
        for b, (name, parent, _) in enumerate(bones):
            pose[name] = ((0, 0, lengths.get(parent, 0) * 0.052), composed(values[6 + 3 * b:9 + 3 * b], order, 360))
        frames.append(pose)
    parents = {'root': None, **{name: parent for name, parent, _ in bones}}
    return Motion(30, parents, frames, set(parents), {'root'}, 0.002 * 0.052)


# ---------------------------------------------------------------------------------------------------------------------
# Final Fantasy IX (ff9_animation.md, ff9_model.md, ff9_container.md)

def block_channel(block, record, axis, count, constant, stream):
    word, mask = struct.unpack_from('<H', block, record + 2 * axis)[0], struct.unpack_from('<H', block, record + 6)[0]
    return [constant(word)] * count if mask >> axis & 1 else stream(word)


def block_animation(block, model):
    bones = [struct.unpack_from('<hBB', model, struct.unpack_from('<I', model, 0x0C)[0] + 4 * b) for b in range(model[2])]
    count, high, low = struct.unpack_from('<H', block, 2)[0], *struct.unpack_from('<II', block, 0x0C)
    places = [block_channel(block, 4, axis, count, lambda v: signed(v, 16), lambda at: struct.unpack_from('<%dh' % count, block, at)) for axis in range(3)]
    angles = []
    for b in range(len(bones)):
        channels = []
        for axis in range(3):
            upper = block_channel(block, high + 8 * b, axis, count, lambda v: v & 255, lambda at: block[at:at + count])
            lower = [0] * count if low == 0 else block_channel(
                block, low + 8 * b, axis, count, lambda v: v & 15, lambda at: [block[at + f // 2] >> 4 * (f % 2) & 15 for f in range(count)])
            channels.append([u << 4 | v for u, v in zip(upper, lower, strict=True)])
        angles.append(channels)
    name, frames = 'bone%03d', []
    for f in range(count):
        frames.append({name % b: (place_of([p[f] for p in places], 1 / 256) if b == 0 else (0, 0, -length / 256), composed([c[f] for c in angles[b]], ZYX))
                       for b, (length, _, _) in enumerate(bones)})
    parents = {name % b: name % parent if b else None for b, (_, _, parent) in enumerate(bones)}
    return Motion(30, parents, frames, set(parents), {name % 0}, 0.5 / 256)


def db_objects(data):
    """-> {(type, id): bytes} of a DB without inner ones"""
    objects = {}
    for n in range(data[1]):
        word, = struct.unpack_from('<I', data, 4 + 4 * n)
        chunk = 4 + 4 * n + (word & 0xFFFFFF)
        count, first = data[chunk + 1], chunk + 4 + (2 * data[chunk + 1] + 3) // 4 * 4
        starts = [first + 4 * i + struct.unpack_from('<i', data, first + 4 * i)[0] for i in range(count)]
        starts.append(first + struct.unpack_from('<i', data, first + 4 * count)[0])
        for i in range(count):
            objects[word >> 24, struct.unpack_from('<H', data, chunk + 4 + 2 * i)[0]] = data[starts[i]:starts[i + 1]]
    return objects


# ---------------------------------------------------------------------------------------------------------------------
# Metroid Prime: type 2 (metroid_anim.md, metroid_cinf.md)

class Words:
    """big endian numbers; then bits of words, from the lowest one on"""

    def __init__(self, data, at=0):
        self.data, self.at, self.bit = data, at, 0

    def take(self, form):
        values = struct.unpack_from('>' + form, self.data, self.at)
        self.at += struct.calcsize('>' + form)
        return values[0] if len(values) == 1 else values

    def bits(self, width):
        value = 0
        for i in range(width):
            word, = struct.unpack_from('>I', self.data, self.at + self.bit // 32 * 4)
            value |= (word >> self.bit % 32 & 1) << i
            self.bit += 1
        return value


def skeleton_of(cinf):
    """-> {id: (name, parent's id, place)} of Metroid Prime"""
    words, bones = Words(cinf), []
    for _ in range(words.take('I')):
        bone, parent, *place = words.take('II3f')
        bones.append((bone, parent, place))
        words.take('%dI' % words.take('I'))         # links
    words.take('%dI' % words.take('I'))             # the order of building
    names = {}
    for _ in range(words.take('I')):
        end = cinf.index(0, words.at)
        name, words.at = cinf[words.at:end].decode(), end + 1
        names[words.take('I')] = name
    return {bone: (names[bone], parent, place) for bone, parent, place in bones}


def anim_keys(data):
    """-> frames, seconds from one frame to the next, the frames with keys, {bone: {'rotation': [(w is negative, x, y,
    z)], 'translation': [(x, y, z)]}} as stored, divisor, multiplier"""
    words = Words(data)
    kind, interval = words.take('I'), struct.unpack_from('>f', data, 0x14)[0]
    assert kind == 2, kind
    words.at = 0x20
    divisor, multiplier, _, _, count = words.take('IfIII')
    bitmap = [words.take('I') for _ in range((count + 31) // 32)]
    keyed = [0] + [f for f in range(1, count) if bitmap[f // 32] >> f % 32 & 1]
    _, channels = words.take('II')
    parts = []
    for _ in range(channels):
        bone = words.take('I')
        for kind in ('rotation', 'translation'):
            if words.take('H'):
                fields = words.take('hBhBhB')
                parts.append((bone, kind, fields[1::2], [(False, *fields[::2])]))
    for _ in keyed[1:]:
        for _, kind, widths, keys in parts:
            negative = kind == 'rotation' and words.bits(1) == 1
            keys.append((negative, *(signed(v + (signed(words.bits(w), w) if w else 0), 16) for v, w in zip(keys[-1][1:], widths))))
    stored = {}
    for bone, kind, _, keys in parts:
        stored.setdefault(bone, {})[kind] = keys
    return count, interval, keyed, stored, divisor, multiplier


def rotation_of(key, divisor):
    """stored, with Z up -> x y z w in glTF's axes"""
    negative, *numbers = key
    x, y, z = (math.sin(n * math.pi / 2 / divisor) for n in numbers)
    w = math.sqrt(max(0, 1 - x * x - y * y - z * z))
    return unit((-x, z, y, -w if negative else w))


def anim(data, cinf):
    count, interval, keyed, stored, divisor, multiplier = anim_keys(data)
    bones, frames = skeleton_of(cinf), []
    for f in range(count):
        after = next((k for k, frame in enumerate(keyed) if frame >= f), len(keyed) - 1)
        before = after if keyed[after] <= f else after - 1
        share = (f - keyed[before]) / (keyed[after] - keyed[before]) if after != before else 0
        pose = {}
        for bone, (name, parent, place) in bones.items():
            own = stored.get(bone, {})
            if 'translation' in own:
                u, v = own['translation'][before][1:], own['translation'][after][1:]
                offset = [(a + (b - a) * share) * multiplier for a, b in zip(u, v)]
            else:
                offset = [a - b for a, b in zip(place, bones[parent][2] if parent in bones else (0, 0, 0))]
            rotation = between(*(rotation_of(own['rotation'][k], divisor) for k in (before, after)), share) if 'rotation' in own else (0, 0, 0, 1)
            pose[name] = ((-offset[0], offset[2], offset[1]), rotation)
        frames.append(pose)
    parents = {name: bones[parent][0] if parent in bones else None for name, parent, _ in bones.values()}
    kinds = [{bones[bone][0] for bone, own in stored.items() if kind in own and bone in bones} for kind in ('rotation', 'translation')]
    return Motion(1 / interval, parents, frames, *kinds, multiplier / 2)
