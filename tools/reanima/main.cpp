/// `reanima`: reads the animations of classic games, converts them to glTF, shows and rewrites them.

#include <array>

#include "tools/reanima/failure.h"
#include "tools/reanima/platform.h"
#include "tools/reanima/verbs.h"

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

}  // namespace reanima::tool

int main(int argc, char** argv) {
    reanima::tool::prepareProcess();
    return reanima::tool::run(argc, argv);
}
