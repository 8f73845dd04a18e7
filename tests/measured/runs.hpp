#pragma once

#include "measured/table.hpp"
#include "support/scenarios.hpp"
#include <gdsim/program/work_amounts.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gdsim::testing {

/// 1 cycle = 1 ns.
constexpr std::int64_t kPicosecondsPerCycle = 1000;

inline DeviceSpec device_of(const std::string& yaml, const std::string& sub_group = "32") {
  const ReadText read =
      read_text("scenario: s\ndevice: " + yaml + "\nkernels: {k: {global: 64, local: 64, sub_group: " + sub_group +
                ", program: [compute: 1 us]}}\nlaunches: [{kernel: k}]\n");
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  DeviceSpec device = read.scenario().device;
  device.dispatch = read.scenario().dispatch;
  return device;
}

/// So many work-groups of `threads` threads, each of which lasts one cycle times its factor.
inline Kernel kernel_of_durations(std::uint32_t threads, std::uint32_t sub_group, const std::vector<std::string>& cycles) {
  Kernel kernel;
  kernel.name = "k";
  kernel.range.global = {1, 1, cycles.size() * threads * sub_group};
  kernel.range.local = {1, 1, std::uint64_t{threads} * sub_group};
  kernel.sub_group = sub_group;
  kernel.program = {Compute{{Decimal::whole(1), StepTime::Unit::cycles}}};
  for (std::size_t i = 0; i < cycles.size(); ++i)
    kernel.variation.factors.push_back({group(i), *parse_decimal(cycles[i]).value});
  return kernel;
}

/// The SMs of a launch's blocks, in the order of their numbers.
struct Placed {
  std::vector<std::uint32_t> measured;
  std::vector<std::uint32_t> simulated;
};

inline std::vector<Placed> placements_of(const std::string& gpu, const DeviceSpec& device) {
  std::vector<Placed> found;
  for (const auto& row : measured("nvidia_placements.csv")) {
    if (row[0] != gpu) continue;
    const std::vector<std::uint32_t> sms = numbers_of(row[2]);
    REQUIRE(sms.size() == std::stoull(row[1]));
    Kernel kernel = kernel_of_durations(1, 32, std::vector<std::string>(sms.size(), "1000000"));
    kernel.needs.registers = 32;
    found.push_back({sms, cores_of(run_fully(device, workload_of({kernel})))});
  }
  return found;
}

/// A launch as Nsight Compute saw it, and as it runs here when it costs nothing: its slots recover all the same.
struct Profile {
  std::string gpu;
  std::string capability;
  bool is_short = false;  ///< blocks live at most 20,000 cycles
  double measured = 0;    ///< percent, over the elapsed time
  double resident = 0;    ///< integral of resident threads over all contexts, cycles
  double cycles = 0;

  /// Its occupancy in percent if the launch costs this many cycles.
  double simulated(double launch_cost) const { return 100 * resident / (cycles + launch_cost); }
  /// Its error in percentage points.
  double error(double launch_cost) const { return std::abs(simulated(launch_cost) - measured); }
};

/// The cycles for which a launch on a GPU of the compute capability waits for the acknowledgement of its last stores.
/// Families name no caches: those of a product.
inline double acknowledgement_of(const std::string& capability) {
  const std::map<std::string, std::string> products{
      {"7.5", "t4"}, {"8.0", "a100-80gb"}, {"8.6", "a40"}, {"8.9", "l40"}, {"9.0", "h200-sxm"}};
  return std::stod(to_text(fence_latency(device_of(products.at(capability))).value().amount));
}

/// The cycles that a launch that stores costs on a device of compute capability `capability` that does nothing else.
inline double launch_cost_of(const std::string& capability) {
  static std::map<std::string, double> known;
  if (const auto found = known.find(capability); found != known.end()) return found->second;
  const LaunchCost parts = device_of("{base: cc-" + capability + ", clock: 1 GHz, cores: 28}").launch_cost.value();
  return known[capability] = std::stod(to_text(parts.serial.amount)) + std::stod(to_text(parts.overlapping.amount)) +
                             acknowledgement_of(capability);
}

enum class Recovers : std::uint8_t { no, yes };

inline std::vector<Profile> profiles(Recovers recovers) {
  std::vector<Profile> found;
  for (const auto& row : measured("nvidia_profiles.csv")) {
    DeviceSpec device = device_of("{base: cc-" + row[1] + ", clock: 1 GHz, cores: " + row[2] + "}");
    REQUIRE(device.dispatch.recovery.has_value());
    device.launch_cost.reset();
    if (recovers == Recovers::no) device.dispatch.recovery.reset();
    if (recovers == Recovers::no) device.dispatch.interval.reset();
    const auto size = std::stoull(row[3]);
    Kernel kernel = kernel_of_durations(1, 32, {});
    kernel.range.global = {1, 1, size * std::stoull(row[4])};
    kernel.range.local = {1, 1, size};
    kernel.needs.registers = static_cast<std::uint32_t>(std::stoul(row[5]));
    kernel.needs.slm.total = Bytes{std::stoll(row[6])};
    kernel.program = {Compute{{*parse_decimal(row[10]).value, StepTime::Unit::cycles}}};
    const RunRecord run = simulate(device, device.dispatch, workload_of({kernel})).record;
    Profile& profile = found.emplace_back();
    profile.gpu = row[0];
    profile.capability = row[1];
    profile.is_short = std::stod(row[10]) <= 20'000;
    profile.measured = std::stod(row[9]);
    profile.cycles = static_cast<double>(run.duration().count) / kPicosecondsPerCycle;
    profile.resident =
        static_cast<double>(run.resident_time) / kPicosecondsPerCycle / static_cast<double>(device.contexts_total());
  }
  return found;
}

/// A launch of blocks that do nothing: how long it took, and how long it takes here without the time of a launch.
struct Flood {
  double measured = 0;
  double simulated = 0;

  double error(double launch) const { return std::abs((simulated + launch) / measured - 1); }
};

/// The floods of a device, by its dispatch rules; each thread computes for 20 cycles.
inline std::vector<Flood> floods(const std::string& name, const DeviceSpec& device) {
  std::vector<Flood> found;
  for (const auto& row : measured("dispatch_floods.csv")) {
    if (row[1] != name) continue;
    const auto lanes = device.sub_group_sizes.front();
    const auto size = std::stoull(row[3]);
    Kernel kernel = kernel_of_durations(1, lanes, {});
    kernel.range.global = {1, 1, size * std::stoull(row[2])};
    kernel.range.local = {1, 1, size};
    kernel.program = {Compute{{Decimal::whole(20), StepTime::Unit::cycles}}};
    const auto picoseconds =
        static_cast<double>(simulate(device, device.dispatch, workload_of({kernel})).record.active().count);
    const double cycle = 1e12 / static_cast<double>(device.clock->count);
    found.push_back({std::stod(row[5]), picoseconds / (row[4] == "cycles" ? cycle : 1e6)});
  }
  return found;
}

inline double mean_error(const std::vector<Flood>& all, double launch) {
  double sum = 0;
  for (const Flood& one : all) sum += one.error(launch);
  return sum / static_cast<double>(all.size());
}

/// The launch time that leaves the least mean error, of those that make a row exact.
inline double fitted_launch_time(const std::vector<Flood>& all) {
  double best = 0;
  for (const Flood& exact : all)
    if (const double launch = exact.measured - exact.simulated; mean_error(all, launch) < mean_error(all, best))
      best = launch;
  return best;
}

}  // namespace gdsim::testing
