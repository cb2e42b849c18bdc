#include "gltf_export/json_text.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "gltf_export/json_marks.h"

namespace reanima::gltf {

namespace {

std::size_t skipSpace(std::string_view text, std::size_t at) {
    return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

/// The end of the string, object or list that begins at `at`.
std::size_t skipEnclosed(std::string_view text, std::size_t at) {
    JsonMarks marks;
    do
        (void)marks.next(text[at++]);
    while (marks.isInside() && at < text.size());
    return at;
}

std::size_t skipValue(std::string_view text, std::size_t at) {
    constexpr std::string_view kOpening = "\"{[";
    if (at < text.size() && kOpening.find(text[at]) != std::string_view::npos)
        return skipEnclosed(text, at);
    return std::min(text.find_first_of(" \t\r\n,]}", at), text.size());
}

}  // namespace

std::string jsonString(std::string_view text) { return nlohmann::json(text).dump(); }

TextRange wholeValue(std::string_view text) {
    const std::size_t begin = skipSpace(text, 0);
    return {begin, skipValue(text, begin)};
}

bool isObject(std::string_view text, const TextRange& value) { return value.in(text).starts_with('{'); }

std::vector<JsonMember> membersOf(std::string_view text, const TextRange& object) {
    std::vector<JsonMember> members;
    if (!isObject(text, object))
        return members;
    for (std::size_t at = skipSpace(text, object.begin + 1); at < object.end - 1; at = skipSpace(text, at + 1)) {
        JsonMember& member = members.emplace_back();
        const std::size_t keyEnd = skipEnclosed(text, at);
        member.key = nlohmann::json::parse(text.substr(at, keyEnd - at)).get<std::string>();
        const std::size_t colon = skipSpace(text, keyEnd);
        member.value.begin = skipSpace(text, colon + 1);
        member.value.end = skipValue(text, member.value.begin);
        member.whole = {at, member.value.end};
        at = skipSpace(text, member.value.end);  // a comma, or the end
    }
    return members;
}

std::vector<TextRange> elementsOf(std::string_view text, const TextRange& list) {
    std::vector<TextRange> elements;
    if (!list.in(text).starts_with('['))
        return elements;
    for (std::size_t at = skipSpace(text, list.begin + 1); at < list.end - 1; at = skipSpace(text, at + 1)) {
        elements.push_back({at, skipValue(text, at)});
        at = skipSpace(text, elements.back().end);
    }
    return elements;
}

const JsonMember* memberNamed(const std::vector<JsonMember>& members, std::string_view key) {
    const auto member =
        std::find_if(members.rbegin(), members.rend(), [key](const JsonMember& m) { return m.key == key; });
    return member == members.rend() ? nullptr : &*member;
}

std::string_view contentOf(std::string_view text, const TextRange& value) {
    std::string_view content = text.substr(value.begin + 1, value.end - value.begin - 2);
    content.remove_prefix(skipSpace(content, 0));
    while (!content.empty() && skipSpace(content, content.size() - 1) == content.size())
        content.remove_suffix(1);
    return content;
}

namespace {

ByteBlocks blocksOf(std::string_view text) {
    ByteBlocks blocks;
    blocks.append(text);
    return blocks;
}

core::Bytes bytesOf(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};  // NOLINT: text is bytes
}

}  // namespace

void JsonEdits::replace(const TextRange& range, std::string_view with) { edits_.push_back({range, blocksOf(with)}); }

void JsonEdits::append(const TextRange& value, ByteBlocks content) {
    if (content.size() == 0)
        return;
    const TextRange end = {value.end - 1, value.end - 1};
    const bool first =
        contentOf(text_, value).empty() &&
        std::none_of(edits_.begin(), edits_.end(), [&](const Edit& e) { return e.range.begin == end.begin; });
    ByteBlocks with = blocksOf(first ? "" : ",");
    with.append(std::move(content));
    edits_.push_back({end, std::move(with)});
}

void JsonEdits::append(const TextRange& value, std::string_view content) { append(value, blocksOf(content)); }

void JsonEdits::appendToList(const TextRange& object, std::string_view key, ByteBlocks elements) {
    if (elements.size() == 0)
        return;
    const std::vector<JsonMember> members = membersOf(text_, object);
    if (const JsonMember* list = memberNamed(members, key)) {
        append(list->value, std::move(elements));
        return;
    }
    ByteBlocks added = blocksOf("\"" + std::string(key) + "\":[");
    added.append(std::move(elements));
    added.append(std::string_view("]"));
    append(object, std::move(added));
}

void JsonEdits::appendToList(const TextRange& object, std::string_view key, std::string_view elements) {
    appendToList(object, key, blocksOf(elements));
}

void JsonEdits::prependToList(const TextRange& object, std::string_view key, ByteBlocks elements) {
    const std::vector<JsonMember> members = membersOf(text_, object);
    const JsonMember* list = memberNamed(members, key);
    if (list == nullptr || contentOf(text_, list->value).empty())
        return appendToList(object, key, std::move(elements));
    elements.append(std::string_view(","));
    const std::size_t begin = list->value.begin + 1;
    edits_.push_back({{begin, begin}, std::move(elements)});
}

ByteBlocks JsonEdits::takeApplied() {
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const Edit& a, const Edit& b) { return a.range.begin < b.range.begin; });
    ByteBlocks result;
    std::size_t kept = 0;
    for (Edit& edit : edits_) {
        result.refer(bytesOf(text_.substr(kept, edit.range.begin - kept)));
        result.append(std::move(edit.with));
        kept = edit.range.end;
    }
    result.refer(bytesOf(text_.substr(kept)));
    edits_.clear();
    return result;
}

}  // namespace reanima::gltf
