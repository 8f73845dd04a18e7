#include <gdsim/dispatch/dispatch_state.hpp>

#include <gdsim/dispatch/choice/equal_launches.hpp>
#include <gdsim/dispatch/placement/request_classes.hpp>

namespace gdsim {
DispatchState::DispatchState(const DispatchInput& input, CoreBank& core_bank)
    : rules(input.rules),
      workload(input.workload),
      bank(core_bank),
      selections(input.workload, bank.cores.size()),
      progress(input.workload, input.footprints, Partitioning(input.device, input.rules, input.workload, selections)),
      classes_by_request(classify_by_request(input.workload, selections, progress, input.rules.admission)),
      claims(input.rules, input.workload.launches.size(), bank.cores.size()),
      dispatchers({input.device, input.rules, input.workload, bank, progress, claims, selections, classes_by_request},
                  input.make_placement),
      classes_by_kernel_and_cores(classify_by_kernel_and_cores(input.workload, selections)),
      times(input.device, input.rules),
      traits(input.rules,
             {dispatchers.size(), dispatchers.first().search.placement_always_chooses(), selections.are_all_equal()}),
      chooser(make_kernel_chooser(input.rules, input.workload, selections)),
      begun_launches(input.workload, times),
      ports(input.rules.ports),
      changed(bank.cores.size()) {}

}  // namespace gdsim
