#include <exception>
#include <set>

#include <assimp/Importer.hpp>

#include "formats/format.h"
#include "formats/registry.h"
#include "importers/archive_io.h"
#include "importers/dropin/dropin.h"
#include "importers/importers.h"

namespace reanima {

namespace {

void addLoaders(void* program) noexcept {
    try {
        auto& importer = *static_cast<Assimp::Importer*>(program);
        registerImportersFirst(importer, Extensions::withAliases);
        importer.SetIOHandler(new ArchiveIOSystem);  // until the program sets its own
    } catch (const std::exception&) {                // ignored: reading a file will fail for the same reason
    }
}

const void* describe(const char* extension) noexcept {
    try {
        for (const Format* format : formats()) {
            if (!format->traits.isConverted)
                continue;
            FormatImporter loader(*format, {}, Extensions::withAliases);
            std::set<std::string> listed;
            loader.GetExtensionList(listed);
            if (listed.contains(extension))
                return loader.GetInfo();
        }
    } catch (const std::exception&) {  // treated as an extension that no loader lists
    }
    return nullptr;
}

}  // namespace

}  // namespace reanima

extern "C" const reanima::DropinModule* reanimaDropinModule() {
    static constexpr reanima::DropinModule kModule = {reanima::addLoaders, reanima::describe};
    return &kModule;
}
