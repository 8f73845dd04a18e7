#include <gdsim/check/checks.hpp>

#include <gdsim/base/text.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace gdsim {
namespace {

bool synchronizes_threads(const Step& step) {
  return std::holds_alternative<Barrier>(step) || std::holds_alternative<Signal>(step) ||
         std::holds_alternative<Wait>(step);
}

bool uses_flag(const Step& step) {
  const auto* signal = std::get_if<Signal>(&step);
  const auto* wait = std::get_if<Wait>(&step);
  return (signal != nullptr && signal->index) || (wait != nullptr && wait->index);
}

/// Finds the steps that the body may not have.
class BodyCheck {
 public:
  BodyCheck(const Tiles& tiles, Issues& found) : is_by_thread_(tiles.per == TileTaker::thread), found_(found) {}

  void check(const Program& body, const std::string& path) {
    for (std::size_t i = 0; i < body.size(); ++i) {
      const Step& step = body[i];
      const std::string at = item_path(path, i);
      if (std::holds_alternative<GridBarrier>(step))
        fail(at,
             "work-groups take different numbers of tiles, so they cannot all arrive at a grid barrier for each; put "
             "it before or after the step `tiles`");
      if (uses_flag(step))
        fail(at,
             "work-groups take tiles, so no flag of the launch belongs to one of them here; put it before or after the "
             "step `tiles`, or let each work-group have its own part of the work");
      if (is_by_thread_ && synchronizes_threads(step))
        fail(at,
             "single threads take the tiles, so they cannot wait for each other in the body; let the work-group take "
             "them, with `per: work_group`");
      if (is_by_thread_ && std::holds_alternative<Only>(step))
        fail(at,
             "single threads take the tiles, so each has to execute the whole body; let the work-group take them, "
             "with `per: work_group`");
      if (const auto* loop = std::get_if<Loop>(&step)) check(loop->body, at + ".loop.body");
      if (const auto* only = std::get_if<Only>(&step)) check(only->body, at + ".only.body");
    }
  }

 private:
  void fail(const std::string& at, const char* why) { found_.push_back({at, why}); }

  bool is_by_thread_;
  Issues& found_;
};

}  // namespace

Issues check_tiles(const Tiles& tiles, const Kernel& kernel, const std::string& field) {
  Issues found;
  if (field.find('.') != std::string::npos) {
    found.push_back({field,
                     "tiles are taken at the top level of a program: not in a loop, not by some threads only, and "
                     "not in the body of other tiles"});
    return found;
  }
  const auto has_name = [&](const Step& step) {
    const auto* step_tiles = std::get_if<Tiles>(&step);
    return step_tiles != nullptr && step_tiles->list == tiles.list;
  };
  const auto first = std::find_if(kernel.program.begin(), kernel.program.end(), has_name);
  if (first != kernel.program.end() && std::get_if<Tiles>(&*first) != &tiles)
    found.push_back({field + ".tiles.list", "another step of the program has the list " + in_quotes(tiles.list) +
                                                ", too; each step needs a list of its own"});
  if (tiles.body.empty()) found.push_back({field, "the body is empty"});
  if (tiles.take == TileTake::by_number && tiles.per == TileTaker::thread && kernel.has_smaller_groups())
    found.push_back({field + ".tiles.per",
                     "some work-groups have fewer threads than others, so tiles cannot be assigned "
                     "to threads by number; write `per: work_group` or `take: atomic`"});
  BodyCheck(tiles, found).check(tiles.body, field + ".tiles.body");
  return found;
}

Issues check_tile_lists(const std::vector<Kernel>& kernels) {
  Issues found;
  std::map<std::string, std::pair<std::size_t, const Tiles*>> first;  // by name: the kernel, and its tiles
  for (std::size_t k = 0; k < kernels.size(); ++k)
    for (std::size_t i = 0; i < kernels[k].program.size(); ++i) {
      const auto* tiles = std::get_if<Tiles>(&kernels[k].program[i]);
      if (tiles == nullptr) continue;
      const auto [known, is_new] = first.try_emplace(tiles->list, k, tiles);
      if (is_new || known->second.first == k) continue;
      const Tiles& first_tiles = *known->second.second;
      const std::string at = item_path(item_path("kernels", k) + ".program", i) + ".tiles.";
      const std::string shares = "shares the list " + in_quotes(tiles->list) + " with the kernel " +
                                 in_quotes(kernels[known->second.first].name);
      if (tiles->count != first_tiles.count)
        found.push_back({at + "count", shares + ", where it has " + std::to_string(first_tiles.count) + " tiles, not " +
                                           std::to_string(tiles->count) + "; write the same count, or another name"});
      if (tiles->take == TileTake::by_number || first_tiles.take == TileTake::by_number)
        found.push_back({at + "take", shares + "; a list that kernels share is taken with `take: atomic` by both"});
    }
  return found;
}

}  // namespace gdsim
