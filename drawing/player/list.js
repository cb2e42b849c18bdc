// A list of all characters and clips, with a search.

const MOST_ROWS = 1000;

class ClipList {
  /// @param hooks `choose(item, clipName)`, `isShown(item, clipName)`, `thumbnail(item)`: a canvas, `tell(text)`
  constructor(root, items, hooks) {
    Object.assign(this, { items, hooks, current: -1, active: null });
    this.search = root.querySelector('.search');
    this.rows = root.querySelector('.rows');
    // Items with the most clips come first.
    this.order = items.map((_, i) => i).sort((a, b) => this.clipsOf(b).length - this.clipsOf(a).length || a - b);
    this.search.addEventListener('input', () => { this.fill(); this.tellFound(); });
    this.search.addEventListener('keydown', (event) => { if (event.key === 'ArrowDown') { this.focus(0); event.preventDefault(); } });
    this.rows.addEventListener('keydown', (event) => this.key(event));
    this.rows.addEventListener('focusin', ({ target }) => this.makeActive(target));
  }

  /// The clips of an item, even if it is not decoded yet.
  clipsOf(item) {
    const { clips, name, frames } = this.items[item];
    if (frames) return [{ name, index: 0, frames: frames.length }];
    return clips && clips.length > 0 ? clips : [{ name: 'rest pose', index: '', frames: 1 }];
  }

  /// The items and clips that match all words: characters by name and path, clips by name, number and character.
  found(words) {
    const holds = (text) => (word) => text.toLowerCase().includes(word);
    return this.order.flatMap((item) => {
      const whose = `${this.items[item].name} ${this.items[item].path || ''}`;
      const isWhole = words.every(holds(whose));
      const clips = this.clipsOf(item).filter((clip) => {
        const own = `${clip.index} ${clip.name} ${clip.id === undefined ? '' : `id:${clip.id}`}`;
        return words.length > 0 ? words.every(holds(`${own} ${whose}`)) && words.some(holds(own)) : item === this.current;
      });
      const shown = isWhole && clips.length === 0 && item === this.current ? this.clipsOf(item) : clips;
      const who = (isWhole || shown.length > 0) && this.items.length > 1 ? [{ item }] : [];
      return [...who, ...shown.map((clip) => ({ item, clip }))];
    });
  }

  fill() {
    const hadFocus = this.rows.contains(document.activeElement);
    const all = this.found(this.search.value.toLowerCase().split(/\s+/).filter((word) => word !== ''));
    const rows = all.slice(0, MOST_ROWS).map((each) => this.rowOf(each));
    if (all.length > MOST_ROWS) {
      const more = document.createElement('li');
      more.className = 'more';
      more.setAttribute('role', 'option');
      more.setAttribute('aria-disabled', true);
      more.textContent = `${all.length - MOST_ROWS} more: search for them`;
      rows.push(more);
    }
    this.rows.replaceChildren(...rows);
    const again = this.options().find((row) => this.active && row.item === this.active.item && row.clip === this.active.clip);
    this.makeActive(again || this.options().find((row) => row.clip !== undefined && this.hooks.isShown(row.item, row.clip)) || this.options()[0]);
    if (hadFocus && again) again.focus();
    this.mark();
  }

  tellFound() {
    const rows = this.options();
    const clips = rows.filter(({ clip }) => clip !== undefined).length;
    this.hooks.tell(`${countOf(rows.length - clips, 'character')}, ${countOf(clips, 'clip')}`);
  }

  /// Marks the visible rows: clips are selected, and their character is current.
  mark() {
    for (const row of this.options())
      row.setAttribute(row.clip === undefined ? 'aria-current' : 'aria-selected', this.hooks.isShown(row.item, row.clip));
    this.rows.setAttribute('aria-multiselectable', this.rows.querySelectorAll('[aria-selected=true]').length > 1);
  }

  rowOf({ item, clip }) {
    const row = document.createElement('li');
    Object.assign(row, { item, clip: clip && clip.name, tabIndex: -1, className: clip ? 'clip' : 'who' });
    row.setAttribute('role', 'option');
    row.setAttribute('aria-label', clip ? `${clip.name}, ${countOf(clip.frames, 'frame')}` : `${this.items[item].name}, ${countOf(this.clipsOf(item).length, 'clip')}`);
    row.append(...clip ? this.cellsOf(clip) : this.cellsOfCharacter(item));
    row.addEventListener('click', () => this.hooks.choose(item, row.clip));
    return row;
  }

  cellsOf({ index, name, frames }) {
    const cells = [`${index}`, name, `${frames}`].map((text) => Object.assign(document.createElement('span'), { textContent: text }));
    cells[1].title = name;
    cells[2].title = countOf(frames, 'frame');
    return cells;
  }

  cellsOfCharacter(item) {
    const { name, path = '' } = this.items[item];
    const text = document.createElement('div');
    const place = Object.assign(document.createElement('small'), { textContent: `\u200e${path}`, title: path });
    text.append(Object.assign(document.createElement('b'), { textContent: name }), place);
    const count = Object.assign(document.createElement('span'), { textContent: `${this.clipsOf(item).length}`, title: countOf(this.clipsOf(item).length, 'clip') });
    return [this.hooks.thumbnail(item), text, count];
  }

  /// @param current the item whose clips are listed
  show(current) {
    const isOther = this.current !== current;
    this.current = current;
    if (!isOther) { this.mark(); return; }
    this.fill();
    if (this.active) this.reveal(this.active);
  }

  /// Scrolls only the list, not the page around it.
  reveal(row) {
    const { rows } = this;
    const top = row.offsetTop - rows.offsetTop;
    rows.scrollTop = Math.max(Math.min(rows.scrollTop, top), top + row.offsetHeight - rows.clientHeight);
  }

  // ------------------------------------------------------------------ keyboard
  options() { return [...this.rows.children].filter((row) => row.item !== undefined); }

  /// Makes this the row that the tab key reaches.
  makeActive(row) {
    if (!row || row.item === undefined) return;
    for (const other of this.rows.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    row.tabIndex = 0;
    this.active = row;
  }

  focus(index) {
    const rows = this.options();
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!row) return;
    row.focus({ preventScroll: true });
    this.reveal(row);
    if (row.clip !== undefined) this.hooks.choose(row.item, row.clip, 'stay');
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.options().indexOf(document.activeElement);
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: Infinity, PageDown: at + 10, PageUp: at - 10 };
    if (event.key === 'Enter') document.activeElement.click();
    else if (event.key in steps) this.focus(steps[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

const countOf = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;
