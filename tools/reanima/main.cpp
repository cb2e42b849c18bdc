/// `reanima`: reads the animations of classic games, converts them to glTF, shows and rewrites them.

#include <array>

#include "tools/reanima/failure.h"
#include "tools/reanima/platform.h"
#include "tools/reanima/verbs.h"

int main(int argc, char** argv) {
    using namespace reanima::tool;  // NOLINT: a program may
    prepareProcess();
    Console console;
    try {
        const std::array verbs = {kInfo, kConvert, kBind, kDump, kEncode, kCheck, kFrames, kFormats};
        return dispatch(argc, argv, verbs, console);
    } catch (...) {
        const Failure failure = currentFailure();
        console.error(failure.message);
        return failure.status;
    }
}
