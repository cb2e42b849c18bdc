#include "formats/ff9/script.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/decode_watch.h"
#include "formats/names_tables.h"

namespace reanima::ff9 {

namespace {

using core::DecodeError;

constexpr std::size_t kNameAt = 0x2C;
constexpr std::size_t kNameSize = 84;
constexpr std::size_t kEntriesAt = 0x80;
constexpr std::uint64_t kEntryHead = 2;  // bytes before the base of the positions
constexpr std::size_t kOperations = 0x112;
constexpr std::uint8_t kLongOperation = 0xFF;
// Limit for entries that share bytes: their total may be this multiple of the script's size.
constexpr std::uint64_t kMostSharingEntries = 4;
/// Limit for pairs of model and animation in a script. Real scripts have up to 137.
constexpr std::size_t kMostPairs = 1U << 14U;

enum Operation : std::uint16_t {
    kExpression = 0x05,
    kSwitch = 0x06,
    kShortSwitch = 0x0B,
    kLongSwitch = 0x0D,
    kCreate = 0x09,  // entry, uid
    kFirstWithFlags = 0x10,
    kRegion = 0x29,
    kModel = 0x2F,  // model, head height
    kStand = 0x33,
    kWalk = 0x34,
    kRun = 0x35,
    kPlay = 0x40,
    kRunEntry = 0x43,  // entry whose code runs on this object
    kSleep = 0x52,
    kTurnLeft = 0x7A,
    kTurnRight = 0x7B,
    kJump = 0x94,
    kPlayOn = 0xBD,  // object, animation
};

constexpr std::array kAnimationOperations = {kStand, kWalk, kRun, kPlay, kSleep, kTurnLeft, kTurnRight, kJump};
constexpr std::uint32_t kThisObject = 255;

/// The sizes of the operands of every operation, in bytes.
class Operands {
  public:
    Operands() : isKnown_(kOperations) {
        const std::string text = namesTable("ff9/script-ops");
        sizes_.resize(kOperations);
        forEachLine(text, [this](std::string_view line) {
            const std::vector<std::string_view> fields = plainFields(line);
            std::size_t operation = kOperations;
            std::from_chars(fields[0].data(), fields[0].data() + fields[0].size(), operation, 16);
            if (operation >= kOperations || fields.size() < 4)
                return;
            isKnown_[operation] = true;
            for (const char c : fields[3])
                if (c >= '1' && c <= '4')
                    sizes_[operation].push_back(static_cast<std::uint8_t>(c - '0'));
        });
    }

    /// Null for an unknown operation.
    [[nodiscard]] const std::vector<std::uint8_t>* find(std::size_t operation) const {
        return operation < kOperations && isKnown_[operation] ? &sizes_[operation] : nullptr;
    }

  private:
    std::vector<bool> isKnown_;
    std::vector<std::vector<std::uint8_t>> sizes_;
};

const Operands& operands() {
    static const Operands kOperands;
    return kOperands;
}

/// What the code of an entry states about its object and other entries.
struct ScriptEntry {
    std::vector<std::uint16_t> models;
    std::vector<std::uint16_t> animations;
    std::vector<std::uint8_t> runs;                               // entries whose code runs on its object
    std::vector<std::pair<std::uint8_t, std::uint8_t>> creates;   // entry, uid
    std::vector<std::pair<std::uint8_t, std::uint16_t>> playsOn;  // uid, animation
};

/// Walks functions, one instruction after the other.
class CodeWalk {
  public:
    CodeWalk(const core::LittleEndianReader& code, ScriptEntry& entry) : code_(code), entry_(entry) {}

    void run() {
        while (!code_.atEnd())
            instruction();
    }

  private:
    void instruction() {
        const core::Place place = code_.place("instruction");
        std::uint16_t operation = code_.read<std::uint8_t>("instruction");
        if (operation == kLongOperation)
            operation = static_cast<std::uint16_t>(0x100 + code_.read<std::uint8_t>("instruction"));
        const std::vector<std::uint8_t>* sizes = operands().find(operation);
        if (sizes == nullptr)
            throw DecodeError(place, fmt::format("is 0x{:02x}, which is unknown", operation));
        switch (operation) {
            case kExpression:
                return expression();
            case kSwitch:
                return targets(code_.read<std::uint8_t>("cases"), 4, 2);
            case kShortSwitch:
                return targets(code_.read<std::uint8_t>("cases"), 2, 4);
            case kLongSwitch:
                return targets(code_.read<std::uint16_t>("cases"), 2, 4);
            case kRegion:
                (void)code_.read<std::uint8_t>("flags");
                return targets(code_.read<std::uint8_t>("corners"), 4, 0);
            default:
                use(operation, operandsOf(operation, *sizes));
        }
    }

    void targets(std::uint64_t count, std::uint64_t bytesEach, std::uint64_t before) {
        (void)code_.bytes(before + count * bytesEach, "cases");
    }

    /// The values of literal operands. Empty for expressions.
    std::array<std::optional<std::uint32_t>, 2> operandsOf(std::uint16_t operation,
                                                           const std::vector<std::uint8_t>& sizes) {
        const bool hasFlags = operation >= kFirstWithFlags && !sizes.empty();
        const unsigned flags = hasFlags ? code_.read<std::uint8_t>("flags") : 0U;
        std::array<std::optional<std::uint32_t>, 2> values;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            if (i < 8 && (flags >> i & 1U) != 0) {
                expression();
                continue;
            }
            std::uint32_t value = 0;
            unsigned shift = 0;
            for (const std::uint8_t byte : code_.bytes(sizes[i], "operand")) {
                value |= std::uint32_t{byte} << shift;
                shift += 8;
            }
            if (i < values.size())
                values[i] = value;
        }
        return values;
    }

    /// Skips an expression up to its end, 0x7F.
    void expression() {
        constexpr std::uint8_t kEnd = 0x7F;
        for (std::uint8_t token = 0; token != kEnd;) {
            token = code_.read<std::uint8_t>("expression");
            (void)code_.bytes(bytesAfter(token), "expression");
        }
    }

    static std::uint64_t bytesAfter(std::uint8_t token) {
        constexpr std::uint8_t kFirstVariable = 0xC0;
        constexpr std::uint8_t kLongVariable = 0x20;
        if (token >= kFirstVariable)
            return (token & kLongVariable) != 0 ? 2 : 1;
        switch (token) {
            case 0x29:
            case 0x5F:
            case 0x79:
            case 0x7A:
                return 1;
            case 0x78:
            case 0x7D:
                return 2;
            case 0x7E:
                return 4;
            default:
                return 0;
        }
    }

    void use(std::uint16_t operation, const std::array<std::optional<std::uint32_t>, 2>& values) {
        const auto& [first, second] = values;
        const auto narrow = [](std::uint32_t value) { return static_cast<std::uint16_t>(value); };
        const auto byte = [](std::uint32_t value) { return static_cast<std::uint8_t>(value); };
        if (!first)
            return;
        if (operation == kModel)
            entry_.models.push_back(narrow(*first));
        else if (std::ranges::find(kAnimationOperations, operation) != kAnimationOperations.end())
            entry_.animations.push_back(narrow(*first));
        else if (operation == kRunEntry)
            entry_.runs.push_back(byte(*first));
        else if (operation == kCreate && second)
            entry_.creates.emplace_back(byte(*first), byte(*second));
        else if (operation == kPlayOn && second && *first == kThisObject)
            entry_.animations.push_back(narrow(*second));
        else if (operation == kPlayOn && second)
            entry_.playsOn.emplace_back(byte(*first), narrow(*second));
    }

    core::LittleEndianReader code_;
    ScriptEntry& entry_;
};

/// Reads the entries and collects the animations of their objects.
class ScriptReader {
  public:
    explicit ScriptReader(const core::LittleEndianReader& file) : file_(file) {}

    Script read() {
        core::LittleEndianReader head = file_;
        const auto mark = head.read<std::uint16_t>("mark");
        constexpr std::uint16_t kScriptMark = 0x5645;  // "EV"
        if (mark != kScriptMark)
            throw DecodeError(head.place("mark", 2), fmt::format("is 0x{:04x}, expected 0x{:04x}", mark, kScriptMark));
        (void)head.read<std::uint8_t>("version");
        const std::size_t count = head.read<std::uint8_t>("entry_count");
        core::LittleEndianReader names = file_.at(kNameAt, "place");
        script_.place = placeIn(names.bytes(kNameSize, "place"));
        core::LittleEndianReader table = file_.at(kEntriesAt, "entries");
        entries_.resize(count);
        bytesLeft_ = kMostSharingEntries * file_.remaining();
        for (std::size_t i = 0; i < count; ++i) {
            const auto scope = table.enter("entries", i);
            readEntry(table, fmt::format("entries[{}]", i), entries_[i]);
        }
        addActors();
        return std::move(script_);
    }

    /// The place's name, unless it has unknown letters.
    static std::string placeIn(core::Bytes letters) {
        const auto end = std::ranges::find(letters, std::uint8_t{0xFF});
        const bool isKnown = end != letters.end() && std::ranges::none_of(letters.begin(), end, isUnknownLetter);
        return isKnown ? textOf(letters.first(static_cast<std::size_t>(end - letters.begin()))) : std::string();
    }

  private:
    void readEntry(core::LittleEndianReader& table, const std::string& name, ScriptEntry& entry) {
        const auto offset = table.read<std::uint16_t>("offset");
        const core::Place place = table.place("size");
        const auto size = table.read<std::uint16_t>("size");
        (void)table.bytes(4, "flags");
        if (size == 0)
            return;
        if (size > bytesLeft_)
            throw DecodeError(
                place, fmt::format("entries overlap, and together they are more than {} times as large as the script",
                                   kMostSharingEntries));
        bytesLeft_ -= size;
        core::LittleEndianReader code = file_.at(kEntriesAt + std::uint64_t{offset}, name);
        const std::uint64_t start = code.offset();
        core::LittleEndianReader head(code.bytes(size, name), table.path(), start);
        readFunctions(head, entry);
    }

    static void readFunctions(core::LittleEndianReader& head, ScriptEntry& entry) {
        (void)head.read<std::uint8_t>("type");
        const std::size_t count = head.read<std::uint8_t>("function_count");
        const core::LittleEndianReader all = head;  // entry positions are relative to this reader
        std::vector<std::uint16_t> positions;
        for (std::size_t i = 0; i < count; ++i) {
            const auto scope = head.enter("functions", i);
            (void)head.read<std::uint16_t>("tag");
            const core::Place place = head.place("position");
            const auto position = head.read<std::uint16_t>("position");
            const std::size_t least = positions.empty() ? count * 4 : positions.back();
            if (position < least || position > all.remaining())
                throw DecodeError(place, fmt::format("is {}, expected {} to {}", position, least, all.remaining()));
            positions.push_back(position);
        }
        positions.push_back(static_cast<std::uint16_t>(all.remaining()));
        for (std::size_t i = 0; i < count; ++i)
            CodeWalk(all.at(kEntryHead + positions[i], "functions").slice(positions[i + 1] - positions[i], "functions"),
                     entry)
                .run();
    }

    void addActors() {
        std::multimap<std::uint8_t, std::size_t> byUid;
        std::set<std::pair<std::uint8_t, std::size_t>> known;
        for (const ScriptEntry& entry : entries_)
            for (const auto& [created, uid] : entry.creates)
                if (const std::uint8_t own = uid == 0 ? created : uid;
                    created < entries_.size() && known.emplace(own, created).second)
                    byUid.emplace(own, created);
        std::vector<std::vector<std::uint16_t>> played(entries_.size());
        std::size_t left = kMostPairs;
        for (const ScriptEntry& entry : entries_)
            for (const auto& [uid, animation] : entry.playsOn) {
                const auto [first, last] = byUid.equal_range(uid);
                for (auto object = first; object != last; ++object) {
                    takePairs(left, 1);
                    played[object->second].push_back(animation);
                }
            }
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            if (entries_[i].models.empty())
                continue;
            Actor actor{unique(entries_[i].models), animationsOf(i)};
            actor.animations.insert(actor.animations.end(), played[i].begin(), played[i].end());
            actor.animations = unique(actor.animations);
            takePairs(left, actor.models.size() * actor.animations.size());
            script_.actors.push_back(std::move(actor));
        }
    }

    static void takePairs(std::size_t& left, std::size_t count) {
        if (count > left)
            throw DecodeError({"entries", std::nullopt},
                              fmt::format("contain more than {} pairs of a model and an animation", kMostPairs));
        left -= count;
    }

    /// The animations that are played by an entry, and by all entries whose code runs on its object.
    [[nodiscard]] std::vector<std::uint16_t> animationsOf(std::size_t first) const {
        std::vector<bool> seen(entries_.size());
        std::vector<std::size_t> todo = {first};
        std::vector<std::uint16_t> animations;
        seen[first] = true;
        for (std::size_t next = 0; next < todo.size(); ++next) {
            const ScriptEntry& entry = entries_[todo[next]];
            animations.insert(animations.end(), entry.animations.begin(), entry.animations.end());
            for (const std::uint8_t run : entry.runs)
                if (run < entries_.size() && !seen[run]) {
                    seen[run] = true;
                    todo.push_back(run);
                }
        }
        return animations;
    }

    static std::vector<std::uint16_t> unique(const std::vector<std::uint16_t>& ids) {
        std::set<std::uint16_t> seen;
        std::vector<std::uint16_t> once;
        for (const std::uint16_t id : ids)
            if (seen.insert(id).second)
                once.push_back(id);
        return once;
    }

    core::LittleEndianReader file_;
    std::vector<ScriptEntry> entries_;
    std::uint64_t bytesLeft_ = 0;
    Script script_;
};

}  // namespace

Script decodeScript(const core::LittleEndianReader& file) {
    core::tellDecoding("ff9 script", file);
    return ScriptReader(file).read();
}

std::string placeOfScript(core::Bytes bytes) {
    const bool isScript = bytes.size() >= kEntriesAt && bytes[0] == 'E' && bytes[1] == 'V';
    return isScript ? ScriptReader::placeIn(bytes.subspan(kNameAt, kNameSize)) : std::string();
}

bool isUnknownLetter(std::uint8_t letter) {
    constexpr std::uint8_t kFirstUnknown = 0x50;
    constexpr std::uint8_t kApostrophe = 0x7E;
    return letter >= kFirstUnknown && letter != kApostrophe;
}

std::string textOf(core::Bytes letters) {
    constexpr std::string_view kSigns = "+-=*% ";     // from 0x0A
    constexpr std::string_view kSmaller = "(!?\":.";  // from 0x2A
    constexpr std::string_view kLarger = "),/*~&";    // from 0x4A
    std::string text;
    for (const std::uint8_t letter : letters) {
        const auto from = [letter](std::uint8_t first) { return static_cast<std::size_t>(letter - first); };
        if (letter < 0x0A)
            text += static_cast<char>('0' + letter);
        else if (letter < 0x10)
            text += kSigns[from(0x0A)];
        else if (letter < 0x2A)
            text += static_cast<char>('A' + from(0x10));
        else if (letter < 0x30)
            text += kSmaller[from(0x2A)];
        else if (letter < 0x4A)
            text += static_cast<char>('a' + from(0x30));
        else if (letter < 0x50)
            text += kLarger[from(0x4A)];
        else
            text += letter == 0x7E ? '\'' : '?';
    }
    return text;
}

}  // namespace reanima::ff9
