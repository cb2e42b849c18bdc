#include "importers/assimp/importers.h"

#include <vector>

#include "importers/format.h"
#include "importers/registry.h"

namespace reanima {

void registerImporters(Assimp::Importer& importer) {
    const auto recognition = std::make_shared<SharedRecognition>();
    for (const Format* format : formats())
        if (format->load != nullptr)
            importer.RegisterLoader(new FormatImporter(*format, recognition));  // the importer takes ownership
}

void registerImportersFirst(Assimp::Importer& importer) {
    std::vector<Assimp::BaseImporter*> others;
    while (importer.GetImporterCount() > 0) {
        others.push_back(importer.GetImporter(std::size_t{0}));
        importer.UnregisterLoader(others.back());
    }
    registerImporters(importer);
    for (Assimp::BaseImporter* other : others)
        importer.RegisterLoader(other);
}

}  // namespace reanima
