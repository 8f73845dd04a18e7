#include <gdsim/scenario/workload/read_tiles.hpp>

#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/scenario/workload/read_program.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

namespace gdsim {
namespace {

constexpr std::array<std::pair<std::string_view, TileTake>, 2> kTakes{
    {{"static", TileTake::by_number}, {"atomic", TileTake::on_demand}}};
constexpr std::array<std::pair<std::string_view, TileTaker>, 2> kTakers{
    {{"work_group", TileTaker::work_group}, {"thread", TileTaker::thread}}};

/// Those below the node that have a value for each tile, by their numbers.
void find_tile_values(YamlNode& node, std::vector<YamlNode*>& found) {
  if (node.is_scalar() && node.tile_value > 0) {
    found.resize(std::max<std::size_t>(found.size(), node.tile_value), nullptr);
    found[node.tile_value - 1] = &node;
  }
  for (YamlNode& item : node.items) find_tile_values(item, found);
  for (YamlEntry& entry : node.entries) find_tile_values(entry.value, found);
}

/// A body for each set of values. False if one cannot be read.
bool read_bodies(const YamlNode& node, const AccessSizes& sizes, const GroupValues& tile_values, Tiles& tiles,
                 const ValueReader& values) {
  YamlNode filled = node;
  std::vector<YamlNode*> places;
  find_tile_values(filled, places);
  for (std::size_t set = 0; set < tile_values.texts.size(); ++set) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i]->text = tile_values.texts[set][i];
      places[i]->style = YamlNode::Style::plain;
      places[i]->is_computed = true;
    }
    Diagnostics found;
    read_program(filled, sizes, set == 0 ? tiles.body : tiles.others.emplace_back(), ValueReader(found));
    for (Diagnostic problem : found.problems()) {
      problem.message += " (tile " + std::to_string(tile_values.first_group[set]) + ")";
      values.problems().add(std::move(problem));
    }
    if (!found.empty()) return false;
  }
  if (!tiles.others.empty()) tiles.of_tile = tile_values.of_group;
  return true;
}

}  // namespace

std::optional<Step> read_tiles(const YamlNode& node, const AccessSizes& sizes,
                               const std::vector<GroupValues>* tile_values, const ValueReader& values) {
  Tiles tiles;
  const MapReader map(node, "tiles", keys::kTiles, values);
  if (!map.is_usable()) return std::nullopt;
  const std::size_t before = values.problems().size();
  map.read_required("list", tiles.list, &ValueReader::text);
  map.read_required("count", tiles.count, &ValueReader::whole, 1U, kMaxTiles);
  map.read_required("take", tiles.take, &ValueReader::choice<TileTake>, std::span(kTakes));
  map.read("per", tiles.per, &ValueReader::choice<TileTaker>, std::span(kTakers));
  map.read("cost", tiles.cost, &ValueReader::quantity<StepTime>, parse_step_time);
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
