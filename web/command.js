// Runs commands. Each run has its own worker, which ends with the run.

const inPage = (id) => document.getElementById(id);      // an element that a page in a single file contains, otherwise null

async function bytesOf(source) {
  const packed = Uint8Array.from(atob(source.textContent), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

async function loaded(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} can't be loaded: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

const program = (async () => WebAssembly.compile(await (inPage('program') ? bytesOf(inPage('program')) : loaded('reanima.wasm'))))();
const script = inPage('worker') ? URL.createObjectURL(new Blob([inPage('worker').textContent], { type: 'text/javascript' })) : 'worker.js';
let waiting = new Worker(script);       // the worker of the next run
const short = new WeakMap();            // File -> short reads of all runs

/// @param words the command line after `reanima`
/// @param files [path, Blob] of all files that the command can read
/// @param options `signal`: AbortSignal for the run; `said`: called with parts of the error output during the run
/// @returns a promise of { status, output, errors, files: [path, bytes] }; after a crash, the status is null
export async function run(words, files, { signal, said = () => {} } = {}) {
  if (signal && signal.aborted) throw signal.reason;
  const worker = waiting;
  waiting = new Worker(script);
  const outcome = new Promise((done, failed) => {
    worker.onmessage = ({ data }) => data.said === undefined ? done(data) : said(data.said);
    worker.onerror = () => failed(new Error('the command can\'t be loaded'));
    if (signal) signal.addEventListener('abort', () => failed(signal.reason));
  });
  try {
    worker.postMessage({ program: await program, words, files: files.map(([path, blob]) => [path, blob, short.get(blob) || new Map()]) });
    const { short: reads = [], ...result } = await outcome;
    reads.forEach((read, i) => short.set(files[i][1], read));
    return result;
  } finally {
    worker.terminate();
  }
}

/// The command line in a form that a shell accepts.
export function lineOf(words) {
  const quoted = (word) => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  return ['reanima', ...words].map(quoted).join(' ');
}
