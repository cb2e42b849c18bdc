#!/usr/bin/env bash
# As root: builds in a newer Debian, and runs the C++ tests and the tests with other programs there.
#
#   scripts/test-today.sh trixie|sid
set -euo pipefail
cd "$(dirname "$0")/.."
suite=${1:?scripts/test-today.sh SUITE}
scripts/setup.sh
scripts/setup.sh --today "$suite"
root=$PWD/build/today/$suite
mkdir -p "$root/reanima"
git ls-files -z --cached --others --exclude-standard | tar --null -T - -c | tar -x -C "$root/reanima"    # the working tree, not the last commit
cp -a tests/node_modules "$root/reanima/tests/"
cat >"$root/reanima/run.sh" <<'RUN'
cd /reanima
git init -q .    # some tests ask git which files are sources
# -O1 builds faster than -O3, and the tests' own code faster still
cmake --preset release -DREANIMA_BENCH=OFF -DREANIMA_UNITY_TESTS=ON -DCMAKE_CXX_FLAGS_RELEASE='-O1 -DNDEBUG' \
    '-DREANIMA_TEST_OPTIONS=-O0;-U_FORTIFY_SOURCE' >/dev/null
cmake --build --preset release
ctest --test-dir build/release -j "$(nproc)" --output-on-failure \
    -E '^(valgrind|packages|windows|consumers|player|time|memory|out_of_memory|setup|reference)$|_planted$|_detect$' "$@"
RUN
exec unshare --mount bash -c 'mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && exec chroot "$1" bash -euo pipefail /reanima/run.sh "${@:2}"' \
    _ "$root" "${@:2}"
