#pragma once

#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Reads `cores:`: a core, a range `0-2`, or a list of these, without duplicates. Reports entries that cannot be read.
CoreSelection read_cores(const YamlNode& node, const ValueReader& values);

// Queues may have a number of cores without naming them. Own cores (`cores: {count: 16}`) are the first that no queue
// has named or owns. Shares (`share: 50 %`) are assigned afterwards, one after the other, in a ring of the cores that
// no queue owns.

/// Assigns cores to the queues of a scenario: first to queues that name them, then own cores, then shares, each in the
/// order of the file.
class CoreShares {
 public:
  /// `cores`: the device's number; nullopt if it cannot be read: values are then checked, but no cores are assigned.
  explicit CoreShares(std::optional<std::uint32_t> cores);

  /// Records that a queue names these cores, which can then be no other queue's own cores.
  void name(const CoreSelection& cores);
  /// Returns cores for `{count: 16, granule: 8}`, like a green context: rounded up to whole granules. Adds a problem if
  /// too few cores are left.
  CoreSelection own_cores(const YamlNode& node, const ValueReader& values);
  /// Returns cores for `50 %`, like a client of MPS: this share of the device, rounded up to whole cores. Shares
  /// overlap if they add up to more than the cores that no queue owns. Adds a problem if a single share is larger.
  CoreSelection share(const YamlNode& node, const ValueReader& values);

 private:
  std::optional<std::uint32_t> cores_;
  std::vector<bool> is_named_;  ///< by core
  std::vector<bool> is_owned_;  ///< by core
  std::size_t next_ = 0;        ///< the position in the ring after the last share
};

/// Reads `queues:` on a device with `cores` cores; nullopt: not known. Reports queues that cannot be read.
std::vector<Queue> read_queues(const YamlNode& node, std::optional<std::uint32_t> cores, const ValueReader& values);

}  // namespace gdsim
