#pragma once

#include <gdsim/record/stall.hpp>
#include <gdsim/run/gpu_model.hpp>

namespace gdsim {

/// Who waits for what in a model that has work left and no event to come, and was not settled yet.
Stall diagnose(const GpuModel& model, const Workload& workload);

}  // namespace gdsim
