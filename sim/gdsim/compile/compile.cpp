#include <gdsim/compile/compile.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/check/check_children.hpp>
#include <gdsim/check/check_device.hpp>
#include <gdsim/check/check_dispatch.hpp>
#include <gdsim/check/check_timing.hpp>
#include <gdsim/check/check_kernel.hpp>
#include <gdsim/check/check_launch.hpp>
#include <gdsim/check/check_order.hpp>
#include <gdsim/check/check_program.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/workload/child_launches.hpp>

#include <algorithm>
#include <memory>

namespace gdsim {
namespace {

Issues check_kernels(const std::vector<Kernel>& kernels, const DeviceSpec& device) {
  Issues found;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const Kernel& kernel = kernels[i];
    append(found, check_range(kernel, i));
    if (!kernel.range.is_countable()) continue;
    append(found, check_needs(kernel, i, device));
    append(found, check_program(kernel, i, device));
    append(found, check_variation(kernel, i));
  }
  return found;
}

bool has_children(const Workload& workload) {
  return std::any_of(workload.launches.begin(), workload.launches.end(), [](const Launch& launch) {
    return launch.parent() != nullptr || (!launch.is_copy() && launch.as_kernel().first_child);
  });
}

}  // namespace

const Compiled& Compilation::value() const {
  if (compiled_) return *compiled_;
  std::vector<Diagnostic> problems;
  for (const Issue& issue : issues_) problems.push_back(Diagnostic{issue.code, to_text(issue), {}, 0, 0, {}});
  throw InputError(std::move(problems));
}

Compilation compile(DeviceSpec device, DispatchRules rules, Workload workload, PolicyCatalog policies) {
  Issues found = check_device(device);
  append(found, check_dispatch(rules, policies.placement_names()));
  append(found, check_timing(device, rules));
  append(found, check_kernels(workload.kernels, device));
  for (std::size_t i = 0; i < workload.queues.size(); ++i) append(found, check_queue(workload, i, device, rules));
  for (std::size_t i = 0; i < workload.launches.size(); ++i) append(found, check_launch(workload, i, device, rules));
  append(found, check_children(workload.kernels));
  if (!found.empty()) return found;
  if (!has_children(workload)) add_child_launches(workload);
  LaunchGraph graph = make_launch_graph(workload);
  append(found, check_order(workload, graph));
  append(found, check_names(workload));
  append(found, check_totals(workload));
  if (!found.empty()) return found;
  std::vector<ProgramPlan> plans;
  plans.reserve(workload.kernels.size());
  for (const Kernel& kernel : workload.kernels) plans.emplace_back(kernel, device);
  FootprintTable footprints(device, workload.kernels);
  return Compiled(std::make_shared<const CompiledParts>(
      CompiledParts{std::move(device), std::move(rules), std::move(workload), std::move(plans), std::move(graph),
                    std::move(footprints), std::move(policies)}));
}

}  // namespace gdsim
