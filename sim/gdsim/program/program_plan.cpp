#include <gdsim/program/program_plan.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/program/drift.hpp>
#include <gdsim/program/flat_program.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace gdsim {

/// The path of a role.
struct RolePath {
  std::uint32_t first_thread = 0;
  std::uint32_t first_of_part = 0;  ///< the first thread of the part to which the role belongs
  std::vector<PlannedOp> path;
};

namespace {

std::int64_t amount_of(const PlannedOp& planned, Hertz clock, const Decimal& factor, const Decimal& of_wave) {
  const auto amount = amount_of(planned.cost, clock, factor, of_wave);
  GDSIM_CHECK(amount.has_value(), "a step without a usable amount passed the checks of compile()");
  return *amount;
}

/// The same for a work-group with its own factor or duration. If it has a duration, the only op with work is a
/// `compute`.
std::int64_t amount_of(const PlannedOp& planned, Hertz clock, const WorkGroupFactor& own, const Decimal& of_wave) {
  if (!own.duration || planned.cost.empty()) return amount_of(planned, clock, own.factor, of_wave);
  const auto duration = resolve(*own.duration, clock, Decimal::whole(1));
  GDSIM_CHECK(duration.has_value(), "a work-group's duration without a usable amount passed the checks of compile()");
  return duration->count;
}

/// Amounts by op, row after row: those of work-groups without a declared factor, then those with each of `factors`.
std::vector<std::int64_t> amount_rows(const std::vector<WorkGroupFactor>& factors,
                                      const std::vector<PlannedOp>& planned_ops, Hertz clock, const Decimal& of_wave) {
  std::vector<std::int64_t> rows;
  for (const PlannedOp& planned : planned_ops) rows.push_back(amount_of(planned, clock, Decimal::whole(1), of_wave));
  for (const WorkGroupFactor& entry : factors)
    for (const PlannedOp& planned : planned_ops) rows.push_back(amount_of(planned, clock, entry, of_wave));
  return rows;
}

/// Orders factors and durations by their written form, in an order that is the same everywhere.
struct ByWriting {
  bool operator()(const WorkGroupFactor& a, const WorkGroupFactor& b) const { return words(a) < words(b); }

 private:
  using Words = std::tuple<UInt128, int, bool, UInt128, int, StepTime::Unit>;
  static Words words(const WorkGroupFactor& one) {
    const StepTime duration = one.duration.value_or(StepTime{});
    return {one.factor.digits,      one.factor.exponent,      one.duration.has_value(),
            duration.amount.digits, duration.amount.exponent, duration.unit};
  }
};

/// The distinct factors, and the factor of each entry.
struct DistinctFactors {
  explicit DistinctFactors(const std::vector<WorkGroupFactor>& factors) {
    std::map<WorkGroupFactor, std::uint32_t, ByWriting> numbers;
    for (const WorkGroupFactor& one : factors) {
      const auto [known, is_new] = numbers.try_emplace(one, static_cast<std::uint32_t>(distinct.size()));
      if (is_new) distinct.push_back(one);
      of_entry.push_back(known->second);
    }
  }
  std::vector<WorkGroupFactor> distinct{};
  std::vector<std::uint32_t> of_entry{};
};

/// Returns the steps `tiles` of a role, whose path begins with op `first`, in the order of the program. Of a
/// step, the path has the take of a tile, each body from its cost to its end, and the cost of a take that finds none.
std::vector<TileStep> tile_steps_of(const Program& program, const std::vector<PlannedOp>& path, std::size_t first,
                                    std::uint32_t first_of_part) {
  std::vector<TileStep> steps;
  auto at = path.begin();
  for (const Step& step : program) {
    const auto* tiles = std::get_if<Tiles>(&step);
    if (tiles == nullptr) continue;
    TileStep& one = steps.emplace_back();
    one.number = static_cast<std::uint32_t>(steps.size() - 1);
    one.count = tiles->count;
    one.take = tiles->take;
    one.per = tiles->per;
    one.first_of_part = first_of_part;
    one.of_tile = std::make_shared<const std::vector<std::uint32_t>>(tiles->of_tile);
    const auto find = [&](OpCode kind) {
      at = std::find_if(at, path.end(), [kind](const PlannedOp& planned) { return planned.op.kind == kind; });
      return static_cast<std::uint32_t>(first + static_cast<std::size_t>(at - path.begin()));
    };
    find(OpCode::take_tile);
    for (std::size_t body = 0; body < tiles->body_count(); ++body) {
      one.first_ops.push_back(find(OpCode::tile_cost));
      find(OpCode::tile_end);
      one.phases.push_back(at->phases);
    }
    one.leave_op = find(OpCode::tile_cost);
  }
  return steps;
}

/// The first threads of paths and of parts.
std::vector<std::uint32_t> first_threads_of_roles(const Kernel& kernel, const std::vector<std::uint32_t>& parts) {
  const std::vector<std::uint32_t> paths = first_threads(kernel);
  std::vector<std::uint32_t> first;
  std::set_union(paths.begin(), paths.end(), parts.begin(), parts.end(), std::back_inserter(first));
  return first;
}

/// Returns the paths of all roles. Their ops are numbered one path after the other.
std::vector<RolePath> paths_of(const Kernel& kernel, const DeviceSpec& device, const BarrierNames& barriers,
                               const std::vector<std::uint32_t>& parts) {
  std::vector<RolePath> roles;
  std::size_t ops = 0;
  for (const std::uint32_t first_thread : first_threads_of_roles(kernel, parts)) {
    const auto part = std::prev(std::upper_bound(parts.begin(), parts.end(), first_thread));
    roles.push_back(
        {first_thread, *part,
         flatten(kernel, device, barriers, first_thread, ops, static_cast<std::size_t>(part - parts.begin()))});
    ops += roles.back().path.size();
  }
  return roles;
}

std::vector<PlannedOp> joined(const std::vector<RolePath>& roles) {
  std::vector<PlannedOp> ops;
  for (const RolePath& role : roles) ops.insert(ops.end(), role.path.begin(), role.path.end());
  return ops;
}

}  // namespace

ProgramPlan::Amounts ProgramPlan::amounts_on(const DeviceSpec& device, const Kernel& kernel,
                                             const std::vector<WorkGroupFactor>& factors,
                                             const std::vector<PlannedOp>& planned_ops) {
  const Hertz clock = clock_of(device);
  Amounts amounts;
  amounts.rows = amount_rows(factors, planned_ops, clock, Decimal::whole(1));
  if (const auto& of_wave = kernel.variation.first_wave)
    amounts.first_wave_rows = amount_rows(factors, planned_ops, clock, *of_wave);
  amounts.barrier_base = *resolve(device.barrier_cost.base, clock, Decimal::whole(1));
  amounts.barrier_per_thread = *resolve(device.barrier_cost.per_thread, clock, Decimal::whole(1));
  return amounts;
}

ProgramPlan::ProgramPlan(const Kernel& kernel, const DeviceSpec& device) : child_count_(child_steps(kernel.program)) {
  const BarrierNames barriers(kernel.program);
  names_ = barriers.all();
  flags_ = barriers.flags();
  grid_barrier_ = barriers.grid();
  dependencies_barrier_ = barriers.dependencies();
  // Each child has its own barrier, at which no thread arrives: the end of the child opens it.
  for (std::uint32_t child = 0; child < child_count_; ++child) names_.push_back("child " + std::to_string(child));
  const std::vector<std::uint32_t> parts = drift_parts(kernel);
  draws_by_part_ = parts.size() > 1 && draw_in_force(kernel)->origin == DrawOrigin::by_default;
  std::vector<PlannedOp> planned_ops;
  for (RolePath& role : paths_of(kernel, device, barriers, parts)) add_role(kernel, role, planned_ops);
  for (const PlannedOp& planned : planned_ops) ops_.push_back(planned.op);
  note_kinds_of_ops();
  note_surroundings_of_ops();
  const DistinctFactors factors(kernel.variation.factors);
  for (const WorkGroupFactor& entry : kernel.variation.factors) declared_.push_back(entry.work_group);
  for (const std::uint32_t number : factors.of_entry) row_of_declared_.push_back(number + 1);
  by_clock_.push_back(amounts_on(device, kernel, factors.distinct, planned_ops));
  const ClockSchedule clocks(device);
  std::map<Hertz, std::size_t> numbers{{clocks.clock(0), 0}};  // index of the first clock of each frequency
  for (std::size_t i = 1; i < clocks.count(); ++i) {
    const auto [known, is_new] = numbers.try_emplace(clocks.clock(i), i);
    if (!is_new) {
      Amounts again = by_clock_[known->second];
      by_clock_.push_back(std::move(again));
      continue;
    }
    const DeviceSpec other = under_clock(device, clocks.clock(i));
    by_clock_.push_back(amounts_on(other, kernel, factors.distinct, joined(paths_of(kernel, other, barriers, parts))));
  }
}

void ProgramPlan::add_role(const Kernel& kernel, RolePath& role, std::vector<PlannedOp>& planned_ops) {
  roles_.push_back({role.first_thread, role.first_of_part, static_cast<std::uint32_t>(planned_ops.size())});
  const auto first_tile_step = static_cast<std::uint32_t>(tile_steps_.size());
  for (TileStep& step : tile_steps_of(kernel.program, role.path, planned_ops.size(), role.first_of_part)) {
    takes_by_thread_ = takes_by_thread_ || step.per == TileTaker::thread;
    tile_steps_.push_back(std::move(step));
  }
  auto& arrives = arrives_.emplace_back(names_.size(), false);
  for (PlannedOp& planned : role.path) {
    planned.op.tiles += first_tile_step;
    if (is_arrival(planned.op.kind)) arrives[planned.op.barrier] = true;
  }
  planned_ops.insert(planned_ops.end(), role.path.begin(), role.path.end());
}

void ProgramPlan::note_kinds_of_ops() {
  has_barrier_step_.resize(names_.size(), false);
  has_wait_step_.resize(names_.size(), false);
  for (const Op& op : ops_) {
    if (op.kind == OpCode::barrier) has_barrier_step_[op.barrier] = true;
    if (op.kind == OpCode::wait) has_wait_step_[op.barrier] = true;
    has_memory_ = has_memory_ || is_memory(op.kind);
    has_stores_ = has_stores_ || op.kind == OpCode::store;
    has_precedence_ = has_precedence_ || gdsim::has_precedence(op.kind);
  }
}

void ProgramPlan::note_surroundings_of_ops() {
  const auto after = [](OpCode next) {
    if (next == OpCode::end) return AfterOp::end;
    const bool depends = next == OpCode::loop_end || next == OpCode::tile_end || next == OpCode::take_tile;
    return depends ? AfterOp::depends : AfterOp::op;
  };
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    if (i + 1 < ops_.size()) ops_[i].after = after(ops_[i + 1].kind);
    for (std::uint8_t depth = 0; depth < kMaxLoops; ++depth)
      if (ops_[i].per_iteration[depth] > 0) ops_[i].loops = static_cast<std::uint8_t>(depth + 1);
  }
}

std::optional<std::size_t> ProgramPlan::declared_entry(WorkGroupId group) const {
  // Often every work-group from some first one on is declared: then the difference of numbers is the position.
  const std::uint64_t guess = number_of(group) - number_of(declared_.front());
  if (guess < declared_.size() && declared_[guess] == group) return static_cast<std::size_t>(guess);
  const auto entry = std::lower_bound(declared_.begin(), declared_.end(), group);
  if (entry == declared_.end() || *entry != group) return std::nullopt;
  return static_cast<std::size_t>(entry - declared_.begin());
}

std::uint64_t ProgramPlan::participants(std::uint32_t barrier, std::uint32_t threads) const {
  if (names_[barrier].empty() && !is_flag(barrier)) return threads;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < roles_.size(); ++i) {
    const std::uint32_t first = std::min(roles_[i].first_thread, threads);
    const std::uint32_t end = i + 1 < roles_.size() ? std::min(roles_[i + 1].first_thread, threads) : threads;
    if (arrives_[i][barrier]) sum += end - first;
  }
  return sum;
}

Duration ProgramPlan::barrier_cost(std::uint32_t threads, std::size_t clock) const {
  return by_clock_[clock].barrier_base + Duration{by_clock_[clock].barrier_per_thread.count * threads};
}

Hertz clock_of(const DeviceSpec& device) { return device.clock.value_or(Hertz{}); }

ProgramPlans::ProgramPlans(const std::vector<Kernel>& kernels, const DeviceSpec& device) {
  std::size_t count = 0;
  for (const Kernel& kernel : kernels) count += kernel.program_count();
  plans_.reserve(count);
  for (const Kernel& kernel : kernels) {
    first_.push_back(plans_.size());
    of_group_.emplace_back(kernel.group_programs.of_group);
    for_each_program(kernel, [&](const ProgramOfGroups& one) {
      plans_.emplace_back(one.kernel, device);
      return true;
    });
  }
  first_.push_back(plans_.size());
}

}  // namespace gdsim
