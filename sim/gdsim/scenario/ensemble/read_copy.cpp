#include <gdsim/scenario/ensemble/read_copy.hpp>

#include <gdsim/scenario/keys/keys.hpp>

#include <array>
#include <span>
#include <string_view>
#include <utility>

namespace gdsim {
namespace {

constexpr std::array<std::pair<std::string_view, CopyDirection>, 2> kDirections{
    {{"host_to_device", CopyDirection::host_to_device}, {"device_to_host", CopyDirection::device_to_host}}};

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
  const MapReader map(node, "copy", keys::kCopy, values);
  Copy copy;
  map.read_required("bytes", copy.bytes, &ValueReader::quantity<Bytes>, parse_bytes);
  if (map.find("from") != nullptr || map.find("to") != nullptr) {
    read_ends(map, devices, values, copy);
  } else {
    map.read_required("direction", copy.direction, &ValueReader::choice<CopyDirection>, std::span(kDirections));
  }
  return copy;
}

}  // namespace gdsim
