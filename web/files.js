// Reads files that the user drops or chooses, and saves results.

/// @returns [path, File] of all files in a folder
async function below(entry) {
  if (entry.isFile) return [[entry.fullPath.slice(1), await new Promise((done, failed) => entry.file(done, failed))]];
  const reader = entry.createReader();
  const found = [];
  for (let some; some = await new Promise((done, failed) => reader.readEntries(done, failed)), some.length > 0;)     // returns about 100 entries per call
    found.push(...some);
  return (await Promise.all(found.map(below))).flat();
}

/// @returns [path, File] of all dropped files, and of all files in dropped folders
export async function dropped({ items, files }) {
  const entries = [...items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry()).filter((entry) => entry);
  if (entries.length === 0) return chosen(files);
  return (await Promise.all(entries.map(below))).flat();
}

/// @returns [path, File] of the files chosen in a dialog
export const chosen = (files) => [...files].map((file) => [file.webkitRelativePath || file.name, file]);

const CRCS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; ++bit) crc = crc & 1 ? (crc >>> 1) ^ 0xEDB88320 : crc >>> 1;
  return crc;
});

function crcOf(bytes) {
  let crc = ~0;
  for (const byte of bytes) crc = CRCS[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/// Packs little-endian numbers. @param fields [size in bytes, value] of each number
function packed(fields) {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, value] of fields) {
    view[size === 2 ? 'setUint16' : 'setUint32'](at, value, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}

/// Makes a .zip without compression (PKWARE's APPNOTE 4.3), for less than 4 GB.
function zipOf(files) {
  const VERSION = 20, UTF8 = 0x800, DAY = (40 << 9) | (1 << 5) | 1;     // 1 January 2020, so that equal files give equal bytes
  const parts = [], directory = [];
  let offset = 0, length = 0;
  for (const [path, bytes] of files) {
    const name = new TextEncoder().encode(path);
    const about = [[2, VERSION], [2, UTF8], [2, 0], [2, 0], [2, DAY], [4, crcOf(bytes)], [4, bytes.length], [4, bytes.length], [2, name.length], [2, 0]];
    const head = packed([[4, 0x04034B50], ...about]);
    parts.push(head, name, bytes);
    directory.push(packed([[4, 0x02014B50], [2, VERSION], ...about, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]), name);
    offset += head.length + name.length + bytes.length;
  }
  for (const part of directory) length += part.length;
  return new Blob([...parts, ...directory, packed([[4, 0x06054B50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, length], [4, offset], [2, 0]])]);
}

/// Saves a single file as it is, or several as NAME.zip.
export function save(files, name) {
  const [[path, bytes]] = files;
  const blob = files.length === 1 ? new Blob([bytes], { type: 'application/octet-stream' }) : zipOf(files);
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(blob), download: files.length === 1 ? path.split('/').pop() : `${name}.zip` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
