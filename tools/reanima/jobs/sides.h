/// The two sides of a binding: an input and a rig, read but not bound.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "pipeline/pipeline.h"
#include "pipeline/suggest_links.h"
#include "tools/reanima/front/recipe.h"
#include "tools/reanima/system/console.h"

namespace reanima::tool {

/// Prints what is odd about a file. @throws core::DecodeError if it counts as an error
void printOrFail(const core::Diagnostics& diagnostics, const std::string& file, const Console& console);

/// What has no mapping can have one: the command that proposes it.
/// @param model id, or empty
/// @param options what else says which skeleton the input is of
[[nodiscard]] std::string suggestionFor(const std::string& input, const std::string& model, const std::string& rig,
                                        const InputOptions& options);

/// An input, the rig that -s names, and what the command line says about them.
class Sides {
  public:
    /// Says what is odd about both.
    /// @throws UsageError, core::DecodeError
    Sides(const ConversionOptions& options, const std::string& file, const Console& console);

    /// The input as it was read, with a rest pose and the names that the user gives.
    [[nodiscard]] const core::Asset& source() const { return asset_; }
    [[nodiscard]] const core::Skeleton& skeleton() const { return *asset_.skeleton; }
    [[nodiscard]] const core::Skeleton& rig() const { return target_.rig->skeleton; }
    /// The name of the rig's file.
    [[nodiscard]] std::string rigName() const;
    /// All files that were read.
    [[nodiscard]] std::vector<std::filesystem::path> files() const;
    /// Which joint of the rig follows which, as far as that can be told.
    [[nodiscard]] SuggestedLinks suggested(core::Diagnostics& diagnostics) const;
    /// The input bound to the rig.
    /// @param change what is to be different from the settings of the command line
    [[nodiscard]] FinishedAsset bound(const std::function<void(Settings&)>& change,
                                      core::Diagnostics& diagnostics) const;

  private:
    [[nodiscard]] OptionValues chosenModel() const;
    [[nodiscard]] core::Asset load(core::Diagnostics& diagnostics);

    const std::string& file_;
    Recipe own_;  ///< what the command line says besides the rig
    Input input_;
    Companions companions_;
    OptionValues values_;
    core::Asset asset_;
    std::vector<std::string> ownNames_;  ///< of the skeleton's joints, before the user named them
    Target target_;
    Settings settings_;
};

}  // namespace reanima::tool
