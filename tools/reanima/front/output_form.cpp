#include "tools/reanima/front/output_form.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/text.h"

namespace reanima::tool {

bool holdsOneClip(std::string_view form) { return form == "bvh" || form == "vrma" || form == "anim"; }

std::string outputFormOf(const std::string& as, const std::string& output) {
    if (!as.empty())
        return as;
    std::string extension = core::extensionOf(core::fileNameOf(output));
    return std::ranges::find(kOutputForms, extension) != kOutputForms.end() ? extension : "glb";
}

std::string endingsOf(const std::string& as) {
    if (!as.empty())
        return "." + as;
    std::string endings;
    for (std::size_t i = 0; i < kOutputForms.size(); ++i)
        endings += fmt::format("{}.{}", i == 0 ? "" : i + 1 == kOutputForms.size() ? " or " : ", ", kOutputForms[i]);
    return endings;
}

}  // namespace reanima::tool
