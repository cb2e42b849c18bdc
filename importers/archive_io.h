/// Entries of the games' archives as files, for programs that read them with Assimp.
#pragma once

#include <memory>
#include <string>

#include <assimp/IOSystem.hpp>

namespace reanima {

/// Wraps a host's IOSystem. A path of the form ARCHIVE:ENTRY that the host does not have is read from the archive.
///
///     importer.SetIOHandler(new reanima::ArchiveIOSystem);
///     const aiScene* scene = importer.ReadFile("battle.lgp:rtda", 0);
///
/// Archives must not change while the object lives.
class ArchiveIOSystem : public Assimp::IOSystem {
  public:
    /// @param host null: Assimp's default
    explicit ArchiveIOSystem(std::unique_ptr<Assimp::IOSystem> host = nullptr);
    ~ArchiveIOSystem() override;

    bool Exists(const char* file) const override;
    char getOsSeparator() const override;
    bool ComparePaths(const char* one, const char* second) const override;
    /// @return null if the file or entry does not exist or can't be read
    Assimp::IOStream* Open(const char* file, const char* mode = "rb") override;
    void Close(Assimp::IOStream* stream) override;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace reanima
