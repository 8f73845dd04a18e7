#include <gdsim/dispatch/dispatch_state.hpp>

#include <gdsim/dispatch/choice/launch_kinds.hpp>
#include <gdsim/dispatch/choice/shared_requests.hpp>
#include <gdsim/dispatch/placement/request_classes.hpp>

namespace gdsim {

DispatchState::DispatchState(const DispatchInput& input, CoreBank& core_bank)
    : DispatchSetting(input, core_bank),
      selections(workload, bank.cores.size()),
      progress(workload, input.footprints, Partitioning(input.device, rules, workload, selections)),
      request_classes(gdsim::request_classes(workload, selections, progress, rules.admission)),
      claims(rules, workload.launches.size(), bank.cores.size()),
      units({input.device, rules, workload, bank, progress, claims, selections, request_classes}, input.make_placement),
      launch_kinds(gdsim::launch_kinds(workload, selections)),
      times(input.device, rules),
      traits(rules, times, {units.size(), units.first().search.placement_is_described(), progress.is_partitioned()}),
      shared_requests(gdsim::shared_requests(rules, traits, workload, progress, request_classes, launch_kinds)),
      chooser(make_kernel_chooser(rules, workload, selections, shared_requests)),
      begins(workload, times),
      ports(rules.ports),
      changed(bank.cores.size()) {}

bool DispatchState::visit_state(StateVisitor& visitor, std::span<const LaunchId> present, SimTime at) {
  if (!changed.empty()) return false;
  only_waiting_launch.reset();  // the visitor may change anything
  progress.visit_state(visitor, present);
  claims.visit_state(visitor);
  if (!units.visit_state(visitor)) return false;
  chooser->visit_state(visitor);
  begins.visit_state(visitor, present, at);
  ports.visit_state(visitor);
  visitor.shape(remainders.size());
  for (LaunchId& launch : remainders) visitor.plain(launch);
  visitor.shape(last_changed ? *last_changed + 1 : 0);
  return true;
}

bool DispatchState::visit_cursors(StateVisitor& visitor) {
  if (!units.visit_cursors(visitor)) return false;
  std::uint64_t core = last_changed ? *last_changed + 1 : 0;
  visitor.plain(core);
  last_changed = core > 0 ? std::optional<std::size_t>(core - 1) : std::nullopt;
  return true;
}

}  // namespace gdsim
