#include "formats/metroid/animation/evnt.h"

#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/metroid/animation/evnt_fields.h"
#include "formats/metroid/animation/evnt_json.h"
#include "support/broken.h"
#include "support/bytes.h"

namespace reanima::metroid {
namespace {

using core::ByteVector;

// Version 1 with one event of the first type, at 0.5 s.
const ByteVector kOneEvent = {0,    0,    0,    1,    0,   0,    0,    1,     // version, bool_event_count
                              0,    1,    's',  't',  'e', 'p',  0,    0, 3,  // unknown_00, name, kind
                              0x3F, 0,    0,    0,    0,   0,    0,    1,     // time, time_kind
                              0,    0,    0,    9,    1,   0x3F, 0x80, 0, 0,  // index, unique, weight 1
                              0xFF, 0xFF, 0xFF, 0xFF, 0,   0,    0,    4, 1,  // character -1, flags, value
                              0,    0,    0,    0,    0,   0,    0,    0};    // int_event_count, particle_event_count

Evnt decode(const ByteVector& bytes) {
    core::Diagnostics diagnostics;
    Evnt evnt = decodeEvnt(bytes, diagnostics);
    EXPECT_TRUE(diagnostics.warnings().empty());
    return evnt;
}

TEST(Evnt, IsReadWordForWord) {
    const Evnt evnt = decode(kOneEvent);
    ASSERT_EQ(evnt.events.size(), 1U);
    const Event& event = evnt.events[0];
    EXPECT_EQ(event.name, "step");
    EXPECT_EQ(event.kind, 3);
    EXPECT_EQ(event.time, 0.5F);
    EXPECT_EQ(event.index, 9U);
    EXPECT_EQ(event.unique, 1);
    EXPECT_EQ(event.character, -1);
    EXPECT_EQ(event.flags, 4U);
    EXPECT_EQ(std::get<BoolEvent>(event.content).value, 1);
    EXPECT_EQ(encodeEvnt(evnt), kOneEvent);
    EXPECT_TRUE(isEvnt(kOneEvent));
}

TEST(Evnt, AllFourTypesAreReadFromTheSample) {
    const ByteVector file = test::readBytes(test::sourceFolder() / "samples/metroid/hero_walk.EVNT");
    const Evnt evnt = decode(file);
    ASSERT_EQ(evnt.events.size(), 5U);
    EXPECT_EQ(std::get<IntEvent>(evnt.events[1].content).locator, "hips");
    EXPECT_EQ(std::get<ParticleEvent>(evnt.events[2].content).effect, 0xDEADBEEF);
    EXPECT_EQ(std::get<ParticleEvent>(evnt.events[2].content).effectType, 0x50415254U);  // "PART"
    EXPECT_EQ(std::get<SoundEvent>(evnt.events[4].content).sound, 78U);
    EXPECT_EQ(encodeEvnt(evnt), file);
}

TEST(Markers, StandInTheOrderOfTheirTimes) {
    const Evnt evnt = decode(test::readBytes(test::sourceFolder() / "samples/metroid/hero_walk.EVNT"));
    const std::vector<core::EventMarker> markers = toMarkers(evnt, 1);
    std::vector<std::pair<std::string, double>> found;
    for (const core::EventMarker& marker : markers)
        found.emplace_back(marker.name, marker.time);
    EXPECT_EQ(found, (std::vector<std::pair<std::string, double>>{{"speed", static_cast<double>(0.1F)},
                                                                  {"footstep_left", 0.25},
                                                                  {"step", 0.25},
                                                                  {"dust", 0.75},
                                                                  {"step", 0.75}}));
    EXPECT_EQ(markers[3].properties[0].first, "type");
    EXPECT_EQ(std::get<std::string>(markers[3].properties[0].second.data), "particle");
    EXPECT_EQ(toMarkers(evnt, 2)[4].time, 0.375);
}

test::Encoded encode(const Json& json) {
    return test::encodedBy(
        [&](core::Diagnostics& diagnostics) { return encodeEvnt(evntFromJson(JsonReader(json), diagnostics)); });
}

TEST(EvntJson, PaddingFitsAgainWhereTheContentIsLonger) {
    ByteVector padded = kOneEvent;  // 51 bytes
    padded.resize(64, 0xFF);
    Json json = toJson(decode(padded), core::Diagnostics{});
    EXPECT_EQ(encode(json).bytes, padded);
    json["events"][0]["name"] = "stamp";
    const test::Encoded edited = encode(json);
    EXPECT_EQ(edited.messages,
              std::vector<std::string>{
                  "warning: padding: has 13 bytes, but the file's size must be a multiple of 32; 12 are written"});
    EXPECT_EQ(edited.bytes.size(), 64U);
    EXPECT_EQ(decode(edited.bytes).padding, ByteVector(12, 0xFF));
}

TEST(EvntJson, GivesTheFileBackAndKeepsEdits) {
    const core::Diagnostics none;
    Json json = toJson(decode(kOneEvent), none);
    EXPECT_EQ(encode(json).bytes, kOneEvent);
    json["events"][0]["time"] = 0.75;
    json["events"][0]["name"] = "stamp";
    Event edited = decode(encode(json).bytes).events[0];
    EXPECT_EQ(edited.time, 0.75F);
    EXPECT_EQ(edited.name, "stamp");
    json["events"][0]["type"] = "music";
    try {
        (void)encode(json);
        FAIL() << "encoded";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(),
                     "events[0].type: is \"music\", expected \"bool\", \"int\", \"particle\" or \"sound\"");
    }
}

TEST(EvntMessages, AreWhole) {
    using test::Broken;
    test::expectMessages(
        kOneEvent, decodeEvnt, encodeEvnt,
        {Broken{"VersionCut", 0, {}, 3, "version at 0x0: needs 4 bytes, but only 3 are left"},
         Broken{"VersionUnknown", 3, {7}, std::nullopt, "version at 0x0: is 7, expected 1 or 2"},
         Broken{"CountAbsurd",
                4,
                {0xFF, 0xFF, 0xFF, 0xFF},
                std::nullopt,
                "bool_event_count at 0x4: is 4294967295, but the file has room for only 1"},
         Broken{"EventCut", 0, {}, 42, "bool_events[0].value at 0x2a: needs 1 byte, but only 0 are left"},
         Broken{"NameWithoutEnd", 10, ByteVector(41, 1), std::nullopt,
                "bool_events[0].name at 0xa: has no zero byte at its end"},
         Broken{"TimeNoNumber",
                17,
                {0x7F, 0x80},
                std::nullopt,
                "bool_events[0].time at 0x11: is inf, expected a number of at most 1e18"},
         Broken{"SoundsMissing", 3, {2}, std::nullopt, "sound_event_count at 0x33: needs 4 bytes, but only 0 are left"},
         Broken{"BytesAfter", 0, {}, 60, "warning: padding: 9 bytes follow the content"}});
}

/// The form of a field on the page: `before`, one of `types`, `between`, the name in backticks, `after`.
struct RowShape {
    std::string_view before, between, after;
    std::set<std::string_view> types;
};

std::vector<fields::Listing::Row> rowsOnPage(const RowShape& shape) {
    std::ifstream file(std::string(REANIMA_SOURCE_DIR) + "/docs/formats/metroid_evnt.md");
    const std::string page(std::istreambuf_iterator<char>(file), {});
    const std::string_view text = page;
    std::vector<fields::Listing::Row> rows;
    for (std::size_t tick = text.find('`'); tick != std::string_view::npos; tick = text.find('`', tick + 1)) {
        const std::string_view name = text.substr(tick + 1, text.find('`', tick + 1) - tick - 1);
        std::string_view left = text.substr(0, tick);
        if (!left.ends_with(shape.between) || !text.substr(tick + name.size() + 2).starts_with(shape.after))
            continue;
        left.remove_suffix(shape.between.size());
        const std::string_view type = left.substr(left.find_last_of(" |\n(") + 1);
        left.remove_suffix(type.size());
        if (shape.types.contains(type) && left.ends_with(shape.before))
            rows.push_back({std::string(type), std::string(name)});
    }
    return rows;
}

template <typename Record>
std::vector<fields::Listing::Row> described() {
    fields::Listing listing;
    const Record record;
    describe(listing, record);
    return listing.rows();
}

TEST(EvntFields, AreThoseOfThePage) {
    std::vector<fields::Listing::Row> rows = rowsOnPage(
        {.before = "\n| ", .between = " | ", .after = " |", .types = {"u8", "u16", "u32", "s32", "f32", "string"}});
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows.front(), (fields::Listing::Row{"u32", "version"}));
    rows.erase(rows.begin());
    EXPECT_EQ(rows, described<Event>());

    std::vector<fields::Listing::Row> contents = described<BoolEvent>();
    for (const auto& more : {described<IntEvent>(), described<ParticleEvent>(), described<SoundEvent>()})
        contents.insert(contents.end(), more.begin(), more.end());
    EXPECT_EQ(rowsOnPage({.before = "", .between = " ", .after = "", .types = {"u8", "u32", "f32", "string"}}),
              contents);
}

TEST(EvntFields, TellTheLeastSize) {
    fields::LeastSize size;
    const Event event;
    describe(size, event);
    EXPECT_EQ(size.bytes(), 30U);
}

}  // namespace
}  // namespace reanima::metroid
