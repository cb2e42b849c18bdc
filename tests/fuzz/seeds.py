#!/usr/bin/env python3
"""Inputs for the fuzz targets that no sample provides: folders (folder_targets.cpp), scenes (scene_target.cpp),
pictures, discs without the zeros that archive_targets.cpp puts into them.

    tests/fuzz/seeds.py TARGET FOLDER     writes files to the folder
"""
import gzip, json, math, os, struct, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'tools'), os.path.join(HERE, '..', '..', 'samples')]
import discs                                      # noqa: E402
import ff9_container as ff9                       # noqa: E402
import hostile                                    # noqa: E402


def sample(*parts):
    with open(os.path.join(HERE, '..', '..', 'samples', *parts), 'rb') as f:
        return f.read()


def packed(files):
    return b''.join(struct.pack('<B', len(name)) + name.encode() + struct.pack('<H', len(data)) + data for name, data in files)


def ff7():
    bones = [(b'a', b'root', [b'm']), (b'b', b'a', [b'm', b'n'])]
    parts = [('m.rsd', hostile.rsd(b'm', [b't'])), ('m.p', hostile.mesh(1, 1)), ('n.rsd', hostile.rsd(b'n', [])), ('n.p', hostile.mesh(2, 2)),
             ('t.tex', sample('ff7', 'dltb.tex'))]
    yield [('x.hrc', hostile.hrc(bones))] + parts
    yield [('m.rsd', parts[0][1])] + parts[1:]
    walk = struct.pack('<6I', 1, 2, 2, 0x20100, 0, 0) + struct.pack('<3I', 0, 0, 0) + 2 * struct.pack('<12f', *range(12))
    yield [('w.a', walk), ('x.hrc', hostile.hrc(bones))] + parts
    yield [('hraa', sample('ff7', 'hraa')), ('hrda', sample('ff7', 'hrda')), ('hrac', sample('ff7', 'hrac'))]


def ff9_model():
    look = [('x.ff9mat', hostile.ff9_materials(1, 2)), ('x.tim', hostile.tim(8)), ('x_0.tim', hostile.tim(4))]
    yield [('x.ff9model', ff9.model(1, 1, 1)), ('x.ff9anim', ff9.silent_animation(1, 2))] + look
    yield [('x.ff9anim', ff9.silent_animation(1, 2)), ('x.ff9model', ff9.model(1, 1, 1))] + look
    objects = [(2, [(0, ff9.model(1, 1, 1)), (1, ff9.model(1, 1, 1))]), (3, [(0, ff9.silent_animation(1, 2))])]
    yield [('x.ff9db', ff9.db(objects + [(0x12, [(0, hostile.ff9_materials(2, 1))]), (4, [(0, hostile.tim(8))])]))]


def metroid():
    chars = hostile.writers.ancs([dict(index=0, version=1, name='hero', model=1, skin=1, skeleton=1, animations=[])],
                                 [('walk', ('play', 2, 0, 'walk'))])
    skeleton, walk = sample('metroid', 'hero.CINF'), sample('metroid', 'hero_idle.ANIM')
    yield [('00000003.ANCS', chars), ('00000001.CINF', skeleton), ('00000002.ANIM', walk)]
    yield [('x.pak', hostile.pak_of_one_stream(1, len(walk), skeleton, walk))]


def ff9_steam():
    """clips that list different joints, on a person of twelve joints"""
    paths, places = [], [(0, -240, 0), (0, -60, 0), (0, -60, 0)]
    for side in (-1, 1):
        places += [(side * 20, 10, 0), (0, 100, 0), (0, 90, 0), (side * 30, -50, 0), (side * 60, 0, 0), (side * 50, 0, 0)]
    for i, parent in enumerate((None, 0, 1, 0, 3, 4, 1, 6, 7, 0, 9, 10, 1, 12, 13)):
        paths.append('bone%03d' % i if parent is None else '%s/bone%03d' % (paths[parent], i))

    def clip(joints, angle):
        def keys(letters, first, last):
            return [{'time': t, **dict(zip(letters, v))} for t, v in ((0, first), (.2, last)) if v]
        turned = (round(math.sin(angle), 3), 0, 0, round(math.cos(angle), 3))
        return {'name': 'c', 'frameRate': 15, 'transform': [
            {'bone': paths[i], 'localRotation': keys('xyzw', (0, 0, 0, 1), turned if i % 4 == 0 else None), 'localPosition': keys('xyz', places[i], None)}
            for i in joints]}
    yield {'idle': clip(range(15), .1), 'walk': clip((0, 1, 2, 4, 8, 10), .4)}
    yield {'idle': clip((0, 1), .1), 'run': clip((0, 1, 3, 4), .4), 'wave': {'transform': [{'bone': '', 'localScale': [{'time': 1, 'x': -1, 'y': -1, 'z': -1}]}]}}


def scene():
    """A person of four joints: a triangle with weights and a shape, a material with a picture, a movement of the second joint."""
    def floats(*values):
        return struct.pack('<%df' % len(values), *values)

    def node(parent, name, meshes=()):
        return bytes((parent, name, 1, len(meshes), *meshes))

    def bone(name, weights):
        return bytes((name, 1, len(weights) // 2)) + b''.join(bytes((v,)) + floats(w) for v, w in weights)
    nodes = bytes((4,)) + node(0, 1) + node(1, 2) + node(2, 3) + node(0, 4, (0,))
    vertices = floats(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
    mesh = (bytes((5, 0, 1)) + vertices + b'\0' + floats(1) + bytes((2, 3, 0, 1, 2, 4, 0, 1, 3, 2)) + bytes((2,)) + bone(1, [(0, 1), (1, .5)])
            + bone(2, [(1, .5), (2, 1), (3, 1), (3, .25)]) + bytes((1, 6)) + floats(0, 1, 0))
    material = b'\1' + floats(1, .5, .25, 1) + b'\0'
    keys = bytes((2,)) + floats(0, 0, 1, 0) + floats(1, 0, 2, 0)
    animation = b'\2' + floats(2, 1) + bytes((1, 2)) + keys + keys + bytes((2,)) + floats(0, 0, 0, 0, 1) + floats(1, 1, 0, 0, 0)
    yield nodes + b'\1' + mesh + b'\1' + material + b'\1' + animation + bytes((1, 0, 26)) + picture(2, 2, 1, 32)
    yield nodes + b'\1' + mesh + b'\1' + material + b'\0' + bytes((1, 1, 1, 2)) + bytes(range(16))


def picture(kind, width, height, bits):
    """a TGA"""
    size = width * height * bits // 8 if kind < 8 else 2 * (1 + bits // 8)
    return struct.pack('<3B2HB4H2B', 0, 0, kind, 0, 0, 0, 0, 0, width, height, bits, 0x20) + bytes(range(128, 128 + size))


def pictures():
    yield from (picture(*what) for what in ((2, 3, 2, 32), (2, 2, 2, 16), (3, 4, 4, 8), (10, 3, 1, 24)))
    yield struct.pack('<3B2HB4H2B', 0, 1, 1, 0, 2, 24, 0, 0, 2, 2, 8, 0) + bytes(range(6)) + bytes((0, 1, 1, 0))
    for bits, colours in ((24, 0), (32, 0), (8, 4), (1, 2), (4, 4)):
        row = (2 * bits + 31) // 32 * 4
        at = 54 + 4 * colours
        yield b'BM' + struct.pack('<IIIIiiHHIIiiII', at + 2 * row, 0, at, 40, 2, 2, 1, bits, 0, 0, 0, 0, colours, 0) + bytes(4 * colours) + bytes(2 * row)
    yield b'BM' + struct.pack('<IIIIHHHH', 42, 0, 26, 12, 2, 2, 1, 24) + bytes(16)
    for name, size in ((b'DXT1', 8), (b'DXT3', 16), (b'DXT5', 16)):
        yield b'DDS ' + struct.pack('<4I', 124, 0, 5, 4) + bytes(64) + name + bytes(40) + bytes(range(2 * size))


def packed_as_it_is(data):
    """LZS without a reference"""
    groups = [data[i:i + 8] for i in range(0, len(data), 8)]
    return b''.join(bytes(((1 << len(group)) - 1,)) + group for group in groups)


def field():
    """an unpacked field of two models"""
    section = struct.pack('<3H', 0, 2, 512)
    for name, hrc, animations in ((b'f_main.char', b'AAAA.HRC', (b'ACFE.yos', b'ACFF.yos', b'ACGA.yos')), (b'box', b'BBBB.HRC', (b'BBBA.a',))):
        section += struct.pack('<H', len(name)) + name + struct.pack('<H', 1) + hrc + b'512\0' + struct.pack('<H', len(animations)) + bytes(30)
        section += b''.join(struct.pack('<H', len(a)) + a + struct.pack('<H', 1) for a in animations)
    bodies, offsets, data = [b's', b'c', section] + 6 * [b''], [], b''
    for body in bodies:
        offsets.append(42 + len(data))
        data += struct.pack('<I', len(body)) + body
    return struct.pack('<HI9I', 0, 9, *offsets) + data


def fields():
    yield field()
    packed = packed_as_it_is(field())
    yield struct.pack('<I', len(packed)) + packed


def lzs():
    yield packed_as_it_is(b'abcdefgh' * 2)
    yield bytes((1, 65, 0xEE, 0xFF, 0x00, 0x0F, 0xEF, 0xF2)) + bytes(5)
    yield bytes((0xFE, 0xFF, 0xFF)) + bytes(range(7)) + bytes((0, 0x10, 0x00))


def action_scripts():
    scripts = [b'\3\x1e\4\xff', bytes((0xA9, 0xC9, 5, 0xB6, 6, 0xEE)), bytes(4), bytes((1, 0xFE, 0xC0, 2)), bytes((6, 0xF1))]
    offsets, data = [], b''
    for script in scripts:
        offsets.append(0x68 + 4 * 24 + len(data))
        data += script
    yield bytes(0x68) + struct.pack('<24I', *((offsets * 5)[:24])) + data


def scenes():
    def name(text):
        return bytes(ord(c) - 32 for c in text).ljust(32, b'\xff')
    yield struct.pack('<3H', 0, 19, 0xFFFF) + name('Pyramid') + name('Grunt') + bytes((0x60, 0x41, 0x87)).ljust(32, b'\xff')
    zero = gzip.compress(bytes(7808), mtime=0)
    yield (struct.pack('<I', 16) + struct.pack('<I', 16 + (len(zero) + 3) // 4)).ljust(64, b'\xff') + zero.ljust((len(zero) + 3) // 4 * 4, b'\xff') + zero


def cd():
    """-> an image of 19 sectors: a description, the root with a file and a folder with another one"""
    record = discs.record
    top = record(b'\0', 17, 220, 2) + record(b'\1', 17, 220, 2) + record(b'A.TXT;1', 17, 5) + record(b'SUB', 18, 2048, 2)
    inner = record(b'\0', 18, 2048, 2) + record(b'\1', 17, 220, 2) + record(b'B.BIN;1', 18, 256)
    head = bytearray(2048)
    head[:7] = b'\x01CD001\x01'
    head[128:132] = discs.both(2048, 2)
    head[156:190] = record(b'\0', 17, 220, 2)[:34]
    head[156] = 34
    return bytes(16 * 2048) + bytes(head) + top.ljust(2048, b'\0') + inner.ljust(2048, b'\0')


def gamecube():
    return discs.gamecube({'a.txt': b'hello', 'sub/b.bin': bytes(range(64))}, first=0x500, table_at=0x440)


def without(data, begin, end):
    return data[:begin] + data[end:]


def cds():
    yield cd()[16 * 2048:]


def sectors():
    for size, data in ((2352, 24), (2352, 16), (2336, 8), (2448, 24), (2448, 0)):
        yield without(discs.sectors(cd(), size, data), 0, 16 * 2336 + 8)


def chds():
    for packing in discs.CHD_PACKINGS:
        yield discs.packed_chd(cd(), packing)
    plain = bytearray(discs.chd(cd()))                 # hunks of zeros are left out
    for hunk in range(16):
        plain[124 + 4 * hunk:128 + 4 * hunk] = bytes(4)
    for hunk in range(16, 19):
        plain[124 + 4 * hunk:128 + 4 * hunk] = struct.pack('>I', hunk - 15)
    yield without(bytes(plain), 2448, 17 * 2448)


def cues():
    for image in list(chds())[:3] + [gamecube()]:
        yield b'FILE "x.bin" BINARY\n' + image


def rvzs():
    for packing in discs.PACKINGS:
        yield discs.wia(gamecube(), packing, 0x200000 if packing == 'purge' else 0x8000, packing != 'purge')
    files = {'a.bin': b'begin' + discs.numbers(discs.SEED, 0x505, 100) + b'end'}
    yield discs.wia(discs.gamecube(files, first=0x500, table_at=0x440), 'none', padding=(0x505, 100))


def gczs():
    yield discs.gcz(gamecube(), 0x400)
    yield discs.gcz(gamecube(), 0x4000)


def cisos():
    yield without(discs.ciso(gamecube()), 24, 0x8000)


def wbfss():
    image = discs.wbfs(gamecube())
    yield without(image, 800, 2 << 20)[:800 + 0x600]


def fss():
    for packing in (0, 1, 2):
        data, table, names = discs.fs({'a.dat': b'hello hello', 'sub\\b.dat': bytes(range(40)), 'c': b''}, packing, 'C:\\x\\')
        yield bytes((len(table), len(names))) + data + table + names


def zzzs():
    yield discs.zzz({'data\\a.dat': b'hello', 'data\\sub\\b.dat': bytes(range(40))})


def main():
    target, folder = sys.argv[1:]
    makers = {'iso-9660': cds, 'cd-sectors': sectors, 'chd': chds, 'cue': cues, 'gamecube-disc': lambda: [gamecube()], 'rvz': rvzs, 'gcz': gczs, 'ciso': cisos,
              'wbfs': wbfss, 'ff8-fs': fss, 'ff8-fs-table': fss, 'ff8-zzz': zzzs,
              'ff7-lzs': lzs, 'ff7-flevel': fields, 'ff7-action-scripts': action_scripts, 'ff7-scene': scenes, 'folder-ff7': ff7, 'folder-ff9': ff9_model, 'folder-metroid': metroid, 'folder-ff9-steam': ff9_steam, 'scene': scene, 'picture-file': pictures}
    for i, seed in enumerate(makers[target]()):
        with open(os.path.join(folder, 'seed%02d' % i), 'wb') as f:
            f.write(json.dumps(seed, separators=(',', ':')).encode() if isinstance(seed, dict) else seed if isinstance(seed, bytes) else packed(seed))


main()
