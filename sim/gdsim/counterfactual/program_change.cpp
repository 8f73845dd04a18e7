#include <gdsim/counterfactual/program_change.hpp>

#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/program/program_plan.hpp>
#include <gdsim/program/work_amounts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

namespace gdsim {
namespace {

bool change_steps(Program& steps, const std::function<StepChange(Step&)>& change);

Step one_picosecond() { return Compute{{Decimal::whole(1), StepTime::Unit::picoseconds}}; }

bool takes_time(const Program& body) {
  return has_step<Compute>(body) || has_step<IssueSlots>(body) || has_step<Memory>(body) || has_step<Slm>(body) ||
         has_step<Atomic>(body);
}

/// Keeps the same steps in all bodies. A tile without work left is still taken: it then takes 1 ps.
bool change_bodies(Tiles& tiles, const std::function<StepChange(Step&)>& change) {
  bool is_changed = false;
  for (std::size_t i = 0; i < tiles.body_count(); ++i) is_changed |= change_steps(tiles.body_of(i), change);
  if (is_changed && !takes_time(tiles.body))
    for (std::size_t i = 0; i < tiles.body_count(); ++i) tiles.body_of(i).push_back(one_picosecond());
  return is_changed;
}

/// Changes the steps in the body of a `loop` or `only`, which is removed with the last of them.
StepChange change_body(Program& body, const std::function<StepChange(Step&)>& change) {
  if (!change_steps(body, change)) return StepChange::none;
  return body.empty() ? StepChange::removed : StepChange::changed;
}

/// Changes the step, or those in its bodies.
StepChange change_step(Step& step, const std::function<StepChange(Step&)>& change) {
  if (auto* tiles = std::get_if<Tiles>(&step))
    return change_bodies(*tiles, change) ? StepChange::changed : StepChange::none;
  if (auto* loop = std::get_if<Loop>(&step)) return change_body(loop->body, change);
  if (auto* only = std::get_if<Only>(&step)) return change_body(only->body, change);
  return change(step);
}

bool change_steps(Program& steps, const std::function<StepChange(Step&)>& change) {
  bool is_changed = false;
  Program kept;
  for (Step& step : steps) {
    const StepChange made = change_step(step, change);
    is_changed = is_changed || made != StepChange::none;
    if (made != StepChange::removed) kept.push_back(std::move(step));
  }
  steps = std::move(kept);
  return is_changed;
}

}  // namespace

bool change_program(Program& program, const std::function<StepChange(Step&)>& change) {
  const bool is_changed = change_steps(program, change);
  if (program.empty()) program.push_back(one_picosecond());
  return is_changed;
}

bool change_programs(Kernel& kernel, const std::function<StepChange(Step&)>& change) {
  bool is_changed = false;
  for (std::size_t i = 0; i < kernel.program_count(); ++i) is_changed |= change_program(kernel.program_of(i), change);
  return is_changed;
}

bool change_programs(Scenario& scenario, const std::function<StepChange(Step&)>& change) {
  bool is_changed = false;
  for (Kernel& kernel : scenario.workload.kernels) is_changed |= change_programs(kernel, change);
  return is_changed;
}

namespace {

Decimal cycles_of(const Slm& slm, const DeviceSpec& device, std::uint32_t sub_group) {
  return Decimal::whole(cycles_per_access(*device.slm_access, sub_group, slm.stride, slm.bytes));
}

Decimal cycles_of(const Atomic& atomic, const DeviceSpec& device, std::uint32_t sub_group) {
  return cycles_per_slm_atomic(*device.slm_access, *device.atomics.slm, sub_group, atomic.addresses).amount;
}

const Atomic* slm_atomic(const Step& step) {
  const auto* atomic = std::get_if<Atomic>(&step);
  return atomic != nullptr && atomic->space == AtomicSpace::slm ? atomic : nullptr;
}

/// Replaces the step, which equals `before`, by `after` if that takes fewer cycles.
template <class StepType>
StepChange replace_if_faster(Step& step, const StepType& before, const StepType& after, const DeviceSpec& device,
                             std::uint32_t sub_group) {
  if (compare(cycles_of(before, device, sub_group), cycles_of(after, device, sub_group)) <= 0) return StepChange::none;
  static_cast<Step::variant&>(step) = StepType(after);
  return StepChange::changed;
}

}  // namespace

bool is_slm_access(const Step& step) { return std::holds_alternative<Slm>(step) || slm_atomic(step) != nullptr; }

StepChange without_slm_conflicts(Step& step, const DeviceSpec& device, std::uint32_t sub_group) {
  if (const auto* slm = std::get_if<Slm>(&step)) {
    Slm neighbors = *slm;
    neighbors.stride = 1;
    return replace_if_faster(step, *slm, neighbors, device, sub_group);
  }
  if (const Atomic* atomic = slm_atomic(step)) {
    Atomic spread = *atomic;
    spread.addresses = std::max<std::uint64_t>(spread.addresses, sub_group);
    return replace_if_faster(step, *atomic, spread, device, sub_group);
  }
  return StepChange::none;
}

std::string worst_slm_conflict(const Scenario& scenario) {
  Decimal worst;
  std::string text;
  const auto compare_with_worst = [&](const Decimal& cycles, const std::string& what, const char* access) {
    if (compare(cycles, worst) <= 0) return;
    worst = cycles;
    text = fmt::format("with {}, {} takes {} cycles", what, access, to_text(cycles));
  };
  for (const Kernel& kernel : scenario.workload.kernels)
    for_each_step(kernel.program, [&](const Step& step) {
      if (const auto* slm = std::get_if<Slm>(&step))
        compare_with_worst(cycles_of(*slm, scenario.device, kernel.sub_group),
                           fmt::format("a stride of {}", slm->stride), "an access");
      if (const Atomic* atomic = slm_atomic(step))
        compare_with_worst(cycles_of(*atomic, scenario.device, kernel.sub_group),
                           fmt::format("{} address{}", atomic->addresses, atomic->addresses == 1 ? "" : "es"),
                           "an atomic access");
    });
  return text;
}

namespace {

/// The work of work-groups, in units that depend on the kernel.
struct Work {
  std::uint64_t of_program = 1;             ///< of a work-group without a factor or duration of its own
  std::vector<std::uint64_t> of_factors{};  ///< of work-groups with their own factors or durations, in their order
};

/// Returns the work in fractions of the program's work, as small as possible; nullopt if it does not fit into 63 bits.
std::optional<Work> work_by_factors(const std::vector<WorkGroupFactor>& factors) {
  constexpr int max_decimals = 18;
  for (int decimals = factors.empty() ? 0 : max_decimals; decimals >= 0; --decimals) {
    const auto in_units = [&](const Decimal& factor) { return round_product({factor, {1, decimals}}); };
    Work work{static_cast<std::uint64_t>(*in_units(Decimal::whole(1)))};
    for (const WorkGroupFactor& factor : factors)
      if (const auto amount = in_units(factor.factor)) work.of_factors.push_back(static_cast<std::uint64_t>(*amount));
    if (work.of_factors.size() == factors.size()) return work;
  }
  return std::nullopt;
}

/// Returns the work in picoseconds, for a program that is a single `compute`.
std::optional<Work> work_by_durations(const Kernel& kernel, const DeviceSpec& device) {
  const StepTime& of_program = std::get<Compute>(kernel.program.front()).time;
  const auto time = [&](const StepTime& span, const Decimal& factor) {
    return resolve(span, clock_of(device), factor);
  };
  const auto once = time(of_program, Decimal::whole(1));
  if (!once || clock_may_change(device)) return std::nullopt;  // picoseconds would no longer follow the clock
  Work work{static_cast<std::uint64_t>(once->count)};
  for (const WorkGroupFactor& factor : kernel.variation.factors) {
    const auto span = factor.duration ? time(*factor.duration, Decimal::whole(1)) : time(of_program, factor.factor);
    if (!span) return std::nullopt;
    work.of_factors.push_back(static_cast<std::uint64_t>(span->count));
  }
  return work;
}

std::optional<Work> work_of(const Kernel& kernel, const DeviceSpec& device) {
  const auto& factors = kernel.variation.factors;
  const bool some_have_durations =
      std::any_of(factors.begin(), factors.end(), [](const WorkGroupFactor& own) { return own.duration.has_value(); });
  return some_have_durations ? work_by_durations(kernel, device) : work_by_factors(factors);
}

/// Rounds to whole picoseconds, as a run rounds a duration.
StepTime rounded_time(const Ratio& picoseconds) {
  const UInt128 rest = picoseconds.numerator % picoseconds.denominator;
  const UInt128 rounded =
      picoseconds.numerator / picoseconds.denominator + (rest >= picoseconds.denominator - rest ? 1 : 0);
  return {{rounded, 0}, StepTime::Unit::picoseconds};
}

/// Returns the kernel without the work-groups of its tail, and without their work. The number of work-groups that stay
/// must be a multiple of the cluster's size.
Kernel without_work_groups_of_tail(const Kernel& kernel, const Tail& tail) {
  Kernel shorter = kernel;
  const std::uint64_t kept = tail.work_groups - tail.left_over;
  const std::uint64_t size = kernel.range.group_size();
  shorter.range = {{1, 1, kept * size}, {1, 1, size}};
  if (!shorter.cluster.empty()) shorter.cluster = {kernel.cluster_size()};
  if (!shorter.preferred_cluster.empty()) shorter.preferred_cluster = {kernel.preferred_cluster_size()};
  std::erase_if(shorter.variation.factors,
                [&](const WorkGroupFactor& factor) { return number_of(factor.work_group) >= kept; });
  return shorter;
}

}  // namespace

std::optional<Kernel> without_tail(const Kernel& kernel, const Tail& tail, const DeviceSpec& device) {
  if (!kernel.range.is_uniform() || kernel.differs_by_group() || has_step<LaunchChild>(kernel.program) ||
      has_step<Tiles>(kernel.program))
    return std::nullopt;
  if ((tail.work_groups - tail.left_over) % kernel.preferred_cluster_size() != 0) return std::nullopt;
  const auto work = work_of(kernel, device);
  if (!work) return std::nullopt;
  Kernel shorter = without_work_groups_of_tail(kernel, tail);
  auto& factors = shorter.variation.factors;
  // All sums and products fit 128 bits: the number of work-groups has 64 bits, the work of one has 63.
  const UInt128 kept = tail.work_groups - tail.left_over;
  UInt128 of_tail = (tail.left_over - (work->of_factors.size() - factors.size())) * UInt128{work->of_program};
  for (std::size_t i = factors.size(); i < work->of_factors.size(); ++i) of_tail += work->of_factors[i];
  // `kept` times the new work of a work-group whose work was `own`.
  const auto with_share_of_tail = [&](std::uint64_t own) { return own * kept + of_tail; };
  const UInt128 of_program = with_share_of_tail(work->of_program);
  scale(shorter.program, {of_program, work->of_program * kept});
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const UInt128 own = with_share_of_tail(work->of_factors[i]);
    if (factors[i].duration)
      factors[i].duration = rounded_time({own, kept});
    else
      factors[i].factor = scaled(Decimal::whole(1), {own, of_program});
  }
  return shorter;
}

}  // namespace gdsim
