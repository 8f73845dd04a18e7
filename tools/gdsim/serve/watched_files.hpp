#pragma once

#include <gdsim/scenario/read_scenario.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gdsim::cli {

/// Checks whether the files of a scenario still hold what was read. It looks them up by name and polls them: editors
/// may replace files, and not every file system reports changes. For one thread at a time.
class WatchedFiles {
 public:
  /// Watches all files that were read. The texts need not outlive this.
  explicit WatchedFiles(const SourceFiles& sources);

  /// Returns true if one of them has changed or cannot be read any more.
  bool have_changed();

 private:
  /// The facts about a file that the file system gives without reading it.
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
    std::string content;
    std::optional<Stamp> stamp = {};  ///< its stamp with this content, if any later change has another stamp
  };

  static std::optional<Stamp> stamp_of(const std::filesystem::path& path);
  static bool has_changed(Watched& file);

  std::vector<Watched> files_;
};

}  // namespace gdsim::cli
