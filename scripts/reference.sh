#!/usr/bin/env bash
# Makes the reference of the installed headers as HTML: OUTPUT/html/index.html.
#
#   scripts/reference.sh [BUILD [OUTPUT]]      BUILD: a folder that CMake has configured, default build/tool;
#                                              OUTPUT: default build/reference
#
# Fails if doxygen gives a warning, or if a function has no docstring. `scripts/setup.sh --all` installs doxygen.
set -euo pipefail
cd "$(dirname "$0")/.."
build="${1:-build/tool}"
output="${2:-build/reference}"
[ -d "$build/include/reanima" ] || cmake --preset tool >/dev/null
mkdir -p "$output"

# Only headers that are listed now, without leftovers of an older configuration.
headers="$(mktemp -d)"
trap 'rm -rf "$headers"' EXIT
cp -rL "$build/include/reanima" "$headers/reanima" 2>/dev/null || true   # a removed header leaves a broken link
REANIMA_VERSION="$(sed -n 's/^project(reanima VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
export REANIMA_VERSION REANIMA_REFERENCE="$output" REANIMA_HEADERS="$headers"
doxygen Doxyfile

# Doxygen does not report missing docstrings if it lists all members, so it runs a second time without output.
(cat Doxyfile && printf 'EXTRACT_ALL = NO\nWARN_IF_UNDOCUMENTED = YES\nWARN_AS_ERROR = NO\nGENERATE_HTML = NO\nGENERATE_XML = YES\nXML_OUTPUT = undocumented\n') |
    doxygen - 2>&1 | grep '(function) of namespace .* is not documented' | sed "s|^$headers/||" >"$output/undocumented.txt" || true
rm -rf "$output/undocumented"
if [ -s "$output/undocumented.txt" ]; then
    cat "$output/undocumented.txt" >&2
    exit 1
fi
echo "wrote $output/html/index.html"
