#!/usr/bin/env node
// The command as WebAssembly with the files of this machine, for tests of the command.
//
//   web_command.js WORD...      runs one command line, as the native command does
//   web_command.js --each       runs those of standard input, each a line of JSON: {"words": [...], "folder": "..."}. Prints a
//                               line of JSON for each: {"status", "output", "errors"}; the status of a crash is null
const fs = require('fs');
const path = require('path');
const readline = require('readline');

const BUILD = path.join(__dirname, '..', '..', 'build');
const reanimaCommand = require(path.join(BUILD, 'wasm', 'reanima.js'));
const program = new WebAssembly.Module(fs.readFileSync(path.join(BUILD, 'wasm', 'reanima.wasm')));
const OWN = ['dev', 'proc', 'sys', 'names'];     // folders that are not this machine's

function mountAll({ FS }) {
  const folders = fs.readdirSync('/', { withFileTypes: true }).filter((each) => each.isDirectory() && !OWN.includes(each.name));
  for (const [place, root] of [...folders.map(({ name }) => [`/${name}`, `/${name}`]), ['/names', path.join(BUILD, 'web', 'names')]]) {
    FS.createPath('/', place);
    FS.mount(FS.filesystems.NODEFS, { root }, place);
  }
}

/// @param streams what is read from 0, and functions that take bytes of 1 and 2
async function run(words, folder, streams) {
  const command = await reanimaCommand({
    noInitialRun: true,
    thisProgram: 'reanima',
    stdin: () => null,
    stdout: () => {},
    stderr: () => {},
    quit: (status, thrown) => { throw thrown; },
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(program, imports).then(done);
      return {};
    } });
  const { FS } = command;
  mountAll(command);
  FS.chdir(folder);
  const change = (number, operations) => { FS.streams[number].stream_ops = { ...FS.streams[number].stream_ops, ...operations }; };
  change(0, { read: (stream, buffer, offset, length) => streams[0](buffer, offset, length) });
  for (const number of [1, 2])
    change(number, { write(stream, buffer, offset, length) { streams[number](Buffer.from(buffer.buffer, buffer.byteOffset + offset, length)); return length; } });
  return command.callMain(words);
}

function readStandardInput(buffer, offset, length) {
  for (;;) {
    try {
      return fs.readSync(0, buffer, offset, length, null);
    } catch (error) {
      if (error.code === 'EOF') return 0;
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

function writeAll(descriptor, bytes) {
  for (let done = 0; done < bytes.length;) {
    try {
      done += fs.writeSync(descriptor, bytes, done);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

async function runEach() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { words, folder } = JSON.parse(line);
    const said = [[], [], []];
    const keep = (number) => (bytes) => said[number].push(Buffer.from(bytes));
    let status = null;
    try {
      status = await run(words, folder, [() => 0, keep(1), keep(2)]);
    } catch (error) {
      said[2].push(Buffer.from(`${error.stack || error}`));
    }
    const [, output, errors] = said.map((parts) => Buffer.concat(parts).toString());
    writeAll(1, Buffer.from(`${JSON.stringify({ status, output, errors })}\n`));
  }
}

async function runOne() {
  try {
    process.exitCode = await run(process.argv.slice(2), process.cwd(), [readStandardInput, (bytes) => writeAll(1, bytes), (bytes) => writeAll(2, bytes)]);
  } catch (error) {
    console.error(error);
    process.abort();        // a crash, as the native command's would be
  }
}

if (process.argv[2] === '--each') runEach();
else runOne();
