#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "tools/reanima/front/options.h"
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
    bool force = false;
};

/// Nothing is written through a link: names come from the archive, and a link would lead them anywhere.
/// @throws OutputError
void refuseLinks(const fs::path& folder, const fs::path& name) {
    fs::path place = folder;
    for (const fs::path& part : name) {
        place /= part;
        if (core::isLink(place))
            throw OutputError(fmt::format("{}: can't be written: it is a link", toUtf8(place)));
    }
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
            const Entry* entry = archive_->find(name);
            if (entry == nullptr)
                report(fmt::format("{}: holds no entry '{}'", options_.archive, name), kInputFailed);
            else if (known.insert(entry).second)
                chosen_.push_back(entry);
        }
    }

    [[nodiscard]] fs::path placeOf(const Entry& entry) const {
        return fromUtf8(options_.output) / fromUtf8(entry.name);
    }

    void report(const std::string& message, int status) {
        console_.error(message);
        status_ = std::max(status_, status);
    }

    /// What can't be read is a failure only if it was asked for.
    bool write(const Entry& entry) {
        try {
            const core::ByteVector bytes = archive_->read(entry, options_.input.limits);
            refuseLinks(fromUtf8(options_.output), fromUtf8(entry.name));
            writeOutput(placeOf(entry), bytes);
            ++written_;
            return true;
        } catch (const core::DecodeError& error) {
            const core::DecodeError named = error.inFile(options_.archive);
            if (!options_.entries.empty())
                report(named.message(flagWording),
                       named.kind() == core::DecodeError::Kind::limit ? kLimitExceeded : kInputFailed);
            else if (!entry.damaged)  // what the list says of it is printed already
                leaveOut(named);
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
    int status_ = kDone;
};

}  // namespace

const Verb kExtract = {
    "extract", "write files of an archive", "  reanima extract battle.lgp rtda rtaa -o cloud/",
    [](Arguments& arguments, Console& console) -> std::function<int()> {
        const auto options = std::make_shared<ExtractOptions>();
        arguments.requiredText("ARCHIVE", options->archive, "", "the archive, or ARCHIVE:ENTRY for one inside another");
        arguments.list("ENTRY", options->entries, "", "names as `reanima list` shows them, or #N; default: everything");
        arguments.requiredText("-o,--output", options->output, "FOLDER", "where the files go");
        arguments.flag("--force", options->force, "replace files that exist");
        addLimits(arguments, options->input.limits);
        addConsoleOptions(arguments, console);
        return [options, &console] { return Extraction(*options, console).run(); };
    }};

}  // namespace reanima::tool
