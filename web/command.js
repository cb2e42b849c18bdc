// The command: each run has a worker of its own, which ends with it.

const inPage = (id) => document.getElementById(id);      // what a page in one file holds, else null

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
let waiting = new Worker(script);       // the next run's

/// @param words of the command line, after `reanima`
/// @param files [path, Blob] that it can read
/// @param options `signal`: ends the run; `said`: is told what the command says meanwhile
/// @returns a promise of { status, output, errors, files: [path, bytes] }; the status of a crash is null
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
    worker.postMessage({ program: await program, words, files });
    return await outcome;
  } finally {
    worker.terminate();
  }
}

/// A command line to be copied into a shell.
export function lineOf(words) {
  const quoted = (word) => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  return ['reanima', ...words].map(quoted).join(' ');
}
