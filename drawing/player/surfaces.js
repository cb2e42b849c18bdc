// Meshes of a glTF file, prepared for drawing. Colours are mixed in the screen's colour space, as in sheets.

const GAMMA = 1 / 2.2;

/// Converts normalized integers to numbers up to 1.
function sharesOf(values, isNormalized) {
  const whole = { Uint8Array: 255, Uint16Array: 65535, Int8Array: 127, Int16Array: 32767 }[values.constructor.name];
  return isNormalized && whole ? Float32Array.from(values, (value) => value / whole) : values;
}

const asFloats = (values) => values instanceof Float32Array ? values : Float32Array.from(values);

/// The colours of all vertices, four numbers from 0 to 1 each.
function tonesOf(colours, factor, count) {
  const width = colours ? colours.length / count : 4;
  const tones = new Float32Array(4 * count);
  for (let i = 0; i < 4 * count; ++i) {
    const [vertex, k] = [Math.floor(i / 4), i % 4];
    const value = (colours && k < width ? colours[width * vertex + k] : 1) * factor[k];
    tones[i] = k === 3 ? value : Math.max(0, value) ** GAMMA;
  }
  return tones;
}

/// A texture: its image, sampling, and the coordinates of the vertices. Null without a texture.
function textureOf(file, texture, attribute) {
  const moved = texture && texture.extensions && texture.extensions.KHR_texture_transform || {};
  const coordinates = texture && attribute(`TEXCOORD_${moved.texCoord ?? texture.texCoord ?? 0}`);
  if (!coordinates) return null;
  const { source, sampler, extensions = {} } = file.gltf.textures[texture.index];
  return { image: extensions.EXT_texture_webp ? extensions.EXT_texture_webp.source : source,
           sampler: (file.gltf.samplers || [])[sampler] || {}, coordinates: movedCoordinates(coordinates, moved) };
}

/// Applies KHR_texture_transform.
function movedCoordinates(coordinates, { offset, rotation = 0, scale = [1, 1] }) {
  if (!offset && rotation === 0 && scale.every((factor) => factor === 1)) return coordinates;
  const [s, c, [x, y]] = [Math.sin(rotation), Math.cos(rotation), offset || [0, 0]];
  return coordinates.map((value, i) => {
    const at = i - i % 2;
    const [u, v] = [coordinates[at] * scale[0], coordinates[at + 1] * scale[1]];
    return i === at ? c * u + s * v + x : c * v - s * u + y;
  });
}

/// The weights of the first four joints. If vertices have more joints, these weights are rescaled to a sum of 1.
function weightsOf(attributes, weights) {
  if (!('WEIGHTS_1' in attributes)) return weights;
  return weights.map((value, i) => value / (weights.subarray(i - i % 4, i - i % 4 + 4).reduce((sum, each) => sum + each, 0) || 1));
}

/// False for primitives other than triangles, and for compressed ones.
function canDraw(file, { mode = 4, attributes, indices, extensions = {} }, node) {
  const skin = file.skins[file.nodes[node].skin];
  const used = ['POSITION', 'COLOR_0', 'JOINTS_0', 'WEIGHTS_0', 'TEXCOORD_0', 'TEXCOORD_1'].flatMap((name) => name in attributes ? [attributes[name]] : []);
  return mode === 4 && 'POSITION' in attributes && !extensions.KHR_draco_mesh_compression && (!skin || skin.isReadable)
    && [...used, ...indices === undefined ? [] : [indices]].every((accessor) => file.canRead(accessor));
}

/// True if the game's own values state that colours are added to the background.
function isAdded(material) {
  const blend = Object.values(material.extras || {}).map((facts) => facts && facts.blend)[0];
  return (Array.isArray(blend) ? blend[1] : blend) === 1;
}

/// Positions with the morph targets of the rest pose. The player does not animate morph targets.
function shapedPositions(file, { targets = [] }, node, positions) {
  const weights = file.nodes[node].weights || file.gltf.meshes[file.nodes[node].mesh].weights || [];
  return targets.reduce((shaped, { POSITION: moves }, i) => {
    if (!weights[i] || moves === undefined || !file.canRead(moves)) return shaped;
    const by = file.shares(moves);
    return shaped.map((value, k) => value + weights[i] * by[k]);
  }, positions);
}

/// A primitive for drawing: its corners, and the fill of its triangles.
function surfaceOf(file, primitive, node) {
  const { attributes, material, indices } = primitive;
  const look = (file.gltf.materials || [])[material] || {};
  const shine = look.pbrMetallicRoughness || {};
  const attribute = (name) => name in attributes ? asFloats(file.shares(attributes[name])) : null;
  const positions = shapedPositions(file, primitive, node, attribute('POSITION'));
  const count = positions.length / 3;
  const isSkinned = file.nodes[node].skin !== undefined && 'JOINTS_0' in attributes;
  return {
    node, count, positions, skin: isSkinned ? file.nodes[node].skin : -1,
    joints: isSkinned ? file.values(attributes.JOINTS_0) : null, weights: isSkinned ? weightsOf(attributes, attribute('WEIGHTS_0')) : null,
    indices: indices === undefined ? Uint32Array.from({ length: count }, (_, i) => i) : file.values(indices),
    texture: textureOf(file, shine.baseColorTexture, attribute), shine: textureOf(file, look.emissiveTexture, attribute),
    glow: (look.emissiveFactor || [0, 0, 0]).map((value) => Math.max(0, value) ** GAMMA),
    tones: tonesOf(attribute('COLOR_0'), shine.baseColorFactor || [1, 1, 1, 1], count),
    isTwoSided: look.doubleSided === true, isLit: !(look.extensions && look.extensions.KHR_materials_unlit),
    isMixed: look.alphaMode === 'BLEND', isAdded: isAdded(look), cutoff: look.alphaMode === 'MASK' ? look.alphaCutoff ?? 0.5 : -1 };
}

/// The positions of a surface's vertices, three numbers each.
/// @param pose the character's
function verticesOf(surface, pose) {
  const { positions, joints, weights, count } = surface;
  const places = new Float64Array(3 * count);
  for (let v = 0; v < count; ++v) {
    const [x, y, z] = [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
    for (let i = 4 * v; i < 4 * v + (joints ? 4 : 1); ++i) {
      const weight = joints ? weights[i] : 1;
      if (weight === 0) continue;
      const m = joints ? pose.skins[surface.skin][joints[i]] : pose.world[surface.node];
      for (let k = 0; k < 3; ++k) places[3 * v + k] += weight * (m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k]);
    }
  }
  return places;
}
