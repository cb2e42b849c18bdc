#!/usr/bin/env bash
# Sets up, builds with AddressSanitizer and UndefinedBehaviorSanitizer, and runs the tests.
#
#   scripts/test.sh           up to 20 minutes on two idle cores: all tests of the library and the formats, the
#                             conformance runs, and the first test script of each verb
#   scripts/test.sh --all     also the slow tests (ctest label `all`): browsers, Blender, Windows, memory, time,
#                             signals, random rigs, and further scripts for verbs
#   scripts/test.sh --long    also tests that take hours: builds with GCC's optimiser and with clang, unit by unit;
#                             uses of the stack after a return; ThreadSanitizer; thresholds of speed, and of time for
#                             hostile input; every way to build and use the library; as root, the packages in a fresh
#                             Debian, and all tests in Debian 13; Windows, browsers, valgrind, and a million executions
#                             of every fuzz target
set -euo pipefail
cd "$(dirname "$0")/.."

mode="${1:-}"
case $mode in
    '' | --all | --long) ;;
    *) echo "test: unknown option $mode" >&2; exit 2 ;;
esac
scripts/setup.sh
cmake --preset dev >/dev/null
cmake --build --preset dev
ctest --preset dev -j "$(nproc)" -LE '^all$'
if [ -n "$mode" ]; then
    scripts/setup.sh --all
    ctest --preset dev -j "$(nproc)" -L '^all$'
fi
if [ "$mode" = --long ]; then
    cmake --preset dev -DREANIMA_STACK_USES=ON >/dev/null
    ctest --preset dev -j "$(nproc)" -LE '^all$'
    cmake --preset dev -DREANIMA_STACK_USES=OFF >/dev/null
    scripts/setup.sh --windows
    scripts/setup.sh --web
    cmake --preset release >/dev/null
    cmake --build --preset release
    build/release/reanima_bench --check
    cmake --preset clang >/dev/null
    cmake --build --preset clang
    cmake --preset tsan >/dev/null
    cmake --build --preset tsan
    ctest --preset tsan -R '^(batch|pipeline)$|^Threads'
    scripts/package.sh
    REANIMA_LONG=1 ctest --preset dev -R '^(consumers|dropin|packages|windows|web)$'
    [ "$(id -u)" != 0 ] || scripts/test-today.sh trixie
    REANIMA_LONG=1 REANIMA=build/release/reanima tests/tools/valgrind_test.py
    REANIMA_RELEASE=1 REANIMA=build/release/reanima tests/tools/time_test.py
    scripts/fuzz.sh 1000000
fi
