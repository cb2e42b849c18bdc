/// `reanima`: reads the animations of classic games, converts them to glTF, shows and rewrites them.

#include <CLI/CLI.hpp>

#include <exception>
#include <new>

#include "core/decode_error.h"
#include "tools/reanima/console.h"
#include "tools/reanima/platform.h"
#include "tools/reanima/verbs.h"

namespace {

using namespace reanima;        // NOLINT: a program may
using namespace reanima::tool;  // NOLINT

int run(int argc, char** argv, Console& console) {
    int status = kDone;
    CLI::App app("Animations of classic games, for today's engines and Blender.", "reanima");
    app.set_version_flag("--version", "reanima " REANIMA_VERSION);
    app.require_subcommand(1);
    app.allow_windows_style_options(false);
    app.footer("`reanima VERB --help` tells more, with an example.");
    addInfo(app, console, status);
    addConvert(app, console, status);
    addDump(app, console, status);
    addEncode(app, console, status);
    addCheck(app, console, status);
    addFormats(app, console, status);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
            return app.exit(error);  // --help, --version
        console.error(error.what());
        console.say("`reanima --help` and `reanima VERB --help` tell how it is used.");
        return kUsage;
    }
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    prepareProcess();
    Console console;
    try {
        return run(argc, argv, console);
    } catch (const UsageError& error) {
        console.error(error.what());
        return kUsage;
    } catch (const OutputError& error) {
        console.error(error.what());
        return kOutputFailed;
    } catch (const core::DecodeError& error) {
        console.error(error.what());
        return error.kind() == core::DecodeError::Kind::limit ? kLimitExceeded : kInputFailed;
    } catch (const std::bad_alloc&) {
        console.error("out of memory");
        return kLimitExceeded;
    } catch (const std::exception& error) {
        console.error(error.what());
        return kInputFailed;
    }
}
