/// The verbs of the command. Each adds itself to the application; when it is chosen, `status` becomes the exit status.
#pragma once

#include <CLI/CLI.hpp>

#include "console.h"

namespace reanima::tool {

void addInfo(CLI::App& app, Console& console, int& status);
void addConvert(CLI::App& app, Console& console, int& status);
void addDump(CLI::App& app, Console& console, int& status);
void addEncode(CLI::App& app, Console& console, int& status);
void addCheck(CLI::App& app, Console& console, int& status);
void addFormats(CLI::App& app, Console& console, int& status);

}  // namespace reanima::tool
