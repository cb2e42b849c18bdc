/// The files that Assimp may open while it reads a rig.
#pragma once

#include <optional>
#include <string>

#include <assimp/IOSystem.hpp>

namespace reanima {

/// The rig, and what lies in its folder or below: `..`, drives and devices lead nowhere, nor do links that lead out of
/// the folder. Of an absolute name only the last part counts: other people's rigs name files of other people's disks.
/// Nothing is written.
class RigIOSystem final : public Assimp::IOSystem {
  public:
    /// @param io reads the files; it is not owned, while an Importer deletes the IOSystem that it is given
    /// @param rig its path, as the importer is given it
    RigIOSystem(Assimp::IOSystem& io, std::string rig);

    bool Exists(const char* file) const override;
    [[nodiscard]] char getOsSeparator() const override { return io_.getOsSeparator(); }
    Assimp::IOStream* Open(const char* file, const char* mode) override;
    void Close(Assimp::IOStream* stream) override { io_.Close(stream); }

    /// What a file that Open() opens is called below the rig's folder.
    [[nodiscard]] std::string nameOf(std::string_view path) const;
    /// A file of the rig's folder with that name, whatever the case of its letters: other systems don't mind it.
    [[nodiscard]] std::optional<std::string> nameLike(std::string_view name) const;

  private:
    /// The path that is opened for one that Assimp asks for; nothing if it leads elsewhere.
    [[nodiscard]] std::optional<std::string> allowed(std::string_view path) const;

    Assimp::IOSystem& io_;
    std::string rig_;
    std::string folder_;  ///< with the separator at its end; empty: the current one
};

}  // namespace reanima
