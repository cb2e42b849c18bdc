/// Files of which a command reads small ones once, however often it looks at them.
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

/// Keeps the last small files that were read, and their bytes for whoever asks again.
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
    /// What was read as `path`, which may be a file that only upper and lower case tell apart; null if it is not kept.
    [[nodiscard]] std::shared_ptr<const File> find(const std::string& path) const;
    void keep(const std::string& path, const File& file) const;

    mutable std::mutex mutex_;
    mutable std::map<std::string, std::shared_ptr<const File>> kept_;
    mutable std::deque<std::string> order_;  ///< paths, as they were read
    mutable std::uint64_t bytes_ = 0;
};

}  // namespace reanima::core
