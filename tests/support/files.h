/// Files whose content a test defines.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/files.h"
#include "core/source.h"

namespace reanima::test {

/// Files from a function of the path.
class MadeUpFiles : public core::Files {
  public:
    using Find = std::function<std::optional<core::ByteVector>(std::string_view path)>;
    explicit MadeUpFiles(Find find) : find_(std::move(find)) {}

    [[nodiscard]] bool exists(const std::string& path) const override { return find_(path).has_value(); }
    [[nodiscard]] core::File read(const std::string& path, const core::Limits&) const override {
        const std::size_t folder = path.rfind('/') + 1;
        return {path.substr(folder), find_(path).value(), false, path};
    }
    [[nodiscard]] std::shared_ptr<const core::Source> open(const std::string& path) const override {
        const std::optional<core::ByteVector> bytes = find_(path);
        return bytes ? core::inMemory(*bytes) : nullptr;
    }

  private:
    Find find_;
};

/// Files from a function of the name, beside a file that has no folder.
[[nodiscard]] inline core::Siblings siblingsBy(MadeUpFiles::Find find) {
    return {std::make_shared<MadeUpFiles>(std::move(find)), {}};
}

}  // namespace reanima::test
