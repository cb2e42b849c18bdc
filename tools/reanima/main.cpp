/// `reanima`: reads the animations of classic games, converts them to glTF, shows and rewrites them.

#include <array>
#include <exception>
#include <new>

#include "core/decode_error.h"
#include "tools/reanima/platform.h"
#include "tools/reanima/verbs.h"

int main(int argc, char** argv) {
    using namespace reanima::tool;  // NOLINT: a program may
    using reanima::core::DecodeError;
    prepareProcess();
    Console console;
    try {
        const std::array verbs = {kInfo, kConvert, kDump, kEncode, kCheck, kFrames, kFormats};
        return dispatch(argc, argv, verbs, console);
    } catch (const UsageError& error) {
        console.error(error.what());
        return kUsage;
    } catch (const OutputError& error) {
        console.error(error.what());
        return kOutputFailed;
    } catch (const DecodeError& error) {
        console.error(error.what());
        return error.kind() == DecodeError::Kind::limit ? kLimitExceeded : kInputFailed;
    } catch (const std::bad_alloc&) {
        console.error("out of memory");
        return kLimitExceeded;
    } catch (const std::exception& error) {
        console.error(error.what());
        return kInputFailed;
    }
}
