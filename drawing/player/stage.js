// The two canvases for one or two characters, with input by pointers.

const MOST_PIXELS = 2;  // pixels of the canvas per pixel of the page

class Stage {
  /// @param hooks `tip(text, x, y)`: describes the joint under the pointer
  constructor(root, hooks) {
    this.root = root;
    this.hooks = hooks;
    this.camera = new Camera();
    this.slots = [];
    this.showsBones = false;
    this.paper = new Paper(root.querySelector('.paper'));
    this.renderer = new Renderer(root.querySelector('.meshes'), () => this.change());
    this.isWaiting = false;
    this.fingers = new Map();
    this.listen();
    new ResizeObserver(() => this.resize()).observe(root);
    this.resize();
  }

  get ratio() { return Math.min(MOST_PIXELS, devicePixelRatio || 1); }

  resize() {
    const { clientWidth, clientHeight } = this.root;
    for (const canvas of [this.paper.canvas, this.renderer.canvas]) {
      canvas.width = Math.max(1, Math.round(clientWidth * this.ratio));
      canvas.height = Math.max(1, Math.round(clientHeight * this.ratio));
    }
    this.draw();
  }

  /// Shows one or two of { shown, clip, time }.
  show(slots) {
    this.slots = slots.map((slot, i) => {
      const before = this.slots[i];
      const isSame = before && before.shown === slot.shown && before.clip === slot.clip;
      return { ...slot, box: isSame ? before.box : slot.shown.joints && slot.shown.extent(slot.clip) };
    });
    for (const { box, shown } of this.slots) if (box) includeGround(box, shown.basis);
    this.change();
  }

  /// @param times one for each slot
  setTimes(times) {
    times.forEach((time, i) => { this.slots[i].time = time; });
    this.change();
  }

  /// Draws the stage before the browser's next frame.
  change() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => { this.isWaiting = false; this.draw(); });
  }

  viewOf(i) {
    const { width, height } = this.paper.canvas;
    const part = Math.floor(width / this.slots.length);
    const { box, shown } = this.slots[i];
    const radius = Math.max(...this.slots.map((slot) => slot.box ? slot.box.radius() : 0));
    return box ? this.camera.viewOf(box, radius, shown.basis, i * part, part, height) : { left: i * part, width: part, height };
  }

  draw() {
    this.paper.clear();
    if (this.renderer.isReady) this.renderer.clear();
    this.slots.forEach((slot, i) => this.paper.within(this.viewOf(i), () => this.drawSlot(slot, this.viewOf(i))));
    if (this.slots.length > 1) this.drawDivider();
  }

  drawSlot({ shown, clip, time }, view) {
    if (!shown.joints) {
      this.paper.drawVideo(shown, frameOf(clip, time), view);
      return;
    }
    this.paper.drawGround(view, this.ratio);
    const pose = shown.poseAt(clip, time);
    if (this.drawsMeshOf(shown)) this.renderer.draw(shown, pose, view);
    else this.paper.drawBones(shown, pose, view, this.ratio);
  }

  drawDivider() {
    const { width, height } = this.paper.canvas;
    this.paper.line([width / 2, 0], [width / 2, height], this.ratio, this.paper.colour('--line'));
    this.slots.forEach(({ shown, clip }, i) =>
      this.paper.write(`${shown.name}, ${clip.name}`, [this.viewOf(i).left + 10 * this.ratio, 20 * this.ratio], this.ratio));
  }

  drawsMeshOf({ surfaces }) { return !this.showsBones && this.renderer.isReady && Boolean(surfaces) && surfaces.length > 0; }

  /// The picture of the stage, including its background.
  picture() {
    const { width, height } = this.paper.canvas;
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d');
    context.fillStyle = this.paper.colour('--stage');
    context.fillRect(0, 0, width, height);
    this.draw();
    context.drawImage(this.paper.canvas, 0, 0);
    context.drawImage(this.renderer.canvas, 0, 0);
    return canvas;
  }

  // ------------------------------------------------------------------ pointers
  listen() {
    const { root } = this;
    root.addEventListener('pointerdown', (event) => this.fingerDown(event));
    root.addEventListener('pointermove', (event) => this.fingerMoved(event));
    for (const name of ['pointerup', 'pointercancel', 'pointerleave'])
      root.addEventListener(name, (event) => { this.fingers.delete(event.pointerId); this.hooks.tip(''); });
    root.addEventListener('wheel', (event) => { this.zoom(Math.exp(-event.deltaY * 0.001)); event.preventDefault(); }, { passive: false });
    root.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  zoom(factor) {
    this.camera.zoom *= factor;
    this.change();
  }

  fingerDown(event) {
    if (event.target.setPointerCapture && this.root.contains(event.target)) this.root.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
  }

  fingerMoved(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) { this.nameJoint(event); return; }
    const [x, y] = [event.clientX - before[0], event.clientY - before[1]];
    if (this.fingers.size === 2) this.pinch(event, x, y);
    else if (event.shiftKey || event.buttons > 1) this.move(x, y);
    else this.camera.turn(x, y);
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    this.change();
  }

  /// The distance of two fingers zooms, and their midpoint moves the view.
  pinch(event, x, y) {
    const [other] = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    const before = this.fingers.get(event.pointerId);
    const distance = (place) => Math.max(10, Math.hypot(place[0] - other[0], place[1] - other[1]));
    this.camera.zoom *= distance([event.clientX, event.clientY]) / distance(before);
    this.move(x / 2, y / 2);
  }

  move(x, y) {
    const { scale } = this.slots.length > 0 ? this.viewOf(0) : {};
    if (scale) this.camera.move(x * this.ratio, y * this.ratio, scale);
  }

  nameJoint(event) {
    const box = this.root.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) * this.ratio, (event.clientY - box.top) * this.ratio];
    const i = this.slots.length > 1 && x > this.paper.canvas.width / 2 ? 1 : 0;
    this.hooks.tip(this.slots[i] ? this.jointAt(this.slots[i], this.viewOf(i), x, y) : '', event.clientX, event.clientY);
  }

  /// The name of the joint nearest to a position. Empty if none is near.
  jointAt({ shown, clip, time }, view, x, y) {
    if (!shown.joints) return '';
    const { world } = shown.poseAt(clip, time);
    let [nearest, name] = [15 * this.ratio, ''];
    for (const joint of shown.joints) {
      const [a, b] = project(view, placeOf(world[joint]));
      const distance = Math.hypot(a - x, b - y);
      if (distance < nearest) [nearest, name] = [distance, shown.nodes[joint].name || ''];
    }
    return name;
  }
}

/// Extends the box to the ground, also for flying characters.
function includeGround(box, [, up]) {
  const height = dot(box.middle(), up);
  box.include(...box.middle().map((value, k) => value - height * up[k]));
}

/// The number of the visible frame at a time.
const frameOf = ({ frames, rate }, time) => Math.min(frames - 1, Math.max(0, Math.floor(time * rate + 1e-4)));
