#include <gdsim/scenario/ensemble/read_devices.hpp>

#include <gdsim/base/keys.hpp>
#include <gdsim/base/text.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

void read_ends(const MapReader& map, const LaunchDevice& devices, const ValueReader& values, Copy& copy) {
  copy.direction = CopyDirection::to_device;
  if (const YamlNode* direction = map.find("direction"))
    values.fail(*direction, "direction", "is for copies between host and device; leave it out beside `from` and `to`");
  const YamlNode* from = map.require("from");
  const YamlNode* to = map.require("to");
  const auto sender = from != nullptr ? devices.number(*from, "from") : std::nullopt;
  const auto receiver = to != nullptr ? devices.number(*to, "to") : std::nullopt;
  if (receiver) copy.device = DeviceId{*receiver};
  if (sender && receiver && *sender == *receiver)
    values.fail(*to, "to", "is the device that it copies from; a copy over a link goes to another one");
}

}  // namespace

Copy read_copy(const YamlNode& node, const LaunchDevice& devices, const ValueReader& values) {
  const MapReader map(node, "copy", keys::kLaunchCopy, values);
  Copy copy;
  map.read_required("bytes", copy.bytes);
  if (map.find("from") != nullptr || map.find("to") != nullptr) {
    read_ends(map, devices, values, copy);
  } else {
    map.read_required("direction", copy.direction);
  }
  return copy;
}

namespace {

/// Refuses keys whose meaning a collective defines itself.
void refuse_other_keys(const MapReader& launch, const ValueReader& values) {
  constexpr std::array<std::pair<std::string_view, const char*>, 7> others{
      {{"kernel", "a launch runs a kernel, copies, or is a collective"},
       {"copy", "a launch runs a kernel, copies, or is a collective"},
       {"device", "a collective names its devices itself, under `devices`"},
       {"cooperative", "a collective is always resident as a whole"},
       {"count", "a collective is one; write it again, or order several with `after`"},
       {"reads", "each member would wait for the others; order it with `after`"},
       {"writes", "each member would wait for the others; order it with `after`"}}};
  for (const auto& [key, why] : others)
    if (const YamlNode* node = launch.find(key)) values.fail(*node, key, std::string(why) + "; leave it out");
}

/// Adds all devices of the scenario as members.
void add_all(const MapReader& map, const LaunchDevice& devices, const ValueReader& values, Collective& read) {
  const std::size_t count = devices.own() != nullptr ? devices.own()->names.size() : 0;
  for (std::uint32_t device = 0; device < count; ++device) read.devices.push_back(DeviceId{device});
  if (count < 2 && map.is_usable())
    values.fail(map.node(), "collective", "is between at least two of `devices:`, which this scenario does not have");
}

void read_members(const MapReader& map, const LaunchDevice& devices, const ValueReader& values, Collective& read) {
  const YamlNode* list = map.find("devices");
  if (list == nullptr) return add_all(map, devices, values, read);
  if (values.list(*list, "devices") == nullptr) return;
  for (const YamlNode& item : list->items) {
    const auto number = devices.number(item, "devices");
    if (!number) continue;
    if (std::find(read.devices.begin(), read.devices.end(), DeviceId{*number}) != read.devices.end())
      values.fail(item, "devices", describe(item) + " is a member already; each is named once");
    read.devices.push_back(DeviceId{*number});
  }
  if (list->items.size() < 2) values.fail(*list, "devices", "has less than two; a collective is between at least two");
}

/// Checks that the algorithm supports the kind.
void check_algorithm(const MapReader& map, const ValueReader& values, const Collective& read) {
  const bool is_in_pieces = read.kind == CollectiveKind::all_gather || read.kind == CollectiveKind::reduce_scatter;
  const YamlNode* algorithm = map.find("algorithm");
  if (algorithm == nullptr) return;
  if (read.algorithm == CollectiveAlgorithm::tree && is_in_pieces)
    values.fail(*algorithm, "algorithm", "tree is for all_reduce and broadcast; write `algorithm: ring`");
  if (read.algorithm == CollectiveAlgorithm::ring && read.kind == CollectiveKind::broadcast)
    values.fail(*algorithm, "algorithm",
                "ring is for all_reduce, all_gather and reduce_scatter; write `algorithm: tree`");
}

/// Returns the kernel, which only occupies its cores: its work-groups arrive at a barrier that opens when the exchange
/// has ended, and end a cycle later.
Kernel kernel_of(const MapReader& map, std::uint32_t sub_group, const ReadCollective& read) {
  std::uint64_t work_groups = 1;
  std::uint64_t local = 512;  // ASSUMED: the maximum that NCCL launches, its NCCL_NTHREADS
  Kernel kernel;
  map.read_required("work_groups", work_groups);
  map.read("local", local);
  map.read("registers", kernel.needs.registers);
  map.read("slm", kernel.needs.slm.total);
  kernel.name = read.kind + " of " + std::to_string(work_groups) + " x " + std::to_string(local);
  if (kernel.needs.registers > 0) kernel.name += ", " + std::to_string(kernel.needs.registers) + " registers";
  if (kernel.needs.slm.total.count > 0) kernel.name += ", " + to_text(kernel.needs.slm.total);
  kernel.range = {{1, 1, work_groups * local}, {1, 1, local}};
  kernel.sub_group = sub_group;
  kernel.program = {GridBarrier{}, Compute{StepTime{Decimal::whole(1), StepTime::Unit::cycles}}};
  return kernel;
}

}  // namespace

std::optional<ReadCollective> read_collective(const MapReader& launch, const LaunchDevice& devices,
                                              const ValueReader& values) {
  const std::size_t before = values.problems().size();
  refuse_other_keys(launch, values);
  ReadCollective read;
  const MapReader map(*launch.find("collective"), "collective", keys::kLaunchCollective, values);
  Collective& collective = read.collective;
  map.read_required("kind", collective.kind);
  if (collective.kind == CollectiveKind::broadcast) collective.algorithm = CollectiveAlgorithm::tree;
  map.read("algorithm", collective.algorithm);
  const std::size_t at_bytes = values.problems().size();
  map.read_required("bytes", collective.bytes);
  if (const YamlNode* bytes = map.find("bytes");
      bytes != nullptr && collective.bytes.count == 0 && values.problems().size() == at_bytes)
    values.fail(*bytes, "bytes", "is 0; a collective exchanges more than that");
  read_members(map, devices, values, collective);
  if (const YamlNode* kind = map.find("kind"); kind != nullptr && kind->is_scalar()) read.kind = kind->text;
  if (values.problems().size() == before) check_algorithm(map, values, collective);
  const OwnDevice* own_device = devices.own();
  read.kernel = kernel_of(map, own_device != nullptr ? own_device->sub_group : 1, read);
  return values.problems().size() == before ? std::optional(std::move(read)) : std::nullopt;
}

namespace {

/// Returns `from` of the copy of a launch, or null if there is none.
const YamlNode* sender_of(const MapReader& launch) {
  const YamlNode* copy = launch.find("copy");
  return copy != nullptr ? copy->find("from") : nullptr;
}

}  // namespace

std::optional<std::uint32_t> LaunchDevice::elsewhere(const MapReader& launch) const {
  const YamlNode* node = launch.find("device");
  const YamlNode* sender = sender_of(launch);
  if (node != nullptr && sender != nullptr)
    values_.fail(*node, "device", "a copy with `from` is of the device that it copies from; leave `device` out");
  if (sender != nullptr) node = sender;
  if (own_ == nullptr && launch.find("device") == nullptr) return std::nullopt;
  if (node == nullptr) {
    std::vector<std::string_view> names(own_->names.begin(), own_->names.end());
    names.push_back(kEachDevice);
    if (launch.is_usable())
      values_.problems().add(launch.node().mark, "launch: the key 'device' is missing; " + known_names("", names));
    return std::nullopt;
  }
  const auto found = number(*node, node == sender ? "from" : "device");
  return found && *found != own_->number ? found : std::nullopt;
}

bool LaunchDevice::is_on_each(const MapReader& launch) const {
  const YamlNode* node = launch.find("device");
  return own_ != nullptr && node != nullptr && node->is_scalar() && node->text == kEachDevice &&
         sender_of(launch) == nullptr &&
         std::find(own_->names.begin(), own_->names.end(), kEachDevice) == own_->names.end();
}

std::optional<std::uint32_t> LaunchDevice::number(const YamlNode& node, std::string_view key) const {
  if (own_ == nullptr) {
    values_.fail(node, key,
                 "names one of `devices:`, which this scenario does not have; leave it out, or write `devices: {gpu0: "
                 "{base: NAME}, gpu1: {base: NAME}}` in the place of `device:`");
    return std::nullopt;
  }
  if (!values_.text(node, key)) return std::nullopt;
  std::vector<std::string_view> names(own_->names.begin(), own_->names.end());
  const auto found = std::find(names.begin(), names.end(), node.text);
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  if (key == "device") names.push_back(kEachDevice);
  values_.fail(node, key, "there is no device " + describe(node) + "; " + known_names(node.text, names));
  return std::nullopt;
}

}  // namespace gdsim
