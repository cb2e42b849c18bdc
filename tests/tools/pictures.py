"""PNG files for tests, by the specification. Python 3 standard library only."""
import collections, struct, zlib

import support                                    # noqa: F401  knows the way to the next one
from run_ff7_mesh import decode_png               # reads any PNG


def chunks_of(png):
    """-> (type, data) of every chunk, whose checksums are right"""
    assert png[:8] == b'\x89PNG\r\n\x1a\n'
    at, found = 8, []
    while at < len(png):
        size, kind = struct.unpack_from('>I4s', png, at)
        data = png[at + 8:at + 8 + size]
        assert struct.unpack_from('>I', png, at + 8 + size)[0] == zlib.crc32(kind + data)
        found.append((kind.decode(), data))
        at += 12 + size
    return found


def as_png(width, height, colour, data):
    """A still PNG of 8 bits with these compressed rows"""
    chunk = lambda kind, body: struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>2I5B', width, height, 8, colour, 0, 0, 0)) + chunk(b'IDAT', data) + chunk(b'IEND', b'')


def png_of(rows):
    """Of rows of RGB or RGBA tuples"""
    colour = {3: 2, 4: 6}[len(rows[0][0])]
    return as_png(len(rows[0]), len(rows), colour, zlib.compress(b''.join(b'\0' + bytes(c for texel in row for c in texel) for row in rows)))


def size_of(png):
    """-> width, height"""
    return struct.unpack_from('>2I', png, 16)


def rgba_of(png):
    """-> rows of texels with their alpha"""
    width, height, texels = decode_png(png)
    return [[tuple(texels[at:at + 4]) for at in range(4 * width * y, 4 * width * (y + 1), 4)] for y in range(height)]


def from_png(png):
    """-> width, rows of RGB or RGBA tuples; 8 bits"""
    assert png[24] == 8 and png[25] in (2, 6)
    step = 3 if png[25] == 2 else 4
    return size_of(png)[0], [[texel[:step] for texel in row] for row in rgba_of(png)]


def colours(png):
    """-> the number of pixels of each colour in an RGB PNG"""
    assert png[25] == 2
    return collections.Counter(texel for row in from_png(png)[1] for texel in row)
