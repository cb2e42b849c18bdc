#include "tools/reanima/options.h"

#include <fmt/format.h>

#include "importers/load.h"
#include "importers/registry.h"
#include "tools/reanima/files.h"
#include "tools/reanima/platform.h"

namespace reanima::tool {

namespace {

std::string joined(std::span<const std::string_view> words) { return fmt::format("{}", fmt::join(words, ", ")); }

void addFormatOption(CLI::App& verb, const OptionInfo& info, OptionValues& values) {
    const std::string flag = "--" + std::string(info.key);
    const std::string key(info.key);
    CLI::Option* option = nullptr;
    if (info.type == OptionInfo::Type::text) {
        option = verb.add_option_function<std::string>(
            flag, [&values, key](const std::string& text) { values.set(key, text); });
        if (!info.choices.empty())
            option->check([info](const std::string& text) {
                const bool known = std::find(info.choices.begin(), info.choices.end(), text) != info.choices.end();
                return known ? std::string() : fmt::format("is \"{}\", expected {}", text, joined(info.choices));
            });
    } else {
        option = verb.add_option_function<double>(flag, [&values, key](const double& n) { values.set(key, n); });
        option->check([info](const std::string& text) {
            double number = 0;
            const bool isNumber = CLI::detail::lexical_cast(text, number);
            const bool whole = info.type != OptionInfo::Type::count || number == static_cast<double>(static_cast<std::int64_t>(number));
            if (isNumber && number >= info.minimum && number <= info.maximum && whole)
                return std::string();
            return fmt::format("is {}, expected {} from {} to {}", text,
                               info.type == OptionInfo::Type::count ? "a whole number" : "a number", info.minimum,
                               info.maximum);
        });
    }
    option->description(std::string(info.help))->type_name(std::string(info.argument))->group("Formats");
}

}  // namespace

const Format* InputOptions::formatFor(const std::string& id) {
    if (id.empty())
        return nullptr;
    const Format* format = formatNamed(id);
    if (format == nullptr)
        throw UsageError(fmt::format("--format {}: there is no such format; `reanima formats` lists them", id));
    return format;
}

Companions InputOptions::given() const {
    Companions companions;
    const std::string& native = sourceSkeleton.empty() ? skeleton : sourceSkeleton;
    if (!native.empty()) {
        Companion companion{readInput(fromUtf8(native), formatFor(skeletonFormat), limits), true};
        if (noCompanion)
            companion.input.siblings = {};
        const Format& found = formatOf(companion.input);
        if (found.kind != Kind::skeleton)
            throw core::DecodeError(fmt::format("is no skeleton but {}", found.label)).inFile(native);
        companions.emplace(Role::skeleton, std::move(companion));
    }
    return companions;
}

Input InputOptions::read(const std::string& path) const {
    Input input = readInput(fromUtf8(path), formatFor(format), limits);
    if (noCompanion)
        input.siblings = {};
    return input;
}

void addInputOptions(CLI::App& verb, InputOptions& options) {
    verb.add_option("-s,--skeleton", options.skeleton, "the skeleton")->type_name("FILE");
    verb.add_option("--source-skeleton", options.sourceSkeleton, "the game's own skeleton")->type_name("FILE");
    verb.add_flag("--no-companion", options.noCompanion, "look for no files beside the input");
    verb.add_option("--format", options.format, "format of the inputs, instead of finding it out")->type_name("ID");
    verb.add_option("--skeleton-format", options.skeletonFormat, "format of the skeleton")->type_name("ID");
    for (const OptionInfo& info : formatOptions())
        addFormatOption(verb, info, options.values);
    verb.add_option("--limit-samples", options.limits.samples, "decoded samples that a file may ask for")
        ->type_name("N")
        ->capture_default_str()
        ->group("Limits");
    verb.add_option_function<std::uint64_t>(
            "--limit-memory", [&options](const std::uint64_t& mebibytes) { options.limits.memory = mebibytes << 20U; },
            "memory that a conversion may hold")
        ->type_name("MIB")
        ->check(CLI::Range(1, 1 << 20))
        ->group("Limits");
}

void addConsoleOptions(CLI::App& verb, Console& console) {
    verb.add_flag("-q,--quiet", console.quiet, "print errors only");
    verb.add_flag("-v,--verbose", console.verbose, "print more");
    verb.add_flag("--strict", console.policy.strict, "every warning is an error");
    verb.add_option_function<std::vector<std::string>>(
            "--warn",
            [&console](const std::vector<std::string>& settings) {
                for (const std::string& setting : settings) {
                    const std::size_t equals = setting.find('=');
                    const std::string level = equals == std::string::npos ? "" : setting.substr(equals + 1);
                    const core::Code* code = core::codeNamed(setting.substr(0, equals));
                    using Level = WarningPolicy::Level;
                    if (code == nullptr || (level != "ignore" && level != "warn" && level != "error"))
                        throw UsageError(fmt::format("--warn {}: expected CODE=ignore, warn or error with a code of "
                                                     "`reanima formats --warnings`",
                                                     setting));
                    console.policy.levels[*code] =
                        level == "ignore" ? Level::ignore : level == "warn" ? Level::warn : Level::error;
                }
            },
            "what becomes of a kind of warning: ignore, warn or error; repeatable")
        ->type_name("CODE=LEVEL")
        ->allow_extra_args(false);
}

}  // namespace reanima::tool
