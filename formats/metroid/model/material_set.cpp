#include "formats/metroid/model/material_set.h"

#include <fmt/format.h>

namespace reanima::metroid {

namespace {

using core::DecodeError;

std::vector<std::uint32_t> readWords(Reader& file, std::string_view count, std::string_view name) {
    std::vector<std::uint32_t> words(readCount(file, count, sizeof(std::uint32_t)));
    for (std::uint32_t& word : words)
        word = file.read<std::uint32_t>(name);
    return words;
}

void readTextures(Reader& file, const MaterialSet& set, CmdlMaterial& material) {
    const std::uint32_t count = readCount(file, "texture_count", sizeof(std::uint32_t));
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto scope = file.enter("textures", i);
        const Field<std::uint32_t> texture = readField<std::uint32_t>(file, {});
        if (texture.value >= set.textures.size())
            throw DecodeError(texture.place, fmt::format("is {}, but the set has only {} textures", texture.value,
                                                         set.textures.size()));
        material.textures.push_back(texture.value);
    }
}

void readStages(Reader& file, CmdlMaterial& material) {
    constexpr std::size_t kStage = 24;  // bytes of a stage in both tables
    material.stages.resize(readCount(file, "stage_count", kStage));
    for (std::size_t i = 0; i < material.stages.size(); ++i) {
        const auto scope = file.enter("stages", i);
        TevStage& stage = material.stages[i];
        stage.colorIn = file.read<std::uint32_t>("color_in");
        stage.alphaIn = file.read<std::uint32_t>("alpha_in");
        stage.colorOp = file.read<std::uint32_t>("color_op");
        stage.alphaOp = file.read<std::uint32_t>("alpha_op");
        stage.unknown10 = file.read<std::uint8_t>("unknown_10");
        stage.konstAlpha = file.read<std::uint8_t>("konst_alpha");
        stage.konstColor = file.read<std::uint8_t>("konst_color");
        stage.raster = file.read<std::uint8_t>("raster");
    }
    for (std::size_t i = 0; i < material.stages.size(); ++i) {
        const auto scope = file.enter("stages", i);
        TevStage& stage = material.stages[i];
        stage.unknown14 = file.read<std::uint16_t>("unknown_14");
        stage.texture = file.read<std::uint8_t>("texture");
        stage.coordinate = file.read<std::uint8_t>("coordinate");
    }
}

void readAnimations(Reader& file, CmdlMaterial& material) {
    const Field<std::uint32_t> bytes = readField<std::uint32_t>(file, "animation_size");
    const std::uint64_t start = file.offset();
    const std::uint32_t count = readCount(file, "animation_count", sizeof(std::uint32_t));
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto scope = file.enter("animations", i);
        const Field<std::uint32_t> type = readField<std::uint32_t>(file, "type");
        if (type.value > kLastUvAnimation)
            throw DecodeError(type.place, fmt::format("is {}, expected 0 to {}", type.value, kLastUvAnimation));
        UvAnimation& animation = material.animations.emplace_back();
        animation.type = type.value;
        for (std::size_t k = 0; k < uvAnimationValues(type.value); ++k)
            animation.values.push_back(readNumber(file, "values"));
    }
    if (bytes.value != file.offset() - start)
        throw DecodeError(bytes.place,
                          fmt::format("is {}, but the animations need {} bytes", bytes.value, file.offset() - start));
}

CmdlMaterial readMaterial(Reader& file, const MaterialSet& set, Game game) {
    CmdlMaterial material;
    material.flags = file.read<std::uint32_t>("flags");
    readTextures(file, set, material);
    material.vertexWord = file.read<std::uint32_t>("vertex_word");
    if (game == Game::echoes)
        for (std::uint32_t& word : material.unknown)
            word = file.read<std::uint32_t>("unknown");
    material.group = file.read<std::uint32_t>("group");
    if ((material.flags & kHasKonst) != 0) {
        material.konst.resize(readCount(file, "konst_count", 4));
        for (std::array<std::uint8_t, 4>& color : material.konst)
            for (std::uint8_t& part : color)
                part = file.read<std::uint8_t>("konst");
    }
    material.destination = file.read<std::uint16_t>("blend.destination");
    material.source = file.read<std::uint16_t>("blend.source");
    if ((material.flags & kIndirect) != 0)
        material.indirect = file.read<std::uint32_t>("indirect");
    material.channels = readWords(file, "channel_count", "channels");
    readStages(file, material);
    material.generators = readWords(file, "generator_count", "generators");
    readAnimations(file, material);
    return material;
}

void writeWords(Writer& out, const std::vector<std::uint32_t>& words) {
    out.write(static_cast<std::uint32_t>(words.size()));
    for (const std::uint32_t word : words)
        out.write(word);
}

void writeStages(Writer& out, const std::vector<TevStage>& stages) {
    out.write(static_cast<std::uint32_t>(stages.size()));
    for (const TevStage& stage : stages) {
        for (const std::uint32_t word : {stage.colorIn, stage.alphaIn, stage.colorOp, stage.alphaOp})
            out.write(word);
        for (const std::uint8_t byte : {stage.unknown10, stage.konstAlpha, stage.konstColor, stage.raster})
            out.write(byte);
    }
    for (const TevStage& stage : stages) {
        out.write(stage.unknown14);
        out.write(stage.texture);
        out.write(stage.coordinate);
    }
}

void writeMaterial(Writer& out, const CmdlMaterial& material, Game game) {
    out.write(material.flags);
    writeWords(out, material.textures);
    out.write(material.vertexWord);
    if (game == Game::echoes)
        for (const std::uint32_t word : material.unknown)
            out.write(word);
    out.write(material.group);
    if ((material.flags & kHasKonst) != 0) {
        out.write(static_cast<std::uint32_t>(material.konst.size()));
        for (const std::array<std::uint8_t, 4>& color : material.konst)
            out.write(core::Bytes(color));
    }
    out.write(material.destination);
    out.write(material.source);
    if ((material.flags & kIndirect) != 0)
        out.write(material.indirect);
    writeWords(out, material.channels);
    writeStages(out, material.stages);
    writeWords(out, material.generators);
    Writer animations;
    animations.write(static_cast<std::uint32_t>(material.animations.size()));
    for (const UvAnimation& animation : material.animations) {
        animations.write(animation.type);
        for (const float value : animation.values)
            animations.write(value);
    }
    out.write(static_cast<std::uint32_t>(animations.size()));
    out.write(animations.bytes());
}

}  // namespace

MaterialSet readMaterialSet(Reader& section, Game game) {
    MaterialSet set;
    set.textures = readWords(section, "texture_count", "textures");
    const std::uint32_t count = readCount(section, "material_count", sizeof(std::uint32_t));
    std::vector<Field<std::uint32_t>> ends;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto scope = section.enter("material_ends", i);
        ends.push_back(readField<std::uint32_t>(section, {}));
    }
    const std::uint64_t start = section.offset();
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto scope = section.enter("materials", i);
        set.materials.push_back(readMaterial(section, set, game));
        if (ends[i].value != section.offset() - start)
            throw DecodeError(ends[i].place, fmt::format("is {}, but the material ends at {}", ends[i].value,
                                                         section.offset() - start));
    }
    return set;
}

core::ByteVector encodeMaterialSet(const MaterialSet& set, Game game) {
    Writer materials;
    Writer out;
    writeWords(out, set.textures);
    out.write(static_cast<std::uint32_t>(set.materials.size()));
    for (const CmdlMaterial& material : set.materials) {
        writeMaterial(materials, material, game);
        out.write(static_cast<std::uint32_t>(materials.size()));
    }
    out.write(materials.bytes());
    return out.take();
}

}  // namespace reanima::metroid
