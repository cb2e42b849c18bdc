/// A game's file, opened with its companions for several queries.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "format.h"
#include "input.h"

namespace reanima {

/// Answers load(), dump(), modelsOf() and others for a file that is decoded only once. Errors and warnings name it.
class OpenFile {
  public:
    /// Finds companions from `given` or beside the file, and checks the options.
    /// @param input must outlive this object, as must the limits and diagnostics of the context
    /// @throws DecodeError if no format claims the file, it is empty, an option is wrong, or a limit is exceeded
    OpenFile(const Input& input, const Companions& given, const Context& context);
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    /// As reanima::load().
    /// @param diagnostics receives warnings of the conversion; warnings about the file go to the context that it was
    /// opened with
    [[nodiscard]] core::Asset load(core::Diagnostics& diagnostics);
    /// The same without meshes, materials and images.
    [[nodiscard]] core::Asset loadMotion(core::Diagnostics& diagnostics);
    /// As reanima::dump().
    [[nodiscard]] Json dump();
    /// See Opened for all below.
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
    const core::Limits& limits_;  // before companions were held
    Companions companions_;
    OptionValues options_;
    core::Limits beside_;  // of what decoding may take
    Context context_;
    std::unique_ptr<Opened> opened_;
};

}  // namespace reanima
