/// Loaders for Assimp: reanima::registerImporters(importer). Target reanima::importers.
#pragma once

#include "importers/assimp/importers.h"
