/// Suggests a name in place of a name that matches nothing.
#pragma once

#include <string>
#include <string_view>

namespace reanima::core {

/// True if up to `letters` insertions, deletions, replacements or swaps of neighbouring letters turn one text into the
/// other. Case is ignored.
[[nodiscard]] bool areWithin(std::string_view a, std::string_view b, unsigned letters);

/// Finds the name that is closest to a mistyped name; of equally close names, the first. Two letters may differ; in
/// names of three or four letters, one. Shorter names may differ only in case.
class NearestName {
  public:
    explicit NearestName(std::string_view wanted);

    void offer(std::string_view name);

    /// Empty if no name is close.
    [[nodiscard]] const std::string& found() const { return found_; }
    /// `; did you mean NAME?`, or an empty text.
    /// @param before text before the name: `--`
    [[nodiscard]] std::string question(std::string_view before = {}) const;

  private:
    std::string wanted_;
    std::string found_;
    unsigned letters_;  ///< limit for the next name
    bool isOpen_;       ///< a closer name may still replace the result
};

}  // namespace reanima::core
