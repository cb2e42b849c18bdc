// Restores the data of a page from its texts. drawing/packed_glb.h describes them.

/// Decodes characters of seven bits, the highest bits first.
function bytesOfText(text) {
  const bytes = new Uint8Array(Math.floor(text.length * 7 / 8));
  let [held, count, at] = [0, 0, 0];
  for (let i = 0; i < text.length; ++i) {
    held = (held << 7 | text.charCodeAt(i) & 127) & 0x3fff;
    count += 7;
    if (count < 8) continue;
    count -= 8;
    bytes[at++] = held >> count;
  }
  return bytes;
}

/// The content of a block: raw bytes, or a zlib stream.
async function unpacked(block) {
  if (block[0] === 0) return block.slice(1);
  const stream = new Blob([block.subarray(1)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const WIDTHS = new Map([['SCALAR', 1], ['VEC2', 2], ['VEC3', 3], ['VEC4', 4], ['MAT4', 16]]);

const listIn = (object, name) => Array.isArray(object?.[name]) ? object[name] : [];
const isWhole = (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32;

/// The places of floats in the chunk, in order. Overlapping and wrongly described floats are left out.
function floatsOf(gltf, size) {
  const clips = new Set(listIn(gltf, 'animations').flatMap((animation) => listIn(animation, 'samplers').flatMap((sampler) => [sampler?.input, sampler?.output])));
  const views = listIn(gltf, 'bufferViews');
  const found = new Map();
  listIn(gltf, 'accessors').forEach((accessor, i) => {
    const view = isWhole(accessor?.bufferView) ? views[accessor.bufferView] : null;
    if (!view || view.buffer !== 0) return;
    const { byteOffset = 0, componentType, type, count } = accessor;
    const { byteOffset: within = 0, byteStride } = view;
    const [start, width] = [within + byteOffset, WIDTHS.get(type)];
    if (![within, byteOffset, count].every(isWhole) || within >= size || componentType !== 5126 || !width) return;
    if (start % 4 !== 0 || (byteStride === undefined ? 4 * width : byteStride) !== 4 * width || found.has(start)) return;
    found.set(start, { start, width, count, end: start + 4 * width * count, isRotation: clips.has(i) && width === 4 });
  });
  return [...found.values()].sort((a, b) => a.start - b.start);
}

/// Words whose lowest bytes come first, then the next ones.
class Planes {
  constructor(bytes, start, count) {
    Object.assign(this, { bytes, start, count, at: 0, end: start + 4 * count });
  }

  /// The next word. Its lowest bit is the sign.
  next() {
    const { bytes, count } = this;
    const at = this.start + this.at++;
    const word = bytes[at] | bytes[at + count] << 8 | bytes[at + 2 * count] << 16 | bytes[at + 3 * count] << 24;
    return word >>> 1 ^ -(word & 1);
  }
}

/// Restores the words of a part of the chunk.
class Arranger {
  constructor(chunk, floats, bytes) {
    const rotations = floats.filter(({ isRotation }) => isRotation);
    const predicted = rotations.reduce((sum, { count }) => sum + count, 0);
    const words = floats.reduce((sum, { count, width }) => sum + count * width, 0);
    this.words = new Uint32Array(chunk.buffer);
    this.values = new Float32Array(chunk.buffer);
    this.one = new DataView(new ArrayBuffer(4));
    this.largest = bytes.subarray(0, rotations.length);
    this.rotation = 0;
    this.predicted = new Planes(bytes, rotations.length, predicted);
    this.differences = new Planes(bytes, this.predicted.end, words - predicted);
    this.rest = bytes.subarray(this.differences.end);
  }

  place({ start, width, count, isRotation }) {
    const first = start / 4;
    const largest = isRotation ? this.largest[this.rotation++] : -1;
    for (let i = 0; i < count; ++i) {
      const at = first + i * width;
      for (let k = 0; k < width; ++k)
        if (k !== largest) this.words[at + k] = (i === 0 ? 0 : this.words[at + k - width]) + this.differences.next();
      if (isRotation) this.placeLargest(at, largest, i === 0);
    }
  }

  placeLargest(at, largest, isFirst) {
    let left = 1;
    for (let k = 0; k < 4; ++k)
      if (k !== largest) left -= this.values[at + k] * this.values[at + k];
    const wasNegative = !isFirst && this.words[at + largest - 4] >>> 31 === 1;
    const root = Math.sqrt(left > 0 ? left : 0);
    this.one.setFloat32(0, wasNegative ? -root : root);
    this.words[at + largest] = this.one.getUint32(0) + this.predicted.next();
  }
}

/// Puts a part of the chunk in its place.
function arrange(chunk, all, start, size, bytes) {
  const end = start + size;
  let last = start;
  const floats = all.filter((each) => each.start >= last && each.start < end && each.end <= end && (last = each.end) > 0);
  const arranger = new Arranger(chunk, floats, bytes);
  let [at, from] = [start, 0];
  const copyTo = (place) => {
    chunk.set(arranger.rest.subarray(from, from + place - at), at);
    from += place - at;
  };
  for (const each of floats) {
    copyTo(each.start);
    arranger.place(each);
    at = each.end;
  }
  copyTo(end);
}

/// Joins a chunk and its JSON to a file.
function joinedGlb(json, chunk) {
  const file = new Uint8Array(28 + json.length + chunk.length);
  const head = new DataView(file.buffer);
  [0x46546c67, 2, file.length, json.length, 0x4e4f534a].forEach((word, i) => head.setUint32(4 * i, word, true));
  file.set(json, 20);
  head.setUint32(20 + json.length, chunk.length, true);
  head.setUint32(24 + json.length, 0x004e4942, true);
  file.set(chunk, 28 + json.length);
  return file;
}

/// Restores a .glb from its parts.
/// @param parts lists of the number and the size of a part
/// @param blockOf returns the block of a part
async function unpackedGlb(parts, blockOf) {
  const pieces = await Promise.all(parts.map(async ([number]) => unpacked(await blockOf(number))));
  const json = pieces[0];
  const size = parts.slice(1).reduce((sum, part) => sum + part[1], 0);
  const chunk = new Uint8Array(size + (4 - size % 4) % 4);
  const floats = floatsOf(JSON.parse(new TextDecoder().decode(json)), size);
  let start = 0;
  for (let i = 1; i < parts.length; ++i) {
    arrange(chunk, floats, start, parts[i][1], pieces[i]);
    start += parts[i][1];
  }
  return joinedGlb(json, chunk);
}
