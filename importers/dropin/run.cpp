/// `reanima-run`: starts a program that uses the system's libassimp, and adds the formats to it. See dropin.h.

#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats/aliases.h"
#include "formats/format.h"
#include "formats/registry.h"
#include "importers/dropin/dropin.h"

namespace {

/// The exit statuses of env(1) and nohup(1).
enum ExitStatus : int { kDone = 0, kFailed = 125, kNotExecutable = 126, kNotFound = 127 };

constexpr const char* kHelp = R"(usage: reanima-run PROGRAM [ARGUMENT...]
       reanima-run --list | --help | --version

Runs a program that uses the system's libassimp, so that it also reads the formats of reanima. The program itself is
not changed. The exit status is the program's, or 125 if this command failed, 126 if the program can't be run, 127 if
there is no such program.

  --list      list the added formats with their extensions
  --help      show this text
  --version   show the version, and the libassimp that it needs

    reanima-run assimp export rtda cloud.glb
    reanima-run assimp export battle.lgp:rtda cloud.glb
    reanima-run f3d rtda.dae          for a program that needs a known extension, copy or link rtda to rtda.dae

Settings for FILE come from its job file FILE.reanima.json. Settings that are not in it come from the environment, for
example REANIMA_SKELETON=rtaa.
)";

void say(const std::string& text) { fmt::print(stderr, "reanima-run: {}\n", text); }

// ---------------------------------------------------------------------------------------------------------------------
// The added formats

std::string listed(std::span<const std::string_view> extensions) {
    return fmt::format("{}", fmt::join(extensions, " "));
}

void printList() {
    std::size_t widest = 0;
    for (const reanima::Format* format : reanima::formats())
        widest = std::max(widest, format->label.size());
    for (const reanima::Format* format : reanima::formats())
        if (format->traits.isConverted &&
            format->kind != reanima::Kind::picture)  // a scene can't show the picture of a texture file
            fmt::print("{:<{}}  {}\n", format->label, widest, listed(format->extensions));
    fmt::print(
        "\nFiles are recognised by their content, whatever their names. For programs that only open known extensions, "
        "append\none of these to a file's name: {}\n",
        listed(reanima::kAliases));
}

// ---------------------------------------------------------------------------------------------------------------------
// The program

/// The path of a program as found by a shell. Empty if it is not found.
std::optional<std::string> pathOf(const std::string& program) {
    if (program.find('/') != std::string::npos)
        return access(program.c_str(), F_OK) == 0 ? std::optional(program) : std::nullopt;
    const char* variable = std::getenv("PATH");
    std::string_view rest = variable == nullptr ? "/usr/local/bin:/usr/bin:/bin" : variable;
    while (true) {
        const std::size_t colon = rest.find(':');
        const std::string folder(rest.substr(0, colon));
        const std::string path = (folder.empty() ? "." : folder) + "/" + program;
        if (access(path.c_str(), X_OK) == 0)
            return path;
        if (colon == std::string_view::npos)
            return std::nullopt;
        rest.remove_prefix(colon + 1);
    }
}

/// The dynamic loader that a program requests. An empty text if it is linked statically.
/// @return no value if it is not a 64-bit program
std::optional<std::string> interpreterOf(std::ifstream& file) {
    Elf64_Ehdr header{};
    const auto read = [&file](std::uint64_t offset, void* into, std::size_t size) {
        file.seekg(static_cast<std::streamoff>(offset));
        return static_cast<bool>(file.read(static_cast<char*>(into), static_cast<std::streamsize>(size)));
    };
    if (!read(0, &header, sizeof header) || header.e_ident[EI_CLASS] != ELFCLASS64)
        return std::nullopt;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment{};
        if (!read(header.e_phoff + std::uint64_t{i} * header.e_phentsize, &segment, sizeof segment))
            break;
        std::array<char, PATH_MAX> name{};
        if (segment.p_type == PT_INTERP && segment.p_filesz < name.size() &&
            read(segment.p_offset, name.data(), segment.p_filesz))
            return std::string(name.data());
    }
    return std::string();
}

/// The libraries that the loader would load with a program, one per line. The program itself does not run.
std::string librariesOf(const std::string& path) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0)
        return {};
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        unsetenv("LD_PRELOAD");
        setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);  // like ldd
        execl(path.c_str(), path.c_str(), nullptr);
        _exit(kNotExecutable);
    }
    close(ends[1]);
    std::string text;
    std::array<char, 4096> block{};
    for (ssize_t count = 0; (count = read(ends[0], block.data(), block.size())) > 0;)
        text.append(block.data(), static_cast<std::size_t>(count));
    close(ends[0]);
    if (child > 0)
        waitpid(child, nullptr, 0);
    return text;
}

/// Whether a program can be extended, as far as this is known before it runs.
struct Outlook {
    bool isHopeless = false;
    std::string problem;  ///< a message for the user; empty: no problem
};

Outlook outlookOf(const std::string& program, const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string start(SELFMAG, ' ');
    if (!file.read(start.data(), SELFMAG) || start != ELFMAG)  // a script: the programs that it starts are extended
        return {};
    const std::optional<std::string> interpreter = interpreterOf(file);
    if (!interpreter)
        return {true, fmt::format("{} is not a 64-bit program, so it runs without the formats", program)};
    if (interpreter->empty())
        return {true, fmt::format("{} is linked statically, so it runs without the formats", program)};
    struct stat status {};
    if (stat(path.c_str(), &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0 && geteuid() != 0)
        return {true,
                fmt::format("{} runs with the rights of its owner (setuid), so the formats are not loaded into it",
                            program)};
    if (interpreter->find("ld-linux") == std::string::npos)
        return {true,
                fmt::format("{} uses another C library ({}), so it runs without the formats", program, *interpreter)};
    const std::string libraries = librariesOf(path);
    const std::size_t assimp = libraries.find("libassimp.so");
    if (libraries.find(REANIMA_ASSIMP_SONAME " ") != std::string::npos)
        return {};
    if (assimp == std::string::npos)
        return {false,
                fmt::format("{} is not linked with libassimp, so it gets the formats only if it loads libassimp later",
                            program)};
    return {true, fmt::format("{} uses {}, expected {} ({}); it runs without the formats", program,
                              libraries.substr(assimp, libraries.find_first_of(" \n", assimp) - assimp),
                              REANIMA_ASSIMP_SONAME, REANIMA_ASSIMP_VERSION)};
}

// ---------------------------------------------------------------------------------------------------------------------
// The library

/// The path of the library to preload: beside this program, or in the installation folder of both.
std::optional<std::string> preloadPath() {
    std::array<char, PATH_MAX> self{};
    // The kernel passes this program's path, so /proc is not needed. It passes the address as a number.
    const auto* started = reinterpret_cast<const char*>(getauxval(AT_EXECFN));  // NOLINT
    if (started == nullptr || realpath(started, self.data()) == nullptr)
        return std::nullopt;
    std::string folder(self.data());
    folder.erase(folder.rfind('/'));
    const std::string prefix = folder.substr(0, folder.rfind('/'));
    for (const std::string& place : {folder, prefix + "/lib/reanima"})
        if (const std::string path = place + "/" + reanima::kDropinPreload; access(path.c_str(), R_OK) == 0)
            return path;
    return std::nullopt;
}

/// @return false if LD_PRELOAD can't contain the library's name
bool preload(const std::string& library) {
    if (library.find_first_of(" :") != std::string::npos)
        return false;
    const char* others = std::getenv("LD_PRELOAD");
    const std::string all = others == nullptr || *others == '\0' ? library : fmt::format("{}:{}", others, library);
    return setenv("LD_PRELOAD", all.c_str(), 1) == 0;
}

int runProgram(char** words) {
    const std::string program = words[0];
    const std::optional<std::string> path = pathOf(program);
    if (!path) {
        say(fmt::format("there is no program {}", program));
        return kNotFound;
    }
    const std::optional<std::string> library = preloadPath();
    if (!library) {
        say(fmt::format("{} is missing, expected in ../lib/reanima", reanima::kDropinPreload));
        return kFailed;
    }
    const Outlook outlook = outlookOf(program, *path);
    if (!outlook.problem.empty())
        say(outlook.problem);
    if (!outlook.isHopeless && !preload(*library)) {
        say(fmt::format("{} can't be preloaded, because its path contains a space or a colon", *library));
        return kFailed;
    }
    execv(path->c_str(), words);
    say(fmt::format("{} can't be run: {}", program, std::strerror(errno)));
    return kNotExecutable;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view word = argc < 2 ? "" : argv[1];
    if (word == "--help" || word == "-h") {
        fmt::print("{}", kHelp);
    } else if (word == "--version") {
        fmt::print("reanima-run {}, for programs with {} (Assimp {})\n", REANIMA_VERSION, REANIMA_ASSIMP_SONAME,
                   REANIMA_ASSIMP_VERSION);
    } else if (word == "--list") {
        printList();
    } else if (word.empty() || word.front() == '-') {
        fmt::print(stderr, "{}", kHelp);
        return kFailed;
    } else {
        return runProgram(argv + 1);
    }
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? kDone : kFailed;
}
