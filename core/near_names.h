/// Which name was probably meant where a name matches nothing.
#pragma once

#include <string>
#include <string_view>

namespace reanima::core {

/// True if at most `letters` times a letter must be inserted, left out or replaced, or two neighbours swapped, to make
/// one text of the other. Upper and lower case are the same.
[[nodiscard]] bool areWithin(std::string_view a, std::string_view b, unsigned letters);

/// Finds the name that is closest to a mistyped one: within two letters, within one for names of three and four, and
/// but for upper and lower case the same for shorter ones. Of equally close names the first that was offered counts.
class NearestName {
  public:
    explicit NearestName(std::string_view wanted);

    void offer(std::string_view name);

    /// Empty if no name is close.
    [[nodiscard]] const std::string& found() const { return found_; }
    /// `; did you mean NAME?`, or an empty text.
    /// @param before what stands in front of the name: `--`
    [[nodiscard]] std::string question(std::string_view before = {}) const;

  private:
    std::string wanted_;
    std::string found_;
    unsigned letters_;  ///< the next name must be within so many
    bool isOpen_;       ///< a closer name would count
};

}  // namespace reanima::core
