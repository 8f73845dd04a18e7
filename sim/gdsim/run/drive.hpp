#pragma once

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/model/model.hpp>
#include <gdsim/record/listeners.hpp>
#include <gdsim/run/run_loop.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// The bounds and the stop request that may end a run early.
struct RunControl {
  RunBounds bounds;
  StopToken stop;
};

/// The model's view of the compiled parts, which must outlive it.
ModelInput input_of(const CompiledParts& parts, std::uint64_t seed_offset = 0, const FaultInjection& faults = {},
                    std::vector<WaitSeries*> wait_series = {}, KeepAccounts accounts = KeepAccounts::yes);

/// Advances a model until its run is over, and reports to the listeners.
RunEnd drive(Model& model, Listeners& listeners, const RunControl& control);

}  // namespace gdsim
