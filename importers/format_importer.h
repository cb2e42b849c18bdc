/// A format of the registry as an Assimp loader.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <assimp/BaseImporter.h>

#include "../core/asset.h"
#include "../core/decode_error.h"
#include "../core/diagnostics.h"
#include "../core/files.h"

namespace reanima {

struct Format;
struct Input;
struct Settings;

/// Which extensions a loader lists: only its format's, or also `dae`, `fbx`, `glb` and `obj`. Some programs only open
/// files with such common extensions.
enum class Extensions { own, withAliases };

/// Recognises the format of a file once for several loaders.
///
/// Assimp asks every loader about a file. Loaders that were registered together share one of these objects. If a loader
/// repeats a question, the file may have changed and is read again.
class SharedRecognition {
  public:
    /// The loader that asks, and Assimp's `checkSignature`.
    using Question = std::pair<const void*, bool>;

    /// The format of a file. Null if it has none or can't be read.
    [[nodiscard]] const Format* formatOf(const Question& question, const std::string& path, Assimp::IOSystem& io);

    /// Moves out the bytes of the file recognised last, so that the chosen loader need not read it again. Empty for
    /// other files.
    [[nodiscard]] std::optional<core::File> takeFile(const std::string& path, const Assimp::IOSystem& io);

  private:
    std::string path_;
    const Assimp::IOSystem* io_ = nullptr;
    const Format* format_ = nullptr;
    std::optional<core::File> file_;  ///< the file's content; only kept if the file has a format
    std::vector<Question> asked_;     ///< the questions asked since the file was read
};

/// Loads one format in four steps: reads the whole file, loads it with its companions, applies the settings, fills the
/// scene.
///
/// These properties are read again for every file. Set them with setProperty(), which rejects unknown keys, or with
/// Importer::SetProperty...:
/// - IMPORT_REANIMA_<KEY> for every setting (settingInfos()), option of the format, and limit. The value is an integer,
///   float or string. Second names of options (kSecondNames) are read, too.
/// - IMPORT_REANIMA_SKELETON: path of the skeleton, the game's own or a rig for binding. IMPORT_REANIMA_SKELETON_BYTES:
///   the game's own, for reads from memory. IMPORT_REANIMA_SOURCE_SKELETON: the game's own if the other one is a rig.
/// - IMPORT_REANIMA_EVENTS: path of the events of an animation.
/// - IMPORT_REANIMA_MATERIALS, IMPORT_REANIMA_TEXTURES: paths of a model's materials and textures. Several textures, or
///   archives, are separated by `;`.
/// - IMPORT_REANIMA_FILE_NAME: the name of a file that is read from memory. It may include the folder of its companions
///   in the IOSystem.
/// - Assimp's IMPORT_NO_SKELETON_MESHES is supported; IMPORT_GLOBAL_KEYFRAME chooses one picture of a sequence.
/// For programs that can't set properties, there are a job file `<file>.reanima.json` beside the file and environment
/// variables (REANIMA_SKELETON, REANIMA_EVENTS, REANIMA_<KEY>). The job file takes precedence. Of several jobs in it,
/// the first one that has no `inputs` or lists the file is used. A skeleton from the environment that does not fit a
/// file is ignored, with a warning. Skeleton and events that are not set are looked for beside the file.
///
/// A file whose name ends in an alias (Extensions) is read as the file without it. So `hrda.dae` has the companions,
/// the job file and the clip names of `hrda`.
///
/// All files are read through the given IOSystem. Errors state file, field and offset; the scene is then null. Warnings
/// go to Assimp's log and to the scene's metadata. Objects may be reused, each on one thread.
class FormatImporter : public Assimp::BaseImporter {
  public:
    /// @param recognition shared between loaders that are asked about the same files; null: not shared
    explicit FormatImporter(const Format& format, std::shared_ptr<SharedRecognition> recognition = {},
                            Extensions extensions = Extensions::own);
    /// @param formatId the id of a format that can be converted
    /// @throws core::DecodeError if there is no such format
    explicit FormatImporter(std::string_view formatId);

    /// True only if the whole structure of the file fits the format. The file's name does not matter.
    [[nodiscard]] bool CanRead(const std::string& path, Assimp::IOSystem* io, bool checkSignature) const override;
    [[nodiscard]] const aiImporterDesc* GetInfo() const override;
    void SetupProperties(const Assimp::Importer* importer) override;

  protected:
    void InternReadFile(const std::string& path, aiScene* scene, Assimp::IOSystem* io) override;

  private:
    class HostProgress;

    /// The file with its companions, after all settings were applied.
    /// @throws core::DecodeError
    [[nodiscard]] core::Asset assetOf(const Input& input, Settings settings, Assimp::IOSystem& io,
                                      core::Diagnostics& diagnostics, HostProgress& progress) const;

    const Format& format_;
    std::shared_ptr<SharedRecognition> recognition_;
    Extensions extensions_;
    std::map<std::string, std::optional<std::string>, std::less<>> properties_;  ///< texts by key; empty: off
    std::string skeletonBytes_;
    std::string fileName_;
    bool skeletonMesh_ = true;
    bool canCancel_ = false;
    int onlyPicture_ = -1;
};

/// The name of an option in messages: `IMPORT_REANIMA_JOINTS=N`.
[[nodiscard]] std::string propertyWording(const core::OptionHint& hint);

}  // namespace reanima
