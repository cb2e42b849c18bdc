#!/usr/bin/env python3
"""Animations of Memoria, the engine of Final Fantasy IX on the PC: the test's own reader reads written files, and
converted files must show the engine's motion."""
import bisect, json, math, os, re, shutil, struct, unittest

from geometry import about_x, multiplied, turned
from support import Case, Scene, read, run, sample, write

MODEL, WALK, IDLE = sample('ff9', 'hero.ff9model'), sample('ff9', 'hero_walk.ff9anim'), sample('ff9', 'hero_idle.ff9anim')
MICRO = 1e-6
PARTS = {'localRotation': ('rotation', 'xyzw', (0, 0, 0, 1)), 'localPosition': ('translation', 'xyz', (0, 0, 0)), 'localScale': ('scale', 'xyz', (1, 1, 1))}


def hermite(a, b, t):
    """two keys (time, value, arriving, leaving)"""
    if math.isinf(a[3]) or math.isinf(b[2]):
        return a[1]
    length = b[0] - a[0]
    u = (t - a[0]) / length
    return (a[1] * (2 * u**3 - 3 * u**2 + 1) + a[3] * length * (u**3 - 2 * u**2 + u) + b[1] * (3 * u**2 - 2 * u**3) + b[2] * length * (u**3 - u**2))


class Anim:
    """A file as the engine reads it: a curve per bone, property and component."""

    def __init__(self, curves, rate=30):
        self.curves, self.rate = {k: sorted(v) for k, v in curves.items()}, rate
        self.bones = list(dict.fromkeys(bone for bone, _, _ in self.curves))
        self.end = max(keys[-1][0] for keys in self.curves.values())

    @staticmethod
    def of_text(text):
        file, curves = json.loads(text), {}
        for bone in file['transform']:
            if 'bone' not in bone:
                continue
            for part in PARTS:
                found = {}
                for key in bone.get(part, []):
                    for letter in PARTS[part][1]:
                        if 'time' in key and letter in key:
                            found.setdefault(letter, {})[float(key['time'])] = float(key[letter])
                for letter, keys in found.items():
                    curves[bone['bone'], part, letter] = [(t, v, 0, 0) for t, v in keys.items()]
        return Anim(curves, file.get('frameRate', 30))

    def value(self, bone, part, letter, t, otherwise):
        keys = self.curves.get((bone, part, letter))
        if not keys:
            return otherwise
        after = bisect.bisect_right([k[0] for k in keys], t)
        if after == 0 or after == len(keys):
            return keys[max(0, after - 1)][1]
        return hermite(keys[after - 1], keys[after], t)

    def local(self, bone, part, t):
        _, letters, otherwise = PARTS[part]
        values = [self.value(bone, part, letter, t, v) for letter, v in zip(letters, otherwise)]
        if part == 'localRotation':
            size = math.hypot(*values)
            values = [v / size for v in values]
        return values

    def common(self, bone, part, t):
        """in the axes and the unit of a .glb"""
        values = self.local(bone, part, t)
        return [-v / 256 for v in values] if part == 'localPosition' else values

    def times(self):
        return sorted({k[0] for keys in self.curves.values() for k in keys})


def other_tool(anim, t):
    """-> positions of all bones by ff9mapkit's conversion of a clip to glTF: (x, -y, z) * 0.01 and (-x, y, -z, w)"""
    world, places = {}, {}
    for bone in anim.bones:
        x, y, z = anim.local(bone, 'localPosition', t)
        qx, qy, qz, qw = anim.local(bone, 'localRotation', t)
        place, rotation = (x * 0.01, -y * 0.01, z * 0.01), (-qx, qy, -qz, qw)
        above = bone.rpartition('/')[0]
        if above:
            place = [a + b for a, b in zip(places[above], turned(world[above], place))]
            rotation = multiplied(world[above], rotation)
        world[bone], places[bone] = rotation, list(place)
    return {bone.rpartition('/')[2]: place for bone, place in places.items()}


def binary(rows, name=b'walk', rate=30.0, positions=(), scales=()):
    """@param rows per bone (path, keys), a key (time, values, arriving, leaving)"""
    def text(data):
        return struct.pack('<I', len(data)) + data + bytes(-len(data) % 4)

    def block(bones):
        out = struct.pack('<I', len(bones))
        for path, keys in bones:
            out += struct.pack('<I', len(keys))
            for time, *groups in keys:
                out += struct.pack('<f', time) + b''.join(struct.pack('<%df' % len(g), *g) for g in groups)
            out += struct.pack('<II', 2, 2) + text(path)
        return out
    return text(name) + struct.pack('<HH', 1, 0) + block(rows) + struct.pack('<I', 0) + block(positions) + block(scales) + struct.pack('<IIf', 0, 0, rate) + b'rest'


def key(time, values):
    return {'time': time, **dict(zip('xyzw', values))}


def bone(path, **parts):
    return {'bone': path, **{name: [key(t, v) for t, v in rows] for name, rows in parts.items()}}


STRAIGHT = (0, 0, 0, 1)
ROOT = bone('bone000', localRotation=[(0, STRAIGHT), (1, about_x(90))], localPosition=[(0, (0, -256, 0))])
CHILD = bone('bone000/bone001', localRotation=[(0, STRAIGHT), (1, STRAIGHT)], localPosition=[(0, (0, 0, 128))])


class Memoria(Case):
    def glb(self, *args):
        self.convert(*args, '-q', '--force', '-o', 'x.glb')
        return Scene(read(self.path('x.glb')))

    def anim(self, *args):
        self.convert(*args, '-q', '--force', '-o', 'x.anim')
        return Anim.of_text(read(self.path('x.anim')))

    def compare(self, anim, scene, clip, times, tolerance=MICRO):
        animation = scene.animation(clip)
        for b in anim.bones:
            node = scene.node(b.rpartition('/')[2])
            above = scene.nodes[scene.parent[node]]['name']
            if '/' in b:
                self.assertEqual(above, b.split('/')[-2])
            for part, (path, _, otherwise) in PARTS.items():
                for t in times:
                    want = scene_value(scene, animation, node, path, otherwise, t)
                    got = anim.common(b, part, t)
                    sign = -1 if part == 'localRotation' and sum(x * y for x, y in zip(want, got)) < 0 else 1
                    self.assertLess(max(abs(x - sign * y) for x, y in zip(want, got)), tolerance, (b, part, t))

    # -- written ------------------------------------------------------------------------------------------------------
    def test_what_is_written_is_the_asset(self):
        for inputs in ([WALK], [IDLE], [sample('ff9', 'props.ff9db'), '--model', '2000', '--clip', '0'], [sample('ff7', 'hrda'), '--clip', '1'],
                       [sample('metroid', 'hero_walk.ANIM')]):
            with self.subTest(inputs=inputs):
                anim, scene = self.anim(*inputs), self.glb(*inputs)
                frames = scene.g['scenes'][0]['extras']['reanima']['clips'][0]
                count = frames['frames']
                times = [f / frames['rate'] for f in range(count)]
                self.assertEqual(len(anim.bones), len([n for n in scene.nodes if 'index' in n.get('extras', {})]))
                self.assertGreaterEqual(anim.rate, 29.97)
                self.compare(anim, scene, 0, times)
                self.assertAlmostEqual(anim.end, times[-1], places=5)
                for keys in anim.curves.values():
                    self.assertTrue(len(keys) == 1 or keys[-1][0] == anim.end and keys[0][0] == 0)
                for b in anim.bones:                     # neighbours never change the sign
                    rows = [anim.local(b, 'localRotation', t) for t in anim.times()]
                    self.assertTrue(all(sum(x * y for x, y in zip(p, q)) >= 0 for p, q in zip(rows, rows[1:])))

    def test_half_a_step_between_keys_is_right(self):
        anim, scene = self.anim(WALK), self.glb(WALK)
        times = anim.times()
        self.compare(anim, scene, 0, [(a + b) / 2 for a, b in zip(times, times[1:])], 3e-5)

    def test_keys_are_as_many_as_asked_for(self):
        for options, rate in (((), 30), (('--resample', '60'), 60)):
            anim = self.anim(WALK, *options)
            self.assertEqual(anim.rate, rate)
            times = anim.times()
            for a, b in zip(times, times[1:]):
                self.assertAlmostEqual(b - a, 1 / rate, delta=2e-6)
        self.assertEqual(self.anim(sample('ff7', 'hrda'), '--clip', '0').rate, 30)     # of 15

    def test_text_is_what_the_engine_parses(self):
        self.convert(WALK, '-q', '-o', 'x.anim')
        text = read(self.path('x.anim')).decode('ascii')
        file = json.loads(text)
        self.assertEqual(list(file), ['name', 'frameRate', 'transform'])
        for number in re.findall(r':(-?[0-9][^,}]*)', text.replace(' ', '')):
            self.assertRegex(number, r'^-?\d+(\.\d{1,6})?$')
        self.assertNotIn('-0,', text)
        self.assertEqual(file['transform'][0]['bone'], 'bone000')
        for row in file['transform']:
            self.assertEqual(list(row), ['bone', 'localRotation', 'localPosition'])
        self.assertTrue(text.startswith('{'))

    def test_scales_are_written_where_there_are_any(self):
        inputs = [sample('ff8', 'c0m901.dat'), '--clip', '0']
        anim, scene = self.anim(*inputs), self.glb(*inputs)
        self.assertTrue([1 for _, part, _ in anim.curves if part == 'localScale'])
        rate = scene.g['scenes'][0]['extras']['reanima']['clips'][0]
        self.compare(anim, scene, 0, [f / rate['rate'] for f in range(rate['frames'])])

    def test_another_tools_conversion_gives_our_glb_turned(self):
        """A figure that is not its own mirror image becomes 2.56 times as large and is rotated by half a turn about
        Y"""
        for inputs in ([WALK], [sample('ff9', 'props.ff9db'), '--model', '2000', '--clip', '0'], [sample('metroid', 'hero_walk.ANIM')]):   # whose joints are aside
            anim, scene = self.anim(*inputs), self.glb(*inputs)
            animation = scene.animation(0)
            for t in anim.times()[::3]:
                at = scene.world(animation, t)
                for name, place in other_tool(anim, t).items():
                    x, y, z = at(name)
                    self.assertLess(math.dist(place, (-2.56 * x, 2.56 * y, -2.56 * z)), 1e-4, (name, t))

    def test_outputs_are_where_the_engine_looks(self):
        shutil.copy(MODEL, self.path('98.ff9model'))
        shutil.copy(IDLE, self.path('109.ff9anim'))
        shutil.copy(WALK, self.path('110.ff9anim'))
        for by in ('game', 'file'):
            args = ['98.ff9model', '109.ff9anim', '110.ff9anim', '--as', 'anim', '--names-by', by, '-o', by + '/']
            listed = self.convert(*args, '--outputs').stdout.decode().split()
            self.convert(*args, '-q')
            made = [f for f in self.files() if f.startswith(by + '/')]
            self.assertEqual(made, [by + '/Animations/98/109.anim', by + '/Animations/98/110.anim'])
            self.assertEqual(sorted(listed), made)
        # a DB states the numbers of all its animations
        self.convert(sample('ff9', 'props.ff9db'), '--model', '2000', '--as', 'anim', '-q', '-o', 'db/')
        for name in [f for f in self.files() if f.startswith('db/')]:
            self.assertRegex(name, r'^db/Animations/2000/\d+\.anim$')
        # clips without a known number, or on another skeleton, are named as with --as bvh
        for number, args in enumerate(([WALK], [sample('ff7', 'hrda')], ['98.ff9model', '109.ff9anim', '-s', MODEL])):
            names = [self.convert(*args, '--as', form, '-o', 'n%d/' % number, '--outputs').stdout.decode().replace(form, '') for form in ('anim', 'bvh')]
            if number < 2:
                self.assertEqual(names[0], names[1])
        self.convert('98.ff9model', '109.ff9anim', '-q', '-o', 'rig.glb')
        self.assertNotIn('Animations', self.convert('109.ff9anim', '--source-skeleton', '98.ff9model', '-s', 'rig.glb', '--as', 'anim', '-o', 'on/', '--outputs').stdout.decode())

    def test_outputs_that_are_as_they_would_be_made_stay(self):
        args = [WALK, '-o', 'x.anim', '--report', 'report.jsonl']
        self.convert(*args, '-q')
        stamp = os.stat(self.path('x.anim')).st_mtime_ns
        p = self.convert(*args, '--if-changed')
        self.assertEqual(os.stat(self.path('x.anim')).st_mtime_ns, stamp)
        self.assertIn('unchanged', p.err)
        self.assertEqual(self.convert(WALK, '-q', '--as', 'anim', '-o', '-').stdout, read(self.path('x.anim')))
        self.assertEqual(self.convert(WALK, '--compact', '-o', 'y.anim', status=2).err, 'reanima: --compact: has no effect on a .anim, which contains only motion\n')
        self.assertIn('contains no clip with joints, so there is nothing to write into a .anim\n', self.convert(MODEL, '--no-companion', '-o', 'y.anim', status=1).err)

    def test_clips_that_last_for_ages_are_refused(self):
        write(self.path('ages.anim'), json.dumps({'transform': [bone('b', localRotation=[(0, STRAIGHT), (1e6, STRAIGHT)], localPosition=[(0, (0, 0, 1))])]}))
        self.assertIn('reanima: the .anim file: would need 11445 MiB of memory, but the limit is 1024 (see --limit-memory MIB)\n', self.convert('ages.anim', '-o', 'x.anim', status=4).err)

    def test_help_says_that_no_game_has_read_one(self):
        self.assertIn('X.anim (one clip for Memoria, untested in the game)', ' '.join(run('convert', '--help').stdout.decode().split()))

    # -- read ---------------------------------------------------------------------------------------------------------
    def test_what_is_written_is_read_back(self):
        for options in ((), ('--resample', '60')):
            scene = self.glb(WALK, *options)
            self.convert(WALK, *options, '-q', '--force', '-o', 'walk.anim')
            self.convert('walk.anim', '-q', '--force', '-o', 'back.glb')
            back = Scene(read(self.path('back.glb')))
            told, again = (s.g['scenes'][0]['extras']['reanima']['clips'][0] for s in (scene, back))
            self.assertEqual([again[k] for k in ('rate', 'frames', 'format', 'name')], [told['rate'], told['frames'], 'memoria', 'walk'])
            a, b = scene.animation(0), back.animation(0)
            times = [f / told['rate'] for f in range(told['frames'])]
            self.assertEqual({t for channel in a.values() for t in channel[0]}, {t for channel in b.values() for t in channel[0]})
            for t in times:
                one, other = scene.world(a, t), back.world(b, t)
                for node in back.nodes:
                    if node['name'].startswith('bone'):
                        self.assertLess(math.dist(one(node['name']), other(node['name'])), 1e-5)

    def test_a_stray_clip_hides_nothing(self):
        """A folder with files of games is not a character"""
        os.makedirs(self.path('in/deep'))
        for name, source in (('a', WALK), ('deep/b', IDLE), ('deep/c', WALK)):
            self.convert(source, '-q', '-o', 'in/%s.anim' % name)
        write(self.path('in/deep/.thumbs'), b'')
        for name in ('hrda', 'hraa'):
            shutil.copy(sample('ff7', name), self.path('in'))
        self.assertEqual(self.convert('in', '-o', 'out/', '--outputs').stdout, b'out/deep.glb\nout/hrda.glb\n')
        self.assertEqual(self.check(self.cli('check', 'in'), 0).stdout.decode().splitlines()[-1], '3 ok, 0 with problems, 2 skipped (nothing to check)')
        self.convert('in/a.anim', '-q', '-o', 'a.glb')

    def test_a_character_may_have_files_and_folders_beside_its_clips(self):
        os.makedirs(self.path('in/GEO_X/old'))
        for name, source in (('a', WALK), ('b', IDLE), ('old/b', WALK)):
            self.convert(source, '-q', '-o', 'in/GEO_X/%s.anim' % name)
        for name, data in (('desktop.ini', b'[.ShellClassInfo]\r\n'), ('notes.txt', b''), ('._a.anim', b'\0\5\x16\7'), ('walk.png', b'\x89PNG\r\n\x1a\n')):
            write(self.path('in/GEO_X', name), data)
        os.makedirs(self.path('in/GEO_X/c.anim'))
        self.convert('in', '-q', '-o', 'out/')
        self.assertEqual([a['name'] for a in Scene(read(self.path('out/GEO_X.glb'))).g['animations']], ['a', 'b'])
        self.assertEqual(sorted(f for f in self.files() if f.startswith('out')), ['out/GEO_X.glb', 'out/GEO_X/old.glb'])
        self.assertEqual(self.convert('in/GEO_X', '-o', 'x.glb', status=2).err, 'reanima: in/GEO_X: is a folder. Add -o FOLDER/ to convert the files below it\n')
        self.assertEqual(self.check(self.cli('encode', 'out/GEO_X.glb', '--into', 'in/GEO_X'), 0).err, '0 clips changed, 2 unchanged; nothing is written without -o\n')
        self.assertIn('2 ok, 0 with problems', self.check(self.cli('check', 'in/GEO_X'), 0).stdout.decode())
        self.assertIn('b', self.check(self.cli('find', 'b', 'in'), 0).stdout.decode())
        for name in ('old', 'c.anim'):
            shutil.rmtree(self.path('in/GEO_X', name))
        self.convert('in/GEO_X', '-q', '-o', 'x.glb')
        self.check(self.cli('preview', 'in/GEO_X', '-o', 'x.html'), 0)

    def test_a_folder_of_the_binary_form(self):
        flat = (0, 0, 0, 0)
        rows = [(b'bone000', [(0, STRAIGHT, flat, flat), (1, about_x(90), flat, flat)])]
        os.makedirs(self.path('in/GEO_X'))
        for name in ('walk', 'run'):
            write(self.path('in/GEO_X', name + '.anim'), binary(rows, name.encode()))
        for args in (('in/GEO_X', '-o', 'x.glb'), ('in', '-o', 'out/')):
            self.convert(*args, '-q')
        self.assertEqual([a['name'] for a in Scene(read(self.path('out/GEO_X.glb'))).g['animations']], ['run', 'walk'])
        self.assertEqual(self.check(self.cli('encode', 'x.glb', '--into', 'in/GEO_X'), 0).err, '0 clips changed, 2 unchanged; nothing is written without -o\n')

    def test_it_moves_the_games_skeleton_and_rigs(self):
        self.convert(WALK, '-q', '-o', 'walk.anim')
        self.convert('walk.anim', '-s', MODEL, '-q', '-o', 'bound.glb')
        self.convert(MODEL, WALK, '-q', '-o', 'own.glb')
        own, bound = Scene(read(self.path('own.glb'))), Scene(read(self.path('bound.glb')))
        for t in (0, 0.2, 0.5):
            one, other = own.world(own.animation(0), t), bound.world(bound.animation(0), t)
            for name in ('bone000', 'bone005', 'bone010'):
                self.assertLess(math.dist(one(name), other(name)), 1e-4)
        self.convert(WALK, '-s', 'walk.anim', '-q', '-o', 'on.glb')       # as a rig
        self.check(run('preview', 'walk.anim', '-o', self.path('walk.html'), cwd=self.folder), 0)
        p = self.check(run('info', 'walk.anim', cwd=self.folder), 0)
        self.assertIn('walk.anim: a rig with motion of its own; motion can be bound to it\n', p.stdout.decode())
        self.assertIn('bone001', p.stdout.decode())

    def same(self, file, anim, rate=None):
        """the converted file shows the engine's motion: at its keys and at steps of 1/60 s after them"""
        scene = self.glb(file)
        animation = scene.animation(0)
        if rate is not None:
            self.assertAlmostEqual(scene.g['scenes'][0]['extras']['reanima']['clips'][0]['rate'], rate, places=4)
        start = min(0, anim.times()[0])
        checked = 0
        for b in anim.bones:
            node = scene.node(b.rpartition('/')[2])
            for part, (path, _, otherwise) in PARTS.items():
                if not any((b, part, letter) in anim.curves for letter in 'xyzw'):
                    continue
                for step in range(round((anim.end - start) * 60) + 1):        # between keys, too
                    want, got = anim.common(b, part, start + step / 60), scene_value(scene, animation, node, path, otherwise, step / 60)
                    sign = -1 if part == 'localRotation' and sum(x * y for x, y in zip(want, got)) < 0 else 1
                    if not any(k[0] > 0 and abs(k[0] - start - step / 60) < 1e-6 and math.isinf(k[2] + k[3]) for keys in anim.curves.values() for k in keys):
                        self.assertLess(max(abs(x - sign * y) for x, y in zip(want, got)), 2e-3, (b, part, step))
                for t in animation.get((node, path), ((0,),))[0]:
                    want = anim.common(b, part, t + start)
                    got = scene_value(scene, animation, node, path, otherwise, t)
                    sign = -1 if part == 'localRotation' and sum(x * y for x, y in zip(want, got)) < 0 else 1
                    self.assertLess(max(abs(x - sign * y) for x, y in zip(want, got)), 2e-5, (b, part, t))
                    checked += 1
        self.assertGreater(checked, 1)
        return scene

    def test_odd_files_are_read_as_the_engine_does(self):
        eased = {**ROOT, 'localRotation': [dict(k, xInnerTangent=9, xOuterTangent=9, wInnerTangent=-7, wOuterTangent=5) for k in ROOT['localRotation']]}
        no_time = {**ROOT, 'localRotation': ROOT['localRotation'] + [{'x': 1, 'y': 0, 'z': 0, 'w': 0}]}
        lacking = {**ROOT, 'localRotation': [key(0, STRAIGHT), {'time': 0.25, 'x': 0.5}, key(1, about_x(90)), {'time': 0.5, 'w': 0.9}]}
        no_x = {**ROOT, 'localPosition': [{'time': 0, 'y': -256}, {'time': 1, 'y': -300, 'z': 10}]}
        table = {
            'no_name': ({'frameRate': 30, 'transform': [ROOT, CHILD]}, 30),
            'no_rate': ({'name': 'n', 'transform': [ROOT, CHILD]}, 30),
            'rate_of_15': ({'name': 'n', 'frameRate': 15, 'transform': [ROOT, CHILD]}, 15),
            'rate_of_0': ({'frameRate': 0, 'transform': [ROOT, CHILD]}, None),
            'unsorted': ({'transform': [{**ROOT, 'localRotation': ROOT['localRotation'][::-1]}, CHILD]}, 30),
            'tangents': ({'transform': [eased, CHILD]}, 30),
            'a_key_without_time': ({'transform': [no_time, CHILD]}, 30),
            'components_apart': ({'transform': [lacking, CHILD]}, 30),
            'a_component_missing': ({'transform': [no_x, CHILD]}, 30),
            'an_entry_without_bone': ({'transform': [{k: v for k, v in ROOT.items() if k != 'bone'}, ROOT, CHILD]}, 30),
            'numbers_in_quotes': ({'frameRate': '30', 'transform': [json.loads(re.sub(r': ([-0-9.e]+)', r': "\1"', json.dumps(ROOT))), CHILD]}, 30),
            'twice_the_same_time': ({'transform': [{**ROOT, 'localRotation': [key(0, about_x(9)), *ROOT['localRotation']]}, CHILD]}, 30),
            'child_before_parent': ({'transform': [CHILD, ROOT]}, 30),
            'before_0': ({'transform': [{**ROOT, 'localRotation': [key(-0.5, STRAIGHT), key(0.5, about_x(90))]}, CHILD]}, 30),
            'scales': ({'transform': [{**ROOT, 'localScale': [key(0, (1, 1, 1)), key(1, (2, 2, 2))]}, CHILD]}, 30),
            'more_members': ({'asset_of': 1, 'transform': [{**ROOT, 'layer': 3}, CHILD], 'events': []}, 30),
            'an_eye': ({'transform': [ROOT, CHILD, bone('bone000/bone001/leftEye', localRotation=[(0, STRAIGHT), (1, about_x(20))], localPosition=[(0, (0, 0, 9))])]}, 30),
            'a_pack_of_bones': ({'transform': [ROOT, *(bone('bone000/b%d' % i, localRotation=[(0, about_x(i)), (1, about_x(-i))], localPosition=[(0, (0, 0, i + 1))]) for i in range(40))]}, 30),
        }
        self.assertGreaterEqual(len(table), 12)
        for name, (file, rate) in table.items():
            with self.subTest(name=name):
                text = json.dumps(file)
                write(self.path(name + '.anim'), text)
                self.same(name + '.anim', Anim.of_text(text), rate)

    def test_between_keys_that_are_apart_motion_eases(self):
        write(self.path('e.anim'), json.dumps({'transform': [ROOT, CHILD]}))
        scene = self.same('e.anim', Anim.of_text(json.dumps({'transform': [ROOT, CHILD]})))
        times, rows, _ = scene.animation(0)[scene.node('bone000'), 'rotation']
        self.assertGreaterEqual(len(times), 60)
        fast, slow = math.dist(rows[30], rows[29]), math.dist(rows[1], rows[0])
        self.assertGreater(fast, 10 * slow)

    def test_the_binary_form(self):
        flat = (0, 0, 0, 0)
        moving = [('bone000', [(0, STRAIGHT, flat, (0.5, 0, 0, 0)), (1, about_x(90), (0.9, 0, 0, -2), flat)])]
        moving[0] = (b'bone000', moving[0][1])
        held = (b'bone000/b1', [(0, STRAIGHT, flat, (math.inf,) * 4), (0.5, about_x(90), flat, flat), (1, about_x(90), flat, flat)])
        places = [(b'bone000', [(0, (0, -256, 0), (0,) * 3, (0, 0, 100)), (1, (0, -256, 60), (0, 0, -30), (0,) * 3)]), (b'bone000/b1', [(0, (0, 0, 99), (0,) * 3, (0,) * 3)])]
        data = binary([*moving, held], positions=places, scales=[(b'bone000/b1', [(0, (1, 1, 1), (0,) * 3, (0,) * 3), (1, (2, 2, 2), (0,) * 3, (0,) * 3)])])
        curves = {}
        for part, rows in (('localRotation', [*moving, held]), ('localPosition', places),
                           ('localScale', [(b'bone000/b1', [(0, (1, 1, 1), (0,) * 3, (0,) * 3), (1, (2, 2, 2), (0,) * 3, (0,) * 3)])])):
            for path, keys in rows:
                for i, letter in enumerate(PARTS[part][1]):
                    curves[path.decode(), part, letter] = [(t, v[i], a[i], b[i]) for t, v, a, b in keys]
        write(self.path('b.anim'), data)
        scene = self.same('b.anim', Anim(curves), 30)
        times, rows, _ = scene.animation(0)[scene.node('b1'), 'rotation']
        at = dict(zip(times, rows))
        self.assertEqual(at[0.5][3], min(v[3] for v in rows))
        self.assertAlmostEqual(max(v[3] for t, v in at.items() if 0.4 < t < 0.5), 1)          # until then it is held
        # cut anywhere before its last field: an error that names a field or, if very short, an unknown format
        last = len(data) - len(b'rest')
        for size in range(1, last, 7):
            write(self.path('cut.anim'), data[:size])
            p = self.convert('cut.anim', '-q', '--force', '-o', 'cut.glb', status=1)
            if size >= 12:
                self.assertRegex(p.err, r'^reanima: cut\.anim: [a-z_0-9.\[\]]+ at 0x[0-9a-f]+: needs \d+ bytes?, but only \d+ (is|are) left\n$')
        write(self.path('cut.anim'), data[:last])
        self.convert('cut.anim', '-q', '--force', '-o', 'cut.glb')
        many = binary([(b'bone000', [])]).replace(struct.pack('<II', 1, 0), struct.pack('<II', 1, 0xFFFFFFF0), 1)
        write(self.path('many.anim'), many)
        self.assertRegex(self.convert('many.anim', '-o', 'many.glb', status=1).err, r'rotations\[0\]\.keys at 0x\w+: needs \d+ bytes')

    def test_bad_files_are_refused(self):
        for name, file, message in (
                ('nothing', {}, 'transform: contains no keys for any bone'), ('a_list', [], 'is a list, expected an object'),
                ('no_motion', {'name': 'x', 'transform': []}, 'transform: contains no keys for any bone'),
                ('no_keys', {'transform': [{'bone': 'bone000', 'localRotation': []}]}, 'transform: contains no keys for any bone'),
                ('no_list', {'transform': {'bone': 'bone000'}}, 'transform: is an object, expected a list'),
                ('no_text', {'transform': [{'bone': 3, 'localRotation': []}]}, 'transform[0].bone: is 3, expected a text'),
                ('no_number', {'transform': [{'bone': 'b', 'localRotation': [{'time': 0, 'x': 'much'}]}]}, 'transform[0].localRotation[0].x: is "much", expected a number'),
                ('too_large', {'transform': [{'bone': 'b', 'localRotation': [{'time': 1e99}]}]}, 'transform[0].localRotation[0].time: is 1e+99, expected a number from -1000000 to 1000000'),
                ('no_rotation', {'transform': [bone('b', localRotation=[(0, (0, 0, 0, 0))])]}, 'transform[0].localRotation: the rotation at 0 s has the length 0, expected 1')):
            with self.subTest(name=name):
                write(self.path(name + '.anim'), json.dumps(file))
                self.assertEqual(self.convert(name + '.anim', '-o', name + '.glb', status=1).err, 'reanima: %s.anim: %s\n' % (name, message))
        write(self.path('cut.anim'), json.dumps({'transform': [ROOT, CHILD]})[:-30])
        self.assertRegex(self.convert('cut.anim', '-o', 'cut.glb', status=1).err, r'^reanima: cut\.anim: .*line 1')
        not_finite = binary([(b'bone000', [(0, (math.nan, 0, 0, 1), (0,) * 4, (0,) * 4)])])
        write(self.path('nan.anim'), not_finite)
        self.assertEqual(self.convert('nan.anim', '-o', 'nan.glb', status=1).err, 'reanima: nan.anim: rotations[0].keys.value at 0x18: is nan, expected a number from -1000000000 to 1000000000\n')
        write(self.path('nan.anim'), binary([(b'bone000', [(0, (0, 0, 0, 1), (0, math.nan, 0, 0), (0,) * 4)])]))
        self.assertEqual(self.convert('nan.anim', '-o', 'nan.glb', status=1).err, 'reanima: nan.anim: rotations[0].keys.tangent at 0x2c: is nan, expected a number from -1000000000 to 1000000000, or an infinite one\n')
        write(self.path('large.anim'), json.dumps({'transform': [ROOT, CHILD]}) + ' ' * (1 << 20))
        self.assertIn('the motion', self.convert('large.anim', '--limit-memory', '8', '-o', 'large.glb', status=4).err)
        self.assertIn('an animation of Memoria; motion can be bound to its skeleton as a rig',
                      self.check(run('dump', self.path('no_keys.anim')), 1).err)

    def test_bones_without_places_get_some(self):
        write(self.path('p.anim'), json.dumps({'transform': [bone('bone000/bone001', localRotation=[(0, STRAIGHT), (1, about_x(90))])]}))
        p = self.convert('p.anim', '-o', 'p.glb')
        self.assertIn("p.anim: warning: transform: 1 bones have no localPosition, so each is placed 50 units along its parent's Z axis\n", p.err)
        at = Scene(read(self.path('p.glb')))
        self.assertLess(math.dist(at.world(at.animation(0), 0)('bone001'), (0, 0, -50 / 256)), 1e-6)

    def test_half_way_to_the_opposite_there_is_a_rotation(self):
        write(self.path('o.anim'), json.dumps({'transform': [bone('b', localRotation=[(0, STRAIGHT), (1 / 30, (0, 0, 0, -1)), (1, about_x(90))], localPosition=[(0, (0, 0, 1))])]}))
        self.convert('o.anim', '-q', '-o', 'o.glb')
        scene = Scene(read(self.path('o.glb')))
        for _, rows, _ in [scene.animation(0)[scene.node('b'), 'rotation']]:
            self.assertTrue(all(abs(math.hypot(*v) - 1) < 1e-5 for v in rows))

    def test_an_eye_is_left_out_of_what_has_none(self):
        self.convert(sample('ff9', 'hero.ff9model'), WALK, '-q', '-o', 'walk.anim')
        file = json.loads(read(self.path('walk.anim')))
        head = max(file['transform'], key=lambda b: b['bone'].count('/'))['bone']
        file['transform'].append(bone(head + '/leftEye', localRotation=[(0, STRAIGHT), (0.5, about_x(20))], localPosition=[(0, (0, 0, 9))]))
        write(self.path('eye.anim'), json.dumps(file))
        self.assertIn('leftEye', [b.rpartition('/')[2] for b in self.anim('eye.anim').bones])
        self.convert('eye.anim', '-q', '-o', 'eye.bvh')


def scene_value(scene, animation, node, path, otherwise, t):
    """-> a component of a node's pose, by linear interpolation"""
    channel = animation.get((node, path))
    if channel is None:
        return scene.nodes[node].get(path, otherwise)
    times, rows, _ = channel
    if t in times:
        return rows[times.index(t)]
    after = bisect.bisect_right(times, t + 1e-7)
    if after == 0 or after == len(times) or abs(times[after - 1] - t) < 2e-6:
        return rows[max(0, after - 1)]
    if abs(times[after] - t) < 2e-6:
        return rows[after]
    u = (t - times[after - 1]) / (times[after] - times[after - 1])
    a, b = rows[after - 1], rows[after]
    if path == 'rotation' and sum(x * y for x, y in zip(a, b)) < 0:
        b = [-v for v in b]
    row = [x + (y - x) * u for x, y in zip(a, b)]
    size = math.hypot(*row) if path == 'rotation' else 1
    return [v / size for v in row]


if __name__ == '__main__':
    unittest.main()
