#!/usr/bin/env python3
"""Which animations belong to which characters of Final Fantasy VII: by the game's fields, by a table, by names, by the
number of bones. The fields are made here, by the description of the format."""
import gzip, json, os, shutil, struct, unittest

from support import Case, Scene, read, sample, write
import writers                                    # by the description of the formats

DOLL, WALK, IDLE = (read(sample('ff7', name)) for name in ('doll.hrc', 'doll_walk.a', 'doll_idle.a'))
PACK, BONES = read(sample('ff7', 'hrda')), read(sample('ff7', 'hraa'))


def fewer_bones(animation):
    """The animation without its last bone"""
    frames, bones = struct.unpack_from('<2I', animation, 4)
    size = 24 + 12 * bones
    rows = [animation[36 + i * size:36 + (i + 1) * size - 12] for i in range(frames)]
    return struct.pack('<3I', 1, frames, bones - 1) + animation[12:36] + b''.join(rows)


def lzs(data):
    """Greedy: the longest of the last 4078 bytes, or else literals"""
    out, items, i = bytearray(), [], 0
    while i < len(data):
        best = (0, 0)
        for back in range(1, min(i, 4078) + 1):
            n = 0
            while n < 18 and i + n < len(data) and data[i + n - back] == data[i + n]:
                n += 1
            best = max(best, (n, back))
        n, back = best
        if n >= 3:
            at = (0xFEE + i - back) & 0xFFF
            items.append((0, bytes([at & 0xFF, (at >> 4 & 0xF0) | n - 3])))
            i += n
        else:
            items.append((1, data[i:i + 1]))
            i += 1
    for first in range(0, len(items), 8):
        group = items[first:first + 8]
        out.append(sum(bit << k for k, (bit, _) in enumerate(group)))
        for _, b in group:
            out += b
    return struct.pack('<I', len(out)) + bytes(out)


def field(name, models):
    """models: list of (own name, hrc, animations)"""
    section = struct.pack('<3H', 0, len(models), 512)
    for own, hrc, animations in models:
        full = (name + own + '.char').encode()
        section += struct.pack('<H', len(full)) + full + struct.pack('<H', 1) + hrc.upper().encode() + b'.HRC512\0'
        section += struct.pack('<H', len(animations)) + bytes(30)
        for animation in animations:
            text = (animation.upper() + '.yos').encode()
            section += struct.pack('<H', len(text)) + text + struct.pack('<H', 1)
    bodies = [b'script', b'camera', section] + [bytes(20)] * 6
    offset, offsets, data = 42, [], b''
    for body in bodies:
        offsets.append(offset + len(data))
        data += struct.pack('<I', len(body)) + body
    return lzs(struct.pack('<HI9I', 0, 9, *offsets) + data)


def names(*parts):
    """The files below a folder"""
    top = os.path.join(*parts)
    return sorted(os.path.relpath(os.path.join(d, f), top) for d, _, fs in os.walk(top) for f in fs)


class Links(Case):
    def lgp(self, name, files):
        return write(self.path(name), writers.lgp([(n, '', data) for n, data in files.items()])[0])

    def scene(self, *parts):
        return Scene(read(self.path(*parts)))

    def clips(self, *parts):
        return [a['name'] for a in self.scene(*parts).g.get('animations', [])]

    def said(self, *parts):
        """-> for each clip, its link and name"""
        return [(a['extras'].get('linked_by'), a['extras'].get('named_by')) for a in self.scene(*parts).g['animations']]

    def rest(self, *parts):
        """-> rotations of the joints, by name"""
        return {n['name']: n.get('rotation') for n in self.scene(*parts).g['nodes'] if 'name' in n}

    def files(self, **more):
        """A character whose animations are only in fields; zzac moves another number of bones"""
        return {'aaaa.hrc': DOLL, 'zzaa.a': IDLE, 'zzab.a': WALK, 'zzac.a': fewer_bones(WALK), 'zzad.a': WALK, **more}

    def flevel(self, name='flevel.lgp', animations=('zzaa', 'zzab', 'zzac')):
        self.lgp(name, {'md1_1': field('md1_1', [('main', 'aaaa', animations)]), 'maplist': b'md1_1', 'broken': b'\x08\0\0\0abcdefgh',
                        'md1_2': field('md1_2', [('main', 'aaaa', animations[:1]), ('door', 'zzzz', [])])})


class Fields(Links):
    def check_named(self, *parts):
        self.assertEqual(self.clips(*parts), ['stand', 'walk'])
        self.assertEqual(self.said(*parts), [('field', 'game')] * 2)

    def test_the_games_fields_say_it(self):
        self.lgp('char.lgp', self.files())
        self.flevel()
        p = self.check(self.cli('convert', 'char.lgp:aaaa.hrc', '--no-mesh', '-o', 'x.glb'), 0)
        self.check_named('x.glb')
        self.assertIn('note: 1 of 3 animations are left out, because they move a different number of bones', p.err)
        self.assertIn('wrote x.glb: 2 clips, 21 joints', p.err)
        self.check(self.cli('convert', 'char.lgp:zzaa.a', '-s', 'char.lgp:aaaa.hrc', '--no-mesh', '-o', 'idle.glb'), 0)
        self.assertEqual(self.rest('x.glb'), self.rest('idle.glb'))     # the rest pose is the first frame of `stand`

    def test_a_folder_and_an_archive_give_the_same(self):
        self.lgp('char.lgp', self.files())
        self.flevel()
        p = self.check(self.cli('convert', 'char.lgp', '--no-mesh', '-o', 'out/'), 0)
        self.assertIn('char.lgp: 1 of the animations belongs to no skeleton in this place: "zzad.a". To add animations to a character, use --animations\n', p.err)
        self.assertRegex(self.check(self.cli('convert', 'char.lgp', '--no-mesh', '-v', '-o', 'again/'), 0).err, r'char\.lgp:\w+\.a: skipped: belongs to no character\n')
        self.assertIn('1 converted, 0 failed, 1 skipped (nothing to convert)\n', p.err)
        self.check(self.cli('extract', 'char.lgp', '-o', 'char'), 0)
        p = self.check(self.cli('convert', 'char', '--no-mesh', '-o', 'same/'), 0)
        self.assertIn('char: 1 of the animations belongs to no skeleton in this place: "zzad.a". To add animations to a character, use --animations\n', p.err)
        self.assertEqual(names(self.path('out')), ['char/aaaa.glb'])
        self.assertEqual(names(self.path('same')), ['aaaa.glb'])
        self.assertEqual(read(self.path('out/char/aaaa.glb')), read(self.path('same/aaaa.glb')))
        self.check_named('same/aaaa.glb')

    def test_they_are_named(self):
        self.lgp('char.lgp', self.files())
        self.flevel('other/gflevel.lgp')
        self.check(self.cli('convert', 'char.lgp:aaaa.hrc', '--no-mesh', '--fields', 'other/gflevel.lgp', '-o', 'x.glb'), 0)
        self.check_named('x.glb')
        self.check(self.cli('extract', 'other/gflevel.lgp', '-o', 'fields'), 0)
        self.check(self.cli('convert', 'char.lgp:aaaa.hrc', '--no-mesh', '--fields', 'fields', '-o', 'y.glb'), 0)
        self.check_named('y.glb')
        p = self.check(self.cli('convert', 'char.lgp:aaaa.hrc', '--no-mesh', '--fields', 'char.lgp', '-o', 'z.glb'), 1)
        self.assertEqual(p.err, 'reanima: char.lgp: lists no animations of models; expected flevel.lgp\n')

    def test_names_by_file(self):
        self.lgp('char.lgp', self.files())
        self.flevel()
        self.check(self.cli('convert', 'char.lgp:aaaa.hrc', '--no-mesh', '--names-by', 'file', '-o', 'x.glb'), 0)
        self.assertEqual(self.clips('x.glb'), ['zzaa', 'zzab'])
        self.assertEqual(self.said('x.glb'), [('field', 'file')] * 2)

    def test_what_the_user_names_takes_precedence(self):
        self.lgp('char.lgp', self.files())
        self.flevel()
        self.check(self.cli('convert', 'char.lgp:aaaa.hrc', '--animations', 'char.lgp:zzad.a', '--no-mesh', '-o', 'x.glb'), 0)
        self.assertEqual(self.clips('x.glb'), ['zzad'])

    def test_a_damaged_animation_is_left_out(self):
        self.lgp('char.lgp', self.files(**{'zzab.a': WALK[:40]}))
        self.flevel()
        p = self.check(self.cli('convert', 'char.lgp:aaaa.hrc', '--no-mesh', '-o', 'x.glb'), 0)
        self.assertEqual(self.clips('x.glb'), ['stand'])
        self.assertIn('; the animation is left out\n', p.err)

    def test_depfiles_name_what_links_them(self):
        self.lgp('char.lgp', self.files())
        rule = lambda *args: (self.check(self.cli('convert', 'char.lgp:aaaa.hrc', '--no-mesh', '--force', '-o', 'x.glb', '--depfile', 'x.d', *args), 0),
                              read(self.path('x.d')).decode())[1]
        self.assertNotIn('flevel', rule())
        self.flevel()
        self.assertEqual(rule().count(' flevel.lgp'), 1)
        self.flevel('other/gflevel.lgp')
        self.assertEqual(rule('--fields', 'other/gflevel.lgp').count('flevel.lgp'), 1)

    def test_the_report_has_a_line_for_the_character(self):
        self.lgp('char.lgp', self.files())
        self.flevel()
        self.check(self.cli('convert', 'char.lgp', '--no-mesh', '-o', 'out/', '--report', 'r.jsonl'), 0)
        lines = read(self.path('r.jsonl')).decode().splitlines()
        self.assertEqual(len(lines), 2)
        self.assertIn('{"schema":1,"sums":', lines[1])
        self.assertIn('"clips":2', lines[0].replace(' ', ''))


class Info(Links):
    """`info` states the links of the output of `convert`"""

    def check_same(self, path, *args):
        self.check(self.cli('convert', path, '--no-mesh', '--force', *args, '-o', 'x.glb'), 0)
        found = json.loads(self.check(self.cli('info', path, '--no-mesh', '--json', *args), 0).stdout)[0]
        written = [a['extras'] for a in self.scene('x.glb').g.get('animations', [])]
        for key in ('name', 'index', 'id', 'named_by', 'frames'):
            self.assertEqual([c[key] for c in found['clips']], [e[key] for e in written])
        self.assertEqual([c['linked_by'] for c in found['clips']], [e.get('linked_by') for e in written])
        self.assertEqual([j['name'] for j in found['joints']], [n['name'] for n in self.scene('x.glb').g['nodes'] if 'index' in n.get('extras', {})])
        return [c['name'] for c in found['clips']], found['warnings']

    def test_the_games_fields(self):
        self.lgp('char.lgp', self.files())
        self.flevel()
        clips, said = self.check_same('char.lgp:aaaa.hrc')
        self.assertEqual(clips, ['stand', 'walk'])
        self.assertIn('char.lgp:aaaa.hrc: note: 1 of 3 animations are left out, because they move a different number of bones', said)
        self.assertEqual(self.check_same('char.lgp:aaaa.hrc', '--names-by', 'file')[0], ['zzaa', 'zzab'])
        self.assertEqual(self.check_same('char.lgp:aaaa.hrc', '--no-companion')[0], [])

    def test_named_fields(self):
        self.lgp('char.lgp', self.files())
        self.flevel('other/gflevel.lgp')
        self.assertEqual(self.check_same('char.lgp:aaaa.hrc', '--fields', 'other/gflevel.lgp')[0], ['stand', 'walk'])
        p = self.check(self.cli('info', 'char.lgp:aaaa.hrc', '--fields', 'char.lgp'), 1)
        self.assertEqual(p.err, 'reanima: char.lgp: lists no animations of models; expected flevel.lgp\n')

    def test_the_first_that_fits_gives_the_pose(self):
        self.lgp('char.lgp', {'qqqq.hrc': DOLL, 'zzab.a': WALK, 'zzac.a': fewer_bones(WALK)})
        clips, said = self.check_same('char.lgp:qqqq.hrc')
        self.assertEqual(clips, [])
        self.assertEqual(said, ["char.lgp:qqqq.hrc: note: the rest pose comes from char.lgp:zzab.a, which moves the same number of bones, but may belong to another character"])

    def test_a_damaged_animation_is_left_out(self):
        self.lgp('char.lgp', self.files(**{'zzab.a': WALK[:30]}))
        self.flevel()
        clips, said = self.check_same('char.lgp:aaaa.hrc')
        self.assertEqual(clips, ['stand'])
        self.assertEqual(sum(s.startswith('warning: char.lgp:zzab.a: ') and s.endswith('; the animation is left out') for s in said), 1)

    def test_limit_breaks(self):
        self.lgp('battle.lgp', {'rtaa': BattleNames.PLAYER, 'rtda': PACK})
        self.lgp('magic.lgp', {'limcl1.a00': PACK, 'limea1.a00': PACK})
        clips, _ = self.check_same('battle.lgp:rtda')
        self.assertIn('limcl1', clips)
        self.assertNotIn('limea1', clips)

    def test_names_to_fill_in(self):
        self.lgp('char.lgp', self.files())
        self.flevel()
        text = self.check(self.cli('info', 'char.lgp:aaaa.hrc', '--no-mesh', '--names-template'), 0).stdout.decode()
        self.assertTrue(text.startswith('clip,stand,stand\nclip,walk,walk\njoint,'), text)
        write(self.path('n.csv'), text.replace('clip,walk,walk', 'clip,walk,stroll'))
        self.check(self.cli('convert', 'char.lgp:aaaa.hrc', '--no-mesh', '--names', 'n.csv', '-o', 'y.glb'), 0)
        self.assertEqual(self.clips('y.glb'), ['stand', 'stroll'])


class Table(Links):
    def test_without_the_fields(self):
        """Cloud (aaaa) stands with acfe, walks with aaff and runs with aaga; btce is another animation of his"""
        self.lgp('char.lgp', {'aaaa.hrc': DOLL, 'acfe.a': IDLE, 'aaff.a': WALK, 'aaga.a': WALK, 'btce.a': IDLE, 'zzad.a': WALK})
        self.check(self.cli('convert', 'char.lgp:aaaa.hrc', '--no-mesh', '-o', 'x.glb'), 0)
        self.assertEqual(self.clips('x.glb'), ['stand', 'walk', 'run', 'btce'])
        self.assertEqual(self.said('x.glb'), [('field', 'table')] * 3 + [('field', 'file')])
        self.check(self.cli('convert', 'char.lgp:aaaa.hrc', '--no-mesh', '--no-companion', '-o', 'alone.glb'), 0)
        self.assertEqual(self.clips('alone.glb'), [])

    def test_an_animation_finds_its_skeleton(self):
        self.lgp('char.lgp', {'aaaa.hrc': DOLL, 'aaga.a': WALK, 'aaga.hrc': b'no skeleton'})
        p = self.check(self.cli('convert', 'char.lgp:aaga.a', '--no-mesh', '-o', 'x.glb'), 0)
        self.assertNotIn('made up', p.err)
        self.assertEqual(len(self.scene('x.glb').g['skins'][0]['joints']), 21)


class Bones(Links):
    def test_the_first_that_fits_gives_the_pose(self):
        self.lgp('char.lgp', {'zzzz.hrc': DOLL, 'zzxa.a': fewer_bones(WALK), 'zzxb.a': WALK, 'zzxc.a': IDLE})
        p = self.check(self.cli('convert', 'char.lgp:zzzz.hrc', '--no-mesh', '-o', 'x.glb'), 0)
        self.assertEqual(self.clips('x.glb'), [])
        self.assertIn("char.lgp:zzzz.hrc: note: the rest pose comes from char.lgp:zzxb.a, which moves the same number of bones, but may belong to another character\n", p.err)
        self.assertRegex(p.err, r'wrote x.glb: 21 joints, bones [\d.]+ m high, 0 clips; add animations with --animations, or put flevel.lgp beside it\n$')
        self.check(self.cli('convert', 'char.lgp:zzxb.a', '-s', 'char.lgp:zzzz.hrc', '--no-mesh', '-o', 'walk.glb'), 0)
        self.assertEqual(self.rest('x.glb'), self.rest('walk.glb'))
        self.flevel()
        p = self.check(self.cli('convert', 'char.lgp:zzzz.hrc', '--no-mesh', '-o', 'y.glb'), 0)
        self.assertRegex(p.err, r'0 clips; add animations with --animations\n$')

    def test_a_rig_stands_as_it_does_by_itself(self):
        self.lgp('char.lgp', {'zzzz.hrc': DOLL, 'zzxb.a': WALK})
        self.check(self.cli('convert', 'char.lgp:zzzz.hrc', '--no-mesh', '-o', 'x.glb'), 0)
        p = self.check(self.cli('convert', sample('ff9', 'hero.ff9db'), '-s', 'char.lgp:zzzz.hrc', '-o', 'bound.glb'), 0)
        self.assertIn("char.lgp:zzzz.hrc: note: the rest pose comes from char.lgp:zzxb.a, which moves the same number of bones, but may belong to another character\n", p.err)
        self.assertNotIn('all its angles are 0', p.err)
        self.assertIn('12 of 12 limbs', p.err)
        self.assertEqual(self.rest('bound.glb'), self.rest('x.glb'))

    def test_a_namesake_that_fits(self):
        for name in ('char.lgp', 'only.lgp'):
            files = {'zzaa.hrc': DOLL, 'zzaa.a': WALK, 'zzab.a': IDLE}
            if name == 'only.lgp':
                del files['zzab.a']
            self.lgp(name, files)
            self.tells('1 converted, 0 failed', 'convert', name, '--no-mesh', '-o', 'out/')
            stem = name[:4]
            self.assertEqual(self.clips('out', stem, 'zzaa.glb'), ['zzaa'])
            self.assertEqual(self.said('out', stem, 'zzaa.glb'), [('name', 'file')])
            self.check(self.cli('extract', name, '-o', stem), 0)
            self.check(self.cli('convert', stem, '--no-mesh', '-o', f'same_{stem}/'), 0)
            self.assertEqual(read(self.path('out', stem, 'zzaa.glb')), read(self.path('same_' + stem, 'zzaa.glb')))

    def test_a_namesake_that_does_not_fit(self):
        self.lgp('char.lgp', {'zzaa.hrc': DOLL, 'zzaa.a': fewer_bones(WALK), 'zzab.a': IDLE})
        p = self.check(self.cli('convert', 'char.lgp', '--no-mesh', '-o', 'out/'), 0)
        self.assertEqual(names(self.path('out')), ['char/zzaa.glb'])
        self.assertIn('the rest pose comes from char.lgp:zzab.a', p.err)
        self.assertIn('char.lgp: 2 of the animations belong to no skeleton in this place: "zzaa.a", "zzab.a". To add animations to a character, use --animations\n', p.err)


class Named(Links):
    def test_all_that_fit_a_named_skeleton(self):
        """The game may play them with other skeletons, but the user named this one."""
        doll, walk = read(sample('ff7', 'doll.hrc')), read(sample('ff7', 'doll_walk.a'))
        for name, content in (('doll.hrc', doll), ('aa.a', walk), ('bb.a', walk), ('cc.a', fewer_bones(walk))):
            write(self.path('few', name), content)
        p = self.check(self.cli('convert', 'few', '-s', 'few/doll.hrc', '-o', 'out/'), 0)
        self.assertEqual(names(self.path('out')), ['aa.glb', 'bb.glb'])
        self.assertIn('few: 1 of the animations belongs to no skeleton in this place: "cc.a".', p.err)

    def test_a_skeleton_and_its_animations_are_one_file(self):
        for name, data in (('aaaa.hrc', DOLL), ('clips/aafe.a', WALK), ('clips/zzaa.a', IDLE)):
            write(self.path(name), data)
        self.check(self.cli('convert', 'aaaa.hrc', 'clips/aafe.a', '--no-mesh'), 0)
        self.assertEqual(names(self.folder), ['aaaa.glb', 'aaaa.hrc', 'clips/aafe.a', 'clips/zzaa.a'])
        self.assertEqual(self.clips('aaaa.glb'), ['aafe'])
        self.check(self.cli('convert', 'clips/aafe.a', 'aaaa.hrc', 'clips/zzaa.a', '--no-mesh', '-o', 'out/'), 0)
        self.assertEqual(names(self.path('out')), ['aaaa.glb'])
        self.assertEqual(self.clips('out/aaaa.glb'), ['aafe', 'zzaa'])

    def test_other_games_too(self):
        self.check(self.cli('convert', sample('metroid', 'hero.CINF'), sample('metroid', 'hero_walk.ANIM')), 0)
        self.assertEqual(names(self.folder), ['hero.glb'])

    def test_a_folder_has_no_output_for_a_skeleton_that_is_in_another(self):
        for name, data in (('d/doll.hrc', DOLL), ('d/doll_walk.a', WALK), ('d/hraa', BONES), ('d/hrda', PACK)):
            write(self.path(name), data)
        self.check(self.cli('convert', 'd', '--no-mesh', '-o', 'out/'), 0)
        self.assertEqual(names(self.path('out')), ['doll_walk.glb', 'hrda.glb'])
        self.lgp('x.lgp', {'doll.hrc': DOLL, 'doll_walk.a': WALK, 'hraa': BONES, 'hrda': PACK})
        self.check(self.cli('convert', 'x.lgp', '--no-mesh', '-o', 'too/'), 0)
        self.assertEqual(names(self.path('too/x')), ['doll_walk.glb', 'hrda.glb'])


class LimitBreaks(Links):
    PLAYER = struct.pack('<I', 2) + BONES[4:]

    def setUp(self):
        super().setUp()
        self.lgp('battle.lgp', {'rtaa': self.PLAYER, 'rtda': PACK, 'sbaa': self.PLAYER, 'sbda': PACK})
        self.lgp('magic.lgp', {'limcl1.a00': PACK, 'blaver.a00': PACK, 'limbr1.a00': PACK, 'titan.a00': PACK, 'titan.d': BONES})

    def test_those_of_the_character_are_taken(self):
        write(self.path('alone/battle.lgp'), read(self.path('battle.lgp')))
        own = len(self.converted('alone/battle.lgp:rtda'))
        taken = self.converted('battle.lgp:rtda')
        self.assertEqual(taken[own:], self.limit('braver') + self.limit('limcl1'))
        named = self.converted('alone/battle.lgp:rtda', '--animations', 'magic.lgp:*.a00')
        self.assertEqual(named, taken)

    def limit(self, stem):
        indices = [int(n.rpartition('_')[2]) for n in self.converted('alone/battle.lgp:rtda', '--names-by', 'file')]
        return [stem if i == 0 else f'{stem}_{i + 1}' for i in indices]

    def converted(self, *args):
        self.check(self.cli('convert', *args, '--no-mesh', '--force', '-o', 'x.glb'), 0)
        return self.clips('x.glb')

    def test_the_skeleton_of_a_limit_break_is_named(self):
        for name, skeleton in (('blaver.a00', 'rtaa'), ('limbr1.a00', 'sbaa')):
            p = self.check(self.cli('convert', 'magic.lgp:' + name, '-o', 'x.glb', '--force'), 0)
            self.assertIn(f'magic.lgp:{name}: note: its skeleton is {skeleton} in battle.lgp\n', p.err)
            p = self.check(self.cli('convert', 'magic.lgp:' + name, '-s', 'battle.lgp:' + skeleton, '-o', 'x.glb', '--force'), 0)
            self.assertNotIn('its skeleton', p.err)

    def test_others_are_counted(self):
        p = self.check(self.cli('convert', 'battle.lgp:rtda', '--animations', 'magic.lgp:*.a00', '--no-mesh', '-o', 'x.glb'), 0)
        self.assertIn('note: animations left out because their names belong to other characters: 2\n', p.err)

    def test_the_whole_archive(self):
        self.check(self.cli('convert', 'battle.lgp', 'magic.lgp', '--no-mesh', '-o', 'out/'), 0)
        self.assertEqual(names(self.path('out')), ['battle/barret.glb', 'battle/cloud.glb', 'magic/titan.glb'])
        self.assertIn('limbr1', self.clips('out/battle/barret.glb'))


def actions(scripts):
    """A file of 32 action scripts, by number"""
    offsets, data, first = [0] * 32, b'', 0x68 + 4 * 32
    for number, script in scripts.items():
        offsets[number] = first + len(data)
        data += bytes(script)
    return bytes(0x68) + struct.pack('<32I', *offsets) + data


class BattleNames(Links):
    PLAYER = struct.pack('<I', 2) + BONES[4:]
    ENEMY = struct.pack('<I', 0) + BONES[4:]

    def names_of(self, code, skeleton, scripts=None, *args):
        files = {code + 'aa': skeleton, code + 'da': PACK}
        if scripts:
            files[code + 'ab'] = actions(scripts)
        self.lgp('b.lgp', files)
        self.check(self.cli('convert', f'b.lgp:{code}da', '--no-mesh', '--force', *args, '-o', 'x.glb'), 0)
        return self.clips('x.glb')

    def test_players_by_the_table(self):
        """0 idle, 1 idle hurt, 2 victory, 4 step back mean the same for every player; 3 is no animation here"""
        names = self.names_of('rt', self.PLAYER)
        self.assertEqual(names[:4], ['idle', 'idle_hurt', 'victory', 'step_back'])
        extras = self.scene('x.glb').g['animations'][1]['extras']
        self.assertEqual((extras['index'], extras['full_name'], extras['named_by']), (1, 'idle hurt', 'table'))

    def test_enemies_by_their_actions(self):
        old = self.names_of('aa', self.ENEMY, None, '--names-by', 'file')
        indices = [int(n[-3:]) for n in old]
        self.assertEqual(self.names_of('aa', self.ENEMY), old)      # without scripts nothing is known
        said = self.names_of('aa', self.ENEMY, {0: [0xA9, 0xC9, 0, 0xC1], 1: [1, 0xF6, 0xE5, 0xEE], 5: [0xD1, 2, 2, 2, 2, 2, 3, 0xFE, 0xC0], 9: [3, 2, 0xFF]})
        expected = {0: 'idle', 1: 'hurt', 2: 'action_9', 3: 'action_5'}
        self.assertEqual(said, [expected.get(i, old[k]) for k, i in enumerate(indices)])

    def test_only_where_the_kind_is_the_tables(self):
        old = self.names_of('rt', self.PLAYER, None, '--names-by', 'file')
        self.assertEqual(old[0], 'rtda_000')
        self.assertEqual(self.names_of('rt', self.ENEMY), old)
        self.check(self.cli('convert', 'b.lgp', '--no-mesh', '-o', 'out/'), 0)
        self.assertEqual(names(self.path('out/b')), ['rtda.glb'])

    def test_entries_by_who_is_in_them(self):
        self.lgp('battle.lgp', {c + e: d for c in ('rt', 'rv', 'sb', 'sc') for e, d in (('aa', self.PLAYER), ('da', PACK))})
        for name in ('Cloud', 'CLOUD'):
            self.check(self.cli('convert', f'battle.lgp:{name}', '--no-mesh', '--force'), 0)
            self.assertTrue(os.path.exists(self.path('cloud.glb')))
        for name in ('Aerith', 'aeris', 'Earith'):
            p = self.check(self.cli('info', f'battle.lgp:{name}'), 0)
            self.assertIn(b'rvda', p.stdout)
        self.check(self.cli('info', 'battle.lgp:Barret'), 1, "reanima: battle.lgp: contains several characters called 'Barret': sbda and scda\n")
        self.check(self.cli('convert', 'battle.lgp', '--no-mesh', '-o', 'out/'), 0)
        self.assertEqual(names(self.path('out/battle')), ['aerith.glb', 'barret_sb.glb', 'barret_sc.glb', 'cloud.glb'])


def scenes(*all_):
    """A `scene.bin`: per scene the ids and names of enemies"""
    streams = []
    for enemies in all_:
        scene = bytearray(struct.pack('<3H', *[i for i, _ in enemies] + [0xFFFF] * (3 - len(enemies))).ljust(7808, b'\0'))
        for k, (_, name) in enumerate(enemies):
            scene[0x298 + 184 * k:0x298 + 184 * k + 32] = bytes(LETTERS.get(c, ord(c) - 32) for c in name).ljust(32, b'\xff')
        streams.append(gzip.compress(bytes(scene), mtime=0))
    blocks = b''
    for first in range(0, len(streams), 16):
        table, data = b'', b''
        for stream in streams[first:first + 16]:
            table += struct.pack('<I', (64 + len(data)) // 4)
            data += stream.ljust((len(stream) + 3) // 4 * 4, b'\xff')
        blocks += (table.ljust(64, b'\xff') + data).ljust(0x2000, b'\xff')
    return blocks


LETTERS = {'ä': 0x6A, 'ß': 0x87}


class OwnNames(Links):
    """Enemies by the user's `scene.bin`; the table names `at` (19) Grunt and `aa` (0) Pyramid, and has no name for `bm`
    (38)"""

    def setUp(self):
        super().setUp()
        files = {c + e: d for c in ('aa', 'at', 'bm') for e, d in (('aa', BattleNames.ENEMY), ('da', PACK))}
        self.lgp('data/battle/battle.lgp', {**files, 'rtaa': BattleNames.PLAYER, 'rtda': PACK})
        self.scenes = scenes([(0, 'Pyramide'), (19, 'Wächter')], [(19, 'Anderer'), (461, 'Nicht Cloud')], *[[]] * 20, [(38, 'Stoß')])

    def outputs(self, *args):
        self.check(self.cli('convert', 'data/battle/battle.lgp', '--no-mesh', '--force', '-o', 'out/', *args), 0)
        found = names(self.path('out/battle'))
        shutil.rmtree(self.path('out'))
        return found

    def test_beside_the_archive(self):
        self.assertEqual(self.outputs(), ['bmda.glb', 'cloud.glb', 'grunt.glb', 'pyramid.glb'])
        write(self.path('data/battle/scene.bin'), self.scenes)
        self.assertEqual(self.outputs(), ['cloud.glb', 'pyramide.glb', 'sto.glb', 'w_chter.glb'])
        self.assertEqual(self.outputs('--names-by', 'file'), ['aada.glb', 'atda.glb', 'bmda.glb', 'rtda.glb'])

    def test_in_the_folder_of_a_language(self):
        for place in ('data/lang-de/battle/scene.bin', 'data/battle/SCENE.BIN'):
            write(self.path(place), self.scenes)
            self.assertEqual(self.outputs(), ['cloud.glb', 'pyramide.glb', 'sto.glb', 'w_chter.glb'])
            os.remove(self.path(place))

    def test_a_folder_and_an_archive_give_the_same(self):
        write(self.path('data/battle/scene.bin'), self.scenes)
        self.check(self.cli('extract', 'data/battle/battle.lgp', '-o', 'data/battle/battle'), 0)
        self.check(self.cli('convert', 'data/battle/battle', '--no-mesh', '-o', 'same/'), 0)
        self.check(self.cli('convert', 'data/battle/battle.lgp', '--no-mesh', '-o', 'out/'), 0)
        for name in ('cloud.glb', 'pyramide.glb', 'sto.glb', 'w_chter.glb'):
            self.assertEqual(read(self.path('out/battle', name)), read(self.path('same', name)))

    def test_info_and_extras_say_it(self):
        write(self.path('data/battle/scene.bin'), self.scenes)
        character = json.loads(self.check(self.cli('info', 'data/battle/battle.lgp:atda', '--json'), 0).stdout)[0]['character']
        self.assertEqual(character, {'title': 'w_chter', 'full_name': 'Wächter', 'named_by': 'game'})
        self.check(self.cli('convert', 'data/battle/battle.lgp:bmaa', '--no-mesh', '-o', 'x.glb'), 0)
        extras = self.scene('x.glb').g['scenes'][0]['extras']['reanima']['character']
        self.assertEqual((extras['title'], extras['full_name'], extras['named_by']), ('sto', 'Stoß', 'game'))

    def test_entries_are_found_by_it(self):
        write(self.path('data/battle/scene.bin'), self.scenes)
        for name in ('Pyramide', 'pyramid', 'Wächter', 'Grunt', 'Stoß'):
            self.check(self.cli('info', f'data/battle/battle.lgp:{name}'), 0)
        self.assertIn(b'battle.lgp:atda', self.check(self.cli('find', 'Wächter', 'data/battle'), 0).stdout)

    def test_names_that_several_share(self):
        write(self.path('data/battle/scene.bin'), scenes([(0, 'Soldat'), (19, 'Soldat')]))
        self.assertEqual(self.outputs(), ['bmda.glb', 'cloud.glb', 'soldat_aa.glb', 'soldat_at.glb'])
        p = self.check(self.cli('info', 'data/battle/battle.lgp:Soldat'), 1)
        self.assertEqual(p.err, "reanima: data/battle/battle.lgp: contains several characters called 'Soldat': aada and atda\n")

    def test_an_output_changes_with_its_name(self):
        self.check(self.cli('convert', 'data/battle/battle.lgp:atda', '--no-mesh', '-o', 'x.glb'), 0)
        write(self.path('data/battle/scene.bin'), self.scenes)
        self.tells('wrote x.glb', 'convert', 'data/battle/battle.lgp:atda', '--no-mesh', '--if-changed', '-o', 'x.glb')

    def test_depfiles_name_the_file_that_it_is_from(self):
        rule = lambda entry, *args: (self.check(self.cli('convert', 'data/battle/battle.lgp:' + entry, '--no-mesh', '--force', '-o', 'x.glb', '--depfile', 'x.d', *args), 0),
                                     read(self.path('x.d')).decode())[1]
        self.assertNotIn('scene.bin', rule('atda'))
        write(self.path('data/battle/scene.bin'), self.scenes)
        self.assertEqual(rule('atda').count('data/battle/scene.bin'), 1)
        self.assertNotIn('scene.bin', rule('atda', '--no-companion'))

    def test_what_is_no_scene_file_is_ignored(self):
        for data in (b'', b'no scenes', self.scenes[:80], bytes(0x2000), self.scenes.ljust(256 * 0x2000 + 1, b'\xff')):
            write(self.path('data/battle/scene.bin'), data)
            self.assertEqual(self.outputs(), ['bmda.glb', 'cloud.glb', 'grunt.glb', 'pyramid.glb'])

    def test_not_without_companions(self):
        write(self.path('data/battle/scene.bin'), self.scenes)
        p = self.check(self.cli('info', 'data/battle/battle.lgp:ataa', '--no-companion'), 0)
        self.assertIn(b'character: grunt (Grunt)', p.stdout)


if __name__ == '__main__':
    unittest.main()
