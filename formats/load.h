/// Makes one asset from files: recognises formats, finds companions, decodes, and merges assets with the same skeleton.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../core/asset.h"
#include "input.h"

namespace reanima {

/// The format of a file, by content first and name second. Null if no format claims it.
[[nodiscard]] const Format* findFormat(const Input& input);

/// False if decoding may exceed the remaining memory. Loading then reports an error.
[[nodiscard]] bool hasRoomFor(const Format& format, const Input& input);

/// True if the first bytes of a file, possibly truncated, look like the start of any format.
[[nodiscard]] bool beginsLikeAnyFormat(core::Bytes head);

/// The format of a file.
/// @throws DecodeError if no format claims it; the message states what the file is, if that is known
[[nodiscard]] const Format& formatOf(const Input& input);

/// Adds to `given` the companions of the input that are found beside it.
/// @throws DecodeError if the skeleton for an animation is from another game
[[nodiscard]] Companions withFoundCompanions(const Input& input, const Companions& given);

/// Decodes and converts one file, with companions from `given` or beside it. If the file contains several models,
/// converts the one that kModelOption names or, with a warning, the first with clips. Messages name the file.
/// @throws DecodeError if nothing can be read, an option is wrong, or a limit is exceeded
[[nodiscard]] core::Asset load(const Input& input, const Companions& given, Context& context);

/// Like load(), but also sets a rest pose (see setDefaultRest()), so that hosts can use the asset.
/// @throws DecodeError also for a file with nothing to convert
[[nodiscard]] core::Asset loadWithRest(const Input& input, const Companions& given, Context& context);

/// @throws DecodeError if a file is valid but has nothing to convert: no animation and no picture
void refuseEmpty(const core::Asset& asset, const Input& input);

/// The models of a file, in file order. Empty if files of this format contain no more than one skeleton, or if a
/// skeleton is given. Nothing is decoded. Errors and warnings name the file.
/// @throws DecodeError if nothing can be read, or an option is wrong
[[nodiscard]] std::vector<ModelSummary> modelsOf(const Input& input, const Companions& given, Context& context);

/// Animations that belong to models in other files, see Opened::clipsElsewhere(). Empty if unknown.
/// @throws DecodeError as modelsOf() does
[[nodiscard]] std::vector<ClipElsewhere> clipsElsewhere(const Input& input, const Companions& given, Context& context);

/// The character of a file that contains only one, as in load(). Decodes only the skeleton. Unknown if that is
/// unreadable.
[[nodiscard]] core::Called calledOf(const Input& input, const Companions& given, Context& context);

/// The models that are converted if the user requests none: all but bare skeletons or, if there is nothing else, all
[[nodiscard]] std::vector<ModelSummary> convertedModels(std::vector<ModelSummary> models);

/// Call this before several models of a file are decoded. They may share animations, so a small file can expand a
/// lot.
/// @throws DecodeError of the kind `limit` that names the file if their clips together exceed the limits
void requireWithinLimits(std::span<const ModelSummary> models, const Input& input, const core::Limits& limits);

/// `300, 301 and 302`
[[nodiscard]] std::string listed(std::span<const ModelSummary> models);

/// The clips of another file on the joints of `skeleton`.
/// @throws DecodeError if the file can't be read or moves another skeleton
[[nodiscard]] std::vector<core::Clip> clipsOn(const core::Skeleton& skeleton, const Input& input,
                                              const Companions& given, Context& context);

/// The file whose first frame is the default rest pose of the skeleton beside it. Empty if there is none, or if it is
/// the input.
/// @param input the first input of an asset, with its companions
[[nodiscard]] std::optional<Input> packOfSkeleton(const Input& input, const Companions& companions);

/// Sets the default rest pose of a skeleton that stores none. This pose is the first frame of the skeleton's own pack
/// if that is beside the skeleton, otherwise of the asset's first clip.
/// @param input the first input of the asset, with its companions
void setDefaultRest(core::Asset& asset, const Input& input, const Companions& companions, Context& context);

}  // namespace reanima
