#pragma once

#include <gdsim/fast_forward/fast_forward_sink.hpp>
#include <gdsim/fast_forward/launch_recording.hpp>
#include <gdsim/model/model.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace gdsim {

/// Repeats recorded launches. A launch that is alone on a quiet device, from its arrival until the device is quiet
/// again, behaves like an earlier launch of the same kernel that found the same state. One such launch is recorded, and
/// the others repeat it. A training step, for example, has thousands of launches of a few dozen kernels.
class IsolatedLaunches {
 public:
  /// Returns true if launches can be repeated under the rules of this model, and some kernel has enough of them.
  static bool may_occur(const ModelState& state);
  /// The run ends at `bound` at the latest. All references must outlive this.
  IsolatedLaunches(Model& model, FastForwardSink& sink, SimTime bound);

  /// Repeats as many launches as possible before the next instant is simulated.
  void skip();
  /// Must be called at the end of every simulated instant.
  void on_instant_end();
  /// Must be called after any other fast-forwarding: the recording lacks its instants and is dropped.
  void on_fast_forward() { recording_.reset(); }
  /// Must be called at the end of the run: updates sums as if every launch had been simulated.
  void finish();

 private:
  /// The state that a launch finds: its kernel, its allowed cores, its remaining preparation, cursors of dispatching.
  using Found = std::vector<std::uint64_t>;
  struct Entry {
    std::uint32_t seen = 0;      ///< launches that were simulated
    std::uint32_t failures = 0;  ///< failed recordings: another launch arrived, or there were too many facts
    std::uint64_t repeated = 0;
    std::unique_ptr<RecordedLaunch> recorded;  ///< its facts name the launch that was reported last
  };

  bool can_repeat(LaunchId launch) const;
  bool skip_next();
  void repeat(LaunchId launch, SimTime at, Entry& entry);
  void report(LaunchId launch, SimTime at, RecordedLaunch& recorded);

  Model& model_;
  FastForwardSink& sink_;
  SimTime bound_;
  std::vector<bool> kernels_repeat_;  ///< by kernel
  std::map<Found, Entry> entries_;
  std::size_t words_ = 0;  ///< of the found states
  std::size_t facts_ = 0;  ///< number of recorded facts
  Found found_;            ///< the state found by the launch that is examined
  std::optional<LaunchRecording> recording_;
  Entry* recorded_for_ = nullptr;
};

}  // namespace gdsim
