#include <gdsim/run/execution.hpp>

#include <algorithm>

// Work-groups whose lives are known leave the execution while they only follow each other in their places, and come
// back as those who are there then.

namespace gdsim {

std::optional<LifeTimes> Execution::life_times(LaunchId launch) const {
  const KernelId kernel = workload_.launches[index_of(launch)].as_kernel().kernel;
  const auto& draw = draws_[index_of(kernel)];
  const ProgramPlan& plan = plans_[index_of(kernel)];
  // Every coming and going of a working set rounds what others get of the memory anew.
  if (!plan.has_known_life() || (draw && draw->per == DrawPer::thread) || contention_.counts_working_set(kernel))
    return std::nullopt;
  return LifeTimes(plan, draw, launch);
}

/// What is pending of the launch's work-groups are steps of whole ones, or they are not told.
std::vector<Place> Execution::places_of(LaunchId launch) const {
  std::vector<Place> places;
  queue_.visit_pending([&](Picoseconds time, const Event& event) {
    if (!event.is_of_cohort()) return;
    const Cohort& cohort = cohorts_[event.cohort()];
    const ActiveGroup& group = groups_[cohort.group];
    if (group.launch == launch && cohort.part.threads == group.threads)
      places.push_back(place_of(event.cohort(), static_cast<std::uint64_t>(time.count)));
  });
  const auto active = std::count_if(groups_.begin(), groups_.end(), [&](const ActiveGroup& group) {
    return group.threads > 0 && group.launch == launch;
  });
  if (places.size() != static_cast<std::size_t>(active)) places.clear();
  return places;
}

/// Of a whole work-group whose step ends at `end`: what lies behind it, and before, makes its life.
Place Execution::place_of(CohortIndex index, std::uint64_t end) const {
  const Cohort& cohort = cohorts_[index];
  const ActiveGroup& group = groups_[cohort.group];
  auto since = static_cast<std::uint64_t>(cohort.since.count);
  for (std::uint32_t op = 0; op < plan_of(group).size(); ++op) {
    if (op == cohort.at || !takes_time(group, op)) continue;
    const std::uint64_t time = scaled_or_beyond(group.amounts[op], cohort.factor);
    if (op < cohort.at) {
      since -= time;
    } else {
      end = sum_or_beyond(end, time);
    }
  }
  return {cohort.group, index, cohort.part.core, number_of(group.number), since, end};
}

bool Execution::takes_time(const ActiveGroup& group, std::uint32_t op) const {
  return plan_of(group).op(op).kind == OpKind::compute;
}

void Execution::leave(std::span<const Place> places) {
  std::vector<bool> leaves(cohorts_.size(), false);
  for (const Place& place : places) leaves[static_cast<std::size_t>(place.cohort)] = true;
  queue_.erase_if(
      [&](const Event& event) { return event.is_of_cohort() && leaves[static_cast<std::size_t>(event.cohort())]; });
}

void Execution::come_back(std::span<const Place> places) {
  for (const Place& place : places) {
    ActiveGroup& group = groups_[place.group];
    Cohort& cohort = cohorts_[place.cohort];
    const Picoseconds accounted = cohort.since;
    contention_.work_group_closes(group.kernel);
    group.number = WorkGroupId{place.number};
    prepare_group(place.group);
    cohort.factor = group.factor;
    cohort.phase = 0;
    cohort.since = Picoseconds{static_cast<std::int64_t>(place.since)};
    for (cohort.at = 0;; ++cohort.at) {
      pass_meeting(cohort, cohort.at, 1);
      if (!takes_time(group, cohort.at)) continue;
      const Picoseconds end = cohort.since + Picoseconds{amount(cohort)};
      if (end > queue_.now()) break;
      cohort.since = end;
    }
    // Whoever was there, and whatever they had to do: somebody was there and did it.
    ledger_.book(cohort.part.core, group.kernel, TimeKind::executing, cohort.part.threads,
                 (cohort.since - accounted).count);
    queue_.schedule(cohort.since + Picoseconds{amount(cohort)},
                    ends_after(cohort) ? Event::threads_end(place.cohort) : Event::step_ends(place.cohort));
    ++comings_and_goings_;
  }
}

}  // namespace gdsim
