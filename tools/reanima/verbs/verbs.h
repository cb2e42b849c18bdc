/// The command, and its verbs, one per file.
#pragma once

#include "tools/reanima/front/arguments.h"

namespace reanima::tool {

extern const Verb kInfo;
extern const Verb kConvert;
extern const Verb kBind;
extern const Verb kDump;
extern const Verb kEncode;
extern const Verb kCheck;
extern const Verb kFrames;
extern const Verb kPreview;
extern const Verb kFind;
extern const Verb kFormats;
extern const Verb kList;
extern const Verb kExtract;
extern const Verb kPack;
extern const Verb kRetime;

/// The whole of `main`. @param argv UTF-8
/// @return the exit status
int runCommand(int argc, char** argv);

}  // namespace reanima::tool
