"""Calculations with quaternions x y z w, directions and matrices (lists of rows) for tests. Python 3 standard library
only."""
import math

YXZ, ZYX = (1, 0, 2), (2, 1, 0)                   # orders of axes


def multiplied(p, q):
    (px, py, pz, pw), (qx, qy, qz, qw) = p, q
    return (pw * qx + px * qw + py * qz - pz * qy, pw * qy - px * qz + py * qw + pz * qx,
            pw * qz + px * qy - py * qx + pz * qw, pw * qw - px * qx - py * qy - pz * qz)


def inverse(q):
    return -q[0], -q[1], -q[2], q[3]


def turned(q, v):
    return multiplied(multiplied(q, (*v, 0)), inverse(q))[:3]


def unit(v):
    length = math.hypot(*v)
    return tuple(c / length for c in v)


def about(axis, degrees):
    half = math.radians(degrees) / 2
    return tuple(math.sin(half) if i == axis else 0.0 for i in range(3)) + (math.cos(half),)


def about_x(degrees):
    return about(0, degrees)


def degrees_between(p, q):
    """exact for small angles too, and of quaternions of any length"""
    x, y, z, w = multiplied(inverse(p), q)
    return math.degrees(2 * math.atan2(math.hypot(x, y, z), abs(w)))


def apart(a, b):
    """degrees between two directions, exact for small ones too"""
    cross = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    return math.degrees(math.atan2(math.hypot(*cross), sum(x * y for x, y in zip(a, b))))


def composed(triple, order, turn=4096):
    """Of angles about x, y, z in 1/turn, multiplied in this order; raw axes with Y down become glTF's (half a turn
    about X)"""
    q = (0, 0, 0, 1)
    for axis in order:
        q = multiplied(q, about(axis, triple[axis] * 360 / turn))
    return q[0], -q[1], -q[2], q[3]


def between(p, q, share):
    """at constant speed from p to q, without choosing the shorter way"""
    angle = math.acos(max(-1, min(1, sum(a * b for a, b in zip(p, q)))))
    if angle < 1e-6:
        return q
    return unit([(math.sin((1 - share) * angle) * a + math.sin(share * angle) * b) for a, b in zip(p, q)])


def shortest(p, q, share):
    """like glTF's interpolation: the shorter way"""
    return between(p, q if sum(a * b for a, b in zip(p, q)) >= 0 else [-v for v in q], share)


def product(a, b):
    """product of matrices; entries of a without counterpart in b are left out"""
    return [[sum(row[k] * b[k][c] for k in range(len(b))) for c in range(len(b[0]))] for row in a]


def rotation_in_world(scene, clip, time, node):
    """three rows: of a node of a Scene, where nothing is scaled"""
    m = [row[:3] for row in scene.local(node, clip, time)[:3]]
    while node in scene.parent:
        node = scene.parent[node]
        m = product([row[:3] for row in scene.local(node, clip, time)[:3]], m)
    return m
