"""Small files that need much work or memory: each function returns the bytes of one."""
import os, struct, sys, zlib

import ff9_container as ff9

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'samples')
sys.path.append(SAMPLES)
import discs                                      # noqa: E402
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'data', 'conformance', 'archives'))
import writers                                    # noqa: E402  by the description of the formats


def lgp_of_one_place(names, size):
    """An LGP whose entries share the same `size` bytes; names have four letters."""
    rows = []
    at = 16 + 27 * names + 3600 + 2
    slots = [[0, 0] for _ in range(900)]
    for i in range(names):
        name = ''.join(chr(97 + i // 26 ** k % 26) for k in (3, 2, 1, 0))
        slot = slots[(ord(name[0]) - 97) * 30 + ord(name[1]) - 96]
        slot[0] = slot[0] or i + 1
        slot[1] += 1
        rows.append(struct.pack('<20sIBH', name.encode(), at, 14, 0))
    return (b'\0\0SQUARESOFT' + struct.pack('<I', names) + b''.join(rows) + b''.join(struct.pack('<HH', *s) for s in slots) + bytes(2)
            + struct.pack('<20sI', b'aaaa', size) + bytes(size))


def lgp_of_one_name(files):
    """An LGP whose entries are all named `aa`; the second half is in a folder of that name."""
    at = 16 + 27 * files + 3600 + 4 + 130 * (files - files // 2)
    slots = [(1, 0xFFFF)] * 900
    rows = [struct.pack('<20sIBH', b'aa', at, 14, i >= files // 2) for i in range(files)]
    folders = [struct.pack('<128sH', b'aa', i) for i in range(files // 2, files)]
    return (b'\0\0SQUARESOFT' + struct.pack('<I', files) + b''.join(rows) + b''.join(struct.pack('<HH', *s) for s in slots)
            + struct.pack('<HH', 1, len(folders)) + b''.join(folders) + struct.pack('<20sI', b'aa', 0))


# ------------------------------------------------------------------ Final Fantasy VII
def battle_pack(animations, rotations, stream=None):
    """Animations of one frame, or with these frames."""
    stream = bytes(6 + 3 * rotations) if stream is None else stream
    padding = bytes(-(5 + len(stream)) % 4)
    frames = 1 if len(stream) == 6 + 3 * rotations else 60000
    one = struct.pack('<3I2HB', rotations, frames, 5 + len(stream) + len(padding), frames, min(len(stream), 65535), 4) + stream + padding
    return struct.pack('<I', animations) + animations * one


def hrc(bones):
    """bones: [(name, parent, resources)]"""
    return b''.join([b':HEADER_BLOCK 2\r\n:SKELETON x\r\n:BONES %d\r\n' % len(bones)]
                    + [b'\r\n%s\r\n%s\r\n1\r\n%d %s\r\n' % (n, p, len(r), b' '.join(r)) for n, p, r in bones])


def rsd(mesh, textures):
    return b'@RSD940102\r\nPLY=%s.PLY\r\nNTEX=%d\r\n' % (mesh, len(textures)) + b''.join(b'TEX[%d]=%s.TIM\r\n' % t for t in enumerate(textures))


def mesh(groups, polygons):
    """Every group has all polygons."""
    header = struct.pack('<16I', 1, 1, 1, 3, 0, 0, 0, 3, 3, polygons, 0, 0, 0, groups, 1, 0) + bytes(64)
    corners = struct.pack('<9f', 0, 0, 0, 1, 0, 0, 0, 1, 0)
    return (header + corners + 3 * b'\x99\x99\x99\xff' + polygons * b'\x99\x99\x99\xff' + struct.pack('<6H', 0, 1, 1, 2, 2, 0)
            + polygons * struct.pack('<10HI', 0, 0, 1, 2, 0, 0, 0, 0, 1, 2, 0) + groups * struct.pack('<14I', 1, 0, polygons, 0, 3, *[0] * 9) + bytes(28))


# ------------------------------------------------------------------ Final Fantasy VIII
def monster(animations, stream):
    """The sample with other motions; all but the last begin at the same byte."""
    with open(os.path.join(SAMPLES, 'ff8', 'c0m900.dat'), 'rb') as f:
        sample = f.read()
    count, = struct.unpack_from('<I', sample)
    starts = struct.unpack_from('<%dI' % (count + 1), sample, 4)
    sections = [sample[a:b] for a, b in zip(starts, starts[1:])]
    first = 4 + 4 * animations
    sections[2] = struct.pack('<%dI' % (1 + animations), animations, *[first] * animations) + stream
    places = [4 * (count + 2) + sum(map(len, sections[:i])) for i in range(count + 1)]
    return struct.pack('<%dI' % (count + 2), count, *places) + b''.join(sections)


# ------------------------------------------------------------------ Final Fantasy IX
def spread(kind, objects):
    """Chunks of at most 255 objects."""
    return [(kind, objects[i:i + 255]) for i in range(0, len(objects), 255)]


def tim(words):
    """A picture of 16 bits a pixel."""
    return struct.pack('<4I4H', 0x10, 2, 0, 12 + 2 * words, 0, 0, words, 1)[:8] + struct.pack('<I4H', 12 + 2 * words, 0, 0, words, 1) + bytes(2 * words)


def ff9_materials(models, each):
    """Records that all have the same materials."""
    table = b''.join(struct.pack('<HHIHBB', m, 0xFFFF, each << 24 | 12 * (models - m), 0xFFFF, 7, 9) for m in range(models))
    return struct.pack('<BBH', 0xDC, models, 0) + table + bytes(16 * each)


UNKNOWN = 60000                 # from here on: animations of which no table tells whose they are, so that they fit every model


def models_and(kind, data, models=512):
    return ff9.db(spread(2, [(i, ff9.model(1)) for i in range(models)]) + [(3, [(UNKNOWN, ff9.silent_animation(1, 0))]), (kind, [(1, data)])])


def overlapping(kind, data, chunks=250):
    """Each chunk has one object, and all chunks share it."""
    at = 4 + 4 * chunks
    table = b''.join(struct.pack('<I', kind << 24 | at + 16 * i - (4 + 4 * i)) for i in range(chunks))
    ends = at + 16 * chunks
    rows = b''.join(struct.pack('<BBHHHii', kind, 1, 0, i, 0, ends - (at + 16 * i + 8), ends + len(data) - (at + 16 * i + 8)) for i in range(chunks))
    return struct.pack('<BBH', 0xDB, chunks, 0) + table + rows + data


def ff9_animation(bones, frames):
    """All channels are the same stream."""
    at = 20 + 8 * bones
    high = struct.pack('<4H', at, at, at, 0) * bones
    stream = bytes(i * 37 & 255 for i in range(frames)) + bytes(-frames % 4)
    return struct.pack('<HHhhhHII', 0, frames, 0, -100, 0, 7, 20, 0) + high + stream


# ------------------------------------------------------------------ Metroid Prime
def cinf(bones):
    rows = b''.join(struct.pack('>II3fI2I', i, i - 1 if i else bones + 9, 0, 0, 1, 2, i - 1 if i else bones + 9, i + 1) for i in range(bones))
    names = b''.join(b'%x\0' % i + struct.pack('>I', i) for i in range(bones))
    return (struct.pack('>I', bones) + rows + struct.pack('>I%dI' % (bones + 1), bones, *range(bones), bones) + names)


def key_anim(channels, frames):
    """Type 2: a key in every frame, with zero bits per key."""
    bitmap = b'\xff' * (frames // 8)
    rows = b''.join(struct.pack('>IHH', i, 0, frames - 1 & 0xFFFF) + 3 * struct.pack('>hB', 0, 0) for i in range(channels))
    body = struct.pack('>IIffIIIf', 0xFFFFFFFF, 1, frames / 30, 1 / 30, 3, 0, 32767, 1 / 512) + struct.pack('>III', channels, 1, frames) + bitmap
    body += struct.pack('>II', channels, channels) + rows
    return struct.pack('>II', 2, len(body)) + body + bytes(64)


def array_anim(keys, rows):
    """Type 0: each of many channels has the keys."""
    slots = bytes(range(rows)) + b'\xff' * (100 - rows)
    head = struct.pack('>IfIfIII', 0, (keys - 1) / 30, 1, 1 / 30, 1, keys, 3) + struct.pack('>I', 100) + slots + struct.pack('>I', rows) + b'\xff' * rows
    return head + struct.pack('>I', keys * rows) + struct.pack('>4f', 1, 0, 0, 0) * (keys * rows) + struct.pack('>II', 0, 0xFFFFFFFF)


def section(data, size=32):
    """A part of a model, padded."""
    return data + bytes(-len(data) % size)


def cmdl_set(materials, stages=0, textures=1):
    """A set of materials whose vertices have indices of one byte of positions and coordinates; each stage shows the texture."""
    combined = struct.pack('>4I4B', 10 << 5 | 8 << 10 | 15, 0, 0, 0, 0, 0, 0, 4) * stages + struct.pack('>H2B', 0, 0, 0) * stages
    one = (struct.pack('>5I2H2I', 0, 1, 0, 0x202, 0, 0, 1, 0, stages) + combined + struct.pack('>2I', 1, 4 << 4 | 30 << 9) + struct.pack('>2I', 4, 0))
    ends = struct.pack('>%dI' % materials, *[len(one) * (i + 1) for i in range(materials)])
    return section(struct.pack('>I%dI' % textures, textures, *[0x5EED0111] * textures) + struct.pack('>I', materials) + ends + one * materials)


def cmdl(sets, lists, materials=1):
    """A model of three positions and coordinates, with a surface for each display list; the surfaces use the materials
    in turn."""
    positions, places = struct.pack('>9f', 0, 0, 0, 1, 0, 0, 0, 1, 0), struct.pack('>6f', 0, 0, 1, 0, 0, 1)
    surfaces = []
    for i, commands in enumerate(lists):
        head = section(struct.pack('>3f5I3f', 0, 0, 0, i % materials, 0x80000000 | len(section(commands)), 0, 0, 0, 0, 0, 1))
        surfaces.append(head + section(commands))
    ends, end = [], 0
    for surface in surfaces:
        end += len(surface)
        ends.append(end)
    parts = sets + [section(positions), b'', b'', section(places), section(struct.pack('>I%dI' % len(ends), len(ends), *ends))] + surfaces
    head = struct.pack('>3I6f2I', 0xDEADBABE, 2, 0, 0, 0, 0, 1, 1, 1, len(parts), len(sets)) + struct.pack('>%dI' % len(parts), *map(len, parts))
    return section(head) + b''.join(parts)


def strips(count, vertices):
    """Commands that draw a triangle for every second byte."""
    return (struct.pack('>BH', 0x98, vertices) + (bytes((0, 0, 1, 1, 2, 2)) * (vertices // 3 + 1))[:2 * vertices]) * count


def cskr(groups):
    """A skin whose groups have one position each, on the first bone."""
    return struct.pack('>I', groups) + struct.pack('>2IfI', 1, 3, 1, 1) * groups + struct.pack('>4i', -1, groups, -1, 0)


def txtr(kind, width, height, data, palette=0):
    colors = struct.pack('>I2H', 2, palette & 0x3FFF, -(-palette // 0x3FFF)) + bytes(2 * (palette & 0x3FFF) * -(-palette // 0x3FFF)) if palette else b''
    return struct.pack('>I2HI', kind, width, height, 0xFFFFFFFF) + colors + data


def dressed_characters(count):
    """All of them have the same animation, model and texture."""
    return {'x.ancs': characters(count, 1), '00000001.CINF': cinf(9), '00000000.ANIM': key_anim(5, 64), '00000001.CMDL': cmdl([cmdl_set(1, 1)], [strips(3, 65535)]),
            '00000001.CSKR': struct.pack('>I2IfI4i', 1, 1, 3, 1, 5, -1, 5, -1, 0), '5EED0111.TXTR': txtr(10, 1024, 1016, bytes(520192))}


def events(count):
    """Events of the kind bool."""
    one = struct.pack('>H', 1) + b'\0' + struct.pack('>HfIIBfiIB', 0, 0.5, 1, 0, 0, 1.0, -1, 0, 1)
    return struct.pack('>II', 2, count) + count * one + bytes(12)


def characters(count, animations):
    """Every character has all animations."""
    chars = [dict(index=i, version=1, name='', model=1, skin=1, skeleton=1, animations=[]) for i in range(count)]
    return writers.ancs(chars, [('', ('play', i, 0, '')) for i in range(animations)])


def pak_rows(rows, kind, data=b''):
    """All rows are the same stream, compressed by zlib if there is one."""
    stored = struct.pack('>I', len(data)) + zlib.compress(data, 9) if data else bytes(32)
    stored += bytes(-len(stored) % 32)
    at = 16 + 20 * rows
    at += -at % 32
    table = b''.join(struct.pack('>I4sIII', bool(data), kind, i, len(stored), at) for i in range(rows))
    head = struct.pack('>4I', 0x00030005, 0, 0, rows) + table
    return head + bytes(at - len(head)) + stored


def pak_of_one_stream(animations, size, skeleton, animation):
    """A character set; its animations are the same stream, padded to that size."""
    chars = [dict(index=0, version=1, name='hero', model=1, skin=1, skeleton=1, animations=[])]
    ancs = writers.ancs(chars, [('a%d' % i, ('play', 100 + i, 0, 'a%d' % i)) for i in range(animations)])
    zipped = zlib.compressobj()
    stream = zipped.compress(animation) + b''.join(zipped.compress(b'\xff' * 1024) for _ in range((size - len(animation)) // 1024))     # never all of it
    size = (size - len(animation)) // 1024 * 1024 + len(animation)
    stored = [(b'ANCS', 5, 0, ancs), (b'CINF', 1, 0, skeleton), (b'ANIM', 100, 1, struct.pack('>I', size) + stream + zipped.flush())]
    at = 16 + 20 * (2 + animations)
    body, rows = bytes(-at % 32), []
    for kind, number, packed, data in stored:
        data += b'\xff' * (-len(data) % 32)
        for i in range(animations if packed else 1):
            rows.append(struct.pack('>I4sIII', packed, kind, number + i, len(data), at + len(body)))
        body += data
    return struct.pack('>4I', 0x00030005, 0, 0, len(rows)) + b''.join(rows) + body


def sparse_tim(path, width, height):
    """Writes a black picture that uses no space on the disk."""
    with open(path, 'wb') as f:
        f.write(struct.pack('<3I4H', 0x10, 2, 12 + 2 * width * height, 0, 0, width, height))
        f.truncate(20 + 2 * width * height)


# ------------------------------------------------------------------ others
def rlf(width, height, frames):
    """Every picture changes one pixel of the first."""
    key = struct.pack('<4sIII4sII', b'MARF', 28 + 3 * (-(-width * height // 129)), 0, 0, b'ELRH', 28, 0) + -(-width * height // 129) * b'\x7f\x12\x34'
    delta = struct.pack('<4sIII4sII', b'MARF', 31, 0, 0, b'ELHD', 28, 0) + b'\xff\x11\x11'
    head = struct.pack('<4s4I', b'FELR', 20, 1, 0, frames) + struct.pack('<4s3I', b'FNIC', 112, 1, 3)
    for name, tag in ((b'Delta V RLE', b'LRVD'), (b'Delta H RLE', b'ELHD'), (b'H RLE Key', b'ELRH')):
        head += struct.pack('<I24s4s', 1, name, tag)
    head += struct.pack('<4sI4s5I', b'FNIM', 32, b'OEDV', 1, 0, 0, width, height) + struct.pack('<4s3I', b'EMIT', 16, 1, 666)
    return head + key + (frames - 1) * delta


def zfs_of_nothing(files):
    return writers.zfs([('a', 0, 0, b'')] * files, per_block=100)[0]


def img_of_nothing(files):
    return writers.img([(3, [b'x'] + [None] * files)])[0]


# ------------------------------------------------------------------ discs
def cd_of_folders(kind, deep, records):
    """Nested folders, a sector each; the last one contains as many files, or folders (2), as fit in 900 KB"""
    head, name = bytearray(2048), b'n' * 200
    head[:7], head[128:132] = b'\x01CD001\x01', discs.both(2048, 2)
    last = 17 + deep
    sectors = [discs.record(name, at + 1, 2048 if at + 1 < last else 2048 * records, 2).ljust(2048, b'\0') for at in range(17, last)]
    row = discs.record(b'x', 1, 1, kind)
    rows = [discs.record(b'x', 1 + i % 15 if kind else 1, 1, kind) for i in range(2048 // len(row))]
    sectors += [b''.join(rows).ljust(2048, b'\0')] * records
    root = discs.record(b'\0', 17, 2048 if deep else 2048 * records, 2)
    head[156:190] = bytes([34]) + root[1:34]
    return bytes(16 * 2048) + bytes(head) + b''.join(sectors)


def disc_of_rows(rows, names, size=0):
    """rows: [(kind, name, first, second)] after the first one"""
    table = b''.join(struct.pack('>III', k << 24 | n, a, b) for k, n, a, b in [(1, 0, 0, len(rows) + 1)] + rows) + names
    disc = bytearray(max(size, 0x440 + len(table)))
    disc[0x1C:0x20], disc[0x424:0x42C] = bytes.fromhex('c2339f3d'), struct.pack('>II', 0x440, len(table))
    disc[0x440:0x440 + len(table)] = table
    return bytes(disc)


def disc_of_folders(deep, files):
    end = 1 + deep + files
    return disc_of_rows([(1, 0, i, end) for i in range(deep)] + [(0, 251, 0, 1)] * files, b'n' * 250 + b'\0x\0')


def disc_of_two_chunks(files, chunk):
    """Archives by their names, in turn in one of two chunks"""
    return disc_of_rows([(0, 0, chunk * (1 + i % 2), 8) for i in range(files)], b'x.pak\0')


def gcz_of_two_chunks(files, chunk=64 << 20):
    disc = disc_of_two_chunks(files, chunk)
    blocks = [zlib.compress(part.ljust(chunk, b'\0'), 9) for part in (disc, b'', b'')]
    places = [sum(map(len, blocks[:i])) for i in range(3)]
    return struct.pack('<IIQQII3Q3I', 0xB10BC001, 0, sum(map(len, blocks)), 3 * chunk, chunk, 3, *places, *map(zlib.adler32, blocks)) + b''.join(blocks)


def rvz_of_chunks(disc, second, size, chunk=64 << 20, packing='zstd', padded=0):
    """The first chunk has a disc, two more these packed bytes"""
    method, pack, properties = discs.PACKINGS[packing]
    first = pack(disc.ljust(chunk, b'\0'))
    at = [0x200, 0x200 + len(first) + -len(first) % 4]
    rows = pack(struct.pack('>9I', at[0] // 4, len(first) | 1 << 31, 0, *(at[1] // 4, len(second) | 1 << 31, padded) * 2))
    areas = pack(struct.pack('>QQII', 0x80, 3 * chunk - 0x80, 0, 3))
    places = at[1] + len(second)
    head = struct.pack('>IIiI', 1, method, 5, chunk) + disc[:0x80] + bytes(0x24)
    head += struct.pack('>IQIIQI', 1, places, len(areas), 3, places + len(areas), len(rows)) + bytes([len(properties)]) + properties.ljust(7, b'\0')
    top = b'RVZ\1' + struct.pack('>III', 0x01000000, 0x00030000, len(head)) + bytes(20) + struct.pack('>QQ', size, places + len(areas) + len(rows)) + bytes(20)
    return (top + head).ljust(0x200, b'\0') + first + bytes(-len(first) % 4) + second + areas + rows


def rvz_of_padding(files, chunk=64 << 20):
    """Two chunks of padding in pieces of one byte"""
    pieces = (chunk * 2 - 4096) // 73
    data = (struct.pack('>I', 1 << 31 | 1) + bytes(68)) * pieces
    data += struct.pack('>I', 1 << 31 | chunk - pieces) + bytes(68)
    return rvz_of_chunks(disc_of_two_chunks(files, chunk), discs.PACKINGS['bzip2'][1](data), 3 * chunk, chunk, 'bzip2', len(data))


def chd_of_hunks(hunks):
    """All equal the first one, by a packed map whose rows need no bits"""
    lengths = [2, 0, 0, 0, 0, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 2]          # codes of two bits: 5 is 01, 8 is 10, 15 is 11
    bits = ''.join('{:04b}'.format(n) for n in lengths) + '01' + '101111' * (hunks // 273)
    bits = bits.ljust(len(bits) + -len(bits) % 8 + 64, '0')
    packed = int(bits, 2).to_bytes(len(bits) // 8, 'big')
    head = b'MComprHD' + struct.pack('>II', 124, 5) + b'cdzl' + bytes(12) + struct.pack('>QQQII', 2448 * (hunks - hunks % 273), 124, 0, 2448, 2448) + bytes(60)
    return head + struct.pack('>I', len(packed)) + bytes(12) + packed


def chained_rig(nodes, names):
    """A .gltf whose nodes are a chain; the first of them have names."""
    rows = ['{"children":[%d]%s}' % (i + 1, ',"name":"%s","translation":[0,1,0]' % names[i] if i < len(names) else '') for i in range(nodes)]
    return ('{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[%s,{}]}' % ','.join(rows)).encode()


# What 1 MB can ask of a verb that only reads: by name, what makes the files; the first is the one that is named.
WORST = {
    'lgp-equal-names': lambda: {'x.lgp': lgp_of_one_name(11300)},
    'lgp-one-place': lambda: {'x.lgp': lgp_of_one_place(17000, 500000)},
    'lgp-one-place-within': lambda: {'x.lgp': lgp_of_one_place(4000, 500000)},
    'pak-rows': lambda: {'x.pak': pak_rows(52000, b'ANIM')},
    'pak-rows-within': lambda: {'x.pak': pak_rows(6900, b'ANIM') + bytes(900000)},
    'pak-one-stream': lambda: {'x.pak': pak_rows(40000, b'ANIM', bytes(32 << 20))},
    'cd-deep': lambda: {'x.iso': cd_of_folders(0, 30, 440)},
    'cd-deep-folders': lambda: {'x.iso': cd_of_folders(2, 30, 440)},
    'disc-deep': lambda: {'x.iso': disc_of_folders(31, 80000)},
    'gcz-chunks': lambda: {'x.gcz': gcz_of_two_chunks(4000)},
    'gcz-rows': lambda: {'x.gcz': discs.gcz(disc_of_rows([(0, 0, 0, 8)] * 1398000, b'x.pak\0'), 1 << 20)},
    'rvz-padding': lambda: {'x.rvz': rvz_of_padding(2, 16 << 20)},
    'chd-hunks': lambda: {'x.chd': chd_of_hunks(7000000)},
    'zzz-deep': lambda: {'main.zzz': discs.zzz({'a/' * 2000 + '%d' % i: b'' for i in range(240)})},
    'fs-deep': lambda: dict(zip(('x.fs', 'x.fi', 'x.fl'), discs.fs({'b': b'', 'a\\' * 500000 + 'c': b''}))),
    'zfs': lambda: {'x.zfs': zfs_of_nothing(28000)},
    'img': lambda: {'x.img': img_of_nothing(500000)},
    'ff7-pack-clips': lambda: {'x.da': battle_pack(34000, 1)},
    'ff7-pack-stream': lambda: {'x.da': battle_pack(15, 30, bytes(6 + 90 + 65400))},
    'ff7-hrc-missing': lambda: {'x.hrc': hrc([(b'a', b'root', [b'%x' % i for i in range(140000)])])},
    'ff7-hrc-missing-within': lambda: {'x.hrc': hrc([(b'a', b'root', [b'%x' % i for i in range(4096)])])},
    'ff7-hrc-chain': lambda: {'x.hrc': hrc([(b'%d' % i, b'%d' % (i - 1) if i else b'root', [b'm']) for i in range(4000)])},
    'ff7-hrc-one-resource': lambda: {'x.hrc': hrc([(b'a', b'root', [b'm'] * 4096)]), 'm.rsd': rsd(b'm', [b't'] * 4096), 'm.p': mesh(100, 1000)},
    'ff7-hrc-one-mesh': lambda: {'x.hrc': hrc([(b'a', b'root', [b'm'] * 4096)]), 'm.rsd': rsd(b'm', []), 'm.p': mesh(1, 30000)},
    'ff7-hrc-meshes': lambda: {'x.hrc': hrc([(b'a', b'root', [b'm'] * 60)]), 'm.rsd': rsd(b'm', []), 'm.p': mesh(1, 30000)},
    'ff7-rsd-textures': lambda: {'x.rsd': rsd(b'm', [b'%x' % i for i in range(4096)]), 'm.p': mesh(1, 1)},
    'ff7-mesh-groups': lambda: {'x.p': mesh(9000, 15000)},
    'ff8-motions': lambda: {'x.dat': monster(200000, b'\xff' + bytes(200000))},
    'ff8-few-motions': lambda: {'x.dat': monster(6000, b'\xff' + bytes(900000))},
    'ff8-within': lambda: {'x.dat': monster(4, b'\xff' + bytes(900000))},
    'ff9-models-animations': lambda: {'x.ff9db': ff9.db(spread(2, [(i, ff9.model(1)) for i in range(512)]) + spread(3, [(UNKNOWN + i, ff9.silent_animation(1, 0)) for i in range(512)]))},
    'ff9-models': lambda: {'x.ff9db': ff9.db(spread(2, [(i, ff9.model(1)) for i in range(20000)]) + [(3, [(UNKNOWN, ff9.silent_animation(1, 0))])])},
    'ff9-models-materials': lambda: {'x.ff9db': models_and(0x12, ff9_materials(255, 255) + bytes(600000))},
    'ff9-models-tim': lambda: {'x.ff9db': models_and(4, tim(60000) + bytes(500000))},
    'ff9-models-few-tim': lambda: {'x.ff9db': models_and(4, tim(60000) + bytes(800000), 120)},
    'ff9-shared-materials': lambda: {'x.ff9db': overlapping(0x12, ff9_materials(255, 255) + bytes(900000))},
    'ff9-shared-tim': lambda: {'x.ff9db': overlapping(4, tim(32000) + bytes(900000))},
    'ff9-shared-animation': lambda: {'x.ff9db': overlapping(3, ff9_animation(250, 60000) + bytes(900000))},
    'ff9-animation': lambda: {'x.ff9anim': ff9_animation(255, 60000)},
    'ff9-animation-within': lambda: {'x.ff9anim': ff9_animation(255, 28000)},
    'ff9-material': lambda: {'x.ff9mat': ff9_materials(255, 255)},
    'psx-tim': lambda: {'x.tim': tim(60000)},
    'metroid-cinf': lambda: {'x.cinf': cinf(20000)},
    'metroid-anim-keys': lambda: {'x.anim': key_anim(90, 8000000), 'x.cinf': cinf(99)},
    'metroid-anim-within': lambda: {'x.anim': key_anim(90, 200000), 'x.cinf': cinf(99)},
    'metroid-anim-arrays': lambda: {'x.anim': array_anim(650, 99), 'x.cinf': cinf(99)},
    'metroid-ancs-within': lambda: {'x.ancs': characters(3, 20000), '00000001.CINF': cinf(99)},
    'metroid-evnt': lambda: {'x.evnt': events(26000)},
    'metroid-ancs': lambda: {'x.ancs': characters(6000, 12000), '00000001.CINF': cinf(99)},
    'metroid-cmdl-strips': lambda: {'x.cmdl': cmdl([cmdl_set(1)], [strips(7, 65535)])},
    'metroid-cmdl-commands': lambda: {'x.cmdl': cmdl([cmdl_set(1)], [strips(250000, 0)])},
    'metroid-cmdl-stages': lambda: {'x.cmdl': cmdl([cmdl_set(1, 20000)], [strips(1, 3)] * 5000)},
    'metroid-cmdl-sets': lambda: {'x.cmdl': cmdl([cmdl_set(1)] * 4500, [strips(1, 3)] * 4500)},
    'metroid-cmdl-materials': lambda: {'x.cmdl': cmdl([cmdl_set(5500, 1)], [strips(1, 3)] * 5500, 5500)},
    'metroid-cmdl-textures': lambda: {'x.cmdl': cmdl([cmdl_set(1, 1, 250000)], [strips(1, 3)])},
    'metroid-cmdl-skinned': lambda: {'x.cmdl': cmdl([cmdl_set(1, 1)], [strips(6, 65535)]), 'x.cinf': cinf(3000), 'x.cskr': struct.pack('>I2IfI4i', 1, 1, 3, 1, 3, -1, 3, -1, 0)},
    'metroid-cskr': lambda: {'x.cskr': cskr(65000)},
    'metroid-txtr-huge': lambda: {'x.txtr': txtr(10, 65535, 65535, bytes(4096))},
    'metroid-txtr-cmpr': lambda: {'x.txtr': txtr(10, 1024, 2040, bytes(range(256)) * 4080)},
    'metroid-txtr-palette': lambda: {'x.txtr': txtr(6, 4, 4, bytes(32), 500000)},
    'metroid-ancs-dressed': lambda: dressed_characters(500),
    'metroid-ancs-dressed-within': lambda: dressed_characters(16),
    'rlf-large': lambda: {'x.rlf': rlf(4000, 4000, 20000)},
    'rlf-within': lambda: {'x.rlf': rlf(4000, 4000, 60)},
    'rlf-many': lambda: {'x.rlf': rlf(640, 480, 30000)},
}


def field_animation(frames, bones):
    """Every joint turns."""
    def frame(f):
        return struct.pack('<6f', *(f * 7 % 90, f * 5 % 80, f, 0, 0, 0)) + b''.join(
            struct.pack('<3f', (f * 13 + b) % 60, (f * 5 + b) % 50, b * f % 40) for b in range(bones))
    return struct.pack('<9I', 1, frames, bones, 0x20100, 0, 0, 0, 0, 0) + b''.join(map(frame, range(frames)))


def chain(bones):
    return hrc([(b'%d' % i, b'%d' % (i - 1) if i else b'root', []) for i in range(bones)])


def written():
    """What 1 MB can ask of a verb that writes. By name: a function that makes the files; the verbs with names of
    outputs and options; and the number of decoded values."""
    usual = [('convert', 'x/', '--force'), ('convert', 'x.glb', '--proxy-mesh', '--end-joints', '--loop-key'), ('preview', 'x.png'), ('dump', 'x.json')]
    archive = usual[:1] + [('extract', 'x')]
    video = [('convert', 'x.gltf'), ('frames', 'x/'), ('frames', 'x/', '--as', 'sheet'), ('preview', 'x.png')]
    pixels = {'rlf-large': 0, 'rlf-within': 4 * 4000 * 4000, 'rlf-many': 0}           # the first and the last are refused
    decoded = {**pixels, 'ff7-hrc-meshes': 60 * 30000 * 3 * 7}                        # places and colours of the corners
    cases = {}
    for name, make in WORST.items():
        commands = video if name in pixels else archive if name.startswith(('lgp', 'pak', 'zfs', 'img')) else usual
        cases[name] = make, commands, decoded.get(name, 0)
    cases['rlf-within'] = lambda: {'x.rlf': rlf(4000, 4000, 4)}, video, pixels['rlf-within']
    with open(os.path.join(SAMPLES, 'metroid', 'hero.CINF'), 'rb') as skeleton, open(os.path.join(SAMPLES, 'metroid', 'hero_idle.ANIM'), 'rb') as animation:
        pak = pak_of_one_stream(300, 32 << 20, skeleton.read(), animation.read())
    cases['metroid-one-stream'] = lambda: {'x.pak': pak}, [('convert', 'x/'), ('extract', 'x')], 0
    for bones, frames in ((1, 25000), (60, 1300), (4096, 10)):
        cases['reduced-%d' % bones] = (lambda bones=bones, frames=frames: {'x.a': field_animation(frames, bones), 'x.hrc': chain(bones)},
                                       [('convert', 'x.glb', '--reduce', mm) for mm in ('1', '1000', '100000')], 0)
    return cases


# The messages of `info` about refused files.
REFUSED = {
    'pak-rows': 'has 52000 entries to read, but the limit for an archive of its size is ',
    'gcz-rows': 'has 1398001 entries, but the limit for ',
    'lgp-one-place-within': 'has 2000000000 bytes in its entries to read, but the limit for an archive of its size is ',
    'ff7-hrc-missing': 'exceed the limit of 4096 for all bones',
    'ff8-motions': 'share bytes: together they need 40000200000, but the section has 1000005',
    'ff9-models-animations': '512 models: have 262144 clips together, but the limit is 65536',
    'ff9-models-tim': '512 models: are too many for a file of 635492 bytes; the limit is 211',
    'ff9-shared-tim': "objects overlap, and together they are more than 4 times as large as the file",
    'metroid-ancs-dressed': '500 clips of 500 models: the file decodes to more samples than the limit allows',
    'metroid-ancs': 'are 6000 with 24000 animations and transitions; the product exceeds the limit of 2097152',
}


COLLADA = '<?xml version="1.0"?>\n<COLLADA version="1.4.1">%s</COLLADA>\n'

# Rigs on which Assimp's readers have no limit of their own: nodes that contain themselves, and counts of missing data.
RIGS = {
    'circle.dae': COLLADA % ('<library_visual_scenes><visual_scene id="s"><node id="a"><instance_node url="#a"/></node></visual_scene></library_visual_scenes>'
                             '<scene><instance_visual_scene url="#s"/></scene>'),
    'count.dae': COLLADA % ('<library_geometries><geometry id="g"><mesh><source id="x"><float_array id="f" count="2000000000">1 2 3</float_array></source></mesh>'
                            '</geometry></library_geometries>'),
    'count.md5mesh': 'MD5Version 10\ncommandline ""\nnumJoints 1\nnumMeshes 1\n\njoints {\n"a" -1 ( 0 0 0 ) ( 0 0 0 )\n}\n\nmesh {\nshader "s"\nnumverts 2000000000\n'
                     'vert 0 ( 0 0 ) 0 1\nnumtris 1\ntri 0 0 0 0\nnumweights 1\nweight 0 0 1 ( 0 0 0 )\n}\n',
}
