#pragma once

#include <gdsim/dispatch/accounting/idle_ledger.hpp>
#include <gdsim/model/fast_forward_port/launch_effect.hpp>
#include <gdsim/model/model.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

/// The effects and reports of a launch that is alone on the device, to be repeated for equal launches.
struct RecordedLaunch {
  /// Times and ends are counted from the arrival of the launch, and from the first fact.
  struct Instant {
    Duration since_arrival;
    std::size_t facts_end = 0;
    std::size_t launch_facts_end = 0;
  };
  /// The use of time by a core's threads.
  struct TimeGrowth {
    CoreId core{};
    TimeKind kind{};
    Int128 thread_picoseconds = 0;
  };
  /// The integral of the contexts that a core held.
  struct ContextGrowth {
    CoreId core{};
    Int128 thread_picoseconds = 0;
  };

  LaunchEffect effect;
  std::vector<Instant> instants;  ///< instants at which something was reported
  std::vector<Fact> facts;
  std::vector<LaunchFact> launch_facts;
  // Sums on which nothing depends.
  std::vector<ContextGrowth> contexts;
  std::vector<TimeGrowth> times;
  std::vector<IdleEntry> idle;
};

/// Records the launch that is next to arrive on a quiet device, until the device is quiet again.
class LaunchRecording {
 public:
  /// The launch arrives at `at`, alone. The model must outlive this.
  LaunchRecording(Model& model, LaunchId launch, SimTime at);
  LaunchRecording(const LaunchRecording&) = delete;
  LaunchRecording& operator=(const LaunchRecording&) = delete;
  ~LaunchRecording();

  /// The model's instant is over. Returns true if the device is quiet again, or the recording has failed.
  bool on_instant_end();
  /// After on_instant_end() was true, returns true if no other launch has arrived and the recording is short enough.
  bool is_usable() const { return is_usable_; }
  /// Must be called once, if usable.
  RecordedLaunch take();

  /// More facts than this, some 3 MB, are not worth recording.
  static constexpr std::size_t kMaxFacts = std::size_t{1} << 16U;

 private:
  bool fail();

  Model& model_;
  LaunchId launch_;
  KernelId kernel_;
  SimTime at_;
  std::uint64_t changes_;  ///< of launches, before the recording
  std::vector<Int128> contexts_before_;
  std::vector<TimeUse> times_before_;
  RecordedLaunch recorded_;
  bool is_usable_ = false;
};

}  // namespace gdsim
