/// The library from outside: the version, and errors that pass from one library to another.
///
///     rooms FILE_THAT_CONVERTS FILE_OF_NO_FORMAT
#include <filesystem>
#include <iostream>
#include <string>

#include <reanima/binding.h>
#include <reanima/formats.h>
#include <reanima/pipeline.h>
#include <reanima/version.h>

#if defined(NLOHMANN_JSON_VERSION_MAJOR) || defined(INCLUDE_NLOHMANN_JSON_FWD_HPP_) || defined(FMT_VERSION) || \
    defined(TINY_GLTF_H_) || defined(RAPIDJSON_RAPIDJSON_H_)
#error "a public header includes what the library is built with"
#endif

namespace {

int failures = 0;

void expect(bool holds, const std::string& what) {
    if (!holds) {
        std::cerr << what << '\n';
        ++failures;
    }
}

/// The kind of the error. -1 for other errors, or without an error.
template <typename Work>
int kindOf(const Work& work) {
    try {
        work();
    } catch (const reanima::core::DecodeError& error) {
        return static_cast<int>(error.kind());
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
    }
    return -1;
}

}  // namespace

int main(int, char** argv) {
    using Kind = reanima::core::DecodeError::Kind;
    const std::string version = std::to_string(REANIMA_VERSION_MAJOR) + "." + std::to_string(REANIMA_VERSION_MINOR) +
                                "." + std::to_string(REANIMA_VERSION_PATCH);
    expect(reanima::versionText() == version, "the headers are of version " + version);
    expect(kindOf([&] { (void)reanima::loadFile(argv[2]); }) == static_cast<int>(Kind::malformed),
           "a file of no format is another error");
    reanima::Settings settings;
    expect(kindOf([&] { reanima::setSetting(settings, "clipps", "1"); }) == static_cast<int>(Kind::option),
           "a misspelt setting is another error");
    expect(reanima::infoOf(*reanima::formatNamed("rlf")).kind == reanima::Kind::images, "RLF is a format of pictures");

    const reanima::LoadedFile pack = reanima::loadFile(argv[1]);
    expect(!pack.asset.clips.empty(), "the pack has no clips");
    const reanima::core::Skeleton& skeleton = *pack.asset.skeleton;
    reanima::core::Diagnostics diagnostics;
    const reanima::BindPlan plan = reanima::planBinding(skeleton, pack.asset.clips, skeleton, {}, diagnostics);
    expect(plan.binding.links.size() == skeleton.joints.size(), "a skeleton is not bound to itself");
    return failures;
}
