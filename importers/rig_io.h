/// The files that Assimp may open while it reads a rig.
#pragma once

#include <optional>
#include <string>

#include <assimp/IOSystem.hpp>

namespace reanima {

/// Limits Assimp to the rig and the files in or below its folder. `..`, drives, devices and links out of the folder are
/// rejected. Only the last part of an absolute name is used, since rigs from other people contain paths on their disks.
/// Nothing is written.
class RigIOSystem final : public Assimp::IOSystem {
  public:
    /// @param io reads the files; not owned, unlike the IOSystem of an Importer
    /// @param rig the rig's path, as passed to the importer
    RigIOSystem(Assimp::IOSystem& io, std::string rig);

    bool Exists(const char* file) const override;
    [[nodiscard]] char getOsSeparator() const override { return io_.getOsSeparator(); }
    Assimp::IOStream* Open(const char* file, const char* mode) override;
    void Close(Assimp::IOStream* stream) override { io_.Close(stream); }

    /// The name of a file that Open() opens, relative to the rig's folder.
    [[nodiscard]] std::string nameOf(std::string_view path) const;
    /// A file in the rig's folder with that name. Case is ignored, as it is on other systems.
    [[nodiscard]] std::optional<std::string> nameLike(std::string_view name) const;

  private:
    /// The path to open for a path that Assimp requests. Empty if it is outside the folder.
    [[nodiscard]] std::optional<std::string> allowed(std::string_view path) const;

    Assimp::IOSystem& io_;
    std::string rig_;
    std::string folder_;  ///< ends with a separator; empty: the current folder
};

}  // namespace reanima
