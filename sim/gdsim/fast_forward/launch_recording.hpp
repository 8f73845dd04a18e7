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
  /// An instant with reports. The ends are numbers of facts, counted from the first fact of the launch.
  struct Instant {
    Duration since_arrival;
    std::size_t facts_end = 0;
    std::size_t launch_facts_end = 0;
  };
  /// The growth of the time use of a core's threads.
  struct TimeGrowth {
    CoreId core{};
    TimeKind kind{};
    Int128 thread_picoseconds = 0;
  };
  /// The growth of the integral of a core's held contexts.
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

/// Records the next launch to arrive on a quiet device, until the device is quiet again.
class LaunchRecording {
 public:
  /// `at` must be the arrival time of the launch, and its arrival the only event then. The model must outlive this.
  LaunchRecording(Model& model, LaunchId launch, SimTime at);
  LaunchRecording(const LaunchRecording&) = delete;
  LaunchRecording& operator=(const LaunchRecording&) = delete;
  ~LaunchRecording();

  /// Must be called at the end of every instant. Returns true if the device is quiet again or the recording has failed.
  bool on_instant_end();
  /// Returns true if no other launch has arrived and the recording is short enough. Must be called after
  /// on_instant_end() has returned true.
  bool is_usable() const { return is_usable_; }
  /// Returns the recording. Must be called at most once, if is_usable() returns true.
  RecordedLaunch take();

  /// The maximum number of facts that are worth recording: about 3 MB.
  static constexpr std::size_t kMaxFacts = std::size_t{1} << 16U;

 private:
  bool fail();

  Model& model_;
  LaunchId launch_;
  KernelId kernel_;
  SimTime at_;
  std::uint64_t changes_;  ///< changes of launches before the recording
  std::vector<Int128> contexts_before_;
  std::vector<TimeUse> times_before_;
  RecordedLaunch recorded_;
  bool is_usable_ = false;
};

}  // namespace gdsim
