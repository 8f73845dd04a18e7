#pragma once

#include <gdsim/fit/footprint.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace gdsim {

/// The footprints of all work-groups of all kernels of a workload: of full ones, and of smaller ones at uneven edges.
/// Immutable: threads may share it.
class FootprintTable {
 public:
  /// The device must refuse none of the kernels.
  FootprintTable(const DeviceSpec& device, const std::vector<Kernel>& kernels);

  /// Returns the needs of a full work-group of the kernel.
  const Footprint& full(KernelId kernel) const { return all_[kernels_[index_of(kernel)].full]; }
  /// Returns the needs of a work-group of `threads` threads of the kernel, always as the same object. Some work-group
  /// must have this number of threads.
  const Footprint& of(KernelId kernel, std::uint32_t threads) const;
  /// Returns a number that is equal for kernels whose full work-groups have equal needs: these share one full() object.
  std::size_t shape(KernelId kernel) const { return kernels_[index_of(kernel)].full; }
  /// Returns true if some of the kernel's work-groups are smaller than others.
  bool has_edges(KernelId kernel) const { return kernels_[index_of(kernel)].has_edges; }

 private:
  struct OfKernel {
    std::size_t full = 0;
    bool has_edges = false;
    std::vector<std::size_t> edges;
  };

  std::vector<Footprint> all_;  ///< each different full one once
  std::vector<OfKernel> kernels_;
};

}  // namespace gdsim
