#!/usr/bin/env bash
# Makes the reference of the headers that are installed, for a browser: OUTPUT/html/index.html.
#
#   scripts/reference.sh [BUILD [OUTPUT]]      BUILD: a folder that CMake has configured, default build/tool;
#                                              OUTPUT: default build/reference
#
# Fails for what doxygen warns of, and for a function without a docstring. `scripts/setup.sh --all` installs doxygen.
set -euo pipefail
cd "$(dirname "$0")/.."
build="${1:-build/tool}"
output="${2:-build/reference}"
[ -d "$build/include/reanima" ] || cmake --preset tool >/dev/null
mkdir -p "$output"

# The headers as they are listed now, whatever an older configuration left there.
headers="$(mktemp -d)"
trap 'rm -rf "$headers"' EXIT
cp -rL "$build/include/reanima" "$headers/reanima" 2>/dev/null || true   # of a header that is gone a broken link is left
REANIMA_VERSION="$(sed -n 's/^project(reanima VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
export REANIMA_VERSION REANIMA_REFERENCE="$output" REANIMA_HEADERS="$headers"
doxygen Doxyfile

# With every member in the reference, doxygen does not report missing docstrings, so it runs once more without output.
(cat Doxyfile && printf 'EXTRACT_ALL = NO\nWARN_IF_UNDOCUMENTED = YES\nWARN_AS_ERROR = NO\nGENERATE_HTML = NO\nGENERATE_XML = YES\nXML_OUTPUT = undocumented\n') |
    doxygen - 2>&1 | grep '(function) of namespace .* is not documented' | sed "s|^$headers/||" >"$output/undocumented.txt" || true
rm -rf "$output/undocumented"
if [ -s "$output/undocumented.txt" ]; then
    cat "$output/undocumented.txt" >&2
    exit 1
fi
echo "wrote $output/html/index.html"
