#include "power_failure.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

// This is part of the preloaded library: it makes its changes by system calls, which are not counted as gdsim's.

namespace gdsim::testing {
namespace {

namespace fs = std::filesystem;

long rename_now(const std::string& from, const std::string& to, unsigned flags) {
  return syscall(SYS_renameat2, AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags);
}

long remove_now(const fs::path& path, int flags) { return syscall(SYS_unlinkat, AT_FDCWD, path.c_str(), flags); }

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(fs::symlink_status(path, error));
}

void remove_all_now(const fs::path& path) {
  if (!is_folder(path)) {
    remove_now(path, 0);
    return;
  }
  std::error_code error;
  std::vector<fs::path> inner;
  for (const auto& entry : fs::directory_iterator(path, error)) inner.push_back(entry.path());
  for (const fs::path& one : inner) remove_all_now(one);
  remove_now(path, AT_REMOVEDIR);
}

}  // namespace

void Unsynced::written(int descriptor) {
  struct stat found {};
  if (fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode)) return;
  const auto [entry, is_new] = written_.try_emplace({found.st_dev, found.st_ino}, -1);
  if (is_new) entry->second = fcntl(descriptor, F_DUPFD_CLOEXEC, 100);
}

void Unsynced::created(const char* path) { add(Kind::created, path, "", path); }

void Unsynced::renamed(const char* from, const char* to, unsigned flags) {
  add(flags == 0 ? Kind::renamed : Kind::exchanged, from, to, to);
}

std::string Unsynced::kept(const char* path) {
  const char* folder = std::getenv("GDSIM_FAULT_KEPT");
  const std::string place = std::string(folder == nullptr ? "." : folder) + "/" + std::to_string(kept_++);
  syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, place.c_str(), 0);
  return place;
}

void Unsynced::will_replace(const char* path) {
  if (access(path, F_OK) != 0) return;
  if (is_folder(path))
    add(Kind::folder_removed, path, "", path);
  else
    add(Kind::file_removed, path, kept(path), path);
}

void Unsynced::will_remove(const char* path, bool is_a_folder) {
  std::error_code error;
  if (is_folder(path) != is_a_folder || (is_a_folder && !fs::is_empty(path, error))) return;
  will_replace(path);
}

void Unsynced::synced(int descriptor) {
  struct stat found {};
  if (fstat(descriptor, &found) != 0) return;
  const Inode inode{found.st_dev, found.st_ino};
  if (const auto written = written_.find(inode); written != written_.end()) {
    syscall(SYS_close, written->second);
    written_.erase(written);
  }
  std::erase_if(changes_, [&](const Change& change) { return change.folder == inode; });
}

void Unsynced::undo(const Change& change) {
  switch (change.kind) {
    case Kind::created: return remove_all_now(change.path);
    case Kind::renamed: rename_now(change.other, change.path, 0); return;
    case Kind::exchanged: rename_now(change.other, change.path, RENAME_EXCHANGE); return;
    case Kind::file_removed:
      syscall(SYS_linkat, AT_FDCWD, change.other.c_str(), AT_FDCWD, change.path.c_str(), 0);
      return;
    case Kind::folder_removed: syscall(SYS_mkdirat, AT_FDCWD, change.path.c_str(), 0777); return;
  }
}

void Unsynced::forget(Forget what) {
  for (const auto& [inode, descriptor] : written_) syscall(SYS_ftruncate, descriptor, 0);
  if (what == Forget::data) return;
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) undo(*change);
}

void Unsynced::add(Kind kind, const std::string& path, const std::string& other, const std::string& named) {
  const fs::path folder = fs::path(named).parent_path();
  struct stat found {};
  if (stat(folder.empty() ? "." : folder.c_str(), &found) == 0)
    changes_.push_back({kind, path, other, {found.st_dev, found.st_ino}});
}

}  // namespace gdsim::testing
