#include "core/read_file.h"

#include <cerrno>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

namespace reanima::core {

namespace fs = std::filesystem;

ByteVector readFile(const fs::path& path, const Limits& limits) {
    const std::string name = toUtf8(path);
    std::error_code error;
    const std::uintmax_t size = fileSize(path, error);
    if (error)
        throw DecodeError("can't be read: " + error.message()).inFile(name);
    if (size > limits.fileSize)
        throw DecodeError({}, fmt::format("has {} bytes, the limit is {}", size, limits.fileSize),
                          DecodeError::Kind::limit)
            .inFile(name);
    std::ifstream in(systemPath(path), std::ios::binary);
    ByteVector bytes(static_cast<std::size_t>(size));
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));  // NOLINT: bytes
    if (!in)
        throw DecodeError("can't be read: " + std::generic_category().message(errno)).inFile(name);
    return bytes;
}

}  // namespace reanima::core
