// The direction from which characters are seen, without perspective. Relative to their fronts, it is the same for all.

const FROM_THE_SIDE = 35 / 180 * Math.PI;  // as in the command's sheets

/// The directions to the right, up and towards the eye for a viewer in front of the face.
/// @param front `right` and `up`; may be missing
function basisOf({ right = [1, 0, 0], up = [0, 1, 0] } = {}) {
  return [right, up, across(right, up)];
}

class Camera {
  constructor() { this.reset(); }

  reset() { Object.assign(this, { yaw: FROM_THE_SIDE, pitch: 0.12, zoom: 1, shift: [0, 0, 0] }); }

  turn(x, y) {
    this.yaw -= x * 0.01;
    this.pitch = Math.max(-1.5, Math.min(1.5, this.pitch + y * 0.01));
  }

  /// Moves the scene by pixels of a view.
  move(x, y, scale) {
    const { right, up } = this.axes();
    this.shift = this.shift.map((value, i) => value - (x * right[i] - y * up[i]) / scale);
  }

  /// Directions of the screen if the face is towards +Z: to the right, up, and towards the eye.
  axes() {
    const [s, c] = [Math.sin(this.yaw), Math.cos(this.yaw)];
    const [sp, cp] = [Math.sin(this.pitch), Math.cos(this.pitch)];
    return { right: [c, 0, -s], up: [-s * sp, cp, -c * sp], towards: [s * cp, sp, c * cp] };
  }

  /// The view of a part of the stage.
  /// @param box around all moving things
  /// @param radius the largest box's
  /// @param basis the character's directions, from basisOf()
  viewOf(box, radius, basis, left, width, height) {
    const turned = (direction) => [0, 1, 2].map((k) => direction.reduce((sum, share, i) => sum + share * basis[i][k], 0));
    const axes = Object.fromEntries(Object.entries(this.axes()).map(([name, direction]) => [name, turned(direction)]));
    const shift = turned(this.shift);
    const target = box.middle().map((value, k) => value + shift[k]);
    const scale = Math.min(width, height) / 2.1 / radius * this.zoom;
    return { ...axes, basis, yaw: this.yaw, pitch: this.pitch, target, scale, left, width, height, depth: 40 * radius };
  }
}

/// Converts a position in the world to pixels of the stage.
function project(view, place) {
  const from = [place[0] - view.target[0], place[1] - view.target[1], place[2] - view.target[2]];
  return [view.left + view.width / 2 + view.scale * dot(from, view.right), view.height / 2 - view.scale * dot(from, view.up)];
}
