/// Loaders for Assimp, reanima::registerImporters(importer), and reanima::addAnimationsTo(), which adds a game's clips
/// to a loaded scene. Target reanima::assimp.
#pragma once

#include "importers/add_animations.h"
#include "importers/archive_io.h"
#include "importers/importers.h"
