#include <gdsim/scenario/ensemble/check_devices.hpp>

#include <gdsim/base/text.hpp>

#include <algorithm>
#include <string>

namespace gdsim {
namespace {

/// Checks that the host's cost of a submission is the same for all devices: one host submits to all of them.
void check_host(const std::vector<Scenario>& devices, const YamlNode& node, const ValueReader& values) {
  const Scenario& first = devices.front();
  for (std::size_t i = 1; i < devices.size(); ++i) {
    const DeviceSpec& device = devices[i].device;
    const YamlNode& place = node.entries[i].value;
    if (device.submit_overhead != first.device.submit_overhead)
      values.fail(place, "submit_overhead",
                  "is " + to_text(device.submit_overhead) + " of " + devices[i].device_name + ", " +
                      to_text(first.device.submit_overhead) + " of " + first.device_name +
                      "; one host submits to all devices: write one value for all, as in `" + devices[i].device_name +
                      ": {base: " + device.id + ", submit_overhead: " + to_text(first.device.submit_overhead) + "}`");
  }
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (devices[i].device.submission)
      values.fail(node.entries[i].value, "submission",
                  "batches of submissions are of one device; leave `submission` out where several run together");
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (devices[i].dispatch.preemption)
      values.fail(
          node.entries[i].value, "preemption",
          "is simulated on one device alone; leave `dispatch: {preemption: ...}` out where several run together");
}

/// Reports graphs and `jit`, which are of one device, devices without launches, and differing launches.
void check_launches(const std::vector<Scenario>& devices, const YamlNode& node, const ValueReader& values) {
  const auto names_of = [](const Scenario& scenario) {
    std::vector<std::string> names;
    for (const Launch& launch : scenario.workload.launches)
      if (launch.parent() == nullptr) names.push_back(launch.name);
    return names;
  };
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const Workload& workload = devices[i].workload;
    const YamlNode& place = node.entries[i].value;
    for (const Queue& queue : workload.queues)
      if (queue.is_graph && i == 0)
        values.fail(node, "queues", in_quotes(queue.name) + ": graphs are of one device; leave `graph: true` out");
    for (const Kernel& kernel : workload.kernels)
      if (kernel.jit.count > 0)
        values.fail(place, "kernels", in_quotes(kernel.name) + ": `jit` is of one device; leave it out");
    const auto& launches = workload.launches;
    if (std::all_of(launches.begin(), launches.end(), [](const Launch& launch) { return launch.is_remote(); }))
      values.fail(place, "devices",
                  "no launch is on " + devices[i].device_name + "; give it one, `device: " + devices[i].device_name +
                      "`, or leave the device out");
    if (names_of(devices[i]) != names_of(devices.front()))
      values.fail(place, "launches",
                  "are not the same for " + devices[i].device_name + " and " + devices.front().device_name +
                      ": how many there are must not depend on `device.cores` or `device.contexts`");
  }
}

bool is_of_all_devices(const Expectation& one) {
  return std::holds_alternative<ExpectedDuration>(one.item) || std::holds_alternative<ExpectedActive>(one.item) ||
         std::holds_alternative<ExpectedOutcome>(one.item) || std::holds_alternative<ExpectedLaunchTimes>(one.item) ||
         std::holds_alternative<ExpectedMeanOccupancy>(one.item) ||
         std::holds_alternative<ExpectedPeakOccupancy>(one.item) || std::holds_alternative<ExpectedRefusal>(one.item);
}

}  // namespace

void check_devices(const std::vector<Scenario>& devices, const YamlNode& node, const ValueReader& values) {
  check_host(devices, node, values);
  check_launches(devices, node, values);
}

void check_expectations_of_devices(const std::vector<Expectation>& expectations, Diagnostics& problems) {
  for (const Expectation& one : expectations)
    if (!is_of_all_devices(one))
      problems.add(one.mark, one.key +
                                 " is of one device; of several, expect duration, active, outcome, launches, "
                                 "mean_occupancy, peak_occupancy or error");
}

}  // namespace gdsim
