#include <gdsim/infer/inference.hpp>

#include <utility>

namespace gdsim {
namespace {

RuleKey count_key(std::string key, const PerCoreCount& count) {
  RuleKeys keys;
  if (count.per_core > 0) keys.push_back(number_key("per_core", count.per_core));
  if (count.plus > 0) keys.push_back(number_key("plus", count.plus));
  return mapping_key(std::move(key), std::move(keys));
}

std::string to_yaml(const RuleKey& key) {
  switch (key.kind) {
    case RuleKey::Kind::word: return key.word;
    case RuleKey::Kind::number: return std::to_string(key.numbers.front());
    case RuleKey::Kind::mapping: return to_yaml(key.keys);
    case RuleKey::Kind::list: break;
  }
  std::string text;
  for (const std::uint64_t number : key.numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

}  // namespace

RuleKey word_key(std::string key, std::string word) { return {std::move(key), std::move(word)}; }

RuleKey number_key(std::string key, std::uint64_t number) {
  return {std::move(key), {}, {number}, {}, RuleKey::Kind::number};
}

RuleKey mapping_key(std::string key, RuleKeys keys) {
  return {std::move(key), {}, {}, std::move(keys), RuleKey::Kind::mapping};
}

RuleKey batch_key(const BatchRule& batch) {
  RuleKeys keys{number_key("work_groups", batch.work_groups)};
  if (batch.work_groups > 1) {
    for (const auto& [key, count] :
         {std::pair("grid_at_least", batch.grid_at_least), {"left_at_least", batch.left_at_least}})
      if (count.per_core > 0 || count.plus > 0) keys.push_back(count_key(key, count));
  }
  return mapping_key("batch", std::move(keys));
}

RuleKey tie_order_key(const TieOrder& order) {
  if (order.kind != TieOrder::Kind::listed)
    return word_key("tie_order", order.kind == TieOrder::Kind::ascending ? "ascending" : "evens_then_odds");
  RuleKey key{"tie_order", {}, {}, {}, RuleKey::Kind::list};
  for (const CoreId core : order.cores) key.numbers.push_back(index_of(core));
  return key;
}

std::string to_yaml(const RuleKeys& keys) {
  std::string text;
  for (const RuleKey& key : keys) text += (text.empty() ? "" : ", ") + key.key + ": " + to_yaml(key);
  return "{" + text + "}";
}

void write_json(const RuleKeys& keys, JsonWriter& json) {
  json.open_object();
  for (const RuleKey& key : keys) {
    json.key(key.key);
    switch (key.kind) {
      case RuleKey::Kind::word: json.text(key.word); break;
      case RuleKey::Kind::number: json.count(key.numbers.front()); break;
      case RuleKey::Kind::mapping: write_json(key.keys, json); break;
      case RuleKey::Kind::list:
        json.open_list();
        for (const std::uint64_t number : key.numbers) json.count(number);
        json.close_list();
        break;
    }
  }
  json.close_object();
}

}  // namespace gdsim
