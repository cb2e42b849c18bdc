"""Makes small images of all kinds of discs, and archives of Final Fantasy VIII, according to docs/formats. Standard library only.

    python3 discs.py FOLDER        writes one of each kind that docs/formats describes
"""
import bz2, lzma, os, struct, sys, zlib

SECTOR = 2048


def padded(data, size):
    return data + bytes(-len(data) % size)


# ISO 9660 -------------------------------------------------------------------------------------------------------------

def both(number, size):
    return number.to_bytes(size, 'little') + number.to_bytes(size, 'big')


def record(name, sector, size, flags=0):
    head = both(sector, 4) + both(size, 4) + bytes(7) + bytes([flags, 0, 0]) + both(1, 2) + bytes([len(name)]) + name
    head += bytes((2 + len(head)) % 2) + bytes(14)                                     # PlayStation discs add these bytes
    return bytes([2 + len(head), 0]) + head


def with_long_names(image, names):
    """The image with the tables of Joliet at its end. names: [(long name, stored name)] of files in the root"""
    root, end = image[18 * SECTOR:19 * SECTOR], len(image) // SECTOR
    rows = record(b'\0', end, SECTOR, 2) + record(b'\1', end, SECTOR, 2)
    for name, stored in names:
        at = root.index(stored.encode()) - 33
        sector, size = struct.unpack_from('<I', root, at + 2)[0], struct.unpack_from('<I', root, at + 10)[0]
        rows += record(name.encode('utf-16-be') + ';1'.encode('utf-16-be'), sector, size)
    head = bytearray(image[16 * SECTOR:17 * SECTOR])
    head[0], head[88:91] = 2, b'%/E'
    head[156:190] = bytes([34]) + record(b'\0', end, SECTOR, 2)[1:34]
    return image[:17 * SECTOR] + bytes(head) + image[18 * SECTOR:] + padded(rows, SECTOR)


def iso(files):
    """files: {'FOLDER/NAME': bytes}, or a list of ('NAME', bytes) if names repeat. Names are stored with a version"""
    files = list(files.items()) if isinstance(files, dict) else files
    folders = ['']
    for path, _ in files:
        parts = path.split('/')[:-1]
        for i in range(len(parts)):
            if '/'.join(parts[:i + 1]) not in folders:
                folders.append('/'.join(parts[:i + 1]))
    place = {folder: 18 + i for i, folder in enumerate(folders)}
    at, where = 18 + len(folders), []
    for _, data in files:
        where.append(at)
        at += -(-len(data) // SECTOR)

    def encoded(name):
        return name if isinstance(name, bytes) else name.encode('shift_jis')

    def table(folder):
        above = folder.rpartition('/')[0]
        rows = record(b'\0', place[folder], SECTOR, 2) + record(b'\1', place[above], SECTOR, 2)
        for other in folders[1:]:
            if other.rpartition('/')[0] == folder:
                rows += record(encoded(other.rpartition('/')[2]), place[other], SECTOR, 2)
        for (path, data), sector in zip(files, where):
            if path.rpartition('/')[0] == folder:
                rows += record(encoded(path.rpartition('/')[2]) + b';1', sector, len(data))
        assert len(rows) <= SECTOR
        return padded(rows, SECTOR)

    head = bytearray(SECTOR)
    head[:7] = b'\x01CD001\x01'
    head[80:88] = both(at, 4)
    head[128:132] = both(SECTOR, 2)
    root = record(b'\0', place[''], SECTOR, 2)[:34]
    head[156:190] = bytes([34]) + root[1:]
    end = b'\xffCD001\x01'.ljust(SECTOR, b'\0')
    return bytes(16 * SECTOR) + bytes(head) + end + b''.join(map(table, folders)) + b''.join(padded(data, SECTOR) for _, data in files)


def sectors(image, size=2352, data=24, form2=()):
    """An image as sectors with all bytes of a CD's sectors"""
    out = b''
    for i in range(len(image) // SECTOR):
        at = i + 150
        time = bytes(int(str(n), 16) for n in (at // 4500, at // 75 % 60, at % 75))
        head = b'\0' + b'\xff' * 10 + b'\0' + time + (b'\1' if data == 16 else b'\2')
        kind = bytes((0, 0, 0x28 if i in form2 else 8, 0)) * 2
        whole = {24: head + kind, 16: head, 8: kind, 0: b''}[data] + image[SECTOR * i:SECTOR * i + SECTOR]
        out += whole.ljust(size, b'\x55')
    return out


# The GameCube -----------------------------------------------------------------------------------------------------------

def gamecube(files, size=0, first=0x8000, title=b'Made-up disc', nkit=False, table_at=0x2440):
    """files: {'folder/name': bytes}, in the order of their rows"""
    rows, names = [[1, 0, 0, 0]], b''
    tree, places, at = {}, {}, first
    for path, data in files.items():
        node = tree
        *folders, name = path.split('/')
        for folder in folders:
            node = node.setdefault(folder, {})
        node[name] = path
        places[path] = at
        at += len(data) + -len(data) % 32

    def walk(node, own):
        nonlocal names
        for name, what in node.items():
            place = len(names)
            names += name.encode() + b'\0'
            if isinstance(what, dict):
                rows.append([1, place, own, 0])
                index = len(rows) - 1
                walk(what, index)
                rows[index][3] = len(rows)
            else:
                rows.append([0, place, places[what], len(files[what])])
    walk(tree, 0)
    rows[0][3] = len(rows)
    table = b''.join(struct.pack('>III', kind << 24 | name, a, b) for kind, name, a, b in rows) + names
    disc = bytearray(max(size, at))
    disc[:6] = b'GM8E01'
    disc[0x1C:0x20] = bytes.fromhex('c2339f3d')
    disc[0x20:0x20 + len(title)] = title
    if nkit:
        disc[0x200:0x208] = b'NKIT v01'
    disc[0x424:0x42C] = struct.pack('>II', table_at, len(table))
    disc[table_at:table_at + len(table)] = table
    for path, data in files.items():
        disc[places[path]:places[path] + len(data)] = data
    return bytes(disc)


def zstd(data):
    """One frame whose blocks are stored, or are one repeated byte"""
    step, out, at = 0x100, bytes.fromhex('28b52ffd') + bytes([0xA0]) + struct.pack('<I', len(data)), 0
    while at < len(data):
        part = data[at:at + step]
        while len(part) <= 0x10000 and data[at + len(part):at + len(part) + step] == part[:1] * step == part[-step:]:
            part += part[:1] * step
        at += len(part)
        last = at == len(data)
        if part == part[:1] * len(part):
            out += (len(part) << 3 | 2 | last).to_bytes(3, 'little') + part[:1]
        else:
            out += (len(part) << 3 | last).to_bytes(3, 'little') + part
    return out


def lzma1(data):
    return lzma.compress(data, lzma.FORMAT_RAW, filters=[{'id': lzma.FILTER_LZMA1, 'dict_size': 1 << 16}])


def lzma2(data):
    return lzma.compress(data, lzma.FORMAT_RAW, filters=[{'id': lzma.FILTER_LZMA2, 'dict_size': 1 << 16}])


def purged(data):
    """The pieces between zeros, followed by an unused hash"""
    out, at = b'', 0
    while at < len(data):
        if not any(data[at:at + 64]):
            at += 64
            continue
        end = at
        while end < len(data) and any(data[end:end + 64]):
            end += 64
        part = data[at:min(end, len(data))]
        out += struct.pack('>II', at, len(part)) + part
        at = end
    return out + bytes(20)


PACKINGS = {'none': (0, bytes, b''), 'purge': (1, purged, b''), 'bzip2': (2, bz2.compress, b''),
            'lzma': (3, lzma1, bytes([93]) + struct.pack('<I', 1 << 16)), 'lzma2': (4, lzma2, bytes([10])), 'zstd': (5, zstd, b'')}


def numbers(seed, skip, size):
    """The numbers that pad discs. seed: 17 words"""
    b = list(seed)
    for i in range(17, 521):
        b.append((b[i - 17] << 23 ^ b[i - 16] >> 9 ^ b[i - 1]) & 0xFFFFFFFF)
    out, steps = b'', 4
    while len(out) < skip + size:
        for _ in range(steps):
            for i in range(521):
                b[i] ^= b[i + 489 if i < 32 else i - 32]
        steps = 1
        out += b''.join(bytes((w >> 24, w >> 18 & 255, w >> 8 & 255, w & 255)) for w in b)
    return out[skip:skip + size]


SEED = [0x9E3779B9 * (i + 1) & 0xFFFFFFFF for i in range(17)]


def wia(disc, packing='zstd', chunk=0x8000, rvz=True, padding=None, console=1, damage=None, size=0):
    """padding: (place, size) of SEED's numbers on the disc, within one chunk. damage: changes the rows of groups. size: size of the disc, which ends with zeros"""
    method, pack, properties = PACKINGS[packing]
    disc = padded(disc, chunk) if size else disc
    whole = max(size, len(disc))
    at, data, rows = 0x200, b'', []
    for start in range(0, len(disc), chunk):
        part = disc[start:start + chunk]
        stored, unpadded = b'', 0
        if any(part):
            if rvz and padding and start <= padding[0] < start + chunk:
                a = padding[0] - start
                pieces = struct.pack('>I', a) + part[:a] if a else b''
                pieces += struct.pack('>I17I', padding[1] | 1 << 31, *SEED)
                rest = part[a + padding[1]:]
                pieces += struct.pack('>I', len(rest)) + rest if rest else b''
                stored, unpadded = pack(pieces), len(pieces)
            else:
                stored = pack(part)
            data += padded(stored, 4)
        rows.append([at // 4, len(stored) | (1 << 31 if stored and rvz and method else 0), unpadded])
        at = 0x200 + len(data)
    rows += [[at // 4, 0, 0]] * ((whole - len(disc) + chunk - 1) // chunk)
    if damage:
        damage(rows)
    groups = pack(b''.join(struct.pack('>III', *r) if rvz else struct.pack('>II', *r[:2]) for r in rows))
    areas = pack(struct.pack('>QQII', 0x80, whole - 0x80, 0, len(rows)))
    places = at + len(padded(areas, 4))
    second = struct.pack('>IIiI', console, method, 5, chunk) + disc[:0x80] + bytes(0x24)
    second += struct.pack('>IQIIQI', 1, at, len(areas), len(rows), places, len(groups)) + bytes([len(properties)]) + properties.ljust(7, b'\0')
    assert len(second) == 0xDC
    version = 0x01000000
    head = (b'RVZ\1' if rvz else b'WIA\1') + struct.pack('>III', version, 0x00030000 if rvz else 0x00090000, len(second)) + bytes(20)
    head += struct.pack('>QQ', whole, places + len(groups)) + bytes(20)
    return (head + second).ljust(0x200, b'\0') + data + padded(areas, 4) + groups


def gcz(disc, block=0x4000, sums=zlib.adler32):
    data, places, adlers = b'', [], []
    for start in range(0, len(disc), block):
        part = disc[start:start + block].ljust(block, b'\0')
        packed = zlib.compress(part, 9)
        stored = len(packed) >= block
        places.append(len(data) | stored << 63)
        data += part if stored else packed
        adlers.append(sums(part if stored else packed))
    n = len(places)
    return struct.pack('<IIQQII', 0xB10BC001, 0, len(data), len(disc), block, n) + struct.pack('<%dQ' % n, *places) + struct.pack('<%dI' % n, *adlers) + data


def ciso(disc, block=0x8000):
    blocks = [disc[at:at + block] for at in range(0, len(disc), block)]
    there = [any(b) for b in blocks]
    return b'CISO' + struct.pack('<I', block) + bytes(there).ljust(0x7FF8, b'\0') + b''.join(b for b, is_there in zip(blocks, there) if is_there)


def wbfs(disc, bits=21):
    block = 1 << bits
    blocks = [disc[at:at + block] for at in range(0, len(disc), block)]
    count = -(-143432 * 2 * 0x8000 // block)
    rows, data = [], b''
    for b in blocks:
        rows.append(1 + len(data) // block if any(b) else 0)
        data += padded(b, block) if any(b) else b''
    head = b'WBFS' + struct.pack('>IBBBBB', 0, 9, bits, 1, 0, 1)
    return (head.ljust(512, b'\0') + disc[:0x100] + struct.pack('>%dH' % count, *rows, *[0] * (count - len(rows)))).ljust(block, b'\0') + data


# Final Fantasy VIII -----------------------------------------------------------------------------------------------------

def lzs(data):
    """Only literals"""
    return b''.join(bytes([(1 << len(data[i:i + 8])) - 1]) + data[i:i + 8] for i in range(0, len(data), 8))


def lz4(data):
    """One run of literals"""
    n = len(data)
    if n < 15:
        return bytes([n << 4]) + data
    return b'\xf0' + b'\xff' * ((n - 15) // 255) + bytes([(n - 15) % 255]) + data


def fs(files, packing=0, folder='C:\\ff8\\Data\\eng\\battle\\'):
    """files: {'name' or 'folder\\name': bytes} -> .fs, .fi, .fl"""
    data, table, names = b'', b'', b''
    for name, content in files.items():
        stored = content
        if packing == 1:
            packed = lzs(content)
            stored = struct.pack('<I', len(packed)) + packed
        if packing == 2:
            packed = lz4(content)
            stored = struct.pack('<I', len(packed) + 8) + b'4ZL_' + struct.pack('<I', len(content)) + packed
        table += struct.pack('<III', len(content), len(data), packing)
        data += stored
        names += (folder + name).encode() + b'\r\n'
    return data, table, names


def zzz(files):
    at = 4 + sum(16 + len(name) for name in files)
    table, data = struct.pack('<I', len(files)), b''
    for name, content in files.items():
        table += struct.pack('<I', len(name)) + name.encode() + struct.pack('<QI', at + len(data), len(content))
        data += content
    return table + data


# CHD --------------------------------------------------------------------------------------------------------------------

def chd(image, data=24, parent=False):
    """An uncompressed CHD of a CD. Each hunk is one sector; hunks of zeros are left out"""
    raw = sectors(image, 2352, data)
    units = [raw[i:i + 2352] + bytes(96) for i in range(0, len(raw), 2352)]
    table, body, first = b'', b'', -(-(124 + 4 * len(units)) // 2448)
    for unit in units:
        table += struct.pack('>I', first + len(body) // 2448)
        body += unit
    head = b'MComprHD' + struct.pack('>II', 124, 5) + bytes(16) + struct.pack('>QQQII', 2448 * len(units), 124, 0, 2448, 2448) + bytes(40)
    head += (b'\1' if parent else b'\0') * 20
    return padded(head + table, 2448) + body


def crc16(data):
    """CCITT, from FFFF"""
    sum = 0xFFFF
    for byte in data:
        sum ^= byte << 8
        for _ in range(8):
            sum = (sum << 1 ^ 0x1021) & 0xFFFF if sum & 0x8000 else sum << 1
    return sum


def chd_row(kind, size, place):
    """A row of a map in the form that the map's checksum covers; the hunk's checksum is 0"""
    return bytes((kind,)) + size.to_bytes(3, 'big') + place.to_bytes(6, 'big') + bytes(2)


def two_codes(symbol):
    """nibbles that define two one-bit codes: 0 for the symbol, 1 for the next symbol"""
    return [n for i in range(16) for n in ((1, 1) if i in (symbol, symbol + 1) else (0,))]


def deflated(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def flac(data):
    """A frame of uncompressed samples: 16 bits, two channels"""
    def check(data, polynomial, bits):
        sum = 0
        for byte in data:
            sum ^= byte << bits - 8
            for _ in range(8):
                sum = sum << 1 ^ (polynomial if sum >> bits - 1 else 0)
        return sum.to_bytes(bits // 8, 'big')
    head = bytes.fromhex('fff8701800') + struct.pack('>H', len(data) // 4 - 1)
    channels = [b'\2' + b''.join(data[i:i + 2] for i in range(at, len(data), 4)) for at in (0, 2)]
    frame = head + check(head, 0x107, 8) + b''.join(channels)
    return frame + check(frame, 0x18005, 16)


CHD_PACKINGS = {'cdzl': deflated, 'cdlz': lzma1, 'cdfl': flac, 'cdzs': zstd}


def packed_chd(image, packing, data=24):
    """A CHD of a CD. Each hunk is one sector, and packed"""
    raw = sectors(image, 2352, data)
    packed = [CHD_PACKINGS[packing](raw[i:i + 2352]) for i in range(0, len(raw), 2352)]
    hunks = [p if packing == 'cdfl' else b'\0' + struct.pack('>H', len(p)) + p for p in packed]
    bits = ''.join('{:04b}'.format(n) for n in two_codes(0)) + '0' * len(hunks) + ''.join('{:016b}'.format(len(h)) + 16 * '0' for h in hunks)
    packed_map = bytes(int(bits[i:i + 8].ljust(8, '0'), 2) for i in range(0, len(bits), 8))
    first = 124 + 16 + len(packed_map)
    rows = [chd_row(0, len(hunk), first + sum(map(len, hunks[:i]))) for i, hunk in enumerate(hunks)]
    head = b'MComprHD' + struct.pack('>II', 124, 5) + packing.encode() + bytes(12)
    head += struct.pack('>QQQII', 2448 * len(hunks), 124, 0, 2448, 2448) + bytes(60)
    head += struct.pack('>I', len(packed_map)) + first.to_bytes(6, 'big') + struct.pack('>HBBBB', crc16(b''.join(rows)), 16, 8, 0, 0)
    return head + packed_map + b''.join(hunks)


def main(folder):
    here = os.path.dirname(os.path.abspath(__file__))

    def sample(*parts):
        with open(os.path.join(here, *parts), 'rb') as f:
            return f.read()
    os.makedirs(folder, exist_ok=True)
    image = iso({'SYSTEM.CNF': b'BOOT', 'FF9.IMG': sample('archives', 'FF9.IMG')})
    disc = gamecube({'Metroid1.pak': sample('archives', 'hero.pak'), 'Audio/a.txt': b'sound'})
    made = {'plain.iso': image, 'mode2.bin': sectors(image), 'mode2.cue': b'FILE "mode2.bin" BINARY\r\n', 'mode2.chd': chd(image), 'mode2-cdlz.chd': packed_chd(image, 'cdlz'),
            'hero.iso': disc, 'hero.gcz': gcz(disc), 'hero.ciso': ciso(disc), 'hero.wbfs': wbfs(disc), 'main.zzz': zzz({'data\\c0m900.dat': sample('ff8', 'c0m900.dat')})}
    for packing in PACKINGS:
        made[f'hero-{packing}.wia' if packing == 'purge' else f'hero-{packing}.rvz'] = wia(
            disc, packing, 0x8000 if packing != 'purge' else 0x200000, packing != 'purge')
    made['battle.fs'], made['battle.fi'], made['battle.fl'] = fs({'c0m900.dat': sample('ff8', 'c0m900.dat')}, 1)
    for name, content in made.items():
        with open(os.path.join(folder, name), 'wb') as f:
            f.write(content)


if __name__ == '__main__':
    main(sys.argv[1])
