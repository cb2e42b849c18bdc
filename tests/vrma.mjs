// Plays VRM animations as a viewer does: by three.js and @pixiv/three-vrm.
//
//     node vrma.mjs load FILE.vrma...              the content of each file
//     node vrma.mjs play AVATAR.vrm FILE.vrma TIME...   the positions of the avatar's bones at these times
//     node vrma.mjs own AVATAR.vrm NAME TIME...         the same with an animation of its own file
//
// Prints JSON on standard output. Warnings of three.js or three-vrm go to standard error and are counted.
import fs from 'node:fs';
import process from 'node:process';

globalThis.self = globalThis;
globalThis.ProgressEvent ??= class {};
const warnings = [];
for (const kind of ['warn', 'error']) console[kind] = (...words) => warnings.push(words.join(' '));

const THREE = await import('three');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
const { VRMLoaderPlugin } = await import('@pixiv/three-vrm');
const { VRMAnimationLoaderPlugin, createVRMAnimationClip } = await import('@pixiv/three-vrm-animation');

function load(file, plugin) {
  const loader = new GLTFLoader();
  loader.register((parser) => new plugin(parser));
  const bytes = fs.readFileSync(file);
  return new Promise((done, failed) =>
    loader.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '', done, failed));
}

async function animationOf(file) {
  const animations = (await load(file, VRMAnimationLoaderPlugin)).userData.vrmAnimations ?? [];
  if (animations.length !== 1) throw new Error(`${file}: ${animations.length} animations`);
  return animations[0];
}

async function look(files) {
  const found = {};
  for (const file of files) {
    const animation = await animationOf(file);
    found[file] = {
      duration: animation.duration,
      hips: animation.restHipsPosition.toArray(),
      rotations: [...animation.humanoidTracks.rotation.keys()].sort(),
      translations: [...animation.humanoidTracks.translation.keys()],
    };
  }
  return found;
}

async function play(avatar, file, times) {
  const vrm = (await load(avatar, VRMLoaderPlugin)).userData.vrm;
  warnings.length = 0;  // about the avatar
  return placesOf(vrm, createVRMAnimationClip(await animationOf(file), vrm), times, () => vrm.update(0));
}

async function own(avatar, name, times) {
  const gltf = await load(avatar, VRMLoaderPlugin);
  return placesOf(gltf.userData.vrm, gltf.animations.find((clip) => clip.name === name), times, () => {});
}

function placesOf(vrm, clip, times, update) {
  const mixer = new THREE.AnimationMixer(vrm.scene);
  const action = mixer.clipAction(clip);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  action.play();
  return times.map((time) => {
    mixer.setTime(time);
    update();
    vrm.scene.updateMatrixWorld(true);
    const at = {};
    for (const name of Object.keys(vrm.humanoid.humanBones))
      at[name] = vrm.humanoid.getRawBoneNode(name).getWorldPosition(new THREE.Vector3()).toArray();
    return at;
  });
}

const [verb, ...words] = process.argv.slice(2);
const times = words.slice(2).map(Number);
const result = verb === 'load' ? await look(words) : await (verb === 'own' ? own : play)(words[0], words[1], times);
for (const warning of warnings) process.stderr.write(`${warning}\n`);
process.stdout.write(JSON.stringify({ result, warnings: warnings.length }));
