#include "output/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace gdsim::cli {

bool lock_descriptor(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

std::optional<FileLock> FileLock::locked(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  if (lock_descriptor(descriptor)) return FileLock(descriptor);
  const int why = errno;
  ::close(descriptor);
  errno = why;
  return std::nullopt;
}

bool FileLock::is_of(const std::filesystem::path& path) const {
  struct stat locked {};
  struct stat named {};
  return fstat(descriptor_, &locked) == 0 && stat(path.c_str(), &named) == 0 && locked.st_dev == named.st_dev &&
         locked.st_ino == named.st_ino;
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace gdsim::cli
