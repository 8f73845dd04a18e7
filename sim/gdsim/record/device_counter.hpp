#pragma once

#include <gdsim/record/observer.hpp>
#include <gdsim/record/timeline.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// Computes DeviceCounts from facts alone, independently of the state of the cores. Not thread-safe.
class DeviceCounter {
 public:
  explicit DeviceCounter(std::uint32_t cores) : threads_by_core_(cores, 0) {}

  void apply(const Fact& fact);
  const DeviceCounts& counts() const { return counts_; }

 private:
  DeviceCounts counts_;
  std::vector<std::uint32_t> threads_by_core_;
};

inline void DeviceCounter::apply(const Fact& fact) {
  counts_.resident.apply(fact, Scope::device);
  std::uint32_t& on_core = threads_by_core_[index_of(fact.core)];
  if (fact.kind == FactKind::placed || fact.kind == FactKind::restored) {
    if (on_core == 0 && fact.threads > 0) ++counts_.cores_busy;
    on_core += fact.threads;
    if (fact.opens_group && !fact.fills_group) ++counts_.work_groups_partial;
    if (fact.fills_group && !fact.opens_group) --counts_.work_groups_partial;
  } else if ((fact.kind == FactKind::released || fact.kind == FactKind::saved) && fact.threads > 0) {
    on_core -= fact.threads;
    if (on_core == 0) --counts_.cores_busy;
  }
}

}  // namespace gdsim
