#!/usr/bin/env python3
"""One motion, said in many ways (tests/data/bodies): what comes onto a rig must be what the body does.

Truth is known by construction: a file is written from rotations and places of a body, the rig is the same body, and whole rotations, floor, way and time of the result are compared with them.
"""
import os, sys, unittest

from support import Case, DATA, TOOL

sys.path.insert(0, os.path.join(DATA, 'bodies'))
import body_cases                                  # noqa: E402
import body_make                                   # noqa: E402
import body_score                                  # noqa: E402


class Bodies(Case):
    @classmethod
    def setUpClass(cls):
        stroll = body_make.stroll(body_make.Body(body_make.ADULT))
        cls.source = {'stroll': (stroll.every(30), stroll, False)}

    def hold(self, family, *members):
        """every one of these ways to say a motion comes out right"""
        rows = [row for row in body_cases.FAMILIES[family] if row[0] in members]
        self.assertEqual(sorted(row[0] for row in rows), sorted(members))
        cases = body_score.run(TOOL, only=family, keep=self.folder, quiet=True, families={family: rows}, src=self.source, foreign_rigs=[])
        self.assertEqual(len(cases), len(members))
        self.assertEqual([case.line() for case in cases if not case.right()], [])
        return ' '.join(' '.join(case.text for case in cases).split())

    def test_plain(self):
        self.hold('plain', 'bvh')

    def test_animated_nodes_that_no_skin_lists(self):
        self.hold('E shapes of glTF', 'way on the armature', 'only the trunk in the skin')

    def test_names_with_a_letter_for_the_side(self):
        self.hold('F names', 'glued')

    def test_animals_with_names_of_people_are_refused(self):
        said = self.hold('H refusals', 'dog, Mixamo', 'onto a dog')
        for whose in ("motion is not surely a humanoid's", 'rig is not surely a humanoid'):
            self.assertIn('the %s: four legs; a mapping file says which is which' % whose, said)

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
        self.assertIn('note: the figure stands along +Z: it is turned so that +Y is up', said)


if __name__ == '__main__':
    unittest.main()
