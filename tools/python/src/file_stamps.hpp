#pragma once

#include <gdsim/scenario/read_scenario.hpp>

#include <sys/stat.h>

#include <cstddef>
#include <string>
#include <vector>

namespace gdsim::python {

/// The states of files when they were read: results of reading stay valid until a file changes. For one thread at a
/// time.
class FileStamps {
 public:
  /// Remembers the new files of `sources`. Must be called soon after they were read.
  void add_new(const SourceFiles& sources);
  /// Returns true if no file was rewritten, replaced or removed.
  bool are_current() const;

 private:
  struct Stamp {
    std::string file;
    struct stat seen {};
  };

  std::size_t looked_at_ = 0;  ///< number of texts of `sources` that were looked at
  std::vector<Stamp> stamps_;
};

}  // namespace gdsim::python
