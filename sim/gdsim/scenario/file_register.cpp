#include <gdsim/scenario/file_register.hpp>

#include <sys/stat.h>

namespace gdsim {
namespace {

namespace fs = std::filesystem;

/// Returns the path where a file is or would be created. Follows links, also to targets that do not exist yet.
fs::path place_of(const fs::path& file) {
  constexpr int max_links = 40;  // as in the kernel
  fs::path place = file;
  std::error_code error;
  for (int i = 0; i < max_links && fs::is_symlink(place, error) && !fs::exists(place, error); ++i) {
    const fs::path target = fs::read_symlink(place, error);
    if (error) break;
    place = target.is_absolute() ? target : place.parent_path() / target;
  }
  fs::path found = fs::weakly_canonical(fs::absolute(place, error), error);
  return error ? place.lexically_normal() : found;
}

}  // namespace

void FileRegister::add(const fs::path& file, std::string_view role) {
  struct stat found {};
  const bool exists = stat(file.c_str(), &found) == 0;
  if (exists && !S_ISREG(found.st_mode)) return;
  const std::lock_guard lock(mutex_);
  places_.try_emplace(place_of(file), File{file.string(), std::string(role)});
  if (exists) inodes_.try_emplace(Inode(found.st_dev, found.st_ino), File{file.string(), std::string(role)});
}

void FileRegister::add(int descriptor, const std::string& name, std::string_view role) {
  struct stat found {};
  if (fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode)) return;
  const std::lock_guard lock(mutex_);
  inodes_.try_emplace(Inode(found.st_dev, found.st_ino), File{name, std::string(role)});
}

void FileRegister::on_input(const fs::path& file, int descriptor, std::string_view role) {
  if (file != "-") add(file, role);
  add(descriptor, file == "-" ? "<stdin>" : file.string(), role);
}

std::optional<FileRegister::File> FileRegister::find(const fs::path& file) const {
  struct stat found {};
  const bool exists = stat(file.c_str(), &found) == 0;
  if (exists && !S_ISREG(found.st_mode)) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (exists)
    if (const auto known = inodes_.find(Inode(found.st_dev, found.st_ino)); known != inodes_.end())
      return known->second;
  const auto known = places_.find(place_of(file));
  return known == places_.end() ? std::nullopt : std::optional(known->second);
}

}  // namespace gdsim
