#include "partial_files.hpp"

#include "file_lock.hpp"
#include "file_sink.hpp"

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

/// `.gdsim-partial-` and then numbers: a name that only gdsim uses.
bool is_partial(const std::string& name) {
  return name.size() > kPrefix.size() && name.compare(0, kPrefix.size(), kPrefix) == 0 &&
         name.find_first_not_of("0123456789-", kPrefix.size()) == std::string::npos;
}

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

/// True if `path` still is what the descriptor refers to: no process removed it as a dead one before it was locked.
bool is_at(int descriptor, const fs::path& path) {
  struct stat opened {};
  struct stat found {};
  return fstat(descriptor, &opened) == 0 && lstat(path.c_str(), &found) == 0 && opened.st_dev == found.st_dev &&
         opened.st_ino == found.st_ino;
}

}  // namespace

PartialFile make_partial_file(const fs::path& folder, const fs::path& shown) {
  constexpr int max_tries = 1'000;
  for (int number = 0; number < max_tries; ++number) {
    const fs::path path = folder / (kPrefix + std::to_string(getpid()) + "-" + std::to_string(number));
    const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) fail_to_write(shown, std::strerror(errno));
    if (lock_descriptor(descriptor) && is_at(descriptor, path)) return {path, descriptor};
    ::close(descriptor);
  }
  fail_to_write(shown, "too many files " + kPrefix + "* lie in " + folder.string() + "; remove them");
}

fs::path partial_folder(const fs::path& folder) { return folder / (kPrefix + std::to_string(getpid())); }

void remove_dead_partial_files(const fs::path& folder) {
  for (const fs::path& path : partials_in(folder, fs::file_type::regular))
    if (const auto lock = FileLock::of(path)) {
      std::error_code ignored;
      fs::remove(path, ignored);
    }
}

void remove_dead_partial_folders(const fs::path& folder) {
  for (const fs::path& path : partials_in(folder, fs::file_type::directory)) {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
}

}  // namespace gdsim::cli
