#include <array>

#include <nlohmann/json.hpp>

#include "formats/format.h"
#include "formats/psx/tim.h"
#include "formats/psx/tim_json.h"

namespace reanima::psx {

namespace {

using namespace std::string_view_literals;
using core::LittleEndianReader;

constexpr std::array kTimExtensions = {"tim"sv};

Json dumpTim(const File& file, const Companions&, Context& context) {
    return toJson(decodeTim(LittleEndianReader(file.bytes)), context.limits, context.diagnostics);
}

}  // namespace

extern const Format kTim = {
    .id = "psx-tim",
    .label = "PlayStation texture (TIM)",
    .kind = Kind::picture,
    .extensions = kTimExtensions,
    .isUsualName = nullptr,
    .options = {},
    .isWhole = isTim,
    .beginsLike = beginsLikeTim,
    .needs = [](const File&) { return std::vector<Need>{}; },
    .load = nullptr,
    .dump = dumpTim,
    .encode = [](const JsonReader& json,
                 Context& context) { return encodeTim(timFromJson(json, context.diagnostics)); },
    .companion = Role::textures,
};

}  // namespace reanima::psx
