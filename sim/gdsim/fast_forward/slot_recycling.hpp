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

/// Simulates work-groups without events while they only reuse slots. On a device that is full of work-groups of known
/// durations, usually one ends and the next of its launch takes its slot. Then their ends wait in a separate queue, and
/// the dispatcher is needed only if work-groups on several cores end at once.
class SlotRecycling {
 public:
  /// The run ends at `bound` at the latest. All references must outlive this.
  SlotRecycling(Model& model, FastForwardSink& sink, SimTime bound)
      : model_(model), sink_(sink), bound_(bound), report_(sink) {}

  /// Must be called at the end of every instant.
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
  std::uint64_t pending_ = 0;                ///< number of pending events at the last attempt that examined them
  std::optional<LaunchId> launch_;           ///< the launch to which durations_ belong
  std::optional<GroupDurations> durations_;  ///< nullopt if they are not known
};

}  // namespace gdsim
