#include <string>
#include <vector>

#include "core/windows_api.h"
#include "tools/reanima/verbs/verbs.h"

/// Keeps patterns unexpanded: the command expands them on all systems.
extern "C" int _dowildcard;
int _dowildcard = 0;

/// Receives the command line in Unicode. `main` would receive it in the machine's code page.
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
