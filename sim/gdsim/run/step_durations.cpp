#include <gdsim/run/step_durations.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim {
namespace {

Picoseconds duration(const Step& step, Hertz clock, const Decimal& factor) {
  const auto* compute = std::get_if<Compute>(&step);
  if (compute == nullptr) return {};
  const auto time = resolve(compute->time, clock, factor);
  GDSIM_CHECK(time && time->count > 0, "a step without a usable duration passed preflight");
  return *time;
}

}  // namespace

Hertz clock_of(const DeviceSpec& device) { return device.clock.value_or(Hertz{}); }

StepDurations::StepDurations(const Kernel& kernel, const DeviceSpec& device) : kernel_(kernel) {
  const Hertz clock = clock_of(device);
  for (const Step& step : kernel.program) rows_.push_back(duration(step, clock, Decimal::whole(1)));
  for (const WorkGroupFactor& entry : kernel.factors)
    for (const Step& step : kernel.program) rows_.push_back(duration(step, clock, entry.factor));
}

std::span<const Picoseconds> StepDurations::of(WorkGroupId group) const {
  const auto& factors = kernel_.factors;
  const auto entry =
      std::lower_bound(factors.begin(), factors.end(), group,
                       [](const WorkGroupFactor& factor, WorkGroupId number) { return factor.work_group < number; });
  std::size_t row = 0;
  if (entry != factors.end() && entry->work_group == group) row = static_cast<std::size_t>(entry - factors.begin()) + 1;
  return std::span(rows_).subspan(row * kernel_.program.size(), kernel_.program.size());
}

}  // namespace gdsim
