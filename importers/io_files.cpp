#include "importers/io_files.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

#include <assimp/IOStream.hpp>
#include <assimp/version.h>
#include <fmt/format.h>

#include "core/source.h"
#include "core/text.h"
#include "formats/format.h"

namespace reanima {

namespace {

/// Part of Assimp's name for a file in memory. Sibling names derived from it "exist", too, with the same bytes.
constexpr std::string_view kMemoryName = "$$$___magic___$$$";

std::string nameOf(std::string_view path) {
    if (!isMemory(path))
        return std::string(core::fileNameOf(path));
    const std::string extension = extensionOf(path);
    return extension.empty() ? "memory" : "memory." + extension;
}

/// Calls Open, FileSize, Read and Close once each, because the streams of some engines support no more. A stream that
/// reads in parts is asked for the rest.
std::optional<core::ByteVector> readThrough(Assimp::IOSystem& io, const std::string& path, const core::Limits& limits) {
    const auto close = [&io](Assimp::IOStream* stream) { io.Close(stream); };
    const std::unique_ptr<Assimp::IOStream, decltype(close)> stream(io.Open(path, "rb"), close);
    if (!stream)
        return std::nullopt;
    const std::size_t size = stream->FileSize();
    core::requireRoomForFile(size, path, limits);
    core::ByteVector bytes(size);
    std::size_t read = 0;
    for (std::size_t part = size; part > 0 && read < size; read += part)
        part = std::min(stream->Read(bytes.data() + read, 1, size - read), size - read);
    bytes.resize(read);
    return bytes;
}

/// A file of which only parts are read. The stream must be able to seek.
class StreamSource : public core::Source {
  public:
    StreamSource(Assimp::IOSystem& io, Assimp::IOStream* stream) : io_(io), stream_(stream) {}
    ~StreamSource() override { io_.Close(stream_); }

    [[nodiscard]] std::uint64_t size() const override { return stream_->FileSize(); }

  protected:
    bool fill(std::uint64_t offset, std::span<std::uint8_t> into) const override {
        const std::lock_guard lock(mutex_);
        return stream_->Seek(static_cast<std::size_t>(offset), aiOrigin_SET) == aiReturn_SUCCESS &&
               stream_->Read(into.data(), 1, into.size()) == into.size();
    }

  private:
    Assimp::IOSystem& io_;
    Assimp::IOStream* stream_;
    mutable std::mutex mutex_;
};

class IoFiles : public core::Files {
  public:
    explicit IoFiles(Assimp::IOSystem& io) : io_(io) {}

    [[nodiscard]] bool exists(const std::string& path) const override {
        return io_.Exists(path) && canBeOpened(path) && !isEntry(path);
    }

    [[nodiscard]] core::File read(const std::string& path, const core::Limits& limits) const override {
        std::optional<core::ByteVector> bytes = readThrough(io_, path, limits);
        if (!bytes)
            throw core::DecodeError("can't be opened").inFile(path);
        return {nameOf(path), std::move(*bytes), false, isMemory(path) ? std::string() : path};
    }

    [[nodiscard]] std::shared_ptr<const core::Source> open(const std::string& path) const override {
        Assimp::IOStream* stream = io_.Exists(path) ? io_.Open(path, "rb") : nullptr;
        return stream == nullptr ? nullptr : std::make_shared<StreamSource>(io_, stream);
    }

  private:
    /// In Assimp 5.4, some missing files seem to exist, at random.
    [[nodiscard]] bool canBeOpened(const std::string& path) const {
        if (aiGetVersionMajor() != 5 || aiGetVersionMinor() != 4)
            return true;
        Assimp::IOStream* stream = io_.Open(path, "rb");
        if (stream != nullptr)
            io_.Close(stream);
        return stream != nullptr;
    }

    /// True for ARCHIVE:ENTRY.
    [[nodiscard]] bool isEntry(const std::string& path) const {
        for (std::size_t colon = path.find(':'); colon != std::string::npos; colon = path.find(':', colon + 1)) {
            const std::string file = path.substr(0, colon);
            const archives::ArchiveFile archive{open(file), std::string(core::fileNameOf(file)),
                                                core::Siblings(std::make_shared<IoFiles>(io_), file)};
            if (archive.source && archives::archiveFormatOf(archive) != nullptr)
                return true;
        }
        return false;
    }

    Assimp::IOSystem& io_;
};

}  // namespace

bool isMemory(std::string_view path) { return path.find(kMemoryName) != std::string_view::npos; }

std::shared_ptr<const core::Files> ioFiles(Assimp::IOSystem& io) { return std::make_shared<IoFiles>(io); }

std::shared_ptr<const archives::OpenArchives> ioFilesAndArchives(Assimp::IOSystem& io) {
    return std::make_shared<archives::OpenArchives>(ioFiles(io));
}

}  // namespace reanima
