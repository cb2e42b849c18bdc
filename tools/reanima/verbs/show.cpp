#include "tools/reanima/verbs/show.h"

#include <fmt/format.h>

#include "archives/open_archives.h"
#include "tools/reanima/front/command_words.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

bool beginsWithInput(std::span<const std::string> words) {
    if (words.empty() || words.front().starts_with('-'))
        return false;
    const fs::path path = fromUtf8(words.front());
    return isFolder(path) || isFile(fileOf(path));
}

void refuseOutput(std::span<const std::string> words) {
    for (const std::string& word : words)
        if (word.starts_with("-o") || word.starts_with("--output"))
            throw UsageError(
                fmt::format("{}: this option needs a verb. To name the page, use `reanima preview {} -o PAGE.html`",
                            word, asWord(words.front())));
}

std::string pageToShow(const std::string& input) {
    try {
        const fs::path folder = folderToShowFrom();
        std::error_code error;
        for (const fs::path& name : core::namesIn(folder, error))
            if (lowerCase(toUtf8(name.extension())) == ".html")
                core::removeFile(folder / name, error);
        return toUtf8(folder / fromUtf8(stemOfOutput(input) + ".html"));
    } catch (const std::system_error& error) {
        throw OutputError(fmt::format("{}: can't be shown, because the page's folder can't be made: {}", input,
                                      error.code().message()));
    }
}

void showPage(const std::string& page, const Console& console) {
    if (!openWithDesktop(fromUtf8(page)))
        console.say(fmt::format("open it in a browser: {}", page));
}

}  // namespace reanima::tool
