#!/usr/bin/env bash
# Installs what is missing on Debian 12; nothing when all is there.
#
#   scripts/setup.sh tool     to build the command
#   scripts/setup.sh          to build and test
#   scripts/setup.sh --all    also what single tests use and skip without: Blender, a browser, real rigs, valgrind, clang
set -euo pipefail
cd "$(dirname "$0")/.."

tool=(g++ cmake ninja-build pkg-config libglm-dev libfmt-dev nlohmann-json3-dev libtinygltf-dev rapidjson-dev libcli11-dev libxxhash-dev libpng-dev
    libassimp-dev libcairo2-dev)
tests=(python3 libgtest-dev libgmock-dev libbenchmark-dev liblzo2-dev)
extras=(blender python3-numpy assimp-testmodels assimp-utils valgrind clang-14 libclang-rt-14-dev clang-format-14 clang-tidy-14 chromium
    snakemake make strace f3d xvfb xauth libgl1-mesa-dri godot3-server debootstrap dpkg-dev xz-utils)

packages=("${tool[@]}")
[ "${1:-}" = tool ] || packages+=("${tests[@]}")
[ "${1:-}" != --all ] || packages+=("${extras[@]}")

missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ "${1:-}" != tool ]; then    # node and npm may come from elsewhere than Debian
    command -v node >/dev/null || missing+=(nodejs)
    command -v npm >/dev/null || missing+=(npm)
fi

if [ ${#missing[@]} -gt 0 ]; then
    run=()
    [ "$(id -u)" = 0 ] || run=(sudo)
    echo "setup: installing ${missing[*]}" >&2
    "${run[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${run[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# The Khronos validator, and three.js for the tests in a browser.
if [ "${1:-}" != tool ] && [ "$(cat tests/node_modules/.installed 2>/dev/null)" != "$(cksum <tests/package-lock.json)" ]; then
    echo "setup: installing the test packages of npm" >&2
    npm --prefix tests ci --silent --no-audit --no-fund --ignore-scripts
    cksum <tests/package-lock.json >tests/node_modules/.installed
fi
