#include <gdsim/run/execution.hpp>

// The place of a work-group that ends is taken by the next of its launch.

namespace gdsim {

void Execution::relay(CohortIndex index, WorkGroupId next) {
  const Cohort cohort = end_threads(index);
  ActiveGroup& group = groups_[cohort.group];
  Fact given_back = fact(FactKind::given_back, group, cohort.part);
  given_back.closes_core = given_back.closes_group = true;
  facts_.push_back(given_back);
  contention_.work_group_closes(group.kernel);
  group.number = next;
  group.ended = 0;
  prepare_group(cohort.group);
  opened_ = filling_[index_of(cohort.part.core)] = cohort.group;
  ++comings_and_goings_;
  Fact placed = fact(FactKind::placed, group, cohort.part);
  placed.opens_core = placed.opens_group = placed.fills_group = true;
  facts_.push_back(placed);
  enter_program(cohort.group, cohort.part, 0);
}

}  // namespace gdsim
