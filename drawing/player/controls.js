// The elements of a player, and its keys.

const MARKUP = `
<aside class="drawer" aria-label="Characters and clips">
<input class="search" type="search" placeholder="Search" aria-label="Search characters and clips">
<ol class="rows" role="listbox" aria-label="Characters and clips"></ol>
</aside>
<section class="view" aria-label="Player">
<div class="stage" role="img" aria-label="Nothing is shown"><canvas class="paper" aria-hidden="true"></canvas><canvas class="meshes" aria-hidden="true"></canvas></div>
<footer>
<div class="buttons">
<button class="play" title="Play or pause (space)">Play</button>
<button class="back" title="One frame back (left arrow)" aria-label="One frame back">&#9664;&#xfe0e;</button>
<button class="forward" title="One frame forward (right arrow)" aria-label="One frame forward">&#9654;&#xfe0e;</button>
</div>
<div class="track"><input class="scrub" type="range" min="0" max="1" step="any" value="0" aria-label="Time"><div class="events"></div></div>
<output class="clock" aria-live="off"></output>
<div class="buttons more">
<button class="menu" title="Characters and clips" aria-expanded="false">List</button>
<button class="loop" title="Loop on or off (l)" aria-pressed="true">Loop</button>
<select class="speed" aria-label="Speed" title="Speed (+ and -)"></select>
<button class="bones" title="Bones or mesh (b)" aria-pressed="false">Bones</button>
<button class="compare" title="Keep this clip and show another beside it, in step (c)" aria-pressed="false">Compare</button>
<button class="save-glb" title="Save this character as .glb (s)" aria-label="Save this character as .glb">.glb</button>
<button class="save-png" title="Save this picture as .png (p)" aria-label="Save this picture as .png">.png</button>
<button class="help" title="Keys (?)" aria-label="Keys">?</button>
</div>
</footer>
</section>
<p class="trouble" role="alert"></p>
<div class="tip" aria-hidden="true"></div>
<p class="said" role="status" aria-live="polite"></p>
<dialog class="keys" aria-label="Keys"><table></table><form method="dialog"><button>Close</button></form></dialog>`;

const SPEEDS = [0.1, 0.25, 0.5, 1, 2];

/// Keys, their descriptions, and the player's functions. Keys without a function are handled by the page's elements.
const KEYS = [
  ['space', 'play or pause', [' '], (player) => player.toggle()],
  ['\u2190 \u2192', 'one frame back or forward', ['ArrowLeft', 'ArrowRight'], (player, key) => player.step(key === 'ArrowLeft' ? -1 : 1)],
  ['\u2191 \u2193', 'in the list: the row before or after'],
  ['Home End', 'in the list: the first or last row; elsewhere: the beginning or end of the clip', ['Home', 'End'],
   (player, key) => player.seek(key === 'Home' ? 0 : Infinity)],
  ['Enter', 'in the list: shows the row'],
  ['[ ]', 'the clip before or after', ['[', ']'], (player, key) => player.turnPage(key === '[' ? -1 : 1)],
  ['/', 'search', ['/'], (player) => player.find()],
  ['l', 'loop on or off', ['l'], (player) => player.toggleLoop()],
  ['+ \u2212', 'faster or slower', ['+', '-'], (player, key) => player.changeSpeed(key === '+' ? 1 : -1)],
  ['b', 'bones or mesh', ['b'], (player) => player.toggleBones()],
  ['c', 'keeps this clip and shows another beside it', ['c'], (player) => player.toggleCompare()],
  ['0', 'looks from the front again', ['0'], (player) => player.resetCamera()],
  ['s p', 'saves this character as .glb, this picture as .png', ['s', 'p'], (player, key) => key === 's' ? player.saveGlb() : player.savePicture()],
  ['?', 'shows these keys', ['?'], (player) => player.help()],
];

function fillKeys(table) {
  table.append(...KEYS.map(([keys, meaning]) => {
    const row = document.createElement('tr');
    row.append(...[keys, meaning].map((text) => Object.assign(document.createElement('td'), { textContent: text })));
    return row;
  }));
}

/// Calls the function of a key. True if it has one.
function actOn(player, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { tagName, type } = event.target;
  if ((tagName === 'INPUT' && type === 'search') || tagName === 'SELECT') return false;
  if (tagName === 'BUTTON' && event.key === ' ') return false;
  const row = KEYS.find(([, , keys]) => keys && keys.includes(event.key));
  if (row) row[3](player, event.key);
  return Boolean(row);
}

/// Lets the user save bytes as a file.
function saveAs(name, blob) {
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(blob), download: name.replace(/[^\w.-]+/g, '_') });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
