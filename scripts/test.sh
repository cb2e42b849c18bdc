#!/usr/bin/env bash
# Sets up, builds with AddressSanitizer and UndefinedBehaviorSanitizer, and runs the tests.
#
#   scripts/test.sh           the tests
#   scripts/test.sh --long    also what takes long: whole builds with GCC's optimiser and with clang, a unit at a time;
#                             ThreadSanitizer; the thresholds of speed, and how long hostile input may take; every way
#                             to build and take the library, the packages in a fresh Debian (as root), Windows, valgrind,
#                             and a million executions of every fuzz target
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
cmake --preset dev >/dev/null
cmake --build --preset dev
ctest --preset dev -j "$(nproc)"
if [ "${1:-}" = --long ]; then
    scripts/setup.sh --all
    scripts/setup.sh --windows
    cmake --preset release >/dev/null
    cmake --build --preset release
    build/release/reanima_bench --check
    cmake --preset clang >/dev/null
    cmake --build --preset clang
    cmake --preset tsan >/dev/null
    cmake --build --preset tsan
    ctest --preset tsan -R '^(batch|pipeline)$|^Threads'
    scripts/package.sh
    REANIMA_LONG=1 ctest --preset dev -R '^(consumers|dropin|packages|windows)$'
    REANIMA_LONG=1 REANIMA=build/release/reanima tests/tools/valgrind_test.py
    REANIMA_RELEASE=1 REANIMA=build/release/reanima tests/tools/time_test.py
    scripts/fuzz.sh 1000000
fi
