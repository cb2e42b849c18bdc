/// From the games' files to the common model, without any host library. Target reanima::formats.
#pragma once

#include "importers/load.h"
#include "importers/naming.h"
#include "importers/registry.h"
