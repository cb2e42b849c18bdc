/// From files to one asset: recognises formats, finds companions, decodes, and merges assets with the same skeleton.
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

/// False if decoding may exceed the remaining memory; loading then reports it.
[[nodiscard]] bool hasRoomFor(const Format& format, const Input& input);

/// True if the first bytes of a file, possibly truncated, begin like one of any format.
[[nodiscard]] bool beginsLikeAnyFormat(core::Bytes head);

/// The format of a file.
/// @throws DecodeError if no format claims it; other known files are named in the message
[[nodiscard]] const Format& formatOf(const Input& input);

/// Adds to `given` the companions of the input that are found beside it.
/// @throws DecodeError for animations with a given skeleton of another game
[[nodiscard]] Companions withFoundCompanions(const Input& input, const Companions& given);

/// Decodes and converts one file, with companions from `given` or beside it. Of several models, the one named by
/// kModelOption, or else the first with clips, with a warning. Errors and warnings name the file.
/// @throws DecodeError if nothing can be read, an option is wrong, or a limit is exceeded
[[nodiscard]] core::Asset load(const Input& input, const Companions& given, Context& context);

/// The same, with a rest pose on the skeleton (see setDefaultRest()): ready to be written to a host.
/// @throws DecodeError also for a file with nothing to convert
[[nodiscard]] core::Asset loadWithRest(const Input& input, const Companions& given, Context& context);

/// @throws DecodeError if a file is valid but has nothing to convert: no animation, no picture
void refuseEmpty(const core::Asset& asset, const Input& input);

/// The models of a file, in file order; empty for a format whose files contain at most one skeleton, or with a given
/// skeleton. Nothing is decoded. Errors and warnings name the file.
/// @throws DecodeError if nothing can be read, or an option is wrong
[[nodiscard]] std::vector<ModelSummary> modelsOf(const Input& input, const Companions& given, Context& context);

/// See Opened::clipsElsewhere(); empty if unknown.
/// @throws DecodeError as modelsOf() does
[[nodiscard]] std::vector<ClipElsewhere> clipsElsewhere(const Input& input, const Companions& given, Context& context);

/// The character of a file with at most one, as in load(); at most its skeleton is decoded. Unknown for unreadable
/// files.
[[nodiscard]] core::Called calledOf(const Input& input, const Companions& given, Context& context);

/// The models that get an output if none is requested: all except bare skeletons, or all if there are no others.
[[nodiscard]] std::vector<ModelSummary> convertedModels(std::vector<ModelSummary> models);

/// To be called before several models of a file are decoded: they may share animations, so that a small file can expand
/// to a lot of data.
/// @throws DecodeError of the kind `limit` that names the file if their clips together exceed the limits
void requireWithinLimits(std::span<const ModelSummary> models, const Input& input, const core::Limits& limits);

/// `300, 301 and 302`
[[nodiscard]] std::string listed(std::span<const ModelSummary> models);

/// The clips of another file on the joints of `skeleton`.
/// @throws DecodeError if the file can't be read or moves another skeleton
[[nodiscard]] std::vector<core::Clip> clipsOn(const core::Skeleton& skeleton, const Input& input,
                                              const Companions& given, Context& context);

/// The file beside a skeleton whose first frame is the default rest pose. None if there is no such file or it is the
/// input itself.
/// @param input the first input of an asset, with its companions
[[nodiscard]] std::optional<Input> packOfSkeleton(const Input& input, const Companions& companions);

/// Puts the default rest pose on a skeleton that stores none: the first frame of the skeleton's own pack, found beside
/// the skeleton, else of the asset's own first clip.
/// @param input the first input that the asset comes from, with its companions
void setDefaultRest(core::Asset& asset, const Input& input, const Companions& companions, Context& context);

}  // namespace reanima
