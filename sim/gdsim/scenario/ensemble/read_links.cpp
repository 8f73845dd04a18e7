#include <gdsim/scenario/ensemble/read_links.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/run/ensemble/exchanges.hpp>
#include <gdsim/scenario/ensemble/launch_device.hpp>
#include <gdsim/scenario/keys/keys.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace gdsim {
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
    const MapReader map(item, "link", keys::kLink, values);
    DeviceLink link;
    BytesPerSecond bandwidth;
    read_between(map, names, values, link);
    const std::size_t before = values.problems().size();
    map.read_required("bandwidth", bandwidth, &ValueReader::quantity<BytesPerSecond>, parse_bandwidth);
    if (const YamlNode* given = map.find("bandwidth");
        given != nullptr && bandwidth.count <= 0 && values.problems().size() == before)
      values.fail(*given, "bandwidth", "must be more than 0 B/s");
    map.read_required("latency", link.latency, &ValueReader::quantity<Duration>, parse_duration);
    link.bandwidth = bandwidth;
    links.push_back(std::move(link));
  }
  return links;
}

void check_links(const Scenario& scenario, const YamlNode& place, const ValueReader& values) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> reported;
  const auto check = [&](std::uint32_t from, std::uint32_t to, const std::string& what) {
    if (link_between(scenario.links, from, to) || !reported.emplace(from, to).second) return;
    const std::string& sender = scenario.devices[from].device_name;
    const std::string& receiver = scenario.devices[to].device_name;
    values.fail(place, "links",
                what + " goes from " + sender + " to " + receiver +
                    ", which no link connects; add one, as in `links: [{between: [" + sender + ", " + receiver +
                    "], bandwidth: 450 GB/s, latency: 1 us}]`");
  };
  for (std::uint32_t device = 0; device < scenario.devices.size(); ++device)
    for (const Launch& launch : scenario.devices[device].workload.launches)
      if (launch.is_link_copy()) check(device, number_of(launch.as_copy().device), in_quotes(launch.name));
  const auto& launches = scenario.devices.front().workload.launches;
  for (const Collective& one : scenario.collectives)
    for (const ExchangeRound& round : exchange_rounds(one))
      for (const LinkTransfers::Transfer& transfer : round)
        check(transfer.from, transfer.to, in_quotes(launches[index_of(one.launches.front())].name));
}

}  // namespace gdsim
