"""The sample character's body in Metroid Prime's formats: a model (CMDL), its skin (CSKR) and textures (TXTR). Contains no game data.

Axes are the game's: Z up, front +Y, the character's left is -X; metres. Python 3 standard library only.
"""
import math, os, struct, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from figure import cross, total, unit
from writing import padded

SUIT, FACE, GLOW = 0x5EED0111, 0x5EED0112, 0x5EED0113
AROUND = 12                                             # corners of a ring


# ------------------------------------------------------------------ vectors
def add(a, b, s=1.0):
    return [x + s * y for x, y in zip(a, b)]


def between(a, b, s):
    return [x + (y - x) * s for x, y in zip(a, b)]


# ------------------------------------------------------------------ the surface: tubes of rings
class Surface:
    """Vertices of all tubes, and the strips of each material."""

    def __init__(self):
        self.positions, self.normals, self.uv, self.weights = [], [], [], []
        self.strips = {}                                # material: [[(position, normal, uv 0, uv 1)]]

    def vertex(self, position, weights):
        self.positions.append(position)
        self.weights.append(weights)
        return len(self.positions) - 1

    def tube(self, rings, front, material, region, glow=False):
        """rings: [(centre, half width, half depth, {bone: weight})] from one end to the other; front: direction of the texture's middle

region: (left, top, right, bottom) of the texture, as seen"""
        places, columns, first = [], AROUND + 1, len(self.uv)
        for k, (centre, wide, deep, weights) in enumerate(rings):
            along = unit(add(rings[min(k + 1, len(rings) - 1)][0], rings[max(k - 1, 0)][0], -1))
            side = unit(cross(front, along))            # towards the character's right
            ahead = cross(along, side)
            ring = []
            for j in range(AROUND):
                a = 2 * math.pi * j / AROUND            # from the back, to the right
                out = [-math.sin(a) * wide * s - math.cos(a) * deep * f for s, f in zip(side, ahead)]
                ring.append(self.vertex(add(centre, out), weights))
                self.normals.append(unit([-math.sin(a) / wide * s - math.cos(a) / deep * f for s, f in zip(side, ahead)]))
            places.append(ring)
            for j in range(columns):
                u = region[0] + (region[2] - region[0]) * j / AROUND
                v = region[3] + (region[1] - region[3]) * k / (len(rings) - 1)
                self.uv.append([u, 1 - v])              # the rows are stored from the bottom up
        for k in range(len(rings) - 1):
            strip = []
            for j in range(columns):
                for ring in (k + 1, k):
                    place = places[ring][j % AROUND]
                    row = first + ring * columns + j
                    strip.append((place, place, row) + ((row,) if glow else ()))
            self.strips.setdefault(material, []).append(self.outwards(strip))

    def outwards(self, strip):
        """the strip with its triangles counter-clockwise from outside"""
        a, b, c = (self.positions[v[0]] for v in strip[:3])
        facing = total(x * y for x, y in zip(cross(add(b, a, -1), add(c, a, -1)), self.normals[strip[0][1]]))
        return strip if facing > 0 else strip[1:2] + strip[:1] + [v for i in range(2, len(strip), 2) for v in (strip[i + 1], strip[i])]


def body(joints):
    """joints: of generate.py's skeleton() -> Surface; weights by the bones' ids"""
    at = {name: position for _, _, position, name, _ in joints}
    ids = {name: i for i, _, _, name, _ in joints}
    surface = Surface()
    by = lambda **shares: {ids[name]: share for name, share in shares.items()}
    hips, chest, neck, head, crown = (at[n] for n in ('hips', 'chest', 'neck', 'head', 'head_end'))
    front, down = [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]
    third = 1 / 3
    surface.tube([(add(hips, down, 0.10), 0.02, 0.02, by(hips=1)), (add(hips, down, 0.07), 0.135, 0.10, by(hips=1)), (hips, 0.165, 0.115, by(hips=0.5, spine=0.5)),
                  (between(hips, chest, 0.55), 0.14, 0.10, by(spine=1)), (chest, 0.155, 0.11, by(spine=0.5, chest=0.5)), (between(chest, neck, 0.5), 0.185, 0.125, by(chest=1)),
                  (between(chest, neck, 0.85), 0.17, 0.10, by(chest=1)), (neck, 0.06, 0.06, by(chest=0.5, neck=0.5))], front, 0, (0.0, 0.0, 1.0, 0.5), True)
    skull = [(between(neck, head, 0.1), 0.052, 0.055, by(chest=third, neck=third, head=third)), (head, 0.05, 0.06, by(neck=0.5, head=0.5))]
    for share, wide, deep in ((0.12, 0.068, 0.085), (0.3, 0.082, 0.10), (0.5, 0.088, 0.105), (0.7, 0.085, 0.10), (0.87, 0.064, 0.075), (0.97, 0.03, 0.035), (1.0, 0.004, 0.004)):
        skull.append((between(head, crown, share), wide, deep, by(head=1)))
    surface.tube(skull, front, 1, (0.0, 0.0, 1.0, 1.0))
    for s in 'lr':
        name = lambda part: part + '_' + s if not part.endswith('_end') else part[:-4] + '_' + s + '_end'
        shoulder, elbow, wrist, fingers = (at[name(n)] for n in ('upper_arm', 'forearm', 'hand', 'hand_end'))
        share = lambda **parts: by(**{n if n in ('chest', 'hips') else name(n): v for n, v in parts.items()})
        collar = at[name('collar')]
        surface.tube([(between(collar, shoulder, 0.75), 0.03, 0.03, share(chest=0.5, collar=0.5)), (shoulder, 0.066, 0.066, share(chest=0.2, collar=0.4, upper_arm=0.4)),
                      (between(shoulder, elbow, 0.35), 0.06, 0.06, share(upper_arm=1)), (elbow, 0.048, 0.048, share(upper_arm=0.5, forearm=0.5)),
                      (between(elbow, wrist, 0.4), 0.047, 0.047, share(forearm=1)), (wrist, 0.034, 0.034, share(forearm=0.5, hand=0.5))],
                     front, 0, (0.0, 1.0, 1.0, 0.5), True)
        surface.tube([(wrist, 0.03, 0.032, share(forearm=0.5, hand=0.5)), (between(wrist, fingers, 0.4), 0.026, 0.044, share(hand=1)), (between(wrist, fingers, 0.9), 0.022, 0.036, share(hand=1)),
                      (fingers, 0.006, 0.01, share(hand=1))], front, 1, (0.02, 0.80, 0.12, 0.95))
        thigh, knee, ankle, toes = (at[name(n)] for n in ('thigh', 'shin', 'foot', 'foot_end'))
        surface.tube([(add(thigh, down, -0.03), 0.06, 0.07, share(hips=0.4, hip=0.3, thigh=0.3)), (add(thigh, down, 0.05), 0.088, 0.095, share(hips=0.2, hip=0.2, thigh=0.6)),
                      (between(thigh, knee, 0.5), 0.08, 0.085, share(thigh=1)), (knee, 0.06, 0.064, share(thigh=0.5, shin=0.5)), (between(knee, ankle, 0.35), 0.06, 0.066, share(shin=1)),
                      (between(knee, ankle, 0.95), 0.042, 0.045, share(shin=0.5, foot=0.5))], front, 0, (0.0, 1.0, 1.0, 0.5), True)
        back = add(add(ankle, unit(add(toes, ankle, -1)), -0.05), down, 0.01)
        surface.tube([(back, 0.02, 0.02, share(foot=1)), (add(ankle, down, 0.01), 0.045, 0.05, share(foot=1)), (between(ankle, toes, 0.7), 0.045, 0.035, share(foot=1)),
                      (toes, 0.03, 0.018, share(foot=1)), (add(toes, [0.0, 0.01, 0.0]), 0.006, 0.006, share(foot=1))], [0.0, 0.0, 1.0], 2, (0.0, 0.0, 1.0, 1.0))
    return surface


# ------------------------------------------------------------------ the model's file
def color_in(a, b, c, d):
    return a | b << 5 | c << 10 | d << 15


LIGHT_TIMES_TEXTURE, ADD_TEXTURE, LIGHT_TIMES_KONST = color_in(15, 10, 8, 15), color_in(15, 8, 12, 0), color_in(15, 10, 14, 15)


def stage(colors, texture, coordinate, first, konst=0):
    return (struct.pack('>IIIIBBBB', colors, color_in(7, 7, 7, 5 if first else 0), 256, 256, 0, 0, konst, 4 if first else 255), struct.pack('>HBB', 0, texture, coordinate))


def material(textures, word, stages, echoes, konst=None, uvs=0):
    out = struct.pack('>II%dII' % len(textures), 0x80 | (8 if konst else 0), len(textures), *textures, word)
    out += (struct.pack('>II', 0, 0) if echoes else b'') + struct.pack('>I', 0)
    if konst:
        out += struct.pack('>I4B', 1, *konst)
    out += struct.pack('>HHII', 0, 1, 1, 0x3000)         # blending: image times 0 plus drawn pixel times 1; one channel
    out += struct.pack('>I', len(stages)) + b''.join(s[0] for s in stages) + b''.join(s[1] for s in stages)
    out += struct.pack('>I', uvs) + b''.join(struct.pack('>I', 1 | 4 + k << 4 | 30 << 9 | 61 << 15) for k in range(uvs))
    return out + struct.pack('>II', 4, 0)


def material_set(echoes):
    made = [material([0, 1], 0xF0F, [stage(LIGHT_TIMES_TEXTURE, 0, 0, True), stage(ADD_TEXTURE, 1, 1, False)], echoes, uvs=2),
            material([2], 0x30F, [stage(LIGHT_TIMES_TEXTURE, 0, 0, True)], echoes, uvs=1),
            material([], 0xF, [stage(LIGHT_TIMES_KONST, 255, 255, True, 12)], echoes, konst=(70, 52, 44, 255))]
    out = struct.pack('>I3II', 3, SUIT, GLOW, FACE, len(made))
    end = 0
    for m in made:
        end += len(m)
        out += struct.pack('>I', end)
    return padded(out + b''.join(made), 32)


def surface_file(surface, number, strips, echoes):
    used = [surface.positions[v[0]] for strip in strips for v in strip]
    centre = [total(p[k] for p in used) / len(used) for k in range(3)]
    numbers = {0: 4, 1: 3, 2: 2}[number]
    commands = b''.join(struct.pack('>BH', 0x98, len(strip)) + b''.join(struct.pack('>%dH' % numbers, *v[:numbers]) for v in strip) for strip in strips)
    head = struct.pack('>3fI', *centre, number), struct.pack('>III3f', 0, 0, 0, 0, 0, 1) + (struct.pack('>hH', 0, 0) if echoes else b'')
    gap = bytes(-(len(head[0]) + 4 + len(head[1])) % 32)
    commands = padded(commands, 32)
    return head[0] + struct.pack('>I', 0x80000000 | len(commands)) + head[1] + gap + commands


def cmdl(surface, echoes):
    floats = lambda rows: padded(b''.join(struct.pack('>%df' % len(r), *r) for r in rows), 32)
    surfaces = [surface_file(surface, number, strips, echoes) for number, strips in sorted(surface.strips.items())]
    ends, end = [], 0
    for s in surfaces:
        end += len(s)
        ends.append(end)
    sections = [material_set(echoes), floats(surface.positions), floats(surface.normals), b'', floats(surface.uv),
                padded(struct.pack('>%dI' % (1 + len(ends)), len(ends), *ends), 32)] + surfaces
    box = [f(p[k] for p in surface.positions) for f in (min, max) for k in range(3)]
    head = struct.pack('>III6fII', 0xDEADBABE, 4 if echoes else 2, 1, *box, len(sections), 1) + struct.pack('>%dI' % len(sections), *map(len, sections))
    return padded(head, 32) + b''.join(sections)


def cskr(surface):
    groups = []                                         # [weights, vertices]
    for weights in surface.weights:
        rows = sorted(weights.items())
        if groups and groups[-1][0] == rows:
            groups[-1][1] += 1
        else:
            groups.append([rows, 1])
    out = struct.pack('>I', len(groups))
    for rows, count in groups:
        out += struct.pack('>I', len(rows)) + b''.join(struct.pack('>If', bone, weight) for bone, weight in rows) + struct.pack('>I', count)
    return padded(out + struct.pack('>iiii', -1, len(surface.positions), -1, len(surface.positions)), 32, b'\xFF')


# ------------------------------------------------------------------ pictures: functions of x from the left and y from the top
def mixed(a, b, s):
    return tuple(round(x + (y - x) * s) for x, y in zip(a, b))


def suit(x, y):
    """trousers below, a jacket above, with a belt and a light on the chest's sides"""
    blue, dark, red, belt = (52, 86, 148), (38, 44, 66), (176, 54, 44), (96, 74, 48)
    if y >= 32:                                         # limbs
        return red if y in (36, 37) else mixed(blue, dark, (y - 32) / 32)
    if y >= 25:
        return belt if y < 28 else dark
    if 29 <= x < 35:
        return mixed(blue, (230, 230, 220), 0.7)        # the front's middle
    return red if 8 <= y < 11 else blue


def face(x, y):
    skin, hair, white, eye, lips = (214, 168, 136), (84, 54, 36), (240, 240, 236), (40, 70, 60), (168, 84, 78)
    if y < 10 or (y < 19 and not 8 <= x < 24):
        return hair
    if y in (14, 15) and (x in (12, 13) or x in (18, 19)):
        return white if (y == 14) == (x in (12, 19)) else eye
    if y == 12 and (11 <= x < 15 or 17 <= x < 21):
        return hair
    if y == 20 and 14 <= x < 18:
        return lips
    if 16 <= y < 19 and x in (15, 16):
        return mixed(skin, lips, 0.25)
    return skin


def glow(x, y):
    """a light on the chest, and a strip along the limbs"""
    from_middle = math.hypot((x - 15.5) / 2.2, (y - 4.5) / 1.6)
    light = max(0.0, 1 - from_middle / 1.5) if y < 8 else 0.0
    return round(255 * light)


def blocks(width, height, wide, high):
    return [(left, top) for top in range(0, height, high) for left in range(0, width, wide)]


def word565(c):
    return c[0] >> 3 << 11 | c[1] >> 2 << 5 | c[2] >> 3


def cmpr(picture, width, height):
    """the two ends of each cell are its darkest and its lightest colour"""
    out, widened = b'', lambda w: ((w >> 11) * 255 // 31, (w >> 5 & 63) * 255 // 63, (w & 31) * 255 // 31)
    for left, top in blocks(width, height, 8, 8):
        for part in range(4):
            x0, y0 = left + part % 2 * 4, top + part // 2 * 4
            texels = [picture(min(x0 + x, width - 1), min(y0 + y, height - 1)) for y in range(4) for x in range(4)]
            a, b = sorted((word565(max(texels, key=sum)), word565(min(texels, key=sum))), reverse=True)
            p, q = widened(a), widened(b)
            shown = [p, q, mixed(q, p, 5 / 8), mixed(q, p, 3 / 8)] if a > b else [p, q, p, p]
            bits = 0
            for c in texels:
                bits = bits << 2 | min(range(4 if a > b else 1), key=lambda i: total((m - n) ** 2 for m, n in zip(shown[i], c)))
            out += struct.pack('>HHI', a, b, bits)
    return out


def upwards(picture, size):
    """the picture with its rows from the bottom up, as in the game's models"""
    return lambda x, y: picture(x, size - 1 - y)


def halved(picture):
    return lambda x, y: mixed(mixed(picture(2 * x, 2 * y), picture(2 * x + 1, 2 * y), 0.5), mixed(picture(2 * x, 2 * y + 1), picture(2 * x + 1, 2 * y + 1), 0.5), 0.5)


def textures():
    """-> {name: bytes}: CMPR with three levels, RGB5A3, I8"""
    stored, levels, size = upwards(suit, 64), b'', 64
    for _ in range(3):
        levels += cmpr(stored, size, size)
        stored, size = halved(stored), size // 2
    files = {SUIT: struct.pack('>IHHI', 10, 64, 64, 3) + levels}
    stored, data = upwards(face, 32), b''
    for left, top in blocks(32, 32, 4, 4):
        for k in range(16):
            r, g, b = stored(left + k % 4, top + k // 4)
            data += struct.pack('>H', 0x8000 | r >> 3 << 10 | g >> 3 << 5 | b >> 3)
    files[FACE] = struct.pack('>IHHI', 8, 32, 32, 1) + data
    stored, data = upwards(glow, 32), b''
    for left, top in blocks(32, 32, 8, 4):
        data += bytes(stored(left + k % 8, top + k // 8) for k in range(32))
    files[GLOW] = struct.pack('>IHHI', 1, 32, 32, 1) + data
    return {'%08X.TXTR' % i: data for i, data in files.items()}
