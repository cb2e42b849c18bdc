/// Stands between a program and the C library. Of the calls FAULT_CALLS for files below FAULT_BELOW, each is listed in
/// FAULT_LOG, and FAULT_ACTION happens at the FAULT_AT-th: `fail` is an input/output error, `drop` a success that did
/// nothing, `kill` the end of the process. Any other action is a command of the shell that runs before the call.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PASS, FAIL, DROP };
static const char *below, *calls, *action;
static int at, count, list;

__attribute__((constructor)) static void begin(void) {
    calls = getenv("FAULT_CALLS");
    action = getenv("FAULT_ACTION");
    at = atoi(getenv("FAULT_AT"));
    list = open(getenv("FAULT_LOG"), O_WRONLY | O_APPEND | O_CLOEXEC);
    below = getenv("FAULT_BELOW");
}

static int fate(const char* call, int file, const char* path) {
    char name[64], place[2 * PATH_MAX] = "";
    int before = errno, fate = PASS;
    snprintf(name, sizeof name, " %s ", call);
    if (!below || !strstr(calls, name))
        return PASS;
    if (!path) {
        snprintf(name, sizeof name, "/proc/self/fd/%d", file);
        if (readlink(name, place, PATH_MAX) < 0)
            place[0] = 0;
    } else {
        if (path[0] != '/' && getcwd(place, PATH_MAX))
            strcat(place, "/");
        strncat(place, path, PATH_MAX);
    }
    if (!strncmp(place, below, strlen(below))) {
        dprintf(list, "%s %s\n", call, place);
        if (__atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST) == at) {
            if (!strcmp(action, "kill"))
                raise(SIGKILL);
            fate = !strcmp(action, "fail") ? FAIL : !strcmp(action, "drop") ? DROP : PASS;
            if (fate == PASS && (unsetenv("LD_PRELOAD") || system(action)))
                abort();
        }
    }
    errno = fate == FAIL ? EIO : before;
    return fate;
}

#define NEXT(type, name, declared) type (*next) declared = dlsym(RTLD_NEXT, #name)
#define WRAP(type, failed, dropped, name, file, path, declared, passed) \
    type name declared {                                              \
        NEXT(type, name, declared);                                   \
        int now = fate(#name, file, path);                            \
        return now == FAIL ? failed : now == DROP ? dropped : next passed; \
    }
#define WRAP_PATH(name, declared, passed) WRAP(int, -1, 0, name, 0, path, declared, passed)
WRAP(ssize_t, -1, 0, read, file, NULL, (int file, void* to, size_t size), (file, to, size))
WRAP(ssize_t, -1, (ssize_t)size, write, file, NULL, (int file, const void* from, size_t size), (file, from, size))
WRAP(off64_t, -1, 0, lseek64, file, NULL, (int file, off64_t to, int from), (file, to, from))
WRAP(FILE*, NULL, NULL, fopen64, 0, path, (const char* path, const char* how), (path, how))
WRAP(FILE*, NULL, NULL, fopen, 0, path, (const char* path, const char* how), (path, how))
WRAP(DIR*, NULL, NULL, opendir, 0, path, (const char* path), (path))
WRAP(struct dirent*, NULL, NULL, readdir, dirfd(folder), NULL, (DIR* folder), (folder))
WRAP(int, -1, 0, dup, file, NULL, (int file), (file))
WRAP(int, -1, 0, fchmod, file, NULL, (int file, mode_t mode), (file, mode))
WRAP_PATH(stat, (const char* path, struct stat* to), (path, to))
WRAP_PATH(lstat, (const char* path, struct stat* to), (path, to))
WRAP_PATH(mkdir, (const char* path, mode_t mode), (path, mode))
WRAP_PATH(rmdir, (const char* path), (path))
WRAP_PATH(unlink, (const char* path), (path))
WRAP_PATH(remove, (const char* path), (path))
WRAP_PATH(rename, (const char* path, const char* to), (path, to))
WRAP_PATH(link, (const char* path, const char* to), (path, to))
WRAP_PATH(renameat2, (int at, const char* path, int to_at, const char* to, unsigned how), (at, path, to_at, to, how))

int open(const char* path, int how, ...) {
    NEXT(int, open, (const char*, int, ...));
    va_list rest;
    va_start(rest, how);
    mode_t mode = how & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return fate("open", 0, path) == FAIL ? -1 : next(path, how, mode);
}

int close(int file) {                             /* a file is closed even if it could not be written */
    NEXT(int, close, (int));
    int now = fate("close", file, NULL), error = errno, closed = next(file);
    errno = now == FAIL ? error : errno;
    return now == FAIL ? -1 : closed;
}
