#pragma once

#include <gdsim/fast_forward/backoff.hpp>
#include <gdsim/fast_forward/fast_forward_sink.hpp>
#include <gdsim/fast_forward/slot_report.hpp>
#include <gdsim/fast_forward/slot_reuse.hpp>
#include <gdsim/model/model.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// On a device that is full of work-groups of known durations, the main change is that one ends and the next of its
/// launch takes its slot. Then work-groups need no events: their ends wait in a separate queue, and the dispatcher
/// decides only where work-groups on several cores end at once.
class SlotRecycling {
 public:
  /// Nothing happens after `bound`. All references must outlive this.
  SlotRecycling(Model& model, FastForwardSink& sink, SimTime bound)
      : model_(model), sink_(sink), bound_(bound), report_(sink) {}

  /// The model's instant is over.
  void on_instant_end();

 private:
  const std::optional<GroupDurations>& durations_of(LaunchId launch);
  bool try_recycling(LaunchId launch);
  std::vector<Slot> slots_of(LaunchId launch);
  Slot slot_of(CohortIndex cohort, SimTime end) const;
  bool only_reuses_slots(LaunchId launch, const std::vector<Slot>& slots) const;
  std::uint64_t advance(LaunchId launch, SlotReuse& reuse, std::uint64_t max);
  template <class Note>
  std::uint64_t advance(LaunchId launch, SlotReuse& reuse, std::uint64_t max, const Note& note);
  void place_together(LaunchId launch, SlotReuse& reuse);
  void suspend(const std::vector<Slot>& slots);
  void resume(const std::vector<Slot>& slots);

  Model& model_;
  FastForwardSink& sink_;
  SimTime bound_;
  SlotReport report_;
  Backoff backoff_;
  std::uint64_t pending_ = 0;                ///< events, at the last attempt that looked at them
  std::optional<LaunchId> launch_;           ///< of the last dispatch, whose durations these are
  std::optional<GroupDurations> durations_;  ///< nullopt if they are not known
};

}  // namespace gdsim
