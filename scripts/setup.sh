#!/usr/bin/env bash
# Installs what is missing on Debian 12; nothing when all is there.
#
#   scripts/setup.sh tool     to build the command
#   scripts/setup.sh          to build and test
#   scripts/setup.sh --windows    what builds the command for Windows, and wine to run it
#   scripts/setup.sh --today SUITE    as root: a newer Debian (trixie, sid) in build/today/SUITE, with what builds and tests there; it is kept
#   scripts/setup.sh --all    also what single tests use and skip without: Blender, browsers, real rigs, valgrind, clang
set -euo pipefail
cd "$(dirname "$0")/.."

tool=(g++ cmake ninja-build pkg-config libglm-dev libfmt-dev nlohmann-json3-dev libtinygltf-dev rapidjson-dev libcli11-dev libxxhash-dev libpng-dev
    libdeflate-dev libbz2-dev liblzma-dev libzstd-dev liblz4-dev libflac-dev libassimp-dev libstb-dev libcairo2-dev)
tests=(python3 libgtest-dev libgmock-dev libbenchmark-dev liblzo2-dev)
extras=(blender python3-numpy assimp-testmodels assimp-utils valgrind clang-14 libclang-rt-14-dev clang-format-14 clang-tidy-14 chromium
    firefox-esr snakemake make strace f3d xvfb xauth locales libgl1-mesa-dri godot3-server debootstrap dpkg-dev xz-utils doxygen lintian
    fish zsh man-db ffmpeg pandoc jq genisoimage mame-tools wit)
windows=(g++-mingw-w64-x86-64-posix libz-mingw-w64-dev wine64 wine dpkg-dev make)

# What scripts/test-today.sh uses; Blender of sid asks for two packages that it only recommends.
today=("${tool[@]}" "${tests[@]}" blender python3-numpy python3-cattr python3-requests assimp-utils nodejs ca-certificates)
if [ "${1:-}" = --today ]; then
    suite=${2:?scripts/setup.sh --today SUITE}
    root=build/today/$suite
    [ "$(cat "$root/.installed" 2>/dev/null)" != "${today[*]}" ] || exit 0
    mkdir -p "$root"
    [ -d "$root/usr" ] || { echo "setup: making $root" >&2; debootstrap --variant=minbase "$suite" "$root" >"$root.log" 2>&1; }
    # sid's lists may be older than their date allows.
    chroot "$root" apt-get -o Acquire::Check-Valid-Until=false update -qq
    DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get install -y -qq --no-install-recommends "${today[@]}" >>"$root.log" 2>&1
    echo "${today[*]}" >"$root/.installed"
    exit 0
fi

packages=("${tool[@]}")
[ "${1:-}" != --windows ] || packages+=("${windows[@]}")
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

run=()
[ "$(id -u)" = 0 ] || run=(sudo)
if [ ${#missing[@]} -gt 0 ]; then
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

# Libraries for Windows without a Debian package: built from the source packages of Debian's own libraries, with all
# their patches.
root=/usr/local/x86_64-w64-mingw32
fetch_source() { # PACKAGE: into $work. The newest first; a mirror may list one that it has not, or no longer.
    local version
    echo "setup: building $1 for Windows" >&2
    for version in $(apt-cache "${apt[@]}" showsrc "$1" | sed -n 's/^Version: //p' | sort -rV); do
        (cd "$work" && apt-get "${apt[@]}" source "$1=$version" >"$work/log" 2>&1) && return
    done
}
build_libpng() {
    cmake -S "$work"/libpng1.6-*/ -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPNG_SHARED=OFF -DPNG_TESTS=OFF \
        -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/mingw.cmake" -DCMAKE_INSTALL_PREFIX=$root && cmake --build "$work/build" &&
        "${run[@]}" cmake --install "$work/build"
}
build_libdeflate() {
    make -C "$work"/libdeflate-*/ CC=x86_64-w64-mingw32-gcc-posix AR=x86_64-w64-mingw32-ar libdeflatestatic.lib &&
        "${run[@]}" install -D -m 644 "$work"/libdeflate-*/libdeflatestatic.lib $root/lib/libdeflate.a &&
        "${run[@]}" install -D -m 644 "$work"/libdeflate-*/libdeflate.h $root/include/libdeflate.h
}
from_source() { # LIBRARY PACKAGE
    [ ! -e "$root/lib/$1.a" ] || return 0
    fetch_source "$2"
    "build_$1" >>"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
}
if [ "${1:-}" = --windows ] && { [ ! -e $root/lib/libpng.a ] || [ ! -e $root/lib/libdeflate.a ]; }; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work/sources" "$work/lists/partial" "$work/cache/archives/partial"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/debian*; do    # where this machine has its packages from
        [ ! -f "$list" ] || sed 's/^Types:.*/Types: deb-src/; s/^deb /deb-src /' "$list" >"$work/sources/$(basename "$list")"
    done
    apt=(-qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/sources" -o Dir::State::lists="$work/lists"
        -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root)
    apt-get "${apt[@]}" update
    from_source libpng libpng1.6
    from_source libdeflate libdeflate
fi
