/// The fuzzer's program. REANIMA_FUZZ_TARGET names the target (see scripts/fuzz.sh). Without a name, targets are
/// listed.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "fuzz/mutators.h"
#include "fuzz/targets.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace reanima::fuzz {

core::ByteVector mutatedBytes(core::Bytes bytes, std::size_t most) {
    core::ByteVector room(std::max(most, bytes.size()));
    std::ranges::copy(bytes, room.begin());
    room.resize(LLVMFuzzerMutate(room.data(), bytes.size(), most));
    return room;
}

namespace {

/// The target that the environment names. Without a name, lists the targets and exits.
Target chooseTarget() {
    const char* name = std::getenv("REANIMA_FUZZ_TARGET");
    for (Target& target : targets()) {
        if (name == nullptr)
            std::puts(target.name.c_str());
        else if (target.name == name)
            return std::move(target);
    }
    if (name != nullptr)
        std::fprintf(stderr, "REANIMA_FUZZ_TARGET: no target is called %s\n", name);
    (void)std::fflush(stdout);
    std::_Exit(name == nullptr ? 0 : 2);
}

const Target& chosenTarget() {
    static const Target kTarget = chooseTarget();
    return kTarget;
}

/// The last input and the numbers that were read in it: most inputs are mutated right after a run. `ofCorpus` has the
/// numbers of other inputs, by a hash of their bytes.
struct LastRun {
    core::ByteVector bytes;
    std::vector<core::ReadField> fields;
    std::unordered_map<std::size_t, std::vector<core::ReadField>> ofCorpus{};
};

LastRun& lastRun() {
    static LastRun last;
    return last;
}

void run(core::Bytes bytes) {
    const Target& target = chosenTarget();
    if (target.mutation != Mutation::fields) {
        target.run(bytes);
        return;
    }
    LastRun& last = lastRun();
    last.bytes.assign(bytes.begin(), bytes.end());
    last.fields.clear();
    core::readFields = &last.fields;
    target.run(bytes);
    core::readFields = nullptr;
}

const std::vector<core::ReadField>& fieldsOf(core::Bytes bytes) {
    constexpr std::size_t kMost = 1024;
    LastRun& last = lastRun();
    if (std::ranges::equal(last.bytes, bytes))
        return last.fields;
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());  // NOLINT: bytes are bytes
    if (last.ofCorpus.size() > kMost)
        last.ofCorpus.clear();
    const auto [known, isNew] = last.ofCorpus.try_emplace(std::hash<std::string_view>()(text));
    if (isNew) {
        run(bytes);
        known->second = last.fields;
    }
    return known->second;
}

core::ByteVector mutated(core::Bytes bytes, std::size_t most, Random& random) {
    switch (chosenTarget().mutation) {
        case Mutation::bytes:
            break;
        case Mutation::fields:
            return mutatedFields(bytes, fieldsOf(bytes), most, random);
        case Mutation::json:
            return mutatedJson(bytes, most, random);
        case Mutation::png:
            return mutatedPng(bytes, most, random);
    }
    return mutatedBytes(bytes, most);
}

}  // namespace

}  // namespace reanima::fuzz

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    (void)reanima::fuzz::chosenTarget();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    reanima::fuzz::run({data, size});
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    reanima::fuzz::Random random(seed);
    const reanima::core::ByteVector changed = reanima::fuzz::mutated({data, size}, most, random);
    const std::size_t length = std::min(changed.size(), most);
    std::copy_n(changed.begin(), length, data);
    return length;
}
