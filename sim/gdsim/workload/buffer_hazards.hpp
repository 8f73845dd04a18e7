#pragma once

#include <gdsim/workload/launch_graph.hpp>

namespace gdsim {

/// Takes the launches' uses of buffers in order, and finds the earlier launches after which each launch must come.
class BufferHazards {
 public:
  explicit BufferHazards(std::size_t buffers) : uses_(buffers) {}

  /// Adds to `found` the predecessors of the launch, which is the next in the order of the file. A launch does not
  /// depend on itself, though it may both read and write a buffer. Constant time per access on average.
  void add(LaunchId id, const Launch& launch, std::vector<Dependency>& found);

 private:
  struct Use {
    std::optional<LaunchId> writer;
    std::vector<LaunchId> readers;  ///< since the last write
  };

  std::vector<Use> uses_;  ///< by buffer
};

}  // namespace gdsim
