#include <gdsim/fit/tail.hpp>
#include <gdsim/study/counterfactual_changes.hpp>
#include <gdsim/study/without_tail.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace gdsim {
namespace {

/// Of the launch that lasted longest and has a tail of its own, if there is one.
std::optional<std::string> tail_words(const Baseline& run) {
  const Workload& workload = run.scenario().workload;
  std::optional<std::string> words;
  Duration max{-1};
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const LaunchRecord& life = run.record().launches[i];
    if (workload.launches[i].is_copy() || !life.first_dispatched || !life.ended) continue;
    const Kernel& kernel = workload.kernel_of(workload.launches[i]);
    const auto tail = tail_of(kernel, run.scenario().device);
    if (!tail || *life.ended - *life.first_dispatched <= max) continue;
    max = *life.ended - *life.first_dispatched;
    words = fmt::format("Tail: {} of {} {}s of {} {} left over for the last wave", tail->left_over, tail->work_groups,
                        run.terms().work_group, kernel.name, tail->left_over == 1 ? "is" : "are");
  }
  return words;
}

/// How many launches wait for others, on the device or on the host.
std::uint64_t waiting_launches(const Workload& workload) {
  const LaunchGraph graph = make_launch_graph(workload);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < workload.launches.size(); ++i)
    if (!graph.predecessors[i].empty() || !workload.launches[i].host_waits.empty()) ++count;
  return count;
}

bool has_measured_durations(const Kernel& kernel) {
  const auto& factors = kernel.variation.factors;
  return std::any_of(factors.begin(), factors.end(), [](const WorkGroupFactor& own) { return own.duration; });
}

}  // namespace

std::optional<ChangeWords> spread_tails(const Baseline& run, Scenario& changed) {
  bool is_changed = false;
  for (Kernel& kernel : changed.workload.kernels)
    if (const auto tail = tail_of(kernel, changed.device))
      if (auto shorter = without_tail(kernel, *tail, changed.device)) {
        kernel = std::move(*shorter);
        is_changed = true;
      }
  if (!is_changed) return std::nullopt;
  return tail_words(run);
}

std::optional<ChangeWords> remove_dependencies(const Baseline& run, Scenario& changed) {
  const Workload& workload = run.scenario().workload;
  const std::uint64_t waiting = waiting_launches(workload);
  if (waiting == 0) return std::nullopt;
  for (Launch& launch : changed.workload.launches) {
    launch.after.clear();
    launch.host_waits.clear();
    launch.reads.clear();
    launch.writes.clear();
  }
  for (Queue& queue : changed.workload.queues) queue.order = QueueOrder::out_of_order;
  return fmt::format("Dependencies: {} of {} launches wait{} for others", waiting, workload.launches.size(),
                     waiting == 1 ? "s" : "");
}

std::optional<ChangeWords> equalize_work_groups(const Baseline& run, Scenario& changed) {
  bool is_changed = false;
  for (Kernel& kernel : changed.workload.kernels) {
    // Durations that were measured stand in the place of the program's own, which may be any.
    if (has_measured_durations(kernel)) continue;
    const Variation& variation = kernel.variation;
    const bool is_declared = !variation.factors.empty() || variation.first_wave ||
                             (variation.draw && variation.draw->origin == DrawOrigin::declared);
    is_changed |= is_declared || variation.draw;
    kernel.variation = {};
    // In lock step, those that share something would take longer for another reason: of what was declared, only that
    // is taken away, and what is drawn by default takes its place.
    if (is_declared && kernel.shares_resources()) kernel.variation.draw = default_draw(kernel.program);
  }
  if (!is_changed) return std::nullopt;
  const std::string groups = run.terms().work_group + "s";
  return ChangeWords{"Uneven " + groups + ": their durations vary", "without that",
                     "That is an artefact: equal " + groups + " ask for the same resource at the same instant."};
}

}  // namespace gdsim
