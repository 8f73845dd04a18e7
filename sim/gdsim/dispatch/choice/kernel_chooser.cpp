#include <gdsim/dispatch/choice/kernel_chooser.hpp>

#include <gdsim/dispatch/choice/choosers.hpp>

namespace gdsim {

std::vector<std::uint32_t> child_depths(const Workload& workload) {
  // A child follows its parent in the list.
  std::vector<std::uint32_t> depths(workload.launches.size(), 0);
  for (std::size_t i = 0; i < depths.size(); ++i)
    if (const LaunchParent* parent = workload.launches[i].parent()) depths[i] = depths[index_of(parent->launch)] + 1;
  return depths;
}

std::unique_ptr<KernelChooser> make_kernel_chooser(const DispatchRules& rules, const Workload& workload,
                                                   const CoreSelections& cores) {
  switch (rules.kernel_choice) {
    case KernelChoice::skip_blocked: return std::make_unique<SkippingChooser>(workload, cores);
    case KernelChoice::round_robin: return std::make_unique<RoundRobinChooser>(workload, cores, rules.core_sharing);
    case KernelChoice::head_only:
    case KernelChoice::time_sliced: break;
    case KernelChoice::own: return std::make_unique<OwnKernelChoiceAdapter>(rules.own_kernel_choice.value(), workload);
    case KernelChoice::priority: return std::make_unique<HeadChooser>(workload, cores, ObeyPriorities::yes);
  }
  return std::make_unique<HeadChooser>(workload, cores, ObeyPriorities::no);
}

}  // namespace gdsim
