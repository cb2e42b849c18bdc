#include <algorithm>
#include <array>

#include "fuzz/mutators.h"

namespace reanima::fuzz {

namespace {

using core::ReadField;

/// A file and the places of its numbers. These are updated when parts are added or removed.
class FieldFile {
  public:
    FieldFile(core::Bytes bytes, const std::vector<ReadField>& fields, std::size_t most, Random& random)
        : bytes_(core::copyOf(bytes)), fields_(fields), most_(most), random_(random) {
        std::ranges::sort(fields_, [](const ReadField& a, const ReadField& b) { return a.offset < b.offset; });
        const auto isSame = [](const ReadField& a, const ReadField& b) { return a.offset == b.offset; };
        fields_.erase(std::unique(fields_.begin(), fields_.end(), isSame), fields_.end());
        dropFieldsOutside();
    }

    void change() {
        if (bytes_.empty())
            return;
        if (oneIn(6, random_))
            changeParts();
        else if (fields_.empty() || oneIn(8, random_))
            setNumber(unknownField());
        else
            setNumber(fields_[below(fields_.size(), random_)]);
    }

    [[nodiscard]] const core::ByteVector& bytes() const { return bytes_; }

  private:
    [[nodiscard]] std::uint64_t valueOf(const ReadField& field) const {
        std::uint64_t value = 0;
        for (unsigned i = 0; i < field.size; ++i) {
            const unsigned shift = 8 * (field.order == std::endian::little ? i : field.size - 1U - i);
            value |= std::uint64_t{bytes_[field.offset + i]} << shift;
        }
        return value;
    }

    void setValue(const ReadField& field, std::uint64_t value) {
        for (unsigned i = 0; i < field.size; ++i) {
            const unsigned shift = 8 * (field.order == std::endian::little ? i : field.size - 1U - i);
            bytes_[field.offset + i] = static_cast<std::uint8_t>(value >> shift);
        }
    }

    /// A number of 1, 2 or 4 bytes, at a multiple of its size, that no reader has named.
    ReadField unknownField() {
        auto size = static_cast<std::uint8_t>(1U << below(3, random_));
        while (size > bytes_.size())
            size = static_cast<std::uint8_t>(size / 2);
        return {below(bytes_.size() / size, random_) * size, size,
                fields_.empty() ? std::endian::little : fields_.front().order};
    }

    void setNumber(const ReadField& field) {
        const std::uint64_t value = valueOf(field);
        const std::uint64_t size = bytes_.size();
        const std::uint64_t left = size - field.offset - field.size;
        const std::uint64_t half = std::uint64_t{1} << (8 * field.size - 1);
        const std::uint64_t bit = std::uint64_t{1} << below(8U * field.size, random_);
        const std::uint64_t other = fields_.empty() ? 0 : valueOf(fields_[below(fields_.size(), random_)]);
        const std::array<std::uint64_t, 22> values = {0,
                                                      1,
                                                      ~std::uint64_t{0},
                                                      2,
                                                      size,
                                                      size - 1,
                                                      size + 1,
                                                      left,
                                                      left - 1,
                                                      left + 1,
                                                      half,
                                                      half - 1,
                                                      half + 1,
                                                      value + 1,
                                                      value - 1,
                                                      value + 4,
                                                      value - 4,
                                                      value * 2,
                                                      value / 2,
                                                      value ^ bit,
                                                      other,
                                                      below(256, random_)};
        setValue(field, values[below(values.size(), random_)]);
    }

    /// The start or end of a part: a number, or the end of the file.
    std::size_t boundary() {
        const std::size_t index = below(fields_.size() + 1, random_);
        return index == fields_.size() ? bytes_.size() : static_cast<std::size_t>(fields_[index].offset);
    }

    void changeParts() {
        std::size_t begin = boundary();
        std::size_t end = boundary();
        if (begin > end)
            std::swap(begin, end);
        const core::ByteVector part(bytes_.begin() + static_cast<std::ptrdiff_t>(begin),
                                    bytes_.begin() + static_cast<std::ptrdiff_t>(end));
        switch (below(3, random_)) {
            case 0:
                if (part.size() < bytes_.size())
                    remove(begin, part.size());
                break;
            case 1:
                insert(boundary(), part);
                break;
            default: {
                const std::size_t at = boundary();
                std::copy_n(part.begin(), std::min(part.size(), bytes_.size() - at),
                            bytes_.begin() + static_cast<std::ptrdiff_t>(at));
            }
        }
    }

    void remove(std::size_t at, std::size_t count) {
        const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(at);
        bytes_.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
        std::erase_if(fields_, [&](const ReadField& f) { return f.offset + f.size > at && f.offset < at + count; });
        for (ReadField& field : fields_)
            if (field.offset >= at + count)
                field.offset -= count;
        dropFieldsOutside();
        adjust(at, ~std::uint64_t{count} + 1);
    }

    void insert(std::size_t at, const core::ByteVector& part) {
        if (bytes_.size() + part.size() > most_)
            return;
        bytes_.insert(bytes_.begin() + static_cast<std::ptrdiff_t>(at), part.begin(), part.end());
        for (ReadField& field : fields_)
            if (field.offset >= at)
                field.offset += part.size();
        dropFieldsOutside();
        adjust(at, part.size());
    }

    /// In half of all cases, updates numbers that look like offsets or sizes beyond a changed part, so that the rest of
    /// the file is still found.
    void adjust(std::size_t at, std::uint64_t by) {
        if (oneIn(2, random_))
            return;
        for (const ReadField& field : fields_) {
            const std::uint64_t value = valueOf(field);
            if (field.size > 1 && value > at && value <= bytes_.size() + static_cast<std::size_t>(~by + 1))
                setValue(field, value + by);
        }
    }

    void dropFieldsOutside() {
        std::erase_if(fields_, [this](const ReadField& f) { return f.offset + f.size > bytes_.size(); });
    }

    core::ByteVector bytes_;
    std::vector<ReadField> fields_;
    std::size_t most_;
    Random& random_;
};

}  // namespace

core::ByteVector mutatedFields(core::Bytes bytes, const std::vector<ReadField>& fields, std::size_t most,
                               Random& random) {
    if (bytes.empty() || oneIn(3, random))
        return mutatedBytes(bytes, most);
    FieldFile file(bytes, fields, most, random);
    for (std::size_t left = numberOfChanges(random); left > 0; --left)
        file.change();
    return file.bytes();
}

}  // namespace reanima::fuzz
