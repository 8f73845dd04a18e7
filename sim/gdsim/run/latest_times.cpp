#include <gdsim/run/latest_times.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/workload/milestone_order.hpp>

#include <algorithm>
#include <cstddef>

namespace gdsim {
namespace {

void lower(SimTime& time, SimTime to) { time = std::min(time, to); }

}  // namespace

LatestTimes::LatestTimes(const CompletedRun& run)
    : run_(run),
      submitted_(run.launch_count(), run.record.end),
      ended_(run.launch_count(), run.record.end),
      have_begins_(Milestones(run.graph).have_begins()) {
  if (have_begins_) ready_.resize(run.launch_count(), run.record.end);
  propagate(run.joint.all().empty() ? run.graph.order : run.joint.order(run.graph.order, run.record));
  for (const JointEnd& end : run.joint.all())
    for (const LaunchId id : end.launches)
      GDSIM_CHECK(spare_of_end(id) == spare_of_end(end.last), "launches that end together have one latest end");
}

Duration LatestTimes::slack_of(LaunchId launch) const {
  const std::size_t i = index_of(launch);
  const LaunchRecord& own = run_.record_of(launch);
  const Duration slack = ended_[i] - *own.ended + spare_of(launch);
  // Where another launch starts after its begin or waits for its trigger, its begin may matter more than its end.
  const bool is_child = run_.launch_at(launch).parent() != nullptr;
  return have_begins_ && !is_child ? std::min(slack, ready_[i] - *own.ready) : slack;
}

void LatestTimes::propagate(const std::vector<Milestone>& order) {
  std::uint32_t last = JointEnds::kAlone;
  std::vector<bool> are_joined(run_.joint.all().size(), false);
  for (auto milestone = order.rbegin(); milestone != order.rend(); ++milestone) {
    switch (milestone->kind) {
      case Milestone::Kind::ended:
        if (const std::uint32_t number = run_.joint.number_of(milestone->launch); number != last) {
          join(number, are_joined);
          last = number;
        }
        propagate_from_end(milestone->launch);
        break;
      case Milestone::Kind::begun:
        propagate_from_readiness(milestone->launch, ready_[index_of(milestone->launch)]);
        break;
      case Milestone::Kind::submitted: propagate_from_submission(milestone->launch); break;
    }
  }
}

void LatestTimes::join(std::uint32_t number, std::vector<bool>& are_joined) {
  if (number == JointEnds::kAlone) return;
  GDSIM_CHECK(!are_joined[number], "launches that end together do not stand together");
  are_joined[number] = true;
  const JointEnd& end = run_.joint.all()[number];
  Duration least = spare_of_end(end.last);
  for (const LaunchId id : end.launches) least = std::min(least, spare_of_end(id));
  for (const LaunchId id : end.launches) ended_[index_of(id)] = *run_.record_of(id).ended + least;
}

Duration LatestTimes::spare_of(LaunchId id) const {
  const JointEnd* end = run_.joint.of(id);
  return end == nullptr ? Duration{} : end->joined - run_.joined_at(id);
}

void LatestTimes::propagate_from_end(LaunchId id) {
  const std::size_t i = index_of(id);
  const LaunchRecord& own = run_.record_of(id);
  if (const LaunchParent* parent = run_.launch_at(id).parent()) {
    const SimTime end_of_parent = ended_[index_of(parent->launch)];
    const bool is_awaited = parent->wait == ChildWait::yes;
    lower(ended_[i], is_awaited ? *own.ended + spare_of_end(parent->launch) : end_of_parent);
    return;
  }
  const SimTime ready = ended_[i] - (*own.ended - *own.ready) + spare_of(id);
  if (!have_begins_) return propagate_from_readiness(id, ready);
  lower(ready_[i], ready);  // propagation goes on when its begin is visited
  for (const Dependency& dependency : run_.graph.predecessors[i])
    if (dependency.until == Until::triggered)
      lower(ended_[index_of(dependency.before)], ended_[i] - (*own.ended - *run_.record_of(dependency.before).ended));
}

void LatestTimes::propagate_from_readiness(LaunchId id, SimTime ready) {
  const std::size_t i = index_of(id);
  if (run_.launch_at(id).parent() != nullptr) return;
  for (const Dependency& dependency : run_.graph.predecessors[i]) {
    const std::size_t before = index_of(dependency.before);
    if (dependency.until == Until::triggered) {
      lower(ready_[before], ready - (*run_.record.triggered[before] - *run_.record_of(dependency.before).ready));
    } else {
      lower(ended_[before], ready - run_.gap(dependency.before, id));
    }
  }
  if (const auto before = run_.graph.starts.before_of(id)) {
    const LaunchRecord& other = run_.record_of(*before);
    lower(ready_[index_of(*before)], ready - (*other.begun - *other.ready));
  }
  lower(submitted_[i], ready - run_.device_of(id).launch_latency);
}

void LatestTimes::propagate_from_submission(LaunchId id) {
  const std::size_t i = index_of(id);
  const SimTime begun = submitted_[i] - run_.record.batched_for(id) - run_.host_cost(id);
  if (const auto before = run_.submitted_before(id))
    lower(submitted_[index_of(*before)], begun + run_.record.batched_for(*before));
  for (const LaunchId before : run_.launch_at(id).host_waits) lower(ended_[index_of(before)], begun);
}

}  // namespace gdsim
