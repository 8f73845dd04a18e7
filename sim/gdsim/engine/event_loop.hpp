#pragma once

#include <gdsim/base/quantity.hpp>

namespace gdsim {

/// Lets time pass until nothing is pending (true) or the model has had enough (false).
///
/// `model.on(batch)` handles all events of one rank at one instant; `model.instant_over(time)` is told once
/// per instant, after its last rank, and returns whether to go on. A model may have `before_next()`: it
/// schedules what is due before anything that is pending; and `has_enough()`: true ends the instant before its next
/// rank, and with it the run.
template <class Queue, class Model>
bool run_events(Queue& queue, Model& model) {
  while (true) {
    if (queue.instant_is_over()) {
      if constexpr (requires { model.before_next(); }) model.before_next();
      if (!queue.next_instant()) return true;
    }
    while (!queue.instant_is_over()) {
      if constexpr (requires { model.has_enough(); })
        if (model.has_enough()) break;
      model.on(queue.pop_rank());
    }
    if (!model.instant_over(queue.now())) return false;
  }
}

}  // namespace gdsim
