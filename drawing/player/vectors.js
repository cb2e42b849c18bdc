// Matrices are lists of 16, column by column, as in glTF.

function matrixOf(t, [x, y, z, w], s) {
  return [
    (1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y + w * z) * s[0], 2 * (x * z - w * y) * s[0], 0,
    2 * (x * y - w * z) * s[1], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z + w * x) * s[1], 0,
    2 * (x * z + w * y) * s[2], 2 * (y * z - w * x) * s[2], (1 - 2 * (x * x + y * y)) * s[2], 0,
    t[0], t[1], t[2], 1];
}

function product(a, b) {
  const made = new Array(16);
  for (let column = 0; column < 16; column += 4)
    for (let row = 0; row < 4; ++row)
      made[column + row] = a[row] * b[column] + a[4 + row] * b[column + 1] + a[8 + row] * b[column + 2] + a[12 + row] * b[column + 3];
  return made;
}

function slerp(a, b, share) {
  let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(1, sign * cosine);
  const angle = Math.acos(cosine);
  const sine = Math.sin(angle);
  const [p, q] = sine < 1e-6 ? [1 - share, share] : [Math.sin((1 - share) * angle) / sine, Math.sin(share * angle) / sine];
  const mixed = [0, 1, 2, 3].map((i) => p * a[i] + sign * q * b[i]);
  const length = Math.hypot(...mixed);
  return mixed.map((value) => value / length);
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const across = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

const placeOf = (matrix) => [matrix[12], matrix[13], matrix[14]];

/// The bounding box of positions.
class Box {
  constructor() {
    this.low = [Infinity, Infinity, Infinity];
    this.high = [-Infinity, -Infinity, -Infinity];
  }

  include(x, y, z) {
    const { low, high } = this;
    if (x < low[0]) low[0] = x;
    if (y < low[1]) low[1] = y;
    if (z < low[2]) low[2] = z;
    if (x > high[0]) high[0] = x;
    if (y > high[1]) high[1] = y;
    if (z > high[2]) high[2] = z;
  }

  middle() { return this.low.map((value, k) => (value + this.high[k]) / 2); }

  /// Half of its diagonal.
  radius() { return Math.max(1e-6, Math.hypot(...this.low.map((value, k) => this.high[k] - value)) / 2); }
}
