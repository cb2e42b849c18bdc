// The page of `preview`, with its data, or with data that is loaded on demand.

/// The blocks of a page. They are in the page, or in scripts of a folder beside it.
class Blocks {
  constructor({ parts, folder }) {
    Object.assign(this, { parts, folder, taken: [], loading: new Map() });
    this.texts = document.querySelectorAll('script[type="text/plain"]');
  }

  async of(number) {
    if (this.parts) {
      await this.load(this.parts[number]);
      return bytesOfText(this.taken[number]);
    }
    return bytesOfText(this.texts[number].textContent);
  }

  take(number, text) { this.taken[number] = text; }

  load(part) {
    if (!this.loading.has(part))
      this.loading.set(part, new Promise((done, failed) => {
        const script = Object.assign(document.createElement('script'), { src: `${encodeURIComponent(this.folder)}/part${part}.js`, charset: 'utf-8', onload: done });
        script.onerror = () => failed(new Error(`part${part}.js of the folder ${this.folder} is missing`));
        document.head.append(script);
      }));
    return this.loading.get(part);
  }
}

function startPage(source) {
  const data = JSON.parse(source.textContent);
  const blocks = new Blocks(data);
  window.reanima.take = (number, text) => blocks.take(number, text);
  const blockOf = (number) => blocks.of(number);
  const items = data.items.map(({ glb, pages, ...item }) => ({
    ...item,
    glb: glb && (() => unpackedGlb(glb, blockOf)),
    pages: pages && (() => Promise.all(pages.map(async (number) => unpacked(await blockOf(number))))) }));
  document.title = data.title;
  window.reanima.page = window.reanima.player(document.body, { items, keepsAddress: true });
}

const source = document.getElementById('data');
if (source) startPage(source);
