#pragma once

#include <gdsim/model/model.hpp>
#include <gdsim/record/observer.hpp>
#include <gdsim/run/run_bounds.hpp>
#include <gdsim/run/skipping.hpp>

#include <atomic>
#include <cstdint>
#include <span>

namespace gdsim {

/// What may end a run early, and whether it may be fast-forwarded.
struct RunControl {
  RunBounds bounds;
  const std::atomic<bool>* stop = nullptr;
  Skipping skipping = Skipping::yes;
};

/// Whether a run went on until nothing was pending, or was told to stop, or came to a bound.
enum class RunIsOver : std::uint8_t { by_itself, by_request };

/// Lets a model go on until its run is over, and reports to the observers.
RunIsOver drive(Model& model, std::span<Observer* const> observers, const RunControl& control);

}  // namespace gdsim
