/// `reanima`: reads the animations of classic games, converts them to glTF, shows them and writes them back.

#include <algorithm>
#include <array>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "tools/reanima/system/failure.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/system/temporary.h"
#include "tools/reanima/verbs/show.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace {

bool namesVerb(const std::string& word, std::span<const Verb> verbs) {
    return std::ranges::any_of(verbs, [&word](const Verb& verb) { return verb.name == word; });
}

/// Shows files that were dropped on the program. The other arguments of the command line go to `preview`.
int show(const std::vector<std::string>& words, std::span<const Verb> verbs, Console& console) {
    refuseOutput(words);
    const std::string page = pageToShow(words.front());
    std::vector<std::string> previewed = {kPreview.name};
    previewed.insert(previewed.end(), words.begin(), words.end());
    for (const std::string& word : {std::string("--force"), std::string("-o"), page})
        previewed.push_back(word);
    const int status = dispatch(previewed, verbs, console);
    if (isFile(fromUtf8(page)))
        showPage(page, console);
    return status;
}

/// Reports files that could not be read, in case the work was done without them.
/// @return the exit status
int withUnread(int status, const Console& console) {
    const std::vector<std::string> unread = unreadFiles();
    for (const std::string& message : unread)
        if (!console.hasSaid(message))
            console.error(message);
    return status == kDone && !unread.empty() ? kInputFailed : status;
}

int run(int argc, char** argv) {
    Console console;
    try {
        const std::array verbs = {kInfo,    kConvert, kBind, kDump,    kEncode, kCheck,  kFrames,
                                  kPreview, kFind,    kList, kExtract, kPack,   kRetime, kFormats};
        const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
        const int status = beginsWithInput(words) && !namesVerb(words.front(), verbs) ? show(words, verbs, console)
                                                                                      : dispatch(words, verbs, console);
        return interrupted() ? kInterrupted : withUnread(status, console);
    } catch (...) {
        const Failure failure = currentFailure();
        if (interrupted())
            console.error("interrupted");
        else if (!failure.isQuiet)
            console.error(failure.message);
        return interrupted() ? kInterrupted : withUnread(failure.status, console);
    }
}

}  // namespace

int runCommand(int argc, char** argv) {
    std::set_terminate(endOutOfMemory);
    prepareProcess();
    const int status = run(argc, argv);
    waitInOwnWindow();
    return status;
}

}  // namespace reanima::tool
