# Builds for WebAssembly on Debian 12, with the packages of `scripts/setup.sh --web`. This file is the
# toolchain of the preset `web`.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)

# Libraries of this machine are never used. Libraries that setup.sh built from Debian's sources are below /usr/local.
list(PREPEND CMAKE_FIND_ROOT_PATH /usr/local/wasm32-emscripten)

# WebAssembly's own exceptions need no calls into JavaScript.
set(CMAKE_C_FLAGS_INIT -fwasm-exceptions)
set(CMAKE_CXX_FLAGS_INIT "-fwasm-exceptions -include ${CMAKE_CURRENT_LIST_DIR}/wasm_library.h")
