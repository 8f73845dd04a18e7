#pragma once

#include "support/builders.hpp"

#include <gdsim/dispatch/dispatching.hpp>
#include <gdsim/dispatch/placement/placements.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Dispatching without a model around it: cores are filled and released by hand.

namespace gdsim::testing {

/// The inputs of dispatching: a device under its own rules, its launches, and its empty cores.
struct DispatchSite {
  DeviceSpec device;
  Workload workload;
  FootprintTable footprints;
  EngineSets engine_sets;
  CoreBank bank;

  DispatchSite(DeviceSpec of, Workload work)
      : device(std::move(of)),
        workload(std::move(work)),
        footprints(device, workload.kernels),
        engine_sets(device.engines_per_core),
        bank{std::vector<Core>(device.cores, Core(device, EngineDetail::none)), engine_sets} {}
  DispatchSite(const DispatchSite&) = delete;  // its parts refer to each other
  DispatchSite& operator=(const DispatchSite&) = delete;

  /// The built-in placement that the device's rules name.
  PlacementMaker placement() const { return built_in_placements().maker(device.dispatch.placement); }
  DispatchInput input(const PlacementMaker& make_placement) const {
    return {device, device.dispatch, workload, footprints, make_placement};
  }
};

/// Dispatching with these inputs. No launch has arrived.
struct DispatchBench : DispatchSite {
  std::vector<LaunchRecord> records;
  Dispatching dispatching;

  DispatchBench(DeviceSpec of, Workload work, KeepAccounts keep = KeepAccounts::yes)
      : DispatchSite(std::move(of), std::move(work)),
        records(workload.launches.size()),
        dispatching(input(placement()), bank, records, keep) {}
  /// With a placement of the test's own.
  DispatchBench(DeviceSpec of, Workload work, const PlacementMaker& make_placement)
      : DispatchSite(std::move(of), std::move(work)),
        records(workload.launches.size()),
        dispatching(input(make_placement), bank, records) {}

  /// The launches from `first` on, up to but without `last`, become ready.
  void arrive(std::size_t first, std::size_t last, SimTime ready) {
    for (std::size_t i = first; i < last; ++i) dispatching.arrive(static_cast<LaunchId>(i), ready, ready);
  }
  void arrive_all(SimTime ready) { arrive(0, workload.launches.size(), ready); }

  /// The grants of a turn as work-group:core:threads.
  std::vector<std::string> turn(SimTime now) {
    std::vector<std::string> words;
    for (const Grant& grant : dispatching.take_turn(now))
      words.push_back(std::to_string(number_of(grant.work_group)) + ":" + std::to_string(index_of(grant.core)) + ":" +
                      std::to_string(grant.threads));
    return words;
  }
  /// Threads end on the core, of a full work-group of the launch, whose other resources stay taken.
  void release(CoreId core, LaunchId launch, std::uint32_t threads, SimTime now) {
    const Kernel& kernel = workload.kernel_of(workload.launches[index_of(launch)]);
    const auto all = static_cast<std::uint32_t>(kernel.threads_per_work_group());
    bank.cores[index_of(core)].release_threads(dispatching.footprint(launch, all), threads, now, EngineSet::none,
                                               engine_sets);
    dispatching.on_release(core);
  }
};

}  // namespace gdsim::testing
