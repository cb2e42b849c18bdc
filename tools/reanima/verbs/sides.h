/// The two sides of a binding: an input and a rig, read but not bound.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/pipeline.h"
#include "pipeline/suggest_links.h"
#include "tools/reanima/front/recipe.h"
#include "tools/reanima/jobs/job_runner.h"
#include "tools/reanima/system/console.h"

namespace reanima::tool {

/// Prints the warnings about a file. @throws core::DecodeError if one is treated as an error
void printOrFail(const core::Diagnostics& diagnostics, const std::string& file, const Console& console);

/// An input with its clips (read as by `convert`), the rig named by -s, and the options for both.
class Sides {
  public:
    /// Reads both sides and prints their warnings.
    /// @throws UsageError, core::DecodeError
    Sides(const ConversionOptions& options, const std::string& file, const Console& console);

    /// The input with a rest pose and the user's names.
    [[nodiscard]] const core::Asset& source() const { return asset_; }
    [[nodiscard]] const core::Skeleton& skeleton() const { return *asset_.skeleton; }
    [[nodiscard]] const core::Skeleton& rig() const { return target_.rig->skeleton; }
    /// The name of the rig's file.
    [[nodiscard]] std::string rigName() const;
    /// All files that were read.
    [[nodiscard]] std::vector<std::filesystem::path> files() const;
    /// The suggested links between both sides.
    [[nodiscard]] SuggestedLinks suggested(core::Diagnostics& diagnostics) const;
    /// The input bound to the rig.
    /// @param change changes to the settings of the command line
    [[nodiscard]] FinishedAsset bound(const std::function<void(Settings&)>& change,
                                      core::Diagnostics& diagnostics) const;

  private:
    void read(const Console& console);
    void stand(core::Diagnostics& diagnostics);

    const std::string& file_;
    std::shared_ptr<Recipe> own_;  ///< the options, without the rig
    LoadedJob merged_;
    core::Asset asset_;
    std::vector<std::string> ownNames_;  ///< joint names of the skeleton, before the user's renaming
    Target target_;
    Settings settings_;
};

}  // namespace reanima::tool
