#!/usr/bin/env bash
# Installs what is missing to build and test on Debian 12: nothing when all is there.
#
#   scripts/setup.sh          what the build and the tests need
#   scripts/setup.sh --all    also what single tests need and skip without: Blender, real rigs, a browser, valgrind
set -euo pipefail

build=(g++ cmake ninja-build pkg-config python3
    libassimp-dev libglm-dev libtinygltf-dev libgtest-dev libgmock-dev libcli11-dev libfmt-dev nlohmann-json3-dev
    libxxhash-dev libbenchmark-dev)
extras=(blender python3-numpy assimp-testmodels assimp-utils valgrind clang-14 libclang-rt-14-dev clang-format-14 clang-tidy-14 ca-certificates)

packages=("${build[@]}")
[ "${1:-}" != --all ] || packages+=("${extras[@]}")

missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
# node and npm may come from elsewhere than Debian.
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)

if [ ${#missing[@]} -gt 0 ]; then
    run=()
    [ "$(id -u)" = 0 ] || run=(sudo)
    echo "setup: installing ${missing[*]}" >&2
    "${run[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${run[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# The Khronos validator for the tests.
cd "$(dirname "$0")/.."
if [ ! -d tests/node_modules/gltf-validator ]; then
    echo "setup: installing the glTF validator" >&2
    npm --prefix tests ci --silent --no-audit --no-fund
fi
