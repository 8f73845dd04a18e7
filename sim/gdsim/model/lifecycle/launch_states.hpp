#pragma once

#include <gdsim/base/arithmetic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/model/events.hpp>
#include <gdsim/model/lifecycle/residents.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

// Rule, to the picosecond: children.
//
// A work-group launches a child when the first of its threads reaches the step. The child is submitted at that instant;
// where the children of a kernel begin `at_wait`, at the instant at which threads of the work-group next reach a
// `launch` step with `wait: true`, this step included, or, if none does, at which the work-group ends; where they begin
// `after_parent`, at the instant from which all work-groups of the launch have ended and its stores are acknowledged.
// In each case the launch has ended only once its children have ended.

/// The work-group that launched each child, and the children that have not been submitted yet.
class Children {
 public:
  explicit Children(const Workload& workload) : workload_(workload) {
    const auto is_late = [](const Kernel& kernel) { return kernel.children_begin == ChildrenBegin::after_parent; };
    if (std::any_of(workload.kernels.begin(), workload.kernels.end(), is_late)) late_.resize(workload.launches.size());
  }

  bool is_launched(LaunchId child) const { return !parents_.empty() && parents_[index_of(child)]; }
  /// Records that the work-group at `parent` launches the child.
  void launch(LaunchId child, GroupIndex parent) {
    parents_.resize(workload_.launches.size());
    parents_[index_of(child)] = parent;
    const LaunchId above = workload_.launches[index_of(child)].parent()->launch;
    switch (begin_of_children(above)) {
      case ChildrenBegin::with_parent: return launched_.push_back(child);
      case ChildrenBegin::at_wait: return held_[parent].push_back(child);
      case ChildrenBegin::after_parent: return late_[index_of(above)].push_back(child);
    }
  }
  /// Submits children that begin `at_wait`. Must be called when threads of the work-group have reached a step at which
  /// they wait for a child, which has been launched, and when the work-group has ended.
  void submit_held(GroupIndex group) {
    if (held_.empty()) return;
    const auto held = held_.extract(group);
    if (!held.empty()) launched_.insert(launched_.end(), held.mapped().begin(), held.mapped().end());
  }
  /// Returns true if children of the launch begin `after_parent`, and are not submitted.
  bool any_late(LaunchId launch) const { return !late_.empty() && !late_[index_of(launch)].empty(); }
  /// Submits children that begin `after_parent`.
  void submit_late(LaunchId launch) {
    std::vector<LaunchId>& late = late_[index_of(launch)];
    std::sort(late.begin(), late.end());
    launched_.insert(launched_.end(), late.begin(), late.end());
    late.clear();
  }
  /// Returns the parent work-group if it waits for the child's end, else nullopt: then it may have ended.
  std::optional<GroupIndex> waiting_parent(LaunchId child) const {
    if (workload_.launches[index_of(child)].parent()->wait == ChildWait::no) return std::nullopt;
    return parents_[index_of(child)];
  }
  /// Returns true if children were launched since the last take_launched().
  bool any_launched() const { return !launched_.empty(); }
  /// Returns the children launched since the last call. Valid until the next call.
  std::span<const LaunchId> take_launched() {
    if (launched_.empty()) return {};
    taken_.clear();
    std::swap(launched_, taken_);
    return taken_;
  }

 private:
  ChildrenBegin begin_of_children(LaunchId launch) const {
    return workload_.kernel_of(workload_.launches[index_of(launch)]).children_begin;
  }

  const Workload& workload_;
  std::vector<std::vector<LaunchId>>
      late_;  ///< by launch: children that begin `after_parent`, not submitted; empty if no kernel has such
  std::map<GroupIndex, std::vector<LaunchId>> held_;  ///< children that begin `at_wait`, not submitted, by parent
  std::vector<std::optional<GroupIndex>>
      parents_;                     ///< by launch: its parent if it is a launched child; empty before one is launched
  std::vector<LaunchId> launched_;  ///< empty after every rank
  std::vector<LaunchId> taken_;     ///< the result of take_launched()
};

/// The state of each launch: its record, its resident threads, and its completions.
class LaunchStates {
 public:
  /// `foreign_launches` is the number of launches of this device that another process's model executes. They count
  /// besides Launch::is_remote(): those are executed by other devices.
  explicit LaunchStates(const Workload& workload, std::size_t foreign_launches = 0);

  /// Sets the difference `ahead` between host time and device time. Records are in host time; arguments of all
  /// functions are in device time.
  void set_host_ahead(Duration ahead) { host_ahead_ = ahead; }
  SimTime host_time(SimTime now) const { return now + host_ahead_; }

  std::vector<LaunchRecord>& records() { return records_; }
  const std::vector<LaunchRecord>& records() const { return records_; }
  /// Returns the records. Must be the last call, after the run.
  std::vector<LaunchRecord> take_records() { return std::move(records_); }
  LaunchRecord& record(LaunchId launch) { return records_[index_of(launch)]; }
  const LaunchRecord& record(LaunchId launch) const { return records_[index_of(launch)]; }

  /// Must be called when the launch is ready. A launch of a kernel is present from then until it ends.
  void arrive(LaunchId launch);
  /// Adds `threads` to the launch's resident threads on the core; negative if they have released their contexts.
  void change_resident(LaunchId launch, CoreId core, std::int64_t threads, SimTime now);
  /// Must be called when a thread of the launch has ended on the core, but only for kernels with a `first_wave`.
  void on_thread_ended(LaunchId launch, CoreId core);
  /// Returns true if on_thread_ended() was called for the core.
  bool has_ended_on(LaunchId launch, CoreId core) const {
    const ResidencyIndex index = residency_[index_of(launch)];
    if (index == kNone) return false;
    const std::vector<bool>& ended = residencies_[index].ended_on;
    return index_of(core) < ended.size() && ended[index_of(core)];
  }
  /// Counts the end of one of its work-groups or children, or of its copy.
  void count_completion(LaunchId launch) { ++completions_[index_of(launch)]; }
  /// Returns true if all its work-groups and children, or its copy, have ended.
  bool has_all_completions(LaunchId launch) const {
    return completions_[index_of(launch)] == needed_completions(launch);
  }
  void end(LaunchId launch, SimTime now);
  /// Returns true if every launch of this device has ended.
  bool are_done() const { return left_ == 0; }
  /// Returns the number of launches of this device that have not ended.
  std::size_t left() const { return left_; }
  std::uint64_t completions(LaunchId launch) const { return completions_[index_of(launch)]; }
  /// Updates the integrals over threads in the records of launches still present. Must be called after the run.
  void settle(SimTime now);

  /// Returns the launches of kernels that have arrived and not ended, in no order.
  std::span<const LaunchId> present() const { return present_; }
  /// Must be called when the launch's first thread is placed.
  void begin(LaunchId launch, SimTime now) { record(launch).first_dispatched = host_time(now); }
  /// Must be called when the launch's last thread is placed.
  void on_all_placed(LaunchId launch, SimTime now);

 private:
  /// The resources that a launch holds.
  struct Residency {
    TimeIntegral resident;               ///< number of threads
    TimeIntegral busy_cores;             ///< number of cores that hold threads of the launch
    std::vector<std::uint32_t> on_core;  ///< by core: number of its threads
    std::vector<bool> ended_on;          ///< by core: a thread has ended there; empty without a `first_wave`
  };

  enum class ResidencyIndex : std::uint32_t {};
  static constexpr ResidencyIndex kNone{0xffff'ffff};

  void settle(LaunchId launch, SimTime now);
  /// Returns the number of its work-groups and children; 1 for a copy.
  std::uint64_t needed_completions(LaunchId id) const;
  /// Returns null if none of its threads has been placed.
  Residency* residency_of(LaunchId launch) {
    const ResidencyIndex index = residency_[index_of(launch)];
    return index == kNone ? nullptr : &residencies_[index];
  }

  const Workload& workload_;
  std::vector<LaunchRecord> records_;               ///< results
  std::vector<std::uint64_t> needed_;               ///< by kernel
  std::vector<std::uint64_t> completions_;          ///< by launch
  std::vector<LaunchId> present_;                   ///< without copies
  Slab<Residency, ResidencyIndex> residencies_;     ///< of launches with a thread that was placed
  std::vector<ResidencyIndex> residency_;           ///< by launch: its position in residencies_
  std::vector<std::uint32_t> position_in_present_;  ///< by launch: its position in present_
  std::size_t left_;                                ///< launches of this device that have not ended
  Duration host_ahead_;                             ///< 0, unless the host has a time of its own
};

// Rule, to the picosecond: copies.
//
// A copy takes the lowest free engine of its direction; copies wait by (ready time, file).

/// The device's copy engines. Ready copies of a direction begin in the order of (ready time, order in the file) as
/// engines become free. The caller must report the end of each copy.
class CopyEngines {
 public:
  CopyEngines(const std::optional<CopyRule>& rule, const std::vector<Launch>& launches, ModelEventQueue& queue);

  void arrive(LaunchId launch, SimTime ready) {
    waiting_[lane_of(launch)].emplace(ready, launch);
    ++waiting_count_;
  }
  /// Begins the copies that can begin now. The span is valid until the next call.
  std::span<const LaunchId> begin() {
    begun_.clear();
    if (waiting_count_ > 0) begin_waiting();
    return begun_;
  }
  /// Must be called when the copy has ended: its engine is free.
  void on_ended(LaunchId launch) { ++free_[lane_of(launch)]; }

 private:
  /// Returns the lane of the copy: one or more directions that share engines.
  std::size_t lane_of(LaunchId launch) const;
  void begin_waiting();

  const std::optional<CopyRule>& rule_;
  const std::vector<Launch>& launches_;
  ModelEventQueue& queue_;
  std::vector<std::uint32_t> free_;                              ///< number of free engines, by lane
  std::vector<std::set<std::pair<SimTime, LaunchId>>> waiting_;  ///< by lane
  std::size_t waiting_count_ = 0;                                ///< in all lanes
  std::vector<LaunchId> begun_;
};

}  // namespace gdsim
