/// From the games' files to the common model, without any host library: load(). Target reanima::formats. Programs that
/// want the rest of the way, too, call loadFile() of <reanima/pipeline.h>.
#pragma once

#include "importers/load.h"
#include "importers/naming.h"
#include "importers/registry.h"
