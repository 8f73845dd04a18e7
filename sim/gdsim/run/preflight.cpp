#include <gdsim/run/preflight.hpp>

#include <gdsim/base/near_names.hpp>
#include <gdsim/device/dispatch_faults.hpp>
#include <gdsim/fit/refusal.hpp>
#include <gdsim/run/launch_objections.hpp>
#include <gdsim/run/order_objections.hpp>
#include <gdsim/model/program_plan.hpp>
#include <gdsim/workload/child_launches.hpp>

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace gdsim {
namespace {

using Subject = Objection::Subject;

/// Collects objections to one subject.
class Objector {
 public:
  Objector(std::vector<Objection>& found, Subject subject, std::size_t index)
      : found_(found), subject_(subject), index_(index) {}

  void object(std::string field, std::string message, std::string_view code = {}) {
    found_.push_back({subject_, index_, std::move(field), std::string(code), std::move(message), {}});
  }

 private:
  std::vector<Objection>& found_;
  Subject subject_;
  std::size_t index_;
};

void check_factors(const Kernel& kernel, Objector& out) {
  const std::uint64_t groups = kernel.range.group_count();
  for (const WorkGroupFactor& entry : kernel.variation.factors) {
    const std::string field = "variation.work_groups." + std::to_string(number_of(entry.work_group));
    if (number_of(entry.work_group) >= groups)
      out.object(field, "there is no work-group " + std::to_string(number_of(entry.work_group)) + "; the kernel has " +
                            std::to_string(groups) + ", numbered from 0");
    if (entry.factor.is_zero()) out.object(field, "a factor must be more than 0");
  }
}

/// Every launch of a kernel that launches children knows where they are.
void check_children(const Workload& workload, std::vector<Objection>& found) {
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const Launch& launch = workload.launches[i];
    if (!launch.first_child && child_steps(workload.kernel_of(launch).program) > 0)
      Objector(found, Subject::launch, i).object("kernel", "its children were not added to the workload");
  }
}

/// Sums over all launches stay countable.
void check_totals(const Workload& workload, std::vector<Objection>& found) {
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  UInt128 threads = 0;
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    threads += workload.kernel_of(workload.launches[i]).threads_total();
    if (threads <= most) continue;
    Objector(found, Subject::launch, i).object("kernel", "the launches have more than 2^62 threads");
    return;
  }
}

void append(std::vector<Objection>& all, std::vector<Objection> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

std::vector<Objection> object_to_dispatch(const DispatchRules& rules, const PolicyCatalog& policies) {
  std::vector<Objection> found;
  Objector out(found, Subject::dispatch, 0);
  const auto names = policies.placement_names();
  if (rules.placement.empty()) {
    out.object("placement", "neither the device nor the scenario names one; known: " + join(names));
  } else if (std::find(names.begin(), names.end(), rules.placement) == names.end()) {
    const std::string hint = did_you_mean(rules.placement, names);
    out.object("placement", "is '" + rules.placement + "'; known: " + join(names) + (hint.empty() ? "" : ";" + hint));
  }
  return found;
}

std::vector<Objection> object_to_timing(const DeviceSpec& device, const DispatchRules& rules) {
  std::vector<Objection> found;
  Objector out(found, Subject::dispatch, 0);
  for (DeviceFault& fault : dispatch_faults(device, rules)) out.object(std::move(fault.field), std::move(fault.message));
  return found;
}

std::vector<Objection> object_to_range(const Kernel& kernel, std::size_t index) {
  std::vector<Objection> found;
  Objector out(found, Subject::kernel, index);
  if (!volume(kernel.range.global)) out.object("global", "has more than 2^64 work-items");
  if (!volume(kernel.range.local)) out.object("local", "has more than 2^64 work-items");
  if (found.empty())
    for (const Refusal& refusal : edge_refusals(kernel))
      out.object(std::string(refusal.field),
                 refusal.message + "; `non_uniform: true` allows smaller work-groups at the edges", refusal.code);
  return found;
}

std::vector<Objection> object_to_needs(const Kernel& kernel, std::size_t index, const DeviceSpec& device) {
  std::vector<Objection> found;
  Objector out(found, Subject::kernel, index);
  for (const Refusal& refusal : core_refusals(kernel, device))
    out.object(std::string(refusal.field), refusal.message, refusal.code);
  return found;
}

std::vector<Objection> object_to_program(const Kernel& kernel, std::size_t index, const DeviceSpec& device) {
  std::vector<Objection> found;
  Objector out(found, Subject::kernel, index);
  for (ProgramFault& fault : program_faults(kernel, device))
    out.object(std::move(fault.field), std::move(fault.message));
  check_factors(kernel, out);
  return found;
}

std::vector<Objection> object_to_totals(const Workload& workload) {
  std::vector<Objection> found;
  check_totals(workload, found);
  return found;
}

std::vector<Objection> object_to_children(const std::vector<Kernel>& kernels) {
  std::vector<Objection> found;
  const KernelFamilies families = find_families(kernels);
  for (const auto& circle : families.circles) {
    Objection objection{Subject::kernel, index_of(circle.front()), "program", {}, {}, {}};
    objection.message = "these kernels launch each other for ever: ";
    for (const KernelId kernel : circle) {
      objection.message += kernels[index_of(kernel)].name + " -> ";
      objection.others.push_back(index_of(kernel));
    }
    objection.message += kernels[index_of(circle.front())].name;
    found.push_back(std::move(objection));
  }
  // Whoever stands above such a kernel has more, too; that follows.
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (families.generations[i] == kMostGenerations + 1)
      Objector(found, Subject::kernel, i)
          .object("program", "its children launch children, and so on, for " + std::to_string(families.generations[i]) +
                                 " generations; at most " + std::to_string(kMostGenerations) + " are allowed");
  return found;
}

std::vector<Objection> object_to_names(const Workload& workload) {
  std::vector<Objection> found;
  std::unordered_map<std::string_view, std::size_t> children;
  for (std::size_t i = 0; i < workload.launches.size(); ++i)
    if (workload.launches[i].parent) children.emplace(workload.launches[i].name, i);
  for (std::size_t i = 0; i < workload.launches.size() && !children.empty(); ++i) {
    const Launch& launch = workload.launches[i];
    const auto child = children.find(launch.name);
    if (launch.parent || child == children.end()) continue;
    const LaunchParent& parent = *workload.launches[child->second].parent;
    Objector(found, Subject::launch, i)
        .object("name", "the child that work-group " + std::to_string(number_of(parent.work_group)) + " of '" +
                            workload.launches[index_of(parent.launch)].name + "' launches is called '" + launch.name +
                            "', too; give this launch another `name:`");
  }
  return found;
}

std::vector<Objection> preflight(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                                 const PolicyCatalog& policies) {
  std::vector<Objection> found = object_to_dispatch(rules, policies);
  append(found, object_to_timing(device, rules));
  for (std::size_t i = 0; i < workload.kernels.size(); ++i) {
    const Kernel& kernel = workload.kernels[i];
    append(found, object_to_range(kernel, i));
    if (!kernel.range.is_countable()) continue;
    append(found, object_to_needs(kernel, i, device));
    append(found, object_to_program(kernel, i, device));
  }
  for (std::size_t i = 0; i < workload.queues.size(); ++i) append(found, object_to_queue(workload, i, device, rules));
  for (std::size_t i = 0; i < workload.launches.size(); ++i)
    append(found, object_to_launch(workload, i, device, rules));
  append(found, object_to_children(workload.kernels));
  append(found, object_to_order(workload));
  if (found.empty()) check_children(workload, found);
  if (found.empty()) append(found, object_to_totals(workload));
  return found;
}

}  // namespace gdsim
