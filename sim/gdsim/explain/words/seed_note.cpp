#include <gdsim/explain/words/seed_note.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/explain/words/devices_of.hpp>
#include <gdsim/report/markup.hpp>
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
  const std::size_t count = others.size() + 1;
  for (const std::optional<Duration>& one : others) {
    if (!one) return std::nullopt;  // a bound leaves out the longest
    shortest = std::min(shortest, *one);
    longest = std::max(longest, *one);
  }
  if (count == 1) return std::nullopt;
  const std::string varying = capitalized(terms.work_group) + "s vary at random: ";
  if (shortest == longest) return varying + std::to_string(count) + " seeds give the same duration.";
  const std::string range = fmt::format("{}over {} seeds the run takes {} to {}", varying, count,
                                        to_rounded_text(shortest), to_rounded_text(longest));
  const auto apart = static_cast<UInt128>((longest - shortest).count) * 100;
  const auto whole = static_cast<UInt128>(baseline.count);
  if (apart * 10 < whole) return range + ", less than 0.1 % apart.";
  return fmt::format("{}; a difference of less than {} % may be chance.", range, to_fixed(Ratio{apart, whole}, 1));
}

}  // namespace gdsim
