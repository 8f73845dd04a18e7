#include <gdsim/counterfactual/counterfactual.hpp>

#include <gdsim/analysis/collective_kernels.hpp>
#include <gdsim/analysis/selected_launches.hpp>
#include <gdsim/base/text.hpp>
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

/// Restores the kernels of collectives, which hold cores while data is exchanged: changes must not alter them.
void keep_collectives(const Workload& original, Workload& changed) {
  for (const Launch& launch : original.launches)
    if (exchanges(launch))
      changed.kernels[index_of(launch.as_kernel().kernel)] = original.kernels[index_of(launch.as_kernel().kernel)];
}

/// Returns true if it changes a device's longest kernel: its size of work-groups, of threads, or its registers.
bool is_of_longest_kernel(const Counterfactual& change) {
  return change.what.starts_with("local:") || change.what.starts_with("sub_group:") || change.what.ends_with("_grf");
}

/// Returns true if the device's longest kernel is a collective's, which is kept as it is.
bool is_collective_longest(const Scenario& device, const RunRecord& record) {
  const auto longest = longest_kernel_id(device.workload, record);
  const auto& launches = device.workload.launches;
  return longest && std::any_of(launches.begin(), launches.end(), [&](const Launch& launch) {
           return exchanges(launch) && launch.as_kernel().kernel == *longest;
         });
}

bool is_of_one_device(const Counterfactual& change, const Scenario& device) {
  return change.what == "as_graphs" ||
         (change.what == "barriers_free" && !own_kernels_wait_for_signals_or_barriers(device.workload));
}

/// ` on gpu0, gpu1`; empty: on all.
std::string places(const Scenario& scenario, const std::vector<std::size_t>& devices) {
  if (devices.size() == scenario.devices.size()) return "";
  std::string text;
  for (const std::size_t device : devices)
    text += (text.empty() ? " on " : ", ") + scenario.devices[device].device_name;
  return text;
}

/// `Clock on gpu0: it changes`: the subject of a change on one device.
std::string on_device(std::string subject, const std::string& device) {
  return subject.insert(std::min(subject.find(": "), subject.size()), " on " + device);
}

/// Combines equal changes of several devices into one, with the words of the first device. Changes of the longest
/// kernel are equal only if their subjects are.
class ChangesOfDevices {
 public:
  explicit ChangesOfDevices(const Scenario& scenario) : scenario_(scenario) {}

  void add(std::size_t device, Counterfactual change) {
    if (is_of_one_device(change, scenario_.devices[device])) return;
    keep_collectives(scenario_.devices[device].workload, change.scenario.workload);
    const auto found_before = [&](const Found& other) {
      return other.words.what == change.what &&
             (!is_of_longest_kernel(change) || other.words.subject == change.subject);
    };
    auto found = std::find_if(found_.begin(), found_.end(), found_before);
    if (found == found_.end()) {
      Counterfactual words{change.what, scenario_, change.subject, change.how, change.artefact, device};
      found = found_.insert(found_.end(), Found{std::move(words), std::vector<std::size_t>{}, {}});
    }
    if (change.subject != found->words.subject) found->together_with += ", " + scenario_.devices[device].device_name;
    found->words.scenario.devices[device] = std::move(change.scenario);
    found->devices.push_back(device);
  }

  std::vector<Counterfactual> take() {
    std::vector<Counterfactual> changes;
    for (Found& change : found_) {
      const std::string& first = scenario_.devices[change.words.device].device_name;
      const std::string others =
          change.together_with.empty() ? "" : ", changed together with " + change.together_with.substr(2);
      change.words.subject = on_device(std::move(change.words.subject), first + others);
      change.words.how += places(scenario_, change.devices);
      changes.push_back(std::move(change.words));
    }
    return changes;
  }

 private:
  struct Found {
    Counterfactual words;
    std::vector<std::size_t> devices;
    std::string together_with;  ///< devices with another subject: `, gpu1, gpu2`
  };
  const Scenario& scenario_;
  std::vector<Found> found_;
};

/// The sum of the times of launches, one after the other, and their number.
struct Sum {
  Duration time;
  std::size_t count = 0;

  void add(Duration more) {
    time = time + more;
    ++count;
  }
};

Sum sum_of_copies(const Scenario& scenario, const RunRecord& record) {
  Sum sum;
  for (const Scenario& device : scenario.devices)
    for (std::size_t i = 0; i < record.launches.size(); ++i)
      if (device.workload.launches[i].is_link_copy()) sum.add(record.launches[i].active().value_or(Duration{}));
  return sum;
}

/// From the first or from the last device that joined to the end.
enum class JoinedBy : std::uint8_t { first, last };

Sum sum_of_collectives(const Scenario& scenario, const RunRecord& record, JoinedBy joined_by) {
  Sum sum;
  for (const Collective& collective : scenario.collectives) {
    std::optional<SimTime> joined;
    SimTime ended;
    for (const LaunchId launch : collective.launches) {
      const LaunchRecord& launch_record = record.launches[index_of(launch)];
      if (!launch_record.fully_dispatched || !launch_record.ended) continue;
      const SimTime at = *launch_record.fully_dispatched;
      joined = joined_by == JoinedBy::first ? std::min(joined.value_or(at), at) : std::max(joined.value_or(at), at);
      ended = std::max(ended, *launch_record.ended);
    }
    if (joined) sum.add(ended - *joined);
  }
  return sum;
}

/// `Links: 2 copies and 1 collective take 1.5 ms over links in sum`
std::string words_of_links(const Scenario& scenario, const RunRecord& record) {
  const Sum copies = sum_of_copies(scenario, record);
  const Sum collectives = sum_of_collectives(scenario, record, JoinedBy::last);
  std::string transfers;
  if (copies.count > 0) transfers = copies.count == 1 ? "1 copy" : std::to_string(copies.count) + " copies";
  if (collectives.count > 0) transfers += (transfers.empty() ? "" : " and ") + counted(collectives.count, "collective");
  if (transfers.empty()) return "Links: nothing goes over them";
  const std::size_t count = copies.count + collectives.count;
  return fmt::format("Links: {} {} {} over links{}", transfers, count == 1 ? "takes" : "take",
                     to_rounded_text(copies.time + collectives.time), count == 1 ? "" : " in sum");
}

/// `Collectives: 1 collective holds cores for 2 us, from the first device that joins to the end`
std::string words_of_collectives(const Scenario& scenario, const RunRecord& record) {
  const Sum sum = sum_of_collectives(scenario, record, JoinedBy::first);
  return fmt::format("Collectives: {} hold{} cores for {}{}, from the first device that joins to the end",
                     counted(sum.count, "collective"), sum.count == 1 ? "s" : "", to_rounded_text(sum.time),
                     sum.count == 1 ? "" : " in sum");
}

Counterfactual unlimited_links(const Scenario& scenario, const RunRecord& record) {
  constexpr std::int64_t factor = 100'000;
  Counterfactual change{"links_unlimited", scenario, words_of_links(scenario, record)};
  for (DeviceLink& link : change.scenario.links) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / factor;
    link.bandwidth.count = std::min(link.bandwidth.count, most) * factor;
    link.latency = {};
  }
  change.how = "with unlimited links";
  return change;
}

Counterfactual free_collectives(const Scenario& scenario, const RunRecord& record) {
  Counterfactual change{"collectives_free", scenario, words_of_collectives(scenario, record)};
  change.how = "without collectives";
  change.scenario.collectives.clear();
  for (Scenario& device : change.scenario.devices) {
    device.collectives.clear();
    for (Launch& launch : device.workload.launches)
      if (exchanges(launch)) launch.as_kernel().is_part_of_collective = false;
  }
  return change;
}

}  // namespace

std::vector<Counterfactual> counterfactuals_of_devices(const Scenario& scenario, const EnsembleResult& baseline) {
  ChangesOfDevices changes(scenario);
  for (std::size_t device = 0; device < scenario.devices.size(); ++device) {
    const RunRecord& record = baseline.devices[device].record;
    const bool keeps_longest = is_collective_longest(scenario.devices[device], record);
    for (Counterfactual& change : counterfactuals(scenario.devices[device], record))
      if (!keeps_longest || !is_of_longest_kernel(change)) changes.add(device, std::move(change));
  }
  std::vector<Counterfactual> all;
  if (!scenario.links.empty()) all.push_back(unlimited_links(scenario, baseline.all));
  if (!scenario.collectives.empty()) all.push_back(free_collectives(scenario, baseline.all));
  for (Counterfactual& change : changes.take()) all.push_back(std::move(change));
  return all;
}

}  // namespace gdsim
