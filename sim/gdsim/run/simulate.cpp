#include <gdsim/run/simulate.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/engine/event_loop.hpp>
#include <gdsim/run/critical_path.hpp>
#include <gdsim/run/diagnosis.hpp>
#include <gdsim/run/gpu_model.hpp>
#include <gdsim/run/preflight.hpp>

#include <numeric>

namespace gdsim {
namespace {

std::string subject_of(const Objection& objection, const Workload& workload) {
  switch (objection.subject) {
    case Objection::Subject::dispatch: return "dispatch";
    case Objection::Subject::kernel: return "kernel " + workload.kernels[objection.index].name;
    case Objection::Subject::launch: return "launch " + workload.launches[objection.index].name;
    case Objection::Subject::queue: return "queue " + workload.queues[objection.index].name;
  }
  return {};
}

void require_no_objection(const std::vector<Objection>& objections, const Workload& workload) {
  Diagnostics problems;
  for (const Objection& objection : objections)
    problems.add(Diagnostic{objection.code,
                            subject_of(objection, workload) + ": " + objection.field + ": " + objection.message,
                            {},
                            0,
                            0,
                            {}});
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
enum class RunIsOver : std::uint8_t { by_itself, by_request, by_bound };

RunIsOver how_over(bool is_exhausted, const RunOptions& options) {
  if (is_exhausted) return RunIsOver::by_itself;
  return options.stop != nullptr && options.stop->load() ? RunIsOver::by_request : RunIsOver::by_bound;
}

Outcome outcome_of(const GpuModel& model, RunIsOver is_over) {
  if (model.is_done()) return Outcome::completed;
  if (is_over == RunIsOver::by_itself) return Outcome::stalled;
  return is_over == RunIsOver::by_request ? Outcome::interrupted : Outcome::bounded;
}

RunRecord conclude(const DeviceSpec& device, const Workload& workload, GpuModel& model, Recorder& recorder,
                   Picoseconds end, RunIsOver is_over) {
  RunRecord record;
  record.outcome = outcome_of(model, is_over);
  record.start = recorder.start().value_or(end);
  record.end = end;
  record.contexts_total = device.contexts_total();
  for (const Launch& launch : workload.launches) {
    const Kernel& kernel = workload.kernel_of(launch);
    record.threads_total += kernel.threads_total();
    record.work_groups_total += kernel.range.group_count();
  }
  record.peak_resident = recorder.peak_resident();
  record.resident_time = recorder.resident_time(end);
  record.phases = recorder.finish_phases(end);
  record.launches = model.take_launches();
  if (record.outcome == Outcome::completed) find_critical_path(device, workload, model.graph(), record);
  return record;
}

}  // namespace

RunResult simulate(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                   const RunOptions& options) {
  require_no_objection(preflight(device, rules, workload, options.policies), workload);
  Recorder recorder(device.cores, PhaseRules{options.min_phase, device.contexts_total()}, options.keep_timeline);
  std::vector<Observer*> observers{&recorder};
  observers.insert(observers.end(), options.observers.begin(), options.observers.end());
  GpuQueue queue;
  GpuModel model(device, rules, workload, options.policies.make_placement(rules.placement, device), queue, observers,
                 {options.faults, options.stop, options.skipping, options.bounds, options.wait_series});
  const RunIsOver is_over = how_over(run_events(queue, model), options);
  require_conservation(recorder.resident_time(queue.now()), model.cores(), queue.now());
  if (model.is_done()) require_empty(model.cores());
  std::vector<CoreTimeUse> time_use = model.take_time_use();
  require_time_accounted(time_use, model.cores(), queue.now());
  Stall stall;
  if (outcome_of(model, is_over) == Outcome::stalled) stall = diagnose(model, workload);
  model.settle(queue.now());
  for (WaitSeries* series : options.wait_series) series->finish(queue.now());
  RunRecord record = conclude(device, workload, model, recorder, queue.now(), is_over);
  record.stall = std::move(stall);
  record.time_use = std::move(time_use);
  record.idle = model.take_idle();
  return {std::move(record), recorder.take_timeline(), recorder.take_resident(), model.events()};
}

}  // namespace gdsim
