/// Bytes for tests, from files or written by hand.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "formats/format.h"

namespace reanima::test {

/// A folder of the source tree.
inline std::filesystem::path sourceFolder() { return REANIMA_SOURCE_DIR; }

/// True for files of whole characters among the conformance cases. The formats of such files have separate cases, which
/// are enough for slow tests.
inline bool isPartOfCharacter(const std::filesystem::path& file) {
    const std::filesystem::path inputs = file.parent_path().parent_path();
    return inputs.filename() == "inputs" && inputs.parent_path().filename() == "ff7-mesh";
}

inline core::ByteVector readBytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file.good()) << path;
    // Exactly the size of the file, so AddressSanitizer sees a read past the end.
    core::ByteVector bytes(std::filesystem::file_size(path));
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    EXPECT_TRUE(file.good()) << path;
    return bytes;
}

/// An input that finds its companions in its folder, like inputs of the command.
inline Input inputFrom(const std::filesystem::path& path) {
    Input input;
    input.file = {path.filename().string(), readBytes(path)};
    input.siblings = Siblings(core::diskFiles(), path.string());
    return input;
}

/// A context with default values.
struct Surroundings {
    OptionValues options;
    core::Limits limits;
    core::Diagnostics diagnostics;
    Context context{options, limits, diagnostics};

    /// The messages of warnings, without notes.
    [[nodiscard]] std::vector<std::string> warnings() const {
        std::vector<std::string> messages;
        for (const core::Warning& warning : diagnostics.warnings())
            if (warning.severity == core::Warning::Severity::warning)
                messages.push_back(warning.message());
        return messages;
    }
};

/// The written bytes, and the messages.
struct Encoded {
    core::ByteVector bytes;
    std::vector<std::string> messages;
};

/// @param encode called with diagnostics; returns bytes
template <typename Encode>
Encoded encodedBy(const Encode& encode) {
    Surroundings surroundings;
    core::ByteVector bytes = encode(surroundings.diagnostics);
    return {std::move(bytes), surroundings.warnings()};
}

}  // namespace reanima::test
