#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "formats/foreign_files.h"
#include "tools/reanima/front/options.h"
#include "tools/reanima/jobs/archive_output.h"
#include "tools/reanima/jobs/walk.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

struct PackOptions {
    InputOptions input;
    std::vector<std::string> files;
    std::string archive;
    std::string output;
    bool force = false;
};

/// Replaces entries of an archive with files of the same names.
class Packing {
  public:
    Packing(const PackOptions& options, const Console& console)
        : options_(options), console_(console), archive_(options.input, options.archive) {}

    int run() {
        refuseTerminal(options_.output, "an archive is");
        for (const std::string& path : options_.files)
            if (isFolder(fromUtf8(path)))
                addFolder(path);
            else
                addFile(path);
        refuseAmbiguous();
        std::vector<fs::path> inputs = {fromUtf8(options_.archive)};
        for (const std::string& path : taken_)
            inputs.push_back(fromUtf8(path));
        refuseOthersName(options_.output, options_.archive);
        refuseClashes({fromUtf8(options_.output)}, inputs);
        if (!options_.force)
            refuseExisting({fromUtf8(options_.output)});
        console_.print(diagnostics_);
        if (console_.policy.fails(diagnostics_))
            return kInputFailed;
        archive_.write(options_.output, console_);
        return kDone;
    }

  private:
    [[nodiscard]] static std::string nameOfFile(const std::string& path) { return toUtf8(fromUtf8(path).filename()); }

    /// @return null if it does not exist; here `#3` is only a name, not the fourth entry
    [[nodiscard]] const archives::Entry* entryCalled(const std::string& name) const {
        return name.starts_with('#') ? nullptr : archive_.archive().find(name);
    }

    /// Warns if a replacement is of a different kind than the entry. Entries of unknown kind are not checked.
    void doubt(const std::string& path, const archives::Entry& entry) {
        const auto about = diagnostics_.about(path);
        const Format* before = formatOf(options_.archive + ":" + entry.name);
        if (before == nullptr)
            return;
        std::error_code error;
        const bool isEmpty = core::fileSize(fromUtf8(path), error) == 0;
        const std::optional<ForeignFile> foreign = foreignFile(readHead(fromUtf8(path), kForeignHead));
        const Format* known = isEmpty || foreign ? nullptr : formatOf(path);
        if (known != before)
            diagnostics_.warn(core::Code::assumed, {},
                              fmt::format("is {}, but {} in the archive is {}. The entry is replaced anyway",
                                          isEmpty            ? "empty"
                                          : foreign          ? std::string_view(foreign->label)
                                          : known != nullptr ? known->label
                                                             : "of no known format",
                                          entry.name, before->label));
    }

    /// @return null for an unknown format or an unreadable file
    [[nodiscard]] const Format* formatOf(const std::string& path) const {
        try {
            const std::optional<Input> input = options_.input.readFromFolder(path);
            return input ? input->format : nullptr;
        } catch (const core::DecodeError&) {
            return nullptr;
        }
    }

    void add(const std::string& path, const archives::Entry& entry) {
        doubt(path, entry);
        archive_.replace(entry, options_.input.files->open(path), path);
        taken_.push_back(path);
        entries_.emplace(archive_.indexOf(entry), path);
    }

    /// Refuses a file for one of several entries with the same name. If each of these entries gets a file, named as by
    /// `extract`, the names are unambiguous.
    void refuseAmbiguous() const {
        for (const auto& [index, path] : entries_) {
            const archives::Archive& archive = archive_.archive();
            const archives::Entry& entry = archive.entries()[index];
            for (const std::uint32_t other : archive.namesakesOf(entry))
                if (!entries_.contains(other))
                    throw core::DecodeError(
                        fmt::format("several entries of {} have this name: {}. Pack one file for each entry, named as "
                                    "`reanima extract` writes it (for #{}: {})",
                                    options_.archive, numbersOfNamesakes(archive, entry), other,
                                    archive.entries()[other].name))
                        .inFile(path);
        }
    }

    void addFile(const std::string& path) {
        const archives::Entry* entry = entryCalled(nameOfFile(path));
        if (entry == nullptr)
            archive_.refuseName(nameOfFile(path));
        add(path, *entry);
    }

    /// Adds the files of a folder. A file replaces the entry with its path below the folder, or with its file name.
    void addFolder(const std::string& folder) {
        const FolderContent content = contentOf(fromUtf8(folder));
        if (!content.errors.empty())
            throw core::DecodeError(content.errors.front());
        for (const fs::path& link : content.links) {
            const auto about = diagnostics_.about(toUtf8(link));
            diagnostics_.warn(core::Code::ignored, {}, "is left out: it is a link to a folder");
        }
        std::size_t found = 0;
        for (const fs::path& file : content.files) {
            const std::string path = toUtf8(file);
            const archives::Entry* entry = entryCalled(nameBelow(folder, path));
            if (entry == nullptr)
                entry = entryCalled(nameOfFile(path));
            if (entry == nullptr) {
                const auto about = diagnostics_.about(path);
                diagnostics_.warn(core::Code::ignored, {},
                                  fmt::format("is left out: {} contains no entry of this name", options_.archive));
                continue;
            }
            if (core::isLink(file) && core::leadsOut(file, fromUtf8(folder)))
                throw core::DecodeError(
                    fmt::format(
                        "is a link to a file outside {}. Replace the link with the file, or name the file as INPUT",
                        folder))
                    .inFile(path);
            add(path, *entry);
            ++found;
        }
        if (found == 0)
            throw core::DecodeError(fmt::format("contains no file that is named like an entry of {}", options_.archive))
                .inFile(folder);
    }

    const PackOptions& options_;
    const Console& console_;
    ArchiveOutput archive_;
    core::Diagnostics diagnostics_;
    std::vector<std::string> taken_;
    std::map<std::uint32_t, std::string> entries_;  ///< files by the index of the replaced entry
};

}  // namespace

const Verb kPack = {
    "pack",
    "INPUT... --into ARCHIVE -o OUT",
    "writes a copy of an archive with some entries replaced",
    "into output force",
    "  reanima pack new/rtda new/rtaa --into battle.lgp -o new.lgp\n"
    "  reanima pack mod/battle --into battle.lgp -o new.lgp",
    [](Arguments& arguments, Console& console) -> std::function<int()> {
        const auto options = std::make_shared<PackOptions>();
        arguments.requiredList("INPUT", options->files, "",
                               "files named like the entries that they replace, or folders of such files");
        arguments.requiredText(
            "--into", options->archive, "ARCHIVE",
            "the game's archive (an LGP of Final Fantasy VII). It stays unchanged; OUT is a changed copy");
        arguments.requiredText("-o,--output", options->output, "OUT", "the archive to write");
        arguments.flag("--force", options->force, "replace an output that exists");
        addLimits(arguments, options->input.limits);
        addConsoleOptions(arguments, console);
        return [options, &console] {
            for (const std::string& path : options->files)
                if (!isFolder(fromUtf8(path)))
                    options->input.requireInput(path);
            options->input.requireInput(options->archive);
            options->input.requireArchive(options->archive);
            return Packing(*options, console).run();
        };
    }};

}  // namespace reanima::tool
