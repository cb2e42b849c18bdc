#!/usr/bin/env bash
# Makes the zip of the Blender add-on, with executables of the command.
#
#   scripts/build-addon.sh                                   builds the command for this machine, with few libraries, and
#                                                            for Windows if `scripts/setup.sh --windows` was run
#   scripts/build-addon.sh --linux PATH --windows PATH       uses executables that were built elsewhere
#   scripts/build-addon.sh --without-command                 without executables: the add-on uses the command in PATH
#   ... --output ZIP                                         default: build/reanima-blender.zip
#   ... --each                                               also makes a separate zip per system: ZIP-linux-x64.zip, ...
#   ... --website URL --documentation URL --tracker URL      what the add-on's buttons in the preferences open
set -euo pipefail
cd "$(dirname "$0")/.."

linux='' windows='' without='' output=build/reanima-blender.zip each='' website='' documentation='' tracker=''
while [ $# -gt 0 ]; do
    case $1 in
        --linux) linux=$2; shift 2 ;;
        --windows) windows=$2; shift 2 ;;
        --output) output=$2; shift 2 ;;
        --each) each=yes; shift ;;
        --website) website=$2; shift 2 ;;
        --documentation) documentation=$2; shift 2 ;;
        --tracker) tracker=$2; shift 2 ;;
        --without-command) without=yes; shift ;;
        *) echo "build-addon: unknown option $1" >&2; exit 2 ;;
    esac
done

# Everything except the C library is linked statically: fmt from its headers, the others from their archives.
build_linux() {
    local library=/usr/lib/$(gcc -print-multiarch)
    cmake -S . -B build/addon -G Ninja -DCMAKE_BUILD_TYPE=Release -DREANIMA_ASSIMP=OFF -DREANIMA_DRAWING=OFF -DREANIMA_TESTS=OFF \
        -DCMAKE_CXX_FLAGS=-DFMT_HEADER_ONLY -DPNG_PNG_INCLUDE_DIR=/usr/include "-DPNG_LIBRARY=$library/libpng.a" "-DZLIB_LIBRARY=$library/libz.a" \
        "-DLibdeflate_LIBRARY=$library/libdeflate.a" "-DBZIP2_LIBRARY_RELEASE=$library/libbz2.a" "-DLIBLZMA_LIBRARY_RELEASE=$library/liblzma.a" \
        "-Dpkgcfg_lib_REANIMA_ZSTD_zstd=$library/libzstd.a" "-Dpkgcfg_lib_REANIMA_LZ4_lz4=$library/liblz4.a" \
        "-Dpkgcfg_lib_REANIMA_FLAC_FLAC=$library/libFLAC.a" "-DCMAKE_CXX_STANDARD_LIBRARIES=$library/libogg.a" \
        "-DCMAKE_EXE_LINKER_FLAGS=-static-libstdc++ -static-libgcc -Wl,--as-needed" >&2
    cmake --build build/addon --target reanima >&2
    strip -o build/addon/reanima.stripped build/addon/reanima
    linux=build/addon/reanima.stripped
}

if [ -z "$without$linux$windows" ]; then
    build_linux
    if command -v x86_64-w64-mingw32-g++-posix >/dev/null; then
        scripts/build-windows.sh
        windows=build/windows/reanima.exe
    else
        echo "build-addon: no executable for Windows; scripts/setup.sh --windows installs the compiler" >&2
    fi
fi
mkdir -p "$(dirname "$output")"
python3 - "$output" "$linux" "$windows" "$each" "$website" "$documentation" "$tracker" <<'PYTHON'
import json, os, sys, zipfile
output, linux, windows, each, website, documentation, tracker = sys.argv[1:]
COMMANDS = {'linux-x64': ('linux-x64/reanima', linux), 'windows-x64': ('windows-x64/reanima.exe', windows)}


def told(name, data, platform):
    """A file of the add-on with the addresses, and the system that it is for"""
    lines = []
    if name == 'blender_manifest.toml':
        lines += ['website = ' + json.dumps(website)] if website else []
        lines += ['platforms = ' + json.dumps([platform])] if platform else []
        return data.replace('\n[permissions]', ''.join(line + '\n' for line in lines) + '\n[permissions]')
    if name == '__init__.py':
        lines += ["    'doc_url': %r," % documentation] if documentation else []
        lines += ["    'tracker_url': %r," % tracker] if tracker else []
        return data.replace("\n    'category'", ''.join('\n' + line for line in lines) + "\n    'category'")
    return data


def pack(path, commands, platform=None):
    files = {'reanima/LICENSE': 'blender/LICENSE'}
    for name in sorted(os.listdir('blender/reanima')):
        if name.endswith(('.py', '.toml')):
            files['reanima/' + name] = os.path.join('blender/reanima', name)
    for name, executable in commands:
        files['reanima/bin/' + name] = executable
    if commands:                                           # the command's licence, and those of linked libraries
        files['reanima/bin/LICENSE'] = 'LICENSE'
        files['reanima/bin/THIRD_PARTY.md'] = 'THIRD_PARTY.md'
    with zipfile.ZipFile(path + '.part', 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, source in files.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))   # the same bytes every time
            entry.external_attr = (0o755 if name.endswith(('/reanima', '.exe')) else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            with open(source, 'rb') as file:
                data = file.read()
            base = os.path.basename(name)
            archive.writestr(entry, told(base, data.decode('utf-8'), platform).encode() if base in ('blender_manifest.toml', '__init__.py') else data)
    os.replace(path + '.part', path)
    print('build-addon: %s, %d files, %.1f MB' % (path, len(files), os.path.getsize(path) / 1e6), file=sys.stderr)


there = {platform: command for platform, command in COMMANDS.items() if command[1]}
pack(output, list(there.values()))
for platform, command in there.items() if each else ():
    pack('%s-%s.zip' % (os.path.splitext(output)[0], platform), [command], platform)
PYTHON
