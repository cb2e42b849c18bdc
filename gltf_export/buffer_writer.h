/// The single buffer of a model, with its views and accessors.
#pragma once

#include <cstring>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include "core/bytes.h"
#include "core/memory.h"
#include "model.h"

namespace reanima::gltf {

// glm's vectors and quaternions are copied to the buffer without conversion.
static_assert(sizeof(glm::vec3) == 12 && sizeof(glm::quat) == 16 && sizeof(glm::mat4) == 64);
static_assert(offsetof(glm::quat, x) == 0 && offsetof(glm::quat, w) == 12, "glTF stores quaternions as x, y, z, w");

/// The type of an accessor's elements.
struct ElementType {
    int type = TINYGLTF_TYPE_SCALAR;
    int component = TINYGLTF_COMPONENT_TYPE_FLOAT;
    bool normalized = false;
};

/// Appends data. A view covers the data appended between beginView and endView. The JSON stays small if there are few
/// views, each with many accessors.
class BufferWriter {
  public:
    /// What a file already contains if accessors and views are added to it.
    struct Begin {
        std::size_t accessors = 0;
        std::size_t views = 0;
        std::size_t bytes = 0;  ///< a multiple of four
    };

    explicit BufferWriter(Model& model) : BufferWriter(model, {}) {}
    BufferWriter(Model& model, const Begin& begin) : model_(model), begin_(begin), accessorCount_(begin.accessors) {}

    /// Reserves memory for a known size.
    void reserve(std::size_t bytes) { data_.reserve(data_.size() + bytes); }

    int beginView() {
        data_.resize((data_.size() + 3) / 4 * 4);
        tinygltf::BufferView& view = model_.bufferViews.emplace_back();
        view.buffer = 0;
        view.byteOffset = begin_.bytes + data_.size();
        return static_cast<int>(begin_.views + model_.bufferViews.size()) - 1;
    }

    void endView(int index) { view(index).byteLength = begin_.bytes + data_.size() - view(index).byteOffset; }

    [[nodiscard]] tinygltf::BufferView& view(int index) {
        return model_.bufferViews[static_cast<std::size_t>(index) - begin_.views];
    }

    /// Adds a view of these bytes.
    int addView(const core::ByteVector& bytes) {
        const int view = beginView();
        data_.insert(data_.end(), bytes.begin(), bytes.end());
        endView(view);
        return view;
    }

    template <typename T>
    int addAccessor(int view, const ElementType& element, const T* values, std::size_t count) {
        const core::Bytes bytes = bytesOf(values, count);
        describe(view, element, count);
        data_.insert(data_.end(), bytes.begin(), bytes.end());
        return static_cast<int>(accessorCount_) - 1;
    }

    /// Like addAccessor(), but reuses an equal accessor.
    template <typename T>
    int sharedAccessor(int view, const ElementType& element, const T* values, std::size_t count) {
        const core::Bytes bytes = bytesOf(values, count);
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());  // NOLINT: hashed
        const Shared added{data_.size(), bytes.size(), element.type, element.component, accessorCount_};
        const auto [known, isNew] = shared_.try_emplace(std::hash<std::string_view>{}(text), added);
        const Shared& other = known->second;
        const bool isSame = !isNew && other.type == element.type && other.component == element.component &&
                            other.bytes == bytes.size() &&
                            std::memcmp(data_.data() + other.offset, bytes.data(), bytes.size()) == 0;
        return isSame ? static_cast<int>(other.accessor) : addAccessor(view, element, values, count);
    }

    /// Adds an accessor in a separate view, for a vertex attribute or for indices.
    template <typename T>
    int addVertexData(const ElementType& element, const std::vector<T>& values, int target) {
        const int index = beginView();
        const int accessor = addAccessor(index, element, values.data(), values.size());
        view(index).target = target;
        endView(index);
        return accessor;
    }

    /// Sets the bounds of the last accessor.
    void setBounds(std::vector<double> lowest, std::vector<double> highest) {
        model_.accessors.back().minValues = std::move(lowest);
        model_.accessors.back().maxValues = std::move(highest);
    }

    /// Key times: one accessor per distinct list. Its bounds, which glTF requires, are exactly the stored floats.
    int timeAccessor(int view, const std::vector<float>& times) {
        const std::size_t before = accessorCount_;
        const int accessor = sharedAccessor(view, {}, times.data(), times.size());
        if (accessorCount_ > before)
            setBounds({times.front()}, {times.back()});
        return accessor;
    }

    [[nodiscard]] std::size_t size() const { return data_.size(); }
    /// The memory of the bytes and of the lookup table.
    [[nodiscard]] std::uint64_t memory() const {
        constexpr std::uint64_t kLinks = 3 * sizeof(void*);  // pointers in a node of the table, and the pointer to it
        return data_.size() + shared_.size() * core::heapBytes(sizeof(std::size_t) + sizeof(Shared) + kLinks);
    }
    [[nodiscard]] core::ByteVector take() { return std::move(data_); }

  private:
    struct Shared {
        std::size_t offset;
        std::size_t bytes;
        int type;
        int component;
        std::size_t accessor;
    };

    template <typename T>
    static core::Bytes bytesOf(const T* values, std::size_t count) {
        return {reinterpret_cast<const std::uint8_t*>(values), count * sizeof(T)};  // NOLINT: the layout is asserted
    }

    void describe(int index, const ElementType& element, std::size_t count) {
        Accessor& accessor = model_.accessors.emplace_back();
        accessor.bufferView = index;
        accessor.byteOffset = begin_.bytes + data_.size() - view(index).byteOffset;
        accessor.componentType = element.component;
        accessor.normalized = element.normalized;
        accessor.type = element.type;
        accessor.count = count;
        ++accessorCount_;
    }

    Model& model_;  ///< the model's accessors may be moved away at any time
    Begin begin_;
    core::ByteVector data_;
    std::size_t accessorCount_;
    std::unordered_map<std::size_t, Shared> shared_;  ///< accessors by the hash of their bytes
};

}  // namespace reanima::gltf
