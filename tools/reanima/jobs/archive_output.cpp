#include "tools/reanima/jobs/archive_output.h"

#include <fmt/format.h>

#include "archives/characters.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

std::shared_ptr<const archives::Archive> openedArchive(const InputOptions& options, const std::string& path) {
    if (isFolder(fromUtf8(path)))
        throw UsageError(fmt::format("{}: is a folder, expected an archive", path));
    return options.files->openArchive(path, options.limits);
}

}  // namespace

ArchiveOutput::ArchiveOutput(const InputOptions& options, std::string path)
    : options_(options), path_(std::move(path)), archive_(openedArchive(options, path_)) {
    core::inFile(path_, [this] { archive_->requireWritable(); });
}

std::optional<CalledFiles> filesCalled(const InputOptions& options, const std::string& path,
                                       const archives::Archive& archive, const std::string& name) {
    const auto titles = options.files->titlesIn(path, archive, options.limits);
    const std::vector<const archives::Entry*> called = archives::entriesCalled(archive, name);
    const auto found = called.size() == 1 ? titles.find(called.front()) : titles.end();
    if (found == titles.end())
        return std::nullopt;
    CalledFiles result{found->second, {}};
    for (const auto& [entry, title] : titles)
        if (title == found->second)
            result.files += (result.files.empty() ? "" : ", ") + entry->name;
    return result;
}

std::uint32_t ArchiveOutput::indexOf(const archives::Entry& entry) const {
    return static_cast<std::uint32_t>(&entry - archive_->entries().data());
}

std::string numbersOfNamesakes(const archives::Archive& archive, const archives::Entry& entry) {
    std::string numbers;
    for (const std::uint32_t place : archive.namesakesOf(entry))
        numbers += fmt::format("{}#{}", numbers.empty() ? "" : ", ", place);
    return numbers;
}

const archives::Entry* ArchiveOutput::find(const std::string& name) const {
    const archives::Entry* entry = archive_->find(name);
    if (entry == nullptr || name.starts_with('#'))
        return entry;
    if (const std::string numbers = numbersOfNamesakes(*archive_, *entry); !numbers.empty())
        throw core::DecodeError(
            fmt::format("several entries are called '{}': {}. Choose one by number, for example with --into {}:#{}",
                        entry->name, numbers, path_, indexOf(*entry)))
            .inFile(path_);
    return entry;
}

const archives::Entry& ArchiveOutput::entryNamed(const std::string& name) const {
    if (const archives::Entry* entry = find(name))
        return *entry;
    refuseName(name);
}

void ArchiveOutput::refuseName(const std::string& name) const {
    std::string instead = archive_->nearestTo(name);
    if (instead.empty())
        if (const auto called = filesCalled(options_, path_, *archive_, name))
            instead = fmt::format("; {} consists of the files {}", called->title, called->files);
    throw core::DecodeError(fmt::format("contains no entry '{}'{}", name, instead)).inFile(path_);
}

void ArchiveOutput::replace(const archives::Entry& entry, std::shared_ptr<const core::Source> data,
                            const std::string& from) {
    const auto [known, isNew] = from_.try_emplace(indexOf(entry), from);
    if (!isNew)
        throw UsageError(
            fmt::format("{} and {}: both inputs would be written into the entry {}", known->second, from, entry.name));
    replacements_.push_back({indexOf(entry), std::move(data)});
}

std::string ArchiveOutput::write(const std::string& output, std::deque<OutputFile>& files) const {
    return core::inFile(path_, [&] {
        const archives::RewrittenArchive written = archive_->withOther(replacements_);
        OutputFile& file = files.emplace_back(fromUtf8(output));
        written.write([&file](core::Bytes bytes) {
            if (interrupted())
                throw core::DecodeError({}, "interrupted", core::DecodeError::Kind::cancelled);
            file.append(bytes);
        });
        return fmt::format("wrote {}: {} bytes, {} of {} entries changed", output, written.size, written.changed.size(),
                           archive_->entries().size());
    });
}

void ArchiveOutput::write(const std::string& output, const Console& console) const {
    std::deque<OutputFile> files;
    const std::string said = write(output, files);
    files.front().commit();
    console.say(said);
}

}  // namespace reanima::tool
