#include "tools/reanima/jobs/files_beside.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "core/decode_error.h"
#include "gltf_export/gltf_file.h"

namespace reanima::tool {

class FilesBeside::Record : public core::FilesThrough {
  public:
    struct Seen {
        std::string path{};     ///< empty if there is no such file, or if it can't be read
        std::string content{};  ///< changes with the file
    };
    using All = std::map<std::string, Seen, std::less<>>;

    using FilesThrough::FilesThrough;

    [[nodiscard]] All all() const {
        const std::lock_guard lock(mutex_);
        return seen_;
    }

    void forget() {
        const std::lock_guard lock(mutex_);
        seen_.clear();
    }

  protected:
    [[nodiscard]] std::optional<File> readBeside(const std::string& path, std::string_view name,
                                                 const core::Limits& limits) const override {
        try {
            std::optional<File> file = FilesThrough::readBeside(path, name, limits);
            add(name, file ? Seen{file->path, file->name + keyOfBytes(file->bytes)} : Seen{});
            return file;
        } catch (const core::DecodeError&) {
            add(name, {{}, "unreadable"});
            throw;
        }
    }

  private:
    void add(std::string_view name, const Seen& seen) const {
        const std::lock_guard lock(mutex_);
        seen_.try_emplace(std::string(name), seen);
    }

    mutable std::mutex mutex_;
    mutable All seen_;
};

FilesBeside::FilesBeside(Input& input) {
    input.siblings = input.siblings.through([this](std::shared_ptr<const core::Files> files) {
        return record_ = std::make_shared<Record>(std::move(files));
    });
    siblings_ = input.siblings;
    if (record_ == nullptr)
        record_ = std::make_shared<Record>(nullptr);
}

std::string FilesBeside::names() const {
    std::string names;
    for (const auto& [name, seen] : record_->all())
        names += (names.empty() ? "" : ",") + gltf::percentEncoded(name);
    return names;
}

std::vector<std::string> FilesBeside::paths() const {
    std::vector<std::string> paths;
    for (const auto& [name, seen] : record_->all())
        if (!seen.path.empty())
            paths.push_back(seen.path);
    return paths;
}

void FilesBeside::addTo(ContentKey& key) const {
    for (const auto& [name, seen] : record_->all()) {
        key.add(name);
        key.add(seen.content);
    }
}

void FilesBeside::lookFor(std::string_view names) const {
    for (std::size_t begin = 0; begin < names.size();) {
        const std::size_t end = std::min(names.find(',', begin), names.size());
        const std::string name = gltf::percentDecoded(names.substr(begin, end - begin));
        begin = end + 1;
        try {
            (void)(name.find('/') == std::string::npos ? siblings_.companion(name, name) : siblings_.below(name));
        } catch (const core::DecodeError&) {  // NOLINT: recorded
        }
    }
}

void FilesBeside::forget() const { record_->forget(); }

}  // namespace reanima::tool
