# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts from glTF's joints to Blender's bones. Needs NumPy, no Blender.

With G for a joint's rest transform in model space, B for that of its bone (Bone.matrix_local) and C for the change of
axes, K = G^-1 * C^-1 * B are the bone's axes in the joint's space. A local pose L of the joint, whose local rest is R,
is the bone's K^-1 * R^-1 * L * K (PoseBone.matrix_basis). That is linear in quaternions and translations, so one matrix
per bone converts whole channels.
"""
import numpy

Z_UP = numpy.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])   # glTF (x, y, z) is Blender's (x, -z, y)
NEAR = 1e-5


def multiplied(a, b):
    """Product of quaternions x, y, z, w."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return numpy.array([aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
                        aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz])


def conjugated(q):
    return numpy.array([-q[0], -q[1], -q[2], q[3]])


def matrix_of(q):
    x, y, z, w = q / numpy.linalg.norm(q)
    return numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def quaternion_of(m):
    """The quaternion of a rotation matrix. Begins with its largest component."""
    squares = numpy.array([1 + m[0, 0] - m[1, 1] - m[2, 2], 1 - m[0, 0] + m[1, 1] - m[2, 2],
                           1 - m[0, 0] - m[1, 1] + m[2, 2], 1 + m[0, 0] + m[1, 1] + m[2, 2]])
    largest = int(numpy.argmax(squares))
    rows = ((squares[0], m[1, 0] + m[0, 1], m[0, 2] + m[2, 0], m[2, 1] - m[1, 2]),
            (m[1, 0] + m[0, 1], squares[1], m[2, 1] + m[1, 2], m[0, 2] - m[2, 0]),
            (m[0, 2] + m[2, 0], m[2, 1] + m[1, 2], squares[2], m[1, 0] - m[0, 1]),
            (m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], squares[3]))
    q = numpy.array(rows[largest])
    return q / numpy.linalg.norm(q)


def transform(translation, rotation, scale=(1.0, 1.0, 1.0)):
    m = numpy.identity(4)
    m[:3, :3] = matrix_of(numpy.asarray(rotation, dtype=float)) * numpy.asarray(scale)
    m[:3, 3] = translation
    return m


def parts(m):
    """Translation, rotation x, y, z, w and scale of a transform without shear and mirroring."""
    scale = numpy.linalg.norm(m[:3, :3], axis=0)
    return m[:3, 3], quaternion_of(m[:3, :3] / scale), scale


def globals_of(joints):
    """Rest transforms in model space, by joint; parents come first."""
    placed = {}
    for joint in joints:
        local = transform(joint.rest['translation'], joint.rest['rotation'], joint.rest['scale'])
        placed[joint] = local if joint.parent is None else placed[joint.parent] @ local
    return placed


def turned_to(direction):
    """The smallest rotation (3 x 3) that takes +Y to a direction; half a turn is about X."""
    y = direction / numpy.linalg.norm(direction)
    if y[1] < -1 + 1e-9:
        return numpy.diag([1.0, -1.0, -1.0])
    axis = numpy.array([y[2], 0.0, -y[0]])   # Y x direction
    return matrix_of(numpy.array([axis[0], axis[1], axis[2], 1 + y[1]]))


def along_axis(direction):
    """The axis nearest to a direction."""
    largest = int(numpy.argmax(numpy.abs(direction)))
    axis = numpy.zeros(3)
    axis[largest] = 1.0 if direction[largest] >= 0 else -1.0
    return axis


def continuous(q):
    """Quaternions, one per row, with signs that make neighbours near each other. The first real part is not negative."""
    flips = numpy.einsum('ij,ij->i', q[1:], q[:-1]) < 0
    if flips.any():
        signs = numpy.ones(len(q))
        signs[1:][flips] = -1.0
        q = q * numpy.cumprod(signs)[:, None]
    return -q if q[0, 0] < 0 else q


class Follower:
    """A bone that plays a joint. Converts the joint's channels to those of the bone."""

    def __init__(self, bone, rest, turn=None, size=1.0):
        """rest: the joint's local rest by path; turn: K as 3 x 3 (None: the axes are the same); size: the armature's
        units per metre"""
        self.bone, self.rest, self.size = bone, rest, size
        self.turn = numpy.identity(3) if turn is None else turn
        k, r = quaternion_of(self.turn), rest['rotation'] / numpy.linalg.norm(rest['rotation'])
        before = multiplied(conjugated(k), conjugated(r))
        columns = [multiplied(multiplied(before, unit), k) for unit in numpy.identity(4)]
        self._rotation = numpy.array(columns)[:, [3, 0, 1, 2]]                        # rows x, y, z, w -> w, x, y, z
        self._translation = size * matrix_of(r) @ self.turn                           # row vectors: (K^-1 R^-1 v)^T
        self._scale = numpy.abs(self.turn.T)

    def keys(self, path, values):
        """Rows of Blender's `location`, `rotation_quaternion` or `scale`."""
        values = numpy.asarray(values, dtype=float)
        if path == 'rotation':
            return continuous(values @ self._rotation)
        if path == 'translation':
            return (values - self.rest['translation']) @ self._translation
        return (values / self.rest['scale']) @ self._scale.T

    def at_rest(self, path):
        """A single row that leaves the bone at rest."""
        return self.keys(path, self.rest[path][None, :])

    def moves(self, path, values):
        """Whether a channel differs from the rest at any time."""
        return bool(numpy.abs(self.keys(path, values) - self.at_rest(path)).max() > NEAR * max(1.0, self.size))
