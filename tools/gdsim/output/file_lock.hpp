#pragma once

#include <filesystem>
#include <optional>

namespace gdsim::cli {

/// A lock on a file or a folder that exists, held until it is destroyed or its process dies. It excludes other holders
/// on this machine; it does not prevent reading or writing.
class FileLock {
 public:
  /// Nothing if another holds it, or if it cannot be opened or locked; then `errno` has the reason
  /// (EWOULDBLOCK: it is held).
  static std::optional<FileLock> of(const std::filesystem::path& path);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

/// Locks what an open descriptor refers to; false if another holds it.
bool lock_descriptor(int descriptor);

}  // namespace gdsim::cli
