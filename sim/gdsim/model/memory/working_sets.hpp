#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/state_visitor.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace gdsim {

/// The working sets of a memory (MemoryDomains): the bytes that resident work-groups reuse. The shared bytes of a
/// launch count once in each working set to which one of its work-groups belongs.
class WorkingSets {
 public:
  explicit WorkingSets(std::size_t count) : bytes_(count, 0) {}

  /// A work-group of this launch enters or leaves these working sets, with its own bytes and those that its launch
  /// shares. Returns true if any sum changes.
  bool open(LaunchId launch, const std::vector<std::size_t>& sets, std::int64_t own, std::int64_t shared);
  bool close(LaunchId launch, const std::vector<std::size_t>& sets, std::int64_t own, std::int64_t shared);

  /// Bytes by index.
  const std::vector<Int128>& bytes() const { return bytes_; }

  void visit_state(StateVisitor& visitor);

 private:
  std::vector<Int128> bytes_;
  /// Resident work-groups by launch and working set: only launches that share.
  std::map<std::pair<LaunchId, std::size_t>, std::uint32_t> sharers_;
};

}  // namespace gdsim
