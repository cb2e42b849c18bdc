/// The verbs of the command, one per file.
#pragma once

#include "arguments.h"

namespace reanima::tool {

extern const Verb kInfo;
extern const Verb kConvert;
extern const Verb kBind;
extern const Verb kDump;
extern const Verb kEncode;
extern const Verb kCheck;
extern const Verb kFrames;
extern const Verb kPreview;
extern const Verb kFormats;
extern const Verb kList;
extern const Verb kExtract;

}  // namespace reanima::tool
