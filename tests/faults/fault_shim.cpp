// Preloaded into gdsim: makes one of its calls that change files go wrong.
//
//   GDSIM_FAULT_STEP   which call, counted from 1
//   GDSIM_FAULT        kill_after, kill_half (of a write), disk_full (this one and all later ones that need
//                      room), error (this one alone, EIO), lose_data, lose_all (power_failure.hpp)
//   GDSIM_FAULT_MARK   a file that is made if the call was reached

#include "power_failure.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum class Needs { room, nothing };

std::atomic<long> steps{0};
gdsim::testing::Unsynced unsynced;

bool is_fault(const char* name) {
  const char* fault = std::getenv("GDSIM_FAULT");
  return fault != nullptr && std::strcmp(fault, name) == 0;
}

void mark() {
  const char* file = std::getenv("GDSIM_FAULT_MARK");
  const long descriptor = file == nullptr ? -1 : syscall(SYS_openat, AT_FDCWD, file, O_CREAT | O_WRONLY, 0600);
  if (descriptor >= 0) syscall(SYS_close, descriptor);
}

void die() { syscall(SYS_kill, getpid(), SIGKILL); }

/// Does a call, unless it is the one that goes wrong. `half` is called instead of it if the process dies halfway.
template <class Call, class Half>
long step(Needs needs, const Call& call, const Half& half) {
  const char* text = std::getenv("GDSIM_FAULT_STEP");
  const long chosen = text == nullptr ? 0 : std::atol(text);
  const long number = ++steps;
  if (chosen == 0 || number < chosen) return call();
  if (number == chosen) mark();
  if (is_fault("disk_full") && needs == Needs::room) return errno = ENOSPC, -1;
  if (number > chosen) return call();
  if (is_fault("error")) return errno = EIO, -1;
  if (is_fault("kill_half")) return half(), die(), -1;
  const long result = call();
  if (is_fault("lose_data")) unsynced.forget(gdsim::testing::Forget::data), die();
  if (is_fault("lose_all")) unsynced.forget(gdsim::testing::Forget::data_and_names), die();
  if (is_fault("kill_after")) die();
  return result;
}

/// Returns true if it has to be known what was not synced.
bool is_power_failure() { return is_fault("lose_data") || is_fault("lose_all"); }

template <class Call>
int step(Needs needs, const Call& call) {
  return static_cast<int>(step(needs, call, call));
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  const auto call = [&] { return syscall(SYS_openat, AT_FDCWD, path, flags, mode); };
  if ((flags & O_CREAT) == 0) return static_cast<int>(call());
  const auto create = [&] {
    const bool is_new = access(path, F_OK) != 0;
    const long descriptor = call();
    if (descriptor >= 0 && is_new && is_power_failure()) unsynced.created(path);
    return descriptor;
  };
  return step(Needs::room, create);
}

ssize_t write(int descriptor, const void* data, size_t size) {
  const auto call = [&] {
    if (is_power_failure()) unsynced.written(descriptor);
    return syscall(SYS_write, descriptor, data, size);
  };
  const auto half = [&] { return syscall(SYS_write, descriptor, data, size / 2); };
  return descriptor <= STDERR_FILENO ? call() : step(Needs::room, call, half);
}

int close(int descriptor) {
  return step(Needs::nothing, [&] { return syscall(SYS_close, descriptor); });
}

int fsync(int descriptor) {
  return step(Needs::room, [&] {
    const long result = syscall(SYS_fsync, descriptor);
    if (result == 0) unsynced.synced(descriptor);
    return result;
  });
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  return step(Needs::nothing, [&] {
    if (is_power_failure() && flags == 0) unsynced.will_replace(to);
    const long result = syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
    if (result == 0 && is_power_failure()) unsynced.renamed(from, to, flags);
    return result;
  });
}

int rename(const char* from, const char* to) noexcept { return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0); }

int mkdir(const char* path, mode_t mode) noexcept {
  return step(Needs::room, [&] {
    const long result = syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (result == 0 && is_power_failure()) unsynced.created(path);
    return result;
  });
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  return step(Needs::nothing, [&] {
    if (is_power_failure()) unsynced.will_remove(path, flags != 0);
    return syscall(SYS_unlinkat, folder, path, flags);
  });
}

int unlink(const char* path) noexcept { return unlinkat(AT_FDCWD, path, 0); }

int rmdir(const char* path) noexcept { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int remove(const char* path) noexcept {
  struct stat found {};
  return lstat(path, &found) == 0 && S_ISDIR(found.st_mode) ? rmdir(path) : unlink(path);
}

int fchmod(int descriptor, mode_t mode) noexcept {
  return step(Needs::nothing, [&] { return syscall(SYS_fchmod, descriptor, mode); });
}

}  // extern "C"
