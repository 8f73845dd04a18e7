#include <gdsim/analysis/findings/finding_small.hpp>

#include <gdsim/analysis/compared_launches.hpp>
#include <gdsim/analysis/longest_kernel.hpp>
#include <gdsim/base/printable.hpp>
#include <gdsim/fit/tail.hpp>

#include <fmt/format.h>

namespace gdsim {

std::string small_finding(const RunReport& report) {
  const Kernel* kernel = longest_own_kernel(report.workload, report.record);
  const ComparedLaunches compared = compared_launches(report.workload, report.record);
  if (kernel == nullptr || compared.spans.empty()) return {};
  const UInt128 per_wave = work_groups_per_wave(*kernel, report.device);
  const UInt128 groups = kernel->range.group_count();
  if (groups * 2 >= per_wave || has_step<Tiles>(kernel->program)) return {};
  Int128 resident = 0;
  for (const LaunchSpan& span : compared.spans) {
    if (!span.may_use_all_cores) return {};
    resident += span.resident_time;
  }
  const UInt128 available = time_of(compared.spans) * per_wave * kernel->threads_per_work_group();
  if (available == 0 || static_cast<UInt128>(resident) * 2 >= available) return {};
  const Terms& terms = report.device.terms;
  return fmt::format("Small: a launch of {} has {} {}{} where {} fit at once; {} % of what fits is resident.",
                     printable(kernel->name), static_cast<std::uint64_t>(groups), terms.work_group,
                     groups == 1 ? "" : "s", static_cast<std::uint64_t>(per_wave),
                     to_fixed({static_cast<UInt128>(resident) * 100, available}, 1));
}

}  // namespace gdsim
