#include "formats/ff7/field_names.h"

#include <algorithm>

#include "core/text.h"
#include "formats/ff7/field_models.h"
#include "formats/ff7/text_lines.h"
#include "formats/names_tables.h"

namespace reanima::ff7 {

namespace {

std::vector<std::string> filesFrom(std::string_view stems) {
    std::vector<std::string> files;
    for (const std::string_view stem : wordsOf(stems))
        files.push_back(std::string(stem) + ".a");
    return files;
}

struct FieldTable {
    AnimationLinks links;
    std::map<std::string, std::vector<std::string>, std::less<>> skeletons;  ///< per animation: its skeletons
};

FieldTable readTable() {
    enum Column { hrc, label, fields, stand, walk, run, other, columns };
    FieldTable table;
    const std::string text = namesTable("ff7/field");
    std::vector<std::pair<std::uint32_t, std::string>> byFields;
    forEachLine(text, [&](std::string_view line) {
        const std::vector<std::string_view> values = plainFields(line);
        if (values.size() != columns)
            return;
        const std::string file = std::string(values[hrc]) + ".hrc";
        LinkedAnimations links = inOrder({filesFrom(values[stand]), filesFrom(values[walk]), filesFrom(values[run])},
                                         filesFrom(values[other]));
        links.name = values[label];
        table.links.emplace(file, std::move(links));
        byFields.emplace_back(numberFrom<std::uint32_t>(values[fields]).value_or(0), file);
    });
    std::ranges::stable_sort(byFields, std::greater(), &std::pair<std::uint32_t, std::string>::first);
    for (const auto& [count, file] : byFields)
        for (const LinkedAnimation& animation : table.links.at(file).animations)
            table.skeletons[animation.file].push_back(file);
    return table;
}

const FieldTable& table() {
    static const FieldTable kTable = readTable();
    return kTable;
}

}  // namespace

const AnimationLinks& fieldTable() { return table().links; }

core::Called fieldCharacter(std::string_view skeleton) {
    const auto found = fieldTable().find(core::lowerCase(skeleton));
    core::Called called;
    if (found == fieldTable().end())
        return called;
    called.stem = core::stemOf(found->first);
    called.fullName = found->second.name;
    called.namedBy = core::NamedBy::table;
    return called;
}

const std::vector<std::string>& skeletonsOf(std::string_view animation) {
    static const std::vector<std::string> kNone;
    const auto found = table().skeletons.find(core::lowerCase(animation));
    return found == table().skeletons.end() ? kNone : found->second;
}

}  // namespace reanima::ff7
