#pragma once

#include <gdsim/leap/leap_sink.hpp>
#include <gdsim/model/model.hpp>
#include <gdsim/record/observer.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <span>

namespace gdsim {

/// Reports every instant of a model at which something happened to the observers, and what it is fast-forwarded over.
class Broadcast : public LeapSink {
 public:
  /// Observers, and `stop` if it is given, must outlive this.
  explicit Broadcast(std::span<Observer* const> observers, const std::atomic<bool>* stop = nullptr)
      : observers_(observers), stop_(stop) {}

  /// The model's instant is over.
  void report(const Model& model) {
    const Picoseconds now = model.now();
    if (!model.launch_facts().empty())
      for (Observer* observer : observers_) observer->launches(now, model.launch_facts());
    // A run begins with its first copy or its first thread: a copy is no fact, but the first shows an empty device.
    const bool begins = model.copy_began() && !has_begun_;
    if (model.facts().empty() && !begins) return;
    has_begun_ = true;
    for (Observer* observer : observers_) observer->instant(now, model.facts());
  }

  std::uint64_t max_repetitions(const Segment& segment) override {
    std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
    for (const Observer* observer : observers_) max = std::min(max, observer->most_repetitions(segment));
    return max;
  }
  void repeated(const Segment& segment, std::uint64_t count) override {
    for (Observer* observer : observers_) observer->repeated(segment, count);
  }
  bool hides_slot_reuse() const override {
    return std::none_of(observers_.begin(), observers_.end(), [](const Observer* o) { return o->sees_handovers(); });
  }
  void slots_reused(std::uint64_t work_groups) override {
    for (Observer* observer : observers_) observer->handed_on(work_groups);
  }
  bool is_told_to_stop() const override { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }

 private:
  std::span<Observer* const> observers_;
  const std::atomic<bool>* stop_;
  bool has_begun_ = false;  ///< observers were told something
};

}  // namespace gdsim
