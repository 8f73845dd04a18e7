#pragma once

#include <gdsim/fast_forward/isolated_loops.hpp>
#include <gdsim/fast_forward/known_ends.hpp>
#include <gdsim/fast_forward/recurrence.hpp>
#include <gdsim/fast_forward/renewal.hpp>

#include <cstdint>

namespace gdsim {

/// Fast-forwards a model, exactly: what follows is the same as if every instant had been simulated. To be called
/// after every instant. The model knows nothing of it.
class FastForwarder {
 public:
  /// Nothing happens behind `bound`. All must outlive this.
  FastForwarder(Model& model, FastForwardSink& sink, SimTime bound)
      : model_(model),
        loops_(model.state()),
        recurrence_(model, sink, bound),
        renewal_(model, sink, bound),
        known_ends_(model, sink, bound),
        renews_(sink.hides_instants()),
        reports_slots_(sink.wants_each_reuse()) {}

  void on_instant_end() {
    const std::uint64_t events = model_.events() - events_;
    events_ = model_.events();
    if (!model_.state().faults.lost_release) recurrence_.on_instant_end(events);
    // What is recorded has to hold every instant, and every work-group that is reported.
    const bool is_recording = recurrence_.is_recording();
    if (renews_ && !(reports_slots_ && is_recording)) renewal_.on_instant_end();
    if (!is_recording) known_ends_.on_instant_end();
  }

  /// The run is over: the model is as if every instant had been simulated.
  void finish() { loops_.resume_all(); }

 private:
  Model& model_;
  IsolatedLoops loops_;
  Recurrence recurrence_;
  Renewal renewal_;
  KnownEnds known_ends_;
  bool renews_;
  bool reports_slots_;
  std::uint64_t events_ = 0;  ///< of the model, at the last instant
};

}  // namespace gdsim
