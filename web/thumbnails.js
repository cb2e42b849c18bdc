// Makes thumbnails for the list, one after the other, while the page is idle.

import { run } from './command.js';
import { pageOf, playerIn } from './stage.js';

const SIZE = 80;       // width and height in pixels: twice those in the list
const PATIENCE = 200;  // milliseconds until the next check whether the page is idle

export class Thumbnails {
  /// @param isFree returns whether the page is idle @param filesOf returns the files for a row @param made called with (row, address)
  constructor(isFree, filesOf, made) {
    Object.assign(this, { isFree, filesOf, made, wanted: [], isBusy: false });
    const frame = Object.assign(document.createElement('iframe'), { className: 'off-screen', tabIndex: -1 });
    frame.setAttribute('aria-hidden', 'true');
    document.body.append(frame);
  }

  /// Forgets all wanted thumbnails. @param signal AbortSignal for the later ones
  begin(signal) { Object.assign(this, { signal, wanted: [] }); }

  want(row) {
    this.wanted.push(row);
    if (!this.isBusy) this.work();
  }

  async work() {
    this.isBusy = true;
    while (this.wanted.length > 0) {
      await new Promise((done) => setTimeout(done, this.isFree() ? 0 : PATIENCE));
      if (!this.isFree()) continue;
      const row = this.wanted.shift();
      const picture = await this.pictureOf(row).catch(() => null);      // a missing thumbnail is not an error
      if (picture) this.made(row, picture);
    }
    this.isBusy = false;
  }

  async pictureOf(row) {
    const outcome = await run(['preview', ...row.words, '-o', 'thumbnail.html'], this.filesOf(row), { signal: this.signal });
    const player = await playerIn(document.querySelector('.off-screen'), pageOf(outcome));
    player.play(false);
    const whole = player.stage.picture();
    const side = Math.min(whole.width, whole.height);
    const canvas = Object.assign(document.createElement('canvas'), { width: SIZE, height: SIZE });
    canvas.getContext('2d').drawImage(whole, (whole.width - side) / 2, (whole.height - side) / 2, side, side, 0, 0, SIZE, SIZE);
    return canvas.toDataURL();
  }
}
