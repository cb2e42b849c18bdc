/// Our loaders inside Assimp, used as in an engine: reading from memory, post-processing, export.
///
/// Leaks are only checked while a file is read, when this project's code runs. Debian's Assimp itself leaks while
/// post-processing and exporting.

#include <assimp/Exporter.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include "formats/format.h"
#include "formats/load.h"
#include "formats/registry.h"
#include "fuzz/targets.h"
#include "importers/importers.h"

// Functions of LeakSanitizer, if it is linked.
extern "C" void __lsan_disable() __attribute__((weak));  // NOLINT: its name
extern "C" void __lsan_enable() __attribute__((weak));   // NOLINT: its name

namespace reanima::fuzz {

namespace {

/// Whatever is allocated while this object exists may leak.
class LeaksAllowed {
  public:
    LeaksAllowed() {
        if (__lsan_disable != nullptr)
            __lsan_disable();
    }
    ~LeaksAllowed() {
        if (__lsan_enable != nullptr)
            __lsan_enable();
    }
    LeaksAllowed(const LeaksAllowed&) = delete;
    LeaksAllowed& operator=(const LeaksAllowed&) = delete;
};

/// Accepts every file of the test's format, even if damaged. Assimp first calls CanRead(), which only accepts valid
/// files.
class ChosenImporter final : public FormatImporter {
  public:
    ChosenImporter(const Format& format, const Format* const& chosen)
        : FormatImporter(format), format_(format), chosen_(chosen) {}

    [[nodiscard]] bool CanRead(const std::string& path, Assimp::IOSystem* io, bool checkSignature) const override {
        (void)FormatImporter::CanRead(path, io, checkSignature);
        return chosen_ == &format_;
    }

  private:
    const Format& format_;
    const Format* const& chosen_;
};

/// An Assimp with only our loaders. Its own loaders would accept some of the damaged files.
class Host {
  public:
    Host() {
        while (importer_.GetImporterCount() > 0) {
            Assimp::BaseImporter* const loader = importer_.GetImporter(std::size_t{0});
            importer_.UnregisterLoader(loader);
            delete loader;  // NOLINT: Assimp gives it away
        }
        for (const Format* format : formats())
            if (format->traits.isConverted)
                importer_.RegisterLoader(new ChosenImporter(*format, chosen_));  // NOLINT: Assimp owns it
        const core::Limits limits = smallLimits();
        importer_.SetPropertyInteger("IMPORT_REANIMA_LIMIT_SAMPLES", static_cast<int>(limits.samples));
        importer_.SetPropertyInteger("IMPORT_REANIMA_LIMIT_MEMORY", static_cast<int>(limits.memory >> 20U));
    }

    void run(core::Bytes bytes) {
        chosen_ = findFormat({{"memory", core::copyOf(bytes)}, {}, nullptr, {}});
        if (chosen_ == nullptr || !chosen_->traits.isConverted)
            return;
        const std::string hint(chosen_->extensions.front());
        importer_.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, hashOf(bytes) % 4 == 0);
        if (importer_.ReadFileFromMemory(bytes.data(), bytes.size(), 0, hint.c_str()) != nullptr)
            useScene();
        else
            require(*importer_.GetErrorString() != '\0', "a file is refused without a word");
        importer_.FreeScene();
    }

  private:
    void useScene() {
        const LeaksAllowed assimpAlone;
        const aiScene* const scene = importer_.ApplyPostProcessing(aiProcess_ValidateDataStructure);
        require(scene != nullptr, importer_.GetErrorString());
        if (importer_.ApplyPostProcessing(aiProcessPreset_TargetRealtime_Quality) == nullptr)
            return;
        (void)exporter_.ExportToBlob(importer_.GetScene(), "glb2");
        exporter_.FreeBlob();
    }

    const Format* chosen_ = nullptr;
    Assimp::Importer importer_;
    Assimp::Exporter exporter_;
};

}  // namespace

Target assimpTarget() {
    return {"assimp", Mutation::fields, [](core::Bytes bytes) {
                static Host host;
                host.run(bytes);
            }};
}

}  // namespace reanima::fuzz
