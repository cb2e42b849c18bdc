// The page: the user's files, their content, and what the commands make of them.

import { lineOf, run } from './command.js';
import { chosen, dropped, save } from './files.js';
import { List, countOf, rowOfEntry, rowOfFound } from './list.js';
import { Thumbnails } from './thumbnails.js';
import { Stage, pageOf } from './stage.js';

const part = (selector) => document.querySelector(selector);
const FORMS = { character: ['glb', 'vrma', 'bvh', 'anim'], video: ['png', 'glb'] };
const LOOKS_LIKE_RIG = /\.(glb|gltf|vrm|fbx|dae)$/i;
const HOLDS_MORE = /\.(lgp|pak|fs|img|zfs)$/i;
const MOST_PLACES = 20;     // the most files and folders that a command line names

let given = new Map();      // path -> File
let places = [];            // the top-level files and folders that the user dropped
const formats = run(['formats', '--json'], []);
let reading = null;         // AbortController of the current reading of files
let working = null;         // AbortController of the work that the user waits for
let shown = null;           // the row of the list that is shown
let summary = '';           // the number of characters and videos, as text
const results = {};         // for `rig` and `edited`: a function that returns the files to save

const stage = new Stage(part('.first'), part('.second'), stop);
const list = new List(document.body, { open, seen: (row) => thumbnails.want(row) });
const thumbnails = new Thumbnails(() => working === null, () => [...given], (row, address) => list.addThumbnail(row, address));

// ---- Runs

function tell(text) { part('.state').textContent = text; }

/// Shows the output of a command. Errors and warnings are shown unchanged.
function report(text, isBad) {
  const said = part('.said');
  said.hidden = text === '';
  said.textContent = text;
  said.classList.toggle('is-bad', isBad);
}

function stop() {
  for (const work of [working, reading]) if (work) work.abort(new Error('stopped'));
}

/// Shows what is being done, and for how many seconds. @returns a function that ends this and shows a last text
function during(what) {
  const began = performance.now();
  const say = () => tell(`${what} ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const clock = setInterval(say, 1000);
  tell(`${what}…`);
  part('.stop').hidden = false;
  return (text) => {
    clearInterval(clock);
    tell(text);
    part('.stop').hidden = !(reading || working);
  };
}

/// Runs work that the user waits for, and aborts earlier work. @param act the work; gets an AbortSignal
async function wait(what, act) {
  if (working) working.abort(new Error('stopped'));
  const own = working = new AbortController();
  const end = during(what);
  try {
    await act(own.signal);
  } catch (error) {
    if (!own.signal.aborted) report(`${error.message}\n`, true);
  } finally {
    if (working === own) working = null;
    end(own.signal.aborted ? 'Stopped' : summary);
  }
}

/// Runs a command, and shows its command line and output. @throws Error with its errors if it fails without any output file
async function command(words, signal, files = given) {
  part('.words').textContent = lineOf(words);
  const outcome = await run(words, [...files], { signal });
  report(outcome.errors + (outcome.output.startsWith('{') ? '' : outcome.output), outcome.status !== 0);
  if (outcome.status !== 0 && outcome.files.length === 0) throw new Error((outcome.errors || 'failed').trimEnd());
  return outcome;
}

// ---- What is in the files

async function read(words, signal) {
  const outcome = await run(words, [...given], { signal });
  try {
    return [JSON.parse(outcome.output), outcome.errors];
  } catch {
    return [null, outcome.errors];
  }
}

/// The paths of all archives among the user's files, at any depth.
async function archivesIn(signal) {
  const [folder] = await read(['list', '.', '--json'], signal);
  const known = new Set(JSON.parse((await formats).output).map(({ id }) => id));     // ids of formats that are not archives
  return folder ? folder.entries.filter(({ type }) => type && !known.has(type)).map(({ name }) => name) : [];
}

/// Adds the entries of archives to the list, and then the characters and videos that `find` reports.
async function readAll(within, archives, signal) {
  const rows = [];
  for (const archive of archives) {
    const [content] = await read(['list', archive, '--json'], signal);
    if (content) rows.push(...content.entries.map((entry) => rowOfEntry(archive, entry)));
  }
  list.add(rows);
  const named = rows.find(({ isNamed }) => isNamed);
  if (named && !shown) list.choose(named);
  const words = ['find', '*', ...within];
  if (!shown) part('.words').textContent = lineOf(words);
  const [answer, errors] = await read([...words, '--json'], signal);
  const found = answer ? answer.found.filter(({ kind }) => kind !== 'clip').map(rowOfFound) : [];
  list.add(found);
  const videos = list.rows.filter(({ isVideo }) => isVideo).length;
  summary = `${countOf(list.rows.filter(({ isRaw }) => !isRaw).length - videos, 'character')}, ${countOf(videos, 'video')}`;
  const failed = /^reanima: /m.test(errors);
  if (!shown) report(errors, failed);
  if (found.length > 0 && !failed && !shown) list.choose(list.rows[0]);
}

/// Aborts an earlier reading and starts this one. @param act reads the files; gets an AbortSignal
async function reads(act) {
  if (reading) reading.abort(new Error('stopped'));
  const own = reading = new AbortController();
  const end = during('Reading');
  try {
    await act(own.signal);
  } catch (error) {
    if (!own.signal.aborted) report(`${error.message}\n`, true);
  } finally {
    if (reading === own) reading = null;
    end(own.signal.aborted ? 'Stopped' : summary);
  }
}

async function take(files) {
  if (files.length === 0) return;
  stop();
  given = new Map(files);
  places = [...new Set(files.map(([path]) => path.split('/')[0]))];
  shown = null;
  document.body.className = 'shows-list';
  stage.clear();
  list.clear();
  report('', false);
  await reads(async (signal) => {
    thumbnails.begin(signal);
    await readAll(places.length > MOST_PLACES ? ['.'] : places, await archivesIn(signal), signal);
  });
}

// ---- One character

const nameOf = ({ name }) => name.replace(/[^\w.-]+/g, '_');

function fillForms({ isVideo }) {
  part('.form').replaceChildren(...FORMS[isVideo ? 'video' : 'character'].map((form) => new Option(form === 'png' ? 'frames as .png' : `.${form}`, form)));
}

function open(row) {
  if (row.isRaw && HOLDS_MORE.test(row.path)) return reads((signal) => readAll([row.path], [row.path], signal));
  document.body.classList.remove('shows-list');
  shown = row;
  fillForms(row);
  for (const kind of ['rig', 'edited']) offer(kind, null);
  return wait(`Opening ${row.name}`, async (signal) => {
    await stage.show(pageOf(await command(['preview', ...row.words, '-o', `${nameOf(row)}.html`], signal)), row.name);
  });
}

/// Shows or hides a save button. @param make returns the files to save; null: nothing can be saved
function offer(kind, make) {
  results[kind] = make;
  part(`.${kind} .save-result`).hidden = !make;
}

function saveShown() {
  if (!shown) return;
  const form = part('.form').value;
  const name = nameOf(shown);
  const words = form === 'png' ? ['frames', ...shown.words, '-o', `${name}_png/`]
    : form === 'glb' ? ['convert', ...shown.words, '-o', `${name}.glb`] : ['convert', ...shown.words, '--as', form, '-o', `${name}_${form}/`];
  wait(`Saving ${shown.name}`, async (signal) => save((await command(words, signal)).files, name));
}

function saveAll() {
  const form = part('.form').value;
  const videos = list.rows.filter(({ isVideo }) => isVideo).map(({ path }) => path);
  const words = form === 'png' ? ['frames', ...videos, '-o', 'all/'] : ['convert', ...places, ...(form === 'glb' ? [] : ['--as', form]), '-o', 'all/'];
  wait('Saving all', async (signal) => save((await command(words, signal)).files, 'all'));
}

/// Binds the motion to a rig. Shows the report, and both figures side by side. Offers the new file for saving.
function bind(files) {
  const rig = files.map(([path]) => path).find((path) => LOOKS_LIKE_RIG.test(path));
  if (!rig || !shown) return;
  const row = shown;
  const all = new Map([...given, ...files]);
  wait(`Binding ${row.name} to ${rig}`, async (signal) => {
    const { output, errors } = await command(['bind', ...row.words, '-s', rig], signal, all);
    const words = ['convert', ...row.words, '-s', rig, '-o', `${nameOf(row)}_on_${rig.replace(/\.(gltf|fbx|dae)$/i, '.glb')}`];
    await stage.showBeside(pageOf(await command(['preview', ...row.words, '-s', rig, '-o', `${nameOf(row)}.html`], signal, all)), rig);
    report(output + errors, false);
    part('.words').textContent = lineOf(words);
    offer('rig', async (own) => (await command(words, own, all)).files);
  });
}

/// The file that an edited .glb is encoded into: the archive if its kind can be written, else the entry.
const targetOf = ({ path }) => /^[^:]*\.lgp:/i.test(path) ? path.slice(0, path.indexOf(':')) : path;

function bringBack(files) {
  const edited = files.map(([path]) => path).find((path) => LOOKS_LIKE_RIG.test(path));
  if (!edited || !shown) return;
  const row = shown;
  const target = targetOf(row);
  const all = new Map([...given, ...files]);
  wait(`Comparing ${edited}`, async (signal) => {
    const changes = await command(['encode', edited, '--into', target], signal, all);
    const outcome = await command(['encode', edited, '--into', target, '-o', `new/${target.split(/[/:]/).pop()}`], signal, all);
    const [[, bytes]] = outcome.files;
    const line = part('.words').textContent;
    if (given.has(target)) {
      const page = await command(['preview', ...row.words, '-o', `${nameOf(row)}.html`], signal, new Map([...given, [target, new Blob([bytes])]]));
      await stage.showBeside(pageOf(page), `${row.name}, with ${edited}`);
    }
    report(changes.output + changes.errors + outcome.errors, false);
    part('.words').textContent = line;
    offer('edited', () => outcome.files);
  });
}

// ---- The page's controls

function choose(use, isFolder) {
  const picker = part('.picker');
  Object.assign(picker, { value: '', webkitdirectory: Boolean(isFolder), onchange: () => use(chosen(picker.files)) });
  picker.click();
}

const ZONES = { rig: bind, edited: bringBack };

function zoneOf(target) {
  const zone = target.closest && target.closest('.zone');
  return zone && Object.keys(ZONES).find((kind) => zone.classList.contains(kind));
}

function mark(event) {
  event.preventDefault();
  document.body.classList.toggle('is-over', event.type === 'dragover');
  for (const zone of document.querySelectorAll('.zone')) zone.classList.toggle('is-target', event.type === 'dragover' && zone.contains(event.target));
}

async function drop(event) {
  mark(event);
  const kind = zoneOf(event.target);
  const files = await dropped(event.dataTransfer);
  const isRig = shown && files.length > 0 && files.every(([path]) => LOOKS_LIKE_RIG.test(path));
  if (kind) ZONES[kind](files);
  else if (isRig) bind(files);
  else take(files);
}

async function copy() {
  getSelection().selectAllChildren(part('.words'));
  if (navigator.clipboard) await navigator.clipboard.writeText(part('.words').textContent);
  else document.execCommand('copy');      // no clipboard on a server without encryption
  tell('Copied');
}

function key(event) {
  if (event.key === 'Escape') stop();
  else if (event.target.matches('input, select, button, pre') || event.ctrlKey || event.metaKey || event.altKey) return;
  else if (event.key === '/') part('.search').focus();
  else if (!stage.key(event)) return;
  event.preventDefault();
}

function listen(selector, act) {
  for (const element of document.querySelectorAll(selector)) element.addEventListener('click', act);
}

listen('.choose-files', () => choose(take));
listen('.choose-folder', () => choose(take, 'folder'));
listen('.choose-rig', () => choose(bind));
listen('.choose-edited', () => choose(bringBack));
listen('.save', saveShown);
listen('.save-all', saveAll);
listen('.save-result', ({ target }) => {
  const kind = zoneOf(target);
  wait('Saving', async (signal) => save(await results[kind](signal), nameOf(shown)));
});
listen('.copy', copy);
listen('.stop', stop);
listen('.list-toggle', ({ target }) => target.setAttribute('aria-expanded', document.body.classList.toggle('shows-list')));
for (const type of ['dragover', 'dragleave']) document.addEventListener(type, mark);
document.addEventListener('drop', drop);
document.addEventListener('keydown', key);
window.reanima = { run, stage, list };      // for use in the browser's console
formats.catch((error) => tell(error.message));
