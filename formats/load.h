/// From files to one asset: recognises formats, finds companions, decodes, and joins what shares a skeleton.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../core/asset.h"
#include "input.h"

namespace reanima {

/// The format of a file, by content first and name second; null if no format claims it.
[[nodiscard]] const Format* findFormat(const Input& input);

/// False if decoding the file may take more memory than is left; loading it says so.
[[nodiscard]] bool hasRoomFor(const Format& format, const Input& input);

/// True if the first bytes of a file, be it cut there, begin like one of any format.
[[nodiscard]] bool beginsLikeAnyFormat(core::Bytes head);

/// The format of a file.
/// @throws DecodeError if no format claims it; a file that is known for something else is named for what it is
[[nodiscard]] const Format& formatOf(const Input& input);

/// Adds to `given` the companions of the input that are found beside it.
/// @throws DecodeError for animations with a given skeleton of another game
[[nodiscard]] Companions withFoundCompanions(const Input& input, const Companions& given);

/// Decodes and converts one file, with companions from `given` or beside it. Of several models, the one that
/// kModelOption names; without the option the first that has clips, with a warning.
/// Errors and warnings name the file.
/// @throws DecodeError if nothing can be read, an option is wrong, or a limit is exceeded
[[nodiscard]] core::Asset load(const Input& input, const Companions& given, Context& context);

/// The same, with a rest pose on the skeleton (see setDefaultRest()): ready to be written to a host.
/// @throws DecodeError also for a file that holds nothing to convert
[[nodiscard]] core::Asset loadWithRest(const Input& input, const Companions& given, Context& context);

/// @throws DecodeError if a file is structurally right but holds nothing to convert: no animation, no picture
void refuseEmpty(const core::Asset& asset, const Input& input);

/// The models of a file, in file order; none for a format whose files hold no more than one skeleton, or with a given
/// skeleton. Nothing is decoded. Errors and warnings name the file.
/// @throws DecodeError if nothing can be read, or an option is wrong
[[nodiscard]] std::vector<ModelSummary> modelsOf(const Input& input, const Companions& given, Context& context);

/// See Opened::clipsElsewhere(); none where nothing tells.
/// @throws DecodeError as modelsOf() does
[[nodiscard]] std::vector<ClipElsewhere> clipsElsewhere(const Input& input, const Companions& given, Context& context);

/// Who the character of a file is that holds no more than one, as load() says too; at most its skeleton is decoded.
/// Unknown for what can't be read.
[[nodiscard]] core::Called calledOf(const Input& input, const Companions& given, Context& context);

/// The models that have an output each if none is asked for: all but bare skeletons, or all if there are no others.
[[nodiscard]] std::vector<ModelSummary> convertedModels(std::vector<ModelSummary> models);

/// To be called before several models of a file are decoded: they may share animations, which a small file can multiply
/// in that way.
/// @throws DecodeError of the kind `limit` that names the file if their clips together exceed the limits
void requireWithinLimits(std::span<const ModelSummary> models, const Input& input, const core::Limits& limits);

/// `300, 301 and 302`
[[nodiscard]] std::string listed(std::span<const ModelSummary> models);

/// The clips of another file as far as they move the joints of `skeleton`.
/// @throws DecodeError if the file can't be read or moves another skeleton
[[nodiscard]] std::vector<core::Clip> clipsOn(const core::Skeleton& skeleton, const Input& input,
                                              const Companions& given, Context& context);

/// The file beside a skeleton whose first frame gives it its rest pose by default. None if there is no such file, or if
/// it is the input itself.
/// @param input the first input of an asset, with its companions
[[nodiscard]] std::optional<Input> packOfSkeleton(const Input& input, const Companions& companions);

/// Puts the default rest pose on a skeleton that stores none: the first frame of the skeleton's own pack, found beside
/// the skeleton, else of the asset's own first clip.
/// @param input the first input that the asset comes from, with its companions
void setDefaultRest(core::Asset& asset, const Input& input, const Companions& companions, Context& context);

}  // namespace reanima
