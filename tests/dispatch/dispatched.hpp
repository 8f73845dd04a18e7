#pragma once

#include "dispatch/dispatch_bench.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

// Dispatching without a model around it: threads end on request.

namespace gdsim::testing {

/// Threads of a work-group on one core.
struct PartOnCore {
  CoreId core{};
  std::uint32_t running = 0;
};

/// A work-group with placed threads.
struct Placed {
  LaunchId launch{};
  WorkGroupId work_group{};
  std::uint32_t left = 0;  ///< threads that have not ended
  std::uint32_t threads = 0;
  std::vector<PartOnCore> parts;
};

/// Dispatching whose work-groups end thread by thread on request.
class Dispatched {
 public:
  Dispatched(const DeviceSpec& device, const Workload& workload, KeepAccounts keep = KeepAccounts::yes)
      : bench_(device, workload, keep), ended_(workload.launches.size(), 0) {}

  Dispatching& dispatching() { return bench_.dispatching; }
  std::size_t running() const { return placed_.size(); }
  /// Turns that named no launch because nothing had changed, and turns that only refused the waiting launch again.
  std::uint64_t repeated_turns() const { return repeated_turns_; }
  std::uint64_t turns_refused_again() const { return turns_refused_again_; }

  /// Ends `threads` threads of a placed work-group, if they run on one core.
  void end(std::size_t which, std::uint32_t threads, SimTime now) {
    Placed& one = placed_[which];
    const auto part =
        std::find_if(one.parts.begin(), one.parts.end(), [](const PartOnCore& p) { return p.running > 0; });
    if (part == one.parts.end()) return;
    threads = std::min(threads, part->running);
    part->running -= threads;
    one.left -= threads;
    const Footprint& footprint = dispatching().footprint(one.launch, one.threads);
    for (const PartOnCore& p : one.parts) dispatching().before_release(p.core, now);
    core_of(*part).release_threads(footprint, threads, now, EngineSet::none, bench_.engine_sets);
    dispatching().on_release(part->core);
    if (one.left > 0) return;
    for (const PartOnCore& held : one.parts) {
      core_of(held).release_group(footprint);
      dispatching().on_release(held.core);
    }
    const std::size_t launch = index_of(one.launch);
    if (++ended_[launch] == bench_.workload.kernel_of(bench_.workload.launches[launch]).range.group_count())
      dispatching().on_ended(one.launch);
    placed_.erase(placed_.begin() + static_cast<std::ptrdiff_t>(which));
  }
  /// Places work-groups, and returns what is placed.
  std::string place(SimTime now) {
    std::string words;
    const bool has_news = dispatching().state().has_news;
    const bool one_waits = dispatching().state().launch_waiting_for_core.has_value();
    const std::span<const Grant> grants = dispatching().take_turn(now);
    if (!has_news && dispatching().state().decisions.answers.empty()) ++repeated_turns_;
    if (has_news && one_waits && grants.empty()) ++turns_refused_again_;
    for (const Grant& grant : grants) {
      words += std::to_string(index_of(grant.launch)) + "." + std::to_string(number_of(grant.work_group)) + ":" +
               std::to_string(index_of(grant.core)) + ":" + std::to_string(grant.threads) + " ";
      add(grant);
    }
    return words;
  }
  /// Takes a turn, and returns also the launches that wait afterwards.
  std::string turn(SimTime now) {
    std::string words = place(now);
    for (const LaunchId waits : dispatching().accounts().waiting())
      words += "w" + std::to_string(index_of(waits)) + " ";
    return words + std::to_string(dispatching().state().last_changed.value_or(99));
  }
  /// The waits of launches, and which contexts were free and why.
  std::string accounts(SimTime now) {
    std::string words;
    dispatching().accounts().settle_waits(now);
    for (const LaunchRecord& record : bench_.records)
      for (const WaitReason reason : kWaitReasons) words += std::to_string(record.waited[reason].count) + " ";
    for (const IdleUse& use : dispatching().accounts().take_idle(now))
      words += "\n" + std::to_string(index_of(use.core)) + " " +
               (use.kernel ? std::to_string(index_of(*use.kernel)) + std::string(name_of(*use.reason)) : "-") + " " +
               std::to_string(static_cast<std::int64_t>(use.context_time));
    return words;
  }

 private:
  Core& core_of(const PartOnCore& part) { return bench_.bank.cores[index_of(part.core)]; }
  void add(const Grant& grant) {
    if (grant.opens_group)
      placed_.push_back({grant.launch, grant.work_group, grant.group_threads, grant.group_threads, {}});
    const auto one = std::find_if(placed_.begin(), placed_.end(), [&](const Placed& placed) {
      return placed.launch == grant.launch && placed.work_group == grant.work_group;
    });
    if (grant.opens_core) one->parts.push_back({grant.core, 0});
    std::find_if(one->parts.begin(), one->parts.end(), [&](const PartOnCore& part) {
      return part.core == grant.core;
    })->running += grant.threads;
  }

  DispatchBench bench_;
  std::vector<std::uint64_t> ended_;  ///< work-groups, by launch
  std::vector<Placed> placed_;
  std::uint64_t repeated_turns_ = 0;
  std::uint64_t turns_refused_again_ = 0;
};

}  // namespace gdsim::testing
