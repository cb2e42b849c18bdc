#include <array>

#include <nlohmann/json.hpp>

#include "fuzz/mutators.h"
#include "json/json.h"

namespace reanima::fuzz {

namespace {

std::size_t countOf(const Json& json) {
    std::size_t count = 1;
    if (json.is_structured())
        for (const Json& child : json)
            count += countOf(child);
    return count;
}

/// The value with that number. The root is 0; children follow their parent.
Json* find(Json& json, std::size_t& number) {
    if (number == 0)
        return &json;
    --number;
    if (json.is_structured())
        for (Json& child : json)
            if (Json* found = find(child, number))
                return found;
    return nullptr;
}

class JsonMutation {
  public:
    JsonMutation(Json json, Random& random) : json_(std::move(json)), random_(random) {}

    void change() {
        Json& value = any();
        if (oneIn(8, random_))
            value = otherValue();
        else if (value.is_number())
            value = otherNumber(value);
        else if (value.is_string())
            value = otherText(value.get<std::string>());
        else if (value.is_boolean())
            value = !value.get<bool>();
        else if (value.is_array())
            changeList(value);
        else if (value.is_object())
            changeObject(value);
    }

    [[nodiscard]] const Json& json() const { return json_; }

  private:
    Json& any() {
        std::size_t number = below(countOf(json_), random_);
        return *find(json_, number);
    }

    Json otherValue() {
        switch (below(8, random_)) {
            case 0:
                return nullptr;
            case 1:
                return Json::array();
            case 2:
                return Json::object();
            case 3:
                return oneIn(2, random_);
            case 4:
                return "";
            case 5:
                return otherNumber(0);
            default:
                return Json(any());
        }
    }

    Json otherNumber(const Json& value) {
        constexpr std::array<double, 8> kReals = {0.5, -0.0, 1e-9, 1e9, 3.4028235e38, 1e300, -1e300, 5e-324};
        constexpr std::array<std::int64_t, 20> kWholes = {
            0,   1,     -1,     2,     3,     4,     7,          127,           128,          255,
            256, 32767, -32768, 32768, 65535, 65536, 2147483647, -2147483648LL, 4294967295LL, 4294967296LL};
        if (value.is_number_integer() && oneIn(2, random_)) {
            const auto number = static_cast<std::uint64_t>(value.get<std::int64_t>());
            const std::array<std::uint64_t, 5> near = {number + 1, number - 1, ~number + 1, number * 2, number / 2};
            return static_cast<std::int64_t>(near[below(near.size(), random_)]);
        }
        if (value.is_number_float() && oneIn(2, random_))
            return value.get<double>() * (oneIn(2, random_) ? -1 : 1.5);
        if (oneIn(4, random_))
            return kReals[below(kReals.size(), random_)];
        return kWholes[below(kWholes.size(), random_)];
    }

    Json otherText(std::string text) {
        const std::size_t at = below(text.size(), random_);
        switch (below(6, random_)) {
            case 0:
                return text.substr(at);
            case 1:
                return text + text;
            case 2:
                return text.insert(at, 1, static_cast<char>(below(128, random_)));
            case 3:
                return text.insert(at, "00");
            case 4: {
                const Json& other = any();
                return other.is_string() ? other : Json(text);
            }
            default:
                if (!text.empty())
                    text[at] = "0123456789abcdefgz_.:{}/\x01\x7F"[below(24, random_)];
                return text;
        }
    }

    void changeList(Json& list) {
        if (list.empty() || oneIn(3, random_)) {
            list.push_back(list.empty() ? otherValue() : Json(list[below(list.size(), random_)]));
            return;
        }
        const std::size_t at = below(list.size(), random_);
        const std::size_t other = below(list.size(), random_);
        if (oneIn(2, random_))
            list.erase(at);
        else if (at != other)
            std::swap(list[at], list[other]);
    }

    void changeObject(Json& object) {
        if (object.empty())
            return;
        const auto member = std::next(object.begin(), static_cast<std::ptrdiff_t>(below(object.size(), random_)));
        const std::string key = member.key();
        const Json value = member.value();
        object.erase(key);
        if (oneIn(3, random_))
            return;
        const auto other =
            object.empty()
                ? key
                : std::next(object.begin(), static_cast<std::ptrdiff_t>(below(object.size(), random_))).key();
        object[oneIn(2, random_) ? key : other] = value;  // added at the end, or instead of another member
    }

    Json json_;
    Random& random_;
};

}  // namespace

core::ByteVector mutatedJson(core::Bytes text, std::size_t most, Random& random) {
    Json json = Json::parse(text.begin(), text.end(), nullptr, false);
    if (json.is_discarded() || oneIn(8, random))
        return mutatedBytes(text, most);
    JsonMutation mutation(std::move(json), random);
    for (std::size_t left = numberOfChanges(random); left > 0; --left)
        mutation.change();
    const std::string changed = mutation.json().dump(-1, ' ', false, Json::error_handler_t::replace);
    return changed.size() > most ? mutatedBytes(text, most) : core::ByteVector(changed.begin(), changed.end());
}

}  // namespace reanima::fuzz
