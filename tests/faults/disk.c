/* A disk that can be watched and made to fail: loaded before libc (LD_PRELOAD), it stands between a real process and
 * the kernel for everything that changes files beneath DISK_ROOT.
 *
 * DISK_ROOT      the folder watched (its real path)
 * DISK_PART      of these, only paths that hold this text
 * DISK_JOURNAL   record every change, with its bytes, and every line on standard output, in the order they happened
 * DISK_KILL_AT   kill -9 this process at its n-th change, before it is made; DISK_KILL_HALF=1: with half a write made
 * DISK_FAIL_FROM, DISK_FAIL_COUNT, DISK_FAIL_ERRNO, DISK_FAIL_KINDS
 *                from the n-th change on, so many of these kinds (letters, see below) fail with that error
 * DISK_FAIL_FILE while this file exists, changes of those kinds fail
 *
 * A record of the journal: kind (1 byte), inode, a, b (8 bytes each), then b bytes of data.
 *   C create   inode, b: path             W write   inode, a: offset, b: data      T truncate  inode, a: length
 *   S fsync    inode                      D fsync of a folder, b: path             R rename    b: old NUL new
 *   U unlink   b: path                    M mkdir   b: path                        A standard output, b: text
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define MOST 4096

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static size_t root_length;
static int journal = -1, watched[MOST];
static long changes, kill_at, kill_half, fail_from, fail_count, fail_errno;
static char fail_kinds[32], fail_file[PATH_MAX], part[256];
static ino_t inodes[MOST];

static long number(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text && *text ? atol(text) : otherwise;
}

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("DISK_ROOT");
    if (!text || !*text) return;
    strncpy(root, text, sizeof root - 1);
    root_length = strlen(root);
    kill_at = number("DISK_KILL_AT", 0);
    kill_half = number("DISK_KILL_HALF", 0);
    fail_from = number("DISK_FAIL_FROM", 0);
    fail_count = number("DISK_FAIL_COUNT", LONG_MAX);
    fail_errno = number("DISK_FAIL_ERRNO", EIO);
    strncpy(fail_kinds, getenv("DISK_FAIL_KINDS") ? getenv("DISK_FAIL_KINDS") : "WST", sizeof fail_kinds - 1);
    strncpy(part, getenv("DISK_PART") ? getenv("DISK_PART") : "", sizeof part - 1);
    strncpy(fail_file, getenv("DISK_FAIL_FILE") ? getenv("DISK_FAIL_FILE") : "", sizeof fail_file - 1);
    if (getenv("DISK_JOURNAL"))
        journal = syscall(SYS_openat, AT_FDCWD, getenv("DISK_JOURNAL"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int beneath(const char *path) {
    return root_length && !strncmp(path, root, root_length) && (path[root_length] == '/' || !path[root_length]) &&
           (!part[0] || strstr(path + root_length, part));
}

/* The absolute path of a name, whether or not it is there; links above it are those of the process's own folder. */
static const char *absolute(int folder, const char *path, char *place) {
    if (path[0] == '/') return path;
    char start[PATH_MAX] = "", link[64];
    if (folder == AT_FDCWD) {
        if (!getcwd(start, sizeof start)) return path;
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        ssize_t length = readlink(link, start, sizeof start - 1);
        if (length < 0) return path;
        start[length] = 0;
    }
    snprintf(place, 2 * PATH_MAX, "%s/%s", start, path);
    return place;
}

static void note(char kind, uint64_t inode, uint64_t a, const void *data, uint64_t b) {
    if (journal < 0) return;
    char head[25];
    head[0] = kind;
    memcpy(head + 1, &inode, 8);
    memcpy(head + 9, &a, 8);
    memcpy(head + 17, &b, 8);
    syscall(SYS_write, journal, head, sizeof head);
    for (uint64_t done = 0; done < b;) {
        long written = syscall(SYS_write, journal, (const char *)data + done, b - done);
        if (written <= 0) return;
        done += written;
    }
}

/* Count a change, die at it, or say that it must fail. */
static int refused(char kind, int descriptor, const void *data, size_t count, off_t offset, int has_offset) {
    changes++;
    if (kill_at && changes >= kill_at) {
        if (kill_half && kind == 'W' && count > 1) {
            if (has_offset) syscall(SYS_pwrite64, descriptor, data, count / 2, offset);
            else syscall(SYS_write, descriptor, data, count / 2);
        }
        raise(SIGKILL);
    }
    int is_due = fail_from && changes >= fail_from && fail_count > 0;
    if (fail_file[0]) is_due = syscall(SYS_faccessat, AT_FDCWD, fail_file, F_OK) == 0;
    if (is_due && strchr(fail_kinds, kind)) {
        if (fail_count > 0 && fail_count != LONG_MAX) fail_count--;
        errno = fail_errno;
        return 1;
    }
    return 0;
}

static int is_watched(int descriptor) { return descriptor >= 0 && descriptor < MOST && watched[descriptor]; }

static int opened(int folder, const char *path, int flags, mode_t mode) {
    char place[2 * PATH_MAX];
    const char *full = absolute(folder, path, place);
    if (!beneath(full)) return syscall(SYS_openat, folder, path, flags, mode);
    pthread_mutex_lock(&turn);
    int is_new = (flags & O_CREAT) && syscall(SYS_faccessat, AT_FDCWD, full, F_OK) != 0;
    int descriptor = -1;
    if (!is_new || !refused('C', 0, 0, 0, 0, 0)) descriptor = syscall(SYS_openat, folder, path, flags, mode);
    if (descriptor >= 0 && descriptor < MOST) {
        struct stat status;
        fstat(descriptor, &status);
        watched[descriptor] = S_ISDIR(status.st_mode) ? 2 : 1;
        inodes[descriptor] = status.st_ino;
        if (is_new) note('C', status.st_ino, 0, full, strlen(full));
        else if (flags & O_TRUNC) note('T', status.st_ino, 0, 0, 0);
    }
    int error = errno;
    pthread_mutex_unlock(&turn);
    errno = error;
    return descriptor;
}

#define MODE(flags)                                                                                                    \
    mode_t mode = 0;                                                                                                   \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {                                                                           \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode = va_arg(rest, mode_t);                                                                                   \
        va_end(rest);                                                                                                  \
    }
int open(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE(flags) return opened(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE(flags) return opened(folder, path, flags, mode); }
int __open_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }

int close(int descriptor) {
    if (descriptor >= 0 && descriptor == journal) return 0;
    if (descriptor >= 0 && descriptor < MOST) watched[descriptor] = 0;
    return syscall(SYS_close, descriptor);
}

static ssize_t written(int descriptor, const void *data, size_t count, off_t offset, int has_offset) {
    if (descriptor == 1 && journal >= 0) {
        pthread_mutex_lock(&turn);
        ssize_t done = syscall(SYS_write, descriptor, data, count);
        if (done > 0) note('A', 0, 0, data, done);
        int error = errno;
        pthread_mutex_unlock(&turn);
        errno = error;
        return done;
    }
    if (!is_watched(descriptor))
        return has_offset ? syscall(SYS_pwrite64, descriptor, data, count, offset)
                          : syscall(SYS_write, descriptor, data, count);
    pthread_mutex_lock(&turn);
    ssize_t done = -1;
    if (!refused('W', descriptor, data, count, offset, has_offset)) {
        done = has_offset ? syscall(SYS_pwrite64, descriptor, data, count, offset)
                          : syscall(SYS_write, descriptor, data, count);
        if (done > 0) {
            off_t start = has_offset ? offset : lseek(descriptor, 0, SEEK_CUR) - done;
            note('W', inodes[descriptor], start, data, done);
        }
    }
    int error = errno;
    pthread_mutex_unlock(&turn);
    errno = error;
    return done;
}
ssize_t write(int descriptor, const void *data, size_t count) { return written(descriptor, data, count, 0, 0); }
ssize_t pwrite(int descriptor, const void *data, size_t count, off_t offset) {
    return written(descriptor, data, count, offset, 1);
}
ssize_t pwrite64(int descriptor, const void *data, size_t count, off_t offset) {
    return written(descriptor, data, count, offset, 1);
}

#define CHANGE(kind, descriptor, call, record)                                                                         \
    pthread_mutex_lock(&turn);                                                                                         \
    long done = -1;                                                                                                    \
    if (!refused(kind, descriptor, 0, 0, 0, 0) && (done = (call)) == 0) { record; }                                    \
    int error = errno;                                                                                                 \
    pthread_mutex_unlock(&turn);                                                                                       \
    errno = error;                                                                                                     \
    return done;

int ftruncate(int descriptor, off_t length) {
    if (!is_watched(descriptor)) return syscall(SYS_ftruncate, descriptor, length);
    CHANGE('T', descriptor, syscall(SYS_ftruncate, descriptor, length), note('T', inodes[descriptor], length, 0, 0))
}
int ftruncate64(int descriptor, off_t length) { return ftruncate(descriptor, length); }

static int synced(int descriptor, long call) {
    if (!is_watched(descriptor)) return syscall(call, descriptor);
    char link[64], place[PATH_MAX] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    if (watched[descriptor] == 2 && readlink(link, place, sizeof place - 1) < 0) place[0] = 0;
    CHANGE('S', descriptor, syscall(call, descriptor),
           if (watched[descriptor] == 2) note('D', inodes[descriptor], 0, place, strlen(place));
           else note('S', inodes[descriptor], 0, 0, 0))
}
int fsync(int descriptor) { return synced(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return synced(descriptor, SYS_fdatasync); }

static int renamed(int from, const char *old, int to, const char *new) {
    char a[2 * PATH_MAX], b[2 * PATH_MAX], both[4 * PATH_MAX];
    const char *source = absolute(from, old, a), *target = absolute(to, new, b);
    if (!beneath(target)) return syscall(SYS_renameat2, from, old, to, new, 0);
    size_t first = strlen(source), second = strlen(target);
    memcpy(both, source, first + 1);
    memcpy(both + first + 1, target, second);
    CHANGE('R', 0, syscall(SYS_renameat2, from, old, to, new, 0), note('R', 0, 0, both, first + 1 + second))
}
int rename(const char *old, const char *new) { return renamed(AT_FDCWD, old, AT_FDCWD, new); }
int renameat(int from, const char *old, int to, const char *new) { return renamed(from, old, to, new); }

static int unlinked(int folder, const char *path, int flags) {
    char place[2 * PATH_MAX];
    const char *full = absolute(folder, path, place);
    if (!beneath(full)) return syscall(SYS_unlinkat, folder, path, flags);
    CHANGE('U', 0, syscall(SYS_unlinkat, folder, path, flags), note('U', 0, 0, full, strlen(full)))
}
int unlink(const char *path) { return unlinked(AT_FDCWD, path, 0); }
int unlinkat(int folder, const char *path, int flags) { return unlinked(folder, path, flags); }
int rmdir(const char *path) { return unlinked(AT_FDCWD, path, AT_REMOVEDIR); }

static int made(int folder, const char *path, mode_t mode) {
    char place[2 * PATH_MAX];
    const char *full = absolute(folder, path, place);
    if (!beneath(full)) return syscall(SYS_mkdirat, folder, path, mode);
    CHANGE('M', 0, syscall(SYS_mkdirat, folder, path, mode), note('M', 0, 0, full, strlen(full)))
}
int mkdir(const char *path, mode_t mode) { return made(AT_FDCWD, path, mode); }
int mkdirat(int folder, const char *path, mode_t mode) { return made(folder, path, mode); }
