#!/usr/bin/env python3
"""Makes docs/images/vrma.png: the walk of the sample pack as a VRM animation, which three-vrm plays on an avatar, at six
times of one stride, 1100 x 420. The avatar is an invented figure of the tests, with bones drawn as capsules.

    scripts/vrma_image.py TOOL
"""
import json, os, subprocess, sys, tempfile

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, 'tests', 'tools'))
os.environ.setdefault('REANIMA', '')                # the tests' modules need it
from browser import Chromium                        # noqa: E402
from outputs_test import avatar, figure_like        # noqa: E402

CLIP, POSES, SIZE = 'hrda_001', 6, (1100, 420)
PAGE = '''<!doctype html><style>body { margin: 0 } canvas { display: block }</style>
<script type="importmap">{"imports": {"three": "/modules/three/build/three.module.js", "three/addons/": "/modules/three/examples/jsm/",
 "@pixiv/three-vrm": "/modules/@pixiv/three-vrm/lib/three-vrm.module.js",
 "@pixiv/three-vrm-animation": "/modules/@pixiv/three-vrm-animation/lib/three-vrm-animation.module.js"}}</script>
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { VRMLoaderPlugin } from '@pixiv/three-vrm';
import { VRMAnimationLoaderPlugin, createVRMAnimationClip } from '@pixiv/three-vrm-animation';

const POSES = %(poses)d, [WIDTH, HEIGHT] = %(size)s, APART = 1.05;
const load = async (file, plugin) => (await new GLTFLoader().register((parser) => new plugin(parser)).loadAsync(file)).userData;
const clothes = (part) => new THREE.MeshStandardMaterial({ color: part.startsWith('left') ? 0xc96a3c : part.startsWith('right') ? 0x3c74c9 : 0xd8d2c6, roughness: 0.8 });
const capsule = (part, from, to, radius) => {
  const way = to.clone().sub(from), body = new THREE.Mesh(new THREE.CapsuleGeometry(radius, way.length(), 6, 16), clothes(part));
  body.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.clone().normalize());
  body.position.copy(from).addScaledVector(way, 0.5);
  return body;
};

function dress(vrm) {
  const bones = Object.entries(vrm.humanoid.humanBones), nodes = new Map(bones.map(([name, { node }]) => [node, name]));
  for (const [name, { node }] of bones) {
    for (const child of node.children.filter((c) => nodes.has(c) && c.position.length() > 0.02))
      node.add(capsule(nodes.get(child), new THREE.Vector3(), child.position, /Shoulder|Thumb|Index|Middle|Ring|Little/.test(nodes.get(child)) ? 0.018 : /hips|spine|chest|Chest/.test(name) ? 0.075 : 0.05));
    if (name === 'head') {
      const face = new THREE.Mesh(new THREE.SphereGeometry(0.11, 24, 16), clothes(name)), nose = new THREE.Mesh(new THREE.SphereGeometry(0.025, 12, 8), clothes('left'));
      face.position.set(0, 0.1, 0);
      nose.position.set(0, 0.09, 0.11 * Math.sign(vrm.meta.metaVersion === '0' ? -1 : 1));
      node.add(face, nose);
    }
  }
}

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x20242c);
scene.add(new THREE.HemisphereLight(0xffffff, 0x404858, 2.2));
const sun = new THREE.DirectionalLight(0xffffff, 2);
sun.position.set(-2, 4, 3);
scene.add(sun);
const ground = new THREE.GridHelper(20, 40, 0x555c68, 0x363c46);
scene.add(ground);
const { vrmAnimations: [motion] } = await load('walk.vrma', VRMAnimationLoaderPlugin);
for (let pose = 0; pose < POSES; ++pose) {
  const { vrm } = await load('avatar.vrm', VRMLoaderPlugin), mixer = new THREE.AnimationMixer(vrm.scene);
  dress(vrm);
  mixer.clipAction(createVRMAnimationClip(motion, vrm)).play();
  mixer.setTime(motion.duration * pose / POSES);
  vrm.update(0);
  const holder = new THREE.Group();
  holder.rotation.y = Math.PI * 0.5;   // they walk to the right
  holder.position.x = (pose - (POSES - 1) / 2) * APART;
  holder.add(vrm.scene);
  scene.add(holder);
  const hips = new THREE.Vector3();
  vrm.scene.updateWorldMatrix(true, true);
  vrm.humanoid.getRawBoneNode('hips').getWorldPosition(hips);
  holder.position.x -= hips.x - holder.position.x;   // side by side, wherever the walk has come to
}
const camera = new THREE.PerspectiveCamera(24, WIDTH / HEIGHT, 0.1, 100);
camera.position.set(0, 1.35, 6.4);
camera.lookAt(0, 0.86, 0);
const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
renderer.setSize(WIDTH, HEIGHT);
document.body.append(renderer.domElement);
renderer.render(scene, camera);
window.isDrawn = true;
</script>'''


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tool = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        walk = os.path.join(folder, 'walk.vrma')
        subprocess.run([tool, 'convert', os.path.join(ROOT, 'samples', 'ff7', 'hrda'), '--clip', CLIP, '-o', walk, '-q'], check=True)
        with open(walk, 'rb') as f:
            glb = f.read()
        scene = json.loads(glb[20:20 + int.from_bytes(glb[12:16], 'little')])
        hips = scene['nodes'][scene['extensions']['VRMC_vrm_animation']['humanoid']['humanBones']['hips']['node']]
        with open(os.path.join(folder, 'avatar.vrm'), 'wb') as f:
            f.write(avatar(figure_like({'hips': hips['translation']}, 1), 1))
        with open(os.path.join(folder, 'page.html'), 'w') as f:
            f.write(PAGE % {'poses': POSES, 'size': json.dumps(SIZE)})
        os.symlink(os.path.join(ROOT, 'tests', 'node_modules'), os.path.join(folder, 'modules'))
        browser = Chromium(folder, SIZE)
        browser.network.folder = folder
        browser.open(browser.network.SITE + 'page.html')
        browser.until('Boolean(window.isDrawn)', 60)
        with open(os.path.join(ROOT, 'docs', 'images', 'vrma.png'), 'wb') as f:
            f.write(browser.picture())
        browser.close()


main()
