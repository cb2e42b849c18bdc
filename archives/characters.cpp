#include "archives/characters.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "core/called.h"
#include "core/near_names.h"
#include "core/text.h"
#include "formats/ff9/names.h"
#include "formats/format.h"

namespace reanima::archives {

namespace {

/// Alternative titles of the same character. The game's texts, translations and tools use different ones.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kOtherTitles = {{
    {"aeris", "aerith"},
    {"earith", "aerith"},
}};

std::string usualTitle(const std::string& title) {
    const auto other = std::ranges::find(kOtherTitles, title, &std::pair<std::string_view, std::string_view>::first);
    return other == kOtherTitles.end() ? title : std::string(other->second);
}

/// The name that users type: the title, or a title made from the full name.
std::string titleOf(const core::Called& called) {
    return called.title.empty() ? core::titleOf(called.fullName) : called.title;
}

using OwnName = std::function<core::Called(std::string_view fileName)>;
using UseName = std::function<void(const Entry&, const core::Called&)>;

/// The characters of an archive's entries by file name, from the built-in tables and the user's own files.
void eachCalled(const Archive& archive, const OwnName& own, const UseName& use) {
    for (const Format* format : formats()) {
        if (format->calledByName == nullptr || format->isUsualName == nullptr)
            continue;
        for (const Entry& entry : archive.entries()) {
            const std::string_view file = entry.fileName();
            if (!format->isUsualName(file))
                continue;
            for (const core::Called& called : {format->calledByName(file), own ? own(file) : core::Called{}})
                use(entry, called);
        }
    }
}

}  // namespace

std::vector<const Entry*> entriesCalled(const Archive& archive, std::string_view name, const OwnName& own) {
    const std::string title = usualTitle(core::titleOf(name));
    std::vector<const Entry*> found;
    if (title.empty())
        return found;
    std::map<std::string, const Entry*> byStem;
    eachCalled(archive, own, [&](const Entry& entry, const core::Called& called) {
        const bool isIt = usualTitle(called.title) == title || core::titleOf(called.fullName) == title;
        if (isIt && byStem.emplace(called.stem, &entry).second)
            found.push_back(&entry);
    });
    std::ranges::sort(found, {}, [](const Entry* entry) { return entry->name; });
    return found;
}

std::map<const Entry*, std::string> titlesOf(const Archive& archive, const OwnName& own) {
    std::map<const Entry*, std::string> titles;
    eachCalled(archive, own, [&titles](const Entry& entry, const core::Called& called) {
        if (const std::string title = titleOf(called); !title.empty())
            titles.insert_or_assign(&entry, title);
    });
    return titles;
}

std::string titleNear(const Archive& archive, std::string_view name, const OwnName& own) {
    core::NearestName nearest(core::titleOf(name));
    eachCalled(archive, own, [&](const Entry&, const core::Called& called) {
        if (const std::string title = titleOf(called); !title.empty())
            nearest.offer(title);
    });
    return nearest.found();
}

std::string modelCalledAs(std::string_view path) {
    constexpr std::string_view kModel = "GEO_";
    const std::string_view name = core::stemOf(core::fileNameOf(path));
    const std::string_view stem = name.substr(0, name.find(' '));
    if (stem.starts_with(kModel))
        return std::string(stem);
    const std::optional<std::uint32_t> number = ff9::numberInName(stem);
    return std::string(number ? ff9::modelName(*number) : std::string_view());
}

std::string_view animationCalled(std::uint32_t number) { return ff9::animationName(number); }

}  // namespace reanima::archives
