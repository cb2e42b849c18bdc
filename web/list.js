// The list of what the files contain, with a search.

const MOST_ROWS = 1000;
const pictureOf = ({ thumbnail }) => thumbnail ? Object.assign(new Image(), { src: thumbnail, alt: '' }) : document.createElement('i');

/// Makes a row from a result of `find`. @param found an element of its JSON
export function rowOfFound(found) {
  const place = found.file.split(/[/:]/).pop();
  const isVideo = found.kind === 'video';
  return {
    name: found.name || (found.model === null ? place : `${place} ${found.model}`),
    path: found.file,
    isVideo,
    detail: isVideo ? `${found.seconds.toFixed(1)} s` : countOf(found.clips, 'clip'),
    clips: found.clips,
    words: found.command.includes(' --model ') ? [found.file, '--model', String(found.model)] : [found.file] };
}

/// Makes a row for an archive's entry that `find` has not read yet. @param entry an element of the JSON of `list`
export const rowOfEntry = (archive, { name, title, size }) =>
  ({ name: title || name.split('/').pop(), path: `${archive}:${name}`, detail: sizeOf(size), isRaw: true, isNamed: Boolean(title), words: [`${archive}:${name}`] });

export const countOf = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;
const sizeOf = (size) => size < 1e6 ? `${Math.ceil(size / 1e3)} kB` : `${(size / 1e6).toFixed(1)} MB`;

export class List {
  /// @param hooks `open(row)` is called for a chosen row, `seen(row)` when a row without a thumbnail becomes visible
  constructor(root, hooks) {
    Object.assign(this, { hooks, rows: [], current: null, element: root.querySelector('.rows'), search: root.querySelector('.search') });
    this.search.addEventListener('input', () => this.fill());
    this.search.addEventListener('keydown', (event) => { if (event.key === 'ArrowDown') { this.focus(0); event.preventDefault(); } });
    this.element.addEventListener('keydown', (event) => this.key(event));
    this.watcher = new IntersectionObserver((seen) => seen.forEach(({ target, isIntersecting }) => {
      if (!isIntersecting) return;
      this.watcher.unobserve(target);
      if (!target.row.thumbnail && !target.row.isRaw) hooks.seen(target.row);
    }));
  }

  clear() {
    this.current = null;
    this.rows = [];
    this.fill();
  }

  /// Adds rows, those with the most clips first. A row from `find` replaces the entries with the same path.
  add(rows) {
    const all = new Map([...rows, ...this.rows].map((row) => [`${row.isRaw} ${row.words.join('\n')}`, row]));
    const read = new Set([...all.values()].filter(({ isRaw }) => !isRaw).map(({ path }) => path));
    this.rows = [...all.values()].filter(({ path, isRaw }) => !isRaw || !read.has(path));
    this.rows.sort((a, b) => (b.clips || 0) - (a.clips || 0) || Number(b.isNamed || false) - Number(a.isNamed || false));
    if (this.current) this.current = this.rows.find(({ path }) => path === this.current.path) || this.current;
    this.fill();
  }

  fill() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
    const found = this.rows.filter(({ name, path }) => words.every((word) => `${name} ${path}`.toLowerCase().includes(word)));
    const hadFocus = this.element.contains(document.activeElement);
    this.element.replaceChildren(...found.slice(0, MOST_ROWS).map((row) => this.elementOf(row)));
    if (found.length > MOST_ROWS)
      this.element.append(Object.assign(document.createElement('li'), { className: 'more', textContent: `${found.length - MOST_ROWS} more: search for them` }));
    this.mark();
    if (hadFocus) this.focus(Math.max(0, this.options().findIndex(({ row }) => row === this.current)));
  }

  elementOf(row) {
    const item = Object.assign(document.createElement('li'), { row, tabIndex: -1, className: row.isRaw ? 'is-raw' : '' });
    item.setAttribute('role', 'option');
    item.setAttribute('aria-label', `${row.name}, ${row.detail}`);
    const text = document.createElement('div');
    text.append(...[['b', row.name], ['small', `\u200e${row.path}`]].map(([tag, textContent]) => Object.assign(document.createElement(tag), { textContent, title: row.path })));
    item.append(pictureOf(row), text, Object.assign(document.createElement('span'), { textContent: row.detail }));
    item.addEventListener('click', () => this.choose(row));
    this.watcher.observe(item);
    return item;
  }

  /// @param address the address of an image
  addThumbnail(row, address) {
    row.thumbnail = address;
    const item = this.options().find((each) => each.row === row);
    if (item) item.firstChild.replaceWith(pictureOf(row));
  }

  options() { return [...this.element.children].filter(({ row }) => row); }

  choose(row) {
    this.current = row;
    this.mark();
    this.hooks.open(row);
  }

  /// Marks the current row. The tab key reaches this row, or the first one if there is none.
  mark() {
    const options = this.options();
    const reached = options.find(({ row }) => row === this.current) || options[0];
    for (const option of options) {
      option.setAttribute('aria-selected', option.row === this.current);
      option.tabIndex = option === reached ? 0 : -1;
    }
  }

  focus(index) {
    const options = this.options();
    const option = options[Math.max(0, Math.min(options.length - 1, index))];
    if (option) option.focus();
  }

  key(event) {
    const at = this.options().indexOf(document.activeElement);
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: Infinity, PageDown: at + 10, PageUp: at - 10 };
    if (event.key === 'Enter') document.activeElement.click();
    else if (event.key in steps) this.focus(steps[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
