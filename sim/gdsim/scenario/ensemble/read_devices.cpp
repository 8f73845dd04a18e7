#include <gdsim/scenario/ensemble/read_devices.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/scenario/ensemble/check_devices.hpp>
#include <gdsim/scenario/ensemble/kernels_of_device.hpp>
#include <gdsim/scenario/ensemble/read_links.hpp>
#include <gdsim/scenario/expectations/read_expectations.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/scenario/keys/plain_name.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

/// Maximum number of devices of one scenario: each has its own model.
constexpr std::size_t kMaxDevices = 64;

bool is_same(const Diagnostic& a, const Diagnostic& b) {
  return a.line == b.line && a.column == b.column && a.file == b.file && a.message == b.message;
}

void add_new(const std::vector<Diagnostic>& found, std::vector<Diagnostic>& all) {
  for (const Diagnostic& one : found)
    if (std::none_of(all.begin(), all.end(), [&](const Diagnostic& other) { return is_same(one, other); }))
      all.push_back(one);
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
YamlNode root_of(const YamlNode& root, const YamlEntry& device, const OwnDevice& own) {
  YamlNode one = root;
  std::erase_if(one.entries, [](const YamlEntry& entry) {
    return entry.key == "devices" || entry.key == "links" || entry.key == "expect";
  });
  one.set("device", device.key_mark, device.value);
  keep_kernels_of_device(one, own);
  return one;
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
  OwnDevice own = names_of(devices, values);
  if (problems.size() > before) return {};
  Scenario all;
  std::vector<Diagnostic> found;
  for (const YamlEntry& entry : devices.entries) {
    YamlNode one = root_of(root, entry, own);
    Diagnostics of_device;
    Scenario read = read_one(one, own, of_device);
    add_new(of_device.problems(), found);
    add_new(read.refusals, all.refusals);
    read.device_name = entry.key;
    all.devices.push_back(std::move(read));
    ++own.number;
  }
  for (Diagnostic& problem : found) problems.add(std::move(problem));
  const Scenario& first = all.devices.front();
  all.title = first.title;
  all.min_phase = first.min_phase;
  if (problems.size() > before) return all;
  check_devices(all.devices, devices, values);
  all.collectives = first.collectives;
  own.number = 0;
  const YamlNode* links = root.find("links");
  if (links != nullptr) all.links = read_links(*links, own, values);
  if (problems.size() > before) return all;
  check_links(all, links != nullptr ? *links : devices, values);
  if (const YamlNode* expect = root.find("expect")) {
    all.expectations = read_expectations(*expect, first.workload.launches, values);
    check_expectations_of_devices(all.expectations, problems);
  }
  return all;
}

}  // namespace gdsim
