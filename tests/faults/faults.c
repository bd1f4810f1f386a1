/* Makes system calls fail, for one file and for standard output. Loaded with LD_PRELOAD.
 *
 *   FAULT_FILE   the file
 *   FAULT_PLAN   which of its calls go wrong, and how: "7:fail:28,12:kill:5,20-30:short:1"
 *   FAULT_SYNCED a file for the size that the file had when it was last synced
 *
 * Calls are counted from 0: pwrite, ftruncate and fdatasync of the file, fsync of anything, write to standard output, which
 * never fails.
 *
 *   fail:ERRNO   does nothing, and the call fails
 *   half:ERRNO   writes half of the bytes, and the call fails
 *   short:BYTES  writes only so many bytes, and the call succeeds
 *   kill:BYTES   writes only so many bytes, then kills the process; with 0 a call without bytes is not made
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

struct fault {
  char what[8];
  long number;
};

static long calls = -1;

/* The fault of this call, if it has one. */
static int next_fault(struct fault* fault) {
  ++calls;
  const char* plan = getenv("FAULT_PLAN");
  while (plan != NULL && *plan != '\0') {
    long first = 0, last = 0;
    int used = 0;
    if (sscanf(plan, "%ld-%ld:%7[a-z]:%ld%n", &first, &last, fault->what, &fault->number, &used) < 4) {
      if (sscanf(plan, "%ld:%7[a-z]:%ld%n", &first, fault->what, &fault->number, &used) < 3) abort();
      last = first;
    }
    if (calls >= first && calls <= last) return 1;
    plan += used;
    if (*plan == ',') ++plan;
  }
  return 0;
}

static int is_the_file(int fd) {
  const char* path = getenv("FAULT_FILE");
  struct stat one, other;
  return path != NULL && fstat(fd, &one) == 0 && stat(path, &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

static size_t least(size_t a, long b) { return b >= 0 && (size_t)b < a ? (size_t)b : a; }

/* How a call that writes `size` bytes ends; `put` writes the first so many of them. */
#define WRITE_WITH_FAULTS(size, put, may_fail)                              \
  struct fault fault;                                                       \
  if (!next_fault(&fault)) return put(size);                                \
  if (strcmp(fault.what, "fail") == 0 || strcmp(fault.what, "half") == 0) { \
    if (!(may_fail)) return put(size);                                      \
    if (fault.what[0] == 'h' && (size) > 1) (void)put((size) / 2);          \
    errno = (int)fault.number;                                              \
    return -1;                                                              \
  }                                                                         \
  const size_t some = least(size, fault.number);                            \
  if (strcmp(fault.what, "kill") == 0) {                                    \
    if (some > 0) (void)put(some);                                          \
    raise(SIGKILL);                                                         \
  }                                                                         \
  return put(some == 0 ? 1 : some);

/* How a call without bytes ends. */
#define CALL_WITH_FAULTS(call)                                              \
  struct fault fault;                                                       \
  if (!next_fault(&fault) || strcmp(fault.what, "short") == 0) return call; \
  if (strcmp(fault.what, "kill") == 0) {                                    \
    if (fault.number > 0) (void)call;                                       \
    raise(SIGKILL);                                                         \
  }                                                                         \
  errno = (int)fault.number;                                                \
  return -1;

typedef ssize_t (*pwrite_call)(int, const void*, size_t, off_t);
typedef ssize_t (*write_call)(int, const void*, size_t);
typedef int (*sync_call)(int);
typedef int (*truncate_call)(int, off_t);

static void* real(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == NULL) abort();
  return found;
}

ssize_t pwrite(int fd, const void* bytes, size_t size, off_t at) {
  const pwrite_call call = (pwrite_call)real("pwrite");
  if (!is_the_file(fd)) return call(fd, bytes, size, at);
#define PUT(count) call(fd, bytes, count, at)
  WRITE_WITH_FAULTS(size, PUT, 1)
#undef PUT
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off_t at) { return pwrite(fd, bytes, size, at); }

ssize_t write(int fd, const void* bytes, size_t size) {
  const write_call call = (write_call)real("write");
  if (fd != STDOUT_FILENO) return call(fd, bytes, size);
#define PUT(count) call(fd, bytes, count)
  WRITE_WITH_FAULTS(size, PUT, 0)
#undef PUT
}

int ftruncate(int fd, off_t size) {
  const truncate_call call = (truncate_call)real("ftruncate");
  if (!is_the_file(fd)) return call(fd, size);
  CALL_WITH_FAULTS(call(fd, size))
}
int ftruncate64(int fd, off_t size) { return ftruncate(fd, size); }

/* What the disk holds for sure is noted beside. */
static int sync_and_note(int fd) {
  const sync_call call = (sync_call)real("fdatasync");
  const int done = call(fd);
  const char* path = getenv("FAULT_SYNCED");
  struct stat status;
  if (done == 0 && path != NULL && fstat(fd, &status) == 0) {
    FILE* note = fopen(path, "w");
    if (note == NULL) abort();
    fprintf(note, "%lld", (long long)status.st_size);
    fclose(note);
  }
  return done;
}
int fdatasync(int fd) {
  if (!is_the_file(fd)) return ((sync_call)real("fdatasync"))(fd);
  CALL_WITH_FAULTS(sync_and_note(fd))
}

int fsync(int fd) {
  const sync_call call = (sync_call)real("fsync");
  CALL_WITH_FAULTS(call(fd))
}
