#pragma once

#include <gdsim/import/profiles/scenario/profile_plan.hpp>
#include <gdsim/run/simulate.hpp>

namespace gdsim {

/// Launches that overlap others share the device with them, and so last longer than alone. Those of a checked plan that
/// do not last as measured get kernels of their own, whose computing is scaled until they do, by simulating them and
/// those that run beside them a few times; the best plan that was found is kept. Fewer times where that would take
/// long.
void refine_plan(const DeviceSpec& device, ProfilePlan& plan, const StopToken& stop);

}  // namespace gdsim
