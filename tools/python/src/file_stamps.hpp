#pragma once

#include <gdsim/scenario/read_scenario.hpp>

#include <sys/stat.h>

#include <cstddef>
#include <string>
#include <vector>

namespace gdsim::python {

/// Files as they were when they were read, so that what was read from them can be kept until one changes. For one
/// thread at a time.
class FileStamps {
 public:
  /// Remembers the files of `sources` that are not remembered yet. To be called soon after they were read.
  void add_new(const SourceFiles& sources);
  /// All are what they were: neither rewritten, replaced nor removed.
  bool are_current() const;

 private:
  struct Stamp {
    std::string file;
    struct stat seen {};
  };

  std::size_t looked_at_ = 0;  ///< of the texts of `sources`
  std::vector<Stamp> stamps_;
};

}  // namespace gdsim::python
