#!/usr/bin/env bash
# Makes the packages, in build/packages.
#
#   scripts/package.sh                all of them
#   scripts/package.sh debian         .deb files for Debian 12: the library, its headers, the command, reanima-run
#
# The same commit gives the same bytes. Words in CMAKE_ARGUMENTS are passed on to CMake.
set -euo pipefail
cd "$(dirname "$0")/.."
version="$(sed -n 's/^project(reanima VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
jobs="${JOBS:-$(nproc)}"
packages="$PWD/build/packages"
# Every date in a package.
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct 2>/dev/null || date +%s)"
export SOURCE_DATE_EPOCH

# build NAME CMAKE_ARGUMENTS...: in build/package-NAME
build() {
    local folder="build/package-$1"
    shift
    # shellcheck disable=SC2086
    cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DREANIMA_TESTS=OFF "$@" ${CMAKE_ARGUMENTS:-} >"$folder.log" 2>&1 &&
        cmake --build "$folder" -j "$jobs" >>"$folder.log" 2>&1 || {
        cat "$folder.log" >&2
        return 1
    }
}

package_debian() {
    command -v dpkg-shlibdeps >/dev/null || {
        echo 'package: dpkg-shlibdeps is not installed: scripts/setup.sh --all' >&2
        return 1
    }
    local debian=(-DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_SKIP_INSTALL_RPATH=ON) kind
    build debian-programs "${debian[@]}"
    build debian-libraries "${debian[@]}" -DBUILD_SHARED_LIBS=ON -DREANIMA_TOOL=OFF
    for kind in programs libraries; do
        (cd "build/package-debian-$kind" && cpack -B "$packages" >cpack.log 2>&1) || {
            cat "build/package-debian-$kind/cpack.log" >&2
            return 1
        }
    done
    rm -rf "$packages/_CPack_Packages"
}

mkdir -p "$packages"
wanted=("$@")
[ $# -gt 0 ] || wanted=(debian)
for step in "${wanted[@]}"; do
    declare -F "package_$step" >/dev/null || {
        echo "package: there is no package '$step'" >&2
        exit 2
    }
done
scripts/setup.sh tool
for step in "${wanted[@]}"; do
    "package_$step"
done
(cd "$packages" && ls -l)
