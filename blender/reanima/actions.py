# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts clips to actions."""
import bpy
import numpy

from . import provenance, space, versions

PATHS = {'rotation': 'rotation_quaternion', 'translation': 'location', 'scale': 'scale'}
CONSTANT, LINEAR = 0, 1    # BezTriple.ipo, in the form of foreach_set


class Way:
    """Converts the animation of the node above all joints to the object's location."""

    def __init__(self, owner, node, rest, start, turn):
        """rest: the node's location at rest; start: the object's location at rest; turn: 3 x 3, from the node's space
        to the object's space"""
        self.owner, self.node, self.rest, self.start, self.turn = owner, node, numpy.asarray(rest), start, turn

    def keys(self, values):
        return self.start + (numpy.asarray(values, dtype=float) - self.rest) @ self.turn.T


def end_on_frame(clip, fps):
    """Moves the end of a resampled clip to the nearest whole frame of the scene and drops an existing key there."""
    end = clip.end * fps
    whole = max(1.0, round(end)) if end > 1e-3 else 0.0
    if abs(end - whole) < 1e-3:
        return
    for key, (times, values) in clip.channels.items():
        if abs(times[-1] - clip.end) < 1e-4 and len(times) > 1:
            kept = numpy.asarray(times, dtype=float)[:-1] * fps < whole - 1e-3
            clip.channels[key] = numpy.append(times[:-1][kept], whole / fps), numpy.concatenate([values[:-1][kept], values[-1:]])
    clip.end = whole / fps


def moving(clips, followers, always=()):
    """(joint, path) of every property that gets curves: all that differ from the rest in any clip, and the
    rotations of the joints in `always`."""
    wanted = {(joint, 'rotation') for joint in always}
    for joint, follower in followers.items():
        for path in PATHS:
            if (joint, path) in wanted:
                continue
            channels = (clip.channels.get((joint.node, path)) for clip in clips)
            if any(c is not None and follower.moves(path, c[1]) for c in channels):
                wanted.add((joint, path))
    return wanted


class Writer:
    """Writes the clips of one file onto one armature."""

    def __init__(self, owner, followers, wanted, fps, way=None, switches=None):
        """switches: values of custom properties, by their paths from the object"""
        self.owner, self.followers, self.fps, self.way, self.switches = owner, followers, fps, way, switches or {}
        self._frames = {}     # keyed by the arrays' ids; the arrays are kept, so that no other array gets the same id
        order = {joint: place for place, joint in enumerate(followers)}
        self.wanted = sorted(wanted, key=lambda w: (order[w[0]], w[1]))
        self._prefix = {joint: 'pose.bones["%s"].' % bpy.utils.escape_identifier(follower.bone) for joint, follower in followers.items()}

    def frames(self, times):
        """Frames of the scene, snapped to whole frames if only rounding differs. Channels with the same times share
        them."""
        if id(times) not in self._frames:
            frames = numpy.asarray(times, dtype=float) * self.fps
            whole = numpy.round(frames)
            self._frames[id(times)] = times, numpy.where(numpy.abs(frames - whole) < 1e-3, whole, frames)
        return self._frames[id(times)][1]

    def write(self, clip):
        """-> the new action, and the slot that it plays from (None before Blender 4.4)"""
        action = bpy.data.actions.new(clip.name)
        curves = versions.Curves(action, self.owner)
        kind = CONSTANT if clip.stepped else LINEAR
        for joint, path in self.wanted:
            follower, channel = self.followers[joint], clip.channels.get((joint.node, path))
            if channel is None:
                frames, rows = numpy.zeros(1), follower.at_rest(path)
            else:
                frames, rows = self.frames(channel[0]), follower.keys(path, channel[1])
            set_curves(curves, self._prefix[joint] + PATHS[path], follower.bone, frames, rows, kind)
        if self.way is not None:
            channel = clip.channels.get((self.way.node, 'translation'))
            rows = self.way.keys(self.way.rest[None, :] if channel is None else channel[1])
            frames = numpy.zeros(1) if channel is None else self.frames(channel[0])
            set_curves(curves, 'location', 'Object Transforms', frames, rows, kind)
        for path, value in self.switches.items():
            set_curves(curves, path, 'Switches', numpy.zeros(1), numpy.array([[value]]), CONSTANT)
        self._finish(action, clip)
        if clip.origin is not None:      # also applies the object's position in the scene
            provenance.mark(action, dict(clip.origin, armature=self.owner.data.name, armature_id=provenance.identify(self.owner.data, bpy.data.armatures),
                                         fps=self.fps, end=action.frame_end, way=None if self.way is None else [float(v) for v in self.way.turn.flat]))
        return action, curves.slot

    def _finish(self, action, clip):
        end = float(self.frames(numpy.array([clip.end]))[0])
        action.use_fake_user = True
        action.use_frame_range = True
        action.frame_start, action.frame_end = 0, max(1.0, end)
        action.use_cyclic = clip.cyclic
        for event in clip.events:
            marker = action.pose_markers.new(str(event.get('name') or event.get('type') or 'event'))
            marker.frame = round(event['time'] * self.fps)


def set_curves(curves, path, group, frames, rows, kind):
    """One curve per column."""
    points = numpy.empty((rows.shape[1], len(frames), 2), numpy.float32)
    points[:, :, 0] = frames
    points[:, :, 1] = rows.T
    kinds = numpy.full(len(frames), kind, numpy.int8)      # Blender's own type: others would be converted one by one
    for index, column in enumerate(points.reshape(rows.shape[1], -1)):
        curve = curves.new(path, index, group)
        keys = curve.keyframe_points
        keys.add(len(frames))
        keys.foreach_set('co', column)
        keys.foreach_set('interpolation', kinds)
        curve.update()


def turn_to_quaternions(owner, names):
    """-> the bones whose rotation mode was changed"""
    changed = []
    for name in names:
        bone = owner.pose.bones[name]
        if bone.rotation_mode != 'QUATERNION':
            changed.append(name)
            bone.rotation_mode = 'QUATERNION'
    return changed


def with_euler_keys(names):
    """The names of actions that rotate some of these bones by Euler angles."""
    paths = {'pose.bones["%s"].rotation_euler' % bpy.utils.escape_identifier(name) for name in names}
    return [a.name for a in bpy.data.actions if any(c.data_path in paths for c in versions.curves_of(a))]


def differ(one, other):
    """Whether the keys of two actions differ."""
    keys = [{(c.data_path, c.array_index): [v for k in c.keyframe_points for v in k.co] for c in versions.curves_of(a)} for a in (one, other)]
    return keys[0].keys() != keys[1].keys() or any(len(keys[1][c]) != len(rows) or any(abs(a - b) > 1e-5 for a, b in zip(rows, keys[1][c])) for c, rows in keys[0].items())
