#pragma once

#include <gdsim/fast_forward/fast_forward_sink.hpp>
#include <gdsim/model/model.hpp>
#include <gdsim/record/listeners.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstdint>
#include <span>

namespace gdsim {

/// Livelock guard: a stop request interrupts an instant only after it has handled this many events.
inline constexpr std::uint64_t kMaxEventsAtOnce = 1'000'000;

/// Reports every instant of a model at which something happened, and every fast-forward, to the observers.
class Broadcast : public FastForwardSink {
 public:
  /// All arguments must outlive this.
  Broadcast(const Model& model, std::span<Observer* const> observers, StopToken stop = {})
      : model_(model), listeners_(observers), stop_(std::move(stop)) {}

  /// Reports the model's instant, which is over.
  void report() {
    // A run begins with its first copy or its first thread. A copy is no fact, but the first one shows an empty device.
    const bool begins = model_.copy_began() && !has_begun_;
    if (model_.facts().empty() && model_.launch_facts().empty() && !begins) return;
    has_begun_ = true;
    listeners_.instant(model_.now(), model_.facts(), model_.launch_facts());
  }

  std::uint64_t max_repetitions(const Segment& segment) override { return listeners_.max_repetitions(segment); }
  void on_repeated(const Segment& segment, std::uint64_t count) override {
    skipped_.instants += count * segment.instants();
    skipped_.work_groups += count * segment.work_groups();
    listeners_.on_repeated(segment, count);
  }
  bool may_elide_instants() const override { return !listeners_.want_every_instant(); }
  bool wants_each_reuse() const override { return listeners_.want_each_work_group(); }
  void report_reuses(const ReusedSlots& reused) override { listeners_.report_reuses(reused); }
  void count_reuses(std::uint64_t work_groups) override {
    skipped_.slots += work_groups;
    listeners_.count_reuses(model_.now(), work_groups);
  }
  void report_instant(SimTime time, std::span<const Fact> facts, std::span<const LaunchFact> launches) override {
    listeners_.instant(time, facts, launches);
  }
  void count_launches(std::uint64_t launches) override { skipped_.launches += launches; }
  bool stop_requested() const override { return stop_.stop_requested(); }
  /// Returns true if a stop was requested and this instant has handled too many events to wait for its end.
  bool gives_up(std::uint64_t events) const { return events >= kMaxEventsAtOnce && stop_requested(); }

  const FastForwarded& skipped() const { return skipped_; }

 private:
  const Model& model_;
  Listeners listeners_;
  StopToken stop_;
  bool has_begun_ = false;  ///< something was reported
  FastForwarded skipped_;
};

}  // namespace gdsim
