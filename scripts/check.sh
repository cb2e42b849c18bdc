#!/usr/bin/env bash
# Checks beyond the tests of behaviour: style, wordings, sizes, includes, links, and findings of clang, clang-tidy and
# GCC's optimiser.
#
#   scripts/check.sh           checks what changed since main (on main: in the last commit)
#   scripts/check.sh --long    checks everything, and builds libraries, command and tests with clang
#
# A test checks the messages and the help texts, since that needs the command.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { echo "check: $*" >&2; }

step formatting
git ls-files '*.cpp' '*.h' | xargs clang-format-14 --dry-run -Werror
for script in scripts/reanima $(git ls-files '*.sh'); do bash -n "$script"; done

step "wordings, sizes, flags, includes, twins, links"
scripts/check_words.py
scripts/check_sizes.py
scripts/check_flags.py
scripts/check_format_names.py
scripts/check_structure.py
scripts/check_twins.py
scripts/check_links.py

# clang-tidy reads the code as clang does, with the warnings of the build.
cmake --preset clang >/dev/null
if [ "${1:-}" = --long ]; then
    step "clang, everything"
    cmake --build --preset clang
    mapfile -t sources < <(scripts/changed_sources.py --all)
else
    mapfile -t sources < <(scripts/changed_sources.py)
fi
step "clang and clang-tidy, ${#sources[@]} sources"
if [ ${#sources[@]} -gt 0 ] && [ -n "${sources[0]}" ]; then
    printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy-14 --quiet -p build/clang --warnings-as-errors='*,clang-diagnostic-*'
fi

# Only the optimiser finds some warnings.
step "g++ -O3, ${#sources[@]} sources"
if [ ${#sources[@]} -gt 0 ] && [ -n "${sources[0]}" ]; then
    cmake --preset release >/dev/null
    scripts/compile_sources.py build/release "${sources[@]}"
fi
