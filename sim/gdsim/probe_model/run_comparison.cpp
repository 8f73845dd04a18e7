#include <gdsim/probe_model/run_comparison.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/record/work_group_log.hpp>
#include <gdsim/run/internal_run_options.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace gdsim {
namespace {

constexpr std::size_t kMaxCompared = 20'000;

/// Thousandths of cycles, or picoseconds, as picoseconds.
std::int64_t picoseconds(std::int64_t units, bool in_cycles, Hertz clock) {
  if (!in_cycles) return units;
  return static_cast<std::int64_t>(Int128{units} * 1'000'000'000 / clock.count);
}

std::vector<ResidentStep> steps_of(const std::vector<std::pair<std::int64_t, std::int64_t>>& spans) {
  std::map<std::int64_t, std::int64_t> changes;
  for (const auto& [start, end] : spans) {
    ++changes[start];
    --changes[end];
  }
  std::vector<ResidentStep> steps;
  std::int64_t held = 0;
  for (const auto& [at, by] : changes) {
    held += by;
    if (by != 0 || steps.empty()) steps.push_back({at, static_cast<std::uint64_t>(std::max<std::int64_t>(held, 0))});
  }
  return steps;
}

/// Makes all times relative to the first start. Returns the time from the first start to the last end.
std::int64_t begin_at_zero(std::vector<std::pair<std::int64_t, std::int64_t>>& spans) {
  std::int64_t first = spans.front().first;
  std::int64_t last = spans.front().second;
  for (const auto& [start, end] : spans) {
    first = std::min(first, start);
    last = std::max(last, end);
  }
  for (auto& [start, end] : spans) {
    start -= first;
    end -= first;
  }
  return last - first;
}

Workload workload_of_launch(const ProbedLaunch& launch, const DeviceSpec& device) {
  Kernel kernel;
  kernel.name = "probe";
  kernel.sub_group = device.sub_group_sizes.front();
  kernel.range = {{1, 1, launch.threads * launch.blocks.size()}, {1, 1, launch.threads}};
  kernel.needs.registers = launch.registers.value_or(0);
  kernel.needs.slm.total = Bytes{launch.shared_bytes};
  kernel.program = {Compute{StepTime{Decimal::whole(1'000'000), StepTime::Unit::picoseconds}}};
  for (std::size_t i = 0; i < launch.blocks.size(); ++i) {
    const std::int64_t length =
        picoseconds(launch.blocks[i].end - launch.blocks[i].start, launch.has_cycles, device.clock.value_or(Hertz{1}));
    WorkGroupFactor factor;
    factor.work_group = WorkGroupId{i};
    factor.duration = StepTime{Decimal::whole(static_cast<std::uint64_t>(std::max<std::int64_t>(length, 1))),
                               StepTime::Unit::picoseconds};
    kernel.variation.factors.push_back(factor);
  }
  Workload workload;
  workload.kernels.push_back(std::move(kernel));
  workload.launches.push_back(Launch{"probe", KernelId{0}, {}});
  return workload;
}

using Spans = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Begin and end of each block, in picoseconds.
Spans measured_spans(const ProbedLaunch& launch, const DeviceSpec& device) {
  Spans spans;
  for (const ProbedBlock& block : launch.blocks)
    spans.emplace_back(picoseconds(block.start, launch.has_cycles, device.clock.value_or(Hertz{1})),
                       picoseconds(block.end, launch.has_cycles, device.clock.value_or(Hertz{1})));
  return spans;
}

/// Simulates the launch. Returns why that is not possible; empty: it is, and `log` has its work-groups.
std::string simulate_launch(const ProbedLaunch& launch, const DeviceSpec& device, RunOptions options,
                            WorkGroupLog& log) {
  const Compilation compilation = compile(device, workload_of_launch(launch, device));
  if (!compilation) return to_text(compilation.issues().front());
  options.observers.push_back(&log);
  try {
    const Outcome outcome = simulate(compilation.value(), options, KeepAccounts::no).record.outcome;
    return outcome == Outcome::completed ? std::string() : "the run " + std::string(name_of(outcome));
  } catch (const InputError& error) {
    return error.problems().front().message;
  }
}

RunComparison compare_run(const ProbedRun& run, bool is_held_out, const CoreNumbers& numbers, const DeviceSpec& device,
                          const RunOptions& options) {
  const ProbedLaunch& launch = run.launches.front();
  RunComparison compared;
  compared.experiment = run.experiment;
  compared.run = run.title();
  compared.is_held_out = is_held_out;
  compared.blocks = launch.blocks.size();
  Spans measured = measured_spans(launch, device);
  compared.measured_ps = begin_at_zero(measured);
  compared.measured = steps_of(measured);
  WorkGroupLog log(1);
  compared.problem = simulate_launch(launch, device, options, log);
  if (!compared.problem.empty()) return compared;
  Spans simulated;
  const auto records = log.of(LaunchId{0});
  for (std::size_t i = 0; i < records.size(); ++i) {
    simulated.emplace_back(records[i].first_placed.count, records[i].ended.value().count);
    if (index_of(records[i].core) == numbers.of(launch.blocks[i])) ++compared.on_core;
  }
  compared.simulated_ps = begin_at_zero(simulated);
  compared.simulated = steps_of(simulated);
  return compared;
}

bool can_be_compared(const ProbedRun& run) {
  return run.launches.size() == 1 && run.launches.front().cluster == 1 &&
         run.launches.front().blocks.size() <= kMaxCompared && run.experiment != "launch";
}

}  // namespace

std::uint64_t RunComparison::error() const {
  if (measured_ps <= 0) return 0;
  const std::int64_t apart = simulated_ps > measured_ps ? simulated_ps - measured_ps : measured_ps - simulated_ps;
  return static_cast<std::uint64_t>(Int128{apart} * 10'000 / measured_ps);
}

std::vector<RunComparison> compare_runs(const std::vector<ProbedRun>& fitted, const std::vector<ProbedRun>& held_out,
                                        const DeviceSpec& device, const RunOptions& options, Jobs jobs) {
  std::vector<ProbedRun> all = held_out;
  all.insert(all.end(), fitted.begin(), fitted.end());
  const CoreNumbers numbers(all);
  std::vector<std::pair<const ProbedRun*, bool>> chosen;
  std::set<std::pair<std::string, std::string>> known;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (can_be_compared(all[i]) && known.emplace(all[i].experiment, all[i].name).second)
      chosen.emplace_back(&all[i], i < held_out.size());
  std::vector<RunComparison> compared(chosen.size());
  parallel_for_in_order(
      chosen.size(), jobs,
      [&](std::size_t i) { compared[i] = compare_run(*chosen[i].first, chosen[i].second, numbers, device, options); },
      [](std::size_t) { return Proceed::yes; });
  return compared;
}

}  // namespace gdsim
