#!/usr/bin/env python3
"""How clips of Final Fantasy IX find their model: by scripts, names and numbers of bones."""
import csv, json, os, struct, unittest

import ff9_script as ev
from ff9_container import animation, db, model
from support import SOURCE, Case, Scene, read, run, sample, write

UNKNOWN = 60000                                             # no table knows it


def table(name):
    with open(os.path.join(SOURCE, 'formats', 'ff9', 'names', name), encoding='utf-8', newline='') as f:
        return list(csv.DictReader(f))


MODELS = {row['name'][4:]: int(row['id']) for row in table('models.csv')}
ANIMATIONS = {}
for row in table('animations.csv'):
    ANIMATIONS.setdefault(row['name'][4:], int(row['id']))


def ids(code, *words):
    return [ANIMATIONS[code + '_' + word] for word in words]


ZDN, MRC, BBA = MODELS['MAIN_F0_ZDN'], MODELS['SUB_F0_MRC'], MODELS['NPC_F0_BBA']
ZDN_RUN, ZDN_IDLE, ZDN_WALK = ids('MAIN_F0_ZDN', 'RUN', 'IDLE', 'WALK')
MRC_RUN, MRC_IDLE, MRC_WALK = ids('SUB_F0_MRC', 'RUN', 'IDLE', 'WALK')
BBA_IDLE, BBA_WALK, BBA_TURN = ids('NPC_F0_BBA', 'IDLE', 'WALK', 'TURN_L')


def whole(models, animations, script=None, bones=6):
    """a field's file: the script is beside the models, which all have the same number of bones"""
    blocks = [(i, animation(bones, 3, 2 + k)) for k, i in enumerate(animations)]
    chunks = [(2, [(i, model(bones, quads=2)) for i in models]), (3, blocks)] + ([(5, [(7, script)])] if script else [])
    return db([(0x14, [(1, bytes(16))]), (0x1B, [(1, db([(0x17, [(3, bytes(8))])])), (2, db(chunks))])])


class Links(Case):
    def info(self, data, *args, name='field.ff9db'):
        self.db = write(self.path(name), data)
        self.last = run('info', self.db, '--json', *args)
        self.assertEqual(self.last.returncode, 0, self.last.err)
        return json.loads(self.last.stdout)[0]

    def links(self, data, *args):
        """-> {model: {animation: how}}"""
        shown = self.info(data, *args)
        found = {m['id']: {} for m in shown['models']}
        for clip in shown['clips']:
            found[clip.get('model', shown['models'][0]['id'])][clip['id']] = clip['linked_by']
        return found

    def warnings(self):
        return json.loads(self.last.stdout)[0]['warnings']


class Scripts(Links):
    def test_take_precedence_over_numbers_of_bones(self):
        script = ev.script(ev.entry(ev.create(1) + ev.create(2) + ev.leave, ev.leave, kind=0),
                           ev.entry(ev.model(MRC) + ev.stand(MRC_IDLE) + ev.walk(MRC_WALK) + ev.leave, ev.play(UNKNOWN) + ev.leave),
                           ev.entry(ev.model(BBA) + ev.stand(BBA_IDLE) + ev.leave))
        data = whole([MRC, BBA], [MRC_IDLE, MRC_WALK, MRC_RUN, BBA_IDLE, BBA_WALK, UNKNOWN, UNKNOWN + 1], script)
        self.assertEqual(self.links(data), {MRC: {MRC_IDLE: 'script', MRC_WALK: 'script', MRC_RUN: 'name', UNKNOWN: 'script', UNKNOWN + 1: 'bones'},
                                            BBA: {BBA_IDLE: 'script', BBA_WALK: 'name', UNKNOWN + 1: 'bones'}})
        self.assertEqual(self.warnings(), ['%s: note: 1 of 7 animations were assigned to models only by their number of bones, because no file states their model' % self.db])

    def test_are_walked_through_everything_that_looks_like_a_model(self):
        noise = ev.switches + ev.region + ev.expression + ev.wide + ev.goto(3) + ev.op(0x2F, ev.EXPRESSION, (1, 5)) + ev.op(0x40, ev.EXPRESSION)
        script = ev.script(ev.entry(noise + ev.create(2, 20) + ev.leave, kind=0), None,
                           ev.entry(noise + ev.model(UNKNOWN) + noise + ev.leave, noise + ev.jump(1) + ev.turn_left(2) + ev.turn_right(3) + ev.sleep(4) + noise,
                                    noise + ev.play_on(255, 5) + ev.run_entry(3) + ev.run(6) + ev.leave),
                           ev.entry(ev.play(7) + ev.run_entry(2) + ev.run_entry(9) + ev.leave, kind=0),
                           ev.entry(ev.play_on(20, 8) + ev.play_on(2, 9) + ev.play_on(250, 10) + ev.leave))
        data = whole([UNKNOWN, UNKNOWN + 1], [*range(1, 11)], script)
        self.assertEqual(self.links(data)[UNKNOWN], {**{i: 'script' for i in range(1, 9)}, 9: 'bones', 10: 'bones'})
        self.assertEqual(self.links(data)[UNKNOWN + 1], {9: 'bones', 10: 'bones'})

    def test_say_that_a_clip_belongs_to_a_model_elsewhere(self):
        script = ev.script(ev.entry(ev.model(BBA) + ev.stand(BBA_IDLE) + ev.leave), ev.entry(ev.model(ZDN) + ev.run(ZDN_RUN) + ev.play(UNKNOWN) + ev.leave))
        data = whole([BBA, MRC], [BBA_IDLE, ZDN_RUN, ZDN_IDLE, UNKNOWN], script)
        self.assertEqual(self.links(data), {BBA: {BBA_IDLE: 'script'}, MRC: {}})
        self.assertEqual(self.warnings(), ['%s: note: 3 of 4 animations belong to models that are not in this file: 3 of zidane (98)' % self.db])

    def test_name_the_models_that_most_of_them_belong_to(self):
        elsewhere = [(2000 + i, 60000 + i) for i in range(14)]
        script = ev.script(*(ev.entry(ev.model(m) + ev.play(a) + ev.leave) for m, a in elsewhere))
        self.links(whole([MRC], [MRC_IDLE, *(a for _, a in elsewhere)], script))
        self.assertEqual(self.warnings(), ['%s: note: 14 of 15 animations belong to models that are not in this file: %s and others of 2 more models'
                                           % (self.db, ', '.join('1 of model %d' % m for m, _ in elsewhere[:12]))])

    def test_that_are_damaged_are_a_warning_and_names_link(self):
        bad = ev.script(ev.entry(ev.model(BBA) + ev.stand(MRC_IDLE) + b'\xFF\x12' + ev.leave))
        data = whole([MRC, BBA], [MRC_IDLE, BBA_WALK, ZDN_RUN], bad)
        self.assertEqual(self.links(data), {MRC: {MRC_IDLE: 'name'}, BBA: {BBA_WALK: 'name'}})
        self.assertEqual(self.warnings()[0].split(': ', 1)[1], 'warning: 1b/2/05/7.entries[0].instruction: is 0x112, which is unknown')

    def test_every_prefix_of_one_is_read_or_refused(self):
        good = ev.script(ev.entry(ev.switches + ev.model(MRC) + ev.region + ev.stand(MRC_IDLE) + ev.leave), ev.entry(ev.model(BBA) + ev.stand(BBA_IDLE)))
        for size in range(0, len(good), 7):
            found = self.links(whole([MRC, BBA], [MRC_IDLE, BBA_IDLE], good[:size]))
            self.assertEqual({m: list(c) for m, c in found.items()}, {MRC: [MRC_IDLE], BBA: [BBA_IDLE]})


class Names(Links):
    def test_link_where_there_is_no_script(self):
        data = whole([MRC, BBA], [MRC_IDLE, MRC_RUN, BBA_IDLE, BBA_TURN, ZDN_RUN, UNKNOWN])
        self.assertEqual(self.links(data), {MRC: {MRC_IDLE: 'name', MRC_RUN: 'name', UNKNOWN: 'bones'}, BBA: {BBA_IDLE: 'name', BBA_TURN: 'name', UNKNOWN: 'bones'}})
        self.assertEqual(self.warnings(), ['%s: note: 1 of 6 animations belong to models that are not in this file: 1 of zidane (98)' % self.db,
                                           '%s: note: 1 of 6 animations were assigned to models only by their number of bones, because no file states their model' % self.db])

    def test_that_agree_with_nothing_count_for_nothing(self):
        data = whole([MRC, BBA], [ZDN_RUN])
        self.assertEqual(self.links(data), {MRC: {ZDN_RUN: 'bones'}, BBA: {ZDN_RUN: 'bones'}})

    def test_are_those_of_clips_and_outputs(self):
        data = whole([MRC], [MRC_RUN, MRC_IDLE, UNKNOWN])
        shown = self.info(data)
        self.assertEqual([(c['name'], c['full_name'], c['named_by']) for c in shown['clips']],
                         [('run', 'ANH_SUB_F0_MRC_RUN', 'table'), ('idle', 'ANH_SUB_F0_MRC_IDLE', 'table'), ('anim_60000', None, 'file')])
        self.assertEqual([(m['title'], m['full_name'], m['named_by']) for m in shown['models']], [('marcus', 'GEO_SUB_F0_MRC', 'table')])
        self.check(run('convert', self.db, '-q', cwd=self.folder), 0)
        scene = Scene(read(self.path('marcus.glb')))
        extras = scene.g['animations'][0]['extras']
        self.assertEqual([extras[k] for k in ('name', 'id', 'full_name', 'named_by', 'linked_by', 'index')], ['run', MRC_RUN, 'ANH_SUB_F0_MRC_RUN', 'table', 'name', 0])
        character = scene.g['scenes'][0]['extras']['reanima']['character']
        self.assertEqual([character[k] for k in ('title', 'full_name', 'named_by')], ['marcus', 'GEO_SUB_F0_MRC', 'table'])

    def test_stay_those_of_the_file_on_request(self):
        shown = self.info(whole([MRC], [MRC_RUN, MRC_IDLE]), '--names-by', 'file')
        self.assertEqual([(c['name'], c['full_name'], c['named_by'], c['linked_by']) for c in shown['clips']],
                         [('anim_%05d' % i, None, 'file', 'name') for i in (MRC_RUN, MRC_IDLE)])
        self.check(run('convert', self.db, '-q', '--names-by', 'file', cwd=self.folder), 0)
        self.assertEqual([a['name'] for a in Scene(read(self.path('field.glb'))).g['animations']], ['anim_%05d' % i for i in (MRC_RUN, MRC_IDLE)])

    def test_are_unique_in_the_order_of_the_file(self):
        both = [int(r['id']) for r in table('animations.csv') if r['name'] == 'ANH_MAIN_F0_ZDN_RUN']
        self.assertEqual(len(both), 2)
        self.assertEqual([(c['index'], c['name']) for c in self.info(whole([ZDN], both))['clips']], [(0, 'run'), (1, 'run_2')])

    def test_of_several_get_their_stems(self):
        for name in ('a', 'b'):
            write(self.path('in', name + '.ff9db'), whole([MRC], [MRC_RUN]))
        write(self.path('in', 'c.ff9db'), whole([BBA], [BBA_IDLE]))
        self.check(run('convert', self.path('in'), '-q', '-o', self.path('out') + '/'), 0)
        self.assertEqual(sorted(os.listdir(self.path('out'))), ['marcus_a.glb', 'marcus_b.glb', 'old_woman.glb'])


def image(fields, monsters=(), formations=()):
    """FF9.IMG with entries of directories 4, 7 and 6: [(id, bytes)]"""
    sector = 2048
    directories, lists, data = [], b'', b''
    listed = {4: fields, 6: formations, 7: monsters}
    first = 1 + 8                                           # the head, and a list for each directory
    for index in range(8):
        rows = b''
        for i, content in listed.get(index, ()):
            rows += struct.pack('<HHI', i, 0xFFFF, first + len(data) // sector)
            data += content + bytes(-len(content) % sector)
        rows += struct.pack('<HHI', 0xFFFF, 0xFFFF, first + len(data) // sector)
        directories.append(struct.pack('<4I', 2, len(listed.get(index, ())), 1 + index, first))
        lists += rows.ljust(sector, b'\0')
    head = b'FF9 ' + struct.pack('<III', 0, 9, 0) + b''.join(directories) + struct.pack('<4I', 4, 0, 0, 0)
    return head.ljust(sector, b'\0') + lists + data


def texts(words):
    """an object of type 06"""
    starts = [4 * len(words) + sum(len(w) + 1 for w in words[:i]) for i in range(len(words))]
    return struct.pack('<I', len(words)) + b''.join(struct.pack('<HH', start, 0) for start in starts) + b''.join(ev.letters(w) + b'\xFF' for w in words)


def formation(enemies):
    """the chunks of a battle formation: [(model, name)]"""
    kinds = b''.join(bytes(30) + struct.pack('<H', i) + bytes(84) for i, _ in enemies)
    return [(0x10, [(1, struct.pack('<4B4x', 7, 2, len(enemies), 1) + bytes(2 * 56) + kinds + bytes(16))]), (0x11, [(1, bytes(8))]),
            (6, [(1, texts([name for _, name in enemies] + ['Fire']))])]


class Enemies(Links):
    bodies = [(2, [(428, model(4, quads=1)), (429, model(5, quads=1))]), (3, [(UNKNOWN, animation(4, 2, 3)), (UNKNOWN + 1, animation(5, 2, 3))])]
    masked = [(428, 'Masked Man'), (429, "Baku's Mask (Left)")]

    def test_have_the_names_of_the_formation(self):
        shown = self.info(db(self.bodies + formation(self.masked)))
        self.assertEqual([(m['title'], m['named_by']) for m in shown['models']], [('masked_man', 'game'), ('baku_s_mask_left', 'game')])

    def names(self, *args):
        shown = json.loads(self.check(run('info', *args, '--json'), 0).stdout)[0]
        return [(m['title'], m['named_by']) for m in shown['models']]

    def test_have_the_names_of_the_formations_of_their_image(self):
        damaged = bytearray(db(formation([(428, 'Nobody')])))
        damaged[4 + 4 * 3 + 8] = 0xFF
        img = write(self.path('FF9.IMG'), image([(3, db(self.bodies))], [(1, db(self.bodies)), (2, db(self.bodies + formation([(428, 'Own Name')])))],
                                                [(1, bytes(damaged)), (5, db(formation(self.masked))), (6, db(formation([(428, 'Later')])))]))
        self.assertEqual(self.names(img + ':7/1'), [('masked_man', 'game'), ('baku_s_mask_left', 'game')])
        self.assertEqual(self.names(img + ':7/2'), [('own_name', 'game'), ('baku_s_mask_left', 'game')])
        unnamed = [('battle_masked_man', 'table'), (None, 'table')]
        for elsewhere in ([img + ':4/3'], [img + ':7/1', '--no-companion']):
            self.assertEqual(self.names(*elsewhere), unnamed)
        self.assertEqual(self.names(img + ':7/1', '--names-by', 'file'), [(None, 'file')] * 2)
        self.check(run('convert', img + ':7/1', '-q', '-o', self.path('out') + '/'), 0)
        self.assertEqual(sorted(os.listdir(self.path('out'))), ['baku_s_mask_left.glb', 'masked_man.glb'])

    def test_are_found_by_those_names(self):
        img = write(self.path('FF9.IMG'), image([(3, db([(2, [(1000, model(4, quads=1))])]))], [(1, db(self.bodies))], [(5, db(formation(self.masked)))]))
        self.assertEqual(self.names(img + ':masked man')[0], ('masked_man', 'game'))
        self.assertIn("did you mean 'masked_man'?", self.check(run('info', img + ':maskd man'), 1).err)
        found = self.check(run('find', 'masked', img), 0).stdout.decode()
        self.assertIn('FF9.IMG:7/1 428 (masked_man, ', found)

    def test_clips_of_models_in_other_files_are_found(self):
        """`find` finds run and walk of Zidane, who is not in the old woman's file: by names or by a script"""
        alone = whole([BBA], [BBA_IDLE, ZDN_RUN])
        field = whole([BBA], [BBA_IDLE, ZDN_WALK], ev.script(ev.entry(ev.model(BBA) + ev.stand(BBA_IDLE) + ev.leave)))
        img = write(self.path('FF9.IMG'), image([(98, whole([ZDN], [ZDN_IDLE])), (102, alone), (103, field)]))
        for word, id in (('run', ZDN_RUN), ('walk', ZDN_WALK)):
            text = self.check(run('find', 'zidane ' + word, 'FF9.IMG', cwd=self.folder), 0).stdout.decode()
            self.assertRegex(text, rf'^{word}: clip \d, id {id}, \d+ frames, [\d.]+ s, of FF9.IMG:4/98 \(zidane, GEO_MAIN_F0_ZDN\)\n'
                             rf'    reanima convert FF9.IMG:4/98 --clip id:{id}\n$')
            command = text.splitlines()[1].split()[1:]
            self.check(run(*command, '-q', '-o', word + '.glb', cwd=self.folder), 0)
            self.assertEqual([a['name'] for a in Scene(read(self.path(word + '.glb'))).g['animations']], [word])
        found = json.loads(self.check(run('find', f'id:{ZDN_WALK}', img, '--json'), 0).stdout)['found']
        self.assertEqual([(f['kind'], f['file'], f['name'], f['full_name'], f['index']) for f in found],
                         [('clip', img + ':4/98', 'walk', 'ANH_MAIN_F0_ZDN_WALK', 0)])

    def test_files_without_characters_are_no_errors(self):
        """Most entries of an image are formations, textures or texts"""
        img = write(self.path('FF9.IMG'), image([(98, whole([ZDN], [ZDN_IDLE]))], formations=[(5, db(formation(self.masked))), (6, db([(6, [(1, texts(['Hello']))])]))]))
        for words in (('find', 'zidane', img), ('list', '-r', img), ('info', img), ('info', '--json', img), ('preview', img, '-o', self.path('p.html'))):
            p = self.check(run(*words), 0)
            self.assertNotIn('neither', p.err, words)
            self.assertNotIn(b'damaged', p.stdout.replace(b'"damaged": false', b''), words)
        self.assertIn('6/5: contains neither an animation nor a model', self.check(run('info', img + ':6/5'), 1).err)


class Elsewhere(Links):
    """A model's clips that are in other files."""
    def setUp(self):
        super().setUp()
        self.zidane = write(self.path('models', 'zidane.ff9db'), whole([ZDN], [ZDN_IDLE]))
        script = ev.script(ev.entry(ev.model(BBA) + ev.stand(BBA_IDLE) + ev.leave), place='L. Castle/Guest Room')
        self.field = write(self.path('field.ff9db'), whole([BBA], [BBA_IDLE, ZDN_RUN, ZDN_WALK], script))

    def clips(self, *args, err=None):
        self.last = self.check(run('convert', *args, '-o', self.path('one.glb'), '--force'), 0)
        scene = Scene(read(self.path('one.glb')))
        self.assertEqual(len(scene.g['skins'][0]['joints']), 6)
        self.assertEqual(len(scene.g['meshes']), 1)
        return [(a['name'], a['extras']['linked_by']) for a in scene.g['animations']]

    def test_a_pattern_takes_what_is_the_models(self):
        self.assertEqual(self.clips(self.zidane, '--animations', self.field + ':*.ff9anim'), [('idle', 'name'), ('walk', 'name'), ('run', 'name')], 'sorted by their numbers')
        self.assertIn('note: animations left out because their names belong to other characters: 1\n', self.last.err)

    def test_inputs_may_lie_anywhere(self):
        run_ = write(self.path('clips', '%d.ff9anim' % ZDN_RUN), animation(6, 3, 9))
        self.assertEqual(self.clips(self.zidane, run_), [('idle', 'name'), ('run', 'name')])
        own = write(self.path('models', 'm.ff9model'), model(6, quads=2))
        self.assertEqual(self.clips(own, run_), [(str(ZDN_RUN), 'given')])
        own = write(self.path('models', '%d.ff9model' % ZDN), model(6, quads=2))
        self.assertEqual(self.clips(own, run_), [('run', 'name')])

    def test_those_of_another_number_of_bones_are_left_out_and_counted(self):
        for name, bones in (('1', 5), ('2', 6), ('3', 7)):
            write(self.path('clips', '6000%s.ff9anim' % name), animation(bones, 3, 9))
        self.assertEqual(self.clips(self.zidane, '--animations', self.path('clips', '*.ff9anim')), [('idle', 'name'), ('60002', 'given')])
        self.assertIn('note: 2 of 3 animations are left out, because they move a different number of bones\n', self.last.err)

    def test_those_named_one_by_one_are_left_out_and_counted(self):
        named = [write(self.path('clips', '6000%s.ff9anim' % name), animation(bones, 3, 9)) for name, bones in (('1', 5), ('2', 6), ('3', 7))]
        self.assertEqual(self.clips(self.zidane, *named), [('idle', 'name'), ('60002', 'given')])
        self.assertIn('note: 2 of 3 animations are left out, because they move a different number of bones\n', self.last.err)
        self.assertEqual(self.clips(*named, self.zidane), [('60002', 'given'), ('idle', 'name')])
        p = run('convert', self.zidane, named[0], named[2], '-o', self.path('x.glb'))
        self.assertIn(': none of the named animations moves as many bones as the skeleton has\n', self.check(p, 1).err)
        p = run('convert', self.zidane, named[0], '-o', self.path('x.glb'))     # a single one is a mistake
        self.assertIn('ends after 5 bones, but the skeleton has 6\n', self.check(p, 1).err)

    def test_an_image_gives_all_that_are_the_models(self):
        other = whole([MRC], [ZDN_RUN, MRC_RUN, *ids('MAIN_F0_ZDN', 'TURN_L')])
        img = write(self.path('FF9.IMG'), image([(98, read(self.zidane)), (102, read(self.field)), (103, other)]))
        expected = [('idle', 'name'), ('run', 'name'), ('walk', 'name'), ('turn_l', 'name')]
        self.assertEqual(self.clips(self.zidane, '--animations', img), expected)
        self.assertEqual(self.clips(img + ':4/98', '--animations', img), expected)
        self.assertEqual(self.clips(img + ':Zidane', '--model', 'zidane', '--animations', img), expected)
        self.assertEqual(self.clips(img + ':Zidane'), expected, 'he lies in it himself')
        self.assertEqual(self.clips(img + ':Zidane', '--no-companion'), expected[:1])
        self.check(run('convert', img + ':dali_boy', '-o', self.path('x.glb')), 1)
        p = run('convert', sample('ff7', 'hrda'), '--animations', img, '-o', self.path('x.glb'))
        self.check(p, 2, 'reanima: --animations %s: the names of the animations do not show which of them belong to hrda. Choose animations with a pattern\n' % img)

    def test_a_chunk_of_which_names_tell_nothing_is_taken_as_a_whole(self):
        own = write(self.path('models', 'm.ff9model'), model(6, quads=2))
        clips = write(self.path('clips.ff9db'), db([(3, [(i, animation(6, 3, i - 60000)) for i in (60001, 60002)])]))
        first = write(self.path('first.ff9anim'), animation(6, 3, 9))
        self.assertEqual(self.clips(first, '-s', own, '--animations', clips), [('first', 'given'), ('anim_60001', 'given'), ('anim_60002', 'given')])

    def test_a_name_of_several_entries_lists_them(self):
        img = write(self.path('FF9.IMG'), image([(98, read(self.zidane)), (99, read(self.zidane))]))
        self.assertIn('zidane is in several entries: 4/98 or 4/99\n', self.check(run('convert', img + ':Zidane', '-o', self.path('x.glb')), 1).err)

    def test_of_several_models_in_an_entry_the_one_that_was_named_is_meant(self):
        both = whole([MRC, ZDN], [MRC_RUN, ZDN_RUN, ZDN_IDLE])
        img = write(self.path('FF9.IMG'), image([(98, both), (102, read(self.field))]))
        for name, expected in (('Zidane', ['run', 'idle', 'walk']), ('GEO_SUB_F0_MRC', ['run'])):
            self.assertEqual([clip for clip, _ in self.clips(img + ':' + name)], expected)
        self.check(run('convert', img + ':4/98', '-o', self.path('x.glb')), 2)
        self.assertEqual([clip for clip, _ in self.clips(img + ':Zidane', '--model', 'marcus')], ['run'])

    def test_a_clip_of_a_model_in_no_archive_names_both(self):
        text = self.check(run('find', 'zidane run', 'field.ff9db', cwd=self.folder), 0).stdout.decode()
        self.assertIn('    reanima convert FILE_WITH_zidane --animations field.ff9db:* --clip id:%d\n' % ZDN_RUN, text.replace('"', ''))

    def test_a_damaged_entry_costs_no_other_ones(self):
        img = write(self.path('FF9.IMG'), image([(98, read(self.zidane)), (102, read(self.field)), (103, read(self.field)[:60])]))
        self.assertEqual(self.clips(img + ':Zidane'), [('idle', 'name'), ('run', 'name'), ('walk', 'name')])

    def test_list_shows_who_is_in_an_entry(self):
        img = write(self.path('FF9.IMG'), image([(98, read(self.zidane)), (102, whole([MRC, BBA], [MRC_RUN]))]))
        entries = json.loads(self.check(run('list', img, '--json'), 0).stdout)['entries']
        self.assertEqual([e.get('title') for e in entries], ['zidane', 'marcus, old_woman'])
        self.assertIn('  4/102  marcus, old_woman\n', run('list', img).stdout.decode())

    def test_edited_clips_of_other_entries_are_compared(self):
        """The rest pose is that of the same clip as in `convert`, wherever the other clips are"""
        for models in ([ZDN_IDLE], []):
            img = write(self.path('FF9.IMG'), image([(98, whole([ZDN], models)), (102, read(self.field)), (103, whole([BBA], [ZDN_IDLE]))]))
            self.check(run('convert', img + ':Zidane', '-o', self.path('z.glb'), '--force'), 0)
            p = self.check(run('encode', self.path('z.glb'), '--into', img + ':Zidane'), 0)
            self.assertEqual(p.err.count('1 clip is from %s:' % img), 3 - len(models))
            self.assertTrue(p.err.endswith('0 clips changed, %d unchanged; nothing is written without -o\n' % len(models)), p.err)

    def test_list_shows_places(self):
        img = write(self.path('FF9.IMG'), image([(98, read(self.zidane)), (102, read(self.field))]))
        entries = json.loads(self.check(run('list', img, '--json'), 0).stdout)['entries']
        self.assertEqual([(e['name'], e.get('place')) for e in entries], [('4/98', None), ('4/102', 'L. Castle/Guest Room')])
        self.assertIn('  4/102  L. Castle/Guest Room  old_woman\n', run('list', img).stdout.decode())
        scripts = [e for e in json.loads(run('list', self.field, '--json').stdout)['entries'] if 'place' in e]
        self.assertEqual([(e['name'], e['place']) for e in scripts], [('1b/2/05/7', 'L. Castle/Guest Room')])


if __name__ == '__main__':
    unittest.main()
