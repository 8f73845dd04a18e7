#include "output/aside_folder.hpp"

#include "output/sinks.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/scenario/source_files.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

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

namespace {

namespace fs = std::filesystem;

const std::string kPrefix = ".gdsim-partial-";

bool has_type(const fs::path& path, fs::file_type type) {
  std::error_code error;
  return fs::symlink_status(path, error).type() == type;
}

/// Returns true for a folder that nobody but this user, and root, can have changed.
bool is_own_folder(const fs::path& path) {
  struct stat found {};
  return lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid() &&
         (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Returns true for `.gdsim-partial-` followed by numbers.
bool is_aside_name(const std::string& name) {
  return name.size() > kPrefix.size() && name.starts_with(kPrefix) &&
         name.find_first_not_of("0123456789-", kPrefix.size()) == std::string::npos;
}

/// Returns true if `file` lies in `folder` and no link leads out of it.
bool lies_within(const fs::path& folder, const std::string& file) {
  fs::path inner = folder;
  for (const fs::path& step : fs::path(file)) {
    if (step.empty() || step == ".." || step.is_absolute() || !has_type(inner, fs::file_type::directory)) return false;
    inner /= step;
  }
  return true;
}

/// Removes the folders within `folder` that hold only empty folders.
void remove_empty_folders_in(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> inner;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (has_type(entry->path(), fs::file_type::directory)) inner.push_back(entry->path());
  for (const fs::path& inner_path : inner) {
    remove_empty_folders_in(inner_path);
    rmdir(inner_path.c_str());  // only if it is empty
  }
}

}  // namespace

AsideFolder::AsideFolder(const fs::path& parent, const fs::path& shown) {
  remove_dead_aside_folders(parent);
  constexpr int max_tries = 1'000;
  for (int number = 0; number < max_tries; ++number) {
    fs::path path = parent / (kPrefix + std::to_string(getpid()) + "-" + std::to_string(number));
    std::error_code error;
    const bool is_new = fs::create_directory(path, error);
    if (error && error != std::errc::file_exists) fail_to_write(shown, error.message());
    // What others could change while it is filled, or after this process was killed, would not be removed.
    if (is_new)
      fs::permissions(path, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove, error);
    if (is_new) lock_ = FileLock::locked(path);
    // Before it was locked, another process may have taken it for one of a dead process.
    if (!is_new || !lock_ || !has_type(path, fs::file_type::directory)) continue;
    path_ = std::move(path);
    return;
  }
  fail_to_write(shown, "too many entries " + kPrefix + "* lie in " + parent.string() + "; move them away");
}

AsideFolder::~AsideFolder() { remove_listed_files(path_); }

fs::path AsideFolder::add(const std::string& file, const fs::path& shown) const {
  list_files(path_, {file}, shown);
  return path_ / file;
}

void list_files(const fs::path& folder, const std::set<std::string>& files, const fs::path& shown) {
  FileSink sink(open((folder / kOwnList).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666), shown);
  for (const std::string& file : files) sink.write(file + "\n");
  sink.close();
  sync_path(folder / kOwnList, shown);
  sync_path(folder, shown);
}

/// A line that was cut off belongs to a file that was not made.
std::set<std::string> listed_in(const fs::path& folder) {
  std::set<std::string> files;
  if (!has_type(folder / kOwnList, fs::file_type::regular)) return files;
  SourceFiles reader;
  std::string_view text;
  try {
    text = reader.read(folder / kOwnList).text();
  } catch (const InputError&) {  // then no file in it is known to be gdsim's
    return files;
  }
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    files.emplace(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return files;
}

void remove_listed_files(const fs::path& folder) {
  if (!has_type(folder, fs::file_type::directory)) return;
  std::error_code error;
  if (has_type(folder / kOwnList, fs::file_type::regular)) {
    for (const std::string& file : listed_in(folder))
      if (lies_within(folder, file) && has_type(folder / file, fs::file_type::regular) &&
          !fs::remove(folder / file, error))
        return;
    remove_empty_folders_in(folder);
    // The list is removed last: while something else is there, the next run knows what to remove.
    const auto entries = std::distance(fs::directory_iterator(folder, error), fs::directory_iterator());
    if (error || entries > 1) return;
    fs::remove(folder / kOwnList, error);
  }
  rmdir(folder.c_str());  // only if it is empty
}

void remove_dead_aside_folders(const fs::path& parent) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end; entry.increment(error))
    if (is_aside_name(entry->path().filename().string()) && is_own_folder(entry->path()))
      found.push_back(entry->path());
  for (const fs::path& path : found)
    if (const auto lock = FileLock::locked(path)) remove_listed_files(path);
}

}  // namespace gdsim::cli
