#include <gdsim/run/simulate.hpp>

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/run/drive.hpp>
#include <gdsim/run/governed_clock.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/run/preemption/preempted_run.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

RunResult simulate(const Compiled& compiled, const RunOptions& options) {
  return simulate(compiled, options, KeepAccounts::yes);
}

RunResult simulate(const Compiled& compiled, const RunOptions& options, KeepAccounts accounts) {
  InternalRunOptions switched;
  static_cast<RunOptions&>(switched) = options;
  switched.accounts = accounts;
  return simulate(compiled, switched);
}

RunResult simulate(const Compiled& compiled, const InternalRunOptions& options) {
  const CompiledParts& parts = CompiledParts::parts_of(compiled);
  if (parts.rules.preemption) {
    if (const Issues issues = check_options(options, parts.device); !issues.empty()) throw_input_error(issues);
    return simulate_preempted(parts, options);
  }
  if (parts.device.power) return simulate_governed(compiled, options);
  DeviceRun run(parts, options);
  return run.conclude(drive(run.model(), run.listeners(), {options.bounds, options.stop}));
}

namespace {

constexpr std::size_t kBands = 200;

}  // namespace

Repetitions repeat(const Compiled& compiled, const RunOptions& options, std::uint64_t count, Jobs jobs,
                   const RunResult* first) {
  InternalRunOptions switched;
  static_cast<RunOptions&>(switched) = options;
  return repeat(compiled, switched, count, jobs, first);
}

Repetitions repeat(const Compiled& compiled, const InternalRunOptions& options, std::uint64_t count, Jobs jobs,
                   const RunResult* first) {
  InternalRunOptions quiet = options;
  quiet.observers.clear();
  quiet.wait_series.clear();
  quiet.tile_log = nullptr;
  quiet.keep_timeline = KeepTimeline::resident_threads;
  Repetitions repetitions;
  repetitions.contexts_total = compiled.device().contexts_total();
  repetitions.planned = count;
  if (count > kMaxRepetitions)
    throw InputError("repeat(): " + std::to_string(count) + " runs are more than " + std::to_string(kMaxRepetitions));
  if (first != nullptr && first->record.threads_total > 0 && first->timeline.empty() && first->resident.points.empty())
    throw InputError("repeat(): the first run kept no timeline; simulate it with one, or leave it out");
  if (first != nullptr && !first->timeline.empty() && first->record.end < first->timeline.back().time)
    throw InputError("repeat(): the first run ends before its last change; give it as simulate() returned it");
  std::vector<ResidentTimeline> timelines;
  std::vector<RunResult> results(count);
  const auto run = [&](std::size_t i) {
    if (i == 0 && first != nullptr) {
      results[i] = {first->record,
                    {},
                    first->timeline.empty() ? first->resident : resident_of(first->timeline, first->record.end)};
    } else {
      InternalRunOptions run_options = quiet;
      run_options.seed_offset += i;
      results[i] = simulate(compiled, run_options);
    }
  };
  parallel_for_in_order(count, jobs, run, [&](std::size_t i) {
    if (results[i].record.outcome == Outcome::interrupted) return Proceed::no;
    timelines.push_back(std::move(results[i].resident));
    repetitions.runs.push_back({i + 1, std::move(results[i].record)});
    return Proceed::yes;
  });
  repetitions.bands = make_bands(timelines, kBands, jobs);
  return repetitions;
}

namespace {

/// Describes the fault of this series; empty if it has none.
std::string fault_of(const WaitSeries* series, std::size_t columns, bool is_given_before) {
  if (series == nullptr) return "is null";
  if (series->columns() != columns)
    return "has " + std::to_string(series->columns()) + " columns; of this device it must have " +
           std::to_string(columns);
  if (!series->is_new() || is_given_before) return "is used by a run already; each run needs one of its own";
  if (series->width().count <= 0) return "its intervals last " + to_text(series->width()) + "; it must be above 0 s";
  return {};
}

}  // namespace

Issues check_options(const RunOptions& options, const DeviceSpec& device) {
  Issues issues;
  const auto refuse = [&](const std::string& field, std::string message) {
    issues.push_back({"options." + field, std::move(message)});
  };
  for (std::size_t i = 0; i < options.observers.size(); ++i)
    if (options.observers[i] == nullptr) refuse("observers[" + std::to_string(i) + "]", "is null");
  const std::size_t columns = wait_column_count(device.memory ? device.memory->levels.size() : 0);
  for (auto series = options.wait_series.begin(); series != options.wait_series.end(); ++series) {
    const bool is_given_before = std::find(options.wait_series.begin(), series, *series) != series;
    const std::string fault = fault_of(*series, columns, is_given_before);
    if (!fault.empty()) refuse("wait_series[" + std::to_string(series - options.wait_series.begin()) + "]", fault);
  }
  if (options.bounds.time && options.bounds.time->count < 0)
    refuse("bounds.time", "is " + to_text(*options.bounds.time) + "; it must be at least 0");
  if (options.min_phase.time && options.min_phase.time->count < 0)
    refuse("min_phase.time", "is " + to_text(*options.min_phase.time) + "; it must be at least 0");
  constexpr UInt128 too_large = UInt128{1} << 58;
  const Ratio& share = options.min_phase.share_of_run;
  if (share.denominator == 0 || share.denominator >= too_large || share.numerator >= too_large)
    refuse("min_phase.share_of_run", "its denominator is 0, or a part of it is 2^58 or more");
  return issues;
}

}  // namespace gdsim
