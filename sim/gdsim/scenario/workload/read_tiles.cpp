#include <gdsim/scenario/workload/read_workload.hpp>

#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// Finds the marked nodes below the node, in the order of their numbers.
void find_marked(YamlNode& node, std::uint32_t YamlNode::*number, std::vector<YamlNode*>& found) {
  if (node.is_scalar() && node.*number > 0) {
    found.resize(std::max<std::size_t>(found.size(), node.*number), nullptr);
    found[node.*number - 1] = &node;
  }
  for (YamlNode& item : node.items) find_marked(item, number, found);
  for (YamlEntry& entry : node.entries) find_marked(entry.value, number, found);
}

}  // namespace

bool read_variants(const YamlNode& node, const Variants& variants,
                   const std::function<void(const YamlNode&, std::size_t, const ValueReader&)>& read,
                   const ValueReader& values) {
  YamlNode filled = node;
  std::vector<YamlNode*> marked;
  find_marked(filled, variants.number, marked);
  for (std::size_t set = 0; set < variants.values.texts.size(); ++set) {
    for (std::size_t i = 0; i < marked.size(); ++i) {
      marked[i]->text = variants.values.texts[set][i];
      marked[i]->style = YamlNode::Style::plain;
      marked[i]->is_computed = true;
    }
    Diagnostics found;
    read(filled, set, ValueReader(found));
    for (Diagnostic problem : found.problems()) {
      problem.message +=
          " (" + std::string(variants.what) + " " + std::to_string(variants.values.first_group[set]) + ")";
      values.problems().add(std::move(problem));
    }
    if (!found.empty()) return false;
  }
  return true;
}

namespace {

constexpr std::array<std::pair<std::string_view, TileTake>, 2> kTakes{
    {{"static", TileTake::by_number}, {"atomic", TileTake::on_demand}}};
constexpr std::array<std::pair<std::string_view, TileTaker>, 2> kTakers{
    {{"work_group", TileTaker::work_group}, {"thread", TileTaker::thread}}};

/// Reads a body for each set of values. Returns false if one cannot be read.
bool read_bodies(const YamlNode& node, const AccessSizes& sizes, const GroupValues& tile_values, Tiles& tiles,
                 const ValueReader& values) {
  const auto read_body = [&](const YamlNode& filled, std::size_t set, const ValueReader& of_body) {
    read_program(filled, sizes, set == 0 ? tiles.body : tiles.others.emplace_back(), of_body);
  };
  if (!read_variants(node, {&YamlNode::tile_value, tile_values, "tile"}, read_body, values)) return false;
  if (!tiles.others.empty()) tiles.of_tile = tile_values.of_group;
  return true;
}

}  // namespace

std::optional<Step> read_tiles(const YamlNode& node, const AccessSizes& sizes,
                               const std::vector<GroupValues>* tile_values, const ValueReader& values) {
  Tiles tiles;
  const MapReader map(node, "tiles", keys::kStepTiles, values);
  if (!map.is_usable()) return std::nullopt;
  const std::size_t before = values.problems().size();
  map.read_required("list", tiles.list);
  map.read_required("count", tiles.count);
  map.read_required("take", tiles.take, kTakes);
  map.read("per", tiles.per, kTakers);
  map.read("cost", tiles.cost);
  const YamlNode* body = map.require("body");
  const bool differs = body != nullptr && body->tile_value > 0 && tile_values != nullptr &&
                       !(*tile_values)[body->tile_value - 1].texts.empty();
  if (differs) {
    const bool is_sound = values.problems().size() == before;
    Tiles with_bodies = tiles;
    if (!read_bodies(*body, sizes, (*tile_values)[body->tile_value - 1], with_bodies, values)) return std::nullopt;
    if (is_sound) tiles = std::move(with_bodies);
  } else if (body != nullptr && !differs) {
    read_program(*body, sizes, tiles.body, values);
  }
  if (tiles.body.empty() && (differs || body == nullptr || !body->is_sequence())) tiles.body.push_back(step_stand_in());
  return Step(std::move(tiles));
}

}  // namespace gdsim
