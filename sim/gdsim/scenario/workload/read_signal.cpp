#include <gdsim/scenario/workload/read_signal.hpp>

#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <array>
#include <charconv>
#include <span>
#include <string>
#include <utility>

namespace gdsim {
namespace {

enum class Scope : std::uint8_t { work_group, launch };
constexpr std::array<std::pair<std::string_view, Scope>, 2> kScopes{
    {{"work_group", Scope::work_group}, {"launch", Scope::launch}}};

/// Reads a whole number, which may be negative.
void read_index(const YamlNode& node, const ValueReader& values, FlagIndex& index) {
  std::int64_t number = 0;
  const std::string& text = node.text;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (node.is_scalar() && error == std::errc() && end == text.data() + text.size())
    index = number;
  else
    values.fail(node, "index", "is " + describe(node) + "; a whole number is needed, as in `index: = group - 1`");
}

/// Reads where the name is known.
void read_scope(const YamlNode& node, const MapReader& map, FlagIndex& index) {
  const ValueReader& values = map.values();
  Scope scope = Scope::work_group;
  map.read("scope", scope, &ValueReader::choice<Scope>, std::span(kScopes));
  const YamlNode* number = map.find("index");
  if (number != nullptr) read_index(*number, values, index);
  if (number != nullptr && scope == Scope::work_group)
    values.fail(*number, "index", "needs `scope: launch`: threads of one work-group have one barrier of each name");
  if (number == nullptr && scope == Scope::launch)
    values.fail(node, "scope",
                "needs an `index`, which says whose flag it is, as in `signal: {name: flag, scope: launch, index: = "
                "group}`");
}

template <class Kind>
std::optional<Step> read_name(const YamlNode& node, const char* key, const ValueReader& values) {
  const auto name = values.text(node, key);
  if (!name) return std::nullopt;
  return Step(Kind{*name});
}

}  // namespace

std::optional<Step> read_signal(const YamlNode& node, const ValueReader& values) {
  if (!node.is_mapping()) return read_name<Signal>(node, "signal", values);
  const std::size_t before = values.problems().size();
  const MapReader map(node, "signal", keys::kSignal, values);
  Signal signal;
  map.read_required("name", signal.name, &ValueReader::text);
  map.read("initially", signal.initially, &ValueReader::whole, 0U, kMaxPassedWaits);
  read_scope(node, map, signal.index);
  if (const YamlNode* initially = map.find("initially"); initially != nullptr && signal.index)
    values.fail(*initially, "initially",
                "is for signals inside of a work-group; a wait for a flag that no work-group has, as of index -1, "
                "passes at once");
  if (values.problems().size() > before) return std::nullopt;
  return Step(std::move(signal));
}

std::optional<Step> read_wait(const YamlNode& node, const ValueReader& values) {
  if (!node.is_mapping()) return read_name<Wait>(node, "wait", values);
  const std::size_t before = values.problems().size();
  const MapReader map(node, "wait", keys::kWait, values);
  Wait wait;
  map.read_required("name", wait.name, &ValueReader::text);
  read_scope(node, map, wait.index);
  if (values.problems().size() > before) return std::nullopt;
  return Step(std::move(wait));
}

}  // namespace gdsim
