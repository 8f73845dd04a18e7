#include <gdsim/scenario/workload/read_queues.hpp>

#include <gdsim/scenario/device/read_cores.hpp>
#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/scenario/keys/plain_name.hpp>
#include <gdsim/scenario/workload/core_shares.hpp>

namespace gdsim {

std::vector<Queue> read_queues(const YamlNode& node, std::optional<std::uint32_t> cores, const ValueReader& values) {
  constexpr std::array<std::pair<std::string_view, QueueOrder>, 2> orders{
      {{"in_order", QueueOrder::in_order}, {"out_of_order", QueueOrder::out_of_order}}};
  constexpr std::array<std::pair<std::string_view, bool>, 2> nexts{{{"ended", false}, {"triggered", true}}};
  std::vector<Queue> queues;
  CoreShares shares(cores);
  if (values.mapping(node, "queues") == nullptr) return queues;
  for (const YamlEntry& entry : node.entries) {
    require_plain_name(entry.key, "queues", entry.key_mark, values.problems());
    const MapReader map(entry.value, "queue", keys::kQueue, values);
    Queue queue;
    queue.name = entry.key;
    map.read("order", queue.order, &ValueReader::choice<QueueOrder>, std::span(orders));
    map.read("priority", queue.priority, &ValueReader::whole32, 0U);
    map.read("next", queue.waits_for_triggers, &ValueReader::choice<bool>, std::span(nexts));
    if (queue.waits_for_triggers && queue.order != QueueOrder::in_order)
      values.fail(*map.find("next"), "next", "counts only where launches follow each other: `order: in_order`");
    map.read("graph", queue.is_graph, &ValueReader::truth);
    if (map.find("hardware") != nullptr) map.read("hardware", queue.hardware.emplace(), &ValueReader::whole32, 0U);
    if (const YamlNode* named = map.find("cores"); named != nullptr && !named->is_mapping()) {
      queue.cores = read_cores(*named, values);
      shares.name(queue.cores);
    }
    if (const YamlNode* share = map.find("share"); share != nullptr && map.find("cores") != nullptr)
      values.fail(*share, "share", "`share` and `cores` exclude each other; remove one");
    queues.push_back(std::move(queue));
  }
  for (const char* key : {"cores", "share"})
    for (std::size_t i = 0; i < queues.size(); ++i) {
      const YamlNode& queue = node.entries[i].value;
      const YamlNode* value = queue.is_mapping() ? queue.find(key) : nullptr;
      if (value == nullptr) continue;
      if (key == std::string_view("share")) {
        if (queue.find("cores") == nullptr) queues[i].cores = shares.share(*value, values);
      } else if (value->is_mapping()) {
        queues[i].cores = shares.own_cores(*value, values);
      }
    }
  return queues;
}

}  // namespace gdsim
