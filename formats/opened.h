/// A file that is open: it is decoded once, however much is asked of it.
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

struct RetimedFile;  // formats/retime.h
struct RetimeSettings;

/// What `decode` makes of a companion's bytes; nothing if there is no such companion. Warnings and errors name its
/// file.
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

/// What is made when it is first asked for, and kept.
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

/// The native structs of a file and of its companions, which are decoded when something first needs them: a name may
/// need a skeleton alone. What is doubtful in them is told once, to the context that the file was opened with.
/// Derived classes say what their format can; Traits says it without a file.
class Opened {
  public:
    /// @param input, companions and what the context refers to outlive this object
    Opened(const Input& input, const Companions& companions, const Context& context)
        : input_(input), companions_(companions), context_(context) {}
    virtual ~Opened() = default;
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;

    /// Converts. Where Traits::isConverted.
    /// @param model the id of the one that is wanted, of a file that holds several; else empty
    /// @param diagnostics for what conversion warns of
    /// @throws DecodeError if nothing can be read
    [[nodiscard]] virtual core::Asset asset(const std::string& model, core::Diagnostics& diagnostics);
    /// Every value as the file stores it.
    [[nodiscard]] virtual Json dump();
    /// The models in file order, each with what belongs to it; none if the file holds only animations, or if a given
    /// skeleton takes their place. Warns of nothing that asset() warns of, too. Where Traits::holdsModels.
    /// @throws DecodeError if nothing can be read
    [[nodiscard]] virtual std::vector<ModelSummary> models() { return {}; }
    /// Animations that belong to models in other files; of damaged ones nothing.
    /// @throws DecodeError if nothing can be read
    [[nodiscard]] virtual std::vector<ClipElsewhere> clipsElsewhere() { return {}; }
    /// Who the character is whose file this is, as asset() says too; of a file that may hold several models() says it.
    /// Where Traits::tellsCharacter.
    [[nodiscard]] virtual core::Called called() { return {}; }
    /// How exactly files of this format store poses, or this file does. Where Traits::isWrittenFromPoses.
    [[nodiscard]] virtual core::StoredSteps steps();
    /// The way back from asset(): the file with clips that were changed elsewhere. What was not changed keeps its
    /// stored values, and its bytes where they are of its own. Where Traits::isWrittenFromPoses.
    /// @param original what asset() made
    /// @param diagnostics for what the edits warn of
    /// @throws DecodeError for poses that no file of this format can hold
    [[nodiscard]] virtual EditedFile written(const core::Asset& original, std::span<const core::ClipEdit> edits,
                                             core::Diagnostics& diagnostics);
    /// The file with the same motion in more or fewer frames. Where Traits::isRetimed.
    [[nodiscard]] virtual RetimedFile retimed(const RetimeSettings& settings);
    /// Reads all files that asset() will read besides the companions, through the siblings of the file and of these; a
    /// host keeps them then. Where Traits::hasParts.
    /// @throws DecodeError as asset() does
    virtual void readParts() {}

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

    /// What `decode` makes of a companion's bytes; nothing if there is no such companion. Warnings and errors name its
    /// file.
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

/// Format::open of a class.
template <std::derived_from<Opened> T>
std::unique_ptr<Opened> openAs(const Input& input, const Companions& companions, const Context& context) {
    return std::make_unique<T>(input, companions, context);
}

}  // namespace reanima
