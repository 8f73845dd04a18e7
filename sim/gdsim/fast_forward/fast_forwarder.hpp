#pragma once

#include <gdsim/fast_forward/fast_forward.hpp>
#include <gdsim/fast_forward/isolated_launches.hpp>
#include <gdsim/fast_forward/isolated_loops.hpp>
#include <gdsim/fast_forward/recurrence.hpp>
#include <gdsim/fast_forward/slot_recycling.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

/// Fast-forwards a model exactly: the results are the same as if every instant had been simulated. on_instant_end()
/// must be called after every instant. The model depends only on the interfaces in model/fast_forward_port.
class FastForwarder {
 public:
  /// Uses the methods `ways`. The run ends at `bound` at the latest. All references must outlive this.
  FastForwarder(Model& model, FastForwardSink& sink, SimTime bound, const FastForward& ways)
      : model_(model), reports_slots_(sink.wants_each_reuse()) {
    if (ways.isolated_loops) loops_.emplace(model.state());
    if (ways.recurrence) recurrence_.emplace(model, sink, bound);
    if (ways.slot_recycling && sink.may_elide_instants()) slot_recycling_.emplace(model, sink, bound);
    if (ways.isolated_launches && IsolatedLaunches::may_occur(model.state())) launches_.emplace(model, sink, bound);
  }

  /// Skips isolated launches that repeat equal ones. Must be called before every instant.
  void before_instant() {
    if (launches_) launches_->skip();
  }

  void on_instant_end() {
    const std::uint64_t events = model_.events() - events_;
    events_ = model_.events();
    if (launches_) launches_->on_instant_end();
    const SimTime before = model_.now();
    if (recurrence_ && !model_.state().faults.lost_release) recurrence_->on_instant_end(events);
    // A recording must contain every instant and every work-group that is reported.
    const bool is_recording = recurrence_ && recurrence_->is_recording();
    if (slot_recycling_ && !(reports_slots_ && is_recording)) slot_recycling_->on_instant_end();
    if (launches_ && model_.now() != before) launches_->on_fast_forward();
  }

  /// Must be called at the end of the run: brings the model to the state it would have if every instant were simulated.
  void finish() {
    if (loops_) loops_->resume_all();
    if (launches_) launches_->finish();
  }

 private:
  Model& model_;
  std::optional<IsolatedLoops> loops_;
  std::optional<Recurrence> recurrence_;
  std::optional<SlotRecycling> slot_recycling_;
  std::optional<IsolatedLaunches> launches_;
  bool reports_slots_;
  std::uint64_t events_ = 0;  ///< number of events handled up to the last instant
};

}  // namespace gdsim
