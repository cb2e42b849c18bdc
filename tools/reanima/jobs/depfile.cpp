#include "tools/reanima/jobs/depfile.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "tools/reanima/system/console.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

/// Escapes a path as GCC does. Make, Ninja and CMake agree on this form. A backslash is an escape only before a space
/// or `#`. Make ignores the colon of a drive.
std::string escaped(const std::filesystem::path& path) {
    const std::string name = toUtf8(path);
    const bool hasDrive = name.size() > 2 && name[1] == ':' && (name[2] == '/' || name[2] == '\\');
    std::string text;
    std::size_t backslashes = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (c == ' ' || c == '\t' || c == '#')
            text.append(backslashes + 1, '\\');
        if (c == ':' && !(hasDrive && i == 1))
            text += '\\';
        if (c == '$')
            text += '$';
        backslashes = c == '\\' ? backslashes + 1 : 0;
        text += c;
    }
    return text;
}

constexpr std::string_view kBetweenInputs = " \\\n  ";

/// True for text in the form of makeRule(), with each dependency on a separate line.
bool isDepfile(const std::string& content) {
    constexpr std::string_view kContinues = kBetweenInputs.substr(0, 2);
    constexpr std::string_view kIndent = kBetweenInputs.substr(3);
    bool isInRule = false;
    for (std::size_t begin = 0, end = 0; begin < content.size(); begin = end + 1) {
        end = std::min(content.find('\n', begin), content.size());
        std::string_view line(content.data() + begin, end - begin);
        const bool isContinued = line.ends_with(kContinues);
        if (isContinued)
            line.remove_suffix(kContinues.size());
        if (isInRule ? !line.starts_with(kIndent) : line.starts_with(' ') || !line.ends_with(':'))
            return false;
        isInRule = isContinued;
    }
    return content.find('\0') == std::string::npos;
}

}  // namespace

void refuseOtherThanDepfile(const std::filesystem::path& path) { refuseUnlike(path, "depfile", isDepfile); }

std::string makeRule(const std::vector<std::filesystem::path>& outputs,
                     const std::vector<std::filesystem::path>& inputs) {
    refuseLineEnds(outputs);
    refuseLineEnds(inputs);
    std::string rule;
    for (const std::filesystem::path& output : outputs)
        rule += (rule.empty() ? "" : " ") + escaped(output);
    rule += ':';
    std::vector<std::filesystem::path> once;
    for (const std::filesystem::path& input : inputs)
        if (std::find(once.begin(), once.end(), input) == once.end())
            once.push_back(input);
    for (const std::filesystem::path& input : once)
        rule += std::string(kBetweenInputs) + escaped(input);
    return rule + "\n";
}

void refuseLineEnds(const std::vector<std::filesystem::path>& paths) {
    for (const std::filesystem::path& path : paths)
        if (hasLineEnd(path))
            throw UsageError(
                fmt::format("{}: its name contains a line break, which --depfile can't write", toUtf8(path)));
}

}  // namespace reanima::tool
