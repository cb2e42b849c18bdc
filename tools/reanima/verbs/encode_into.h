/// `encode EDITED --into ORIGINAL`: motion that another program changed, back into the game's file, and that of other
/// figures.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pipeline/encode_asset.h"
#include "tools/reanima/front/options.h"
#include "tools/reanima/system/console.h"

namespace reanima::tool {

struct EncodeIntoOptions {
    InputOptions input;               ///< how the original is read
    std::vector<std::string> edited;  ///< several for an archive alone
    std::string original;             ///< empty: nothing is written into anything
    std::string output;               ///< empty: what differs is listed, and nothing written
    bool force = false;               ///< replace outputs that exist
    std::string report;               ///< a JSON file; empty: none
    EncodeSettings settings;
    /// How motion of other figures is bound: texts of settings by their keys.
    std::map<std::string, std::vector<std::string>, std::less<>> binding;
};

/// Declares what `--into` needs besides the options of every encoding.
void addEncodeIntoOptions(Arguments& arguments, EncodeIntoOptions& options);

/// @return an ExitStatus
int encodeInto(const EncodeIntoOptions& options, const Console& console);

}  // namespace reanima::tool
