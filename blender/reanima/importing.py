# SPDX-License-Identifier: GPL-3.0-or-later
"""The import: makes armatures, actions and videos from chosen items."""
import json
import os
import re
import tempfile

import bpy
import numpy

from . import actions, armature, assets, contents, controls, glb, meshes, posing, progress, provenance, space, versions, video
from .command import CommandError, named, shortened
from .options import Options

KINDS = ('objects', 'armatures', 'actions', 'meshes', 'materials', 'images')
POSE = ('rotation_mode', 'location', 'rotation_quaternion', 'rotation_euler', 'rotation_axis_angle', 'scale')     # the mode comes first, since setting it converts the others
FPS_NEAR = 1e-3
NEXT = {'skeleton-made-up': ". Import again, and choose the file under \"Game's skeleton\""}      # steps after warnings, by their code


class Settings:
    """The user's choices."""

    def __init__(self, target='NEW', scale=1.0, root_scale=0.0, root_motion='keep', rate='AUTO', loop_key=False, names='', mapping=(),
                 source_skeleton='', video_as='PLANE', video_folder='', mesh=True, options=None, again='UPDATE', prefix='new_', weapon_bone=False,
                 role_names=False, as_assets=False):
        """mesh: import the game's mesh, too; weapon_bone: add a bone for a weapon to an armature of any kind (always
        with the mesh); options: further Options of the command; again, prefix: see provenance.settle(); role_names:
        name bones of new armatures after roles; as_assets: mark actions as assets"""
        self.target, self.scale, self.root_scale, self.root_motion = target, scale, root_scale, root_motion
        self.rate, self.loop_key, self.names, self.mapping, self.source_skeleton = rate, loop_key, names, list(mapping), source_skeleton
        self.video_as, self.video_folder, self.mesh, self.options = video_as, video_folder, mesh, options or Options()
        self.again, self.prefix, self.weapon_bone = again, prefix, weapon_bone or mesh
        self.role_names, self.as_assets = role_names, as_assets


class Report:
    """Messages for the user, in order: ('INFO' or 'WARNING', text)."""

    def __init__(self):
        self.lines, self.actions, self.folders, self.binding = [], [], [], None
        self.beside = None      # largest x of the new armatures
        self.left_out = []      # errors of groups that were not imported

    def info(self, text):
        self.lines.append(('INFO', text))

    def warn(self, text):
        self.lines.append(('WARNING', text))


class Undo:
    """If an import fails or is cancelled, removes everything that it made and restores the scene's settings."""

    def __init__(self, context, owner):
        """owner: the armature that may get actions, or None"""
        self.context, self.scene, self.owner = context, context.scene, owner
        render = self.scene.render
        self.settings = (render.fps, render.fps_base, self.scene.frame_start, self.scene.frame_end, self.scene.frame_current)
        self.before = {kind: set(getattr(bpy.data, kind)) for kind in KINDS}
        self.strips = {s.name for s in versions.strips(self.scene)} if self.scene.sequence_editor else None
        self.active, self.selected = context.view_layer.objects.active, list(context.selected_objects)
        self.mode = self.active.mode if self.active else 'OBJECT'
        data = owner.animation_data if owner else None
        self.had_data, self.action = data is not None, data.action if data else None
        self.slot = getattr(data, 'action_slot', None)
        pose = owner.pose if owner else None
        self.bones = set(owner.data.bones.keys()) if owner else set()
        self.marks = {key: owner.data[key] for key in owner.data.keys() if key.startswith(provenance.FROM)} if owner else {}
        self.poses = {bone.name: [(n, getattr(bone, n)[:]) for n in POSE] for bone in pose.bones} if pose else {}
        self.switches = [(holder, key, holder[key]) for holder in ([owner, *pose.bones] if pose else ()) for key in holder.keys()
                         if isinstance(holder[key], (int, float))]

    def run(self):
        if self.context.mode != 'OBJECT':
            bpy.ops.object.mode_set(mode='OBJECT')
        if self.owner:
            if not self.had_data:
                self.owner.animation_data_clear()
            elif self.owner.animation_data.action is not self.action:
                versions.play(self.owner, self.action, self.slot)
            for key in [k for k in self.owner.data.keys() if k.startswith(provenance.FROM) and k not in self.marks]:
                del self.owner.data[key]
            if provenance.ID in self.marks and self.owner.data[provenance.ID] != self.marks[provenance.ID]:
                self.owner.data[provenance.ID] = self.marks[provenance.ID]
            for name, values in self.poses.items():
                for member, value in values:
                    setattr(self.owner.pose.bones[name], member, value)
            for holder, key, value in self.switches:
                holder[key] = value
            added = [n for n in self.owner.data.bones.keys() if n not in self.bones]
            if added:
                armature.remove_bones(self.context, self.owner, added)
        for kind in KINDS:
            blocks = getattr(bpy.data, kind)
            for block in [b for b in blocks if b not in self.before[kind]]:
                blocks.remove(block)
        self._remove_strips()
        self.context.view_layer.objects.active = self.active
        for owner in self.selected:
            owner.select_set(True)
        self.set_mode()
        render, scene = self.scene.render, self.scene
        render.fps, render.fps_base, scene.frame_start, scene.frame_end, current = self.settings
        if scene.frame_current != current:
            scene.frame_set(current)

    def _remove_strips(self):
        if self.scene.sequence_editor and self.strips is None:
            self.scene.sequence_editor_clear()
        elif self.scene.sequence_editor:
            strips = versions.strips(self.scene)
            for strip in [s for s in strips if s.name not in self.strips]:
                strips.remove(strip)

    def set_mode(self):
        """Restores the user's mode if the same object is active."""
        active = self.context.view_layer.objects.active
        if active is not None and active == self.active and active.mode != self.mode:
            bpy.ops.object.mode_set(mode=self.mode)


def scene_rate(scene):
    return scene.render.fps / scene.render.fps_base


def animated(scene):
    """Whether the file contains animations."""
    kinds = ('objects', 'armatures', 'materials', 'worlds', 'cameras', 'lights', 'shape_keys', 'node_groups', 'scenes')
    blocks = (block for kind in kinds for block in getattr(bpy.data, kind))
    played = any(b.animation_data and (b.animation_data.action or b.animation_data.nla_tracks) for b in blocks)
    return played or bool(scene.sequence_editor and len(versions.strips(scene)))


def set_rate(scene, rate):
    """Sets the frame rate. Blender stores a whole number and a divisor."""
    scene.render.fps = max(1, round(rate))
    scene.render.fps_base = scene.render.fps / rate


def settle_rate(scene, chosen, mode, report):
    """Sets the scene's rate if requested, and reports it. -> whether scene settings may be changed"""
    rates = sorted({i.rate for i in chosen if i.rate}, key=lambda r: (-sum(i.rate == r for i in chosen), r))
    clips = {i.rate for i in chosen if i.kind == contents.CLIP}
    free = mode == 'CLIPS' or (mode == 'AUTO' and not animated(scene))
    now = scene_rate(scene)
    if rates and free and abs(rates[0] - now) > FPS_NEAR:
        set_rate(scene, rates[0])
        report.info('The scene\'s frame rate is now %.6g, as in the clips (before: %.6g).' % (rates[0], now))
    now = scene_rate(scene)
    others = [r for r in rates if r in clips and abs(r - now) > FPS_NEAR]
    if others:
        why = 'it has other animations' if mode == 'AUTO' and not free else 'as chosen' if not free else 'the rate of most clips'
        report.warn('The scene plays at %.6g frames per second (%s): clips at %s frames per second were resampled.'
                    % (now, why, ' and '.join('%.6g' % r for r in others)))
    return free


def run(context, command, items, chosen, settings):
    """Imports the chosen items. Work (see progress). -> Report. After an error, or if it is closed, everything
    is removed."""
    owner = armature.of(context.view_layer.objects.active)
    report, undo = Report(), Undo(context, owner)
    try:
        if not chosen:
            raise CommandError('Nothing was chosen to import.')
        if context.mode != 'OBJECT':
            bpy.ops.object.mode_set(mode='OBJECT')
        if settings.target == 'ACTIVE' and owner is None and any(i.kind != contents.VIDEO for i in chosen):
            raise CommandError('The active object is not an armature. Select one, or import as a new armature.')
        free = settle_rate(context.scene, chosen, settings.rate, report)
        videos, groups, made = [i for i in chosen if i.kind == contents.VIDEO], contents.groups_of(items, chosen), []
        size = 1 / (len(groups) + len(videos))
        for done, group in enumerate(groups):
            taken = take_or_tell(Importer(context, command, settings, report), group, owner if settings.target == 'ACTIVE' else None)
            made += yield from progress.share(taken, done * size, size)
        if report.left_out and len(report.left_out) == len(groups) + len(videos):
            raise CommandError('\n'.join(report.left_out))
        for done, item in enumerate(videos, len(groups)):
            yield from progress.share(video.add(context, command, item, settings, report), done * size, size)
        if made:
            provenance.settle(bpy.data.actions, bpy.data.objects, made, settings.again, settings.prefix, report, actions.differ)
            if settings.as_assets:
                yield from progress.share(assets.mark(context, made), 1 - size / 10, size / 10)
            show(context.scene, made[0], free, report)
        elif free and videos:
            set_range(context.scene, max(i.seconds for i in chosen) * scene_rate(context.scene) - 1)
        for folder in report.folders:
            folder.keep()
        undo.set_mode()
        report.actions = [action.name for _, action, _ in made]
        return report
    except BaseException:      # GeneratorExit, too
        undo.run()
        for folder in report.folders:
            folder.undo()
        raise


def take_or_tell(importer, group, owner):
    """Imports a group. If that fails, everything of it is removed. Other groups are still imported. Work."""
    report, undo = importer.report, Undo(importer.context, owner)
    told = len(report.lines)
    try:
        return (yield from importer.take(group, owner))
    except (CommandError, glb.GlbError) as error:
        undo.run()
        del report.lines[told:]
        report.left_out.append(str(error))
        report.warn('Left out: %s: %s' % (group.chosen[0].where, error))
        return []


def show(scene, first, free, report):
    """Assigns the first action and its range. The previous action is kept."""
    owner, action, slot = first
    before = owner.animation_data.action if owner.animation_data else None
    if before is not None and not before.use_fake_user:
        before.use_fake_user = True
        report.info('%s is no longer the active action; it stays in the file.' % before.name)
    versions.play(owner, action, slot)
    if free:
        set_range(scene, action.frame_end)
    scene.frame_set(scene.frame_start)


def set_range(scene, end):
    scene.frame_start, scene.frame_end = 0, max(1, round(end))


class Importer:
    """Imports groups of files that share a skeleton. Work (see progress): the command is its first half."""

    def __init__(self, context, command, settings, report):
        self.context, self.command, self.settings, self.report = context, command, settings, report
        self.fps = scene_rate(context.scene)

    def take(self, group, owner):
        """-> (object, action, slot) of every clip"""
        if owner is None or not group.joints:
            return (yield from self._on_own(group, None))
        return (yield from self._on_own(group, owner) if self._may_be_own(owner) else self._on_rig(group, owner))

    def _may_be_own(self, owner):
        """Whether the armature was made from a game's skeleton. Its bones show whether it is this game's."""
        return armature.SIZE in owner.data and not self.settings.mapping

    def _options(self, group, skeleton='--skeleton'):
        """skeleton: the option for the game's skeleton"""
        options = ['--model=%s' % group.model] if group.model is not None else []
        given = self.settings.source_skeleton or group.skeleton
        options += [skeleton, given] if given else []
        options += ['--root-motion', self.settings.root_motion] if self.settings.root_motion != 'keep' else []
        options += ['--loop-key'] if self.settings.loop_key else []
        options += ['--names', self.settings.names] if self.settings.names else []
        return options + self.settings.options.reading + self.settings.options.shaping

    def _convert(self, group, options, rig=None):
        """-> the file, its chosen clips, and the report. Clips with another rate than the scene's are resampled."""
        data, told = yield from self.command.convert(group.files, options, rig)
        file = glb.Glb(data)
        file.person = group.chosen[0].person
        clips = self._chosen(group, file, lambda item: item.rate is None or abs(item.rate - self.fps) <= FPS_NEAR)
        if len(clips) < sum(i.kind == contents.CLIP for i in group.chosen):
            again, _ = yield from progress.share(self.command.convert(group.files, options + ['--resample', '%.9g' % self.fps], rig), 0.25, 0.25)
            again = glb.Glb(again)
            for clip in again.clips:
                actions.end_on_frame(clip, self.fps)
            clips += self._chosen(group, again, lambda item: item.rate is not None and abs(item.rate - self.fps) > FPS_NEAR)
            clips.sort(key=lambda pair: pair[0])
        for warning in told['warnings']:
            place = ', '.join(p for p in (named(group.files), warning.get('field')) if p)
            text = warning['message'] + NEXT.get(warning['code'], '')
            self.report.warn(text if place and text.startswith(place) else '%s: %s' % (place, text))
        for item, (_, clip) in zip((i for i in group.items if i.kind == contents.CLIP and i in set(group.chosen)), clips):
            clip.origin = provenance.of_clip(item, clip, provenance.maps_of(options)[0], told.get('key'))
            clip.name, clip.cyclic = item.action_name(clip.name), item.cyclic
            if rig:
                clip.origin['bound'] = True
        return file, [clip for _, clip in clips], told

    def _chosen(self, group, file, accepts):
        """(place, clip) of the chosen clips. A conversion contains the clips of all files, in order."""
        items = [i for i in group.items if i.kind == contents.CLIP]
        if [i.index for i in items] != [c.index for c in file.clips]:
            raise CommandError('The clips of %s have changed since they were listed. Open the file again.' % ', '.join(group.files))
        chosen = set(group.chosen)
        return [(place, c) for place, (i, c) in enumerate(zip(items, file.clips)) if i in chosen and accepts(i)]

    def _on_own(self, group, owner):
        """Imports to an armature of the game's own skeleton: a new one, or an earlier one."""
        bare = [] if self.settings.mesh or not group.joints else ['--no-mesh']      # if the user chose a mesh without joints, it is wanted
        options = self._options(group) + ['--end-joints'] + bare
        file, clips, told = yield from self._convert(group, options)
        if not file.joints:
            if not (yield from progress.share(meshes.add(self.context, file, None, self.settings.scale * space.Z_UP), 0.5, 0.5)):
                raise CommandError('%s has neither a skeleton nor a mesh.' % ', '.join(group.files))
            self.report.info('%s: imported as a mesh without an armature.' % file.name)
            return []
        made = owner is None
        if made:
            scaled = {j for j in file.joints if any((j.node, 'scale') in c.channels for c in file.clips)}
            owner = armature.build(self.context, file.name, file.joints, self.settings.scale, scaled)
            self._stand_beside(owner)
        followers = armature.followers(owner, file.joints)
        if followers is None:
            if made:
                raise CommandError('The armature of %s could not be built.' % file.name)
            return (yield from self._on_rig(group, owner))
        if made:
            yield from progress.share(meshes.add(self.context, file, owner, self.settings.scale * space.Z_UP), 0.5, 0.1)
            provenance.mark(owner.data, provenance.of_item(group.chosen[0], options, told.get('key')))
            provenance.mark_bones(owner, file.joints, group.chosen[0].roles)
            if self.settings.role_names:
                armature.name_by_roles(owner, group.chosen[0].roles)
                followers = armature.followers(owner, file.joints)
        elif self.settings.mesh and file.shown_meshes():
            self.report.info('%s was made from the game\'s skeleton: it keeps its mesh.' % owner.name)
        size = owner.data[armature.SIZE]
        turn = numpy.array(owner.matrix_basis, dtype=float)[:3, :3] @ space.Z_UP * size
        node = next((file.parents[j.node] for j in file.joints if j.parent is None and j.node in file.parents), None)
        way = actions.Way(owner, node, numpy.zeros(3), numpy.array(owner.location, dtype=float), turn)
        if made:
            self.report.info('%s: a new armature of %d bones.' % (owner.name, len(owner.data.bones)))
        return (yield from progress.share(self._write(owner, followers, clips, followers, way), 0.6, 0.4))

    def _stand_beside(self, owner):
        """Places an armature to the left (Blender's +X) of armatures from the same import, with some space."""
        sides = [x for bone in owner.data.bones for x in (bone.head_local.x, bone.tail_local.x)]
        room = 0.2 * max((bone.tail_local.z for bone in owner.data.bones), default=0.0)
        if self.report.beside is not None:
            owner.location.x = self.report.beside + room - min(sides)
        self.report.beside = owner.location.x + max(sides) + room

    def _on_rig(self, group, owner):
        """Imports to any armature, by roles or a mapping."""
        options = self._options(group, '--source-skeleton')
        for path in self.settings.mapping:
            options += ['--map', path]
        if self.settings.root_scale > 0:
            options += ['--root-scale', '%.9g' % self.settings.root_scale]
        options += ['--with-mesh'] if self.settings.weapon_bone else []
        with tempfile.TemporaryDirectory(prefix='reanima_') as folder:
            rig = os.path.join(folder, 'rig.gltf')
            resting, container = armature.write_rig(owner, rig)
            try:
                file, clips, told = yield from self._convert(group, options, rig)
            except CommandError as error:
                raise CommandError(in_blender(str(error), rig, owner)) from None
        held = json.dumps(controls.constraints_of(owner))
        texts = {provenance.key_of(provenance.RIG, resting): resting, provenance.key_of(provenance.HELD, held): held}
        for clip in clips:
            clip.origin['rig'], clip.origin['held'] = texts
        binding = told.get('binding') or {'matched': [], 'missing': [], 'unused': [], 'added': []}
        if binding['matched']:
            self._add_bones(owner, [j for j in file.joints if j.name in binding['added']], binding)
        bones, way, followers = owner.data.bones, None, {}
        for joint in file.joints:
            if joint.name == container:
                way = self._way_of_rig(owner, joint)
            elif joint.name in bones:
                followers[joint] = space.Follower(joint.name, joint.rest)
        self._tell(owner, binding, container)
        if self.settings.mesh:
            turn = numpy.linalg.inv(armature.as_container(owner)[:3, :3])
            worn = meshes.worn(owner, file)
            if worn:
                self.report.info('%s keeps the meshes that it has from an earlier import: %s' % (owner.name, shortened(worn)))
            elif not (yield from progress.share(meshes.add(self.context, file, owner, turn), 0.5, 0.1)):
                self.report.warn('%s has no mesh.' % ', '.join(group.files))
        matched = {row['target'] for row in binding['matched']}
        written = self._write_checked(owner, [j for j in file.joints if j.name != container], followers, clips, matched & set(bones.keys()), way)
        made = yield from progress.share(written, 0.6, 0.4)
        texts.update(provenance.maps_of(options)[1])
        for key, text in texts.items() if owner.data.library is None else ():      # exporting needs them
            owner.data[key] = text
        return made

    def _add_bones(self, owner, joints, binding):
        """Adds bones for weapons if they are missing."""
        if not self.settings.weapon_bone:
            return
        for joint in armature.add_bones(self.context, owner, joints):
            self.report.info('%s has a new bone for the weapon: %s, below %s.' % (owner.name, joint.name, joint.parent.name))
        binding['added'] = [n for n in binding['added'] if n not in owner.data.bones]

    def _write_checked(self, owner, joints, followers, clips, matched, way):
        """Writes to the controls of a rig, if it has any. If constraints drive bones, compares the evaluated pose with
        the clips."""
        family, held = controls.family_of(owner), matched.intersection(controls.held(owner))
        if family is None:
            written = self._write(owner, followers, clips, [j for j in followers if j.name in matched], way)
            made = yield from progress.share(written, 0.0, 0.6 if held else 1.0)
        else:
            extra = added_joints(owner, joints)
            plan = controls.Plan(owner, family, [j.name for j in joints if j.name in matched and j not in extra], controls.ground_of(family, clips, joints))
            self.report.info('%s: a rig with controls (%s): %d of them get the keys, as FK.' % (owner.name, family.name, len(plan.led)))
            if plan.without:
                self.report.warn('Deform bones without a control (%d): %s' % (len(plan.without), shortened(plan.without)))
            moved = plan.followers()
            moved.update({j: space.Follower(j.name, j.rest) for j in extra})
            transferred = []
            for done, clip in enumerate(clips):
                yield '%s: clip %d of %d' % (owner.name, done + 1, len(clips)), 0.3 * done / len(clips)
                transferred.append(plan.transfer(clip, joints, extra))
            made = yield from progress.share(self._write(owner, moved, transferred, list(moved), way, plan.switches), 0.3, 0.3)
        if made and held:
            data = owner.animation_data
            before, slot = (data.action, getattr(data, 'action_slot', None)) if data else (None, None)
            checked = controls.check(self.context, owner, matched if family else held, clips, joints, made, self.fps)
            off = yield from progress.share(checked, 0.6, 0.4)
            versions.play(owner, before, slot)
            keyed = {posing.bone_of(c)[0] for _, action, used in made for c in versions.curves_of(action, used)}
            controls.judge(owner, off, posing.posed_without(owner, keyed), self.report)
        return made

    def _way_of_rig(self, owner, joint):
        return actions.Way(owner, joint.node, joint.rest['translation'], numpy.array(owner.location, dtype=float), armature.ahead(owner))

    def _write(self, owner, followers, clips, always, way, switches=None):
        if not clips:
            return []
        wanted = actions.moving(clips, followers, always)
        changed = actions.turn_to_quaternions(owner, {followers[joint].bone for joint, _ in wanted})
        if changed:
            self.report.info('Bones changed to quaternion rotation (%d): %s' % (len(changed), shortened(changed)))
            other = actions.with_euler_keys(set(changed))
            if other:
                self.report.warn('%s: Euler keys no longer rotate these bones in %s. Use a copy of the armature for the game\'s clips, or set the bones\' Rotation Mode back to play it.'
                                 % (owner.name, shortened(other)))
        if way is not None and not any(self._travels(clip, way) for clip in clips):
            way = None
        self._clear_pose(owner, {followers[joint].bone for joint, _ in wanted})
        writer = actions.Writer(owner, followers, wanted, self.fps, way, switches)
        made = []
        for clip in clips:
            yield '%s: clip %d of %d' % (owner.name, len(made) + 1, len(clips)), len(made) / len(clips)
            made.append((owner, *writer.write(clip)))
        self.report.info('%s: %d actions.' % (owner.name, len(made)))
        return made

    def _clear_pose(self, owner, keyed):
        """Clips are bound to the rest pose: clears what earlier imports left in bones that get no keys, and the pose of
        bones above those that get keys."""
        earlier = [a for a in bpy.data.actions if provenance.known(a) is not None and provenance.is_of(a, owner.data)]
        moved = {posing.bone_of(c)[0] for a in earlier for c in versions.curves_of(a)}
        above = {b.name for name in keyed for b in owner.data.bones[name].parent_recursive}
        posed = [name for name in posing.posed_without(owner, keyed) if name in moved | above]
        for name in posed:
            posing.clear(owner.pose.bones[name])
        by_user = [name for name in posed if name not in moved]
        if by_user:
            self.report.warn('%s: the pose of bones without keys was cleared, since the clips need their rest pose: %s' % (owner.name, shortened(by_user)))

    @staticmethod
    def _travels(clip, way):
        channel = clip.channels.get((way.node, 'translation'))
        return channel is not None and numpy.abs(channel[1] - way.rest).max() > space.NEAR

    def _tell(self, owner, binding, container):
        """Reports which bones follow which joints, and which follow none."""
        self.report.binding = binding
        if not binding['matched']:
            raise CommandError('No bone of %s follows a joint of the game. Correct the mapping in the sidebar of the 3D view, tab Reanima.' % owner.name)
        self.report.info('%s: %d bones follow the game\'s joints.' % (owner.name, len(binding['matched'])))
        missing = [n for n in binding['missing'] if n != container]
        left = ' (their meshes move with the bone above)' if self.settings.mesh else ', left out'
        for names, text, tell in ((binding['unused'], 'Joints of the game that no bone follows', self.report.warn),
                                  (binding['added'], 'Joints of the game without a bone' + left, self.report.warn),
                                  (missing, 'Bones that follow nothing', self.report.info)):
            if names:
                tell('%s (%d): %s' % (text, len(names), shortened(names)))


def added_joints(owner, joints):
    """The joints of weapons, for which an import added bones."""
    return [j for j in joints if j.name in owner.data.bones and armature.was_added(owner.data.bones[j.name])]


def written(owner, family, clip, joints, matched, fps):
    """The action that an import makes from a clip on a rig, without properties of its origin, and its slot. family: of
    the rig, if it has controls"""
    if family is None:
        followers, switches = {j: space.Follower(j.name, j.rest) for j in joints if j.name in owner.data.bones}, None
        always = [j for j in followers if j.name in matched]
    else:
        extra = added_joints(owner, joints)
        plan = controls.Plan(owner, family, [j.name for j in joints if j.name in matched and j not in extra], controls.ground_of(family, [clip], joints))
        clip, followers, switches = plan.transfer(clip, joints, extra), plan.followers(), plan.switches
        followers.update({j: space.Follower(j.name, j.rest) for j in extra})
        always = list(followers)
    return actions.Writer(owner, followers, actions.moving([clip], followers, always), fps, None, switches).write(clip)


def in_blender(text, rig, owner):
    """The command's messages about a rig's file, reworded for an armature and the sidebar."""
    text = text.replace(rig, 'the armature ' + owner.name)
    return re.sub(r'\. State in a mapping file .* suggests a mapping', '. A mapping states which bone follows which joint: press Suggest in the sidebar of the 3D view, tab Reanima.', text)
