#pragma once

#include <gdsim/model/model.hpp>
#include <gdsim/model/preemption/resident_contexts.hpp>
#include <gdsim/record/preemption/device_time.hpp>

#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// One of several processes that have a device in turn, each as a whole: a model of its own, whose time is that of the
/// process. While another process has the device, that time stands still: steps, barriers, shared resources, recoveries
/// and dispatch go on later as if nothing had been, so that no work is lost or done twice. The host and the copy
/// engines go on meanwhile: launches arrive, copies begin and end.
///
/// All times of the interface are those of the run.
class Process {
 public:
  /// It does not have the device yet, at time 0.
  explicit Process(ModelInput input);

  /// Nothing happens in it before this time, as things stand; nothing: nothing will.
  std::optional<SimTime> next_time() const;
  /// Everything of the instant happens, which is not behind next_time().
  void run_instant(SimTime at);
  /// What happened to threads at the last instant, in this order. Valid until the next.
  std::span<const Fact> facts() const { return model_.facts(); }
  std::span<const LaunchFact> launch_facts() const { return model_.launch_facts(); }
  bool copy_began() const { return model_.copy_began(); }

  /// It gets the device. What was kept from happening meanwhile happens with run_instant() of this time.
  void resume(SimTime at);
  /// It has the device no more. Its instant of this time, if it has one, is over.
  void suspend(SimTime at);
  bool has_device() const { return has_device_; }
  /// It places no further work-group until it gets the device anew. Its instant of this time is over.
  void drain(SimTime at);

  /// A launch of it has arrived and has not ended.
  bool has_work() const { return !model_.state().launches.present().empty(); }
  /// Something of its work is pending: it goes on once it has the device.
  bool has_pending_work() const {
    return !kept_.empty() || !model_.state().events.instant_is_over() || model_.next_time().has_value();
  }
  const ResidentContexts& contexts() const { return contexts_; }
  bool is_done() const { return model_.is_done(); }
  /// Its own time.
  SimTime own_time() const { return model_.now(); }
  const DeviceTime& times() const { return times_; }
  Model& model() { return model_; }
  const Model& model() const { return model_; }

 private:
  SimTime own(SimTime at) const { return at - ahead_; }
  /// True if its own time has an instant then, which begins.
  bool begin_own_instant(SimTime at);
  /// Events of the host that are due become events of the instant.
  void take_host_events();
  void handle(const GpuQueue::Batch& batch);

  Model model_;
  DeviceTime times_;
  ResidentContexts contexts_;
  Duration ahead_;  ///< the time of the run, while it has the device
  bool has_device_ = false;
  bool is_draining_ = false;
  std::vector<Event> kept_;  ///< of the instant at which its time stands still: they happen when it goes on
};

}  // namespace gdsim
