#pragma once

#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <vector>

// Queues that have a number of cores, and do not name which. Cores of its own (`cores: {count: 16}`) are the first that
// no queue has named or owns. Shares (`share: 50 %`) are dealt out afterwards, one behind the other, in a ring of the
// cores that no queue owns.

namespace gdsim {

/// Gives the queues of a scenario their cores: first those that are named, then own ones, then shares, each in the
/// order of the file.
class CoreShares {
 public:
  /// `cores`: of the device; nothing if that could not be read: values are still checked, but no cores are assigned.
  explicit CoreShares(std::optional<std::uint32_t> cores);

  /// A queue names these: they are no other's own.
  void name(const CoreSelection& cores);
  /// `{count: 16, granule: 8}`, as of a green context: rounded up to whole granules. The problem is added if too few
  /// are left.
  CoreSelection own_cores(const YamlNode& node, const ValueReader& values);
  /// `50 %`, as of a client of MPS: so much of the device, rounded up to whole cores. Shares of more than what no queue
  /// owns overlap; the problem is added if one alone is more than that.
  CoreSelection share(const YamlNode& node, const ValueReader& values);

 private:
  std::optional<std::uint32_t> cores_;
  std::vector<bool> is_named_;  ///< by core
  std::vector<bool> is_owned_;  ///< by core
  std::size_t next_ = 0;        ///< the place in the ring behind the last share
};

}  // namespace gdsim
