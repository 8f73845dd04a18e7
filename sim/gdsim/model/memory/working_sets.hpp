#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/ids.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace gdsim {

/// The working sets of a memory (MemoryDomains): the bytes that resident work-groups reuse. The shared bytes of a
/// launch count once in each working set that contains one of its work-groups.
class WorkingSets {
 public:
  explicit WorkingSets(std::size_t count) : bytes_(count, 0) {}

  /// Add and remove a work-group of this launch to and from these working sets, with its own bytes and those that its
  /// launch shares. Return true if any sum changes.
  bool open(LaunchId launch, const std::vector<std::size_t>& sets, std::int64_t own, std::int64_t shared);
  bool close(LaunchId launch, const std::vector<std::size_t>& sets, std::int64_t own, std::int64_t shared);

  /// Returns the bytes by index.
  const std::vector<Int128>& bytes() const { return bytes_; }

 private:
  std::vector<Int128> bytes_;
  /// The number of resident work-groups by launch and working set, for launches with shared bytes.
  std::map<std::pair<LaunchId, std::size_t>, std::uint32_t> sharers_;
};

}  // namespace gdsim
