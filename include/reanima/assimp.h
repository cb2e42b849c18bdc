/// Loaders for Assimp, reanima::registerImporters(importer), and a game's clips on a scene that is loaded already,
/// reanima::addAnimationsTo(). Target reanima::assimp.
#pragma once

#include "importers/add_animations.h"
#include "importers/archive_io.h"
#include "importers/importers.h"
