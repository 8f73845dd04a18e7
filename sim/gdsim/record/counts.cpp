#include <gdsim/record/counts.hpp>

namespace gdsim {

void Residency::apply(const Fact& fact, Scope scope) {
  switch (fact.kind) {
    case FactKind::placed:
      threads += fact.threads;
      running += fact.threads;
      if (scope == Scope::core ? fact.opens_core : fact.opens_group) ++work_groups;
      if (fact.opens_core) slm = slm + fact.slm;
      return;
    case FactKind::resumed: running += fact.threads; return;
    case FactKind::waiting:
    case FactKind::ended: running -= fact.threads; return;
    case FactKind::given_back:
      threads -= fact.threads;
      if (scope == Scope::core ? fact.closes_core : fact.closes_group) --work_groups;
      if (fact.closes_core) slm = slm - fact.slm;
      return;
  }
}

void DeviceCounter::apply(const Fact& fact) {
  counts_.resident.apply(fact, Scope::device);
  std::uint32_t& on_core = threads_by_core_[index_of(fact.core)];
  if (fact.kind == FactKind::placed) {
    if (on_core == 0) ++counts_.cores_busy;
    on_core += fact.threads;
    if (fact.opens_group && !fact.fills_group) ++counts_.work_groups_partial;
    if (fact.fills_group && !fact.opens_group) --counts_.work_groups_partial;
  } else if (fact.kind == FactKind::given_back && fact.threads > 0) {
    on_core -= fact.threads;
    if (on_core == 0) --counts_.cores_busy;
  }
}

}  // namespace gdsim
