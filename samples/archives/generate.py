#!/usr/bin/env python3
"""Makes the sample archives from the other samples, according to docs/formats. The bytes are the same every time.

    python3 generate.py
"""
import os, struct, sys, zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, '..'))
from writing import padded, write_files


def sample(*parts):
    with open(os.path.join(HERE, '..', *parts), 'rb') as f:
        return f.read()


def lgp(files):
    """files: [(name, bytes)], sorted by name. Names begin with two letters"""
    slots = [(0, 0)] * 900
    for i, (name, _) in enumerate(files):
        slot = (ord(name[0]) - 97) * 30 + ord(name[1]) - 97 + 1
        slots[slot] = (slots[slot][0] or i + 1, slots[slot][1] + 1)
    at = 16 + 27 * len(files) + 3600 + 2
    table, data = bytearray(), bytearray()
    for name, content in files:
        table += struct.pack('<20sIBH', name.encode(), at + len(data), 14, 0)
        data += struct.pack('<20sI', name.encode(), len(content)) + content
    return b'\0\0SQUARESOFT' + struct.pack('<I', len(files)) + table + b''.join(struct.pack('<HH', *s) for s in slots) + bytes(2) + data + b'FINAL FANTASY7'


def img(directories):
    """directories: [[(id, bytes)]]"""
    head = b'FF9 ' + struct.pack('<III', 0, len(directories) + 1, 0)
    lists, body, first = b'', b'', 1 + len(directories)
    for number, files in enumerate(directories):
        head += struct.pack('<IIII', 2, len(files), 1 + number, first + len(body) // 2048)
        rows = b''
        for i, data in files:
            rows += struct.pack('<HHI', i, 0xFFFF, first + len(body) // 2048)
            body += padded(data, 2048)
        lists += padded(rows + struct.pack('<HHI', 0xFFFF, 0xFFFF, first + len(body) // 2048), 2048)
    return padded(head + struct.pack('<IIII', 4, 0, first, 0), 2048) + lists + body


def pak(names, resources):
    """names: [(type, id, name)]; resources: [(type, id, bytes)], which are packed by zlib"""
    head = struct.pack('>III', 0x00030005, 0, len(names))
    for kind, i, name in names:
        head += struct.pack('>4sII', kind, i, len(name)) + name
    size = len(head) + 4 + 20 * len(resources)
    at, table, body = size + -size % 32, b'', b''
    for kind, i, data in resources:
        stored = struct.pack('>I', len(data)) + zlib.compress(data, 9)
        stored += b'\xff' * (-len(stored) % 32)
        table += struct.pack('>I4sIII', 1, kind, i, len(stored), at + len(body))
        body += stored
    head += struct.pack('>I', len(resources)) + table
    return head + bytes(-len(head) % 32) + body


def ancs(name, skeleton, anims):
    """one character with all animations: [(id, name, id of the events)]; the last one is additive"""
    numbered = list(enumerate(anims))
    character = struct.pack('>IH', 0, 6) + name + b'\0' + struct.pack('>IIII', 0x5EED00A1, 0x5EED00A2, skeleton, len(anims))
    character += b''.join(struct.pack('>I', i) + b'\0' + n + b'\0' for i, (_, n, _) in numbered)
    character += b'PAS4' + bytes(8) + bytes(16) + bytes(4)               # no states and no effects
    character += bytes(8) + bytes(8) + struct.pack('>I%dI' % len(anims), len(anims), *range(len(anims)))
    play = lambda i: struct.pack('>III', 0, anims[i][0], i) + anims[i][1] + b'\0' + struct.pack('>fI', 0, 1)
    animations = struct.pack('>HI', 4, len(anims)) + b''.join(n + b'\0' + play(i) for i, (_, n, _) in numbered)
    rest = struct.pack('>II', 0, 3)                                      # no transitions, and no default transition
    rest += struct.pack('>IIff', 1, len(anims) - 1, 0.25, 0.25) + struct.pack('>ff', 0.25, 0.25) + bytes(4)
    rest += struct.pack('>I', len(anims)) + b''.join(struct.pack('>II', i, e) for i, _, e in anims)
    return struct.pack('>HHI', 1, 1, 1) + character + animations + rest


def main():
    hero = sorted(name for name in os.listdir(os.path.join(HERE, '..', 'ff7')) if len(name) == 4 and name.startswith('hr'))
    battle = lgp([(name, sample('ff7', name)) for name in hero])
    image = img([[] for _ in range(10)] + [[(300, sample('ff9', 'props.ff9db')), (301, sample('ff9', 'hero.ff9db'))]])
    anims = [(0x5EED0010 + i, name, 0x5EED0001 if name == b'walk' else 0xFFFFFFFF) for i, name in enumerate((b'idle', b'walk', b'spin', b'attack'))]
    resources = [(b'ANCS', 0x5EED0002, ancs(b'hero', 0x5EED0003, anims)), (b'CINF', 0x5EED0003, sample('metroid', 'hero.CINF')),
                 (b'EVNT', 0x5EED0001, sample('metroid', 'hero_walk.EVNT'))]
    resources += [(b'CMDL', 0x5EED00A1, sample('metroid', 'hero.CMDL')), (b'CSKR', 0x5EED00A2, sample('metroid', 'hero.CSKR'))]
    resources += [(b'TXTR', i, sample('metroid', '%08X.TXTR' % i)) for i in (0x5EED0111, 0x5EED0112, 0x5EED0113)]
    resources += [(b'ANIM', i, sample('metroid', 'hero_%s.ANIM' % name.decode())) for i, name, _ in anims]
    write_files(HERE, {'battle.lgp': battle, 'FF9.IMG': image, 'hero.pak': pak([(b'ANCS', 0x5EED0002, b'Hero')], resources)})


if __name__ == '__main__':
    main()
