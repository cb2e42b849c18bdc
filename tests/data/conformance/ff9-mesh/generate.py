#!/usr/bin/env python3
"""FF9 (PlayStation) meshes, textures and whole characters: generator of the conformance cases.

    python3 generate.py                           rewrites inputs/, expected/ and cases.json beside this file (same bytes every time)
    python3 generate.py dump character texture    only cases of these kinds; default: those of what is read today, container and usage
"""
import copy, os, struct, sys
sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from ff9make import *


def shifted(box, win):
    """page coordinates -> what the file stores"""
    return ((box[0] - win[0]) & 255, (box[1] - win[1]) & 255, box[2], box[3])


def clip(i, seed, F, B, low=True):
    t, a = motion(seed, F, B, low)
    return i, t, a


def named(clips):
    return [('anim_%05d' % i, t, a) for i, t, a in clips]


def encoded(clips, low=True):
    return [(i, animation_bytes(t, a, low)) for i, t, a in clips]


def field(models, clips, tims, mats, more=()):
    """like a field file: outer DB with 14 and 1B; the first inner DB has the TIMs, the second the rest"""
    first = db([(4, [(100 + k, t) for k, t in enumerate(tims)]), (0x17, [(3, bytes(8))])]) if tims else db([(0x17, [(3, bytes(8))])])
    second = db([(2, models)] + ([(3, clips)] if clips else []) + ([(0x12, [(1, mats)])] if mats else []) + list(more))
    return db([(0x14, [(1, bytes(16))]), (0x1B, [(1, first), (2, second)])])


def main(folder=HERE, kinds=('container', 'usage')):
    C = Cases(folder, kinds)

    def dump(name, ext, data, expected, note, accept=('ok',), warnings='none', roundtrip=True, **more):
        fmt = {'ff9model': 'ff9-model', 'tim': 'psx-tim', 'ff9mat': 'ff9-material'}[ext]
        C.add(name, 'dump', {name + '.' + ext: bytes(data)}, dict(dump=expected) if expected else dict(outcome='error'), note, format=fmt, accept=list(accept), warnings=warnings,
              roundtrip=roundtrip, **more)

    def refused(name, ext, data, note, **more):
        dump(name, ext, data, None, note, ('error',), 'any', False, **more)

    def character_case(name, files, expected, note, inputs=None, args=(), warnings='none', codes=(), scale=True):
        C.add(name, 'character', files, expected, note, inputs=inputs or [next(iter(files))], args=(['--scale', '1'] if scale else []) + list(args), warnings=warnings, codes=list(codes))

    # ---------------------------------------------------------------- dump: 0x02
    area = {0: (0, 0, 128, 128), 1: (64, 32, 64, 64), 2: (200, 200, 96, 96)}
    every = dict(ft4=4, ft3=3, gt4=3, gt3=2, g4=2, g3=3, f4=2, f3=4)
    m = doll(1, tree(1, 6), [every], area, (0, 1), (0, 2), rgb=True)
    dump('model_all_kinds', 'ff9model', model_bytes(m), model_dump(m), 'all eight kinds of faces')
    m = doll(2, tree(2, 7), [dict(ft4=3, ft3=2), dict(ft3=4), dict(ft4=2, gt3=1, f3=1)], area, (0, 1, 2))
    dump('model_groups', 'ff9model', model_bytes(m), model_dump(m), 'three groups, an odd number of bones (the counts are padded)')
    m = doll(3, tree(3, 3), [dict(ft4=1645)], area, (0,), per_bone=9)
    assert sum(map(packets, m['groups'])) > 0xFFFF
    dump('model_size_wraps', 'ff9model', model_bytes(m), model_dump(m), 'GPU packet bytes beyond 16 bits: header 0x04 and group 0x00 wrap; no size of anything')
    m = dict(bones=tree(4, 5), groups=[], neck=1, height=7, radius=9)
    dump('model_no_groups', 'ff9model', model_bytes(m), model_dump(m), 'a skeleton without a mesh')
    m = doll(5, tree(5, 4), [dict(ft4=2, ft3=2, gt4=1, f3=1)], area)
    for f in m['groups'][0]['faces']:
        f['odd'] = {'ft4': [(23, 5), (22, 1)], 'ft3': [(7, 9)], 'gt4': [(31, 3)], 'f3': [(6, 77)]}[f['kind']]
    dump('model_odd_bytes', 'ff9model', model_bytes(m), model_dump(m), 'bytes of the faces that have no name are not 0: they come back', warnings='any')
    m = doll(6, tree(6, 5), [dict(ft4=3, ft3=3), dict(gt4=1)], area)
    dump('model_memory', 'ff9model', model_bytes(m, 0x8012A458), model_dump(m, loaded=1), 'memory form: word 0 is 1, all pointers are console addresses', roundtrip=False, warnings='any')
    m = doll(7, tree(7, 5), [dict(ft4=3, ft3=3)], area, per_bone=5)
    m['groups'][0]['lie'] = {1: 3, len(m['groups'][0]['verts']) - 1: 0}
    dump('model_bone_byte', 'ff9model', model_bytes(m), model_dump(m), 'two vertices name another bone than the counts: a warning', warnings='some')
    m = doll(8, tree(8, 4), [dict(ft4=2, ft3=2)], area, flags=(0x1C, 0))
    m['groups'][0]['faces'][0]['flags'] = 0x1C
    dump('model_flags', 'ff9model', model_bytes(m), model_dump(m), 'flag bits without a meaning: a warning', warnings='some')
    # damaged
    m = doll(9, tree(9, 6), [dict(ft4=3, ft3=2), dict(ft4=2, gt3=2), dict(ft3=3)], area, (0, 1))
    good = model_bytes(m)
    at = [g['at'] for g in m['groups']]

    def patched(fmt, o, v, d=good):
        d = bytearray(d)
        struct.pack_into(fmt, d, o, v)
        return d
    table = 20 + 4 * 6
    refused('model_header_cut', 'ff9model', good[:18], 'the file ends in the 20-byte header')
    refused('model_bones_outside', 'ff9model', patched('<I', 0x0C, len(good) - 23), 'bone table: 24 bytes, 23 are left')
    refused('model_groups_outside', 'ff9model', patched('<I', 0x10, len(good) - 119), 'group table: 120 bytes, 119 are left')
    refused('model_parent_after', 'ff9model', patched('<B', 20 + 4 * 3 + 3, 3), 'bone 3 is its own parent')
    refused('model_no_base', 'ff9model', patched('<I', 0x10, 0x80123400), 'the group table is a console address, the bone table is not: no base')
    part = lambda name, d, k, note: dump(name, 'ff9model', d, model_dump(m, damaged=(k,)), note, ('partial',), 'some', False)
    part('model_vertex_index', patched('<H', at[1][2] + 6, len(m['groups'][1]['verts'])), 1, 'group 1: a vertex index equals the number of vertices')
    part('model_uv_outside', patched('<H', at[2][2] + 12, 0x7FFF), 2, 'group 2: a uv index whose entry ends outside')
    part('model_color_outside', patched('<I', table + 40 + 0x24, len(good) - 3), 1, 'group 1: the colours end outside')
    part('model_faces_outside', patched('<H', table + 80 + 4, 5000), 2, 'group 2: 5000 ft3 do not fit')
    part('model_vertices_outside', patched('<H', at[0][0] + 2, 30000), 0, 'group 0: the counts ask for more vertices than there are bytes')
    bomb = model_bytes(doll(10, tree(10, 2), [dict(ft3=2)], area))
    n = 255
    body = bytes(2 * 4) + bytes(8 * 4) + bytes(20 * 8000)
    big = struct.pack('<HBBHBBHHII', 0, 1, n, 0, 0, 0, 0, 0, 20, 24) + bytes(4)
    base = 24 + 40 * n
    for g in range(n):
        big += struct.pack('<9HBb5I', 0, 0, 8000, *[0] * 6, 0, 0, base, base + 8, base + 40, base, base)
    big += struct.pack('<HHHH', 4, 0, 0, 0) + body
    refused('model_bomb', 'ff9model', big, '255 groups point at the same 8,000 faces: 2 million faces in %d bytes' % len(big), status=[1, 4])
    two = doll(11, tree(11, 3), [dict(ft4=2), dict(ft4=2)], area)
    d = bytearray(model_bytes(two))
    two['groups'][1] = copy.deepcopy(two['groups'][0])
    two['groups'][1]['depth'] = 1
    h = 20 + 12
    d[h + 40:h + 80] = d[h:h + 40]
    d[h + 40 + 0x13] = 1
    struct.pack_into('<H', d, 4, sum(map(packets, two['groups'])))
    dump('model_shared_blocks', 'ff9model', d, model_dump(two), 'two groups use the same blocks: legal', roundtrip=False, warnings='any')

    # ---------------------------------------------------------------- dump: TIM, 0x12
    for name, mode, w, h, note in (('tim_4bit', 0, 16, 24, '4 bit'), ('tim_8bit', 1, 32, 20, '8 bit'), ('tim_15bit', 2, 24, 9, '15 bit without a CLUT')):
        pix, pal = picture(20 + mode, mode, w, h)
        words = pack_words(mode, w, h, pix)
        q = pal and (16, 240, len(pal), 1, pal)
        dump(name, 'tim', tim_bytes(mode, 640, 256, len(words) // h, h, words, q), tim_dump(mode, 640, 256, len(words) // h, h, words, q), note)
    R = Rng(24)
    words = [R.below(65536) for _ in range(12 * 5)]
    dump('tim_24bit', 'tim', tim_bytes(3, 0, 0, 12, 5, words), tim_dump(3, 0, 0, 12, 5, words), '24 bit: 12 words are 8 pixels')
    pix, pal = picture(25, 0, 16, 8)
    words = pack_words(0, 16, 8, pix)
    q = (0, 500, 16, 1, pal)
    dump('tim_clut_rounds', 'tim', tim_bytes(0, 8, 9, 4, 8, words, q, b'\xAB\xCD'), tim_dump(0, 8, 9, 4, 8, words, q, 46), 'CLUT block of 46 bytes: the picture stands at 44 (rounded down to 4)', warnings='any')
    pal2 = [R.below(65536) for _ in range(48)]
    q = (0, 500, 16, 3, pal2)
    dump('tim_three_rows', 'tim', tim_bytes(0, 8, 9, 4, 8, words, q), tim_dump(0, 8, 9, 4, 8, words, q), 'a CLUT block of three rows')
    t = tim_bytes(0, 8, 9, 4, 8, words, q)
    refused('tim_cut', 'tim', t[:-1], 'the picture lacks its last byte')
    refused('tim_magic', 'tim', b'\x11' + t[1:], 'first byte is not 0x10')
    refused('tim_size_lies', 'tim', patched('<H', len(t) - 2 * len(words) - 2, 9, t), 'w * h * 2 + 12 is more than the picture block has')
    mm = [dict(model=258, anim=7655, blink=4, a=3, b=0x80, mats=[dict(page=0x8E, clut=0x3C80, win=(-64, 128), place=(704, 0, 0, 0)), dict(page=0x9F, clut=0x7FFF, win=(32767, -32768), place=(1, -2, 3, -4))]),
          dict(model=5467, anim=0xFFFF, mats=[dict(page=0x18, clut=1, win=(0, 0))]), dict(model=1, anim=2, mats=[])]
    x = material_bytes(mm)
    dump('material_three', 'ff9mat', x, material_dump(mm), 'three models; one without a default animation, one without materials')
    refused('material_magic', 'ff9mat', b'\xDB' + x[1:], 'first byte is not 0xDC')
    refused('material_outside', 'ff9mat', x[:-1], 'the last block ends outside')
    refused('material_table_cut', 'ff9mat', x[:30], 'the table of records is cut')

    # ---------------------------------------------------------------- characters
    def look(layout, specs):
        """specs: [(px, py, depth, (u, v, w, h), cx, cy, win, more)] -> materials, looks, where uv lie in the file"""
        mats, looks, where = [], {}, {}
        for j, (px, py, depth, box, cx, cy, win, more) in enumerate(specs):
            q, lk = layout.material(1000 + 17 * j + layout.R.below(1 << 20), px, py, depth, *box, cx, cy, win, **more)
            mats.append(q)
            looks[j], where[j] = lk, shifted(box, win)
        return mats, looks, where
    L = Layout(31)
    mats, looks, where = look(L, [(10, 0, 1, (0, 0, 64, 64), 0, 240, (0, 0), {}), (10, 0, 1, (64, 0, 48, 80), 0, 241, (64, 0), {}), (11, 0, 1, (0, 96, 128, 64), 0, 242, (0, 96), dict(holes=0))])
    bones = tree(31, 9)
    m = doll(31, bones, [dict(ft4=14, ft3=9), dict(ft4=4, ft3=3)], where, (0, 1, 2))
    clips = [clip(11, 301, 6, 9), clip(12, 302, 9, 9), clip(4007, 303, 5, 9)]
    data = field([(258, model_bytes(m))], encoded(clips), L.strips(), material_bytes([dict(model=258, anim=12, mats=mats)]))
    e = character(m, looks, named(clips), [('anim_00011', 3), ('anim_04007', 4)], 'model258', default='anim_00012')
    character_case('field', {'field.ff9db': data}, e, 'a field file: TIMs are raw strips in the first inner DB, pages of 8 bits and CLUTs lie in them; default animation = rest pose and first clip')
    e = character(m, looks, named(clips), [('anim_00012', 7)], 'model258', default='anim_00012', scale=1 / 256)
    character_case('default_scale', {'default_scale.ff9db': data}, e,
                   'metres: native / 256', scale=False)
    e = character(m, looks, named(clips), [('anim_00011', 1)], 'model258', default='anim_00012', hidden=(0,))
    character_case('hide_group', {'hide.ff9db': data}, e, '--hide-group 0: the other group is the same as before (also the crop of its textures)', args=['--hide-group', '0'])

    L = Layout(32)
    mats, looks, where = look(L, [(5, 1, 1, (16, 32, 80, 96), 16, 480, (0, 0), {})])
    bones = tree(32, 6)
    m = doll(32, bones, [dict(ft4=5, ft3=4, gt4=4, gt3=3, g4=3, g3=3, f4=3, f3=3)], where, (0,), (0, 2), rgb=True)
    clips = [clip(1, 311, 4, 6)]
    data = field([(7, model_bytes(m))], encoded(clips), L.strips(), material_bytes([dict(model=7, anim=0xFFFF, mats=mats)]))
    character_case('all_kinds', {'all_kinds.ff9db': data}, character(m, looks, named(clips), [('anim_00001', 2), ('anim_00001', 3)], 'model7'), 'eight kinds, colours: (rgb / 128)^2.2 at most 1 with a texture, sRGB without; two-sided')

    L = Layout(33)
    mats, looks, where = look(L, [(6, 0, 1, (0, 0, 48, 48), 0, 470, (200, 240), {}), (6, 0, 1, (192, 208, 64, 48), 0, 471, (-32, 32767), {})])
    m = doll(33, tree(33, 5), [dict(ft4=8, ft3=8)], where, (0, 1))
    clips = [clip(1, 321, 4, 5)]
    data = field([(8, model_bytes(m))], encoded(clips), L.strips(), material_bytes([dict(model=8, anim=1, mats=mats)]))
    character_case('window_wraps', {'window_wraps.ff9db': data}, character(m, looks, named(clips), [('anim_00001', 2)], 'model8'), 'u + wx and v + wy modulo 256, also of corners of one face; windows beyond a byte and negative')

    L = Layout(61)
    mats, looks, where = look(L, [(6, 0, 1, (0, 0, 64, 64), 0, 470, (0, 0), {}), (7, 1, 1, (128, 192, 128, 64), 0, 471, (0, 0), {})])
    m = doll(61, tree(61, 5), [dict(ft4=6, ft3=6)], {0: (16, 16, 17, 33), 1: (144, 208, 112, 48)}, (0, 1))
    g = m['groups'][0]
    mine = {k: f['mat'] for f in g['faces'] for k in f['uv']}
    for j, box in ((0, (16, 16, 32, 48)), (1, (144, 208, 255, 255))):
        a, b = [k for k in sorted(mine) if mine[k] == j][:2]
        g['uvs'][a], g['uvs'][b] = box[:2], box[2:]
    clips = [clip(1, 322, 4, 5)]
    data = field([(8, model_bytes(m))], encoded(clips), L.strips(), material_bytes([dict(model=8, anim=1, mats=mats)]))
    character_case('crop_edges', {'crop_edges.ff9db': data}, character(m, looks, named(clips), [('anim_00001', 2)], 'model8'), 'largest u and v are multiples of 16 (that texel belongs to the crop) and 255')

    L = Layout(34)
    mats, looks, where = look(L, [(8, 0, 0, (32, 16, 96, 48), 4, 256, (0, 0), {}), (9, 1, 1, (0, 128, 64, 96), 0, 500, (0, 0), {}), (12, 0, 2, (16, 64, 48, 48), 0, 0, (0, 0), {}), (8, 0, 0, (128, 16, 64, 64), 5, 256, (0, 0), {})])
    m = doll(34, tree(34, 5), [dict(ft4=12, ft3=12)], where, (0, 1, 2, 3))
    clips = [clip(1, 331, 4, 5)]
    data = field([(9, model_bytes(m))], encoded(clips), L.strips(), material_bytes([dict(model=9, anim=1, mats=mats)]))
    character_case('depths', {'depths.ff9db': data}, character(m, looks, named(clips), [('anim_00001', 2)], 'model9'), 'pages of 4, 8 and 15 bits; two 4-bit CLUTs in one row')

    L = Layout(35)
    mats, looks, where = look(L, [(7, 0, 1, (0, 0, 64, 64), 0, 450, (0, 0), dict(blend=2)), (7, 0, 1, (64, 0, 64, 64), 0, 451, (0, 0), dict(stp=1, holes=0))])
    m = doll(35, tree(35, 4), [dict(ft4=22, ft3=22, f3=5, g4=5)], where, (0, 1), (0, 2, 1, 3, 0x21, 0x41, 0x61, 0x63, 0x60))
    clips = [clip(1, 341, 4, 4)]
    data = field([(10, model_bytes(m))], encoded(clips), L.strips(), material_bytes([dict(model=10, anim=1, mats=mats)]))
    character_case('blend', {'blend.ff9db': data}, character(m, looks, named(clips), [('anim_00001', 2)], 'model10'), 'two-sided and the four blend modes: only texels with STP are mixed, STP of faces without flag 1 means nothing; the mode is the face\'s, not the page\'s')

    L = Layout(36)
    mats, looks, where = look(L, [(13, 1, 1, (0, 0, 64, 64), 0, 440, (64, 32), {})])
    inmem = {0: (0, 0, 64, 64)}
    m = doll(36, tree(36, 6), [dict(ft4=6, ft3=6)], inmem)
    clips = [clip(1, 351, 4, 6)]
    data = field([(11, model_bytes(m, 0x80178000))], encoded(clips), L.strips(), material_bytes([dict(model=11, anim=1, mats=mats)]))
    character_case('memory', {'memory.ff9db': data}, character(m, looks, named(clips), [('anim_00001', 2)], 'model11', memory=True), 'a model cut from memory (word 0 is 1): the window is already added to its uv', warnings='any')

    m = doll(37, tree(37, 6), [dict(ft4=6, ft3=6)], where, per_bone=5)
    m['groups'][0]['lie'] = {k: (v[3] + 2) % 6 for k, v in enumerate(m['groups'][0]['verts']) if k % 3 == 0}
    data = field([(12, model_bytes(m))], encoded(clips), L.strips(), material_bytes([dict(model=12, anim=1, mats=mats)]))
    character_case('bone_by_counts', {'bone_by_counts.ff9db': data}, character(m, looks, named(clips), [('anim_00001', 3)], 'model12'), 'a vertex follows the bone of the counts, not its own byte', warnings='some', codes=['count-mismatch'])

    # by place
    def pictures(seed, sizes, mode=1):
        tims, looks = [], {}
        for j, (w, h) in enumerate(sizes):
            pix, pal = picture(seed + j, mode, w, h)
            words = pack_words(mode, w, h, pix)
            tims.append(tim_bytes(mode, 320, 0, len(words) // h, h, words, pal and (0, 480, len(pal), 1, pal)))
            looks[j] = Look(lambda x, y, fl=0, pix=pix, pal=pal, w=w: pal[pix[y * w + x]] if pal else pix[y * w + x], (w, h))
        return tims, looks
    tims, looks = pictures(361, [(128, 80), (128, 128), (64, 64)])
    where = {0: (0, 0, 128, 80), 1: (0, 0, 128, 128), 2: (0, 0, 64, 64)}
    m = doll(38, tree(38, 8), [dict(ft4=10, ft3=10), dict(ft3=4)], where, (0, 1, 2))
    clips = [clip(99, 361, 5, 8), clip(100, 362, 3, 8)]
    mats = [dict(page=0x93, clut=0x3900, win=(0, 0), place=(0, 1, 0, 0)), dict(page=0x93, clut=0x3940, win=(0, 0), place=(0, 2, 0, 0)), dict(page=0x94, clut=0x3980, win=(0, 0))]
    x12 = material_bytes([dict(model=5414, anim=99, mats=mats)])
    party = db([(0x1B, [(1, db([(2, [(5414, model_bytes(m))]), (3, encoded(clips)), (0x12, [(1, x12)])])), (2, db([(4, [(4300, tims[0]), (4228, tims[1]), (9, tims[2])])]))])])
    e = character(m, looks, named(clips), [('anim_00099', 3), ('anim_00100', 1)], 'model5414', by='place')
    character_case('party', {'party.ff9db': party}, e, 'all TIMs have a CLUT and the same coordinates: material j = object j of the 04 chunk by place, not by id, not by the coordinates in the TIM')
    tims, looks = pictures(371, [(64, 48)])
    m = doll(39, tree(39, 2), [dict(ft4=6, ft3=4)], {0: (0, 80, 64, 48)})
    clips = [clip(5, 371, 3, 2)]
    weapon = db([(2, [(476, model_bytes(m))]), (3, encoded(clips)), (0x12, [(1, material_bytes([dict(model=476, anim=0xFFFF, mats=[dict(page=0x95, clut=0x3A00, win=(0, 128), place=(0, 2, 0, 0))])]))]), (4, [(1, tims[0])])])
    character_case('weapon', {'weapon.ff9db': weapon}, character(m, looks, named(clips), [('anim_00005', 2)], 'model476', by='place'), 'a picture of 48 rows stands at v = 80: row = v - (128 - height)')
    tims, looks = pictures(381, [(64, 64), (128, 96)])
    m = doll(40, tree(40, 5), [dict(ft4=8, ft3=6)], {0: (0, 0, 64, 64), 1: (0, 0, 128, 96)}, (0, 1))
    clips = [clip(70, 381, 4, 5), clip(71, 382, 6, 5)]
    monster = db([(0x1B, [(1, db([(2, [(428, model_bytes(m))]), (3, encoded(clips))])), (2, db([(4, [(2, tims[0]), (1, tims[1])])]))])])
    img = image({7: [(428, monster), (429, weapon)], 10: [(5414, party)]})
    e = character(m, looks, named(clips), [('anim_00071', 5)], 'model428', by='place', rate=15)
    character_case('image_monster', {'ff9.img': img}, e, 'FF9.IMG:7/428: no 0x12, material j = object j; 15 frames a second', inputs=['ff9.img:7/428'])
    # the same kind of TIM in directory 4: by its coordinates
    L = Layout(41)
    tims, mats, looks, where = [], [], {}, {}
    for j, (px, py, u, v, w, h, cy) in enumerate(((3, 0, 0, 32, 64, 48, 470), (3, 0, 64, 32, 64, 48, 471), (4, 1, 32, 0, 32, 64, 472))):
        pix, pal = picture(391 + j, 1, w, h)
        tims.append(tim_bytes(1, 64 * px + u // 2, 256 * py + v, w // 2, h, pack_words(1, w, h, pix), (0, cy, 256, 1, pal)))
        q, lk = L.show(px, py, 1, 0, cy, (0, 0), 0, [(u, v, w, h, pix, pal)])
        mats.append(q)
        looks[j], where[j] = lk, (u, v, w, h)
    m = doll(41, tree(41, 6), [dict(ft4=9, ft3=9)], where, (0, 1, 2))
    clips = [clip(30, 391, 4, 6)]
    data = field([(75, model_bytes(m))], encoded(clips), [tims[2], tims[0], tims[1]], material_bytes([dict(model=75, anim=30, mats=mats)]))
    e = character(m, looks, named(clips), [('anim_00030', 2)], 'model75')
    character_case('image_field', {'fields.img': image({4: [(12, field([(1, model_bytes(doll(42, tree(42, 2), [dict(f3=2)], {})))], [], [], None)), (75, data)]})}, e,
                   'FF9.IMG:4/75: TIMs with CLUTs go to their own coordinates in directory 4', inputs=['fields.img:4/75'])
    data2 = data
    character_case('textures_by', {'fields.ff9db': data2}, e, 'the same DB outside FF9.IMG with --textures-by vram', args=['--textures-by', 'vram'])

    # things that lack
    L = Layout(43)
    mats, looks, where = look(L, [(10, 0, 1, (0, 0, 64, 64), 0, 240, (0, 0), dict(holes=0)), (14, 1, 1, (32, 0, 48, 80), 0, 241, (16, 0), dict(holes=0))])
    m = doll(43, tree(43, 5), [dict(ft4=7, ft3=7)], where, (0, 1))
    clips = [clip(1, 411, 4, 5)]
    mb, cl, x12 = [(20, model_bytes(m))], encoded(clips), material_bytes([dict(model=20, anim=1, mats=mats)])
    data = field(mb, cl, L.strips(), None)
    character_case('no_material', {'no_material.ff9db': data}, character(m, {}, named(clips), [('anim_00001', 2)], 'model20'), 'no 0x12 and raw strips: untextured grey (0.5), with a warning', warnings='some', codes=['missing-file'])
    data = field(mb, cl, L.strips(drop=(14,)), x12)
    character_case('tim_missing', {'tim_missing.ff9db': data}, character(m, {0: looks[0]}, named(clips), [('anim_00001', 2)], 'model20'), 'nothing of material 1 is loaded: it is grey, material 0 is whole', warnings='some', codes=['missing-file'])
    strips = L.strips()
    k = next(i for i, t in enumerate(strips) if struct.unpack_from('<H', t, 12)[0] == 14 * 64)
    strips[k] = strips[k][:400]
    data = field(mb, cl, strips, x12)
    character_case('tim_damaged', {'tim_damaged.ff9db': data}, character(m, {0: looks[0]}, named(clips), [('anim_00001', 2)], 'model20'), 'a TIM is cut: the character is delivered without it', warnings='some', codes=['damaged'])
    L = Layout(44)
    mats, looks, where = look(L, [(10, 0, 1, (0, 0, 64, 64), 0, 240, (0, 0), dict(holes=0))])
    for x in range(640, 672):
        for y in range(48, 64):
            L.words.pop((x, y), None)
    full = looks[0].texel
    looks[0].texel = lambda x, y, fl=0: full(x, y) if y < 48 else None
    m = doll(44, tree(44, 5), [dict(ft4=7, ft3=7)], where)
    data = field([(21, model_bytes(m))], cl, L.strips(), material_bytes([dict(model=21, anim=1, mats=mats)]))
    character_case('texels_unknown', {'texels_unknown.ff9db': data}, character(m, looks, named(clips), [('anim_00001', 2)], 'model21'), 'rows 48 to 63 were never loaded: transparent, with a warning', warnings='some', codes=['texture-outside'])
    L = Layout(45)
    mats, looks, where = look(L, [(10, 0, 1, (0, 0, 64, 64), 0, 240, (0, 0), {})])
    m = doll(45, tree(45, 5), [dict(ft4=5, ft3=5), dict(ft4=4), dict(ft3=4)], where)
    md = bytearray(model_bytes(m))
    struct.pack_into('<H', md, m['groups'][1]['at'][2], 0xFFFF)
    data = field([(22, bytes(md))], cl, L.strips(), material_bytes([dict(model=22, anim=1, mats=mats)]))
    character_case('group_damaged', {'group_damaged.ff9db': data}, character(m, looks, named(clips), [('anim_00001', 2)], 'model22', damaged=(1,)), 'group 1 is damaged: the others are delivered', warnings='some', codes=['damaged'])
    m = doll(46, tree(46, 5), [dict(ft4=5, ft3=5)], {0: where[0], 3: (0, 0, 256, 256)}, (0, 3))
    data = field([(23, model_bytes(m))], cl, L.strips(), material_bytes([dict(model=23, anim=1, mats=mats)]))
    character_case('material_number', {'material_number.ff9db': data}, character(m, looks, named(clips), [('anim_00001', 2)], 'model23'), 'material 3 of 1: those faces are grey', warnings='some', codes=['texture-number'])
    m = doll(47, tree(47, 4), [dict(ft4=5, ft3=5)], where)
    data = field([(24, model_bytes(m))], [], L.strips(), material_bytes([dict(model=24, anim=77, mats=mats)]))
    character_case('no_clips', {'no_clips.ff9db': data}, character(m, looks, [], [], 'model24'), 'no animation in the file: all angles 0, with a warning', warnings='some', codes=['no-pose'])
    # files beside
    m = doll(48, tree(48, 7), [dict(ft4=8, ft3=5)], {0: (0, 0, 64, 64), 1: (0, 0, 32, 80)}, (0, 1))
    tims, looks = pictures(421, [(64, 64), (32, 80)])
    clips = [clip(0, 421, 5, 7)]
    files = {'beside.ff9anim': animation_bytes(*clips[0][1:]), 'beside.ff9model': model_bytes(m), 'beside.ff9mat': material_bytes([dict(model=1, anim=0xFFFF, mats=[dict(page=0x90, clut=0, win=(0, 0)), dict(page=0x90, clut=0, win=(0, 0))])]),
             'beside_0.tim': tims[0], 'beside_1.tim': tims[1]}
    e = character(m, looks, [('beside', *clips[0][1:])], [('beside', 3)], 'beside', by='place')
    character_case('beside', files, e, 'an animation alone: <stem>.ff9model, <stem>.ff9mat, <stem>_0.tim, <stem>_1.tim beside it')
    files = {'loose.ff9anim': files['beside.ff9anim'], 'other.ff9model': files['beside.ff9model'], 'other.mat': files['beside.ff9mat'], 'p.tim': tims[0], 'q.tim': tims[1]}
    e = character(m, looks, [('loose', *clips[0][1:])], [('loose', 4)], 'other', by='place')
    character_case('named', files, e, 'everything named: -s, --materials, --textures', args=['-s', 'other.ff9model', '--materials', 'other.mat', '--textures', 'p.tim', '--textures', 'q.tim'])

    # ---------------------------------------------------------------- several models in one file
    L = Layout(51)
    mats, looks, where = look(L, [(10, 0, 1, (0, 0, 64, 64), 0, 240, (0, 0), {}), (10, 0, 1, (64, 0, 64, 64), 0, 241, (0, 0), {})])
    A, B, D = (doll(s, tree(s, n), [dict(ft4=4, ft3=4)], where, ms) for s, n, ms in ((51, 5, (0,)), (52, 9, (0, 1)), (53, 5, (1,))))
    clips = [clip(900, 501, 5, 9), clip(31, 502, 4, 5), clip(32, 503, 6, 5), clip(33, 504, 7, 12), clip(34, 505, 3, 9)]
    one = clip(35, 506, 1, 5, low=False)                       # one frame, no low table, no stream: only the object's end tells
    x12 = material_bytes([dict(model=300, anim=32, mats=mats), dict(model=301, anim=34, mats=mats), dict(model=302, anim=0xFFFF, mats=mats)])
    models = [(300, model_bytes(A)), (301, model_bytes(B)), (302, model_bytes(D))]
    data = field(models, encoded(clips) + [(35, animation_bytes(*one[1:], low=False))], L.strips(), x12)
    n5, n9 = ['anim_00031', 'anim_00032', 'anim_00035'], ['anim_00900', 'anim_00034']
    outputs = {'models_300.glb': dict(joints=5, clips=['anim_00032', 'anim_00031', 'anim_00035'], triangles=12), 'models_301.glb': dict(joints=9, clips=['anim_00034', 'anim_00900'], triangles=12),
               'models_302.glb': dict(joints=5, clips=n5, triangles=12)}
    more = dict(models=[dict(id=300, joints=5, triangles=12, clips=3, default_animation=32), dict(id=301, joints=9, triangles=12, clips=2, default_animation=34), dict(id=302, joints=5, triangles=12, clips=3, default_animation=None)])
    C.add('models', 'container', {'models.ff9db': data}, dict(outputs=outputs, **more), 'three models in a field file: clips by bone count, models of equal count share them, default animation first; 33 belongs to none',
          inputs=['models.ff9db'], args=['--scale', '1'], warnings='any')
    five = [c for c in clips if len(c[2][0]) == 5] + [one]
    nine = [c for c in clips if len(c[2][0]) == 9]
    character_case('model_option', {'models.ff9db': data}, character(B, looks, named(nine), [('anim_00900', 4), ('anim_00034', 1)], 'model301', default='anim_00034'), '--model 301', args=['--model', '301'], warnings='any')
    character_case('model_last', {'models.ff9db': data}, character(D, looks, named(five), [('anim_00032', 5), ('anim_00035', 0)], 'model302'), '--model 302: shares its clips with 300; no default animation: the first that fits', args=['--model', '302'], warnings='any')
    C.add('models_one_output', 'usage', {'models.ff9db': data}, dict(status=[2], words=['300', '301', '302', '--model']), 'several models and one output: a usage error that lists them', inputs=['models.ff9db'], args=['-o', 'x.glb'])
    C.add('model_unknown', 'usage', {'models.ff9db': data}, dict(status=[1], words=['999']), '--model of no model', inputs=['models.ff9db'], args=['--model', '999', '-o', 'x.glb'])
    C.add('group_unknown', 'usage', {'models.ff9db': data}, dict(status=[1], words=['7']), '--hide-group of no group', inputs=['models.ff9db'], args=['--model', '300', '--hide-group', '7', '-o', 'x.glb'])
    plain = db([(2, models[:2]), (3, encoded(clips[:4])), (4, [(k, t) for k, t in enumerate(L.strips())]), (0x12, [(1, x12)])])
    C.add('models_flat', 'container', {'flat.ff9db': plain}, dict(outputs={'flat_300.glb': dict(joints=5, clips=['anim_00032', 'anim_00031'], triangles=12), 'flat_301.glb': dict(joints=9, clips=['anim_00900'], triangles=12)},
          models=[dict(id=300, joints=5, triangles=12, clips=2, default_animation=32), dict(id=301, joints=9, triangles=12, clips=1, default_animation=34)]),
          'all in one DB; the default animation of 301 is not in the file', inputs=['flat.ff9db'], args=['--scale', '1'], warnings='any')
    bad = bytearray(models[1][1])
    struct.pack_into('<I', bad, 0x0C, len(bad))
    data = field([models[0], (301, bytes(bad)), models[2]], encoded(clips[1:3]), L.strips(), x12)
    C.add('models_one_bad', 'container', {'one_bad.ff9db': data}, dict(outputs={'one_bad_300.glb': dict(joints=5, clips=['anim_00032', 'anim_00031'], triangles=12), 'one_bad_302.glb': dict(joints=5, clips=['anim_00031', 'anim_00032'], triangles=12)}),
          'the head of model 301 is damaged: the two others are delivered', inputs=['one_bad.ff9db'], args=['--scale', '1'], warnings='some', codes=['damaged'])
    C.close('ff9-mesh')


if __name__ == '__main__':
    main(HERE, *([sys.argv[1:]] if sys.argv[1:] else []))
