#include "tools/reanima/jobs/walk.h"

#include <fmt/format.h>

#include "core/text_pattern.h"
#include "pipeline/memoria_folder.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/glob.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

std::optional<Walk> walkOf(const InputOptions& options, const std::string& path) {
    if (isMemoriaCharacter(fromUtf8(path)))
        return std::nullopt;
    if (isFolder(fromUtf8(path))) {
        FolderContent content = contentOf(fromUtf8(path));
        Walk walk{{}, std::move(content.errors), content.devices.size() + content.links.size()};
        for (const fs::path& file : options.inputsAmong(std::move(content.files)))
            walk.files.push_back(toUtf8(file));
        return walk;
    }
    if (!options.format.empty() || path == kStandardStream)
        return std::nullopt;
    const bool isEntry = options.files->namesEntry(path);
    if (!isEntry && options.folderFormatOf(path) == nullptr)
        return std::nullopt;
    const auto archive =
        isEntry ? options.files->openIfArchive(path, options.limits) : options.files->openArchive(path, options.limits);
    if (!archive || !archive->format().holdsCharacters)
        return std::nullopt;
    Walk walk;
    for (core::Warning doubt : archive->diagnostics().warnings()) {
        doubt.file = path;
        walk.doubts.add(std::move(doubt));
    }
    for (archives::FoundEntry& found : options.files->entriesIn(path, options.limits))
        walk.files.push_back(std::move(found.path));
    return walk;
}

std::vector<std::string> namedBy(const std::vector<std::string>& words, const InputOptions& options) {
    std::vector<std::string> names;
    for (const std::string& word : words) {
        std::vector<std::string> found;
        if (core::isPattern(word) && !options.files->exists(word)) {
            try {
                if (options.files->namesEntry(word))
                    found = options.files->matching(word, options.limits);
                else
                    for (const fs::path& path : matching(fromUtf8(word)))
                        found.push_back(toUtf8(path));
            } catch (const core::DecodeError&) {  // NOLINT: reading it reports the error
            }
        }
        if (found.empty())
            found.push_back(word);
        names.insert(names.end(), found.begin(), found.end());
    }
    return names;
}

std::string nameBelow(const std::string& walked, const std::string& file) {
    if (isFolder(fromUtf8(walked)))
        return toUtf8(fromUtf8(file).lexically_relative(fromUtf8(walked)));
    return file.substr(walked.size() + 1);  // the entry follows the archive and a colon
}

}  // namespace reanima::tool
