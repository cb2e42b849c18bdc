#!/usr/bin/env bash
# Fuzzes every format of the registry and the skeletons of glTF files, or what is named, from the samples and the
# conformance files.
#
#   scripts/fuzz.sh RUNS [FORMAT|rig...]
set -euo pipefail
cd "$(dirname "$0")/.."
runs="${1:?scripts/fuzz.sh RUNS [FORMAT...]}"
shift

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz
tool=build/fuzz/reanima
formats=("$@")
if [ ${#formats[@]} = 0 ]; then
    mapfile -t formats < <("$tool" formats --json | python3 -c 'import json, sys; print("\n".join(f["id"] for f in json.load(sys.stdin)))')
    formats+=(rig)
fi

corpus="$(mktemp -d)"
trap 'rm -rf "$corpus"' EXIT
for format in "${formats[@]}"; do
    echo "== $format: $runs executions"
    mkdir -p "$corpus/$format" build/fuzz/findings
    find samples tests/data/conformance -type f -size -8k ! -name '*.json' ! -name '*.py' ! -name '*.md' -print0 |
        while IFS= read -r -d '' file; do cp "$file" "$corpus/$format/$(echo "$file" | tr / _)"; done
    program=build/fuzz/reanima_fuzz
    if [ "$format" = rig ]; then
        program=build/fuzz/reanima_fuzz_rig
        for sample in samples/ff7/hrda tests/data/rigs/*.gltf; do
            case "$sample" in
                *.gltf) cp "$sample" "$corpus/rig/" ;;
                *) "$tool" convert "$sample" -q -o "$corpus/rig/sample.gltf" --clip 0 && "$tool" convert "$sample" -q -o "$corpus/rig/sample.glb" --clip 0 ;;
            esac
        done
    fi
    # The processors share the runs.
    log="build/fuzz/$format.log"
    jobs="$(nproc)"
    each=$(((runs + jobs - 1) / jobs))
    pids=()
    for job in $(seq "$jobs"); do
        REANIMA_FUZZ_FORMAT="$format" "$program" -runs="$each" -seed="$job" -max_len=1024 -timeout=10 -rss_limit_mb=2048 \
            -artifact_prefix="build/fuzz/findings/$format-" -print_final_stats=1 "$corpus/$format" >"$log.$job" 2>&1 &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do
        wait "$pid" || { tail -n 40 "$log".*; exit 1; }
    done
    grep -h 'stat::number_of_executed_units\|stat::peak_rss_mb' "$log".*
done
