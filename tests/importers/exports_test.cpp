/// Scenes of every sample and conformance file, post-processed and exported by Assimp. Every file has its own process,
/// since exporters may crash.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <assimp/Exporter.hpp>
#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats/format.h"
#include "formats/load.h"
#include "importers/importers.h"
#include "support/bytes.h"

namespace reanima {
namespace {

struct ExportedAs {
    const char* id;
    const char* extension;
};

constexpr std::array kExportedAs = {ExportedAs{"glb2", "glb"},    ExportedAs{"gltf2", "gltf"},
                                    ExportedAs{"obj", "obj"},     ExportedAs{"fbx", "fbx"},
                                    ExportedAs{"collada", "dae"}, ExportedAs{"assbin", "assbin"}};
constexpr std::array kProcessedBy = {std::pair("Fast", unsigned{aiProcessPreset_TargetRealtime_Fast}),
                                     std::pair("Quality", unsigned{aiProcessPreset_TargetRealtime_Quality}),
                                     std::pair("MaxQuality", unsigned{aiProcessPreset_TargetRealtime_MaxQuality})};

enum class ExportOutcome { exported, notRead };

/// Runs in the process of a file.
/// @param step receives the name of what is being done
template <typename Step>
ExportOutcome exportEverything(const std::filesystem::path& path, const std::filesystem::path& folder,
                               const Step& step) {
    Assimp::Importer plain;
    registerImportersFirst(plain);
    step("reading");
    if (plain.ReadFile(path.string(), 0) == nullptr)
        return ExportOutcome::notRead;
    for (const auto& [name, steps] : kProcessedBy) {
        Assimp::Importer importer;
        registerImportersFirst(importer);
        step(name);
        const aiScene* scene = importer.ReadFile(path.string(), steps | aiProcess_ValidateDataStructure);
        if (scene == nullptr)
            throw std::runtime_error(importer.GetErrorString());
        for (const ExportedAs& kind : kExportedAs) {
            step(fmt::format("{}, {}", name, kind.id));
            Assimp::Exporter exporter;
            if (exporter.Export(scene, kind.id, (folder / "out.").string() + kind.extension) != aiReturn_SUCCESS)
                throw std::runtime_error(exporter.GetErrorString());
        }
    }
    return ExportOutcome::exported;
}

/// @return what went wrong; empty if the file was exported; "not read" if it can't be read by itself
std::string exportedInAProcess(const std::filesystem::path& path) {
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0)
        return "no pipe";
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / fmt::format("reanima_exports_{}", ::getpid());
    std::filesystem::create_directories(folder);
    const pid_t child = ::fork();
    if (child == 0) {
        const auto step = [&](const std::string& text) {
            (void)!::write(pipe[1], ('\n' + text).data(), text.size() + 1);
        };
        try {
            const ExportOutcome outcome = exportEverything(path, folder, step);
            step(outcome == ExportOutcome::exported ? "" : "not read");
        } catch (const std::exception& error) {
            step(error.what());
        }
        ::_exit(0);
    }
    ::close(pipe[1]);
    std::string steps;
    std::array<char, 1024> buffer{};
    for (ssize_t got = 0; (got = ::read(pipe[0], buffer.data(), buffer.size())) > 0;)
        steps.append(buffer.data(), static_cast<std::size_t>(got));
    ::close(pipe[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    std::filesystem::remove_all(folder);
    const std::string last = steps.substr(steps.rfind('\n') + 1);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? last : fmt::format("status {:#x} in {}", status, last);
}

class Exports : public testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(Exports, AreWrittenOfEveryFile) {
    int exported = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(test::sourceFolder() / GetParam().first)) {
        if (!entry.is_regular_file())
            continue;
        const Input input = test::inputFrom(entry.path());
        const Format* format = findFormat(input);
        if (format == nullptr || !format->traits.isConverted || !format->isWhole(input.file.bytes))
            continue;
        const std::string outcome = exportedInAProcess(entry.path());
        if (outcome == "not read")
            continue;
        EXPECT_EQ(outcome, "") << entry.path();
        ++exported;
    }
    std::cout << exported << " files\n";
    EXPECT_GE(exported, GetParam().second);
}

INSTANTIATE_TEST_SUITE_P(All, Exports,
                         testing::Values(std::pair("samples", 60), std::pair("tests/data/conformance", 270)),
                         [](const auto& test) {
                             return std::string(test.param.second < 100 ? "samples" : "conformance");
                         });

}  // namespace
}  // namespace reanima
