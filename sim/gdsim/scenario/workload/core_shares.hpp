#pragma once

#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>

// Queues that have a number of cores, and do not name which: each takes the cores behind those of the one before it.

namespace gdsim {

/// Gives the queues of a scenario their cores, in the order of the file.
class CoreShares {
 public:
  /// `cores`: of the device; nothing if that could not be read: values are still checked, but no cores are assigned.
  explicit CoreShares(std::optional<std::uint32_t> cores) : cores_(cores) {}

  /// `{count: 16, granule: 8}`, as of a green context: cores of its own, rounded up to whole granules. The problem is
  /// added if too few are left.
  CoreSelection own_cores(const YamlNode& node, const ValueReader& values);
  /// `50 %`, as of a client of MPS: so much of the device, rounded up to whole cores. Behind the last core follows the
  /// first again, so that shares of more than the whole overlap.
  CoreSelection share(const YamlNode& node, const ValueReader& values);

 private:
  std::optional<std::uint32_t> cores_;
  std::uint32_t next_ = 0;  ///< the core behind those of the last queue
};

}  // namespace gdsim
