/// `reanima`: reads the animations of classic games, converts them to glTF, shows and rewrites them.

#include <array>
#include <exception>

#include "tools/reanima/system/failure.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/system/temporary.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace {

int run(int argc, char** argv) {
    Console console;
    try {
        const std::array verbs = {kInfo,   kConvert, kBind, kDump,    kEncode, kCheck,
                                  kFrames, kPreview, kList, kExtract, kFormats};
        const int status = dispatch(argc, argv, verbs, console);
        return interrupted() ? kInterrupted : status;
    } catch (...) {
        const Failure failure = currentFailure();
        console.error(interrupted() ? "interrupted" : failure.message);
        return interrupted() ? kInterrupted : failure.status;
    }
}

}  // namespace

int runCommand(int argc, char** argv) {
    std::set_terminate(endOutOfMemory);
    prepareProcess();
    return run(argc, argv);
}

}  // namespace reanima::tool
