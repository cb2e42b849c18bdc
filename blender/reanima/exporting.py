# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes imported actions that were changed back into their game's files.

The source of an action is converted again, with the options of its import, and compared with the evaluated pose at
every frame of the game. The difference is added to the game's own keys. So unchanged parts keep their stored values, even if
the import changed them (keys at another rate, a removed displacement). `reanima encode` writes the result.
"""
import contextlib
import filecmp
import json
import os
import shutil
import tempfile

import bpy
import numpy

from . import actions, armature, controls, glb, importing, options, posing, progress, provenance, space, versions
from .command import CommandError, shortened

# Options of the import that `encode` also needs.
TOLD = {'--game', '--joints', '--limit-memory', '--limit-samples', '--model', '--names-by', '--rate', '--scale', '--skeleton', '--skeleton-format'}
SAME = 1e-5      # metres, or a share of the scale: tolerance for a joint at rest
AFTER = 0.5      # frames
WAY = 1e-4       # metres: tolerance for the motion of an object


class Settings:
    """folder: destination of the game's files, '' to replace them; originals: folder of the original files, if it changed
    since the import; lossy: leave out parts that the format can't store; other: accept that most of the motion differs"""

    def __init__(self, folder='', originals='', lossy=False, other=False):
        self.folder, self.originals, self.lossy, self.other = folder, originals, lossy, other


class Row:
    """An action and the source of its import. `told` describes the difference (None: it is not known yet). `status`
    is written, kept, failed (not compared: `told` is the reason) or ''. `fps` is the scene's rate at the import, `played` the rate that the keys now fit."""

    def __init__(self, action, scene_fps):
        origin = action[provenance.FROM].to_dict()
        self.action, self.origin, self.told, self.status = action, origin, None, ''
        self.options = options.imported(str(origin.get('options', '')), action.name)
        self.fps = origin.get('fps') or scene_fps
        self.played = scene_fps if self._was_stretched(scene_fps / self.fps) else self.fps
        self.stored = origin['clip']      # the clip's name in the file, which --names changes

    def _was_stretched(self, factor):
        """Whether the action has become longer by this factor since its import."""
        start, end = self.action.frame_range
        stated = self.origin.get('end')
        return stated is not None and abs(end - start - stated) >= AFTER and abs(end - start - stated * factor) < AFTER * factor

    def look_in(self, folder):
        """Replaces paths of files that are no longer there by files of the same names in a folder."""
        moved = lambda path: os.path.join(folder, os.path.basename(path.replace('\\', '/')))
        here = lambda path: not os.path.exists(path) and os.path.isfile(moved(path))
        self.options = [moved(o) if os.path.basename(o) != o and here(o) else o for o in self.options]

    @property
    def clip(self):
        return self.origin['clip']

    @property
    def of(self):
        """The key of actions that are encoded together."""
        return self.origin['file'], self.origin['entry'], self.origin.get('model'), tuple(self.reading())

    def reading(self):
        found = []
        for option in options.parts(self.options):
            name = '--skeleton' if option[0] == '--source-skeleton' else option[0]
            if name in TOLD:
                found += [name, *option[1:]]
        return found

    def converting(self):
        """The options that reproduce the imported clip. A clip with another rate than the scene's was resampled.
        Binding also uses the mesh."""
        bare = [] if '--no-mesh' in self.options or self.origin.get('bound') else ['--no-mesh']
        return self.options + bare + (['--resample', '%.9g' % self.fps] if self.resampled else [])

    @property
    def resampled(self):
        rate = self.origin.get('rate')
        return rate is not None and abs(rate - self.fps) > importing.FPS_NEAR

    def as_played(self, file):
        """The result of converting(), with the clip ends of the import."""
        for clip in file.clips if self.resampled else ():
            actions.end_on_frame(clip, self.fps)
        return file

    def frames(self, clip, report):
        """-> times in the game's clip, and frames of the action, for every current frame of the clip"""
        start, end = self.action.frame_range
        stated = self.origin.get('end')
        step = self.played / clip.rate
        if stated is not None and abs((end - start) * self.fps / self.played - stated) < AFTER and self.origin.get('frames'):
            count = self.origin['frames']
        else:
            count = max(1, int(round((end - start) / step)) + 1 - ('--loop-key' in self.options))
        last = self.action.curve_frame_range[1] if hasattr(self.action, 'curve_frame_range') else end
        if last > end + AFTER:
            report.warn('%s: keys after frame %g, the end of its range, are left out. The range is set in the sidebar of the Action Editor.' % (self.action.name, end))
        return numpy.arange(count) / clip.rate, start + numpy.arange(count) * step


def rows_of(owner, actions, armatures, fps):
    """The actions that were imported to an armature, those that it plays, and those whose armature is gone; by file and
    index. fps: of the scene"""
    data = owner.animation_data
    played = [data.action, *(s.action for t in data.nla_tracks for s in t.strips)] if data is not None else []
    found = [a for a in actions if provenance.known(a) is not None and a[provenance.FROM].get('clip') is not None]
    found = [Row(a, fps) for a in found if provenance.is_of(a, owner.data) or a in played or provenance.is_orphan(a, armatures)]
    return sorted(found, key=lambda r: (r.origin['file'], r.origin['entry'], str(r.origin.get('model')), r.origin.get('index') or 0, r.action.name))


def doubles(rows):
    """The rows of clips with several actions. Only one action of each can be written."""
    seen = {}
    for row in rows:
        seen.setdefault((*row.of[:3], row.origin.get('index')), []).append(row)
    return [same for same in seen.values() if len(same) > 1]


class Exporter:
    """Work (see progress) of one export."""

    def __init__(self, context, command, owner, rows, settings):
        self.context, self.command, self.owner, self.rows, self.settings = context, command, owner, rows, settings
        self.report, self._looks, self._asked = importing.Report(), False, False
        for row in rows if settings.originals else ():
            row.look_in(settings.originals)

    def look(self):
        """Describes the differences of every row, without writing."""
        self._looks = True
        with tempfile.TemporaryDirectory(prefix='reanima_') as folder:
            jobs = self._jobs()
            for done, (of, rows) in enumerate(jobs.items()):
                try:
                    edited = yield from progress.share(self._edited(rows, folder), done / len(jobs), 0.9 / len(jobs))
                    yield from self._encode(rows, edited, self._original(rows[0]))
                except (CommandError, glb.GlbError) as error:      # others can still be compared and written
                    for row in rows:
                        row.status, row.told = 'failed', str(error)
        return self.report

    def write(self):
        """Writes the files. -> Report. After an error, or if it is closed, the files are unchanged."""
        jobs, written = self._jobs(), Written(self.settings.folder)
        try:
            with tempfile.TemporaryDirectory(prefix='reanima_') as folder:
                for done, (of, rows) in enumerate(jobs.items()):
                    edited = yield from progress.share(self._edited(rows, folder), done / len(jobs), 0.9 / len(jobs))
                    source = self._original(rows[0])
                    target = written.target(source)
                    yield from self._encode(rows, edited, written.before(source), target)
                    written.changed(source, any(r.status != 'kept' for r in rows))
            for line in written.show():
                self.report.info(line)
        except BaseException:      # GeneratorExit, too
            written.undo()
            raise
        return self.report

    def _jobs(self):
        if not self.rows:
            raise CommandError('No action of %s was chosen. Only actions that this add-on imported know which file they are from.' % self.owner.name)
        for same in doubles(self.rows):
            raise CommandError('Several actions belong to the clip %s: %s. Choose one of them.' % (same[0].clip, ', '.join(r.action.name for r in same)))
        active = self.owner.animation_data.action if self.owner.animation_data else None
        if active is not None and provenance.known(active) is None and any(posing.bone_of(c)[0] for c in versions.curves_of(active)):
            self.report.warn('%s, the active action, was not imported, so it is not exported. Copy its keys to the clip that they are for; when baking, choose "Overwrite Current Action".' % active.name)
        jobs = {}
        for row in self.rows:
            jobs.setdefault(row.of, []).append(row)
        return jobs

    def _original(self, row):
        file = row.origin['file']
        if self.settings.originals:
            file = os.path.join(self.settings.originals, os.path.basename(file))
        if not os.path.isfile(file):
            raise CommandError('There is no file %s, which %s is from. Choose its present folder under "Game\'s files".' % (file, row.action.name))
        return '%s:%s' % (file, row.origin['entry']) if row.origin['entry'] else file

    def _edited(self, rows, folder):
        """Converts the original, and replaces its motion by that of the actions. -> path of a .glb"""
        source = self._original(rows[0])
        data, _ = yield from self.command.convert([source], rows[0].reading() + ['--no-mesh'])
        stored, references = glb.Glb(data), {}
        writer = glb.Writer(stored)
        with posing.Stage(self.context, self.owner, self._held(rows)) as stage:
            for done, row in enumerate(rows):
                key = row.fps, row.origin.get('rig'), row.origin.get('held'), *row.converting()
                if key not in references:
                    self._refuse_changed_rig(row)
                    references[key] = yield from reference_of(self.command, self.owner, source, row)
                yield from progress.share(self._add(writer, stored, references[key], row, stage), done / len(rows), 1 / len(rows))
        path = os.path.join(folder, 'edited.glb')
        with open(path, 'wb') as file:
            file.write(writer.bytes())
        return path

    def _held(self, rows):
        """The constraints that the armature had at the import, by bone. None if an earlier version did not keep them."""
        bound = [provenance.data_of(self.owner.data, provenance.HELD, r.origin.get('held')) for r in rows if r.origin.get('bound')]
        return None if None in bound else {bone: names for one in bound for bone, names in one.items()}

    def _add(self, writer, stored, reference, row, stage):
        place, clip = clip_of(stored.clips, row)
        _, imported = clip_of([c for c in reference.file.clips if c.source == clip.source], row)
        times, frames = row.frames(clip, self.report)
        names = reference.bones()
        to_scene = stage.play(row.action, armature.renamed(self.owner.data.bones))
        if not self._asked:
            self._asked = True
            loose = yield from stage.unkeyed(names, to_scene(frames[0]))
            if loose:
                self.report.warn('%s: bones that are posed without keys are exported at rest: %s. Insert keys for them, or clear their pose.' % (self.owner.name, shortened(loose)))
        seen = yield from stage.seen(row.action.name, [to_scene(f) for f in frames], names)
        row.stored = clip.name
        curves = stage.curves(row.action)
        lost = [] if imported.stepped else keys_between(curves, frames, numpy.abs(seen[..., :3, 3]).max())
        if lost:
            self.report.warn('%s: keys between the game\'s frames are left out: frames %s. The game has one frame per %.4g frames of the scene.'
                             % (row.action.name, shortened(['%.4g' % f for f in lost]), row.played / clip.rate))
        seen = reference.with_object(row, curves, frames, imported, seen)
        writer.replace(place, times, (yield from reference.channels(stored, clip, imported, frames / row.played, seen, stage)))
        found = reference.left_out(row, curves, frames, imported)
        found += ['its strip is trimmed, faded, reversed or repeated, so the layers above it are ignored.'] if stage.strip_is_partial else []
        for text in found:
            self.report.warn('%s: %s' % (row.action.name, text))

    def _refuse_changed_rig(self, row):
        """Bound clips change with the rig's rest pose and its names."""
        before = provenance.data_of(self.owner.data, provenance.RIG, row.origin.get('rig'))
        try:
            changes = armature.changes_of(before, json.loads(armature.rig_of(self.owner)[0])) if before is not None else []
        except (KeyError, TypeError, ValueError):
            raise CommandError('%s: the stored data about the import of %s is damaged. Import it again.' % (self.owner.name, row.action.name)) from None
        if not changes:
            return
        text = '%s was changed after the import of %s: %s. This changes every clip.' % (self.owner.name, row.action.name, '; '.join(changes))
        if self._looks or self.settings.other:
            self.report.warn(text)
        else:
            raise CommandError(text + ' Undo it, or import again and copy your keys. The setting "All may differ" exports the changed clips.')

    def _encode(self, rows, edited, into, target=None):
        """Writes a file; without a target, only compares it. Fills the rows."""
        reading = [o for option in options.parts(rows[0].reading()) if option[0] != '--skeleton-format' for o in option]
        reading += ['--allow-loss'] if self.settings.lossy else []
        reading += ['--all-changed'] if self.settings.other or target is None else []
        try:
            told, lines = yield from self.command.encode(edited, into, target, reading)
        except CommandError as error:
            raise CommandError(in_blender(str(error), edited, self.owner)) from None
        for level in ('warning', 'note'):
            for line in (l for l in lines if ': %s: ' % level in l):
                (self.report.warn if level == 'warning' else self.report.info)(line.replace(edited, 'the armature ' + self.owner.name))
        for loss in told['losses']:
            self.report.warn('Left out: %s' % loss)
        for row in rows:
            clip = next(c for c in told['clips'] if row.stored in (c['edited_name'], c['name']))
            row.status, row.told = clip['status'], difference(clip, self.owner.data.get(armature.SIZE, 1.0))


def clip_of(clips, row):
    """-> index and clip of the action's source. Clips of several files, such as limit breaks, may have equal
    indices. Then the name decides."""
    found = [(place, clip) for place, clip in enumerate(clips) if clip.index == row.origin.get('index')]
    if found:
        return min(found, key=lambda one: one[1].name != row.clip)
    raise CommandError('%s no longer has the clip %s, which the action %s came from.' % (row.origin['file'], row.clip, row.action.name))


def difference(clip, size):
    """The difference in words. size: Blender's units per metre"""
    if clip['status'] == 'kept':
        return 'unchanged'
    parts = ['%d joints' % clip['joints'] if clip['joints'] != 1 else '1 joint']
    if clip['frames'] != clip['frames_before']:
        parts.append('%d frames instead of %d' % (clip['frames'], clip['frames_before']))
    if clip['turned']:
        parts.append('%s by %.1f degrees in frame %d' % (clip['turned']['joint'], clip['turned']['degrees'], clip['turned']['frame']))
    if clip['moved']:
        parts.append('%s by %.4g units (%.4g mm) in frame %d' % (clip['moved']['joint'], clip['moved']['millimetres'] / 1000 * size,
                                                                 clip['moved']['millimetres'], clip['moved']['frame']))
    return '; '.join(parts)


def in_blender(text, edited, owner):
    """The command's messages about the .glb, reworded for an armature and a dialog."""
    text = text.replace(edited, 'the armature ' + owner.name)
    for option, setting in (('--allow-loss', 'the setting "Leave out losses"'), ('--all-changed', 'the setting "All may differ"')):
        text = text.replace(option, setting)
    return text


def reference_of(command, owner, source, row):
    """The action in the state in which it was imported. Work."""
    if armature.SIZE in owner.data and not row.origin.get('bound'):
        data, _ = yield from command.convert([source], row.converting())
        return OnOwn(row.as_played(glb.Glb(data)), owner)
    return (yield from on_rig(command, owner, source, row))


class OnOwn:
    """An armature made from the game's skeleton. Every joint has a bone."""

    def __init__(self, file, owner):
        self.file, self.owner, self._bones = file, owner, {}
        bones = {b.name: b for b in owner.data.bones if b.get(provenance.FROM) is None}
        bones.update(armature.bones_of_joints(owner.data.bones))
        joints = armature.without_ends(file.joints)[0]
        missing = [j.name for j in joints if j.name not in bones or armature.REST not in bones[j.name]]
        if missing:
            raise CommandError('%s lacks bones for %d of %d joints: %s. Import the file as a new armature, and copy the actions to it.'
                               % (owner.name, len(missing), len(joints), shortened(missing)))
        self._size = owner.data[armature.SIZE]
        for joint in joints:
            bone = bones[joint.name]
            stated = numpy.array(bone[armature.REST][:], dtype=float)
            turn = numpy.linalg.inv(space.transform(stated[:3], stated[3:])) @ self._placed(numpy.array(bone.matrix_local, dtype=float))
            self._bones[joint] = bone.name, numpy.linalg.inv(turn)

    def _placed(self, held):
        """Converts from the armature's space to that of the game's model, in metres."""
        held = held.copy()
        held[..., :3, 3] /= self._size
        held[..., :3, :] = space.Z_UP.T @ held[..., :3, :]
        return held

    def bones(self):
        return [name for name, _ in self._bones.values()]

    def with_object(self, row, curves, frames, imported, seen):
        """The poses with the movement of the object added to the joints: its difference from the import."""
        node = next((self.file.parents[j.node] for j in self.file.joints if j.parent is None and j.node in self.file.parents), None)
        turn = numpy.array(self.owner.matrix_basis, dtype=float)[:3, :3]
        away = way_of(row, curves, frames, imported.channels.get((node, 'translation')), turn @ space.Z_UP * self._size)
        if away is None:
            return seen
        seen = seen.copy()
        seen[:, :, :3, 3] += (away @ numpy.linalg.inv(turn).T)[:, None]
        return seen

    def left_out(self, row, curves, frames, imported):
        """What the action does that is not exported, in sentences."""
        return turned_object(curves)

    def channels(self, stored, clip, imported, times, seen, stage):
        """The new clip, for joints of `stored`, at these times. imported: the clip as it was imported; seen: poses of
        bones(). Work."""
        yield from ()
        placed = self._placed(seen)
        poses = {joint: placed[:, column] @ turn for column, (joint, (_, turn)) in enumerate(self._bones.items())}
        own = {j.index if j.index is not None else j.name: j for j in stored.joints}
        made = {}
        for joint, pose in poses.items():
            local = pose if joint.parent is None else numpy.linalg.inv(poses[joint.parent]) @ pose
            kept = own.get(joint.index if joint.index is not None else joint.name)
            if kept is None:
                continue
            before = {p: sampled(clip.channels.get((kept.node, p)), kept.rest[p], times, clip.stepped) for p in glb.REST}
            then = {p: sampled(imported.channels.get((joint.node, p)), joint.rest[p], times, imported.stepped) for p in glb.REST}
            scale = numpy.linalg.norm(local[:, :3, :3], axis=1)
            now = {'translation': local[:, :3, 3], 'scale': scale, 'rotation': quaternions_of(local[:, :3, :3] / scale[:, None, :])}
            keep(made, kept, clip, changed(before, then, now))
        return made


def way_of(row, curves, frames, channel, turn):
    """How far the action has moved the object since the first of these frames, without the import's part: a row of
    metres per frame, in the space of the object's parent. None if not at all. channel: of the node above the joints, as
    imported; turn: 3 x 3, from the node's space to the parent's, if the import stored none"""
    curves = {c.array_index: c for c in curves if c.data_path == 'location'}
    if not curves:
        return None
    stored = row.origin.get('way')      # the object may have been turned since
    turn = numpy.array(stored[:], dtype=float).reshape(3, 3) if stored is not None and len(stored) == 9 else turn
    now = numpy.array([[curves[i].evaluate(f) if i in curves else 0.0 for i in range(3)] for f in frames])
    then = sampled(channel, numpy.zeros(3), frames / row.played, False) @ turn.T
    away = (now - now[0]) - (then - then[0])
    return away if numpy.abs(away).max() > WAY * numpy.linalg.norm(turn, 2) else None


def keys_between(curves, frames, reach):
    """The frames of keys that bend a motion between two of these frames; none unless all of these are whole. Keys of
    resampled clips bend it too little. reach: the size of the armature, for locations"""
    found, paths = set(), {}
    if numpy.abs(frames - numpy.round(frames)).max() > posing.ASIDE:      # then the frames lie between the keys, and every key affects them
        return []
    for curve in curves:
        paths.setdefault(curve.data_path, []).append(curve)
    for path, group in paths.items():
        group.sort(key=lambda c: c.array_index)
        unit = path.endswith('rotation_quaternion')
        for at in {round(k.co[0], 3) for c in group for k in c.keyframe_points} - found:
            after = int(numpy.searchsorted(frames, at + posing.ASIDE))
            if after == 0 or after == len(frames) > 1 or at - frames[after - 1] < 2 * posing.ASIDE:
                continue
            start, end = frames[after - 1], frames[min(after, len(frames) - 1)]
            first, key, last = (numpy.array([c.evaluate(f) for c in group]) for f in (start, at, end))
            share = (at - start) / (end - start) if end > start else 0.0
            last = -last if unit and first @ last < 0 else last
            line = (1 - share) * first + share * last
            if unit:
                line, key = line / max(numpy.linalg.norm(line), 1e-6), key / max(numpy.linalg.norm(key), 1e-6)
                key = -key if line @ key < 0 else key
            if numpy.linalg.norm(key - line) > BEND * (reach if path.endswith('location') else 1.0) + BENT * numpy.linalg.norm(last - first):
                found.add(at)
    return sorted(found)


def is_keyed(curve):
    """Whether a curve holds anything but the rest pose."""
    rest = 1.0 if curve.data_path.endswith('scale') or (curve.data_path.endswith('rotation_quaternion') and curve.array_index == 0) else 0.0
    return any(abs(k.co[1] - rest) > SAME for k in curve.keyframe_points)


def turned_object(curves):
    """What is not exported of an object's motion, in sentences."""
    paths = ('rotation_euler', 'rotation_quaternion', 'rotation_axis_angle', 'scale')
    moves = any(numpy.ptp([k.co[1] for k in c.keyframe_points] or [0]) > SAME for c in curves if c.data_path in paths)
    return ['it rotates or scales the object, which is not exported. Rotate the root bone instead.'] if moves else []


def changed(before, then, now):
    """Adds the difference between two motions (then, now) to a third one."""
    turned = space.multiplied(space.conjugated(then['rotation'].T), now['rotation'].T)
    return {'rotation': space.multiplied(before['rotation'].T, turned).T, 'translation': before['translation'] + now['translation'] - then['translation'],
            'scale': before['scale'] * now['scale'] / then['scale']}


def keep(made, joint, clip, rows):
    """Sets the channels that the clip already has, or that differ from the rest."""
    for path, values in rows.items():
        rest = joint.rest[path]
        if path == 'rotation':
            signs = numpy.where(values @ rest < 0, -1.0, 1.0)
            away = numpy.abs(values * signs[:, None] - rest)
        else:
            away = numpy.abs(values - rest)
        if (joint.node, path) in clip.channels or away.max() > SAME:
            made[joint.node, path] = values


def sampled(channel, rest, times, stepped):
    """A channel at the times, as Blender plays it: per component, then normalized."""
    rows = controls.sampled(channel, rest, times, stepped)
    return rows / numpy.linalg.norm(rows, axis=1, keepdims=True) if rows.shape[1] == 4 else rows


def quaternions_of(m):
    """Quaternions of rotation matrices, row by row: x, y, z, w"""
    a, b, c = m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]
    squares = numpy.stack([1 + a - b - c, 1 - a + b - c, 1 - a - b + c, 1 + a + b + c], axis=1)
    sums, differences = m + m.transpose(0, 2, 1), m - m.transpose(0, 2, 1)
    x, y, z = differences[:, 2, 1], differences[:, 0, 2], differences[:, 1, 0]
    ways = numpy.stack([numpy.stack(row, axis=1) for row in ((squares[:, 0], sums[:, 0, 1], sums[:, 0, 2], x), (sums[:, 0, 1], squares[:, 1], sums[:, 1, 2], y),
                                                             (sums[:, 0, 2], sums[:, 1, 2], squares[:, 2], z), (x, y, z, squares[:, 3]))], axis=1)
    q = ways[numpy.arange(len(m)), numpy.argmax(squares, axis=1)]
    return q / numpy.linalg.norm(q, axis=1, keepdims=True)


def on_rig(command, owner, source, row):
    """Binds the file to the armature, like the import. Work."""
    with tempfile.TemporaryDirectory(prefix='reanima_') as folder:
        rig = os.path.join(folder, 'rig.gltf')
        container = armature.write_rig(owner, rig)[1]
        given = provenance.with_maps(owner.data, row.converting(), folder)
        data, told = yield from command.convert([source], given, rig)
    names = next((o[1] for o in options.parts(row.options) if o[0] == '--names' and len(o) > 1), None)
    own = (yield from own_names(command, source, row, names)) if names else {}
    mode = next((o[1] for o in options.parts(row.options) if o[0] == '--mode' and len(o) > 1), 'world')
    if mode != 'world':
        raise CommandError('%s was imported with --mode %s: its changes cannot be converted back. Import it again without --mode.' % (row.action.name, mode))
    held = provenance.data_of(owner.data, provenance.HELD, row.origin.get('held'))
    return OnRig(row.as_played(glb.Glb(data)), owner, container, told.get('binding') or {'matched': []}, row.fps, own, held)


def own_names(command, source, row, names):
    """The joints' names in the file, by their names in a names file. Work."""
    found = []
    for more in ([], ['--names', names]):
        data, _ = yield from command.convert([source], row.reading() + ['--no-mesh', *more])
        found.append({j.index: j.name for j in glb.Glb(data).joints})
    return {found[1][index]: name for index, name in found[0].items()}


class OnRig:
    """An armature of any kind with bound clips. Changes of bone rotations since the import, in the armature's space,
    are applied to the joints in the game's space. The rotation between both spaces follows from the clips. Joints
    without a bone move with their parent. Joints beside the skeleton (a weapon) move with their carrier."""

    def __init__(self, file, owner, container, binding, fps, own, held):
        """own: see own_names(); held: the constraints at the import, by bone; None: unknown"""
        self.file, self.owner, self._fps = file, owner, fps
        self._joints = [j for j in file.joints if j.name != container]
        self._links = [(r['source'], r['target']) for r in binding['matched'] if r['target'] in owner.data.bones]
        self._links += [(j.name, j.name) for j in self._joints if j.name in owner.data.bones and armature.was_added(owner.data.bones[j.name])]
        self._links = [(own.get(joint, joint), bone) for joint, bone in self._links]
        placed = armature.as_container(owner)
        self._size = float(binding.get('scale') or 1.0) / numpy.linalg.norm(placed[:3, 1])
        self._up = numpy.linalg.inv(placed[:3, :3]) @ numpy.array([0.0, 1.0, 0.0])
        self._family, self._added = controls.family_of(owner), controls.added_to(owner, held) if held is not None else []
        self._held = any(held is None or b in held for b in controls.held(owner))
        self._container, self._strayed, self._related = next((j for j in file.joints if j.name == container), None), [], None
        self._shown = {bone: controls.shown_by(self._family, bone, owner.data.bones) for _, bone in self._links}

    def bones(self):
        """The bones that show the poses of the bones that follow joints."""
        return list(dict.fromkeys(self._shown[bone] for _, bone in self._links))

    def _imported(self, imported, times, stage):
        """The imported poses of bones(), by name. If constraints drive bones, they come from a regenerated action.
        Work."""
        if not self._held:
            return controls.poses(imported, self._joints, times)
        matched, names = {bone for _, bone in self._links}, self.bones()
        action, slot = importing.written(self.owner, self._family, imported, self._joints, matched, self._fps)
        try:
            seen = yield from stage.seen_alone(action, slot, times * self._fps, names, self._added)
        finally:
            bpy.data.actions.remove(action)
        return {name: seen[:, column] for column, name in enumerate(names)}

    def with_object(self, row, curves, frames, imported, seen):
        return seen

    def _moved_bones(self, links, seen, then):
        """Bones that have moved relative to the next followed bone above, or changed their size, since the import."""
        names, found = self.bones(), []
        columns, bones = {name: column for column, name in enumerate(names)}, self.owner.data.bones
        reach = max(float(numpy.linalg.norm(bones[name].head_local)) for name in names)
        for bone in dict.fromkeys(links.values()):
            above = next((b.name for b in bones[bone].parent_recursive if b.name in columns), None)
            sizes = [numpy.linalg.norm(m[:, :3, :3], axis=1) for m in (seen[:, columns[bone]], then[bone])]
            apart = [numpy.linalg.inv(a) @ b for a, b in ((seen[:, columns[above]], seen[:, columns[bone]]), (then[above], then[bone]))] if above else [numpy.zeros((1, 4, 4))] * 2
            if numpy.abs(apart[0][:, :3, 3] - apart[1][:, :3, 3]).max() > STRAY * reach or numpy.abs(sizes[0] / sizes[1] - 1).max() > STRAY:
                found.append(bone)
        return [bone for bone in found if not any(b.name in found for b in bones[bone].parent_recursive)]

    def left_out(self, row, curves, frames, imported):
        found, channels = turned_object(curves), imported.channels
        channel = channels.get((self._container.node, 'translation')) if self._container is not None else None
        if way_of(row, curves, frames, channel, armature.ahead(self.owner)) is not None:
            found.append('it moves the object, which is not exported from an armature of your own. Move the bone of the hips instead.')
        if self._strayed:
            found.append('bones are moved or scaled, but only rotations are exported from an armature of your own: %s' % shortened(self._strayed))
        follow = {bone for _, bone in self._links} | {j.name for j, _ in actions.moving([imported], {j: space.Follower(j.name, j.rest) for j in self._joints})}
        others = {posing.bone_of(c)[0] for c in curves if is_keyed(c)} & set(self.owner.data.bones.keys()) - follow
        if self._family is not None:      # the family's other controls move bones that follow joints
            others = {bone for bone in others if 'tweak' in bone}
        if others:
            found.append('bones that follow no joint of the game are ignored, except where they move other bones: %s' % shortened(sorted(others)))
        return found

    def channels(self, stored, clip, imported, times, seen, stage):
        """See OnOwn. Work."""
        if self._related is None:      # of all clips: once
            self._related = yield from self._relation(stored)
        links, turn = self._related
        joints, then = controls.poses(clip, stored.joints, times), (yield from self._imported(imported, times, stage))
        links = {joint: self._shown[bone] for joint, bone in links.items()}
        columns = {bone: column for column, bone in enumerate(self.bones())}
        turned, moved = {}, {}
        for joint, bone in links.items():
            now = seen[:, columns[bone]]
            turned[joint] = turn.T @ axes_of(now) @ axes_of(then[bone]).transpose(0, 2, 1) @ turn
            moved[joint] = (now[:, :3, 3] - then[bone][:, :3, 3]) @ turn / self._size
        self._strayed = self._moved_bones(links, seen, then)
        made, placed, first = {}, {}, next((j for j in stored.joints if j.name in links), None)
        carried = {j: carrier(j, joints, links) for j in stored.joints if j.parent is None and j.name not in links and j is not stored.joints[0]}
        for joint in sorted(stored.joints, key=lambda j: j in carried):
            rows = {p: sampled(clip.channels.get((joint.node, p)), joint.rest[p], times, clip.stepped) for p in glb.REST}
            pose, above = joints[joint.name], numpy.tile(numpy.identity(4), (len(times), 1, 1)) if joint.parent is None else placed[joint.parent.name]
            if joint in carried and carried[joint] is not None:
                pose = placed[carried[joint]] @ numpy.linalg.inv(joints[carried[joint]]) @ pose
                rows['translation'] = pose[:, :3, 3]
            elif joint.name in turned:
                pose = pose.copy()
                pose[:, :3, :3] = turned[joint.name] @ pose[:, :3, :3]
            else:
                pose = above @ (pose if joint.parent is None else numpy.linalg.inv(joints[joint.parent.name]) @ pose)
            if joint is first or (joint.parent is None and joint.name in moved):      # a weapon that has a bone
                rows['translation'] = rows['translation'] + numpy.einsum('nji,nj->ni', above[:, :3, :3], moved[joint.name])
            rows['rotation'] = quaternions_of(above[:, :3, :3].transpose(0, 2, 1) @ pose[:, :3, :3])
            local = numpy.tile(numpy.identity(4), (len(times), 1, 1))
            local[:, :3, :3], local[:, :3, 3] = above[:, :3, :3].transpose(0, 2, 1) @ pose[:, :3, :3], rows['translation']
            placed[joint.name] = above @ local
            keep(made, joint, clip, rows)
        return made

    def _relation(self, stored):
        """-> the most informative bone for every followed joint, and the rotation from the game's space to that of the
        armature. Work."""
        relative, first = {}, None
        for done, (clip, bound) in enumerate(zip(stored.clips, self.file.clips)):
            yield '%s: comparing with clip %d of %d' % (self.owner.name, done + 1, len(stored.clips)), 0.0
            times = controls.times_of(clip)
            one, other = controls.poses(clip, stored.joints, times), controls.poses(bound, self._joints, times)
            first = first or ({n: m[0] for n, m in one.items()}, {n: m[0] for n, m in other.items()})
            for joint, bone in self._links:
                if joint in one and bone in other:
                    relative.setdefault((joint, bone), []).append((vectors_of(one[joint], first[0][joint]), vectors_of(other[bone], first[1][bone])))
        joined = {link: [numpy.concatenate(part) for part in zip(*parts)] for link, parts in relative.items()}
        off = {link: float(numpy.abs(numpy.linalg.norm(a, axis=1) - numpy.linalg.norm(b, axis=1)).mean()) for link, (a, b) in joined.items()}
        links = {}
        for joint, bone in sorted(joined, key=off.get, reverse=True):       # the most informative bone comes last
            links[joint] = bone
        sums = 1e-3 * numpy.outer((0.0, 1.0, 0.0), self._up / numpy.linalg.norm(self._up))
        for joint, bone in links.items():
            a, b = joined[joint, bone]
            alike = numpy.abs(numpy.linalg.norm(a, axis=1) - numpy.linalg.norm(b, axis=1)) < ALIKE
            sums = sums + a[alike].T @ b[alike]
        u, _, v = numpy.linalg.svd(sums.T)
        turn = u @ numpy.diag([1.0, 1.0, numpy.linalg.det(u @ v)]) @ v
        return links, turn


BEND = 0.02      # of a quaternion's elements, or a share of the armature's size: a smaller bend is hardly visible
BENT = 0.1       # share of the change between two frames: curves between distant keys of a quaternion bend by this much anyway
def axes_of(poses):
    """The rotations of poses. Rounding skews the axes of evaluated bones, and every joint of a chain would double that."""
    u, _, v = numpy.linalg.svd(poses[:, :3, :3] / numpy.linalg.norm(poses[:, :3, :3], axis=1)[:, None, :])
    return u @ v


STRAY = 0.003    # a share of the armature's size, or of a bone's: tolerance for bones that only rotate
ALIKE = 0.002    # radians: tolerance between rotations of a joint and its bone


def vectors_of(poses, first):
    """The rotations since the first pose, as axes times angles."""
    q = quaternions_of(poses[:, :3, :3] @ first[:3, :3].T)
    q = q * numpy.where(q[:, 3] < 0, -1.0, 1.0)[:, None]
    sines = numpy.linalg.norm(q[:, :3], axis=1)
    return q[:, :3] * (2 * numpy.arctan2(sines, q[:, 3]) / numpy.where(sines > 1e-9, sines, 1))[:, None]


def carrier(joint, poses, links):
    """The joint of `links` in whose space `joint` moves least."""
    def wander(name):
        seen = (numpy.linalg.inv(poses[name]) @ poses[joint.name])[:, :3, 3]
        return float(seen.std(axis=0).sum() + 0.01 * numpy.linalg.norm(seen.mean(axis=0)))
    return min(links, key=wander, default=None)


class Written:
    """Writes files beside their final places, and moves them there when all are complete."""

    def __init__(self, folder):
        """folder: destination; '' for the folders of the original files"""
        self._folder, self._files, self._made, self._shown = os.path.abspath(folder) if folder else '', {}, [], []
        self._folders = []      # that were made

    def target(self, source):
        """The destination of the next version of a file: FILE, or ARCHIVE:ENTRY"""
        file, entry = provenance.apart(source)
        if entry and not self._folder:
            raise CommandError('%s is an entry of an archive, and archives are not written: choose a folder for the file.' % source)
        if source not in self._files:
            place = os.path.realpath(os.path.join(self._folder or os.path.dirname(file), os.path.basename(entry or file)))      # the target of a link
            self._files[source] = {'place': place, 'versions': [], 'changed': False}
            if place in [f['place'] for s, f in self._files.items() if s != source]:
                raise CommandError('Two of the files are called %s: write them into different folders, one after the other.' % os.path.basename(place))
        one = self._files[source]
        try:
            above = os.path.dirname(one['place'])
            while not os.path.isdir(above):
                self._folders.append(above)
                above = os.path.dirname(above)
            os.makedirs(os.path.dirname(one['place']), exist_ok=True)
            self._made.append(tempfile.mkdtemp(prefix='.reanima_', dir=os.path.dirname(one['place'])))
        except OSError as error:
            raise CommandError('%s cannot be written: %s' % (one['place'], error)) from None
        one['versions'].append(os.path.join(self._made[-1], os.path.basename(one['place'])))
        return one['versions'][-1]

    def before(self, source):
        """The input for target(): the file, or the last version of it."""
        versions = self._files[source]['versions']
        return versions[-2] if len(versions) > 1 else source

    def changed(self, source, differs):
        self._files[source]['changed'] |= differs

    def show(self):
        """-> lines of a report"""
        lines = []
        for source, one in self._files.items():
            if not one['changed'] and not self._folder:
                lines.append('%s: nothing differs, so it was not written.' % source)
                continue
            place, backup = one['place'], None
            try:
                if os.path.exists(place) and filecmp.cmp(place, one['versions'][-1], shallow=False):
                    lines.append('%s: nothing differs, so it was not written.' % place)
                    continue
                if os.path.exists(place):
                    backup = free_backup(place)
                    shutil.copy2(place, backup)
                    shutil.copymode(place, one['versions'][-1])
                self._shown.append((place, backup))
                os.replace(one['versions'][-1], place)
            except OSError as error:
                raise CommandError('%s cannot be written: %s' % (place, error)) from None
            told = ', which is identical to the original' if not one['changed'] else ''
            told += '; %s is kept as %s' % ('the previous file' if self._folder else 'the original', os.path.basename(backup)) if backup else ''
            lines.append('Wrote %s%s.' % (place, told))
        self._clear()
        return lines

    def _clear(self):
        for folder in self._made:
            shutil.rmtree(folder, ignore_errors=True)

    def undo(self):
        for place, backup in self._shown:
            if backup is not None:
                os.replace(backup, place)
            elif os.path.exists(place):
                os.remove(place)
        self._clear()
        for folder in self._folders:
            with contextlib.suppress(OSError):      # another program has put something there
                os.rmdir(folder)


def free_backup(path):
    number, free = 1, path + '.bak'
    while os.path.exists(free):
        number += 1
        free = '%s.bak%d' % (path, number)
    return free
