#pragma once

#include <gdsim/model/model.hpp>
#include <gdsim/model/preemption/resident_contexts.hpp>
#include <gdsim/record/preemption/device_time.hpp>

#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// One of several processes that have the whole device in turn. It has its own model, whose time is that of the
/// process. This time stops while another process has the device: steps, barriers, shared resources, recoveries and
/// dispatch later continue from the same state, so no work is lost or repeated. The host and the copy engines do not
/// stop: launches arrive, copies begin and end.
///
/// All times in the interface are times of the run.
class Process {
 public:
  /// At time 0, the process does not have the device.
  explicit Process(ModelInput input);

  /// Returns a time before which no event happens in the process in its current state, or nullopt if none is pending.
  std::optional<SimTime> next_time() const;
  /// Executes all events of the instant `at`, which must not be after next_time().
  void run_instant(SimTime at);
  /// Returns the facts about threads at the last instant, in order. Valid until the next instant.
  std::span<const Fact> facts() const { return model_.facts(); }
  std::span<const LaunchFact> launch_facts() const { return model_.launch_facts(); }
  bool copy_began() const { return model_.copy_began(); }

  /// Gives the device to the process. run_instant() at this time executes the events that it has kept.
  void resume(SimTime at);
  /// Takes the device from the process. Its instant at this time, if it has one, must be over.
  void suspend(SimTime at);
  bool has_device() const { return has_device_; }
  /// Stops placing work-groups until the process gets the device again. Its instant at this time must be over.
  void drain(SimTime at);

  /// Returns true if a launch of the process has arrived and has not ended.
  bool has_work() const { return !model_.state().launches.present().empty(); }
  /// Returns true if the process has pending work, which continues when it has the device.
  bool has_pending_work() const {
    return !kept_.empty() || !model_.state().events.instant_is_over() || model_.next_time().has_value();
  }
  const ResidentContexts& contexts() const { return contexts_; }
  bool is_done() const { return model_.is_done(); }
  /// Returns the time of the process.
  SimTime own_time() const { return model_.now(); }
  const DeviceTime& times() const { return times_; }
  Model& model() { return model_; }
  const Model& model() const { return model_; }

 private:
  SimTime own(SimTime at) const { return at - ahead_; }
  /// Begins the instant of its own time that is at `at`. Returns true if there is one.
  bool begin_own_instant(SimTime at);
  /// Moves the due events of the host into the current instant.
  void take_host_events();
  void handle(const GpuQueue::Batch& batch);

  Model model_;
  DeviceTime times_;
  ResidentContexts contexts_;
  Duration ahead_;  ///< time of the run minus own time, while it has the device
  bool has_device_ = false;
  bool is_draining_ = false;
  std::vector<Event> kept_;  ///< events of the instant at which its time stopped; executed when it continues
};

}  // namespace gdsim
