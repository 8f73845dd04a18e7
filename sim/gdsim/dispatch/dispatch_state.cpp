#include <gdsim/dispatch/dispatch_state.hpp>

#include <gdsim/dispatch/choice/equal_launches.hpp>
#include <gdsim/dispatch/choice/shared_requests.hpp>
#include <gdsim/dispatch/placement/request_classes.hpp>

namespace gdsim {
namespace {

/// `changed` must be empty. Returns true if the placement describes its state.
bool visit_parts(StateVisitor& visitor, DispatchParts& parts, std::span<const LaunchId> present, SimTime at) {
  auto& [selections, progress, classes_by_request, claims, dispatchers, classes_by_kernel_and_cores, times, traits,
         classes_by_shared_request, chooser, begun_launches, ports, remainders, changed, last_changed,
         launch_waiting_for_core, only_refused_launch, decisions, now, listener] = parts;
  visitor.constant(selections, classes_by_request, classes_by_kernel_and_cores, times, traits,
                   classes_by_shared_request, listener);
  visitor.derived(changed, only_refused_launch);  // no core has changed
  visitor.scratch(decisions, now);
  launch_waiting_for_core.reset();  // the visitor may change anything
  progress.visit_state(visitor, present);
  claims.visit_state(visitor);
  if (!dispatchers.visit_state(visitor)) return false;
  chooser->visit_state(visitor);
  begun_launches.visit_state(visitor, present, at);
  ports.visit_state(visitor);
  visitor.shape(remainders.size());
  for (LaunchId& launch : remainders) visitor.plain(launch);
  visitor.shape(last_changed ? *last_changed + 1 : 0);
  return true;
}

}  // namespace

DispatchParts::DispatchParts(const DispatchInput& input, CoreBank& bank)
    : selections(input.workload, bank.cores.size()),
      progress(input.workload, input.footprints, Partitioning(input.device, input.rules, input.workload, selections)),
      classes_by_request(classify_by_request(input.workload, selections, progress, input.rules.admission)),
      claims(input.rules, input.workload.launches.size(), bank.cores.size()),
      dispatchers({input.device, input.rules, input.workload, bank, progress, claims, selections, classes_by_request},
                  input.make_placement),
      classes_by_kernel_and_cores(classify_by_kernel_and_cores(input.workload, selections)),
      times(input.device, input.rules),
      traits(input.rules, times,
             {dispatchers.size(), dispatchers.first().search.placement_is_described(), progress.is_partitioned()}),
      classes_by_shared_request(classify_by_shared_request(input.rules, traits, input.workload, progress,
                                                           classes_by_request, classes_by_kernel_and_cores)),
      chooser(make_kernel_chooser(input.rules, input.workload, selections, classes_by_shared_request)),
      begun_launches(input.workload, times),
      ports(input.rules.ports),
      changed(bank.cores.size()) {}

bool DispatchState::visit_state(StateVisitor& visitor, std::span<const LaunchId> present, SimTime at) {
  return changed.empty() && visit_parts(visitor, *this, present, at);
}

bool DispatchState::visit_cursors(StateVisitor& visitor) {
  if (!dispatchers.visit_cursors(visitor)) return false;
  std::uint64_t core = last_changed ? *last_changed + 1 : 0;
  visitor.plain(core);
  last_changed = core > 0 ? std::optional<std::size_t>(core - 1) : std::nullopt;
  return true;
}

}  // namespace gdsim
