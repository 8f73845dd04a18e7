#include <gdsim/explain/devices/counterfactual_devices.hpp>

#include <gdsim/analysis/longest_kernel.hpp>
#include <gdsim/report/number_format.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace gdsim {
namespace {

bool exchanges(const Launch& launch) { return launch.is_kernel() && launch.as_kernel().is_part_of_collective; }

/// Kernels of collectives hold cores while data is exchanged. Changes must not alter them.
void keep_collectives(const Workload& original, Workload& changed) {
  for (const Launch& launch : original.launches)
    if (exchanges(launch))
      changed.kernels[index_of(launch.as_kernel().kernel)] = original.kernels[index_of(launch.as_kernel().kernel)];
}

bool has_barriers_of_its_own(const Workload& workload) {
  std::vector<bool> is_of_collective(workload.kernels.size());
  for (const Launch& launch : workload.launches)
    if (exchanges(launch)) is_of_collective[index_of(launch.as_kernel().kernel)] = true;
  for (std::size_t i = 0; i < workload.kernels.size(); ++i) {
    const Program& program = workload.kernels[i].program;
    if (!is_of_collective[i] &&
        (has_step<Barrier>(program) || has_step<GridBarrier>(program) || has_step<Wait>(program)))
      return true;
  }
  return false;
}

/// Whether the change concerns a device's longest kernel: its work-group size, sub-group size or registers.
bool is_of_longest_kernel(const Counterfactual& one) {
  return one.what.starts_with("local:") || one.what.starts_with("sub_group:") || one.what.ends_with("_grf");
}

/// Whether the device's longest kernel is a collective's, which is kept as it is.
bool is_collective_longest(const Scenario& device, const RunRecord& record) {
  const auto longest = longest_kernel_id(device.workload, record);
  const auto& launches = device.workload.launches;
  return longest && std::any_of(launches.begin(), launches.end(), [&](const Launch& launch) {
           return exchanges(launch) && launch.as_kernel().kernel == *longest;
         });
}

bool is_of_one_device(const Counterfactual& one, const Scenario& device) {
  return one.what == "as_graphs" || (one.what == "barriers_free" && !has_barriers_of_its_own(device.workload));
}

/// ` on gpu0, gpu1`; empty: on all.
std::string places(const Scenario& scenario, const std::vector<std::size_t>& devices) {
  if (devices.size() == scenario.devices.size()) return "";
  std::string text;
  for (const std::size_t device : devices)
    text += (text.empty() ? " on " : ", ") + scenario.devices[device].device_name;
  return text;
}

/// Combines the same change on all devices where it has an effect; a change of a kernel applies to kernels of the same
/// name. Its words describe the first such device.
class ChangesOfDevices {
 public:
  explicit ChangesOfDevices(const Scenario& scenario) : scenario_(scenario) {}

  void add(std::size_t device, Counterfactual one) {
    if (is_of_one_device(one, scenario_.devices[device])) return;
    keep_collectives(scenario_.devices[device].workload, one.scenario.workload);
    const auto found_before = [&](const Found& other) {
      return other.words.what == one.what && (!is_of_longest_kernel(one) || other.words.subject == one.subject);
    };
    auto found = std::find_if(found_.begin(), found_.end(), found_before);
    if (found == found_.end()) {
      Counterfactual words{one.what, scenario_, one.subject, one.how, one.artefact, device};
      found = found_.insert(found_.end(), Found{std::move(words), std::vector<std::size_t>{}});
    }
    found->words.scenario.devices[device] = std::move(one.scenario);
    found->devices.push_back(device);
  }

  std::vector<Counterfactual> take() {
    std::vector<Counterfactual> all;
    for (Found& one : found_) {
      const std::string& first = scenario_.devices[one.words.device].device_name;
      one.words.subject = first + ": " + one.words.subject;
      one.words.how += places(scenario_, one.devices);
      all.push_back(std::move(one.words));
    }
    return all;
  }

 private:
  struct Found {
    Counterfactual words;
    std::vector<std::size_t> devices;
  };
  const Scenario& scenario_;
  std::vector<Found> found_;
};

/// `Links: copies and exchanges of 1.5 ms`: the sum of all their durations.
std::string words_of_transfers(const Scenario& scenario, const RunRecord& record) {
  const auto& launches = scenario.devices.front().workload.launches;
  std::vector<bool> is_first_part(launches.size(), true);
  for (const Collective& one : scenario.collectives)
    for (std::size_t i = 1; i < one.launches.size(); ++i) is_first_part[index_of(one.launches[i])] = false;
  std::vector<bool> uses_links(launches.size());
  for (const Collective& one : scenario.collectives) uses_links[index_of(one.launches.front())] = true;
  for (const Scenario& device : scenario.devices)
    for (std::size_t i = 0; i < launches.size() && i < device.workload.launches.size(); ++i)
      if (device.workload.launches[i].is_link_copy()) uses_links[i] = true;
  Duration sum;
  std::size_t count = 0;
  for (std::size_t i = 0; i < uses_links.size() && i < record.launches.size(); ++i) {
    if (!uses_links[i] || !is_first_part[i]) continue;
    if (const auto active = record.launches[i].active()) sum = sum + *active;
    ++count;
  }
  return fmt::format("{} of copies and collectives, {} in all", to_rounded_text(sum), count);
}

Counterfactual unlimited_links(const Scenario& scenario, const RunRecord& record) {
  constexpr std::uint64_t factor = 100'000;
  Counterfactual one{"links_unlimited", scenario, "Links: " + words_of_transfers(scenario, record)};
  for (DeviceLink& link : one.scenario.links) {
    link.bandwidth =
        std::min<std::uint64_t>(link.bandwidth, std::numeric_limits<std::int64_t>::max() / factor) * factor;
    link.latency = {};
  }
  one.how = "with unlimited links";
  return one;
}

Counterfactual free_collectives(const Scenario& scenario, const RunRecord& record) {
  Counterfactual one{"collectives_free", scenario, "Collectives: " + words_of_transfers(scenario, record)};
  one.scenario.collectives.clear();
  for (Scenario& device : one.scenario.devices) {
    device.collectives.clear();
    for (Launch& launch : device.workload.launches)
      if (exchanges(launch)) launch.as_kernel().is_part_of_collective = false;
  }
  return one;
}

}  // namespace

std::vector<Counterfactual> counterfactuals_of_devices(const Scenario& scenario, const EnsembleResult& baseline) {
  ChangesOfDevices changes(scenario);
  for (std::size_t device = 0; device < scenario.devices.size(); ++device) {
    const RunRecord& record = baseline.devices[device].record;
    const bool keeps_longest = is_collective_longest(scenario.devices[device], record);
    for (Counterfactual& one : counterfactuals(scenario.devices[device], record))
      if (!keeps_longest || !is_of_longest_kernel(one)) changes.add(device, std::move(one));
  }
  std::vector<Counterfactual> all;
  if (!scenario.links.empty()) all.push_back(unlimited_links(scenario, baseline.all));
  if (!scenario.collectives.empty()) all.push_back(free_collectives(scenario, baseline.all));
  for (Counterfactual& one : changes.take()) all.push_back(std::move(one));
  return all;
}

}  // namespace gdsim
