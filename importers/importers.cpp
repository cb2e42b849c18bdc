#include "importers/importers.h"

#include <memory>
#include <utility>
#include <vector>

#include "formats/format.h"
#include "formats/registry.h"

namespace reanima {

namespace {

using Loaders = std::vector<std::unique_ptr<FormatImporter>>;

Loaders makeLoaders(Extensions extensions) {
    const auto recognition = std::make_shared<SharedRecognition>();
    Loaders loaders;
    for (const Format* format : formats())
        if (format->traits.isConverted)
            loaders.push_back(std::make_unique<FormatImporter>(*format, recognition, extensions));
    return loaders;
}

void add(Assimp::Importer& importer, Loaders loaders) {
    for (std::unique_ptr<FormatImporter>& loader : loaders)
        importer.RegisterLoader(loader.release());  // the importer takes ownership
}

}  // namespace

void registerImporters(Assimp::Importer& importer, Extensions extensions) { add(importer, makeLoaders(extensions)); }

void registerImportersFirst(Assimp::Importer& importer, Extensions extensions) {
    Loaders loaders = makeLoaders(extensions);  // done first, since memory may run out
    std::vector<Assimp::BaseImporter*> others;
    others.reserve(importer.GetImporterCount());
    while (importer.GetImporterCount() > 0) {
        others.push_back(importer.GetImporter(std::size_t{0}));
        importer.UnregisterLoader(others.back());
    }
    add(importer, std::move(loaders));
    for (Assimp::BaseImporter* other : others)
        importer.RegisterLoader(other);
}

}  // namespace reanima
