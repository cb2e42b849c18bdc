// A character with its clips: a .glb.

class Character {
  /// @param glb bytes of a file that contains its buffer and images
  /// @param sides maps joint names to `left`, `right` or `weapon`
  /// @param front direction from which the face is seen
  constructor(name, glb, { sides = {}, front } = {}) {
    this.name = name;
    this.glb = glb;
    this.sides = new Map(Object.entries(sides));   // a Map, since a joint may have any name
    this.basis = basisOf(front);
    const head = new DataView(glb.buffer, glb.byteOffset);
    const jsonLength = head.getUint32(12, true);
    this.gltf = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + jsonLength)));
    this.chunk = glb.byteOffset + 20 + jsonLength + 8;
    this.nodes = this.gltf.nodes || [];
    this.parents = new Array(this.nodes.length).fill(-1);
    this.nodes.forEach((node, i) => (node.children || []).forEach((child) => { this.parents[child] = i; }));
    this.order = this.parentsFirst();
    this.skins = (this.gltf.skins || []).map(({ joints, inverseBindMatrices }) => this.skinOf(joints, inverseBindMatrices));
    // Without skins, joints are the nodes below the container.
    this.joints = this.skins.length > 0 ? [...new Set(this.skins.flatMap(({ joints }) => joints))]
      : this.nodes.flatMap((node, i) => node.mesh === undefined && this.parents[i] >= 0 ? [i] : []);
    this.clips = (this.gltf.animations || []).filter((animation) => this.canPlay(animation)).map((animation) => this.clipOf(animation));
    if (this.clips.length === 0)
      this.clips.push({ name: 'rest pose', index: '', rate: 30, duration: 0, frames: 1, events: [], channels: [] });
    this.surfaces = this.shownNodes().flatMap((i) => this.nodes[i].mesh === undefined ? [] :
      this.gltf.meshes[this.nodes[i].mesh].primitives.filter((primitive) => canDraw(this, primitive, i)).map((primitive) => surfaceOf(this, primitive, i)));
    this.images = [];
  }

  skinOf(joints, matrices) {
    const isReadable = matrices === undefined || this.canRead(matrices);
    return { joints, isReadable, inverse: matrices === undefined || !isReadable ? null : this.values(matrices) };
  }

  /// The nodes of the scene.
  shownNodes() {
    const { scenes, scene = 0 } = this.gltf;
    if (!scenes || !scenes[scene]) return this.order;
    const shown = new Set(scenes[scene].nodes);
    return this.order.filter((node) => shown.has(node) || (shown.has(this.parents[node]) && shown.add(node)));
  }

  /// All nodes, each after its parent. Chains of joints may have any length.
  parentsFirst() {
    const order = [];
    const left = this.parents.flatMap((parent, node) => parent < 0 ? [node] : []).reverse();
    while (left.length > 0) {
      const node = left.pop();
      order.push(node);
      for (const child of [...(this.nodes[node].children || [])].reverse()) left.push(child);
    }
    return order;
  }

  /// False for data that is compressed, sparse, or in another file.
  canRead(index) {
    const { bufferView, sparse } = this.gltf.accessors[index];
    const view = this.gltf.bufferViews[bufferView];
    return !sparse && view !== undefined && view.buffer === 0 && !(view.extensions && view.extensions.EXT_meshopt_compression);
  }

  canPlay({ samplers }) { return samplers.every(({ input, output }) => this.canRead(input) && this.canRead(output)); }

  values(index) {
    const accessor = this.gltf.accessors[index];
    const view = this.gltf.bufferViews[accessor.bufferView];
    const width = WIDTHS.get(accessor.type);
    const start = this.chunk + (view.byteOffset || 0) + (accessor.byteOffset || 0);
    const List = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array }[accessor.componentType];
    const row = width * List.BYTES_PER_ELEMENT;
    const stride = view.byteStride || row;
    const bytes = new Uint8Array(row * accessor.count);
    if (stride === row) bytes.set(new Uint8Array(this.glb.buffer, start, bytes.length));
    else for (let i = 0; i < accessor.count; ++i) bytes.set(new Uint8Array(this.glb.buffer, start + i * stride, row), i * row);
    return new List(bytes.buffer);
  }

  shares(index) { return sharesOf(this.values(index), this.gltf.accessors[index].normalized); }

  clipOf(animation) {
    const facts = animation.extras || {};
    const channels = animation.channels.filter(({ target }) => ['translation', 'rotation', 'scale'].includes(target.path)).map(({ sampler, target }) => {
      const { input, output, interpolation } = animation.samplers[sampler];
      return { ...target, times: this.values(input), values: this.shares(output), isStep: interpolation === 'STEP', isCubic: interpolation === 'CUBICSPLINE' };
    });
    const duration = channels.reduce((end, { times }) => Math.max(end, times[times.length - 1]), 0);
    const rate = facts.rate || 30;
    return { name: animation.name, index: facts.index ?? '', rate, duration, frames: facts.frames || Math.round(duration * rate) + 1,
             events: facts.events || [], channels };
  }

  /// The pose at a time of a clip: the matrices of all nodes, and for each skin the transforms of vertices from rest.
  poseAt(clip, time) {
    const world = this.matrices(clip, time);
    const skins = this.skins.map(({ joints, inverse }) => joints.map((joint, i) => inverse ? product(world[joint], inverse.subarray(16 * i, 16 * i + 16)) : world[joint]));
    return { world, skins };
  }

  matrices(clip, time) {
    const local = this.nodes.map(({ translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1], matrix }) => ({ translation, rotation, scale, matrix }));
    for (const channel of clip.channels)
      local[channel.node][channel.path] = valueAt(channel, time);
    const world = [];
    for (const node of this.order) {
      const { translation, rotation, scale, matrix } = local[node];
      const own = matrix || matrixOf(translation, rotation, scale);
      world[node] = this.parents[node] < 0 ? own : product(world[this.parents[node]], own);
    }
    return world;
  }

  /// The box around all joints and vertices in a clip.
  extent(clip) {
    const box = new Box();
    for (let i = 0; i <= 8; ++i) {
      const pose = this.poseAt(clip, clip.duration * i / 8);
      for (const joint of this.joints) box.include(...placeOf(pose.world[joint]));
      for (const surface of this.surfaces) {
        const places = verticesOf(surface, pose);
        for (let k = 0; k < places.length; k += 3) box.include(places[k], places[k + 1], places[k + 2]);
      }
    }
    return box;
  }

  /// True for the end joints that the command adds to chains.
  isEnd(joint) {
    const { name = '', children = [] } = this.nodes[joint];
    const parent = this.nodes[this.parents[joint]];
    return children.length === 0 && parent !== undefined && name.startsWith(`${parent.name}_end`);
  }

  sideOf(node) { return this.sides.get(this.nodes[node].name) || 'middle'; }

  /// The images of the textures, after decoding.
  async decodeImages() {
    const used = new Set(this.surfaces.flatMap(({ texture, shine }) => [texture, shine]).filter((each) => each).map(({ image }) => image));
    await Promise.all([...used].map(async (index) => { this.images[index] = await this.imageOf(index); }));
    return this;
  }

  /// Null for an image that is missing or in an unknown format. Materials are then drawn without it.
  async imageOf(index) {
    const { bufferView, mimeType } = this.gltf.images[index] || {};
    const view = this.gltf.bufferViews[bufferView];
    if (!view || view.buffer !== 0) return undefined;
    const bytes = new Uint8Array(this.glb.buffer, this.chunk + (view.byteOffset || 0), view.byteLength);
    return pictureOf(bytes, mimeType).catch(() => undefined);
  }
}

/// The decoded image of a file, with its stored colours.
const pictureOf = (bytes, type) => createImageBitmap(new Blob([bytes], { type }), { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });

/// The index of the last key before a time.
function keyBefore(times, time) {
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle; else high = middle;
  }
  return low;
}

function valueAt({ times, values, path, isStep, isCubic }, time) {
  const width = path === 'rotation' ? 4 : 3;
  const key = (i) => Array.from(values.subarray(width * i, width * (i + 1)));
  const valueOf = (i) => key(isCubic ? 3 * i + 1 : i);
  const last = times.length - 1;
  if (time <= times[0]) return valueOf(0);
  if (time >= times[last]) return valueOf(last);
  const before = keyBefore(times, time);
  if (isStep) return valueOf(before);
  const length = times[before + 1] - times[before];
  const share = (time - times[before]) / length;
  if (isCubic) return cubic(valueOf(before), key(3 * before + 2), key(3 * before + 3), valueOf(before + 1), share, length);
  const [a, b] = [valueOf(before), valueOf(before + 1)];
  return path === 'rotation' ? slerp(a, b, share) : a.map((value, i) => value + share * (b[i] - value));
}

/// A cubic spline, as defined by glTF.
function cubic(from, out, into, to, t, length) {
  const mixed = from.map((value, i) => (2 * t ** 3 - 3 * t ** 2 + 1) * value + length * (t ** 3 - 2 * t ** 2 + t) * out[i]
    + (-2 * t ** 3 + 3 * t ** 2) * to[i] + length * (t ** 3 - t ** 2) * into[i]);
  const size = mixed.length === 4 ? Math.hypot(...mixed) : 1;
  return mixed.map((value) => value / size);
}
