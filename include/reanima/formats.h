/// From the games' files to the common model, without any host library: load(). Target reanima::formats. Programs that
/// also want the later steps call loadFile() of <reanima/pipeline.h>.
#pragma once

#include "formats/load.h"
#include "formats/naming.h"
#include "formats/registry.h"
