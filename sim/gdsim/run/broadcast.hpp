#pragma once

#include <gdsim/model/model.hpp>
#include <gdsim/record/listeners.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstdint>
#include <utility>

namespace gdsim {

/// Reports every instant of a model at which something happened to the listeners.
class Broadcast {
 public:
  /// All arguments must outlive this.
  Broadcast(const Model& model, Listeners& listeners, StopToken stop = {})
      : model_(model), listeners_(listeners), stop_(std::move(stop)) {}

  /// Reports the model's instant, which is over.
  void report() {
    // A run begins with its first copy or its first thread. A copy is no fact, but the first one shows an empty device.
    const bool begins = model_.copy_began() && !has_begun_;
    if (model_.facts().empty() && model_.launch_facts().empty() && !begins) return;
    has_begun_ = true;
    listeners_.instant(model_.now(), model_.facts(), model_.launch_facts());
  }

  bool stop_requested() const { return stop_.stop_requested(); }
  /// Returns true if a stop was requested and this instant has handled too many events to wait for its end.
  bool gives_up(std::uint64_t events) const { return events >= kMaxEventsAtOnce && stop_requested(); }

 private:
  const Model& model_;
  Listeners& listeners_;
  StopToken stop_;
  bool has_begun_ = false;  ///< something was reported
};

}  // namespace gdsim
