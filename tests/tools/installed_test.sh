#!/usr/bin/env bash
# Installs the build, builds the sample programs against it as a stranger would, and runs them on the sample.
#
#   installed_test.sh SOURCE BUILD
set -euo pipefail
source="$1"
build="$2"
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT
cmake --install "$build" --prefix "$place/usr" >/dev/null
flags="$(grep -oP '^REANIMA_SANITIZE:STRING=\K.+' "$build/CMakeCache.txt" || true)"
cmake -S "$source/samples/programs" -B "$place/build" -G Ninja -DCMAKE_PREFIX_PATH="$place/usr" ${flags:+"-DCMAKE_CXX_FLAGS=-fsanitize=$flags"} >/dev/null
cmake --build "$place/build" >/dev/null
cd "$place"
build/convert_to_gltf "$source/samples/ff7/hrda" hero.glb
build/load_with_assimp "$source/samples/ff7/hrda"
build/edit_native "$source/samples/ff7/hrda" raised
test -f "$place/usr/lib/reanima/reanima_rigs.so"
# A host may link tinygltf and RapidJSON of its own, of other versions or settings.
if nm -C "$place/usr/lib/libreanima_gltf.a" | grep -E '[^_](tinygltf|rapidjson)::'; then
    echo 'the library has symbols of tinygltf or RapidJSON under their own names'
    exit 1
fi
if ldd "$place/usr/bin/reanima" | grep -q libassimp; then
    echo 'the command loads Assimp when it starts'
    exit 1
fi
"$place/usr/bin/reanima" dump raised --format ff7-battle-animation --no-companion >raised.json
"$place/usr/bin/reanima" dump "$source/samples/ff7/hrda" >before.json
python3 - <<'PY'
import json
before, raised = (json.load(open(n)) for n in ('before.json', 'raised.json'))
for a, b in zip(before['animations'], raised['animations']):
    for f, g in zip(a.get('frames', []), b.get('frames', [])):
        assert f['rotations'] == g['rotations'] and f['translation'][1] - 10 == g['translation'][1]
print('raised by ten units')
PY
