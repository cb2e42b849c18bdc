"""The person of the samples: bones, movements, and the matrices and quaternions for the generators. Contains no game
data.

Directions are in the games' axes: Y down, front -Z, the figure's left is +X. Lengths are those of the Final Fantasy VII
sample, 512 per metre. Python 3 standard library only.
"""
import math

# name, parent, length. A child starts at its parent's end. A bone points along its own -Z, so lengths are negative.
BONES = [
    ('spine', -1, -90.0), ('chest', 0, -150.0), ('neck', 1, -45.0), ('head', 2, -110.0),
    ('collar_l', 1, -70.0), ('upper_arm_l', 4, -130.0), ('forearm_l', 5, -120.0), ('hand_l', 6, -50.0),
    ('collar_r', 1, -70.0), ('upper_arm_r', 8, -130.0), ('forearm_r', 9, -120.0), ('hand_r', 10, -50.0),
    ('hip_l', -1, -55.0), ('thigh_l', 12, -215.0), ('shin_l', 13, -215.0), ('foot_l', 14, -80.0),
    ('hip_r', -1, -55.0), ('thigh_r', 16, -215.0), ('shin_r', 17, -215.0), ('foot_r', 18, -80.0),
]
INDEX = {b[0]: i for i, b in enumerate(BONES)}
HIP_HEIGHT = 466


def total(numbers):
    """sum() as before Python 3.12, which rounds sums of floats differently"""
    whole = 0
    for number in numbers:
        whole += number
    return whole


# ------------------------------------------------------------------ matrices
def matmul(a, b):
    return [[total(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def transposed(m):
    return [list(r) for r in zip(*m)]


def apply(m, v):
    return [total(m[i][k] * v[k] for k in range(3)) for i in range(3)]


def about(x, y, z):
    """angles in 1/4096 turn -> the rotations about X, Y and Z"""
    cx, sx, cy, sy, cz, sz = (f(a * math.pi / 2048) for a in (x, y, z) for f in (math.cos, math.sin))
    return ([[1, 0, 0], [0, cx, -sx], [0, sx, cx]], [[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]], [[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])


def nearest(solutions, near):
    """The triple of angles in radians that is nearest to `near`, in 1/4096 turn. Whole turns are ignored."""
    best = None
    for a in solutions:
        a = [v * 2048 / math.pi for v in a]
        a = [v + 4096 * round((n - v) / 4096) for v, n in zip(a, near)]
        cost = total(abs(v - n) for v, n in zip(a, near))
        if best is None or cost < best[0]:
            best = cost, a
    return best[1]


def from_yxz(x, y, z):
    """R = Ry * Rx * Rz: angles in 1/4096 turn -> matrix"""
    rx, ry, rz = about(x, y, z)
    return matmul(ry, matmul(rx, rz))


def to_yxz(m, near):
    """matrix -> angles in 1/4096 turn. Of both solutions, the one nearest to the previous angles"""
    x = math.asin(max(-1, min(1, -m[1][2])))
    if abs(m[1][2]) > 0.9999:
        y, z = math.atan2(-m[2][0], m[0][0]), 0.0
    else:
        y, z = math.atan2(m[0][2], m[2][2]), math.atan2(m[1][0], m[1][1])
    return nearest(((x, y, z), (math.pi - x, y + math.pi, z + math.pi)), near)


def unit(v):
    n = math.sqrt(total(c * c for c in v))
    return [c / n for c in v]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def pointing(direction):
    """the rotation from -Z to a direction that keeps X as close as possible to the figure's X (Y for bones along X)"""
    z = [-c for c in unit(direction)]
    if abs(z[0]) < 0.9:
        y = unit(cross(z, (1.0, 0.0, 0.0)))
        x = cross(y, z)
    else:
        x = unit(cross((0.0, 1.0, 0.0), z))
        y = cross(z, x)
    return transposed([x, y, z])


def posed(directions, turn, joints, near, from_angles=from_yxz, to_angles=to_yxz, step=1):
    """-> (angles of all joints in 1/4096 turn, in multiples of `step`, and the resulting rotations), so that bones have these directions

    joints: (name, parent, ..), parents first; the first rotates the whole figure; joints without a direction do not rotate
near: the angles in the previous frame"""
    angles, world = [[0, turn, 0]], [from_angles(0, turn, 0)]
    for j, (name, parent, *_) in enumerate(joints[1:], 1):
        if name in directions:
            wanted = matmul(world[0], pointing(directions[name]))
            angles.append([round(a / step) * step for a in to_angles(matmul(transposed(world[parent]), wanted), near[j])])
        else:
            angles.append([0, 0, 0])
        world.append(matmul(world[parent], from_angles(*angles[j])))
    return angles, world


def chained(angles, joints, place, from_angles=from_yxz):
    """-> (starts, ends) of bones along their own Z, each at its parent's end; the first one is at `place`

    joints: (name, parent, length) with the parents first; angles in 1/4096 turn, as from_angles() takes them"""
    world, starts, ends = [], [], []
    for j, (_, parent, length) in enumerate(joints):
        own = from_angles(*angles[j])
        world.append(matmul(world[parent], own) if j else own)
        starts.append(ends[parent] if j else [float(v) for v in place])
        ends.append([s + a for s, a in zip(starts[j], apply(world[j], (0, 0, length)))])
    return starts, ends


def posed_move(move, count, joints, unit, **turning):
    """-> per frame: (position of the hips, with `unit` units per unit of the figure, and the angles of all joints)

turning: further arguments of posed()"""
    frames, angles = [], [[0, 0, 0]] * len(joints)
    for f in range(count):
        directions, shift, turn = move(f, count)
        angles, _ = posed(directions, turn, joints, angles, **turning)
        frames.append(([round(v * unit) for v in (shift[0], shift[1] - HIP_HEIGHT, shift[2])], angles))
    return frames


def gltf_axes(p):
    return [p[0], -p[1], -p[2]]


# ------------------------------------------------------------------ quaternions, W X Y Z
def quaternion(m):
    """the largest component is computed first, so that nothing is divided by a small number"""
    q = [1 + m[0][0] + m[1][1] + m[2][2], 1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2], 1 - m[0][0] - m[1][1] + m[2][2]]
    k = q.index(max(q))
    s = math.sqrt(q[k]) / 2
    o = 0.25 / s
    a, b, c = (m[2][1] - m[1][2]) * o, (m[0][2] - m[2][0]) * o, (m[1][0] - m[0][1]) * o
    d, e, f = (m[1][0] + m[0][1]) * o, (m[0][2] + m[2][0]) * o, (m[2][1] + m[1][2]) * o
    return [[s, a, b, c], [a, s, d, e], [b, d, s, f], [c, e, f, s]][k]


def multiply(a, b):
    w, x, y, z = a
    W, X, Y, Z = b
    return [w * W - x * X - y * Y - z * Z, w * X + x * W + y * Z - z * Y, w * Y - x * Z + y * W + z * X, w * Z + x * Y - y * X + z * W]


def turned(q, v):
    return multiply(multiply(q, [0.0] + list(v)), [q[0], -q[1], -q[2], -q[3]])[1:]


def slerp(a, b, u):
    """from a to b, never to -b, since the game interpolates quaternions with their stored signs"""
    cosine = max(-1.0, min(1.0, total(x * y for x, y in zip(a, b))))
    angle = math.acos(cosine)
    if angle < 1e-6:
        return a
    return [(math.sin((1 - u) * angle) * x + math.sin(u * angle) * y) / math.sin(angle) for x, y in zip(a, b)]


# ------------------------------------------------------------------ the motion, as directions of bones
def figure(stride=0.0, knees=(0.0, 0.0), arms=(0.1, -0.1), elbows=(0.3, 0.3), lean=0.0, raise_right=0.0, breath=0.0):
    """directions of all bones: up is -Y, forward is -Z, the figure's left is +X"""
    swing = lambda a, out=0.0: (out, math.cos(a), -math.sin(a))          # a: the angle from straight down to the front
    up = (0.0, -math.cos(lean), -math.sin(lean))
    d = {'spine': up, 'chest': (0.0, -math.cos(lean + breath), -math.sin(lean + breath)), 'neck': up, 'head': (0.0, -1.0, -0.1)}
    for side, s, a, e, hip, k in (('l', 1, arms[0], elbows[0], stride, knees[0]), ('r', -1, arms[1], elbows[1], -stride, knees[1])):
        a += raise_right if side == 'r' else 0.0
        d['collar_' + side] = (s * 1.0, -0.05, 0.0)
        d['upper_arm_' + side] = swing(a, s * 0.18)
        d['forearm_' + side] = swing(a + e, s * 0.08)
        d['hand_' + side] = swing(a + e + 0.1, s * 0.02)
        d['hip_' + side] = (s * 1.0, 0.05, 0.0)
        d['thigh_' + side] = swing(hip + k * 0.5, s * 0.04)
        d['shin_' + side] = swing(hip - k * 0.6, s * 0.02)
        d['foot_' + side] = (s * 0.1, 0.25, -1.0)
    return d


# Each function returns, for frame f of n, the directions, the offset of the hips, and the rotation of the whole figure.
def idle(f, n):
    t = 2 * math.pi * f / n
    return figure(breath=0.03 * math.sin(t), arms=(0.08 + 0.03 * math.sin(t), 0.15)), (0, 3 * math.sin(t), 0), 0


def walk(f, n):
    t = 2 * math.pi * f / n
    return (figure(stride=0.5 * math.sin(t), knees=(0.5 - 0.5 * math.cos(t + 0.6), 0.5 + 0.5 * math.cos(t + 0.6)),
                   arms=(-0.45 * math.sin(t), 0.45 * math.sin(t)), elbows=(0.5, 0.5), lean=0.06),
            (0, 8 * math.cos(2 * t), -38 * f), 0)


def attack(f, n):
    u = f / (n - 1)
    lift = 2.6 * math.sin(math.pi * min(1, u * 1.6)) ** 2
    return (figure(stride=0.35 * math.sin(math.pi * u), knees=(0.5 * u, 0.3), lean=0.25 * math.sin(math.pi * u), raise_right=lift),
            (0, 20 * math.sin(math.pi * u), -60 * math.sin(math.pi * u)), 0)


def spin(f, n):
    return figure(knees=(0.6, 0.6), arms=(1.2, 1.2), elbows=(0.1, 0.1)), (0, 40, 0), 512 * f
