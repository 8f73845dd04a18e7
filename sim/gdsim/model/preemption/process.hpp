#pragma once

#include <gdsim/model/model.hpp>
#include <gdsim/model/preemption/resident_contexts.hpp>
#include <gdsim/record/preemption/device_time.hpp>

#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// One of several processes that have the whole device in turn. It has its own model, whose time is that of the
/// process. While another process has the device, that time stands still: steps, barriers, shared resources, recoveries
/// and dispatch continue later as if nothing had happened, so no work is lost or done twice. The host and the copy
/// engines continue meanwhile: launches arrive, copies begin and end.
///
/// All times of the interface are those of the run.
class Process {
 public:
  /// The process does not have the device yet, at time 0.
  explicit Process(ModelInput input);

  /// Returns a time before which nothing happens in the process as things stand, or nullopt if nothing will.
  std::optional<SimTime> next_time() const;
  /// Executes everything of the instant `at`, which must not be after next_time().
  void run_instant(SimTime at);
  /// Returns the facts about threads at the last instant, in order. Valid until the next instant.
  std::span<const Fact> facts() const { return model_.facts(); }
  std::span<const LaunchFact> launch_facts() const { return model_.launch_facts(); }
  bool copy_began() const { return model_.copy_began(); }

  /// The process gets the device. Events that were held back happen in run_instant() at this time.
  void resume(SimTime at);
  /// The process loses the device. Its instant of this time, if it has one, is over.
  void suspend(SimTime at);
  bool has_device() const { return has_device_; }
  /// The process places no further work-group until it gets the device again. Its instant of this time is over.
  void drain(SimTime at);

  /// Returns true if a launch of the process has arrived and has not ended.
  bool has_work() const { return !model_.state().launches.present().empty(); }
  /// Returns true if work of the process is pending: it continues when the process has the device.
  bool has_pending_work() const {
    return !kept_.empty() || !model_.state().events.instant_is_over() || model_.next_time().has_value();
  }
  const ResidentContexts& contexts() const { return contexts_; }
  bool is_done() const { return model_.is_done(); }
  /// The time of the process.
  SimTime own_time() const { return model_.now(); }
  const DeviceTime& times() const { return times_; }
  Model& model() { return model_; }
  const Model& model() const { return model_; }

 private:
  SimTime own(SimTime at) const { return at - ahead_; }
  /// Begins the instant of its own time at `at`. Returns true if it has one.
  bool begin_own_instant(SimTime at);
  /// Events of the host that are due become events of the instant.
  void take_host_events();
  void handle(const GpuQueue::Batch& batch);

  Model model_;
  DeviceTime times_;
  ResidentContexts contexts_;
  Duration ahead_;  ///< time of the run - own time, while it has the device
  bool has_device_ = false;
  bool is_draining_ = false;
  std::vector<Event> kept_;  ///< of the instant at which its time stands still: they happen when it continues
};

}  // namespace gdsim
