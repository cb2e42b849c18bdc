#include <reanima/version.h>

namespace reanima {

std::string_view versionText() { return REANIMA_VERSION; }

}  // namespace reanima
