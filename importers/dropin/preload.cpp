/// Intercepts three functions of libassimp in an unmodified program: see dropin.h.
///
/// libassimp (5.2.5) calls these functions through its procedure linkage table. So calls from its C functions are
/// intercepted, too. Only the C library is linked, and nothing happens before the first call.

#include <climits>
#include <cstdio>
#include <cstring>

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include "importers/dropin/dropin.h"

namespace {

constexpr const char* kAssimp = "libassimp.so";  // start of the name of the system's library
constexpr const char* kDescribe = "aiGetImporterDesc";

using Construct = void (*)(void*);
using Describe = const void* (*)(const char*);
using Number = unsigned (*)();

// ---------------------------------------------------------------------------------------------------------------------
// A single line on standard error

void reportOnce(const char* line) {
    static bool reported = false;
    if (__atomic_exchange_n(&reported, true, __ATOMIC_RELAXED))
        return;
    [[maybe_unused]] const ssize_t written =
        write(STDERR_FILENO, line, strlen(line));  // an error here can't be reported
}

// ---------------------------------------------------------------------------------------------------------------------
// Functions of the program's Assimp

bool isAssimp(const char* path) {
    const char* slash = strrchr(path, '/');
    return strncmp(slash == nullptr ? path : slash + 1, kAssimp, strlen(kAssimp)) == 0;
}

/// Records the path of the system's Assimp.
int noteAssimp(dl_phdr_info* object, std::size_t, void* into) {
    if (!isAssimp(object->dlpi_name) || strlen(object->dlpi_name) >= PATH_MAX)
        return 0;
    strcpy(static_cast<char*>(into), object->dlpi_name);  // NOLINT: its length is known
    return 1;
}

void* functionIn(const char* path, const char* name) {
    void* object = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (object == nullptr)
        return nullptr;
    void* function = dlsym(object, name);
    dlclose(object);  // the object stays loaded, as before
    return function;
}

/// The function that a call would have reached without this library.
/// @param caller an address within the calling code
void* original(const char* name, const void* caller) {
    if (void* next = dlsym(RTLD_NEXT, name))
        return next;
    // Finds the Assimp of a plugin, which the program itself can't see.
    Dl_info from{};
    if (dladdr(caller, &from) != 0 && from.dli_fname != nullptr)
        if (void* ofCaller = functionIn(from.dli_fname, name))
            return ofCaller;
    char assimp[PATH_MAX] = "";
    dl_iterate_phdr(noteAssimp, assimp);
    return functionIn(assimp, name);
}

/// False for a function of an Assimp that belongs to the program. The loaders are built for the system's Assimp.
bool isOfSystem(const void* function) {
    Dl_info from{};
    if (dladdr(function, &from) != 0 && from.dli_fname != nullptr && isAssimp(from.dli_fname))
        return true;
    reportOnce("reanima: this program contains its own Assimp; no format is added\n");
    return false;
}

bool isExpectedVersion(const void* caller) {
    const auto major = reinterpret_cast<Number>(original("aiGetVersionMajor", caller));
    const auto minor = reinterpret_cast<Number>(original("aiGetVersionMinor", caller));
    if (major != nullptr && minor != nullptr && major() == REANIMA_ASSIMP_MAJOR && minor() == REANIMA_ASSIMP_MINOR)
        return true;
    char line[160];
    snprintf(line, sizeof line, "reanima: this program's Assimp is version %u.%u, expected %d.%d; no format is added\n",
             major == nullptr ? 0 : major(), minor == nullptr ? 0 : minor(), REANIMA_ASSIMP_MAJOR,
             REANIMA_ASSIMP_MINOR);
    reportOnce(line);
    return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// The module

const reanima::DropinModule* theModule = nullptr;
const void* firstCaller = nullptr;

void openModule() {
    if (!isExpectedVersion(firstCaller))
        return;
    Dl_info here{};
    char path[PATH_MAX];
    if (dladdr(reinterpret_cast<const void*>(&openModule), &here) == 0)
        return;
    const char* slash = strrchr(here.dli_fname, '/');
    const int folder = slash == nullptr ? 0 : static_cast<int>(slash + 1 - here.dli_fname);
    if (snprintf(path, sizeof path, "%.*s%s", folder, here.dli_fname, reanima::kDropinModule) >= PATH_MAX)
        return;
    void* module = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    void* function = module == nullptr ? nullptr : dlsym(module, reanima::kDropinModuleFunction);
    if (function != nullptr) {
        theModule = reinterpret_cast<reanima::DropinModuleFunction>(function)();
        return;
    }
    const char* problem = dlerror();
    char line[PATH_MAX + 256];
    snprintf(line, sizeof line, "reanima: %s; no format is added\n", problem == nullptr ? path : problem);
    reportOnce(line);
}

/// The module for this program. Null if it can't be extended.
/// @param function address of a function in the program's Assimp
const reanima::DropinModule* moduleFor(void* function, const void* caller) {
    if (!isOfSystem(function))
        return nullptr;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    __atomic_store_n(&firstCaller, caller, __ATOMIC_RELAXED);
    pthread_once(&once, openModule);
    return theModule;
}

/// The constructor may throw. The added code does not.
void construct(const char* name, void* importer, const void* caller) {
    void* constructor = original(name, caller);
    reinterpret_cast<Construct>(constructor)(importer);  // the constructor exists, since the program was linked with it
    if (const reanima::DropinModule* module = moduleFor(constructor, caller))
        module->addLoaders(importer);
}

}  // namespace

extern "C" {

void reanimaConstruct1(void* importer) __asm__("_ZN6Assimp8ImporterC1Ev");
void reanimaConstruct2(void* importer) __asm__("_ZN6Assimp8ImporterC2Ev");
const void* reanimaDescribe(const char* extension) __asm__("aiGetImporterDesc");

void reanimaConstruct1(void* importer) { construct("_ZN6Assimp8ImporterC1Ev", importer, __builtin_return_address(0)); }

void reanimaConstruct2(void* importer) { construct("_ZN6Assimp8ImporterC2Ev", importer, __builtin_return_address(0)); }

const void* reanimaDescribe(const char* extension) {
    const void* caller = __builtin_return_address(0);
    void* describe = original(kDescribe, caller);
    const void* found = reinterpret_cast<Describe>(describe)(extension);
    if (found != nullptr || extension == nullptr)
        return found;
    const reanima::DropinModule* module = moduleFor(describe, caller);
    return module == nullptr ? nullptr : module->describe(extension);
}
}
