#include "formats/metroid/character/ancs.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/decode_watch.h"
#include "formats/metroid/reading.h"

namespace reanima::metroid {

namespace {

using core::DecodeError;

constexpr std::uint16_t kFileVersion = 1;
constexpr std::uint16_t kEchoesVersion = 10;
constexpr std::uint16_t kLastPrimeVersion = 6;
constexpr std::uint16_t kLastSetVersion = 4;
constexpr int kDeepest = 32;
constexpr std::size_t kBoxSize = 24;

class AncsReader {
  public:
    AncsReader(core::Bytes bytes, Game game) : file_(bytes), size_(bytes.size()) { ancs_.game = game; }

    Ancs run() {
        expectVersion("version", kFileVersion);
        readCharacters();
        readAnimationSet();
        return std::move(ancs_);
    }

  private:
    [[nodiscard]] bool isPrime() const { return ancs_.game == Game::prime; }

    template <typename T>
    T read(std::string_view name) {
        return file_.read<T>(name);
    }
    void skip(std::uint64_t bytes, std::string_view name) { (void)file_.bytes(bytes, name); }

    void expectVersion(std::string_view name, std::uint16_t expected) {
        const Field<std::uint16_t> field = readField<std::uint16_t>(file_, name);
        if (field.value != expected)
            throw DecodeError(field.place, fmt::format("is {}, expected {}", field.value, expected));
    }

    /// Calls `element` for every element of a list. Errors name its fields `name[i].field`.
    template <typename Element>
    void readList(std::string_view name, std::size_t smallest, const Element& element) {
        const std::uint32_t count = readCount(file_, std::string(name) + "_count", smallest);
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto scope = file_.enter(name, i);
            element();
        }
    }

    std::vector<std::uint32_t> readIds(std::string_view name) {
        std::vector<std::uint32_t> ids;
        readList(name, 4, [&] { ids.push_back(read<std::uint32_t>({})); });
        return ids;
    }

    void readCharacters() {
        expectVersion("characters_version", kFileVersion);
        readList("characters", 22, [&] { ancs_.characters.push_back(readCharacter()); });
    }

    AncsCharacter readCharacter() {
        AncsCharacter character;
        character.index = read<std::uint32_t>("index");
        const Field<std::uint16_t> version = readField<std::uint16_t>(file_, "version");
        character.version = version.value;
        const bool isKnown =
            isPrime() ? version.value >= 1 && version.value <= kLastPrimeVersion : version.value == kEchoesVersion;
        if (!isKnown)
            throw DecodeError(version.place,
                              fmt::format("is {}, expected 1 to 6 (Prime) or 10 (Echoes)", version.value));
        character.name = readText(file_, "name");
        character.model = read<std::uint32_t>("model");
        character.skin = read<std::uint32_t>("skin");
        character.skeleton = read<std::uint32_t>("skeleton");
        readList("animations", 5, [&] {
            AncsCharacter::Action action;
            action.index = read<std::uint32_t>("index");
            if (isPrime())
                (void)readText(file_, "other_name");
            action.name = readText(file_, "name");
            character.actions.push_back(std::move(action));
        });
        readStates();
        readEffects(character.version);
        readRest(character);
        return character;
    }

    /// The tables by which the game chooses an animation for a state.
    void readStates() {
        constexpr std::uint32_t kMagic = 0x50415334;  // PAS4
        constexpr std::uint32_t kBool = 3;
        constexpr std::uint32_t kLastType = 4;
        const Field<std::uint32_t> magic = readField<std::uint32_t>(file_, "states_magic");
        if (magic.value != kMagic)
            throw DecodeError(magic.place, fmt::format("is 0x{:08x}, expected 'PAS4'", magic.value));
        const std::uint32_t states = readCount(file_, "state_count", 12);
        skip(4, "default_state");
        for (std::uint32_t i = 0; i < states; ++i) {
            const auto scope = file_.enter("states", i);
            skip(4, "id");
            const std::uint32_t parameters = readCount(file_, "parameter_count", 14);
            const std::uint32_t animations = readCount(file_, "animation_count", 4);
            std::uint64_t valueSize = 0;
            for (std::uint32_t p = 0; p < parameters; ++p) {
                const Field<std::uint32_t> type = readField<std::uint32_t>(file_, "parameter_type");
                if (type.value > kLastType)
                    throw DecodeError(type.place, fmt::format("is {}, expected 0 to 4", type.value));
                const std::uint64_t size = type.value == kBool ? 1 : 4;
                skip(8 + 2 * size, "parameter");
                valueSize += size;
            }
            for (std::uint32_t a = 0; a < animations; ++a)
                skip(4 + valueSize, "animation_values");
        }
    }

    void readEffects(std::uint16_t version) {
        for (const char* name : {"particles", "swooshes", "unknown_ids"})
            (void)readIds(name);
        if (!isPrime())
            for (const char* name : {"electrics", "spawns", "unknown_ids_2"})
                (void)readIds(name);
        else if (version > 5)
            (void)readIds("electrics");
        skip(4, "unknown");
        if (version > 1)
            readList("boxes", kBoxSize + 1, [&] {
                (void)readText(file_, "name");
                skip(kBoxSize, "box");
            });
        if (version > 2)
            readList("effects", 5, [&] {
                (void)readText(file_, "name");
                readList("parts", 22, [&] {
                    (void)readText(file_, "name");
                    skip(8, "resource");
                    if (isPrime())
                        (void)readText(file_, "bone");
                    else
                        skip(4, "bone");
                    skip(12, "placement");
                });
            });
    }

    void readRest(AncsCharacter& character) {
        if (character.version > 3) {
            AncsCharacter::Overlay overlay;
            overlay.model = read<std::uint32_t>("overlay_model");
            overlay.skin = read<std::uint32_t>("overlay_skin");
            if (overlay.model != 0 && overlay.model != 0xFFFFFFFF)
                character.overlay = overlay;
        }
        if (character.version > 4)
            character.used = readIds("used");
        if (!isPrime() && character.version >= kEchoesVersion) {
            skip(5, "spatial");
            readList("extents", 4 + kBoxSize, [&] { skip(4 + kBoxSize, "box"); });
        }
    }

    void readAnimationSet() {
        const Field<std::uint16_t> version = readField<std::uint16_t>(file_, "set_version");
        if (version.value > kLastSetVersion)
            throw DecodeError(version.place, fmt::format("is {}, expected at most {}", version.value, kLastSetVersion));
        readList("animations", 9, [&] {
            Ancs::Animation animation{readText(file_, "name"), {}};
            readMeta(animation.primitives, 0);
            ancs_.animations.push_back(std::move(animation));
        });
        readList("transitions", 16, [&] {
            Ancs::Transition transition;
            skip(4, "unknown");
            transition.from = read<std::uint32_t>("from");
            transition.to = read<std::uint32_t>("to");
            readTransition(transition.primitives);
            ancs_.transitions.push_back(std::move(transition));
        });
        readTransition(ancs_.defaultTransition);
        if (version.value > 1) {
            readList("additive", 12, [&] {
                Ancs::Additive additive;
                additive.index = read<std::uint32_t>("index");
                additive.fadeIn = read<float>("fade_in");
                additive.fadeOut = read<float>("fade_out");
                ancs_.additive.push_back(additive);
            });
            skip(8, "default_fade");
        }
        if (version.value > 2)
            readList("half_transitions", 8, [&] {
                Ancs::HalfTransition half{read<std::uint32_t>("index"), {}};
                readTransition(half.primitives);
                ancs_.halfTransitions.push_back(std::move(half));
            });
        if (version.value > 3 && isPrime())
            readResources();
        else if (version.value > 3)
            return;  // Echoes has events up to the end
        const core::Place end = file_.place("padding");
        if (!isPadding(file_.rest(), size_))
            throw DecodeError(end, "is too long, expected the end of the file, or 0xFF up to a multiple of 32 bytes");
    }

    void readResources() {
        ancs_.resources.emplace();
        readList("resources", 8, [&] {
            const auto anim = read<std::uint32_t>("anim");
            ancs_.resources->push_back({anim, read<std::uint32_t>("evnt")});
        });
    }

    /// Reads a tree of animations and adds its leaves to `primitives`.
    void readMeta(Primitives& primitives, int depth) {
        enum Type : std::uint32_t { kPlay, kBlend, kPhaseBlend, kRandom, kSequence };
        const Field<std::uint32_t> type = readField<std::uint32_t>(file_, "meta_type");
        if (depth >= kDeepest)
            throw DecodeError(type.place, fmt::format("is nested deeper than {} animations", kDeepest));
        switch (type.value) {
            case kPlay: {
                Primitive primitive;
                primitive.anim = read<std::uint32_t>("anim");
                primitive.index = read<std::uint32_t>("index");
                primitive.name = readText(file_, "name");
                skip(8, "start");
                primitives.push_back(std::move(primitive));
                return;
            }
            case kBlend:
            case kPhaseBlend:
                readMeta(primitives, depth + 1);
                readMeta(primitives, depth + 1);
                skip(5, "blend");
                return;
            case kRandom:
            case kSequence:
                readList("metas", 4, [&] {
                    readMeta(primitives, depth + 1);
                    if (type.value == kRandom)
                        skip(4, "percent");
                });
                return;
            default:
                throw DecodeError(type.place, fmt::format("is {}, expected 0 to 4", type.value));
        }
    }

    void readTransition(Primitives& primitives) {
        enum Type : std::uint32_t { kMeta, kFade, kPhaseFade, kNone };
        const Field<std::uint32_t> type = readField<std::uint32_t>(file_, "transition_type");
        if (type.value == kMeta)
            readMeta(primitives, 0);
        else if (type.value == kFade || type.value == kPhaseFade)
            skip(14, "fade");
        else if (type.value != kNone)
            throw DecodeError(type.place, fmt::format("is {}, expected 0 to 3", type.value));
    }

    Reader file_;
    std::size_t size_;
    Ancs ancs_;
};

}  // namespace

Ancs decodeAncs(core::Bytes file, std::optional<Game> game) {
    core::tellDecoding("metroid character set", file);
    if (game)
        return AncsReader(file, *game).run();
    try {
        return AncsReader(file, Game::prime).run();
    } catch (const DecodeError& prime) {
        try {
            return AncsReader(file, Game::echoes).run();
        } catch (const DecodeError& echoes) {  // the layout in which more could be read is probably the right one
            throw prime.offset().value_or(0) >= echoes.offset().value_or(0) ? prime : echoes;
        }
    }
}

bool isAncs(core::Bytes file) {
    if (!beginsLikeAncs(file))
        return false;
    try {
        (void)decodeAncs(file, std::nullopt);
        return true;
    } catch (const DecodeError&) {
        return false;
    }
}

bool beginsLikeAncs(core::Bytes file) {
    constexpr std::uint32_t kMostCharacters = 4096;
    try {
        Reader reader(file);
        const auto version = reader.read<std::uint16_t>({});
        const auto setVersion = reader.read<std::uint16_t>({});
        const auto characters = reader.read<std::uint32_t>({});
        (void)reader.read<std::uint32_t>({});
        const auto first = reader.read<std::uint16_t>({});
        const bool isKnown = first == kEchoesVersion || (first >= 1 && first <= kLastPrimeVersion);
        return version == kFileVersion && setVersion == kFileVersion && characters >= 1 &&
               characters <= kMostCharacters && isKnown;
    } catch (const DecodeError&) {
        return false;
    }
}

}  // namespace reanima::metroid
