#!/usr/bin/env python3
"""Makes the sample videos in RLF. Nothing of a game is in them.

    python3 generate.py [FOLDER]

writes beside this file
    wheel.rlf      72 x 48, 24 pictures: a wheel that turns under a sky, with a key frame every 8 pictures
    gate.rlf       40 x 32, 12 pictures that play forward and then back: a gate
    hallw.rlf      32 x 64 as stored: a panorama with rows and columns swapped, which the fifth letter of its name shows
With a FOLDER it also writes the SHA-256 of every picture there, computed from 16 bits per pixel, little-endian. Python 3
standard library only; the bytes are the same every time.
"""
import hashlib, json, math, os, struct, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, '..'))
from writing import write_files

KEY, DELTA = b'ELRH', b'ELHD'


def rgb(r, g, b):
    """0 to 31 each"""
    return r << 10 | g << 5 | b


# ------------------------------------------------------------------ runs
def words(pixels):
    return struct.pack('<%dH' % len(pixels), *pixels)


def literals(pixels):
    return b''.join(bytes([256 - len(pixels[i:i + 128])]) + words(pixels[i:i + 128]) for i in range(0, len(pixels), 128))


def key_runs(pixels):
    """repetitions have 3 to 129 pixels"""
    out, waiting, at = b'', [], 0
    while at < len(pixels):
        end = at
        while end < len(pixels) and pixels[end] == pixels[at] and end - at < 129:
            end += 1
        if end - at < 3:
            waiting += pixels[at:end]
        else:
            out += literals(waiting) + bytes([end - at - 2]) + words(pixels[at:at + 1])
            waiting = []
        at = end
    return out + literals(waiting)


def delta_runs(before, pixels):
    out, at = b'', 0
    while at < len(pixels):
        end = at
        same = before[at] == pixels[at]
        while end < len(pixels) and (before[end] == pixels[end]) == same:
            end += 1
        out += b''.join(bytes([min(128, end - i) - 1]) for i in range(at, end, 128)) if same else literals(pixels[at:end])
        at = end
    return out


def encoded(width, height, pictures, frame_time, key_every):
    names = ((b'Delta V RLE', b'LRVD'), (b'Delta H RLE', DELTA), (b'H RLE Key', KEY))
    out = struct.pack('<4s4I', b'FELR', 20, 0, 0, len(pictures)) + struct.pack('<4s3I', b'FNIC', 112, 0, 3)
    out += b''.join(struct.pack('<I24s4s', 0, name, tag) for name, tag in names)
    out += struct.pack('<4s7I', b'FNIM', 32, 0, 0, 0, 0, width, height) + struct.pack('<4s3I', b'EMIT', 16, 0, frame_time)
    for i, pixels in enumerate(pictures):
        tag, runs = (KEY, key_runs(pixels)) if i % key_every == 0 else (DELTA, delta_runs(pictures[i - 1], pixels))
        out += struct.pack('<4s3I4s2I', b'MARF', 28 + len(runs), 0, 0, tag, 28, 0) + runs
    return out


# ------------------------------------------------------------------ pictures: rows from the top
def drawn(width, height, color):
    return [color(x + 0.5, y + 0.5) for y in range(height) for x in range(width)]


def wheel(i):
    turn = 2 * math.pi * i / 24 / 4                     # four spokes: a quarter turn looks like no turn

    def color(x, y):
        dx, dy = x - 36, y - 24
        r = math.hypot(dx, dy)
        if r < 4:
            return rgb(28, 22, 6)
        if r < 20:
            a = (math.atan2(dy, dx) - turn) % (math.pi / 2)
            if r > 17 or min(a, math.pi / 2 - a) * r < 2:
                return rgb(20, 12, 5)
        return rgb(4, 9, 18 + int(y) // 8) if y < 40 else rgb(5, 14, 4)
    return drawn(72, 48, color)


def gate(i):
    gap = 1 + 3 * min(i, 11 - i)                        # 0..5, 5..0

    def color(x, y):
        if abs(x - 20) < gap / 2:
            return rgb(30, 28, 16) if y > 6 else rgb(6, 6, 8)
        if y < 6 or x < 2 or x > 38:
            return rgb(9, 9, 10)
        side = x - gap / 2 if x > 20 else x + gap / 2
        return rgb(14, 8, 3) if int(side) % 5 else rgb(8, 4, 1)
    return drawn(40, 32, color)


def hall(i):
    """a panorama of 64 x 32: columns of a hall, and a light that runs along them"""
    def color(x, y):
        lit = max(0, 12 - abs((x - i * 8 + 32) % 64 - 32))
        if y > 26:
            return rgb(6, 5, 5)
        if int(x) % 16 < 5:
            return rgb(12 + int(lit), 11 + int(lit), 9)
        return rgb(3 + int(lit) // 2, 3, 8)
    return drawn(64, 32, color)


def transposed(pixels, width, height):
    return [pixels[y * width + x] for x in range(width) for y in range(height)]


def main():
    wheels, gates, halls = [wheel(i) for i in range(24)], [gate(i) for i in range(12)], [hall(i) for i in range(8)]
    files = {'wheel.rlf': encoded(72, 48, wheels, 666, 8), 'gate.rlf': encoded(40, 32, gates, 1000, 100),
             'hallw.rlf': encoded(32, 64, [transposed(p, 64, 32) for p in halls], 500, 100)}
    write_files(HERE, files)
    for folder in sys.argv[1:]:
        shown = {'wheel.rlf': (72, 48, wheels), 'gate.rlf': (40, 32, gates), 'hallw.rlf': (64, 32, halls)}
        json_text = json.dumps({name: {'width': w, 'height': h, 'sha256_raw555': [hashlib.sha256(words(p)).hexdigest() for p in pictures]}
                                for name, (w, h, pictures) in shown.items()}, indent=1)
        with open(os.path.join(folder, 'rlf_expected.json'), 'w') as f:
            f.write(json_text + '\n')


if __name__ == '__main__':
    main()
