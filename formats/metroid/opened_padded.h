/// Files that may have padding from their archive.
#pragma once

#include "formats/row_functions.h"

namespace reanima::metroid {

/// An open file whose dump omits the padding that the archive added. `unpad` removes it from a native struct.
template <auto decode, auto unpad>
class OpenedPadded : public OpenedBytes<decode> {
  public:
    using OpenedBytes<decode>::OpenedBytes;

    [[nodiscard]] Json dump() override {
        if (!this->file().padded)
            return OpenedBytes<decode>::dump();
        auto native = this->native();
        unpad(native, this->file());
        return detail::jsonOf(native, this->context());
    }
};

}  // namespace reanima::metroid
