#include "core/near_names.h"

#include <algorithm>

#include "core/text.h"

namespace reanima::core {

bool areWithin(std::string_view a, std::string_view b, unsigned letters) {
    if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > letters)
        return false;
    while (!a.empty() && !b.empty() && lowerCase(a.front()) == lowerCase(b.front())) {
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    if (a.empty() || b.empty())
        return true;  // the longer text has no more than `letters` left
    if (letters == 0)
        return false;
    const bool isSwapped =
        a.size() > 1 && b.size() > 1 && lowerCase(a[0]) == lowerCase(b[1]) && lowerCase(a[1]) == lowerCase(b[0]);
    if (isSwapped && areWithin(a.substr(2), b.substr(2), letters - 1))
        return true;
    return areWithin(a.substr(1), b.substr(1), letters - 1) || areWithin(a.substr(1), b, letters - 1) ||
           areWithin(a, b.substr(1), letters - 1);
}

NearestName::NearestName(std::string_view wanted)
    : wanted_(wanted),
      letters_(wanted.size() < 3   ? 0
               : wanted.size() < 5 ? 1
                                   : 2),
      isOpen_(true) {}

void NearestName::offer(std::string_view name) {
    if (!isOpen_ || !areWithin(wanted_, name, letters_))
        return;
    unsigned distance = 0;
    while (!areWithin(wanted_, name, distance))
        ++distance;
    found_ = name;
    isOpen_ = distance > 0;
    letters_ = isOpen_ ? distance - 1 : 0;
}

std::string NearestName::question(std::string_view before) const {
    return found_.empty() ? std::string() : "; did you mean " + std::string(before) + found_ + "?";
}

}  // namespace reanima::core
