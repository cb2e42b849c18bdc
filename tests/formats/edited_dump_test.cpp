/// Edits every value of every short dump. `encode` rejects a value that `dump` could not read again, and names the
/// field. Otherwise the value reads back, or a message names it as recomputed or ignored.
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/dump.h"
#include "formats/format.h"
#include "formats/load.h"
#include "formats/registry.h"
#include "support/bytes.h"

namespace reanima {
namespace {

namespace fs = std::filesystem;
using core::ByteVector;

/// The path of a value, in the form of messages.
struct Path {
    std::vector<std::string> steps;  ///< `.key` or `[index]`

    [[nodiscard]] std::string text() const {
        std::string text;
        for (const std::string& step : steps)
            text += text.empty() && step.front() == '.' ? step.substr(1) : step;
        return text;
    }
    [[nodiscard]] Path then(const std::string& step) const {
        Path longer = *this;
        longer.steps.push_back(step);
        return longer;
    }
};

Path parsed(const std::string& text) {
    Path path;
    for (const char c : text) {
        if (c == '.' || c == '[' || path.steps.empty())
            path.steps.emplace_back(c == '.' || c == '[' ? "" : ".");
        path.steps.back() += c;
    }
    return path;
}

/// The value at that path. Null if there is none.
const Json* find(const Json& root, const Path& path) {
    const Json* value = &root;
    for (const std::string& step : path.steps) {
        if (step.front() == '.') {
            if (!value->is_object() || !value->contains(step.substr(1)))
                return nullptr;
            value = &(*value)[step.substr(1)];
        } else {
            const std::size_t index = std::stoul(step.substr(1));
            if (!value->is_array() || index >= value->size())
                return nullptr;
            value = &(*value)[index];
        }
    }
    return value;
}

Json& at(Json& root, const Path& path) { return const_cast<Json&>(*find(root, path)); }  // NOLINT: root is not const

/// Every member of an object. Of lists, the first and the last element represent the others; of nested lists, only the
/// last element.
void addPaths(const Json& value, const Path& path, std::vector<Path>& leaves, std::vector<Path>& lists) {
    if (value.is_object()) {
        for (const auto& [key, child] : value.items())
            addPaths(child, path.then("." + key), leaves, lists);
    } else if (value.is_array()) {
        lists.push_back(path);
        const bool isInList = std::any_of(path.steps.begin(), path.steps.end(),
                                          [](const std::string& step) { return step.front() == '['; });
        const std::size_t last = value.size() - 1;
        for (std::size_t i = isInList ? last : 0; i < value.size(); i += std::max<std::size_t>(last, 1))
            addPaths(value[i], path.then(fmt::format("[{}]", i)), leaves, lists);
    } else {
        leaves.push_back(path);
    }
}

std::vector<Json> hostileValues() {
    return {0,           1,   -1,    2,      3,  255,       256,           65535,          65536, 1ULL << 31U,
            1ULL << 32U, 0.5, 1e300, Json(), "", "hostile", Json::array(), Json::object(), true,  false};
}

bool isPrefix(const Path& path, const Path& of) {
    return path.steps.size() <= of.steps.size() && std::equal(path.steps.begin(), path.steps.end(), of.steps.begin());
}

/// A dump, with functions for edited versions.
class EditedDump {
  public:
    explicit EditedDump(const fs::path& file) : input_(test::inputFrom(file)) {
        input_.format = findFormat(input_);
        if (input_.format == nullptr || input_.format->encode == nullptr)
            return;
        try {
            test::Surroundings s;
            Json json = dump(input_, {}, s.context);
            isRewritten_ = std::ranges::any_of(s.context.diagnostics.warnings(), [](const core::Warning& warning) {
                return warning.code == core::Code::recomputed;
            });
            // A mesh consists of many similar lists.
            const std::size_t shortSize = input_.format->kind == Kind::mesh ? 3000 : 16000;
            if (toText(json).size() <= shortSize)
                original_ = std::move(json);
        } catch (const core::DecodeError&) {  // a damaged file
        }
    }

    /// Encoding the dump must give the same bytes, without a warning. False if the dump can't be edited, since a
    /// damaged part can't be written, or since a note reports that everything is written in another layout.
    [[nodiscard]] bool comesBack() {
        test::Surroundings s;
        ByteVector bytes;
        try {
            bytes = input_.format->encode(JsonReader(original_), s.context);
        } catch (const core::DecodeError& error) {
            EXPECT_EQ(error.problem(), "is damaged and can't be written");
            return false;
        }
        if (bytes != input_.file.bytes) {
            EXPECT_TRUE(isRewritten_);
            return false;
        }
        EXPECT_EQ(s.warnings(), std::vector<std::string>());
        return true;
    }

    [[nodiscard]] bool isShort() const { return !original_.is_null(); }
    [[nodiscard]] const Json& original() const { return original_; }
    [[nodiscard]] const std::set<std::string>& findings() const { return findings_; }
    [[nodiscard]] std::size_t tried() const { return tried_; }

    /// @param path the edited value
    /// @param what a description of the edit
    void expectRefusedOrReadBack(const Json& edited, const Path& path, const std::string& what) {
        ++tried_;
        test::Surroundings s;
        ByteVector bytes;
        try {
            bytes = input_.format->encode(JsonReader(edited), s.context);
        } catch (const core::DecodeError& error) {
            if (!namesAField(error, edited))
                found(path, what, fmt::format("refused without a field: {}", error.what()));
            return;
        } catch (const std::exception& error) {
            found(path, what, fmt::format("exception: {}", error.what()));
            return;
        }
        Json again;
        try {
            again = dumpOf(bytes, whatMustBeTold(edited, s));
        } catch (const core::DecodeError& error) {
            found(path, what, fmt::format("encoded, but: {}", error.what()));
            return;
        }
        const Json* wanted = find(edited, path);
        if (wanted == nullptr || wanted->is_null() || isNamed(path, s))
            return;
        const Json* got = find(again, path);
        // A dump has some members only if they are not 0 or empty.
        const bool isAbsence = got == nullptr && (*wanted == 0 || wanted->empty());
        if (!isAbsence && (got == nullptr || !same(*wanted, *got)))
            found(path, what, fmt::format("reads back as {}", got == nullptr ? "nothing" : got->dump().substr(0, 60)));
    }

  private:
    /// Of lists, only lengths are compared: their elements are edited separately.
    static bool same(const Json& wanted, const Json& got) {
        return wanted.is_array() && got.is_array() ? wanted.size() == got.size() : wanted == got;
    }

    /// Options for a file that does not show its game or its number of joints. A note must report this.
    static OptionValues whatMustBeTold(const Json& edited, const test::Surroundings& s) {
        OptionValues options;
        for (const core::Warning& warning : s.diagnostics.warnings()) {
            const bool isHidden = warning.code == core::Code::assumed || warning.code == core::Code::skeletonMismatch;
            const Path field = parsed(warning.place.field);
            if (!isHidden || field.steps.empty())
                continue;
            if (field.text() == "game")
                options.set("game", edited["game"].get<std::string>());
            else if (field.text() == "bone_count" || field.text() == "low_table")
                options.set("joints", static_cast<double>(edited["angles"][0].size()));
            else if (field.steps.back() == ".bone_count") {
                const std::string animation = (field.steps[0] + field.steps[1]).substr(1);
                const Json* rotations = find(edited, parsed(animation + ".frames[0].rotations"));
                options.set("joints", static_cast<double>(std::max<std::size_t>(rotations->size() - 1, 1)));
            }
        }
        return options;
    }

    Json dumpOf(const ByteVector& bytes, const OptionValues& options) const {
        Input input = input_;
        input.siblings = {};
        input.file.bytes = bytes;
        test::Surroundings s;
        s.options = options;
        return dump(input, {}, s.context);
    }

    /// True if the field of an error is in the JSON, or missing in an object of it.
    static bool namesAField(const core::DecodeError& error, const Json& edited) {
        Path path = parsed(error.field());
        if (path.steps.empty() || find(edited, path) != nullptr)
            return !path.steps.empty();
        path.steps.pop_back();
        const Json* parent = find(edited, path);
        return error.problem() == "is missing" && parent != nullptr && parent->is_object();
    }

    /// True if a message is about the value, a part of it, or something that contains it.
    static bool isNamed(const Path& path, const test::Surroundings& s) {
        for (const core::Warning& warning : s.diagnostics.warnings()) {
            const Path field = parsed(warning.place.field);
            if (!field.steps.empty() && (isPrefix(field, path) || isPrefix(path, field)))
                return true;
        }
        return false;
    }

    void found(const Path& path, const std::string& what, const std::string& problem) {
        findings_.insert(fmt::format("{} {}: {}", path.text(), what, problem));
    }

    Input input_;
    Json original_;
    bool isRewritten_ = false;  // as noted in the dump
    std::set<std::string> findings_;
    std::size_t tried_ = 0;
};

/// Members that describe the dump instead of the file, and members that the command checks.
bool isAboutTheDump(const Path& path) {
    return path.steps.back() == ".warnings" || path.steps.front() == ".warnings" || path.text() == "schema" ||
           path.text() == "format" || std::find(path.steps.begin(), path.steps.end(), ".warnings") != path.steps.end();
}

void tryEveryEdit(EditedDump& dump) {
    std::vector<Path> leaves;
    std::vector<Path> lists;
    addPaths(dump.original(), {}, leaves, lists);
    std::set<std::string> members;
    Json edited = dump.original();
    const auto tryEdit = [&](const Path& changed, const Path& path, const std::string& what, const auto& edit) {
        Json& value = at(edited, changed);
        Json before = value;
        edit(value);
        if (value != before)
            dump.expectRefusedOrReadBack(edited, path, what);
        value = std::move(before);
    };
    for (const Path& leaf : leaves) {
        if (isAboutTheDump(leaf))
            continue;
        for (const Json& hostile : hostileValues())
            tryEdit(leaf, leaf, "= " + hostile.dump(), [&](Json& value) { value = hostile; });
        for (Path path = leaf; !path.steps.empty(); path.steps.pop_back()) {
            if (path.steps.back().front() != '.' || !members.insert(path.text()).second)
                continue;
            Path parent = path;
            parent.steps.pop_back();
            tryEdit(parent, path, "left out", [&](Json& object) { object.erase(path.steps.back().substr(1)); });
        }
    }
    for (const Path& path : lists) {
        if (isAboutTheDump(path))
            continue;
        const std::size_t size = find(dump.original(), path)->size();
        for (const std::size_t index : std::set<std::size_t>{0, size - 1}) {
            if (size == 0)
                break;
            tryEdit(path, path, fmt::format("with element {} again", index),
                    [index](Json& list) { list.push_back(Json(list[index])); });
            tryEdit(path, path, fmt::format("without element {}", index), [index](Json& list) { list.erase(index); });
        }
        tryEdit(path, path, "emptied", [](Json& list) { list = Json::array(); });
    }
}

/// The files of the samples and of the conformance cases whose dumps can be encoded.
std::vector<fs::path> files() {
    std::vector<fs::path> files;
    for (const char* folder : {"samples", "tests/data/conformance"})
        for (const auto& entry : fs::recursive_directory_iterator(test::sourceFolder() / folder))
            if (entry.is_regular_file() && !test::isPartOfCharacter(entry.path())) {
                const Format* format = findFormat(test::inputFrom(entry.path()));
                if (format != nullptr && format->encode != nullptr)
                    files.push_back(entry.path());
            }
    std::sort(files.begin(), files.end());
    return files;
}

class EditedDumps : public testing::TestWithParam<fs::path> {};

TEST_P(EditedDumps, AreRefusedOrReadBack) {
    EditedDump dump(GetParam());
    if (!dump.isShort() || !dump.comesBack())
        return;
    tryEveryEdit(dump);
    std::string findings;
    for (const std::string& finding : dump.findings())
        findings += finding + "\n";
    EXPECT_EQ(findings, "");
    RecordProperty("tried", static_cast<int>(dump.tried()));
}

INSTANTIATE_TEST_SUITE_P(Files, EditedDumps, testing::ValuesIn(files()), [](const auto& test) {
    std::string name = fs::relative(test.param, test::sourceFolder()).string();
    for (char& c : name)
        c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
});

}  // namespace
}  // namespace reanima
