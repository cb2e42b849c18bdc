#include <string>
#include <vector>

#include "core/windows_api.h"
#include "tools/reanima/verbs/verbs.h"

/// Patterns stay as they are written: the command resolves them itself, as it does on other systems.
extern "C" int _dowildcard;
int _dowildcard = 0;

/// The command line in any script; `main` would get it in the code page of the machine.
extern "C" int wmain(int argc, wchar_t** argv) {
    std::vector<std::string> words;
    for (int i = 0; i < argc; ++i)
        words.push_back(reanima::core::utf8Of(argv[i]));
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return reanima::tool::runCommand(argc, pointers.data());
}
