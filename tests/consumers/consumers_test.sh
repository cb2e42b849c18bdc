#!/usr/bin/env bash
# Builds programs outside of the tree against the library, as strangers do, and runs them on the samples.
#
#   consumers_test.sh SOURCE BUILD          the build as it is, installed: by CMake and by pkg-config
#   consumers_test.sh SOURCE BUILD --long   also shared, in a host that has its own Assimp, by clang, without glTF and
#                                           without Assimp: each builds the library again, without sanitizers.
#                                           REANIMA_LONG=1 does the same
set -euo pipefail
source="$1"
build="$2"
long="${REANIMA_LONG:-}"
[ "${3:-}" != --long ] || long=1
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT
jobs="$(nproc)"

fail() {
    echo "consumers: $*" >&2
    exit 1
}

# quietly COMMAND...: its output only if it fails
quietly() {
    "$@" >"$place/log" 2>&1 || {
        cat "$place/log" >&2
        fail "$*"
    }
}

# A rig of another program with a mapping to it: Metroid's sample, whose joints have other names and another rest pose.
prepare() {
    REANIMA="$1"
    "$REANIMA" convert -q "$source/samples/metroid/hero_walk.ANIM" --proxy-mesh -o "$place/rig.glb"
    "$REANIMA" bind -q "$source/samples/ff7/hrda" -s "$place/rig.glb" --suggest -o "$place/rig.map.json"
    "$REANIMA" convert -q "$source/samples/ff7/hrda" -o "$place/expected.glb"
    "$REANIMA" convert -q "$source/samples/ff7/hrda" -s "$place/rig.glb" --map "$place/rig.map.json" \
        --root-motion in-place -o "$place/expected_bound.glb"
    # An edit: the first two keys of a rotation change places.
    python3 - "$place/expected.glb" "$place/edited.glb" <<'PY'
import json, struct, sys
data = bytearray(open(sys.argv[1], 'rb').read())
size = struct.unpack_from('<I', data, 12)[0]
scene = json.loads(data[20:20 + size])
clip = scene['animations'][1]
for channel in clip['channels']:
    keys = scene['accessors'][clip['samplers'][channel['sampler']]['output']]
    view = scene['bufferViews'][keys['bufferView']]
    width = 4 * {5126: 4, 5122: 2}[keys['componentType']]
    a = 28 + size + view.get('byteOffset', 0) + keys.get('byteOffset', 0)
    b = a + width
    if channel['target']['path'] == 'rotation' and keys['count'] > 1 and data[a:b] != data[b:b + width]:
        data[a:b], data[b:b + width] = data[b:b + width], data[a:b]
        break
open(sys.argv[2], 'wb').write(data)
PY
    "$REANIMA" encode -q "$place/edited.glb" --into "$source/samples/ff7/hrda" -o "$place/expected.pack"
    ! cmp -s "$source/samples/ff7/hrda" "$place/expected.pack" || fail "the edit changes nothing"
    printf 'neither an animation nor a skeleton\n' >"$place/letter.txt"
}

# The content of two .glb files, without the key of the inputs and its hash, which only the command writes.
same_glb() {
    python3 - "$1" "$2" <<'PY'
import json, struct, sys
def parts(name):
    data = open(name, 'rb').read()
    size = struct.unpack_from('<I', data, 12)[0]
    scene = json.loads(data[20:20 + size])
    for s in scene['scenes']:
        for mark in 'key', 'hash':
            s.get('extras', {}).get('reanima', {}).pop(mark, None)
    return scene, data[20 + size:]
a, b = parts(sys.argv[1]), parts(sys.argv[2])
if a != b:
    sys.exit('%s differs from %s' % tuple(sys.argv[1:]))
PY
}

# explains_itself NAME FOLDER PROGRAMS...: without arguments they print their usage
explains_itself() {
    local name="$1" bin="$2" program
    shift 2
    for program in "$@"; do
        ! "$bin/$program" 2>"$place/usage" || fail "$name: $program runs without arguments"
        grep -q "^usage: $program " "$place/usage" || fail "$name: $program prints: $(cat "$place/usage")"
    done
}

# try NAME FOLDER GLTF ASSIMP: runs the programs that were built there
try() {
    local name="$1" bin="$2" gltf="$3" assimp="$4" out="$place/$1"
    mkdir -p "$out"
    "$bin/rooms" "$source/samples/ff7/hrda" "$place/letter.txt" || fail "$name: rooms"
    "$bin/figures" "$source/samples/ff7/hrda" "$out/page.html" "$out/sheet.png" >"$out/facts" || fail "$name: figures"
    grep -q '[1-9][0-9]* triangles' "$out/facts" || fail "$name: figures counts no triangles"
    if [ "$gltf" = ON ]; then
        grep -q '</html>' "$out/page.html" || fail "$name: figures writes no page"
    fi
    "$bin/edit_native" "$source/samples/ff7/hrda" "$out/raised" >"$out/log"
    python3 - "$REANIMA" "$source/samples/ff7/hrda" "$out/raised" <<'PY'
import json, subprocess, sys
def dump(*words):
    return json.loads(subprocess.run([sys.argv[1], 'dump', *words], check=True, capture_output=True).stdout)
before, raised = dump(sys.argv[2]), dump(sys.argv[3], '--format', 'ff7-battle-animation', '--no-companion')
frames = 0
for a, b in zip(before['animations'], raised['animations'], strict=True):
    for f, g in zip(a.get('frames', []), b.get('frames', []), strict=True):
        assert f['rotations'] == g['rotations'] and f['translation'][1] - 10 == g['translation'][1]
        frames += 1
assert frames > 10
PY
    # Forwards, backwards and by jumps; the picture that is shown last is compared with the command's.
    "$bin/play_video" "$source/samples/rlf/wheel.rlf" 0 0.1 1.5 1.4 1.4 -0.0666 0.3 "$out/shown.ppm" >"$out/played"
    diff - "$out/played" <<'PLAYED' || fail "$name: play_video"
0 s: picture 0
0.1 s: picture 1
1.5 s: picture 22
1.4 s: picture 21
1.4 s: picture 21, as before
-0.0666 s: picture 23
0.3 s: picture 4
PLAYED
    "$REANIMA" frames -q "$source/samples/rlf/wheel.rlf" --frames 4 --as raw -o "$out/shown.raw" --force
    cmp "$out/shown.raw" <(tail -c "$(stat -c %s "$out/shown.raw")" "$out/shown.ppm") || fail "$name: play_video shows another picture"
    if [ "$gltf" = ON ]; then
        "$bin/convert" "$source/samples/ff7/hrda" "$out/hero.glb"
        same_glb "$out/hero.glb" "$place/expected.glb"
        ! "$bin/convert" "$place/letter.txt" "$out/letter.glb" 2>"$out/refused" || fail "$name: convert reads a letter"
        grep -q 'letter.txt: ' "$out/refused" || fail "$name: convert says of a letter: $(cat "$out/refused")"
        "$bin/bind" "$source/samples/ff7/hrda" "$place/rig.glb" "$place/rig.map.json" "$out/bound.glb" >"$out/table"
        same_glb "$out/bound.glb" "$place/expected_bound.glb"
        "$bin/suggest" "$source/samples/ff7/hrda" "$place/rig.glb" "$out/suggested.json" >"$out/links"
        cmp "$out/suggested.json" "$place/rig.map.json" || fail "$name: suggest suggests something else than reanima bind"
        grep -q '^hips: root -> ' "$out/links" || fail "$name: suggest shows no links"
        "$bin/write_back" "$place/edited.glb" "$source/samples/ff7/hrda" "$out/pack" >"$out/edits"
        cmp "$out/pack" "$place/expected.pack" || fail "$name: write_back writes another file than reanima encode"
        [ "$(cat "$out/edits")" = 'hrda_001 was changed' ] || fail "$name: write_back says $(cat "$out/edits")"
        ! "$bin/write_back" "$place/edited.glb" "$source/samples/metroid/hero_walk.ANIM" "$out/other" 2>"$out/refused" ||
            fail "$name: write_back writes into another game's file"
        grep -q 'edited.glb: ' "$out/refused" || fail "$name: write_back says of another game: $(cat "$out/refused")"
        grep -q 'hips' "$out/table" || fail "$name: bind shows no table"
        ! "$bin/bind" "$source/samples/ff7/hrda" "$place/rig.glb" "$place/rig.map.json" "$out/none/bound.glb" \
            >"$out/table" 2>"$out/refused" || fail "$name: bind writes into a missing folder"
        explains_itself "$name" "$bin" convert bind suggest write_back
    fi
    if [ "$assimp" = ON ]; then
        "$bin/load_with_assimp" "$source/samples/ff7/hrda" >"$out/loaded"
        grep -q ': [0-9]* joints, ' "$out/loaded" || fail "$name: load_with_assimp lists no animation"
        "$bin/load_from_memory" "$source/samples/ff7/hrda" "$source"/samples/ff7/hr?? >"$out/dressed"
        grep -qx '4 animations, [1-9][0-9]* meshes, [1-9][0-9]* textures' "$out/dressed" || fail "$name: load_from_memory: $(cat "$out/dressed")"
        # Without the skeleton the weapon animations are unknown and become separate clips.
        "$bin/load_from_memory" "$source/samples/ff7/hrda" >"$out/bare"
        grep -qx '8 animations, 1 meshes, 0 textures' "$out/bare" || fail "$name: load_from_memory: $(cat "$out/bare")"
        "$bin/add_to_scene" "$place/rig.glb" "$source/samples/ff7/hrda" "$place/rig.map.json" >"$out/added"
        cut -d: -f1 "$out/loaded" | sort >"$out/clips"
        sort "$out/added" | comm -23 "$out/clips" - >"$out/lost"
        [ ! -s "$out/lost" ] || fail "$name: add_to_scene lost $(cat "$out/lost")"
        ! "$bin/add_to_scene" "$place/none.fbx" "$source/samples/ff7/hrda" "$place/rig.map.json" 2>"$out/refused" ||
            fail "$name: add_to_scene reads a missing file"
        grep -q 'none.fbx' "$out/refused" || fail "$name: add_to_scene says of a missing file: $(cat "$out/refused")"
        explains_itself "$name" "$bin" add_to_scene
    fi
    echo "consumers: $name runs"
}

# consume NAME PREFIX GLTF ASSIMP CMAKE_ARGUMENTS...: the programs against an installed library
consume() {
    local name="$1" prefix="$2" gltf="$3" assimp="$4"
    shift 4
    quietly cmake -S "$source/tests/consumers/rooms" -B "$place/$name.build" -G Ninja -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_PREFIX_PATH="$prefix" -DWITH_gltf="$gltf" -DWITH_assimp="$assimp" "$@"
    quietly cmake --build "$place/$name.build" -j "$jobs"
    try "$name" "$place/$name.build/bin" "$gltf" "$assimp"
}

# library NAME CMAKE_ARGUMENTS...: builds and installs to $place/NAME.usr
library() {
    local name="$1"
    shift
    quietly cmake -S "$source" -B "$place/$name.library" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 \
        -DREANIMA_TESTS=OFF "$@"
    quietly cmake --build "$place/$name.library" -j "$jobs"
    quietly cmake --install "$place/$name.library" --prefix "$place/$name.usr"
}

# pkg_config NAME PREFIX FLAGS...: two programs without CMake
pkg_config() {
    local name="$1" prefix="$2" program
    shift 2
    export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
    mkdir -p "$place/$name"
    for program in reanima reanima-drawing reanima-assimp; do
        [ -e "$(pkg-config --variable=libdir $program)/pkgconfig/$program.pc" ] || fail "$name: $program.pc names another libdir"
        [ -d "$(pkg-config --variable=includedir $program)/reanima" ] || fail "$name: $program.pc names another includedir"
    done
    # shellcheck disable=SC2046
    for program in convert add_to_scene; do
        local package=reanima
        [ $program = convert ] || package=reanima-assimp
        quietly "${CXX:-c++}" -std=c++20 "$@" "$source/samples/programs/$program.cpp" -o "$place/$name/$program" \
            $(pkg-config --cflags --libs $package) -Wl,-rpath,"$prefix/lib"
    done
    # shellcheck disable=SC2046
    quietly "${CXX:-c++}" -std=c++20 "$@" "$source/tests/consumers/rooms/figures.cpp" -o "$place/$name/figures" \
        $(pkg-config --cflags --libs reanima-drawing) -Wl,-rpath,"$prefix/lib"
    "$place/$name/figures" "$source/samples/ff7/hrda" "$place/$name/page.html" "$place/$name/sheet.png" >"$place/$name/facts"
    "$place/$name/convert" "$source/samples/ff7/hrda" "$place/$name/hero.glb"
    same_glb "$place/$name/hero.glb" "$place/expected.glb"
    "$place/$name/add_to_scene" "$place/rig.glb" "$source/samples/ff7/hrda" "$place/rig.map.json" >"$place/$name/added"
    [ -s "$place/$name/added" ] || fail "$name: add_to_scene added nothing"
    echo "consumers: $name runs"
}

# ---------------------------------------------------------------------------------------------------------------------
# The build as it is

usr="$place/usr"
quietly cmake --install "$build" --prefix "$usr"
flags="$(grep -oP '^REANIMA_SANITIZE:STRING=\K.+' "$build/CMakeCache.txt" || true)"
sanitize=(${flags:+"-fsanitize=$flags"})
test -f "$usr/lib/reanima/reanima_rigs.so"
test -s "$usr/share/reanima/player/player.css"
grep -q 'window.reanima = { player: ' "$usr/share/reanima/player/player.js" || fail 'the player is not installed'
# A host may link tinygltf and RapidJSON of its own, of other versions or settings.
if nm -C "$usr/lib/libreanima_gltf.a" | grep -E '[^_](tinygltf|rapidjson)::'; then
    fail 'the library has symbols of tinygltf or RapidJSON under their own names'
fi
if ldd "$usr/bin/reanima" | grep -q libassimp; then
    fail 'the command loads Assimp when it starts'
fi
prepare "$usr/bin/reanima"
consume static "$usr" ON ON ${sanitize:+"-DCMAKE_CXX_FLAGS=${sanitize[0]}"}
pkg_config pkg-config "$usr" "${sanitize[@]}"
[ -n "$long" ] || exit 0

# ---------------------------------------------------------------------------------------------------------------------
# The lines of docs/cpp.md

page_lines() { sed -n '/^```sh/,/^```/p' "$source/docs/cpp.md" | grep -E "^($1) "; }
mkdir "$place/page"
cp "$source/samples/programs/convert.cpp" "$place/page/"
(cd "$source" && HOME="$place/page" quietly bash -euo pipefail -c "$(page_lines cmake)")
(cd "$place/page" && HOME="$place/page" quietly bash -euo pipefail -c "$(page_lines 'export|c[+][+]')")
"$place/page/convert" "$source/samples/ff7/hrda" "$place/page/hero.glb"
same_glb "$place/page/hero.glb" "$place/expected.glb"
echo 'consumers: docs/cpp.md runs'

# ---------------------------------------------------------------------------------------------------------------------
# Other ways to build and to take it

library shared -DBUILD_SHARED_LIBS=ON
consume shared "$place/shared.usr" ON ON
pkg_config shared-pkg-config "$place/shared.usr"
for file in "$place"/shared.usr/lib/libreanima_*.so; do
    readelf -d "$file" | grep -q 'SONAME.*\.so\.[0-9]*\.[0-9]*\]' || fail "$file has no version"
    if nm -DC --defined-only "$file" | grep -vE ' (reanima::|(vtable|typeinfo|typeinfo name|guard variable|non-virtual thunk to|VTT) (for )?reanima::|.*\breanima::)' |
        grep -E ' [A-Z] '; then
        fail "$file shows names of others"
    fi
done
"$place/shared.usr/bin/reanima" convert -q "$source/samples/ff7/hrda" -o "$place/shared.glb"
cmp "$place/shared.glb" "$place/expected.glb"

quietly cmake -S "$source/tests/consumers/host" -B "$place/host" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0
quietly cmake --build "$place/host" -j "$jobs"
try host "$(dirname "$(find "$place/host" -name rooms -type f)")" ON ON

if command -v clang++-14 >/dev/null; then
    library clang -DBUILD_SHARED_LIBS=ON -DCMAKE_CXX_COMPILER=clang++-14 -DREANIMA_TOOL=OFF
    consume clang "$place/clang.usr" ON ON -DCMAKE_CXX_COMPILER=clang++-14
    consume clang-of-gcc "$place/shared.usr" ON ON -DCMAKE_CXX_COMPILER=clang++-14
else
    echo 'consumers: clang++-14 is not installed'
fi

library no-gltf -DREANIMA_GLTF=OFF
consume no-gltf "$place/no-gltf.usr" OFF ON
library no-assimp -DREANIMA_ASSIMP=OFF -DREANIMA_TOOL=OFF
consume no-assimp "$place/no-assimp.usr" ON OFF -DCMAKE_DISABLE_FIND_PACKAGE_assimp=ON
