#pragma once

#include <gdsim/base/quantity.hpp>

namespace gdsim {

/// Lets time pass until nothing is pending (true) or the model has had enough (false).
///
/// `model.on(batch)` handles all events of one rank at one instant; `model.instant_over(time)` is told once
/// per instant, after its last rank, and returns whether to go on.
template <class Queue, class Model>
bool run_events(Queue& queue, Model& model) {
  while (!queue.instant_is_over() || queue.next_instant()) {
    while (!queue.instant_is_over()) model.on(queue.pop_rank());
    if (!model.instant_over(queue.now())) return false;
  }
  return true;
}

}  // namespace gdsim
