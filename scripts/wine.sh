#!/usr/bin/env bash
# Runs a program for Windows under wine, without windows on a screen.
#
#   scripts/wine.sh PROGRAM.exe [ARGUMENT...]
#
# All checkouts share one prefix (700 MB): $WINEPREFIX, or reanima-wine in the user's cache.
set -euo pipefail
export WINEPREFIX=${WINEPREFIX:-${XDG_CACHE_HOME:-$HOME/.cache}/reanima-wine}
# If wine itself can't map memory, it ends with status 1 and reports it only with these errors enabled.
export WINEARCH=win64 WINEDEBUG=${WINEDEBUG:--all,err+virtual} WINEDLLOVERRIDES='mscoree,mshtml=;winemenubuilder.exe=d'
export LC_ALL=C.UTF-8    # names of files are UTF-8
unset DISPLAY
mkdir -p "$(dirname "$WINEPREFIX")"
# Hides wine's output while it makes the prefix, since it is not the program's output.
[ -e "$WINEPREFIX/system.reg" ] || WINEDEBUG=-all wine wineboot --init >/dev/null 2>&1 || true
exec wine "$@"
