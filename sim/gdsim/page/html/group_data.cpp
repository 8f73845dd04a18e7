#include <gdsim/page/html/page_data.hpp>

#include <gdsim/page/markup.hpp>
#include <gdsim/record/phase_shapes.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

constexpr std::size_t kMaxAnimatedChanges = 600;
constexpr std::uint32_t kMaxAnimatedCores = 32;

/// Tracks which work-group holds which port after each change.
class HeldPorts {
 public:
  explicit HeldPorts(const RunView& view) : view_(view) {}

  /// Returns where the work-group is held after this change, as dispatch_changes() writes it.
  std::uint64_t after(const GroupChange& change) {
    const PartialsAt where = view_.launches[index_of(change.launch)].partials;
    const bool is_partial =
        change.kind != GroupChange::Event::leaves && change.state.placement == GroupPlacement::partial;
    if (where == PartialsAt::core) return is_partial ? 1 : 0;
    if (where == PartialsAt::unknown || !view_.ports) return 0;
    return is_partial ? 2 + hold({change.launch, change.work_group}) : release({change.launch, change.work_group});
  }

 private:
  using Group = std::pair<LaunchId, WorkGroupId>;

  std::uint64_t hold(const Group& group) {
    auto port = std::find(held_.begin(), held_.end(), group);
    if (port == held_.end()) port = std::find(held_.begin(), held_.end(), std::nullopt);
    if (port == held_.end()) port = held_.emplace(port);
    *port = group;
    return static_cast<std::uint64_t>(port - held_.begin());
  }
  std::uint64_t release(const Group& group) {
    std::replace(held_.begin(), held_.end(), std::optional(group), std::optional<Group>());
    return 0;
  }

  const RunView& view_;
  std::vector<std::optional<Group>> held_;  ///< by port
};

/// The number of all threads of a work-group; 0: not known.
std::uint64_t size_of(const GroupChange& change, const RunView& view) {
  if (view.workload == nullptr) return 0;
  return view.workload->kernel_of(view.workload->launches[index_of(change.launch)]).threads_of(change.work_group);
}

}  // namespace

bool is_animated(const RunView& view) {
  if (view.group_points.empty() || view.group_points.size() > kMaxAnimatedChanges) return false;
  std::set<CoreId> cores;
  for (const GroupPoint& point : view.group_points) cores.insert(point.change.core);
  return view.cores <= kMaxAnimatedCores || cores.size() <= kMaxAnimatedCores;
}

std::string dispatch_changes(const RunView& view) {
  // If every work-group is placed whole, ports and sizes carry no information.
  const bool has_partial = std::any_of(view.group_points.begin(), view.group_points.end(), [](const GroupPoint& point) {
    return point.change.state.placement == GroupPlacement::partial;
  });
  HeldPorts ports(view);
  const auto flat = [&](std::string& to, const GroupPoint& point) {
    const GroupChange& change = point.change;
    append_picoseconds(to, view.record.first_dispatch, point.time);
    for (const std::uint64_t value :
         {static_cast<std::uint64_t>(change.kind), static_cast<std::uint64_t>(index_of(change.launch)),
          number_of(change.work_group), static_cast<std::uint64_t>(index_of(change.core)),
          std::uint64_t{change.state.threads}, std::uint64_t{change.state.waiting}, std::uint64_t{change.state.ended},
          std::uint64_t{change.state.placement == GroupPlacement::partial}, ports.after(change),
          has_partial ? size_of(change, view) : 0}) {
      to.push_back(',');
      append_count(to, value);
    }
  };
  std::string exchanges;  // launches that wait for other devices where others wait at a barrier
  for (std::size_t i = 0; i < view.launches.size(); ++i)
    if (view.launches[i].exchanges) exchanges += (exchanges.empty() ? "" : ",") + std::to_string(i);
  if (!exchanges.empty()) exchanges = ",\"exchanges\":[" + exchanges + "]";
  const auto name = [](std::string& to, const LaunchRow& row) { to += script_string(shortened(row.name, 80)); };
  return script_column("changes", view.group_points, flat) +
         ",\"ports\":" + (view.ports && has_partial ? std::to_string(*view.ports) : "null") + "," +
         script_column("names", view.launches, name) + exchanges;
}

Histogram histogram_of(std::vector<Duration> durations) {
  Histogram histogram;
  if (durations.empty()) return histogram;
  std::sort(durations.begin(), durations.end());
  histogram.count = durations.size();
  histogram.min = durations.front();
  histogram.median = percentile_of(durations, 50);
  histogram.p95 = percentile_of(durations, 95);
  histogram.max = durations.back();
  const auto width = static_cast<UInt128>((histogram.max - histogram.min).count);
  for (const Duration duration : durations) {
    histogram.sum += static_cast<UInt128>(duration.count);
    const auto above = static_cast<UInt128>((duration - histogram.min).count);
    const auto bin = width == 0 ? 0 : static_cast<std::size_t>(above * Histogram::kBins / width);
    ++histogram.bins[std::min(bin, Histogram::kBins - 1)];
  }
  return histogram;
}

std::vector<std::vector<GroupLife>> lives_by_core(const RunView& view) {
  std::vector<std::vector<GroupLife>> cores(view.cores);
  for (std::size_t launch = 0; launch < view.group_lives.size(); ++launch) {
    const auto& lives = view.group_lives[launch];
    for (std::size_t group = 0; group < lives.size(); ++group) {
      const WorkGroupRecord& life = lives[group];
      if (life.was_placed())
        cores[index_of(life.core)].push_back(
            {launch, group, life.first_placed, life.ended.value_or(view.record.end), life.ended.has_value()});
    }
  }
  for (std::vector<GroupLife>& lives : cores)
    std::sort(lives.begin(), lives.end(), [](const GroupLife& a, const GroupLife& b) {
      return std::tuple(a.begin, a.launch, a.group) < std::tuple(b.begin, b.launch, b.group);
    });
  return cores;
}

std::vector<Duration> replacement_gaps(const std::vector<std::vector<GroupLife>>& lives) {
  std::vector<Duration> gaps;
  std::vector<SimTime> ends;
  for (const std::vector<GroupLife>& core : lives) {
    ends.clear();
    for (const GroupLife& life : core)
      if (life.has_ended) ends.push_back(life.end);
    std::sort(ends.begin(), ends.end());
    std::size_t next = 0;
    for (const GroupLife& life : core)
      if (next < ends.size() && ends[next] <= life.begin) gaps.push_back(life.begin - ends[next++]);
  }
  return gaps;
}

namespace {

/// The maximum number of work-groups that are listed one by one, of about 24 bytes each.
constexpr std::size_t kMaxListedGroups = 16'000;
constexpr std::size_t kMaxDensityRows = 256;
constexpr std::size_t kMaxDensityCells = 60'000;
constexpr std::size_t kMaxDensityColumns = 512;
constexpr std::string_view kDensityLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

using CoreLives = std::vector<std::vector<GroupLife>>;

/// The mean number of resident work-groups by row of cores and by column of time: letters from `A` (none) to `/` (the
/// maximum of all cells).
class Density {
 public:
  Density(const RunView& view, const CoreLives& lives)
      : start_(view.record.first_dispatch), whole_(static_cast<UInt128>(view.record.active().count)) {
    per_row_ = (lives.size() + kMaxDensityRows - 1) / kMaxDensityRows;
    const std::size_t rows = (lives.size() + per_row_ - 1) / per_row_;
    const std::size_t columns = std::min(kMaxDensityCells / rows, kMaxDensityColumns);
    columns_ = static_cast<std::size_t>(std::min<UInt128>(columns, whole_));
    for (std::size_t core = 0; core < lives.size(); ++core) {
      if (core % per_row_ == 0) cells_.emplace_back(columns_);
      for (const GroupLife& life : lives[core]) add(life, cells_.back());
    }
    for (const std::vector<UInt128>& row : cells_)
      for (const UInt128 cell : row) max_ = std::max(max_, cell);
  }

  std::string text() const {
    std::string text = "\"per_row\":" + std::to_string(per_row_) + ",\"columns\":" + std::to_string(columns_) +
                       ",\"max\":" + to_fixed({max_, whole_ * per_row_}, 4);
    return text + "," + script_column("density", cells_, [&](std::string& to, const std::vector<UInt128>& row) {
             to.push_back('"');
             for (const UInt128 cell : row)
               to.push_back(kDensityLetters[max_ == 0 ? 0 : static_cast<std::size_t>((cell * 63 + max_ - 1) / max_)]);
             to.push_back('"');
           });
  }

 private:
  /// Cells count picoseconds x columns: one work-group fills a column with the run's number of picoseconds.
  void add(const GroupLife& life, std::vector<UInt128>& row) const {
    const auto begin = static_cast<UInt128>((life.begin - start_).count) * columns_;
    const auto end = static_cast<UInt128>((life.end - start_).count) * columns_;
    for (auto column = static_cast<std::size_t>(begin / whole_); column < columns_ && column * whole_ < end; ++column)
      row[column] += std::min(end, whole_ * (column + 1)) - std::max(begin, whole_ * column);
  }

  SimTime start_;
  UInt128 whole_;
  std::size_t columns_ = 1;
  std::size_t per_row_ = 1;
  std::vector<std::vector<UInt128>> cells_;
  UInt128 max_ = 0;
};

/// The work-groups that are listed one by one.
struct ListedGroups {
  std::vector<std::size_t> cores;
  bool is_cut = false;  ///< only the first and the last work-groups of one core are listed
};

/// Selects all cores that had work-groups, or an even selection of them, or the one that had most.
ListedGroups listed_groups(const CoreLives& lives) {
  std::vector<std::size_t> used;
  std::size_t total = 0, fullest = 0;
  for (std::size_t core = 0; core < lives.size(); ++core) {
    if (lives[core].empty()) continue;
    used.push_back(core);
    total += lives[core].size();
    if (lives[core].size() > lives[fullest].size()) fullest = core;
  }
  const std::size_t max_groups = lives[fullest].size();
  if (total <= kMaxListedGroups) return {used, false};
  if (2 * max_groups > kMaxListedGroups) return {{fullest}, max_groups > kMaxListedGroups};
  const std::size_t count = std::min(kMaxListedGroups / max_groups, used.size());
  ListedGroups listed;
  for (std::size_t i = 0; i < count; ++i) listed.cores.push_back(used[i * used.size() / count]);
  return listed;
}

/// Columns of the listed work-groups, core after core. Each start is relative to the previous one on its core. Duration
/// -1: it had not ended.
std::string single_groups(const RunView& view, const CoreLives& lives) {
  const ListedGroups listed = listed_groups(lives);
  std::string counts, launches, groups, starts, durations;
  const auto next = [](std::string& text) -> std::string& {
    if (!text.empty()) text.push_back(',');
    return text;
  };
  for (const std::size_t core : listed.cores) {
    SimTime last = view.record.first_dispatch;
    std::size_t count = 0;
    for (std::size_t i = 0; i < lives[core].size(); ++i) {
      if (listed.is_cut && i >= kMaxListedGroups / 2 && i + kMaxListedGroups / 2 < lives[core].size()) continue;
      const GroupLife& life = lives[core][i];
      ++count;
      append_count(next(launches), life.launch);
      append_count(next(groups), life.group);
      append_picoseconds(next(starts), last, life.begin);
      last = life.begin;
      if (life.has_ended) {
        append_picoseconds(next(durations), life.begin, life.end);
      } else {
        next(durations) += "-1";
      }
    }
    append_count(next(counts), count);
  }
  return script_column("cores", listed.cores, [](std::string& to, std::size_t core) { append_count(to, core); }) +
         ",\"cut\":" + (listed.is_cut ? "true" : "false") + ",\"counts\":[" + counts + "],\"launch\":[" + launches +
         "],\"group\":[" + groups + "],\"start\":[" + starts + "],\"duration\":[" + durations + "]";
}

}  // namespace

std::string group_data(const RunView& view) {
  if (view.group_lives.empty() || view.record.first_dispatch >= view.record.end) return "null";
  const CoreLives lives = lives_by_core(view);
  std::uint64_t placed = 0;
  for (const std::vector<GroupLife>& core : lives) placed += core.size();
  if (placed == 0) return "null";
  std::string text = "{\"total\":" + std::to_string(view.record.work_groups_total) +
                     ",\"placed\":" + std::to_string(placed) + "," + Density(view, lives).text() + ",\n" +
                     single_groups(view, lives);
  if (is_animated(view)) text += ",\n" + dispatch_changes(view);
  return text + "}";
}

}  // namespace gdsim
