#pragma once

#include <gdsim/record/segment_observer.hpp>

#include <cstdint>

namespace gdsim::testing {

/// Counts work-groups that followed others in their slots without events; asks for nothing that would prevent that.
class ReusedSlotCounter : public SegmentObserver {
 public:
  void on_instant(const Instant&) override {}
  void repeated(const Segment&, std::uint64_t) override {}
  void slots_reused(std::uint64_t work_groups) override { count += work_groups; }

  std::uint64_t count = 0;
};

}  // namespace gdsim::testing
