#pragma once

#include <gdsim/model/model.hpp>
#include <gdsim/record/observer.hpp>
#include <gdsim/record/wait_log.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

/// The resources of cores that work-groups hold, computed from facts alone. They are saved when another process gets
/// the device. Each work-group must be on one core.
class ResidentContexts {
 public:
  struct OfGroup {
    CoreId core{};
    std::uint32_t threads = 0;  ///< number of threads that hold a context
    std::uint32_t running = 0;
    Bytes slm;
  };
  using Key = std::pair<LaunchId, WorkGroupId>;

  void apply(std::span<const Fact> facts) {
    for (const Fact& fact : facts) apply(fact);
  }
  /// Returns the work-groups by launch and number.
  const std::map<Key, OfGroup>& groups() const { return groups_; }
  bool empty() const { return groups_.empty(); }
  /// Appends one fact for each work-group, `saved` or `restored`.
  void add_facts(ThreadEvent kind, std::vector<Fact>& facts) const {
    for (const auto& [key, group] : groups_) {
      Fact& fact = facts.emplace_back();
      fact.kind = kind;
      fact.core = group.core;
      fact.threads = group.threads;
      fact.launch = key.first;
      fact.running = group.running;
      fact.work_group = key.second;
      fact.slm = group.slm;
    }
  }

 private:
  void apply(const Fact& fact) {
    const Key key{fact.launch, fact.work_group};
    OfGroup& group = groups_[key];
    group.core = fact.core;
    group.slm = fact.slm;
    switch (fact.kind) {
      case ThreadEvent::placed:
        group.threads += fact.threads;
        group.running += fact.threads;
        break;
      case ThreadEvent::resumed: group.running += fact.threads; break;
      case ThreadEvent::waiting:
      case ThreadEvent::ended: group.running -= fact.threads; break;
      case ThreadEvent::released: group.threads -= fact.threads; break;
      case ThreadEvent::saved:
      case ThreadEvent::restored: break;
    }
    if (fact.closes_core) groups_.erase(key);
  }

  std::map<Key, OfGroup> groups_;
};

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
  /// Returns the time from which the stores of this process are acknowledged, or nullopt while it has resident
  /// work-groups or stores under way. The process must have the device.
  std::optional<SimTime> drained_at() const {
    const auto acknowledged = model_.state().stores.last_acknowledgement();
    return contexts_.empty() && acknowledged ? std::optional(*acknowledged + ahead_) : std::nullopt;
  }
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
  void handle(const ModelEventQueue::Batch& batch);

  Model model_;
  DeviceTime times_;
  ResidentContexts contexts_;
  Duration ahead_;  ///< time of the run minus own time, while it has the device
  bool has_device_ = false;
  bool is_draining_ = false;
  std::vector<Event> kept_;  ///< events of the instant at which its time stopped; executed when it continues
};

}  // namespace gdsim
