#include "gltf_export/gltf_document.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/byte_reader.h"
#include "gltf_export/base64.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_file.h"
#include "gltf_export/json_marks.h"

namespace reanima::gltf {

using core::DecodeError;

namespace {

// Types of components.
constexpr std::uint64_t kByte = 5120;
constexpr std::uint64_t kUnsignedByte = 5121;
constexpr std::uint64_t kShort = 5122;
constexpr std::uint64_t kUnsignedShort = 5123;
constexpr std::uint64_t kUnsignedInt = 5125;
constexpr std::uint64_t kFloat = 5126;

/// Bytes of a component; 0 for an unknown type.
std::uint64_t widthOf(std::uint64_t componentType) {
    switch (componentType) {
        case kByte:
        case kUnsignedByte:
            return 1;
        case kShort:
        case kUnsignedShort:
            return 2;
        case kUnsignedInt:
        case kFloat:
            return 4;
        default:
            return 0;
    }
}

std::uint64_t componentsOf(std::string_view type) {
    return type == "MAT4" ? 16 : type == "VEC4" ? 4 : type == "VEC3" ? 3 : type == "VEC2" ? 2 : 1;
}

/// Calls `use` with a zero of this component type.
template <typename Use>
auto withZeroOf(std::uint64_t componentType, const Use& use) {
    switch (componentType) {
        case kByte:
            return use(std::int8_t{0});
        case kUnsignedByte:
            return use(std::uint8_t{0});
        case kShort:
            return use(std::int16_t{0});
        case kUnsignedShort:
            return use(std::uint16_t{0});
        case kUnsignedInt:
            return use(std::uint32_t{0});
        default:
            return use(0.0F);
    }
}

/// The next component as a number, in glTF's meaning. @tparam T its stored type
template <typename T>
double nextNumber(core::LittleEndianReader& reader, const Elements& elements) {
    const auto stored = static_cast<double>(reader.read<T>("component"));
    constexpr double kLargest =
        std::numeric_limits<T>::is_integer ? static_cast<double>(std::numeric_limits<T>::max()) : 1;
    return elements.isNormalized ? std::max(stored / kLargest, -1.0) : stored;
}

template <typename T>
double numberAt(const Elements& elements, std::uint64_t element, std::uint64_t component) {
    core::LittleEndianReader reader(
        elements.bytes.subspan(static_cast<std::size_t>(element * elements.stride + component * sizeof(T)), sizeof(T)));
    return nextNumber<T>(reader, elements);
}

/// All numbers of the elements, as floats. @tparam T the stored type of a component
template <typename T>
void readNumbers(const Elements& elements, std::vector<float>& numbers) {
    core::LittleEndianReader reader(elements.bytes);
    auto number = numbers.begin();
    for (std::uint64_t element = 0; element < elements.count; ++element) {
        for (std::uint64_t component = 0; component < elements.components; ++component)
            *number++ = static_cast<float>(nextNumber<T>(reader, elements));
        if (element + 1 < elements.count)
            (void)reader.bytes(elements.stride - elements.components * sizeof(T), "stride");
    }
}

/// The memory that a JSON text will need, computed before anything is built from the text.
struct Shape {
    std::size_t depth = 0;
    std::size_t values = 1;
    std::size_t texts = 0;  // texts include the names of members

    /// The memory of RapidJSON's values. A value needs 16 bytes, and up to twice as many while its list or object is
    /// read. A text needs 16 bytes as a name, its characters and up to 8 bytes of padding.
    [[nodiscard]] std::uint64_t memory(std::size_t characters) const {
        constexpr std::uint64_t kBytesAValue = 56;
        constexpr std::uint64_t kBytesAText = 56;
        return characters + values * kBytesAValue + texts * kBytesAText;
    }
};

Shape shapeOf(std::string_view text) {
    using Mark = JsonMarks::Mark;
    Shape shape;
    JsonMarks marks;
    for (const char c : text) {
        const Mark mark = marks.next(c);
        shape.texts += mark == Mark::quote ? 1 : 0;
        shape.values += mark == Mark::opens || mark == Mark::comma ? 1 : 0;
        shape.depth = std::max(shape.depth, marks.depth());
    }
    return shape;
}

/// False for paths that may lead out of the file's folder, and for `http:` and the like.
bool staysInFolder(std::string_view path) {
    if (path.empty() || path.front() == '/' || path.find_first_of(std::string_view(":\\\0", 3)) != path.npos)
        return false;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        if (path.substr(begin, end - begin) == "..")
            return false;
        begin = end + 1;
    }
    return true;
}

}  // namespace

double Elements::number(std::uint64_t element, std::uint64_t component) const {
    return withZeroOf(componentType, [&](auto zero) { return numberAt<decltype(zero)>(*this, element, component); });
}

Document::Document(const GltfInput& input, const core::Limits& limits) : limits_(limits), beside_(input.beside) {
    if (isGlb(input.bytes))
        openGlb(input.bytes);
    else
        text_ = {reinterpret_cast<const char*>(input.bytes.data()), input.bytes.size()};  // NOLINT: text is bytes
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kByteOrderMark))
        text_.remove_prefix(kByteOrderMark.size());
    if (text_.starts_with(kByteOrderMark))  // the parser would skip a second mark
        throw DecodeError({"json", 0}, "begins with two byte order marks");
    while (!text_.empty() && (text_.back() == ' ' || text_.back() == '\0' || text_.back() == '\n'))
        text_.remove_suffix(1);
    parse();
}

void Document::openGlb(core::Bytes bytes) {
    core::LittleEndianReader file(bytes);
    (void)file.read<std::uint32_t>("magic");
    const std::uint32_t version = file.read<std::uint32_t>("version");
    if (version != 2)
        throw DecodeError(file.place("version", 4), fmt::format("is {}, expected 2", version));
    const std::uint32_t length = file.read<std::uint32_t>("length");
    if (length > bytes.size())
        throw DecodeError(file.place("length", 4),
                          fmt::format("is {}, but the file has {} bytes", length, bytes.size()));
    file = core::LittleEndianReader(bytes.first(length)).at(kGlbHeader, "chunks[0]");
    const auto readChunk = [&file](std::string_view field, std::uint32_t wanted) -> std::optional<core::Bytes> {
        core::LittleEndianReader chunk = file;
        const std::uint32_t size = chunk.read<std::uint32_t>(field);
        if (chunk.read<std::uint32_t>(field) != wanted)
            return std::nullopt;
        const core::Bytes content = chunk.bytes(size, field);
        file = chunk;
        return content;
    };
    const std::optional<core::Bytes> json = readChunk("chunks[0]", kJsonChunk);
    if (!json)
        throw DecodeError({"chunks[0].type", kGlbHeader + 4}, "is not JSON");
    text_ = {reinterpret_cast<const char*>(json->data()), json->size()};  // NOLINT: text is bytes
    if (file.remaining() >= kChunkHeader)
        binary_ = readChunk("chunks[1]", kBinChunk);
    if (file.remaining() >= kChunkHeader)
        furtherChunks_ = file.rest();
}

void Document::parse() {
    constexpr std::size_t kDeepest = 200;  // real files have fewer than 20 levels
    const Shape shape = shapeOf(text_);
    if (shape.depth > kDeepest)
        throw DecodeError(fmt::format("the JSON is {} levels deep, expected at most {}", shape.depth, kDeepest));
    memory_ = shape.memory(text_.size());
    core::requireMemory(memory_, limits_, {});
    limits_.held += memory_;
    std::optional<JsonDocument> parsed = parsedJson(text_);
    if (!parsed)
        throw DecodeError("is not a glTF file, because the text is not JSON");
    json_ = *std::move(parsed);
    const std::string_view version = root().at("asset").at("version").text();
    if (!version.starts_with("2."))
        root().at("asset").at("version").fail("2.0");
}

std::vector<std::string> Document::filesBeside(Beside which) const {
    std::vector<std::string> files;
    for (const char* list : {"buffers", "images"})
        if (which == Beside::buffersAndPictures || list == std::string_view("buffers"))
            for (const Field& field : root().list(list))
                if (const std::string uri = field.textOrNone("uri"); !uri.starts_with("data:"))
                    if (const std::string path = percentDecoded(uri); staysInFolder(path))
                        files.push_back(path);
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    return files;
}

std::optional<core::ByteVector> Document::resource(const Field& uri) const {
    const std::string_view text = uri.text();
    if (text.starts_with("data:")) {
        constexpr std::string_view kMark = ";base64,";
        const std::size_t mark = text.find(kMark);
        std::optional<core::ByteVector> bytes;
        if (mark != text.npos)
            bytes = fromBase64(text.substr(mark + kMark.size()));
        if (!bytes)
            throw DecodeError(uri.place(), "contains data that is not in base64");
        return bytes;
    }
    const std::string path = percentDecoded(text);
    if (!staysInFolder(path))
        uri.fail("a file in or below the folder of the glTF file");
    std::optional<core::File> file = beside_.below(path);
    return file ? std::optional(std::move(file->bytes)) : std::nullopt;
}

core::Bytes Document::buffer(std::uint32_t index) {
    const Field field = root().at("buffers").at(index);
    const std::uint64_t length = field.at("byteLength").whole();
    core::Bytes bytes;
    if (const std::optional<Field> uri = field.find("uri")) {
        const auto [known, isNew] = loaded_.try_emplace(index);
        if (isNew) {
            std::optional<core::ByteVector> content = resource(*uri);
            if (!content)
                throw DecodeError(uri->place(),
                                  fmt::format("the file \"{}\" can't be read", percentDecoded(uri->text())));
            known->second = *std::move(content);
            loadedBytes_ += known->second.size();
            core::requireMemory(loadedBytes_, limits_, uri->place());
        }
        bytes = known->second;
    } else if (index == 0 && binary_) {
        bytes = *binary_;
    } else {
        throw DecodeError(field.place(), "has neither a URI nor a BIN chunk");
    }
    if (length > bytes.size())
        field.at("byteLength").fail(fmt::format("at most {}, the number of bytes present", bytes.size()));
    return bytes.first(static_cast<std::size_t>(length));
}

ByteBlocks Document::takeBuffer(std::uint32_t index) {
    const core::Bytes bytes = buffer(index);
    views_.clear();  // the views refer to the buffer's bytes
    ByteBlocks blocks;
    if (auto loaded = loaded_.extract(index)) {
        loadedBytes_ -= loaded.mapped().size();
        loaded.mapped().resize(bytes.size());
        blocks.append(std::move(loaded.mapped()));
    } else {
        blocks.refer(bytes);
    }
    return blocks;
}

std::string_view Document::compressionOf(const Field& accessorIndex) const {
    const std::optional<Field> accessors = root().find("accessors");
    const std::optional<Field> views = root().find("bufferViews");
    if (!accessors || !views)
        return {};  // matrices() reports missing bytes
    const std::optional<Field> view = accessors->at(accessorIndex.index(accessors->size())).find("bufferView");
    const std::optional<Field> extensions =
        view ? views->at(view->index(views->size())).find("extensions") : std::nullopt;
    for (const std::string_view extension : {"EXT_meshopt_compression", "KHR_meshopt_compression"})
        if (extensions && extensions->find(extension))
            return extension;
    return {};
}

Elements Document::elements(const Field& accessorIndex, std::string_view type) {
    const Field accessors = root().at("accessors");
    const Field accessor = accessors.at(accessorIndex.index(accessors.size()));
    if (accessor.at("type").text() != type)
        accessor.at("type").fail(fmt::format("\"{}\"", type));
    if (const std::optional<Field> sparse = accessor.find("sparse"))
        sparse->fail("elements without gaps (not sparse)");
    return elementsOf(accessor, elementKind(accessor), accessor.at("count").whole());
}

Elements Document::elementKind(const Field& accessor) {
    Elements kind;
    kind.componentType = accessor.at("componentType").whole();
    kind.components = componentsOf(accessor.at("type").text());
    kind.isNormalized = accessor.contains("normalized") && accessor.at("normalized").flag();
    if (widthOf(kind.componentType) == 0)
        accessor.at("componentType").fail("5120 to 5126");
    return kind;
}

const Document::View& Document::viewOf(const Field& index) {
    const Field views = root().at("bufferViews");
    const std::uint32_t number = index.index(views.size());
    if (const auto known = views_.find(number); known != views_.end())
        return known->second;
    const Field view = views.at(number);
    const core::Bytes bytes = buffer(view.at("buffer").index(root().at("buffers").size()));
    const std::uint64_t begin = view.wholeOr("byteOffset", 0);
    const std::uint64_t length = view.at("byteLength").whole();
    if (begin > bytes.size() || length > bytes.size() - begin)
        throw DecodeError(view.place(), fmt::format("covers {} bytes starting at byte {}, but the buffer has {}",
                                                    length, begin, bytes.size()));
    View found{bytes.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(length)), std::nullopt};
    if (view.contains("byteStride"))
        found.stride = view.at("byteStride").whole();
    return views_.emplace(number, found).first->second;
}

Elements Document::elementsOf(const Field& holder, Elements elements, std::uint64_t count) {
    constexpr std::uint64_t kLargestWhole = 1ULL << 53U;  // the largest number of Field::whole()
    elements.count = count;
    const std::uint64_t width = widthOf(elements.componentType);
    const View& view = viewOf(holder.at("bufferView"));
    const std::uint64_t length = view.bytes.size();
    const std::uint64_t offset = holder.wholeOr("byteOffset", 0);
    const std::uint64_t size = width * elements.components;
    elements.stride = view.stride.value_or(size);
    if (elements.count > 0 && (elements.stride < size || offset > length || length - offset < size ||
                               elements.stride > kLargestWhole / elements.count ||
                               (length - offset - size) < elements.stride * (elements.count - 1)))
        throw DecodeError(holder.place(),
                          fmt::format("{} elements starting at byte {} end beyond the buffer view of {} bytes",
                                      elements.count, offset, length));
    elements.bytes = view.bytes.subspan(static_cast<std::size_t>(elements.count > 0 ? offset : 0));
    return elements;
}

std::vector<float> Document::numbers(const Field& accessorIndex, std::string_view type) {
    const Field accessors = root().at("accessors");
    const Field accessor = accessors.at(accessorIndex.index(accessors.size()));
    if (accessor.at("type").text() != type)
        accessor.at("type").fail(fmt::format("\"{}\"", type));
    const std::optional<Field> sparse = accessor.find("sparse");
    const Elements kind = elementKind(accessor);
    const std::uint64_t count = accessor.at("count").whole();
    std::vector<float> numbers;
    const bool isStored = !sparse || accessor.contains("bufferView");
    const Elements stored = isStored ? elementsOf(accessor, kind, count) : kind;
    if (count > limits_.memory)  // without a view, the size of the data is no limit
        accessor.at("count").fail(fmt::format("at most {}", limits_.memory));
    core::requireMemory(memory_ + count * kind.components * sizeof(float), limits_, accessor.place());
    numbers.resize(count * kind.components);
    if (isStored)
        withZeroOf(kind.componentType, [&](auto zero) { readNumbers<decltype(zero)>(stored, numbers); });
    if (!sparse)
        return numbers;
    const std::uint64_t changed = sparse->at("count").whole();
    Elements places;
    places.componentType = sparse->at("indices").at("componentType").whole();
    places.components = 1;
    if (widthOf(places.componentType) == 0)
        sparse->at("indices").at("componentType").fail("5121, 5123 or 5125");
    places = elementsOf(sparse->at("indices"), places, changed);
    const Elements values = elementsOf(sparse->at("values"), kind, changed);
    for (std::uint64_t i = 0; i < changed; ++i) {
        const double place = places.number(i, 0);
        if (!(place >= 0 && place < static_cast<double>(count)))
            throw DecodeError(sparse->at("indices").place(),
                              fmt::format("has the index {}, expected less than {}", place, count));
        for (std::uint64_t component = 0; component < kind.components; ++component)
            numbers[static_cast<std::uint64_t>(place) * kind.components + component] =
                static_cast<float>(values.number(i, component));
    }
    return numbers;
}

std::vector<glm::dmat4> Document::matrices(const Field& accessorIndex, std::size_t count) {
    if (count == 0)
        return {};
    const Elements elements = this->elements(accessorIndex, "MAT4");
    const Field accessor = root().at("accessors").at(accessorIndex.index(root().at("accessors").size()));
    if (elements.componentType != kFloat)
        accessor.at("componentType").fail("5126 (float)");
    if (elements.count < count)
        accessor.at("count").fail(fmt::format("at least {}", count));
    std::vector<glm::dmat4> matrices(count);
    for (std::size_t i = 0; i < count; ++i)
        for (int column = 0; column < 4; ++column)
            for (int row = 0; row < 4; ++row)
                matrices[i][column][row] =
                    elements.number(i, 4 * static_cast<std::uint64_t>(column) + static_cast<std::uint64_t>(row));
    return matrices;
}

}  // namespace reanima::gltf
