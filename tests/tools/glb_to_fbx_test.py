#!/usr/bin/env python3
"""samples/pipeline/glb_to_fbx.py: the .fbx, imported again, has every clip and every joint, and the joints' positions
are those of the .glb."""
import math, os, shutil, subprocess, sys, unittest

from support import Case, Scene, in_blender, read, run, sample

SCRIPT = sample('pipeline', 'glb_to_fbx.py')
TENTH = 1e-4                                       # metres

IMPORTED = """
bpy.ops.import_scene.fbx(filepath=arguments[0], automatic_bone_orientation=False)
rate = float(arguments[1])
rig = next(o for o in bpy.data.objects if o.type == 'ARMATURE')
out = {'bones': [b.name for b in rig.data.bones], 'meshes': sum(o.type == 'MESH' for o in bpy.data.objects), 'clips': {},
       'fps': scene.render.fps / scene.render.fps_base}
for action in bpy.data.actions:
    curves = [c for c in curves_of(action) if c.data_path.startswith('pose.bones')]
    if not curves:
        continue
    rig.animation_data.action = action
    rows = []
    first, last = action.frame_range
    for frame in range(int(round(first)), int(round(last)) + 1):
        scene.frame_set(frame)
        rows.append({b.name: list((rig.matrix_world @ b.matrix).translation) for b in rig.pose.bones})
    out['clips'][action.name] = rows
print('RESULT ' + json.dumps(out))
"""


def blender(*args):
    return subprocess.run(['blender', '--background', '--factory-startup', '--python-exit-code', '1', '--python', SCRIPT, '--', *args], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=600, env=dict(os.environ, PATH='/usr/bin:/bin'))


@unittest.skipUnless(shutil.which('blender'), 'Blender is not installed')
class Fbx(Case):
    def test_clips_and_joints_are_those_of_the_glb(self):
        for name, inputs in (('hero', [sample('ff7', 'hrda'), '--clip', '0-1']), ('zidane', [sample('ff9', 'hero_walk.ff9anim')])):
            with self.subTest(inputs=inputs):
                glb, fbx = self.path(name + '.glb'), self.path(name + '.fbx')
                self.check(run('convert', *inputs, '-q', '-o', glb), 0)
                p = blender(glb, fbx)
                self.assertEqual(p.returncode, 0, p.stdout.decode()[-2000:])
                scene = Scene(read(glb))
                clips = scene.g['scenes'][0]['extras']['reanima']['clips']
                rate = clips[0]['rate']
                got = in_blender(self, IMPORTED, fbx, rate)
                joints = [n['name'] for n in scene.nodes if 'index' in n.get('extras', {})]
                self.assertEqual(sorted(set(got['bones'])), sorted(joints))
                self.assertAlmostEqual(got['fps'], rate, places=3)
                self.assertGreater(got['meshes'], 0)
                self.assertEqual(len(got['clips']), len(clips))
                worst = 0
                for number, clip in enumerate(clips):
                    self.assertIn(clip['name'], [k.split('|')[-1] for k in got['clips']], list(got['clips']))
                    rows = next(v for k, v in got['clips'].items() if k.split('|')[-1] == clip['name'])
                    self.assertLessEqual(clip['frames'], len(rows))
                    animation = scene.animation(number)
                    for frame in (0, 1, clip['frames'] // 2, clip['frames'] - 1):
                        at = scene.world(animation, frame / rate)
                        for joint, (x, y, z) in rows[frame].items():
                            worst = max(worst, math.dist((x, z, -y), at(joint)))
                print('%s: %d joints, %d clips, %.4f mm' % (name, len(joints), len(clips), worst * 1000))
                self.assertLess(worst, TENTH)

    def test_what_is_missing_is_said(self):
        p = blender('only.glb')
        self.assertNotEqual(p.returncode, 0)
        self.assertIn(b'glb_to_fbx.py: expected -- IN.glb OUT.fbx', p.stdout)


if __name__ == '__main__':
    if not shutil.which('blender'):
        sys.exit(77)
    unittest.main()
