"""The body of the Final Fantasy VII sample character: pieces, textures and a sword, and the bytes of their files.

A piece lies along -Z of its bone, from 0 to the bone's end. X is the figure's left; the front is +Y on bones that point
up (head, chest) and -Y on bones that point down. Lengths are from figure.py. Contains no game data.
"""
import math, struct

SKIN, SHIRT, TROUSERS, BOOTS, HAIR, STEEL, GRIP = (214, 164, 126), (52, 92, 158), (70, 60, 52), (44, 34, 30), (92, 56, 28), (176, 184, 200), (96, 60, 34)


# ------------------------------------------------------------------ shapes: lists of (corners, colours, texture coordinates or None)
def shaded(color, normal):
    """the colour with painted light from the upper left and the front"""
    share = 0.72 + 0.28 * (0.4 * normal[0] + 0.5 * normal[1] - 0.3 * normal[2])
    return tuple(max(0, min(255, round(c * share))) for c in color)


def normal_of(corners):
    a, b, c = corners[:3]
    u, v = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, c)]
    n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    m = math.sqrt(sum(x * x for x in n)) or 1.0
    return tuple(x / m for x in n)


def face(corners, color, uv=None):
    """corners counter-clockwise seen from outside"""
    return (corners, [shaded(color, normal_of(corners))] * len(corners), uv)


def prism(rings, color, sides=6, closed=True):
    """rings: (z, half width, half depth, shift to +Y), z falling"""
    at = lambda ring, k: (ring[1] * math.cos(2 * math.pi * (k + 0.5) / sides), ring[3] + ring[2] * math.sin(2 * math.pi * (k + 0.5) / sides), ring[0])
    faces = [face([at(a, k), at(b, k), at(b, k + 1), at(a, k + 1)], color) for a, b in zip(rings, rings[1:]) for k in range(sides)]
    if closed:
        faces.append(face([at(rings[0], k) for k in range(sides)], color))
        faces.append(face([at(rings[-1], k) for k in reversed(range(sides))], color))
    return faces


def box(x, y, z):
    """pairs: smaller and larger -> six faces as corners: front (+Y), back, left (+X), right, near (z larger), far"""
    (x0, x1), (y0, y1), (z0, z1) = x, y, z
    return [[(x1, y1, z0), (x0, y1, z0), (x0, y1, z1), (x1, y1, z1)], [(x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1)],
            [(x1, y0, z0), (x1, y1, z0), (x1, y1, z1), (x1, y0, z1)], [(x0, y1, z0), (x0, y0, z0), (x0, y0, z1), (x0, y1, z1)],
            [(x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1)], [(x0, y1, z0), (x1, y1, z0), (x1, y0, z0), (x0, y0, z0)]]


def head():
    """groups: (faces, texture number or None)"""
    sides = box((-42, 42), (-44, 44), (-104, 0))
    front = sides[0]
    # Up is -Z: the corners of the front lie at the top left (seen from the front: figure's left is on the right), ...
    uv = [(0.95, 0.05), (0.05, 0.05), (0.05, 0.95), (0.95, 0.95)]
    hair = box((-46, 46), (-50, 30), (-116, -60))
    return [([face(s, SKIN) for s in sides], None), ([face(s, HAIR) for s in hair], None), ([(front, [(255, 255, 255)] * 4, uv)], 0)]


def chest():
    torso = [(20, 62, 40, 0), (-60, 76, 46, 0), (-140, 88, 44, 0), (-165, 48, 34, 0)]
    plain = prism(torso, SHIRT, 8)
    sign = [(26, 47, -120), (-26, 47, -120), (-26, 47, -70), (26, 47, -70)]
    return [(plain, None), ([face(sign, (255, 255, 255), [(1.0, 0.0), (0.0, 0.0), (0.0, 1.0), (1.0, 1.0)])], 1)]


def limb(length, start, end, color):
    return [(prism([(8, start * 0.8, start * 0.8, 0), (0, start, start, 0), (length * 0.5, (start + end) * 0.56, (start + end) * 0.56, 0), (length, end, end, 0)], color), None)]


def foot():
    return [([face(s, BOOTS) for s in box((-24, 24), (-24, 26), (-86, 30))], None)]


def sword():
    blade = box((-3, 3), (-13, 13), (-330, -40))
    return [([face(s, STEEL) for s in blade], None), ([face(s, GRIP) for s in box((-7, 7), (-40, 40), (-40, -30))], None),
            ([face(s, GRIP) for s in box((-6, 6), (-7, 7), (-30, 40))], None)]


# Kind of piece by bone; collars and hip bones have none.
SHAPES = {'hips': [(prism([(45, 66, 42, 0), (0, 70, 46, 0), (-95, 60, 40, 0)], TROUSERS, 8), None)], 'chest': chest(), 'neck': limb(-50, 24, 22, SKIN), 'head': head(),
          'upper_arm': limb(-130, 27, 22, SHIRT), 'forearm': limb(-120, 22, 17, SKIN), 'hand': limb(-50, 18, 14, SKIN), 'thigh': limb(-215, 42, 31, TROUSERS),
          'shin': limb(-215, 32, 22, BOOTS), 'foot': foot(), 'sword': sword()}


def shape_of(bone):
    name = {'spine': 'hips'}.get(bone, bone.removesuffix('_l').removesuffix('_r'))
    return name if name in SHAPES else None


# ------------------------------------------------------------------ files
def piece(groups, scale=1.0, normals=False):
    """-> bytes of a `.p`"""
    vertices, coords, colors, polygons, states, heads, stored = [], [], [], [], [], [], []
    edges = 0
    for faces, texture in groups:
        first, first_uv, first_polygon = len(vertices), len(coords), len(polygons)
        for corners, shades, uv in faces:
            at, n = len(vertices) - first, len(stored)
            vertices += [tuple(c * scale for c in p) for p in corners]
            colors += [bytes((b, g, r, 255)) for r, g, b in shades]
            coords += uv or []
            if normals:
                stored += [normal_of(corners)]
            polygons += [((at, at + k + 1, at + k), n if normals else 0) for k in range(1, len(corners) - 1)]      # clockwise
        textured = int(texture is not None)
        heads.append(struct.pack('<14I', 1 + textured, first_polygon, len(polygons) - first_polygon, first, len(vertices) - first, 0, 0, 0, 0, 0, 0, first_uv if textured else 0, textured, texture or 0))
        options = 0x3820E if textured else 0x38200
        states.append(struct.pack('<25I', 1, 1, options, 0x20002, texture or 0, 0, 0, 0, 0, 1 if textured else 2, 0xFFFFFFFF, 0, 0, 2, 1, 2, 0, 4, 0, 0, 0, 0, 0, 255, 0))
    box_of = [f(p[i] for p in vertices) for f in (max, min) for i in range(3)]
    index = [0] * len(vertices)
    for head_, (faces, _) in zip(heads, groups):
        for k in range(struct.unpack_from('<14I', head_)[1], sum(struct.unpack_from('<14I', head_)[1:3])):
            for v in polygons[k][0]:
                index[struct.unpack_from('<14I', head_)[3] + v] = polygons[k][1]
    out = struct.pack('<32I', 1, 1, 1, len(vertices), len(stored), 0, len(coords), len(colors), edges, len(polygons), 0, 0, len(states), len(heads), 1, 1, *[0] * 16)
    out += b''.join(struct.pack('<3f', *v) for v in vertices + stored) + b''.join(struct.pack('<2f', *c) for c in coords)
    out += b''.join(colors) + bytes((128, 128, 128, 255)) * len(polygons)
    out += b''.join(struct.pack('<10HI', 0, *v, n, n, n, 0, 0, 0, 0) for v, n in polygons)
    return out + b''.join(states) + b''.join(heads) + struct.pack('<I6f', 0, *box_of) + struct.pack('<%dI' % len(index), *index)


def texture(rows, palette, key):
    """rows of letters; palette: letter -> (r, g, b, a) in order -> bytes of a `.tex`"""
    letters, entries = ''.join(palette), [(b, g, r, a) for r, g, b, a in palette.values()]
    entries += [(0, 0, 0, 255)] * (16 - len(entries))
    words = dict(((0x00, 1), (0x08, key), (0x0C, 1), (0x10, 5), (0x30, 1), (0x34, 16), (0x38, 4), (0x3C, len(rows[0])), (0x40, len(rows)), (0x4C, 1), (0x50, 8), (0x58, 16), (0x5C, 16),
                  (0x64, 8), (0x68, 1), (0xC4, 255), (0xC8, 4)))
    out = struct.pack('<59I', *[words.get(4 * i, 0) for i in range(59)])
    return out + b''.join(bytes(e) for e in entries) + bytes(letters.index(c) for row in rows for c in row)


FACE = ['................', '................', '..bbbb....bbbb..', '................', '..wwww....wwww..', '..wbiw....wibw..', '..wbiw....wibw..', '................',
        '................', '.......s........', '......sss.......', '................', '....mmmmmmmm....', '.....mMMMMm.....', '................', '................']
SIGN = ['rrrrrrrr', 'ryyyyyyr', 'ryrrrryr', 'ryryyryr', 'ryryyryr', 'ryrrrryr', 'ryyyyyyr', 'rrrrrrrr']


def textures():
    """the face, which shows the skin below, and the sign on the chest"""
    return [texture(FACE, {'.': (0, 0, 0, 0), 'b': (40, 24, 16, 255), 'w': (245, 245, 245, 255), 'i': (40, 96, 160, 254), 's': (190, 134, 100, 255), 'm': (160, 70, 66, 255), 'M': (110, 40, 44, 255)}, 1),
            texture(SIGN, {'r': (150, 30, 36, 255), 'y': (236, 200, 84, 255)}, 0)]
