#include "formats/metroid/model/cmdl.h"

#include <algorithm>
#include <map>
#include <type_traits>

#include <fmt/format.h>

#include "core/decode_watch.h"
#include "formats/metroid/model/display_list.h"
#include "formats/metroid/model/material_set.h"
#include "formats/metroid/reading.h"

namespace reanima::metroid {

namespace {

using core::Code;
using core::DecodeError;

constexpr std::uint32_t kPrimeMesh = 2;
constexpr std::uint32_t kEchoesMesh = 4;
constexpr std::uint32_t kCorruptionMesh = 5;
constexpr std::uint32_t kDonkeyKong = 0x9381000A;
constexpr std::size_t kSection = 32;       // the size of a section is a multiple of this
constexpr std::size_t kUsualSections = 5;  // number of sections that are neither material sets nor surfaces

bool areZeros(core::Bytes bytes) {
    return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
}

void refuseOtherMagic(const Field<std::uint32_t>& magic) {
    if (magic.value == kDonkeyKong)
        throw DecodeError(magic.place, "is a model of Donkey Kong Country Returns, which is not supported");
    if (magic.value == kRemasteredMagic)
        throw DecodeError(magic.place,
                          "is 'RFRM', a model of Metroid Prime Remastered or a later game, which is not supported");
    if (magic.value != kModelMagic)
        throw DecodeError(magic.place, fmt::format("is 0x{:08x}, expected 0x{:08x}", magic.value, kModelMagic));
}

Game gameOf(const Field<std::uint32_t>& version) {
    if (version.value == kCorruptionMesh)
        throw DecodeError(version.place, "is 5, a model of Metroid Prime 3: Corruption, which is not supported");
    if (version.value != kPrimeMesh && version.value != kEchoesMesh)
        throw DecodeError(version.place, fmt::format("is {}, expected 2 (Prime) or 4 (Echoes)", version.value));
    return version.value == kPrimeMesh ? Game::prime : Game::echoes;
}

template <std::size_t count>
std::array<float, count> readFloats(Reader& file, std::string_view name) {
    std::array<float, count> values{};
    for (float& value : values)
        value = readNumber(file, name);
    return values;
}

class CmdlReader {
  public:
    CmdlReader(core::Bytes bytes, core::Diagnostics& diagnostics)
        : bytes_(bytes), file_(bytes), diagnostics_(diagnostics) {}

    Cmdl run() {
        readHeader();
        for (std::uint32_t i = 0; i < setCount_; ++i)
            readSet(i);
        requireSameSets();
        readArrays();
        entries_.emplace(cmdl_);
        readSurfaceTable();
        for (std::uint32_t i = 0; i < surfaceCount_; ++i)
            readSurface(i);
        keepTrailing();
        return std::move(cmdl_);
    }

  private:
    void readHeader() {
        refuseOtherMagic(readField<std::uint32_t>(file_, "magic"));
        cmdl_.game = gameOf(readField<std::uint32_t>(file_, "version"));
        cmdl_.flags = file_.read<std::uint32_t>("flags");
        cmdl_.box = readFloats<6>(file_, "box");
        const Field<std::uint32_t> sections = readField<std::uint32_t>(file_, "section_count");
        const Field<std::uint32_t> sets = readField<std::uint32_t>(file_, "material_sets");
        if (sections.value > file_.remaining() / sizeof(std::uint32_t))
            throw DecodeError(sections.place, fmt::format("is {}, but the file has room for only {}", sections.value,
                                                          file_.remaining() / sizeof(std::uint32_t)));
        const std::size_t others = kUsualSections + (hasShortUv() ? 1 : 0);
        if (sets.value == 0 || sections.value < others || sets.value > sections.value - others)
            throw DecodeError(sets.place,
                              fmt::format("is {}, expected 1 to {} of {} sections", sets.value,
                                          sections.value < others ? 0 : sections.value - others, sections.value));
        setCount_ = sets.value;
        readSizes(sections.value);
    }

    void readSizes(std::uint32_t count) {
        const std::size_t table = file_.offset();
        const auto place = [table](std::uint32_t i) {
            return core::Place{fmt::format("section_sizes[{}]", i), table + sizeof(std::uint32_t) * i};
        };
        cmdl_.sectionSizes.reserve(count);
        for (std::uint32_t i = 0; i < count; ++i)
            cmdl_.sectionSizes.push_back(file_.read<std::uint32_t>("section_sizes"));
        const std::size_t gap = (kSection - file_.offset() % kSection) % kSection;
        const core::Bytes filling = file_.bytes(gap, "header_gap");
        if (!areZeros(filling))
            cmdl_.headerGap.assign(filling.begin(), filling.end());
        std::size_t start = file_.offset();
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t size = cmdl_.sectionSizes[i];
            if (size > bytes_.size() - start)
                throw DecodeError(place(i),
                                  fmt::format("is {}, but only {} bytes are left", size, bytes_.size() - start));
            if (size % kSection != 0)
                diagnostics_.warn(Code::rareLayout, place(i),
                                  fmt::format("is {}, expected a multiple of {}", size, kSection));
            starts_.push_back(start);
            start += size;
        }
        starts_.push_back(start);
    }

    [[nodiscard]] bool hasShortUv() const { return (cmdl_.flags & kShortUvSection) != 0; }

    /// A section by its number.
    [[nodiscard]] Reader section(std::size_t index) const {
        return Reader(bytes_.subspan(starts_[index], cmdl_.sectionSizes[index]), {}, starts_[index]);
    }

    void keepRest(std::size_t index, Reader& section) {
        const core::Bytes rest = section.rest();
        if (!areZeros(rest))
            cmdl_.rests.push_back({static_cast<std::uint32_t>(index), {rest.begin(), rest.end()}});
    }

    void readSet(std::uint32_t index) {
        Reader reader = section(index);
        const auto scope = reader.enter("material_sets", index);
        cmdl_.sets.push_back(readMaterialSet(reader, cmdl_.game));
        keepRest(index, reader);
    }

    /// @throws DecodeError unless all looks of the model have the same number of materials with the same vertex words
    void requireSameSets() const {
        const std::vector<CmdlMaterial>& first = cmdl_.sets.front().materials;
        for (std::size_t i = 1; i < cmdl_.sets.size(); ++i) {
            const std::vector<CmdlMaterial>& other = cmdl_.sets[i].materials;
            const core::Place place{fmt::format("material_sets[{}]", i), starts_[i]};
            if (other.size() != first.size())
                throw DecodeError(
                    place, fmt::format("has {} materials, but the first set has {}", other.size(), first.size()));
            for (std::size_t k = 0; k < first.size(); ++k)
                if (other[k].vertexWord != first[k].vertexWord)
                    throw DecodeError(place,
                                      fmt::format("differs from the first set in the vertex word of material {}", k));
        }
    }

    /// Reads all complete entries of a section.
    template <typename Part, std::size_t parts>
    void readArray(std::vector<std::array<Part, parts>>& list, std::string_view name) {
        const std::size_t index = next_++;
        Reader reader = section(index);
        list.resize(cmdl_.sectionSizes[index] / (parts * sizeof(Part)));
        for (std::size_t i = 0; i < list.size(); ++i)
            for (Part& part : list[i]) {
                part = reader.read<Part>(name);
                if constexpr (std::is_same_v<Part, float>)
                    if (!isNumber(part)) {
                        const auto scope = reader.enter(name, i);
                        refuseNumber(part, reader.place({}, sizeof part));
                    }
            }
        keepRest(index, reader);
    }

    void readArrays() {
        next_ = setCount_;
        readArray(cmdl_.positions, "positions");
        if ((cmdl_.flags & kShortNormals) != 0)
            readArray(cmdl_.shortNormals, "normals");
        else
            readArray(cmdl_.normals, "normals");
        readArray(cmdl_.colors, "colors");
        readArray(cmdl_.uv, "uv");
        if (hasShortUv())
            readArray(cmdl_.shortUv, "short_uv");
    }

    void readSurfaceTable() {
        const std::size_t index = next_++;
        Reader reader = section(index);
        const Field<std::uint32_t> count = readField<std::uint32_t>(reader, "surface_count");
        surfaceCount_ = static_cast<std::uint32_t>(cmdl_.sectionSizes.size() - next_);
        if (count.value != surfaceCount_)
            throw DecodeError(count.place, fmt::format("is {}, but {} sections are left", count.value, surfaceCount_));
        std::uint32_t sum = 0;
        bool fits = true;
        const core::Place place = reader.place("surface_ends");
        std::vector<std::uint32_t> ends;
        for (std::uint32_t i = 0; i < surfaceCount_; ++i) {
            ends.push_back(reader.read<std::uint32_t>("surface_ends"));
            sum += cmdl_.sectionSizes[next_ + i];
            fits = fits && ends.back() == sum;
        }
        if (!fits) {
            cmdl_.surfaceEnds = std::move(ends);
            diagnostics_.warn(Code::countMismatch, place,
                              "are not the sums of the surfaces' sizes; the sizes are used");
        }
        keepRest(index, reader);
    }

    void readSurface(std::uint32_t number) {
        const std::size_t index = next_ + number;
        Reader reader = section(index);
        const auto scope = reader.enter("surfaces", number);
        CmdlSurface& surface = cmdl_.surfaces.emplace_back();
        surface.center = readFloats<3>(reader, "center");
        const Field<std::uint32_t> material = readField<std::uint32_t>(reader, "material");
        const std::size_t materials = cmdl_.sets.front().materials.size();
        if (material.value >= materials)
            throw DecodeError(material.place,
                              fmt::format("is {}, but there are only {} materials", material.value, materials));
        surface.material = material.value;
        const Field<std::uint32_t> size = readField<std::uint32_t>(reader, "display_list_size");
        surface.sizeWord = size.value;
        for (std::uint32_t& word : surface.unknown)
            word = reader.read<std::uint32_t>("unknown");
        const std::uint32_t extra = readCount(reader, "extra_size", 1);
        surface.normal = readFloats<3>(reader, "normal");
        if (cmdl_.game == Game::echoes) {
            surface.bank = reader.read<std::int16_t>("bank");
            surface.group = reader.read<std::uint16_t>("group");
        }
        const core::Bytes bytes = reader.bytes(extra, "extra");
        surface.extra.assign(bytes.begin(), bytes.end());
        const std::size_t done = reader.offset() - starts_[index];
        const core::Bytes gap = reader.bytesUpTo((kSection - done % kSection) % kSection);
        if (!areZeros(gap))
            surface.gap.assign(gap.begin(), gap.end());
        if (constexpr std::uint32_t kSizeBits = 0x7FFFFFFF; (size.value & kSizeBits) != reader.remaining())
            diagnostics_.warn(Code::countMismatch, size.place,
                              fmt::format("is {}, but the section has {} bytes; all of them are read",
                                          size.value & kSizeBits, reader.remaining()));
        readDisplayList(reader, cmdl_, *entries_, surface, diagnostics_);
        keepRest(index, reader);
    }

    void keepTrailing() {
        const core::Bytes rest = bytes_.subspan(starts_.back());
        cmdl_.trailing.assign(rest.begin(), rest.end());
        if (!std::ranges::all_of(rest, [](std::uint8_t byte) { return byte == 0 || byte == 0xFF; }))
            diagnostics_.warn(Code::trailingBytes, {"trailing", starts_.back()},
                              fmt::format("{} bytes follow the last section", rest.size()));
    }

    core::Bytes bytes_;
    Reader file_;
    core::Diagnostics& diagnostics_;
    Cmdl cmdl_;
    std::uint32_t setCount_ = 0;
    std::uint32_t surfaceCount_ = 0;
    std::vector<std::size_t> starts_;  ///< offsets of the sections, then the end of the last section
    std::size_t next_ = 0;             ///< the section to read
    std::optional<EntryCounts> entries_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Writing

class CmdlWriter {
  public:
    CmdlWriter(const Cmdl& cmdl, core::Diagnostics& diagnostics) : cmdl_(cmdl), diagnostics_(diagnostics) {
        for (const Cmdl::Rest& rest : cmdl.rests)
            rests_.try_emplace(rest.section, &rest);
    }

    core::ByteVector run() {
        for (const MaterialSet& set : cmdl_.sets)
            finish(encodeMaterialSet(set, cmdl_.game));
        finish(encodeArray(cmdl_.positions));
        finish((cmdl_.flags & kShortNormals) != 0 ? encodeArray(cmdl_.shortNormals) : encodeArray(cmdl_.normals));
        finish(encodeArray(cmdl_.colors));
        finish(encodeArray(cmdl_.uv));
        if ((cmdl_.flags & kShortUvSection) != 0)
            finish(encodeArray(cmdl_.shortUv));
        const std::size_t table = sections_.size();
        finish(core::ByteVector(sizeof(std::uint32_t) * (1 + cmdl_.surfaces.size())));
        for (const CmdlSurface& surface : cmdl_.surfaces)
            addSurface(surface);
        writeTable(table);
        report();
        return assemble();
    }

  private:
    template <typename Entry>
    static core::ByteVector encodeArray(const std::vector<Entry>& list) {
        Writer out;
        for (const Entry& entry : list)
            for (const auto part : entry)
                out.write(part);
        return out.take();
    }

    /// Pads a section to its old size, or, if its content has grown, to a multiple of 32 bytes.
    void finish(core::ByteVector section) {
        const std::size_t index = sections_.size();
        if (const auto rest = rests_.find(index); rest != rests_.end())
            section.insert(section.end(), rest->second->bytes.begin(), rest->second->bytes.end());
        const bool isKnown = index < cmdl_.sectionSizes.size() && section.size() <= cmdl_.sectionSizes[index];
        section.resize(isKnown ? cmdl_.sectionSizes[index] : (section.size() + kSection - 1) / kSection * kSection);
        if (!isKnown)
            recomputed_ = recomputed_.value_or(index);
        sections_.push_back(std::move(section));
    }

    void addSurface(const CmdlSurface& surface) {
        constexpr std::size_t kSizeWord = 16;
        Writer out;
        for (const float part : surface.center)
            out.write(part);
        out.write(surface.material);
        out.write(surface.sizeWord);
        for (const std::uint32_t word : surface.unknown)
            out.write(word);
        out.write(static_cast<std::uint32_t>(surface.extra.size()));
        for (const float part : surface.normal)
            out.write(part);
        if (cmdl_.game == Game::echoes) {
            out.write(surface.bank);
            out.write(surface.group);
        }
        out.write(core::Bytes(surface.extra));
        const std::size_t gap = (kSection - out.size() % kSection) % kSection;
        core::ByteVector filling = surface.gap;
        filling.resize(gap);
        out.write(core::Bytes(filling));
        const std::size_t start = out.size();
        writeDisplayList(out, VertexLayout(cmdl_.sets.front().materials[surface.material].vertexWord), surface);
        const std::size_t index = sections_.size();
        finish(out.take());
        if (index < cmdl_.sectionSizes.size() && cmdl_.sectionSizes[index] == sections_.back().size())
            return;
        constexpr std::uint32_t kFlag = 0x80000000;
        Writer size;
        size.write(static_cast<std::uint32_t>((surface.sizeWord & kFlag) | (sections_.back().size() - start)));
        std::ranges::copy(size.bytes(), sections_.back().begin() + kSizeWord);
    }

    void writeTable(std::size_t table) {
        Writer out;
        out.write(static_cast<std::uint32_t>(cmdl_.surfaces.size()));
        std::uint32_t sum = 0;
        const bool isKept = !recomputed_ && cmdl_.surfaceEnds.size() == cmdl_.surfaces.size();
        for (std::size_t i = 0; i < cmdl_.surfaces.size(); ++i) {
            sum += static_cast<std::uint32_t>(sections_[table + 1 + i].size());
            out.write(isKept ? cmdl_.surfaceEnds[i] : sum);
        }
        std::ranges::copy(out.bytes(), sections_[table].begin());
    }

    void report() const {
        if (!recomputed_ && sections_.size() != cmdl_.sectionSizes.size())
            diagnostics_.warn(
                Code::recomputed, {"section_sizes", std::nullopt},
                fmt::format("are {}, but the model has {} sections", cmdl_.sectionSizes.size(), sections_.size()));
        if (recomputed_)
            diagnostics_.warn(Code::recomputed, {fmt::format("section_sizes[{}]", *recomputed_), std::nullopt},
                              fmt::format("is too small for the section of {} bytes; sizes and ends are rewritten",
                                          sections_[*recomputed_].size()));
    }

    core::ByteVector assemble() {
        Writer out;
        out.write(kModelMagic);
        out.write(cmdl_.game == Game::prime ? kPrimeMesh : kEchoesMesh);
        out.write(cmdl_.flags);
        for (const float part : cmdl_.box)
            out.write(part);
        out.write(static_cast<std::uint32_t>(sections_.size()));
        out.write(static_cast<std::uint32_t>(cmdl_.sets.size()));
        for (const core::ByteVector& section : sections_)
            out.write(static_cast<std::uint32_t>(section.size()));
        core::ByteVector gap = cmdl_.headerGap;
        gap.resize((kSection - out.size() % kSection) % kSection);
        out.write(core::Bytes(gap));
        for (const core::ByteVector& section : sections_)
            out.write(core::Bytes(section));
        out.write(core::Bytes(cmdl_.trailing));
        return out.take();
    }

    const Cmdl& cmdl_;
    core::Diagnostics& diagnostics_;
    std::map<std::size_t, const Cmdl::Rest*> rests_;  ///< by index of the section
    std::vector<core::ByteVector> sections_;
    std::optional<std::size_t> recomputed_;  ///< the first section whose size was recomputed
};

}  // namespace

std::size_t uvAnimationValues(std::uint32_t type) {
    constexpr std::array<std::size_t, kLastUvAnimation + 1> kValues = {0, 0, 4, 2, 4, 4, 0, 2};
    return kValues.at(type);
}

VertexLayout::VertexLayout(std::uint32_t vertexWord) {
    constexpr unsigned kFirstMatrix = 24;
    for (unsigned bit = kFirstMatrix; bit < 32; ++bit)
        matrices += vertexWord >> bit & 1U;
    for (std::size_t field = 0; field < kFields; ++field) {
        const unsigned how = vertexWord >> 2 * field & 3U;
        sizes.at(field) = static_cast<std::uint8_t>(how == 3 ? 2 : how == 2 ? 1 : 0);
    }
    numbers = bytes = matrices;
    for (std::size_t field = 0; field < kFields; ++field) {
        places.at(field) = numbers;
        numbers += has(field) ? 1 : 0;
        bytes += sizes.at(field);
    }
}

Cmdl decodeCmdl(core::Bytes file, core::Diagnostics& diagnostics) {
    core::tellDecoding("metroid model", file);
    return CmdlReader(file, diagnostics).run();
}

core::ByteVector encodeCmdl(const Cmdl& cmdl, core::Diagnostics& diagnostics) {
    return CmdlWriter(cmdl, diagnostics).run();
}

bool isCmdl(core::Bytes file) {
    if (!beginsLikeCmdl(file))
        return false;
    try {
        core::Diagnostics doubts;
        (void)decodeCmdl(file, doubts);
        return !doubts.hasWarnings();
    } catch (const DecodeError&) {
        return false;
    }
}

bool beginsLikeCmdl(core::Bytes file) {
    if (file.size() < 8)
        return false;
    Reader reader(file);
    return reader.read<std::uint32_t>({}) == kModelMagic;
}

}  // namespace reanima::metroid
