/// A format of the registry as an Assimp loader.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include <assimp/BaseImporter.h>

#include "../format.h"
#include "../job.h"

namespace reanima {

/// Loads one format in three steps: reads the whole file, loads it with its companions, fills the scene.
///
/// Properties (Importer::SetProperty...), read anew for every file:
/// - IMPORT_REANIMA_SKELETON: path of the skeleton; IMPORT_REANIMA_SKELETON_BYTES: its bytes, for reads from memory
/// - IMPORT_REANIMA_EVENTS: path of the events of an animation
/// - IMPORT_REANIMA_MODEL: id of the model of a file that holds several; else the first that has clips, with a warning
/// - IMPORT_REANIMA_<KEY> for every option of the format (IMPORT_REANIMA_RATE, IMPORT_REANIMA_SCALE, ...; integer,
///   float or string); IMPORT_REANIMA_FPS is another name of IMPORT_REANIMA_RATE
/// - IMPORT_REANIMA_LIMIT_SAMPLES, IMPORT_REANIMA_LIMIT_MEMORY (MiB): other core::Limits
/// - IMPORT_NO_SKELETON_MESHES of Assimp is honoured; IMPORT_GLOBAL_KEYFRAME chooses one picture of a sequence
/// Programs that can't set properties: a job file `<file>.reanima.json` beside the file (of
/// several jobs the first one that has no `inputs` or names the file in them), then environment variables
/// (REANIMA_SKELETON, REANIMA_EVENTS, REANIMA_<KEY>). Otherwise skeleton and events are looked for beside the file.
///
/// All files are read through the given IOSystem. Errors carry file, field and offset; the scene is then null.
/// Warnings go to Assimp's log and to the scene's metadata. Objects may be used again and again, each on one thread.
class FormatImporter : public Assimp::BaseImporter {
  public:
    explicit FormatImporter(const Format& format) : format_(format) {}

    /// True only if the whole structure of the file fits, whatever its name.
    [[nodiscard]] bool CanRead(const std::string& path, Assimp::IOSystem* io, bool checkSignature) const override;
    [[nodiscard]] const aiImporterDesc* GetInfo() const override;
    void SetupProperties(const Assimp::Importer* importer) override;

  protected:
    void InternReadFile(const std::string& path, aiScene* scene, Assimp::IOSystem* io) override;

  private:
    /// What holds for one file: properties, else its job file, else the environment.
    struct Settings {
        OptionValues options;
        std::string skeleton;  ///< path
        std::string events;    ///< path
        std::string names;     ///< relative to the file
    };
    [[nodiscard]] Settings settingsFor(const Input& input, const std::string& path) const;
    void fillInFromEnvironment(Settings& settings) const;

    /// As it was set: what is wrong with it is an error of the file that is read then.
    struct Property {
        const OptionInfo* option;
        std::string name;
        std::variant<double, std::string> value;
    };

    const Format& format_;
    std::vector<Property> properties_;
    std::string skeletonPath_;
    std::string skeletonBytes_;
    std::string eventsPath_;
    bool skeletonMesh_ = true;
    bool canCancel_ = false;
    int onlyPicture_ = -1;
};

}  // namespace reanima
