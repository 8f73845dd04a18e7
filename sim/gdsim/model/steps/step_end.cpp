#include <gdsim/model/steps/step_end.hpp>

#include <gdsim/model/booking.hpp>
#include <gdsim/model/steps/operation.hpp>
#include <gdsim/model/steps/operations.hpp>

#include <algorithm>
#include <array>

namespace gdsim {

void log_wait(StepState& state, SimTime since, std::int64_t waited, std::uint32_t threads, WaitColumn column) {
  state.waits.add({since, state.now(), waited, threads, column});
}

namespace {

using Enter = Progress (*)(StepState& state, CohortIndex index, const Op& op);

/// The `enter` of each operation, by kind. A call of one costs less than a switch over all in one large function.
constexpr std::array<Enter, kOpKindCount> kEnter = [] {
  std::array<Enter, kOpKindCount> enter_of_kind{};
  for (std::size_t kind = 0; kind < kOpKindCount; ++kind)
    enter_of_kind[kind] =
        with_operation(static_cast<OpCode>(kind), [](auto operation) -> Enter { return &operation.enter; });
  return enter_of_kind;
}();

}  // namespace

void execute_until_blocked(StepState& state, CohortIndex cohort) {
  const ProgramPlan& plan = state.programs.plan_of(state.residents[state.cohorts[cohort].group]);
  const auto enter = [&](const Op& op) { return kEnter[static_cast<std::size_t>(op.kind)](state, cohort, op); };
  while (enter(plan.op(state.cohorts[cohort].op)) == Progress::continues) {
  }
}

namespace {

/// Removes the cohorts that waited for the load, and merges equal ones.
void take_waiting(StepState& state, const Loads::Load& load, std::vector<CohortIndex>& continuing) {
  for (CohortIndex waiting = load.waiting; waiting != kNoCohort;) {
    Cohort& cohort = state.cohorts[waiting];
    const CohortIndex next = cohort.next;
    book_step(state, cohort, op_of(state, cohort), isolated_wait(load, cohort), load.limit);
    cohort.step_progress = 0;
    cohort.last_load = state.loads.if_outstanding(cohort.last_load);
    cohort.last_store = state.loads.if_outstanding(cohort.last_store);
    state.cohorts.merge_or_append(continuing, waiting);
    waiting = next;
  }
}

}  // namespace

std::int64_t isolated_wait(const Loads::Load& load, const Cohort& cohort) {
  return std::max<std::int64_t>((load.isolated_until - cohort.since).count, 0);
}

void end_load(StepState& state, CohortIndex index) {
  const Cohort request = state.cohorts[index];
  const LoadHandle load = request.last_load;
  state.cohorts.remove(index);
  if (request.store_of != 0) {
    const auto launch = static_cast<LaunchId>(request.store_of - 1);
    if (state.stores.end(state.now(), request.on_core.core, launch, request.on_core.threads))
      state.drained.push_back(launch);
  }
  if (load == LoadHandle()) return;
  std::vector<CohortIndex>& continuing = state.continuing;
  continuing.clear();
  state.loads.on_answer(load, [&](const Loads::Load& ended) { take_waiting(state, ended, continuing); });
  for (const CohortIndex cohort : continuing) {
    ++state.cohorts[cohort].op;
    execute_until_blocked(state, cohort);
  }
}

void continue_after_stores(StepState& state) {
  state.stores.visit_freed(state.now(), [&state](CohortIndex index) {
    Cohort& cohort = state.cohorts[index];
    book_step(state, cohort, op_of(state, cohort), 0, 0);
    ++cohort.op;
    execute_until_blocked(state, index);
  });
}

namespace {

/// Ends the cohort's work on the resource in a step of several works. The step ends with the last of them.
void end_one_of_works(StepState& state, CohortIndex index, std::uint32_t resource) {
  Cohort& cohort = state.cohorts[index];
  const std::uint32_t op = served_op(state, cohort, resource);
  const auto waited = end_work(state, cohort, resource);
  if (!waited) return keep_done_work(state, index, op);
  std::int64_t own_time = 0;
  visit_works(op_of(state, cohort), cohort,
              [&](std::uint32_t work) { own_time = std::max(own_time, executed_of_done_work(state, index, work)); });
  book_time(state, cohort, *waited, (state.now() - cohort.since).count, own_time, 0);
  cohort.since = state.now();
  schedule_step_end(state, index, op_of(state, cohort), state.now());
}

/// Schedules the end of a store at this instant.
void end_served_store(StepState& state, const Served& served) {
  const Cohort& store = state.cohorts[served.cohort];
  if (state.loads.is_outstanding(store.last_load)) state.loads[store.last_load].limit = served.limit;
  state.events.schedule_now(Event::load_ends(served.cohort));
}

/// Ends the cohort's step and advances it to the next op.
Cohort& end_step(StepState& state, CohortIndex index) {
  Cohort& cohort = state.cohorts[index];
  book_end_of_step(state, cohort);
  ++cohort.op;
  cohort.step_progress = 0;
  return cohort;
}

}  // namespace

void end_steps(StepState& state, std::span<const Event> events) {
  if (events.size() == 1) {
    end_step(state, events.front().cohort());
    return execute_until_blocked(state, events.front().cohort());
  }
  std::vector<CohortIndex>& together = state.continuing;
  together.clear();
  std::vector<std::size_t>& last_of_group = state.last_continuing;
  if (last_of_group.size() < state.residents.size()) last_of_group.resize(state.residents.size(), 0);
  for (const Event& event : events) {
    Cohort& cohort = end_step(state, event.cohort());
    cohort.last_load = state.loads.if_outstanding(cohort.last_load);
    cohort.last_store = state.loads.if_outstanding(cohort.last_store);
    std::size_t& last = last_of_group[static_cast<std::size_t>(cohort.group)];
    const Cohort* before = last < together.size() ? &state.cohorts[together[last]] : nullptr;
    if (before != nullptr && before->is_alike(cohort)) {
      state.cohorts.merge(together[last], event.cohort());
    } else {
      last = together.size();
      together.push_back(event.cohort());
    }
  }
  for (const CohortIndex cohort : together) execute_until_blocked(state, cohort);
}

void end_shared_work(StepState& state, std::uint32_t resource) {
  for (const Served& served : state.resources.take_served(resource, state.now())) {
    Cohort& cohort = state.cohorts[served.cohort];
    if (cohort.store_of != 0) {
      end_served_store(state, served);
      continue;
    }
    const Op& op = op_of(state, cohort);
    const Executing executing = executing_of(op.kind);
    if (executing == Executing::by_works) {
      end_one_of_works(state, served.cohort, resource);
      continue;
    }
    if (executing == Executing::no_threads) {
      state.loads[cohort.last_load].limit = served.limit;
      state.events.schedule(state.now() + served.latency, Event::load_ends(served.cohort));
      continue;
    }
    const std::int64_t own_time =
        executing == Executing::by_rate ? served.executing : executed_of_all_work(state, served.cohort);
    book_step(state, cohort, op, own_time, served.limit);
    cohort.since = state.now();  // the remaining time in this op is the latency
    schedule_step_end(state, served.cohort, op, state.now() + served.latency);
  }
}

namespace {

/// Returns `after` x `left` / `before`, rounded up. `left` is at most 2^20 x `before`, so no product exceeds 128 bits.
FixedPoint rescaled(FixedPoint left, std::int64_t before, std::int64_t after) {
  const auto whole = static_cast<UInt128>(before);
  const auto part = static_cast<UInt128>(after);
  return left / whole * part + (left % whole * part + whole - 1) / whole;
}

/// Returns the part of the cohort's amount of this op that was served under earlier clocks, and the rest at the time
/// from which it is served under the clock that the pools follow.
RescaledWork work_under_clock(const StepState& state, CohortIndex index, std::uint32_t op) {
  const auto known = state.rescaled_work.find({index, op});
  if (known != state.rescaled_work.end()) return known->second;
  return {0, to_fixed_point(amount_under(state, state.resources.clock(), state.cohorts[index], op))};
}

}  // namespace

void change_clock(StepState& state) {
  const auto clocks = state.resources.next_clocks(state.now());
  const std::size_t before = clocks.first;
  const std::size_t after = clocks.second;
  state.resources.change_clock(state.now(), [&](CohortIndex index, std::uint32_t resource, FixedPoint left) {
    const Cohort& cohort = state.cohorts[index];
    const std::uint32_t op = served_op(state, cohort, resource);
    const RescaledWork work = work_under_clock(state, index, op);
    const FixedPoint next =
        rescaled(left, amount_under(state, before, cohort, op), amount_under(state, after, cohort, op));
    state.rescaled_work[{index, op}] = {work.served + (work.left - left), next};
    return next;
  });
}

std::int64_t executed_of_work(const StepState& state, CohortIndex index, std::uint32_t op, FixedPoint left) {
  const RescaledWork work = work_under_clock(state, index, op);
  return rounded_down(work.served + (work.left - left));
}

void keep_done_work(StepState& state, CohortIndex index, std::uint32_t op) {
  if (state.clocks.changes()) state.rescaled_work[{index, op}] = work_under_clock(state, index, op);
}

std::int64_t executed_across_changes(StepState& state, CohortIndex index, std::uint32_t op) {
  const RescaledWork work = work_under_clock(state, index, op);
  state.rescaled_work.erase({index, op});
  return rounded_up(work.served + work.left);
}

}  // namespace gdsim
