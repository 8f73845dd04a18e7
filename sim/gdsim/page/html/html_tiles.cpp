#include <gdsim/page/html/html_parts.hpp>

#include <gdsim/page/html/page_data.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/page/plot/plot_scale.hpp>
#include <gdsim/page/plot/plots.hpp>
#include <gdsim/report/number_format.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace gdsim {
namespace {

/// More tiles are drawn as the spans in which their work-groups have one.
constexpr std::size_t kMaxTilesDrawn = 6'000;
constexpr std::size_t kMaxRowsDrawn = 320;
constexpr std::size_t kMaxLaunchRows = 50;
constexpr std::size_t kLongestTileName = 100;
/// Above and below what a row shows.
constexpr std::uint64_t kInset = 2;
constexpr std::uint64_t kShownHeight = kLaunchHeight - 2 * kInset;

/// A tile on the page.
struct DrawnTile {
  const TileRecord* record = nullptr;
  SimTime end;           ///< the end of the run if it had not ended
  std::size_t line = 0;  ///< of its work-group's lines: it may have several tiles at once
};

/// A work-group that took tiles.
struct Taker {
  std::size_t launch = 0;
  std::uint64_t group = 0;
  std::size_t core = 0;
  std::vector<DrawnTile> tiles;  ///< by begin
  SimTime end;                   ///< of its last tile
  Duration in_tiles;             ///< in which it has one
  std::size_t lines = 1;         ///< at most kShownHeight: all further tiles at once are on the last one
  std::size_t row = 0;
  SimTime idle_from;   ///< it has ended, or, if that is not known, its last tile has
  SimTime idle_until;  ///< the last tile of its launch ends, or another work-group takes one in its row

  SimTime begin() const { return tiles.front().record->begin; }
  bool is_idle() const { return idle_from < idle_until; }
};

/// What it executes behind its last tile is no idle time.
SimTime end_of_execution(const RunView& view, const Taker& taker) {
  if (taker.launch >= view.group_lives.size()) return taker.end;
  const std::span<const WorkGroupRecord> lives = view.group_lives[taker.launch];
  if (taker.group >= lives.size() || !lives[taker.group].was_placed()) return taker.end;
  return std::max(taker.end, lives[taker.group].ended.value_or(view.record.end));
}

/// The first line that is free at `begin`; a new one if none is.
std::size_t line_for(SimTime begin, SimTime end, std::vector<SimTime>& free_from) {
  const auto free = std::find_if(free_from.begin(), free_from.end(), [&](SimTime from) { return from <= begin; });
  if (free == free_from.end()) {
    free_from.push_back(end);
    return free_from.size() - 1;
  }
  *free = end;
  return static_cast<std::size_t>(free - free_from.begin());
}

void add_times(Taker& taker) {
  std::vector<SimTime> free_from;
  SimTime reached = taker.begin();
  for (DrawnTile& tile : taker.tiles) {
    const SimTime begin = std::max(tile.record->begin, reached);
    if (begin < tile.end) taker.in_tiles = taker.in_tiles + (tile.end - begin);
    reached = std::max(reached, tile.end);
    tile.line = std::min<std::size_t>(line_for(tile.record->begin, tile.end, free_from), kShownHeight - 1);
  }
  taker.end = reached;
  taker.lines = std::min<std::size_t>(free_from.size(), kShownHeight);
}

/// The work-groups that took tiles, by core, then begin.
std::vector<Taker> takers_of(const RunView& view) {
  std::map<std::pair<LaunchId, WorkGroupId>, Taker> found;
  for (const TileRecord& tile : view.tiles->tiles()) {
    Taker& taker = found[{tile.launch, tile.work_group}];
    taker.launch = index_of(tile.launch);
    taker.group = number_of(tile.work_group);
    taker.core = index_of(tile.core);
    taker.tiles.push_back({&tile, tile.ended.value_or(view.record.end)});
  }
  std::vector<Taker> takers;
  for (auto& [key, taker] : found) {
    add_times(taker);
    takers.push_back(std::move(taker));
  }
  std::stable_sort(takers.begin(), takers.end(), [](const Taker& a, const Taker& b) {
    return std::tuple(a.core, a.begin()) < std::tuple(b.core, b.begin());
  });
  return takers;
}

/// Gives every work-group a row: those of a core that follow each other share one. Returns the number of rows.
std::size_t place_in_rows(const RunView& view, std::vector<Taker>& takers) {
  std::size_t first_row = 0;
  std::vector<SimTime> free_from;
  std::map<std::size_t, SimTime> ends;  // by launch: of its last tile
  for (const Taker& taker : takers) ends[taker.launch] = std::max(ends[taker.launch], taker.end);
  std::map<std::size_t, std::size_t> last_in_row;  // index of a work-group
  for (std::size_t i = 0; i < takers.size(); ++i) {
    Taker& taker = takers[i];
    if (i > 0 && takers[i - 1].core != taker.core) {
      first_row += free_from.size();
      free_from.clear();
    }
    taker.row = first_row + line_for(taker.begin(), taker.end, free_from);
    taker.idle_from = end_of_execution(view, taker);
    taker.idle_until = ends.at(taker.launch);
    if (const auto last = last_in_row.find(taker.row); last != last_in_row.end()) {
      SimTime& until = takers[last->second].idle_until;
      until = std::min(until, taker.begin());
    }
    last_in_row[taker.row] = i;
  }
  return first_row + free_from.size();
}

/// All work-groups with tiles, in rows.
struct TilesInRows {
  std::vector<Taker> takers;
  std::size_t rows = 0;
  std::size_t every = 1;  ///< only every so many rows are drawn
  bool is_one_by_one = true;

  bool is_drawn(const Taker& taker) const { return taker.row % every == 0; }
  std::size_t rows_drawn() const { return (rows + every - 1) / every; }
};

TilesInRows tiles_in_rows(const RunView& view) {
  TilesInRows all;
  all.takers = takers_of(view);
  all.rows = place_in_rows(view, all.takers);
  all.every = (all.rows + kMaxRowsDrawn - 1) / kMaxRowsDrawn;
  std::size_t drawn = 0;
  for (const Taker& taker : all.takers)
    if (all.is_drawn(taker)) drawn += taker.tiles.size();
  all.is_one_by_one = drawn <= kMaxTilesDrawn;
  return all;
}

/// The shapes of the figure: tiles in two alternating shades, and the time for which a row has none left.
class TileShapes {
 public:
  TileShapes(const RunView& view, const TilesInRows& all)
      : time_(view.record.first_dispatch, view.record.end), all_(all) {}

  std::string text() {
    for (const Taker& taker : all_.takers)
      if (all_.is_drawn(taker)) add(taker);
    return path_element("wait", idle_) + path_element("busy", tiles_[0]) + path_element("next", tiles_[1]);
  }

 private:
  void add(const Taker& taker) {
    const std::uint64_t top = taker.row / all_.every * kLaunchHeight + kInset;
    if (taker.is_idle()) idle_.box(time_.x(taker.idle_from), top, time_.x(taker.idle_until), top + kShownHeight);
    if (all_.is_one_by_one) {
      add_tiles(taker, top);
    } else {
      add_spans(taker, top);
    }
  }

  void add_tiles(const Taker& taker, std::uint64_t top) {
    const std::uint64_t high = kShownHeight / taker.lines;
    std::vector<std::size_t> on_line(taker.lines);
    for (const DrawnTile& tile : taker.tiles) {
      const std::uint64_t left = time_.x(tile.record->begin);
      const std::uint64_t line_top = top + tile.line * high;
      tiles_[on_line[tile.line]++ % 2].box(left, line_top, std::max(time_.x(tile.end), left + 1), line_top + high);
    }
  }

  void add_spans(const Taker& taker, std::uint64_t top) {
    SimTime begin = taker.begin(), reached = begin;
    const auto flush = [&] {
      tiles_[0].box(time_.x(begin), top, std::max(time_.x(reached), time_.x(begin) + 1), top + kShownHeight);
    };
    for (const DrawnTile& tile : taker.tiles) {
      if (tile.record->begin > reached) {
        flush();
        begin = tile.record->begin;
      }
      reached = std::max(reached, tile.end);
    }
    flush();
  }

  TimeScale time_;
  const TilesInRows& all_;
  PathData idle_;
  std::array<PathData, 2> tiles_;
};

std::string tile_legend(const RunView& view, const TilesInRows& all) {
  const std::string group = markup_text(view.terms.work_group);
  const bool idles =
      std::any_of(all.takers.begin(), all.takers.end(), [](const Taker& taker) { return taker.is_idle(); });
  return "<p class=\"legend\"><span><i class=\"busy\"></i>" +
         (all.is_one_by_one ? "a tile</span><span><i class=\"next\"></i>the next one</span>"
                            : "the " + group + " has a tile</span>") +
         (idles ? "<span><i class=\"wait\"></i>idle: no tile is left for this " + group +
                      ", and others still have some</span>"
                : "") +
         "</p>\n";
}

std::string tile_figure(const RunView& view, const TilesInRows& all) {
  const std::string& group = view.terms.work_group;
  HtmlPlot plot;
  plot.id = "tiles";
  plot.caption = fmt::format("Tiles of {}", all.every == 1 ? "each " + group : "some " + group + "s");
  plot.description = fmt::format(
      "A row for each {}, in the order of {}s: its tiles, and stripes while it is idle and others still have tiles.",
      group, view.terms.core);
  plot.shapes = TileShapes(view, all).text();
  const std::size_t rows = all.rows_drawn();
  plot.height = rows * kLaunchHeight;
  plot.pixels = rows * std::clamp<std::size_t>(480 / rows, 2, 20);
  plot.series = "tiles";
  const std::size_t labels_every = (rows + 23) / 24;
  std::set<std::size_t> labeled;
  for (const Taker& taker : all.takers) {
    const std::size_t row = taker.row / all.every;
    if (all.is_drawn(taker) && row % labels_every == 0 && labeled.insert(row).second)
      plot.left.push_back(
          {row * kLaunchHeight + kLaunchHeight / 2, fmt::format("{}, {}", core_name(view, taker.core), taker.group)});
  }
  plot.time = time_ticks(view);
  std::string text = tile_legend(view, all) + html_figure(plot);
  if (all.every > 1)
    text += fmt::format("<p class=\"note\">{} of {} rows are drawn; the table has all.</p>\n", rows, all.rows);
  return text;
}

/// The tiles of one launch, summed up.
struct LaunchTiles {
  std::size_t launch = 0;
  std::vector<const Taker*> takers;
  std::set<std::size_t> rows;
  std::size_t tiles = 0;
  UInt128 in_tiles = 0;
  UInt128 idle = 0;
  SimTime begin;
  SimTime end;

  UInt128 span() const { return static_cast<UInt128>((end - begin).count) * rows.size(); }
};

/// The name of the list from which a tile was taken.
const std::string& list_of(const TileRecord& tile, const RunView& view) {
  static const std::string unknown;
  if (view.workload == nullptr) return unknown;
  std::uint32_t number = 0;
  for (const Step& step : view.workload->kernel_of(view.workload->launches[index_of(tile.launch)]).program)
    if (const auto* tiles = std::get_if<Tiles>(&step); tiles != nullptr && number++ == tile.step) return tiles->list;
  return unknown;
}

/// By launch, the one that leaves most of its rows idle first.
std::vector<LaunchTiles> sums_by_launch(const TilesInRows& all) {
  std::map<std::size_t, LaunchTiles> sums;
  for (const Taker& taker : all.takers) {
    const auto [found, is_new] = sums.try_emplace(taker.launch);
    LaunchTiles& sum = found->second;
    sum.launch = taker.launch;
    sum.takers.push_back(&taker);
    sum.rows.insert(taker.row);
    sum.tiles += taker.tiles.size();
    sum.in_tiles += static_cast<UInt128>(taker.in_tiles.count);
    if (taker.is_idle()) sum.idle += static_cast<UInt128>((taker.idle_until - taker.idle_from).count);
    sum.begin = is_new ? taker.begin() : std::min(sum.begin, taker.begin());
    sum.end = std::max(sum.end, taker.end);
  }
  std::vector<LaunchTiles> sorted;
  for (auto& [launch, sum] : sums) sorted.push_back(std::move(sum));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const LaunchTiles& a, const LaunchTiles& b) { return a.idle > b.idle; });
  return sorted;
}

std::string range_words(std::size_t low, std::size_t high) {
  return low == high ? std::to_string(low) : fmt::format("{}-{}", low, high);
}

std::string tile_table(const RunView& view, const TilesInRows& all) {
  const std::vector<LaunchTiles> sums = sums_by_launch(all);
  const std::string& group = view.terms.work_group;
  HtmlTable table("Tiles by launch",
                  {Cell("launch"), Cell("tiles"), Cell(group + "s"), Cell("tiles of a " + group),
                   Cell("in tiles, mean"), Cell("longest"), Cell("longest is"), Cell("idle")},
                  1, "tiles-by-launch");
  const auto by_tiles = [](const Taker* a, const Taker* b) { return a->tiles.size() < b->tiles.size(); };
  const auto by_time = [](const Taker* a, const Taker* b) { return a->in_tiles < b->in_tiles; };
  for (const LaunchTiles& sum : std::span(sums).first(std::min(sums.size(), kMaxLaunchRows))) {
    const auto [fewest, most] = std::minmax_element(sum.takers.begin(), sum.takers.end(), by_tiles);
    const Taker& longest = **std::max_element(sum.takers.begin(), sum.takers.end(), by_time);
    table.row({Cell(shortened(view.launches[sum.launch].name, kLongestTileName)), Cell(std::to_string(sum.tiles)),
               Cell(std::to_string(sum.takers.size())),
               Cell(range_words((*fewest)->tiles.size(), (*most)->tiles.size())),
               time_cell(Duration{static_cast<std::int64_t>(sum.in_tiles / sum.takers.size())}),
               time_cell(longest.in_tiles), Cell(fmt::format("{} on {}", longest.group, core_name(view, longest.core))),
               share_cell(sum.span() == 0 ? Ratio{0, 1} : Ratio{sum.idle * 100, sum.span()}, "")});
  }
  std::string text = table.finish() +
                     "<p class=\"note\">Idle is the share of the rows' time, from the first tile of the launch to the "
                     "end of its last one, without a tile or, where that is known, anything else to execute.</p>\n";
  if (sums.size() > kMaxLaunchRows)
    text +=
        fmt::format("<p class=\"note\">The {} of {} launches that idle longest.</p>\n", kMaxLaunchRows, sums.size());
  return text;
}

}  // namespace

bool has_tiles(const RunView& view) {
  return view.tiles != nullptr && !view.tiles->tiles().empty() && view.record.first_dispatch < view.record.end;
}

std::string tile_section(const RunView& view) {
  const std::string begin = "<section id=\"tiles-section\">\n<h2>Tiles</h2>\n";
  if (view.tiles != nullptr && view.tiles->has_too_many())
    return begin + fmt::format("<p class=\"note\">There are more than {} tiles: they are not drawn.</p>\n</section>\n",
                               kMaxTilesKept);
  if (!has_tiles(view)) return {};
  const TilesInRows all = tiles_in_rows(view);
  return begin + tile_figure(view, all) + tile_table(view, all) + "</section>\n";
}

std::string tile_data(const RunView& view) {
  const TilesInRows all = tiles_in_rows(view);
  std::vector<const Taker*> drawn;
  for (const Taker& taker : all.takers)
    if (all.is_drawn(taker)) drawn.push_back(&taker);
  const auto column = [&](std::string_view name, auto get) {
    return script_column(name, drawn, [&](std::string& to, const Taker* taker) { append_count(to, get(*taker)); });
  };
  const auto passed = [](SimTime from, SimTime to) { return static_cast<std::uint64_t>((to - from).count); };
  const auto time = [&](std::string_view name, auto get) {
    return column(name, [&](const Taker& taker) { return passed(view.record.first_dispatch, get(taker)); });
  };
  std::string text = fmt::format("{{\"rows\":{},\"height\":{},\"inset\":{},", all.rows_drawn(), kLaunchHeight, kInset) +
                     column("row", [&](const Taker& taker) { return taker.row / all.every; }) + "," +
                     column("launch", [](const Taker& taker) { return taker.launch; }) + "," +
                     column("group", [](const Taker& taker) { return taker.group; }) + "," +
                     column("core", [](const Taker& taker) { return taker.core; }) + "," +
                     column("count", [](const Taker& taker) { return taker.tiles.size(); }) + "," +
                     column("lines", [](const Taker& taker) { return taker.lines; }) + "," +
                     time("begin", [](const Taker& taker) { return taker.begin(); }) + "," +
                     time("end", [](const Taker& taker) { return taker.end; }) + "," +
                     time("idle_from", [](const Taker& taker) { return taker.idle_from; }) + "," +
                     time("idle_until", [](const Taker& taker) { return taker.idle_until; });
  if (!all.is_one_by_one) return text + "}";
  std::vector<const DrawnTile*> tiles;
  for (const Taker* taker : drawn)
    for (const DrawnTile& tile : taker->tiles) tiles.push_back(&tile);
  std::vector<std::string> lists;
  const auto place_of = [&](const DrawnTile& tile) {
    const auto found = std::find(lists.begin(), lists.end(), list_of(*tile.record, view));
    return static_cast<std::uint64_t>(found - lists.begin());
  };
  for (const DrawnTile* tile : tiles)
    if (place_of(*tile) == lists.size()) lists.push_back(list_of(*tile->record, view));
  const auto of_tiles = [&](std::string_view name, auto get) {
    return "," +
           script_column(name, tiles, [&](std::string& to, const DrawnTile* tile) { append_count(to, get(*tile)); });
  };
  return text + "," +
         script_column(
             "lists", lists,
             [](std::string& to, const std::string& list) { to += script_string(shortened(list, kLongestTileName)); }) +
         of_tiles("list", place_of) + of_tiles("tile", [](const DrawnTile& tile) { return tile.record->tile; }) +
         of_tiles("line", [](const DrawnTile& tile) { return tile.line; }) +
         of_tiles("from",
                  [&](const DrawnTile& tile) { return passed(view.record.first_dispatch, tile.record->begin); }) +
         of_tiles("lasts", [&](const DrawnTile& tile) { return passed(tile.record->begin, tile.end); }) + "}";
}

}  // namespace gdsim
