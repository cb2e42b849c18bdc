#include "formats/foreign_files.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include <fmt/format.h>

#include "core/byte_reader.h"
#include "core/text.h"

namespace reanima {

namespace {

enum class Use { none, rig };

/// Bytes by which a kind of file is recognised.
struct Signature {
    std::size_t offset;
    std::string_view bytes;  ///< hexadecimal digits
    std::string_view label;
    std::string_view next;
    Use use;
    std::string_view scene = {};
};

// Sources: the documentation of each format; for discs, Dolphin (DiscIO), MAME (chd.h) and the PSP's loaders.
constexpr std::array kSignatures = {
    Signature{0, "89504e470d0a1a0a", "a PNG image", "images are not converted", Use::none},
    Signature{0, "ffd8ff", "a JPEG image", "images are not converted", Use::none},
    Signature{0, "47494638", "a GIF image", "images are not converted", Use::none},
    Signature{0, "424d", "a BMP image", "images are not converted", Use::none},
    Signature{0, "44445320", "a DDS texture", "images are not converted", Use::none},
    Signature{0, "4b617964617261204642582042696e617279", "an FBX file", "motion can be bound to it as a rig", Use::rig,
              "fbx"},
    Signature{0, "3b20464258", "an FBX file", "motion can be bound to it as a rig", Use::rig, "fbx"},
    Signature{0, "676c5446", "a glTF file (.glb or .vrm)", "motion can be bound to it as a rig", Use::rig, "gltf"},
    Signature{0, "424c454e444552", "a Blender file", "export a .glb from Blender, and bind motion to it as a rig",
              Use::rig},
    Signature{0, "504b0304", "a ZIP archive", "unpack it first", Use::none},
    Signature{0, "504b0506", "an empty ZIP archive", "it contains nothing", Use::none},
    Signature{0, "377abcaf271c", "a 7-Zip archive", "unpack it first", Use::none},
    Signature{0, "526172211a0700", "a RAR archive", "unpack it first", Use::none},
    Signature{0, "526172211a070100", "a RAR archive", "unpack it first", Use::none},
    Signature{0, "1f8b", "a gzip file", "unpack it first (gzip -d)", Use::none},
    Signature{0, "28b52ffd", "a Zstandard file",
              "unpack it first (zstd -d); if it is a .blend of Blender 3.0 or later, export .glb from Blender",
              Use::none},
    Signature{0, "52565a01", "a disc image of the Wii (RVZ)",
              "its version of Metroid Prime is not supported; use the GameCube version", Use::none},
    Signature{0, "57494101", "a disc image of the Wii (WIA)",
              "its version of Metroid Prime is not supported; use the GameCube version", Use::none},
    Signature{0, "57424653", "a disc image in the WBFS format",
              "it is a Wii disc, and the Wii version of Metroid Prime is not supported; use the GameCube version",
              Use::none},
    Signature{0, "ae0f38a2", "a disc image in the TGC format",
              "open it in Dolphin, and extract Metroid1.pak and the other .pak files (Properties > Filesystem)",
              Use::none},
    Signature{24, "5d1c9ea3", "a disc image of the Wii",
              "its version of Metroid Prime is not supported; use the GameCube version", Use::none},
    Signature{0, "45474753", "a disc image of the Wii U (NFS)",
              "its version of Metroid Prime is not supported; use the GameCube version", Use::none},
    Signature{0, "00504250", "a PlayStation disc in the PBP format", "convert it to .bin with PSX2PSP", Use::none},
    Signature{0, "00ffffffffffffffffffff00", "a CD image with raw sectors",
              "it contains no files (ISO 9660); use the first track of the disc", Use::none},
    Signature{0, "45434d00", "a CD image in the ECM format", "convert it to .bin with unecm", Use::none},
    Signature{0, "4d454449412044455343524950544f52", "a description of a CD image (.mds)",
              "use the image itself, which is the .mdf beside it", Use::none},
    Signature{0, "5b436c6f6e6543445d", "a description of a CD image (.ccd)",
              "use the image itself, which is the .img beside it", Use::none},
    Signature{0, "46494c452022", "a description of a CD image (.cue)", "it names no image; use the .bin beside it",
              Use::none},
    Signature{0, "52454d20", "a description of a CD image (.cue)", "it names no image; use the .bin beside it",
              Use::none},
    Signature{0, "50532d5820455845", "a program of the PlayStation", "use FF9.IMG, which is beside it on the disc",
              Use::none},
    Signature{0, "556e697479526177", "a bundle of Unity, as in Final Fantasy IX for PC",
              "that edition is not supported; use FF9.IMG of the PlayStation discs", Use::none},
    Signature{0, "556e6974794653", "a bundle of Unity", "export models from it with a tool for Unity", Use::none},
    Signature{0, "556e697479576562", "a bundle of Unity", "export models from it with a tool for Unity", Use::none},
    Signature{0, "50465330", "a package of the Switch",
              "its version of Metroid Prime is not supported; use the GameCube version", Use::none},
    Signature{256, "48454144", "a cartridge of the Switch",
              "its version of Metroid Prime is not supported; use the GameCube version", Use::none},
    Signature{0, "5246524d", "a file of Metroid Prime Remastered or of Donkey Kong",
              "these games are not supported; use the GameCube version of Metroid Prime", Use::none},
    Signature{4, "66747970", "an MP4 or MOV video", "this kind of video is not supported", Use::none},
    Signature{0, "1a45dfa3", "a Matroska or WebM video", "this kind of video is not supported", Use::none},
    Signature{0, "42494b", "a Bink video", "this kind of video is not supported", Use::none},
    Signature{8, "41564920", "an AVI video", "this kind of video is not supported", Use::none},
    Signature{8, "57415645", "a WAV sound", "sounds are not converted", Use::none},
    Signature{0, "4f676753", "an Ogg sound", "sounds are not converted", Use::none},
    Signature{0, "255044462d", "a PDF document", "documents are not converted", Use::none},
    Signature{0, "7f454c46", "a program", "the data files of the game are elsewhere", Use::none},
    Signature{0, "4d5a", "a program",
              "the data files of the game are elsewhere, such as data/battle/battle.lgp of Final Fantasy VII",
              Use::none},
    Signature{0, "53514c69746520666f726d6174203300", "an SQLite database", "databases are not converted", Use::none},
};

int digitOf(char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; }

bool fits(const Signature& signature, core::Bytes head) {
    const std::size_t size = signature.bytes.size() / 2;
    if (head.size() < signature.offset + size)
        return false;
    for (std::size_t i = 0; i < size; ++i)
        if (head[signature.offset + i] != digitOf(signature.bytes[2 * i]) * 16 + digitOf(signature.bytes[2 * i + 1]))
            return false;
    return true;
}

std::string_view asText(core::Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};  // NOLINT: bytes are bytes
}

const core::OptionHint kRigHint{"skeleton", "RIG"};

/// Images of both the GameCube and the PSP begin with CISO. In those of the GameCube a power of two follows: the block
/// size.
std::optional<ForeignFile> packedDisc(core::Bytes head) {
    constexpr std::uint32_t kSmallestBlock = 0x8000;
    constexpr std::size_t kHeader = 8;
    if (head.size() < kHeader || !asText(head).starts_with("CISO"))
        return std::nullopt;
    std::uint32_t block = 0;
    for (unsigned i = 0; i < 4; ++i)
        block |= std::uint32_t{head[4 + i]} << (8 * i);
    if (std::has_single_bit(block) && block >= kSmallestBlock)
        return ForeignFile{"a disc image in the CISO format", "it ends within its header"};
    return ForeignFile{"a disc image of the PSP", "games of the PSP are not supported"};
}

/// The start of a text, without a byte order mark and leading blanks.
std::string_view beginningOf(core::Bytes bytes) {
    constexpr std::size_t kLookedAt = 4096;
    std::string_view text = asText(bytes).substr(0, kLookedAt);
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return text;
}

/// True if the bytes begin with a short name that is padded with zeros.
bool beginsLikeMemoriaBinary(core::Bytes bytes) {
    constexpr std::uint32_t kLongestName = 256;  // longer and empty names are invalid
    constexpr std::uint32_t kStep = 4;
    try {
        core::LittleEndianReader reader(bytes);
        const auto size = reader.read<std::uint32_t>("name_length");
        if (size == 0 || size > kLongestName)
            return false;
        const core::Bytes name = reader.bytes(size, "name");
        const core::Bytes padding = reader.bytes((kStep - size % kStep) % kStep, "name");
        return std::ranges::all_of(name, [](std::uint8_t c) { return c >= ' '; }) &&
               std::ranges::all_of(padding, [](std::uint8_t c) { return c == 0; });
    } catch (const core::DecodeError&) {
        return false;
    }
}

bool isMemoriaText(core::Bytes bytes) {
    const std::string_view text = beginningOf(bytes);
    return text.starts_with('{') && text.find("\"transform\"") != std::string_view::npos &&
           text.find("\"asset\"") == std::string_view::npos;
}

const ForeignFile kMemoria{"an animation of Memoria", "motion can be bound to its skeleton as a rig", kRigHint,
                           "memoria"};

/// Recognises JSON files that this program writes, or reads beside its inputs, by their first member `schema`.
std::optional<ForeignFile> ownText(std::string_view text) {
    constexpr std::size_t kBegin = 40;
    if (!text.starts_with('{') || text.substr(0, kBegin).find("\"schema\"") == std::string_view::npos)
        return std::nullopt;
    const auto has = [text](std::string_view member) { return text.find(member) != std::string_view::npos; };
    if (has("\"by_name\"") && has("\"joints\""))
        return ForeignFile{"a mapping of joints", "it states which joint follows which", {"map", "FILE"}};
    if (has("\"rate\"") && has("\"width\"") && has("\"frames\"") && !has("\"format\""))
        return ForeignFile{"a list of frames", "`reanima encode` makes a video from these frames"};
    if (has("\"inputs\""))
        return ForeignFile{"a job file", "`reanima convert` runs it"};
    if (has("\"format\""))
        return ForeignFile{"the JSON of `reanima dump`", "`reanima encode` makes the game file from it"};
    return std::nullopt;
}

std::optional<ForeignFile> textFile(core::Bytes head) {
    const std::string_view text = beginningOf(head);
    if (auto own = ownText(text))
        return own;
    if (constexpr std::string_view kBvh = "hierarchy"; core::lowerCase(text.substr(0, kBvh.size())) == kBvh)
        return ForeignFile{"a BVH file", "motion can be bound to its skeleton as a rig", kRigHint, "bvh"};
    if (text.starts_with('{') && text.find("\"asset\"") != std::string_view::npos)
        return ForeignFile{"a glTF file", "motion can be bound to it as a rig", kRigHint, "gltf"};
    if (isMemoriaText(head))
        return kMemoria;
    if (!text.starts_with("<?xml"))
        return std::nullopt;
    if (text.find("<COLLADA") != std::string_view::npos)
        return ForeignFile{"a COLLADA file", "motion can be bound to it as a rig", kRigHint, "collada"};
    return ForeignFile{"an XML text", "texts are not converted"};
}

}  // namespace

core::DecodeError ForeignFile::asError() const {
    core::DecodeError error(fmt::format("is {}; {}", label, next));
    return hint.key.empty() ? error : error.withHint(hint);
}

std::optional<ImagePart> imagePart(std::string_view name) {
    const std::string_view stem = core::stemOf(name);
    const std::string extension = core::extensionOf(name);
    const std::string inner = core::extensionOf(stem);
    const auto part = [](const std::string& next, const std::string& parts, const std::string& whole) {
        return ImagePart{
            next,
            {"a part of a disc image that was split", fmt::format("join all parts: `cat {} > {}`", parts, whole)}};
    };
    if (extension.size() == 3 && extension[0] == '0' && std::ranges::all_of(extension, core::isDigit))
        return part(fmt::format("{}.{:03}", stem, std::stoi(extension) + 1), fmt::format("{}.0*", stem),
                    std::string(stem));
    if (constexpr std::size_t kLetters = 4;
        inner.starts_with("part") && inner.size() == kLetters + 1 && core::isDigit(inner[kLetters])) {
        const std::string_view whole = core::stemOf(stem);
        return part(fmt::format("{}.part{}.{}", whole, inner[kLetters] - '0' + 1, extension),
                    fmt::format("{}.part?.{}", whole, extension), fmt::format("{}.{}", whole, extension));
    }
    if (constexpr std::size_t kLetters = 3; extension.size() == kLetters + 1 && extension.starts_with("wbf") &&
                                            (extension[kLetters] == 's' || core::isDigit(extension[kLetters]))) {
        const int number = extension[kLetters] == 's' ? 0 : extension[kLetters] - '0';
        return part(fmt::format("{}.wbf{}", stem, number + 1), fmt::format("{0}.wbfs {0}.wbf[1-9]", stem),
                    fmt::format("{}.whole.wbfs", stem));
    }
    return std::nullopt;
}

bool beginsLikeJson(core::Bytes bytes) {
    const std::string_view text = beginningOf(bytes);
    const bool isText = text.substr(0, 4).find('\0') == std::string_view::npos;  // otherwise a 32-bit number
    return isText && (text.starts_with('{') || text.starts_with('['));
}

bool isMemoriaAnimation(core::Bytes bytes, std::string_view name) {
    if (isMemoriaText(bytes))
        return true;
    const bool isOtherText = beginsLikeJson(bytes) && !textFile(bytes);
    return core::extensionOf(name) == "anim" && (isOtherText || beginsLikeMemoriaBinary(bytes));
}

std::optional<ForeignFile> foreignFile(core::Bytes head) {
    const auto found =
        std::ranges::find_if(kSignatures, [head](const Signature& signature) { return fits(signature, head); });
    if (found != kSignatures.end())
        return ForeignFile{std::string(found->label), std::string(found->next),
                           found->use == Use::rig ? kRigHint : core::OptionHint{}, found->scene};
    if (auto disc = packedDisc(head))
        return disc;
    return textFile(head);
}

}  // namespace reanima
