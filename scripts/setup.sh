#!/usr/bin/env bash
# Installs missing requirements on Debian 12.
#
#   scripts/setup.sh tool     to build the command
#   scripts/setup.sh          to build and test
#   scripts/setup.sh --windows    to build the command for Windows, and wine to run it
#   scripts/setup.sh --web    to build the command as WebAssembly, 0.8 GB
#   scripts/setup.sh --today SUITE    as root: a newer Debian (trixie, sid) in build/today/SUITE, with everything to build and test there
#   scripts/setup.sh --all    also for tests that are otherwise skipped: Blender, browsers, real rigs, valgrind, clang
set -euo pipefail
cd "$(dirname "$0")/.."

tool=(g++ cmake ninja-build pkg-config libglm-dev libfmt-dev nlohmann-json3-dev libtinygltf-dev rapidjson-dev libcli11-dev libxxhash-dev libpng-dev
    libdeflate-dev libbz2-dev liblzma-dev libzstd-dev liblz4-dev libflac-dev libassimp-dev libstb-dev libcairo2-dev)
tests=(python3 libgtest-dev libgmock-dev libbenchmark-dev liblzo2-dev)
extras=(blender python3-numpy assimp-testmodels assimp-utils valgrind clang-14 libclang-rt-14-dev clang-format-14 clang-tidy-14 chromium
    firefox-esr snakemake make strace f3d xvfb xauth locales libgl1-mesa-dri godot3-server debootstrap dpkg-dev xz-utils doxygen lintian
    fish zsh man-db ffmpeg pandoc jq genisoimage mame-tools wit dolphin-emu)
web=(emscripten dpkg-dev make)
windows=(g++-mingw-w64-x86-64-posix libz-mingw-w64-dev wine64 wine dpkg-dev make)

# Packages for scripts/test-today.sh. Blender in sid needs two packages that it only recommends.
today=("${tool[@]}" "${tests[@]}" blender python3-numpy python3-cattr python3-requests assimp-utils nodejs ca-certificates git
    f3d xvfb xauth)
if [ "${1:-}" = --today ]; then
    suite=${2:?scripts/setup.sh --today SUITE}
    root=build/today/$suite
    [ "$suite" != sid ] || today+=(godot)    # Godot 4
    [ "$(cat "$root/.installed" 2>/dev/null)" != "${today[*]}" ] || exit 0
    [ -x /usr/sbin/debootstrap ] || { apt-get update -qq; apt-get install -y -qq --no-install-recommends debootstrap >/dev/null; }
    if [ ! -d "$root" ]; then
        echo "setup: making $root" >&2
        rm -rf "$root.part" && mkdir -p "$root.part"
        debootstrap --variant=minbase "$suite" "$root.part" >"$root.log" 2>&1
        mv "$root.part" "$root"
    fi
    # The package lists of sid may have expired.
    chroot "$root" apt-get -o Acquire::Check-Valid-Until=false update -qq
    DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get install -y -qq --no-install-recommends "${today[@]}" >>"$root.log" 2>&1
    echo "${today[*]}" >"$root/.installed"
    exit 0
fi

packages=("${tool[@]}")
[ "${1:-}" != --windows ] || packages+=("${windows[@]}")
[ "${1:-}" != --web ] || packages+=("${web[@]}")
[ "${1:-}" = tool ] || packages+=("${tests[@]}")
[ "${1:-}" != --all ] || packages+=("${extras[@]}")

missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ "${1:-}" != tool ]; then    # node and npm need not come from Debian
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

# Libraries that Debian lacks for other systems are built from Debian's source packages, with all patches.
fetch_source() { # PACKAGE: into $work. The newest comes first; a mirror may list a package that it does not have.
    local version
    echo "setup: building $1 for $system" >&2
    for version in $(apt-cache "${apt[@]}" showsrc "$1" | sed -n 's/^Version: //p' | sort -rV); do
        (cd "$work" && apt-get "${apt[@]}" source "$1=$version" >"$work/log" 2>&1) && return
    done
}
build_libpng() {
    cmake -S "$work"/libpng1.6-*/ -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPNG_SHARED=OFF -DPNG_TESTS=OFF \
        -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/$toolchain.cmake" -DCMAKE_INSTALL_PREFIX="$root" && cmake --build "$work/build" &&
        "${run[@]}" cmake --install "$work/build"
}
build_libdeflate() {
    local made=libdeflate.a
    [ "$toolchain" != mingw ] || made=libdeflatestatic.lib
    make -C "$work"/libdeflate-*/ CC="$cc" AR="$ar" $made && install_library libdeflate "$work"/libdeflate-*/{$made,libdeflate.h}
}
install_library() { # LIBRARY FILE HEADER...
    "${run[@]}" install -D -m 644 "$2" "$root/lib/$1.a" && "${run[@]}" mkdir -p "$root/include" && "${run[@]}" cp -r "${@:3}" "$root/include"
}
# Compiles only the decompressors, without their build scripts, whose checks of the system take minutes with emcc.
compile() { # LIBRARY OPTION-OR-SOURCE...
    mkdir "$work/objects" && (cd "$work/objects" && $cc -c "${@:2}" && $ar rcs "../$1.a" ./*.o) && rm -r "$work/objects"
}
build_libz() { (cd "$work"/zlib-*/ && compile libz -DHAVE_UNISTD_H "$PWD"/*.c && install_library libz "$work/libz.a" z{lib,conf}.h); }
build_libbz2() { (cd "$work"/bzip2-*/ && compile libbz2 "$PWD"/{blocksort,huffman,crctable,randtable,compress,decompress,bzlib}.c && install_library libbz2 "$work/libbz2.a" bzlib.h); }
build_libzstd() {
    (cd "$work"/libzstd-*/lib && compile libzstd -DZSTD_DISABLE_ASM "$PWD"/{common,decompress}/*.c && install_library libzstd "$work/libzstd.a" zstd.h zstd_errors.h)
}
build_liblz4() { (cd "$work"/lz4-*/lib && compile liblz4 "$PWD/lz4.c" && install_library liblz4 "$work/liblz4.a" lz4.h); }
build_liblzma() {
    (cd "$work"/xz-utils-*/src/liblzma &&
        compile liblzma -I"$PWD"/../common -I"$PWD"/{api,common,check,lz,lzma,rangecoder,delta,simple} -DTUKLIB_SYMBOL_PREFIX=lzma_ -DSIZEOF_SIZE_T=4 \
            -DHAVE_{STDBOOL_H,STDINT_H,INTTYPES_H,STRING_H,LIMITS_H,DECODERS,DECODER_LZMA1,DECODER_LZMA2,CHECK_CRC32} -DHAVE_VISIBILITY=0 \
            "$PWD"/common/{common,filter_common,filter_decoder}.c "$PWD"/lz/lz_decoder.c "$PWD"/lzma/lzma{,2}_decoder.c &&
        install_library liblzma "$work/liblzma.a" api/lzma.h api/lzma)
}
build_libFLAC() {
    (cd "$work"/flac-*/src/libFLAC &&
        compile libFLAC -I"$PWD"/include -I"$PWD"/../../include -DFLAC__NO_DLL -DFLAC__HAS_OGG=0 -DHAVE_{STDINT_H,INTTYPES_H,FSEEKO,LROUND} \
            -DNDEBUG -DPACKAGE_VERSION='"Debian"' "$PWD"/{bitmath,bitreader,cpu,crc,fixed,format,lpc,md5,memory,stream_decoder}.c &&
        install_library libFLAC "$work/libFLAC.a" ../../include/FLAC)
}
from_sources() { # LIBRARY=PACKAGE...
    local each library
    for each in "$@"; do
        library=${each%=*}
        [ ! -e "$root/lib/$library.a" ] || continue
        [ -n "$work" ] || prepare_sources
        fetch_source "${each#*=}"
        "build_$library" >>"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    done
}
prepare_sources() {
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work/sources" "$work/lists/partial" "$work/cache/archives/partial"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/debian*; do    # this machine's package sources
        [ ! -f "$list" ] || sed 's/^Types:.*/Types: deb-src/; s/^deb /deb-src /' "$list" >"$work/sources/$(basename "$list")"
    done
    apt=(-qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/sources" -o Dir::State::lists="$work/lists"
        -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root)
    apt-get "${apt[@]}" update
}
work=''
case ${1:-} in
    --windows)
        system=Windows toolchain=mingw root=/usr/local/x86_64-w64-mingw32 cc=x86_64-w64-mingw32-gcc-posix ar=x86_64-w64-mingw32-ar
        from_sources libpng=libpng1.6 libdeflate=libdeflate ;;
    --web)
        export NODE_PATH=/usr/share/nodejs    # emcc's script is there, but only Debian's Node.js looks there by itself
        system=WebAssembly toolchain=wasm root=/usr/local/wasm32-emscripten cc='emcc -O2 -fwasm-exceptions' ar=emar
        from_sources libz=zlib libpng=libpng1.6 libdeflate=libdeflate libbz2=bzip2 liblzma=xz-utils libzstd=libzstd liblz4=lz4 libFLAC=flac ;;
esac
