# SPDX-License-Identifier: GPL-3.0-or-later
"""The evaluated pose of an armature that plays an action, frame by frame, with layers, constraints and drivers."""
import re

import bpy
import numpy

from . import provenance, versions
from .command import CommandError

MODES = {'rotation_quaternion': 'QUATERNION', 'rotation_axis_angle': 'AXIS_ANGLE', 'rotation_euler': 'XYZ'}
NEAR, ASIDE = 0.5, 1e-3      # frames
POSE = ('location', 'rotation_quaternion', 'rotation_euler', 'rotation_axis_angle', 'scale')


class Stage:
    """Lets an armature play one action after another, and restores everything."""

    def __init__(self, context, owner):
        self.context, self.scene, self.owner = context, context.scene, owner

    def __enter__(self):
        owner = self.owner
        active = self.context.view_layer.objects.active
        self._active, self._mode = active, active.mode if active else 'OBJECT'
        if self._mode != 'OBJECT':
            bpy.ops.object.mode_set(mode='OBJECT')
        self._frame = self.scene.frame_current, self.scene.frame_subframe
        self._shown, owner.data.pose_position = owner.data.pose_position, 'POSE'
        self._data = data = owner.animation_data
        if data is not None:
            if data.use_tweak_mode:
                data.use_tweak_mode = False
            self._played = data.action, getattr(data, 'action_slot', None), data.use_nla
            self._tracks = [(t, t.mute, t.is_solo) for t in data.nla_tracks]
        self._pose = [(bone, {n: getattr(bone, n)[:] for n in POSE}) for bone in owner.pose.bones]
        self._modes, self._paths, self._values = [], [], {}
        self.strip_is_partial = False      # of the action that was played last: its layers do not count
        return self

    def __exit__(self, *error):
        owner = self.owner
        self._adapt_back()
        self._put_back()
        if self._data is None:
            owner.animation_data_clear()
        else:
            action, slot, self._data.use_nla = self._played
            versions.play(owner, action, slot)
            for track, mute, solo in self._tracks:
                if track.is_solo != solo:
                    track.is_solo = solo
                track.mute = mute
        owner.data.pose_position = self._shown
        self.scene.frame_set(self._frame[0], subframe=self._frame[1])
        self._put_back()
        if self._mode != 'OBJECT' and self._active is not None:
            self.context.view_layer.objects.active = self._active
            bpy.ops.object.mode_set(mode=self._mode)

    def play(self, action, names, renamed=()):
        """Plays an action as the active one. Tracks keep playing if they contain nothing imported, since they are layers
        over the clip: with layers, a strip that shows the whole action is played in its place. The named bones are at
        rest unless something moves them. renamed: bones' present names, by the names that the action may have. -> a
        function from a frame of the action to one of the scene"""
        self._adapt_back()
        self._put_back()
        self._adapt(action, dict(renamed))
        data = self.owner.animation_data or self.owner.animation_data_create()
        place, after, self.strip_is_partial = None, False, False
        layered = any(not self._was_muted(t) and not holds_imported(t) for t in data.nla_tracks)
        for track in data.nla_tracks:
            if track.is_solo:
                track.is_solo = False
            own = next((s for s in track.strips if s.action == action and shows_all(s)), None)
            partial = own is None and not self._was_muted(track) and any(s.action == action and not s.mute for s in track.strips)
            self.strip_is_partial |= partial and layered and self._first_action() != action
            if own is not None and layered and data.use_nla and not self._was_muted(track) and place is None and self._first_action() != action:
                place, track.mute = own, False
                after = any(s != own and abs(s.frame_end - own.frame_start) < ASIDE for s in track.strips)
            else:
                track.mute = self._was_muted(track) or holds_imported(track)
        if place is None:
            versions.play(self.owner, action, self._slot_of(action))
        else:
            versions.play(self.owner, None)
        self._rest(names)
        if place is None:
            return lambda frame: frame
        start, first, scale = place.frame_start, place.action_frame_start, place.scale
        earliest = start + (ASIDE if after else 0)      # where two strips meet, Blender shows the first
        return lambda frame: max(start + (frame - first) * scale, earliest)

    def _rest(self, names):
        for bone in self.owner.pose.bones:
            if bone.name in names:
                bone.matrix_basis.identity()
                bone.location, bone.scale = (0, 0, 0), (1, 1, 1)
                bone.rotation_quaternion, bone.rotation_euler = (1, 0, 0, 0), (0, 0, 0)
                bone.rotation_axis_angle = (0, 0, 1, 0)

    def _put_back(self):
        """Undoes what actions have set: their last values stay."""
        for bone, values in self._pose:
            for name, value in values.items():
                setattr(bone, name, value)
        for path, value in self._values.items():
            set_value(self.owner, path, value)

    def curves(self, action):
        """The curves with which an action moves the armature."""
        slot = self._slot_of(action)
        return versions.curves_of(action, slot if slot is not None else next(iter(getattr(action, 'slots', ())), None))

    def _adapt(self, action, renamed):
        """Blender renames a bone only in actions that are in use, and evaluates only the kind of rotation that a bone is
        set to: for the time being, curves get the bones' present names, and bones the kind of their curves."""
        kinds, curves, bones = {}, self.curves(action), self.owner.pose.bones
        names = {bone_of(c)[0] for c in curves} - {None}
        renamed = renamed if any(n in renamed and n not in bones for n in names) else {}      # else Blender has renamed the curves
        for curve in curves:
            bone, path = bone_of(curve)
            if path not in POSE or bone is None:
                self._values.setdefault(curve.data_path, value_of(self.owner, curve.data_path))
            if bone in renamed:
                self._paths.append((curve, curve.data_path))
                bone = renamed[bone]
                curve.data_path = 'pose.bones["%s"].%s' % (bpy.utils.escape_identifier(bone), path)
            if bone is not None and path in MODES and bone in bones:
                kinds.setdefault(bone, set()).add(path)
        for name, paths in kinds.items():
            bone = self.owner.pose.bones[name]
            played = next((p for p, mode in MODES.items() if mode == bone.rotation_mode), 'rotation_euler')
            if played not in paths:
                self._modes.append((bone, bone.rotation_mode))
                bone.rotation_mode = MODES[min(paths)]

    def _adapt_back(self):
        for curve, path in self._paths:
            curve.data_path = path
        for bone, mode in self._modes:
            bone.rotation_mode = mode
        self._modes, self._paths = [], []
        self._values = {path: value for path, value in self._values.items() if value is not None}

    def _was_muted(self, track):
        return next((mute for t, mute, _ in self._tracks if t == track), track.mute) if self._data is not None else track.mute

    def _first_action(self):
        return self._played[0] if self._data is not None else None

    def _slot_of(self, action):
        """The slot of an action that the armature plays (4.4 and later)."""
        if self._data is not None and self._played[0] == action:
            return self._played[1]
        return next((s for s in getattr(action, 'slots', ()) if s.identifier == 'OB' + self.owner.name), None)

    def seen(self, what, frames, names):
        """The evaluated poses of bones at frames of the scene: 4 x 4 in the armature's space, by frame and bone. Work
        (see progress). what: text for the progress"""
        bones = self.owner.pose.bones
        found, every = numpy.empty((len(frames), len(names), 4, 4)), numpy.empty(16 * len(bones), numpy.float32)
        columns = [bones.find(name) for name in names]
        for row, frame in enumerate(frames):
            yield 'Looking at ' + what, row / len(frames)
            whole = int(numpy.floor(frame + 1e-4))
            self.scene.frame_set(whole, subframe=max(0.0, min(frame - whole, 0.9999)))
            evaluated = self.owner.evaluated_get(self.context.evaluated_depsgraph_get())
            if not evaluated.is_evaluated:
                raise CommandError('%s is not evaluated: it is hidden in viewports, or its collection is. Show it first.' % self.owner.name)
            evaluated.pose.bones.foreach_get('matrix', every)      # column by column
            found[row] = every.reshape(-1, 4, 4)[columns].transpose(0, 2, 1)
        return found

    def seen_alone(self, action, slot, frames, names, without=()):
        """The evaluated poses of another action, without layers and some constraints. Work."""
        data = self.owner.animation_data
        self._put_back()
        self._rest(names)
        layered, data.use_nla = data.use_nla, False
        versions.play(self.owner, action, slot)
        modes = [(b, b.rotation_mode) for b in self.owner.pose.bones if b.rotation_mode != 'QUATERNION']
        for bone, _ in modes:
            bone.rotation_mode = 'QUATERNION'
        for constraint in without:
            constraint.mute = True
        try:
            return (yield from self.seen(action.name, frames, names))
        finally:
            for constraint in without:
                constraint.mute = False
            for bone, mode in modes:
                bone.rotation_mode = mode
            data.use_nla = layered


def bone_of(curve):
    """The bone and the property that a curve moves. (None, path) for other curves."""
    found = re.fullmatch(r'pose\.bones\["(.*)"\]\.(\w+)', curve.data_path)
    return (bpy.utils.unescape_identifier(found.group(1)), found.group(2)) if found else (None, curve.data_path)


def value_of(owner, path):
    """A copy of the property at a path; None if there is none."""
    try:
        value = owner.path_resolve(path)
    except ValueError:
        return None
    return tuple(value) if hasattr(value, '__len__') and not isinstance(value, str) else value


def set_value(owner, path, value):
    if path.endswith(']'):      # a custom property
        above, name = path[:path.rindex('["')], path[path.rindex('["') + 2:-2]
        (owner.path_resolve(above) if above else owner)[bpy.utils.unescape_identifier(name)] = value
    else:
        above, _, name = path.rpartition('.')
        setattr(owner.path_resolve(above) if above else owner, name, value)


def holds_imported(track):
    return any(s.action is not None and provenance.known(s.action) for s in track.strips)


def shows_all(strip):
    """Whether a strip plays its whole action, and nothing but its action."""
    first, last = strip.action.frame_range
    whole = strip.action_frame_start <= first + NEAR and strip.action_frame_end >= last - NEAR
    faded = strip.blend_in or strip.blend_out or strip.use_animated_influence or strip.use_animated_time
    return whole and not faded and not strip.mute and not strip.use_reverse and strip.repeat == 1 and strip.blend_type == 'REPLACE'
