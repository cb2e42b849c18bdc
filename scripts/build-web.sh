#!/usr/bin/env bash
# Builds the command as WebAssembly on Debian 12, and the page that runs it.
#
#   scripts/build-web.sh                       build/web/ for a web server, and build/web/reanima.html, which works without one
#   scripts/build-web.sh --output FOLDER
#
# `scripts/setup.sh --web` installs what it needs. See docs/browser.md.
set -euo pipefail
cd "$(dirname "$0")/.."

output=build/web
while [ $# -gt 0 ]; do
    case $1 in
        --output) output=$2; shift 2 ;;
        *) echo "build-web: unknown option $1" >&2; exit 2 ;;
    esac
done

cmake --preset web >&2
cmake --build --preset web --target reanima >&2

rm -rf "$output"
mkdir -p "$output"
cp web/*.html web/*.css web/*.js "$output"
cp build/wasm/reanima.wasm LICENSE THIRD_PARTY.md "$output"
cp /usr/share/doc/emscripten/copyright "$output/THIRD_PARTY-compiler.txt"    # for the linked libraries
for table in formats/*/names/*.csv; do
    game=$(basename "${table%/names/*}")
    mkdir -p "$output/names/$game"
    gzip -9nc "$table" >"$output/names/$game/$(basename "$table" .csv).gz"
done
python3 - "$output" <<'PYTHON'
import base64, gzip, json, os, re, sys
folder, = sys.argv[1:]
def text(*parts):
    with open(os.path.join(folder, *parts), encoding='utf-8') as file:
        return file.read()
def write(name, content):
    with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
        file.write(content)
    return content
def encoded(data):
    return base64.b64encode(data).decode()
def data(*parts):
    with open(os.path.join(folder, *parts), 'rb') as file:
        return file.read()

with open('build/wasm/reanima.js', encoding='utf-8') as file:
    program = file.read()
tables = sorted('%s/%s' % (game, name) for game in os.listdir(os.path.join(folder, 'names')) for name in os.listdir(os.path.join(folder, 'names', game)))
worker = text('worker.js')
def with_tables(content):
    return 'const TABLES = %s;\n%s\n%s' % (json.dumps(content), program, worker)
write('worker.js', with_tables(dict.fromkeys(tables, '')))

# One file: all modules, each after the modules that it imports.
def in_page(kind, name, content):
    return '<script type="%s" id="%s">\n%s\n</script>\n' % (kind, name, content.replace('</script', '<\\/script'))
modules = '\n'.join(re.sub(r'^import .*;\n', '', re.sub(r'^export ', '', text(name + '.js'), flags=re.M), flags=re.M)
                    for name in ('command', 'files', 'list', 'stage', 'thumbnails', 'app'))
parts = {'<link rel="stylesheet" href="style.css">': '<style>\n%s</style>' % text('style.css'),
         '<script type="module" src="app.js"></script>': '',
         '</body>': in_page('text/plain', 'licences', '\n'.join(map(text, ('LICENSE', 'THIRD_PARTY.md', 'THIRD_PARTY-compiler.txt'))))
                    + in_page('text/plain', 'program', encoded(gzip.compress(data('reanima.wasm'), 9, mtime=0)))
                    + in_page('text/plain', 'worker', with_tables({name: encoded(data('names', name)) for name in tables}))
                    + in_page('module', 'page', modules) + '</body>'}
page = text('index.html')
for mark, content in parts.items():
    assert page.count(mark) == 1, mark
    page = page.replace(mark, content)
write('reanima.html', page)
for name in ('reanima.wasm', 'worker.js', 'reanima.html'):
    print('build-web: %s, %.2f MB, %.2f MB packed' % (name, len(data(name)) / 1e6, len(gzip.compress(data(name), 9)) / 1e6), file=sys.stderr)
PYTHON
