#include <gdsim/probe_model/probed_model.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/yaml/yaml_value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gdsim {

std::optional<SampleSummary> summary_of(std::vector<std::int64_t> samples) {
  if (samples.empty()) return std::nullopt;
  std::sort(samples.begin(), samples.end());
  const std::size_t last = samples.size() - 1;
  const auto between = [&](std::size_t a, std::size_t b) { return samples[a] + (samples[b] - samples[a]) / 2; };
  return SampleSummary{samples.size(), samples[last / 4], between(last / 2, samples.size() / 2),
                       samples[last - last / 4]};
}

std::string rounded_thousandths(std::int64_t thousandths, int digits) {
  const bool is_negative = thousandths < 0;
  auto magnitude = static_cast<std::uint64_t>(is_negative ? -thousandths : thousandths);
  std::uint64_t limit = 1;
  for (int i = 0; i < digits; ++i) limit *= 10;
  int exponent = -3;
  while (magnitude >= limit) {
    magnitude = magnitude / 10 + (magnitude % 10 >= 5 ? 1 : 0);
    ++exponent;
  }
  return (is_negative ? "-" : "") + to_text(Decimal{magnitude, exponent});
}

namespace {

/// A key of the file with its value, or with further keys, in the order in which they were found.
struct KeyTree {
  std::string key;
  std::string value;
  std::vector<KeyTree> keys;
};

void put(std::vector<KeyTree>& keys, const std::string& path, const std::string& value) {
  const std::size_t dot = path.find('.');
  const std::string key = path.substr(0, dot);
  auto found = std::find_if(keys.begin(), keys.end(), [&](const KeyTree& child) { return child.key == key; });
  if (found == keys.end()) found = keys.insert(keys.end(), KeyTree{key, {}, {}});
  if (dot == std::string::npos) {
    found->value = value;
  } else {
    put(found->keys, path.substr(dot + 1), value);
  }
}

YamlValue in_line(const KeyTree& tree) {
  if (tree.keys.empty()) return YamlValue::read(tree.value);
  YamlValue value = YamlValue::in_line();
  for (const KeyTree& child : tree.keys) value.entry(child.key, in_line(child));
  return value;
}

/// Levels of memory are a list: their names are keys of their entries.
YamlValue levels(const KeyTree& tree) {
  YamlValue list;
  for (const KeyTree& level : tree.keys) {
    YamlValue value = YamlValue::in_line().entry("name", YamlValue::word(level.key));
    for (const KeyTree& child : level.keys) value.entry(child.key, in_line(child));
    list.item(std::move(value));
  }
  return list;
}

YamlValue value_of(const KeyTree& tree) {
  if (tree.key != "memory") return in_line(tree);
  YamlValue memory;
  for (const KeyTree& child : tree.keys)
    memory.entry(child.key, child.key == "levels" ? levels(child) : in_line(child));
  return memory;
}

}  // namespace

std::string_view name_of(ValueOrigin origin) {
  switch (origin) {
    case ValueOrigin::measured: return "measured";
    case ValueOrigin::reported: return "reported";
    case ValueOrigin::assumed: return "assumed";
    case ValueOrigin::family: break;
  }
  return "family";
}

std::string source_of(const ProbedValue& value, const ProbeFacts& facts) {
  const std::string date = facts.date.empty() ? "an unknown day" : facts.date;
  switch (value.origin) {
    case ValueOrigin::measured: {
      std::string text =
          fmt::format("measured by the probe on {}, {} sample{}", date, value.samples, value.samples == 1 ? "" : "s");
      if (!value.low.empty()) text += fmt::format(", half of them from {} to {}", value.low, value.high);
      return text + ": " + value.how;
    }
    case ValueOrigin::reported:
      return fmt::format("reported by the runtime ({}, driver {}) to the probe on {}: {}", facts.runtime, facts.driver,
                         date, value.how);
    case ValueOrigin::assumed: return "not verified: ASSUMED: " + value.how;
    case ValueOrigin::family: break;
  }
  return "not measured: " + value.how;
}

std::string model_yaml(const ProbedModel& model) {
  YamlValue file;
  file.comment(printable(fmt::format("{}, as tools/probe measured it on {}. Written by gdsim probe-model.",
                                     model.facts.device, model.facts.date)));
  file.comment(printable(fmt::format("What is not here is that of the family {}.", model.family)));
  for (const ProbedValue& value : model.values)
    if (value.origin == ValueOrigin::family)
      file.comment(printable(fmt::format("Not measured: {}: {}", value.path, value.how)));
  for (const std::string& note : model.notes) file.comment(printable("Note: " + note));
  file.entry("device", YamlValue::text(printable(model.id))).entry("base", YamlValue::word(model.family));
  file.entry("kind", YamlValue::word("product")).entry("name", YamlValue::text(printable(model.facts.device)));
  std::vector<KeyTree> keys;
  YamlValue sources;
  for (const ProbedValue& value : model.values) {
    if (value.value.empty()) continue;
    put(keys, value.path, value.value);
    sources.entry(value.path, YamlValue::text(printable(source_of(value, model.facts))));
  }
  for (const KeyTree& child : keys) file.entry(child.key, value_of(child));
  file.entry("sources", std::move(sources));
  return file.block();
}

}  // namespace gdsim
