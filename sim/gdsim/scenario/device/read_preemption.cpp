#include <gdsim/scenario/device/read_preemption.hpp>

#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <array>
#include <span>

namespace gdsim {
namespace {

/// Reads `context`, or a size.
void read_bytes(const YamlNode& node, ContextMove& move, const ValueReader& values) {
  const auto bytes = node.is_scalar() ? parse_bytes(node.text).value : std::nullopt;
  if (node.is_scalar() && node.text == "context") {
    move.moves = ContextBytes::context;
  } else if (bytes) {
    move.moves = ContextBytes::given;
    move.bytes = *bytes;
  } else {
    values.fail(
        node, "bytes",
        "is " + describe(node) + "; `context` or the size of each work-group's is needed, as in `bytes: 64 KiB`");
  }
}

void read_move(const YamlNode& node, const char* name, ContextMove& move, const ValueReader& values) {
  const MapReader map(node, name, keys::kContextMove, values);
  map.read("per_work_group", move.per_work_group, &ValueReader::quantity<StepTime>, parse_step_time);
  if (const YamlNode* bytes = map.find("bytes")) read_bytes(*bytes, move, values);
}

}  // namespace

void read_preemption(const YamlNode& node, PreemptionRule& rule, const ValueReader& values) {
  constexpr std::array<std::pair<std::string_view, PreemptionOf>, 2> of{
      {{"work_group", PreemptionOf::work_group}, {"thread", PreemptionOf::thread}}};
  const MapReader map(node, "preemption", keys::kPreemption, values);
  map.read_required("of", rule.of, &ValueReader::choice<PreemptionOf>, std::span(of));
  map.read("quantum", rule.quantum, &ValueReader::quantity<Duration>, parse_duration);
  if (const YamlNode* save = map.find("save")) read_move(*save, "save", rule.save, values);
  if (const YamlNode* restore = map.find("restore")) read_move(*restore, "restore", rule.restore, values);
}

}  // namespace gdsim
