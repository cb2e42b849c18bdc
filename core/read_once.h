/// Caches small files so that a command reads each only once.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "files.h"

namespace reanima::core {

/// Keeps the small files that were read last.
class ReadOnceFiles : public FilesThrough {
  public:
    /// @param files must not change while the object lives
    explicit ReadOnceFiles(std::shared_ptr<const Files> files) : FilesThrough(std::move(files)) {}

    [[nodiscard]] bool exists(const std::string& path) const override;
    [[nodiscard]] File read(const std::string& path, const Limits& limits) const override;
    [[nodiscard]] std::shared_ptr<const Source> open(const std::string& path) const override;

  protected:
    [[nodiscard]] std::optional<File> readBeside(const std::string& path, std::string_view name,
                                                 const Limits& limits) const override;

  private:
    /// The file cached under `path`, possibly one that differs only in case; null if it is not cached.
    [[nodiscard]] std::shared_ptr<const File> find(const std::string& path) const;
    void keep(const std::string& path, const File& file) const;

    mutable std::mutex mutex_;
    mutable std::map<std::string, std::shared_ptr<const File>> kept_;
    mutable std::deque<std::string> order_;  ///< paths, in the order in which they were read
    mutable std::uint64_t bytes_ = 0;
};

}  // namespace reanima::core
