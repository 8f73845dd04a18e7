#include <gdsim/run/simulate.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/engine/event_loop.hpp>
#include <gdsim/record/recorder.hpp>
#include <gdsim/run/critical_path.hpp>
#include <gdsim/run/diagnosis.hpp>
#include <gdsim/run/gpu_model.hpp>
#include <gdsim/run/run_switches.hpp>

#include <numeric>

namespace gdsim {
namespace {

/// Options are values of the caller as all others are.
void require_usable(const RunOptions& options) {
  Diagnostics problems;
  const auto refuse = [&](std::string message) { problems.add(Diagnostic{{}, std::move(message), {}, 0, 0, {}}); };
  for (std::size_t i = 0; i < options.observers.size(); ++i)
    if (options.observers[i] == nullptr) refuse("options.observers[" + std::to_string(i) + "]: is null");
  if (options.bounds.time && options.bounds.time->count < 0)
    refuse("options.bounds.time: is " + to_text(*options.bounds.time) + "; it must be at least 0");
  if (options.min_phase.time && options.min_phase.time->count < 0)
    refuse("options.min_phase.time: is " + to_text(*options.min_phase.time) + "; it must be at least 0");
  constexpr UInt128 too_large = UInt128{1} << 63;
  const Ratio& share = options.min_phase.share_of_run;
  if (share.denominator == 0 || share.denominator >= too_large || share.numerator >= too_large)
    refuse("options.min_phase.share_of_run: its denominator is 0, or a part of it is 2^63 or more");
  problems.throw_if_any();
}

/// The integral of the change-points against what the cores took and gave back, exactly.
void require_conservation(Int128 timeline, const std::vector<Core>& cores, Picoseconds end) {
  const Int128 held = std::accumulate(cores.begin(), cores.end(), Int128{0},
                                      [end](Int128 sum, const Core& core) { return sum + core.context_time(end); });
  GDSIM_CHECK(timeline == held, "conservation is violated: the timeline holds " + to_text(timeline) +
                                    " thread-picoseconds, the cores counted " + to_text(held));
}

/// What the threads of each core did with their time against how long they held their contexts, exactly.
void require_time_accounted(const std::vector<CoreTimeUse>& uses, const std::vector<Core>& cores, Picoseconds end) {
  auto next = uses.begin();
  for (std::size_t core = 0; core < cores.size(); ++core) {
    Int128 sum = 0;
    for (; next != uses.end() && index_of(next->core) == core; ++next) sum += next->use.sum();
    GDSIM_CHECK(sum == cores[core].context_time(end), "of core " + std::to_string(core) + "'s time, " + to_text(sum) +
                                                          " thread-picoseconds are accounted for, " +
                                                          to_text(cores[core].context_time(end)) + " were spent");
  }
}

void require_empty(const std::vector<Core>& cores) {
  for (const Core& core : cores) GDSIM_CHECK(core.is_empty(), "a core holds something after the last end");
}

/// Whether a run went on until nothing was pending, or was told to stop, or came to a bound.
enum class RunIsOver : std::uint8_t { by_itself, by_request };

Outcome outcome_of(const GpuModel& model, RunIsOver is_over) {
  if (model.is_done()) return Outcome::completed;
  return is_over == RunIsOver::by_request ? Outcome::interrupted : Outcome::stalled;
}

RunRecord conclude(const CompiledParts& compiled, GpuModel& model, Recorder& recorder, Picoseconds end,
                   RunIsOver is_over) {
  const Workload& workload = compiled.workload;
  RunRecord record;
  record.outcome = outcome_of(model, is_over);
  record.start = recorder.start().value_or(end);
  record.end = end;
  record.contexts_total = compiled.device.contexts_total();
  for (const Launch& launch : workload.launches) {
    const Kernel& kernel = workload.kernel_of(launch);
    record.threads_total += kernel.threads_total();
    record.work_groups_total += kernel.range.group_count();
  }
  record.peak_resident = recorder.peak_resident();
  record.resident_time = recorder.resident_time(end);
  record.phases = recorder.finish_phases(end);
  record.launches = model.take_launches();
  if (record.outcome == Outcome::completed) find_critical_path(compiled.device, workload, compiled.graph, record);
  return record;
}

}  // namespace

RunResult simulate(const Compiled& compiled, const RunOptions& options) {
  SwitchedRunOptions switched;
  static_cast<RunOptions&>(switched) = options;
  return simulate(compiled, switched);
}

RunResult simulate(const Compiled& compiled, const SwitchedRunOptions& options) {
  require_usable(options);
  const CompiledParts& parts = compiled.parts();
  Recorder recorder(parts.device.cores, options.min_phase, options.keep_timeline);
  std::vector<Observer*> observers{&recorder};
  observers.insert(observers.end(), options.observers.begin(), options.observers.end());
  GpuQueue queue;
  GpuModel model(parts, queue, observers,
                 {options.faults, options.stop, options.skipping, options.bounds, options.seed_offset});
  const RunIsOver is_over = run_events(queue, model) ? RunIsOver::by_itself : RunIsOver::by_request;
  require_conservation(recorder.resident_time(queue.now()), model.cores(), queue.now());
  if (model.is_done()) require_empty(model.cores());
  std::vector<CoreTimeUse> time_use = model.take_time_use();
  require_time_accounted(time_use, model.cores(), queue.now());
  Stall stall;
  if (outcome_of(model, is_over) == Outcome::stalled) stall = diagnose(model, parts.workload);
  model.settle(queue.now());
  RunRecord record = conclude(parts, model, recorder, queue.now(), is_over);
  record.stall = std::move(stall);
  record.time_use = std::move(time_use);
  record.idle = model.take_idle();
  return {std::move(record), recorder.take_timeline(), recorder.take_resident(), model.events()};
}

}  // namespace gdsim
