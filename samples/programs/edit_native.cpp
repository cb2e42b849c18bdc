/// Changes a pack in the game's own form: raises every hip by ten units. All other data stays the same, bit for bit.
///
///     edit_native samples/ff7/hrda raised

#include <fstream>
#include <iostream>
#include <iterator>

#include <reanima/formats/ff7/battle_animation.h>

int main(int argc, char** argv) try {
    if (argc != 3) {
        std::cerr << "usage: edit_native PACK OUTPUT\n";
        return 2;
    }
    std::ifstream in(argv[1], std::ios::binary);
    const reanima::core::ByteVector bytes{std::istreambuf_iterator<char>(in), {}};

    reanima::core::Diagnostics diagnostics;
    reanima::ff7::BattlePack pack = reanima::ff7::decodeBattlePack(bytes, {}, {}, diagnostics);
    for (reanima::ff7::BattleAnimation& animation : pack.animations)
        for (reanima::Position& position : animation.frames.translations)
            position[1] = static_cast<std::int16_t>(position[1] - 10);  // Y points down
    const reanima::core::ByteVector edited = reanima::ff7::encodeBattlePack(pack, diagnostics);
    for (const reanima::core::Warning& warning : diagnostics.warnings())
        std::cerr << warning.message() << '\n';

    std::ofstream out(argv[2], std::ios::binary);
    out.write(reinterpret_cast<const char*>(edited.data()), static_cast<std::streamsize>(edited.size()));
    out.close();
    std::cout << pack.animations.size() << " animations, " << edited.size() << " bytes\n";
    return out ? 0 : 1;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
