#!/usr/bin/env python3
"""One motion stored in many ways (tests/data/bodies): on a rig, all must give the motion of the body.

The truth is known by construction: each file is written from rotations and positions of a body, the rig is the same
body, and the result's rotations, floor, path and timing are compared with them.
"""
import os, random, sys, unittest, unittest.mock

from pictures import from_png
from support import Case, DATA, TOOL, read

sys.path.insert(0, os.path.join(DATA, 'bodies'))
import body_cases                                  # noqa: E402
import body_make                                   # noqa: E402
import body_score                                  # noqa: E402


class Bodies(Case):
    @classmethod
    def setUpClass(cls):
        stroll = body_make.stroll(body_make.Body(body_make.ADULT))
        jump = body_make.jump(body_make.Body(body_make.CHILD))
        cls.stroll = {'stroll': (stroll.every(30), stroll, False)}
        cls.jump = {'jump': (jump.every(30), jump, False)}

    def hold(self, family, *members, source=None):
        """each of these ways to store a motion gives the right result"""
        rows = [row for row in body_cases.FAMILIES[family] if row[0] in members]
        self.assertEqual(sorted(row[0] for row in rows), sorted(members))
        cases = body_score.run(TOOL, only=family, keep=self.folder, quiet=True, families={family: rows}, src=source or self.stroll, foreign_rigs=[])
        self.assertEqual(len(cases), len(members))
        self.assertEqual([case.line() for case in cases if not case.right()], [])
        return ' '.join(' '.join(case.text for case in cases).split())

    def test_plain(self):
        self.hold('plain', 'bvh')

    def test_a_floor_elsewhere(self):
        self.hold('C floor', 'raised', 'raised a little', 'lowered', 'lowered a little', 'relative')

    def test_hips_elsewhere_in_the_pelvis(self):
        self.hold('C floor', 'hips lower', 'hips higher', 'hips lower, glb')

    def test_a_rig_whose_joints_have_the_same_names_and_other_axes(self):
        self.hold('A axes', 'glb: nodes at zero', 'glb: nodes in a frame', 'glb: nodes in a frame, random axes')

    def test_a_frame_of_the_motion_is_no_rest_pose(self):
        self.hold('A axes', 'zero is another frame')

    def test_ends_of_limbs_that_are_joints(self):
        self.hold('F names', 'numbers', source=self.jump)
        self.hold('G order, format', 'FF9 block', source=self.jump)

    def test_palms_of_a_rest_pose(self):
        self.hold('B helpers', 'fingers')
        self.hold('G order, format', 'vrma')

    def test_animated_nodes_that_no_skin_lists(self):
        self.hold('E shapes of glTF', 'way on the armature', 'only the trunk in the skin')

    def test_names_with_a_letter_for_the_side(self):
        self.hold('F names', 'glued')

    def test_a_chest_with_an_unknown_name(self):
        def unknown(v):
            v.by()['chest'].name = 'Xyz'
            v.bvh()
        with unittest.mock.patch.dict(body_cases.FAMILIES, {'F names': [('unknown chest', unknown)]}):
            self.hold('F names', 'unknown chest')

    def test_animals_with_names_of_people_are_refused(self):
        said = self.hold('H refusals', 'dog, Mixamo', 'onto a dog')
        for whose in ("motion is not recognised as humanoid", 'rig is not recognised as a humanoid'):
            self.assertIn('the %s: four legs. State in a mapping file which joint follows which' % whose, said)
        self.hold('H refusals', 'crab', 'crab, glb', 'onto a crab')

    def test_animals_are_not_turned_onto_their_hind_legs(self):
        beasts = ('dog', 'horse', 'elephant')
        with unittest.mock.patch.dict(body_cases.NAMES, {'own': {}}), \
                unittest.mock.patch.dict(body_cases.FAMILIES, {'H refusals': [(kind, body_cases.h_beast(kind, 'own')) for kind in beasts]}):
            self.hold('H refusals', *beasts)

    def test_who_lies_all_the_time(self):
        body = body_make.Body(body_make.ADULT)
        walk = body_make.stroll(body)
        lies = body_make.Clip(body, 30, walk.G[:1] * 30, [walk.P[0]['hips']] * 30).moved(body_make.X(-90), (0, 12, 90))

        def lying(v):
            v.rename(body_cases.NAMES['vroid'])
            body_cases.a_rest('frame', axes=None)(v)
            v.floor, v.skip = False, ('head', 'hands', 'upper arms', 'forearms')  # still elbows show no hinge
        with unittest.mock.patch.dict(body_cases.FAMILIES, {'A axes': [('lying', lying)]}), \
                unittest.mock.patch.dict(body_cases.RIGS, {'T': (body_cases.rig_plain, 'unreal', {})}):
            said = self.hold('A axes', 'lying', source={'lies': (lies, lies, False)})
        self.assertIn('look at: the face', said)

    def test_names_that_exchange_left_and_right(self):
        def exchanged(v):
            v.refuse = True
            for node in v.n:
                for here, there in (('Left', 'Right'), ('Right', 'Left')):
                    if here in node.name:
                        node.name = node.name.replace(here, there)
                        break
            v.bvh()
        with unittest.mock.patch.dict(body_cases.FAMILIES, {'H refusals': [('exchanged', exchanged)]}):
            said = self.hold('H refusals', 'exchanged')
        self.assertIn('left and right are exchanged, according to the toes', said)

    def test_a_rest_pose_that_is_no_body_is_not_trusted(self):
        self.hold('A axes', 'random', 'zero is folded')

    def test_a_body_that_lies_in_its_rest_pose_is_trusted(self):
        self.hold('A axes', 'zero lies')

    def test_palms_of_who_crawls(self):
        self.hold('H refusals', 'a person crawls')

    def test_hips_that_joints_below_turn_back(self):
        self.hold('B helpers', 'hips counter-turn')

    def test_another_axis_is_up(self):
        said = self.hold('D up axis', 'Z up')
        self.assertIn('note: the character stands along +Z and is turned so that +Y is up', said)

    def test_another_axis_is_up_and_the_floor_is_elsewhere(self):
        def elsewhere(v):
            body_cases.c_shift(hips=True)(v)
            body_cases.d_up('z', axes='x')(v)
        with unittest.mock.patch.dict(body_cases.FAMILIES, {'D up axis': [('elsewhere', elsewhere)]}):
            self.hold('D up axis', 'elsewhere')

    def test_fingers_show_palms_on_a_rig_without_fingers(self):
        def bundle(v):
            body_cases.b_fingers(v)
            v.tells, v.palm, v.floor = 'motion', False, False
            v.axes(body_cases.random_axes(v))
            v.bvh()
        bent = body_make.capture(os.path.join(DATA, 'motion'), 'cmu_01_03', 1)  # its wrists are bent
        with unittest.mock.patch.dict(body_cases.FAMILIES, {'B helpers': [('bundle', bundle)]}):
            self.hold('B helpers', 'bundle', source={'bent': (bent, None, True)})

    def test_knees_that_stand_inwards_do_not_roll_the_thighs(self):
        def inwards(v):
            for side, sign in (('L.', 1), ('R.', -1)):
                knee = v.by()[side + 'shin']
                knee.P0 = (knee.P0[0] - 2.2 * sign, knee.P0[1], knee.P0[2])  # thighs and shins lean by 3 degrees
        with unittest.mock.patch.dict(body_cases.RIGS, {'T': (inwards, 'mixamorig', {})}):
            self.hold('A axes', 'random')

    def test_another_person_in_the_file(self):
        clip, master, _ = self.stroll['stroll']
        scene = body_make.Node(None, None, [body_make.ONE] * len(clip.G), [(0, 0, 0)] * len(clip.G), name='Scene')
        both = body_cases.V(clip, random.Random(1), os.path.join(self.folder, 'two'), master)
        other = body_cases.V(clip.moved(d=(150, 0, 0)), random.Random(1), '', master)
        for node in other.n:
            node.name, node.P0 = 'B_' + node.name, body_make.add(node.P0, (150, 0, 0))
        for node in both.n + other.n:
            if node.parent is None:
                node.parent, node.six = scene, True
        both.n = [scene] + both.n + other.n
        both.bvh()
        body_cases.write_rig('T', body_make.Body(body_make.ADULT), self.path('rig.glb'))
        p = self.check(self.cli('convert', 'two.bvh', '-s', 'rig.glb', '-o', 'out.glb'), 0)
        self.assertRegex(p.err, r'two\.bvh: warning: \S+ with \d+ joints looks like another character, so its motion is left out \(see --joint-root \S+\)')

    def test_sheets_show_captures_upright_whatever_their_rest_pose(self):
        def sheet(member):
            folder = os.path.join(self.folder, member)
            os.mkdir(folder)
            clip, master, _ = self.stroll['stroll']
            say = dict((('bvh', lambda v: v.bvh()), *body_cases.FAMILIES['A axes']))[member]
            say(body_cases.V(clip, random.Random(1), os.path.join(folder, 'clip'), master))
            image = os.path.join(folder, 'clip.png')
            self.drawn(self.cli('preview', os.path.join(folder, 'clip.bvh'), '-o', image))
            return [texel for row in from_png(read(image))[1] for texel in row]
        usual = sheet('bvh')
        for member in ('zero lies', 'bones along X', 'zero is folded'):
            pixels = sheet(member)
            self.assertEqual(len(pixels), len(usual))
            self.assertLess(sum(a != b for a, b in zip(pixels, usual)), 0.01 * len(usual), member)


if __name__ == '__main__':
    unittest.main()
