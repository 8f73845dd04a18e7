#include <gdsim/scenario/ensemble/read_devices.hpp>

#include <gdsim/base/keys.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/run/ensemble/member.hpp>
#include <gdsim/scenario/expectations/expectations.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace gdsim {
namespace {

/// Checks that the host's cost of a submission is the same for all devices: one host submits to all of them.
void check_host(const std::vector<Scenario>& devices, const YamlNode& node, const ValueReader& values) {
  const Scenario& first = devices.front();
  for (std::size_t i = 1; i < devices.size(); ++i) {
    const DeviceSpec& device = devices[i].device;
    const YamlNode& value = node.entries[i].value;
    if (device.submit_overhead != first.device.submit_overhead)
      values.fail(value, "submit_overhead",
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
    const YamlNode& value = node.entries[i].value;
    for (const Queue& queue : workload.queues)
      if (queue.is_graph && i == 0)
        values.fail(node, "queues", in_quotes(queue.name) + ": graphs are of one device; leave `graph: true` out");
    for (const Kernel& kernel : workload.kernels)
      if (kernel.jit.count > 0)
        values.fail(value, "kernels", in_quotes(kernel.name) + ": `jit` is of one device; leave it out");
    const auto& launches = workload.launches;
    if (std::all_of(launches.begin(), launches.end(), [](const Launch& launch) { return launch.is_remote(); }))
      values.fail(value, "devices",
                  "no launch is on " + devices[i].device_name + "; give it one, `device: " + devices[i].device_name +
                      "`, or leave the device out");
    if (names_of(devices[i]) != names_of(devices.front()))
      values.fail(value, "launches",
                  "are not the same for " + devices[i].device_name + " and " + devices.front().device_name +
                      ": how many there are must not depend on `device.cores` or `device.contexts`");
  }
}

bool is_of_all_devices(const Expectation& expectation) {
  return std::holds_alternative<ExpectedDuration>(expectation.item) ||
         std::holds_alternative<ExpectedActive>(expectation.item) ||
         std::holds_alternative<ExpectedOutcome>(expectation.item) ||
         std::holds_alternative<ExpectedLaunchTimes>(expectation.item) ||
         std::holds_alternative<ExpectedMeanOccupancy>(expectation.item) ||
         std::holds_alternative<ExpectedPeakOccupancy>(expectation.item) ||
         std::holds_alternative<ExpectedRefusal>(expectation.item);
}

}  // namespace

void check_devices(const std::vector<Scenario>& devices, const YamlNode& node, const ValueReader& values) {
  check_host(devices, node, values);
  check_launches(devices, node, values);
}

void check_expectations_of_devices(const std::vector<Expectation>& expectations, Diagnostics& problems) {
  for (const Expectation& expectation : expectations)
    if (!is_of_all_devices(expectation))
      problems.add(expectation.mark, expectation.key +
                                         " is of one device; of several, expect duration, active, outcome, launches, "
                                         "mean_occupancy, peak_occupancy or error");
}

namespace {

using Names = std::set<std::string>;

/// Adds every word of a node that could name a kernel.
void add_words(const YamlNode& node, Names& words) {
  if (node.is_scalar()) words.insert(node.text);
  for (const YamlNode& item : node.items) add_words(item, words);
  for (const YamlEntry& entry : node.entries) add_words(entry.value, words);
}

/// Returns the named kernels and, transitively, the children that their programs launch.
Names with_children(const YamlNode& kernels, Names named) {
  for (bool grows = true; grows;) {
    Names all = named;
    for (const YamlEntry& entry : kernels.entries)
      if (const YamlNode* program = entry.value.find("program"); program != nullptr && named.contains(entry.key))
        add_words(*program, all);
    grows = all.size() > named.size();
    named = std::move(all);
  }
  return named;
}

}  // namespace

void keep_kernels_of_device(YamlNode& root, const OwnDevice& own_device) {
  YamlNode* kernels = root.find("kernels");
  const YamlNode* launches = root.find("launches");
  if (kernels == nullptr || launches == nullptr || !kernels->is_mapping()) return;
  Names here;
  Names elsewhere;
  for (const YamlNode& launch : launches->items) {
    const YamlNode* device = launch.find("device");
    const bool is_each = device != nullptr && device->text == kEachDevice;
    const bool is_here = device == nullptr || is_each || device->text == own_device.name();
    const YamlNode* kernel = launch.find("kernel");
    if (kernel == nullptr) continue;
    if (kernel->is_scalar() && kernels->find(kernel->text) == nullptr) return;
    (is_here ? here : elsewhere).insert(kernel->text);
  }
  here = with_children(*kernels, std::move(here));
  if (own_device.number == 0) {
    elsewhere = with_children(*kernels, std::move(elsewhere));
    for (const YamlEntry& entry : kernels->entries)
      if (!elsewhere.contains(entry.key)) here.insert(entry.key);
    here = with_children(*kernels, std::move(here));
  }
  std::erase_if(kernels->entries, [&](const YamlEntry& entry) { return !here.contains(entry.key); });
}

namespace {

void read_between(const MapReader& map, const LaunchDevice& devices, const ValueReader& values, DeviceLink& link) {
  const YamlNode* list = map.require("between");
  if (list == nullptr || values.list(*list, "between") == nullptr) return;
  for (const YamlNode& item : list->items)
    if (const auto number = devices.number(item, "between")) {
      if (std::find(link.between.begin(), link.between.end(), DeviceId{*number}) != link.between.end())
        values.fail(item, "between", describe(item) + " is named already");
      link.between.push_back(DeviceId{*number});
    }
  if (list->items.size() < 2)
    values.fail(*list, "between", "has less than two devices; two are a link, more are a switch");
  std::sort(link.between.begin(), link.between.end());
}

}  // namespace

std::vector<DeviceLink> read_links(const YamlNode& node, const OwnDevice& devices, const ValueReader& values) {
  std::vector<DeviceLink> links;
  if (values.list(node, "links") == nullptr) return links;
  const LaunchDevice names(&devices, values);
  for (const YamlNode& item : node.items) {
    const MapReader map(item, "link", keys::kScenarioLinks, values);
    DeviceLink link;
    read_between(map, names, values, link);
    map.read_keys(link);
    links.push_back(std::move(link));
  }
  return links;
}

void check_links(const Scenario& scenario, const YamlNode& links, const ValueReader& values) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> reported;
  const auto check = [&](std::uint32_t from, std::uint32_t to, const std::string& sent) {
    if (link_between(scenario.links, from, to) || !reported.emplace(from, to).second) return;
    const std::string& sender = scenario.devices[from].device_name;
    const std::string& receiver = scenario.devices[to].device_name;
    values.fail(links, "links",
                sent + " goes from " + sender + " to " + receiver +
                    ", which no link connects; add one, as in `links: [{between: [" + sender + ", " + receiver +
                    "], bandwidth: 450 GB/s, latency: 1 us}]`");
  };
  for (std::uint32_t device = 0; device < scenario.devices.size(); ++device)
    for (const Launch& launch : scenario.devices[device].workload.launches)
      if (launch.is_link_copy()) check(device, number_of(launch.as_copy().device), in_quotes(launch.name));
  const auto& launches = scenario.devices.front().workload.launches;
  for (const Collective& collective : scenario.collectives)
    for (const ExchangeRound& round : exchange_rounds(collective))
      for (const LinkTransfers::Transfer& transfer : round)
        check(transfer.from, transfer.to, in_quotes(launches[index_of(collective.launches.front())].name));
}

namespace {

/// Maximum number of devices of one scenario: each has its own model.
constexpr std::size_t kMaxDevices = 64;

bool is_same(const Diagnostic& a, const Diagnostic& b) {
  return a.line == b.line && a.column == b.column && a.file == b.file && a.message == b.message;
}

void add_new(const std::vector<Diagnostic>& found, std::vector<Diagnostic>& all) {
  for (const Diagnostic& problem : found)
    if (std::none_of(all.begin(), all.end(), [&](const Diagnostic& other) { return is_same(problem, other); }))
      all.push_back(problem);
}

/// Returns the names under `devices:`; empty if they have a problem.
OwnDevice names_of(const YamlNode& devices, const ValueReader& values) {
  OwnDevice all;
  if (values.mapping(devices, "devices") == nullptr) return all;
  if (devices.entries.empty())
    values.fail(devices, "devices", "is empty; at least one is needed, as in `devices: {gpu0: {base: h100-sxm}}`");
  if (devices.entries.size() > kMaxDevices) {
    values.fail(devices, "devices", "has more than " + std::to_string(kMaxDevices) + " devices");
    return all;
  }
  for (const YamlEntry& entry : devices.entries) {
    require_plain_name(entry.key, "devices", entry.key_mark, values.problems());
    all.names.push_back(entry.key);
  }
  return all;
}

/// Returns the scenario reduced to this device.
YamlNode root_of(const YamlNode& root, const YamlEntry& device, const OwnDevice& own_device) {
  YamlNode device_root = root;
  std::erase_if(device_root.entries, [](const YamlEntry& entry) {
    return entry.key == "devices" || entry.key == "links" || entry.key == "expect";
  });
  device_root.set("device", device.key_mark, device.value);
  keep_kernels_of_device(device_root, own_device);
  return device_root;
}

void refuse_what_is_of_one_device(const YamlNode& root, const ValueReader& values) {
  if (const YamlNode* device = root.find("device"))
    values.fail(*device, "device", "a scenario has `device:` or `devices:`, not both; write it as one of `devices:`");
  if (const YamlNode* repeat = root.find("repeat"))
    values.fail(
        *repeat, "repeat",
        "runs are repeated with one device only; leave it out (`gdsim explain` says how far other seeds move the "
        "duration of several devices), or write `device:`");
}

}  // namespace

Scenario read_devices(const YamlNode& root, const ReadOneDevice& read_one, Diagnostics& problems) {
  const ValueReader values(problems);
  const YamlNode& devices = *root.find("devices");
  const std::size_t before = problems.size();
  refuse_what_is_of_one_device(root, values);
  OwnDevice own_device = names_of(devices, values);
  if (problems.size() > before) return {};
  Scenario all;
  std::vector<Diagnostic> found;
  for (const YamlEntry& entry : devices.entries) {
    YamlNode device_root = root_of(root, entry, own_device);
    Diagnostics of_device;
    Scenario read = read_one(device_root, own_device, of_device);
    add_new(of_device.problems(), found);
    add_new(read.refusals, all.refusals);
    read.device_name = entry.key;
    all.devices.push_back(std::move(read));
    ++own_device.number;
  }
  for (Diagnostic& problem : found) problems.add(std::move(problem));
  const Scenario& first = all.devices.front();
  all.title = first.title;
  all.min_phase = first.min_phase;
  if (problems.size() > before) return all;
  check_devices(all.devices, devices, values);
  all.collectives = first.collectives;
  own_device.number = 0;
  const YamlNode* links = root.find("links");
  if (links != nullptr) all.links = read_links(*links, own_device, values);
  if (problems.size() > before) return all;
  check_links(all, links != nullptr ? *links : devices, values);
  if (const YamlNode* expect = root.find("expect")) {
    all.expectations = read_expectations(*expect, first.workload.launches, values);
    check_expectations_of_devices(all.expectations, problems);
  }
  return all;
}

}  // namespace gdsim
