// Shows one or two pages of `preview` in frames. Two pages play in step.

/// The text of the page that `preview` wrote.
export function pageOf({ files }) {
  const [, bytes] = files.find(([path]) => path.endsWith('.html'));
  return new TextDecoder().decode(bytes);
}

/// Replaces a frame by a new one and writes a page into it. Pages with a file: URL can't access frames with an address.
/// @returns a promise of the page's player, resolved when the player shows something
export async function playerIn(before, page) {
  const frame = before.cloneNode();
  before.replaceWith(frame);
  frame.contentDocument.open();
  frame.contentDocument.write(page);
  frame.contentDocument.close();
  const player = frame.contentWindow.reanima.page;
  await player.ready;
  return player;
}

export class Stage {
  /// @param stop called if the user presses Esc in a frame
  constructor(first, second, stop) { Object.assign(this, { first, second, stop, players: [] }); }

  clear() {
    this.players = [];
    this.second.hidden = true;
    const frame = this.first.querySelector('iframe');
    frame.replaceWith(frame.cloneNode());
  }

  async show(page, title) {
    this.players = [];
    this.second.hidden = true;
    this.players = [await this.load(this.first, page, title)];
    this.first.querySelector('figcaption').textContent = '';
  }

  /// Shows another page beside the first one. Both play in step.
  async showBeside(page, title) {
    this.players = this.players.slice(0, 1);
    this.second.hidden = false;
    this.first.querySelector('figcaption').textContent = 'Before';
    this.players.push(await this.load(this.second, page, title));
    this.players[1].play(false);
    this.keepInStep(this.players);
  }

  async load(figure, page, title) {
    figure.querySelector('figcaption').textContent = title;
    const player = await playerIn(figure.querySelector('iframe'), page);
    player.root.ownerDocument.addEventListener('keydown', ({ key }) => { if (key === 'Escape') this.stop(); });
    return player;
  }

  /// While both players exist, makes the second one show the clip of the same number as the first, at the same time.
  async keepInStep(players) {
    const [first, second] = players;
    const numberIn = (player) => player.list.clipsOf(player.places[0].item).findIndex(({ name }) => name === player.places[0].clip);
    while (this.players === players) {
      if (numberIn(first) !== numberIn(second)) {
        const clip = second.list.clipsOf(second.places[0].item)[numberIn(first)];
        if (clip) await second.show([{ item: second.places[0].item, clip: clip.name }]);
      }
      second.setTime(Math.min(first.time, second.clips[0].duration));
      await new Promise(requestAnimationFrame);
    }
  }

  /// Passes a key to the player. @returns true if the player used it
  key(event) {
    const [player] = this.players;
    if (!player) return false;
    player.key(event);
    return event.defaultPrevented;
  }
}
