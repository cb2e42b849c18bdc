/// Settings from an importer's properties, a job file beside the file, and the environment.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <assimp/Importer.hpp>

#include "pipeline/settings.h"

namespace reanima {

/// Texts by key. Empty: the setting has no value.
using SettingTexts = std::map<std::string, std::optional<std::string>, std::less<>>;

/// `color-key` -> `IMPORT_REANIMA_COLOR_KEY`
[[nodiscard]] std::string propertyName(std::string_view key);

/// The properties that were set, as texts by key.
[[nodiscard]] SettingTexts propertiesOf(const Assimp::Importer& importer);

struct ImporterSettings {
    Settings settings;
    bool looksForCompanions = true;
    bool hasSkeletonOfEnvironment = false;  ///< Settings::skeleton is from the environment, and applies to every file
};

/// The settings for one file: from properties, otherwise from its job file, otherwise from the environment.
/// @param siblings files beside the file, to find its job file; may be empty
/// @param path the file's path; paths in its job file are relative to it
/// @param files access to the files that settings name
/// @throws core::DecodeError for wrong values and for unknown keys of a job file
[[nodiscard]] ImporterSettings settingsFor(const Siblings& siblings, const Format& format, const std::string& path,
                                           const SettingTexts& properties,
                                           const std::shared_ptr<const core::Files>& files);

}  // namespace reanima
