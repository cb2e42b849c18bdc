/// The one buffer of a model, with its views and accessors.
#pragma once

#include <map>
#include <vector>

#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <tiny_gltf.h>

namespace reanima::gltf {

// glm's vectors and quaternions are copied to the buffer as they are.
static_assert(sizeof(glm::vec3) == 12 && sizeof(glm::quat) == 16 && sizeof(glm::mat4) == 64);
static_assert(offsetof(glm::quat, x) == 0 && offsetof(glm::quat, w) == 12, "glTF stores quaternions as x, y, z, w");

/// Appends data. A view covers what is appended between beginView and endView; few views hold many accessors, since it
/// is the JSON that costs.
class BufferWriter {
  public:
    explicit BufferWriter(tinygltf::Model& model) : model_(model) {}

    /// Makes room for what is known to come.
    void reserve(std::size_t accessors, std::size_t bytes) {
        model_.accessors.reserve(model_.accessors.size() + accessors);
        data_.reserve(data_.size() + bytes);
    }

    int beginView() {
        data_.resize((data_.size() + 3) / 4 * 4);
        tinygltf::BufferView& view = model_.bufferViews.emplace_back();
        view.buffer = 0;
        view.byteOffset = data_.size();
        return static_cast<int>(model_.bufferViews.size()) - 1;
    }

    void endView(int index) {
        tinygltf::BufferView& view = model_.bufferViews[static_cast<std::size_t>(index)];
        view.byteLength = data_.size() - view.byteOffset;
    }

    /// A view of these bytes.
    int addView(const std::vector<unsigned char>& bytes) {
        const int view = beginView();
        data_.insert(data_.end(), bytes.begin(), bytes.end());
        endView(view);
        return view;
    }

    template <typename T>
    int addAccessor(int view, int type, const T* values, std::size_t count,
                    int component = TINYGLTF_COMPONENT_TYPE_FLOAT) {
        tinygltf::Accessor& accessor = model_.accessors.emplace_back();
        accessor.bufferView = view;
        accessor.byteOffset = data_.size() - model_.bufferViews[static_cast<std::size_t>(view)].byteOffset;
        accessor.componentType = component;
        accessor.type = type;
        accessor.count = count;
        const auto* bytes = reinterpret_cast<const unsigned char*>(values);  // NOLINT: the layout is asserted above
        data_.insert(data_.end(), bytes, bytes + count * sizeof(T));
        return static_cast<int>(model_.accessors.size()) - 1;
    }

    /// An accessor alone in its view, for a vertex attribute or for indices.
    template <typename T>
    int addVertexData(int type, int component, const std::vector<T>& values, int target) {
        const int view = beginView();
        const int accessor = addAccessor(view, type, values.data(), values.size(), component);
        model_.bufferViews[static_cast<std::size_t>(view)].target = target;
        endView(view);
        return accessor;
    }

    void setBounds(int accessor, std::vector<double> lowest, std::vector<double> highest) {
        tinygltf::Accessor& bounded = model_.accessors[static_cast<std::size_t>(accessor)];
        bounded.minValues = std::move(lowest);
        bounded.maxValues = std::move(highest);
    }

    /// Key times: one accessor per distinct set. Its bounds are mandatory and equal the stored floats exactly.
    int timeAccessor(int view, const std::vector<float>& times) {
        const auto [known, isNew] = timeAccessors_.try_emplace(times, 0);
        if (isNew) {
            known->second = addAccessor(view, TINYGLTF_TYPE_SCALAR, times.data(), times.size());
            setBounds(known->second, {times.front()}, {times.back()});
        }
        return known->second;
    }

    /// Hands the data to the model.
    void finish() { model_.buffers.emplace_back().data = std::move(data_); }

  private:
    tinygltf::Model& model_;
    std::vector<unsigned char> data_;
    std::map<std::vector<float>, int> timeAccessors_;
};

}  // namespace reanima::gltf
