# SPDX-License-Identifier: GPL-3.0-or-later
"""The evaluated pose of an armature that plays an action, frame by frame, with layers, constraints and drivers."""
import re

import bpy
import numpy

from . import provenance, versions
from .command import CommandError

MODES = {'rotation_quaternion': 'QUATERNION', 'rotation_axis_angle': 'AXIS_ANGLE', 'rotation_euler': 'XYZ'}
NEAR, ASIDE = 0.5, 1e-3      # frames
UNLIKE = 1e-4    # of matrices' elements, as a share of the largest: tolerance for equal poses
POSE = ('location', 'rotation_quaternion', 'rotation_euler', 'rotation_axis_angle', 'scale')


class Stage:
    """Lets an armature play one action after another, and restores everything. Without keys in the action, values do
    not depend on the frame that the user looks at: bones are at rest, other properties have the values of neutral()."""

    def __init__(self, context, owner, held=None):
        """held: the constraints at the import, by bone; None: not known"""
        self.context, self.scene, self.owner, self._held = context, context.scene, owner, held

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
        self._modes, self._paths = [], []
        curves = [c for action in self._of_owner() for c in self.curves(action)]
        self._keyed = {bone_of(c)[0] for c in curves}
        others = {c.data_path for c in curves if bone_of(c)[1] not in POSE or bone_of(c)[0] is None}
        self._values = {path: value for path, value in ((p, value_of(owner, p)) for p in others) if value is not None}
        self._neutral = {path: self.neutral(path, value) for path, value in self._values.items()}
        self.strip_is_partial = False      # of the action that was played last: its layers are ignored
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

    def play(self, action, renamed=()):
        """Plays an action as the active one. Tracks that contain nothing imported are layers over the clip and keep
        playing. If there are layers, a strip that shows the whole action is played in place of the action. renamed:
        bones' present names, by the names that the action may have. -> a function from a frame of the action to one of
        the scene"""
        self._adapt_back()
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
        self._rest()
        if place is None:
            return lambda frame: frame
        start, first, scale = place.frame_start, place.action_frame_start, place.scale
        earliest = start + (ASIDE if after else 0)      # where two strips meet, Blender shows the first
        return lambda frame: max(start + (frame - first) * scale, earliest)

    def _rest(self):
        """Undoes what actions have set, since their last values would stay."""
        for bone in self.owner.pose.bones:
            clear(bone)
        for path, value in self._neutral.items():
            set_value(self.owner, path, value)

    def _put_back(self):
        for bone, values in self._pose:
            for name, value in values.items():
                setattr(bone, name, value)
        for path, value in self._values.items():
            set_value(self.owner, path, value)

    def neutral(self, path, value):
        """The value of a property in actions without keys for it. A constraint that was added since the import does
        nothing. Other properties keep their present value, or have the first value of the active action."""
        found = re.fullmatch(r'pose\.bones\["(.*)"\]\.constraints\["(.*)"\]\.(influence|mute|enabled)', path)
        if found is not None and self._held is not None:
            bone, constraint = map(bpy.utils.unescape_identifier, found.groups()[:2])
            if constraint not in self._held.get(bone, ()):
                return {'influence': 0.0, 'mute': True, 'enabled': False}[found.group(3)]
        active = self._first_action()
        for curve in self.curves(active) if active is not None else ():
            if curve.data_path == path and not isinstance(value, str):
                start = curve.evaluate(curve.range()[0])
                value = (*value[:curve.array_index], start, *value[curve.array_index + 1:]) if isinstance(value, tuple) else type(value)(start)
        return value

    def _of_owner(self):
        """The imported actions of the armature, and those that it plays."""
        data = self._data
        played = [data.action, *(s.action for t in data.nla_tracks for s in t.strips)] if data is not None else []
        mine = lambda a: provenance.is_of(a, self.owner.data) or provenance.is_orphan(a, bpy.data.armatures)
        return {a for a in bpy.data.actions if a in played or (provenance.known(a) is not None and mine(a))}

    def unkeyed(self, names, frame):
        """The bones that the user posed without keys, if the named bones look different with that pose. Work."""
        posed = {bone.name for bone, values in self._pose if bone.name not in self._keyed and not is_rest(bone, values)}
        if not posed:
            return []
        without = yield from self.seen('bones without keys', [frame], names)
        for bone, values in self._pose:
            for name, value in values.items() if bone.name in posed else ():
                setattr(bone, name, value)
        shown = yield from self.seen('bones without keys', [frame], names)
        self._rest()
        if numpy.abs(shown - without).max() <= UNLIKE * max(1.0, numpy.abs(without).max()):
            return []
        above = {b.name for name in names for b in self.owner.data.bones[name].parent_recursive} | set(names)
        return sorted(posed & above or posed)

    def curves(self, action):
        """The curves with which an action moves the armature."""
        slot = self._slot_of(action)
        return versions.curves_of(action, slot if slot is not None else next(iter(getattr(action, 'slots', ())), None))

    def _adapt(self, action, renamed):
        """Blender renames a bone only in actions that are in use, and evaluates only the kind of rotation that a bone
        is set to. So curves temporarily get the bones' present names, and bones get the kind of their curves."""
        kinds, curves, bones = {}, self.curves(action), self.owner.pose.bones
        names = {bone_of(c)[0] for c in curves} - {None}
        renamed = renamed if any(n in renamed and n not in bones for n in names) else {}      # else Blender has renamed the curves
        for curve in curves:
            bone, path = bone_of(curve)
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
        self._rest()
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


def clear(bone):
    bone.location, bone.scale = (0, 0, 0), (1, 1, 1)
    bone.rotation_quaternion, bone.rotation_euler = (1, 0, 0, 0), (0, 0, 0)
    bone.rotation_axis_angle = (0, 0, 1, 0)


def is_rest(bone, values=None):
    """Whether a bone is at rest. values: these replace the bone's own values of the members POSE"""
    value = lambda name: values[name] if values is not None else getattr(bone, name)[:]
    turned = next((path for path, mode in MODES.items() if mode == bone.rotation_mode), 'rotation_euler')
    turn = {'rotation_quaternion': value(turned)[1:], 'rotation_axis_angle': value(turned)[:1]}.get(turned, value(turned))
    return all(abs(v) < 1e-5 for v in (*value('location'), *turn, *(size - 1 for size in value('scale'))))


def posed_without(owner, keyed):
    """The names of bones that are not at rest, except those in `keyed`."""
    return [b.name for b in owner.pose.bones if b.name not in keyed and not is_rest(b)]


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
