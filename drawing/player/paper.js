// Two-dimensional drawing: the ground, bones, and videos.

/// The look of bones: colour, and thickness in a square of 130 pixels, as in the command's sheets.
const SIDES = {
  left: { colour: '#2d69be', thickness: 4 }, right: { colour: '#c84132', thickness: 4 },
  weapon: { colour: '#cd9619', thickness: 3 }, middle: { colour: '--bone', thickness: 4.5 } };
const SQUARE = 130;
const MOST_UNIT = 1.6;  // largest scale of thickness, so that large figures have thin bones

class Paper {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
  }

  clear() { this.context.clearRect(0, 0, this.canvas.width, this.canvas.height); }

  colour(name) { return getComputedStyle(this.canvas).getPropertyValue(name); }

  line(a, b, width, colour) {
    const { context } = this;
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.beginPath();
    context.moveTo(...a);
    context.lineTo(...b);
    context.stroke();
  }

  /// Draws inside a part of the canvas.
  within({ left, width, height }, act) {
    this.context.save();
    this.context.beginPath();
    this.context.rect(left, 0, width, height);
    this.context.clip();
    act();
    this.context.restore();
  }

  /// @param ratio pixels of the canvas per pixel of the page
  drawGround(view, ratio) {
    const colour = this.colour('--ground');
    const step = 10 ** Math.round(Math.log10(Math.min(view.width, view.height) / view.scale / 8));
    const [right, , ahead] = view.basis;
    const [x, z] = [right, ahead].map((axis) => Math.round(dot(view.target, axis) / step));
    const at = (i, k) => project(view, right.map((value, n) => step * ((x + i) * value + (z + k) * ahead[n])));
    for (let i = -10; i <= 10; ++i) {
      this.line(at(i, -10), at(i, 10), ratio, colour);
      this.line(at(-10, i), at(10, i), ratio, colour);
    }
    this.write('front', at(0, 10), ratio);
  }

  write(text, place, ratio) {
    this.context.fillStyle = this.colour('--faint');
    this.context.font = `${12 * ratio}px sans-serif`;
    this.context.fillText(text, ...place);
  }

  /// Draws thin bones first, then other bones, then joints.
  drawBones(character, { world }, view, ratio) {
    const unit = Math.min(MOST_UNIT * ratio, Math.min(view.width, view.height) / SQUARE);
    const joints = new Set(character.joints);
    const middle = this.colour('--bone');
    const bones = character.joints.map((joint) => ({ joint, ...SIDES[character.sideOf(joint)] }));
    bones.sort((a, b) => a.thickness - b.thickness);
    const placed = new Map(character.joints.map((joint) => [joint, project(view, placeOf(world[joint]))]));
    const painted = (colour) => colour === '--bone' ? middle : colour;
    this.context.lineCap = 'round';
    for (const { joint, ...own } of bones) {
      const parent = character.parents[joint];
      if (!joints.has(parent)) continue;
      const other = SIDES[character.sideOf(parent)];
      const { colour, thickness } = own.thickness < other.thickness ? own : other;
      this.line(placed.get(parent), placed.get(joint), thickness * unit, painted(colour));
    }
    for (const { joint, colour, thickness } of bones)
      if (!character.isEnd(joint)) this.disc(placed.get(joint), 1.3 * thickness * unit, painted(colour));
  }

  disc([x, y], radius, colour) {
    this.context.fillStyle = colour;
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    this.context.fill();
  }

  drawVideo(video, frame, { left, width, height }) {
    const [page, x, y] = video.frames[frame];
    const scale = Math.min(width / video.width, height / video.height);
    const size = [video.width * scale, video.height * scale];
    this.context.imageSmoothingEnabled = false;
    this.context.drawImage(video.images[page], x, y, video.width, video.height, left + (width - size[0]) / 2, (height - size[1]) / 2, ...size);
  }
}
