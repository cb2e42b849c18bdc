// The player: a list, a stage, and controls for playing.

class Player {
  /// @param root an empty element
  /// @param options `items`, `keepsAddress`; docs/player.md
  constructor(root, { items, keepsAddress = false }) {
    Object.assign(this, { root, items, keepsAddress, places: [], time: 0, isPlaying: false, isLooping: true, speed: 1, isComparing: false });
    this.opened = new Map();
    this.wanted = 0;
    root.classList.add('reanima');
    root.innerHTML = MARKUP;
    fillKeys(this.part('.keys table'));
    this.stage = new Stage(this.part('.stage'), { tip: (...what) => this.tip(...what) });
    this.thumbnails = new Thumbnails(this.stage, (item) => this.open(item), (item) => this.close(item));
    this.list = new ClipList(root, items, {
      choose: (item, clip, stays) => this.choose(item, clip, stays),
      isShown: (item, clip) => this.isShown(item, clip),
      thumbnail: (item) => this.thumbnails.canvasOf(item),
      tell: (text) => this.tell(text) });
    this.listen();
    this.ready = this.begin();
  }

  part(selector) { return this.root.querySelector(selector); }

  listen() {
    const acts = { play: 'toggle', loop: 'toggleLoop', bones: 'toggleBones', compare: 'toggleCompare', 'save-glb': 'saveGlb',
                   'save-png': 'savePicture', help: 'help', menu: 'openDrawer' };
    for (const [name, act] of Object.entries(acts)) this.part(`.${name}`).addEventListener('click', () => this[act]());
    this.part('.back').addEventListener('click', () => this.step(-1));
    this.part('.forward').addEventListener('click', () => this.step(1));
    this.part('.speed').append(...SPEEDS.map((speed) => new Option(`${speed} x`, speed, speed === 1, speed === 1)));
    this.part('.speed').addEventListener('change', (event) => { this.speed = Number(event.target.value); });
    this.part('.scrub').addEventListener('input', (event) => this.seek(Number(event.target.value)));
    this.part('.stage').addEventListener('pointerdown', () => this.toggleDrawer(false));
    const target = this.keepsAddress ? document : this.root;
    target.addEventListener('keydown', (event) => this.key(event));
    if (this.keepsAddress) addEventListener('hashchange', () => this.follow(location.hash));
  }

  key(event) {
    if (this.part('.keys').open) return;
    if (event.key === 'Escape') this.closeDrawer();
    else if (actOn(this, event)) event.preventDefault();
  }

  async begin() {
    if (this.items.length === 0) return;
    const isFound = this.keepsAddress && await this.follow(location.hash);
    if (isFound) return;
    await this.show([{ item: this.list.order[0] }]);
    this.play(!matchMedia('(prefers-reduced-motion: reduce)').matches);
  }

  // ------------------------------------------------------------------ characters
  /// The character or video of an item, ready to be drawn.
  open(item) {
    if (!this.opened.has(item)) {
      const opening = opened(this.items[item]);
      opening.catch((error) => {
        this.opened.delete(item);
        this.part('.trouble').textContent = `${this.items[item].name}: ${error.message}`;
      });
      this.opened.set(item, opening);
    }
    return this.opened.get(item);
  }

  /// Frees the memory of an item that is not shown.
  async close(item) {
    if (this.places.some((place) => place.item === item)) return;
    const shown = await this.open(item);
    if (this.places.some((place) => place.item === item)) return;
    this.opened.delete(item);
    this.stage.renderer.forget(shown);
  }

  // ------------------------------------------------------------------ showing
  /// @param places one or two objects { item, clip }; without a clip's name, the first clip
  async show(places, time = 0) {
    const ticket = ++this.wanted;
    const shown = await Promise.all(places.map(({ item }) => this.open(item)));
    if (ticket !== this.wanted) return;
    const before = this.places;
    const clips = places.map(({ item, clip }, i) => this.clipOf(shown[i], item, clip));
    const isWithoutMeshes = this.stage.renderer.gl === null && shown.some(({ surfaces }) => surfaces && surfaces.length > 0);
    this.part('.trouble').textContent = isWithoutMeshes ? 'Only bones are drawn, because this browser has no WebGL 2.' : '';
    this.places = places.map(({ item }, i) => ({ item, clip: clips[i].name }));
    this.clips = clips;
    for (const { item } of before) this.close(item);
    this.stage.show(places.map((_, i) => ({ shown: shown[i], clip: clips[i], time: 0 })));
    this.isComparing = places.length > 1;
    const last = this.places[places.length - 1];
    this.list.show(last.item);
    this.prepareTrack(shown);
    this.setTime(Math.min(time, clips[0].duration));
    this.nameStage();
  }

  /// The clip of that name, otherwise the first one in the list. The file may contain clips that are not listed.
  clipOf({ clips }, item, wanted) {
    const [first] = this.list.clipsOf(item);
    const find = (text) => clips.find(({ name }) => name === text);
    return find(wanted) || find(first.name) || clips[0];
  }

  prepareTrack(shown) {
    const [clip] = this.clips;
    this.part('.scrub').max = clip.duration || 1;
    this.part('.bones').hidden = !shown.some(({ surfaces }) => surfaces && surfaces.length > 0);
    this.part('.save-glb').hidden = !shown[shown.length - 1].glb;
    this.part('.compare').setAttribute('aria-pressed', this.isComparing);
    this.part('.events').replaceChildren(...clip.events.map((event) => {
      const mark = document.createElement('i');
      mark.style.left = `${clip.duration > 0 ? 100 * event.time / clip.duration : 0}%`;
      mark.title = `${event.name} (${event.type || 'event'}) at ${event.time.toFixed(3)} s`;
      mark.setAttribute('role', 'img');
      mark.setAttribute('aria-label', mark.title);
      return mark;
    }));
  }

  nameStage() {
    const text = this.places.map(({ item, clip }) => `${this.items[item].name}, ${clip}`).join(' beside ');
    this.part('.stage').setAttribute('aria-label', text);
    this.tell(text);
  }

  /// Announces a text to screen readers.
  tell(text) { this.part('.said').textContent = text; }

  /// @param stays `stay`: keep the drawer open
  async choose(item, clip, stays) {
    const place = { item, clip };
    await this.show(this.isComparing ? [this.places[0], place] : [place]);
    if (clip !== undefined && stays !== 'stay') this.toggleDrawer(false);
  }

  isShown(item, clip) { return this.places.some((place) => place.item === item && (clip === undefined || clip === place.clip)); }

  /// Shows the clip before or after the last one that was chosen, of the same character.
  turnPage(by) {
    const { item, clip } = this.places[this.places.length - 1];
    const names = this.list.clipsOf(item).map(({ name }) => name);
    this.choose(item, names[(names.indexOf(clip) + by + names.length) % names.length], 'stay');
  }

  toggleCompare() {
    this.show(this.isComparing ? [this.places[1]] : [this.places[0], this.places[0]], this.time);
  }

  /// Shows the content of a link. False if the link names nothing.
  async follow(hash) {
    if (hash === this.address) return true;
    const { places, time } = addressParts(this.items, hash);
    if (places.length === 0) return false;
    await this.show(places, time);
    this.play(time === undefined);
    return true;
  }

  keepAddress() {
    if (!this.keepsAddress || this.isKept) return;
    this.isKept = true;
    setTimeout(() => {  // browsers limit the rate of changes
      this.isKept = false;
      this.address = addressOf(this.items, this.places, this.isPlaying ? undefined : this.time);
      history.replaceState(null, '', this.address);
    }, 250);
  }

  // ------------------------------------------------------------------ playing
  /// Shows a time of the first clip, and the same time of the second one.
  setTime(time) {
    this.time = time;
    const [first, second] = this.clips;
    const share = first.duration > 0 ? Math.min(1, time / first.duration) : 0;
    this.stage.setTimes([time, ...second ? [share * second.duration] : []]);
    this.part('.scrub').value = time;
    this.part('.scrub').setAttribute('aria-valuetext', `frame ${frameOf(first, time)} of ${first.frames}, ${time.toFixed(2)} seconds`);
    const clock = this.part('.clock');
    clock.value = `frame ${frameOf(first, time)} of ${first.frames}, ${Math.min(time, first.duration).toFixed(3)} s`;
    clock.title = `${first.rate.toFixed(4).replace(/\.?0+$/, '')} frames per second`;
    this.part('.play').textContent = this.isPlaying ? 'Pause' : 'Play';
    this.keepAddress();
  }

  play(isPlaying) {
    if (isPlaying && !this.isLooping && this.time >= this.clips[0].duration) this.time = 0;
    this.isPlaying = isPlaying;
    this.before = null;
    if (isPlaying && !this.isTicking) requestAnimationFrame((now) => this.tick(now));
    this.isTicking = this.isTicking || isPlaying;
    this.setTime(this.time);
  }

  tick(now) {
    this.isTicking = this.isPlaying;
    if (!this.isPlaying) return;
    const seconds = this.before === null ? 0 : (now - this.before) / 1000;
    this.before = now;
    this.advance(seconds * this.speed);
    this.stage.draw();
    requestAnimationFrame((next) => this.tick(next));
  }

  advance(seconds) {
    const { duration, rate } = this.clips[0];
    const time = this.time + seconds;
    if (this.isLooping || time < duration) {
      this.setTime(time % (duration + 1 / rate));  // the last frame is shown as long as the others
      return;
    }
    this.isPlaying = false;
    this.setTime(duration);
  }

  toggle() {
    this.play(!this.isPlaying);
    this.tell(this.isPlaying ? 'Plays' : 'Paused');
  }

  seek(time) {
    this.isPlaying = false;
    this.setTime(Math.max(0, Math.min(this.clips[0].duration, time)));
    this.stage.change();
  }

  step(frames) {
    const { frames: count, rate } = this.clips[0];
    this.seek((frameOf(this.clips[0], this.time) + frames + count) % count / rate);
  }

  toggleLoop() {
    this.isLooping = !this.isLooping;
    this.part('.loop').setAttribute('aria-pressed', this.isLooping);
    this.tell(this.isLooping ? 'Loop on' : 'Loop off');
  }

  changeSpeed(by) {
    const at = SPEEDS.indexOf(this.speed) + by;
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at))];
    this.part('.speed').value = this.speed;
    this.tell(`Speed ${this.speed}`);
  }

  // ------------------------------------------------------------------ other controls
  toggleBones() {
    this.stage.showsBones = !this.stage.showsBones;
    this.part('.bones').setAttribute('aria-pressed', this.stage.showsBones);
    this.tell(this.stage.showsBones ? 'Bones' : 'Mesh');
    this.stage.change();
  }

  resetCamera() {
    this.stage.camera.reset();
    this.stage.change();
  }

  toggleDrawer(isOpen = !this.root.classList.contains('is-open')) {
    this.root.classList.toggle('is-open', isOpen);
    this.part('.menu').setAttribute('aria-expanded', isOpen);
  }

  /// Opens the list and moves the focus to it. Closing moves the focus back.
  openDrawer() {
    this.toggleDrawer();
    if (this.root.classList.contains('is-open') && this.list.active) this.list.active.focus();
  }

  closeDrawer() {
    const hadFocus = this.part('.drawer').contains(document.activeElement);
    this.toggleDrawer(false);
    if (hadFocus) this.part('.menu').focus();  // if visible: it is hidden beside a permanent drawer
  }

  find() {
    this.toggleDrawer(true);
    this.part('.search').focus();
  }

  help() { this.part('.keys').showModal(); }

  tip(text, x, y) {
    const { style } = Object.assign(this.part('.tip'), { textContent: text });
    style.display = text === '' ? 'none' : 'block';
    if (text !== '') Object.assign(style, { left: `${x + 12}px`, top: `${y + 12}px` });
  }

  async saveGlb() {
    const { item } = this.places[this.places.length - 1];
    const { glb, name } = await this.open(item);
    if (glb) saveAs(`${name}.glb`, new Blob([glb], { type: 'model/gltf-binary' }));
  }

  savePicture() {
    const { item, clip } = this.places[this.places.length - 1];
    this.stage.picture().toBlob((blob) => saveAs(`${this.items[item].name}_${clip}.png`, blob));
  }
}

/// Opens a character or a video for drawing.
/// @param item has `glb` (bytes, or a function that returns them) or `pages` (a function that returns image files)
async function opened(item) {
  if (item.frames) return new Video({ ...item, pages: await item.pages() }).decodeImages();
  const glb = typeof item.glb === 'function' ? await item.glb() : item.glb;
  const character = await new Character(item.name, glb instanceof Uint8Array ? glb : new Uint8Array(glb), item).decodeImages();
  if (!item.clips) item.clips = character.clips.map(({ name, index, frames }) => ({ name, index, frames }));
  return character;
}

window.reanima = { player: (element, options) => new Player(element, options) };
