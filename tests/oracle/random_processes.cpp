#include "oracle/random_processes.hpp"
#include "oracle/random_scenarios.hpp"
#include "support/builders.hpp"
#include "support/random_values.hpp"
#include <gdsim/host/host_costs.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gdsim::oracle {
namespace {

using namespace gdsim::testing;

/// Returns true if no work-group waits for an event that needs other work-groups to begin.
bool may_be_drained(const Workload& workload) {
  bool may_be = true;
  for (const Kernel& kernel : workload.kernels)
    for (std::size_t i = 0; i < kernel.program_count(); ++i)
      for_each_step(kernel.program_of(i), [&](const Step& step) {
        const auto* child = std::get_if<LaunchChild>(&step);
        if (std::holds_alternative<GridBarrier>(step) || std::holds_alternative<WaitDependencies>(step) ||
            (child != nullptr && child->wait == ChildWait::yes))
          may_be = false;
      });
  return may_be;
}

ContextMove draw_move(RandomRun& run) {
  ContextMove move;
  if (one_in(2)) move.per_work_group = {Decimal::whole(between<std::uint64_t>(0, 200)), StepTime::Unit::picoseconds};
  if (one_in(3)) move.per_work_group = {Decimal{between<std::uint64_t>(1, 300), -1}, StepTime::Unit::cycles};
  if (!run.device.memory || !run.device.memory->levels.back().bandwidth || one_in(2)) return move;
  move.moves =
      one_in(2) && (run.device.registers || run.device.grf_per_context) ? ContextBytes::context : ContextBytes::given;
  if (move.moves == ContextBytes::given) move.bytes = Bytes{between<std::int64_t>(1, 3'000)};
  if (move.moves == ContextBytes::context && run.device.registers)
    for (Kernel& kernel : run.workload.kernels) kernel.needs.registers = std::max(kernel.needs.registers, 1U);
  return move;
}

/// Draws the quantum. Long runs get one that does not divide them into countless slices.
Duration draw_quantum(const Workload& workload) {
  const bool has_tiles = std::any_of(workload.kernels.begin(), workload.kernels.end(),
                                     [](const Kernel& kernel) { return has_step<Tiles>(kernel.program); });
  if (threads_of(workload) < 40 && !has_tiles && one_in(2)) return ps(one_of<std::int64_t>({1, 7, 40}));
  return ps(one_of<std::int64_t>({333, 2'000, 20'000}));
}

void draw_preemption(RandomRun& run) {
  DispatchRules& rules = run.device.dispatch;
  rules.kernel_choice = one_of({KernelChoice::time_sliced, KernelChoice::priority});
  rules.admission = Admission::whole;
  PreemptionRule& rule = rules.preemption.emplace();
  rule.of =
      may_be_drained(run.workload) ? one_of({PreemptionOf::work_group, PreemptionOf::thread}) : PreemptionOf::thread;
  if (rules.kernel_choice == KernelChoice::time_sliced || one_in(4)) rule.quantum = draw_quantum(run.workload);
  if (rule.of == PreemptionOf::thread || one_in(4)) {
    rule.save = draw_move(run);
    rule.restore = draw_move(run);
  }
}

/// Draws more queues, and priorities. Launches of a graph stay in it: only its first launch may have a time.
void draw_processes_of_launches(RandomRun& run) {
  Workload& workload = run.workload;
  const bool has_priorities = run.device.dispatch.kernel_choice == KernelChoice::priority;
  if (one_in(2)) workload.queues.push_back({"more", QueueOrder::out_of_order, {}});
  for (Queue& queue : workload.queues) queue.priority = has_priorities ? between(0U, 2U) : 0;
  for (Launch& launch : workload.launches) {
    if (launch.parent() != nullptr) continue;
    const QueueId queue{between(0U, static_cast<std::uint32_t>(workload.queues.size()) - 1)};
    if (!workload.graph_of(launch) && !workload.queues[index_of(queue)].is_graph && one_in(2)) launch.queue = queue;
    if (!launch.is_kernel()) continue;
    launch.as_kernel().priority.reset();
    const bool keeps_order = launch.queue && workload.queues[index_of(*launch.queue)].order == QueueOrder::in_order;
    if (has_priorities && !keeps_order && one_in(2)) launch.as_kernel().priority = between(0U, 2U);
    launch.as_kernel().cores.clear();
  }
}

/// Leaves copies and cooperative launches to one process; children follow.
void leave_to_one(Workload& workload, const DispatchRules& rules) {
  const ProcessAssignment processes = assign_processes(workload, rules);
  std::optional<std::uint32_t> copying, cooperating;
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    Launch& launch = workload.launches[i];
    if (!launch.is_kernel()) {
      if (!copying) copying = processes.of_launches[i];
      if (processes.of_launches[i] != *copying) launch.work = KernelId{};
    } else if (launch.as_kernel().is_cooperative) {
      if (!cooperating) cooperating = processes.of_launches[i];
      launch.as_kernel().is_cooperative = processes.of_launches[i] == *cooperating;
    }
  }
  std::erase_if(workload.launches, [](const Launch& launch) { return launch.parent() != nullptr; });
  for (Launch& launch : workload.launches)
    if (launch.is_kernel()) launch.as_kernel().first_child.reset();
  add_child_launches(workload);
}

/// Removes waits between processes, and buffers that they share.
void part_processes(Workload& workload, const DispatchRules& rules) {
  const auto first_buffers = workload.buffers;
  const ProcessAssignment processes = assign_processes(workload, rules);
  for (std::size_t process = 1; process < processes.count(); ++process)
    for (const std::string& name : first_buffers) workload.buffers.push_back(name + std::to_string(process));
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    Launch& launch = workload.launches[i];
    const auto keep_own = [&](LazyVector<LaunchId>& others) {
      std::vector<LaunchId> own;
      for (const LaunchId other : others)
        if (processes.process_of(other) == processes.of_launches[i]) own.push_back(other);
      others = own;
    };
    keep_own(launch.after);
    keep_own(launch.after_triggers);
    keep_own(launch.host_waits);
    for (LazyVector<BufferId>* buffers : {&launch.reads, &launch.writes}) {
      std::vector<BufferId> own;
      for (const BufferId buffer : *buffers)
        own.push_back(static_cast<BufferId>(index_of(buffer) + processes.of_launches[i] * first_buffers.size()));
      *buffers = own;
    }
  }
}

}  // namespace

RandomRun draw_processes() {
  const int kind = one_of({0, 0, 1, 1, 2});
  RandomRun run = kind == 0 ? draw_run() : kind == 1 ? draw_any_run() : draw_chain_of_launches();
  run.device.clock_changes.clear();
  run.device.power.reset();
  draw_preemption(run);
  draw_processes_of_launches(run);
  leave_to_one(run.workload, run.device.dispatch);
  part_processes(run.workload, run.device.dispatch);
  return run;
}

}  // namespace gdsim::oracle
