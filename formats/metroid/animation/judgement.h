/// Judges whether an animation has the layout of a game.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnostics.h"
#include "formats/metroid/reading.h"

namespace reanima::metroid {

/// Counts redundant fields that agree or disagree with the layout under which a file was read.
class Judgement {
  public:
    /// @param agrees true if the field has the value that the layout requires
    void expect(bool agrees, core::Code code, const core::Place& place, std::string text) {
        if (agrees)
            ++agreements_;
        else
            doubts_.push_back({core::Warning::Severity::warning, code, {}, place, std::move(text)});
    }

    [[nodiscard]] const std::vector<core::Warning>& doubts() const { return doubts_; }
    [[nodiscard]] int score() const { return agreements_ - static_cast<int>(doubts_.size()); }

  private:
    int agreements_ = 0;
    std::vector<core::Warning> doubts_;
};

/// Expects one value of a field.
void expectOne(Judgement& judgement, const Field<std::uint32_t>& field, std::uint32_t expected);

/// @throws core::DecodeError if the times are impossible for an animation of `frames` frames
void checkTimes(const Field<float>& duration, const Field<float>& interval, std::uint32_t frames, Judgement& judgement);

}  // namespace reanima::metroid
