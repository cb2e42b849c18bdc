#!/usr/bin/env bash
# Builds the command for Windows (x86-64) on Debian, as a single file without dependencies, and zips it.
#
#   scripts/build-windows.sh                      build/windows/reanima.exe and build/reanima-VERSION-windows-x64.zip
#   scripts/build-windows.sh --output ZIP
#
# `scripts/setup.sh --windows` installs what it needs. See docs/windows.md.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^project(reanima VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
output=build/reanima-$version-windows-x64.zip
while [ $# -gt 0 ]; do
    case $1 in
        --output) output=$2; shift 2 ;;
        *) echo "build-windows: unknown option $1" >&2; exit 2 ;;
    esac
done

cmake --preset windows >&2
cmake --build --preset windows --target reanima >&2
exe=build/windows/reanima.exe

# These two are part of every Windows.
others=$(x86_64-w64-mingw32-objdump -p $exe | sed -n 's/^\s*DLL Name: //p' | grep -vixE 'kernel32\.dll|msvcrt\.dll|shell32\.dll' || true)
if [ -n "$others" ]; then
    echo "build-windows: $exe needs" $others >&2
    exit 1
fi

mkdir -p "$(dirname "$output")"
python3 - "$output" "$exe" "reanima-$version-windows-x64" <<'PYTHON'
import os, sys, zipfile
output, exe, folder = sys.argv[1:]
def text(path):                                         # editors on Windows expect CR LF
    with open(path, 'rb') as file:
        return file.read().replace(b'\n', b'\r\n')
with open(exe, 'rb') as file:
    files = {'reanima.exe': file.read()}
files['LICENSE.txt'] = text('LICENSE')
files['README.txt'] = text('docs/windows.md')
files['command.md'] = text('docs/command.md')          # the previous page refers to it
files['THIRD_PARTY.txt'] = text('THIRD_PARTY.md')
linked = ('mingw-w64-common', 'gcc-mingw-w64-x86-64-posix-runtime')    # the compiler's own libraries
files['THIRD_PARTY-compiler.txt'] = b'\r\n'.join(text('/usr/share/doc/%s/copyright' % package) for package in linked)
with zipfile.ZipFile(output + '.part', 'w', zipfile.ZIP_DEFLATED) as archive:
    for name, content in files.items():
        entry = zipfile.ZipInfo(folder + '/' + name, (2020, 1, 1, 0, 0, 0))   # the same bytes every time
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, content)
os.replace(output + '.part', output)
print('build-windows: %s, %.1f MB' % (output, os.path.getsize(output) / 1e6), file=sys.stderr)
PYTHON
