#include "tools/reanima/jobs/earlier_run.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.h"
#include "json/json.h"
#include "tools/reanima/front/content_key.h"
#include "tools/reanima/jobs/existing_output.h"
#include "tools/reanima/jobs/gltf_output.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

bool isKey(const std::string& text) {
    return text.size() == kKeyDigits &&
           std::ranges::all_of(text, [](char c) { return core::isDigit(c) || ('a' <= c && c <= 'f'); });
}

std::string textIn(const Json& line, const char* member) {
    const auto found = line.find(member);
    return found != line.end() && found->is_string() ? found->get<std::string>() : std::string();
}

OutputFacts factsIn(const Json& line) {
    const auto countIn = [&line](const char* member) {
        const auto found = line.find(member);
        return found != line.end() && found->is_number_unsigned() ? std::optional(found->get<std::size_t>())
                                                                  : std::nullopt;
    };
    const auto height = line.find("height");
    return {
        .clips = countIn("clips"),
        .frames = countIn("frames"),
        .joints = countIn("joints"),
        .triangles = countIn("triangles"),
        .materials = countIn("materials"),
        .textures = countIn("textures"),
        .height = height != line.end() && height->is_number() ? std::optional(height->get<double>()) : std::nullopt};
}

}  // namespace

std::vector<EarlierOutput> outputsInReport(const fs::path& report, const core::Limits& limits) {
    const File file = commandFiles()->read(toUtf8(report), limits);
    const std::string text(file.bytes.begin(), file.bytes.end());
    std::vector<EarlierOutput> outputs;
    std::map<fs::path, std::size_t> known;  // indices
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const Json line = Json::parse(text.substr(begin, end - begin), nullptr, false);
        begin = end + 1;
        if (!line.is_object() || line.value("schema", Json()) != Json(1))
            throw core::DecodeError(fmt::format("line {} is not part of a report of `convert`", number + 1))
                .inFile(toUtf8(report));
        const std::string status = textIn(line, "status");
        const std::string key = textIn(line, "key");
        const fs::path output = fromUtf8(textIn(line, "output"));
        if ((status != "ok" && status != "skipped" && status != "left") || !isKey(key) || output.empty() ||
            output == kStandardStream)
            continue;
        const std::string input = textIn(line, "input");
        const auto [place, isNew] = known.emplace(output, outputs.size());
        if (isNew)
            outputs.push_back({output, input, key, textIn(line, "hash"), {}});
        if (outputs[place->second].key == key)
            outputs[place->second].facts.emplace(input, factsIn(line));
    }
    return outputs;
}

LeftOvers::LeftOvers(std::vector<EarlierOutput> earlier) : earlier_(std::move(earlier)) {
    for (std::size_t i = 0; i < earlier_.size(); ++i)
        indices_.emplace(comparablePath(earlier_[i].path), i);
}

std::string LeftOvers::reportedHash(const fs::path& output) const {
    const auto found = indices_.find(comparablePath(output));
    return found == indices_.end() ? std::string() : earlier_[found->second].hash;
}

OutputFacts LeftOvers::reportedFacts(const fs::path& output, const std::string& input, const std::string& key) const {
    const auto found = indices_.find(comparablePath(output));
    if (found == indices_.end() || earlier_[found->second].key != key)
        return {};
    const std::map<std::string, OutputFacts>& facts = earlier_[found->second].facts;
    const auto known = facts.find(input);
    return known == facts.end() ? OutputFacts{} : known->second;
}

void LeftOvers::addMade(const fs::path& output) {
    for (const fs::path& file : filesOf(output))
        inUse_.insert(comparablePath(file));
}

void LeftOvers::addRefused(const std::vector<fs::path>& outputs) {
    for (const fs::path& output : outputs)
        refused_.insert(comparablePath(output));
}

void LeftOvers::addRead(const fs::path& file) { inUse_.insert(comparablePath(file)); }

std::optional<LeftOver::Kind> LeftOvers::kindOf(const EarlierOutput& output) const {
    const fs::path place = comparablePath(output.path);
    if (inUse_.contains(place))
        return std::nullopt;
    if (refused_.contains(place))
        return LeftOver::Kind::refused;
    const ExistingOutput found = lookAt(output.path);
    if (found.condition == Condition::missing)
        return std::nullopt;
    const LeftOver::Kind unedited = isOfFailedInput(output) ? LeftOver::Kind::failed : LeftOver::Kind::asWritten;
    if (found.condition == Condition::unmarked)
        return found.key == output.key ? unedited : LeftOver::Kind::replaced;
    if (found.key != output.key)
        return std::nullopt;  // it is another output of this program
    const bool isEdited = found.condition == Condition::edited || found.condition == Condition::unhashed;
    return isEdited ? LeftOver::Kind::edited : unedited;
}

bool LeftOvers::isOfFailedInput(const EarlierOutput& output) const {
    return std::ranges::any_of(failedInputs_, [&](const std::string& input) {
        return output.input == input || output.input.starts_with(input + ":");
    });
}

std::vector<LeftOver> LeftOvers::listed() const {
    std::vector<LeftOver> outputs;
    for (const EarlierOutput& output : earlier_)
        if (const std::optional<LeftOver::Kind> kind = kindOf(output))
            outputs.push_back({output, *kind});
    return outputs;
}

std::vector<fs::path> LeftOvers::unlisted() const {
    std::vector<fs::path> paths;
    for (const fs::path& output : failed_) {
        const fs::path place = comparablePath(output);
        if (isFile(output) && !inUse_.contains(place) && !indices_.contains(place))
            paths.push_back(output);
    }
    return paths;
}

namespace {

/// @throws OutputError
void removeOutput(const fs::path& output) {
    std::vector<fs::path> files = filesOf(output);
    std::ranges::copy(imagesWritten(output), std::back_inserter(files));
    for (const fs::path& file : files) {
        std::error_code error;
        core::removeFile(file, error);
        if (error)
            throw OutputError(fmt::format("{}: can't be removed: {}", toUtf8(file), error.message()));
    }
}

/// Removes the folders between `below` and a removed output, as long as they are empty.
void removeEmptyFolders(const fs::path& output, const fs::path& below) {
    const fs::path end = core::comparable(below);
    const fs::path inside = core::comparable(output).parent_path().lexically_relative(end);
    if (inside.empty() || *inside.begin() == ".." || *inside.begin() == ".")
        return;
    for (fs::path folder = inside; !folder.empty(); folder = folder.parent_path())
        if (!core::removeEmptyFolder(end / folder))
            return;
}

}  // namespace

std::vector<fs::path> removeOutputs(const std::vector<fs::path>& outputs, const fs::path& below,
                                    const std::function<void(const OutputError&)>& report) {
    std::vector<fs::path> removed;
    for (const fs::path& output : outputs)
        try {
            removeOutput(output);
            removed.push_back(output);
            if (!below.empty())
                removeEmptyFolders(output, below);
        } catch (const OutputError& error) {
            report(error);
        }
    return removed;
}

}  // namespace reanima::tool
