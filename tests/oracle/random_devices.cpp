#include "oracle/random_devices.hpp"

#include "oracle/random_scenarios.hpp"
#include "oracle/scenario_yaml.hpp"
#include "support/builders.hpp"
#include "support/random_values.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

namespace gdsim::oracle {
namespace {

using namespace gdsim::testing;

std::string name_of(std::size_t device) { return "d" + std::to_string(device); }

/// Draws a workload without features of a single device.
RandomRun draw_base() {
  const int kind = one_of({0, 0, 1, 1, 2});
  RandomRun run = kind == 0 ? draw_run() : kind == 1 ? draw_any_run() : draw_chain_of_launches();
  if (threads_of(run.workload) > 2'000) RC_DISCARD("too large");
  run.device.power.reset();
  run.device.submission.reset();
  run.device.graph_gap.reset();
  for (Kernel& kernel : run.workload.kernels) kernel.jit = {};
  for (Queue& queue : run.workload.queues) {
    queue.is_graph = false;
    if (one_in(3)) queue.waits_for_triggers = false;
  }
  std::erase_if(run.workload.launches, [](const Launch& launch) { return launch.parent() != nullptr; });
  return run;
}

/// Returns the same device with a few other numbers.
DeviceSpec draw_variant(const DeviceSpec& base, bool varies_cores) {
  DeviceSpec device = base;
  if (one_in(2)) device.launch_latency = ps(between(0, 20));
  if (one_in(2)) device.dependency_gap = ps(between(0, 20));
  if (one_in(3)) device.clock_changes.clear();
  if (one_in(3)) device.dispatch.placement = one_of<std::string>({"fill_first", "round_robin", "least_loaded"});
  if (device.clock && one_in(3)) device.clock = Hertz{one_of<std::int64_t>({1'000'000'000'000, 500'000'000'000})};
  if (device.copy && one_in(3)) device.copy->latency = ps(between(1, 9));
  if (varies_cores) device.cores = between(1U, 6U);
  return device;
}

std::vector<DeviceSpec> draw_variants(RandomRun& run) {
  const DeviceSpec& base = run.device;
  const bool varies_cores = base.core_groups.empty() && base.tie_order.cores_of(base.cores).empty() && one_in(2);
  if (varies_cores) {
    for (Queue& queue : run.workload.queues) queue.cores.clear();
    for (Launch& launch : run.workload.launches)
      if (launch.is_kernel()) launch.as_kernel().cores.clear();
  }
  std::vector<DeviceSpec> devices{base};
  for (int i = between(1, 3); i > 0; --i) devices.push_back(draw_variant(base, varies_cores));
  return devices;
}

/// Returns the text indented as one of `devices:`.
std::string indented(const std::string& text) {
  std::string all;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    all += "  " + text.substr(begin, end - begin);
    begin = end;
  }
  return all;
}

std::string link_yaml(const std::string& between_them) {
  return "  - {between: [" + between_them +
         "], bandwidth: " + std::to_string(between<std::int64_t>(1, 40) * 77'000'000'000) +
         " B/s, latency: " + std::to_string(one_of({0, 1, 30, 500})) + " ps}\n";
}

/// Draws one link for all devices, and before it perhaps one for two of them.
std::string draw_links(std::size_t devices) {
  std::string all;
  for (std::size_t i = 0; i < devices; ++i) all += (i > 0 ? ", " : "") + name_of(i);
  const std::string first = devices > 2 && one_in(3) ? link_yaml("d1, d2") : "";
  return "links:\n" + first + link_yaml(all);
}

std::string draw_collective(std::size_t devices) {
  std::vector<std::size_t> members(devices);
  std::iota(members.begin(), members.end(), std::size_t{0});
  std::rotate(members.begin(), members.begin() + between<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(devices) - 1),
              members.end());
  if (devices > 2 && one_in(3)) members.resize(devices - 1);
  std::string list;
  for (const std::size_t member : members) list += (list.empty() ? "" : ", ") + name_of(member);
  const auto kind = one_of<std::string>({"all_reduce", "all_reduce", "all_gather", "reduce_scatter", "broadcast"});
  const bool is_tree = kind == "broadcast" || (kind == "all_reduce" && one_in(2));
  return "collective: {kind: " + kind + ", algorithm: " + (is_tree ? "tree" : "ring") +
         ", bytes: " + std::to_string(between(1, 3'000)) + " B, devices: [" + list +
         "], work_groups: " + std::to_string(between(1, 3)) + ", local: " + std::to_string(between(1, 3)) + "}";
}

/// The place of a launch: one device, or each of them; and the suffix by which others name one of its parts.
struct Place {
  std::optional<std::size_t> device;  ///< nullopt: on each of them
  std::string of_part;                ///< the suffix of its name
};

/// Drops waits for triggers across devices, and may add a wait for an earlier launch on any device.
void wait_across(Workload& workload, std::size_t id, const std::vector<Place>& places) {
  Launch& launch = workload.launches[id];
  std::vector<LaunchId> triggers;
  for (const LaunchId other : launch.after_triggers)
    if (places[id].device && places[index_of(other)].device == places[id].device && one_in(2))
      triggers.push_back(other);
  launch.after_triggers = triggers;
  if (id == 0 || !one_in(3)) return;
  std::vector<LaunchId> after(launch.after.begin(), launch.after.end());
  after.push_back(static_cast<LaunchId>(between<std::size_t>(0, id - 1)));
  std::sort(after.begin(), after.end());
  after.erase(std::unique(after.begin(), after.end()), after.end());
  std::erase_if(after,
                [&](LaunchId one) { return std::find(triggers.begin(), triggers.end(), one) != triggers.end(); });
  launch.after = after;
}

/// Returns the line of a launch. Its place is added to `places`.
std::string draw_launch(Workload& workload, std::size_t id, std::size_t devices, std::vector<Place>& places) {
  Launch& launch = workload.launches[id];
  const std::size_t device = id < devices ? id : between<std::size_t>(0, devices - 1);
  const std::size_t other = (device + between<std::size_t>(1, devices - 1)) % devices;
  places.push_back({device, ""});
  std::string work = work_yaml(launch, workload) + ", device: " + name_of(device);
  switch (id < devices ? 0 : between(0, 7)) {
    case 1:
    case 2:
      launch.work = Copy{};
      work = "copy: {bytes: " + std::to_string(between(1, 3'000)) + " B, from: " + name_of(device) +
             ", to: " + name_of(other) + "}";
      break;
    case 3:
      launch.work = Copy{};
      launch.reads = {};
      launch.writes = {};
      places.back() = {std::nullopt, "." + name_of(0)};
      work = draw_collective(devices);
      places.back().of_part = "." + work.substr(work.find("devices: [") + 10, 2);
      break;
    case 4:
      if (!launch.is_kernel() || launch.as_kernel().is_cooperative) break;
      places.back() = {std::nullopt, "." + name_of(device)};
      work = work_yaml(launch, workload) + ", device: each";
      break;
    default: break;
  }
  wait_across(workload, id, places);
  const std::string line = "  - {name: " + launch.name + ", " + work + launch_keys(launch, workload) + "}\n";
  launch.name += places.back().of_part;
  return line;
}

}  // namespace

std::string draw_devices() {
  RandomRun run = draw_base();
  const std::vector<DeviceSpec> devices = draw_variants(run);
  while (run.workload.launches.size() < devices.size() + 2) {
    Launch more = run.workload.launches.front();
    more.name = "more" + std::to_string(run.workload.launches.size());
    run.workload.launches.push_back(more);
  }
  std::string text = "scenario: drawn\ndevices:\n";
  for (std::size_t i = 0; i < devices.size(); ++i)
    text += "  " + name_of(i) + ":\n" + indented(device_yaml(devices[i]));
  text += draw_links(devices.size()) + kernels_yaml(run.workload) + "launches:\n";
  std::vector<Place> places;
  for (std::size_t id = 0; id < run.workload.launches.size(); ++id)
    text += draw_launch(run.workload, id, devices.size(), places);
  return text;
}

}  // namespace gdsim::oracle
