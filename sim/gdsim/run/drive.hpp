#pragma once

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/fast_forward/fast_forward.hpp>
#include <gdsim/model/model.hpp>
#include <gdsim/record/observer.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// The bounds and the stop request that may end a run early, and whether it may be fast-forwarded.
struct RunControl {
  RunBounds bounds;
  StopToken stop;
  FastForward fast_forward = FastForward::yes;
};

/// Whether a run ended because nothing was pending, because of a stop request, or at a bound.
enum class RunEnd : std::uint8_t { nothing_pending, stop_requested, bound_reached };

/// Returns the model's view of the compiled parts, which must outlive it.
ModelInput input_of(const CompiledParts& parts, std::uint64_t seed_offset = 0, const FaultInjection& faults = {},
                    std::vector<WaitSeries*> wait_series = {}, KeepAccounts accounts = KeepAccounts::yes);

/// Advances a model until its run is over, and reports to the observers. Unless `skipped` is null, it gets the
/// fast-forwarded amounts.
RunEnd drive(Model& model, std::span<Observer* const> observers, const RunControl& control,
             FastForwarded* skipped = nullptr);

}  // namespace gdsim
