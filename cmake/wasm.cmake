# Builds for WebAssembly on Debian 12, with the packages of `scripts/setup.sh --web`. The preset `web` takes this file as
# its toolchain.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)

# Libraries of this machine are never taken. What setup.sh builds from Debian's sources is below /usr/local.
list(PREPEND CMAKE_FIND_ROOT_PATH /usr/local/wasm32-emscripten)

# Exceptions of WebAssembly itself cost no calls into the page's script.
set(CMAKE_C_FLAGS_INIT -fwasm-exceptions)
set(CMAKE_CXX_FLAGS_INIT "-fwasm-exceptions -include ${CMAKE_CURRENT_LIST_DIR}/wasm_library.h")
