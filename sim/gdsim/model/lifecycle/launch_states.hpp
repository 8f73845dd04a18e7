#pragma once

#include <gdsim/base/time_integral.hpp>
#include <gdsim/model/lifecycle/slab.hpp>
#include <gdsim/record/launch_record.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

/// The state of each launch: its record, its resident threads, and its completions.
class LaunchStates {
 public:
  /// `foreign_launches` is the number of launches of the workload that are not executed by this model.
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
  std::uint64_t needed_completions(LaunchId launch) const;
  /// Returns null if none of its threads has been placed.
  Residency* residency_of(LaunchId launch) {
    const ResidencyIndex index = residency_[index_of(launch)];
    return index == kNone ? nullptr : &residencies_[index];
  }

  const Workload& workload_;
  std::vector<LaunchRecord> records_;            ///< results
  std::vector<std::uint64_t> needed_;            ///< by kernel
  std::vector<std::uint64_t> completions_;       ///< by launch
  std::vector<LaunchId> present_;                ///< without copies
  Slab<Residency, ResidencyIndex> residencies_;  ///< of launches with a thread that was placed
  std::vector<ResidencyIndex> residency_;        ///< by launch: its position in residencies_
  std::vector<std::uint32_t> places_;            ///< by launch: its position in present_
  std::size_t left_;                             ///< launches of this device that have not ended
  Duration host_ahead_;                          ///< 0, unless the host has a time of its own
};

}  // namespace gdsim
