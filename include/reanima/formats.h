/// Converts the games' files to the common model, without a host library: load(). Target reanima::formats. Programs
/// that also need later steps call loadFile() of <reanima/pipeline.h>.
#pragma once

#include "formats/load.h"
#include "formats/naming.h"
#include "formats/registry.h"
