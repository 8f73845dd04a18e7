#include <gdsim/run/diagnosis.hpp>

#include <gdsim/run/shortages.hpp>
#include <gdsim/workload/child_launches.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <algorithm>
#include <tuple>

namespace gdsim {
namespace {

/// Who waits for whom inside one work-group.
class GroupDiagnosis {
 public:
  GroupDiagnosis(const Execution& execution, const Workload& workload, GroupIndex index)
      : execution_(execution),
        workload_(workload),
        index_(index),
        group_(execution.group(index)),
        plan_(execution.plan_of(group_)) {}

  void fill(Stall& stall) const {
    for (std::uint32_t meeting = 0; meeting < plan_.meetings(); ++meeting)
      for (const Cohort& cohort : together(execution_.waiting(index_, meeting)))
        stall.groups.push_back(describe(cohort, meeting));
    if (stall.circle.empty()) stall.circle = circle();
  }

 private:
  /// Whoever waits at one core, at one step, for one phase is told together, however they came there.
  std::vector<Cohort> together(const std::vector<Cohort>& waiting) const {
    const auto key = [this](const Cohort& cohort) {
      return std::tuple(plan_.op(cohort.at).step, cohort.phase, cohort.part.core);
    };
    std::vector<Cohort> all;
    for (const Cohort& cohort : waiting) {
      const auto alike =
          std::find_if(all.begin(), all.end(), [&](const Cohort& other) { return key(other) == key(cohort); });
      if (alike == all.end()) {
        all.push_back(cohort);
      } else {
        alike->part.threads += cohort.part.threads;
      }
    }
    std::sort(all.begin(), all.end(), [&](const Cohort& a, const Cohort& b) { return key(a) < key(b); });
    return all;
  }

  StalledGroup describe(const Cohort& cohort, std::uint32_t meeting) const {
    const Op& op = plan_.op(cohort.at);
    StalledGroup found;
    found.launch = group_.launch;
    found.work_group = group_.number;
    found.core = cohort.part.core;
    found.kind = op.kind == OpKind::barrier ? WaitKind::barrier : WaitKind::wait;
    if (op.kind == OpKind::launch) {
      found.kind = WaitKind::child;
      found.child = child_of(workload_, group_.launch, group_.number, op.child);
    }
    found.name = plan_.meeting_name(meeting);
    found.step = op.step;
    found.line = op.line;
    found.threads = group_.threads;
    found.waiting = cohort.part.threads;
    found.unplaced = group_.threads - group_.placed;
    found.ended = group_.ended;
    found.expected = execution_.meeting(index_, meeting).participants;
    found.awaited = cohort.phase;
    found.happened = execution_.meeting(index_, meeting).open;
    for (const std::uint32_t other : holders(meeting)) found.held_by.push_back(plan_.meeting_name(other));
    return found;
  }

  /// Meetings at which threads wait that would still come to this one.
  std::vector<std::uint32_t> holders(std::uint32_t meeting) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t other = 0; other < plan_.meetings(); ++other) {
      const auto waiting = execution_.waiting(index_, other);
      if (other != meeting && std::any_of(waiting.begin(), waiting.end(),
                                          [&](const Cohort& cohort) { return would_come(cohort, meeting); }))
        found.push_back(other);
    }
    // Nobody else: then those who wait are those who should come.
    const auto waiting = execution_.waiting(index_, meeting);
    if (found.empty() && std::any_of(waiting.begin(), waiting.end(), [&](const Cohort& cohort) {
          return plan_.op(cohort.at).kind == OpKind::wait && would_come(cohort, meeting);
        }))
      found.push_back(meeting);
    return found;
  }

  /// The way from here to the end of the program leads to the meeting.
  bool would_come(const Cohort& cohort, std::uint32_t meeting) const {
    for (std::uint32_t at = cohort.at + 1; plan_.op(at).kind != OpKind::end; ++at) {
      const Op& op = plan_.op(at);
      if (comes_to(op, meeting)) return true;
      if (op.kind != OpKind::loop_end || cohort.rounds[op.depth] + 1 >= op.count) continue;
      for (std::uint32_t again = op.target; again < at; ++again)
        if (comes_to(plan_.op(again), meeting)) return true;
    }
    return false;
  }

  static bool comes_to(const Op& op, std::uint32_t meeting) {
    return (op.kind == OpKind::barrier || op.kind == OpKind::signal) && op.meeting == meeting;
  }

  std::vector<std::string> circle() const {
    for (std::uint32_t start = 0; start < plan_.meetings(); ++start) {
      std::vector<std::uint32_t> way{start};
      if (execution_.waiting(index_, start).empty() || !returns(way, start)) continue;
      std::vector<std::string> names;
      for (const std::uint32_t meeting : way) names.push_back(plan_.meeting_name(meeting));
      return names;
    }
    return {};
  }

  bool returns(std::vector<std::uint32_t>& way, std::uint32_t start) const {
    for (const std::uint32_t next : holders(way.back())) {
      if (next == start) return true;
      if (std::find(way.begin(), way.end(), next) != way.end()) continue;
      way.push_back(next);
      if (returns(way, start)) return true;
      way.pop_back();
    }
    return false;
  }

  const Execution& execution_;
  const Workload& workload_;
  GroupIndex index_;
  const ActiveGroup& group_;
  const ProgramPlan& plan_;
};

/// Launches that wait for each other: for their ends, for places that others hold, for children.
std::vector<LaunchId> circle_of_launches(const Stall& stall, std::size_t launches) {
  Workload waits;
  waits.launches.resize(launches);
  const auto add = [&](LaunchId launch, LaunchId before) {
    if (launch != before) waits.launches[index_of(launch)].after.push_back(before);
  };
  for (const StalledLaunch& entry : stall.launches) {
    for (const LaunchId before : entry.waits_for) add(entry.launch, before);
    for (const Shortage& shortage : entry.short_of)
      for (const Holder& holder : shortage.holders) add(entry.launch, holder.launch);
  }
  for (const StalledGroup& group : stall.groups)
    if (group.child) add(group.launch, *group.child);
  std::vector<LaunchId> circle;
  if (const LaunchGraph graph = make_launch_graph(waits); !graph.circles.empty())
    for (const CircleLink& link : graph.circles.front()) circle.push_back(link.launch);
  return circle;
}

}  // namespace

Stall diagnose(const GpuModel& model, const Workload& workload) {
  Stall stall;
  for (const GroupIndex group : model.execution().active_groups())
    GroupDiagnosis(model.execution(), workload, group).fill(stall);
  ShortageFinder shortages(model, workload);
  const auto has_ended = [&](LaunchId launch) { return model.launches()[index_of(launch)].ended.has_value(); };
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const auto launch = static_cast<LaunchId>(i);
    if (has_ended(launch)) continue;
    StalledLaunch entry{launch, model.dispatcher().undispatched(launch), {}, {}};
    for (const Dependency& dependency : model.graph().predecessors[i])
      if (!has_ended(dependency.before)) entry.waits_for.push_back(dependency.before);
    for (const LaunchId before : workload.launches[i].host_waits)
      if (!has_ended(before)) entry.waits_for.push_back(before);
    if (entry.waits_for.empty()) entry.short_of = shortages.find(launch);
    stall.launches.push_back(std::move(entry));
  }
  stall.launch_circle = circle_of_launches(stall, workload.launches.size());
  return stall;
}

}  // namespace gdsim
