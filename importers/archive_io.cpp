#include "importers/archive_io.h"

#include <algorithm>
#include <cstring>

#include <assimp/DefaultIOSystem.h>
#include <assimp/IOStream.hpp>

#include "importers/io_files.h"

namespace reanima {

namespace {

/// A readable file with an entry's bytes.
class EntryStream : public Assimp::IOStream {
  public:
    explicit EntryStream(core::ByteVector bytes) : bytes_(std::move(bytes)) {}

    std::size_t Read(void* buffer, std::size_t size, std::size_t count) override {
        if (size == 0)
            return 0;
        const std::size_t read = std::min(count, (bytes_.size() - position_) / size);
        if (read > 0)
            std::memcpy(buffer, bytes_.data() + position_, read * size);
        position_ += read * size;
        return read;
    }
    std::size_t Write(const void*, std::size_t, std::size_t) override { return 0; }
    aiReturn Seek(std::size_t offset, aiOrigin origin) override {
        const std::size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? position_ : bytes_.size();
        const std::size_t place = base + offset;  // unsigned arithmetic: negative offsets wrap to the right place
        if (place > bytes_.size())
            return aiReturn_FAILURE;
        position_ = place;
        return aiReturn_SUCCESS;
    }
    [[nodiscard]] std::size_t Tell() const override { return position_; }
    [[nodiscard]] std::size_t FileSize() const override { return bytes_.size(); }
    void Flush() override {}

  private:
    core::ByteVector bytes_;
    std::size_t position_ = 0;
};

}  // namespace

struct ArchiveIOSystem::State {
    std::unique_ptr<Assimp::IOSystem> host;
    archives::OpenArchives archives{ioFiles(*host)};
};

ArchiveIOSystem::ArchiveIOSystem(std::unique_ptr<Assimp::IOSystem> host)
    : state_(new State{host ? std::move(host) : std::make_unique<Assimp::DefaultIOSystem>()}) {}

ArchiveIOSystem::~ArchiveIOSystem() = default;

bool ArchiveIOSystem::Exists(const char* file) const {
    try {
        return state_->host->Exists(file) || state_->archives.holds(std::string(file), core::Limits{});
    } catch (const core::DecodeError&) {
        return false;
    }
}

char ArchiveIOSystem::getOsSeparator() const { return state_->host->getOsSeparator(); }

bool ArchiveIOSystem::ComparePaths(const char* one, const char* second) const {
    return state_->host->ComparePaths(one, second);
}

Assimp::IOStream* ArchiveIOSystem::Open(const char* file, const char* mode) {
    if (state_->host->Exists(file) || !state_->archives.namesEntry(file))
        return state_->host->Open(file, mode);
    try {
        return new EntryStream(state_->archives.read(file, core::Limits{}).bytes);
    } catch (const core::DecodeError&) {
        return nullptr;
    }
}

void ArchiveIOSystem::Close(Assimp::IOStream* stream) {
    if (dynamic_cast<EntryStream*>(stream) != nullptr)
        delete stream;
    else
        state_->host->Close(stream);
}

}  // namespace reanima
