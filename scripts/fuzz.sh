#!/usr/bin/env bash
# Fuzzes every target (tests/fuzz), or the named ones, starting from the committed corpus, the samples and the
# conformance files. New inputs stay in build/fuzz/corpus for the next run. Findings are in build/fuzz/findings.
#
#   scripts/fuzz.sh RUNS [TARGET...]      RUNS executions of each target, in up to SECONDS_EACH seconds (default 3600), on JOBS
#                                         processors (default: all)
#   scripts/fuzz.sh --keep [TARGET...]    adds inputs with new coverage to tests/data/corpus
set -euo pipefail
cd "$(dirname "$0")/.."
runs="${1:?scripts/fuzz.sh RUNS|--keep [TARGET...]}"
shift
jobs="${JOBS:-$(nproc)}"
seconds="${SECONDS_EACH:-3600}"

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target reanima_fuzz reanima
program=build/fuzz/reanima_fuzz
tool=build/fuzz/reanima
# Short allocation stacks, and a small quarantine that stays in the cache, make fuzzing more than twice as fast.
export ASAN_OPTIONS=malloc_context_size=2:quarantine_size_mb=1:thread_local_quarantine_size_kb=64:detect_stack_use_after_return=0

targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <("$program")

# The largest input of a target, in bytes. Small inputs are fast.
largest() {
    case "$1" in
        metroid-cmdl-json | folder-ff9-steam) echo 8192 ;;  # the largest kept inputs need this size
        *-json | rig | motion) echo 2048 ;;
        folder-* | way-back) echo 4096 ;;
        scene) echo 1024 ;;
        ff9-container | png) echo 1024 ;;
        ff8-*) echo 512 ;;
        gcz | cue) echo 2048 ;;
        rvz | gamecube-disc | wbfs | ciso) echo 3072 ;;
        iso-9660) echo 7168 ;;  # three sectors and the data after them
        cd-sectors | chd) echo 10240 ;;
        *) echo 640 ;;
    esac
}

# Files of the format's game, in a flat folder.
seed_files() {
    # Not every game has conformance cases.
    find "samples/$1" "tests/data/conformance/$1" -type f ! -name '*.json' ! -name '*.py' ! -name '*.md' ! -name '*.csv' -size "-${2}c" \
        2>/dev/null || true
}

# Fills an empty working corpus with inputs to start from.
seed() {
    local target=$1 folder=$2 size file
    size="$(largest "$target")"
    case "$target" in
        assimp) for game in samples/*/generate.py; do seed_files "$(basename "$(dirname "$game")")" "$size"; done |
            while read -r file; do cp "$file" "$folder/$(echo "$file" | tr / _)"; done ;;
        rig)
            cp tests/data/rigs/*.gltf "$folder"
            "$tool" convert samples/ff7/hraa -q --force -o "$folder/sample.glb" ;;
        *-json)
            seed_files "${target%%-*}" "$size" | while read -r file; do
                "$tool" dump "$file" -q --format "${target%-json}" 2>/dev/null |
                    python3 -c 'import json, sys; print(json.dumps(json.load(sys.stdin), separators=(",", ":")), end="")' \
                        >"$folder/$(basename "$file").json" 2>/dev/null || true
            done
            find "$folder" -type f -empty -delete ;;
        png) "$tool" frames samples/rlf/gate.rlf -q --frames 0-2 -o "$folder/" --force ;;
        iso-9660 | cd-sectors | cue | gamecube-disc | rvz | gcz | ciso | wbfs | chd | ff8-fs | ff8-fs-table | ff8-zzz | \
            folder-* | scene | picture-file | ff7-lzs | ff7-flevel | ff7-action-scripts | ff7-scene)
            tests/fuzz/seeds.py "$target" "$folder" ;;
        names) for file in samples/*/*.names.csv; do cp "$file" "$folder/$(echo "$file" | tr / _)"; done ;;
        job) cp samples/pipeline/*.reanima.json "$folder" ;;
        joint-map | bvh | motion | way-back) ;;  # the kept inputs are enough
        *) seed_files "${target%%-*}" "$size" | while read -r file; do cp "$file" "$folder/$(echo "$file" | tr / _)"; done ;;
    esac
}

fuzz() {
    local target=$1 folder=build/fuzz/corpus/$1 kept=tests/data/corpus/$1 log=build/fuzz/$1.log
    mkdir -p "$folder" "$kept" build/fuzz/findings
    [ -n "$(ls -A "$folder")" ] || seed "$target" "$folder"
    local each=$(((runs + jobs - 1) / jobs)) pids=() job dictionary=()
    case "$target" in names | job | joint-map) dictionary=(-dict=tests/fuzz/words.dict) ;; esac
    for job in $(seq "$jobs"); do
        # The entropic schedule is off: it would take half of the time on small inputs.
        REANIMA_FUZZ_TARGET="$target" "$program" -runs="$each" -max_total_time="$seconds" -seed="$job" -entropic=0 \
            -max_len="$(largest "$target")" -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=64 -print_final_stats=1 \
            -artifact_prefix="build/fuzz/findings/$target-" "${dictionary[@]}" "$folder" "$kept" >"$log.$job" 2>&1 &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do
        wait "$pid" || { tail -n 40 "$log".*; return 1; }
    done
    cat "$log".* | awk -v target="$target" '/stat::number_of_executed_units/ { runs += $2 } /^Done/ { seconds = $5 }
        END { printf "%s: %d executions in %d s, 0 findings\n", target, runs, seconds }'
}

# Of the inputs with new coverage, keeps up to 64: the largest ones, which cover most.
keep() {
    local target=$1 folder=build/fuzz/corpus/$1 kept=tests/data/corpus/$1 known
    mkdir -p "$kept"
    known="$(ls "$kept")"
    REANIMA_FUZZ_TARGET="$target" "$program" -set_cover_merge=1 -use_counters=0 -max_len="$(largest "$target")" \
        "$kept" "$folder" >"build/fuzz/$target.merge.log" 2>&1
    local room=$((64 - $(wc -w <<<"$known")))
    (cd "$kept" && ls -S | { grep -vxF "$known" || true; } | tail -n "+$((room > 0 ? room + 1 : 1))" | xargs -r rm)
    echo "$target: $(find "$kept" -type f | wc -l) files, $(cat "$kept"/* | wc -c) bytes"
}

for target in "${targets[@]}"; do
    if [ "$runs" = --keep ]; then
        keep "$target"
    else
        echo "== $target"
        fuzz "$target"
    fi
done
