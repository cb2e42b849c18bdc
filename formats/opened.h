/// An open file. A file is decoded only once for any number of queries.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/asset.h"
#include "core/clip_edits.h"
#include "edited_asset.h"
#include "input.h"
#include "json/json.h"

namespace reanima {

struct RetimedFile;  // see formats/retime.h
struct RetimeSettings;

/// Decodes a companion. Empty if there is none. Warnings and errors name its file.
/// @throws DecodeError as `decode` does
template <typename Decode>
auto decodeCompanion(const Companions& companions, Role role, core::Diagnostics& diagnostics, const Decode& decode)
    -> std::optional<std::invoke_result_t<const Decode&, core::Bytes>> {
    const auto companion = companions.find(role);
    if (companion == companions.end())
        return std::nullopt;
    const Input& input = companion->second.input;
    const auto about = diagnostics.about(input.shownName());
    return core::inFile(input.shownName(), [&] { return decode(core::Bytes(input.file.bytes)); });
}

/// A value that is made at first use and kept.
template <typename T>
class Once {
  public:
    template <typename Make>
    [[nodiscard]] T& by(const Make& make) {
        if (!made_)
            made_.emplace(make());
        return *made_;
    }

  private:
    std::optional<T> made_;
};

/// Holds the native structs of a file and its companions. Each is decoded when it is first used, since a query may only
/// need a skeleton. Warnings about them are given once, to the context that the file was opened with. Derived classes
/// implement what their format supports. Traits states the same without a file.
class Opened {
  public:
    /// @param input, companions and the context's references must outlive this object
    Opened(const Input& input, const Companions& companions, const Context& context)
        : input_(input), companions_(companions), context_(context) {}
    virtual ~Opened() = default;
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;

    /// Converts the file. For Traits::isConverted.
    /// @param model id of the requested model if the file contains several, otherwise empty
    /// @param diagnostics receives warnings of the conversion
    /// @throws DecodeError if nothing can be read
    [[nodiscard]] virtual core::Asset asset(const std::string& model, core::Diagnostics& diagnostics);
    /// Returns every value as the file stores it.
    [[nodiscard]] virtual Json dump();
    /// The models in file order, with their contents. Empty if the file contains only animations, or if a given
    /// skeleton replaces the models. Does not repeat warnings of asset(). For Traits::holdsModels.
    /// @throws DecodeError if nothing can be read
    [[nodiscard]] virtual std::vector<ModelSummary> models() { return {}; }
    /// Animations that belong to models in other files, without damaged ones.
    /// @throws DecodeError if nothing can be read
    [[nodiscard]] virtual std::vector<ClipElsewhere> clipsElsewhere() { return {}; }
    /// The file's character, as in asset(). For files with several characters see models(). For Traits::tellsCharacter.
    [[nodiscard]] virtual core::Called called() { return {}; }
    /// The precision of stored poses in this format or file. For Traits::isWrittenFromPoses.
    [[nodiscard]] virtual core::StoredSteps steps();
    /// The inverse of asset(): the file with changed clips. Unchanged parts keep their stored values, and also their
    /// bytes unless edited parts share them. For Traits::isWrittenFromPoses.
    /// @param original the result of asset()
    /// @param diagnostics receives warnings about the edits
    /// @throws DecodeError for poses that the format can't store
    [[nodiscard]] virtual EditedFile written(const core::Asset& original, std::span<const core::ClipEdit> edits,
                                             core::Diagnostics& diagnostics);
    /// Returns a file with the same motion in more or fewer frames. For Traits::isRetimed.
    [[nodiscard]] virtual RetimedFile retimed(const RetimeSettings& settings);

  protected:
    [[nodiscard]] const File& file() const { return input_.file; }
    [[nodiscard]] const Input& input() const { return input_; }
    [[nodiscard]] const Companions& companions() const { return companions_; }
    /// The companion of a role; null if there is none.
    [[nodiscard]] const Companion* companion(Role role) const {
        const auto found = companions_.find(role);
        return found == companions_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] Context& context() { return context_; }

    /// Decodes a companion. Empty if there is none. Warnings and errors name its file.
    /// @throws DecodeError as `decode` does
    template <std::invocable<core::Bytes> Decode>
    auto decoded(Role role, const Decode& decode) -> std::optional<std::invoke_result_t<const Decode&, core::Bytes>> {
        return decodeCompanion(companions_, role, context_.diagnostics, decode);
    }

  private:
    const Input& input_;
    const Companions& companions_;
    Context context_;
};

/// Implements Format::open for a class.
template <std::derived_from<Opened> T>
std::unique_ptr<Opened> openAs(const Input& input, const Companions& companions, const Context& context) {
    return std::make_unique<T>(input, companions, context);
}

}  // namespace reanima
