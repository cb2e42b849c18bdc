#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "core/text_pattern.h"
#include "tools/reanima/front/options.h"
#include "tools/reanima/jobs/archive_output.h"
#include "tools/reanima/system/failure.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

using archives::Archive;
using archives::Entry;

struct ExtractOptions {
    InputOptions input;
    std::string archive;
    std::vector<std::string> entries;
    std::string output;
    std::optional<std::uint64_t> limit;  ///< for the total size of the files
    bool force = false;
};

/// Refuses to write through a link: names come from the archive, and a link may lead anywhere. Also refuses to write
/// into a device or a pipe.
/// @throws OutputError
void refuseOtherThanFiles(const fs::path& folder, const fs::path& name) {
    fs::path place = folder;
    for (const fs::path& part : name) {
        place /= part;
        if (core::isLink(place))
            throw OutputError(fmt::format("{}: can't be written: it is a link", toUtf8(place)));
    }
    if (core::exists(place) && !isFile(place) && !isFolder(place))
        throw OutputError(fmt::format("{}: can't be written: it is a device or a pipe", toUtf8(place)));
}

/// The folder, or its nearest existing parent folder.
fs::path existing(fs::path folder) {
    while (folder.has_relative_path() && !isFolder(folder))
        folder = folder.parent_path();
    return folder;
}

/// The name of the folder for an archive. @throws UsageError if it exists and can't be used
std::string defaultFolder(const ExtractOptions& options) {
    std::string folder = stemOfOutput(options.archive);
    if (core::exists(fromUtf8(folder)) && !isFolder(fromUtf8(folder)))
        throw UsageError(fmt::format("{}: is not a folder. Choose another folder with -o FOLDER/", folder));
    if (!options.force && existsAsFile(fromUtf8(folder)))
        throw UsageError(fmt::format("{}: exists and is not empty; --force writes into it", folder));
    return folder;
}

/// Writes entries of an archive below a folder.
class Extraction {
  public:
    Extraction(const ExtractOptions& options, const Console& console)
        : options_(options),
          console_(console),
          archive_(options.input.files->openArchive(options.archive, options.input.limits)) {}

    int run() {
        choose();
        if (options_.output == kStandardStream || isFile(fromUtf8(options_.output)))
            throw UsageError(fmt::format("-o {}: is a file, expected a folder", options_.output));
        refuseTooMuch();
        std::vector<fs::path> outputs;
        for (const Entry* entry : chosen_)
            outputs.push_back(placeOf(*entry));
        refuseClashes(outputs, {fileOf(fromUtf8(options_.archive))});
        if (!options_.force)
            refuseExisting(outputs);
        console_.print(archive_->diagnostics());
        ProgressLine progress(console_, "extracting", chosen_.size());
        for (const Entry* entry : chosen_) {
            if (interrupted())
                return kInterrupted;
            if (endsEarly_)
                break;
            if (!write(*entry))
                progress.hide();
            progress.step();
        }
        progress.hide();
        console_.say(fmt::format("wrote {} of {} files to {}", written_, chosen_.size(), options_.output));
        return console_.policy.fails(archive_->diagnostics()) ? std::max<int>(status_, kInputFailed) : status_;
    }

  private:
    void choose() {
        for (const Entry& entry : archive_->entries())
            if (options_.entries.empty())
                chosen_.push_back(&entry);
        std::set<const Entry*> known;
        for (const std::string& name : options_.entries) {
            const std::vector<const Entry*> found = entriesLike(name);
            if (found.empty())
                report(fmt::format("{}: contains no entry '{}'{}", options_.archive, name, insteadOf(name)),
                       kInputFailed);
            for (const Entry* entry : found)
                if (known.insert(entry).second)
                    chosen_.push_back(entry);
        }
    }

    /// A suggestion for an unknown name.
    [[nodiscard]] std::string insteadOf(const std::string& name) const {
        if (std::string nearest = archive_->nearestTo(name); !nearest.empty())
            return nearest;
        const auto called = filesCalled(options_.input, options_.archive, *archive_, name);
        return called ? fmt::format("; {0} consists of the files {1}. Convert them with `reanima convert {2}:{0}`",
                                    called->title, called->files, options_.archive)
                      : archive_->firstEntries();
    }

    /// The entry with this name, or the entries that match it.
    [[nodiscard]] std::vector<const Entry*> entriesLike(const std::string& name) const {
        if (const Entry* entry = archive_->find(name))
            return {entry};
        std::vector<const Entry*> found;
        if (core::isPattern(name))
            for (const Entry& entry : archive_->entries())
                if (core::fitsPath(entry.name, name))
                    found.push_back(&entry);
        return found;
    }

    /// @param block each file takes a multiple of this number of bytes
    [[nodiscard]] std::uint64_t total(std::uint64_t block) const {
        std::uint64_t sum = 0;
        for (const Entry* entry : chosen_)
            if (!entry->damaged && (!entry->packed || entry->size <= Archive::kLargestEntry))
                sum += (entry->size + block - 1) / block * block;
        return sum;
    }

    /// Checks sizes before anything is written. Entries may overlap, and packed data may have any size.
    /// @throws core::DecodeError of the kind `limit`
    void refuseTooMuch() const {
        constexpr std::uint64_t kAlways = 64U << 20U;
        constexpr std::uint64_t kTimesItsSize = 20;
        const std::uint64_t bytes = total(1);
        if (const std::uint64_t most = archive_->mostEntriesToRead(); !options_.limit && chosen_.size() > most)
            refuse("files", chosen_.size(), fmt::format("but the limit for an archive of its size is {}", most));
        constexpr std::uint64_t kBytesPerOutput = 2048;  // with its path, in several lists
        core::inFile(options_.archive,
                     [&] { core::requireMemory(chosen_.size() * kBytesPerOutput, options_.input.limits, {}); });
        std::error_code unknown;
        // A nested archive may be packed.
        const std::uint64_t file = core::fileSize(fileOf(fromUtf8(options_.archive)), unknown);
        const std::uint64_t bound = std::max(kAlways, std::min(archive_->size(), file) * kTimesItsSize);
        if (options_.limit ? bytes > *options_.limit : bytes > bound)
            refuse("bytes", bytes, fmt::format("but the limit is {}", options_.limit.value_or(bound)));
        const std::uint64_t free = core::freeSpace(existing(fromUtf8(options_.output)), unknown);
        constexpr std::uint64_t kUsualBlock = 4096;
        const std::uint64_t onDisk = total(kUsualBlock);
        if (!options_.limit && !unknown && onDisk > free)
            refuse("bytes on the disk", onDisk, fmt::format("but it has room for only {}", free));
    }

    [[noreturn]] void refuse(std::string_view what, std::uint64_t count, const std::string& why) const {
        throw core::DecodeError({}, fmt::format("would be extracted to {} {}, {}", count, what, why),
                                core::DecodeError::Kind::limit)
            .withHint({"limit-output", "MIB"})
            .inFile(options_.archive);
    }

    [[nodiscard]] fs::path placeOf(const Entry& entry) const {
        return fromUtf8(options_.output) / fromUtf8(entry.name);
    }

    /// @return false
    bool report(const std::string& message, int status) {
        console_.error(message);
        status_ = std::max(status_, status);
        return false;
    }

    /// Writes an entry. An unreadable entry is an error if the user named it, otherwise a warning. The run fails in
    /// both cases, since a file is missing.
    bool write(const Entry& entry) {
        try {
            const auto source = archive_->sourceOf(entry, options_.input.limits);
            refuseOtherThanFiles(fromUtf8(options_.output), fromUtf8(entry.name));
            OutputFile file(placeOf(entry));
            constexpr std::uint64_t kPart = 1U << 20U;
            for (std::uint64_t at = 0; at < entry.size; at += kPart)
                file.append(source->read(at, std::min(kPart, entry.size - at), {entry.name, entry.offset + at}));
            file.commit();
            ++written_;
            return true;
        } catch (const core::DecodeError& error) {
            const core::DecodeError named = error.inFile(options_.archive);
            if (!options_.entries.empty())
                return report(named.message(flagWording),
                              named.kind() == core::DecodeError::Kind::limit ? kLimitExceeded : kInputFailed);
            if (!entry.damaged)  // warnings about the archive's list were printed before
                leaveOut(named);
            status_ = std::max<int>(status_, kInputFailed);
        } catch (const UnwritableDisk& error) {
            report(error.what(), kOutputFailed);
            endsEarly_ = true;
        } catch (const OutputError& error) {
            report(error.what(), kOutputFailed);
        }
        return false;
    }

    void leaveOut(const core::DecodeError& error) {
        core::Diagnostics diagnostics;
        const auto about = diagnostics.about(options_.archive);
        diagnostics.warn(core::Code::damaged, error);
        console_.print(diagnostics);
        if (console_.policy.fails(diagnostics))
            status_ = std::max<int>(status_, kInputFailed);
    }

    const ExtractOptions& options_;
    const Console& console_;
    std::shared_ptr<const Archive> archive_;
    std::vector<const Entry*> chosen_;
    std::size_t written_ = 0;
    bool endsEarly_ = false;
    int status_ = kDone;
};

}  // namespace

const Verb kExtract = {
    "extract",
    "ARCHIVE [ENTRY...] [-o FOLDER]",
    "extracts files from an archive",
    "output force limit-output",
    "  reanima extract battle.lgp rtda rtaa -o cloud/\n"
    "  reanima extract battle.lgp        # everything, into battle/",
    [](Arguments& arguments, Console& console) -> std::function<int()> {
        const auto options = std::make_shared<ExtractOptions>();
        arguments.requiredText("ARCHIVE", options->archive, "",
                               "the archive, or ARCHIVE:ENTRY for an archive inside an archive");
        arguments.list(
            "ENTRY", options->entries, "",
            "names as `reanima list` shows them, patterns in quotes, or #N (entry N, counted from 0). Default: "
            "everything");
        arguments.text(
            "-o,--output", options->output, "FOLDER",
            "the folder for the files. Default: a new folder with the archive's name, in the current folder");
        arguments.flag("--force", options->force, "replace files that exist");
        addLimits(arguments, options->input.limits);
        arguments.heading("Limits");
        arguments.count(
            "--limit-output", 1, 1 << 20,
            [options](double mebibytes) { options->limit = static_cast<std::uint64_t>(mebibytes) << 20U; }, "MIB",
            "limit on the total size of the files. Default: 64 MiB or 20 times the archive's size, whichever is more, "
            "but not more than the free space");
        arguments.heading({});
        addConsoleOptions(arguments, console);
        return [options, &console] {
            if (isFolder(fromUtf8(options->archive)))
                throw UsageError(fmt::format("{}: is a folder, expected an archive", options->archive));
            options->input.requireArchive(options->archive);
            if (options->output.empty())
                options->output = defaultFolder(*options);
            return Extraction(*options, console).run();
        };
    }};

}  // namespace reanima::tool
