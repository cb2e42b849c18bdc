// A video: pages of pictures.

class Video {
  /// @param source name, width, height, rate (a fraction), pages (files of images), frames (page, x, y)
  constructor({ name, width, height, rate, pages, frames }) {
    Object.assign(this, { name, width, height, pages, frames });
    const perSecond = rate[0] / rate[1];
    this.clips = [{ name, index: 0, rate: perSecond, duration: (frames.length - 1) / perSecond, frames: frames.length, events: [] }];
  }

  async decodeImages() {
    this.images = await Promise.all(this.pages.map((bytes) => pictureOf(bytes, 'image/png')));
    return this;
  }
}
