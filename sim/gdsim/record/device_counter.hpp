#pragma once

#include <gdsim/record/observer.hpp>
#include <gdsim/record/timeline.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// The scope of a residency. A work-group spread over several cores counts on each of them, but once on the device.
enum class Scope : std::uint8_t { core, device };

/// Applies one event of the core or of the device.
inline void apply_fact(const Fact& fact, Scope scope, Residency& resident) {
  switch (fact.kind) {
    case FactKind::placed:
      resident.threads += fact.threads;
      resident.running += fact.threads;
      if (scope == Scope::core ? fact.opens_core : fact.opens_group) ++resident.work_groups;
      if (fact.opens_core) resident.slm = resident.slm + fact.slm;
      return;
    case FactKind::resumed: resident.running += fact.threads; return;
    case FactKind::waiting:
    case FactKind::ended: resident.running -= fact.threads; return;
    case FactKind::released:
      resident.threads -= fact.threads;
      if (scope == Scope::core ? fact.closes_core : fact.closes_group) --resident.work_groups;
      if (fact.closes_core) resident.slm = resident.slm - fact.slm;
      return;
    case FactKind::saved:
      resident.threads -= fact.threads;
      resident.running -= fact.running;
      --resident.work_groups;
      resident.slm = resident.slm - fact.slm;
      return;
    case FactKind::restored:
      resident.threads += fact.threads;
      resident.running += fact.running;
      ++resident.work_groups;
      resident.slm = resident.slm + fact.slm;
      return;
  }
}

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
  apply_fact(fact, Scope::device, counts_.resident);
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
