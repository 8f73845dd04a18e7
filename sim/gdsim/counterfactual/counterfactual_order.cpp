#include <gdsim/analysis/notes/device_notes.hpp>
#include <gdsim/counterfactual/counterfactual.hpp>
#include <gdsim/counterfactual/program_change.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/host/host_costs.hpp>
#include <gdsim/program/program_plan.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

namespace gdsim {
namespace {

bool is_longer(const Decimal& a, const Decimal& b) { return compare(a, b) > 0; }

/// The lengths of work-groups with a factor or duration of their own, and of one without: as fractions of the program,
/// or in picoseconds.
struct Lengths {
  std::vector<Decimal> of_factors;
  Decimal of_program = Decimal::whole(1);
};

/// Returns nullopt if a duration does not fit into 63 bits.
std::optional<Lengths> lengths_of(const Kernel& kernel, const DeviceSpec& device) {
  const auto& factors = kernel.variation.factors;
  const auto has_duration = [](const WorkGroupFactor& factor) { return factor.duration.has_value(); };
  Lengths lengths;
  if (std::none_of(factors.begin(), factors.end(), has_duration)) {
    for (const WorkGroupFactor& factor : factors) lengths.of_factors.push_back(factor.factor);
    return lengths;
  }
  const auto picoseconds = [&](const StepTime& time, const Decimal& factor) -> std::optional<Decimal> {
    const auto span = resolve(time, clock_of(device), factor);
    if (!span) return std::nullopt;
    return Decimal::whole(static_cast<std::uint64_t>(span->count));
  };
  const StepTime& program = std::get<Compute>(kernel.program.front()).time;
  const auto of_program = picoseconds(program, Decimal::whole(1));
  if (!of_program) return std::nullopt;
  lengths.of_program = *of_program;
  for (const WorkGroupFactor& factor : factors) {
    const auto length =
        factor.duration ? picoseconds(*factor.duration, Decimal::whole(1)) : picoseconds(program, factor.factor);
    if (!length) return std::nullopt;
    lengths.of_factors.push_back(*length);
  }
  return lengths;
}

/// Returns the same factors, longest first: work-groups that are longer than the program come first, shorter ones last.
std::vector<WorkGroupFactor> sorted_factors(const Kernel& kernel, const Lengths& lengths) {
  const auto& factors = kernel.variation.factors;
  std::vector<std::size_t> order(factors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return is_longer(lengths.of_factors[a], lengths.of_factors[b]);
  });
  const std::uint64_t others = kernel.range.group_count() - factors.size();
  std::vector<WorkGroupFactor> sorted;
  std::uint64_t next = 0;
  bool are_others_placed = false;
  for (const std::size_t i : order) {
    if (!are_others_placed && is_longer(lengths.of_program, lengths.of_factors[i])) {
      next += others;
      are_others_placed = true;
    }
    sorted.push_back(factors[i]);
    sorted.back().work_group = WorkGroupId{next++};
  }
  return sorted;
}

bool are_same(const std::vector<WorkGroupFactor>& a, const std::vector<WorkGroupFactor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const WorkGroupFactor& one, const WorkGroupFactor& other) {
                      return one.work_group == other.work_group && compare(one.factor, other.factor) == 0 &&
                             one.duration.has_value() == other.duration.has_value() &&
                             (!one.duration || (compare(one.duration->amount, other.duration->amount) == 0 &&
                                                one.duration->unit == other.duration->unit));
                    });
}

/// Returns a kernel whose work-groups have programs of their own, with the same programs and factors, longest first by
/// estimate. Returns nullopt if they are in this order already.
std::optional<Kernel> sorted_programs(const Kernel& kernel, const DeviceSpec& device) {
  std::vector<double> of_program(kernel.program_count());
  for (std::size_t i = 0; i < of_program.size(); ++i)
    of_program[i] = estimated_length(kernel.program_of(i), kernel, device);
  const std::vector<std::uint32_t>& programs = kernel.group_programs.of_group;
  std::vector<const WorkGroupFactor*> factor_of_group(programs.size(), nullptr);
  std::vector<double> lengths(programs.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = of_program[programs[i]];
  for (const WorkGroupFactor& factor : kernel.variation.factors) {
    const std::size_t i = number_of(factor.work_group);
    factor_of_group[i] = &factor;
    lengths[i] *= approximate(factor.factor);
  }
  std::vector<std::size_t> order(programs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return lengths[a] > lengths[b]; });
  if (std::is_sorted(order.begin(), order.end())) return std::nullopt;
  Kernel sorted = kernel;
  sorted.variation.factors.clear();
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.group_programs.of_group[i] = programs[order[i]];
    if (factor_of_group[order[i]] == nullptr) continue;
    sorted.variation.factors.push_back(*factor_of_group[order[i]]);
    sorted.variation.factors.back().work_group = WorkGroupId{i};
  }
  return sorted;
}

}  // namespace

std::optional<ChangeWords> take_tiles_on_demand(const Baseline&, Scenario& changed) {
  std::string names;
  for (const Kernel* launched : launched_kernels(changed.workload)) {
    Kernel& kernel = changed.workload.kernels[static_cast<std::size_t>(launched - changed.workload.kernels.data())];
    bool is_changed = false;
    for (std::size_t i = 0; i < kernel.program_count(); ++i)
      for (Step& step : kernel.program_of(i)) {
        auto* tiles = std::get_if<Tiles>(&step);
        if (tiles == nullptr || tiles->take == TileTake::on_demand) continue;
        tiles->take = TileTake::on_demand;
        is_changed = true;
      }
    if (is_changed) names += (names.empty() ? "" : ", ") + kernel.name;
  }
  if (names.empty()) return std::nullopt;
  return ChangeWords{"Tiles: the tiles of " + names + " are assigned by number", "with tiles taken on demand"};
}

std::optional<ChangeWords> dispatch_longest_first(const Baseline& run, Scenario& changed) {
  std::string names;
  for (Kernel& kernel : changed.workload.kernels) {
    if (!kernel.range.is_uniform()) continue;
    if (kernel.differs_by_group()) {
      auto sorted = sorted_programs(kernel, changed.device);
      if (!sorted) continue;
      kernel = std::move(*sorted);
      names += (names.empty() ? "" : ", ") + kernel.name;
      continue;
    }
    if (kernel.variation.factors.empty()) continue;
    const auto lengths = lengths_of(kernel, changed.device);
    if (!lengths) continue;
    std::vector<WorkGroupFactor> sorted = sorted_factors(kernel, *lengths);
    if (are_same(sorted, kernel.variation.factors)) continue;
    kernel.variation.factors = std::move(sorted);
    names += (names.empty() ? "" : ", ") + kernel.name;
  }
  if (names.empty()) return std::nullopt;
  return ChangeWords{
      fmt::format("Order: {}s of {} differ, and are dispatched by number", run.terms().work_group, names),
      "with the longest first"};
}

namespace {

/// Returns true if the host could submit all launches of the queue as a whole: only the first may have a time or make
/// the host wait.
bool could_be_graph(const Workload& workload, QueueId queue) {
  std::uint64_t launches = 0;
  for (const Launch& launch : workload.launches) {
    if (launch.queue != queue) continue;
    if (++launches > 1 && (launch.at != SimTime{} || !launch.host_waits.empty())) return false;
  }
  return launches > 1;
}

}  // namespace

std::optional<ChangeWords> start_in_any_order(const Baseline& run, Scenario& changed) {
  const Scenario& scenario = run.scenario();
  const std::vector<std::uint32_t> numbers =
      hardware_queues_of(scenario.workload, scenario.device, scenario.dispatch).numbers;
  const bool one_waited =
      std::any_of(run.record().launches.begin(), run.record().launches.end(),
                  [](const LaunchRecord& launch) { return launch.waited[WaitReason::hardware_queue].count > 0; });
  if (!one_waited) return std::nullopt;
  changed.device.hardware_queues.reset();
  for (Queue& queue : changed.workload.queues) queue.hardware.reset();
  const std::size_t used = std::set<std::uint32_t>(numbers.begin(), numbers.end()).size();
  return ChangeWords{fmt::format("Hardware queues: {} of the host share{} {} hardware queue{}, and a hardware "
                                 "queue starts its launches one after the other",
                                 numbers.size() == 1 ? "1 queue" : fmt::format("{} queues", numbers.size()),
                                 numbers.size() == 1 ? "s" : "", used, used == 1 ? "" : "s"),
                     "with launches started in any order"};
}

std::optional<ChangeWords> submit_as_graphs(const Baseline& run, Scenario& changed) {
  const Scenario& scenario = run.scenario();
  const bool has_cost = scenario.device.submit_overhead.count > 0 || scenario.device.graph_gap;
  std::uint64_t launches = 0;
  for (std::size_t i = 0; i < scenario.workload.queues.size(); ++i) {
    const auto queue = static_cast<QueueId>(i);
    if (!has_cost || scenario.workload.queues[i].is_graph || !could_be_graph(scenario.workload, queue)) continue;
    changed.workload.queues[i].is_graph = true;
    for (const Launch& launch : scenario.workload.launches) launches += launch.queue == queue ? 1 : 0;
  }
  if (launches == 0) return std::nullopt;
  return ChangeWords{fmt::format("Submission: the host submits {} launches one by one", launches), "as graphs"};
}

namespace {

/// `2 us`: the duration on this device, under its first clock if it depends on the clock.
std::string length_words(const StepTime& time, const DeviceSpec& device) {
  const auto span = resolve(time, clock_of(device), Decimal::whole(1));
  const bool follows_clock = time.unit == StepTime::Unit::cycles && clock_may_change(device);
  return span ? to_text(*span) + (follows_clock ? " at first" : "") : "too long a time";
}

/// `2 us`, or `1 us (and 1 us while a predecessor runs)`: the costs of a launch.
std::string launch_cost_words(const DeviceSpec& device) {
  const LaunchCost cost = device.launch_cost.value_or(LaunchCost{});
  std::string text = length_words(cost.serial, device);
  if (!cost.overlapping.amount.is_zero())
    text += " (and " + length_words(cost.overlapping, device) + " while a predecessor runs)";
  return text;
}

/// `Dispatch: the dispatcher has 2 ports for work-groups placed in part, needs 1 us per work-group, reuses resources
/// after 250 ns`
std::string dispatch_words(const Baseline& run) {
  const DispatchRules& rules = run.scenario().dispatch;
  std::string text;
  const auto list = [&](const std::string& part) {
    text += (text.empty() ? "Dispatch: the dispatcher " : ", ") + part;
  };
  const auto length = [&](const StepTime& time) { return length_words(time, run.scenario().device); };
  if (const auto ports = rules.ports)
    list(fmt::format("has {} port{} for {}s placed in part", *ports, ports == 1U ? "" : "s", run.terms().work_group));
  const DispatchInterval interval = rules.interval.value_or(DispatchInterval{});
  std::string needs;
  if (!interval.per_work_group.amount.is_zero())
    needs = length(interval.per_work_group) + " per " + run.terms().work_group;
  if (!interval.per_thread.amount.is_zero())
    needs += (needs.empty() ? "" : " and ") + length(interval.per_thread) + " per " + run.terms().thread;
  if (!needs.empty()) list("needs " + needs);
  if (rules.recovery && !rules.recovery->amount.is_zero()) list("reuses resources after " + length(*rules.recovery));
  return text;
}

}  // namespace

/// Keeps the distribution of work-groups: placement, batches, and the cores of each dispatcher.
std::optional<ChangeWords> dispatch_at_once(const Baseline& run, Scenario& changed) {
  DispatchRules& rules = changed.dispatch;
  const bool takes_time =
      (rules.interval && !rules.interval->is_instant()) || (rules.recovery && !rules.recovery->amount.is_zero());
  if (!rules.ports && !takes_time) return std::nullopt;
  rules.ports.reset();
  if (rules.interval) rules.interval->per_work_group = rules.interval->per_thread = {};
  rules.recovery.reset();
  return ChangeWords{dispatch_words(run), "with immediate dispatch"};
}

std::optional<ChangeWords> remove_recovery(const Baseline& run, Scenario& changed) {
  const auto& recovery = run.scenario().dispatch.recovery;
  if (!recovery || recovery->amount.is_zero()) return std::nullopt;
  changed.dispatch.recovery.reset();
  const Terms& terms = run.terms();
  return ChangeWords{fmt::format("Recovery: the {0} reuses a {1}'s resources {2} after the {1} ends", terms.core,
                                 terms.work_group, length_words(*recovery, run.scenario().device)),
                     "with immediate reuse"};
}

std::optional<ChangeWords> remove_launch_overheads(const Baseline& run, Scenario& changed) {
  DeviceSpec& device = changed.device;
  Duration jit{};
  for (Kernel& kernel : changed.workload.kernels) {
    jit = jit + kernel.jit;
    kernel.jit = {};
  }
  const bool have_cost = jit.count > 0 || device.submission ||
                         device.submit_overhead.count + device.launch_latency.count + device.dependency_gap.count > 0 ||
                         (device.launch_cost && !device.launch_cost->is_zero());
  if (!have_cost) return std::nullopt;
  device.submit_overhead = device.launch_latency = device.dependency_gap = {};
  device.launch_cost.reset();
  device.submission.reset();
  const DeviceSpec& as_it_is = run.scenario().device;
  std::string words;
  const auto list = [&](const std::string& part) { words += (words.empty() ? "" : ", ") + part; };
  const auto list_time = [&](const std::string& name, Duration time) {
    if (time.count > 0) list(name + " " + to_text(time));
  };
  list_time("submission", as_it_is.submit_overhead);
  list_time("latency", as_it_is.launch_latency);
  list_time("gap after a dependency", as_it_is.dependency_gap);
  if (as_it_is.launch_cost && !as_it_is.launch_cost->is_zero()) list("launch cost " + launch_cost_words(as_it_is));
  if (as_it_is.submission) list(fmt::format("submission in batches of {}", as_it_is.submission->batch));
  list_time("compilation of kernels (`jit`)", jit);
  return ChangeWords{"Launch overheads: " + words, "without launch overheads"};
}

std::optional<ChangeWords> switch_at_no_cost(const Baseline& run, Scenario& changed) {
  const std::string lost = lost_by_switches(run.record());
  if (lost.empty()) return std::nullopt;
  changed.dispatch.preemption->save = {};
  changed.dispatch.preemption->restore = {};
  return ChangeWords{"Preemption: " + lost, "where switches cost nothing"};
}

}  // namespace gdsim
