#pragma once

#include <gdsim/fast_forward/fast_forward_sink.hpp>

#include <cstddef>
#include <vector>

namespace gdsim {

/// Reports reused slots in bulk to a sink that wants each of them.
class SlotReport {
 public:
  /// The sink must outlive this.
  explicit SlotReport(FastForwardSink& sink) : sink_(sink), is_wanted_(sink.wants_each_reuse()) {}

  /// Returns true if the sink wants reports. Otherwise, no other function may be called.
  bool is_wanted() const { return is_wanted_; }
  /// Begins to add slots of this launch, with work-groups of `threads` threads. Work-group `first` takes the first
  /// slot.
  void begin(LaunchId launch, std::uint32_t threads, std::uint64_t first) {
    reused_ = {launch, threads, WorkGroupId{first}, {}};
  }
  /// Adds a slot on `core` that the next work-group took at `time` (picoseconds), when the work-group `ended` ended.
  void add(CoreId core, std::uint64_t time, std::uint64_t ended) {
    slots_.push_back({SimTime{static_cast<std::int64_t>(time)}, core, WorkGroupId{ended}});
    if (slots_.size() == kManySlots) flush();
  }
  /// Reports the added slots.
  void flush() {
    if (slots_.empty()) return;
    reused_.slots = slots_;
    sink_.report_reuses(reused_);
    reused_.first = WorkGroupId{number_of(reused_.first) + slots_.size()};
    slots_.clear();
  }

 private:
  static constexpr std::size_t kManySlots = 512;

  FastForwardSink& sink_;
  bool is_wanted_;
  ReusedSlots reused_;
  std::vector<ReusedSlot> slots_;
};

}  // namespace gdsim
