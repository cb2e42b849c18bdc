#!/usr/bin/env bash
# Makes the packages, in build/packages.
#
#   scripts/package.sh                all packages
#   scripts/package.sh debian         .deb files for Debian 12: the library, its headers, the command, reanima-run
#   scripts/package.sh tarball        the command for any Linux: it needs only the kernel and fonts
#   scripts/package.sh windows        the command for Windows, in a .zip
#
# `scripts/setup.sh --windows` installs the requirements. The same commit gives the same bytes. CMAKE_ARGUMENTS is passed
# to CMake in builds for Linux.
set -euo pipefail
cd "$(dirname "$0")/.."
version="$(sed -n 's/^project(reanima VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
jobs="${JOBS:-$(nproc)}"
packages="$PWD/build/packages"
# The system finds the installed libraries. A run path would make their build ids depend on the folder.
debian=(-DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_SKIP_RPATH=ON)
# The maintainer is the author of the commit. The home page is the origin of this clone, if that is on the web.
maintainer="$(git log -1 --format='%an <%ae>' 2>/dev/null)" && debian+=("-DREANIMA_MAINTAINER=$maintainer")
homepage="$(git config remote.origin.url 2>/dev/null)" && case $homepage in https://*) debian+=("-DREANIMA_HOMEPAGE=${homepage%.git}") ;; esac
# All dates in packages.
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
    local kind
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

# Links the command from the same objects without shared libraries. Debian has no static fmt, so the templates that its
# headers declare as extern are instantiated here.
link_static_command() {
    local folder=build/package-debian-programs
    cat >"$folder/static_fmt.cpp" <<'FMT'
#include <fmt/format-inl.h>
FMT_BEGIN_NAMESPACE
namespace detail {
template auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template locale_ref::locale_ref(const std::locale&);
template auto locale_ref::get<std::locale>() const -> std::locale;
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
template void buffer<char>::append(const char*, const char*);
template void vformat_to(buffer<char>&, string_view, basic_format_args<FMT_BUFFER_CONTEXT(char)>, locale_ref);
}  // namespace detail
FMT_END_NAMESPACE
FMT
    # shellcheck disable=SC2046
    "${CXX:-c++}" -std=c++20 -O2 -static -s -Wl,-z,relro,-z,now -o "$1" "$folder/static_fmt.cpp" \
        $(find "$folder/tools/CMakeFiles/reanima.dir" -name '*.o' | sort) -Wl,--start-group \
        $(find "$folder" -name 'libreanima_*.a' ! -name 'libreanima_assimp.a' | sort) \
        $(pkg-config --static --libs cairo fontconfig libpng libdeflate zlib liblzma libzstd liblz4 flac) -lbz2 -Wl,--end-group 2>"$folder/static.log" || {
        cat "$folder/static.log" >&2
        return 1
    }
}

# The licences of statically linked libraries, besides those in THIRD_PARTY.md.
static_licences() {
    local package
    for package in libc6 libstdc++6 libcairo2 libpixman-1-0 libfontconfig1 libfreetype6 libexpat1 libbrotli1 libbz2-1.0 liblzma5 libzstd1 liblz4-1 libflac12 \
        libogg0; do
        cp -L "/usr/share/doc/$package/copyright" "$1/$package"
    done
}

package_tarball() {
    local name
    name="reanima-$version-linux-$(uname -m)"
    build debian-programs "${debian[@]}"
    rm -rf "build/$name"
    mkdir -p "build/$name/bin" "build/$name/licences"
    link_static_command "build/$name/bin/reanima"
    cp LICENSE THIRD_PARTY.md CHANGELOG.md docs/command.md "build/$name/"
    static_licences "build/$name/licences"
    tar -C build --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cJf "$packages/$name.tar.xz" "$name"
    rm -rf "build/$name"
}

package_windows() {
    CMAKE_BUILD_PARALLEL_LEVEL="$jobs" scripts/build-windows.sh --output "$packages/reanima-$version-windows-x64.zip" >build/package-windows.log 2>&1 || {
        cat build/package-windows.log >&2
        return 1
    }
}

# missing_for STEP: the first missing program or library that a package needs
missing_for() {
    local thing things=()
    case $1 in
        debian) things=(dpkg-shlibdeps) ;;
        tarball) things=(xz) ;;
        windows) things=(x86_64-w64-mingw32-g++-posix /usr/x86_64-w64-mingw32/lib/libz.a /usr/local/x86_64-w64-mingw32/lib/libpng.a
            /usr/local/x86_64-w64-mingw32/lib/libdeflate.a) ;;
    esac
    for thing in "${things[@]}"; do
        command -v "$thing" >/dev/null || [ -e "$thing" ] || {
            echo "$thing"
            return
        }
    done
}

mkdir -p "$packages"
wanted=("$@")
[ $# -gt 0 ] || wanted=(debian tarball windows)
for step in "${wanted[@]}"; do
    declare -F "package_$step" >/dev/null || {
        echo "package: there is no package '$step'" >&2
        exit 2
    }
    missing=$(missing_for "$step")
    [ -z "$missing" ] || {
        echo "package: $step needs $missing: scripts/setup.sh --windows installs it" >&2
        exit 1
    }
done
scripts/setup.sh tool
for step in "${wanted[@]}"; do
    "package_$step"
done
(cd "$packages" && ls -l)
