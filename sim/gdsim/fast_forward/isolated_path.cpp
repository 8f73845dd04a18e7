#include <gdsim/fast_forward/isolated_path.hpp>

#include <gdsim/model/steps/operation_catalog.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace gdsim {
namespace {

/// A saturated count of executions in an iteration of an outer loop.
constexpr std::uint64_t kTooOften = std::numeric_limits<std::int64_t>::max();

}  // namespace

IsolatedPath::IsolatedPath(const StepState& state, const Cohort& cohort)
    : state_(state), cohort_(cohort), plan_(state.programs.plan_of(state.residents[cohort.group])), end_(cohort.at) {}

void IsolatedPath::visit_iteration(std::uint32_t loop_end, const Visit& visit) const {
  struct Around {
    std::uint32_t first = 0;
    std::uint64_t times = 1;  // product of the counts of the surrounding loops
  };
  std::array<Around, kMaxLoops> loops;
  std::size_t depth = 0;
  std::uint64_t times = 1;
  for (std::uint32_t i = loop_end; i-- > plan_.op(loop_end).target;) {
    const Op& op = plan_.op(i);
    if (op.kind == OpKind::loop_end) {
      loops[depth++] = {op.target, times};
      times = static_cast<std::uint64_t>(std::min<UInt128>(UInt128{times} * op.count, kTooOften));
      continue;
    }
    visit(i, times);
    while (depth > 0 && loops[depth - 1].first == i) times = loops[--depth].times;
  }
}

Duration IsolatedPath::go_into_iteration(Cohort& cohort, Duration time, const Visit& skipped) const {
  std::uint32_t end = end_;
  std::uint32_t at = plan_.op(end).target;
  while (true) {
    if (const auto inner = loop_from(at, end)) {
      const Op& op = plan_.op(*inner);
      const std::int64_t iteration = time_of(*inner)->count;
      const std::uint64_t all = iteration == 0 ? op.count : static_cast<std::uint64_t>(time.count / iteration);
      const std::uint64_t iterations = std::min(op.count, all);
      visit_iteration(*inner, [&](std::uint32_t i, std::uint64_t times) { skipped(i, iterations * times); });
      time.count -= static_cast<std::int64_t>(iterations) * iteration;
      if (iterations == op.count) {
        at = *inner + 1;
      } else {
        cohort.iterations[op.depth] = iterations;
        end = *inner;
      }
      continue;
    }
    const Duration needed = *op_time(at);
    if (time < needed) break;
    time = time - needed;
    skipped(at++, 1);
  }
  cohort.at = at;
  return time;
}

std::optional<std::uint32_t> IsolatedPath::loop_from(std::uint32_t first, std::uint32_t end) const {
  return plan_.loops().begins_at(first, end, plan_.ops());
}

bool IsolatedPath::needs_core() const {
  for (std::uint32_t i = plan_.op(end_).target; i < end_; ++i)
    if (shares_core(plan_.op(i).kind)) return true;
  return false;
}

std::optional<Duration> IsolatedPath::op_time(std::uint32_t op) const {
  if (plan_.op(op).kind == OpKind::wait && !signals_enough(plan_.op(op))) return std::nullopt;
  Cohort at_op = cohort_;
  at_op.at = op;
  return with_operation(plan_.op(op).kind, [&](auto operation) { return operation.isolated_time(state_, at_op); });
}

std::optional<Duration> IsolatedPath::time_of(std::uint32_t loop_end) const {
  std::optional<std::int64_t> sum = 0;
  visit_iteration(loop_end, [&](std::uint32_t op, std::uint64_t times) {
    const auto time = sum ? op_time(op) : std::nullopt;
    std::int64_t all = 0;
    if (!time || times == kTooOften || __builtin_mul_overflow(times, time->count, &all) ||
        __builtin_add_overflow(*sum, all, &*sum))
      sum.reset();
  });
  return sum ? std::optional(Duration{*sum}) : std::nullopt;
}

/// Returns true if all threads arrive at the barrier of `wait` in an iteration at least as often as they wait for it.
bool IsolatedPath::signals_enough(const Op& wait) const {
  const Op& loop_end = plan_.op(end_);
  const auto arrival = plan_.loops().next_arrival(wait.barrier, loop_end.target);
  return arrival && *arrival < end_ &&
         plan_.op(*arrival).per_iteration[loop_end.depth] >= wait.per_iteration[loop_end.depth];
}

}  // namespace gdsim
