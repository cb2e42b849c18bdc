// Runs one command. The build adds TABLES and reanimaCommand() before this. The latter creates an instance of the program.
/* global TABLES, reanimaCommand */

const FOLDER = '/files';    // folder of the user's files and of the command's outputs
const BLOCK = 1 << 21;      // bytes per read, even if the program requests fewer: reads of any size take a millisecond
const MOST_BLOCKS = 4;
const SHORT = 1100, MOST_SHORT = 20000;     // MOST_SHORT reads of up to SHORT bytes are kept for later runs, which read the same headers

/// A file of the user that is read by ranges, so that it need not fit in memory.
class RangedFile {
  /// @param short what earlier runs have read: offset and size -> bytes as a text
  constructor(blob, short) { Object.assign(this, { blob, short, reader: new FileReaderSync(), blocks: new Map() }); }

  bytes(from, to) { return new Uint8Array(this.reader.readAsArrayBuffer(this.blob.slice(from, to))); }

  block(number) {
    let block = this.blocks.get(number);
    this.blocks.delete(number);
    block ||= this.bytes(number * BLOCK, (number + 1) * BLOCK);
    this.blocks.set(number, block);      // moves the block to the end: the first one was unused for longest
    if (this.blocks.size > MOST_BLOCKS) this.blocks.delete(this.blocks.keys().next().value);
    return block;
  }

  read(into, from) {
    const key = from * (SHORT + 1) + into.length;
    const known = into.length <= SHORT && this.short.get(key);
    if (known) for (let i = 0; i < into.length; ++i) into[i] = known.charCodeAt(i);
    else if (into.length >= BLOCK) into.set(this.bytes(from, from + into.length));
    else this.readBlocks(into, from);
    if (!known && into.length <= SHORT && this.short.size < MOST_SHORT) this.short.set(key, String.fromCharCode(...into));
  }

  readBlocks(into, from) {
    for (let done = 0; done < into.length;) {
      const at = from + done;
      const part = this.block(Math.floor(at / BLOCK)).subarray(at % BLOCK, at % BLOCK + into.length - done);
      into.set(part, done);
      done += part.length;
    }
  }
}

function addFile({ FS }, path, blob, short) {
  const cut = path.lastIndexOf('/');
  const folder = cut < 0 ? FOLDER : FS.createPath(FOLDER, path.slice(0, cut));
  const { WORKERFS } = FS.filesystems;
  const node = WORKERFS.createNode(FS.lookupPath(folder).node, path.slice(cut + 1), WORKERFS.FILE_MODE, 0, blob, blob.lastModified && new Date(blob.lastModified));
  const file = new RangedFile(blob, short);
  const read = (stream, buffer, offset, length, position) => {
    const size = Math.max(0, Math.min(length, blob.size - position));
    file.read(new Uint8Array(buffer.buffer, buffer.byteOffset + offset, size), position);
    return size;
  };
  Object.assign(node, { stream_ops: { ...WORKERFS.stream_ops, read }, isGiven: true });
}

function fetched(address) {
  const request = new XMLHttpRequest();
  request.open('GET', address, false);
  request.responseType = 'arraybuffer';
  request.send();
  return new Uint8Array(request.response);
}

/// Adds the tables of names. Each is loaded when the program opens it.
function addTables({ FS }) {
  for (const [name, text] of Object.entries(TABLES)) {
    const [folder, file] = name.split('/');
    const node = FS.createFile(FS.createPath('/', `names/${folder}`), file, {}, true, false);
    let bytes;
    const load = () => bytes ||= text ? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)) : fetched(`names/${name}`);
    Object.defineProperties(node, { contents: { get: load }, usedBytes: { get: () => load().length } });
  }
}

/// Collects the program's output to a stream. @returns a function that returns it as text
function heard({ FS }, number, tell) {
  const parts = [];
  FS.streams[number].stream_ops = { ...FS.streams[number].stream_ops, write(stream, buffer, offset, length) {
    parts.push(buffer.slice(offset, offset + length));
    if (tell) tell(new TextDecoder().decode(parts[parts.length - 1]));
    return length;
  } };
  return async () => new Blob(parts).text();
}

/// Lists the files that the program has written: [path, bytes].
function outputsIn({ FS }, folder) {
  return Object.entries(FS.lookupPath(folder).node.contents).flatMap(([name, node]) => {
    const path = `${folder}/${name}`;
    if (FS.isDir(node.mode)) return outputsIn({ FS }, path);
    return node.isGiven ? [] : [[path.slice(FOLDER.length + 1), FS.readFile(path)]];
  });
}

async function outcomeOf({ program, words, files }) {
  const command = await reanimaCommand({
    noInitialRun: true,
    thisProgram: 'reanima',
    stdin: () => null, stdout: () => {}, stderr: () => {},
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(program, imports).then(done);
      return {};
    } });
  command.FS.createPath('/', FOLDER);
  command.FS.chdir(FOLDER);
  addTables(command);
  for (const file of files) addFile(command, ...file);
  const output = heard(command, 1);
  const errors = heard(command, 2, (said) => self.postMessage({ said }));
  const status = command.callMain(words);
  return { status, output: await output(), errors: await errors(), files: outputsIn(command, FOLDER), short: files.map(([, , reads]) => reads) };
}

self.onmessage = async ({ data }) => {
  try {
    const outcome = await outcomeOf(data);
    self.postMessage(outcome, outcome.files.map(([, bytes]) => bytes.buffer));
  } catch (error) {
    self.postMessage({ status: null, output: '', errors: `reanima: ended unexpectedly: ${error.message || error}\n`, files: [] });
  }
};
