#pragma once

#include "output/file_digest.hpp"

#include <gdsim/scenario/read_scenario.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace gdsim::cli {

/// The files from which a scenario was read: do they still hold what was read? They are looked at by their names, so
/// that it does not matter how an editor saves, and where they lie: not every file system reports changes. For one
/// thread at a time.
class WatchedFiles {
 public:
  /// Of all that was read. The texts need not outlive this.
  explicit WatchedFiles(const SourceFiles& sources);

  /// One of them holds something else than what was read, or cannot be read any more.
  bool have_changed();

 private:
  /// What a file system says of a file without reading it.
  struct Stamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t size = 0;
    std::int64_t modified = 0;  ///< nanoseconds, as are all times
    std::int64_t changed = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Watched {
    std::filesystem::path path;
    FileDigest content;
    std::optional<Stamp> stamp = {};  ///< under which it held this content, if a change would have changed the stamp
  };

  static std::optional<Stamp> stamp_of(const std::filesystem::path& path);
  static bool has_changed(Watched& file);

  std::vector<Watched> files_;
};

}  // namespace gdsim::cli
