"""Makes FF9 (PlayStation) characters: encoders of 0x02, 0x03, 0x12, TIM, chunk, DB, FF9.IMG, and the values that a reader must give.
Nothing is decoded here: expected values come from the plain values that were encoded, textures from the pictures that were laid out."""
import hashlib, json, math, os, struct


class Rng:
    """64-bit LCG with output mixing; deterministic everywhere."""

    def __init__(self, seed):
        self.s = (seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) & 0xFFFFFFFFFFFFFFFF

    def bits(self, n):
        self.s = (self.s * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        v = self.s
        v = ((v ^ (v >> 33)) * 0xFF51AFD7ED558CCD) & 0xFFFFFFFFFFFFFFFF
        return (v ^ (v >> 29)) >> 11 & ((1 << n) - 1)

    def below(self, n): return self.bits(52) % n
    def between(self, a, b): return a + self.below(b - a + 1)
    def pick(self, seq): return seq[self.below(len(seq))]

    def shuffled(self, seq):
        s = list(seq)
        for i in range(len(s) - 1, 0, -1):
            j = self.below(i + 1)
            s[i], s[j] = s[j], s[i]
        return s


# ------------------------------------------------------------------ 0x02
# kind: bytes, corners, uv at, colour index at, rgb at, material at, flags at, direction at, GPU packet bytes
KINDS = dict(ft4=(24, 4, 8, None, 16, 19, 21, 20, 0x28), ft3=(20, 3, 12, None, 8, 6, 18, 11, 0x20), gt4=(32, 4, 8, 16, None, 29, 28, None, 0x34),
             gt3=(24, 3, 6, 16, None, 22, 15, None, 0x28), g4=(24, 4, None, 8, None, None, 20, None, 0x24), g3=(20, 3, None, 8, None, None, 19, None, 0x1C),
             f4=(16, 4, None, None, 8, None, 13, None, 0x18), f3=(12, 3, None, None, 8, None, 11, None, 0x14))
ORDER = list(KINDS)


def face_bytes(f):
    size, n, uv, ci, rgb, mat, flags, direction, _ = KINDS[f['kind']]
    b = bytearray(size)
    struct.pack_into('<%dH' % n, b, 0, *f['v'])
    if uv is not None:
        struct.pack_into('<%dH' % n, b, uv, *f['uv'])
        b[mat] = f['mat']
    if ci is not None:
        struct.pack_into('<%dH' % n, b, ci, *f['ci'])
    if rgb is not None:
        b[rgb:rgb + 3] = bytes(f['rgb'])
    if direction is not None:
        b[direction] = f.get('dir', 0)
    b[flags] = f.get('flags', 0)
    for at, v in f.get('odd', ()):                          # bytes without a name
        b[at] = v
    return bytes(b)


def pad4(b):
    return b + bytes(-len(b) % 4)


def packets(g):
    return sum(KINDS[f['kind']][8] for f in g['faces'])


def model_bytes(m, base=None):
    """canonical layout; base: console address of the model's first byte (memory form)"""
    nb, ng = len(m['bones']), len(m['groups'])
    at, heads, body, add = 20 + 4 * nb + 40 * ng, b'', b'', base or 0
    for g in m['groups']:
        g['faces'].sort(key=lambda f: ORDER.index(f['kind']))
        counts = [sum(v[3] == b for v in g['verts']) for b in range(nb)]
        assert [v[3] for v in g['verts']] == sorted(v[3] for v in g['verts'])
        parts = [pad4(struct.pack('<%dH' % nb, *counts)), b''.join(struct.pack('<3h2B', *v[:3], g.get('lie', {}).get(i, v[3]), v[4]) for i, v in enumerate(g['verts'])),
                 b''.join(face_bytes(f) for f in g['faces']), pad4(b''.join(bytes(t) for t in g['uvs'])), b''.join(bytes(c) for c in g['cols'])]
        ptr = [at + sum(map(len, parts[:k])) for k in range(5)]
        g['at'] = ptr
        heads += struct.pack('<9HBb5I', packets(g) & 0xFFFF, *[sum(f['kind'] == k for f in g['faces']) for k in ORDER], 0, g.get('depth', 0), *[p + add for p in ptr])
        body += b''.join(parts)
        at += sum(map(len, parts))
    size = sum(map(packets, m['groups'])) & 0xFFFF
    return struct.pack('<HBBHBBHHII', 0 if base is None else 1, nb, ng, size, m.get('neck', 0), 0, m.get('height', 0), m.get('radius', 0), 20 + add, 20 + 4 * nb + add) + \
        b''.join(struct.pack('<hBB', l, 0, p) for l, p in m['bones']) + heads + body


def face_dump(f):
    _, _, uv, ci, rgb, mat, _, direction, _ = KINDS[f['kind']]
    d = dict(vertices=list(f['v']), flags=f.get('flags', 0))
    if uv is not None:
        d.update(uv=list(f['uv']), material=f['mat'])
    if ci is not None:
        d['colors'] = list(f['ci'])
    if rgb is not None:
        d['rgb'] = list(f['rgb'])
    if direction is not None:
        d['direction'] = f.get('dir', 0)
    return d


def model_dump(m, loaded=0, damaged=()):
    groups = [dict(index=i, damaged=True) if i in damaged else
              dict(index=i, depth=g.get('depth', 0), packet_bytes=packets(g) & 0xFFFF, vertex_counts=[sum(v[3] == b for v in g['verts']) for b in range(len(m['bones']))],
                   vertices=[[*v[:3], g.get('lie', {}).get(k, v[3]), v[4]] for k, v in enumerate(g['verts'])],
                   faces={k: [face_dump(f) for f in g['faces'] if f['kind'] == k] for k in ORDER},
                   uv=[list(t) for t in g['uvs']], colors=[list(c) for c in g['cols']]) for i, g in enumerate(m['groups'])]
    return dict(format='ff9-model', bone_count=len(m['bones']), group_count=len(groups), loaded=loaded, size=sum(map(packets, m['groups'])) & 0xFFFF,
                neck_bone=m.get('neck', 0), height=m.get('height', 0), radius=m.get('radius', 0),
                joints=[dict(index=i, id=i, name='bone%03d' % i, parent=p if i else None, length=l) for i, (l, p) in enumerate(m['bones'])], groups=groups)


# ------------------------------------------------------------------ TIM, 0x12
def tim_bytes(mode, x, y, w, h, words, clut=None, clut_rest=b'', more=0):
    """w in words; clut: (x, y, w, h, words); clut_rest: bytes behind the colours that the block counts as its own; more: added to the picture's count"""
    out = struct.pack('<II', 0x10, mode | (8 if clut else 0))
    if clut:
        out += struct.pack('<I4H', 12 + 2 * len(clut[4]) + len(clut_rest), *clut[:4]) + struct.pack('<%dH' % len(clut[4]), *clut[4]) + clut_rest[:len(clut_rest) & ~3]
    return out + struct.pack('<I4H', 12 + 2 * len(words) + more, x, y, w, h) + struct.pack('<%dH' % len(words), *words)


def tim_dump(mode, x, y, w, h, words, clut=None, clut_bytes=None, image_bytes=None):
    return dict(format='psx-tim', mode=mode, pixel_width={0: 4 * w, 1: 2 * w, 2: w, 3: w * 2 // 3}[mode],
                clut=None if not clut else dict(bytes=clut_bytes or 12 + 2 * len(clut[4]), x=clut[0], y=clut[1], width=clut[2], height=clut[3], words=list(clut[4])),
                image=dict(bytes=image_bytes or 12 + 2 * len(words), x=x, y=y, width=w, height=h, words=list(words)))


def pack_words(depth, w, h, pix):
    """index pictures (or 15-bit words) to VRAM words, row by row"""
    per = {0: 4, 1: 2, 2: 1}[depth]
    out = []
    for r in range(h):
        for c in range(0, w, per):
            out.append(sum(pix[r * w + c + k] << (16 // per * k) for k in range(per)) if per > 1 else pix[r * w + c])
    return out


def material_bytes(models):
    """[{model, anim, blink, a, b, mats: [{page, clut, win, place}]}]; blocks in record order behind the table"""
    n, out, tab = len(models), b'', b''
    for i, x in enumerate(models):
        k = len(x['mats'])
        tab += struct.pack('<HHIHBB', x['model'], x['anim'], k << 24 | 12 * n + len(out) - 12 * i, x.get('blink', 0xFFFF), x.get('a', 0), x.get('b', 0))
        out += b''.join(struct.pack('<HH', q['page'], q['clut']) for q in x['mats']) + b''.join(struct.pack('<hh', *q['win']) for q in x['mats']) + \
            b''.join(struct.pack('<4h', *q.get('place', (0, 0, 0, 0))) for q in x['mats'])
    return struct.pack('<BBH', 0xDC, n, 0) + tab + out


def material_dump(models):
    return dict(format='ff9-material', models=[dict(model=x['model'], animation=x['anim'], blink=x.get('blink', 0xFFFF), junk=[x.get('a', 0), x.get('b', 0)],
                materials=[dict(page=q['page'], clut=q['clut'], window=list(q['win']), place=list(q.get('place', (0, 0, 0, 0)))) for q in x['mats']]) for x in models])


# ------------------------------------------------------------------ 0x03 (canonical order)
def animation_bytes(translations, angles, low=True):
    F, B = len(angles), len(angles[0])
    out = bytearray(20)

    def put(blob):
        at = len(out)
        out.extend(blob)
        assert at < 65536
        return at
    words, mask, tables = [], 0, []
    for k in range(3):
        c = [t[k] for t in translations]
        mask |= (len(set(c)) == 1) << k
        words.append(c[0] & 0xFFFF if len(set(c)) == 1 else put(struct.pack('<%dh' % F, *c)))
    for shift in (4, 0):
        if not shift and not low:
            tables.append(0)
            continue
        out.extend(bytes(-len(out) % 4))
        at = len(out)
        tables.append(at)
        out.extend(bytes(8 * B))
        for b in range(B):
            rec, m = [], 0
            for k in range(3):
                c = [angles[f][b][k] >> shift & (255 if shift else 15) for f in range(F)]
                if len(set(c)) == 1:
                    m |= 1 << k
                    rec.append(c[0] | 0xFF00 if shift and c[0] & 128 else c[0])
                else:
                    c += [0] * (F & 1)
                    rec.append(put(bytes(c[:F])) if shift else put(bytes(c[i] | c[i + 1] << 4 for i in range(0, len(c), 2))))
            struct.pack_into('<4H', out, at + 8 * b, *rec, m)
    out.extend(bytes(-len(out) % 4))
    struct.pack_into('<HH4HII', out, 0, 0, F, *words, mask, *tables)
    return bytes(out)


def motion(seed, F, B, low=True, spread=600):
    R = Rng(seed)

    def line(n, lo, hi, s):
        out = [R.between(lo, hi)]
        for _ in range(n - 1):
            out.append(min(hi, max(lo, out[-1] + R.between(-s, s))))
        return out
    t = [line(F, -spread, spread, 40) for _ in range(3)]
    a = [[line(F, 0, 4095, 120) for _ in range(3)] for _ in range(B)]
    if F == 1 or not low:
        pass
    m = 0xFF0 if not low else 0xFFF
    return [[t[k][f] for k in range(3)] for f in range(F)], [[[a[b][k][f] & m for k in range(3)] for b in range(B)] for f in range(F)]


# ------------------------------------------------------------------ containers
def chunk(kind, items):
    """-> bytes, entries"""
    d = bytearray(struct.pack('<BBH%dH' % len(items), kind, len(items), 0, *[i for i, _ in items]))
    d += bytes(-len(d) % 4)
    table, where = len(d), []
    d += bytes(4 * len(items) + 4)
    for k, (_, b) in enumerate(items):
        struct.pack_into('<i', d, table + 4 * k, len(d) - table - 4 * k)
        where.append(len(d))
        d += pad4(b)
    struct.pack_into('<i', d, table + 4 * len(items), len(d) - table)
    return bytes(d)


def db(chunks):
    """[(type, [(id, bytes)])]"""
    d = bytearray(struct.pack('<BBH', 0xDB, len(chunks), 0) + bytes(4 * len(chunks)))
    for k, (kind, items) in enumerate(chunks):
        struct.pack_into('<I', d, 4 + 4 * k, kind << 24 | len(d) - 4 - 4 * k)
        d += chunk(kind, items)
    return bytes(d)


def image(directories):
    """{number: [(id, bytes)]} -> FF9.IMG with directories 0..13 (kind 2) and the end entry"""
    n = 15
    lists, at, heads, data = [], 1, b'', b''
    sizes = [len(directories.get(k, [])) for k in range(n - 1)]
    spans = [(8 * (s + 1) + 2047) // 2048 for s in sizes]
    first = 1 + sum(spans)
    for k in range(n - 1):
        heads += struct.pack('<4I', 2, sizes[k], at, first)
        rows, here = b'', first
        for i, b in directories.get(k, []):
            rows += struct.pack('<HHI', i, 0xFFFF, here)
            b = b + bytes(-len(b) % 2048)
            data += b
            here += len(b) // 2048
        rows += struct.pack('<HHI', 0xFFFF, 0xFFFF, here)
        lists.append(rows + bytes(-len(rows) % 2048))
        at += spans[k]
        first = here
    heads += struct.pack('<4I', 4, 0, at, 0)
    head = b'FF9 ' + struct.pack('<III', 0, n, 0) + heads
    return head + bytes(2048 - len(head)) + b''.join(lists) + data


# ------------------------------------------------------------------ pose
def turn(raw):
    """R = Rz * Ry * Rx, rows"""
    (cx, sx), (cy, sy), (cz, sz) = [(math.cos(v * math.pi / 2048), math.sin(v * math.pi / 2048)) for v in raw]
    return [[cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx], [sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx], [-sy, cy * sx, cy * cx]]


def pose(bones, translation, angles):
    """-> [(R, t)] of every bone, native axes"""
    W = []
    for i, (length, p) in enumerate(bones):
        r = turn(angles[i])
        if i == 0:
            W.append((r, list(translation)))
        else:
            P, t = W[p]
            W.append(([[sum(P[a][k] * r[k][b] for k in range(3)) for b in range(3)] for a in range(3)], [t[a] + P[a][2] * length for a in range(3)]))
    return W


def at_pose(m, translation, angles):
    """-> per group the world positions of its vertices, glTF axes"""
    W, out = pose(m['bones'], translation, angles), []
    for g in m['groups']:
        rows = []
        for x, y, z, b, _ in g['verts']:
            r, t = W[b]
            p = [t[a] + r[a][0] * x + r[a][1] * y + r[a][2] * z for a in range(3)]
            rows.append((p[0], -p[1], -p[2]))
        out.append(rows)
    return out


# ------------------------------------------------------------------ textures as laid out
def picture(seed, depth, w, h, holes=4, stp=None):
    """index picture and CLUT (or 15-bit words); holes: one texel in so many is 0x0000 on average (0 none); stp: None mixed, 0, 1"""
    R = Rng(seed)
    n = {0: 16, 1: 256, 2: 0}[depth]

    def colour():
        c = R.between(1, 0x7FFF)
        s = R.below(2) if stp is None else stp
        return c | s << 15
    if depth == 2:
        return [0 if holes and R.below(holes) == 0 else colour() for _ in range(w * h)], None
    clut = [0 if holes else colour()] + [colour() for _ in range(n - 1)]
    if n > 8:
        clut[7] = 0x8000                                       # opaque black
    return [0 if holes and R.below(holes) == 0 else (c + 3 * r + R.below(3)) % (n - 1) + 1 for r in range(h) for c in range(w)], clut


def rgba(word, blend):
    if word == 0:
        return (0, 0, 0, 0)
    c = [word & 31, word >> 5 & 31, word >> 10 & 31]
    return (*[v << 3 | v >> 2 for v in c], ALPHA[blend] if blend is not None and word >> 15 else 255)


def srgb(v):
    v /= 255
    return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4


class Look:
    """what a material shows: texel(u, v) in page (or picture) coordinates -> word or None (unknown); size of the picture or None (a page)"""

    def __init__(self, texel, size=None, page=None, clut=None, win=(0, 0)):
        self.texel, self.size, self.page, self.clut, self.win = texel, size, page, clut, win


def inside(p, t):
    """texel centre strictly inside the triangle (page coordinates)"""
    (ax, ay), (bx, by), (cx, cy) = t
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if area == 0:
        return False
    x, y = p[0] + 0.5, p[1] + 0.5
    b = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
    c = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
    return b > 1e-3 and c > 1e-3 and b + c < 1 - 1e-3


NEAREST_CLAMP = [9728, 9728, 33071, 33071]
ALPHA = {0: 128, 1: 255, 2: 255, 3: 64}


def character(m, looks, clips, posed, name, rest=None, rate=30, scale=1.0, hidden=(), by='page', memory=False, default=None, damaged=()):
    """What the .glb must show, in the layout of the ff7-mesh cases. looks: {material number: Look, or None for one without a texture};
    clips: [(name, translations, angles)] in file order; posed: [(clip, frame)]; name: the mesh nodes are <name>_group<N>;
    rest: (translation, angles), None = first frame of the default clip, else of the first; by: 'page' (VRAM) or 'place'; memory: header 0x00 = 1"""
    order = [c for c in clips if c[0] == default] + [c for c in clips if c[0] != default]
    if rest is None:
        rest = (order[0][1][0], order[0][2][0]) if order else ([0, 0, 0], [[0, 0, 0]] * len(m['bones']))
    byname = {c[0]: c for c in clips}
    moments = [at_pose(m, *rest)] + [at_pose(m, byname[c][1][f], byname[c][2][f]) for c, f in posed]
    box, coord = {}, {}                                      # page or picture coordinates of every corner; what every material uses
    for gi, g in enumerate(m['groups']):
        for fi, f in enumerate(g['faces'] if gi not in damaged else []):
            look = looks.get(f.get('mat')) if 'uv' in f else None
            if look is None:
                continue
            sign = (0 if memory else 1) if by == 'page' else (-1 if memory else 0)
            c = coord[gi, fi] = [tuple(g['uvs'][k][i] + sign * look.win[i] & 255 for i in (0, 1)) for k in f['uv']]
            b = box.setdefault(f['mat'], [255, 255, 0, 0])
            box[f['mat']] = [min(b[0], *[p[0] for p in c]), min(b[1], *[p[1] for p in c]), max(b[2], *[p[0] for p in c]), max(b[3], *[p[1] for p in c])]
    rect = {}
    for j, (x0, y0, x1, y1) in box.items():
        if by == 'page':
            rect[j] = (x0 // 16 * 16, y0 // 16 * 16, (x1 // 16 + 1) * 16 - x0 // 16 * 16, (y1 // 16 + 1) * 16 - y0 // 16 * 16)
        else:
            w, h = looks[j].size
            rect[j] = (0, 128 - h if y1 >= h else 0, w, h)
    mats, keys, tri, used, pixels = [], {}, [], [], []
    for gi, g in enumerate(m['groups']):
        for fi, f in enumerate(g['faces'] if gi not in hidden and gi not in damaged else []):
            fl = f.get('flags', 0)
            blend = fl >> 5 & 3 if fl & 1 else None
            textured, j = (gi, fi) in coord, f.get('mat') if 'uv' in f else None
            key = (gi, j, bool(fl & 2), blend, bool(fl & 128) if textured else None)
            if textured:
                x, y, w, h = rect[j]
            if key not in keys:
                keys[key] = len(mats)
                M = dict(part='%s_group%d' % (name, gi), texture=None, sampler=None, alphaMode=None, alphaCutoff=None, doubleSided=bool(fl & 2), unlit=True, blend=blend)
                pix = None
                if textured:
                    words = [looks[j].texel(x + c, y + r, fl) if by == 'page' else looks[j].texel(c, r, fl) for r in range(h) for c in range(w)]
                    pix = [rgba(v, blend) if v is not None else (0, 0, 0, 0) for v in words]
                    M.update(texture='%dx%d %s' % (w, h, hashlib.sha256(bytes(v for p in pix for v in p)).hexdigest()), sampler=NEAREST_CLAMP)
                mats.append(M)
                used.append([])
                pixels.append(pix and (w, h, pix))
            n = len(f['v'])
            c = [g['cols'][k][:3] for k in f['ci']] if 'ci' in f else [f['rgb']] * n
            if 'uv' in f:
                c = [[min(1.0, (v / 128) ** 2.2) * (1 if textured else 0.5) for v in q] + [1.0] for q in c]
            else:
                c = [[srgb(v) for v in q] + [1.0] for q in c]
            if not textured and blend is not None:
                c = [q[:3] + [{0: 0.5, 1: 1.0, 2: 1.0, 3: 0.25}[blend]] for q in c]
            for corners in ((0, 2, 1),) if n == 3 else ((0, 2, 1), (1, 2, 3)):
                v = [f['v'][k] for k in corners]
                if len({moments[0][gi][k] for k in v}) < 3:
                    continue                                 # two corners at one place
                uv = None
                if textured:
                    t = [(a - x, b - y) for a, b in (coord[gi, fi][k] for k in corners)]
                    used[keys[key]].append(t)
                    uv = [q for a, b in t for q in (a / w, b / h)]
                tri.append([keys[key], 0, [[q * scale for k in v for q in P[gi][k]] for P in moments], uv, [q for k in corners for q in c[k]], None])
    for M, U, P in zip(mats, used, pixels):
        if M['blend'] is not None:
            M['alphaMode'] = 'BLEND'
        elif P is None or all(p[3] for p in P[2]):
            M['alphaMode'] = 'OPAQUE'
        else:
            w, h, pix = P
            sure = any(pix[y * w + x][3] == 0 and inside((x, y), t) for t in U for y in range(max(0, int(min(p[1] for p in t))), min(h, int(max(p[1] for p in t)) + 1))
                       for x in range(max(0, int(min(p[0] for p in t))), min(w, int(max(p[0] for p in t)) + 1)))
            M['alphaMode'], M['alphaCutoff'] = 'MASK' if sure else 'EITHER', 0.5 if sure else None
    if not tri:
        height = 1.0
    else:
        ys = [p for t in tri for p in t[2][0][1::3]]
        height = max(ys) - min(ys)
    return dict(meshes=sorted({mats[t[0]]['part'] for t in tri}), joints=['bone%03d' % i for i in range(len(m['bones']))],
                clips=[dict(name=c[0], frames=len(c[2])) for c in order], rate=rate, posed=[list(p) for p in posed], height=height, materials=mats, triangles=tri)


# ------------------------------------------------------------------ dolls
def doll(seed, bones, groups, area, mats=(0,), flags=(0,), rgb=None, per_bone=4, size=120, first=0):
    """a random body. groups: [{kind: number of faces}]; area: {material: (u, v, w, h)} where its uv may lie (file values, modulo 256); rgb: None = 128 everywhere, else random"""
    R, out = Rng(seed), []
    for gi, spec in enumerate(groups):
        verts = [(R.between(-size, size), R.between(-size, size), R.between(-size, size), b, R.below(240)) for b in range(len(bones)) for _ in range(R.between(0 if b else 2, per_bone))]
        while len(verts) < 4:
            verts.append((R.between(-size, size), R.between(-size, size), R.between(-size, size), len(bones) - 1, R.below(240)))
        uvs, cols, where, faces = [], [], {}, []

        def uv(j):
            u, v, w, h = area[j]
            t = ((u + R.below(w)) & 255, (v + R.below(h)) & 255)
            if (j, t) not in where:
                where[j, t] = len(uvs)
                uvs.append(t)
            return where[j, t]

        def col():
            cols.append((R.below(256), R.below(256), R.below(256), 0))
            return len(cols) - 1
        for kind, count in spec.items():
            n = KINDS[kind][1]
            for _ in range(count):
                f = dict(kind=kind, v=R.shuffled(range(len(verts)))[:n], flags=R.pick(flags))
                if KINDS[kind][2] is not None:
                    f['mat'] = R.pick(mats)
                    f['uv'] = [uv(f['mat']) for _ in range(n)]
                if KINDS[kind][3] is not None:
                    f['ci'] = [col() if not cols or R.below(3) else R.below(len(cols)) for _ in range(n)]
                if KINDS[kind][4] is not None:
                    textured = KINDS[kind][2] is not None
                    f['rgb'] = [128] * 3 if textured and not rgb else [R.below(256) for _ in range(3)]
                if KINDS[kind][7] is not None:
                    f['dir'] = R.below(240)
                faces.append(f)
        # uv and colours are stored up to the highest index used
        top = max([k for f in faces for k in f.get('uv', [])] + [-1])
        out.append(dict(verts=verts, faces=faces, uvs=uvs[:top + 1], cols=cols, depth=R.between(-2, 3)))
    return dict(bones=bones, groups=out, neck=R.below(len(bones)), height=R.between(100, 500), radius=R.between(20, 120))


def tree(seed, n, lo=-90, hi=90):
    R = Rng(seed)
    return [(R.between(lo, hi), R.below(i) if i else 0) for i in range(n)]


# ------------------------------------------------------------------ VRAM layouts
class Layout:
    """pictures and CLUTs laid into a 1024 x 512 word memory, cut into raw 15-bit strips"""

    def __init__(self, seed):
        self.R, self.words, self.pages = Rng(seed), {}, []

    def put(self, x, y, w, h, words):
        for r in range(h):
            for c in range(w):
                self.words[(x + c) & 1023, (y + r) & 511] = words[r * w + c]

    def material(self, seed, px, py, depth, u, v, w, h, cx, cy, win=(0, 0), holes=4, stp=None, blend=0):
        """picture at (u, v) of the page at (64 px, 256 py); CLUT at (16 cx, cy). u, v, w, h multiples of 16"""
        pix, clut = picture(seed, depth, w, h, holes, stp)
        per = {0: 4, 1: 2, 2: 1}[depth]
        self.put(64 * px + u // per, 256 * py + v, w // per, h, pack_words(depth, w, h, pix))
        if clut:
            self.put(16 * cx, cy, len(clut), 1, clut)
        return self.show(px, py, depth, cx, cy, win, blend, [(u, v, w, h, pix, clut)])

    def show(self, px, py, depth, cx, cy, win, blend, pictures):
        def texel(x, y, flags=0):
            for u, v, w, h, pix, clut in pictures:
                if u <= x < u + w and v <= y < v + h:
                    k = pix[(y - v) * w + x - u]
                    return clut[k] if clut else k
            return None
        page, clut = px | py << 4 | blend << 5 | depth << 7, cx | cy << 6
        return dict(page=page, clut=clut, win=win), Look(texel, page=page, clut=clut, win=win)

    def strips(self, columns=64, drop=()):
        """every touched column of 64 words as a TIM of mode 2; noise around the pictures. -> [bytes]"""
        cols = {}
        for x, y in self.words:
            cols.setdefault(x // columns, []).append(y)
        out = []
        for k in self.R.shuffled(sorted(cols)):
            y0, y1 = min(cols[k]), max(cols[k]) + 1
            if k in drop:
                continue
            words = [self.words.get((k * columns + c, y), self.R.between(1, 0xFFFF)) for y in range(y0, y1) for c in range(columns)]
            out.append(tim_bytes(2, k * columns, y0, columns, y1 - y0, words))
        return out


def rounded(x, digits=9):
    if isinstance(x, bool) or x is None or isinstance(x, (int, str)):
        return x
    if isinstance(x, float):
        y = float('%.*g' % (digits, x))
        return 0.0 if y == 0 else y
    if isinstance(x, (list, tuple)):
        return [rounded(v, digits) for v in x]
    return {k: rounded(v, digits) for k, v in x.items()}


class Cases:
    def __init__(self, folder, kinds):
        self.folder, self.kinds, self.list = folder, kinds, []
        for sub in ('inputs', 'expected'):
            d = os.path.join(folder, sub)
            os.makedirs(d, exist_ok=True)
            for f in os.listdir(d):
                os.remove(os.path.join(d, f))

    def add(self, name, kind, files, expected, note, **more):
        if kind not in self.kinds:
            return
        for n, d in files.items():
            with open(os.path.join(self.folder, 'inputs', n), 'wb') as f:
                f.write(d)
        with open(os.path.join(self.folder, 'expected', name + '.json'), 'w') as f:
            json.dump(rounded(expected, 7), f, separators=(',', ':'))
            f.write('\n')
        assert name not in [c['name'] for c in self.list], name
        self.list.append(dict(name=name, kind=kind, file=next(iter(files)), note=note, **more))

    def close(self, what):
        with open(os.path.join(self.folder, 'cases.json'), 'w') as f:
            f.write('{"format":%s,"cases":[\n' % json.dumps(what) + ',\n'.join(json.dumps(c) for c in self.list) + '\n]}\n')
        kinds = {}
        for c in self.list:
            kinds[c['kind']] = kinds.get(c['kind'], 0) + 1
        print(what, len(self.list), 'cases', kinds)
