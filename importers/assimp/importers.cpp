#include "importers/assimp/importers.h"

#include <vector>

#include "importers/ff7/formats.h"
#include "importers/ff9/formats.h"
#include "importers/format.h"
#include "importers/metroid/formats.h"
#include "importers/registry.h"
#include "importers/zvision/formats.h"

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

Ff7BattleAnimationImporter::Ff7BattleAnimationImporter() : FormatImporter(ff7::kBattleAnimation) {}
Ff7BattleSkeletonImporter::Ff7BattleSkeletonImporter() : FormatImporter(ff7::kBattleSkeleton) {}
MetroidAnimationImporter::MetroidAnimationImporter() : FormatImporter(metroid::kAnimation) {}
MetroidSkeletonImporter::MetroidSkeletonImporter() : FormatImporter(metroid::kSkeleton) {}
Ff9AnimationImporter::Ff9AnimationImporter() : FormatImporter(ff9::kAnimation) {}
Ff9ModelImporter::Ff9ModelImporter() : FormatImporter(ff9::kModel) {}
Ff9ContainerImporter::Ff9ContainerImporter() : FormatImporter(ff9::kContainer) {}
RlfImporter::RlfImporter() : FormatImporter(zvision::kRlf) {}

}  // namespace reanima
