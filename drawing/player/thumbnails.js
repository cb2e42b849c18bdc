// Small pictures of characters for the list. They are made one by one while the browser is idle.

const THUMBNAIL = 40;  // width and height in pixels of the page

class Thumbnails {
  /// @param load returns the character of an item, @param drop frees it
  constructor(stage, load, drop) {
    Object.assign(this, { stage, load, drop, made: new Map(), waiting: [], isBusy: false });
    this.watcher = new IntersectionObserver((rows) => {
      for (const { target, isIntersecting } of rows) if (isIntersecting) this.want(target);
    });
  }

  /// A canvas for an item. It is filled when it becomes visible.
  canvasOf(item) {
    const known = this.made.get(item);
    if (known) return known;
    const size = THUMBNAIL * this.stage.ratio;
    const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size, item });
    canvas.setAttribute('aria-hidden', 'true');
    this.made.set(item, canvas);
    this.watcher.observe(canvas);
    return canvas;
  }

  want(canvas) {
    this.watcher.unobserve(canvas);
    this.waiting.push(canvas);
    if (!this.isBusy) this.work();
  }

  async work() {
    this.isBusy = true;
    while (this.waiting.length > 0) {
      await new Promise((done) => (window.requestIdleCallback || setTimeout)(done));
      const canvas = this.waiting.shift();
      this.draw(canvas, await this.load(canvas.item));
      this.drop(canvas.item);
    }
    this.isBusy = false;
  }

  draw(canvas, shown) {
    const { width, height } = canvas;
    const paper = new Paper(canvas);
    const [clip] = shown.clips;  // any clip will do: the picture shows the character
    if (!shown.joints) {
      paper.drawVideo(shown, 0, { left: 0, width, height });
      return;
    }
    const box = boxAt(shown, clip);
    const view = new Camera().viewOf(box, box.radius(), shown.basis, 0, width, height);
    const pose = shown.poseAt(clip, 0);
    const { renderer } = this.stage;
    if (!renderer.isReady || shown.surfaces.length === 0) {
      paper.drawBones(shown, pose, view, 1);
      return;
    }
    renderer.clear();
    renderer.draw(shown, pose, view);
    paper.context.drawImage(renderer.canvas, 0, 0, width, height, 0, 0, width, height);
    this.stage.draw();
  }
}

/// The box around a character at the beginning of a clip.
function boxAt(shown, clip) {
  return shown.extent({ ...clip, duration: 0 });
}
