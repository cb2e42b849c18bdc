#!/usr/bin/env python3
"""Clips on foreign skeletons: real motion from game to game, rigs of Debian's assimp-testmodels, weapons, meshes."""
import json, math, os, re, shlex, shutil, struct, subprocess, unittest

from geometry import rotation_in_world
from gltf_files import glb_of
from support import Case, SOURCE, Scene, conformance, motion, read, read_json, run, sample, write
import rig_set

MODELS = '/usr/share/assimp/models'
CAPTURES = (('cmu_01_01', 'ma'), ('cmu_01_03', 'mb'))
LIMBS = [(s + a, s + b) for s in ('Left', 'Right') for a, b in (('UpLeg', 'Leg'), ('Leg', 'Foot'), ('Foot', 'ToeBase'), ('Arm', 'ForeArm'))]


def joints_of(capture, game):
    """names of the capture's joints -> their names in the game's file"""
    expected = read_json(motion(capture, game, 'expected.json'))
    return dict(zip(expected.get('capture_joints', expected['joints']), expected['joints']))


def direction(at, a, b):
    v = [y - x for x, y in zip(at(a), at(b))]
    length = math.hypot(*v)
    return [c / length for c in v]


def animation(scene, name):
    return scene.animation([a['name'] for a in scene.g['animations']].index(name))


class RealMotion(Case):
    def check_limbs(self, capture, source_file, rig, game):
        """in every frame, the limbs of the bound clips point in the same directions as those of the source"""
        own, out = self.path('own.glb'), self.path('out.glb')
        self.check(run('convert', source_file, '-q', '--force', '-o', own), 0)
        source, target = joints_of(capture, 'ff7'), joints_of(capture, game)
        lines = ['%s,%s' % (source[j], target[j]) for j in source if j in target]
        self.check(run('convert', source_file, '-s', rig, '--map', write(self.path('map.csv'), '\n'.join(lines)), '--force', '-o', out), 0)
        a, b = Scene(read(own)), Scene(read(out))
        worst, total, count = 0, 0, 0
        for clip in (c['name'] for c in a.g['animations']):
            before, after = animation(a, clip), animation(b, clip)
            for time in sorted({t for channel in before.values() for t in channel[0]}):
                was, now = a.world(before, time), b.world(after, time)
                for start, end in LIMBS:
                    u, v = direction(was, source[start], source[end]), direction(now, target[start], target[end])
                    degrees = math.degrees(math.acos(max(-1, min(1, sum(x * y for x, y in zip(u, v))))))
                    worst, total, count = max(worst, degrees), total + degrees, count + 1
        print('%s ff7 -> %s: %d directions, %.3f degrees apart on average, %.3f at most' %
              (capture, os.path.basename(rig), count, total / count, worst))
        self.assertLess(total / count, 3)
        self.assertLess(worst, 10)

    def check_game(self, game, first, skeleton):
        for capture, letters in CAPTURES:
            rig = self.path(letters + '.glb')                                   # with a pose to rest in
            self.check(run('convert', motion(capture, game, letters + first), '-q', '-o', rig), 0)
            for each in (rig, motion(capture, game, letters + skeleton)):
                self.check_limbs(capture, motion(capture, 'ff7', letters + 'da'), each, game)

    def test_final_fantasy_vii_to_ix(self):
        self.check_game('ff9', '_0.ff9anim', '.ff9model')

    def test_final_fantasy_vii_to_metroid(self):
        self.check_game('metroid', '_0.ANIM', '.CINF')

    def test_a_mapping_is_no_scene(self):
        p = self.check(run('bind', sample('ff7', 'hrda'), '-s', sample('ff7', 'hraa'), '--suggest', '-o', self.path('x.glb')), 2)
        self.assertEqual(p.err, 'reanima: -o %s: --suggest writes a mapping, expected MAP.json\n' % self.path('x.glb'))

    def test_suggestions_find_the_limbs(self):
        found, all_of_them = 0, 0
        for capture, letters in CAPTURES:
            rig = self.path(capture + '.glb')
            self.check(run('convert', motion(capture, 'metroid', letters + '_0.ANIM'), '-q', '-o', rig), 0)
            out = self.path(capture + '.json')
            self.check(run('bind', motion(capture, 'ff7', letters + 'da'), '-s', rig, '--suggest', '-o', out), 0)
            lines = {line['target']: line for line in json.loads(read(out))['joints']}
            source, target = joints_of(capture, 'ff7'), joints_of(capture, 'metroid')
            for joint in sorted({j for limb in LIMBS for j in limb}):
                all_of_them += 1
                found += lines.get(target[joint], {}).get('source') == source[joint]
                self.assertTrue(0 <= lines[target[joint]]['confidence'] <= 1 and lines[target[joint]]['reason'])
        print('%d of %d limbs found' % (found, all_of_them))
        self.assertGreaterEqual(found, 0.8 * all_of_them)


class Person(Case):
    """A rig under Unreal's names, laid out by hand: a ground joint, twist joints, five joints of the spine."""
    BODY = [('root', None, (0, 0, 0)), ('pelvis', 'root', (0, .95, 0)), ('spine_01', 'pelvis', (0, 1.0, 0)), ('spine_02', 'spine_01', (0, 1.1, 0)),
            ('spine_03', 'spine_02', (0, 1.2, 0)), ('spine_04', 'spine_03', (0, 1.3, 0)), ('spine_05', 'spine_04', (0, 1.38, 0)), ('neck_01', 'spine_05', (0, 1.45, 0)),
            ('head', 'neck_01', (0, 1.55, 0)), ('ik_foot_root', 'root', (0, 0, 0))]
    SIDE = [('clavicle', 'spine_05', (.03, 1.4, 0)), ('upperarm', 'clavicle', (.18, 1.4, 0)), ('lowerarm', 'upperarm', (.46, 1.4, 0)),
            ('lowerarm_twist_01', 'lowerarm', (.6, 1.4, 0)), ('hand', 'lowerarm', (.71, 1.4, 0)), ('thigh', 'pelvis', (.1, .93, 0)), ('calf', 'thigh', (.1, .5, .01)),
            ('foot', 'calf', (.1, .08, 0)), ('ball', 'foot', (.1, .02, .12))]

    def rig(self, rows):
        places = {name: place for name, _, place in rows}
        nodes = [{'name': name, 'translation': [a - b for a, b in zip(place, places[parent] if parent else (0, 0, 0))],
                  'children': [i for i, row in enumerate(rows) if row[1] == name]} for name, parent, place in rows]
        for node in nodes:
            if not node['children']:
                del node['children']
        return write(self.path('rig.gltf'), json.dumps({'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}], 'nodes': nodes}))

    def person(self):
        rows = list(self.BODY)
        for side, sign in (('l', 1), ('r', -1)):
            side_of = {name: '%s_%s' % (name, side) for name, _, _ in self.SIDE}
            rows += [(side_of[name], side_of.get(parent, parent), (sign * x, y, z)) for name, parent, (x, y, z) in self.SIDE]
        return rows


class WithoutAMapping(Person):
    def test_every_game_is_bound_by_what_its_joints_are_for(self):
        rig, out = self.rig(self.person()), self.path('out.glb')
        for source in (motion('cmu_01_03', 'ff7', 'mbda'), motion('cmu_01_03', 'ff9', 'mb_0.ff9anim'), motion('cmu_01_03', 'metroid', 'mb_0.ANIM')):
            p = self.check(run('convert', source, '-s', rig, '--force', '--report', self.path('report.json'), '-o', out), 0)
            self.assertRegex(p.err, r'note: Unreal Engine 5: 12 of 12 limbs, spine 5, neck 1, head; \d joints keep the rest pose\n')
            binding = json.loads(read(self.path('report.json')).decode().splitlines()[0])['binding']
            self.assertEqual({row['by'] for row in binding['matched']}, {'role'})
            leaders = {row['target']: row['source'] for row in binding['matched']}
            self.assertNotIn('root', leaders)
            if source.endswith('ANIM'):
                self.assertEqual([leaders[j] for j in ('pelvis', 'upperarm_l', 'calf_r', 'head')], ['Hips', 'LeftArm', 'RightLeg', 'Head'])
            scene = Scene(read(out))                                            # the ground joint stays, the feet are near the ground
            clip = scene.animation(0)
            at = scene.world(clip, 0.1)
            self.assertEqual([round(c, 6) for c in at('root')], [0, 0, 0])
            self.assertLess(abs(min(at('ball_l')[1], at('ball_r')[1])), 0.12)

    def test_roles_of_a_mapping_win_over_names(self):
        bent = lambda n, x: (x[0] - .1, *x[1:]) if n == 'hand_l' else x                        # so that the sides do not mirror each other
        rig, roles = self.rig([(n.replace('head', 'top'), p, bent(n, x)) for n, p, x in self.person()]), self.path('roles.json')
        walk, out = motion('cmu_01_03', 'ff7', 'mbda'), self.path('out.glb')
        self.tells('the rig is not recognised as a humanoid: ', 'convert', walk, '-s', rig, '-o', out, status=1)
        write(roles, json.dumps({'schema': 1, 'roles': {'top': 'head'}}))
        self.assertIn('12 of 12 limbs', self.check(run('convert', walk, '-s', rig, '--map', roles, '-o', out), 0).err)

    def quadruped(self):
        """a dog whose joints have the names of a person's"""
        rows = [('hips', None, (0, .6, -.4)), ('spine', 'hips', (0, .62, 0)), ('chest', 'spine', (0, .62, .3)), ('neck', 'chest', (0, .7, .45)), ('head', 'neck', (0, .85, .6))]
        for side, x in (('left', .1), ('right', -.1)):
            for top, z, names in (('chest', .35, ('UpperArm', 'LowerArm', 'Hand')), ('hips', -.4, ('UpperLeg', 'LowerLeg', 'Foot'))):
                for name, above, y in zip(names, (top, side + names[0], side + names[1]), (.55, .3, .03)):
                    rows.append((side + name, above, (x, y, z)))
        return rows

    def test_what_is_no_humanoid_is_refused(self):
        chain = lambda name, n: [('%s_%d' % (name, i), '%s_%d' % (name, i - 1) if i else None, (0, .1 * i, .1)) for i in range(n)]
        without = lambda *parts: [row for row in self.person() if not row[0].startswith(parts)]
        hand = [('hand_l', None, (0, 0, 0))] + [('%s_0%d_l' % (f, k), 'hand_l' if k == 1 else '%s_0%d_l' % (f, k - 1), (.02 * i, .03 * k, 0))
                                              for i, f in enumerate(('thumb', 'index', 'middle', 'ring', 'pinky')) for k in (1, 2, 3)]
        walk, mapping = motion('cmu_01_03', 'ff7', 'mbda'), self.path('map.json')
        for seen, rows in (('no two legs', chain('tail', 9)), ('no two legs', hand), ('no two legs', chain('sword', 3)), ('no two legs', chain('bone', 1)), ('four legs', self.quadruped()),
                           ('no two legs', without('thigh', 'calf', 'foot', 'ball')), ('no two arms', without('clavicle', 'upperarm', 'lowerarm', 'hand')),
                           ('limbs without length', [(name, parent, (0, 0, 0)) for name, parent, _ in self.person()])):
            rig = self.rig(rows)
            for source in (walk, motion('cmu_01_03', 'metroid', 'mb_0.ANIM')):
                p = self.check(run('convert', source, '-s', rig, '-o', self.path('out.glb')), 1)
                self.assertIn('the rig is not recognised as a humanoid: %s. State in a mapping file which joint follows which' % seen, p.err)
                p = self.check(run('bind', source, '-s', rig, '--suggest', '--force', '-o', mapping), 0)
                self.assertRegex(p.err, r'may not be a humanoid \(%s\)\. Check every line of the mapping' % seen)
                self.assertLess(max(line['confidence'] for line in json.loads(read(mapping))['joints']), 0.8)
        write(rig, json.dumps({'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': []}]}))
        self.assertIn('contains no skeleton', self.check(run('convert', walk, '-s', rig, '-o', self.path('out.glb')), 1).err)

    def test_another_character_in_the_file_is_noticed(self):
        twins = [('scene', None, (0, 0, 0))] + [(n, p or 'scene', x) for n, p, x in self.person()]
        twins += [(n + '.001', p + '.001' if p else 'scene', (x + 1.5, y, z)) for n, p, (x, y, z) in self.person()]
        walk, rig = motion('cmu_01_03', 'ff7', 'mbda'), self.rig(twins)
        warning = 'warning: root.001 with %d joints looks like another character, so it keeps its rest pose\n' % len(self.person())
        p = self.check(run('convert', walk, '-s', rig, '-o', self.path('out.glb')), 0)
        self.assertIn(warning, p.err)
        self.assertIn('12 of 12 limbs', p.err)
        self.assertIn(warning.split(': ', 1)[1], self.check(run('bind', walk, '-s', rig, '--suggest', '-o', self.path('map.json')), 0).err)
        controls = [(n.replace('.001', '_ctl'), p and p.replace('.001', '_ctl'), (x - 1.5 if '.001' in n else x, y, z)) for n, p, (x, y, z) in twins]
        self.assertNotIn('another character', self.check(run('convert', walk, '-s', self.rig(controls), '--force', '-o', self.path('out.glb')), 0).err)


class ForPeople(Person):
    """The report on a binding, and its correction by a user."""

    def test_the_next_command_is_whole(self):
        pack, rig, mapping = motion('cmu_01_03', 'ff7', 'mbda'), self.rig(self.person()), self.path('a map.json')
        p = self.check(run('bind', pack, '-s', rig, '--source-skeleton', motion('cmu_01_03', 'ff7', 'mbaa'), '--format', 'ff7-battle-animation',
                           '--suggest', '-o', mapping), 0)
        command = re.search('Edit the mapping, then run reanima (.*)\n', p.err)[1]
        self.assertIn(" --source-skeleton " + motion('cmu_01_03', 'ff7', 'mbaa') + ' --format ff7-battle-animation --map ', command)
        self.check(run(*shlex.split(command), '-q', '-o', self.path('next.glb')), 0)

    def suggested(self, *args, rig=None):
        mapping = self.path('map.json')
        self.check(run('bind', motion('cmu_01_03', 'ff7', 'mbda'), '-s', rig or self.rig(self.person()), *args, '--suggest', '--force', '-o', mapping), 0)
        return mapping

    def test_a_mapping_goes_through_the_body_and_shows_what_is_missing(self):
        rows = [row for row in self.person() if row[0] != 'ball_l']
        mapping = self.suggested(rig=self.rig([(n, {'clavicle_r': 'spine_05'}.get(p, p), x) for n, p, x in rows if n != 'clavicle_r']))
        lines = json.loads(read(mapping))['joints']
        roles = [line['role'] for line in lines]
        sides = lambda *parts: [side + part for side in ('left', 'right') for part in parts]
        expected = ['hips'] + 5 * ['spine'] + ['neck', 'head'] + sides('Shoulder', 'UpperArm', 'LowerArm', 'Hand') + sides('UpperLeg', 'LowerLeg', 'Foot', 'Toes')
        self.assertEqual(roles, expected)
        empty = {line['role']: (line['source'], line['target'], line['confidence']) for line in lines if not line['source'] or not line['target']}
        by_role = joints_of('cmu_01_03', 'ff7')
        self.assertEqual(empty, {'rightShoulder': (by_role['RightShoulder'], '', 0), 'leftToes': (by_role['LeftToeBase'], '', 0)})
        self.check(run('convert', motion('cmu_01_03', 'ff7', 'mbda'), '-s', self.path('rig.gltf'), '--map', mapping, '--strict', '-q', '-o', self.path('x.glb')), 0)

    def test_lines_may_use_old_names_given_names_and_numbers(self):
        pack, rig, mapping = motion('cmu_01_03', 'ff7', 'mbda'), self.rig(self.person()), self.suggested()
        names = write(self.path('names.csv'), 'joint,0,Bip_Spine\njoint,root,Middle\n')
        given = self.path('given.json')
        self.tells('--names %s --map %s' % (names, given), 'bind', pack, '-s', rig, '--names', names, '--suggest', '-o', given)
        self.assertIn('Middle', [line['source'] for line in json.loads(read(given))['joints']])
        numbered = json.loads(read(mapping))
        order = [row[0] for row in self.person()]
        for line in numbered['joints']:
            line['source'] = str(int(line['source'][4:])) if line['source'].startswith('bone') else line['source']
            line['target'] = str(order.index(line['target'])) if line['target'] else ''
            if line.get('mixed_from', '').startswith('bone'):
                line['mixed_from'] = str(int(line['mixed_from'][4:]))
        write(self.path('numbered.json'), json.dumps(numbered))
        scenes = []
        for args in (('--map', mapping), ('--map', mapping, '--names', names), ('--map', given, '--names', names), ('--map', self.path('numbered.json'))):
            self.check(run('convert', pack, '-s', rig, *args, '--force', '-q', '-o', self.path('x.glb')), 0)
            scenes.append(Scene(read(self.path('x.glb'))).g['animations'])
        for scene in scenes[1:]:
            self.assertEqual(scene, scenes[0])

    def test_a_mapping_of_one_line_corrects_one_joint(self):
        pack, rig = motion('cmu_01_03', 'ff7', 'mbda'), self.rig(self.person())
        rows = lambda *args: {row[0]: row[1:] for row in (line.split() for line in self.check(run('bind', pack, '-s', rig, *args), 0).stdout.decode().splitlines())
                              if len(row) > 2 and row[2] in ('map', 'role')}
        usual = rows()
        head, = (source for source, row in usual.items() if row[0] == 'head')
        neck, = (row[0] for row in usual.values() if row[0].startswith('neck'))
        self.assertGreater(len(usual), 15)
        corrected = rows('--map', write(self.path('fix.csv'), head + ',' + neck + '\n'))
        self.assertEqual(corrected[head][:2], [neck, 'map'])
        others = {source: row[:2] for source, row in usual.items() if source != head and row[0] != neck}
        self.assertEqual({source: corrected[source][:2] for source in others}, others)
        self.assertEqual(list(rows('--map', write(self.path('fix.json'), json.dumps({'schema': 1, 'by_name': False, 'joints': [{'source': head, 'target': neck}]})))), [head])

    def test_a_mapping_that_fits_nothing_is_refused(self):
        mapping = write(self.path('other.csv'), 'a,b\nroot,pelvis\nc,d\n')
        p = self.check(run('convert', motion('cmu_01_03', 'ff7', 'mbda'), '-s', self.rig(self.person()), '--map', mapping, '-o', self.path('x.glb')), 1)
        self.assertIn('2 of 3 lines of the mapping contain an unknown joint (first: a -> b). The joints of mbaa are root, bone000, bone001, bone002, bone003, bone004, ...; ', p.err)
        self.assertIn('rig.gltf are root, pelvis, ', p.err)

    def test_bind_does_what_convert_does_or_shows_it(self):
        pack, rig = motion('cmu_01_03', 'ff7', 'mbda'), self.rig(self.person())
        outputs = [self.path('x.glb'), self.path('y.glb')]
        for verb, output in zip(('bind', 'convert'), outputs):
            self.check(run(verb, pack, '-s', rig, '--clip', '0', '-q', '-o', output), 0)
        self.assertEqual(read(outputs[0]), read(outputs[1]))
        p = self.check(run('bind', pack, '-s', rig), 0)
        self.assertIn('12 of 12 limbs', p.err)
        rows = [line.split() for line in p.stdout.decode().splitlines()]
        self.assertEqual([row[0] for row in rows[:3]], ['look', 'floor:', 'face:'])       # the face: nothing tells where it looks
        self.assertIn(['source', 'target', 'by', 'bones', 'apart'], rows)
        self.assertEqual({row[1]: row[0] for row in rows if row[2:3] == ['role']}['foot_r'], joints_of('cmu_01_03', 'ff7')['RightFoot'])
        short, full = (self.check(run('convert', pack, '-s', rig, '--force', '-o', outputs[0], *more), 0).err for more in ((), ('-v',)))
        self.assertNotIn('foot_r ', short)                                      # its bone points where its source does
        self.assertIn('foot_r ', full)

    def test_a_skeleton_with_animations_that_are_named(self):
        """`bind` with named animations shows the result of `convert` with the same options"""
        pack, rig = motion('cmu_01_03', 'ff7', 'mbda'), self.rig(self.person())
        skeleton = os.path.join(os.path.dirname(pack), 'mbaa')
        alone = [self.check(run('bind', *words, '-s', rig), 0).stdout for words in ((pack,), (skeleton, '--animations', pack))]
        self.assertEqual(*alone)
        made = []
        for words in ((pack,), (skeleton, '--animations', pack)):
            self.check(run('bind', *words, '-s', rig, '--suggest', '--force', '-o', self.path('m.json')), 0)
            made.append(json.loads(read(self.path('m.json')))['joints'])
        self.assertEqual(*made)
        self.assertGreater(max(line['confidence'] for line in made[0]), 0.5)

    def test_a_skeleton_that_never_moves(self):
        """Its rest pose may be any pose: where no name helps, a line is a guess, and half a body is refused"""
        rig, own = self.rig(self.person()), sample('ff7', 'hraa')
        p = self.check(run('bind', own, '--no-companion', '-s', rig, '--suggest', '-o', self.path('m.json')), 1)
        self.assertIn('reanima: %s: has no clips, and its rest pose shows only 2 of the 8 bones of arms and legs (see --animations FILE)\n' % own, p.err)
        self.assertFalse(os.path.exists(self.path('m.json')))
        named = motion('cmu_01_03', 'metroid', 'mb.CINF')
        text = self.check(run('dump', named), 0).stdout.decode()
        for number, joint in enumerate(json.loads(text)['joints']):
            text = text.replace(json.dumps(joint['name']), '"j%d"' % number)
        write(self.path('j.json'), text)
        nameless = self.path('j.CINF')
        self.check(run('encode', self.path('j.json'), '-q', '-o', nameless), 0)
        for skeleton, most, is_guess in ((nameless, 0.5, True), (named, 1, False)):
            p = self.check(run('bind', skeleton, '--no-companion', '-s', rig, '--suggest', '--force', '-o', self.path('m.json')), 0)
            self.assertEqual('warning: has no clips, so the mapping is guessed from its rest pose (see --animations FILE)\n' in p.err, is_guess)
            highest = max(line['confidence'] for line in json.loads(read(self.path('m.json')))['joints'])
            self.assertTrue(0.4 < highest <= most and (is_guess or highest > 0.5), highest)

    def test_what_bind_says(self):
        pack, rig, mapping = motion('cmu_01_03', 'ff7', 'mbda'), self.rig(self.person()), self.path('m.json')
        gate, container, made_up = sample('rlf', 'gate.rlf'), sample('ff9', 'props.ff9db'), sample('ff9', 'hero_walk.ff9anim')
        for args, status, message in (((pack,), 2, 'reanima: bind: name the rig with -s\n'),
                                      ((pack, '-s', rig, '--suggest'), 2, 'reanima: bind: --suggest needs -o MAP.json\n'),
                                      ((pack, '-s', rig, '--suggest', '-o', '-'), 2, 'reanima: -o -: an image is written beside the mapping, so a file name is needed. Use -o MAP.json\n'),
                                      ((sample('pipeline', 'hero.reanima.json'), '-s', rig), 2,
                                       'reanima: %s: is a job file, but bind takes a single input. Use `reanima convert`\n' % sample('pipeline', 'hero.reanima.json')),
                                      ((gate, '-s', rig), 1, 'reanima: %s: is a video or an image, without joints\n' % gate),
                                      ((container, '-s', rig), 2, 'reanima: %s: contains 2 models, but an output can contain only one. Choose one with --model, or use -o FOLDER/ for all: 2000 (3 joints, 2 clips, 0 triangles), '
                                                                  '2010 (2 joints, 1 clip, 0 triangles)\n' % container)):
            self.check(run('bind', *args), status, message)
        p = self.check(run('bind', made_up, '--no-companion', '-s', rig, '--suggest', '-o', mapping), 0)
        self.assertIn('warning: hero_walk may not be a humanoid (its joints are placeholders). Check every line of the mapping\n', p.err)
        if 'this build can\'t draw images' not in p.err:
            self.assertIn("note: the image shows no poses of the motion: hero_walk has only placeholder joints. Without the game's skeleton, only its local values can be copied\n", p.err)
        p = self.check(run('bind', made_up, '--no-companion', '-s', rig, '--suggest', '--strict', '--force', '-o', mapping), 1)
        self.assertIn('reanima: %s: warnings count as errors\n' % made_up, p.err)
        p = self.check(run('bind', pack, '-s', rig, '--suggest', '--force', '-o', mapping), 0)
        self.assertRegex(p.err, r'wrote %s: \d+ of 28 joints of the rig are mapped; (an image of the mapping is %spng|this build can\'t draw images). Edit the mapping, then run reanima convert %s -s %s --map %s\n' %
                         (mapping, mapping[:-4], pack, rig, mapping))
        self.assertEqual({line['reason'] for line in json.loads(read(mapping))['joints'] if 'reason' in line}, {'by shape and motion in the source, by name in the rig'})
        number = {name: 'b%d' % i for i, (name, _, _) in enumerate(self.person())}
        rig = self.rig([(number[n], p and number[p], x) for n, p, x in self.person()])
        self.check(run('bind', motion('cmu_01_03', 'ff7', 'mbda'), '-s', rig, '--suggest', '--force', '-o', mapping), 0)
        self.assertEqual({line['reason'] for line in json.loads(read(mapping))['joints'] if 'reason' in line}, {'by shape and motion in the source, by the rest pose in the rig'})

    def test_a_mapping_has_a_picture(self):
        self.suggested()
        if not os.path.exists(self.path('map.png')):
            self.skipTest('this build can\'t draw images')
        data = read(self.path('map.png'))
        self.assertEqual(struct.unpack('>II', data[16:24]), (1680, 1136))       # both skeletons, and a row of frames
        self.check(run('bind', motion('cmu_01_03', 'ff7', 'mbaa'), '-s', self.path('rig.gltf'), '--suggest', '--force', '-o', self.path('map.json')), 0)
        self.assertLess(struct.unpack('>II', read(self.path('map.png'))[16:24])[1], 800)   # a skeleton alone does not move


class Weapons(Case):
    def test_a_weapon_without_a_joint_gets_one_in_the_hand(self):
        rig, mapping = self.path('rig.glb'), self.path('map.json')
        self.check(run('convert', motion('cmu_01_01', 'metroid', 'ma_0.ANIM'), '-q', '-o', rig), 0)
        self.check(run('bind', sample('ff7', 'hrda'), '-s', rig, '--suggest', '-o', mapping), 0)
        lines = json.loads(read(mapping))
        lines['joints'] = [line for line in lines['joints'] if line['source'] != 'weapon000']
        write(mapping, json.dumps(lines))
        self.tells('weapon000 is carried by', 'convert', sample('ff7', 'hrda'), '-s', rig, '--map', mapping, '-o', self.path('out.glb'))
        scene = Scene(read(self.path('out.glb')))
        weapon = scene.node('weapon000')
        hand = scene.parent[weapon]
        self.assertIn(hand, scene.g['skins'][0]['joints'])
        distances = []
        for i in range(len(scene.g['animations'])):
            clip = scene.animation(i)
            if not any(node == weapon and path == 'translation' for node, path in clip):
                continue
            for time in sorted({t for channel in clip.values() for t in channel[0]}):
                at = scene.world(clip, time)
                distances.append(math.dist(at('weapon000'), at(scene.nodes[hand]['name'])))
        self.assertLess(max(distances) - min(distances), 0.02)

    def test_a_mapping_may_say_who_carries_it(self):
        rig = self.path('rig.glb')
        self.check(run('convert', sample('ff7', 'hraa'), '-q', '-o', rig), 0)
        mapping = write(self.path('map.json'), json.dumps({'schema': 1, 'attach': [{'source': 'weapon000', 'joint': 'bone003'}]}))
        p = self.check(run('convert', sample('ff7', 'hrda'), '-s', rig, '--source-skeleton', sample('ff7', 'hraa'), '--map', mapping,
                           '-o', self.path('out.glb')), 0)
        self.assertIn('weapon000 is carried by bone003', p.err)


class Grip(Person):
    """A right hand with fingers that point to -X in T pose, its palm down."""
    FINGERS = ('index', .03), ('middle', .01), ('ring', -.01), ('pinky', -.03)

    def bent(self, *options):
        """-> the messages, and the angles between the bones of the middle finger in each clip."""
        rows = self.person()
        for finger, z in self.FINGERS:
            rows += [('%s_0%d_r' % (finger, n), '%s_0%d_r' % (finger, n - 1) if n > 1 else 'hand_r', (-.77 - .03 * n, 1.4, z)) for n in (1, 2, 3)]
        p = self.check(run('convert', sample('ff7', 'hrda'), '-s', self.rig(rows), '--rig-mesh', 'omit', '-v', *options, '--force', '-o', self.path('out.glb')), 0)
        scene = Scene(read(self.path('out.glb')))
        angles = []
        for i in range(len(scene.g['animations'])):
            at = scene.world(scene.animation(i), .1)
            hand, first, second, third = (at(name) for name in ('hand_r', 'middle_01_r', 'middle_02_r', 'middle_03_r'))
            ways = [[b - a for a, b in zip(start, end)] for start, end in ((hand, first), (first, second), (second, third))]
            angles.append([math.degrees(math.acos(min(1.0, sum(a * b for a, b in zip(x, y)) / (math.hypot(*x) * math.hypot(*y))))) for x, y in zip(ways, ways[1:])])
        return p.err, angles

    def test_a_hand_that_holds_a_sword_closes_its_fingers(self):
        said, angles = self.bent()
        self.assertIn('hand_r closes its fingers around weapon000', said)
        for knuckle, middle in angles:
            self.assertAlmostEqual(knuckle, 65, delta=2)         # the hand points a little aside
            self.assertAlmostEqual(middle, 75, delta=2)

    def test_it_may_stay_open(self):
        said, angles = self.bent('--grip', 'keep')
        self.assertNotIn('closes its fingers', said)
        for angle in angles:
            for value in angle:
                self.assertLess(value, 10)                       # the hand points a little aside


class KeepMesh(Person):
    def test_several_outputs_leave_the_mesh_and_say_so(self):
        rig, out = self.path('rig.glb'), self.path('out') + '/'
        self.check(run('convert', sample('ff7', 'hrda'), '--clip', '0', '--proxy-mesh', '-o', rig), 0)
        source = [sample('ff7', 'hrda'), '-s', rig, '--source-skeleton', sample('ff7', 'hraa'), '--force', '-o']
        said = f'{rig}: with several outputs, the rig\'s mesh is left out. Use --rig-mesh keep to write it into each output\n'
        for words, is_said in (([out], True), ([out, '--rig-mesh', 'keep'], False), ([out, '--rig-mesh', 'omit'], False), ([out, '--with-mesh'], False),
                               ([self.path('one.glb')], False), ([out, '--as', 'bvh'], False)):
            self.assertEqual(said in self.check(run('convert', *source, *words), 0).err, is_said, words)

    def test_the_rigs_own_file_gets_the_animations(self):
        rig, out = self.path('rig.glb'), self.path('out.glb')
        self.check(run('convert', sample('ff7', 'hrda'), '--clip', '0', '--proxy-mesh', '-o', rig), 0)
        words = ['convert', sample('ff7', 'hrda'), '--source-skeleton', sample('ff7', 'hraa'), '--rig-mesh', 'keep', '-s']
        p = self.check(run(*words, rig, '-o', out), 0)
        self.assertIn('4 clips, 22 joints', p.err)
        self.assertIn(f'; the meshes and one more clip come from {rig}\n', p.err)
        self.assertIn(f'; the meshes and 5 more clips come from {out}\n', self.check(run(*words, out, '-o', self.path('again.glb')), 0).err)
        os.remove(self.path('again.glb'))
        before, after = Scene(read(rig)).g, Scene(read(out)).g
        for key in ('meshes', 'skins', 'nodes'):
            self.assertEqual(before[key], after[key])
        self.assertEqual([a['name'] for a in after['animations']], ['hrda_000_2', 'hrda_001', 'hrda_002', 'hrda_004', 'hrda_000'])
        self.assertEqual(subprocess.run(['node', os.path.join(SOURCE, 'tests', 'validate.js'), self.folder], stdout=subprocess.DEVNULL).returncode, 0)

    def armed(self, mapping):
        """-> the sample, and the sample bound to a foreign rig with scale 1.5"""
        rig, own, out = self.path('rig.glb'), self.path('own.glb'), self.path('out.glb')
        self.check(run('convert', motion('cmu_01_01', 'metroid', 'ma_0.ANIM'), '--proxy-mesh', '-q', '-o', rig), 0)
        self.check(run('convert', sample('ff7', 'hrda'), '-q', '-o', own), 0)
        self.check(run('bind', sample('ff7', 'hrda'), '-s', rig, '--suggest', '-q', '-o', self.path('map.json')), 0)
        lines = json.loads(read(self.path('map.json')))
        lines['joints'] = [line for line in lines['joints'] if line['source'] != 'weapon000']
        mapping(lines)
        self.check(run('convert', sample('ff7', 'hrda'), '-s', rig, '--map', write(self.path('map.json'), json.dumps(lines)), '--root-scale', '1.5',
                       '--rig-mesh', 'keep', '-q', '-o', out), 0)
        # the validator reports nothing about the rig or the result
        self.assertEqual(subprocess.run(['node', os.path.join(SOURCE, 'tests', 'validate.js'), self.folder], stdout=subprocess.DEVNULL).returncode, 0)
        before, source, after = (Scene(read(path)) for path in (rig, own, out))
        for key in ('meshes', 'skins'):
            self.assertEqual(before.g[key], after.g[key])
        weapon = after.node('weapon000')
        self.assertEqual(weapon, len(before.nodes))                            # after those of the rig
        nodes = json.loads(json.dumps(before.nodes))
        if weapon in after.parent:
            nodes[after.parent[weapon]].setdefault('children', []).append(weapon)
        self.assertEqual(after.nodes[:weapon], nodes)
        return source, after, {line['target']: line['source'] for line in lines['joints']}

    def swings(self, source, after):
        """every time at which the weapon has a key -> (clip of the source, clip of the result, time)"""
        weapon, found = source.node('weapon000'), 0
        for name in (a['name'] for a in source.g['animations']):
            before, now = animation(source, name), animation(after, name)
            self.assertIn((after.node('weapon000'), 'rotation'), now)
            for time in before.get((weapon, 'translation'), [()])[0]:
                found += 1
                yield before, now, time
        self.assertGreater(found, 40)

    def test_a_weapon_without_a_joint_gets_a_node_in_the_hand(self):
        source, after, leader = self.armed(lambda lines: None)
        hand = after.nodes[after.parent[after.node('weapon000')]]['name']

        def ways(before, now, time):
            was, at = source.world(before, time), after.world(now, time)
            return [1.5 * (x - y) for x, y in zip(was('weapon000'), was(leader[hand]))], [x - y for x, y in zip(at('weapon000'), at(hand))]
        worst, reach = 0, 0
        for before, now, time in self.swings(source, after):
            was, is_now = ways(before, now, time)
            worst, reach = max(worst, math.dist(was, is_now)), max(reach, math.hypot(*was))
            # the rig was not turned, so it faces where the source faces
            was, is_now = (rotation_in_world(s, clip, time, s.node('weapon000')) for s, clip in ((source, before), (after, now)))
            worst = max(worst, *(abs(x - y) for rows in zip(was, is_now) for x, y in zip(*rows)))
        print('weapon: %.3f m from %s, off by %.2g m at most' % (reach, hand, worst))
        self.assertLess(worst, 1e-5)
        self.assertGreater(reach, 0.1)
        was, is_now = ways({}, {}, 0)                                          # at rest, too, though its arms have another pose
        self.assertAlmostEqual(math.hypot(*was), math.hypot(*is_now), 5)

    def test_the_same_joint_carries_a_weapon_whichever_clips_are_wanted(self):
        rig = self.skinned()
        carriers = set()
        for clip in ('0', '1', '2', '4'):
            self.check(run('convert', sample('ff7', 'hrda'), '-s', rig, '--clip', clip, '-q', '--force', '-o', self.path('x.glb')), 0)
            scene = Scene(read(self.path('x.glb')))
            carriers.add(scene.nodes[scene.parent[scene.node('weapon000')]]['name'])
        self.assertEqual(len(carriers), 1, carriers)

    def test_a_weapon_whose_carrier_leads_nothing_goes_to_the_scene(self):
        def only_legs(lines):
            lines['joints'] = [line for line in lines['joints'] if 'Leg' in line['target']]
            lines['ignore'] = ['root']
            lines['attach'] = [{'source': 'weapon000', 'joint': 'root'}]
        source, after, _ = self.armed(only_legs)
        weapon = after.node('weapon000')
        self.assertIn(weapon, after.g['scenes'][0]['nodes'])
        for before, now, time in self.swings(source, after):
            was = [1.5 * x for x in source.world(before, time)('weapon000')]
            self.assertLess(math.dist(was, after.world(now, time)('weapon000')), 1e-5)

    def test_only_with_gltf(self):
        p = self.check(run('convert', sample('ff7', 'hrda'), '--rig-mesh', 'keep', '-o', self.path('x.glb')), 2)
        self.assertEqual(p.err, 'reanima: --rig-mesh keep: -s must name a .glb or .gltf, or another rig with a mesh\n')
        rig = self.path('rig.glb')
        self.check(run('convert', sample('ff7', 'hraa'), '-q', '-o', rig), 0)
        for more in (('--rig-mesh', 'keep', '--rig-scale', '2'),):
            self.check(run('convert', sample('ff7', 'hrda'), '-s', rig, *more, '-o', self.path('x.gltf')), 2,
                       "reanima: --rig-scale: can't scale the rig, because its own file is the base of the output\n")
        self.check(run('convert', sample('ff7', 'hrda'), '-s', rig, '--rig-mesh', 'keep', '--with-mesh', '-o', self.path('x.gltf')), 2,
                   "reanima: --with-mesh: can't add meshes, because the output keeps the rig's own file and meshes\n")
        self.check(run('convert', sample('ff7', 'hrda'), '--with-mesh', '-o', self.path('x.gltf')), 2,
                   'reanima: --with-mesh: needs a rig. Add -s RIG\n')

    def skinned(self, name='rig.glb', quantized=False, compressed=False):
        """a person with a mesh; quantized: positions in steps of 1/5000 m, which the bind matrices undo, as in
        gltfpack's files"""
        rows, step, offset = self.person(), .0002 if quantized else 1, (.3, -.2, .1) if quantized else (0, 0, 0)
        g = json.loads(read(self.rig(rows)))
        # joint space from the mesh's: place^-1 * (step * p + offset)
        binds = b''.join(struct.pack('<16f', step, 0, 0, 0, 0, step, 0, 0, 0, 0, step, 0, *[o - x for o, x in zip(offset, place)], 1) for _, _, place in rows)
        corners = b''.join(struct.pack('<3f', *[(x - o) / step for x, o in zip(corner, offset)]) for corner in ((-.1, 1, 0), (.1, 1, 0), (0, 1.4, .1)))
        data = binds + corners + bytes(12) + struct.pack('<12f', *(3 * [1, 0, 0, 0]))
        sizes = [len(binds), 36, 12, 48]
        g['bufferViews'] = [{'buffer': 0, 'byteOffset': sum(sizes[:i]), 'byteLength': size} for i, size in enumerate(sizes)]
        if compressed:                                                          # the data there can't be decoded
            g['bufferViews'][0]['extensions'] = {'EXT_meshopt_compression': {'buffer': 0, 'byteLength': 9, 'byteStride': 64, 'count': len(rows), 'mode': 'ATTRIBUTES'}}
            g['extensionsUsed'] = g['extensionsRequired'] = ['EXT_meshopt_compression']
            data = bytes(len(binds)) + data[len(binds):]
        extent = list(zip(*[struct.unpack_from('<3f', corners, 12 * i) for i in range(3)]))
        g['accessors'] = [{'bufferView': 0, 'componentType': 5126, 'type': 'MAT4', 'count': len(rows)},
                          {'bufferView': 1, 'componentType': 5126, 'type': 'VEC3', 'count': 3, 'min': list(map(min, extent)), 'max': list(map(max, extent))},
                          {'bufferView': 2, 'componentType': 5121, 'type': 'VEC4', 'count': 3}, {'bufferView': 3, 'componentType': 5126, 'type': 'VEC4', 'count': 3}]
        g['skins'] = [{'joints': list(range(len(rows))), 'inverseBindMatrices': 0}]
        g['meshes'] = [{'primitives': [{'attributes': {'POSITION': 1, 'JOINTS_0': 2, 'WEIGHTS_0': 3}}]}]
        g['scenes'][0]['nodes'].append(len(g['nodes']))
        g['nodes'].append({'name': 'body', 'mesh': 0, 'skin': 0})
        g['buffers'] = [{'byteLength': len(data)}]
        return write(self.path(name), glb_of(g, data))

    def test_a_mesh_is_kept_where_there_is_one_output(self):
        walk, rig = motion('cmu_01_03', 'ff7', 'mbda'), self.skinned()
        skeleton = self.rig(self.person())
        for name, args, mesh in (('a.glb', (), True), ('b.glb', ('--rig-mesh', 'omit'), False), ('c.glb', ('--rig-scale', '2'), False), ('many/', (), False),
                                 ('all/', ('--rig-mesh', 'keep'), True)):
            self.check(run('convert', walk, '-s', rig, *args, '-q', '-o', self.path(name)), 0)
            scene = Scene(read(self.path(name, 'mbda.glb') if name[-1] == '/' else self.path(name)))
            self.assertEqual('body' in [n.get('name') for n in scene.nodes], mesh, name)
        self.check(run('convert', walk, '-s', skeleton, '-q', '-o', self.path('d.glb')), 0)   # it has none
        heights = [Scene(read(self.path(f))).world({}, 0)('head')[1] for f in ('b.glb', 'c.glb')]
        self.assertAlmostEqual(heights[1], 2 * heights[0], 5)
        self.check(run('convert', walk, '-s', rig, '--proxy-mesh', '-q', '-o', self.path('e.glb')), 0)  # for what has none
        self.assertIn('body', [n.get('name') for n in Scene(read(self.path('e.glb'))).nodes])
        job = write(self.path('j.reanima.json'), json.dumps({'schema': 1, 'inputs': [walk], 'skeleton': 'rig.glb', 'output': 'j.glb', 'options': {'keep-mesh': False}}))
        self.check(run('convert', job, '-q'), 0)
        self.assertEqual(read(self.path('j.glb')), read(self.path('b.glb')))

    def test_a_text_file_keeps_the_mesh_too(self):
        walk, rig = motion('cmu_01_03', 'ff7', 'mbda'), self.skinned()
        for name in ('x.glb', 'x.gltf'):
            self.check(run('convert', walk, '-s', rig, '-q', '-o', self.path(name)), 0)
        binary, text = Scene(read(self.path('x.glb'))), json.loads(read(self.path('x.gltf')))
        data = read(self.path('x.bin'))
        self.assertEqual((text['buffers'][0]['uri'], text['buffers'][0]['byteLength']), ('x.bin', len(data)))
        self.assertEqual(binary.blob[:len(data)], data)
        for key in ('nodes', 'meshes', 'skins', 'accessors', 'bufferViews', 'animations'):
            self.assertEqual(binary.g[key], text[key])
        self.assertEqual(subprocess.run(['node', os.path.join(SOURCE, 'tests', 'validate.js'), self.folder], stdout=subprocess.DEVNULL).returncode, 0)
        self.tells('1 unchanged', 'convert', walk, '-s', rig, '--if-changed', '-o', self.path('x.gltf'))

    def test_quantized_and_compressed_meshes(self):
        walk, scenes = motion('cmu_01_03', 'ff7', 'mbda'), []
        for i, kind in enumerate(({}, {'quantized': True}, {'quantized': True, 'compressed': True})):
            rig, out = self.skinned('rig%d.glb' % i, **kind), self.path('out%d.glb' % i)
            p = self.check(run('convert', walk, '-s', rig, '-o', out), 0)
            self.assertEqual('its matrices are compressed (EXT_meshopt_compression), so the rest pose is taken from the nodes' in p.err, 'compressed' in kind)
            scenes.append(Scene(read(out)))
            self.assertIn('body', [n.get('name') for n in scenes[-1].nodes])
        for clip in range(len(scenes[0].g['animations'])):
            first = scenes[0].animation(clip)
            for other in scenes[1:]:
                places = [scene.world(scene.animation(clip), 0.3) for scene in (scenes[0], other)]
                for joint in ('pelvis', 'hand_l', 'foot_r', 'head'):
                    self.assertLess(math.dist(places[0](joint), places[1](joint)), 1e-4)

    def test_the_size_of_a_rig_can_be_changed(self):
        rows = [(n, p, [100 * c for c in x]) for n, p, x in self.person()]
        walk, rig = motion('cmu_01_03', 'ff7', 'mbda'), self.rig(rows)
        self.tells('warning: the rest pose is 155 m high (see --rig-scale)\n', 'convert', walk, '-s', rig, '-o', self.path('x.glb'))
        self.tells('1.55 m high', 'convert', walk, '-s', rig, '--rig-scale', '0.01', '--strict', '-o', self.path('y.glb'))

    def test_a_job_that_fails_shows_no_table(self):
        rig = self.path('rig.glb')
        self.check(run('convert', sample('ff7', 'hraa'), '-q', '-o', rig), 0)
        p = self.check(run('convert', sample('ff7', 'hrda'), '-s', rig, '--loop-key', 'nope', '-o', self.path('x.glb')), 2)
        self.assertIn('--loop-key nope: there is no such clip', p.err)
        self.assertNotIn('scale ', p.err)


@unittest.skipUnless(os.path.isdir(MODELS), 'assimp-testmodels is not installed')
class RigsOfOthers(Case):
    HUMANOIDS = ('BVH/01_01.bvh', 'BVH/Boxing_Toes.bvh', 'FBX/animation_with_skeleton.fbx', 'X/Testwuson.X')

    def test_humanoids_take_real_motion(self):
        done = 0
        for name in self.HUMANOIDS:
            rig = os.path.join(MODELS, name)
            if not os.path.exists(rig):
                continue
            mapping, out = self.path('%d.json' % done), self.path('%d.glb' % done)
            p = run('bind', motion('cmu_01_01', 'ff7', 'mada'), '-s', rig, '--suggest', '-o', mapping)
            self.check(p, 0)
            p = self.check(run('convert', motion('cmu_01_01', 'ff7', 'mada'), '-s', rig, '--map', mapping, '-o', out, '--warn', 'implausible-size=ignore'), 0)
            print('%s: %d of 28 joints of the source lead one of the rig' % (name, len(json.loads(read(mapping))['joints'])))
            if name.endswith('.bvh'):          # rests with the hips at the origin, and stands at 0
                floats, height = (float(re.search(words, p.err).group(1)) for words in (r'the feet are up to (\d+) mm above', r'([\d.]+) m high;'))
                self.assertLess(floats / 1000, 0.07 * height)       # a sole's thickness, which no joint tells
            done += 1
        self.assertGreaterEqual(done, 2)
        self.assertEqual(subprocess.run(['node', os.path.join(SOURCE, 'tests', 'validate.js'), self.folder], stdout=subprocess.DEVNULL).returncode, 0)

    def test_what_can_not_be_a_rig_is_refused_with_a_reason(self):
        for name in ('FBX/cubes_with_mirroring_and_pivot.fbx', 'MDL/MDL3 (3DGS A4)/minigun.MDL'):
            rig = os.path.join(MODELS, name)
            if os.path.exists(rig):
                p = run('convert', sample('ff7', 'hrda'), '-s', rig, '-o', self.path('x.glb'))
                self.assertEqual(p.returncode, 1, p.err)
                self.assertIn(os.path.basename(name), p.err)


class Options(Case):
    def rig(self):
        rig = self.path('rig.glb')
        self.check(run('convert', sample('ff7', 'hraa'), '--no-mesh', '-q', '-o', rig), 0)
        return rig

    def test_nothing_in_common(self):
        walk, own, rig = sample('metroid', 'hero_walk.ANIM'), sample('metroid', 'hero.CINF'), self.rig()
        os.mkdir(self.path('my files'))
        spaced = shutil.copy(own, self.path('my files'))
        for args, more in ((), ''), (('--source-skeleton', own), ' --source-skeleton ' + own), (('--source-skeleton', spaced), ' --source-skeleton "%s"' % spaced), (('--format', 'metroid-anim'), ' --format metroid-anim'):
            self.check(run('convert', walk, '-s', rig, *args, '-q', '-o', self.path('x.glb')), 1,
                       'reanima: %s: hero and %s have no joint names in common, and the rig is not recognised as a humanoid: left and right do not mirror each other. State in a mapping file which joint follows which (see --map FILE); '
                       '`reanima bind %s -s %s%s --suggest -o MAP.json` suggests a mapping\n' % (walk, rig, walk, rig, more))

    def test_options_of_binding_need_a_rig(self):
        pack, mapping = sample('ff7', 'hrda'), write(self.path('map.csv'), 'root,root')
        for option, value in (('--map', mapping), ('--mode', 'local'), ('--source-rest', 'zero'), ('--root-scale', '2'), ('--rig-scale', '2')):
            self.check(run('convert', pack, option, value, '-o', self.path('x.glb')), 2, 'reanima: %s: needs a rig. Add -s RIG\n' % option)
        job = write(self.path('x.reanima.json'), json.dumps({'schema': 1, 'inputs': [pack], 'output': 'x.glb', 'options': {'mode': 'local'}}))
        p = self.check(run('convert', job), 2)
        self.assertTrue(p.err.startswith('reanima: %s: --mode: needs a rig. Add -s RIG\n' % job), p.err)
        write(job, json.dumps({'schema': 1, 'inputs': [pack], 'output': 'x.glb', 'skeleton': os.path.basename(self.rig())}))
        self.check(run('convert', job, '--mode', 'local'), 0)                  # the file says what it is bound to
        self.check(run('convert', pack, '-s', sample('ff7', 'hraa'), '--mode', 'local', '-o', self.path('y.glb')), 0)

    def test_a_rest_pose_that_is_not_there(self):
        pack, clips = sample('ff7', 'hrda'), 'the clips are hrda_000, hrda_001, hrda_002, hrda_004'
        rig, own, moment = self.rig(), sample('ff7', 'hraa'), 'CLIP:FRAME or FILE[:CLIP:FRAME]'
        for pose, problem in (('foo', 'is neither a file nor a frame of a clip; expected %szero, skeleton, ' + moment),
                              (':0', 'is neither a file nor a frame of a clip; expected %szero, skeleton, ' + moment),
                              ('nothere/hrda:0:1', 'there is no such file, and no clip nothere/hrda:0; ' + clips),
                              ('idle:3', 'there is no such file, and no clip idle; ' + clips),
                              (pack + ':idle:3', 'there is no clip idle in %s; %s' % (pack, clips)),
                              (pack + ':idle', 'the text after the file name is not CLIP:FRAME; expected %szero, skeleton, ' + moment)):
            mapping = write(self.path('map.json'), json.dumps({'schema': 1, 'source_rest': pose}))
            for args, option, match in ((('--rest', pose), '--rest', ''),
                                        (('-s', rig, '--source-skeleton', own, '--source-rest', pose), '--source-rest', 'match, '),
                                        (('-s', rig, '--source-skeleton', own, '--map', mapping), '--map source_rest', 'match, ')):
                self.check(run('convert', pack, *args, '-q', '-o', self.path('x.glb')), 2,
                           'reanima: %s %s: %s\n' % (option, pose, problem % match if '%s' in problem else problem))
        p = self.check(run('convert', motion('cmu_01_01', 'ff7', 'mada'), '--rest', 'idle:3', '-o', self.path('x.glb')), 2)
        self.assertTrue(p.err.endswith('; the clips are mada_000, mada_001, mada_002, mada_004, mada_005 and 1 more\n'), p.err)

    def test_only_convert_takes_a_rig_besides_bind(self):
        rig = self.rig()
        for verb in ('info', 'dump', 'check'):
            self.check(run(verb, sample('ff7', 'hrda'), '-s', rig), 2,
                       "reanima: -s %s: is a rig, expected the game's own skeleton. To bind to a rig, use `reanima convert`\n" % rig)
        for verb, text in (('info', "the game's skeleton\n"), ('check', "the game's skeleton\n"), ('dump', "the game's skeleton\n"),
                           ('bind', "the game's skeleton, or another program's rig to bind the motion to\n"),
                           ('convert', "the game's skeleton, or another program's rig to bind the motion to\n")):
            self.assertIn('-s,--skeleton FILE ' + text.strip() + ' -', ' '.join(self.check(run(verb, '--help'), 0).stdout.decode().split()))

    def test_a_mapping_for_another_game_is_noticed(self):
        rig, mapping = self.path('hero.glb'), self.path('map.json')
        self.check(run('convert', sample('metroid', 'hero_walk.ANIM'), '-q', '-o', rig), 0)
        self.check(run('bind', sample('ff7', 'hrda'), '-s', rig, '--suggest', '-q', '-o', mapping), 0)
        lines = len([line for line in json.loads(read(mapping))['joints'] if line['source'] and line['target']])
        p = self.check(run('convert', sample('ff9', 'hero.ff9db'), '-s', rig, '--map', mapping, '-o', self.path('x.glb')), 0)
        self.assertIn('warning: 1 of %d lines of the mapping match no joint of hero (first: root -> hips)\n' % lines, p.err)
        self.assertRegex(p.err, r'warning: the parents of \d+ of %d joints do not match those of their sources, so the mapping may be for another skeleton\n' % (lines - 1))
        self.assertIn('  other parents\n', run('bind', sample('ff9', 'hero.ff9db'), '-s', rig, '--map', mapping).stdout.decode())
        p = self.check(run('convert', sample('ff7', 'hrda'), '-s', rig, '--map', mapping, '-o', self.path('y.glb')), 0)
        self.assertNotIn('warning', p.err)

    def test_the_skeleton_of_another_game_is_a_rig(self):
        pack, own, rig = (motion('cmu_01_01', *f) for f in (('ff7', 'mada'), ('ff7', 'maaa'), ('metroid', 'ma.CINF')))
        mapping = self.path('map.json')
        self.check(run('bind', pack, '-s', rig, '--suggest', '-q', '-o', mapping), 0)
        for name, args in (('found', ()), ('named', ('--source-skeleton', own))):
            self.check(run('convert', pack, '-s', rig, *args, '--map', mapping, '-q', '-o', self.path(name + '.glb')), 0)
        found, named = (Scene(read(self.path(name + '.glb'))).g['animations'] for name in ('found', 'named'))
        self.assertEqual({a['extras'].pop('linked_by') for a in named}, {'given'})
        self.assertEqual(found, named)
        p = self.check(run('convert', pack, '-s', rig, '--map', mapping, '--source-rest', 'mada_000:999', '-o', self.path('x.glb')), 2)
        self.assertIn('--source-rest mada_000:999: mada_000 only has the frames 0 to', p.err)
        for verb in ('info', 'dump', 'check'):
            p = self.check(run(verb, pack, '-s', rig), 1)
            self.assertIn("%s: its skeleton can't be %s, which belongs to another game (Metroid Prime 1 and 2 skeleton). When clips are converted, they can be bound to such a skeleton\n" % (pack, rig), p.stdout.decode() if verb == 'check' else p.err)

    def test_only_skeletons_are_rigs(self):
        pack, label = sample('ff7', 'hrda'), {'gate.rlf': 'ZVision run-length video', 'hero_walk.ANIM': 'Metroid Prime 1 and 2 animation'}
        for rig in (sample('rlf', 'gate.rlf'), sample('metroid', 'hero_walk.ANIM')):
            own = '; its skeleton is ' + sample('metroid', 'hero.CINF') if rig.endswith('ANIM') else ''
            message = 'reanima: %s: is %s, not a skeleton%s\n' % (rig, label[os.path.basename(rig)], own)
            self.check(run('bind', pack, '-s', rig, '--suggest', '-q', '-o', self.path('map.json')), 1, message)
            self.check(run('convert', pack, '-s', rig, '-q', '-o', self.path('x.glb')), 1, message)

    def test_a_source_skeleton_of_another_game_is_named(self):
        walk, own = sample('metroid', 'hero_walk.ANIM'), sample('ff7', 'hraa')
        p = self.check(run('convert', walk, '--source-skeleton', own, '-o', self.path('x.glb')), 1)
        self.assertIn("%s: its skeleton can't be %s, which belongs to another game" % (walk, own), p.err)

    def test_two_lines_for_one_joint_contradict_each_other(self):
        first = write(self.path('first.csv'), 'root,hips\n')
        both = write(self.path('both.csv'), 'root,hips\nbone000,hips\n')
        args = ('convert', sample('ff7', 'hrda'), '-s', sample('metroid', 'hero.CINF'), '-q', '--force', '-o', self.path('x.glb'))
        self.tells('hips', *args, '--map', both, status=1)
        self.check(run(*args, '--map', write(self.path('second.csv'), 'bone000,hips\n'), '--map', first), 0)      # the later file counts

    def test_the_pack_beside_a_rig_counts_as_read(self):
        for name, source in (('rtaa', 'maaa'), ('rtda', 'mada')):
            write(self.path(name), read(motion('cmu_01_01', 'ff7', source)))
        mapping = write(self.path('map.csv'), 'Hips,root')
        args = ('convert', motion('cmu_01_01', 'metroid', 'ma_0.ANIM'), '-s', 'rtaa', '--map', mapping, '-q', '--if-changed', '-o', 'x.glb')
        self.check(run(*args, '--depfile', 'x.d', cwd=self.folder), 0)
        self.assertIn(' rtda', read(self.path('x.d')).decode())
        for pack, changes in (('mada', False), ('mbda', True)):
            before = read(self.path('x.glb'))
            capture = 'cmu_01_01' if pack == 'mada' else 'cmu_01_03'
            write(self.path('rtda'), read(motion(capture, 'ff7', pack)))
            self.check(run(*args, cwd=self.folder), 0)
            self.assertEqual(read(self.path('x.glb')) != before, changes)
        self.check(run(*args, '--no-companion', '--source-skeleton', motion('cmu_01_01', 'metroid', 'ma.CINF'), '--depfile', 'x.d', cwd=self.folder), 0)
        self.assertNotIn(' rtda', read(self.path('x.d')).decode())

    def other_game(self, *args, skeleton=None):
        """the pack on the Metroid skeleton of the same person"""
        mapping = write(self.path('map.csv'), '\n'.join('%s,%s' % (joints_of('cmu_01_01', 'ff7')[j], t) for j, t in joints_of('cmu_01_01', 'metroid').items()
                                                        if j in joints_of('cmu_01_01', 'ff7')))
        return run('convert', motion('cmu_01_01', 'ff7', 'mada'), '-s', skeleton or motion('cmu_01_01', 'metroid', 'ma.CINF'), '--map', mapping, *args, cwd=self.folder)

    def test_what_is_odd_about_a_skeleton_of_another_game_is_said(self):
        odd = write(self.path('odd.CINF'), read(motion('cmu_01_01', 'metroid', 'ma.CINF')) + bytes(3))
        p = self.check(self.other_game('-o', 'x.glb', skeleton=odd), 0)
        self.assertIn('3 bytes follow the content', p.err)
        self.check(self.other_game('--strict', '-o', 'y.glb', skeleton=odd), 1)

    def test_a_skeleton_of_another_game_that_is_broken_fails_every_input(self):
        for name in ('aada', 'bbda'):
            write(self.path('in/' + name), read(motion('cmu_01_01', 'ff7', 'mada')))
        broken = write(self.path('broken.CINF'), read(motion('cmu_01_01', 'metroid', 'ma.CINF'))[:-7])
        self.tells('0 converted, 2 failed', 'convert', 'in', '-s', broken, '--skeleton-format', 'metroid-cinf', '-o', 'out/', '-j', 2, status=1)

    def test_a_skeleton_alone_stands_on_the_rig_too(self):
        for rig in (motion('cmu_01_01', 'metroid', 'ma.CINF'), self.path('rig.glb')):
            if not os.path.exists(rig):
                self.check(run('convert', motion('cmu_01_01', 'metroid', 'ma.CINF'), '-q', '-o', rig), 0)
            self.check(run('convert', motion('cmu_01_01', 'ff7', 'maaa'), '-s', rig, '--map', write(self.path('m.csv'), 'root,Hips'),
                           '--depfile', 'x.d', '--force', '-o', 'x.glb', cwd=self.folder), 0)
            self.assertIn('Hips', [node.get('name') for node in Scene(read(self.path('x.glb'))).g['nodes']])
            for path in read(self.path('x.d')).decode().split(':')[1].replace('\\\n', '').split():
                self.assertTrue(os.path.exists(os.path.join(self.folder, path)), path)

    def test_updates_depend_on_what_a_rig_refers_to(self):
        self.check(run('convert', sample('ff7', 'hraa'), '--proxy-mesh', '-q', '-o', self.path('rig.gltf')), 0)
        rig = json.loads(read(self.path('rig.gltf')))
        rig['images'] = [{'uri': 'skin%201.png'}]
        write(self.path('rig.gltf'), json.dumps(rig))
        write(self.path('skin 1.png'), b'first')
        for mesh in (('--rig-mesh', 'omit'), ('--rig-mesh', 'keep')):
            keeps = 'keep' in mesh
            args = ('convert', sample('ff7', 'hrda'), '-s', 'rig.gltf', *mesh, '--force', '--if-changed', '--depfile', 'x.d', '-o', 'x.glb')
            self.check(run(*args, cwd=self.folder), 0)
            read_files = read(self.path('x.d')).decode()
            self.assertIn(' rig.bin', read_files)
            self.assertEqual('skin\\ 1.png' in read_files, keeps)
            self.assertIn('1 unchanged', self.check(run(*args, cwd=self.folder), 0).err)
            write(self.path('skin 1.png'), b'second' + bytes(keeps))
            self.assertEqual('1 unchanged' in self.check(run(*args, cwd=self.folder), 0).err, not keeps)
            data = bytearray(read(self.path('rig.bin')))
            data[60] ^= 1
            write(self.path('rig.bin'), bytes(data))
            self.assertNotIn('1 unchanged', self.check(run(*args, cwd=self.folder), 0).err)

    def test_a_rig_may_not_fill_the_memory_with_what_it_refers_to(self):
        self.check(run('convert', sample('ff7', 'hraa'), '--proxy-mesh', '-q', '-o', self.path('rig.gltf')), 0)
        rig = json.loads(read(self.path('rig.gltf')))
        rig['images'] = [{'uri': '%d.png' % i} for i in range(3)]
        write(self.path('rig.gltf'), json.dumps(rig))
        for i in range(3):
            write(self.path('%d.png' % i), bytes(400 << 10))
        args = ('convert', sample('ff7', 'hrda'), '-s', self.path('rig.gltf'), '-o', self.path('x.glb'), '--limit-memory', '1')
        self.check(run(*args, '-q', '--rig-mesh', 'omit'), 0)
        self.check(run(*args, '--force', '--rig-mesh', 'keep'), 4, 'reanima: %s: would need 2 MiB of memory, but the limit is 1 (see --limit-memory MIB)\n' % self.path('2.png'))

    def test_a_rig_refers_to_its_own_folder_only(self):
        self.check(run('convert', sample('ff7', 'hraa'), '--proxy-mesh', '-q', '-o', self.path('below', 'rig.gltf')), 0)
        rig = json.loads(read(self.path('below', 'rig.gltf')))
        rig['images'] = [{'uri': '../secret.png'}, {'uri': 'skin.png'}]
        write(self.path('below', 'rig.gltf'), json.dumps(rig))
        write(self.path('secret.png'), b'secret')
        write(self.path('below', 'skin.png'), b'skin')
        self.check(run('convert', sample('ff7', 'hrda'), '-s', self.path('below', 'rig.gltf'), '--rig-mesh', 'keep', '-q', '--depfile', self.path('x.d'), '-o', self.path('x.glb')), 0)
        self.assertIn('skin.png', read(self.path('x.d')).decode())
        self.assertNotIn('secret', read(self.path('x.d')).decode())

    @unittest.skipIf(os.name == 'nt', 'links need rights there')
    def test_a_link_beside_a_rig_leads_not_out_of_its_folder(self):
        self.check(run('convert', sample('ff7', 'hraa'), '--proxy-mesh', '-q', '-o', self.path('below', 'rig.gltf')), 0)
        rig = json.loads(read(self.path('below', 'rig.gltf')))
        rig['images'] = [{'uri': 'skin.png'}]
        write(self.path('below', 'rig.gltf'), json.dumps(rig))
        os.symlink('../secret.png', self.path('below', 'skin.png'))
        outcomes = []
        for secret in (b'secret', b'another secret' * 1000):
            write(self.path('secret.png'), secret)
            p = run('convert', sample('ff7', 'hrda'), '-s', self.path('below', 'rig.gltf'), '--rig-mesh', 'keep', '--force',
                    '--depfile', self.path('x.d'), '-o', self.path('x.glb'))
            outcomes.append((p.returncode, p.err, read(self.path('x.glb')), read(self.path('x.d'))))
        self.assertEqual(outcomes[0][0], 0, outcomes[0][1])
        self.assertEqual(outcomes[0], outcomes[1])
        self.assertNotIn(b'skin.png', outcomes[0][3])
        self.assertNotIn(b'secret', outcomes[0][3])

    def test_the_rest_pose_that_a_mapping_names_lies_beside_it(self):
        rig = self.rig()
        write(self.path('maps/pose'), read(sample('ff7', 'hrda')))
        write(self.path('maps/pose.json'), json.dumps({'schema': 1, 'source_rest': 'pose:0:3'}))
        args = ('convert', sample('ff7', 'hrda'), '-s', rig, '--map', 'maps/pose.json', '--if-changed', '--depfile', 'x.d', '-o', 'x.glb')
        self.check(run(*args, cwd=self.folder), 0)
        self.assertIn(' maps/pose ', read(self.path('x.d')).decode().replace('\n', ' ') + ' ')
        write(self.path('maps/pose'), read(motion('cmu_01_01', 'ff7', 'mada')))
        self.assertEqual(run(*args, cwd=self.folder).returncode, 1)             # it moves another skeleton, so it was read again
        write(self.path('job/pose'), read(sample('ff7', 'hrda')))
        for name in ('hrda', 'hraa'):
            write(self.path('job/' + name), read(sample('ff7', name)))
        write(self.path('job/j.reanima.json'), json.dumps({'schema': 1, 'inputs': ['hrda'], 'source_skeleton': 'hraa', 'skeleton': '../rig.glb',
                                                           'output': 'x.glb', 'options': {'source-rest': 'pose:0:3'}}))
        self.check(run('convert', 'job/j.reanima.json', cwd=self.folder), 0)
        self.check(run('convert', 'job/j.reanima.json', '--rig-mesh', 'keep', '--force', cwd=self.folder), 0)

    def test_loop_key(self):
        for name, args in (('none', ()), ('all', ('--loop-key',)), ('one', ('--loop-key', '1')), ('way', ('--loop-key', '--root-motion', 'extract'))):
            self.check(run('convert', sample('ff7', 'hrda'), *args, '-q', '-o', self.path(name + '.glb')), 0)
        def last(name, clip):
            return max(t for channel in Scene(read(self.path(name + '.glb'))).animation(clip).values() for t in channel[0])
        for clip in (0, 1):
            for name, longer in (('all', True), ('one', clip == 1), ('way', True)):
                self.assertAlmostEqual(last(name, clip) - last('none', clip), longer / 15, 5, (name, clip))

    def test_without_the_games_skeleton_only_copies(self):
        args = ('convert', sample('ff7', 'hrda'), '--no-companion', '-s', self.rig(), '-o', self.path('x.glb'))
        self.tells('only its local values can be copied (see --source-skeleton FILE)', *args, status=1)
        self.check(run(*args, '--mode', 'copy'), 0)

    def test_the_report_tells_what_became_of_the_joints(self):
        report = self.path('report.jsonl')
        self.check(run('convert', sample('ff7', 'hrda'), '-s', self.rig(), '--report', report, '-o', self.path('x.glb')), 0)
        binding = json.loads(read(report))['binding']
        self.assertEqual(len(binding['matched']), 21)
        self.assertEqual({line['by'] for line in binding['matched']}, {'name'})
        self.assertEqual((binding['unused'], binding['added']), ([], ['weapon000']))

    def test_rest_belongs_to_the_rig(self):
        self.tells('--source-rest', 'convert', sample('ff7', 'hrda'), '-s', self.rig(), '--rest', 'zero', '-o', self.path('x.glb'), status=2)

    def test_resample(self):
        self.check(run('convert', sample('ff7', 'hrda'), '--resample', '60', '-o', self.path('x.glb')), 0)
        scene = Scene(read(self.path('x.glb')))
        times = sorted({t for channel in scene.animation(0).values() for t in channel[0]})
        self.assertTrue(all(abs(t * 60 - round(t * 60)) < 1e-3 for t in times))
        self.assertGreater(len(times), 60)

    def test_reduce(self):
        report = self.path('report.jsonl')
        p = self.check(run('convert', motion('cmu_01_01', 'metroid', 'ma_0.ANIM'), '--reduce', '1', '--report', report,
                           '-o', self.path('x.glb')), 0)
        self.assertRegex(p.err, r'\d+ of \d+ keys kept; joints are off by at most 0?\.\d+ mm \(\w+ of ma_0 at [\d.]+ s\), on average by [\d.]+ mm\n')
        reduction = json.loads(read(report))['reduction']
        keys = [len(channel[0]) for channel in Scene(read(self.path('x.glb'))).animation(0).values()]
        self.assertLess(reduction['keys_after'], 0.7 * reduction['keys_before'])
        self.assertTrue(0 <= reduction['keys_after'] - sum(n for n in keys if n > 1) <= len(keys))    # the others are constant
        self.assertTrue(reduction['mean_mm'] < reduction['worst_mm'] <= 1)
        place = '(%s of %s at %.3g s)' % (reduction['worst_joint'], reduction['worst_clip'], reduction['worst_time'])
        self.assertIn(place, p.err)

    def test_a_reduced_file_is_never_larger(self):
        files = [sample('ff7', 'hrda'), sample('metroid', 'echo_rise.ANIM'), conformance('ff7', 'plain_key0.da'),
                 motion('cmu_01_01', 'ff7', 'mada'), motion('cmu_01_01', 'ff9', 'ma_0.ff9anim'), motion('cmu_01_03', 'metroid', 'mb_2.ANIM')]
        for path in files:
            self.check(run('convert', path, '-q', '--force', '-o', self.path('all.glb')), 0)
            for tolerance in '0.1', '1', '5':
                self.check(run('convert', path, '--reduce', tolerance, '-q', '--force', '-o', self.path('few.glb')), 0)
                with self.subTest(path=path, tolerance=tolerance):
                    self.assertLessEqual(os.path.getsize(self.path('few.glb')), os.path.getsize(self.path('all.glb')))

    def test_reduce_says_which_clip_is_off_most(self):
        def reduced(*args):
            report = self.path('report.jsonl')
            self.check(run('convert', *args, '--reduce', '1', '--report', report, '-q', '--force', '-o', self.path('x.glb')), 0)
            return json.loads(read(report))['reduction']
        pack = motion('cmu_01_01', 'ff7', 'mada')
        clips = json.loads(run('info', pack, '--json').stdout)[0]['clips']
        each, frames = [reduced(pack, '--clip', clip['index']) for clip in clips], [clip['frames'] for clip in clips]
        self.assertGreater(len(set(frames)), 1)
        whole = reduced(pack)
        worst = max(each, key=lambda r: r['worst_mm'])
        for key in ('worst_mm', 'worst_joint', 'worst_clip', 'worst_time'):
            self.assertEqual(whole[key], worst[key])
        for key in ('keys_before', 'keys_after'):
            self.assertEqual(whole[key], sum(r[key] for r in each))
        self.assertAlmostEqual(whole['mean_mm'], sum(n * r['mean_mm'] for n, r in zip(frames, each)) / sum(frames), 9)

    def test_where_nothing_is_reduced_nothing_is_off(self):
        p = self.check(run('convert', sample('ff7', 'hraa'), '--reduce', '1', '-o', self.path('x.glb')), 0)
        self.assertNotIn('keys kept', p.err)
        report = self.path('report.jsonl')
        p = self.check(run('convert', motion('cmu_01_01', 'ff7', 'mada'), '--clip', '0', '--reduce', '0.000001', '--report', report, '-o', self.path('y.glb')), 0)
        reduction = json.loads(read(report))['reduction']
        self.assertEqual((reduction['worst_mm'] > 0, reduction['worst_joint'] is not None), (reduction['worst_clip'] is not None,) * 2)

    def test_root_motion_in_the_rigs_own_file(self):
        rig = self.path('rig.glb')
        self.check(run('convert', motion('cmu_01_01', 'ff7', 'maaa'), '--proxy-mesh', '-q', '-o', rig), 0)
        places = {}
        for mode in ('keep', 'extract'):
            out = self.path(mode + '.glb')
            self.check(run('convert', motion('cmu_01_01', 'ff7', 'mada'), '-s', rig, '--source-skeleton',
                           motion('cmu_01_01', 'ff7', 'maaa'), '--rig-mesh', 'keep', '--root-motion', mode, '-q', '-o', out), 0)
            scene = Scene(read(out))
            clip = scene.animation(0)
            places[mode] = [scene.world(clip, t)(joint) for t in (0, 0.4, 1.2) for joint in ('root', 'bone004')]
        self.assertGreater(math.dist(places['keep'][0], places['keep'][4]), 0.1)
        for kept, extracted in zip(places['keep'], places['extract']):
            self.assertLess(math.dist(kept, extracted), 1e-5)

    def test_extracted_root_motion_goes_to_the_joint_on_the_ground(self):
        """The file's own node above it, which turns the axes, stays in place."""
        for family, ground in (('ue5', 'root'), ('rigify', 'root')):
            rig_set.write_set(self.path('rigs'), {family: (family, 'adult', {'pose': 'A', 'armature': 'fbx', 'mesh': 'yes'})})
            out = self.path(family + '.glb')
            self.check(run('convert', motion('cmu_01_01', 'metroid', 'ma_0.ANIM'), '-s', self.path('rigs', family + '.glb'), '--root-motion', 'extract', '-q', '-o', out), 0)
            scene = Scene(read(out))
            moved = {scene.nodes[node]['name'] for (node, path), (_, values, _) in scene.animation(0).items()
                     if path == 'translation' and max(math.dist(v, values[0]) for v in values) > 1e-4}
            self.assertIn(ground, moved)
            self.assertNotIn('Armature', moved)

    def test_root_motion(self):
        files = {}
        for mode in ('keep', 'in-place', 'drop', 'extract'):
            out = self.path(mode + '.glb')
            self.check(run('convert', motion('cmu_01_01', 'ff7', 'mada'), '--root-motion', mode, '-q', '-o', out), 0)
            scene = Scene(read(out))
            clip = scene.animation(0)
            files[mode] = [(scene.world(clip, t)('root'), scene.world(clip, t)('bone004')) for t in (0, 0.4, 1.2)]
            self.assertEqual(scene.g['animations'][0]['extras']['root_motion'], mode)
        for (kept, _), (placed, _), (dropped, _), (extracted, _) in zip(*files.values()):
            self.assertAlmostEqual(placed[1], kept[1], 5)
            self.assertAlmostEqual(placed[0], 0, 5)
            self.assertAlmostEqual(placed[2], 0, 5)
            self.assertLess(math.dist(dropped, files['drop'][0][0]), 1e-5)
            self.assertLess(math.dist(extracted, kept), 1e-5)                  # the container moves


if __name__ == '__main__':
    unittest.main()
