// Draws meshes with WebGL 2. The canvas is transparent elsewhere.

const VERTEX_SHADER = `#version 300 es
precision highp float;
layout(location = 0) in vec3 position;
layout(location = 1) in uvec4 joints;
layout(location = 2) in vec4 weights;
layout(location = 3) in vec2 place;
layout(location = 4) in vec2 shinePlace;
layout(location = 5) in vec4 tone;
uniform highp sampler2D pose;
uniform bool isSkinned;
uniform mat4 model;
uniform mat4 view;
out vec3 seen;
out vec2 imageAt;
out vec2 shineAt;
out vec4 colour;

mat4 jointMatrix(uint joint) {
  ivec2 at = ivec2(4u * (joint % 256u), joint / 256u);
  return mat4(texelFetch(pose, at, 0), texelFetch(pose, at + ivec2(1, 0), 0), texelFetch(pose, at + ivec2(2, 0), 0), texelFetch(pose, at + ivec2(3, 0), 0));
}

void main() {
  mat4 moved = model;
  if (isSkinned) {
    moved = mat4(0.0);
    for (int i = 0; i < 4; ++i)
      if (weights[i] > 0.0) moved += weights[i] * jointMatrix(joints[i]);
  }
  gl_Position = view * (moved * vec4(position, 1.0));
  seen = gl_Position.xyz;
  imageAt = place;
  shineAt = shinePlace;
  colour = tone;
}`;

const FRAGMENT_SHADER = `#version 300 es
precision highp float;
in vec3 seen;
in vec2 imageAt;
in vec2 shineAt;
in vec4 colour;
uniform sampler2D image;
uniform sampler2D shine;
uniform bool hasImage;
uniform bool hasShine;
uniform vec3 glow;
uniform bool isLit;
uniform bool isMixed;
uniform float cutoff;
uniform vec3 unit;
out vec4 shown;

// A lit triangle is darker when seen from the side.
float light() {
  vec3 across = cross(dFdx(seen) * unit, dFdy(seen) * unit);
  return isLit ? 0.45 + 0.55 * abs(across.z) / max(length(across), 1e-30) : 1.0;
}

void main() {
  vec4 mixed = vec4(colour.rgb * light(), colour.a);
  if (hasImage) mixed *= texture(image, imageAt);
  mixed.rgb = min(mixed.rgb + glow * (hasShine ? texture(shine, shineAt).rgb : vec3(1.0)), 1.0);
  if (mixed.a < cutoff) discard;
  shown = isMixed ? vec4(mixed.rgb * mixed.a, mixed.a) : vec4(mixed.rgb, 1.0);
}`;

const UNIFORMS = ['pose', 'isSkinned', 'model', 'view', 'image', 'shine', 'hasImage', 'hasShine', 'glow', 'isLit', 'isMixed', 'cutoff', 'unit'];
const JOINTS_A_ROW = 256;

class Renderer {
  /// @param onLoss is called when the browser takes away the graphics memory, and when it is available again
  constructor(canvas, onLoss) {
    this.canvas = canvas;
    this.gl = canvas.getContext('webgl2', { alpha: true, antialias: true, premultipliedAlpha: true });
    this.isReady = this.gl !== null;
    if (!this.isReady) return;
    canvas.addEventListener('webglcontextlost', (event) => { event.preventDefault(); this.isReady = false; onLoss(); });
    canvas.addEventListener('webglcontextrestored', () => { this.prepare(); onLoss(); });
    this.prepare();
  }

  prepare() {
    const { gl } = this;
    this.held = new Map();
    this.program = this.programOf(VERTEX_SHADER, FRAGMENT_SHADER);
    this.at = Object.fromEntries(UNIFORMS.map((name) => [name, gl.getUniformLocation(this.program, name)]));
    this.isReady = true;
  }

  programOf(...sources) {
    const { gl } = this;
    const program = gl.createProgram();
    sources.forEach((source, i) => {
      const shader = gl.createShader(i === 0 ? gl.VERTEX_SHADER : gl.FRAGMENT_SHADER);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    });
    gl.linkProgram(program);
    return program;
  }

  clear() {
    const { gl, canvas } = this;
    gl.disable(gl.SCISSOR_TEST);
    gl.depthMask(true);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  }

  /// Draws a character into a part of the canvas.
  draw(character, pose, view) {
    const { gl, at } = this;
    const held = this.heldOf(character);
    const bottom = this.canvas.height - (view.top || 0) - view.height;
    gl.viewport(view.left, bottom, view.width, view.height);
    gl.scissor(view.left, bottom, view.width, view.height);
    gl.enable(gl.SCISSOR_TEST);
    gl.enable(gl.DEPTH_TEST);
    gl.useProgram(this.program);
    gl.uniformMatrix4fv(at.view, false, viewMatrix(view));
    gl.uniform3f(at.unit, view.width / 2 / view.scale, view.height / 2 / view.scale, view.depth);
    ['pose', 'image', 'shine'].forEach((name, unit) => gl.uniform1i(at[name], unit));
    held.skins.forEach((skin, i) => this.fill(skin, pose.skins[i]));
    for (const part of inOrder(held.parts, pose, view)) this.drawPart(held, part, pose, view);
  }

  drawPart(held, { surface, array, elements, type, skin }, pose, view) {
    const { gl, at } = this;
    gl.bindVertexArray(array);
    if (skin) this.bind(0, skin.texture);
    gl.uniform1i(at.isSkinned, skin ? 1 : 0);
    gl.uniformMatrix4fv(at.model, false, pose.world[surface.node]);
    this.bindImage(1, at.hasImage, held.textures.get(surface.texture));
    this.bindImage(2, at.hasShine, held.textures.get(surface.shine));
    gl.uniform3fv(at.glow, surface.glow);
    gl.uniform1i(at.isLit, surface.isLit ? 1 : 0);
    gl.uniform1f(at.cutoff, surface.cutoff);
    this.setBlending(surface);
    if (surface.isMixed && !surface.isAdded) {
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, elements);
      gl.bufferSubData(gl.ELEMENT_ARRAY_BUFFER, 0, farthestFirst(surface, verticesOf(surface, pose), view));
    }
    gl.drawElements(gl.TRIANGLES, surface.indices.length, type, 0);
    gl.bindVertexArray(null);
  }

  setBlending({ isMixed, isAdded, isTwoSided }) {
    const { gl, at } = this;
    gl.uniform1i(at.isMixed, isMixed ? 1 : 0);
    gl.depthMask(!isMixed);
    if (isTwoSided) gl.disable(gl.CULL_FACE); else gl.enable(gl.CULL_FACE);
    if (!isMixed) { gl.disable(gl.BLEND); return; }
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, isAdded ? gl.ONE : gl.ONE_MINUS_SRC_ALPHA);
    gl.blendEquationSeparate(gl.FUNC_ADD, isAdded ? gl.MAX : gl.FUNC_ADD);
  }

  bind(unit, texture) {
    this.gl.activeTexture(this.gl.TEXTURE0 + unit);
    this.gl.bindTexture(this.gl.TEXTURE_2D, texture);
  }

  bindImage(unit, place, texture) {
    this.gl.uniform1i(place, texture ? 1 : 0);
    this.bind(unit, texture || null);
  }

  /// Writes the matrices of a skin's joints to a texture.
  fill({ texture, texels, rows }, matrices) {
    const { gl } = this;
    matrices.forEach((matrix, i) => texels.set(matrix, 16 * i));
    this.bind(0, texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 4 * JOINTS_A_ROW, rows, gl.RGBA, gl.FLOAT, texels);
  }

  /// The objects in graphics memory that a character needs.
  heldOf(character) {
    if (!this.held.has(character)) {
      const skins = character.skins.map(({ joints }) => this.skinOf(joints.length));
      const textures = this.texturesOf(character);
      const parts = character.surfaces.map((surface) => ({ ...this.bufferOf(surface), surface, skin: skins[surface.skin] }));
      this.held.set(character, { skins, textures, parts });
    }
    return this.held.get(character);
  }

  /// Frees the graphics memory of a character.
  forget(character) {
    const { gl } = this;
    const held = this.held && this.held.get(character);
    if (!held) return;
    this.held.delete(character);
    [...held.skins.map(({ texture }) => texture), ...held.textures.values()].forEach((texture) => gl.deleteTexture(texture));
    for (const { array, buffers } of held.parts) {
      gl.deleteVertexArray(array);
      buffers.forEach((buffer) => gl.deleteBuffer(buffer));
    }
  }

  skinOf(joints) {
    const { gl } = this;
    const rows = Math.ceil(joints / JOINTS_A_ROW);
    const texture = gl.createTexture();
    this.bind(0, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 4 * JOINTS_A_ROW, rows, 0, gl.RGBA, gl.FLOAT, null);
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
    return { texture, rows, texels: new Float32Array(16 * JOINTS_A_ROW * rows) };
  }

  /// Creates a texture in graphics memory for each texture of a surface.
  texturesOf(character) {
    const all = new Map();
    const made = new Map();
    for (const { texture, shine } of character.surfaces)
      for (const each of [texture, shine]) {
        if (!each || !character.images[each.image]) continue;
        const key = `${each.image} ${JSON.stringify(each.sampler)}`;
        if (!made.has(key)) made.set(key, this.textureOf(character.images[each.image], each.sampler));
        all.set(each, made.get(key));
      }
    return all;
  }

  textureOf(picture, { magFilter = 9729, minFilter = 9987, wrapS = 10497, wrapT = 10497 }) {
    const { gl } = this;
    const texture = gl.createTexture();
    this.bind(1, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
    if (minFilter >= 9984) gl.generateMipmap(gl.TEXTURE_2D);
    const values = { TEXTURE_MAG_FILTER: magFilter, TEXTURE_MIN_FILTER: minFilter, TEXTURE_WRAP_S: wrapS, TEXTURE_WRAP_T: wrapT };
    for (const [name, value] of Object.entries(values)) gl.texParameteri(gl.TEXTURE_2D, gl[name], value);
    return texture;
  }

  bufferOf(surface) {
    const { gl } = this;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const buffers = [[0, surface.positions], [1, surface.joints], [2, surface.weights], [3, surface.texture && surface.texture.coordinates],
                     [4, surface.shine && surface.shine.coordinates], [5, surface.tones]]
      .flatMap(([place, values]) => values ? [this.attribute(place, values, values.length / surface.count)] : []);
    const elements = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, elements);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, surface.indices, surface.isMixed ? gl.DYNAMIC_DRAW : gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    return { array, elements, buffers: [...buffers, elements], type: typeOf(gl, surface.indices) };
  }

  attribute(place, values, width) {
    const { gl } = this;
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(place);
    if (place === 1) gl.vertexAttribIPointer(place, width, typeOf(gl, values), 0, 0);
    else gl.vertexAttribPointer(place, width, typeOf(gl, values), false, 0, 0);
    return buffer;
  }
}

function typeOf(gl, values) {
  return { Uint8Array: gl.UNSIGNED_BYTE, Uint16Array: gl.UNSIGNED_SHORT, Uint32Array: gl.UNSIGNED_INT, Float32Array: gl.FLOAT }[values.constructor.name];
}

/// The matrix from the world to the part of the screen, column by column.
function viewMatrix({ right, up, towards, target, scale, width, height, depth }) {
  const rows = [[right, 2 * scale / width], [up, 2 * scale / height], [towards, -1 / depth]];
  const columns = [0, 1, 2].map((k) => [...rows.map(([axis, factor]) => axis[k] * factor), 0]);
  return [...columns.flat(), ...rows.map(([axis, factor]) => -dot(axis, target) * factor), 1];
}

/// Solid parts, then transparent ones, the farthest first.
function inOrder(parts, pose, { towards }) {
  const depthOf = ({ surface }) => {
    const places = verticesOf(surface, pose);
    let sum = 0;
    for (let i = 0; i < places.length; ++i) sum += places[i] * towards[i % 3];
    return sum / surface.count;
  };
  const mixed = parts.filter(({ surface }) => surface.isMixed).map((part) => ({ part, depth: depthOf(part) }));
  mixed.sort((a, b) => a.depth - b.depth);
  return [...parts.filter(({ surface }) => !surface.isMixed), ...mixed.map(({ part }) => part)];
}

/// The triangles of a surface, the farthest first.
function farthestFirst({ indices }, places, { towards }) {
  const depths = Float64Array.from({ length: places.length / 3 }, (_, v) =>
    places[3 * v] * towards[0] + places[3 * v + 1] * towards[1] + places[3 * v + 2] * towards[2]);
  const triangles = Array.from({ length: indices.length / 3 }, (_, i) => i);
  const sums = triangles.map((i) => depths[indices[3 * i]] + depths[indices[3 * i + 1]] + depths[indices[3 * i + 2]]);
  triangles.sort((a, b) => sums[a] - sums[b]);
  return indices.constructor.from(triangles.flatMap((i) => [indices[3 * i], indices[3 * i + 1], indices[3 * i + 2]]));
}
