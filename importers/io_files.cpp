#include "importers/io_files.h"

#include <memory>
#include <mutex>
#include <optional>

#include <assimp/IOStream.hpp>
#include <fmt/format.h>

#include "archives/source.h"
#include "core/text.h"
#include "formats/format.h"

namespace reanima {

namespace {

/// Reads from memory have names like this, and every sibling name made from them "exists" with the same bytes.
constexpr std::string_view kMemoryName = "$$$___magic___$$$";

bool isMemory(std::string_view path) { return path.find(kMemoryName) != std::string_view::npos; }

std::string nameOf(std::string_view path) {
    if (!isMemory(path))
        return std::string(core::fileNameOf(path));
    const std::string extension = extensionOf(path);
    return extension.empty() ? "memory" : "memory." + extension;
}

void requireRoom(std::size_t size, const std::string& path, const core::Limits& limits) {
    if (size > limits.fileSize)
        throw core::DecodeError({}, fmt::format("has {} bytes, the limit is {}", size, limits.fileSize),
                                core::DecodeError::Kind::limit)
            .inFile(path);
    try {
        core::requireMemory(size, limits, {});
    } catch (const core::DecodeError& error) {
        throw error.inFile(path);
    }
}

/// One Open, FileSize, Read and Close: some engines' streams can do no more.
std::optional<core::ByteVector> readThrough(Assimp::IOSystem& io, const std::string& path, const core::Limits& limits) {
    const auto close = [&io](Assimp::IOStream* stream) { io.Close(stream); };
    const std::unique_ptr<Assimp::IOStream, decltype(close)> stream(io.Open(path, "rb"), close);
    if (!stream)
        return std::nullopt;
    const std::size_t size = stream->FileSize();
    requireRoom(size, path, limits);
    core::ByteVector bytes(size);
    if (size > 0)
        bytes.resize(stream->Read(bytes.data(), 1, size));
    return bytes;
}

/// A file of which only parts are read. Streams that can't seek can't be archives.
class StreamSource : public archives::Source {
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

}  // namespace

archives::FileAccess archiveAccess(Assimp::IOSystem& io) {
    return {[&io](const std::string& path) { return io.Exists(path); },
            [&io](const std::string& path) -> std::shared_ptr<const archives::Source> {
                Assimp::IOStream* stream = io.Open(path, "rb");
                return stream == nullptr ? nullptr : std::make_shared<StreamSource>(io, stream);
            }};
}

archives::EntryPath entryPathOf(Assimp::IOSystem& io, const std::string& path) {
    const archives::OpenArchives archives(archiveAccess(io));
    const auto isArchive = [&](const std::string& file) { return file != path && archives.formatOf(file) != nullptr; };
    return isMemory(path) ? archives::EntryPath{path, {}} : archives::parseEntryPath(path, isArchive);
}

Siblings siblingsOf(Assimp::IOSystem& io, const std::string& path, const core::Limits& limits) {
    if (isMemory(path))
        return {};
    if (!entryPathOf(io, path).entries.empty())
        return openThrough(io, path, limits).siblings;
    return [&io, limits, folder = std::string(core::folderOf(path))](std::string_view name) -> std::optional<File> {
        const std::string sibling = folder + std::string(name);
        if (!io.Exists(sibling))
            return std::nullopt;
        std::optional<core::ByteVector> bytes = readThrough(io, sibling, limits);
        return bytes ? std::optional(File{std::string(name), std::move(*bytes)}) : std::nullopt;
    };
}

Input openThrough(Assimp::IOSystem& io, const std::string& path, const core::Limits& limits,
                  std::optional<core::ByteVector> known) {
    if (const archives::EntryPath entry = entryPathOf(io, path); !entry.entries.empty())
        return archives::OpenArchives(archiveAccess(io)).input(entry, limits);
    if (known)
        requireRoom(known->size(), path, limits);
    std::optional<core::ByteVector> bytes = known ? std::move(known) : readThrough(io, path, limits);
    if (!bytes)
        throw core::DecodeError("can't be opened").inFile(path);
    const core::Limits rest = limits.holding(bytes->size());
    return {
        {nameOf(path), std::move(*bytes)}, siblingsOf(io, path, rest), nullptr, isMemory(path) ? nameOf(path) : path};
}

OpenFile accessThrough(Assimp::IOSystem& io, const core::Limits& limits) {
    return
        [&io, limits](const std::string& path, const std::string& besides, IfMissing missing) -> std::optional<Input> {
            const bool isAbsolute = path.starts_with('/') || path.starts_with('\\') || path.find(':') == 1;
            const std::string full = isAbsolute ? path : std::string(core::folderOf(besides)) + path;
            if (missing == IfMissing::nothing && !io.Exists(full)) {
                const archives::EntryPath entry = entryPathOf(io, full);
                if (entry.entries.empty() || !archives::OpenArchives(archiveAccess(io)).holds(entry, limits))
                    return std::nullopt;
            }
            return openThrough(io, full, limits);
        };
}

}  // namespace reanima
