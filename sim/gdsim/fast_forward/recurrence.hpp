#pragma once

#include <gdsim/fast_forward/fast_forward_sink.hpp>
#include <gdsim/fast_forward/recurrence_finder.hpp>
#include <gdsim/model/model.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// Skips periods after which the state of the device recurs. While the same launches are present, the same state often
/// occurs again, moved in time, in the work-groups of each launch, and in the iterations of loops. To skip whole
/// periods is then exact, because equal states have equal futures: up to the next arrival or copy, the next work-group
/// with its own factor, the end of a loop, or the last work-groups of a launch.
class Recurrence {
 public:
  /// The run ends at `bound` at the latest. All references must outlive this.
  Recurrence(Model& model, FastForwardSink& sink, SimTime bound);

  /// Must be called at the end of every instant. `events` is the number of events handled at it.
  void on_instant_end(std::uint64_t events) {
    const ModelState& state = model_.state();
    const bool is_concerned = may_recur() || is_settling_ || finder_.is_looking() || state.waits.is_on();
    if (is_concerned || changes_ != state.launches.changes()) look(events);  // otherwise, look() has no effect
  }
  /// Returns true if every instant of a period is being recorded, to be repeated.
  bool is_recording() const { return finder_.is_recording(); }

 private:
  /// Says when the work-groups of a kernel, or iterations of its loops, may recur. Several work-groups with drawn
  /// factors never reach the same state again; the iterations of a single one do.
  enum class Recurs : std::uint8_t { never, alone, ever };

  bool may_recur() const {
    return recurs_ == Recurs::ever || (recurs_ == Recurs::alone && model_.state().residents.count() == 1);
  }
  void look(std::uint64_t events);
  void on_launches_changed();
  bool settle(std::uint64_t events);
  Recurs recurs(KernelId kernel) const;
  Recurs present_recur() const;
  void back_off();
  void restart_detection();
  void follow_waits();
  bool can_anything_recur() const;
  bool kernel_has_loop(LaunchId launch) const;
  bool has_loop(KernelId id) const;
  bool take_image(StateImage& image);
  std::vector<Int128> totals();
  bool can_repeat(LaunchId launch) const;
  bool can_repeat(KernelId kernel) const;
  bool can_repeat(const Period& period) const;
  std::uint64_t max_groups(const GroupCount& in_one) const;
  std::uint64_t max_groups_in_partitions(const GroupCount& in_one) const;
  std::uint64_t groups_in_batches(const GroupCount& in_one, std::uint64_t max) const;
  std::uint64_t skippable_periods() const;
  void fast_forward(std::uint64_t count);
  void fast_forward(const Period& period, std::uint64_t count, std::span<const Int128> growth);

  Model& model_;
  FastForwardSink& sink_;
  SimTime bound_;
  std::vector<Recurs> kernels_recur_;  ///< by kernel
  RecurrenceFinder finder_;
  std::uint64_t changes_ = ~std::uint64_t{0};  ///< changes of launches up to the last instant
  bool is_settling_ = false;                   ///< launches have changed, and the present ones are not examined yet
  std::uint64_t events_since_change_ = 0;
  Recurs recurs_ = Recurs::never;   ///< the maximum over the present kernels
  std::uint64_t min_events_ = 0;    ///< number of events before the next search, after periods that saved too little
  std::vector<Int128> began_with_;  ///< totals at the beginning of the period that is recorded
};

}  // namespace gdsim
