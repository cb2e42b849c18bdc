/// A game's file, opened with its companions for several queries.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "format.h"
#include "input.h"

namespace reanima {

/// Decodes a file only once for load(), dump(), modelsOf() and others. Errors and warnings name the file.
class OpenFile {
  public:
    /// Finds companions from `given` or beside the file, and checks the options.
    /// @param input must outlive this object, as must the limits and diagnostics of the context
    /// @throws DecodeError if no format claims the file, the file is empty, an option is wrong, or a limit is exceeded
    OpenFile(const Input& input, const Companions& given, const Context& context);
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    /// See reanima::load().
    /// @param diagnostics receives warnings of the conversion; warnings about the file go to the constructor's context
    [[nodiscard]] core::Asset load(core::Diagnostics& diagnostics);
    /// Like load(), without meshes, materials and images.
    [[nodiscard]] core::Asset loadMotion(core::Diagnostics& diagnostics);
    /// See reanima::dump().
    [[nodiscard]] Json dump();
    /// The following functions are documented in Opened.
    [[nodiscard]] std::vector<ModelSummary> models();
    [[nodiscard]] std::vector<ClipElsewhere> clipsElsewhere();
    [[nodiscard]] core::Called called();
    [[nodiscard]] core::StoredSteps steps();
    [[nodiscard]] EditedFile written(const core::Asset& original, std::span<const core::ClipEdit> edits,
                                     core::Diagnostics& diagnostics);
    [[nodiscard]] RetimedFile retimed(const RetimeSettings& settings);

    [[nodiscard]] const Format& format() const { return format_; }

  private:
    template <typename Work>
    auto naming(core::Diagnostics& diagnostics, const Work& work);
    core::Asset chosen(core::Diagnostics& diagnostics);
    void finish(core::Asset& asset, core::Diagnostics& diagnostics) const;

    const Input& input_;
    const Format& format_;
    const core::Limits& limits_;  // of the whole work
    Companions companions_;
    OptionValues options_;
    core::Limits beside_;  // what remains while the companions are in memory
    Context context_;
    std::unique_ptr<Opened> opened_;
};

}  // namespace reanima
