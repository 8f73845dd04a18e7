#include <gdsim/scenario/ensemble/launch_device.hpp>

#include <gdsim/base/text.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace gdsim {
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
