// What is drawn in two dimensions: the ground, bones, and videos.

const SIDES = { left: '#3b78c8', right: '#c8483b', weapon: '#c89a20', middle: '#808080' };

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

  /// Draws within a part of the canvas.
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
    const colour = this.colour('--line');
    const step = 10 ** Math.round(Math.log10(Math.min(view.width, view.height) / view.scale / 8));
    const [x, z] = [Math.round(view.target[0] / step) * step, Math.round(view.target[2] / step) * step];
    for (let i = -10; i <= 10; ++i) {
      this.line(project(view, [x + i * step, 0, z - 10 * step]), project(view, [x + i * step, 0, z + 10 * step]), ratio, colour);
      this.line(project(view, [x - 10 * step, 0, z + i * step]), project(view, [x + 10 * step, 0, z + i * step]), ratio, colour);
    }
    this.write('front', project(view, [x, 0, z + 10 * step]), ratio);
  }

  write(text, place, ratio) {
    this.context.fillStyle = this.colour('--faint');
    this.context.font = `${12 * ratio}px sans-serif`;
    this.context.fillText(text, ...place);
  }

  drawBones(character, { world }, view, ratio) {
    const joints = new Set(character.joints);
    const bones = character.joints.map((joint) => {
      const parent = character.parents[joint];
      const start = joints.has(parent) ? parent : joint;     // a bone belongs to the joint where it begins
      return { from: placeOf(world[start]), to: placeOf(world[joint]), colour: SIDES[character.sideOf(start)] };
    });
    const depth = ({ from, to }) => dot(from, view.towards) + dot(to, view.towards);
    bones.sort((a, b) => depth(a) - depth(b));
    this.context.lineCap = 'round';
    const paper = this.colour('--paper');
    for (const { from, to, colour } of bones) {
      const [a, b] = [project(view, from), project(view, to)];
      const width = Math.max(3 * ratio, Math.min(14 * ratio, Math.hypot(a[0] - b[0], a[1] - b[1]) / 6));
      this.line(a, b, width + 2 * ratio, paper);
      this.line(a, b, width, colour);
    }
  }

  drawVideo(video, frame, { left, width, height }) {
    const [page, x, y] = video.frames[frame];
    const scale = Math.min(width / video.width, height / video.height);
    const size = [video.width * scale, video.height * scale];
    this.context.imageSmoothingEnabled = false;
    this.context.drawImage(video.images[page], x, y, video.width, video.height, left + (width - size[0]) / 2, (height - size[1]) / 2, ...size);
  }
}
