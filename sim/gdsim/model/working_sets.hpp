#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/state_visitor.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace gdsim {

/// The bytes that resident work-groups reuse, in each slot of MemoryScopes. What a launch shares counts
/// once in each slot in which one of its work-groups counts.
class WorkingSets {
 public:
  explicit WorkingSets(std::size_t slots) : bytes_(slots, 0) {}

  /// From now on, or no longer, a work-group of this launch counts in these slots: its own bytes, and those that its
  /// launch shares. Whether any sum changes.
  bool open(LaunchId launch, const std::vector<std::size_t>& slots, std::int64_t own, std::int64_t shared);
  bool close(LaunchId launch, const std::vector<std::size_t>& slots, std::int64_t own, std::int64_t shared);

  /// By slot.
  const std::vector<Int128>& bytes() const { return bytes_; }

  void visit_state(StateVisitor& visitor);

 private:
  std::vector<Int128> bytes_;
  /// Resident work-groups by launch and slot: only launches that share.
  std::map<std::pair<LaunchId, std::size_t>, std::uint32_t> sharers_;  ///< [derived]
};

}  // namespace gdsim
