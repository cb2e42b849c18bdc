#!/usr/bin/env python3
"""Every kind of game file with every kind of change that programs make to its .glb: the file that `encode --into`
writes shows the poses of the changed scene, or nothing is written and the reason is named. The written file is read by
game_motion.py, the scene by glTF's rules here."""
import bisect, concurrent.futures, json, math, os, re, unittest

from support import Case, Scene, read, run, sample, write
from run import Fail                              # of reading a scene
from geometry import shortest, unit
from gltf_files import Glb
from into_archive_test import Lgp
import game_motion as game
import make, writers                              # by the description of the formats

DEGREES = 0.2                                     # the nearest angles of 1/4096 turn are within 0.09
NEAR_HALF_A_TURN = 0.5                            # there Metroid Prime has W as the root of a difference


# ---------------------------------------------------------------------------------------------------------------------
# What a scene shows

def matrix_of(place, rotation, scale=(1, 1, 1)):
    """rows of a matrix that scales, then rotates, then translates"""
    (x, y, z, w), (u, v, t) = rotation, scale
    return ((u - 2 * u * (y * y + z * z), 2 * v * (x * y - z * w), 2 * t * (x * z + y * w), place[0]),
            (2 * u * (x * y + z * w), v - 2 * v * (x * x + z * z), 2 * t * (y * z - x * w), place[1]),
            (2 * u * (x * z - y * w), 2 * v * (y * z + x * w), t - 2 * t * (x * x + y * y), place[2]))


STILL = matrix_of((0, 0, 0), (0, 0, 0, 1))


def product(a, b):
    (b0, b1, b2, b3), (c0, c1, c2, c3), (d0, d1, d2, d3) = b
    return tuple((x * b0 + y * c0 + z * d0, x * b1 + y * c1 + z * d1, x * b2 + y * c2 + z * d2, x * b3 + y * c3 + z * d3 + w) for x, y, z, w in a)


def undone(m):
    """the inverse of a matrix that rotates, translates and scales evenly; mirroring is allowed"""
    square = sum(row[0] ** 2 for row in m)
    rows = [[m[c][r] / square for c in range(3)] for r in range(3)]
    return [(*row, -sum(v * m[k][3] for k, v in enumerate(row))) for row in rows]


def sampled(channel, time, between):
    """a time that differs from a key only by rounding counts as that key"""
    times, values, style = channel
    key = bisect.bisect_right(times, time + 1e-5) - 1
    if key < 0 or key + 1 == len(times) or style == 'STEP' or time - times[key] < 1e-5:
        return values[max(key, 0)]
    assert style == 'LINEAR', style
    return between(values[key], values[key + 1], (time - times[key]) / (times[key + 1] - times[key]))


def line(a, b, share):
    return [u + (v - u) * share for u, v in zip(a, b)]


class Shown(Scene):
    """A scene, and its joints' transforms relative to each other."""

    def node(self, name):
        return super().node(name if name in self.byname else name + '.001')     # a copy's joints, as Blender numbers them

    def clip(self, name):
        return self.animation([a['name'] for a in self.g['animations']].index(name))

    def local(self, node, channels, time):
        own, parts = self.nodes[node], []
        for path, rest, between in (('translation', (0, 0, 0), line), ('rotation', (0, 0, 0, 1), shortest), ('scale', (1, 1, 1), line)):
            channel = channels.get((node, path))
            parts.append(sampled(channel, time, between) if channel else own.get(path, rest))
        return matrix_of(parts[0], unit(parts[1]), parts[2])

    def against(self, node, base, channels, time):
        """the transform of a node relative to one above it (None: to the scene)"""
        matrix = self.local(node, channels, time)
        while self.parent.get(node) != base:
            node = self.parent[node]
            matrix = product(self.local(node, channels, time), matrix)
        return matrix

    def difference(self, name, motion):
        """-> None if a clip shows a motion from its first key or from 0 on, else the difference"""
        channels = self.clip(name)
        keys = sorted({t for times, _, _ in channels.values() for t in times}) or [0]
        evenly = all(abs((t - keys[0]) * motion.rate - round((t - keys[0]) * motion.rate)) < 0.02 for t in keys)
        said = []
        for begin in sorted({0, keys[0]}):
            frames = (keys[-1] - begin) * motion.rate + 1
            if abs(frames - len(motion.frames)) > (0.5 if evenly else 1.5):
                said.append('%g frames, the file has %d' % (frames, len(motion.frames)))
                continue
            for f, pose in enumerate(motion.frames):
                wrong = self.difference_at(channels, begin + f / motion.rate, motion, pose)
                if wrong:
                    said.append('frame %d: %s' % (f, wrong))
                    break
            else:
                return None
        return said[-1]

    def difference_at(self, channels, time, motion, pose):
        for joint, (place, rotation) in pose.items():
            node, above = self.node(joint), motion.parents[joint]
            if above is not None:
                local = self.against(node, self.node(above), channels, time)
            else:           # in what the skeleton hangs on, as long as nothing moves that
                holder = self.against(self.parent[node], None, {}, 0) if node in self.parent else STILL
                local = product(undone(holder), self.against(node, None, channels, time))
            off = math.dist([row[3] for row in local], place)
            if off > 2 * motion.metres + 2e-4:
                return '%s is %.1f mm away' % (joint, 1000 * off)
            wanted = matrix_of(place, rotation)
            chord = math.sqrt(sum((u - v) ** 2 for a, b in zip(local, wanted) for u, v in zip(a[:3], b)) / 8)
            degrees = math.degrees(2 * math.asin(min(1, chord)))
            if degrees > (NEAR_HALF_A_TURN if abs(rotation[3]) < 0.05 else DEGREES):
                return '%s is turned by %.2f degrees more' % (joint, degrees)
        return None


# ---------------------------------------------------------------------------------------------------------------------
# The games' files

class Original:
    """inputs: of `convert`; into: of `encode`, and of these the files that are written; others: {name: bytes} that stand beside them;
    decode: {file: bytes} -> {whatever tells it: Motion} of all clips; joint: the one that is turned, clip: what tells the clip of it;
    foreign: inputs of `convert` for a clip of another file"""

    def __init__(self, inputs, into, files, decode, joint, clip, foreign, options=()):
        self.inputs, self.into, self.files, self.decode, self.joint, self.clip, self.foreign, self.options = inputs, into, files, decode, joint, clip, foreign, options


def made_pack(*moves):
    """a battle pack of Final Fantasy VII with the sample's bones: [(motion, frames, key bits) or None]"""
    ff7 = make.generator('ff7')
    made = [None if m is None else (*ff7.stored_animation(getattr(ff7, m[0]), *m[1:]), m[2]) for m in moves]
    dummy = b'\x0b\x2c\x00\x00'
    return b'\x0a\0\0\0' + b''.join(ff7.special(21, dummy) if m is None else ff7.entry(m[0], m[2]) for m in made) + \
        b''.join(ff7.special(1, dummy) if m is None else ff7.entry(m[1], m[2]) for m in made)


BONES, PACK, HRC = read(sample('ff7', 'hraa')), read(sample('ff7', 'hrda')), read(sample('ff7', 'doll.hrc'))
PLAYER = b'\2\0\0\0' + BONES[4:]
MODEL, CINF = read(sample('ff9', 'hero.ff9model')), read(sample('metroid', 'hero.CINF'))


def packed(files, name):
    """the clips of a pack: of an entry of an archive or of a file"""
    return {(name, i): m for i, m in game.battle_pack(files, BONES).items()}


def pack(case):
    other = made_pack(('spin', 21, 0), ('attack', 19, 0), None, None, None)
    for name, data in (('hrda', PACK), ('hraa', BONES), ('other/xyda', other), ('other/xyaa', BONES)):
        write(case.path(name), data)
    return Original(['hrda'], ['hrda'], ['hrda'], lambda files: packed(files['hrda'], 'hrda'), 'bone005', ('hrda', 0), ['other/xyda'])


def with_limit_breaks(case, into, files):
    """a player in an archive whose limit breaks are in another archive; `rtda` is beside both as a single file"""
    limits = made_pack(('spin', 20, 0), None, ('attack', 18, 2), None, None), made_pack(('idle', 31, 0), None, None, None, None)
    other = made_pack(('attack', 27, 0), ('walk', 12, 0), None, None, None)
    battle = {'rtaa': PLAYER, 'rtda': PACK, 'sbaa': PLAYER, 'sbda': other}
    magic = {'blaver.a00': limits[0], 'limcl1.a00': limits[1], 'limbr1.a00': limits[0]}
    for name, entries in (('battle.lgp', battle), ('magic.lgp', magic)):
        write(case.path(name), writers.lgp([(n, '', data) for n, data in entries.items()])[0])
    write(case.path('alone/rtda'), PACK)
    write(case.path('alone/rtaa'), PLAYER)

    def decode(files):
        found = {}
        for archive, entries in (('battle.lgp', ['rtda']), ('magic.lgp', ['blaver.a00', 'limcl1.a00'])):
            lgp = Lgp(files.get(archive) or read(case.path(archive)))
            for entry in entries:
                data = files.get('alone/' + entry) or lgp.find(entry)
                found.update(packed(data, entry))
        return found
    return Original(['battle.lgp:rtda'], into, files, decode, 'bone005', ('rtda', 0), ['battle.lgp:sbda'])


def archive(case):
    return with_limit_breaks(case, ['battle.lgp'], ['battle.lgp'])


def both_archives(case):
    return with_limit_breaks(case, ['battle.lgp', 'magic.lgp'], ['battle.lgp', 'magic.lgp'])


def loose(case):
    return with_limit_breaks(case, ['alone/rtda'], ['alone/rtda'])


def field(case):
    walk, idle = (read(sample('ff7', 'doll_%s.a' % n)) for n in ('walk', 'idle'))
    for name, data in (('doll.hrc', HRC), ('doll_walk.a', walk), ('doll_idle.a', idle)):
        write(case.path(name), data)
    return Original(['doll_walk.a'], ['doll_walk.a'], ['doll_walk.a'], lambda files: {'doll_walk': game.field_animation(files['doll_walk.a'], HRC)},
                    'upper_arm_l', 'doll_walk', ['doll_idle.a'])


def field_archive(case):
    """a character with two animations, in the same archive"""
    names = {'aabb.a': 'walk', 'aacc.a': 'idle'}
    entries = [('aaaa.hrc', HRC), *((n, read(sample('ff7', 'doll_%s.a' % m))) for n, m in names.items()), ('zz.tex', b'other')]
    write(case.path('char.lgp'), writers.lgp([(n, '', data) for n, data in entries])[0])
    write(case.path('doll.hrc'), HRC)
    write(case.path('doll_run.a'), make.generator('ff7').field_animation(make.generator('ff7').stored_animation(make.generator('ff7').attack, 22, 0)[0]))

    def decode(files):
        lgp = Lgp(files['char.lgp'])
        return {n: game.field_animation(lgp.find(n), HRC) for n in names}
    return Original(['char.lgp:aaaa.hrc', 'char.lgp:aabb.a', 'char.lgp:aacc.a'], ['char.lgp'], ['char.lgp'], decode, 'upper_arm_l', 'aabb.a', ['doll_run.a'],
                    ['-s', 'char.lgp:aaaa.hrc', '--rest', 'char.lgp:aabb.a:aabb:0'])


def foreign_block(case):
    ff9 = make.generator('ff9')
    write(case.path('hero.ff9model'), MODEL)
    write(case.path('other.ff9anim'), ff9.animation_block(ff9.stored_animation(ff9.attack, 41)))
    return ['other.ff9anim', '-s', 'hero.ff9model']


def block(case):
    write(case.path('hero_walk.ff9anim'), read(sample('ff9', 'hero_walk.ff9anim')))
    return Original(['hero_walk.ff9anim', '-s', 'hero.ff9model'], ['hero_walk.ff9anim'], ['hero_walk.ff9anim'],
                    lambda files: {0: game.block_animation(files['hero_walk.ff9anim'], MODEL)}, 'bone004', 0, foreign_block(case), ['-s', 'hero.ff9model'])


def database(case):
    write(case.path('hero.ff9db'), read(sample('ff9', 'hero.ff9db')))

    def decode(files):
        return {i: game.block_animation(data, MODEL) for (kind, i), data in game.db_objects(files['hero.ff9db']).items() if kind == 3}
    return Original(['hero.ff9db'], ['hero.ff9db'], ['hero.ff9db'], decode, 'bone004', 1002, foreign_block(case))


def metroid(case):
    for name in ('hero.CINF', 'hero_walk.ANIM', 'hero_idle.ANIM'):
        write(case.path(name), read(sample('metroid', name)))
    return Original(['hero_walk.ANIM', '-s', 'hero.CINF'], ['hero_walk.ANIM'], ['hero_walk.ANIM'],
                    lambda files: {0: game.anim(files['hero_walk.ANIM'], CINF)}, 'chest', 0, ['hero_idle.ANIM', '-s', 'hero.CINF'], ['-s', 'hero.CINF'])


def sparse(case):
    """keys in every fourth and eighth frame, between which the game interpolates; the scene has keys in every frame"""
    for name in ('hero.CINF', 'hero_walk.ANIM', 'hero_idle.ANIM'):
        write(case.path(name), read(sample('metroid', name)))
    return Original(['hero_idle.ANIM', '-s', 'hero.CINF', '--resample', '30'], ['hero_idle.ANIM'], ['hero_idle.ANIM'],
                    lambda files: {0: game.anim(files['hero_idle.ANIM'], CINF)}, 'chest', 0, ['hero_walk.ANIM', '-s', 'hero.CINF'], ['-s', 'hero.CINF'])


# ---------------------------------------------------------------------------------------------------------------------
# What programs do to scenes

class Cell:
    """A scene that is to be changed. clips: {its clip: what tells the game's, or None if it is none of them}; clip: the one that changes"""

    def __init__(self, case, original, glb, clips):
        self.case, self.original, self.glb, self.clips = case, original, glb, dict(clips)
        self.clip = next(name for name, key in clips.items() if key == original.clip)
        self.joints = list(original.motions[original.clip].parents)
        self.rate = original.motions[original.clip].rate

    def above(self):
        """the common parent of all joints"""
        node = self.glb.node(next(j for j, parent in self.original.motions[self.original.clip].parents.items() if parent is None))
        return next(i for i, n in enumerate(self.glb.json['nodes']) if node in n.get('children', []))

    def retimed(self, clip, times_of):
        """times_of: (times, values) of a sampler -> its times; the values may get one more in front"""
        a = self.glb.clip(clip)
        for sampler in a['samplers']:
            times, values = self.glb.floats(sampler['input']), self.glb.floats(sampler['output'])
            new = times_of(times, values)
            sampler['input'] = self.glb.add(new)
            if len(new) > len(times):
                sampler['output'] = self.glb.add([values[0]] + values)

    def turn(self, clip):
        self.glb.turn(clip, self.original.joint, self.rate, (2, 3, 4))

    def rename(self, clip, name):
        self.glb.clip(clip)['name'] = name
        self.clips[name] = self.clips.pop(clip)

    def borrow(self):
        """-> a clip of another file, as described by its extras"""
        other = Glb(self.case.path('visitor.glb'))
        clip = other.json['animations'][0]
        samplers = [dict(s, input=self.glb.add(other.floats(s['input'])), output=self.glb.add(other.floats(s['output']))) for s in clip['samplers']]
        channels = [dict(c, target=dict(c['target'], node=self.glb.node(other.json['nodes'][c['target']['node']]['name']))) for c in clip['channels']]
        return dict(clip, samplers=samplers, channels=channels)

    def add(self, clip, key=None):
        self.glb.json['animations'].append(clip)
        self.clips[clip['name']] = key


def unedited(cell):
    pass


def one_bone(cell):
    cell.turn(cell.clip)


def one_bone_of_every_clip(cell):
    for clip in cell.clips:
        cell.turn(clip)


def speed(factor, which='one'):
    def edit(cell):
        for clip in cell.clips if which == 'all' else [cell.clip]:
            cell.retimed(clip, lambda times, _: [t / factor for t in times])
    return edit


def late(cell):
    """like from a scene that starts at frame 1"""
    cell.retimed(cell.clip, lambda times, _: [t + 1 / cell.rate for t in times])


def late_but_what_rests(cell):
    """the same, by a program that writes the keys of resting channels from the beginning on"""
    cell.retimed(cell.clip, lambda times, values: [t + 1 / cell.rate for t in times] if any(v != values[0] for v in values) else times)


def still_in_front(cell):
    cell.retimed(cell.clip, lambda times, _: [0] + [t + 1 / cell.rate for t in times])


def container_moves(cell):
    name = cell.glb.json['nodes'][cell.above()]['name']
    for path, values in (('translation', [(0, 0, 0), (0.5, 0, 0.25)]), ('rotation', [(0, 0, 0, 1), (0, math.sin(0.5), 0, math.cos(0.5))])):
        cell.glb.set(cell.clip, name, path, values, cell.rate, times=[0, 6 / cell.rate])


def container_moves_in_a_clip_of_its_own(cell):
    """like Blender's action of the armature object"""
    cell.add({'name': 'heroAction', 'samplers': [], 'channels': []})
    cell.clip, clip = 'heroAction', cell.clip
    container_moves(cell)
    cell.clip = clip


def steps(cell):
    """one bone turned; keys are constant between frames, and on frames except for rounding"""
    cell.turn(cell.clip)
    for sampler in cell.glb.clip(cell.clip)['samplers']:
        sampler['interpolation'] = 'STEP'
    cell.retimed(cell.clip, lambda times, _: [round(t * cell.rate) / round(cell.rate) for t in times])


def container_stands(cell):
    cell.glb.json['nodes'][cell.above()].update(translation=[3, 0.5, -2], rotation=[0, math.sin(0.4), 0, math.cos(0.4)], scale=[2.5, 2.5, 2.5])


def mirrored(cell):
    cell.glb.json['nodes'][cell.above()]['scale'] = [-1, 1, 1]


def renamed(cell):
    cell.rename(cell.clip, 'wave')


def renamed_and_changed(cell):
    cell.turn(cell.clip)
    renamed(cell)


def foreign(cell):
    cell.add(dict(cell.borrow(), name='visitor'))


def foreign_without_extras(cell):
    clip = dict(cell.borrow(), name='visitor')
    clip.pop('extras', None)
    cell.add(clip)


def foreign_under_this_name(cell):
    cell.glb.json['animations'] = [a for a in cell.glb.json['animations'] if a['name'] != cell.clip]
    clip = dict(cell.borrow(), name=cell.clip)
    clip.pop('extras', None)
    cell.add(clip, cell.clips[cell.clip])


def numbered_clips(cell):
    for clip in list(cell.clips):
        cell.rename(clip, clip + '.001')


def numbered_copy(cell):
    """like Blender's names of duplicates: the copy is the edited one"""
    copy = json.loads(json.dumps(cell.glb.clip(cell.clip)))
    cell.add(dict(copy, name=cell.clip + '.001'))
    cell.turn(cell.clip + '.001')


def numbered_joints(cell):
    for joint in cell.joints:
        cell.glb.json['nodes'][cell.glb.node(joint)]['name'] += '.001'


def numbered_joints_without_extras(cell):
    numbered_joints(cell)
    for node in cell.glb.json['nodes']:
        node.pop('extras', None)


def half_deleted(cell):
    """removes every second joint; its children get its parent"""
    g = cell.glb.json
    gone = {cell.glb.node(joint) for joint in cell.joints[1::2]}
    for n in reversed(range(len(g['nodes']))):
        children = []
        for c in g['nodes'][n].get('children', []):
            children += g['nodes'][c].get('children', []) if c in gone else [c]
        g['nodes'][n].update({'children': children} if children else {})
    number = {n: i for i, n in enumerate(n for n in range(len(g['nodes'])) if n not in gone)}
    g['nodes'] = [dict(n, **({'children': [number[c] for c in n['children'] if c in number]} if 'children' in n else {})) for i, n in enumerate(g['nodes']) if i in number]
    g['scenes'][0]['nodes'] = [number[n] for n in g['scenes'][0]['nodes']]
    g.pop('skins', None)
    for node in g['nodes']:
        node.pop('skin', None)
    for clip in g['animations']:
        clip['channels'] = [dict(c, target=dict(c['target'], node=number[c['target']['node']])) for c in clip['channels'] if c['target']['node'] in number]


def half_without_keys(cell):
    still = {cell.glb.node(joint) for joint in cell.joints[1::2]}
    clip = cell.glb.clip(cell.clip)
    clip['channels'] = [c for c in clip['channels'] if c['target']['node'] not in still]


# What may become of it: `same` is the original's bytes, `written` what the scene shows; `refused` nothing, and a clip or joint is named;
# `partly` all but what is named, and the status says so.
SAME, WRITTEN, REFUSED, PARTLY = 'same', 'written', 'refused', 'partly'
EDITS = {
    unedited: {SAME},
    one_bone: {WRITTEN},
    one_bone_of_every_clip: {WRITTEN, REFUSED, PARTLY},
    speed(2): {REFUSED},
    speed(2, 'all'): {REFUSED},
    speed(1.25): {REFUSED},
    speed(0.8): {REFUSED},
    late: {SAME, REFUSED},
    late_but_what_rests: {REFUSED},
    still_in_front: {REFUSED},
    steps: {WRITTEN},
    container_moves: {WRITTEN, REFUSED},
    container_moves_in_a_clip_of_its_own: {SAME, REFUSED, PARTLY},
    container_stands: {SAME},
    renamed: {SAME, REFUSED},
    renamed_and_changed: {WRITTEN, REFUSED},
    foreign: {SAME, REFUSED, PARTLY},
    foreign_without_extras: {SAME, REFUSED, PARTLY},
    foreign_under_this_name: {WRITTEN, REFUSED},
    numbered_clips: {SAME, REFUSED},
    numbered_copy: {SAME, REFUSED, PARTLY},
    numbered_joints: {SAME},
    numbered_joints_without_extras: {REFUSED},
    half_deleted: {REFUSED},
    half_without_keys: {WRITTEN, REFUSED},
    mirrored: {REFUSED},
}
for number, edit in enumerate(list(EDITS)):
    if edit.__name__ == 'edit':
        edit.__name__ = ['twice_as_fast', 'all_twice_as_fast', 'faster', 'slower'][number - 3]


class Matrix(Case):
    def whole(self, original_of):
        original = original_of(self)
        original.motions = original.decode({name: read(self.path(name)) for name in original.files})
        self.check(run('convert', *original.inputs, '--no-mesh', '-q', '-o', 'scene.glb', cwd=self.folder), 0)
        self.check(run('convert', *original.foreign, '--no-mesh', '-q', '-o', 'visitor.glb', cwd=self.folder), 0)
        scene = Shown(read(self.path('scene.glb')))
        clips = {}
        for name in (a['name'] for a in scene.g['animations']):
            same = [key for key, motion in original.motions.items() if scene.difference(name, motion) is None]
            self.assertEqual(len(same), 1, (name, same))
            clips[name] = same[0]
        self.assertEqual(sorted(map(str, clips.values())), sorted(map(str, original.motions)))
        with concurrent.futures.ThreadPoolExecutor(2) as two:
            found = two.map(lambda edit: self.outcome(original, clips, edit), EDITS)
        for (edit, allowed), (outcome, why) in zip(EDITS.items(), found, strict=True):
            with self.subTest(edit.__name__):
                self.assertIn(outcome, allowed, why)

    def outcome(self, original, clips, edit):
        """-> the outcome of an edit, and the reason"""
        cell = Cell(self, original, Glb(self.path('scene.glb')), clips)
        edit(cell)
        edited, out = self.path(edit.__name__ + '.glb'), edit.__name__ + '.out'
        cell.glb.write(edited)
        several = len(original.into) > 1
        into = [word for file in original.into for word in ('--into', file)]
        p = run('encode', os.path.basename(edited), *into, '-o', out + '/' if several else out, *original.options, cwd=self.folder)
        places = {name: self.path(out, os.path.basename(name)) if several else self.path(out) for name in original.files}
        if not any(map(os.path.exists, places.values())):
            return self.of_nothing(p, cell)
        return self.of_files({name: read(place) for name, place in places.items()}, p, cell, Shown(read(edited)))

    def named(self, text, cell):
        """whether a clip or a joint is named, not only a file with that name"""
        for file in {*cell.original.into, *map(os.path.basename, cell.original.into)}:
            text = re.sub(r'\b%s\b' % re.escape(file), '', text)
        return any(re.search(r'(?<![\w.])%s(?![\w.]*\.glb)\b' % re.escape(name), text) for name in [*cell.clips, *cell.joints])

    def of_nothing(self, p, cell):
        if p.returncode == 0:
            return 'nothing', 'status 0, but nothing was written: ' + p.err
        reason = '\n'.join(line for line in p.err.splitlines() if line.startswith('reanima: '))
        if not self.named(reason, cell):
            return 'mute', 'names no clip and no joint: ' + p.err
        return REFUSED, p.err

    def of_files(self, files, p, cell, scene):
        motions, left = cell.original.decode(files), []
        same = all(data == read(self.path(name)) for name, data in files.items())
        for name, key in cell.clips.items():
            try:
                wrong = key is not None and scene.difference(name, motions[key])
            except Fail as error:                   # such as a joint that the scene has not
                wrong = str(error)
            if key is None and re.search(r'(?m)^.*clip is from \S+ and unchanged$', p.err):
                continue                            # as the scene has it, in a file of its own
            if wrong is False or wrong:
                left.append('%s: %s' % (name, wrong or 'is none of the file'))
                if not re.search(r'(?m)^(?!wrote).*\b%s\b' % re.escape(name), p.err) or wrong and p.returncode == 0 and not same:
                    return 'wrong', '%s (status %d): %s' % (left[-1], p.returncode, p.err)
        for key in set(motions) - set(cell.clips.values()):
            if motions[key] != cell.original.motions[key]:
                return 'wrong', '%s is none of the scene, and changed' % (key,)
        if p.returncode != 0:
            return PARTLY if left else 'status', 'status %d; %s: %s' % (p.returncode, left, p.err)
        return (SAME if same else WRITTEN), p.err

    def test_battle_pack(self):
        self.whole(pack)

    def test_archive_of_a_character_with_limit_breaks(self):
        self.whole(archive)

    def test_both_archives_of_the_character(self):
        self.whole(both_archives)

    def test_file_of_the_character(self):
        self.whole(loose)

    def test_field_animation(self):
        self.whole(field)

    def test_field_character_in_an_archive(self):
        self.whole(field_archive)

    def test_block(self):
        self.whole(block)

    def test_database(self):
        self.whole(database)

    def test_anim(self):
        self.whole(metroid)

    def test_anim_with_few_keys(self):
        self.whole(sparse)


if __name__ == '__main__':
    unittest.main()
