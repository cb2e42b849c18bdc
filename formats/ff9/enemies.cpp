#include "formats/ff9/enemies.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "formats/ff9/script.h"

namespace reanima::ff9 {

namespace {

constexpr std::uint64_t kHead = 8;
constexpr std::uint64_t kPattern = 56;
constexpr std::uint64_t kEnemy = 116;
constexpr std::uint64_t kAttack = 16;
constexpr std::uint64_t kModelAt = 30;
constexpr std::size_t kLongestName = 64;
constexpr std::uint64_t kTextsAt = 4;  // text offsets are relative to this place

/// The model of each kind of enemy in a formation. @throws core::DecodeError if the formation is incomplete
std::vector<std::uint16_t> modelsOfEnemies(core::LittleEndianReader formation) {
    (void)formation.read<std::uint8_t>("version");
    const std::uint64_t patterns = formation.read<std::uint8_t>("pattern_count");
    const std::uint64_t enemies = formation.read<std::uint8_t>("enemy_count");
    const std::uint64_t attacks = formation.read<std::uint8_t>("attack_count");
    (void)formation.bytes(kHead - 4, "unknown_04");
    (void)formation.bytes(patterns * kPattern, "patterns");
    std::vector<std::uint16_t> models;
    for (std::uint64_t i = 0; i < enemies; ++i) {
        core::LittleEndianReader enemy = formation.slice(kEnemy, "enemies");
        (void)enemy.bytes(kModelAt, "unknown_00");
        models.push_back(enemy.read<std::uint16_t>("model"));
    }
    (void)formation.bytes(attacks * kAttack, "attacks");
    return models;
}

/// The first texts of an object of type 06. @throws core::DecodeError if there are fewer
std::vector<std::string> firstTexts(const core::LittleEndianReader& object, std::size_t count) {
    core::LittleEndianReader table = object;
    const auto all = table.read<std::uint32_t>("text_count");
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min<std::size_t>(count, all); ++i) {
        const auto offset = table.read<std::uint16_t>("offset");
        (void)table.read<std::uint16_t>("unknown_02");
        core::LittleEndianReader text = object.at(kTextsAt + offset, "texts");
        const core::Bytes letters = text.bytesUpTo(kLongestName);
        const auto end = std::ranges::find(letters, std::uint8_t{0xFF});
        const bool isKnown = end != letters.end() && std::ranges::none_of(letters.begin(), end, isUnknownLetter);
        names.push_back(isKnown ? textOf(letters.first(static_cast<std::size_t>(end - letters.begin()))) : "");
    }
    return names;
}

const Object* firstOf(std::span<const Object> objects, ObjectType type, std::uint64_t database) {
    const auto object = std::ranges::find_if(objects, [&](const Object& candidate) {
        return candidate.type == type && candidate.database == database && !candidate.damaged;
    });
    return object == objects.end() ? nullptr : &*object;
}

}  // namespace

EnemyNames enemyNames(core::Bytes file, std::span<const Object> objects) {
    EnemyNames names;
    const auto formation = std::ranges::find_if(
        objects, [](const Object& object) { return object.type == ObjectType::battle && !object.damaged; });
    if (formation == objects.end())
        return names;
    const Object* texts = firstOf(objects, ObjectType::text, formation->database);
    if (firstOf(objects, ObjectType::battleAnimations, formation->database) == nullptr || texts == nullptr)
        return names;
    try {
        const std::vector<std::uint16_t> models = modelsOfEnemies(readerOf(*formation, file));
        const std::vector<std::string> texted = firstTexts(readerOf(*texts, file), models.size());
        for (std::size_t i = 0; i < std::min(models.size(), texted.size()); ++i)
            if (!texted[i].empty())
                names.try_emplace(models[i], texted[i]);
    } catch (const core::DecodeError&) {  // names are not needed
        names.clear();
    }
    return names;
}

bool mayBeFormation(core::Bytes head) {
    constexpr std::array kWanted = {ObjectType::battle, ObjectType::battleAnimations, ObjectType::text};
    const std::vector<ObjectType> types = chunkTypes(head);
    return std::ranges::all_of(kWanted, [&](ObjectType type) { return std::ranges::find(types, type) != types.end(); });
}

std::string linesOf(const EnemyNames& names) {
    std::string lines;
    for (const auto& [model, name] : names)
        lines += fmt::format("{} {}\n", model, name);
    return lines;
}

EnemyNames enemyNamesIn(std::string_view lines) {
    EnemyNames names;
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
        std::uint32_t model = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), model);
        const std::string_view rest = line.substr(static_cast<std::size_t>(end - line.data()));
        if (error == std::errc() && rest.size() > 1 && rest.front() == ' ')
            names.try_emplace(model, rest.substr(1));
    }
    return names;
}

}  // namespace reanima::ff9
