/// The files that a conversion looks for beside a file, such as meshes and textures.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/input.h"
#include "tools/reanima/front/content_key.h"

namespace reanima::tool {

/// Records the names that are looked for beside a file, including those of missing files: a conversion depends on both.
/// A later run looks for the same names. So it can tell whether an output is up to date without decoding its inputs.
class FilesBeside {
  public:
    /// @param input its siblings are watched from now on
    explicit FilesBeside(Input& input);

    /// The names, sorted, each as a URI reference, with commas between them. Empty if there are none.
    [[nodiscard]] std::string names() const;
    /// The paths of the files that exist, sorted by name.
    [[nodiscard]] std::vector<std::string> paths() const;
    /// Adds the names, and the content of the files that exist.
    void addTo(ContentKey& key) const;

    /// Looks for the names of an earlier record. @param names see names()
    void lookFor(std::string_view names) const;
    /// Begins a new record.
    void forget() const;

  private:
    class Record;

    std::shared_ptr<Record> record_;
    Siblings siblings_;
};

}  // namespace reanima::tool
