#!/usr/bin/env bash
# Installs the packages in a fresh Debian, where nothing else of this project is, and uses them there.
#
#   packages_test.sh SOURCE [ROOT]     packages from SOURCE/build/packages (scripts/package.sh); ROOT: a Debian 12 that
#                                      debootstrap made, which is changed. Default, with REANIMA_LONG=1: a new one
#
# Exit status 77: something that it needs is not there.
set -euo pipefail
source="$1"
packages="$source/build/packages"
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT

skip() {
    echo "packages: $*" >&2
    exit 77
}
fail() {
    echo "packages: $*" >&2
    exit 1
}

# What is in the packages, as Debian wants it.
# holds PACKAGE FILE...: files that the package installs
holds() {
    local package="$1" name
    shift
    dpkg-deb --contents "$packages/$package"_*.deb >"$place/contents"
    for name in "$@"; do
        grep -q " ./usr/$name$" "$place/contents" || fail "$package has no /usr/$name"
    done
}
check_contents() {
    local package arch
    arch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
    for package in reanima reanima-run libreanima0.2 libreanima-dev; do
        holds "$package" "share/doc/$package/changelog.gz" "share/doc/$package/CHANGELOG.md.gz" "share/doc/$package/copyright"
        [ "$(dpkg-deb --field "$packages/$package"_*.deb Description | wc -l)" -ge 2 ] || fail "$package has no description"
    done
    holds reanima bin/reanima share/man/man1/reanima.1.gz share/bash-completion/completions/reanima \
        share/reanima/player/player.js share/reanima/player/player.css share/zsh/vendor-completions/_reanima share/fish/vendor_completions.d/reanima.fish share/doc/reanima/README.md \
        share/doc/reanima/docs/command.md share/doc/reanima/docs/ways/ff7_to_blender.md
    holds reanima-run bin/reanima-run share/man/man1/reanima-run.1.gz share/doc/reanima-run/cpp.md
    holds libreanima0.2 "lib/$arch/libreanima_core.so.0.2.0"
    holds libreanima-dev "lib/$arch/pkgconfig/reanima.pc" "lib/$arch/cmake/reanima/reanimaConfig.cmake" include/reanima/pipeline.h \
        share/doc/libreanima-dev/cpp.md share/doc/libreanima-dev/examples/suggest.cpp
    dpkg-deb --ctrl-tarfile "$packages"/libreanima0.2_*.deb | tar -xO ./triggers | grep -q '^activate-noawait ldconfig$' ||
        fail 'libreanima0.2 does not ask for ldconfig'
    if command -v lintian >/dev/null; then
        lintian --allow-root --fail-on error "$packages"/*.deb >"$place/lintian" 2>&1 || {
            grep '^E:' "$place/lintian" >&2 || cat "$place/lintian" >&2
            fail 'lintian finds errors'
        }
        echo 'packages: lintian finds no errors'
    fi
}
if ls "$packages"/*.deb >/dev/null 2>&1; then
    check_contents
fi

[ $# -gt 1 ] || [ -n "${REANIMA_LONG:-}" ] || skip 'only with REANIMA_LONG=1, or a ROOT'
[ "$(id -u)" = 0 ] || skip 'only root can make a fresh Debian'
command -v debootstrap >/dev/null || skip 'debootstrap is not installed'
ls "$packages"/*.deb >/dev/null 2>&1 || skip 'scripts/package.sh was not run'
root="${2:-$place/root}"
[ -d "$root/usr" ] || debootstrap --variant=minbase bookworm "$root" >"$place/log" 2>&1 || {
    cat "$place/log" >&2
    fail 'debootstrap'
}

# inside COMMAND...: in the fresh Debian
inside() { LD_PRELOAD='' chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
# quietly COMMAND...: inside; its output only if it fails
quietly() {
    inside "$@" >"$place/log" 2>&1 || {
        cat "$place/log" >&2
        fail "$*"
    }
}

# install_packages NAME...: packages of Debian, or of ours by the beginning of their files' names
install_packages() {
    local name words=()
    for name in "$@"; do
        if [ "${name#/}" = "$name" ]; then
            words+=("$name")
        else
            words+=("$(cd "$root" && echo ".$name"*.deb | sed 's/^[.]//')")
        fi
    done
    quietly apt-get install -y --reinstall --no-install-recommends "${words[@]}"
}

rm -rf "$root/packages" "$root/samples" "$root/consumers"
mkdir "$root/packages" "$root/consumers"
cp "$packages"/*.deb "$packages"/*.tar.* "$root/packages/" 2>/dev/null || true
cp -r "$source/samples" "$root/samples"
cp -r "$source/tests/consumers/rooms" "$root/consumers/"

# The static command, before anything is installed.
for tarball in "$packages"/reanima-*-linux-*.tar.xz; do
    [ -e "$tarball" ] || continue
    tar -C "$root/packages" -xJf "$tarball"
    static="/packages/$(basename "$tarball" .tar.xz)/bin/reanima"
    quietly "$static" convert -q /samples/ff7/hrda -o /packages/static.glb
    quietly "$static" preview -q /samples/ff7/hrda -o /packages/static.png
    readelf -l "$root$static" | grep -q INTERP && fail 'the static command asks for a loader'
    echo "packages: $(basename "$tarball") runs"
done

# The command alone.
install_packages /packages/reanima_
quietly reanima convert -q /samples/ff7/hrda -o /packages/hero.glb
[ ! -e "$root/packages/static.glb" ] || cmp "$root/packages/static.glb" "$root/packages/hero.glb" || fail 'the static command writes another file'
quietly reanima bind -q /samples/ff7/hrda -s /samples/metroid/hero.CINF --suggest -o /packages/map.json
echo 'packages: reanima runs'

# Programs with Assimp, before and after reanima-run.
install_packages assimp-utils
inside assimp info /samples/ff7/hrda >/dev/null 2>&1 && fail 'assimp reads the sample by itself'
install_packages /packages/reanima-run_
inside reanima-run assimp info /samples/ff7/hrda >"$place/info" || fail 'reanima-run assimp'
grep -q 'Animations: *4$' "$place/info" || fail 'reanima-run finds other animations'
grep -q 'bone001' "$place/info" || fail 'reanima-run finds no bones'
[ "$(inside reanima-run /bin/true 2>&1 | wc -l)" -le 1 ] || fail 'reanima-run says too much'
echo 'packages: reanima-run runs'

# Programs that are built with the library.
install_packages g++ cmake ninja-build pkg-config libassimp-dev zlib1g-dev /packages/libreanima0 /packages/libreanima-dev_
quietly cmake -S /consumers/rooms -B /consumers/build -G Ninja -DWITH_gltf=ON -DWITH_assimp=ON
quietly cmake --build /consumers/build
bin=/consumers/build/bin
printf 'neither an animation nor a skeleton\n' >"$root/packages/letter.txt"
quietly "$bin/rooms" /samples/ff7/hrda /packages/letter.txt
quietly "$bin/convert" /samples/ff7/hrda /packages/converted.glb
quietly "$bin/load_with_assimp" /samples/ff7/hrda
quietly "$bin/play_video" /samples/rlf/wheel.rlf 0 1 0.5 /packages/shown.ppm
# shellcheck disable=SC2016
quietly sh -c 'c++ -std=c++20 /samples/programs/convert.cpp -o /packages/convert $(pkg-config --cflags --libs reanima) && /packages/convert /samples/ff7/hrda /packages/again.glb'
cmp "$root/packages/converted.glb" "$root/packages/again.glb" || fail 'pkg-config gives another library'
echo 'packages: programs are built with libreanima-dev, and run'
