/// The loaders for Assimp, all at once or one by one.
#pragma once

#include <string>
#include <string_view>

#include <assimp/Importer.hpp>

#include "format_importer.h"

namespace reanima {

/// Adds a loader per format that can be converted; the importer owns them. Assimp asks its own loaders first, and its
/// OBJ loader claims about one in forty binary files without extension: see registerImportersFirst().
void registerImporters(Assimp::Importer& importer);

/// Adds them in front of the loaders that are there.
void registerImportersFirst(Assimp::Importer& importer);

/// Sets what a file is read with: the property IMPORT_REANIMA_<KEY>. Assimp takes any property, also a misspelt one.
/// @param key of a setting, an option of a format, a limit, or `skeleton`, `source-skeleton`, `events`,
/// `skeleton-bytes`, `file-name`; as the command's flags are called
/// @param value as the command line takes it; of a flag `1`
/// @throws core::DecodeError of the kind `option` for an unknown key or a value that is wrong
void setProperty(Assimp::Importer& importer, std::string_view key, const std::string& value);

/// Final Fantasy VII (PC) battle animations, `**da`.
class Ff7BattleAnimationImporter final : public FormatImporter {
  public:
    Ff7BattleAnimationImporter();
};

/// Final Fantasy VII (PC) battle skeletons, `**aa`.
class Ff7BattleSkeletonImporter final : public FormatImporter {
  public:
    Ff7BattleSkeletonImporter();
};

/// Metroid Prime and Metroid Prime 2: Echoes, animations, `*.ANIM`.
class MetroidAnimationImporter final : public FormatImporter {
  public:
    MetroidAnimationImporter();
};

/// Metroid Prime and Metroid Prime 2: Echoes, skeletons, `*.CINF`.
class MetroidSkeletonImporter final : public FormatImporter {
  public:
    MetroidSkeletonImporter();
};

/// Final Fantasy IX (PlayStation) animations, file type 0x03.
class Ff9AnimationImporter final : public FormatImporter {
  public:
    Ff9AnimationImporter();
};

/// Final Fantasy IX (PlayStation) models, file type 0x02: the skeleton.
class Ff9ModelImporter final : public FormatImporter {
  public:
    Ff9ModelImporter();
};

/// Final Fantasy IX (PlayStation) DBs and chunks: the animations and the model in them.
class Ff9ContainerImporter final : public FormatImporter {
  public:
    Ff9ContainerImporter();
};

/// ZVision run-length video, `*.rlf`.
class RlfImporter final : public FormatImporter {
  public:
    RlfImporter();
};

}  // namespace reanima
