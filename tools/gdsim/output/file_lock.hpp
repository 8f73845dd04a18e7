#pragma once

#include <filesystem>
#include <optional>

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

}  // namespace gdsim::cli
