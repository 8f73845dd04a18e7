#include <gdsim/analysis/words.hpp>

#include <algorithm>

namespace gdsim {

std::string words_for(Resource resource, const Terms& terms) {
  switch (resource) {
    case Resource::threads: return terms.context + "s";
    case Resource::work_group_slots: return terms.work_group + " slots";
    case Resource::slm: return terms.slm;
    case Resource::barriers: return "barriers";
    case Resource::registers: return "registers";
    case Resource::scalar_registers: return "scalar registers";
  }
  return {};
}

std::string words_for(WaitReason reason, const Terms& terms) {
  switch (reason) {
    case WaitReason::host: return "the host";
    case WaitReason::launch_latency: return "launch latency";
    case WaitReason::predecessors: return "launches before it";
    case WaitReason::other_launches: return "other launches";
    case WaitReason::launch_cost: return "launch cost";
    case WaitReason::dispatch_interval: return "the busy dispatcher";
    case WaitReason::ports: return "dispatch ports";
    case WaitReason::core_sharing: return terms.core + "s that other launches hold";
    case WaitReason::contexts: return terms.context + "s";
    case WaitReason::work_group_slots: return terms.work_group + " slots";
    case WaitReason::slm: return terms.slm;
    case WaitReason::barriers: return "barriers";
    case WaitReason::registers: return "registers";
    case WaitReason::context_ranges: return terms.context + "s (no aligned run of them is free)";
    case WaitReason::cluster_room: return "room for a whole cluster in a group of " + terms.core + "s";
    case WaitReason::hardware_queue: return "its hardware queue";
    case WaitReason::slm_pool: return terms.core + "s to drain and change the size of their " + terms.slm;
    case WaitReason::partition: return "their group of " + terms.core + "s";
  }
  return {};
}

std::string words_for_slm_pipe(const Terms& terms, const Workload& workload) {
  const bool has_l1 = std::any_of(workload.kernels.begin(), workload.kernels.end(),
                                  [](const Kernel& kernel) { return has_l1_accesses(kernel.program); });
  return (has_l1 ? "L1 and banks of " : "banks of ") + terms.slm;
}

std::string waits_text(const WaitTimes& waited, const Terms& terms, std::string (*words_for_time)(Duration),
                       const std::string& hardware_queue) {
  const auto words = [&](WaitReason reason) {
    const bool is_named = reason == WaitReason::hardware_queue && !hardware_queue.empty();
    return is_named ? hardware_queue : words_for(reason, terms);
  };
  std::string text;
  for (const WaitReason reason : kWaitReasons)
    if (waited[reason].count > 0)
      text += (text.empty() ? "" : ", ") + words(reason) + " " + words_for_time(waited[reason]);
  return text;
}

std::string_view words_for(const GroupState& state, bool exchanges) {
  const bool is_partial = state.placement == GroupPlacement::partial;
  if (state.placement == GroupPlacement::saved) return "saved: another process has the device";
  if (state.running() == 0 && state.waiting == 0)
    return is_partial ? "placed in part, ended so far" : "ended, contexts held";
  if (state.waiting > 0 && exchanges)
    return is_partial ? "placed in part, waiting for other devices" : "waiting for other devices and for links";
  if (state.running() == 0) return is_partial ? "placed in part, stalled at a barrier" : "stalled at a barrier";
  if (state.waiting > 0) return is_partial ? "placed in part, some stalled at a barrier" : "some stalled at a barrier";
  return is_partial ? "placed in part" : "running";
}

std::string_view name_of(GroupChange::Event kind) {
  switch (kind) {
    case GroupChange::Event::comes: return "comes";
    case GroupChange::Event::changes: return "changes";
    case GroupChange::Event::leaves: return "leaves";
  }
  return {};
}

std::string_view name_of(GroupPlacement placement) {
  if (placement == GroupPlacement::saved) return "saved";
  return placement == GroupPlacement::partial ? "partial" : "full";
}

}  // namespace gdsim
