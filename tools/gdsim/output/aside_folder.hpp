#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace gdsim::cli {

/// A lock on an existing file or folder, held until this is destroyed or its process dies. It excludes other holders on
/// this machine; it does not prevent reading or writing.
class FileLock {
 public:
  /// Returns nullopt if `path` is locked already or cannot be opened or locked; then `errno` has the reason
  /// (EWOULDBLOCK: it is locked).
  static std::optional<FileLock> locked(const std::filesystem::path& path);
  /// Returns true if the path still names what is locked.
  bool is_of(const std::filesystem::path& path) const;
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

/// Locks the file of an open descriptor. Returns true if that succeeded, false if another holds the lock.
bool lock_descriptor(int descriptor);

// Outputs are written aside, into a folder `.gdsim-partial-PID-NUMBER` in the folder where they will lie, until they
// are complete. It has a list of the files that gdsim writes into it. All other files in it are the user's, and stay.

/// The name of that list.
inline constexpr const char* kOwnList = ".gdsim-files";

/// Such a folder, which is locked while its process lives.
class AsideFolder {
 public:
  /// Makes it in `parent` under an unused name. Removes those that dead processes left there. Throws InputError that
  /// names `shown` if it cannot be made.
  AsideFolder(const std::filesystem::path& parent, const std::filesystem::path& shown);
  /// Removes what the list of the folder under this name says, and the folder if nothing else is in it.
  ~AsideFolder();
  AsideFolder(const AsideFolder&) = delete;
  AsideFolder& operator=(const AsideFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Lists a file, named within the folder, and returns its path. Must be called before the file is made. Throws
  /// InputError that names `shown`.
  std::filesystem::path add(const std::string& file, const std::filesystem::path& shown) const;

 private:
  std::filesystem::path path_;
  std::optional<FileLock> lock_;
};

/// Adds files to the list in `folder`, and syncs it: it must not be lost before what it lists. Throws InputError that
/// names `shown`.
void list_files(const std::filesystem::path& folder, const std::set<std::string>& files,
                const std::filesystem::path& shown);

/// Returns the files that the list in `folder` names; none if it has no list.
std::set<std::string> listed_in(const std::filesystem::path& folder);

/// Removes the listed files, folders that are empty then, the list, and `folder`, if nothing else is in it. Reports no
/// failure: the next run removes what stays.
void remove_listed_files(const std::filesystem::path& folder);

/// Removes such folders of dead processes.
void remove_dead_aside_folders(const std::filesystem::path& parent);

}  // namespace gdsim::cli
