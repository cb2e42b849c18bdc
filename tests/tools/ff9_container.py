"""Makes containers of Final Fantasy IX for tests. Every animation turns one bone by its own angle, so that a test can
identify each clip. Python 3 standard library only."""
import math, struct


def db(chunks):
    """chunks: [(type, [(id, bytes)])]"""
    bodies = [chunk(kind, objects) for kind, objects in chunks]
    places = [4 + 4 * len(bodies) + sum(map(len, bodies[:i])) for i in range(len(bodies))]
    return struct.pack('<BBH', 0xDB, len(bodies), 0) + b''.join(struct.pack('<I', kind << 24 | place - (4 + 4 * i)) for i, ((kind, _), place) in enumerate(zip(chunks, places))) + b''.join(bodies)


def chunk(kind, objects):
    ids = struct.pack('<%dH' % len(objects), *(i for i, _ in objects))
    head = struct.pack('<BBH', kind, len(objects), 0) + ids + bytes(-len(ids) % 4)
    first = len(head)                                      # of the pointers
    starts = [first + 4 * (len(objects) + 1) + sum(len(data) for _, data in objects[:i]) for i in range(len(objects) + 1)]
    return head + b''.join(struct.pack('<i', start - (first + 4 * i)) for i, start in enumerate(starts[:-1])) + struct.pack('<i', starts[-1] - first) + b''.join(data for _, data in objects)


def model(bones, quads=0, triangles=0):
    """a chain; one group with faces without a texture, all between the same four vertices of the first bone"""
    packets = 0x18 * quads + 0x14 * triangles
    head = struct.pack('<HBBHBBHHII', 0, bones, 1 if packets else 0, packets, 0, 0, 400, 100, 20, 20 + 4 * bones) + \
        b''.join(struct.pack('<hBB', -20, 0, max(0, b - 1)) for b in range(bones))
    if not packets:
        return head
    counts = struct.pack('<%dH' % bones, 4, *[0] * (bones - 1)) + bytes(-2 * bones % 4)
    vertices = b''.join(struct.pack('<3hBB', x, y, 0, 0, 0) for x, y in ((-9, -9), (9, -9), (-9, 9), (9, 9)))
    faces = struct.pack('<4H4B4x', 0, 1, 2, 3, 90, 60, 30, 0) * quads + struct.pack('<3H2x4B', 0, 1, 2, 30, 60, 90, 0) * triangles
    at = len(head) + 40
    pointers = [at, at + len(counts), at + len(counts + vertices), at + len(counts + vertices + faces), at + len(counts + vertices + faces)]
    return head + struct.pack('<H6H2HBb5I', packets, *[0] * 6, quads, triangles, 0, 0, *pointers) + counts + vertices + faces


UPRIGHT = 64                                               # a quarter turn of the first bone: the chain stands


def animation(bones, frames, angle, height=-100):
    """the last bone turns about x by `angle` * 16 / 4096 of a turn in the first frame, and by one step more in every other; with a LOW table"""
    at = 20 + 8 * bones
    streamed = frames > 1
    high = b''.join(struct.pack('<4H', 0 if b else UPRIGHT, 0, 0, 7) for b in range(bones - 1)) + struct.pack('<4H', at if streamed else angle, 0, 0, 6 if streamed else 7)
    stream = bytes((angle + f) & 255 for f in range(frames)) if streamed else b''
    stream += bytes(-len(stream) % 4)
    return struct.pack('<HHhhhHII', 0, frames, 0, height, 0, 7, 20, at + len(stream)) + high + stream + struct.pack('<4H', 0, 0, 0, 7) * bones


def silent_animation(bones, angle, height=-100):
    """one frame, no LOW table: its number of bones can't be known from it"""
    return struct.pack('<HHhhhHII', 0, 1, 0, height, 0, 7, 20, 0) + b''.join(struct.pack('<4H', angle if b == bones - 1 else 0 if b else UPRIGHT, 0, 0, 7) for b in range(bones))


def turned(angle):
    """-> the rotation of the last bone in glTF"""
    half = math.pi * angle * 16 / 4096
    return [math.sin(half), 0, 0, math.cos(half)]


def materials(rows):
    """rows: [(model, default animation or None)]; every model has one material"""
    table = b''.join(struct.pack('<HHIHBB', m, 0xFFFF if a is None else a, 1 << 24 | 12 * (len(rows) - i) + 16 * i, 0xFFFF, 7, 9) for i, (m, a) in enumerate(rows))
    return struct.pack('<BBH', 0xDC, len(rows), 0) + table + bytes(16 * len(rows))


def field(models, animations, defaults=None):
    """laid out like the game's fields: textures in the first inner DB, models in the second"""
    chunks = [(2, models), (3, animations)] + ([(0x12, [(1, materials(defaults))])] if defaults else [])
    return db([(0x14, [(1, bytes(16))]), (0x1B, [(1, db([(0x17, [(3, bytes(8))])])), (2, db([c for c in chunks if c[1]]))])])
