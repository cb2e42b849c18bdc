#!/usr/bin/env python3
"""Files that hold several models: each gets its own output with its animations, and every option handles all these
outputs."""
import json, os, resource, shutil, subprocess, unittest

from ff9_container import animation, db, field, materials, model, silent_animation, turned
from support import Case, Scene, TOOL, read, run, sample, write

# Five models of four bone counts in a field file, and forty animations: eight of each count, and eight for a model of
# 27 bones that is not there. Only the end of 503 shows how many bones it has.
MODELS = [(6030, 5), (6031, 9), (6032, 5), (6033, 12), (6034, 3)]
COUNTS = (5, 9, 12, 3, 27)
ANIMATIONS = [(500 + (17 * i) % 40, COUNTS[i % 5], 1 if i == 18 else 1 + i % 4, i + 1) for i in range(40)]      # id, bones, frames, angle
SILENT = ANIMATIONS[18]
DEFAULTS = [(6030, ANIMATIONS[20][0]), (6031, 9999), (6033, ANIMATIONS[7][0]), (6034, SILENT[0])]       # 6031's is not in the file, 6032 has none


def block(row):
    _, bones, frames, angle = row
    return silent_animation(bones, angle) if row == SILENT else animation(bones, frames, angle)


def forty(models=MODELS, defaults=DEFAULTS):
    return field([(i, model(bones, quads=2, triangles=1)) for i, bones in models], [(row[0], block(row)) for row in ANIMATIONS], defaults)


def clips_of(number):
    """-> the animations' rows of a model in the order of its clips"""
    bones, default = dict(MODELS)[number], dict(DEFAULTS).get(number)
    own = [row for row in ANIMATIONS if row[1] == bones]
    return [row for row in own if row[0] == default] + [row for row in own if row[0] != default]


def names(scene):
    return [a['name'] for a in scene.g.get('animations', [])]


class Models(Case):
    def setUp(self):
        super().setUp()
        self.db = write(self.path('1.ff9db'), forty())

    def scene(self, *parts):
        return Scene(read(self.path(*parts)))

    def lines(self, name='report'):
        """The lines of the report, without the sums"""
        return [line for line in map(json.loads, read(self.path(name)).decode().splitlines()) if 'sums' not in line]

    def outputs(self, *args, status=0):
        return self.convert(*args, '--outputs', status=status).stdout.decode().splitlines()


class EveryModel(Models):
    def assert_turned(self, found, angle):
        cosine = abs(sum(a * b for a, b in zip(found, turned(angle))))
        self.assertGreater(cosine, 1 - 1e-6, (found, turned(angle)))

    def test_has_the_animations_of_its_number_of_bones(self):
        self.assertEqual(SILENT[1], 3)
        self.assertEqual(len(block(SILENT)), 44)
        p = self.convert('1.ff9db', '-o', 'out/', '--strict', '--rate', '10')
        self.assertEqual(sorted(os.listdir(self.path('out'))), ['1_%d.glb' % number for number, _ in MODELS])
        for number, bones in MODELS:
            scene, rows = self.scene('out', '1_%d.glb' % number), clips_of(number)
            self.assertEqual(names(scene), ['anim_%05d' % row[0] for row in rows], number)
            self.assertEqual(len(rows), 8)
            self.assertEqual(len(scene.g['skins'][0]['joints']), bones)
            for clip, (animation_id, _, frames, angle) in zip(scene.g['animations'], rows):
                self.assertEqual((clip['extras']['index'], clip['extras']['frames'], clip['extras']['source']),
                                 ([row[0] for row in ANIMATIONS].index(animation_id), frames, '1.ff9db'))
                times, values = scene.animation(scene.g['animations'].index(clip))[(scene.node('bone%03d' % (bones - 1)), 'rotation')][:2]
                self.assertEqual(len(times), frames)
                for frame, value in enumerate(values):
                    self.assert_turned(value, angle + frame)
            rest = scene.nodes[scene.node('bone%03d' % (bones - 1))]
            self.assert_turned(rest['rotation'], rows[0][3])             # the first frame of the first clip
            self.assertTrue(any(n.get('name') == '1_%d' % number for n in scene.nodes))
        self.assertEqual(p.err.count('8 of 40 animations are left out, because they move 27 bones, and no model beside them has this number of bones'), 1)
        self.assertIn('1.ff9db: note: 8 of 40', p.err)
        self.assertIn('5 converted, 0 failed, 0 skipped', p.err)

    def test_may_be_asked_for(self):
        self.convert('1.ff9db', '--model', '6033', '--model', '6031', '--model', '6033', '-o', 'out/')
        self.assertEqual(sorted(os.listdir(self.path('out'))), ['1_6031.glb', '1_6033.glb'])
        self.convert('1.ff9db', '--model', '6031', '-o', 'one.glb')
        self.assertEqual(read(self.path('one.glb')), read(self.path('out', '1_6031.glb')))
        self.convert('1.ff9db', '--model', '6031')
        self.assertEqual(read(self.path('1.glb')), read(self.path('one.glb')))
        piped = run('convert', '-', '--model', '6031', '-o', '-', stdin=read(self.db))
        self.assertEqual(names(Scene(self.check(piped, 0).stdout)), names(self.scene('one.glb')))
        shell = 'exec "$0" convert <(cat "$1") -o "$2" --model 6031 --model 6034'        # a pipe, too, can be read only once
        p = subprocess.run(['bash', '-c', shell, TOOL, self.db, self.path('pipe/')], stderr=subprocess.PIPE)
        self.assertEqual((p.returncode, len(os.listdir(self.path('pipe')))), (0, 2), p.stderr)
        p = run('convert', '-', '-o', self.path('in/'), stdin=read(self.db))
        self.check(p, 0)
        self.assertEqual(sorted(os.listdir(self.path('in'))), ['stdin_%d.glb' % number for number, _ in MODELS])

    def test_alone_needs_no_name(self):
        write(self.path('2.ff9db'), forty(MODELS[1:2], DEFAULTS))
        self.convert('2.ff9db', '-o', 'out/')
        self.convert('2.ff9db', '-o', 'x.glb')
        self.assertEqual(os.listdir(self.path('out')), ['2.glb'])
        self.assertEqual(names(self.scene('x.glb')), ['anim_%05d' % row[0] for row in clips_of(6031)])
        self.assertTrue(any(n.get('name') == '2' for n in self.scene('x.glb').nodes))

    def test_needs_an_output_of_its_own(self):
        text = ('contains 5 models, but an output can contain only one. Choose one with --model, or use -o FOLDER/ for all: 6030 (5 joints, 8 clips, 5 triangles), 6031 (9 joints, 8 clips, 5 triangles), '
                '6032 (5 joints, 8 clips, 5 triangles), 6033 (12 joints, 8 clips, 5 triangles), 6034 (3 joints, 8 clips, 5 triangles)\n')
        for args in (['1.ff9db', '-o', 'x.glb'], ['1.ff9db'], ['1.ff9db', '-o', '-']):
            self.assertEqual(self.convert(*args, status=2).err, 'reanima: 1.ff9db: ' + text, args)
        p = self.convert('1.ff9db', '--model', '6030', '--model', '6032', '-o', 'x.glb', status=2)
        self.assertIn('contains 2 models, but an output can contain only one. Choose one with --model,', p.err)
        self.assertEqual(self.files(), ['1.ff9db'])

    def test_that_is_not_there_is_told(self):
        p = self.convert('1.ff9db', '--model', '999', '-o', 'x.glb', status=1)
        self.assertTrue(p.err.startswith('reanima: 1.ff9db: contains no model 999, only 6030 (5 joints, 8 clips, 5 triangles), 6031 ('), p.err)
        p = self.convert('1.ff9db', '--model', '999', '--model', '6034', '-o', 'out/', '--report', 'report', status=1)
        self.assertEqual(os.listdir(self.path('out')), ['1_6034.glb'])
        self.assertEqual([(line['status'], line['output']) for line in self.lines()], [('failed', ''), ('ok', 'out/1_6034.glb')])
        self.assertEqual(self.outputs('1.ff9db', '--model', '999', '-o', 'y.glb', status=1), [])
        p = self.convert(sample('ff7', 'hrda'), '--model', '1', '-o', 'y.glb', status=1)
        self.assertIn('hrda: contains no model 1\n', p.err)

    def test_a_name_is_guessed(self):
        write(self.path('98.ff9db'), field([(98, model(5)), (200, model(5))], [(int(ANIMATIONS[0][0]), block(ANIMATIONS[0]))]))
        for wrong in ('zidne', 'Zidanne', 'GEO_MAIN_F0_ZDM'):
            p = self.convert('98.ff9db', '--model', wrong, '-o', 'y.glb', status=1)
            right = 'GEO_MAIN_F0_ZDN' if '_' in wrong else 'zidane'
            self.assertTrue(p.err.lower().endswith('; did you mean %s?\n' % right.lower()), p.err)

    def test_with_a_given_skeleton_there_are_none(self):
        skeleton = write(self.path('five.ff9model'), model(5))
        five = write(self.path('five.ff9db'), field([(i, model(n)) for i, n in MODELS], [(row[0], block(row)) for row in ANIMATIONS if row[1] == 5]))
        self.convert(five, '-s', skeleton, '-o', 'out/')
        self.assertEqual(os.listdir(self.path('out')), ['five.glb'])
        self.assertEqual(names(self.scene('out', 'five.glb')), ['anim_%05d' % row[0] for row in ANIMATIONS if row[1] == 5])
        self.assertEqual(json.loads(run('info', '--json', five, '-s', skeleton).stdout)[0]['models'], [])

    def test_keeps_to_its_own_db(self):
        first, second = animation(5, 2, 10), animation(5, 2, 20)
        inner = [db([(2, [(1, model(5))]), (3, [(11, first)])]), db([(2, [(2, model(5))]), (3, [(12, second)])]), db([(2, [(3, model(5))])])]
        write(self.path('x.ff9db'), db([(0x1B, list(enumerate(inner)))]))
        self.convert('x.ff9db', '-o', 'out/', '--strict', '-q')
        self.assertEqual([names(self.scene('out', 'x_%d.glb' % i)) for i in (1, 2, 3)], [['anim_00011'], ['anim_00012'], ['anim_00011', 'anim_00012']])

    def test_of_an_id_that_occurs_twice_gets_another(self):
        write(self.path('x.ff9db'), db([(2, [(7, model(5)), (7, model(9))]), (3, [(1, animation(5, 2, 1)), (2, animation(9, 2, 2))])]))
        self.assertEqual(self.outputs('x.ff9db', '-o', 'out/'), ['out/x_7.glb', 'out/x_7_2.glb'])
        self.convert('x.ff9db', '--model', '7_2', '-o', 'x.glb')
        self.assertEqual(names(self.scene('x.glb')), ['anim_00002'])
        self.assertEqual([m['id'] for m in json.loads(run('info', '--json', self.path('x.ff9db')).stdout)[0]['models']], [7, '7_2'])

    def test_is_bound_to_a_rig_by_itself(self):
        rig = self.path('rig.glb')
        self.convert('1.ff9db', '--model', '6031', '--no-mesh', '-o', rig)
        self.convert('1.ff9db', '-s', rig, '-o', 'x.glb', status=2)
        self.convert('1.ff9db', '-s', rig, '--model', '6032', '-o', 'x.glb')
        self.assertEqual(names(self.scene('x.glb')), ['anim_%05d' % row[0] for row in clips_of(6032)])
        self.check(run('bind', self.db, '-s', rig, '--suggest', '-o', self.path('map.json')), 2)
        self.check(run('bind', self.db, '--model', '9', '-s', rig, '--suggest', '-o', self.path('map.json')), 1)
        self.check(run('bind', self.db, '--model', '6031', '-s', rig, '--suggest', '-o', self.path('map.json')), 0)
        self.assertEqual(len([line for line in json.loads(read(self.path('map.json')))['joints'] if line['source'] and line['target']]), 9)


class Told(Models):
    ROWS = [dict(id=number, joints=bones, groups=1, triangles=5, clips=8, default_animation=dict(DEFAULTS).get(number), title=None, full_name=None, named_by='file') for number, bones in MODELS]

    def test_info_shows_every_model(self):
        answer = json.loads(self.check(run('info', '--json', self.db), 0).stdout)[0]
        self.assertEqual(answer['models'], self.ROWS)
        self.assertEqual([(c['model'], c['name']) for c in answer['clips']], [(number, 'anim_%05d' % row[0]) for number, _ in MODELS for row in clips_of(number)])
        self.assertEqual([(j['model'], j['name']) for j in answer['joints']], [(number, 'bone%03d' % b) for number, bones in MODELS for b in range(bones)])
        text = self.check(run('info', self.db), 0).stdout.decode()
        self.assertIn('\nmodel  joints  groups  triangles  clips  default\n 6030       5       1          5      8  %7d\n' % ANIMATIONS[20][0], text)
        self.assertIn('\n 6032       5       1          5      8        -\n', text)
        for number, bones in MODELS:
            self.assertIn('skeleton: 1_%d, %d joints (found)' % (number, bones), text)

    def test_check_agrees_with_convert(self):
        self.check(run('check', self.db), 0)
        self.check(run('check', self.db, '--strict'), 0)
        self.check(run('check', self.db, '--warn', 'skeleton-mismatch=error'), 1)
        self.convert('1.ff9db', '-o', 'no/', '--warn', 'skeleton-mismatch=error', status=1)
        for rows, problem in (
                ({2: (6032, b'\0\0\0' + model(5)[3:])}, '02/6032.ff9model.bone_count at 0x%x: is 0, expected 1 or more'),
                ({2: (6032, model(5, 1)[:79])}, '02/6032.ff9model.mesh_groups at 0x%x: is 0x28, but the 1 groups from there end outside the model of 79 bytes')):
            models = [rows.get(k, (i, model(n))) for k, (i, n) in enumerate(MODELS)]
            path = write(self.path('bad.ff9db'), db([(2, models), (3, [(1, animation(5, 2, 3))])]))
            at = next(e['offset'] for e in json.loads(run('dump', path).stdout)['entries'] if e['id'] == 6032) + (2 if 'bone_count' in problem else 0x10)
            self.assertEqual(self.check(run('check', path), 1).stdout.decode(), '%s: %s\n' % (path, problem % at))
            p = self.convert(path, '--report', 'report', '-o', 'out/', '--force')
            self.assertIn(problem.split(' at ')[0] + ': ' + problem.split(': ', 1)[1], p.err)
            self.assertIn('damaged', {w['code'] for line in self.lines() for w in line['warnings']})
            self.convert(path, '-o', 'strict/', '--strict', status=1)

    def test_what_is_damaged_is_left_out(self):
        good, bad = animation(5, 3, 40), bytearray(animation(5, 3, 50))
        bad[16:20] = b'\xff\xff\0\0'                                     # the LOW table
        head = b'\0\0\0' + model(9)[3:]
        table = bytearray(materials([(1, 12)]))
        table[1] = 99
        path = write(self.path('x.ff9db'), db([(2, [(1, model(5)), (2, head)]), (3, [(11, bytes(bad)), (12, good)]), (0x12, [(3, bytes(table))])]))
        p = self.convert('x.ff9db', '-o', 'out/')
        self.assertEqual(os.listdir(self.path('out')), ['x.glb'])
        scene = self.scene('out', 'x.glb')
        self.assertEqual([(a['name'], a['extras']['index']) for a in scene.g['animations']], [('anim_00012', 1)])
        self.assertEqual([line.split(': ', 2)[2] for line in p.err.splitlines() if 'warning' in line],
                         ['02/2.ff9model.bone_count: is 0, expected 1 or more',
                          '03/11.ff9anim.low_table: is 0xffff, but the 1 record from there ends outside the block of %d bytes' % len(bad),
                          '12/3.model_count: is 99, but the object has room for only 2'])
        self.assertEqual(self.check(run('check', path), 1).stdout.decode().count('\n'), 3)
        self.assertIn('contains no model 2, only 1 (5 joints, 1 clip, 0 triangles)\n', self.convert('x.ff9db', '--model', '2', '-o', 'y.glb', status=1).err)

    def test_a_model_without_animations_is_a_pile(self):
        write(self.path('x.ff9db'), db([(2, [(1, model(5, 1)), (2, model(9)), (3, model(9, 1))]), (3, [(11, animation(5, 2, 1))])]))
        p = self.convert('x.ff9db', '-o', 'out/', '--report', 'report')
        self.assertEqual(sorted(os.listdir(self.path('out'))), ['x_1.glb', 'x_3.glb'])       # a bare skeleton is none of them
        self.assertIn('x.ff9db: warning: no animation moves x_3, so all its angles are 0\n', p.err)
        self.assertEqual([[w['code'] for w in line['warnings']] for line in self.lines()], [[], ['no-pose']])
        self.assertEqual([line['model'] for line in self.lines()], [1, 3])
        self.convert('x.ff9db', '--model', '3', '-o', 'y.glb', '--strict', status=1)
        self.convert('x.ff9db', '--model', '3', '-o', 'y.glb', '--strict', '--rest', 'zero')
        self.convert('x.ff9db', '--model', '2', '-o', 'z.glb')
        self.assertEqual(len(self.scene('z.glb').g['skins'][0]['joints']), 9)

    def test_where_nothing_is_left_there_is_a_warning(self):
        for models, outputs in (([(1, model(5, 1))], ['x.glb']), ([(1, model(5)), (2, model(9))], ['x_1.glb', 'x_2.glb'])):
            shutil.rmtree(self.path('out'), ignore_errors=True)
            path = write(self.path('x.ff9db'), db([(2, models), (3, [(11, animation(12, 2, 1))])]))
            p = self.convert('x.ff9db', '-o', 'out/')
            self.assertEqual(sorted(os.listdir(self.path('out'))), outputs)
            self.assertEqual(p.err.count('x.ff9db: warning: 1 of 1 animations are left out, because they move 12 bones, and no model beside them has this number of bones\n'), 1)
            self.check(run('check', path), 1)
            self.convert('x.ff9db', '-o', 'strict/', '--strict', status=1)


class Limits(Models):
    def test_shared_animations_do_not_multiply(self):
        """255 models share 255 animations of 200 frames: 90 KB ask for 65,025 clips"""
        clips = [(i, animation(5, 200, i)) for i in range(255)]
        path = write(self.path('x.ff9db'), db([(2, [(60000 + i, model(5)) for i in range(255)]), (3, clips)]))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        for args in (['convert', path, '-o', self.path('out/')], ['convert', path, '-o', self.path('out/'), '--outputs'], ['info', path]):
            p = self.check(run(*args), 4)
            self.assertEqual(p.err, 'reanima: %s: 65025 clips of 255 models: the file decodes to more samples than the limit allows (see --limit-samples N)\n' % path)
            self.assertEqual(p.stdout, b'')
        p = self.check(run('check', path), 1)
        self.assertEqual(p.stdout.decode(), '%s: 65025 clips of 255 models: the file decodes to more samples than the limit allows (see --limit-samples N)\n' % path)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 60)
        still = write(self.path('y.ff9db'), db([(2, [(60000 + i, model(9)) for i in range(255)]), (3, [(i, animation(9, 1, i)) for i in range(255)])]))
        self.tells('y.ff9db: 65025 clips of 255 models: would need', 'convert', still, '-o', self.path('out/'), '--limit-memory', '64', status=4)
        self.assertFalse(os.path.exists(self.path('out')))
        self.convert('x.ff9db', '--model', '60007', '-o', 'out/')
        self.assertEqual(len(names(self.scene('out', 'x_60007.glb'))), 255)


class Pipelines(Models):
    def test_every_option_knows_the_file_of_every_model(self):
        expected = ['out/1_%d.glb' % number for number, _ in MODELS]
        self.assertEqual(self.outputs('1.ff9db', '-o', 'out/'), expected)
        self.assertEqual(self.convert('1.ff9db', '-o', 'out/', '--outputs-from').stdout, b'1.ff9db\n')
        self.assertEqual(self.convert(sample('ff7', 'hrda'), '-o', 'out/', '--outputs-from').stdout, b'')
        self.assertEqual(self.files(), ['1.ff9db'])
        self.convert('1.ff9db', '-o', 'out/', '--depfile', 'd', '--report', 'report', '-j', '3')
        self.assertEqual(read(self.path('d')).decode(), ''.join('%s: \\\n  1.ff9db\n' % output for output in expected))
        self.assertEqual([(l['input'], l['output'], l['model'], l['status'], l['clips'], l['joints']) for l in self.lines()],
                         [('1.ff9db', output, number, 'ok', 8, bones) for output, (number, bones) in zip(expected, MODELS)])
        before = {output: read(self.path(output)) for output in expected}
        self.assertIn('5 unchanged, 0 converted', self.convert('1.ff9db', '-o', 'out/', '--if-changed').err)
        os.remove(self.path('out/1_6032.glb'))
        p = self.convert('1.ff9db', '-o', 'out/', '--if-changed', '--report', 'report')
        self.assertIn('4 unchanged, 1 converted', p.err)
        self.assertEqual([l['status'] for l in self.lines()], ['skipped', 'skipped', 'ok', 'skipped', 'skipped'])
        self.assertEqual({output: read(self.path(output)) for output in expected}, before)
        self.assertIn('1 unchanged', self.convert('1.ff9db', '--model', '6032', '-o', 'out/', '--if-changed').err)       # what else was asked for is no matter

    def test_the_names_come_from_the_tables_alone(self):
        """animations are not decoded to list the outputs, nor to find that nothing changed"""
        def turning(bones, frames):                                  # the last bone by half a turn from frame to frame
            block = bytearray(animation(bones, frames, 0))
            block[20 + 8 * bones:20 + 8 * bones + frames] = bytes(128 * (f % 2) for f in range(frames))
            return bytes(block)
        write(self.path('turning.ff9db'), db([(2, [(1, model(20)), (2, model(5))]), (3, [(1, turning(20, 25)), (200, animation(5, 2, 1))])]))
        decoded = 'players may interpolate'            # told of by the decoder of the clips alone
        self.assertIn(decoded, self.convert('turning.ff9db', '-o', 'out/').err)
        self.assertNotIn(decoded, self.convert('turning.ff9db', '-o', 'out/', '--outputs').err)
        p = self.convert('turning.ff9db', '-o', 'out/', '--if-changed')
        self.assertIn('2 unchanged', p.err)
        self.assertNotIn(decoded, p.err)

    def test_a_model_that_disappears_leaves_no_claim(self):
        out = self.path('out')
        self.convert('1.ff9db', '-o', 'out/', '-q')
        self.convert('1.ff9db', '--model', '6031', '-o', 'one.glb', '-q')
        write(self.db, forty(MODELS[:1] + MODELS[2:]))
        rest = ['out/1_%d.glb' % number for number, _ in MODELS if number != 6031]
        self.assertEqual(self.outputs('1.ff9db', '-o', 'out/'), rest)
        p = self.convert('1.ff9db', '-o', 'out/', '--if-changed', '--depfile', 'd', '--report', 'report')
        self.assertIn('4 converted, 0 failed', p.err)
        self.assertTrue(os.path.exists(os.path.join(out, '1_6031.glb')))          # not ours to delete
        self.assertNotIn('1_6031', read(self.path('d')).decode() + read(self.path('report')).decode())
        for args in (['-o', 'one.glb'], ['-o', 'out/']):
            p = self.convert('1.ff9db', '--model', '6031', '--if-changed', '--depfile', 'd', '--report', 'report', *args, status=1)
            self.assertIn('contains no model 6031', p.err)
            self.assertEqual(read(self.path('d')), b'')
            self.assertEqual([l['status'] for l in self.lines() if l['status'] != 'left'], ['failed'])
            self.assertEqual(self.outputs('1.ff9db', '--model', '6031', *args, status=1), [])
        write(self.db, forty(MODELS[:1]))                                        # the last one has no number in its name
        self.assertEqual(self.outputs('1.ff9db', '-o', 'out/'), ['out/1.glb'])
        p = self.convert('1.ff9db', '-o', 'out/', '--if-changed', '--depfile', 'd')
        self.assertIn('wrote out/1.glb: 8 clips, 5 joints', p.err)
        self.assertEqual(read(self.path('d')).decode(), 'out/1.glb: \\\n  1.ff9db\n')

    def test_folders_and_job_files(self):
        for name in ('1', '2'):
            write(self.path('in', 'sub', name + '.ff9db'), forty())
        write(self.path('in', 'hero.ff9model'), model(5))
        expected = ['out/hero.glb'] + ['out/sub/%s_%d.glb' % (name, number) for name in '12' for number, _ in MODELS]
        self.assertEqual(self.outputs('in', '-o', 'out/'), expected)
        self.convert('in', '-o', 'out/', '-j', '4', '-q')
        self.assertEqual([f for f in self.files() if f.startswith('out/')], expected)
        job = dict(schema=1, inputs=['1.ff9db'], output='one.glb', options=dict(model='6033'))
        write(self.path('one.reanima.json'), json.dumps([job, dict(job, output='all/', options=dict(model=[6030, 6034]))]))
        self.assertEqual(self.outputs('one.reanima.json'), ['one.glb', 'all/1_6030.glb', 'all/1_6034.glb'])
        self.assertEqual(self.convert('one.reanima.json', '--outputs-from').stdout, b'1.ff9db\n1.ff9db\none.reanima.json\n')
        self.convert('one.reanima.json', '-q')
        self.assertEqual(names(self.scene('one.glb')), ['anim_%05d' % row[0] for row in clips_of(6033)])
        self.assertEqual(sorted(os.listdir(self.path('all'))), ['1_6030.glb', '1_6034.glb'])


if __name__ == '__main__':
    unittest.main()
