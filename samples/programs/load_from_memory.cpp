/// Loads files in memory through Assimp, with their companions. The character's skeleton, meshes and textures are found
/// by name, like files on disk.
///
///     load_from_memory samples/ff7/hrda samples/ff7/hr*
///
/// The first file is read with ReadFileFromMemory(). The files stand for the packages of an engine.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#include <reanima/assimp.h>

namespace {

class MemoryStream : public Assimp::IOStream {
  public:
    explicit MemoryStream(const std::string& bytes) : bytes_(bytes) {}

    std::size_t Read(void* into, std::size_t size, std::size_t count) override {
        const std::size_t read = std::min(count, (bytes_.size() - at_) / size);
        std::memcpy(into, bytes_.data() + at_, read * size);
        at_ += read * size;
        return read;
    }
    std::size_t Write(const void*, std::size_t, std::size_t) override { return 0; }
    aiReturn Seek(std::size_t offset, aiOrigin origin) override {
        const std::size_t at = offset + (origin == aiOrigin_CUR ? at_ : origin == aiOrigin_END ? bytes_.size() : 0);
        if (at > bytes_.size())
            return aiReturn_FAILURE;
        at_ = at;
        return aiReturn_SUCCESS;
    }
    [[nodiscard]] std::size_t Tell() const override { return at_; }
    [[nodiscard]] std::size_t FileSize() const override { return bytes_.size(); }
    void Flush() override {}

  private:
    const std::string& bytes_;
    std::size_t at_ = 0;
};

class MemoryFiles : public Assimp::IOSystem {
  public:
    explicit MemoryFiles(const std::map<std::string, std::string>& files) : files_(files) {}

    bool Exists(const char* name) const override { return files_.contains(name); }
    [[nodiscard]] char getOsSeparator() const override { return '/'; }
    Assimp::IOStream* Open(const char* name, const char*) override {
        const auto file = files_.find(name);
        return file == files_.end() ? nullptr : new MemoryStream(file->second);
    }
    void Close(Assimp::IOStream* stream) override { delete stream; }

  private:
    const std::map<std::string, std::string>& files_;
};

std::string contentOf(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::cerr << "usage: load_from_memory FILE OTHERS...\n";
        return 2;
    }
    std::map<std::string, std::string> files;
    for (int i = 1; i < argc; ++i)
        files[std::filesystem::path(argv[i]).filename().string()] = contentOf(argv[i]);
    const std::string name = std::filesystem::path(argv[1]).filename().string();

    Assimp::Importer importer;
    reanima::registerImportersFirst(importer);
    importer.SetIOHandler(new MemoryFiles(files));             // the importer deletes it
    reanima::setProperty(importer, "file-name", "./" + name);  // files beside it are found by their names
    const std::string& bytes = files[name];
    const aiScene* scene = importer.ReadFileFromMemory(bytes.data(), bytes.size(), 0);
    if (scene == nullptr) {
        std::cerr << importer.GetErrorString() << '\n';
        return 1;
    }
    std::cout << scene->mNumAnimations << " animations, " << scene->mNumMeshes << " meshes, " << scene->mNumTextures
              << " textures\n";
    return 0;
}
