#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/device/device_spec.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// Rule, to the picosecond: scopes of memory.
//
// A level with a `scope` exists once for each group of cores, with its own working set W_l. W_l is the sum over the
// work-groups whose first thread is on the cores that share the level, plus, once for each launch with such a
// work-group, what the launch shares. From the fastest level on, a level serves min(capacity, W_l) / W_l less what
// faster levels serve, if that is more than 0; the last level serves the rest. These parts, and the mean latency, are
// fractions of 44 bits. The common rate of a thread is the lowest that any of its levels leaves it; so is that of its
// loads.

namespace gdsim {

/// The sharing of memory levels by cores (MemoryLevel::scope). A level with a scope exists in several copies, one for
/// each group of cores. A memory domain is the set of cores that are served by the same copy of every level.
class MemoryDomains {
 public:
  /// The device must have a memory.
  explicit MemoryDomains(const DeviceSpec& device);

  /// Returns true if no level has a scope other than the device.
  bool are_device_wide() const { return are_device_wide_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(copies_of_.size()); }
  std::uint32_t of(CoreId core) const { return domain_of_core_.empty() ? 0 : domain_of_core_[index_of(core)]; }
  std::uint32_t copies(std::size_t level) const { return copies_[level]; }
  /// Returns the number of the copy of the level that serves the domain, below copies(level).
  std::uint32_t copy_of(std::size_t level, std::uint32_t domain) const { return copies_of_[domain][level]; }

  // Each copy of a level has a working set; all levels with a single copy share one.

  std::size_t working_sets() const { return working_sets_; }
  /// Returns the index, below working_sets(), of the working set of the level's copy that serves the domain.
  std::size_t working_set_index(std::size_t level, std::uint32_t domain) const {
    return copies_[level] == 1 ? 0 : first_working_set_[level] + copies_of_[domain][level];
  }
  /// Returns the indices of the working sets of a work-group on a core of the domain.
  const std::vector<std::size_t>& working_sets_of(std::uint32_t domain) const { return working_sets_of_[domain]; }

 private:
  bool are_device_wide_ = true;
  std::vector<std::uint32_t> domain_of_core_;              ///< empty if there is one domain
  std::vector<std::vector<std::uint32_t>> copies_of_;      ///< by domain, then level
  std::vector<std::vector<std::size_t>> working_sets_of_;  ///< by domain
  std::vector<std::uint32_t> copies_;                      ///< by level
  std::vector<std::size_t> first_working_set_;             ///< by level
  std::size_t working_sets_ = 1;
};

}  // namespace gdsim
