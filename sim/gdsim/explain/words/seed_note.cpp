#include <gdsim/explain/words/seed_note.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/explain/words/devices_of.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace gdsim {

bool draws_at_random(const Scenario& scenario) {
  const auto devices = devices_of(scenario);
  return std::any_of(devices.begin(), devices.end(), [](const Scenario& one) {
    const std::vector<const Kernel*> kernels = launched_kernels(one.workload);
    return std::any_of(kernels.begin(), kernels.end(),
                       [](const Kernel* kernel) { return draw_in_force(*kernel).has_value(); });
  });
}

std::optional<std::string> seed_note(Duration baseline, std::span<const std::optional<Duration>> others,
                                     const Terms& terms) {
  Duration shortest = baseline, longest = baseline;
  std::size_t count = 1;
  for (const std::optional<Duration>& one : others) {
    if (!one) continue;
    ++count;
    shortest = std::min(shortest, *one);
    longest = std::max(longest, *one);
  }
  if (count == 1) return std::nullopt;
  if (shortest == longest)
    return fmt::format("The {}s are drawn at random: {} seeds give the same duration.", terms.work_group, count);
  const Ratio percent{static_cast<UInt128>((longest - shortest).count) * 100, static_cast<UInt128>(baseline.count)};
  return fmt::format(
      "The {}s are drawn at random: over {} seeds the run takes {} to {}; a difference of less than {} % "
      "may be chance.",
      terms.work_group, count, to_rounded_text(shortest), to_rounded_text(longest), to_fixed(percent, 1));
}

}  // namespace gdsim
