#include <gdsim/analysis/lanes.hpp>

#include <numeric>

namespace gdsim {
namespace {

/// amount x numerator / denominator, rounded down.
UInt128 part_of(UInt128 amount, std::uint64_t numerator, std::uint64_t denominator) {
  const std::uint64_t common = std::gcd(numerator, denominator);
  numerator /= common;
  denominator /= common;
  const UInt128 quotient = amount / denominator;
  const UInt128 rest = amount % denominator;
  return quotient * numerator + rest * numerator / denominator;
}

}  // namespace

GroupLanes lanes_of_group(const Kernel& kernel) {
  return {kernel.range.group_size(), kernel.threads_per_work_group() * kernel.sub_group};
}

std::optional<Ratio> active_lanes_percent(const Workload& workload, const RunRecord& record) {
  UInt128 active = 0;
  UInt128 all = 0;
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const Launch& launch = workload.launches[i];
    if (!launch.is_kernel() || record.launches[i].resident_time <= 0) continue;
    const Kernel& kernel = workload.kernel_of(launch);
    const auto time = static_cast<UInt128>(record.launches[i].resident_time);
    all += time * kernel.sub_group;
    active += part_of(time, volume(kernel.range.global).value_or(0), kernel.threads_total());
  }
  if (all == 0) return std::nullopt;
  return Ratio{active * 100, all};
}

}  // namespace gdsim
