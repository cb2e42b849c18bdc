#!/usr/bin/env bash
# Runs a program for Windows under wine, without windows on a screen.
#
#   scripts/wine.sh PROGRAM.exe [ARGUMENT...]
#
# All checkouts share one prefix (700 MB): $WINEPREFIX, or reanima-wine in the user's cache.
set -euo pipefail
export WINEPREFIX=${WINEPREFIX:-${XDG_CACHE_HOME:-$HOME/.cache}/reanima-wine}
export WINEARCH=win64 WINEDEBUG=${WINEDEBUG:--all} WINEDLLOVERRIDES='mscoree,mshtml=;winemenubuilder.exe=d'
export LC_ALL=C.UTF-8    # names of files are UTF-8
unset DISPLAY
mkdir -p "$(dirname "$WINEPREFIX")"
exec wine "$@"
