#include "tools/reanima/jobs/copies.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "formats/character_links.h"
#include "tools/reanima/front/content_key.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

/// Identifies a model in any archive: its id, and a hash of its bytes.
using Body = std::pair<std::string, std::string>;

/// For each model, the items that contain it so far, in the order of the archives.
using Owners = std::map<Body, std::vector<PlanItem*>>;

std::string placeInArchive(const PlanItem& item) { return toUtf8(item.path).substr(item.archive.size()); }

/// The item in another archive that contains the same model. Null if the model is new.
PlanItem* ownerOf(const Body& body, const PlanItem& item, const Owners& owners) {
    const auto known = owners.find(body);
    if (known == owners.end())
        return nullptr;
    PlanItem* first = nullptr;
    for (PlanItem* owner : known->second) {
        if (owner->archive == item.archive)
            continue;
        if (placeInArchive(*owner) == placeInArchive(item))
            return owner;
        first = first == nullptr ? owner : first;
    }
    return first;
}

}  // namespace

void forgetOnlyArchive(std::vector<PlanItem>& items) {
    std::string only;
    for (const PlanItem& item : items) {
        if (!only.empty() && !item.archive.empty() && item.archive != only)
            return;
        only = only.empty() ? item.archive : only;
    }
    for (PlanItem& item : items)
        item.archive.clear();
}

void hashModels(PlanItem& item, const Input& input) {
    constexpr std::size_t kMost = 256;  // bounds the search; game files contain a few dozen
    if (item.models.size() > kMost)
        return;
    for (const CharacterLinks* links : characterLinks())
        for (const ModelSummary& model : item.format == &links->characters ? item.models : std::vector<ModelSummary>())
            if (const std::optional<Input> body = links->skeletonIn(input.file, model.id))
                item.bodies[model.id] = keyOfBytes(body->file.bytes);
    item.content = keyOfBytes(input.file.bytes);
}

void joinCopies(std::vector<PlanItem>& items) {
    Owners owners;
    for (PlanItem& item : items) {
        if (item.bodies.empty() || item.failure)
            continue;
        std::erase_if(item.models, [&](const ModelSummary& model) {
            const auto hash = item.bodies.find(model.id);
            if (hash == item.bodies.end())
                return false;
            PlanItem* owner = ownerOf(*hash, item, owners);
            if (owner == nullptr) {
                owners[*hash].push_back(&item);
            } else if (owner->content != item.content) {
                JobInput copy{item.path, item.format, model.id};
                copy.isCopy = true;
                owner->further[model.id].push_back(std::move(copy));
            }
            return owner != nullptr;
        });
        if (item.isPlain())
            item.use = PlanItem::Use::copy;
    }
}

}  // namespace reanima::tool
