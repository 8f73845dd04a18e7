#include "output/partial_files.hpp"

#include "output/file_lock.hpp"
#include "output/file_sink.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

namespace gdsim::cli {
namespace {

namespace fs = std::filesystem;

const std::string kPrefix = ".gdsim-partial-";

/// Returns true for `.gdsim-partial-` followed by numbers: a name that only gdsim uses.
bool is_partial(const std::string& name) {
  return name.size() > kPrefix.size() && name.compare(0, kPrefix.size(), kPrefix) == 0 &&
         name.find_first_not_of("0123456789-", kPrefix.size()) == std::string::npos;
}

/// Returns true if `path` still is the descriptor's file: no process removed it as a dead one before it was locked.
bool is_at(int descriptor, const fs::path& path) {
  struct stat opened {};
  struct stat found {};
  return fstat(descriptor, &opened) == 0 && lstat(path.c_str(), &found) == 0 && opened.st_dev == found.st_dev &&
         opened.st_ino == found.st_ino;
}

/// Returns true if the file's name ends with its own inode, or if the file is empty: its process died before naming it.
bool is_own(const fs::path& path) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0) return false;
  return found.st_size == 0 || path.filename().string().ends_with("-" + std::to_string(found.st_ino));
}

/// Names the file after its inode. Its old name stays if that is not possible.
fs::path named_after_inode(const fs::path& path, int descriptor) {
  struct stat opened {};
  if (fstat(descriptor, &opened) != 0) return path;
  const fs::path named = path.string() + "-" + std::to_string(opened.st_ino);
  std::error_code error;
  if (fs::exists(fs::symlink_status(named, error))) return path;
  fs::rename(path, named, error);
  return error ? path : named;
}

}  // namespace

std::string partial_name(int number) { return kPrefix + std::to_string(getpid()) + "-" + std::to_string(number); }

std::vector<fs::path> partials_in(const fs::path& folder, fs::file_type type) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    if (is_partial(entry->path().filename().string()) && entry->symlink_status(gone).type() == type)
      found.push_back(entry->path());
  }
  return found;
}

PartialFile make_partial_file(const fs::path& folder, const fs::path& shown) {
  constexpr int max_tries = 1'000;
  for (int number = 0; number < max_tries; ++number) {
    const fs::path path = folder / partial_name(number);
    const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) fail_to_write(shown, std::strerror(errno));
    if (lock_descriptor(descriptor) && is_at(descriptor, path))
      return {named_after_inode(path, descriptor), descriptor};
    ::close(descriptor);
  }
  fail_to_write(shown, "too many files " + kPrefix + "* lie in " + folder.string() + "; remove them");
}

void remove_dead_partial_files(const fs::path& folder) {
  for (const fs::path& path : partials_in(folder, fs::file_type::regular))
    if (const auto lock = FileLock::of(path); lock && is_own(path)) {
      std::error_code ignored;
      fs::remove(path, ignored);
    }
}

}  // namespace gdsim::cli
