/// New clips for a folder of Memoria's clips: their files, and how the game finds them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace reanima::tool {

class MemoriaNewClips {
  public:
    /// @param folder name of the folder: `GEO_MAIN_F0_ZDN`, or the model's number, `98`
    /// @param files names of the clips in it
    MemoriaNewClips(const std::string& folder, const std::vector<std::string>& files);

    /// True for the name of a clip in the folder.
    [[nodiscard]] bool isKnown(const std::string& clip) const;

    struct Place {
        std::string file;    ///< name of the file
        std::string advice;  ///< what the game needs to find it
    };

    /// The place of a new clip. `50001_wave` in the folder of GEO_MAIN_F0_ZDN becomes ANH_MAIN_F0_ZDN_WAVE with the
    /// number 50001. In the folder 98, where the engine finds clips by number, its file is `50001.anim`.
    /// @throws core::DecodeError if the file or the number belongs to another clip
    [[nodiscard]] Place placeOf(const std::string& clip);

  private:
    void claim(const std::string& number, const std::string& clip);
    /// `ANH_MAIN_F0_ZDN_BIG_WAVE` for `big wave`
    [[nodiscard]] std::string nameInGame(const std::string& word) const;

    std::string model_;  // empty if the folder is not named after a model
    bool isByNumber_;
    std::map<std::string, std::string> clips_;  // by file name in lower case
    std::map<std::uint32_t, std::string> numbered_;
};

}  // namespace reanima::tool
