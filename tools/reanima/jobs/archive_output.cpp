#include "tools/reanima/jobs/archive_output.h"

#include <fmt/format.h>

#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

ArchiveOutput::ArchiveOutput(const InputOptions& options, std::string path)
    : path_(std::move(path)), archive_(options.files->openArchive(path_, options.limits)) {
    core::inFile(path_, [this] { archive_->requireWritable(); });
}

std::uint32_t ArchiveOutput::indexOf(const archives::Entry& entry) const {
    return static_cast<std::uint32_t>(&entry - archive_->entries().data());
}

const archives::Entry& ArchiveOutput::entryNamed(const std::string& name) const {
    if (const archives::Entry* entry = archive_->find(name))
        return *entry;
    refuseName(name);
}

void ArchiveOutput::refuseName(const std::string& name) const {
    throw core::DecodeError(fmt::format("holds no entry '{}'{}", name, archive_->nearestTo(name))).inFile(path_);
}

void ArchiveOutput::replace(const archives::Entry& entry, std::shared_ptr<const core::Source> data,
                            const std::string& from) {
    const auto [known, isNew] = from_.try_emplace(indexOf(entry), from);
    if (!isNew)
        throw UsageError(fmt::format("{} and {}: both are for the entry {}", known->second, from, entry.name));
    replacements_.push_back({indexOf(entry), std::move(data)});
}

void ArchiveOutput::write(const std::string& output, const Console& console) const {
    core::inFile(path_, [&] {
        const archives::RewrittenArchive written = archive_->withOther(replacements_);
        OutputFile file(fromUtf8(output));
        written.write([&file](core::Bytes bytes) {
            if (interrupted())
                throw core::DecodeError({}, "interrupted", core::DecodeError::Kind::cancelled);
            file.append(bytes);
        });
        file.commit();
        console.say(fmt::format("wrote {}: {} bytes, {} of {} entries changed", output, written.size,
                                written.changed.size(), archive_->entries().size()));
    });
}

}  // namespace reanima::tool
