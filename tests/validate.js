// Runs the Khronos validator over every .glb and .gltf below these folders.
//
//     node validate.js FOLDER...
//
// Prints every error and warning. The exit status is 1 if there is one, or if no file was found.
'use strict';
const fs = require('fs');
const path = require('path');
const validator = require('gltf-validator');

function filesBelow(folder) {
  return fs.readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(full);
      return /\.(glb|gltf)$/.test(entry.name) ? [full] : [];
    });
}

async function main() {
  const files = process.argv.slice(2).flatMap(filesBelow);
  let bad = 0;
  for (const file of files) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
      uri: path.basename(file),
      maxIssues: 0,
      externalResourceFunction: (uri) =>
        Promise.resolve(new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri))))),
    });
    const found = report.issues.messages.filter((m) => m.severity <= 1);  // 0 error, 1 warning
    if (found.length === 0) continue;
    bad += 1;
    for (const m of found.slice(0, 5)) console.log(`${file}: ${m.code} ${m.pointer || ''}: ${m.message}`);
  }
  console.log(`${files.length} files, ${bad} with errors or warnings`);
  process.exitCode = files.length === 0 || bad > 0 ? 1 : 0;
}

main();
