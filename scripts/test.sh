#!/usr/bin/env bash
# Sets up, builds with AddressSanitizer and UndefinedBehaviorSanitizer, and runs the tests.
#
#   scripts/test.sh           the tests
#   scripts/test.sh --long    also those that take long: every way to build and take the library, the packages in a
#                             fresh Debian (as root), valgrind, and a million executions of every fuzz target
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
cmake --preset dev >/dev/null
cmake --build --preset dev
ctest --preset dev -j "$(nproc)"
if [ "${1:-}" = --long ]; then
    scripts/setup.sh --all
    scripts/setup.sh --windows
    scripts/package.sh
    REANIMA_LONG=1 ctest --preset dev -R '^(consumers|dropin|packages|windows)$'
    scripts/fuzz.sh 1000000
fi
