#include "archives/own_names.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/decode_error.h"
#include "core/text.h"

namespace reanima::archives {

namespace {

/// The names in a file. Empty if the file does not exist or can't be read.
std::optional<OwnNames> namesAt(const std::string& path, const NameFile& kind, const core::Files& files,
                                const core::Limits& limits) {
    core::Limits own;  // not the caller's limits: the result is the same for all callers
    own.fileSize = std::min(limits.fileSize, kind.largest);
    try {
        if (files.exists(path))
            return kind.read(files.read(path, own).bytes);
    } catch (const core::DecodeError&) {  // NOLINT: the user did not ask for the file
    }
    return std::nullopt;
}

NamesOfFile namesAround(const std::string& file, const NameFile& kind, const core::Files& files,
                        const core::Limits& limits) {
    std::string large(kind.file);
    std::ranges::transform(large, large.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    for (const std::string_view folder : kind.folders)
        for (const std::string_view name : {kind.file, std::string_view(large)}) {
            const std::string path = files.resolved(fmt::format("{}{}", folder, name), file);
            if (std::optional<OwnNames> names = namesAt(path, kind, files, limits))
                return {*std::move(names), path};
        }
    return {};
}

}  // namespace

const NamesOfFile& KnownNames::beside(const std::string& file, const NameFile& kind, const core::Files& files,
                                      const core::Limits& limits) {
    const std::string folder = file.substr(0, file.find_last_of("/\\") + 1);
    const std::lock_guard lock(mutex_);
    const std::string key = fmt::format("{}:{}", kind.file, folder);
    const auto known = known_.find(key);
    return known != known_.end() ? known->second
                                 : known_.emplace(key, namesAround(file, kind, files, limits)).first->second;
}

core::Called calledBy(const OwnNames& names, const NameFile& kind, std::string_view fileName) {
    const std::string key = kind.keyOf(fileName);
    const auto name = names.find(key);
    if (name == names.end())
        return {};
    return {core::titleOf(name->second), key, name->second, core::NamedBy::game};
}

}  // namespace reanima::archives
