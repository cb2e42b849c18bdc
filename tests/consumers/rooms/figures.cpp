/// A program that measures and draws: a line per clip, a page that plays them, and a contact sheet if the library can
/// draw.
///
///     figures FILE PAGE.html SHEET.png
#include <fstream>
#include <iostream>
#include <span>
#include <string>

#include <reanima/measures.h>
#include <reanima/pipeline.h>
#ifdef REANIMA_DRAWS
#include <reanima/drawing.h>
#endif

#if defined(NLOHMANN_JSON_VERSION_MAJOR) || defined(INCLUDE_NLOHMANN_JSON_FWD_HPP_) || defined(FMT_VERSION) || \
    defined(CAIRO_H)
#error "a public header includes what the library is built with"
#endif

int main(int, char** argv) {
    reanima::LoadedFile file = reanima::loadFile(argv[1]);
    const reanima::core::Skeleton& skeleton = *file.asset.skeleton;
    for (const reanima::core::Clip& clip : file.asset.clips) {
        const reanima::measures::ClipFacts facts = reanima::measures::factsOf(skeleton, clip, {});
        std::cout << clip.name << ": " << (facts.isClosed ? "closed" : "open") << ", " << facts.motion << '\n';
    }
    std::cout << reanima::measures::trianglesOf(file.asset) << " triangles\n";
#ifdef REANIMA_DRAWS
    namespace drawing = reanima::drawing;
    const drawing::Previewed item = drawing::previewOf("hero", argv[1], std::move(file.asset), {});
    std::ofstream(argv[2], std::ios::binary) << drawing::previewPage({.title = "hero"}, {&item, 1}, {}).html;
    if constexpr (REANIMA_DRAWS) {
        const auto png = reanima::pictures::encodePng(drawing::contactSheet({&item, 1}));
        std::ofstream(argv[3], std::ios::binary).write(reinterpret_cast<const char*>(png.data()), std::ssize(png));
    }
#endif
}
