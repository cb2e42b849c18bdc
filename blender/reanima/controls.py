# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigs with controls. Constraints drive the deform bones, so keys on deform bones have no effect. The controls get the
keys.

The command binds only to the deform bones. With W for the resulting pose of a deform bone in the armature's space, and
R for rest poses, its control C gets the pose W * R^-1 * R_C. The carrier of C is the nearest bone above it with a known
pose: a control with keys, a deform bone, or a bone in the place of one (`ORG-`). The local pose of C follows from it.
Whether the deform bones follow is measured on the evaluated pose.
"""
import re

import bpy
import numpy

from . import space, versions
from .command import CommandError, shortened
from .glb import REST, Clip

MOST_FRAMES = 10      # frames that are evaluated
NEAR, FAR = 1.0, 10.0     # degrees between a deform bone and its source: above NEAR the bone is reported, above FAR the rig is rejected


class Family:
    """Names in a kind of rig. `controls`: patterns of deform bones, with their controls. `leading`: controls that move
    together with all `controls` below them, and the deform bone of each. `switches`: patterns of custom properties, and
    the values with which the controls drive the bones. `ground`: the control on the ground below the body, if there is
    one."""

    def __init__(self, name, needed, controls, leading, switches, ground=None):
        self.name, self.needed, self.leading, self.ground = name, needed, leading, ground
        self.controls = [(re.compile(pattern), control) for pattern, control in controls]
        self.switches = [(re.compile(pattern), value) for pattern, value in switches]

    def control_of(self, bone, bones):
        """The control of a deform bone; None if it has none."""
        for pattern, control in self.controls:
            found = pattern.fullmatch(bone)
            if found and found.expand(control) in bones:
                return found.expand(control)
        return None


FAMILIES = [
    Family('Rigify', ('torso', 'spine_fk', 'upper_arm_fk.L', 'thigh_fk.L'), (
        (r'DEF-(upper_arm|forearm|hand|thigh|shin|foot|toe)(\.[LR])', r'\1_fk\2'),
        (r'DEF-spine(\.00[1-3])?', r'spine_fk\1'),
        (r'DEF-spine\.004', 'neck'), (r'DEF-spine\.006', 'head'),
        (r'DEF-((?:shoulder|breast|palm\.\d+|thumb\.\d+|f_\w+\.\d+)\.[LR])', r'\1')),
        {'torso': 'DEF-spine'},
        ((r'IK_FK', 1.0), (r'FK_limb_follow', 0.0), (r'neck_follow|head_follow', 1.0)), 'root'),
    Family('Auto-Rig Pro', ('c_root_master.x', 'c_arm_fk.l', 'c_thigh_fk.l'), (
        (r'root\.x', 'c_root.x'), (r'(spine_\d+|neck|head)\.x', r'c_\1.x'), (r'shoulder(\.[lr])', r'c_shoulder\1'),
        (r'(?:c_)?(arm|thigh)_twist(?:_offset)?(\.[lr])', r'c_\1_fk\2'), (r'(arm|forearm|thigh|leg)_stretch(\.[lr])', r'c_\1_fk\2'),
        (r'(hand|foot)(\.[lr])', r'c_\1_fk\2'), (r'toes_01(\.[lr])', r'c_toes_fk\1'),
        (r'((?:thumb|index|middle|ring|pinky)\d\.[lr])', r'c_\1')),
        {'c_root_master.x': 'root.x'}, ((r'ik_fk_switch', 1.0),)),
    Family('MHX', ('upper_arm.fk.L', 'forearm.fk.L', 'thigh.fk.L', 'shin.fk.L'), (
        (r'(?:DEF-)?(upper_arm|forearm|hand|thigh|shin|foot|toe)(\.[LR])', r'\1.fk\2'),
        (r'(?:DEF-)?(upper_arm|forearm|thigh|shin)(?:-1|\.bend|\.01)(\.[LR])', r'\1.fk\2'),
        (r'DEF-(.+)', r'\1')),
        {}, ((r'Mha(Arm|Leg)Ik_[LR]', 0.0),)),
]


def shown_by(family, bone, bones):
    """The bone with the rotation that a deform bone would have without distributed twist. In Rigify it is the `ORG-`
    bone."""
    other = bone.replace('DEF-', 'ORG-', 1)
    return other if family is not None and other in bones else bone


def holds(constraint):
    return not constraint.mute and constraint.influence > 0


def held(owner):
    """The deform bones with active constraints."""
    return [b.name for b in owner.pose.bones if b.bone.use_deform and any(holds(c) for c in b.constraints)]


def constraints_of(owner):
    """The names of the constraints that are not muted, by bone."""
    return {b.name: [c.name for c in b.constraints if not c.mute] for b in owner.pose.bones if b.constraints}


def added_to(owner, before):
    """The constraints that are not muted and not in constraints_of(). Their influence may be animated."""
    return [c for b in owner.pose.bones for c in b.constraints if not c.mute and c.name not in before.get(b.name, ())]


def ground_of(family, clips, joints):
    """The name of the control on the ground if these clips, bound to the rig, move it; else None."""
    ground = next((j for j in joints if j.name == family.ground), None)
    channels = [c.channels.get((ground.node, 'translation')) for c in clips] if ground is not None else []
    moves = any(c is not None and numpy.abs(c[1] - ground.rest['translation']).max() > space.NEAR for c in channels)
    return ground.name if moves else None


def family_of(owner):
    """The family of a rig with controls; None for a rig without controls or of an unknown family."""
    bones = owner.data.bones
    found = next((f for f in FAMILIES if all(n in bones for n in f.needed)), None)
    return found if found is not None and held(owner) else None


def carrier(bone):
    """The bone that a pose bone follows: its parent, or the bone with the most weight in an Armature constraint."""
    if bone.parent is not None:
        return bone.parent
    targets = [t for c in bone.constraints if c.type == 'ARMATURE' and holds(c) for t in c.targets if t.target == bone.id_data]
    best = max(targets, key=lambda t: t.weight, default=None)
    return bone.id_data.pose.bones.get(best.subtarget) if best is not None and best.weight > 0 else None


def carriers(bone):
    """The bones that a pose bone follows: its carrier, the carrier's carrier, and so on."""
    seen = {bone.name}
    bone = carrier(bone)
    while bone is not None and bone.name not in seen:
        yield bone
        seen.add(bone.name)
        bone = carrier(bone)


def twins(owner):
    """Deform bones by rest position, to find the bones of a rig's mechanism at the same place."""
    return {place(b): b.name for b in owner.data.bones if b.use_deform}


def place(bone):
    return tuple(round(v, 4) for v in (*bone.head_local, *bone.tail_local))


def skeleton(owner):
    """The bones to bind, each with its parent's name; parents come first. Of a rig with controls, only the
    deform bones and the bones above all of them."""
    if family_of(owner) is None:
        return {b.name: b.parent.name if b.parent else None for b in owner.data.bones}
    above, at = {}, twins(owner)
    for bone in owner.pose.bones:
        if not bone.bone.use_deform:
            continue
        line = list(carriers(bone))
        lies = (b.name if b.bone.use_deform else at.get(place(b.bone)) for b in line)
        above[bone.name] = next((n for n in lies if n and n != bone.name), line[-1].name if line else None)
    for name in [n for n in above.values() if n is not None and n not in above]:
        above[name] = None
    ordered = {}

    def take(name, below=()):
        if name in ordered or name is None:
            return
        if above[name] in below:     # bones at the same place may each be above the other
            above[name] = None
        take(above[name], (*below, name))
        ordered[name] = above[name]

    for name in above:
        take(name)
    return ordered


class Plan:
    """Assigns to each deform bone the control that gets its keys. Carriers come first."""

    def __init__(self, owner, family, matched, ground=None):
        """matched: the deform bones that follow a joint; ground: see ground_of()"""
        self.owner, self.family = owner, family
        bones, self.led = owner.data.bones, {ground: ground} if ground else {}      # control -> deform bone
        holding = held(owner)
        for bone in matched:
            control = family.control_of(bone, bones) or (None if bone in holding else bone)
            if control is not None and control not in self.led:
                self.led[control] = bone
        self.led.update({c: d for c, d in family.leading.items() if c in bones and d in bones})
        self.rest = {b.name: numpy.array(b.matrix_local, dtype=float) for b in bones}
        self._at = twins(owner)
        self.carried = {c: self._carried(c) for c in self.led}
        self.without = [b for b in matched if b in holding and family.control_of(b, bones) is None]
        self.switches = dict(switches(owner, family))

    def _carried(self, control):
        """The deform bone that a control's carrier moves with. None if the carrier does not move."""
        for bone in carriers(self.owner.pose.bones[control]):
            deform = self.led.get(bone.name) or (bone.name if bone.bone.use_deform else self._at.get(place(bone.bone)))
            if deform is not None:
                return deform
        return None

    def transfer(self, clip, joints, extra=()):
        """-> the clip for the controls, with each control's name in place of a node's number. extra: joints that keep
        their channels"""
        times = times_of(clip)
        posed = poses(clip, joints, times)
        channels = {}
        for control, deform in self.led.items():
            wanted = posed[deform] @ self._between(deform, control)
            above = self.carried[control]
            lies = self.rest[control] if above is None else posed[above] @ self._between(above, control)
            basis = numpy.linalg.inv(lies) @ wanted
            channels[control, 'rotation'] = times, numpy.array([space.quaternion_of(m[:3, :3]) for m in basis])
            channels[control, 'translation'] = times, basis[:, :3, 3]
        channels.update({key: channel for key, channel in clip.channels.items() if key[0] in {j.node for j in extra}})
        made = Clip(clip.name, {}, channels, clip.stepped)
        for name in ('source', 'index', 'rate', 'frames', 'cyclic', 'events', 'end', 'origin'):
            setattr(made, name, getattr(clip, name))
        return made

    def _between(self, a, b):
        return numpy.linalg.inv(self.rest[a]) @ self.rest[b]

    def followers(self):
        """Followers of the controls, as joints at rest in their own axes."""
        return {Control(c): space.Follower(c, {k: numpy.array(v, dtype=float) for k, v in REST.items()}) for c in self.led}


class Control:
    """Takes the place of a joint when actions are written."""

    def __init__(self, name):
        self.node = self.name = name


def switches(owner, family):
    """(path from the object, value) of the custom properties that make the controls drive the bones"""
    places = [('', owner)] + [('pose.bones["%s"]' % bpy.utils.escape_identifier(b.name), b) for b in owner.pose.bones]
    for start, holder in places:
        for key in holder.keys():
            value = next((v for pattern, v in family.switches if pattern.fullmatch(key)), None)
            if value is not None and isinstance(holder[key], (int, float)):
                yield '%s["%s"]' % (start, bpy.utils.escape_identifier(key)), value


def times_of(clip):
    return numpy.unique(numpy.concatenate([t for t, _ in clip.channels.values()] or [numpy.zeros(1)])).astype(numpy.float64)


def poses(clip, joints, times):
    """The poses of all joints, by name: 4 x 4 in the armature's space, for every time. Parents come first."""
    found = {}
    for joint in joints:
        above = found.get(joint.parent.name) if joint.parent is not None else None
        rows = {path: sampled(clip.channels.get((joint.node, path)), joint.rest[path], times, clip.stepped) for path in ('translation', 'rotation')}
        local = numpy.tile(numpy.identity(4), (len(times), 1, 1))
        local[:, :3, :3] = [space.matrix_of(q) for q in rows['rotation']]
        local[:, :3, 3] = rows['translation']
        found[joint.name] = local if above is None else above @ local
    return found


def sampled(channel, rest, times, stepped=False):
    """A channel at the times. It is unchanged if the times are equal. Otherwise a stepped channel has the value of the
    key before, and others are interpolated between the nearest keys."""
    if channel is None:
        return numpy.tile(rest, (len(times), 1))
    at, values = numpy.asarray(channel[0], dtype=float), numpy.asarray(channel[1], dtype=float)
    if len(at) == len(times) and numpy.allclose(at, times):
        return values
    if stepped:
        return values[numpy.clip(numpy.searchsorted(at, times + 1e-4, 'right') - 1, 0, None)]
    if values.shape[1] == 4:
        values = space.continuous(values[:, [3, 0, 1, 2]])[:, [1, 2, 3, 0]]
    return numpy.column_stack([numpy.interp(times, at, column) for column in values.T])


def check(context, owner, matched, clips, joints, made, fps):
    """The mean error in degrees of each deform bone in the evaluated pose. Work (see progress). made: (object, action,
    slot) of every clip; up to MOST_FRAMES frames of all clips are evaluated"""
    each = [(clip, one, i) for clip, one in zip(clips, made) for i in range(len(times_of(clip)))]
    off = {name: [] for name in matched}
    frames = min(MOST_FRAMES, len(each))
    for done, k in enumerate(numpy.linspace(0, len(each) - 1, frames)):
        yield '%s: checking its pose' % owner.name, done / frames
        clip, (_, action, slot), i = each[round(k)]
        time = times_of(clip)[i:i + 1]
        posed = poses(clip, joints, time)
        versions.play(owner, action, slot)
        frame = float(time[0]) * fps
        whole = int(numpy.floor(frame + 1e-4))
        context.scene.frame_set(whole, subframe=max(0.0, frame - whole))
        seen = owner.evaluated_get(context.evaluated_depsgraph_get()).pose.bones
        for name in matched:
            a, b = numpy.array(seen[name].matrix, dtype=float)[:3, 1], posed[name][0][:3, 1]
            cosine = a @ b / (numpy.linalg.norm(a) * numpy.linalg.norm(b))
            off[name].append(float(numpy.degrees(numpy.arccos(numpy.clip(cosine, -1, 1)))))
    return {name: sum(values) / len(values) for name, values in off.items() if values}


def judge(owner, off, posed, report):
    """Reports the error of the deform bones, or rejects the rig. posed: the bones without keys that are not at rest"""
    worst = sorted((n for n in off if off[n] > NEAR), key=off.get, reverse=True)
    told = ', '.join('%s by %.0f degrees' % (n, off[n]) for n in worst[:6])
    if worst and off[worst[0]] > FAR:
        cause = 'bones without keys are posed: %s. Clear their pose (Alt+G, Alt+R, Alt+S) and import again.' % shortened(posed) if posed else \
            'constraints or drivers hold them. Mute these constraints, or duplicate the armature, clear the constraints of its deform bones, and import onto the copy.'
        raise CommandError('Deform bones of %s do not follow the keys (%s on average): %s' % (owner.name, told, cause))
    if worst:
        report.warn('Deform bones that deviate from the game\'s pose (degrees on average over the checked frames): %s' % told)
