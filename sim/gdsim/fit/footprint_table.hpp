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
  /// No kernel is refused by the device.
  FootprintTable(const DeviceSpec& device, const std::vector<Kernel>& kernels);

  /// What a full work-group of the kernel needs.
  const Footprint& full(KernelId kernel) const { return all_[kernels_[index_of(kernel)].full]; }
  /// What a work-group of `threads` threads of it needs: some work-group of it has this many. Always the same object.
  const Footprint& of(KernelId kernel, std::uint32_t threads) const;
  /// Equal for kernels whose full work-groups ask the same: that is the same object, too.
  std::size_t shape(KernelId kernel) const { return kernels_[index_of(kernel)].full; }
  /// Some of its work-groups are smaller than others.
  bool has_edges(KernelId kernel) const { return kernels_[index_of(kernel)].has_edges; }

 private:
  struct OfKernel {
    std::size_t full = 0;
    bool has_edges = false;
    std::vector<std::size_t> edges;
  };

  std::vector<Footprint> all_;  ///< full ones each but once
  std::vector<OfKernel> kernels_;
};

}  // namespace gdsim
