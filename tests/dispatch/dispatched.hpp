#pragma once

#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <gdsim/dispatch/dispatcher.hpp>
#include <gdsim/dispatch/policy_catalog.hpp>

#include <rapidcheck.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

// A dispatcher by itself, with a drawn device and a drawn workload.

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

/// Reads everything that is visited, unchanged.
class StateReader : public StateVisitor {
 public:
  explicit StateReader(SimTime now) : now_(now) {}

  void instant(SimTime& time) override { add(time.count); }
  void dispatched(LaunchId, std::uint64_t& count, std::uint64_t& number) override {
    add(count);
    add(number);
  }
  void counted(LaunchId, std::uint64_t& count) override { add(count); }
  void ordinal(LaunchId, std::uint64_t& number) override { add(number); }
  void phases(LaunchId, std::uint64_t& count) override { add(count); }
  void iterations(LaunchId, std::span<std::uint64_t> done, std::span<const std::uint64_t>, std::uint64_t) override {
    for (const std::uint64_t one : done) add(one);
  }
  bool wants_totals() const override { return true; }
  void total(Int128& sum) override { add(sum); }
  void integral(TimeIntegral& integral) override {
    add(integral.level());
    add(integral.at(now_));
  }

  std::vector<std::uint64_t> words;

 private:
  template <class Number>
  void add(Number number) {
    words.push_back(static_cast<std::uint64_t>(number));
  }
  void on_plain(std::uint64_t& word) override { add(word); }
  void on_shape(std::uint64_t word) override { add(word); }

  SimTime now_;
};

/// A dispatcher whose work-groups end thread by thread on request.
class Dispatched {
 public:
  Dispatched(const DeviceSpec& device, const Workload& workload, KeepAccounts keep = KeepAccounts::yes)
      : workload_(workload),
        ended_(workload.launches.size(), 0),
        footprints_(device, workload.kernels),
        engine_sets_(device.engines_per_core),
        bank_{std::vector<Core>(device.cores, Core(device, EngineDetail::none)), Bound(engine_sets_)},
        records_(workload.launches.size()),
        dispatcher_(
            {device, device.dispatch, workload, footprints_, built_in_policies().maker(device.dispatch.placement)},
            bank_, records_, keep) {}

  Dispatcher& dispatcher() { return dispatcher_; }
  std::size_t running() const { return placed_.size(); }
  /// Incremental turns, and among them those that placed something.
  std::uint64_t incremental_turns() const { return incremental_turns_; }
  std::uint64_t incremental_turns_that_placed() const { return incremental_turns_that_placed_; }

  /// Ends `threads` threads of a placed work-group, if they run on one core.
  void end(std::size_t which, std::uint32_t threads, SimTime now) {
    Placed& one = placed_[which];
    const auto part =
        std::find_if(one.parts.begin(), one.parts.end(), [](const PartOnCore& p) { return p.running > 0; });
    if (part == one.parts.end()) return;
    threads = std::min(threads, part->running);
    part->running -= threads;
    one.left -= threads;
    const Footprint& footprint = dispatcher_.footprint(one.launch, one.threads);
    for (const PartOnCore& p : one.parts) dispatcher_.before_release(p.core, now);
    core_of(*part).release_threads(footprint, threads, now, EngineSet::none, engine_sets_);
    dispatcher_.on_release(part->core);
    if (one.left > 0) return;
    for (const PartOnCore& held : one.parts) {
      core_of(held).release_group(footprint);
      dispatcher_.on_release(held.core);
    }
    const std::size_t launch = index_of(one.launch);
    if (++ended_[launch] == workload_.kernel_of(workload_.launches[launch]).range.group_count())
      dispatcher_.on_ended(one.launch);
    placed_.erase(placed_.begin() + static_cast<std::ptrdiff_t>(which));
  }
  /// Places work-groups, and returns what is placed.
  std::string place(SimTime now) {
    std::string words;
    const std::span<const Grant> grants = dispatcher_.turn(now);
    if (dispatcher_.state().decisions.is_incremental) {
      ++incremental_turns_;
      if (!grants.empty()) ++incremental_turns_that_placed_;
    }
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
    for (const LaunchId waits : dispatcher_.accounts().waiting()) words += "w" + std::to_string(index_of(waits)) + " ";
    return words + std::to_string(dispatcher_.state().last_changed.value_or(99));
  }
  /// Everything on which the next turns depend, waiting times and free contexts included. `arrived`: the number of
  /// launches that have arrived.
  std::vector<std::uint64_t> state(std::uint32_t arrived, SimTime now) {
    std::vector<LaunchId> present;
    for (std::uint32_t i = 0; i < arrived; ++i)
      if (ended_[i] < workload_.kernel_of(workload_.launches[i]).range.group_count()) present.push_back(launch(i));
    StateReader reader(now);
    const auto launch_waiting_for_core =
        dispatcher_.state().launch_waiting_for_core;  // still known: nothing is changed
    RC_ASSERT(dispatcher_.visit_state(reader, present, now));
    dispatcher_.state().launch_waiting_for_core = launch_waiting_for_core;
    return reader.words;
  }
  /// The waits of launches, and which contexts were free and why.
  std::string accounts(SimTime now) {
    std::string words;
    dispatcher_.accounts().settle_waits(now);
    for (const LaunchRecord& record : records_)
      for (const WaitReason reason : kWaitReasons) words += std::to_string(record.waited[reason].count) + " ";
    for (const IdleUse& use : dispatcher_.accounts().take_idle(now))
      words += "\n" + std::to_string(index_of(use.core)) + " " +
               (use.kernel ? std::to_string(index_of(*use.kernel)) + std::string(name_of(*use.reason)) : "-") + " " +
               std::to_string(static_cast<std::int64_t>(use.context_time));
    return words;
  }

 private:
  Core& core_of(const PartOnCore& part) { return bank_.cores[index_of(part.core)]; }
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

  const Workload& workload_;
  std::vector<std::uint64_t> ended_;  ///< work-groups, by launch
  FootprintTable footprints_;
  EngineSets engine_sets_;
  CoreBank bank_;
  std::vector<LaunchRecord> records_;
  Dispatcher dispatcher_;
  std::vector<Placed> placed_;
  std::uint64_t incremental_turns_ = 0;
  std::uint64_t incremental_turns_that_placed_ = 0;
};

inline DeviceSpec any_device() {
  DeviceSpec device = small_device();
  device.cores = between(1U, 4U);
  device.work_groups_per_core = between(2U, 8U);
  device.core_groups = {{"slice", between(1U, device.cores), {}}};
  if (between(0, 3) == 0) device.launch_cost = StepTime{Decimal::whole(between<std::uint64_t>(1'000, 30'000)), {}};
  if (device.launch_cost && between(0, 1) == 0)
    device.launch_cost->overlapping = StepTime{Decimal::whole(between<std::uint64_t>(1'000, 30'000)), {}};
  DispatchRules& rules = device.dispatch;
  rules.placement =
      one_of<std::string>({"fill_first", "round_robin", "group_round_robin", "least_loaded", "most_room"});
  rules.admission = one_of({Admission::whole, Admission::whole, Admission::partial, Admission::spread});
  rules.kernel_choice =
      one_of({KernelChoice::head_only, KernelChoice::priority, KernelChoice::skip_blocked, KernelChoice::round_robin});
  rules.core_sharing = one_of({CoreSharing::shared, CoreSharing::shared, CoreSharing::exclusive});
  rules.slm_reconfiguration = one_of({SlmReconfiguration::free, SlmReconfiguration::drains_core});
  if (between(0, 2) == 0) rules.concurrent_kernels = between(1U, 3U);
  if (between(0, 3) == 0) rules.ports = between(1U, 2U);
  if (rules.admission != Admission::spread && between(0, 3) == 0)
    rules.partition = PartitionRule{"slice", one_of({PartitionShare::contiguous, PartitionShare::cyclic})};
  if (between(0, 3) == 0) rules.batch = BatchRule{2, {}, {0, between<std::uint64_t>(0, 9)}};
  if (between(0, 3) == 0) {
    rules.interval.emplace();
    rules.interval->per_work_group = StepTime{Decimal::whole(between<std::uint64_t>(1'000, 9'000)), {}};
  }
  return device;
}

inline Kernel any_kernel() {
  Kernel kernel = kernel_of(one_of({1U, 2U, 4U, 40U}), between(1U, 5U), {compute(us(1))});
  kernel.needs.slm.total = Bytes{one_of<std::int64_t>({0, 0, 1024, 4096})};
  if (between(0, 2) == 0) {  // the last work-group is smaller
    kernel.range.global[2] -= between<std::uint64_t>(0, kernel.range.local[2] - 1);
    kernel.edge_groups = EdgeGroups::smaller;
  }
  return kernel;
}

/// Five launches of three kernels.
inline Workload any_workload() {
  Workload workload = workload_of({any_kernel(), any_kernel(), any_kernel()});
  for (const std::size_t again : {0U, 1U}) {
    Launch launch = workload.launches[again];
    launch.name += " again";
    workload.launches.push_back(std::move(launch));
  }
  return workload;
}

}  // namespace gdsim::testing
