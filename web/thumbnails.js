// Small pictures for the list, made one after the other while nothing else is done.

import { run } from './command.js';
import { pageOf, playerIn } from './stage.js';

const SIZE = 80;       // pixels, for 40 of the page
const PATIENCE = 200;  // milliseconds

export class Thumbnails {
  /// @param isFree whether nothing else is done @param filesOf gives the files for a row @param made(row, address)
  constructor(isFree, filesOf, made) {
    Object.assign(this, { isFree, filesOf, made, wanted: [], isBusy: false });
    const frame = Object.assign(document.createElement('iframe'), { className: 'off-screen', tabIndex: -1 });
    frame.setAttribute('aria-hidden', 'true');
    document.body.append(frame);
  }

  /// Forgets what was wanted. @param signal ends what follows
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
      const picture = await this.pictureOf(row).catch(() => null);      // a row without one says nothing wrong
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
